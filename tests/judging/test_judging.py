"""What to judge next: against every grading one by one, and after every grade that a judge could give."""

from __future__ import annotations

import json
import random
import re
import tracemalloc
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from ndcg_nb import bounds, compare, evaluate, judge_next, ndcg
from ndcg_nb.hood.comparisons.bounds import bound_differences
from ndcg_nb.hood.core import sums
from ndcg_nb.hood.core.conventions import Convention
from ndcg_nb.hood.display.pages import samples
from ndcg_nb.hood.judging import next as next_of
from ndcg_nb.hood.judging import worth as worth_of
from ndcg_nb.hood.judging.next import EXACT, FEWEST, Left
from ndcg_nb.hood.judging.open import Judging
from ndcg_nb.hood.limits import gradings
from ndcg_nb.hood.limits.gradings import find_ends
from ndcg_nb.hood.limits.open_queries import Search
from ndcg_nb.hood.reports.cli import main

GOLDEN = json.loads((ROOT / "tests/golden/next.json").read_text())["cases"]
KITCHEN = samples()
FILES = [str(KITCHEN / name) for name in ("qrels.txt", "bm25.run", "titles.run")]
RUNS = {"bm25": FILES[1], "titles": FILES[2]}
DEEP = 100
pytestmark = pytest.mark.filterwarnings("ignore:the scores of . rise")  # which random ones may do


def worths(todo: Any) -> dict[tuple[str, str], float]:
    return dict(zip(zip(todo.table["query"], todo.table["document"]), todo.table["worth"]))


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_golden_problems(case: dict[str, Any]) -> None:
    how = {"measure": f"ndcg(gain={case['gain']})@{case['k']}", "goal": case["goal"], "grades": case["grades"]}
    todo = judge_next(case["qrels"], case["runs"], None, depth=DEEP, **how)
    expected = case["expected"]
    assert todo.bounds["low"].mean() == pytest.approx(expected["low"], abs=1e-12)
    assert todo.bounds["high"].mean() == pytest.approx(expected["high"], abs=1e-12)
    found = worths(todo)
    for row in expected["worth"]:
        assert found.pop((row["query"], row["document"]), 0) == pytest.approx(row["worst"], abs=1e-12)
    assert not found
    rows = [(row["query"], row["document"]) for row in expected["worth"]]
    listed = worths(todo)
    order = sorted(rows, key=lambda pair: (-round(listed.get(pair, 0), 9), pair))
    assert [list(pair) for pair in order] == expected["by_worst"]
    falling = [round(x, 9) for x in todo.table["worth"]]
    assert falling == sorted(falling, reverse=True), "the table is in the order of worth"
    for row in expected["worth"]:
        line = todo.table[(todo.table["query"] == row["query"]) & (todo.table["document"] == row["document"])]
        for run, rank in row["ranks"].items() if len(line) else ():
            assert line[f"rank {run}"].fillna(0).tolist() == [rank or 0]


# Small problems that can be enumerated, of every kind

GAINS: list[Any] = ["linear", "exp", "binary", {0: 0, 1: 0.3, 2: 1, 3: 1}, {0: 0.5, 1: 1, 2: 4, 3: 4.5}]
DISCOUNTS = ["log2", "zipf", "jk:2"]
GRADES = [[0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 3], [1, 2, 3]]


def problem(seed: int) -> tuple[Any, Any, dict[str, Any]]:
    "Judgements, runs and settings"
    rng = random.Random(seed)
    names = [f"d{i}" for i in range(6)]
    qrels: dict[str, Any] = {}
    runs: dict[str, Any] = {name: {} for name in ("A", "B", "C")[: rng.choice([1, 2, 2, 3])]}
    for query in ("q1", "q2")[: rng.choice([1, 1, 2])]:
        for run in runs.values():
            if run and rng.random() < 0.15:
                continue  # a run may lack a query, though not all
            some = rng.sample(names, rng.randint(1, 5))
            run[query] = {name: rng.choice([1.0, 2.0, 3.0, rng.random()]) for name in some}
        judged = rng.sample(names, rng.choice([0, 2, 3, 4]))
        qrels[query] = {name: rng.choice([0, 0, 1, 2, 3]) for name in judged}
    gain = rng.choice(GAINS)
    k = rng.randint(1, 4)
    settings = [f"gain={gain}".replace(" ", ""), f"discount={rng.choice(DISCOUNTS)}"]
    settings.append(f"ties={rng.choice(['average', 'id', 'lowest-id'])}")
    how = {"measure": f"ndcg({','.join(settings)})@{k}", "grades": rng.choice(GRADES), "depth": rng.choice([k, 5])}
    how["goal"] = rng.choice(["width", "difference"]) if len(runs) > 1 else "width"
    if rng.random() < 0.3:
        how["weights"] = {query: rng.choice([1, 2, 5]) for query in qrels}
    return qrels, runs, how


