"""Part II against slow readings: every grading, every order, every sample tried."""

import json
from itertools import permutations, product
from math import log2

import numpy as np
import pytest
from conftest import EXAMPLES, ROOT

from ndcg_nb import (
    alpha_ndcg,
    bounds,
    dcg,
    discount,
    gain_recall,
    idcg,
    inf_ndcg,
    intent_ndcg,
    ips_dcg,
    judged,
    minmax_ndcg,
    ndcg,
    penalized_ndcg,
)
from ndcg_nb.coverage import ncg, ndcg_at_r, tied_ndcg
from ndcg_nb.missing import pad
from ndcg_nb.unjudged import assume, condensed_ndcg

nan = float("nan")
DISCOUNTS = ["log2", "zipf", ("jk", 2), ("power", 0.3), [1, 1, 0.5, 0.5, 0.2, 0.1, 0, 0, 0, 0]]
rng = np.random.default_rng(7)
MANY = EXAMPLES / 150


@pytest.fixture(autouse=True)
def start() -> None:
    "Each test draws the same, whichever ran before it"
    rng.bit_generator.state = np.random.default_rng(7).bit_generator.state


def times(count: int) -> range:
    return range(int(count * MANY))


def grades_of(low: int, high: int, count: int) -> list[int]:
    return rng.integers(low, high, count).tolist()


def some(*choices: object) -> object:
    return choices[rng.integers(len(choices))]


# Bad results


def test_penalized() -> None:
    for _ in times(2000):
        rel = grades_of(-2, 4, rng.integers(1, 8))
        pool = rel + grades_of(-2, 4, rng.integers(0, 4))
        k = some(None, 1, 3, 9)
        d = some(*DISCOUNTS)
        how = {"discount": d, "pool": pool, "empty": 0}
        price = float(rng.choice([0, 0.5, 1, 3]))
        plain = ndcg(rel, k, gain=lambda g: np.maximum(g, 0), **how)
        ours = penalized_ndcg(rel, k, penalty=price, **how)
        assert ours <= plain + 1e-15
        if price == 0 or min(rel) >= 0:
            assert ours == plain
        best = sorted([max(g, 0) for g in pool], reverse=True)
        depth = min(k or 10, 10)
        weights = discount(range(1, 11), d)
        charged = [g if g >= 0 else -price for g in rel[:depth]]
        total = sum(g * w for g, w in zip(charged, weights))
        ideal = sum(g * w for g, w in zip(best[:depth], weights))
        expected = total / ideal if ideal else 0
        assert ours == pytest.approx(expected, abs=1e-12)
    lists = [[1, -1], [2, 0, -1]]
    how = {"penalty": {-1: 2}, "gain": {0: 0, 1: 1, 2: 3}}
    mixed = penalized_ndcg(lists, [1, 2], **how)
    alone = [penalized_ndcg(x, k=[1, 2], **how).tolist() for x in lists]
    assert mixed.tolist() == alone
    assert penalized_ndcg([-1, 1], scores=[-np.inf, 1]) == 1, "what is not retrieved costs nothing"
    assert np.isnan(penalized_ndcg([-1], empty=nan))
    assert penalized_ndcg([1, 0], below=0.5, penalty=1) < 1
    for form in ({1: 1, 2: 3}, lambda g: 2.0**g - 1):  # a list of nothing but bad results needs no gain
        ours = penalized_ndcg([-1, -1], pool=[2, 1, -1, -1], gain=form)
        second = 1 / log2(3)
        assert ours == pytest.approx(-(1 + second) / (3 + second))


def test_minmax() -> None:
    for _ in times(400):
        pool = grades_of(-3, 4, rng.integers(2, 6))
        k = some(None, 1, 2, 4)
        d = some("log2", "zipf", ("jk", 2))
        k = k and min(k, len(pool))
        shown = rng.permutation(pool).tolist()[:k]
        every = [dcg(order, k, discount=d) for order in permutations(pool)]
        low = min(every)
        high = max(every)
        how = {"discount": d, "pool": pool, "empty": 0.25}
        ours = minmax_ndcg(shown, k, **how)
        if high - low < 1e-12:
            assert ours == 0.25
        else:
            assert 0 <= ours <= 1
            here = dcg(shown, k, discount=d)
            assert ours == pytest.approx((here - low) / (high - low), abs=1e-12)
        a = float(rng.uniform(0.1, 5))
        b = float(rng.uniform(-9, 9))
        moved = minmax_ndcg(shown, k, gain=lambda g, a=a, b=b: a * g + b, **how)
        assert moved == pytest.approx(ours, abs=1e-10)
    lists = [[-1, 2, 0], [1, -3], [-2, -1, -5, -4]]
    assert minmax_ndcg(lists).tolist() == [minmax_ndcg(x) for x in lists], "pools of different lengths do not mix"
    assert minmax_ndcg([[1, 0], [0, 1]], pool=[1, 0]).tolist() == [1, 0]
    for order in permutations([0.1, 0.3, 1.0]):
        assert minmax_ndcg(order, discount=("power", 0), empty=0.5) == 0.5, "rounding is no difference"
    with pytest.warns(RuntimeWarning, match="no order is better"):
        three = [[1, 1, 0], [0, 0, 1], [2, 2, 2]]
        some_cutoffs = minmax_ndcg(three, [1, 3], discount=[1, 1, 1], empty="skip")
    assert some_cutoffs[:, 0].tolist() == [1, 0]
    assert np.isnan(some_cutoffs[:, 1]).all()


