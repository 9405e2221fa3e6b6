"""The report of a comparison: what it says, that it asks nothing of anyone, and its lists in a real browser."""

from __future__ import annotations

import html
import math
import pickle
import re
from collections.abc import Callable
from datetime import date as Date
from html.parser import HTMLParser
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, needs_browser
from shared.report import KITCHEN, call_in, data_of, made_runs, pieces_in, texts_of_kitchen, words

from ndcg_nb import __version__, evaluate, ndcg
from ndcg_nb.comparisons import compare

WORDS = {"titles": texts_of_kitchen("documents"), "texts": texts_of_kitchen("queries")}
QRELS = KITCHEN / "qrels.txt"
RUNS = {name: KITCHEN / f"{name}.run" for name in ("titles", "bm25")}


@pytest.fixture(scope="module")
def kitchen() -> Any:
    return compare(QRELS, RUNS, "ndcg@10")


@pytest.fixture(scope="module")
def page_of(kitchen: Any) -> str:
    return kitchen.to_html(**WORDS)


def test_who_is_ahead_under_each_grading_either_way_round(page_of: str) -> None:
    turned = compare(QRELS, dict(reversed(RUNS.items())), "ndcg@10")
    for page in (page_of, turned.to_html()):
        assert "bm25 is ahead under each of them." in words(page)


class Read(HTMLParser):
    "What a browser would make of a page: its tags, whether they close, and what it would ask for"

    VOID = ("meta", "link", "br", "input", "path", "circle", "rect", "use")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.asks: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            if name in ("src", "href", "xlink:href", "srcset", "action", "data", "poster"):
                self.asks.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


# What it says


def test_where_no_script_runs_there_is_a_summary(page_of: str) -> None:
    [summary] = re.findall("<noscript>(.*?)</noscript>", page_of, re.S)
    assert "**bm25 is better than titles**" in html.unescape(summary)


@pytest.mark.usefixtures("no_figures")
@pytest.mark.parametrize(
    "by, how, answer",
    [
        ([0.3, 0.3, 0.31], {}, "b is better than a."),
        ([-0.3, -0.3, -0.31], {}, "b is worse than a."),
        ([0.4, -0.4, 0.05], {}, "It is undecided whether b is better or worse than a."),
        ([0.0001, 0, -0.0001], {"margin": 0.1}, "b is equivalent to a (margin 0.1)."),
        ([0.2, -0.05, 0.05], {"margin": 0.1}, "b is not worse than a (margin 0.1)."),
    ],
)
def test_every_verdict(by: list[float], how: dict[str, Any], answer: str) -> None:
    assert answer in words(compare({"a": [0.5] * 6, "b": [0.5 + x for x in by * 2]}, **how).to_html())


@pytest.mark.usefixtures("no_figures")
def test_few_queries_have_no_interval() -> None:
    qrels, runs = made_runs(4, 2)
    c = compare(qrels, runs, "ndcg@10")
    said = words(c.to_html())
    assert "It is undecided" in said
    assert "There are too few queries for an interval;" in said
    assert "– to" not in said
    assert math.isnan(c.low)
    assert c.table[["low", "high"]].isna().all(axis=None)
    assert "nan" not in said
    alone = words(evaluate(qrels, runs["s0"], "ndcg@10").to_html())
    assert "with a 95% interval" not in alone
    assert "none with fewer than 5 queries" in alone


RECIPES: list[dict[str, Any]] = [
    {},
    {"like": "burges", "missing": "skip", "weights": {f"q{i:04}": i + 1 for i in range(12)}},
    {"ignore_self": True, "duplicates": "first", "disjoint": "zero", "test": "sign", "alpha": 0.1},
    {"like": "trec_eval", "missing": "zero", "margin": 0.1, "baseline": "s1", "seed": 3},
]


