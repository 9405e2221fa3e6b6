"""Unjudged results: grades that are assumed, clicks, what samples say, bounds; and all of it like a tool."""

import tracemalloc
import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from conftest import half

from ndcg_nb import bounds, dcg, inf_ndcg, ips_dcg, judged, ndcg
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.core.queries import read_query
from ndcg_nb.unjudged import assume, condense, condensed_ndcg

nan = float("nan")
inf = float("inf")
rng = np.random.default_rng(13)


def holed(n: int, grades: list, chance: float) -> list:
    return [nan if rng.random() < chance else float(rng.choice(grades)) for _ in range(n)]


def peak(call: Callable[[], object]) -> int:
    "The most memory that was in use at once, in bytes"
    tracemalloc.start()
    call()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


# Grades and clicks


@pytest.mark.parametrize("grades", [[1, 2, 0], [True, True, False], [1.0, 2.0, 0.0]])
def test_a_masked_grade_is_unjudged(grades: list) -> None:
    masked = np.ma.masked_array(grades, mask=[False, True, False])
    holes = [float(grades[0]), nan, 0.0]
    assert condense(masked).tolist() == condense(holes).tolist() == [1, 0]
    assert assume(masked, 3).tolist() == [1, 3, 0]
    assert judged(masked) == 2 / 3
    assert condensed_ndcg(masked) == condensed_ndcg(holes)
    assert bounds(masked, grades=[0, 1, 2]) == bounds(holes, grades=[0, 1, 2])
    assert condense(np.ma.stack([masked, masked])).tolist() == [[1, 0], [1, 0]]
    with pytest.raises(ValueError, match="masked, which means unjudged"):
        ndcg(masked)


@pytest.mark.parametrize("kind", ["f2", "f4"])
def test_clicks_are_weighed_in_double_precision(kind: str) -> None:
    clicks = np.ones(2, kind)
    chance = np.array([0.1, 0.3], kind)
    exact = [Fraction(float(c)) / Fraction(float(p)) for c, p in zip(clicks, chance)]
    assert ips_dcg(clicks, chance) == dcg([float(x) for x in exact])
    assert ips_dcg(clicks, chance, clip=0.2) == dcg([1 / 0.2, float(exact[1])])
    assert ips_dcg(clicks, chance, clip=Fraction(1, 5)) == ips_dcg(clicks, chance, clip=0.2)


def test_what_is_assumed_is_kept() -> None:
    for kind in ("f2", "f4", "f8"):
        for grade in (2049, 70000, 1e300, 0.1):
            assert assume(np.array([1, nan], kind), grade).tolist() == [1, grade]
    assert assume([[1, 2], [3, None]]).dtype == assume(np.array([1, 2], np.int8)).dtype == np.float64
    assert assume([1, None], Fraction(1, 2)).tolist() == [1, 0.5]
    for grade in (10**400, Fraction(10**400), np.float64("inf")):
        with pytest.raises(ValueError, match="give a finite number"):
            assume([1, None], grade)


def test_columns_with_missing_values() -> None:
    column = pd.array([1, None, 2], dtype="Int64")
    assert judged(column) == 2 / 3
    assert condense(column).tolist() == [1, 2]
    assert assume(column, 3).tolist() == [1, 3, 2]
    assert condensed_ndcg(column) == ndcg([1, 2])
    assert bounds(column, grades=range(3)) == bounds([1, None, 2], grades=range(3))


# Inferred


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_inferred_refuses_ties_by_grade(ties: str) -> None:
    with pytest.raises(ValueError, match=f"ties is '{ties}', which depends on the grades that are unknown"):
        inf_ndcg([1, nan], ["a", "a"], {"a": [1, nan]}, scores=[1, 1], ties=ties)


def test_inferred_says_what_a_pool_is() -> None:
    for pool in ([1, 0, None], [3, 2], "ab", 3, [[1]]):
        with pytest.raises(TypeError, match=r"pool is .*: give a table \{stratum: grades\}"):
            inf_ndcg([1], ["a"], pool)
    for pool in ([1, 0, None], [{"a": [1]}] * 3):
        with pytest.raises(TypeError, match=r"give a table \{stratum: grades\}, one for each of 2 lists"):
            inf_ndcg([[1], [0]], [["a"], ["a"]], pool)


