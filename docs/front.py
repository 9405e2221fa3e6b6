"""What the front page shows: its numbers are computed by the package when the site is built, none is typed by hand.

`context()` is handed to templates/front.html. A card's code is run here, and what it gives is what the page prints."""

from __future__ import annotations

import ast
import json
import os
import re
from contextlib import chdir
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import nbformat
import numpy as np
from links import NBS, anchor, page
from markdown_it import MarkdownIt
from nav import PARTS, WAY
from published import cfg, on_index, repository
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import BashSessionLexer, PythonLexer

import ndcg_nb
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.display.pages import EGGS
from ndcg_nb.hood.evaluations.storage import plain
from ndcg_nb.hood.reports.ladder import systems_by_mean, views_of
from ndcg_nb.widgets.tools import tool_for_page

SHOWN, MISSED = [3, 2, 3, 0, 1, 2], [3, 2]  # the running example of the book: six shown, two more judged
POOL = [*SHOWN, *MISSED]
QUERY = "how long to boil an egg"
KITCHEN = files("ndcg_nb") / "data/kitchen"
# The tool that speaks for a group of equal numbers, the best known first; and names that fit on a label
KNOWN = [
    "trec_eval", "sklearn", "lightgbm", "elasticsearch", "mlflow", "llama-index", "mslr", "lenskit", "haystack",
    "jk2002", "catboost-position", "quepid", "opensearch-workbench",
]  # fmt: skip
SHORT = {
    "trec_eval": "trec_eval", "mslr": "MSLR script", "jk2002": "Järvelin 2002", "burges": "Burges 2005",
    "gdeval": "gdeval", "opensearch-workbench": "OpenSearch Workb.",
}  # fmt: skip


def form(tool: dict[str, Any]) -> str:
    "What its number is compared with, and so the form of its dot, as `formOf` in tools.js draws it"
    if tool["gain"]["form"] == "binary":
        return "yes-no"
    return "list" if tool["ideal"] in ("list", "reached") else "judged"


def tools() -> list[dict[str, Any]]:
    "The settings of each tool, as the widgets have them, with a short name; the best known first"
    rank = {name: i for i, name in enumerate(KNOWN)}
    found = []
    for name in sorted(DIALECTS, key=lambda x: rank.get(x, len(rank))):
        settings = tool_for_page(name)
        short = SHORT.get(name, re.sub(r" \(nDCG_cut\)| \(graded\)| \(burges\)", "", settings["title"]))
        kept = ("name", "title", "gain", "discount", "ideal", "ties", "precision", "minus_inf", "empty", "default_k",
                "decimals", "missing")  # fmt: skip
        found.append({x: settings[x] for x in kept} | {"short": short})
    return found


def python(code: str, where: str = "") -> tuple[str, str]:
    "Two lines of Python, and the value of the last one as the prompt would show it"
    body = ast.parse(code).body
    assert isinstance(body[-1], ast.Expr)
    names: dict[str, Any] = {}
    with chdir(where or os.getcwd()):
        exec(compile(ast.Module(body[:-1], []), "card", "exec"), names)
        value = eval(compile(ast.Expression(body[-1].value), "card", "eval"), names)
    shown = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True)).strip()
    return shown, escape(repr(value))


COMMANDS = ("cd ndcg_nb/data/kitchen", "ndcg compare qrels.txt titles.run bm25.run")  # the sample files, in a clone


def shell() -> tuple[str, str]:
    "The same question in a shell; of its table, the row of the difference"
    text = "\n".join(f"$ {x}" for x in COMMANDS)
    shown = highlight(text, BashSessionLexer(), HtmlFormatter(nowrap=True)).strip()
    _, _, judgements, *runs = COMMANDS[1].split()
    with chdir(str(KITCHEN)):
        found = ndcg_nb.compare(judgements, runs)
    return shown, f"{found.difference:+.4f}, p = {found.p:.3f}: {found.verdict}"


