"""The difference of two runs over every grading: against all gradings, one by one, and against `ndcg` itself."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from conftest import half

from ndcg_nb import bounds, compare, evaluate, ndcg
from ndcg_nb.hood.comparisons.bounds import bound_differences
from ndcg_nb.hood.comparisons.bounds import rivals as across
from ndcg_nb.hood.core.conventions import Convention
from ndcg_nb.hood.limits.bounds import whole_grades

NAMES = [f"d{i}" for i in range(9)]
GAINS: list[Any] = ["linear", "exp", "binary", {0: 0, 1: 0.3, 2: 1, 3: 1}, {0: 0.5, 1: 1, 2: 4, 3: 4.5}, lambda g: g**2]
DISCOUNTS: list[Any] = ["log2", "zipf", ("jk", 2), [1.0, 1, 0.5, 0.5, 0.25, 0, 0, 0, 0, 0, 0, 0], ("power", 0.2)]
GRADES = [[0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 3], [1, 2, 3], [2], [0]]
TIES = ["average", "first", "last", "id", "lowest-id"]


def between(a: Any, b: Any, pool: Any, k: Any = None, *, grades: Any, **how: Any) -> Any:
    "The bounds of one query; lists are documents from rank 1 down"
    scored = (x if isinstance(x, dict) else {d: -float(i) for i, d in enumerate(x)} for x in (a, b))
    return bound_differences([(*scored, pool)], k, Convention(**how), grades)[:, 0]


def values(results: Any, pools: Any, k: Any, how: Any) -> np.ndarray:
    "nDCG of a list under each of some whole gradings, as `ndcg` has it"
    names = list(results)
    scores = [x + 0.5 for x in results.values()]
    rel = [[pool[name] for name in names] for pool in pools]
    count = len(pools)
    whole = [list(pool.values()) for pool in pools]
    return np.asarray(ndcg(rel, k, pool=whole, scores=[scores] * count, ids=[names] * count, **how))


def differences(a: Any, b: Any, pools: Any, k: Any, how: Any) -> np.ndarray:
    return values(b, pools, k, how) - values(a, pools, k, how)


def gradings(a: Any, b: Any, pool: Any, grades: Any) -> list[dict[str, float]]:
    unjudged = [name for name in {**a, **b} if name not in pool]
    return [pool | dict(zip(unjudged, given)) for given in product(grades, repeat=len(unjudged))]


def problem(rng: np.random.Generator) -> tuple[Any, ...]:
    "Two short lists over one pool, with ties, and settings"
    documents = rng.permutation(NAMES)[: rng.integers(1, 9)].tolist()
    unjudged = set(rng.permutation(documents)[: rng.integers(0, 5)].tolist())
    grades = GRADES[rng.integers(len(GRADES))]
    pool = {d: float(rng.choice(grades)) for d in documents if d not in unjudged}

    def some() -> dict[str, float]:
        shown = rng.permutation(documents)[: rng.integers(0, len(documents) + 1)].tolist()
        scores = rng.integers(0, 4, len(shown)) if rng.random() < 0.5 else rng.permutation(len(shown))
        results = {d: float(s) for d, s in zip(shown, scores)}
        return {d: -np.inf if rng.random() < 0.05 else s for d, s in results.items()}

    k = [None, 1, 2, 3, 5][rng.integers(5)]
    how = {
        "gain": GAINS[rng.integers(len(GAINS))],
        "discount": DISCOUNTS[rng.integers(len(DISCOUNTS))],
        "ties": TIES[rng.integers(len(TIES))],
        "empty": [np.nan, 0, 1][rng.integers(3)],
    }
    return some(), some(), pool, k, grades, how


@pytest.mark.parametrize("seed", half(range(3)))
def test_every_grading_is_tried(seed: int) -> None:
    "200 problems a seed, each counted out: the ends are those of the enumeration, and are attained"
    rng = np.random.default_rng(seed)
    seen = 0
    for _ in range(200):
        a, b, pool, k, grades, how = problem(rng)
        found = between(a, b, pool, k, grades=grades, **how)
        counted = differences(a, b, gradings(a, b, pool, grades), k, how)
        # 0/0 says nothing, or is a number
        counted = counted[counted == counted]
        case = (a, b, pool, k, grades, how)
        if not len(counted):
            assert np.isnan(found).all(), case
            continue
        seen += 1
        assert abs(found[0] - counted.min()) < 1e-12 > abs(found[1] - counted.max()), case
    assert seen > 140


@pytest.mark.parametrize("seed", range(4))
def test_own_ideals_of_the_same_documents(seed: int) -> None:
    "Two orders of one list share the ideal that is made of it"
    rng = np.random.default_rng(100 + seed)
    for _ in range(50):
        a, _, pool, k, grades, how = problem(rng)
        b = dict(zip(a, rng.permutation([*a.values()])))
        how |= {"ideal": "list"}
        found = between(a, b, pool | {"elsewhere": max(grades)}, k, grades=grades, **how)
        counted = differences(a, b, gradings(a, b, pool, grades), k, how) if a else np.zeros(1)
        counted = counted[counted == counted]
        if len(counted) and a:
            assert abs(found[0] - counted.min()) < 1e-12 > abs(found[1] - counted.max())


def test_neither_is_ahead_of_itself() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        a, _, pool, k, grades, how = problem(rng)
        found = between(a, a, pool, k, grades=grades, **how)
        assert np.nan_to_num(found).tolist() == [0, 0]


def test_exchanged_and_negated() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        a, b, pool, k, grades, how = problem(rng)
        one, other = (between(*pair, pool, k, grades=grades, **how) for pair in ((a, b), (b, a)))
        assert np.allclose(one, -other[::-1], rtol=0, atol=1e-14, equal_nan=True)


def test_within_the_bounds_of_each_and_often_well_within() -> None:
    "What each list is by itself, with the other's unjudged documents in its pool, allows for more"
    rng = np.random.default_rng(3)
    inside = 0
    count = 0
    for _ in range(150):
        a, b, pool, k, grades, how = problem(rng)
        every = {**a, **b, **pool}
        how = how | {"empty": np.nan}
        ends = []
        for x in (a, b):
            rel = [pool.get(d) for d in x]
            scores = [s + 0.5 for s in x.values()]
            holed = [*pool.values(), *[None] * (len(every) - len(pool))]
            ends.append(bounds(rel, k, grades=grades, pool=holed, scores=scores, ids=[*x], **how))
        found = between(a, b, pool, k, grades=grades, **how)
        low = ends[1].low - ends[0].high
        high = ends[1].high - ends[0].low
        if low == low:
            assert low - 1e-12 <= found[0] <= found[1] <= high + 1e-12
            inside += found[0] > low + 1e-9 or found[1] < high - 1e-9
            count += len(pool) < len(every)
    assert count / 6 < inside < count


def test_beside_an_empty_list_it_is_the_bounds_of_one() -> None:
    rng = np.random.default_rng(4)
    for _ in range(100):
        a, _, pool, k, grades, how = problem(rng)
        how |= {"empty": np.nan}
        rel = [pool.get(d) for d in a]
        scores = [s + 0.5 for s in a.values()]
        holes = [d for d in a if d not in pool]
        whole = [*pool.values(), *[None] * len(holes)]
        one = bounds(rel, k, grades=grades, pool=whole, scores=scores, ids=[*a], **how)
        found = between(a, {}, pool, k, grades=grades, **how)
        assert np.allclose(-found[::-1], one, rtol=0, atol=1e-14, equal_nan=True)


def test_one_more_that_nobody_returned() -> None:
    "A document of the pool without a grade may be what both have missed"
    a = ["x", "y"]
    b = ["y", "x"]
    pool = {"x": 0.0, "y": 3.0}
    grades = [0, 3]
    found = between(a, b, pool | {"z": None}, 2, grades=grades)
    counted = differences(*({d: -i for i, d in enumerate(x)} for x in (a, b)), [pool | {"z": z} for z in grades], 2, {})
    assert found == pytest.approx(counted[::-1], abs=1e-15)
    assert found[0] < found[1]


def test_a_tied_group_across_the_cutoff() -> None:
    "More documents weigh more in B than the ideal has ranks, and A is ahead all the same"
    a = {"best": 2.0}
    pool = {"best": 1.0, "bad": 0.0}
    b = dict.fromkeys(["bad", *(f"u{i}" for i in range(5))], 1.0)
    found = between(a, b, pool, 1, grades=[0, 0.4, 1])
    counted = differences(a, b, gradings(a, b, pool, [0, 0.4, 1]), 1, {})
    assert found[1] == pytest.approx(counted.max(), abs=1e-15)
    assert counted.max() < 0


def collection(rng: np.random.Generator, queries: int = 30, tied: Any = False) -> tuple[Any, Any]:
    "Judgements with holes, and two runs that go deeper than the cutoff"
    qrels: Any = {}
    runs: Any = {"a": {}, "b": {}}
    for i in range(queries):
        names = [f"{i}-{j}" for j in range(25)]
        worth = rng.integers(0, 4, 25)
        qrels[f"q{i}"] = {d: int(g) for d, g in zip(names, worth) if rng.random() < 0.6} | {f"{i}-0": 3}
        for run in runs.values():
            scores = worth + rng.normal(0, 2, 25)
            scores = scores.round() + rng.normal(0, 1e-9, 25) * (tied == "nearly") if tied else scores
            shown = rng.random(25) < 0.8
            if rng.random() < 0.95:
                run[f"q{i}"] = {d: float(s) for d, s, there in zip(names, scores, shown) if there}
    return qrels, runs


def of(evaluation: Any, grades: Any = None) -> Any:
    asked = evaluation.asked[0]
    sides = evaluation.sides()
    numbers = range(len(evaluation.queries))
    return across(sides["a"][asked.ignore], sides["b"][asked.ignore], numbers, asked, grades=grades)


MEASURES = ["ndcg@10", "ndcg@3", "ndcg", "ndcg(gain=exp)@10", "ndcg(ties=first)@5", "ndcg(ties=id)@5"]
MEASURES += [
    "ndcg(ties=last)@5",
    "ndcg(discount=zipf)@5",
    "ndcg(precision=float32,ties=first)@5",
    "ndcg(like=trec_eval)@5",
]


@pytest.mark.parametrize("tied", [False, True, "nearly"])
@pytest.mark.parametrize("measure", MEASURES)
def test_runs(measure: str, tied: Any) -> None:
    "What is seen lies between the ends, query by query"
    qrels, runs = collection(np.random.default_rng(6), tied=tied)
    evaluation = evaluate(qrels, runs, measure)
    (low, high), now = of(evaluation), np.diff(evaluation.values[:, :, 0], axis=0)[0]
    has_both = ~np.isnan(now)  # a query that a run lacks is left out, if the tool does that
    assert (low <= now + 1e-12)[has_both].all()
    assert (now <= high + 1e-12)[has_both].all()
    assert (low < high).any()


def test_one_by_one_and_together() -> None:
    qrels, runs = collection(np.random.default_rng(7), tied=True)
    found = of(evaluate(qrels, runs, "ndcg@5"))
    for i, (query, pool) in enumerate(qrels.items()):
        one = between(runs["a"].get(query, {}), runs["b"].get(query, {}), pool, 5, grades=range(4))
        assert one.tolist() == found[:, i].tolist()


def test_whatever_keeps_the_results() -> None:
    "A side that only has `results`, as one that is read again from a file"

    class Elsewhere:
        def __init__(self, side: Any) -> None:
            self.results = side.results

    evaluation = evaluate(*collection(np.random.default_rng(9)), "ndcg@5")
    sides = [x[False] for x in evaluation.sides().values()]
    asked = evaluation.asked[0]
    numbers = range(len(evaluation.queries))
    in_memory, elsewhere = (across(*x, numbers, asked) for x in (sides, map(Elsewhere, sides)))  # type: ignore[misc]
    np.testing.assert_allclose(in_memory, elsewhere, rtol=0, atol=1e-12)
    np.testing.assert_allclose(across(*sides, numbers[::-1], asked), in_memory[:, ::-1], rtol=0, atol=1e-12)


def test_nothing_to_find() -> None:
    "0/0 is the same number for both lists, or says nothing"
    a = {"u": 2.0, "x": 1.0}
    b = {"x": 2.0, "u": 1.0}
    sure = between(a, b, {"x": 0}, 2, grades=[0, 1], empty=np.nan)
    assert sure[0] == sure[1] == 1 / np.log2(3) - 1
    for empty in (0, 1):
        either = between(a, b, {"x": 0}, 2, grades=[0, 1], empty=empty)
        assert either.tolist() == [sure[0], 0]
    for empty, none in ((0, 0), (np.nan, np.nan), (None, np.nan)):
        found = between({"x": 1}, {}, {"x": 0}, 2, grades=[0, 1], empty=empty)
        assert np.array_equal(found[:1], [none], equal_nan=True)
    assert between({}, {}, {}, grades=[0, 1], empty=0).tolist() == [0, 0]


def test_grades_nobody_named() -> None:
    assert whole_grades([[3.0, 0.0], [], [1.0]]).tolist() == [0, 1, 2, 3]
    assert whole_grades([[-2.0, 1.0]]).tolist() == [-2, -1, 0, 1]
    assert whole_grades([]).tolist() == [0]
    for pool in ([0.5], [1001.0]):
        with pytest.raises(ValueError, match=r"give grades=, every grade"):
            whole_grades([pool])


def test_refused() -> None:
    a = ["x", "y"]
    b = ["y", "x"]
    pool = {"x": 1}
    for how in ({"ties": "best"}, {"ties": "worst"}, {"ideal": "hits"}, {"ideal": "reached"}, {"ideal": "given"}):
        with pytest.raises(ValueError) as ours:
            between(a, b, pool, grades=[0, 1], **how)
        with pytest.raises(ValueError) as theirs:
            bounds([1, None], grades=[0, 1], **how)
        assert str(ours.value) == str(theirs.value)
    for bad in ([], "high", [0, None], [[0, 1]]):
        with pytest.raises((TypeError, ValueError)) as ours:
            between(a, b, pool, grades=bad)
        with pytest.raises((TypeError, ValueError)) as theirs:
            bounds([1, None], grades=bad)
        assert str(ours.value) == str(theirs.value)
    with pytest.raises(ValueError, match="two lists of the same documents"):
        between(a, ["y"], pool, grades=[0, 1], ideal="list")
    with pytest.raises(ValueError, match="which cannot be ranked"):
        between(a, {"x": np.nan}, pool, grades=[0, 1])
    with pytest.raises(ValueError, match="an ideal needs gains of 0 or more"):
        between(a, b, {"x": -1}, grades=[0, 1])
    with pytest.warns(UserWarning, match="is 5.0, which is not among grades"):
        between(a, b, {"x": 5}, grades=[0, 1])


def test_refused_of_runs() -> None:
    qrels, runs = collection(np.random.default_rng(10), 3)
    half = {q: {d: g / 2 for d, g in grades.items()} for q, grades in qrels.items()}
    with pytest.raises(ValueError, match="give grades="):
        of(evaluate(half, runs, "ndcg@5"))
    assert of(evaluate(half, runs, "ndcg@5"), [0, 0.5, 1, 1.5]).shape == (2, 3)


def test_who_is_ahead_by_the_rounding_alone_is_not_ahead() -> None:
    # the same six lists for both systems, in another order of the queries: the means are the same
    grades = dict(zip("abcdef", (3, 3, 2, 2, 1, 0)))
    lists = [{d: -float(i) for i, d in enumerate(text)} for text in ("ba", "c", "e", "b", "bd", "cb")]
    queries = [f"q{i}" for i in range(6)]
    runs = {"A": dict(zip(queries, lists)), "B": dict(zip(queries, lists[1:] + lists[:1]))}
    found = compare({q: grades for q in queries}, runs, "ndcg@10")
    apart = found.differences()
    assert apart.mean() != 0
    assert abs(apart.mean()) < 1e-16
    assert found.bounds()[["difference", "low", "high", "ahead"]].iloc[0].tolist() == [0, 0, 0, "either"]
    assert found.difference == 0
