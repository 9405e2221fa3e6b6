"""Scores to drag and a temperature: the numbers are those of the theory, in Python and in JavaScript."""

from __future__ import annotations

import json
import math
import random
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import NOTEBOOKS, needs_browser
from javascript import call
from test_site import TOO_WIDE

from ndcg_nb import ndcg
from ndcg_nb.hood.show.pages import script
from ndcg_nb.smooth import approx_ndcg, gradient, neural_ndcg
from ndcg_nb.widgets import soften
from ndcg_nb.widgets.soften import GAP, SCORES, soft_ranks, spaced

STATE = "application/vnd.ndcg_nb.soften+json"
# Computed by hand from the formulas, apart from this code: temperature, ApproxNDCG, NeuralSort-nDCG.
GOLDEN = [
    (1, 0.736992579073, 0.883300052021),
    (0.5, 0.806428601844, 0.905944989942),
    (0.1, 0.938359701910, 0.943486381325),
    (0.05, 0.947934518848, 0.948180758011),
    (0.01, 0.948810748479, 0.948810748499),
]


@pytest.mark.parametrize("temperature, approx, neural", GOLDEN)
def test_golden(temperature: float, approx: float, neural: float) -> None:
    told = soften(temperature=temperature).numbers
    assert told["nDCG"] == pytest.approx(0.948810748568, abs=1e-9)
    assert told["ApproxNDCG"] == pytest.approx(approx, abs=1e-9)
    assert told["NeuralSort-nDCG"] == pytest.approx(neural, abs=1e-9)


def test_the_gradient_grows_and_dies() -> None:
    lengths = {T: soften(temperature=T).numbers["gradient"] for T in (10, 0.5, 0.1, 0.01)}
    assert lengths == pytest.approx({10: 4.9e-3, 0.5: 0.128, 0.1: 0.095, 0.01: 1.3e-8}, rel=0.04)
    assert soften(temperature=1e9).numbers["ApproxNDCG"] == pytest.approx(0.663069183585, abs=1e-9)


def problems(count: int, seed: int, least: float = -3) -> list[dict[str, Any]]:
    "Gains, scores with and without ties, and temperatures from the coldest to the hottest"
    rng, made = random.Random(seed), []
    for _ in range(count):
        n = rng.choice([1, 2, 3, 6, 6, 9, 12])
        gains = [rng.choice([0, 0, 1, 3, 7, rng.uniform(0, 9)]) for _ in range(n)]
        gains[rng.randrange(n)] = rng.choice([1, 0.5, 15])
        score = rng.choice(
            [lambda: rng.uniform(-3, 3), lambda: rng.choice([-0.5, 0, 0.0, 1]), lambda: 1e3 * rng.random()]
        )
        made.append({"gains": gains, "scores": [score() for _ in range(n)], "temperature": 10 ** rng.uniform(least, 2)})
    return made


def test_slopes_are_what_a_nudge_finds() -> None:
    for p in problems(30, seed=1, least=-1):
        w = soften(p["gains"], p["scores"], temperature=p["temperature"], gain="linear")
        arrows = w.slopes
        for i in range(len(p["scores"])):
            up, down = (
                [s + by * (i == j) for j, s in enumerate(p["scores"])]
                for by in (1e-4 * w.temperature, -1e-4 * w.temperature)
            )
            w.scores = up
            high = w.numbers["ApproxNDCG"]
            w.scores = down
            found = (high - w.numbers["ApproxNDCG"]) / (up[i] - down[i])
            exact = arrows[i]
            assert found == pytest.approx(exact, abs=1e-7 / p["temperature"]), p


def test_raising_all_scores_changes_nothing() -> None:
    for p in problems(60, seed=2):
        one, other = (
            soften(p["gains"], np.add(p["scores"], by), temperature=p["temperature"], gain="linear") for by in (0, 0.5)
        )
        assert abs(sum(one.slopes)) < 1e-12 * (1 + max(map(abs, one.slopes)))
        assert soft_ranks(one.scores, one.temperature).sum() == pytest.approx(sum(range(1, len(one.scores) + 1)))
        if p["temperature"] > 0.1:
            for name in ("ApproxNDCG", "NeuralSort-nDCG"):
                assert one.numbers[name] == pytest.approx(other.numbers[name], abs=1e-9)


