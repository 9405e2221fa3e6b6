"""Differences to drag: JavaScript's numbers equal Python's, and Python's those of SciPy; every hand moves a bar."""

from __future__ import annotations

import json
import math
import random
import xml.etree.ElementTree as ElementTree
from itertools import product
from typing import Any

import numpy as np
import pytest
from alone import from_python, places, unnamed
from conftest import needs_browser
from javascript import call
from test_site import TOO_WIDE

from ndcg_nb.hood.show.pages import script
from ndcg_nb.hood.stats import paired as hood
from ndcg_nb.widgets import sway
from ndcg_nb.widgets.sway import (
    BINS,
    TEN_QUERIES,
    Sway,
    appraise,
    histogram,
    least,
    limit,
    needed,
    swapped,
    tails,
)

STATE = "application/vnd.ndcg_nb.sway+json"
REACH, TALL = 0.5, 178 / 2  # of the example's bars, and the pixels for it


def state(w: Sway) -> dict[str, Any]:
    "What a page is saved with"
    return json.loads(json.dumps(w.state, allow_nan=False))


def problems(count: int, seed: int) -> list[list[float]]:
    "Differences of every kind: few and many, with ties, all the same, all 0, of six digits, and from end to end"
    rng, made = random.Random(seed), []
    kinds = [
        lambda: rng.choice([-0.02, -0.01, 0, 0.01, 0.02]),
        lambda: round(rng.uniform(-0.3, 0.4), 2),
        lambda: round(rng.gauss(0.05, 0.1), 6),
        lambda: rng.choice([-1, 1, 0.5, 0]),
        lambda: round(rng.uniform(0, 1e-5), 6),
        lambda: 0.1,
        lambda: 0,
    ]
    while len(made) < count:
        kind, n = rng.choice(kinds), rng.randint(2, 12)
        made.append([float(kind()) for _ in range(n)])
    return made


# ---- In Python ----


def quantile(freedom: int, share: float) -> float:
    "Of Student's t, as SciPy has it: before 1.17 to ten digits, and to all of them after this step"
    stats = pytest.importorskip("scipy.stats")
    near = stats.t.ppf(share, freedom)
    return near - (stats.t.cdf(near, freedom) - share) / stats.t.pdf(near, freedom)


def test_the_example_is_a_good_story() -> None:
    w = sway()
    assert w.differences == list(TEN_QUERIES) and w.queries == [str(i) for i in range(1, 11)] and w.names == ["A", "B"]
    m = w.numbers
    assert (m["wins"], m["ties"], m["losses"], m["far"], m["of"]) == (7, 1, 2, 48, 1024)
    assert m["mean"] == 0.06 and m["low"] > 0
    assert abs(m["t"] - 0.040948) < 1e-6 and m["randomization"] == 0.046875 and m["sign"] == 92 / 512
    assert all(x == round(x, 2) for x in TEN_QUERIES)


def test_it_says_what_scipy_says() -> None:
    stats = pytest.importorskip("scipy.stats")
    asked = 0
    for d in [list(TEN_QUERIES), *problems(150, seed=1)]:
        m, x = appraise(d), np.array(d)
        wins, losses = int((x > 0).sum()), int((x < 0).sum())
        assert (m["wins"], m["ties"], m["losses"]) == (wins, len(d) - wins - losses, losses)
        expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
        assert m["sign"] == pytest.approx(expected, rel=1e-12)
        if np.ptp(x) > 0:
            answer = stats.ttest_1samp(x, 0)
            half = quantile(len(d) - 1, 0.975) * x.std(ddof=1) / math.sqrt(len(d))
            assert m["t"] == pytest.approx(answer.pvalue, rel=1e-9, abs=1e-12), d
            assert (m["low"], m["high"]) == pytest.approx((x.mean() - half, x.mean() + half), rel=1e-12, abs=1e-12)
            asked += 1
    assert asked > 80


def test_the_swaps_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for d in [list(TEN_QUERIES), *problems(25, seed=2)]:
        x = np.array([round(v * 1_000_000) for v in d], float)  # where its tolerance splits no tie
        zero = np.zeros(len(x))
        how = {"permutation_type": "samples", "n_resamples": np.inf, "alternative": "two-sided", "vectorized": True}
        answer = stats.permutation_test((x, zero), lambda a, b, axis: (a - b).sum(axis), **how)
        m = appraise(d)
        assert m["of"] == len(answer.null_distribution) == 2 ** len(d)
        assert m["far"] == (abs(answer.null_distribution) >= abs(x.sum())).sum()
        assert m["randomization"] == m["far"] / m["of"] == pytest.approx(answer.pvalue, abs=1e-12)


