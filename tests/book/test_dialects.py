"""Dialects against what the tools gave, against their rules written out slowly, and against the tools themselves.

The tools come with `pip install -e '.[parity]'`; pytrec_eval and trec_eval are used where they are found.
"""

import inspect
import json
import math
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from conftest import needed
from shared import match
from shared.live import LIVE, lightgbm_ndcg, own_ndcg, xgboost_ndcg
from shared.tables import check_refused, rows_of
from shared.tolerances import near

from ndcg_nb import (
    cg,
    dcg,
    dialect,
    disagree,
    gain_recall,
    idcg,
    intent_ndcg,
    list_dialects,
    minmax_ndcg,
    ndcg,
    penalized_ndcg,
    which,
)
from ndcg_nb.coverage import ncg, ndcg_at_r, tied_ndcg
from ndcg_nb.dialects import ALIASES, DIALECTS, OURS, get_dialect, mean_ndcg, register


@pytest.fixture(scope="module")
def outcomes() -> list[match.Outcome]:
    return match.outcomes()


def test_the_match_table(outcomes: list[match.Outcome]) -> None:
    table = match.table(outcomes)
    assert table.sum().to_dict() == {"equal": 2096, "left out": 52, "refused": 76, "differs": 51, "n/a": 406}, table
    assert len({(o.tool, o.variant, o.view, o.case) for o in outcomes}) == 2405 - 66  # ranx was called twice on dicts


def test_whatever_is_not_met_has_a_reason(outcomes: list[match.Outcome]) -> None:
    unmet = [o for o in outcomes if o.kind in ("differs", "n/a")]
    assert [o for o in unmet if not o.reason] == []
    assert {o.reason for o in unmet} == {why for *_, why in match.REASONS}, "a reason that is not needed"
    assert {o.tool for o in outcomes if o.dialect != "–"} == {tool for tool, _ in match.VARIANTS}
    for o in unmet:  # and what we refuse, we refuse for that reason
        for start, fragments in match.SAYS.items() if isinstance(o.ours, str) and o.dialect != "–" else ():
            assert start not in o.reason or any(x in o.ours for x in fragments), o


def test_what_differs_by_shuffled_ties_lies_between_worst_and_best(outcomes: list[match.Outcome]) -> None:
    cases = json.loads(match.GOLDEN.read_text("utf-8"))["cases"]
    for o in outcomes:
        if o.reason.startswith("shuffles"):
            same = match.VARIANTS[o.tool, o.variant]
            case = cases[o.case]
            low, high = (
                match.ours(same._replace(but={**same.but, "ties": ties}), case["queries"][o.query], o.view, case["k"])
                for ties in ("worst", "best")
            )
            assert low - 1e-6 <= o.theirs <= high + 1e-6
            assert low <= o.ours <= high


def test_means_over_queries() -> None:
    found = match.means()
    assert len(found) > 150
    for tool, variant, case, theirs, ours in found:
        same = match.VARIANTS[tool, variant]
        if tool == "recommenders" and case == "zero_and_good":
            continue  # 0/0 leaves the mean
        if same.digits is None:
            assert ours == near(theirs, same.bits), (tool, variant, case)
        else:  # each value was rounded
            assert abs(theirs - ours) <= 5e-6, (tool, variant, case)


def test_a_mean_says_over_which_queries() -> None:
    lists = [[1, 0, 2], [], [0, 0], [0, 1]]
    pools = [[1, 0, 2], [1], [0, 0], [0, 1]]
    first = ndcg([1, 0, 2])
    last = ndcg([0, 1])
    assert mean_ndcg(lists, pool=pools, like="trec_eval") == ((first + 0 + last) / 3, 3, 1, 0)
    assert mean_ndcg(lists, pool=pools, like="ir_measures") == ((first + 0 + 0 + last) / 4, 4, 0, 0)
    value, *counts = mean_ndcg(lists, pool=pools, like="gdeval")  # which leaves out both kinds
    assert value == pytest.approx(np.mean(ndcg([[1, 0, 2], [0, 1]], gain="exp")))
    assert counts == [2, 1, 1]
    with pytest.raises(ValueError, match=r"rel\[1\] is empty, and trec_eval stops where a query is missing"):
        mean_ndcg(lists, pool=pools, like="trec_eval-10")
    with pytest.raises(ValueError, match="no query is left"):
        mean_ndcg([[], []], pool=[[1], [1]], like="trec_eval")


