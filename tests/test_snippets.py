"""Every code block of the pages of use runs as it is copied: in an empty session, with what the copy button adds.

The files that a page writes are there, since a reader has them, too."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
from snippets import needed, uses  # noqa: E402

PAGES = ("quickstart", "recipes")


def test_what_a_cell_needs() -> None:
    cells = [
        "import math\nimport numpy as np",
        "table = {}\nother = 1",
        "table['x'] = math.pi",
        "def half(x):\n    y = x / 2\n    return y * other",
        "y = [half(q) for q in table]",
        "table = {1: 2}",
        "print(table, np)",
    ]
    assert needed(cells) == [[], [], [0, 1], [1], [0, 1, 2, 3], [], [0, 5]]
    assert uses("total += 1").reads == {"total"} and uses("a = 1\nb = a").reads == set()