# Missing and equally good results


def test_pad() -> None:
    assert pad([[3], [2, 1]], 3).tolist() == [[3, 0, 0], [2, 1, 0]]
    assert pad([1, 2, 3], 2).tolist() == [1, 2, 3]
    short, long = pad([[3], [2, 1, 1]], 2)
    assert short.tolist() == [3, 0]
    assert long.tolist() == [2, 1, 1]
    assert pad([1], 2).dtype.kind == "i"
    assert pad([], 2).tolist() == [0, 0]
    for _ in times(200):
        rel = grades_of(0, 4, rng.integers(0, 6))
        pool = [*rel, 2, 1]
        k = int(rng.integers(1, 9))
        assert ndcg(pad(rel, k), k, pool=pool) == ndcg(rel, k, pool=pool)


def test_pad_to_a_size_beyond_all_measure() -> None:
    for k in (10**30, 2**63, 2**63 - 1):
        with pytest.raises(ValueError, match=r"k is [0-9.]+: no array can hold so many"):
            pad([1], k)


@pytest.mark.filterwarnings("ignore:scores are 1, 2, 3")
def test_coverage_of_many_lists() -> None:
    lists = [grades_of(0, 3, rng.integers(1, 9)) for _ in range(200)]
    pools = [x + grades_of(0, 3, 3) for x in lists]
    how = {"pool": pools, "empty": 0}
    every_at_r = ndcg_at_r(lists, **how)
    every_flat = ncg(lists, 3, **how)
    every_part = gain_recall(lists, 3, **how)
    for x, p, at_r, flat, part in zip(lists, pools, every_at_r, every_flat, every_part):
        relevant = sum(g > 0 for g in p)
        found = sum(x[:3])
        best = sum(sorted(p)[::-1][:3])
        if relevant:
            assert at_r == ndcg(x, relevant, pool=p)
            assert flat == pytest.approx(found / best)
            assert part == pytest.approx(found / sum(p))
        else:
            assert at_r == flat == part == 0
        assert part <= flat + 1e-15
    assert ndcg_at_r([[0], [1, 0], [0]], empty="skip").tolist() == [1]
    both = [[1, 0], [0, 1]]
    assert ndcg_at_r(both, pool=[1, 1, 0]).tolist() == ndcg(both, 2, pool=[1, 1, 0]).tolist()
    scored = ndcg_at_r([0, 1, 1], scores=[1, 2, 3])
    assert scored == 1


def novelty(document: set, seen: list, alpha: float) -> float:
    "The gain of a document below those that were seen"
    times_seen = [sum(s in d for d in seen) for s in document]
    return sum((1 - alpha) ** times for times in times_seen)


def greedy(pool: list, alpha: float, depth: int) -> list:
    "The greedy order, every gain computed anew at every step"
    left = list(pool)
    seen = []
    chosen = []
    while left and len(chosen) < depth:
        worth = [novelty(x, seen, alpha) for x in left]
        chosen.append(left.pop(worth.index(max(worth))))
        seen.append(chosen[-1])
    return chosen


