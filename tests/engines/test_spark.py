"""The text on Spark, for real: the numbers are those of evaluate in process, the run is read and sent over once, and
of each query and partition only the first k results travel. Without pyspark or Java, none of this is run."""

from __future__ import annotations

import re
import shutil
import warnings
from collections.abc import Iterator
from os import environ
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import absent, needed
from pyarrow import parquet
from shared import roads

from ndcg_nb import evaluate
from ndcg_nb.hood.core.conventions import DIALECTS
from ndcg_nb.hood.engines import databases as engines
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.sql import evaluate_lazily, ndcg_sql

needed("pyspark")
if not (shutil.which("java") or environ.get("JAVA_HOME")):
    pytest.skip(absent("java"), allow_module_level=True)

pytestmark = pytest.mark.filterwarnings(r"ignore:os\.fork\(\) was called")  # Java is started beside JAX's threads
Pair = tuple[pd.DataFrame, pd.DataFrame]
CONF = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",  # it does not live for long
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.files.minPartitionNum": "6",
}


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    "A session of two threads, and no JVM left of it"
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("ndcg_nb")
    for key, value in (CONF | {"spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse"))}).items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
    gateway = SparkContext._gateway
    SparkContext._gateway = None
    SparkContext._jvm = None
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(timeout=30)


def frame(spark: Any, table: pd.DataFrame, parts: int = 5) -> Any:
    "A DataFrame of several partitions, its rows in no order"
    shuffled = pa.Table.from_pandas(table.sample(frac=1, random_state=parts), preserve_index=False)
    return spark.createDataFrame(shuffled).repartition(parts).cache()


def on_disk(folder: Path, table: pd.DataFrame, files: int = 6) -> str:
    "Parquet files, the rows of each query in all of them"
    folder.mkdir()
    for i in range(files):
        parquet.write_table(pa.Table.from_pandas(table[i::files], preserve_index=False), folder / f"{i}.parquet")
    return str(folder)


