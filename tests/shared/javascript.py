"""The widgets' arithmetic, asked of Node.js: what only computes needs no browser."""

import base64
import json
import shutil
import subprocess
from typing import Any

import pytest

from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.display.pages import script
from ndcg_nb.widgets.tools import tool_for_page

NODE = shutil.which("node") or shutil.which("nodejs")
WITHOUT = "Node.js: apt install nodejs"
needs_node = pytest.mark.skipif(NODE is None, reason=WITHOUT)  # for those in which Python computes for long, and first
# JSON.stringify turns NaN and Infinity into null, and -0 into 0; Python writes and reads all three.
WRITE = """
const pair = ([key, x]) => `${JSON.stringify(key)}: ${write(x)}`;
const write = (x) => {
  if (Object.is(x, -0)) return "-0.0";
  if (typeof x === "number") return String(x);
  if (Array.isArray(x)) return `[${x.map(write)}]`;
  if (x?.constructor === Object) return `{${Object.entries(x).map(pair)}}`;
  if (typeof x === "object" && x !== null) throw new TypeError(`${x.constructor.name} is not JSON: make it an Array`);
  return JSON.stringify(x ?? null);
};
"""


# Random problems for the tools that a page knows
SENT = [tool_for_page(name) for name in DIALECTS]
INF = float("inf")
GRADES = {
    "whole": lambda r: r.choice([0, 0, 1, 2, 3, 4]),
    "nothing": lambda r: 0,
    "steep": lambda r: r.choice([0, 1, 5, 20, 30, 31, 32, 40]),
    "parts": lambda r: r.choice([0, 0.25, 0.5, 1, 2.5, r.random()]),
    "signed": lambda r: r.choice([-2, -1, 0, 1, 3]),
}
SCORES = {
    "apart": lambda r: r.uniform(-5, 5),
    "tied": lambda r: r.choice([0.5, 1, 1.5]),
    "alike in 32 bits": lambda r: 1 + r.randrange(4) * 1e-9,
    "zeros": lambda r: r.choice([0.0, -0.0, 1e-320]),
    "infinite": lambda r: r.choice([-INF, -INF, -1e39, -1e300, 0.5, INF, r.random()]),
}
NAMES = ["a", "b", "d9", "d10", "é", "z", "Z", "\U0001f95a", "\ufb01", "ab", "abc", "0", "00", "-", "~", "€"]


def call(module: str, function: str, *given: Any) -> Any:
    "Call a function, written in JavaScript, with the exports of a widget's module and the values given"
    if NODE is None:
        pytest.skip(WITHOUT)
    text = base64.b64encode(script(module).encode()).decode()  # as a page gets it, its imports put in
    program = f"""{WRITE}
      const module = await import("data:text/javascript;base64,{text}");
      process.stdout.write(write(await ({function})(module, ...{json.dumps(given)})));"""
    done = subprocess.run([NODE, "--input-type=module"], input=program, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-1000:]
    return json.loads(done.stdout)
