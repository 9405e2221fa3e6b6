"""Statistics a second time, by loops and by the formulas of textbooks: what ours are compared with."""

from __future__ import annotations

import math
from itertools import product
from typing import Any, NamedTuple

import numpy as np


def systems(seed: int, count: int, queries: int, apart: float = 0.1) -> np.ndarray:
    "Systems × queries: some queries are harder for all, some systems better on all"
    rng = np.random.default_rng([seed, count, queries])
    easy = rng.normal(0.5, 0.2, queries)
    good = rng.normal(0, apart, (count, 1))
    return easy + good + rng.normal(0, 0.1, (count, queries))


def close(ours: Any, theirs: Any, to: float = 1e-12) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=to, atol=to)


class Weighted(NamedTuple):
    "What Student's formulas need to know of a weighted mean"

    mean: float
    error: float
    freedom: float

    def ends(self, alpha: float) -> tuple[float, float]:
        from scipy.stats import t

        reach = t.isf(alpha / 2, self.freedom) * self.error
        return self.mean - reach, self.mean + reach


def weighted(d: np.ndarray, w: np.ndarray) -> Weighted:
    "By the variance that each distance from the mean has on average"
    share = w / w.sum()
    mean = share @ d
    from_mean = np.eye(len(w)) - share  # takes the mean from each value
    variance = 0.0
    for a, off, value in zip(share, from_mean, d):
        variance += a**2 * (value - mean) ** 2 / (off @ off)
    return Weighted(float(mean), math.sqrt(variance), 1 / (share @ share) - 1)


def share_of_signs(d: np.ndarray) -> float:
    "The share of all ways to set the signs whose sum is at least as far from 0; the rounding is no difference"
    signs = np.array([*product([-1, 1], repeat=len(d))])
    slack = 1e-9 * np.abs(d).sum()
    is_far = np.abs(signs @ d) >= abs(d.sum()) - slack
    return float(is_far.mean())


def holm_by_hand(p: np.ndarray) -> list[float]:
    "The smallest p times the number of tests, the next times one less, and none below the one before it"
    adjusted = [0.0] * len(p)
    least = 0.0
    for place, i in enumerate(np.argsort(p, kind="stable")):
        least = max(least, min(1, p[i] * (len(p) - place)))
        adjusted[i] = least
    return adjusted


def bootstrap_t(d: np.ndarray, alpha: float, draws: int, seed: int) -> tuple[float, float]:
    "Draw by draw, with the standard error of each draw, as Efron and Tibshirani (1993) have it"
    n = len(d)
    mean = d.mean()
    error = d.std(ddof=1) / math.sqrt(n)
    t = []
    for at in np.random.default_rng(seed).integers(n, size=(draws, n)):
        drawn = d[at]
        with np.errstate(divide="ignore"):
            t.append((drawn.mean() - mean) / (drawn.std(ddof=1) / math.sqrt(n)))
    t.sort()
    tail = math.floor(alpha / 2 * (draws - 1))  # the quantile below
    return mean - t[draws - 1 - tail] * error, mean - t[tail] * error