def test_compare_would_say_the_same() -> None:
    scipy = pytest.importorskip("scipy")
    exact = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 17)
    digits = 1e-12 if exact else 1e-10  # as far as its quantiles of t are right
    for d in [list(TEN_QUERIES), *problems(100, seed=3)]:
        row, m = np.array([d]), appraise(d)
        for name in ("t", "randomization", "sign"):
            [p] = hood.TESTS[name](row, 10_000, 0)
            assert m[name] == pytest.approx(p, rel=1e-9, abs=1e-12, nan_ok=True), (name, d)
        assert (m["low"], m["high"]) == pytest.approx(tuple(x[0] for x in hood.t_interval(row, 0.05)), abs=digits)


def test_equal_sums_are_equal() -> None:
    "Counted one by one, in fractions that are exact"
    for d in [[0.1, 0.2, 0.3], [0.1] * 12, [0.000001, -0.000001, 0.7], [1 / 3, 2 / 3, 1], *problems(40, seed=4)]:
        whole = [round(x * 1e6) for x in d]
        sums = [sum(s * x for s, x in zip(signs, whole)) for signs in product((1, -1), repeat=len(d))]
        assert sorted(swapped(whole)) == sorted(sums)
        assert appraise(d)["far"] == sum(abs(s) >= abs(sum(whole)) for s in sums) >= 2
    assert appraise([0.1, 0.2, 0.3])["far"] == 2 and appraise([0.1, 0.2, -0.3])["far"] == 8


def test_tails_and_limits() -> None:
    special = pytest.importorskip("scipy.special")
    for freedom in range(1, 12):
        for at in (0, 1e-9, 0.1, 1, 2.262, 5, 40, math.inf):
            assert tails(at, freedom) == pytest.approx(2 * special.stdtr(freedom, -at), rel=1e-9, abs=1e-13)
            assert tails(-at, freedom) == tails(at, freedom)
        for alpha in (0.05, 0.2):
            assert limit(freedom, alpha) == pytest.approx(quantile(freedom, 1 - alpha / 2), rel=1e-12)


def test_no_spread() -> None:
    same, none = appraise([0.1] * 5), appraise([0.0] * 5)
    assert math.isnan(same["t"]) and same["low"] == same["high"] == 0.1 and same["randomization"] == 2 / 32
    assert none["t"] == none["randomization"] == none["sign"] == 1 and none["low"] == none["high"] == 0
    assert repr(sway([-0.0, -1e-9]).differences) == "[0.0, 0.0]", "which no one reads as a loss"
    assert "p by t none" in sway([0.1] * 5).summary() and "A and B tie" in sway([0, 0]).summary()


def test_bins_hold_every_mean_and_are_the_same_on_both_sides() -> None:
    for d in [list(TEN_QUERIES), *problems(150, seed=5)]:
        m = appraise(d)
        for half in {least(needed(d, m["low"], m["high"])), 1.0}:
            every, out = histogram(d, half)
            assert len(every) == 2 * BINS + 1 and sum(every) == m["of"] and sum(out) == m["far"]
            assert every == every[::-1] and out == out[::-1]
        assert sum(abs(round(x * 1e6)) for x in d) / (1e6 * len(d)) <= least(needed(d, m["low"], m["high"])) <= 1


def test_what_a_hand_does_comes_to_python() -> None:
    w, seen = sway(), []
    w.observe(lambda change: seen.append(change["new"]["far"]), "numbers")
    w.set_state({"differences": [*TEN_QUERIES[:9], 0.5]})  # as the browser sends it
    assert w.differences[9] == 0.5 and seen == [w.numbers["far"]]
    w.differences = np.array(TEN_QUERIES, np.float32)
    assert w.differences == list(TEN_QUERIES) and seen[-1] == 48


def test_what_is_refused_changes_nothing() -> None:
    w = sway()
    before = state(w), w.numbers
    wrong = [
        None,
        [],
        [0.1],
        [0.1] * 9,
        [*TEN_QUERIES[:9], math.nan],
        [*TEN_QUERIES[:9], 1.5],
        [*TEN_QUERIES[:9], "0.1"],
        3,
    ]
    for value in wrong:
        with pytest.raises((ValueError, TypeError), match=r"^differences"):
            w.differences = value
    for name in ("queries", "names", "numbers"):
        with pytest.raises(Exception, match="read-only"):
            setattr(w, name, getattr(w, name))
    assert (state(w), w.numbers) == before


