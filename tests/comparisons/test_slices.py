"""Slices and weights: however they are given they say the same, means agree with formulas written by hand, bad input
is refused by name."""

from __future__ import annotations

import datetime
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
from shared.references import close, holm_by_hand, weighted

from ndcg_nb import compare, evaluate, explain_change, queries_needed
from ndcg_nb.judges import corrected_mean

QUERIES = [f"q{i:02}" for i in range(24)]
PLACES = np.random.default_rng(4).integers(0, 5, (2, 24))  # of the one relevant document, in each of two runs
QRELS = {q: {"d": 1} for q in QUERIES}
LISTS = [[*"vwxyz"[:place], "d"] for place in range(5)]
RUNS = {name: {q: LISTS[place] for q, place in zip(QUERIES, places)} for name, places in zip("AB", PLACES)}
VALUES = 1 / np.log2(PLACES + 2)
SLICES = dict(zip(QUERIES, ["head"] * 9 + ["mid"] * 14 + ["tail"]))


@pytest.fixture(scope="module")
def two() -> Any:
    return evaluate(QRELS, RUNS, ["ndcg@3", "ndcg@10"])


@pytest.fixture(scope="module")
def joined() -> pd.DataFrame:
    rows = [(q, d, -i) for q, found in RUNS["A"].items() for i, d in enumerate(found)]
    table = pd.DataFrame(rows, columns=["query", "document", "score"])
    grade = (table["document"] == "d") * 1.0
    table.insert(2, "grade", grade)
    return table.assign(**{"class": table["query"].map(SLICES)})


# ------------------------------------------------------------------------------------------------ slices of means
def test_means_within_slices(two: Any) -> None:
    table = two.by(SLICES)
    assert table.columns.tolist() == ["run", "slice", "measure", "mean", "low", "high", "queries"]
    assert table["run"].tolist() == ["A"] * 6 + ["B"] * 6
    assert table["queries"].tolist() == [9, 9, 14, 14, 1, 1] * 2
    at_10 = table[table["measure"] == "ndcg@10"]
    for start, stop, name in ((0, 9, "head"), (9, 23, "mid"), (23, 24, "tail")):
        close(at_10.loc[at_10["slice"] == name, "mean"], VALUES[:, start:stop].mean(axis=1))
    for name, part in (("head", QUERIES[:9]), ("mid", QUERIES[9:23])):  # as if nothing else had been asked
        alone = evaluate({q: QRELS[q] for q in part}, RUNS, ["ndcg@3", "ndcg@10"]).interval(0.9)
        same = two.by(SLICES, 0.9)
        same = same[same["slice"] == name].drop(columns="slice").reset_index(drop=True)
        pd.testing.assert_frame_equal(same, alone)
    assert table.loc[table["slice"] == "tail", ["low", "high"]].isna().all(axis=None)
    pd.testing.assert_frame_equal(two.by(dict.fromkeys(QUERIES, "all")).drop(columns="slice"), two.interval())


def test_slices_of_days_and_of_numbers_in_bins(two: Any) -> None:
    numbers = pd.Series(range(24), index=QUERIES)
    bins = two.by(pd.cut(numbers, [-1, 8, 22, 23]))
    assert bins["slice"].unique().tolist() == ["(-1, 8]", "(8, 22]", "(22, 23]"]
    pd.testing.assert_frame_equal(bins.drop(columns="slice"), two.by(SLICES).drop(columns="slice"))
    days = two.by({q: datetime.date(2026, 1, 1 + i % 2) for i, q in enumerate(QUERIES)})
    assert days["slice"].unique().tolist() == ["2026-01-01", "2026-01-02"]


