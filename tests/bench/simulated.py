"""Plays the worlds of critics and judged, and keeps what they print in tests/golden/worlds.json.

`python tests/bench/simulated.py` makes all tables again, in about twenty minutes on one core; names of tables, as
`gains depth`, make only these. A test compares the pages What the critics say and Judge next with the file."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from time import process_time

import critics
import judged
import numpy as np
from worlds import ROOT, Row

GOLDEN = ROOT / "tests/golden/worlds.json"
TABLES: dict[str, Callable[[np.random.Generator], list[Row]]] = {}
for module in (critics, judged):
    TABLES |= {name[6:]: call for name, call in vars(module).items() if name.startswith("table_")}


def play(name: str) -> list[Row]:
    "A table, from a seed of its own, so that one made alone is the one made with all"
    start = process_time()
    rows = TABLES[name](np.random.default_rng(zlib.crc32(name.encode())))
    print(f"\n{name}: {TABLES[name].__doc__} ({process_time() - start:.0f} s)")
    for row in rows:
        print("  ", ", ".join(f"{key} {value}" for key, value in row.items()), flush=True)
    return rows


def main() -> None:
    asked = sys.argv[1:] or [*TABLES]
    if unknown := [name for name in asked if name not in TABLES]:
        raise SystemExit(f"no table is called {unknown[0]!r}: choose from {', '.join(TABLES)}")
    for name in asked:
        rows = play(name)
        kept = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.exists() else {}
        kept[name] = rows
        ordered = {name: kept[name] for name in TABLES if name in kept}
        GOLDEN.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
