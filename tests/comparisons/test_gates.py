"""Gates: words and sentences agree with the numbers, and no foreign file is touched."""

from __future__ import annotations

import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared.report import data_of

from ndcg_nb import compare, evaluate
from ndcg_nb.hood.comparisons.verdicts import VERDICTS
from ndcg_nb.hood.display.sheets import decimals

QRELS = {f"q{i}": {"d": 1} for i in range(6)}
RUN = {f"q{i}": [*"vwxyz"[:i], "d"] for i in range(6)}
rng = np.random.default_rng(0)
OLD = rng.uniform(0.3, 0.7, 60)
NOISE = rng.normal(0, 0.02, 60)
NOISE -= NOISE.mean()


def moved(by: float, **how: Any) -> Any:
    return compare({"old": OLD, "new": OLD + by + NOISE}, measure="ndcg@10", **how)


# ------------------------------------------------------------------------------------------------------- verdicts
@pytest.mark.parametrize(
    "by, margin, verdict",
    [
        (0.05, None, "better"),
        (-0.05, None, "worse"),
        (0.0, None, "undecided"),
        (0.0, 0.02, "equivalent"),
        (-0.01, 0.02, "equivalent"),  # worse, and by too little to matter
        (-0.05, 0.02, "worse"),
        (0.0, 0.001, "undecided"),
        (0.0, 0.0045, "not worse"),
    ],
)
def test_verdict(by: float, margin: float | None, verdict: str) -> None:
    "One word, in the attribute, the table, the sentence, the letters, the report, and a slice that holds all queries"
    c = moved(by + 0.002 * (verdict == "not worse"), margin=margin)
    assert c.verdict == verdict == c.pairs["verdict"].item()
    assert c.by(dict.fromkeys(c.queries, "all")).table["verdict"].item() == verdict
    is_marked = verdict in ("better", "worse")  # which a sentence explains
    assert ("†" in str(c)) == is_marked
    assert str(c).splitlines()[5 + is_marked].split()[-1] == verdict.split()[-1]
    new = VERDICTS[verdict].format(a="old", b="new")
    by = decimals(c.difference, 4, "+")
    assert c.why.startswith(f"{new}: ndcg@10 {by}, 95% interval ")
    assert c.table["beats"].tolist() == [{"worse": "b"}.get(verdict, ""), {"better": "a"}.get(verdict, "")]
    assert data_of(c.to_html())["views"][0]["pairs"][0]["verdict"] == verdict
    assert bool(c.fails_if("worse")) == (verdict == "worse")
    assert bool(c.fails_if("not better")) == (verdict != "better")


@pytest.mark.parametrize("together", [True, False])
def test_a_run_that_returned_nothing_is_no_answer(together: bool) -> None:
    "It is broken, and not worse; of one evaluation, and of two"
    runs = {"old": RUN, "new": {}}
    if together:
        c = compare(QRELS, runs, "ndcg@10")
    else:
        c = compare(*(evaluate(QRELS, run, "ndcg@10") for run in runs.values()))
    second = c.systems[1]
    assert c.parts[0].silent == (second,)
    assert c.verdict == "undecided"
    assert c.fact_rows[0]["claim"] == "worse"
    assert f"{second} returned nothing for any judged query" in c.why
    assert f"{second} returned nothing" in compare(QRELS, {second: {}, "old": RUN}, "ndcg@10").why, "as a baseline, too"
    for when in ("worse", "not better"):
        with pytest.raises(ValueError, match=f"no answer: {second} returned nothing for any judged query"):
            c.fails_if(when)
    assert compare(QRELS, {"old": RUN, "new": {"q0": ["d"]}}, "ndcg@10").parts[0].silent == ()


def test_a_measure_of_the_judgements_is_no_answer() -> None:
    with pytest.raises(ValueError, match="no answer: idcg@2 looks at judgements only"):
        compare(QRELS, {"old": RUN, "new": RUN}, "idcg@2").fails_if()


