"""Tables that stay where they are get the values, notes and refusals of tables in memory."""

import re
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import evaluate
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.sql import evaluate_lazily

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
sqlglot = pytest.importorskip("sqlglot", reason="sqlglot is not installed")

MEASURES = (
    "ndcg@1,5 dcg@5 cg judged@5 idcg ncg@3 gain_recall@5 ndcg(gain=exp)@10 ndcg(like=trec_eval)@10 ndcg(ties=worst)@3"
)


def problem(seed: int, queries: int = 12) -> tuple[pd.DataFrame, pd.DataFrame]:
    "Judgements and results with ties, unjudged and missing ones, queries without anything to find, and one too many"
    rng = np.random.default_rng(seed)
    judged = []
    shown = []
    for i in range(queries):
        some = rng.choice(30, rng.integers(1, 12), replace=False)
        judged += [(f"q{i}", f"d{j}", int(rng.integers(0, 4)) * (i != 2)) for j in some]
    for name in [*(f"q{i}" for i in range(queries - 2)), "extra"]:
        some = rng.permutation(30)[: rng.integers(1, 25)]
        shown += [(name, f"d{j}", rng.integers(0, 6) / 3 if rng.random() < 0.97 else -np.inf) for j in some]
    names = ["query_id", "doc_id"]
    return pd.DataFrame(judged, columns=[*names, "grade"]), pd.DataFrame(shown, columns=[*names, "score"])


def same(ours: Any, theirs: Any) -> None:
    "The values of every query, the means and the notes"
    assert ours.measures == theirs.measures
    assert ours.runs == theirs.runs
    ours_by, theirs_by = (
        x.per_query.sort_values("query", kind="stable").reset_index(drop=True) for x in (ours, theirs)
    )
    pd.testing.assert_frame_equal(ours_by, theirs_by, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.means, theirs.means, rtol=0, atol=1e-12)
    assert sorted(ours.notes) == sorted(theirs.notes)


@pytest.fixture
def con() -> Any:
    with duckdb.connect() as connection:
        yield connection


def keep(con: Any, name: str, frame: pd.DataFrame) -> None:
    "A frame as a table of its own"
    con.register("frame", frame)
    con.execute(f"CREATE TABLE {name} AS SELECT * FROM frame ORDER BY random()")
    con.unregister("frame")


@pytest.fixture
def tables(con: Any) -> Any:
    for name, frame in zip(("qrels", "run"), problem(0)):
        keep(con, name, frame)
    return con


def test_as_in_memory(con: Any) -> None:
    "By table or by name, with one side here and the other there"
    qrels, run = problem(0)
    keep(con, "q", qrels)
    keep(con, "run", run)
    judged = con.table("q")
    shown = con.table("run")
    same(evaluate(judged, shown, MEASURES), evaluate(qrels, run, MEASURES))
    wanted = evaluate(qrels, run, "ndcg@5")
    same(evaluate("q", "run", "ndcg@5", connection=con), wanted)
    same(evaluate(qrels, shown, "ndcg@5"), wanted)
    same(evaluate(judged, run, "ndcg@5"), wanted)
    assert [x[0] for x in con.sql("SHOW TABLES").fetchall()] == ["q", "run"], "nothing is left behind"


def test_one_table_of_both(con: Any) -> None:
    qrels, run = problem(1)
    joined = qrels.merge(run, how="outer")
    keep(con, "joined", joined)
    same(evaluate(con.table("joined"), "ndcg@5 judged@5"), evaluate(joined, "ndcg@5 judged@5"))


def test_ids_that_are_numbers_here_and_text_there(con: Any) -> None:
    qrels, run = problem(2)
    number = {x: qrels[x].str[1:].astype(int) for x in ("query_id", "doc_id")}
    run = run[run["query_id"] != "extra"]
    text = {x: run[x].str[1:] for x in ("query_id", "doc_id")}
    qrels = qrels.assign(**number)
    run = run.assign(**text)
    keep(con, "q", qrels)
    same(evaluate(con.table("q"), run, "ndcg(ties=id)@5"), evaluate(qrels, run, "ndcg(ties=id)@5"))


def test_ranks_and_other_names(con: Any) -> None:
    qrels, run = problem(3)
    ranked = run.assign(position=run.groupby("query_id")["score"].rank(method="first", ascending=False)).drop(
        columns="score"
    )
    keep(con, "ranked", ranked.rename(columns={"query_id": "user"}))
    columns = {"query": "user", "rank": "position"}
    theirs = evaluate(qrels, ranked.rename(columns={"query_id": "user"}), "ndcg@5", columns=columns)
    same(evaluate(qrels, con.table("ranked"), "ndcg@5", columns=columns), theirs)