def test_set_from_python_and_observed() -> None:
    w, seen = soften(), []
    w.observe(lambda change: seen.append(change["new"]["nDCG"]), "numbers")
    w.scores = np.array([2, 0.3, 1.1, 0.9, 0.2, -0.5])
    assert w.scores == [2, 0.3, 1.1, 0.9, 0.2, -0.5] and seen == [w.numbers["nDCG"]]
    assert seen == [ndcg([3, 2, 3, 0, 1, 2], scores=w.scores, gain="exp")]
    w.scores = [1, 2, 3, 4, 5, 6]  # which a hand may drag: no warning that these look like ranks
    w.temperature = np.float64(2)
    assert type(w.temperature) is float and len(seen) == 3
    with pytest.raises(ValueError, match="scores has 2 numbers, rel has 6"):
        w.scores = [1, 2]
    with pytest.raises(ValueError, match="temperature is -1"):
        w.temperature = -1
    with pytest.raises(ValueError, match="scores has 0 numbers, rel has 6"):
        w.scores = None
    with pytest.raises(TypeError, match="temperature is None"):
        w.temperature = None
    assert w.scores == [1, 2, 3, 4, 5, 6] and w.temperature == 2, "what is refused changes nothing"


@pytest.mark.parametrize(
    "given, said",
    [
        ({"scores": [1, 2]}, "scores has 2 numbers, rel has 6: give one score for each"),
        ({"scores": [1, 2, 3, 4, 5, math.nan]}, r"scores\[5\] is nan, and the score line ends somewhere"),
        ({"scores": [1, 2, 3, 4, 5, -math.inf]}, r"scores\[5\] is -inf, and the score line ends somewhere"),
        ({"scores": [1, 2, 3, 4, 5, None]}, r"scores\[5\] is None, and the score line ends somewhere"),
        ({"scores": [1, 2, 3, 4, 5, "6"]}, r"scores\[5\] is '6', a string: convert it"),
        ({"scores": 5}, "scores is 5, of type int: give a list"),
        ({"temperature": 0}, "temperature is 0: give a finite number above 0"),
        ({"temperature": math.nan}, "temperature is nan: give a finite number above 0"),
        ({"temperature": math.inf}, "temperature is inf: give a finite number above 0"),
        ({"temperature": None}, "temperature is None: give a finite number above 0"),
        ({"temperature": True}, "temperature is True: give a finite number above 0"),
        ({"temperature": "1"}, "temperature is '1': give a finite number above 0"),
        ({"rel": [3, -1]}, r"rel\[1\] is -1, with gain -0.5, and an ideal needs gains of 0 or more"),
        ({"rel": [0, 0]}, "with no relevant result nDCG is 0/0"),
        ({"rel": []}, "with no relevant result nDCG is 0/0"),
        ({"rel": [3, None]}, r"rel\[1\] is None, which means unjudged"),
        ({"rel": 3}, "rel is 3, of type int: give a list"),
        ({"rel": [1] * 13}, "13 documents are too many: there is room for 12"),
        ({"rel": [[1], [2]]}, "many lists are given, and a widget shows one"),
        ({"rel": [1], "names": ["a", "b"]}, "names has 2 titles for 1 documents"),
        ({"rel": [2000]}, "too large"),
        ({"gain": "cube"}, "gain is 'cube': give 'linear'"),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError), match=said):
        soften(**given)


