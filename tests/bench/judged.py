"""The simulated figures of Judge next, a table each: two runs, judged one document after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from worlds import QUALITY, QUERIES, Row, grades_of, mean_of, p_of, scores_of, systems, tau

from ndcg_nb import judge_next, ndcg

CUTOFF = 10
GRADES = [0, 1, 2, 3]
WEIGHTS = 1 / np.log2(np.arange(CUTOFF) + 2)
Places = list[tuple[int, int]]  # query and document
Judged = dict[str, dict[str, int]]


# ---------------------------------------------------------------------------------------------------- a collection
class Collection:
    "The top ten of some runs on fifty queries, and the grades of all documents, which only the judge knows"

    def __init__(self, rng: np.random.Generator, runs: int, others: int = 0, alike: bool = False) -> None:
        who = systems(rng, 0.0 if alike else 0.3, n=runs + others)
        if alike:
            who.quality[:] = QUALITY
        self.grades = grades_of(rng, QUERIES)
        order = np.argsort(-scores_of(rng, who, self.grades), axis=-1)[..., :CUTOFF]
        self.tops = order[:runs]
        self.best = np.full(self.grades.shape, CUTOFF + 1)  # rank, in any of the runs
        for top in self.tops:
            for rank in range(CUTOFF):
                at = np.arange(QUERIES), top[:, rank]
                self.best[at] = np.minimum(self.best[at], rank + 1)
        self.judged = np.zeros(self.grades.shape, bool)
        for top in order[runs:]:
            np.put_along_axis(self.judged, top, True, axis=1)

    @property
    def open(self) -> Places:
        found = np.argwhere((self.best <= CUTOFF) & ~self.judged)
        return [(int(query), int(document)) for query, document in found]

    def graded(self, places: Places) -> Judged:
        "What the judge says, with the names that judge_next has for queries and documents"
        found: Judged = {}
        for query, document in places:
            found.setdefault(f"q{query}", {})[f"d{document}"] = int(self.grades[query, document])
        return found

    def ask(self, goal: str, n: int | None) -> Any:
        "judge_next before anything more is judged"
        names = [f"q{query}" for query in range(QUERIES)]
        known = self.graded([(int(q), int(d)) for q, d in np.argwhere(self.judged)])
        runs = {}
        for i, top in enumerate(self.tops):
            runs[f"run {i}"] = {name: [f"d{x}" for x in row] for name, row in zip(names, top)}
        qrels = {name: known.get(name, {}) for name in names}
        return judge_next(qrels, runs, n, goal=goal, grades=GRADES, queries=names)

    def by_depth(self, rng: np.random.Generator) -> Places:
        "The first results of all runs, then the second; equal ranks at random"
        found = self.open
        rng.shuffle(found)
        return sorted(found, key=lambda place: self.best[place])

    def values(self, judged: np.ndarray) -> np.ndarray:
        "nDCG of every run on every query, unjudged as 0"
        known = np.where(judged, self.grades, 0)
        rows = [np.take_along_axis(known, top, axis=1) for top in self.tops]
        return np.array([ndcg(row, CUTOFF, pool=known, empty=0.0) for row in rows])


def named(todo: Any) -> Places:
    "What judge_next lists"
    return [(int(q[1:]), int(d[1:])) for q, d in zip(todo.table["query"], todo.table["document"])]


# ---------------------------------------------------------------------------------------------------- how many it takes
def narrow(todo: Any) -> bool:
    return todo.width <= 0.05


def decided(todo: Any) -> bool:
    return todo.is_decided


def fewest(start: Any, places: Places, world: Collection, enough: Callable[[Any], bool]) -> int:
    "How many of these judgements it takes, by bisection: an interval never grows"
    low = 0
    high = len(places)
    while low < high:
        middle = (low + high) // 2
        if enough(start.add(world.graded(places[:middle])) if middle else start):
            high = middle
        else:
            low = middle + 1
    return low


def adaptive(start: Any, world: Collection, enough: Callable[[Any], bool]) -> int:
    "How many it takes where judge_next is asked again after each list"
    count = 0
    todo = start
    while not enough(todo):
        before = todo
        places = named(todo)
        todo = before.add(world.graded(places))
        if enough(todo):
            return count + fewest(before, places, world, enough)
        count += len(places)
    return count


def table_needed(rng: np.random.Generator) -> list[Row]:
    "Judgements to a mean width of 0.05, and to a certain sign: judge_next beside depth pooling"
    rows = []
    for name, others, samples, n in (("new runs", 8, 40, 10), ("nothing judged", 0, 20, 25)):
        for goal, enough in (("width", narrow), ("difference", decided)):
            found = []
            for _ in range(samples):
                world = Collection(rng, 2, others)
                start = world.ask(goal, n)
                depth = fewest(start, world.by_depth(rng), world, enough)
                found.append([len(world.open), depth, adaptive(start, world, enough)])
            total, depth, ours = np.transpose(found).astype(float)
            fewer, half = mean_of(1 - ours / depth)
            row = {"from": name, "goal": goal, "open": round(total.mean()), "depth": round(depth.mean())}
            row |= {"judge_next": round(ours.mean()), "fewer": fewer, "half": half}
            shares = {"share of depth": depth / total, "share of judge_next": ours / total}
            rows.append(row | {key: mean_of(x)[0] for key, x in shares.items()})
    return rows


def table_fifty(rng: np.random.Generator) -> list[Row]:
    "What fifty judgements do to the interval, if two new runs come to a judged collection"
    rows = []
    for goal in ("width", "difference"):
        found = []
        for _ in range(40):
            world = Collection(rng, 2, 8)
            start = world.ask(goal, 10)
            depth = start.add(world.graded(world.by_depth(rng)[:50]))
            ours = start
            for _ in range(5):
                ours = ours.add(world.graded(named(ours)))
            found.append([start.width, depth.width, ours.width])
        before, depth, ours = np.transpose(found)
        more, half = mean_of((before - ours) / (before - depth) - 1)
        means = {"before": before, "depth": depth, "judge_next": ours}
        row = {"goal": goal} | {name: mean_of(x)[0] for name, x in means.items()}
        rows.append(row | {"falls by more": more, "half": half})
    return rows


def table_order(rng: np.random.Generator) -> list[Row]:
    "Ten runs: Kendall's tau with the order by all judgements, unjudged as 0"
    shares = (0.05, 0.1, 0.2, 0.3, 0.5)
    found = []
    for _ in range(20):
        world = Collection(rng, 10)
        total = len(world.open)
        truth = world.values(np.ones_like(world.judged)).mean(axis=1)
        todo = world.ask("difference", round(0.05 * total))
        ours: Places = []
        while len(ours) < 0.5 * total:
            places = named(todo)
            ours += places
            todo = todo.add(world.graded(places))
        cells = []
        for places in (world.by_depth(rng), ours):
            for share in shares:
                judged = np.zeros_like(world.judged)
                judged[tuple(np.transpose(places[: round(share * total)]))] = True
                cells.append(tau(truth, world.values(judged).mean(axis=1)))
        found.append(cells)
    depth, mine = np.split(np.transpose(found), 2)
    rows = []
    for share, a, b in zip(shares, depth, mine):
        more, half = mean_of(b - a)
        rows.append({"share": share, "depth": mean_of(a)[0], "judge_next": mean_of(b)[0], "more": more, "half": half})
    return rows


# ---------------------------------------------------------------------------------------------------- p on the way
LOOKS, SIMULATIONS = 20, 200


def at_random(rng: np.random.Generator, world: Collection, size: int) -> Callable[[], Places]:
    places = iter(rng.permutation(world.open).tolist())
    return lambda: [(q, d) for (q, d), _ in zip(places, range(size))]


def downwards(rng: np.random.Generator, world: Collection, size: int) -> Callable[[], Places]:
    places = iter(world.by_depth(rng))
    return lambda: [place for _, place in zip(range(size), places)]


def by_worth(rng: np.random.Generator, world: Collection, size: int) -> Callable[[], Places]:
    todo = world.ask("difference", size)

    def next_places() -> Places:
        nonlocal todo
        places = named(todo)
        todo = todo.add(world.graded(places))
        return places

    return next_places


def for_one_run(rng: np.random.Generator, world: Collection, size: int) -> Callable[[], Places]:
    "What may prove that the second run is ahead: its own results if relevant, those of the first if not"
    weights = np.zeros((2, *world.grades.shape))
    for weight, top in zip(weights, world.tops):
        np.put_along_axis(weight, top, np.broadcast_to(WEIGHTS, top.shape), axis=1)
    stake = weights[1] - weights[0]

    def next_places() -> Places:
        expected = (world.grades[world.judged].sum() + 5) / (world.judged.sum() + 10)
        guess = np.where(world.judged, world.grades, np.where(world.best <= CUTOFF, expected, 0))
        ideal = np.sort(guess, axis=1)[:, : -CUTOFF - 1 : -1] @ WEIGHTS
        rise = np.where(stake > 0, stake * expected, -stake * (GRADES[-1] - expected))
        rise /= np.maximum(ideal, 1e-9)[:, None]  # 0 if all of a query is judged, and nothing relevant
        return sorted(world.open, key=lambda place: -rise[place])[:size]

    return next_places


ORDERS = {"random": at_random, "depth": downwards, "judge_next": by_worth, "for one run": for_one_run}


def table_rejects(rng: np.random.Generator) -> list[Row]:
    "Two equally good runs: how often a t-test at 0.05 finds a difference, at a share of the pool or at one of 20 looks"
    rows = []
    for name, order in ORDERS.items():
        found = []
        for _ in range(SIMULATIONS):
            world = Collection(rng, 2, alike=True)
            size = -(-len(world.open) // LOOKS)
            take = order(rng, world, size)
            rejected = []
            for _ in range(LOOKS):
                places = take()
                if places:
                    world.judged[tuple(np.transpose(places))] = True
                a, b = world.values(world.judged)
                rejected.append(bool(p_of((a - b)[None])[0] < 0.05))
            found.append([*rejected, any(rejected)])
        shares = np.mean(found, axis=0).tolist()
        row = {"order": name, "simulations": SIMULATIONS, "10%": shares[1], "20%": shares[3], "40%": shares[7]}
        rows.append(row | {"all": shares[-2], "first p < 0.05": shares[-1]})
    return rows