def test_what_is_shipped() -> None:
    accepted = set(inspect.signature(ndcg).parameters)
    table = list_dialects()
    for name in (*DIALECTS, *ALIASES):
        assert set(dialect(name)) <= accepted - {"rel", "k", "pool", "scores", "ids"}
        assert 0 <= ndcg([2, 0, 1], 2, pool=[2, 1, 0, 1], scores=[3, 1, 2], **dialect(name)) <= 1.5
        whole = get_dialect(name)
        assert whole.missing in ("zero", "skip", "error", "none")
        assert all((whole.tool, whole.version, whole.source, whole.trap))
    assert table.index.tolist() == list(DIALECTS)
    assert table.notna().all(axis=None)
    assert {*dialect("trec_eval"), "missing", "grades", "rounding"} - {"minus_inf", "decimals"} <= set(table)
    changed = dialect("trec_eval")
    changed["gain"] = "exp"
    assert dialect("trec_eval")["gain"] != "exp"


@pytest.mark.parametrize("name", DIALECTS)
def test_one_list_or_many_one_cutoff_or_several(name: str) -> None:
    rng = np.random.default_rng(len(name))
    rel = [rng.integers(0, 5, n).tolist() for n in (1, 2, 7, 40, 200)]
    rel = [[1, *r] for r in rel]
    scores = [(rng.integers(0, 9, len(r)) / 7).tolist() for r in rel]
    ids = [[f"d{i}" for i in rng.permutation(len(r))] for r in rel]
    pool = [[*r, 3, 0] for r in rel]
    at = ndcg(rel, [1, 3, 10], pool=pool, scores=scores, ids=ids, **dialect(name))
    for i, row in enumerate(at):
        alone = {"pool": pool[i], "scores": scores[i], "ids": ids[i], **dialect(name)}
        assert row.tolist() == [ndcg(rel[i], k, **alone) for k in (1, 3, 10)]


def test_like() -> None:
    rel = [3, 2, 3, 0, 1, 2]
    pool = [*rel, 3, 2]
    ids = list("abcdef")
    scores = [0.5, 0.5, 0.4, 0.4, 0.3, 0.2]
    for name in ("trec_eval", "sklearn", "xgboost", "gdeval", "catboost", "letor"):
        given = {"k": 5, "pool": pool, "scores": scores, "ids": ids}
        assert ndcg(rel, **given, like=name) == ndcg(rel, **given, **dialect(name))
        assert ndcg(rel, **given, like=name, ties="first") == ndcg(rel, **given, **dialect(name) | {"ties": "first"})
    assert ndcg(rel, like="trec_eval", gain="exp", scores=None) == ndcg(rel, gain="exp")
    assert ndcg(rel, like=None) == ndcg(rel)
    assert dcg(rel, like="lightgbm") == dcg(rel, gain="exp")
    assert cg(rel, like="burges") == cg(rel, gain="exp")
    assert idcg(rel, like="mslr") == idcg(rel, gain="exp", discount=("jk", 2))
    # its own cutoff
    assert dcg([0] * 20 + [1], like="gdeval") == 0
    assert dcg([0] * 20 + [1], 21, like="gdeval") > 0