def test_the_state_is_plain_and_the_picture_is_drawn() -> None:
    for w in (soften(), soften([1]), soften([0, 1], [1, 1], temperature=1e-9, names=["<&>", "b"]), soften([1] * 12)):
        bundle = w._repr_mimebundle_()[0]
        assert json.loads(json.dumps(bundle[STATE], allow_nan=False)) == w.state
        drawn = ElementTree.fromstring(bundle["image/svg+xml"])
        texts = ["".join(e.itertext()) for e in drawn.iter() if e.tag.endswith("}text")]
        assert all(texts.count(d["name"]) == 3 for d in w.documents) and f"{w.numbers['nDCG']:.3f}" in texts[-1]
        assert "nan" not in w.picture()
    assert soften(temperature=0.01).picture().count('class="s"') == 6, "no arrow is left"
    assert soften(temperature=0.5).picture().count('class="s"') == 12


def test_saved_pages_are_in_step() -> None:
    saved = []
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            saved += [o["data"][STATE] for o in cell.get("outputs", []) if STATE in o.get("data", {})]
    assert saved
    for state in saved:
        assert state.keys() == {"documents", "scores", "temperature"}
        soften(
            [d["gain"] for d in state["documents"]], state["scores"], temperature=state["temperature"], gain="linear"
        )


# In JavaScript.


def test_javascript_computes_what_python_does() -> None:
    cases, tied = problems(300, seed=3), 0
    for p, told in zip(cases, call("soften", "({ soften }, cases) => cases.map(soften)", cases), strict=True):
        gains, how = p["gains"], {"scores": np.array(p["scores"]), "temperature": p["temperature"]}
        arrows = gradient(approx_ndcg, gains, **how)
        exactly = 1e-12 * (1 + abs(arrows).max())
        assert told["slopes"] == pytest.approx(arrows.tolist(), abs=exactly), p
        assert told["gradient"] == pytest.approx(np.linalg.norm(arrows), abs=exactly), p
        assert told["nDCG"] == pytest.approx(ndcg(gains, scores=p["scores"]), abs=1e-12), p
        for name, measure in {"ApproxNDCG": approx_ndcg, "NeuralSort-nDCG": neural_ndcg}.items():
            assert told[name] == pytest.approx(float(measure(gains, **how)), abs=1e-12), (name, p)
        ranks = [place["rank"] for place in told["soft"]]
        assert ranks == pytest.approx(soft_ranks(**how).tolist(), abs=1e-12)
        weights = [place["weight"] for place in told["soft"]]
        ideal = sum(g / math.log2(i + 2) for i, g in enumerate(sorted(gains, reverse=True)))
        assert np.dot(gains, weights) / ideal == pytest.approx(told["ApproxNDCG"], abs=1e-12)
        weights = [place["weight"] for place in told["hard"]]
        assert np.dot(gains, weights) / ideal == pytest.approx(told["nDCG"], abs=1e-12)
        tied += len({*p["scores"]}) < len(p["scores"])
    assert tied > 35


def test_javascript_follows_the_arrows_as_python_does() -> None:
    cases = problems(60, seed=4, least=-1)
    for p, told in zip(cases, call("soften", "({ follow }, cases) => cases.map(follow)", cases), strict=True):
        w = soften(p["gains"], p["scores"], temperature=p["temperature"], gain="linear")
        w.follow()
        assert told == pytest.approx(w.scores, abs=1e-9), p
        assert max(abs(a - b) for a, b in zip(told, p["scores"])) <= 1 + 1e-9


def test_names_keep_their_distance() -> None:
    rng = random.Random(5)
    cases = [sorted(rng.choice([rng.uniform(1, 6), 3.5]) for _ in range(rng.randint(1, 12))) for _ in range(200)]
    heights = call("soften", "({ spaced }, cases, gap) => cases.map((wanted) => spaced(wanted, gap))", cases, GAP)
    for wanted, told in zip(cases, heights, strict=True):
        assert told == pytest.approx(spaced(wanted, GAP), abs=1e-9)
        assert all(b - a >= GAP - 1e-9 for a, b in pairwise(told))
        assert sum(told) == pytest.approx(sum(wanted))


# In a browser.


@pytest.fixture
def line(alone: Any) -> Any:
    return alone("soften", soften().state, ".ns-dot")


