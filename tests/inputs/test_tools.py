"""What tools, spreadsheets and scripts hand over goes in as it is, with the number it should have; doubt is refused."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace as Of
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import pytest

from ndcg_nb import compare, evaluate
from ndcg_nb.hood.inputs.columns import MissingColumn, Unreadable
from ndcg_nb.hood.reports.cli import main

JUDGED = {"q1": ["a"], "q2": ["b"]}
FOUND = {"q1": ["x", "a"], "q2": ["b"]}
PLACES = {"q1": [1], "q2": [0]}  # in the list that a reranker was sent
IDS = {name: UUID(int=i) for i, name in enumerate("abx")}
VALUE = (1 / math.log2(3) + 1) / 2


class ObjectId:
    "As MongoDB has it"

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name


def each(made: Callable[[list[str]], Any]) -> dict[str, Any]:
    "What is made of the results of each query"
    return {query: made(names) for query, names in FOUND.items()}


def uuids(lists: dict[str, list[str]]) -> dict[str, list[UUID]]:
    return {query: [IDS[name] for name in names] for query, names in lists.items()}


def rows(query: str, hits: str, made: Callable[[str], Any], **more: Any) -> list[dict[str, Any]]:
    "A row for each query, as scripts dump them"
    return [{query: q, **more, hits: [made(name) for name in names]} for q, names in FOUND.items()]


def es(name: str) -> dict[str, Any]:
    return {"_id": name, "_score": 1.5, "_source": {"title": "t"}}


def point(name: str) -> Any:
    return Of(id=name, version=1, score=0.5, payload={"doc": name}, vector=None)


def weaviate(name: str) -> Any:
    return Of(uuid=IDS[name], metadata=Of(distance=0.1, score=None), properties={"doc": name}, collection="C")


def document(name: str) -> Any:
    return Of(page_content="t", metadata={}, id=name)


def ranked(places: range) -> list[dict[str, Any]]:
    return [{"index": i, "relevance_score": 0.5} for i in places]


def typesense(name: str) -> dict[str, Any]:
    return {"document": {"id": name, "title": "t"}, "highlights": [], "text_match": 4}


def haystack(names: list[str]) -> dict[str, Any]:
    return {"documents": [Of(content="t", meta={}, id=name) for name in names]}


def chroma(lists: list[list[str]]) -> dict[str, Any]:
    some = [[0.1] * len(names) for names in lists]
    return {"ids": lists, "distances": some, "metadatas": some, "embeddings": None, "included": ["distances"]}


MATRIX = np.array([[9, 1], [2, 8]])
NUMBERS = {"q1": [1], "q2": [2]}
SCORES = np.array([[2.0, 1.0], [2.0, 1.0]], "float32")
PADDED = (np.array([[0.1, 0.2], [0.1, 3.4e38]]), np.array([[9, 1], [2, -1]]))
LOGGED = [{"input": q, "output": names, "expected_output": JUDGED[q]} for q, names in FOUND.items()]
TRACED = [
    {"inputs": {"question": q}, "outputs": {"ids": names}, "reference_outputs": {"ids": JUDGED[q]}}
    for q, names in FOUND.items()
]
ROLES = {"query": "input", "document": "output", "grade": "expected_output"}
PATHS = {"query": "inputs.question", "document": "outputs.ids", "grade": "reference_outputs.ids"}
TABLE = [(query, name, -float(i)) for query, names in FOUND.items() for i, name in enumerate(names)]
GRADED = [(query, name, 1) for query, names in JUDGED.items() for name in names]
WANDB = {"columns": ["query", "document", "score"], "data": [*map(list, TABLE)], "ncols": 3, "nrows": 3}

CASES: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {}


def case(name: str, *given: Any, **how: Any) -> None:
    CASES[name] = (given, how)


# Vector stores and search engines
case("Qdrant, points", JUDGED, each(lambda names: [*map(point, names)]))
case("Qdrant, payload", JUDGED, each(lambda names: [*map(point, names)]), document="payload.doc")
case("Qdrant, response", JUDGED, each(lambda names: Of(points=[*map(point, names)])))
case("Qdrant, HTTP", JUDGED, each(lambda names: {"result": {"points": [{"id": x} for x in names]}, "status": "ok"}))
case("Qdrant, HTTP before", JUDGED, each(lambda names: {"result": [{"id": x} for x in names], "status": "ok"}))
case("Pinecone", JUDGED, each(lambda names: Of(matches=[Of(id=x, score=0.5, values=[]) for x in names], namespace="")))
case(
    "Pinecone, dict", JUDGED, each(lambda names: {"matches": [{"id": x, "values": []} for x in names], "namespace": ""})
)
case("Weaviate, objects", JUDGED, each(lambda names: [*map(weaviate, names)]), document="properties.doc")
case("Weaviate, response", JUDGED, each(lambda names: Of(objects=[*map(weaviate, names)])), document="properties.doc")
case("Weaviate, UUIDs", uuids(JUDGED), each(lambda names: Of(objects=[*map(weaviate, names)])))
case("Milvus, by query", JUDGED, each(lambda names: [{"id": x, "distance": 0.1, "entity": {}} for x in names]))
case("Milvus", JUDGED, [[{"id": x, "distance": 0.1} for x in names] for names in FOUND.values()], queries=["q1", "q2"])
case("Chroma, at once", JUDGED, chroma([*FOUND.values()]), queries=["q1", "q2"])
case("Chroma, one by one", JUDGED, each(lambda names: chroma([names])))
case("pgvector", JUDGED, each(lambda names: [(x, 0.1 * i) for i, x in enumerate(names)]))
case("FAISS", NUMBERS, PADDED, queries=["q1", "q2"])
case("implicit", NUMBERS, (MATRIX, SCORES), queries=["q1", "q2"])
case("RecBole", NUMBERS, (SCORES, MATRIX), queries=["q1", "q2"])
case("Azure AI Search", JUDGED, each(lambda names: {"@odata.count": 2, "value": [{"id": x} for x in names]}))
case("Algolia", JUDGED, each(lambda names: {"hits": [{"objectID": x} for x in names], "nbHits": 2, "query": "t"}))
case("Meilisearch", JUDGED, each(lambda names: {"hits": [{"id": x} for x in names], "query": "t", "limit": 20}))
case("Typesense", JUDGED, each(lambda names: {"facet_counts": [], "found": 2, "hits": [*map(typesense, names)]}))
case("Pyserini", JUDGED, each(lambda names: [Of(docid=x, score=0.5, lucene_docid=3) for x in names]))
# Rerankers
case(
    "Cohere", PLACES, each(lambda names: Of(id="7", results=[Of(index=i) for i in range(len(names))])), document="index"
)
case("Cohere, dict", PLACES, each(lambda names: {"id": "7", "results": ranked(range(len(names)))}), document="index")
case("Jina", PLACES, each(lambda names: {"model": "j", "results": ranked(range(len(names)))}), document="index")
case("Voyage", PLACES, each(lambda names: {"object": "list", "data": ranked(range(len(names)))}), document="index")
case("CrossEncoder.rank", JUDGED, each(lambda names: [{"corpus_id": x, "score": 0.5} for x in names]))
case("semantic_search", JUDGED, [[{"corpus_id": x} for x in names] for names in FOUND.values()], queries=["q1", "q2"])
case("FlashRank", JUDGED, each(lambda names: [{"id": x, "text": "t", "meta": {}, "score": 0.5} for x in names]))
RANKED = [
    {"query": {"qid": q, "text": "t"}, "candidates": [{"docid": x, "score": 1.0, "doc": {}} for x in names]}
    for q, names in FOUND.items()
]
case("RankLLM", JUDGED, RANKED)
case("RankLLM, JSON lines", JUDGED, "".join(json.dumps(row) + "\n" for row in RANKED))
# Frameworks
case("LlamaIndex", JUDGED, each(lambda names: Of(source_nodes=[Of(node_id=x, metadata={}) for x in names])))
case("LangGraph's state", JUDGED, each(lambda names: {"question": "t", "context": [*map(document, names)]}))
case("LangChain's chain", JUDGED, each(lambda names: {"input": "t", "context": [*map(document, names)], "answer": "t"}))
case("Haystack's pipeline", JUDGED, each(lambda names: {"retriever": haystack(names), "llm": {"replies": ["t"]}}))
case("Haystack's ranker", JUDGED, each(lambda names: {"retriever": haystack([]), "ranker": haystack(names)}))
# Ids
case("UUID, lists", uuids(JUDGED), uuids(FOUND))
case("UUID, hits", uuids(JUDGED), {q: [{"id": x} for x in ids] for q, ids in uuids(FOUND).items()})
case("UUID, triples", [(q, IDS[x], 1) for q, x, _ in GRADED], [(q, IDS[x], score) for q, x, score in TABLE])
case("UUID, dicts", {q: {IDS[x]: 1} for q, x, _ in GRADED}, {q: dict.fromkeys(x, 0.5) for q, x in uuids(FOUND).items()},
     like="ranx")  # fmt: skip
case(
    "UUID, table",
    pd.DataFrame([(q, IDS[x], 1) for q, x, _ in GRADED], columns=["query", "document", "grade"]),
    uuids(FOUND),
)
case("UUID, queries", {IDS["a"]: ["a"], IDS["b"]: ["b"]}, {IDS["a"]: ["x", "a"], IDS["b"]: ["b"]})
case("ObjectId", JUDGED, each(lambda names: [{"_id": ObjectId(x)} for x in names]))
case("Path", {q: [*map(Path, names)] for q, names in JUDGED.items()}, each(lambda names: [*map(Path, names)]))
# Traces, evaluations, tables of tools
case("Langfuse", LOGGED, columns=ROLES)
case("Langfuse, hits", [{**row, "output": [*map(es, row["output"])]} for row in LOGGED], columns=ROLES)
case("Langfuse, JSON lines", "".join(json.dumps(row) + "\n" for row in LOGGED), columns=ROLES)
case("LangSmith", TRACED, columns=PATHS)
case("LangSmith, JSON lines", "".join(json.dumps(row) + "\n" for row in TRACED), columns=PATHS)
case("W&B", JUDGED, WANDB)
case("W&B, file", JUDGED, json.dumps(WANDB) + "\n")
case("W&B, judgements", {"columns": ["query", "document", "grade"], "data": GRADED}, FOUND)
case("ir_measures", [Of(query_id=q, doc_id=x, relevance=1) for q, x, _ in GRADED], FOUND)
case("two judges who agree", pd.DataFrame(GRADED * 2, columns=["query", "document", "grade"]), FOUND)
case("Label Studio, short", [{"id": 1, "query": q, "document": x, "rating": 1} for q, x, _ in GRADED], FOUND)
# Rows of scripts
case("query, hits", JUDGED, rows("query", "hits", es, took=3))
case("query, results", JUDGED, rows("query", "results", es, took=3))
case("query, docs", JUDGED, rows("query", "docs", lambda name: {"id": name}))
case("query, ids", JUDGED, rows("query", "docs", str))
case("query_id, documents", JUDGED, rows("query_id", "documents", es))
case("query, response", JUDGED, [{"query": q, "response": {"hits": {"hits": [*map(es, x)]}}} for q, x in FOUND.items()])
case(
    "query, hits in a response",
    JUDGED,
    [{"query": q, "hits": {"total": 2, "hits": [*map(es, x)]}} for q, x in FOUND.items()],
)
case("query, results, JSON lines", JUDGED, "".join(json.dumps(row) + "\n" for row in rows("query", "results", es)))
# Files of tools and spreadsheets
case("two empty heads", "query,document,grade,,\nq1,a,1,,\nq2,b,1,,\n", FOUND)
case("a query for each group", "query,document,grade\nq1,a,1\n,c,0\nq2,b,1\n,d,0\n", FOUND)
case("decimal commas", "query;document;grade\nq1;a;1,0\nq2;b;1,0\n", FOUND)
case("decimal commas, tabs", "query\tdocument\tgrade\nq1\ta\t1,0\nq2\tb\t1\n", FOUND)
case("decimal commas, scores", JUDGED, "query;document;score\nq1;x;2,5\nq1;a;-1,125\nq2;b;12,125\n")
case("RankLib", "0 qid:q1 1:1 # x\n1 qid:q1 1:2 # a\n1 qid:q2 1:3 # b\n", "q1\t0\t0.9\nq1\t1\t0.5\nq2\t0\t0.4\n")


@pytest.mark.parametrize("name", CASES)
def test_as_it_comes(name: str) -> None:
    given, how = CASES[name]
    assert evaluate(*given, "ndcg@10", **how).value == pytest.approx(VALUE, abs=1e-12)


def test_most_shapes_are_read() -> None:
    assert len(CASES) >= 50


def test_a_folder_of_beir(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\n")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "t"}\n')
    (tmp_path / "run.json").write_text(json.dumps(FOUND))
    for folder in (tmp_path, str(tmp_path)):
        assert evaluate(folder, FOUND).value == pytest.approx(VALUE)
    with pytest.raises(IsADirectoryError):
        evaluate(JUDGED, tmp_path)
    assert main(["eval", str(tmp_path), str(tmp_path / "run.json"), "--quiet"]) == 0
    assert "0.8155" in capsys.readouterr().out


# What is refused
HEADS = "\ufeffSuchanfrage;Artikel Nummer;Titel;Bewertung\nq1;a;t;0,5\nq2;b;t;0,5\n".encode()


def test_heads_that_are_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roles = {"query": "Suchanfrage", "document": "Artikel Nummer", "grade": "Bewertung"}
    with pytest.raises(MissingColumn) as caught:
        evaluate(HEADS, FOUND)
    assert f"columns={roles}" in str(caught.value) and "expected" not in str(caught.value)
    assert evaluate(HEADS, FOUND, columns=roles).value == pytest.approx(VALUE)
    for delimiter in b"\t", b",":
        with pytest.raises(MissingColumn, match="Say which is which"):
            evaluate(JUDGED, HEADS.replace(b"0,5", b"0.5").replace(b";", delimiter))
    (tmp_path / "urteile.csv").write_bytes(HEADS)
    (tmp_path / "run.json").write_text(json.dumps(FOUND))
    files = ["eval", str(tmp_path / "urteile.csv"), str(tmp_path / "run.json")]
    assert main(files)
    said = capsys.readouterr().err
    way = r"--column query=Suchanfrage --column document=Artikel\ Nummer --column grade=Bewertung"
    assert way in said
    given = [part.replace("\\ ", " ") for part in re.findall(r"--column|\w+=(?:\\ |\S)+", way)]
    assert main([*files, *given, "--quiet"]) == 0
    assert "0.8155" in capsys.readouterr().out


@pytest.mark.parametrize("line", ["q1 0 d;x;y 1", "wie; lange; kochen\ta", "q1 0 a,b,c 1"])
def test_an_id_may_have_a_separator_in_it(line: str) -> None:
    [document] = line.replace("\t", " ").split()[2:3] if "\t" not in line else ["a"]
    query = line.split("\t" if "\t" in line else None)[0]
    assert evaluate(line + "\n", {query: [document]}).value == 1


BAD: dict[str, tuple[tuple[Any, ...], str]] = {
    "a decimal comma between commas": (('query,document,grade\nq1,a,"0,5"\n', FOUND), "write a point, not a comma"),
    "thousands": ((JUDGED, "query;document;score\nq1;a;1,250\nq1;x;12,000\n"), "write a point, not a comma"),
    "points and commas": ((JUDGED, "query;document;score\nq1;a;1,25\nq1;x;1.5\n"), "write a point, not a comma"),
    "a hole in a column of queries": (("query,document,grade\nq1,a,1\nq1,c,0\n,b,1\n", FOUND), "the query is empty"),
    "a hole among single rows": (("query,document,grade\nq1,a,1\n,b,1\nq3,c,1\n", FOUND), "the query is empty"),
    "a group without its query": (("query,document,grade\n,a,1\n,b,1\nq1,c,1\n,d,0\n", FOUND), "the query is empty"),
    "a head above its group": (("query,document,grade\nq1,,\n,a,1\n,c,0\nq2,b,1\n,d,1\n", FOUND), "the query is empty"),
    "an error in a row": ((JUDGED, [{"query": "q1", "hits": []}, {"query": "q2", "error": "504"}]), "failed request"),
    "an error beside hits": ((JUDGED, [{"query": "q1", "hits": [], "error": "504"}]), "failed request"),
    "a response in time": ((JUDGED, [{"query": "q1", "timed_out": True, "hits": [es("a")]}]), "failed request"),
    "an error inside": ((JUDGED, [{"query": "q1", "response": {"error": "504"}}]), "failed request"),
    "the same query twice": ((JUDGED, rows("query", "results", es) * 2), "twice"),
    "two heads of one name": (("query,document,grade,x,x\nq1,a,1,,\n", FOUND), "two columns have the same name"),
    "scores without a header": ((JUDGED, "q1\t5\t0.9\nq1\t7\t0.5\n"), "add a header"),
    "scores of RankLib, and no LETOR": ((JUDGED, "q1\t0\t0.9\nq1\t1\t0.5\n"), "LETOR"),
    "bytes": ((JUDGED, {"q1": [b"a"], "q2": [b"b"]}), "b'a'"),
    "judgements as a run": ((JUDGED, "q1 0 a 1\n"), "This looks like judgements"),
}


@pytest.mark.parametrize("name", BAD)
def test_doubt_is_refused(name: str) -> None:
    given, said = BAD[name]
    with pytest.raises(Unreadable) as caught:
        evaluate(*given)
    assert said in str(caught.value)


def test_what_was_mended_is_noted() -> None:
    mended = "query;document;grade\nq1;a;0,5\n;b;0\nq2;b;1\n;c;0\n"
    notes = " ".join(evaluate(mended, FOUND).notes)
    assert "<text> has rows without a query" in notes and "<text> has decimal commas." in notes
    assert "has" not in " ".join(evaluate(mended.replace(",", "."), FOUND).notes).replace("has rows without", "")


def test_a_table_that_has_a_list_beside_its_documents() -> None:
    "A field of this name is no reason to take a row of a table for one of a query"
    table = [{"query": q, "document": x, "score": s, "response": {"a": 1}, "results": [1]} for q, x, s in TABLE]
    assert evaluate(JUDGED, table).value == pytest.approx(VALUE)


def test_responses_may_repeat_the_text_of_their_query() -> None:
    responses = [{"query": "a text", "results": [*map(es, names)]} for names in FOUND.values()]
    assert evaluate(JUDGED, responses, queries=["q1", "q2"]).value == pytest.approx(VALUE)


# Several grades of a document
TWICE = [("q1", "a", 0.0), ("q1", "b", 1.0), ("q1", "a", 3.0), ("q1", "a", 1.5), ("q2", "a", 1.0), ("q2", "a", 1.0)]
ONE = {"first": 0.0, "last": 1.5, "mean": 1.5, "max": 3.0}
BOTH = {"q1": ["a", "b"], "q2": ["a"]}


@pytest.mark.parametrize("road", ["rows", "file", "parquet", "stream", "shell", "compare"])
@pytest.mark.parametrize("way", ONE)
def test_several_grades(way: str, road: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = pd.DataFrame(TWICE, columns=["query", "document", "grade"])
    value = evaluate({"q1": {"a": ONE[way], "b": 1}, "q2": {"a": 1}}, BOTH, "dcg@10").value
    run: Any = BOTH
    note = f"have several grades: the {way} counts."
    if road in ("file", "shell"):
        judged.to_csv(tmp_path / "qrels.csv", index=False)
        judged = tmp_path / "qrels.csv"
    if road in ("parquet", "stream"):
        judged.to_parquet(tmp_path / "qrels.parquet")
        judged = tmp_path / "qrels.parquet"
    if road == "stream":
        shown = [(query, x, -float(i)) for query, names in BOTH.items() for i, x in enumerate(names)]
        pd.DataFrame(shown, columns=["query", "document", "score"]).to_parquet(tmp_path / "run-1.parquet")
        run = str(tmp_path / "run-*.parquet")
    if road == "shell":
        (tmp_path / "run.json").write_text(json.dumps(BOTH))
        files = [str(judged), str(tmp_path / "run.json")]
        assert main(["eval", *files, "-m", "dcg@10", "--duplicates", way]) == 0
        said = capsys.readouterr()
        assert f"{value:.4f}" in said.out and note in said.out + said.err
        assert main(["eval", *files]) and "--duplicates mean, max, first or last" in capsys.readouterr().err
        return
    if road == "compare":
        found = compare(judged, {"x": BOTH, "y": BOTH}, "dcg@10", duplicates=way)
        assert found.means["dcg@10"].tolist() == [value, value] and note in " ".join(found.notes)
        return
    result = evaluate(judged, run, "dcg@10", duplicates=way)
    assert result.value == value and note in " ".join(result.notes)
    assert evaluate(judged, run, "dcg@10", duplicates=way).which is not None
    with pytest.raises(Unreadable, match=r"has two grades: 0 .* and 3 .*or give duplicates='mean', max, first or last"):
        evaluate(judged, run)


def test_grades_that_agree_need_no_note() -> None:
    judged = pd.DataFrame(TWICE[4:], columns=["query", "document", "grade"])
    assert "several" not in " ".join(evaluate(judged, {"q2": ["a"]}, duplicates="mean").notes)


@pytest.mark.parametrize("way", ONE)
def test_of_results_the_first_counts(way: str) -> None:
    run = {"q1": [("a", 0.9), ("b", 0.5), ("a", 0.1)], "q2": ["a"]}
    result = evaluate(BOTH, run, duplicates=way)
    assert result.value == 1 and "1 repeated result dropped from run." in result.notes


@pytest.mark.parametrize("way", ["last", "mean", "max"])
def test_where_grades_are_not_merged(way: Any) -> None:
    joined = pd.DataFrame(TWICE, columns=["query", "document", "grade"]).assign(score=1.0)
    with pytest.raises(Unreadable, match=r"appears twice .* duplicates='first' keeps the first"):
        evaluate(joined, "ndcg@10", duplicates=way)
    connection = duckdb.connect()
    with pytest.raises(ValueError, match=f"duplicates='{way}' is for rows in memory: in an engine, GROUP BY"):
        evaluate(connection.sql("SELECT 1"), connection.sql("SELECT 1"), duplicates=way)
