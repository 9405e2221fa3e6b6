"""A verdict that does not rest on unjudged results, against exact problems, the rule written a second time, and every
road on which runs come."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from shared.quoted import prose, rows_below

from ndcg_nb import compare, evaluate
from ndcg_nb.hood.comparisons.imputed import worth_by_rank
from ndcg_nb.runs import register_measure

HERE = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
GOLDEN = Path(__file__).parents[1] / "golden/verdict.json"
CASES = json.loads(GOLDEN.read_text("utf-8"))["cases"]


def close(ours: Any, theirs: Any) -> bool:
    "Within the promise, and where it is about 0, within the same of 1"
    return np.allclose(ours, theirs, rtol=1e-12, atol=1e-12)


Judged = dict[str, dict[str, int]]
Lists = dict[str, list[str]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["note"])
def test_exact_problems(case: dict[str, Any]) -> None:
    measure = f"ndcg(gain={case['gain']})@{case['k']}"
    c = compare(case["qrels"], {"a": case["a"], "b": case["b"]}, measure)
    [fact] = c.fact_rows
    assert close(fact["difference"], case["difference_zero"])
    basis = c.parts[0].basis
    if "right answers" in case["note"]:
        assert basis.note == "answers"
    elif not basis.runs:
        assert case["difference_like"] == case["difference_zero"], "nothing is unjudged"
    else:
        assert close(worth_by_rank(*np.sum([x.sums for x in basis.runs], axis=0))[: len(case["worth"])], case["worth"])
        assert close(fact["imputed"], case["difference_like"])
        assert close(fact["imputed error"], case["error_like"])


# ---------------------------------------------------------------------------------------- the rule, a second time
def a_world(seed: int, queries: int = 30, k: int = 10, judged_of_new: int = 0) -> tuple[Judged, Lists, Lists]:
    "Judged is what the old run returned, and perhaps the first results of the new one"
    rng = np.random.default_rng(seed)
    qrels: Judged = {}
    old: Lists = {}
    new: Lists = {}
    for i in range(queries):
        grades = (rng.random(80) < 0.2) * rng.integers(1, 4, 80)
        runs = []
        for quality in (0.5, 0.6):
            scores = quality * grades + rng.normal(size=80)
            runs.append([f"d{j}" for j in np.argsort(-scores)[:k]])
        query = f"q{i}"
        old[query], new[query] = runs
        looked_at = [*runs[0], *runs[1][:judged_of_new]]
        qrels[query] = {document: int(grades[int(document[1:])]) for document in looked_at}
    return qrels, old, new


def chances(qrels: Judged, runs: list[Lists], k: int) -> dict[int, float]:
    "The share of relevant results at each rank, drawn towards that of all ranks"
    seen = [(r, qrels[q][d]) for run in runs for q in qrels for r, d in enumerate(run[q][:k], 1) if d in qrels[q]]
    mean = sum(grade > 0 for _, grade in seen) / max(1, len(seen))
    worth = {}
    for rank in range(1, k + 1):
        here = [grade > 0 for r, grade in seen if r == rank]
        worth[rank] = (sum(here) + 5 * mean) / (len(here) + 5)
    return worth


def average_precision(x: list[float], relevant: int) -> float:
    return sum(x[i] / (i + 1) * (1 + sum(x[:i])) for i in range(len(x))) / relevant


FORMULAS: dict[str, Callable[[list[float], int], float]] = {
    "p@10": lambda x, relevant: sum(x) / 10,
    "recall@10": lambda x, relevant: sum(x) / relevant,
    "f1@10": lambda x, relevant: 2 * sum(x) / (10 + relevant),
    "rprec": lambda x, relevant: sum(x[:relevant]) / relevant,
    "rbp(p=0.7)@10": lambda x, relevant: sum(0.3 * 0.7**i * each for i, each in enumerate(x)),
    "ap@10": average_precision,
    "dcg(gain=binary)@10": lambda x, relevant: sum(each / np.log2(i + 2) for i, each in enumerate(x)),
    "cg(gain=binary)@10": lambda x, relevant: sum(x),
}


@pytest.mark.parametrize("measure", FORMULAS)
def test_measures_of_hits(measure: str) -> None:
    qrels, old, new = a_world(1, judged_of_new=3)
    qrels = {query: grades for query, grades in qrels.items() if any(grades.values())}
    worth = chances(qrels, [old, new], 10)
    values = []
    for run in (old, new):
        row = []
        for query, judged in qrels.items():
            x = [float(judged[d] > 0) if d in judged else worth[r] for r, d in enumerate(run[query][:10], 1)]
            row.append(FORMULAS[measure](x, sum(grade > 0 for grade in judged.values())))
        values.append(row)
    d = np.subtract(values[1], values[0])
    [fact] = compare(qrels, {"old": old, "new": new}, measure).fact_rows
    assert close(fact["imputed"], d.mean())
    assert close(fact["imputed error"], d.std(ddof=1) / len(d) ** 0.5)


@pytest.mark.parametrize("seed", range(4))
def test_the_verdict_follows_the_rule(seed: int) -> None:
    "With nothing of the new run judged, a better one is not worse; with both judged nothing changes"
    qrels, old, new = a_world(seed)
    runs = {"old": old, "new": new}
    held = compare(qrels, runs, "ndcg@10")
    trusting = compare(qrels, runs, "ndcg@10", unjudged="zero")
    assert (held.verdict, held.fact_rows[0]["claim"], trusting.verdict) == ("undecided", "worse", "worse")
    assert held.fact_rows[0]["imputed"] > -held.fact_rows[0]["imputed error"]
    assert held.table["beats"].tolist() == ["", ""]
    assert held.table["group"].tolist() == ["A", "A"]
    assert trusting.table["beats"].tolist() == ["b", ""]
    for when in ("worse", "not better"):
        with pytest.raises(ValueError, match="no answer: if unjudged results count 0, new is worse than old"):
            held.fails_if(when)
        assert trusting.fails_if(when)
    both = compare(*a_world(seed, judged_of_new=10)[:1], {"old": old, "new": new}, "ndcg@10")
    assert both.fact_rows[0]["claim"] == ""
    assert "imputed" not in both.pairs


def test_the_verdict_needs_more_than_the_sign() -> None:
    "One standard error: the mean with unjudged results filled in is below 0, and not far"
    rng = np.random.default_rng(5)
    qrels: Judged = {}
    runs: dict[str, Lists] = {"old": {}, "new": {}}
    for i in range(40):
        qrels[f"q{i}"] = {"a": 2, "b": 1, "c": 0}
        runs["old"][f"q{i}"] = ["a", "b"]
        runs["new"][f"q{i}"] = ["x", "b"] if rng.random() < 0.3 else ["a", "c"] if rng.random() < 0.5 else ["b", "a"]
    held = 0
    for share in np.linspace(0, 1, 21):
        some = {q: ["x", "a"] if i < share * 40 else run for i, (q, run) in enumerate(runs["new"].items())}
        fact = compare(qrels, {"old": runs["old"], "new": some}, "ndcg@2").fact_rows[0]
        is_beyond = -fact["imputed"] > fact["imputed error"]
        assert (fact["verdict"] == "worse") == (fact["adjusted"] <= 0.05 and is_beyond)
        held += fact["imputed"] < 0 and not is_beyond
    assert held, "the sign alone would have been enough for some"


def test_missing_queries_are_marked_with_their_share() -> None:
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(10)}
    old = {query: ["b", "a"] for query in [*qrels][1:]}
    new = {query: ["a", "b"] for query in [*qrels][3:]}
    c = compare(qrels, {"old": old, "new": new}, "ndcg@2")
    [note] = [note for note in c.notes if note.startswith("Of the difference")]
    share = -2 * (1 / np.log2(3)) / 10  # q1 and q2; q0 is in neither
    assert note == f"Of the difference, −{-share:.4f} comes from 2 queries that only new lacks."
    assert "| q1 (not in new) |" in c.summary()
    assert "(not in new)" in c.to_html()
    with pytest.warns(UserWarning, match="query 'q1' is not in new: nothing was returned for it"):
        c.explain("q1")


def test_what_unjudged_can_be() -> None:
    with pytest.raises(ValueError, match="unjudged is 'one': give 'zero', which lets verdicts rest on them, or leave"):
        compare({"a": [0.1, 0.2], "b": [0.2, 0.1]}, unjudged="one")
    with pytest.raises(ValueError, match="names is 3: give"):
        compare({"a": [0.1, 0.2], "b": [0.2, 0.1]}).to_latex(names=3)  # type: ignore[arg-type]


def test_the_other_way_round() -> None:
    "What was said of one run is said of the other"
    qrels, old, new = a_world(2)
    one = compare(qrels, {"old": old, "new": new}, "ndcg@10").fact_rows[0]
    other = compare(qrels, {"new": new, "old": old}, "ndcg@10").fact_rows[0]
    assert close(one["imputed"], -other["imputed"])
    assert (one["unjudged a"], one["unjudged b"]) == (other["unjudged b"], other["unjudged a"])
    assert (one["claim"], other["claim"]) == ("worse", "better")


@pytest.mark.parametrize("measure", ["rr@10", "success@10", "err(highest=3)@10", "ndcg(ideal=list)@10"])
def test_the_safe_side(measure: str) -> None:
    "No verdict against the run with more unjudged results, where these cannot be filled in"
    qrels, old, new = a_world(3, queries=60)
    for runs in ({"old": old, "new": new}, {"new": new, "old": old}):
        c = compare(qrels, runs, measure)
        fact = c.fact_rows[0]
        assert np.isnan(fact["imputed"])
        if fact["claim"] or c.verdict != "undecided":
            against_new = (fact["claim"] or c.verdict) == ("worse" if fact["b"] == "new" else "better")
            assert bool(fact["claim"]) == against_new


def test_a_measure_of_your_own_is_on_the_safe_side() -> None:
    qrels, old, new = a_world(3, queries=60)
    with register_measure("hits_of_mine", lambda rel, pool: float(sum(grade > 0 for grade in rel))):
        assert compare(qrels, {"old": old, "new": new}, "hits_of_mine@10").fact_rows[0]["claim"] == "worse"


@pytest.mark.parametrize(
    "measure, says", [("bpref", "leaves unjudged results out"), ("ndcg(judged=only)@10", "leaves")]
)
def test_where_the_rule_is_not_applied(measure: str, says: str) -> None:
    qrels, old, new = a_world(3, queries=60)
    c = compare(qrels, {"old": old, "new": new}, measure)
    assert c.fact_rows[0]["claim"] == ""
    assert any("leaves unjudged results out" in note for note in c.notes)


def test_right_answers_alone_keep_the_verdict_and_a_note() -> None:
    qrels, old, new = a_world(3, queries=60)
    answers = {query: {d: g for d, g in judged.items() if g > 0} or {"none": 1} for query, judged in qrels.items()}
    c = compare(answers, {"old": old, "new": new}, "ndcg@10")
    assert c.verdict == "worse"
    assert any("Every judged document is relevant" in note for note in c.notes)


def test_equivalence_must_hold_under_both() -> None:
    rng = np.random.default_rng(0)
    qrels = {f"q{i}": {"a": 2, "b": 0, "c": int(rng.integers(0, 2))} for i in range(40)}
    old = {query: ["a", "b", "c"] for query in qrels}
    new = {query: ["a", "x", "c"] for query in qrels}
    trusting = compare(qrels, {"old": old, "new": new}, "ndcg@3", margin=0.05, unjudged="zero")
    held = compare(qrels, {"old": old, "new": new}, "ndcg@3", margin=0.05)
    assert trusting.verdict == "equivalent"
    assert held.fact_rows[0]["imputed"] > 0.05 or held.verdict == "equivalent"
    wide = compare(qrels, {"old": old, "new": new}, "ndcg@3", margin=0.9)
    assert wide.verdict == "equivalent"


# ------------------------------------------------------------------------------------------------------ every road
def table_of(run: Lists, tied: bool) -> pd.DataFrame:
    rows = [
        (query, document, float((len(documents) - i) // (3 if tied else 1)))
        for query, documents in run.items()
        for i, document in enumerate(documents)
    ]
    return pd.DataFrame(rows, columns=["query", "document", "score"])


@pytest.mark.parametrize("tied", [False, True])
def test_every_road(tied: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "In memory, in parts, in DuckDB and as two evaluations: the same numbers, with ties and without"
    monkeypatch.setattr("ndcg_nb.hood.engines.parquet.A_PIECE", 40)
    qrels, *lists = a_world(4, queries=12, judged_of_new=2)
    judged = pd.DataFrame(
        [(q, d, g) for q, x in qrels.items() for d, g in x.items()], columns=["query", "document", "grade"]
    )
    runs = {name: table_of(run, tied) for name, run in zip(("old", "new"), lists)}
    measures = "ndcg@10 ndcg@5 p@10 ap@10 rr@10 ndcg"
    here = compare(judged, runs, measures)
    con = duckdb.connect()
    con.register("qrels", judged)
    folders = {}
    for name, table in runs.items():
        con.register(name, table)
        folder = tmp_path / name
        folder.mkdir()
        table[:60].to_parquet(folder / "1.parquet")
        table[60:].to_parquet(folder / "2.parquet")
        folders[name] = str(folder)
    each = [evaluate(judged, run, measures) for run in runs.values()]
    others = {
        "DuckDB": compare("qrels", {"old": "old", "new": "new"}, measures, connection=con),
        "parts": compare(judged, folders, measures),
        "two evaluations": compare(*each),
        "a copy": pickle.loads(pickle.dumps(here)),
    }
    for road, c in others.items():
        for fact, same in zip(c.fact_rows, here.fact_rows, strict=True):
            assert (fact["verdict"], fact["claim"]) == (same["verdict"], same["claim"]), road
            for name in ("imputed", "imputed error", "unjudged a", "unjudged b"):
                assert close(fact[name], same[name]) or np.isnan(same[name]), (road, fact["measure"], name)
    assert not np.isnan(here.fact_rows[0]["imputed"])


def test_a_stored_evaluation_says_that_it_does_not_know() -> None:
    qrels, old, new = a_world(3)
    stored = pickle.loads(pickle.dumps(evaluate(qrels, {"old": old, "new": new}, "ndcg@10")))
    c = compare(stored)
    assert c.verdict == "worse"
    assert any("A stored evaluation has no tables" in note for note in c.notes)


def test_many_systems() -> None:
    "A pair that is held back gets no letter, and one note names the pairs"
    qrels, old, new = a_world(3, queries=60)
    shuffled = {query: documents[::-1] for query, documents in old.items()}
    c = compare(qrels, {"old": old, "new": new, "shuffled": shuffled}, "ndcg@10")
    by_pair = {(fact["a"], fact["b"]): fact for fact in c.fact_rows}
    assert by_pair["old", "new"]["claim"] == "worse"
    assert by_pair["old", "shuffled"]["verdict"] == "worse", "both are judged"
    assert c.table.loc["old", "beats"] == "c"
    assert any("never judged: new − old, shuffled − new." in note or "new − old" in note for note in c.notes)


def test_many_systems_by_a_measure_that_cannot_be_filled_in() -> None:
    "Its note claims nothing about differences that nobody computed"
    qrels, old, new = a_world(3, queries=60)
    runs = {"old": old, "new": new, "again": {query: documents[::-1] for query, documents in old.items()}}
    [note] = [x for x in compare(qrels, runs, "rr@10").notes if x.startswith("Undecided because of results")]
    assert "new − old" in note
    assert "rr@10 counts each as not relevant" in note
    assert "standard errors" not in note


def test_slices_and_weights_go_by_the_same_rule() -> None:
    qrels, old, new = a_world(3, queries=60)
    c = compare(qrels, {"old": old, "new": new}, "ndcg@10", weights={q: 1.0 + (i % 3) for i, q in enumerate(qrels)})
    assert c.fact_rows[0]["claim"] == "worse"
    half = c.by({query: "even" if i % 2 else "odd" for i, query in enumerate(qrels)})
    assert set(half.table["verdict"]) == {"undecided"}


def test_report_summary_and_json_say_it() -> None:
    qrels, old, new = a_world(3)
    c = compare(qrels, {"old": old, "new": new}, "ndcg@10")
    says = "of the top 10 results of new were never judged"
    assert says in c.summary()
    assert says in c.to_html()
    [pair] = json.loads(c.to_json())["pairs"]
    assert (pair["verdict"], pair["claim"]) == ("undecided", "worse")
    assert pair["unjudged b"] > 0.5
    assert "unjudged=" in compare(qrels, {"old": old, "new": new}, "ndcg@10", unjudged="zero").summary()


# ------------------------------------------------------------------------------------- what the pages quote
def test_pages_quote_what_was_counted() -> None:
    "The rows of the chapter, in its order, and the numbers of its sentences"
    counted = json.loads((GOLDEN.parent / "verdicts.json").read_text("utf-8"))["table"]
    text = prose("12_comparisons")
    rows = [
        "old top k",
        "old top k, new top k/2",
        "top k of both",
        "top k/2 of both",
        "several, without new, 5 points more unjudged",
        "several, without new, 10 points more unjudged",
        "several, without both, a quarter unjudged",
        "nDCG@100, old top 10 and a similar run",
    ]
    shown = rows_below(text, "judged | unjudged")
    for row, (_, unjudged, *cells) in zip(rows, shown, strict=True):
        found = counted[row]
        assert unjudged == " / ".join(map(str, found["unjudged"])), row
        columns = ("better called worse", "verdict if equal", "worse found", "better found")
        assert cells == [f"{found[x]['zero']:.0f} → {found[x]['rule']:.0f}" for x in columns], row
    full = {name: f"{x['full']:.0f}%" for name, x in counted["top k of both"].items() if isinstance(x, dict)}
    assert f"{full['worse found']} of the worse and {full['better found']} of the better" in text
    hidden = counted["hidden from all but new: several without both"]
    called = hidden["better called worse"]
    assert f"{called['rule']:.0f}% of better systems are called worse instead of {called['zero']:.0f}%" in text
    assert f"{hidden['verdict if equal']['rule']:.0f}% of equal ones get a verdict" in text
    zero = counted["old top k"]["better called worse"]["zero"]
    assert f"a test calls {zero:.0f}% of better systems *worse*" in prose("ci")


def test_the_simulation_runs() -> None:
    "Two worlds of each kind, so that the program does not rot"
    program = Path(__file__).parents[1] / "bench/verdicts.py"
    code = "import sys; sys.argv = ['verdicts']; import verdicts as v; import numpy as np;"
    code += "w = v.World(v.KINDS[1], 0.3, np.random.default_rng(0)); print(len(v.results_of(w, v.pools_of(w))))"
    done = subprocess.run([sys.executable, "-c", code], cwd=program.parent, env=HERE, capture_output=True, text=True)
    assert done.stdout.strip() == "8", done.stderr