def is_open(run: dict[str, float], document: str, depth: int) -> bool:
    "Whether fewer than `depth` results have a higher score"
    return document in run and sum(score > run[document] for score in run.values()) < depth


def by_enumeration(qrels: Any, runs: Any, how: dict[str, Any]) -> tuple[float, float, dict[tuple[str, str], float]]:
    "Low and high of the mean over runs or pairs, and the worth of every document, from all gradings"
    from ndcg_nb.hood.runs.notation import read_measure

    written = read_measure(how["measure"])
    weights = how.get("weights") or dict.fromkeys(qrels, 1)
    names = list(runs)
    total = sum(weights.values())
    pairs = list(combinations(names, 2)) if how["goal"] == "difference" else [(name,) for name in names]
    low = high = 0.0
    found = {}
    for query, judged in qrels.items():
        results = {name: run.get(query, {}) for name, run in runs.items()}
        some = {d for run in results.values() for d in run if is_open(run, d, how["depth"]) and d not in judged}
        unjudged = sorted(some)
        every = [*product(how["grades"], repeat=len(unjudged))]
        pools = [judged | dict(zip(unjudged, given)) for given in every]
        each = {name: values_of(run, pools, written) for name, run in results.items()}
        values = np.array([each[pair[-1]] - (each[pair[0]] if len(pair) > 1 else 0) for pair in pairs])
        share = weights[query] / total
        low = low + share * values.min(axis=1).mean()
        high = high + share * values.max(axis=1).mean()
        for i, document in enumerate(unjudged):
            after = []
            for grade in how["grades"]:
                kept = values[:, [given[i] == grade for given in every]]
                after.append(np.ptp(kept, axis=1).mean())
            found[query, document] = share * (np.ptp(values, axis=1).mean() - max(after))
    return low, high, found


def values_of(run: dict[str, float], pools: list[dict[str, float]], written: Any) -> np.ndarray:
    "nDCG of one list under each grading; what is in no pool, below the depth, gains nothing"
    if not run:
        return np.zeros(len(pools))
    gain = written.settings["gain"]
    if isinstance(gain, dict):
        worth = {**gain, -9: 0}
    else:
        forms = {"linear": lambda g: g, "exp": lambda g: 2**g - 1, "binary": lambda g: g > 0}
        worth = {g: float(forms[gain](g)) for g in range(4)} | {-9: 0}
    rel = [[pool.get(document, -9) for document in run] for pool in pools]
    absent = [-9] * sum(document not in pools[0] for document in run)
    whole = [[*pool.values(), *absent] for pool in pools]
    scores = [[x + 0.5 for x in run.values()]] * len(pools)
    ids = [[*run]] * len(pools)
    how = {"discount": written.settings["discount"], "ties": written.settings["ties"], "gain": worth, "empty": 0}
    return np.asarray(ndcg(rel, written.cutoffs[0], pool=whole, scores=scores, ids=ids, **how))


@pytest.mark.parametrize("seed", range(120))
def test_every_grading_of_small_problems(seed: int) -> None:
    qrels, runs, how = problem(seed)
    todo = judge_next(qrels, runs, None, **how)
    low, high, expected = by_enumeration(qrels, runs, how)
    assert todo.bounds["low"].mean() == pytest.approx(low, abs=1e-12)
    assert todo.bounds["high"].mean() == pytest.approx(high, abs=1e-12)
    found = worths(todo)
    assert found.keys() <= expected.keys()
    for pair, worth in expected.items():
        assert found.get(pair, 0) == pytest.approx(worth, abs=1e-12), pair


