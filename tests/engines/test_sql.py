"""nDCG in SQL: the values of `evaluate`, on DuckDB and PostgreSQL; texts that engines read; names that stay names."""

from __future__ import annotations

import ast
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import sqlglot
from conftest import EXAMPLES
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shared import postgres
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from ndcg_nb import evaluate
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.engines.spelling import ENGINES, statement, write_name, write_text
from ndcg_nb.hood.engines.sqltext import Text, clauses, columns_of, find_columns_of
from ndcg_nb.hood.runs.notation import Written, read_measure
from ndcg_nb.hood.runs.scoring import ask, mean_of
from ndcg_nb.runs import MEASURES
from ndcg_nb.sql import ndcg_sql

Tables = dict[str, pd.DataFrame]
Answers = Callable[[Tables, Sequence[str]], list[pd.DataFrame]]

# ------------------------------------------------------------------------------------------------- problems, questions

IDS = ["q1", "Q1", "q10", "q2", "ä", "z", "Z", "é", "e\u0301", "文", "𝄞", "\uffff", "a b", "_", "10", "9", "-1", "x'y"]
IDS += ["#", "%", "x" * 40, "a,b", '"c"', "ß", "ſ", "I", "ı"]
CLOSE = [1.0, 1 + 2**-40, 1 - 2**-30]  # one score in 32 bits
SCORES = [0.0, -0.0, 1 / 3, 2 / 3, *CLOSE, -2.5, 1e30, -math.inf]
WHOLE = (0, 0, 1, 2, 3)
FRACTIONS = (0, 0.5, 1, 2.25, 3)


