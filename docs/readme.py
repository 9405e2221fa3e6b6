"""Make README.md from nbs/index.ipynb: what the page shows, in the markdown that code hosts read."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
from cells import code, directives
from conf import html_baseurl
from links import anchor, page
from nbconvert import MarkdownExporter

ROOT = Path(__file__).parents[1]
SOURCE, TARGET, FIGURES = ROOT / "nbs/index.ipynb", ROOT / "README.md", ROOT / "docs/figures"
NOTE = "<!-- Made from nbs/index.ipynb by `make book`; edit the notebook. -->"


def on_site(link: re.Match[str]) -> str:
    "A link to a notebook, made one to its page, where figures move"
    return f"]({html_baseurl}{page(link[1])}.html{'#' + anchor(link[2]) if link[2] else ''})"


def render() -> dict[Path, bytes]:
    "README.md and its figures, by path"
    nb = nbformat.read(SOURCE, 4)
    nb.cells = [cell for cell in nb.cells if not {"hide", "include: false"} & set(directives(cell.source))]
    alts = [
        d.removeprefix("fig-alt: ") for cell in nb.cells for d in directives(cell.source) if d.startswith("fig-alt: ")
    ]
    for cell in nb.cells:
        cell.source = "" if "echo: false" in directives(cell.source) else code(cell.source)
        for data in (output.get("data", {}) for output in cell.get("outputs", [])):
            if "image/svg+xml" in data:  # which becomes a file
                data.pop("text/html", None)
    nb.metadata.language_info = {"name": "python"}
    body, resources = MarkdownExporter().from_notebook_node(nb)
    body = re.sub(r"```python\n\s*```\n", "", body)  # what is left of a cell that shows only its output
    body = re.sub(r"\]\(((?:\w+/)*\w+\.ipynb)(?:#([^)]*))?\)", on_site, body)
    figures = {name: FIGURES / f"readme-{n}{Path(name).suffix}" for n, name in enumerate(resources["outputs"], 1)}
    for (name, path), alt in zip(figures.items(), alts, strict=True):
        picture = f"![{alt}]({path.relative_to(ROOT).as_posix()})"
        body = re.sub(rf"!\[\w*\]\({name}\)", f"[{picture}]({html_baseurl})", body)  # where it can be moved
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in body.splitlines()))
    title, _, rest = body.strip().partition("\n")
    files = {TARGET: f"{title}\n\n{NOTE}\n{rest}\n".encode()}
    return files | {path: resources["outputs"][name] for name, path in figures.items()}


def stale() -> list[Path]:
    "What is out of step with the notebook"
    return [path for path, data in render().items() if not path.exists() or path.read_bytes() != data]


if __name__ == "__main__":
    FIGURES.mkdir(exist_ok=True)
    for path, data in render().items():
        path.write_bytes(data)
        print(path.relative_to(ROOT), file=sys.stderr)
