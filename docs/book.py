"""Bring everything that is made from the notebooks in step with them, in the order it depends on each other."""

import subprocess
import sys
from pathlib import Path

import nbformat
from cells import folded

ROOT = Path(__file__).parents[1]
VIEW = "application/vnd.jupyter.widget-view+json"


def run(*command: str) -> None:
    print("+", *command, flush=True)
    subprocess.run(command, cwd=ROOT, check=True)


def strip_widgets(nb: nbformat.NotebookNode) -> None:
    "A widget's model lives as long as its kernel. What is kept is its picture, and the state a page needs to show it."
    nb.metadata.pop("widgets", None)
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(VIEW, None)


def fold(nb: nbformat.NotebookNode, chapter: bool) -> None:
    "What the site folds is folded in JupyterLab as well"
    for cell in nb.cells:
        hidden = cell.cell_type == "code" and folded(cell.source, chapter)
        cell.metadata = {"jupyter": {"source_hidden": True}} if hidden else {}


if __name__ == "__main__":
    notebooks = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    run("ruff", "format", "--quiet", "nbs")
    run("nbdev_export")
    run("jupyter", "nbconvert", "--to=notebook", "--execute", "--inplace", "--log-level=ERROR", *map(str, notebooks))
    for notebook in notebooks:
        nb = nbformat.read(notebook, 4)
        strip_widgets(nb)
        fold(nb, notebook.parent == ROOT / "nbs")
        nbformat.write(nb, notebook)
    run("nbdev_clean")
    run(sys.executable, "docs/readme.py")