def test_slices_come_in_order(two: Any, joined: pd.DataFrame) -> None:
    "Numbers by value, also as text; categories as they are ordered; then names; and so in a comparison"

    def names(values: Any, of: Any = two) -> list[str]:
        found = of.by(values)
        table = found.table if hasattr(found, "table") else found
        return table["slice"].drop_duplicates().tolist()

    def cycled(*values: Any) -> dict[str, Any]:
        return {q: values[i % len(values)] for i, q in enumerate(QUERIES)}

    assert names(cycled(10, 9, 1)) == names(cycled("10", "9", "1")) == ["1", "9", "10"]
    assert names(cycled(0.5, -2.0, 3)) == ["-2.0", "0.5", "3"]
    assert names(cycled("tail", 10, "Head", 9, "nan", "inf")) == ["9", "10", "inf", "Head", "nan", "tail"]
    words = cycled("5+", "1-2", "3-4")
    bins = pd.Series(words).astype(pd.CategoricalDtype(["5+", "3-4", "never", "1-2"], ordered=True))
    for values in (bins, bins.rename("words").rename_axis("query").reset_index()):
        assert names(values) == names(values, compare(two)) == ["5+", "3-4", "1-2"]
    table = joined.assign(words=joined["query"].map(words).astype(bins.dtype))
    assert names("words", evaluate(table)) == ["5+", "3-4", "1-2"]
    assert names(words) == ["1-2", "3-4", "5+"]
    numbers = pd.Series(cycled(20, 3)).astype(pd.CategoricalDtype([20, 3]))
    assert names(numbers) == ["20", "3"]
    weighted_alike = [evaluate(QRELS, RUNS, weights=x).means for x in (numbers, cycled(20, 3))]
    pd.testing.assert_frame_equal(*weighted_alike)


def test_many_slices_and_an_id_that_comes_twice() -> None:
    n = 30_000  # where a comparison of all with all would take minutes
    qrels = pd.DataFrame({"query": [f"q{i}" for i in range(n)], "document": "d", "grade": 1})
    result = evaluate(qrels, qrels.rename(columns={"grade": "score"}))
    assert len(result.by({q: q for q in result.queries})) == n
    twice = pd.Series(1.0, index=[*result.queries[1:], "q7"])
    with pytest.raises(ValueError, match="query 'q7' has several values: give one for each query"):
        result.by(twice)
    with pytest.raises(ValueError, match="query 'q7' has several values: give one for each query"):
        corrected_mean(twice, twice)


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
    series = pd.Series(SLICES)
    given: list[Any] = [SLICES, dict(reversed(pairs)), series, series.astype("category"), lines, io.StringIO(lines)]
    given.append(pd.DataFrame(pairs, columns=["query_id", "group"]))
    given.append(pl.DataFrame(pairs, schema=["a", "b"], orient="row"))
    given.append(pd.DataFrame(pairs * 2, columns=["qid", "class"])[["class", "qid"]])
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
        given += [tmp_path / name, str(tmp_path / name)]
    (tmp_path / "packed.gz").write_bytes(gzip.compress(lines.encode()))
    pd.DataFrame(pairs, columns=["query", "slice"]).to_parquet(tmp_path / "table.parquet")
    for x in [*given, tmp_path / "packed.gz", tmp_path / "table.parquet"]:
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
    assert len(long) > 2000
    assert evaluate(long).by("class")["queries"].tolist() == [540, 840, 60]
    numbers = evaluate(joined.assign(shop=joined["class"].map({"head": 1, "mid": 2, "tail": 3}))).by("shop")
    assert numbers["slice"].tolist() == ["1", "2", "3"]
    flags = evaluate(joined.assign(is_head=joined["class"] == "head")).by("is_head")
    assert flags["slice"].tolist() == ["False", "True"]


