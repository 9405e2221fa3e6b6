"""Run every block of code of the pages as it is copied: by itself, in an empty folder, with what the copy button adds.

python tests/copied.py               all pages of use and of the book
python tests/copied.py 10_runs ci    these

A block is run with nothing installed but what `pip install .` brings, and again with everything where it names an
extra that it needs; in a process that parts from one in which all that is heavy has been imported: hundreds then take
as long as their code, and none finds what another has made."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable
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
PLAIN = ["numpy", "pandas", "scipy.stats", "ndcg_nb"]
HEAVY = ["pyarrow.parquet", "sqlglot", "matplotlib.pyplot", "ndcg_nb.widgets.explore"]
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
        if cell.cell_type == "code" and "copied" in cell.metadata.tags:
            html = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
            needs = re.search(r'<script type="application/json" class="needs">(.*?)</script>', html)
            text = f"{json.loads(needs[1])}\n\n{cell.source}" if needs else cell.source
            found.append(Block(page, len(found) + 1, text))
    return found


def run_plain(block: Block) -> tuple[Block, str]:
    "A block, and what goes wrong in a plain installation"
    forget_extras()
    return run(block)


def names_an_extra(wrong: str) -> bool:
    "Whether a block went wrong because of what is not installed, and said what"
    last = wrong.strip().splitlines()[-1] if wrong else ""
    is_asked = "ModuleNotFoundError" in last or "ImportError" in last
    return is_asked and any(re.search(rf"\b{extra}\b", last) for extra in EXTRAS)


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


def run_all(how: Callable[[Block], tuple[Block, str]], every: list[Block]) -> list[tuple[Block, str]]:
    "Each block in a process of its own"
    with get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        return list(pool.imap_unordered(how, every, chunksize=1))


def failures(names: list[str]) -> list[str]:
    "What goes wrong on these pages, block by block"
    os.environ["MPLBACKEND"] = "agg"
    beside = {str(ROOT / "docs"), str(ROOT / "tests")}  # which a reader does not have
    sys.path[:] = [folder for folder in sys.path if folder not in beside]
    every = [block for page in names for block in blocks(page)]
    for name in PLAIN:
        import_module(name)
    done = run_all(run_plain, every)
    again = [block for block, wrong in done if names_an_extra(wrong)]
    for name in HEAVY:
        with suppress(ImportError):
            import_module(name)
    wrong = [(b, why) for b, why in done if why and b not in again] + [x for x in run_all(run, again) if x[1]]
    print(f"{len(every)} blocks of {len(names)} pages, {len(again)} with an extra; {len(wrong)} went wrong")
    return [f"{block.page}, block {block.number}:\n{block.text}\n\n{why}" for block, why in sorted(wrong)]


if __name__ == "__main__":
    wrong = failures([page for page in pages() if not sys.argv[1:] or Path(page).stem in sys.argv[1:]])
    print("\n\n".join(wrong))
    sys.exit(bool(wrong))