def test_a_column_that_holds_the_order(con: Any) -> None:
    qrels, run = problem(4)
    keep(con, "numbered", run.assign(line=np.arange(len(run))))
    for measure in ("ndcg(ties=first)@5", "ndcg(ties=last)@5", "ndcg(like=ranx)@5"):
        theirs = evaluate(qrels, run, measure, missing="skip")
        same(evaluate(qrels, con.table("numbered"), measure, missing="skip", columns={"order": "line"}), theirs)


def test_changes_are_explained_where_they_are(tables: Any) -> None:
    run = tables.table("run")
    twice = evaluate(tables.table("qrels"), {"a": run, "b": run}, "ndcg@5")
    assert (twice.explain_change("a", "b")["share"] == 0).all()


def test_names_that_need_care(con: Any) -> None:
    "Ids that would end a text, tables in a schema, columns that are words of SQL"
    con.execute('CREATE SCHEMA "My Data"')
    con.execute('CREATE TABLE "My Data".results ("group" TEXT, "select" TEXT, score DOUBLE)')
    run = {"it's": {'a"b': 0.9, "c\\d": 0.8, "'; DROP TABLE x; --": 0.7}}
    rows = [(q, d, s) for q, found in run.items() for d, s in found.items()]
    con.executemany('INSERT INTO "My Data".results VALUES (?, ?, ?)', rows)
    qrels = {"it's": {"c\\d": 2, "'; DROP TABLE x; --": 1}}
    columns = {"query": "group", "document": "select"}
    ours = evaluate(qrels, con.sql('SELECT * FROM "My Data".results'), "ndcg@5", columns=columns)
    assert ours.value == pytest.approx(evaluate(qrels, run, "ndcg@5").value, abs=1e-12)
    assert ours.explain("it's").ndcg == pytest.approx(ours.value, abs=1e-12)
    con.execute("CREATE TABLE qrels (query TEXT, document TEXT, grade INT)")
    con.execute("INSERT INTO qrels VALUES ('it''s', 'c\\d', 2)")
    assert evaluate("qrels", "My Data.results", "ndcg@5", columns={"document": "document"} | columns, connection=con)


def test_a_row_without_a_grade_is_not_judged(con: Any) -> None:
    qrels, run = problem(5)
    holes = qrels.assign(grade=qrels["grade"].where(qrels["grade"] != 1))
    keep(con, "holes", holes)
    found = evaluate(con.table("holes"), con.sql("SELECT * FROM run"), "ndcg@5 judged@5")
    theirs = evaluate(holes, run, "ndcg@5 judged@5")
    pd.testing.assert_frame_equal(
        found.per_query.sort_values("query", ignore_index=True),
        theirs.per_query.sort_values("query", ignore_index=True),
        rtol=1e-12,
    )
    assert found.mean_rows[0] == pytest.approx(theirs.mean_rows[0], rel=1e-12)
    count = int(holes["grade"].isna().sum())
    assert f"{count} rows have no grade in qrels: not judged, and not counted as 0." in found.notes


def test_an_empty_set_of_judgements_beside_an_engine(con: Any) -> None:
    keep(con, "shown", pd.DataFrame({"query": ["q1", "q1", "q2"], "document": ["b", "a", "b"], "score": [2.0, 1, 2]}))
    qrels = {"q1": {"a": 1}, "q2": {}, "q3": set()}
    run = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"b": 2.0}}
    measures = "ndcg(empty=0)@5 recall dcg"
    ours = evaluate(qrels, con.table("shown"), measures)
    theirs = evaluate(qrels, run, measures)
    np.testing.assert_allclose(ours.values, theirs.values, rtol=1e-12)
    assert ours.notes == theirs.notes


def test_a_point_in_the_name_of_a_table(con: Any) -> None:
    con.execute("CREATE TABLE \"a.b\" AS SELECT 'q1' AS query, 'a' AS document, 1.0 AS score")
    assert evaluate({"q1": {"a": 1}}, "a.b", "ndcg@5", connection=con).value == 1


def test_nothing_judged_and_nothing_returned(tables: Any) -> None:
    none = tables.sql("SELECT * FROM qrels WHERE FALSE")
    assert "nothing to average" in evaluate(none, tables.table("run")).notes[0]
    nothing = evaluate(tables.table("qrels"), tables.sql("SELECT * FROM run WHERE FALSE"))
    assert nothing.value == 0


@pytest.mark.parametrize("measures", ["ndcg@5,10 dcg@3", "ndcg(like=trec_eval)@10", "p@3 recall@5 rr ap@4 success@2"])
def test_lazily(tables: Any, measures: str) -> None:
    qrels, run = problem(0)
    table = evaluate_lazily(tables.table("qrels"), tables.table("run"), measures)
    assert type(table).__name__ == "DuckDBPyRelation"
    theirs = evaluate(qrels, run, measures).per_query
    ours = table.df().set_index("query").reindex(theirs["query"]).reset_index()
    pd.testing.assert_frame_equal(ours, theirs, rtol=0, atol=1e-12)