# ---------------------------------------------------------------------------------------------------- the same numbers
def problem(seed: int = 0, queries: int = 60) -> Pair:
    "Ties, unjudged results, queries that are missing, empty or extra, and scores of -inf; `n` is the order of rows"
    rng = np.random.default_rng(seed)
    names = [f"{'DR'[i % 2]}{i}" for i in range(queries)]
    documents = np.array([*(f"D{i}" for i in range(15)), *(f"d{i}" for i in range(10)), *"éßzZ😀"])
    judged = [(q, d) for q in names for d in rng.choice(documents, rng.integers(1, 12), replace=False)]
    qrels = pd.DataFrame(judged, columns=["query", "document"])
    qrels["grade"] = rng.integers(0, 4, len(qrels))
    qrels.loc[qrels["query"].isin(names[2:5]), "grade"] = 0
    shown = [(q, d) for q in [*names[:-4], "X1"] for d in rng.permutation(documents)[: rng.integers(1, 25)]]
    run = pd.DataFrame([*shown, ("R1", "R1")], columns=["query", "document"]).drop_duplicates()
    run["score"] = rng.integers(0, 6, len(run)) / 3
    run.loc[rng.choice(len(run), len(run) // 12, replace=False), "score"] = -np.inf
    return qrels, run.assign(n=np.arange(len(run)))


CHOICES = [  # every gain, discount, tie rule and ideal that can be said, and what 0/0 and a missing query count as
    {"k": [1, 3, 10]},
    {"k": None, "gain": "exp", "discount": "zipf", "ties": "id", "empty": 1},
    {"k": [3, 50], "gain": "binary", "discount": ("log", 3), "ties": "first", "missing": "skip"},
    {"k": [2, 7], "gain": {0: 0, 1: 1, 2: 3, 3: 3.5}, "discount": ("jk", 3), "ties": "last", "ideal": "hits"},
    {"k": [1, 5], "gain": "positive", "discount": ("power", 0.5), "ties": "best", "ideal": "list", "empty": 0},
    {"k": [1, 3], "gain": "positive-exp", "discount": [1, 0.5, 0.2], "ties": "worst", "ideal": "reached"},
    {"k": 4, "minus_inf": "out", "ideal": "hits", "missing": "skip"},
    {"k": [1, 1000], "precision": "float32", "ignore_self": True},
]
TOOLS = [{"k": [2, 5], "like": tool, "missing": "zero"} for tool in DIALECTS if DIALECTS[tool].ideal != "given"]
TOOLS = [how | ({"empty": 0} if DIALECTS[how["like"]].empty == "raise" else {}) for how in TOOLS]


def asked_in_process(qrels: pd.DataFrame, run: pd.DataFrame, how: dict[str, Any]) -> Any:
    "What evaluate says"
    from ndcg_nb.hood.runs.notation import Written

    how = dict(how)
    k = how.pop("k")
    missing = how.pop("missing", None)
    ignore = how.pop("ignore_self", None)
    cutoffs = () if k is None else (k,) if isinstance(k, int) else tuple(k)
    measure = str(Written("ndcg", how, cutoffs))
    return evaluate(qrels, run.drop(columns="n"), measure, missing=missing, ignore_self=ignore)


def text_of(how: dict[str, Any], **more: Any) -> str:
    return ndcg_sql(engine="spark", columns={"order": "n"}, **how, **more)


def the_same(got: pd.DataFrame, want: pd.DataFrame) -> None:
    "Every query, and to 1e-12"
    want = want.set_index("query")
    kept = want.dropna(how="all").index
    assert set(kept) <= set(got.index) <= set(want.index)
    np.testing.assert_allclose(got.reindex(want.index).to_numpy(float), want.to_numpy(float), rtol=0, atol=1e-12)


@pytest.fixture(scope="module")
def tables(spark: Any) -> Pair:
    "A problem, and views of it"
    qrels, run = problem()
    frame(spark, qrels, 3).createOrReplaceTempView("qrels")
    frame(spark, run).createOrReplaceTempView("run")
    return qrels, run


@pytest.fixture
def quick(spark: Any) -> Iterator[None]:
    "Small statements are run as they are, and no code is made of them"
    settings = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    before = {key: spark.conf.get(key) for key in settings}
    for key, value in settings.items():
        spark.conf.set(key, value)
    yield
    for key, value in before.items():
        spark.conf.set(key, value)


ANSWERS: dict[str, pd.DataFrame] = {}  # by text: some tools say the same


@pytest.mark.parametrize("how", [*CHOICES, *TOOLS], ids=lambda how: how.get("like") or f"k={how['k']}")
def test_the_same_numbers(spark: Any, tables: Pair, how: dict[str, Any], quick: None) -> None:
    text = text_of(how, per_query=True)
    if text not in ANSWERS:
        ANSWERS[text] = spark.sql(text).toArrow().to_pandas().set_index("query")
    the_same(ANSWERS[text], asked_in_process(*tables, how).per_query)


@pytest.mark.parametrize("measure", ["rr", "ap", "success"])
def test_hits_as_a_text(spark: Any, tables: Pair, quick: None, measure: str) -> None:
    for k, how in (([1, 4], {}), (None, {"ties": "id", "level": 2})):
        text = ndcg_sql(k=k, measure=measure, engine="spark", per_query=True, **how)
        settings = ",".join(f"{name}={value}" for name, value in how.items())
        written = f"{measure}@1,4" if k else f"{measure}({settings})"
        wanted = evaluate(tables[0], tables[1].drop(columns="n"), written).per_query
        the_same(spark.sql(text).toArrow().to_pandas().set_index("query"), wanted)


def test_a_mean_and_how_many_it_is_of(spark: Any, tables: Pair, quick: None) -> None:
    row = spark.sql(text_of({"k": [1, 10], "missing": "skip"})).collect()[0]
    wanted = asked_in_process(*tables, {"k": [1, 10], "missing": "skip"})
    np.testing.assert_allclose([row.ndcg_1, row.ndcg_10], wanted.means.iloc[0], rtol=0, atol=1e-12)
    counted = wanted.per_query["ndcg@1"].notna().sum()
    assert (row.queries, row.left_out) == (counted, len(set(tables[1]["query"]) - {"X1"}) - counted)


# ---------------------------------------------------------------------------------------------------- evaluate
def same(ours: Any, theirs: Any) -> None:
    "The values of every query, the means and the notes"
    by_query = [x.per_query.sort_values("query", ignore_index=True) for x in (ours, theirs)]
    pd.testing.assert_frame_equal(*by_query, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.means, theirs.means, rtol=0, atol=1e-12)
    notes = [{x.partition(": '")[0] for x in y.notes} for y in (ours, theirs)]  # but for which queries are named first
    assert notes[0] == notes[1]


def test_evaluate_goes_to_spark(spark: Any, tables: Pair, quick: None) -> None:
    qrels = tables[0]
    run = tables[1].drop(columns="n")
    measures = "ndcg@1,5 dcg@5 cg judged@5 idcg ncg@3 gain_recall@5 ndcg(gain=exp)@10 ndcg(ties=worst)@3"
    measures += " rr ap@5 success@1,3 recall@3"
    there = spark.table("qrels"), spark.table("run").drop("n")
    ours = evaluate(*there, measures)
    same(ours, evaluate(qrels, run, measures))
    ours, theirs = (evaluate(qrels, x, "ndcg@5", missing="skip") for x in (there[1], run))
    same(ours, theirs)
    assert ours.explain("D0").ndcg == pytest.approx(theirs.explain("D0").ndcg, abs=1e-12)
    by_name = evaluate("qrels", "run", "ndcg(ties=first)@5", columns={"order": "n"}, connection=spark)
    same(by_name, evaluate(qrels, run, "ndcg(ties=first)@5"))
    odd = there[1].withColumnRenamed("query", "{q}")
    columns = {"query": "{q}", "grade": "grade"}
    same(
        evaluate(qrels.rename(columns={"query": "{q}"}), odd, "ndcg@3", columns=columns), evaluate(qrels, run, "ndcg@3")
    )
    assert {x.viewName for x in spark.sql("SHOW VIEWS").collect()} == {"qrels", "run"}, "nothing is left behind"


def test_one_table_of_both(spark: Any, tables: Pair, quick: None) -> None:
    joined = tables[0].merge(tables[1].drop(columns="n"), how="outer")
    same(evaluate(frame(spark, joined), "ndcg@5 judged@5"), evaluate(joined, "ndcg@5 judged@5"))


def test_a_table_called_like_a_measure(spark: Any, tables: Pair, quick: None) -> None:
    run = tables[1].drop(columns="n")
    joined = tables[0].merge(run, how="outer")
    frame(spark, joined).createOrReplaceTempView("joined")
    assert evaluate("joined", "judged", connection=spark).measures == ("judged",), "no table has this name"
    frame(spark, run).createOrReplaceTempView("judged")
    try:
        same(evaluate("qrels", "judged", "ndcg@5", connection=spark), evaluate(tables[0], {"judged": run}, "ndcg@5"))
        assert evaluate("qrels", "judged", connection=spark).measures == ("ndcg@10",)
    finally:
        spark.catalog.dropTempView("judged")
        spark.catalog.dropTempView("joined")


def test_a_table_that_waits(spark: Any, tables: Pair, quick: None) -> None:
    table = evaluate_lazily(spark.table("qrels"), spark.table("run"), "ndcg@5,10 dcg@3")
    assert isinstance(table, type(spark.table("run")))
    assert table.columns == ["query", "ndcg@5", "ndcg@10", "dcg@3"]
    wanted = evaluate(tables[0], tables[1].drop(columns="n"), "ndcg@5,10 dcg@3").per_query
    the_same(pd.DataFrame(table.collect(), columns=table.columns).set_index("query"), wanted)


def test_one_long_query_among_many_short(spark: Any, tmp_path: Path) -> None:
    "Skewed: a query of 50,000 results, with ties among them, and 1,500 queries of three"
    rng = np.random.default_rng(1)
    longest = 50_000
    query = np.r_[np.zeros(longest, int), np.repeat(np.arange(1, 1501), 3)]
    document = np.r_[rng.permutation(longest), rng.integers(0, 1000, 4500) * 3 + np.tile([0, 1, 2], 1500)]
    run = pd.DataFrame({"query": query, "document": document, "score": rng.integers(0, 9000, len(query)) / 8})
    qrels = run.sample(frac=0.1, random_state=1)[["query", "document"]]
    qrels = qrels.assign(grade=rng.integers(0, 4, len(qrels)))
    mixed = run.sample(frac=1, random_state=2)
    there = (spark.read.parquet(on_disk(tmp_path / name, x)) for name, x in (("qrels", qrels), ("run", mixed)))
    same(evaluate(*there, "ndcg@10,1000 ndcg"), evaluate(qrels, run, "ndcg@10,1000 ndcg"))


FAULTS = {
    "SELECT query, document, 'good' AS grade FROM qrels": "holds text",
    "SELECT query, document, IF(document = 'D3', DOUBLE('NaN'), score) AS score FROM run": "NULL or NaN",
    "SELECT query, document, score FROM run UNION ALL SELECT query, document, score + 1 FROM run": "a document twice",
    "SELECT NULLIF(query, 'D0') AS query, document, score FROM run": "no id",
}


def test_a_row_without_a_grade_is_not_judged(spark: Any, tables: Pair, quick: None) -> None:
    unrated = spark.sql("SELECT query, document, NULLIF(grade, 1) AS grade FROM qrels")
    graded = spark.sql("SELECT query, document, grade FROM qrels WHERE grade <> 1")
    run = spark.table("run")
    found = evaluate(unrated, run)
    assert found.per_query.equals(evaluate(graded, run).per_query)
    assert any("no grade" in note for note in found.notes)


@pytest.mark.parametrize("text", FAULTS)
def test_refused(spark: Any, tables: Pair, text: str, quick: None) -> None:
    wrong = spark.sql(text)
    right = [spark.table("qrels"), spark.table("run")]
    with pytest.raises(Unreadable, match=FAULTS[text]):
        evaluate(*([right[0], wrong] if "score" in text else [wrong, right[1]]))


def test_what_spark_does_not_have(spark: Any, tables: Pair) -> None:
    with pytest.raises(Unreadable, match=r"Spark has no table 'nowhere\.run': \[TABLE_OR_VIEW_NOT_FOUND\]"):
        evaluate("qrels", "nowhere.run", connection=spark)
    with pytest.raises(ValueError, match="which is not a name"):
        evaluate("qrels", "run`; DROP TABLE run", connection=spark)
    with pytest.raises(ValueError, match="cutoffs are whole numbers from 1 up"):
        evaluate("qrels", "run", "ndcg@0", connection=spark)


# ---------------------------------------------------------------------------------------------------- the plan
class Node(NamedTuple):
    "A step of a plan"

    name: str
    said: str
    above: tuple[Node, ...]  # the steps its rows go through, from the last to the next
    sent: int | None  # how many rows it sent over, where it did


def steps(plan: Any, above: tuple[Node, ...] = ()) -> Iterator[Node]:
    "The steps of a plan that was carried out"
    metrics = plan.metrics()
    children = plan.children()
    sent = metrics.apply("shuffleRecordsWritten").value() if metrics.contains("shuffleRecordsWritten") else None
    node = Node(plan.nodeName(), plan.simpleString(1000), above, sent)
    yield node
    for i in range(children.size()):
        yield from steps(children.apply(i), (*above, node))


class Road(NamedTuple):
    "What becomes of the rows of a run"

    scans: list[str]  # what is read of it, each time
    road: list[str]  # the steps from the first scan on: cuts and exchanges
    sent: list[int]  # how many rows each exchange sends over


def road(made: Any) -> Road:
    "Where the rows of the run went, of a table that was asked for"
    every = [*steps(made._jdf.queryExecution().executedPlan())]
    scans = [x for x in every if x.name.startswith("Scan") and "/run]" in x.said]
    passed = [x for x in reversed(scans[0].above) if x.name in ("Exchange", "WindowGroupLimit", "SortMergeJoin")]
    words = [f"{x.name} {x.said.rsplit(', ')[-1]}" if x.name == "WindowGroupLimit" else x.name for x in passed]
    return Road(
        [re.search("ReadSchema: (.*)", x.said)[1] for x in scans], words, [x.sent for x in passed if x.sent is not None]
    )


def collected(made: Any) -> Any:
    made.collect()
    return made


QUERIES = 40
RESULTS = 300
FILES = 6
READ = ["struct<query:string,document:string,score:double>"]


@pytest.fixture(scope="module")
def on_disks(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    "A run in six files, each of which has fifty results of every query; and a plan that stays as it is"
    folder = tmp_path_factory.mktemp("parquet")
    rng = np.random.default_rng(3)
    query, document = np.divmod(np.arange(QUERIES * RESULTS), RESULTS)
    run = pd.DataFrame({"query": query, "document": document}).astype(str)
    run = run.assign(score=rng.permutation(len(run)) / 7, clicks=1)
    qrels = run.sample(frac=0.02, random_state=3)[["query", "document"]].assign(grade=2)
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    tables = {"qrels": qrels, "run": run}
    yield {name: spark.read.parquet(on_disk(folder / name, x, FILES)) for name, x in tables.items()}
    spark.conf.set("spark.sql.adaptive.enabled", "true")


@pytest.mark.parametrize("how", [{"k": 10, "ties": "id"}, {"k": 10}, {"k": [5, 20]}], ids=str)
def test_only_the_first_of_each_query_travel(spark: Any, on_disks: dict[str, Any], how: dict[str, Any]) -> None:
    "The run is read once, cut where it is, sent once, and cut again"
    for name, table in on_disks.items():
        table.createOrReplaceTempView(name)
    got = road(collected(spark.sql(ndcg_sql(engine="spark", per_query=True, **how))))
    assert got.scans == READ
    assert got.road == ["WindowGroupLimit Partial", "Exchange", "WindowGroupLimit Final"]
    assert got.sent == [(np.max(how["k"]) + ("ties" not in how)) * QUERIES * FILES]  # of RANK, Spark sends one more


def test_evaluate_sends_no_more(spark: Any, on_disks: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    "Nor does the statement of evaluate, which tells more"
    made = []
    ask = engines.Spark.query

    def query(self: Any, text: str) -> Any:
        found = ask(self, text)
        if text.rstrip().endswith("FROM scores"):  # and not what the notes ask afterwards, of a few queries
            made.append(found)
        return found

    monkeypatch.setattr(engines.Spark, "query", query)
    evaluate(on_disks["qrels"], on_disks["run"], "ndcg@5,20")
    got = road(made[-1])
    assert got.scans == READ
    assert got.road[:3] == ["WindowGroupLimit Partial", "Exchange", "WindowGroupLimit Final"]
    assert got.sent == [21 * QUERIES * FILES]


def test_of_a_list_s_own_ideal_only_hits_travel(spark: Any, on_disks: dict[str, Any]) -> None:
    "The run is read twice, and its rows are met by the judgements where they are, or cut there"
    for name, table in on_disks.items():
        table.createOrReplaceTempView(name)
    before = spark.conf.get("spark.sql.autoBroadcastJoinThreshold")
    files = on_disks["run"].inputFiles()
    size = sum(Path(x.removeprefix("file://")).stat().st_size for x in files)
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", size // 2)  # as for a run that is too long to be sent around
    made = collected(spark.sql(ndcg_sql(engine="spark", per_query=True, ideal="list", ties="id")))
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", before)
    hits = on_disks["qrels"].count()
    sent = [x.sent for x in steps(made._jdf.queryExecution().executedPlan()) if x.sent is not None]
    assert max(sent) == 10 * QUERIES * FILES
    assert sorted(sent)[-2] <= hits


def test_a_text_that_ranks_twice_is_noticed(spark: Any, on_disks: dict[str, Any]) -> None:
    "The guard above, seen to fail: once more for the number of results, and every row travels"
    on_disks["run"].createOrReplaceTempView("run")
    ranked = "SELECT query, RANK() OVER (PARTITION BY query ORDER BY score DESC) AS place FROM run"
    text = f"WITH ranked AS ({ranked}) SELECT a.query, MAX(b.place) FROM ranked AS a JOIN ranked AS b USING (query)"
    got = road(collected(spark.sql(f"{text} WHERE a.place <= 10 AND b.place > 10 GROUP BY a.query")))
    assert len(got.scans) == 2
    whole = road(collected(spark.sql(f"SELECT query, MAX(place) FROM ({ranked}) GROUP BY query")))
    assert whole.road == ["Exchange"]
    assert whole.sent == [QUERIES * RESULTS]


# ---------------------------------------------------------------------------------------------------- the other roads
@pytest.mark.parametrize("seed", [6001, 6002, 6005, 6006])
def test_everything_a_result_says(spark: Any, seed: int) -> None:
    "As `test_roads.py` has it for DuckDB"
    x = roads.problem(seed)
    lined = {name: table.assign(line=range(len(table))) for name, table in {"qrels": x.qrels, **x.runs}.items()}
    tables = {name: frame(spark, table, 2) for name, table in lined.items()}
    runs = {name: tables[name] for name in x.runs}
    there = roads.answer(lambda: evaluate(tables["qrels"], runs, columns={"order": "line"}, **x.how))
    here = roads.in_memory(x)
    if not roads.only_first(here, there):
        roads.compare(there, here, seed)


@pytest.mark.parametrize("kind", ["bigint", "decimal(20,0)"])
def test_whole_numbers_no_float_can_hold(spark: Any, kind: str) -> None:
    rows = f"(VALUES ('q', 'a', CAST(1700000000000000001 AS {kind})), ('q', 'b', CAST(1 AS {kind}))) AS t"
    wide = {x: spark.sql(f"SELECT * FROM {rows}(query, document, {x})") for x in ("grade", "score")}
    with pytest.raises(Unreadable, match=r"the score of document 'a' of 'q' is 1700000000000000001, above 2\*\*53"):
        evaluate({"q": {"a": 1}}, wide["score"])
    with pytest.raises(Unreadable, match=r"the grade of document 'a' of 'q' is 1700000000000000001, above 2\*\*53"):
        evaluate(wide["grade"], {"q": {"a": 1}})


def test_likely_mistakes_are_told(spark: Any) -> None:
    "As in memory; on the other roads, see `test_roads.py`"
    for mistake in ("nothing", "swapped", "swapped, and scores are whole"):
        qrels, run, number = roads.LIKELY[mistake]
        said = []
        for data in ((qrels, run), (frame(spark, qrels), frame(spark, run))):
            with warnings.catch_warnings(record=True) as noted:
                warnings.simplefilter("always")
                evaluate(*data, disjoint="zero", missing="zero")
            words = [str(x.message) for x in noted]
            said.append([x for x in words if re.search("are they swapped", x)])
        assert said[0] == said[1]
        assert len(said[0]) == number