def test_like_a_tool() -> None:
    rel = [3, 2, 3, 0, 1, 2]
    scores = [5, 4, 4, 3, 3, 1]
    pool = [3, 2, 3, 0, 1, 2, 3, 2]
    measures = [penalized_ndcg, minmax_ndcg, ncg, gain_recall, ndcg_at_r]
    for measure in measures:
        how = {"scores": scores, "pool": pool} | ({} if measure is ndcg_at_r else {"k": 5})
        for name in ("sklearn", "xgboost", "lightgbm", "jk2002", "catboost"):
            left_out = {"k", "default_k"} if measure is ndcg_at_r else set()
            left_out |= {"discount"} if measure in (ncg, gain_recall) else set()
            settings = {key: value for key, value in dialect(name).items() if key not in left_out}
            assert measure(rel, **how, like=name) == measure(rel, **how, **settings)
            assert measure(rel, **how, like=name, gain="binary", ties="worst", ideal="pool") == measure(
                rel, **how, **settings | {"gain": "binary", "ties": "worst", "ideal": "pool"}
            )
    assert gain_recall(rel, 5, scores=scores, pool=pool, like="xgboost") == gain_recall(
        rel, 5, scores=scores, gain="exp", ties="first"
    )
    assert tied_ndcg(rel, 5, scores=scores, like="sklearn").average == ndcg(rel, 5, scores=scores, like="sklearn")
    both = [rel, rel[::-1]]
    likely = [0.7, 0.3]
    each = ndcg(both, 5, scores=[scores] * 2, like="xgboost")
    assert intent_ndcg(both, likely, 5, scores=scores, like="xgboost") == np.array(likely) @ each


def test_ours_is_what_the_measure_does_when_nothing_is_said() -> None:
    defaults = {key: p.default for key, p in inspect.signature(ndcg).parameters.items()}
    for key, setting in OURS.items():
        if key not in ("empty", "missing"):
            assert defaults[key] == setting, key
    with pytest.warns(RuntimeWarning, match="0/0"):
        assert math.isnan(ndcg([0, 0]))
        assert math.isnan(OURS["empty"])
    assert get_dialect("trec_eval").keywords().keys() <= OURS.keys()


def test_disagree() -> None:
    rel = [3, 2, 3, 0, 1, 2]
    pool = [3, 2, 3, 0, 1, 2, 3, 2]
    said = disagree(rel, 6, pool=pool)
    assert set(said.index) == set(DIALECTS)
    assert (np.diff(said["nDCG"]) <= 1e-9).all()
    for name, row in said.iterrows():
        truth = sorted(pool, reverse=True)  # as the tool that never sorts it should be given it
        assert row["nDCG"] == ndcg(rel, 6, pool=truth, **dialect(name))
    assert disagree(rel, 6, pool=pool[::-1]).equals(said)
    assert said.loc["gdeval", "because"] == "gain positive-exp"
    assert said.loc["sklearn", "because"] == "ideal list"
    assert disagree([0] * 39 + [1]).loc["xgboost"].tolist() == [0, "32", "default_k 32"]
    tied = disagree([1, 0], scores=[5, 5])
    assert tied.loc["trec_eval", "because"].startswith("refused: two documents")
    assert math.isnan(tied.loc["gdeval", "nDCG"])
    assert tied.loc["lightgbm", "because"] == "ties first"
    negative = disagree([1, -1, 2])
    assert negative.loc["trec_eval", "because"] == "gain positive"  # without which there would be no number
    assert negative.loc["sklearn", "because"].startswith("refused: rel[1] is -1")
    none = disagree([[], []], pool=[[1], [1]])
    assert none.loc["trec_eval", "because"].startswith("refused: no query is left")
    assert none.loc["ir_measures", "nDCG"] == 0
    assert disagree([], pool=[1]).loc["trec_eval-10", "because"].startswith("refused: rel is empty")
    # Ours leaves out what has a score of minus infinity.
    lost = disagree([1, 0, 2], scores=[-np.inf, 1, 0.5], ids=list("abc"))
    assert lost.loc["trec_eval", "because"] == "minus_inf last"
    assert lost.loc["rax", "because"] == "gain exp"
    close = disagree([0, 1], scores=[1.0, 1.000000001], ids=["b", "a"])
    assert close.loc["trec_eval", "because"] == "ties id, precision float32"
    assert close.loc["trec_eval-10", "nDCG"] == 1


