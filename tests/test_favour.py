"""A judge with two sliders: JavaScript's numbers equal Python's, generosity never turns an order, and taste does."""

from __future__ import annotations

import json
import math
import random
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from conftest import needs_browser
from javascript import call
from test_site import TOO_WIDE

from ndcg_nb.hood.show.pages import script
from ndcg_nb.widgets import favour
from ndcg_nb.widgets.favour import EXAMPLE, Favour, verdicts

STATE = "application/vnd.ndcg_nb.favour+json"


def state(w: Favour) -> dict[str, Any]:
    "What a page is saved with"
    return json.loads(json.dumps(w.state, allow_nan=False))


def problems(count: int, seed: int) -> list[Favour]:
    "Lists of every kind: short and long, with and without an own kind, and nothing relevant"
    rng, made = random.Random(seed), []
    while len(made) < count:
        n = rng.randint(1, 8)
        orders = [rng.sample(range(1, n + 1), rng.randint(1, n)) for _ in range(2)]
        own = [i for i in range(1, n + 1) if rng.random() < 0.4]
        sliders = {"generosity": rng.choice([0, 0.5, 2]), "taste": rng.choice([0, 0.37, 1, 2])}
        made.append(favour([rng.randint(0, 3) for _ in range(n)], own, *orders, k=rng.randint(1, 9), **sliders))
    return made


def test_the_example_turns() -> None:
    w = favour()
    assert w.numbers["people"] == w.numbers["judge"] and w.numbers["people"][0] > w.numbers["people"][1]
    for generosity in (0, 0.7, 2):
        for taste, leader in ((1.14, 0), (1.15, 1)):
            w.generosity, w.taste = generosity, taste
            judge = w.numbers["judge"]
            assert judge[leader] > judge[1 - leader], "the order turns at one taste, whatever the generosity"
    assert "by the judge B is ahead" in w.summary() and "turns at a taste of 1.14" in repr(w)


def test_generosity_never_turns_an_order_of_full_lists() -> None:
    rng = random.Random(1)
    for _ in range(200):
        grades = [rng.randint(0, 3) for _ in range(6)]
        a, b = (rng.sample(range(1, 7), 6) for _ in range(2))
        plain, generous = (verdicts(grades, [], a, b, 4, x, 0)["judge"] for x in (0, rng.uniform(0, 2)))
        assert (plain[0] - plain[1]) * (generous[0] - generous[1]) >= -1e-15
        assert abs(generous[0] - generous[1]) <= abs(plain[0] - plain[1]) + 1e-15 or not any(grades)


def test_ties_and_orders_that_never_turn() -> None:
    same = favour([1, 2], own=[], a=[1, 2], b=[1, 2])
    assert math.isnan(same.numbers["turns"])
    assert same.summary() == "By people A and B tie, by the judge A and B tie; no taste turns the order"
    far = favour([3, 0], own=[2], a=[1], b=[2], k=None)
    assert far.numbers["turns"] == 3 and "no taste turns the order" in far.summary(), "it is beyond the slider"


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: favour([1, -1]), ValueError, "grades has -1: give grades of 0 or more"),
        (lambda: favour([2, 1], own=[3], a=[1], b=[2]), ValueError, r"own\[0\] is 3: give each document once"),
        (lambda: favour([2, 1], own=[], a=[1, 1], b=[2]), ValueError, r"a\[1\] is 1: give each document once"),
        (lambda: favour([2, 1], own=[], a=[1], b=[1.5]), ValueError, r"b\[0\] is 1.5"),
        (lambda: favour([2, 1], own=2, a=[1], b=[2]), TypeError, "own is 2: give a list of documents"),
        (lambda: favour([2, 1], own="1", a=[1], b=[2]), TypeError, "own is '1': give a list of documents"),
        (lambda: favour(taste=3), ValueError, "taste is 3: give a number from 0 to 2"),
        (lambda: favour(generosity=True), ValueError, "generosity is True"),
        (lambda: setattr(favour(), "generosity", None), ValueError, "generosity is None: give a number from 0 to 2"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_the_picture_is_one() -> None:
    for w in [favour(), *problems(20, seed=2)]:
        bundle = w._repr_mimebundle_()[0]
        root = ElementTree.fromstring(bundle["image/svg+xml"])
        assert w.summary() in "".join(root.itertext()) and "nan" not in bundle["image/svg+xml"]
        assert json.loads(json.dumps(bundle[STATE], allow_nan=False)) == state(w)
        for shape in root.iter("{http://www.w3.org/2000/svg}rect"):
            assert float(shape.get("x", "nan")) + float(shape.get("width", "nan")) <= 600


ASK = """(favour, all) => all.map((given) => {
  const found = favour.verdicts(given, given.generosity, given.taste);
  return { ...found, said: [found.people, found.judge].map(favour.ahead) };
})"""


def test_javascript_computes_what_python_computes() -> None:
    asked = [favour(), *problems(150, seed=3)]
    for w, answer in zip(asked, call("favour", ASK, [state(w) for w in asked]), strict=True):
        for who in ("people", "judge"):
            assert answer[who] == pytest.approx(w.numbers[who], abs=1e-14), state(w)
        assert answer["turns"] == pytest.approx(w.numbers["turns"], rel=1e-12, nan_ok=True), state(w)
        assert all(text in w.summary() for text in answer["said"] if "tie" in text), state(w)


def test_a_notebook_is_handed_one_way_to_render() -> None:
    assert "export function render" not in script("favour") and "export default { render: show }" in script("favour")


@needs_browser
@pytest.mark.parametrize("width", [360, 800])
def test_sliders_by_keys(alone: Any, width: int) -> None:
    page = alone("favour", state(favour(taste=1)), ".favour-slider input", width)
    said, taste = page.locator(".favour-said"), page.locator(".favour-slider input").nth(1)
    assert page.evaluate(TOO_WIDE) == []
    assert "by the judge A is ahead" in said.inner_text() and page.locator(".favour-turned").count() == 0
    taste.press("End")
    assert "by the judge B is ahead" in said.inner_text() and page.locator(".favour-turned").count() == 1
    page.locator(".favour-slider input").first.press("End")
    told = [float(x) for x in page.locator(".favour-row .nx-figure").all_inner_texts()]
    wanted = verdicts(*(EXAMPLE[name] for name in ("grades", "own", "a", "b")), 5, 2, 2)
    assert told == pytest.approx([*wanted["people"], *wanted["judge"]], abs=6e-4)
    page.wait_for_function("document.querySelector('.favour .nx-live').textContent.includes('B is ahead')")
