"""Batches, scorers and rankers: the means are over queries, in whatever pieces they come."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import ROOT, needed
from shared.tables import check_refused, rows_of
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ndcg_nb import compare, evaluate, idcg, ndcg, recall
from ndcg_nb.frameworks import accumulate, grouped, scorer

ASKED = "ndcg@10 ndcg(gain=exp)@3 rr p(level=2)@5"


def rows(seed: int = 0, count: int = 300, queries: int = 31) -> pd.DataFrame:
    "A joined table with ties, a query without a relevant document, and queries spread over all rows"
    rng = np.random.default_rng(seed)
    query = rng.integers(0, queries, count)
    grade = rng.integers(0, 4, count) * (query != 7)
    return pd.DataFrame({"query": query, "grade": grade, "score": rng.normal(size=count).round(1)})


def padded(seed: int = 0, count: int = 40, longest: int = 9) -> tuple[np.ndarray, ...]:
    "Scores, grades and mask; what is masked is nan"
    rng = np.random.default_rng(seed)
    mask = rng.random((count, longest)) < 0.7
    mask[:, 0] = True
    scores = np.where(mask, rng.normal(size=mask.shape).round(1), np.nan)
    return scores, np.where(mask, rng.integers(0, 3, mask.shape), np.nan), mask


def table_of(scores: np.ndarray, grades: np.ndarray, mask: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"query": mask.nonzero()[0], "grade": grades[mask], "score": scores[mask]})


def flat(table: pd.DataFrame, asked: str = ASKED, step: int = 17, **how: Any) -> Any:
    seen = accumulate(asked, **how)
    for start in range(0, len(table), step):
        part = table.iloc[start : start + step]
        seen.update(part.score, part.grade, part["query"])
    return seen


def in_order(result: Any) -> pd.DataFrame:
    return result.per_query.sort_values("query", ignore_index=True)


@pytest.mark.parametrize("like", [None, "sklearn", "lightgbm", "xgboost", "torchmetrics"])
def test_flat_batches_give_what_evaluate_gives(like: str | None) -> None:
    asked = ASKED if like is None else "ndcg@10"
    whole = evaluate(rows(), asked, like=like)
    result = flat(rows(), asked, like=like).result()
    pd.testing.assert_frame_equal(in_order(result), in_order(whole), rtol=1e-12)
    pd.testing.assert_frame_equal(result.means, whole.means, rtol=1e-12)
    pd.testing.assert_frame_equal(result.interval(), whole.interval(), rtol=1e-12)
    assert result.notes == whole.notes
    assert compare(whole, result, "ndcg@10").verdict == "undecided"


@pytest.mark.parametrize("like", [None, "sklearn", "lightgbm"])
def test_padded_batches_give_what_evaluate_gives(like: str | None) -> None:
    lists = padded()
    asked = ASKED if like is None else "ndcg@10"
    seen = accumulate(asked, like=like)
    for start in range(0, 40, 16):
        scores, grades, mask = (x[start : start + 16] for x in lists)
        seen.update(scores, grades, range(start, start + len(mask)), mask=mask)
    pd.testing.assert_frame_equal(
        in_order(seen.result()), in_order(evaluate(table_of(*lists), asked, like=like)), rtol=1e-12
    )


def test_the_mean_of_batch_means_is_another_number() -> None:
    scores, grades, mask = padded()
    means = []
    seen = accumulate()
    for start in range(0, 40, 16):
        batch = slice(start, start + 16)
        seen.update(scores[batch], grades[batch], mask=mask[batch])
        alone = accumulate()
        alone.update(scores[batch], grades[batch], mask=mask[batch])
        means.append(alone.result().value)
    assert seen.result().value == pytest.approx(evaluate(table_of(scores, grades, mask)).value, rel=1e-12)
    assert abs(np.mean(means) - seen.result().value) > 1e-4


def test_values_are_those_of_ndcg() -> None:
    scores, grades, mask = padded(1)
    seen = accumulate("ndcg@3")
    seen.update(scores, grades, mask=mask)
    by_hand = [ndcg(g[m], 3, scores=s[m], empty=np.nan) for s, g, m in zip(scores, grades, mask)]
    np.testing.assert_allclose(seen.result().per_query["ndcg@3"], by_hand, 1e-12)


def test_a_masked_place_is_not_there() -> None:
    one = accumulate(ASKED)
    other = accumulate(ASKED)
    one.update([[9, 0.5, 7, 0.1]], [[3, 1, 3, 2]], ["a"], mask=[[False, True, False, True]])
    other.update([0.5, 0.1, 5.0], [1, 2, 3], ["a", "a", "b"], mask=[True, True, False])
    assert one.result().queries == other.result().queries == ("a",)
    assert one.result().means.equals(other.result().means)


def test_a_list_of_nothing_but_masked_places_is_named_in_a_note() -> None:
    seen = accumulate()
    seen.update([[0.5, 0.1], [0, 0]], [[1, 0], [0, 0]], ["a", "b"], mask=[[True, True], [False, False]])
    unnamed = accumulate()
    unnamed.update([[0.5, 0.1], [0, 0]], [[1, 0], [0, 0]], mask=[[True, True], [False, False]])
    assert seen.result().value == unnamed.result().value == 1
    assert "1 query has no relevant document (excluded): 'b'." in seen.result().notes
    assert "1 query has no relevant document (excluded): 'list 2'." in unnamed.result().notes


MAKERS: dict[str, Any] = {
    "list": np.ndarray.tolist,
    "numpy": np.asarray,
    "torch": lambda x: needed("torch").tensor(x),
    "jax": lambda x: needed("jax.numpy").asarray(x),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_padded_lists_of_a_measure(make: Any) -> None:
    "A mask of a measure says what it says in a batch"
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 3, (40, 6))
    scores = rng.permutation(240).reshape(40, 6)
    mask = rng.random((40, 6)) < 0.7
    mask[:, 0] = True
    seen = accumulate("ndcg(empty=0)@3")
    seen.update(scores, grades, mask=mask)
    padded = np.where(mask, grades, 7)  # which would be the best
    there: Any = {"mask": make(mask), "empty": 0}
    ours = ndcg(make(padded), 3, scores=make(scores * 1.0), **there)
    np.testing.assert_allclose(np.asarray(ours), seen.result().values[0][:, 0], rtol=1e-6)
    whole = ndcg(make(padded), 3, scores=make(scores), **there)  # whole numbers
    np.testing.assert_allclose(np.asarray(whole), np.asarray(ours), rtol=1e-6)
    in_order = [ndcg(g[m].tolist(), 3, empty=0) for g, m in zip(grades, mask)]
    np.testing.assert_allclose(np.asarray(ndcg(make(padded), 3, **there)), in_order, rtol=1e-6)
    best = [idcg(g[m].tolist(), 3) for g, m in zip(grades, mask)]
    np.testing.assert_allclose(np.asarray(idcg(make(padded), 3, mask=make(mask))), best, rtol=1e-6)
    assert float(ndcg(make(padded[0]), 3, mask=make(mask[0]))) == pytest.approx(in_order[0])
    assert float(ndcg(rel=make(padded[0]), k=3, mask=make(mask[0]))) == pytest.approx(in_order[0])


def test_a_mask_takes_ids_and_holes_along() -> None:
    how: Any = {"scores": [[1.0, 1.0, np.nan]], "mask": [[True, True, False]]}
    assert ndcg([[0, 1, None]], ids=[["a", "b", None]], ties="id", **how).tolist() == [1]
    assert recall([[0, 1, 1]], **how).tolist() == [1]
    assert recall([[0, 1, 1]], 1, ties="first", **how).tolist() == [0]
    assert ndcg([[1, 0], [1, 1]], mask=None, group=None).tolist() == [1, 1]


WRONG_MASKS = rows_of("""
{"rel": [[1, 0]], "mask": [[1, 0]]}                         | TypeError  | mask holds int64: give True where there is
{"rel": [[1, 0]], "mask": [true]}                           | ValueError | mask has the shape (1,) and rel (1, 2)
{"rel": [[1, 0]], "scores": [1.0], "mask": [[true, true]]}  | ValueError | and scores (1,)
{"rel": [[1, 0], [1]], "mask": [[true, true], [true, false]]} | ValueError | fill them up to one length
{"rel": [1, 0], "mask": [true, true], "group": [2]}         | TypeError  | group= is for flat arrays, and mask= for
{"rel": [[NaN, 0]], "mask": [[true, true]]}                 | ValueError | rel[0][0] is nan
""")


@pytest.mark.parametrize("given, kind, said", WRONG_MASKS)
def test_a_mask_that_cannot_be_used(given: str, kind: str, said: str) -> None:
    check_refused(lambda: ndcg(**json.loads(given)), kind, said)


def test_a_mask_of_tensors_that_cannot_be_used() -> None:
    ones = needed("torch").ones(2)
    with pytest.raises(ValueError, match="mask= for tensors is not done with recall: give arrays of NumPy"):
        recall(ones, mask=ones > 0)
    with pytest.raises(ValueError, match="not done with minus_inf='last'"):
        ndcg(ones, mask=ones > 0, minus_inf="last")
    with pytest.raises(TypeError, match=r"mask holds torch\.float32: give True"):
        ndcg(ones, mask=ones)


def test_ties_are_averaged_and_ids_that_are_not_there_cannot_break_them() -> None:
    seen = accumulate("ndcg@1")
    seen.update([0.5, 0.5], [1, 0], ["a", "a"])
    assert seen.result().value == 0.5
    by_id = accumulate("ndcg@1", like="trec_eval")
    with pytest.raises(ValueError, match="ties are broken by document id"):
        by_id.update([[0.5, 0.5]], [[1, 0]])
    by_id.update([[0.5, 0.4]], [[1, 0]])
    assert by_id.result().value == 1


def test_a_level_above_the_grades_of_a_batch_is_no_error_and_above_all_grades_it_is() -> None:
    seen = accumulate("p(level=2)@1")
    seen.update([[0.5, 0.1]], [[1, 0]])
    with pytest.raises(ValueError, match="counts grades from 2 up, and the highest grade is 1"):
        seen.result()
    seen.update([[0.5, 0.1]], [[2, 0]])
    assert seen.result().per_query.iloc[:, 1].tolist()[1] == 1


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_states_are_merged_in_any_order(order: tuple[int, ...]) -> None:
    table = rows(3)
    scores, grades, mask = padded(3)
    parts = []
    for i in range(3):
        part = flat(table.iloc[i::3])
        part.update(scores[i::3], grades[i::3], [f"p{j}" for j in range(i, 40, 3)], mask=mask[i::3])
        parts.append(part)
    states = [json.loads(json.dumps(parts[i].state())) for i in order]
    result = accumulate(ASKED).merge(*states).result()
    both = pd.concat([table, table_of(scores, grades, mask).assign(query=lambda x: "p" + x["query"].astype(str))])
    whole = evaluate(both.astype({"query": str}), ASKED)
    assert result.means.equals(accumulate(ASKED).merge(*parts).result().means)
    pd.testing.assert_frame_equal(in_order(result), in_order(whole), rtol=1e-12)


def test_a_state_is_a_copy_and_merging_changes_only_one_side() -> None:
    one = flat(rows(1))
    other = flat(rows(2))
    before = json.dumps(other.state())
    assert one.merge(other) is one
    assert json.dumps(other.state()) == before
    assert pickle.loads(pickle.dumps(one)).state() == one.state()


def test_a_query_that_a_sampler_repeats_is_counted_once_and_said() -> None:
    one = accumulate()
    other = accumulate()
    one.update([[0.5, 0.7, 0.1]], [[2, 0, 1]], ["a"])
    other.update([[0.5000001, 0.7, 0.1], [1, 2, 3]], [[2, 0, 1], [0, 0, 1]], ["a", "b"])
    results = [accumulate().merge(*pair).result() for pair in ((one, other), (other, one))]
    assert results[0].value == results[1].value
    assert len(results[0].queries) == 2
    assert "1 list came more than once, with the same scores and grades (counted once)." in results[0].notes


def test_memory_of_padded_lists_does_not_grow_with_their_length() -> None:
    sizes = []
    for longest in (10, 1000):
        seen = accumulate()
        scores = np.random.default_rng(0).normal(size=(20, longest))
        seen.update(scores, scores > 0, range(20))
        sizes.append(len(seen.state()["lines"]["3"]))
        assert seen.state()["rows"] == [[], [], [], []]
    assert sizes[0] == sizes[1]


def test_the_result_explains_no_query_and_says_why() -> None:
    result = flat(rows()).result()
    with pytest.raises(ValueError, match="batches keep values, and no lists"):
        result.explain("3", measure="ndcg@10")
    assert pickle.loads(pickle.dumps(result)).notes == result.notes


@pytest.mark.parametrize("framework", ["torch", "bfloat16", "jax"])
def test_frameworks_agree(framework: str) -> None:
    scores, grades, mask = padded(4)
    scores = np.nan_to_num(scores)
    grades = np.nan_to_num(grades)
    scores = (scores * 16).round() / 16  # the same in all precisions
    if framework == "jax":
        make = needed("jax.numpy").asarray
        query = make(np.arange(40))
        given = make(scores)
    else:
        torch = needed("torch")
        make = torch.tensor
        query = torch.arange(40)
        given = torch.tensor(scores, requires_grad=True)
        given = given.bfloat16() if framework == "bfloat16" else given
    ours, theirs, column = (accumulate(ASKED) for _ in range(3))
    ours.update(scores, grades, range(40), mask=mask)
    theirs.update(given, make(grades), query, mask=make(mask))
    column.update(given[mask], make(grades)[mask], query[mask.nonzero()[0]])
    assert ours.result().per_query.equals(theirs.result().per_query)
    assert ours.result().per_query.equals(column.result().per_query)


class OnDevice:
    "An array that says it is CuPy's: only `get` gives its numbers"

    __module__ = "cupy.pretended"

    def __init__(self, x: Any) -> None:
        self.numbers = np.asarray(x)

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed: use get")

    def get(self) -> np.ndarray:
        return self.numbers


def test_arrays_of_cupy_are_fetched() -> None:
    scores, grades, mask = padded(4)
    ours = accumulate(ASKED)
    theirs = accumulate(ASKED)
    ours.update(scores, grades, range(40), mask=mask)
    theirs.update(OnDevice(scores), OnDevice(grades), OnDevice(range(40)), mask=OnDevice(mask))
    assert ours.result().per_query.equals(theirs.result().per_query)


def test_inside_of_jit_there_are_no_numbers() -> None:
    jax = needed("jax")
    with pytest.raises(TypeError, match="scores is traced by JAX and has no numbers yet"):
        jax.jit(lambda x: accumulate().update(x, [[1, 0]]))(jax.numpy.ones((1, 2)))


WRONG = rows_of("""
[1.0, 2.0], [1], ["a", "a"]             | ValueError | scores have the shape (2,) and grades (1,)
[1.0, NaN], [1, 0], ["a", "a"]          | ValueError | scores[1] is nan
[[1.0, 2.0]], [[1, NaN]], ["a"]         | ValueError | grades[0][1] is nan
[1.0, 2.0], [1, Infinity], ["a", "a"]   | ValueError | grades[1] is inf
[1.0, 2.0], [1, 0]                      | ValueError | scores are one column: give the query of each row
[1.0, 2.0], [1, 0], ["a"]               | ValueError | give one id for each of 2 rows
[[1.0, 2.0]], [[1, 0]], ["a", "b"]      | ValueError | give one id for each of 1 lists
[1.0, 2.0], [1, 0], ["a", null]         | ValueError | query[1] has no id
[[1.0], [2.0, 3.0]], [[1], [1, 0]]      | ValueError | scores holds lists of different lengths
[["x", 1.0]], [[1, 0]]                  | TypeError  | scores[0][0] is 'x'
[[[1.0]]], [[[1]]]                      | ValueError | scores have 3 dimensions
[[1.0, 2.0]], [[0, 1]], ["known"]       | ValueError | query 'known' comes a second time, with other scores
[[1, 2], [2, 1]], [[0, 1], [0, 1]], ["x", "x"] | ValueError | query 'x' comes a second time
[1.0], [1], ["known"]                   | ValueError | query 'known' comes both as a padded list and in flat rows
[[1.0, 2.0]], [[0, 1]], ["row"]         | ValueError | query 'row' comes both as a padded list and in flat rows
""")


@pytest.fixture
def seen() -> Iterator[Any]:
    "A list and a row; what is refused changes neither"
    seen = accumulate(ASKED)
    seen.update([[0.3, 0.2, 0.1]], [[1, 0, 3]], ["known"])
    seen.update([0.3], [1], ["row"])
    before = seen.state()
    yield seen
    assert seen.state() == before


@pytest.mark.parametrize("batch, kind, said", WRONG)
def test_a_wrong_batch_is_refused_and_nothing_of_it_is_kept(batch: str, kind: str, said: str, seen: Any) -> None:
    check_refused(lambda: seen.update(*json.loads(f"[{batch}]")), kind, said)


def test_a_wrong_mask_is_refused_and_nothing_of_its_batch_is_kept(seen: Any) -> None:
    with pytest.raises(TypeError, match="mask holds int64"):
        seen.update([[1.0, 2.0]], [[1, 0]], mask=[[1, 0]])
    with pytest.raises(ValueError, match=r"mask has the shape \(2,\)"):
        seen.update([[1.0, 2.0]], [[1, 0]], mask=[True, False])


def test_what_cannot_be_merged() -> None:
    with pytest.raises(ValueError, match="measures and like= differ"):
        accumulate("rr").merge(accumulate("ndcg@10"))
    with pytest.raises(ValueError, match="measures and like= differ"):
        accumulate("rr").merge(accumulate("rr", like="trec_eval").state())
    with pytest.raises(TypeError, match="is no accumulator"):
        accumulate("rr").merge([1, 2])
    lists = accumulate()
    column = accumulate()
    lists.update([[0.2, 0.1]], [[1, 0]], ["a"])
    column.update([0.2], [1], ["a"])
    for one, other in ((lists, column), (column, lists)):
        before = one.state()
        with pytest.raises(ValueError, match="'a' comes both as a padded list and in flat rows"):
            one.merge(other)
        assert one.state() == before


def test_importing_imports_no_framework() -> None:
    code = "import sys, ndcg_nb.frameworks; print({'torch', 'jax', 'sklearn', 'lightgbm', 'xgboost'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


# scikit-learn


def features(seed: int = 0, count: int = 400, queries: int = 40) -> tuple[pd.DataFrame, np.ndarray]:
    "Rows of shuffled queries, in the index"
    rng = np.random.default_rng(seed)
    x = pd.DataFrame(rng.normal(size=(count, 3)), columns=["a", "b", "c"], index=rng.integers(0, queries, count))
    return x, np.digitize(x.a - x.b + 0.3 * rng.normal(size=count), [0.5, 1.5])


def by_hand(model: Any, x: pd.DataFrame, y: np.ndarray, train: Any, test: Any, **how: Any) -> float:
    "The mean of `ndcg` over the queries of a fold"
    scores = model.fit(x.iloc[train], y[train]).predict(x.iloc[test])
    fold = pd.DataFrame({"y": y[test], "s": scores}).groupby(x.index[test])
    return float(np.nanmean([ndcg(part.y, 10, scores=part.s, **({"empty": np.nan} | how)) for _, part in fold]))


@pytest.mark.parametrize("like", [None, "sklearn"])
def test_the_scorer_gives_what_ndcg_gives_by_hand(like: str | None) -> None:
    x, y = features()
    how = {} if like is None else {"like": like, "empty": 0}
    found = cross_validate(Ridge(), x, y, groups=x.index, scoring=scorer("ndcg@10", like=like), cv=GroupKFold(4))
    folds = GroupKFold(4).split(x, groups=x.index)
    np.testing.assert_allclose(found["test_score"], [by_hand(Ridge(), x, y, *fold, **how) for fold in folds], 1e-12)


def test_the_scorer_finds_a_column_a_level_and_an_array() -> None:
    x, y = features()
    expected = scorer()(Ridge().fit(x, y), x, y)
    blind = clone(Ridge()).fit(x, y)

    class OfFeatures:
        def predict(self, given: Any) -> Any:
            table = given if isinstance(given, np.ndarray) else given[["a", "b", "c"]].to_numpy()
            return blind.predict(pd.DataFrame(table[:, :3], columns=["a", "b", "c"]))

    named = x.assign(qid=x.index)
    assert scorer(query="qid")(OfFeatures(), named.reset_index(drop=True), y) == expected
    assert scorer(query=3)(OfFeatures(), named.to_numpy(), y) == expected
    deep = x.set_index([x.index.rename("q"), np.arange(len(x))])
    assert scorer(query="q")(OfFeatures(), deep, y) == expected


def test_a_search_with_several_measures() -> None:
    x, y = features()
    both = scorer("ndcg@10 rr")
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 9]}, scoring=both, refit="rr", cv=GroupKFold(3))
    search.fit(x, y, groups=x.index)
    assert {"mean_test_ndcg@10", "mean_test_rr"} <= search.cv_results_.keys()
    assert pickle.loads(pickle.dumps(both)) == both


def test_wrong_scorers() -> None:
    x, y = features()
    model = Ridge().fit(x, y)
    with pytest.raises(ValueError, match="there is no measure 'ndgc'"):
        scorer("ndgc@10")
    with pytest.raises(TypeError, match="does not say the query of each row: put them into the index"):
        scorer()(model, x.to_numpy(), y)
    with pytest.raises(ValueError, match="each of the 400 rows of x has a query of its own"):
        scorer()(model, x.reset_index(drop=True), y)
    with pytest.raises(ValueError, match="x has no column 'qid'"):
        scorer(query="qid")(model, x, y)
    with pytest.raises(ValueError, match="x is an array of 3 columns: give the number of one"):
        scorer(query=3)(model, x.to_numpy(), y)


# Rankers


def ranker(kind: str, **how: Any) -> Any:
    if kind == "lightgbm":
        return needed("lightgbm").LGBMRanker(n_estimators=8, min_child_samples=5, n_jobs=1, verbose=-1, **how)
    return needed("xgboost").XGBRanker(n_estimators=8, n_jobs=1, **how)


KINDS = ["lightgbm", "xgboost"]
WATCHED: dict[str, dict[str, Any]] = {"lightgbm": {}, "xgboost": {"eval_metric": "ndcg@5"}}
QUIET: dict[str, dict[str, Any]] = {"lightgbm": {}, "xgboost": {"verbose": False}}


@pytest.mark.parametrize("kind", KINDS)
def test_a_grouped_ranker_is_the_ranker_with_its_groups(kind: str) -> None:
    x, y = features()
    order = np.argsort(pd.factorize(x.index)[0], kind="stable")
    by_query = x.iloc[order]
    sizes = by_query.groupby(level=0, sort=False).size().to_numpy()
    theirs = ranker(kind).fit(by_query, y[order], group=sizes).predict(x)
    ours = grouped(ranker(kind)).fit(x, y)
    named = grouped(ranker(kind), query="qid").fit(x.assign(qid=x.index).reset_index(drop=True), y)
    np.testing.assert_array_equal(ours.predict(x), theirs)
    np.testing.assert_array_equal(named.predict(x.assign(qid=0)), theirs)


@pytest.mark.parametrize("kind", KINDS)
def test_a_grouped_ranker_is_tuned(kind: str) -> None:
    x, y = features()
    grid = {"model__learning_rate": [0.001, 0.3]}
    search = GridSearchCV(grouped(ranker(kind)), grid, scoring=scorer("ndcg@10"), cv=GroupKFold(3), error_score="raise")
    search.fit(x, y, groups=x.index)
    assert search.best_score_ > 0.8
    model = grouped(ranker(kind, learning_rate=0.3))
    folds = [by_hand(model, x, y, *fold) for fold in GroupKFold(3).split(x, groups=x.index)]
    assert search.cv_results_["mean_test_score"][1] == pytest.approx(np.mean(folds), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_grouped_ranker_in_a_pipeline_and_around_one(kind: str) -> None:
    x, y = features()
    inside = make_pipeline(StandardScaler().set_output(transform="pandas"), grouped(ranker(kind)))
    around = grouped(make_pipeline(StandardScaler(), ranker(kind)))
    for model in (inside, around):
        found = cross_validate(model, x, y, groups=x.index, scoring=scorer(), cv=GroupKFold(3), error_score="raise")
        assert (found["test_score"] > 0.8).all()
    np.testing.assert_allclose(inside.fit(x, y).predict(x), around.fit(x, y).predict(x), 1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_groups_of_held_out_rows_and_weights_follow_the_rows(kind: str) -> None:
    x, y = features()
    held_out, grades = features(1)
    best = grouped(ranker(kind, **WATCHED[kind])).fit(x, y, eval_set=[(held_out, grades)], **QUIET[kind]).model_
    found = best.evals_result_["valid_0"] if kind == "lightgbm" else best.evals_result()["validation_0"]
    result = accumulate("ndcg@5", like=kind)
    result.update(best.predict(held_out), grades, held_out.index)
    assert result.result().value == pytest.approx(found["ndcg@5"][-1], rel=1e-6)
    if kind == "lightgbm":
        weight = 1.0 + (np.arange(len(y)) % 3)
        order = np.argsort(pd.factorize(x.index)[0], kind="stable")
        sizes = pd.Series(x.index).groupby(x.index, sort=False).size().to_numpy()
        theirs = ranker(kind).fit(x.iloc[order], y[order], group=sizes, sample_weight=weight[order])
        ours = grouped(ranker(kind)).fit(x, y, sample_weight=weight)
        np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))


def test_a_ranker_that_wants_the_group_of_each_row() -> None:
    "As CatBoostRanker does"

    class OfIds:
        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return {}

        def fit(self, x: Any, y: Any, group_id: Any = None) -> None:
            self.got = group_id.tolist(), x.a.tolist(), list(y)

    x = pd.DataFrame({"a": [1, 2, 3, 4]}, index=["u", "v", "u", "v"])
    model = grouped(OfIds()).fit(x, [5, 6, 7, 8])
    assert model.model_.got == ([0, 0, 1, 1], [1, 3, 2, 4], [5, 7, 6, 8])


def test_parameters_are_read_and_set_as_scikit_learn_does() -> None:
    model = grouped(ranker("lightgbm"), query="qid")
    copy = clone(model).set_params(model__num_leaves=5, query=None)
    assert (copy.model.num_leaves, copy.query) == (5, None)
    assert (model.model.num_leaves, model.query) == (31, "qid")
    assert model.get_params()["model__num_leaves"] == 31
    assert [*model.get_params(deep=False)] == ["model", "query"]
    assert repr(grouped(Ridge(), query="qid")) == "grouped(Ridge(), query='qid')"
    for name in ("num_leaves", "estimator__num_leaves"):
        with pytest.raises(ValueError, match=f"grouped has no parameter '{name}': write model__num_leaves"):
            model.set_params(**{name: 5})


def test_wrong_rankers() -> None:
    x, y = features()
    with pytest.raises(TypeError, match="takes none of group, qid, group_id: it needs no queries"):
        grouped(Ridge()).fit(x, y)
    with pytest.raises(ValueError, match="x has 400 rows and y has 3 grades"):
        grouped(ranker("lightgbm")).fit(x, y[:3])
    with pytest.raises(ValueError, match="a query of its own"):
        grouped(ranker("lightgbm")).fit(x.reset_index(drop=True), y)


def test_the_search_with_optuna_on_the_page() -> None:
    "The block of the page about frameworks, with fewer trials"
    optuna = needed("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    page = json.loads((ROOT / "nbs/13b_frameworks.ipynb").read_text("utf-8"))
    prose = "\n".join("".join(cell["source"]) for cell in page["cells"])
    [block] = re.findall(r"```python\n(import optuna\n.*?)```", prose, re.S)
    x, y = features()
    names = {"features": x, "grades": y, "grouped": grouped, "scorer": scorer, "GroupKFold": GroupKFold}
    names["LGBMRanker"] = lambda **how: ranker("lightgbm").set_params(**how)
    exec(block.replace("n_trials=20", "n_trials=2"), names)
    assert 0 < names["study"].best_value <= 1
    assert [*names["study"].best_params] == ["num_leaves"]


# Models on flat arrays

SIZES = [3, 8, 1, 20, 5, 6, 2]
QUERY = np.repeat([30, 10, 40, 15, 90, 26, 53], SIZES)
LABELS = np.random.default_rng(3).integers(0, 4, len(QUERY)) * (QUERY != 90)
MEASURES = "ndcg@10 ndcg(gain=exp)@3 rr"
MODELS = {name: np.random.default_rng(i).normal(size=len(QUERY)).round(1) for i, name in enumerate(["lgb", "xgb"])}


def test_models_on_flat_arrays_are_runs() -> None:
    "The values of `ndcg`, and of one table with a column for each model, whatever the arrays and groups are"
    table = pd.DataFrame({"query": QUERY, "grade": LABELS, **MODELS})
    wanted = evaluate(table, MEASURES, columns={"score": [*MODELS]})
    by_id = evaluate(LABELS, MODELS, MEASURES, group=QUERY)
    assert by_id.queries == wanted.queries
    np.testing.assert_array_equal(by_id.values, wanted.values)
    for i, scores in enumerate(MODELS.values()):
        alone = ndcg(LABELS, 10, scores=scores, group=SIZES, empty=np.nan)
        np.testing.assert_allclose(by_id.values[i, :, 0], alone, rtol=0, atol=1e-12)
    by_size = evaluate(LABELS, MODELS, MEASURES, group=SIZES)
    assert by_size.queries == ("0", "1", "2", "3", "4", "5", "6")
    np.testing.assert_array_equal(by_size.values, by_id.values)
    as_objects = evaluate(LABELS, MODELS, MEASURES, group=np.array(SIZES, object))
    np.testing.assert_array_equal(as_objects.values, by_id.values)
    for kind in (list, pd.Series, pl.Series, lambda x: pd.Series(x, dtype="Int64" if x is LABELS else "Float64")):
        given = {name: kind(x) for name, x in MODELS.items()}
        for group in (kind(SIZES) if kind is not pl.Series else SIZES, list(map(str, QUERY)), pd.Series(QUERY)):
            again = evaluate(kind(LABELS), given, MEASURES, group=group)
            np.testing.assert_array_equal(again.values, by_id.values)
    one = evaluate(LABELS, MODELS["lgb"], "ndcg@10", group=SIZES, like="lightgbm")
    assert one.runs == ("run",)
    assert abs(one.value - ndcg(LABELS, 10, scores=MODELS["lgb"], group=SIZES, like="lightgbm").mean()) < 1e-12
    shuffled = np.random.default_rng(5).permutation(len(QUERY))
    mixed = evaluate(LABELS[shuffled], {"lgb": MODELS["lgb"][shuffled]}, MEASURES, group=QUERY[shuffled])
    first = by_id.per_query[by_id.per_query["run"] == "lgb"].drop(columns="run")
    pd.testing.assert_frame_equal(in_order(mixed), first.sort_values("query", ignore_index=True))


def test_what_follows_from_an_evaluation_follows_from_flat_arrays() -> None:
    result = evaluate(LABELS, MODELS, "ndcg@10", group=SIZES)
    c = compare(LABELS, MODELS, "ndcg@10", group=SIZES)
    assert c.difference == compare(result).difference
    assert result.by(pd.Series(["few", "many", "few", "many", "few", "few", "few"]))["queries"].tolist() == [4, 2] * 2
    assert result.explain("1", run="xgb")["document"].str.startswith("row ").all()
    assert "<html" in result.to_html()
    assert result.again("ndcg@3").means.equals(evaluate(LABELS, MODELS, "ndcg@3", group=SIZES).means)


@pytest.mark.parametrize(
    "given, how, said",
    [
        ((LABELS, MODELS["lgb"][1:]), {"group": SIZES}, r"run has the shape \(44,\), and group= splits"),
        ((LABELS, {"q1": {"a": 1}}), {"group": SIZES}, r"q1 has the shape \(\), and group= splits"),
        ((LABELS,), {"group": SIZES}, r"run has the shape \(\), and group= splits flat arrays"),
        ((LABELS, MODELS), {"group": SIZES[1:]}, "group adds up to 42, and there are 45 rows"),
        ((LABELS, MODELS), {"group": [*SIZES, 0]}, r"group\[7\] is 0: leave out queries without rows"),
        ((LABELS, MODELS), {"group": np.ones(45)}, "the sizes of queries, or the query of each row"),
        ((LABELS, MODELS), {"group": [None] * 45}, r"group\[0\] has no id, but None"),
        ((LABELS, np.where(LABELS > 2, np.nan, 0.5)), {"group": SIZES}, r"run\[\d+\]: the score is nan"),
        ((np.where(LABELS > 2, np.nan, LABELS), MODELS), {"group": SIZES}, r"qrels\[\d+\] is nan: leave"),
        ((LABELS, ["high"] * 45), {"group": SIZES}, r"run\[0\] is 'high', a string, not a number"),
        ((LABELS, MODELS), {"group": SIZES, "columns": {"query": "q"}}, "flat arrays, without columns="),
    ],
)
def test_wrong_flat_arrays(given: Any, how: Any, said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        evaluate(*given, **how)


@pytest.mark.parametrize("name", ["qid", "query", "query_id", "groups"])
def test_other_names_of_group_are_answered(name: str) -> None:
    calls = [
        lambda **how: ndcg(LABELS, 10, scores=MODELS["lgb"], **how),
        lambda **how: evaluate(LABELS, MODELS, "ndcg@10", **how),
        lambda **how: compare(LABELS, MODELS, "ndcg@10", **how),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=rf"'?{name}'?: .*group="):
            call(**{name: SIZES})