def test_disagree_on_many_queries() -> None:
    queries = {"rel": [[1, 0, 2], [], [0, 0]], "pool": [[1, 0, 2], [1], [0, 0]]}
    said = disagree(**queries)
    one = ndcg([1, 0, 2])
    assert said.loc["trec_eval", "nDCG"] == pytest.approx(one / 2)
    assert said.loc["ir_measures", "nDCG"] == pytest.approx(one / 3)
    assert said.loc["gdeval", "nDCG"] == pytest.approx(ndcg([1, 0, 2], gain="exp"))
    assert said.loc["catboost", "nDCG"] == pytest.approx((one + 1) / 2)
    assert said.loc["ranx", "because"].startswith("refused: rel[1] is empty")
    frames = {key: pd.Series(x, index=["q3", "q1", "q2"]) for key, x in queries.items()}
    assert disagree(**frames).equals(said)
    shared = disagree([[1, 0], [0, 1]], pool=[1, 1, 0], scores=[[2, 1], [2, 1]])
    assert shared.loc["trec_eval", "nDCG"] == pytest.approx(np.mean(ndcg([[1, 0], [0, 1]], pool=[1, 1, 0])))


def test_which() -> None:
    rel = [3, 2, 3, 0, 1, 2]
    pool = [3, 2, 3, 0, 1, 2, 3, 2]
    for name in DIALECTS:
        found = which(ndcg(rel, 6, pool=sorted(pool, reverse=True), **dialect(name)), rel, 6, pool=pool)
        assert name in found.index
        assert abs(found.loc[name, "off"]) < 1e-9
        assert get_dialect(name).decimals or (found["off"].abs() < 1e-9).all()
    shared = {"gdeval", "ranx-burges", "spark-graded", "elasticsearch", "azure", "quepid-cut"}
    found = which(0.751, rel, 6, pool=pool)
    assert shared <= {*found.index}
    assert (found["off"].abs() <= 0.0005).all()
    assert which(0.751, rel, 6, pool=pool, tolerance=1e-6).empty
    two = which("0.75", rel, 6, pool=pool)
    assert shared < {*two.index} == {*which(" 0.75 ", rel, 6, pool=pool).index}
    assert len(which("0.96", rel, 6)) > 2
    values = sorted({ndcg(rel, 6, **dialect(name)) for name in DIALECTS})
    widest = int(np.argmax(np.diff(values)))
    nobody = (values[widest] + values[widest + 1]) / 2
    assert np.diff(values)[widest] > 0.002
    assert which(f"{nobody:.3f}", rel, 6).empty
    single = float(np.float32(ndcg(rel, 6)))  # as a tool that computes in 32 bits would print it
    assert {"torchmetrics"} == set(which(single, rel, 6).index)
    with pytest.raises(ValueError, match=r"if it is a percentage, give 0\.949"):
        which(94.9, rel, 6)
    assert which(1, [3, 2, 1], 3).shape[0] == len(DIALECTS)


# The rules, written out slowly


def problem(seed: int, size: int = 60) -> dict:
    "A random query: tied and nearly tied scores, unjudged and unretrieved documents, now and then nothing relevant"
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, size))
    grades = rng.integers(0, 5, n) * (rng.random() > 0.1)
    grades[rng.random(n) < 0.2] = 0  # unjudged
    scores = rng.normal(size=n)
    if seed % 3:
        scores = np.round(scores, 1) + rng.integers(0, 2, n) * 1e-10
    ids = [f"d{i}" for i in rng.permutation(3 * n)[:n]]
    missed = rng.integers(0, 5, int(rng.integers(0, 9)))
    return {"rel": grades.tolist(), "scores": scores.tolist(), "ids": ids, "pool": [*grades.tolist(), *missed.tolist()]}


