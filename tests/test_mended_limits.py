"""Faults of Part II that were mended: bad, missing and equally good results. Each test failed before."""

import tracemalloc
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import ndcg_nb.coverage
from ndcg_nb import (
    alpha_ndcg,
    dialect,
    discount,
    gain_recall,
    intent_ndcg,
    minmax_ndcg,
    ncg,
    ndcg,
    ndcg_at_r,
    pad,
    penalized_ndcg,
    tied_ndcg,
)

rng = np.random.default_rng(11)


def exact_minmax(shown: list, pool: list) -> Fraction:
    "From the worst order to the best, in exact numbers"
    weights = [Fraction(w) for w in discount(range(1, len(shown) + 1))]
    orders = shown, sorted(pool), sorted(pool, reverse=True)
    dcg, worst, best = (sum(Fraction(g) * w for g, w in zip(order, weights)) for order in orders)
    return (dcg - worst) / (best - worst)


# Min-max


def test_minmax_does_not_depend_on_its_neighbours() -> None:
    close = [1, 1 + 1e-10]
    assert minmax_ndcg([close, np.arange(100_000.0)]).tolist() == [minmax_ndcg(close), 0] == [0, 0]
    assert minmax_ndcg([close[::-1], np.arange(100_000.0)]).tolist() == [1, 0]
    nearly_even = {"discount": lambda rank: 1 - 1e-12 * rank, "empty": 0.5}
    assert minmax_ndcg([[1, 0], np.arange(100_000.0)], **nearly_even).tolist() == [1, 0]
    for _ in range(100):  # and rounding is no difference
        assert minmax_ndcg(rng.random(rng.integers(2, 30)), discount=("power", 0), empty=0.5) == 0.5


def test_minmax_does_not_depend_on_where_zero_is() -> None:
    for _ in range(300):
        pool = rng.integers(-3, 4, rng.integers(2, 9)).tolist()
        shown = rng.permutation(pool).tolist()
        for shift in (1e6, -1e9, 2.0**50):
            moved = minmax_ndcg([g + shift for g in shown], pool=[g + shift for g in pool], empty=0.25)
            assert moved == minmax_ndcg(shown, pool=pool, empty=0.25)


@pytest.mark.parametrize("unit", [1e308, 1e300, 1e-300, 5e-324])
def test_minmax_of_very_large_and_very_small_gains(unit: float) -> None:
    assert minmax_ndcg([0, 1, 2], 3, pool=[0, 1, 2, 1e308, 1e308, 1e308]) == 0
    for shown in permutations([-unit, 0, unit, unit, -unit]):
        assert minmax_ndcg(shown) == pytest.approx(float(exact_minmax(shown, shown)), abs=1e-15)
    beside = minmax_ndcg([[unit, -unit, unit], [1, 3, 2]])
    assert beside.tolist() == [minmax_ndcg([unit, -unit, unit]), minmax_ndcg([1, 3, 2])]


# Penalties


def test_a_price_beyond_all_measure() -> None:
    with pytest.raises(OverflowError, match=r"penalty is 1e[+]300, too many times the ideal"):
        penalized_ndcg([1e-10, -1], penalty=1e300)
    with pytest.raises(OverflowError, match=r"smaller penalty, if it is 1.7e[+]308"):
        penalized_ndcg([[1], [1, -1, -1]], penalty=1.7e308)
    with pytest.raises(OverflowError, match="smaller penalty, if it is 1"):
        penalized_ndcg([5e-324, -1])
    with pytest.raises(ValueError, match=r"penalty is 1000.*000: a price must be finite"):
        penalized_ndcg([1, -1], penalty=10**400)
    with pytest.raises(ValueError, match="below is 1000"):
        penalized_ndcg([1, -1], below=10**400)
    assert penalized_ndcg([1e308, 1e308, -1], penalty=1e308) == pytest.approx(penalized_ndcg([1, 1, -1]), rel=1e-15)
    assert penalized_ndcg([1e-310, -1], penalty=1e-310) == pytest.approx(penalized_ndcg([1, -1]), rel=1e-12)


