"""The list that can be moved: every hand moves it, a link keeps it, and its numbers are those of the functions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import needs_browser, serving
from shared.alone import brush, middle, slide, unnamed, watch, write
from shared.first_list import POOL, REL, expect, state
from shared.javascript import call, needs_node

from ndcg_nb import discount, explain, explore, gain, ndcg
from ndcg_nb.hood.display.pages import EGGS
from ndcg_nb.widgets.explore import VIEWS, Explore, view_numbers

BOOK = {"rel": REL, "k": 6, "pool": POOL, "names": EGGS}
LISTS = {
    "cg": {"rel": REL},
    "dcg": {"rel": REL, "names": EGGS[:6]},
    "penalties": {"rel": [1, 1, 1, -1]},
    "missing": {"rel": [1, 1, 1], "k": 5, "pool": [1] * 5},
    "coverage": {"rel": [1], "k": 1, "pool": [1] * 5},
    "unjudged": {"rel": [None, 1, 2, 0, 1, None]},
}


def made(view: str, **given: object) -> Explore:
    how = {**LISTS.get(view, BOOK), **given}
    return explore(how.pop("rel"), **how, view=view)


@pytest.fixture
def show(window, alone: Any) -> Callable:
    "Open a page with a widget in a box that scrolls, as the site has it"
    window.grant_permissions(["clipboard-read", "clipboard-write"])

    def open_page(widget: Explore, width: int = 1200, theme: str = "light"):
        page = alone("explore", widget.state, ".nx-numbers", width, theme, "reduce")
        page.add_style_tag(content=".cell_output { overflow-x: auto; }")
        page.evaluate("document.querySelector('article').className = 'cell_output'")
        return page

    return open_page


def button(page, name: str):
    return page.locator(".nx").first.get_by_role("button", name=name, exact=True)


def hands(page) -> dict[str, Callable]:
    "Three ways to press a button"

    def key(name: str) -> None:
        button(page, name).focus()
        page.keyboard.press("Enter")

    return {"mouse": lambda x: button(page, x).click(), "touch": lambda x: button(page, x).tap(), "keyboard": key}


# ---- By every hand ----

EGG_7 = "D7 The six-minute egg at altitude 3"


@needs_browser
@pytest.mark.parametrize("hand", ["mouse", "touch", "keyboard"])
def test_what_is_shown_enters_at_the_cutoff(show, hand: str) -> None:
    page = show(made("ndcg"))
    hands(page)[hand](EGG_7)
    expect(page, "D1 D2 D3 D4 D5 D7 D6", [3, 2, 3, 0, 1, 3, 2])
    rise = ndcg([3, 2, 3, 0, 1, 3], 6, pool=POOL) - ndcg(REL, 6, pool=POOL)
    assert page.locator(".nx-change").all_inner_texts()[2] == f"+{rise:.3f}" == "+0.041"
    hands(page)[hand]("add a result")
    expect(page, "D1 D2 D3 D4 D5 D9 D7 D6", [3, 2, 3, 0, 1, 1, 3, 2], pool=[*POOL, 1])


@needs_browser
@pytest.mark.parametrize("drag", [slide, brush])
def test_results_are_dragged(show, drag: Callable) -> None:
    page = show(made("ndcg"))
    drag(page, middle(page, ".nx-row .nx-grip", 5), middle(page, ".nx-row .nx-grip", 0))
    expect(page, "D6 D1 D2 D3 D4 D5", [2, 3, 2, 3, 0, 1])
    drag(page, middle(page, ".nx-chip", 0), middle(page, ".nx-row .nx-grip", 1))
    expect(page, "D6 D7 D1 D2 D3 D4 D5", [2, 3, 3, 2, 3, 0, 1])
    drag(page, middle(page, ".nx-row .nx-grip", 0), middle(page, ".nx-tray"))
    expect(page, "D7 D1 D2 D3 D4 D5", [3, 3, 2, 3, 0, 1])
    assert state(page)["tray"] == ["D8 2", "D6 2"]


@needs_browser
def test_escape_puts_back_what_is_held(show) -> None:
    page = show(made("ndcg"))
    slide(page, middle(page, ".nx-row .nx-name", 3), middle(page, ".nx-row .nx-name", 0), lift=False)
    expect(page, "D4 D1 D2 D3 D5 D6", [0, 3, 2, 3, 1, 2])  # while it is held
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page, "D1 D2 D3 D4 D5 D6", REL)
    slide(page, middle(page, ".nx-line"), middle(page, ".nx-row .nx-name", 1), lift=False)
    assert page.locator(".nx-handle").inner_text() != "k = 6"
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".nx-handle").inner_text() == "k = 6"


@needs_browser
@pytest.mark.parametrize("drag", [slide, brush])
def test_the_line_is_dragged(show, drag: Callable) -> None:
    page = show(made("ndcg"))

    def between(n: int) -> tuple[float, float]:
        x, y = middle(page, ".nx-row .nx-grip", n - 1)
        return x + 60, y + 14

    for n in (3, 1, 5):
        drag(page, middle(page, ".nx-line"), between(n))
        expect(page, "D1 D2 D3 D4 D5 D6", REL, k=n)
    x, y = middle(page, ".nx-line")
    drag(page, (x, y), (x, y + 250))
    expect(page, "D1 D2 D3 D4 D5 D6", REL, k=None)


@needs_browser
def test_the_line_by_keyboard(show) -> None:
    page = show(made("ndcg"))
    line = page.get_by_role("slider", name="Cutoff k").first
    line.focus()
    for key, k in [("ArrowUp", 5), ("ArrowDown", 6), ("Home", 1), ("ArrowUp", 1), ("End", None), ("ArrowUp", 8)]:
        page.keyboard.press(key)
        expect(page, "D1 D2 D3 D4 D5 D6", REL, k=k)
    assert line.get_attribute("aria-valuenow") == "8"
    page.wait_for_function("document.querySelector('.nx-live').textContent.includes('nDCG at 8 is')")


@needs_browser
def test_keyboard(show) -> None:
    page = show(made("ndcg"))
    page.locator(".nx-row").nth(2).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(page, "D1 D2 D4 D3 D5 D6", [3, 2, 0, 3, 1, 2])
    assert "D3" in page.evaluate("document.activeElement.textContent"), "focus follows the result"
    page.keyboard.press("-")
    expect(page, "D1 D2 D4 D3 D5 D6", [3, 2, 0, 2, 1, 2], pool=[3, 2, 0, 2, 1, 2, 3, 2])
    page.keyboard.press("3")
    page.keyboard.press("Home")
    expect(page, "D3 D1 D2 D4 D5 D6", [3, 3, 2, 0, 1, 2])
    page.keyboard.press("Delete")
    expect(page, "D1 D2 D4 D5 D6", [3, 2, 0, 1, 2])
    page.wait_for_function("document.querySelector('.nx-live').textContent.startsWith('D3 taken out.')")
    for _ in range(5):
        page.keyboard.press("Delete")
    assert state(page)["names"] == []
    assert page.evaluate("document.activeElement.textContent") == "add a result"
    assert page.locator(".nx-ghost:visible").count() == 6, "the ideal is still to be seen"


@needs_browser
def test_tab_goes_from_row_to_row(show) -> None:
    page = show(made("ndcg", k=8))
    name = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    page.locator(".nx-row").first.focus()
    for i in range(2, 7):
        page.keyboard.press("Tab")
        assert page.evaluate(name).startswith(f"Rank {i}: ")
    here = []
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
        here.append(page.evaluate(name))
    # it cannot go down
    grade = "D6 has grade 2: change it"
    up = "Move D6 up"
    out = "Take D6 out of the list"
    assert here == [grade, up, out, out, up]
    page.keyboard.press("Enter")
    assert page.evaluate(name) == up and state(page)["names"][4] == "D6", "the focus goes with it"
    page.keyboard.press("Escape")
    assert page.evaluate(name).startswith("Rank 5: D6")
    hidden = page.locator(".nx-ghost:visible").evaluate_all("all => all.map((e) => e.ariaHidden)")
    assert hidden == ["true"] * 2


@needs_browser
def test_buttons_and_controls(show) -> None:
    page = show(made("ndcg"))
    button(page, "Move D3 up").click()
    button(page, "Move D3 up").click()
    button(page, "Take D4 out of the list").click()
    button(page, "D5 has grade 1: change it").click()
    expect(page, "D3 D1 D2 D5 D6", [3, 3, 2, 2, 2], pool=[3, 3, 2, 2, 2, 0, 3, 2])
    button(page, "add a result").click()
    page.locator(".nx select").nth(0).select_option("exp")
    page.locator(".nx select").nth(1).select_option("jk 2")
    how = {"gain": "exp", "discount": ("jk", 2), "pool": [3, 3, 2, 2, 2, 1, 0, 3, 2]}
    expect(page, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 2, 1], **how)
    page.locator(".nx input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 2, 1], k=5, **how)
    button(page, "best order").click()
    assert state(page)["names"] == ["D3", "D1", "D2", "D5", "D6", "D9"]
    before = state(page)["names"]
    button(page, "shuffle").click()
    assert sorted(state(page)["names"]) == sorted(before)
    assert state(page)["names"] != before
    button(page, "reset").click()
    expect(page, "D1 D2 D3 D4 D5 D6", REL)
    page.locator(".nx-help summary").click()
    assert "Home End move it" in page.locator(".nx-help p").inner_text()


@needs_browser
def test_two_tools_and_why_they_differ(show) -> None:
    page = show(made("dialects"))
    assert state(page)["numbers"] == {"trec_eval": "0.785", "sklearn": "0.961", "gap": "−0.176"}
    why = page.locator(".nx-sums").inner_text()
    assert "Why they differ here ideal is made of all judged / ideal is made of the list alone\n" in why
    assert "with no effect on this list" in why
    assert "ties are by id" in why
    page.locator(".nx select").nth(1).select_option("gdeval")
    assert state(page)["numbers"] == {"trec_eval": "0.785", "gdeval": "0.751", "gap": "0.034"}
    page.locator(".nx select").nth(0).select_option("gdeval")
    assert "they do not differ" in page.locator(".nx-sums").inner_text()
    page.locator(".nx select").nth(0).select_option("mslr")
    button(page, "Take D3 out of the list").click()
    assert state(page)["numbers"]["mslr"] == "0", "a list shorter than k"
    for i in (1, 2, 4, 5, 6):
        button(page, f"Take D{i} out of the list").click()
    assert state(page)["numbers"]["mslr"] == "–"
    assert "the MSLR script has no number: it leaves out" in page.locator(".nx-sums").inner_text()


# ---- What it looks like ----


@needs_browser
def test_numbers_stay_in_view_on_a_long_list(show) -> None:
    page = show(made("ndcg", rel=[1, 2, 3, 0] * 8, k=None, pool=None, names=None), 390)
    page.set_viewport_size({"width": 390, "height": 700})
    end = "(e) => e.getBoundingClientRect().bottom"
    assert page.locator(".nx-numbers").evaluate(end) <= 701, "in view before anything has scrolled"
    x, y = middle(page, ".nx-row .nx-name", 3)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, 690, steps=5)  # held at the edge
    page.wait_for_function("scrollY > 500")
    assert page.locator(".nx-numbers").evaluate(end) <= 701
    page.mouse.move(x, 250, steps=2)
    page.mouse.up()
    assert state(page)["names"].index("D4") > 8, "it travelled with the hand"


@needs_browser
def test_a_title_is_text(show) -> None:
    page = show(explore([1], names=["<img src=x onerror=alert(1)>" + "long " * 60]), 390)
    assert page.locator(".nx-title").first.inner_text().startswith("<img")
    assert page.locator(".nx img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@needs_browser
@pytest.mark.parametrize("view", VIEWS)
def test_a_phone(show, view: str) -> None:
    page = show(made(view), 390)
    inside = """() => {
      const box = document.querySelector('.nx').getBoundingClientRect();
      const all = [...document.querySelectorAll('.nx *')];
      const out = all.filter((e) => e.getBoundingClientRect().right > box.right + 0.5);
      return out.filter((e) => !e.closest('.nx-live, .nx-called')).map((e) => e.outerHTML.slice(0, 80));
    }"""
    assert page.evaluate(inside) == []
    heads = {"losses": ["grade", "lost"], "dialects": ["grade", "adds", "in the second"]}.get(view, ["grade", "adds"])
    assert page.locator(".nx-head span:visible").all_inner_texts() == heads, "with the number the view is about"
    row = page.locator(".nx-row").first
    assert row.locator(".nx-bars").bounding_box()["width"] > 0.75 * row.bounding_box()["width"]
    sizes = """(what) => [...document.querySelectorAll(what)].filter((e) => e.offsetParent).map((e) => {
      const { width, height } = e.getBoundingClientRect();
      return Math.min(width, height);
    })"""
    for what in (".nx-grip", ".nx-handle", ".nx button", ".nx input"):
        assert min(page.evaluate(sizes, what)) >= 23.99, f"a finger has room on {what}"


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
@pytest.mark.parametrize("theme, ink", [("light", "#000"), ("dark", "#cfd0d0")])  # of the site
def test_names_and_contrast(show, theme: str, ink: str) -> None:
    "Every control has a name, and text is readable in both themes"
    page = show(made("ndcg", k=3), theme=theme)
    page.evaluate("(ink) => { document.body.style.color = ink; }", ink)
    assert unnamed(page, ".nx") == []
    assert page.evaluate(PALE) == {}


# ---- The list in the address ----


def shared(page) -> str:
    "What the button copies"
    button(page, "Copy a link").click()
    page.wait_for_selector(".nx-share [role=status]:has-text('The link is')")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    return page.url


SAID = ".nx-share [role=status]:not(:empty)"


def test_the_view_of_penalties_has_no_tray() -> None:
    widget = made("penalties")
    widget.ranking = [1, -1]
    assert (widget.ranking, widget.missed) == ([1, -1], [])


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
    address = shared(page)
    before = state(page)
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(f"{SAID}:has-text('This came with the link')")
    assert state(page) == before
    assert page.evaluate("Object.keys(localStorage).length + Object.keys(sessionStorage).length") == 0


@needs_browser
@pytest.mark.parametrize("protocol", ["http", "file"])
def test_each_list_of_a_page_has_its_own_link(window, tmp_path: Path, protocol: str) -> None:
    file = write(tmp_path, "explore", made("cg").state, below={"explore": made("ndcg").state})
    with (tmp_path / "explore.html").open("a") as end:
        end.write('<p id="end">The end.</p>')
    with serving(tmp_path) as address:
        home = f"{address}/explore.html" if protocol == "http" else file
        page = window.new_page()
        wrong = watch(page, home)
        page.set_viewport_size({"width": 1200, "height": 300})
        page.goto(f"{home}#end")
        page.wait_for_function("document.querySelector('#end').getBoundingClientRect().top < innerHeight")
        assert page.locator(SAID).count() == 0, "an anchor is no list"
        second = page.locator(".nx").nth(1)
        second.get_by_role("button", name="Move D4 up").click()
        second.get_by_role("button", name="Copy a link").click()
        page.wait_for_function("location.hash.includes('explore2=')")
        page.reload()
        page.wait_for_selector(SAID)
        names = [page.locator(".nx").nth(i).locator(".nx-row .nx-name").all_inner_texts() for i in (0, 1)]
        assert names == [["D1", "D2", "D3", "D4", "D5", "D6"], ["D1", "D2", "D4", "D3", "D5", "D6"]]
        page.evaluate("location.hash = '#list=2:1,1:3/&k=none&t1=%3Cb%3E'")  # a link followed on the same page
        page.wait_for_function("document.querySelector('.nx-row .nx-name').textContent === 'D2'")
        assert page.locator(".nx-row .nx-title").nth(1).inner_text() == "<b>"
        page.close()
    assert wrong == []


# ---- Python and the browser ----


def test_numbers_cross_to_javascript_and_back() -> None:
    "What JSON has no word for, too, and not as something else"
    numbers = [math.nan, math.inf, -math.inf, -0.0, 0, 1, 0.1 + 0.2, 5e-324, 1.7e308, 2**53, None, True, "“é”"]
    back = call("explore", "(_, all) => all", numbers)
    assert repr(back) == repr(numbers)


@pytest.mark.long
@needs_node
def test_javascript_equals_python() -> None:
    rng = random.Random(0)
    gains = {"linear": "linear", "exp": "exp", "binary": "binary", "table": {0: 0, 1: 2, 2: 1, 3: 9}}
    discounts = {"log2": "log2", "jk": ("jk", 2), "power": ("power", 0.3), "list": [1 - i / 40 for i in range(20)]}
    weights = {n: discount(range(1, 21), f).tolist() for n, f in discounts.items()}
    cases = []
    expected = []
    for _ in range(400):
        bad = rng.random() < 0.3
        holes = rng.random() < 0.5
        levels = [-1, 0, 1, 2, 3] if bad else [0, 1, 2, 3]
        worth = {n: [0] * bad + gain([0, 1, 2, 3], f).tolist() for n, f in gains.items()}
        count = rng.randint(0, 9)
        grades = [rng.choice(levels) for _ in range(count + rng.choice([0, 0, 2, 5]))]
        documents = [{"name": str(i), "grade": x, "shown": i < count} for i, x in enumerate(grades)]
        for d in documents:
            d.update({"unjudged": True} if holes and rng.random() < 0.4 else {})
        k = rng.choice([None, *range(1, 12)])
        g = rng.choice(list(gains))
        d = rng.choice(list(discounts))
        penalty = rng.choice([0, 0.5, 1, 2])
        tables = {"levels": levels, "gains": worth, "discounts": weights}
        cases.append(tables | {"documents": documents, "k": k, "gain": g, "discount": d, "penalty": penalty})
        known = [None if "unjudged" in x else x["grade"] for x in documents]
        form = dict(zip(levels, worth[g]))
        how = {"pool": grades, "gain": form, "discount": discounts[d], "empty": math.nan}
        number = view_numbers(grades[:count], k, how, (known[:count], known), levels, penalty)
        # A list that stops early has no min-max in Python, and the view has no tray.
        names = [name for name in number if name != "min-max" or count == len(grades)]
        expected.append({name: number[name]() for name in names})
    got = call("measures", "({ measure }, cases) => cases.map(measure)", cases)
    for case, ours, theirs in zip(cases, expected, got, strict=True):
        same = pytest.approx(ours, rel=1e-12, abs=1e-12, nan_ok=True)
        assert {name: theirs[name] for name in ours} == same, case
    assert sum("min-max" in x for x in expected) > 100


@needs_node
def test_losses_are_those_of_explain() -> None:
    rng = random.Random(2)
    cases = []
    expected = []
    for _ in range(60):
        grades = {f"D{i}": rng.choice([0, 1, 2, 3]) for i in range(rng.randint(1, 8))} | {"D": 3}
        shown = rng.sample(sorted(grades), rng.randint(1, len(grades)))
        k = rng.choice([None, 1, 3, 5])
        order = [*shown, *(name for name in grades if name not in shown)]
        cases.append([{"name": x, "grade": grades[x], "shown": x in shown} for x in order])
        found = explain(shown, k, pool={x: grades[x] for x in order})
        expected.append((found["loss"].tolist(), dict(found.documents[["document", "loss"]].to_numpy()), k))
    state = {"levels": [0, 1, 2, 3], "gains": {"linear": [0, 1, 2, 3]}, "gain": "linear", "penalty": 1}
    state |= {"discounts": {"log2": discount(range(1, 20)).tolist()}, "discount": "log2"}
    ask = "({ measure }, state, all) => all.map(([documents, k]) => measure({ ...state, documents, k }))"
    got = call("measures", ask, state, [[c, k] for c, (_, _, k) in zip(cases, expected)])
    for found, (losses, documents, _) in zip(got, expected, strict=True):
        assert [x for x in found["losses"] if x] == pytest.approx([x for x in losses if x], abs=1e-12)
        costs = {c["name"]: c["loss"] for c in found["costs"]}
        assert all(costs[name] == pytest.approx(loss, abs=1e-12) for name, loss in documents.items())


# ---- Without a browser ----


def test_titles_follow_the_pool() -> None:
    w = explore([3, 2], pool=[2, 1, 3], names=["a", "b", "c"])
    assert [(d["grade"], d["title"]) for d in w.documents] == [(3, "a"), (2, "b"), (1, "c")]
    assert explore([]).numbers["DCG"] == 0