def trec(p: dict, k: int | None, single: bool, term) -> float:
    cast = np.float32 if single else float
    docs = sorted(zip(p["scores"], p["ids"], p["rel"]), key=lambda d: (cast(d[0]), d[1].encode()), reverse=True)
    top = best = 0.0
    for i, (_, _, grade) in enumerate(docs[:k], 1):
        top += term(grade, i)
    for i, grade in enumerate(sorted(p["pool"], reverse=True)[:k], 1):
        best += term(grade, i)
    return top / best if best else 0.0


def letor(p: dict, k: int) -> float:
    labels = [label for _, label in sorted(zip(p["scores"], p["rel"]), key=lambda d: -d[0])]
    if k > len(labels):
        return 0.0
    top = best = 0.0
    for i, (label, ideal) in enumerate(zip(labels[:k], sorted(labels, reverse=True)), 1):
        scale = (lambda g: g) if i < 3 else (lambda g, i=i: g * math.log(2) / math.log(i))
        top = top + scale(2**label - 1)
        best = best + scale(2**ideal - 1)
    return top / best if best else 0.0


@pytest.mark.parametrize("seed", range(40))
def test_rules(seed: int) -> None:
    p = problem(seed)

    def linear(grade: float, rank: int) -> float:
        return grade / math.log2(rank + 1)

    def exp(grade: float, rank: int) -> float:
        return (2**grade - 1) / (math.log(rank + 1) / math.log(2))

    for k in (None, 1, 5, 20, 100):
        assert ndcg(k=k, **p, **dialect("trec_eval")) == near(trec(p, k, True, linear))
        assert ndcg(k=k, **p, **dialect("trec_eval-10")) == near(trec(p, k, False, linear))
        assert ndcg(k=k, **p, **dialect("pytrec_eval")) == near(trec(p, k, True, linear))
        assert ndcg(k=k, **p, **dialect("gdeval") | {"empty": 0, "default_k": None}) == near(trec(p, k, False, exp))
        if k:
            assert ndcg(k=k, **p, **dialect("mslr")) == near(letor(p, k))


def test_refusals_of_the_tools() -> None:
    for name, bad in {
        "gdeval": 5,
        "mslr": 5,
        "lightgbm": 31,
        "xgboost": 32,
        "xgboost-minus": 32,
        "ranklib": 32,
    }.items():
        assert ndcg([bad - 1, 1], **dialect(name)) == 1
        with pytest.raises(ValueError, match=rf"rel\[0\] is {bad}, .* up to {bad - 1}"):
            ndcg([bad, 1], **dialect(name))
        with pytest.raises(ValueError, match=r"rel\[1\] is 0.5, .*whole"):
            ndcg([1, 0.5], **dialect(name))
    for name in ("sklearn", "lightgbm", "xgboost", "mslr", "ranklib", "catboost", "rax", "tfr", "torchmetrics"):
        with pytest.raises(ValueError, match=r"rel\[1\] is -1"):
            ndcg([1, -1], **dialect(name))
    for name in ("trec_eval", "trec_eval-10", "pytrec_eval", "gdeval", "ranx", "spark", "recsys-binary"):
        assert ndcg([1, -1, 2], **dialect(name)) == ndcg([1, 0, 2], **dialect(name))


# The tools themselves, where they are installed


