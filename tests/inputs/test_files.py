"""Files that are none, and numbers that no float can hold, in any container."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from ndcg_nb import evaluate, ndcg, read_qrels, read_run
from ndcg_nb.hood.core.lists import TOO_LARGE
from ndcg_nb.hood.engines import parquet as streams
from ndcg_nb.hood.inputs import columns, files
from ndcg_nb.hood.inputs.columns import MissingColumn, Unreadable
from ndcg_nb.hood.inputs.sources import is_address

QRELS = {"1": {"a": 1, "b": 0}}
RUN = {"1": {"a": 1.0, "b": 2.0}}
LINE = b"1 Q0 doc%07d 1 0.5 tag\n"

# ---- files that are none


@pytest.mark.parametrize("address", ["https://trec.nist.gov/qrels.txt?x=*", "s3://bucket/a.run", Path("http://x/y")])
def test_an_address_is_no_path(address: Any) -> None:
    for call in (lambda: evaluate(QRELS, address), lambda: evaluate(address, RUN), lambda: read_run(address)):
        with pytest.raises(Unreadable, match="is a URL: download the file first, and give its path"):
            call()
    assert not is_address("C:/runs/a.run")
    assert not is_address("a:b/c")
    assert not is_address(7)


# ---- numbers that no float can hold


def table(values: list[Any]) -> dict[str, list[Any]]:
    return {"query": ["1"] * len(values), "document": [f"d{i}" for i in range(len(values))], "score": values}


def parquet(values: Any) -> bytes:
    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(pa.table(table([0] * len(values)) | {"score": values}), sink)
    return sink.getvalue().to_pybytes()


def text(values: list[Any], line: str, header: str = "") -> bytes:
    return (header + "".join(line.format(i, x) for i, x in enumerate(values))).encode()


CONTAINERS: dict[str, Callable[[list[int]], Any]] = {
    "dict": lambda x: {"1": {f"d{i}": value for i, value in enumerate(x)}},
    "pandas": lambda x: pd.DataFrame(table(x)),
    "pandas, objects": lambda x: pd.DataFrame(table(x)).astype({"score": object}),
    "pandas, Int64": lambda x: pd.DataFrame(table(x)).astype({"score": "Int64"}),
    "polars": lambda x: pl.DataFrame(table(x)),
    "pyarrow": lambda x: pa.table(table(x)),
    "pyarrow, decimals": lambda x: pa.table(table(x) | {"score": pa.array(map(Decimal, x), pa.decimal128(38, 2))}),
    "Parquet": lambda x: parquet(pa.array(x)),
    "TREC": lambda x: text(x, "1 Q0 d{} 1 {} t\n"),
    "TREC, untidy": lambda x: text(x, "1  Q0 d{} 1\t{} t\n", "# a comment\n"),
    "CSV": lambda x: text(x, "1,d{},{}\n", "query,document,score\n"),
    "JSON": lambda x: json.dumps({"1": {f"d{i}": value for i, value in enumerate(x)}}).encode(),
    "JSON lines": lambda x: text(x, '{{"query": "1", "document": "d{}", "score": {}}}\n'),
    "JSON lines by query": lambda x: text(x, '{{"1": {{"d{}": {}}}}}\n'),
}
BEYOND = {"pandas, Int64": 2**63, "polars": 2**63, "pyarrow": 2**63, "Parquet": 2**63}


@pytest.mark.parametrize("road", ["short", "long"])
@pytest.mark.parametrize("container", CONTAINERS)
def test_whole_numbers_are_refused_alike(container: str, road: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if road == "long":
        monkeypatch.setattr(files, "SMALL", 0)
        monkeypatch.setattr(columns, "SHORT", 0)
    make = CONTAINERS[container]
    judged = {"1": {"d0": 1, "d1": 0, "d2": 2}}
    for large in (2**53 + 1, 2**60 + 1, 2**64 + 1, -(2**60) - 1):
        if large < BEYOND.get(container, math.inf):
            with pytest.raises(Unreadable) as caught:
                evaluate(judged, make([1, large, 3]))
            assert f" is {large}" in str(caught.value) and TOO_LARGE in str(caught.value), caught.value
    expected = ndcg([1, 0, 2], scores=[1, 2**53, 2**53 - 1])
    assert evaluate(judged, make([1, 2**53, 2**53 - 1]), "ndcg").value == expected


@pytest.mark.parametrize(
    "value", [2**53 + 1, 2**64 + 1, 10**400, Fraction(2**60 + 1), Decimal(2**60), Decimal("1e400")]
)
def test_exact_numbers_of_any_kind(value: Any) -> None:
    for call in (
        lambda: evaluate(QRELS, {"1": {"a": value, "b": 0}}),
        lambda: evaluate({"1": {"a": value, "b": 0}}, RUN),
        lambda: ndcg([1, 0], scores=[value, 0.5]),
        lambda: ndcg([[1, 0], [1]], scores=[[value, 0.5], [1]]),
    ):
        with pytest.raises(ValueError, match="above 2\\*\\*53, where a float cannot tell neighbours apart: rescale"):
            call()


CLOSE = [Decimal("1.00000000000000000001"), Decimal(1)]


@pytest.mark.parametrize(
    "scores",
    [CLOSE, [Fraction(1, 3) + Fraction(1, 10**30), Fraction(1, 3)], [Decimal("1e400"), Decimal("2e400")]],
)
def test_fractions_that_would_tie(scores: list[Any]) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: ndcg([1, 0], scores=scores),
        lambda: ndcg([[1, 0]], scores=[scores]),
        lambda: ndcg([1, 0], scores=np.array(scores, object)),
        lambda: evaluate(QRELS, {"1": dict(zip("ab", scores))}),
        lambda: evaluate(QRELS, pd.DataFrame({"query": "1", "document": ["a", "b"], "score": scores})),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"which a float cannot tell apart|above 2"):
            call()
    assert ndcg([1, 0], scores=[CLOSE[0], Decimal(0)]) == 1


def test_decimals_of_arrow_and_polars() -> None:
    rest = {"query": ["1", "1"], "document": ["a", "b"]}
    for run in (pa.table(rest | {"score": pa.array(CLOSE)}), pl.DataFrame(rest | {"score": pl.Series(CLOSE)})):
        with pytest.raises(Unreadable, match="which a float cannot tell apart"):
            evaluate(QRELS, run)


@pytest.mark.parametrize("large", [2**60 + 1, -(2**63)])
def test_holes_do_not_hide_whole_numbers(large: int) -> None:
    "Libraries make floats of whole numbers where there are holes between them"
    rest = {"query": ["1"] * 3, "document": ["a", "b", "c"], "grade": [1, 0, 2]}
    scores = [large, None, 1]
    for joined in (
        pl.DataFrame(rest | {"score": scores}),
        pa.table(rest | {"score": scores}),
        pd.DataFrame(rest | {"score": pd.array(scores, "Int64")}),
        pd.DataFrame(rest | {"score": pd.array(scores, "int64[pyarrow]")}),
    ):
        with pytest.raises(Unreadable, match=rf"table\['score'\]\[0\] is {large}, above 2\*\*53"):
            evaluate(joined, "ndcg")


def test_floats_may_be_as_large_as_they_are() -> None:
    scores = [1e300, 1e17, -math.inf]
    expected = 1 / math.log2(3)
    judged = {"1": {"d1": 1}}
    for make in ("dict", "pandas", "pandas, objects", "polars", "pyarrow", "Parquet", "TREC", "CSV"):
        assert evaluate(judged, CONTAINERS[make](scores)).value == pytest.approx(expected, abs=1e-15)  # type: ignore[arg-type]
    lines = "".join(f"1 Q0 d{i} 1 {1e300 / (i + 1)} t\n" for i in range(5000))
    assert len(lines) > files.SMALL
    assert evaluate(judged, lines).value == pytest.approx(expected, abs=1e-15)


def test_rows_of_arrow_as_scores() -> None:
    rel = [[1, 2, 1], [0, 1]]
    scores = [[1e17, 2.0, 3.0], [1.0, 2.0]]
    expected = ndcg(rel, scores=scores).tolist()
    for given in (pa.array(scores), pa.chunked_array([scores]), pl.Series(scores), pd.Series(scores)):
        assert ndcg(rel, scores=given).tolist() == expected
    for given in (pa.array([[2**60 + 1, 2, 3], [1, 2]]), pl.Series([[2**60 + 1, 2, 3], [1, 2]])):
        with pytest.raises(ValueError, match=r"scores\[0\]\[0\] is 1152921504606846977, above 2\*\*53"):
            ndcg(rel, scores=given)


# ---- mistakes, and what is understood


def test_a_list_is_a_ranking() -> None:
    judged = {"q": {"d1": 1, "d2": 0, "3": 2}, "r": {"x": 1}}
    orders: dict[str, Any] = {"q": ["d2", "d1", 3], "r": ("y", "x")}
    scores = {"q": {"d2": 3.0, "d1": 2.0, "3": 1.0}, "r": {"y": 2.0, "x": 1.0}}
    expected = evaluate(judged, scores, "ndcg").value
    assert evaluate(judged, orders, "ndcg").value == evaluate(judged, {"mine": orders}, "ndcg").value == expected
    assert evaluate(judged, {"q": orders["q"], "r": scores["r"]}, "ndcg").value == expected
    assert evaluate(judged, json.dumps(orders).encode(), "ndcg").value == expected
    assert evaluate(judged, text([0], '{{"q": ["d2", "d1", 3]}}\n{{"r": ["y", "x"]}}\n'), "ndcg").value == expected
    with pytest.raises(Unreadable, match="document 'd1' appears twice"):
        evaluate(judged, {"q": ["d1", "d1"]})
    with pytest.raises(Unreadable, match=r"run\['r'\]\[0\] is 0\.5, of type float: give ids, \(id, score\), or hits"):
        evaluate(judged, {"q": ["d1"], "r": [0.5]})


def test_lines_of_json() -> None:
    lines = '{"qid": 1, "docno": "a", "label": 1, "more": {"x": 1}}\n\n{"qid": 1, "docno": "b", "label": 0}\n'
    assert read_qrels(lines)["grade"].tolist() == [1, 0]
    joined = '{"query": 1, "document": "a", "grade": 1, "score": 2}\n{"query": 1, "grade": 2, "document": "b"}\n'
    assert evaluate(joined, "ndcg@1").value == 0.5
    for bad, said in (
        (lines + "{", "<text>:4 is no JSON that can be read"),
        (lines + "7\n", "<text>:4 is 7: give"),
        (lines + '{"qid": 1, "label": 0}\n', "<text>:4, column 'docno' has no id, but None"),
        (lines + '{"qid": 1, "docno": "a", "label": 2}\n', r"has two grades: 1 (<text>:1) and 2 (<text>:4)"),
        ('{"q1": {"a": 1}}\n{"q1": {"a": 2}}\n', "has two grades: 1 (<text>['q1']['a']) and 2"),
        ('{"q": 1, "d": "a", "g": 1}\n', "one row of a table, or one document for each query"),
    ):
        with pytest.raises(Unreadable) as caught:
            evaluate(bad, {"1": {"a": 1.0}})
        assert said in str(caught.value)


def test_swapped() -> None:
    judged = {"1": {"a": 1, "b": 0, "c": 1}}
    run = {"1": {"a": 0.9, "b": 0.8, "c": 0.7}}
    with pytest.warns(UserWarning, match=r"the grades of qrels have fractions, .* are they swapped\? Judgements come"):
        evaluate(run, judged)
    many = {f"q{i}": {"a": 1, "b": 0, "c": 1} for i in range(4)}
    whole = {q: {"a": 3, "b": 2, "c": 1} for q in many}
    with pytest.warns(UserWarning, match=r"the grades of qrels are all different within a query, .* are they swapped"):
        evaluate(whole, many)
    evaluate(many, whole)
    for grades in (many, {q: whole[q] for q in [*whole][:3]}, whole | {"q0": {"a": 2, "b": 2, "c": 1}}):
        evaluate(grades, many)  # equal grades, or too few to tell
    evaluate({q: {"a": 1, "b": 0} for q in map(str, range(20))}, {q: {"a": 1, "b": 1} for q in map(str, range(20))})
    for line, value, said in (
        ("1 Q0 a 1 0.5 t\n" * 9, read_qrels, "This looks like a run: give judgements (QRELS) first, then the run"),
        ("1 0 a 1\n", read_run, "This looks like judgements: give them (QRELS) first, then the run"),
        ("query,document,score\n1,a,1\n", read_qrels, "This looks like a run"),
        ("query,document,grade\n1,a,1\n", read_run, "This looks like judgements"),
        ('{"1": {"hits": {"hits": [{"_id": "a"}]}}}\n', read_qrels, "looks like results"),
    ):
        with pytest.raises(Unreadable) as caught:
            value(line)
        assert str(caught.value).count(said) == 1
        assert "\n" not in str(caught.value)


def test_what_was_taken_for_something_else() -> None:
    frame = pd.DataFrame({"document": ["a", "b"], "score": [1.0, 2.0]})
    with pytest.raises(MissingColumn, match="1 has no column for query, only 'document', 'score'"):
        evaluate(QRELS, {"1": frame})
    own = frame.assign(a="1")
    with pytest.raises(Unreadable, match=r"no column for query, only .*Name it: columns=\{'query'"):
        evaluate(QRELS, own, columns={"a": "query"})
    assert evaluate(QRELS, own, columns={"query": "a"}).value == 1 / math.log2(3)
    for judged, run in ((1, 1.0), (1.0, 1)):
        with pytest.raises(Unreadable, match=f"Some would match if a final .0 were ignored: '{run}' and '{judged}'$"):
            evaluate({judged: {"a": 1}}, {run: {"a": 1.0}})


def test_an_unsorted_run_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    monkeypatch.setattr(streams, "AT_ONCE", 1)
    rows = {"query": ["1", "2", "1", "3", "4"], "document": [*"aabab"], "score": [1.0, 1.0, 2.0, 1.0, 1.0]}
    pyarrow.parquet.write_table(pa.table(rows), tmp_path / "run.parquet")
    monkeypatch.setattr(streams, "A_PIECE", 1)
    result = evaluate(QRELS, tmp_path / "run.parquet")
    assert "It was read several times" in result.notes[-1]
    assert not [*(tmp_path / "temp").iterdir()]


# ---- what is rare in files


def test_an_empty_id_in_a_long_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    rows = [f"1,document{i},1.5\n" for i in range(4000)]
    path.write_text("".join(["query,document,score\n", *rows, "2,,1.0\n"]))
    assert path.stat().st_size > files.SMALL
    with pytest.raises(Unreadable, match=r"run\.csv:4002: the document is empty: '2,,1\.0'"):
        read_run(path)


def test_a_long_query_of_letor_is_refused(tmp_path: Path) -> None:
    judged = tmp_path / "test.txt"
    scores = tmp_path / "scores.txt"
    scores.write_text("0.5\n")
    judged.write_text(f"1 qid:{'q' * 64} 1:0.5\n")
    assert evaluate(judged, scores).queries == ("q" * 64,)
    judged.write_text(f"1 qid:{'q' * 65} 1:0.5\n1 qid:z 1:0.5\n")
    with pytest.raises(Unreadable, match=r"test\.txt has a query of more than 64 bytes: give numbers to queries"):
        evaluate(judged, scores)


@pytest.mark.parametrize(
    "line, said", [("abc", "the score is 'abc', not a number"), ("0.5 0.7", r"expected 1 fields \(score\), got 2")]
)
def test_a_line_that_is_no_score_is_named(line: str, said: str, tmp_path: Path) -> None:
    judged = tmp_path / "test.txt"
    scores = tmp_path / "scores.txt"
    judged.write_text("1 qid:1 1:0.5\n0 qid:1 1:0.2\n")
    scores.write_text(f"0.9\n{line}\n")
    with pytest.raises(Unreadable, match=rf"scores\.txt:2: {said}"):
        evaluate(judged, scores)


def test_a_column_of_scores_that_is_not_there() -> None:
    table = pd.DataFrame({"query": ["1"], "document": ["a"], "lgb": [1.0]})
    with pytest.raises(MissingColumn, match="run: there is no column 'xgb', only 'query', 'document', 'lgb'"):
        evaluate(QRELS, table, columns={"score": ["lgb", "xgb"]})
    with pytest.raises(MissingColumn, match="run: there is no column 'lgb', for there is no table with names"):
        evaluate(QRELS, RUN, columns={"score": ["lgb"]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{}]", "has a list of runs"),
        ('[{"q": {"d": 1}}, {"q": {"e": 2}}]', "has the query 'q' twice"),
        ('[{"": false}]', "has a list of runs"),
    ],
)
def test_runs_in_one_file_are_not_mixed(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "runs.json"
    file.write_text(text)
    with pytest.raises(Unreadable, match=message):
        evaluate({"q": {"d": 1}}, file, "ndcg")


# ---- quotes that swallow rows


HEAD = ["query", "document", "grade", "title"]
SWALLOWED = ['q1|a|1|"Best of', "q1|c|1|foo", 'q1|b|1|the end"', "q2|b|1|x"]


@pytest.mark.parametrize("delimiter", "\t,;")
@pytest.mark.parametrize("more", [0, 9000], ids=["small", "large"])
def test_a_cell_that_holds_rows_is_refused(delimiter: str, more: int) -> None:
    "Large files take another way"
    others = [f"q{i}|d|1|word" for i in range(3, more)]
    text = "\n".join(["|".join(HEAD), *SWALLOWED, *others, ""]).replace("|", delimiter)
    with pytest.raises(
        Unreadable, match=r"<text>:4: a cell in quotes holds what looks like a row, 'q1.*the end': remove"
    ):
        read_qrels(text)


def test_a_cell_in_the_middle_that_holds_rows_is_refused() -> None:
    text = 'query,document,title,grade\nq1,a,"Best of,1\nq1,b,the end",1\nq2,b,x,1\n'
    with pytest.raises(Unreadable, match="<text>:3: a cell in quotes holds what looks like a row"):
        read_qrels(text)


def test_a_text_of_several_lines_is_no_row() -> None:
    text = 'query,document,title,grade\nq1,a,"Best of, 1\nand so, on",1\nq2,b,"say ""no"", or\n\nyes",1\n'
    assert read_qrels(text).shape == (2, 3)


def test_saving_from_several_threads(tmp_path: Path) -> None:
    result = evaluate(QRELS, RUN)
    with ThreadPoolExecutor(8) as threads:
        made = [threads.submit(result.save, tmp_path / "same.csv") for _ in range(80)]
        assert all(x.result() for x in made)
    assert [path.name for path in tmp_path.iterdir()] == ["same.csv"]
    with pytest.raises(FileNotFoundError, match=r"there is no folder '.*nodir': make it first, or save elsewhere"):
        result.save(tmp_path / "nodir/x.csv")


def test_infinite_scores_as_text() -> None:
    qrels = {"q": {"a": 0, "b": 1}}
    for low, expected in (("-inf", 1), ("inf", 1 / math.log2(3))):
        texts = {"a": low, "b": "1"}
        frame = pd.DataFrame({"query": ["q", "q"], "document": [*texts], "score": [*texts.values()]})
        for run in ({"q": texts}, frame, json.dumps({"q": texts}).encode()):
            assert evaluate(qrels, run).value == pytest.approx(expected, rel=1e-12)


def test_masked_ids_are_no_results() -> None:
    ids = np.ma.array([[1, 2], [3, 4]], mask=[[1, 0], [0, 1]])
    qrels = {"q1": {"2": 1}, "q2": {"3": 1}}
    with pytest.raises(Unreadable, match=r"run has masked ids: give {query: .ids.} without them"):
        evaluate(qrels, ids, queries=["q1", "q2"])
    scores = np.array([[0.9, 0.8], [0.7, 0.6]])
    assert evaluate(qrels, (ids, scores), "rr", queries=["q1", "q2"]).value == 1