@pytest.mark.parametrize("seed", range(40))
def test_after_a_grade_the_width_falls_by_at_least_the_worth(seed: int) -> None:
    qrels, runs, how = problem(1000 + seed)
    todo = judge_next(qrels, runs, None, **how)
    for (query, document), worth in worths(todo).items():
        assert worth >= 0
        after = [todo.add({query: {document: grade}}) for grade in how["grades"]]
        falls = [todo.width - one.width for one in after]
        assert min(falls) == pytest.approx(worth, abs=1e-12), (query, document)
        for one in after:
            low = one.bounds["low"] - todo.bounds["low"]
            high = todo.bounds["high"] - one.bounds["high"]
            assert (low > -1e-12).all() and (high > -1e-12).all(), "no end ever moves out"
            again = judge_next(one.qrels, runs, None, **how)
            assert again.bounds.equals(one.bounds) or np.allclose(again.bounds["low"], one.bounds["low"])


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_rows_runs_and_queries_does_not_matter(seed: int) -> None:
    qrels, runs, how = problem(2000 + seed)
    rng = random.Random(seed)

    def shuffled(x: Any) -> Any:
        items = [(key, shuffled(inner) if isinstance(inner, dict) else inner) for key, inner in x.items()]
        return dict(rng.sample(items, len(items)))

    first = judge_next(qrels, runs, None, **how)
    other = judge_next(shuffled(qrels), shuffled(runs), None, **how)
    for column in ("query", "document", *(f"rank {run}" for run in runs)):
        assert first.table[column].astype(object).tolist() == other.table[column].astype(object).tolist()
    assert np.allclose(first.table["worth"], other.table["worth"], atol=1e-12)
    assert first.width == pytest.approx(other.width, abs=1e-12)


def test_the_difference_has_two_signs() -> None:
    one = judge_next(FILES[0], {"a": FILES[1], "b": FILES[2]})
    other = judge_next(FILES[0], {"b": FILES[2], "a": FILES[1]})
    assert one.bounds["low"][0] == pytest.approx(-other.bounds["high"][0], abs=1e-12)
    assert one.sure == other.sure == "a is ahead"


def test_equal_runs_have_nothing_to_judge() -> None:
    same = {run: {"q": ["a", "b"]} for run in "AB"}
    todo = judge_next({"q": {"a": 1}}, same)
    assert len(todo.table) == 0
    assert todo.left == Left(1, 0)
    assert todo.sure == "A and B are equal"
    assert len(judge_next({"q": {"c": 1}}, same, goal="width").table) == 2


def test_the_package_has_the_same_bounds() -> None:
    "Over every result, `bounds` and `bound_differences` say the same"
    results = evaluate(FILES[0], [FILES[1], FILES[2]], "ndcg@5")
    sides = [side[False] for side in results.sides().values()]
    numbers = range(len(results.queries))
    for run, side in zip(FILES[1:], sides):
        todo = judge_next(FILES[0], run, measure="ndcg@5", depth=DEEP)
        ends = []
        for shown, pool in map(side.results, numbers):
            rel = [pool.get(document, np.nan) for document in shown]
            others = [grade for document, grade in pool.items() if document not in shown]
            how = {"grades": [0, 1, 2, 3], "scores": [*shown.values()], "empty": 0}
            ends.append(bounds(rel, 5, pool=rel + others, **how) if rel else (0, 0))
        assert todo.bounds[["low", "high"]].values[0] == pytest.approx(np.mean(ends, axis=0), abs=1e-12)
    lists = [(sides[0].results(i)[0], *sides[1].results(i)) for i in numbers]
    low, high = bound_differences(lists, 5, Convention(empty=0), [0, 1, 2, 3])
    pair = judge_next(FILES[0], RUNS, measure="ndcg@5", depth=DEEP).bounds
    assert [pair["low"][0], pair["high"][0]] == pytest.approx([low.mean(), high.mean()], abs=1e-12)


