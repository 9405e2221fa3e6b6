"""Whose number is it?: JavaScript's numbers equal Python's for every tool, and the form answers every hand."""

from __future__ import annotations

import json
import random
import warnings
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from alone import write
from conftest import NOTEBOOKS, needs_browser
from javascript import call, needs_node

from ndcg_nb import disagree, explore, ndcg, which
from ndcg_nb.dialects import DIALECTS, FAMILIES, _digits, mean_by, register
from ndcg_nb.hood.show.pages import script
from ndcg_nb.widgets import whose
from ndcg_nb.widgets.whose import sent

STATE = "application/vnd.ndcg_nb.whose+json"
SENT = [sent(name) for name in DIALECTS]
INF = float("inf")
# What Python says of an input that a tool refuses, by the kind of refusal in JavaScript.
WHY = {
    "range": "this gain is for whole grades",
    "negative": "an ideal needs gains of 0 or more",
    "ties": "ties='(lowest-)?id' needs ids=",
    "missing": r"no query is left|stops where a query is missing",
    "empty": r"and this is the only one|of this list: nDCG is 0/0$",
    "cutoff": "give k, at most 1,000,000",
}
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


def told(asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    "What JavaScript says of each question, by tool"
    every = "({ answer }, tools, questions) => questions.map((q) => tools.map((tool) => answer(tool, q)))"
    return [dict(zip(DIALECTS, row, strict=True)) for row in call("tools", every, SENT, asked)]


@pytest.mark.filterwarnings("ignore:scores are 1, 2, 3")
def test_each_tool_one_by_one() -> None:
    asked = questions(250, seed=1)
    seen: Counter[str] = Counter()
    for q, answers in zip(asked, told(asked), strict=True):
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


@pytest.mark.parametrize(
    "own, unknown",
    [
        ({"gain": {0: 0, 1: 1, 2: 5}}, "gain"),
        ({"gain": lambda grade: grade**2}, "gain"),
        ({"discount": lambda rank: 1 / rank}, "discount"),
        ({"discount": np.array([1, 0.5, 0.25])}, "discount"),
    ],
)
def test_a_dialect_of_ones_own_is_computed_in_python_only(own: dict[str, Any], unknown: str) -> None:
    register("ours", "trec_eval", **own)
    try:
        w = whose("0.5", [2, 1, 0])
        tools = json.loads(json.dumps(w.tools))
        numbers = w.numbers
    finally:
        del DIALECTS["ours"]
    texts = {"rel": "2 1 0", "k": "3"}
    told = call("whose", "(m, tools, texts) => m.lineUp(tools, m.read(texts).question).refused", tools, texts)
    why = f"is computed in Python only: this page does not know its {unknown}"
    assert [(x["why"], len(x["tools"])) for x in told] == [(why, 1)] and "ours" in numbers
    verbs = [call("whose", "(m, why) => m.agreeing(why, [1, 2])", x) for x in (why, "has none", "settles ties")]
    assert verbs == [why.replace("is", "are", 1), "have none", "settle ties"], "and two of them are"


@pytest.mark.long
def test_a_thousand_problems() -> None:
    "The same, many lists at a time"
    asked = questions(1000, seed=2)
    together: dict[Any, list[tuple[float, dict[str, Any]]]] = defaultdict(list)
    for q, answers in zip(asked, told(asked), strict=True):
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
    assert compared.keys() == DIALECTS.keys() and min(compared.values()) > 375, compared


# ---- What is typed, and what is said ----

REL, POOL = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]
PLAIN = ["3 2 0.5", "3,2,.5", "[3, 2, 0.5]", "3\n2\n0.5\n", '["3"; "2"; "5e-1"]', "3\t2\t+0.5", "[[3, 2, 0.5]]"]
SEVERAL = ["[[3,2],[1]]", "[3, 2] [1]", "[3, [2, 1]]", "((3, 2), (1,))", "[[3, 2]\n [1, 0]]"]
TABLES = [
    '{"d1": 3, "d2": 2, "d3": 0.5}',
    '{"10": 3, "9": 2, "1": 0.5}',  # JavaScript would put 1 first
    "{'a, b': 3, 'c: d': 2, 'e[0]': '0.5',}",
    '{\n  "d1": 3,\n  "d2": 2,\n  "d3": 0.5\n}\n',
    "doc1\t3\ndoc2\t2\ndoc3\t0.5",
    "doc1 3\r\ndoc2 2\r\ndoc3 0.5\r\n",
    "doc1,3\ndoc2,2\ndoc3,0.5",
    "d1\tBoiling eggs, a chart\t3\nd2\tEgg cups\t2\nd3\tHens\t0.5",
    "doc\tgrade\nd1\t3\nd2\t2\nd3\t0.5",
    "grade\n3\n2\n0.5",
    "Grades as judged\n3\n2\n0.5",
    '"d1": 3\n"d2": 2\n"d3": 0.5',
]
# What is pasted, whether as scores, which may be infinite, and what is said.
WRONG = [
    ("3 2 x", False, "“x” is not a number (3rd grade): give one, or leave it out"),
    ("grade 3", False, "“grade” is not a number (1st grade)"),
    ("grade\n3", True, "“grade” is not a number (1st score)"),
    ("?\n3\n2", False, "“?” is no grade (1st grade)"),
    ("nan\n3\n2", False, "“nan” is no grade (1st grade)"),
    ("a\t?\nb\t2", False, "“a” is not a number (1st grade)"),
    ("a\t\nb\t2", False, "“a” is not a number (1st grade)"),
    ("a\t3\nb\t?", False, "“?” is no grade (2nd grade)"),
    ("a\t3\na\t2", False, "“a” is not a number (1st grade)"),  # whose documents, if a is a query?
    ("q1 0 d1 3\nq2 0 d2 1", False, "“q1” is not a number (1st grade)"),
    ("doc\tgrade\n101\t3\n102\t2", False, "“doc” is not a number (1st grade)"),  # not 101 3 102 2
    (",grade\n0,3\n1,2", False, "“grade” is not a number (1st grade)"),
    ("{3, 2}", False, "this object is not one grade for each document"),
    ("a 3\nb 2 1", False, "“a” is not a number (1st grade)"),
    ('{"d1": 3, "d1": 2}', False, "this object is not one grade for each document"),
    ('{"d1": 3, 2}', False, "this object is not one grade for each document"),
    ('{"d1": null}', False, "“null” is no grade (1st grade)"),
    ('{"q1": {"d1": 3}}', False, "these are several lists"),
    ("3 ? 1", False, "“?” is no grade (2nd grade): nobody was asked about unjudged results"),
    ("1 1 1 1 1 1 1 1 1 1 1 null", False, "(12th grade)"),
    ("inf", False, "“inf” is not a number (1st grade)"),
    ("1e999", False, "“1e999” is too large (1st grade)"),
    ("0x10", False, "“0x10” is not a number"),
    ("nan", True, "“nan” is not a number (1st score)"),
    ("9007199254740993", True, "above 2^53, where neighbours tie (1st score): rescale"),
    ("1 " * 2001, False, "2001 grades are too many for a page"),
]


