"""Scores to drag and a temperature: the numbers are those of the smooth measures, and every hand moves a score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import needs_browser
from shared.alone import drag, state_of, swipe
from shared.javascript import call, needs_node
from shared.problems import smooth

from ndcg_nb.widgets import soften
from ndcg_nb.widgets.soften import SCORES


@needs_node
def test_steps_follow_the_slope_and_names_keep_their_distance() -> None:
    gains = [7, 3, 7, 0, 1, 3]
    follow = "({ follow }, gains, scores) => follow({ gains, scores, temperature: 0.5 })"
    now = np.array(SCORES)
    for _ in range(10):
        now = now + np.clip(2 * np.array(smooth(gains, now.tolist(), 0.5)["slopes"]), -0.1, 0.1)
    assert call("soften", follow, gains, SCORES) == pytest.approx(now.tolist(), abs=1e-9)
    lists = [[0.5, 0.5, 2.5], [1.5, 1.5, 1.5, 1.5], [0.5, 1.5, 2.5]]
    for wanted, found in zip(
        lists, call("soften", "({ spaced }, all) => all.map((x) => spaced(x, 0.64, x.length - 0.5))", lists)
    ):
        assert min(np.diff(found)) >= 0.64 - 1e-9
        assert max(found) <= len(wanted) - 0.5 + 1e-9
    assert found == lists[-1], "what is far enough apart stays"


# ---- In a browser ----


@pytest.fixture
def line(alone: Any) -> Any:
    return alone("soften", state_of(soften()), ".ns-dot")


def scores(page) -> list[float]:
    return page.locator(".ns-dot").evaluate_all("(all) => all.map((e) => Number(e.getAttribute('aria-valuenow')))")


def figures(page) -> dict[str, float]:
    terms, texts = (page.locator(f".ns .nx-{x}").all_inner_texts() for x in ("term", "figure"))
    return {term: float(text.replace("−", "-")) for term, text in zip(terms, texts, strict=True)}


def heat(page, temperature: float) -> None:
    page.locator(".ns input").fill(str(round(np.log10(temperature), 2)))


def check(page, temperature: float = 0.5) -> None:
    "What is shown is what Python says of the scores as they are"
    expected = smooth([7, 3, 7, 0, 1, 3], scores(page), temperature)
    for name, x in figures(page).items():
        assert x == pytest.approx(expected[name], abs=2e-3), name


def keys(page, selector: str, n: int, right: float, down: float) -> None:
    page.locator(selector).nth(n).focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")


@needs_browser
@pytest.mark.parametrize("hand", [drag, swipe, keys])
def test_by_every_hand(hand: Any, line) -> None:
    hand(line, ".ns-dot", 1, -90, 0)
    line.wait_for_function("document.querySelectorAll('.ns-dot')[1].getAttribute('aria-valuenow') < 1.2")
    check(line)
    line.get_by_role("button", name="reset").click()
    assert scores(line) == list(SCORES)
    check(line)


@needs_browser
def test_the_line_ends_and_escape_puts_back(line) -> None:
    line.locator(".ns-dot").nth(0).focus()
    for key, score in [("End", 3), ("Home", -1), ("PageUp", -0.5)]:
        line.keyboard.press(key)
        assert scores(line)[0] == score
    assert line.locator(".ns-hard .ns-rank").all_inner_texts()[4:] == ["5–6", "5–6"], "a tie"
    box = line.locator(".ns-dot").nth(2).bounding_box()
    line.mouse.move(box["x"] + 5, box["y"] + 5)
    line.mouse.down()
    line.mouse.move(box["x"] + 99, box["y"] + 5)
    assert scores(line)[2] > 1.3
    line.keyboard.press("Escape")
    line.mouse.up()
    assert scores(line)[2] == 1.1


@needs_browser
def test_cold_it_is_the_hard_list_and_hot_all_ranks_are_one(line) -> None:
    arrows = line.locator(".ns-push:not([hidden])")
    assert arrows.count() == 6
    heat(line, 0.01)
    assert line.locator(".ns .nx-k").inner_text() == "T = 0.01"
    assert arrows.count() == 0
    assert line.locator(".ns-said").inner_text().startswith("The soft list is the hard one. No arrow is left")
    line.get_by_role("button", name="follow the arrows").click()
    assert scores(line) == list(SCORES), "nothing is learned"
    line.wait_for_function("document.querySelector('.ns [role=status]').innerText.includes('No arrow is left')")
    heat(line, 10)
    assert line.locator(".ns-said").inner_text().startswith("All soft ranks are nearly the same")
    check(line, 10)
    heat(line, 0.5)
    for _ in range(4):
        line.get_by_role("button", name="follow the arrows").click()
    assert figures(line)["nDCG"] == 1, "the arrows lead to the best order"
