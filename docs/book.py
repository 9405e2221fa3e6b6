"""Bring everything that is made from the notebooks in step with them, in the order it depends on each other."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import nbformat
import pictures
from cells import INSTALL, caption, directives, folded, is_caption, is_chapter
from nbdev.clean import nbdev_clean
from nbformat.v4 import new_code_cell
from published import cited, on_index, reported, said

ROOT = Path(__file__).parents[1]
VIEW = "application/vnd.jupyter.widget-view+json"
PROGRESS = re.compile(r"\d%\|.*(it/s|s/it)\]")  # how far a slow machine had come is nothing to keep
MADE = ROOT / "_proc/help.sha256"  # of what the texts of `help` were made, so that they are not made again
OPTIONAL = ("jax", "pyspark", "torch", "xgboost")  # what a page may show, and `make` does not install


class Failed(Exception):
    "A page or a command failed, and has said how"


def run(*command: str) -> None:
    print("+", *command, flush=True)
    if subprocess.run(command, cwd=ROOT).returncode:
        raise Failed


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


def settled(value: Any) -> Any:
    "The state of a widget without the last bits of its numbers, which differ from one processor to another"
    if isinstance(value, dict):  # what is known of tools is the same everywhere, and compared as it is
        return {key: part if key == "tools" else settled(part) for key, part in value.items()}
    if isinstance(value, list):
        return [settled(part) for part in value]
    return float(f"{value:.13g}") if isinstance(value, float) else value


def settle_widgets(nb: nbformat.NotebookNode) -> nbformat.NotebookNode:
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            for kind in filter(pictures.STATE.fullmatch, output.get("data", {})):
                output.data[kind] = settled(output.data[kind])
    return nb


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


def source_line(source: str, trace: str) -> str:
    "The line of a cell at which it failed, as a traceback of IPython or Python marks it"
    plain = re.sub(r"\x1b\[[0-9;]*m", "", trace)
    numbers = [int(n) for n in re.findall(r"^-+> *(\d+) ", plain.partition("Cell In")[2].partition("File ")[0], re.M)]
    numbers = numbers or [int(n) for n in re.findall(r"Cell In\[\d+\], line (\d+)", plain)]
    lines = source.splitlines()
    found = lines[numbers[0] - 1].strip() if numbers and numbers[0] <= len(lines) else ""
    return found or next((line for line in lines if line and not line.startswith(("#", "%"))), "")


def failure(notebook: Path, nb: nbformat.NotebookNode, frames: bool) -> str:
    "The cell that failed: notebook, id, its line and the error; every frame if asked for"
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                trace = "\n".join(output.traceback)
                error = f"{output.ename}: {output.evalue}".rstrip(": ")
                line = source_line(cell.source, trace)
                told = [f"{notebook.relative_to(ROOT)}, cell {cell.id}:", f"    {line}", f"    {error}"]
                return "\n".join([*told, trace] if frames else told)
    return ""


def execute(notebook: Path, frames: bool) -> tuple[nbformat.NotebookNode, str]:
    "A notebook that was run from its own folder, and what failed in it"
    from nbclient import NotebookClient  # which the tests that use this file do without
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    nb = nbformat.read(notebook, 4)
    quiet = ["--log-level=ERROR"]
    client = NotebookClient(
        nb, timeout=None, extra_arguments=quiet, resources={"metadata": {"path": str(notebook.parent)}}
    )
    try:
        client.execute()
    except CellExecutionError as error:
        return nb, failure(notebook, nb, frames) or f"{notebook.relative_to(ROOT)}: {error}"
    except DeadKernelError as error:
        return nb, f"{notebook.relative_to(ROOT)}: {error}"
    return nb, ""


def execute_all(notebooks: list[Path], frames: bool) -> None:
    "Run notebooks, each to its end or to its first failure; all failures are listed, and then nothing is written"
    print("+ run", *(notebook.stem for notebook in notebooks), flush=True)
    failures = []
    for notebook in notebooks:
        nb, failed = execute(notebook, frames)
        if failed:
            failures.append(failed)
            print(failed, flush=True)
        elif not failures:
            nbformat.write(nb, notebook)
    if len(failures) > 1:
        print(f"{len(failures)} notebooks failed:", *(text.partition(":")[0] for text in failures), sep="\n  ")
    if failures:
        print("" if frames else "make book FRAMES=1 shows every frame of the error.")
        raise Failed


def chosen_from(notebooks: list[Path], names: list[str]) -> list[Path]:
    "The notebooks of these names, with or without their numbers; all of them where none is named"
    words = {path: {path.stem, re.sub(r"^\d+[a-z]?_", "", path.stem)} for path in notebooks}
    if unknown := [name for name in names if name not in set().union(*words.values())]:
        sys.exit(f"no notebook is called {', '.join(unknown)}; there are {', '.join(p.stem for p in notebooks)}")
    return [path for path in notebooks if words[path] & {*names}] or notebooks  # a page and its widget may share a name


def with_widgets(notebooks: list[Path]) -> list[Path]:
    "Those that may have pictures of widgets: to read all takes longer than to run one"
    return [notebook for notebook in notebooks if "vnd.ndcg_nb" in notebook.read_text("utf-8")]


def bring_in_step(notebooks: list[Path], chosen: list[Path], frames: bool = False) -> None:
    "Format and export all notebooks, run the chosen ones, and keep of their outputs what a page needs"
    run("ruff", "format", "--quiet", "nbs")
    run("nbdev_export")
    known = pictures.in_notebooks(with_widgets(notebooks))
    execute_all([notebook for notebook in chosen if not lacking(notebook)], frames)
    books = {notebook: settle_widgets(nbformat.read(notebook, 4)) for notebook in chosen}
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
    of_console = [str(notebook) for notebook in chosen if "```console" in notebook.read_text("utf-8")]
    if of_console:
        run(sys.executable, "docs/console.py", *of_console)  # the commands in console blocks
    for notebook in chosen:
        nbdev_clean(fname=str(notebook))


def state_of_help() -> str:
    "What help texts are made of, and the file itself, as one number"
    read = [*sorted((ROOT / "ndcg_nb").rglob("*.py")), ROOT / "settings.ini", ROOT / "ndcg_nb/help.txt"]
    read += [ROOT / f"docs/{name}.py" for name in ("helptexts", "examples", "links", "published")]
    return sha256(b"".join(path.read_bytes() for path in read if path.exists())).hexdigest()


def make_help() -> None:
    "The texts of `help`, unless they were made from just this; their examples run for a while"
    if not (MADE.exists() and MADE.read_text() == state_of_help()):
        run(sys.executable, "docs/helptexts.py")
        MADE.parent.mkdir(exist_ok=True)
        MADE.write_text(state_of_help())


if __name__ == "__main__":
    notebooks = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    citation = ROOT / "CITATION.cff"
    citation.write_text(cited(citation.read_text("utf-8")), "utf-8")
    guide = ROOT / "CONTRIBUTING.md"
    guide.write_text(reported(guide.read_text("utf-8")), "utf-8")
    chosen = chosen_from(notebooks, sys.argv[1:])
    try:
        with unless_done(notebooks):
            bring_in_step(notebooks, chosen, frames=bool(os.environ.get("FRAMES")))
        if any(notebook.name == "index.ipynb" for notebook in chosen):
            run(sys.executable, "docs/readme.py")
        make_help()
    except Failed:
        sys.exit(1)
    for notebook in chosen:
        if missing := lacking(notebook):
            print(f"{notebook.name} was not run, and stays as it was without {', '.join(missing)}: {remedy(missing)}")
