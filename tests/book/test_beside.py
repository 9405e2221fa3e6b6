"""Measures beside nDCG: results of the tools themselves, all orders of ties, and what is refused."""

from __future__ import annotations

import json
import math
import re
import warnings
from fractions import Fraction
from itertools import pairwise, permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

from ndcg_nb import beside, compare, evaluate
from ndcg_nb.hood.core.conventions import BESIDE
from ndcg_nb.hood.core.counting import DIVISORS, LONG, stop_in_long_tie
from ndcg_nb.hood.runs.scoring import OTHER_NAMES
from ndcg_nb.runs import MEASURES

GOLDEN = json.loads((ROOT / "tests/golden/companions.json").read_text("utf-8"))
NAMES = {"P": "p", "recall": "recall", "success": "success", "RR": "rr", "AP": "ap", "Rprec": "rprec", "RBP": "rbp"}
NAMES |= {"ERR": "err"}
TOOLS = {"trec_eval -c": "trec_eval", "ranx make_comparable": "ranx"}
# What a tool computes if it is asked to: the settings that say so
VARIANTS = {
    "map (plain dicts)": "ties=last",
    "mrr (plain dicts)": "ties=last",
    "DocumentRecallEvaluator(multi_hit)": "per=relevant",
    "recall_cap R_cap": "per=reachable,ties=first",
    "MAP(divide_by_k)": "per=k",
}
# What no setting expresses: granular means, thresholds on scores, other gains
OTHERS = (
    r"granular|retrieval_(precision|recall|reciprocal|average)|rbp|resid|score|ERR.*labels|Judged|[Hh]ole|\(r_precision"
)


def asked(case: dict[str, Any]) -> tuple[str, str]:
    "The measure as we write it, and the dialect"
    tool = TOOLS.get(case["tool"], case["tool"].lower())
    if tool == "trec_eval" and "10.0" in case["version"]:
        tool = "trec_eval-10"
    tool += "-minus" if case["native"].endswith("-") else ""
    variant = VARIANTS.get(re.sub(r"@\d+$", "", case["native"]))
    settings = [f"{ours}={case[theirs]}" for theirs, ours in (("rel", "level"), ("p", "p")) if theirs in case]
    inside = ",".join([*settings, *[variant] * bool(variant)])
    cut = "" if case["k"] is None else f"@{case['k']}"
    return NAMES[case["measure"]] + (f"({inside})" if inside else "") + cut, tool


@pytest.mark.parametrize("tool", sorted({case["tool"] for case in GOLDEN}))
def test_results_of_tools(tool: str) -> None:
    cases = [x for x in GOLDEN if x["tool"] == tool and (tool == "ir_measures" or not re.search(OTHERS, x["native"]))]
    cases = [x for x in cases if x["measure"] in NAMES]
    assert cases or tool == "sklearn"
    for case in cases:
        measure, like = asked(case)
        one = "value" in case
        qrels, run = ({"q": x} if one else x for x in (case["qrels"], case["run"]))
        counted = one or tool in TOOLS  # a query of which nothing was returned
        found = evaluate(qrels, run, measure, like=like, disjoint="zero", missing="zero" if counted else None)
        ours = found.means.iloc[0, 0]
        theirs = case["value" if one else "mean"]
        near = 0.5 * 10.0 ** -case["digits"] + 1e-9 if "digits" in case else 1e-12
        single = 1e-6 if tool in ("torchmetrics", "XGBoost", "CatBoost", "LightGBM") else near
        theirs = math.nan if theirs is None else theirs
        assert ours == pytest.approx(theirs, rel=single, abs=near, nan_ok=True), (case["native"], qrels, run)


def test_torchmetrics_counts_no_hit_with_a_score_of_0_or_less() -> None:
    "No setting of ours says that, so its average precision is refused, as its precision, recall and RR are"
    cases = [x for x in GOLDEN if x["native"] == "retrieval_average_precision"]
    differing = 0
    for case in cases:
        measure = "ap(per=found,ties=first,empty=0)" + ("" if case["k"] is None else f"@{case['k']}")
        qrels = {"q": case["qrels"]}
        run = {"q": case["run"]}
        ours = evaluate(qrels, run, measure, disjoint="zero").means.iloc[0, 0]
        differs = ours != pytest.approx(case["value"], rel=1e-6)
        assert not differs or min(case["run"].values()) <= 0
        differing += differs
        with pytest.raises(ValueError, match="like='torchmetrics': no rule for average_precision"):
            evaluate(qrels, run, "ap", like="torchmetrics")
    assert differing >= 3


AVERAGED = [
    *[("average_precision", {"per": per}) for per in DIVISORS if per != "found"],
    *[(name, {}) for name in ("precision", "recall", "f1", "success", "reciprocal_rank", "rbp", "err")],
    *[(name, {}) for name in ("r_precision", "bpref")],
    ("err", {"highest": 60}),
]


