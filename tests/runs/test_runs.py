"""Whole runs: however given and whichever road is taken, a query has the value that its measure gives it alone."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import math
import pickle
import random
import re
from copy import deepcopy
from dataclasses import FrozenInstanceError
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import EXAMPLES, needed
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shared.forms import CUTOFF, FORMS, GRADE, WHOLE, Table, changed, collections, delimited, frame, rows, trec

from ndcg_nb import bounds, compare, evaluate, explain_change, ndcg, read_qrels, read_run
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.core.sums import IDEALS
from ndcg_nb.hood.display.sheets import in_text
from ndcg_nb.hood.inputs import columns, files, tables
from ndcg_nb.hood.inputs.columns import ArrowIds, PlainIds, Unreadable
from ndcg_nb.hood.runs import few as few_rows
from ndcg_nb.hood.runs import scoring as scores
from ndcg_nb.hood.runs.notation import Written, read_measure
from ndcg_nb.runs import MEASURES, which_run

# Made at random, grades may look like scores: a warning says so.
pytestmark = pytest.mark.filterwarnings("ignore:.* are they swapped")
some, few = (settings(max_examples=max(5, EXAMPLES // n)) for n in (4, 12))


def written(name: str, k: int | None, **settings: Any) -> str:
    inside = ",".join(f"{key}={value}" for key, value in settings.items())
    return name + (f"({inside})" if inside else "") + ("" if k is None else f"@{k}")


def values(result: Any) -> dict[str, list[float]]:
    "By query, for the first run"
    return dict(zip(result.queries, result.values[0].tolist()))


def same(a: Any, b: Any) -> None:
    "The same queries and values, to the bit; the same means"
    first, second = (values(x) if hasattr(x, "queries") else x for x in (a, b))
    assert first.keys() == second.keys()
    for query, row in first.items():
        np.testing.assert_array_equal(row, second[query], err_msg=query)
    if hasattr(a, "mean_rows") and hasattr(b, "mean_rows"):
        np.testing.assert_array_equal(a.mean_rows, b.mean_rows)


def scored(qrels: Any, run: Any, measures: Any = "ndcg@5", **how: Any) -> Any:
    return evaluate(qrels, run, measures, **{"disjoint": "zero"} | how)


def one_query(judged: Table, results: Table, hole: float = 0) -> dict[str, Any]:
    "What a measure is given for one query: grades beside scores and ids, and all that was judged"
    rel = [float(judged.get(document, hole)) for document in results]
    return {"rel": rel, "scores": list(results.values()), "ids": list(results), "pool": list(judged.values())}


LONG_WAY = (few_rows, "FEW_ROWS", 0)

# ---- evaluate is its measure, query by query


def compared_with_nothing(ideal: str) -> bool:
    "Whether a query without results would be compared with nothing: it counts as 0, whatever was judged"
    return IDEALS[ideal].needs_list


def alone(name: str, qrels: Table, run: Table, k: int | None, keywords: dict[str, Any]) -> dict[str, list[float]]:
    "The same query by query, from the function itself"
    kind = MEASURES[name]
    known = scores.parameters_of(MEASURES[name].function)
    keywords = keywords | ({"k": k} if "k" in known else {}) | ({"empty": np.nan} if "empty" in known else {})
    found = {}
    for query, judged in qrels.items():
        if max(judged.values()) <= 0:  # excluded from every measure
            found[query] = [np.nan] * max(1, len(kind.ends))
            continue
        data = one_query(judged, run.get(query, {}), np.nan if kind.holes else 0)
        if kind.pool:
            data = {"rel": data["pool"]}
        if not data["rel"] and kind.shown:
            found[query] = [np.nan]
            continue
        if query not in run and compared_with_nothing(keywords.get("ideal", "pool")):
            found[query] = [0]
            continue
        rel = data.pop("rel")
        value = kind.function(rel, **{x: v for x, v in data.items() if x in known}, **keywords)
        found[query] = list(value) if kind.ends else [value]
    return found


@some
@given(collections(), CUTOFF, st.sampled_from(["linear", "exp", "binary"]), st.sampled_from(["average", "id", "last"]))
def test_ndcg_query_by_query(tables: Any, k: int | None, gain: str, ties: str) -> None:
    qrels, run = tables
    same(
        scored(qrels, run, written("ndcg", k, gain=gain, ties=ties)),
        alone("ndcg", qrels, run, k, {"gain": gain, "ties": ties}),
    )


def in_words_of(dialect: Any, k: int | None) -> str:
    "nDCG, with nothing that makes a tool stop where nothing can be found"
    rules = {"empty": np.nan} if dialect.empty == "raise" else {}
    return written("ndcg", k, **rules)


def alone_as(name: str, judged: Any, run: Table, query: str, k: int | None) -> float:
    "The value of one query, from the function itself, where a missing one counts as 0"
    dialect = DIALECTS[name]
    if query not in run and compared_with_nothing(dialect.ideal):
        return 0
    shown = {d: x for d, x in run.get(query, {}).items() if d != query or not dialect.ignore_self}
    data = one_query(judged, shown)
    rel = data.pop("rel")
    empty = dialect.empty if isinstance(dialect.empty, Real) else np.nan
    return ndcg(rel, k, **data, like=name, empty=empty)


@few
@given(collections(WHOLE), collections(st.integers(-2, 4)), CUTOFF)
def test_every_dialect_query_by_query(plain: Any, negative: Any, k: int | None) -> None:
    for name, dialect in DIALECTS.items():
        if dialect.ideal == "full" and k is None:
            continue  # it needs a cutoff
        legal = isinstance(dialect.gain, tuple) and dialect.gain[0].startswith("positive")
        qrels, run = negative if legal else plain
        result = scored(qrels, run, in_words_of(dialect, k), like=name, missing="zero")
        for query, [found] in values(result).items():
            expected = alone_as(name, qrels[query], run, query, k)
            np.testing.assert_array_equal(found, expected, err_msg=f"{name}, {query}")


ONE_OF_A_RULE = {(x.missing, x.rounding): name for name, x in DIALECTS.items() if x.ideal != "full"}


@pytest.mark.parametrize("name", ONE_OF_A_RULE.values())
def test_a_dialect_leaves_out_what_it_leaves_out(name: str) -> None:
    "Queries, and digits of the mean"
    dialect = DIALECTS[name]

    @few
    @given(collections(WHOLE), CUTOFF)
    def check(tables: Any, k: int | None) -> None:
        qrels, run = tables
        measure = in_words_of(dialect, k)
        missing = {query for query in qrels if query not in run}
        if missing and dialect.missing == "error":
            with pytest.raises(Unreadable, match="judged but missing from run"):
                scored(qrels, run, measure, like=name)
            return
        result = scored(qrels, run, measure, like=name)
        wanted = values(scored(qrels, run, measure, like=name, missing="zero"))
        if dialect.missing in ("skip", "none"):
            wanted |= {query: [np.nan] for query in missing}
        np.testing.assert_equal(values(result), wanted)
        there = [v for [v] in wanted.values() if v == v]
        mean = math.fsum(there) / len(there) if there else math.nan
        rounded = mean if dialect.rounding is None else round(mean, dialect.rounding)
        np.testing.assert_array_equal(result.value, rounded)

    check()


OF_GRADES = """
dcg(gain=exp,discount=zipf) cg(gain=exp) idcg ncg ncg(gain=exp,ties=worst) gain_recall(ties=best)
ndcg_at_r ndcg_at_r(gain=exp,ties=id) condensed_ndcg condensed_ndcg(gain=exp,ties=id) judged
ndcg(ideal=hits,minus_inf=last) ndcg(precision=float32)
"""
SIGNED = "dcg(ties=id) cg(ties=first) penalized_ndcg penalized_ndcg(penalty=2,ties=id)"


def compared_query_by_query(measure: str, grade: Any) -> None:
    name = read_measure(measure).name
    keywords = dict(read_measure(measure).settings)
    has_cutoff = "k" in scores.parameters_of(MEASURES[name].function)

    @few
    @given(collections(grade), CUTOFF)
    def check(tables: Any, k: int | None) -> None:
        k = k if has_cutoff else None
        same(scored(*tables, written(name, k, **keywords)), alone(name, *tables, k, keywords))

    check()


@pytest.mark.parametrize("measure", OF_GRADES.split())
def test_every_measure_query_by_query(measure: str) -> None:
    compared_query_by_query(measure, GRADE)


@pytest.mark.parametrize("measure", SIGNED.split())
def test_measures_of_signed_grades_query_by_query(measure: str) -> None:
    compared_query_by_query(measure, st.integers(-2, 3))


@few
@given(collections(WHOLE), st.integers(1, 4))
def test_bounds_query_by_query(tables: Any, k: int) -> None:
    qrels, run = tables
    grades = sorted({0, *(grade for judged in qrels.values() for grade in judged.values())})
    result = scored(qrels, run, written("bounds", k))
    assert result.measures == (f"bounds@{k} low", f"bounds@{k} high")
    same(result, alone("bounds", qrels, run, k, {"grades": grades}))


def test_bounds_where_a_grading_may_leave_nothing_to_find() -> None:
    "What `empty` says of 0/0 is possible, too; a query with nothing to find in any grading is still noted"
    qrels = {"q": {"a": 0, "b": 0}, "p": {"a": 3, "x": 3}, "none": {"a": 0}}
    run = {"q": {"u": 3, "a": 2}, "p": {"a": 1}, "none": {"a": 1}}
    ours = evaluate(qrels, run, "bounds(empty=0)@2")
    alone = bounds([None, 0], 2, grades=[0, 3], pool=[0, 0, None], empty=0)
    assert ours.values[0, 0].tolist() == list(alone) == [0, 1]
    assert np.isnan(evaluate(qrels, run, "bounds@2").values[0, 0]).all()  # no relevant document is known
    assert any("no relevant document" in note and "'none'" in note for note in ours.notes)


@some
@given(collections(), st.lists(st.integers(1, 9), min_size=2, max_size=4, unique=True))
def test_several_measures_and_cutoffs_are_each_alone(tables: Any, ks: list[int]) -> None:
    each = [*(f"ndcg@{k}" for k in ks), *(f"judged@{k}" for k in ks), "dcg"]
    together = scored(*tables, f"ndcg@{','.join(map(str, ks))} judged@{','.join(map(str, ks))} dcg")
    assert together.measures == tuple(each)
    for i, measure in enumerate(each):
        np.testing.assert_array_equal(together.values[0, :, i], scored(*tables, measure).values[0, :, 0])


# ---- however it is given


AT_ONCE = ((columns, "SHORT", 0), (files, "SMALL", 0), LONG_WAY)
ROADS: list[tuple[Any, ...]] = [(), AT_ONCE]


@pytest.mark.parametrize("form", FORMS)
def test_however_it_is_given(form: str) -> None:
    measures = "ndcg@1,5 judged@3 condensed_ndcg"

    @few
    @given(collections(), st.sampled_from([None, "trec_eval-10"]))
    def check(tables: Any, like: str | None) -> None:
        qrels, run = tables
        grades = {q: {d: math.floor(g) if like else g for d, g in judged.items()} for q, judged in qrels.items()}
        how = {"like": like, "missing": "zero"}
        expected = scored(grades, run, measures, **how)
        for changes in ROADS:
            with changed(*changes):
                made = FORMS[form](grades, "grade"), FORMS[form](run, "score")
                same(scored(*made, measures, **how), expected)

    check()


NUMBERS = st.dictionaries(st.integers(1, 3), st.dictionaries(st.integers(1, 7), WHOLE, min_size=1), min_size=1)


@pytest.mark.parametrize("kind", ["int64", "Int64", "uint8", "category", "object", "string", "int32[pyarrow]"])
def test_numbers_are_ids(kind: str) -> None:
    @few
    @given(NUMBERS, NUMBERS)
    def check(qrels: Any, run: Any) -> None:
        assume(qrels.keys() & run.keys())
        expected = scored(qrels, run)
        text = {str(q): {str(d): x for d, x in inner.items()} for q, inner in run.items()}
        same(scored(qrels, text), expected)
        judged = frame(qrels, "grade", kind)
        shown = frame(run, "score", kind)
        for changes in ROADS:
            with changed(*changes):
                same(scored(judged, shown), expected)
                same(scored(qrels, shown), expected)

    check()


def test_a_path_and_standard_input(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = {"1": {"a": 1, "b": 3}, "2": {"a": 1}}
    run = {"1": {"a": 2.0, "b": 1.0}}
    for name, made in (("qrels.gz", gzip.compress(trec(qrels, "grade"))), ("run", trec(run, "score"))):
        (tmp_path / name).write_bytes(made)
    same(evaluate(tmp_path / "qrels.gz", str(tmp_path / "run")), evaluate(qrels, run))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(trec(run, "score"))))
    same(evaluate(tmp_path / "qrels.gz", "-"), evaluate(qrels, run))
    assert read_qrels(tmp_path / "qrels.gz").to_dict("list") == {
        "query": ["1", "1", "2"],
        "document": ["a", "b", "a"],
        "grade": [1, 3, 1],
    }
    assert read_run(tmp_path / "run").to_dict("list") == {"query": ["1", "1"], "document": ["a", "b"], "score": [2, 1]}
    assert read_qrels(b"1 0 a 0.5\n")["grade"].tolist() == [0.5]


@some
@given(collections(), st.randoms(use_true_random=False))
def test_the_order_of_rows_is_irrelevant(tables: Any, shuffle: random.Random) -> None:
    measures = (
        "ndcg@2,5 ndcg(ties=id)@3 dcg(gain=exp) judged@4 gain_recall@3 condensed_ndcg(ties=worst) bounds(ties=id)@2"
    )
    if any(g != int(g) for judged in tables[0].values() for g in judged.values()):
        measures = "ndcg(ties=id)@2,5 judged@4 condensed_ndcg(ties=best)"  # sums of fractions depend on their order
    mixed = []
    for table, value in zip(tables, ("grade", "score")):
        lines = rows(table)
        shuffle.shuffle(lines)
        mixed.append(pd.DataFrame(lines, columns=["query", "document", value]))
    same(scored(*mixed, measures), scored(*tables, measures))


# ---- whichever road is taken


MANY = (
    "ndcg@2,5 ndcg(ties=id,precision=float32)@3 ndcg(minus_inf=last,ties=worst) dcg cg@3 ncg@2 gain_recall@4 judged@3"
)


@some
@given(collections())
def test_ways_to_rank(tables: Any) -> None:
    "In order already, or sorted"
    qrels, run = tables
    best_first = {q: dict(sorted(results.items(), key=lambda x: -x[1])) for q, results in run.items()}
    with changed(LONG_WAY):
        same(scored(qrels, best_first, MANY), scored(qrels, run, MANY))


def test_each_measure_has_its_own_precision() -> None:
    qrels = {"1": {"a": 1, "b": 0}}
    run = {"1": {"a": 1 + 1e-9, "b": 1.0}}
    measures = ["ndcg(ties=id)@2", "ndcg(ties=id,precision=float32)@2", "ndcg(like=trec_eval)@2"]
    assert values(evaluate(qrels, run, measures)) == {"1": [1, 1 / math.log2(3), 1 / math.log2(3)]}


def test_what_was_not_retrieved_stays_in_a_list() -> None:
    qrels = {"1": {"a": 1, "b": 1, "c": 1}}
    run = {"1": {"a": 1.0, "x": 0.5, "b": -math.inf}}
    assert evaluate(qrels, run, "ndcg", like="rax").value == 1 / (1 + 1 / math.log2(3))
    assert evaluate(qrels, run, "ndcg(ideal=hits)").value == 1 / (1 + 1 / math.log2(3))
    assert evaluate(qrels, run, "judged").value == 1 / 2


def test_means_are_rounded_as_their_tool_does() -> None:
    run = {"1": {"x": 2.0, "a": 1.0}}
    digits = {"trec_eval": 0.6309, "beir": 0.63093, "ir_measures": 1 / math.log2(3)}
    for like, mean in digits.items():
        result = evaluate({"1": {"a": 1}}, run, like=like)
        assert result.value == mean
        assert result.values[0, 0, 0] == 1 / math.log2(3)


@some
@given(collections())
def test_results_that_add_nothing_are_left_out(tables: Any) -> None:
    with changed(LONG_WAY):
        squeezed = scored(*tables, MANY)
        with changed((scores, "lists_of_hits", scores.lists_of_results)):
            same(scored(*tables, MANY), squeezed)


def random_tables(seed: int, queries: int, depth: int, judged: int) -> tuple[Table, Table]:
    "Longer ones, with ties"
    draw = np.random.default_rng(seed)
    qrels = {}
    run = {}
    for q in range(queries):
        pool, found = (draw.permutation(3 * depth)[:n].tolist() for n in (judged, depth))
        grades = draw.integers(0, 4, judged).tolist()
        qrels[f"q{q}"] = {f"d{d}": grade for d, grade in zip(pool, grades)}
        scored = draw.integers(0, 2 * depth, depth).astype(float).tolist()
        run[f"q{q}"] = {f"d{d}": score for d, score in zip(found, scored)}
    return qrels, run


@pytest.mark.parametrize("judged", [2, 30])
@pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow", "TREC", "CSV", "TSV", "Parquet"])
def test_long_tables(form: str, judged: int) -> None:
    "Arrow's ids beside plain ones; rows in order, and not"
    qrels, run = random_tables(judged, 40, 150, judged)
    made = FORMS[form](qrels, "grade"), FORMS[form](run, "score")
    with changed((columns, "SHORT", 10**9)):
        assert isinstance(tables.read_rows(run, "score", "run").document, PlainIds)
        expected = scored(qrels, run, MANY)
    if form in ("pandas", "polars", "pyarrow"):
        read = tables.read_rows(made[1], "score", "run")
    else:
        read = files.read_file(made[1], "score")
    assert isinstance(read.document, ArrowIds)
    same(scored(*made, MANY), expected)
    same(scored(qrels, made[1], MANY), expected)
    same(scored(made[0], run, MANY), expected)
    same(scored(frame(qrels, "grade").sample(frac=1, random_state=1), frame(run, "score").iloc[::-1], MANY), expected)


def test_each_form_beside_each_other() -> None:
    "Arrow has several types of strings, which libraries choose from as they like"
    qrels, run = random_tables(3, 4, 20, 8)
    expected = scored(qrels, run, MANY)
    forms = ["pandas", "pandas, objects", "pandas, categories", "polars", "pyarrow", "pyarrow, views", "TREC", "JSON"]
    with changed(*AT_ONCE):
        for ours in forms:
            for theirs in forms:
                same(scored(FORMS[ours](qrels, "grade"), FORMS[theirs](run, "score"), MANY), expected)


@pytest.mark.parametrize("number", [0, 7, 2**32 - 1])
def test_ids_are_told_apart_where_their_numbers_are_not(number: int) -> None:
    "The numbers that stand for ids only say where to look"
    qrels, run = random_tables(4, 30, 120, 20)
    expected = scored(qrels, run, MANY)
    alike = property(lambda self: np.full(len(self), number, np.uint32))
    with changed((ArrowIds, "hashes", alike), (PlainIds, "hashes", alike)):
        same(scored(frame(qrels, "grade"), frame(run, "score"), MANY), expected)
        same(scored(qrels, run, MANY), expected)


# ---- one joined table, several runs, and other ways to ask


def joined(qrels: Table, run: Table) -> pd.DataFrame:
    every = rows(qrels) + rows(run)
    pairs = dict.fromkeys((query, document) for query, document, _ in every)
    lines = [(q, d, qrels.get(q, {}).get(d), run.get(q, {}).get(d)) for q, d in pairs]
    made = pd.DataFrame(lines, columns=["query", "document", "grade", "score"])
    return made.astype({"grade": float, "score": float})


@some
@given(collections(), st.booleans(), st.randoms(use_true_random=False))
def test_one_joined_table(tables: Any, ignore_self: bool, shuffle: random.Random) -> None:
    measures = "ndcg(ties=id)@2,5 judged@3 condensed_ndcg(ties=id) ndcg(like=beir)@3 ndcg(like=ir_measures)@3"
    tables = ({q: {d: math.floor(g) for d, g in x.items()} for q, x in tables[0].items()}, tables[1])
    expected = scored(*tables, measures, ignore_self=ignore_self or None)
    whole = joined(*tables).sample(frac=1, random_state=shuffle.randrange(2**20))
    with changed((columns, "SHORT", shuffle.choice([0, 2000]))):
        same(evaluate(whole, measures, disjoint="zero", ignore_self=ignore_self or None), expected)
        table = (
            delimited({}, "grade").replace(b"grade", b"grade,score") + whole.to_csv(index=False, header=False).encode()
        )
        same(evaluate(table, measures, disjoint="zero", ignore_self=ignore_self or None), expected)


@pytest.mark.parametrize("count", [3, 3000])
def test_a_query_is_dropped_from_its_own_results_in_a_joined_table(count: int) -> None:
    "By their ids, also where long tables are matched by rows; rows without documents have no such id"
    table = pd.DataFrame({"query": "d1", "document": [f"d{i}" for i in range(count)], "grade": 1, "score": 1.0})
    ignored = evaluate(table, "dcg(gain=binary)", ignore_self=True).value
    assert ignored < evaluate(table, "dcg(gain=binary)", ignore_self=False).value
    assert ignored == pytest.approx(evaluate(table[table["document"] != "d1"], "dcg(gain=binary)").value)
    bare = table.drop(columns="document")
    assert evaluate(bare, "ndcg", ignore_self=True).value == evaluate(bare, "ndcg").value


def test_a_joined_table_without_documents() -> None:
    table = pd.DataFrame({"user": [1, 1, 1, 2], "y_true": [0, 3, 1, 2], "y_score": [0.5, 0.25, 0.75, 1]})
    assert values(evaluate(table, "ndcg@2")) == {"1": [ndcg([1, 0, 3], 2)], "2": [1.0]}
    with pytest.raises(
        Unreadable, match="ties are broken by document id here, and the table has no column of documents"
    ):
        evaluate(table.assign(y_score=1), "ndcg@2", like="trec_eval")
    assert evaluate(table.assign(y_score=1), "ndcg(ties=first)@2").values[0, 0, 0] == ndcg([0, 3, 1], 2)


def test_ranks_instead_of_scores() -> None:
    qrels = {"1": {"a": 3, "b": 1}}
    ranks = pd.DataFrame({"query": ["1"] * 3, "document": ["c", "a", "b"], "rank": [3, 1, 2]})
    assert evaluate(qrels, ranks, "ndcg@3").value == 1
    table = pd.DataFrame({"query": ["1"] * 2, "document": ["a", "b"], "grade": [3, 1], "rank": [2, 1]})
    assert evaluate(table, "ndcg@3").value == ndcg([1, 3], 3)


@some
@given(collections(), collections())
def test_several_runs_are_each_alone(first: Any, second: Any) -> None:
    qrels = first[0]
    runs = {"first": first[1], "second": second[1]}
    assume(qrels.keys() & second[1].keys())
    together = scored(qrels, runs, "ndcg@3 dcg")
    assert together.runs == ("first", "second")
    for i, (name, run) in enumerate(runs.items()):
        alone = scored(qrels, run, "ndcg@3 dcg")
        np.testing.assert_array_equal(together.values[i], alone.values[0])
        np.testing.assert_array_equal(together.means.loc[name], alone.means.iloc[0])
    assert together.per_query.shape == (2 * len(qrels), 4)


@some
@given(collections())
def test_what_stands_twice(tables: Any) -> None:
    qrels, run = tables
    twice = [*rows(run), *((q, d, score + 1) for q, d, score in rows(run)[::2])]
    table = pd.DataFrame(twice, columns=["query", "document", "score"])
    judged = pd.DataFrame(rows(qrels) * 2, columns=["query", "document", "grade"])
    for short in (0, 2000):
        with changed((columns, "SHORT", short)):
            with pytest.raises(Unreadable, match=r"appears twice.*: run, row \d+ and run, row \d+.*duplicates='first'"):
                scored(qrels, table, MANY)
            same(scored(judged, table, MANY, duplicates="first"), scored(qrels, run, MANY))


def test_a_document_that_is_its_query() -> None:
    qrels = {"a": {"a": 1, "b": 1}, "b": {"a": 1}}
    run = {"a": {"a": 3.0, "b": 2.0}, "b": {"a": 1.0, "c": 2.0}}
    without = {"a": {"b": 2.0}, "b": run["b"]}
    for made in ((qrels, run), (frame(qrels, "grade"), frame(run, "score"))):
        for short in (0, 2000):
            with changed((columns, "SHORT", short)):
                same(evaluate(*made, "ndcg@3", ignore_self=True), evaluate(qrels, without, "ndcg@3"))
                same(evaluate(*made, "ndcg@3", like="beir"), evaluate(qrels, without, "ndcg@3", like="beir"))
    kept = evaluate(qrels, run, "ndcg@3", like="beir", ignore_self=False)
    np.testing.assert_array_equal(kept.values, evaluate(qrels, run, "ndcg@3", like="trec_eval").values)
    same(evaluate(joined(qrels, run), "ndcg@3", ignore_self=True), evaluate(qrels, without, "ndcg@3"))
    both = evaluate(qrels, run, ["ndcg@3", "ndcg(like=beir)@3"])
    assert both.values[0, 0].tolist() == [1, 1 / (1 + 1 / math.log2(3))]


@pytest.mark.parametrize("short", [0, 2000])
def test_a_run_of_nothing_but_itself(short: int) -> None:
    qrels = {"a": {"b": 1}, "b": {"b": 1}}
    run = {"a": {"a": 1.0}, "b": {"b": 1.0}}
    with changed((columns, "SHORT", short)):
        result = scored(frame(qrels, "grade"), frame(run, "score"), ignore_self=True)
    assert values(result) == {"a": [0], "b": [0]}


def test_what_stands_twice_in_a_joined_table() -> None:
    table = pd.DataFrame({"query": "1", "document": list("abca"), "grade": [3, 0, None, 1], "score": [1.0, 2, 3, 4]})
    assert evaluate(table, "ndcg@3", duplicates="first").value == ndcg([0, 0, 3], 3)


def test_rows_are_documents_where_there_are_none() -> None:
    table = pd.DataFrame({"query": "1", "grade": [3, 1, 2, None], "score": [None, 0.1, 0.2, 0.3]})
    result = evaluate(table, "ndcg@3 judged@3")
    assert values(result) == {"1": [ndcg([0, 2, 1], 3, pool=[3, 2, 1]), 2 / 3]}
    assert result.explain("1")["document"].tolist() == ["row 3", "row 2", "row 1"]
    ignored = evaluate(table, "ndcg@3", ignore_self=True)
    np.testing.assert_array_equal(ignored.values[..., 0], result.values[..., 0])


def test_measures_that_were_read_already() -> None:
    asked = [read_measure("ndcg@3"), "dcg(gain=exp)@3"]
    assert evaluate(QRELS, RUN, asked).measures == ("ndcg@3", "dcg(gain=exp)@3")
    assert "cut at 32, the default of XGBoost" in " ".join(evaluate(QRELS, RUN, "ndcg", like="xgboost").notes)


@pytest.mark.filterwarnings("ignore:query .2. is not in")
def test_explained() -> None:
    qrels = {"1": {"a": 3, "b": 1}, "2": {"a": 1}}
    before = {"1": {"b": 2.0, "a": 1.0}}
    after = {"1": {"a": 2.0}}
    result = evaluate(qrels, {"before": before, "after": after}, "judged@2 ndcg@2")
    was, now = (ndcg(x, 2, pool=[3, 1]) for x in ([1, 3], [3]))
    assert result.explain("1", run="before")["loss"].sum() == pytest.approx(1 - was, abs=1e-12)
    assert result.explain_change("before", "after")["share"].tolist() == [(now - was) / 2, 0]
    alone = [evaluate(qrels, run, "ndcg@2") for run in (before, after)]
    assert explain_change(*alone)["share"].tolist() == [(now - was) / 2, 0]
    assert result.explain("2", run="after").ndcg == result.values[1, 1, 1] == 0
    with pytest.raises(ValueError, match="several runs, 'before', 'after': say which"):
        result.explain("1")
    with pytest.raises(ValueError, match="no run 'befor'"):
        result.explain("1", run="befor")
    with pytest.raises(ValueError, match="no judged query '3'"):
        result.explain("3", run="before")
    with pytest.raises(ValueError, match="judged@2 cannot be explained: 'ndcg@2' can"):
        result.explain("1", "judged@2", "before")


def test_what_it_can_be_turned_into(tmp_path: Any) -> None:
    qrels = {"1": {"a": 1}, "2": {"b": 0}, "3": {"a": 1}}
    result = evaluate(qrels, {"x|y": {"1": {"a": 1.0}}, "a_b": {"1": {"c": 2.0, "a": 1.0}}}, "ndcg@10")
    everything = json.loads(result.save(tmp_path / "all.json").read_text("utf-8"))
    assert everything["runs"]["a_b"]["queries"] == {
        "1": {"ndcg@10": 1 / math.log2(3)},
        "2": {"ndcg@10": None},
        "3": {"ndcg@10": 0},
    }
    assert everything["runs"]["x|y"]["means"] == {"ndcg@10": 0.5}
    assert everything["notes"] == result.notes
    lines = list(csv.reader(result.save(tmp_path / "each.csv").read_text("utf-8").splitlines()))
    assert lines[0] == ["run", "query", "ndcg@10"]
    assert lines[2] == ["x|y", "2", ""]
    assert len(lines) == 7
    assert float(lines[4][2]) == 1 / math.log2(3)
    assert "x|y\t2\t\n" in result.save(tmp_path / "each.tsv").read_text("utf-8")
    assert "| x\\|y | **0.5000** |" in result.save(tmp_path / "means.md").read_text("utf-8")
    assert r"a\_b & 0.3155 \\" in result.save(tmp_path / "means.tex").read_text("utf-8")
    assert "<b>0.5000</b>" in result._repr_html_()


def test_polars_in_polars_out() -> None:
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    run = {"1": {"a": 1.0}, "2": {"c": 1.0, "b": 0.5}}
    tables = FORMS["polars"](qrels, "grade"), FORMS["polars"](run, "score")
    result = evaluate(*tables)
    assert isinstance(result.per_query, pl.DataFrame)
    assert isinstance(result.means, pl.DataFrame)
    assert result.per_query.rows() == [("1", 1.0), ("2", 1 / math.log2(3))]
    assert result.means.columns == ["run", "ndcg@10"]
    assert isinstance(evaluate(qrels, run).per_query, pd.DataFrame)
    assert isinstance(evaluate(FORMS["pyarrow"](qrels, "grade"), run).per_query, pd.DataFrame)
    assert isinstance(evaluate(FORMS["polars"](qrels, "grade"), run).means, pl.DataFrame)


def test_written_by_hand() -> None:
    "A whole answer, worked out on paper: a missing query is 0, an unjudged one nothing, and 0/0 left out"
    qrels = {"1": {"a": 3, "b": 1, "c": 0}, "2": {"a": 1}, "3": {"a": 0}}
    run = {"1": {"b": 0.9, "x": 0.8, "a": 0.7}, "3": {"a": 1.0}, "4": {"a": 1.0}}
    result = evaluate(qrels, run, "ndcg@2,3 dcg@3")
    best = 3 + 1 / math.log2(3)
    first = [1 / best, (1 + 3 / 2) / best, 1 + 3 / 2]
    np.testing.assert_array_equal(result.values[0], [first, [0, 0, 0], [np.nan, np.nan, np.nan]])
    assert result.mean_rows == [[x / 2 for x in first]]
    assert result.notes[0] == "Mean over 2 of 3 judged queries."
    said = " ".join(result.notes)
    for rule in (
        "missing",
        "(counted as 0): '2'",
        "no relevant document (excluded)",
        "'3'",
        "has no judgements (ignored): '4'",
    ):
        assert rule in said


# ---- the emptiness matrix

QRELS = {"1": {"a": 1}, "2": {"b": 1}}
RUN = {"1": {"a": 1.0}, "2": {"b": 1.0}}
PART_QRELS = {"1": {"a": 1}}
PART_RUN = {"1": {"a": 1.0}}
ZERO = "zero"
SKIP = "skip"
ERROR = "error"
NAN = math.nan
MATRIX = {
    # what there is: (qrels, run, {rule: values of each query}, {rule: mean})
    "everything": (QRELS, RUN, {ZERO: [1, 1], SKIP: [1, 1], ERROR: [1, 1]}, {ZERO: 1, SKIP: 1, ERROR: 1}),
    "no run": (QRELS, {}, {ZERO: [0, 0], SKIP: [NAN, NAN]}, {ZERO: 0, SKIP: NAN}),
    "partial run": (QRELS, PART_RUN, {ZERO: [1, 0], SKIP: [1, NAN]}, {ZERO: 0.5, SKIP: 1}),
    "no qrels": ({}, RUN, {ZERO: [], SKIP: [], ERROR: []}, {ZERO: NAN, SKIP: NAN, ERROR: NAN}),
    "partial qrels": (PART_QRELS, RUN, {ZERO: [1], SKIP: [1], ERROR: [1]}, {ZERO: 1, SKIP: 1, ERROR: 1}),
    "nothing": ({}, {}, {ZERO: [], SKIP: [], ERROR: []}, {ZERO: NAN, SKIP: NAN, ERROR: NAN}),
}
RULES = [({"missing": rule}, rule) for rule in (ZERO, SKIP, ERROR)]
RULES += [({}, ZERO), ({"like": "trec_eval"}, SKIP), ({"like": "ir_measures"}, ZERO), ({"like": "gdeval"}, SKIP)]
RULES += [({"like": "trec_eval-10"}, ERROR), ({"like": "trec_eval-10", "missing": ZERO}, ZERO)]


@pytest.mark.parametrize("as_table", [False, True])
@pytest.mark.parametrize("how, rule", RULES, ids=str)
@pytest.mark.parametrize("name", MATRIX)
def test_emptiness(name: str, how: dict[str, str], rule: str, as_table: bool) -> None:
    qrels, run, per_query, mean = MATRIX[name]
    given: list[Any] = [frame(qrels, "grade"), frame(run, "score")] if as_table else [qrels, run]
    if rule not in per_query:
        with pytest.raises(Unreadable, match=r"query '[12]' is judged but missing from run.*missing='zero'"):
            evaluate(*given, "ndcg@10", **how)
        return
    result = evaluate(*given, "ndcg@10", **how)
    assert result.queries == tuple(qrels)
    np.testing.assert_array_equal(result.values[0, :, 0], per_query[rule])
    np.testing.assert_array_equal(result.value, mean[rule])
    assert result.notes
    assert repr(result)
    assert result.to_json()


def test_a_query_without_documents_is_missing() -> None:
    same(evaluate(QRELS, {"1": {"a": 1.0}, "2": {}}), evaluate(QRELS, PART_RUN))


@pytest.mark.parametrize(
    "how, expected", [({}, 1), ({"like": "trec_eval"}, 0.5), ({"like": "gdeval"}, 1), ({"like": "lightgbm"}, 1)]
)
def test_nothing_to_find(how: dict[str, str], expected: float) -> None:
    assert evaluate({"1": {"a": 1}, "2": {"b": 0}}, RUN, "ndcg@10", **how).value == expected
    result = evaluate({"1": {"a": 0}, "2": {"b": 0}}, RUN, "ndcg@10", **how)
    told = "returned nothing relevant" if how.get("like") == "lightgbm" else "no relevant document"  # of its own list
    assert len(result.queries) == 2
    assert told in " ".join(result.notes)


def test_idcg_looks_at_judgements_only() -> None:
    result = evaluate(QRELS, PART_RUN, "idcg")
    assert result.values[0, :, 0].tolist() == [1, 1]
    assert "missing" not in " ".join(result.notes)


# ---- as their tools have it


@pytest.mark.parametrize("seed", range(3))
def test_pytrec_eval_itself(seed: int) -> None:
    pytrec_eval = needed("pytrec_eval")
    qrels, run = random_tables(seed, 30, 25, 8)
    draw = np.random.default_rng(seed)
    run = {q: {d: s * (1 + draw.choice([0, 1e-9, -1e-9])) for d, s in x.items()} for q, x in run.items() if q != "q7"}
    names = ["ndcg_cut_5", "ndcg_cut_20", "ndcg"]
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.5", "ndcg_cut.20", "ndcg"}).evaluate(run)
    result = evaluate(qrels, run, "ndcg@5,20 ndcg", like="pytrec_eval")
    for query, row in values(result).items():
        found = theirs.get(query, dict.fromkeys(names, NAN))
        np.testing.assert_allclose(row, [found[name] for name in names], rtol=1e-14)
    means = [np.mean([x[name] for x in theirs.values()]) for name in names]
    np.testing.assert_allclose(result.mean_rows[0], means, rtol=1e-14)
    in_64_bits = evaluate(qrels, run, "ndcg@20", like="trec_eval-10", missing="skip")
    assert (in_64_bits.values != result.values[..., 1:2]).any(), "no scores that only 32 bits confuse were tried"


def test_ir_measures_itself() -> None:
    ir_measures = needed("ir_measures")
    qrels, run = random_tables(9, 30, 25, 8)
    del run["q3"], qrels["q4"]
    theirs = ir_measures.calc_aggregate([ir_measures.nDCG @ 10, ir_measures.nDCG], qrels, run)
    ours = evaluate(qrels, run, "ndcg@10 ndcg", like="ir_measures").mean_rows[0]
    np.testing.assert_allclose(ours, [theirs[ir_measures.nDCG @ 10], theirs[ir_measures.nDCG]], rtol=1e-14)


GAINS = "ndcg(gain={-1:0,0:1,1:4,2:2})"


@pytest.mark.parametrize("like", [None, "ir_measures"])
def test_a_judged_0_and_what_was_not_judged(like: str | None) -> None:
    "The test of ir_measures for nDCG(gains={0: 1, 1: 4}), which is trec_eval's -m ndcg.0=1,1=4; 2 is worth 2, as ever"
    judged = {"0": {"D0": 1, "D1": -1, "D2": 0, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D4": -1, "D5": 0}}
    shown = {
        "0": {"D0": 0.8, "D2": 0.7, "D1": 0.3, "D3": 0.4, "D4": 0.1},
        "1": {"D1": 0.8, "D4": 0.7, "D3": 0.3, "D2": 0.4},
    }
    for run in (shown, frame(shown, "score")):
        result = evaluate(judged, run, GAINS, like=like)
        found = result.values[0, :, 0].tolist()
        assert found == pytest.approx([0.97177, 0.14949], abs=1.1e-5)
        assert [result.explain(q).ndcg for q in "01"] == pytest.approx(found, abs=1e-12)
        assert "On average, 75% of the results are judged." in result.notes


def test_what_was_not_judged_gains_nothing() -> None:
    "Tied with what was judged, in whole lists, and where a table or a function of gains has no word on grade 0"
    judged = {"q": {"a": 0, "b": 1}}
    shown = {"q": {"a": 1.0, "x": 1.0, "b": 0.5}}
    tied = (1 + 1 / math.log2(3)) / 2
    best = 4 + 1 / math.log2(3)
    for gain in ("{0:1,1:4}", "{0:1,1:4,9:9}"):
        assert evaluate(judged, shown, f"ndcg(gain={gain})@3").value == pytest.approx((tied + 2) / best, abs=1e-12)
        assert evaluate(judged, shown, f"ndcg_at_r(gain={gain})").value == pytest.approx(tied / best, abs=1e-12)
    own = Written("ndcg", {"gain": lambda grades: 3 * grades + 1}, (3,))
    assert evaluate(judged, shown, [own]).value == pytest.approx((tied + 2) / best, abs=1e-12)
    assert evaluate({"q": {"b": 1}}, {"q": {"b": 1.0, "x": 1.0}}, "ndcg(gain={1:1})@1").value == 0.5
    with pytest.raises(ValueError, match=r"which the gain table \{0: 1, 1: 4\} lacks"):
        evaluate({"q": {"a": 3}}, shown, "ndcg(gain={0:1,1:4})@3")


def test_which_run() -> None:
    qrels, run = random_tables(5, 12, 20, 6)
    del run["q3"]
    for name in ("trec_eval", "ir_measures", "gdeval", "lightgbm"):
        mean = evaluate(qrels, run, "ndcg@7", like=name, missing=None).value
        shown = f"{mean:.4f}"
        found = which_run(shown, qrels, run, 7)
        assert name in found.index
    assert found.equals(evaluate(qrels, run, "judged@3 ndcg@7,5").which(shown))
    assert found.equals(evaluate(qrels, run, "ndcg@9").which(shown, 7))
    assert "trec_eval-10" not in found.index  # which stops
    whole = evaluate(qrels, run, "ndcg", like="gdeval").value
    assert evaluate(qrels, run, "ndcg").which(whole).equals(which_run(whole, qrels, run))


def test_which_looks_at_ten() -> None:
    "What evaluate prints has a cutoff of 10, which no tool has by itself"
    qrels = {"q1": {f"d{i}": i % 3 for i in range(30)}}
    run = {"q1": list(qrels["q1"])}
    shown = f"{evaluate(qrels, run).value:.4f}"
    with pytest.warns(UserWarning, match=rf"no dialect gives {shown} with its own cutoff: these give it with k=10"):
        found = which_run(shown, qrels, run)
    assert len(found) and found.equals(which_run(shown, qrels, run, 10))


def test_which_of_one_table_and_of_a_stored_evaluation() -> None:
    rows = [("q1", "a", 3, 0.1), ("q1", "b", 1, 0.9), ("q2", "a", 2, 0.3), ("q2", "c", 0, 0.4), ("q2", "d", 1, None)]
    joined = pd.DataFrame(rows, columns=["query", "document", "grade", "score"])
    shown = joined.dropna(subset="score").drop(columns="grade")
    mean = evaluate(joined, "ndcg@5", like="trec_eval").value
    found = evaluate(io.StringIO(joined.to_csv(index=False)), "ndcg@5").which(mean)
    assert "trec_eval" in found.index
    assert found.equals(which_run(mean, joined.drop(columns="score"), shown, 5))
    assert "trec_eval" in evaluate(joined.drop(columns="document"), "ndcg@5").which(mean).index
    with pytest.raises(ValueError, match="but no tables: evaluate again"):
        pickle.loads(pickle.dumps(evaluate(joined, "ndcg@5"))).which(mean)


# ---- nothing of the caller's is changed, and nothing handed back can be


def test_inputs_are_left_alone() -> None:
    qrels, run = random_tables(2, 30, 80, 20)
    tables = [frame(qrels, "grade"), frame(run, "score").sample(frac=1, random_state=3)]
    arrow = [pa.Table.from_pandas(x) for x in tables]
    polars = [pl.from_pandas(x) for x in tables]
    for tried in (tables, arrow, polars):
        before = deepcopy(tried)
        evaluate_in_several_ways(*tried)
        assert all(a.equals(b) for a, b in zip(tried, before, strict=True))
    before = deepcopy([qrels, run])
    evaluate_in_several_ways(qrels, run)
    assert [qrels, run] == before


def evaluate_in_several_ways(qrels: Any, run: Any) -> None:
    repr(evaluate(qrels, run, MANY))
    repr(evaluate(qrels, run, like="beir"))
    repr(evaluate(qrels, run, MANY, duplicates="first", ignore_self=True))


def test_results_are_values() -> None:
    result = evaluate(QRELS, RUN)
    with pytest.raises(ValueError, match="read-only"):
        result.values[0] = 2
    with pytest.raises(FrozenInstanceError):
        result.values = None
    for table in (result.per_query, result.means):
        table["ndcg@10"] = 7
    assert result.per_query["ndcg@10"].tolist() == [1, 1]
    assert result.value == 1


def test_each_measure_is_explained_as_it_was_computed() -> None:
    "A tool that drops documents with the id of their query, beside one that does not"
    qrels = {"1": {"a": 3, "1": 3, "b": 1}}
    run = {"1": {"1": 9.0, "x": 8.0, "a": 2.0}}
    for measures in (["ndcg@10", "ndcg(like=beir)@10"], ["ndcg(like=beir)@10", "ndcg@10"]):
        result = evaluate(qrels, run, measures)
        for i, measure in enumerate(result.measures):
            assert result.explain("1", measure).ndcg == result.values[0, 0, i]
        assert result.values[0, 0, 0] != result.values[0, 0, 1]
    assert result.explain("1", "NDCG@10").ndcg == result.values[0, 0, 1]


def test_text_has_no_encoding() -> None:
    "What is text already, or Parquet, is not decoded again"
    qrels = "1 0 d\u00e9 1\n1 0 x 0\n"
    run = "1 Q0 d\u00e9 1 2.0 t\n1 Q0 x 2 1.0 t\n"
    for source in (run, io.StringIO(run), run.encode("latin-1")):
        assert evaluate(qrels.encode("latin-1"), source, encoding="latin-1").value == 1


def test_an_evaluation_can_be_stored() -> None:
    result = evaluate(
        {"1": {"a": 1}}, {"one": {"1": {"a": 1.0}}, "two": {"1": {"b": 1.0, "a": 0.5}}}, "ndcg@10 judged@1"
    )
    again = pickle.loads(pickle.dumps(result))
    assert again.means.equals(result.means)
    assert again.per_query.equals(result.per_query)
    assert again.notes == result.notes
    assert repr(again) == repr(result)
    with pytest.raises(ValueError, match="but no tables"):
        again.explain("1", run="one")


def test_what_is_dropped_is_said() -> None:
    run = pd.DataFrame({"query": ["1"] * 3, "document": ["b", "a", "b"], "score": [3.0, 2.0, 1.0]})
    result = evaluate({"1": {"a": 1}}, run, duplicates="first")
    assert "1 repeated result dropped from run." in result.notes


def test_a_measure_is_no_file_and_a_file_no_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pd.DataFrame({"query": ["1"], "document": ["a"], "grade": [1], "score": [1.0]})
    with pytest.raises(ValueError, match=r"no measure 'ndgc': there are .*; did you mean 'ndcg'"):
        evaluate(table, "ndgc@10")
    monkeypatch.chdir(tmp_path)
    Path("ndcg").write_text("1 Q0 a 1 0.5 x\n")
    assert evaluate({"1": {"a": 1}}, "ndcg").runs == ("ndcg",)


def test_a_query_without_judgements_counts_nowhere() -> None:
    "Not even where its document was judged for another query"
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    run = {"1": {"a": 1.0}, "9": {"b": 1.0}}
    for measure in ("ndcg@10", "ndcg(precision=float32)@10", "judged@10"):
        result = evaluate(qrels, run, measure)
        assert result.values[0, 0, 0] == 1
        assert not result.values[0, 1, 0] > 0


# Names that somebody else chose

HOSTILE = {
    "colour": "\x1b[31mred\x1b[0m\x9b2J",
    "line breaks": "a\nb\r\u2028c",
    "direction": "\u202eevil",
    "tag": "<script>alert(1)</script>",
    "link": "[x](javascript:alert(1)) ![y](//z) <http://z>",
    "cell": "a|b\\\\|c\\",
    "emphasis": "_x_ **y** `z` ~~w~~ $v$ &lt;",
    "formula": "=cmd|' /C calc'!A0",
    "command": r"\input{x} [2cm] 100% #1 {",
}


def hostile(name: str) -> Any:
    "A run and a query of this name, and a run beside it that lacks the query"
    judged = {name: {"d": 1}, "q": {"d": 1}}
    return evaluate(judged, {name: {name: {"d": 1.0}}, "plain": {"q": {"d": 1.0}}})


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_names_are_shown_and_not_obeyed(name: str) -> None:
    result = hostile(name)
    for text in (repr(result), result._repr_html_(), result.to_markdown(), result.to_latex()):
        assert all(c.isprintable() or c == "\n" for c in text)
    assert len(repr(result).splitlines()) == 5 + len(result.notes)
    assert len(result.to_markdown().splitlines()) == 4
    assert len(result.to_latex().splitlines()) == 8
    assert not re.search(r"<(?!/?(table|thead|tbody|tr|th|td|b|ul|li)\b)", result._repr_html_())


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_names_are_the_same_again_where_markdown_is_read(name: str) -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("gfm-like", {"html": True, "linkify": False})
    [first, *_] = re.findall(r"<td>(.*)</td>", reader.render(hostile(name).to_markdown()))
    assert html.unescape(first) == in_text(name)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_programs_read_the_names_as_they_were(name: str, tmp_path: Path) -> None:
    result = hostile(name)
    assert [*json.loads(result.to_json())["runs"]] == [name, "plain"]
    for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
        with open(result.save(tmp_path / f"x{ending}"), newline="", encoding="utf-8") as file:
            assert [row[:2] for row in csv.reader(file, delimiter=delimiter)][1] == [name, name]


# What people try first


def test_one_number_is_handed_out_in_every_way() -> None:
    result = evaluate({"q": {"a": 1, "b": 2}}, {"q": {"a": 1.0, "b": 0.5}}, "ndcg@2")
    assert float(result) == result.mean() == result["ndcg@2"] == result.value == ndcg([1, 2])
    two = evaluate({"q": {"a": 1, "b": 2}}, {"q": {"a": 1.0, "b": 0.5}}, "ndcg@1,2")
    assert two["ndcg@2"] == two.means["ndcg@2"].item()
    assert two["ndcg@1"] == 0.5


def test_several_numbers_are_not_one() -> None:
    judged = {"q": {"a": 1}}
    run = {"q": {"a": 1.0}}
    two = evaluate(judged, {"x": run, "y": run}, "ndcg@1,2")
    with pytest.raises(ValueError, match=r"several means, of 'ndcg@1', 'ndcg@2' for 'x', 'y': see .means"):
        float(two)
    with pytest.raises(ValueError, match=r"there is no measure 'ndcg@3': there are 'ndcg@1', 'ndcg@2'"):
        two["ndcg@3"]


# ------------------------------------------------------------------------------------------------ intervals
GRADED = {f"q{i}": {"a": 2, "b": 1} for i in range(1, 7)} | {"none": {"a": 0}}
TWO_RUNS: dict[str, dict[str, list[str]]] = {
    "x": {"q1": ["a", "b"], "q2": ["b", "a"], "q3": ["z", "a"], "q4": ["a"], "q5": ["b"], "q6": ["z"], "none": ["a"]},
    "y": {"q1": ["b", "a"], "q2": ["a", "b"], "q3": ["a"], "q4": ["y", "z"], "q5": ["z", "b"]},
}


def test_the_interval_of_each_mean() -> None:
    result = evaluate(GRADED, TWO_RUNS, ["ndcg@2", "judged@2"])
    table = result.interval(0.9)
    assert table.columns.tolist() == ["run", "measure", "mean", "low", "high", "queries"]
    assert table["queries"].tolist() == [6, 6, 6, 5]  # nothing to find: excluded from both; no results: no share
    for run, measure, mean, low, high, queries in table.itertuples(index=False):
        values = result.values[result.runs.index(run), :, result.measures.index(measure)]
        there = values[~np.isnan(values)]
        assert mean == result.means.loc[run, measure]
        assert queries == len(there)
        reach = {5: 2.131847, 6: 2.015048, 7: 1.943180}[queries] * there.std(ddof=1) / queries**0.5
        assert [low, high] == pytest.approx([mean - reach, min(mean + reach, 1)], rel=1e-6)
    assert table["high"].eq(1).sum() == 2, "two of them would end above 1"
    drawn = result.interval(method="bootstrap-t", draws=99, seed=1)
    assert drawn.equals(result.interval(method="bootstrap-t", draws=99, seed=1))
    assert not drawn.equals(result.interval(method="bootstrap-t", draws=99, seed=2))


def test_fewer_than_five_queries_have_no_interval() -> None:
    with pytest.raises(ValueError, match="the mean is over 1 query: an interval needs 5 or more"):
        evaluate({"q": {"a": 1}}, {"q": ["a"]}).interval()
    four = {f"q{i}": {"a": 1} for i in range(4)}
    both = four | {"none": {"a": 0}}
    result = evaluate(both, {q: ["b", "a"] for q in both}, "ndcg@2 ndcg(empty=0)@2")
    some = result.interval()
    assert some["low"].isna().tolist() == [True, False]
    assert some["queries"].tolist() == [4, 5]
    halves = result.by({q: "all" for q in four} | {"none": "none"})
    assert halves["low"].isna().all()
    assert halves["queries"].tolist() == [4, 4, 0, 1]
    assert repr(result).splitlines()[1].count("±") == 1
    assert "± is the 95% confidence interval" in repr(result)
    few = evaluate(four, {q: ["b", "a"] for q in four}, "ndcg@2")
    assert "±" not in repr(few)
    assert "Fewer than 5 queries are too few for a confidence interval." in repr(few)


def test_weights_count_by_their_effective_number() -> None:
    qrels = {f"q{i}": {"a": 1} for i in range(20)}
    run = {q: [*"xyz"[: i % 3], "a"] for i, q in enumerate(qrels)}
    for power, is_given in ((1, True), (2, False)):  # 8.1 and 2.4 queries
        result = evaluate(qrels, run, weights={q: 1 / (i + 1) ** power for i, q in enumerate(qrels)})
        assert ("±" in repr(result)) == is_given
        assert result.by(dict.fromkeys(qrels, "all"))["low"].notna().all() == is_given


def test_a_mean_is_inside_its_interval_which_ends_where_its_measure_ends() -> None:
    rng = np.random.default_rng(0)
    for seed in range(96):
        n = int(rng.integers(5, 40))
        rank = int(rng.integers(1, 9))
        qrels = {f"q{i}": {"a": 1 + i % 2} for i in range(n)}
        ranks = np.full(n, rank) if seed % 2 else rng.integers(1, 4, n)  # all alike: of length 0
        run = {q: [*"bcdefghijk"[: r - 1], "a"] for q, r in zip(qrels, ranks.tolist())}
        how = [{}, {"like": "trec_eval"}, {"weights": {q: float(rng.random()) for q in qrels}}][seed % 3]
        for row in evaluate(qrels, run, "ndcg@10 dcg@10 judged@10", **how).interval(0.999).itertuples():
            assert row.low <= row.mean <= row.high or row.low != row.low
            assert row.measure == "dcg@10" or not (row.low < 0 or row.high > 1)
    given = evaluate(
        {f"q{i}": {"a": i % 2, "b": 3} for i in range(6)}, {f"q{i}": ["b", "a"] for i in range(6)}, like="spark-graded"
    )
    assert given.interval()["high"].item() > 1, "without a true ideal there is no upper limit"


def test_the_interval_of_polars_is_polars() -> None:
    polars = pytest.importorskip("polars")
    rows = [(q, d, g) for q, x in GRADED.items() for d, g in x.items()]
    table = polars.DataFrame(rows, schema=["query", "document", "grade"], orient="row")
    assert isinstance(evaluate(table, TWO_RUNS["x"]).interval(), polars.DataFrame)


@pytest.mark.parametrize(
    "how,said",
    [
        ({"confidence": 95}, "confidence is 95: give 0.95"),
        ({"method": "bootstrap_t"}, "did you mean 'bootstrap-t'?"),
        ({"method": "bca", "draws": 9}, "draws is 9: give a whole number from 99 up"),
    ],
)
def test_intervals_refused(how: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        evaluate(GRADED, TWO_RUNS).interval(**how)


def test_the_interval_beside_a_mean_can_be_left_out() -> None:
    qrels = {str(i): {"a": 1, "b": i % 2} for i in range(6)}
    run = {query: ["b", "a"] for query in qrels}
    shown, bare = (evaluate(qrels, run, "ndcg@10", show_interval=wanted) for wanted in (True, False))
    assert " ± " in repr(shown)
    assert " ± " in shown._repr_html_()
    assert "±" not in shown.to_markdown()
    assert "±" not in repr(bare)
    assert "±" not in bare._repr_html_()
    assert bare.value == shown.value
    alone = evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}})
    assert "interval" not in repr(alone), "one query has none, and nobody asks why"
    for count, told in ((4, False), (5, True)):
        few = repr(evaluate({query: qrels[query] for query in [*qrels][:count]}, run))
        assert (" ± " in few) == told == ("Fewer than 5 queries are too few" not in few)
    with pytest.raises(TypeError, match=r"interval is 0\.9: give True or False; result\.interval"):
        evaluate(QRELS, RUN, show_interval=0.9)


def test_what_an_evaluation_has_not() -> None:
    result = evaluate({"q": {"d": 1}}, {"q": ["d"]})
    assert result.to_csv() == "run,query,ndcg@10\nrun,q,1.0"
    with pytest.raises(AttributeError, match="mean 'per_query'"):
        _ = result.per_querry
    assert pickle.loads(pickle.dumps(result)).value == 1
    assert not hasattr(result, "to_pandas")


def test_completion_offers_what_people_use() -> None:
    result = evaluate(QRELS, RUN)
    offered = {name for name in dir(result) if not name.startswith("_")}
    inside = {"asked", "scored", "sides", "again", "column", "how", "kind", "share", "mean_rows"}
    assert not offered & inside
    assert all(hasattr(result, name) for name in inside)
    assert {"value", "means", "per_query", "notes", "interval", "by", "explain", "which", "save"} <= offered
    with pytest.raises(AttributeError, match=r"an evaluation has no 'menas'; did you mean 'means'"):
        _ = result.menas  # type: ignore[attr-defined]


def test_old_names_of_keywords_are_refused() -> None:
    "Those of 0.11 were understood in 0.12 and 0.13, with a warning"
    result = evaluate({"q": {"a": 1}}, {"q": ["a"]})
    with pytest.raises(TypeError, match=r"evaluate has no parameter interval.*did you mean 'show_interval'"):
        evaluate({"q": {"a": 1}}, {"q": ["a"]}, interval=False)  # type: ignore[call-arg]
    for call in (result.interval, result.by):
        with pytest.raises(TypeError, match="unexpected keyword argument 'level'"):
            call(level=0.8)


def test_one_label_a_query_is_noted() -> None:
    "Where a better answer may be unlabelled: not for few queries, two labels, a tool's rules, or what is all judged"
    qrels: dict[str, dict[str, int]] = {f"q{i}": {f"d{i}": 1, "e": 0} for i in range(6)} | {"none": {"d": 0}}
    run = {query: ["x", *documents] for query, documents in qrels.items()}

    def noted(*given: Any, **how: Any) -> list[str]:
        return [note for note in evaluate(*given, **how).notes if note.startswith("One label a query")]

    said = "One label a query: a better answer that was never labelled counts 0; bounds@10 shows how much."
    assert noted(qrels, run, "ndcg@5,10") == noted(qrels, {"a": run, "b": run}, "rr@10") == [said]
    assert noted(qrels, run, "ndcg") == [said.replace("bounds@10", "bounds")]
    assert said in compare(qrels, {"a": run, "b": {query: x[::-1] for query, x in run.items()}}).notes
    assert not noted(qrels, run, "ndcg@10", like="trec_eval")
    assert not noted(qrels, run, "ndcg@10 bounds@10")
    assert not noted(qrels, run, "idcg@10"), "which looks at no run"
    assert not noted({query: qrels[query] for query in ("q0", "q1", "q2", "q3")}, run)
    assert not noted(qrels | {"q5": {"d5": 1, "f": 2}}, run)
    assert not noted(qrels, {query: list(x) for query, x in qrels.items()}), "nothing is unlabelled"


def test_orders_by_two_gains_are_compared() -> None:
    "Kendall's τ by hand: the pairs in the same order less those reversed, of all"
    qrels = {"q1": {"a": 3, "b": 2, "c": 2}, "q2": {"a": 3, "b": 1}}
    lists = {"first": ["a", "x", "y"], "second": ["b", "c", "x"], "third": ["x", "a"], "fourth": ["y", "x", "c"]}
    runs = {name: dict.fromkeys(qrels, x) for name, x in lists.items()}
    x = evaluate(qrels, runs, "ndcg@3 ndcg(gain=exp)@3,5 ndcg(gain=exp,discount=zipf)@3")
    linear = x.means["ndcg@3"].to_numpy()
    exp = x.means["ndcg(gain=exp)@3"].to_numpy()
    signs = np.sign(np.subtract.outer(linear, linear)) * np.sign(np.subtract.outer(exp, exp))
    tau = signs.sum() / 12
    assert round(tau, 2) == 0.67
    said = "The orders of 4 systems by ndcg@3 and ndcg(gain=exp)@3 agree with Kendall's τ = 0.67."
    assert [note for note in x.notes if "Kendall" in note] == [said]
    two = {name: runs[name] for name in ("first", "second")}
    for some, measures in ((two, "ndcg@3 ndcg(gain=exp)@3"), (runs, "ndcg@3,5"), (runs, "dcg@3 dcg(gain=exp)@3")):
        assert not any("Kendall" in note for note in evaluate(qrels, some, measures).notes)
    alike = dict.fromkeys("xyz", runs["first"])
    assert not any("Kendall" in note for note in evaluate(qrels, alike, "ndcg@3 ndcg(gain=exp)@3").notes)
