"""The simulated figures of What the critics say, a table each."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import hypergeom
from worlds import (
    QUALITY,
    QUERIES,
    SYSTEMS,
    Reversals,
    Row,
    Systems,
    by_query,
    differences,
    grades_of,
    mean_of,
    p_of,
    scores_of,
    shown,
    signal_of,
    systems,
    tau,
)

from ndcg_nb import dcg, ndcg

MANY = 300  # sets of ten systems, so 13,500 pairs


def table_world(rng: np.random.Generator) -> list[Row]:
    "How good and how noisy the systems are: nDCG@10, the SD of differences, and what the variance consists of"
    found = []
    for _ in range(MANY):
        grades = grades_of(rng, QUERIES)
        values = by_query(ndcg, shown(grades, scores_of(rng, systems(rng), grades)), 10)
        rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
        noise = (rest**2).sum() / (QUERIES - 1) / (SYSTEMS - 1)
        by_system = values.mean(axis=1).var(ddof=1) - noise / QUERIES
        of_query = values.mean(axis=0).var(ddof=1) - noise / SYSTEMS
        parts = np.array([by_system, of_query, noise])
        found.append([values.mean(), differences(values).std(axis=1, ddof=1).mean(), *parts / parts.sum()])
    names = ["mean", "SD of differences", "systems", "queries", "interaction and noise"]
    return [{name: round(float(x), 3) for name, x in zip(names, np.mean(found, axis=0))}]


def table_labels(rng: np.random.Generator) -> list[Row]:
    "One label a query, by an old system that A resembles, or at random: nDCG@10 of A and of a better B"
    who = Systems(QUALITY + np.array([0, 0, 0.2]), np.ones(3), np.zeros(3))  # the old system, A and B
    found: dict[str, list[np.ndarray]] = {"all": [], "by the old system": [], "at random": []}
    for _ in range(60):
        grades = grades_of(rng, 500)
        noise = rng.normal(size=(3, *grades.shape))
        noise[1] = 0.8 * noise[0] + 0.6 * noise[1]
        scores = signal_of(rng, who, grades) + noise
        relevant = grades > 0
        found["all"].append(by_query(ndcg, shown(grades, scores[1:]), 10).mean(axis=1))
        for name, chosen_by in (("by the old system", scores[0]), ("at random", rng.random(grades.shape))):
            label = np.where(relevant, chosen_by, -np.inf).argmax(axis=1)
            one = np.zeros_like(grades)
            one[np.arange(len(one)), label] = 1
            found[name].append(by_query(ndcg, shown(one, scores[1:]), 10).mean(axis=1))
    rows = []
    for name, values in found.items():
        a, b = np.array(values).T
        rows.append({"labels": name, "A": mean_of(a)[0], "B": mean_of(b)[0], "B ahead": int((b > a).sum())})
    return rows


def table_sampled(rng: np.random.Generator) -> list[Row]:
    "Ten recommenders by nDCG@10 among all 10,000 items, and among sampled negatives, on average over all samples"
    items = 10_000
    edges = np.log(np.arange(1, items + 2))
    ranks = np.arange(1, items + 1)
    weight = np.where(np.arange(10) < 10, 1 / np.log2(np.arange(10) + 2), 0)
    sizes = (100, 1000, 5000)
    worth = {m: hypergeom(items - 1, ranks[:, None] - 1, m).pmf(np.arange(10)) @ weight for m in sizes}
    full = np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0)
    found: dict[int, list[Any]] = {m: [] for m in sizes}
    for _ in range(MANY):
        middle = rng.normal(np.log(150), 0.35, (SYSTEMS, 1))  # of the logarithm of the rank
        spread = rng.uniform(1.8, 2.8, (SYSTEMS, 1))
        below = 1 / (1 + np.exp(-(edges - middle) * 1.7 / spread))
        chance = np.diff(below, axis=1)
        chance /= chance.sum(axis=1, keepdims=True)
        by_all = chance @ full
        for m in sizes:
            by_some = chance @ worth[m]
            agree = tau(by_all, by_some)
            same = by_all.argmax() == by_some.argmax()
            found[m].append([agree, (1 - agree) / 2, same, by_all.mean(), by_some.mean()])
    names = ["tau", "swapped", "same best", "mean of all", "mean of sampled"]
    rows = []
    for m, values in found.items():
        rows.append({"negatives": m} | {name: mean_of(x)[0] for name, x in zip(names, np.transpose(values))})
        rows[-1]["half of tau"] = mean_of(np.transpose(values)[0])[1]
    return rows


def table_gains(rng: np.random.Generator) -> list[Row]:
    "Exponential gains instead of linear: pairs whose order changes, if systems differ in their taste for high grades"
    rows = []
    for taste in (0.0, 0.3):
        count = Reversals()
        for _ in range(MANY):
            grades = grades_of(rng, QUERIES)
            lists = shown(grades, scores_of(rng, systems(rng, taste), grades))
            count.add(by_query(ndcg, lists, 10), by_query(ndcg, lists, 10, gain="exp"))
        rows.append({"taste": taste} | count.summary())
    return rows


def table_dividing(rng: np.random.Generator) -> list[Row]:
    "DCG instead of nDCG: pairs whose order changes, if systems specialise in queries with many or few good documents"
    rows = []
    for slope in (0.0, 0.1, 0.2, 0.3):
        count = Reversals()
        for _ in range(MANY):
            grades = grades_of(rng, QUERIES)
            lists = shown(grades, scores_of(rng, systems(rng, slope=slope), grades))
            count.add(by_query(ndcg, lists, 10), by_query(dcg, lists, 10))
        rows.append({"slope": slope} | count.summary())
    return rows


def kappa(a: np.ndarray, b: np.ndarray) -> float:
    "Cohen's, unweighted"
    table = np.zeros((4, 4))
    np.add.at(table, (a, b), 1 / len(a))
    chance = float(table.sum(axis=0) @ table.sum(axis=1))
    return float((table.trace() - chance) / (1 - chance))


def second_judge(rng: np.random.Generator, grades: np.ndarray, pool: np.ndarray, share: float) -> np.ndarray:
    "The grades after a share of the pooled ones of each query was shuffled"
    other = grades.copy()
    for row, judged in zip(other, pool):
        at = np.flatnonzero(judged)
        some = rng.permutation(at)[: round(share * len(at))]
        row[some] = row[rng.permutation(some)]
    return other


def table_judges(rng: np.random.Generator) -> list[Row]:
    "A second judge, and other queries: the order of ten systems, and what is left of their differences"
    shares = (0.1, 0.3, 0.5, 0.7)
    found: dict[Any, list[Any]] = {share: [] for share in shares}
    found["queries"] = []
    for _ in range(200):
        who = systems(rng)
        grades = grades_of(rng, 2 * QUERIES)
        scores = scores_of(rng, who, grades)
        order = np.argsort(-scores, axis=-1)[..., :20]
        pool = np.zeros(grades.shape, bool)
        for system in order:
            np.put_along_axis(pool, system, True, axis=1)
        grades = np.where(pool, grades, 0)
        both = by_query(ndcg, shown(grades, scores), 10, empty=0.0)
        before = both[:, :QUERIES].mean(axis=1)
        found["queries"].append([tau(before, both[:, QUERIES:].mean(axis=1))])
        first = grades[:QUERIES]
        for share in shares:
            other = second_judge(rng, first, pool[:QUERIES], share)
            after = by_query(ndcg, shown(other, scores[:, :QUERIES]), 10, empty=0.0).mean(axis=1)
            left = np.polyfit(before, after, 1)[0]
            agree = kappa(first[pool[:QUERIES]], other[pool[:QUERIES]])
            found[share].append([agree, tau(before, after), left])
    rows = []
    for share in shares:
        cells = zip(("kappa", "tau", "left"), np.transpose(found[share]))
        rows.append({"share": share} | {name: mean_of(x)[0] for name, x in cells})
    other_queries = mean_of(np.ravel(found["queries"]))
    rows.append({"share": "50 other queries", "tau": other_queries[0], "half of tau": other_queries[1]})
    return rows


def table_depth(rng: np.random.Generator) -> list[Row]:
    "Cutoffs: pairs with p < 0.05 on 50 queries, and pairs in another order than on 1,000 other queries"
    cutoffs = [1, 3, 5, 10, 20, 50, 100]
    significant = []
    wrong = []
    for _ in range(120):
        who = systems(rng)
        grades = grades_of(rng, QUERIES + 1000)
        lists = shown(grades, scores_of(rng, who, grades))
        values = by_cutoff(lists, cutoffs)
        significant.append([(p_of(differences(x[:, :QUERIES])) < 0.05).mean() for x in values])
        few = [differences(x[:, :QUERIES]).mean(axis=1) for x in values]
        many = [differences(x[:, QUERIES:]).mean(axis=1) for x in values]
        wrong.append([(a * b < 0).mean() for a, b in zip(few, many)])
    rows = []
    for k, found, missed in zip(cutoffs, np.transpose(significant), np.transpose(wrong)):
        rows.append({"k": k, "significant": mean_of(found)[0], "half": mean_of(found)[1], "wrong": mean_of(missed)[0]})
        rows[-1]["half of wrong"] = mean_of(missed)[1]
    return rows


def by_cutoff(lists: np.ndarray, cutoffs: list[int]) -> np.ndarray:
    "nDCG at several cutoffs, cutoffs × systems × queries"
    flat = np.asarray(ndcg(lists.reshape(-1, lists.shape[-1]), cutoffs))
    return flat.T.reshape(len(cutoffs), *lists.shape[:-1])
