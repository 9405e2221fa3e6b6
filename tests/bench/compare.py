"""Comparing 50 systems on 1,000 queries, 10,000 draws; CPU time.

Beside SciPy and ranx; the memory it takes; and how often a weighted p is below its level."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
from harness import Took, agree, child, line, memory, mib, ndcg_nb, peer, race, seconds

from ndcg_nb.hood.stats.paired import count_effective, draw_blocks, randomize, student

SYSTEMS, QUERIES, DRAWS = 50, 1_000, 10_000
FEW = 3  # pairs that SciPy and ranx are timed on; the rest is extrapolated


def values(systems: int = SYSTEMS, queries: int = QUERIES) -> dict[str, np.ndarray]:
    "Values like nDCG's: some queries are harder for all, some systems a little better"
    rng = np.random.default_rng(0)
    easy, good = rng.beta(1.2, 1, queries), rng.normal(0, 0.01, (systems, 1))
    rows = np.clip(easy + good + rng.normal(0, 0.15, (systems, queries)), 0, 1)
    return {f"s{i:02}": row for i, row in enumerate(rows)}


# ---------------------------------------------------------------------------------------------------- the works
def ours(adjust: str) -> Any:
    return ndcg_nb.compare(values(), test="randomization", adjust=adjust, draws=DRAWS).pairs


def intervals() -> Any:
    return ndcg_nb.compare(values(), interval="bca", draws=DRAWS).pairs


def beside(name: str, pair: Callable[[np.ndarray, np.ndarray], float], mine: Took, found: Any) -> None:
    "A peer that does one pair at a time: its p is ours but for the draws; a few pairs, and what all would take"
    given = values()
    some = list(combinations(given, 2))[:FEW]
    p = found.set_index(["a", "b"])["p"]
    for a, b in some:
        theirs = pair(given[a], given[b])
        error = np.sqrt(2 * max(theirs * (1 - theirs), 1 / DRAWS) / DRAWS)
        agree(f"{a} and {b}", name, theirs, p[a, b], atol=5 * error)
    (took,) = seconds(lambda: [pair(given[a], given[b]) for a, b in some])
    all_of_them = mine._replace(theirs=took / FEW * len(found))
    line(f"{len(found):,} pairs, randomisation, Holm", f"{name}, from {FEW} pairs", all_of_them)


def by_scipy(a: np.ndarray, b: np.ndarray) -> float:
    from scipy import stats

    mean = lambda x, axis: np.mean(x, axis=axis)  # noqa: E731
    how: Any = {"permutation_type": "samples", "vectorized": True, "n_resamples": DRAWS, "batch": 500, "rng": 1}
    return float(stats.permutation_test((b - a,), mean, **how).pvalue)


def by_ranx(a: np.ndarray, b: np.ndarray) -> float:
    from ranx.statistical_tests import fisher_randomization_test

    return float(fisher_randomization_test(a, b, DRAWS, 0.05, 1)[0])


def work_holm() -> None:
    "draws of signs, adjusted after Holm"
    found, mine = ours("holm"), race(None, lambda: ours("holm"))
    beside("SciPy's permutation_test", by_scipy, mine, found)
    if peer("ranx.statistical_tests", "ranx"):
        by_ranx(*list(values(2, 20).values()))  # compiles it, which is not counted
        beside("ranx's fisher", by_ranx, mine, found)


def work_tukey() -> None:
    "the same, values dealt out anew 10,000 times: randomised Tukey HSD"
    line("randomised Tukey HSD", "the signs alone", race(lambda: ours("holm"), lambda: ours("tukey")), cost=True)


def work_bootstrap() -> None:
    "BCa intervals of all 1,225 pairs"
    from scipy import stats

    given = list(values().values())
    how: Any = {"n_resamples": DRAWS, "method": "BCa", "vectorized": True, "batch": 500, "rng": 0}
    (theirs,) = seconds(lambda: stats.bootstrap((given[1] - given[0],), np.mean, **how))
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    took = race(None, intervals)._replace(theirs=theirs * pairs)
    line(f"{pairs:,} pairs, BCa", "SciPy's bootstrap, from 1 pair", took)


def work_memory() -> None:
    "the most memory that these take"
    _, bare = child("compare.imported()")
    for what in ("ours('holm')", "ours('tukey')", "intervals()"):
        line(what, "everything imported", memory(f"compare.imported(compare.{what})")._replace(theirs=bare), show=mib)


def imported(_: object = None) -> None:
    "In a process of its own: what is imported in any case"
    import_module("pandas"), import_module("scipy.stats")


# ---------------------------------------------------------------------------------------------------- levels
def normal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.normal(0, 0.15, shape)


def rare_large_wins(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    "Many queries the same, most a little apart, some far; more of those above 0 than below"
    small, far = rng.normal(0, 0.05, shape), rng.beta(1, 2, shape) * 0.9
    kind = rng.random(shape)
    return np.where(kind < 0.3, 0.0, np.where(kind < 0.8, small, np.where(kind < 0.95, far, -far / 2)))


def long_tailed(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    "The same, as many above 0 as below"
    return rare_large_wins(rng, shape) * rng.choice([-1, 1], shape)


def lopsided(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    "One query in ten gains much, and the others lose a little"
    return np.where(rng.random(shape) < 0.1, rng.beta(2, 1, shape), rng.normal(-0.02, 0.05, shape))


POPULATIONS = {  # and their true means
    "normal": (normal, 0.0),
    "rare large wins": (rare_large_wins, 0.15 * 0.3 - 0.05 * 0.15),
    "long-tailed": (long_tailed, 0.0),
    "lopsided": (lopsided, 0.1 * 2 / 3 - 0.9 * 0.02),
}


def work_levels(times: int = 20_000) -> None:
    "how often weighted systems that do not differ have p <= 0.05, by the t-test and by the randomisation test"
    print(f"\nShare of {times:,} experiments with p <= 0.05, in %, where traffic falls like 1/rank^power\n")
    print(f"{'power':>5} {'queries':>8} {'effective':>10} {'population':12} {'t-test':>8} {'randomisation':>14}")
    worlds = {name: POPULATIONS[name] for name in ("normal", "rare large wins", "long-tailed", "lopsided")}
    wrong = []
    for power in (0, 0.5, 1, 1.5):
        for n in (20, 50, 200, 1_000):
            weights = 1 / np.arange(1.0, n + 1) ** power
            for name, (population, mean) in worlds.items():
                rng, found = np.random.default_rng([2, n]), np.zeros(2)
                for some in draw_blocks(times, n):
                    d = population(rng, (some, n)) - mean
                    few = d[: max(1, some // 10)]
                    p = student(d, weights), randomize(few, 999, 0, weights=weights)
                    found += [(x <= 0.05).mean() * some / times for x in p]
                effective = count_effective(weights)
                shares = f"{100 * found[0]:8.1f} {100 * found[1]:14.1f}"
                print(f"{power:5} {n:8,} {effective:10.1f} {name:12} {shares}", flush=True)
                if name == "normal" and not 0.04 < found[0] < 0.065:
                    wrong.append(f"t with 1/rank^{power} and {n} queries finds {found[0]:.3f} of equal systems")
    if wrong:
        raise SystemExit("\n".join(wrong))
