"""What our dialects give for the results that the tools themselves gave, a golden file of which is kept beside this.

Each result of a tool is compared with ours, query by query: `exact` is the same double; `within` is within what the
tool's own arithmetic allows; `differs` is neither; `refused` is an error on both sides; and what cannot be compared is
`n/a`. Whatever is not exact or within has a reason, and a reason that is not needed is an error as well.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ndcg_nb import dcg, ndcg
from ndcg_nb.dialects import dialect, named

GOLDEN = Path(__file__).parent / "golden" / "dialects.json"
ULP = 2.0**-52


class Same(NamedTuple):
    "How a variant of a tool is had from a dialect"

    name: str  # The dialect
    bound: float = 0.0  # How far off it may be, relative; 0 for bit for bit
    but: dict[str, Any] = {}  # Keywords that differ from the dialect's
    cut: Any = "k"  # "k" as in the case, None for no cut, a number, or "mean" over all ranks
    measure: str = "ndcg"
    truth: str = ""  # How the pool is handed over: "sorted", "relevant", or as "every" judged document alike
    note: str = ""  # Why it cannot be exact, or is not expected to be


LINEAR = {"gain": "linear"}
F32, DOUBLE = 1e-6, 4 * ULP
OTHER = "another measure than nDCG at a cutoff"

TREC = {"ndcg_cut.K": "k", "ndcg": None, "ndcg_cut.K -c": "k", "ndcg -c": None}
VARIANTS: dict[tuple[str, str], Same] = {
    **{("trec_eval 9.0.8", v): Same("trec_eval", cut=cut) for v, cut in TREC.items()},
    **{("trec_eval 10.0", v): Same("trec_eval-10", cut=cut) for v, cut in TREC.items()},
    ("pytrec_eval", "ndcg_cut_K"): Same("pytrec_eval"),
    ("pytrec_eval", "ndcg"): Same("pytrec_eval", cut=None),
    ("ir_measures", "pytrec_eval provider"): Same("ir_measures"),
    ("ir_measures", "default provider"): Same("ir_measures"),
    ("ir_measures", "default provider dcg=exp-log2"): Same("gdeval", 5e-6, {"empty": 0}),
    ("ir_measures", "gdeval provider dcg=exp-log2"): Same("gdeval", 5e-6, {"empty": 0}),
    ("gdeval.pl", "ndcg@K"): Same("gdeval"),
    ("gdeval.pl", "ndcg@K -c"): Same("gdeval"),
    ("eval-score-mslr.pl", "NDCG@K"): Same("mslr"),
    ("eval-score-mslr.pl", "MeanNDCG"): Same("mslr", cut="mean"),
    ("scikit-learn", "ndcg_score k=K"): Same("sklearn"),
    ("scikit-learn", "ndcg_score k=K ignore_ties=True"): Same("sklearn", but={"ties": "last"}),
    ("scikit-learn", "dcg_score k=K"): Same("sklearn", DOUBLE, measure="dcg"),
    ("RankLib", "NDCG@K"): Same("ranklib", DOUBLE),
    ("LightGBM", "ndcg@K"): Same("lightgbm", DOUBLE),
    ("LightGBM", "ndcg@K label_gain=[0,1,...,31]"): Same("lightgbm", DOUBLE, {"gain": ("linear", range(32))}),
    ("XGBoost", "ndcg@K ndcg_exp_gain=True"): Same("xgboost", DOUBLE),
    ("XGBoost", "ndcg@K ndcg_exp_gain=False"): Same("xgboost", DOUBLE, LINEAR),
    ("XGBoost", "ndcg@K- ndcg_exp_gain=True"): Same("xgboost-minus", DOUBLE),
    ("XGBoost", "ndcg@K- ndcg_exp_gain=False"): Same("xgboost-minus", DOUBLE, LINEAR),
    ("XGBoost", "ndcg ndcg_exp_gain=True"): Same("xgboost", DOUBLE, cut="default"),
    ("XGBoost", "ndcg ndcg_exp_gain=False"): Same("xgboost", DOUBLE, LINEAR, cut="default"),
    ("CatBoost", "NDCG:top=K;type=Base;denominator=LogPosition"): Same("catboost", DOUBLE),
    ("CatBoost", "NDCG:top=K;type=Exp;denominator=LogPosition"): Same("catboost-exp", DOUBLE),
    ("CatBoost", "NDCG:top=K;type=Base;denominator=Position"): Same("catboost-position", DOUBLE),
    ("CatBoost", "DCG:top=K;type=Base"): Same("catboost", DOUBLE, measure="dcg"),
    ("torchmetrics", "functional top_k=K"): Same("torchmetrics", F32),
    ("torchmetrics", "RetrievalNormalizedDCG(top_k=K)"): Same("torchmetrics", F32),
    ("rax", "ndcg_metric topn=K"): Same("rax", F32),
    ("rax", "ndcg_metric topn=K gain_fn=identity"): Same("rax", F32, LINEAR),
    ("TF-Ranking", "NDCGMetric(topn=K)"): Same("tfr", F32),
    ("TF-Ranking", "NDCGMetric(topn=K, gain_fn=identity)"): Same("tfr", F32, LINEAR),
    ("ranx", "ndcg@K objects"): Same("ranx", DOUBLE),
    ("ranx", "ndcg@K objects make_comparable"): Same("ranx", DOUBLE),
    ("ranx", "ndcg@K dicts"): Same("ranx", DOUBLE, {"ties": "last"}),
    ("ranx", "ndcg objects"): Same("ranx", DOUBLE, cut=None),
    ("ranx", "ndcg objects make_comparable"): Same("ranx", DOUBLE, cut=None),
    ("ranx", "ndcg dicts"): Same("ranx", DOUBLE, {"ties": "last"}, cut=None),
    ("ranx", "ndcg_burges@K objects"): Same("ranx-burges", DOUBLE),
    ("ranx", "ndcg_burges@K objects make_comparable"): Same("ranx-burges", DOUBLE),
    ("ranx", "ndcg_burges@K dicts"): Same("ranx-burges", DOUBLE, {"ties": "last"}),
    ("Spark MLlib", "ndcgAt(K) binary"): Same("spark", DOUBLE),
    ("Spark MLlib", "ndcgAt(K) graded sorted"): Same("spark", DOUBLE, truth="every"),
    ("Spark MLlib", "ndcgAt(K) graded unsorted"): Same("spark", DOUBLE, truth="every"),
    ("Spark MLlib (JVM API)", "JVM ndcgAt(K) graded truth sorted by grade desc"): Same("spark-graded", DOUBLE, truth="sorted"),
    ("Spark MLlib (JVM API)", "JVM ndcgAt(K) graded truth in file order"): Same("spark-graded", DOUBLE),
    ("cornac", "NDCG(k=K)"): Same("recsys-binary", DOUBLE, {"ideal": "list"}),
    ("recommenders", "ndcg_at_k k=K score_type=binary discfun_type=loge"): Same("recsys-binary", DOUBLE, {"ideal": "list"}),
    ("recommenders", "ndcg_at_k k=K score_type=raw discfun_type=log2"): Same("burges", DOUBLE, LINEAR),
    ("recommenders", "ndcg_at_k k=K score_type=exp discfun_type=log2"): Same("burges", DOUBLE),
    ("allRank", "ndcg ats=[K]"): Same("burges", F32, {"empty": 1, "precision": "float32"}),
    ("pytorchltr", "ndcg k=K exp=True"): Same("tfr", F32),
    ("pytorchltr", "ndcg k=K exp=False"): Same("tfr", F32, LINEAR),
    ("Evidently", "NDCGKMetric(k=K, no_feedback_users=False)"): Same("burges", DOUBLE, LINEAR),
    ("Evidently", "NDCGKMetric(k=K, no_feedback_users=True)"): Same("burges", DOUBLE, LINEAR),
}
OTHER_MEASURES = {"ndcg_rel": "nDCG averaged over the ranks of relevant documents", "Rndcg": "nDCG averaged over cutoffs"}


def number(x: Any) -> float:
    return float(x)  # the golden file spells nan and inf


def inputs(query: dict[str, Any], view: str) -> dict[str, Any]:
    "One query as a tool of that view is given it"
    judged, run = query["judged"] or {}, query["run"] or []
    ids, scores = [d for d, _ in run], [number(s) for _, s in run]
    if view == "pooled":
        unseen = sorted(set(judged) - set(ids))
        ids, scores = ids + unseen, scores + [min(s for s in scores if math.isfinite(s)) - 1] * len(unseen)
    rel = [judged.get(d, 0) for d in ids]
    return {"rel": rel, "scores": scores, "ids": ids, "pool": list(judged.values())}


def ours(same: Same, query: dict[str, Any], view: str, k: int) -> float | str | None:
    "Our value; why there is none; or `None` where the query is left out"
    given, keywords = inputs(query, view), dialect(same.name) | same.but
    if query["run"] is None:
        return {"skip": None, "none": None, "zero": 0.0}.get(named(same.name).missing, "a judged query is missing")
    if same.truth == "every":  # the ids without their grades: every judged document counts alike
        judged = query["judged"] or {}
        given |= {"rel": [float(d in judged) for d in given["ids"]], "pool": [1.0] * len(judged)}
    if same.truth == "sorted":
        given["pool"] = sorted(given["pool"], reverse=True)
    cut = {"k": k, "default": named(same.name).cutoff, "mean": range(1, len(given["rel"]) + 1)}.get(same.cut, same.cut)
    try:
        if same.measure == "dcg":
            keep = ("gain", "discount", "ties", "precision")
            return dcg(given["rel"], cut, scores=given["scores"], **{key: keywords[key] for key in keep})
        if keywords["ties"] != "id":
            given.pop("ids")
        value = ndcg(given.pop("rel"), cut, **given, **keywords)
        if same.cut == "mean":
            total = 0.0
            for v in value:
                total += v
            return total / len(value)
        return float(value)
    except (ValueError, TypeError) as error:
        return None if "empty='skip'" in str(error) else str(error)


class Outcome(NamedTuple):
    tool: str
    variant: str
    view: str
    case: str
    query: str
    dialect: str
    kind: str  # exact, within, differs, refused, n/a
    theirs: Any
    ours: Any


def compared(theirs: Any, mine: Any, bound: float) -> str:
    if isinstance(theirs, str) and theirs not in ("nan", "inf", "-inf"):
        return "refused" if isinstance(mine, str) else "n/a"
    if theirs is None or mine is None:
        return "exact" if theirs is mine else "differs"
    if isinstance(mine, str):
        return "n/a"
    value = number(theirs)
    return "exact" if value == mine else "within" if abs(value - mine) <= bound * max(abs(value), 1e-300) else "differs"


def outcomes() -> Iterator[Outcome]:
    "Every result of the golden file beside ours"
    golden = json.loads(GOLDEN.read_text("utf-8"))
    for result in golden["results"]:
        tool = f"trec_eval {result['version']}" if result["tool"] == "trec_eval" else result["tool"]
        variant, view = result["variant"], result["view"]
        same = VARIANTS.get((tool, variant))
        for entry in result["on"]:
            case = golden["cases"][entry["case"]]
            for q, query in case["queries"].items():
                errors = entry.get("errors", {})
                theirs = entry["per_query"].get(q, errors.get(q, entry.get("error")))
                row = (tool, variant, view, entry["case"], q)
                if same is None:
                    assert variant in OTHER_MEASURES, row
                    yield Outcome(*row, "", "n/a", theirs, OTHER_MEASURES[variant])
                    continue
                mine = ours(same, query, view, case["k"])
                yield Outcome(*row, same.name, compared(theirs, mine, same.bound), theirs, mine)


if __name__ == "__main__":
    import sys

    count = Counter()
    for o in outcomes():
        count[o.tool, o.kind] += 1
        if o.kind in ("differs", "n/a") and o.dialect:
            print(*o[:7], o.theirs if not isinstance(o.theirs, str) else o.theirs[:50], "|", o.ours if not isinstance(o.ours, str) else o.ours[:60], sep=" | ")
    for k, n in count.items():
        print(k, n, file=sys.stderr)