def test_what_slices_are_refused(two: Any, joined: pd.DataFrame, tmp_path: Path) -> None:
    def refuse(slices: Any, message: str, of: Any = two, error: type[Exception] = ValueError) -> None:
        with pytest.raises(error, match=message):
            of.by(slices)

    refuse(pd.Series(SLICES).where(lambda x: x != "tail"), "1 query has no slice: 'q23'")
    for kind in ("string", "category", object):
        holes = pd.Series(SLICES | {"q03": pd.NA}, dtype=kind)
        table = pd.DataFrame({"query": QUERIES, "class": holes.array})
        for slices in (holes, table):
            refuse(slices, "1 query has no slice: 'q03'")
    refuse(SLICES | {"Q1": "head"}, "slices names 1 query that was not evaluated: 'Q1'; keep those of result.queries")
    refuse([*SLICES.values()], "slices is .*: give {query: slice}, a Series, the path of a file", error=TypeError)
    refuse("class", "'class': there is no such file, and columns are read only from a table in memory or a file")
    refuse(joined, "slices has the columns 'query', 'document', 'grade', 'score', 'class': give two, the query and its")
    refuse("# classes\n\nq00,head\nq01,head,mid\n", r"<text>:4: expected 2 fields \(query, value\), got 3: 'q01,head")
    refuse("# classes\n", r"<text>:1: expected 2 fields \(query, value\), got 0")
    refuse("q00 head\nq00 tail\n", "<text>: query 'q00' has several slices, 'head' and 'tail'")
    result = evaluate(joined)
    refuse("klass", "'klass': there is no such file, and table has the columns 'query'", result)
    mixed = joined.copy()
    at = mixed["query"].value_counts(sort=False).idxmax()  # whose rows are several
    is_other = (mixed["query"] == at) & (mixed["document"] == "d")
    mixed["class"] = mixed["class"].mask(is_other, "other")
    refuse("class", rf"table\['class'\]: query '{at}' has several slices, '.*' and 'other': give one", evaluate(mixed))
    changed = joined.copy()
    result = evaluate(changed)
    changed.loc[len(changed)] = changed.iloc[0]
    refuse("class", f"table had {len(joined)} rows, and has {len(joined) + 1} now: evaluate again", result)
    refuse("class", "a stored evaluation has numbers", pickle.loads(pickle.dumps(result)))
    (tmp_path / "folder").mkdir()
    joined.to_parquet(tmp_path / "folder/part.parquet")
    refuse("class", "give {query: slice}", evaluate(tmp_path / "folder"))


# ------------------------------------------------------------------------------------------- slices of differences
def test_differences_within_slices(two: Any) -> None:
    pytest.importorskip("scipy")
    whole = compare(two, "ndcg@10")
    found = whole.by(SLICES)
    table = found.table
    columns = ["slice", "a", "b", "difference", "low", "high", "p", "adjusted", "queries", "verdict"]
    assert table.columns.tolist() == columns
    assert table["slice"].tolist() == ["head", "mid", "tail"]
    close(table["difference"] @ table["queries"] / 24, whole.difference)
    alone = [compare({x: VALUES[i, at] for i, x in enumerate("AB")}) for at in (slice(9), slice(9, 23))]
    for name in ("difference", "low", "high", "p"):
        close(table[name][:2], [getattr(x, name) for x in alone])
    close(table["difference"][2], VALUES[1, 23] - VALUES[0, 23])
    assert table.loc[2, ["low", "high", "p", "adjusted"]].isna().all()
    assert table["verdict"][2] == "undecided"
    close(table["adjusted"][:2], holm_by_hand(table["p"][:2]))
    assert "adjusted for 2 tests after Holm" in found.notes[0]
    assert "Too small to say much: head (9), tail (1)" in found.notes[2]
    assert len(whole.by(dict.fromkeys(QUERIES, "all")).notes) == 2
    tail = str(found).splitlines()[3].split()
    assert tail[:4] == ["tail", "B", "−", "A"]
    assert tail[5:] == ["–", "–", "–", "1", "undecided"]
    page = found._repr_html_()
    assert page.count("<tr>") == 4
    assert "<li>Too small" in page


