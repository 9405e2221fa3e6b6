"""Run every block of code of the pages as it is copied: by itself, in an empty folder, with what the copy button adds.

python tests/shared/copied.py               all pages of use and of the book
python tests/shared/copied.py 10_runs ci    these

A block is run with nothing installed but what `pip install .` brings, and again with everything where it names an
extra that it needs. `apart.py` runs them, in a process that has loaded what is heavy and nothing of the site."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import build
import nbformat
from book import lacking
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
EXTRAS = {"anywidget", "cupy", "duckdb", "IPython", "ipywidgets", "jax", "lightgbm", "matplotlib", "polars", "pyarrow"}
EXTRAS |= {"pyspark", "sklearn", "sqlglot", "torch", "tqdm", "traitlets", "xgboost"}  # which a page may ask for by name
# Where blocks share the processors already, more threads are only in each other's way; and with one, a process can part
SETTINGS = {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Block(NamedTuple):
    page: str
    number: int  # from 1, on its page
    text: str


def pages() -> list[str]:
    "The notebooks of use and of the book, without those that need what is not installed"
    found = [name for part, names in build.parts().items() if part != build.ROOMS for name in names]
    return [n for n in found if n.endswith(".ipynb") and not lacking(build.NBS / n)]


def made_now(page: str) -> NotebookNode:
    return build.convert(build.NBS / page)


def built(page: str) -> NotebookNode:
    "A page as the site was built from it"
    return nbformat.read(build.SOURCE / f"{build.page(page)}.ipynb", 4)


def blocks(page: str, read: Callable[[str], NotebookNode] = made_now) -> list[Block]:
    "What the copy buttons of a page copy; code that a chapter exports, and imports alone, are there to be read"
    found = []
    for cell in read(page).cells:
        if cell.cell_type == "code" and "copied" in cell.metadata.tags:
            html = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
            needs = re.search(r'<script type="application/json" class="needs">(.*?)</script>', html)
            text = f"{json.loads(needs[1])}\n\n{cell.source}" if needs else cell.source
            found.append(Block(page, len(found) + 1, text))
    return found


def names_an_extra(wrong: str) -> bool:
    "Whether a block went wrong because of what is not installed, and said what"
    last = wrong.strip().splitlines()[-1] if wrong else ""
    is_asked = "ModuleNotFoundError" in last or "ImportError" in last
    return is_asked and any(re.search(rf"\b{extra}\b", last) for extra in EXTRAS)


def run(blocks: list[Block], installed: str) -> list[tuple[Block, str]]:
    "Each block, and what went wrong in it; nothing if it ran"
    command = [sys.executable, str(ROOT / "tests/shared/apart.py"), installed]
    given = json.dumps([block._asdict() for block in blocks])
    done = subprocess.run(
        command, input=given, env=os.environ | SETTINGS, stdout=subprocess.PIPE, text=True, check=True
    )
    return list(zip(blocks, json.loads(done.stdout), strict=True))


def failures(every: list[Block]) -> list[str]:
    "What goes wrong, block by block"
    done = run(every, "plain")
    again = [block for block, why in done if names_an_extra(why)]
    wrong = [(block, why) for block, why in done if why and block not in again]
    wrong += [(block, why) for block, why in run(again, "everything") if why]
    print(f"{len(every)} blocks, {len(again)} with an extra; {len(wrong)} went wrong")
    return [f"{block.page}, block {block.number}:\n{block.text}\n\n{why}" for block, why in sorted(wrong)]


if __name__ == "__main__":
    chosen = [page for page in pages() if not sys.argv[1:] or Path(page).stem in sys.argv[1:]]
    wrong = failures([block for page in chosen for block in blocks(page)])
    print("\n\n".join(wrong))
    sys.exit(bool(wrong))
