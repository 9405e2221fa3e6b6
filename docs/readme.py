"""Make README.md from nbs/index.ipynb, with the picture of the front page's list."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pictures
from cells import code, directives, shown_only_in
from published import said

ROOT = Path(__file__).parents[1]
SOURCE, TARGET = ROOT / "nbs/index.ipynb", ROOT / "README.md"
NOTE = "<!-- Made from nbs/index.ipynb by `make book`; edit the notebook. -->"
LINK = re.compile(r"(?<!!)\[([^][]+)\]\((\S+?)(#\S+)?\)")


def in_repository(link: re.Match[str]) -> str:
    "A link from the notebook as one from README.md"
    text, to, anchor = link[1], link[2], link[3] or ""
    return link[0] if to.startswith("http") else f"[{text}]({f'nbs/{to}'.replace('nbs/../', '')}{anchor})"


def printed(output: nbformat.NotebookNode) -> str:
    "What a cell has printed or returned"
    if "text" not in output:
        return "".join(output.data["text/markdown"])
    return "\n".join(f"    {line}".rstrip() for line in "".join(output.text).strip("\n").splitlines())


def blocks() -> Iterator[str]:
    "The cells that README.md has"
    for cell in nbformat.read(SOURCE, 4).cells:
        said_of_it = directives(cell.source)
        if "hide" in said_of_it or shown_only_in(cell.source) == "site":
            continue
        if cell.cell_type == "markdown":
            yield cell.source
            continue
        if "echo: false" not in said_of_it:
            yield f"```python\n{code(cell.source)}\n```"
        yield from map(printed, cell.outputs)


def render() -> str:
    "README.md"
    title, *rest = blocks()
    text = "\n\n".join([title.replace("\n\n", f"\n\n{NOTE}\n\n", 1), *rest])
    return LINK.sub(in_repository, said(text)).replace("../docs/", "docs/") + "\n"


def stale_pictures() -> list[str]:
    "The looks in which the picture does not show what the front page has"
    stamp = f"stamp\0{pictures.stamp_of_front()}".encode()
    files = {theme: ROOT / f"docs/figures/readme-{theme}.png" for theme in pictures.LOOKS}
    return [theme for theme, file in files.items() if not file.exists() or stamp not in file.read_bytes()]


if __name__ == "__main__":
    TARGET.write_text(render(), "utf-8")
    print("README.md", file=sys.stderr)
    for theme in stale_pictures() if pictures.CHROMIUM else []:
        (ROOT / f"docs/figures/readme-{theme}.png").write_bytes(pictures.take_front(theme))
        print(f"docs/figures/readme-{theme}.png", file=sys.stderr)