def test_slices_and_pairs_are_one_family() -> None:
    pytest.importorskip("scipy")
    rng = np.random.default_rng(0)
    easy = rng.uniform(0.2, 0.8, 40)
    three = {"A": easy, "B": easy + rng.normal(0.05, 0.02, 40), "C": easy + rng.normal(0, 0.02, 40)}
    slices = {str(i): "odd" if i % 2 else "even" for i in range(1, 41)}
    for how in ({}, {"adjust": "tukey"}, {"adjust": None}, {"test": "randomization"}):
        table = compare(three, **how).by(slices).table
        assert len(table) == 6
        close(table["adjusted"], holm_by_hand(table["p"]))
        assert table["verdict"].tolist() == ["better", "undecided", "worse"] * 2, "B is better than A and C"
    based = compare(three, baseline="B").by(slices).table
    assert based["a"].unique().tolist() == ["B"]
    assert set(based["verdict"]) == {"worse"}


def test_slices_of_queries_that_were_left_out() -> None:
    pytest.importorskip("scipy")
    values = {"A": dict(zip("abcd", [0.1, 0.2, 0.3, math.nan])), "B": dict(zip("abcd", [0.2, 0.2, 0.5, 0.1]))}
    table = compare(values).by({"a": 1, "b": 1, "c": 1, "d": 2}).table
    assert table["slice"].tolist() == ["1"]
    assert table["queries"].tolist() == [3]
    with pytest.raises(ValueError, match="no such file"):
        compare(values).by("class")


def test_a_comparison_by_a_column(joined: pd.DataFrame) -> None:
    pytest.importorskip("scipy")
    qrels = joined[joined["grade"] > 0].drop(columns="score")
    by_name = compare(qrels, RUNS).by("class").table
    pd.testing.assert_frame_equal(by_name, compare(QRELS, RUNS).by(SLICES).table)


# ------------------------------------------------------------------------------------------------------- weights
TRAFFIC = dict(zip(QUERIES, np.random.default_rng(5).integers(1, 30, 24).tolist()))
W = np.array([*TRAFFIC.values()], float)
BY_NUMBER = {str(i): w for i, w in enumerate(W, 1)}  # the names of queries without one


@pytest.fixture(scope="module")
def traffic() -> Any:
    return evaluate(QRELS, RUNS, ["ndcg@3", "ndcg@10"], weights=TRAFFIC)


def test_weighted_means_and_intervals(traffic: Any) -> None:
    pytest.importorskip("scipy")
    table = traffic.interval(0.9)
    table = table[table["measure"] == "ndcg@10"]
    for x, row in zip(VALUES, table[["mean", "low", "high", "queries"]].to_numpy()):
        wanted = weighted(x, W)
        close(row, [wanted.mean, *wanted.ends(0.1), 24], 1e-10)
    close(traffic.means["ndcg@10"], table["mean"])
    close(traffic.weights, W)
    assert not traffic.weights.flags.writeable


def test_whole_weights_repeat_queries(traffic: Any) -> None:
    again = [(f"{q}-{i}", q) for q, times in TRAFFIC.items() for i in range(times)]
    runs = {name: {new: run[q] for new, q in again} for name, run in RUNS.items()}
    repeated = evaluate({new: QRELS[q] for new, q in again}, runs, ["ndcg@3", "ndcg@10"])
    close(traffic.means, repeated.means)
    slices = {new: SLICES[q] for new, q in again}
    close(traffic.by(SLICES)["mean"], repeated.by(slices)["mean"])


@pytest.mark.parametrize("weight", [1, 3.7, 1e-9, "0.1"])
def test_equal_weights_are_none(two: Any, weight: Any) -> None:
    pytest.importorskip("scipy")
    same = evaluate(QRELS, RUNS, ["ndcg@3", "ndcg@10"], weights=dict.fromkeys(QUERIES, weight))
    assert same.weights is None
    assert same.to_json() == two.to_json()
    assert same.notes == two.notes
    for how in ({}, {"method": "bca"}):
        pd.testing.assert_frame_equal(same.interval(**how), two.interval(**how), check_exact=True)
    for how in ({}, {"test": "wilcoxon", "interval": "percentile"}, {"test": "randomization", "margin": 0.1}):
        assert compare(same, "ndcg@10", **how).to_json() == compare(two, "ndcg@10", **how).to_json()