@pytest.mark.usefixtures("no_figures")
@pytest.mark.parametrize("how", RECIPES)
@pytest.mark.parametrize("page", [{}, {"queries": 2, "slices": {f"q{i:04}": "ab"[i % 2] for i in range(12)}}])
def test_the_recipe_makes_the_same_report(how: dict[str, Any], page: dict[str, Any], tmp_path: Path) -> None:
    "The call that a report names, run with the same input"
    qrels, runs = made_runs(12, 3)
    of_compare = {"test", "alpha", "margin", "baseline", "seed"}
    of_evaluate = {key: x for key, x in how.items() if key not in of_compare}
    reports = [compare(qrels, runs, "ndcg@5", **how).save(tmp_path / "a.html", **page)]
    if "slices" not in page:
        reports.append(evaluate(qrels, runs, "ndcg@5 dcg@3", **of_evaluate).save(tmp_path / "b.html", **page))
    for path in reports:
        call = call_in(path.read_text("utf-8")).replace('"report.html"', "path").replace("=…", "=given")
        call = re.sub(r"\{('\w+': …(, )?)+\}", "runs", call)
        for name in ("weights", "slices"):
            call = call.replace(f"{name}=given", f"{name}=given[{name!r}]")
        made = tmp_path / "again.html"
        exec(call, {"qrels": qrels, "runs": runs, "path": made, "given": how | page})
        assert made.read_text("utf-8") == path.read_text("utf-8"), call


def test_values_alone_have_a_report_that_says_what_it_lacks() -> None:
    report = compare({"old": [0.1, 0.2, 0.3, 0.5], "new": [0.2, 0.4, 0.3, 0.7]}).to_html()
    Read(report)
    said = words(report)
    assert "new wins 3 queries, ties 1 and loses 0" in said
    assert "lists" not in data_of(report)


def test_what_is_stored_holds_no_lists_and_says_so(kitchen: Any) -> None:
    said = words(pickle.loads(pickle.dumps(kitchen)).to_html())
    assert said.count("Left out: a stored evaluation has numbers and notes") >= 3
    assert "bm25 wins 8 queries" in said
    assert "of the top 10 results are judged" in said


def test_another_measure_has_no_lists_and_says_so() -> None:
    said = words(compare(QRELS, RUNS, "dcg@10").to_html())
    assert "dcg@10 cannot be explained" in said
    assert "bm25 better than titles" in said


def first_pair(page: str) -> set[str]:
    "The two systems that a page is about at first"
    data = data_of(page)
    return {data["systems"][i] for i in data["pairs"][0]}


def decided_by(page: str) -> list[str]:
    "The queries that decided the first pair"
    data = data_of(page)
    return [data["queries"][i][0] for i in data["views"][0]["pairs"][0]["decided"]]


@pytest.mark.usefixtures("no_figures")
def test_many_systems() -> None:
    qrels, runs = made_runs(15, 5)
    whole = compare(qrels, runs, "ndcg@10")
    page = whole.to_html()
    said = words(page)
    second, best = whole.table["mean"].sort_values().index[-2:]
    assert f"Which of 5 systems is best? {best} leads" in said
    assert first_pair(page) == {best, second}
    against = compare(qrels, runs, "ndcg@10", baseline="s0")
    assert first_pair(against.to_html()) == {"s0", best}
    assert "(of this pair alone, not adjusted), p" in said
    assert "adjusted for several pairs" in said
    assert "(of this pair alone" not in words(compare(qrels, runs, "ndcg@10", adjust="tukey").to_html())


@pytest.mark.parametrize(
    "ahead, spread, told",
    [
        ((0.5, 0.2, 0), 0.01, "a leads. It beats all 2 others."),
        ((0, 0.2, 0.5), 0.01, "c leads. It beats all 2 others."),
        ((0.5, 0.499, 0), 0.01, "a leads. It beats 1 of 2; b may be as good."),
        ((0, 0.01, 0), 0.5, "b leads, but it is undecided whether it is better than any of the others."),
    ],
)
def test_which_of_many_is_best(ahead: tuple[float, ...], spread: float, told: str) -> None:
    "Wherever it stands among the systems"
    by_turns = np.array([[1, -1] * 15, [-1, 1] * 15, [1, 1, -1, -1] * 7 + [1, -1]])
    values = np.linspace(0, 0.2, 30) + np.array(ahead)[:, None] + spread * by_turns
    found = compare(dict(zip("abc", values)))
    assert f" {told} " in words(found.to_html())


