"""The search: what people ask leads to the section that answers it, while they type, from a server and from a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import needed, needs_browser

needed("sphinx")
needed("latex2mathml")

from search import FOUND_BY  # noqa: E402

# What people ask, and where the answer is: the first that is found is one of these places
FIRST = """
what does this error mean: errors
error: errors
errors: errors
error message: errors
warning: errors
RuntimeWarning: errors#no-relevant-document-ndcg-is-0-0
are they swapped?: errors#are-they-swapped
expected 4 fields: errors#expected-4-fields
no result is judged: errors#no-result-of-run-is-judged-for-its-query
ndcg: normalized
pool: ideal#
baseline: comparisons
query type: runs#per-slice-of-queries
segments: runs#per-slice-of-queries
cohort: runs#per-slice-of-queries
slices: runs#per-slice-of-queries
variance: power#how-many-queries
how many queries: power#how-many-queries
side by side: explanations#two-rankings
one relevant document: normalized#one-relevant-document
what is a good ndcg: normalized#what-is-a-good-value
random baseline: normalized#what-is-a-good-value
which k: normalized#the-cutoff
xgboost default k: traps
multiple testing: many#
bonferroni: many#
regression tests: ci
CI: ci
github comment: ci#
two annotators: judges#agreement recipes#several-judges-per-document
LLM judge: judges
star ratings: gains#
several GPUs: frameworks#
GPU: frameworks#on-a-gpu
GPUs: frameworks#on-a-gpu
GridSearchCV: frameworks#scikit-learn
early stopping: frameworks#
Qdrant: formats#vector-stores-and-recommenders
Pinecone: formats#vector-stores-and-recommenders
Weaviate: formats#vector-stores-and-recommenders
Milvus: formats#vector-stores-and-recommenders
Chroma: formats#vector-stores-and-recommenders
pgvector: formats#vector-stores-and-recommenders
Cohere: formats#vector-stores-and-recommenders
Algolia: formats#vector-stores-and-recommenders
Meilisearch: formats#vector-stores-and-recommenders
Typesense: formats#vector-stores-and-recommenders
RecBole: formats#vector-stores-and-recommenders
LangSmith: formats#vector-stores-and-recommenders
Langfuse: formats#vector-stores-and-recommenders
weights: runs#weighted-by-traffic
spreadsheet: recipes#ndcg-in-a-spreadsheet
bibtex: references#how-to-cite
breaking changes: changes
report a bug: contributing#report-a-mistake
install: index
judge_next: judging#
"""
# … or it is among the first three
AMONG = """
ideal: ideal
confidence interval: runs comparisons
y_true y_score: quickstart dialects
duplicates: runs recipes errors
NaN: normalized runs
ties: surprises coverage
evaluate: runs
xgboost: frameworks dialects training
recall: beside
scorer: frameworks
unjudged: unjudged
annotators: judges
hugging face: formats
macro average: glossary
add a tie rule: contributing
trec_eval: quickstart shell
"""


def places(line: str) -> tuple[str, list[str]]:
    query, _, answers = line.rpartition(": ")
    return query, answers.split()


def is_one(place: str, answers: list[str]) -> bool:
    return any(place == answer or place.startswith(f"{answer.rstrip('#')}#") for answer in answers)


@pytest.fixture(scope="module")
def find(window, served: str) -> Iterator[Callable]:
    "Where the results of a query lead, in a tab that stays open"
    page = window.new_page()
    page.goto(f"{served}/search.html")
    field = page.locator("#search [name=q]")

    def ask(query: str) -> list[str]:
        field.fill(query)
        field.press("Enter")
        links = page.locator("#search-results a").evaluate_all("(all) => all.map((e) => e.getAttribute('href'))")
        return [link.replace(".html", "") for link in links]

    yield ask
    page.close()


@needs_browser
@pytest.mark.parametrize("line", FIRST.strip().splitlines())
def test_it_is_found_first(line: str, find: Callable) -> None:
    query, answers = places(line)
    found = find(query)
    assert is_one(found[0], answers), found[:3]
    assert not [place for place in found if place.startswith("hood/")], "the code comes when it is asked for"


@needs_browser
@pytest.mark.parametrize("line", AMONG.strip().splitlines())
def test_it_is_among_the_first(line: str, find: Callable) -> None:
    query, answers = places(line)
    found = find(query)
    assert any(is_one(place, answers) for place in found[:3]), found[:3]


@needs_browser
@pytest.mark.parametrize("one, many", [("segment", "segments"), ("slice", "slices"), ("error", "errors")])
def test_a_plural_finds_the_same(one: str, many: str, find: Callable) -> None:
    assert find(one) == find(many) != []


@needs_browser
def test_it_answers_while_one_types(page, served: str) -> None:
    page.goto(f"{served}/search.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#search [name=q]").press_sequentially("bootst")
    page.wait_for_selector("#search-results li")
    assert re.fullmatch(r"\d+ pages", page.locator("#search-status").inner_text())
    assert page.url.endswith("?q=bootst"), "a search can be linked to"
    marked = page.locator("#search-results li:first-child mark").all_inner_texts()
    assert marked and all(word.lower().startswith("bootstrap") for word in marked), "a line shows the word"
    assert [url for url in asked if not url.endswith("favicon.svg")] == [], "everything is here already"


@needs_browser
def test_the_code_is_searched_when_asked_for(page, served: str) -> None:
    inside = page.locator("#search-results a[href^='hood/']")
    page.goto(f"{served}/search.html?q=Dinkelbach")
    assert inside.count() == 0
    page.locator("#search [name=hood]").check()
    inside.first.wait_for()
    page.reload()
    inside.first.wait_for()
    assert page.url.endswith("q=Dinkelbach&hood=1")
    page.locator("#search [name=hood]").uncheck()
    assert inside.count() == 0


@needs_browser
def test_it_works_from_a_file(page, site: Path) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{site.as_uri()}/search.html?q=confidence+interval")
    lines = page.locator("#search-results li p")
    assert lines.count() > 5
    assert "confidence interval" in " ".join(lines.all_inner_texts()).lower()
    page.locator("#search [name=q]").fill("Simpson's paradox")
    page.wait_for_selector("#search-results a[href^='many.html#']")
    assert wrong == []


@needs_browser
def test_where_nothing_is_found_there_are_doors(page, served: str) -> None:
    page.goto(f"{served}/search.html?q=xylophone")
    assert "xylophone" in page.locator("#search-status").inner_text()
    assert page.locator("#search-none li:visible").count() == 5
    page.locator("#search [name=q]").fill("cutoff")
    page.wait_for_selector("#search-results li")
    assert page.locator("#search-none li:visible").count() == 0
    assert [head.inner_text() for head in page.locator("h1, h2").all() if head.is_visible()] == ["Search"]
    assert page.title().lower().count("search") == 1


def collected(site: Path, name: str) -> list[list[str]]:
    text = (site / f"_static/search-{name}.js").read_text("utf-8")
    return json.loads(text.removeprefix("search(").removesuffix(");\n"))[1]


@pytest.mark.parametrize("name", ["pages", "hood"])
def test_what_is_collected(name: str, site: Path) -> None:
    "Each section is where its page has it, and is told in prose"
    sections = collected(site, name)
    html = {page: (site / f"{page}.html").read_text("utf-8") for page in {section[0] for section in sections}}
    assert not [(page, to) for page, to, *_ in sections if to and f'id="{to}"' not in html[page]]
    assert not [(page, to) for page, to, *_ in sections if re.fullmatch(r"id\d+", to)], "a counter, which changes"
    for page, to, _, text, *_ in sections:
        assert not re.search(r"\bimport (numpy|pandas)\b|#\| export|\\(?:mathrm|frac|sum)\b", text), (page, to)


def test_what_is_called_something_is_there(site: Path) -> None:
    there = {f"{page}#{to}" if to else page for page, to, *_ in collected(site, "pages")}
    assert {*FOUND_BY} - there == set(), "a page or a section has another name now"
