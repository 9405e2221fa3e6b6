"""Judgements and results in the shapes people hold them: the same content is the same number, and doubt is refused."""

from __future__ import annotations

import json
import math
from collections import deque, namedtuple
from collections.abc import Callable
from configparser import ConfigParser
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROOT
from scipy.sparse import csr_matrix

from ndcg_nb import compare, dcg, evaluate, idcg, ndcg, read_qrels
from ndcg_nb.beside import recall, reciprocal_rank
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.hood.inputs.hits import Context
from ndcg_nb.hood.inputs.shapes import TOOLS, Shape, shape_of
from ndcg_nb.hood.inputs.tables import read_rows
from ndcg_nb.hood.reports.cli import main

GOLDEN = json.loads((ROOT / "tests/golden/shapes.json").read_text())
QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
RUN = {"q1": ["x", "a"], "q2": ["b"]}
VALUE = (1 / math.log2(3) + 1) / 2


def write(x: Any, folder: Path) -> Any:
    "A side of a case, with its files written"
    if isinstance(x, dict) and x.keys() == {"file", "text"}:
        (folder / x["file"]).write_bytes(x["text"].encode())
        return str(folder / x["file"])
    if isinstance(x, dict) and all(isinstance(part, dict) and part.keys() == {"file", "text"} for part in x.values()):
        return {name: write(part, folder) for name, part in x.items()}
    return x


def solve(case: dict[str, Any], folder: Path, as_files: bool = False) -> Any:
    "What we make of a case"
    names: dict[str, Any] = {"ndcg": ndcg}
    exec(case.get("code", ""), names)
    if case.get("call") == "ndcg":
        each = eval(case["expression"], names)
        return {"each": each.tolist(), "mean": float(each.mean())}
    how = {key: names[x[1:]] if str(x).startswith("$") else x for key, x in case["how"].items()}
    given = [write(case[side], folder) if side in case else names.get(side) for side in ("qrels", "run", "table")]
    if as_files:
        for i, x in enumerate(given):
            if isinstance(x, dict | list):
                path = folder / f"{i}.json"
                path.write_text(json.dumps(x))
                given[i] = path
    qrels, run, table = given
    sides = (qrels, run) if table is None else (table, None)
    found = evaluate(*sides, case["measures"], **how)
    means = {run: dict(zip(found.measures, row)) for run, row in zip(found.runs, table_of(found.means))}
    return means if len(means) > 1 else next(iter(means.values()))


def table_of(means: Any) -> Any:
    means = means.drop("run") if hasattr(means, "get_column") and "run" in means.columns else means
    return means.to_numpy().tolist()


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_golden(case: dict[str, Any], tmp_path: Path) -> None:
    found = solve(case, tmp_path)
    for key, expected in case["expected"].items():
        assert found[key] == pytest.approx(expected, abs=1e-11), case["note"]


PLAIN = [case for case in GOLDEN["cases"] if case["kind"] == "json"]


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["name"])
def test_the_same_in_files(case: dict[str, Any], tmp_path: Path) -> None:
    found = solve(case, tmp_path, as_files=True)
    assert found == pytest.approx(case["expected"], abs=1e-11)


REASONS = {  # what a refusal must say, and what to write instead
    "letor_other_length": ["7 scores", "8 rows", "one score for each row"],
    "msearch_without_names": ["nothing says which query", "queries="],
    "msearch_other_length": ["names 3 queries", "run has 2"],
    "msearch_with_error": ["'cheap flights'", "failed request", "ask again"],
    "lists_without_queries": ["nothing says which query", "queries="],
    "chunks_without_duplicates": ["'login.md' appears twice", "duplicates='first'"],
    "hits_without_that_field": ["run['Where is my invoice?'][1] has no metadata.source"],
    "hits_without_id": ["has no id", "document='metadata.source'"],
    "mteb_two_splits": ["'default, test', 'default, dev'", "give one of them"],
    "three_columns_of_scores": ["no header", "rank", "score", "add a header"],
    "quepid_basic_alone": ["no column for score"],
    "group_sizes_short": ["adds up to 5", "8 rows"],
    "group_all_ones": ["the sizes of queries, or the query of each row", "or", "Give ids as text"],
    "ragas_same_question_twice": ["'How do I reset my password?' twice"],
    "solr_grouped": ["run['amsterdam'] is a grouped response", "group=true"],
}


@pytest.mark.parametrize("case", GOLDEN["refusals"], ids=lambda case: case["name"])
def test_refusals(case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError) as caught:
        solve(case, tmp_path)
    for words in REASONS[case["name"]]:
        assert words in str(caught.value)


class Fields:
    "An object of pydantic: iterating gives pairs of field and value"

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __iter__(self) -> Any:
        return iter(self.__dict__.items())


class NodeWithScore(Fields):
    node_id = property(lambda self: self.node.node_id)
    metadata = property(lambda self: self.node.metadata)


@dataclass
class Haystack:
    id: str
    content: str = "text"
    meta: dict[str, Any] = field(default_factory=dict)
    score: float | None = None


def langchain(query: str) -> list[Any]:
    names = {"q1": ["x", "a"], "q2": ["b"], "s1": ["x.md", "a.md"], "s2": ["b.md"]}[query]
    return [Fields(id=name, page_content="text", metadata={"source": name}) for name in names]