def answers(name: str, *cases: tuple) -> list[Any]:
    "What a function says of each case, or why it refuses"
    one = "(given) => { try { return whose[name](...given); } catch (error) { return error.message; } }"
    return call("whose", f"(whose, name, cases) => cases.map({one})", name, cases)


def test_numbers_however_they_are_set_apart() -> None:
    read = answers("readNumbers", *((text, "grade") for text in PLAIN + TABLES))
    assert dict(zip(PLAIN + TABLES, read)) == {text: [3, 2, 0.5] for text in PLAIN + TABLES}


def test_what_is_no_number() -> None:
    read = answers("readNumbers", *((text, "score" if endless else "grade", endless) for text, endless, _ in WRONG))
    for (text, _, said), refusal in zip(WRONG, read, strict=True):
        assert said in refusal, text


def test_grades_out_of_a_table_are_in_the_link() -> None:
    links = answers("linked", *([{"told": "0.9", "rel": text}] for text in TABLES))
    assert dict(zip(TABLES, links)) == {text: "whose=0.9;rel=3,2,0.5" for text in TABLES}


@pytest.mark.parametrize("name, endless", [("grade", False), ("score", True)])
def test_one_list_at_a_time(name: str, endless: bool) -> None:
    read = answers("readNumbers", *((text, name, endless) for text in SEVERAL))
    several = f"these are several lists: give the {name}s of one list at a time"
    assert dict(zip(SEVERAL, read)) == {text: several for text in SEVERAL}
    field = "rel" if name == "grade" else "scores"
    forms = answers("read", *([{field: text}] for text in SEVERAL))
    assert [form["wrong"][field] for form in forms] == [several] * len(SEVERAL)


def test_the_number_told_and_its_digits() -> None:
    texts = ["0.949", "0.9490", "1", "1.0", ".5", "1e-3", "0", "12e-1", "94.9", "0.94881139"]
    for text, told in zip(texts, answers("readTold", *([text] for text in texts)), strict=True):
        assert told["allowed"] == pytest.approx(_digits(text)) and told["value"] == float(text), text
        assert _digits(told["plainly"]) == _digits(text) and float(told["plainly"]) == float(text), text
    percent, comma = answers("readTold", ["94.9 %"], ["0,949"])
    assert percent["plainly"] == comma["plainly"] == "0.949" and percent["allowed"] == comma["allowed"] == 0.0005
    for refusal in answers("readTold", *([text] for text in ("x", "-0.5", "0.9.4", "nan", "inf", "1,000,000"))):
        assert "is not a number of 0 or more: give what you were told" in refusal


LINE_UP = """(whose, tools, all) => all.map((texts) => {
  const { question, wrong } = whose.read(texts);
  const { alike, near, groups } = whose.lineUp(tools, question);
  const others = groups.filter((g) => g !== near && Math.abs(g.value - near.value) > 1e-9).map((g) => g.tools[0]);
  const needed = others.map((o) => [o.name, whose.reasons(near.tools[0], o, question)]);
  return { wrong, alike: alike.map((t) => t.name), near: near.tools[0].name, needed: Object.fromEntries(needed) };
})"""


