"""Bring everything that is made from the notebooks in step with them, in the order it depends on each other."""

import os
import re
import subprocess
import sys
from base64 import b64encode
from configparser import ConfigParser
from html import escape
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import nbformat
from cells import INSTALL, STATE, directives, folded, is_chapter
from nbformat.v4 import new_code_cell

ROOT = Path(__file__).parents[1]
VIEW = "application/vnd.jupyter.widget-view+json"
PROGRESS = re.compile(r"\d%\|.*it/s\]")  # how far a slow machine had come is nothing to keep
OPTIONAL = ("jax", "pyspark", "torch", "xgboost")  # what a page may show, and `make` does not install


def run(*command: str) -> None:
    print("+", *command, flush=True)
    subprocess.run(command, cwd=ROOT, check=True)


def lacking(notebook: Path) -> list[str]:
    "The optional packages that a notebook imports and that are not installed: it cannot be run here"
    sources = [c.source for c in nbformat.read(notebook, 4).cells if c.cell_type == "code"]
    imported = re.findall(r"^(?:import|from) (\w+)", "\n".join(sources), re.M)
    missing = [name for name in OPTIONAL if name in imported and not find_spec(name)]
    return missing + ["java"] * ("pyspark" in imported and not (which("java") or os.environ.get("JAVA_HOME")))


def remedy(missing: list[str]) -> str:
    "How to get what is lacking"
    packages = " ".join(name for name in missing if name != "java")
    commands = [f"pip install {packages}"] * bool(packages) + ["apt install openjdk-17-jre-headless"] * (
        "java" in missing
    )
    return " and ".join(commands)


def strip_widgets(nb: nbformat.NotebookNode) -> None:
    "A widget's model lives as long as its kernel. What is kept is its picture, and the state a page needs to show it."
    nb.metadata.pop("widgets", None)
    for cell in nb.cells:
        made = [output for output in cell.get("outputs", []) if not PROGRESS.search(str(output.get("data", "")))]
        for data in (output.get("data", {}) for output in made):
            data.pop(VIEW, None)
            if any(map(STATE.fullmatch, data)):  # before a notebook is trusted, JupyterLab shows an image, but no SVG
                picture = b64encode("".join(data["image/svg+xml"]).encode()).decode()
                alt = escape("".join(data["text/plain"]))
                data["text/html"] = f'<img alt="{alt}" src="data:image/svg+xml;base64,{picture}">'
        if cell.cell_type == "code":
            cell.outputs = made


def put_install(nb: nbformat.NotebookNode) -> None:
    "A chapter with code installs the package where there is none, below its title"
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    if code and code[0].source != INSTALL:
        nb.cells.insert(1, new_code_cell(INSTALL, id="install"))


def fold(nb: nbformat.NotebookNode, chapter: bool) -> None:
    "What the site folds is folded in JupyterLab as well: code, and the output of an answer"
    for cell in nb.cells:
        hidden = cell.cell_type == "code" and folded(cell.source, chapter)
        whole = {"outputs_hidden": True} if "code-fold: true" in directives(cell.source) else {}
        cell.metadata = {"jupyter": {"source_hidden": True} | whole} if hidden else {}


def name_version() -> None:
    "The version, where the book says how to cite it"
    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    told = r"(?<=^version: )\S+|(?<=version = \{)[^}]+|(?<=as ndcg_nb )\d\S+(?= computes)"
    for path in (ROOT / "CITATION.cff", ROOT / "nbs/references.ipynb"):
        text = path.read_text("utf-8")
        path.write_text(re.sub(told, ini["DEFAULT"]["version"], text, flags=re.M), "utf-8")


def chosen_from(notebooks: list[Path], names: list[str]) -> list[Path]:
    "The notebooks of these names, with or without their numbers; all of them where none is named"
    words = {path: {path.stem, re.sub(r"^\d+[ab]?_", "", path.stem)} for path in notebooks}
    if unknown := [name for name in names if name not in set().union(*words.values())]:
        sys.exit(f"no notebook is called {', '.join(unknown)}; there are {', '.join(p.stem for p in notebooks)}")
    return [path for path in notebooks if words[path] & {*names}] or notebooks  # a page and its widget may share a name


if __name__ == "__main__":
    notebooks = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    name_version()
    run("ruff", "format", "--quiet", "nbs")
    run("nbdev_export")
    chosen = chosen_from(notebooks, sys.argv[1:])
    runnable = [str(notebook) for notebook in chosen if not lacking(notebook)]
    run("jupyter", "nbconvert", "--to=notebook", "--execute", "--inplace", "--log-level=ERROR", *runnable)
    for notebook in notebooks:
        nb = nbformat.read(notebook, 4)
        strip_widgets(nb)
        if is_chapter(notebook):
            put_install(nb)
        fold(nb, is_chapter(notebook))
        nbformat.write(nb, notebook)
    run(sys.executable, "docs/console.py")  # the commands in console blocks
    run("nbdev_clean")
    run(sys.executable, "docs/readme.py")
    run(sys.executable, "docs/stubs.py")  # what `help` and editors show
    for notebook in chosen:
        if missing := lacking(notebook):
            print(f"{notebook.name} was not run, and stays as it was without {', '.join(missing)}: {remedy(missing)}")
