"""Every notebook is a test. Its cells run from top to bottom twice: on their own code, and on the exported module."""

import importlib
import os
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT
from execnb.shell import CaptureShell
from nbdev.process import NBProcessor

NOTEBOOKS = sorted((ROOT / "nbs").glob("*.ipynb"))


def shown(outputs: list) -> list[str]:
    "What a reader sees of a cell's outputs, as text; of a picture, only that there is one"
    texts = []
    for output in outputs:
        data = output.get("data", {})
        text = output.get("text") or data.get("text/markdown") or data.get("text/plain") or ""
        texts.append("(picture)" if "image/png" in data else "".join(text).strip())
    return [t for t in texts if t]


@pytest.mark.parametrize("source", ["cells", "module"])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook(path: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    monkeypatch.setitem(os.environ, "MPLBACKEND", "module://matplotlib_inline.backend_inline")
    cells = [c for c in NBProcessor(path, process=True).nb.cells if c.cell_type == "code" and c.source.strip()]
    saved = {c.id: shown(c.outputs) for c in nbformat.read(path, 4).cells if c.cell_type == "code"}
    module = next((c.directives_["default_exp"][0] for c in cells if "default_exp" in c.directives_), None)
    if source == "module" and module is None:
        pytest.skip(f"{path.name} exports nothing")
    shell = CaptureShell(path)
    if source == "module":
        names = vars(importlib.import_module(f"ndcg_nb.{module}"))
        shell.user_ns.update({k: v for k, v in names.items() if not k.startswith("__")})
    for cell in cells:
        if source == "module" and "export" in cell.directives_:
            continue
        outputs = shell.run(cell.source)
        if shell.exc:
            pytest.fail(f"{path.name}:\n{cell.source}\n\n{shell.prettytb(fname=path)}", pytrace=False)
        assert shown(outputs) == saved[cell.id], f"the saved output is out of step; run `make book`\n{cell.source}"


def test_every_exported_function_has_a_lesson() -> None:
    for path in NOTEBOOKS:
        cells = [c for c in NBProcessor(path, process=True).nb.cells if c.cell_type == "code"]
        lessons = "\n".join(c.source for c in cells if "export" not in c.directives_)
        module = next((c.directives_["default_exp"][0] for c in cells if "default_exp" in c.directives_), None)
        exported = vars(importlib.import_module(f"ndcg_nb.{module}"))["__all__"] if module else []
        functions = [n for n in exported if n.islower() and n not in ("summed", "weighted_sum", "read_ranking")]
        for name in functions:
            assert name in lessons, f"{path.name} exports {name}, and no cell shows it"