@needs_node
def test_who_agrees_is_what_which_finds() -> None:
    "The tools that light up are those that `which` names, and the settings said to set them apart do"
    rng, asked, found = random.Random(3), [], []
    for q in questions(40, seed=4):
        data = given(DIALECTS["burges"], q)
        numbers = disagree(q["rel"], q["k"], **data)["nDCG"].dropna().tolist() if q["rel"] else []
        if numbers:
            value = f"{min(rng.choice(numbers), 1):.{rng.choice([1, 3, 5])}f}"
            asked.append((value, q))
            found.append([*which(value, q["rel"], q["k"], **data).index])
    spelled = lambda x: " ".join(map(str, x or []))  # noqa: E731
    cutoff = lambda k: "" if k is None else str(k)  # noqa: E731
    fields = ("rel", "missed", "scores", "ids")
    texts = [{"told": value, "k": cutoff(q["k"])} | {x: spelled(q[x]) for x in fields} for value, q in asked]
    for (_, q), names, read in zip(asked, found, call("whose", LINE_UP, SENT, texts), strict=True):
        assert read["wrong"] == {} and sorted(read["alike"]) == sorted(names), q
        for name, settings in read["needed"].items():
            near, other = DIALECTS[read["near"]], DIALECTS[name]
            turned = replace(near, **{x: getattr(other, x) for x in settings})
            assert mean_by(turned, q["rel"], q["k"], **given(turned, q)).value == pytest.approx(
                mean_by(other, q["rel"], q["k"], **given(other, q)).value, abs=1e-9
            ), (name, settings, q)


TELL = """(whose, tools, rel, missed, all) => all.map((told) => {
  const { question } = whose.read({ told, k: "6", rel, missed });
  return whose.tell(tools, question, whose.lineUp(tools, question)).join(" ");
})"""


def test_few_digits_are_rounded_to() -> None:
    told = ["1", "0.95", "95%", "9.5e-1", "0.9", "0.94", "0.949", "94.9%", "949e-3"]
    said = dict(zip(told, call("whose", TELL, SENT, "3 2 3 0 1 2", "3 2", told), strict=True))
    assert said["1"].startswith("3 of 36 tools round to 1: CatBoost, scikit-learn and torchmetrics.")
    for text in ("0.95", "95%", "9.5e-1"):
        assert f" tools round to {text}" in said[text], text
    assert said["0.9"].endswith("Their numbers differ: more digits would tell them apart.")
    assert said["0.94"].startswith("Of 36 tools, only CatBoost (Position) rounds to 0.94.")
    for text in ("0.949", "94.9%", "949e-3"):
        assert said[text].startswith(f"8 of 36 tools give {text}: "), text


# ---- Every order of the list ----

WIDEST = """(whose, tools, all) => all.map((asked) => {
  const question = { told: null, scores: null, ids: null, ...asked };
  const { rel, spread } = whose.widest(tools, question);
  const [own, wide] = [question.rel, rel].map((x) => whose.lineUp(tools, { ...question, rel: x }).groups);
  const reached = whose.reach(tools, question);
  const [low, high] = [Math.min(...reached), Math.max(...reached)];
  const orders = whose.countOrders(question.rel);
  return { rel, spread, low, high, orders, own: whose.summary(own), wide: whose.summary(wide) };
})"""


def numbers_by_order(q: dict[str, Any]) -> tuple[list[tuple], Any]:
    "Every order of a list, and a row for each with the numbers of the tools that have one"
    orders = sorted({*permutations(q["rel"])})
    answering = [name for name, x in told([q])[0].items() if "value" in x]
    columns = []
    for name in answering:
        whole = DIALECTS[name]
        pools = [given(whole, q)["pool"]] * len(orders)
        columns.append(ndcg([list(rel) for rel in orders], q["k"], pool=pools, **whole.keywords()))
    return orders, np.array(columns).T


def in_words(values: Any) -> str:
    "The line above the axis, by Python"
    high_first = sorted(values, reverse=True)
    different = [x for n, x in enumerate(high_first) if not n or high_first[n - 1] - x > 1e-9]
    ends = [f"{x:.3f}" for x in dict.fromkeys((different[-1], different[0]))]
    plural = lambda n, noun: f"{n} {noun}{'s' * (n != 1)}"  # noqa: E731
    return f"{plural(len(values), 'tool')}, {plural(len(different), 'number')}, {' to '.join(ends)}"


def test_the_widest_disagreement_of_all_orders() -> None:
    "The order found is as wide as the widest that Python finds by trying all; the line above the axis is true of both"
    rng, asked = random.Random(5), [{"rel": REL, "missed": [3, 2], "k": 6}]
    for kind in ("whole",) * 8 + ("parts", "signed", "steep", "nothing"):
        rel = [GRADES[kind](rng) for _ in range(rng.randrange(1, 7))]
        missed = [GRADES[kind](rng) for _ in range(rng.choice([0, 2]))]
        asked.append({"rel": rel, "missed": missed, "k": rng.choice([None, 2, 6])})
    moved = 0
    for q, found in zip(asked, call("whose", WIDEST, SENT, asked), strict=True):
        orders, values = numbers_by_order(q | {"scores": None, "ids": None})
        spreads = values.max(axis=1) - values.min(axis=1)
        assert found["orders"] == len(orders) and sorted(found["rel"]) == sorted(q["rel"])
        assert abs(found["spread"] - spreads.max()) <= 1e-9, q
        for rel, line in ((q["rel"], found["own"]), (found["rel"], found["wide"])):
            row = values[orders.index(tuple(rel))]
            assert line == in_words(row), q
        assert abs(spreads[orders.index(tuple(found["rel"]))] - found["spread"]) <= 1e-12, q
        assert found["low"] == pytest.approx(values.min(), abs=1e-12), "the axis holds the worst order"
        assert found["high"] == pytest.approx(values.max(), abs=1e-12), "and the best"
        moved += found["rel"] != q["rel"]
    assert moved > 5