def test_weight_0_leaves_a_query_out() -> None:
    pytest.importorskip("scipy")
    some = [*QUERIES[:5], *QUERIES[6:20]]
    for weights in (TRAFFIC, dict.fromkeys(QUERIES, 2.5)):
        zero = {q: weights[q] * (q in some) for q in QUERIES}
        with_0 = evaluate(QRELS, RUNS, "ndcg@10", weights=zero)
        alone = evaluate({q: QRELS[q] for q in some}, RUNS, weights={q: weights[q] for q in some})
        assert with_0.mean_rows == alone.mean_rows
        pd.testing.assert_frame_equal(with_0.interval(), alone.interval(), check_exact=True)
        assert with_0.per_query["ndcg@10"].isna().sum() == 10
        assert len(with_0.queries) == 24
        assert with_0.notes[0] == "Mean over 19 of 24 judged queries."
        one = compare(with_0)
        pd.testing.assert_frame_equal(one.pairs, compare(alone).pairs, check_exact=True)
        assert one.left_out == ("q05", *QUERIES[20:])
        assert "without a value" not in "\n".join(one.notes)
        for result in (with_0, one):
            assert "5 queries have weight 0 (excluded): 'q05', 'q20', 'q21', 'q22', 'q23'." in result.notes
    given = compare(dict(zip("AB", VALUES)), weights={str(i + 1): float(i > 0) for i in range(24)})
    assert given.queries == tuple(map(str, range(2, 25)))
    assert given.weights is None
    assert "1 query has weight 0 (excluded): '1'." in given.notes
    assert not any("without a value" in note for note in given.notes)


def test_excluded_queries_have_no_weight() -> None:
    qrels = QRELS | {"barren": {"d": 0}}
    run = RUNS["A"] | {"barren": ["d"]}
    with_barren = evaluate(qrels, run, "ndcg@10 ndcg(empty=0)@10", weights=TRAFFIC | {"barren": 1000})
    close(with_barren["ndcg@10"], weighted(VALUES[0], W).mean)
    close(with_barren["ndcg(empty=0)@10"], (VALUES[0] * W).sum() / (W.sum() + 1000))
    more, fewer = (f"{w.sum() ** 2 / (w**2).sum():.1f}" for w in (W, np.append(W, 1000)))
    share = 1000 / (W.sum() + 1000)
    assert f"of about {fewer} to {more} equally weighted queries. One query has {share:.0%}" in with_barren.notes[1]
    nothing = evaluate({"a": {"d": 0}, "b": {"d": 0}}, {"a": ["d"], "b": ["d"]}, weights={"a": 1, "b": 2})
    assert math.isnan(nothing.value)
    assert "about 0.0 equally weighted queries" in nothing.notes[1]


def test_what_is_said_of_weights(traffic: Any) -> None:
    like = W.sum() ** 2 / (W**2).sum()
    share = W.max() / W.sum()
    assert f"of about {like:.1f} equally weighted queries. One query has {share:.0%}" in traffic.notes[1]
    even = {q: 10 + i % 2 for i, q in enumerate(QUERIES)}
    assert evaluate(QRELS, RUNS["A"], weights=even).notes[1].endswith("of about 23.9 equally weighted queries.")


def test_weighted_differences(traffic: Any) -> None:
    special = pytest.importorskip("scipy.special")
    c = compare(traffic, "ndcg@10", margin=0.2)
    wanted = weighted(VALUES[1] - VALUES[0], W)
    close([c.difference, c.low, c.high], [wanted.mean, *wanted.ends(0.05)])
    close(c.p, 2 * special.stdtr(wanted.freedom, -abs(wanted.mean / wanted.error)))
    close(c.pairs["p not worse"], special.stdtr(wanted.freedom, -(wanted.mean + 0.2) / wanted.error))
    sd = wanted.error * math.sqrt(wanted.freedom + 1)
    close(c.pairs["effect"], wanted.mean / sd)
    assert queries_needed(0.05, c) == queries_needed(0.05, sd)
    for x, row in zip(VALUES, c.table[["mean", "low", "high"]].to_numpy()):
        alone = weighted(x, W)
        close(row, [alone.mean, *alone.ends(0.05)])
    whole = json.loads(c.to_json())
    close([*whole["weights"].values()], W)
    given = compare(dict(zip("AB", VALUES)), weights=BY_NUMBER)
    close([given.low, given.high, given.p], [c.low, c.high, c.p])


