"""Large tables take shortcuts: they rank only what can reach the top, in blocks. A slow, simple reading must agree."""

import tracemalloc
from itertools import groupby
from math import expm1, log, log2

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ndcg_nb import dcg, dialect, evaluate, explain, gain, idcg, ndcg
from ndcg_nb.hood.core import lists
from ndcg_nb.hood.core.rankings import rank_gains, rank_plainly
from ndcg_nb.hood.core.sums import BLOCK


def slow_dcg(rel, scores, k, ties, worth) -> float:
    "Sort, settle each group of ties, add up from the top"
    documents = sorted(zip(scores, range(len(rel)), rel), key=lambda d: -d[0])
    shown = []
    for score, group in groupby(documents, key=lambda d: d[0]):
        group = list(group)
        gains = [0.0 if score == -np.inf else float(worth(g)) for _, _, g in sorted(group, key=lambda d: d[1])]
        if ties == "average":
            gains = [sum(gains) / len(gains)] * len(gains)
        elif ties != "first":
            gains = {"last": gains[::-1], "best": sorted(gains, reverse=True), "worst": sorted(gains)}[ties]
        shown += gains
    return sum(g / log2(i + 2) for i, g in enumerate(shown[:k]))


def slow_idcg(rel, k, worth) -> float:
    return sum(g / log2(i + 2) for i, g in enumerate(sorted((worth(r) for r in rel), reverse=True)[:k]))


def score_table(kind: str, shape, rng) -> np.ndarray:
    if kind == "distinct":
        return rng.normal(size=shape)
    if kind == "tied":
        return rng.integers(-3, 4, shape) / 7
    if kind == "constant":
        return np.zeros(shape)
    near = 1 + rng.integers(0, 3, shape) * 2.0**-52  # differ in the last bits only
    return np.where(
        rng.random(shape) < 0.1, rng.choice([-np.inf, np.inf, -0.0, 0.0], shape), near * rng.choice([-1, 1], shape)
    )


@pytest.mark.parametrize("ties", ["average", "first", "last", "best", "worst"])
@pytest.mark.parametrize("kind", ["distinct", "tied", "constant", "hard"])
@pytest.mark.parametrize("k", [1, 7, 30, None])
def test_scores(kind: str, ties: str, k: int | None) -> None:
    rng = np.random.default_rng(len(kind) + (k or 0))
    rel = rng.integers(0, 4, (12, 401))
    scores = score_table(kind, (12, 401), rng)
    expected = [slow_dcg(r, s, k, ties, lambda g: 2.0**g - 1) for r, s in zip(rel.tolist(), scores.tolist())]
    np.testing.assert_allclose(dcg(rel, k, gain="exp", scores=scores, ties=ties), expected, rtol=1e-13)
    ideal = [slow_idcg(r, k, lambda g: 2.0**g - 1) for r in rel.tolist()]
    np.testing.assert_allclose(idcg(rel, k, gain="exp"), ideal, rtol=1e-13)
    np.testing.assert_allclose(
        ndcg(rel, k, gain="exp", scores=scores, ties=ties), np.divide(expected, ideal), rtol=1e-13
    )


