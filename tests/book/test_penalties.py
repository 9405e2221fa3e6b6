"""Bad results: what they cost where numbers are large, small or close, and what is said where no price can be."""

import numpy as np
import pytest

from ndcg_nb import discount, minmax_ndcg, penalized_ndcg

rng = np.random.default_rng(11)


# Min-max


def test_minmax_does_not_depend_on_its_neighbours() -> None:
    close = [1, 1 + 1e-10]
    long = np.arange(100_000.0)
    assert minmax_ndcg(close) == 0
    assert minmax_ndcg([close, long]).tolist() == [0, 0]
    assert minmax_ndcg([close[::-1], long]).tolist() == [1, 0]
    nearly_even = {"discount": lambda rank: 1 - 1e-12 * rank, "empty": 0.5}
    assert minmax_ndcg([[1, 0], long], **nearly_even).tolist() == [1, 0]
    for size in rng.integers(2, 30, 100):  # and rounding is no difference
        grades = rng.random(size)
        assert minmax_ndcg(grades, discount=("power", 0), empty=0.5) == 0.5


def test_minmax_does_not_depend_on_where_zero_is() -> None:
    for _ in range(300):
        size = rng.integers(2, 9)
        pool = rng.integers(-3, 4, size).tolist()
        shown = rng.permutation(pool).tolist()
        for shift in (1e6, -1e9, 2.0**50):
            there = [g + shift for g in pool]
            moved = minmax_ndcg([g + shift for g in shown], pool=there, empty=0.25)
            assert moved == minmax_ndcg(shown, pool=pool, empty=0.25)


# Penalties


def test_a_price_beyond_all_measure() -> None:
    for penalty in (1e300, 10**400, 1e-200, -1, {-1: 1e300}, {-1: 5e-324}):
        with pytest.raises(ValueError, match=r"penalty is .*: a price must be 0, or from 1e-100 to 1e100"):
            penalized_ndcg([1, -1], penalty=penalty)
    with pytest.raises(ValueError, match="below is 1000"):
        penalized_ndcg([1, -1], below=10**400)
    expected = 1 - 1e110 * discount(2)
    assert penalized_ndcg([1e-10, -1], penalty=1e100) == pytest.approx(expected, rel=1e-12)


def test_a_query_without_an_ideal_says_what_was_divided() -> None:
    barren = [[-1, -1], [0, 0], []]
    for shown, said in zip(barren, ("a division by 0", "0/0", "0/0")):
        with pytest.warns(RuntimeWarning, match=f"nDCG is {said}, given as nan"):
            assert np.isnan(penalized_ndcg(shown, pool=[0, 0, -1, -1]))
    with pytest.raises(ValueError, match=r"nDCG is a division by 0"):
        penalized_ndcg([-1, -1], 1, empty="raise")
    values = penalized_ndcg(barren, pool=[0, 0, -1, -1], empty=0.5)
    assert values.tolist() == [0.5] * 3, "one value, whatever was shown"


def test_a_price_has_a_floor_only_where_ideals_have_one() -> None:
    small = 0.0001
    assert penalized_ndcg([-1, small]) == pytest.approx((small * discount(2) - 1) / small)
    floor = -discount(range(1, 11)).sum()
    shown = rng.choice([-1, -1, 0, 1], (500, 10))
    missed = rng.integers(1, 4, (500, 1))
    values = penalized_ndcg(shown, 10, pool=np.hstack([shown, missed]))
    assert floor <= values.min()
    assert values.max() <= 1
    bad = [-1] * 10
    assert penalized_ndcg(bad, 10, pool=[1, *bad]) == pytest.approx(floor)


def test_bad_results_by_scores_and_at_several_cutoffs() -> None:
    lists = [[1, -1, 0, 1], [-1, 1]]
    scores = [[0.9, 0.8, 0.8, 0.1], [0.3, 0.2]]
    charged = penalized_ndcg(lists, [1, 2], scores=scores)
    assert charged.round(3).tolist() == [[1, 0.42], [-1, -0.369]]
    scaled = minmax_ndcg(lists, [1, 2], scores=scores)
    assert scaled.round(3).tolist() == [[1, 0.64], [0, 0]]
