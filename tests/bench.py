"""Ours beside its peers, in one process, on the same data: that the answers agree, then the ratio of CPU times."""

from __future__ import annotations

import importlib
import platform
import warnings
from collections.abc import Callable
from itertools import product
from time import process_time

import numpy as np

import ndcg_nb
from ndcg_nb import alpha_ndcg, bounds, inf_ndcg, intent_ndcg, judged, ndcg, ndcg_at_r, which
from ndcg_nb.hood.measures import read_measures

rng = np.random.default_rng(0)
LISTS, RESULTS = 10_000, 1_000
rel, scores = rng.integers(0, 4, (LISTS, RESULTS)), rng.random((LISTS, RESULTS))
tied = scores.round(2)
six, six_scores = [3, 2, 3, 0, 1, 2], [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]


def peer(module: str, why_not: str) -> object | None:
    try:
        return importlib.import_module(module)
    except Exception as error:  # a peer that does not import here is a peer that is not measured
        print(f"left out: {module.partition('.')[0]} ({type(error).__name__}: {error}) {why_not}")
        return None


def seconds(call: Callable[[], object], calls: int = 1) -> float:
    "CPU time of one call, the best of three"
    times = []
    for _ in range(3):
        start = process_time()
        for _ in range(calls):
            call()
        times.append((process_time() - start) / calls)
    return min(times)


Call = Callable[[], object]


def row(work: str, name: str, theirs: Call, ours: Call, bar: str = "", calls: int = 1, close: float = 1e-9) -> None:
    "One line of the table; answers that differ, in any list or in the mean of all, stop the benchmark"
    expected, values = np.asarray(theirs()), np.asarray(ours())
    if not np.allclose(values if expected.ndim else values.mean(), expected, rtol=close, atol=0):
        raise SystemExit(f"{work}: {name} says {expected.mean()!r} on average, ours says {values.mean()!r}")
    slow, fast = seconds(theirs, calls), seconds(ours, calls * 10 if calls > 1 else 1)
    print(f"{work:30} {name:26} {slow * 1e3:10.3f} {fast * 1e3:10.3f} {slow / fast:7.1f}×  {bar}")


