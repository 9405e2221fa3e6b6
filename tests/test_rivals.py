"""The difference of two runs over every grading: against all gradings, one by one, and against `ndcg` itself."""

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from ndcg_nb import bounds, evaluate, ndcg
from ndcg_nb.discounts import weights_of
from ndcg_nb.gains import gains_of
from ndcg_nb.hood.rivals import Rivals, difference_bounds, rivals, whole_grades

between = partial(difference_bounds, gains_of=gains_of, weights_of=weights_of)
across = partial(rivals, gains_of=gains_of, weights_of=weights_of)
NAMES = [f"d{i}" for i in range(9)]
GAINS: list[Any] = ["linear", "exp", "binary", {0: 0, 1: 0.3, 2: 1, 3: 1}, {0: 0.5, 1: 1, 2: 4, 3: 4.5}, lambda g: g**2]
DISCOUNTS: list[Any] = ["log2", "zipf", ("jk", 2), [1.0, 1, 0.5, 0.5, 0.25, 0, 0, 0, 0, 0, 0, 0], ("power", 0.2)]
GRADES = [[0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 3], [1, 2, 3], [2], [0]]
TIES = ["average", "first", "last", "id"]


def values(results: Any, pools: Any, k: Any, how: Any) -> np.ndarray:
    "nDCG of a list under each of some whole gradings, as `ndcg` has it"
    names, scores = list(results), [x + 0.5 for x in results.values()]
    rel, count = [[pool[name] for name in names] for pool in pools], len(pools)
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
        "ties": TIES[rng.integers(4)],
        "empty": [np.nan, 0, 1][rng.integers(3)],
    }
    return some(), some(), pool, k, grades, how


@pytest.mark.parametrize("seed", range(8))
def test_every_grading_is_tried(seed: int) -> None:
    "200 problems a seed, each counted out: the ends are those of the enumeration, and are attained"
    rng, seen = np.random.default_rng(seed), 0
    for _ in range(200):
        a, b, pool, k, grades, how = problem(rng)
        found = between(a, b, pool, k, grades=grades, **how)
        counted = differences(a, b, gradings(a, b, pool, grades), k, how)
        counted, case = counted[counted == counted], (a, b, pool, k, grades, how)  # 0/0 says nothing, or is a number
        if not len(counted):
            assert np.isnan([found.low[0], found.high[0]]).all(), case
            continue
        seen += 1
        assert abs(found.low[0] - counted.min()) < 1e-12 > abs(found.high[0] - counted.max()), case
        ends = [pool | found.grading("", end) for end in ("low", "high")]
        assert differences(a, b, ends, k, how).tolist() == [found.low[0], found.high[0]], case
    assert seen > 140
