"""The discount that bends: JavaScript's numbers are those of `ndcg`, its flips are zeros, and every hand bends it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from conftest import needs_browser
from shared import problems
from shared.alone import drag, middle, state_of, swipe
from shared.javascript import call, needs_node

from ndcg_nb.widgets import bend

FLIPS = """({ flips, familyOf, reachOf }, states) =>
  states.map((state) => flips(state, familyOf(state.discount), reachOf(state.discount)).at)"""


@needs_node
def test_flips_are_where_the_sign_changes() -> None:
    "A fine grid finds no change of sign that was overlooked, and none that is not there"
    asked = [w for w in problems.bends(250, seed=3) if w.discount[0] != "geometric"]
    flipped = 0
    for w, flips in zip(asked, call("bend", FLIPS, [state_of(w) for w in asked]), strict=True):
        more = np.subtract(w.gains["a"], w.gains["b"])[: w.k]
        ranks = np.arange(1.0, len(more) + 1)
        sides = []
        assert len(flips) <= np.count_nonzero(np.diff(np.sign(more[more != 0]))), "the rule of Descartes"
        for low, high in pairwise([0, *flips, 3 if w.discount == "log2" else max(3, w.discount[1])]):
            parts = more * ranks ** -np.linspace(low, high, 42)[1:-1, None]
            signs = {*np.sign(parts.sum(1)[abs(parts.sum(1)) > 1e-12 * abs(parts).sum(1)])}
            assert len(signs) == (1 if more.any() else 0), (more, flips)
            sides += signs
        assert all(one == -other for one, other in pairwise(sides))
        flipped += bool(flips)
    assert flipped > 20
    roots = [[0.5], [0.2, 0.9], [0.1, 0.3, 0.8], [0.5, 0.501]]
    terms = [[[c, x] for x, c in enumerate(np.poly1d(np.poly(r)).coeffs[::-1])] for r in roots]
    for found, wanted in zip(call("bend", "(m, all) => all.map((x) => m.crossings(x, 50))", terms), roots, strict=True):
        assert np.exp(np.negative(found)) == pytest.approx(sorted(wanted, reverse=True), abs=1e-9)


def test_what_is_said() -> None:
    words = {
        "B wins by 0.144. They change places at β = 0.804": bend(),
        "change places at β = 0.381 and 1.561.": bend([1, 0, 1, 1, 3, 3], [0, 3, 2, 3, 0, 0]),
        "A and B tie. A is not behind at any β from 0 to 3.": bend([3, 1], [1, 3], discount="even"),
        "A and B tie. They are worth the same at every rank.": bend([3, 1], [3, 1]),
        "B is not behind at any p.": bend([1], [3], discount=("geometric", 0.5)),
        "A is not behind at any β from 0 to 5.": bend([3, 2], [1, 0], discount=("power", 4.5)),
    }
    verdicts = "({ verdict }, states) => states.map((state) => verdict(state).join(' '))"
    for said, found in zip(words, call("bend", verdicts, [state_of(w) for w in words.values()]), strict=True):
        assert said in found


# ---- In a browser ----


@pytest.fixture
def page(alone):
    return alone("bend", state_of(bend()), ".bend-said:not(:empty)")


def said(page) -> str:
    return page.locator(".bend-said").inner_text()


def formula(page) -> str:
    return page.locator(".bend-plot text", has_text="weighs").text_content().partition(": ")[2]


def check(page, form: Any, k: int | None = None) -> None:
    "What is shown is what `ndcg` says"
    a, b, gap = problems.bent(bend(discount=form, k=k)).values()
    ahead = "A" if gap > 0 else "B"
    shown = [float(x.replace("−", "-")) for x in page.locator(".bend .nx-figure").all_inner_texts()]
    assert shown == pytest.approx([a, b, gap], abs=5.1e-4)
    assert said(page).startswith(f"{ahead} wins by {abs(gap):.3f}.")
    assert page.locator(".bend-ahead .nx-term").inner_text().endswith(f" {ahead}")


@needs_browser
@pytest.mark.parametrize("hand", [drag, swipe])
def test_the_curve_is_bent_by_its_handle(page, hand) -> None:
    assert formula(page) == "1 / i^0.5"
    assert said(page).startswith("B wins by 0.144. They change places at β = 0.804")
    before = middle(page, ".bend-grip")
    hand(page, ".bend-grip", 0, 0, 25)
    page.wait_for_function("document.querySelector('.bend-said').innerText.startsWith('A wins')")
    beta = float(formula(page).removeprefix("1 / i^"))
    # At rank 3, a quarter of the height lower: 3^-0.5 - 0.25.
    assert beta == pytest.approx(-np.log(3**-0.5 - 0.25) / np.log(3), abs=0.03)
    check(page, ("power", beta))
    assert middle(page, ".bend-grip") == pytest.approx((before[0], before[1] + 25), abs=1.5)
    hand(page, ".bend-grip", 0, 0, -200)
    page.wait_for_function("document.querySelector('.bend-plot').textContent.includes('1 / i^0')")
    check(page, "even")
    assert page.locator("button[aria-pressed=true]").all_inner_texts() == ["even (CG)"]


@needs_browser
def test_sliders_and_presets(page) -> None:
    steep = page.get_by_role("slider", name="how steep")
    steep.fill("1")
    check(page, "zipf")
    steep.focus()
    page.keyboard.press("End")
    assert formula(page) == "1 / i^3"
    page.get_by_role("button", name="log2").click()
    check(page, "log2")
    assert "With powers, they change places" in said(page)
    assert page.locator(".bend-here").count() == 0
    steep.focus()
    page.keyboard.press("ArrowRight")
    assert formula(page).startswith("1 / i^0.6"), "a logarithm that is moved becomes the power nearest to it"
    page.get_by_role("button", name="log2").click()
    page.get_by_role("slider", name="cutoff k").fill("4")
    check(page, "log2", k=4)
    page.get_by_role("button", name="geometric").click()
    check(page, ("geometric", 0.8), k=4)
    steep.fill("0.5")
    check(page, ("geometric", 0.5), k=4)
    page.get_by_role("button", name="reset").click()
    check(page, ("power", 0.5))
    page.wait_for_function("document.querySelector('.bend .nx-live').textContent.startsWith('B wins by 0.144')")
