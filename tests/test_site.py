"""The site in a real browser: every page loads and asks no one else for anything, and its widgets answer every hand."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import build
import pytest
from conftest import CHROMIUM, NOTEBOOKS, ROOT

import ndcg_nb
from ndcg_nb import bounds, dialect, explain, minmax_ndcg, ndcg, penalized_ndcg
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.widgets import MEASURES, Seen, speak, tongues

CHAPTERS = sorted(build.page(p.relative_to(ROOT / "nbs").as_posix()) for p in NOTEBOOKS)
PAGES = [*CHAPTERS, "reference", "search"]
REL, POOL = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to look at the pages with")


# What sticks out on the right, other than inside a box that scrolls by itself.
TOO_WIDE = """() => {
  const own = (e) => ['auto', 'scroll'].includes(getComputedStyle(e).overflowX);
  const scrolls = (e) => e.tagName !== 'ARTICLE' && (own(e) || scrolls(e.parentElement));
  const beyond = (e) => e.getBoundingClientRect().right > innerWidth + 1;
  const out = [...document.querySelectorAll('article *')].filter(beyond);
  const page = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls'] : [];
  return [...page, ...out.filter((e) => !scrolls(e.parentElement)).map((e) => e.outerHTML.slice(0, 80))];
}"""


def watch(page, home: str) -> list[str]:
    "What goes wrong on a page: errors, and requests that leave home"
    wrong: list[str] = []
    page.on("pageerror", lambda e: wrong.append(f"error: {e}"))
    page.on("console", lambda m: wrong.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
    page.on("requestfailed", lambda r: wrong.append(f"failed: {r.url}"))
    page.on(
        "request", lambda r: None if r.url.startswith((home, "blob:", "data:")) else wrong.append(f"outside: {r.url}")
    )
    return wrong


@pytest.mark.parametrize("protocol", ["http", "file"])
@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, protocol: str, page, site: Path, served: str) -> None:
    home = served if protocol == "http" else site.as_uri()
    wrong = watch(page, home)
    page.goto(f"{home}/{name}.html")
    page.wait_for_load_state("networkidle")
    assert page.title()
    if name != "search":
        assert page.locator('meta[name="description"]').get_attribute("content")
    if page.locator(".math").count():
        page.wait_for_selector("mjx-container svg")
        assert page.locator("mjx-container").count() >= page.locator(".math").count()
        assert page.locator("mjx-merror, [data-mml-node=merror]").count() == 0
    alts = [image.get_attribute("alt") or "" for image in page.locator("article img").all()]
    alts += [figure.get_attribute("aria-label") or "" for figure in page.locator("article .nb-figure").all()]
    assert all(len(alt) > 20 and not alt.startswith("_images") for alt in alts), "a figure says nothing to the blind"
    assert page.locator(".nx-static").count() == page.locator(".nx-static .nx").count()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate(TOO_WIDE) == [], "it is too wide for a phone"
    assert wrong == []


def test_sizes(site: Path) -> None:
    for path in site.rglob("*.html"):
        images = [path.parent / i for i in Links.of(path).images if not i.startswith("data:")]
        assert path.stat().st_size + sum(i.stat().st_size for i in images) < 1_000_000, path.name


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.images: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        given = dict(attrs)
        self.anchors.add(given.get("id", ""))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "img":
            self.images.append(given["src"])

    @classmethod
    def of(cls, path: Path) -> Links:
        found = cls()
        found.feed(path.read_text("utf-8"))
        return found


def test_links_and_anchors_resolve(site: Path) -> None:
    pages = {path: Links.of(path) for path in site.rglob("*.html")}
    checked = 0
    for path, found in pages.items():
        for href in found.links:
            to = urlsplit(href)
            if to.scheme:
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            assert target.exists(), f"{path.name}: {href}"
            if to.fragment and target in pages:
                assert unquote(to.fragment) in pages[target].anchors, f"{path.name}: {href}"
            checked += 1
    assert checked > 300
    for name in ndcg_nb.__all__:
        assert sum(name in found.anchors for found in pages.values()) == 1, f"{name} has one entry"


def test_search(page, served: str) -> None:
    page.goto(f"{served}/search.html?q=ideal")
    page.wait_for_selector("#search-results li a")
    assert any("ideal.html" in a.get_attribute("href") for a in page.locator("#search-results li a").all())


def test_without_scripts_there_is_a_picture(browser, served: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served}/index.html")
    assert page.locator(".nx-static > svg").is_visible() and "nDCG@6 0.785" in page.locator(".nx-static").inner_text()
    context.close()


# The widget, on a page with nothing behind it.


def state(page) -> dict:
    "What the reader sees of the first widget"
    rows = page.locator(".nx").first.locator(".nx-row:visible:not(.nx-ghost)")
    chips = page.locator(".nx").first.locator(".nx-chip:visible")
    aside = zip(*(chips.locator(x).all_inner_texts() for x in (".nx-name", "b")))
    return {
        "names": rows.locator(".nx-name").all_inner_texts(),
        "grades": [int(g) for g in rows.locator("button:nth-of-type(1)").all_inner_texts() if g.isdigit()],
        "tray": [" ".join(pair) for pair in aside],
        "numbers": dict(
            zip(*(page.locator(".nx").first.locator(f".nx-{t}").all_inner_texts() for t in ("term", "figure")))
        ),
    }


@pytest.fixture
def widget(page, served: str):
    page.goto(f"{served}/normalized.html")
    page.wait_for_selector(".nx-row")
    page.locator(".nx").first.scroll_into_view_if_needed()
    assert state(page)["numbers"]["nDCG@6"] == "0.785"
    return page


def expect(page, names: str, rel: list[int], k: int | None = 6, pool: list[int] = POOL, **how: object) -> None:
    now = state(page)
    assert now["names"] == names.split() and now["grades"] == rel
    shown = f"{ndcg(rel, k, pool=pool, **how):.3f}".replace("1.000", "1")
    assert now["numbers"]["nDCG" if k is None else f"nDCG@{k}"] == shown


def middle(page, selector: str, n: int = 0) -> tuple[float, float]:
    box = page.locator(".nx").first.locator(selector).nth(n).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_mouse(widget) -> None:
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


def test_touch(widget) -> None:
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


def test_keyboard(widget) -> None:
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
    widget.keyboard.press("ArrowRight")
    for _ in range(5):
        widget.keyboard.press("Delete")
    assert state(widget)["names"] == [] and widget.evaluate("document.activeElement.textContent") == "add a result"
    assert widget.locator(".nx").first.locator(".nx-ghost:visible").count() == 6, "the ideal is still to be seen"
    assert widget.url == here and state(widget)["numbers"]["nDCG@6"] == "0"


def test_escape_puts_it_back(widget) -> None:
    widget.mouse.move(*middle(widget, ".nx-row .nx-name", 3))
    widget.mouse.down()
    widget.mouse.move(*middle(widget, ".nx-row .nx-name", 0), steps=3)
    expect(widget, "D4 D1 D2 D3 D5 D6", [0, 3, 2, 3, 1, 2])
    widget.keyboard.press("Escape")
    expect(widget, "D1 D2 D3 D4 D5 D6", REL)
    widget.mouse.up()
    expect(widget, "D1 D2 D3 D4 D5 D6", REL)


def test_on_paper_the_bars_are_there(widget) -> None:
    widget.emulate_media(media="print")
    widths = widget.evaluate("[...document.querySelectorAll('.nx-part')].map((e) => e.getBoundingClientRect().width)")
    assert widths[0] > 100 and widths[2] > 50
    assert not widget.locator(".nx-controls").first.is_visible()


def test_bars_share_one_scale(widget) -> None:
    bars = widget.evaluate("[...document.querySelectorAll('.nx-bars')].map((e) => e.getBoundingClientRect().width)")
    assert len(set(map(round, filter(None, bars)))) == 1


def test_buttons_and_controls(widget) -> None:
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
    box = first.locator(".nx-curve").bounding_box()
    widget.mouse.click(box["x"] + box["width"] * 24 / 300, box["y"] + 10)
    expect(widget, "D3 D1 D2 D5 D6 D9", [3, 3, 2, 2, 0, 1], k=1, **how)


@pytest.mark.parametrize("name, numbers", [("gains", {"CG": "11"}), ("discounts", {"CG": "11", "DCG": "6.861"})])
def test_views(name: str, numbers: dict, page, served: str) -> None:
    page.goto(f"{served}/{name}.html")
    page.wait_for_selector(".nx-row")
    assert state(page)["numbers"] == numbers
    page.locator(".nx").get_by_role("button", name="Move D3 down").click()
    moved = {"CG": "11"} if name == "gains" else {"CG": "11", "DCG": "6.653"}
    assert state(page)["numbers"] == moved
    page.locator(".nx").get_by_role("button", name="Remove D4").click()
    assert state(page)["names"] == ["D1", "D2", "D3", "D5", "D6"]


def test_the_ideal_keeps_what_is_taken_out(page, served: str) -> None:
    page.goto(f"{served}/ideal.html")
    page.wait_for_selector(".nx-row")
    assert state(page)["numbers"] == {"DCG@6": "6.861", "IDCG@6": "8.740"}
    page.locator(".nx").get_by_role("button", name="Take D1 out of the list").click()
    assert state(page)["numbers"]["IDCG@6"] == "8.740"


def test_a_bad_result_and_three_measures(page, served: str) -> None:
    page.goto(f"{served}/penalties.html")
    page.wait_for_selector(".nx-row")
    widget = page.locator(".nx").first

    def numbers(rel: list, price: float = 1) -> dict:
        gains = {-1: -price, 1: 1, 2: 2, 3: 3}
        values = {
            "nDCG": ndcg(rel, gain=gains | {-1: 0}),
            "penalised": penalized_ndcg(rel, penalty=price),
            "min-max": minmax_ndcg(rel, gain=gains),
        }
        return {name: f"{x:.3f}" for name, x in values.items()}

    assert state(page)["numbers"] == numbers([3, 2, 3, -1, 1, 2])
    assert page.locator(".nx-loss:visible").count() == 1
    for _ in range(2):
        widget.get_by_role("button", name="Move D4 down").click()
    assert state(page)["numbers"] == numbers([3, 2, 3, 1, 2, -1])
    assert state(page)["numbers"]["nDCG"] == "0.976" and state(page)["numbers"]["penalised"] == "0.926"
    price = page.locator(".nx label:has-text('price') input")
    price.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert state(page)["numbers"] == numbers([3, 2, 3, 1, 2, -1], 0.5)
    widget.get_by_role("button", name="Remove D4").click()
    assert state(page)["numbers"]["nDCG"] == state(page)["numbers"]["penalised"] == "0.976", "what the page promises"


def test_the_set_size(page, served: str) -> None:
    page.goto(f"{served}/missing.html")
    page.wait_for_selector(".nx-row")
    assert state(page)["numbers"] == {"own ideal@6": "0.961", "nDCG@6": "0.785"}
    for n in (5, 4, 3, 2, 1):
        page.locator(".nx").first.get_by_role("button", name=f"Take D{n + 1} out of the list").click()
        own, judged = ndcg(REL[:n]), ndcg(REL[:n], 6, pool=POOL)
        told = [float(x) for x in state(page)["numbers"].values()]
        assert told == pytest.approx([own, judged], abs=5.1e-4)
    page.locator(".nx input[type=range]").first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert state(page)["numbers"] == {"own ideal@1": "1", "nDCG@1": "1"}


def test_what_each_rank_and_document_lost(page, served: str) -> None:
    page.goto(f"{served}/explanations.html")
    page.wait_for_selector(".nx-row")

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


def test_one_restaurant_or_five(page, served: str) -> None:
    page.goto(f"{served}/coverage.html")
    page.wait_for_selector(".nx-row")
    assert state(page)["numbers"] == {"nDCG@1": "1", "nDCG at R": "0.339", "nCG@1": "1", "gain recall@1": "0.200"}
    for _ in range(4):
        page.locator(".nx-chip:visible").first.click()
    assert state(page)["numbers"] == {"nDCG@1": "1", "nDCG at R": "1", "nCG@1": "1", "gain recall@1": "0.200"}
    page.locator(".nx input[type=range]").first.focus()
    page.keyboard.press("End")
    assert state(page)["numbers"] == {"nDCG": "1", "nDCG at R": "1", "nCG": "1", "gain recall": "1"}


def test_unknown_grades_move_within_the_band(page, served: str) -> None:
    page.goto(f"{served}/unjudged.html")
    page.wait_for_selector(".nx-row")
    rest = [2, 3, 0, 1, 2]
    low, high = bounds([None, *rest], 6, grades=range(4), pool=[None, *rest, None, 2])
    ends = {"least@6": f"{low:.3f}", "most@6": f"{high:.3f}"}
    slider = page.locator(".nx label:has-text('all ? are') input")
    slider.focus()
    for grade in range(4):
        value = ndcg([grade, *rest], 6, pool=[grade, *rest, grade, 2])
        assert state(page)["numbers"] == ends | {"nDCG@6": f"{value:.3f}"}
        page.keyboard.press("ArrowRight")
    rows = page.locator(".nx-row:visible")
    rows.first.focus()
    page.keyboard.press("0")
    assert state(page)["numbers"] == ends | {"nDCG@6": ends["least@6"]}, "D1 is 0 and D7, in the tray, is 3"
    slider.focus()
    page.keyboard.press("Home")
    rows.first.focus()
    page.keyboard.press("3")
    assert state(page)["numbers"] == ends | {"nDCG@6": ends["most@6"]}, "and the other way round"
    assert rows.locator(".nx-supposed").all_inner_texts() == ["3?"]
    box = page.locator(".nx-band rect").bounding_box()
    dot = page.locator(".nx-band circle").bounding_box()
    assert abs(dot["x"] + dot["width"] / 2 - box["x"] - box["width"]) < 1
    page.locator(".nx").get_by_role("button", name="Take D1 out of the list").click()
    shown = bounds(rest, 6, grades=range(4), pool=[*rest, 2, None, None])
    assert [state(page)["numbers"][x] for x in ("least@6", "most@6")] == [f"{x:.3f}" for x in shown]


def test_two_tools_and_the_gap(page, served: str) -> None:
    page.goto(f"{served}/dialects.html")
    page.wait_for_selector(".nx-row")
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


def test_every_dialect_in_the_browser(page, served: str) -> None:
    rng = random.Random(1)
    cases, expected = [], []
    levels = [0, 1, 2, 3, 5]
    for _ in range(400):
        count, top = rng.randint(0, 8), rng.choice([1, 3, 3, 5])
        grades = [rng.choice([g for g in levels if g <= top]) for _ in range(count + rng.choice([0, 0, 3]))]
        documents = [{"name": str(i), "grade": x, "shown": i < count} for i, x in enumerate(grades)]
        k = rng.choice([None, 1, 3, 6, 10])
        cases.append({"documents": documents, "k": k, "levels": levels})
        seen = Seen(grades[:count], grades, ([], []), k, "linear", "log2", levels, 1)
        values = {name: speak(seen, name) for name in DIALECTS}
        expected.append({name: None if math.isnan(x) else x for name, x in values.items()})
    page.goto(f"{served}/index.html")
    source = (ROOT / "ndcg_nb/static/explore.js").read_text("utf-8")
    got = page.evaluate(
        """async ([source, dialects, cases]) => {
          const { spoken } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
          const value = (c, name) => spoken({ ...c, dialects }, name).value;
          const say = (x) => (Number.isNaN(x) ? null : x);
          return cases.map((c) => Object.fromEntries(Object.keys(dialects.of).map((n) => [n, say(value(c, n))])));
        }""",
        [source, tongues(levels), cases],
    )
    for case, ours, theirs in zip(cases, expected, got, strict=True):
        for name, value in ours.items():
            assert theirs[name] == (value if value is None else pytest.approx(value, rel=1e-12)), (name, case)
    refused = Counter(name for values in expected for name, x in values.items() if x is None)
    assert refused["gdeval"] > 20 and refused["sklearn"] == 0


def test_names_and_contrast(widget) -> None:
    "Every control has a name, and text stands out from the page in both themes"
    unnamed = widget.evaluate(
        """[...document.querySelectorAll('.nx button, .nx select, .nx input, .nx [tabindex]')]
           .filter(e => !e.closest('[hidden]'))
           .filter(e => !(e.getAttribute('aria-label') || /[a-z]{3}/i.test(e.textContent) || e.closest('label')))
           .map(e => e.outerHTML)"""
    )
    assert unnamed == []
    for theme in ("light", "dark"):
        widget.evaluate(f"document.body.dataset.theme = '{theme}'")
        ratio = widget.evaluate(
            """() => {
              const linear = (c) => c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
              const rgb = (s) => s.match(/[\\d.]+/g).slice(0, 3).map((x) => linear(x / 255));
              const light = (s) => rgb(s).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
              const style = getComputedStyle(document.querySelector('.nx'));
              const [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
              return (a + 0.05) / (b + 0.05);
            }"""
        )
        assert ratio > 7, theme


def test_javascript_equals_python(page, served: str) -> None:
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
        "gains": {n: [0, *ndcg_nb.gain(levels[1:], f).tolist()] for n, f in gains.items()},
        "discounts": {n: ndcg_nb.discount(range(1, 21), f).tolist() for n, f in discounts.items()},
    }
    cases, expected = [], []
    for _ in range(4000):
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
        skip = {"min-max"} if count < len(grades) else set()
        values = {n: None if n in skip else measure(seen) for n, measure in MEASURES.items()}
        expected.append({n: None if v is None or math.isnan(v) else v for n, v in values.items()})
    page.goto(f"{served}/index.html")
    source = (ROOT / "ndcg_nb/static/explore.js").read_text("utf-8")
    got = page.evaluate(
        """async ([source, tables, cases, names]) => {
          const { measure } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
          const all = cases.map((c) => measure({ ...tables, ...c }));
          return all.map((m) => Object.fromEntries(names.map((n) => [n, Number.isNaN(m[n]) ? null : m[n]])));
        }""",
        [source, tables, json.loads(json.dumps(cases)), list(MEASURES)],
    )
    compared = Counter()
    for case, ours, theirs in zip(cases, expected, got, strict=True):
        for name, value in ours.items():
            if name == "min-max" and value is None:
                continue  # a list that stops early has none in Python, and the view has no tray
            assert theirs[name] == (value if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)), (
                name,
                case,
            )
            compared[name] += 1
    assert min(compared.values()) > 500
