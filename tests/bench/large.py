"""A run of 100 M rows in Parquet, which is not read at once; CPU and wall time, and the most memory ever held.

Each work is done in a process of its own. The files are made once, in NDCG_LARGE or a temporary folder: about 1.3 GB,
and as much again where the rows are shuffled."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import harness
import numpy as np
import pyarrow as pa
from harness import Took, agree, child, line, rarely
from pyarrow import parquet

from ndcg_nb.hood.runs.loop import RunningTally

RESULTS = 1_000  # of each query
JUDGED = 10  # documents of each query, of which about 87 % are found
PASSAGES = 8_841_823  # a prime, so that the documents of a query are all different
GROUP = 2**20  # rows
CUTOFFS = [10, 100, 1000]
COLUMNS = ["query", "document", "score"]
FOLDER = Path(os.environ.get("NDCG_LARGE") or Path(tempfile.gettempdir()) / "ndcg_nb_large")


# ---------------------------------------------------------------------------------------------------- the data
def text(numbers: np.ndarray) -> pa.Array:
    return pa.array(numbers).cast(pa.string())


def topics(queries: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    "The id of each query, and where its documents begin and by how much they go on"
    rng = np.random.default_rng(0)
    return rng.permutation(queries) + 1_000_000, *rng.integers(1, PASSAGES, (2, queries))


def noise(rows: np.ndarray) -> np.ndarray:
    "A number from 0 to 1 for each row, whichever way it is come by"
    mixed = rows.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return ((mixed ^ (mixed >> np.uint64(29))) >> np.uint64(11)).astype(np.float64) / 2**53


def run(rows: np.ndarray, queries: int) -> pa.Table:
    "Some rows of the run, by their numbers: those of a query have falling scores"
    ids, start, step = topics(queries)
    query, rank = np.divmod(rows, RESULTS)
    score = (30 - 0.02 * rank - 0.015 * noise(rows)).round(4)
    document = (start[query] + step[query] * rank) % PASSAGES
    return pa.table({"query": text(ids[query]), "document": text(document), "score": score})


def judgements(queries: int) -> pa.Table:
    "What was judged of each query; ranks beyond the last were not found"
    rng, (ids, start, step) = np.random.default_rng(1), topics(queries)
    rank = (rng.integers(0, RESULTS, (queries, 1)) + 97 * np.arange(JUDGED)) % (RESULTS * 115 // 100)
    document = (start[:, None] + step[:, None] * rank) % PASSAGES
    grade = rng.choice(4, rank.shape, p=[0.4, 0.3, 0.2, 0.1])
    return pa.table({"query": text(ids.repeat(JUDGED)), "document": text(document.ravel()), "grade": grade.ravel()})


def shuffled(rows: np.ndarray, count: int) -> np.ndarray:
    "Each row's number in an order in which no two of a query are neighbours"
    stride = next(s for s in range(int(0.618 * count) | 1, count, 2) if np.gcd(s, count) == 1)
    return rows * stride % count


def written(path: Path, tables: Iterator[pa.Table]) -> Path:
    "A file, made once"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        part, first = path.with_suffix(".part"), next(tables)
        with parquet.ParquetWriter(part, first.schema) as writer:
            for table in (first, *tables):
                writer.write_table(table, row_group_size=GROUP)
        part.rename(path)
    return path


def files(rows: int, mixed: bool) -> tuple[Path, Path]:
    "Judgements and a run"
    queries = rows // RESULTS
    starts = range(0, queries * RESULTS, GROUP)
    parts = (np.arange(i, min(i + GROUP, queries * RESULTS)) for i in starts)
    order = (lambda x: shuffled(x, queries * RESULTS)) if mixed else (lambda x: x)
    name = f"run-{rows}{'-shuffled' * mixed}.parquet"
    qrels = written(FOLDER / f"qrels-{rows}.parquet", iter([judgements(queries)]))
    return qrels, written(FOLDER / name, (run(order(part), queries) for part in parts))


# ---------------------------------------------------------------------------------------------------- the tasks
def decode(qrels: Path, run: Path) -> list[float]:
    "By pyarrow, group by group, and nothing done with it"
    with parquet.ParquetFile(run) as file:
        for i in range(file.num_row_groups):
            file.read_row_group(i, columns=COLUMNS)
    return []


def evaluated(qrels: Path, run: Path, long: int) -> list[float]:
    "By evaluate, in pieces from so many rows on"
    from ndcg_nb import evaluate
    from ndcg_nb.hood.engines import parquet as streams

    streams.AT_ONCE = long
    result = evaluate(qrels, run, f"ndcg@{','.join(map(str, CUTOFFS))}")
    for side in result.sides()[run.name].values():
        if long == 0 and not isinstance(side, RunningTally):
            raise SystemExit(f"it did not pass in pieces: {result.notes}")
    return result.means.iloc[0].tolist()


def duckdb(qrels: Path, run: Path, ties: str) -> list[float]:
    "By ndcg_sql in DuckDB"
    import duckdb

    from ndcg_nb.sql import ndcg_sql

    aside = tempfile.mkdtemp(dir=FOLDER)
    settings = {"memory_limit": "2GB", "threads": 2, "temp_directory": aside, "preserve_insertion_order": "false"}
    try:
        with duckdb.connect(config=settings) as connection:
            for name, path in (("qrels", qrels), ("run", run)):
                connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{path}')")
            found = connection.execute(ndcg_sql(k=CUTOFFS, ties=ties)).fetchone()
    finally:
        shutil.rmtree(aside)
    return list(found[: len(CUTOFFS)])


IMPORTS: dict[Any, list[str]] = {decode: [], evaluated: ["ndcg_nb"], duckdb: ["duckdb", "ndcg_nb.sql"]}  # not counted
TASKS: dict[str, tuple[str, Callable[..., list[float]], list[Any]]] = {
    "decode": ("three columns decoded by pyarrow", decode, []),
    "stream": ("evaluate, piece by piece", evaluated, [0]),
    "at_once": ("evaluate, the file read at once", evaluated, [2**62]),
    "duckdb": ("ndcg_sql in DuckDB, 2 threads, 2 GB", duckdb, ["average"]),
    "by_id": ("ndcg_sql in DuckDB, 2 threads, 2 GB, by id", duckdb, ["id"]),
}


# ---------------------------------------------------------------------------------------------------- the works
def measured(task: str, qrels: str, run: str) -> list[Any]:
    "In a process of its own: do a task, and tell what it took"
    _, do, how = TASKS[task]
    for name in IMPORTS[do]:
        import_module(name)
    wall, cpu = perf_counter(), process_time()
    means = do(Path(qrels), Path(run), *how)
    return [perf_counter() - wall, process_time() - cpu, means]


@cache
def took(task: str, mixed: bool) -> tuple[list[Any], float]:
    "What a task takes, and the most memory"
    qrels, run = files(harness.rows or 100_000_000, mixed)
    return child(f"large.measured({task!r}, {str(qrels)!r}, {str(run)!r})")


def bench(*tasks: str, mixed: bool = False) -> None:
    "Tasks beside decoding; means that differ from those of the stream stop the benchmark"
    (_, floor, _), _ = took("decode", False)
    for task in tasks:
        (wall, cpu, means), peak = took(task, mixed)
        if means:
            agree(task, "evaluate, piece by piece,", took("stream", False)[0][2], means, atol=1e-12)
        told = f"{wall:.1f} s of wall time, {peak:,.0f} MiB at most"
        line(f"{TASKS[task][0]}{', shuffled' * mixed}", "decoding", Took(floor, cpu), told, cost=True)


def work_stream() -> None:
    "evaluate, piece by piece"
    bench("decode", "stream")


def work_duckdb() -> None:
    "ndcg_sql in DuckDB, ties averaged and by id"
    bench("duckdb", "by_id")


@rarely
def work_shuffled() -> None:
    "the same rows in no order, in DuckDB"
    bench("duckdb", mixed=True)


@rarely
def work_at_once() -> None:
    "evaluate, the file read at once"
    bench("at_once")
