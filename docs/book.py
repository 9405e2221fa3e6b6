"""Bring everything that is made from the notebooks in step with them, in the order it depends on each other."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import nbformat
import pictures
from cells import INSTALL, caption, directives, folded, is_caption, is_chapter
from nbformat.v4 import new_code_cell
from published import cited, on_index, reported, said

ROOT = Path(__file__).parents[1]
VIEW = "application/vnd.jupyter.widget-view+json"
PROGRESS = re.compile(r"\d%\|.*(it/s|s/it)\]")  # how far a slow machine had come is nothing to keep
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
    "A widget's model lives as long as its kernel. What is kept is the state a page needs to show it."
    nb.metadata.pop("widgets", None)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs = [
                o for o in cell.outputs if not PROGRESS.search(str(o.get("data", ""))) and not is_caption(o)
            ]
        for output in cell.get("outputs", []):
            for kind in (VIEW, "image/svg+xml", "text/html") if pictures.key_of(output) else ():
                output.data.pop(kind, None)


def join_streams(nb: nbformat.NotebookNode) -> None:
    "What a cell prints is one output, also where a busy machine handed it over in pieces"
    for cell in nb.cells:
        joined: list[nbformat.NotebookNode] = []
        for output in cell.get("outputs", []):
            before = joined[-1] if joined else {}
            if output.output_type == "stream" and before.get("name") == output.name:
                before.text += output.text
            else:
                joined.append(output)
        if "outputs" in cell:
            cell.outputs = joined


def put_pictures(nb: nbformat.NotebookNode, place: str, known: dict[str, str]) -> None:
    "A picture in place of each widget, and a line that says how to move it"
    for cell in nb.cells:
        shown = [pictures.key_of(output) for output in cell.get("outputs", [])]
        for key, output in [x for x in zip(shown, cell.get("outputs", [])) if x[0]]:
            if picture := known.get(key[0]) or known.get(f"{place} {cell.id}"):
                output.data["image/png"] = picture
        if any(shown):
            cell.outputs.append(caption())


def put_install(nb: nbformat.NotebookNode, chapter: bool) -> None:
    "A chapter with code installs the package where there is none, below its title, if it can be found on an index"
    nb.cells = [cell for cell in nb.cells if cell.id != "install"]
    if chapter and on_index() and any(cell.cell_type == "code" for cell in nb.cells):
        nb.cells.insert(1, new_code_cell(INSTALL, id="install"))


def name_addresses(nb: nbformat.NotebookNode, cites: bool) -> None:
    "Where the prose says how to install and where to read, it says what is so today"
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            cell.source = cited(said(cell.source)) if cites else said(cell.source)


def fold(nb: nbformat.NotebookNode, path: Path) -> None:
    "What the site folds is folded in JupyterLab as well: code, and the output of an answer"
    for cell in nb.cells:
        hidden = cell.cell_type == "code" and folded(cell.source, path)
        whole = {"outputs_hidden": True} if "code-fold: true" in directives(cell.source) else {}
        cell.metadata = {"jupyter": {"source_hidden": True} | whole} if hidden else {}


@contextmanager
def unless_done(paths: list[Path]) -> Iterator[None]:
    "Files that are as they were before, if what is done to them does not come to its end"
    before = {path: path.read_bytes() for path in paths}
    try:
        yield
    except BaseException:
        for path, content in before.items():
            if path.read_bytes() != content:
                path.write_bytes(content)
        print("The notebooks are as they were before.", flush=True)
        raise


def chosen_from(notebooks: list[Path], names: list[str]) -> list[Path]:
    "The notebooks of these names, with or without their numbers; all of them where none is named"
    words = {path: {path.stem, re.sub(r"^\d+[a-z]?_", "", path.stem)} for path in notebooks}
    if unknown := [name for name in names if name not in set().union(*words.values())]:
        sys.exit(f"no notebook is called {', '.join(unknown)}; there are {', '.join(p.stem for p in notebooks)}")
    return [path for path in notebooks if words[path] & {*names}] or notebooks  # a page and its widget may share a name


def bring_in_step(notebooks: list[Path], chosen: list[Path]) -> None:
    "Format and export all notebooks, run the chosen ones, and keep of their outputs what a page needs"
    run("ruff", "format", "--quiet", "nbs")
    run("nbdev_export")
    runnable = [str(notebook) for notebook in chosen if not lacking(notebook)]
    known = pictures.in_notebooks(notebooks)
    run("jupyter", "nbconvert", "--to=notebook", "--execute", "--inplace", "--log-level=ERROR", *runnable)
    books = {notebook: nbformat.read(notebook, 4) for notebook in notebooks}
    outputs = [o for nb in books.values() for cell in nb.cells for o in cell.get("outputs", [])]
    shown = {key: widget for key, *widget in filter(None, map(pictures.key_of, outputs))}
    known |= pictures.take({key: widget for key, widget in shown.items() if key not in known})
    for notebook, nb in books.items():
        strip_widgets(nb)
        join_streams(nb)
        put_pictures(nb, notebook.name, known)
        put_install(nb, is_chapter(notebook))
        name_addresses(nb, cites=notebook.stem == "references")
        fold(nb, notebook)
        nbformat.write(nb, notebook)
    run(sys.executable, "docs/console.py")  # the commands in console blocks
    run("nbdev_clean")


if __name__ == "__main__":
    notebooks = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    citation = ROOT / "CITATION.cff"
    citation.write_text(cited(citation.read_text("utf-8")), "utf-8")
    guide = ROOT / "CONTRIBUTING.md"
    guide.write_text(reported(guide.read_text("utf-8")), "utf-8")
    chosen = chosen_from(notebooks, sys.argv[1:])
    with unless_done(notebooks):
        bring_in_step(notebooks, chosen)
    run(sys.executable, "docs/readme.py")
    run(sys.executable, "docs/helptexts.py")  # what `help` shows
    for notebook in chosen:
        if missing := lacking(notebook):
            print(f"{notebook.name} was not run, and stays as it was without {', '.join(missing)}: {remedy(missing)}")
