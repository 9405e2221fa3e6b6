"""What must hold for every list, tried on many. Grades are drawn from small, fractional and very large ones."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ndcg_nb import bounds, cg, dcg, discount, explain, gain, idcg, minmax_ndcg, ndcg, penalized_ndcg
from ndcg_nb.estimates import ips_dcg

GRADE = st.one_of(st.integers(0, 5), st.floats(1e-99, 5), st.just(60), st.just(300))
SMALL = st.one_of(st.integers(0, 5), st.floats(1e-99, 5))
FORMS = st.sampled_from(["linear", "exp", "binary", np.sqrt])
DISCOUNTS = st.sampled_from(["log2", ("log", 10), ("jk", 2), ("jk", 5), "zipf", ("power", 0.3)])
CUTOFF = st.one_of(st.none(), st.integers(1, 12))
TIES = st.sampled_from(["average", "first", "last", "best", "worst"])
lists = lambda grade=GRADE, **kw: st.lists(grade, **{"min_size": 0, "max_size": 9, **kw})  # noqa: E731
close = lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15)  # noqa: E731


@st.composite
def scored(draw, grade=GRADE, **kw):
    "A list of grades, and scores of which some are tied"
    rel = draw(lists(grade, min_size=1, **kw))
    levels = st.one_of(st.integers(-2, 2), st.sampled_from([0.5, 0.5 + 2**-53, 1e300, -0.0]))
    return rel, draw(st.lists(levels, min_size=len(rel), max_size=len(rel)))


@given(lists(), lists(), CUTOFF, FORMS, DISCOUNTS)
def test_between_0_and_1(rel, missed, k, form, weights):
    value = ndcg(rel, k, gain=form, discount=weights, pool=rel + missed, empty=0)
    assert 0 <= value <= 1


@given(scored(), lists(), CUTOFF, FORMS, TIES)
def test_between_0_and_1_from_scores(ranking, missed, k, form, ties):
    rel, scores = ranking
    assert 0 <= ndcg(rel, k, gain=form, pool=rel + missed, scores=scores, ties=ties, empty=0) <= 1


@given(lists(min_size=1).filter(any), CUTOFF, FORMS, DISCOUNTS)
def test_perfect_order_is_exactly_1(rel, k, form, weights):
    best = sorted(rel, reverse=True)
    assert ndcg(best, k, gain=form, discount=weights, pool=rel) == 1
    assert ndcg([*best, 0, 0], k, gain=form, discount=weights, pool=rel) == 1


@given(scored(SMALL, max_size=6), CUTOFF, st.sampled_from(["linear", "exp"]))
def test_tie_average_is_the_mean_over_orders(ranking, k, form):
    rel, scores = ranking
    orders = [p for p in permutations(range(len(rel))) if all(scores[a] >= scores[b] for a, b in pairwise(p))]
    values = [dcg([rel[i] for i in p], k, gain=form) for p in orders]
    close(dcg(rel, k, gain=form, scores=scores), math.fsum(values) / len(values))
    assert dcg(rel, k, gain=form, scores=scores, ties="best") == pytest.approx(max(values), rel=1e-14)
    assert dcg(rel, k, gain=form, scores=scores, ties="worst") == pytest.approx(min(values), rel=1e-14)
    inputs = [p for p in orders if all(scores[a] > scores[b] or a < b for a, b in pairwise(p))]
    assert len(inputs) == 1
    assert dcg(rel, k, gain=form, scores=scores, ties="first") == dcg([rel[i] for i in inputs[0]], k, gain=form)


@given(scored(), CUTOFF, st.randoms())
def test_input_order_is_irrelevant_when_ties_are_averaged(ranking, k, random):
    pairs = list(zip(*ranking))
    random.shuffle(pairs)
    rel, scores = map(list, zip(*pairs))
    close(ndcg(rel, k, scores=scores, empty=0), ndcg(ranking[0], k, scores=ranking[1], empty=0))


@given(scored(SMALL), CUTOFF)
def test_last_is_first_of_the_reversed_list(ranking, k):
    rel, scores = ranking
    assert dcg(rel, k, scores=scores, ties="last") == dcg(rel[::-1], k, scores=scores[::-1], ties="first")


@given(lists(), lists(), CUTOFF, FORMS, st.floats(1.01, 100))
def test_the_base_of_the_logarithm_cancels(rel, missed, k, form, base):
    both = [ndcg(rel, k, gain=form, discount=d, pool=rel + missed, empty=0) for d in ("log2", ("log", base))]
    close(*both)


@given(lists(st.integers(0, 1)), CUTOFF)
def test_both_forms_agree_on_0_and_1(rel, k):
    assert dcg(rel, k, gain="exp") == dcg(rel, k, gain="linear")


@given(st.one_of(st.integers(2, 332), st.floats(0.01, 0.99), st.floats(1.01, 332)))
def test_and_only_there(grade):
    assert dcg([grade], gain="exp") != dcg([grade], gain="linear")


@given(lists(SMALL, min_size=2), st.data(), FORMS, DISCOUNTS)
def test_moving_a_better_grade_up_never_lowers_dcg(rel, data, form, weights):
    i, j = sorted(data.draw(st.lists(st.integers(0, len(rel) - 1), min_size=2, max_size=2, unique=True)))
    rel[i], rel[j] = min(rel[i], rel[j]), max(rel[i], rel[j])
    better = [*rel[:i], rel[j], *rel[i + 1 : j], rel[i], *rel[j + 1 :]]
    before, after = (dcg(x, gain=form, discount=weights) for x in (rel, better))
    assert after >= before * (1 - 1e-14)


@given(lists(), lists(), lists(min_size=1), CUTOFF, FORMS)
def test_more_unretrieved_documents_never_raise_ndcg(rel, missed, more, k, form):
    few = ndcg(rel, k, gain=form, pool=rel + missed, empty=1)
    assert ndcg(rel, k, gain=form, pool=rel + missed + more, empty=1) <= few


@given(scored(), lists(), st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True).map(sorted), FORMS, TIES)
def test_several_cutoffs_equal_separate_calls(ranking, missed, ks, form, ties):
    rel, scores = ranking
    kw = {"gain": form, "pool": rel + missed, "scores": scores, "ties": ties, "empty": 0}
    assert ndcg(rel, ks, **kw).tolist() == [ndcg(rel, k, **kw) for k in ks]


@given(st.lists(scored(), min_size=1, max_size=6), CUTOFF, st.sampled_from(["linear", "exp"]), DISCOUNTS, TIES)
def test_ragged_equals_one_at_a_time(rankings, k, form, weights, ties):
    rel, scores = map(list, zip(*rankings))
    kw = {"gain": form, "discount": weights, "ties": ties}
    alone = [ndcg(r, k, scores=s, empty=0, **kw) for r, s in rankings]
    assert ndcg(rel, k, scores=scores, empty=0, **kw).tolist() == alone
    assert ndcg(rel, k, discount=weights, empty=0).tolist() == [ndcg(r, k, discount=weights, empty=0) for r in rel]
    for measure in (cg, idcg):
        assert measure(rel, k).tolist() == [measure(r, k) for r in rel]


@pytest.mark.filterwarnings("ignore:rel has the shape")  # a column of one is noted, and computed
@given(hnp.arrays(np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=20), elements=st.integers(0, 4)), CUTOFF)
def test_a_table_equals_one_at_a_time(table, k):
    values = ndcg(table, k, empty=0)
    assert (
        values.tolist() == [ndcg(row, k, empty=0) for row in table] == [ndcg(row.tolist(), k, empty=0) for row in table]
    )


@given(lists(st.integers(0, 30)), lists(st.integers(0, 30)), CUTOFF, st.sampled_from(["linear", "exp", "binary"]))
def test_the_short_road_arrives_at_the_same_bits(rel, missed, k, form):
    pool = rel + missed
    for weights in ("log2", "zipf"):
        kw = {"gain": form, "discount": weights}
        assert dcg(rel, k, **kw) == dcg(np.array(rel, float), k, **kw)
        assert ndcg(rel, k, pool=pool, empty=0, **kw) == ndcg(
            np.array(rel, float), k, pool=np.array(pool), empty=0, **kw
        )


@pytest.mark.parametrize("unit", [1e-100, 1e100])
def test_the_smallest_and_the_largest_gains(unit: float) -> None:
    rel = [0, 1, 2]
    pool = [0, 1, 2, 2, None]
    table = {0: 0, 1: unit, 2: unit}
    ones = {"gain": "binary"}
    assert dcg(rel, gain=table) == pytest.approx(unit * dcg(rel, **ones), rel=1e-12, abs=0)
    for measure in (ndcg, minmax_ndcg, lambda x, **how: bounds(x, 2, pool=pool, grades=[0, 1, 2], **how)):
        assert measure(rel, gain=table) == pytest.approx(measure(rel, **ones), rel=1e-12, abs=0)
    assert explain(rel, gain=table).idcg == pytest.approx(unit * idcg(rel, **ones), rel=1e-12, abs=0)


@pytest.mark.parametrize("bad", [1.1e100, 9e-101, 1e300, 5e-324])
def test_a_gain_out_of_range_is_refused_by_place(bad: float) -> None:
    measures = [
        ndcg,
        dcg,
        cg,
        gain,
        penalized_ndcg,
        lambda x: bounds(x, grades=[0, 1]),
        lambda x: ips_dcg(x, [0.5] * 3),
    ]
    for measure in measures:
        for rel in ([1, bad, 0], np.array([1, bad, 0])):
            with pytest.raises(
                ValueError, match=r"^(rel|clicks)\[1\] is .*, with gain .*, and gains go from 1e-100 to"
            ):
                measure(rel)
    with pytest.raises(ValueError, match=r"^rel\[1\]\[2\] is 7, with gain .*: rescale the grades, or give gains of"):
        ndcg([[1, 2], [2, 1, 7]], gain={1: 1, 2: 2, 7: bad})
    with pytest.raises(ValueError, match=r"^pool\[0\] is 333, with gain 1.75e[+]100"):
        ndcg([1, 2], pool=[333, 1, 2], gain="exp")
    with pytest.raises(ValueError, match=r"^discount of rank 2 is .*: weights must be 0, or from 1e-100 to 1e100"):
        dcg([1, 2], discount=[1, bad])


@given(scored(), lists(min_size=1))
def test_inputs_are_left_alone(ranking, missed):
    rel, scores = (np.array(x, float) for x in ranking)
    pool = np.concatenate([rel, missed])
    before = [x.tobytes() for x in (rel, scores, pool)]
    for array in (rel, scores, pool):
        array.setflags(write=False)
    for ties in ("average", "worst"):
        ndcg(rel, 3, gain=np.sqrt, scores=scores, pool=pool, ties=ties, empty=0)
    gain(rel), cg(rel, scores=scores), dcg(rel, scores=scores), idcg(pool)
    assert [x.tobytes() for x in (rel, scores, pool)] == before


def test_whole_grades_have_exact_exponential_gains():
    assert gain(range(333), "exp").tolist() == [float(2**grade - 1) for grade in range(333)]


def test_a_score_of_minus_infinity_is_not_retrieved():
    for ties in ("average", "first", "last", "best", "worst"):
        value = ndcg([3, 2, 1, 3], scores=[0.2, -np.inf, 0.9, -np.inf], ties=ties)
        assert value == pytest.approx((1 + 3 * discount(2)) / idcg([3, 3, 2, 1]), rel=1e-15)


def test_a_list_that_is_not_reached_is_worth_nothing() -> None:
    assert ndcg([1, 2], 5, ideal="reached", empty=1) == 0  # which is no 0/0
    assert ndcg([0, 0], 5, ideal="reached", empty=1) == 1  # and this is


def test_binary_with_its_range_is_binary() -> None:
    assert ndcg([3], pool=[1, 0], gain=("binary", range(5))) == ndcg([3], pool=[1, 0], gain="binary") == 1


@pytest.mark.parametrize("measure", [cg, dcg, idcg, ndcg, gain], ids=lambda m: m.__name__)
def test_a_gain_function_sees_every_grade_once_and_rising(measure) -> None:
    seen: list = []

    def form(grades: np.ndarray) -> np.ndarray:
        seen.append(grades.tolist())
        return grades**2

    rel = [3, 2, 3, 0, 1, 2]
    measure(rel, gain=form) if measure is not gain else gain(rel, form)
    assert seen == [[0, 1, 2, 3]]
    ndcg([3, 2], pool=[3, 2, 5], gain=form)
    assert seen[1:] == [[2, 3, 5]]
