"""Slices and weights: however they are given they say the same, means agree with formulas written by hand, bad input
is refused by name."""

from __future__ import annotations

import gzip
import io
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ndcg_nb import compare, evaluate
from ndcg_nb.hood.stats.multiple import holm

QUERIES = [f"q{i:02}" for i in range(24)]
PLACES = np.random.default_rng(4).integers(0, 5, (2, 24))  # of the one relevant document, in each of two runs
QRELS = {q: {"d": 1} for q in QUERIES}
RUNS = {
    name: {q: [*"vwxyz"[:place], "d"] for q, place in zip(QUERIES, places.tolist())}
    for name, places in zip("AB", PLACES)
}
VALUES = 1 / np.log2(PLACES + 2)
SLICES = dict(zip(QUERIES, ["head"] * 9 + ["torso"] * 14 + ["tail"]))
close = lambda a, b, to=1e-12: np.testing.assert_allclose(a, b, rtol=to, atol=to)  # noqa: E731


@pytest.fixture(scope="module")
def two() -> Any:
    return evaluate(QRELS, RUNS, ["ndcg@3", "ndcg@10"])


@pytest.fixture(scope="module")
def joined() -> pd.DataFrame:
    rows = [(q, d, float(d == "d"), -i, SLICES[q]) for q, found in RUNS["A"].items() for i, d in enumerate(found)]
    return pd.DataFrame(rows, columns=["query", "document", "grade", "score", "class"])


# ------------------------------------------------------------------------------------------------ slices of means
def test_means_within_slices(two: Any) -> None:
    table = two.by(SLICES)
    assert table.columns.tolist() == ["run", "slice", "measure", "mean", "low", "high", "queries"]
    assert table["run"].tolist() == ["A"] * 6 + ["B"] * 6 and table["queries"].tolist() == [9, 9, 14, 14, 1, 1] * 2
    at_10 = table[table["measure"] == "ndcg@10"]
    for start, stop, name in ((0, 9, "head"), (9, 23, "torso"), (23, 24, "tail")):
        close(at_10.loc[at_10["slice"] == name, "mean"], VALUES[:, start:stop].mean(axis=1))
    for name, part in (("head", QUERIES[:9]), ("torso", QUERIES[9:23])):  # as if nothing else had been asked
        alone = evaluate({q: QRELS[q] for q in part}, RUNS, ["ndcg@3", "ndcg@10"]).interval(0.9)
        same = two.by(SLICES, 0.9)
        same = same[same["slice"] == name].drop(columns="slice").reset_index(drop=True)
        pd.testing.assert_frame_equal(same, alone)
    assert table.loc[table["slice"] == "tail", ["low", "high"]].isna().all(axis=None)
    pd.testing.assert_frame_equal(two.by(dict.fromkeys(QUERIES, "all")).drop(columns="slice"), two.interval())


def test_a_bootstrap_within_slices(two: Any) -> None:
    drawn = [two.by(SLICES, 0.9, "percentile", draws=999, seed=seed) for seed in (1, 1, 2)]
    pd.testing.assert_frame_equal(drawn[0], drawn[1])
    assert not drawn[0]["low"].equals(drawn[2]["low"])


def test_excluded_queries_are_in_no_slice() -> None:
    result = evaluate(QRELS | {"barren": {"d": 0}}, RUNS["A"] | {"barren": ["d"]}, "ndcg@10")
    table = result.by(SLICES | {"barren": "tail"})
    assert table["queries"].tolist() == [9, 14, 1]


def test_ways_to_give_slices(two: Any, tmp_path: Path) -> None:
    wanted = two.by(SLICES)
    pairs = [*SLICES.items()]
    lines = "".join(f"{q}\t{name}\n" for q, name in pairs)
    files = {
        "tabs.tsv": lines,
        "header.tsv": f"query\tgroup\n{lines}",
        "commas.csv": "qid,class\n" + lines.replace("\t", ","),
        "semicolons.csv": lines.replace("\t", ";"),
        "blanks.txt": "# made by hand\n\n" + lines.replace("\t", "  "),
        "object.json": json.dumps(SLICES),
        "rows.jsonl": "".join(json.dumps({"query": q, "slice": name}) + "\n" for q, name in pairs),
    }
    given: list[Any] = [SLICES, dict(reversed(pairs)), pd.Series(SLICES), pd.Series(SLICES).astype("category"), lines]
    given += [pd.DataFrame(pairs, columns=["query_id", "group"]), pl.DataFrame(pairs, schema=["a", "b"], orient="row")]
    given += [pd.DataFrame(pairs * 2, columns=["qid", "class"])[["class", "qid"]]]
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
        given += [tmp_path / name, str(tmp_path / name)]
    (tmp_path / "packed.gz").write_bytes(gzip.compress(lines.encode()))
    pd.DataFrame(pairs, columns=["query", "slice"]).to_parquet(tmp_path / "table.parquet")
    for x in [*given, tmp_path / "packed.gz", tmp_path / "table.parquet", io.StringIO(lines)]:
        pd.testing.assert_frame_equal(two.by(x), wanted)