@pytest.mark.usefixtures("no_figures")
def test_the_queries_that_decided_it() -> None:
    by = [0.5, 0.4, 0.3, 0.2, 0.1, -0.3, -0.2, -0.1, 0.0]
    found = compare({"a": [0.0] * 9, "b": by})
    assert decided_by(found.to_html()) == ["1", "2", "3", "6", "7"]
    few = compare({"a": [0.0] * 4, "b": [0.5, 0.4, -0.1, 0.2]})
    assert decided_by(few.to_html()) == ["1", "2", "4", "3"]
    down = compare({"a": [0.0] * 9, "b": [-x for x in by]})
    assert decided_by(down.to_html()) == ["1", "2", "3", "6", "7"]
    same = compare({"a": [0.1, 0.2], "b": [0.1, 0.2]})
    assert decided_by(same.to_html()) == []
    twice = {"one": RUNS["bm25"], "other": RUNS["bm25"]}
    assert "No query differs" in compare(QRELS, twice, "ndcg@10").to_html()


# Nothing gets in, and nothing gets out

BAD = "<script>alert(1)</script>\"'&$x$ </style>"


def test_ids_are_texts() -> None:
    qrels = {f"{BAD}{q}": {f"{BAD}d{d}": d % 3 for d in range(6)} for q in range(4)}
    runs = {
        f"{BAD}{r}": {q: {d: float((i * (r + 2)) % 7) for i, d in enumerate(ds)} for q, ds in qrels.items()}
        for r in range(2)
    }
    found = compare(qrels, runs, "ndcg@3")
    titles = {d: f"title of {d}" for ds in qrels.values() for d in ds}
    report = found.to_html(titles=titles, texts={q: f"text of {q}" for q in qrels}, command=f"ndcg compare {BAD}")
    read = Read(report)
    assert "alert(1)" in report
    assert "<script>alert" not in report
    assert read.tags.count("style") == 1
    assert read.tags.count("script") == 2
    assert "Left out" not in words(report)
    assert data_of(report)["lists"]["0"]["documents"][0][0].startswith(BAD)


def test_nothing_is_asked_for(page_of: str) -> None:
    read = Read(page_of)
    assert all(x.startswith(("#", "data:")) for x in read.asks), read.asks
    assert "@import" not in page_of
    assert not re.search(r"url\((?!#)", page_of)
    assert "default-src 'none'" in page_of
    assert not {"img", "iframe", "object", "embed", "base", "form"} & {*read.tags}


# The lists


@pytest.mark.filterwarnings("ignore:query 'q07' is not in titles")
def test_lists_of_one_query_hold_the_same_documents(kitchen: Any, page_of: str) -> None:
    "And where no scores are equal, they have the value of the measure"
    data = data_of(page_of)
    assert len(data["lists"]) == len(kitchen.queries)
    for query, found in zip(kitchen.queries, data["lists"].values()):
        for i, run in enumerate(("bm25", "titles")):
            rows = kitchen.evaluation.explain(query, run=run)  # type: ignore[union-attr]
            grades = [found["documents"][d][2] or 0 for d in found["shown"][i]]
            pool = [grade or 0 for *_, grade in found["documents"]]
            if rows["rank"].dtype != object:  # no ties
                value = kitchen.values[kitchen.systems.index(run), kitchen.queries.index(query)]
                assert ndcg(grades, 10, pool=pool) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("how", ["gain=exp", "like=jk2002", "like=trec_eval", "like=burges"])
def test_a_list_weighs_as_the_measure_does(how: str) -> None:
    page = evaluate(*made_runs(30, 1), f"ndcg({how})@5").to_html(queries=30)
    forms = data_of(page)["forms"]
    [gains] = forms["gains"].values()
    [discounts] = forms["discounts"].values()
    assert forms["levels"] == [0, 1, 2, 3]
    own = ndcg([3, 2, 3, 0, 1, 2], 5, **dict([how.split("=")]))
    shown = ndcg([3, 2, 3, 0, 1, 2], 5, gain=dict(enumerate(gains)), discount=discounts[:6])
    assert shown == pytest.approx(own, abs=1e-12)


