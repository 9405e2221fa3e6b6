"""Judged by a model: how often the interval of a corrected mean holds the truth, and what exact expectations take.

And what to judge next, of runs in files.

Beside people alone, the model alone, and the same estimator with z, n and no leverage."""

from __future__ import annotations

import warnings
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from harness import FOLDER, Took, line, ndcg_nb, race

from ndcg_nb.doubtful import expected_ndcg
from ndcg_nb.hood.judging.raters import Corrected, corrected
from ndcg_nb.normalized import ndcg

POPULATION, QUERIES, SAMPLES = 20_000, 1_000, 4_000
JUDGES = {"good": (0.28, 0.10, 0.15), "fair": (0.62, 0.25, 0.30), "poor": (1.35, 0.60, 0.45)}  # noise, query, mean
SHARES = np.array([0.45, 0.28, 0.18, 0.09])  # of grades 0 to 3 in a pool


def population(judge: str, queries: int = POPULATION, pool: int = 40, seed: int = 20260101) -> np.ndarray:
    "nDCG@10 of one system by a judge and by people, 2 × queries: latent relevance, seen with noise by system and judge"
    rng = np.random.default_rng(seed)
    noise, by_query, mean = JUDGES[judge]
    latent = rng.normal(size=(queries, pool))
    cuts = np.quantile(latent, SHARES.cumsum()[:-1])
    score = latent + rng.normal(0, 0.7, latent.shape)
    shifted = latent + rng.normal(0, noise, latent.shape) + rng.normal(mean, by_query, (queries, 1))
    return np.stack([ndcg(np.searchsorted(cuts, x), 10, scores=score, empty=0.0) for x in (shifted, latent)])


def by_z(f: np.ndarray, y: np.ndarray, every: np.ndarray) -> tuple[float, float]:
    "The estimator as libraries have it: z for t, n for n - 1, no leverage"
    n, total = len(y), len(every)
    slope = np.cov(f, y, ddof=0)[0, 1] / f.var()
    mean = y.mean() + slope * (every.mean() - f.mean())
    half = 1.959964 * sqrt((y - slope * f).var() * (1 / n - 1 / total))
    return mean - half, mean + half


def covered(judge: str, n: int) -> dict[str, float]:
    "How often each interval holds the mean of people over these queries, and how wide ours is beside people alone"
    model, people = population(judge)
    rng, held, width = np.random.default_rng(n), dict.fromkeys(("ours", "people alone", "z", "width"), 0.0), []
    for _ in range(SAMPLES):
        drawn = rng.integers(0, len(model), QUERIES)
        f, y = model[drawn], people[drawn]
        found: Corrected = corrected(f, np.where(np.arange(QUERIES) < n, y, np.nan), 0.95, "queries")
        ends = {"ours": found.interval, "people alone": found.people[1:], "z": by_z(f[:n], y[:n], f)}
        for name, (low, high) in ends.items():
            held[name] += (low <= y.mean() <= high) / SAMPLES
        width.append((found.high - found.low) / (found.people.high - found.people.low))
    return held | {"width": float(np.mean(width))}


# ---------------------------------------------------------------------------------------------------- the works
def work_coverage() -> None:
    "How often the 95 % interval holds the truth; ours must, between 93 and 96 times in a hundred"
    warnings.simplefilter("ignore")
    print(f"{'judge':8} {'people judge':>12} {'ours':>8} {'people alone':>13} {'z':>8} {'width':>8}")
    for judge in JUDGES:
        for n in (10, 25, 50, 100):
            found = covered(judge, n)
            cells = f"{found['ours']:8.1%} {found['people alone']:13.1%} {found['z']:8.1%} {found['width']:8.2f}"
            print(f"{judge:8} {n:12} {cells}", flush=True)
            if not 0.93 <= found["ours"] <= 0.96:
                raise SystemExit(f"{judge}, {n} queries: {found['ours']:.1%} is not 95 %")


def work_expected() -> None:
    "The exact mean of nDCG over all gradings"
    rng: Any = np.random.default_rng(0)
    for documents, k, levels in (
        (100, 10, 3),
        (1000, 10, 3),
        (1000, 10, 4),
        (1000, 20, 3),
        (1000, 100, 1),
        (200, 50, 3),
    ):
        rows = rng.dirichlet(np.ones(levels + 1), documents)
        took = race(None, partial(expected_ndcg, rows, k, grades=range(levels + 1)), rounds=3)
        line(
            f"{documents:,} documents, k = {k}, {levels + 1} grades",
            "",
            Took(None, took.ours, took.before),
            "0.1 s" * (k == 10),
        )


def work_next() -> None:
    "What to judge next, files read: a list of fifty, and the intervals after one more grade"
    for runs in (2, 10):
        qrels, paths = similar_runs(runs)
        todo = ndcg_nb.judge_next(qrels, paths)
        first = {todo.table["query"][0]: {todo.table["document"][0]: 1}}
        work = f"{runs} runs of 1,000 queries and 100 results"
        line(work, "", race(None, lambda: ndcg_nb.judge_next(qrels, paths).table))  # noqa: B023
        line("one more grade", "", race(None, lambda: todo.add(first).bounds))  # noqa: B023


def similar_runs(runs: int, queries: int = 1000, depth: int = 100) -> tuple[str, list[str]]:
    "Files of runs of similar systems, and of judgements of half of what is good, written once"
    folder = FOLDER / f"similar-{runs}"
    qrels = folder / "qrels.txt"
    paths = [str(folder / f"{run}.run") for run in range(runs)]
    if qrels.exists():
        return str(qrels), paths
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    quality = rng.normal(size=(queries, 300))
    for path in paths:
        scores = quality + 0.6 * rng.normal(size=quality.shape)
        order = np.argsort(-scores, axis=1)[:, :depth]
        lines = [f"q{q} Q0 d{q}_{d} {r} {depth - r} x" for (q, r), d in np.ndenumerate(order)]
        Path(path).write_text("\n".join(lines) + "\n")
    best = np.argsort(-quality, axis=1)[:, :60]
    grades = rng.integers(0, 4, best.shape)
    kept = np.argwhere(rng.random(best.shape) < 0.5)
    lines = [f"q{q} 0 d{q}_{best[q, i]} {grades[q, i]}" for q, i in kept.tolist()]
    qrels.write_text("\n".join(lines) + "\n")
    return str(qrels), paths
