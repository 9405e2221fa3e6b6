"""Whose number is it?: JavaScript's numbers equal Python's for every tool, and the form answers every hand."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import NOTEBOOKS, needs_browser
from shared.alone import middle, swipe
from shared.javascript import GRADES, INF, NAMES, SCORES, SENT, call, needs_node

from ndcg_nb import disagree, ndcg, which
from ndcg_nb.dialects import DIALECTS, _digits, mean_by, register
from ndcg_nb.hood.inputs.columns import ROLES
from ndcg_nb.widgets import whose


def questions(count: int, seed: int) -> list[dict[str, Any]]:
    "Problems of every kind: empty lists, nothing relevant, ties, cutoffs above and below the length, bad grades"
    rng = random.Random(seed)
    made = []
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


def given(tool: Any, q: dict[str, Any]) -> dict[str, Any]:
    "The data as Python takes it; a tool that never sorts the truth gets it sorted, as `which` does"
    pool = [*q["rel"], *q["missed"]]
    pool = sorted(pool, reverse=True) if tool.ideal == "given" else pool
    return {"pool": pool, "scores": q["scores"], "ids": q["ids"]}


def answers(asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    "What JavaScript says of each question, by tool"
    every = "({ answer }, tools, questions) => questions.map((q) => tools.map((tool) => answer(tool, q)))"
    return [dict(zip(DIALECTS, row, strict=True)) for row in call("tools", every, SENT, asked)]


@pytest.mark.filterwarnings("ignore:scores are 1, 2, 3")
def test_each_tool_one_by_one() -> None:
    "The same number, or both refuse"
    asked = questions(150, seed=1)
    refused = Counter()
    for q, row in zip(asked, answers(asked), strict=True):
        for name, answer in row.items():
            tool = DIALECTS[name]
            if "value" in answer:
                value = mean_by(tool, q["rel"], q["k"], **given(tool, q)).value
                assert abs(answer["value"] - value) <= 1e-12, (name, q)
                parts = answer["parts"]
                assert not any(parts) or tool.decimals or sum(parts) == pytest.approx(value, abs=1e-9), (name, q)
            else:
                with pytest.raises(ValueError):
                    mean_by(tool, q["rel"], q["k"], **given(tool, q))
                refused[answer["why"].partition(" ")[0]] += 1
    assert refused.keys() >= {"takes", "has", "breaks", "leaves", "stops", "needs"}
    assert min(refused.values()) > 5


@pytest.mark.parametrize(
    "own, unknown",
    [
        ({"gain": {0: 0, 1: 1, 2: 5}}, "gain"),
        ({"discount": lambda rank: 1 / rank}, "discount"),
        ({"discount": np.array([1, 0.5, 0.25])}, "discount"),
    ],
)
def test_what_the_page_does_not_know_is_refused_by_name(own: dict[str, Any], unknown: str) -> None:
    register("ours", "trec_eval", **own)
    try:
        w = whose("0.5", [2, 1, 0])
        tools = json.loads(json.dumps(w.tools))
        numbers = w.numbers
    finally:
        del DIALECTS["ours"]
    ask = "(m, tools) => m.lineUp(tools, m.read({ rel: '2 1 0', k: '3' }).question).refused"
    [refused] = call("whose", ask, tools)
    assert refused["why"] == f"is computed in Python only: this page does not know its {unknown}"
    assert "ours" in numbers


# ---- What is typed, and what is said ----

REL = [3, 2, 3, 0, 1, 2]
POOL = [3, 2, 3, 0, 1, 2, 3, 2]
PLAIN = ["3 2 0.5", "3,2,.5", "[3, 2, 0.5]", "3\n2\n0.5\n", '["3"; "2"; "5e-1"]', "3\t2\t+0.5", "[[3, 2, 0.5]]"]
WRONG = {
    "3 2 x": "“x” is not a number (3rd grade): give the grades alone",
    "doc1 3\ndoc2 2": "“doc1” is not a number (1st grade)",
    "3 ? 1": "“?” is no grade (2nd grade): judge this result, or leave it out",
    "1e999": "“1e999” is too large (1st grade)",
    "[[3,2],[1]]": "these are several lists: give the grades of one list at a time",
    "1 " * 2001: "2001 grades are too many for a page",
}


def results(name: str, *cases: tuple) -> list[Any]:
    "What a function says of each case, or why it refuses"
    one = "(given) => { try { return whose[name](...given); } catch (error) { return error.message; } }"
    return call("whose", f"(whose, name, cases) => cases.map({one})", name, cases)


def test_what_is_typed() -> None:
    read = results("readNumbers", *((text, "grade") for text in [*PLAIN, *WRONG]))
    assert read[: len(PLAIN)] == [[3, 2, 0.5]] * len(PLAIN)
    for (text, why), answer in zip(WRONG.items(), read[len(PLAIN) :], strict=True):
        assert why in answer, text
    assert results("readNumbers", ("1 −inf inf", "score", True)) == [[1, -INF, INF]]
    texts = ["0.949", "0.9490", "1", "1.0", ".5", "1e-3", "0", "12e-1", "94.9", "0.94881139"]
    for text, found in zip(texts, results("readReported", *([text] for text in texts)), strict=True):
        assert found["allowed"] == pytest.approx(_digits(text)) and found["value"] == float(text), text
        assert _digits(found["asPython"]) == _digits(text) and float(found["asPython"]) == float(text), text
    percent, comma, *bad = results("readReported", *([x] for x in ("94.9 %", "0,949", "x", "-0.5", "nan", "1,000,000")))
    assert percent["asPython"] == comma["asPython"] == "0.949"
    assert percent["allowed"] == comma["allowed"] == 0.0005
    assert all("is not a number of 0 or more" in x for x in bad)


LINE_UP = """(whose, tools, all) => all.map((texts) => {
  const { question, wrong } = whose.read(texts);
  const { alike, near, groups } = whose.lineUp(tools, question);
  const others = groups.filter((g) => g !== near && Math.abs(g.value - near.value) > 1e-9);
  const names = (tools) => tools.map((t) => t.name);
  return { wrong, alike: names(alike), near: names(near.tools), others: others.map((g) => g.tools[0].name) };
})"""
REASONS = """(tools, all, pairs) => pairs.map(([n, one, other]) => {
  const [a, b] = [one, other].map((name) => all[n].tools.find((t) => t.name === name));
  return tools.reasons(a, b, all[n].question);
})"""


@needs_node
def test_which_tools_agree_and_why_the_others_differ() -> None:
    "The tools that light up are those that `which` names, and the settings said to set them apart do"
    rng = random.Random(3)
    asked = []
    found = []
    for q in questions(40, seed=4):
        if max([0, *q["rel"], *q["missed"]]) > 30:
            continue  # gains in the same words take different grades up there
        data = given(DIALECTS["burges"], q)
        numbers = disagree(q["rel"], q["k"], **data)["nDCG"].dropna().tolist() if q["rel"] else []
        if numbers:
            value = f"{min(rng.choice(numbers), 1):.{rng.choice([1, 3, 5])}f}"
            asked.append((value, q))
            found.append([*which(value, q["rel"], q["k"], **data).index])
    spelled = lambda x: " ".join(map(str, x or []))  # noqa: E731
    fields = ("rel", "missed", "scores", "ids")
    texts = [{"value": v, "k": str(q["k"] or "")} | {x: spelled(q[x]) for x in fields} for v, q in asked]
    lined = call("whose", LINE_UP, SENT, texts)
    pairs = []
    for n, (names, read) in enumerate(zip(found, lined, strict=True)):
        assert read["wrong"] == {} and sorted(read["alike"]) == sorted(names), asked[n]
        pairs += [(n, read["near"][0], name) for name in read["others"]]
    problems = [{"tools": SENT, "question": q} for _, q in asked]
    for (n, one, other), settings in zip(pairs, call("tools", REASONS, problems, pairs), strict=True):
        q = asked[n][1]
        turned = replace(DIALECTS[one], **{x: getattr(DIALECTS[other], x) for x in settings})
        here, there = (mean_by(x, q["rel"], q["k"], **given(x, q)).value for x in (turned, DIALECTS[other]))
        assert here == pytest.approx(there, abs=1e-9), (one, other, settings, q)


# ---- What a list is compared with ----


def test_a_dot_tells_what_its_tool_compares_with() -> None:
    "In the widgets and on the front page, whose sentence counts the forms"
    import front

    forms = call("tools", "({ formOf }, tools) => tools.map(formOf)", SENT)
    assert forms == [front.form(tool) for tool in SENT]
    assert {*forms} == {"list", "judged", "yes-no"}


# ---- Every order of the list ----

CONTRAST = "(whose, pairs) => pairs.map(([one, other, question]) => whose.contrast([one, other], question))"
SWAPPED = """(tools, pairs) => pairs.map(([one, other, question]) => {
  const needed = tools.reasons(one, other, question);
  const mixed = (names) => ({ ...one, ...Object.fromEntries(names.map((x) => [x, other[x]])) });
  const by = (names) => tools.answer(mixed(names), question).value;
  const said = needed.map((x) => [one.says[x], other.says[x]]);
  const fewer = needed.map((x) => by(needed.filter((y) => y !== x)));
  return { said, all: by(needed), fewer, other: tools.answer(other, question).value };
})"""


@needs_node
def test_why_two_tools_differ_in_one_sentence() -> None:
    "The settings that it names turn one number into the other, no fewer do, and both numbers are Python's"
    rng = random.Random(5)
    lists = [
        ([3, 2, 3, 0, 1, 2], [3, 2], 6),
        ([1, 0, 2, 2], [3], None),
        ([0, 0, 1], [], 2),
        ([4, 1, 3, 0, 0, 2], [4, 4], 3),
    ]
    asked = []
    for _ in range(200):
        one, other = rng.sample(SENT, 2)
        rel, missed, k = rng.choice(lists)
        asked.append([one, other, {"rel": rel, "missed": missed, "k": k, "scores": None, "ids": None, "value": None}])
    sentences, swapped = call("whose", CONTRAST, asked), call("tools", SWAPPED, asked)
    kinds = set()
    for (one, other, question), sentence, found in zip(asked, sentences, swapped, strict=True):
        rules = [DIALECTS[tool["name"]] for tool in (one, other)]
        if sentence.startswith("No number from "):
            kinds.add("refused")
            with pytest.raises(ValueError):
                _ = [mean_by(rule, question["rel"], question["k"], **given(rule, question)) for rule in rules]
            continue
        values = [mean_by(rule, question["rel"], question["k"], **given(rule, question)).value for rule in rules]
        assert sentence.endswith(".") and sentence.replace("et al. ", "").count(". ") == 0
        if abs(values[0] - values[1]) < 1e-9:
            kinds.add("same")
            assert f"both give {values[0]:.3f}" in sentence
            continue
        kinds.add("apart")
        assert sentence.lower().startswith(f"{one['title']} gives {values[0]:.3f}".lower())
        assert f" and {other['title']} gives {values[1]:.3f}" in sentence
        assert found["all"] == pytest.approx(found["other"], abs=1e-9), sentence
        assert all(x is None or abs(x - found["other"]) > 1e-9 for x in found["fewer"]), sentence
        for mine, theirs in found["said"]:
            assert mine in sentence and theirs in sentence
    assert kinds == {"same", "apart", "refused"}


WIDEST = """(orders, tools, all) => all.map((asked) => {
  const question = { value: null, scores: null, ids: null, ...asked };
  const { rel, spread } = orders.widest(tools, question);
  const reached = orders.reach(tools, question);
  const count = [...orders.everyOrder(question.rel)].length;
  return { rel, spread, count, low: Math.min(...reached), high: Math.max(...reached) };
})"""


def numbers_by_order(q: dict[str, Any]) -> tuple[list[tuple], Any]:
    "Every order of a list, and a row for each with the numbers of the tools that have one"
    orders = sorted({*permutations(q["rel"])})
    columns = []
    for name in [name for name, x in answers([q])[0].items() if "value" in x]:
        tool = DIALECTS[name]
        pools = [given(tool, q)["pool"]] * len(orders)
        columns.append(ndcg([list(rel) for rel in orders], q["k"], pool=pools, **tool.keywords()))
    return orders, np.array(columns).T


def test_the_widest_disagreement_of_all_orders() -> None:
    "The order found is as wide as the widest that Python finds by trying all, and the axis holds all of them"
    rng = random.Random(5)
    asked = [{"rel": REL, "missed": [3, 2], "k": 6}, {"rel": [2], "missed": [], "k": 2}]
    for kind in ("whole",) * 4 + ("parts", "signed", "nothing"):
        rel = [GRADES[kind](rng) for _ in range(rng.randrange(1, 7))]
        asked.append({"rel": rel, "missed": [GRADES[kind](rng) for _ in range(2)], "k": rng.choice([None, 2, 6])})
    for q, found in zip(asked, call("orders", WIDEST, SENT, asked), strict=True):
        orders, values = numbers_by_order(q | {"scores": None, "ids": None})
        spreads = values.max(axis=1) - values.min(axis=1)
        assert found["count"] == len(orders)
        assert sorted(found["rel"]) == sorted(q["rel"])
        assert abs(found["spread"] - spreads.max()) <= 1e-9, q
        assert abs(spreads[orders.index(tuple(found["rel"]))] - found["spread"]) <= 1e-12, q
        assert found["low"] == pytest.approx(values.min(), abs=1e-12)
        assert found["high"] == pytest.approx(values.max(), abs=1e-12)


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
def test_by_keyboard(form) -> None:
    form.get_by_label("The reported nDCG").focus()
    form.keyboard.press("ControlOrMeta+A")
    form.keyboard.type("0.785")
    assert lit(form) == "trec_eval 9, trec_eval 10, pytrec_eval, BEIR, ir_measures, ranx"
    form.keyboard.press("Tab")
    form.keyboard.press("ControlOrMeta+A")
    form.keyboard.press("Delete")
    assert said(form).startswith("No tool gives 0.785")  # without a cutoff
    form.keyboard.type("6")
    for _ in range(3):
        form.keyboard.press("Tab")
    form.keyboard.press("Enter")  # opens the scores
    assert form.get_by_label("Scores, one for each grade").is_visible()
    for _ in range(2 + len(REL) + 5):
        form.keyboard.press("Tab")  # scores, ids, the results, two buttons, two tools
    form.keyboard.press("Enter")  # opens the first row
    assert "like=" in form.locator(".nw-list details[open] dl").inner_text()
    form.wait_for_function("document.querySelector('.nx-live').textContent.includes(' conventions give 0.785')")


@needs_browser
def test_two_tools_are_chosen_or_pressed(form) -> None:
    why = form.locator(".nw-why")
    assert why.inner_text() == ""
    form.get_by_label("First tool").select_option("sklearn")
    form.get_by_label("Second tool").select_option("trec_eval")
    sentence = (
        "scikit-learn gives 0.961 and trec_eval 9 gives 0.785: with scikit-learn, the ideal is made of the list alone; "
    )
    assert why.inner_text() == f"{sentence}with trec_eval 9, the ideal is made of all judged."
    form.locator(".nw-dot[title=LightGBM]").dispatch_event("click")
    assert form.get_by_label("First tool").input_value() == "trec_eval"
    assert form.get_by_label("Second tool").input_value() == "lightgbm"
    assert "the gain is 2^rel − 1" in why.inner_text()
    form.locator(".nw-dot[title=LightGBM]").dispatch_event("click")
    assert why.inner_text() == ""


@needs_browser
def test_by_mouse_and_finger(form) -> None:
    value = form.get_by_label("The reported nDCG")
    value.fill("0.961")
    assert lit(form) == "CatBoost, scikit-learn, torchmetrics"
    form.locator(".nw-agrees summary").tap()
    assert 'like="sklearn"' in form.locator(".nw-agrees dl").inner_text()
    form.locator(".nw-chip").nth(0).focus()
    form.keyboard.press("End")
    form.keyboard.press("Home")
    assert form.locator(".nw-agrees dl").is_visible(), "what is open stays open"
    value.fill("0.93")
    assert said(form) == (
        "No tool gives 0.93 for this list. The nearest is CatBoost (Position) with 0.943, 0.013 above."
    )
    value.fill("94.9")
    assert said(form) == "No tool gives 94.9: nDCG is at most 1. If it is a percentage, write 94.9%."
    value.fill("")
    assert said(form).startswith("The tools give 13 different numbers, from 0.738 to 0.961.")
    form.get_by_role("button", name="Reset").tap()
    assert value.input_value() == "0.949"
    assert " conventions give 0.949" in said(form)


@needs_browser
def test_scores_ties_and_refusals(form) -> None:
    form.get_by_text("The grades are in no order? Give scores").click()
    scores = form.get_by_label("Scores, one for each grade")
    ids = form.get_by_label("Ids, where scores are equal")
    scores.fill("1 1 1 0.5 0.5")
    assert "5 scores for 6 grades: give one for each" in form.locator(".nw-scores .nw-note").inner_text()
    scores.fill("1 1 1 0.5 0.5 -inf")
    assert form.get_by_label("Grades, in any order").is_visible()
    assert "gdeval.pl and sentence-transformers: break ties by id" in form.locator(".nw-refusals").inner_text()
    ids.fill("a b c d e e")
    assert "“e” is there twice" in form.locator(".nw-ids .nw-note").inner_text()
    ids.fill("a b c d e f")
    assert form.locator(".nw-refusals").inner_text() == ""
    scores.fill("1 2 3 4 5 6")
    assert "These look like ranks" in form.locator(".nw-scores .nw-note").inner_text()
    form.get_by_label("Grades, in any order").fill("3 -2 0.5 1 1 1")
    assert "LightGBM: takes whole grades from 0 up to 30, and the 2nd grade is −2" in (
        form.locator(".nw-refusals").inner_text()
    )


@needs_browser
def test_a_link_opens_the_question(form, tmp_path: Path) -> None:
    form.get_by_label("The reported nDCG").fill("0,785")
    form.get_by_label("Grades, in the order shown").fill("3 2\n3 0 1 2")
    form.evaluate("location.hash = 'list=3,2'")  # another widget's
    form.get_by_text("The grades are in no order? Give scores").click()
    form.get_by_label("Scores, one for each grade").fill("6 5 4 3 2 -inf")
    form.get_by_label("Ids, where scores are equal").fill("a b;c d&e f#g h%i")
    fields = ("value", "k", "rel", "missed")
    before = {x: form.locator(f".nw-{x} :is(input, textarea)").input_value() for x in fields}
    form.get_by_role("button", name="Copy a link").click()
    form.wait_for_function("location.hash.includes('whose=')")
    url = form.url
    sentence = said(form)
    assert "#list=3,2&whose=0.785;k=6;rel=3,2,3,0,1,2;missed=3,2;scores=6,5,4,3,2,-inf;ids=" in url
    form.goto("about:blank")
    form.goto(url)
    form.wait_for_selector(".nw")
    after = {x: form.locator(f".nw-{x} :is(input, textarea)").input_value() for x in before}
    assert after == before | {"value": "0.785", "rel": "3 2 3 0 1 2"}
    assert said(form) == sentence.replace("0,785", "0.785")
    form.evaluate("location.hash = 'whose=0,785;k=x;foo=1;rel=3,2'")
    form.wait_for_selector(".nx-share [role=status]:has-text('“x” is not a cutoff')")
    assert said(form) == sentence.replace("0,785", "0.785"), "what is wrong is not shown"


# ---- The list that moves ----


def check(page, rel: list[int]) -> None:
    "The chips and the field hold this list, and each tool has a dot at its number"
    assert [int(x) for x in page.locator(".nw-chip:visible").all_inner_texts()] == rel
    assert page.locator(".nw-rel textarea").input_value() == " ".join(map(str, rel))
    values = disagree(rel, 6, pool=[*rel, 3, 2])["nDCG"]
    assert page.locator(".nw-sum").inner_text().startswith(f"{len(SENT)} conventions, ")
    lefts = page.evaluate("[...document.querySelectorAll('.nw-dot')].map((e) => parseFloat(e.style.left))")
    by_name = np.array([values[tool["name"]] for tool in SENT])
    assert np.corrcoef(lefts, by_name)[0, 1] == pytest.approx(1, abs=1e-6), "left is linear in the number"


@needs_browser
def test_a_result_is_dragged_by_mouse(form) -> None:
    check(form, REL)
    ticks = form.locator(".nw-ticks").inner_html()
    form.mouse.move(*middle(form, ".nw-chip", 3))
    form.mouse.down()
    form.mouse.move(*middle(form, ".nw-chip", 0))
    check(form, [0, 3, 2, 3, 1, 2])  # while it is held
    assert form.locator(".nw-held").inner_text() == "0"
    form.keyboard.press("Escape")
    check(form, REL)
    form.mouse.up()
    form.mouse.move(*middle(form, ".nw-chip", 0))
    form.mouse.down()
    form.mouse.move(*middle(form, ".nw-chip", 5))
    form.mouse.up()
    check(form, [2, 3, 0, 1, 2, 3])
    assert form.locator(".nw-ticks").inner_html() == ticks, "the axis stays as it is"


@needs_browser
def test_a_result_is_dragged_by_finger(form) -> None:
    (left, _), (right, _) = (middle(form, ".nw-chip", n) for n in (0, 3))
    swipe(form, ".nw-chip", 0, right - left, 0)
    check(form, [2, 3, 0, 3, 1, 2])
    assert form.locator(".nw-dragging").count() == 0


@needs_browser
def test_a_result_is_moved_by_key(form) -> None:
    form.locator(".nw-chip").nth(3).focus()
    for key, rel in [
        ("ArrowLeft", [3, 2, 0, 3, 1, 2]),
        ("ArrowUp", [3, 0, 2, 3, 1, 2]),
        ("Home", [0, 3, 2, 3, 1, 2]),
        ("End", [3, 2, 3, 1, 2, 0]),
        ("Control+ArrowLeft", [3, 2, 3, 1, 2, 0]),  # the browser's own
    ]:
        form.keyboard.press(key)
        check(form, rel)
    assert form.locator(".nw-chip:focus").get_attribute("aria-label") == "Rank 6: grade 0"
    form.wait_for_function("document.querySelector('.nx-live').textContent.startsWith('Grade 0 at rank 6: ')")


@needs_browser
def test_the_widest_disagreement_is_a_button(form) -> None:
    button = form.get_by_role("button", name="Widest disagreement")
    rel = form.get_by_label("Grades, in the order shown")
    button.click()
    check(form, [1, 2, 2, 3, 0, 3])
    assert form.locator(".nw-sum").inner_text().endswith(" 13 numbers, 0.527 to 0.891")
    rel.fill("0 1 2 3 4 5 6 7")
    assert button.is_disabled()
    assert form.locator(".nw-limit").inner_text() == "too many to try: over 5,040 orders"
    rel.fill("1 " * 41)
    assert form.locator(".nw-chip:visible").count() == 0 and not button.is_visible(), "too long for chips"


BOXES = """() => {
  const axis = document.querySelector('.nw-axis').getBoundingClientRect();
  const labels = [...document.querySelectorAll('.nw-label')];
  return labels.map((e) => [e.textContent, e.className.includes('below'), e.getBoundingClientRect()])
    .map(([text, below, r]) => [text, below, r.left - axis.left, r.right - axis.left, axis.width]);
}"""


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_no_label_of_the_axis_covers_another(alone: Any, width: int) -> None:
    asked = asked_of_all(rel=[3, 2.5, -1, 0], scores=[1, 1, 0.5, "-inf"])
    page = alone("whose", asked, ".nw", width)
    assert page.locator(".nw-scores textarea").input_value() == "1 1 0.5 −inf", "scores that are given are shown"
    boxes = page.evaluate(BOXES)
    assert len(boxes) > 1
    for text, below, left, right, wide in boxes:
        assert left >= -1 and right <= wide + 1, text
        assert all(right < b[2] or left > b[3] for b in boxes if b[1] == below and b[0] != text), text


def test_what_no_tool_can_answer_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no dialect gives it: if it is a percentage, give 0\.02"):
        whose(2.0, [1, 0])


def test_python_reads_back_what_was_asked() -> None:
    w = whose("0.9490", REL, 6, pool=POOL)
    assert w.question == {"value": "0.9490", "k": 6, "rel": REL, "missed": [3, 2], "scores": None, "ids": None}
    assert list(w.found.index) == []
    assert len(w.numbers) == len(SENT)
    assert "no tool" in repr(w)
    w.question = w.question | {"value": "0.949"}
    assert list(w.found.index) == list(which(0.949, REL, 6, pool=POOL).index)
    with pytest.raises(ValueError, match=r"scores has 1 numbers, rel has 6"):
        w.question = w.question | {"scores": [1]}
    odd = whose(1, [0.5, 0], scores=[1, -INF], ids=["a", "b"])
    assert odd.question["scores"] == [1, "-inf"]
    assert odd.question["rel"] == [0.5, 0]
    assert odd.found.index[0] == "burges"


@pytest.mark.parametrize("name", ["whose", "paste"])
def test_saved_pages_are_in_step(name: str) -> None:
    "What a page was saved with is what would be sent today"
    cells = [cell for path in NOTEBOOKS for cell in json.loads(path.read_text("utf-8"))["cells"]]
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    saved = [data[kind] for data in outputs if (kind := f"application/vnd.ndcg_nb.{name}+json") in data]
    assert saved and all(state["tools"] == SENT for state in saved), "run `make book`"
    assert all(state.get("roles", ROLES) == ROLES for state in saved), "run `make book`"