@pytest.mark.parametrize("queries, takes", [(20, "21 queries and 1,000,000 draws"), (30, "1,000,000 draws")])
def test_what_a_drawn_test_takes(queries: int, takes: str) -> None:
    "At a level of 1e-6; with as many there is an answer"
    how: Any = {"test": "randomization", "alpha": 1e-6}
    old = np.linspace(0, 0.5, queries)
    with pytest.raises(ValueError, match=f"it takes {takes}$"):
        compare({"old": old, "new": old + 0.1 + old**2}, **how).fails_if()
    old = np.linspace(0, 0.5, max(queries, 21))
    assert compare({"old": old, "new": old + 0.1 + old**2}, draws=1_000_000, **how).fails_if() == ""


def test_why() -> None:
    low, high = (decimals(x, 4, "+") for x in (moved(0.005).low, moved(0.005).high))
    p = f"{moved(0.005).p:.3f}"
    assert moved(0.005).why.endswith(f"ndcg@10 +0.0050, 95% interval {low} to {high}, p = {p}, 60 queries.")
    assert moved(0.05).why.endswith(", p < 0.001, 60 queries.")
    swapped = compare({"old": OLD, "new": OLD + 0.05 + NOISE}, baseline="new")
    assert swapped.verdict == "worse"
    assert swapped.why.startswith("old is worse than new: ")


@pytest.mark.parametrize(
    "by, when, more, fails",
    [
        (-0.05, "worse", 0, True),
        (-0.05, "worse", 0.02, True),
        (-0.05, "worse", 0.049, False),  # worse, and perhaps not by so much
        (0.0, "worse", 0, False),
        (0.05, "not better", 0, False),
        (0.05, "not better", 0.049, True),
        (0.0, "not better", 0, True),
    ],
)
def test_fails_if(by: float, when: str, more: float, fails: bool) -> None:
    why = moved(by).fails_if(when, more)
    assert bool(why) == fails
    if fails:
        assert why.startswith(f"new is {when} than old{f' by more than {more:g}' if more else ''}: ndcg@10 ")


def test_gates_that_are_refused() -> None:
    with pytest.raises(ValueError, match=r"when is 'worst'.*did you mean 'worse'"):
        moved(0).fails_if("worst")
    for bad in (-0.1, "0.1", True):
        with pytest.raises(ValueError, match=r"by_more_than is .*: give a number, 0 or above"):
            moved(0).fails_if("worse", bad)


def test_falls_below() -> None:
    result = evaluate(QRELS, {"a": RUN, "b": {"q0": ["d"]}}, "ndcg@10")
    means = result.means["ndcg@10"]
    assert result.falls_below(means["b"]) == ""
    assert result.falls_below(-1) == ""
    assert result.falls_below(0.3) == f"ndcg@10 is below 0.3: b {means['b']:.4f}."
    assert result.falls_below(0.9) == f"ndcg@10 is below 0.9: a {means['a']:.4f}, b {means['b']:.4f}."
    nothing = evaluate({"q": {"d": 0}}, {"q": ["d"]})
    with pytest.raises(ValueError, match=r"^the gate has no answer: no query has a value of ndcg@10 for run$"):
        nothing.falls_below(0)
    several = evaluate(QRELS, RUN, "ndcg@1,10")
    with pytest.raises(ValueError, match=r"^least is 80, and ndcg@10 is never above 1: .* give 0\.8$"):
        result.falls_below(80)
    assert several.falls_below(0.1, "ndcg@10") == ""
    assert several.falls_below(0.9, "ndcg@1").startswith("ndcg@1 is")
    with pytest.raises(ValueError, match="there are several measures, 'ndcg@1', 'ndcg@10': say which"):
        several.falls_below(0.1)
    for bad in ("0.6", True, None, math.nan, math.inf):
        with pytest.raises(ValueError, match=r"least is .*: give a finite number, e.g. 0.62"):
            result.falls_below(bad)  # type: ignore[arg-type]
    given = evaluate({"q": {"a": 0, "b": 3}}, {"q": ["b", "a"]}, like="spark-graded")
    assert given.value > 1 and given.falls_below(1.2) == "", "without a true ideal a value may be above 1"