@pytest.mark.parametrize("name, how", AVERAGED)
def test_ties_are_averaged_over_all_orders(name: str, how: dict[str, Any]) -> None:
    function = getattr(beside, name)
    rng = np.random.default_rng(0)
    cut = {} if name in ("r_precision", "bpref") else {"k": [1, 3, 6]}
    for _ in range(25):
        rel = rng.integers(0, 4, 6)
        scores = rng.integers(0, 3, 6)
        if not rel.any():
            continue
        judged = {} if name == "err" else {"pool": rel}
        orders = [p for p in permutations(range(6)) if all(scores[a] >= scores[b] for a, b in pairwise(p))]
        each = [function(rel[list(order)], **cut, **judged, **how) for order in orders]
        averaged = function(rel, scores=scores, **cut, **judged, **how)
        assert np.allclose(averaged, np.mean(each, axis=0), rtol=1e-12, atol=0)


# What looks at no order, and what is averaged in tests of needs
WITHOUT_LISTS = {"abstained", "subtopic_recall", "full_recall", "alpha_ndcg_of_needs"}


def test_every_measure_is_its_mean_over_all_orders() -> None:
    assert {name for name, _ in AVERAGED} == set(BESIDE) - WITHOUT_LISTS


def test_err_of_a_large_tie_keeps_its_digits() -> None:
    "Half of a thousand tied results satisfy every second reader: as many orders as one likes have that mean"
    rel = np.repeat([1, 0], 500)
    scores = np.ones(1000)
    rng = np.random.default_rng(0)
    drawn = [beside.err(rng.permutation(rel), 20, highest=1) for _ in range(1000)]
    averaged = beside.err(rel, 20, highest=1, scores=scores)
    assert averaged == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / 1000**0.5)
    alone = np.zeros(1000)
    alone[7] = 1
    assert beside.err(alone, highest=50, scores=scores) == pytest.approx(
        2.0**-50 * np.mean(1 / np.arange(1, 1001)), rel=1e-12
    )
    assert beside.err(np.zeros(1000), scores=scores) == 0


@pytest.mark.parametrize("name", ["precision", "recall", "average_precision"])
def test_a_quotient_by_the_hits_found_has_no_mean_over_ties(name: str) -> None:
    function: Any = getattr(beside, name)
    with pytest.raises(ValueError, match="per='found' is not averaged over the orders of a tie: give ties='first'"):
        function([1, 0, 1, 0], 2, scores=[1, 1, 1, 1], per="found")
    assert function([1, 0, 1, 0], 2, scores=[1, 1, 1, 1], per="found", ties="first") == 1
    assert function([1, 0, 1, 0], 2, scores=[4, 3, 2, 1], per="found") == 1
    with pytest.raises(ValueError, match="per is 'one': give one of 'relevant'"):
        function([1, 1, 0], per="one")


def random_runs(seed: int, ties: bool) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    qrels = {}
    run = {}
    for q in map(str, range(12)):
        documents = [f"d{i}" for i in rng.permutation(30)]
        qrels[q] = {d: int(g) for d, g in zip(documents[:15], rng.integers(0, 4, 15))}
        scores = rng.integers(0, 6, 20) if ties else rng.permutation(20)
        run[q] = {d: float(s) for d, s in zip(documents[5:25], scores)}
    return qrels, run


@pytest.mark.parametrize("ties", [False, True])
def test_runs_are_scored_as_their_lists(ties: bool) -> None:
    "The road of runs, which ranks only what was judged, gives what the functions give for whole lists"
    qrels, run = random_runs(1, ties)
    found = evaluate(qrels, run, "p@5 recall@5,10 success@1 rr rr@3 ap ap@5 rprec rbp(p=0.5)@8 f1@5 bpref")
    for q in qrels:
        rel = [qrels[q].get(d, 0) for d in run[q]]
        how = {"pool": list(qrels[q].values()), "scores": list(run[q].values())}
        each = [beside.precision(rel, 5, **how), *beside.recall(rel, [5, 10], **how), beside.success(rel, 1, **how)]
        each += [beside.reciprocal_rank(rel, k, **how) for k in (None, 3)]
        each += [beside.average_precision(rel, k, **how) for k in (None, 5)]
        each += [beside.r_precision(rel, **how), beside.rbp(rel, 8, p=0.5, **how), beside.f1(rel, 5, **how)]
        each += [beside.bpref([qrels[q].get(d) for d in run[q]], **how)]
        assert np.allclose(found.values[0][found.queries.index(q)], each, rtol=1e-12, atol=0), q


