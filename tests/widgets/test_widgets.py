"""What is true of every widget: it fits and can be read out, shows what Python sets, and refuses without a change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest
from conftest import needs_browser
from shared import problems
from shared.alone import TOO_WIDE, from_python, places, state_of, unnamed
from shared.first_list import POOL, REL
from shared.javascript import INF, call, needs_node

from ndcg_nb import explore, ndcg
from ndcg_nb.hood.display.pages import EGGS as TITLES
from ndcg_nb.hood.display.pages import samples
from ndcg_nb.widgets import bend, favour, fool, narrow, noise, paste, soften, stretch, sway, whose
from ndcg_nb.widgets.bend import TWO_LISTS
from ndcg_nb.widgets.sway import TEN_QUERIES

KITCHEN = samples()
RUNS = {name: KITCHEN / f"{name}.run" for name in ("bm25", "titles")}
LONG = ["A title that is long enough to be cut " * 3] * 3
EGGS = {"rel": REL, "k": 6, "pool": POOL}


class Look(NamedTuple):
    "States of a widget, what is there once it is drawn, a key for what can be moved, and what stays where it is then"

    states: list[Any]
    drawn: str
    moves: dict[str, str]
    still: str = "article :is(button, input)"
    phone: int = 390
    least: int = 330  # how narrow it may become while it is open


STEEP = 'role=slider[name="how steep"]'
LOOKS = {
    "bend": lambda: Look(
        [bend(), bend([1, 0] * 16, [0, 1] * 16), bend([1], [0]), bend(discount=("power", 40))],
        ".bend-said:not(:empty)",
        {STEEP: "Home", 'role=slider[name="cutoff k"]': "Home"},
        ".bend > :not(.nx-live), .bend-numbers > div",
    ),
    "explore": lambda: Look([explore(**EGGS)], ".nx-row", {".nx-row": "End"}),
    "favour": lambda: Look([favour(taste=1)], ".favour input", {".favour input": "End"}, phone=360),
    "fool": lambda: Look([fool()], ".fool .nx-row", {".nx-row": "End"}, least=600),
    "narrow": lambda: Look(
        [narrow([3, None, 1, None, 2, 0], [None, 2], k=4, names=TITLES)], ".narrow", {"button": "Enter"}
    ),
    "noise": lambda: Look(
        [noise(draws=0), noise(0.1, 5, 0.3, draws=1000)],
        ".noise-said:not(:empty)",
        {"text=draw 100": "Enter", 'role=slider[name="queries"]': "Home"},
        ".noise, .noise > :not(.nx-live), .noise button",
    ),
    "paste": lambda: Look([paste(KITCHEN / "qrels.txt", RUNS, k=5)], ".np-living .nx", {}),
    "soften": lambda: Look(
        [soften(), soften([2.5, 0, 1], [-120, 0, 120], names=LONG), soften([1] * 12)], ".ns-dot", {".ns-dot": "End"}
    ),
    "stretch": lambda: Look([stretch()], ".stretch input", {".stretch input": "End"}, phone=360),
    "sway": lambda: Look(
        [sway(), sway([0.1, -0.2], ["<&>", "a query with a long name"], ("<old>", "new & good")), sway([0.01] * 12)],
        ".sway-knob",
        {".sway-knob": "End"},
        ".sway > :not(.nx-live), .sway-numbers > div",
    ),
    "whose": lambda: Look([whose(0.949, [3, 2.5, -1, 0], 6, scores=[1, 1, 0.5, -INF])], ".nw", {}),
}


@needs_browser
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("name", LOOKS)
def test_it_fits_everything_has_a_name_and_nothing_jumps(alone: Any, name: str, theme: str) -> None:
    look = LOOKS[name]()
    width = look.phone if theme == "dark" else 1280
    for made in look.states:
        page = alone(name, state_of(made), look.drawn, width, theme, "reduce")
        assert page.evaluate(TOO_WIDE) == []
        assert unnamed(page, "article") == []
        before = places(page, look.still)
        for control, key in look.moves.items():
            page.locator(control).first.press(key)
        assert places(page, look.still) == before, "what is moved moves nothing else"
        assert page.evaluate(TOO_WIDE) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": look.least, "height": 800})
    page.wait_for_function(f"({TOO_WIDE})().length === 0")  # it is drawn anew where it has less room


# ---- Python and the page ----

STEEP_BEND = bend(discount="zipf", k=3)
A_AHEAD = f"{ndcg(STEEP_BEND.gains['a'], 3, pool=STEEP_BEND.gains['pool'], discount='zipf'):.3f}"
SET = {  # before and after, where it is shown, and what is shown there
    "bend": (bend(), STEEP_BEND, ".bend .nx-figure", A_AHEAD),
    "noise": (noise(), noise(0.05, 34, 0.12, draws=60, seed=9), ".noise-said", " of 60 draws found B better"),
    "soften": (soften(), soften(temperature=0.1), ".nx-k", "T = 0.1"),
    "sway": (sway(), sway([0.1] * 10), ".sway-t .nx-figure", "none"),
    "whose": (whose(0.949, **EGGS), whose(0.785, **EGGS), ".nw-said strong", " conventions give 0.785"),
}


@needs_browser
@pytest.mark.parametrize("name", SET)
def test_what_python_sets_is_shown(name: str, page: Any) -> None:
    before, after, where, expected = SET[name]
    states = state_of(before), state_of(after)
    changed = {key: value for key, value in states[1].items() if states[0][key] != value}
    [shown], listening = from_python(page, name, states[0], changed, where)
    assert any(expected in text for text in shown), shown
    assert listening == [], "what is gone listens no more"


SENT = [  # as the browser sends it
    (bend, {"discount": ["geometric", 0.6], "k": 4}),
    (noise, {"queries": 200, "difference": 0}),
    (soften, {"scores": [1, 2, 3, 4, 5, 6], "temperature": 0.1}),
    (sway, {"differences": [*TEN_QUERIES[:9], 0.5]}),
]


@pytest.mark.parametrize("make, sent", SENT)
def test_what_the_browser_sends_is_held(make: Callable, sent: dict[str, Any]) -> None:
    w = make()
    before = state_of(w)
    w.set_state(sent)
    assert state_of(w) == before | sent


HELD = [  # what a trait does not take, and what it says
    (bend, "discount", ["steep", ("power", -1), ("geometric", 1.01), None, 3], r"^discount is .+: (give|beta|p) "),
    (bend, "k", [0, 2.5, "3", [1, 2]], "^k is .+: give "),
    (favour, "generosity", [3], "^generosity is 3: give a number from 0 to 2"),
    (favour, "taste", ["much"], "^taste is 'much': give a number from 0 to 2"),
    (partial(narrow, [1, None]), "given", [[9]], "given is .9.: give 1, each None or one of"),
    (noise, "difference", [0.11, "0.03"], "^difference is .*: give a number from"),
    (noise, "queries", [50.0], "^queries is .*: give a whole number from"),
    (noise, "spread", [0], "^spread is .*: give a number from"),
    (noise, "seed", [-1], "^seed is .*: give a whole number from"),
    (noise, "draws", [True], "^draws is .*: give a whole number from"),
    (soften, "scores", [[1, 2], [1, 2, 3, 4, 5, float("nan")]], "scores"),
    (soften, "temperature", [0, "hot"], "temperature"),
    (stretch, "worth", [0.5, 6.1, "twice", None], "^worth is .*: give a number from 1 to 6"),
    (
        sway,
        "differences",
        [None, 3, [0.1] * 9, *([*TEN_QUERIES[:9], x] for x in (float("nan"), 1.5, "0.1"))],
        "^differences",
    ),
]


@pytest.mark.parametrize("make, name, values, message", HELD)
def test_what_a_trait_refuses_changes_nothing(make: Callable, name: str, values: list, message: str) -> None:
    w = make()
    before = state_of(w)
    for value in values:
        with pytest.raises((TypeError, ValueError), match=message):
            setattr(w, name, value)
    assert state_of(w) == before


A, B = TWO_LISTS
REFUSED = [
    (partial(bend, A, B[:5]), "a has 6 results and b has 5"),
    (partial(bend, [1] * 33, [1] * 33), "give from 1 to 32"),
    (partial(bend, [3, -1], [0, 0]), "is -1, with gain -1"),
    (partial(bend, [0], [0]), "no relevant document in the pool"),
    (partial(bend, A, None), "b is None"),
    (partial(bend, A, B, pool=A), "holds 2 more often than its pool"),
    (partial(explore, [3, 2], names=["a", 2]), r"names is \['a', 2\]: give 2 texts"),
    (partial(explore, [3, 2], view="nDCG"), "view is 'nDCG': give one of 'cg', 'dcg'"),
    (partial(favour, taste="much"), "taste is 'much': give a number from 0 to 2"),
    (partial(fool, "clicks"), "challenge is 'clicks': give one of 'spam', "),
    (partial(narrow, [None] * 5), "there are 5 unjudged documents: give from 1 to 4"),
    (partial(soften, [0, 0]), "0/0"),
    (partial(soften, [1] * 13), "too many"),
    (partial(soften, [[1], [2]]), "many lists"),
    (partial(stretch, 0.5), "worth is 0.5: give a number from 1 to 6"),
    (partial(sway, queries=["a"]), "queries is"),
    (partial(sway, names=("A", "A")), "names is"),
    (partial(sway, names=None), "names"),
]


@pytest.mark.parametrize("make, message", REFUSED)
def test_what_cannot_be_shown_is_refused(make: Callable, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()


SAME = {  # what is asked of JavaScript, problems, what Python says of each, and how near that must be
    "bend": ("({ weigh }, all) => all.map((x) => weigh(x))", partial(problems.bends, 200, 1), problems.bent, 1e-12),
    "favour": (
        "({ verdicts }, all) => all.map((given) => verdicts(given, given.generosity, given.taste))",
        partial(problems.judges, 120, 3),
        problems.verdicts,
        1e-12,
    ),
    "soften": (
        "({ soften }, all) => all.map((x) => soften({ ...x, gains: x.documents.map((d) => d.gain) }))",
        partial(problems.scored, 120, 1),
        problems.softened,
        1e-9,
    ),
    "stretch": (
        "({ means }, all) => all.map((x) => means(x, x.worth)).map(({ a, b }) => ({ a: a.mean, b: b.mean }))",
        partial(map, stretch, [1, 1.3, 2, 2.71, 3, 4.44, 6]),
        problems.stretched,
        1e-12,
    ),
}


@pytest.mark.long
@needs_node
@pytest.mark.parametrize("name", SAME)
def test_javascript_says_what_python_says(name: str) -> None:
    ask, made, says, near = SAME[name]
    asked = [*made()]
    answers = call(name, ask, [state_of(w) for w in asked])
    for w, answer in zip(asked, answers, strict=True):
        for key, value in says(w).items():
            assert answer[key] == pytest.approx(value, rel=near, abs=near, nan_ok=True), (key, w)
