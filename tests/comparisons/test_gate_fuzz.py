"""The rule of the page *In continuous integration*, written a second time: made-up and degenerate comparisons end with
the exit code that it gives, in Python and in the shell. GATES=10000 tries that many of each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from shared.references import Weighted, share_of_signs, weighted

from ndcg_nb import compare
from ndcg_nb.hood.reports.cli import main

EXAMPLES = int(os.environ.get("GATES", 150))


class Gate(NamedTuple):
    "What a gate is asked"

    test: str = "t"
    alpha: float = 0.05
    margin: float | None = None
    when: str = "worse"
    by: float = 0.0


class Unclear(Exception):
    "So near to a limit that rounding decides"


# ------------------------------------------------------------------------------------------------------- the rule
def rule(old: np.ndarray, new: np.ndarray, w: np.ndarray, says_nothing: bool, gate: Gate) -> int:
    "0 passed, 1 failed, 2 no answer; the numbers are those of the points on the page"
    one_only = np.isnan(old) != np.isnan(new)
    if says_nothing or one_only.any() or (gate.by and gate.margin):  # 1, 2
        return 2
    there = ~np.isnan(old)
    d = differences(old[there], new[there])
    w = w[there]
    n = int(there.sum())
    effective = n if np.ptp(w) == 0 else w.sum() ** 2 / (w**2).sum()
    signs_alone = gate.test != "t" or (np.ptp(d) == 0 and d.any())  # 5
    if effective < 5 or (signs_alone and 2 / 2**n > gate.alpha):  # 3, 4
        return 2
    p, favours = TESTS[gate.test](d, w)
    x = spread_of(d, w)
    word = "undecided"  # 8
    if clear(p, gate.alpha) and favours:  # 6
        word = "better" if favours > 0 else "worse"
    if gate.margin:  # 7
        not_worse = above(x, -gate.margin, n)
        not_better = above(x._replace(mean=-x.mean), -gate.margin, n)
        word = "equivalent" if clear(max(not_worse, not_better), gate.alpha) else word
    low, high = x.ends(gate.alpha)  # 10
    is_worse = word == "worse" and (not gate.by or clear(high, -gate.by))
    is_better = word == "better" and (not gate.by or clear(-low, -gate.by))
    return int(is_worse if gate.when == "worse" else not is_better)  # 9


def clear(x: float, limit: float) -> bool:
    "Whether a number is at most so large"
    if abs(x - limit) < 1e-9:
        raise Unclear
    return x < limit


# ------------------------------------------------------------------------------------- statistics, by other means
def differences(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    "As numbers of twelve digits, so that what should be equal is"
    return np.round(new - old, 12)


def spread_of(d: np.ndarray, w: np.ndarray) -> Weighted:
    found = weighted(d, w)
    return found._replace(error=0.0) if np.ptp(d) == 0 else found


def above(x: Weighted, bound: float, n: int) -> float:
    "The one-sided p of a mean at most so large"
    if x.error == 0:
        return float(x.mean != 0) / 2**n if x.mean > bound else 1.0
    return float(stats.t.sf((x.mean - bound) / x.error, x.freedom))


def by_t(d: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    x = spread_of(d, w)
    side = np.sign(x.mean)
    if x.error == 0:
        return (2 / 2 ** len(d) if x.mean else 1.0), side
    return 2 * float(stats.t.sf(abs(x.mean) / x.error, x.freedom)), side


def by_signs(d: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    row = (d * w)[d != 0]
    return share_of_signs(row), np.sign(row.sum().round(9))


def by_ranks(d: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    row = d[d != 0]
    ranks = np.sign(row) * stats.rankdata(np.abs(row))
    return by_signs(ranks, np.ones(len(ranks))) if len(ranks) else (1.0, 0.0)


def by_count(d: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    wins = int((d > 0).sum())
    losses = int((d < 0).sum())
    p = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    return float(p), np.sign(wins - losses)


TESTS = {"t": by_t, "randomization": by_signs, "sign": by_count, "wilcoxon": by_ranks}


# ---------------------------------------------------------------------------------------------------- comparisons
def asked(rng: np.random.Generator, is_weighted: bool) -> Gate:
    shares = [0.8, 0.2, 0, 0] if is_weighted else [0.7, 0.1, 0.1, 0.1]
    test = str(rng.choice([*TESTS], p=shares))
    margin, by = [(None, 0.0), (None, 0.01), (None, 0.2), (0.02, 0.0), (0.2, 0.0), (0.02, 0.01)][rng.integers(6)]
    return Gate(test, float(rng.choice([0.05, 0.01, 0.3])), margin, str(rng.choice(["worse", "not better"])), by)


def ranks_of(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    "Where the one relevant document of each query is in two runs; 0: nowhere. From all alike to none alike"
    old = rng.integers(1, 6, n) if rng.random() < 0.7 else np.full(n, rng.integers(1, 4))
    kind = rng.integers(6)
    if kind == 0:
        return old, old
    if kind == 1:  # the same everywhere
        return np.full(n, old[0]), np.full(n, rng.integers(0, 6))
    new = np.where(rng.random(n) < rng.random(), rng.integers(0, 7, n), old)
    if kind == 2:  # mostly down
        new = np.where(rng.random(n) < 0.9, old + 1, new)
    if kind == 3:  # all but one alike
        new = old.copy()
        new[0] = 0
    return old, new


def weights_for(rng: np.random.Generator, n: int) -> np.ndarray | None:
    power = rng.choice([0, 0.5, 0.7, 1, 1, 1.5, 50])
    return None if power == 0 else 1 / np.arange(1.0, n + 1) ** power


def value_at(rank: np.ndarray) -> np.ndarray:
    return np.where(rank > 0, 1 / np.log2(np.maximum(rank, 1) + 1), 0.0)


def size(rng: np.random.Generator, test: str) -> int:
    return int(rng.integers(2, 13 if test != "t" else 60))


@pytest.mark.parametrize("part", range(5))
def test_gates_in_python(part: int) -> None:
    "Values given: some of them nan, some apart by rounding alone, some far apart"
    codes = dict.fromkeys((0, 1, 2), 0)
    for seed in range(part, EXAMPLES * 8, 5):
        rng = np.random.default_rng([seed, 1])
        is_weighted = bool(rng.random() < 0.5)
        gate = asked(rng, is_weighted)
        n = size(rng, gate.test)
        old, new = map(value_at, ranks_of(rng, n))
        if rng.random() < 0.5:
            new = old + rng.normal(rng.choice([0, -0.05, -0.3]), rng.choice([0.001, 0.05, 0.5]), n)
        w = weights_for(rng, n) if is_weighted else None
        if rng.random() < 0.5:  # near the level
            x = weighted(new - old, np.ones(n) if w is None else w)
            new = new - x.mean - rng.uniform(1.5, 3.5) * x.error
        if rng.random() < 0.2:  # rounding
            old = old + 0.1 + 0.2 - 0.3
        for values, gone in ((old, rng.random(n)), (new, rng.random(n))):
            values[gone < rng.choice([0, 0, 0, 0, 0, 0.05])] = np.nan
        try:
            expected = rule(old, new, np.ones(n) if w is None else w, False, gate)
        except Unclear:
            continue
        given = None if w is None else {str(i + 1): x for i, x in enumerate(w)}
        try:
            c = compare({"old": old, "new": new}, test=gate.test, alpha=gate.alpha, margin=gate.margin, weights=given)
            code = int(bool(c.fails_if(gate.when, gate.by)))
        except ValueError as error:
            assert "the gate has no answer: " in str(error) or "a value for every system" in str(error) or gate.by
            code = 2
        assert code == expected, (seed, gate, old, new, w)
        codes[code] += 1
    assert min(codes.values()) > EXAMPLES / 50, codes


@pytest.mark.parametrize("part", range(5))
def test_gates_in_the_shell(part: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    "Files: queries that a run lacks, rules of tools, weights"
    codes = dict.fromkeys((0, 1, 2), 0)
    for seed in range(part, EXAMPLES, 5):
        rng = np.random.default_rng([seed, 2])
        w = None
        is_weighted = bool(rng.random() < 0.3)
        gate = asked(rng, is_weighted)
        n = size(rng, gate.test)
        old, new = ranks_of(rng, n)
        lost = [rng.random(n) < rng.choice([0, 0, 0, 0.1]) for _ in range(2)]
        if rng.random() < 0.3:
            lost[1] = lost[0]
        for rows in (old, new):
            rows[0] = max(rows[0], 1)  # so that some result is judged
        lost[0][0] = lost[1][0] = False
        is_silent = bool(rng.random() < 0.05)  # the new run has results for other queries only
        if is_silent:
            lost[1][:] = True
        measure = "idcg@10" if rng.random() < 0.05 else "ndcg@10"
        like = [None, None, "trec_eval", "sklearn", "lightgbm"][rng.integers(5)]
        missing = [None, "skip", "zero"][rng.integers(3)]
        skips = missing == "skip" or (missing is None and like is not None)  # as these tools do
        values = [value_at(rank) for rank in (old, new)]
        for row, gone in zip(values, lost):
            row[gone] = np.nan if skips else 0.0
        qrels = "".join(f"q{i} 0 d 1\nq{i} 0 e 0\n" for i in range(n))
        names = ["qrels.txt", "old.run", "new.run"]
        (tmp_path / names[0]).write_text(qrels)
        for name, rank, gone in zip(names[1:], (old, new), lost):
            lines = []
            for i in np.flatnonzero(~gone):
                documents = [*"abcghij"[: rank[i] - 1], "d"] if rank[i] else "abce"
                lines += [f"q{i} Q0 {x} {k} {9 - k} t" for k, x in enumerate(documents, 1)]
            (tmp_path / name).write_text("\n".join(lines or ["other Q0 d 1 1 t"]) + "\n")
        words = ["compare", *(str(tmp_path / name) for name in names), "--quiet", "--fail-if", gate.when]
        words += ["--measure", measure, "--unjudged", "zero"]
        words += ["--test", gate.test, "--alpha", str(gate.alpha)]
        for option, value in {"margin": gate.margin, "by-more-than": gate.by, "like": like, "missing": missing}.items():
            words += [f"--{option}", str(value)] if value else []
        if is_weighted and (w := weights_for(rng, n)) is not None:
            (tmp_path / "weights.tsv").write_text("".join(f"q{i}\t{x!r}\n" for i, x in enumerate(w.tolist())))
            words += ["--weights", str(tmp_path / "weights.tsv")]
        try:
            says_nothing = like == "lightgbm" or is_silent or measure == "idcg@10"
            expected = rule(*values, np.ones(n) if w is None else w, says_nothing, gate)
        except Unclear:
            continue
        code = main(words)
        said = capsys.readouterr().err
        assert code == expected, (said, seed, gate, like, missing, *values, w)
        codes[code] += 1
        if code == 1:
            assert said.startswith(f"ndcg: failed: new.run is {gate.when} than old.run"), said
        elif code == 2:
            assert said.startswith("ndcg: error: "), said
    assert min(codes.values()) > EXAMPLES / 100, codes


def test_a_stricter_gate_fails_less() -> None:
    "Whatever the interval, a gate with a number never fails where the same gate without it passes, and the other way"
    rng = np.random.default_rng(3)
    for _ in range(EXAMPLES):
        n = int(rng.integers(6, 40))
        old = rng.random(n)
        new = old + rng.normal(rng.choice([0, -0.05, 0.05]), 0.1, n)
        test = str(rng.choice([*TESTS]))
        interval = str(rng.choice(["t", "percentile", "bca"]))
        c = compare({"old": old, "new": new}, test=test, interval=interval, draws=99)
        by = float(rng.choice([1e-9, 0.01, 0.05]))
        assert bool(c.fails_if("worse", by)) <= bool(c.fails_if("worse"))
        assert bool(c.fails_if("not better", by)) >= bool(c.fails_if("not better"))
        assert bool(c.fails_if("worse")) == (c.verdict == "worse")
        assert bool(c.fails_if("not better")) == (c.verdict != "better")


# ------------------------------------------------------------------------------------------------ unjudged results
def stands(zero: np.ndarray, gain: np.ndarray, judged: np.ndarray, ideal: np.ndarray) -> bool:
    "The rule of the chapter, for runs × queries × ranks: unjudged results are worth what judged ones are at their rank"
    k = gain.shape[2]
    weight = 1 / np.log2(np.arange(2, k + 2))
    number = judged.sum(axis=(0, 1))
    total = (gain * judged).sum(axis=(0, 1))
    worth = (total + 5 * total.sum() / max(1, number.sum())) / (number + 5)
    more = (~judged * worth) @ weight / ideal
    d = zero + more[1] - more[0]
    margin = d.mean() * np.sign(zero.mean()) - d.std(ddof=1) / len(d) ** 0.5
    if abs(margin) < 1e-9:
        raise Unclear
    return bool(margin > 0)


def test_gates_where_some_results_are_unjudged() -> None:
    "Some of what either run returned is judged: 0 passed, 1 failed, 2 no answer"
    codes = dict.fromkeys((0, 1, 2), 0)
    for seed in range(EXAMPLES):
        rng = np.random.default_rng([seed, 5])
        n, k = int(rng.integers(5, 60)), int(rng.integers(2, 8))
        grades = (rng.random((n, 20)) < 0.4) * rng.integers(1, 4, (n, 20))
        attention = rng.uniform(0.3, 1.2, 2)
        runs = [np.argsort(-(a * grades + rng.normal(size=grades.shape)), axis=1)[:, :k] for a in attention]
        shares = rng.choice([0, 0.3, 0.8, 1], 2)
        is_known = rng.random(grades.shape) < 0.1
        for run, share in zip(runs, shares):
            chosen = rng.random(run.shape) < share
            np.put_along_axis(is_known, run, np.take_along_axis(is_known, run, axis=1) | chosen, axis=1)
        is_known[:, 0] = True
        qrels = {f"q{i}": {f"d{j}": int(grades[i, j]) for j in np.flatnonzero(row)} for i, row in enumerate(is_known)}
        named = [{f"q{i}": [f"d{j}" for j in row] for i, row in enumerate(run)} for run in runs]
        known_gains = np.where(is_known, grades, 0)
        counts = known_gains.any(axis=1)
        best = -np.sort(-known_gains[counts], axis=1)[:, :k]
        weight = 1 / np.log2(np.arange(2, k + 2))
        ideal = best @ weight
        gain = np.stack([np.take_along_axis(known_gains, run, axis=1)[counts] for run in runs])
        judged = np.stack([np.take_along_axis(is_known, run, axis=1)[counts] for run in runs])
        values = gain @ weight / ideal
        when = str(rng.choice(["worse", "not better"]))
        try:
            expected = rule(*values, np.ones(len(ideal)), False, Gate(when=when))
            p, favours = by_t(differences(*values), np.ones(len(ideal)))
            has_verdict = len(ideal) >= 5 and clear(p, 0.05) and favours
            if has_verdict and not judged.all() and not stands(values[1] - values[0], gain, judged, ideal):
                expected = 2
        except Unclear:
            continue
        try:
            code = int(bool(compare(qrels, dict(zip(("old", "new"), named)), f"ndcg@{k}").fails_if(when)))
        except ValueError as error:
            assert "the gate has no answer: " in str(error) or "a value for every system" in str(error), error
            code = 2
        assert code == expected, (seed, when, shares)
        codes[code] += 1
    assert min(codes.values()) > EXAMPLES / 20, codes
