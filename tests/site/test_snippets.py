"""Every code block of the pages runs as it is copied: by itself, in an empty folder, with what the copy button adds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import build
import pytest
from conftest import ROOT
from shared import copied
from shared.apart import THREADS
from shared.copied import Block, run
from snippets import preludes


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
    assert made[:2] == ["", ""]
    assert made[5] == ""
    assert made[3] == "other = 1"
    assert made[2] == "import math\n\ntable = {}"
    assert made[4] == "import math\n\ntable = {}\nother = 1\ntable['x'] = math.pi\n" + cells[3]
    assert made[6] == "import numpy as np\n\ntable = {1: 2}"
    assert made[9] == "def late():\n    return soon\nsoon = 3"
    assert made[10] == "table = {1: 2}"


def test_what_files_a_cell_needs() -> None:
    cells = [
        "from pathlib import Path\nwritten = Path('a.csv').write_text('1')",
        "frame.to_csv('b.csv')\nread('data/c.csv')",
        "read('a.csv').save('d.html')",
        "read('b.csv', 'd.html')",
        "read('c.csv')",
    ]
    written = "from pathlib import Path\n\nwritten = Path('a.csv').write_text('1')"
    assert preludes(cells) == ["", "", written, f"{written}\nframe.to_csv('b.csv')\n{cells[2]}", ""]


@pytest.mark.slow
def test_no_copied_name_is_undefined(tmp_path: Path) -> None:
    "On the pages about the code, too, and on those that need what is not installed"
    for name in (name for part in build.parts().values() for name in part if name.endswith(".ipynb")):
        for number, (needs, source) in enumerate(build.snippets(ROOT / "nbs" / name), 1):
            (tmp_path / f"{Path(name).stem}_{number}.py").write_text(f"{needs}\n\n{source}", "utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "--output-format", "concise"]
    found = subprocess.run([*ruff, "--no-cache", "."], cwd=tmp_path, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "All checks passed!\n"), found.stdout + found.stderr


ALIKE = [  # how blocks go on from `x = [0]`, and the last line of what goes wrong
    ("x.append(1)\nassert x == [0, 1]\nopen('file', 'w').close()", ""),
    ("x.append(2)\nassert x == [0, 2] and not os.listdir()", ""),
    ("x.append(1)\nassert x == [0]", "AssertionError"),
    ("y.append(1)", "NameError: name 'y' is not defined"),
    ("import matplotlib", "ModuleNotFoundError: No module named 'matplotlib'"),
    ("os._exit(0)", "Its process ended before it did."),
    ("", ""),
]
UNSHARED = {  # what a process cannot part after
    "file": "open('file', 'w').close()",
    "folder": "import tempfile\nfolder = tempfile.mkdtemp()",
    "thread": "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()",
}


def test_blocks_that_begin_alike_share_their_beginning_and_nothing_else(tmp_path: Path) -> None:
    def begun(page: str) -> str:
        return f"import os\nx = [0]\nwith open({str(tmp_path / page)!r}, 'a') as log:\n    log.write('run ')"

    every = [(Block("alike", n, f"{begun('alike')}\n{text}"), wrong) for n, (text, wrong) in enumerate(ALIKE)]
    every += [(Block("alike", 97, f"import math, sys\n{begun('alike')}\nassert math.pi > x[0]"), "")]
    every += [
        (Block("alike", 98, f"import sys\n{begun('alike')}\nassert math.pi"), "NameError: name 'math' is not defined")
    ]
    every += [(Block("alike", 99, "import os\nx.append(1)"), "NameError: name 'x' is not defined")]
    for page, shared in UNSHARED.items():
        every += [
            (Block(page, n, f"{begun(page)}\n{shared}\nassert {n}"), "" if n else "AssertionError") for n in range(3)
        ]
    told = run([block for block, _ in every], "plain")
    last_lines = [wrong.strip().rpartition("\n")[2] for _, wrong in told]
    last_lines = [line.partition(". Did you")[0] for line in last_lines]  # without the hint of Python 3.12
    assert last_lines == [wrong for _, wrong in every]
    begun_times = {path.name: path.read_text().count("run") for path in tmp_path.iterdir()}
    assert begun_times == {"alike": 1 if THREADS.exists() else len(ALIKE) + 2, "file": 3, "folder": 3, "thread": 3}


def test_every_block_runs_as_copied(site: Path) -> None:
    "Of the pages of use and of the book: by itself, in an empty folder, with NumPy, pandas, SciPy and what it names"
    every = [block for page in copied.pages() for block in copied.blocks(page, copied.built)]
    assert len(every) > 600
    assert copied.failures(every) == []