def test_every_name_people_know() -> None:
    assert set(OTHER_NAMES.values()) <= set(MEASURES)
    qrels, run = random_runs(2, ties=False)
    for name, ours in OTHER_NAMES.items():
        judged = qrels
        if ours == "alpha_ndcg":
            judged = {query: [[document] for document in grades] for query, grades in qrels.items()}
        pair = evaluate(judged, run, [name, ours]).means
        assert pair.iloc[0, 0] == pair.iloc[0, 1], name
    assert "recall@5" in str(compare(qrels, {"a": run, "b": random_runs(3, ties=False)[1]}, "recall@5"))


@pytest.mark.parametrize(
    "measure, how, said",
    [
        ("rprec@5", {}, "rprec@5 has no cutoff: write rprec"),
        (
            "recall(level=4)@5",
            {},
            "recall.level=4.@5 counts grades from 4 up, and the highest grade is 3: give level=3",
        ),
        ("ap(per=all)", {}, "per is 'all': give one of 'relevant'"),
        ("ap(gain=exp)", {}, "ap.gain=exp. has no setting 'gain': it has per, level"),
        ("ap", {"like": "quepid"}, "like='quepid': no rule for average_precision is known"),
        ("rbp(p=1)", {}, "p is 1: give a number above 0 and below 1"),
        ("err(highest=2)", {}, "above the highest grade 2: give highest="),
    ],
)
def test_what_is_refused(measure: str, how: dict[str, Any], said: str) -> None:
    qrels, run = random_runs(4, ties=False)
    with pytest.raises(ValueError, match=said):
        evaluate(qrels, run, measure, **how)


def orders_of_long_tie(chances: list[Fraction]) -> list[Fraction]:
    "The share that stops at each place, over all orders: of every set of results above, as exact fractions"
    size = len(chances)
    sums = [Fraction(1)] + [Fraction(0)] * size  # over all sets of so many results, of who reads on
    for chance in chances:
        for count in range(size, 0, -1):
            sums[count] += (1 - chance) * sums[count - 1]
    read_on = [total / comb(size, count) for count, total in enumerate(sums)]
    return [above - below for above, below in pairwise(read_on)]


@pytest.mark.parametrize("grades", [[0, 1, 2, 3, 4], [0] * 150 + [4], [0] * 40 + [1]], ids=["all", "few", "some"])
def test_err_of_a_long_tie_by_exact_fractions(grades: list[int]) -> None:
    rng = np.random.default_rng(0)
    size = 2 * LONG
    rel = rng.choice(grades, size)
    rel[0] = 4
    shares = orders_of_long_tie([Fraction(2 ** int(grade) - 1, 16) for grade in rel])
    terms = [share / rank for rank, share in enumerate(shares, 1)]
    for k in (1, 7, LONG, size):
        exact = float(sum(terms[:k]))
        assert beside.err(rel, k, highest=4, scores=np.zeros(size)) == pytest.approx(exact, rel=1e-12)


def test_err_of_a_quarter_million_tied_results() -> None:
    "Whoever stops at all stops somewhere; and the first place is the mean"
    rel = np.random.default_rng(0).choice(4, 250_000, p=[0.999, 0.0005, 0.0003, 0.0002])
    chance = (2.0**rel - 1) / 16
    stopped = stop_in_long_tie(chance, len(chance))
    assert stopped.sum() == pytest.approx(-np.expm1(np.log1p(-chance).sum()), rel=1e-12)
    assert stopped[0] == pytest.approx(chance.mean(), rel=1e-12)


def test_err_of_runs_with_ties() -> None:
    qrels, run = random_runs(5, ties=True)
    found = evaluate(qrels, run, "err(highest=4)@5 err(highest=3)")
    for q in qrels:
        rel = [qrels[q].get(d, 0) for d in run[q]]
        scores = list(run[q].values())
        each = [beside.err(rel, 5, scores=scores), beside.err(rel, highest=3, scores=scores)]
        assert np.allclose(found.values[0][found.queries.index(q)], each, rtol=1e-12, atol=0), q


def test_err_notes_a_scale_that_no_grade_reaches() -> None:
    qrels, run = random_runs(5, ties=False)
    with pytest.warns(UserWarning, match="err takes 4 for the highest grade, and the highest given is 3"):
        evaluate(qrels, run, "err@5")
    with pytest.warns(UserWarning, match="give highest=2, or 4"):
        beside.err([[2, 0], [1]])
    with warnings.catch_warnings(action="error"):
        evaluate(qrels, run, "err(highest=3)@5 err(highest=4)")
        evaluate(qrels, run, "err@5", like="ir_measures")
        beside.err([3, 0])


def test_err_names_the_grade_that_is_too_high() -> None:
    with pytest.raises(ValueError, match=r"the grade of document 'b' of '1' is 5\.0, above the highest grade 4"):
        evaluate({"1": {"a": 1, "b": 5}}, {"1": ["a", "b"]}, "err@5")
