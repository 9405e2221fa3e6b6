"""Every notebook is a test: its lessons run from top to bottom, on the module that is exported from it."""

import importlib
import os
import re
import traceback
from collections.abc import Iterator
from pathlib import Path

import book
import matplotlib
import nbformat
import pytest
from cells import STATE, is_caption
from conftest import NOTEBOOKS, absent
from execnb.shell import CaptureShell
from nbdev.process import NBProcessor

import ndcg_nb


def module_of(path: Path) -> str:
    "The module a notebook exports to; nothing where it exports none"
    found = re.search(r"#\| default_exp ([\w.]+)", path.read_text("utf-8"))
    return found[1] if found else ""


def shown(outputs: list) -> list[str]:
    "What a reader sees of a cell's outputs, as text to 12 digits; of a picture, only that there is one"
    texts = []
    for output in outputs:
        data = output.get("data", {})
        is_widget = any(map(STATE.fullmatch, data))  # whose picture is taken by `make book`, and not by its cell
        text = output.get("text") or data.get("text/markdown") or data.get("text/plain") or ""
        if not is_caption(output):
            texts.append("(picture)" if "image/png" in data and not is_widget else "".join(text).strip())
    return [re.sub(r"\d+\.\d{10,}", lambda number: f"{float(number[0]):.12g}", t) for t in texts if t]


@pytest.fixture
def own_settings() -> Iterator[None]:
    "A notebook may change how figures look; the next test finds matplotlib as it was"
    with matplotlib.rc_context():
        yield


@pytest.mark.usefixtures("own_settings")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[p.stem for p in NOTEBOOKS])
def test_notebook(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing := book.lacking(path):
        pytest.skip(absent(missing[0]))
    monkeypatch.chdir(path.parent)
    monkeypatch.setitem(os.environ, "MPLBACKEND", "module://matplotlib_inline.backend_inline")
    cells = [c for c in NBProcessor(path, process=True).nb.cells if c.cell_type == "code" and c.source.strip()]
    saved = {c.id: shown(c.outputs) for c in nbformat.read(path, 4).cells if c.cell_type == "code"}
    shell = CaptureShell(path)
    # Exported cells are not run again: test_in_step sees that the module is made of just them, in their order.
    if module := module_of(path):
        names = vars(importlib.import_module(f"ndcg_nb.{module}"))
        shell.user_ns.update({k: v for k, v in names.items() if not k.startswith("__")})
    for cell in cells:
        if "export" in cell.directives_:
            continue
        outputs = shell.run(cell.source)
        if shell.exc:
            error = "".join(traceback.format_exception(shell.exc))
            pytest.fail(f"{path.name}:\n{cell.source}\n\n{error}", pytrace=False)
        assert shown(outputs) == saved[cell.id], f"the saved output is out of step; run `make book`\n{cell.source}"


def test_every_public_function_is_shown_where_it_is_made() -> None:
    for path in NOTEBOOKS:
        cells = [c for c in NBProcessor(path, process=True).nb.cells if c.cell_type == "code"]
        lessons = "\n".join(c.source for c in cells if "export" not in c.directives_)
        made = vars(importlib.import_module(f"ndcg_nb.{module_of(path)}"))["__all__"] if module_of(path) else []
        for name in (
            set(made) & {*ndcg_nb.__all__, *ndcg_nb.MOVED} if "reports" not in path.parts else ()
        ):  # which chapters show
            assert re.search(rf"\b{name}\(", lessons), f"{path.name} exports {name}, and no cell shows it"


def test_only_pages_of_packages_that_are_absent_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "find_spec", lambda name: None)
    monkeypatch.setattr(book, "which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    left_out = {path.stem: book.lacking(path) for path in NOTEBOOKS if book.lacking(path)}
    tensors = {"13b_frameworks": ["torch", "xgboost"], "13c_training": ["jax", "torch", "xgboost"]}
    assert left_out == {"11a_clusters": ["pyspark", "java"]} | tensors
    assert book.remedy(["pyspark", "java"]) == "pip install pyspark and apt install openjdk-17-jre-headless"
    assert book.remedy(["java"]) == "apt install openjdk-17-jre-headless"