@pytest.mark.parametrize("seed", range(60))
def test_scikit_learn(seed: int) -> None:
    metrics = needed("sklearn.metrics")
    p = problem(seed, 300)
    rng = np.random.default_rng(seed)
    if len(p["rel"]) == 1:
        with pytest.raises(ValueError, match="more than 1 document"):
            metrics.ndcg_score([p["rel"]], [p["scores"]])
        return
    for rel in (p["rel"], (rng.random(len(p["rel"])) * 9).tolist()):
        for k in (None, 1, 10, 400):
            own = {"scores": p["scores"], **dialect("sklearn")}
            assert ndcg(rel, k, **own) == near(metrics.ndcg_score([rel], [p["scores"]], k=k))
            plain = {key: x for key, x in own.items() if key not in match.NDCG_ONLY}
            assert dcg(rel, k, **plain) == near(metrics.dcg_score([rel], [p["scores"]], k=k))


@pytest.mark.filterwarnings("ignore:Overriding the parameters")
@pytest.mark.parametrize("name, module, form", LIVE)
def test_live(name: str, module: str, form: str) -> None:
    tool = needed(module)
    bits = 32 if name == "torchmetrics" else 64
    problems = [problem(seed) for seed in range(25)]
    if name in ("lightgbm", "xgboost"):
        problems.append({"rel": [1, 0, 2], "scores": [-np.inf, 1.0, 0.5]})
    for p in problems:
        for k in (1, 5, 20):
            theirs = own_ndcg(tool, p["rel"], p["scores"], k, form)
            ours = ndcg(p["rel"], k, scores=p["scores"], **dialect(name))
            assert ours == near(theirs, bits), (p, k)


def as_files(problems: list[dict]) -> tuple[dict, dict]:
    "Judgements and a run, as dicts"
    qrels = {}
    run = {}
    for q, p in enumerate(problems):
        missed = {f"m{i}": g for i, g in enumerate(p["pool"][len(p["rel"]) :])}
        qrels[f"q{q}"] = {d: g for d, g in zip(p["ids"], p["rel"]) if g} | missed | {"judged": 0}
        run[f"q{q}"] = dict(zip(p["ids"], p["scores"]))
    return qrels, run


@pytest.mark.filterwarnings("ignore:unsafe cast")  # a word of its compiler
@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # where it is compiled first
def test_ranx() -> None:
    ranx = needed("ranx")
    problems = [problem(seed, 12) for seed in range(60)]
    for p in problems:  # its sort is not stable for long lists, and not for ties either
        p["scores"] = (np.array(p["scores"]) + np.arange(len(p["scores"])) * 1e-7).tolist()
    qrels, run = as_files(problems)
    for name, metric in (("ranx", "ndcg@5"), ("ranx-burges", "ndcg_burges@5")):
        theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), metric, return_mean=False)
        ours = [ndcg(k=5, **p, **dialect(name)) for p in problems]
        order = sorted(qrels)  # ranx sorts queries by name
        assert [ours[int(q[1:])] for q in order] == near(theirs.tolist())
    del run["q0"]
    with pytest.raises(AssertionError, match="do not match"):
        ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "ndcg@5")


def test_pytrec_eval() -> None:
    pytrec = needed("pytrec_eval")
    problems = [problem(seed) for seed in range(60)]
    qrels, run = as_files(problems)
    del run["q1"]
    found = pytrec.RelevanceEvaluator(qrels, {"ndcg_cut.5", "ndcg"}).evaluate(run)
    assert "q1" not in found
    assert get_dialect("pytrec_eval").missing == "skip"
    for q, values in found.items():
        p = problems[int(q[1:])]
        assert ndcg(k=5, **p, **dialect("pytrec_eval")) == near(values["ndcg_cut_5"])
        assert ndcg(**p, **dialect("pytrec_eval")) == near(values["ndcg"])