NAMES: dict[str, Any] = {
    "evaluate": evaluate, "ndcg": ndcg, "np": np, "pd": pd, "csr_matrix": csr_matrix,
    "qrels": QRELS, "run": RUN, "sources": {"s1": {"a.md"}, "s2": {"b.md"}},
    "langchain": SimpleNamespace(
        invoke=langchain, similarity=lambda q: [(x, i / 10) for i, x in enumerate(langchain(q))]
    ),
    "llama_index": SimpleNamespace(
        retrieve=lambda q: [NodeWithScore(node=Fields(node_id=x, metadata={}), score=None) for x in RUN[q]]
    ),
    "haystack": SimpleNamespace(run=lambda q: {"documents": [Haystack(x) for x in RUN[q]]}),
}  # fmt: skip


EXAMPLES = json.loads((ROOT / "ndcg_nb/data/shapes.json").read_text())


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row["have"])
def test_every_shape_says_the_same(row: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "As the page has it: what you have, and what to write"
    monkeypatch.chdir(tmp_path)
    names = dict(NAMES)
    if isinstance(row["example"], dict):
        for name, text in row["example"].items():
            Path(name).write_text(text)
    else:
        names["x"] = eval(row["example"], names)
    found = eval(row["write"], names)
    values = found if isinstance(found, np.ndarray) else found.means
    assert np.mean(values) == pytest.approx(VALUE, abs=1e-12)


def test_the_examples_are_shipped() -> None:
    "The page that shows them also runs where the package was installed"
    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    assert "data/shapes.json" in ini["DEFAULT"]["package_data"].split()


def test_every_tool_has_an_example() -> None:
    assert {shape.have for shape in TOOLS} <= {row["have"] for row in EXAMPLES}


@pytest.mark.parametrize("shape", [shape for shape in TOOLS if shape.keys], ids=lambda shape: shape.have)
def test_a_shape_needs_all_of_its_keys(shape: Shape) -> None:
    [example] = [row["example"] for row in EXAMPLES if row["have"] == shape.have]
    x = eval(example, dict(NAMES))
    given = Context(value=shape.sides[0])
    assert shape_of(x, [shape], given)
    for key in shape.keys:
        first = x[0] if isinstance(x, list) else x
        less = {name: part for name, part in first.items() if name != key}
        assert not shape_of([less] if isinstance(x, list) else less, [shape], given)
    queries = {name: {"a": 1.0} for name in shape.keys}
    assert not shape_of([queries] if isinstance(x, list) else queries, [shape], given), "queries may have such names"


def hits(**fields: Any) -> dict[str, Any]:
    return {query: [fields | {"_id": x} for x in ids] for query, ids in RUN.items()}


Item = namedtuple("Item", "qid docno label")
Scored = namedtuple("Scored", "doc_id score")
Other = namedtuple("Other", "docno qid label")

ACCEPTED: dict[str, Callable[[], Any]] = {
    "whole numbers and texts are one id": lambda: evaluate({1: [7, 8]}, {"1": ["7", "8"]}),
    "a query called hits": lambda: evaluate({"hits": {"a": 1}}, {"hits": ["a"]}),
    "a query called details": lambda: evaluate({"details": ["a"]}, {"details": {"a": 2.0}}),
    "queries called like a data set": lambda: evaluate(
        {"queries": ["a"], "corpus": ["b"], "relevant_docs": ["c"]},
        {"queries": ["a"], "corpus": ["b"], "relevant_docs": ["c"]},
    ),
    "a query called error": lambda: evaluate({"error": ["a"]}, {"error": ["a"]}),
    "scores of NumPy": lambda: evaluate({"q": {"a": np.int64(1)}}, {"q": {"a": np.float32(2)}}),
    "an array of texts": lambda: evaluate({"q": np.array(["a", "b"])}, {"q": np.array(["b", "a"])}),
    "columns of polars and Arrow": lambda: evaluate({"q": pl.Series(["a"])}, {"q": pa.array(["a"])}),
    "scores as text": lambda: evaluate(QRELS, {"q1": [("a", "0.9"), ("x", "0.1")], "q2": [("b", "1")]}),
    "unknown fields": lambda: evaluate({"q": ["a"]}, {"q": [{"_id": "a", "highlight": {"x": []}, "sort": [1]}]}),
    "hits with the names of columns": lambda: evaluate({"q": ["a"]}, {"q": [{"doc_id": "a", "title": "A"}]}),
    "objects with an id": lambda: evaluate({"q": ["a"]}, {"q": [SimpleNamespace(id="a", payload={})]}),
    "a function for the id": lambda: evaluate(
        {"q": ["a"]}, {"q": [{"_id": "a#1"}]}, document=lambda hit: hit["_id"].split("#")[0]
    ),
    "a number in a path": lambda: evaluate({"q": ["a"]}, {"q": [{"_id": "1", "k": ["a"]}]}, document="k.0"),
    "a dot in a key": lambda: evaluate({"q": ["a"]}, {"q": [{"_id": "1", "m": {"k.v": "a"}}]}, document="m.k.v"),
    "a generator": lambda: evaluate((pair for pair in [("q", "a")]), (row for row in [("q", "a", 1.0)])),
    "runs by name, each of its own shape": lambda: evaluate(
        {"q": ["a"]},
        {"one": {"q": [{"_id": "a"}]}, "two": {"q": {"hits": {"hits": [{"_id": "a"}]}}}, "three": [("q", "a", 1.0)]},
    ),
    "responses in a list": lambda: evaluate(
        {"q": ["a"]}, [{"hits": {"hits": [{"_id": "a"}]}}], queries=["q"]
    ),
    "lists on both sides": lambda: evaluate([["a"], ["b", "c"]], [["a"], ["c", "b"]], queries=["q1", "q2"]),
    "pairs beside a matrix": lambda: evaluate([("7", "1"), ("8", "2")], np.array([[1], [2]]), queries=[7, 8]),
    "(query, ids) as a run": lambda: evaluate({"q": ["a"]}, [("q", ["a"])]),
    "a sparse run": lambda: evaluate({"0": ["1"]}, csr_matrix([[0.0, 0.5]])),
    "one row of JSON lines": lambda: evaluate('{"query": "q", "document": "a"}\n', {"q": ["a"]}),
    "a timestamp is no grade": lambda: evaluate("user_id,item_id,timestamp\n1,a,1700000000\n", {"1": ["a"]}),
    "Terrier's numbers are no ids": lambda: evaluate(
        {"q": {"a": 1, "0": 0}}, pd.DataFrame({"qid": ["q"], "docid": [0], "docno": ["a"], "score": [1.0]})
    ),
    "rank_eval in its wrapper": lambda: evaluate(
        {"rank_eval": {"details": {"q": {"hits": [{"hit": {"_id": "a"}, "rating": 1}]}}}}
    ),
    "rows of named tuples": lambda: evaluate([Item("q", "a", 1)], {"q": ["a"]}),
    "a structured array": lambda: evaluate(
        np.array([("q", "a", 1)], [("query", "U1"), ("document", "U1"), ("grade", int)]), {"q": ["a"]}
    ),
    "views of dicts": lambda: evaluate({"q": {"a": "x"}.keys()}, {"q": {"x": "a"}.values()}),
    "a range and a deque": lambda: evaluate({1: range(2), 2: [7]}, {1: range(2), 2: deque([7])}),
    "generators by query": lambda: evaluate({"q": iter("ab"), "r": ["c"]}, {"q": (x for x in "ab"), "r": iter("c")}),
    "a set of pairs": lambda: evaluate({("q", "a"), ("q", "b")}, {"q": ["b", "a"]}.items()),
    "bytes in a view": lambda: evaluate(memoryview(b"q 0 a 1\n"), {"q": ["a"]}),
    "a blank line above the header": lambda: evaluate("\r\nquery,document,grade\nq,a,1\n", {"q": ["a"]}),
    "an object of one case": lambda: evaluate(SimpleNamespace(**case(["a"])[0])),
    "one row of ratings": lambda: evaluate({"query": "q", "ratings": [{"docId": "a", "rating": 1}]}, {"q": ["a"]}),
    "one sample in a file": lambda: evaluate(json.dumps(case(["a"])[0]) + "\n"),
    "grades where ids are expected": lambda: evaluate([case(["a"])[0] | {"expected_ids": {"a": 2}}]),
    "an expected id that is no list": lambda: evaluate([case(["a"])[0] | {"expected_ids": "a"}]),
    "lists of Series by query": lambda: evaluate(
        pd.Series([["a"], ["b"]], ["q1", "q2"]), pd.Series([["a"], ["b"]], ["q1", "q2"])
    ),
    "an array of lists": lambda: evaluate(RUN, np.array([RUN["q1"], RUN["q2"]], object), queries=["q1", "q2"]),
    "names from an iterator": lambda: evaluate(RUN, ([*x] for x in RUN.values()), queries=iter(RUN)),
    "responses in a tuple": lambda: evaluate(
        {"q": ["a"]}, {"responses": ({"hits": {"hits": [{"_id": "a"}]}},)}, queries=["q"]
    ),
    "hits that are named tuples": lambda: evaluate({"q": ["a"]}, {"q": [Scored("a", 0.5)]}),
    "hits without what is above them": lambda: evaluate(
        {"q": ["a"], "r": ["b"]},
        {"q": {"total": 1, "hits": [{"_id": "a"}]}, "r": {"numFound": 1, "docs": [{"id": "b"}]}},
    ),
    "a rated hit without a rating": lambda: evaluate(
        {"details": {"q": {"hits": [{"hit": {"_id": "a"}, "rating": 1}, {"hit": {"_id": "x"}}]}}}
    ),
    "nodes of LlamaIndex without scores": lambda: evaluate({"q": ["a"]}, {"q": [Fields(node_id="a", metadata={})]}),
    "nodes of LlamaIndex as dicts": lambda: evaluate({"q": ["a"]}, {"q": [{"node": {"id_": "a"}, "score": None}]}),
    "a query called documents": lambda: evaluate({"documents": ["a"], "r": ["b"]}, {"documents": ["a"], "r": ["b"]}),
    "relevant documents in tuples and sets": lambda: evaluate(
        {"queries": {}, "corpus": {}, "relevant_docs": {"q": ("a",), "r": {"b"}}}, {"q": ["a"], "r": ["b"]}
    ),
    "ratings in tuples": lambda: evaluate({"queries": tuple(rre({"1": ["a"]})["queries"])}, {"q1": ["a"]}),
    "a fraction without a zero": lambda: evaluate(".5 qid:1 1:2\n0 qid:1 1:3\n", "2\n1\n"),
    "ids with blanks between tabs": lambda: evaluate("how to\t0\ta b\t1\n", "how to\ta b\t1\nhow to\tc\t2\n"),
    "ranks of queries that alternate": lambda: evaluate("1\t7\n2\t8\n", "1\t7\t1\n2\t8\t1\n1\t9\t2\n2\t9\t2\n"),
    "lists in a table of Arrow": lambda: evaluate({"q": ["a"]}, pa.table({"query": ["q"], "document": [["a"]]})),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    assert np.all(ACCEPTED[name]().means.to_numpy() == 1)


# Of objects; others are in `refused_data.txt` of the golden record
REFUSED: list[tuple[Callable[[], Any], list[str]]] = [
    (lambda: evaluate(QRELS, hits(), document="_source.sku"), ["run['q1'][0] has no _source.sku"]),
    (lambda: evaluate(QRELS, hits(k=["a"]), document="k"), ["run['q1'][0]: the k is ['a']", "a text or a number"]),
    (lambda: evaluate([Item("q1", "a", 1), Other("a", "q1", 1)], RUN), ["qrels[1] is of type Other", "one kind"]),
    (lambda: evaluate([Haystack("a"), {"query_id": "q1"}], RUN), ["qrels[1] is of type dict", "one kind"]),
    (lambda: evaluate([case(["a"])[0] | {"expected_ids": ["a", None]}]), ["table['q1'][1] is None", "whole number"]),
    (lambda: evaluate(QRELS, [[Haystack("x"), Haystack("a")]] * 2), ["nothing says which query", "queries="]),
]


def test_a_dict_of_columns_is_a_table() -> None:
    "Alone, as one of several runs, with grades and scores in one; a dict of more keys is by query"
    run = {"qid": ["q1", "q1", "q2"], "docno": ["x", "a", "b"], "score": [3, 2, 1]}
    wanted = evaluate(QRELS, {"q1": ["x", "a"], "q2": ["b"]}).value
    assert evaluate(QRELS, run).value == wanted
    assert evaluate(QRELS, {"one": run, "other": run}).means["ndcg@10"].tolist() == [wanted] * 2
    assert evaluate(run | {"grade": [0, 1, 1]}).value == wanted
    many = {f"q{i}": ["a"] for i in range(60)} | {"query": ["a"], "document": ["b"]}
    assert evaluate(many, many).value == 1


@pytest.mark.parametrize("call, said", REFUSED)
def test_refused(call: Callable[[], Any], said: list[str]) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    for words in said:
        assert words in str(caught.value)


def test_numbers_as_text() -> None:
    "Loaders of CSV and JSON often leave them so; an empty text is no number, and a document without a grade not judged"
    rows = [("q1", "a", "2"), ("q1", "x", "1.0"), ("q1", "y", ""), ("q2", "b", " 1 ")]
    run = {"q1": {"y": "12", "a": "9.5", "x": "1e1"}, "q2": {"b": "3"}}
    expected = evaluate({"q1": {"a": 2, "x": 1}, "q2": {"b": 1}}, {"q1": ["y", "x", "a"], "q2": ["b"]}).value
    names = ["query", "document", "grade"]
    records = [dict(zip(names, row)) for row in rows]
    shapes = [rows, records, pd.DataFrame(records), pl.DataFrame(records), pa.Table.from_pylist(records)]
    shapes += [
        "".join(json.dumps(row) + "\n" for row in records),
        "query,document,grade\n" + "".join(map("{},{},{}\n".format, *zip(*rows))),
    ]
    for judged in shapes:
        assert evaluate(judged, run).value == pytest.approx(expected, rel=1e-12)
    for text, said in {
        "high": "is 'high', a string, not a number",
        "1,5": "write a point",
        "1_0": "is '1_0', a string",
    }.items():
        with pytest.raises(Unreadable, match=said):
            evaluate({"q1": {"a": 1, "b": text}}, run)
    with pytest.raises(Unreadable, match="run\\['q1'\\]\\['x'\\]: the score is nan"):
        evaluate(QRELS, {"q1": {"a": "1", "x": ""}})
    with pytest.raises(Unreadable, match="9007199254740993, above 2"):
        evaluate({"q1": {"a": "9007199254740993"}}, RUN)


def test_an_empty_text_is_no_judgement() -> None:
    found = evaluate({"q1": "a", "q2": ""}, RUN)
    assert found.queries == ("q1",)
    assert any("no judgements of query 'q2'" in note for note in found.notes)


def test_a_score_of_zero_in_several_columns() -> None:
    text = "qid,docid,label,one,two\nq,a,1,0,0\nq,b,0,-1,-1\n"
    assert evaluate(text, columns={"score": ["one", "two"]}).means.to_numpy().tolist() == [[1], [1]]


def test_pairs_of_two_words_and_a_number_in_a_large_file() -> None:
    "A tab ends a field, also where blanks are in it"
    pairs = "".join(f"red shoe{i % 50}\t{i}\n" for i in range(6000))
    found = evaluate(pairs, {"red shoe1": ["1"], "red shoe2": ["1"]}, "p@1", missing="skip")
    assert found.queries[:2] == ("red shoe0", "red shoe1")
    assert found.value == 0.5


def wrapped(module: str, **methods: Any) -> Any:
    "An object of a client that is not installed here"
    return type("Response", (), {"__module__": module, **methods})()


@pytest.mark.parametrize(
    "client",
    [
        lambda hits: wrapped("elastic_transport._response", body={"hits": {"hits": hits}}),
        lambda hits: wrapped("elasticsearch.dsl.response", to_dict=lambda self: {"hits": {"hits": hits}}),
        lambda hits: wrapped("pysolr", raw_response={"response": {"docs": [{"id": hit["_id"]} for hit in hits]}}),
    ],
)
def test_responses_of_clients(client: Callable[[Any], Any]) -> None:
    responses = {query: client([{"_id": x} for x in ids]) for query, ids in RUN.items()}
    assert evaluate(QRELS, responses).value == pytest.approx(VALUE, rel=1e-12)
    assert evaluate(QRELS, [*responses.values()], queries=[*RUN]).value == pytest.approx(VALUE, rel=1e-12)
    both = evaluate(QRELS, {"one": responses, "two": responses})
    assert both.runs == ("one", "two")
    assert both.values[0].tolist() == both.values[1].tolist()


def test_predictions_in_memory_beside_a_file() -> None:
    "The n-th number belongs to the n-th line, as in a file of scores"
    file = "0 qid:q1 1:5\n1 qid:q1 1:5\n1 qid:q2 1:5\n"
    scores = [0.9, 0.5, 0.7]
    for run in (scores, tuple(scores), np.array(scores), pd.Series(scores), pl.Series(scores), np.array(scores, "f4")):
        assert evaluate(file, run).value == pytest.approx(VALUE, rel=1e-12)
    both = evaluate(file, {"lgb": np.array(scores), "xgb": scores, "file": "0.9\n0.5\n0.7\n"})
    assert both.runs == ("lgb", "xgb", "file")
    assert (both.values == both.values[0]).all()
    with pytest.raises(Unreadable, match="run has 2 scores, and <text> has 3 rows"):
        evaluate(file, scores[:2])
    with pytest.raises(Unreadable, match=r"run\[1\]: the score is nan"):
        evaluate(file, [0.5, math.nan, 0.25])


def test_unrated_is_not_zero() -> None:
    table = pd.DataFrame({"query": ["q1", "q1", "q3"], "document": ["a", "x", "y"], "rating": [1, None, None]})
    found = evaluate(table, {"q1": ["x", "a"], "q3": ["y"]}, "recall@2")
    assert found.queries == ("q1",)
    assert any("2 rows have no grade in qrels" in note for note in found.notes)
    assert evaluate({"q1": {"a": 1, "x": math.nan}}, RUN).queries == ("q1",)
    assert evaluate({"q1": ["a"], "q3": None}, RUN).queries == ("q1",)


MANY = {f"{i}": {"b": 1} for i in range(3000)}


@pytest.mark.parametrize("nothing", [set(), {}, [], (), np.array([])])
@pytest.mark.parametrize("others", [{"q2": {"b": 1}}, MANY], ids=["few", "many"])
def test_an_empty_set_of_judgements_was_judged(nothing: Any, others: dict[str, Any]) -> None:
    "A golden set of unanswerable questions: excluded with a note, or counted by `empty=`"
    run = {query: ["b"] for query in others} | {"q1": ["x"]}
    found = evaluate({"q1": nothing, **others}, run, "ndcg(empty=0)@10 ndcg@10 recall")
    assert {*found.queries} == {"q1", *others}
    assert found.mean_rows[0] == pytest.approx([1 - 1 / (len(others) + 1), 1, 1], rel=1e-12)
    note = "1 query has no relevant document (counted as 0 in ndcg(empty=0)@10, excluded in ndcg@10 and recall): 'q1'."
    assert note in found.notes
    in_columns = pd.DataFrame({"query": ["q1", "q2"], "document": [[], ["b"]]})
    assert evaluate(in_columns, RUN, "ndcg(empty=0)@10").value == 0.5


def test_only_empty_sets_of_judgements() -> None:
    assert evaluate({"q1": {}, "q2": set()}, RUN, "ndcg(empty=0)@10").value == 0


def test_no_set_at_all_is_not_judged() -> None:
    for nothing in (None, ""):
        assert evaluate({"q1": nothing, "q2": {"b": 1}}, RUN, "p@1 rr").queries == ("q2",)


def test_empty_hits_count_zero() -> None:
    assert evaluate(QRELS, {"q1": {"hits": {"hits": []}}, "q2": ["b"]}).value == 0.5
    assert evaluate(QRELS, {"q1": [], "q2": ["b"]}).value == 0.5


def test_notes_say_what_was_assumed() -> None:
    notes = evaluate({"q": ["a"]}, {"q": [("x", 0.1), ("a", 0.9)]}).notes
    assert sum("counts as relevant, with grade 1" in note for note in notes) == 1
    assert sum("the order of the hits is the rank" in note for note in notes) == 1
    assert any("fills short rows up" in x for x in evaluate({1: [2]}, np.array([[2]]), queries=[1]).notes)
    with pytest.warns(UserWarning, match="no grades"):
        read_qrels("query,document\nq1,a\n")


def test_levels_go_by_their_names() -> None:
    judged = {("a", "q1"): 1, ("x", "q1"): 0, ("a", "q2"): 0, ("b", "q2"): 2}
    scores = {("x", "q1"): 2.0, ("a", "q1"): 1.0, ("a", "q2"): 2.0, ("b", "q2"): 1.0}
    series = [pd.Series(x).rename_axis(["doc_id", "query_id"]) for x in (judged, scores)]
    assert evaluate(*series).queries == ("q1", "q2")
    assert evaluate(*series).value == evaluate(*(x.swaplevel().rename_axis([None, None]) for x in series)).value


def test_flat_arrays_in_every_measure_of_lists() -> None:
    grades = np.array([2, 0, 1, 0, 1])
    scores = np.array([0.1, 0.5, 0.3, 0.9, 0.2])
    sizes = [3, 2]
    for measure in (ndcg, dcg, recall, reciprocal_rank):
        lists = [measure(grades[at], 2, scores=scores[at]) for at in (slice(3), slice(3, 5))]
        for group in (sizes, np.array([3.0, 2.0]), ["q1"] * 3 + ["q2"] * 2, pd.Series([7, 7, 7, 8, 8])):
            assert measure(grades, 2, scores=scores, group=group).tolist() == lists
    assert idcg(grades, 2, group=sizes).tolist() == [idcg([2, 0, 1], 2), idcg([0, 1], 2)]
    assert ndcg(rel=grades, k=2, group=sizes).tolist() == [ndcg([2, 0, 1], 2), ndcg([0, 1], 2)]
    by_id = ndcg(grades, 2, scores=np.ones(5), ids=[*"abcab"], ties="id", group=sizes)
    assert by_id.tolist() == [ndcg([2, 0, 1], 2, scores=[1] * 3, ids=[*"abc"], ties="id"), 1]


def test_models_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{grade} qid:{query} 1:0.5 # d" for query in range(6) for grade in (0, 1)]
    Path("test.txt").write_text("\n".join(lines))
    for name, scores in {"lgb": [1, 2], "xgb": [2, 1]}.items():
        Path(f"{name}.txt").write_text("\n".join(map(str, scores * 6)))
    found = compare("test.txt", {"lgb": "lgb.txt", "xgb": "xgb.txt"})
    assert found.difference == pytest.approx(1 / math.log2(3) - 1)
    table = pd.DataFrame({"qid": np.repeat(range(6), 2), "label": [0, 1] * 6, "lgb": [1, 2] * 6, "xgb": [2, 1] * 6})
    both = evaluate(table, columns={"score": ["lgb", "xgb"]})
    assert both.runs == ("lgb", "xgb")
    assert compare(both).difference == found.difference
    assert compare(table, columns={"score": ["lgb", "xgb"]}).difference == found.difference
    with pytest.raises(ValueError, match="there is no column 'cat'"):
        evaluate(table, columns={"score": ["lgb", "cat"]})


EMPTY: list[tuple[Any, Any, dict[str, Any]]] = [
    (QRELS, {"q1": [], "q2": ["b"]}, {}),
    (QRELS, {"q1": {}, "q2": {"b": 1.0}}, {}),
    (QRELS, {"q1": {}, "q2": ["b"]}, {}),
    (QRELS, {"q1": {"root": {"id": "toplevel", "fields": {"totalCount": 0}}}, "q2": ["b"]}, {}),
    (QRELS, {"q1": {"hits": {"hits": []}}, "q2": {"hits": {"hits": [{"_id": "b"}]}}}, {}),
    (QRELS, [[], ["b"]], {"queries": ["q1", "q2"]}),
    (QRELS, {"q1": np.array([]), "q2": np.array(["b"])}, {}),
    (QRELS, pd.DataFrame({"query": ["q1", "q2"], "document": [[], ["b"]]}), {}),
    (QRELS, pl.DataFrame({"query": ["q1", "q2"], "document": [[], ["b"]]}), {}),
    (QRELS, '{"q1": [], "q2": ["b"]}\n', {}),
    ([{"query": "q1", "expected_ids": ["a"], "retrieved_ids": []},
      {"query": "q2", "expected_ids": ["b"], "retrieved_ids": ["b"]}], None, {}),
]  # fmt: skip


@pytest.mark.parametrize("qrels, run, more", EMPTY)
def test_a_query_that_found_nothing_is_not_missing(qrels: Any, run: Any, more: dict[str, Any]) -> None:
    for missing in ("zero", "skip", "error"):
        found = evaluate(qrels, run, "ndcg@10 ndcg(ideal=list)@10 recall@5", missing=missing, **more)
        assert found.values[0].mean(axis=0).tolist() == [0.5, 0.5, 0.5]
        assert not any("missing" in note for note in found.notes)
    assert evaluate(qrels, run, "judged@1", missing="error", **more).value == 1


def test_an_engine_keeps_the_notes() -> None:
    run = duckdb.sql("SELECT 'q1' AS query, 'a' AS document, 1.0 AS score")
    for judged in ({"q1": ["a"]}, "query,document\nq1,a\n"):
        assert sum("counts as relevant, with grade 1" in note for note in evaluate(judged, run).notes) == 1
    grades = duckdb.sql("SELECT 'q1' AS query, 'a' AS document, 1 AS grade")
    hits = {"q1": [("x", 0.1), ("a", 0.9)]}
    assert any("the order of the hits is the rank" in note for note in evaluate(grades, hits).notes)
    with pytest.raises(ValueError, match="document= names a field of hits"):
        evaluate(grades, run, document="metadata.source")
    with pytest.raises(ValueError, match="1 AS grade"):
        evaluate(grades.project("query, document"), run)


def test_data_sets_of_frameworks_are_objects() -> None:
    sample = {"user_input": "q1", "retrieved_context_ids": ["x", "a"], "reference_context_ids": ["a"], "response": None}
    samples = [SimpleNamespace(**sample)]
    kind = type("EvaluationDataset", (), {"__module__": "ragas.dataset_schema", "samples": samples})
    for x in (samples, kind(), [sample]):
        found = evaluate(x)
        assert found.value == 1 / math.log2(3)
        assert any("each document in it counts as relevant" in note for note in found.notes)
    data = SimpleNamespace(queries={"q1": "text"}, corpus={"a": "text"}, relevant_docs={"q1": ["a"]}, mode="text")
    assert evaluate(data, {"q1": ["a"]}).value == 1


def test_the_shell_takes_scores_of_models_and_hits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("test.txt").write_text("".join(f"{grade} qid:{query} 1:0.5\n" for query in range(6) for grade in (0, 1)))
    Path("lgb.txt").write_text("1e-5\n2e-5\n" * 6)
    Path("xgb.txt").write_text("2\n1\n" * 6)
    assert main(["eval", "test.txt", "lgb.txt", "--format", "tsv"]) == 0
    assert capsys.readouterr().out == "run\tndcg@10\nlgb.txt\t1.0\n"
    assert main(["compare", "test.txt", "lgb.txt", "xgb.txt"]) == 0
    assert "xgb.txt − lgb.txt     −0.3691" in capsys.readouterr().out
    Path("short.txt").write_text("1\n2\n")
    assert main(["eval", "test.txt", "short.txt"]) == 2
    assert "short.txt has 2 scores, and test.txt has 12 rows" in capsys.readouterr().err
    Path("qrels.json").write_text(json.dumps({"q1": ["a"], "q2": ["b"]}))
    hits = [{"id": None, "page_content": "A", "metadata": {"source": "a"}}]
    Path("hits.json").write_text(json.dumps({"q1": hits, "q2": []}))
    assert main(["eval", "qrels.json", "hits.json", "--document", "metadata.source", "--missing", "skip"]) == 0
    assert "hits.json   0.5000" in capsys.readouterr().out
    assert main(["eval", "qrels.json", "hits.json"]) == 2
    assert (
        "hits.json['q1'][0] has no id: say which field is the id, --document metadata.source" in capsys.readouterr().err
    )


# ---- what is rarely given


class Nothing:
    "An object that says nothing of itself"


def rre(documents: dict[str, Any]) -> dict[str, Any]:
    return {"queries": [{"placeholders": {"$query": "q1"}, "relevant_documents": documents}]}


def rated(*ratings: Any) -> dict[str, Any]:
    return {"requests": [{"id": "q1", "ratings": [{"_id": "a", "rating": rating} for rating in ratings]}]}


def case(retrieved: Any) -> list[dict[str, Any]]:
    return [{"query": "q1", "expected_ids": ["a"], "retrieved_ids": retrieved}]


RARELY: list[tuple[Callable[[], Any], str]] = [
    (lambda: evaluate(QRELS, {"q1": [("x", 1.0), ("a", "low")]}), "run['q1'][1] is ('a', 'low'): give (hit, score)"),
    (lambda: evaluate(case("x a")), "table['q1'] is 'x a', of type str: give scores by query"),
    (lambda: evaluate({"q1": [("a", "good")]}, RUN), "qrels['q1'], document 'a': the grade is 'good', and not a"),
    (lambda: evaluate(rated(True), RUN), "qrels['q1'], document 'a': the grade is True, and not a number"),
    (lambda: evaluate(rated(1, 2), RUN), "qrels['q1']: document 'a' has two grades, 1 and 2: keep one of them"),
    (lambda: evaluate(rre({"1": ["a"], "b": {"gain": 1}}), RUN), "qrels['q1']: relevant_documents has lists beside"),
    (lambda: evaluate(QRELS, np.array([[0.5], [0.1]]), queries=["q1", "q2"]), "run is a matrix of fractions"),
    (lambda: evaluate({"q1": ["a"]}), "there are judgements, and no run"),
    (lambda: evaluate([*case(["a"]), {"query": "q2"}]), "table[1] has no 'expected_ids', and table[0] has: give rows"),
    (
        lambda: evaluate([{"query": "q1", "ratings": [{"docId": "a", "rating": 1}]}, {"query": "q2"}], RUN),
        "qrels[1] has no 'ratings', and qrels[0] has: give rows of one kind",
    ),
    (
        lambda: evaluate(SimpleNamespace(queries={}, corpus={}), RUN),
        "nearest is LlamaIndex's EmbeddingQAFinetuneDataset, which also has 'relevant_docs'",
    ),
    (lambda: evaluate([None], RUN), "qrels is [None], of type list: give grades by query"),
    (lambda: evaluate(QRELS, {"q1": Nothing()}), "of type Nothing: give scores by query"),
    (
        lambda: evaluate(QRELS, pd.DataFrame({"query": ["q1", "q2"], "document": [["x", "a"], None]})),
        "run, row 1 has no list of documents, but None: a failed request is no result",
    ),
    (
        lambda: evaluate(QRELS, pd.DataFrame({"query": ["q1", "q1"], "document": [["x", "a"], ["b"]]})),
        "run has the query 'q1' twice: give each query once",
    ),
]


@pytest.mark.parametrize("call, said", RARELY)
def test_what_is_rarely_given_is_refused_in_words(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        call()
    assert said in str(refused.value)


def test_an_iterator_of_relevant_ids() -> None:
    assert evaluate({"q1": iter(["a"]), "q2": iter(["b"])}, RUN)["ndcg@10"] == pytest.approx(VALUE, rel=1e-12)


def test_pairs_of_document_and_grade() -> None:
    pairs = evaluate({"q1": [("a", 2), ("x", 1)], "q2": [("b", 1)]}, RUN)
    dicts = evaluate({"q1": {"a": 2, "x": 1}, "q2": {"b": 1}}, RUN)
    assert pairs.values.tolist() == dicts.values.tolist()
    assert "no grades" not in str(pairs)


def test_a_grade_twice_counts_once() -> None:
    twice = evaluate(rated(2, 2), {"q1": ["a"]}, "dcg@1")
    assert twice.values.tolist() == evaluate({"q1": {"a": 2}}, {"q1": ["a"]}, "dcg@1").values.tolist()


def test_judgements_of_cases_beside_another_run() -> None:
    rows = [*case(["a"]), {"query": "q2", "expected_ids": [], "retrieved_ids": ["b"]}]
    result = evaluate(rows, RUN)
    assert result.queries == ("q1", "q2"), "a query that expects nothing was judged"
    assert result["ndcg@10"] == pytest.approx(1 / math.log2(3), rel=1e-12)


def test_predictions_of_mteb_by_name() -> None:
    e5 = {"mteb_model_meta": {"model_name": "e5"}, "default": {"test": {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0}}}}
    result = evaluate(QRELS, {"e5": e5, "bm25": RUN})
    assert result.runs == ("e5", "bm25")
    assert result.values[0].tolist() == result.values[1].tolist()


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pa.table])
def test_tables_in_a_list_are_runs(table: Callable[[Any], Any]) -> None:
    good = table({"query": ["q1", "q2"], "document": ["a", "b"], "score": [1.0, 1.0]})
    bad = table({"query": ["q1", "q2"], "document": ["x", "b"], "score": [1.0, 1.0]})
    result = evaluate(QRELS, [good, bad])
    assert result.runs == ("run 1", "run 2")
    assert result.values[:, :, 0].tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pa.table])
