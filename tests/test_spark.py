"""The text on Spark, for real: the numbers are those of evaluate in process, the run is read and sent over once, and
of each query and partition only the first k results travel. Without pyspark or Java, none of this is run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from os import environ
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import evaluate
from ndcg_nb.hood.conventions import DIALECTS
from ndcg_nb.sql import ndcg_sql

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'ndcg_nb[spark]'")
if not (shutil.which("java") or environ.get("JAVA_HOME")):
    pytest.skip("Spark needs Java 17 or later: apt install openjdk-17-jre-headless", allow_module_level=True)

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
    gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
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
def problem(seed: int = 0, queries: int = 60) -> tuple[pd.DataFrame, pd.DataFrame]:
    "Ties, unjudged results, queries that are missing, empty or extra, and scores of -inf; `n` is the order of rows"
    rng, names = np.random.default_rng(seed), [f"{'DR'[i % 2]}{i}" for i in range(queries)]
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


def asked_in_process(qrels: pd.DataFrame, run: pd.DataFrame, how: dict[str, Any]) -> Any:
    "What evaluate says"
    from ndcg_nb.hood.measures import Written

    how = dict(how)
    k, missing, ignore = how.pop("k"), how.pop("missing", None), how.pop("ignore_self", None)
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
def tables(spark: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
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


@pytest.mark.parametrize("how", [*CHOICES, *TOOLS], ids=lambda how: how.get("like") or f"k={how['k']}")
def test_the_same_numbers(
    spark: Any, tables: tuple[pd.DataFrame, pd.DataFrame], how: dict[str, Any], quick: None
) -> None:
    got = spark.sql(text_of(how, per_query=True)).toArrow().to_pandas().set_index("query")
    the_same(got, asked_in_process(*tables, how).per_query)