def test_weights_turn_a_difference_round() -> None:
    pytest.importorskip("scipy")
    rng = np.random.default_rng(0)
    d = np.append(rng.normal(0.2, 0.01, 20), rng.normal(-0.2, 0.01, 40))
    values = {"A": 0 * d, "B": d}
    weights = {str(i + 1): 100 if i < 20 else 1 for i in range(60)}
    for test in ("t", "randomization"):
        assert compare(values, test=test).pairs["verdict"].item() == "worse"
        assert compare(values, test=test, weights=weights).pairs["verdict"].item() == "better"


def test_weighted_differences_within_slices(traffic: Any) -> None:
    pytest.importorskip("scipy")
    whole = compare(traffic, "ndcg@10")
    table = whole.by(SLICES).table
    shares = np.array([W[:9].sum(), W[9:23].sum(), W[23]])
    close(table["difference"] @ shares / W.sum(), whole.difference)
    head = {number: BY_NUMBER[number] for number in map(str, range(1, 10))}
    alone = compare(dict(zip("AB", VALUES[:, :9])), weights=head)
    for name in ("difference", "low", "high", "p"):
        close(table[name][0], getattr(alone, name))


def test_what_cannot_be_weighted(traffic: Any) -> None:
    pytest.importorskip("scipy")
    with pytest.raises(ValueError, match="test='sign' cannot use weights: give test='t' or test='randomization'"):
        compare(traffic, "ndcg@10", test="sign")
    with pytest.raises(ValueError, match="interval='bca' cannot use weights: give interval='t'"):
        compare(traffic, "ndcg@10", interval="bca")
    with pytest.raises(ValueError, match="method='bootstrap-t' cannot use weights"):
        traffic.interval(method="bootstrap-t")
    values = dict(zip("AB", VALUES))
    compare(values, weights=BY_NUMBER, adjust="tukey")  # of two systems, where it adjusts nothing
    with pytest.raises(ValueError, match="adjust='tukey' cannot use weights"):
        compare(values | {"C": VALUES[0] / 2}, weights=BY_NUMBER, adjust="tukey")


@pytest.mark.parametrize("bad", [-1, math.inf, -0.5, 1e200, 1e-101, "many", True, [3], np.ones(2)])
def test_weights_that_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"the weight of query 'q03' is .*: give 0, or a number from 1e-100 to 1e100"):
        evaluate(QRELS, RUNS, weights=TRAFFIC | {"q03": bad})


def test_weights_that_are_missing() -> None:
    holes = pd.Series(TRAFFIC | {"q03": None}, dtype="Int64")
    lacking = {q: w for q, w in TRAFFIC.items() if q != "q03"}
    for missing in (lacking, TRAFFIC | {"q03": math.nan}, TRAFFIC | {"q03": pd.NA}, holes):
        with pytest.raises(ValueError, match="1 query has no weight: 'q03'"):
            evaluate(QRELS, RUNS, weights=missing)
    with pytest.raises(ValueError, match="weights names 1 query that was not evaluated: 'q99'"):
        evaluate(QRELS, RUNS, weights=TRAFFIC | {"q99": 1})


def test_ways_to_give_weights(joined: pd.DataFrame, tmp_path: Path) -> None:
    wanted = weighted(VALUES[0], W).mean
    (tmp_path / "traffic.tsv").write_text("".join(f"{q}\t{w}\n" for q, w in TRAFFIC.items()), "utf-8")
    for weights in (TRAFFIC, pd.Series(TRAFFIC), tmp_path / "traffic.tsv"):
        close(evaluate(QRELS, RUNS["A"], weights=weights).value, wanted)
    table = joined.assign(traffic=joined["query"].map(TRAFFIC))
    close(evaluate(table, weights="traffic").value, wanted)
    close(evaluate(pl.DataFrame(table), weights="traffic").value, wanted)


