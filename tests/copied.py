"""Run every block of code of the pages as it is copied: by itself, in an empty folder, with what the copy button adds.

python tests/copied.py               all pages of use and of the book
python tests/copied.py 10_runs ci    these
python tests/copied.py --plain       with nothing installed but what `pip install .` brings

A block is run in a process that parts from one in which all that is heavy has been imported: hundreds then take as
long as their code, and none finds what another has made."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import build
from book import lacking

ROOT = Path(__file__).parents[1]
HEAVY = ["numpy", "pandas", "pyarrow.parquet", "scipy.stats", "sqlglot", "matplotlib.pyplot", "ndcg_nb.widgets.explore"]


EXTRAS = {"anywidget", "cupy", "duckdb", "IPython", "ipywidgets", "jax", "lightgbm", "matplotlib", "polars", "pyarrow"}
EXTRAS |= {"pyspark", "sklearn", "sqlglot", "torch", "tqdm", "traitlets", "xgboost"}  # which a page may ask for by name
OURS = {"ndcg_nb", "numpy", "pandas", "scipy", "dateutil", "pytz", "six", "tzdata"}  # what `pip install .` brings


class Absent:
    "Finds nothing but Python's own modules and those of a plain installation"

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        root = name.partition(".")[0]
        if root not in OURS and root not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"No module named {root!r}", name=root)


def forget_extras() -> None:
    "As if nothing were installed but the package itself"
    for name in [*sys.modules]:
        root = name.partition(".")[0]
        if root not in OURS and root not in sys.stdlib_module_names and root != "__main__":
            del sys.modules[name]
    sys.meta_path.insert(0, Absent())


class Block(NamedTuple):
    page: str
    number: int  # from 1, on its page
    text: str


def pages() -> list[str]:
    "The notebooks of use and of the book, without those that need what is not installed"
    found = [name for part, names in build.parts().items() if part != build.ROOMS for name in names]
    return ["index.ipynb", *(n for n in found if n.endswith(".ipynb") and not lacking(build.NBS / n))]


def blocks(page: str) -> list[Block]:
    "What the copy buttons of a page copy; code that a chapter exports, and imports alone, are there to be read"
    found = []
    for cell in build.convert(build.NBS / page).cells:
        if cell.cell_type == "code" and not {"remove-input", "hide-input"} & {*cell.metadata.tags}:
            html = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
            needs = re.search(r'<script type="application/json" class="needs">(.*?)</script>', html)
            text = f"{json.loads(needs[1])}\n\n{cell.source}" if needs else cell.source
            found.append(Block(page, len(found) + 1, text))
    return found


def run_plain(block: Block) -> tuple[Block, str]:
    "A block in a plain installation; one that says which extra it needs has not gone wrong"
    forget_extras()
    block, wrong = run(block)
    last = wrong.strip().splitlines()[-1] if wrong else ""
    asked = "ModuleNotFoundError" in last or "ImportError" in last
    named = any(re.search(rf"\b{extra}\b", last) for extra in EXTRAS)
    return block, "" if asked and named else wrong


def run(block: Block) -> tuple[Block, str]:
    "A block, and what went wrong; nothing if it ran. This is in a process of its own."
    warnings.simplefilter("ignore")
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        os.chdir(folder)
        try:
            exec(compile(block.text, f"{block.page}, block {block.number}", "exec"), {"__name__": "__main__"})
        except BaseException:
            return block, traceback.format_exc(limit=-2)
        finally:
            os.chdir("/")
    return block, ""


def failures(names: list[str], plain: bool = False) -> list[str]:
    "What goes wrong on these pages, block by block"
    os.environ["MPLBACKEND"] = "agg"
    beside = {str(ROOT / "docs"), str(ROOT / "tests")}  # which a reader does not have
    sys.path[:] = [folder for folder in sys.path if folder not in beside]
    for name in ("numpy",) if plain else HEAVY:
        with suppress(ImportError):
            import_module(name)
    every = [block for page in names for block in blocks(page)]
    with get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        done = list(pool.imap_unordered(run_plain if plain else run, every, chunksize=1))
    print(f"{len(every)} blocks of {len(names)} pages, {sum(not wrong for _, wrong in done)} run as copied")
    return [f"{block.page}, block {block.number}:\n{block.text}\n\n{wrong}" for block, wrong in sorted(done) if wrong]


if __name__ == "__main__":
    chosen = [name for name in sys.argv[1:] if name != "--plain"]
    wanted = [page for page in pages() if not chosen or Path(page).stem in chosen]
    wrong = failures(wanted, plain="--plain" in sys.argv)
    print("\n\n".join(wrong))
    sys.exit(bool(wrong))
