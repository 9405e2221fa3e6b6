"""Queries without an answer: whether a run returned nothing, beside the measures over the other queries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import compare, evaluate, ndcg
from ndcg_nb.beside import abstained, average_precision, recall
from ndcg_nb.coverage import alpha_ndcg, intent_ndcg
from ndcg_nb.frameworks import accumulate
from ndcg_nb.hood.reports.cli import main
from ndcg_nb.hood.runs import few
from ndcg_nb.penalties import minmax_ndcg
from ndcg_nb.unjudged import bounds

INF = float("inf")
QRELS: dict[str, Any] = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {}, "q4": {}}
EAGER = {"q1": {"a": 0.9}, "q2": {"b": 0.8}, "q3": {"y": 0.4}, "q4": {"z": 0.3}}
RUNS: dict[str, Any] = {
    "careful": {"q1": ["a"], "q2": ["x"], "q3": [], "q4": ["z"]},
    "silent": {query: [] for query in QRELS},
    "eager": EAGER,
}
PAIR = "recall@10 abstained"
WORKED = {
    "recall@10": [0.5, 0, 1],
    "recall(empty=0)@10": [0.25, 0, 0.5],
    "recall(empty=1)@10": [0.75, 0.5, 1],
    "recall(empty=abstain)@10": [0.5, 0.5, 0.5],
    "abstained": [0.5, 1, 0],
}


# ---- the worked examples


def test_one_number_cannot_tell_three_runs_apart_and_the_pair_can() -> None:
    result = evaluate(QRELS, RUNS, [*WORKED])
    assert {name: column.tolist() for name, column in result.means.items()} == WORKED
    assert (
        "Of recall(empty=abstain)@10, 0.2500 (careful), 0.5000 (silent), 0.0000 (eager) comes from returning nothing "
        "where no document is relevant."
    ) in result.notes


THRESHOLDS = [(0, 1, 0, 0.5), (0.35, 1, 0.5, 0.75), (0.5, 1, 1, 1), (0.85, 0.5, 1, 0.75), (1, 0, 1, 0.5)]


@pytest.mark.parametrize(("least", "found", "quiet", "both"), THRESHOLDS)
def test_thresholds(least: float, found: float, quiet: float, both: float) -> None:
    cut = {query: {d: s for d, s in results.items() if s >= least} for query, results in EAGER.items()}
    result = evaluate(QRELS, cut, f"{PAIR} recall(empty=abstain)@10")
    assert [result["recall@10"], result["abstained"], result["recall(empty=abstain)@10"]] == [found, quiet, both]


def test_notes_say_over_which_queries_each_column_is() -> None:
    notes = evaluate(QRELS, RUNS, PAIR).notes
    assert notes[:2] == [
        "Means over different judged queries: recall@10 over 2 of 4; "
        "abstained over the 2 without a relevant document of 4.",
        "2 queries have no relevant document (excluded in recall@10, 1 if nothing was returned in abstained): "
        "'q3', 'q4'.",
    ]
    assert evaluate(QRELS, EAGER, "abstained").notes[0] == (
        "Mean over the 2 without a relevant document of 4 judged queries."
    )


# ---- what has no answer, and what is nothing


@pytest.mark.parametrize("none", [{}, [], [[]], {"z": 0}, {"z": -1}, {"z": 0, "y": -2}], ids=str)
def test_no_grade_above_0(none: Any) -> None:
    run = {"q1": ["a"], "q3": [], "q4": ["z"]}
    result = evaluate({"q1": {"a": 1}, "q3": none, "q4": none}, run, PAIR)
    np.testing.assert_array_equal(result.values[0], [[1, np.nan], [np.nan, 1], [np.nan, 0]])


def test_lists_without_names_and_files(tmp_path: Path) -> None:
    names = ["q1", "q2", "q3", "q4"]
    result = evaluate([["a"], ["b"], [], []], [["a"], ["x"], [], ["z"]], PAIR, queries=names)
    assert result.means.loc["run"].tolist() == [0.5, 0.5]
    for name, content in (("qrels", QRELS), ("run", RUNS["careful"])):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    result = evaluate(tmp_path / "qrels.json", tmp_path / "run.json", PAIR)
    assert result.means.loc["run.json"].tolist() == [0.5, 0.5]


def test_scores_of_minus_infinity_are_not_retrieved() -> None:
    run = {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {"y": -INF}, "q4": {"y": -INF, "z": 0.0}}
    measures = "abstained recall(empty=abstain)@10 recall(empty=abstain,minus_inf=last)@10"
    values = evaluate(QRELS, run, measures).values[0]
    assert values[2:].tolist() == [[1, 1, 0], [0, 0, 0]]
    assert evaluate(QRELS, run, "abstained").notes[1:2] == [
        "2 queries have no relevant document (1 if nothing was returned): 'q3', 'q4'."
    ]


def test_a_result_below_every_cutoff_is_something() -> None:
    run = {"q1": ["a"], "q3": ["q3", *"bcdefghijklm"]}
    assert evaluate({"q1": {"a": 1}, "q3": {}}, run, PAIR)["abstained"] == 0
    only_itself = evaluate({"q1": {"a": 1}, "q3": {}}, {"q1": ["a"], "q3": ["q3"]}, PAIR, ignore_self=True)
    assert only_itself["abstained"] == 1


def test_all_without_an_answer_and_none() -> None:
    qrels: dict[str, Any] = {"q3": {}, "q4": {}}
    assert evaluate(qrels, {"q3": [], "q4": ["z"]}, "abstained").value == 0.5
    nothing = evaluate(qrels, {"q3": [], "q4": []}, PAIR)
    assert nothing["abstained"] == 1
    assert np.isnan(nothing["recall@10"])
    answered = evaluate({"q1": {"a": 1}}, {"q1": []}, PAIR)
    assert np.isnan(answered["abstained"])
    assert answered["recall@10"] == 0


# ---- missing queries


LOST = (
    "1 query without a relevant document is missing from run, which counts as nothing returned "
    "(a failed request looks the same): 'q3'."
)


def test_a_missing_query_counts_as_nothing_returned_and_is_noted() -> None:
    run = {"q1": ["a"], "q4": ["z"]}
    result = evaluate(QRELS, run, f"{PAIR} recall(empty=abstain)@10")
    assert result.means.loc["run"].tolist() == [0.5, 0.5, 0.5]
    assert LOST in result.notes
    assert "1 judged query is missing from run (counted as 0): 'q2'." in result.notes
    assert not any("missing" in note for note in evaluate(QRELS, RUNS["silent"], PAIR).notes)


def test_skip_and_error() -> None:
    run = {"q1": ["a"], "q4": ["z"]}
    skipped = evaluate(QRELS, run, f"{PAIR} recall(empty=abstain)@10", missing="skip")
    assert skipped.means.loc["run"].tolist() == [1, 0, 0.5]
    assert "2 judged queries are missing from run (excluded): 'q2', 'q3'." in skipped.notes
    with pytest.raises(ValueError, match="query 'q3' is judged but missing from run"):
        evaluate(QRELS, run, "abstained", missing="error")
    assert evaluate(QRELS, {**run, "q3": []}, "abstained", missing="error").value == 0.5


# ---- every road says what the definition says


def by_definition(qrels: Any, run: Any) -> tuple[list[float], list[float]]:
    "Whether each query abstained, and its recall with empty='abstain'"
    quiet, both = [], []
    for query, grades in qrels.items():
        relevant = {document for document, grade in grades.items() if grade > 0}
        shown = {document for document, score in run.get(query, {}).items() if score > -INF}
        quiet.append(np.nan if relevant else float(not shown))
        both.append(len(relevant & shown) / len(relevant) if relevant else float(not shown))
    return quiet, both


def hostile(seed: int) -> tuple[Any, Any]:
    "Judgements of which some hold nothing relevant, and a run in which some are missing, and some scores are -inf"
    rng = np.random.default_rng(seed)
    qrels: dict[str, Any] = {"q": {"d0": 1}}
    run: dict[str, Any] = {"q": {"d0": 1.0}}
    for i in range(rng.integers(1, 9)):
        grades = rng.integers(-1, 2, rng.integers(1, 4)) * rng.integers(0, 2)
        qrels[f"q{i}"] = {f"d{j}": int(grade) for j, grade in enumerate(grades)}
        scores = rng.choice([1.0, 2.0, 3.5, -INF], rng.integers(0, 4))
        if len(scores):
            run[f"q{i}"] = {f"d{j}": float(score) for j, score in enumerate(scores)}
    return qrels, run


@pytest.mark.parametrize("seed", range(40))
def test_memory_parquet_and_few_rows(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, run = hostile(seed)
    expected = np.transpose(by_definition(qrels, run))
    measures = "abstained recall(empty=abstain)"
    np.testing.assert_allclose(evaluate(qrels, run, measures).values[0], expected, rtol=1e-12)
    quickly = evaluate(qrels, run, "recall(empty=abstain)")
    monkeypatch.setattr(few, "FEW_ROWS", 0)
    slowly = evaluate(qrels, run, "recall(empty=abstain)")
    np.testing.assert_array_equal(quickly.values, slowly.values)
    assert quickly.notes == slowly.notes
    rows = [(query, document, score) for query, results in run.items() for document, score in results.items()]
    table = pd.DataFrame(rows, columns=["query", "document", "score"])
    table.to_parquet(tmp_path / "run.parquet", row_group_size=2)
    stream = evaluate(qrels, tmp_path / "run.parquet", measures)
    np.testing.assert_allclose(stream.values[0], expected, rtol=1e-12)


# ---- weights, slices, comparisons


def test_weights_and_slices() -> None:
    weights = {"q1": 1, "q2": 2, "q3": 3, "q4": 1}
    result = evaluate(QRELS, RUNS["careful"], f"{PAIR} recall(empty=abstain)@10", weights=weights)
    np.testing.assert_allclose(result.means.loc["run"], [1 / 3, 3 / 4, 4 / 7], rtol=1e-12)
    assert any(note.startswith("Of recall(empty=abstain)@10, 0.4286 (run)") for note in result.notes)
    unweighted = evaluate(QRELS, RUNS["careful"], PAIR, weights=weights | {"q3": 0})
    assert unweighted["abstained"] == 0
    slices = result.by({"q1": "s", "q2": "t", "q3": "s", "q4": "t"}).set_index(["slice", "measure"])
    quiet = slices.xs("abstained", level="measure")
    assert quiet["mean"].tolist() == [1, 0]
    assert quiet["queries"].tolist() == [1, 1]


def test_compare_is_over_the_queries_without_an_answer() -> None:
    qrels: dict[str, Any] = {f"q{i}": {"a": 1, "b": 0} if i < 10 else {"z": 0} for i in range(20)}
    talks = {query: ["a", "x"] for query in qrels}
    quiet = {query: ["b", "a"] if "a" in grades else [] for query, grades in qrels.items()}
    c = compare(qrels, {"talks": talks, "quiet": quiet}, "ndcg@10 abstained")
    rows = c.pairs.set_index("measure")
    assert rows.loc["abstained", ["difference", "wins", "ties", "losses"]].tolist() == [1, 10, 0, 0]
    assert rows.loc["abstained", "verdict"] == "better"  # which unjudged results cannot change
    assert c["abstained"].queries == tuple(f"q{i}" for i in range(10, 20))
    assert c["ndcg@10"].queries == tuple(f"q{i}" for i in range(10))
    assert "abstained: Over 10 queries without a relevant document, 2 systems." in c.notes
    alone = compare(qrels, {"talks": talks, "quiet": quiet}, "abstained")
    assert alone.difference == 1
    assert not any("judged document" in note or "unjudged" in note for note in alone.notes)
    lost = compare(qrels, {"talks": talks, "quiet": {q: r for q, r in quiet.items() if r}}, "abstained")
    assert "Of the difference, +1.0000 comes from 10 queries that only quiet lacks." in lost.notes


# ---- single lists


def test_lists() -> None:
    assert abstained([]) == 1
    assert abstained([0, 0]) == 0
    assert abstained([0], scores=[-INF]) == 1
    assert np.isnan(abstained([], pool=[1]))
    np.testing.assert_array_equal(abstained([[], [0], [1]]), [1, 0, np.nan])
    for measure in (ndcg, recall, average_precision):
        assert measure([], empty="abstain") == 1
        assert measure([0, -0.0], empty="abstain") == 0
        assert measure([], pool=[1], empty="abstain") == 0
        assert measure([0, 0], scores=[-INF, -INF], empty="abstain") == 1
        np.testing.assert_array_equal(measure([[], [0], [1]], [1, 5], empty="abstain"), [[1, 1], [0, 0], [1, 1]])


# ---- what is refused by name


@pytest.mark.parametrize(
    ("measures", "how", "why"),
    [
        ("abstained@10", {}, "abstained@10 has no cutoff: write abstained"),
        ("abstained(judged=only)", {}, "judged=only leaves some of it out"),
        ("abstained", {"like": "trec_eval"}, "no rule for abstained is known"),
        ("abstain", {}, "did you mean 'abstained'?"),
        ("ndcg(empty=abstain,ideal=list)@5", {}, "0/0 has other causes with ideal='list'"),
        ("ndcg(empty=abstain)@5", {"like": "scikit-learn"}, "0/0 has other causes with ideal='list'"),
        ("ndcg(empty=abstention)@5", {}, "'skip', 'raise' or 'abstain'"),
    ],
)
def test_refused(measures: str, how: Any, why: str) -> None:
    with pytest.raises(ValueError) as refused:
        evaluate(QRELS, EAGER, measures, **how)
    assert why in str(refused.value)


def test_refused_of_lists_batches_and_engines() -> None:
    for given in (
        lambda: alpha_ndcg([set()], empty="abstain"),
        lambda: intent_ndcg([[1], [0]], [0.5, 0.5], empty="abstain"),
        lambda: bounds([0, 0], grades=[0, 1], empty="abstain"),
        lambda: minmax_ndcg([1, 1], empty="abstain"),
        lambda: evaluate(QRELS, RUNS["careful"], "bounds(empty=abstain)@5"),
        lambda: accumulate("abstained"),
        lambda: accumulate("recall(empty=abstain)@5"),
    ):
        with pytest.raises(ValueError, match="abstain"):
            given()
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE qrels AS SELECT 'q' AS query, 'd' AS document, 0 AS grade")
        connection.execute("CREATE TABLE run AS SELECT 'q' AS query, 'd' AS document, 1.0 AS score")
        for measures, why in (("abstained", "SQL supports only"), ("recall(empty=abstain)@5", "not written in SQL")):
            with pytest.raises(ValueError, match=why):
                evaluate("qrels", "run", measures, connection=connection)


# ---- the shell


def test_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, content in (("qrels", QRELS), ("careful", RUNS["careful"]), ("eager", EAGER)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    files = [str(tmp_path / f"{name}.json") for name in ("qrels", "careful", "eager")]
    assert main(["eval", *files, "-m", PAIR]) == 0
    printed = capsys.readouterr()
    assert "1.0000     0.0000" in printed.out
    assert "abstained over the 2 without a relevant document of 4" in printed.err