def figures(page) -> dict[str, float]:
    terms, values = (page.locator(f".ns .nx-{part}").all_inner_texts() for part in ("term", "figure"))
    return {term: float(value.replace("−", "-")) for term, value in zip(terms, values, strict=True)}


def scores(page) -> list[float]:
    return page.locator(".ns-dot").evaluate_all("(all) => all.map((e) => Number(e.getAttribute('aria-valuenow')))")


def listed(page, which: str) -> list[list[str]]:
    parts = "['.ns-rank', 'b', '.ns-weight'].map((part) => row.querySelector(part).innerText)"
    return page.locator(f".ns-{which} li:visible").evaluate_all(f"(rows) => rows.map((row) => {parts})")


def heat(page, temperature: float) -> None:
    page.locator(".ns input").evaluate(
        "(input, x) => { input.value = Math.log10(x); input.dispatchEvent(new Event('input')); }", temperature
    )


def agrees(page, temperature: float = 0.5) -> None:
    "What is shown is what Python says of the scores that are shown"
    w = soften(scores=scores(page), temperature=temperature)
    for name, value in figures(page).items():
        assert value == pytest.approx(w.numbers[name], abs=5.1e-4), name
    order = sorted(range(6), key=lambda i: -w.scores[i])
    ranks = soft_ranks(w.scores, w.temperature)
    soft = [[f"{ranks[i]:.2f}", f"D{i + 1}", f"{1 / math.log2(1 + ranks[i]):.3f}"] for i in order]
    assert listed(page, "soft") == soft
    assert [name for _, name, _ in listed(page, "hard")] == [f"D{i + 1}" for i in order]


@needs_browser
def test_it_starts_with_the_eggs(line) -> None:
    assert scores(line) == list(SCORES)
    assert listed(line, "hard")[:2] == [["1", "D1", "1.000"], ["2", "D2", "0.631"]]
    assert figures(line) == {"nDCG": 0.949, "ApproxNDCG": 0.806, "NeuralSort-nDCG": 0.906, "gradient": 0.128}
    agrees(line)


def centre(page, n: int) -> tuple[float, float]:
    box = page.locator(".ns-dot").nth(n).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pixels(page, by: float) -> float:
    "How far a score goes on the screen"
    low, high = (float(page.locator(".ns-dot").first.get_attribute(f"aria-value{end}")) for end in ("min", "max"))
    return by * page.locator(".ns-track").first.bounding_box()["width"] / (high - low)


def mouse(page, n: int, by: float) -> None:
    x, y = centre(page, n)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + pixels(page, by), y + 40, steps=6)
    page.mouse.up()


def touch(page, n: int, by: float) -> None:
    session, (x, y) = page.context.new_cdp_session(page), centre(page, n)
    points = [[{"x": x + pixels(page, by) * step / 10, "y": y}] for step in range(11)]
    for kind, at in zip(["touchStart", *["touchMove"] * 10, "touchEnd"], [*points, []]):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def keys(page, n: int, by: float) -> None:
    page.locator(".ns-dot").nth(n).focus()
    for _ in range(round(abs(by) / 0.05)):
        page.keyboard.press("ArrowRight" if by > 0 else "ArrowLeft")


@needs_browser
@pytest.mark.parametrize("hand", [mouse, touch, keys])
def test_by_every_hand(hand: Any, line) -> None:
    hand(line, 1, -1)
    line.wait_for_function("document.querySelectorAll('.ns-dot')[1].getAttribute('aria-valuenow') < 0.7")
    assert scores(line) == pytest.approx([2, 0.6, 1.1, 0.9, 0.2, -0.5], abs=0.02)
    assert [name for _, name, _ in listed(line, "hard")] == ["D1", "D3", "D4", "D2", "D5", "D6"]
    agrees(line)
    hand(line, 5, 1)
    line.wait_for_function("document.querySelectorAll('.ns-dot')[5].getAttribute('aria-valuenow') > 0.4")
    agrees(line)
    line.get_by_role("button", name="reset").click()
    assert scores(line) == list(SCORES)


