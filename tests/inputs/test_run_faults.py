"""Bad tables and files that are more than a call of the golden record, whose `refused_data.txt` has a fault in each."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import math
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from ndcg_nb import evaluate, read_qrels, read_run
from ndcg_nb.hood.inputs import columns, files, tables
from ndcg_nb.hood.inputs.columns import ArrowIds, MissingColumn, PlainIds, Unreadable
from ndcg_nb.hood.runs.notation import read_measure, read_measures
from ndcg_nb.runs import which_run

QRELS = {"1": {"a": 1, "b": 0}}
RUN = {"1": {"a": 1.0, "b": 2.0}}
nan = math.nan
inf = math.inf


def judged(**change: Any) -> pd.DataFrame:
    return pd.DataFrame({"query": ["1", "1"], "document": ["a", "b"], "grade": [1, 0]} | change)


def results(**change: Any) -> pd.DataFrame:
    return pd.DataFrame({"query": ["1", "1"], "document": ["a", "b"], "score": [1.0, 2.0]} | change)


def test_what_arrow_makes() -> None:
    with pytest.raises(Unreadable, match="Array: give grades by query"):
        evaluate(pa.array([1]), RUN)
    with pytest.raises(Unreadable, match="<bytes>: zstd data"):
        read_qrels(pa.compress(b"1 0 a 1\n", "zstd", asbytes=True)[:-4])


# ---- files that are none, or too much


def test_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        evaluate(tmp_path, RUN)
    with pytest.raises(FileNotFoundError, match=r"nowhere\.txt"):
        evaluate(QRELS, tmp_path / "nowhere.txt")
    empty = tmp_path / "empty.txt"
    empty.touch()
    with pytest.raises(Unreadable, match=r"empty\.txt has no judgements in it"):
        read_qrels(empty)


@pytest.mark.parametrize("short", [0, 2000])
def test_a_long_id_is_kept_and_shortened_when_quoted(short: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "SHORT", short)
    one = "x" * 10**6
    other = "x" * 10**6 + "y"
    qrels = {"1": {one: 1, other: 0}}
    run = {"1": {one: 1.0, other: 2.0}}
    assert evaluate(qrels, run).value == 1 / math.log2(3)
    text = "".join(f"1 Q0 {document} 1 {score} t\n" for document, score in run["1"].items())
    assert evaluate(qrels, text).value == 1 / math.log2(3)
    table = results(document=[one, other])
    assert evaluate(qrels, table).value == 1 / math.log2(3)
    assert read_run(text)["document"].tolist() == [one, other]
    for bad in (results(document=[one, one]), pd.concat([table, table])):
        with pytest.raises(Unreadable, match=r"document 'x+\.\.\.x+' appears twice") as caught:
            evaluate(qrels, bad)
        assert len(str(caught.value)) < 300
    with pytest.raises(Unreadable) as caught:
        evaluate(QRELS, {"1": {one: 1.0}})
    assert len(str(caught.value)) < 300


def test_ids_that_differ_far_on_are_not_one() -> None:
    ids = [*(f"d{i}" for i in range(3000)), "x" * 5000 + "a" + "x" * 9, "x" * 5000 + "b" + "x" * 9]
    table = pd.DataFrame({"query": "1", "document": ids, "score": np.arange(3002.0)})[::-1]
    table["document"] = table["document"].astype("string[pyarrow]")  # which pandas 2 does not choose by itself
    assert isinstance(tables.read_rows(table, "score", "run").document, ArrowIds)
    assert evaluate({"1": {ids[-1]: 1}}, table).value == 1
    with pytest.raises(Unreadable, match="appears twice"):
        evaluate({"1": {ids[-1]: 1}}, table.replace(ids[-1], ids[-2]))


# ---- what is legal


LEGAL = {
    "tabs": b"1\t0\ta\t1\n1\t0\tb\t0\n",
    "many spaces": b"  1   0  a \t 1  \n1 0 b 0\n",
    "CRLF": b"1 0 a 1\r\n1 0 b 0\r\n",
    "a BOM": b"\xef\xbb\xbf1 0 a 1\n1 0 b 0\n",
    "no line break at the end": b"1 0 a 1\n1 0 b 0",
    "blank lines": b"\n\n1 0 a 1\n   \n\t\n1 0 b 0\n\n",
    "comments": b"# one\n#\n1 0 a 1\n#1 0 a 9\n1 0 b 0\n# two",
    "twice the same": b"1 0 a 1\n1 0 b 0\n1 0 a 1\n",
    "signs": b"1 0 a +1\n1 0 b -0\n",
    "CSV": b"query,document,grade\n1,a,1\n1,b,0\n",
    "CSV, quoted": b'"query","document","grade"\n"1","a","1"\n"1","b","0"\n',
    "CSV, other columns": b'text,qid,docno,label\n"a, b",1,a,1\n,1,b,0\n',
    "CSV, a text of two lines": b'query,document,grade,text\n1,a,1,"a\nb"\n1,b,0,x\n',
    "CSV, blank lines": b"query,document,grade\n\n1,a,1\n\n1,b,0\n",
    "CSV of an old Mac": b"query,document,grade\r1,a,1\r1,b,0\r",
    "TSV of BEIR": b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n",
    "CSV, semicolons": b"query;document;grade\n1;a;1\n1;b;0\n",
    "JSON lines": b'{"query": 1, "document": "a", "grade": 1}\n{"query": 1, "document": "b", "grade": 0}\n',
    "JSON lines by query": b'{"1": {"a": 1}}\r\n\r\n{"1": {"b": 0}}',
    "JSON, a list": b'[{"query": 1, "document": "a", "grade": 1},\n {"query": 1, "document": "b", "grade": 0}]',
    "JSON": b' {"1": {"a": 1, "b": 0}}\n',
    "JSON with a BOM": b'\xef\xbb\xbf{"1": {"a": 1, "b": 0}}',
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("small", [0, 2**16])
@pytest.mark.parametrize("name", LEGAL)
def test_accepted(name: str, small: int, pack: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    read = files.read_file(pack(LEGAL[name]), "grade")
    grades = dict(zip(zip(read.query.at(range(len(read))), read.document.at(range(len(read)))), read.value.tolist()))
    assert grades == {("1", "a"): 1, ("1", "b"): 0}
    assert evaluate(LEGAL[name], RUN).value == 1 / math.log2(3)


def test_a_hash_within_an_id_is_kept() -> None:
    table = read_qrels("1 0 #a 1\nq#1 0 b#2 1\n#1 0 c 1\n")
    assert table["document"].tolist() == ["#a", "b#2"]
    assert table["query"].tolist() == ["1", "q#1"]
    assert read_qrels("query,document,grade\n#1,#a,1\n")["query"].tolist() == ["#1"]


def test_a_line_of_a_table_is_found_again() -> None:
    text = 'query,document,grade,text\n\n#1,a,1,"two\nlines"\n#1,b,1,\n#1,b,2,\n'
    for short in (True, False):
        padding = "" if short else "".join(f"2,{i},1,\n" for i in range(10_000))
        with pytest.raises(Unreadable, match=r"1 \(<text>:5\) and 2 \(<text>:6\)"):
            evaluate(text + padding, {"#1": {"b": 1.0}})


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252", "UTF_8", "utf-8-sig"])
def test_encodings(encoding: str) -> None:
    data = "1 0 Café 1\n1 0 b 0\n".encode(encoding)
    assert read_qrels(data, encoding=encoding)["document"].tolist() == ["Café", "b"]


def test_unicode_is_never_normalised() -> None:
    composed = "é"
    apart = "e\u0301"
    assert evaluate({"1": {composed: 1, "x": 0}}, {"1": {apart: 2.0, "x": 1.0}}).value == 0
    assert evaluate({"1": {composed: 1, apart: 0}}, {"1": {apart: 2.0, composed: 1.0}}).value == 1 / math.log2(3)
    assert read_qrels("1 0 a\u00a0b 1\n")["document"].tolist() == ["a\u00a0b"]  # white space to some, not to TREC


def test_zst(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pa.compress(LEGAL["CSV"], "zstd", asbytes=True)
    assert evaluate(packed, RUN).value == 1 / math.log2(3)
    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(Unreadable, match=r"<bytes> is packed with zstd, which needs pyarrow: pip install pyarrow"):
        read_qrels(packed)
    with pytest.raises(Unreadable, match=r"<bytes> is Parquet, which needs pyarrow: pip install pyarrow"):
        read_qrels(b"PAR1")


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    pairs = [(f"q{q}", f"d{d}") for q in range(80) for d in draw.permutation(400)[:120]]
    run = pd.DataFrame(pairs, columns=["query", "document"]).assign(score=draw.integers(0, 99, len(pairs)))
    qrels = run[::7].rename(columns={"score": "grade"}).assign(grade=lambda t: t["grade"] % 4)
    trec = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in run.itertuples(index=False))
    forms: list[Any] = [run, run.astype(object), trec, run.to_csv(index=False), run.to_csv(index=False, sep="\t")]
    nested = run.groupby("query")[["document", "score"]].apply(lambda t: dict(zip(t["document"], t["score"])))
    forms += [json.dumps({q: {d: int(s) for d, s in inner.items()} for q, inner in nested.items()}) + "\n"]
    measures = "ndcg@5,20 ndcg(ties=id) judged@10"

    def answers() -> list[Any]:
        made = [evaluate(qrels, form, measures) for form in forms] + [evaluate(run.assign(grade=1), measures)]
        return [dict(zip(x.queries, x.values[0].tolist())) for x in made]

    expected = answers()
    assert isinstance(files.read_file(trec, "score").document, ArrowIds)
    with monkeypatch.context() as without:
        for name in ("pyarrow", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet"):
            without.setitem(sys.modules, name, None)
        assert isinstance(files.read_file(trec, "score").document, PlainIds)
        assert answers() == expected
    assert answers() == expected


# ---- what is said, and how often


def said(call: Callable[[], Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(Path(w.filename) == Path(__file__) for w in caught), "the warning points at the caller"
    return [str(w.message) for w in caught]


ODDS = "1 Q0 a 1 0.1 t\n1 Q0 b 2 0.9 t\n1 Q0 c 3 0.95 t\n2 Q0 a 1 0.9 t\n"


@pytest.mark.parametrize("small", [0, 2**16])
def test_ranks_and_scores_disagree(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    told = "ranks and scores of <text> disagree in 2 places, first at <text>:2: the order is that of the scores"
    assert said(lambda: evaluate(QRELS, ODDS)) == [told]
    assert said(lambda: read_run(ODDS)) == [told]
    assert said(lambda: which_run(0.63, QRELS, ODDS)) == [told]
    table = results(rank=[1, 2])
    assert said(lambda: evaluate(QRELS, table)) == [
        "ranks and scores of run disagree in 1 place, first at run, row 1: the order is that of the scores"
    ]
    agree = "1 Q0 b 2 0.8 t\n1 Q0 a 1 0.9 t\n1 Q0 c 3 0.8 t\n2 Q0 a 1 1.9 t\n2 Q0 b 7 -inf t\n2 Q0 c 8 -inf t\n"
    assert said(lambda: evaluate(QRELS, agree)) == []
    assert said(lambda: evaluate(QRELS, ODDS.replace(" 2 ", " second "))) == []  # no ranks


def test_ranks_given_as_scores() -> None:
    table = pd.DataFrame({"query": [1, 1, 1, 2, 2], "document": list("abcab"), "score": [1, 2, 3, 1, 2]})
    [told] = said(lambda: evaluate(QRELS, table))
    assert told.startswith("the scores of run rise from row to row in every query, and the highest is ranked first")
    assert said(lambda: evaluate(QRELS, {"1": {"a": 1, "b": 2, "c": 3}})) == [told], "three are enough"
    assert said(lambda: evaluate(QRELS, table.assign(score=[1, 2, 3, 2, 1]))) == []
    assert said(lambda: evaluate(QRELS, table.rename(columns={"score": "rank"}))) == []


def test_distances_given_as_scores() -> None:
    judged = {f"q{i}": {"a": 1, "b": 0} for i in range(10)}
    near = {q: {"a": 0.1, "b": 0.2} for q in judged}  # in ten queries, which chance makes once in 1,024 runs
    [told] = said(lambda: evaluate(judged, near))
    assert "if they are distances, give -distance; if they are ranks, call the column 'rank'" in told
    assert said(lambda: evaluate(judged, near | {"q9": {"a": 0.2, "b": 0.1}})) == [], "one score falls"
    assert said(lambda: evaluate(judged, near | {"q9": {"a": 0.2, "b": 0.2}})) == [], "too few rise"
    rows = pd.DataFrame([(q, d, x) for q, found in near.items() for d, x in found.items()])
    table = rows.set_axis(["query", "document", "distance"], axis=1)
    with pytest.raises(MissingColumn, match="if 'distance' is lowest for the best result, give it as -distance"):
        evaluate(judged, table)
    named = said(lambda: evaluate(judged, table[::-1], columns={"score": "distance"}))
    assert len(named) == 1
    assert named[0].startswith("the scores of run are in the column 'distance'. The highest")
    assert said(lambda: evaluate(judged, table.assign(score=-table["distance"]))) == []
    ranked = table.rename(columns={"distance": "score"}).assign(rank=[2, 1] * 10)
    assert said(lambda: evaluate(judged, ranked)) == [], "ranks say that the highest is best"


def test_ids_in_the_index() -> None:
    expected = evaluate(judged(), results(), "ndcg judged").per_query
    for index in (["query"], ["document"], ["query", "document"]):
        found = evaluate(judged().set_index(index), results().set_index(index), "ndcg judged")
        pd.testing.assert_frame_equal(found.per_query, expected)
    table = judged().assign(score=results()["score"], shop="s").set_index(["query", "shop"])
    assert evaluate(table, "ndcg").value == evaluate(judged(), results(), "ndcg").value
    assert evaluate(table, "ndcg").by("shop")["slice"].tolist() == ["s"]
    assert evaluate(judged(), results().set_index("query", drop=False)).value == evaluate(judged(), results()).value


def test_nothing_is_said_of_0_by_0_but_in_the_notes() -> None:
    assert said(lambda: repr(evaluate({"1": {"a": 0}, "2": {"a": 1}}, RUN, "ndcg@5 bounds@3 ndcg_at_r"))) == []


# ---- names of columns


@pytest.mark.parametrize(
    "names",
    [
        ("query_id", "doc_id", "relevance", "score"),
        ("qid", "docno", "label", "prediction"),
        ("topic", "passage", "rel", "similarity"),
        ("user_id", "item_id", "y_true", "y_pred"),
        ("Query ID", "Document-ID", "Grade", "Score"),
    ],
)
def test_recognised_columns(names: tuple[str, ...]) -> None:
    rename = dict(zip(("query", "document", "grade", "score"), names))
    tables = [x.rename(columns=rename) for x in (judged(), results())]
    assert evaluate(*tables).value == 1 / math.log2(3)
    assert evaluate(*(x.to_csv(index=False) for x in tables)).value == 1 / math.log2(3)


def test_named_columns() -> None:
    rename = {"query": "Q", "document": "D", "grade": "G", "score": "S"}
    tables = [x.rename(columns=rename) for x in (judged(), results())]
    assert evaluate(*tables, columns=rename).value == 1 / math.log2(3)
    assert evaluate(*(x.to_csv(index=False) for x in tables), columns=rename).value == 1 / math.log2(3)
    assert evaluate(judged(), tables[1], columns=rename | {"grade": "grade"}).value == 1 / math.log2(3)
    stream = pa.Table.from_pandas(tables[1]).to_reader()  # which can be read only once
    assert evaluate(tables[0], stream, columns=rename).value == 1 / math.log2(3)
    assert read_run(
        tables[1].to_csv(index=False), columns={x: rename[x] for x in ("query", "document", "score")}
    ).shape == (
        2,
        3,
    )
    whole = tables[0].assign(S=[1.0, 2.0])
    assert evaluate(whole, "ndcg", columns=rename).value == evaluate(whole.to_csv(), "ndcg", columns=rename).value
    with_texts = judged(query_id=["1", "1"]).rename(columns={"query": "text"}).assign(query=["how long", "to boil"])
    assert evaluate(with_texts, RUN).value == 1 / math.log2(3)


@pytest.mark.parametrize("kind", ["string[python]", "string[pyarrow]", "Int64", "category"])
def test_a_hole_in_a_long_column(kind: str) -> None:
    column = pd.Series([*range(2500), None, *range(500)]).astype("Int64").astype(kind)
    table = pd.DataFrame({"query": 1, "document": column, "score": 1.0})
    with pytest.raises(Unreadable, match="run, row 2,500, column 'document' has no id"):
        evaluate(QRELS, table)


def test_reading_executes_nothing(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "executed",)

    pickle.loads(pickle.dumps(Evil()))
    assert (tmp_path / "executed").exists(), "it would, if it were let"
    (tmp_path / "executed").unlink()
    call = f"Path({str(tmp_path / 'executed')!r}).touch()"
    for data in (pickle.dumps(Evil()), call.encode() + b"\n", f"1 0 a {call}\n".encode(), b"!!python/object\n"):
        with pytest.raises(Unreadable):
            read_qrels(data)
    with pytest.raises(ValueError, match="is not a setting"):
        evaluate(QRELS, RUN, f"ndcg(gain=[{call}])")
    assert not (tmp_path / "executed").exists()


def test_measures_apart_by_any_space() -> None:
    for space in (" ", " " * 1000, "\t\n", "\u00a0"):  # the last as it is copied from a page
        assert [str(x) for x in read_measures(f"ndcg{space}@{space}5,{space}10{space}dcg{space}")] == [
            "ndcg@5,10",
            "dcg",
        ]
        assert str(read_measure(f"ndcg{space}(gain ={space}exp){space}")) == "ndcg(gain=exp)"


def test_a_long_text_is_no_measure() -> None:
    long = "".join(f"1 Q0 d{i} {i + 1} {-i} t\n" for i in range(50_000))
    assert evaluate({"1": {"d1": 1}}, long).value == 1 / math.log2(3)
    with pytest.raises(ValueError, match=r"^measures are 50,000 characters, and 8,192 are read"):
        evaluate(QRELS, RUN, "ndcg " * 10_000)


@pytest.mark.parametrize(
    "text",
    [
        "ndcg@10",
        "ndcg(gain=exp)@5,10",
        "ndcg(like=trec_eval)@10",
        "ndcg(gain={0:0,1:3,2:7.5},ties=first)@3",
        "ndcg(discount=[1,0.5,0.25])@3",
        "penalized_ndcg(penalty=2)@5",
    ],
)
def test_a_measure_is_what_it_prints(text: str) -> None:
    assert str(read_measure(text)) == text
    assert str(read_measure(f"  {text.replace(',', ' , ')} ")) == text


@pytest.mark.parametrize(
    "keywords, said",
    [
        ({"k": 10}, "evaluate has no parameter k: give measures='ndcg@10'"),
        ({"k": [5, 10]}, "evaluate has no parameter k: give measures='ndcg@5,10'"),
        ({"measure": "ndcg@5"}, "evaluate has no parameter measure: give measures='ndcg@5'"),
        ({"mising": "zero"}, "evaluate has no parameter mising: see help(evaluate); did you mean 'missing'?"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else "",
)
def test_keywords_of_other_tools(keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError) as raised:
        evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, **keywords)
    assert str(raised.value) == said
