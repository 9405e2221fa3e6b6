"""The SQL text on DuckDB and on Spark, over 7 M rows of Parquet, two threads; CPU time.

Beside counting the rows of each query there. The cluster is a master of Spark and two workers, started on this machine,
and its seconds are of the day."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import harness
import numpy as np
import pandas as pd
from harness import FOLDER, Took, agree, line, ndcg_nb, peer, rarely, seconds
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
def spark(folder: Path, master: str = "local[2]") -> Iterator[tuple[Ask, Callable[[], float]]]:
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
    session = SparkSession.builder.master(master).config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    process = SparkContext._gateway.proc  # type: ignore[union-attr]
    for name in ("qrels", "run"):
        session.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    clock = perf_counter if master.startswith("spark:") else lambda: of_process(process.pid)
    yield lambda text: session.sql(text).toArrow().to_pandas(), clock
    session.stop()
    process.stdin.close()
    process.wait()


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[Ask, Callable[[], float]]]:
    "A master of Spark, and two workers of one core each"
    home, ports = Path(__import__("pyspark").__file__).parent, [free_port() for _ in range(4)]
    master = f"spark://127.0.0.1:{ports[0]}"
    own = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(FOLDER / "workers")}
    deploy, at, worker = "org.apache.spark.deploy", ["--host", "127.0.0.1", "--webui-port"], ["--cores", "1", master]
    commands = [[f"{deploy}.master.Master", *at, str(ports[1]), "--port", str(ports[0])]]
    commands += [[f"{deploy}.worker.Worker", *at, str(port), *worker] for port in ports[2:]]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": os.environ | own}
    started = [subprocess.Popen([home / "bin" / "spark-class", *x], **quiet) for x in commands]  # type: ignore[call-overload]
    try:
        while len(workers_of(ports[1])) < 2:
            sleep(0.5)
        with spark(folder, master) as (ask, clock):
            yield ask, clock
    finally:
        for process in started:
            process.terminate()
            process.wait()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def workers_of(port: int) -> list[Any]:
    "The workers that a master knows"
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/", timeout=5) as page:
            return [x for x in json.load(page)["workers"] if x["state"] == "ALIVE"]
    except OSError:
        return []


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
    with {"duckdb": duckdb, "spark": spark, "cluster": cluster}[engine](folder) as (ask, clock):
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


@rarely
def work_cluster() -> None:
    "Spark with two workers of one core each"
    bench("cluster")