@needs_browser
def test_the_line_ends_and_escape_puts_back(line) -> None:
    mouse(line, 0, 9)
    assert scores(line)[0] == 3
    line.keyboard.press("Home")
    assert scores(line)[0] == -1
    line.keyboard.press("PageUp")
    assert scores(line)[0] == -0.5, "tied with D6"
    assert listed(line, "hard")[4:] == [["5–6", "D1", "0.372"], ["5–6", "D6", "0.372"]]
    x, y = centre(line, 2)
    line.mouse.move(x, y)
    line.mouse.down()
    line.mouse.move(x + 99, y)
    assert scores(line)[2] > 1.5
    line.keyboard.press("Escape")
    line.mouse.move(x + 150, y)
    line.mouse.up()
    assert scores(line)[2] == 1.1


@needs_browser
def test_cold_it_is_the_hard_list_and_the_arrows_are_gone(line) -> None:
    arrows = line.locator(".ns-push:not([hidden])")
    assert arrows.count() == 6
    heat(line, 0.01)
    assert line.locator(".ns .nx-k").inner_text() == "T = 0.01" and arrows.count() == 0
    assert listed(line, "soft") == [
        [f"{i}.00", name, weight] for i, (_, name, weight) in enumerate(listed(line, "hard"), 1)
    ]
    assert line.locator(".ns-said").inner_text().startswith("The soft list is the hard one. No arrow is left")
    line.get_by_role("button", name="follow the arrows").click()
    assert scores(line) == list(SCORES), "nothing is learned"
    keys(line, 3, 0.15)
    assert arrows.count() == 2, "D4 is near D3"
    agrees(line, 0.01)


@needs_browser
def test_hot_all_soft_ranks_are_the_same_and_the_arrows_short(line) -> None:
    before = line.locator(".ns-soft li").evaluate_all("(all) => all.at(-1).offsetTop - all[0].offsetTop")
    heat(line, 10)
    after = line.locator(".ns-soft li").evaluate_all("(all) => all.at(-1).offsetTop - all[0].offsetTop")
    assert after < 0.8 * before
    ends = line.locator(".ns-spot").evaluate_all("(all) => all.map((e) => Number(e.getAttribute('y1')))")
    assert max(ends) - min(ends) < 7  # of 100
    assert max(line.locator(".ns-push").evaluate_all("(all) => all.map((e) => e.hidden ? 0 : e.offsetWidth)")) < 3
    assert line.locator(".ns-said").inner_text().startswith("All soft ranks are nearly the same")
    agrees(line, 10)


@needs_browser
def test_the_arrows_lead_to_the_best_order(line) -> None:
    for _ in range(4):
        line.get_by_role("button", name="follow the arrows").click()
    w = soften()
    for _ in range(4):
        w.follow()
    assert scores(line) == pytest.approx(w.scores, abs=0.0051)
    assert figures(line)["nDCG"] == 1 == w.numbers["nDCG"]
    outside = """[...document.querySelectorAll('.ns-dot')].filter((dot) => {
      const [a, b] = [dot, dot.parentElement].map((e) => e.getBoundingClientRect());
      return a.left + a.width / 2 < b.left - 1 || a.left + a.width / 2 > b.right + 1;
    }).length"""
    assert line.evaluate(outside) == 0, "the line grows with the scores"


@needs_browser
def test_temperature_by_keys_and_what_is_said(line) -> None:
    line.locator(".ns input").focus()
    line.keyboard.press("End")
    assert line.locator(".ns input").get_attribute("aria-valuetext") == "T = 10"
    line.keyboard.press("Home")
    assert line.locator(".ns input").get_attribute("aria-valuetext") == "T = 0.01"
    line.wait_for_function("document.querySelector('.ns [role=status]').innerText.includes('No arrow is left')")
    assert "ApproxNDCG is 0.949" in line.locator(".ns [role=status]").inner_text()


