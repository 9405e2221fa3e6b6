"""Ids that nearly match are noticed on every road, and nothing else is; gates then have no answer."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import compare, evaluate
from ndcg_nb.hood.engines import parquet as streams
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.hood.reports.cli import main

Ids = dict[str, dict[str, float]]
Change = Callable[[str], str]

CHANGES: dict[str, Change] = {
    "spaces at the ends": lambda name: f" {name}  ",
    "Unicode forms": lambda name: normalize("NFD", name),
    "upper and lower case": str.upper,
    "a final .0": lambda name: f"{name}.0",
    "zeros in front": lambda name: f"00{name}",
}


def judgements(queries: int = 9) -> Ids:
    return {f"qé{i}": {f"dé{i}x{j}": float(j % 3) for j in range(6)} for i in range(queries)}


def results(qrels: Ids, change: Change, every: int = 2) -> Ids:
    "All that is judged, with some ids changed, and a result of each query that nobody judged"
    run: Ids = {}
    for query, judged in qrels.items():
        names = [change(name) if j % every == every - 1 else name for j, name in enumerate(judged)]
        run[query] = {name: -float(j) for j, name in enumerate([*names, "zz"])}
    return run


def frame(ids: Ids, value: str) -> pd.DataFrame:
    rows = [(query, name, number) for query, names in ids.items() for name, number in names.items()]
    return pd.DataFrame(rows, columns=["query", "document", value])


def in_json(qrels: Ids, run: Ids, folder: Path) -> Any:
    for name, ids in {"qrels": qrels, "run": run}.items():
        (folder / f"{name}.json").write_text(json.dumps(ids), "utf-8")
    return evaluate(folder / "qrels.json", folder / "run.json")


def in_parts(qrels: Ids, run: Ids, folder: Path) -> Any:
    frame(run, "score").to_parquet(folder / "run.parquet")
    return evaluate(qrels, folder / "run.parquet")


def scattered(qrels: Ids, run: Ids, folder: Path) -> Any:
    frame(run, "score").sample(frac=1, random_state=0).to_parquet(folder / "run.parquet")
    return evaluate(qrels, folder / "run.parquet")


def in_duckdb(qrels: Ids, run: Ids, folder: Path) -> Any:
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect(config={"threads": 1})
    for name, table in {"qrels": frame(qrels, "grade"), "run": frame(run, "score")}.items():
        con.register("given", table)
        con.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
    return evaluate("qrels", "run", connection=con)


def padded(qrels: Ids, run: Ids, folder: Path) -> Any:
    "Long tables, whose ids are Arrow's"
    more = {f"other {i}": {f"n{j}": 1.0 for j in range(10)} for i in range(300)}
    return evaluate(frame(qrels | more, "grade"), frame(run | more, "score"))


ROADS: dict[str, Callable[[Ids, Ids, Path], Any]] = {
    "dicts": lambda qrels, run, folder: evaluate(qrels, run),
    "tables": lambda qrels, run, folder: evaluate(frame(qrels, "grade"), frame(run, "score")),
    "one table": lambda qrels, run, folder: evaluate(frame(qrels, "grade").merge(frame(run, "score"), how="outer")),
    "long tables": padded,
    "files": in_json,
    "in parts": in_parts,
    "scattered": scattered,
    "DuckDB": in_duckdb,
}


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(streams, "AT_ONCE", 10)
    monkeypatch.setattr(streams, "A_PIECE", 10)
    yield


def near_notes(result: Any) -> list[str]:
    return [note for note in result.notes if " were ignored: " in note]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("rule", CHANGES)
def test_documents(rule: str, road: str, tmp_path: Path) -> None:
    qrels = judgements()
    result = ROADS[road](qrels, results(qrels, CHANGES[rule]), tmp_path)
    [note] = near_notes(result)
    assert note.startswith(f"At least 27 results of {result.runs[0]} would be judged if {rule} were ignored: ")
    assert any(f"{CHANGES[rule](name)!r} and {name!r}." in note for names in qrels.values() for name in names)
    with pytest.raises(ValueError, match=r"the gate has no answer: some ids nearly match\. At least 27 results"):
        result.falls_below(0.01)
    other = ROADS[road](qrels, results(qrels, lambda name: f"other {name}"), tmp_path)
    assert result.value == other.value  # nothing was matched


@pytest.mark.parametrize("road", [road for road in ROADS if road != "one table"])
@pytest.mark.parametrize("rule", CHANGES)
def test_queries(rule: str, road: str, tmp_path: Path) -> None:
    qrels = judgements()
    run = {CHANGES[rule](query) if i % 2 else query: names for i, (query, names) in enumerate(qrels.items())}
    result = ROADS[road](qrels, run, tmp_path)
    [note] = near_notes(result)
    assert note.startswith(f"At least 4 judged queries would match {result.runs[0]} if {rule} were ignored: ")
    assert any(f"{CHANGES[rule](query)!r} and {query!r}." in note for query in qrels)
    with pytest.raises(ValueError, match="the gate has no answer: some ids nearly match"):
        result.falls_below(0.01)


@pytest.mark.parametrize("road", ROADS)
def test_no_false_alarm(road: str, tmp_path: Path) -> None:
    qrels = judgements()
    for change in (str, lambda name: f"new {name}", lambda name: name.replace("d", "b")):
        result = ROADS[road](qrels, results(qrels, change), tmp_path)
        assert not near_notes(result)
        assert result.falls_below(0.01) == ""


@pytest.mark.parametrize("road", [road for road in ROADS if road != "one table"])
def test_two_ids_that_are_both_known_are_two(road: str, tmp_path: Path) -> None:
    qrels: Ids = {"1": {"a": 1.0, "A": 0.0, "07": 1.0}, "2": {"A": 1.0, "7": 1.0}, "3": {"e\u0301": 1.0, "é": 1.0}}
    run: Ids = {"1": {"a": 3.0, "7": 2.0}, "2": {"a": 3.0, "07": 2.0, "7": 1.0}, "3": {"e\u0301": 2.0, "é": 1.0}}
    assert not near_notes(ROADS[road](qrels, run, tmp_path))
    both: Ids = {"q": {"d": 1.0}, "Q": {"d": 1.0}, "q ": {"d": 1.0}}
    assert not near_notes(ROADS[road](both, both, tmp_path))
    assert not near_notes(ROADS[road](both, {name: both[name] for name in ("q", "q ")}, tmp_path))


def test_zeros_that_a_spreadsheet_ate() -> None:
    draw = np.random.default_rng(0)
    names = [f"{n:08}" for n in draw.choice(16_000_000, 1000, replace=False)]
    qrels = {f"q{i}": {name.lstrip("0"): 1.0 for name in names[20 * i : 20 * i + 10]} for i in range(50)}
    run = {f"q{i}": names[20 * i : 20 * i + 20] for i in range(50)}
    eaten = sum(name.startswith("0") for i in range(50) for name in names[20 * i : 20 * i + 10])
    [note] = near_notes(evaluate(qrels, run))
    assert note.startswith(f"At least {eaten} results of run would be judged if zeros in front were ignored: '0")


def test_a_space_after_a_third_of_the_query_texts() -> None:
    rows = [(f"how long to boil egg {i}", f"d{j}", 1) for i in range(300) for j in range(6)]
    qrels = pd.DataFrame(rows, columns=["query", "document", "grade"])
    qrels.loc[::3, "query"] += " "
    run = {f"how long to boil egg {i}": [f"d{j}" for j in range(6)] for i in range(300)}
    result = evaluate(qrels, run)
    assert len(result.queries) == 600
    [note] = near_notes(result)
    assert note.startswith("At least 300 judged queries would match run if spaces at the ends were ignored: ")


@pytest.mark.parametrize("depth", [10, 200])
def test_a_fault_in_a_few_percent_of_the_ids(depth: int) -> None:
    draw = np.random.default_rng(1)
    queries = 40_000 // depth
    judged = draw.permuted(np.tile(np.arange(depth), (queries, 1)), axis=1)[:, :1]
    names = [[f"d{i}x{j}" for j in row] for i, row in enumerate(judged.tolist())]
    qrels = {f"q{i}": {(name.upper() if i % 33 == 7 else name): 1 for name in row} for i, row in enumerate(names)}
    qrels |= {f"q{i}": {"nowhere": 1} for i in range(0, queries, 10)}
    run = {f"q{i}": [f"d{i}x{j}" for j in range(depth)] for i in range(queries)}
    [note] = near_notes(evaluate(qrels, run))
    assert "results of run would be judged if upper and lower case were ignored" in note


def test_a_few_percent_of_many_queries() -> None:
    qrels = {f"{i}": {"d": 1} for i in range(30_000)}
    run = {f"{i}.0" if i % 40 == 3 else f"{i}": ["d"] for i in range(30_000)}
    [note] = near_notes(evaluate(qrels, run))
    assert "judged queries would match run if a final .0 were ignored" in note


def test_odd_ids() -> None:
    long = "x" * 100_000
    [note] = near_notes(evaluate({"q": {long: 1, "b": 1}}, {"q": [long.upper(), "b"]}))
    assert "upper and lower case" in note
    assert len(note) < 300
    assert not near_notes(evaluate({1: {7: 1, 70: 1}}, {1: {7: 0.5, 700: 0.3}}))
    [note] = near_notes(evaluate({1: {7: 1, 70: 1}}, {1: {"007": 0.5, "70": 0.3}}))
    assert note.endswith("if zeros in front were ignored: '007' and '7'.")
    [note] = near_notes(evaluate({"1": {"0": 1, "a": 1}}, {"1": ["000 ", "a"]}))
    assert note.endswith("were ignored: '000 ' and '0'.")


def test_gates_of_comparisons(tmp_path: Path) -> None:
    qrels = judgements()
    good = results(qrels, str)
    bad = results(qrels, str.upper)
    reason = "the gate has no answer: some ids nearly match. At least 27 results of "
    for compared in (compare(qrels, {"a": good, "b": bad}), compare(evaluate(qrels, good), evaluate(qrels, bad))):
        with pytest.raises(ValueError, match=reason):
            compared.fails_if("worse")
        with pytest.raises(ValueError, match=reason):
            compared["ndcg@10"].fails_if("not better")
    intended = compare(qrels, {"a": bad, "b": good}, disjoint="zero", unjudged="zero")
    assert intended.fails_if("worse") == ""
    assert evaluate(qrels, bad, disjoint="zero").falls_below(0.01) == ""
    assert near_notes(evaluate(qrels, bad, disjoint="zero"))  # still said
    with pytest.raises(ValueError, match=reason):
        pickle.loads(pickle.dumps(evaluate(qrels, bad))).falls_below(0.01)


def test_gates_in_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels = judgements()
    paths = []
    for name, ids in {"qrels": qrels, "a": results(qrels, str), "b": results(qrels, str.upper)}.items():
        paths.append(str(tmp_path / f"{name}.json"))
        Path(paths[-1]).write_text(json.dumps(ids), "utf-8")
    judged, good, bad = paths
    compared = ["compare", judged, good, bad, "--unjudged", "zero", "--fail-if", "worse"]
    for words in (["eval", judged, bad, "--at-least", "0.01"], compared):
        assert main(words) == 2
        assert "some ids nearly match. At least 27 results of b.json would be judged" in capsys.readouterr().err
        assert main([*words, "--disjoint", "zero"]) in (0, 1)
        capsys.readouterr()


@pytest.mark.parametrize("road", [road for road in ROADS if road not in ("one table", "long tables")])
def test_where_no_id_matches_the_hint_is_the_same(road: str, tmp_path: Path) -> None:
    qrels = judgements()
    with pytest.raises(Unreadable, match="Some would match if upper and lower case were ignored: 'DÉ"):
        ROADS[road](qrels, results(qrels, str.upper, 1), tmp_path)
