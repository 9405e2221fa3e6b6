"""A run of 100 M rows in Parquet, which is not read at once: wall and CPU seconds, and the most memory ever held.

python tests/bench_large.py [--rows N] [--shuffled] [WORK ...] does all works, or those named, each in a process of its
own. The files are made once, in NDCG_LARGE or a temporary folder: about 1.3 GB, and as much again where the rows are
shuffled.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

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


# ---------------------------------------------------------------------------------------------------- the works
def decode(qrels: Path, run: Path) -> list[float]:
    "three columns decoded by pyarrow, group by group"
    with parquet.ParquetFile(run) as file:
        for i in range(file.num_row_groups):
            file.read_row_group(i, columns=COLUMNS)
    return []


def stream(qrels: Path, run: Path) -> list[float]:
    "evaluate, piece by piece"
    from ndcg_nb import evaluate
    from ndcg_nb.hood import streams

    streams.AT_ONCE = 0  # so do fewer rows, where fewer are asked for
    result = evaluate(qrels, run, f"ndcg@{','.join(map(str, CUTOFFS))}")
    if type(next(iter(result.sides()[run.name].values()))).__name__ != "Kept":
        raise SystemExit(f"it did not pass in pieces: {result.notes}")
    return result.means.iloc[0].tolist()


def at_once(qrels: Path, run: Path) -> list[float]:
    "evaluate, the file read at once"
    from ndcg_nb import evaluate
    from ndcg_nb.hood import streams

    streams.AT_ONCE = 2**62
    return evaluate(qrels, run, f"ndcg@{','.join(map(str, CUTOFFS))}").means.iloc[0].tolist()


def duckdb(qrels: Path, run: Path, ties: str = "average") -> list[float]:
    "ndcg_sql in DuckDB, two threads and 2 GB"
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


def duckdb_by_id(qrels: Path, run: Path) -> list[float]:
    "ndcg_sql in DuckDB, two threads and 2 GB, ties by id"
    return duckdb(qrels, run, "id")


WORKS: dict[str, Callable[[Path, Path], list[float]]] = {
    "decode": decode,
    "stream": stream,
    "duckdb": duckdb,
    "duckdb-by-id": duckdb_by_id,
    "at-once": at_once,
}
SQL = ["duckdb", "ndcg_nb.sql"]
IMPORTS = {"stream": ["ndcg_nb"], "at-once": ["ndcg_nb"], "duckdb": SQL, "duckdb-by-id": SQL}  # which are not counted


# ---------------------------------------------------------------------------------------------------- the clock
def high_water() -> float:
    "The most memory this process has held, in MiB; on Linux ru_maxrss will not do, since it starts from the parent's"
    if (status := Path("/proc/self/status")).exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def measured(work: str, qrels: str, run: str) -> None:
    "In a process of its own: do a work, and tell what it took; what is imported is not counted"
    for name in IMPORTS.get(work, []):
        __import__(name)
    wall, cpu = perf_counter(), process_time()
    means = WORKS[work](Path(qrels), Path(run))
    took = {"wall": perf_counter() - wall, "cpu": process_time() - cpu, "peak": high_water(), "means": means}
    print(f"\n{json.dumps(took)}")  # below the bar that DuckDB draws


def child(work: str, qrels: Path, run: Path) -> dict[str, Any]:
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import bench_large; "
    code += f"bench_large.measured({work!r}, {str(qrels)!r}, {str(run)!r})"
    said = subprocess.check_output([sys.executable, "-W", "ignore", "-c", code], text=True)
    return json.loads(said.splitlines()[-1])


def line(work: str, took: dict[str, Any], floor: dict[str, Any]) -> None:
    ratio = f"{took['cpu'] / floor['cpu']:7.2f}×" if floor else f"{'–':>8}"
    print(f"{work:60} {took['wall']:8.1f} {took['cpu']:8.1f} {ratio} {took['peak']:9.0f}", flush=True)


def agree(work: str, means: list[float], known: list[float]) -> list[float]:
    "Means that differ stop the benchmark"
    if means and known and not np.allclose(means, known, rtol=0, atol=1e-12):
        raise SystemExit(f"{work} says {means}, and another {known}")
    return known or means


def main() -> None:
    warnings.simplefilter("ignore")
    told = "; ".join(f"{name}: {work.__doc__}" for name, work in WORKS.items())
    parser = argparse.ArgumentParser(description=f"A run that is not read at once. {told}. All but at-once, if none.")
    parser.add_argument("work", nargs="*", help="which to do")
    parser.add_argument("--rows", type=int, default=100_000_000, help="of the run (100,000,000)")
    parser.add_argument("--shuffled", action="store_true", help="DuckDB once more, on the same rows in no order")
    args = parser.parse_args()
    unknown = [name for name in args.work if name not in WORKS]
    if unknown:
        parser.error(f"there is no work {unknown[0]!r}, only {', '.join(WORKS)}")
    qrels, run = files(args.rows, mixed=False)
    size = f"{args.rows // RESULTS * RESULTS:,} rows, {run.stat().st_size / 1e6:,.0f} MB"
    print(f"\n{platform.machine()}, {os.cpu_count()} cores; {size}; nDCG at {', '.join(map(str, CUTOFFS))}\n")
    print(f"{'':60} {'wall s':>8} {'CPU s':>8} {'decode':>8} {'peak MiB':>9}")
    floor: dict[str, Any] = {}
    means: list[float] = []
    for work in args.work or ["decode", "stream", "duckdb", "duckdb-by-id"]:
        took = child(work, qrels, run)
        floor = took if work == "decode" else floor
        line(str(WORKS[work].__doc__), took, floor)
        means = agree(work, took["means"], means)
    if args.shuffled:
        took = child("duckdb", *files(args.rows, mixed=True))
        line(f"{WORKS['duckdb'].__doc__}, rows shuffled", took, floor)
        agree("DuckDB, shuffled,", took["means"], means)


if __name__ == "__main__":
    main()
