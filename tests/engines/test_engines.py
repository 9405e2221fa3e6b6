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


@pytest.mark.parametrize("seed, missing", [(0, "zero"), (1, "skip"), (2, "zero")])
def test_as_in_memory(con: Any, seed: int, missing: str) -> None:
    qrels, run = problem(seed)
    keep(con, "q", qrels)
    keep(con, "run", run)
    wanted = evaluate(qrels, run, MEASURES, missing=missing)
    there = con.table("q"), con.table("run")
    same(evaluate(*there, MEASURES, missing=missing), wanted)
    same(evaluate("q", "run", MEASURES, missing=missing, connection=con), wanted)
    same(evaluate(qrels, there[1], MEASURES, missing=missing), wanted)
    same(evaluate(there[0], run, MEASURES, missing=missing), wanted)
    both = {"one": there[1], "other": there[1]}
    same(evaluate(there[0], both, "ndcg@5"), evaluate(qrels, {"one": run, "other": run}, "ndcg@5"))
    assert [x[0] for x in con.sql("SHOW TABLES").fetchall()] == ["q", "run"], "nothing is left behind"


HITS = [
    "p@1,5 recall@1,5,30 ndcg@5 precision(level=2)@3 recall",
    "p(level=3,ties=worst)@3 recall(ties=id)@2 recall(empty=nan)@3 p(empty=1,level=2)@2",
    "p(like=trec_eval)@5 recall(like=catboost)@5 recall(ideal=list)@5 p(ideal=list,per=relevant)@5",
    "rr ap success rr@1,4 ap@3,30 success@1,5 hit_rate@3 mrr(level=3)@5 map(level=2)@4",
    "rr(ties=id)@3 ap(ties=lowest-id) success(ties=id)@2 rr(ties=worst) ap(ties=best)@5 ap(minus_inf=last)",
    "rr(empty=nan)@3 ap(empty=1,level=2) success(empty=0.5,level=3)@2 ap(per=k)@5 rr(precision=float32)",
    "rr(like=trec_eval) ap(like=trec_eval)@5 success(like=trec_eval)@5 rr(like=ir_measures)@5 ap(like=ir_measures)",
    "ap(ideal=list)@5 rr(ideal=list) success(ideal=list)@3 ap(ideal=reached)@3 rr(ideal=hits)@4",
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("measures", HITS)
def test_measures_of_hits(con: Any, measures: str, seed: int) -> None:
    "Ties, queries without results, and in every third one nothing that reaches the level"
    qrels, run = problem(seed, 10)
    qrels = qrels.assign(grade=qrels["grade"].where(~qrels["query_id"].isin(["q0", "q3", "q9"]), 0))
    keep(con, "q", qrels)
    keep(con, "run", run)
    missing = ("zero", "skip")[seed % 2]
    there = evaluate("q", "run", measures, missing=missing, connection=con)
    same(there, evaluate(qrels, run, measures, missing=missing))


def test_measures_of_hits_lazily(tables: Any) -> None:
    qrels, run = problem(0)
    together = "p@3 recall@5 rr ap@4 success@2"
    lazy = evaluate_lazily("qrels", "run", together, connection=tables).df().set_index("query").sort_index()
    wanted = evaluate(qrels, run, together).per_query.set_index("query").sort_index()
    pd.testing.assert_frame_equal(lazy, wanted, rtol=0, atol=1e-12)


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


def test_explained_where_it_is(tables: Any) -> None:
    qrels, run = problem(0)
    ours, theirs = (evaluate(*x, "ndcg@5") for x in ((tables.table("qrels"), tables.table("run")), (qrels, run)))
    for query in theirs.queries:
        assert ours.explain(query).ndcg == pytest.approx(theirs.explain(query).ndcg, abs=1e-12, nan_ok=True)
    again = evaluate(tables.table("qrels"), {"a": tables.table("run"), "b": tables.table("run")}, "ndcg@5")
    assert (again.explain_change("a", "b")["share"] == 0).all()


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


def test_nothing_judged_and_nothing_returned(tables: Any) -> None:
    none = tables.sql("SELECT * FROM qrels WHERE FALSE")
    assert "nothing to average" in evaluate(none, tables.table("run")).notes[0]
    nothing = evaluate(tables.table("qrels"), tables.sql("SELECT * FROM run WHERE FALSE"))
    assert nothing.value == 0


@pytest.mark.parametrize("measures", ["ndcg@5,10 dcg@3", "ndcg(like=trec_eval)@10", "ndcg(empty=1,ties=id)@3"])
def test_lazily(tables: Any, measures: str) -> None:
    qrels, run = problem(0)
    table = evaluate_lazily(tables.table("qrels"), tables.table("run"), measures)
    assert type(table).__name__ == "DuckDBPyRelation"
    theirs = evaluate(qrels, run, measures).per_query
    ours = table.df().set_index("query").reindex(theirs["query"]).reset_index()
    pd.testing.assert_frame_equal(ours, theirs, rtol=0, atol=1e-12)


MADE = {  # what is wrong, as it is made from the tables that are right
    "texts": "SELECT query_id, doc_id, 'good' AS grade FROM qrels",
    "two": "SELECT * FROM qrels UNION ALL SELECT query_id, doc_id, grade + 1 FROM qrels",
    "holes": "SELECT query_id, doc_id, CASE WHEN grade = 1 THEN NULL ELSE grade END AS grade FROM qrels",
    "negative": "SELECT query_id, doc_id, grade - 1 AS grade FROM qrels",
    "fractions": "SELECT query_id, doc_id, grade / 2 AS grade FROM qrels",
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
FAULTS = [
    ("texts", "run", {}, "qrels: the column 'grade' holds text, and a grade is a number"),
    ("two", "run", {}, "has two grades"),
    ("holes", "run", {}, "must be a finite number"),
    ("negative", "run", {}, "an ideal needs gains of 0 or more"),
    ("fractions", "run", {"like": "trec_eval"}, "this gain is for whole grades"),
    ("nameless", "run", {}, "a row has no id, in query_id or doc_id"),
    ("qrels", "no_scores", {}, "has a score that is NULL or NaN among its results"),
    ("qrels", "nan_scores", {}, "NULL or NaN"),
    ("qrels", "twice", {}, "has a document twice, or one without an id"),
    ("qrels", "no_query", {}, "a row has no id of a query"),
    ("qrels", "strangers", {}, "have no query in common"),
    ("qrels", "other_documents", {}, "have no document in common"),
    ("qrels", "turned", {}, "document 'd0' is judged for another"),
    ("qrels", "run", {"measures": "bounds@5"}, "SQL supports only"),
    ("qrels", "run", {"measures": "rbp@5"}, "SQL supports only"),
    ("qrels", "run", {"measures": "ap(per=found)@5"}, "SQL divides"),
    ("{{ ref('qrels') }}", "run", {}, "only dbt can read"),
    ("qrels", "run", {"measures": "p"}, "p: there is no cutoff"),
    ("qrels", "run", {"measures": "p(per=shown)@5"}, "SQL divides"),
    ("qrels", "run", {"measures": "recall(level=9)@5"}, "the highest grade is 3"),
    ("qrels", "run", {"like": "ranx"}, "goes by the order of rows, and a table has none"),
    ("qrels", "run", {"duplicates": "first"}, "goes by the order of rows"),
    ("qrels", "run", {"columns": {"query": "nope"}}, "there is no column 'nope'"),
    ("qrels", "run", {"columns": {"quer": "query_id"}}, "the roles are"),
    ("qrels", "run", {"missing": "error"}, "is judged but missing from"),
    ("qrels", "run", {"measures": "ndcg(empty=raise)@5"}, "is 0/0 for"),
    ("qrels", "run", {"measures": "ndcg(gain={0:0,1:1})@5"}, "which the gain table"),
    ("run", "qrels", {}, "has no column for grade"),
    ("nope", "run", {}, "DuckDB has no table 'nope'"),
    ("qrels", "a; DROP TABLE run", {}, "which is not a name"),
]


@pytest.mark.parametrize("qrels, run, how, said", FAULTS, ids=lambda x: str(x)[:30])
def test_refused(tables: Any, qrels: str, run: str, how: dict[str, Any], said: str) -> None:
    for name, text in MADE.items():
        if name in (qrels, run):
            tables.execute(f"CREATE TABLE {name} AS {text}")
    before = tables.sql("SHOW TABLES").fetchall()
    with pytest.raises(ValueError, match=re.escape(said)):
        evaluate(qrels, run, connection=tables, **how)
    assert tables.sql("SHOW TABLES").fetchall() == before


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
    wanted = evaluate(qrels, run, MEASURES)
    same(evaluate(*there, MEASURES), wanted)
    same(evaluate(qrels, there[1], MEASURES), wanted)
    same(evaluate(there[0], run, MEASURES), wanted)
    spark.con.register("q", qrels)
    spark.con.register("run", run)
    same(evaluate("q", "run", MEASURES, connection=spark), wanted)
    assert evaluate_lazily(*there, "ndcg@5").columns == ["query", "ndcg@5"]
    assert all(sqlglot.parse_one(text, read="spark") for text in spark.sent)
    with pytest.raises(Unreadable, match=r"Spark has no table 'nope': \[TABLE_OR_VIEW_NOT_FOUND\] there is no `nope`"):
        evaluate("q", "nope", connection=spark)
    with duckdb.connect() as con, pytest.raises(TypeError, match="in DuckDB and Spark: bring both into one"):
        evaluate(there[0], con.sql("SELECT 'q1' AS query, 'd1' AS document, 1.0 AS score"))


def test_with_and_without_the_query_itself(con: Any) -> None:
    "What is explained is what was evaluated, where one measure drops documents that have the id of their query"
    qrels = {"a": {"a": 3, "b": 1}}
    keep(con, "run", pd.DataFrame({"query": ["a", "a"], "document": ["a", "b"], "score": [2.0, 1.0]}))
    for measures in ("ndcg@5 ndcg(like=beir)@5", "ndcg(like=beir)@5 ndcg@5"):
        ours = evaluate(qrels, con.table("run"), measures)
        theirs = evaluate(qrels, con.table("run").df(), measures)
        same(ours, theirs)
        for measure in measures.split():
            assert ours.explain("a", measure).ndcg == pytest.approx(theirs.explain("a", measure).ndcg, abs=1e-12)
