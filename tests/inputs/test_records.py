"""What loaders hand over: each form gives what the same rows give as a dict."""

from __future__ import annotations

import warnings
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import needed

from ndcg_nb import compare, evaluate

ROWS = [("q1", "a", 2), ("q1", "b", 0), ("q2", "a", 1), ("q2", "c", 3)]
RUN = [("q1", "b", 2.5), ("q1", "a", 1.5), ("q2", "c", 0.5), ("q2", "x", 0.25)]
Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
Scored = namedtuple("Scored", "query_id doc_id score")


@dataclass
class Judgement:
    query_id: str
    doc_id: str
    relevance: int


def as_dicts(rows: list[tuple[str, str, Any]]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for query, document, number in rows:
        found.setdefault(query, {})[document] = number
    return found


def stand_in(module: str, method: str, made: Any) -> Any:
    "An object of another package, where that is not installed"
    return type("Judgements", (), {"__module__": module, method: lambda self: made})()


def of_ranx() -> Any:
    "Judgements of ranx, one of whose modules warns of its own syntax where it is compiled first"
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "invalid escape sequence")
        ranx = needed("ranx")
    return ranx.Qrels(as_dicts(ROWS))


JUDGED: dict[str, Callable[[], Any]] = {
    "triples": lambda: ROWS,
    "lists": lambda: [[*row] for row in ROWS],
    "named tuples": lambda: [Qrel(*row, "0") for row in ROWS],
    "an iterator": lambda: (Qrel(*row, "0") for row in ROWS),
    "dataclasses": lambda: [Judgement(*row) for row in ROWS],
    "dicts": lambda: [dict(zip(Qrel._fields, row)) for row in ROWS],
    "a series": lambda: pd.Series({row[:2]: row[2] for row in ROWS}),
    "an array": lambda: np.array(ROWS, dtype=[("qid", "U2"), ("docno", "U2"), ("label", int)]),
    "ranx": of_ranx,
    "like ranx": lambda: stand_in("ranx.data_structures.qrels", "to_dict", as_dicts(ROWS)),
    "like Hugging Face": lambda: stand_in(
        "datasets.arrow_dataset", "to_pandas", pd.DataFrame(ROWS, columns=Qrel._fields[:3])
    ),
    "ir_measures": lambda: [needed("ir_measures").Qrel(*row) for row in ROWS],
    "Hugging Face": lambda: needed("datasets").Dataset.from_list([dict(zip(Qrel._fields, row)) for row in ROWS]),
}


@pytest.mark.parametrize("form", JUDGED)
def test_forms_of_judgements(form: str) -> None:
    ours = evaluate(as_dicts(ROWS), as_dicts(RUN), "ndcg@10 recall@1")
    found = evaluate(JUDGED[form](), [Scored(*row) for row in RUN], "ndcg@10 recall@1")
    assert found.values.tolist() == ours.values.tolist()


def test_relevant_ids_and_several_runs() -> None:
    relevant = {"q1": {"a"}, "q2": frozenset({"a", "c"})}
    graded = {"q1": {"a": 1}, "q2": {"a": 1, "c": 1}}
    runs = {"one": [Scored(*row) for row in RUN], "two": iter(RUN[::-1])}
    found = evaluate(relevant, runs, "ndcg@10")
    assert found.runs == ("one", "two")
    assert found.means.equals(evaluate(graded, {"one": as_dicts(RUN), "two": as_dicts(RUN[::-1])}).means)
    assert "one" in str(compare(relevant, {"one": RUN, "two": RUN[:3]}))
    assert evaluate(graded, [as_dicts(RUN), as_dicts(RUN[:2])]).runs == ("run 1", "run 2"), "dicts of dicts are runs"


@pytest.mark.parametrize(
    "qrels, run, said",
    [
        (
            [("q1", 0, "a", 1, "x")],
            RUN,
            r"qrels\[0\] is \('q1', 0, 'a', 1, 'x'\): give \(query, document, grade\), \(query, need,",
        ),
        ([*ROWS, ("q3", "a")], RUN, r"qrels\[4\] is \('q3', 'a'\): give \(query, document, grade\)"),
        ([{"a": 1, "b": 2}], RUN, "qrels has no column for query and document, only 'a', 'b'"),
        (ROWS, iter([]), "run is empty: a generator can be read only once"),
        ({"q1": [0.5]}, RUN, r"qrels\['q1'\] is \[0.5\], which looks like results: give ids, or \{document: grade\}"),
    ],
)
def test_what_is_refused(qrels: Any, run: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        evaluate(qrels, run)