def test_many_lists_in_a_column(table: Callable[[Any], Any]) -> None:
    queries = [f"q{i}" for i in range(3000)]
    documents: list[Any] = [["x", "a"], ["a"], []] * 1000
    qrels = {query: {"a": 1} for query in queries}
    values = evaluate(qrels, table({"query": queries, "document": documents})).values[0, :, 0]
    assert values.tolist() == pytest.approx([1 / math.log2(3), 1, 0] * 1000, rel=1e-12)
    documents[7] = None
    with pytest.raises(Unreadable, match="run, row 7 has no list of documents, but None"):
        evaluate(qrels, table({"query": queries, "document": documents}))


def test_a_rating_that_is_null_is_noted() -> None:
    rows = [{"_id": "a", "rating": 1}, {"_id": "x", "rating": None}]
    notes = evaluate({"requests": [{"id": "q1", "ratings": rows}]}, {"q1": ["x", "a"]}).notes
    assert (
        sum("qrels['q1'], document 'x': it has no grade, and is not counted as judged" in note for note in notes) == 1
    )


def test_rows_keep_their_places_when_unrated_ones_are_dropped() -> None:
    table = pd.DataFrame({"query": ["q1"] * 3, "document": ["x", "a", "a"], "grade": [None, 1, 2]})
    with pytest.raises(Unreadable, match=r"qrels, row 1.*qrels, row 2"):
        evaluate(table, RUN)


@pytest.mark.parametrize(
    "table, value, said",
    [
        ([1, 2], "grade", "qrels is [1, 2], of type list: give a table of pandas, polars or pyarrow, a dict"),
        ({"q1": [1, 2]}, "grade", "qrels['q1'] is [1, 2]: give a dict {document: grade}; relevant documents without"),
        ({"q1": [0.5]}, "score", "qrels['q1'] is [0.5]: give a dict {document: score}, or a list of documents"),
    ],
)
def test_what_is_no_table(table: Any, value: str, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_rows(table, value, "qrels")
    assert said in str(refused.value)


def test_an_id_behind_many_features(tmp_path: Path) -> None:
    "Of a line of learning to rank, its head and its comment are read"
    features = " ".join(f"{i}:0.5" for i in range(1, 137))
    path = tmp_path / "test.txt"
    path.write_text(f"2 qid:q1 {features} #docid = a\n0 qid:q1 {features} #docid = b\n")
    assert evaluate(path, {"q1": ["b", "a"]}).value == pytest.approx(1 / math.log2(3), rel=1e-12)