def test_without_matplotlib(kitchen: Any, page_of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert kitchen.to_html(**WORDS) == page_of


# Fit to send


def test_a_report_says_with_which_data_when_and_by_which_version(kitchen: Any) -> None:
    page = kitchen.to_html(title="Two ways to <search>", date="2026-11-18")
    facts = f"Judgements: qrels.txt. Runs: titles.run, bm25.run. 2026-11-18, ndcg_nb {__version__}."
    assert f"Two ways to <search> ndcg@10, 8 queries. {facts}" in words(page)
    assert "<title>Two ways to &lt;search&gt;</title>" in page
    assert "title='Two ways to <search>', date='2026-11-18')" in call_in(page)
    without = words(kitchen.to_html(date=""))
    assert f"bm25.run. ndcg_nb {__version__}." in without
    assert not re.search(r"20\d\d-\d\d-\d\d", without)
    assert Date.today().isoformat() in words(kitchen.to_html())


@pytest.mark.usefixtures("no_figures")
def test_what_has_no_file_has_no_name() -> None:
    qrels, runs = made_runs(6, 2)
    said = words(compare(qrels, runs, "ndcg@10").to_html(date=""))
    assert "Judgements:" not in said
    assert "Runs:" not in said
    alone = evaluate(QRELS, RUNS["bm25"], weights={f"q{n:02}": n for n in range(1, 11) if n != 9})
    assert "Judgements: qrels.txt. Runs: bm25.run." in words(alone.to_html())


def test_long_names_are_read_once_and_are_A_and_B_below() -> None:
    qrels, runs = made_runs(8, 2)
    old = "bm25-baseline-of-the-spring"
    new = "splade-v3-distil-cocondenser"
    c = compare(qrels, {old: runs["s0"], new: runs["s1"]}, "ndcg@10")
    page = c.to_html()
    said = words(page)
    assert f"Is {new} (B) better than {old} (A)?" in said
    assert "the mean ndcg@10 of B is" in said
    [facts] = data_of(page)["views"][0]["pairs"]
    assert (str(facts).count(old), str(facts).count(new), facts["called"]) == (1, 1, ["A", "B"]), "in the question"
    assert "rank in A" in said
    assert re.search("A is better than B on|B is better than A on", said)


@pytest.mark.parametrize("how", ["ndcg@2", "ndcg(like=trec_eval)@2", "ndcg(gain=exp)@3"])
def test_the_chance_level_is_the_mean_over_all_orders(how: str) -> None:
    qrels = {"q1": {"a": 3, "b": 1, "c": 0, "d": 2}, "q2": {"a": 1, "e": 2}}
    run = {"q1": {"a": 3.0, "b": 2.0, "x": 1.0}, "q2": {"y": 2.0, "a": 1.0}}
    by_query = []
    for q, results in run.items():
        orders = [{q: dict(zip(order, (3.0, 2.0, 1.0)))} for order in permutations(results)]
        by_query.append(np.mean([evaluate({q: qrels[q]}, order, how).values for order in orders]))
    result = evaluate(qrels, run, how)
    page = result.to_html()
    chart, *_ = pieces_in(page, "chart")
    _, chance = chart["level"]
    assert chance == pytest.approx(np.mean(by_query), abs=1e-12)
    assert chance != pytest.approx(result.value)
    assert f"in random order would have a mean of {chance:.4f}." in words(page)


@pytest.mark.parametrize("like", ["trec_eval", "sklearn", "ranx"])
def test_lists_have_the_order_of_explanations(like: str) -> None:
    "Equal scores, scores that are equal in 32 bits, and scores that are not"
    rng = np.random.default_rng(5)
    qrels = {f"q{i}": {f"d{d}": int(rng.integers(3)) for d in range(12)} for i in range(30)}
    near = [0.0, 1e-9, 0.5]
    run = {q: {d: 1 + near[i % 3] * int(rng.integers(1, 30)) for d in ds} for i, (q, ds) in enumerate(qrels.items())}
    result = evaluate(qrels, run, f"ndcg(like={like})@10")
    data = data_of(result.to_html(queries=30))
    assert len(data["lists"]) == 30
    for i, found in data["lists"].items():
        shown = [found["documents"][d][0] for d in found["shown"][0]]
        query, _ = data["queries"][int(i)]
        explained = result.explain(query)["document"]
        assert shown == explained.tolist()[: found["k"]]


def test_orange_can_be_read_on_white() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))

    [style] = re.findall(r"^\.nr \{(.*?)\}", (ROOT / "ndcg_nb/static/report.css").read_text("utf-8"), re.S | re.M)
    for name in ("ink", "body", "muted", "accent", "link", "loss"):
        [colour] = re.findall(rf"--{name}: (#\w+);", style)
        assert 1.05 / (light(colour) + 0.05) >= 4.5, name


