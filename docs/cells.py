"""A cell of a notebook as readers meet it: what is folded, what is a check, and how its output is shown."""

from __future__ import annotations

import ast
import json
import re
from html import escape
from pathlib import Path

import nbformat
from nbformat.v4 import new_output
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

NBS = Path(__file__).parents[1] / "nbs"
DIRECTIVE = re.compile(r"^#\| *(.+?) *\n?$", re.M)
# The first code cell of a chapter, so that it runs wherever it is opened
INSTALL = """#| hide
from importlib.util import find_spec

if find_spec("ndcg_nb") is None:  # as on Colab
    get_ipython().run_line_magic("pip", "install -q 'ndcg_nb[fast,plots,sql,stats,widgets]'")"""
SERIES = re.compile(r"\n(?:Name: .*, |Length: \d+, )*dtype: \w+$")  # the last line of a Series of pandas, for no reader
STATE = re.compile(r"application/vnd\.ndcg_nb\.(\w+)\+json")  # what a saved widget is brought to life from


def is_chapter(path: Path) -> bool:
    "Whether a notebook is for those who came to use a measure; those under the hood are for who came to change it"
    return path.relative_to(NBS).parts[0] != "hood"


def directives(source: str) -> list[str]:
    "What a cell says about itself: `#| echo: false`"
    return DIRECTIVE.findall(source)


def code(source: str) -> str:
    "A cell without its directives"
    return DIRECTIVE.sub("", source).strip()


def shown_only_in(source: str) -> str:
    "Where alone a cell of the front page is shown: on the site, or in the readme; nothing if in both"
    place = re.match(r"(?:#\| |<!-- )only: (site|readme)\b", source)
    return place[1] if place else ""


def only_imports(source: str) -> bool:
    "Whether a cell does nothing but import, also under a condition, as types are; or says only where it is exported to"
    nodes = ast.parse(code(source)).body
    nodes = [part for node in nodes for part in ([*node.body, *node.orelse] if isinstance(node, ast.If) else [node])]
    return all(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes)


LONGEST = 20  # lines of a function that a chapter shows: half a screen
FOLDED = {  # pages of use; and one that would be too long with its code
    "09_dialects.ipynb", "10_runs.ipynb", "10a_formats.ipynb", "11_sql.ipynb", "11a_clusters.ipynb", "13_smooth.ipynb",
    "13b_frameworks.ipynb", "13c_training.ipynb",
}  # fmt: skip


def derives(path: Path) -> bool:
    "Whether a notebook shows the code it exports: a chapter of the book, not a page of use or of a widget"
    return path.name[0].isdigit() and path.name not in FOLDED


def shows_function(source: str) -> bool:
    "Whether a cell defines a function for readers, which is neither a helper nor an overload, and not too long"
    if len(code(source).splitlines()) > LONGEST:
        return False
    functions = [node for node in ast.parse(code(source)).body if isinstance(node, ast.FunctionDef)]
    public = [node for node in functions if not node.name.startswith("_")]
    overloads = [ast.unparse(decorator) == "overload" for node in public for decorator in node.decorator_list]
    return bool(public) and not any(overloads)


def folded(source: str, path: Path) -> bool:
    "Whether a cell's code is not what the reader came for: imports, figures, answers; in a chapter, all but functions"
    said = {d.partition(" ")[0] for d in directives(source)}
    if only_imports(source) or said & {"echo:", "code-fold:", "hide"}:
        return True
    if "export" not in said or not is_chapter(path):
        return False
    return not (derives(path) and shows_function(source))


def asserts(node: ast.stmt) -> int:
    "How many assertions a statement is, if it is nothing else"
    if isinstance(node, ast.Assert):
        return 1
    if isinstance(node, ast.For | ast.With) and all(map(asserts, node.body)):
        return sum(map(asserts, node.body))
    return 0


def checks(source: str) -> tuple[str, str, int]:
    "A cell's code without its assertions, the assertions with the comments just above them, and how many they are"
    lines, taken, count = source.splitlines(), set(), 0
    for node in ast.parse(source).body:
        if not asserts(node):
            continue
        count += asserts(node)
        first = node.lineno
        while first > 1 and lines[first - 2].startswith("#"):
            first -= 1
        taken |= set(range(first, (node.end_lineno or node.lineno) + 1))
    rest, apart = ("\n".join(x for n, x in enumerate(lines, 1) if (n in taken) is t) for t in (False, True))
    return re.sub(r"\n{3,}", "\n\n", rest).strip(), apart, count


