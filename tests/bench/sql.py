"""The SQL text on DuckDB and on Spark, over 7 M rows of Parquet, two threads; CPU time.

Beside counting the rows of each query there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import harness
import numpy as np
import pandas as pd
from harness import FOLDER, Took, agree, line, ndcg_nb, peer, seconds
from runs import marco

CUTOFFS = [10, 100, 1000]
COUNT = "SELECT query, COUNT(*) AS results FROM run GROUP BY query"
ASKED: dict[str, dict[str, Any]] = {  # as what it is told, and how it is asked for
    "@10": {"k": 10},
    "@10, ties by id": {"k": 10, "ties": "id"},
    "@10,100,1000": {"k": CUTOFFS},
    "@10,100,1000, ties by id": {"k": CUTOFFS, "ties": "id"},
    "@10, as scikit-learn": {"k": 10, "like": "sklearn"},
}
Ask = Callable[[str], pd.DataFrame]


def stored(queries: int) -> tuple[Path, pd.DataFrame, pd.DataFrame]:
    "Judgements and run as Parquet, written once; the run in eight files"
    parquet, arrow = __import__("pyarrow.parquet").parquet, __import__("pyarrow")
    folder, (qrels, run) = FOLDER / f"sql-{queries}", marco(queries)
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=folder.parent))
        for name, table, files in (("qrels", qrels, 1), ("run", run, 8)):
            (part / name).mkdir()
            for i, rows in enumerate(np.array_split(np.arange(len(table)), files)):
                whole = arrow.Table.from_pandas(table.iloc[rows], preserve_index=False)
                parquet.write_table(whole, part / name / f"{i}.parquet")
        part.rename(folder)
    return folder, qrels, run


# ---------------------------------------------------------------------------------------------------- the engines
@contextmanager
def duckdb(folder: Path) -> Iterator[tuple[Ask, Callable[[], float]]]:
    "DuckDB with two threads"
    connection = __import__("duckdb").connect(config={"threads": 2})
    for name in ("qrels", "run"):
        connection.sql(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{folder / name}/*.parquet')")
    yield lambda text: connection.sql(text).df(), process_time
    connection.close()


@contextmanager
def spark(folder: Path) -> Iterator[tuple[Ask, Callable[[], float]]]:
    "Spark with two threads of this machine; the clock is that of the JVM"
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "8",
    }
    session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    process = SparkContext._gateway.proc  # type: ignore[union-attr]
    for name in ("qrels", "run"):
        session.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    yield lambda text: session.sql(text).toArrow().to_pandas(), lambda: of_process(process.pid)
    session.stop()
    process.stdin.close()
    process.wait()


def of_process(number: int) -> float:
    "CPU seconds of a process, from Linux; elsewhere the time of day"
    stat = Path(f"/proc/{number}/stat")
    if not stat.exists():
        return perf_counter()
    fields = stat.read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def why_not(engine: str) -> str:
    "What is missing for an engine"
    if engine != "duckdb" and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        return "Java is not installed: apt install openjdk-17-jre-headless"
    return "" if peer("duckdb" if engine == "duckdb" else "pyspark") else "pip install 'ndcg_nb[sql,spark]'"


# ---------------------------------------------------------------------------------------------------- the works
def measure(k: int | list[int], **how: str) -> str:
    "What is asked, as a measure is written"
    settings = f"({','.join(f'{key}={value}' for key, value in how.items())})" if how else ""
    return f"ndcg{settings}@{','.join(map(str, k if isinstance(k, list) else [k]))}"


def bench(engine: str) -> None:
    "Every work on one engine"
    if missing := why_not(engine):
        print(f"left out: {engine} ({missing})")
        return
    folder, qrels, run = stored((harness.rows or 6_980_000) // 1_000)
    with {"duckdb": duckdb, "spark": spark}[engine](folder) as (ask, clock):
        (floor,) = seconds(lambda: ask(COUNT), clock=clock, least=0)
        line("rows of each query counted", "", Took(None, floor))
        for work, how in ASKED.items():
            grammar = "duckdb" if engine == "duckdb" else "spark"
            text = ndcg_nb.ndcg_sql(engine=grammar, per_query=True, missing="zero", **how)
            mine = ndcg_nb.evaluate(qrels, run, measure(**how)).per_query.set_index("query")
            theirs = ask(text).set_index("query").reindex(mine.index)
            agree(f"{engine}, {work}", engine, theirs, mine, atol=1e-12, equal_nan=True)
            (spent,) = seconds(lambda text=text: ask(text), clock=clock, least=0)
            line(work, "rows of each query counted", Took(floor, spent), cost=True)


def work_duckdb() -> None:
    "DuckDB with two threads"
    bench("duckdb")


def work_spark() -> None:
    "Spark with two threads of this machine"
    bench("spark")
