"""The noise machine: JavaScript's numbers equal Python's, and Python's those of `compare`; it plays, and it stops."""

from __future__ import annotations

import json
import math
import random
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest
from alone import from_python, places, unnamed
from conftest import needs_browser
from javascript import call
from test_site import TOO_WIDE

from ndcg_nb.hood.show.pages import script
from ndcg_nb.hood.stats import paired as hood
from ndcg_nb.widgets import noise
from ndcg_nb.widgets.noise import LIMITS, Noise, draw_sets, intervals, mix, power, tally, uniforms

STATE = "application/vnd.ndcg_nb.noise+json"


def state(w: Noise) -> dict[str, Any]:
    "What a page is saved with"
    return json.loads(json.dumps(w.state, allow_nan=False))


def worlds(count: int, seed: int) -> list[dict[str, Any]]:
    "Settings of every kind: at the ends of every slider, and between them"
    rng = random.Random(seed)
    made = [{"difference": 0.03, "queries": 50, "spread": 0.1, "draws": 20, "seed": 1}]
    for ends in range(2):
        made.append({name: limits[ends] for name, limits in LIMITS.items()})
    while len(made) < count:
        difference = rng.choice([0, 0.001, round(rng.uniform(0, 0.1), 3)])
        queries, spread = rng.randint(5, 200), round(rng.uniform(0.01, 0.3), 3)
        some = {"draws": rng.choice([0, 1, 2, 30, 100, 150]), "seed": rng.choice([0, 1, 2**31, rng.getrandbits(32)])}
        made.append({"difference": difference, "queries": queries, "spread": spread, **some})
    return made


# ---- In Python ----


def test_the_example_is_a_good_story() -> None:
    w = noise()
    assert w.state == {"difference": 0.03, "queries": 50, "spread": 0.1, "draws": 20, "seed": 1}
    assert 0.5 < w.numbers["power"] < 0.6
    assert w.numbers | {"power": 0} == {"won": 20, "better": 10, "worse": 0, "missed": 1, "power": 0}
    assert w.summary() == (
        "10 of 20 draws found B better with p < 0.05; 1 interval missed the true difference 0.03. "
        "In the long run 55 % have p < 0.05: that is the power."
    )
    assert repr(w) == f"noise(0.03, 50, 0.1, draws=20, seed=1): {w.summary()}"


def test_words_for_nothing_drawn_and_nothing_to_find() -> None:
    assert noise(draws=0).summary().startswith("Nothing has been drawn yet. In the long run 55 % have p < 0.05: ")
    assert noise(draws=0).latest() == {}
    none = noise(0, draws=100)
    assert none.numbers["better"] + none.numbers["worse"] == none.numbers["missed"] == 4
    assert none.summary() == (
        "3 of 100 draws found B better with p < 0.05 and 1 found A better; 4 intervals missed the true difference 0. "
        "In the long run 5 % have p < 0.05: all of them false alarms."
    )


def test_a_draw_says_what_compare_says() -> None:
    pytest.importorskip("scipy")
    for given in worlds(40, seed=1):
        w, sets = noise(**given), draw_sets(**given)
        if not w.draws:
            continue
        mean, low, high = intervals(sets)
        assert np.allclose([low, high], hood.t_interval(sets, 0.05), rtol=0, atol=1e-9)
        p = hood.student(sets)
        assert np.array_equal(p < 0.05, (low > 0) | (high < 0))
        assert w.numbers["won"] == (sets.mean(axis=1) > 0).sum()
        assert w.numbers["missed"] == (hood.student(sets - w.difference) < 0.05).sum()
        told = {"mean": mean[-1], "low": low[-1], "high": high[-1], "p": p[-1]}
        assert w.latest() == pytest.approx(told, rel=1e-9, abs=1e-12)


