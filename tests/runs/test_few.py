"""One table is over one set of queries, by every way; and the way for few rows says the same as the long one."""

from __future__ import annotations

import random
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import compare, evaluate
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.hood.runs import few
from ndcg_nb.hood.runs.scoring import Kind
from ndcg_nb.runs import MEASURES

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"a": 0, "b": 0}, "q3": {"c": 1}}
RUN = {"q1": {"b": 0.9, "a": 0.8}, "q2": {"x": 0.9, "a": 0.8}, "q3": {"c": 0.7, "x": 0.6}}
EVERY = "ndcg@10 recall@10 ap rr p@2 success@2 rprec err(highest=2)@5 rbp dcg@5 cg@5 idcg@5 judged@10"
EVERY += " bounds@10 condensed_ndcg"
EXCLUDED = "1 query has no relevant document (excluded): 'q2'."


def frame(table: Any, value: str) -> pd.DataFrame:
    rows = [(query, document, x) for query, inner in table.items() for document, x in inner.items()]
    return pd.DataFrame(rows, columns=["query", "document", value])


# ---- one table, one set of queries


@pytest.mark.parametrize("measure", [EVERY, *EVERY.split()])
def test_a_query_without_a_relevant_document_is_excluded_from_every_measure(measure: str) -> None:
    result = evaluate(QRELS, RUN, measure)
    assert np.isnan(result.values[0]).all(axis=1).tolist() == [False, True, False]
    assert not np.isnan(result.values[0, [0, 2]]).any()
    assert EXCLUDED in result.notes
    assert "Mean over 2 of 3 judged queries." in result.notes


def test_what_is_relevant_to_one_measure_decides_for_all() -> None:
    result = evaluate(QRELS, RUN, "ndcg@10 recall(level=2)@10 judged@10")
    assert np.isnan(result.values[0]).all(axis=1).tolist() == [False, True, True]
    assert "2 queries have no relevant document (excluded): 'q2', 'q3'." in result.notes


def test_bounds_contain_the_ndcg_beside_them() -> None:
    low, ndcg, high = (
        evaluate(QRELS, RUN, "bounds@10 ndcg@10")[x] for x in ("bounds@10 low", "ndcg@10", "bounds@10 high")
    )
    assert low <= ndcg <= high


def test_empty_and_like_go_on_to_do_as_they_say() -> None:
    result = evaluate(QRELS, RUN, "ndcg@10 recall(empty=0)@10 ndcg(like=trec_eval)@10")
    assert np.isnan(result.values[0, 1]).tolist() == [True, False, False]
    assert result.values[0, 1, 1] == 0
    tool = evaluate(QRELS, RUN, "ndcg@10 recall@10 rr", like="trec_eval")
    assert tool.values[0, 1].tolist() == [0, 0, 0]


def test_a_table_of_gains_decides_what_is_relevant() -> None:
    result = evaluate(QRELS, RUN, "dcg(gain={0:1,1:2,2:3})@5 ndcg(gain={0:1,1:2,2:3})@5")
    assert not np.isnan(result.values).any()
    assert np.isnan(evaluate(QRELS, RUN, "dcg(gain={0:0,1:0,2:3})@5").values[0, :, 0]).tolist() == [False, True, True]


def test_what_is_excluded_is_in_no_slice_and_no_comparison() -> None:
    result = evaluate(QRELS, RUN, EVERY)
    assert result.by(dict.fromkeys(QRELS, "all"))["queries"].unique().tolist() == [2]
    assert result.per_query.set_index("query").loc["q2"].isna().all()
    pair = compare(QRELS, {"a": RUN, "b": {**RUN, "q1": {"a": 1.0}}}, "recall@1")
    assert pair.per_query["query"].tolist() == ["q1", "q3"]


