"""A scale of grades to stretch: JavaScript's numbers are those of `ndcg`, and the order turns where algebra says."""

from __future__ import annotations

import math
from typing import Any

import pytest
from conftest import needs_browser
from shared.alone import state_of
from shared.javascript import call
from shared.problems import means

from ndcg_nb.widgets import stretch

TURN = 1 / (1 - 1 / math.log2(3))


def test_the_means_cross_where_algebra_says() -> None:
    crossing = call("stretch", "(stretch, given) => stretch.crossing(given)", state_of(stretch()))
    assert crossing == pytest.approx(TURN, abs=1e-9)
    both = means(TURN)
    assert both["a"] == pytest.approx(both["b"])
    same = state_of(stretch()) | {"b": state_of(stretch())["a"]}
    assert math.isnan(call("stretch", "(stretch, given) => stretch.crossing(given)", same))


@needs_browser
def test_the_slider_by_keys(alone: Any) -> None:
    page = alone("stretch", state_of(stretch()), ".stretch input")
    said = page.locator(".stretch-said")
    worth = page.get_by_role("slider", name="a 2 is worth")
    assert "A has the higher mean, by 0.050" in said.inner_text()
    worth.press("End")
    assert "B has the higher mean" in said.inner_text()
    shown = [float(x) for x in page.locator(".stretch-numbers .nx-figure").all_inner_texts()]
    assert shown == pytest.approx([*means(6).values()], abs=6e-4)
    page.get_by_role("button", name="reset").click()
    assert "A has the higher mean" in said.inner_text()
    page.wait_for_function("document.querySelector('.stretch .nx-live').textContent.includes('A has')")