def test_a_price_of_what_is_no_grade() -> None:
    for rel in ([1, 0], [1, -1]):
        with pytest.raises(TypeError, match="penalty prices 'bad', which is no grade"):
            penalized_ndcg(rel, penalty={"bad": 1})


def test_a_query_without_an_ideal_says_what_was_divided() -> None:
    barren = [[-1, -1], [0, 0], []]
    for shown, said in zip(barren, (r"-1\.63/0", "0/0", "0/0")):
        with pytest.warns(RuntimeWarning, match=f"nDCG is {said}, given as nan"):
            assert np.isnan(penalized_ndcg(shown, pool=[0, 0, -1, -1]))
    with pytest.warns(RuntimeWarning, match="of 3 of 3 lists: nDCG is a division by 0, given as nan"):
        assert np.isnan(penalized_ndcg(barren, pool=[0, 0, -1, -1])).all()
    with pytest.raises(ValueError, match=r"nDCG is -1/0"):
        penalized_ndcg([-1, -1], 1, empty="raise")
    with pytest.warns(RuntimeWarning, match="nDCG is 0/0, given as nan"):
        ndcg([0, 0])
    assert penalized_ndcg(barren, pool=[0, 0, -1, -1], empty=0.5).tolist() == [0.5] * 3, "one value, whatever was shown"


def test_a_price_has_a_floor_only_where_ideals_have_one() -> None:
    assert penalized_ndcg([-1, 0.0001]) == pytest.approx((0.0001 / np.log2(3) - 1) / 0.0001)
    shown = rng.choice([-1, -1, 0, 1], (500, 10))
    values = penalized_ndcg(shown, 10, pool=np.hstack([shown, rng.integers(1, 4, (500, 1))]))
    assert -discount(range(1, 11)).sum() <= values.min() and values.max() <= 1
    assert penalized_ndcg([-1] * 10, 10, pool=[1] + [-1] * 10) == pytest.approx(-discount(range(1, 11)).sum())


def test_bad_results_by_scores_and_at_several_cutoffs() -> None:
    lists, scores = [[1, -1, 0, 1], [-1, 1]], [[0.9, 0.8, 0.8, 0.1], [0.3, 0.2]]
    assert penalized_ndcg(lists, [1, 2], scores=scores).round(3).tolist() == [[1, 0.42], [-1, -0.369]]
    assert minmax_ndcg(lists, [1, 2], scores=scores).round(3).tolist() == [[1, 0.64], [0, 0]]


def test_pad_to_a_size_beyond_all_measure() -> None:
    for k in (10**30, 2**63, 2**63 - 1):
        with pytest.raises(ValueError, match=r"k is [0-9.]+: no array can hold so many"):
            pad([1], k)


# Intents


def softmax(logits: np.ndarray) -> np.ndarray:
    likely = np.exp(logits)
    return likely / likely.sum()


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_probabilities_of_single_and_half_precision(kind: type) -> None:
    for n in (2, 3, 10, 300):
        rel = rng.integers(0, 4, (n, 6)) + 1
        each = ndcg(rel)
        for _ in range(30):
            likely = softmax(rng.normal(size=n).astype(kind))
            assert likely.dtype == kind
            expected = likely[likely > 0].astype(float) @ each[likely > 0]
            assert intent_ndcg(rel, likely) == expected, "used as they are"
            assert intent_ndcg([rel], [likely]).tolist() == [expected]
            assert kind == np.float16 or intent_ndcg(rel, likely.tolist()) == expected
    with pytest.raises(ValueError, match="add up to 1"):
        intent_ndcg([[1], [1]], np.array([0.5, 0.51], kind))
    for off in (1e-6, 1e-8):
        with pytest.raises(ValueError, match="add up to 1"):
            intent_ndcg([[1], [1]], [0.3, 0.7 + off])


def test_intents_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(ndcg_nb.coverage, "ndcg", lambda *a, **how: asked.append(a) or ndcg(*a, **how))
    rel = [rng.integers(0, 4, (3, rng.integers(1, 9))).tolist() for _ in range(50)]
    likely, scores = rng.dirichlet([1, 1, 1], 50), [rng.random(len(x[0])) for x in rel]
    together = intent_ndcg(rel, likely, [1, 3], scores=scores, empty=0)
    assert len(asked) == 1
    alone = [intent_ndcg(x, p, [1, 3], scores=s, empty=0).tolist() for x, p, s in zip(rel, likely, scores)]
    assert together.tolist() == alone
    with pytest.raises(ValueError, match=r"query 7: rel\[2\]\[0\] is -1"):
        rel[7][2][0] = -1
        intent_ndcg(rel, likely, scores=scores)


