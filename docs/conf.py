"""Sphinx settings; the pages are made by build.py."""

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any

import front
import nav
from links import minutes
from published import cfg, repository, site
from pygments.formatters import HtmlFormatter

from ndcg_nb.hood.display.pages import modules_of

root = Path(__file__).parents[1]
project, author, release, copyright = cfg["title"], cfg["author"], cfg["version"], cfg["copyright"]
version = release
extensions = ["myst_nb", "formulas", "search", "sphinx_copybutton"]
exclude_patterns = ["notebooks"]
nb_execution_mode = "off"  # outputs are in the notebooks, and a test holds them in step
nb_render_markdown_format = "gfm"
nb_mime_priority_overrides = [("html", "image/png", 5), ("html", "image/svg+xml", 4)]
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["dollarmath", "amsmath", "attrs_block"]
myst_heading_anchors = 4
smartquotes = False  # quotes in a table of parameters are Python
html_math_renderer = "mathml"
# Without prompts and what commands print, and with no empty line in its place; "(not shown …)" is no environment
copybutton_exclude = ".linenos, .gp, .line:has(.go), .line:has(.go) ~ .line:not(:has(.gp:not(.gp-VirtualEnv)))"
# What runs as it is copied: lessons and answers, commands, examples of the reference; and files to take away.
# Signatures and sources are there to be read, and outputs to be seen.
taken = [f".highlight-{kind}" for kind in ("console", "sh", "pycon", "yaml", "bibtex")]
copied = [".tag_copied div.cell_input", *taken, "[class^=highlight-sql]"]
copybutton_selector = ", ".join(f"{place} pre" for place in copied)
html_theme = "furo"
html_title = cfg["title"]
html_favicon = "favicon.svg"
html_baseurl = site()
html_static_path = ["../_pages/_static"]
styles = sorted(p.stem for p in root.glob("ndcg_nb/static/*.css") if p.stem != "report")  # which is a page of its own
html_css_files = [*(f"{name}.css" for name in styles), "matrix.css", "theme.css"]  # base first, what is ours last
html_js_files = [
    "matrix.js",
    ("host.js", {"defer": "defer"}),
    ("snippets.js", {"defer": "defer"}),
    ("theme.js", {"defer": "defer"}),
]
html_show_sphinx = False
html_copy_source = False
html_use_index = False
templates_path = ["templates"]  # what stands below every page
listed = root / "_pages/notebooks.json"
html_context = {"repository": repository(), "branch": cfg["branch"], "license": cfg["license"]}
html_context["notebooks"] = json.loads(listed.read_text("utf-8")) if listed.exists() else {}


class Lines(HtmlFormatter):
    "Code in which each line knows how far it is indented, so that what does not fit wraps below it and not at the edge"

    def wrap(self, source: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        return super().wrap(self._each(source))

    def _each(self, source: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        for is_code, line in source:
            text = unescape(re.sub("<.*?>", "", line))
            indent = len(text) - len(text.lstrip(" "))
            # A row of a printed table stays whole, unless it is too long for any page.
            row = " row" if re.search(r"\S {2,}\S", text) and len(text) <= 90 else ""
            yield is_code, f'<span class="line{row}" style="--indent: {indent}ch">{line}</span>' if is_code else line


WIDGET = re.compile(r'data-widget="(\w+)"')


def turn_to(name: str) -> dict[str, Any] | None:
    "What a link to the page before or after says of it"
    titles = {page: title for pages in nav.everything().values() for page, title in pages.items()}
    if name not in titles:
        return None
    found = {"page": name, "title": titles[name]}
    if name in nav.WAY:
        found |= {"step": [*nav.WAY].index(name) + 1, "minutes": minutes(name), "question": nav.WAY[name][1]}
    return found


def around(app: Any, name: str, template: str, context: dict[str, Any], doctree: Any) -> str | None:
    "What is around the text of a page: its place on the map, its neighbours, and what its widgets need"
    body, is_front = context.get("body") or "", name == "index"  # which has a list of its own
    before, after = map(turn_to, nav.neighbours(name))
    found = [] if is_front else sorted({*WIDGET.findall(body)})
    context |= {"nav": nav, "here": nav.entry(name), "part": nav.part_of(name), "before": before, "after": after}
    context |= {"way": [turn_to(page) for page in nav.WAY], "widgets_here": found}
    # A page loads what it uses: a table of all tools, and its widgets, each with the styles of the modules it imports.
    used = {"base", *chain.from_iterable(map(modules_of, found))} if found else set()
    used |= {"ladder"} if is_front else set()
    used |= {"matrix"} if 'class="matrix' in body else set()
    used |= {"mystnb"} if 'class="cell' in body else set()
    unused = {*styles, "matrix", "mystnb"} - used
    for kind in ("css_files", "script_files"):
        context[kind] = [x for x in context[kind] if Path(str(x.filename or "")).name.partition(".")[0] not in unused]
    if not is_front:
        return None
    context |= {"front": front.context(), "moving": front.moving(), "widgets_here": ["front"]}
    return "front.html"


def setup(app: Any) -> None:
    from sphinx.highlighting import PygmentsBridge

    PygmentsBridge.html_formatter = Lines
    app.connect("html-page-context", around, priority=900)
