"""Whole runs, in tables and in files; CPU time.

Beside pytrec_eval, ranx, ir_measures and trec_eval, whose program TREC_EVAL names."""

from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from harness import FOLDER, Took, agree, child, line, memory, mib, ndcg_nb, peer, race, seconds

CUTOFFS = (10, 100, 1000)
MEASURE = "ndcg@10,100,1000"
COLUMNS = [f"ndcg@{k}" for k in CUTOFFS]
PASSAGES = 8_841_823  # as many as MS MARCO has; a prime, so that the documents of a query are all different
Tables = tuple[pd.DataFrame, pd.DataFrame]


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


# ---------------------------------------------------------------------------------------------------- the answers
def ours(qrels: Any, run: Any) -> pd.DataFrame:
    return ndcg_nb.evaluate(qrels, run, MEASURE).per_query


def timed(data: Any) -> Took:
    "What ours takes for tables"
    return race(None, lambda: ours(*data))


def values(answer: Any) -> np.ndarray:
    "Answers by query, sorted: ours, or a dictionary of queries"
    if isinstance(answer, dict):
        return pd.DataFrame.from_dict(answer, orient="index").sort_index().to_numpy(float)
    table = answer if isinstance(answer, pd.DataFrame) else answer.to_pandas()
    return table.set_index("query").sort_index()[COLUMNS].to_numpy(float)


def same(work: str, name: str, theirs: Any, mine: Any) -> None:
    "Answers that differ for any query, or queries that do, stop the benchmark"
    agree(work, name, values(theirs), values(mine))


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


def pytrec_eval(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], *measures: str
) -> dict[str, dict[str, float]]:
    asked = {*measures} or {f"ndcg_cut.{','.join(map(str, CUTOFFS))}"}
    return importlib.import_module("pytrec_eval").RelevanceEvaluator(qrels, asked).evaluate(run)


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
def beside_pytrec_eval(work: str, data: Tables, bars: tuple[str, str]) -> Took:
    "Ours beside pytrec_eval with its dictionaries and without; what ours takes"
    mine = timed(data)
    if peer("pytrec_eval", "pytrec_eval-terrier"):
        dicts = nested(data[0], "grade"), nested(data[1], "score")
        same(work, "pytrec_eval", pytrec_eval(*dicts), ours(*data))
        (alone,) = seconds(lambda: pytrec_eval(*dicts))
        del dicts
        (whole,) = seconds(lambda: pytrec_eval(nested(data[0], "grade"), nested(data[1], "score")))
        line(work, "pytrec_eval, with its dicts", mine._replace(theirs=whole), bars[0])
        line(work, "pytrec_eval, dicts not counted", mine._replace(theirs=alone), bars[1])
    else:
        line(work, "", mine)
    return mine


def beside(work: str, name: str, theirs: Callable[..., Any], data: Tables, given: Tables, mine: Took, bar: str) -> None:
    "Ours beside a peer that takes tables, as they are given to it"
    same(work, name, theirs(*given), ours(*data))
    (took,) = seconds(lambda: theirs(*given))
    line(work, name, mine._replace(theirs=took), bar)


def beside_ranx(work: str, data: Tables, mine: Took, bar: str = "") -> None:
    if peer("ranx"):
        ranx(*objects(dl(2, 20, 10)))  # compiles it, which is not counted
        beside(work, "ranx, from_df", ranx, data, objects(data), mine, bar)


def work_marco() -> None:
    "7 M rows of string ids, three cutoffs"
    data = marco()
    mine = beside_pytrec_eval("marco", data, ("at least 15×", "at least 6×"))
    beside_ranx("marco", data, mine, "at least 30×")
    if polars := peer("polars"):
        frames = [polars.from_pandas(table) for table in data]
        same("marco", "ours on polars", ours(*frames), ours(*data))
        line("marco, polars frames", "ours on pandas", timed(frames)._replace(theirs=mine.ours))


def work_beside() -> None:
    "the same rows: recall, reciprocal rank and average precision beside nDCG"
    data, work = marco(), "marco, ndcg@10 recall@100 rr@10 ap"
    alone = race(None, lambda: ndcg_nb.evaluate(*data, "ndcg@10"))
    mine = race(None, lambda: ndcg_nb.evaluate(*data, "ndcg@10 recall@100 rr@10 ap"))
    line(work, "ours, ndcg@10 alone", mine._replace(theirs=alone.ours), "at most 1.6×", cost=True)
    if peer("pytrec_eval", "pytrec_eval-terrier"):
        asked = {"ndcg_cut_10": "ndcg@10", "recall_100": "recall@100", "recip_rank": "rr", "map": "ap"}
        theirs = lambda: pytrec_eval(nested(data[0], "grade"), nested(data[1], "score"), *asked)  # noqa: E731
        found = ndcg_nb.evaluate(*data, " ".join(asked.values())).per_query.set_index("query").sort_index()
        agree(work, "pytrec_eval", pd.DataFrame(theirs()).T.sort_index()[[*asked]], found[[*asked.values()]])
        (took,) = seconds(theirs)
        line(work, "pytrec_eval, with its dicts", mine._replace(theirs=took), "at least 10×")


def work_shuffled() -> None:
    "the same rows in no order"
    beside_pytrec_eval("marco, rows shuffled", shuffled(*marco()), ("at least 5×", ""))


