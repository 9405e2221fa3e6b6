"""Every code block of the pages of use runs as it is copied: in an empty session, with what the copy button adds.

The files that a page has written are there, since a reader who copies its blocks one after the other has them, too."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from unittest.mock import patch

import build
import pytest
from conftest import ROOT
from snippets import preludes

from ndcg_nb.hood.core.conventions import DIALECTS

PAGES = sorted(name for name in build.parts()["Use"] if name.endswith(".ipynb"))
NEEDS = {"13b_frameworks.ipynb": ["torch", "jax", "xgboost"], "11a_clusters.ipynb": ["pyspark"]}


def test_what_a_cell_needs() -> None:
    cells = [
        "import math\nimport numpy as np",
        "table = {}\nother = 1",
        "table['x'] = math.pi\ntable",
        "def half(x):\n    y = x / 2\n    return y * other",
        "y = [half(q) for q in table]",
        "table = {1: 2}",
        "print(table, np)",
        "def late():\n    return soon",
        "soon = 3",
        "late()",
        "con.sql('SELECT x FROM table')",
    ]
    made = preludes(cells)
    assert made[:2] == ["", ""] and made[5] == "" and made[3] == "other = 1"
    assert made[2] == "import math\n\ntable = {}"
    assert made[4] == "import math\n\ntable = {}\nother = 1\ntable['x'] = math.pi\n" + cells[3]
    assert made[6] == "import numpy as np\n\ntable = {1: 2}"
    assert made[9] == "def late():\n    return soon\nsoon = 3" and made[10] == "table = {1: 2}"


@pytest.mark.slow
def test_no_copied_name_is_undefined(tmp_path: Path) -> None:
    "On the pages of the book, too, which would take long to run block by block"
    for name in (name for part in build.parts().values() for name in part if name.endswith(".ipynb")):
        for number, (needs, source) in enumerate(build.snippets(ROOT / "nbs" / name), 1):
            (tmp_path / f"{Path(name).stem}_{number}.py").write_text(f"{needs}\n\n{source}", "utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "--output-format", "concise"]
    found = subprocess.run([*ruff, "--no-cache", "."], cwd=tmp_path, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "All checks passed!\n"), found.stdout + found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_block_runs_as_copied(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in NEEDS.get(name, []):
        pytest.importorskip(package)
    plt = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(tmp_path)
    blocks = build.snippets(ROOT / "nbs" / name)
    for number, (needs, source) in enumerate(blocks, 1):
        with patch.dict(DIALECTS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(f"{needs}\n\n{source}", f"{name}, block {number}", "exec"), {"__name__": "__main__"})
        plt.close("all")