def test_alpha_ndcg() -> None:
    beaten = 0
    for _ in times(600):
        serves = rng.random((rng.integers(1, 7), 4)) < 0.4
        pool = [set(np.flatnonzero(row).tolist()) for row in serves]
        shown = [pool[i] for i in rng.permutation(len(pool))[:4]]
        alpha = float(rng.choice([0, 0.25, 0.5, 1]))
        k = some(None, 1, 3)

        def total(documents: list, k: object = k, alpha: float = alpha) -> float:
            gains = [novelty(x, documents[:i], alpha) for i, x in enumerate(documents)]
            return dcg(gains, k)

        best = total(greedy(pool, alpha, k or 99))
        ours = alpha_ndcg(shown, k, alpha=alpha, pool=pool, empty=0)
        expected = total(shown) / best if best else 0
        assert ours == pytest.approx(expected, abs=1e-12)
        beaten += ours > 1 + 1e-12
        if alpha == 0:
            sizes = [len(x) for x in pool]
            plain = ndcg([len(x) for x in shown], k, pool=sizes, empty=0)
            assert ours == pytest.approx(plain)
    scored = alpha_ndcg([{1}, {2}, {1, 2}], scores=[2, -np.inf, 9])
    assert scored == alpha_ndcg([{1, 2}, {1}], pool=[{1, 2}, {1}, {2}])
    many = alpha_ndcg([[{1}], [{1}, {1}]], [1, 2], pool=[[{1}, {2}], [{1}, {1}]])
    assert many.tolist() == [[1, 1 / idcg([1, 1])], [1, 1]]
    assert alpha_ndcg([frozenset("ab"), {"c"}]) == 1 == alpha_ndcg([{1}, {2}], alpha=np.float32(0.5))
    assert alpha_ndcg([{1}, {2}, {1}], scores=np.array([0, 1, 2], np.uint8)) == 1, "unsigned scores are scores"


def test_the_greedy_ideal_has_its_share_of_the_best() -> None:
    beaten = 0
    for _ in range(300):
        sizes = rng.integers(2, 4, 5)
        pool = [set(rng.choice(6, size, replace=False).tolist()) for size in sizes]
        alpha = float(rng.choice([0.25, 0.5, 1]))
        k = int(rng.integers(1, 5))
        d = some("log2", "zipf", ("power", 0))
        orders = [list(order) for order in permutations(pool)]
        most = max(alpha_ndcg(orders, k, alpha=alpha, pool=pool, discount=d))
        share = 1 - (1 - 1 / k) ** k
        assert 1 - 1e-12 <= most <= 1 / share + 1e-12
        beaten += most > 1 + 1e-9
    assert beaten > 3, "or this tests nothing"


@pytest.mark.filterwarnings("ignore:scores are 1, 2, 3")
def test_intents() -> None:
    both = [[1, 0, 2, 0], [0, 3, 0, 1]]
    likely = [0.7, 0.3]
    expected = likely @ ndcg(both, [1, 2])
    np.testing.assert_allclose(intent_ndcg(both, likely, [1, 2]), expected, rtol=1e-12)
    pool = [[2, 2, 1, 0], [3, 1, 1, 0]]
    first, second = [[1, 2, 3, 4], [4, 3, 2, 2]]
    many = intent_ndcg([both, both], [likely, [1, 0]], 3, pool=[pool, pool], scores=[first, second], gain="exp")
    how = {"pool": pool, "gain": "exp"}
    one = intent_ndcg(both, likely, 3, scores=first, **how)
    other = intent_ndcg(both, [1, 0], 3, scores=second, **how)
    assert many.tolist() == [one, other]
    assert intent_ndcg([both], [likely]).shape == (1,)
    assert intent_ndcg([[1, 0], [0, 0]], [1, 0]) == 1, "what nobody means does not count"


def test_ties() -> None:
    for _ in times(300):
        n = int(rng.integers(1, 6))
        rel = grades_of(0, 4, n)
        scores = grades_of(0, 3, n)
        k = some(None, 1, 2, 3)
        ranked = sorted(scores, reverse=True)
        orders = [o for o in permutations(range(n)) if [scores[i] for i in o] == ranked]
        every = [ndcg([rel[i] for i in o], k, empty=0) for o in orders]
        found = tied_ndcg(rel, k, scores=scores, empty=0)
        assert found.worst <= found.average + 1e-15
        assert found.average <= found.best + 1e-15
        expected = [min(every), np.mean(every), max(every)]
        assert [*found] == pytest.approx(expected, abs=1e-12)
    assert str(tied_ndcg([[1, 0], [0, 1]], scores=[[1, 1], [1, 2]])) == "[0.815 (0.631 to 1.000), 1.000]"
    assert str(tied_ndcg([0, 0], scores=[1, 1], empty=nan)) == "nan"
    with pytest.warns(RuntimeWarning) as caught:
        tied_ndcg([0, 0], scores=[1, 1])
    assert len(caught) == 1
    assert caught[0].filename == __file__


# Unjudged results


def fillings(rel: list, pool: list, grades: list) -> list:
    "The list and its pool under every grading of the holes"
    holes = np.isnan(rel)
    in_list = int(holes.sum())
    in_pool = int(np.isnan(pool).sum())
    known = [g for g in pool if g == g]
    every = []
    for grading in product(grades, repeat=max(in_list, in_pool)):
        shown = np.array(rel, float)
        shown[holes] = grading[:in_list]
        every.append((shown.tolist(), [*known, *grading]))
    return every


