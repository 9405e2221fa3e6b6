"""The widgets' arithmetic, asked of Node.js: what only computes needs no browser."""

import base64
import json
import shutil
import subprocess
from typing import Any

import pytest

from ndcg_nb.hood.show.pages import script

NODE = shutil.which("node") or shutil.which("nodejs")
WITHOUT = "Node.js is not installed: apt install nodejs"
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


def call(module: str, function: str, *given: Any) -> Any:
    "Call a function, written in JavaScript, with the exports of a widget's module and the values given"
    if NODE is None:
        pytest.skip(WITHOUT)
    text = base64.b64encode(script(module).encode()).decode()  # as a page gets it, its imports put in
    program = f"""{WRITE}
      const module = await import("data:text/javascript;base64,{text}");
      process.stdout.write(write(({function})(module, ...{json.dumps(given)})));"""
    done = subprocess.run([NODE, "--input-type=module"], input=program, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
