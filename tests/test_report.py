"""The report of a comparison: what it says, that it asks nothing of anyone, and its lists in a real browser."""

from __future__ import annotations

import html
import json
import pickle
import re
import time
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from conftest import needs_browser

from ndcg_nb import evaluate, ndcg
from ndcg_nb.comparisons import compare
from ndcg_nb.hood.output.demo import read_texts, samples
from ndcg_nb.hood.output.ladder import answer_of_many, decisive, looked_at
from ndcg_nb.hood.output.report import (
    both_lists,
    deeper,
    report_html,
    states_of,
    value_of,
    write_report,
)
from ndcg_nb.hood.stats.comparison import Comparison

RUNS = {name: samples() / f"{name}.run" for name in ("titles", "bm25")}


@pytest.fixture(scope="module")
def kitchen() -> Comparison:
    return compare(samples() / "qrels.txt", RUNS, "ndcg@10")


@pytest.fixture(scope="module")
def page_of(kitchen: Comparison) -> str:
    return report_html(kitchen, titles=read_texts("documents"), texts=read_texts("queries"))


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


def words(page: str) -> str:
    "What is read of a page, without scripts, styles and figures"
    page = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def made_runs(queries: int, systems: int, seed: int = 3, depth: int = 20) -> tuple[dict, dict]:
    "Judgements and runs that are made; half of what is returned was judged"
    rng = np.random.default_rng(seed)
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{i}": {} for i in range(systems)}
    for q in (f"q{n:04}" for n in range(queries)):
        grades = rng.choice(4, 40, p=[0.7, 0.15, 0.1, 0.05])
        qrels[q] = {f"d{d}": int(grades[d]) for d in range(40) if d % 2 or grades[d]} | {"sure": 1}
        for i, run in enumerate(runs.values()):
            scores = grades * (0.5 + 0.1 * i) + rng.normal(size=40)
            run[q] = {f"d{d}": float(scores[d]) for d in np.argsort(-scores)[:depth]}
    return qrels, runs


# What it says


def test_the_answer_in_words(kitchen: Comparison, page_of: str) -> None:
    said = words(page_of)
    assert "Is bm25 better than titles? Yes : bm25 is better." in said
    assert f"is {kitchen.difference:.4f} higher than that of titles: 0.7530 and 0.4339" in said
    ends = f"The 95% interval is +{kitchen.low:.4f} to +{kitchen.high:.4f}"
    assert f"{ends}, p = {kitchen.p:.3f} (paired t-test)" in said
    assert "bm25 wins 8 queries, ties 0 and loses 0" in said
    for note in kitchen.notes:
        assert note.replace("'", "&#x27;") in said
    assert "Left out" not in said


@pytest.mark.usefixtures("no_figures")
@pytest.mark.parametrize(
    "values, how, answer",
    [
        ([[0.1, 0.2, 0.3], [0.4, 0.5, 0.61]], {}, "Yes : b is better."),
        ([[0.4, 0.5, 0.61], [0.1, 0.2, 0.3]], {}, "No : b is worse."),
        ([[0.1, 0.5, 0.3], [0.5, 0.1, 0.35]], {}, "These queries do not tell."),
        ([[0.1, 0.2, 0.3], [0.1001, 0.2, 0.2999]], {"margin": 0.1}, "They are as good as each other, within 0.1."),
        ([[0.1, 0.2, 0.3, 0.4], [0.3, 0.2, 0.6, 0.4]], {"margin": 0.1}, "It is no worse, by a margin of 0.1."),
    ],
)
def test_every_verdict(values: list[list[float]], how: dict[str, Any], answer: str) -> None:
    assert answer in words(report_html(compare(dict(zip("ab", values)), **how)))