def greedy(pool: list, alpha: float) -> list:
    "Always the document that adds most, every gain computed anew; the first among equals"
    left, chosen = list(pool), []
    while left:
        worth = [sum((1 - alpha) ** sum(s in d for d in chosen) for s in x) for x in left]
        chosen.append(left.pop(worth.index(max(worth))))
    return chosen


def test_documents_that_serve_the_same() -> None:
    for _ in range(100):
        kinds = [set(np.flatnonzero(rng.random(4) < 0.5).tolist()) for _ in range(3)]
        pool = [kinds[i] for i in rng.integers(0, 3, 12)]
        best = greedy(pool, 0.5)
        assert alpha_ndcg(best, pool=pool, empty=1) == 1 == alpha_ndcg(best, 5, pool=pool, empty=1)


def test_memory_of_a_cutoff_for_each_list() -> None:
    relevant = np.tri(2000, dtype=np.int8)
    expected = [float(ndcg(row[::-1], max(1, int(row.sum())))) for row in relevant[::200]]
    tracemalloc.start()
    values = ndcg_at_r(relevant[:, ::-1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert values[::200].tolist() == expected
    assert peak < 50e6, "lists × cutoffs, three times over, are 96 MB"


# Like a tool


def test_like_a_tool() -> None:
    rel, scores, pool = [3, 2, 3, 0, 1, 2], [5, 4, 4, 3, 3, 1], [3, 2, 3, 0, 1, 2, 3, 2]
    measures = [penalized_ndcg, minmax_ndcg, ncg, gain_recall, ndcg_at_r]
    for measure in measures:
        how = {"scores": scores, "pool": pool} | ({} if measure is ndcg_at_r else {"k": 5})
        for name in ("sklearn", "xgboost", "lightgbm", "jk2002", "catboost"):
            left_out = {"k", "default_k"} if measure is ndcg_at_r else set()
            left_out |= {"discount"} if measure in (ncg, gain_recall) else set()
            settings = {key: value for key, value in dialect(name).items() if key not in left_out}
            assert measure(rel, **how, like=name) == measure(rel, **how, **settings)
            assert measure(rel, **how, like=name, gain="binary", ties="worst", ideal="pool") == measure(
                rel, **how, **settings | {"gain": "binary", "ties": "worst", "ideal": "pool"}
            )
    assert gain_recall(rel, 5, scores=scores, pool=pool, like="xgboost") == gain_recall(
        rel, 5, scores=scores, gain="exp", ties="first"
    )
    assert tied_ndcg(rel, 5, scores=scores, like="sklearn").average == ndcg(rel, 5, scores=scores, like="sklearn")
    both, likely = [rel, rel[::-1]], [0.7, 0.3]
    each = ndcg(both, 5, scores=[scores] * 2, like="xgboost")
    assert intent_ndcg(both, likely, 5, scores=scores, like="xgboost") == np.array(likely) @ each


def test_ids_settle_ties_everywhere() -> None:
    how = {"scores": [1, 1, 1], "ids": ["a", "c", "b"], "ties": "id"}
    for measure in (penalized_ndcg, minmax_ndcg, ncg, gain_recall):
        assert measure([1, 0, 2], 2, **how) == measure([0, 2, 1], 2)
    assert ndcg_at_r([1, 0, 2], **how) == ndcg_at_r([0, 2, 1])
    assert ndcg_at_r([[1, 0, 2], [0]], scores=[[1, 1, 1], [1]], ids=[["a", "c", "b"], ["a"]], ties="id", empty=0)[
        0
    ] == ndcg_at_r([0, 2, 1])
    assert intent_ndcg([[1, 0, 2], [0, 1, 0]], [0.5, 0.5], 2, **how) == intent_ndcg(
        [[0, 2, 1], [1, 0, 0]], [0.5, 0.5], 2
    )


def test_ideals_that_are_not_theirs() -> None:
    for measure in (penalized_ndcg, minmax_ndcg, gain_recall):
        assert measure([0, 2, 1], 2, pool=[2, 2, 1, 0, 3], ideal="list") == measure([0, 2, 1], 2)
        for ideal in ("hits", "reached", "given"):
            with pytest.raises(ValueError, match=f"ideal is '{ideal}': give one of 'pool', 'list'"):
                measure([0, 2, 1], ideal=ideal)
        with pytest.raises(ValueError, match="ideal is 'hits'"):
            measure([0, 2, 1], 2, like="elasticsearch")
    assert ndcg_at_r([2, 0, 1], pool=[0, 2, 1], ideal="given") == ndcg([2, 0, 1], 2, pool=[0, 2, 1], ideal="given")
    assert ncg([2, 0, 1], 2, pool=[0, 2, 1], ideal="given") == 1


def test_large_grades_of_exponential_gain() -> None:
    for large, small in (([2000, 1999, 0], [60, 59, 0]), ([0, 1999, 2000], [0, 59, 60])):
        assert gain_recall(large, 2, gain="exp") == pytest.approx(gain_recall(small, 2, gain="exp"), rel=1e-15)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("arithmetic", ["multiply", "divide", "each", "exact", "dot"])
def test_an_ideal_that_collects_next_to_nothing(arithmetic: str) -> None:
    given = {"ideal": "given", "arithmetic": arithmetic}
    for high, low in ((2000, 1), (1025, 1), (1600, 513)):
        for measure in (ndcg, ncg, lambda *x, **how: tied_ndcg(*x, scores=[1, 1], **how)):
            with pytest.raises(OverflowError):
                measure([high, low], 1, pool=[low, high], gain="exp", **given)
    for power in (200, 300):
        high, low = 10.0**power, 10.0**-power
        with pytest.raises(OverflowError):
            ndcg([[1, 0], [high, low]], 1, pool=[[1, 0], [low, high]], **given)
    with pytest.raises(OverflowError, match=r"the ideal of rel\[1\] collects too little beside the highest gain"):
        ndcg([[1, 0], [low, high]], 1, pool=[[1, 0], [low, high]], **given)
    # What is there to be computed still is: the highest gain first, or nothing before it
    assert ndcg([2000, 1], [1, 2], pool=[2000, 1], gain="exp", **given).tolist() == [1, 1]
    found = ndcg([2000, 0], [1, 2], pool=[0, 2000], gain="exp", empty=0, **given)
    assert found == pytest.approx([0, 1 / discount(2)], rel=1e-15)
    assert ndcg([500, 1], 1, pool=[1, 500], gain="exp", **given) == pytest.approx(2.0**500)


def test_queries_with_pools_of_different_kinds() -> None:
    rel, likely = [[[1, 0], [0, 2]], [[2, 1], [0, 1]]], [[0.5, 0.5], [0.25, 0.75]]
    pool = [[2, 1, 0], [[2, 1, 1], [1, 1, 0]]]  # one for both intents, and one for each
    alone = [intent_ndcg(r, p, 2, pool=x) for r, p, x in zip(rel, likely, pool)]
    assert intent_ndcg(rel, likely, 2, pool=pool).tolist() == alone


def test_what_no_single_query_is_to_blame_for() -> None:
    few = lambda grades: grades if len(grades) < 3 else grades[:2]  # noqa: E731
    rel = [[[1, 0], [0, 1]], [[2, 0], [0, 2]]]
    with pytest.raises(ValueError, match=r"^gain is called once"):  # with the grades of both
        intent_ndcg(rel, [[0.5, 0.5], [0.5, 0.5]], gain=few)


def test_tied_lists_are_read_once() -> None:
    with pytest.warns(UserWarning, match="if these are ranks") as caught:
        found = tied_ndcg([3, 2, 1], scores=[1, 2, 3], like="trec_eval", gain="exp", pool=[3, 2, 1, 3])
    assert len(caught) == 1 and caught[0].filename == __file__
    assert found.worst == found.best < 1
