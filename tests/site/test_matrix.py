"""The table of tools by knobs, as the notebook keeps it, in a browser: it filters, sorts, and fits a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import nbformat
import pytest
from conftest import ROOT, needs_browser

from ndcg_nb import list_dialects
from ndcg_nb.dialects import DIALECTS, FAMILIES, OURS, written


def kept() -> str:
    "The table as it stands in the chapter"
    cells = nbformat.read(ROOT / "nbs/09_dialects.ipynb", 4).cells
    found = [o["data"]["text/html"] for c in cells for o in c.get("outputs", []) if "text/html" in o.get("data", {})]
    return next(html for html in found if 'class="matrix"' in html)


class Rows(HTMLParser):
    "The text of every cell, row by row"

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        self.rows[-1][-1] += data


def test_every_dialect_is_a_row() -> None:
    table = Rows()
    table.feed(kept())
    head, ours, *rows = table.rows
    assert [row[0] for row in rows] == list(DIALECTS)
    assert [head[0], *head[-3:]] == ["dialect", "decimals of the mean", "family", "tool"]
    assert ours[0] == "ndcg"
    assert ours[1:11] == [written(setting) for setting in OURS.values()]
    told = list_dialects()[[*OURS, "grades", "rounding", "family", "tool"]]
    assert [row[1:] for row in rows] == told.to_numpy().tolist()


def test_bold_is_where_a_tool_leaves_our_settings() -> None:
    for name, line in zip(DIALECTS, kept().split("<tbody>")[1].split("</tr>")):
        settings = {key: written(getattr(DIALECTS[name], key)) for key in OURS}
        settings |= {"gain": settings["gain"].replace("positive", "linear").replace("linear-exp", "positive-exp")}
        settings |= {"discount": settings["discount"].replace("ln", "log2")}  # the base cancels
        apart = [x for key, x in settings.items() if x != written(OURS[key])]
        assert re.findall("<b>(.*?)</b>", line) == apart, name
        assert apart, "none of them is this book's"


# What follows looks at it


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    "The table on a page by itself, with the site's styles and script for it"
    path = tmp_path_factory.mktemp("matrix") / "matrix.html"
    (path.parent / "fonts").symlink_to(ROOT / "docs/fonts")
    assets = {name: (ROOT / "docs" / name).read_text("utf-8") for name in ("theme.css", "matrix.css", "matrix.js")}
    style = "".join(f"<style>{text}</style>" for name, text in assets.items() if name.endswith("css"))
    paper = "@media screen { main { max-width: 46rem; margin-left: 40px } } @media print { body { margin: 0 } }"
    column = f"<main><div class=cell_output>{kept()}</div></main>"
    page = f"{style}<style>{paper}</style><script>{assets['matrix.js']}</script>{column}"
    path.write_text(f"<!doctype html><html lang=en><meta charset=utf-8>{page}", "utf-8")
    return path.as_uri()


@pytest.fixture
def page(page, address: str) -> Iterator:
    wrong: list[str] = []
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.goto(address)
    yield page
    assert wrong == []


def seen(page) -> list[str]:
    "The dialects on display, from the top"
    return page.locator(".matrix tbody tr:visible th code").all_inner_texts()


@needs_browser
def test_the_box_filters(page) -> None:
    box = page.get_by_role("searchbox", name="Filter the rows of the table")
    assert seen(page) == list(DIALECTS)
    assert page.locator("output").inner_text() == "36 of 36"
    box.fill("worst")
    assert seen(page) == [n for n, d in DIALECTS.items() if d.ties == "worst"] != []
    box.fill("  Float32 EXP ")  # every word must be found, in any cell and in any case
    assert seen(page) == ["xgboost", "xgboost-minus", "rax", "tfr"]
    assert page.locator("output").inner_text() == "4 of 36"
    box.fill("nothing of the kind")
    assert seen(page) == [] and page.locator(".matrix thead tr").nth(1).is_visible(), "ours stays for comparison"
    assert page.locator("output").inner_text() == "no tool has that"
    box.fill("")
    assert seen(page) == list(DIALECTS)


@needs_browser
def test_a_family_is_chosen(page) -> None:
    families = page.get_by_role("combobox", name="Show the tools of one family")
    assert families.locator("option").all_inner_texts() == ["all families", *FAMILIES]
    for family in FAMILIES:
        families.select_option(family)
        assert seen(page) == [n for n, d in DIALECTS.items() if d.family == family] != []
    page.get_by_role("searchbox").fill("hits")
    assert seen(page) == ["mlflow"]
    assert page.locator("output").inner_text() == "1 of 36"
    families.select_option("all families")
    assert seen(page) == ["elasticsearch", "mlflow"]


@needs_browser
@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_headings_sort(page, way: str) -> None:
    def choose(name: str) -> None:
        button = page.get_by_role("columnheader", name=name, exact=True).get_by_role("button")
        if way == "mouse":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Enter")

    choose("dialect")
    assert seen(page) == sorted(DIALECTS, key=lambda n: (n.replace("-", " ").replace("_", " "), n)) != list(DIALECTS)
    choose("k")
    known = [n for n, d in DIALECTS.items() if d.default_k]
    by_k = sorted(known, key=lambda n: DIALECTS[n].default_k)
    rest = [n for n in DIALECTS if n not in known]
    assert seen(page) == by_k + rest, "as numbers, and what is not set stands last, in its old order"
    assert page.locator("[aria-sort]").count() == 1
    choose("k")
    assert seen(page) == sorted(known, key=lambda n: -DIALECTS[n].default_k) + rest
    assert page.locator("[aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("searchbox").fill("trec")
    choose("scores")
    assert seen(page)[-1] == "trec_eval-10", "sorted while filtered"


@needs_browser
def test_it_fits_a_phone_and_names_stay_in_view(page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function("!document.querySelector('.matrix-whole')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, "it scrolls in its box, not with the page"
    box = page.locator(".matrix")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    box.evaluate("e => { e.scrollLeft = 300; e.scrollTop = 200 }")
    assert box.evaluate("e => e.scrollLeft") == 300, "in its own box"
    assert box.evaluate("e => e.scrollHeight - e.clientHeight") == 0, "and only sideways"
    shadow = "all => all.map((e) => getComputedStyle(e).boxShadow !== 'none')"
    assert all(page.locator(".matrix tr > :first-child").evaluate_all(shadow)), "what slides below them has an edge"
    edge = box.bounding_box()
    row = page.locator(".matrix tbody th").nth(12)
    corner = page.locator(".matrix thead th").first
    assert abs(row.bounding_box()["x"] - edge["x"]) < 3, "the first column stays"
    assert row.bounding_box()["width"] < 0.5 * edge["width"], "and leaves room for the rest"
    assert abs(corner.bounding_box()["y"] - edge["y"]) < 3, "the headings stay"
    sizes = page.locator(".matrix td").evaluate_all("all => all.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert min(sizes) >= 12


@needs_browser
@pytest.mark.parametrize("width", [1000, 1280, 1920])
def test_it_uses_the_margin_of_a_wide_page(page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_function("document.querySelector('.matrix-whole')")
    table, box = (page.locator(x).bounding_box() for x in (".matrix table", ".matrix"))
    assert box["width"] > 46 * 16 and box["x"] + box["width"] <= width, "beyond the column of text"
    assert table["width"] <= box["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("scrollTo(0, document.querySelector('.matrix').offsetTop + 400)")
    assert page.locator(".matrix thead th").first.bounding_box()["y"] == pytest.approx(0, abs=2), "the headings stay"
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function("!document.querySelector('.matrix-whole')")


@needs_browser
def test_the_tool_is_below_its_name(page) -> None:
    told = page.locator(".matrix tbody th small").all_inner_texts()
    assert told == [d.tool for d in DIALECTS.values()]
    heads = page.locator(".matrix thead tr").first.locator("th").all_inner_texts()
    assert "tool" not in heads
    assert heads[-1] == "family"
    assert {page.locator(".matrix tr").nth(i).locator("td, th").count() for i in range(38)} == {14}
    page.get_by_role("searchbox").fill("MLlib")
    assert seen(page) == ["spark", "spark-graded"], "it is found by it"


@needs_browser
def test_it_fits_a_sheet_of_paper(page) -> None:
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")
    table, box = (page.locator(x).bounding_box() for x in (".matrix table", ".matrix"))
    assert table["x"] + table["width"] <= 720
    assert table["width"] <= box["width"] + 1
    assert page.locator(".matrix-bar").is_hidden()


@needs_browser
def test_without_the_script_it_is_a_table(browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert seen(page) == list(DIALECTS)
    assert page.locator(".matrix-bar").count() == 0
    context.close()