def check_mark(source: str, count: int) -> nbformat.NotebookNode:
    "Assertions as a small mark that opens"
    shown = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).strip()
    title = f"{count} check{'s' * (count > 1)} that this page makes whenever it runs"
    summary = f'<summary title="{title}" aria-label="✓ {count}: {title}">✓ {count}</summary>'
    block = f'<div class="highlight-ipython3 notranslate"><div class="highlight"><pre>{shown}</pre></div></div>'
    return new_output("display_data", {"text/html": f'<details class="checks">{summary}{block}</details>'})


def copied_with(lines: str) -> nbformat.NotebookNode:
    "The earlier lines that a cell needs, for the script that copies them with it"
    text = json.dumps(lines, ensure_ascii=False).replace("<", "\\u003c")
    return new_output("display_data", {"text/html": f'<script type="application/json" class="needs">{text}</script>'})


def one_header(table: str) -> str:
    "A table of pandas with the names of its index in the row of its columns, not in an empty row of their own"
    row = re.compile(r"<tr.*?>(.*?)</tr>", re.S)

    def joined(head: re.Match[str]) -> str:
        rows = [re.findall(r"<th.*?>(.*?)</th>", r, re.S) for r in row.findall(head[0])]
        alike = len(rows) == 2 and len(rows[0]) == len(rows[1])
        if not alike or any(all(pair) for pair in zip(*rows)):
            return head[0]
        names = "".join(f"<th>{a or b}</th>" for a, b in zip(*rows))
        return f"<thead><tr>{names}</tr></thead>"

    return re.sub(r"<thead>.*?</thead>", joined, table, flags=re.S)


def caption(address: str = "") -> nbformat.NotebookNode:
    "The line below a saved widget, for where it is only a picture; with the address of the page where it moves, if any"
    page = f'<a href="{address}">open its page</a>' if address else "open its page after <code>make docs</code>"
    html = f'<p class="nx-move">A picture. To move it, run this notebook, or {page}.</p>'
    return new_output("display_data", {"text/html": html, "text/plain": re.sub("<.*?>", "", html)})


def is_caption(output: nbformat.NotebookNode) -> bool:
    return 'class="nx-move"' in "".join(output.get("data", {}).get("text/html", ""))


def shown(output: nbformat.NotebookNode, alt: str | None) -> nbformat.NotebookNode:
    "An output for the page: tables, figures in the page itself, and widgets with the state a script brings to life"
    data = output.get("data", {})
    if 'class="dataframe"' in (html := data.get("text/html", "")):
        words = re.search(r"<td>(?!nan|NaN)[^<\d-]*[A-Za-z]", html)  # words stand on the left
        html = one_header(html).replace('class="dataframe"', f'class="dataframe{" words" * bool(words)}"')
        data["text/html"] = re.sub(r"<td>-(?=\d)", "<td>−", html)  # a minus, as in our own tables
    if "text/plain" in data:
        data["text/plain"] = SERIES.sub("", "".join(data["text/plain"]))
    picture = "".join(data.get("image/svg+xml", ""))
    if 'class="nb-figure"' in picture:
        assert alt, f"a figure without fig-alt: {data['text/plain']}"
        picture = re.sub("<style>.*?</style>", "", picture)  # on a page, the page says whether it is dark
        picture = picture.replace("<svg", f'<svg role="img" aria-label="{escape(alt)}"', 1)
        return new_output("display_data", {"text/html": picture})
    kind = next(filter(None, map(STATE.fullmatch, data)), None)
    if not kind:
        return output
    state = json.dumps(data[kind[0]]).replace("<", "\\u003c")
    state = f'<script type="application/json">{state}</script>'
    alt = escape(alt or "".join(data["text/plain"]))
    picture = f'<noscript><img alt="{alt}" src="data:image/png;base64,{data.get("image/png", "")}"></noscript>'
    html = f'<div class="nx-static" data-widget="{kind[1]}">{state}{picture}</div>'
    return new_output("display_data", {"text/html": html})
