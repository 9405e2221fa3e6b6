"""A simulated search world: queries, systems that differ a little, and what is counted in it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import kendalltau, ttest_rel

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

QUERIES, DOCUMENTS, SYSTEMS = 50, 200, 10
SHARES = [0.5, 0.3, 0.2]  # of grades 1, 2 and 3 among the relevant documents
QUALITY, APART = 1.15, 0.08  # of systems: the mean, and the standard deviation
EASE, FIT = 0.1, 0.15  # standard deviations over queries: how easy each is, and how well it suits a system
FIRST, SECOND = np.triu_indices(SYSTEMS, 1)  # the 45 pairs
Row = dict[str, Any]


# ---------------------------------------------------------------------------------------------------- a search world
class Systems(NamedTuple):
    "What distinguishes systems, on every query"

    quality: np.ndarray  # how far a relevant document stands out of the noise
    taste: np.ndarray  # the power of a grade: above 1, high grades stand out more than they do for others
    slope: np.ndarray  # how much better it is on queries with many relevant documents


def systems(rng: np.random.Generator, taste: float = 0.3, slope: float = 0.0, n: int = SYSTEMS) -> Systems:
    quality = rng.normal(QUALITY, APART, n)
    return Systems(quality, np.exp(rng.normal(0, taste, n)), rng.normal(0, slope, n))


def grades_of(rng: np.random.Generator, queries: int, documents: int = DOCUMENTS) -> np.ndarray:
    "Grades from 0 to 3: 4 to 60 documents of a query are relevant, few more often than many"
    relevant = np.exp(rng.uniform(np.log(4), np.log(61), queries)).astype(int)
    grades = rng.choice([1, 2, 3], (queries, documents), p=SHARES)
    return np.where(np.arange(documents) < relevant[:, None], grades, 0)


def signal_of(rng: np.random.Generator, who: Systems, grades: np.ndarray) -> np.ndarray:
    "Systems × queries × documents: what a grade adds to a score, more on easy queries and on those that suit a system"
    queries = len(grades)
    size = np.log((grades > 0).sum(axis=1))
    skill = who.quality[:, None] + who.slope[:, None] * (size - size.mean()) / size.std()
    skill = skill + rng.normal(0, EASE, queries) + rng.normal(0, FIT, (len(who.quality), queries))
    worth = np.arange(4.0) ** who.taste[:, None]
    worth[:, 0] = 0
    worth /= (worth[:, 1:] @ SHARES)[:, None]  # on average, a relevant document adds the same for each taste
    return skill[:, :, None] * worth[:, grades]


def scores_of(rng: np.random.Generator, who: Systems, grades: np.ndarray) -> np.ndarray:
    "What a grade adds, and noise: half of its variance is what all systems see alike, as the words of a document"
    signal = signal_of(rng, who, grades)
    noise = rng.normal(size=signal.shape) + rng.normal(size=grades.shape)
    return signal + noise / np.sqrt(2)


def shown(grades: np.ndarray, scores: np.ndarray) -> np.ndarray:
    "The grades in the order of each system"
    order = np.argsort(-scores, axis=-1)
    return np.take_along_axis(np.broadcast_to(grades, scores.shape), order, axis=-1)


def by_query(measure: Any, rows: np.ndarray, k: int, **how: Any) -> np.ndarray:
    "A measure of every list, systems × queries"
    flat = rows.reshape(-1, rows.shape[-1])
    return measure(flat, k, **how).reshape(rows.shape[:-1])


# ---------------------------------------------------------------------------------------------------- what is counted
def differences(values: np.ndarray) -> np.ndarray:
    "Of every pair of systems on every query"
    return values[FIRST] - values[SECOND]


def p_of(apart: np.ndarray) -> np.ndarray:
    return ttest_rel(apart, np.zeros_like(apart), axis=1).pvalue


def mean_of(found: Any) -> tuple[float, float]:
    "A mean, and half of its 95% interval"
    found = np.asarray(found, float)
    half = 1.96 * found.std(ddof=1) / np.sqrt(len(found))
    return round(float(found.mean()), 4), round(float(half), 4)


def tau(a: np.ndarray, b: np.ndarray) -> float:
    return float(kendalltau(a, b).statistic)


class Reversals:
    "Pairs of systems that two measures put in different orders"

    def __init__(self) -> None:
        self.gap: list[np.ndarray] = []
        self.p: list[np.ndarray] = []
        self.p_other: list[np.ndarray] = []
        self.turned: list[np.ndarray] = []

    def add(self, one: np.ndarray, other: np.ndarray) -> None:
        a = differences(one)
        b = differences(other)
        self.gap.append(abs(a.mean(axis=1)))
        self.turned.append(a.mean(axis=1) * b.mean(axis=1) < 0)
        self.p.append(p_of(a))
        self.p_other.append(p_of(b))

    def summary(self) -> Row:
        share, half = mean_of([x.mean() for x in self.turned])
        gap = np.concatenate(self.gap)
        turned = np.concatenate(self.turned)
        sure = np.concatenate(self.p) < 0.05
        other_sure = np.concatenate(self.p_other) < 0.05
        row: Row = {"pairs": len(gap), "reversed": share, "half": half}
        for low, high in ((0, 0.01), (0.01, 0.02), (0.02, 0.05), (0.05, 1)):
            among = turned[(gap >= low) & (gap < high)]
            row[f"{low} to {high}"] = round(float(among.mean()), 4)
        row["reversed though significant"] = int((turned & sure).sum())
        row["reversed and both significant"] = int((turned & sure & other_sure).sum())
        return row
