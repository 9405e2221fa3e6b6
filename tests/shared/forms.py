"""Judgements and runs made at random, and every form in which they can be given."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from pyarrow import parquet

Table = dict[Any, dict[Any, float]]
QUERY = st.sampled_from(["1", "2", "10", "q#3", "Ö", "𝄞", "a" * 30])
DOCUMENT = st.sampled_from(["d1", "d10", "d2", "#x", "é", "e\u0301", "文", "x" * 20, "x" * 21, "2"])
CLOSE = [1.0, 1.0 + 2**-40, 1.0 - 2**-30]  # one score in 32 bits
SCORE = st.one_of(st.integers(-2, 2).map(float), st.sampled_from([*CLOSE, 0.5, -0.0, 1e300, -math.inf]))
WHOLE = st.integers(0, 4)
GRADE = st.one_of(WHOLE, st.sampled_from([0.5, 0.1, 2.25]))
CUTOFF = st.one_of(st.none(), st.integers(1, 9))


@st.composite
def collections(draw: Any, grade: Any = GRADE, score: Any = SCORE) -> tuple[Table, Table]:
    "Judgements and results: some queries are missing, some without judgements; some results are unjudged"
    judged = st.dictionaries(DOCUMENT, grade, min_size=1, max_size=6)
    results = st.dictionaries(DOCUMENT, score, min_size=1, max_size=8)
    qrels, run = (draw(st.dictionaries(QUERY, x, min_size=1, max_size=4)) for x in (judged, results))
    assume(qrels.keys() & run.keys())
    return qrels, run


@contextmanager
def changed(*changes: tuple[Any, str, Any]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in changes:
            patch.setattr(module, name, value)
        yield


def rows(table: Table) -> list[tuple[Any, Any, float]]:
    return [(query, document, value) for query, inner in table.items() for document, value in inner.items()]


def frame(table: Table, value: str, kind: Any = None) -> pd.DataFrame:
    "A table of pandas, with ids of some type"
    made = pd.DataFrame(rows(table), columns=["query", "document", value])
    return made if kind is None else made.astype({"query": kind, "document": kind})


def trec(table: Table, value: str, between: str = " ", end: str = "\n") -> bytes:
    "A file of TREC's; ranks are those of the scores"
    lines = []
    for query, inner in table.items():
        rank = {document: i for i, document in enumerate(sorted(inner, key=lambda d: -inner[d]), 1)}
        for document, x in inner.items():
            fields = [query, "0", document, x] if value == "grade" else [query, "Q0", document, rank[document], x, "t"]
            lines.append(between.join(map(str, fields)) + end)
    return "".join(lines).encode()


def delimited(table: Table, value: str, delimiter: str = ",") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([("query", "document", value), *rows(table)])
    return text.getvalue().encode()


def in_parquet(table: Table, value: str) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(in_arrow(table, value), sink)
    return sink.getvalue()


def in_polars(table: Table, value: str) -> pl.DataFrame:
    return pl.DataFrame(rows(table), schema=["query", "document", value], orient="row")


def in_categories(table: Table, value: str) -> pl.DataFrame:
    ids = pl.col("query", "document")
    return in_polars(table, value).with_columns(ids.cast(pl.Categorical))


def in_arrow(table: Table, value: str) -> pa.Table:
    return pa.Table.from_pandas(frame(table, value))


def in_views(table: Table, value: str) -> pa.Table:
    queries, documents, numbers = zip(*rows(table))
    ids = [pa.array(names, pa.string_view()) for names in (queries, documents)]
    return pa.table({"query": ids[0], "document": ids[1], value: list(numbers)})


FORMS: dict[str, Callable[[Table, str], Any]] = {
    "pandas": frame,
    "pandas, objects": lambda t, v: frame(t, v, object),
    "pandas, categories": lambda t, v: frame(t, v, "category"),
    "pandas, arrow": lambda t, v: frame(t, v, pd.ArrowDtype(pa.string())),
    "polars": in_polars,
    "polars, lazy": lambda t, v: in_polars(t, v).lazy(),
    "polars, categories": in_categories,
    "pyarrow": in_arrow,
    "pyarrow, views": in_views,
    "pyarrow, batches": lambda t, v: in_arrow(t, v).to_reader(max_chunksize=2),
    "TREC": trec,
    "TREC, tabs": lambda t, v: trec(t, v, "\t"),
    "TREC, untidy": lambda t, v: b"\xef\xbb\xbf# made by hand\r\n\r\n" + trec(t, v, " \t ", "  \r\n"),
    "TREC, packed": lambda t, v: gzip.compress(trec(t, v)),
    "TREC, text": lambda t, v: trec(t, v).decode(),
    "TREC, a file": lambda t, v: io.BytesIO(trec(t, v)),
    "TREC, a file of text": lambda t, v: io.StringIO(trec(t, v).decode()),
    "CSV": delimited,
    "CSV with a BOM": lambda t, v: b"\xef\xbb\xbf" + delimited(t, v),
    "TSV": lambda t, v: delimited(t, v, "\t"),
    "JSON": lambda t, v: json.dumps(t).encode(),
    "Parquet": in_parquet,
}