def test_power_is_the_formula_and_what_is_counted() -> None:
    pytest.importorskip("scipy")
    for given in worlds(40, seed=2):
        world = {name: given[name] for name in ("difference", "queries", "spread")}
        formula = hood.power_of(world["queries"], world["difference"] / world["spread"], 0.05)
        assert power(**world) == pytest.approx(formula, abs=1e-5), world
        counts = tally(draw_sets(**world, seed=given["seed"], draws=1000), world["difference"])
        error = math.sqrt(formula * (1 - formula) / 1000)
        assert abs(counts["better"] + counts["worse"] - 1000 * formula) <= 4000 * error + 1, world
        assert abs(counts["missed"] - 50) <= 4 * math.sqrt(1000 * 0.05 * 0.95)


def test_what_is_drawn_is_normal_and_each_draw_is_another() -> None:
    stats = pytest.importorskip("scipy.stats")
    for seed in (0, 1, 2**32 - 1):
        sets = draw_sets(0, 200, 1, seed, 1000)
        assert stats.kstest(sets.ravel(), "norm").pvalue > 0.001
        assert len(np.unique(sets.round(12))) > 199_000
        assert abs(np.corrcoef(sets[:, :-1].ravel(), sets[:, 1:].ravel())[0, 1]) < 0.01
        assert abs(np.corrcoef(sets[:-1].ravel(), sets[1:].ravel())[0, 1]) < 0.01
    assert not np.allclose(draw_sets(0, 200, 1, 1, 2), draw_sets(0, 200, 1, 2, 2), atol=0.1)


def test_a_slider_changes_the_world_and_not_the_luck() -> None:
    few, many = draw_sets(0.03, 7, 0.1, 5, 40), draw_sets(0.03, 200, 0.1, 5, 60)
    assert np.array_equal(few, many[:40, :7])
    assert np.allclose(draw_sets(0.1, 7, 0.2, 5, 40), 0.1 + 2 * (few - 0.03), rtol=0, atol=1e-12)


def test_what_a_hand_does_comes_to_python() -> None:
    w, seen = noise(), []
    w.observe(lambda change: seen.append(change["new"]["better"]), "numbers")
    w.set_state({"draws": 100})  # as the browser sends it
    assert seen == [63] and w.numbers["better"] == 63
    w.set_state({"queries": 200, "difference": 0})
    assert (w.queries, w.difference) == (200, 0) and w.numbers["power"] == pytest.approx(0.05, abs=1e-5)
    w.difference = np.float32(0.03)
    assert w.difference == 0.03 and w.numbers["power"] > 0.98
    assert repr(noise(-0.0).difference) == "0.0"


