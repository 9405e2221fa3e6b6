"""The nDCG of RAG, MLOps and recommender tools: results of the tools themselves, and ours beside each.

A result is `equal` if it is as close as we promise, and `refused` if neither side gives a number. What differs has a
reason; lists that hold a document twice, and negative grades, are refused here and counted by themselves.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pandas as pd
import pytest
from conftest import ROOT
from shared.tables import rows_of
from shared.tolerances import near

from ndcg_nb import bounds, dcg, disagree, evaluate, idcg, list_dialects, ndcg
from ndcg_nb.dialects import ALIASES, AMBIGUOUS, DIALECTS, FAMILIES, NOTES, get_dialect, mean_ndcg

GOLDEN = json.loads((ROOT / "tests/golden/dialects_2026.json").read_text("utf-8"))
KINDS = ["equal", "refused", "reason", "twice", "negative"]


def as_it_is(r: Mapping[str, Any]) -> dict[str, Any]:
    return {"rel": r["rel"], "pool": r["pool"] or r["rel"], "scores": r.get("scores")}


def with_missed(r: Mapping[str, Any]) -> dict[str, Any]:
    "As the reranking evaluator of sentence-transformers has it: what was missed stands below the list"
    found = any(r["rel"])
    return {"rel": r["rel"] + [1] * (len(r["pool"]) - sum(r["rel"])) if found else [0, 0]}


class Same(NamedTuple):
    "How the number of a tool is had from a dialect"

    like: str
    given: Callable[[Mapping[str, Any]], dict[str, Any]] = as_it_is
    turned: bool = False  # Whether it gives 1 minus nDCG
    stops: bool = False  # Whether it stops where nothing was retrieved
    bits: int = 64  # In which it computes


def read_same(like: str, words: str) -> Same:
    "The dialect of a tool, and the words about it in the table"
    given = with_missed if "missed" in words else as_it_is
    bits = 32 if "32 bits" in words else 64
    return Same(like, given, "turned" in words, "stops" in words, bits)


TABLE = rows_of("""
llama-index            | llama-index          | stops
haystack               | haystack             |
mlflow                 | mlflow               |
sentence-transformers  | sentence-transformers |
azure                  | azure                |
quepid ndcg            | quepid               |
quepid ndcg_cut        | quepid-cut           |
opensearch-srw         | opensearch-workbench |
lenskit                | lenskit              |
rectools               | rectools             |
autorag                | autorag              |
elliot                 | quepid-cut           |
elliot rendle2020      | elliot-rendle        |
evidently              | sklearn              |
implicit               | implicit             |
keras-rs               | keras-rs             | 32 bits
lenskit gain           | lenskit-gain         |
lenskit offset=1       | recsys-binary        |
phoenix                | phoenix              |
polars_ds              | polars_ds            |
pytorch-ignite         | ignite               | 32 bits
pyvespa                | trec_eval-10         |
pyvespa binary         | recsys-binary        |
recpack                | recpack              |
rectools achievable    | recsys-binary        |
replay-rec             | replay               |
sentence-transformers rerank base  | sklearn  | missed
sentence-transformers rerank found | sklearn  |
torch_geometric        | pyg                  | 32 bits
torch_geometric weighted | trec_eval-10       | 32 bits
torchrec               | sklearn              | turned, 32 bits
trectools              | trectools            |
trulens                | trulens              |
trulens 2.13.1         | trulens              |
trulens 2.15.0         | trulens              |
vectordbbench          | rectools             |
vectordbbench fts      | trec_eval-10         |
""")
# From autorag on, tools have another name of a dialect, or a dialect that has none for them. The list of vectordbbench
# is the truth, and says which of it was returned.
TOOLS = {tool: read_same(like, words) for tool, like, words in TABLE}

# Why a result is not met: the tool, what is empty there, a word of its note (blank: any), and the reason
REASONS = rows_of("""
trulens 2.13.0 |      |            | up to 2.13.0 it hands scikit-learn sorted grades as truth: no dialect
mlflow         | pool |            | 1 where nothing was retrieved and nothing is golden; here 0
               | all  |            | nothing to find: nan, None or an error there; here 0
trectools      | rel  |            | nothing retrieved: nan there, 0 here
evidently      |      | ties       | gives tied results their mean rank, or fails for k beyond the longest list
               |      | fractional | takes fractions of grades, or cuts them off, or counts those below 1 as 0