def holed(n: int, grades: list, chance: float) -> list:
    return [nan if rng.random() < chance else float(rng.choice(grades)) for _ in range(n)]


@pytest.mark.filterwarnings("ignore:.*not among grades")
@pytest.mark.parametrize("part", range(4))
def test_bounds_are_those_of_every_grading(part: int) -> None:
    missed_by_zero = missed_by_best = 0
    for _ in times(750):
        grades = some([0, 1], [0, 1, 2], [0, 1, 3], [1, 2], [0, 2, 5])
        shown = holed(int(rng.integers(1, 7)), some(grades, [0, 1, 2, 3, 4]), 0.5)
        holes_above = np.isnan([0, *shown[:-1]]).cumsum()
        rel = [g if above < 4 else 1.0 for g, above in zip(shown, holes_above)]
        pool = rel + holed(int(rng.integers(0, 3)), grades, 0.3)
        k = some(None, 1, 2, 3, 5)
        d = some(*DISCOUNTS)
        form = some("linear", "exp", "binary")
        scores = some(None, grades_of(0, 3, len(rel)))
        ties = some("average", "first", "last")
        empty = some(0, 1, nan)
        how = {"gain": form, "discount": d, "scores": scores, "ties": ties, "empty": empty}
        shown, judged = zip(*fillings(rel, pool, grades))
        alike = {"scores": scores and [scores] * len(shown)}
        every = ndcg([*shown], k, pool=[*judged], **how | alike)
        ours = bounds(rel, k, grades=grades, pool=pool, **how)
        if np.isnan(every).all():
            assert np.isnan(ours).all()
            continue
        low = np.nanmin(every)
        high = np.nanmax(every)
        assert ours == pytest.approx((low, high), abs=1e-14)
        missed_by_zero += every[0] > low + 1e-9
        missed_by_best += every[-1] < high - 1e-9
    least = 50 * MANY
    assert min(missed_by_zero, missed_by_best) > least, "the easy guesses must fail often, or this tests nothing"


@pytest.mark.filterwarnings("ignore:.*not among grades")
def test_bounds_of_many_lists_and_cutoffs() -> None:
    lists = [holed(int(rng.integers(0, 9)), [0, 1, 2], 0.3) for _ in range(60)]
    pools = [[*x, *holed(2, [0, 1, 2], 0.5)] for x in lists]
    scores = [rng.random(len(x)).tolist() for x in lists]
    how = {"grades": [0, 1, 2], "empty": 0}
    together = bounds(lists, [1, 4], pool=pools, scores=scores, **how)
    alone = [bounds(x, [1, 4], pool=p, scores=s, **how) for x, p, s in zip(lists, pools, scores)]
    assert together.low.tolist() == [x.low.tolist() for x in alone]
    assert together.high.tolist() == [x.high.tolist() for x in alone]
    lists = [[1, nan], [nan, 0]]
    how = {"grades": [0, 1], "pool": [1, 1, 0, nan]}
    shared = bounds(lists, **how)
    assert shared.low.tolist() == [bounds(x, **how).low for x in lists]
    whole = ndcg([3, 2, 0, 1])
    assert bounds([3, 2, 0, 1], grades=[0, 3]) == (whole, whole)
    assert bounds([0, 0, nan], grades=[0, 1], pool=[nan]) == (0.5, 0.5), "results outside the pool keep their rank"
    assert bounds([[0], [nan]], grades=[0, 1], empty="skip").high.tolist() == [1]
    assert bounds([], grades=[0, 1], pool=[nan, nan]) == (0, 0)
    with pytest.warns(RuntimeWarning, match="1 of 2 lists") as caught:
        bounds([[0], [nan]], grades=[0, 1])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with pytest.warns(RuntimeWarning, match="of this list"):
        bounds([0, 0], grades=[0, 1])
    large = bounds([332, nan, 331], grades=[0, 332], gain="exp")
    assert large == pytest.approx(bounds([60, nan, 59], grades=[0, 60], gain="exp"), rel=1e-12)
    single = np.array([0.1, nan], np.float32)
    mixed = bounds(single, grades=[0, 1], pool=single)
    assert mixed.high == 1