def test_weights_wherever_tables_are(joined: pd.DataFrame, tmp_path: Path) -> None:
    wanted = weighted(VALUES[0], W).mean
    joined.to_parquet(tmp_path / "part.parquet")
    close(evaluate(tmp_path, weights=TRAFFIC).value, wanted)
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as db:
        db.sql(f"CREATE TABLE joined AS SELECT * FROM '{tmp_path}/part.parquet'")
        result = evaluate(db.table("joined"), weights=TRAFFIC)
        close(result.value, wanted)
        assert result.by(SLICES)["queries"].tolist() == [9, 14, 1]
        assert "trec_eval" in result.which(result.value).index
        with pytest.raises(ValueError, match="no such file"):
            result.by("class")


def test_weights_stay_with_what_is_stored(traffic: Any, tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    again = pickle.loads(pickle.dumps(traffic))
    assert again.mean_rows == traffic.mean_rows
    assert again.notes == traffic.notes
    whole = json.loads(traffic.save(tmp_path / "all.json").read_text("utf-8"))
    assert whole["weights"] == TRAFFIC
    close(whole["runs"]["A"]["means"]["ndcg@10"], weighted(VALUES[0], W).mean)
    stored = pickle.loads(pickle.dumps(compare(traffic, "ndcg@10")))
    close(stored.p, compare(traffic, "ndcg@10").p)


def test_weights_in_the_means_of_tools() -> None:
    result = evaluate(QRELS, RUNS["A"], "ndcg@10", like="trec_eval", weights=TRAFFIC)
    assert result.value == round(weighted(VALUES[0], W).mean, 4)
    assert "ndcg@10: the mean is Σwx/Σw; trec_eval's own rule for weights is not used." in result.notes
    plain = evaluate(QRELS, RUNS["A"], "ndcg@10", weights=TRAFFIC)
    assert "trec_eval" in plain.which(plain.value).index
    assert "trec_eval" not in plain.which(evaluate(QRELS, RUNS["A"]).value).index


def test_shares_of_a_weighted_difference(traffic: Any) -> None:
    shares = traffic.explain_change("A", "B", measure="ndcg@10")
    means = traffic.means["ndcg@10"]
    close(shares["share"].sum(), means["B"] - means["A"])
    first = shares.set_index("query")["share"]["q00"]
    close(first, (VALUES[1, 0] - VALUES[0, 0]) * W[0] / W.sum())
    one, other = (evaluate(QRELS, RUNS[name], "ndcg@10", weights=TRAFFIC) for name in "AB")
    again = explain_change(one, other)
    close(again["share"].sum(), other.value - one.value)


def test_two_weighted_evaluations() -> None:
    pytest.importorskip("scipy")
    one, other = (evaluate(QRELS, {name: RUNS[name]}, weights=TRAFFIC) for name in "AB")
    close(compare(one, other).p, compare(QRELS, RUNS, weights=TRAFFIC).p)
    for weights in (None, TRAFFIC | {"q01": 99}):
        stranger = evaluate(QRELS, {"B": RUNS["B"]}, weights=weights)
        with pytest.raises(ValueError, match="the two evaluations have different weights"):
            compare(one, stranger)


def test_dialects_and_bounds_are_weighted(traffic: Any) -> None:
    pytest.importorskip("scipy")
    c = compare(traffic, "ndcg@10")
    told = c.dialects(["trec_eval", "sklearn"])
    close(told.loc["trec_eval", ["A", "B"]].astype(float), [round(weighted(x, W).mean, 4) for x in VALUES])
    bounds = c.bounds()
    close(bounds["difference"], c.difference)
    assert bounds["low"].item() < c.difference < bounds["high"].item()