def test_values_alone_have_a_report_that_says_what_it_lacks() -> None:
    report = report_html(compare({"old": [0.1, 0.2, 0.3, 0.5], "new": [0.2, 0.4, 0.3, 0.7]}))
    Read(report)
    said = words(report)
    assert (
        "These are values alone." in said
        and "Left out" not in said
        and "new wins 3 queries, ties 1 and loses 0" in said
    )
    assert "nx-static" not in re.sub(r"<(script|style)\b.*?</\1>", "", report, flags=re.S)


def test_what_is_stored_holds_no_lists_and_says_so(kitchen: Comparison) -> None:
    said = words(report_html(pickle.loads(pickle.dumps(kitchen))))
    assert said.count("Left out: a stored evaluation has numbers and notes") >= 3
    assert "bm25 wins 8 queries" in said and "of the top 10 results are judged" in said


@pytest.mark.parametrize("like", ["trec_eval", "gdeval", "sklearn", "elasticsearch", "jk2002"])
def test_lists_in_other_dialects(like: str) -> None:
    "The lists show the value of the measure, or it is said that they do not"
    found = compare(samples() / "qrels.txt", RUNS, "ndcg@10", like=like)
    for query in found.queries:
        states = states_of(found.evaluation, found.measure, query, ["titles", "bm25"], {})
        own = found.values[:, found.queries.index(query)]
        apart = max(abs(value_of(s) - x) for s, x in zip(states, own))
        told = "ndcg@10 itself is" in both_lists(found, looked_at(found), query, states)
        assert told == (apart > 0.0005), (query, apart)
        assert not told or like in ("sklearn", "elasticsearch", "gdeval"), query


def test_another_measure_has_no_lists_and_says_so() -> None:
    said = words(report_html(compare(samples() / "qrels.txt", RUNS, "dcg@10")))
    assert "dcg@10 cannot be explained" in said and "bm25 better than titles" in said


@pytest.mark.usefixtures("no_figures")
def test_many_systems() -> None:
    qrels, runs = made_runs(15, 5)
    whole = compare(qrels, runs, "ndcg@10")
    said = words(report_html(whole))
    best = whole.systems[int(whole.means.argmax())]
    assert f"Which of 5 systems is best? {best} leads" in said
    pair = looked_at(whole)
    second = whole.systems[int(np.argsort(whole.means)[-2])]
    assert {pair["a"], pair["b"]} == {best, second}
    against = compare(qrels, runs, "ndcg@10", baseline="s0")
    assert {looked_at(against)["a"], looked_at(against)["b"]} == {"s0", best}
    assert f"{best}" in words(report_html(against))
    assert "(of this pair alone, not adjusted), p" in said and "adjusted for several pairs" in said
    for how in ({"adjust": "tukey"}, {"adjust": None}):
        assert "(of this pair alone" not in words(report_html(compare(qrels, runs, "ndcg@10", **how)))


@pytest.mark.parametrize(
    "ahead, spread, told",
    [
        ((0.5, 0.2, 0), 0.01, "<b>a</b> leads. It beats all 2 others."),
        ((0, 0.2, 0.5), 0.01, "<b>c</b> leads. It beats all 2 others."),
        ((0.5, 0.499, 0), 0.01, "<b>a</b> leads. It beats 1 of 2; <b>b</b> may be as good."),
        ((0, 0.01, 0), 0.5, "<b>b</b> leads, but cannot be told apart from any of the others."),
    ],
)
def test_which_of_many_is_best(ahead: tuple[float, ...], spread: float, told: str) -> None:
    "Wherever it stands among the systems"
    by_turns = np.array([[1, -1] * 15, [-1, 1] * 15, [1, 1, -1, -1] * 7 + [1, -1]])
    values = np.linspace(0, 0.2, 30) + np.array(ahead)[:, None] + spread * by_turns
    assert answer_of_many(compare(dict(zip("abc", values)))) == told


def test_the_baseline_may_be_the_best() -> None:
    qrels, runs = made_runs(30, 3)
    pair = looked_at(compare(qrels, runs, "ndcg@10", baseline="s2"))
    assert pair["a"] == "s2" and pair["b"] in ("s0", "s1")


