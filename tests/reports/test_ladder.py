"""The ladder of a report: every number it may show is the comparison's, and what the page does when it is used."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from conftest import needs_browser
from shared.javascript import call
from shared.report import call_in, data_of, made_runs, words

from ndcg_nb import evaluate
from ndcg_nb.comparisons import compare


def kitchens(queries: int = 12) -> tuple[dict, dict]:
    "Runs of which one leads where a grade counts as it is, and another where it counts as 2^grade - 1"
    orders = {
        "sharp.run": "h j k l m n o",
        "broad.run": "m n o h j k l",
        "weak.run": "j k m l n o h",
        "none": "j k l o n m h",
    }
    qrels = {f"q{i}": {"h": 3, "m": 1, "n": 1, "o": 1, "j": 0, "k": 0, "l": 0} for i in range(queries)}
    runs: dict[str, dict[str, dict[str, float]]] = {name: {} for name in orders}
    for i, q in enumerate(qrels):
        for n, (name, order) in enumerate(orders.items()):
            documents = order.split()
            swap = (i * (n + 2)) % 5
            documents[swap], documents[swap + 1] = documents[swap + 1], documents[swap]
            runs[name][q] = {d: float(9 - r) for r, d in enumerate(documents)}
    return qrels, runs


SLICES = {f"q{i}": "head" if i < 7 else "tail" if i < 11 else "odd one" for i in range(12)}
TEXTS = {"q3": "how long to boil an egg", "q4": "can you <b>reheat</b> rice"}


@pytest.fixture(scope="module")
def four() -> Any:
    return compare(*kitchens(), "ndcg@4")


@pytest.fixture(scope="module")
def page_of(four: Any) -> str:
    return four.to_html(slices=SLICES, texts=TEXTS, titles={"h": "Harissa"}, queries=3)


def order_of(c: Any) -> list[str]:
    "The systems, the highest mean first"
    means = c.table["mean"]
    return means.sort_values(ascending=False, kind="stable").index.tolist()


def names_of(c: Any) -> dict[str, str]:
    "What systems are called on the page"
    return {x: x.removesuffix(".run") for x in c.systems}


def signed(x: float, digits: int = 4) -> str:
    "A difference as the page has it, with a minus that is no hyphen"
    return f"{x:+.{digits}f}".replace("-", "−")


def said(facts: dict[str, Any]) -> str:
    return " ".join(facts[name] for name in ("asks", "answer", "told"))


def places(function: str, *given: Any) -> Any:
    "What the script computes of where things are"
    return call("places", f"(places, ...given) => places.{function}(...given)", *given)


# ---------------------------------------------------------------------------------- every number is the comparison's
def check_pair(told: dict[str, Any], row: Any, means: dict[str, float], is_turned: bool, names: dict[str, str]) -> None:
    "The sentence of a pair has the numbers of its row, turned round where the lower mean was given second"
    sign = -1 if is_turned else 1
    low, high = sorted((sign * row["low"] + 0.0, sign * row["high"] + 0.0))
    text, (a, b) = said(told), (row["a"], row["b"]) if not is_turned else (row["b"], row["a"])
    wins, losses = (row["wins"], row["losses"]) if not is_turned else (row["losses"], row["wins"])
    assert f"Is {names[b]} better than {names[a]}" in text
    by = sign * row["difference"]
    assert f"is {abs(by):.4f} {'higher' if by > 0 else 'lower'} than that of {names[a]}" in text
    assert f"{means[b]:.4f} and {means[a]:.4f}." in text
    ends = (
        f"interval is {signed(low)} to {signed(high)}" if low == low else "There are too few queries for an interval;"
    )
    assert ends in text
    p = row.get("adjusted", row["p"])
    written = "–" if math.isnan(p) else f"{p:.3f}"
    assert ("p < 0.001" if p < 0.0005 else f"p = {written}") in text
    assert f"{names[b]} wins {wins} queries, ties {row['ties']} and loses {losses}." in text


def check_all(c: Any, data: dict[str, Any]) -> None:
    names = names_of(c)
    order = order_of(c)
    assert data["systems"] == [names[x] for x in order]
    means = c.table["mean"].to_dict()
    first = data["views"][0]
    assert places("orderOf", first) == [*range(len(order))]
    for x, shown in zip(order, first["rungs"]):
        row = c.table.loc[x]
        assert shown["mean"] == f"{row['mean']:.4f}"
        assert shown["ends"] == f"{row['low']:.4f} to {row['high']:.4f}"
        assert shown["at"] == pytest.approx([row["mean"], row["low"], row["high"]], abs=1e-12)
    rows = {frozenset((r["a"], r["b"])): r for r in c.pairs.to_dict("records")}
    assert len(rows) == len(data["pairs"]) == len(first["pairs"])
    for pair, told in zip(data["pairs"], first["pairs"]):
        a, b = (order[i] for i in pair)
        row = rows[frozenset((a, b))]
        check_pair(told, row, means, row["a"] == b, names)
        assert told["mean"] == (-1 if row["a"] == b else 1) * row["difference"]
    for x, values in zip(order, data["values"]):
        assert values == pytest.approx(c.values[c.systems.index(x)].tolist(), abs=5.1e-7)


@pytest.mark.usefixtures("no_figures")
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"adjust": "tukey"},
        {"adjust": None, "test": "wilcoxon"},
        {"test": "randomization", "interval": "bca", "draws": 300},
        {"baseline": "weak.run"},
        {"baseline": "broad.run", "alpha": 0.1},
        {"margin": 0.2},
        {"weights": {f"q{i}": i + 1 for i in range(12)}},
    ],
)
def test_every_number_is_the_comparisons(how: dict[str, Any]) -> None:
    c = compare(*kitchens(), "ndcg@4", **how)
    page = c.to_html()
    data = data_of(page)
    check_all(c, data)
    assert data["baseline"] == (None if c.rules.baseline is None else order_of(c).index(c.rules.baseline))
    assert data["weights"] == (None if c.weights is None else c.weights.tolist())
    for pair in data["pairs"]:
        if c.rules.baseline is None and c.rules.margin is None:
            assert pair[1] < pair[0]  # the higher rung minus the lower
    assert not re.search(r"[ (]-0\.\d", words(page).replace(call_in(page), "")), "a minus is no hyphen"


def test_brackets_join_undecided_pairs(four: Any, page_of: str) -> None:
    names = order_of(four)
    together = places("bracketsOf", data_of(page_of)["views"][0], [*range(4)])
    shared = {frozenset(x) for group in together for x in combinations(group, 2)}
    pairs = {frozenset(map(names.index, (x["a"], x["b"]))): x["verdict"] for x in four.pair_rows}
    assert shared == {x for x, said in pairs.items() if said == "undecided"}
    assert {*pairs.values()} != {"undecided"}


def test_brackets_are_drawn_in_few_columns() -> None:
    def marks(brackets: list[list[int]]) -> list[str]:
        return ["".join(row) for row in places("marksOf", [0, 1, 2, 3], brackets)]

    assert marks([[0, 1], [2, 3]]) == ["b", "e", "b", "e"]
    assert marks([[0, 1, 3], [1, 2]]) == ["bn", "tb", "ge", "en"]
    assert places("bracketsOf", {"groups": ["A,B", "B,AA"]}, [1, 0]) == [[1, 0]]
    many = ["".join(chr(65 + j) for j in range(10)) for _ in range(2)]
    assert places("bracketsOf", {"groups": many}, [0, 1]) == []  # too many to be a picture


def test_ticks_are_few_and_round_and_enclose_what_is_shown() -> None:
    rng = np.random.default_rng(1)
    ranges = [sorted(pair) for scale in (1e-3, 0.1, 1, 40) for pair in (scale * rng.normal(size=(25, 2))).tolist()]
    axes = call(
        "places",
        "({ axisOf }, all) => all.map((x) => ({ ...axisOf(x), at: x.map(axisOf(x).place), place: 0 }))",
        ranges,
    )
    for (low, high), axis in zip(ranges, axes):
        ticks = axis["ticks"]
        assert 2 <= len(ticks) <= 7
        assert ticks[0] <= low + 1e-9
        assert high - 1e-9 <= ticks[-1]
        assert np.ptp(np.diff(ticks)) < 1e-9
        assert all(f"{x:.{axis['digits']}f}" == f"{round(x, 9):.{axis['digits']}f}" for x in ticks)
        assert axis["at"] == pytest.approx([(x - ticks[0]) / (ticks[-1] - ticks[0]) for x in (low, high)], abs=1e-9)
    assert places("wholeTicks", [0.4, 10.5]) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert places("wholeTicks", [1, 1]) == [1]
    assert places("wholeTicks", [1, 20]) == [1, 5, 10, 15, 20]
    assert places("wholeTicks", [1, 1000])[-1] == 1000


def test_names_that_would_overlap_are_moved_apart() -> None:
    for given in ([50, 50, 51, 90], [10, 20, 30], [95, 96, 97, 98], [3]):
        moved = places("movedApart", given, 14, 100)
        assert min(np.diff(sorted(moved)), default=14) >= 14 - 1e-9
        assert max(moved) <= 100
        assert np.argsort(moved, kind="stable").tolist() == np.argsort(given, kind="stable").tolist()


def test_what_cannot_be_seen_is_shown() -> None:
    hidden = "a\u202eb\x07c\td\u0085e\u2028"
    assert places("visible", hidden) == hidden.encode("unicode_escape").decode()
    assert places("visible", "é\n\0\U0001f95a") == "é\n\0\U0001f95a"


def test_slices_are_those_of_by(four: Any, page_of: str) -> None:
    data = data_of(page_of)
    table = four.by(SLICES).table
    views = {x["label"]: x for x in data["views"][1:4]}
    assert [*views] == ["head", "odd one", "tail"]
    assert "slices" not in data["views"][0]["told"], "none is left out"
    order = order_of(four)
    names = names_of(four)
    for label, seen in views.items():
        at = [i for i, q in enumerate(four.queries) if SLICES[q] == label]
        assert seen["queries"] == at
        assert seen["n"] == len(at)
        means = {x: four.values[four.systems.index(x)][at].mean() for x in order}
        assert [x["mean"] for x in seen["rungs"]] == [f"{means[x]:.4f}".replace("1.0000", "1") for x in order]
        assert places("orderOf", seen) == sorted(range(4), key=lambda i: -means[order[i]])
        rows = {frozenset((r["a"], r["b"])): r for r in table[table["slice"] == label].to_dict("records")}
        for pair, told in zip(data["pairs"], seen["pairs"]):
            a, b = (order[i] for i in pair)
            row = rows[frozenset((a, b))]
            by = four.differences(a, b)[at]
            assert told["mean"] == pytest.approx(by.mean(), abs=1e-12)
            assert {*told["decided"]} <= {*at}
            assert ("ends" in seen["rungs"][0]) == (len(at) >= 5)
            counts = {"wins": int((by > 0).sum()), "ties": int((by == 0).sum()), "losses": int((by < 0).sum())}
            if row["a"] == b:
                counts |= {"wins": counts["losses"], "losses": counts["wins"]}
            check_pair(told, row | counts, means, row["a"] == b, names)
            assert f"in {label}?" in told["asks"]
            assert "adjusted for all slices" in told["told"]


@pytest.mark.usefixtures("no_figures")
def test_slices_beside_a_baseline_and_too_many() -> None:
    c = compare(*kitchens(), "ndcg@4", baseline="weak.run")
    views = data_of(c.to_html(slices={q: q for q in c.queries}))["views"]
    slices = [x for x in views if x["label"] in c.queries]
    assert len(slices) == 8
    assert all(x["n"] == 1 and {*x["groups"]} == {""} for x in slices)
    assert views[0]["told"].endswith(f". Of {len(c.queries)} slices, the 8 with the most queries are shown.")
    with pytest.raises(ValueError, match="1 query has no slice"):
        c.to_html(slices={q: "x" for q in c.queries[1:]})
    with pytest.raises(TypeError, match="slices go with the report of a comparison"):
        evaluate({"q": {"d": 1}}, {"q": {"d": 1}}).to_html(slices={"q": "x"})


def test_tables_of_documents_and_lists_are_those_of_explain(four: Any, page_of: str) -> None:
    data = data_of(page_of)
    order = order_of(four)
    assert {*data["lists"]} == {str(i) for i in range(12)}
    for i, found in data["lists"].items():
        query = four.queries[int(i)]
        for n, run in enumerate(order):
            column = [x for x in four.evaluation.explain(query, run=run)["document"] if isinstance(x, str)]
            assert [found["documents"][d][0] for d in found["shown"][n]] == column[: found["k"]]
        assert all(title == ("Harissa" if name == "h" else "") for name, title, _ in found["documents"])
    for key, (table, *_) in data["documents"].items():
        pair, query = map(int, key.split())
        a, b = (order[i] for i in data["pairs"][pair])
        rows = four.explain(four.queries[query], a, b)
        shares = [row[-1] for row in table[1]["rows"]]
        assert shares == [signed(x, 3) for x in rows.iloc[:8, -1]]
    for i, told in enumerate(data["views"][0]["pairs"]):
        assert all(f"{i} {q}" in data["documents"] for q in told["decided"])
        assert len(told["decided"]) == 3


# -------------------------------------------------------------------------------------------------------------- words
def test_names_and_order() -> None:
    both = compare({"a": [1, 2, 3], "a.run": [1, 2, 4], "b.run": [0, 1, 0]})
    assert data_of(both.to_html())["systems"] == ["a.run", "a", "b"]


def test_beside_a_baseline_the_answer_is_about_it() -> None:
    values = {"base": [0.1, 0.2, 0.3, 0.1, 0.2], "up": [0.5, 0.7, 0.7, 0.6, 0.5], "near": [0.1, 0.3, 0.2, 0.15, 0.2]}
    sure = compare(values, baseline="base").to_html()
    assert " up leads, and beats the baseline base. " in words(sure)
    best = compare(values, baseline="up").to_html()
    assert " up leads. It beats all 2 others. " in words(best)
    unsure = compare(values | {"up": [0.1, 0.9, 0.3, 0.1, 0.2]}, baseline="base").to_html()
    assert " up leads, and it is undecided whether it beats the baseline base. " in words(unsure)
    data = data_of(unsure)
    assert {data["systems"][i] for i in data["pairs"][0]} == {"base", "up"}


@pytest.mark.usefixtures("no_figures")
def test_a_ladder_where_all_are_told_apart_and_one_of_two() -> None:
    rng = np.random.default_rng(1)
    c = compare({x: rng.random(40) / 50 + i for i, x in enumerate("abc")})
    page = c.to_html()
    assert "No bracket: every pair is decided." in page
    data = data_of(page)
    assert data["systems"] == ["c", "b", "a"]
    assert data["pairs"] == [[1, 0], [2, 0], [2, 1]]
    two = compare({"a": [1, 2, 3.5], "b": [1, 2.5, 3]}).to_html()
    assert "No bracket" not in words(two)
    same = data_of(compare({"a": [0.5, 0.5], "b": [0.5, 0.5]}).to_html())["views"][0]["rungs"]
    assert [x["at"] for x in same] == [[0.5], [0.5]]
    assert "ends" not in same[0]


@pytest.mark.usefixtures("no_figures")
def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, runs = made_runs(30, 5)
    monkeypatch.setattr("ndcg_nb.hood.reports.ladder.RUNGS", 3)
    monkeypatch.setattr("ndcg_nb.hood.reports.document.MOST", 20)
    monkeypatch.setattr("ndcg_nb.hood.reports.document.OPENED", 40)
    c = compare(qrels, runs, "ndcg@10", baseline="s0")
    page = c.to_html(queries=2)
    data = data_of(page)
    text = words(page)
    assert "The 4 of 5 systems with the highest means." in text
    assert data["systems"][-1] == "s0"
    names = [name for name, _ in data["queries"]]
    decided = {names[q] for x in data["views"][0]["pairs"] for q in x["decided"]}
    spread = dict(zip(c.queries, np.ptp(c.values, axis=0)))
    assert {*names} == {*sorted(spread, key=lambda q: -spread[q])[:20], *decided}
    assert f"The table has the {len(data['queries'])} of 30 queries on which systems differ most." in text
    assert {names[int(i)] for i in data["lists"]} == decided
    assert f"The lists of {len(decided)} of 30 queries are in this file." in text


# ------------------------------------------------------------------------------------------------------- in a browser
def alive(page: Any) -> None:
    page.locator(".nx").first.wait_for()
    page.wait_for_function("document.querySelectorAll('.nx-static:not(:has(.nx))').length === 0")


def rung(page: Any, name: str) -> Any:
    return page.locator(".nr-ladder button", has=page.get_by_text(name, exact=True))


def numbers(page: Any, column: int) -> list[float]:
    texts = page.locator(f".nr-queries tbody tr > :nth-child({column})").all_inner_texts()
    return [float(x.replace("−", "-")) for x in texts]


def told_of(page: Any) -> str:
    return re.sub(r"\s+", " ", page.locator(".nr-pair").inner_text())


@needs_browser
def test_two_rungs_are_a_pair(open_report: Callable[..., Any], page_of: str, four: Any) -> None:
    page = open_report(page_of)
    data = data_of(page_of)
    assert page.locator(".nr-name").all_inner_texts() == data["systems"]
    before = page.locator(".nr-stories").inner_html()
    titles = [": ".join(filter(None, query)) for query in data["queries"]]
    pressed = page.locator(".nr-ladder [aria-pressed=true] .nr-name")
    assert pressed.all_inner_texts() == data["systems"][:2]
    rung(page, "none").click()
    rung(page, "weak").click()
    assert {*pressed.all_inner_texts()} == {"none", "weak"}
    at = next(i for i, x in enumerate(data["pairs"]) if {*x} == {*map(data["systems"].index, ("none", "weak"))})
    seen = data["views"][0]["pairs"][at]
    for sentence in (seen["answer"], seen["told"], seen["head"]):
        assert sentence in re.sub(r"\s+", " ", page.inner_text("main"))
    queries = [titles[q] for q in seen["decided"]]
    assert page.locator(".nr-stories h3").all_inner_texts() == queries
    a, b = (data["systems"][i] for i in data["pairs"][at])
    page.locator(".nr-stories summary").first.click()
    alive(page)
    assert page.locator(".nr-stories details").first.locator("h4").all_inner_texts() == [a, b]
    assert page.locator(".nr-bars svg").get_attribute("aria-label") == f"{b} − {a}, one bar for each query"
    [of_a] = [values for x, values in zip(four.systems, four.values) if x.removesuffix(".run") == a]
    own = page.locator(".nr-twins").first.locator("[data-is=a]").inner_text()
    assert float(own) == pytest.approx(of_a[seen["decided"][0]], abs=5e-4)
    # back again: it is drawn as it was
    rung(page, data["systems"][0]).click()
    rung(page, data["systems"][1]).click()
    assert page.locator(".nr-stories").inner_html() == before


@needs_browser
def test_by_keyboard(open_report: Callable[..., Any], page_of: str) -> None:
    page = open_report(page_of)
    rung(page, data_of(page_of)["systems"][1]).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.innerText").startswith("none")
    assert "none" in page.locator(".nr-pair h2").inner_text()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    assert {*page.locator("[aria-pressed=true] .nr-name").all_inner_texts()} == {"none", "weak"}


@needs_browser
def test_the_table_sorts_filters_and_opens(open_report: Callable[..., Any], page_of: str) -> None:
    page = open_report(page_of)
    data = data_of(page_of)
    page.locator(".nr-queries > summary").click()
    page.locator(".nr-queries tbody tr").first.wait_for()
    a, b = (data["values"][i] for i in data["pairs"][0])
    by = sorted(y - x for x, y in zip(a, b))
    assert numbers(page, 4) == pytest.approx(by, abs=5.1e-5)
    assert len(by) == 12
    page.locator(".nr-queries thead button").nth(3).click()
    assert numbers(page, 4) == pytest.approx(by[::-1], abs=5.1e-5)
    assert page.locator(".nr-queries thead th").nth(3).get_attribute("aria-sort") == "descending"
    page.locator(".nr-queries thead button").nth(1).click()
    assert numbers(page, 2) == pytest.approx(sorted(a, reverse=True), abs=5.1e-5)
    page.locator(".nr-queries thead button").nth(0).click()
    titles = [": ".join(filter(None, query)) for query in data["queries"]]
    assert page.locator(".nr-queries tbody th").all_inner_texts() == titles  # q2 before q10
    assert numbers(page, 3) == pytest.approx(b, abs=5.1e-5)
    page.get_by_label("Filter queries").fill("EGG")
    assert page.locator(".nr-queries tbody th").all_inner_texts() == ["q3: how long to boil an egg"]
    assert "1 of 12 queries" in page.locator(".nr-filter").inner_text()
    button = page.locator(".nr-queries tbody button").first
    button.focus()
    page.keyboard.press("Enter")
    alive(page)
    opened_lists = page.locator(".nr-opened .nx")
    assert opened_lists.count() == 2
    assert button.get_attribute("aria-expanded") == "true"
    assert float(page.locator(".nr-opened [data-is=a]").inner_text()) == pytest.approx(a[3], abs=5e-4)
    opened_lists.last.get_by_role("button", name="shuffle").click()
    button.click()
    assert page.locator(".nr-opened").count() == 0


@needs_browser
def test_slices_are_a_switch(open_report: Callable[..., Any], page_of: str) -> None:
    page = open_report(page_of)
    data = data_of(page_of)
    select = page.get_by_label("Means over")
    moves = "document.getAnimations().length"
    select.select_option(label="head")
    assert "in head?" in told_of(page)
    assert "Over 7 queries" in told_of(page)
    page.locator(".nr-queries > summary").click()
    assert len(numbers(page, 4)) == 7
    orders = [sorted(range(4), key=lambda i: -x["rungs"][i]["at"][0]) for x in data["views"]]
    at, order = next((i, x) for i, x in enumerate(orders) if x != [0, 1, 2, 3])
    seen = data["views"][at]
    select.select_option(value=str(at))
    assert page.locator(".nr-name").all_inner_texts() == [data["systems"][i] for i in order]
    assert page.locator(".nr-mean").all_inner_texts() == [seen["rungs"][i]["mean"] for i in order]
    assert seen["told"] in page.locator(".nr-ladder").inner_text()
    assert page.evaluate(moves) == 0
    moving = open_report(page_of, motion="no-preference")
    moving.get_by_label("Means over").select_option(value=str(at))
    assert moving.evaluate(moves) >= 2


@pytest.mark.usefixtures("no_figures")
@needs_browser
def test_a_baseline_is_one_of_each_pair(open_report: Callable[..., Any]) -> None:
    c = compare(*kitchens(), "ndcg@4", baseline="none", weights={f"q{i}": i + 1 for i in range(12)})
    page = open_report(c.to_html())
    before = told_of(page)
    rung(page, "none").click()
    assert told_of(page) == before
    rung(page, "weak").click()
    assert "Is weak better than none?" in told_of(page)
    page.locator(".nr-stories summary").first.click()
    alive(page)
    box = page.locator(".nr-twins").first
    query = page.locator(".nr-stories h3").first.inner_text()
    share = c.weights[c.queries.index(query)] / c.weights.sum()  # type: ignore[index]
    assert float(box.get_attribute("data-queries")) == pytest.approx(1 / share)


@needs_browser
def test_bars_have_the_mean_and_interval_of_any_pair(open_report: Callable[..., Any], page_of: str) -> None:
    page = open_report(page_of)
    data = data_of(page_of)
    rung(page, "none").click()
    rung(page, "sharp").click()
    at = next(i for i, x in enumerate(data["pairs"]) if {*x} == {*map(data["systems"].index, ("none", "sharp"))})
    facts = data["views"][0]["pairs"][at]
    drawn = page.locator(".nr-bars svg text").all_text_contents()
    assert f"mean {signed(facts['mean'], 3)}" in drawn
    assert "95% interval" in drawn
    assert ", ".join(signed(x, 3) for x in facts["ends"]) in drawn
    assert facts["wins"] in page.locator(".nr-bars figcaption").inner_text()
    blue = page.locator(".nr-figures text.nr-1").all_text_contents()
    assert [name.split()[0] for name in blue] == [data["systems"][data["pairs"][at][1]]] * 2, (
        "the pair is seen in figures"
    )


@needs_browser
def test_names_that_are_long_are_read_once(open_report: Callable[..., Any]) -> None:
    qrels, runs = kitchens()
    names = [f"a-name-that-is-long-{name}" for name in runs]
    page = open_report(compare(qrels, dict(zip(names, runs.values())), "ndcg@4").to_html())
    assert page.locator(".nr-place").all_inner_texts() == ["1", "2", "3", "4"]
    page.locator(".nr-queries > summary").click()
    page.locator(".nr-queries tbody tr").first.wait_for()
    heads = page.locator(".nr-queries thead th").all_inner_texts()
    assert [head.split()[0] for head in heads] == ["query", "A", "B", "difference"]
    table = page.locator("details", has_text="The means by each tool").locator("thead")
    assert table.text_content() == "tool1234changes"


@needs_browser
def test_names_are_texts_and_can_be_seen(open_report: Callable[..., Any]) -> None:
    "Tags, quotes, control characters, what turns the direction of writing, and half of a surrogate pair"
    bad = "<b>x</b></script>\"'&\u202e\x07\ud800__proto__"
    seen = bad.replace("\u202e", "\\u202e").replace("\x07", "\\x07").replace("\ud800", "\\ud800")
    qrels = {f"{bad}{q}": {f"{bad}{d}": d for d in range(4)} for q in range(6)}
    runs: dict[str, dict[str, list[str]]] = {f"{bad}1": {}, f"{bad}3": {}}
    for step, run in zip((1, 3), runs.values()):
        run |= {q: [f"{bad}{(d * step + n) % 4}" for d in range(4)] for n, q in enumerate(qrels)}
    slices = {q: bad for q in qrels}
    text = compare(qrels, runs, "ndcg@3").to_html(slices=slices, title=bad, titles={f"{bad}1": bad})
    page = open_report(text.encode("utf-8", "backslashreplace").decode())
    assert {*page.locator(".nr-name").all_text_contents()} == {f"{seen}1", f"{seen}3"}
    assert page.locator(".nr-title").text_content() == seen
    assert page.locator("option").last.text_content() == seen
    assert page.locator(".nr-stories h3").first.text_content().startswith(seen)
    page.locator(".nr-stories summary").first.click()
    alive(page)
    assert page.locator(".nr-stories tbody th").first.text_content().startswith(seen)


@needs_browser
def test_values_of_runs_sort_and_filter(open_report: Callable[..., Any]) -> None:
    qrels, runs = made_runs(12, 2)
    qrels["q0000"] = {"d1": 0}  # has no value
    page = open_report(evaluate(qrels, runs, "ndcg@5").to_html())
    page.locator(".nr-queries > summary").click()
    rows = page.locator(".nr-queries tbody tr")
    rows.first.wait_for()
    assert rows.last.all_inner_texts() == ["q0000\t–\t–"]
    assert rows.count() == 12
    page.locator(".nr-queries thead button").nth(1).click()
    values = [float(x) for x in page.locator(".nr-queries tbody td:nth-child(2)").all_inner_texts()[:-1]]
    assert values == sorted(values, reverse=True)
    assert "q0000" in rows.last.inner_text()
    page.get_by_label("Filter queries").fill("q0003")
    assert "1 of 12 queries" in page.locator(".nr-filter").inner_text()


@needs_browser
def test_on_a_phone_nothing_scrolls_sideways(open_report: Callable[..., Any], page_of: str) -> None:
    page = open_report(page_of, width=390)
    page.locator(".nr-queries > summary").click()
    page.locator(".nr-queries tbody button").first.click()
    alive(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator(".nr-queries .nr-scroll")
    assert box.evaluate("(x) => x.scrollWidth <= x.clientWidth")
    heights = page.locator(".nr-ladder button").evaluate_all(
        "(all) => all.map((x) => x.getBoundingClientRect().height)"
    )
    assert min(heights) >= 24  # a finger


@pytest.fixture(scope="module")
def large() -> str:
    return compare(*made_runs(1000, 10), "ndcg@10").to_html()


@pytest.mark.slow
def test_ten_systems_and_a_thousand_queries_fit(large: str) -> None:
    data = data_of(large)
    assert len(large) < 1_800_000
    assert len(data["pairs"]) == 45
    assert len(data["values"][0]) == 1000
    assert re.search(r"The lists of \d+ of 1,000 queries are in this file.", words(large))
    for told in data["views"][0]["pairs"]:  # whichever two rungs are chosen, the queries that decide can be opened
        assert {*map(str, told["decided"])} <= {*data["lists"]}


@needs_browser
def test_ten_systems_and_a_thousand_queries_open_in_two_seconds(open_report: Callable[..., Any], large: str) -> None:
    page = open_report(large)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd") < 2000
    start = page.evaluate("performance.now()")
    rung(page, "s0").click()
    page.locator(".nr-queries > summary").click()
    page.locator(".nr-queries tbody tr").nth(999).wait_for(state="attached")
    assert page.evaluate("performance.now()") - start < 4000
