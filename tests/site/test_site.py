"""The site in a real browser: every page loads and asks no one else for anything, and its widgets answer every hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import build
import pytest
import reference
from conftest import NOTEBOOKS, ROOT, needed, needs_browser
from links import FILES
from published import on_index, repository
from shared import copied
from shared.alone import TOO_WIDE, watch
from shared.first_list import POOL, REL, state

from ndcg_nb import bounds, disagree, minmax_ndcg, ndcg, penalized_ndcg

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


TALLEST = {"reference": 15_000, "page": 12_000}  # px of a laptop; pages about the code are as long as it
USED = {build.page(name): name for name in build.notebooks() if not name.startswith("hood/")}
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
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate(STILL_TOO_WIDE) == [], "it is too wide for a phone"
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText.slice(0, 80))"
    assert page.locator("article .table-wrapper:has(td code)").evaluate_all(cut) == [], "code is cut on a phone"
    sideways = (
        "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => getComputedStyle(e).backgroundImage)"
    )
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
    assert page.locator("article img[src$=png]").count() == 0, "a white slab on a dark page"


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


def hook() -> str:
    "What the front page begins with, counted"
    values = disagree(REL, k=6, pool=POOL)["nDCG"]
    return f"{values.count()} conventions, {values.round(9).nunique()} numbers"


@needs_browser
@pytest.mark.parametrize("width, height, screens", [(1280, 900, 1), (390, 844, 2)])
def test_three_doors_come_first(width: int, height: int, screens: int, page, served: str) -> None:
    "Below a hook, a list to move and how to install it: a list, files, and a number to check, each with its output"
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{served}/index.html")
    settle(page)
    end = lambda what: what.evaluate("(e) => e.getBoundingClientRect().bottom + scrollY")  # noqa: E731
    above = [
        f"strong:text-is('{hook()} for one list.')",
        ".nw-chip",
        ".nw-axis",
        "code:has-text('pip install')",
    ]
    ends = [end(page.locator(f"article {what}").first) for what in above]
    assert ends == sorted(ends)
    assert ends[-1] < height
    for door, call, output in (
        ("I have a list.", "ndcg(shown, ", "0.785"),
        ("I have files.", 'evaluate("qrels.txt"', "bm25.run  0.7530 ± 0.1292"),
        ("I have a number to check.", "which(0.949, ", "lightgbm, xgboost"),
    ):
        ends.append(end(page.locator(f"article strong:text-is('{door}')")))
        code = page.locator(f"article .cell_input pre:has-text('{call}')")
        assert code.evaluate("(e) => e.scrollWidth <= e.clientWidth"), call
        both = [code, page.locator(f"article .cell_output pre:has-text('{output}')")]
        ends += sorted(map(end, both))  # side by side, where there is room
    assert ends == sorted(ends)
    assert ends[-1] < screens * height
    rest = ["table:has-text('LightGBM')", "#where-to-go ul", "#install"]
    below = [end(page.locator(f"article {what}").first) for what in rest]
    assert [ends[-1], *below] == sorted([ends[-1], *below])
    assert page.locator("[data-widget=explore]").count() == 0
    assert "All pages" not in page.locator("article").inner_text()
    told = page.locator("article").inner_text()
    assert told.index("download the notebook") > told.index("Where to go"), "a reader came to read"


@needs_browser
def test_the_list_of_the_front_page_moves(page, served: str) -> None:
    "By a key: the tools report other numbers, and the line above the axis says so"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{served}/index.html")
    settle(page)
    line = page.locator(".nw-sum")
    assert line.inner_text().startswith(hook()), line.inner_text()
    before = line.inner_text()
    page.locator(".nw-chip").first.focus()
    page.keyboard.press("End")
    page.wait_for_function("(told) => document.querySelector('.nw-sum').innerText !== told", arg=before)
    assert page.locator(".nw-list").is_hidden(), "which is on its own page"


def test_every_page_is_in_the_sidebar(site: Path) -> None:
    "In three parts, of which the last is one entry; what is inside it is there once it is opened"
    html = (site / "index.html").read_text("utf-8")
    tree = html.partition('<div class="sidebar-tree">')[2].partition("<!--")[0]
    captions = re.findall(r'class="caption-text">(.+?)<', tree)
    assert captions[0] == "Use"
    assert [c[:10] for c in captions if "book" in c] == ["The book ·"]
    last = ["Under the hood", *["Elsewhere"] * bool(repository())]
    assert captions[-len(last) :] == last
    shown = re.findall(r'toctree-l1[^>]*><a class="[^"]*" href="([^"#]+)"', tree)
    inside = re.findall(r'toctree-l2[^>]*><a class="[^"]*" href="([^"#]+)"', tree)
    assert [to for to in shown if to.startswith("hood")] == ["hood.html"], "one entry"
    assert "hood/core/lists.html" in inside
    assert "reference/results.html" in inside
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert pages - {*shown, *inside} == {"index.html", "search.html"}
    assert pages == {f"{name}.html" for name in PAGES}, "each is looked at"


def test_a_page_can_be_run_elsewhere(site: Path) -> None:
    "Its last words are where to: the notebook itself, and Colab, which opens what is in the repository, once it is"
    nothing_to_run = {"glossary.ipynb", "hood.ipynb", "references.ipynb"}
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
            if one.get_by_role("button", name="link").count():
                one.get_by_role("button", name="link").click()
                page.wait_for_function(
                    f"location.hash.startsWith('#list=') && location.hash.includes('w={n}') === {n} > 0"
                )
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
