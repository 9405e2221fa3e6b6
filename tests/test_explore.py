"""The widget alone, on a page of its own: every control by mouse, finger and keyboard, and its list in the address."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import build
import pytest
from conftest import ROOT, Fresh, needs_browser, serving
from javascript import call, needs_node
from test_site import POOL, REL, expect, middle, state, watch

from ndcg_nb import bounds, dialect, discount, explain, explore, gain, minmax_ndcg, ndcg, penalized_ndcg
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.show.pages import EGGS
from ndcg_nb.widgets.explore import SEEN_SETTINGS, VIEW_NUMBERS, VIEWS, Explore, Seen, speak, tongues

BOOK = {"rel": REL, "k": 6, "pool": POOL, "names": EGGS}
LISTS = {
    "cg": {"rel": REL},
    "dcg": {"rel": REL, "names": EGGS[:6]},
    "penalties": {"rel": [1, 1, 1, -1]},
    "missing": {"rel": [1, 1, 1], "k": 5, "pool": [1] * 5},
    "coverage": {"rel": [1], "k": 1, "pool": [1] * 5},
    "unjudged": {"rel": [None, 1, 2, 0, 1, None]},
}
GROUNDS = {"light": ("#fff", "#000"), "dark": ("#131416", "#cfd0d0")}


def made(view: str, **given: object) -> Explore:
    how = {**LISTS.get(view, BOOK), **given}
    return explore(how.pop("rel"), **how, view=view)


def written(*widgets: Explore, theme: str = "light") -> str:
    "A page that hosts widgets as the site does, without the site"
    ground, ink = GROUNDS[theme]
    look = (
        f"background: {ground}; color: {ink}; --color-background-primary: {ground}; margin: 8px; font: 16px sans-serif"
    )
    css = (ROOT / "ndcg_nb/static/explore.css").read_text("utf-8")
    states = [json.dumps(w.state).replace("<", "\\u003c") for w in widgets]
    host = '<div class="nx-static" data-widget="explore"><script type="application/json">{}</script></div>'
    boxes = "".join(
        f'<h2 id="w{i}">w{i}</h2><div class="cell_output">{host.format(s)}</div>' for i, s in enumerate(states)
    )
    meta = '<meta charset="utf-8"><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">'
    narrow = "@media (max-width: 48em) { .content { overflow-x: auto; } }"
    site = (
        ".cell_output { overflow-x: auto; } .main { display: flex; } .content { width: 100%; padding: 0 1em; } "
        + narrow
    )
    rule = f"<style>{site}</style>"
    head = f"<!doctype html>{meta}<style>{css}</style>{rule}"
    code = f'<pre style="overflow: auto">{"wide " * 60}</pre>'
    body = f'<div class="main"><div class="content">{boxes}<p id="end">The end.</p>{code}</div></div>'
    return f'{head}<body style="{look}">{body}<script>{build.static_script()}</script>'


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    "A folder, and where it is served"

    folder = tmp_path_factory.mktemp("widget")
    with serving(folder, Fresh) as address:
        yield folder, address


@pytest.fixture
def show(window, shelf) -> Iterator[Callable]:
    "Open a page with the widgets given"
    pages, wrong = [], []
    window.grant_permissions(["clipboard-read", "clipboard-write"])

    def open_page(*widgets: Explore, width: int = 1200, height: int = 900, theme: str = "light", still: bool = True):
        page = window.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(reduced_motion="reduce" if still else "no-preference", color_scheme=theme)
        pages.append(page)
        wrong.append(watch(page, shelf[1]))
        (shelf[0] / "page.html").write_text(written(*widgets, theme=theme), "utf-8")
        page.goto(f"{shelf[1]}/page.html")
        page.wait_for_selector(".nx-numbers")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not any(wrong), wrong


def button(page, name: str):
    return page.locator(".nx").first.get_by_role("button", name=name, exact=True)


def hands(page) -> dict[str, Callable]:
    "Three ways to press a button"

    def key(name: str) -> None:
        button(page, name).focus()
        page.keyboard.press("Enter")

    return {"mouse": lambda x: button(page, x).click(), "touch": lambda x: button(page, x).tap(), "keyboard": key}


def finger(page) -> Callable:
    session = page.context.new_cdp_session(page)

    def drag(start: tuple[float, float], end: tuple[float, float], lift: bool = True) -> None:
        path = [(start[0] + (end[0] - start[0]) * t / 12, start[1] + (end[1] - start[1]) * t / 12) for t in range(13)]
        for kind, (x, y) in zip(["touchStart", *["touchMove"] * 12], path, strict=True):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        if lift:
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    return drag


def mouse(page) -> Callable:
    def drag(start: tuple[float, float], end: tuple[float, float], lift: bool = True) -> None:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=12)
        if lift:
            page.mouse.up()

    return drag


def change(page) -> list[str]:
    return page.locator(".nx").first.locator(".nx-change").all_inner_texts()


EGG_7 = "D7, The six-minute egg at altitude, grade 3: show it"


@needs_browser
@pytest.mark.parametrize("hand, theme", [("mouse", "light"), ("touch", "dark"), ("keyboard", "light")])
def test_what_is_shown_enters_at_the_cutoff(show, hand: str, theme: str) -> None:
    page = show(made("ndcg"), theme=theme)
    hands(page)[hand](EGG_7)
    expect(page, "D1 D2 D3 D4 D5 D7 D6", [3, 2, 3, 0, 1, 3, 2])
    rise = ndcg([3, 2, 3, 0, 1, 3], 6, pool=POOL) - ndcg(REL, 6, pool=POOL)
    assert change(page)[2] == f"+{rise:.3f}" == "+0.041"
    hands(page)[hand]("add a result")
    expect(page, "D1 D2 D3 D4 D5 D9 D7 D6", [3, 2, 3, 0, 1, 1, 3, 2], pool=[*POOL, 1])


@needs_browser
@pytest.mark.parametrize("drag", [mouse, finger])
def test_what_is_dropped_enters_where_it_is_dropped(show, drag: Callable) -> None:
    page = show(made("ndcg"))
    drag(page)(middle(page, ".nx-chip", 0), middle(page, ".nx-row .nx-grip", 1))
    expect(page, "D1 D7 D2 D3 D4 D5 D6", [3, 3, 2, 3, 0, 1, 2])


@needs_browser
@pytest.mark.parametrize("hand, theme", [("mouse", "light"), ("touch", "dark"), ("keyboard", "light")])
def test_best_order_shuffle_and_reset(show, hand: str, theme: str) -> None:
    page = show(made("ndcg"), theme=theme)
    press = hands(page)[hand]
    press("best order")
    expect(page, "D1 D3 D2 D6 D5 D4", [3, 3, 2, 2, 1, 0])
    orders = set()
    for _ in range(6):
        before = state(page)["names"]
        press("shuffle")
        after = state(page)["names"]
        assert sorted(after) == sorted(before) and after != before, "a shuffle moves something"
        orders.add(tuple(after))
    assert len(orders) > 2
    page.locator(".nx select").nth(0).select_option("exp")
    page.locator(".nx select").nth(1).select_option("zipf")
    page.locator(".nx input").first.focus()
    page.keyboard.press("Home")
    press(EGG_7)
    press("reset")
    expect(page, "D1 D2 D3 D4 D5 D6", REL)
    assert state(page)["tray"] == ["D7 3", "D8 2"]
    page.wait_for_function("document.querySelector('.nx-live').textContent.startsWith('The list is as it was.')")


@needs_browser
def test_best_order_puts_the_bad_last(show) -> None:
    page = show(made("penalties", rel=[-1, 0, 1, 2]))
    button(page, "best order").click()
    assert state(page)["names"] == ["D4", "D3", "D2", "D1"]


@needs_browser
def test_nothing_to_sort(show) -> None:
    page = show(made("coverage"))
    assert button(page, "best order").is_disabled() and button(page, "shuffle").is_disabled()


SLIDES = "() => [...document.querySelectorAll('.nx-row')].map((row) => row.getAnimations().length)"


@needs_browser
def test_rows_slide_unless_motion_is_unwelcome(show) -> None:
    page = show(made("ndcg"), still=False)
    assert sum(page.evaluate(SLIDES)) == 0, "nothing moves unless the reader moves it"
    moved, lasts = (
        page.evaluate(  # pressed and looked at in one breath: a slide lasts 120 ms, a slow machine's answer longer
            f"""() => {{
          document.querySelectorAll('.nx-acts button')[6].click();  // D3 up
          const slide = document.querySelectorAll('.nx-row')[1].getAnimations()[0];
          return [({SLIDES})(), slide?.effect.getTiming().duration];
        }}"""
        )
    )
    assert moved[:6] == [0, 1, 1, 0, 0, 0] and lasts == 120
    page.wait_for_function(f"({SLIDES})().every((n) => n === 0)")
    expect(page, "D1 D3 D2 D4 D5 D6", [3, 3, 2, 0, 1, 2])
    calm = show(made("ndcg"))
    calm.evaluate("document.querySelectorAll('.nx-acts button')[6].click()")
    assert sum(calm.evaluate(SLIDES)) == 0
    expect(calm, "D1 D3 D2 D4 D5 D6", [3, 3, 2, 0, 1, 2])


@needs_browser
def test_a_held_result_is_where_the_hand_is(show) -> None:
    page = show(made("ndcg"), still=False)
    page.evaluate(
        """() => {
          const own = Element.prototype.animate;
          Element.prototype.animate = function (k, how) { return own.call(this, k, { ...how, duration: 1e6 }); };
        }"""
    )
    x, y = middle(page, ".nx-row .nx-name", 4)
    mouse(page)(middle(page, ".nx-row .nx-name", 0), (x, y), lift=False)
    for by in (1, 2, 3):  # rows that still slide do not confuse the hand
        page.mouse.move(x, y + by)
        assert state(page)["names"] == ["D2", "D3", "D4", "D5", "D1", "D6"]
    assert page.evaluate(SLIDES)[4] == 0 and page.locator(".nx-held .nx-name").inner_text() == "D1"
    page.mouse.up()


@needs_browser
def test_the_change_beside_the_number(show) -> None:
    page = show(made("ndcg"), still=False)
    assert change(page) == ["", "", ""] or change(page) == []
    button(page, "Move D4 up").click()
    lower = ndcg([3, 2, 0, 3, 1, 2], 6, pool=POOL) - ndcg(REL, 6, pool=POOL)
    assert change(page) == [change(page)[0], "", f"−{-lower:.3f}"] and change(page)[0].startswith("−")
    assert page.locator(".nx-change").first.get_attribute("aria-hidden") == "true"
    page.wait_for_function("document.querySelector('.nx-live').textContent.startsWith('D4 at rank 3.')")
    assert f"−{-lower:.3f}" not in page.locator(".nx-live").inner_text(), "it is not told twice"
    fades = "getComputedStyle(document.querySelectorAll('.nx-change')[2])"
    assert page.evaluate(f"{fades}.animationName") == "nx-fade"
    page.wait_for_function(f"{fades}.opacity === '0'", timeout=6000)
    # during a drag it is counted from where the drag began
    start = middle(page, ".nx-row .nx-name", 2)
    mouse(page)(start, middle(page, ".nx-row .nx-name", 3), lift=False)
    page.mouse.move(*middle(page, ".nx-row .nx-name", 4), steps=4)
    here, there = [3, 2, 3, 1, 0, 2], [3, 2, 0, 3, 1, 2]
    assert change(page)[2] == f"+{ndcg(here, 6, pool=POOL) - ndcg(there, 6, pool=POOL):.3f}"
    page.keyboard.press("Escape")
    assert change(page) == ["", "", ""]
    page.mouse.up()


def cutoff(page) -> str:
    handle = page.locator(".nx-handle").first
    assert page.locator(".nx-k").first.inner_text() == handle.get_attribute("aria-valuetext")
    return handle.inner_text()


@needs_browser
@pytest.mark.parametrize("drag, theme", [(mouse, "light"), (finger, "dark")])
def test_the_line_is_dragged(show, drag: Callable, theme: str) -> None:
    page = show(made("ndcg"), theme=theme)
    assert cutoff(page) == "k = 6"

    def between(n: int) -> tuple[float, float]:
        x, y = middle(page, ".nx-row .nx-grip", n - 1)
        return x + 60, y + 14

    drag(page)(middle(page, ".nx-line"), between(3))
    assert cutoff(page) == "k = 3"
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=3)
    assert page.locator(".nx-cut:visible").count() == 3
    box, last = (page.locator(x).bounding_box() for x in (".nx-line", ".nx-row:nth-of-type(4)"))
    assert box["y"] >= last["y"] + last["height"] - 1, "the line is below rank 3"
    drag(page)(middle(page, ".nx-line"), between(1))
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=1)
    # below the list there are ranks where only the ideal has something, and below these there is no cut
    x, y = middle(page, ".nx-row .nx-grip", 5)
    drag(page)(middle(page, ".nx-line"), (x + 60, y + 44))
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=7)
    x, y = middle(page, ".nx-line")
    drag(page)((x, y), (x, y + 150))
    assert cutoff(page) == "no cut"
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=None)
    drag(page)(middle(page, ".nx-line"), between(5))
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=5)


@needs_browser
def test_escape_puts_the_line_back(show) -> None:
    page = show(made("ndcg"))
    mouse(page)(middle(page, ".nx-line"), middle(page, ".nx-row .nx-name", 1), lift=False)
    assert cutoff(page) != "k = 6"
    page.keyboard.press("Escape")
    assert cutoff(page) == "k = 6"
    page.mouse.up()
    assert cutoff(page) == "k = 6"


@needs_browser
def test_the_line_by_keyboard(show) -> None:
    page = show(made("ndcg"))
    line = page.get_by_role("slider", name="Cutoff k").first
    line.focus()
    for key, k in [("ArrowUp", 5), ("ArrowLeft", 4), ("ArrowDown", 5), ("ArrowRight", 6), ("Home", 1), ("ArrowUp", 1)]:
        page.keyboard.press(key)
        assert cutoff(page) == f"k = {k}" and line.get_attribute("aria-valuenow") == str(k)
        expect(page, "D1 D2 D3 D4 D5 D6", REL, k=k)
    page.keyboard.press("End")
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=None)
    page.keyboard.press("ArrowUp")
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=8)
    page.wait_for_function("document.querySelector('.nx-live').textContent.includes('nDCG at 8 is')")
    assert page.evaluate("document.activeElement.className") == "nx-handle"


@needs_browser
@pytest.mark.parametrize("width, height", [(390, 700), (700, 700), (1200, 500)])
def test_numbers_stay_in_view_on_a_long_list(show, width: int, height: int) -> None:
    page = show(made("ndcg", rel=[1, 2, 3, 0] * 8, k=None, pool=None, names=None), width=width, height=height)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def box() -> dict:
        return page.locator(".nx-numbers").bounding_box()

    assert box()["y"] + box()["height"] <= height + 1, "in view before anything has scrolled"
    page.mouse.move(*middle(page, ".nx-row .nx-name", 3))
    page.mouse.down()
    x, _ = middle(page, ".nx-row .nx-name", 3)
    page.mouse.move(x, height - 10, steps=5)  # held at the edge
    page.wait_for_function(f"scrollY > {height - 200}")
    assert box()["y"] + box()["height"] <= height + 1
    page.mouse.move(x, 250, steps=2)
    page.mouse.up()
    assert state(page)["names"].index("D4") > 8, "it travelled with the hand"


ON = """() => {
  const numbers = document.querySelector('.nx-numbers').getBoundingClientRect();
  const others = '.nx-hint, .nx-controls label, .nx-head, .nx-row:first-of-type, .nx-tools button, .nx-tray, .nx-sums';
  const under = [...document.querySelectorAll(others)].filter((e) => {
    const { top, bottom } = e.getBoundingClientRect();
    return top < numbers.bottom - 1 && bottom > numbers.top + 1;
  });
  return under.map((e) => e.className || e.textContent);
}"""


@needs_browser
@pytest.mark.parametrize("width", [390, 1200])
def test_numbers_stick_within_the_list_alone(show, width: int) -> None:
    page = show(made("ndcg"), width=width)
    stuck = page.locator(".nx-stuck")
    for height in range(150, 1000, 50):  # wherever the window ends as the page opens
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(ON) == [], height
    page.set_viewport_size({"width": width, "height": 2000})
    stuck.wait_for(state="detached")
    assert page.locator(".nx-numbers").evaluate("e => getComputedStyle(e).boxShadow") == "none"
    end = page.locator(".nx-row").nth(4).bounding_box()
    page.set_viewport_size({"width": width, "height": round(end["y"] + end["height"])})
    stuck.wait_for()
    assert stuck.evaluate("e => getComputedStyle(e).boxShadow") != "none", "an edge, while rows are below"
    for i in range(6):  # a row that is reached is not below the numbers
        page.locator(".nx-row").nth(i).focus()
        row, numbers = (page.locator(x).bounding_box() for x in (".nx-row:focus", ".nx-numbers"))
        assert row["y"] + row["height"] <= numbers["y"] + 1


@needs_browser
@pytest.mark.parametrize("theme", GROUNDS)
def test_titles(show, theme: str) -> None:
    page = show(made("ndcg"), theme=theme)
    rows = page.locator(".nx-row")
    assert rows.locator(".nx-title").all_inner_texts() == list(EGGS[:6])
    assert rows.nth(3).get_attribute("aria-label").startswith("Rank 4: D4, Egg cartons wholesale, grade 0, adds 0")
    assert rows.nth(3).locator(".nx-title").get_attribute("title") == "Egg cartons wholesale"
    chips = page.locator(".nx-chip")
    assert chips.first.get_attribute("title") == EGG_7 == chips.first.get_attribute("aria-label")
    page.set_viewport_size({"width": 390, "height": 800})
    cut = "[...document.querySelectorAll('.nx-called')].map((e) => e.getBoundingClientRect().right <= innerWidth)"
    assert all(page.evaluate(cut))
    named = "[...document.querySelectorAll('.nx-row .nx-name')].every((e) => e.getBoundingClientRect().width > 10)"
    assert page.evaluate(named)


@needs_browser
def test_a_title_is_text(show) -> None:
    page = show(explore([1], names=["<img src=x onerror=alert(1)>" + "long " * 60]), width=390)
    assert page.locator(".nx-title").first.inner_text().startswith("<img")
    assert page.locator(".nx img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


WIDTHS = """(what) => [...document.querySelectorAll(`.nx-row:not([hidden]) ${what}`)].map((e) => {
  const own = e.parentElement.getBoundingClientRect();
  const { left, width } = e.getBoundingClientRect();
  return [(left - own.left) / own.width, width / own.width];
})"""


@needs_browser
@pytest.mark.parametrize("theme", GROUNDS)
def test_a_loss_lies_left_of_zero(show, theme: str) -> None:
    page = show(made("penalties"), theme=theme)
    parts = page.evaluate(WIDTHS, ".nx-part")
    zero = parts[0][0]
    assert 0.3 < zero < 0.6 and all(abs(left - zero) < 0.01 for left, _ in parts[:3])
    assert abs(parts[3][0] + parts[3][1] - zero) < 0.01, "the bad one ends where the others begin"
    assert parts[3][1] == pytest.approx(parts[0][1] * discount(4), abs=0.01)
    assert page.locator(".nx-loss").count() == 1
    assert parts[0][0] + parts[0][1] == pytest.approx(1, abs=0.01), "the bars use the width"


@needs_browser
def test_hints_are_true(show) -> None:
    page = show(made("penalties"))
    hint = page.locator(".nx-hint").inner_text()
    assert "Add one at the end, or raise its price: nDCG does not notice" in hint
    button(page, "add a result").click()
    assert state(page)["names"][-1] == "D5" and state(page)["numbers"]["nDCG"] == "1"
    page.locator("label:has-text('price') input").focus()
    page.keyboard.press("End")
    assert state(page)["numbers"]["nDCG"] == "1"
    button(page, "Move D4 up").click()
    assert "Move it up: nDCG sees only that good ones came down" in hint
    assert state(page)["numbers"]["nDCG"] == f"{ndcg([1, 1, 0, 1, 0]):.3f}" == "0.967"


@needs_browser
@pytest.mark.parametrize("view", ["cg", "ndcg", "unjudged"])
def test_what_is_below_the_cutoff_adds_nothing(show, view: str) -> None:
    page = show(made(view, rel=[3, 2, 1, 2], k=2, pool=None, names=None))
    rows = page.locator(".nx-row:visible")
    values = rows.locator(".nx-value").all_inner_texts()
    assert values == ["3", "2" if view == "cg" else f"{2 * discount(2):.3f}", "0", "0"]
    for row, value in zip(rows.all(), values, strict=True):
        assert f"adds {value}" in row.get_attribute("aria-label").split(", ")


@needs_browser
def test_gain_behind_and_ideal_named(show) -> None:
    page = show(made("dcg"))
    behind, parts = page.evaluate(WIDTHS, ".nx-ideal"), page.evaluate(WIDTHS, ".nx-part")
    assert [w for _, w in behind] == pytest.approx([g / 3 for g in REL], abs=0.01)
    assert [w for _, w in parts] == pytest.approx([g / 3 * discount(i) for i, g in enumerate(REL, 1)], abs=0.01)
    page = show(made("idcg"))
    assert page.locator(".nx-best").all_inner_texts() == ["D1", "D3", "D7", "D2", "D6", "D8"]
    assert "the ideal has D7" in page.locator(".nx-row").nth(2).get_attribute("aria-label")
    assert page.locator(".nx-best").nth(2).get_attribute("title") == f"in the best order: D7, {EGGS[6]}"
    x, y = middle(page, ".nx-best", 2)
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).className", [x, y]) == "nx-best", (
        "a hand finds it"
    )


@needs_browser
@pytest.mark.parametrize("view", VIEWS)
def test_a_name_beside_the_bar_is_explained(show, view: str) -> None:
    page = show(made(view))
    told = "grey what the best list would have there, and which document" in page.locator(".nx-hint").inner_text()
    assert told is (page.locator(".nx-best").count() > 0)


@needs_browser
@pytest.mark.parametrize(
    "view, head",
    [("cg", "sum"), ("dcg", "sum"), ("ndcg", "sum / ideal"), ("losses", "lost"), ("dialects", "in the second")],
)
def test_heads(show, view: str, head: str) -> None:
    assert show(made(view)).locator(".nx-head span").nth(5).inner_text() == head


@needs_browser
def test_what_is_supposed_is_said(show) -> None:
    page = show(made("unjudged"))
    text = page.locator("label:has-text('all ? are') .nx-k")
    assert text.inner_text() == "0"
    page.locator("label:has-text('all ? are') input").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert text.inner_text() == "2"
    page.locator(".nx-row").first.focus()
    page.keyboard.press("3")
    assert text.inner_text() == "mixed"


@needs_browser
@pytest.mark.parametrize("hand", ["mouse", "touch", "keyboard"])
def test_help_opens(show, hand: str) -> None:
    page = show(made("ndcg"))
    assert not page.locator(".nx-help").is_visible()
    hands(page)[hand]("How to move things")
    assert "Home End move it" in page.locator(".nx-help").inner_text()
    assert button(page, "How to move things").get_attribute("aria-expanded") == "true"
    hands(page)[hand]("How to move things")
    assert not page.locator(".nx-help").is_visible()


@needs_browser
def test_forms_say_what_they_are(show) -> None:
    page = show(made("ndcg"))
    gains, discounts = (page.locator(".nx select").nth(i).locator("option").all_inner_texts() for i in (0, 1))
    assert gains == ["linear: the grade", "exp: 2^grade − 1", "binary: 1 above 0"]
    assert discounts == ["log2: 1 / log2(i + 1)", "jk 2: 1 / log2(i) from i = 2", "zipf: 1 / i"]
    titles = page.evaluate("[...document.querySelectorAll('.nx-controls label')].map((e) => e.title)")
    assert titles == ["What a grade is worth", "What rank i weighs", "The cutoff: only the first k results count"]
    assert [discount(i, ("jk", 2)) for i in (1, 2, 8)] == [1, 1, 1 / 3], "from rank 2 on it is 1 / log2(i), and 1 above"


@needs_browser
@pytest.mark.parametrize("width", [390, 480])
@pytest.mark.parametrize("view", VIEWS)
def test_a_phone(show, view: str, width: int) -> None:
    page = show(made(view), width=width)
    inside = """() => {
      const box = document.querySelector('.nx').getBoundingClientRect();
      const all = [...document.querySelectorAll('.nx *')];
      const out = all.filter((e) => e.getBoundingClientRect().right > box.right + 0.5);
      return out.filter((e) => !e.closest('.nx-live, .nx-called')).map((e) => e.outerHTML.slice(0, 80));
    }"""
    assert page.evaluate(inside) == []
    lines = "[...document.querySelectorAll('.nx-value, .nx-figure, .nx-acts')]"
    one = f"{lines}.every((e) => e.getBoundingClientRect().height < 32)"
    assert page.evaluate(one), "a number is a line"
    told = {"losses": ["grade", "lost"], "dialects": ["grade", "adds", "in the second"]}.get(view, ["grade", "adds"])
    assert page.locator(".nx-head span:visible").all_inner_texts() == told, "with the number the view is about"
    values = {"losses": ".nx-run", "dialects": ".nx-value, .nx-run"}.get(view, ".nx-value")
    row = page.locator(".nx-row").first
    assert row.locator(":is(.nx-value, .nx-run):visible").count() == row.locator(values).count()
    bars, box = row.locator(".nx-bars").bounding_box(), row.bounding_box()
    assert bars["width"] > 0.75 * box["width"], "bars over the width of the list"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@needs_browser
@pytest.mark.parametrize("named", [True, False])
def test_a_list_in_half_a_page_has_every_column(show, named: bool) -> None:
    "As in a report, where two lists are side by side"
    page = show(made("ndcg", names=EGGS if named else None), width=560)
    assert page.locator(".nx-head span:visible").all_inner_texts() == ["grade", "adds", "sum / ideal"]
    assert page.locator(".nx-run:visible").count() == 6
    heads, row = page.locator(".nx-head span"), page.locator(".nx-row").first
    for i, what in [(3, "> button"), (4, ".nx-value"), (5, ".nx-run")]:
        head, cell = heads.nth(i).bounding_box(), row.locator(what).bounding_box()
        assert abs(head["x"] + head["width"] - cell["x"] - cell["width"]) < 1, "below its head"


@needs_browser
def test_fingers_have_room(show) -> None:
    page = show(made("ndcg"), width=390)
    sizes = """(what) => [...document.querySelectorAll(what)].filter((e) => e.offsetParent).map((e) => {
      const { width, height } = e.getBoundingClientRect();
      return Math.min(width, height);
    })"""
    for what in (".nx-grip", ".nx-handle", ".nx button", ".nx input"):
        assert min(page.evaluate(sizes, what)) >= 23.99, what
    for name in (0, 5):  # and a finger at the edge of the dots is on them
        box = page.locator(".nx-grip").nth(name).bounding_box()
        for x in (box["x"] + 1, box["x"] + box["width"] - 1):
            hit = page.evaluate("([x, y]) => document.elementFromPoint(x, y).className", [x, box["y"] + 5])
            assert hit == "nx-grip"


def long(view: str, rel: list[int], k: int | None) -> SimpleNamespace:
    "A list as a report or the page for pasted runs has it, longer than one of Python's"
    state = made(view, rel=[3, 2, 1, 0], pool=None, names=None).state
    documents = [{"name": f"D{i}", "grade": x, "shown": True} for i, x in enumerate(rel, 1)]
    weights = {"log2": discount(range(1, len(rel) + 1)).tolist()}
    choices = state["choices"] | {"discount": ["log2"]}
    return SimpleNamespace(state=state | {"documents": documents, "k": k, "discounts": weights, "choices": choices})


@needs_browser
def test_two_hundred_results(show) -> None:
    rel = [3, 0, 0, 2, 0, 0, 0, 1] * 25
    page = show(long("ndcg", rel, 100))

    def ranks() -> list[int]:
        return [int(x) for x in page.locator(".nx-row:visible .nx-rank").all_inner_texts()]

    assert ranks() == [*range(1, 21), *range(95, 106)], "the first ones, and those near k"
    assert page.locator(".nx-gap .nx-rank").all_inner_texts() == ["95"]
    assert page.locator(".nx").bounding_box()["height"] < 2500
    dcg_sum, best_sum, _ = page.locator(".nx-sums p").all_inner_texts()
    zeros = sum(x == 0 for x in rel[:100])
    assert f"+ {zeros} terms of 0 = " in dcg_sum and "0 × 0" not in dcg_sum and dcg_sum.count("×") == 100 - zeros
    assert "+ 35 more terms" in best_sum and "terms of 0" in best_sum and best_sum.count("×") == 40
    ours = ndcg(rel, 100)
    assert state(page)["numbers"]["nDCG@100"] == f"{ours:.3f}"
    # what is moved is in view, wherever it goes
    page.locator(".nx-row:visible").nth(0).focus()
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.querySelector('.nx-name').textContent") == "D1"
    assert ranks()[-3:] == [198, 199, 200]
    page.keyboard.press("Home")
    assert ranks()[-1] == 105 and page.evaluate("document.activeElement.querySelector('.nx-rank').textContent") == "1"
    # by hand, over what is folded
    at = page.locator(".nx-row:visible .nx-name")
    at.nth(22).scroll_into_view_if_needed()
    mouse(page)(middle(page, ".nx-row:visible .nx-name", 21), middle(page, ".nx-row:visible .nx-name", 17))
    assert page.locator(".nx-row:visible .nx-name").all_inner_texts()[17] == "D96"
    more = page.locator(".nx-fold button")
    assert more.inner_text() == "show all 200" and more.get_attribute("aria-expanded") == "false"
    more.click()
    assert ranks() == [*range(1, 201)] and page.locator(".nx-gap").count() == 0
    assert more.inner_text() == "show fewer"
    more.click()
    assert ranks() == [*range(1, 21), *range(95, 106)]
    short = show(long("ndcg", rel[:40], None))
    assert short.locator(".nx-row:visible").count() == 40 and short.locator(".nx-fold:visible").count() == 0


@needs_browser
def test_the_line_goes_on_where_ranks_are_folded(show) -> None:
    page = show(long("cg", [1] * 60, 30), height=2400)
    assert page.locator(".nx-row:visible .nx-rank").last.inner_text() == "35"
    x, y = middle(page, ".nx-line")
    mouse(page)((x, y), middle(page, ".nx-row:visible .nx-name", 24), lift=False)
    assert cutoff(page) == "k = 28", "between ranks 28 and 29, as 21 to 24 are folded"
    _, end = middle(page, ".nx-fold")
    for i in range(8):  # there is more below, and a hand that moves there brings it
        page.mouse.move(x, end + 600 + i)
    assert 45 < int(cutoff(page).removeprefix("k = ")) < 60
    page.mouse.up()


@needs_browser
def test_the_slider_suits_the_dark(show) -> None:
    from PIL import Image

    page = show(made("ndcg"), theme="dark")
    shot = page.locator(".nx input[type=range]").first.screenshot()
    picture = Image.open(BytesIO(shot)).convert("L")
    darkest, lightest = picture.getextrema()
    assert lightest < 140, "no white track"
    assert lightest - darkest > 30, "and it is to be seen"


@needs_browser
def test_mouse(show) -> None:
    widget = show(made("ndcg"))
    widget.mouse.move(*middle(widget, ".nx-row .nx-name", 3))
    widget.mouse.down()
    for n in (2, 1, 0):
        widget.mouse.move(*middle(widget, ".nx-row .nx-name", n), steps=3)
    expect(widget, "D4 D1 D2 D3 D5 D6", [0, 3, 2, 3, 1, 2])  # while it is still held
    widget.mouse.up()
    expect(widget, "D4 D1 D2 D3 D5 D6", [0, 3, 2, 3, 1, 2])
    # from the list into the tray, and from the tray into the list
    widget.mouse.move(*middle(widget, ".nx-row .nx-name", 0))
    widget.mouse.down()
    widget.mouse.move(*middle(widget, ".nx-tray"), steps=8)
    widget.mouse.up()
    expect(widget, "D1 D2 D3 D5 D6", [3, 2, 3, 1, 2])
    assert state(widget)["tray"] == ["D7 3", "D8 2", "D4 0"]
    widget.mouse.move(*middle(widget, ".nx-chip", 0))
    widget.mouse.down()
    widget.mouse.move(*middle(widget, ".nx-row .nx-name", 1), steps=8)
    widget.mouse.up()
    expect(widget, "D1 D7 D2 D3 D5 D6", [3, 3, 2, 3, 1, 2])
    # a click, not a drag, shows a document at rank k
    widget.locator(".nx-chip").first.click()
    expect(widget, "D1 D7 D2 D3 D5 D8 D6", [3, 3, 2, 3, 1, 2, 2])


@needs_browser
def test_touch(show) -> None:
    widget = show(made("ndcg"))
    session = widget.context.new_cdp_session(widget)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    x, y = middle(widget, ".nx-row .nx-grip", 5)
    to = middle(widget, ".nx-row .nx-grip", 0)[1]
    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x, y + (to - y) * step / 10))
    touch("touchEnd")
    expect(widget, "D6 D1 D2 D3 D4 D5", [2, 3, 2, 3, 0, 1])
    x, y = middle(widget, ".nx-chip", 0)
    to_x, to_y = middle(widget, ".nx-row .nx-grip", 0)
    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x + (to_x - x) * step / 10, y + (to_y - y) * step / 10))
    touch("touchEnd")
    expect(widget, "D7 D6 D1 D2 D3 D4 D5", [3, 2, 3, 2, 3, 0, 1])


@needs_browser
def test_keyboard(show) -> None:
    widget = show(made("ndcg"))
    widget.locator(".nx-row").nth(2).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        widget.keyboard.press(key)
    expect(widget, "D1 D2 D4 D3 D5 D6", [3, 2, 0, 3, 1, 2])
    assert widget.evaluate("document.activeElement.textContent").find("D3") >= 0, "focus follows the result"
    widget.keyboard.press("-")
    expect(widget, "D1 D2 D4 D3 D5 D6", [3, 2, 0, 2, 1, 2], pool=[3, 2, 0, 2, 1, 2, 3, 2])
    widget.keyboard.press("3")
    widget.keyboard.press("Home")
    expect(widget, "D3 D1 D2 D4 D5 D6", [3, 3, 2, 0, 1, 2])
    widget.keyboard.press("Delete")
    expect(widget, "D1 D2 D4 D5 D6", [3, 2, 0, 1, 2])
    widget.wait_for_function("document.querySelector('.nx-live').textContent.startsWith('D3 taken out.')")
    spoken = widget.locator(".nx-live").first.inner_text()
    assert spoken.endswith(f"nDCG at 6 is {ndcg([3, 2, 0, 1, 2], 6, pool=POOL):.3f}")
    # keys are for the widget, not for the page; and the focus is never lost
    here = widget.url
    widget.keyboard.press("ArrowRight")  # to the buttons of the row, and back
    widget.keyboard.press("ArrowLeft")
    for _ in range(5):
        widget.keyboard.press("Delete")
    assert state(widget)["names"] == [] and widget.evaluate("document.activeElement.textContent") == "add a result"
    assert widget.locator(".nx").first.locator(".nx-ghost:visible").count() == 6, "the ideal is still to be seen"
    assert widget.url == here and state(widget)["numbers"]["nDCG@6"] == "0"


@needs_browser
def test_tab_goes_from_row_to_row(show) -> None:
    page = show(made("ndcg", k=8))
    name = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    page.locator(".nx-row").first.focus()
    for i in range(2, 7):
        page.keyboard.press("Tab")
        assert page.evaluate(name).startswith(f"Rank {i}: ")
    assert page.locator(".nx-list :is(button, [tabindex='0']):not([tabindex='-1']):visible").count() == 6 + 1  # and k
    assert page.locator(".nx-ghost:visible").evaluate_all("all => all.map((e) => e.ariaHidden)") == ["true"] * 2
    assert page.locator(".nx-row:not(.nx-ghost)[aria-hidden]").count() == 0
    here = [page.evaluate(name)]
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
        here.append(page.evaluate(name))
    grade, up, out = "D6 has grade 2: change it", "Move D6 up", "Take D6 out of the list"  # it cannot go down
    assert here == [here[0], grade, up, out, out, up, grade, here[0]]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate(name) == "Move D6 up" and state(page)["names"][4] == "D6", "the focus goes with it"
    page.keyboard.press("Escape")
    assert page.evaluate(name).startswith("Rank 5: D6")
    page.keyboard.press("ArrowDown")
    assert state(page)["names"][5] == "D6"
    button(page, "How to move things").click()
    assert "→ goes to its buttons, ← or Escape back to it" in page.locator(".nx-help").inner_text()


@needs_browser
def test_escape_puts_it_back(show) -> None:
    widget = show(made("ndcg"))
    widget.mouse.move(*middle(widget, ".nx-row .nx-name", 3))
    widget.mouse.down()
    widget.mouse.move(*middle(widget, ".nx-row .nx-name", 0), steps=3)
    expect(widget, "D4 D1 D2 D3 D5 D6", [0, 3, 2, 3, 1, 2])
    widget.keyboard.press("Escape")
    expect(widget, "D1 D2 D3 D4 D5 D6", REL)
    widget.mouse.up()
    expect(widget, "D1 D2 D3 D4 D5 D6", REL)


@needs_browser
def test_on_paper_the_bars_are_there(show) -> None:
    widget = show(made("ndcg"))
    widget.emulate_media(media="print")
    widths = widget.evaluate("[...document.querySelectorAll('.nx-part')].map((e) => e.getBoundingClientRect().width)")
    assert widths[0] > 100 and widths[2] > 50
    assert not widget.locator(".nx-controls").first.is_visible()


@needs_browser
def test_bars_share_one_scale(show) -> None:
    widget = show(made("ndcg"))
    bars = widget.evaluate("[...document.querySelectorAll('.nx-bars')].map((e) => e.getBoundingClientRect().width)")
    assert len(set(map(round, filter(None, bars)))) == 1


@needs_browser
def test_buttons_and_controls(show) -> None:
    widget = show(made("ndcg"))
    first = widget.locator(".nx").first
    first.get_by_role("button", name="Move D3 up").click()
    first.get_by_role("button", name="Move D3 up").click()
    expect(widget, "D3 D1 D2 D4 D5 D6", [3, 3, 2, 0, 1, 2])
    first.get_by_role("button", name="Take D4 out of the list").click()
    expect(widget, "D3 D1 D2 D5 D6", [3, 3, 2, 1, 2])
    first.get_by_role("button", name="D5 has grade 1: change it").click()
    expect(widget, "D3 D1 D2 D5 D6", [3, 3, 2, 2, 2], pool=[3, 3, 2, 2, 2, 0, 3, 2])
    first.get_by_role("button", name="D6 has grade 2: change it").click()
    first.get_by_role("button", name="D6 has grade 3: change it").click()  # and round again
    expect(widget, "D3 D1 D2 D5 D6", [3, 3, 2, 2, 0], pool=[3, 3, 2, 2, 0, 0, 3, 2])
    first.get_by_role("button", name="add a result").click()
    expect(widget, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 0, 1], pool=[3, 3, 2, 2, 0, 1, 0, 3, 2])
    first.locator("select").nth(0).select_option("exp")
    first.locator("select").nth(1).select_option("jk 2")
    how = {"gain": "exp", "discount": ("jk", 2), "pool": [3, 3, 2, 2, 0, 1, 0, 3, 2]}
    expect(widget, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 0, 1], **how)
    slider = first.locator("input[type=range]")
    slider.focus()
    widget.keyboard.press("ArrowLeft")
    expect(widget, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 0, 1], k=5, **how)
    widget.keyboard.press("End")
    expect(widget, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 0, 1], k=None, **how)
    first.locator(".nx-curve").scroll_into_view_if_needed()
    box = first.locator(".nx-curve").bounding_box()
    widget.mouse.click(box["x"] + box["width"] * 24 / 300, box["y"] + 10)
    expect(widget, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 0, 1], k=1, **how)


@needs_browser
@pytest.mark.parametrize("view, numbers", [("cg", {"CG": "11"}), ("dcg", {"CG": "11", "DCG": "6.861"})])
def test_views(view: str, numbers: dict, show) -> None:
    page = show(made(view))
    assert state(page)["numbers"] == numbers
    page.locator(".nx").get_by_role("button", name="Move D3 down").click()
    moved = {"CG": "11"} if view == "cg" else {"CG": "11", "DCG": "6.653"}
    assert state(page)["numbers"] == moved
    page.locator(".nx").get_by_role("button", name="Remove D4").click()
    assert state(page)["names"] == ["D1", "D2", "D3", "D5", "D6"]


@needs_browser
def test_the_ideal_keeps_what_is_taken_out(show) -> None:
    page = show(made("idcg"))
    assert state(page)["numbers"] == {"DCG@6": "6.861", "IDCG@6": "8.740"}
    page.locator(".nx").get_by_role("button", name="Take D1 out of the list").click()
    assert state(page)["numbers"]["IDCG@6"] == "8.740"


@needs_browser
def test_a_bad_result_and_three_measures(show) -> None:
    page = show(made("penalties"))
    assert state(page)["numbers"] == {"nDCG": "1", "penalised": "0.798", "min-max": "1"}
    assert page.locator(".nx-loss:visible").count() == 1
    page.locator(".nx").get_by_role("button", name="add a result").click()
    worse = [1, 1, 1, -1, -1]
    assert state(page)["numbers"] == {"nDCG": "1", "penalised": f"{penalized_ndcg(worse):.3f}", "min-max": "1"}
    page.locator(".nx").get_by_role("button", name="Move D4 up").click()
    worse = [1, 1, -1, 1, -1]
    price = page.locator(".nx label:has-text('price') input")
    price.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    gains = {-1: -0.5, 1: 1}
    expected = [ndcg(worse, gain={-1: 0, 1: 1}), penalized_ndcg(worse, penalty=0.5), minmax_ndcg(worse, gain=gains)]
    assert list(state(page)["numbers"].values()) == [f"{x:.3f}" for x in expected]


@needs_browser
def test_the_set_size(show) -> None:
    page = show(made("missing"))
    assert state(page)["numbers"] == {"own ideal@5": "1", "nDCG@5": "0.723"}
    page.locator(".nx").get_by_role("button", name="Take D1 out of the list").click()
    assert state(page)["numbers"] == {"own ideal@5": "1", "nDCG@5": f"{ndcg([1, 1], 5, pool=[1] * 5):.3f}"}
    page.locator(".nx input[type=range]").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert state(page)["numbers"] == {"own ideal@2": "1", "nDCG@2": "1"}


@needs_browser
def test_what_each_rank_and_document_lost(show) -> None:
    page = show(made("losses"))

    def expected(names: list[str], k: int = 6) -> None:
        grades = {f"D{i}": grade for i, grade in enumerate(POOL, 1)}
        aside = [chip.split()[0] for chip in state(page)["tray"]]  # of equal ones, the ideal takes the first
        assert state(page)["names"] == names
        grades = {name: grades[name] for name in [*names, *aside]}
        x = explain(names, k, pool=grades)
        rows = page.locator(".nx").first.locator(".nx-row:visible:not(.nx-cut)")
        told = [0.0 if t == "0" else float(t) for t in rows.locator(".nx-run").all_inner_texts()]
        assert told == pytest.approx(x["loss"].tolist(), abs=5.1e-4)
        bars = page.evaluate(
            "[...document.querySelectorAll('.nx .nx-row:not([hidden]):not(.nx-cut)')].map((row) => {"
            "const [part, lost] = ['.nx-part', '.nx-lost'].map((s) => row.querySelector(s));"
            "return [part.getBoundingClientRect().width, lost.getBoundingClientRect().width,"
            "lost.classList.contains('nx-won')] })"
        )
        scale = bars[0][0] / x["contribution"][0]  # pixels, the same for both
        assert [b[0] for b in bars] == pytest.approx((scale * x["contribution"]).tolist(), abs=1)
        assert [b[1] for b in bars] == pytest.approx((scale * x["loss"].abs() * x.idcg).tolist(), abs=3)
        assert [b[2] for b in bars] == (x["loss"] < 0).tolist()
        assert state(page)["numbers"] == {f"nDCG@{k}": f"{x.ndcg:.3f}", f"lost@{k}": f"{1 - x.ndcg:.3f}"}
        costs = page.locator(".nx-sums p").nth(1).inner_text().replace("−", "-").removeprefix("By document ")
        ours = x.documents[x.documents["loss"] != 0]
        assert [c.split()[0] for c in costs.split(", ")] == ours["document"].tolist()
        assert [float(c.split()[1]) for c in costs.split(", ")] == pytest.approx(ours["loss"].tolist(), abs=5.1e-4)

    expected(["D1", "D2", "D3", "D4", "D5", "D6"])
    page.locator(".nx").get_by_role("button", name="Take D1 out of the list").click()
    expected(["D2", "D3", "D4", "D5", "D6"])  # and a rank where only the ideal has a document
    page.mouse.move(*middle(page, ".nx-chip", 0))
    page.mouse.down()
    page.mouse.move(*middle(page, ".nx-row .nx-name", 2), steps=8)
    expected(["D2", "D3", "D7", "D4", "D5", "D6"])  # while it is still held
    page.mouse.up()
    page.locator(".nx input[type=range]").first.focus()
    page.keyboard.press("ArrowLeft")
    expected(["D2", "D3", "D7", "D4", "D5", "D6"], k=5)


@needs_browser
def test_one_restaurant_or_five(show) -> None:
    page = show(made("coverage"))
    assert state(page)["numbers"] == {"nDCG@1": "1", "nDCG at R": "0.339", "nCG@1": "1", "gain recall@1": "0.200"}
    for _ in range(4):
        page.locator(".nx-chip:visible").first.click()
    assert state(page)["numbers"] == {"nDCG@1": "1", "nDCG at R": "1", "nCG@1": "1", "gain recall@1": "0.200"}
    page.locator(".nx input[type=range]").first.focus()
    page.keyboard.press("End")
    assert state(page)["numbers"] == {"nDCG": "1", "nDCG at R": "1", "nCG": "1", "gain recall": "1"}


@needs_browser
def test_unknown_grades_move_within_the_band(show) -> None:
    page = show(made("unjudged"))
    low, high = bounds([None, 1, 2, 0, 1, None], grades=range(4))
    ends = {"least": f"{low:.3f}", "most": f"{high:.3f}"}
    slider = page.locator(".nx label:has-text('all ? are') input")
    slider.focus()
    for grade in range(4):
        now = state(page)["numbers"]
        assert now == ends | {"nDCG": f"{ndcg([grade, 1, 2, 0, 1, grade]):.3f}"}
        page.keyboard.press("ArrowRight")
    rows = page.locator(".nx-row:visible")
    rows.nth(5).focus()
    page.keyboard.press("0")
    assert state(page)["numbers"] == ends | {"nDCG": ends["most"]}, "3 and 0 are the best of all gradings"
    assert rows.locator(".nx-supposed").all_inner_texts() == ["3?", "0?"]
    box = page.locator(".nx-band rect").bounding_box()
    dot = page.locator(".nx-band circle").bounding_box()
    assert abs(dot["x"] + dot["width"] / 2 - box["x"] - box["width"]) < 1
    page.locator(".nx").get_by_role("button", name="Take D1 out of the list").click()
    shown = bounds([1, 2, 0, 1, None], grades=range(4), pool=[1, 2, 0, 1, None, None])
    assert [state(page)["numbers"][x] for x in ("least", "most")] == [f"{x:.3f}" for x in shown]


@needs_browser
def test_two_tools_and_the_gap(show) -> None:
    page = show(made("dialects"))
    assert state(page)["numbers"] == {"trec_eval": "0.785", "sklearn": "0.961", "gap": "−0.176"}
    assert "ideal pool / list" in page.locator(".nx-sums").inner_text()
    page.locator(".nx select").nth(1).select_option("gdeval")
    assert state(page)["numbers"] == {"trec_eval": "0.785", "gdeval": "0.751", "gap": "0.034"}
    page.locator(".nx").get_by_role("button", name="Take D3 out of the list").click()
    rel = [3, 2, 0, 1, 2]
    values = [ndcg(rel, 6, pool=POOL, **dialect(name)) for name in ("trec_eval", "gdeval")]
    figures = [x.replace("−", "-") for x in state(page)["numbers"].values()]
    assert figures == [f"{x:.3f}" for x in (*values, values[0] - values[1])]
    page.locator(".nx select").nth(0).select_option("mslr")
    assert state(page)["numbers"]["mslr"] == "0", "a list shorter than k"


@needs_browser
def test_what_parts_two_tools_is_told(show) -> None:
    page = show(made("dialects"))
    told = page.locator(".nx-sums").inner_text()
    assert "Why they differ here ideal pool / list" in told
    assert "Also different, with no effect on this list gain positive / linear" in told
    page.locator(".nx select").nth(1).select_option("trec_eval")
    assert "they do not differ" in page.locator(".nx-sums").inner_text()


PALE = """() => {
  const linear = (c) => c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const rgb = (s) => s.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (c) => c.reduce((sum, x, i) => sum + linear(x / 255) * [0.2126, 0.7152, 0.0722][i], 0);
  const root = document.querySelector('.nx');
  const [ink, ground] = [getComputedStyle(root).color, getComputedStyle(document.body).backgroundColor].map(rgb);
  const found = {};
  for (const e of root.querySelectorAll('*')) {
    const words = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent).join('').trim();
    if (!words || !e.getClientRects().length || e.closest(':disabled, select')) continue;
    let seen = 1;
    for (let p = e; p; p = p.parentElement) seen *= getComputedStyle(p).opacity;
    const [a, b] = [light(ink.map((x, i) => x * seen + ground[i] * (1 - seen))), light(ground)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) found[e.className] = [words, (a + 0.05) / (b + 0.05)];
  }
  return found;
}"""


@needs_browser
def test_names_and_contrast(show) -> None:
    "Every control has a name, and text stands out from the page in both themes"
    widget = show(made("ndcg"))
    unnamed = widget.evaluate(
        """[...document.querySelectorAll('.nx button, .nx select, .nx input, .nx [tabindex]')]
           .filter(e => !e.closest('[hidden]'))
           .filter(e => !(e.getAttribute('aria-label') || /[a-z]{3}/i.test(e.textContent) || e.closest('label')))
           .map(e => e.outerHTML)"""
    )
    assert unnamed == []
    for theme in GROUNDS:
        pale = show(made("ndcg", k=3), theme=theme).evaluate(PALE)
        assert pale == {}, theme


# The list in the address.


def shared(page) -> str:
    "What the button copies"
    button(page, "link").click()
    page.wait_for_function("document.querySelector('.nx-note').textContent.includes('The link is')")
    address = page.url
    assert page.evaluate("navigator.clipboard.readText()") == address
    return address


@needs_browser
@pytest.mark.parametrize("hand", ["mouse", "touch", "keyboard"])
def test_a_list_is_posted(show, hand: str) -> None:
    page = show(made("ndcg"))
    button(page, EGG_7).click()
    button(page, "Take D4 out of the list").click()
    button(page, "add a result").click()
    page.locator(".nx select").nth(0).select_option("exp")
    hands(page)[hand]("link")
    page.wait_for_function("location.hash.startsWith('#list=')")
    assert page.url.endswith("#list=1:3,2:2,3:3,5:1,7:3,9:1,6:2/8:2,4:0&k=6&gain=exp")
    before = state(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_function(
        "document.querySelector('.nx-note')?.textContent.startsWith('This list came with the link')"
    )
    assert state(other) == before
    assert other.locator(".nx-row .nx-title").nth(4).inner_text() == EGGS[6], "titles are the page's own"
    changes = other.locator(".nx-numbers .nx-change")
    assert not any(changes.all_inner_texts()), "nobody has seen another list"
    button(other, "reset").click()
    expect(other, "D1 D2 D3 D4 D5 D6", REL)
    assert all(changes.all_inner_texts())
    assert other.locator(".nx-note").inner_text() == ""
    assert page.evaluate("Object.keys(localStorage).length + Object.keys(sessionStorage).length") == 0


@needs_browser
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_can_be_posted(show, view: str) -> None:
    page = show(made(view))
    button(page, "add a result").click()
    page.locator(".nx-row").nth(0).focus()
    page.keyboard.press("End")
    page.keyboard.press("+")
    if view == "penalties":
        page.locator("label:has-text('price') input").focus()
        page.keyboard.press("End")
    page.locator(".nx select").first.select_option("gdeval" if view == "dialects" else "exp")
    page.get_by_role("slider", name="Cutoff k").first.focus()
    page.keyboard.press("ArrowUp")
    address, before = shared(page), state(page)
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_function("document.querySelector('.nx-note')?.textContent.startsWith('This list came with the link')")
    assert state(page) == before
    assert page.locator(".nx-supposed:visible").count() == (3 if view == "unjudged" else 0)


@needs_browser
def test_each_list_of_a_page_has_its_own_link(show) -> None:
    page = show(made("cg"), made("ndcg"))
    second = page.locator(".nx").nth(1)
    second.get_by_role("button", name="Move D4 up").click()
    second.get_by_role("button", name="link").click()
    page.wait_for_function("location.hash.includes('w=1')")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".nx-note:not(:empty)")
    names = [other.locator(".nx").nth(i).locator(".nx-row .nx-name").all_inner_texts() for i in (0, 1)]
    assert names == [["D1", "D2", "D3", "D4", "D5", "D6"], ["D1", "D2", "D4", "D3", "D5", "D6"]]
    other.evaluate("location.hash = '#list=2:1,1:3/&k=none'")  # a link followed on the same page
    other.wait_for_function("document.querySelector('.nx-row .nx-name').textContent === 'D2'")


@needs_browser
def test_titles_that_are_not_the_pages_own_are_in_the_link(show) -> None:
    page = show(made("ndcg"))
    page.evaluate("location.hash = '#list=1:3,9:2/2:1&k=2&t1=Tea%20%26%20eggs&t9=%3Cb%3E'")
    page.wait_for_selector(".nx-note:not(:empty)")
    assert page.locator(".nx-row:visible .nx-title").all_inner_texts()[:2] == ["Tea & eggs", "<b>"]
    assert shared(page).endswith("#list=1:3,9:2/2:1&k=2&t1=Tea%20%26%20eggs&t9=%3Cb%3E")


NONSENSE = {
    "list=": "it is cut short",
    "list=1:3,2:2": "it is cut short",
    "list=1:3,2:2/": "it is cut short",
    "list=x/&k=1": "“x” is no document with a grade",
    "list=1:9/&k=1": "there is no grade 9 here",
    "list=1:-1/&k=1": "there is no grade -1 here",
    "list=1:3u/&k=1": "every result here is judged",
    "list=1:3,1:2/&k=1": "a document is in it twice",
    "list=1:3/&k=0": "k cannot be 0",
    "list=1:3/&k=x": "k cannot be x",
    "list=1:3/&k=1&gain=cubic": "there is no gain “cubic” here",
    "list=1:3/&k=1&discount=__proto__": "there is no discount “__proto__” here",
    "list=1:3/&k=1&penalty=-1": "the price is none",
    "list=1:3/&k=1&pair=trec_eval,constructor": "one of its tools is not known",
    "list=1:3/&k=1&w=7": "there is no such list on this page",
    "list=%E0%A4%A/&k=1": "is no document with a grade",
    "list=" + ",".join(f"{i}:1" for i in range(99)) + "/&k=1": "it has too many documents",
}


FOLLOW = """(text) => new Promise((done) => {
  addEventListener("hashchange", () => done(document.querySelector(".nx-note").textContent), { once: true });
  location.hash = text;
})"""


@needs_browser
def test_nonsense_is_ignored_with_a_note(show, shelf) -> None:
    page = show(made("ndcg"))
    page.goto("about:blank")
    page.goto(f"{shelf[1]}/page.html#list=nonsense")  # opened with it; the others are followed on the page
    page.wait_for_selector(".nx-note:not(:empty)")
    for text, why in NONSENSE.items():
        note = page.evaluate(FOLLOW, text)
        assert note.startswith("The link holds no list that can be shown here: ") and why in note, (text, note)
        expect(page, "D1 D2 D3 D4 D5 D6", REL)


@needs_browser
@pytest.mark.parametrize("protocol", ["http", "file"])
def test_anchors_and_files(show, shelf, protocol: str) -> None:
    page = show(made("ndcg"), made("cg"), height=300)
    where = shelf[1] if protocol == "http" else shelf[0].as_uri()
    page = page.context.new_page()
    wrong = watch(page, where)
    page.goto(f"{where}/page.html#end")
    page.wait_for_selector(".nx-numbers")
    page.wait_for_function("document.querySelector('#end').getBoundingClientRect().top < innerHeight")
    assert page.locator(".nx-note:not(:empty)").count() == 0, "an anchor is no list"
    button(page, "Move D2 up").click()
    button(page, "link").click()
    page.wait_for_function("location.hash.startsWith('#list=2:2,1:3')")
    page.reload()
    page.wait_for_selector(".nx-note:not(:empty)")
    expect(page, "D2 D1 D3 D4 D5 D6", [2, 3, 3, 0, 1, 2])
    page.evaluate("location.hash = '#end'")
    page.wait_for_function("document.querySelector('#end').getBoundingClientRect().top < innerHeight")
    expect(page, "D2 D1 D3 D4 D5 D6", [2, 3, 3, 0, 1, 2])
    assert wrong == []


# Python and the browser.

WALK = """async ([acts, seed]) => {
  let x = seed;
  const random = (n) => { x = (x * 48271) % 2147483647; return x % n; };
  const all = (s) => [...document.querySelectorAll(s)].filter((e) => !e.closest('[hidden]') && !e.disabled);
  const numbers = () => all('.nx-term').map((e, i) => [e.textContent, all('.nx-figure')[i].textContent]);
  const grade = (e) => [Number(e.textContent.replace('?', '').replace('−', '-')), e.textContent.includes('?')];
  const seen = [];
  for (let i = 0; i < acts; i += 1) {
    const parts = '.nx-row:not(.nx-ghost) button, .nx-chip, .nx-add, select, input';
    const what = [...all(parts), ...all('.nx-tools button').slice(1, 3)];
    const on = what[random(what.length)];
    if (on.tagName === 'SELECT') on.selectedIndex = random(on.options.length);
    if (on.tagName === 'INPUT') on.value = Number(on.min) + random(on.max - on.min + 1);
    if (on.tagName === 'BUTTON') on.click();
    else on.dispatchEvent(new Event(on.tagName === 'SELECT' ? 'change' : 'input'));
    const label = (s) => [...document.querySelectorAll('label')].find((l) => l.textContent.startsWith(s));
    seen.push({
      shown: all('.nx-row:not(.nx-ghost)').map((e) => grade(e.querySelector('button'))),
      missed: all('.nx-chip').map((e) => grade(e.querySelector('b'))),
      k: all('.nx-k')[0].textContent,
      choices: all('select').map((e) => e.value),
      price: label('price')?.querySelector('input').value,
      numbers: numbers(),
    });
  }
  return seen;
}"""


def as_shown(value: float) -> str:
    "A number as the widget writes it"
    if math.isnan(value):
        return "0/0"
    text = f"{value:.0f}" if value == int(value) else f"{value:.2g}" if abs(value) < 0.0005 else f"{value:.3f}"
    return text.replace("-", "−")


@needs_browser
@pytest.mark.parametrize("view", VIEWS)
def test_wherever_one_goes_python_agrees(show, view: str) -> None:
    w = made(view)
    page = show(w)
    visited = page.evaluate(WALK, [60, 7])
    assert len({json.dumps(s["shown"]) for s in visited}) > 10
    for s in visited:
        shown, pool = ([g for g, _ in x] for x in (s["shown"], s["shown"] + s["missed"]))
        holes = tuple([None if hole else g for g, hole in x] for x in (s["shown"], s["shown"] + s["missed"]))
        k = None if s["k"] == "no cut" else int(s["k"])
        if view == "dialects":
            seen = Seen(shown, pool, ([], []), k, "linear", "log2", w.levels, 1)
            values = [speak(seen, name) for name in s["choices"]]
            for (name, text), value in zip(s["numbers"], values, strict=False):
                if text not in ("refused", "left out", "0/0"):
                    assert text == as_shown(value), (name, s)
                else:
                    assert math.isnan(value), (name, s)
            continue
        form = dict(zip(w.levels, w.gains[s["choices"][0]]))
        weights = {"log2": "log2", "jk 2": ("jk", 2), "zipf": "zipf"}[(s["choices"] + ["log2"])[1]]
        seen = Seen(shown, pool, holes, k, form, weights, w.levels, float(s["price"] or 1))
        for name, (term, text) in zip(VIEWS[view], s["numbers"], strict=True):
            value = VIEW_NUMBERS[name](seen)
            close = {as_shown(value), as_shown(value + 1e-12), as_shown(value - 1e-12), as_shown(round(value, 12))}
            assert text in close, (term, s)


# In JavaScript, without a browser.


def test_numbers_cross_to_javascript_and_back() -> None:
    "What JSON has no word for, too, and not as something else"
    numbers = [math.nan, math.inf, -math.inf, -0.0, 0, 1, 0.1 + 0.2, 5e-324, 1.7e308, 2**53, None, True, "“é”"]
    back, kinds = call("explore", "(_, all) => [all, all.map((x) => String(x))]", numbers)
    assert repr(back) == repr(numbers)
    assert kinds[:6] == ["NaN", "Infinity", "-Infinity", "0", "0", "1"] and kinds[-3:] == ["null", "true", "“é”"]


@pytest.mark.long
@needs_node
def test_javascript_equals_python() -> None:
    rng = random.Random(0)
    gains = {"linear": "linear", "exp": "exp", "binary": "binary", "table": {0: 0, 1: 2, 2: 1, 3: 9}}
    discounts = {
        "log2": "log2",
        "jk": ("jk", 2),
        "zipf": "zipf",
        "power": ("power", 0.3),
        "list": [1 - i / 40 for i in range(20)],
    }
    levels = [-1, 0, 1, 2, 3]
    tables = {
        "levels": levels,
        "gains": {n: [0, *gain(levels[1:], f).tolist()] for n, f in gains.items()},
        "discounts": {n: discount(range(1, 21), f).tolist() for n, f in discounts.items()},
    }
    cases, expected = [], []
    for _ in range(1000):
        bad, holes = rng.random() < 0.3, rng.random() < 0.5
        count = rng.randint(0, 9)
        grades = [rng.randint(-bad, 3) for _ in range(count + rng.choice([0, 0, 2, 5]))]
        documents = [{"name": str(i), "grade": x, "shown": i < count} for i, x in enumerate(grades)]
        for d in documents:
            d.update({"unjudged": True} if holes and rng.random() < 0.4 else {})
        k, g, d = rng.choice([None, *range(1, 12)]), rng.choice(list(gains)), rng.choice(list(discounts))
        penalty = rng.choice([0, 0.5, 1, 2])
        case = {"documents": documents, "k": k, "gain": g, "discount": d, "penalty": penalty}
        if not bad:  # as Python sends it: without bad grades, there is no level for them
            plain = {"levels": levels[1:], "gains": {n: x[1:] for n, x in tables["gains"].items()}}
        cases.append(case | ({} if bad else plain))
        known = [None if "unjudged" in x else x["grade"] for x in documents]
        form = dict(
            zip(*(cases[-1].get(x, tables[x]) for x in ("levels",)), (cases[-1].get("gains") or tables["gains"])[g])
        )
        how = (k, form, discounts[d], list(form), penalty)
        seen = Seen(grades[:count], grades, (known[:count], known), *how)
        # A list that stops early has no min-max in Python, and the view has no tray.
        names = [name for name in VIEW_NUMBERS if name != "min-max" or count == len(grades)]
        expected.append({name: VIEW_NUMBERS[name](seen) for name in names})
    every = "({ measure }, tables, cases) => cases.map((c) => measure({ ...tables, ...c }))"
    got = call("explore", every, tables, cases)
    compared: Counter[str] = Counter()
    for case, ours, theirs in zip(cases, expected, got, strict=True):
        same = pytest.approx(ours, rel=1e-12, abs=1e-12, nan_ok=True)
        assert {name: theirs[name] for name in ours} == same, case
        compared.update(ours)
    assert compared.keys() == VIEW_NUMBERS.keys() and min(compared.values()) > 125


@needs_node
def test_every_dialect_in_javascript() -> None:
    rng = random.Random(1)
    cases, expected = [], []
    levels = [0, 1, 2, 3, 5]
    for _ in range(150):
        count, top = rng.randint(0, 8), rng.choice([1, 3, 3, 5])
        grades = [rng.choice([g for g in levels if g <= top]) for _ in range(count + rng.choice([0, 0, 3]))]
        documents = [{"name": str(i), "grade": x, "shown": i < count} for i, x in enumerate(grades)]
        k = rng.choice([None, 1, 3, 6, 10])
        cases.append({"documents": documents, "k": k, "levels": levels})
        seen = Seen(grades[:count], grades, ([], []), k, "linear", "log2", levels, 1)
        expected.append({name: speak(seen, name) for name in DIALECTS})
    values = """({ spoken }, dialects, cases) => cases.map((c) => Object.fromEntries(
      Object.keys(dialects.of).map((name) => [name, spoken({ ...c, dialects }, name).value])))"""
    for case, ours, theirs in zip(cases, expected, call("explore", values, tongues(levels), cases), strict=True):
        assert theirs == pytest.approx(ours, rel=1e-12, abs=0, nan_ok=True), case
    refused = Counter(name for values in expected for name, x in values.items() if math.isnan(x))
    assert refused["gdeval"] > 7 and refused["sklearn"] == 0


@needs_node
def test_what_parts_two_tools_here() -> None:
    "Settings that change the value one by one, from the first tool to the second, and those that do not"
    rng = random.Random(3)
    levels, names = [0, 1, 2, 3], list(DIALECTS)
    cases, expected = [], []

    def value(rel: list, k: int | None, pool: list, how: dict) -> float:
        try:
            return ndcg(rel, k, pool=sorted(pool, reverse=True), **how)
        except ValueError:
            return math.nan

    def same(a: float, b: float) -> bool:
        return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, abs_tol=1e-12)

    for _ in range(300):
        pool = [rng.choice(levels) for _ in range(rng.randint(1, 8))]
        count, k, pair = rng.randint(1, len(pool)), rng.choice([None, 2, 4, 10]), rng.sample(names, 2)
        documents = [{"name": f"D{i}", "grade": g, "shown": i < count} for i, g in enumerate(pool)]
        cases.append({"documents": documents, "k": k, "pair": pair, "levels": levels})
        one, other = (dict(dialect(name)) for name in pair)
        differ = [key for key in SEEN_SETTINGS if one.get(key) != other.get(key)]
        ask = partial(value, pool[:count], k, pool)
        alone = [key for key in differ if not same(ask(one | {key: other[key]}), ask(one))]
        expected.append((set(alone), same(ask(one | {key: other[key] for key in alone}), ask(other))))
    every = "({ apart }, dialects, cases) => cases.map((c) => apart({ ...c, dialects }))"
    got = call("explore", every, tongues(levels), cases)
    for case, (alone, enough), theirs in zip(cases, expected, got, strict=True):
        assert set(theirs["alone"]) == alone, case
        assert bool(theirs["together"]) is not enough, case
    assert sum(bool(x["together"]) for x in got) > 3 and sum(bool(x["idle"]) for x in got) > 50


# Without a browser.


def test_a_view_fills_what_it_needs() -> None:
    w = explore(**BOOK)
    w.view = "dialects"
    assert w.dialects == tongues(w.levels) and round(w.numbers["sklearn"], 3) == 0.961
    w.view = "ndcg"
    assert w.dialects == {} and list(w.numbers) == ["DCG@6", "IDCG@6", "nDCG@6"]
    w = explore([1, 1, 0])
    w.view = "penalties"
    assert w.levels[0] == -1 and list(w.numbers) == VIEWS["penalties"]
    w.ranking = [1, -1, 1]
    assert w.numbers["penalised"] < w.numbers["nDCG"]


def test_a_view_that_cannot_be_shown_changes_nothing() -> None:
    def everything(w: Explore) -> dict:
        return w.state | {name: getattr(w, name) for name in ("ranking", "missed", "numbers", "ndcg", "dcg")}

    for w, view, why in [
        (
            explore([1, 1, 1, -1], view="penalties"),
            "ndcg",
            "view 'ndcg' cannot show this list, and stays 'penalties': .*-1",
        ),
        (explore([None, 1], view="unjudged"), "ndcg", "shows judged results, and D1 are not"),
        (explore(**BOOK), "penalties", "missed must be"),
    ]:
        before = everything(w)
        with pytest.raises(ValueError, match=why):
            w.view = view
        assert everything(w) == before
        w.k = 2
        assert w.numbers != before["numbers"], "and it goes on working"


@pytest.mark.parametrize("view", VIEWS)
def test_the_picture_explains_its_numbers(view: str) -> None:
    w = made(view)
    drawn = w.picture()
    root = ElementTree.fromstring(drawn)
    texts = [e.text or "" for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[-1] == w.summary()
    assert "prefers-color-scheme:dark" in drawn and "#fff" not in drawn, "it has no ground of its own"
    for d in w.documents:
        said = [t for t in texts if t == d["name"] or t.startswith(f"{d['name']} ") or f", {d['name']} " in t]
        assert said, f"{d['name']} is not in the picture"
        if "title" in d:
            assert any(d["title"] in t for t in texts)
    width = float(root.attrib["width"])
    bars = [e.attrib for e in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert all(float(b["x"]) > -1 and float(b["x"]) + float(b["width"]) < width - 60 for b in bars)
    grey = [b for b in bars if "opacity" in b]
    assert bool(grey) is (view in ("idcg", "ndcg", "missing", "coverage", "unjudged", "losses"))


def test_the_picture_holds_strange_names() -> None:
    w = explore([1, 0], pool=[1, 0, 1], names=["<b>&\"'", "x" * 200, "…"])
    texts = [e.text for e in ElementTree.fromstring(w.picture()).iter("{http://www.w3.org/2000/svg}text")]
    assert "<b>&\"'" in texts and "x" * 37 + "…" in texts


def test_titles_follow_the_pool() -> None:
    "What was missed is in the order of the pool, so a title stands with its own document"
    w = explore([3, 2], pool=[3, 2, 0, 3], names=["first", "second", "useless", "perfect"])
    assert [(d["grade"], d["title"]) for d in w.documents[2:]] == [(0, "useless"), (3, "perfect")]
    w.ranking = [3, 3]
    assert [d["title"] for d in w.documents] == ["first", "perfect", "second", "useless"]