@pytest.mark.parametrize("ties", ["average", "first", "last", "best", "worst"])
@pytest.mark.parametrize("dtype", [bool, np.int64, np.uint8, np.float64])
def test_whole_lists_of_few_grades(dtype: type, ties: str) -> None:
    "Grades are sorted along with the scores, where no two of these are equal, or almost"
    rng = np.random.default_rng(5)
    grades = rng.integers(0, 256, (12, 401)).astype(dtype)
    scores = rng.normal(size=(12, 401))
    scores[1, :9], scores[2, 5], scores[3, 5:7], scores[4, 5] = 0.5, -np.inf, -np.inf, np.inf
    scores[5, :4] = 1 + np.arange(4) * 2.0**-52
    scores[6, :4], scores[7, :3] = [0.0, -0.0, 5e-324, -5e-324], [np.inf, np.inf, -np.inf]
    scores[8] = np.sort(scores[8])[::-1]
    gain = lambda x: x.astype(np.float64) + 1  # noqa: E731
    whole = rank_gains(grades, scores, 401, gain, ties)
    assert whole.tolist() == rank_plainly(grades, scores, gain, ties).tolist()
    assert rank_gains(grades, scores, 300, gain, ties).tolist() == whole[:, :300].tolist()
    halves = grades / 2
    assert rank_gains(halves, scores, 401, gain, ties).tolist() == rank_plainly(halves, scores, gain, ties).tolist()


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.uint64, np.float16, np.float32, np.longdouble])
def test_number_types_give_the_same_value(dtype: type) -> None:
    rng = np.random.default_rng(1)
    rel = rng.integers(0, 2, (5, 300))
    scores = rng.integers(0, 100, (5, 300))
    expected = ndcg(rel.astype(float), 5, gain="exp", scores=scores.astype(float))
    assert ndcg(rel.astype(dtype), 5, gain="exp", scores=scores).tolist() == expected.tolist()
    assert ndcg(rel, 5, gain="exp", scores=scores.astype(np.float32)).tolist() == expected.tolist()


def test_grade_200_in_a_byte_does_not_wrap() -> None:
    assert ndcg(np.array([100, 200], np.uint8), gain="exp") == ndcg([100, 200], gain="exp")
    assert dcg(np.array([200, 200], np.uint8)) == dcg([200, 200])


