"""The discount that bends: JavaScript's numbers equal Python's, every hand bends it, and nothing moves by itself."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from alone import from_python, places, unnamed
from conftest import needs_browser
from javascript import call, needs_node
from test_site import TOO_WIDE

from ndcg_nb import ndcg
from ndcg_nb.hood.show.pages import script
from ndcg_nb.widgets import bend
from ndcg_nb.widgets.bend import TWO_LISTS, Bend, crossings, formula_of

STATE = "application/vnd.ndcg_nb.bend+json"
A, B = TWO_LISTS
POOL = [3, 2, 2, 2, 2, 2, 1, 1, 0, 0, 0]
FLIP = 0.804


def state(w: Bend) -> dict[str, Any]:
    "What a page is saved with"
    return json.loads(json.dumps(w.state, allow_nan=False, sort_keys=True))


# ---- In Python ----


def test_the_example_flips_once_and_there() -> None:
    w = bend()
    assert (w.a, w.b, w.pool, w.beta) == (A, B, POOL, 0.5)
    [there] = w.flips
    assert round(there, 3) == FLIP
    for beta, ahead in ((0, "B"), (there - 1e-9, "B"), (there + 1e-9, "A"), (3, "A"), (40, "A")):
        w.beta = beta
        assert w.numbers["A"] == ndcg(A, pool=POOL, discount=("power", beta))
        assert w.numbers["B"] == ndcg(B, pool=POOL, discount=("power", beta))
        assert (w.numbers["gap"] > 0) == (ahead == "A") and f"{ahead} wins" in repr(w)


@pytest.mark.parametrize(
    "given, form, beta",
    [
        ("even", ("power", 0), 0),
        ("zipf", "zipf", 1),
        ("log2", "log2", None),
        (("power", np.float32(0.25)), ("power", 0.25), 0.25),
        (["geometric", 0.8], lambda rank: 0.8 ** (rank - 1), None),
        (("geometric", 0), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], None),
    ],
)
def test_every_discount_is_what_ndcg_says(given: Any, form: Any, beta: float | None) -> None:
    for k in (None, 1, 4, 6, 9):
        w = bend(A, B, k, discount=given, gain="exp")
        assert w.beta == beta
        for name, rel in (("A", A), ("B", B)):
            expected = ndcg(rel, k, pool=POOL, discount=form, gain="exp")
            assert w.numbers[name] == pytest.approx(expected, rel=1e-15), k


def test_numbers_are_told_once_and_together() -> None:
    w, seen = bend(), []
    w.observe(lambda change: seen.append(change["new"]), "numbers")
    w.k = 4
    w.beta = 0.5  # as it is
    w.discount = "log2"
    assert len(seen) == 2 and seen[-1] == w.numbers
    assert seen[0]["A"] == ndcg(A, 4, pool=POOL, discount=("power", 0.5))


def test_what_a_hand_does_comes_to_python() -> None:
    w = bend()
    w.set_state({"discount": ["geometric", 0.6], "k": 4})  # as the browser sends it
    assert w.discount == ("geometric", 0.6) and w.k == 4 and w.beta is None
    assert w.numbers["B"] == ndcg(B, 4, pool=POOL, discount=lambda rank: 0.6 ** (rank - 1))


def test_a_pool_of_ones_own() -> None:
    small, large = bend([1, 0], [0, 1]), bend([1, 0], [0, 1], pool=[0, 1, 1, 5])
    assert small.pool == [1, 0] and large.pool == [5, 1, 1, 0]
    assert large.numbers["A"] == ndcg([1, 0], pool=[0, 1, 1, 5], discount=("power", 0.5)) < small.numbers["A"]


def test_what_is_refused_changes_nothing() -> None:
    w = bend()
    before = state(w), w.numbers
    wrong = {
        "beta": [-1, float("nan"), float("inf"), "1", None, True],
        "discount": ["steep", ("power",), ("power", 1, 2), ("geometric", 1.01), ("geometric", -0.1), None, [[], 1], 3],
        "k": [0, -1, 2.5, "3", [1, 2], True],
    }
    for name, values in wrong.items():
        for value in values:
            with pytest.raises((ValueError, TypeError), match=r"^(discount|k) is .+: (give|beta|p) "):
                setattr(w, name, value)
    for name in ("a", "b", "pool", "gains", "numbers"):
        with pytest.raises(Exception, match="read-only"):
            setattr(w, name, getattr(w, name))
    assert (state(w), w.numbers) == before


@pytest.mark.parametrize(
    "given, how, said",
    [
        ((A, None), {}, "one list is given: give both a and b"),
        ((A, B[:5]), {}, "a has 6 results and b has 5: give as many of each"),
        (([], []), {}, "a and b have 0 results: give from 1 to 32"),
        (([1] * 33, [1] * 33), {}, "a and b have 33 results: give from 1 to 32"),
        ((A, B), {"pool": A}, "b holds 2 more often than pool does"),
        ((A, B), {"pool": B}, "a holds 0 more often than pool does"),
        (([3, -1], [0, 0]), {}, "grade -1 has gain -1, and an ideal needs gains of 0 or more"),
        (([3, 1], [0, 0]), {"gain": {3: 1, 1: -2, 0: 0}}, "grade 1 has gain -2"),
        (([0], [0]), {}, "nothing in the pool is worth anything: nDCG is 0/0"),
        (([3, None], [0, 0]), {}, r"a\[1\] is None"),
        (([3, 1], [0, float("nan")]), {}, r"b\[1\] is nan"),
        (([[3], [1]], [[0], [1]]), {}, "a holds many lists: give one"),
        ((A, B), {"pool": "3"}, "pool is '3'"),
        (([2000], [1]), {"gain": "exp"}, "2000"),
    ],
)
def test_lists_that_cannot_be_compared(given: tuple, how: dict, said: str) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError), match=said):
        bend(*given, **how)


def problems(count: int, seed: int) -> list[Bend]:
    "Pairs of lists of every kind: short and long, with few changes of sign and many, tied and cut"
    rng, made = random.Random(seed), []
    grades = [
        lambda: rng.choice([0, 0, 1, 2, 3]),
        lambda: rng.choice([0, 0.1, 0.25, rng.random()]),
        lambda: rng.choice([0, 1]),
    ]
    grades += [lambda: rng.choice([0, 1e-300, 1e300])]
    while len(made) < count:
        n, grade = rng.choice([1, 2, 3, *range(4, 13), 32]), rng.choice(grades)
        a, b = ([grade() for _ in range(n)] for _ in "ab")
        if rng.random() < 0.4:
            b = rng.sample(a, n)  # which tie where nothing is discounted
        pool = [*a, *b, *(grade() for _ in range(rng.choice([0, 0, 5])))] if rng.random() < 0.5 else None
        if not any([*a, *b]):
            continue
        forms = ["log2", "even", "zipf", ("power", rng.uniform(0, 3)), ("geometric", rng.random()), ("power", 7.5)]
        gains = ["linear"] if max([*a, *b, *(pool or [])]) > 9 else ["linear", "exp"]
        how = {"pool": pool, "discount": rng.choice(forms), "gain": rng.choice(gains)}
        made.append(bend(a, b, rng.choice([None, None, 1, 3, 5, 40]), **how))
    return made


def test_crossings_are_where_the_sign_changes() -> None:
    "A fine grid finds no change of sign that was overlooked, and none that is not there"
    flipped = 0
    for w in problems(300, seed=3):
        w.discount = ("power", 1)
        more = np.subtract(w.gains["a"], w.gains["b"])[: w.k]
        ranks = np.arange(1.0, len(more) + 1)
        assert len(w.flips) <= np.count_nonzero(np.diff(np.sign(more[more != 0]))), "the rule of Descartes"
        sides = []
        for low, high in pairwise([0, *w.flips, 3]):
            parts = more * ranks ** -np.linspace(low, high, 42)[1:-1, None]
            signs = {*np.sign(parts.sum(1)[abs(parts.sum(1)) > 1e-12 * abs(parts).sum(1)])}
            assert len(signs) == (1 if more.any() else 0), (more, w.flips)
            sides += signs
        assert all(one == -other for one, other in pairwise(sides))
        flipped += bool(w.flips)
    assert flipped > 25


def test_crossings_of_known_polynomials() -> None:
    for roots in ([0.5], [0.2, 0.9], [0.1, 0.3, 0.8], [0.5, 0.501], [0.7, 0.7, 0.7]):
        coefficients = np.poly1d(np.poly(roots)).coeffs[::-1]
        found = np.exp(np.negative(crossings([(c, float(x)) for x, c in enumerate(coefficients)], 50)))
        kept = sorted(roots, reverse=True) if len(set(roots)) == len(roots) else roots[:1]
        assert np.allclose(found, kept, rtol=0, atol=1e-4 if len(set(roots)) < len(roots) else 1e-9), roots
    assert crossings([], 3) == crossings([(1, 0)], 3) == crossings([(0.25, 0.0), (-1, 1.0), (1, 2.0)], 50) == []


def test_the_picture_is_one() -> None:
    for w in [bend(), *problems(30, seed=5)]:
        bundle = w._repr_mimebundle_()[0]
        root = ElementTree.fromstring(bundle["image/svg+xml"])
        words = "".join(root.itertext())
        assert w.summary() in words and formula_of(w.discount) in words and "nan" not in bundle["image/svg+xml"]
        assert json.loads(json.dumps(bundle[STATE], allow_nan=False)) == state(w)


def test_a_notebook_is_handed_one_way_to_render() -> None:
    assert "export function render" not in script("bend") and "export default { render: show }" in script("bend")


# ---- In JavaScript ----

ASK = """({ weigh, flips, familyOf, reachOf }, states) => states.map((state) => {
  const { at } = flips(state, familyOf(state.discount), reachOf(state.discount));
  return { ...weigh(state), flips: at };
})"""


@needs_node
def test_javascript_computes_what_python_computes() -> None:
    asked, flipped = problems(300, seed=1), 0
    for w, answer in zip(asked, call("bend", ASK, [state(w) for w in asked]), strict=True):
        for name in ("A", "B"):
            assert abs(answer[name.lower()] - w.numbers[name]) <= 1e-12, (name, w)
        assert abs(answer["gap"] - w.numbers["gap"]) <= 1e-12
        assert len(answer["flips"]) == len(w.flips), w
        assert np.allclose(answer["flips"], w.flips, rtol=0, atol=1e-9), w
        flipped += bool(w.flips)
    assert flipped > 30


def test_what_is_said() -> None:
    words = {
        "change places at β = 0.381 and 1.561.": bend([1, 0, 1, 1, 3, 3], [0, 3, 2, 3, 0, 0]),
        "A and B tie. A is not behind at any β from 0 to 3.": bend([3, 1], [1, 3], discount="even"),
        "A and B tie. They are worth the same at every rank.": bend([3, 1], [3, 1]),
        "A wins by 0.333. A is not behind at any β from 0 to 3.": bend([1, 1], [0, 3], k=1),
        "B is not behind at any p.": bend([1], [3], discount=("geometric", 0.5)),
        "A is not behind at any β from 0 to 5.": bend([3, 2], [1, 0], discount=("power", 4.5)),
    }
    verdicts = "({ verdict }, states) => states.map((state) => verdict(state).join(' '))"
    for said, verdict in zip(words, call("bend", verdicts, [state(w) for w in words.values()]), strict=True):
        assert said in verdict


# ---- In a browser ----


@pytest.fixture
def made(alone):
    return lambda w, width=800, theme="light": alone("bend", state(w), ".bend-cut", width, theme)


@pytest.fixture
def page(made):
    return made(bend())


def middle(page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def figures(page) -> list[float]:
    return [float(x.replace("−", "-")) for x in page.locator(".bend .nx-figure").all_inner_texts()]


def said(page) -> str:
    return page.locator(".bend-said").inner_text()


def formula(page) -> str:
    return page.locator(".bend-plot text", has_text="weighs").text_content().partition(": ")[2]


def drag(page, selector: str, x: float, y: float) -> None:
    page.mouse.move(*middle(page, selector))
    start = middle(page, selector)
    page.mouse.down()
    page.mouse.move(start[0] + x, start[1] + y, steps=10)
    page.mouse.up()


def swipe(page, selector: str, x: float, y: float) -> None:
    session, (left, top) = page.context.new_cdp_session(page), middle(page, selector)
    points = [[{"x": left + x * step / 10, "y": top + y * step / 10}] for step in range(11)]
    for kind, at in zip(["touchStart", *["touchMove"] * 10, "touchEnd"], [*points, []]):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def check(page, form: Any, k: int | None = None) -> None:
    "What is shown is what Python says"
    w = bend(discount=form, k=k)
    assert figures(page) == [pytest.approx(x, abs=5.1e-4) for x in w.numbers.values()]
    assert said(page).startswith(f"{'A' if w.numbers['gap'] > 0 else 'B'} wins by {abs(w.numbers['gap']):.3f}.")
    ahead = page.locator(".bend-ahead .nx-term").all_inner_texts()
    assert len(ahead) == 1 and ahead[0].endswith(" A" if w.numbers["gap"] > 0 else " B")


@needs_browser
@pytest.mark.parametrize("hand", [drag, swipe])
def test_the_curve_is_bent_by_its_handle(page, hand) -> None:
    assert formula(page) == "1 / i^0.5" and said(page).startswith("B wins by 0.144. They change places at β = 0.804")
    before = middle(page, ".bend-grip")
    hand(page, ".bend-grip", 0, 25)
    page.wait_for_function("document.querySelector('.bend-said').innerText.startsWith('A wins')")
    beta = float(formula(page).removeprefix("1 / i^"))
    # At rank 3, a quarter of the height lower: 3^-0.5 - 0.25.
    assert beta == pytest.approx(-np.log(3**-0.5 - 0.25) / np.log(3), abs=0.03)
    check(page, ("power", beta))
    assert middle(page, ".bend-grip") == pytest.approx((before[0], before[1] + 25), abs=1.5)
    hand(page, ".bend-grip", 0, -200)
    page.wait_for_function("document.querySelector('.bend-plot').textContent.includes('1 / i^0')")
    check(page, "even")
    assert page.locator("button[aria-pressed=true]").all_inner_texts() == ["even (CG)"]


@needs_browser
def test_a_mouse_takes_the_curve_anywhere_and_a_finger_scrolls(page) -> None:
    box = page.locator(".bend-plot").bounding_box()
    at = box["x"] + box["width"] * 0.75, box["y"] + 90  # rank 6, or 5
    page.mouse.click(*at)
    assert formula(page) == "1 / i^0.5", "to touch is not to move"
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0], at[1] + 20, steps=5)
    assert float(formula(page).removeprefix("1 / i^")) > 0.7
    page.keyboard.press("Escape")
    assert formula(page) == "1 / i^0.5"
    page.mouse.move(at[0], at[1] + 40)
    page.mouse.up()
    assert formula(page) == "1 / i^0.5", "what was let go is not held"
    swipe(page, ".bend-plot", 0, 60)
    page.wait_for_timeout(100)
    assert formula(page) == "1 / i^0.5"


@needs_browser
@pytest.mark.parametrize("hand", [drag, swipe])
def test_the_strip_is_a_slider(page, hand) -> None:
    box = page.locator(".bend-strip").bounding_box()
    hand(page, ".bend-thumb", (box["width"] - 80) / 6, 0)  # half a β
    page.wait_for_function("document.querySelector('.bend-said').innerText.startsWith('A wins')")
    assert formula(page) == "1 / i^1"
    check(page, "zipf")
    hand(page, ".bend-thumb", 2000, 0)
    page.wait_for_function("document.querySelector('.bend-plot').textContent.includes('1 / i^3')")
    page.mouse.click(box["x"] + 30, box["y"] + 60)
    assert formula(page) == "1 / i^0"


@needs_browser
def test_a_finger_that_scrolls_past_the_strip_bends_nothing(page) -> None:
    page.evaluate("document.body.style.height = '3000px'")
    swipe(page, ".bend-strip", 2, -80)
    page.wait_for_timeout(150)
    assert formula(page) == "1 / i^0.5"


@needs_browser
def test_by_keys_alone(page) -> None:
    page.keyboard.press("Tab")
    for _ in range(4):
        page.keyboard.press("Tab")  # past the presets, to reset
    assert page.evaluate("document.activeElement.innerText") == "reset"
    page.keyboard.press("Tab")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    assert (
        page.locator(".bend-cut").inner_text() == "k = 4"
        and page.locator(".bend-cut").get_attribute("aria-valuenow") == "4"
    )
    check(page, ("power", 0.5), 4)
    page.keyboard.press("Home")
    assert figures(page)[:2] == [1, 0]
    page.keyboard.press("End")
    assert page.locator(".bend-cut").get_attribute("aria-valuetext") == "no cut"
    page.keyboard.press("Tab")
    for key, text in [("ArrowRight", "0.55"), ("Shift+ArrowRight", "0.56"), ("PageUp", "0.81"), ("ArrowDown", "0.76")]:
        page.keyboard.press(key)
        assert formula(page) == f"1 / i^{text}"
    check(page, ("power", 0.76))
    assert page.locator(".bend-thumb").get_attribute("aria-valuetext") == "β = 0.760"
    page.keyboard.press("End")
    assert formula(page) == "1 / i^3"
    page.wait_for_function("document.querySelector('.bend .nx-live').textContent.startsWith('A wins by')")


@needs_browser
def test_the_cutoff_is_dragged(page) -> None:
    step = (page.locator(".bend-plot").bounding_box()["width"] - 80) / 6
    drag(page, ".bend-cut", -25 - 2 * step, 0)
    assert page.locator(".bend-cut").inner_text() == "k = 4"
    check(page, ("power", 0.5), 4)
    assert page.locator(".bend-plot g.bend-out").count() == 4
    drag(page, ".bend-cut", 2 * step, 0)
    assert page.locator(".bend-cut").inner_text() == "k = 6"
    check(page, ("power", 0.5), 6)
    drag(page, ".bend-cut", 2 * step, 0)
    assert page.locator(".bend-cut").inner_text() == "no cut"
    check(page, ("power", 0.5))


@needs_browser
def test_presets_and_what_becomes_of_them(page) -> None:
    for text, form in (("log2", "log2"), ("Zipf", "zipf"), ("even (CG)", "even"), ("geometric", ("geometric", 0.8))):
        page.get_by_role("button", name=text).click()
        check(page, form)
        assert page.locator("button[aria-pressed=true]").all_inner_texts() == [text]
    assert "They change places at p = 0.677: B wins above it, A below." in said(page)
    page.locator(".bend-thumb").press("ArrowRight")
    assert formula(page) == "0.75^(i − 1), as in RBP"
    drag(page, ".bend-grip", 0, 12)
    check(page, ("geometric", float(formula(page).partition("^")[0])))
    page.get_by_role("button", name="log2").click()
    assert "With powers, they change places at β = 0.804" in said(page)
    grip = middle(page, ".bend-grip")
    drag(page, ".bend-grip", 0, 5)  # a logarithm that is bent is a power, through where it was held
    assert float(formula(page).removeprefix("1 / i^")) == pytest.approx(-np.log(0.45) / np.log(3), abs=0.02)
    assert middle(page, ".bend-grip") == pytest.approx((grip[0], grip[1] + 5), abs=1)
    page.get_by_role("button", name="reset").click()
    check(page, ("power", 0.5))


@needs_browser
@pytest.mark.parametrize("theme, width", [("dark", 390), ("light", 1280)])
def test_it_fits_and_nothing_moves_but_by_hand(made, theme: str, width: int) -> None:
    rng = random.Random(0)
    long = [[rng.choice([0, 1, 2, 3]) for _ in range(32)] for _ in "ab"]
    for w in (bend(), bend(*long, k=20), bend([1], [1])):
        page = made(w, width, theme)
        assert page.evaluate(TOO_WIDE) == []
        assert page.locator(".nx-numbers").evaluate("e => getComputedStyle(e).position") == "static", (
            "it lies on nothing"
        )
        parts = ".bend, .bend > :not(.nx-live)"
        tops = places(page, parts)
        before = page.locator(".bend").inner_html()
        page.wait_for_timeout(150)
        assert page.locator(".bend").inner_html() == before
        for name in ("log2", "Zipf", "geometric", "even (CG)"):
            page.get_by_role("button", name=name).click()
            assert places(page, parts) == tops, name
        assert unnamed(page, ".bend") == []
        page.set_viewport_size({"width": 330, "height": 800})
        page.wait_for_timeout(100)
        assert page.evaluate(TOO_WIDE) == [], "it is drawn anew where it has less room"


@needs_browser
def test_python_bends_it_too(window) -> None:
    w, page = bend([3, 2], [1, 0]), window.new_page()
    before = state(w)
    w.discount, w.k = ("power", 4.5), 5
    changed = {name: state(w)[name] for name in ("discount", "k")}
    (shown, [said]), listening = from_python(page, "bend", before, changed, ".nx-figure", ".bend-said")
    page.close()
    assert shown == [f"{x:.3f}".replace("-", "−") for x in w.numbers.values()]
    assert said.endswith("A is not behind at any β from 0 to 5."), "the strip goes as far as Python"
    assert listening == [], "what is gone listens no more"