@pytest.mark.usefixtures("no_figures")
def test_the_queries_that_decided_it() -> None:
    by = [0.5, 0.4, 0.3, 0.2, 0.1, -0.3, -0.2, -0.1, 0.0]
    found = compare({"a": [0.0] * 9, "b": by})
    told = decisive(found, looked_at(found), 5)
    assert told == [("1", 0.5), ("2", 0.4), ("3", 0.3), ("6", -0.3), ("7", -0.2)]
    few = compare({"a": [0.0] * 4, "b": [0.5, 0.4, -0.1, 0.2]})
    assert [q for q, _ in decisive(few, looked_at(few), 5)] == ["1", "2", "4", "3"]
    down = compare({"a": [0.0] * 9, "b": [-x for x in by]})
    assert [q for q, _ in decisive(down, looked_at(down), 5)] == ["1", "2", "3", "6", "7"]
    same = compare({"a": [0.1, 0.2], "b": [0.1, 0.2]})
    assert decisive(same, looked_at(same), 5) == []
    twice = {"one": RUNS["bm25"], "other": RUNS["bm25"]}
    assert "No query differs" in report_html(compare(samples() / "qrels.txt", twice, "ndcg@10"))


@pytest.mark.usefixtures("no_figures")
def test_what_was_said_makes_it_again(kitchen: Comparison) -> None:
    how = {"test": "randomization", "interval": "bca", "seed": 7, "draws": 500, "alpha": 0.1, "baseline": "titles"}
    page = words(report_html(compare(samples() / "qrels.txt", RUNS, "ndcg@5", **how)))
    told = "test='randomization', interval='bca', baseline='titles', alpha=0.1, draws=500, seed=7)"
    assert told in page.replace("&#x27;", "'")
    options = "--test randomization --interval bca --baseline titles --alpha 0.1 --draws 500 --seed 7"
    assert f"ndcg compare qrels titles bm25 -m ndcg@5 {options} -o report.html" in page
    assert "bm25: …}, &#x27;ndcg@10&#x27;).save" in words(report_html(kitchen)).replace("&#x27;bm25&#x27;", "bm25")
    assert "ndcg compare x y z" in report_html(kitchen, command="ndcg compare x y z")


def test_the_same_bytes_each_time(page_of: str) -> None:
    again = compare(samples() / "qrels.txt", RUNS, "ndcg@10")
    assert page_of == report_html(again, titles=read_texts("documents"), texts=read_texts("queries"))


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
    report = report_html(found, titles=titles, texts={q: f"text of {q}" for q in qrels}, command=f"ndcg compare {BAD}")
    read = Read(report)
    assert "alert(1)" in report and "<script>alert" not in report
    assert read.tags.count("style") == 1 + report.count("<svg role") and "Left out" not in words(report)
    states = re.findall(r'<script type="application/json">(.*?)</script>', report, re.S)
    assert json.loads(states[0])["documents"][0]["name"].startswith(BAD)


def test_nothing_is_asked_for(page_of: str) -> None:
    read = Read(page_of)
    assert all(x.startswith(("#", "data:")) for x in read.asks), read.asks
    assert "@import" not in page_of and not re.search(r"url\((?!#)", page_of)
    assert "default-src 'none'" in page_of
    assert not {"img", "iframe", "object", "embed", "base", "form"} & {*read.tags}


def test_only_the_one_script_may_run(page_of: str) -> None:
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page_of)
    [allowed] = re.findall(r"script-src ([^;]*)", policy)
    scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", page_of, re.S)
    [script] = [text for kind, text in scripts if "application/json" not in kind]
    assert allowed == f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


# The living lists