MADE = {  # what is wrong, as it is made from the tables that are right
    "texts": "SELECT query_id, doc_id, 'good' AS grade FROM qrels",
    "ungraded": "SELECT query_id, doc_id, CAST(NULL AS DOUBLE) AS grade FROM qrels",
    "negative": "SELECT query_id, doc_id, grade - 1 AS grade FROM qrels",
    "nameless": "SELECT NULLIF(query_id, 'q1') AS query_id, doc_id, grade FROM qrels",
    "no_scores": "SELECT query_id, doc_id, CASE WHEN doc_id = 'd3' THEN NULL ELSE score END AS score FROM run",
    "nan_scores": "SELECT query_id, doc_id, IF(doc_id = 'd3', 'nan'::DOUBLE, score) AS score FROM run",
    "twice": "SELECT * FROM run UNION ALL SELECT query_id, doc_id, score + 1 FROM run",
    "strangers": "SELECT 'x' || query_id AS query_id, doc_id, score FROM run",
    "other_documents": "SELECT query_id, 'x' || doc_id AS doc_id, score FROM run",
    "turned": "SELECT DISTINCT ours.query_id, others.doc_id, 1.0 AS score FROM qrels AS ours, qrels AS others "
    "WHERE (ours.query_id, others.doc_id) NOT IN (SELECT (query_id, doc_id) FROM qrels)",
    "no_query": "SELECT CASE WHEN doc_id = 'd3' THEN NULL ELSE query_id END AS query_id, doc_id, score FROM run",
}
FAULTS = """
texts | run | qrels: the column 'grade' holds text, and a grade is a number
ungraded | run | the grade is NULL in every row of qrels: nothing was judged
negative | run | an ideal needs gains of 0 or more
nameless | run | a row has no id, in query_id or doc_id
qrels | no_scores | has a score that is NULL or NaN among its results
qrels | nan_scores | NULL or NaN
qrels | twice | has a document twice, or one without an id
qrels | no_query | a row has no id of a query
qrels | strangers | have no query in common
qrels | turned | document 'd0' is judged for another
run | qrels | has no column for grade
nope | run | DuckDB has no table 'nope'
qrels | a; DROP TABLE run | which is not a name
"""
RULES: list[tuple[dict[str, Any], str]] = [
    ({"like": "ranx"}, "goes by the order of rows, and a table has none"),
    ({"duplicates": "first"}, "is for rows in memory"),
    ({"columns": {"query": "nope"}}, "there is no column 'nope'"),
    ({"columns": {"quer": "query_id"}}, "the roles are"),
    ({"measures": "bounds@5"}, "SQL supports only"),
    ({"measures": "ap(per=found)@5"}, "SQL divides"),
    ({"measures": "p"}, "p: there is no cutoff"),
    ({"measures": "recall(level=9)@5"}, "the highest grade is 3"),
]


@pytest.mark.parametrize("fault", FAULTS.strip().splitlines())
def test_refused(tables: Any, fault: str) -> None:
    qrels, run, said = fault.split(" | ")
    for name in {qrels, run} & MADE.keys():
        tables.execute(f"CREATE TABLE {name} AS {MADE[name]}")
    before = tables.sql("SHOW TABLES").fetchall()
    with pytest.raises(ValueError, match=re.escape(said)):
        evaluate(qrels, run, connection=tables)
    assert tables.sql("SHOW TABLES").fetchall() == before


