"""Where everything is: notebooks, their pages, the map of the site, public names, and Markdown that links to them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import nav
import nbformat
from published import cfg, repository, site

import ndcg_nb

NBS = Path(__file__).parents[1] / "nbs"
ROOMS = "Rooms"  # the part whose pages are inside the page about the hood
ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>', re.M)
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`|\$\$.*?\$\$|\[[^\]]*\]\([^)]*\))", re.M | re.S)
NOT_OURS = re.compile(r"(?:['’]s?|\bcommand) $")  # before a name: another tool's, or that of the command
ON_MAP = re.compile(r"\[(.+?)\]\(((?:\.\./)?[\w/]+\.(?:ipynb|html|md))\)")
FILES = {"CHANGELOG.md": "changes", "CONTRIBUTING.md": "contributing"}  # of the repository, that are pages


@cache
def notebooks() -> list[str]:
    "The notebooks, by their paths under nbs/"
    found = (p.relative_to(NBS) for p in NBS.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    return sorted(p.as_posix() for p in found)


def page(notebook: str) -> str:
    "The page of a notebook: its path without the number; a page that is no notebook is called as it is"
    if made := FILES.get(notebook.removeprefix("../")):
        return made
    return re.sub(r"(^|/)\d+[a-z]?_", r"\1", re.sub(r"\.(ipynb|html)$", "", notebook))


@cache
def title_of(notebook: str) -> str:
    "The title of a notebook"
    first = next(cell for cell in nbformat.read(NBS / notebook, 4).cells if cell.cell_type == "markdown")
    return first.source.splitlines()[0].removeprefix("# ")


def anchor(heading: str) -> str:
    "What Jupyter links to, as Sphinx spells it"
    return re.sub(r"[^\w-]", "", heading).lower()


@cache
def public() -> dict[str, Any]:
    "Every public name and what it names: those of the package, and those that are in a module of it"
    top = {name: getattr(ndcg_nb, name) for name in ndcg_nb.__all__}
    return top | {name: getattr(import_module(place), name) for name, place in ndcg_nb.MOVED.items()}


@cache
def parts() -> dict[str, dict[str, str]]:
    """The parts of the site, and in each the notebooks and files of its pages with what a menu calls them.

    They are those of nav.py, and then the rooms, which the table of hood.ipynb lists, without what nav.py has."""
    files = {page(file): file for file in [*notebooks(), *(f"../{file}" for file in FILES), "reference.html"]}
    found = {part: {files[name]: title for name, title in pages.items()} for part, pages in nav.everything().items()}
    texts = (cell.source for cell in nbformat.read(NBS / "hood.ipynb", 4).cells if cell.cell_type == "markdown")
    rows = re.findall(r"^\| (?:\*\*.+?\*\* \| )?(\[[^|]+)\|", "\n".join(texts), re.M)
    inside = {to: title for row in rows for title, to in ON_MAP.findall(row)}
    placed = {*chain(*found.values())}
    return found | {ROOMS: {to: title for to, title in inside.items() if to not in placed}}


@cache
def minutes(name: str) -> int:
    "How long one reads a page: its words, 200 a minute"
    [notebook] = (file for file in notebooks() if page(file) == name)
    texts = (cell.source for cell in nbformat.read(NBS / notebook, 4).cells if cell.cell_type == "markdown")
    return round(sum(len(text.split()) for text in texts) / 200)


def wrapped(name: str, parameters: list[str], width: int = 76) -> str:
    "A signature in lines that fit"
    if not parameters:
        return f"{name}()"
    lines = [f"{name}("]
    for i, parameter in enumerate(parameters):
        piece = parameter + (", " if i + 1 < len(parameters) else ")")
        if len(lines[-1]) + len(piece) > width:
            lines.append(" " * 4)  # a phone is narrow
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def signature(function: Callable[..., Any]) -> str:
    "A signature in lines that fit, without types"
    parameters = list(inspect.signature(function).parameters.values())
    shown = [str(p.replace(annotation=p.empty)) for p in parameters]
    first = next((i for i, p in enumerate(parameters) if p.kind is p.KEYWORD_ONLY), None)
    if first is not None:
        shown.insert(first, "*")
    return wrapped(function.__name__, shown)


def in_cell(text: str | None) -> str:
    "What stands in a cell of a table"
    return prose(" ".join((text or "").split()).replace("|", "\\|").replace("{", "&#123;"))


def summary(function: Callable[..., Any]) -> str:
    "What a function is for: the first sentence of its help"
    return (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")


@cache
def entries() -> set[str]:
    "The keys of the references"
    return {key for cell in nbformat.read(NBS / "references.ipynb", 4).cells for key in ANCHOR.findall(cell.source)}


def prose(text: str) -> str:
    "Markdown for the page: links lead to pages, and a public name in code style to its entry"

    def link(match: re.Match[str]) -> str:
        name = match[0].strip("`")
        ours = not NOT_OURS.search(text, max(0, match.start() - 9), match.start())
        if name in public() and match[0] == f"`{name}`" and ours:
            return f"[`{name}`](#{name})"
        if made := re.match(r"(\[.*?\]\()([\w/]+)\.html\)$", match[0], re.S):  # a page that is no notebook
            return f"{made[1]}/{made[2]}.md)"
        if file := re.match(r"\[(.*?)\]\((?:\.\./)+([\w./-]+(?<!\.ipynb))\)$", match[0], re.S):  # not in nbs/
            if made_from := FILES.get(file[2]):
                return f"[{file[1]}](/{made_from}.md)"
            return f"[{file[1]}]({repository()}/blob/{cfg['branch']}/{file[2]})" if repository() else file[1]
        to = re.match(r"(\[.*?\]\()([\w./]+\.ipynb)?(?:#(.*))?\)$", match[0], re.S)
        if not to:
            return match[0]
        if (to[2] or "").endswith("references.ipynb") and to[3] in entries():
            return f"{to[1]}#{to[3]})"
        return f"{to[1]}{page(to[2]) + '.ipynb' if to[2] else ''}{'#' + anchor(to[3]) if to[3] else ''})"

    return CODE.sub(link, text)


def described(title: str, about: str, to: str, picture: str = "card.png") -> dict[str, str]:
    "What a page tells search engines, and whoever makes a card of a link to it"
    card = {"title": title, "description": about, "type": "article", "site_name": cfg["title"]}
    if site():
        card |= {"url": f"{site()}{to}.html", "image": f"{site()}_static/{picture}"}
    told = {f"property=og:{name}": text for name, text in card.items()}
    return {"description": about, **told, "twitter:card": "summary_large_image"}