@pytest.mark.parametrize("order", ["C", "F"])
def test_blocks_are_put_back_in_order(order: str) -> None:
    rng = np.random.default_rng(2)
    rel = np.asarray(rng.integers(0, 3, (BLOCK // 50 + 777, 60)), order=order)
    scores = np.asarray(rng.random(rel.shape), order=order)
    values = ndcg(rel, 5, scores=scores, empty=0)
    some = rng.integers(0, len(rel), 50)
    assert values[some].tolist() == [ndcg(rel[i], 5, scores=scores[i], empty=0) for i in some]


def test_ragged_blocks_are_put_back_in_order() -> None:
    rng = np.random.default_rng(3)
    sizes = [0, 1, 5000, 3, 700, 0, 64, 65, 2, 100_000]
    rel = [rng.integers(0, 3, n) for n in sizes]
    scores = [rng.integers(0, 50, n) / 7 for n in sizes]
    values = ndcg(rel, [3, 500], scores=scores, empty=0)
    assert values.tolist() == [ndcg(r, [3, 500], scores=s, empty=0).tolist() for r, s in zip(rel, scores)]
    pools = [np.append(r, 2) for r in rel]
    assert ndcg(rel, 9, pool=pools).tolist() == [ndcg(r, 9, pool=p) for r, p in zip(rel, pools)]


def test_no_lists_at_all() -> None:
    assert ndcg(np.empty((0, 5))).shape == (0,)
    assert ndcg(np.empty((0, 500)), [1, 2], scores=np.empty((0, 500))).shape == (0, 2)
    assert dcg([[], []]).tolist() == [0, 0]


IDS = [f"d{i}" for i in range(401)]


@pytest.mark.parametrize("kind", ["distinct", "tied", "constant", "hard"])
@pytest.mark.parametrize("k", [1, 7, 30, None])
def test_ties_by_id(kind: str, k: int | None) -> None:
    rng = np.random.default_rng(len(kind) + (k or 0))
    rel = rng.integers(0, 4, (6, 401))
    scores = score_table(kind, (6, 401), rng)
    ids = [rng.permutation(IDS).tolist() for _ in rel]
    orders = [
        sorted(range(401), key=lambda i, s=s, d=d: (s[i], d[i].encode()), reverse=True) for s, d in zip(scores, ids)
    ]
    shown = [[0 if s[i] == -np.inf else r[i] for i in order] for r, s, order in zip(rel, scores, orders)]
    assert dcg(rel, k, scores=scores, ties="id", ids=ids).tolist() == dcg(shown, k).tolist()
    values = ndcg(rel, k, scores=scores, ties="id", ids=ids)
    assert values.tolist() == ndcg(shown, k, pool=rel.tolist()).tolist()
    assert values[2] == ndcg(rel[2].tolist(), k, scores=scores[2].tolist(), ties="id", ids=ids[2])


def test_ids_keep_their_last_zeros() -> None:
    ids = {"scores": [1, 1], "ties": "id"}
    assert ndcg([0, 1], ids=["a", "a\0"], **ids) == 1
    assert ndcg([1, 0], ids=["a", "a\0"], **ids) < 1


def peak(call) -> float:
    "The memory that a call takes at most, in MiB"
    tracemalloc.start()
    call()
    used = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return used


def test_one_long_id_does_not_make_all_ids_long() -> None:
    ids = [f"d{i}" for i in range(20_000)] + ["x" * 10_000]
    assert peak(lambda: ndcg([1] * len(ids), scores=[0] * len(ids), ties="id", ids=ids)) < 50


def test_single_precision() -> None:
    rng = np.random.default_rng(5)
    rel = rng.integers(0, 4, (9, 50))
    scores = 1 + rng.integers(0, 9, (9, 50)) * 1e-8
    for ties in ("average", "first", "last", "best", "worst"):
        rounded = ndcg(rel, 10, scores=scores.astype(np.float32), ties=ties)
        assert ndcg(rel, 10, scores=scores, ties=ties, precision="float32").tolist() == rounded.tolist()
    short = {"rel": [0, 1], "scores": [1.0, 1.0 + 1e-9]}  # which the shortcut for short lists must not take
    assert ndcg(**short) == 1
    assert ndcg(**short, precision="float32", ties="first") < 1
    assert dcg(**short, precision="float32", ties="first") < dcg(**short) == 1
    assert ndcg([1, 0], scores=[-1e300, -np.inf], precision="float32") == 1  # very low, but retrieved


def test_half_precision_knows_larger_numbers() -> None:
    assert ndcg(np.array([1, 2], "f2"), **dialect("trec_eval")) == ndcg([1, 2])
    assert ndcg([[1, 2]], scores=[np.array([1, 2], "f2")], minus_inf="last").tolist() == [ndcg([2, 1])]


@pytest.mark.parametrize("size", [5, 400])
@pytest.mark.parametrize("k", [1, 4, 30, None])
def test_ideals(size: int, k: int | None) -> None:
    rng = np.random.default_rng(size)
    rel = rng.integers(0, 4, (8, size))
    rel[:, 0] = 3
    missed = rng.integers(0, 4, (8, 20))
    missed[:, 0] = 2
    pool = np.concatenate([missed, rel], axis=1)
    top = dcg(rel, k)
    value = {
        ideal: ndcg(rel, k, pool=pool, ideal=ideal, empty=0) for ideal in ("pool", "list", "reached", "hits", "given")
    }
    assert value["pool"].tolist() == (top / idcg(pool, k)).tolist() == ndcg(rel, k, pool=pool).tolist()
    assert value["list"].tolist() == (top / idcg(rel, k)).tolist()
    assert value["reached"].tolist() == (np.zeros(8) if k and k > size else value["list"]).tolist()
    assert value["hits"].tolist() == (top / idcg(pool, min(k or size, size))).tolist()
    assert value["given"].tolist() == pytest.approx(top / dcg(pool, k), rel=1e-15)
    for i in (0, 5):  # alone as among many, and as plain lists as in arrays
        alone = {"k": k, "pool": pool[i].tolist(), "empty": 0}
        assert [ndcg(rel[i].tolist(), ideal=ideal, **alone) for ideal in value] == [v[i] for v in value.values()]


@pytest.mark.parametrize("ties", ["first", "last", "average", "best"])
def test_an_ideal_of_what_is_shown(ties: str) -> None:
    "It is the ideal of the first k as a list of its own: alone, among many, at several cutoffs, and in a run"
    rng = np.random.default_rng(5)
    rel = [rng.integers(0, 4, n) for n in (1, 4, 9, 30)]
    scores = [rng.integers(0, 6, len(r)) / 2 for r in rel]
    at = ndcg(rel, [1, 3, 10], scores=scores, ties=ties, ideal="top", empty=0)
    for r, s, row in zip(rel, scores, at):
        for k, value in zip((1, 3, 10), row):
            assert value == ndcg(r, k, scores=s, ties=ties, ideal="top", empty=0)
            if ties in ("first", "last"):
                order = np.argsort(-s, kind="stable") if ties == "first" else np.lexsort((-np.arange(len(s)), -s))
                assert value == pytest.approx(ndcg(r[order][:k], empty=0), abs=1e-12)
    qrels = {f"q{i}": {f"d{j:02}": int(g) for j, g in enumerate(r)} for i, r in enumerate(rel)}
    run = {f"q{i}": {f"d{j:02}": float(x) for j, x in enumerate(s)} for i, s in enumerate(scores)}
    found = evaluate(qrels, run, [f"ndcg(ideal=top,ties={ties},empty=0)@{k}" for k in (1, 3, 10)])
    np.testing.assert_allclose(found.values[0], at, atol=1e-12)
    with pytest.raises(ValueError, match="ideal is 'top': it holds gains, not documents: give ideal='list' or 'pool'"):
        explain([1, 0, 2], k=2, ideal="top")


@pytest.mark.parametrize("most", [3, 255, 256, 1000])
def test_whole_lists_with_small_and_large_grades(most: int) -> None:
    "Up to 255 a grade is sorted within the bits of its score; above, the plain way"
    rng = np.random.default_rng(most)
    grades = rng.integers(0, most + 1, (90, 50))
    scores = rng.random((90, 50))
    grades[0, 0] = most
    alone = [ndcg(g, scores=s) for g, s in zip(grades.tolist(), scores.tolist())]
    np.testing.assert_allclose(ndcg(grades, scores=scores), alone, rtol=1e-14)
    np.testing.assert_array_equal(ndcg(grades * 1.0, scores=scores), ndcg(grades, scores=scores))


def test_the_gain_of_a_small_grade_keeps_its_digits() -> None:
    grades = [1e-12, 1e-6, 0.5, 2.0]
    np.testing.assert_allclose(gain(grades, "exp"), [expm1(g * log(2)) for g in grades], rtol=1e-15)


def test_a_column_of_lists_is_not_looked_at_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list = []
    look = lists.refuse_other_index
    monkeypatch.setattr(lists, "refuse_other_index", lambda *x: seen.append(x) or look(*x))
    rel = [[1, 0], [2, 1]] * 50
    scores = [[0.1, 0.2], [0.3, 0.1]] * 50
    expected = ndcg(rel, scores=scores).tolist()
    for column in (pl.Series, pa.array, pd.Series, list):
        seen.clear()
        assert ndcg(column(rel), scores=column(scores)).tolist() == expected
        assert len(seen) == 1
    rows = [pd.Series(x) for x in scores]
    with pytest.raises(ValueError, match=r"scores\[99\] and rel are Series with different indexes"):
        ndcg([pd.Series(x) for x in rel[:-1]] + [pd.Series([2, 1], index=[5, 6])], scores=rows)


@pytest.mark.parametrize("ties", ["average", "first", "last"])
def test_few_scores_are_ranked_before_they_are_cut(ties: str) -> None:
    rng = np.random.default_rng(3)
    grades = rng.integers(0, 4, (5, 40))
    scores = rng.normal(size=(5, 40))
    gain = lambda x: x.astype(np.float64)  # noqa: E731
    whole = rank_plainly(grades, scores, gain, ties)
    assert rank_gains(grades, scores, 10, gain, ties).tolist() == whole[:, :10].tolist()
