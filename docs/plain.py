"""The pages in plain Markdown, and llms.txt, which lists them: for agents and editors, who read no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import dirname, normpath, relpath
from pathlib import Path

import nbformat
from cells import checks, code, directives, shown_only_in
from links import ANCHOR, NBS, ROOMS, notebooks, page, parts
from published import cfg

LINK = re.compile(r"\]\((?!\w+:|#)([\w./-]+\.ipynb)(#[^)\s]*)?\)")
BESIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+[\w/]*[A-Z]+\.md\)")  # a file of the repository
LONGEST = 40  # lines of an output


def relinked(text: str, notebook: str) -> str:
    "Links between notebooks as links between these files"

    def link(found: re.Match[str]) -> str:
        target = page(normpath(f"{dirname(notebook)}/{found[1]}".lstrip("/")))
        return f"]({relpath(f'{target}.md', dirname(page(notebook)) or '.')}{found[2] or ''})"

    return LINK.sub(link, text)


def text_of(output: nbformat.NotebookNode) -> str:
    "What an output says in words; nothing for figures and widgets"
    data = output.get("data", {})
    if any(kind.startswith(("image/", "application/")) for kind in data) or "<svg" in data.get("text/html", ""):
        return ""
    if "text/markdown" in data:
        return str(data["text/markdown"])
    lines = (output.get("text") or data.get("text/plain", "")).strip("\n").splitlines()
    cut = [f"… and {len(lines) - LONGEST} more lines"] if len(lines) > LONGEST else []
    return "\n".join(["```text", *lines[:LONGEST], *cut, "```"]) if lines else ""


def pieces(notebook: str) -> Iterator[str]:
    "A page, cell by cell: prose, code without its assertions, and what it prints"
    for cell in nbformat.read(NBS / notebook, 4).cells:
        said = {directive.partition(" ")[0] for directive in directives(cell.source)}
        if shown_only_in(cell.source) == "readme" or said & {"hide", "default_exp"}:
            continue
        if cell.cell_type == "markdown":
            text = re.sub(r"^<!-- only: site -->\n", "", ANCHOR.sub("", cell.source))
            text = BESIDE.sub(r"\1", text)
            yield relinked(text.strip(), notebook)
            continue
        source = checks(code(cell.source))[0]
        if source and "echo:" not in said:
            yield f"```python\n{source}\n```"
        yield from filter(None, map(text_of, cell.outputs))


def headline(notebook: str) -> tuple[str, str]:
    "The title of a page, and its question"
    first = next(cell.source for cell in nbformat.read(NBS / notebook, 4).cells if cell.cell_type == "markdown")
    title, _, question = first.partition("\n\n> ")
    return title.removeprefix("# "), question.partition("\n")[0]


def index() -> str:
    "llms.txt: a line for each page, in the order of the map, and the code last, as what may be left out"
    lines = ["# ndcg_nb", "", f"> {cfg['description']}"]
    inside = [("Optional", parts()[ROOMS])]
    outside = [(part, pages) for part, pages in parts().items() if part != ROOMS]
    for part, pages in [*outside, *inside]:
        lines += ["", f"## {part}", ""]
        for notebook in (name for name in pages if name.endswith(".ipynb")):
            title, question = headline(notebook)
            lines.append(f"- [{title}]({page(notebook)}.md): {question}")
    return "\n".join(lines) + "\n"


def write_plain(folder: Path) -> None:
    "Beside each page of the site, its Markdown; and the list of them"
    for notebook in notebooks():
        file = folder / f"{page(notebook)}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n\n".join(pieces(notebook)) + "\n", "utf-8")
    (folder / "llms.txt").write_text(index(), "utf-8")