def test_from_results_and_comparisons() -> None:
    result = evaluate(FILES[0], [FILES[1], FILES[2]], "ndcg@5,10 judged@10")
    whole = judge_next(FILES[0], FILES[1:], 7)
    assert result.judge_next(7, measure="ndcg@10").table.equals(whole.table)
    found = compare(result, measure="ndcg@10").judge_next(7)
    assert found.table.equals(whole.table)
    assert found.bounds.equals(whole.bounds)
    unjudged = result.unjudged(3)
    expected = set()
    for run, side in result.sides().items():
        for query in result.queries:
            shown, pool = side[False].results(result.queries.index(query))
            above = {d: sum(x > score for x in shown.values()) for d, score in shown.items()}
            expected |= {(run, query, 1 + rank, d) for d, rank in above.items() if rank < 3 and d not in pool}
    assert {*unjudged.itertuples(index=False, name=None)} == expected
    assert len(unjudged) == len(expected) > 3
    assert list(unjudged.columns) == ["run", "query", "rank", "document"]
    assert set(result.unjudged()["rank"]) <= {*range(1, 6)}, "without k, down to the cutoff of the first nDCG"
    with pytest.raises(ValueError, match="judge_next is for nDCG, and this is an evaluation of ap@10"):
        evaluate(*FILES[:2], "ap@10").judge_next()
    values = {"A": {"q1": 0.1, "q2": 0.4}, "B": {"q1": 0.2, "q2": 0.2}}
    with pytest.raises(ValueError, match="judge_next needs judgements and runs"):
        compare(values).judge_next()


def test_of_a_database() -> None:
    import pandas as pd

    duckdb = pytest.importorskip("duckdb")
    qrels = pd.read_csv(FILES[0], sep=" ", names=["query", "_", "document", "grade"])
    run = pd.read_csv(FILES[1], sep=" ", names=["query", "_", "document", "rank", "score", "tag"])
    connection = duckdb.connect()
    connection.register("qrels", qrels[["query", "document", "grade"]])
    connection.register("run", run[["query", "document", "score"]])
    result = evaluate("qrels", "run", "ndcg@10", connection=connection)
    assert result.judge_next(5).width == pytest.approx(judge_next(*FILES[:2], 5).width, abs=1e-12)


def test_queries_without_judgements_are_open() -> None:
    run = {"q1": ["a"], "q2": ["b"]}
    assert judge_next({}, run, grades=[0, 1]).left == (2, 2)
    assert judge_next({"q1": {"a": 1}, "q2": {}}, run).left == (1, 1)
    ignored = judge_next({"q1": {"a": 1}}, run)
    assert ignored.left == (0, 0)
    assert "1 query of the runs has no judgements (ignored): 'q2'" in ignored.notes[-1]
    assert judge_next({"q1": {"a": 1}}, run, queries="all").left == (1, 1)
    assert judge_next({"q1": {"a": 1}}, run, queries=["q2"]).left == (1, 1)


def test_depth_is_an_assumption_and_is_noted() -> None:
    shallow, deep = (judge_next(*FILES[:2], measure="ndcg@5", depth=depth) for depth in (5, 10))
    assert shallow.width < deep.width
    assert shallow.left.open < deep.left.open
    assert "depth=5: unjudged documents below rank 5 in every run count as 0." in shallow.notes
    whole = judge_next(*FILES[:2], measure="ndcg", depth=3)
    assert whole.judging.depth == 3
    assert whole.left.open == judge_next(*FILES[:2], measure="ndcg@3").left.open


def test_why() -> None:
    two = {"A": {"q": ["d1", "d2", "d3"]}, "B": {"q": ["d1", "d4", "d2"]}}
    why = judge_next({"q": {"d2": 1}}, two, measure="ndcg@2", depth=3, grades=[0, 1, 2]).table.set_index("document")[
        "why"
    ]
    assert why["d4"] == "rank 2 in B, not in A"
    assert why["d1"] == "rank 1 in both: moves the ideal only"
    assert why["d3"] == "below the cutoff: moves the ideal only"
    assert (
        judge_next({"q": {"a": 1}}, {"q": ["a", "b"]}, grades=[0, 2]).table["why"][0]
        == "last unjudged result of the query"
    )