def work_dl() -> None:
    "50 queries, judged deeply"
    data = dl()
    mine = beside_pytrec_eval("dl", data, ("at least 3×", ""))
    beside_ranx("dl", data, mine)
    if peer("ir_measures"):
        beside("dl", "ir_measures", ir_measures, data, data, mine, "")


def work_file() -> None:
    "the 7 M-line TREC file"
    qrels, run = files()
    work = f"a run file of {run.stat().st_size / 1e6:.0f} MB @10"
    mine = race(None, lambda: ndcg_nb.evaluate(qrels, run, "ndcg@10"))
    if program := os.environ.get("TREC_EVAL"):
        command = [program, "-q", "-m", "ndcg_cut.10", str(qrels), str(run)]
        printed = [row.split() for row in subprocess.check_output(command, text=True).splitlines()]
        found = ndcg_nb.evaluate(qrels, run, "ndcg@10").per_query.set_index("query")["ndcg@10"].sort_index()
        theirs = pd.Series({q: float(v) for _, q, v in printed if q != "all"}).sort_index()
        agree(work, "trec_eval", theirs, found, atol=0.5001e-4)  # it prints four digits
        (took,) = seconds(lambda: subprocess.check_output(command))
        line(work, "trec_eval", mine._replace(theirs=took), "at least 4×")
    else:
        print("left out: trec_eval (set TREC_EVAL to the path of its program)")
    if peer("pyarrow"):
        (took,) = seconds(lambda: parsed(run))
        line(work, "pyarrow.csv, reading it at all", mine._replace(theirs=took), "at most 2.5×", cost=True)


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
    FOLDER.mkdir(exist_ok=True)
    for name, table in zip(("qrels", "run"), marco()):
        table.to_feather(FOLDER / f"{name}.feather", compression="uncompressed")
    (_, bare), (_, held) = child("runs.hold('')"), child("runs.hold('tables')")
    _, peak, before = memory("runs.hold('evaluate')")
    line("everything imported", "", Took(None, bare), show=mib)
    line("marco", "a process that holds the tables", Took(held, peak, before), "at most 1.5×", cost=True, show=mib)
    less = Took(held - bare, peak - bare, before and before - bare)
    line("marco, imports taken off", "the tables", less, cost=True, show=mib)


def hold(what: str) -> None:
    "In a process of its own: import, hold the tables or evaluate them"
    importlib.import_module("pyarrow.feather"), importlib.import_module("ndcg_nb")
    if what:
        data = [pd.read_feather(FOLDER / f"{name}.feather") for name in ("qrels", "run")]
        if what == "evaluate":
            ours(*data)


SMALL = {  # what is asked of six rows, and what pytrec_eval calls it
    "ndcg@10": ["ndcg_cut_10"],
    "ndcg@10 recall@10 rr ap": ["ndcg_cut_10", "recall_10", "recip_rank", "map"],
}


def work_small() -> None:
    "six rows in frames, in one frame and in dicts; at most 300 µs"
    topic, documents = ["q1"] * 6, list("abcdef")
    qrels = pd.DataFrame({"query": topic, "document": documents, "grade": [3, 2, 3, 0, 1, 2]})
    run = pd.DataFrame({"query": topic, "document": documents, "score": [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]})
    both = qrels.assign(score=run["score"])
    dicts = nested(qrels, "grade"), nested(run, "score")
    for measures, names in SMALL.items():
        small("frames", measures, (qrels, run), lambda: (nested(qrels, "grade"), nested(run, "score")), names)
        small("one frame", measures, (both,), lambda: (nested(both, "grade"), nested(both, "score")), names)
        small("dicts", measures, dicts, lambda: dicts, names)


def small(form: str, measures: str, given: tuple[Any, ...], dicts: Callable[[], Any], names: list[str]) -> None:
    "A small call, beside pytrec_eval with the dicts that it is given"
    work = f"{form}, {measures}"
    mine = lambda: ndcg_nb.evaluate(*given, measures)  # noqa: E731
    theirs = lambda: pytrec_eval(*dicts(), *names)  # noqa: E731
    if not peer("pytrec_eval", "pytrec_eval-terrier"):
        line(work, "", race(None, mine))
        return
    found = theirs()["q1"]
    agree(work, "pytrec_eval", [found[name] for name in names], mine().per_query[measures.split()].iloc[0])
    line(work, "pytrec_eval", race(theirs, mine))


def work_growth() -> None:
    "0.1 M, 1 M and 10 M rows"
    took = {n: timed(marco(n)) for n in (100, 1_000, 10_000)}
    for few, many in ((100, 1_000), (1_000, 10_000)):
        beside = took[many]._replace(theirs=took[few].ours)
        line(f"{many / 1e3:g} M rows", f"{few / 1e3:g} M rows", beside, "10× is linear", cost=True)


def work_without_pyarrow() -> None:
    "marco where pyarrow is not installed, and text is Python's"
    data = marco()
    mine, means = timed(data), values(ours(*data)).mean(axis=0)
    del data  # or the other process has to do with half the memory
    (took, *found), _ = child("runs.without_pyarrow()", "sys.modules['pyarrow'] = None")
    agree("marco without pyarrow", "ours with it", means, found)
    line("marco, without pyarrow", "ours with pyarrow", Took(mine.ours, took), cost=True)


def without_pyarrow() -> list[float]:
    "In a process that cannot import pyarrow: seconds and means of marco"
    data = marco()
    if getattr(data[1]["query"].dtype, "storage", "python") != "python":
        raise SystemExit("pyarrow is there after all")
    return [timed(data).ours, *values(ours(*data)).mean(axis=0)]