def test_trec_eval(tmp_path: Path) -> None:
    tool = shutil.which("trec_eval")
    if tool is None:
        pytest.skip("trec_eval: build it from github.com/usnistgov/trec_eval")
    problems = [problem(seed) for seed in range(60)]
    qrels, run = as_files(problems)
    judged = [f"{q} 0 {doc} {grade}" for q, docs in qrels.items() for doc, grade in docs.items()]
    ranked = [f"{q} Q0 {doc} 0 {score!r} run" for q, docs in run.items() for doc, score in docs.items()]
    for name, lines in (("qrels", judged), ("run", ranked)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    version = subprocess.run([tool, "-v"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    name = "trec_eval-10" if "version 10" in version else "trec_eval"
    printed = subprocess.check_output([tool, "-q", "-m", "ndcg_cut.5", "qrels", "run"], cwd=tmp_path, text=True)
    values = {q: float(value) for _, q, value in map(str.split, printed.splitlines())}
    for q in run:
        assert abs(ndcg(k=5, **problems[int(q[1:])], **dialect(name)) - values[q]) <= 0.5e-4 + 1e-12


def test_ir_measures() -> None:
    ir = needed("ir_measures")
    problems = [problem(seed) for seed in range(60)]
    needed("pytrec_eval")
    qrels, run = as_files(problems)
    del run["q1"]
    for found in ir.iter_calc([ir.nDCG @ 5], qrels, run):
        p = problems[int(found.query_id[1:])]
        assert (0 if found.query_id == "q1" else ndcg(k=5, **p, **dialect("ir_measures"))) == near(found.value)


@pytest.mark.filterwarnings("ignore:Overriding the parameters")
def test_surprises_are_still_there() -> None:
    "The traps we warn of; where a tool has mended its ways, the warning must go"
    lgb = needed("lightgbm")
    xgb = needed("xgboost")
    two = {"rel": [0, 0, 1, 0], "scores": [2.0, 1.0, 2.0, 1.0]}
    assert lightgbm_ndcg(lgb, **two, k=2, sizes=[2, 2], weight=[0.1, 0.1, 0.2, 0.2]) == pytest.approx(4, rel=1e-6)
    assert xgboost_ndcg(xgb, **two, metric="ndcg@2", qid=[0, 0, 1, 1], weight=[10, 10]) == pytest.approx(0.55)
    deep = [0] * 39 + [1], list(range(40, 0, -1))
    assert xgboost_ndcg(xgb, *deep, "ndcg") == 0 < xgboost_ndcg(xgb, *deep, "ndcg@40")


def test_a_table_for_a_browser() -> None:
    "Every setting is plain: a string, a number, a pair of a name and a number, or a name and a range"
    for name in DIALECTS:
        plain = json.loads(json.dumps(dialect(name), default=lambda r: [r.start, r.stop]))
        assert Counter(map(type, plain.values())).keys() <= {str, int, float, list, type(None)}


def test_minus_infinity() -> None:
    "To most tools it is the lowest score; to rax, a document that was not retrieved"
    rel = [1, 0, 2]
    scores = [-np.inf, 1.0, 0.5]
    last = ndcg([0, 2, 1], gain="exp")
    out = ndcg([0, 2], gain="exp", pool=rel)
    for name in ("lightgbm", "xgboost", "burges", "ranklib"):
        assert ndcg(rel, scores=scores, **dialect(name)) == pytest.approx(last)
    assert ndcg(rel, scores=scores, **dialect("rax")) == pytest.approx(out)
    assert ndcg([[1, 0], rel], scores=[[1, -np.inf], scores], minus_inf="last").tolist() == [1, ndcg([0, 2, 1])]


def test_xgboost_on_long_lists() -> None:
    xgb = needed("xgboost")
    rng = np.random.default_rng(0)
    for n in (100, 700, 3000):
        rel = rng.integers(0, 5, n).tolist()
        scores = rng.random(n).astype(np.float32).tolist()
        for k in (n // 3, n):
            theirs = xgboost_ndcg(xgb, rel, scores, f"ndcg@{k}")
            assert ndcg(rel, k, scores=scores, **dialect("xgboost")) == near(theirs)


@pytest.fixture
def forgotten() -> Any:
    with patch.dict(DIALECTS):
        yield


def test_a_convention_of_your_own(forgotten: None) -> None:
    keywords = register("ours", "trec_eval", gain={0: 0, 1: 1, 3: 9}, default_k=2, missing="zero", rounding=3)
    assert keywords == dialect("trec_eval") | {"gain": {0: 0, 1: 1, 3: 9}, "default_k": 2}
    assert ndcg([1, 3, 0], like="ours") == ndcg([1, 3, 0], 2, **keywords)
    assert "ours" in disagree([1, 3, 0]).index
    assert "ours" in which(ndcg([1, 3, 0], like="ours"), [1, 3, 0]).index
    row = list_dialects().loc["ours"]
    assert (row["gain"], row["grades"], row["rounding"]) == ("a table", "those it knows", "3")
    register("ours", "trec_eval", gain={0: 0, 1: 1, 3: 9}, default_k=2, missing="zero", rounding=3)  # once more
    plain = register("plain", gain=lambda grade: grade * 2)
    assert list_dialects().loc["plain", "gain"] == "a function"
    for weights in ((1, 0.5, 0.2), [1, 0.5, 0.2], np.array([1, 0.5, 0.2])):
        register("weighted", discount=weights)
        assert list_dialects().loc["weighted", "discount"] == "a list"
        assert "weighted" in disagree([1, 3, 0]).index
        assert "weighted" in which(0.9, [1, 3, 0], tolerance=1).index
        del DIALECTS["weighted"]
    assert plain | {"gain": "linear"} == {key: getattr(ndcg_defaults(), key) for key in plain}


def test_a_gain_of_your_own_that_fails(forgotten: None) -> None:
    register("two grades", gain=lambda grade: np.array([0, 1])[grade.astype(int)])
    assert np.isnan(disagree([2, 1, 0]).loc["two grades", "nDCG"])
    assert "two grades" not in which(0.9, [2, 1, 0], tolerance=1)
    with pytest.raises(ValueError, match=r"gain is called once, .* it failed with: index 2 is out of bounds"):
        ndcg([2, 1, 0], like="two grades")


def ndcg_defaults() -> Any:
    from ndcg_nb.hood.core.conventions import Convention

    return Convention()


UNFIT = rows_of("""
["trec_eval"], {}                       | ValueError | 'trec_eval' is taken: give another name
["mteb"], {}                            | ValueError | 'mteb' is taken
["opensearch"], {}                      | ValueError | 'opensearch' is taken
[" "], {}                               | ValueError | name is ' ': give a text
[3], {}                                 | ValueError | name is 3
["x", "sklern"], {}                     | ValueError | did you mean 'sklearn'?
["x"], {"gian": "exp"}                  | ValueError | gian is not a setting: | did you mean 'gain'?
["x"], {"gain": "expo"}                 | ValueError | gain is 'expo'
["x"], {"gain": {}}                     | ValueError | lacks
["x"], {"discount": 3}                  | ValueError | discount is 3
["x"], {"missing": "no"}                | ValueError | missing is 'no'
["x"], {"rounding": "a"}                | ValueError | rounding is 'a'
["x"], {"rounding": -1}                 | ValueError | rounding is -1: give a whole number from 0 to 15
["x"], {"ignore_self": "yes"}           | ValueError | ignore_self is 'yes': give True or False
["x"], {"decimals": -1}                 | ValueError | decimals is -1
["x"], {"ties": "no"}                   | ValueError | ties is 'no'
""")


@pytest.mark.parametrize("given, kind, said", [(x, kind, said) for x, kind, *said in UNFIT])
def test_what_cannot_be_registered(given: str, kind: str, said: list[str], forgotten: None) -> None:
    names, settings = json.loads(f"[{given}]")
    before = dict(DIALECTS)
    check_refused(lambda: register(*names, **settings), kind, *said)
    assert before == DIALECTS