def test_a_list_that_is_filled_in_comes_back(tmp_path: Path) -> None:
    todo = judge_next(FILES[0], RUNS, 6)
    path = todo.save(
        tmp_path / "to_judge.tsv", texts=lambda document: f"about\n{document}\t<b>", queries={"q01": "eggs?"}
    )
    head, *lines = path.read_text().splitlines()
    assert head == "query\tdocument\tgrade\tquestion\ttext"
    assert len(lines) == 6
    assert not any(word in path.read_text() for word in ("rank", "worth", "bm25", "titles"))
    queries = [line.split("\t")[0] for line in lines]
    assert sorted(queries, key=queries.index) == queries, "documents of a query come together"
    with pytest.raises(ValueError, match=r"nothing is graded in to_judge\.tsv: fill in its column 'grade'"):
        todo.add(path)
    path.write_text("\n".join([head, *(line.replace("\t\t", "\t1\t", 1) for line in lines[:4]), *lines[4:]]) + "\n")
    after = todo.add(str(path))
    assert after.left.open == todo.left.open - 4
    assert after.width < todo.width
    again = judge_next(after.save(tmp_path / "new.qrels"), RUNS, 6)
    assert again.bounds.equals(after.bounds)
    assert again.table.equals(after.table)
    assert (after.save(tmp_path / "table.csv")).read_text().startswith("query,document,rank bm25")


