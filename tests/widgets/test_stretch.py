"""A scale of grades to stretch: JavaScript's numbers are those of `ndcg`, and the order turns where algebra says."""

from __future__ import annotations

import math
from typing import Any

import pytest
from conftest import needs_browser
from shared.alone import TOO_WIDE, state_of
from shared.javascript import call

from ndcg_nb import ndcg
from ndcg_nb.widgets import stretch

TURN = 1 / (1 - 1 / math.log2(3))


def means(worth: float) -> list[float]:
    "The mean nDCG of A and of B"
    w = stretch(worth)
    return [ndcg(lists, gain={0: 0, 1: 1, 2: worth}).mean() for lists in (w.a, w.b)]


def test_javascript_computes_what_ndcg_computes() -> None:
    worths = [1, 1.3, 2, 2.71, 3, 4.44, 6]
    every = "(stretch, given, worths) => worths.map((worth) => stretch.means(given, worth))"
    for worth, found in zip(worths, call("stretch", every, state_of(stretch()), worths), strict=True):
        assert [found["a"]["mean"], found["b"]["mean"]] == pytest.approx(means(worth), abs=1e-12)


def test_the_means_cross_where_algebra_says() -> None:
    crossing = call("stretch", "(stretch, given) => stretch.crossing(given)", state_of(stretch()))
    assert crossing == pytest.approx(TURN, abs=1e-9)
    assert means(TURN)[0] == pytest.approx(means(TURN)[1])
    same = state_of(stretch()) | {"b": state_of(stretch())["a"]}
    assert math.isnan(call("stretch", "(stretch, given) => stretch.crossing(given)", same))


@pytest.mark.parametrize(
    "worth, error", [(0.5, ValueError), (6.1, ValueError), ("twice", TypeError), (None, TypeError)]
)
def test_what_is_refused(worth: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"worth is .*: give a number from 1 to 6"):
        stretch(worth)


@needs_browser
@pytest.mark.parametrize("width", [360, 800])
def test_the_slider_by_keys(alone: Any, width: int) -> None:
    page = alone("stretch", state_of(stretch()), ".stretch input", width)
    said = page.locator(".stretch-said")
    worth = page.get_by_role("slider", name="a 2 is worth")
    assert page.evaluate(TOO_WIDE) == []
    assert "A has the higher mean, by 0.050" in said.inner_text()
    worth.press("End")
    assert "B has the higher mean" in said.inner_text()
    shown = [float(x) for x in page.locator(".stretch-numbers .nx-figure").all_inner_texts()]
    assert shown == pytest.approx(means(6), abs=6e-4)
    page.get_by_role("button", name="reset").click()
    assert "A has the higher mean" in said.inner_text()
    page.wait_for_function("document.querySelector('.stretch .nx-live').textContent.includes('A has')")