@pytest.mark.parametrize(
    "how, share, words",
    [({}, 0.75, "75%"), ({"weights": {"q1": 3, "q2": 5, "q3": 1}}, 0.875, "88%"), ({"like": "trec_eval"}, None, "67%")],
)
def test_the_note_on_what_is_judged_says_what_the_column_says(how: dict[str, Any], share: Any, words: str) -> None:
    "It is over the same queries, with the same weights: of q2, which is excluded, half is judged"
    result = evaluate(QRELS, RUN, "ndcg@10 judged@10", **how)
    assert f"On average, {words} of the top 10 results are judged." in result.notes
    assert share is None or result["judged@10"] == share


# ---- few rows


def answer(qrels: Any, run: Any, measures: str, **how: Any) -> Any:
    "Everything a result says; or how it was refused"
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            x = evaluate(qrels, run, measures, **how)
        except ValueError as error:
            return type(error), str(error)
        told = x.notes
    flags = [(s.missing.tolist(), s.empty.tolist()) for s in x.scored[0]]
    return x.runs, x.queries, x.values, flags, told, x.kind, [str(one.message) for one in noted]


def table_of(rng: random.Random, numbers: list[Any], extra: str = "") -> dict[str, Any]:
    queries = [f"q{i}" for i in range(rng.randint(1, 5))] + ["x"] * (rng.random() < 0.2)
    documents = [*"abcdefgh", *extra]
    rng.shuffle(queries)
    return {q: {d: rng.choice(numbers) for d in rng.sample(documents, rng.randint(1, 6))} for q in queries}


ASK = [
    "ndcg@3",
    "ndcg(gain=exp)@1,5",
    "dcg",
    "cg@2",
    "idcg@3",
    "recall@2",
    "p@3",
    "p",
    "rr",
    "ap",
    "success@1",
    "rprec",
]
ASK += [
    "recall(level=2)@5",
    "ap(level=3)",
    "rr(empty=0)",
    "ndcg(empty=1)@3",
    "ndcg(ties=id)@2",
    "ndcg(discount=zipf)@4",
    "ncg@2",
    "gain_recall@4",
]


@pytest.mark.parametrize("seed", range(60))
def test_both_ways_say_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    odd = [-1, 0.5, 301, None, float("nan"), True, "1"] if seed % 6 == 5 else [0.5]
    qrels = table_of(rng, [0, 0, 0, 1, 2, 3, rng.choice(odd)])
    scores = [round(rng.random(), 1 if seed % 4 == 3 else 6) for _ in range(40)]
    run: dict[str, Any] = table_of(rng, scores if seed % 5 else [1, 2, 3, 4, 5, 6], "xyz")
    if seed % 7 == 6:
        run = {query: [*inner] for query, inner in run.items()}
    how: dict[str, Any] = {
        "missing": rng.choice([None, "zero", "skip", "error"]),
        "disjoint": rng.choice(["zero", "error"]),
    }
    measures = " ".join(rng.sample(ASK, rng.randint(1, 4)))
    forms: list[tuple[Any, Any]] = [(qrels, run)]
    if not any(isinstance(x, list) for x in run.values()):
        forms.append((frame(qrels, "grade"), frame(run, "score")))
        forms.append((frame(qrels, "grade").merge(frame(run, "score"), how="outer", sort=False), None))
    for given in forms:
        monkeypatch.setattr(few, "FEW_ROWS", 500)
        short = answer(*given, measures, **how)
        monkeypatch.setattr(few, "FEW_ROWS", 0)
        long = answer(*given, measures, **how)
        assert short[:2] == long[:2] and len(short) == len(long), (short, long)
        if len(short) > 2:
            np.testing.assert_allclose(short[2], long[2], rtol=1e-13, atol=1e-15)
            assert short[3:] == long[3:]


@pytest.mark.parametrize("most", [500, 0], ids=["few", "many"])
def test_a_level_above_every_grade_is_refused(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few, "FEW_ROWS", most)
    with pytest.raises(ValueError, match="the highest grade is 2"):
        evaluate(QRELS, RUN, "recall(level=3)@10")


