"""Each statistic beside another implementation of it: SciPy, statsmodels, or a loop by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.references import bootstrap_t, close, holm_by_hand, share_of_signs, systems, weighted

from ndcg_nb.comparisons import compare
from ndcg_nb.hood.stats.intervals import INTERVALS, mean_interval
from ndcg_nb.hood.stats.paired import MANY, hedges, holm, power_of, skewness, solve_queries, studentized
from ndcg_nb.power import detectable, queries_needed

stats = pytest.importorskip("scipy.stats")


def row(name: str, ours: Any, theirs: Any, inputs: st.SearchStrategy, off: Any = 1e-12) -> Any:
    "Both are called with what is drawn of `inputs`; `off` is how far they may be apart, or works it out for draws"
    slow = [pytest.mark.slow] * ("statsmodels" in name)  # to import it takes longer than all the rest
    return pytest.param(ours, theirs, inputs, off, id=name, marks=slow)


def of_two(*facts: str, **how: Any) -> Callable[..., Any]:
    "What `compare` says of two systems"

    def ours(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        pairs = compare({"A": a, "B": b}, **how).pairs
        return pairs[[*facts]].to_numpy(float)

    return ours


# ------------------------------------------------------------------------------------------------ inputs
def drawn(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    "Values like nDCG's, of two systems, on some queries the same"
    rng = np.random.default_rng([seed, n])
    a = rng.beta(1.2, 1, n).round(3)
    moved = np.clip(a + rng.normal(0.03, 0.2, n), 0, 1).round(3)
    b = np.where(rng.random(n) < 0.2, a, moved)
    b[0] = a[0] + 0.01  # so that some query is not the same
    return a, b


def lopsided(n: int) -> tuple[np.ndarray, np.ndarray]:
    "Differences whose skewness shows in an interval"
    d = np.random.default_rng(n).exponential(size=n) - 0.8
    return 0 * d, d


def some_p(seed: int) -> tuple[np.ndarray]:
    rng = np.random.default_rng(seed)
    p = rng.random(seed + 1) ** 3
    p[rng.random(seed + 1) < 0.3] = 0.02  # equal ones
    return (p,)


SEED = st.integers(0, 19)
PAIRS = st.builds(drawn, SEED, st.sampled_from([2, 5, 7, 12, 15, 40, 200]))
FEW = st.builds(drawn, SEED, st.sampled_from([2, 7, 12]))
MORE = st.builds(drawn, SEED, st.sampled_from([12, 40, 60]))
MANY_DRAWS = st.builds(drawn, st.integers(0, 2), st.just(40))
LOPSIDED = st.builds(lopsided, st.sampled_from([10, 60]))
LOOPED = st.builds(lopsided, st.sampled_from([5, 12, 60]))
FAMILIES = st.builds(some_p, SEED)
QUERIES = st.sampled_from([5, 20, 40])
SOME_SYSTEMS = st.builds(systems, st.just(0), st.sampled_from([3, 7]), QUERIES)
TABLES = st.tuples(SOME_SYSTEMS)
TWO_SYSTEMS = st.tuples(st.builds(systems, SEED, st.just(2), QUERIES))
RANGES = st.tuples(st.sampled_from([(12, 11), (12, 33), (13, 348), (40, 1911)]))
EFFECT = st.sampled_from([0.1, 0.35, 1, 2.5])
ALPHA = st.sampled_from([0.05, 0.001])
POWERS = st.tuples(st.sampled_from([3, 10, 50, 400]), EFFECT, ALPHA)
PLANS = st.tuples(EFFECT, st.just(1), st.sampled_from([0.5, 0.9]), ALPHA)


# ------------------------------------------------------------------------------------------------ references
def t_by_scipy(a: np.ndarray, b: np.ndarray) -> tuple[float, ...]:
    found = stats.ttest_rel(b, a)
    ends = found.confidence_interval(0.8) if len(a) >= 5 else (math.nan, math.nan)
    return (found.pvalue, found.statistic / math.sqrt(len(a)), *ends)


def sign_by_scipy(a: np.ndarray, b: np.ndarray) -> float:
    wins = int((b > a).sum())
    losses = int((b < a).sum())
    return stats.binomtest(wins, wins + losses).pvalue


def wilcoxon_by_scipy(a: np.ndarray, b: np.ndarray) -> float:
    d = (b - a).round(3)  # without the last bits, by which equal differences would have different ranks
    return stats.wilcoxon(d[d != 0]).pvalue


def permutation_by_scipy(a: np.ndarray, b: np.ndarray, draws: float = np.inf) -> float:
    how: Any = {"permutation_type": "samples", "n_resamples": draws, "batch": 2000, "rng": 9}
    return stats.permutation_test((b - a,), np.mean, vectorized=True, **how).pvalue


def drawn_by_scipy(a: np.ndarray, b: np.ndarray) -> float:
    return permutation_by_scipy(a, b, 20_000)


def bootstrap_by_scipy(method: str) -> Callable[..., Any]:
    how: Any = {"n_resamples": 40_000, "method": method, "batch": 2000, "rng": 5}
    return lambda a, b: stats.bootstrap((b - a,), np.mean, vectorized=True, **how).confidence_interval


def weights_for(a: np.ndarray) -> np.ndarray:
    return 1 / np.arange(1, len(a) + 1)


def of_weighted(*facts: str, **how: Any) -> Callable[..., Any]:
    "What `compare` says of two systems whose queries have weights"

    def ours(a: np.ndarray, b: np.ndarray) -> Any:
        weights = {str(i): w for i, w in enumerate(weights_for(a), 1)}
        return of_two(*facts, weights=weights, **how)(a, b)

    return ours


def weighted_by_hand(a: np.ndarray, b: np.ndarray) -> tuple[float, ...]:
    found = weighted(b - a, weights_for(a))
    t = found.mean / found.error
    p = 2 * stats.t.sf(abs(t), found.freedom)
    return (found.mean, p, t / math.sqrt(found.freedom + 1), *found.ends(0.05))


def signs_by_hand(a: np.ndarray, b: np.ndarray) -> float:
    return share_of_signs((b - a) * weights_for(a))


def equivalence_by_statsmodels(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    from statsmodels.stats.weightstats import ttost_paired

    p, (_, above, _), _ = ttost_paired(b, a, -0.1, 0.1)
    return above, p


def holm_by_statsmodels(p: np.ndarray) -> np.ndarray:
    from statsmodels.stats.multitest import multipletests

    return multipletests(p, method="holm")[1]


def tukey_of(values: np.ndarray) -> np.ndarray:
    found = compare({f"s{i}": row for i, row in enumerate(values)}, adjust="tukey", alpha=0.1)
    return found.pairs[["adjusted", "low", "high"]].to_numpy(float).T


def tukey_by_statsmodels(values: np.ndarray) -> list[np.ndarray]:
    "Of a linear model of systems and queries"
    import pandas as pd
    from statsmodels.formula.api import ols

    count, queries = values.shape
    long = pd.DataFrame(values).stack().rename("v").rename_axis(["s", "q"]).reset_index()
    fitted = ols("v ~ C(s) + C(q)", long).fit()
    error = math.sqrt(fitted.mse_resid / queries)
    first, second = np.triu_indices(count, 1)
    apart = np.subtract(*values.mean(axis=1)[[second, first]])
    law = stats.studentized_range(count, fitted.df_resid)
    reach = law.ppf(0.9) * error
    return [law.sf(np.abs(apart) / error), apart - reach, apart + reach]


def p_of_two(adjust: str) -> Callable[..., float]:
    return lambda values: compare({"a": values[0], "b": values[1]}, adjust=adjust).p


REST_Q = np.linspace(0, 9, MANY)  # so many that they are interpolated
SOME_Q = np.append(REST_Q[[0, 5, 17, 33, 50, 60]], [9, 12, 14.9, 15.1, 25, 60])


def range_of(law: tuple[int, int]) -> np.ndarray:
    found = studentized(np.append(REST_Q, SOME_Q), *law)
    assert (found >= 0).all()
    assert (found <= 1).all()
    return found[MANY:]


def power_by_statsmodels(n: int, size: float, alpha: float) -> float:
    from statsmodels.stats.power import TTestPower

    found = TTestPower().power(size, n, alpha)
    return power_of(n, size, alpha) if math.isnan(found) else found  # where one tail is too small for it


def queries_by_statsmodels(size: float, sd: float, wanted: float, alpha: float) -> float:
    from statsmodels.stats.power import TTestPower

    if (size, wanted, alpha) == (2.5, 0.9, 0.001):
        return 9  # there, its search meets a nan and stops at 6.86, not 8.39
    return math.ceil(TTestPower().solve_power(effect_size=size, alpha=alpha, power=wanted))


def hedges_by_hand(n: int) -> float:
    half = (n - 1) / 2
    return math.gamma(half) / math.gamma(half - 0.5) / math.sqrt(half)


# ------------------------------------------------------------------------------------------------ how far apart
def of_share(theirs: float, a: np.ndarray, b: np.ndarray) -> float:
    "Two shares, each of 20,000 draws"
    error = math.sqrt(2 * theirs * (1 - theirs) / 20_000)
    return (4 * error + 2 / 20_000) / (1 + theirs)  # `close` allows it twice: as it is, and times theirs


def of_quantile(theirs: Any, a: np.ndarray, b: np.ndarray) -> float:
    "Two quantiles, each of 40,000 draws: sqrt(p (1 - p) / draws) over the density there"
    error = (b - a).std() / math.sqrt(len(a))
    z = stats.norm.ppf(0.025)
    density = stats.norm.pdf(z) / error
    share = math.sqrt(2 * 0.025 * 0.975 / 40_000)
    return 6 * share / density


# ------------------------------------------------------------------------------------------------ the table
SIGNS = {"test": "randomization"}
ENDS = ("low", "high")
TOST = ("p not worse", "p equivalent")
BY_T = {"interval": "bootstrap-t", "draws": 999, "seed": 7}


def bootstrap(interval: str) -> Callable[..., Any]:
    return of_two(*ENDS, interval=interval, draws=40_000, seed=1)


@pytest.mark.parametrize(
    "ours, theirs, inputs, off",
    [
        row("t", of_two("p", "effect", *ENDS, alpha=0.2), t_by_scipy, PAIRS),
        row("sign", of_two("p", test="sign"), sign_by_scipy, PAIRS),
        row("wilcoxon", of_two("p", test="wilcoxon"), wilcoxon_by_scipy, PAIRS),
        row("signs", of_two("p", **SIGNS), permutation_by_scipy, FEW),
        row("drawn signs", of_two("p", draws=20_000, **SIGNS), drawn_by_scipy, MANY_DRAWS, of_share),
        row("percentile", bootstrap("percentile"), bootstrap_by_scipy("percentile"), LOPSIDED, of_quantile),
        row("bca", bootstrap("bca"), bootstrap_by_scipy("BCa"), LOPSIDED, of_quantile),
        row("bootstrap-t", of_two(*ENDS, **BY_T), lambda a, b: bootstrap_t(b - a, 0.05, 999, 7), LOOPED),
        row("weighted t", of_weighted("difference", "p", "effect", *ENDS), weighted_by_hand, MORE),
        row("weighted signs", of_weighted("p", **SIGNS), signs_by_hand, FEW),
        row("skewness", lambda a, b: skewness((b - a)[None]), lambda a, b: stats.skew(b - a), MORE),
        row("equivalence, statsmodels", of_two(*TOST, margin=0.1), equivalence_by_statsmodels, PAIRS),
        row("holm", holm, holm_by_hand, FAMILIES),
        row("holm, statsmodels", holm, holm_by_statsmodels, FAMILIES),
        row("range", range_of, lambda law: stats.studentized_range.sf(SOME_Q, *law), RANGES, 1e-8),
        row("tukey, statsmodels", tukey_of, tukey_by_statsmodels, TABLES, 1e-8),
        row("tukey of two is t", p_of_two("tukey"), p_of_two("holm"), TWO_SYSTEMS),
        row("hedges", hedges, hedges_by_hand, st.tuples(st.integers(3, 100))),
        row("power, statsmodels", power_of, power_by_statsmodels, POWERS, 1e-9),
        row("queries needed, statsmodels", queries_needed, queries_by_statsmodels, PLANS),
    ],
)
@given(data=st.data())
def test_same_as_the_reference(ours: Any, theirs: Any, inputs: Any, off: Any, data: st.DataObject) -> None:
    values = data.draw(inputs)
    expected = theirs(*values)
    apart = off(expected, *values) if callable(off) else off
    close(np.ravel(ours(*values)), np.ravel(expected), apart)


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize("size", [0.1, 0.35, 1, 2.5])
@pytest.mark.parametrize("wanted", [0.5, 0.9])
def test_what_a_plan_finds_has_the_power(wanted: float, size: float, alpha: float) -> None:
    queries = solve_queries(size, wanted, alpha)
    close(power_of(queries, size, alpha), wanted, 1e-9)
    close(power_of(30, detectable(30, size, wanted, alpha) / size, alpha), wanted, 1e-9)


@pytest.mark.parametrize("method", [*INTERVALS])
def test_the_interval_of_a_mean_is_that_of_a_row(method: str) -> None:
    values = np.random.default_rng(2).beta(2, 1, 25)
    ends = INTERVALS[method].ends(values[None], 0.1, 500, 3)
    how: Any = {"confidence": 0.9, "method": method, "draws": 500, "seed": 3}
    close(mean_interval(values, **how), np.ravel(ends), 1e-11)
    close(mean_interval(np.full(4, 0.7), **how), [0.7, 0.7])
    assert np.isnan(mean_interval(values[:1], **how)).all()
