"""Comparing many systems: that the answers agree with SciPy's, then CPU seconds and the ratio, memory, and coverage.

python tests/bench_compare.py [WORK ...] does all of them, or those named.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import warnings
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from bench_runs import heading, line, peer, seconds

import ndcg_nb
from ndcg_nb.comparisons import compare
from ndcg_nb.hood.differences import FEW_QUERIES, INTERVALS

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
    return compare(values(), test="randomization", adjust=adjust, draws=DRAWS).pairs


def intervals() -> Any:
    return compare(values(), interval="bca", draws=DRAWS).pairs


def beside(name: str, pair: Callable[[np.ndarray, np.ndarray], float], mine: float, found: Any) -> None:
    "A peer that does one pair at a time: its p is ours but for the draws; a few pairs, and what all would take"
    given = values()
    some = list(combinations(given, 2))[:FEW]
    ps = [pair(given[a], given[b]) for a, b in some]
    p = found.set_index(["a", "b"])["p"]
    for (a, b), theirs in zip(some, ps):
        error = np.sqrt(2 * max(theirs * (1 - theirs), 1 / DRAWS) / DRAWS)
        if abs(p[a, b] - theirs) > 5 * error:
            raise SystemExit(f"{a} and {b}: {name} says {theirs}, ours {p[a, b]}")
    each = seconds(lambda: [pair(given[a], given[b]) for a, b in some]) / FEW
    line(f"{len(found):,} pairs, randomisation, Holm", f"{name}, from {FEW} pairs", each * len(found), mine)


def by_scipy(a: np.ndarray, b: np.ndarray) -> float:
    from scipy import stats

    mean = lambda x, axis: np.mean(x, axis=axis)  # noqa: E731
    how: Any = {"permutation_type": "samples", "vectorized": True, "n_resamples": DRAWS, "batch": 500, "rng": 1}
    return float(stats.permutation_test((b - a,), mean, **how).pvalue)


def by_ranx(a: np.ndarray, b: np.ndarray) -> float:
    from ranx.statistical_tests import fisher_randomization_test

    return float(fisher_randomization_test(a, b, DRAWS, 0.05, 1)[0])


def work_holm() -> None:
    "50 systems × 1,000 queries × 10,000 draws of signs, adjusted after Holm"
    found = ours("holm")
    mine = seconds(lambda: ours("holm"))
    beside("SciPy's permutation_test", by_scipy, mine, found)
    if peer("ranx.statistical_tests"):
        by_ranx(*list(values(2, 20).values()))  # compiles it, which is not counted
        beside("ranx's fisher", by_ranx, mine, found)


def work_tukey() -> None:
    "the same, values dealt out anew 10,000 times: randomised Tukey HSD"
    line(
        "randomised Tukey HSD",
        "the signs alone",
        seconds(lambda: ours("holm")),
        seconds(lambda: ours("tukey")),
        "",
        True,
    )


def work_bootstrap() -> None:
    "BCa intervals of all 1,225 pairs"
    from scipy import stats

    given = list(values().values())
    mine = seconds(intervals)
    how: Any = {"n_resamples": DRAWS, "method": "BCa", "vectorized": True, "batch": 500, "rng": 0}
    theirs = seconds(lambda: stats.bootstrap((given[1] - given[0],), np.mean, **how))
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    line(f"{pairs:,} pairs, BCa", "SciPy's bootstrap, from 1 pair", theirs * pairs, mine)


def work_memory() -> None:
    "the most memory that these take"
    bare = float(child("pass"))
    for what in ("ours('holm')", "ours('tukey')", "intervals()"):
        peak = float(child(f"bench_compare.{what}"))
        print(f"peak memory, MiB: {bare:.0f} with everything imported, {peak:.0f} after {what}", flush=True)


def child(what: str) -> str:
    "What a process of its own prints: the most memory it ever held, having done something"
    here = str(Path(__file__).parent)
    whole = f"import sys; sys.path.insert(0, {here!r}); import bench_compare, bench_runs, pandas, scipy.stats; "
    whole += f"{what}; print(bench_runs.high_water())"
    return subprocess.check_output([sys.executable, "-W", "ignore", "-c", whole], text=True)


# ---------------------------------------------------------------------------------------------------- coverage
def normal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.normal(0, 0.15, shape)


def like_ndcg(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    "Many queries the same, most a little apart, some far; more of those above 0 than below"
    small, far = rng.normal(0, 0.05, shape), rng.beta(1, 2, shape) * 0.9
    kind = rng.random(shape)
    return np.where(kind < 0.3, 0.0, np.where(kind < 0.8, small, np.where(kind < 0.95, far, -far / 2)))


def long_tailed(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    "The same, as many above 0 as below"
    return like_ndcg(rng, shape) * rng.choice([-1, 1], shape)


def lopsided(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    "One query in ten gains much, and the others lose a little"
    return np.where(rng.random(shape) < 0.1, rng.beta(2, 1, shape), rng.normal(-0.02, 0.05, shape))


POPULATIONS = {  # and their true means
    "normal": (normal, 0.0),
    "like nDCG": (like_ndcg, 0.15 * 0.3 - 0.05 * 0.15),
    "long-tailed": (long_tailed, 0.0),
    "lopsided": (lopsided, 0.1 * 2 / 3 - 0.9 * 0.02),
}


def work_coverage(times: int = 4_000, draws: int = 999) -> None:
    "how often an interval of 95 % holds the true mean"
    print(f"\nCoverage of 95 % intervals, in %, of {times:,} samples, {draws} draws each; ± its Monte-Carlo error\n")
    print(f"{'population':12} {'queries':>7}" + "".join(f"{name:>16}" for name in INTERVALS))
    wrong = []
    for name, (population, mean) in POPULATIONS.items():
        for n in (10, 25, FEW_QUERIES, 50, 100, 200):
            samples = population(np.random.default_rng([1, n]), (times, n))
            shares = {}
            for kind, interval in INTERVALS.items():
                blocks = [interval(part, 0.05, draws, i) for i, part in enumerate(np.split(samples, 20))]
                low, high = np.concatenate(blocks, axis=-1)
                shares[kind] = ((low <= mean) & (mean <= high)).mean()
            errors = {kind: np.sqrt(x * (1 - x) / times) for kind, x in shares.items()}
            cells = "".join(f"{100 * x:10.1f} ± {100 * errors[kind]:.1f} " for kind, x in shares.items())
            print(f"{name:12} {n:7} {cells}", flush=True)
            if name == "normal" and abs(shares["t"] - 0.95) > 3 * errors["t"]:
                wrong.append(f"t at {n} queries covers {shares['t']:.3f} of a normal population")
    if wrong:
        raise SystemExit("\n".join(wrong))


WORKS: dict[str, Callable[[], None]] = {
    "holm": work_holm,
    "tukey": work_tukey,
    "bootstrap": work_bootstrap,
    "memory": work_memory,
    "coverage": work_coverage,
}


def main() -> None:
    warnings.simplefilter("ignore")
    told = "; ".join(f"{name}: {work.__doc__}" for name, work in WORKS.items())
    parser = argparse.ArgumentParser(description=f"Comparing many systems. {told}. All, if none is named.")
    parser.add_argument("work", nargs="*", help="which to do")
    chosen = parser.parse_args().work or list(WORKS)
    if unknown := [name for name in chosen if name not in WORKS]:
        parser.error(f"no work is called {unknown[0]!r}: choose from {', '.join(WORKS)}")
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    print(f"ndcg_nb {ndcg_nb.__version__}, NumPy {np.__version__}, {machine}")
    heading(f"{SYSTEMS} systems × {QUERIES:,} queries × {DRAWS:,} draws; CPU seconds")
    for name in chosen:
        WORKS[name]()


if __name__ == "__main__":
    main()
