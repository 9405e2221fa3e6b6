"""A judge with two sliders: JavaScript's numbers are those of `ndcg`, and only taste turns an order."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import needs_browser
from shared.alone import state_of
from shared.problems import verdicts

from ndcg_nb.widgets import favour


@needs_browser
def test_sliders_by_keys(alone: Any) -> None:
    page = alone("favour", state_of(favour(taste=1)), ".favour input")
    said = page.locator(".favour-said")
    taste = page.get_by_role("slider", name="taste, for its own kind")
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
