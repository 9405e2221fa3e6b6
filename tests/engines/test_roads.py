"""One answer by every road: in memory, from Parquet in pieces, in DuckDB (and, in `test_spark.py`, in Spark)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import half
from shared.roads import (
    GRADED,
    LIKELY,
    OF_HITS,
    Problem,
    answer,
    check,
    compare,
    in_memory,
    problem,
    table,
    told_swapped,
)

from ndcg_nb import evaluate
from ndcg_nb.hood.core.conventions import DIALECTS
from ndcg_nb.hood.engines import parquet as streams
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.hood.runs.loop import RunningTally
from ndcg_nb.runs import MEASURES
from ndcg_nb.sql import evaluate_lazily, ndcg_sql

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
pytest.importorskip("sqlglot", reason="sqlglot is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")


# ------------------------------------------------------------------------------------------------------------- DuckDB
@pytest.fixture(scope="module")
def con() -> Any:
    with duckdb.connect(config={"threads": "1"}) as connection:
        yield connection


def in_duckdb(con: Any, x: Problem) -> Any:
    "The answer of DuckDB, in whose tables rows have no order but that of a column"
    for name, frame in {"qrels": x.qrels, **x.runs}.items():
        numbered = frame.assign(line=np.arange(len(frame)))
        con.register("frame", numbered.sample(frac=1, random_state=len(frame)))
        con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM frame")
        con.unregister("frame")
    runs = {name: con.table(name) for name in x.runs}
    return answer(lambda: evaluate(con.table("qrels"), runs, columns={"order": "line"}, **x.how))


SQL = sorted(name for name, whole in DIALECTS.items() if whole.ideal != "given")


@pytest.mark.parametrize("like", half(SQL))
def test_dialects_in_duckdb(con: Any, like: str) -> None:
    seed = 4 * SQL.index(like) + 1
    x = problem(seed, like=like)
    check(in_memory(x), in_duckdb(con, x), (seed, like))


@pytest.mark.parametrize("seed", half(range(1000, 1032)))
def test_measures_in_duckdb(con: Any, seed: int) -> None:
    x = problem(seed)
    check(in_memory(x), in_duckdb(con, x), seed)


@pytest.mark.parametrize("seed", half(range(3000, 3048, 2)))
def test_hits_in_duckdb(con: Any, seed: int) -> None:
    "A level that no grade reaches is refused, so nothing else may be wrong"
    x = problem(seed, OF_HITS)
    x.how["disjoint"] = "zero"
    check(in_memory(x), in_duckdb(con, x), seed)


# ------------------------------------------------------------------------------------------------------------ Parquet
ONLY_IN_PROCESS = """
ndcg_at_r penalized_ndcg@5 condensed_ndcg@5 bounds@3 f1@5 rprec bpref rbp err(ties=first,highest=9)@5
ndcg(ties=first)@5 ndcg(ties=last)@5 ndcg(discount=zipf)@5 ndcg(gain={1:1,2:3})@5 dcg(discount=[1,2,3,4,5])@5
ndcg(judged=only)@5 p(judged=only)@3 ap(judged=only,like=trec_eval)
subtopic_recall@3 subtopic_recall(level=2)@5 full_recall@5 full_recall(ties=id) abstained
"""
EVERY = GRADED + OF_HITS + ONLY_IN_PROCESS
WAYS = ["pieces", "at once", "several times"]


def test_every_measure_is_compared() -> None:
    without_needs = MEASURES.keys() - {"alpha_ndcg"}  # which has no value of judgements without needs
    assert all(name in EVERY for name in without_needs)


def on_disk(folder: Path, run: pd.DataFrame) -> str:
    "A run in two files with small groups"
    folder.mkdir()
    middle = len(run) // 2
    for i, part in enumerate((run[:middle], run[middle:])):
        rows = pa.Table.from_pandas(part, preserve_index=False)
        parquet.write_table(rows, folder / f"{i}.parquet", row_group_size=3)
    return str(folder)


def from_parquet(x: Problem, way: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    "Sorted by query, a run passes in pieces; in any order it is read at once, or some queries at a time"
    patch.setattr(streams, "A_PIECE", 5)
    patch.setattr(streams, "AT_ONCE", 1 if way == "several times" else 2**23)
    if way != "pieces":
        x = x._replace(runs={name: run.sample(frac=1, random_state=0) for name, run in x.runs.items()})
    files = {name: on_disk(folder / name, run) for name, run in x.runs.items()}
    there = answer(lambda: evaluate(x.qrels, files, **x.how))
    here = in_memory(x)
    check(here, there, (x.how, way))
    if isinstance(there, tuple) or isinstance(here, tuple):
        return
    assert there.values.tobytes() == here.values.tobytes(), "to the last bit"
    assert there.means.equals(here.means)
    sides = [side for run in there.sides().values() for side in run.values()]
    whole = [side for run in here.sides().values() for side in run.values()]
    for ours, theirs in zip(sides, whole, strict=True):
        for number in range(len(theirs.size)):  # which is how a query is found again, to be explained
            assert [*map(list, ours.results(number))] == [*map(list, theirs.results(number))]
            assert ours.results(number) == theirs.results(number)
    assert way == "at once" or all(isinstance(side, RunningTally) for side in sides), "the other way was taken"


@pytest.mark.parametrize("seed", half(range(2000, 2060)))
def test_parquet_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    x = problem(seed, EVERY)
    from_parquet(x, WAYS[seed % 3], tmp_path, monkeypatch)


@pytest.mark.parametrize("like", half(DIALECTS))
def test_dialects_from_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, like: str) -> None:
    number = [*DIALECTS].index(like)
    x = problem(4 * number + 2, like=like)
    from_parquet(x, WAYS[number % 3], tmp_path, monkeypatch)


# ------------------------------------------------------------------------------------------------- each fault by itself
TWO = table([("q1", "d", 2), ("q2", "d", 2)], "grade")
ONE = table([("q1", "d", 1.0)], "score")
LISTS = """
ndcg(ideal=list,empty=1)@10 ndcg(ideal=list)@10 ndcg(ideal=hits,empty=1)@10 ndcg(ideal=hits)@10
gain_recall(ideal=list,empty=1)@10 ncg(ideal=list,empty=1)@10
"""


@pytest.mark.parametrize("measure", LISTS.split())
def test_a_query_that_is_missing_counts_0(con: Any, measure: str) -> None:
    "Also where the ideal is that of the list, which it lacks: it is missing, and not empty"
    missing = "1 judged query is missing from run (counted as 0): 'q2'."
    con.register("r", ONE.assign(line=0))
    for run in (ONE, con.table("r")):
        result = evaluate(TWO, run, measure, missing="zero")
        assert result.values[0, :, 0].tolist() == [1, 0]
        assert missing in result.notes
    lazy = evaluate_lazily(TWO, con.table("r"), measure, missing="zero", columns={"order": "line"})
    assert sorted(lazy.fetchall()) == [("q1", 1), ("q2", 0)]


def test_a_query_that_is_missing_counts_0_in_sql(con: Any) -> None:
    con.register("q", TWO)
    con.register("r", ONE.assign(line=0))
    names = {"columns": {"order": "line"}, "like": "lightgbm"}
    assert con.sql(ndcg_sql("q", "r", missing="zero", **names)).fetchall() == [(0.5, 2, 0)]
    assert con.sql(ndcg_sql("q", "r", **names)).fetchall() == [(1, 1, 0)]


def test_the_share_may_be_asked_too_late() -> None:
    "Where it takes a statement of its own, that is run when the notes are read; a note is no reason to fail"
    with duckdb.connect() as own:
        own.register("r", ONE)
        result = evaluate(TWO, own.table("r"), "ndcg(ties=id)@1", missing="zero")
        other = evaluate(TWO, own.table("r"), "ndcg@1")
    with pytest.warns(UserWarning, match="how much was judged cannot be asked any more. DuckDB cannot do this"):
        assert not any("are judged" in note for note in result.notes)
    assert "On average, 100% of the top 1 results are judged." in other.notes


ABOVE = r" is {}(\.0+)?, above 2\*\*53"


@pytest.mark.parametrize("kind", ["BIGINT", "HUGEINT", "DECIMAL(20,0)", "DECIMAL(38,10)"])
@pytest.mark.parametrize("number", [1_700_000_000_000_000_001, -(2**53) - 1])
def test_whole_numbers_no_float_can_hold(con: Any, kind: str, number: int) -> None:
    def column(name: str, values: str) -> Any:
        return con.sql(
            f"SELECT 'q' AS query, d AS document, CAST(n AS {kind}) AS {name} FROM (VALUES {values}) t(d, n)"
        )

    values = f"('a', {number}), ('b', 1)"
    qrels = table([("q", "a", 1), ("q", "b", 0)], "grade")
    with pytest.raises(Unreadable, match="run: the score of document 'a' of 'q'" + ABOVE.format(number)):
        evaluate(qrels, column("score", values))
    with pytest.raises(Unreadable, match="qrels: the grade of document 'a' of 'q'" + ABOVE.format(number)):
        evaluate(column("grade", values), ONE)
    largest = f"('a', {2**53}), ('b', {-(2**53)})"
    assert evaluate(qrels, column("score", largest)).value == 1


def test_columns_of_a_frame_beside_a_table(con: Any) -> None:
    qrels = TWO.rename(columns={"grade": "REL"})
    run = con.from_df(ONE)
    assert evaluate(qrels, run, columns={"grade": "REL"}).values[0, :, 0].tolist() == [1, 0]
    shown = ONE.rename(columns={"score": "S"})
    assert evaluate(con.from_df(TWO), shown, columns={"score": "S"}).values[0, :, 0].tolist() == [1, 0]
    with pytest.raises(Unreadable, match="there is no column 'RELL', only 'REL'"):
        evaluate(qrels, run, columns={"grade": "RELL"})


def test_a_measure_that_ignores_the_query_itself_beside_one_that_does_not(con: Any) -> None:
    "A query whose only result is itself is missing to one, and not to the other"
    qrels = table([("a", "a", 1), ("b", "c", 1)], "grade")
    run = table([("a", "a", 1.0), ("b", "c", 1.0)], "score")
    for measures in ("ndcg@3 ndcg(like=beir)@3", "ndcg(like=beir)@3 ndcg@3"):
        here, there = (evaluate(qrels, x, measures) for x in (run, con.from_df(run)))
        compare(there, here, measures)
        assert any("missing" in note for note in here.notes)


def test_explained_by_the_scores_as_they_are(con: Any) -> None:
    "Not by those of the first measure, which may be of 32 bits; and in the order of rows, where ties go by that"
    qrels = table([("q", "a", 1), ("q", "b", 0)], "grade")
    run = table([("q", "b", 1.0), ("q", "a", 1.00000001)], "score")
    result = evaluate(qrels, con.from_df(run), "ndcg(like=trec_eval)@1 ndcg@1")
    assert result.explain("q", "ndcg@1").ndcg == result.values[0, 0, 1] == 1
    tied = run.assign(score=1.0, line=[2, 1])
    result = evaluate(qrels, con.from_df(tied), "ndcg(ties=first)@1", columns={"order": "line"})
    assert result.explain("q").ndcg == result.value == 1


# ------------------------------------------------------------------------------------------------------ likely mistakes
ROADS = [*WAYS, "DuckDB", "judgements here", "run here"]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("mistake", LIKELY)
def test_likely_mistakes_are_told_on_every_road(
    con: Any, mistake: str, road: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    "That judgements and run seem to be swapped"
    qrels, run, number = LIKELY[mistake]
    monkeypatch.setattr(streams, "A_PIECE", 2)
    monkeypatch.setattr(streams, "AT_ONCE", 1 if road == "several times" else 2**23)
    if road in WAYS:
        apart = [0, len(run) - 1, *range(1, len(run) - 1)]  # the first query comes again behind the second
        shown = run if road == "pieces" else run.iloc[apart]
        there = qrels, on_disk(tmp_path / "run", shown)
    else:
        judged = qrels if road == "judgements here" else con.from_df(qrels)
        there = judged, run if road == "run here" else con.from_df(run)
    told = told_swapped(qrels, run)
    assert told_swapped(*there) == told
    assert len(told) == number


# ------------------------------------------------------------------------------------------------------ names of tables
def test_only_tables_are_read(con: Any, tmp_path: Path) -> None:
    "Any other name would be that of a file, or of a variable of Python"
    path = tmp_path / "run.csv"
    path.write_text("query,document,score\nq1,d,1\n")
    con.execute("CREATE OR REPLACE TABLE judged AS SELECT 'q1' AS query, 'd' AS document, 1 AS grade")
    con.execute("CREATE SCHEMA IF NOT EXISTS s")
    con.execute("CREATE OR REPLACE VIEW s.shown AS SELECT 'q1' AS query, 'd' AS document, 1 AS score")
    for name in (str(path), "/etc/passwd", "x", "name", "s.judged", "nope.shown"):
        with pytest.raises(Unreadable, match=re.escape(f"DuckDB has no table {name!r}")):
            evaluate("judged", name, connection=con)
    with pytest.raises(Unreadable, match=r"DuckDB has no table 'judge'; did you mean 'judged'\?"):
        evaluate("judge", "s.shown", connection=con)
    for judged in ("judged", "JUDGED", "main.judged", "memory.judged", "memory.main.judged"):
        assert evaluate(judged, "s.shown", connection=con).value == 1


MISTAKES: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (
        lambda con: evaluate(con, "run"),
        TypeError,
        "qrels is a connection: give the name of a table there, and the connection as connection=",
    ),
    (lambda con: evaluate({"q": {"d": 1}}, con), TypeError, "run is a connection"),
    (lambda con: evaluate("SELECT * FROM q", "run", connection=con), ValueError, "con.sql('…')"),
    (
        lambda con: evaluate("(select 1)", "(select 1)", connection=con),
        ValueError,
        "a statement: give the name of a table or a view",
    ),
    (
        lambda con: ndcg_sql("with x as (select 1) from x"),
        ValueError,
        "qrels is 'with x as (select 1) from x', a statement",
    ),
    (lambda con: ndcg_sql(engine="postgresql"), ValueError, "did you mean 'postgres'?"),
]


@pytest.mark.parametrize("ask, kind, said", MISTAKES, ids=lambda x: x if isinstance(x, str) else "")
def test_mistakes(
    con: Any,
    ask: Callable[[Any], Any],
    kind: type[Exception],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=re.escape(said)):
        ask(con)