@pytest.mark.parametrize("how, said", RULES, ids=str)
def test_rules_that_are_refused(tables: Any, how: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        evaluate("qrels", "run", connection=tables, **how)


def test_grades_that_a_gain_is_not_for(tables: Any) -> None:
    fractions = tables.sql("SELECT query_id, doc_id, grade / 2 AS grade FROM qrels")
    with pytest.raises(ValueError, match="this gain is for whole grades"):
        evaluate(fractions, tables.table("run"), like="trec_eval")


def test_documents_of_another_kind_may_be_meant(tables: Any) -> None:
    tables.execute(f"CREATE TABLE other AS {MADE['other_documents']}")
    assert evaluate("qrels", "other", connection=tables, disjoint="zero").value == 0
    deep = f"SELECT query_id, doc_id, score - 100 AS score FROM run UNION ALL {MADE['other_documents']}"
    assert evaluate("qrels", tables.sql(deep), "ndcg@1", connection=tables).value == 0, "they meet further down"


def test_what_is_no_table(tables: Any) -> None:
    qrels, run = problem(0)
    with pytest.raises(TypeError, match="connection is 3: give a connection of DuckDB, or a session of Spark"):
        evaluate("qrels", "run", connection=3)
    with pytest.raises(TypeError, match="in no engine"):
        evaluate_lazily(qrels, run)
    with pytest.raises(ValueError, match="do not share one ranking"):
        evaluate_lazily(tables.table("qrels"), tables.table("run"), "ndcg@5 ndcg(gain=exp)@5")
    with pytest.raises(ValueError, match="there are 2 runs"):
        evaluate_lazily(tables.table("qrels"), {"a": run, "b": run})
    with pytest.raises(ValueError, match="SQL cannot: say 'zero' or 'skip'"):
        evaluate_lazily(tables.table("qrels"), tables.table("run"), missing="error")
    with duckdb.connect() as other, pytest.raises(Unreadable, match="cannot be read on a connection to another"):
        evaluate(tables.table("qrels"), other.sql("SELECT 'q1' AS query, 'd1' AS document, 1.0 AS score"))


def test_what_the_engine_cannot_do(tables: Any) -> None:
    failing = tables.sql("SELECT query_id, doc_id, error('the disk is full')::DOUBLE AS score FROM run")
    with pytest.raises(Unreadable, match=r"DuckDB cannot do this: .*the disk is full"):
        evaluate(tables.table("qrels"), failing)


def test_without_the_libraries(tables: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(ImportError, match=r"pip install (duckdb|sqlglot)"):
        evaluate(tables.table("qrels"), tables.table("run"))


class Session:
    "What is asked of Spark, answered by DuckDB: which statements are sent, and with which tables"

    def __init__(self) -> None:
        self.con = duckdb.connect()
        self.sent = []

    def table(self, name: str) -> "Frame":
        if name.strip("`") not in [x[0] for x in self.con.sql("SHOW TABLES").fetchall()]:
            raise Refused(f"[TABLE_OR_VIEW_NOT_FOUND] there is no {name}\nat line 1")
        return Frame(self, self.con.table(name.strip("`")).df())

    def sql(self, text: str, **tables: "Frame") -> "Frame":
        self.sent.append(text.format(**{name: name for name in tables}))
        for name, table in tables.items():
            self.con.register(name, table.frame)
        try:
            return Frame(self, self.con.sql(sqlglot.transpile(self.sent[-1], read="spark", write="duckdb")[0]).df())
        finally:
            for name in tables:
                self.con.unregister(name)

    def createDataFrame(self, rows: list[Any], schema: str) -> "Frame":
        return Frame(self, pd.DataFrame(rows, columns=[x.split()[0] for x in schema.split(", ")]))


class Frame:
    "A table of that"

    def __init__(self, session: Session, frame: pd.DataFrame) -> None:
        self.sparkSession = session
        self.frame = frame
        self.columns = list(frame)

    @property
    def dtypes(self) -> list[tuple[str, str]]:
        return [(x, "double" if self.frame[x].dtype.kind in "if" else "string") for x in self.frame]

    def collect(self) -> list[Any]:
        return list(self.frame.itertuples(index=False, name=None))


class Refused(Exception):
    "An error of Spark"


Session.__name__ = "SparkSession"
Frame.__name__ = "DataFrame"
Session.__module__ = Frame.__module__ = "pyspark.sql.standin"


@pytest.fixture
def spark(monkeypatch: pytest.MonkeyPatch) -> Session:
    errors: Any = type(sys)("pyspark.errors")
    errors.PySparkException = Refused
    monkeypatch.setitem(sys.modules, "pyspark", type(sys)("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.errors", errors)
    return Session()


def test_the_way_to_spark(spark: Session) -> None:
    "The road there and back, where there is no Spark; on a real one, see test_spark.py"
    qrels, run = problem(0)
    there = Frame(spark, qrels), Frame(spark, run)
    same(evaluate(*there, MEASURES), evaluate(qrels, run, MEASURES))
    wanted = evaluate(qrels, run, "ndcg@5")
    same(evaluate(qrels, there[1], "ndcg@5"), wanted)
    same(evaluate(there[0], run, "ndcg@5"), wanted)
    spark.con.register("q", qrels)
    spark.con.register("run", run)
    same(evaluate("q", "run", "ndcg@5", connection=spark), wanted)
    assert evaluate_lazily(*there, "ndcg@5").columns == ["query", "ndcg@5"]
    assert all(sqlglot.parse_one(text, read="spark") for text in spark.sent)
    with pytest.raises(Unreadable, match=r"Spark has no table 'nope': \[TABLE_OR_VIEW_NOT_FOUND\] there is no `nope`"):
        evaluate("q", "nope", connection=spark)
    with duckdb.connect() as con, pytest.raises(TypeError, match="in DuckDB and Spark: bring both into one"):
        evaluate(there[0], con.sql("SELECT 'q1' AS query, 'd1' AS document, 1.0 AS score"))
