"""Random problems for widgets, of every kind, and what Python says of each."""

from __future__ import annotations

import math
import random
import warnings
from typing import Any

import numpy as np

from ndcg_nb import dcg, discount, ndcg
from ndcg_nb.smooth import approx_ndcg, gradient, neural_ndcg
from ndcg_nb.widgets import bend, favour, soften, stretch
from ndcg_nb.widgets.frame import Favour


def form_of(discount: Any) -> Any:
    "A discount as `ndcg` takes it"
    return (lambda rank: discount[1] ** (rank - 1)) if discount[0] == "geometric" else discount


def bent(w: Any) -> dict[str, float]:
    "nDCG of both lists, and how far A is ahead"
    how = {"pool": w.gains["pool"], "discount": form_of(w.discount)}
    a, b = (ndcg(w.gains[x], w.k, **how) for x in "ab")
    return {"a": a, "b": b, "gap": a - b}


def bends(count: int, seed: int) -> list[Any]:
    "Pairs of lists of every kind: short and long, with few changes of sign and many, tied and cut"
    rng = random.Random(seed)
    made = []
    grades = [
        lambda: rng.choice([0, 0, 1, 2, 3]),
        lambda: rng.choice([0, 0.1, 0.25, rng.random()]),
        lambda: rng.choice([0, 1]),
    ]
    while len(made) < count:
        n = rng.choice([1, 2, 3, *range(4, 13), 32])
        grade = rng.choice(grades)
        a, b = ([grade() for _ in range(n)] for _ in "ab")
        if rng.random() < 0.4:
            b = rng.sample(a, n)  # which tie where nothing is discounted
        if not any([*a, *b]):
            continue
        pool = [*a, *b, *(grade() for _ in range(rng.choice([0, 0, 5])))] if rng.random() < 0.5 else None
        forms = ["log2", "even", "zipf", ("power", rng.uniform(0, 3)), ("geometric", rng.random()), ("power", 7.5)]
        how = {"pool": pool, "discount": rng.choice(forms), "gain": rng.choice(["linear", "exp"])}
        made.append(bend(a, b, rng.choice([None, None, 1, 3, 5, 40]), **how))
    return made


def verdicts(w: Any) -> dict[str, Any]:
    "nDCG of both lists by people and by the judge, and the taste at which the judge's order turns"
    kinds = [float(i in w.own) for i in range(1, len(w.grades) + 1)]
    gains = [g + w.generosity + w.taste * kind for g, kind in zip(w.grades, kinds)]
    shown = lambda x, order: [x[i - 1] for i in order]  # noqa: E731
    people, judge = ([ndcg(shown(x, o), w.k, pool=x, empty=0) for o in (w.a, w.b)] for x in (w.grades, gains))
    ahead, pull = (dcg(shown(x, w.a), w.k) - dcg(shown(x, w.b), w.k) for x in (w.grades, kinds))
    return {"people": people, "judge": judge, "turns": -ahead / pull if ahead * pull < 0 else math.nan}


def judges(count: int, seed: int) -> list[Any]:
    "Lists of every kind: short and long, with and without an own kind, and nothing relevant"
    rng = random.Random(seed)
    made = [favour()]
    while len(made) < count:
        n = rng.randint(1, 8)
        orders = [rng.sample(range(1, n + 1), rng.randint(1, n)) for _ in range(2)]
        own = [i for i in range(1, n + 1) if rng.random() < 0.4]
        sliders = {"generosity": rng.choice([0, 0.5, 2]), "taste": rng.choice([0, 0.37, 1, 2])}
        lists = {"grades": [rng.randint(0, 3) for _ in range(n)], "own": own, "a": orders[0], "b": orders[1]}
        made.append(Favour(**lists, k=rng.randint(1, 9), weights=discount(range(1, 10)).tolist(), **sliders))
    return made


def smooth(gains: list[float], scores: list[float], temperature: float) -> dict[str, Any]:
    "The measures of chapter 13, of gains as they are"
    how = {"scores": np.array(scores, float), "temperature": temperature}
    slopes = gradient(approx_ndcg, gains, **how)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hard = ndcg(gains, scores=scores)
    soft = {"ApproxNDCG": float(approx_ndcg(gains, **how)), "NeuralSort-nDCG": float(neural_ndcg(gains, **how))}
    return {"nDCG": hard, **soft, "gradient": float(np.hypot.reduce(slopes)), "slopes": slopes.tolist()}


def softened(w: Any) -> dict[str, Any]:
    return smooth([d["gain"] for d in w.documents], w.scores, w.temperature)


def scored(count: int, seed: int) -> list[Any]:
    "Lists of every kind: short and long, tied and apart, hot and cold"
    rng = random.Random(seed)
    made = []
    while len(made) < count:
        n = rng.randint(1, 12)
        rel = [rng.choice([0, 1, 2, 3]) for _ in range(n)]
        scores = [rng.choice([rng.uniform(-2, 2), round(rng.uniform(-2, 2), 1), 0.5]) for _ in rel]
        if any(rel):
            how = {"temperature": 10 ** rng.uniform(-2, 1), "gain": rng.choice(["linear", "exp"])}
            made.append(soften(rel, scores, **how))
    return made


def means(worth: float) -> dict[str, float]:
    "The mean nDCG of A and of B, where a grade of 2 has this gain"
    w = stretch()
    found = (ndcg(lists, gain={0: 0, 1: 1, 2: worth}).mean() for lists in (w.a, w.b))
    return dict(zip("ab", found))


def stretched(w: Any) -> dict[str, float]:
    return means(w.worth)