# Bounds


def told_of(rel: object, place: str, **given: object) -> None:
    "A grade that is not among those that can be given is warned of, once"
    with pytest.warns(UserWarning) as caught:
        bounds(rel, **given)
    [warning] = caught
    text = "which is not among grades: grades= should list every grade a judge could have given"
    assert str(warning.message) == f"{place}, {text}"
    assert warning.filename == __file__


def test_a_grade_that_cannot_be_given() -> None:
    told_of([3, None, 1], "rel[0] is 3.0", grades=[0, 1])
    told_of([[1, 0], [nan, 2], [5, 5]], "rel[1][1] is 2.0", grades=[0, 1])
    told_of([1, None], "pool[2] is 0.5", grades=[0, 1], pool=[1, None, 0.5, 7])
    told_of(np.array([0, nan, 1], "f4"), "rel[2] is 1.0", grades=[0, 0.7])
    single = np.array([0.1, nan, 0.7], np.float32)
    exact = bounds([0.1, nan, 0.7], grades=[0, 0.1, 0.7])
    assert bounds(single, grades=[0, 0.1, 0.7]) == pytest.approx(exact, rel=1e-7), "single precision is no other grade"
    with pytest.warns(UserWarning):
        rounded = bounds(np.array([0, nan, 1], "f4"), grades=[0, 0.7])
    every = [ndcg([0, g, 1]) for g in (0, 0.7)]
    assert rounded == (min(every), max(every))


