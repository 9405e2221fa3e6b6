"""What a report says: the data its script is given, the words it writes; and runs to make one of."""

import json
import re
from typing import Any

import numpy as np
from conftest import ROOT

KITCHEN = ROOT / "ndcg_nb/data/kitchen"

KINDS = {"head", "title", "answer", "value", "words", "aside", "list", "code", "columns", "figures", "details", "table"}
KINDS |= {"chart", "dots", "bars", "ladder", "pair", "stories", "queries"}  # of parts that a script draws


def data_of(page: str) -> dict[str, Any]:
    "What the script of a page is given"
    [text] = re.findall(r'id="nr-data">(.*?)</script>', page, re.S)
    return json.loads(text)


def texts_in(x: Any) -> list[str]:
    "All texts in what a script is given, in their order"
    if isinstance(x, dict):
        x = [*x.values()]
    if isinstance(x, list) and len(x) == 2 and str(x[0]) in KINDS:
        x = x[1:]
    if isinstance(x, list):
        return [text for part in x for text in texts_in(part)]
    return [x] if isinstance(x, str) else []


def words(page: str) -> str:
    "What the script of a page writes, without the marks of bold letters"
    return re.sub(r"\s+", " ", " ".join(texts_in(data_of(page))).replace("\0", ""))


def pieces_in(page: str, kind: str) -> list[Any]:
    "What a page draws of one kind, from its top down"
    waiting = [data_of(page)]
    found = []
    while waiting:
        x = waiting.pop(0)
        inner = [*x.values()] if isinstance(x, dict) else x if isinstance(x, list) else []
        if len(inner) == 2 and inner[0] == kind:
            found.append(inner[1])
        waiting[:0] = inner
    return found


def texts_of_kitchen(name: str) -> dict[str, str]:
    "The titles of documents, or the texts of queries"
    lines = (KITCHEN / f"{name}.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t")[:2] for line in lines)


def call_in(page: str) -> str:
    "The call that makes a report again"
    [code] = [what for _, parts in data_of(page)["sections"] for kind, what in parts if kind == "code"]
    return code


def made_runs(queries: int, systems: int, seed: int = 3, depth: int = 20) -> tuple[dict, dict]:
    "Judgements and runs that are made; half of what is returned was judged"
    rng = np.random.default_rng(seed)
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{i}": {} for i in range(systems)}
    for q in (f"q{n:04}" for n in range(queries)):
        grades = rng.choice(4, 40, p=[0.7, 0.15, 0.1, 0.05])
        qrels[q] = {f"d{d}": int(grades[d]) for d in range(40) if d % 2 or grades[d]} | {"sure": 1}
        for i, run in enumerate(runs.values()):
            scores = grades * (0.5 + 0.1 * i) + rng.normal(size=40)
            run[q] = {f"d{d}": float(scores[d]) for d in np.argsort(-scores)[:depth]}
    return qrels, runs
