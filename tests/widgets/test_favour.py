"""A judge with two sliders: JavaScript's numbers are those of `ndcg`, and only taste turns an order."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from conftest import needs_browser
from shared.alone import TOO_WIDE, state_of
from shared.javascript import call, needs_node

from ndcg_nb import dcg, discount, ndcg
from ndcg_nb.widgets import favour
from ndcg_nb.widgets.frame import Favour


def verdicts(w: Any) -> dict[str, Any]:
    "nDCG of both lists by people and by the judge, and the taste at which the judge's order turns"
    kinds = [float(i in w.own) for i in range(1, len(w.grades) + 1)]
    gains = [g + w.generosity + w.taste * kind for g, kind in zip(w.grades, kinds)]
    shown = lambda x, order: [x[i - 1] for i in order]  # noqa: E731
    people, judge = ([ndcg(shown(x, o), w.k, pool=x, empty=0) for o in (w.a, w.b)] for x in (w.grades, gains))
    ahead, pull = (dcg(shown(x, w.a), w.k) - dcg(shown(x, w.b), w.k) for x in (w.grades, kinds))
    return {"people": people, "judge": judge, "turns": -ahead / pull if ahead * pull < 0 else math.nan}


def problems(count: int, seed: int) -> list[Any]:
    "Lists of every kind: short and long, with and without an own kind, and nothing relevant"
    rng = random.Random(seed)
    made = [favour()]
    while len(made) < count:
        n = rng.randint(1, 8)
        orders = [rng.sample(range(1, n + 1), rng.randint(1, n)) for _ in range(2)]
        own = [i for i in range(1, n + 1) if rng.random() < 0.4]
        sliders = {"generosity": rng.choice([0, 0.5, 2]), "taste": rng.choice([0, 0.37, 1, 2])}
        lists = {"grades": [rng.randint(0, 3) for _ in range(n)], "own": own, "a": orders[0], "b": orders[1]}
        made.append(Favour(**lists, k=rng.randint(1, 9), weights=discount(range(1, 10)).tolist(), **sliders))
    return made


@needs_node
def test_javascript_computes_what_ndcg_computes() -> None:
    asked = problems(120, seed=3)
    every = "(favour, all) => all.map((given) => favour.verdicts(given, given.generosity, given.taste))"
    for w, answer in zip(asked, call("favour", every, [state_of(w) for w in asked]), strict=True):
        expected = verdicts(w)
        for who in ("people", "judge"):
            assert answer[who] == pytest.approx(expected[who], abs=1e-12), w
        assert answer["turns"] == pytest.approx(expected["turns"], rel=1e-9, nan_ok=True), w


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: favour(taste="much"), TypeError, "taste is 'much': give a number from 0 to 2"),
        (lambda: setattr(favour(), "generosity", 3), ValueError, "generosity is 3: give a number from 0 to 2"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@needs_browser
@pytest.mark.parametrize("width", [360, 800])
def test_sliders_by_keys(alone: Any, width: int) -> None:
    page = alone("favour", state_of(favour(taste=1)), ".favour input", width)
    said = page.locator(".favour-said")
    taste = page.get_by_role("slider", name="taste, for its own kind")
    assert page.evaluate(TOO_WIDE) == []
    assert "by the judge A is ahead" in said.inner_text()
    assert "turns at a taste of 1.14" in said.inner_text()
    taste.press("End")
    assert "by the judge B is ahead" in said.inner_text()
    assert page.locator(".favour-turned").count() == 1
    page.get_by_role("slider", name="generosity, to every document").press("End")
    shown = [float(x) for x in page.locator(".favour-row .nx-figure").all_inner_texts()]
    wanted = verdicts(favour(generosity=2, taste=2))
    assert shown == pytest.approx([*wanted["people"], *wanted["judge"]], abs=6e-4)
    page.wait_for_function("document.querySelector('.favour .nx-live').textContent.includes('B is ahead')")