# Beside the calls of judge_next in tests/golden/record/messages.txt, which has whole messages
@pytest.mark.parametrize(
    "given, how, words",
    [
        (FILES[:2], {"measure": "ndcg"}, "give one, as in ndcg@10, or give depth="),
        (FILES[:2], {"measure": "ndcg(ties=best)@10"}, "depends on the grades"),
        (FILES[:2], {"measure": "ndcg(ideal=hits)@10"}, "ideal is 'hits'"),
        (FILES[:2], {"measure": "ndcg(ideal=list)@10"}, "give ideal='pool'"),
        (FILES[:2], {"measure": "ndcg(empty=1)@10"}, "0/0 counts as 0"),
        (FILES[:2], {"depth": 9}, "give depth=10 or more"),
        (FILES[:2], {"queries": "q01"}, "give a list of ids, 'all'"),
        ((FILES[0], RUNS), {"baseline": "bm52"}, "did you mean 'bm25'"),
        (({"q": {"a": 0}}, {"q": ["a"]}), {}, "the highest grade given is 0"),
        (({"q": {"a": 0.5}}, {"q": ["a"]}), {}, "a grade is 0.5: give grades="),
        (({"x": {"a": 1}}, {"A": {"y": ["a"]}}), {}, "no query in common"),
        (({}, {}), {}, "there is nothing to judge"),
    ],
)
def test_what_it_refuses(given: Any, how: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        judge_next(*given, **how)


def test_grades_that_are_refused(tmp_path: Path) -> None:
    todo = judge_next({"q": {"a": 2}}, {"q": ["a", "b", "c"]})
    path = tmp_path / "filled.tsv"

    def add(*lines: str) -> Any:
        path.write_text("\n".join(["query\tdocument\tgrade\tjudge", *lines]) + "\n")
        return todo.add(path)

    for lines, message in {
        ("q\tb\t7\t",): r"filled.tsv:2: the grade of document 'b' of query 'q' is 7, which is not one of 0, 1, 2",
        ("q\tb\t1\t", "q\tc\t2?\t"): r"filled.tsv:3: the grade of document 'c' of query 'q' is '2\?'",
        ("q\tb\t\t",): "nothing is graded in filled.tsv",
        (
            "q\tb\t1\tann",
            "q\tb\t2\tann",
        ): r"filled.tsv:3: document 'b' of query 'q' was graded twice, 1 \(filled.tsv:2\)",
        ("q\ta\t1\t",): "document 'a' of query 'q' has grade 1, and was judged 2",
        ("\tb\t1\t",): "filled.tsv:2: there is no query",
    }.items():
        with pytest.raises(ValueError, match=message):
            add(*lines)
    two = add("q\tb\t1\tann", "q\tb\t2\tbob")
    assert two.qrels["q"]["b"] == 1
    assert any("Judges differ on 1 document" in note for note in two.notes)
    strange = add("q\tzz\t1\t", "other\tb\t1\t")
    assert "Graded, and not among the unjudged results of these runs: zz (q), b (other)." in strange.notes
    assert strange.qrels == {"q": {"a": 2, "zz": 1}}, "a document that no run has may be in the ideal"


def test_a_file_of_grades_may_have_empty_lines(tmp_path: Path) -> None:
    todo = judge_next({"q": {"a": 2}}, {"q": ["a", "b", "c"]})
    path = tmp_path / "filled.tsv"
    path.write_text("query\tdocument\tgrade\tjudge\taction\n\nq\tb\t1\t\t\n  \nq\tc\t0\t\tgrade\n")
    assert todo.add(path).qrels == {"q": {"a": 2, "b": 1, "c": 0}}
    path.write_text("query\tdocument\tgrade\tjudge\taction\n\nq\tb\t1\t\tforget\n")
    with pytest.raises(ValueError, match="tsv:3: the action is 'forget': it should be one of grade, skip, undo"):
        todo.add(path)


def test_texts_may_be_a_table(tmp_path: Path) -> None:
    import pandas as pd

    todo = judge_next({"q": {"a": 2}}, {"q": [7, "a"]})
    texts = pd.DataFrame({"id": ["a", 7], "text": ["an egg", "a pan"]})
    path = todo.save(tmp_path / "to_judge.tsv", texts=texts)
    assert path.read_text() == "query\tdocument\tgrade\ttext\nq\t7\t\ta pan\n"
    with pytest.raises(ValueError, match="texts has the columns 'id', 'text', 'more': give two, the id and its text"):
        todo.save(tmp_path / "more.tsv", texts=texts.assign(more=1))
    assert not (tmp_path / "more.tsv").exists()


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    todo = judge_next({"q": {"an egg": 2}}, {"q": ["an egg", "b"]})
    with pytest.raises(ValueError, match="'q' or 'an egg' has a space, which TREC's format cannot hold: rename it"):
        todo.save(tmp_path / "new.qrels")
    for name in ("new.qrels", "new.csv"):
        with pytest.raises(TypeError, match=f"go with a list to fill in: '{name}' does not end in .tsv"):
            todo.save(tmp_path / name, texts={"b": "a pan"})
    assert not [*tmp_path.iterdir()], "nor is a file begun"


def test_which_of_three_runs_is_ahead() -> None:
    runs = {"A": {"q": ["a", "b", "c"]}, "B": {"q": ["a", "b", "c"]}, "C": {"q": ["c", "b", "a"]}}
    judged = {"q": {"a": 2, "c": 0}}
    every = judge_next(judged, runs, grades=[0, 1, 2])
    assert every.sure == "A and B are equal; A is ahead of C; B is ahead of C"
    of_one = judge_next(judged, runs, grades=[0, 1, 2], baseline="B")
    assert of_one.bounds[["a", "b", "ahead"]].values.tolist() == [["B", "A", "equal"], ["B", "C", "B"]]
    assert of_one.sure == "B and A are equal; B is ahead of C"
    to_c = every.bounds.set_index(["a", "b"]).loc[("B", "C"), ["low", "high"]]
    assert of_one.bounds.loc[1, ["low", "high"]].tolist() == to_c.tolist()
    is_open = judge_next({"q": {"a": 2}}, runs)
    assert is_open.sure == "A and B are equal", "a pair that is open is not named"


def test_blocks_do_not_change_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    "Many queries are worked out block by block; here each block is one query"
    whole = judge_next(FILES[0], RUNS, None)
    sizes = []

    def counted(scale: Any, x: Any, barren: float) -> Any:
        sizes.append(len(x.stake))
        return find_ends(scale, x, barren)

    monkeypatch.setattr(sums, "BLOCK", 1)
    monkeypatch.setattr(gradings, "find_ends", counted)
    in_blocks = judge_next(FILES[0], RUNS, None)
    assert sizes == [1] * 9
    assert in_blocks.bounds.equals(whole.bounds)
    assert in_blocks.table.equals(whole.table)


def test_a_shortlist_has_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    "Exact worth is for the first by weight over ideal; the first documents of that are the first of all, here"
    rng = random.Random(3)
    names = [f"d{i}" for i in range(40)]
    runs = {run: {f"q{i}": rng.sample(names, 10) for i in range(60)} for run in ("A", "B")}
    qrels = {f"q{i}": {name: rng.choice([0, 0, 1, 2]) for name in rng.sample(names, 25)} for i in range(60)}
    whole = judge_next(qrels, runs, None)
    some = judge_next(qrels, runs, 20)
    assert len(whole.table) > EXACT * FEWEST
    assert sum(some.table["worth"]) >= 0.97 * sum(whole.table["worth"].head(20))


def test_few_queries_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    "Of those with the largest simple worth; and a grade asks for the ends of its own query alone"
    rng = random.Random(5)
    names = [f"d{i}" for i in range(30)]
    runs = {run: {f"q{i}": rng.sample(names, 20) for i in range(400)} for run in ("A", "B", "C")}
    qrels = {f"q{i}": {name: rng.choice([0, 1, 2, 3]) for name in rng.sample(names, 5)} for i in range(400)}
    weighed = []
    searched = []

    def noted_falls(scale: Any, state: Any) -> Any:
        weighed.append(state)
        return worth_of.guaranteed_falls(scale, state)

    def noted_ends(judging: Any, queries: Any) -> Any:
        searched.append(len(queries))
        return Search.ends(judging, queries)

    monkeypatch.setattr(next_of, "guaranteed_falls", noted_falls)
    monkeypatch.setattr(Judging, "ends", noted_ends, raising=False)
    todo = judge_next(qrels, runs)
    document = todo.table["document"][0]
    todo.add({todo.table["query"][0]: {document: 1}}).bounds  # noqa: B018
    assert searched == [400, 1]
    assert len(weighed) <= EXACT * FEWEST


def test_queries_without_judgements_count_if_asked_for(capsys: pytest.CaptureFixture) -> None:
    assert main(["next", *FILES, "-n", "50"]) == 0
    assert "no judgements (ignored): 'q09'" in capsys.readouterr().err
    assert main(["next", *FILES, "-n", "50", "--all"]) == 0
    shown = capsys.readouterr()
    assert "q09" in shown.out
    assert "ignored" not in shown.err


def test_in_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["next", *FILES, "-n", "3", "-o", "to_judge.tsv", "--until", "sure"]) == 0
    shown = capsys.readouterr()
    assert "bm25.run is ahead, whatever the grades." in shown.err
    assert "wrote to_judge.tsv" in shown.err
    lines = Path("to_judge.tsv").read_text().splitlines()
    assert len(lines) == 4
    Path("ann.tsv").write_text("\n".join([lines[0], *(line + "0" for line in lines[1:])]) + "\n")
    assert main(["next", *FILES, "--add", "ann.tsv", "--save", "new.qrels", "--until", "0.05"]) == 1
    assert "failed: the width is 0.3" in capsys.readouterr().err
    assert len(Path("new.qrels").read_text().splitlines()) == 79
    Path("none.qrels").write_text("")
    assert main(["next", "none.qrels", FILES[1], "--grades", "0,1,2", "-n", "2", "--quiet"]) == 0