# ---------------------------------------------------------------------------------------------------- no answer
Q = {f"q{i}": {"d": 1, "e": 0} for i in range(20)}
FIRST = {q: ["d", "e"] for q in Q}
SECOND = {q: ["e", "d"] for q in Q}


def gates_of(*given: Any, **how: Any) -> list[int]:
    "The exit codes of both gates, and of both with a number"
    c = compare(*given, **how)
    codes = []
    for when, by in (("worse", 0), ("not better", 0), ("worse", 0.01), ("not better", 0.01)):
        try:
            codes.append(int(bool(c.fails_if(when, by))))
        except ValueError as error:
            assert str(error).startswith("the gate has no answer: "), error
            codes.append(2)
    return codes


TRAFFIC = {q: i + 1 for i, q in enumerate(Q)}


def test_one_query_that_decides_is_no_answer() -> None:
    heavy = {"weights": {q: 1e15 if q == "q0" else 1 for q in Q}}
    mixed = {q: SECOND[q] if q == "q0" else FIRST[q] for q in Q}
    for new in (mixed, SECOND):
        assert gates_of(Q, {"old": FIRST, "new": new}, **heavy) == [2, 2, 2, 2]
    c = compare(Q, {"old": FIRST, "new": mixed}, **heavy)
    assert math.isnan(c.p)
    assert math.isnan(c.low)
    assert c.verdict == "undecided"
    with pytest.raises(ValueError, match=r"20 queries, which count as 1\.0 by their weights: it takes 5 or more"):
        c.fails_if("worse")


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "randomization", "t"])
def test_a_test_that_cannot_fail_is_no_answer(test: str) -> None:
    for n, code in ((4, 2), (5, 2), (6, 1)):
        assert gates_of({"old": np.ones(n), "new": np.zeros(n)}, test=test)[0] == code, n
    told = r"no p can be below 0\.062 here, so none can reach 0\.05: it takes 6 queries"
    with pytest.raises(ValueError, match=told):
        compare({"old": np.ones(5), "new": np.zeros(5)}, test=test).fails_if("worse")
    many = {"old": np.arange(20.0), "new": np.arange(20.0) ** 0.9}
    with pytest.raises(ValueError, match="it takes 1,000 draws"):
        compare(many, test="randomization", alpha=0.001, draws=99).fails_if("worse")


def test_rules_that_reward_a_run_for_nothing_are_no_answer() -> None:
    qrels = {f"q{i}": {"good": 2, "bad": 0, "bad2": 0} for i in range(20)}
    old = {q: ["bad", "good"] for q in qrels}
    new = {q: ["bad", "bad2"] if i < 12 else ["good"] for i, q in enumerate(qrels)}
    for like in ("lightgbm", "xgboost", "catboost"):
        c = compare(qrels, {"old": old, "new": new}, like=like)
        assert "new returned nothing relevant for 12 queries (counted as 1): " in "\n".join(c.notes)
        assert not any("no relevant document" in note for note in c.notes)
        for gate in (lambda c=c: c.fails_if("worse"), lambda x=like: evaluate(qrels, new, like=x).falls_below(0.1)):
            with pytest.raises(ValueError, match=r"^the gate has no answer: by the rules of .* is counted as 1, so a"):
                gate()
    own = compare(qrels, {"old": old, "new": new}, "ndcg(ideal=list)@10")
    assert "new returned nothing relevant for 12 queries (excluded): " in "\n".join(own.notes)
    with pytest.raises(
        ValueError, match=r"^the gate has no answer: by ndcg\(ideal=list\)@10 a query .* is excluded, so"
    ):
        own.fails_if("worse")
    assert gates_of(qrels, {"old": old, "new": new}, "ndcg(ideal=list,empty=0)@10") == [0, 1, 0, 1]
    assert gates_of(qrels, {"old": old, "new": {q: ["bad", "bad2"] for q in qrels}}, like="sklearn") == [1, 1, 1, 1]


