"""What compare hands back: tables that agree with each other, rules for margins, bad input by its message, files."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from shared.references import close, holm_by_hand

from ndcg_nb import evaluate, ndcg
from ndcg_nb.comparisons import compare
from ndcg_nb.hood.comparisons.comparison import INSIDE, Comparison
from ndcg_nb.hood.core.wording import Refused
from ndcg_nb.hood.display.sheets import decimals, shorten_name
from ndcg_nb.power import detectable, queries_needed

pytest.importorskip("scipy")
nan = math.nan
inf = math.inf

A = [0.1, 0.2, 0.3, 0.4, 0.5]
B = [0.3, 0.2, 0.6, 0.5, 0.9]
TWO = {"A": A, "B": B}
THREE = TWO | {"C": [0.5, 0.6, 0.8, 0.9, 0.95]}
QRELS = {"q1": {"d1": 3, "d2": 2}, "q2": {"d1": 1, "d3": 2}, "q3": {"d4": 1}, "q4": {"d5": 2, "d6": 1}}
GOOD = {q: {d: float(g) for d, g in grades.items()} for q, grades in QRELS.items()}
BAD = {q: {d: -float(g) for d, g in grades.items()} | {"x": 9.0} for q, grades in QRELS.items()}
RUNS = {"bad": BAD, "good": GOOD}


def skip(run: Any, *queries: str) -> Any:
    return {q: x for q, x in run.items() if q not in queries}


def one(run: Any, measure: str = "ndcg@10", **how: Any) -> Any:
    return evaluate(QRELS, run, measure, **how)


# ------------------------------------------------------------------------------------------------ what can be given
def test_runs_and_judgements() -> None:
    c = compare(QRELS, RUNS)
    assert (c.measure, c.systems, c.queries, c.left_out) == ("ndcg@10", ("bad", "good"), ("q1", "q2", "q3", "q4"), ())
    by_hand = [ndcg([0, 2, 3]), ndcg([0, 1, 2]), ndcg([0, 1]), ndcg([0, 1, 2])]
    close(c.values, [by_hand, [1] * 4])
    close(c.difference, np.mean(1 - np.array(by_hand)))
    assert not c.values.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        c.values[0, 0] = 1
    close(c.means["ndcg@10"], c.table["mean"])
    assert c.means.index.tolist() == ["bad", "good"]
    assert c.means.index.name == "system"
    close(c.per_query["difference"], c.differences())
    assert c.evaluation is not None
    for query, difference in zip(c.queries, c.differences()):
        close(c.explain(query)["share"].sum(), difference)
        close(c.explain(query, "good", "bad")["share"].sum(), -difference)


def test_however_given() -> None:
    evaluation = evaluate(QRELS, RUNS, ["ndcg@5", "ndcg@10"])
    cs = [
        compare(QRELS, RUNS, "ndcg@10"),
        compare(evaluation, measure="ndcg@10"),
        compare(evaluation, "ndcg@10"),
        compare(one({"bad": BAD}), one({"good": GOOD})),
    ]
    for c in cs:
        close(c.pairs.select_dtypes("number"), cs[0].pairs.select_dtypes("number"))
        assert (c.measure, c.systems, c.queries) == (cs[0].measure, cs[0].systems, cs[0].queries)
    assert compare(one(BAD), one(GOOD)).systems == ("before", "after")


def test_values_however_given() -> None:
    queries = [*"qrstu"]
    named = {s: dict(zip(queries, v)) for s, v in TWO.items()}
    frame = pd.DataFrame(TWO, index=queries)
    columns = {"query": queries, **TWO}
    given: dict[str, Any] = {
        "lists": TWO,
        "arrays": {s: np.array(v) for s, v in TWO.items()},
        "by query": named,
        "in another order": {"A": named["A"], "B": dict(reversed(named["B"].items()))},
        "series": dict(frame.items()),
        "values of dictionaries": {s: v.values() for s, v in named.items()},
    }
    given |= {"a frame": frame, "with a column": pd.DataFrame(columns)}
    given |= {"polars": pl.DataFrame(columns), "arrow": pl.DataFrame(columns).to_arrow()}
    for what, x in given.items():
        c = compare(x)
        np.testing.assert_array_equal(c.values, [A, B], err_msg=what)
        assert c.queries in (tuple(queries), tuple("12345"), tuple("01234")), what
        assert c.measure == "value"
        assert c.evaluation is None
    assert compare(TWO, measure="dcg").measure == compare(TWO, "dcg@3").measure[:3] == "dcg"


def test_keywords_of_evaluate() -> None:
    runs = {"bad": skip(BAD, "q2"), "good": GOOD}
    assert compare(QRELS, runs).queries == ("q1", "q2", "q3", "q4")  # counted as 0
    assert compare(QRELS, runs).values[0, 1] == 0
    c = compare(QRELS, runs, missing="skip")
    assert (c.queries, c.left_out) == (("q1", "q3", "q4"), ("q2",))
    assert any("1 query without a value for some system, excluded for all: 'q2'" in note for note in c.notes)
    exp = compare(QRELS, RUNS, like="ranx", measure="ndcg(gain=exp)@10")
    assert exp.measure == "ndcg(gain=exp)@10"


def test_a_query_with_nothing_to_find() -> None:
    empty = QRELS | {"q5": {"d1": 0, "d9": 0}}
    runs = {n: r | {"q5": {"d1": 1.0}} for n, r in RUNS.items()}
    c = compare(empty, runs)
    whole = evaluate(empty, runs)
    assert (c.left_out == ("q5",)) == bool(np.isnan(whole.values).any())
    assert any("no relevant document" in note and "q5" in note for note in c.notes)
    close(compare(empty, runs, "ndcg(empty=1)@10").values[:, -1], [1, 1])


def test_a_query_is_not_left_out_twice() -> None:
    "What the evaluation says of a query with nothing to find is not said again, however many there are"
    barren = QRELS | {f"x{i}": {"d1": 0} for i in range(30)}
    runs = {n: r | {f"x{i}": {"d1": 1.0} for i in range(30)} for n, r in RUNS.items()}
    said = "without a value for some system"
    assert not any(said in note for note in compare(barren, runs).notes)
    sides = [evaluate(barren, run) for run in runs.values()]
    assert not any(said in note for note in compare(*sides).notes)
    runs["bad"] = skip(runs["bad"], "q2")
    skipped = compare(barren, runs, missing="skip")
    assert len(skipped.left_out) == 31
    assert any(said in note for note in skipped.notes)
    several = evaluate(barren, runs, "ndcg(empty=0)@5 ndcg@10")
    assert compare(several, measure="ndcg(empty=0)@5").left_out == ()


def test_one_missing_name_is_the_baseline() -> None:
    c = compare(THREE, baseline="B")
    for one_name in ({"a": "C"}, {"b": "C"}):
        np.testing.assert_array_equal(c.differences(**one_name), c.differences("B", "C"))
    runs = RUNS | {"same": GOOD}
    told = compare(QRELS, runs, baseline="bad")
    assert str(told.explain("q1", "good")) == str(told.explain("q1", "bad", "good"))
    assert told.bounds("good")[["a", "b"]].iloc[0].tolist() == ["bad", "good"]


def test_systems_may_be_named_by_numbers() -> None:
    c = compare({1: [0.1, 0.2, 0.3], 2: [0.2, 0.4, 0.3]}, baseline=2)
    assert c.rules.baseline == "2"
    assert c.pairs[["a", "b"]].to_numpy().tolist() == [["2", "1"]]
    np.testing.assert_array_equal(c.differences(1, 2), -c.differences())  # type: ignore[arg-type]


def test_two_evaluations_are_made_alike() -> None:
    one, other = (evaluate(QRELS, RUNS[name]) for name in ("bad", "good"))
    with pytest.raises(ValueError, match="the two evaluations have different weights, settings"):
        compare(one, evaluate(QRELS, RUNS["good"], like="gdeval"))
    lacking = evaluate(QRELS, skip(BAD, "q2"))
    assert any("missing" in note and "'q2'" in note for note in compare(lacking, other).notes)
    close(compare(one, other).p, compare(QRELS, RUNS).p)


def test_what_no_p_can_be_below() -> None:
    five = {"A": np.zeros(5), "B": np.arange(1, 6) / 10}
    for test, least in {"t": [], "randomization": ["0.062"], "sign": ["0.062"], "wilcoxon": ["0.062"]}.items():
        assert least_p(compare(five, test=test)) == least
    same = compare({"A": [0.1, 0.2], "B": [0.1, 0.2]}, test="randomization")
    assert least_p(same) == [], "more queries would not help"
    many = {f"s{i}": np.arange(40) % 7 / 10 + i for i in range(33)}
    assert least_p(compare(many, test="randomization")) == ["0.053"]
    enough = compare(many, test="randomization", draws=20_000)
    assert least_p(enough) == []
    assert enough.pairs["adjusted"].min() < 0.05


def least_p(c: Comparison) -> list[str]:
    "The p in notes of what no test can show"
    return re.findall(r"No p can be below ([\d.]+) here", "\n".join(c.notes))


def test_nan_is_left_out_for_all() -> None:
    c = compare({"A": [0.1, nan, 0.3, 0.5], "B": [0.2, 0.4, 0.5, None], "C": [0.1, 0.2, 0.3, 0.4]})
    assert (c.queries, c.left_out) == (("1", "3"), ("2", "4"))
    assert any("2 queries without a value" in note for note in c.notes)


# ------------------------------------------------------------------------------------------------ it agrees with itself
VALUE = st.integers(0, 20).map(lambda i: i / 20)
TABLES = st.integers(2, 12).flatmap(lambda n: st.lists(st.lists(VALUE, min_size=n, max_size=n), min_size=2, max_size=5))


@given(
    TABLES,
    st.sampled_from(["t", "randomization", "sign", "wilcoxon"]),
    st.sampled_from(["holm", None]),
    st.sampled_from([0.05, 0.4]),
    st.sampled_from([None, 0.02, 0.3]),
)
def test_tables_agree(rows: Any, test: str, adjust: Any, alpha: float, margin: float | None) -> None:
    c = compare({f"s{i}": x for i, x in enumerate(rows)}, test=test, adjust=adjust, alpha=alpha, margin=margin)
    pairs = c.pairs
    table = c.table
    n = len(rows[0])
    label = dict(zip(c.systems, table["label"]))
    assert len(pairs) == len(rows) * (len(rows) - 1) // 2
    assert (pairs[["wins", "ties", "losses"]].sum(axis=1) == n).all()
    for r in pairs.to_dict("records"):
        assert r["wins"] == (c.differences(r["a"], r["b"]) > 0).sum()
        means = table.loc[r["b"], "mean"] - table.loc[r["a"], "mean"]
        close(r["difference"], means)
        close(c.differences(r["a"], r["b"]), -c.differences(r["b"], r["a"]))
        level = alpha if n >= 5 else -1  # fewer queries decide nothing
        equivalent = r.get("p equivalent", 1) <= level
        not_worse = r.get("p not worse", 1) <= level
        told = r.get("adjusted", r["p"]) <= level and not equivalent
        word = r["verdict"]
        assert (word in ("better", "worse")) == told
        assert (label[r["a"]] in table.loc[r["b"], "beats"]) == (word == "better")
        assert (label[r["b"]] in table.loc[r["a"], "beats"]) == (word == "worse")
        assert bool({*table.loc[r["a"], "group"]} & {*table.loc[r["b"], "group"]}) != told
        if not told:
            assert word == ("equivalent" if equivalent else "not worse" if not_worse else "undecided")
        assert r.get("adjusted", 1) >= r["p"] or math.isnan(r["p"])
    assert ("adjusted" in pairs) == (len(rows) > 2 and adjust is not None)
    assert c.notes
    assert repr(c)
    assert c.to_markdown()
    assert c._repr_html_()


def test_the_verdict_is_that_of_the_test() -> None:
    # nine small wins and one great loss
    values = {"A": [0.0] * 10, "B": [0.01 * i for i in range(1, 10)] + [-0.9]}
    by = {test: compare(values, test=test, alpha=0.1) for test in ("t", "randomization", "sign", "wilcoxon")}
    assert by["t"].difference < 0
    assert [c.verdict for c in by.values()] == ["undecided", "undecided", "better", "better"]
    assert by["sign"].table["beats"].tolist() == ["", "a"]
    noted = {test for test, c in by.items() if "Mean and test disagree in sign" in "\n".join(c.notes)}
    assert noted == {"sign", "wilcoxon"}


def test_a_baseline() -> None:
    c = compare(THREE, baseline="B")
    assert list(zip(c.pairs["a"], c.pairs["b"])) == [("B", "A"), ("B", "C")]
    assert "group" not in c.table
    whole = compare(THREE, adjust=None).pairs.set_index(["a", "b"])
    same = whole.loc[[("A", "B"), ("B", "C")]]
    close(c.pairs["p"], same["p"])
    close(c.pairs["difference"], same["difference"] * [-1, 1])
    two = compare(TWO, baseline="B")
    apart = np.mean(A) - np.mean(B)
    for difference in (two.difference, two.differences().mean(), two.per_query["difference"].mean()):
        close(difference, apart)
    other = compare(TWO)
    close([two.low, two.high], [-other.high, -other.low])


def test_what_was_asked() -> None:
    asked = {"test": "randomization", "interval": "bca", "adjust": "tukey", "baseline": "A", "alpha": 0.1}
    asked |= {"margin": 0.2, "draws": 500, "seed": 7, "unjudged": "zero"}
    c = compare(THREE, **asked)  # type: ignore[arg-type]
    assert vars(c.rules) == asked
    text = "\n".join(c.notes)
    for said in ("all 32 ways to swap the labels", "Tukey", "90%", "BCa", "500 draws, seed 7", "within 0.2"):
        assert said in text


def test_seeds() -> None:
    rng = np.random.default_rng(0)
    values = {s: rng.random(40) for s in "ABC"}
    by_sign: Any = {"test": "randomization"}
    hows = [by_sign, by_sign | {"adjust": "tukey"}, {"interval": "percentile"}, {"interval": "bca"}]
    for how in hows:
        first, again, other = (compare(values, draws=500, seed=seed, **how).pairs for seed in (0, 0, 1))
        assert first.equals(again), how
        changed = "adjusted" if "adjust" in how else "p" if "test" in how else "low"
        assert not first[changed].equals(other[changed]), how


def test_identical_systems() -> None:
    c = compare({"A": A, "B": A, "C": B})
    first = c.pairs.iloc[0]
    assert (first["p"], first["effect"], first["ties"], first["verdict"]) == (1, 0, 5, "undecided")
    assert any("The same on every query: 'A and B'" in note for note in c.notes)
    assert c.table["beats"]["A"] == c.table["beats"]["B"] == ""
    same = compare({"A": A, "B": A, "C": B}, margin=0.01).pairs
    assert same["verdict"][0] == "equivalent"
    assert same["verdict"][1] != "equivalent"
    assert same[["p not worse", "p equivalent"]].iloc[0].tolist() == [0, 0]
    for by, verdict, p in [(0.001, "equivalent", 1 / 2**5), (-0.001, "equivalent", 1 / 2**5), (0.1, "not worse", 1)]:
        constant = compare({"A": A, "B": [x + by for x in A]}, margin=0.01)
        assert constant.verdict == verdict, "0.0625 is too much for better"
        assert constant.pairs["p equivalent"].item() == p
    for test in ("t", "randomization", "sign", "wilcoxon"):
        assert compare({"A": A, "B": A}, test=test).p == 1


def test_polars_in_polars_out() -> None:
    "Every table of a comparison is of the library that was given"
    frame = pl.DataFrame({"A": A, "B": [x + 0.1 * i for i, x in enumerate(A)]})
    ours = compare({"A": A, "B": frame["B"].to_list()})
    for c in (compare(frame), compare({"A": frame["A"], "B": frame["B"]})):
        slices = dict.fromkeys(c.queries, "all")
        tables = [c.pairs, c.table, c.means, c.per_query, c.by(slices).table]
        assert all(isinstance(table, pl.DataFrame) for table in tables)
        assert c.pairs.to_dicts() == ours.pairs.to_dict("records")
        assert c.to_csv() == ours.to_csv()
        assert c.means.columns == ["system", "value"]
        assert str(c) == str(ours)
    rows = [(query, document, grade) for query, x in QRELS.items() for document, grade in x.items()]
    qrels = pl.DataFrame(rows, ["query", "document", "grade"], orient="row")
    c = compare(qrels, RUNS)
    assert all(isinstance(table, pl.DataFrame) for table in (c.pairs, c.bounds(), c.dialects("beir")))
    assert c.dialects("beir").columns == ["dialect", *c.systems, "changes", "refuses"]
    assert isinstance(compare(evaluate(qrels, RUNS["bad"]), evaluate(qrels, RUNS["good"])).pairs, pl.DataFrame)
    assert isinstance(compare(QRELS, RUNS).pairs, pd.DataFrame)


def test_completion_shows_what_people_use() -> None:
    "TAB offers neither private names nor what the package keeps for itself; both lists name what exists"
    c = compare(QRELS, RUNS)
    offered = [name for name in dir(c) if not name.startswith("_")]
    wanted = {"means", "pairs", "table", "per_query", "notes", "why", "verdict", "difference", "low", "high", "p", "by"}
    assert wanted <= {*offered}
    assert all(hasattr(Comparison, name) or name in vars(c) for name in offered)
    assert not INSIDE & {*offered}
    assert all(hasattr(c, name) for name in INSIDE - {"tukey"})
    assert not {"said", "noted", "facts", "pair_roundings", "asked", "kind"} & {*offered}


@pytest.mark.slow
def test_a_misspelt_attribute_is_found_by_mypy(tmp_path: Path) -> None:
    page = tmp_path / "page.py"
    page.write_text("from ndcg_nb import compare\nc = compare({})\nc.menas\nc.verdcit\nc.means\nc.verdict\n")
    command = [sys.executable, "-m", "mypy", "--no-incremental", "--follow-imports=silent", str(page)]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    assert re.findall(r'page.py:(\d+): error: "Comparison" has no attribute', said) == ["3", "4"], said


def test_a_run_named_like_a_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "With measure= given, a second text is a run, and no measure is dropped"
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="there are measures twice, 'recall' and measures='ndcg@3', and no run"):
        compare(QRELS, "recall", measure="ndcg@3")
    with pytest.raises(TypeError, match="the second argument is 'ndcg@3'"):
        compare(evaluate(QRELS, RUNS, "ndcg@3,10"), "ndcg@3", measure="ndcg@10")
    assert compare(evaluate(QRELS, RUNS, "ndcg@3,10"), "ndcg@3").measure == "ndcg@3"


def test_the_same_amount_everywhere() -> None:
    c = compare({"A": A, "B": [x + 0.1 for x in A]})
    assert (c.p, c.verdict) == (2 / 2**5, "undecided")
    close([c.low, c.high], [0.1, 0.1])
    for test in ("t", "randomization", "sign", "wilcoxon"):
        sure = compare({"A": A * 2, "B": [x + 0.1 for x in A * 2]}, test=test)
        close(sure.p, 2 / 2**10)
        assert sure.verdict == "better"
        assert any("differ by the same amount on every query" in note for note in sure.notes) == (test == "t")
    apart = {name: [x + 0.1 * i for x in A * 2] for i, name in enumerate("ABC")}  # of all three
    assert compare(apart, adjust="tukey").pairs["verdict"].tolist() == ["better"] * 3


def test_dialects() -> None:
    c = compare(QRELS, RUNS)
    table = c.dialects()
    assert {"bad", "good", "changes", "refuses"} <= {*table.columns}
    assert list(c.dialects("trec_eval").index) == ["trec_eval"]
    assert (table["changes"] == "").all()  # good is better, whoever asks
    two = c.dialects(list(table.index[:2]))
    assert list(two.index) == list(table.index[:2])
    close(table.loc[two.index, ["bad", "good"]], two[["bad", "good"]])


def test_who_changes_places() -> None:
    # one document of grade 3, or two of grade 2: linear gains prefer the two, exponential gains the one
    judged = {q: {"d1": 3, "d2": 2, "d3": 2} for q in "qr"}
    found = {"one": {"d1": 3.0, "x": 1.0}, "two": {"d2": 3.0, "d3": 1.0}}
    runs = {name: {"q": results, "r": results} for name, results in found.items()}
    c = compare(judged, runs)
    assert c.difference > 0
    table = c.dialects(["trec_eval", "gdeval"])
    assert table["changes"].tolist() == ["", "one > two"]
    turned = compare(judged, dict(reversed(runs.items()))).dialects(["trec_eval", "gdeval"])
    assert turned["changes"].tolist() == ["", "one > two"]


def test_a_copy_keeps_everything() -> None:
    for c in (compare(THREE, margin=0.1), compare(QRELS, RUNS)):
        copy = pickle.loads(pickle.dumps(c))
        assert copy.pairs.equals(c.pairs)
        assert copy.notes == c.notes
        assert isinstance(copy, Comparison)


def test_nothing_is_imported_before_it_is_needed() -> None:
    code = "import sys, ndcg_nb.comparisons; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = {*subprocess.check_output([sys.executable, "-c", code], text=True).split()}
    assert "ndcg_nb" in loaded
    assert not loaded & {"scipy", "pandas", "tqdm", "matplotlib", "statsmodels"}


# ------------------------------------------------------------------------------------------------ what is refused
# Beside the calls of the golden record (tests/golden/record/messages.txt, compare.txt), which has whole messages
@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: compare(one(BAD), evaluate(QRELS | {"q5": {"d1": 1}}, GOOD)), "others have: 'q5'"),
        (lambda: compare(one(RUNS).per_query), "several values"),
        (lambda: compare(one(RUNS), one(RUNS)), "one has 'bad', 'good': compare it by itself"),
        (lambda: compare(QRELS, RUNS, baseline="goood"), "did you mean 'good'"),
        (lambda: compare(THREE, baseline="B").differences("B"), "say which two"),
        (lambda: compare(THREE, baseline="B").differences(b="B"), "say which two"),
        (lambda: compare(THREE).differences(b="A"), "say which two"),
        (lambda: compare(BAD, GOOD), "give judgements and two runs"),
        (lambda: compare({"A": [1, inf], "B": [1, 2]}), "value 1 of A is inf"),
        (lambda: compare(one(RUNS, "ndcg@5,10"), adjust="tukey"), "is for one measure"),
        (lambda: compare(one(RUNS, "ndcg@5,10"))["rr"], "there is no measure 'rr'"),
        (lambda: compare(one(BAD, "ndcg@5"), one(GOOD)), "different weights, settings or measures"),
        (lambda: compare(QRELS, RUNS).explain("q9"), "no judged query 'q9'"),
        (lambda: compare(QRELS, RUNS, "dcg@10").explain("q1"), "dcg@10 cannot be explained"),
        (lambda: compare(QRELS, RUNS).dialects(["nobody"]), "nobody"),
        (lambda: compare(one(BAD), one(GOOD)).explain("q1"), "explain needs judgements and runs"),
        (lambda: compare(TWO).save("x.xlsx"), "'x.xlsx' cannot be written"),
        (lambda: queries_needed(1e-200, 1), "too small for any number of queries"),
        (lambda: queries_needed(0.1, 1, 0.05), "power is 0.05"),
        (lambda: queries_needed(0.1, compare(THREE)), "say which two"),
        (lambda: detectable(10, 1, alpha=1e-10), "alpha is 1e-10"),
        *((lambda x=x: compare(TWO, draws=x), "draws is") for x in (98, 1e4)),
    ],
)
def test_a_wrong_value_is_refused(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as raised:
        call()
    assert type(raised.value) in (ValueError, Refused)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: compare(BAD, GOOD, BAD), "several runs are one argument"),
        (lambda: compare(TWO, measure={"ndcg@10"}), "several runs are one argument"),
        (lambda: compare(RUNS), "to compare runs, give judgements, too"),
        (lambda: compare({1: A, "1": B}), "each system once"),
        (lambda: compare({"A": {0.1, 0.2}, "B": {0.3, 0.4}}), "{system: values by query}"),
        (lambda: compare(A, B), "{system: values by query}"),
        (lambda: compare(pd.Series(A), pd.Series(B)), "means cannot be compared"),
        (lambda: compare({"A": [[1, 2], [3, 4]], "B": [1, 2]}), "the values of A are [[1, 2], [3, 4]]"),
        (lambda: compare(one(RUNS), missing="skip"), "'missing' goes with qrels and runs"),
        (lambda: compare(QRELS, RUNS, tset="t"), "evaluate has no parameter tset"),
        (lambda: compare(TWO).save("x.md", titles={}), "'titles' goes with a report"),
    ],
)
def test_a_wrong_kind_of_argument_is_refused(call: Any, words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)) as raised:
        call()
    assert type(raised.value) in (TypeError, Refused)
    assert len(str(raised.value)) < 400, "what was given is shown in brief"


# ------------------------------------------------------------------------------------------------ tables and files
ODD = ["a_b", "50%", "r&d", "x|y", "<b>", "{z}", "#1 $", "ü−", "c,d", 'say "x"']


def odd(count: int = len(ODD)) -> Comparison:
    rng = np.random.default_rng(0)
    names = [*ODD, *(f"s{i}" for i in range(count - len(ODD)))][:count]
    return compare({name: rng.normal(i / 30, 0.1, 20) for i, name in enumerate(names)})


def cells(line: str) -> list[str]:
    "The cells of a row of Markdown"
    written = [x.strip() for x in re.split(r"(?<!\\)\|", line)[1:-1]]
    return [html.unescape(re.sub(r"\\(\W)", r"\1", x)) for x in written]


def test_markdown() -> None:
    c = odd()
    systems, pairs = ([cells(line) for line in part.splitlines()] for part in c.to_markdown().split("\n\n"))
    for rows in (systems, pairs):
        assert len({*map(len, rows)}) == 1
    assert [row[0] for row in systems[2:]] == ODD
    assert len(pairs) == 2 + len(c.pairs)
    means = [re.sub(r"<sup>.*|\*", "", row[2]) for row in systems[2:]]
    assert means == [*map(decimals, c.table["mean"])]
    marks = [(re.findall(r"<sup>(.*)</sup>", row[2]) or [""])[0] for row in systems[2:]]
    assert marks == c.table["beats"].tolist()
    assert any(marks)
    best = [row[0] for row in systems[2:] if row[2].startswith("**")]
    assert best == [c.systems[int(c.table["mean"].argmax())]]
    first = c.table["mean"].iloc[0]
    assert decimals(first, 2) in c.to_markdown(digits=2)
    assert decimals(first) not in c.to_markdown(digits=2)


def compiles(text: str, folder: Path) -> None:
    "Whether LaTeX reads it, where it is installed"
    if shutil.which("pdflatex"):
        whole = rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{text}\end{{document}}"
        (folder / "t.tex").write_text(whole.replace("−", "-"), "utf-8")
        subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=folder, check=True, capture_output=True)


def without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("% "))


def test_latex(tmp_path: Path) -> None:
    c = odd()
    text = without_comments(c.to_latex())
    lines = text.splitlines()
    rows = [line for line in lines if line.endswith(r"\\")]
    assert len(rows) == 1 + len(ODD)
    assert len({len(re.split(r"(?<!\\)&", row)) for row in rows}) == 1
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    assert not re.search(r"(?<!\\)[%#]", text)
    assert r"95\% interval" in text
    assert r"a\_b" in text
    assert text.count(r"\textbf{") == 1
    # which the usual fonts print as other signs
    assert "<" not in text
    assert "|" not in text
    assert re.findall(r"\$\^\{(.*?)\}\$", text) == [x for x in c.table["beats"] if x]
    compiles(c.to_latex(), tmp_path)


def papers(systems: int) -> Any:
    "Systems of which the later ones are better by one measure, and another order by the other"
    draw = np.random.default_rng(3)
    qrels = {f"q{i}": {f"d{j}": int(j < 3) for j in range(8)} for i in range(40)}
    runs = {}
    for n in range(systems):
        ranked = {}
        for i, (query, judged) in enumerate(qrels.items()):
            score = {name: judged[name] * n * 0.4 + draw.random() for name in judged}
            ranked[query] = sorted(score, key=lambda name: -score[name])
            if n == systems - 1 and i % 2:
                ranked[query].insert(0, "unknown")
        runs[f"run_{n}"] = ranked
    return compare(qrels, runs, "recall@5 rr")


@pytest.mark.parametrize("systems", [2, 4])
def test_every_measure_has_its_own_marks(systems: int) -> None:
    c = papers(systems)
    assert systems == 2 or len({tuple(c[measure].table["beats"]) for measure in c.measures}) == 2
    rows = zip(*(c[measure].table["beats"] for measure in c.measures))
    by_row = [mark if systems > 2 else "†" for row in rows for mark in row if mark]
    text = c.to_latex(intervals=False)
    assert [x.replace(r"\dag{}", "†") for x in re.findall(r"\$\^\{(.*?)\}\$", text)] == by_row
    assert re.findall(r"<sup>(.*?)</sup>", c.to_markdown()) == by_row
    assert re.findall(r"<sup>(.*?)</sup>", c._repr_html_()) == by_row
    says = "A letter after a mean" if systems > 2 else "† after a mean"
    assert text.startswith(f"% {says}: significantly better than ")
    assert f"\n{says}: significantly better than " in repr(c)
    assert f"<div>{says}: " in c._repr_html_()


def test_marks_follow_the_verdicts() -> None:
    "Which are the facts', whoever decides them"
    c = papers(2)
    for fact in c.fact_rows:
        fact["verdict"] = "undecided"
    assert "†" not in repr(c)
    assert r"\dag" not in c.to_latex()
    same = compare({"a": [0.1, 0.2, 0.3, 0.4, 0.5], "b": [0.2, 0.1, 0.4, 0.3, 0.5]})
    assert "†" not in repr(same)


def test_a_float_for_a_paper(tmp_path: Path) -> None:
    c = papers(4)
    names = {"recall@5": "R@5 (100%)", "run_0": "BM25_{k}", "group": "Group"}
    text = c.to_latex(2, intervals=False, names=names, caption="Four & more, 5% of #1_x.", label="tab:four_x-1")
    assert "interval" not in text
    assert "R@5 (100\\%)" in text
    assert r"BM25\_\{k\} & a &" in text
    assert r"\caption{Four \& more, 5\% of \#1\_x. A letter after a mean: " in text
    assert r"\label{tab:four_x-1}" in text
    bare = without_comments(text)
    assert re.findall(r"\\(begin|end)\{(\w+)\}", bare) == [
        *(("begin", "table"), ("begin", "tabular")),
        *(("end", "tabular"), ("end", "table")),
    ]
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", bare):
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    assert not re.search(r"(?<!\\)[%#]", bare)
    rows = [line for line in bare.splitlines() if line.endswith(r"\\")]
    assert {len(re.split(r"(?<!\\)&", row)) for row in rows} == {5}
    compiles(text, tmp_path)
    assert r"\begin{table}" not in c.to_latex()
    assert r"\label" not in c.to_latex(caption="x")


def test_a_table_of_means_for_a_paper() -> None:
    result = evaluate({"q": {"a": 1}}, {"q": ["a"]}, "ndcg@10 rr")
    text = result.to_latex(3, names={"ndcg@10": "nDCG@10", "run": "Ours"}, caption="One.", label="t")
    assert "& nDCG@10 & rr" in text
    assert "Ours & 1.000 & 1.000" in text
    assert r"\caption{One.}\label{t}" in text
    with pytest.raises(ValueError, match=r"a key of names is 'ndgc@10', not one of .*; did you mean 'ndcg@10'"):
        result.to_latex(names={"ndgc@10": "x"})
    for label in ("a b", "a}b", "a%b", "ü"):
        with pytest.raises(ValueError, match=r"label is .*: give letters, digits and any of - _ "):
            result.to_latex(label=label)


def test_csv_and_json_read_back(tmp_path: Path) -> None:
    c = odd()
    read = pd.read_csv(io.StringIO(c.to_csv()))
    assert [*read.columns] == [*c.pairs.columns]
    assert read[["a", "b", "verdict"]].equals(c.pairs[["a", "b", "verdict"]])
    close(read.select_dtypes("number"), c.pairs.select_dtypes("number"), 1e-15)
    assert len({len(row) for row in csv.reader(io.StringIO(c.to_csv()))}) == 1
    whole = json.loads(c.to_json())
    assert [x["system"] for x in whole["systems"]] == ODD
    assert whole["rules"]["seed"] == 0
    assert whole["notes"] == c.notes
    assert whole["measure"] == "value"
    close([x["p"] for x in whole["pairs"]], c.pairs["p"], 0)
    assert whole["queries"]["3"]["50%"] == c.values[1, 2]
    for ending in ("md", "tex", "csv", "json"):
        path = c.save(tmp_path / f"x.{ending}")
        said = {"md": c.to_markdown, "tex": c.to_latex, "csv": c.to_csv, "json": c.to_json}[ending]()
        assert path.read_text("utf-8") == said + "\n"


def test_json_has_no_nan_and_no_infinity() -> None:
    c = compare({"A": [1, 2], "B": [2, 3]}, alpha=np.float32(0.05), draws=np.int64(100), seed=np.int8(3))
    refuse = lambda x: pytest.fail(f"{x} is no JSON")  # noqa: E731
    whole = json.loads(c.to_json(), parse_constant=refuse)
    assert whole["pairs"][0]["low"] is None
    assert whole["pairs"][0]["effect"] is None
    assert (whole["rules"]["draws"], whole["rules"]["seed"]) == (100, 3)


def test_names_are_shown_and_not_obeyed() -> None:
    qrels = {"q\x1b[2J": {"d": 1}, "p": {"d": 1}, "none": {"d": 0}}
    runs = {name: {q: {"d": 1.0} for q in qrels} for name in ("red\x1b[31m", "<b>")}
    found = compare(qrels, runs)
    assert "\x1b" not in repr(found)
    assert "\\x1b[31m" in repr(found)
    assert "\x1b" not in found._repr_html_()
    assert "<b></b>" not in found._repr_html_()
    assert "&lt;b&gt;" in found._repr_html_()


# ------------------------------------------------------------------------------------------------ skewed differences
RARE_WINS = [0.4, 0.45, *(-x / 100 for x in range(1, 19))]


@pytest.mark.parametrize("test, noted", [("t", True), ("randomization", True), ("sign", False), ("wilcoxon", False)])
def test_skewed_differences_are_noted(test: str, noted: bool) -> None:
    "Of tests about the mean, with the side on which false alarms fall"
    d = np.array(RARE_WINS)
    for sign, word in ((1, "worse"), (-1, "better")):
        notes = compare({"a": 0 * d, "b": sign * d}, test=test).notes
        found = [note for note in notes if note.startswith("Differences are skewed")]
        assert len(found) == noted
        assert all(f"nearly all say '{word}'" in note for note in found)
    assert not any("skewed" in note for note in compare({"a": 0 * d, "b": np.linspace(-1, 1, 20)}, test=test).notes)


def test_the_skewed_pairs_are_named() -> None:
    d = np.array(RARE_WINS)
    worse, better = [x for x in compare({"a": 0 * d, "b": d, "c": -0.001 * np.arange(20)}).notes if "skewed" in x]
    assert "(b − a): " in worse
    assert "(c − b): " in better


# ---- for a pull request


def test_a_summary_is_short_whatever_was_compared() -> None:
    rng = np.random.default_rng(5)
    for systems in (2, 3, 40):
        values = {f"system {i}": rng.random(300) for i in range(systems)}
        texts = {str(j): "a long question, " * 20 for j in range(1, 301)}
        told = compare(values).summary(texts=texts)
        assert len(told.splitlines()) < 60
        assert told.startswith("**")
        assert ("Queries that changed most:" in told) is (systems == 2)
        assert told.rstrip().endswith("```")
        assert ".summary(texts=…)" in told


def test_a_summary_of_many_measures_is_short_too() -> None:
    cutoffs = ",".join(map(str, range(1, 30)))
    told = compare(JUDGED, TWO_RUNS, f"ndcg@{cutoffs}").summary()
    assert len(told.splitlines()) < 60
    assert "… and 17 more" in told


def test_a_summary_names_five_queries_each_way() -> None:
    names = [f"q{i}" for i in range(12)]
    differences = {q: (i + 1) / 100 * (-1) ** i for i, q in enumerate(names)}
    told = compare({"old": dict.fromkeys(names, 0.0), "new": differences}).summary()
    listed = re.findall(r"^\| (q\d+) \|", told, re.M)
    assert " ".join(listed) == "q10 q8 q6 q4 q2 q11 q9 q7 q5 q3"


def test_a_summary_of_systems_that_are_the_same_lists_no_query() -> None:
    same = {f"q{i}": 0.5 for i in range(9)}
    told = compare({"a": same, "b": dict(same)}).summary()
    assert "Queries that changed most" not in told
    assert "It is undecided whether b is better or worse than a" in told


def test_a_summary_of_several_runs_has_their_means() -> None:
    told = evaluate(QRELS, RUNS, "ndcg@10 rr").summary()
    assert told.startswith(f"**{len(RUNS)} runs: ndcg@10, rr**")
    assert "Lowest" not in told


@pytest.mark.parametrize("order", ["__lt__", "__le__", "__gt__", "__ge__"])
def test_an_evaluation_is_no_number(order: str) -> None:
    result = evaluate(QRELS, RUNS, "ndcg@10")
    with pytest.raises(TypeError, match=r"compare result\.value, or as a gate, assert not"):
        getattr(result, order)(0.95)


# ---- several measures at once

JUDGED = {f"q{i}": {"a": 3, "b": 1, "c": i % 2} for i in range(12)}
RETRIEVED = {
    "one": {q: ["x", "b", "a"] for q in JUDGED},
    "two": {q: ["a", "x", "b"] if i % 4 else ["x", "y", "a"] for i, q in enumerate(JUDGED)},
    "three": {q: ["b", "a", "c"] if i % 3 else ["y", "b", "a"] for i, q in enumerate(JUDGED)},
}
TWO_RUNS = {name: RETRIEVED[name] for name in ("one", "two")}


@pytest.mark.parametrize("names", [["one", "two"], ["one", "two", "three"]])
def test_several_measures_are_one_family(names: list[str]) -> None:
    "Each p is that of its measure alone, and all are adjusted together after Holm, as written down here once more"
    runs = {name: RETRIEVED[name] for name in names}
    several = compare(JUDGED, runs, "ndcg@3 recall@2 rr", margin=0.1)
    alone = [compare(JUDGED, runs, name, adjust=None, margin=0.1).pairs for name in several.measures]
    together = pd.concat(alone, keys=several.measures, names=["measure"]).reset_index("measure")
    assert several.pairs["measure"].tolist() == together["measure"].tolist()
    for column in ("difference", "low", "high", "p", "wins", "effect"):
        assert np.array_equal(several.pairs[column], together[column]), column
    for column in ("adjusted", "p not worse", "p equivalent"):
        p = together["p" if column == "adjusted" else column]
        close(several.pairs[column], holm_by_hand(p.to_numpy()))
    for name in several.measures:
        one = several[name]
        mine = several.pairs[several.pairs["measure"] == name]
        assert one.measure == name
        assert [x["verdict"] for x in one.pair_rows] == mine["verdict"].tolist()
        assert np.allclose(one.means[name], evaluate(JUDGED, runs, name).means[name])
    assert f"adjusted for {len(together)} tests of 3 measures after Holm" in several.notes[1]
    assert [*several.means.columns] == ["ndcg@3", "recall@2", "rr"]
    assert several.to_csv().startswith("measure,a,b,difference")
    assert len(json.loads(several.to_json())["pairs"]) == len(together)


def test_a_gate_over_several_measures_says_which_it_looks_at() -> None:
    "Recall falls, and RR does not"
    before = {q: ["a", "b", "c"] for q in JUDGED}
    after = {q: ["a", "x", "y", "b" if i % 3 else "z"] for i, q in enumerate(JUDGED)}
    found = compare(JUDGED, {"before": before, "after": after}, "rr recall@3", unjudged="zero")
    for when in ("worse", "not better"):
        with pytest.raises(ValueError, match=f"2 measures, 'rr', 'recall@3': give 'worse in any'.* or '{when} in rr'"):
            found.fails_if(when)
    assert found.fails_if("worse in rr") == ""
    one = found.fails_if("worse in recall@3")
    assert one.startswith("after is worse than before")
    alone = compare(JUDGED, {"before": before, "after": after}, "recall@3", unjudged="zero")
    assert one == alone.fails_if("worse"), "one question, adjusted for no other"
    assert found.fails_if("worse in any").startswith("after is worse than before: recall@3")
    close(found["recall@3"].p, 2 * alone.p)  # adjusted for both
    assert compare(JUDGED, {"a": before, "b": dict(before)}, "rr recall@3").fails_if("worse in any") == ""
    plain = compare(JUDGED, {"before": before, "after": after}, "recall@3", adjust=None)
    assert plain.p * 2 >= found["recall@3"].p > 0
    assert "adjusted" not in compare(JUDGED, {"a": before, "b": after}, "rr").pairs


def test_several_measures_without_an_adjustment_say_so() -> None:
    notes = compare(JUDGED, TWO_RUNS, "ndcg@3 rr", adjust=None).notes
    assert "nothing is adjusted, and of 2 tests one in 20 looks different by chance" in notes[1]
    six = {q: JUDGED[q] for q in [*JUDGED][1:7]}
    few = compare(six, TWO_RUNS, "ndcg@3 rr", test="sign")
    with pytest.raises(ValueError, match=r"no p can be below 0\.062 here"):  # 2/64, twice
        few.fails_if("worse in any")


def test_two_evaluations_of_several_measures_are_compared() -> None:
    before, after = (evaluate(JUDGED, {name: RETRIEVED[name]}, "ndcg@3 rr") for name in ("one", "two"))
    assert compare(before, after).pairs["measure"].tolist() == ["ndcg@3", "rr"]
    assert compare(before, after, "rr").measures == ("rr",)


# Notes of several measures


def several(measures: str, test: Any = "t") -> Comparison:
    "Two runs with the same first result, of which the second has the other relevant one lower, by ever more"
    judged = {f"q{i}": {"d": 2, "e": 1} for i in range(8)}
    best = {query: ["d", "e"] for query in judged}
    lower = {query: ["d", *"tuvwxyz"[: int(query[1])], "e"] for query in judged}
    return compare(judged, {"best": best, "lower": lower}, measures, test=test)


@pytest.mark.parametrize("measures", ["ndcg@10 rr p@1", "rr ndcg@10 p@1", "rr p@1 ndcg@10"])
def test_a_note_names_the_measures_that_it_is_about(measures: str) -> None:
    found = several(measures)
    assert "rr, p@1: The same on every query: 'best and lower'." in found.notes
    [skewed] = [note for note in found.notes if "skewed" in note]
    assert skewed.startswith("ndcg@10: Differences are skewed: ")
    assert found.notes[0] == "Over 8 queries, 2 systems.", "what is true of all is said once, without their names"
    assert "The same on every query: 'best and lower'." in several("rr").notes


@pytest.mark.parametrize("measures", ["ndcg@10 recall@4", "recall@4 ndcg@10"])
def test_what_no_test_can_show_is_said_of_its_measure(measures: str) -> None:
    "By recall@4 five queries differ, and twice 2/2⁵ is too large; by nDCG seven do"
    noted = [note for note in several(measures, "sign").notes if "No p can be" in note]
    assert noted == [
        "recall@4: No p can be below 0.125 here, so nothing can be significant at 0.05: "
        "use more queries or draws, or test='t'."
    ]


def test_a_name_that_fits_is_whole_beside_one_that_does_not() -> None:
    assert shorten_name("bm25 − a-very-long-name-of-a-system", 20) == "bm25 − a-ve…tem"