# In a browser


def read_number(box: Any, key: str) -> float:
    return float(box.locator(f"[data-is={key}]").inner_text().replace("−", "-"))


@needs_browser
@pytest.mark.parametrize("theme, width", [("light", 390), ("dark", 1200)])
def test_it_opens_light_and_dark_wide_and_narrow(
    theme: str, width: int, open_report: Callable[..., Any], page_of: str
) -> None:
    page = open_report(page_of, width=width, theme=theme)
    assert page.locator("details[open]").count() == 0, "no query is open"
    page.locator(".nr-stories summary").first.click()
    left, right = (page.locator(".nr-stories .nx").nth(i).bounding_box() for i in range(2))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (max(map(int, re.findall(r"\d+", ground)[:3])) < 60) is (theme == "dark")
    assert (left["x"] == right["x"]) is (width == 390)
    assert (left["y"] == right["y"]) is (width == 1200)


@needs_browser
def test_lists_move_together_and_the_sentence_stays_true(
    open_report: Callable[..., Any], page_of: str, kitchen: Any
) -> None:
    page = open_report(page_of)
    page.locator(".nr-stories summary").nth(1).click()
    box = page.locator(".nr-twins")
    box.locator(".nx").nth(1).wait_for()
    left, right = box.locator(".nx").all()
    assert left.locator(".nx-head span:visible").all_inner_texts() == ["grade", "adds", "sum / ideal"], "in half a page"
    before = {key: read_number(box, key) for key in ("a", "b", "difference", "mean")}
    assert before["mean"] == pytest.approx(kitchen.difference, abs=1e-4)
    right.get_by_role("button", name="shuffle").click()
    after = {key: read_number(box, key) for key in before}
    assert after["a"] == before["a"]
    assert after["b"] != before["b"]
    assert after["difference"] == pytest.approx(after["b"] - after["a"], abs=0.0011)
    moved = (after["b"] - before["b"]) / len(kitchen.queries)
    assert after["mean"] == pytest.approx(before["mean"] + moved, abs=3e-4)
    right.get_by_role("button", name="reset").click()
    assert {key: read_number(box, key) for key in before} == before
    # a grade given in one list holds in the other
    name = right.locator(".nx-row:visible .nx-name").first.inner_text()
    right.locator(".nx-row:visible button").first.click()
    assert grades_in(left)[name] == grades_in(right)[name]
    right.locator("input[type=range]").first.fill("3")
    assert "k = 3" in left.inner_text()
    assert box.locator("[data-is=mean]").inner_text() == "that of another k"


def grades_in(widget: Any) -> dict[str, str]:
    "The grades in a list, as they are seen"
    texts = "['.nx-name', grade].map((what) => row.querySelector(what).innerText)"
    read = f"(rows, grade) => rows.map((row) => {texts})"
    shown = widget.locator(".nx-row:visible:not(.nx-ghost)").evaluate_all(read, "button")
    return dict(shown + widget.locator(".nx-chip:visible").evaluate_all(read, "b"))


