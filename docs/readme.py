"""Make README.md from nbs/index.ipynb: what it shows to someone who has just cloned the repository."""

from __future__ import annotations

import re
import sys
from base64 import b64decode
from pathlib import Path

import nbformat
from cells import code, directives, is_caption, shown_only_in
from published import said

ROOT = Path(__file__).parents[1]
SOURCE, TARGET, FIGURES = ROOT / "nbs/index.ipynb", ROOT / "README.md", ROOT / "docs/figures"
NOTE = "<!-- Made from nbs/index.ipynb by `make book`; edit the notebook. -->"
LINK = re.compile(r"(?<!!)\[([^][]+)\]\((\S+?)(#\S+)?\)")


def in_repository(link: re.Match[str]) -> str:
    "A link from the notebook as one from README.md; what is made by `make docs` is no file to link to"
    text, to, anchor = link[1], link[2], link[3] or ""
    if to.endswith(".html"):
        return f"{text} (`_docs/{to}`, after `make docs`)"
    if to.startswith("http"):
        return link[0]
    return f"[{text}]({f'nbs/{to}'.replace('nbs/../', '')}{anchor})"


def figure(cell: nbformat.NotebookNode, number: int) -> tuple[str, Path, bytes]:
    "A picture of a widget, linked to the notebook where it moves"
    [alt] = [d.removeprefix("fig-alt: ") for d in directives(cell.source) if d.startswith("fig-alt: ")]
    [png] = [output.data["image/png"] for output in cell.outputs if not is_caption(output)]
    path = FIGURES / f"readme-{number}.png"
    name = re.search(r"^(\w+)\(", code(cell.source), re.M)
    assert name, "a figure is the value of a widget"
    return f"[![{alt}]({path.relative_to(ROOT).as_posix()})](nbs/widgets/{name[1]}.ipynb)", path, b64decode(png)


def printed(output: nbformat.NotebookNode) -> str:
    "What a cell has printed or returned"
    if "text" in output:
        text = "".join(output.text)
    elif "text/markdown" in output.data:
        return "".join(output.data["text/markdown"])
    else:
        text = "".join(output.data["text/plain"])
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").splitlines())


def render() -> dict[Path, bytes]:
    "README.md and its figures, by path"
    blocks, files = [], {}
    for cell in nbformat.read(SOURCE, 4).cells:
        if "hide" in directives(cell.source) or shown_only_in(cell.source) == "site":
            continue
        if cell.cell_type == "markdown":
            blocks.append(re.sub(r"^<!-- only: readme -->\n", "", cell.source))
        elif any("image/png" in output.get("data", {}) for output in cell.outputs):
            block, path, data = figure(cell, len(files) + 1)
            blocks.append(block)
            files[path] = data
        else:
            echo = "echo: false" not in directives(cell.source)
            blocks += [f"```python\n{code(cell.source)}\n```"] * echo + [printed(output) for output in cell.outputs]
    title, *rest = blocks
    title = title.replace("\n\n", f"\n\n{NOTE}\n\n", 1)
    text = LINK.sub(in_repository, said("\n\n".join([title, *rest])))
    return {TARGET: f"{text}\n".encode()} | files


def stale() -> list[Path]:
    "What is out of step with the notebook"
    return [path for path, data in render().items() if not path.exists() or path.read_bytes() != data]


if __name__ == "__main__":
    FIGURES.mkdir(exist_ok=True)
    for path, data in render().items():
        path.write_bytes(data)
        print(path.relative_to(ROOT), file=sys.stderr)