@cache
def problem(ids: str = "text", grades: tuple[float, ...] = WHOLE, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    "Judgements and results with everything in them that has a rule of its own"
    rng = np.random.default_rng(seed)
    names: list[Any] = IDS if ids == "text" else list(range(1, 28))
    some = lambda most: [names[i] for i in rng.permutation(len(names))[: rng.integers(1, most)]]  # noqa: E731
    queries = [names[i] for i in rng.permutation(len(names))[:22]]
    bad, absent, bad_and_absent, alone, unretrieved, extra = queries[:6]
    judged = [(q, d, rng.choice(grades)) for q in queries if q != extra for d in some(14)]
    judged = [(q, d, 0 if q in (bad, bad_and_absent) else grade) for q, d, grade in judged]
    shown = [(q, d, rng.choice(SCORES)) for q in queries if q not in (absent, bad_and_absent, alone) for d in some(24)]
    shown = [(q, d, -math.inf if q == unretrieved else score) for q, d, score in shown]
    shown.append((alone, alone, 1.0))  # which has no results where a document that is its query does not count
    qrels = pd.DataFrame(judged, columns=["query", "document", "grade"])
    run = pd.DataFrame(shown, columns=["query", "document", "score"])
    return qrels, run.sample(frac=1, random_state=seed, ignore_index=True)


class Question(NamedTuple):
    "What is asked of a problem"

    how: dict[str, Any]
    k: Any = 10
    missing: str | None = None
    ignore: bool | None = None
    name: str = "ndcg"

    def text(self, engine: str, per_query: bool = True, **more: Any) -> str:
        how = {"columns": {"order": "n"}, "missing": self.missing, "ignore_self": self.ignore} | self.how | more
        return ndcg_sql(k=self.k, engine=engine, per_query=per_query, measure=self.name, **how)

    def values(self, qrels: Any, run: Any = None) -> pd.DataFrame:
        "In process; a row for each judged query"
        cutoffs = () if self.k is None else tuple(np.atleast_1d(self.k).tolist())
        rules: Any = {"missing": self.missing, "ignore_self": self.ignore}
        result = evaluate(qrels, run, Written(self.name, self.how, cutoffs), **rules)
        return pd.DataFrame(result.values[0], index=result.queries)

    @property
    def ranged(self) -> bool:
        "Whether it is for whole grades only"
        gain = DIALECTS[self.how["like"]].gain if "like" in self.how else self.how.get("gain")
        return isinstance(gain, tuple)


KNOBS: dict[str, list[Any]] = {
    "gain": ["linear", "exp", "binary", "positive", "positive-exp", ("exp", range(5)), {0: 0, 0.5: 0.1, 1: 0.5, 2: 7}],
    "discount": ["log2", ("log", 3), ("log", math.e), ("jk", 2), ("jk", 3.5), "zipf", ("power", 0.5), ("power", 2)],
    "ties": ["average", "id", "first", "last", "best", "worst"],
    "ideal": ["pool", "list", "reached", "hits"],
    "precision": ["float64", "float32"],
    "minus_inf": ["out", "last"],
    "empty": [None, 0, 1, 0.25, "skip", math.nan, np.float32(0.5), Fraction(1, 3)],
}
KNOBS["gain"][-1] |= {2.25: 7.5, 3: 7.5}
KNOBS["discount"] += [("power", 0), [1, 0.5, 0.25, 0.1, 0.1, 0.1, 1e-9, 0, 0, 0, 0]]
RULES: dict[str, list[Any]] = {
    "k": [None, [1, 3, 10], 5, [10, 2]],
    "missing": ["zero", "skip"],
    "ignore": [False, True],
}


def mixtures(number: int, seed: int = 0) -> Iterator[Question]:
    "Each value of each setting as often as any other, among values of the others as they fall"
    rng = np.random.default_rng(seed)
    falls = {
        name: [x[i] for i in rng.permutation(np.resize(np.arange(len(x)), number))]
        for name, x in (KNOBS | RULES).items()
    }
    for i in range(number):
        how = {name: falls[name][i] for name in KNOBS}
        k = 7 if isinstance(how["discount"], list) and falls["k"][i] is None else falls["k"][i]
        yield Question(how, k, falls["missing"][i], falls["ignore"][i])


SPOKEN = [name for name in DIALECTS if DIALECTS[name].ideal != "given"]
MIXED = list(mixtures(20 if EXAMPLES <= 20 else 40))  # twice as many as any setting has values
LIKE = {  # as the tool, but for what SQL and this test cannot do: to stop, and to fill every rank of no cutoff
    name: {"like": name} | ({"empty": 0} if DIALECTS[name].empty == "raise" else {}) for name in SPOKEN
}
CUTOFFS = {name: 5 for name in SPOKEN if DIALECTS[name].ideal == "full"}
TOOLS = [Question(LIKE[x], CUTOFFS.get(x, RULES["k"][i % 4]), RULES["missing"][i % 2]) for i, x in enumerate(SPOKEN)]
TOOLS += [Question({"like": "elasticsearch"}, None, "zero"), Question({"default_k": 3}, None, "skip")]


HIT_KNOBS: list[dict[str, Any]] = [{}, {"ties": "id"}, {"level": 2, "ties": "worst"}, {"like": "trec_eval"}]
HIT_KNOBS += [{"level": 3, "empty": 0.25}, {"ties": "first", "minus_inf": "last"}, {"ideal": "list"}]
OF_HITS = [
    Question(how, (5, [1, 3])[i % 2] if name == "p" else RULES["k"][i % 4], RULES["missing"][i % 2], name=name)
    for name in ("rr", "ap", "success", "p", "recall")
    for i, how in enumerate(HIT_KNOBS)
]


def test_every_setting_is_asked_for() -> None:
    for name, values in KNOBS.items():
        assert {str(q.how[name]) for q in MIXED} == {*map(str, values)}
    assert {*DIALECTS} - {*SPOKEN} == {"spark-graded"}


# ------------------------------------------------------------------------------------------------------------- engines


def duck(tables: Tables, texts: Sequence[str]) -> list[pd.DataFrame]:
    with duckdb.connect(config={"threads": 1}) as connection:
        for name, frame in tables.items():
            connection.register("given", pa.Table.from_pandas(frame))  # for which nan is NULL
            connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM given')
        return [connection.execute(text).df() for text in texts]


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Postgres]:
    with postgres.server() as running:
        running.psql("CREATE DATABASE english TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
        yield running


@pytest.fixture(params=["duckdb", "postgres"])
def engine(request: pytest.FixtureRequest) -> tuple[str, Answers]:
    "An engine, and how to ask it"
    return request.param, duck if request.param == "duckdb" else request.getfixturevalue("server").answers


def compare(rows: pd.DataFrame, expected: pd.DataFrame, missing: str | None, note: Any) -> None:
    "A row for each judged query, or for each that the run has; the same values"
    found = rows.set_index(rows["query"].astype(str)).drop(columns="query").astype(float)
    lost = set(expected.index) - set(found.index)
    assert found.index.is_unique and set(found.index) <= set(expected.index), note
    assert not lost or missing == "skip", note
    found = found.reindex(expected.index)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12, equal_nan=True, err_msg=str(note))


def compare_means(rows: pd.DataFrame, expected: pd.DataFrame, each: pd.DataFrame, note: Any) -> None:
    "Means, how many queries they are over, and how many of those that are there are not among them"
    there = expected[expected.index.isin(each["query"].astype(str))]
    counts = [there[0].notna().sum(), there[0].isna().sum()]
    wanted = [*(mean_of(expected[x].to_numpy()) for x in expected), *counts]
    found = rows.iloc[0].to_numpy(float)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12, equal_nan=True, err_msg=str(note))


