"""Whose number is it?: the browser's numbers equal Python's for every tool, and the form answers every hand."""

from __future__ import annotations

import random
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from test_site import CHROMIUM, browser  # noqa: F401  (browser is a fixture)

from ndcg_nb import ndcg
from ndcg_nb.attributions import sent
from ndcg_nb.dialects import DIALECTS, mean_by
from ndcg_nb.widgets import script

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to open the page with")]
SENT = [sent(name) for name in DIALECTS]
INF = float("inf")
# What Python says of an input that a tool refuses, by the kind of refusal in the browser.
WHY = {
    "range": "this gain is for whole grades",
    "negative": "an ideal needs gains of 0 or more",
    "ties": "ties='id' needs ids=",
    "missing": r"no query is left|stops where a query is missing",
    "empty": "and here is only one",
}
ASK = """async ([source, tools, questions]) => {
  const { answer } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  const infinite = (s) => (typeof s === 'string' ? Number(s) : s);
  return questions.map((q) => tools.map((tool) => answer(tool, { ...q, scores: q.scores && q.scores.map(infinite) })));
}"""
GRADES = {
    "whole": lambda r: r.choice([0, 0, 1, 2, 3, 4]),
    "nothing": lambda r: 0,
    "steep": lambda r: r.choice([0, 1, 5, 20, 30, 31, 32, 40]),
    "parts": lambda r: r.choice([0, 0.25, 0.5, 1, 2.5, r.random()]),
    "signed": lambda r: r.choice([-2, -1, 0, 1, 3]),
    "extreme": lambda r: r.choice([0, 1, 513, 700, 1500, 1e300, 1.7e308, 1e-300, 5e-324]),
}
SCORES = {
    "apart": lambda r: r.uniform(-5, 5),
    "tied": lambda r: r.choice([0.5, 1, 1.5]),
    "alike in 32 bits": lambda r: 1 + r.randrange(4) * 1e-9,
    "zeros": lambda r: r.choice([0.0, -0.0, 1e-320]),
    "endless": lambda r: r.choice([-INF, -INF, -1e39, -1e300, 0.5, r.random()]),
}
NAMES = ["a", "b", "d9", "d10", "é", "z", "Z", "\U0001f95a", "\ufb01", "ab", "abc", "0", "00", "-", "~", "€"]


@pytest.fixture
def page(browser) -> Iterator[Any]:  # noqa: F811
    context = browser.new_context(viewport={"width": 1000, "height": 900}, has_touch=True)
    yield context.new_page()
    context.close()


def questions(count: int, seed: int) -> list[dict[str, Any]]:
    "Problems of every kind: empty lists, nothing relevant, ties, cutoffs above and below the length, bad grades"
    rng, made = random.Random(seed), []
    for _ in range(count):
        grade = GRADES[rng.choice(["whole"] * 5 + list(GRADES))]
        rel = [grade(rng) for _ in range(rng.choice([0, 1, 2, *range(3, 13)]))]
        missed = [grade(rng) for _ in range(rng.choice([0, 0, 1, 4]))]
        score = SCORES[rng.choice(list(SCORES))]
        scores = [score(rng) for _ in rel] if rng.random() < 0.6 else None
        if scores and rng.random() < 0.1:
            scores[0] = rng.choice([INF, 1e39])
        ids = rng.sample(NAMES, len(rel)) if rng.random() < 0.4 else None
        k = rng.choice([None, None, 1, 2, 3, 5, 8, 13, 40])
        made.append({"rel": rel, "missed": missed, "k": k, "scores": scores, "ids": ids})
    return made


def given(whole: Any, q: dict[str, Any]) -> dict[str, Any]:
    "The data as Python takes it; a tool that never sorts the truth gets it sorted, as `which` does"
    pool = [*q["rel"], *q["missed"]]
    pool = sorted(pool, reverse=True) if whole.ideal == "given" else pool
    return {"pool": pool, "scores": q["scores"], "ids": q["ids"]}


def told(page, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    "What the browser says of each question, by tool"
    send = lambda s: s if abs(s) < INF else "-Infinity" if s < 0 else "Infinity"  # noqa: E731
    plain = [q | {"scores": q["scores"] and [*map(send, q["scores"])]} for q in asked]
    page.goto("about:blank")
    answers = page.evaluate(ASK, [script("whose"), SENT, plain])
    return [dict(zip(DIALECTS, row, strict=True)) for row in answers]


@pytest.mark.filterwarnings("ignore:scores are 1, 2, 3")
def test_each_tool_one_by_one(page) -> None:
    asked = questions(250, seed=1)
    seen: Counter[str] = Counter()
    for q, answers in zip(asked, told(page, asked), strict=True):
        for name, answer in answers.items():
            whole = DIALECTS[name]
            if "value" in answer:
                value = mean_by(whole, q["rel"], q["k"], **given(whole, q)).value
                assert abs(answer["value"] - value) <= 1e-12, (name, q)
            else:
                with pytest.raises(ValueError, match=WHY[answer["refused"]]):
                    mean_by(whole, q["rel"], q["k"], **given(whole, q))
                seen[answer["refused"]] += 1
    assert seen.keys() == WHY.keys() and min(seen.values()) >= 10, seen


def test_thousands_of_problems(page) -> None:
    "The same, many lists at a time"
    asked = questions(4000, seed=2)
    together: dict[Any, list[tuple[float, dict[str, Any]]]] = defaultdict(list)
    for q, answers in zip(asked, told(page, asked), strict=True):
        for name, answer in answers.items():
            if "value" in answer and q["rel"]:
                kind = name, q["k"], q["scores"] is None, q["ids"] is None
                together[kind].append((answer["value"], q))
    compared: Counter[str] = Counter()
    for (name, k, _, _), pairs in together.items():
        whole = DIALECTS[name]
        data = [given(whole, q) for _, q in pairs]
        many = {key: None if data[0][key] is None else [d[key] for d in data] for key in data[0]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a constant column of scores looks like ranks
            values = ndcg([q["rel"] for _, q in pairs], k, **many, **whole.keywords())
        for (ours, q), value in zip(pairs, values.tolist(), strict=True):
            assert abs(ours - value) <= 1e-12, (name, q)
        compared[name] += len(pairs)
    assert compared.keys() == DIALECTS.keys() and min(compared.values()) > 1500, compared
