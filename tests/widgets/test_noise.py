"""The noise machine: it draws normal numbers, its intervals and power are SciPy's; it plays, and it stops."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from conftest import needs_browser
from scipy import stats
from shared.alone import state_of
from shared.javascript import call, needs_node

from ndcg_nb.widgets import noise
from ndcg_nb.widgets.noise import LIMITS


def worlds(count: int, seed: int) -> list[dict[str, Any]]:
    "Settings of every kind: at the ends of every slider, and between them"
    rng = random.Random(seed)
    made = [state_of(noise())] + [{name: ends[i] for name, ends in LIMITS.items()} for i in range(2)]
    while len(made) < count:
        difference = rng.choice([0, 0.001, round(rng.uniform(0, 0.1), 3)])
        queries = rng.randint(5, 200)
        spread = round(rng.uniform(0.01, 0.3), 3)
        some = {"draws": rng.choice([0, 1, 2, 30, 100]), "seed": rng.choice([0, 1, 2**31, rng.getrandbits(32)])}
        made.append({"difference": difference, "queries": queries, "spread": spread, **some})
    return made


def power(difference: float, queries: int, spread: float) -> float:
    "How often p is below 0.05 in the long run"
    critical = stats.t.ppf(0.975, queries - 1)
    t = stats.nct(queries - 1, np.sqrt(queries) * difference / spread)
    return float(t.sf(critical) + np.nan_to_num(t.cdf(-critical)))  # which SciPy cannot tell from 0


ASK = """(noise, all) => all.map((world) => {
  const drawn = noise.pile(world, 0, world.draws);
  const sets = drawn.map((_, i) => noise.differences(world, i));
  return { drawn, sets, counts: noise.tally(drawn, world), power: noise.power(world) };
})"""


@needs_node
def test_each_draw_says_what_scipy_says_of_it() -> None:
    asked = worlds(30, seed=4)
    for world, answer in zip(asked, call("noise", ASK, asked), strict=True):
        how = [world[name] for name in ("difference", "queries", "spread")]
        assert answer["power"] == pytest.approx(power(*how), abs=1e-5), world
        if not world["draws"]:
            continue
        sets = np.array(answer["sets"])
        drawn = answer["drawn"]
        test = stats.ttest_1samp(sets, 0, axis=1)
        low, high = test.confidence_interval(0.95)
        for name, values in {"mean": sets.mean(1), "low": low, "high": high, "p": test.pvalue}.items():
            assert [x[name] for x in drawn] == pytest.approx(values.tolist(), rel=1e-9, abs=1e-9), (name, world)
        missed = (low > world["difference"]) | (high < world["difference"])
        counted = {"won": sets.mean(1) > 0, "better": low > 0, "worse": high < 0, "missed": missed}
        assert answer["counts"] == {name: int(x.sum()) for name, x in counted.items()}


@needs_node
def test_what_is_drawn_is_normal_and_a_slider_changes_the_world_not_the_luck() -> None:
    draw = "(noise, world, n) => Array.from({ length: n }, (_, i) => noise.differences(world, i))"
    world = {"difference": 0, "queries": 200, "spread": 1, "seed": 1}
    sets = np.array(call("noise", draw, world, 500))
    assert stats.kstest(sets.ravel(), "norm").pvalue > 0.001
    assert len(np.unique(sets.round(12))) > 99_000
    assert abs(np.corrcoef(sets[:, :-1].ravel(), sets[:, 1:].ravel())[0, 1]) < 0.01
    few = np.array(call("noise", draw, world | {"queries": 7, "spread": 2, "difference": 0.1}, 40))
    assert np.allclose(few, 0.1 + 2 * sets[:40, :7])


def test_the_world_at_first() -> None:
    assert noise().state == {"difference": 0.03, "queries": 50, "spread": 0.1, "draws": 100, "seed": 1}


# ---- In a browser ----


@pytest.fixture
def made(alone: Any) -> Any:
    return lambda w: alone("noise", state_of(w), ".noise-said:not(:empty)")


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def figure(page: Any, name: str) -> str:
    return page.locator(f".noise-{name} .nx-figure").inner_text()


def slider(page: Any, name: str) -> Any:
    return page.get_by_role("slider", name=name, exact=True)


def check(page: Any, draws: int, difference: float = 0.03, queries: int = 50, spread: float = 0.1) -> None:
    "What is shown is about these draws of this world"
    assert figure(page, "draws") == str(draws)
    assert figure(page, "power") == f"{int(100 * power(difference, queries, spread) + 0.5)}%"
    assert page.locator(".noise-plot g").count() == min(100, draws)
    counted = {"found": ".noise-found, .noise-miss", "missed": ".noise-miss"}
    if draws <= 100:
        assert figure(page, "missed").split(" ")[0] == str(page.locator(f"g:is({counted['missed']})").count())
    sentence = page.locator(".noise-said").inner_text()
    assert f" of {draws} draws found B better" in sentence or not draws


@needs_browser
def test_it_plays_and_stops(made: Any) -> None:
    page = made(noise(draws=20))
    check(page, 20)
    page.wait_for_timeout(300)
    check(page, 20)  # nothing moves unless it is started
    button(page, "play").click()
    page.wait_for_function("Number(document.querySelector('.noise-draws .nx-figure').innerText) >= 25")
    assert page.locator(".noise .nx-live").inner_text() == "", "nothing is read out while it plays"
    button(page, "pause").click()
    draws = int(figure(page, "draws"))
    page.wait_for_timeout(300)
    check(page, draws)
    page.wait_for_function("document.querySelector('.noise .nx-live').textContent.includes('draws found B')")
    button(page, "start over").click()
    check(page, 0)
    for press, draws in [("draw one", 1), ("draw 100", 101), ("draw 100", 201)]:
        button(page, press).click()
        check(page, draws)


@needs_browser
def test_sliders_change_the_world_under_the_same_draws(made: Any) -> None:
    page = made(noise())
    check(page, 100)
    for name, words in {"difference": "true difference", "queries": "queries", "spread": "spread"}.items():
        ends = tuple(float(slider(page, words).get_attribute(end)) for end in ("min", "max"))
        assert ends == LIMITS[name], "a slider goes as far as Python"
    before = page.locator(".noise-plot g line").first.bounding_box()["width"]
    slider(page, "queries").fill("200")
    check(page, 100, queries=200)
    assert page.locator(".noise-plot g line").first.bounding_box()["width"] < 0.6 * before, "on the same axis"
    slider(page, "true difference").fill("0")
    check(page, 100, difference=0, queries=200)
    assert page.locator(".noise-power .nx-term").inner_text() == "false alarms"
    slider(page, "spread").focus()
    page.keyboard.press("End")
    check(page, 100, difference=0, queries=200, spread=0.3)
    reached = []
    slider(page, "true difference").focus()
    for _ in range(6):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
        )
    assert reached == ["queries", "spread", "play", "draw one", "draw 100", "start over"]