def test_no_other_order_is_taken_without_need() -> None:
    count = "(whose, lists) => lists.map((rel) => whose.countOrders(rel))"
    assert call("whose", count, [[], [1], [1, 1, 0], [*range(7)], [0, 1] * 10, [*range(200)]]) == [
        1, 1, 3, 5040, 184756, INF,
    ]  # fmt: skip
    same = [{"rel": rel, "missed": [], "k": 2} for rel in ([0, 0, 0], [2])]
    assert [found["rel"] for found in call("whose", WIDEST, SENT, same)] == [[0, 0, 0], [2]]


# ---- The form ----


def asked_of_all(**changed: Any) -> dict[str, Any]:
    "What the page with the eggs is saved with"
    w = whose(0.949, REL, 6, pool=POOL)
    return {"tools": w.tools, "question": w.question | changed}


@pytest.fixture
def form(alone: Any) -> Any:
    return alone("whose", asked_of_all(), ".nw")


def said(page) -> str:
    return page.locator(".nw-said").inner_text()


def lit(page) -> str:
    return ", ".join(page.locator(".nw-agrees .nw-tools").all_inner_texts())


@needs_browser
def test_it_starts_with_the_eggs(form) -> None:
    assert said(form).startswith("8 of 36 tools give 0.949: Burges et al. 2005, RankLib, LightGBM, XGBoost,")
    assert "What sets them apart from the others: gain is 2^rel − 1; discount is 1/log₂(i + 1); " in said(form)
    assert "ideal is made of the list alone; no query is rounded." in said(form) and lit(form).endswith(
        "TensorFlow Ranking"
    )
    values = form.locator(".nw-list summary > b").all_inner_texts()
    assert values == sorted(values, reverse=True) and len(values) == 13


@needs_browser
def test_by_keyboard(form) -> None:
    form.get_by_label("The nDCG you were told").focus()
    form.keyboard.press("ControlOrMeta+A")
    form.keyboard.type("0.785")
    assert lit(form) == "trec_eval 9, trec_eval 10, pytrec_eval, BEIR, ir_measures, ranx"
    form.keyboard.press("Tab")
    form.keyboard.press("ControlOrMeta+A")
    form.keyboard.press("Delete")
    assert said(form).startswith("No tool gives 0.785")  # without a cutoff
    form.keyboard.type("6")
    for _ in range(4):
        form.keyboard.press("Tab")
    form.keyboard.press("Enter")  # opens the scores
    assert form.get_by_label("Scores, one for each grade").is_visible()
    for _ in range(2 + len(REL) + 3):
        form.keyboard.press("Tab")  # scores, ids, the results, two buttons
    form.keyboard.press("Enter")  # opens the first row
    assert "like=" in form.locator(".nw-list details[open] dl").inner_text()
    form.wait_for_function("document.querySelector('.nw-live').textContent.startsWith('6 of 36 tools give 0.785')")


@needs_browser
def test_by_mouse_and_finger(form) -> None:
    told = form.get_by_label("The nDCG you were told")
    told.fill("0.961")
    assert lit(form) == "CatBoost, scikit-learn, torchmetrics"
    form.locator(".nw-agrees summary").tap()
    assert 'scikit-learn, ndcg_score (1.9.1) like="sklearn"' in form.locator(".nw-agrees dl").inner_text()
    form.locator(".nw-agrees summary").click()
    assert not form.locator(".nw-agrees dl").is_visible()
    told.fill("0.93")
    assert said(form) == (
        "No tool gives 0.93 for this list. The nearest is CatBoost (Position) with 0.943, 0.013 above."
    )
    assert lit(form) == "" and form.locator(".nw-near .nw-tools").inner_text() == "CatBoost (Position)"
    told.fill("94.9")
    assert said(form) == "No tool gives 94.9: nDCG is at most 1. If it is a percentage, write 94.9%."
    told.fill("94.9%")
    assert said(form).startswith("8 of 36 tools give 94.9%")
    told.fill("")
    assert said(form) == "The tools give 13 different numbers, from 0.738 to 0.961. Type the number you were told."
    form.get_by_role("button", name="Reset").tap()
    assert told.input_value() == "0.949" and said(form).startswith("8 of 36 tools give 0.949")
    form.get_by_label("Grades, in the order shown").fill("3\n2\n1")
    form.get_by_label("Judged, but not shown").fill("")
    told.fill("1")
    assert said(form).startswith(
        "34 of 36 tools round to 1, all but the MSLR script and RecTools. With RecTools, ideal"
    )
    form.get_by_label("Cutoff k").fill("3")
    assert said(form) == "All 36 tools round to 1. On this list, no setting makes a difference."


