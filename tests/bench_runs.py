"""Ours beside its peers on whole runs, in tables and in files: that the answers agree, then CPU seconds and the ratio.

python tests/bench_runs.py [WORK ...] does all of them, or those named; TREC_EVAL names trec_eval's program.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import resource
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

import ndcg_nb
from ndcg_nb import evaluate

CUTOFFS = (10, 100, 1000)
MEASURE = "ndcg@10,100,1000"
COLUMNS = [f"ndcg@{k}" for k in CUTOFFS]
PASSAGES = 8_841_823  # as many as MS MARCO has; a prime, so that the documents of a query are all different
FOLDER = Path(tempfile.gettempdir()) / "ndcg_nb_bench"
Tables = tuple[pd.DataFrame, pd.DataFrame]
Call = Callable[[], Any]


# ---------------------------------------------------------------------------------------------------- the data
def names(numbers: np.ndarray) -> pd.Series:
    "Ids: text, in pandas' own type for it"
    return pd.Series(numbers.ravel()).astype("str")


def retrieved(queries: int, results: int, rng: np.random.Generator) -> tuple[np.ndarray, Callable[[Any], Any], Any]:
    "Ids of queries, what each finds at a rank (beyond the last: what it does not find), and scores, falling"
    topics = rng.choice(1_200_000, queries, replace=False)
    start, step = rng.integers(0, PASSAGES, (queries, 1)), rng.integers(1, PASSAGES, (queries, 1))
    scores = 30 - 0.02 * np.arange(results) - rng.random((queries, results)) * 0.015
    return topics, lambda ranks: (start + step * ranks) % PASSAGES, scores.round(4)


def tables(topics: np.ndarray, found: np.ndarray, scores: np.ndarray, judged: list[np.ndarray]) -> Tables:
    "Judgements and run as tables; judged are places among the topics, documents and grades"
    query, document, grade = judged
    qrels = pd.DataFrame({"query": names(topics[query]), "document": names(document), "grade": grade})
    rows = np.repeat(topics, found.shape[1])
    return qrels, pd.DataFrame({"query": names(rows), "document": names(found), "score": scores.ravel()})


def marco(queries: int = 6_980, results: int = 1_000) -> Tables:
    "Many queries, and about 1.1 relevant documents of each, of which some 85 % are found"
    rng = np.random.default_rng(0)
    topics, at, scores = retrieved(queries, results, rng)
    first = (results * rng.random(queries) ** 3).astype(int)
    second = (first + rng.integers(1, results, queries)) % results
    ranks = np.stack([first, second], axis=1)
    ranks[rng.random((queries, 2)) > 0.85] += results
    kept = np.stack([np.ones(queries, bool), rng.random(queries) < 0.1], axis=1)
    judged = [np.nonzero(kept)[0], at(ranks)[kept], np.ones(kept.sum(), int)]
    return tables(topics, at(np.arange(results)), scores, judged)


def dl(queries: int = 50, results: int = 1_000, judgements: int = 200) -> Tables:
    "Few queries, judged deeply with grades from 0 to 3; about half of what is judged is found"
    rng = np.random.default_rng(1)
    topics, at, scores = retrieved(queries, results, rng)
    ranks = np.stack([rng.choice(2 * results, judgements, replace=False) for _ in range(queries)])
    grades = rng.choice(4, (queries, judgements), p=[0.5, 0.25, 0.15, 0.1])
    judged = [np.repeat(np.arange(queries), judgements), at(ranks).ravel(), grades.ravel()]
    return tables(topics, at(np.arange(results)), scores, judged)


def shuffled(qrels: pd.DataFrame, run: pd.DataFrame) -> Tables:
    "The same rows in no order"
    mixed = [table.sample(frac=1, random_state=0, ignore_index=True) for table in (qrels, run)]
    return mixed[0], mixed[1]


def files() -> tuple[Path, Path]:
    "The marco tables as TREC files, written once"
    qrels, run = FOLDER / "marco.qrels", FOLDER / "marco.run"
    if not run.exists():
        FOLDER.mkdir(exist_ok=True)
        judged, ranked = marco()
        judged.insert(1, "iteration", 0)
        judged.to_csv(qrels, sep=" ", header=False, index=False)
        ranked.insert(1, "iteration", "Q0")
        ranked.insert(3, "rank", ranked.groupby("query", sort=False).cumcount() + 1)
        ranked["tag"] = "bm25"
        ranked.to_csv(part := run.with_suffix(".part"), sep=" ", header=False, index=False)
        part.rename(run)
    return qrels, run


# ---------------------------------------------------------------------------------------------------- the clock
def peer(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except Exception as error:  # a peer that does not import here is a peer that is not measured
        print(f"left out: {module} ({type(error).__name__}: {error})")
        return None


def cpu() -> float:
    "CPU seconds of this process, its threads, and its children that have ended"
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def seconds(call: Call, enough: float = 8) -> float:
    "CPU seconds of a call, the best of three, or of fewer once they have taken long enough together"
    times: list[float] = []
    while len(times) < 3 and sum(times) < enough:
        start = cpu()
        call()
        times.append(cpu() - start)
    return min(times)


def micro(call: Call, calls: int = 300) -> float:
    "CPU microseconds of a short call, the best of three"
    return seconds(lambda: [call() for _ in range(calls)]) / calls * 1e6


def heading(title: str) -> None:
    print(f"\n{title}\n\n{'work':34} {'beside':34} {'theirs':>9} {'ours':>9} {'ratio':>8}  to beat")


def line(work: str, beside: str, theirs: float, ours: float, bar: str = "", upside_down: bool = False) -> None:
    "One line of the table; the ratio is how many times theirs takes, or how many times ours takes where that is told"
    ratio = ours / theirs if upside_down else theirs / ours
    print(f"{work:34} {beside:34} {theirs:9.4f} {ours:9.4f} {ratio:7.2f}×  {bar}", flush=True)


# ---------------------------------------------------------------------------------------------------- the answers
def ours(qrels: Any, run: Any) -> pd.DataFrame:
    return evaluate(qrels, run, MEASURE).per_query


def timed(data: Tables) -> float:
    "CPU seconds that ours takes for tables"
    return seconds(lambda: ours(*data))


def values(answer: Any) -> np.ndarray:
    "Answers by query, sorted: ours, or a dictionary of queries"
    if isinstance(answer, dict):
        return pd.DataFrame.from_dict(answer, orient="index").sort_index().to_numpy(float)
    table = answer if isinstance(answer, pd.DataFrame) else answer.to_pandas()
    return table.set_index("query").sort_index()[COLUMNS].to_numpy(float)


def agree(work: str, name: str, theirs: Any, mine: Any, close: float = 1e-9) -> None:
    "Answers that differ for any query, or queries that do, stop the benchmark"
    expected, found = values(theirs), values(mine)
    if expected.shape != found.shape or not np.allclose(found, expected, rtol=0, atol=close):
        raise SystemExit(f"{work}: {name} says {expected.mean(axis=0)} of {len(expected)}, ours {found.mean(axis=0)}")


# ---------------------------------------------------------------------------------------------------- the peers
def nested(table: pd.DataFrame, value: str) -> dict[str, dict[str, Any]]:
    "Dictionaries in a dictionary, as pytrec_eval takes them: the quickest way of several that we tried"
    if len(table) < 100:
        small: dict[str, dict[str, Any]] = {}
        for query, document, number in zip(table["query"], table["document"], table[value]):
            small.setdefault(query, {})[document] = number
        return small
    codes, queries = pd.factorize(table["query"])
    if (np.diff(codes) < 0).any():
        groups = table.groupby("query", sort=False)
        return {query: dict(zip(rows["document"].tolist(), rows[value].tolist())) for query, rows in groups}
    documents, numbers = table["document"].tolist(), table[value].tolist()
    ends = (np.flatnonzero(np.diff(codes, append=-1)) + 1).tolist()
    places = zip(queries, [0, *ends], ends)
    return {query: dict(zip(documents[a:b], numbers[a:b])) for query, a, b in places}


def pytrec_eval(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    measures = {f"ndcg_cut.{','.join(map(str, CUTOFFS))}"}
    return importlib.import_module("pytrec_eval").RelevanceEvaluator(qrels, measures).evaluate(run)


def objects(data: Tables) -> Tables:
    "Tables with text as Python's own, which is all that ranx takes"
    qrels, run = (table.astype({"query": object, "document": object}) for table in data)
    return qrels, run


def ranx(qrels: pd.DataFrame, run: pd.DataFrame) -> dict[str, dict[str, float]]:
    it, ids = importlib.import_module("ranx"), {"q_id_col": "query", "doc_id_col": "document"}
    judged = it.Qrels.from_df(qrels, **ids, score_col="grade")
    ranked = it.Run.from_df(run, **ids, score_col="score")
    it.evaluate(judged, ranked, COLUMNS, make_comparable=True)
    return {query: {c: ranked.scores[c][query] for c in COLUMNS} for query in ranked.keys()}  # noqa: SIM118


def ir_measures(qrels: pd.DataFrame, run: pd.DataFrame) -> dict[str, dict[str, float]]:
    it, ids = importlib.import_module("ir_measures"), {"query": "query_id", "document": "doc_id"}
    found: dict[str, dict[str, float]] = {}
    judged, ranked = qrels.rename(columns={**ids, "grade": "relevance"}), run.rename(columns=ids)
    for metric in it.iter_calc([it.nDCG @ k for k in CUTOFFS], judged, ranked):
        found.setdefault(metric.query_id, {})[str(metric.measure)] = metric.value
    return {query: {k: each[f"nDCG@{k}"] for k in CUTOFFS} for query, each in found.items()}


# ---------------------------------------------------------------------------------------------------- the works
def beside_pytrec_eval(work: str, data: Tables, bars: tuple[str, str]) -> float:
    "Ours beside pytrec_eval with its dictionaries and without; how long ours takes"
    mine = timed(data)
    if peer("pytrec_eval"):
        dicts = nested(data[0], "grade"), nested(data[1], "score")
        agree(work, "pytrec_eval", pytrec_eval(*dicts), ours(*data))
        alone = seconds(lambda: pytrec_eval(*dicts))
        del dicts
        whole = seconds(lambda: pytrec_eval(nested(data[0], "grade"), nested(data[1], "score")))
        line(work, "pytrec_eval, with its dicts", whole, mine, bars[0])
        line(work, "pytrec_eval, dicts not counted", alone, mine, bars[1])
    return mine


def beside_ranx(work: str, data: Tables, mine: float, bar: str) -> None:
    if peer("ranx"):
        ranx(*objects(dl(2, 20, 10)))  # compiles it, which is not counted
        theirs = objects(data)
        agree(work, "ranx", ranx(*theirs), ours(*data))
        line(work, "ranx, from_df", seconds(lambda: ranx(*theirs)), mine, bar)


def work_marco() -> None:
    "7 M rows of string ids, three cutoffs"
    data = marco()
    mine = beside_pytrec_eval("marco", data, ("15×", "6×"))
    beside_ranx("marco", data, mine, "30×")
    if polars := peer("polars"):
        frames = [polars.from_pandas(table) for table in data]
        agree("marco", "ours on polars", ours(*frames), ours(*data))
        line("marco, polars frames", "ours on pandas", mine, seconds(lambda: ours(*frames)))


def work_slow() -> None:
    "marco beside ir_measures, which takes a minute"
    data = marco()
    if peer("ir_measures"):
        agree("marco", "ir_measures", ir_measures(*data), ours(*data))
        line("marco", "ir_measures", seconds(lambda: ir_measures(*data)), timed(data))


def work_shuffled() -> None:
    "the same rows in no order"
    beside_pytrec_eval("marco, rows shuffled", shuffled(*marco()), ("5×", ""))


def work_dl() -> None:
    "50 queries, judged deeply"
    data = dl()
    mine = beside_pytrec_eval("dl", data, ("3×", ""))
    beside_ranx("dl", data, mine, "")
    if peer("ir_measures"):
        agree("dl", "ir_measures", ir_measures(*data), ours(*data))
        line("dl", "ir_measures", seconds(lambda: ir_measures(*data)), mine)


def work_file() -> None:
    "the 7 M-line TREC file"
    qrels, run = files()
    mine = seconds(lambda: evaluate(qrels, run, "ndcg@10"))
    work = f"a run file of {run.stat().st_size / 1e6:.0f} MB @10"
    if program := os.environ.get("TREC_EVAL"):
        command = [program, "-q", "-m", "ndcg_cut.10", str(qrels), str(run)]
        printed = [row.split() for row in subprocess.check_output(command, text=True).splitlines()]
        mean = evaluate(qrels, run, "ndcg@10").per_query.set_index("query")["ndcg@10"]
        theirs = pd.Series({q: float(v) for _, q, v in printed if q != "all"})
        if (theirs - mean).abs().max() > 0.5001e-4 or len(theirs) != len(mean):  # it prints four digits
            raise SystemExit(f"{work}: trec_eval says {theirs.mean()}, ours {mean.mean()}")
        line(work, "trec_eval", seconds(lambda: subprocess.check_output(command)), mine, "4×")
    else:
        print("left out: trec_eval (set TREC_EVAL to the path of its program)")
    if peer("pyarrow"):
        line(work, "pyarrow.csv, reading it at all", seconds(lambda: parsed(run)), mine, "at most 2.5×", True)


def parsed(run: Path) -> object:
    "The file as pyarrow reads it, and nothing done with it"
    csv, text = importlib.import_module("pyarrow.csv"), importlib.import_module("pyarrow").string()
    titles = ["query", "iteration", "document", "rank", "score", "tag"]
    return csv.read_csv(
        run,
        read_options=csv.ReadOptions(column_names=titles),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
        convert_options=csv.ConvertOptions(
            include_columns=["query", "document", "score"], column_types={"query": text, "document": text}
        ),
    )


def work_memory() -> None:
    "the most memory that marco takes, beside the tables themselves"
    for name, table in zip(("qrels", "run"), marco()):
        FOLDER.mkdir(exist_ok=True)
        table.to_feather(FOLDER / f"{name}.feather", compression="uncompressed")
    bare, held, peak = (float(child(f"bench_runs.most_memory({what!r})")) for what in ("", "hold", "evaluate"))
    print(
        f"peak memory, MiB: {bare:.0f} with everything imported, {held:.0f} holding the tables, {peak:.0f} evaluating"
    )
    line("marco, MiB", "a process that holds the tables", held, peak, "at most 1.5×", True)
    line("marco, MiB, imports taken off", "the tables", held - bare, peak - bare, "", True)


def most_memory(what: str) -> None:
    "In a process of its own: import, hold or evaluate, and tell the most memory that was ever held"
    importlib.import_module("pyarrow.feather")
    if what:
        data = [pd.read_feather(FOLDER / f"{name}.feather") for name in ("qrels", "run")]
        if what == "evaluate":
            ours(*data)
    print(high_water())


def high_water() -> float:
    "The most memory this process has held, in MiB; on Linux ru_maxrss will not do, since it starts from the parent's"
    if (status := Path("/proc/self/status")).exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def child(code: str, before: str = "") -> str:
    "What a line of Python prints in a fresh process that has imported this file"
    whole = f"import sys; {before}sys.path.insert(0, {str(Path(__file__).parent)!r}); import bench_runs; {code}"
    return subprocess.check_output([sys.executable, "-W", "ignore", "-c", whole], text=True)


def work_small() -> None:
    "six rows"
    topic, documents = ["q1"] * 6, list("abcdef")
    qrels = pd.DataFrame({"query": topic, "document": documents, "grade": [3, 2, 3, 0, 1, 2]})
    run = pd.DataFrame({"query": topic, "document": documents, "score": [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]})
    both = qrels.assign(score=run["score"])
    if peer("pytrec_eval"):
        theirs = lambda: pytrec_eval(nested(qrels, "grade"), nested(run, "score"))  # noqa: E731
        agree("six rows", "pytrec_eval", theirs(), ours(qrels, run))
        agree("six rows, one table", "pytrec_eval", theirs(), evaluate(both, MEASURE).per_query)
        beside = micro(theirs)
        line("six rows, µs", "pytrec_eval, with its dicts", beside, micro(lambda: evaluate(qrels, run, "ndcg@10")))
        line("six rows, one table, µs", "pytrec_eval, with its dicts", beside, micro(lambda: evaluate(both, "ndcg@10")))
        print(f"{'':90} at most 300 µs")


def work_growth() -> None:
    "0.1 M, 1 M and 10 M rows"
    took = {n: timed(marco(n)) for n in (100, 1_000, 10_000)}
    for few, many in ((100, 1_000), (1_000, 10_000)):
        line(f"{many / 1e3:g} M rows", f"{few / 1e3:g} M rows", took[few], took[many], "10× is linear", True)


def work_without_pyarrow() -> None:
    "marco where pyarrow is not installed, and text is Python's"
    data = marco()
    mine, mean = timed(data), values(ours(*data)).mean(axis=0)
    del data  # or the other process has to do with half the memory
    took, *means = map(float, child("bench_runs.without_pyarrow()", "sys.modules['pyarrow'] = None; ").split())
    if not np.allclose(means, mean, rtol=0, atol=1e-9):
        raise SystemExit(f"marco without pyarrow: {means}, with it: {mean}")
    line("marco, without pyarrow", "ours with pyarrow", mine, took, "", True)


def without_pyarrow() -> None:
    "In a process that cannot import pyarrow: seconds and means of marco"
    data = marco()
    if getattr(data[1]["query"].dtype, "storage", "python") != "python":
        raise SystemExit("pyarrow is there after all")
    print(timed(data), *values(ours(*data)).mean(axis=0))


WORKS: dict[str, Callable[[], None]] = {
    "marco": work_marco,
    "shuffled": work_shuffled,
    "dl": work_dl,
    "file": work_file,
    "memory": work_memory,
    "small": work_small,
    "growth": work_growth,
    "without-pyarrow": work_without_pyarrow,
    "slow": work_slow,
}


def main() -> None:
    warnings.simplefilter("ignore")
    told = "; ".join(f"{name}: {work.__doc__}" for name, work in WORKS.items())
    parser = argparse.ArgumentParser(description=f"Ours beside its peers on whole runs. {told}. All but slow, if none.")
    parser.add_argument("work", nargs="*", help="which to do")
    chosen = parser.parse_args().work or [name for name in WORKS if name != "slow"]
    if unknown := [name for name in chosen if name not in WORKS]:
        parser.error(f"no work is called {unknown[0]!r}: choose from {', '.join(WORKS)}")
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    print(f"ndcg_nb {ndcg_nb.__version__}, pandas {pd.__version__}, NumPy {np.__version__}, {machine}")
    heading("Whole runs; CPU seconds a call, unless it says otherwise")
    for name in chosen:
        WORKS[name]()


if __name__ == "__main__":
    main()
