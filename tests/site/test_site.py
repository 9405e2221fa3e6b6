"""The site in a real browser: every page loads and asks no one else for anything, and its widgets answer every hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import build
import nav
import pytest
import reference
from conftest import NOTEBOOKS, ROOT, needed, needs_browser
from links import FILES, minutes
from published import on_index, repository
from shared import copied
from shared.alone import TOO_WIDE, watch
from shared.first_list import POOL, REL, state

from ndcg_nb import bounds, disagree, minmax_ndcg, ndcg, penalized_ndcg
from ndcg_nb.widgets.tools import tool_for_page

CHAPTERS = sorted(build.page(p.relative_to(ROOT / "nbs").as_posix()) for p in NOTEBOOKS)
PAGES = [*CHAPTERS, *reference.places(), *FILES.values(), "search"]
AS_FILES = ["index", "normalized", "hood/display/pages"]  # opened from a disk: widgets, equations, a folder


# What is too wide once widgets have drawn themselves again for another width, which they do with the next frames
STILL_TOO_WIDE = f"""() => new Promise((done) => {{
  const began = Date.now();
  const look = () => {{
    const out = ({TOO_WIDE})();
    if (out.length && Date.now() - began < 3000) setTimeout(look, 50); else done(out);
  }};
  look();
}})"""


@dataclass
class Opened:
    "A page that has been loaded, from where, and what went wrong with it"

    name: str
    page: Any
    home: str
    wrong: list[str]


def settle(page) -> None:
    "Wait until the widgets live and the equations are set"
    page.wait_for_function("document.querySelectorAll('.nx-static:not(:has(.nx))').length === 0")
    page.evaluate("document.fonts.ready.then(() => null)")


def drawn(page) -> None:
    "Wait until a page has answered a new size, or what was opened"
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


@pytest.fixture(scope="module", params=[*PAGES, *(f"file:{name}" for name in AS_FILES)])
def opened(request: pytest.FixtureRequest, window, site: Path, served: str) -> Iterator[Opened]:
    "A page, loaded once for all tests that look at it"
    protocol, _, name = request.param.rpartition(":")
    home = site.as_uri() if protocol else served
    page = window.new_page()
    found = Opened(name, page, home, watch(page, home))
    page.goto(f"{home}/{name}.html")
    settle(page)
    yield found
    page.close()


TALLEST = {"reference": 17_500, "page": 14_800}  # px of a laptop, at 28 a line; pages about the code are as long as it
USED = {build.page(name): name for name in build.notebooks() if not name.startswith(("hood/", "index"))}
# The language of each block with a copy button, and of Python whether it is a cell that is run as it is copied
BUTTONS = """[...document.querySelectorAll('article .copybtn')].map((e) => {
  const language = e.closest('[class*=highlight-]').className.match(/highlight-(\\S+)/)[1];
  return language !== 'python' ? language : e.closest('.tag_copied .cell_input') ? 'run' : 'python';
})"""


@needs_browser
def test_page(opened: Opened) -> None:
    page = opened.page
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.title()
    if not opened.name.startswith("hood"):
        limit = TALLEST["reference" if opened.name.startswith("reference/") else "page"]
        assert page.evaluate("document.documentElement.scrollHeight") <= limit, "it is endless"
    buttons = page.evaluate(BUTTONS)
    assert {*buttons} <= {"run", "console", "sh", "pycon", "yaml", "bibtex", "sql", "sql+jinja"}
    runs = copied.blocks(USED[opened.name], copied.built) if opened.name in USED else []
    assert buttons.count("run") == len(runs), "Python has a button only where `tests/shared/copied.py` runs it"
    if opened.name != "search":
        assert page.locator('meta[name="description"]').get_attribute("content")
    if page.locator(".math").count():
        assert page.locator(".math > math").count() == page.locator(".math").count()
        assert not [text for text in page.locator("math").all_text_contents() if "\\" in text or "&" in text]
    figures = page.locator("article img, article .nb-figure")
    alts = figures.evaluate_all("(all) => all.map((e) => e.getAttribute('alt') ?? e.getAttribute('aria-label') ?? '')")
    assert all(len(alt) > 20 and not alt.startswith("_images") for alt in alts), "a figure says nothing to the blind"
    assert page.locator(".nx-static").count() == page.locator(".nx-static:has(.nx)").count()
    assert page.evaluate(STILL_TOO_WIDE) == [], "it is too wide for a laptop"
    page.set_viewport_size({"width": 360, "height": 800})
    drawn(page)
    assert page.evaluate(STILL_TOO_WIDE) == [], "it is too wide for a phone"
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText.slice(0, 80))"
    assert page.locator("article .table-wrapper:has(td code)").evaluate_all(cut) == [], "code is cut on a phone"
    sideways = (
        "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => getComputedStyle(e).backgroundImage)"
    )
    page.evaluate("document.querySelectorAll('article details').forEach((d) => { d.open = true; })")
    drawn(page)
    shades = page.locator("article .math").evaluate_all(sideways)
    assert all(shade.count("linear-gradient") == 2 for shade in shades), "nothing says that a formula goes on"
    assert opened.wrong == []


AXE = """async (rules) => {
  const how = { resultTypes: ["violations"], preload: false, ...rules }; // nor fetch styles
  const found = await axe.run(document, how);
  return found.violations.flatMap((v) => v.nodes.slice(0, 3).map((node) => `${v.id}: ${node.html.slice(0, 150)}`));
}"""
# A long page has 6,676 words of code, which look in 64 ways: of code, one word of each look is left an element.
WORDS = """() => {
  const seen = new Set();
  for (const word of document.querySelectorAll(".highlight .line span")) {
    let look = "";
    for (let box = word; box && box.tagName !== "ARTICLE"; box = box.parentElement) look += `${box.className}, in `;
    if (seen.has(look)) word.replaceWith(...word.childNodes);
    seen.add(look);
  }
  for (const code of document.querySelectorAll(".highlight")) code.normalize();
}"""
# A colour is looked at where it first stands: of texts with one colour and size on one ground, all but the first are
# taken out. Within a widget, where a bar may lie behind a text, all stay.
LOOKS = """() => {
  const grounds = (box) => {
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(box);
    const below = box.parentElement ? grounds(box.parentElement) : "";
    const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
    return own === "rgba(0, 0, 0, 0) none 1" ? below : `${own} on ${below}`;
  };
  const look = (box) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(box);
    return `${color} ${fontSize} ${fontWeight} ${textShadow} on ${grounds(box)}`;
  };
  const seen = new Set();
  const taken = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const box = text.parentElement;
    if (!text.data.trim() || !box.checkVisibility() || box.closest(".nx-static, script, style")) continue;
    if (seen.has(look(box))) taken.push([text, text.data]);
    seen.add(look(box));
  }
  for (const [text] of taken) text.data = "";
  return () => { for (const [text, data] of taken) text.data = data; };
}"""


@needs_browser
def test_for_everyone(opened: Opened) -> None:
    "Nothing that axe-core finds stands between a page and someone who listens to it, or sees little; light and dark"
    folder = Path(needed("axe_playwright_python").__file__).parent
    page = opened.page
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate(next(folder.rglob("axe.min.js")).read_text("utf-8"))
    page.evaluate(WORDS)
    assert page.evaluate(AXE, {"rules": {"color-contrast": {"enabled": False}}}) == []
    for theme in ("dark", "light"):
        page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
        put_back = page.evaluate_handle(LOOKS)
        assert page.evaluate(AXE, {"runOnly": ["color-contrast"]}) == [], theme
        put_back.evaluate("(putBack) => putBack()")
    page.evaluate("document.body.dataset.theme = 'auto'")


@needs_browser
def test_nothing_is_cut(opened) -> None:
    "No code wider than its box on a laptop, no figure wider than a phone or too small to read there, nothing white"
    page = opened.page
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    cut = page.evaluate(
        "[...document.querySelectorAll('article pre')].filter((e) => e.scrollWidth > e.clientWidth)"
        ".map((e) => e.textContent.split('\\n').sort((a, b) => b.length - a.length)[0])"
    )
    assert cut == [], "wrap these lines at 88 columns"
    boxed = page.evaluate(
        "[...document.querySelectorAll('.highlight span')].filter((e) => parseFloat(getComputedStyle(e).paddingLeft))"
        ".map((e) => e.outerHTML)"
    )
    assert boxed == [], "a widget's class is also one of highlighted code"
    page.set_viewport_size({"width": 390, "height": 800})
    figures = page.evaluate(
        """[...document.querySelectorAll('article .nb-figure, article img')].map((e) => {
          const box = e.getBoundingClientRect();
          const scale = e.viewBox ? box.width / e.viewBox.baseVal.width : 1;
          const sizes = [...e.querySelectorAll('text, tspan')].map((t) => parseFloat(getComputedStyle(t).fontSize));
          return [box.left, box.right, scale * Math.min(...sizes, 20)];
        })"""
    )
    for left, right, letters in figures:
        assert left >= 0 and right <= 390 and letters >= 9, (left, right, letters)
    assert page.locator("article img[src$=png]:not(.play img)").count() == 0, "a white slab on a dark page"
    page.emulate_media(color_scheme="dark")
    turned = page.locator(".play img").evaluate_all("(all) => all.map((e) => getComputedStyle(e).filter)")
    assert all(filters.startswith("invert") for filters in turned), "nor is a picture of Play one"
    page.emulate_media(color_scheme="light")


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
    for name in build.public():
        assert sum(name in found.anchors for found in pages.values()) == 1, f"{name} has one entry"


# ---- The front page ----

# What the list says: its grades, and each number with the tools that give it, the highest first
FRONT = """() => ({
  grades: [...document.querySelectorAll('.moving-list .grade')].map((e) => Number(e.dataset.grade)),
  count: document.querySelector('#count').textContent,
  sum: document.querySelector('.moving-sum .sum').textContent,
  told: [...document.querySelectorAll('.table-of tbody tr')].map(({ cells }) => [...cells].map((e) => e.textContent)),
})"""


def said_by_the_package(grades: list[int]) -> dict[str, Any]:
    "What the front page has to say of a list, as Python computes it"
    values = disagree(grades, k=6, pool=POOL)["nDCG"].dropna()
    told = []
    for value in sorted({*values.round(9)}, reverse=True):
        tools = {tool_for_page(name)["title"] for name in values.index[values.round(9) == value]}
        told.append((f"{value:.3f}", tools))
    sum_ = f"{values.min():.3f} to {values.max():.3f}"
    return {"grades": grades, "count": str(len(told)), "sum": sum_, "told": told}


def said_by_the_page(page) -> dict[str, Any]:
    said = page.evaluate(FRONT)
    return said | {"told": [(value, {*tools.split(", ")}) for value, tools in said["told"]]}


@needs_browser
@pytest.mark.parametrize("width, height", [(1280, 900), (360, 800)])
def test_every_move_of_the_front_page_is_computed(width: int, height: int, page, served: str) -> None:
    "By the mouse, by keys, by its buttons: each number is what `disagree` says, and what is dragged keeps the focus"
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{served}/index.html")
    page.wait_for_selector(".moving.alive")
    assert said_by_the_page(page) == said_by_the_package(REL)
    places = [x.bounding_box() for x in page.locator(".moving-list button").all()]
    middle = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
    page.mouse.move(*middle[0])
    page.mouse.down()
    page.mouse.move(*middle[3], steps=8)
    page.mouse.up()
    assert said_by_the_page(page) == said_by_the_package([2, 3, 0, 3, 1, 2])
    for key, grades in (("ArrowRight", [2, 3, 0, 1, 3, 2]), ("Home", [3, 2, 3, 0, 1, 2]), ("End", [2, 3, 0, 1, 2, 3])):
        page.keyboard.press(key)
        assert said_by_the_page(page) == said_by_the_package(grades)
        assert page.evaluate("document.activeElement.closest('.moving-list') !== null")
    page.get_by_role("button", name="Back").click()
    assert said_by_the_page(page) == said_by_the_package(REL)
    assert page.get_by_role("button", name="Back").is_disabled()
    page.get_by_role("button", name="Widest disagreement").click()
    spread = said_by_the_page(page)
    assert spread == said_by_the_package(spread["grades"])
    assert spread["grades"] != REL
    page.mouse.move(*middle[0])
    page.mouse.down()
    page.mouse.move(*middle[5], steps=8)
    page.keyboard.press("Escape")
    assert said_by_the_page(page) == spread, "as it was"
    page.mouse.up()
    page.wait_for_function("document.querySelector('.said[role=status]').textContent.includes('numbers')")


LABELS = """() => [...document.querySelectorAll('.name:not([hidden])')].map((e) => e.getBoundingClientRect())
  .map(({ left, right, top, bottom }) => [left, right, top, bottom])"""


@needs_browser
@pytest.mark.parametrize("width, named", [(1280, 13), (360, 6)])
def test_labels_of_the_front_page_do_not_overlap(width: int, named: int, page, served: str) -> None:
    "At rest every number has one on a laptop; whatever the order, none lies on another or outside"
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{served}/index.html")
    page.wait_for_selector(".moving.alive .name:not([hidden])")
    page.evaluate("document.fonts.ready.then(() => null)")
    page.wait_for_timeout(100)
    assert len(page.evaluate(LABELS)) >= named
    page.locator(".moving-list button").first.focus()
    for key in ["", *["ArrowRight"] * 5]:
        if key:
            page.keyboard.press(key)
        boxes = page.evaluate(LABELS)
        assert boxes
        for i, (left, right, top, bottom) in enumerate(boxes):
            assert 0 <= left < right <= width
            for other in boxes[:i]:
                apart = right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
                assert apart, (boxes[i], other)


@needs_browser
def test_doors_show_their_result(page, served: str) -> None:
    "Below the heading, the list and the command: what each of three ways in gives, on one screen and a half"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{served}/index.html")
    end = lambda what: page.locator(what).last.evaluate("(e) => e.getBoundingClientRect().bottom + scrollY")  # noqa: E731
    ends = [end(what) for what in ("h1", ".install", ".moving-list", ".plot", ".doors")]
    assert ends == sorted(ends)
    assert ends[3] < 900
    assert ends[4] < 1350
    shown = page.locator(".door .result").all_inner_texts()
    assert [x.partition("\n")[2] or x for x in shown] == [
        repr(ndcg(REL, like="lightgbm")),
        "+0.3191, p = 0.005: better",
        "['jk2002']",
    ]
    code = page.locator(".door pre")
    assert code.evaluate_all("(all) => all.every((e) => e.scrollWidth <= e.clientWidth)")
    assert page.locator(".nr-ladder .nr-rung .nr-name").count() == 5
    page.get_by_role("link", name="Open the example report").click()
    assert "rerank-large leads" in page.locator(".nr-answer").first.inner_text()


@needs_browser
def test_the_order_of_the_front_page_has_an_address(page, served: str) -> None:
    "Moved by a key and copied, it opens again; one that is no order is refused in words"
    grades = page.locator(".moving-list .grade")
    page.goto(f"{served}/index.html")
    first = grades.all_inner_texts()
    page.locator(".moving-list button").first.press("End")
    page.get_by_role("button", name="Copy link").press("Enter")
    page.wait_for_function("location.hash === '#order=2,3,4,5,6,1'")
    moved, address = grades.all_inner_texts(), page.url
    numbers = page.locator(".moving-sum").inner_text()
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".shared:has-text('came with the link')")
    assert grades.all_inner_texts() == moved == [*first[1:], first[0]]
    assert page.locator(".moving-sum").inner_text() == numbers
    for wrong in ("2,3,4,5,6", "1,1,2,3,4,5", "x", "", "7,1,2,3,4,5", "1,2,3,4,5,6,1"):
        page.goto("about:blank")
        page.goto(f"{served}/index.html#order={wrong}")
        page.wait_for_selector(".shared:has-text('each number from 1 to 6 once')")
        assert grades.all_inner_texts() == first
    page.goto("about:blank")


@needs_browser
def test_play_has_a_picture_and_a_question_for_each_widget(page, served: str, site: Path) -> None:
    "And each leads to a page with that widget; each picture is small, and each card as wide as cards are"
    page.goto(f"{served}/play.html")
    cards = page.locator(".play a")
    addresses = cards.evaluate_all("(all) => all.map((a) => a.getAttribute('href'))")
    assert len(addresses) == len(build.played()) == 11
    for card, address in zip(cards.all(), addresses, strict=True):
        assert card.inner_text().endswith("?") or address == "your_run.html", card.inner_text()
        card.scroll_into_view_if_needed()
        page.wait_for_function("(img) => img.naturalWidth > 300", arg=card.locator("img").element_handle())
        assert 'class="nx-static"' in (site / address).read_text("utf-8")
    weight = (site / "play.html").stat().st_size + sum(x.stat().st_size for x in (site / "_static/play").iterdir())
    assert weight < 400_000
    for card in (site / "_static/cards").iterdir():
        data = card.read_bytes()
        assert [int.from_bytes(data[n : n + 4], "big") for n in (16, 20)] == [1200, 630]
        assert len(data) < 90_000, card.name


def test_the_card_of_a_page_is_its_own_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    "Where the site has an address, and with a sentence"
    import links

    monkeypatch.setattr(links, "site", lambda: "https://example.org/")
    for name in [*build.played(), "index.ipynb"]:
        meta = build.convert(build.NBS / name).metadata["myst"]["html_meta"]
        own = f"cards/{build.page(name).replace('/', '-')}.png" if name in build.played() else "card.png"
        assert meta["property=og:image"] == f"https://example.org/_static/{own}"
        assert len(meta["property=og:description"]) > 10


@needs_browser
def test_the_front_page_without_scripts(browser, served: str) -> None:
    "Its numbers and systems stand in tables"
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served}/index.html")
    assert page.locator(".table-of tbody tr").first.is_visible()
    assert page.locator(".table-of tbody tr").count() == len(said_by_the_package(REL)["told"])
    assert page.locator(".nr-ladder tbody tr").count() == 5
    context.close()


# ---- Around each page ----


def test_the_map_is_short() -> None:
    "At most 40 entries, each with a name of its own; the short way takes forty minutes"
    names = [title for title, _ in nav.WAY.values()]
    names += [title for pages in nav.PARTS.values() for title in pages.values()]
    assert len(names) <= 40
    assert len({*names}) == len(names)
    assert 37 <= sum(map(minutes, nav.WAY)) <= 43
    places = list(chain(*nav.everything().values()))
    assert len(places) == len({*places}), "a page stands in one place"


def test_every_page_is_on_the_map(site: Path) -> None:
    "It marks itself in the sidebar, or what it is below, and one can go on from it"
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert pages == {f"{name}.html" for name in PAGES} | {"_static/example-report.html"}, "each is looked at"
    for name in {*PAGES} - {"index", "search"}:
        html = (site / f"{name}.html").read_text("utf-8")
        side = html.partition('<nav class="side"')[2].partition("</nav>")[0]
        assert side.count("aria-current=") == 1, name
        assert len(re.findall("<a ", side)) <= 50, name
        inside = name.startswith(("hood/", "reference/"))
        assert inside or re.search('rel="(prev|next)"', html), name
    assert not nav.neighbours("gains")[0]


@needs_browser
def test_the_current_page_is_in_view(opened: Opened) -> None:
    "In the sidebar of a laptop"
    page = opened.page
    page.set_viewport_size({"width": 1280, "height": 800})
    drawn(page)
    current = page.locator(".side [aria-current]")
    for one in current.all():
        box = one.bounding_box()
        assert 0 <= box["y"] < box["y"] + box["height"] <= 800


# What a page and all that it loads weigh, in bytes
WEIGHT = """() => performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
  .filter((e) => !e.name.startsWith('blob:')).reduce((sum, e) => sum + e.decodedBodySize, 0)"""


@needs_browser
def test_weight(opened: Opened) -> None:
    "No page is above 1 MB with all that it loads, and the front page is at most half of that"
    if opened.home.startswith("http"):
        assert opened.page.evaluate(WEIGHT) <= (500_000 if opened.name == "index" else 1_000_000)


def test_a_page_can_be_run_elsewhere(site: Path) -> None:
    "Its last words are where to: the notebook itself, and Colab, which opens what is in the repository, once it is"
    nothing_to_run = {"index.ipynb", "play.ipynb", "glossary.ipynb", "hood.ipynb", "references.ipynb"}
    for name in nothing_to_run:
        assert "run-it" not in (site / f"{build.page(name)}.html").read_text("utf-8"), name
    for name in {*build.notebooks()} - nothing_to_run:
        article = (site / f"{build.page(name)}.html").read_text("utf-8").partition("</article>")[0]
        said = article.rpartition('class="run-it"')[2]
        assert ("colab.research" in said) is bool(on_index() and repository() and not name.startswith("hood/")), name
        assert re.search(r'href="[^"]*_downloads/\w+/\w+\.ipynb"', said), name


@needs_browser
def test_without_scripts_there_is_a_picture(browser, served: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served}/normalized.html")
    pictures = page.locator(".nx-static img")
    assert pictures.count() == page.locator(".nx-static").count() > 0
    assert all(img.evaluate("(img) => img.naturalWidth > 300 && img.alt !== ''") for img in pictures.all())
    context.close()


# The widgets, on pages with nothing behind them. What each control does is seen in test_explore.


# In one question: a page is asked for its state hundreds of times.
@needs_browser
def test_every_list_moves(opened: Opened) -> None:
    "Shuffled and reset, each list is what it was, and its link opens it again"
    page = opened.page
    page.set_viewport_size({"width": 1200, "height": 1000})
    lists = page.locator(".nx-static[data-widget=explore] .nx").all()
    assert len(lists) == page.locator(".nx-static[data-widget=explore]").count()
    for n, one in enumerate(lists):
        told = one.locator(".nx-figure, .nx-row:visible .nx-name").all_inner_texts()
        assert "0/0" not in told
        if one.get_by_role("button", name="shuffle").is_enabled():
            one.get_by_role("button", name="shuffle").click()
            assert one.locator(".nx-figure, .nx-row:visible .nx-name").all_inner_texts() != told
            if one.get_by_role("button", name="Copy a link").count():
                one.get_by_role("button", name="Copy a link").click()
                page.wait_for_function(f"location.hash.includes('explore{n + 1 if n else ''}=list=')")
            one.get_by_role("button", name="reset").click()
        assert one.locator(".nx-figure, .nx-row:visible .nx-name").all_inner_texts() == told
    assert opened.wrong == []


@needs_browser
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
    assert state(page)["numbers"]["nDCG"] == "0.976"
    assert state(page)["numbers"]["penalised"] == "0.926"
    price = page.locator(".nx label:has-text('price') input")
    price.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert state(page)["numbers"] == numbers([3, 2, 3, 1, 2, -1], 0.5)
    widget.get_by_role("button", name="Remove D4").click()
    assert state(page)["numbers"]["nDCG"] == state(page)["numbers"]["penalised"] == "0.976", "what the page promises"


@needs_browser
def test_the_set_size(page, served: str) -> None:
    page.goto(f"{served}/missing.html")
    page.wait_for_selector(".nx-row")
    assert state(page)["numbers"] == {"own ideal@6": "0.961", "nDCG@6": "0.785"}
    for n in (5, 4, 3, 2, 1):
        page.locator(".nx").first.get_by_role("button", name=f"Take D{n + 1} out of the list").click()
        own = ndcg(REL[:n])
        judged = ndcg(REL[:n], 6, pool=POOL)
        told = [float(x) for x in state(page)["numbers"].values()]
        assert told == pytest.approx([own, judged], abs=5.1e-4)
    page.locator(".nx input[type=range]").first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert state(page)["numbers"] == {"own ideal@1": "1", "nDCG@1": "1"}


@needs_browser
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