def test_lists_of_one_query_hold_the_same_documents(kitchen: Comparison) -> None:
    for query in kitchen.queries:
        states = states_of(kitchen.evaluation, kitchen.measure, query, ["titles", "bm25"], {})
        for state, run in zip(states, ("titles", "bm25")):
            value = float(kitchen.values[kitchen.systems.index(run), kitchen.queries.index(query)])
            rows = kitchen.evaluation.explain(query, run=run)  # type: ignore[union-attr]
            if rows["rank"].dtype != object:  # no ties
                assert value_of(state) == pytest.approx(value, abs=1e-12)
        one, other = ({d["name"]: (d["name"], d["grade"]) for d in s["documents"]} for s in states)
        assert one == other and len(one) == len(states[0]["documents"])


def test_a_list_is_what_the_widget_itself_would_show() -> None:
    "The state is made without the widget, and is what the widget would send"
    explore = pytest.importorskip("ndcg_nb.widgets.explore")
    qrels, runs = made_runs(3, 2)
    whole = {q: ds | {d: 0 for run in runs.values() for d in run[q] if d not in ds} for q, ds in qrels.items()}
    assert len(whole["q0001"]) > len(qrels["q0001"])
    for judged in (qrels, whole):
        check_lists(explore, compare(judged, runs, "ndcg(gain=exp)@5"))


def check_lists(explore: Any, found: Comparison) -> None:
    for state in states_of(found.evaluation, found.measure, "q0001", ["s0", "s1"], {}):
        rel, rest = ([d["grade"] for d in state["documents"] if d["shown"] is shown] for shown in (True, False))
        known = [None if d.get("unjudged") else d["grade"] for d in state["documents"]]
        if None in known:
            rel = known[: len(rel)]
            widget = explore.explore(rel, 5, pool=known, gain="exp", view="unjudged")
        else:
            widget = explore.explore(rel, 5, pool=rel + rest, gain="exp")
        for name in ("levels", "gains", "choices", "gain", "discount", "k", "view"):
            assert state[name] == getattr(widget, name), name
        assert {*state} == {*widget.state}
        for form, row in state["discounts"].items():
            assert row == widget.discounts[form][: len(row)]
        assert value_of(state) == pytest.approx(widget.ndcg, abs=1e-12)


@pytest.mark.usefixtures("no_figures")
def test_long_lists_are_cut_and_it_is_said() -> None:
    qrels, runs = made_runs(12, 2, depth=40)
    report = report_html(compare(qrels, runs, "ndcg@40"))
    states = [json.loads(x) for x in re.findall(r'application/json">(.*?)</script>', report, re.S)]
    assert all(sum(d["shown"] for d in s["documents"]) == s["k"] == 20 for s in states)
    assert "nDCG@20 of these lists" in words(report) and "ndcg@40 itself is" in words(report)


def test_ties_are_told(page_of: str) -> None:
    assert "ndcg@10 itself is 0.000 and 0.810 here" in words(page_of)
    assert value_of(json.loads(re.findall(r'application/json">(.*?)</script>', page_of, re.S)[1])) < 0.81


