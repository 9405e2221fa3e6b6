"""The site in a real browser: every page loads and asks no one else for anything, and its widgets answer every hand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import build
import pytest
from conftest import NOTEBOOKS, ROOT

import ndcg_nb
from ndcg_nb import ndcg

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHAPTERS = sorted(build.page(p.relative_to(ROOT / "nbs").as_posix()) for p in NOTEBOOKS)
PAGES = [*CHAPTERS, "reference", "search"]
REL, POOL = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to look at the pages with")


@pytest.fixture(scope="module")
def site() -> Path:
    assert build.build() == 0, "the build warns, and a warning is a failure"
    return build.SITE


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1200, "height": 1000}, has_touch=True)
    yield context.new_page()
    context.close()


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
    still = page.locator(".nx-static:has(.nx-still)")
    assert still.locator("svg").is_visible() and "nDCG@6 0.785" in still.inner_text()
    context.close()


# The widgets, on pages with nothing behind them. What each control does is seen in test_widget.


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


def expect(page, names: str, rel: list[int], k: int | None = 6, pool: list[int] = POOL, **how: object) -> None:
    now = state(page)
    assert now["names"] == names.split() and now["grades"] == rel
    shown = f"{ndcg(rel, k, pool=pool, **how):.3f}".replace("1.000", "1")
    assert now["numbers"]["nDCG" if k is None else f"nDCG@{k}"] == shown


def middle(page, selector: str, n: int = 0) -> tuple[float, float]:
    box = page.locator(".nx").first.locator(selector).nth(n).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_list_moves(name: str, page, served: str) -> None:
    "On each page that has lists: shuffled and reset, each is what it was, and its link opens it again"
    wrong = watch(page, served)
    page.goto(f"{served}/{name}.html")
    page.wait_for_load_state("networkidle")
    lists = page.locator(".nx-static[data-widget=explore] .nx").all()
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
    assert wrong == []
