"""The nDCG of RAG, MLOps and recommender tools: 2,018 results of the tools themselves, and ours beside each.

A result is `exact` if it is the same double, and asked of tools whose arithmetic is followed to the last bit; `within`
if it is as close as is promised for the others; `refused` if neither side gives a number. What differs has a reason;
lists that hold a document twice, and negative grades, are refused here and counted by themselves.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from match import LAST_BITS

from conftest import ROOT
from ndcg_nb import ndcg
from ndcg_nb.dialects import ALIASES, AMBIGUOUS, DIALECTS, FAMILIES, NOTES, dialect, named

GOLDEN = json.loads((ROOT / "tests/golden/dialects_2026.json").read_text("utf-8"))
KINDS = ["exact", "within", "refused", "reason", "twice", "negative"]
LAST = 3.4e-16  # the last bits of a number up to 1, where a tool adds up in another order
SINGLE = 1.4e-7  # of a number up to 1 in 32 bits


def as_it_is(r: Mapping[str, Any]) -> dict[str, Any]:
    return {"rel": r["rel"], "pool": r["pool"] or r["rel"], "scores": r.get("scores")}


def with_missed(r: Mapping[str, Any]) -> dict[str, Any]:
    "As the reranking evaluator of sentence-transformers has it: what was missed stands below the list"
    found = any(r["rel"])
    return {"rel": r["rel"] + [1] * (len(r["pool"]) - sum(r["rel"])) if found else [0, 0]}


class Same(NamedTuple):
    "How the number of a tool is had from a dialect"

    like: str
    bound: float = 0  # How far off it may be; 0: the same bits
    but: Mapping[str, Any] = MappingProxyType({})
    given: Callable[[Mapping[str, Any]], dict[str, Any]] = as_it_is
    turned: bool = False  # Whether it gives 1 minus nDCG
    stops: bool = False  # Whether it stops where nothing was retrieved


TOOLS = {
    "llama-index": Same("llama-index", stops=True),
    "haystack": Same("haystack"),
    "mlflow": Same("mlflow"),
    "sentence-transformers": Same("sentence-transformers"),
    "azure": Same("azure"),
    "quepid ndcg": Same("quepid"),
    "quepid ndcg_cut": Same("quepid-cut"),
    "opensearch-srw": Same("opensearch-workbench"),
    "lenskit": Same("lenskit", 1.2e-16),
    "rectools": Same("rectools", 1.2e-16),
    # The others, by another name of a dialect, or by a dialect that has none for them
    "autorag": Same("autorag", but={"arithmetic": "divide"}),
    "elliot": Same("quepid-cut", LAST),
    "elliot rendle2020": Same("elliot-rendle", LAST),
    "evidently": Same("sklearn", LAST),
    "implicit": Same("implicit", LAST),
    "keras-rs": Same("keras-rs", SINGLE),
    "lenskit gain": Same("lenskit-gain", LAST),
    "lenskit offset=1": Same("recsys-binary", LAST),
    "phoenix": Same("phoenix", LAST),
    "polars_ds": Same("polars_ds", LAST),
    "pytorch-ignite": Same("ignite", SINGLE),
    "pyvespa": Same("trec_eval-10"),
    "pyvespa binary": Same("recsys-binary"),
    "recpack": Same("recpack", LAST),
    "rectools achievable": Same("recsys-binary", LAST),
    "replay-rec": Same("replay"),
    "sentence-transformers rerank base": Same("sklearn", given=with_missed),
    "sentence-transformers rerank found": Same("sklearn"),
    "torch_geometric": Same("pyg", SINGLE),
    "torch_geometric weighted": Same("trec_eval-10", SINGLE),
    "torchrec": Same("sklearn", SINGLE, turned=True),
    "trectools": Same("trectools", LAST),
    "trulens": Same("trulens"),
    "trulens 2.13.1": Same("trulens"),
    "trulens 2.15.0": Same("trulens"),
    "vectordbbench": Same("rectools", 1.2e-16),  # its list is the truth, and says which of it was returned
    "vectordbbench fts": Same("trec_eval-10"),
}

REASONS = {  # why a result is not met, and how to tell
    "up to 2.13.0 it hands scikit-learn sorted grades as truth: no dialect": lambda r: r["tool"] == "trulens 2.13.0",
    "1 where nothing was retrieved and nothing is golden; here 0": lambda r: r["tool"] == "mlflow" and not r["pool"],
    "nothing to find: nan, None or an error there; here 0": lambda r: not any(r["pool"] or r["rel"]),
    "nothing retrieved: nan there, 0 here": lambda r: r["tool"] == "trectools" and not r["rel"],
    "ties share a cut rank, or its table ends: no dialect": lambda r: r["tool"] == "evidently" and "ties" in r["note"],
    "takes fractions of grades, or cuts them off, or counts those below 1 as 0": lambda r: "fractional" in r["note"],
}

MATCH = {  # exact, within, refused, reason, twice, negative
    "autorag": [45, 0, 0, 0, 8, 0],
    "azure": [44, 0, 1, 3, 6, 1],
    "elliot": [0, 43, 0, 5, 6, 1],
    "elliot rendle2020": [0, 43, 0, 3, 7, 0],
    "evidently": [0, 37, 0, 11, 0, 0],
    "haystack": [47, 0, 0, 0, 7, 1],
    "implicit": [0, 41, 0, 3, 9, 0],
    "keras-rs": [0, 40, 0, 0, 0, 1],
    "lenskit": [0, 44, 0, 3, 6, 0],
    "lenskit gain": [0, 46, 0, 4, 4, 1],
    "lenskit offset=1": [0, 45, 0, 3, 5, 0],
    "llama-index": [43, 0, 4, 0, 6, 0],
    "mlflow": [45, 0, 0, 1, 7, 0],
    "opensearch-srw": [48, 0, 0, 0, 6, 1],
    "phoenix": [0, 84, 0, 0, 0, 1],
    "polars_ds": [0, 52, 0, 0, 0, 1],
    "pytorch-ignite": [0, 50, 0, 2, 0, 1],
    "pyvespa": [47, 0, 0, 1, 6, 1],
    "pyvespa binary": [47, 0, 0, 0, 6, 0],
    "quepid ndcg": [46, 0, 0, 0, 8, 1],
    "quepid ndcg_cut": [48, 0, 0, 0, 6, 1],
    "recpack": [0, 44, 0, 3, 0, 0],
    "rectools": [0, 43, 3, 0, 7, 0],
    "rectools achievable": [0, 44, 0, 3, 6, 0],
    "replay-rec": [47, 0, 0, 0, 6, 0],
    "sentence-transformers": [45, 0, 3, 0, 5, 0],
    "sentence-transformers rerank base": [43, 0, 0, 0, 0, 0],
    "sentence-transformers rerank found": [43, 0, 0, 0, 0, 0],
    "torch_geometric": [0, 46, 0, 0, 7, 0],
    "torch_geometric weighted": [0, 47, 0, 1, 6, 1],
    "torchrec": [0, 40, 0, 0, 0, 1],
    "trectools": [0, 44, 0, 2, 8, 1],
    "trulens": [41, 0, 0, 5, 8, 1],
    "trulens 2.13.0": [0, 0, 0, 48, 6, 1],
    "trulens 2.13.1": [41, 0, 0, 4, 9, 1],
    "trulens 2.15.0": [42, 0, 0, 5, 7, 1],
    "vectordbbench": [0, 42, 0, 0, 8, 0],
    "vectordbbench fts": [48, 0, 0, 1, 5, 1],
}


class Outcome(NamedTuple):
    tool: str
    kind: str
    reason: str = ""
    off: float = 0.0


def ours(same: Same, r: Mapping[str, Any]) -> float | str:
    "Our value, or why there is none"
    if same.stops and not r["rel"]:
        assert named(same.like).missing == "error"
        return "stops where nothing was retrieved"
    try:
        value = ndcg(k=r["k"], **same.given(r), like=same.like, **same.but)
    except ValueError as error:
        return str(error)
    return 1 - value if same.turned else value


def outcome(r: Mapping[str, Any]) -> Outcome:
    "What becomes of one result"
    tool = r["tool"]
    if any(len({*r.get(key, [])}) < len(r.get(key, [])) for key in ("retrieved", "golden")):
        return Outcome(tool, "twice")
    if min([*r["rel"], *r["pool"], 0]) < 0:
        return Outcome(tool, "negative")
    mine: Any = ours(TOOLS[tool], r) if tool in TOOLS else "no dialect"
    if r["value"] is None and isinstance(mine, str) and tool in TOOLS:
        return Outcome(tool, "refused")
    if r["value"] is not None and not isinstance(mine, str):
        off, bound = abs(mine - r["value"]), TOOLS[tool].bound
        if off <= bound + LAST_BITS * math.ulp(r["value"]):
            return Outcome(tool, "within" if bound else "exact", off=off)
    return Outcome(tool, "reason", next((why for why, fits in REASONS.items() if fits(r)), ""))


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [outcome(r) for r in GOLDEN]


def test_every_result_of_the_tools(outcomes: list[Outcome], capsys: pytest.CaptureFixture) -> None:
    found: dict[str, Counter] = {}
    for o in outcomes:
        found.setdefault(o.tool, Counter())[o.kind] += 1
    table = {tool: [count[kind] for kind in KINDS] for tool, count in found.items()}
    doubles = [o.off for o in outcomes if o.kind in ("exact", "within") and TOOLS[o.tool].bound < SINGLE]
    told = ", ".join(f"{kind} {sum(o.kind == kind for o in outcomes):,}" for kind in KINDS)
    with capsys.disabled():
        print(f"\n{len(outcomes):,} results of {len(table)} tools: {told}", end="; ")
        print(f"{doubles.count(0):,} of {len(doubles):,} doubles to the bit, the farthest {max(doubles):.1e} off")
    assert sum(map(sum, table.values())) == 2018 and table == MATCH


def test_whatever_is_not_met_has_a_reason(outcomes: list[Outcome]) -> None:
    assert [o for o in outcomes if o.kind == "reason" and not o.reason] == []
    assert {o.reason for o in outcomes if o.reason} == {*REASONS}, "a reason that is not needed"