def test_queries_that_one_run_lacks_are_no_answer() -> None:
    half = {q: FIRST[q] for q in [*Q][:10]}
    for how in ({"like": "trec_eval"}, {"like": "beir"}, {"missing": "skip"}):
        assert gates_of(Q, {"old": FIRST, "new": half}, **how) == [2, 2, 2, 2], how
        assert gates_of(Q, {"old": half, "new": FIRST}, **how) == [2, 2, 2, 2], how
        both = compare(Q, {"old": half, "new": {q: SECOND[q] for q in half}}, **how)
        assert both.fails_if("worse").endswith("10 of 20 queries.")
        result = evaluate(Q, half, **how)
        assert result.value == 1
        with pytest.raises(ValueError, match="run has no results for 10 of 20 judged queries, and they are left out"):
            result.falls_below(0.9)
        assert evaluate(Q, FIRST, **how).falls_below(0.9) == ""
    assert gates_of(Q, {"old": FIRST, "new": half}) == [1, 1, 1, 1]
    one, other = (evaluate(Q, x, missing="skip") for x in (FIRST, half))
    with pytest.raises(ValueError, match="after has no value for 10 of 20 queries, and the other run has one"):
        compare(one, other).fails_if("worse")
    holes = np.where(np.arange(60) < 9, math.nan, OLD)
    assert gates_of({"old": OLD, "new": holes}) == [2, 2, 2, 2]
    assert gates_of({"old": holes, "new": holes})[0] == 0


def test_a_difference_that_is_just_as_large_is_not_larger() -> None:
    low = dict.fromkeys("abcdefgh", 0.5)
    high = dict.fromkeys("abcdefgh", 1.0)
    rises = compare({"old": low, "new": high})
    falls = compare({"old": high, "new": low})
    assert rises.fails_if("not better", 0.5).startswith("new is not better than old by more than 0.5")
    assert rises.fails_if("not better", 0.49) == ""
    assert falls.fails_if("worse", 0.5) == ""
    assert falls.fails_if("worse", 0.49).startswith("new is worse than old by more than 0.49")


def test_a_gate_judges_the_second_system() -> None:
    values = {"old": OLD, "new": OLD - 0.05 + NOISE}
    with pytest.raises(ValueError, match="a gate judges the second system, and new is the baseline: give the baseline"):
        compare(values, baseline="new").fails_if("worse")
    assert compare(values, baseline="old").fails_if("worse").startswith("new is worse than old")
    with pytest.raises(ValueError, match="margin and by_more_than both say which difference matters: give one"):
        compare(values, margin=0.01).fails_if("worse", 0.01)
    assert not compare(values, margin=0.1).fails_if("worse"), "worse, by too little to matter"


def test_an_infinite_interval_is_no_answer() -> None:
    mostly = {"old": np.zeros(20), "new": np.array([0.0] * 19 + [1.0])}
    c = compare(mostly, interval="bootstrap-t")
    assert math.isinf(c.high)
    assert not c.fails_if("worse")
    with pytest.raises(ValueError, match="the gate has no answer: the difference has no p, or no interval"):
        c.fails_if("worse", 0.01)


def test_a_gate_of_what_was_stored() -> None:
    "A copy keeps what its gates need"
    for how in ({}, {"like": "lightgbm"}, {"missing": "skip"}):
        c = compare(Q, {"old": FIRST, "new": {q: SECOND[q] for q in [*Q][:12]}}, **how)
        again = pickle.loads(pickle.dumps(c))
        try:
            expected = c.fails_if("worse")
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                again.fails_if("worse")
        else:
            assert again.fails_if("worse") == expected