@needs_browser
def test_a_family_of_tools(form) -> None:
    families = form.get_by_label("Which tools")
    assert families.locator("option").all_inner_texts() == ["all of them", *FAMILIES]
    told = form.get_by_label("The nDCG you were told")
    families.select_option("MLOps")
    assert said(form).startswith("No tool of this family gives 0.949 for this list. The nearest is MLflow with 0.870")
    told.fill("0.751")
    assert said(form).startswith("Of 2 tools, only Azure AI Evaluation gives 0.751.")
    assert form.locator(".nw-list .nw-tools").all_inner_texts() == ["MLflow", "Azure AI Evaluation"]
    form.get_by_role("button", name="Copy a link").click()
    url = form.url
    families.select_option("recommenders")
    assert lit(form) == "Spark (graded)"
    form.get_by_role("button", name="Reset").click()
    assert families.input_value() == "" and said(form).startswith("8 of 36 tools give 0.949")
    form.goto("about:blank")
    form.goto(url)
    form.wait_for_selector(".nw")
    assert families.input_value() == "MLOps" and lit(form) == "Azure AI Evaluation"


@needs_browser
def test_those_who_agree_have_no_but(form) -> None:
    form.get_by_label("The nDCG you were told").fill("0.9")
    agree = form.locator(".nw-agrees .nw-because").all_inner_texts()
    assert len(agree) > 1 and not any(agree)
    others = form.locator(".nw-list > li:not(.nw-agrees) .nw-because").all_inner_texts()
    assert others and all(x.startswith("but ") for x in others)


@needs_browser
def test_scores_ties_and_refusals(form) -> None:
    form.get_by_text("The grades are in no order? Give scores").click()
    form.get_by_label("Scores, one for each grade").fill("1 1 1 0.5 0.5")
    assert "5 scores for 6 grades: give one for each" in form.locator(".nw-scores .nw-note").inner_text()
    form.get_by_label("Scores, one for each grade").fill("1 1 1 0.5 0.5 -inf")
    assert form.get_by_label("Grades, in any order").is_visible()
    refusals = form.locator(".nw-refusals").inner_text()
    assert "pytrec_eval, BEIR, ir_measures, gdeval.pl and sentence-transformers: settle ties by id" in refusals
    form.get_by_label("Ids, where scores are equal").fill("a")
    assert form.locator(".nw-ids .nw-note").inner_text() == "1 id for 6 grades: give one for each"
    form.get_by_label("Ids, where scores are equal").fill("a b c d e e")
    assert "“e” stands there twice" in form.locator(".nw-ids .nw-note").inner_text()
    form.get_by_label("Ids, where scores are equal").fill("a b c d e f")
    assert form.locator(".nw-refusals").inner_text() == ""
    form.get_by_label("Scores, one for each grade").fill("1 2 3 4 5 6")
    assert "These look like ranks" in form.locator(".nw-scores .nw-note").inner_text()


@needs_browser
def test_one_refuses_and_two_refuse(form) -> None:
    rel, missed = form.get_by_label("Grades, in the order shown"), form.get_by_label("Judged, but not shown")
    refusals = form.locator(".nw-refusals li")
    seen = ""
    missed.fill("")
    for text in ("3 2 −1", "3 2 0.5", "3 2 31", "0 0"):
        rel.fill(text)
        for row in refusals.all():
            who, why = row.locator("b").inner_text(), row.inner_text().split(": ", 1)[1]
            many = ", " in who or " and " in who.replace("Järvelin and Kekäläinen", "")
            assert why.split()[0] in (
                ("take", "have", "leave", "stop", "need") if many else ("takes", "has", "leaves", "stops", "needs")
            ), (who, why)
            seen += f" {why.split()[0]} "
    assert all(f" {verb} " in seen for verb in ("take", "takes", "have", "leave", "stops")), seen
    assert refusals.count() == 2  # nothing relevant
    form.wait_for_function("document.querySelector('.nw-live').textContent.endsWith('No number from 4 tools')")


@needs_browser
def test_what_cannot_be_read(form) -> None:
    rel, k = form.get_by_label("Grades, in the order shown"), form.get_by_label("Cutoff k")
    rel.fill("3 2 x")
    k.fill("2.5")
    assert said(form) == "Once every field can be read, the tools are asked."
    assert form.locator(".nw-rel .nw-note").inner_text() == "“x” is not a number (3rd grade): give one, or leave it out"
    assert "“2.5” is not a cutoff: give a whole number from 1" in form.locator(".nw-k .nw-note").inner_text()
    assert rel.get_attribute("aria-invalid") is not None and not form.locator(".nw-axis").is_visible()
    form.wait_for_function("document.querySelector('.nw-live').textContent.includes('is not a number (3rd grade)')")
    rel.fill("3 -2 0.5")
    k.fill("")
    assert rel.get_attribute("aria-invalid") is None and form.locator(".nw-axis").is_visible()
    assert (
        "LightGBM: takes whole grades from 0 up to 30, and the 2nd grade is −2"
        in form.locator(".nw-refusals").inner_text()
    )


