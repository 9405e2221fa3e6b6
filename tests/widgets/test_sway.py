"""Differences to drag: JavaScript's numbers are those of SciPy, and every hand moves a bar."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from conftest import needs_browser
from scipy import stats
from shared.alone import drag, state_of, swipe
from shared.javascript import call, needs_node

from ndcg_nb.widgets import sway
from ndcg_nb.widgets.sway import TEN_QUERIES

# of the example's bars, and the pixels for it
REACH = 0.5
TALL = 178 / 2


def problems(count: int, seed: int) -> list[list[float]]:
    "Differences of every kind: few and many, with ties, all the same, all 0, of six digits, and from end to end"
    rng = random.Random(seed)
    made = []
    kinds = [
        lambda: rng.choice([-0.02, -0.01, 0, 0.01, 0.02]),
        lambda: round(rng.uniform(-0.3, 0.4), 2),
        lambda: round(rng.gauss(0.05, 0.1), 6),
        lambda: rng.choice([-1, 1, 0.5, 0]),
        lambda: 0.1,
        lambda: 0,
    ]
    while len(made) < count:
        kind = rng.choice(kinds)
        n = rng.randint(2, 12)
        made.append([float(kind()) for _ in range(n)])
    return made


def by_scipy(differences: list[float]) -> dict[str, Any]:
    "What SciPy says, and all swaps counted in millionths"
    x = np.round(differences, 6)
    whole = np.round(x * 1e6).astype(int)
    sums = np.array([*product((1, -1), repeat=len(x))]) @ whole
    wins = int((x > 0).sum())
    losses = int((x < 0).sum())
    same = np.ptp(whole) == 0
    t = None if same else stats.ttest_1samp(x, 0)
    ends = (x.mean(), x.mean()) if t is None else t.confidence_interval(0.95)
    return {
        "mean": x.mean(),
        "low": ends[0],
        "high": ends[1],
        "wins": wins,
        "losses": losses,
        "ties": len(x) - wins - losses,
        "far": int((abs(sums) >= abs(whole.sum())).sum()),
        "of": 2 ** len(x),
        "t": (math.nan if whole.any() else 1) if t is None else t.pvalue,
        "sign": stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1,
    }


ASK = """(sway, all) => all.map((d) => {
  const m = sway.appraise(d);
  const half = sway.axisEnd(sway.needed(d, m));
  return { ...m, half, ...sway.histogram(d, half) };
})"""


@needs_node
def test_it_says_what_scipy_says() -> None:
    asked = [list(TEN_QUERIES), [0.1, 0.2, 0.3], [1 / 3, 2 / 3, 1], *problems(120, seed=1)]
    for d, answer in zip(asked, call("sway", ASK, asked), strict=True):
        expected = by_scipy(d)
        for name, x in expected.items():
            assert answer[name] == pytest.approx(x, rel=1e-9, abs=1e-12, nan_ok=True), (name, d)
        assert answer["randomization"] == expected["far"] / expected["of"]
        every = answer["all"]
        out = answer["out"]
        assert sum(every) == expected["of"] and sum(out) == expected["far"], "the bins hold every mean"
        assert every == every[::-1] and out == out[::-1], "and are the same on both sides"


def test_differences_are_rounded() -> None:
    w = sway(np.array(TEN_QUERIES, np.float32))
    assert w.differences == list(TEN_QUERIES)
    assert w.queries == [str(i) for i in range(1, 11)]
    assert w.names == ["A", "B"]
    assert repr(sway([-0.0, -1e-9]).differences) == "[0.0, 0.0]", "which nobody reads as a loss"


# ---- In a browser ----


@pytest.fixture
def page(alone: Any) -> Any:
    return alone("sway", state_of(sway()), ".sway-knob")


def values(page: Any) -> list[float]:
    return page.locator(".sway-knob").evaluate_all("(all) => all.map((e) => Number(e.getAttribute('aria-valuenow')))")


def check(page: Any) -> dict[str, Any]:
    "What is shown is what SciPy says of the bars as they are"
    names = ("mean", "interval", "t", "randomization", "sign", "tally")
    texts = "(names) => names.map((name) => document.querySelector(`.sway-${name} .nx-figure`).innerText)"
    shown = {name: text.replace("−", "-") for name, text in zip(names, page.evaluate(texts, names), strict=True)}
    m = by_scipy(values(page))
    m["randomization"] = m["far"] / m["of"]
    for name in ("mean", "t", "randomization", "sign"):
        assert float(shown[name].removeprefix("<")) == pytest.approx(m[name], abs=1.1e-3)
    assert [float(x) for x in shown["interval"].split(" to ")] == pytest.approx([m["low"], m["high"]], abs=6e-4)
    assert shown["tally"] == f"{m['wins']}, {m['ties']}, {m['losses']}"
    assert f"{m['far']:,} of {m['of']:,} = " in page.locator(".sway-counted").inner_text()
    return m


@needs_browser
@pytest.mark.parametrize("hand", [drag, swipe])
def test_one_query_far_up(page: Any, hand: Any) -> None:
    "The one thing to try: more for B, and t is less sure; randomisation does not move"
    before = check(page)
    hand(page, ".sway-knob", 4, 0, -45)
    page.wait_for_function("document.querySelectorAll('.sway-knob')[4].getAttribute('aria-valuenow') > 0.3")
    assert values(page)[4] == pytest.approx(0.2 + 45 * REACH / TALL, abs=0.006)
    after = check(page)
    assert after["mean"] > before["mean"]
    assert after["t"] > 0.05 > before["t"]
    assert after["far"] == before["far"] == 48
    assert "by randomisation, not by the t-test" in page.locator(".sway-said").inner_text()
    hand(page, ".sway-knob", 4, 0, 500)
    page.wait_for_function("document.querySelectorAll('.sway-knob')[4].getAttribute('aria-valuenow') === '-0.5'")
    check(page)
    page.get_by_role("button", name="reset").click()
    assert values(page) == list(TEN_QUERIES)
    assert check(page)["far"] == 48


@needs_browser
def test_a_mouse_takes_a_column_anywhere_and_escape_puts_back(page: Any) -> None:
    box = page.locator(".sway-knob").nth(4).bounding_box()
    x = box["x"] + 7
    y = box["y"] + 80
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20, steps=4)
    assert values(page)[4] > 0.25
    page.keyboard.press("Escape")
    page.mouse.move(x, y)
    page.mouse.up()
    assert values(page) == list(TEN_QUERIES)


@needs_browser
def test_by_keys_alone(page: Any) -> None:
    page.locator(".sway-knob").nth(4).focus()
    for key, value in [("ArrowUp", 0.21), ("PageUp", 0.31), ("End", 0.5), ("ArrowDown", 0.49), ("Home", -0.5)]:
        page.keyboard.press(key)
        assert values(page)[4] == value
        check(page)
    page.keyboard.press("Control+ArrowUp")  # the browser's own
    assert values(page)[4] == -0.5
    page.wait_for_function("document.querySelector('.sway .nx-live').textContent.startsWith('A is ahead')")