@pytest.mark.parametrize(
    "given, said",
    [
        ({"difference": -0.01}, "difference is -0.01: give a number from 0 to 0.1"),
        ({"difference": 0.11}, "difference is 0.11: give a number from 0 to 0.1"),
        ({"difference": math.nan}, "difference is nan: give a number"),
        ({"difference": "0.03"}, "difference is '0.03': give a number"),
        ({"difference": None}, "difference is None: give a number"),
        ({"difference": True}, "difference is True: give a number"),
        ({"spread": 0}, "spread is 0: give a number from 0.01 to 0.3"),
        ({"spread": math.inf}, "spread is inf: give a number"),
        ({"queries": 4}, "queries is 4: give a whole number from 5 to 200"),
        ({"queries": 201}, "queries is 201: give a whole number from 5 to 200"),
        ({"queries": 50.0}, "queries is 50.0: give a whole number"),
        ({"queries": np.True_}, "queries is .*True.*: give a whole number"),
        ({"draws": -1}, "draws is -1: give a whole number from 0 to 1000"),
        ({"draws": 1001}, "draws is 1001: give a whole number"),
        ({"seed": None}, "seed is None: give a whole number from 0 to 4294967295"),
        ({"seed": 2**32}, "seed is 4294967296: give a whole number"),
    ],
)
def test_what_is_refused_changes_nothing(given: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{said}"):
        noise(**given)
    w = noise()
    before = state(w), w.numbers
    [(name, value)] = given.items()
    with pytest.raises((TypeError, ValueError), match=f"^{said}"):
        setattr(w, name, value)
    with pytest.raises(Exception, match="read-only"):
        w.numbers = {}
    assert (state(w), w.numbers) == before


def test_the_picture_is_one() -> None:
    for given in worlds(30, seed=3):
        w = noise(**given)
        bundle = w._repr_mimebundle_()[0]
        root = ElementTree.fromstring(bundle["image/svg+xml"])
        words = "".join(root.itertext())
        assert all(part.rstrip(".") in words for part in re.split("[;.] ", w.summary())), "what is said"
        assert json.loads(json.dumps(bundle[STATE], allow_nan=False)) == state(w)
        means = [*root.iter("{http://www.w3.org/2000/svg}circle")]
        assert len(means) == min(100, w.draws)
        assert all(8 <= float(dot.get("cx", "nan")) <= 592 and 20 < float(dot.get("cy", "nan")) < 284 for dot in means)
        orange = sum(dot.get("fill") == "#d1600a" for dot in means)
        assert w.draws > 100 or orange == w.numbers["missed"]


def test_a_notebook_is_handed_one_way_to_render() -> None:
    assert "export function render" not in script("noise") and "export default { render: show }" in script("noise")


# ---- In JavaScript ----

ASK = """(noise, all) => all.map((world) => {
  const drawn = noise.pile(world, 0, world.draws);
  const counts = noise.tally(drawn, world);
  const power = noise.power(world);
  const said = noise.summary(world, counts, power);
  return { counts, power, drawn, said, last: noise.differences(world, world.draws) };
})"""
# As its author wrote it: a state that grows, and is mixed
MULBERRY = """(_, seeds) => seeds.map((seed) => {
  let a = seed;
  const next = () => {
    a |= 0; a = a + 0x6D2B79F5 | 0;
    let t = Math.imul(a ^ a >>> 15, 1 | a);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
  return [next(), next(), next()];
})"""


def test_the_limits_are_the_same() -> None:
    assert call("noise", "(noise) => noise.LIMITS") == {name: list(ends) for name, ends in LIMITS.items()}


def test_javascript_computes_what_python_computes() -> None:
    asked = worlds(60, seed=4)
    for given, answer in zip(asked, call("noise", ASK, asked), strict=True):
        w = noise(**given)
        assert answer["counts"] | {"power": answer["power"]} == pytest.approx(w.numbers, rel=0, abs=1e-12), given
        assert answer["said"] == w.summary()
        *sets, last = draw_sets(**given | {"draws": w.draws + 1})
        assert answer["last"] == pytest.approx(last.tolist(), rel=0, abs=1e-12)
        if w.draws:
            ours = np.array(
                [sets[-1].mean(), sets[-1].std(ddof=1), *(w.latest()[name] for name in ("low", "high", "p"))]
            )
            theirs = [answer["drawn"][-1][name] for name in ("mean", "sd", "low", "high", "p")]
            assert np.allclose(theirs, ours, rtol=0, atol=1e-12), given


def test_the_generator_is_mulberry32() -> None:
    "With the seed mixed first, so that neighbouring seeds are far apart"
    seeds = [0, 1, 7, 2**31, 2**32 - 1]
    starts = mix(np.array(seeds, np.uint32)).tolist()
    for seed, answer in zip(seeds, call("noise", MULBERRY, starts), strict=True):
        assert uniforms(seed, np.arange(3)).tolist() == answer
    places = call("noise", "(noise, all) => all.map((s) => [0, 1, 399999].map((i) => noise.uniform(s, i)))", seeds)
    assert places == [uniforms(seed, np.array([0, 1, 399_999])).tolist() for seed in seeds]


# ---- In a browser ----


@pytest.fixture
def made(alone: Any) -> Any:
    return lambda w, *look: alone("noise", state(w), ".noise-said:not(:empty)", *look)


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def figure(page: Any, name: str) -> str:
    return page.locator(f".noise-{name} .nx-figure").inner_text()


def slider(page: Any, name: str) -> Any:
    return page.get_by_role("slider", name=name, exact=True)


def check(page: Any, **given: Any) -> Noise:
    "What is shown is what Python says of the same world"
    w = noise(**given)
    assert figure(page, "draws") == str(w.draws)
    assert page.locator(".noise-said").inner_text() == w.summary()
    counts = w.numbers | {"found": w.numbers["better"] + w.numbers["worse"]}
    for name in ("won", "found", "missed"):
        assert figure(page, name).split(" ")[0] == str(counts[name])
    assert figure(page, "power") == f"{int(100 * counts['power'] + 0.5)} %"
    rows = page.locator(".noise-plot g")
    assert rows.count() == min(100, w.draws)
    assert w.draws > 100 or page.locator("g.noise-miss").count() == counts["missed"]
    if w.draws:
        told = page.locator(".noise-last").inner_text().replace("−", "-")
        numbers = [float(x) for x in re.findall(r"-?\d+\.\d+", told.removeprefix(f"Draw {w.draws}: "))]
        assert numbers[0] == pytest.approx(w.latest()["mean"], abs=6e-4)
        assert numbers[-1] == pytest.approx(w.latest()["p"], abs=1.1e-3)
    return w


@needs_browser
def test_it_plays_and_stops(made: Any) -> None:
    page = made(noise())
    check(page)
    page.wait_for_timeout(300)
    check(page)  # nothing moves unless it is started
    live = page.locator(".noise .nx-live")
    button(page, "play").click()
    page.wait_for_function("Number(document.querySelector('.noise-draws .nx-figure').innerText) >= 25")
    assert page.locator(".noise-landing").count() == 1
    assert live.inner_text() == "", "nothing is read out while it plays"
    button(page, "pause").click()
    draws = int(figure(page, "draws"))
    assert draws >= 25
    check(page, draws=draws)
    page.wait_for_timeout(300)
    check(page, draws=draws)
    page.wait_for_function("document.querySelector('.noise .nx-live').textContent.startsWith('1')")
    assert live.text_content() == page.locator(".noise-said").inner_text()
    button(page, "play").click()
    page.wait_for_function(f"Number(document.querySelector('.noise-draws .nx-figure').innerText) > {draws}")
    button(page, "start over").click()
    check(page, draws=0, seed=2)
    assert button(page, "play").is_visible(), "who starts over has stopped"
    page.wait_for_timeout(300)
    check(page, draws=0, seed=2)


@needs_browser
def test_a_full_pile_makes_room(made: Any) -> None:
    page = made(noise(draws=996))
    button(page, "play").click()
    page.wait_for_function("document.querySelector('.noise-draws .nx-figure').innerText === '1000'")
    assert button(page, "play").is_visible(), "it stops where it is full"
    check(page, draws=1000)
    assert page.get_by_role("img").get_attribute("aria-label").startswith("The latest 100 of 1000 intervals")
    button(page, "draw 100").click()
    check(page, draws=100, seed=2)


@needs_browser
def test_one_and_a_hundred_at_once(made: Any) -> None:
    page = made(noise(draws=0))
    assert page.locator(".noise-last").inner_text() == "Each draw has its own queries."
    button(page, "draw one").click()
    check(page, draws=1)
    for draws in (101, 201):
        button(page, "draw 100").click()
        check(page, draws=draws)
    assert page.locator(".noise-landing").count() == 0


@needs_browser
def test_who_wants_no_motion_draws_by_hand(made: Any) -> None:
    page = made(noise(), 800, "light", "reduce")
    assert page.locator(".noise-play").is_hidden()
    button(page, "draw 100").click()
    check(page, draws=120)
    page.emulate_media(reduced_motion="no-preference")
    page.wait_for_selector(".noise-play:visible")
    button(page, "play").click()
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_selector(".noise-play", state="hidden")
    draws = int(figure(page, "draws"))
    page.wait_for_timeout(300)
    check(page, draws=draws)


@needs_browser
def test_sliders_change_the_world_under_the_same_draws(made: Any) -> None:
    page = made(noise(draws=100))
    before = page.locator(".noise-plot g line").first.bounding_box()["width"]
    slider(page, "queries").fill("200")
    assert check(page, queries=200, draws=100).numbers["power"] > 0.98
    assert page.locator(".noise-plot g line").first.bounding_box()["width"] < 0.6 * before, "on the same axis"
    slider(page, "spread").fill("0.3")
    check(page, queries=200, spread=0.3, draws=100)
    slider(page, "true difference").fill("0")
    check(page, difference=0, queries=200, spread=0.3, draws=100)
    assert page.locator(".noise-power .nx-term").inner_text() == "false alarms"
    assert page.locator("g.noise-found").count() == 0, "where nothing is to be found, what is found is a miss"


@needs_browser
def test_by_keys_alone(made: Any) -> None:
    page = made(noise())
    at = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"
    reached = []
    for _ in range(7):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(at))
    assert reached == ["true difference", "queries", "spread", "play", "draw one", "draw 100", "start over"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    check(page, draws=120)
    slider(page, "queries").focus()
    page.keyboard.press("ArrowRight")
    check(page, queries=51, draws=120)
    page.keyboard.press("End")
    check(page, queries=200, draws=120)
    button(page, "play").focus()
    page.keyboard.press("Space")
    page.wait_for_function("Number(document.querySelector('.noise-draws .nx-figure').innerText) > 121")
    page.keyboard.press("Space")
    draws = int(figure(page, "draws"))
    page.wait_for_timeout(300)
    check(page, queries=200, draws=draws)
    assert page.evaluate(at) == "play", "the focus stays where it was"


@needs_browser
@pytest.mark.parametrize("theme, width", [("dark", 390), ("light", 1280)])
def test_it_fits_and_nothing_jumps(made: Any, theme: str, width: int) -> None:
    for w in (noise(draws=0), noise(0.1, 5, 0.3, draws=1000), noise(0, draws=100)):
        page = made(w, width, theme)
        assert page.evaluate(TOO_WIDE) == []
        parts = ".noise, .noise > :not(.nx-live), .noise button"
        overlaps = """[...document.querySelectorAll('.noise-numbers .nx-term, .noise-numbers .nx-figure')]
          .filter((e) => e.scrollWidth > e.parentElement.clientWidth + 1).map((e) => e.textContent)"""
        tops = places(page, parts)
        assert page.evaluate(overlaps) == []
        button(page, "draw 100").click()
        assert places(page, parts) == tops
        slider(page, "spread").fill("0.3")
        slider(page, "queries").fill("5")
        assert places(page, parts) == tops
        inside = """[...document.querySelectorAll('.noise-plot g line')].every((e) =>
          e.getBoundingClientRect().left >= document.querySelector('.noise').getBoundingClientRect().left &&
          e.getBoundingClientRect().right <= document.querySelector('.noise').getBoundingClientRect().right)"""
        assert page.evaluate(inside)
        assert unnamed(page, ".noise") == []
        page.set_viewport_size({"width": 330, "height": 800})
        page.wait_for_timeout(100)
        assert page.evaluate(TOO_WIDE) == [], "it is drawn anew where it has less room"


@needs_browser
def test_python_sets_it_too(window: Any) -> None:
    before, after, page = noise(), noise(0.05, 34, 0.12, draws=60, seed=9), window.new_page()
    [[shown]], listening = from_python(page, "noise", state(before), state(after), ".noise-said")
    page.close()
    assert shown == after.summary()
    assert listening == [], "what is gone listens no more"