def test_a_column_of_the_table(joined: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = evaluate(QRELS, {"run": RUNS["A"]}).by(SLICES)
    joined.to_csv(tmp_path / "joined.csv", index=False)
    joined.to_parquet(tmp_path / "joined.parquet")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()  # which is no file
    for table in (joined, pl.DataFrame(joined), "joined.csv", "joined.parquet", joined.astype({"class": "category"})):
        got = evaluate(table).by("class")
        pd.testing.assert_frame_equal(got if isinstance(got, pd.DataFrame) else got.to_pandas(), wanted)
    assert isinstance(evaluate(pl.DataFrame(joined)).by("class"), pl.DataFrame)
    qrels = joined[joined["grade"] > 0].drop(columns="score")
    pd.testing.assert_frame_equal(evaluate(qrels, RUNS["A"]).by("class"), wanted)
    long = pd.concat([joined.assign(query=joined["query"] + f"-{i}") for i in range(60)])
    assert len(long) > 2000 and evaluate(long).by("class")["queries"].tolist() == [540, 840, 60]
    numbers = evaluate(joined.assign(shop=joined["class"].map({"head": 1, "torso": 2, "tail": 3}))).by("shop")
    assert numbers["slice"].tolist() == ["1", "2", "3"]
    flags = evaluate(joined.assign(is_head=joined["class"] == "head")).by("is_head")
    assert flags["slice"].tolist() == ["True", "False"]


def test_what_slices_are_refused(two: Any, joined: pd.DataFrame, tmp_path: Path) -> None:
    def refuse(slices: Any, message: str, of: Any = two, error: type[Exception] = ValueError) -> None:
        with pytest.raises(error, match=message):
            of.by(slices)

    lacking = {q: x for q, x in SLICES.items() if q not in ("q03", "q07")}
    refuse(lacking, "2 queries have no slice: 'q03', 'q07'; give one for every query")
    refuse(lacking | {"q03": None, "q07": "tail"}, "1 query has no slice: 'q03'")
    refuse(pd.Series(SLICES).where(lambda x: x != "tail"), "1 query has no slice: 'q23'")
    refuse(SLICES | {"Q1": "head"}, "slices names 1 query that was not evaluated: 'Q1'; keep those of result.queries")
    refuse(SLICES | {"Q1": "head", "Q2": "head"}, "slices names 2 queries that were not evaluated: 'Q1', 'Q2'")
    refuse(SLICES | {"q01": ["head"]}, r"a slice is \['head'\], of type list: give a text or a number", error=TypeError)
    refuse([*SLICES.values()], "slices is .*: give {query: slice}, a Series, the path of a file", error=TypeError)
    refuse(pd.Series(["a", "b"], ["q1", "q1"]), "query 'q1' has several values")
    refuse(
        "class", "'class': there is no such file, and no table in memory with columns; give {query: slice}"
    )
    refuse(tmp_path / "none.tsv", "none.tsv", error=FileNotFoundError)
    refuse(joined, "slices has the columns 'query', 'document', 'grade', 'score', 'class': give two, the query and its")
    refuse("q00,head\nq01,head,torso\n", "<text>:2: expected 2 fields, a query and its value, got 'q01,head,torso'")
    refuse("q00 head\nq00 tail\n", "<text>: query 'q00' has several slices, 'head' and 'tail'")
    refuse(pd.DataFrame({"query": ["q00"], "x": [["a"]]}), r"slices holds \['a'\]: give a text or a number")
    refuse("#\n", "24 queries have no slice: 'q00'")
    result = evaluate(joined)
    refuse(
        "klass", "'klass': there is no such file, and table has the columns 'query', 'document', 'grade', 'score', 'class'", result
    )
    mixed = joined.copy()
    at = mixed["query"].value_counts(sort=False).idxmax()  # whose rows are several
    mixed["class"] = [
        "other" if q == at and d == "d" else x for q, d, x in mixed[["query", "document", "class"]].values
    ]
    refuse("class", rf"table\['class'\]: query '{at}' has several slices, '.*' and 'other': give one", evaluate(mixed))
    holes = joined.assign(**{"class": joined["class"].where(joined["query"] != "q23")})
    refuse("class", "1 query has no slice: 'q23'", evaluate(holes))
    changed = joined.copy()
    result = evaluate(changed)
    changed.loc[len(changed)] = changed.iloc[0]
    refuse("class", f"table had {len(joined)} rows, and has {len(joined) + 1} now: evaluate again", result)
    refuse("class", "a stored evaluation holds numbers", pickle.loads(pickle.dumps(result)))
    (tmp_path / "folder").mkdir()
    joined.to_parquet(tmp_path / "folder/part.parquet")
    refuse("class", "only the columns that are scored are read; give {query: slice}", evaluate(tmp_path / "folder"))
    refuse('[{"q1": {"a": 1}},\n{"q2": {"a": 1}}]', "<text> holds {'a': 1}: give a text or a number for each query")


# ------------------------------------------------------------------------------------------- slices of differences
def test_differences_within_slices(two: Any) -> None:
    pytest.importorskip("scipy")
    whole = compare(two, "ndcg@10")
    found = whole.by(SLICES)
    table = found.table
    columns = ["slice", "a", "b", "difference", "low", "high", "p", "adjusted", "queries", "verdict"]
    assert table.columns.tolist() == columns and table["slice"].tolist() == ["head", "torso", "tail"]
    close(table["difference"] @ table["queries"] / 24, whole.difference)
    alone = [compare({x: VALUES[i, at] for i, x in enumerate("AB")}) for at in (slice(9), slice(9, 23))]
    for name in ("difference", "low", "high", "p"):
        close(table[name][:2], [getattr(x, name) for x in alone])
    close(table["difference"][2], VALUES[1, 23] - VALUES[0, 23])
    assert table.loc[2, ["low", "high", "p", "adjusted"]].isna().all() and table["verdict"][2] == "undecided"
    close(table["adjusted"][:2], holm(table["p"][:2].to_numpy()))
    assert found.notes[0].endswith("adjusted for 2 tests after Holm, and verdicts are by that.")
    assert "Too small to say much: head (9), tail (1); with fewer than 10 queries" in found.notes[2]
    assert len(whole.by(dict.fromkeys(QUERIES, "all")).notes) == 2
    assert str(found).splitlines()[0].split() == [
        "slice", "ndcg@10", "difference", "95%", "interval", "p", "adjusted", "queries", "verdict"
    ]  # fmt: skip
    tail = str(found).splitlines()[3].split()
    assert tail[:4] == ["tail", "B", "−", "A"] and tail[5:] == ["–", "–", "–", "1", "undecided"]
    assert found._repr_html_().count("<tr>") == 4 and "<li>Too small" in found._repr_html_()
    assert found.to_markdown(2).splitlines()[2].startswith("| head | B − A | ")


def test_slices_and_pairs_are_one_family() -> None:
    pytest.importorskip("scipy")
    rng = np.random.default_rng(0)
    easy = rng.uniform(0.2, 0.8, 40)
    three = {"A": easy, "B": easy + rng.normal(0.05, 0.02, 40), "C": easy + rng.normal(0, 0.02, 40)}
    slices = {str(i): "odd" if i % 2 else "even" for i in range(1, 41)}
    for how in ({}, {"adjust": "tukey"}, {"adjust": None}, {"test": "randomization"}):
        table = compare(three, **how).by(slices).table
        assert len(table) == 6
        close(table["adjusted"], holm(table["p"].to_numpy()))
        assert table["verdict"].tolist() == ["better", "undecided", "worse"] * 2, "B is better than A and C"
    based = compare(three, baseline="B").by(slices).table
    assert based["a"].unique().tolist() == ["B"] and set(based["verdict"]) == {"worse"}


def test_slices_of_queries_that_were_left_out() -> None:
    pytest.importorskip("scipy")
    values = {"A": dict(zip("abcd", [0.1, 0.2, 0.3, math.nan])), "B": dict(zip("abcd", [0.2, 0.2, 0.5, 0.1]))}
    table = compare(values).by({"a": 1, "b": 1, "c": 1, "d": 2}).table
    assert table["slice"].tolist() == ["1"] and table["queries"].tolist() == [3]
    with pytest.raises(ValueError, match="no such file, and no table in memory"):
        compare(values).by("class")


def test_a_comparison_by_a_column(joined: pd.DataFrame) -> None:
    pytest.importorskip("scipy")
    qrels = joined[joined["grade"] > 0].drop(columns="score")
    by_name = compare(qrels, RUNS).by("class").table
    pd.testing.assert_frame_equal(by_name, compare(QRELS, RUNS).by(SLICES).table)