""")


def reason(r: Mapping[str, Any]) -> str:
    "Why a result is not met: the first reason that fits"
    found = {"": False, "pool": bool(r["pool"]), "rel": bool(r["rel"]), "all": any(r["pool"] or r["rel"])}
    for tool, empty, word, why in REASONS:
        if tool in ("", r["tool"]) and not found[empty] and word in r["note"]:
            return why
    return ""


class Outcome(NamedTuple):
    tool: str
    kind: str
    reason: str = ""


def ours(same: Same, r: Mapping[str, Any]) -> float | str:
    "Our value, or why there is none"
    if same.stops and not r["rel"]:
        assert get_dialect(same.like).missing == "error"
        return "stops where nothing was retrieved"
    try:
        value = ndcg(k=r["k"], **same.given(r), like=same.like)
    except ValueError as error:
        return str(error)
    return value


def outcome(r: Mapping[str, Any]) -> Outcome:
    "What becomes of one result"
    tool = r["tool"]
    for key in ("retrieved", "golden"):
        documents = r.get(key, [])
        if len({*documents}) < len(documents):
            return Outcome(tool, "twice")
    if min([*r["rel"], *r["pool"], 0]) < 0:
        return Outcome(tool, "negative")
    mine: Any = ours(TOOLS[tool], r) if tool in TOOLS else "no dialect"
    if r["value"] is None and isinstance(mine, str) and tool in TOOLS:
        return Outcome(tool, "refused")
    if r["value"] is not None and not isinstance(mine, str):
        theirs = 1 - r["value"] if TOOLS[tool].turned else r["value"]
        if mine == near(theirs, TOOLS[tool].bits):
            return Outcome(tool, "equal")
    return Outcome(tool, "reason", reason(r))


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [outcome(r) for r in GOLDEN]


def test_every_result_of_the_tools(outcomes: list[Outcome]) -> None:
    found: dict[str, Counter] = {}
    for o in outcomes:
        found.setdefault(o.tool, Counter())[o.kind] += 1
    table = {tool: [count[kind] for kind in KINDS] for tool, count in found.items()}
    columns = zip(*table.values(), strict=True)
    totals = dict(zip(KINDS, map(sum, columns), strict=True))
    assert totals.pop("equal") >= 1685, table
    assert totals == {"refused": 11, "reason": 111, "twice": 191, "negative": 20}, table


def test_whatever_is_not_met_has_a_reason(outcomes: list[Outcome]) -> None:
    assert [o for o in outcomes if o.kind == "reason" and not o.reason] == []
    assert {o.reason for o in outcomes if o.reason} == {why for *_, why in REASONS}, "a reason that is not needed"


# A document returned twice: what the tools do, said in lists of grades

Place = tuple[str, float]  # A document and its grade


def every_copy(places: list[Place]) -> list[float]:
    return [grade for _, grade in places]


def first_copy(places: list[Place]) -> list[float]:
    "Later copies gain nothing, and take up a rank"
    seen = [document for document, _ in places]
    return [grade if document not in seen[:i] else 0 for i, (document, grade) in enumerate(places)]


def last_copy(places: list[Place]) -> list[float]:
    "Earlier copies vanish, and ranks close up"
    seen = [document for document, _ in places]
    return [grade for i, (document, grade) in enumerate(places) if document not in seen[i + 1 :]]


TWICE = {  # what is done with copies in the list; and whether they are in the ideal, too
    "llama-index": (every_copy, False),
    "haystack": (first_copy, False),
    "mlflow": (every_copy, True),
    "sentence-transformers": (every_copy, False),
    "azure": (last_copy, False),
    "quepid ndcg": (every_copy, False),
    "quepid ndcg_cut": (every_copy, False),
    "opensearch-srw": (every_copy, False),
    "lenskit": (every_copy, False),
    "rectools": (every_copy, False),
}


@pytest.mark.parametrize("tool", TWICE)
def test_a_document_returned_twice(tool: str) -> None:
    whole = get_dialect(TOOLS[tool].like)
    shown, in_ideal = TWICE[tool]
    settings = {"gain": whole.gain, "discount": whole.discount}
    met = 0
    for r in GOLDEN:
        if r["tool"] != tool or outcome(r).kind != "twice" or r["value"] is None:
            continue
        k = r["k"]
        places = list(zip(r["retrieved"], r["rel"], strict=True))
        rel = shown(places if whole.ideal != "uncut" else places[:k])
        pool = list(r["pool"])
        if in_ideal:
            both = zip(every_copy(places), first_copy(places), strict=True)
            pool += [every - first for every, first in both if every > first]
        cut = k
        if whole.ideal == "uncut":
            cut = None
        if whole.ideal == "hits":
            cut = min(k or 99, len(rel))
        grades = [1] * k if whole.ideal == "full" else pool
        best = idcg(grades, cut, **settings)
        value = dcg(rel, k, **settings) / best if best else 0
        close = 0.005 if whole.decimals else 1e-12
        assert value == pytest.approx(r["value"], abs=close), r
        met += 1
    assert met >= 5


def test_we_refuse_a_document_returned_twice() -> None:
    qrels = {"q": {"A": 1, "B": 1}}
    run = pd.DataFrame({"query": ["q"] * 3, "document": ["A", "A", "B"], "score": [3.0, 2.0, 1.0]})
    with pytest.raises(ValueError, match="document 'A' appears twice"):
        evaluate(qrels, run, "ndcg", like="mlflow")
    assert float(evaluate(qrels, run, "ndcg", like="mlflow", duplicates="first")) == 1
    with pytest.raises(ValueError, match="no document may be returned twice"):
        ndcg([1, 1, 1], pool=[1, 1], like="llama-index")


# Names


def test_families() -> None:
    assert [*dict.fromkeys(whole.family for whole in DIALECTS.values())] == [*FAMILIES]
    assert list_dialects()["family"].value_counts().to_dict() == Counter(x.family for x in DIALECTS.values())


def test_other_names() -> None:
    assert {*ALIASES.values()} <= {*DIALECTS}
    assert {*NOTES} <= {*ALIASES}
    assert ALIASES.keys().isdisjoint(DIALECTS)
    for name, candidates in AMBIGUOUS.items():
        assert {*candidates} <= {*DIALECTS}
        assert name not in {*DIALECTS, *ALIASES}
        with pytest.raises(ValueError, match=f"'{name}' could be several dialects: give '.* or '"):
            ndcg([1, 0], like=name)
    with pytest.raises(ValueError, match=r"'elasticsearch' \(rank_eval\) or 'opensearch-workbench' \(the Search"):
        get_dialect("opensearch")
    with pytest.raises(ValueError, match="did you mean 'opensearch'"):
        get_dialect("open-search")
    with pytest.raises(ValueError, match="did you mean 'haystack'"):
        get_dialect("haystak")


# The rules that were added, against their formulas


def test_an_ideal_that_is_never_cut() -> None:
    rel = [3, 2, 3, 0, 1, 2]
    pool = [3, 2, 3, 0, 1, 2, 3, 2]
    best = idcg(pool)
    cut = ndcg(rel, [2, 6], pool=pool, ideal="uncut")
    assert cut.tolist() == (dcg(rel, [2, 6]) / best).tolist()
    assert ndcg(rel, pool=pool, ideal="uncut") == ndcg(rel, pool=pool)
    many = ndcg([rel, [1]], 1, pool=[pool, [1, 1]], ideal="uncut")
    assert many.tolist() == [3 / best, 1 / idcg([1, 1])]


def test_an_ideal_that_fills_every_rank() -> None:
    rel = [3, 0, 1]
    pool = [3, 0, 1, 2]
    for k in (1, 3, 10):
        best = 3 * idcg([1] * k)
        assert ndcg(rel, k, pool=pool, ideal="full") == pytest.approx(dcg(rel, k) / best, rel=1e-15)
    _, of_nothing = ndcg([rel, [0]], [1, 10], pool=[pool, [0]], ideal="full", empty=0)
    assert of_nothing.tolist() == [0, 0]
    assert ndcg([], 3, pool=[2], ideal="full") == 0
    assert ndcg([], 3, pool=[], ideal="full", empty=1) == 1
    for k in (None, 10**6 + 1, [3, 10**12]):
        with pytest.raises(ValueError, match="fills every rank down to the cutoff: give k, at most 1,000,000"):
            ndcg(rel, k, pool=pool, ideal="full")


def test_ties_by_the_lowest_id() -> None:
    tied = {"scores": [1, 1, 1], "ids": ["d10", "d9", "a"]}
    for rel, low, high in (([1, 0, 0], 2, 2), ([0, 1, 0], 3, 1), ([0, 0, 1], 1, 3)):
        places = [ndcg(rel, **tied, ties=ties) for ties in ("lowest-id", "id")]
        assert places == [1 / math.log2(low + 1), 1 / math.log2(high + 1)]
    with pytest.raises(ValueError, match="ties='lowest-id' needs ids="):
        ndcg([1, 0], scores=[1, 1], ties="lowest-id")
    qrels = {"q": {"d9": 1}}
    run = {"q": {"d10": 1.0, "d9": 1.0, "a": 1.0}}
    assert float(evaluate(qrels, run, "ndcg", like="sentence-transformers")) == 0.5
    assert float(evaluate(qrels, run, "ndcg(ties=id)")) == 1


def test_values_are_rounded_before_the_mean() -> None:
    lists = [[1, 0, 1], [0, 1]]
    assert ndcg(lists, decimals=2).tolist() == [0.92, 0.63]
    assert ndcg([1, 0, 1], decimals=0) == 1
    assert mean_ndcg(lists, like="opensearch-workbench").value == (0.92 + 0.63) / 2 == 0.775
    qrels = {"q0": {"a": 1, "b": 0, "c": 1}, "q1": {"a": 0, "b": 1}}
    run = {q: [*grades] for q, grades in qrels.items()}
    assert float(evaluate(qrels, run, "ndcg", like="opensearch-workbench")) == 0.775
    assert disagree(lists).loc["opensearch-workbench", "because"] == "decimals 2"
    assert math.isnan(ndcg([0, 0], empty=math.nan, decimals=2))
    for bad in (-1, 16, 1.5, True, "2"):
        with pytest.raises(ValueError, match=r"decimals is .*: give a whole number from 0 to 15"):
            ndcg([1, 0], decimals=bad)
    with pytest.raises(ValueError, match="decimals is 2, and bounds are not rounded"):
        bounds([1, None], grades=[0, 1], decimals=2)