@needs_browser
def test_no_grades_no_tool_is_asked(form, alone: Any) -> None:
    rel, note = form.get_by_label("Grades, in the order shown"), form.locator(".nw-rel .nw-note")
    for text in ("", " \n", "[]"):
        rel.fill("3 2")
        assert form.locator(".nw-axis").is_visible() and note.inner_text() == ""
        rel.fill(text)
        assert note.inner_text() == "Type the grades" and said(form) == "Once there are grades, the tools are asked."
        assert not form.locator(".nw-axis").is_visible() and not form.locator(".nw-refusals").is_visible()
    form.get_by_label("Cutoff k").fill("x")
    assert said(form) == "Once every field can be read, the tools are asked."
    form = alone("whose", asked_of_all(rel=[], missed=[]), ".nw")  # Python may start so
    assert form.locator(".nw-rel .nw-note").inner_text() == "Type the grades"
    assert not form.locator(".nw-axis").is_visible()
    assert whose(0.9, []).question["rel"] == []


FROM_PYTHON = """async ([source, tools, question, empty]) => {
  const { default: { render } } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  const state = { tools, question };
  let told;
  const model = { get: (x) => state[x], set() {}, save_changes() {}, send() {}, on: (_, f) => { told = f; }, off() {} };
  render({ model, el: document.body });
  state.question = empty;
  told();
  return document.querySelector('.nw-rel .nw-note').textContent;
}"""


@needs_browser
def test_python_takes_the_grades_away(page) -> None:
    page.goto("about:blank")
    question = whose(0.949, REL, 6, pool=POOL).question
    empty = question | {"rel": [], "missed": []}
    assert page.evaluate(FROM_PYTHON, [script("whose"), SENT, question, empty]) == "Type the grades"


@needs_browser
def test_a_link_opens_the_question(form, tmp_path: Path) -> None:
    form.get_by_label("The nDCG you were told").fill("0,785")
    form.get_by_label("Grades, in the order shown").fill("3 2\n3 0 1 2")
    form.evaluate("location.hash = 'list=3,2'")  # another widget's
    form.get_by_text("The grades are in no order? Give scores").click()
    form.get_by_label("Scores, one for each grade").fill("6 5 4 3 2 -inf")
    form.get_by_label("Ids, where scores are equal").fill("a b;c d&e f#g h%i")
    assert "7" not in form.locator(".nw-ids .nw-note").inner_text()
    before = {x: form.locator(f".nw-{x} :is(input, textarea)").input_value() for x in ("told", "k", "rel", "missed")}
    form.get_by_role("button", name="Copy a link").click()
    url = form.url
    assert "#list=3,2&whose=0,785;k=6;rel=3,2,3,0,1,2;missed=3,2;scores=6,5,4,3,2,-inf;ids=" in url
    sentence = said(form)
    form.goto("about:blank")
    form.goto(url)
    form.wait_for_selector(".nw")
    after = {x: form.locator(f".nw-{x} :is(input, textarea)").input_value() for x in before}
    assert after == before | {"rel": "3 2 3 0 1 2"} and said(form) == sentence
    form.evaluate("location.hash = 'whose=%E0%A4%A;k=x;foo=1;rel=3,2'")
    form.wait_for_function("document.querySelector('.nw-k input').value === 'x'")
    assert "“x” is not a cutoff" in form.locator(".nw-k .nw-note").inner_text()
    form.evaluate("location.hash = 'what-it-refuses'")
    assert form.locator(".nw-k input").input_value() == "x"


@needs_browser
def test_a_question_and_a_list_share_the_address(page, tmp_path: Path) -> None:
    where = write(tmp_path, "whose", asked_of_all(), below={"explore": explore(REL, 6, pool=POOL).state})

    def seen() -> tuple[str, list[str]]:
        page.wait_for_selector(".nx-note:not(:empty)")
        told = page.locator(".nw-told input").input_value()
        return told, page.locator(".nx-row:visible .nx-name").all_inner_texts()

    both = ("0.785", ["D2", "D1", "D3", "D4", "D5", "D6"])
    page.goto(where)
    page.get_by_label("The nDCG you were told").fill("0.785")
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_role("button", name="Move D2 up").click()
    page.get_by_role("button", name="link", exact=True).click()
    page.wait_for_function("location.hash.startsWith('#list=2:2,1:3')")
    list_first = page.url.partition("#")[2]
    parts = list_first.split("&")
    assert parts[-1].startswith("whose=0.785;"), "the question is still there"
    for hash_ in (list_first, "&".join([parts[-1], *parts[:-1]])):
        page.goto("about:blank")
        page.goto(f"{where}#{hash_}")
        assert seen() == both
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_role("button", name="link", exact=True).click()
    assert sorted(page.url.partition("#")[2].split("&")) == sorted(parts), "and nothing is there twice"
    page.evaluate("location.hash = '#end'")
    page.get_by_role("button", name="link", exact=True).click()
    page.wait_for_function("location.hash.startsWith('#list=')")
    assert page.url.partition("#")[2].split("&") == parts[:-1], "an anchor is no widget's"


@needs_browser
@pytest.mark.parametrize("theme, width", [("dark", 390), ("light", 1280)])
def test_it_fits_and_is_named(alone: Any, theme: str, width: int) -> None:
    asked = asked_of_all(rel=[3, 2.5, -1, 0], scores=[1, 1, 0.5, "-inf"])
    page = alone("whose", asked, ".nw", width, theme, "reduce")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".nw-more").get_attribute("open") is not None, "scores that are given are shown"
    assert page.locator(".nw-scores textarea").input_value() == "1 1 0.5 −inf"
    assert page.evaluate("getComputedStyle(document.querySelector('.nw-dot')).transitionDuration") == "0s"
    unnamed = """[...document.querySelectorAll('.nw input, .nw textarea, .nw button')]
      .filter((e) => !(e.labels?.length || e.textContent.trim())).length"""
    assert page.evaluate(unnamed) == 0
    overlaps = """[...document.querySelectorAll('.nw-list > li')].map((e) => e.getBoundingClientRect())
      .some((r, i, all) => i && r.top < all[i - 1].bottom - 1)"""
    assert not page.evaluate(overlaps)


