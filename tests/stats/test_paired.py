"""One row of paired differences: published values, SciPy and statsmodels as oracles, and identities that must hold."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shared.references import close, share_of_signs

from ndcg_nb.comparisons import compare
from ndcg_nb.hood.stats import paired as hood
from ndcg_nb.hood.stats.intervals import (
    INTERVALS,
    bootstrap_means,
    bootstrap_t_interval,
)
from ndcg_nb.hood.stats.paired import (
    TESTS,
    alarm_side,
    beyond,
    effect,
    hedges,
    power_of,
    randomize,
    solve_queries,
    spread,
    statistics_of,
    student,
    subtract,
    wilcoxon,
)
from ndcg_nb.power import detectable, queries_needed

stats = pytest.importorskip("scipy.stats")

# Student (1908): hours of sleep gained by ten patients with each of two drugs
SLEEP = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
# Darwin's maize, as Fisher (1935) has it: crossed less self-fertilised, in eighths of an inch
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
# Croft, Metzler and Strohman (2010), ten queries
CROFT = [25, 43, 39, 75, 43, 15, 20, 52, 49, 50], [35, 84, 15, 75, 68, 85, 80, 50, 58, 75]


def both(pair: Any, **how: Any) -> Any:
    return compare(dict(zip("AB", pair)), **how)


def row(*numbers: float) -> np.ndarray:
    return np.array([numbers], float)


def p_of(test: str, d: Any, draws: int = 999, seed: int = 0) -> float:
    return float(TESTS[test].p(np.array([d], float), draws=draws, seed=seed)[0])


# ------------------------------------------------------------------------------------------------ published values
def test_students_sleep() -> None:
    c = both(SLEEP)
    t = c.pairs["effect"].item() * math.sqrt(10)
    close(c.difference, 1.58)
    assert np.round([c.low, c.high], 7).tolist() == [0.7001142, 2.4598858]
    assert np.round([c.p, t], 6).tolist() == [0.002833, 4.062128]
    exact = both(SLEEP, test="randomization")
    assert exact.p == 4 / 2**9 / 2  # 4 of 1024; the tie halves the ways, and the hits
    assert c.pairs[["wins", "ties", "losses"]].iloc[0].tolist() == [9, 1, 0]


def test_darwins_maize() -> None:
    c = both(([0] * 15, MAIZE))
    assert round(c.p, 6) == 0.049703
    assert round(c.pairs["effect"][0] * math.sqrt(15), 6) == 2.147987
    exact = both(([0] * 15, MAIZE), test="randomization")
    assert exact.p == 2 * 863 / 2**15  # Fisher's 863: 835 larger, 28 equal
    assert round(exact.p, 12) == 0.052673339844
    assert [c.verdict, exact.verdict] == ["better", "undecided"]


def test_croft_and_others() -> None:
    c = both(CROFT)
    assert round(c.pairs["effect"][0] * math.sqrt(10), 6) == 2.326881
    assert round(c.p / 2, 6) == 0.022488  # theirs is one-sided, ours is not
    exact = both(CROFT, test="randomization")
    assert exact.p == 2 * 48 / 2**10 / 2  # their 48 of 1024 are two-sided already
    ours = both(CROFT, test="sign")
    assert ours.pairs[["wins", "ties", "losses"]].iloc[0].tolist() == [7, 1, 2]
    assert ours.p == stats.binomtest(7, 9).pvalue == 0.1796875  # the tie is left out
    assert stats.binomtest(7, 10, alternative="greater").pvalue == 0.171875  # theirs: a try, and one-sided


def test_power() -> None:
    for size, real in [(0.2, 198.1508), (0.5, 33.3671), (0.8, 14.3028)]:
        queries = queries_needed(size, 1)
        assert queries == math.ceil(real)
        assert round(solve_queries(size, 0.8, 0.05), 4) == real
        assert power_of(queries - 1, size, 0.05) < 0.8
        assert power_of(queries, size, 0.05) >= 0.8
    assert round(detectable(50, 0.12), 4) == 0.0485
    # statsmodels' search stops at .404182999738, which has a power of .79999999…; this was checked with 30 digits
    close(detectable(50, 1), 0.404183002136, 1e-12)
    for least, variance, topics in [(0.05, 0.05, 159), (0.10, 0.05, 42), (0.10, 0.10, 81), (0.05, 0.02, 65)]:
        assert queries_needed(least, math.sqrt(variance)) == topics


def test_planning_at_the_edges() -> None:
    quantiles = stats.norm.ppf([0.975, 0.8])
    close(queries_needed(1e-12, 1) / quantiles.sum() ** 2, 1e24, 1e-5)
    assert queries_needed(100, 1) == 2
    rng = np.random.default_rng(0)  # where statsmodels gives up, counted
    d = rng.normal(2.5, 1, (40_000, 8))
    found = (student(d) <= 0.001).mean()
    error = math.sqrt(found * (1 - found) / 40_000)
    assert abs(found - power_of(8, 2.5, 0.001)) < 4 * error


def test_a_pilot() -> None:
    c = both(SLEEP)
    sd = float(spread(c.differences()))
    assert queries_needed(1, c) == queries_needed(1, sd) == queries_needed(-1, sd)
    assert detectable(10, c) == detectable(10, sd)
    for without_spread in ([2, 3, 4], [1, 2, 3]):
        pilot = both(([1, 2, 3], without_spread))
        for ask in (queries_needed, detectable):
            with pytest.raises(ValueError, match=r"spread is 0\.0"):
                ask(9, pilot)


# ------------------------------------------------------------------------------------------------ single cases
def test_bootstrap_t_of_few_values() -> None:
    "A draw without spread has an infinite t: it is no reason for a short interval"
    low, high = bootstrap_t_interval(row(0.1, 0.4), 0.05, 999, 0)
    assert low[0] == -math.inf
    assert high[0] == math.inf
    mostly = row(*[0.0] * 19, 1.0)  # in a third of all draws the one that differs is not there
    low, high = bootstrap_t_interval(mostly, 0.05, 999, 0)
    assert high[0] == math.inf
    assert -math.inf < low[0] < 0.05
    both_often = row(0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0)  # ties, and enough of both
    low, high = bootstrap_t_interval(both_often, 0.05, 999, 0)
    assert 0 < low[0] < 0.5 < high[0] < 1
    c = both(([0] * 20, mostly[0]), interval="bootstrap-t")
    notes = "\n".join(c.notes)
    assert "an end is infinite: prefer interval='t'" in notes
    assert "too narrow" not in notes
    assert '"high": null' in c.to_json()
    assert "inf" in repr(c)


def test_hedges_makes_it_right_on_average() -> None:
    rng = np.random.default_rng(0)
    n = 8
    true = 0.5
    sizes = effect(statistics_of(rng.normal(true, 1, (200_000, n))))
    error = sizes.std() / math.sqrt(len(sizes))
    assert abs((sizes * hedges(n)).mean() - true) < 4 * error
    assert sizes.mean() - true > 20 * error  # uncorrected, it is too large
    assert math.isnan(hedges(2))


# ------------------------------------------------------------------------------------------------ properties
VALUE = st.integers(0, 1000).map(lambda i: i / 1000)
Rows = list[tuple[float, float]]
ROWS = st.lists(st.tuples(VALUE, VALUE), min_size=2, max_size=12)
# The tests whose p does not depend on draws: with so few queries a test that draws tries all ways, or it has to say
# that it never does (`tries_all`) and meets `test_a_drawn_test_keeps_its_seed` alone.
CERTAIN = [name for name, row in TESTS.items() if not row.is_drawn or all(row.tries_all(np.ones((1, 12)), 99))]
ANY = st.sampled_from(CERTAIN)
ENDS = st.sampled_from(list(INTERVALS))


FACTS = ["difference", "low", "high", "effect", "hedges", "p", "wins", "ties", "losses"]


def facts(c: Any) -> np.ndarray:
    return c.pairs[FACTS].to_numpy(float)[0]


SIDES = np.array([-1, -1, -1, -1, -1, 1, 1, 1, 1])
UNITS = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0])  # of the facts, those in the units of the values


@pytest.mark.parametrize(
    "change, back, sizes, off",
    [
        (lambda x, by: x[::-1], lambda facts, by: (facts * SIDES)[[0, 2, 1, 3, 4, 5, 8, 7, 6]], [1], 1e-12),
        (lambda x, by: x * by, lambda facts, by: facts / by**UNITS, [0.001, 0.37, 3.3, 1e6], 1e-12),
        (lambda x, by: x + by, lambda facts, by: facts, [-0.5, 0.1, 0.7, 3.3], 1e-11),
    ],
    ids=["exchanged", "scaled", "moved"],
)
@given(rows=ROWS, test=ANY, interval=ENDS, size=st.integers(0, 3))
def test_what_a_change_of_values_does(
    change: Any, back: Any, sizes: list[float], off: float, rows: Rows, test: str, interval: str, size: int
) -> None:
    by = sizes[size % len(sizes)]
    pair = np.array(rows).T
    how: Any = {"test": test, "interval": interval, "draws": 199}
    after = facts(both(change(pair, by), **how))
    close(back(after, by), facts(both(pair, **how)), off)


@given(ROWS, ANY, st.randoms(use_true_random=False))
def test_the_order_of_queries(rows: Rows, test: str, random: Any) -> None:
    shuffled = rows[:]
    random.shuffle(shuffled)
    first, other = (both(np.array(x).T, test=test) for x in (rows, shuffled))
    close(facts(other), facts(first))


@given(ROWS, ANY)
def test_wins_ties_losses(rows: Rows, test: str) -> None:
    c = both(np.array(rows).T, test=test)
    wins, ties, losses = c.pairs[["wins", "ties", "losses"]].iloc[0]
    assert wins + ties + losses == len(rows)
    assert wins == sum(b > a for a, b in rows)
    assert ties == sum(b == a for a, b in rows)


@given(ROWS, st.sampled_from([0.01, 0.05, 0.3]))
def test_the_interval_holds_0_where_the_test_is_not_sure(rows: Rows, alpha: float) -> None:
    c = both(np.array(rows).T, alpha=alpha)
    assume(c.low < c.high)
    assume(abs(c.p - alpha) > 1e-9)
    assert (c.low <= 0 <= c.high) == (c.p > alpha)


@given(st.integers(17, 80), st.integers(0, 9), st.sampled_from([99, 1000]))
def test_drawn_signs(n: int, seed: int, draws: int) -> None:
    d = np.random.default_rng(n).normal(1, 0.1, (1, n))  # so far from 0 that no draw comes near
    assert randomize(d, draws, seed)[0] == 1 / (draws + 1)
    near = np.random.default_rng(n).normal(0, 1, (3, n))
    first = randomize(near, draws, seed)
    np.testing.assert_array_equal(first, randomize(near, draws, seed))
    assert (first > 0).all()
    assert (first <= 1).all()


@given(ROWS)
def test_what_is_asked_of_many_rows_is_asked_of_each(rows: Rows) -> None:
    a, b = np.array(rows).T
    d = np.array([subtract(b, a), subtract(a, b), subtract(a, a)])
    for test in CERTAIN:
        p = TESTS[test].p(d, draws=99, seed=0)
        close(p, [p_of(test, x, 99) for x in d])
        assert p[2] == 1, test
    for interval in INTERVALS.values():
        low, high = interval.ends(d, 0.1, 99, 0)
        alone = [interval.ends(x[None], 0.1, 99, 0) for x in d]
        close(np.transpose([low, high])[:, :, None], alone)


@pytest.mark.parametrize("test", [name for name, row in TESTS.items() if row.is_drawn])
def test_a_drawn_test_keeps_its_seed(test: str) -> None:
    "What every test that draws must meet: its seed decides, more draws agree with fewer, and the note names both"
    d = np.random.default_rng(5).normal(0.05, 0.2, 40)
    assert not TESTS[test].tries_all(d[None], 999)[0]
    p = p_of(test, d, 999, 1)
    assert p == p_of(test, d, 999, 1)
    assert 0 < TESTS[test].least(40, 999) <= p <= 1
    error = math.sqrt(p * (1 - p) / 999)
    assert abs(p_of(test, d, 20_000, 2) - p) < 5 * error
    assert "999 drawn with seed 7" in compare({"a": 0 * d, "b": d}, test=test, draws=999, seed=7).notes[1]


@pytest.mark.parametrize(
    "p, error, words",
    [
        (lambda d, draws, seed: np.ones(len(d)), TypeError, "does not take draws, seed, off, weights by name"),
        (lambda d, **_: 0.5, TypeError, "returned 0.5: return an array"),
        (lambda d, **_: np.full(len(d), 1.7), ValueError, "returned 1.7: a p is from 0 to 1"),
        (lambda d, **_: [-0.1] * len(d), ValueError, "returned -0.1: a p is from 0 to 1"),
    ],
)
def test_a_wrong_row_is_named(p: Any, error: Any, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TESTS, "mine", hood.Test(p, "a test"))
    with pytest.raises(error, match=f"test 'mine' {words}"):
        _ = both(([0.1, 0.2, 0.3], [0.3, 0.1, 0.2]), test="mine").p


# ------------------------------------------------------------------------------------------------ skewness
@pytest.mark.parametrize("skew, n", [*product((0.5, 1, 3), (5, 20, 300))])
def test_when_skewness_matters(skew: float, n: int) -> None:
    "Edgeworth's 0.085 |skew| / √n against 0.01, and no less than chance gives to normal differences"
    high = (math.sqrt(skew**2 + 4) + skew) / 2  # of a variable with two values, mean 0, variance 1, this skewness
    few = round(n / (1 + high**2))
    d = np.repeat([high, -1 / high], [few, n - few])[None]
    found = float(stats.skew(d[0])) if few else 0.0
    freedom = (n - 2) * (n + 1) * (n + 3)
    by_chance = math.sqrt(6 * n * (n - 1) / freedom)
    matters = 0.08457 * abs(found) / math.sqrt(n) > 0.01 and abs(found) > by_chance
    assert alarm_side(d, 0.05) == -matters
    assert alarm_side(-d, 0.05) == matters


def test_the_side_of_false_alarms() -> None:
    "Exponential differences with mean 0: nearly all false alarms say worse, and the other way round"
    x = np.random.default_rng(0).exponential(1, (4000, 20)) - 1
    alarm = student(x) <= 0.05
    side = alarm_side(x, 0.05)
    assert (x.mean(axis=1)[alarm] < 0).mean() > 0.9
    assert (side == -1).mean() > 0.9
    assert (side == 1).mean() < 0.02


# ------------------------------------------------------------------------------------------------ corners
def test_rounding_is_no_difference() -> None:
    a = np.array([0.1 + 0.2, 0.3, 1 / 3])
    assert not subtract(a, np.array([0.3, 0.1 + 0.2, 1 / 3])).any()
    assert subtract(np.array([1e-9]), np.array([0.0])) == 1e-9


SMALL_WINS = np.array([3, -1, 2, 4, -2, 5, 1, 6])
BASE = np.arange(1, 9) / 10


@pytest.mark.parametrize("test", CERTAIN)
def test_what_another_system_has_hides_no_difference(test: str) -> None:
    values = {"a": BASE, "b": BASE + SMALL_WINS * 1e-7, "c": [1e6] + [0.5] * 7}
    found = compare(values, test=test, adjust=None).pairs.iloc[0]
    close(found["difference"], 2.25e-7, 1e-15)
    close(found["p"], p_of(test, SMALL_WINS), 1e-8)
    assert found[["wins", "ties", "losses"]].tolist() == [6, 0, 2]
    assert found["low"] < 0 < found["high"]


@pytest.mark.parametrize("test", CERTAIN)
@pytest.mark.parametrize("large", [1e6, 2.0**30, 2.0**60])
def test_what_another_query_has_hides_no_difference(test: str, large: float) -> None:
    # a query that is the same for both adds a tie and nothing else
    better = BASE + SMALL_WINS * 1e-7
    with_it = both(([*BASE, large], [*better, large]), test=test)
    assert with_it.pairs[["wins", "ties", "losses"]].iloc[0].tolist() == [6, 1, 2]
    close(with_it.difference * 9, SMALL_WINS.sum() * 1e-7, 1e-15)
    if test in ("randomization", "sign", "wilcoxon"):  # to which a tie is nothing
        close(with_it.p, p_of(test, SMALL_WINS))


@pytest.mark.parametrize("large", [1e6, 2.0**30])
def test_a_large_difference_leaves_the_signs_of_the_others(large: float) -> None:
    whole = np.array([-3, 1, 2, 5, -1])
    exact = share_of_signs(whole) / 2  # the large one keeps its sign
    assert 0.1 < exact < 0.5
    small = whole / 10_000 if large == 1e6 else whole
    close(both((np.zeros(6), [large, *small]), test="randomization").p, exact)


@pytest.mark.parametrize("by", [1e-80, 1e90])
@pytest.mark.parametrize("interval", [*INTERVALS])
def test_very_small_and_very_large(by: float, interval: str) -> None:
    a, b = np.array(SLEEP)
    scaled = a * by, b * by
    here = facts(both((a, b), interval=interval, draws=500))
    there = both(scaled, interval=interval, draws=500)
    close(facts(there) / by**UNITS, here, 1e-10)
    assert there.high > there.low
    for test in CERTAIN:
        close(both(scaled, test=test).p, both((a, b), test=test).p, 1e-10)
    margins = both((a, b), margin=2), both(scaled, margin=2 * by)
    close(*(c.pairs["p equivalent"] for c in margins), 1e-9)


def test_a_small_spread_is_a_spread() -> None:
    large = np.array([1e9, 1e9 + 1, 1e9 + 2])
    close(both((np.zeros(3), large)).p, stats.ttest_1samp(large, 0).pvalue, 1e-6)
    assert both((BASE, BASE + 1e-7)).p == 2 / 2**8, "of these only the rounding differs"
    assert both((BASE + 1e9, BASE + 1e9 + 0.25)).pairs["effect"].item() == math.inf


def test_no_spread() -> None:
    # 0.1 apart, but for the last bits
    after = np.array([0.1, 0.2, 0.3])
    before = np.array([0.0, 0.1, 0.2])
    even = subtract(after, before)[None]
    assert np.ptp(after - before) > 0
    assert np.ptp(even) == spread(even) == 0
    assert effect(statistics_of(even)) == np.inf
    for test in CERTAIN:
        assert p_of(test, even[0]) == 2 / 8, test
    for interval in INTERVALS.values():
        close(np.ravel(interval.ends(even, 0.05, 99, 0)), [0.1, 0.1])
    for bound, p in [(-0.2, 1 / 8), (0.05, 1 / 8), (0.2, 1)]:
        assert beyond(even, bound) == p
    assert beyond(-even, -0.05) == 1
    for margin, p in [(0.2, 1 / 8), (0.05, 1)]:
        assert both((before, after), margin=margin).pairs["p equivalent"].item() == p


def test_near_ties_rank_alike() -> None:
    d = np.array([0.3 - 0.2, 0.2 - 0.1, 0.9 - 0.8, -(0.7 - 0.6), 0.5])  # four that are 0.1 but for the last bits
    assert len({*np.abs(d)}) > 2
    close(wilcoxon(d[None]), stats.wilcoxon([1, 1, 1, -1, 5]).pvalue)


def test_blocks_make_no_difference_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    d = np.random.default_rng(1).normal(0.2, 1, (3, 64))  # whole bytes: the same bits whichever way they are cut
    whole = randomize(d, 4_000, 0), bootstrap_means(d, 100, 0)
    monkeypatch.setattr(hood, "ROOM_FOR_DRAWS", 64 * 16)
    close(randomize(d, 4_000, 0), whole[0])
    close(bootstrap_means(d, 100, 0), whole[1])


def test_a_bar_for_those_who_look(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [1, 2, 3]
    assert hood.progress(steps, "steps") is steps  # no one looks
    monkeypatch.setattr(hood.sys.stderr, "isatty", lambda: True, raising=False)  # type: ignore[attr-defined]
    shown = hood.progress(steps, "steps")
    assert type(shown).__name__.startswith("tqdm")
    assert list(shown) == steps
    monkeypatch.setattr(hood, "find_spec", lambda name: None)
    assert list(hood.progress(steps, "steps")) == steps


def test_a_terminal_without_tqdm_counts_after_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(hood.count_steps([1, 2], "steps")) == [1, 2]
    assert capsys.readouterr().err == "", "nothing in the first second"
    assert list(hood.count_steps([1, 2], "steps", after=0)) == [1, 2]
    assert capsys.readouterr().err == "\rsteps: 0 of 2\rsteps: 1 of 2\r" + " " * 13 + "\r"
