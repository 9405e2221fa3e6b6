"""Nothing given is dropped: lists of grades, scores and ranks beside lists of documents, in every road."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import needed

from ndcg_nb import evaluate
from ndcg_nb.hood.inputs.columns import SHORT, Unreadable

Q = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"b": 1, "c": 0}}
R = {"q1": {"a": 0.9, "b": 0.5, "c": 0.1}, "q2": {"b": 0.9, "c": 0.4}}
IN_ORDER = evaluate(Q, R, "ndcg@3").value


def rows(data: dict[str, dict[str, Any]], value: str, backwards: bool = False) -> list[dict[str, Any]]:
    "A row for each query, with lists of its documents and numbers"
    made = []
    for query, inner in data.items():
        pairs = list(inner.items())[:: -1 if backwards else 1]
        documents, numbers = map(list, zip(*pairs))
        made.append({"query": query, "document": documents, value: numbers})
    return made


def columns(table: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in table] for name in table[0]}


def parquet(table: list[dict[str, Any]]) -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns(table)), file)
    return file.getvalue()


ROADS: dict[str, Callable[[list[dict[str, Any]]], Any]] = {
    "rows": list,
    "columns": columns,
    "pandas": pd.DataFrame,
    "arrays in pandas": lambda table: pd.DataFrame(table).map(lambda x: np.array(x) if isinstance(x, list) else x),
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "Arrow": lambda table: pa.table(columns(table)),
    "Parquet": parquet,
    "JSON": lambda table: json.dumps(table).encode(),
    "JSON lines": lambda table: "".join(f"{json.dumps(row)}\n" for row in table),
}


@pytest.mark.parametrize("road", ROADS)
def test_lists_beside_documents(road: str) -> None:
    make = ROADS[road]
    judged = make(rows(Q, "grade"))
    shown = make(rows(R, "score", backwards=True))
    for qrels, run in ((judged, R), (Q, shown), (judged, shown)):
        found = evaluate(qrels, run, "ndcg@3")
        assert found.mean_rows[0][0] == pytest.approx(IN_ORDER, rel=1e-12)
        assert not any("grades" in note or "disagree" in note for note in found.notes)
    ranks = {query: {document: rank for rank, document in enumerate(inner, 1)} for query, inner in R.items()}
    ranked = evaluate(Q, make(rows(ranks, "rank", backwards=True)), "ndcg@3")
    assert ranked.mean_rows[0][0] == pytest.approx(IN_ORDER, rel=1e-12)


@pytest.mark.parametrize("road", ROADS)
def test_lists_of_other_lengths_are_refused(road: str) -> None:
    table = rows(Q, "grade")
    table[1]["grade"] = [1]
    with pytest.raises(Unreadable, match="has 2 documents, and 1 in 'grade': give one for each document"):
        evaluate(ROADS[road](table), R)


def test_many_lists() -> None:
    "Long columns take another way"
    count = SHORT + 1
    table = {"query": [f"q{i}" for i in range(count)], "document": [["a", "b"]] * count, "grade": [[0, 1]] * count}
    run = {query: ["a", "b"] for query in table["query"]}
    for make in (pd.DataFrame, pl.DataFrame, pa.table, dict):
        found = evaluate(make(table), run, "ndcg").mean_rows[0][0]
        assert found == pytest.approx(1 / np.log2(3), rel=1e-12)
    with pytest.raises(Unreadable, match=r"column 'grade' is 1: give a list there"):
        evaluate(pa.table(table | {"grade": [1] * count}), run)


def test_one_table_of_both() -> None:
    both = pd.DataFrame(rows(Q, "grade")).merge(pd.DataFrame(rows(R, "score")).drop(columns="document"))
    assert evaluate(both, "ndcg@3").value == pytest.approx(IN_ORDER, rel=1e-12)
    assert evaluate(both.drop(columns="score"), "ndcg@3").value == pytest.approx(IN_ORDER, rel=1e-12)


def test_a_folder_of_lists(tmp_path: Path) -> None:
    for row in rows(R, "score", backwards=True):
        (tmp_path / f"{row['query']}.parquet").write_bytes(parquet([row]))
    found = evaluate(Q, tmp_path, "ndcg@3")
    assert found.value == pytest.approx(IN_ORDER, rel=1e-12)
    assert found.explain("q2", "ndcg@3").ndcg == pytest.approx(1, rel=1e-12)


def test_a_text_among_lists_is_refused() -> None:
    "It would be split into letters"
    mixed = pd.DataFrame({"query": ["q1", "q2"], "document": [["a"], "doc7"]})
    for given in ((mixed, R), (Q, mixed)):
        with pytest.raises(Unreadable, match=r"row 1, column 'document' is 'doc7': give a list there"):
            evaluate(*given)
    with pytest.raises(Unreadable, match=r"row 1, column 'document' is .*: an id is a string or a number"):
        evaluate(mixed[::-1], R)


def test_lists_in_an_engine_are_refused() -> None:
    con = needed("duckdb").connect()
    table = con.sql("SELECT 'q1' AS query, ['a', 'b'] AS document, [1, 0] AS grade")
    with pytest.raises(Unreadable, match="qrels: the column 'document' holds lists: give a row for each, with UNNEST"):
        evaluate(table, con.sql("SELECT 'q1' AS query, 'a' AS document, 1.0 AS score"))


EMPTY: dict[str, Callable[[], Any]] = {
    "a dict": lambda: {"q1": {"": 1, "a": 1}},
    "a query of a dict": lambda: {"": {"a": 1}},
    "a dict of lists": lambda: {"q1": ["a", ""]},
    "rows": lambda: [("q1", "a", 1), ("q1", "", 1)],
    "pandas": lambda: pd.DataFrame({"query": ["q1", ""], "document": ["a", "b"], "grade": [1, 1]}),
    "polars": lambda: pl.DataFrame({"query": ["q1"] * 3000, "document": ["a"] * 2999 + [""], "grade": [1] * 3000}),
    "Arrow": lambda: pa.table({"query": ["q1", "q1"], "document": ["a", ""], "grade": [1, 1]}),
    "JSON": lambda: b'{"q1": {"": 1}}',
    "JSON lines": lambda: '{"query": "q1", "document": "", "grade": 1}\n' * 2,
    "CSV": lambda: "query,document,grade\nq1,a,1\nq1,,1\n",
    "DuckDB": lambda: needed("duckdb").sql("SELECT 'q1' AS query, '' AS document, 1 AS grade"),
}


@pytest.mark.parametrize("road", EMPTY)
def test_an_empty_id_is_refused(road: str) -> None:
    with pytest.raises(Unreadable, match=r"empty id|is empty|has no id|is '': an id"):
        evaluate(EMPTY[road](), {"q1": ["a"]})


def test_an_empty_id_of_a_result_is_refused() -> None:
    duck = needed("duckdb")
    shown = duck.sql("SELECT 'q1' AS query, '' AS document, 1.0 AS score")
    judged = duck.sql("SELECT 'q1' AS query, 'a' AS document, 1 AS grade")
    for run in ({"q1": {"": 2.0, "a": 1.0}}, {"q1": ["a", ""]}, {"": ["a"], "q1": ["a"]}):
        with pytest.raises(Unreadable, match=r"empty id|is '': an id"):
            evaluate(Q, run)
    with pytest.raises(Unreadable, match="one without an id among its results"):
        evaluate(judged, shown)