@needs_browser
def test_what_python_sets_is_drawn(line) -> None:
    drawn = line.evaluate(
        """async ([source, state, changes]) => {
          const text = new Blob([source], { type: 'text/javascript' });
          const { default: widget } = await import(URL.createObjectURL(text));
          const listeners = {};
          const model = {
            get: (x) => state[x], set() {}, save_changes() {},
            on: (event, f) => { listeners[event] = f; }, off: (event) => { delete listeners[event]; },
          };
          const el = document.createElement('div');
          document.body.append(el);
          const leave = widget.render({ model, el });
          const seen = [];
          for (const [name, value] of changes) {
            state[name] = value;
            listeners[`change:${name}`]();
            const figures = [...el.querySelectorAll('.nx-figure')].map((e) => e.textContent);
            const first = el.querySelector('.ns-dot').getAttribute('aria-valuenow');
            seen.push([el.querySelector('.nx-k').textContent, first, ...figures]);
          }
          leave();
          el.remove();
          return [seen, Object.keys(listeners).length];
        }""",
        [
            script("soften"),
            json.loads(json.dumps(soften().state)),
            [["temperature", 0.1], ["scores", [7, 1.6, 1.1, 0.9, 0.2, -0.5]]],
        ],
    )
    seen, left = drawn
    assert seen[0][:5] == ["T = 0.1", "2", "0.949", "0.938", "0.943"]
    assert seen[1][1] == "7" and left == 0


@needs_browser
def test_nothing_moves_unless_the_reader_moves_it(line) -> None:
    where = """[...document.querySelectorAll('.ns-dot, .ns-ticks > span, .ns-hard li, .ns-said, .nx-numbers > div')]
      .map((e) => { const { x, y } = e.getBoundingClientRect(); return [x, y]; })"""
    before = line.evaluate(where)
    for temperature in (0.01, 0.03, 1, 10):
        heat(line, temperature)
        now = line.evaluate(where)
        assert [b for a, b in zip(before, now) if a[1] != b[1]] == []
        assert now[:20] == before[:20], "handles, ticks and rows stay"
    keys(line, 1, 0.3)
    moved = [n for n, (a, b) in enumerate(zip(before, line.evaluate(where))) if a[1] != b[1] or (n < 18 and a != b)]
    assert moved == [1]


@needs_browser
@pytest.mark.parametrize("theme, width", [("dark", 390), ("light", 1280)])
def test_it_fits_and_everything_has_a_name(alone: Any, theme: str, width: int) -> None:
    given = [
        {},
        {"rel": [2.5, 0, 1], "scores": [-120, 0, 120], "names": ["A title that is long enough to be cut " * 3] * 3},
    ]
    for more in (*given, {"rel": [0, 1], "scores": [1, 1], "temperature": 0.01}, {"rel": [1] * 12}):
        page = alone("soften", soften(**more).state, ".ns-dot", width, theme)
        assert page.evaluate(TOO_WIDE) == []
        assert page.locator(".nx-numbers").evaluate("e => getComputedStyle(e).position") == "static", (
            "it lies on nothing"
        )
        for key in ("End", "Home"):
            page.locator(".ns-dot").first.focus()
            page.keyboard.press(key)
            assert page.evaluate(TOO_WIDE) == []
        cut = """[...document.querySelectorAll('.ns-rank, .ns-weight, .ns-head span, .ns-called, .nx-term, .nx-figure')]
          .filter((e) => e.checkVisibility() && getComputedStyle(e).display !== 'inline')
          .filter((e) => e.scrollWidth > e.clientWidth + 1 && !e.querySelector('.ns-title')?.checkVisibility())
          .map((e) => e.textContent)"""
        assert page.evaluate(cut) == []
        unnamed = """[...document.querySelectorAll('.ns button, .ns input, .ns [tabindex], .ns ol, .ns [role=group]')]
          .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim())).map((e) => e.outerHTML)"""
        assert page.evaluate(unnamed) == []
