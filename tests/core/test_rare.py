"""Mistakes that few people make: each is answered with what is wrong, and nothing is changed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ndcg_nb import average_precision, bounds, compare, evaluate, judge_next, recall
from ndcg_nb.hood.display.pages import answer_to
from ndcg_nb.hood.inputs.columns import PlainIds, read_id_column
from ndcg_nb.hood.inputs.reading import constant_by_query
from ndcg_nb.hood.judging.open import with_ends
from ndcg_nb.hood.reports import cli
from ndcg_nb.hood.runs.notation import read_measure
from ndcg_nb.sql import evaluate_lazily

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 2}}
RUN = {"1": ["a", "b"], "2": ["a", "b"]}
TWO = evaluate(QRELS, {"x": RUN, "y": RUN}, "ndcg@2")

# Calls that the golden record cannot have: figures, names of the hood, a result of several runs
RARE: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: answer_to("nobody", {}), NameError, "nobody"),
    (lambda: TWO.plot_losses(ax="here"), TypeError, "ax is 'here': give the axes of a figure"),
    (lambda: TWO["ndcg@2"], ValueError, "there are several runs, 'x', 'y': see .means"),
    (lambda: read_id_column(np.ones(3000, complex), str), ValueError, "of type complex: an id is a string or a number"),
    (
        lambda: constant_by_query(PlainIds(["1", "2"]), [[1], [2]], "classes", "the column"),
        ValueError,
        "give a text or a number for each query",
    ),
    (lambda: read_measure(5), TypeError, "measure is 5: write e.g. ndcg@10"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("call, kind, said", RARE)
def test_what_few_people_do(call: Callable[[], Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind) as refused:
        call()
    assert said in str(refused.value)


def test_ids_that_are_fractions() -> None:
    assert read_id_column(np.arange(3000) / 2, str).at([1]) == ["0.5"]


def test_a_comparison_with_weights_keeps_them_in_json() -> None:
    weighted = evaluate(QRELS, {"x": RUN, "y": RUN}, "ndcg@2", weights={"1": 3, "2": 1})
    assert json.loads(compare(weighted).to_json())["weights"] == {"1": 3, "2": 1}
    assert "weights" not in json.loads(compare(TWO).to_json())


def test_a_list_without_a_pool_has_nothing_that_was_missed() -> None:
    widgets = pytest.importorskip("ndcg_nb.widgets", reason="ipywidgets is not installed")
    harm = widgets.explore([1, 1, 1, -1], view="penalties")
    with pytest.raises(Exception, match="missed must be"):
        harm.missed = [1]


def test_a_perfect_run_loses_nothing() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed")
    perfect = evaluate({"1": {"a": 2, "b": 1}}, {"1": ["a", "b"]}, "ndcg@2")
    assert "run loses nothing" in perfect.plot_losses().get_title(loc="left")
    pyplot.close("all")  # or the next notebook would show it


def test_a_reader_that_goes_away(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def closed(words: Any) -> int:
        raise BrokenPipeError

    moved: list[Any] = []
    monkeypatch.setattr(cli, "_run", closed)
    monkeypatch.setattr(cli.os, "dup2", lambda *given: moved.append(given))
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 1)
    assert cli.main(["demo"]) == 141
    assert len(moved) == 1


def test_no_run_in_an_engine() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as con:
        judged = con.sql("SELECT 'q1' AS query, 'a' AS document, 1 AS grade")
        with pytest.raises(ValueError, match=r"run is empty: .* a list needs a row"):
            evaluate_lazily(judged, [])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_report_goes_into_a_pipe(tmp_path: Path) -> None:
    "What is no plain file is written to, and stays what it is"
    pipe = tmp_path / "report.md"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(pipe.read_text, "utf-8")
        assert TWO.save(pipe) == pipe
        assert read.result(timeout=60) == TWO.to_markdown() + "\n"
    assert pipe.is_fifo()
    assert [*tmp_path.iterdir()] == [pipe]


def test_one_pool_for_many_lists_of_hits() -> None:
    lists = [[1, 0, 1], [0, 0, 1], [0, 0, 0]]
    pool = [1, 1, 1, 1, 0]
    for measure in (recall, average_precision):
        one_by_one = [measure(x, 3, pool=pool) for x in lists]
        assert measure(lists, 3, pool=pool).tolist() == one_by_one
    assert recall(lists, 3, pool=pool).tolist() == [0.5, 0.25, 0]


def test_a_report_of_ties_that_gains_break() -> None:
    "Its lists are in the order that was counted"
    runs = {"x": {"1": {"b": 1, "a": 1}, "2": {"a": 1, "b": 1}}, "y": RUN}
    page = compare(QRELS, runs, measure="ndcg(ties=best)@2").to_html()
    data = json.loads(page.partition('id="nr-data">')[2].partition("</script>")[0])
    assert data["lists"]


def test_nothing_changed_at_the_desk() -> None:
    judging = judge_next(QRELS, {"x": {"1": ["a", "c"], "2": ["b", "d"]}}).judging
    again = with_ends(judging, [])
    assert (again.low == judging.low).all()
    assert (again.high == judging.high).all()


def test_a_perfect_order_that_is_possible_is_1() -> None:
    "And not a bit below: sums added up in two orders differ in their last bit"
    assert bounds([3, None, 2], grades=[0, 1, 2, 3]).high == bounds([None, None, 1], grades=[0, 1, 2, 3]).high == 1


@pytest.mark.parametrize("first, second", [("int32", "int64"), ("float32", "float64")])
def test_two_matrices_of_one_kind(first: str, second: str) -> None:
    "Which of them are scores cannot be told"
    matrices = (np.array([[3, 5], [2, 7]], first), np.array([[1, 2], [4, 3]], second))
    with pytest.raises(
        ValueError, match="run is two matrices: give ids and, in the same shape, their scores as floats"
    ):
        evaluate({"q1": {1: 1, 2: 0}, "q2": {3: 2, 4: 0}}, matrices, queries=["q1", "q2"])


def test_lists_in_named_columns_need_their_query() -> None:
    rows = [{"query": "q1", "retrieved": ["a", "b"], "expected": ["a"]}]
    lists = {"document": "retrieved", "grade": "expected"}
    assert evaluate(rows, columns=lists | {"query": "query"}).value == 1
    with pytest.raises(ValueError, match="there is no column 'zz'"):
        evaluate(rows, columns=lists | {"query": "zz"})
    with pytest.raises(ValueError, match="table, row 0 has 2 documents, and 1 in 'expected'"):
        evaluate(rows, columns=lists)