@pytest.mark.parametrize(
    "given, said",
    [
        ({"differences": []}, "differences has 0 numbers: give from 2 to 12"),
        ({"differences": [0.1]}, "differences has 1 numbers: give from 2 to 12"),
        ({"differences": [0.1] * 13}, "differences has 13 numbers: give from 2 to 12"),
        ({"differences": [0.1, math.nan]}, r"differences\[1\] is nan: leave out a query"),
        ({"differences": [0.1, np.float64("nan")]}, r"differences\[1\] is nan: leave out a query"),
        ({"differences": [0.1, math.inf]}, r"differences\[1\] is inf: give a number from -1 to 1"),
        ({"differences": [-1.01, 0]}, r"differences\[0\] is -1.01: give a number from -1 to 1"),
        ({"differences": [10**400, 0]}, r"differences\[0\] is 1000+: give a number from -1 to 1"),
        ({"differences": [0.1, None]}, r"differences\[1\] is None: give a number"),
        ({"differences": [0.1, "0.2"]}, r"differences\[1\] is '0.2': give a number"),
        ({"differences": [0.1, True]}, r"differences\[1\] is True: give a number"),
        ({"differences": [0.1, np.True_]}, r"differences\[1\] is .*True.*: give a number"),
        ({"differences": [[0.1], [0.2]]}, r"differences\[0\] is \[0.1\]: give a number"),
        ({"differences": "0.1"}, "differences is '0.1': give a list of 2 to 12 numbers"),
        ({"differences": 0.1}, "differences is 0.1: give a list of 2 to 12 numbers"),
        ({"differences": {"q": 0.1}}, "differences is {'q': 0.1}: give a list of 2 to 12 numbers"),
        ({"queries": ["a"]}, "queries has 1 texts: give 10, one for each difference"),
        ({"queries": "abcdefghij"}, "queries is 'abcdefghij': give a list of 10 texts"),
        ({"queries": range(10)}, r"queries\[0\] is 0: give a text"),
        ({"queries": ["q"] * 10}, "queries has 'q' twice"),
        ({"names": "AB"}, "names is 'AB': give a list of 2 texts"),
        ({"names": ("A",)}, "names has 1 texts: give 2, one for each system"),
        ({"names": ("A", "A")}, "names has 'A' twice"),
        ({"names": ("A", " ")}, r"names\[1\] is ' ': give a text"),
        ({"names": None}, "names is None: give a list of 2 texts"),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        sway(**given)


def test_the_picture_is_one() -> None:
    named = sway([0.1, -0.2], ["<&>", "a query with a long name"], names=("<old>", "new & good"))
    for w in [sway(), named, *map(sway, problems(40, seed=6))]:
        bundle = w._repr_mimebundle_()[0]
        root = ElementTree.fromstring(bundle["image/svg+xml"])
        words = "".join(root.itertext())
        assert all(part in words for part in w.summary().split("; ")) and "nan" not in bundle["image/svg+xml"]
        assert json.loads(json.dumps(bundle[STATE], allow_nan=False)) == state(w)
        for shape in root.iter("{http://www.w3.org/2000/svg}rect"):
            x, y, wide, tall = (float(shape.get(key, "nan")) for key in ("x", "y", "width", "height"))
            assert x >= 0 and x + wide <= 600 and y >= 0 and tall >= 0 and y + tall <= 370


def test_a_notebook_is_handed_one_way_to_render() -> None:
    assert "export function render" not in script("sway") and "export default { render: show }" in script("sway")


# ---- In JavaScript ----

ASK = """(sway, all) => all.map((d) => {
  const m = sway.appraise(d);
  const half = sway.least(sway.needed(d, m));
  return { ...m, half, ...sway.histogram(d, half) };
})"""


def test_javascript_computes_what_python_computes() -> None:
    asked = [list(TEN_QUERIES), *problems(300, seed=7)]
    for d, answer in zip(asked, call("sway", ASK, asked), strict=True):
        m = appraise(d)
        for name in ("wins", "ties", "losses", "far", "of"):
            assert answer[name] == m[name], (name, d)
        for name in ("mean", "low", "high", "randomization", "sign"):
            assert abs(answer[name] - m[name]) <= 1e-14, (name, d)
        assert math.isnan(answer["t"]) if math.isnan(m["t"]) else abs(answer["t"] - m["t"]) <= 1e-13, d
        assert answer["half"] == least(needed(d, m["low"], m["high"])), d
        assert (answer["all"], answer["out"]) == histogram(d, answer["half"]), d


# ---- In a browser ----


@pytest.fixture
def made(alone: Any) -> Any:
    return lambda w, width=800, theme="light": alone("sway", state(w), ".sway-knob", width, theme)


@pytest.fixture
def page(made: Any) -> Any:
    return made(sway())


def middle(page: Any, i: int) -> tuple[float, float]:
    box = page.locator(".sway-knob").nth(i).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def values(page: Any) -> list[float]:
    return page.locator(".sway-knob").evaluate_all("(all) => all.map((e) => Number(e.getAttribute('aria-valuenow')))")


def shown(page: Any) -> dict[str, str]:
    names = ("mean", "interval", "t", "randomization", "sign", "tally")
    texts = "(names) => names.map((name) => document.querySelector(`.sway-${name} .nx-figure`).innerText)"
    return {name: text.replace("−", "-") for name, text in zip(names, page.evaluate(texts, names), strict=True)}


def check(page: Any) -> dict[str, Any]:
    "What is shown is what Python says of the bars as they stand"
    m, texts = appraise(values(page)), shown(page)
    for name in ("mean", "t", "randomization", "sign"):
        assert float(texts[name].removeprefix("<")) == pytest.approx(
            m[name], abs=1.1e-3 if "<" in texts[name] else 6e-4
        )
    assert [float(x) for x in texts["interval"].split(" to ")] == pytest.approx([m["low"], m["high"]], abs=6e-4)
    assert texts["tally"] == f"{m['wins']}, {m['ties']}, {m['losses']}"
    assert f"{m['far']:,} of {m['of']:,} = " in page.locator(".sway-counted").inner_text()
    low = [name for name in ("t", "randomization", "sign") if m[name] < 0.05]
    assert page.locator(".sway-low").count() == len(low)
    return m


def drag(page: Any, i: int, up: float) -> None:
    x, y = middle(page, i)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - up, steps=10)
    page.mouse.up()


def swipe(page: Any, i: int, up: float) -> None:
    session, (x, y) = page.context.new_cdp_session(page), middle(page, i)
    points = [[{"x": x, "y": y - up * step / 10}] for step in range(11)]
    for kind, at in zip(["touchStart", *["touchMove"] * 10, "touchEnd"], [*points, []]):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


@needs_browser
@pytest.mark.parametrize("hand", [drag, swipe])
def test_one_query_far_up(page: Any, hand: Any) -> None:
    "The one thing to try: more for B, and t is less sure; randomisation does not move"
    before = check(page)
    wide = page.locator(".sway-swaps line.sway-interval").first.bounding_box()["width"]
    hand(page, 4, 45)
    page.wait_for_function("document.querySelectorAll('.sway-knob')[4].getAttribute('aria-valuenow') > 0.3")
    assert values(page)[4] == pytest.approx(0.2 + 45 * REACH / TALL, abs=0.006)
    after = check(page)
    assert after["mean"] > before["mean"] and after["t"] > 0.05 > before["t"]
    assert after["far"] == before["far"] == 48
    assert page.locator(".sway-swaps line.sway-interval").first.bounding_box()["width"] > wide * 1.3, "on the same axis"
    assert "by randomisation, not by the t-test" in page.locator(".sway-said").inner_text()
    hand(page, 4, 500)
    page.wait_for_function("document.querySelectorAll('.sway-knob')[4].getAttribute('aria-valuenow') === '0.5'")
    check(page)
    hand(page, 4, -500)
    page.wait_for_function("document.querySelectorAll('.sway-knob')[4].getAttribute('aria-valuenow') === '-0.5'")
    check(page)
    assert page.locator(".sway-said").inner_text().startswith("A is ahead by 0.010.")
    page.get_by_role("button", name="reset").click()
    assert values(page) == list(TEN_QUERIES) and check(page)["far"] == 48


@needs_browser
def test_values_snap_and_stay_under_the_hand(page: Any) -> None:
    for i, up in ((0, 13), (7, -31), (5, 7.5)):
        x, y = middle(page, i)
        drag(page, i, up)
        assert middle(page, i) == pytest.approx((x, y - up), abs=1.2)
    assert all(x == round(x, 2) for x in values(page))
    check(page)


@needs_browser
def test_a_mouse_takes_a_column_anywhere_and_a_finger_scrolls(page: Any) -> None:
    page.evaluate("document.body.style.height = '3000px'")
    x, y = middle(page, 4)
    page.mouse.click(x, y + 70)
    assert values(page) == list(TEN_QUERIES), "to touch is not to move"
    page.mouse.move(x, y + 70)
    page.mouse.down()
    page.mouse.move(x, y + 50, steps=4)
    assert values(page)[4] > 0.25
    page.keyboard.press("Escape")
    assert values(page) == list(TEN_QUERIES)
    page.mouse.move(x, y)
    page.mouse.up()
    assert values(page) == list(TEN_QUERIES), "what was let go is not held"
    session = page.context.new_cdp_session(page)
    for kind, at in [("touchStart", 70), *(("touchMove", 70 - 8 * j) for j in range(1, 9))]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y + at}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(150)
    assert values(page) == list(TEN_QUERIES)
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(20, y)  # left of the first column
    page.mouse.down()
    page.mouse.move(20, y - 40, steps=3)
    page.mouse.up()
    assert values(page) == list(TEN_QUERIES)