def test_without_matplotlib(kitchen: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    said = words(report_html(kitchen))
    assert "pip install &#x27;ndcg_nb[plots]&#x27;" in said and "Yes : bm25 is better" in said


@pytest.mark.usefixtures("no_figures")
def test_save_writes_the_report(kitchen: Comparison, tmp_path: Path) -> None:
    path = kitchen.save(tmp_path / "report.html")
    assert path.read_text("utf-8").rstrip("\n") == report_html(kitchen).rstrip("\n")
    with pytest.raises(FileNotFoundError):
        write_report(kitchen, tmp_path / "none" / "report.html")


# In a browser


@pytest.fixture
def opened(window: Any, page_of: str, tmp_path: Path) -> Any:
    "The report in a browser that is offline, and whatever went wrong or was asked for"
    pages, wrong = [], []
    window.set_offline(True)

    def open_report(width: int = 1200, theme: str = "light") -> Any:
        (tmp_path / "report.html").write_text(page_of, "utf-8")
        page = window.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.on("pageerror", lambda e: wrong.append(f"error: {e}"))
        page.on("console", lambda m: wrong.append(f"console: {m.text}"))
        home = (tmp_path / "report.html").as_uri()
        page.on("request", lambda r: wrong.append(r.url) if r.url != home else None)
        page.goto(home)
        page.wait_for_function("document.querySelectorAll('.nx-static:not(:has(.nx))').length === 0")
        return page

    yield open_report
    for page in pages:
        page.close()
    window.set_offline(False)
    assert wrong == []


@needs_browser
@pytest.mark.parametrize("theme, width", [("light", 390), ("dark", 1200)])
def test_it_opens_light_and_dark_wide_and_narrow(theme: str, width: int, opened: Callable[..., Any]) -> None:
    page = opened(width=width, theme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (max(map(int, re.findall(r"\d+", ground)[:3])) < 60) is (theme == "dark")
    left, right = page.locator("details[open] .nx-static").all()[:2]
    a, b = left.bounding_box(), right.bounding_box()
    assert (a["x"] == b["x"]) is (width == 390) and (a["y"] == b["y"]) is (width == 1200)


@needs_browser
def test_lists_move_together_and_the_sentence_stays_true(opened: Callable[..., Any], kitchen: Comparison) -> None:
    page = opened()
    box = page.locator(".nr-twins").nth(1)
    page.locator("details summary").nth(1).click()
    told = lambda key: float(box.locator(f"[data-is={key}]").inner_text().replace("−", "-"))  # noqa: E731
    left, right = box.locator(".nx").all()
    assert left.locator(".nx-head span:visible").all_inner_texts() == ["grade", "adds", "sum / ideal"], "in half a page"
    before = {key: told(key) for key in ("a", "b", "difference", "mean")}
    assert before["mean"] == pytest.approx(kitchen.difference, abs=1e-4)
    right.get_by_role("button", name="shuffle").click()
    assert told("a") == before["a"] and told("b") != before["b"]
    assert told("difference") == pytest.approx(told("b") - told("a"), abs=0.0011)
    moved = (told("b") - before["b"]) / len(kitchen.queries)
    assert told("mean") == pytest.approx(before["mean"] + moved, abs=3e-4)
    right.get_by_role("button", name="reset").click()
    assert {key: told(key) for key in before} == before
    # a grade given in one list holds in the other
    name = right.locator(".nx-row:visible .nx-name").first.inner_text()
    right.locator(".nx-row:visible button").first.click()
    grades = {d["name"]: d["grade"] for d in json.loads(json.dumps(states(left)))}
    assert grades[name] == {d["name"]: d["grade"] for d in states(right)}[name]
    right.locator("select").first.select_option("exp")
    assert left.locator("select").first.input_value() == "exp"
    assert box.locator("[data-is=mean]").inner_text() == "that of other settings"


def states(widget: Any) -> list[dict[str, Any]]:
    "The documents of a list and their grades, as they are seen"
    texts = "['.nx-name', grade].map((what) => row.querySelector(what).innerText)"
    read = f"(rows, grade) => rows.map((row) => {texts})"
    shown = widget.locator(".nx-row:visible:not(.nx-ghost)").evaluate_all(read, "button")
    aside = widget.locator(".nx-chip:visible").evaluate_all(read, "b")
    return [{"name": name, "grade": grade} for name, grade in shown + aside]


@needs_browser
def test_without_scripts_it_can_be_read(browser: Any, page_of: str, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(page_of, "utf-8")
    page = browser.new_page(java_script_enabled=False, offline=True)
    page.goto((tmp_path / "report.html").as_uri())
    assert "herbs-glass: Herbs in a glass of water, grade 3" in page.locator(".nx-static ol").nth(1).inner_text()
    assert page.locator(".nb-figure").first.is_visible()
    page.close()


@needs_browser
def test_on_paper_everything_is_open(opened: Callable[..., Any]) -> None:
    page = opened()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 1
    assert page.locator(".nx-controls").first.is_visible()
    page.emulate_media(media="print")
    assert not page.locator(".nx-controls").first.is_visible()


@pytest.fixture
def door() -> Any:
    "Where somebody listens, and who came"
    came: list[str] = []

    class Open(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            came.append(self.path)
            self.send_response(204)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Open)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", came
    server.shutdown()
    server.server_close()


@needs_browser
@pytest.mark.parametrize("asks", ['<img src="{}/x.png">', "<script>fetch('{}/x.png')</script>"])
def test_the_browser_itself_forbids_requests(asks: str, page: Any, door: Any, page_of: str, tmp_path: Path) -> None:
    "If a page like this asked for something, its policy would stop it; without the policy somebody is asked"
    policy = re.search(r"<meta http-equiv=[^>]*>", page_of)
    assert policy is not None
    where, came = door
    file = tmp_path / "asks.html"
    page.add_init_script("addEventListener('securitypolicyviolation', () => { window.forbidden = true; })")
    file.write_text(page_of.replace("</main>", f"{asks.format(where)}</main>"), "utf-8")
    page.goto(file.as_uri())
    page.wait_for_function("window.forbidden")
    assert came == []
    file.write_text(file.read_text("utf-8").replace(policy[0], ""), "utf-8")
    with page.expect_response(f"{where}/x.png"):
        page.goto(file.as_uri())
    assert came == ["/x.png"]


def test_rows_that_were_left_in_an_engine(kitchen: Comparison) -> None:
    "What needs the rows here is replaced by the reason; the rest of the report is as ever"
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")
    from ndcg_nb import evaluate, read_qrels, read_run

    with duckdb.connect() as connection:
        connection.register("qrels", read_qrels(samples() / "qrels.txt"))
        for name, path in RUNS.items():
            connection.register(name, read_run(path))
        found = evaluate("qrels", {name: name for name in RUNS}, "ndcg@10", connection=connection)
        page = report_html(compare(found))
    assert "the rows were left where they are, and other cutoffs need them here" in page
    assert f"{kitchen.difference:+.4f}" in page


# ------------------------------------------------------------------------------------------------ one run
def test_the_report_of_one_run(tmp_path: Path) -> None:
    result = evaluate(samples() / "qrels.txt", {"bm25": samples() / "bm25.run"}, "ndcg@10 judged@10")
    path = result.save(tmp_path / "report.html", titles=read_texts("documents"), texts=read_texts("queries"))
    page = path.read_text("utf-8")
    assert page == result.to_html(titles=read_texts("documents"), texts=read_texts("queries")) + "\n"
    told, told_table = words(page), page[page.index("<h2>The means") :]
    low, high = result.interval()[["low", "high"]].iloc[0]
    assert f"is {result['ndcg@10']:.4f}, with a 95% interval from {low:.4f} to {high:.4f}." in told
    for number in (low, high, *result.interval().iloc[1][["mean", "low", "high"]]):
        assert f"<td>{number:.4f}</td>" in told_table
    worst = result.per_query.sort_values("ndcg@10", kind="stable")["query"].head(5).tolist()
    assert re.findall(r"<h3>(q\d+): ", page) == worst
    states = [json.loads(x) for x in re.findall(r'application/json">(.*?)</script>', page, re.S)]
    for query, state in zip(worst, states):
        value = result.per_query.set_index("query").loc[query, "ndcg@10"]
        assert value_of(state) == pytest.approx(value, abs=0.03)  # equal scores
        assert {d["name"] for d in state["documents"]} <= read_texts("documents").keys()
    assert "1 query has no relevant document" in told and "Left out" not in told
    assert "evaluate(qrels, {'bm25': …}, 'ndcg@10 judged@10').save" in html.unescape(told)


@pytest.mark.usefixtures("no_figures")
def test_the_report_of_several_runs_is_about_the_best() -> None:
    runs = {name: samples() / f"{name}.run" for name in ("titles", "bm25")}
    told = words(evaluate(samples() / "qrels.txt", runs, "ndcg@10", like="trec_eval", missing="zero").to_html())
    assert "How good are 2 runs?" in told and "The lowest ndcg@10 of bm25" in told
    assert "like='trec_eval', missing='zero'" in html.unescape(told)


@pytest.mark.usefixtures("no_figures")
def test_a_report_of_one_query_and_of_none() -> None:
    told = words(evaluate({"q": {"d": 1}}, {"q": {"d": 1}}).to_html())
    assert "Over 1 query the mean ndcg@10 of run is 1." in told and "–" in told
    with pytest.raises(ValueError, match="no query has a value of ndcg@10: there is nothing to report"):
        evaluate({"q": {"d": 0}}, {"q": {"d": 1}}).to_html()
    assert "Left out: judged@3 cannot be explained" in words(
        evaluate({"q": {"d": 1}}, {"q": ["d"]}, "judged@3").to_html()
    )
    with pytest.raises(TypeError, match="'titles' goes with a report"):
        evaluate({"q": {"d": 1}}, {"q": {"d": 1}}).save("means.md", titles={})


def test_a_thousand_queries_of_one_run() -> None:
    rng = np.random.default_rng(0)
    qrels = {f"q{i}": {f"d{j}": int(g) for j, g in enumerate(rng.integers(0, 4, 20))} for i in range(1000)}
    run = {q: {f"d{j}": float(s) for j, s in enumerate(rng.random(40))} for q in qrels}
    result = evaluate(qrels, run)
    start = time.process_time()
    report = result.to_html()
    assert time.process_time() - start < 5 and len(report) < 600_000


@needs_browser
def test_one_list_moves_its_mean(browser: Any, tmp_path: Path) -> None:
    result = evaluate(
        {f"q{i}": {"a": 2, "b": 1, "c": 0} for i in range(4)}, {f"q{i}": ["c", "b", "a"] for i in range(4)}
    )
    result.save(tmp_path / "report.html")
    page = browser.new_page(offline=True)
    page.goto((tmp_path / "report.html").as_uri())
    box = page.locator(".nr-twins").first
    box.locator(".nx-row").first.wait_for()
    assert box.locator("[data-is=mean]").inner_text() == f"{result.value:.4f}"
    box.locator(".nx-row:visible").first.get_by_role("button", name="Move c down").click()
    value = float(box.locator("[data-is=a]").inner_text())
    assert value == pytest.approx(ndcg([1, 0, 2]), abs=0.0005)
    moved = result.value + (ndcg([1, 0, 2]) - result.value) / 4
    assert box.locator("[data-is=mean]").inner_text() == f"{moved:.4f}"
    page.close()


@pytest.mark.usefixtures("no_figures")
def test_the_report_of_one_run_follows_the_weights() -> None:
    weights = {f"q{n:02}": n + 1.0 for n in range(1, 11) if n != 9}
    result = evaluate(samples() / "qrels.txt", samples() / "bm25.run", "ndcg@10", weights=weights)
    text = result.to_html()
    boxes = re.findall(r'data-mean="([\d.]+)" data-queries="([\d.]+)"', text)
    assert boxes and all(float(mean) == pytest.approx(result.value, abs=1e-12) for mean, _ in boxes)
    lowest = result.per_query.sort_values("ndcg@10")["query"].iloc[0]
    there = result.per_query.dropna()["query"]
    assert float(boxes[0][1]) == pytest.approx(sum(weights[q] for q in there) / weights[lowest])
    assert deeper(result, "ndcg@10").means["ndcg@10"].iloc[0] == pytest.approx(result.value, abs=1e-12)
