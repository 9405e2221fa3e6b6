"""Numbers that others have printed, by the papers, books and pages they stand in."""

import numpy as np
import pytest

from ndcg_nb import cg, dcg, gain, idcg, ndcg

G = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
I = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0]  # noqa: E741 as the paper has it
JK = ("jk", 2)
RANKS = range(1, 11)


def test_jarvelin_and_kekalainen_2002() -> None:
    assert cg(I, k=range(1, 14)).tolist() == [3, 6, 9, 11, 13, 15, 16, 17, 18, 19, 19, 19, 19]
    shares = cg(G, k=RANKS) / cg(I, k=RANKS)
    assert shares.round(2).tolist() == [1, 0.83, 0.89, 0.73, 0.62, 0.6, 0.69, 0.76, 0.89, 0.84]
    # Two of the digits printed for the ideal are cut off rather than rounded.
    printed = [3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 11.21, 11.53, 11.83, 11.83]
    assert np.allclose(idcg(I, k=range(1, 12), discount=JK), printed, rtol=0, atol=0.01)
    exact = [1, 0.8333, 0.8733, 0.7751, 0.7067, 0.6915, 0.7343, 0.7719, 0.8328, 0.8117]
    assert ndcg(G, k=RANKS, pool=I, discount=JK).round(4).tolist() == exact


def test_croft_metzler_and_strohman_2010() -> None:
    printed = [3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 10.88, 10.88, 10.88]  # the sixth is cut off
    assert np.allclose(idcg(G, k=RANKS, discount=JK), printed, rtol=0, atol=0.01)
    shares = [1, 0.83, 0.87, 0.78, 0.71, 0.69, 0.73, 0.8, 0.88, 0.88]
    assert ndcg(G, k=RANKS, discount=JK).round(2).tolist() == shares


def test_manning_cs276() -> None:
    assert dcg([[2, 2, 1, 0], [2, 1, 2, 0]], discount=JK).round(4).tolist() == [4.6309, 4.2619]
    assert round(ndcg([2, 1, 2, 0], discount=JK), 4) == 0.9203


def test_exponential_gains_rank_by_rank() -> None:
    printed = [7, 8.89279, 12.3928, 12.3928, 12.3928, 12.749, 13.749, 14.6954, 16.8026, 16.8026]
    assert np.allclose(dcg(G, k=RANKS, gain="exp"), printed, rtol=0, atol=5e-5)


def test_scikit_learn_documentation() -> None:
    truth = [10, 0, 0, 1, 5]
    first = [0.1, 0.2, 0.3, 4, 70]
    second = [0.05, 1.1, 1.0, 0.5, 0.0]
    tied = [1, 0, 0, 0, 1]
    assert dcg(truth, k=[2, 5], scores=first).round(12).tolist() == [5.630929753571, 9.499457825917]
    assert round(ndcg(truth, scores=first), 12) == 0.695694044381
    assert ndcg(truth, k=[4, 5], scores=second).round(12).tolist() == [0.352024110063, 0.493680191377]
    assert (dcg(truth, k=1, scores=tied), dcg(truth, k=1, scores=tied, ties="last")) == (7.5, 5)
    assert (ndcg(truth, k=1, scores=tied), ndcg(truth, k=1, scores=tied, ties="last")) == (0.75, 0.5)


def test_evret_documentation() -> None:
    found = [0, 0, 1, 0, 1]
    pool = [0, 0, 1, 0, 1, 1]
    assert [round(x, 4) for x in (dcg(found), idcg(pool), ndcg(found, pool=pool))] == [0.8869, 2.1309, 0.4162]


@pytest.mark.parametrize(
    "rel, sums",
    [
        ([3, 2, 0, 0, 1], [6, 4.648712, 4.761860, 0.976239]),
        ([4, 3, 1, 0, 3, 2, 1, 4, 0, 2], [20, 10.439085, 11.450667, 0.911657]),
    ],
)
def test_lists_whose_printed_sums_are_inexact(rel: list[int], sums: list[float]) -> None:
    assert [round(x, 6) for x in (cg(rel), dcg(rel), idcg(rel), ndcg(rel))] == sums


@pytest.mark.parametrize(
    "form, value",
    [
        ("log2", 0.833612943180),
        (("jk", 2), 0.811662361993),
        (("jk", 3), 0.806673656298),
        (("jk", 10), 16 / 19),
        ("zipf", 0.836863823934),
        (("power", 0.5), 0.823868465484),
        (("power", 0.25), 0.828657587045),
        (lambda rank: 0.8 ** (rank - 1), 0.783081054658),
    ],
)
def test_every_discount_on_one_list(form: object, value: float) -> None:
    assert np.isclose(ndcg(G, k=10, pool=I, discount=form), value, rtol=0, atol=5e-13)


def test_twelve_orders_of_tied_scores() -> None:
    gains = [2, 3, 0, 1, 0, 2]
    scores = [3, 2, 2, 2, 1, 1]
    sums = {
        "worst": [2, 2.5, 4.504444048436],
        "average": [2.841239671429, 3.507906338095, 4.825201743202],
        "best": [3.892789260714, 4.392789260714, 5.166494875183],
    }
    for rule, expected in sums.items():
        assert np.allclose(dcg(gains, [2, 3, 6], scores=scores, ties=rule), expected, rtol=0, atol=5e-13)
        shares = expected / idcg(gains, [2, 3, 6])
        assert np.allclose(ndcg(gains, [2, 3, 6], scores=scores, ties=rule), shares, rtol=0, atol=5e-13)


def test_odd_grades() -> None:
    assert round(ndcg([0.5, 1.5, 2.25]), 6) == 0.746111
    assert round(ndcg(np.array([59, 60], np.uint8), gain="exp"), 6) == 0.859719
    assert np.isclose(gain(1.5, "exp"), 2**1.5 - 1, rtol=1e-15, atol=0)
    assert ndcg([2]) == 1
    assert ndcg([], pool=[1, 2]) == 0