# ---- The list that moves ----


def chips(page) -> list[int]:
    return [int(x) for x in page.locator(".nw-chip:visible").all_inner_texts()]


def agreed(page, rel: list[int]) -> None:
    "The chips, the field and the line above the axis are about this list, and each tool has a dot at its number"
    assert chips(page) == rel and page.locator(".nw-rel textarea").input_value() == " ".join(map(str, rel))
    values = disagree(rel, 6, pool=[*rel, 3, 2])["nDCG"]
    assert page.locator(".nw-sum").inner_text() == in_words(values)
    lefts = page.evaluate("[...document.querySelectorAll('.nw-dot')].map((e) => parseFloat(e.style.left))")
    assert len(lefts) == len(SENT)
    by_name = np.array([values[tool["name"]] for tool in SENT])
    assert np.corrcoef(lefts, by_name)[0, 1] == pytest.approx(1, abs=1e-6), "left is linear in the number"


def centre(page, selector: str, n: int) -> tuple[float, float]:
    box = page.locator(selector).nth(n).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@needs_browser
def test_a_result_is_dragged_by_mouse(form) -> None:
    agreed(form, REL)
    ticks = form.locator(".nw-ticks").inner_html()
    form.mouse.move(*centre(form, ".nw-chip", 3))
    form.mouse.down()
    form.mouse.move(*centre(form, ".nw-chip", 2))
    agreed(form, [3, 2, 0, 3, 1, 2])  # while it is held
    assert form.locator(".nw-held").count() == 1 and form.locator(".nw-held").inner_text() == "0"
    form.mouse.move(*centre(form, ".nw-chip", 0))
    agreed(form, [0, 3, 2, 3, 1, 2])
    form.keyboard.press("Escape")
    agreed(form, REL)
    form.mouse.move(*centre(form, ".nw-chip", 5))
    agreed(form, REL)  # it was let go
    form.mouse.up()
    form.mouse.move(*centre(form, ".nw-chip", 0))
    form.mouse.down()
    form.mouse.move(*centre(form, ".nw-chip", 5))
    form.mouse.up()
    agreed(form, [2, 3, 0, 1, 2, 3])
    assert form.locator(".nw-chip:focus").get_attribute("aria-label") == "Rank 6: grade 3"
    assert form.locator(".nw-ticks").inner_html() == ticks, "the axis stays as it is"
    form.mouse.move(*centre(form, ".nw-chip", 0))
    form.mouse.down(button="right")
    form.mouse.move(*centre(form, ".nw-chip", 3))
    form.mouse.up(button="right")
    agreed(form, [2, 3, 0, 1, 2, 3])
    form.get_by_role("button", name="Reset").click()
    agreed(form, REL)


@needs_browser
def test_a_result_is_dragged_by_finger(form) -> None:
    finger = form.context.new_cdp_session(form)
    touch = lambda kind, *at: finger.send(  # noqa: E731
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]}
    )
    touch("touchStart", centre(form, ".nw-chip", 0))
    for n in (1, 2, 3):
        touch("touchMove", centre(form, ".nw-chip", n))
    touch("touchEnd")
    agreed(form, [2, 3, 0, 3, 1, 2])
    assert form.locator(".nw-dragging").count() == 0


@needs_browser
def test_a_result_is_moved_by_key(form) -> None:
    form.locator(".nw-chip").nth(3).focus()
    form.keyboard.press("ArrowLeft")
    agreed(form, [3, 2, 0, 3, 1, 2])
    form.keyboard.press("ArrowUp")
    agreed(form, [3, 0, 2, 3, 1, 2])
    form.keyboard.press("Home")
    form.keyboard.press("Home")
    form.keyboard.press("ArrowUp")
    agreed(form, [0, 3, 2, 3, 1, 2])
    form.keyboard.press("End")
    agreed(form, [3, 2, 3, 1, 2, 0])
    form.keyboard.press("Control+ArrowLeft")  # the browser's own
    form.keyboard.press("x")
    agreed(form, [3, 2, 3, 1, 2, 0])
    assert form.locator(".nw-chip:focus").get_attribute("aria-label") == "Rank 6: grade 0"
    form.wait_for_function("document.querySelector('.nw-live').textContent.startsWith('Grade 0 at rank 6: 36 tools, ')")