def test_bounds_in_little_space() -> None:
    distinct = rng.random(4000)
    distinct[::2] = nan
    for grades in ([0, 1], [0, 1, *distinct[1::2].tolist()]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert peak(lambda grades=grades: bounds(distinct, grades=grades)) < 64e6


@pytest.mark.filterwarnings("ignore:.*not among grades")
def test_bounds_do_not_depend_on_how_many_are_done_at_once() -> None:
    for _ in range(25):
        grades = [[0, 1, 2], [1, 2], [0, 0.3, 0.7, 2], [2]][rng.integers(4)]
        lists = [holed(int(rng.integers(0, 9)), [0, 1, 2, 0.5], 0.4) for _ in range(6)]
        pool = [g for x in lists for g in x if g == g]
        pool += [nan] * int(rng.choice([0, 9, 12]))
        scores = [(rng.integers(0, 4, len(x)) / 2).tolist() for x in lists]
        if rng.random() < 0.5:
            scores = [None] * len(lists)
        ties = str(rng.choice(["average", "first", "last"]))
        how = {"grades": grades, "pool": pool, "empty": 0, "ties": ties}
        together = bounds(lists, [1, 3, 50], scores=None if scores[0] is None else scores, **how)
        alone = [bounds(x, [1, 3, 50], scores=s, **how) for x, s in zip(lists, scores)]
        assert together.low.tolist() == [x.low.tolist() for x in alone]
        assert together.high.tolist() == [x.high.tolist() for x in alone]


def test_tied_results_share_their_weights() -> None:
    q = read_query([[1], [0, 0, 0, 0]], scores=[[3], [1, 2, 2, -inf]])
    assert q.ranking().weigh_given(np.array([1, 0.5, 0.25]), 5).tolist() == [1, 0.25, 0.75, 0.75, 0]
    ids = {"ids": ["b", "a", "d", "c"], "ties": "id"}
    q = read_query([0, 0, 0, 0], scores=[1, 2, 2, 2], **ids)
    assert q.ranking().weigh_given(np.array([1, 0.5, 0.25]), 4).tolist() == [0, 0.25, 1, 0.5]


# As other tools have it


def every_value(rel: list, k: int | None, pool: list, scores: np.ndarray, ids: np.ndarray, **how: object) -> np.ndarray:
    "nDCG under every grading of the holes, grades 0 to 2"
    hole = np.isnan(rel)
    in_list = int(hole.sum())
    in_pool = int(np.isnan(pool).sum())
    gradings = np.array([*product(range(3), repeat=max(in_list, in_pool))], float)
    shown, scores, ids, known = (np.tile(x, (len(gradings), 1)) for x in (rel, scores, ids, condense(pool)))
    shown[:, hole] = gradings[:, :in_list]
    pools = np.hstack([known, gradings])
    return np.asarray(ndcg(shown, k, pool=pools, scores=scores, ids=ids, **how))


@pytest.mark.parametrize("tool", half(DIALECTS))
def test_as_a_tool_has_it(tool: str) -> None:
    whole = DIALECTS[tool]
    attained = 0
    unknowable = "ties" if whole.ties in ("best", "worst") else "ideal" if whole.ideal not in ("pool", "list") else ""
    unknowable = unknowable or "decimals" * (whole.decimals is not None)
    for _ in range(25):
        n = int(rng.integers(1, 6))
        k = [None, 3][rng.integers(2)]
        k = 3 if whole.ideal == "full" else k  # which needs a cutoff
        rel = holed(n, [0, 1, 2], 0.4)
        pool = [*rel, *holed(int(rng.integers(0, 3)), [0, 1, 2], 0.3)]
        scores = rng.choice([-inf, 3, 2, 2 + 1e-9], n)
        ids = rng.permutation(list("abcdefgh"))[:n]
        how = {"like": tool, "empty": nan}
        known = ~np.isnan(rel)
        expected = ndcg(condense(rel), k, pool=condense(pool), scores=scores[known], ids=ids[known], **how)
        how |= {"scores": scores, "ids": ids}
        assert condensed_ndcg(rel, k, pool=pool, **how) == pytest.approx(expected, abs=0, nan_ok=True)
        if unknowable:
            with pytest.raises(ValueError, match=f"{unknowable} is {getattr(whole, unknowable)!r}"):
                bounds(rel, k, grades=range(3), pool=pool, **how)
            continue
        ours = bounds(rel, k, grades=range(3), pool=pool, **how)
        every = every_value(rel, k, pool, **how)
        if not np.isnan(every).all():
            ends = np.nanmin(every), np.nanmax(every)
            assert ours == pytest.approx(ends, abs=1e-14)
            attained += ours.low in every and ours.high in every
    assert unknowable or attained > 10


def test_inferred_as_a_tool_has_it() -> None:
    strata = {"s": [0, 1, 2, 2, 1, 0, 3]}
    shown = [2, 0, 1, 3]
    for tool, whole in DIALECTS.items():
        given = {"scores": [1, 2, 2 + 1e-9, 0], "ids": list("dabc")}
        if whole.ties in ("best", "worst") or whole.decimals is not None:
            with pytest.raises(ValueError, match=r"ties is|decimals is"):
                inf_ndcg(shown, ["s"] * 4, strata, 3, like=tool, **given)
            continue
        ours = inf_ndcg(shown, ["s"] * 4, strata, 3, like=tool, **given)
        other = ndcg(shown, 3, pool=strata["s"], like=tool, ideal="pool", **given)
        assert ours == pytest.approx(other, rel=1e-14)
    with pytest.raises(TypeError, match="unexpected keyword"):
        inf_ndcg(shown, ["s"] * 4, strata, ideal="list")


def test_a_cutoff_beyond_all_numbers() -> None:
    values = judged([[1, nan], [0, 1]], [10**30, 1])
    assert values.dtype == float
    assert values.tolist() == [[0.5, 1], [1, 1]]


@pytest.mark.parametrize("precision", ["f2", "f4", "f8"])
def test_no_chance_at_all_is_refused_in_any_precision(precision: str) -> None:
    with pytest.raises(ValueError, match=r"propensity\[1\] is 0.0"):
        ips_dcg([1, 0], np.array([1, 0], precision))
    assert ips_dcg([1], np.array([1e-12], "f4")) > 9e11  # which in 32 bits is a little less