@pytest.mark.parametrize(
    "words, message",
    [
        ([FILES[0]], "there is no run: give QRELS and a run or more"),
        ([*FILES[:2], "--until", "sure"], "--until sure is about a difference"),
        (["none.qrels", FILES[1]], "give --grades"),
        ([*FILES, "-o", "list.csv"], "-o list.csv should end in .tsv"),
        ([*FILES, "--until", "soon"], "'soon' should be 'sure', or a width such as 0.05"),
        ([*FILES, "--add", "to_judge.tsv"], "nothing is graded"),
        ([*FILES, "-m", "ap@10"], "judge_next is for nDCG"),
    ],
)
def test_what_the_command_refuses(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.qrels").write_text("")
    Path("to_judge.tsv").write_text("query\tdocument\tgrade\nq01\tdoc\t\n")
    assert main(["next", *words]) == 2
    assert message in capsys.readouterr().err


def test_many_unjudged_of_one_query_in_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    "A state for each grade of each document is not kept at once; and blocks change nothing"

    def ask(count: int) -> Any:
        run = {"q": {f"d{i}": float(-i) for i in range(count)}}
        return judge_next({"q": {"d0": 2, "d3": 1}}, run, None, measure=f"ndcg@{count}", grades=[0, 1, 2]).table

    tracemalloc.start()
    ask(1_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6
    whole = ask(60)
    monkeypatch.setattr(worth_of, "AT_ONCE", 100)
    pd.testing.assert_frame_equal(ask(60), whole, rtol=1e-12)
