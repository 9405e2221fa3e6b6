"""The golden record: what public functions answer, as text that is kept in `tests/golden/record` and read in review.

A record is a call, on a line that begins with `> `, and below it what it returned, printed or raised. To add one, write
its call into the file it belongs to: `python tests/record.py` makes all answers again (`python tests/record.py FOLDER`:
elsewhere, to compare two versions, each with its own PYTHONPATH). What calls name is in `record_names.py`; no call may
change it. A record that changed is either a fault or news for the users: read the difference."""

from __future__ import annotations

import io
import json
import math
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from record_names import FILES, names

import ndcg_nb
from ndcg_nb.hood.reports.cli import main

FOLDER = Path(__file__).parent / "golden/record"
KITCHEN = Path(ndcg_nb.__file__).parent / "data/kitchen"
START = re.compile(
    r"compare\(MADE, .*?measure='[^']*'[^()]*?\)(?=\.|$)"
)  # made once for the records that begin with it
SETTINGS = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "LINES": "40"}
DIGITS = 10  # significant, so that the last bits of another machine do not show; bounds have two more
TIES = 13  # decimals after which a number is 0


def number(value: float, digits: int) -> str:
    "A number as it is written in the record"
    if not math.isfinite(value):
        return str(value)
    return f"{round(value, TIES) + 0.0:.{digits}g}"


def table(frame: pd.DataFrame, digits: int) -> str:
    "A table, a line a row and a tab between columns, so that it does not depend on how pandas prints"
    index = [name or "" for name in frame.index.names]
    lines = ["\t".join(map(str, [*index, *frame.columns]))]
    for label, row in zip(frame.index, frame.itertuples(index=False, name=None)):
        labels = label if isinstance(label, tuple) else (label,)
        lines.append("\t".join(shown(value, digits) for value in (*labels, *row)))
    return "\n".join(lines)


def plain(value: Any, digits: int) -> Any:
    "What JSON held, its numbers rounded"
    if isinstance(value, dict):
        return {key: plain(part, digits) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part, digits) for part in value]
    return float(number(value, digits)) if isinstance(value, float) else value


def shown(value: Any, digits: int) -> str:
    "What a call returned, as text"
    if isinstance(value, float):
        return number(value, digits)
    if isinstance(value, np.ndarray | np.generic):
        return shown(value.tolist(), digits)
    if isinstance(value, pd.DataFrame):
        return table(value, digits)
    if isinstance(value, pd.Series):
        return table(value.to_frame(), digits)
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {shown(part, digits)}" for key, part in value.items())
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    if hasattr(value, "_asdict"):
        return shown(value._asdict(), digits)
    if type(value) in (list, tuple):
        inside = ", ".join(shown(part, digits) for part in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return re.sub(r" at 0x[0-9a-f]+>", ">", str(value))


def in_json(text: str) -> str:
    "JSON with its numbers rounded, a line for each key"
    return json.dumps(plain(json.loads(text), DIGITS), indent=1, ensure_ascii=False)


def rounded(text: str) -> str:
    "CSV and LaTeX with long numbers rounded"
    return re.sub(r"-?\d+\.\d{6,}(e-?\d+)?", lambda found: number(float(found[0]), DIGITS), text)


def texts_in(part: Any) -> list[str]:
    "All texts in what the script of a report is given, in their order"
    if isinstance(part, dict):
        part = [*part.values()]
    if isinstance(part, list):
        return [text for inner in part for text in texts_in(inner)]
    return [part] if isinstance(part, str) else []


def page_words(page: str) -> list[str]:
    "The sentences of a report: texts with a space in them, without what draws"
    [data] = re.findall(r'id="nr-data">(.*?)</script>', page, re.S)
    texts = [re.sub(r"\s+", " ", text.replace("\0", "")).strip() for text in texts_in(json.loads(data))]
    sentences = [text for text in texts if re.search(r"[a-z]{2,} [\w(]", text) and not re.match(r"[Mm]\s?-?\d", text)]
    return [*dict.fromkeys(rounded(text) for text in sentences)]


def shell(line: str) -> str:
    "What a command prints, where it prints to, and its exit code"
    out = io.StringIO()
    told = io.StringIO()
    with redirect_stdout(out), redirect_stderr(told):
        try:
            code = main(line.split(" ") if line else [])
        except SystemExit as stop:
            code = stop.code
    parts = [out.getvalue(), *([f"(error) {told.getvalue()}"] if told.getvalue() else []), f"(exit code {code or 0})"]
    return "\n".join(part.rstrip("\n") for part in parts if part)


def answer(call: str, known: dict[str, Any], digits: int) -> str:
    "What a call returns, warns and raises"
    start = START.match(call)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            if start and start[0] not in known["made"]:
                known["made"][start[0]] = eval(start[0], known)
            text = shown(eval(f"made[{start[0]!r}]{call[start.end() :]}" if start else call, known), digits)
        except (SyntaxError, NameError):  # a fault of the record
            raise
        except Exception as error:
            text = re.sub(r" at 0x[0-9a-f]+>", ">", f"{type(error).__name__}: {error}")
    said = [f"{item.category.__name__}: {item.message}" for item in warned]
    return "\n".join([*said, text])


def inputs(known: dict[str, Any]) -> dict[str, str]:
    "The data that calls are given, by name"
    kinds = dict | list | pd.DataFrame | pd.Series
    return {name: repr(value) for name, value in known.items() if isinstance(value, kinds) and name[0].isupper()}


def written(calls: list[str], digits: int, known: dict[str, Any]) -> str:
    "The records of a file"
    blocks = []
    before = inputs(known)
    for call in calls:
        lines = answer(call, known, digits).replace(ndcg_nb.__version__, "VERSION").splitlines()
        blocks.append("\n".join([f"> {call}", *(f"  {line}".rstrip() for line in lines)]))
    changed = [name for name, value in inputs(known).items() if value != before[name]]
    assert not changed, f"a call has changed {', '.join(changed)}"
    return "\n".join(blocks) + "\n"


def calls_in(path: Path) -> list[str]:
    "The calls of a file of the record"
    return [line.removeprefix("> ") for line in path.read_text("utf-8").splitlines() if line.startswith("> ")]


def record(only: str = "*") -> dict[str, str]:
    "All files of the record, or the one of this name, made in a folder of their own from files of one name everywhere"
    helpers = {"in_json": in_json, "rounded": rounded, "page_words": page_words, "shell": shell}
    nothing = patch("sys.stdin", io.StringIO())  # a command that reads it comes to its end
    with tempfile.TemporaryDirectory() as folder, chdir(folder), patch.dict(os.environ, SETTINGS), nothing:
        for path in KITCHEN.glob("*.*"):
            shutil.copy(path, folder)
        for name, text in FILES.items():
            Path(name).write_bytes(text.encode())
        made = {}
        for path in sorted(FOLDER.glob(f"{only}.txt")):
            known = names() | helpers | {"made": {}}
            made[path.stem] = written(calls_in(path), 12 if path.stem == "bounds" else DIGITS, known)
        return made


if __name__ == "__main__":
    where = Path(sys.argv[1]) if sys.argv[1:] else FOLDER
    where.mkdir(parents=True, exist_ok=True)
    for name, text in record().items():
        (where / f"{name}.txt").write_text(text, "utf-8")
        print(f"{name}.txt: {text.count(chr(10) + '> ') + 1} records")