def test_few_rows_are_not_read_into_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("the long way was taken")

    monkeypatch.setattr("ndcg_nb.hood.evaluator.answer_at_length", fail)
    tables = frame(QRELS, "grade"), frame(RUN, "score")
    for given in ((QRELS, RUN), tables, (tables[0].merge(tables[1], how="outer"), None)):
        assert evaluate(*given, "ndcg@10 recall@10 rr ap").values.shape == (1, 3, 4)


@pytest.mark.parametrize("most", [500, 0], ids=["few", "many"])
def test_rows_stay_what_they_were(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    "Also if the caller changes them before somebody asks for more"
    monkeypatch.setattr(few, "FEW_ROWS", most)
    qrels = {q: dict(x) for q, x in QRELS.items()}
    run = {q: dict(x) for q, x in RUN.items()}
    tables = frame(QRELS, "grade"), frame(RUN, "score")
    joined = tables[0].merge(tables[1], how="outer")
    results = evaluate(qrels, run), evaluate(*tables), evaluate(joined)
    qrels["q1"].clear()
    run["q1"]["z"] = 2.0
    tables[0]["grade"] = 0
    tables[1]["score"] = -tables[1]["score"]
    joined["score"] = -joined["score"]
    for result in results:
        assert result.explain("q1").ndcg == result.values[0, 0, 0]
        assert result.again("ndcg@10").value == result.value


def test_slices_by_a_column_of_few_rows() -> None:
    table = frame(QRELS, "grade").assign(kind=["x", "x", "y", "y", "x"])
    assert evaluate(table, RUN).by("kind")["queries"].tolist() == [2, 0]
    joined = table.merge(frame(RUN, "score"), how="left")
    assert evaluate(joined, "ndcg@10").by("kind")["queries"].tolist() == [2, 0]


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"grade": pd.array([3, 2, 0, 1], "Int64")},
        {"grade": np.array([3, 2, 0, 1], np.float32)},
        {"query": pd.Categorical(["q1", "q1", "q2", "q2"])},
        {"document": np.array([*"abab"], object)},
        {"grade": pd.to_datetime([3, 2, 0, 1])},
        {"grade": pd.to_timedelta([3, 2, 0, 1])},
        {"grade": [3, None, 0, 1]},
        {"query": ["q1", None, "q2", "q2"]},
        {"grade": [True, False, True, True]},
        {"document": [*"aabb"]},
    ],
)
def test_columns_of_any_type(change: dict[str, Any], quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    "Also where pandas has no quick way to the arrays of a frame"
    if not quick:
        monkeypatch.delattr(pd.DataFrame, "_iter_column_arrays")
    plain = {"query": ["q1", "q1", "q2", "q2"], "document": [*"abab"], "grade": [3, 2, 0, 1]}
    qrels = pd.DataFrame(plain | change)
    run = pd.DataFrame(plain | {"score": [0.1, 0.9, 0.3, 0.4]}).drop(columns="grade")
    for given in ((qrels, run), (qrels.assign(score=run["score"]), None)):
        monkeypatch.setattr(few, "FEW_ROWS", 500)
        short = answer(*given, "ndcg@3 recall@1 rr")
        monkeypatch.setattr(few, "FEW_ROWS", 0)
        long = answer(*given, "ndcg@3 recall@1 rr")
        np.testing.assert_equal(short, long)


# ---- measures as rows


def test_a_row_that_gives_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEASURES, "whole", Kind(lambda rel, k=None: np.arange(len(rel.rel.size))))
    assert evaluate(QRELS, {"q3": ["c"]}, "whole@3", missing="skip").values[0, 2, 0] == 2


ODD = [
    (np.array([1]), "int64 of shape (1,)"),
    (np.ones((3, 2)), "float64 of shape (3, 2)"),
    ("abc", "<U3 of shape ()"),
    ([[1], [1, 2], [3]], "[[1], [1, 2], [3]]"),  # of which no array can be made
    (None, "object of shape ()"),
    ({"a": 1}, "object of shape ()"),
]


