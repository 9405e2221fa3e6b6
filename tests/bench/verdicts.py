"""How often is a verdict wrong when only some results were judged? Simulated worlds, with the rule of `compare`.

python tests/bench/verdicts.py [WORLDS] [SEED] > tests/golden/verdicts.json
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from multiprocessing import Pool
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ndcg_nb.hood.comparisons.differences import Rules
from ndcg_nb.hood.comparisons.imputed import TERMS, Basis, Seen
from ndcg_nb.hood.stats import paired

ALPHA = 0.05
HIDDEN = 0.35  # of the relevant documents


class Kind(NamedTuple):
    "A kind of world"

    queries: int
    k: int
    gain: str
    relevant: float | tuple[int, int]  # The share of documents, or the fewest and the most of a query
    shared: float  # Of the noise of two systems


KINDS = [
    Kind(10, 10, "linear", 0.1, 0.0),
    Kind(10, 5, "exp", 0.2, 0.5),
    Kind(25, 10, "linear", 0.2, 0.5),
    Kind(25, 10, "binary", 0.1, 0.7),
    Kind(25, 5, "binary", (1, 50), 0.3),
    Kind(50, 10, "linear", 0.1, 0.0),
    Kind(50, 10, "linear", 0.2, 0.5),
    Kind(50, 10, "exp", 0.1, 0.5),
    Kind(50, 10, "exp", 0.4, 0.7),
    Kind(50, 10, "binary", 0.03, 0.5),
    Kind(50, 10, "linear", (1, 50), 0.5),
    Kind(50, 20, "linear", 0.1, 0.7),
    Kind(50, 20, "binary", 0.2, 0.3),
    Kind(50, 10, "linear", 0.2, 0.9),
    Kind(100, 10, "linear", 0.1, 0.5),
    Kind(100, 10, "exp", (1, 50), 0.7),
    Kind(100, 20, "binary", 0.4, 0.5),
    Kind(200, 10, "linear", 0.1, 0.0),
    Kind(200, 10, "exp", 0.03, 0.5),
    Kind(200, 5, "linear", 0.4, 0.9),
]
DEEP = [  # nDCG@100
    Kind(50, 100, "linear", 0.1, 0.5),
    Kind(50, 100, "exp", 0.2, 0.7),
    Kind(100, 100, "binary", 0.1, 0.3),
    Kind(25, 100, "linear", (1, 50), 0.9),
]
UNLIKE = [KINDS[i] for i in (2, 5, 6, 7, 14)]  # kinds in which the new system also finds what no other does
GAINS = {"linear": np.array([0.0, 1, 2, 3]), "exp": np.array([0.0, 1, 3, 7]), "binary": np.array([0.0, 1, 1, 1])}
PAIR = np.array([0]), np.array([1])
PART = SimpleNamespace(weights=None, rules=Rules())
SIGNS = {"better": 1, "equal": 0, "worse": -1}


class World:
    "Queries, what their documents are worth, and systems that see it through noise"

    def __init__(
        self, kind: Kind, better_by: float, rng: np.random.Generator, foreign: bool = False, hidden: float = 0.0
    ) -> None:
        self.kind = kind
        self.rng = rng
        self.documents = max(200, 10 * kind.k)
        self.grades = self._draw_grades()
        self.gains = GAINS[kind.gain][self.grades]
        self.common = rng.normal(size=self.grades.shape)
        self.hidden = rng.random(self.grades.shape) < hidden  # from all systems but the new one
        self.weights = 1 / np.log2(np.arange(2, kind.k + 2))
        self.old = self.rank(1.0, 0.9 if foreign else kind.shared)
        self.new = self.rank(1.0 + better_by, 0.0 if foreign else kind.shared, sees_all=True)

    def _draw_grades(self) -> np.ndarray:
        "Grades from 0 to 3, half of the relevant ones 1"
        kind = self.kind
        shape = (kind.queries, self.documents)
        if isinstance(kind.relevant, tuple):
            low, high = kind.relevant
            share = self.rng.integers(low, high + 1, size=(kind.queries, 1)) / self.documents
        else:
            share = np.full((kind.queries, 1), kind.relevant)
        is_relevant = self.rng.random(shape) < share
        return is_relevant * self.rng.choice([1, 2, 3], size=shape, p=[0.5, 0.3, 0.2])

    def rank(self, quality: float, shared: float, sees_all: bool = False) -> np.ndarray:
        "The documents of each query in the order of a system, as deep as it may be judged"
        own = self.rng.normal(size=self.grades.shape)
        noise = np.sqrt(shared) * self.common + np.sqrt(1 - shared) * own
        scores = quality * self.grades + noise
        if not sees_all:
            scores[self.hidden & (self.grades > 0)] = -10
        depth = 2 * self.kind.k
        best = np.argpartition(-scores, depth, axis=1)[:, :depth]
        order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
        return np.take_along_axis(best, order, axis=1)

    def pool(self, *runs: tuple[np.ndarray, int]) -> np.ndarray:
        "The documents that are judged: of each run down to a depth"
        judged = np.zeros(self.grades.shape, bool)
        for run, depth in runs:
            np.put_along_axis(judged, run[:, :depth], True, axis=1)
        return judged

    def seen(self, run: np.ndarray, judged: np.ndarray, unit: np.ndarray) -> Seen:
        "What a run returned, as `compare` sees it"
        top = run[:, : self.kind.k]
        counts = (unit > 0)[:, None]
        known = np.take_along_axis(judged, top, axis=1) & counts
        gains = np.take_along_axis(self.gains, top, axis=1) * known
        return Seen(gains, known.astype(float), (~known & counts).astype(float), unit)

    def verdicts(self, judged: np.ndarray) -> tuple[int, int, float, float]:
        "The verdict on the new system with unjudged results as 0, and by the rule; and the shares unjudged"
        pool = -np.sort(-self.gains * judged, axis=1)[:, : self.kind.k]
        ideal = pool @ self.weights
        unit = np.divide(1, ideal, out=np.zeros(len(ideal)), where=ideal > 0)
        a, b = (self.seen(run, judged, unit) for run in (self.old, self.new))
        counts = unit > 0
        if counts.sum() < 5:
            return 0, 0, a.share, b.share
        values = [(x.gain @ self.weights * unit)[counts] for x in (a, b)]
        d = values[1] - values[0]
        p = float(paired.student(d[None])[0])
        zero = int(np.sign(d.mean())) if p <= ALPHA else 0
        if not zero:
            return 0, 0, a.share, b.share
        runs = [Seen(*(column[counts] for column in x)) for x in (a, b)]
        [check] = Basis(runs, self.weights, TERMS["weights"]).checks(*PAIR, d[None], PART)
        stands = check.supports("better" if zero > 0 else "worse", ALPHA)
        return zero, zero * stands, a.share, b.share


def pools_of(world: World) -> dict[str, np.ndarray]:
    "Who was judged, in every way that is looked at"
    k = world.kind.k
    rng = world.rng
    old, new = world.old, world.new
    only_old = world.pool((old, k))
    some = [world.rank(rng.uniform(0.8, 1.1), world.kind.shared) for _ in range(rng.integers(2, 10))]
    depth = rng.choice([max(1, k // 2), k, 2 * k])
    several = [(run, depth) for run in some]
    return {
        "old top k": only_old,
        "old top 2k": world.pool((old, 2 * k)),
        "old top k, 30% of the rest": only_old | (rng.random(only_old.shape) < 0.3),
        "old top k, new top k/2": world.pool((old, k), (new, k // 2)),
        "top k of both": world.pool((old, k), (new, k)),
        "top k/2 of both": world.pool((old, k // 2), (new, k // 2)),
        "several, without new": world.pool((old, depth), *several),
        "several, without both": world.pool(*several),
    }


def row_of(pool: str, old: float, new: float) -> str:
    "The row of the table: pools of several systems are told apart by how much is unjudged"
    if pool == "several, without new":
        names = {0.035: "2", 0.075: "5", 0.15: "10", 0.27: "20"}
        points = next((name for most, name in names.items() if new - old < most), "more")
        return f"{pool}, {points} points more unjudged"
    if pool == "several, without both":
        names = {0.15: "a tenth", 0.4: "a quarter"}
        share = next((name for most, name in names.items() if (old + new) / 2 < most), "half")
        return f"{pool}, {share} unjudged"
    return pool


def results_of(world: World, pools: dict[str, np.ndarray]) -> list[tuple[str, int, int, int, float, float]]:
    "The verdicts with each pool, beside the one with complete judgements"
    full = world.verdicts(np.ones(world.grades.shape, bool))[0]
    rows = []
    for pool, judged in pools.items():
        zero, rule, old, new = world.verdicts(judged)
        rows.append((row_of(pool, old, new), zero, rule, full, old, new))
    return rows


def level_with_hidden(kind: Kind, rng: np.random.Generator) -> float:
    "By how much the new system is worse otherwise, so that with what only it finds it is as good as the old one"
    low, high = -1.0, 0.0
    for _ in range(8):
        middle = (low + high) / 2
        worlds = [World(kind, middle, rng, hidden=HIDDEN) for _ in range(20)]
        ahead = [mean_difference(world) for world in worlds]
        low, high = (middle, high) if np.mean(ahead) < 0 else (low, middle)
    return (low + high) / 2


def mean_difference(world: World) -> float:
    "With complete judgements, without the ideal"
    tops = [np.take_along_axis(world.gains, run[:, : world.kind.k], axis=1) for run in (world.old, world.new)]
    return float(((tops[1] - tops[0]) @ world.weights).mean())


def calibrated(kind: Kind, rng: np.random.Generator) -> float:
    "By how much a better system is better, so that complete judgements find it in about 80 of 100 worlds"
    low, high = 0.0, 2.0
    for _ in range(8):
        middle = (low + high) / 2
        found = 0
        for _ in range(60):
            world = World(kind, middle, rng)
            found += world.verdicts(np.ones(world.grades.shape, bool))[0] > 0
        low, high = (middle, high) if found < 48 else (low, middle)
    return (low + high) / 2


def simulate(task: tuple[int, int, int]) -> list[Any]:
    "All worlds of a kind"
    number, worlds, seed = task
    kind = [*KINDS, *DEEP][number]
    rng = np.random.default_rng([seed, number])
    size = calibrated(kind, rng)
    found = []
    level = level_with_hidden(kind, rng) if kind in UNLIKE else 0.0
    for sign, direction in SIGNS.items():
        for _ in range(worlds):
            world = World(kind, direction * size * (1 if direction > 0 else 0.8), rng)
            if kind in DEEP:
                near = world.rank(1.0, 0.9)
                one = {"nDCG@100, old top 10 and a similar run": world.pool((world.old, 10), (near, 10))}
                both = {"nDCG@100, top 10 of both": world.pool((world.old, 10), (world.new, 10))}
                rows = results_of(world, one | both)
            else:
                rows = results_of(world, pools_of(world))
                foreign = World(kind, direction * size, rng, foreign=True)
                near = [(foreign.rank(rng.uniform(0.8, 1.1), 0.9), kind.k) for _ in range(4)]
                rows += results_of(foreign, {"several like old, new is foreign": foreign.pool(*near)})
            if kind in UNLIKE:
                unlike = World(kind, level + direction * size, rng, hidden=HIDDEN)
                pools = pools_of(unlike)
                names = {"old top k": "one-sided", "several, without new": "several with old"}
                names |= {"several, without both": "several without both"}
                chosen = {f"hidden from all but new: {name}": pools[pool] for pool, name in names.items()}
                rows += results_of(unlike, chosen)
            found += [(number, sign, *row) for row in rows]
    return found


def table_of(found: list[Any]) -> dict[str, Any]:
    "Percent of worlds, the mean over kinds and the worst kind, for 0 and for the rule"
    cells: dict[Any, list[Any]] = defaultdict(list)
    for number, sign, row, *rest in found:
        cells[row, sign, number].append(rest)
    table: dict[str, Any] = {}
    for row in dict.fromkeys(row for row, _, _ in cells):
        of_row = {key: np.array(x) for key, x in cells.items() if key[0] == row and len(x) >= 20}
        if not of_row:
            continue
        line: dict[str, Any] = {"worlds": sum(map(len, of_row.values()))}
        every = np.concatenate([*of_row.values()])
        line["unjudged"] = [round(100 * float(x)) for x in every[:, 3:].mean(axis=0)]
        for name, sign, wanted in (
            ("better called worse", "better", -1),
            ("verdict if equal", "equal", None),
            ("worse found", "worse", -1),
            ("better found", "better", 1),
        ):
            of_kinds = [x for key, x in of_row.items() if key[1] == sign]
            if not of_kinds:
                continue
            hits = np.array(
                [[np.mean(x[:, i] != 0 if wanted is None else x[:, i] == wanted) for i in (0, 1, 2)] for x in of_kinds]
            )
            zero, rule, full = (100 * hits.mean(axis=0)).round(1).tolist()
            worst = (100 * hits.max(axis=0)).round(1).tolist()
            line[name] = {"zero": zero, "rule": rule, "full": full, "worst zero": worst[0], "worst rule": worst[1]}
        table[row] = line
    return table


def main() -> None:
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 2026
    tasks = [(number, worlds, seed) for number in range(len(KINDS) + len(DEEP))]
    with Pool(os.cpu_count()) as pool:
        parts = pool.map(simulate, tasks, chunksize=1)
    found = [row for part in parts for row in part]
    json.dump({"worlds": worlds, "seed": seed, "table": table_of(found)}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
