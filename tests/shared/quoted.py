"""What a page says in prose, and the rows of its tables, to be compared with what a program counted."""

from __future__ import annotations

import json
from pathlib import Path

NBS = Path(__file__).parents[2] / "nbs"


def prose(page: str) -> str:
    cells = json.loads((NBS / f"{page}.ipynb").read_text("utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def rows_below(text: str, head: str) -> list[list[str]]:
    "The cells of the table whose head begins so, without the head"
    table = text[text.index(f"| {head}") :].partition("\n\n")[0]
    lines = table.splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