def check(
    engine: tuple[str, Answers], tables: Tables, questions: Sequence[Question], given: Sequence[Any], **more: Any
) -> None:
    "Every question to an engine and to `evaluate`; every fourth for its means, too"
    name, answers = engine
    texts = [q.text(name, **more) for q in questions]
    means = [q.text(name, per_query=False, **more) for q in questions[::4]]
    rows = answers(tables, [*texts, *means])
    for i, q in enumerate(questions):
        expected = q.values(*given)
        compare(rows[i], expected, q.missing, q)
        if i % 4 == 0:
            compare_means(rows[len(texts) + i // 4], expected, rows[i], q)


def numbered(run: pd.DataFrame) -> pd.DataFrame:
    "A table has no order, so a column holds it"
    return run.assign(n=range(len(run)))


@pytest.mark.parametrize("questions", [MIXED, OF_HITS], ids=["mixtures", "hits"])
def test_the_values_of_evaluate(engine: tuple[str, Answers], questions: list[Question]) -> None:
    qrels, run = problem()
    check(engine, {"qrels": qrels, "run": numbered(run)}, questions, (qrels, run))


def test_the_tools(server: postgres.Postgres) -> None:
    "On DuckDB, `test_roads.py` asks for each of them"
    qrels, run = problem()
    check(("postgres", server.answers), {"qrels": qrels, "run": numbered(run)}, TOOLS, (qrels, run))


def test_hits_in_long_ties(engine: tuple[str, Answers]) -> None:
    "Chances too small to be written, and ties that a cutoff goes through"
    rng = np.random.default_rng(5)
    sizes = {"all tie": 1100, "ten ties": 300, "one hit": 300, "only hits": 200}
    every = [(query, f"d{i}") for query, size in sizes.items() for i in range(size)]
    run = pd.DataFrame(every, columns=["query", "document"]).assign(score=0)
    run.loc[run["query"] == "ten ties", "score"] = rng.integers(0, 10, 300)
    is_hit = (run["query"] == "only hits") | (run["document"] == "d7")
    is_hit |= run["query"].isin(["all tie", "ten ties"]) & (rng.random(len(run)) < 0.5)
    qrels = run[is_hit].drop(columns="score").assign(grade=1)
    assert qrels["query"].value_counts()["all tie"] > 500
    questions = [Question({}, [1, 20, 250], "zero", name=name) for name in ("rr", "ap", "success")]
    check(engine, {"qrels": qrels, "run": numbered(run)}, [*questions, Question({}, None, name="rr")], (qrels, run))


def test_ids_that_are_numbers_and_grades_that_are_fractions(engine: tuple[str, Answers]) -> None:
    qrels, run = problem("numbers", FRACTIONS, 1)
    by_id = [q for q in [*TOOLS, *MIXED] if not q.ranged and "id" in (q.how.get("ties"), q.how.get("like"))]
    questions = [*by_id, *[q for q in MIXED if not q.ranged][::3], Question({"ties": "id"}, 3, ignore=True)]
    assert qrels["query"].dtype.kind == "i"
    assert (qrels["grade"] % 1 > 0).any()
    check(engine, {"qrels": qrels, "run": numbered(run)}, questions, (qrels, run))


def test_a_table_of_both(engine: tuple[str, Answers]) -> None:
    qrels, run = problem()
    both = qrels.merge(run, how="outer", on=["query", "document"])
    both = both.sample(frac=1, random_state=0, ignore_index=True)
    assert both[["grade", "score"]].isna().any().all()
    check(engine, {"qrels": numbered(both)}, MIXED[::3], (both,), run=None)


def test_ranks_instead_of_scores(engine: tuple[str, Answers]) -> None:
    qrels, run = problem()
    ranks = run.groupby("query")["score"].rank(method="min", ascending=False).astype(int)
    ranked = run.drop(columns="score").assign(rank=ranks)
    tables = {"qrels": qrels, "run": numbered(ranked)}
    check(engine, tables, MIXED[1::5], (qrels, ranked), columns={"rank": "rank", "order": "n"})


def test_negative_grades_where_a_tool_takes_them_for_0(engine: tuple[str, Answers]) -> None:
    qrels, run = problem(grades=(-2, -1, 0, 1, 3))
    assert (qrels["grade"] < 0).any()
    questions = [Question({"gain": x}, 5, "zero") for x in ("positive", "positive-exp", "binary")]
    check(
        engine,
        {"qrels": qrels, "run": numbered(run)},
        [*questions, Question({"like": "trec_eval"}, 5, "skip")],
        (qrels, run),
    )


def test_grades_beyond_whole_numbers_of_64_bits(engine: tuple[str, Answers]) -> None:
    "2^100 - 1, and the sum of several 2^62"
    ids = [f"d{i}" for i in range(8)]
    high = {"q1": [62, 63, 64, 100, 61, 0, 100, 62], "q2": [62] * 8, "q3": [100, 0] * 4}
    qrels = pd.DataFrame([(q, d, grade) for q, x in high.items() for d, grade in zip(ids, x)])
    qrels.columns = pd.Index(["query", "document", "grade"])
    run = pd.DataFrame([(q, d, i % 3) for q in high for i, d in enumerate(ids)], columns=["query", "document", "score"])
    questions = [Question({"gain": "exp"}, k, "zero") for k in (None, [1, 5])]
    check(engine, {"qrels": qrels, "run": numbered(run)}, questions, (qrels, run))
    whole = qrels.assign(grade=[2**62, 2**62 - 2**20, 2**61] * 8)
    few = whole.assign(grade=whole["grade"].astype(float))  # in process a whole number ends at 2^53
    check(engine, {"qrels": whole, "run": numbered(run)}, [Question({}, [3, 8], "zero")], (few, run))


def test_the_language_of_a_database_does_not_decide_ties(server: postgres.Postgres) -> None:
    "In English a stands before B, and upper case after lower; among ids it does not"
    english: Answers = partial(server.answers, database="english")
    sorted_by = "SELECT 'a' < 'B' AS as_in_a_dictionary, 'a' COLLATE \"C\" < 'B' AS by_code_points"
    assert english({}, [sorted_by])[0].iloc[0].tolist() == ["t", "f"]
    qrels, run = problem()
    run = run.assign(score=np.minimum(run["score"], 0))
    by_id = [Question({"ties": "id", "gain": gain}, [1, 2, 5], "zero") for gain in ("linear", "exp")]
    check(("postgres", english), {"qrels": qrels, "run": numbered(run)}, by_id, (qrels, run))
    without: Answers = lambda tables, texts: english(tables, [x.replace(' COLLATE "C"', "") for x in texts])  # noqa: E731
    with pytest.raises(AssertionError):  # by the language of the database, ties fall otherwise
        check(("postgres", without), {"qrels": qrels, "run": numbered(run)}, by_id, (qrels, run))


@pytest.mark.parametrize("checked", [False, True])
def test_the_other_measures(engine: tuple[str, Answers], checked: bool) -> None:
    name, answers = engine
    qrels, run = problem()
    written = ["dcg@3,7", "cg@5", "idcg@3", "ncg@4", "gain_recall@4", "judged@5", "dcg", "judged", "ncg(empty=1)"]
    written += (
        ["dcg(ties=id,discount=zipf)@4", "ncg(ties=worst)@2,3", "dcg(discount=log:3)@4"]
        if checked
        else ["gain_recall(gain=exp)@2"]
    )
    asked = [ask(read_measure(x), MEASURES) for x in written]
    sources = find_columns_of("qrels", "run", None, ENGINES[name])
    texts = [Text(tuple(columns_of(a)), a.how, a.ignore, sources, ENGINES[name], checked) for a in asked]
    rows = answers(
        {"qrels": qrels, "run": run},
        [statement(clauses(t, a.missing), "SELECT * FROM scores", name) for a, t in zip(asked, texts)],
    )
    for a, t, x in zip(asked, texts, rows):
        result = evaluate(qrels, run, a.written)
        expected = pd.DataFrame(result.values[0], index=result.queries)
        if checked:
            assert x["judged"].sum() == len(result.queries)
            assert (x["judged"] == 0).sum() == 1
            assert not x["twice"].any()
            assert not x["strange"].any()
            x = x[(x["judged"] == 1) & ((x["results"] > 0) | (a.missing == "zero"))]
        compare(x[["query", *(c.name for c in t.columns)]], expected, a.missing, a.written)


def test_measures_that_share_a_text(engine: tuple[str, Answers]) -> None:
    "The results are ranked once, and sums of the same name are told apart"
    name, answers = engine
    qrels, run = problem()
    written = ["dcg@3", "dcg(discount=zipf)@3", "ndcg@3,5", "idcg(discount=jk:3)@3", "gain_recall@3", "judged@3"]
    asked = [ask(read_measure(x), MEASURES, missing="zero") for x in written]
    columns = [c for a in asked for c in columns_of(a)]
    columns = [c._replace(name=f"value_{i}", label=str(i)) for i, c in enumerate(columns)]
    sources = find_columns_of("qrels", "run", None, ENGINES[name])
    text = Text(tuple(columns), asked[0].how, False, sources, ENGINES[name])
    (rows,) = answers({"qrels": qrels, "run": run}, [statement(clauses(text), "SELECT * FROM scores", name)])
    result = evaluate(qrels, run, written)
    compare(rows, pd.DataFrame(result.values[0], index=result.queries), "zero", written)


# --------------------------------------------------------------------------------------------------- names of any kind


def renamed(tables: Sequence[str], names: dict[str, str]) -> tuple[Tables, pd.DataFrame, pd.DataFrame]:
    qrels, run = problem()
    frames = qrels.rename(columns=names), numbered(run).rename(columns=names)
    return dict(zip(tables, frames)), qrels, run


@pytest.mark.parametrize(
    ("tables", "names"),
    [
        (("judged", "results"), ("query", "document")),
        (("results", "judged"), ("document", "query")),
        (("scores", "ranked"), ("gain", "$")),
        (("Select", "ß"), ("order", "Group by, 1")),
    ],
)
def test_tables_and_columns_of_any_name(
    engine: tuple[str, Answers], tables: tuple[str, str], names: tuple[str, str]
) -> None:
    columns = {"query": names[0], "document": names[1], "grade": "end", "score": "Desc"}
    held, qrels, run = renamed(tables, columns)
    q = Question({"ideal": "list", "ties": "best"}, 3, "zero")
    check(engine, held, [q], (qrels, run), qrels=tables[0], run=tables[1], columns=columns)


@pytest.mark.parametrize("table", ["judged", "results", "Judged"])
def test_a_table_of_both_that_is_called_like_a_clause(engine: tuple[str, Answers], table: str) -> None:
    qrels, run = problem()
    both = qrels.merge(run, how="outer", on=["query", "document"])
    q = Question({"ideal": "reached", "ties": "worst"}, 3, "zero")
    check(engine, {table: numbered(both)}, [q], (both,), qrels=table, run=None)


def test_columns_of_one_table(engine: tuple[str, Answers]) -> None:
    qrels, run = problem()
    tables = {"qrels": qrels.rename(columns={"query": "topic"}), "run": numbered(run).rename(columns={"query": "q"})}
    columns = {"qrels.query": "topic", "run.query": "q"}
    check(engine, tables, [Question({}, 3, "zero")], (qrels, run), columns=columns)


def as_names(words: Sequence[str], engine: str) -> list[str]:
    "Statements in which each word is a table with a column of its name, many at a time"
    names = [write_name(x, "it", ENGINES[engine]) for x in words]
    part = "SELECT MAX({0}) AS x FROM {0} WHERE {0} IS NOT NULL GROUP BY {0}"
    steps = [{f"part_{i}": part.format(x) for i, x in enumerate(names[n : n + 40])} for n in range(0, len(names), 40)]
    return [statement(x, " UNION ALL ".join(f"SELECT {y}.x FROM {y}" for y in x), engine) for x in steps]


def test_no_word_of_duckdb_is_taken_for_something_else() -> None:
    with duckdb.connect() as connection:
        known = [x for (x,) in connection.execute("SELECT DISTINCT keyword_name FROM duckdb_keywords()").fetchall()]
        for x in known:
            connection.execute(f'CREATE TABLE "{x}" AS SELECT 5 AS "{x}"')
        found = [row for text in as_names(known, "duckdb") for row in connection.execute(text).fetchall()]
    assert found == [(5,)] * len(known)
    assert len(known) > 400
    assert "null" in known


def test_no_word_of_postgres_is_taken_for_something_else(server: postgres.Postgres) -> None:
    known = server.answers({}, ["SELECT word FROM pg_get_keywords()"])[0]["word"].tolist()
    tables = "".join(f'CREATE TEMPORARY TABLE "{x}" AS SELECT 5 AS "{x}";\n' for x in known)
    found = server.psql(tables + "".join(f"{text};\n" for text in as_names(known, "postgres")))
    assert found.replace("x\n", "") == "5\n" * len(known)
    assert len(known) > 400
    assert "null" in known


# ---------------------------------------------------------------------------------------------- every engine's grammar

PLAIN = {"qrels": {"query": "INT", "document": "INT", "grade": "INT"}}
PLAIN["run"] = {"query": "INT", "document": "INT", "score": "INT", "n": "INT"}


def speakable(question: Question, engine: str) -> bool:
    like = question.how.get("like")
    how = question.how
    precision = DIALECTS[like].precision if like else how.get("precision", "float64")
    return precision == "float64" or ENGINES[engine].single


def typed(text: str, engine: str) -> Any:
    "What is read of a text, where all columns are of whole numbers; a column that is not there is an error"
    schema = MappingSchema(PLAIN, dialect=engine)
    tree = qualify(sqlglot.parse_one(text, read=engine), schema=schema, dialect=engine, quote_identifiers=False)
    return annotate_types(tree, schema=schema, dialect=engine)


@pytest.mark.parametrize("name", ENGINES)
def test_a_text_is_one_statement_that_the_engine_can_read(name: str) -> None:
    asked = [*MIXED[::5], *OF_HITS[::7], *TOOLS[::16]]
    for i, q in enumerate(q for q in asked if speakable(q, name)):
        text = q.text(name, per_query=i % 2 == 0)
        (tree,) = sqlglot.parse(text, read=name, error_level=sqlglot.ErrorLevel.RAISE)
        assert tree is not None
        assert tree.sql(name, pretty=True) == text
        assert text.count(" /* ") == len(tree.ctes)
        assert text.count("ROW_NUMBER()") == 2
        assert "QUALIFY" not in text
        if i < 4 or q in OF_HITS[:15:7]:
            divide_and_add_up_floats(text, name)


def divide_and_add_up_floats(text: str, name: str) -> None:
    "No whole number is divided by one, averaged, or added up"
    tree = typed(text, name)
    floats = (exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT)
    found = {kind: list(tree.find_all(kind)) for kind in (exp.Div, exp.Avg, exp.Sum)}
    for x in found[exp.Div]:
        assert x.left.type.this in floats or x.right.type.this in floats, x.sql(name)
    for x in [*found[exp.Avg], *found[exp.Sum]]:
        assert x.this.type.this in floats, x.sql(name)
    assert found[exp.Sum]


def test_whole_numbers_are_noticed() -> None:
    for bad in ("SELECT grade / 2 AS x FROM qrels", "SELECT AVG(grade) AS x FROM qrels"):
        with pytest.raises(AssertionError):
            divide_and_add_up_floats(bad, "redshift")


SAID = {  # a logarithm, a number, an id as text, and -inf
    "duckdb": ("LOG(2, best.place + 1)", "(grade AS DOUBLE)", "CAST(results.document AS TEXT)", "'-inf' AS DOUBLE"),
    "spark": ("LOG(2, best.place + 1)", "(grade AS DOUBLE)", "CAST(results.document AS STRING)", "'-inf' AS DOUBLE"),
    "bigquery": ("LOG(best.place + 1, 2)", "(grade AS FLOAT64)", "(results.document AS STRING)", "'-inf' AS FLOAT64"),
    "trino": ("LOG(2, best.place + 1)", "(grade AS DOUBLE)", "(results.document AS VARCHAR)", "'-Infinity' AS DOUBLE"),
    "postgres": ("LN(best.place + 1) / LN(2)", "(grade AS DOUBLE PRECISION)", 'AS VARCHAR) COLLATE "C"', "'-inf' AS"),
}


@pytest.mark.parametrize("name", SAID)
def test_what_each_engine_says_in_its_own_way(name: str) -> None:
    text = ndcg_sql(engine=name, ties="id")
    assert all(part in text for part in SAID[name])
    assert "QUALIFY" not in text


@pytest.mark.parametrize("name", ENGINES)
def test_what_is_null_comes_last(name: str) -> None:
    "Written down where the engine would have it first"
    first = name in ("postgres", "redshift", "snowflake")
    text = ndcg_sql(engine=name)
    assert ("score DESC NULLS LAST" in text, "gain DESC NULLS LAST" in text) == (first, first)
    assert "NULLS FIRST" not in text


def test_a_null_score_is_the_last(engine: tuple[str, Answers]) -> None:
    "And of no use, as a document that was not retrieved"
    name, answers = engine
    rows = [("q", "a", 1, 0.5), ("q", "b", 3, None), ("q", "c", 0, 0.25)]
    both = pd.DataFrame(rows, columns=["query", "document", "grade", "score"])
    tables = {"qrels": both, "run": both}
    for ties in ("average", "id"):
        (found,) = answers(tables, [ndcg_sql(k=3, engine=name, ties=ties)])
        assert found["ndcg_3"][0] == pytest.approx(1 / (3 + 1 / math.log2(3)), abs=1e-12)


@pytest.mark.parametrize("name", ENGINES)
def test_single_precision_where_there_is_one(name: str) -> None:
    kinds = {"duckdb": "REAL", "spark": "FLOAT", "databricks": "FLOAT", "trino": "REAL", "athena": "REAL"}
    kinds |= {"postgres": "REAL", "redshift": "REAL"}
    if name in ("bigquery", "snowflake"):
        with pytest.raises(ValueError, match=rf"precision='float32' needs numbers of 32 bits, and {name} has none"):
            ndcg_sql(engine=name, like="trec_eval")
    else:
        assert f"END AS {kinds[name]}" in ndcg_sql(engine=name, like="trec_eval")


def test_names_in_quotes() -> None:
    columns = {"query": "order", "document": "DocId", "grade": "müll"}
    names = {name: ndcg_sql("Lab.user.select", engine=name, columns=columns) for name in ENGINES}
    for name, text in names.items():
        mark = "`" if name in ("spark", "databricks", "bigquery") else '"'
        word = "ORDER" if name == "snowflake" else "order"
        table = ("Lab", "USER", "SELECT") if name == "snowflake" else ("Lab", "user", "select")
        for x in (word, "DocId", "müll"):
            assert f"{mark}{x}{mark}" in text, (name, x)
        assert re.search(r"\.".join(f"{mark}?{x}{mark}?" for x in table), text), name
    assert '"USER"."SELECT"' in names["snowflake"]
    assert "FROM run" in names["snowflake"]


# ------------------------------------------------------------------------------------------------------- tables of dbt

OF_DBT = ["{{ ref('qrels') }}", '{{ ref("search", "qrels") }}', "{{ref('qrels',v=2)}}", "{{ source('raw', 'a.b-c') }}"]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("table", OF_DBT)
def test_tables_of_dbt_stay_as_they_are(name: str, table: str) -> None:
    "Each reads like a table called x, in the grammar of its engine"
    other = "{{ source('logs', 'runs') }}"
    text = ndcg_sql(table, other, engine=name, per_query=True)
    assert text.count(f"FROM {table}\n") == text.count(f"FROM {other}\n") == 1
    assert text.replace(table, "qrels").replace(other, "run") == ndcg_sql(engine=name, per_query=True)
    alone = ndcg_sql(table, None, engine=name)
    assert alone.replace(table, "qrels") == ndcg_sql(run=None, engine=name)


NOT_OF_DBT = ["{{ ref(qrels) }}", "{{ var('x') }}", "{{ ref('a') }} UNION", "x.{{ ref('a') }}", "{{ ref('a'); }}"]
NOT_OF_DBT += [
    "{{ ref('a\\'b') }}",
    "{{ ref('a' ~ 'b') }}",
    "{{ ref('{{') }}",
    "{{ ref() }}",
    "{{ ref('a') }}{{ ref('b') }}",
]


@pytest.mark.parametrize("table", NOT_OF_DBT)
def test_what_dbt_has_beside_tables_is_no_name(table: str) -> None:
    with pytest.raises(ValueError, match=re.escape("a table of dbt is {{ ref('…') }} or {{ source('…', '…') }}")):
        ndcg_sql(table)
    with pytest.raises(ValueError, match=NO_NAME):
        ndcg_sql(columns={"query": "{{ ref('qrels') }}"})


def test_a_database_does_not_read_templates() -> None:
    with duckdb.connect() as connection, pytest.raises(ValueError, match="which only dbt can read") as refused:
        evaluate("{{ ref('qrels') }}", "run", connection=connection)
    assert "give the name of the table that dbt has made" in str(refused.value)


# ----------------------------------------------------------------------------------------------------- what is refused

NO_NAME = "which is not a name: a name cannot contain quotes, semicolons"
BAD_NAMES = [*(f"a{x}b" for x in ('"', "'", "`", ";", "\\", "--", "/*", "*/", "\n", "\t", "\0", "\u202e")), "", " "]
BAD_NAMES += ['x" ; DROP TABLE qrels; --', "{{ ref }}", "${x}", "{% if %}", "{# x #}"]
PLACES = ["qrels", "run", "query", "document", "grade", "score", "rank", "order", "qrels.query", "run.document"]


def with_name(name: Any, place: str, engine: str) -> str:
    if place in ("qrels", "run"):
        return ndcg_sql(engine=engine, ties="first", columns={"order": "n"}, **{place: name})
    return ndcg_sql(engine=engine, ties="first", columns={"order": "n", place: name})


@pytest.mark.parametrize("place", PLACES)
def test_no_names(place: str) -> None:
    called = place if place in ("qrels", "run") else f"columns[{place.split('.')[-1]!r}]"
    for name in [*BAD_NAMES, None, 5, b"x", ["x"], True, *(["a..b", ".a", "a."] if place == "qrels" else [])]:
        if place == "run" and name is None:  # the same table has both
            continue
        with pytest.raises(ValueError, match=NO_NAME) as refused:
            with_name(name, place, "duckdb")
        assert str(refused.value).startswith(f"{called} is ")
        assert "\n" not in str(refused.value)


NASTY = st.sampled_from(
    [*"\"'`;\\-/*\n\r\t\0#$@{}%.()[]:?!|&<>=, ", "--", "/*", "*/", "''", '""', "“", "’", "ʼ", "＂", "；"]
)
PIECES = st.one_of(
    NASTY, st.sampled_from(["x", "DROP TABLE run", "select", "query", "1", "ß", "Ω", "\u202e", "E'", "$$"])
)
NAMES = st.one_of(st.text(max_size=8), st.lists(PIECES, max_size=6).map("".join), st.text("abcXYZ_1.", max_size=6))


@cache
def pattern(place: str, engine: str) -> tuple[str, ...]:
    return tuple(x.text for x in sqlglot.tokenize(with_name("zzz", place, engine), read=engine))


@settings(max_examples=max(20, EXAMPLES // 3))
@given(NAMES, st.sampled_from(PLACES), st.sampled_from(list(ENGINES)))
@example("x" * 100_000, "qrels", "duckdb")
@example("a.b.c", "query", "bigquery")
@example("a-b.c d.E", "run", "bigquery")
@example("“'”"[0::2], "run", "spark")
def test_a_name_is_one_name_or_none(name: str, place: str, engine: str) -> None:
    "Whatever it is: a refusal in one line, or the same tokens as for any other name"
    try:
        text = with_name(name, place, engine)
    except ValueError as refused:
        assert NO_NAME in str(refused)
        assert "\n" not in str(refused)
        assert len(str(refused)) < 300
        return
    parts = name.split(".") if place in ("qrels", "run") else [name]
    if engine == "snowflake":
        parts = [write_name(x, "", ENGINES[engine]).strip('"') for x in parts]
    wanted: list[str] = []
    for token in pattern(place, engine):
        dotted = [y for x in parts for y in (x, ".")][:-1]
        wanted += dotted if token in ("zzz", "ZZZ") else [token]
    found = sqlglot.tokenize(text, read=engine)
    assert [x.text for x in found] == wanted
    if "." not in name:  # which sqlglot takes apart, for BigQuery
        assert name in {x.this for x in sqlglot.parse_one(text, read=engine).find_all(exp.Identifier)} or parts != [
            name
        ]


TEXTS = ["a'b", "\\'", "\\", "\\\\'--", "' OR 1=1 --", "''", "'", '"', "--x", "/*x*/", "${x}", "{{x}}", "\\n", "x\ny"]
TEXTS += ["; DROP TABLE run; --", ":x", "%s", "$$x$$", "E'\\'", "é\u2028", " x ", "\\x27 OR 1=1", "`", "＇"]


def as_text(x: str, engine: str) -> str:
    return statement({}, f"SELECT {write_text(x)} AS x", engine)


@given(st.one_of(st.sampled_from(TEXTS), st.text(), st.lists(PIECES).map("".join)), st.sampled_from(list(ENGINES)))
def test_a_text_is_one_text(x: str, engine: str) -> None:
    (tree,) = sqlglot.parse(as_text(x, engine), read=engine)
    assert tree is not None
    assert [y.this for y in tree.find_all(exp.Literal)] == [x]


def test_a_text_is_that_text(engine: tuple[str, Answers]) -> None:
    name, answers = engine
    assert [found["x"][0] for found in answers({}, [as_text(x, name) for x in TEXTS])] == TEXTS


REFUSED = """
k=0                           give a positive whole number
default_k=0, k=None           k is 0: give a positive whole number
engine="mysql"                give one of 'duckdb', 'spark'
engine=None                   give one of 'duckdb', 'spark'
engine=["duckdb"]             give one of 'duckdb', 'spark'
like="trec-eval"              there is no dialect 'trec-eval': did you mean 'trec_eval'?
like="ranx"                   ties='first' goes by the order of rows
ties="first"                  Name a column that holds it, columns={'order': …}
ties="random"                 ties is 'random': give one of
ideal="best"                  ideal is 'best': give one of 'pool'
gain="expo"                   give 'linear', 'exp', 'binary'
gain=None                     give 'linear', 'exp', 'binary'
gain=()                       give 'linear', 'exp', 'binary'
gain=("exp", 5)               give 'linear', 'exp', 'binary'
gain="1; DROP"                give 'linear', 'exp', 'binary'
gain={0: 0, 1: 1e999}         gain table[1] is
gain={0: 0, 1: -1}            with gain -1.0, and an ideal needs gains of 0 or more
discount="log3"               give 'log2', ('log', base)
discount=None                 give 'log2', ('log', base)
discount=[]                   give 'log2', ('log', base)
discount=()                   give 'log2', ('log', base)
discount=["a"]                give 'log2', ('log', base)
discount={1: 1}               give 'log2', ('log', base)
discount=None, k=None         give 'log2', ('log', base)
discount=("log", 1)           base must be a finite number above 1
discount=("log", "2")         base must be a finite number above 1
discount=[1, 0.5]             discount has 2 weights, and rank 3 needs one: give more, or set k=2
discount=[1, 0.5], k=None     a list of weights ends before the ranks do: set a cutoff
discount=[1, 2], k=2          discount grows from 1.0 at rank 1 to 2.0 at rank 2
empty=2                       give a number from 0 to 1, nan, 'skip', 'raise' or 'abstain'
empty=True                    give a number from 0 to 1, nan, 'skip', 'raise' or 'abstain'
empty="0; DROP"               give a number from 0 to 1, nan, 'skip', 'raise' or 'abstain'
empty="raise"                 empty='raise' cannot be written in SQL
missing="error"               missing='error' stops at a query that is missing, and SQL cannot
missing="drop"                give one of 'zero', 'skip', 'error'
missing=0                     give one of 'zero', 'skip', 'error'
dialect="trec_eval"           has no setting 'dialect'
measure="f1"                  f1@10: SQL supports only ndcg, dcg
measure="mean_rank"           there is no measure 'mean_rank'
measure="rr@10"               give its name, k= its cutoff, and its settings as keywords
measure="p", k=None           there is no cutoff to divide by
measure="ap", per="found"     SQL divides hits by 'k' or 'relevant'
measure="rr", gain="exp"      has no setting 'gain'
columns={"querry": "y"}       the roles are query, document, grade
columns={None: "y"}           the roles are query, document, grade
columns={"run.grade": "y"}    the roles are query, document, grade
like="spark-graded", columns={"order": "n"}    ideal='given' goes by the order of rows
"""
OF_A_KIND = """
k=True                        give a positive whole number
k=10.0                        give a positive whole number
k="10"                        give a positive whole number
k=[]                          or a list of different ones
k=[5, 5]                      or a list of different ones
k=[5, None]                   or a list of different ones
gain={0: 0, "1); DROP TABLE run; --": 1}       a string, not a number
gain={0: 0, 1: "1; DROP TABLE run"}            a string, not a number
discount=[1, "x); DROP"], k=2                  a string, not a number
ignore_self="yes"             give True or False
columns=["query"]             give a dict {role: name}
"""


def refusal(asked: dict[str, Any]) -> Exception:
    "The refusal, which is one line"
    with pytest.raises((ValueError, TypeError)) as refused:
        ndcg_sql(**asked)
    assert "\n" not in str(refused.value)
    return refused.value


def keywords(text: str) -> dict[str, Any]:
    "Of a call that is written down"
    call = ast.parse(f"f({text})", mode="eval").body
    return {x.arg: ast.literal_eval(x.value) for x in call.keywords}


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_refused(line: str) -> None:
    asked, said = re.split(" {3,}", line)
    error = refusal(keywords(asked))
    assert said in str(error)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize("line", OF_A_KIND.strip().splitlines())
def test_refused_for_its_type(line: str) -> None:
    asked, said = re.split(" {3,}", line)
    error = refusal(keywords(asked))
    assert said in str(error)
    assert isinstance(error, TypeError)


def test_what_sql_cannot_call() -> None:
    for setting, instead in (("gain", "a table"), ("discount", "a list")):
        error = refusal({setting: np.sqrt})
        assert f"{setting} is a function of Python, which SQL cannot call: give {instead}" in str(error)
    assert "gain table[1] is nan" in str(refusal({"gain": {0: 0, math.nan: 1}}))
    assert "base must be a finite number" in str(refusal({"discount": ("log", math.nan)}))


def test_a_tool_that_stops_is_named() -> None:
    stops = [name for name in SPOKEN if DIALECTS[name].missing == "error"]
    assert stops
    for name in stops:
        with pytest.raises(ValueError, match=f"missing='error' of {re.escape(DIALECTS[name].tool)} stops"):
            ndcg_sql(like=name, columns={"order": "n"})


def test_without_sqlglot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(ImportError, match=re.escape("SQL is written by sqlglot: pip install sqlglot")):
        ndcg_sql()


def test_nothing_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, ndcg_nb, ndcg_nb.sql; print(sorted({'sqlglot', 'duckdb', 'pyspark', 'pandas'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