@needs_browser
def test_the_widest_disagreement_is_a_button(form) -> None:
    button = form.get_by_role("button", name="Widest disagreement")
    assert "(180)" in button.get_attribute("title")
    button.click()
    agreed(form, [1, 2, 2, 3, 0, 3])
    assert form.locator(".nw-sum").inner_text() == "36 tools, 13 numbers, 0.527 to 0.891"
    assert form.locator(".nw-label:visible", has_text="Burges et al. 2005 +7").count() == 1
    form.wait_for_function(
        "document.querySelector('.nw-live').textContent.startsWith('The order with the widest disagreement: 36 tools')"
    )
    form.get_by_label("Which tools").select_option("MLOps")
    assert form.locator(".nw-dot:visible").count() == 2
    button.click()
    assert form.locator(".nw-sum").inner_text().startswith("2 tools, 2 numbers, ")
    assert chips(form) != [1, 2, 2, 3, 0, 3]
    rel = form.get_by_label("Grades, in the order shown")
    rel.fill("0 1 2 3 4 5 6 7")
    assert button.is_disabled() and form.locator(".nw-limit").inner_text() == "too many to try: over 5,040 orders"
    rel.fill("1 0 0 0 0 0 1 0 1")
    assert button.is_enabled() and not form.locator(".nw-limit").is_visible()
    form.get_by_label("Cutoff k").fill("x")
    assert button.is_disabled() and len(chips(form)) == 9


@needs_browser
def test_lists_without_chips(form) -> None:
    rel, reset = form.get_by_label("Grades, in the order shown"), form.get_by_role("button", name="Reset")
    for text in ("3", "3 x", "1 " * 41):
        rel.fill(text)
        assert chips(form) == [] and not form.get_by_text("Drag a result").is_visible()
        assert reset.is_visible() and not form.get_by_role("button", name="Widest disagreement").is_visible()
    rel.fill("1 " * 40)
    assert len(chips(form)) == 40
    assert form.locator(".nw-sum").inner_text().startswith("36 tools, ")
    reset.click()
    form.get_by_text("The grades are in no order? Give scores").click()
    form.get_by_label("Scores, one for each grade").fill("6 5 4 3 2 1")  # the order is theirs
    assert chips(form) == [] and form.locator(".nw-sum").inner_text() == "36 tools, 13 numbers, 0.738 to 0.961"


@needs_browser
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_results_and_dots_slide_unless_motion_is_reduced(alone: Any, motion: str) -> None:
    page = alone("whose", asked_of_all(), ".nw", motion=motion)
    page.evaluate("document.body.offsetWidth")
    page.locator(".nw-chip").nth(3).focus()
    moving = page.evaluate("""() => {
      const chips = [...document.querySelectorAll('.nw-chip')];
      chips[3].dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
      const dots = [...document.querySelectorAll('.nw-dot')];
      return [chips, dots].map((all) => all.filter((e) => e.getAnimations().length).length);
    }""")
    assert moving == [0, 0] if motion == "reduce" else moving[0] == 3 and moving[1] > 10, moving


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_names_are_at_their_piles_and_apart(alone: Any, width: int) -> None:
    page = alone("whose", asked_of_all(), ".nw", width, motion="reduce")
    for n in range(8):
        page.locator(".nw-chip").nth(n % 6).focus()
        page.keyboard.press("End" if n % 2 else "Home")
        boxes = page.evaluate("""() => {
          const axis = document.querySelector('.nw-axis').getBoundingClientRect();
          const labels = [...document.querySelectorAll('.nw-label')];
          return labels.map((e) => [e.textContent, e.className.includes('below'), e.getBoundingClientRect()])
            .map(([text, below, r]) => [text, below, r.left - axis.left, r.right - axis.left, axis.width]);
        }""")
        assert len(boxes) >= (3 if width == 390 else 5)
        for text, below, left, right, whole in boxes:
            assert left >= -1 and right <= whole + 1, text
            others = [b for b in boxes if b[1] == below and b[0] != text]
            assert all(right < b[2] or left > b[3] for b in others), (text, others)


@needs_browser
def test_names_stay_on_the_axis_while_it_gets_narrower(form) -> None:
    for width in (1280, 390, 1280, 390):
        form.set_viewport_size({"width": width, "height": 800})
        assert form.evaluate("document.documentElement.scrollWidth") <= width
        ends = form.locator(".nw-label").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().right)")
        assert ends and max(ends) <= width


def test_python_reads_back_what_was_asked() -> None:
    w = whose("0.9490", REL, 6, pool=POOL)
    assert w.question == {"value": "0.9490", "k": 6, "rel": REL, "missed": [3, 2], "scores": None, "ids": None}
    assert list(w.found.index) == [] and len(w.numbers) == 36 and "nobody" in repr(w)
    w.question = w.question | {"value": ""}
    assert list(w.found.index) == []
    w.question = w.question | {"value": "0.949"}
    assert list(w.found.index) == list(which(0.949, REL, 6, pool=POOL).index)
    bundle = w._repr_mimebundle_()[0]
    assert json.dumps(bundle[STATE], allow_nan=False)
    assert bundle["image/svg+xml"].count('<g class="a">') == 1
    with pytest.raises(ValueError, match=r"scores has 1 numbers, rel has 6"):
        w.question = w.question | {"scores": [1]}
    assert w.question["scores"] is None
    odd = whose(1, [0.5, 0], scores=[1, -INF], ids=["a", "b"])
    assert odd.question["scores"] == [1, "-inf"] and odd.question["rel"] == [0.5, 0] and odd.found.index[0] == "burges"


def test_saved_forms_are_in_step() -> None:
    "What a page was saved with is what would be sent today"
    saved = 0
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                if state := output.get("data", {}).get(STATE):
                    assert state["tools"] == SENT, f"{path.name} was saved with other tools: run `make book`"
                    saved += 1
    assert saved