@needs_browser
def test_by_keys_alone(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "reset"
    for _ in range(3):
        page.keyboard.press("Tab")
    for key, value in [
        ("ArrowUp", 0), ("ArrowUp", 0.01), ("ArrowRight", 0.02), ("PageUp", 0.12), ("ArrowDown", 0.11),
        ("ArrowLeft", 0.1), ("PageDown", 0), ("PageDown", -0.1), ("End", 0.5), ("ArrowUp", 0.5), ("Home", -0.5),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert values(page)[2] == value, key
        check(page)
    assert page.evaluate("document.activeElement.getAttribute('aria-valuetext')") == "−0.5: A is better"
    page.wait_for_function("document.querySelector('.sway .nx-live').textContent.includes('of 1,024')")
    page.keyboard.press("Control+ArrowUp")
    assert values(page)[2] == -0.5, "other keys are not ours"


@needs_browser
def test_an_axis_grows_and_comes_back(page: Any) -> None:
    labels = "[...document.querySelectorAll('.sway-swaps text')].map((e) => e.textContent)"
    before = page.evaluate(labels)
    assert before[:5] == ["−0.25", "−0.125", "0", "0.125", "0.25"]
    for i in range(10):
        page.locator(".sway-knob").nth(i).press("End")
    assert page.evaluate(labels)[0] == "−1"
    assert shown(page)["t"] == "none" and shown(page)["interval"] == "0.500 to 0.500"
    for i in range(10):
        page.locator(".sway-knob").nth(i).press("PageDown")
    assert page.evaluate(labels)[0] == "−1", "it does not jump back under the hand"
    page.get_by_role("button", name="reset").click()
    assert page.evaluate(labels) == before


@needs_browser
@pytest.mark.parametrize("theme, width", [("dark", 390), ("light", 1280)])
def test_it_fits_and_nothing_moves_but_by_hand(made: Any, theme: str, width: int) -> None:
    long = [f"a query of many words, the {i}th of them" for i in range(12)]
    names = ("bm25, tuned on the queries of last year", "dense <retrieval> & more")
    for w in (sway(), sway(problems(1, seed=9)[0]), sway([-1, 1] * 6, long, names), sway([0, 0])):
        page = made(w, width, theme)
        assert page.evaluate(TOO_WIDE) == []
        assert page.locator(".nx-numbers").evaluate("e => getComputedStyle(e).position") == "static", (
            "it lies on nothing"
        )
        parts = ".sway, .sway > :not(.nx-live)"
        tops, before = places(page, parts), page.locator(".sway").inner_html()
        page.wait_for_timeout(150)
        assert page.locator(".sway").inner_html() == before
        if w.names == ["A", "B"]:
            for key in ("End", "Home", "PageUp"):
                page.locator(".sway-knob").nth(1).press(key)
                assert places(page, parts) == tops, key
        assert unnamed(page, ".sway") == []
        page.set_viewport_size({"width": 330, "height": 800})
        page.wait_for_timeout(100)
        assert page.evaluate(TOO_WIDE) == [], "it is drawn anew where it has less room"


@needs_browser
def test_python_sways_it_too(window: Any) -> None:
    w, page = sway(), window.new_page()
    before = state(w)
    w.differences = [0.9, *TEN_QUERIES[1:]]
    changed = {"differences": state(w)["differences"]}
    [figures], listening = from_python(page, "sway", before, changed, ".nx-figure")
    page.close()
    m = w.numbers
    assert figures[0] == f"{m['mean']:.3f}" and figures[3] == f"{m['randomization']:.3f}"
    assert figures[2] == f"{m['t']:.3f}" and figures[5] == "7, 1, 2"
    assert listening == [], "what is gone listens no more"