def cards() -> list[dict[str, str]]:
    "The three doors: what one has, two lines, what they give, and where it goes on"
    grades = ", ".join(map(str, SHOWN))
    doors = [
        ("I have a list", "Its nDCG, by the rules of LightGBM, trec_eval or any of the others.",
         f'from ndcg_nb import ndcg\nndcg([{grades}], like="lightgbm")', "quickstart", "Quickstart"),
        ("I have files", "Judgements and two runs: is the new one really better?", "",
         "comparisons", "Is B better than A?"),
        ("I have a number to check", "Someone reports 0.898 for this list. Which tool says that?",
         f"from ndcg_nb import which\nlist(which(0.898, [{grades}]).index)", "widgets/whose", "Whose number is it?"),
    ]  # fmt: skip
    made = []
    for title, about, code, to, where in doors:
        shown, result = python(code) if code else shell()
        code = code or "\n".join(COMMANDS)
        made.append({"title": title, "about": about, "code": shown, "result": result, "page": to, "where": where,
                     "plain": code})  # fmt: skip
    return made


def five() -> list[dict[str, Any]]:
    "One list, five tools, five numbers, with what makes each of them"
    rules = {
        "sklearn": ("scikit-learn", "the grade", "1/log₂(i + 1)", "the six shown"),
        "lightgbm": ("LightGBM", "2^grade − 1", "1/log₂(i + 1)", "the six shown"),
        "mslr": ("the MSLR script", "2^grade − 1", "1/log₂ i, from rank 2", "the six shown"),
        "trec_eval": ("trec_eval", "the grade", "1/log₂(i + 1)", "all eight judged"),
        "gdeval": ("gdeval", "2^grade − 1", "1/log₂(i + 1)", "all eight judged"),
    }
    said = ndcg_nb.disagree(SHOWN, k=6, pool=POOL)["nDCG"]
    return [dict(zip(("tool", "gain", "discount", "ideal"), words), value=f"{said[name]:.3f}", at=said[name])
            for name, words in rules.items()]  # fmt: skip


def systems() -> Any:
    "Five made-up systems over 24 queries: those of the chapter on reports"
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
    return {"rows": rows, "state": as_json(state), "queries": len(comparison.queries), "measure": comparison.measure}


def as_json(state: Any) -> str:
    "Data in a page: no text of it can end the element"
    return json.dumps(plain(state), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def link_of(target: str) -> str:
    "Where a link of the notebook goes on the site"
    to, _, at = target.partition("#")
    if not to.endswith((".ipynb", ".md", ".html")):
        return target
    return f"{page(to)}.html" + (f"#{anchor(at)}" if at else "")


@cache
def answers() -> list[dict[str, str]]:
    "The short answers: the rows of their table in index.ipynb, where a test holds their numbers"
    cells = nbformat.read(NBS / "index.ipynb", 4).cells
    source = next(cell.source for cell in cells if cell.source.startswith("## Short answers"))
    text = MarkdownIt("commonmark")
    found = []
    for row in source.splitlines()[4:]:
        question, answer = (
            re.sub(r"\]\((\S+?)\)", lambda to: f"]({link_of(to[1])})", x.strip())
            for x in row.strip("| ").split(" | ", 1)
        )
        found.append({"question": text.renderInline(question), "answer": text.renderInline(answer)})
    return found


def context() -> dict[str, Any]:
    "All of it"
    said = ndcg_nb.disagree(SHOWN, k=6, pool=POOL)["nDCG"].dropna()
    values = said.round(9)
    groups = []
    for value in sorted(values.unique(), reverse=True):
        titles = [tool_for_page(name)["title"] for name in values.index[values == value]]
        groups.append({"value": f"{value:.3f}", "tools": ", ".join(titles)})
    every = tools()
    state = {"tools": every, "rel": SHOWN, "missed": MISSED, "k": 6, "titles": EGGS[: len(SHOWN)]}
    results = [{"rank": i, "grade": g, "title": t} for i, (g, t) in enumerate(zip(SHOWN, EGGS), 1)]
    kinds = {x: sum(form(tool) == x for tool in every) for x in ("list", "judged", "yes-no")}
    install = "pip install ndcg_nb" if on_index() else "pip install ."
    return {
        "conventions": len(values), "numbers": len(groups), "low": f"{said.min():.3f}", "high": f"{said.max():.3f}",
        "groups": groups, "results": results, "kinds": kinds, "query": QUERY, "cards": cards(), "five": five(),
        "ladder": ladder(), "answers": answers(), "way": WAY, "minutes": sum(x[-1] for x in WAY),
        "install": install, "in_clone": not on_index(), "python": cfg["min_python"], "repository": repository(),
        "state": as_json(state), "parts": PARTS,
    }  # fmt: skip


if __name__ == "__main__":
    shown = context()
    print({x: y for x, y in shown.items() if x not in ("state", "ladder", "answers")})
