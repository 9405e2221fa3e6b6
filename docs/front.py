"""What the front page shows: its numbers are computed by the package when the site is built, none is typed by hand.

`context()` is handed to templates/front.html. A door's code is run here, and what it gives is what the page prints."""

from __future__ import annotations

import ast
import json
import re
from contextlib import chdir
from functools import cache
from html import escape
from itertools import takewhile
from math import log2
from typing import Any

import nbformat
import numpy as np
from links import NBS, anchor, page
from markdown_it import MarkdownIt
from published import cfg, on_index
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import BashSessionLexer, PythonLexer

import ndcg_nb
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.display.pages import EGGS, samples
from ndcg_nb.hood.evaluations.storage import plain
from ndcg_nb.hood.reports.ladder import systems_by_mean, views_of
from ndcg_nb.widgets.tools import tool_for_page

SHOWN, MISSED = [3, 2, 3, 0, 1, 2], [3, 2]  # the running example of the book: six shown, two more judged
QUERY = "how long to boil an egg"
# The tool that speaks for a group of equal numbers, the best known first; and names that fit on a label
KNOWN = [
    "trec_eval", "sklearn", "lightgbm", "elasticsearch", "mlflow", "llama-index", "mslr", "lenskit", "haystack",
    "jk2002", "catboost-position", "quepid", "opensearch-workbench",
]  # fmt: skip
SHORT = {
    "trec_eval": "trec_eval", "mslr": "MSLR script", "jk2002": "Järvelin 2002", "burges": "Burges 2005",
    "gdeval": "gdeval", "opensearch-workbench": "OpenSearch Workb.",
}  # fmt: skip
# What core.js and tools.js compute a number from
RULES = (
    "name", "title", "gain", "discount", "ideal", "ties", "precision", "minus_inf", "empty", "default_k", "decimals",
    "missing",
)  # fmt: skip
MARKDOWN = MarkdownIt("commonmark")


def as_json(state: Any) -> str:
    "Data in a page: no text of it can end the element"
    return json.dumps(plain(state), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def form(tool: dict[str, Any]) -> str:
    "What its number is compared with, and so the form of its dot, as `formOf` in tools.js draws it"
    if tool["gain"]["form"] == "binary":
        return "yes-no"
    return "list" if tool["ideal"] in ("list", "reached") else "judged"


@cache
def tools() -> list[dict[str, Any]]:
    "The settings of each tool, as the widgets have them, with a short name; the best known first"
    rank = {name: i for i, name in enumerate(KNOWN)}
    found = []
    for name in sorted(DIALECTS, key=lambda x: rank.get(x, len(rank))):
        settings = tool_for_page(name)
        short = SHORT.get(name, re.sub(r" \(nDCG_cut\)| \(graded\)| \(burges\)", "", settings["title"]))
        found.append({x: settings[x] for x in RULES} | {"short": short})
    return found


def moving() -> dict[str, Any]:
    "The list to move, and what all tools say of it at rest"
    said = ndcg_nb.disagree(SHOWN, k=len(SHOWN), pool=SHOWN + MISSED)["nDCG"].dropna()
    groups = []
    for value, names in said.groupby(said.round(9)).groups.items():
        titles = [tool_for_page(name)["title"] for name in said.index if name in names]
        groups.append({"value": f"{value:.3f}", "tools": ", ".join(titles)})
    titles = EGGS[: len(SHOWN)]
    state = {"tools": tools(), "rel": SHOWN, "missed": MISSED, "k": len(SHOWN), "titles": titles}
    return {
        "query": QUERY,
        "results": [{"rank": i, "grade": g, "title": t} for i, (g, t) in enumerate(zip(SHOWN, titles), 1)],
        "conventions": len(said),
        "groups": groups[::-1],
        "low": f"{said.min():.3f}",
        "high": f"{said.max():.3f}",
        "kinds": {x: sum(form(tool) == x for tool in tools()) for x in ("list", "judged", "yes-no")},
        "state": as_json(state),
    }


def coloured(code: str, lexer: Any) -> str:
    "Code in its colours"
    return highlight(code, lexer, HtmlFormatter(nowrap=True)).strip()


def my_ndcg(rel: list[float], k: int) -> float:
    "Somebody's own function, of the form that is copied from answer to answer"
    dcg, best = (sum(g / max(1, log2(i)) for i, g in enumerate(x[:k], 1)) for x in (rel, sorted(rel, reverse=True)))
    return dcg / best if best else 0.0


def python(code: str, **names: Any) -> dict[str, str]:
    "Two lines of Python, and the value of the last one as the prompt would show it; they know these names"
    *before, last = ast.parse(code).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "door", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "door", "eval"), names)
    return {"code": coloured(code, PythonLexer()), "plain": code, "result": escape(repr(value))}