@pytest.mark.parametrize("made, called", ODD)
def test_a_row_that_gives_something_else_is_named(made: Any, called: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEASURES, "odd", Kind(lambda rel, k=None: made))
    said = f"the function of odd@3 must return a number for each of 3 queries, and it returned {called}"
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        evaluate(QRELS, RUN, "odd@3")


def test_a_row_that_is_written_again_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (0.25, 0.75):  # as where a cell of a notebook is run again
        monkeypatch.setitem(MEASURES, "mine", Kind(lambda rel, k=None, number=number: np.full(3, number)))
        assert evaluate(QRELS, RUN, "mine@3").values[0, 0, 0] == number
    monkeypatch.delitem(MEASURES, "mine")
    with pytest.raises(ValueError, match="mine"):
        evaluate(QRELS, RUN, "mine@3")


def test_a_row_with_a_capital_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEASURES, "Upper", Kind(lambda rel, k=None: np.ones(3)))
    with pytest.raises(ValueError, match="MEASURES has a row 'Upper', and names are read in small letters"):
        evaluate(QRELS, RUN, "Upper@3")


@pytest.mark.parametrize("level", ["high", "{}", "0", "-1", "nan"])
def test_a_level_that_is_none_is_refused_in_words(level: str) -> None:
    with pytest.raises(
        ValueError, match=r"level of p\(level=.*\)@5 is .*: give the lowest grade that counts as relevant"
    ):
        evaluate(QRELS, RUN, f"p(level={level})@5")


def test_a_grade_above_the_highest_is_named() -> None:
    with pytest.raises(Unreadable, match=r"the grade of document 'a' of 'q1' is 9\.0, above the highest grade 4"):
        evaluate({"q1": {"a": 9}}, {"q1": ["a"]}, "err@5")


# ---- a table or a file that is called like a measure


def test_a_table_called_like_a_measure() -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")
    with duckdb.connect() as con:
        con.register("q", frame(QRELS, "grade"))
        for name in ("r", "p", "map"):
            con.register(name, frame(RUN, "score"))
            assert evaluate("q", name, "recall@10 dcg@5", connection=con).measures == ("recall@10", "dcg@5")
            assert evaluate("q", name, connection=con).measures == ("ndcg@10",)
        joined = frame(QRELS, "grade").merge(frame(RUN, "score"), how="outer")
        con.register("joined", joined)
        assert evaluate("joined", "recall", connection=con).measures == ("recall",)
        assert evaluate(joined, "recall").measures == ("recall",)


def test_a_file_called_like_a_measure(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "map").write_text("q1 Q0 a 1 1.0 r\n")
    assert evaluate(QRELS, "map", "rr").measures == evaluate(QRELS, "map", measures="rr").measures == ("rr",)


def test_measures_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="there are measures twice, 'ndcg@5' and measures='recall'"):
        evaluate(frame(QRELS, "grade"), "ndcg@5", "recall")


# ---- frames of few rows that go the long way


def test_a_frame_of_many_columns() -> None:
    wide = frame(QRELS, "grade").assign(a=1, b=1, c=1, d=1)
    np.testing.assert_equal(evaluate(wide, RUN, "ndcg@3").values, evaluate(QRELS, RUN, "ndcg@3").values)


def test_a_joined_table_without_any_grade_or_without_any_score() -> None:
    table = pd.DataFrame({"query": ["q1", "q1"], "document": ["a", "b"], "grade": [1.0, 2.0], "score": [1.0, 2.0]})
    shown = evaluate(table.assign(grade=np.nan), "ndcg@3")
    assert shown.queries == ()
    assert "There are no judgements, so there is nothing to average." in str(shown)
    judged = evaluate(table.assign(score=np.nan), "ndcg@3")
    assert judged.values.tolist() == [[[0]]]
    assert "1 judged query is missing from run (counted as 0): 'q1'." in str(judged)
