"""What our dialects give for the results that the tools themselves gave, a golden file of which is kept beside this.

Each result of a tool is compared with ours, query by query: `equal` is within the tolerance; `left out` is a query of
which neither says anything, and `refused` an error on both sides; `differs` is none of these, and what cannot be
compared is `n/a`. These two have a reason, each of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd
from shared.tables import rows_of
from shared.tolerances import near

from ndcg_nb import dcg, ndcg
from ndcg_nb.dialects import Dialect, get_dialect, mean_by

KINDS = ["equal", "left out", "refused", "differs", "n/a"]
GOLDEN = Path(__file__).parents[1] / "golden/dialects.json"


class Same(NamedTuple):
    "How a variant of a tool is had from a dialect"

    name: str  # The dialect
    but: Mapping[str, Any] = MappingProxyType({})  # Settings that differ from the dialect's
    cut: Any = "k"  # "k" as in the case, `None` for no cut, "default" for the tool's own, "mean" over all ranks
    measure: str = "ndcg"
    truth: str = ""  # How the pool is handed over: "sorted" by grade, or "every" judged document alike
    digits: int | None = None  # Decimals the tool returns
    bits: int = 64  # In which it computes


NDCG_ONLY = ("ideal", "empty", "default_k", "decimals")


# Tool, variant, dialect, the settings that differ from its own, and whatever else `Same` says
TABLE = rows_of("""
trec_eval 9.0.8 | ndcg_cut.K                         | trec_eval     |                              |
trec_eval 9.0.8 | ndcg                               | trec_eval     |                              | {"cut": null}
trec_eval 9.0.8 | ndcg_cut.K -c                      | trec_eval     | {"missing": "zero"}          |
trec_eval 9.0.8 | ndcg -c                            | trec_eval     | {"missing": "zero"}          | {"cut": null}
trec_eval 10.0 | ndcg_cut.K                         | trec_eval-10  |                              |
trec_eval 10.0 | ndcg                               | trec_eval-10  |                              | {"cut": null}
trec_eval 10.0 | ndcg_cut.K -c                      | trec_eval-10  | {"missing": "zero"}          |
trec_eval 10.0 | ndcg -c                            | trec_eval-10  | {"missing": "zero"}          | {"cut": null}
pytrec_eval   | ndcg_cut_K                         | pytrec_eval   |                              |
pytrec_eval   | ndcg                               | pytrec_eval   |                              | {"cut": null}
ir_measures   | pytrec_eval provider               | ir_measures   |                              |
ir_measures   | default provider                   | ir_measures   |                              |
ir_measures   | default provider dcg=exp-log2      | gdeval        | {"empty": 0, "missing": "zero"} | {"digits": 5}
ir_measures   | gdeval provider dcg=exp-log2       | gdeval        | {"empty": 0, "missing": "zero"} | {"digits": 5}
gdeval.pl     | ndcg@K                             | gdeval        |                              |
gdeval.pl     | ndcg@K -c                          | gdeval        | {"missing": "zero"}          |
eval-score-mslr.pl | NDCG@K                             | mslr          |                              |
eval-score-mslr.pl | MeanNDCG | mslr |  | {"cut": "mean"}
scikit-learn  | ndcg_score k=K                     | sklearn       |                              |
scikit-learn  | ndcg_score k=K ignore_ties=True    | sklearn       | {"ties": "last"}             |
scikit-learn | dcg_score k=K | sklearn |  | {"measure": "dcg"}
RankLib       | NDCG@K                             | ranklib       |                              |
LightGBM      | ndcg@K                             | lightgbm      |                              |
LightGBM      | ndcg@K label_gain=[0,1,...,31]     | lightgbm      | {"gain": ["linear", 32]} |
XGBoost       | ndcg@K ndcg_exp_gain=True          | xgboost       |                              |
XGBoost       | ndcg@K ndcg_exp_gain=False         | xgboost       | {"gain": "linear"}           |
XGBoost       | ndcg@K- ndcg_exp_gain=True         | xgboost-minus |                              |
XGBoost       | ndcg@K- ndcg_exp_gain=False        | xgboost-minus | {"gain": "linear"}           |
XGBoost | ndcg ndcg_exp_gain=True | xgboost |  | {"cut": "default"}
XGBoost | ndcg ndcg_exp_gain=False | xgboost | {"gain": "linear"} | {"cut": "default"}
CatBoost      | NDCG:top=K;type=Base;denominator=LogPosition | catboost      |                              |
CatBoost      | NDCG:top=K;type=Exp;denominator=LogPosition | catboost-exp  |                              |
CatBoost      | NDCG:top=K;type=Base;denominator=Position | catboost-position |                              |
CatBoost | DCG:top=K;type=Base | catboost |  | {"measure": "dcg"}
torchmetrics  | functional top_k=K                 | torchmetrics  |                              | {"bits": 32}
torchmetrics  | RetrievalNormalizedDCG(top_k=K)    | torchmetrics  |                              | {"bits": 32}
rax           | ndcg_metric topn=K                 | rax           |                              | {"bits": 32}
rax           | ndcg_metric topn=K gain_fn=identity | rax           | {"gain": "linear"}           | {"bits": 32}
TF-Ranking    | NDCGMetric(topn=K)                 | tfr           |                              | {"bits": 32}
TF-Ranking    | NDCGMetric(topn=K, gain_fn=identity) | tfr           | {"gain": "linear"}           | {"bits": 32}
ranx          | ndcg@K objects                     | ranx          |                              |
ranx          | ndcg@K objects make_comparable     | ranx          | {"missing": "zero"}          |
ranx          | ndcg@K dicts                       | ranx          | {"ties": "last"}             |
ranx          | ndcg objects                       | ranx          |                              | {"cut": null}
ranx          | ndcg objects make_comparable       | ranx          | {"missing": "zero"}          | {"cut": null}
ranx          | ndcg dicts                         | ranx          | {"ties": "last"}             | {"cut": null}
ranx          | ndcg_burges@K objects              | ranx-burges   |                              |
ranx          | ndcg_burges@K objects make_comparable | ranx-burges   | {"missing": "zero"}          |
ranx          | ndcg_burges@K dicts                | ranx-burges   | {"ties": "last"}             |
Spark MLlib   | ndcgAt(K) binary                   | spark         |                              |
Spark MLlib | ndcgAt(K) graded sorted | spark |  | {"truth": "every"}
Spark MLlib | ndcgAt(K) graded unsorted | spark |  | {"truth": "every"}
Spark MLlib (JVM API) | JVM ndcgAt(K) graded truth sorted by grade desc | spark-graded |  | {"truth": "sorted"}
Spark MLlib (JVM API) | JVM ndcgAt(K) graded truth in file order | spark-graded  |                              |
cornac        | NDCG(k=K)                          | recsys-binary |                              |
recommenders  | ndcg_at_k k=K score_type=binary discfun_type=loge | recsys-binary |                              |
recommenders  | ndcg_at_k k=K score_type=raw discfun_type=log2 | burges        | {"gain": "linear"}           |
recommenders  | ndcg_at_k k=K score_type=exp discfun_type=log2 | burges        |                              |
allRank | ndcg ats=[K] | burges | {"empty": 1, "precision": "float32"} | {"bits": 32}
pytorchltr    | ndcg k=K exp=True                  | tfr           |                              | {"bits": 32}
pytorchltr    | ndcg k=K exp=False                 | tfr           | {"gain": "linear"}           | {"bits": 32}
Evidently     | NDCGKMetric(k=K, no_feedback_users=False) | burges        | {"gain": "linear"}           |
Evidently     | NDCGKMetric(k=K, no_feedback_users=True) | burges        | {"gain": "linear"}           |
""")


def read_same(name: str, but: str, more: str) -> Same:
    "A dialect and what differs from it, as the table has them"
    settings = json.loads(but or "{}")
    if isinstance(settings.get("gain"), list):
        form, grades = settings["gain"]
        settings["gain"] = (form, range(grades))
    return Same(name, settings, **json.loads(more or "{}"))


VARIANTS = {(tool, variant): read_same(*same) for tool, variant, *same in TABLE}


# Why a result is not met: which tools, on which cases, and the reason. All must be needed; see `test_dialects.py`.
REASONS: list[tuple[str, str, str]] = [
    ("*", "nan_score", "a nan score has no place in an order, and the tools disagree on one: refused here"),
    ("trec_eval", "ndcg_rel", "another measure: nDCG averaged over the ranks of the relevant documents"),
    ("trec_eval", "Rndcg", "another measure: nDCG averaged over the cutoffs of the ideal"),
    ("ranx", "KeyError", "a bug of theirs: return_mean=False fails for dicts, so there is nothing to compare"),
    ("recommenders", "ColumnTypeMismatchError", "fails on empty judgements, for lack of their types"),
    ("Spark MLlib", "CANNOT_DETERMINE_TYPE", "an empty list of truth or results, whose type Spark cannot tell"),
    ("Evidently", "cannot convert float NaN", "a bug of theirs: fails where no user has anything to find"),
    ("recommenders", "negative integer powers", "a bug of theirs: whole numbers have no negative powers in NumPy"),
    ("cornac", "nan", "0/0 is nan, and its own loop leaves the user out; here 0"),
    ("recommenders", "nan", "0/0 is nan, and the user leaves the mean in silence; here 0"),
    (
        "XGBoost CatBoost torchmetrics rax allRank pytorchltr recommenders Evidently Spark TF-Ranking",
        "neg1 neg_all",
        "negative gains have no ideal: refused here",
    ),
    ("trec_eval", "neg_all", "a bug of theirs: stops where no document of the first topic has a grade of 0 or more"),
    ("trec_eval ranx RankLib", "frac", "cuts the fraction off grades: refused here"),
    ("gdeval.pl pytrec_eval ir_measures ranx Spark", "dup", "a document returned twice: refused here"),
    ("recommenders", "dup", "a bug of theirs: a document returned twice is joined with itself, and nDCG is above 1"),
    (
        "trec_eval gdeval.pl ranx",
        "empty_run",
        "an empty file is no run to the tool; an empty list is one here, worth 0",
    ),
    ("eval-score-mslr.pl", "big31 big60", "counts grades above 4 as 0, in silence: refused here"),
    ("RankLib", "big60", "a bug of theirs: 2^60 wraps around: refused here"),
    ("scikit-learn", "one_rel", "refuses a list of one document; here it is 1"),
    ("ranx", "missing_q", "called query by query, so no query is missing"),
    ("cornac", "frac", "calls a rating relevant from 1 upwards; here from anything above 0"),
    ("TF-Ranking pytorchltr", "ties", "shuffles ties: one of many numbers, whose mean is given here"),
    ("Evidently", "ties short_k10_pool12", "a bug of theirs: tied documents share a rank, which counts twice"),
]


BUGS = ("KeyError", "cannot convert float NaN", "negative integer powers")  # errors that refuse nothing
# What our own message must say where we refuse what a tool takes.
SAYS = {
    "a nan score": ("nan",),
    "negative gains": ("0 or more",),
    "cuts the fraction off": ("whole",),
    "a document returned twice": ("again", "more often"),
    "counts grades above 4": ("up to 4",),
    "2^60 wraps": ("up to 31",),
}


def inputs(query: dict[str, Any], view: str) -> dict[str, Any]:
    "One query as a tool of that view is given it"
    judged = query["judged"] or {}
    run = query["run"] or []
    # the golden file spells nan and inf
    ids = [d for d, _ in run]
    scores = [float(s) for _, s in run]
    if view == "pooled":
        unseen = sorted(set(judged) - set(ids))
        ids = ids + unseen
        scores = scores + [min(s for s in scores if math.isfinite(s)) - 1] * len(unseen)
    rel = [judged.get(d, 0) for d in ids]
    pool = list(judged.values()) if view == "trec" else rel  # a tool that is handed labels knows no other document
    return {"rel": rel, "scores": scores, "ids": ids, "pool": pool}


def asked(same: Same, query: dict[str, Any], view: str, k: int) -> tuple[dict[str, Any], Any, Dialect]:
    "What `ndcg` is given for a query: the data, the cutoff and the dialect"
    given = inputs(query, view)
    whole = replace(get_dialect(same.name), **same.but)
    if same.truth == "every":  # the ids without their grades
        judged = query["judged"] or {}
        given |= {"rel": [float(d in judged) for d in given["ids"]], "pool": [1.0] * len(judged)}
    if same.truth == "sorted":
        given["pool"] = sorted(given["pool"], reverse=True)
    if whole.ties != "id":
        del given["ids"]  # nobody looks at them, so they may repeat
    cuts = {"k": k, "default": whole.default_k, "mean": range(1, len(given["rel"]) + 1)}
    return given, cuts.get(same.cut, same.cut), whole


def ours(same: Same, query: dict[str, Any], view: str, k: int) -> float | str | None:
    "Our value; why there is none; or `None` where the query is left out"
    given, cut, whole = asked(same, query, view, k)
    if query["run"] is None:
        return {"error": "a judged query is missing", "zero": 0.0}.get(whole.missing)
    keywords = whole.keywords()
    try:
        if same.measure == "dcg":
            del given["pool"]
            return dcg(k=cut, **given, **{key: x for key, x in keywords.items() if key not in NDCG_ONLY})
        value = ndcg(k=cut, **given, **keywords)
    except (ValueError, TypeError) as error:
        return None if "empty='skip'" in str(error) else str(error)
    if same.cut == "mean":
        value = float(value.cumsum()[-1]) / len(value)  # the built-in sum of newer Pythons rounds once
    return value if same.digits is None else round(value, same.digits)


class Outcome(NamedTuple):
    tool: str
    variant: str
    view: str
    case: str
    query: str
    dialect: str
    kind: str  # equal, left out, refused, differs or n/a
    theirs: Any
    ours: Any
    reason: str


def compared(theirs: Any, mine: Any, bits: int) -> str:
    if isinstance(theirs, str) and theirs != "nan":  # an error
        return "refused" if isinstance(mine, str) else "n/a"
    if isinstance(mine, str):
        return "n/a"
    if theirs is None or mine is None:
        return "differs" if theirs is not mine else "left out"
    return "equal" if mine == near(float(theirs), bits) else "differs"


def reason(tool: str, variant: str, case: str, tags: list[str], theirs: Any) -> str:
    for tools, where, why in REASONS:
        if tools != "*" and not any(tool.startswith(name) for name in tools.split()) and tools != tool:
            continue
        if {case, variant, *tags} & set(where.split()) or (isinstance(theirs, str) and where in theirs):
            return why
    return ""


def golden() -> dict[str, Any]:
    "What the tools gave"
    return json.loads(GOLDEN.read_text("utf-8"))


def outcomes() -> list[Outcome]:
    "Every result of the golden file beside ours"
    kept = golden()
    found = []
    for result in kept["results"]:
        tool = f"trec_eval {result['version']}" if result["tool"] == "trec_eval" else result["tool"]
        variant = result["variant"]
        view = result["view"]
        same = VARIANTS.get((tool, variant))
        for entry in result["on"]:
            case = kept["cases"][entry["case"]]
            for q, query in case["queries"].items():
                theirs = entry["per_query"].get(q, entry.get("errors", {}).get(q, entry.get("error")))
                mine = "" if same is None else ours(same, query, view, case["k"])
                stops = same and replace(get_dialect(same.name), **same.but).missing == "error" and "error" in entry
                if stops and q not in entry["per_query"] and any(x["run"] is None for x in case["queries"].values()):
                    mine = "a judged query is missing"
                kind = compared(theirs, mine, same.bits) if same else "n/a"
                if theirs is None and query["run"] is None and mine == 0:
                    kind = "left out"  # counted in the mean, but not printed
                if kind == "refused" and any(bug in theirs for bug in BUGS):
                    kind = "n/a"  # it did not mean to
                why = reason(tool, variant, entry["case"], case["tags"], theirs) if kind in ("differs", "n/a") else ""
                name = same.name if same else "–"
                found.append(Outcome(tool, variant, view, entry["case"], q, name, kind, theirs, mine, why))
    return found


def means() -> list[tuple[str, str, str, float, float]]:
    "The means over queries, where there is more than one: theirs and ours"
    kept = golden()
    found = []
    for result in kept["results"]:
        tool = f"trec_eval {result['version']}" if result["tool"] == "trec_eval" else result["tool"]
        same = VARIANTS.get((tool, result["variant"]))
        for entry in result["on"] if same and same.measure == "ndcg" and same.cut != "mean" else []:
            case = kept["cases"][entry["case"]]
            if len(case["queries"]) == 1 or "mean" not in entry or "error" in entry or "errors" in entry:
                continue
            if same.name.startswith("ranx") and entry["case"] == "missing_q" and "missing" not in same.but:
                continue  # called query by query: ranx itself stops
            parts = [asked(same, query, result["view"], case["k"]) for query in case["queries"].values()]
            given = {key: [part[0][key] for part in parts] for key in parts[0][0]}
            value = mean_by(parts[0][2], given.pop("rel"), parts[0][1], **given).value
            found.append((tool, result["variant"], entry["case"], float(entry["mean"]), value))
    return found


def table(found: list[Outcome]) -> pd.DataFrame:
    "How many results of each tool are met"
    frame = pd.DataFrame(found)
    counts = (
        frame.groupby(["tool", "kind"], sort=False).size().unstack(fill_value=0).reindex(columns=KINDS, fill_value=0)
    )
    return counts.rename_axis(None, axis=1).rename_axis(None)


def reasons(found: list[Outcome]) -> pd.DataFrame:
    "Why the rest are not met"
    frame = pd.DataFrame([o for o in found if o.reason])
    grouped = frame.groupby(["reason"], sort=False)
    return pd.DataFrame(
        {
            "results": grouped.size(),
            "tools": grouped["tool"].agg(lambda x: ", ".join(dict.fromkeys(x))),
            "cases": grouped["case"].agg(
                lambda x: ", ".join(dict.fromkeys(x)) if x.nunique() < 8 else f"{x.nunique()} cases"
            ),
        }
    )