@needs_browser
def test_a_list_that_is_not_the_measure_says_so(open_report: Callable[..., Any], page_of: str) -> None:
    page = open_report(page_of)
    story = page.locator("details", has_text="q07")
    story.locator("summary").click()
    story.locator(".nx").nth(1).wait_for()
    assert "ndcg@10 itself is 0.000 and 0.810 here" in story.inner_text(), "documents with equal scores"


@needs_browser
def test_on_paper_everything_is_open_and_without_scripts_it_can_be_read(
    open_report: Callable[..., Any], page_of: str
) -> None:
    page = open_report(page_of)
    page.locator(".nr-stories summary").first.click()
    page.locator(".nx-controls").first.wait_for()
    page.locator(".nr-stories summary").first.click()
    drawn = "dispatchEvent(new Event('beforeprint')); document.querySelectorAll('.nr-queries tbody tr').length"
    assert page.evaluate(drawn) == 8, "at once: paper does not wait"
    assert page.locator("main details:not([open]):not(.nx details)").count() == 0
    page.emulate_media(media="print")
    assert not page.locator(".nx-controls").first.is_visible()
    assert not page.locator(".nr-how").first.is_visible()
    for table in page.locator("main table").all():
        assert table.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]:not(.nx details)").count() == 0
    page = open_report(page_of, scripts=False)
    assert "**bm25 is better than titles**" in page.locator("main").inner_text()


@needs_browser
def test_one_list_moves_its_mean(open_report: Callable[..., Any]) -> None:
    result = evaluate(
        {f"q{i}": {"a": 2, "b": 1, "c": 0} for i in range(4)}, {f"q{i}": ["c", "b", "a"] for i in range(4)}
    )
    page = open_report(result.to_html())
    page.locator("details[data-query] summary").first.click()
    box = page.locator(".nr-twins").first
    box.locator(".nx-row").first.wait_for()
    assert box.locator("[data-is=mean]").inner_text() == f"{result.value:.4f}"
    box.locator(".nx-row:visible").first.get_by_role("button", name="Move c down").click()
    assert read_number(box, "a") == pytest.approx(ndcg([1, 0, 2]), abs=0.0005)
    moved = result.value + (ndcg([1, 0, 2]) - result.value) / 4
    assert box.locator("[data-is=mean]").inner_text() == f"{moved:.4f}"


@pytest.mark.slow
def test_rows_that_were_left_in_an_engine(kitchen: Any) -> None:
    "What needs the rows here is replaced by the reason; the rest of the report is as ever"
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")
    from ndcg_nb import evaluate, read_qrels, read_run

    with duckdb.connect() as connection:
        connection.register("qrels", read_qrels(QRELS))
        for name, path in RUNS.items():
            connection.register(name, read_run(path))
        found = evaluate("qrels", {name: name for name in RUNS}, "ndcg@10", connection=connection)
        page = compare(found).to_html()
    assert "were left where they are, and this needs them here" in page
    assert f"is {kitchen.difference:.4f} higher" in page


def test_one_run_that_was_left_in_an_engine() -> None:
    "Its tables are named, and its lists, which would have to be fetched, cannot be opened"
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")
    with duckdb.connect() as connection:
        connection.execute("create table judged as select 'q1' as query, 'a' as document, 1 as grade")
        connection.execute("create table found as select 'q1' as query, 'a' as document, 0.5 as score")
        page = evaluate("judged", "found", "ndcg@10", connection=connection).to_html()
    assert "Judgements: judged. Runs: found." in words(page)
    assert data_of(page)["values"] == [[1]]
    assert "lists" not in data_of(page)


def test_tables_of_polars_have_a_report() -> None:
    pl = pytest.importorskip("polars")
    qrels, runs = made_runs(6, 2)

    def rows(given: dict, name: str) -> Any:
        every = [(query, document, float(x)) for query, found in given.items() for document, x in found.items()]
        return pl.DataFrame(every, ["query", "document", name], orient="row")

    tables = {name: rows(run, "score") for name, run in runs.items()}
    said = words(compare(rows(qrels, "grade"), tables, "ndcg@10").to_html())
    assert "By the rules of" in said
    assert "Over every grading of them" in said
    assert "Left out" not in said