def test_as_many_unknown_documents_as_ranks_are_as_bad_as_any_number() -> None:
    for _ in times(100):
        rel = [1.0, *holed(5, [0, 1, 2], 0.4)]
        k = int(rng.integers(1, 7))
        few, enough, many = (bounds(rel, k, grades=range(3), pool=rel + [nan] * n) for n in (k - 1, k, k + 9))
        assert enough == many
        assert few.low >= many.low
        assert few.high == many.high
        lowest = dcg(assume(rel), k) / dcg([2] * k)
        assert many.low == pytest.approx(lowest), "nothing good shown, everything missed"


def test_no_lists_at_all() -> None:
    none = np.empty((0, 3))
    for measure in (ndcg, ndcg_at_r, condensed_ndcg, penalized_ndcg, judged, gain_recall):
        assert measure(none).shape == (0,)
    assert bounds(none, [1, 2], grades=[0, 1]).low.shape == (0, 2)
    assert ndcg(pad(none, 5)).shape == (0,)


def test_condensed_and_judged() -> None:
    for _ in times(300):
        rel = holed(int(rng.integers(1, 8)), [0, 1, 2], some(0, 0.4))
        pool = [*rel, 2.0, nan]
        k = some(None, 1, 3)
        scores = rng.permutation(len(rel)).astype(float).tolist()
        ordered = [rel[i] for i in np.argsort(scores)[::-1]]
        known = [g for g in ordered if g == g]
        expected = ndcg(known, k, pool=[g for g in pool if g == g])
        assert condensed_ndcg(rel, k, pool=pool, scores=scores) == expected
        assert condensed_ndcg(ordered, k, pool=pool) == expected
        is_judged = ~np.isnan(ordered[:k])
        assert judged(rel, k, scores=scores) == judged(ordered, k) == is_judged.mean()
    assert judged([[1, nan], [nan]], [1, 2]).tolist() == [[1, 0.5], [0, 0]]
    assert np.isnan(judged([]))
    assert judged([1, nan], 1, scores=[1, 1]) == 0.5
    assert judged([1, nan], 5, scores=[1, -np.inf]) == 1
    one, two = assume([[nan], [1, None]], 2)
    assert one.tolist() == [2]
    assert two.tolist() == [1, 2]


def test_inferred_against_the_organisers_program() -> None:
    topics = json.loads((ROOT / "tests/golden/inf_ndcg.json").read_text("utf-8"))
    lists = []
    strata = []
    pools = []
    for topic in topics:
        # A stratum of which nothing was judged says nothing; we ask that it be left out.
        pool = {s: docs for s, docs in topic["pool"].items() if any(g is not None for g in docs.values())}
        where = {doc: s for s, docs in pool.items() for doc in docs}
        grades = {doc: grade for docs in pool.values() for doc, grade in docs.items()}
        lists.append([grades.get(doc) for doc in topic["run"]])
        strata.append([where.get(doc) for doc in topic["run"]])
        pools.append({s: [*docs.values()] for s, docs in pool.items()})
    ours = inf_ndcg(lists, strata, pools, empty=0)
    assert len(topics) == 20
    for topic, value in zip(topics, ours):
        assert value == pytest.approx(topic["infNDCG"], abs=5e-16, rel=5e-16)
        assert f"{value:.4f}" == topic["printed"]
    cut = inf_ndcg(lists, strata, pools, [100, 1000], empty=0)
    assert cut[:, 1].tolist() == ours.tolist()


def test_inferred_with_all_judged_is_ndcg() -> None:
    for _ in times(100):
        pool = grades_of(0, 4, 12)
        where = grades_of(0, 3, 12)
        strata = {s: [g for g, w in zip(pool, where) if w == s] for s in range(3)}
        shown = rng.permutation(12)[:8]
        rel = [pool[i] for i in shown]
        form = some("linear", "exp", lambda g: g**2)
        how = {"gain": form, "empty": 0}
        ours = inf_ndcg(rel, [where[i] for i in shown], strata, [3, 8], **how)
        np.testing.assert_allclose(ours, ndcg(rel, [3, 8], pool=pool, **how), rtol=0, atol=1e-14)


def test_ips_is_right_on_average() -> None:
    for _ in range(20):
        n = 5
        relevant = rng.integers(0, 2, n)
        chance = rng.uniform(0.1, 1, n)
        scores = rng.permutation(n).astype(float)
        examined = np.array(list(product([0, 1], repeat=n)))
        likely = np.where(examined, chance, 1 - chance).prod(axis=1)
        tiled, chances = (np.tile(x, (2**n, 1)) for x in (scores, chance))
        ips = ips_dcg(examined * relevant, chances, 4, scores=tiled, discount="zipf")
        assert likely @ ips == pytest.approx(dcg(relevant, 4, scores=scores, discount="zipf"))
    assert ips_dcg([1, 1], [0.1, 1], clip=0.5) == 2 + 1 / log2(3)
