"""Random problems for every road, and what two roads must agree on.

The problems are hostile on purpose: ties, infinite scores, queries that are missing, empty or not judged, documents
that are not judged or have the id of their query, several runs and measures, weights, and in some of them one fault.
Compared is everything a result says: values, means, notes, how much was judged, explanations; or the type and the
words of a refusal. Where roads may differ, the lists below say so, and nothing else may.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ndcg_nb import evaluate
from ndcg_nb.hood.runs.scoring import share_at, shares_of

Frames = tuple[pd.DataFrame, dict[str, pd.DataFrame]]

# A refusal names the row in memory, and the pair in an engine, whose rows have no numbers: what it says is the same.
SAME_WORDS: list[tuple[str, str]] = [
    (r".*: the score is nan.*|.* has a score that is NULL or NaN among .*", "a score is nan"),
    (r".*document .* appears twice among the results of query ('\w+').*", r"query \1 has a document twice"),
    (r".*: query ('\w+') has a document twice, or one without an id among .*", r"query \1 has a document twice"),
    (r"(?:qrels: )?(document '\w+' of '\w+' has two grades): (\S+) .*and ([^:\s]+).*", r"\1: \2 and \3"),
    (r".*: the grade is nan, and must.*|qrels: the grade of .* is nan, and must.*", "a grade is nan"),
    (r"qrels(?:, row \d+)?: (the grade of document .*)", r"\1"),
    (r".* is (-?\d+), (above 2\*\*53, where .*)", r"\1, \2"),
    (r"(qrels and \w+ have no \w+ in common): .*", r"\1"),  # which are named in the order in which they are found
    (r".*ties='(first|last)' goes by the order of rows, .*", "no order"),
]
# What an engine sees only among the first k results: it does not read the rest, and answers.
ONLY_THE_FIRST = {"a score is nan", "query has a document twice"}
# Sentences about how a run was read, which are not about what it is.
HOW_IT_WAS_READ = r".*was read at once, and not in pieces: .*|.* It was read several times\."

GRADED = """
ndcg@1 ndcg@5 ndcg dcg@5 cg@2 judged@3 idcg@5 ncg@3 gain_recall@5 ndcg(gain=exp)@10 dcg(gain=exp,ties=id)@3
ndcg(ties=id)@1 ndcg(ties=worst)@3 ndcg(ties=best)@2 ndcg(ideal=list,empty=1)@5 ndcg(empty=1)@3
ndcg(ideal=list)@4 ndcg(ideal=hits)@4 ndcg(ideal=list,empty=raise)@4 gain_recall(ideal=list,empty=1)@3
ndcg(ideal=hits,empty=1)@4 ndcg(ideal=reached)@2 ndcg(minus_inf=last)@3 ndcg(precision=float32)@2
ndcg(gain={0:1,1:4,2:5,3:9})@5 ndcg(gain={0:1,1:4,2:5,3:9},ideal=list)@5 ndcg(gain={0:0,1:1})@3 ndcg(empty=raise)@5
ndcg(like=beir)@5 ndcg(like=lightgbm)@5 ndcg(like=trec_eval)@2
"""
OF_HITS = """
p@1,5 recall@1,5,30 p(level=2)@3 recall p(level=3,ties=worst)@3 recall(ties=id)@2 recall(empty=nan)@3
p(empty=1,level=2)@2 p(like=trec_eval)@5 recall(like=catboost)@5 recall(ideal=list)@5 p(ideal=list,per=relevant)@5
rr@1,4 ap@3,30 success@1,5 mrr(level=3)@5 map(level=2)@4 rr(ties=id)@3 ap(ties=lowest-id) success(ties=id)@2
rr(ties=worst) ap(ties=best)@5 ap(minus_inf=last) rr(empty=nan)@3 ap(empty=1,level=2) success(empty=0.5,level=3)@2
ap(per=k)@5 rr(precision=float32) rr(like=trec_eval) ap(like=trec_eval)@5 success(like=trec_eval)@5
rr(like=ir_measures)@5 ap(ideal=list)@5 rr(ideal=list) success(ideal=list)@3 ap(ideal=reached)@3 rr(ideal=hits)@4
"""
SCORES = [0.0, 0.5, 0.5, 1.0, 1.0, 1.00000001, 2.0, -1.0, -np.inf, np.inf, 1e39, 3e39, -1e39]
FAULTS = ["score", "null", "twice", "grade", "two", "large", "huge", "large grade", "strangers"]


class Problem(NamedTuple):
    "What is asked of whom"

    qrels: pd.DataFrame
    runs: dict[str, pd.DataFrame]
    how: dict[str, Any]


def some(rng: np.random.Generator, documents: np.ndarray, most: int) -> np.ndarray:
    "A few documents, in the order of their names"
    number = rng.integers(1, most)
    return np.sort(rng.choice(documents, number, replace=False))


def frames(rng: np.random.Generator) -> Frames:
    "Judgements and runs, by query and document, so that the order of appearance is that of the names"
    names = [f"q{i}" for i in range(rng.integers(1, 6))]
    documents = np.array([*(f"d{i}" for i in range(8)), "q0", "q1"])
    judged = []
    for i, query in enumerate(names):
        for document in some(rng, documents, 8):
            grade = float(rng.integers(0, 4)) * (rng.random() < 0.7)
            judged.append((query, document, grade * (i != 1)))
    runs = {}
    for name in ("one", "two")[: rng.integers(1, 3)]:
        queries = [q for q in names if rng.random() < 0.75] + ["x0", "x1"][: rng.integers(0, 3)]
        scores = SCORES[:8] if rng.random() < 0.5 else SCORES
        shown = [(q, d, float(rng.choice(scores))) for q in queries or names[:1] for d in some(rng, documents, 9)]
        runs[name] = pd.DataFrame(shown, columns=["query", "document", "score"])
    return pd.DataFrame(judged, columns=["query", "document", "grade"]), runs


def spoil_run(run: pd.DataFrame, fault: str, row: int) -> pd.DataFrame:
    run = run.copy()
    if fault in ("score", "null"):
        run.loc[row, "score"] = np.nan
    elif fault == "twice":
        again = run[row : row + 1]
        return pd.concat([run, again]).sort_values("query", kind="stable", ignore_index=True)
    elif fault in ("large", "huge"):
        numbers = np.arange(len(run))
        numbers[row] = 2**53 + 1 if fault == "large" else -(2**62)
        run["score"] = numbers
    else:
        run["document"] = "z" + run["document"]
    return run


def spoil_judgements(qrels: pd.DataFrame, fault: str, row: int) -> pd.DataFrame:
    qrels = qrels.copy()
    if fault == "grade":
        qrels.loc[row, "grade"] = np.nan
    elif fault == "two":
        again = qrels[row : row + 1]
        return pd.concat([qrels, again.assign(grade=7.0)], ignore_index=True)
    else:
        qrels["grade"] = qrels["grade"].astype(int)
        qrels.loc[row, "grade"] = 2**60
    return qrels


def spoilt(qrels: pd.DataFrame, runs: dict[str, pd.DataFrame], fault: str, rng: np.random.Generator) -> Frames:
    "The same with one fault"
    first, run = next(iter(runs.items()))
    row = int(rng.integers(len(run)))
    judgement = int(rng.integers(len(qrels)))
    if fault in ("grade", "two", "large grade"):
        return spoil_judgements(qrels, fault, judgement), runs
    return qrels, {**runs, first: spoil_run(run, fault, row)}


def problem(seed: int, measures: str = GRADED, like: str | None = None) -> Problem:
    "A random problem, of some of these measures or of a dialect; in every fourth something is wrong"
    rng = np.random.default_rng(seed)
    qrels, runs = frames(rng)
    if seed % 4 == 3:
        fault = str(rng.choice(FAULTS))
        qrels, runs = spoilt(qrels, runs, fault, rng)
    how: dict[str, Any] = {"missing": rng.choice([None, "zero", "skip", "error"], p=[0.4, 0.3, 0.2, 0.1])}
    how["ignore_self"] = rng.choice([None, None, True])
    how["disjoint"] = str(rng.choice(["error", "zero"]))
    if rng.random() < 0.25:
        how["weights"] = {q: float(rng.integers(1, 9)) for q in qrels["query"].unique()}
    if like is not None:
        asked = str(rng.choice(["ndcg@3", "ndcg", "ndcg@1,5 dcg@2"]))
        return Problem(qrels, runs, how | {"like": like, "measures": asked})
    chosen = rng.choice(measures.split(), int(rng.integers(1, 5)), replace=False)
    return Problem(qrels, runs, how | {"measures": " ".join(chosen)})


def answer(ask: Callable[[], Any]) -> Any:
    "A result; or how it was refused, in the words that all roads share"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ask()
        except (ValueError, OverflowError) as error:
            said = str(error).partition(". Where they fit into memory")[0]
            for pattern, words in SAME_WORDS:
                said = re.sub(f"^(?:{pattern})$", words, said, flags=re.S)
            return type(error), said


def in_memory(x: Problem) -> Any:
    return answer(lambda: evaluate(x.qrels, x.runs, **x.how))


def notes(x: Any) -> list[str]:
    "Without the share, which is compared as a number"
    found = []
    for note in x.notes:
        if re.fullmatch(HOW_IT_WAS_READ, note):
            continue
        note = re.sub(r"\d+%", "%", note)
        unjudged = re.fullmatch(r"(.* of )(.*)( ha(?:s|ve) no judgements \(ignored\)): .*", note)
        if unjudged:  # queries are named as they are found, so two runs share a note only if they were read alike
            before, runs, after = unjudged.groups()
            found += [before + run + after for run in runs.split(" and ")]
        else:
            found.append(note)
    return found


def shares(x: Any) -> list[np.ndarray]:
    asked = share_at(x.share, x.asked)
    return [shares_of(next(iter(side.values())), asked, run) for run, side in x.sides().items()]


def same_flags(ours: Any, theirs: Any, about: Any) -> None:
    "Which queries are missing, and which have nothing to find"
    for mine, other in zip(ours.scored, theirs.scored):
        for x, y in zip(mine, other):
            np.testing.assert_array_equal(x.missing, y.missing, err_msg=str(about))
            np.testing.assert_array_equal(x.empty, y.empty, err_msg=str(about))


def same_explanation(ours: Any, theirs: Any, about: Any) -> None:
    "Of the last query in the first run, by the first ndcg that is asked for"
    written = [str(w) for a in ours.asked for w in a.written.each() if w.name == "ndcg"]
    if not written:
        return
    query = ours.queries[-1]
    run = ours.runs[0]
    mine, other = (answer(lambda x=x: pd.DataFrame(x.explain(query, written[0], run))) for x in (ours, theirs))
    if isinstance(mine, tuple) or isinstance(other, tuple):
        assert mine == other, about
    else:
        pd.testing.assert_frame_equal(mine, other, rtol=0, atol=1e-9, obj=str(about))


def compare(ours: Any, theirs: Any, about: Any) -> None:
    "Everything that two results say, or how they were refused"
    if isinstance(ours, tuple) or isinstance(theirs, tuple):
        assert ours == theirs, about
        return
    assert ours.runs == theirs.runs, about
    assert ours.measures == theirs.measures, about
    assert ours.queries == theirs.queries, about
    for mine, other in ((ours.values, theirs.values), (ours.means, theirs.means), (shares(ours), shares(theirs))):
        np.testing.assert_allclose(mine, other, rtol=0, atol=1e-12, err_msg=str(about))
    assert notes(ours) == notes(theirs), about
    same_flags(ours, theirs, about)
    same_explanation(ours, theirs, about)


def only_first(here: Any, there: Any) -> bool:
    "Whether memory refuses what an engine need not have seen"
    is_refused_here = isinstance(here, tuple) and not isinstance(there, tuple)
    return is_refused_here and re.sub(r" '\w+'", "", here[1]) in ONLY_THE_FIRST


def check(here: Any, there: Any, about: Any) -> None:
    "That a road gives the answer of memory"
    if not only_first(here, there):
        compare(there, here, about)


# ------------------------------------------------------------------------------------------------------ likely mistakes
def table(rows: list[tuple[str, str, float]], name: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["query", "document", name])


GRADES = table([("1", "a", 2), ("1", "b", 0), ("2", "c", 1)], "grade")
SCORED = table([("1", "a", 0.9), ("1", "b", 0.8), ("1", "c", 0.7), ("2", "c", 0.6)], "score")
RANKED = table([(q, d, x) for q in "1234" for x, d in enumerate("cba", 1)], "grade")
EQUAL = table([(q, d, float(d == "a")) for q in "1234" for d in "abc"], "score")
LIKELY: dict[str, tuple[pd.DataFrame, pd.DataFrame, int]] = {  # judgements, a run, and how many notes there are
    "nothing": (GRADES, SCORED, 0),
    "swapped": (SCORED.set_axis([*GRADES], axis=1), GRADES.set_axis([*SCORED], axis=1), 1),
    "swapped, and scores are whole": (RANKED, EQUAL, 1),
    "whole scores in their place": (EQUAL.set_axis([*GRADES], axis=1), RANKED.set_axis([*SCORED], axis=1), 0),
    "fractions on both sides": (GRADES.assign(grade=[0.5, 1.5, 2.5]), SCORED, 0),
    "whole numbers on both sides": (GRADES, SCORED.assign(score=[4.0, 3.0, 2.0, 1.0]), 0),
    "numbers": (
        GRADES.assign(query=[1, 1, 2], document=[1, 2, 3]),
        SCORED.assign(query=[1, 1, 1, 2], document=[*"1233"]),
        0,
    ),
}


def told_swapped(qrels: Any, run: Any) -> list[str]:
    "What is said where judgements and a run may be swapped"
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        evaluate(qrels, {"run": run}, disjoint="zero", missing="zero")
    return [str(x.message) for x in noted if "are they swapped" in str(x.message)]
