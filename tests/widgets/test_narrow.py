"""A list whose missing grades can be pressed: its intervals and worths are those of Python."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import needs_browser
from shared.alone import state_of
from shared.javascript import call, needs_node

from ndcg_nb import bounds, judge_next
from ndcg_nb.hood.display.pages import EGGS
from ndcg_nb.widgets import narrow

ASK = "(narrow, all) => all.map(([w, given]) => narrow.worths(w.table, w.grades, given))"


@needs_node
def test_worth_in_the_browser_is_that_of_judge_next() -> None:
    ten = [3, None, None, 1, 0, None, 2, 0, None, 1]
    w = narrow(ten, k=5)
    names = [f"D{i}" for i in range(1, 11)]
    rng = random.Random(5)
    states = [[None] * 4, *([rng.choice([None, None, 0, 1, 2, 3]) for _ in range(4)] for _ in range(20))]
    answers = call("narrow", ASK, [[state_of(w), given] for given in states])
    for given, answer in zip(states, answers, strict=True):
        grades = dict(zip(names, ten)) | dict(zip(("D2", "D3", "D6", "D9"), given))
        judged = {name: grade for name, grade in grades.items() if grade is not None}
        todo = judge_next({"q": judged}, {"q": names}, None, measure="ndcg@5", depth=10)
        worth = dict(zip(todo.table["document"], todo.table["worth"]))
        expected = [worth.get(d, 0) if x is None else None for d, x in zip(("D2", "D3", "D6", "D9"), given)]
        for ours, theirs in zip(answer, expected, strict=True):
            assert (ours is None) == (theirs is None)
            assert ours is None or ours == pytest.approx(theirs, abs=1e-8)


@needs_browser
def test_a_grade_that_is_pressed_narrows_the_interval(alone: Any) -> None:
    w = narrow([3, None, 1, None, 2, 0], [None, 2], k=4, names=EGGS)
    page = alone("narrow", state_of(w), ".narrow")
    low, high = bounds([3, None, 1, None, 2, 0], 4, grades=[0, 1, 2, 3], pool=[3, None, 1, None, 2, 0, None, 2])
    assert f"between {low:.3f} and {high:.3f}" in page.locator(".narrow-said").inner_text()
    page.get_by_role("button", name="Grade 3 for").first.click()
    low, high = bounds([3, 3, 1, None, 2, 0], 4, grades=[0, 1, 2, 3], pool=[3, 3, 1, None, 2, 0, None, 2])
    assert f"between {low:.3f} and {high:.3f}" in page.locator(".narrow-said").inner_text()
    assert page.locator("[aria-pressed=true]").count() == 1
    page.get_by_role("button", name="Grade 3 for").first.click()
    assert page.locator("[aria-pressed=true]").count() == 0, "pressed again, it is taken back"
