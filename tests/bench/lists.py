"""Lists and tables of lists; CPU time.

Beside scikit-learn, ranx and torchmetrics; beside trying every grading; and where there were cliffs once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import product

import numpy as np
from harness import Call, line, ndcg_nb, peer, race, row

rng = np.random.default_rng(0)
LISTS, RESULTS = 10_000, 1_000
rel, scores = rng.integers(0, 4, (LISTS, RESULTS)), rng.random((LISTS, RESULTS))
tied = scores.round(2)
six, six_scores = [3, 2, 3, 0, 1, 2], [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]


def work_peers() -> None:
    "10,000 lists of 1,000 results each, and one list of six"
    if sklearn := peer("sklearn.metrics", "scikit-learn"):
        beside_sklearn(sklearn.ndcg_score)
    if ranx := peer("ranx"):
        some = 1_000  # dictionaries of dictionaries are what it takes; building them is not counted
        qrels = {f"q{i:05}": {f"d{j}": int(g) for j, g in enumerate(r) if g} for i, r in enumerate(rel[:some])}
        run = {f"q{i:05}": {f"d{j}": float(s) for j, s in enumerate(r)} for i, r in enumerate(scores[:some])}
        judged, ranked = ranx.Qrels(qrels), ranx.Run(run)
        theirs = lambda: ranx.evaluate(judged, ranked, "ndcg@10", return_mean=False)  # noqa: E731
        row(f"nDCG@10 of {some:,} lists", "ranx, data loaded", theirs, at_10(some))
    torch, torchmetrics = peer("torch"), peer("torchmetrics.functional.retrieval", "torch torchmetrics")
    if torch and torchmetrics:
        some = 500
        pairs = [(torch.tensor(s), torch.tensor(r)) for s, r in zip(scores[:some], rel[:some])]
        small = torch.tensor(six_scores), torch.tensor(six)
        measure = torchmetrics.retrieval_normalized_dcg
        theirs = lambda: [float(measure(s, r, top_k=10)) for s, r in pairs]  # noqa: E731
        row(f"nDCG@10 of {some:,} lists", "torchmetrics", theirs, at_10(some), rtol=1e-5)
        row("one list of six", "torchmetrics", lambda: float(measure(*small)), of_six, rtol=1e-5)


def at_10(some: int) -> Call:
    return lambda: ndcg_nb.ndcg(rel[:some], 10, scores=scores[:some])


def of_six() -> float:
    return ndcg_nb.ndcg(six, scores=six_scores)


def beside_sklearn(score: Callable[..., float]) -> None:
    for i in range(0, LISTS, LISTS // 20):  # it only gives means, so a few lists are asked for one at a time
        for s, k in product((scores[i], tied[i]), (10, None)):
            np.testing.assert_allclose(ndcg_nb.ndcg(rel[i], k, scores=s), score([rel[i]], [s], k=k), rtol=1e-9)
    for work, shown, k, ties, bar in (
        ("nDCG@10", scores, 10, "first", "at least 15×"),
        ("nDCG, whole list", scores, None, "first", "at least 3×"),
        ("nDCG@10, ties averaged", scores, 10, "average", "at least 3×"),
        ("nDCG@10, with ties", tied, 10, "average", "at least 3×"),
        ("nDCG, whole list, with ties", tied, None, "average", "at least 3×"),
    ):
        ignore = ties == "first"
        theirs = lambda s=shown, k=k, ignore=ignore: score(rel, s, k=k, ignore_ties=ignore)  # noqa: E731
        ours = lambda s=shown, k=k, ties=ties: ndcg_nb.ndcg(rel, k, scores=s, ties=ties)  # noqa: E731
        row(work, f"scikit-learn{', ignore_ties' * ignore}", theirs, ours, bar)
    row("one list of six", "scikit-learn", lambda: score([six], [six_scores]), of_six, "at least 50×")


def work_bounds() -> None:
    "bounds: no other tool has them; the peer is trying every grading, where that can be done"
    few, many = rel[0, :20].astype(float), rel[0].astype(float)
    few[1:16:2], many[:1000:10] = np.nan, np.nan
    filled = np.repeat(few[None], 4**8, axis=0)
    filled[:, 1:16:2] = np.array(list(product(range(4), repeat=8)))
    every = lambda: [(values := ndcg_nb.ndcg(filled, 10)).min(), values.max()]  # noqa: E731
    ours = lambda: ndcg_nb.bounds(few, 10, grades=range(4))  # noqa: E731
    row("bounds, 8 of 20 unjudged", "all 65,536 gradings", every, ours)
    line("bounds, 100 of 1,000 unjudged", "", race(None, lambda: ndcg_nb.bounds(many, grades=range(4))))


def level(work: str, beside: str, ours: Call, base: Call, bar: str) -> None:
    "What might be a cliff, and what it should cost about as much as"
    line(work, beside, race(base, ours), bar, cost=True)


def grown(work: str, make: Callable[[int], Call], few: int, many: int) -> None:
    "What becomes of the time when there is more to do"
    level(f"{work}, {many:,}", f"{few:,}", make(many), make(few), f"{many / few:g}× is linear")


def work_cliffs() -> None:
    "what was once far slower than what it resembles"
    ndcg = lambda *lists, **how: lambda: ndcg_nb.ndcg(*lists, **how)  # noqa: E731
    long, wide = rng.integers(0, 4, 1_000_000), rel[:, :100]
    numbers, holes, listed = long.astype(object), [None, *long.tolist()], long.tolist()
    level("one array of a million @10", "a table of one row", ndcg(long, 10), ndcg(long[None], 10), "at most 2×")
    level("a million objects @10", "as a list", ndcg(numbers, 10), ndcg(listed, 10), "at most 6×")
    judged = lambda grades: lambda: ndcg_nb.judged(grades, 10)  # noqa: E731
    level("a million with a hole, judged@10", "without", judged(holes), judged(listed), "at most 6×")
    intents = lambda n: lambda: ndcg_nb.intent_ndcg([[[1, 0, 2], [0, 1, 0]]] * n, [[0.5, 0.5]] * n)  # noqa: E731
    grown("intent_ndcg, queries", intents, 1_000, 4_000)
    meanings = lambda n: lambda: ndcg_nb.intent_ndcg([[1, 0, 2]] * n, [1 / n] * n)  # noqa: E731
    grown("intent_ndcg, intents of one query", meanings, 800, 3_200)
    grown("which, lists", lambda n: lambda: ndcg_nb.which(0.5, rel[:n, :3].tolist()), 400, 1_600)
    hole = [[1, None, 0], [None, 1, 1]]
    grown("bounds, lists", lambda n: lambda: ndcg_nb.bounds(hole * n, 3, grades=[0, 1], empty=0), 500, 2_000)
    pool = rng.integers(0, 2, 100_000)
    shared = lambda n: lambda: ndcg_nb.bounds([[1, np.nan, 0]] * n, 3, grades=[0, 1], pool=pool)  # noqa: E731
    level("bounds, 300 lists, a pool of 100,000", "one list", shared(300), shared(1), "at most 20×")
    square = rng.integers(0, 2, (2_000, 2_000))
    level("ndcg_at_r, 2,000 × 2,000", "ndcg", lambda: ndcg_nb.coverage.ndcg_at_r(square), ndcg(square), "at most 10×")
    ties, to_100 = scores[:, :100].round(1), range(1, 101)
    exp = {"ties": "first", "gain": "exp"}
    for tool, lists, k, own, bar in (
        ("sklearn", 10_000, 10, {"ties": "average"}, ""),
        ("xgboost", 10_000, 10, exp, ""),
        ("xgboost", 10_000, to_100, exp, "at most 2×"),
        ("sklearn", 1_000, to_100, {"ties": "average"}, ""),
        ("catboost", 1_000, to_100, {"ties": "worst"}, "at most 4×"),
    ):
        work = f"like={tool!r}, {lists:,} × 100 @{k if isinstance(k, int) else '1 to 100'}"
        given = {"k": k, "scores": ties[:lists]}
        level(work, "ndcg", ndcg(wide[:lists], like=tool, **given), ndcg(wide[:lists], **own, **given), bar)
    strata = lambda n: lambda: ndcg_nb.inf_ndcg([1.0] * n, [*range(n)], {s: [1] for s in range(n)}, [1, 10])  # noqa: E731
    grown("inf_ndcg, strata", strata, 1_000, 4_000)
    zeros = np.zeros(80_000)
    grades = np.resize(rel[0], len(zeros))
    grown("err of tied results", lambda n: lambda: ndcg_nb.beside.err(grades[:n], scores=zeros[:n]), 20_000, 80_000)
    grown("alpha_ndcg of one intent", lambda n: lambda: ndcg_nb.alpha_ndcg([{1}] * n), 1_000, 4_000)
    served = [set(x.tolist()) for x in rng.integers(0, 50, (4_000, 5))]
    grown("alpha_ndcg, 5 of 50 intents each", lambda n: lambda: ndcg_nb.alpha_ndcg(served[:n]), 1_000, 4_000)

    def read(text: str) -> Call:
        def read_or_refuse() -> None:
            with suppress(ValueError):
                ndcg_nb.evaluate({"q": ["d"]}, {"q": ["d"]}, text)

        return read_or_refuse

    grown("a measure written with spaces", lambda n: read(f"ndcg{' ' * n} x"), 2_000, 8_000)
    grown("a measure written with digits", lambda n: read(f"ndcg(gain={'1' * n}x)"), 2_000, 8_000)
    ids = [f"d{i}" for i in range(20_000)]
    by_id = lambda names: ndcg([1] * 20_000, scores=[0] * 20_000, ties="id", ids=names)  # noqa: E731
    long_one = by_id([*ids[1:], "x" * 10_000])
    level("ties by id, one of 10,000 characters", "all short", long_one, by_id(ids), "at most 2×")
    short, longer = rel[0, :512].tolist(), rel[0, :513].tolist()
    level("a list of 513", "of 512, by the short road", ndcg(longer), ndcg(short), "at most 2×")
    if polars := peer("polars"):
        pairs, models = rel[:, :2].tolist(), scores[:, :2].tolist()
        column, by_model = polars.Series(pairs), polars.Series(models)
        level("10,000 lists in a polars column", "as lists", ndcg(column, empty=0), ndcg(pairs, empty=0), "at most 2×")
        both = ndcg(column, scores=by_model, empty=0), ndcg(pairs, scores=models, empty=0)
        level("and their scores in another", "as lists", *both, "at most 3×")