def agree_list_by_list(score: Callable[..., float]) -> None:
    "scikit-learn only gives means over lists, so a few lists are asked for one at a time"
    for i in range(0, LISTS, LISTS // 20):
        for s in (scores[i], tied[i]):
            for k in (10, None):
                np.testing.assert_allclose(ndcg(rel[i], k, scores=s), score([rel[i]], [s], k=k), rtol=1e-9)


def main() -> None:
    warnings.simplefilter("ignore")
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    print(f"ndcg_nb {ndcg_nb.__version__}, NumPy {np.__version__}, {machine}")
    sklearn = peer("sklearn.metrics", "pip install scikit-learn")
    ranx = peer("ranx", "pip install ranx")
    torchmetrics = peer("torchmetrics.functional.retrieval", "pip install torch torchmetrics")
    print(f"\n{LISTS:,} lists of {RESULTS:,} results each, and one list of six; CPU milliseconds a call\n")
    print(f"{'work':30} {'peer':26} {'theirs':>10} {'ours':>10} {'ratio':>8}  to beat")
    if sklearn:
        name, score = "scikit-learn, ignore_ties", sklearn.ndcg_score
        agree_list_by_list(score)
        row(
            "nDCG@10",
            name,
            lambda: score(rel, scores, k=10, ignore_ties=True),
            lambda: ndcg(rel, 10, scores=scores, ties="first"),
            "15×",
        )
        row(
            "nDCG, whole list",
            name,
            lambda: score(rel, scores, ignore_ties=True),
            lambda: ndcg(rel, scores=scores, ties="first"),
            "3×",
        )
        name = "scikit-learn"
        row(
            "nDCG@10, ties averaged", name, lambda: score(rel, scores, k=10), lambda: ndcg(rel, 10, scores=scores), "3×"
        )
        row("nDCG@10, with ties", name, lambda: score(rel, tied, k=10), lambda: ndcg(rel, 10, scores=tied), "3×")
        row("nDCG, whole list, with ties", name, lambda: score(rel, tied), lambda: ndcg(rel, scores=tied), "3×")
        one, its = [six], [six_scores]
        row("one list of six", name, lambda: score(one, its), lambda: ndcg(six, scores=six_scores), "50×", calls=300)
    if ranx:
        some = 1_000  # dictionaries of dictionaries are what it takes; building them is not counted
        qrels = ranx.Qrels(
            {f"q{i:05}": {f"d{j}": int(g) for j, g in enumerate(r) if g} for i, r in enumerate(rel[:some])}
        )
        run = ranx.Run({f"q{i:05}": {f"d{j}": float(s) for j, s in enumerate(r)} for i, r in enumerate(scores[:some])})
        row(
            f"nDCG@10 of {some:,} lists",
            "ranx, data loaded",
            lambda: ranx.evaluate(qrels, run, "ndcg@10", return_mean=False),
            lambda: ndcg(rel[:some], 10, scores=scores[:some]),
        )
    if torchmetrics:
        torch = importlib.import_module("torch")
        some = 500
        pairs = [(torch.tensor(s), torch.tensor(r)) for s, r in zip(scores[:some], rel[:some])]
        measure = torchmetrics.retrieval_normalized_dcg
        row(
            f"nDCG@10 of {some:,} lists",
            "torchmetrics",
            lambda: [float(measure(s, r, top_k=10)) for s, r in pairs],
            lambda: ndcg(rel[:some], 10, scores=scores[:some]),
            close=1e-5,
        )
        small = torch.tensor(six_scores), torch.tensor(six)
        row(
            "one list of six",
            "torchmetrics",
            lambda: float(measure(*small)),
            lambda: ndcg(six, scores=six_scores),
            calls=300,
            close=1e-5,
        )
    bounds_rows()
    level_rows()


def level(work: str, beside: str, ours: Call, base: Call, bar: str) -> None:
    "One line of the second table: what might be a cliff, and what it should cost about as much as"
    steep, flat = seconds(ours), seconds(base)
    print(f"{work:42} {steep * 1e3:9.1f}   {beside:38} {flat * 1e3:9.1f} {steep / flat:7.1f}×  {bar}")


def grown(work: str, make: Callable[[int], Call], few: int, many: int) -> None:
    "One line: what becomes of the time when there is more to do"
    level(f"{work}, {many:,}", f"{few:,}", make(many), make(few), f"{many / few:g}× is linear")


def level_rows() -> None:
    "Where there were cliffs once"
    print(f"\nNo cliffs; CPU milliseconds a call\n\n{'work':42} {'':9}   {'beside':38} {'':9} {'ratio':>8}  at most")
    long, wide = rng.integers(0, 4, 1_000_000), rel[:, :100]
    numbers, holes = long.astype(object), [None, *long.tolist()]
    level(
        "one array of a million @10", "a table of one row", lambda: ndcg(long, 10), lambda: ndcg(long[None], 10), "2×"
    )
    level("a million objects @10", "as a list", lambda: ndcg(numbers, 10), lambda: ndcg(long.tolist(), 10), "6×")
    level("a million with a hole, judged@10", "without", lambda: judged(holes, 10), lambda: judged(holes[1:], 10), "6×")
    intents = lambda n: lambda: intent_ndcg([[[1, 0, 2], [0, 1, 0]]] * n, [[0.5, 0.5]] * n)  # noqa: E731
    grown("intent_ndcg, queries", intents, 1_000, 4_000)
    meanings = lambda n: lambda: intent_ndcg([[1, 0, 2]] * n, [1 / n] * n)  # noqa: E731
    grown("intent_ndcg, intents of one query", meanings, 800, 3_200)
    grown("which, lists", lambda n: lambda: which(0.5, rel[:n, :3].tolist()), 400, 1_600)
    hole = [[1, None, 0], [None, 1, 1]]
    grown("bounds, lists", lambda n: lambda: bounds(hole * n, 3, grades=[0, 1], empty=0), 500, 2_000)
    pool = rng.integers(0, 2, 100_000)
    shared = lambda n: lambda: bounds([[1, np.nan, 0]] * n, 3, grades=[0, 1], pool=pool)  # noqa: E731
    level("bounds, 300 lists, a pool of 100,000", "one list", shared(300), shared(1), "20×")
    square = rng.integers(0, 2, (2_000, 2_000))
    level("ndcg_at_r, 2,000 × 2,000", "ndcg", lambda: ndcg_at_r(square), lambda: ndcg(square), "10×")
    order, ties = wide, scores[:, :100].round(1)
    for tool, k, bar in (("sklearn", 10, ""), ("xgboost", 10, ""), ("xgboost", range(1, 101), "2×")):
        name = f"like={tool!r}, 10,000 × 100 @{k if isinstance(k, int) else '1 to 100'}"
        own = {"ties": "average"} if tool == "sklearn" else {"ties": "first", "gain": "exp"}
        as_theirs = lambda k=k, n=tool: ndcg(order, k, scores=ties, like=n)  # noqa: E731
        level(name, "ndcg", as_theirs, lambda k=k, o=own: ndcg(order, k, scores=ties, **o), bar)
    many = {"k": range(1, 101), "scores": ties[:1_000]}
    for tool, rule, bar in (("sklearn", "average", ""), ("catboost", "worst", "4×")):
        level(
            f"like={tool!r}, 1,000 × 100 @1 to 100",
            "ndcg",
            lambda n=tool: ndcg(order[:1_000], like=n, **many),
            lambda t=rule: ndcg(order[:1_000], ties=t, **many),
            bar,
        )
    strata = lambda n: lambda: inf_ndcg([1.0] * n, [*range(n)], {s: [1] for s in range(n)}, [1, 10])  # noqa: E731
    grown("inf_ndcg, strata", strata, 1_000, 4_000)
    grown("alpha_ndcg of one intent", lambda n: lambda: alpha_ndcg([{1}] * n), 1_000, 4_000)
    served = [set(x.tolist()) for x in rng.integers(0, 50, (4_000, 5))]
    grown("alpha_ndcg, 5 of 50 intents each", lambda n: lambda: alpha_ndcg(served[:n]), 1_000, 4_000)
    for what, text in {"spaces": "ndcg{} x", "digits": "ndcg(gain={}x)"}.items():
        fill = {"spaces": " ", "digits": "1"}[what]
        grown(
            f"a measure written with {what}",
            lambda n, t=text, f=fill: lambda: read_measures(t.format(f * n)),
            2_000,
            8_000,
        )
    ids = [f"d{i}" for i in range(20_000)]
    by_id = lambda names: lambda: ndcg([1] * 20_000, scores=[0] * 20_000, ties="id", ids=names)  # noqa: E731
    level("ties by id, one of 10,000 characters", "all short", by_id([*ids[1:], "x" * 10_000]), by_id(ids), "2×")
    short, longer = rel[0, :512].tolist(), rel[0, :513].tolist()
    level("a list of 513", "of 512, by the short road", lambda: ndcg(longer), lambda: ndcg(short), "2×")
    if polars := peer("polars", "pip install polars"):
        pairs = rel[:, :2].tolist()
        column, models = polars.Series(pairs), scores[:, :2].tolist()
        by_model = polars.Series(models)
        level(
            "10,000 lists in a polars column",
            "as lists",
            lambda: ndcg(column, empty=0),
            lambda: ndcg(pairs, empty=0),
            "2×",
        )
        level(
            "and their scores in another",
            "as lists",
            lambda: ndcg(column, scores=by_model, empty=0),
            lambda: ndcg(pairs, scores=models, empty=0),
            "3×",
        )


def bounds_rows() -> None:
    "No other tool has these bounds; the peer is trying every grading, where that can be done"
    few, many = rel[0, :20].astype(float), rel[0].astype(float)
    few[1:16:2], many[:1000:10] = np.nan, np.nan
    filled = np.repeat(few[None], 4**8, axis=0)
    filled[:, 1:16:2] = np.array(list(product(range(4), repeat=8)))
    row(
        "bounds, 8 of 20 unjudged",
        "all 65,536 gradings",
        lambda: [(values := ndcg(filled, 10)).min(), values.max()],
        lambda: bounds(few, 10, grades=range(4)),
        calls=2,
    )
    print(
        f"{'bounds, 100 of 1,000 unjudged':57} {'':10} {seconds(lambda: bounds(many, grades=range(4)), 20) * 1e3:10.3f}"
    )


if __name__ == "__main__":
    main()
