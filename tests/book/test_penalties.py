"""Bad results: what they cost where numbers are large, small or close, and what is said where no price can be."""

from fractions import Fraction

import numpy as np
import pytest

from ndcg_nb import discount, minmax_ndcg, penalized_ndcg

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


# Penalties


def test_a_price_beyond_all_measure() -> None:
    for penalty in (1e300, 10**400, 1e-200, -1, {-1: 1e300}, {-1: 5e-324}):
        with pytest.raises(ValueError, match=r"penalty is .*: a price must be 0, or from 1e-100 to 1e100"):
            penalized_ndcg([1, -1], penalty=penalty)
    with pytest.raises(ValueError, match="below is 1000"):
        penalized_ndcg([1, -1], below=10**400)
    assert penalized_ndcg([1e-10, -1], penalty=1e100) == pytest.approx(1 - 1e110 * discount(2), rel=1e-12)


def test_a_query_without_an_ideal_says_what_was_divided() -> None:
    barren = [[-1, -1], [0, 0], []]
    for shown, said in zip(barren, ("a division by 0", "0/0", "0/0")):
        with pytest.warns(RuntimeWarning, match=f"nDCG is {said}, given as nan"):
            assert np.isnan(penalized_ndcg(shown, pool=[0, 0, -1, -1]))
    with pytest.raises(ValueError, match=r"nDCG is a division by 0"):
        penalized_ndcg([-1, -1], 1, empty="raise")
    assert penalized_ndcg(barren, pool=[0, 0, -1, -1], empty=0.5).tolist() == [0.5] * 3, "one value, whatever was shown"


def test_a_price_has_a_floor_only_where_ideals_have_one() -> None:
    assert penalized_ndcg([-1, 0.0001]) == pytest.approx((0.0001 / np.log2(3) - 1) / 0.0001)
    shown = rng.choice([-1, -1, 0, 1], (500, 10))
    values = penalized_ndcg(shown, 10, pool=np.hstack([shown, rng.integers(1, 4, (500, 1))]))
    assert -discount(range(1, 11)).sum() <= values.min()
    assert values.max() <= 1
    assert penalized_ndcg([-1] * 10, 10, pool=[1] + [-1] * 10) == pytest.approx(-discount(range(1, 11)).sum())


def test_bad_results_by_scores_and_at_several_cutoffs() -> None:
    lists = [[1, -1, 0, 1], [-1, 1]]
    scores = [[0.9, 0.8, 0.8, 0.1], [0.3, 0.2]]
    assert penalized_ndcg(lists, [1, 2], scores=scores).round(3).tolist() == [[1, 0.42], [-1, -0.369]]
    assert minmax_ndcg(lists, [1, 2], scores=scores).round(3).tolist() == [[1, 0.64], [0, 0]]
