"""A measure of your own, and measures of what was judged alone, wherever a measure is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import compare, evaluate, judge_next
from ndcg_nb.beside import bpref, f1, precision, recall
from ndcg_nb.frameworks import accumulate
from ndcg_nb.hood.reports.cli import main
from ndcg_nb.runs import MEASURES, register_measure


def share_of_best(rel: list[float], pool: list[float], k: int | None = None, level: float = 1) -> float:
    "The share of the relevant documents above the cutoff"
    return sum(grade >= level for grade in rel) / sum(grade >= level for grade in pool)


@pytest.fixture
def mine() -> Iterator[str]:
    with register_measure("mine", share_of_best) as name:
        yield name


def random_runs(seed: int, queries: int = 30, ties: bool = False) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    qrels: dict[str, Any] = {}
    runs: dict[str, Any] = {"a": {}, "b": {}}
    for q in map(str, range(queries)):
        documents = [f"d{i}" for i in rng.permutation(20)]
        qrels[q] = dict(zip(documents[:12], [2, *rng.integers(0, 3, 11).tolist()]))
        for run in runs.values():
            scores = rng.integers(0, 5, 20) if ties else rng.permutation(20)
            run[q] = {d: float(s) for d, s in zip(documents[4:], scores)}
    return qrels, runs


# A measure of your own


def test_a_function_is_a_measure(mine: str) -> None:
    "The same as recall, in a table beside it, in comparisons, gates, files and the shell"
    qrels, runs = random_runs(0)
    result = evaluate(qrels, runs, "mine@5,10 recall@5,10 mine recall mine(level=2)@5 recall(level=2)@5")
    values = result.values
    for ours, theirs in ((0, 2), (1, 3), (4, 5), (6, 7)):
        np.testing.assert_allclose(values[..., ours], values[..., theirs], rtol=1e-12)
    ours, theirs = (compare(qrels, runs, measure) for measure in ("mine@5", "recall@5"))
    assert ours.p == theirs.p
    assert "mine@5" in ours.summary()
    assert result.falls_below(0.99, measure="mine@5").startswith("mine@5 is below 0.99")
    assert bool(ours.fails_if()) == bool(theirs.fails_if())


def test_intervals_end_at_its_limits() -> None:
    qrels = {str(i): {"a": 1} for i in range(8)}
    run = {str(i): ["b", "a"] if i else ["a"] for i in range(8)}
    with register_measure("mine", lambda rel, pool: rel[0], limits=(0, 1)):
        assert evaluate(qrels, run, "mine").interval()["low"].tolist() == [0]
    with register_measure("mine", lambda rel, pool: rel[0]):
        assert evaluate(qrels, run, "mine").interval()["low"][0] < 0


def test_it_is_saved_and_reported(mine: str, tmp_path: Path) -> None:
    qrels, runs = random_runs(1)
    result = evaluate(qrels, runs, "mine@5 ndcg@5")
    result.save(tmp_path / "report.html")
    assert "mine@5" in (tmp_path / "report.html").read_text("utf-8")
    assert "mine@5" in result.summary()
    assert not result.by(dict.fromkeys(qrels, "all")).empty


def test_in_the_shell(mine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, runs = random_runs(2)
    grades = [f"{q} 0 {d} {g}" for q, x in qrels.items() for d, g in x.items()]
    scores = [f"{q} Q0 {d} 1 {s} x" for q, x in runs["a"].items() for d, s in x.items()]
    (tmp_path / "qrels").write_text("\n".join(grades), "utf-8")
    (tmp_path / "run").write_text("\n".join(scores), "utf-8")
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    assert main(["eval", *files, "-m", "mine@5"]) == 0
    assert "mine@5" in capsys.readouterr().out
    assert main(["eval", *files, "-m", "mine@5", "--at-least", "0.99"]) == 1


def test_in_batches_and_joined_tables(mine: str) -> None:
    seen = accumulate("mine@2 recall@2")
    seen.update([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]], [[0, 1, 2], [1, 0, 0]], ["a", "b"])
    assert seen.result().values[0].tolist() == [[0.5, 0.5], [0, 0]]
    table = pd.DataFrame({"query": ["q", "q"], "document": ["a", "b"], "grade": [1, 0], "score": [1.0, 2.0]})
    assert evaluate(table, "mine").value == 1
    assert evaluate(table, "mine@1").value == 0


@pytest.mark.parametrize("names, query", [(["a", "b"], "'b'"), (None, "'list 2 of the batch'")])
def test_a_batch_names_the_query(names: Any, query: str) -> None:
    with register_measure("mine", lambda rel, pool: rel[2]):
        seen = accumulate("mine")
        with pytest.raises(ValueError, match=f"mine of query {query}: the function raised IndexError"):
            seen.update([[2.0, 1.0], [1.0, 2.0]], [[0, 0], [0, 1]], names)


def test_it_is_gone_after_its_block() -> None:
    table = pd.DataFrame({"query": ["q", "q"], "document": ["a", "b"], "grade": [1, 0], "score": [1.0, 2.0]})
    with pytest.raises(ValueError, match="there is no measure 'mine'"):
        evaluate(table, measures="mine")
    with register_measure("mine", share_of_best):
        assert evaluate(table, "mine").value == 1
    assert "mine" not in MEASURES
    with pytest.raises(ValueError, match="there is no measure 'mine'"):
        evaluate(table, measures="mine")


def test_without_a_block_it_stays_and_a_cell_may_be_run_again() -> None:
    def define(number: float) -> Callable[..., float]:
        def mine(rel: Any, pool: Any) -> float:
            return number

        return mine

    try:
        for number in (0.25, 0.75):
            register_measure("mine", define(number))
            assert evaluate({"q": {"a": 1}}, {"q": ["a"]}, "mine").value == number
        with register_measure("mine", define(1)):
            assert evaluate({"q": {"a": 1}}, {"q": ["a"]}, "mine").value == 1
        assert evaluate({"q": {"a": 1}}, {"q": ["a"]}, "mine").value == 0.75
        with pytest.raises(ValueError, match=r"a measure 'mine' already: .* MEASURES.pop\('mine'\)"):
            register_measure("mine", share_of_best)
    finally:
        MEASURES.pop("mine")


@pytest.mark.parametrize("name", ["ndcg", "map", "recall"])
def test_a_name_that_is_taken(name: str) -> None:
    with pytest.raises(ValueError, match=f"there is a measure '{name}' already: choose another name"):
        register_measure(name, share_of_best)


@pytest.mark.parametrize("name", ["my measure", "mine@5", "", "Mine", "5th", "mine(level=2)", None])
def test_a_name_that_cannot_be_read(name: Any) -> None:
    with pytest.raises(ValueError, match="is no name for a measure: give a small letter"):
        register_measure(name, share_of_best)


@pytest.mark.parametrize("function, kind", [(lambda rel: 1.0, "function"), (0.5, "float"), (None, "NoneType")])
def test_what_is_no_function_of_two_lists(function: Any, kind: str) -> None:
    said = rf"mine cannot be computed by this {kind}: give a function of two lists, .* def mine\(rel, pool\)"
    with pytest.raises(TypeError, match=said):
        register_measure("mine", function)


def test_what_has_no_name_of_its_own_is_not_replaced() -> None:
    "A partial function, or an object that can be called"
    with register_measure("mine", partial(share_of_best)):
        assert evaluate({"q": {"d": 1}}, {"q": ["d"]}, "mine").value == 1
        for other in (partial(share_of_best), share_of_best, 0.5):
            with pytest.raises(
                ValueError, match="there is a measure 'mine' already: choose another name, or remove it"
            ):
                register_measure("mine", other)


WRONG: list[tuple[Callable[..., Any], str]] = [
    (lambda rel, pool: rel[7], "the function raised IndexError: list index out of range"),
    (lambda rel, pool: None, "the function returned None: it must return a finite number"),
    (lambda rel, pool: float("nan"), "the function returned nan"),
    (lambda rel, pool: float("inf"), "the function returned inf"),
    (lambda rel, pool: [1.0], r"the function returned \[1.0\]"),
    (lambda rel, pool: True, "the function returned True"),
    (lambda rel, pool, p: 1.0, "the function raised TypeError: .*'p'"),
]


@pytest.mark.parametrize("function, why", WRONG, ids=[why for _, why in WRONG])
def test_what_a_function_may_not_do(function: Callable[..., Any], why: str) -> None:
    with (
        register_measure("mine", function),
        pytest.raises(ValueError, match=f"mine@5 of query 'q2': {why}"),
    ):
        evaluate({"q1": {"a": 0}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["a", "b"]}, "mine@5")


def test_numbers_of_numpy_will_do() -> None:
    with register_measure("mine", lambda rel, pool: np.float32(0.5)):
        assert evaluate({"q": {"a": 1}}, {"q": ["a"]}, "mine").value == 0.5


def test_what_a_function_sees() -> None:
    "Never a query without results or without a relevant document; unjudged results as 0, and its cutoff if it asks"
    seen = []

    def look(rel: Any, pool: Any, k: Any = 0, *more: Any, p: float = 0.5, **others: Any) -> float:
        seen.append((rel, pool, k, p))
        return 1.0

    qrels = {"q1": {"a": 1, "b": 3}, "q2": {"a": 0}, "q3": {"a": 1}}
    run = {"q1": ["x", "b", "a"], "q2": ["a"]}
    with register_measure("mine", look):
        result = evaluate(qrels, run, "mine@2 mine(p=0.25)")
        assert seen == [([0, 3], [3, 1], 2, 0.5), ([0, 3, 1], [3, 1], None, 0.25)]
        np.testing.assert_array_equal(result.values[0], [[1, 1], [np.nan, np.nan], [0, 0]])
        counted = evaluate(qrels, run, "mine@2 ndcg@2", like="trec_eval")
        np.testing.assert_array_equal(counted.values[0][:, 0], [1, 0, np.nan])


@pytest.mark.parametrize("rule", ["first", "last", "lowest-id"])
def test_ties_are_shown_in_one_order(mine: str, rule: str) -> None:
    "As the measures that are known; by ids, unless another rule is asked for"
    qrels, runs = random_runs(5, ties=True)
    asked = [f"recall(ties={rule})@1,4,7", "recall(ties=id)@4", f"mine(ties={rule})@1,4,7", "mine@4"]
    found = evaluate(qrels, runs["a"], asked).values[0]
    np.testing.assert_allclose(found[:, 4:], found[:, :4], rtol=1e-12)


def test_an_average_over_ties_is_refused(mine: str) -> None:
    "Where results tie, and only there"
    tied = {"q1": {"a": 1.0, "x": 1.0}}
    apart = {"q1": {"a": 1.0, "x": 2.0}}
    with pytest.raises(ValueError, match="a function of your own sees one order: choose it, as by ties=id"):
        evaluate({"q1": {"a": 1}}, tied, "mine(ties=average)@2")
    assert evaluate({"q1": {"a": 1}}, apart, "mine(ties=average)@2").value == 1
    best_and_worst = evaluate({"q1": {"a": 1}}, tied, "mine(ties=best)@1 mine(ties=worst)@1")
    assert best_and_worst.values.ravel().tolist() == [1, 0]


def test_a_tool_that_averages_ties_has_no_order_for_it(mine: str) -> None:
    tied = {"q1": {"a": 1.0, "x": 1.0}}
    with pytest.raises(ValueError, match="a function of your own sees one order: choose it, as by ties=id"):
        evaluate({"q1": {"a": 1}}, tied, "mine@2", like="sklearn")
    assert evaluate({"q1": {"a": 1}}, tied, "mine(ties=id)@1", like="sklearn").value == 0


def test_sql_refuses_it_by_name(mine: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    con.execute("CREATE TABLE qrels AS SELECT 'q' AS query, 'a' AS document, 1 AS grade")
    con.execute("CREATE TABLE run AS SELECT 'q' AS query, 'a' AS document, 1.0 AS score")
    for measure in ("mine@5", "f1@5", "bpref", "ndcg(judged=only)@5"):
        name = measure.partition("@")[0].partition("(")[0]
        with pytest.raises(ValueError, match=name) as refusal:
            evaluate("qrels", "run", measure, connection=con)
        assert "SQL" in str(refusal.value)


# What was judged alone


@pytest.mark.parametrize("ties", [False, True])
def test_unjudged_results_are_left_out(ties: bool) -> None:
    "The same as of a run that never had them"
    qrels, runs = random_runs(3, ties=ties)
    alone = {q: {d: s for d, s in x.items() if d in qrels[q]} for q, x in runs["a"].items()}
    measures = "ndcg@3,5 p@5 recall@5 ap rr bpref dcg@5 idcg@5 err(highest=2)@5 ndcg(ties=id)@5 rprec f1@5 judged@5"
    only = measures.replace("(", "(judged=only,").split()
    only = [x if "(" in x else x.replace("@", "(judged=only)@") if "@" in x else f"{x}(judged=only)" for x in only]
    found = evaluate(qrels, runs["a"], " ".join(only))
    wanted = evaluate(qrels, alone, measures)
    np.testing.assert_allclose(found.values, wanted.values, rtol=1e-12)
    condensed = evaluate(qrels, runs["a"], "condensed_ndcg@3,5").values
    np.testing.assert_allclose(found.values[..., :2], condensed, rtol=1e-12)
    assert "judged." in found.notes[-1]
    assert "100%" not in found.notes[-1]


def test_a_query_whose_results_are_all_unjudged_is_not_missing() -> None:
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 1}}
    run = {"q1": ["x", "b", "a"], "q2": ["x", "y"]}
    result = evaluate(qrels, run, "ndcg(judged=only)@2 ndcg@2", missing="skip")
    np.testing.assert_allclose(result.values[0][:, 0], [1 / np.log2(3), 0, np.nan])
    assert [scored.missing.tolist() for scored in result.scored[0]] == [[False, False, True]] * 2
    with pytest.raises(ValueError, match="no document in common"):
        evaluate({"q1": {"a": 1}}, {"q1": ["x"]}, "ndcg(judged=only)@2")


def test_a_negative_grade_is_a_judgement_but_not_to_trec_eval() -> None:
    qrels = {"q": {"a": 1, "b": -1}}
    run = {"q": ["b", "x", "a"]}
    found = evaluate(qrels, run, "p(judged=only)@1,2 p(judged=only,like=trec_eval)@1,2")
    assert found.values[0].tolist() == [[0, 0.5, 1, 0.5]]
    seen = accumulate("p(judged=only)@1 p(judged=only,like=trec_eval)@1")
    seen.update([[2.0, 1.0]], [[-1, 1]], ["q"])
    assert seen.result().values[0].tolist() == [[0, 1]]


def test_a_list_is_explained_as_it_was_scored() -> None:
    qrels = {"q": {"a": 2, "b": 1}}
    run = {"q": ["x", "b", "a"]}
    explained = evaluate(qrels, run, "ndcg(judged=only)@2").explain("q")
    assert sorted(explained.documents["document"]) == ["a", "b"]


def test_what_judged_refuses() -> None:
    qrels, runs = random_runs(4)
    with pytest.raises(ValueError, match="judged is 'all': give one of 'only'"):
        evaluate(qrels, runs, "ndcg(judged=all)@5")
    with pytest.raises(ValueError, match=r"ndcg.judged=only.@5 leaves unjudged results out, .*: ask for ndcg@5"):
        judge_next(qrels, runs, measure="ndcg(judged=only)@5")
    with pytest.raises(ValueError, match="leaves unjudged results out"):
        evaluate(qrels, runs, "ndcg(judged=only)@5").judge_next()
    with pytest.raises(ValueError, match="leaves unjudged results out"):
        compare(qrels, runs, "ndcg(judged=only)@5").bounds()


# F1 and bpref


def test_f1_is_the_harmonic_mean() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        rel = rng.integers(0, 2, 8)
        pool = np.append(rng.integers(0, 2, 8), 1)
        pool = np.append(rel, pool)
        p = precision(rel, [1, 3, 8], pool=pool)
        r = recall(rel, [1, 3, 8], pool=pool)
        harmonic = np.divide(2 * p * r, p + r, out=np.zeros(3), where=p + r > 0)
        np.testing.assert_allclose(f1(rel, [1, 3, 8], pool=pool), harmonic, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_bpref_of_ties_is_the_mean_over_all_orders(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grades = np.array([np.nan, -1, 0, 0, 1, 2])
    for _ in range(8):
        rel = rng.choice(grades, 6)
        scores = rng.integers(0, 3, 6)
        pool = np.append(rel, rng.choice(grades[2:], 3))
        orders = [p for p in permutations(range(6)) if all(scores[a] >= scores[b] for a, b in pairwise(p))]
        each = [bpref(rel[list(order)], pool=pool) for order in orders]
        assert bpref(rel, scores=scores, pool=pool) == pytest.approx(np.mean(each), rel=1e-12)
    both = bpref([rel, rel[::-1]], pool=pool)
    assert both.tolist() == [bpref(rel, pool=pool), bpref(rel[::-1], pool=pool)]


def test_bpref_by_hand() -> None:
    assert bpref([0, 0, 0, 1], pool=[0, 0, 0, 1]) == 0  # one relevant document: the first other above it counts
    assert bpref([0, 1, 1], pool=[0, 0, 1, 1]) == 0.5
    assert bpref([None, 1], pool=[1]) == 1
    assert bpref([1, 0, 2], level=2) == 0
    assert bpref([0, 0]) == 0
    assert bpref([], pool=[1, 0]) == 0
    with pytest.raises(ValueError, match="more often than its pool"):
        bpref([1, 1], pool=[1])


def test_a_value_outside_its_limits_is_refused() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    with register_measure("counted", lambda rel, pool: float(len(rel)), limits=(0, 1)):
        assert evaluate(qrels, {"q1": ["a"], "q2": ["b"]}, "counted").value == 1
        with pytest.raises(ValueError, match=r"counted of query 'q2': the function returned 2, outside its limits"):
            evaluate(qrels, {"q1": ["a"], "q2": ["b", "c"]}, "counted")