def test_a_query_of_weight_0_is_not_missing() -> None:
    weights = dict.fromkeys(Q, 1.0) | {"q0": 0.0}
    result = evaluate(Q, {q: ["d", "e"] for q in [*Q][1:]}, weights=weights)
    assert result.falls_below(0.5) == ""
    assert result.value == 1
    assert "1 query has weight 0 (excluded): 'q0'." in result.notes
    assert not any("missing" in note for note in result.notes)
    lacking = evaluate(Q, {q: ["d", "e"] for q in [*Q][2:]}, weights=weights)
    assert any("1 judged query is missing from run (counted as 0): 'q1'." in note for note in lacking.notes)


def test_a_run_that_returned_nothing_is_not_below() -> None:
    for runs in ({}, {q: [] for q in Q}):
        result = evaluate(Q, runs)
        for x in (result, pickle.loads(pickle.dumps(result))):
            with pytest.raises(ValueError, match=r"^the gate has no answer: run has no result for any judged query"):
                x.falls_below(0.1)
    with pytest.raises(ValueError, match=r"^the gate has no answer: idcg@2 looks at judgements only"):
        evaluate(Q, FIRST, "idcg@2").falls_below(0.1)


def test_what_helps_where_results_are_missing() -> None:
    "missing='zero' does not, for a measure that says nothing of a query without results"
    half = {q: FIRST[q] for q in [*Q][:10]}
    with pytest.raises(ValueError, match=r"left out of judged, whatever missing is: give results for them, or weights"):
        evaluate(Q, half, "judged@3", missing="zero").falls_below(0.1)
    weights = {q: float(q in half) for q in Q}
    assert evaluate(Q, half, "judged@3", weights=weights).falls_below(0.1) == ""


def test_how_much_is_judged_is_a_mean() -> None:
    assert "On average, 100% of the top 10 results are judged." in evaluate(Q, FIRST).notes
    assert "100% of the top 10 results are judged." in evaluate({"q": {"d": 1}}, {"q": ["d"]}).notes


# ---------------------------------------------------------------------------------------------------- safety of files


def test_names_that_no_file_can_hold(tmp_path: Path) -> None:
    odd = {"d\ud800": {"a": 1}, "e": {"a": 1}}
    result = evaluate(odd, {q: ["a"] for q in odd})
    runs = compare(QRELS, {"a\ud800": RUN, "b": {q: ["d"] for q in QRELS}})
    for x, name in ((result, "x.csv"), (result, "x.tsv"), (runs, "x.csv"), (runs, "x.html")):
        try:
            x.save(tmp_path / name)
        except ValueError as error:
            assert not isinstance(error, UnicodeError), error
            assert f"{name} is not written: a name holds '\\ud800'" in str(error)
            assert not (tmp_path / name).exists()
    assert json.loads(result.save(tmp_path / "x.json").read_text("utf-8"))["runs"]["run"]["queries"].keys() == {*odd}


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".json", ".md", ".tex", ".html"])
def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, ending: str) -> None:
    "As on a full disk: no file may grow beyond a few bytes"
    resource = pytest.importorskip("resource")
    for what, name in ((evaluate(QRELS, RUN), "evaluation"), (moved(0.05), "comparison")):
        path = tmp_path / (name + ending)
        path.write_text("old", "utf-8")
        path.chmod(0o640)
        what.save(path)
        old = path.read_bytes()
        assert len(old) > 20
        assert path.stat().st_mode & 0o777 == 0o640
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, limits[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                what.save(path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == old
        link = tmp_path / f"link{ending}"
        link.symlink_to(path)
        what.save(link)
        assert link.is_symlink()
        assert path.read_bytes() == old
        link.unlink()
    assert len([*tmp_path.iterdir()]) == 2, "nothing is left beside them"