def test_what_0_by_0_was_said_to_be_has_a_row_in_the_report() -> None:
    "A run without a relevant result has the ideal 0, by rules that look at its list only: empty=1 makes that 1"
    qrels = {str(i): {"a": 1, "b": 2} for i in range(5)}
    nothing, both = ({str(i): found for i in range(5)} for found in (["x"], ["a", "b"]))
    runs = {"nothing": nothing, "both": both}
    page = compare(qrels, runs, "ndcg(ideal=list, empty=1)@2", disjoint="zero").to_html()
    tables = [parts[0][1]["rows"] for parts in data_of(page)["documents"].values()]
    rows = [row for table in tables for row in table if row[0][0] == "0/0"]
    assert len(rows) == 5 and all("−1.000" in row for row in rows), rows


# ------------------------------------------------------------------------------------------------ one run
def test_the_report_of_one_run(tmp_path: Path) -> None:
    result = evaluate(QRELS, {"bm25": RUNS["bm25"]}, "ndcg@10 judged@10")
    path = result.save(tmp_path / "report.html", **WORDS)
    page = path.read_text("utf-8")
    assert page == result.to_html(**WORDS) + "\n"
    worst = result.per_query.sort_values("ndcg@10", kind="stable")["query"].head(5).tolist()
    data = data_of(page)
    decided = [data["queries"][i][0] for i in data["views"][0]["pairs"][0]["decided"]]
    assert decided == worst
    assert len(data["lists"]) == 5
    assert "evaluate(qrels, {'bm25': …}, 'ndcg@10 judged@10').save" in words(page)
    assert call_in(result.to_html(command="ndcg eval x y")) == "ndcg eval x y"


@pytest.mark.usefixtures("no_figures")
def test_the_report_of_several_runs_is_about_the_best() -> None:
    runs = {name: KITCHEN / f"{name}.run" for name in ("titles", "bm25")}
    told = words(evaluate(QRELS, runs, "ndcg@10", like="trec_eval", missing="zero").to_html())
    assert "How good are 2 runs?" in told
    assert "The lowest ndcg@10 of bm25" in told
    assert "like='trec_eval', missing='zero'" in told


@pytest.mark.usefixtures("no_figures")
def test_a_report_of_one_query_and_of_none() -> None:
    told = words(evaluate({"q": {"d": 1}}, {"q": {"d": 1}}).to_html())
    assert "Over 1 query the mean ndcg@10 of run is 1." in told
    assert "–" in told
    with pytest.raises(ValueError, match="no query has a value of ndcg@10: there is nothing to report"):
        evaluate({"q": {"d": 0}}, {"q": {"d": 1}}).to_html()
    assert "Left out: judged@3 cannot be explained" in words(
        evaluate({"q": {"d": 1}}, {"q": ["d"]}, "judged@3").to_html()
    )
    with pytest.raises(TypeError, match="'titles' goes with a report"):
        evaluate({"q": {"d": 1}}, {"q": {"d": 1}}).save("means.md", titles={})


def test_the_report_of_one_run_follows_the_weights() -> None:
    weights = {f"q{n:02}": n + 1.0 for n in range(1, 11) if n != 9}
    result = evaluate(QRELS, RUNS["bm25"], "ndcg@10", weights=weights)
    text = result.to_html()
    data = data_of(text)
    [view] = data["views"]
    assert view["pairs"][0]["mean"] == pytest.approx(result.value, abs=1e-12)
    lowest = result.per_query.sort_values("ndcg@10")["query"].iloc[0]
    there = result.per_query.dropna()["query"]
    worst = view["pairs"][0]["decided"][0]
    share = data["weights"][worst] / view["weight"]
    assert share == pytest.approx(weights[lowest] / sum(weights[q] for q in there))
    _, curves, *_ = pieces_in(text, "chart")
    [line] = curves["lines"]
    at_ten = line["x"].index(10)
    assert line["y"][at_ten] == pytest.approx(result.value, abs=1e-12)
