"""The discount that bends: JavaScript's numbers are those of `ndcg`, its flips are zeros, and every hand bends it."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from conftest import needs_browser
from shared.alone import TOO_WIDE, drag, middle, places, state_of, swipe, unnamed
from shared.javascript import call, needs_node

from ndcg_nb import ndcg
from ndcg_nb.widgets import bend
from ndcg_nb.widgets.bend import TWO_LISTS, Bend

A, B = TWO_LISTS
POOL = [3, 2, 2, 2, 2, 2, 1, 1, 0, 0, 0]


def form_of(discount: Any) -> Any:
    "A discount as `ndcg` takes it"
    return (lambda rank: discount[1] ** (rank - 1)) if discount[0] == "geometric" else discount


def numbers(w: Bend) -> list[float]:
    "nDCG of both lists"
    return [ndcg(w.gains[x], w.k, pool=w.gains["pool"], discount=form_of(w.discount)) for x in "ab"]


def problems(count: int, seed: int) -> list[Bend]:
    "Pairs of lists of every kind: short and long, with few changes of sign and many, tied and cut"
    rng = random.Random(seed)
    made = []
    grades = [
        lambda: rng.choice([0, 0, 1, 2, 3]),
        lambda: rng.choice([0, 0.1, 0.25, rng.random()]),
        lambda: rng.choice([0, 1]),
    ]
    while len(made) < count:
        n = rng.choice([1, 2, 3, *range(4, 13), 32])
        grade = rng.choice(grades)
        a, b = ([grade() for _ in range(n)] for _ in "ab")
        if rng.random() < 0.4:
            b = rng.sample(a, n)  # which tie where nothing is discounted
        if not any([*a, *b]):
            continue
        pool = [*a, *b, *(grade() for _ in range(rng.choice([0, 0, 5])))] if rng.random() < 0.5 else None
        forms = ["log2", "even", "zipf", ("power", rng.uniform(0, 3)), ("geometric", rng.random()), ("power", 7.5)]
        how = {"pool": pool, "discount": rng.choice(forms), "gain": rng.choice(["linear", "exp"])}
        made.append(bend(a, b, rng.choice([None, None, 1, 3, 5, 40]), **how))
    return made


ASK = """({ weigh, flips, familyOf, reachOf }, states) => states.map((state) => {
  const { at } = flips(state, familyOf(state.discount), reachOf(state.discount));
  return { ...weigh(state), flips: at };
})"""


@needs_node
def test_javascript_computes_what_ndcg_computes() -> None:
    asked = problems(200, seed=1)
    for w, answer in zip(asked, call("bend", ASK, [state_of(w) for w in asked]), strict=True):
        a, b = numbers(w)
        assert (answer["a"], answer["b"]) == pytest.approx((a, b), abs=1e-12), w
        assert answer["gap"] == pytest.approx(a - b, abs=1e-12)


@needs_node
def test_flips_are_where_the_sign_changes() -> None:
    "A fine grid finds no change of sign that was overlooked, and none that is not there"
    asked = [w for w in problems(250, seed=3) if w.discount[0] != "geometric"]
    flipped = 0
    for w, answer in zip(asked, call("bend", ASK, [state_of(w) for w in asked]), strict=True):
        more = np.subtract(w.gains["a"], w.gains["b"])[: w.k]
        ranks = np.arange(1.0, len(more) + 1)
        sides = []
        assert len(answer["flips"]) <= np.count_nonzero(np.diff(np.sign(more[more != 0]))), "the rule of Descartes"
        for low, high in pairwise([0, *answer["flips"], 3 if w.discount == "log2" else max(3, w.discount[1])]):
            parts = more * ranks ** -np.linspace(low, high, 42)[1:-1, None]
            signs = {*np.sign(parts.sum(1)[abs(parts.sum(1)) > 1e-12 * abs(parts).sum(1)])}
            assert len(signs) == (1 if more.any() else 0), (more, answer["flips"])
            sides += signs
        assert all(one == -other for one, other in pairwise(sides))
        flipped += bool(answer["flips"])
    assert flipped > 20
    roots = [[0.5], [0.2, 0.9], [0.1, 0.3, 0.8], [0.5, 0.501]]
    terms = [[[c, x] for x, c in enumerate(np.poly1d(np.poly(r)).coeffs[::-1])] for r in roots]
    for found, wanted in zip(call("bend", "(m, all) => all.map((x) => m.crossings(x, 50))", terms), roots, strict=True):
        assert np.exp(np.negative(found)) == pytest.approx(sorted(wanted, reverse=True), abs=1e-9)


def test_what_is_said() -> None:
    words = {
        "change places at β = 0.381 and 1.561.": bend([1, 0, 1, 1, 3, 3], [0, 3, 2, 3, 0, 0]),
        "A and B tie. A is not behind at any β from 0 to 3.": bend([3, 1], [1, 3], discount="even"),
        "A and B tie. They are worth the same at every rank.": bend([3, 1], [3, 1]),
        "B is not behind at any p.": bend([1], [3], discount=("geometric", 0.5)),
        "A is not behind at any β from 0 to 5.": bend([3, 2], [1, 0], discount=("power", 4.5)),
    }
    verdicts = "({ verdict }, states) => states.map((state) => verdict(state).join(' '))"
    for said, found in zip(words, call("bend", verdicts, [state_of(w) for w in words.values()]), strict=True):
        assert said in found


def test_python_holds_the_discount_and_the_cutoff() -> None:
    w = bend()
    assert (w.a, w.b, w.discount, w.gains["pool"]) == (A, B, ("power", 0.5), POOL)
    w.set_state({"discount": ["geometric", 0.6], "k": 4})  # as the browser sends it
    assert w.discount == ("geometric", 0.6)
    assert w.k == 4
    before = state_of(w)
    for name, values in {
        "discount": ["steep", ("power", -1), ("geometric", 1.01), None, 3],
        "k": [0, 2.5, "3", [1, 2]],
    }.items():
        for value in values:
            with pytest.raises((ValueError, TypeError), match=r"^(discount|k) is .+: (give|beta|p) "):
                setattr(w, name, value)
    assert state_of(w) == before, "what is refused changes nothing"
    for given, why in [
        ((A, B[:5]), "a has 6 results and b has 5"),
        (([1] * 33, [1] * 33), "give from 1 to 32"),
        (([3, -1], [0, 0]), "is -1, with gain -1"),
        (([0], [0]), "no relevant document in the pool"),
    ]:
        with pytest.raises(ValueError, match=why):
            bend(*given)
    with pytest.raises(TypeError, match="b is None"):
        bend(A, None)
    with pytest.raises(ValueError, match="holds 2 more often than its pool"):
        bend(A, B, pool=A)


# ---- In a browser ----


@pytest.fixture
def made(alone):
    return lambda w, width=800, theme="light": alone("bend", state_of(w), ".bend-said:not(:empty)", width, theme)


@pytest.fixture
def page(made):
    return made(bend())


def said(page) -> str:
    return page.locator(".bend-said").inner_text()


def formula(page) -> str:
    return page.locator(".bend-plot text", has_text="weighs").text_content().partition(": ")[2]


def check(page, form: Any, k: int | None = None) -> None:
    "What is shown is what `ndcg` says"
    a, b = numbers(bend(discount=form, k=k))
    shown = [float(x.replace("−", "-")) for x in page.locator(".bend .nx-figure").all_inner_texts()]
    assert shown == pytest.approx([a, b, a - b], abs=5.1e-4)
    assert said(page).startswith(f"{'A' if a > b else 'B'} wins by {abs(a - b):.3f}.")
    assert page.locator(".bend-ahead .nx-term").inner_text().endswith(" A" if a > b else " B")


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


@needs_browser
@pytest.mark.parametrize("theme, width", [("dark", 390), ("light", 1280)])
def test_it_fits_and_nothing_jumps(made, theme: str, width: int) -> None:
    for w in (bend(), bend([1, 0] * 16, [0, 1] * 16), bend([1], [0]), bend(discount=("power", 40))):
        page = made(w, width, theme)
        assert page.evaluate(TOO_WIDE) == []
        parts = ".bend > :not(.nx-live), .bend-numbers > div"
        before = places(page, parts)
        page.get_by_role("slider", name="how steep").focus()
        page.keyboard.press("Home")
        page.get_by_role("slider", name="cutoff k").fill("1")
        assert places(page, parts)[::2] == before[::2]
        assert unnamed(page, ".bend") == []