def shell(*commands: str) -> dict[str, str]:
    "Commands of a shell, the last of which compares two runs: of its table, the row of the difference"
    _, _, judgements, *runs = commands[-1].split()
    with chdir(samples()):
        found = ndcg_nb.compare(judgements, runs)
    code = coloured("\n".join(f"$ {x}" for x in commands), BashSessionLexer())
    result = f"{found.difference:+.4f}, p = {found.p:.3f}: {found.verdict}"
    return {"code": code, "plain": "\n".join(commands), "result": result}


def doors() -> list[dict[str, str]]:
    "Three ways in: what one has, two lines, what they give, and where it goes on"
    grades = ", ".join(map(str, SHOWN))
    one_list = python(f'from ndcg_nb import ndcg\nndcg([{grades}], like="lightgbm")')
    files = shell("cd ndcg_nb/data/kitchen", "ndcg compare qrels.txt titles.run bm25.run")
    function = python("from ndcg_nb import which\nwhich(my_ndcg).like", my_ndcg=my_ndcg)
    return [
        {
            "title": "I have a list",
            "about": "Its nDCG, by the rules of LightGBM, trec_eval or any of the others.",
            "page": "quickstart",
            "where": "Quickstart",
        }
        | one_list,
        {
            "title": "I have files",
            "about": "Judgements and two runs: is the new one really better?",
            "page": "comparisons",
            "where": "Is B better than A?",
        }
        | files,
        {
            "title": "I have my own function",
            "about": "Ten lines in your repository: which tool computes the same, and if none does, what differs?",
            "page": "own_function",
            "where": "Check your own function",
        }
        | function,
    ]


@cache
def systems() -> Any:
    "Five made-up systems over 24 queries, for the example report; in German, one knows less than its mean says"
    rng = np.random.default_rng(4)
    qrels = {f"q{i:02}": {f"d{d}": int(d % 4) for d in range(1, 9)} for i in range(24)}
    skills = {
        "bm25": (0.3, 0.5),
        "dense": (0.7, 0.1),
        "hybrid": (0.7, 0.5),
        "rerank": (1.2, 1.0),
        "rerank-large": (1.4, 1.1),
    }

    def ranked(i: int, query: str, skill: float, in_german: float) -> dict[str, float]:
        know = in_german if i % 3 == 0 else skill
        return {d: round(know * g + rng.normal(), 6) for d, g in qrels[query].items()}

    runs = {x: {q: ranked(i, q, *skill) for i, q in enumerate(qrels)} for x, skill in skills.items()}
    return ndcg_nb.compare(qrels, runs)


def ladder() -> dict[str, Any]:
    "The ladder of the example report: what front.js draws, and its rows for where no script runs"
    comparison = systems()
    [view] = views_of(comparison, 0)
    names = systems_by_mean(comparison)
    state = {"systems": names, "view": {x: view[x] for x in ("rungs", "groups")}}
    rows = [(name, x["mean"], x["ends"]) for name, x in zip(names, view["rungs"])]
    measure = comparison.measure.replace("ndcg", "nDCG")
    return {"rows": rows, "state": as_json(state), "queries": len(comparison.queries), "measure": measure}


def linked(text: str) -> str:
    "Markdown of a notebook as HTML, with links between pages of the site"

    def link(found: re.Match[str]) -> str:
        to, _, at = found[1].partition("#")
        is_page = to.endswith((".ipynb", ".md", ".html"))
        return f"]({page(to)}.html{f'#{anchor(at)}' if at else ''})" if is_page else found[0]

    return MARKDOWN.renderInline(re.sub(r"\]\((\S+?)\)", link, text.strip()))


def table_under(text: str, head: str) -> list[list[str]]:
    "The rows of a table in Markdown, the one with this head"
    lines = text.splitlines()
    below = lines[next(n for n, line in enumerate(lines) if line.startswith(head)) + 2 :]
    return [[linked(x) for x in row.strip("| ").split(" | ")] for row in takewhile(lambda x: x.startswith("|"), below)]


def from_notebook() -> dict[str, Any]:
    "What index.ipynb has, whose checks hold its numbers: five tools, and the short answers"
    cells = nbformat.read(NBS / "index.ipynb", 4).cells
    printed = "\n".join(
        o.data.get("text/markdown", "") for cell in cells for o in cell.get("outputs", []) if "data" in o
    )
    five = [[*row, float(re.sub("<.*?>", "", row[1]))] for row in table_under(printed, "| tool")]
    return {"five": five, "answers": table_under("\n".join(cell.source for cell in cells), "| question")}


def context() -> dict[str, Any]:
    "All of it"
    install = "pip install ndcg_nb" if on_index() else "pip install ."
    where = {"install": install, "in_clone": not on_index(), "python": cfg["min_python"]}
    return where | {"pitch": cfg["description"], "doors": doors(), "ladder": ladder()} | from_notebook()
