"""Judged by a model: means of people and model together, distributions of grades, grades that are a step off."""

import warnings
from itertools import product
from math import comb, prod, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from shared.references import close

from ndcg_nb import evaluate, ndcg
from ndcg_nb.doubtful import expected_ndcg, expected_run
from ndcg_nb.hood.judging.raters import FEW
from ndcg_nb.hood.limits import expectations
from ndcg_nb.judges import agreement, corrected_mean, how_many

nan = float("nan")
inf = float("inf")
GRADES = [0, 1, 2, 3]

# The example of eight documents, five of them shown
EIGHT = [
    [0.05, 0.10, 0.25, 0.60],
    [0.10, 0.20, 0.50, 0.20],
    [0.60, 0.25, 0.10, 0.05],
    [0.05, 0.15, 0.30, 0.50],
    [0.40, 0.30, 0.20, 0.10],
    [0.70, 0.20, 0.08, 0.02],
    [0.30, 0.40, 0.20, 0.10],
    [0.80, 0.15, 0.04, 0.01],
]


# Expected nDCG


def enumerated(rows: list, shown: int, grades: list, empty: Any, **how: Any) -> tuple[float, float, float]:
    "Mean, standard deviation and the chance of 0/0, from every grading"
    values = []
    chances = []
    barren = 0.0
    for picked in product(range(len(grades)), repeat=len(rows)):
        chance = prod(row[i] for row, i in zip(rows, picked))
        given = [grades[i] for i in picked]
        value = ndcg(given[:shown], pool=given, empty=nan, **how) if given else nan
        barren += chance if value != value else 0.0
        if value == value or empty is not None:
            values.append(empty if value != value else value)
            chances.append(chance)
    if not sum(chances):
        return nan, nan, barren
    mean = np.average(values, weights=chances)
    variance = np.average((np.array(values) - mean) ** 2, weights=chances)
    return float(mean), sqrt(variance), barren


@pytest.mark.parametrize("empty", [None, 0, 1])
def test_expected_is_that_of_every_grading(empty: Any) -> None:
    rng = np.random.default_rng(27)
    for _ in range(70):
        grades = [[0, 1], [0, 1, 2], [0, 1, 2, 3], [1, 2]][rng.integers(4)]
        documents = int(rng.integers(1, 6 if len(grades) < 4 else 5))
        shown = int(rng.integers(1, documents + 1))
        rows = rng.dirichlet(np.ones(len(grades)), documents).round(3)
        rows[:, 0] += 1 - rows.sum(axis=1)
        rows[rng.random(documents) < 0.2] = np.eye(len(grades))[0]
        gain = ["linear", "exp", "binary"][rng.integers(3)]
        how: dict[str, Any] = {"k": int(rng.integers(1, 6)), "gain": gain}
        if rng.random() < 0.5:
            how["scores"] = rng.integers(0, 3, shown).astype(float)
            how["ties"] = ["average", "last"][rng.integers(2)]
        wanted = enumerated(rows.tolist(), shown, grades, empty, **how)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            found = expected_ndcg(rows[:shown], grades=grades, pool=rows, empty=empty, **how)
        assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True), (rows, shown, how)


def test_expected_of_certain_grades_is_ndcg() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        pool = rng.integers(0, 4, rng.integers(2, 12))
        pool[0] = 2
        shown = pool[: rng.integers(1, len(pool) + 1)]
        scores = rng.integers(0, 4, len(shown)) + 0.5
        scores[rng.random(len(shown)) < 0.1] = -inf
        how: dict[str, Any] = {
            "scores": scores,
            "gain": ["linear", "exp", {0: 1, 1: 2, 2: 2, 3: 9}][rng.integers(3)],
            "discount": ["log2", "zipf", ("power", 0.5)][rng.integers(3)],
        }
        rows = np.eye(4)
        found = expected_ndcg(rows[shown], 5, grades=GRADES, pool=rows[pool], **how)
        assert found.mean == pytest.approx(ndcg(shown, 5, pool=pool, **how), rel=1e-14)
        assert found.sd == 0 and found.no_relevant == 0, "no digits are lost where there is no spread"


def test_expected_worked_examples() -> None:
    linear = expected_ndcg(EIGHT[:5], 5, grades=GRADES, pool=EIGHT)
    exponential = expected_ndcg(EIGHT[:5], 5, grades=GRADES, pool=EIGHT, gain="exp")
    assert np.round([linear.mean, linear.sd], 12).tolist() == [0.823268778892, 0.121034771854]
    assert np.round([exponential.mean, exponential.sd], 12).tolist() == [0.806113261772, 0.145445432055]
    assert round(linear.no_relevant, 12) == 0.00001008
    gamble = [0.8, 0, 0, 0.2]
    sure = [0, 1, 0, 0]
    orders = [expected_ndcg(x, grades=GRADES, gain="exp").mean for x in ([gamble, sure], [sure, gamble])]
    assert np.round(orders, 12).tolist() == [0.704743802857, 0.941961948279]


def test_expected_of_many_lists_and_cutoffs() -> None:
    short = EIGHT[:3]
    found = expected_ndcg([EIGHT, short], [1, 5], grades=GRADES)
    for i, rows in enumerate((EIGHT, short)):
        for j, k in enumerate((1, 5)):
            assert [x[i, j] for x in found] == list(expected_ndcg(rows, k, grades=GRADES))
    shared = expected_ndcg([EIGHT[:2], short], 5, grades=GRADES, pool=EIGHT)
    each = expected_ndcg([EIGHT[:2], short], 5, grades=GRADES, pool=[EIGHT, EIGHT])
    assert np.array_equal(shared, each)
    assert shared.mean[1] == expected_ndcg(short, 5, grades=GRADES, pool=EIGHT).mean
    own = expected_ndcg(short, 5, grades=GRADES, pool=EIGHT, ideal="list")
    assert own == expected_ndcg(short, 5, grades=GRADES), "the ideal of the list knows nothing of the pool"
    frame = pd.DataFrame(EIGHT, columns=GRADES)
    assert expected_ndcg(frame, 5, grades=GRADES) == expected_ndcg(EIGHT, 5, grades=GRADES)


def test_expected_of_nothing_relevant() -> None:
    with pytest.warns(RuntimeWarning, match="of this list: no grading leaves anything to find"):
        found = expected_ndcg([[1, 0]], grades=[0, 1])
    assert np.isnan(found.mean)
    assert np.isnan(found.sd)
    assert found.no_relevant == 1
    assert expected_ndcg([[1, 0]], grades=[0, 1], empty=1) == (1, 0, 1)
    assert np.isnan(expected_ndcg([[0.5, 0.5]], grades=[0, 1], empty=nan).mean)
    assert expected_ndcg([[0, 1]], grades=[0, 1], empty=nan).mean == 1


def test_what_has_too_many_states_is_refused() -> None:
    rows = np.random.default_rng(0).dirichlet(np.ones(4), 1000)
    assert 0 < expected_ndcg(rows, 10, grades=GRADES).mean < 1
    states = 1000 * comb(203, 3)
    assert states > expectations.LIMIT
    with pytest.raises(ValueError, match=f"1,000 documents of 4 gains to rank 200 have {states:,} states"):
        expected_ndcg(rows, 200, grades=GRADES)


# What is refused, beside the calls in tests/golden/record/messages.txt
@pytest.mark.parametrize(
    "chances, how, message",
    [
        ([0.5, 0.5], {}, r"chances is of shape \(2,\)"),
        ([], {}, r"chances is \[\]"),
        ([[[1, 0]], [[1, 0, 0]]], {}, r"chances\[1\] is of shape \(1, 3\)"),
        ([[1, 0], [0.5, 0.6]], {}, r"chances\[1\] is \[0.5, 0.6\]"),
        ([[nan, 1]], {}, r"chances\[0\] is \[nan, 1.0\]"),
        ([[1, 0]], {"pool": [[0, 1]]}, r"the pool lacks \[1.0, 0.0\]"),
        ([[[1, 0]]], {"pool": [[[0, 1]]]}, "the pool of list 0 lacks"),
        ([[1, 0]], {"pool": [[[1, 0]]]}, "pool holds 1 tables"),
        ([[1, 0]], {"scores": [1], "ties": "best"}, "ties is 'best'"),
        ([[1, 0]], {"grades": []}, r"grades is \[\]"),
    ],
)
def test_expected_refuses(chances: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        expected_ndcg(chances, **{"grades": [0, 1], **how})


# Votes


def votes(*rows: tuple[str, str, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["query", "document", "grade"]).assign(judge="someone")


def test_votes_of_several_judges_are_chances() -> None:
    table = votes(
        ("q1", "a", 3), ("q1", "a", 2), ("q1", "b", 0), ("q1", "b", 0), ("q1", "c", 1), ("q2", "d", 0), ("q2", "d", 1)
    )
    found = expected_run(table, {"q1": ["b", "a", "z"], "q3": ["x"]}, 2)
    b = [1, 0, 0, 0]
    a = [0, 0, 0.5, 0.5]
    c = [0, 1, 0, 0]
    shown = [b, a, b]  # z was not judged, and counts as 0
    first = expected_ndcg(shown, 2, grades=GRADES, pool=[*shown, c])
    assert found["query"].tolist() == ["q1", "q2"], "those without judgements are left out"
    assert found.iloc[0, 1:].tolist() == list(first)
    assert found.iloc[1, 1:].tolist() == [0, 0, 0.5], "a judged query without results is worth 0"
    one_vote = table[:5].drop_duplicates(["query", "document"])
    run = {"q1": {"b": 2.0, "a": 2.0, "c": 1.0}}
    for like in (None, "trec_eval", "sklearn"):
        single = evaluate(one_vote, run, "ndcg@2", like=like, missing="zero").per_query["ndcg@2"][0]
        assert expected_run(one_vote, run, 2, like=like)["mean"][0] == pytest.approx(single, rel=1e-14)


def test_votes_are_on_the_scale() -> None:
    table = votes(("q1", "a", 1), ("q1", "a", 2))
    run = {"q1": ["z", "a"]}
    wide = expected_run(table, run, grades=[0, 1, 2, 3])
    assert wide["mean"][0] == pytest.approx(expected_run(table, run)["mean"][0], rel=1e-15)
    with pytest.raises(ValueError, match="a vote is 2, which is not among grades"):
        expected_run(table, run, grades=[0, 1])
    with pytest.raises(ValueError, match="row 0: the grade is nan, as in every row of judgements"):
        expected_run(votes(("q1", "a", nan)), run)
    with pytest.raises(ValueError, match="judgements, row 1: the grade is inf, and must be a finite number"):
        expected_run(votes(("q1", "a", 1), ("q1", "a", inf)), run)
    again = pd.DataFrame({"query": "q1", "document": ["a", "a"], "score": [2.5, 1.5]})
    with pytest.raises(ValueError, match="document 'a' is twice in the results of query 'q1'"):
        expected_run(table, again)


# People on some queries

MODEL = [0.92, 0.71, 0.55, 0.83, 0.64, 0.97, 0.48, 0.76, 0.88, 0.59, 0.69, 0.81]
PEOPLE = {0: 0.85, 2: 0.47, 3: 0.80, 6: 0.30, 7: 0.74, 9: 0.58}
HUMAN = [PEOPLE.get(i, nan) for i in range(12)]


@pytest.mark.filterwarnings("ignore:people judged 6 of 12 queries")
def test_corrected_worked_example() -> None:
    found = corrected_mean(MODEL, HUMAN)
    assert np.round([found.mean, *found.interval], 12).tolist() == [0.679526383526, 0.626782735227, 0.732270031826]
    assert np.round([found.slope, found.correlation], 12).tolist() == [1.183011583012, 0.966974415718]
    assert np.round(found.people, 12).tolist() == [0.623333333333, 0.465522031869, 0.781144634797]
    assert (found.judged, found.total, round(found.model, 12), float(found)) == (6, 12, 0.735833333333, found.mean)
    assert found.saved == pytest.approx(1 - (1 - found.correlation**2) * 5 / 4), "adjusted for two fitted numbers"
    wide = corrected_mean(MODEL, HUMAN, of="population")
    assert np.round([wide.mean, *wide.interval], 12).tolist() == [0.679526383526, 0.517655470664, 0.841397296389]
    assert np.round(wide.people[1:], 12).tolist() == [0.400154450507, 0.846512216160]
    narrow = corrected_mean(MODEL, HUMAN, confidence=0.5)
    assert found.low < narrow.low < narrow.mean < narrow.high < found.high


@pytest.mark.filterwarnings("ignore:people judged 6 of 12 queries")
def test_corrected_says_what_it_is() -> None:
    assert repr(corrected_mean(MODEL, HUMAN)).splitlines() == [
        "                mean     0.95 interval  queries",
        "corrected     0.6795  0.6268 to 0.7323       12",
        "people alone  0.6233  0.4655 to 0.7811        6",
        "model alone   0.7358                 –       12",
        "",
        "The mean of these queries; slope 1.18, correlation 0.967: the model saves about 92% of the human work.",
    ]
    assert "of the population of queries" in repr(corrected_mean(MODEL, HUMAN, of="population"))
    rng = np.random.default_rng(1)
    useless = corrected_mean(rng.random(40), np.where(np.arange(40) < 20, rng.random(40), nan))
    assert useless.saved == 0
    assert repr(useless).endswith("the model saves none of the human work.")


@pytest.mark.filterwarnings("ignore:people judged 6 of 12 queries")
def test_corrected_takes_values_by_name() -> None:
    by_list = corrected_mean(MODEL, HUMAN)
    names = [f"q{i}" for i in range(12)]
    people = {f"q{i}": PEOPLE[i] for i in (9, 2, 0, 7, 3, 6)}
    assert corrected_mean(dict(zip(names, MODEL)), people) == by_list
    assert corrected_mean(pd.Series(MODEL, names), pd.Series(people)) == by_list
    assert corrected_mean(pd.Series(MODEL, names), people | {"q1": None}) == by_list
    both_empty = corrected_mean([*MODEL, nan], [*HUMAN, None])
    assert both_empty == by_list, "a query without a value by either is left out"


def test_corrected_with_a_constant_model() -> None:
    with pytest.warns(UserWarning, match="the model gives the 6 queries that people judged one value"):
        found = corrected_mean([0.5 if y == y else 0.7 for y in HUMAN], HUMAN)
    assert (found.mean, found.low, found.high) == found.people
    assert found.slope == found.saved == 0
    assert np.isnan(found.correlation)


@pytest.mark.parametrize("wrong", [0, 2, 9])
def test_corrected_with_a_model_that_is_nearly_always_right(wrong: int) -> None:
    "With so few errors the interval would be far too narrow: it is that of people alone"
    rng = np.random.default_rng(8)
    model = rng.random(100)
    human = np.where(np.arange(100) < 40, model, nan)
    human[:wrong] = rng.random(wrong)
    with pytest.warns(UserWarning, match=f"differ in only {wrong} of 40 queries, too few"):
        found = corrected_mean(model, human)
    assert (found.mean, found.low, found.high) == found.people
    assert found.slope == 0
    human[: FEW + 1] = rng.random(FEW + 1)
    assert corrected_mean(model, human).slope > 0
    line = np.where(np.isnan(human), nan, 0.2 + 0.5 * model)
    with pytest.warns(UserWarning, match="differ in only 0 of 40"):
        corrected_mean(model, line)


def test_corrected_of_a_small_sample_needs_every_query_to_differ() -> None:
    same = [MODEL[0], *HUMAN[1:]]
    with pytest.warns(UserWarning, match="differ in only 5 of 6 queries"):
        assert corrected_mean(MODEL, same).slope == 0
    with pytest.warns(UserWarning):
        one_value = corrected_mean(MODEL, [1.0 if y == y else nan for y in HUMAN])
    assert one_value.interval == (1, 1)
    assert np.isnan(one_value.correlation)


@pytest.mark.parametrize(
    "model, human, message",
    [
        (MODEL, HUMAN[:3] + [nan] * 9, "people judged 2 of 12 queries: give 3 or more"),
        ({"a": 0.5, "b": 0.4}, {"c": 0.5}, "people judged 'c', and the model did not"),
        ([inf, *MODEL[1:]], HUMAN, "value 0 of model is inf"),
    ],
)
def test_corrected_refuses(model: Any, human: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        corrected_mean(model, human)


def simulated(rng: np.random.Generator, queries: int) -> tuple[np.ndarray, np.ndarray]:
    "A lopsided population: people's values, and those of a fair judge"
    people = rng.beta(4, 1.5, queries)
    return np.clip(0.2 + 0.6 * people + rng.normal(0, 0.12, queries), 0, 1), people


@pytest.mark.parametrize("n", [10, 25])
def test_corrected_covers_the_truth(n: int) -> None:
    "Of 2,000 samples some 95 % hold the mean of people; with z for t, or n for n - 2, far fewer do at n = 10"
    rng = np.random.default_rng(n)
    held = 0
    narrower = 0.0
    for _ in range(2000):
        model, people = simulated(rng, 300)
        human = np.where(np.arange(300) < n, people, nan)
        found = corrected_mean(model, human)
        alone = found.people
        held += found.low <= people.mean() <= found.high
        narrower += (found.high - found.low) / (alone.high - alone.low)
    assert 0.93 < held / 2000 < 0.965
    assert narrower / 2000 < 0.85


# People on some queries, through runs

QRELS = {f"q{i}": {"a": i % 3, "b": (i * 7) % 4, "c": (i * 5) % 3, "d": 1} for i in range(20)}
BY_PEOPLE = {f"q{i}": {"a": (i + 1) % 4, "b": (i * 7) % 3, "c": (i * 3) % 4, "d": 1 + i % 2} for i in range(12)}
RUNS = {
    "first": {q: ["a", "b", "c", "d"] for q in QRELS},
    "second": {q: ["d", "c", "b", "a"] for q in QRELS},
    "third": {q: ["b", "d"] for q in QRELS},
}


def test_corrected_of_evaluations() -> None:
    model, human = (evaluate(x, RUNS["first"], "ndcg@3") for x in (QRELS, BY_PEOPLE))
    values = [dict(zip(x.queries, x.values[0, :, 0])) for x in (model, human)]
    assert corrected_mean(model, human) == corrected_mean(*values)
    several = evaluate(QRELS, RUNS, "ndcg@3")
    with pytest.raises(ValueError, match="model has several runs or measures"):
        corrected_mean(several, human)
    with pytest.raises(ValueError, match="query 'q0' has no value by people: give one"):
        corrected_mean(model, evaluate(BY_PEOPLE | {"q0": {"a": 0}}, RUNS["first"], "ndcg@3"))


def test_corrected_runs_and_their_differences() -> None:
    model = evaluate(QRELS, RUNS, "ndcg@3 dcg@2")
    people = evaluate(BY_PEOPLE, RUNS, "ndcg@3 dcg@2")
    found = model.corrected(BY_PEOPLE)
    assert found["run"].tolist() == ["first", "second", "third", "second − first", "third − first"] * 2
    assert found["measure"].tolist() == ["ndcg@3"] * 5 + ["dcg@2"] * 5
    by_model = model.values[:, :, 0]
    by_people = np.full((3, 20), nan)
    by_people[:, :12] = people.values[:, :, 0]
    differences = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 1, 0]])  # of runs: each, and the first difference
    for row, weights in enumerate(differences):
        wanted = corrected_mean(weights @ by_model, weights @ by_people)
        close(found.loc[row, ["mean", "low", "high"]].astype(float), [wanted.mean, *wanted.interval])
        close(found.loc[row, "people"], wanted.people.mean)
        assert found.loc[row, ["judged", "total"]].tolist() == [12, 20]
    pd.testing.assert_frame_equal(model.corrected(people), found)
    wide = model.corrected(BY_PEOPLE, of="population", confidence=0.9)
    assert wide["low"][0] == corrected_mean(by_model[0], by_people[0], of="population", confidence=0.9).low


def test_corrected_runs_in_the_words_of_a_tool() -> None:
    asked = "ndcg@3 ndcg(like=sklearn)@3"
    model, people = (evaluate(x, RUNS["first"], asked, like="xgboost") for x in (QRELS, BY_PEOPLE))
    pd.testing.assert_frame_equal(model.corrected(BY_PEOPLE), model.corrected(people))
    assert len({*model.corrected(BY_PEOPLE)["mean"]}) == 2, "the two tools differ"


def test_corrected_runs_of_other_sources(tmp_path: Any) -> None:
    import pickle

    model = evaluate(QRELS, RUNS, "ndcg@3")
    lines = [f"{q} 0 {d} {g}" for q, grades in BY_PEOPLE.items() for d, g in grades.items()]
    (tmp_path / "people.txt").write_text("\n".join(lines) + "\n")
    pd.testing.assert_frame_equal(model.corrected(tmp_path / "people.txt"), model.corrected(BY_PEOPLE))
    stored = pickle.loads(pickle.dumps(model))
    with pytest.raises(ValueError, match="a stored evaluation has numbers"):
        stored.corrected(BY_PEOPLE)
    pd.testing.assert_frame_equal(stored.corrected(evaluate(BY_PEOPLE, RUNS, "ndcg@3")), model.corrected(BY_PEOPLE))
    joined = pd.DataFrame({"query": "q", "document": ["a", "b"], "grade": [1, 0], "score": [2.5, 1.0]})
    with pytest.raises(ValueError, match="grades and scores are in one table: evaluate that of people, too"):
        evaluate(joined, "ndcg@3").corrected(BY_PEOPLE)
    with pytest.raises(ValueError, match=r"the runs differ: .* and, by people, .*: evaluate both alike"):
        model.corrected(evaluate(BY_PEOPLE, RUNS["first"], "ndcg@3"))


def test_a_correction_cannot_use_weights() -> None:
    weights = {q: i + 1 for i, q in enumerate(QRELS)}
    model = evaluate(QRELS, RUNS["first"], weights=weights)
    people = evaluate(BY_PEOPLE, RUNS["first"])
    for correct in (lambda: model.corrected(BY_PEOPLE), lambda: corrected_mean(model, people)):
        with pytest.raises(ValueError, match="a correction cannot use weights: evaluate without weights="):
            correct()


def test_corrected_runs_of_an_engine() -> None:
    duckdb = pytest.importorskip("duckdb")
    db = duckdb.connect()
    for name, rows in (("model", QRELS), ("people", BY_PEOPLE)):
        table = [(q, d, g) for q, grades in rows.items() for d, g in grades.items()]
        db.sql(f"CREATE TABLE {name} (query VARCHAR, document VARCHAR, grade INTEGER)")
        db.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", table)
    db.sql("CREATE TABLE run (query VARCHAR, document VARCHAR, score DOUBLE)")
    db.executemany("INSERT INTO run VALUES (?, ?, ?)", [(q, d, -i) for q in QRELS for i, d in enumerate("abcd")])
    found = evaluate("model", "run", "ndcg@3", connection=db).corrected("people")
    here = evaluate(QRELS, RUNS["first"], "ndcg@3").corrected(BY_PEOPLE)
    pd.testing.assert_frame_equal(found.drop(columns="run"), here.drop(columns="run"))


def test_corrected_difference_over_the_queries_of_both() -> None:
    "A run that lacks a query, where this excludes the query, has a difference over the others"
    runs = {"all": RUNS["first"], "some": {q: x for q, x in RUNS["second"].items() if q not in ("q1", "q15")}}
    found = evaluate(QRELS, runs, "ndcg@3", missing="skip").corrected(BY_PEOPLE).set_index("run")
    assert found.loc["all", ["judged", "total"]].tolist() == [12, 20]
    assert found.loc["some − all", ["judged", "total"]].tolist() == [11, 18]


# How many


def test_how_many_in_tables() -> None:
    "Half widths × correlations, of 1,000 queries: means of sd 0.25, and differences of sd 0.15"
    rhos = (0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
    widths = (0.01, 0.02, 0.03, 0.05)
    means = [[how_many(h, 0.25, rho, total=1000) for rho in rhos] for h in widths]
    assert means == [
        [707, 699, 670, 608, 466, 316, 193],
        [377, 368, 338, 281, 181, 106, 59],
        [213, 207, 186, 149, 91, 52, 29],
        [90, 88, 78, 62, 37, 22, 13],
    ]
    differences = [[how_many(h, 0.15, rho, total=1000) for rho in rhos] for h in widths]
    assert differences[3] == [36, 36, 32, 26, 16, 11, 8]
    assert differences[1] == [180, 175, 157, 125, 76, 43, 25]
    population = [how_many(0.02, 0.25, rho, total=1000, of="population") for rho in rhos]
    assert population == [603, 594, 561, 494, 356, 228, 134]
    assert how_many(0.01, 0.25, 0.9, total=1000, of="population") is None, "1,000 queries are too few for it"


def test_how_many_is_the_least() -> None:
    assert how_many(10, 0.2, total=50) == 3
    assert how_many(1e-9, 0.2, 0.5) is None
    few, more = (how_many(0.05, 0.2, rho) for rho in (0.99, -0.5))
    assert few < more < how_many(0.05, 0.2)
    assert how_many(0.1, 0.2, 0.05) == how_many(0.1, 0.2), "a model that is of no use costs nothing"
    assert how_many(0.05, 0.25, total=30) < 30
    assert how_many(0.05, 0.2, 0.5, confidence=0.8) < more


@pytest.mark.parametrize("how, message", [({"rho": 1}, "rho is 1"), ({"total": 2}, "total is 2")])
def test_the_ends_of_a_range_are_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        how_many(0.1, 0.2, **how)


# Agreement

UMBRELA = [[1521, 369, 88, 27], [579, 457, 157, 40], [189, 280, 270, 69], [46, 125, 93, 113]]


def as_grades(counts: list) -> tuple[np.ndarray, np.ndarray]:
    "The model's grades and people's, from a table of counts: a row for each grade by people"
    human, model = (np.repeat(x.ravel(), np.ravel(counts)) for x in np.indices(np.shape(counts)))
    return model, human


def test_agreement_of_a_real_judge() -> None:
    found = agreement(*as_grades(UMBRELA))
    assert found.table.to_numpy().tolist() == UMBRELA
    numbers = [found.share, found.kappa, found.weighted_kappa, found.alpha]
    assert np.round(numbers, 12).tolist() == [0.533800587836, 0.286272017219, 0.504355667243, 0.491793150031]
    assert round(found.generosity, 3) == -0.178
    assert "kappa 0.286" in repr(found)
    assert "kappa did not predict" in repr(found)


def test_agreement_of_judgements() -> None:
    model = {"q1": {"a": 1, "b": 2}, "q2": {"a": 0.5}}
    human = pd.DataFrame({"query": ["q1", "q1", "q2"], "document": ["b", "x", "a"], "grade": [1, 2, 0.5]})
    found = agreement(model, human)
    assert found.table.loc[1, 2] == found.table.loc[0.5, 0.5] == 1
    assert found.table.to_numpy().sum() == 2
    assert agreement([1, 2, None], [1, None, 3]).share == 1, "what one of them did not judge is left out"
    assert np.isnan(agreement([1, 1], [1, 1]).kappa), "nothing to disagree about"
    assert list(agreement([1, 0], [1, 1], grades=[0, 1, 2]).table.columns) == [0, 1, 2]


@pytest.mark.parametrize(
    "model, human, message",
    [
        ([1, inf], [1, 2], r"model\[1\] is inf, and must be finite"),
        ([1], [None], "nothing is judged by both"),
        (range(101), range(101), "there are 101 different grades"),
    ],
)
def test_agreement_refuses(model: Any, human: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agreement(model, human)


def test_a_correction_keeps_the_rules_of_intervals() -> None:
    "Inside 0 and 1, and none of fewer than five queries; fewer than ten are noted"
    rng = np.random.default_rng(2)
    model = dict(enumerate(rng.uniform(0.8, 1, 40)))
    people = {i: float(i % 8 > 0) for i in range(8)}
    with pytest.warns(UserWarning, match="people judged 8 of 40 queries: with fewer than 10 the interval covers less"):
        found = corrected_mean(model, people)
    assert 0 <= found.low < found.mean < found.high == 1 == found.people.high
    with pytest.warns(UserWarning, match="8 of 40"):
        above = corrected_mean(2 * pd.Series(model), 2 * pd.Series(people))
    assert above.high > 2, "numbers that are not shares have no limits that are known"
    with pytest.warns(UserWarning, match="people judged 4 of 12 queries: fewer than 5 are too few for a confidence"):
        few = corrected_mean(MODEL, [*HUMAN[:7], *[nan] * 5])
    assert np.isnan(few.interval).all()
    assert np.isnan(few.people[1:]).all()
    assert 0 < few.mean < 1
    assert "–" in repr(few)


def test_corrected_runs_keep_the_rules_of_intervals() -> None:
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(40)}
    runs = {
        "good": {q: ["a", "b"] for q in qrels},
        "bad": {q: ["b", "a"] if i % 2 else ["a", "b"] for i, q in enumerate(qrels)},
    }
    by_people = {f"q{i}": {"a": 1, "b": int(i % 5 == 0)} for i in range(7)}
    model = evaluate(qrels, runs, "ndcg@10 p@1")
    with pytest.warns(UserWarning):
        found = model.corrected(by_people)
    means = found[found["run"].isin(["good", "bad"])]
    assert means[["low", "high"]].stack().between(0, 1).all()
    assert means["high"].max() == 1
    assert found[["low", "high"]].stack().between(-1, 1).all()
    with pytest.warns(UserWarning):
        three = model.corrected({q: by_people[q] for q in [*by_people][:3]})
    assert three[["low", "high"]].isna().all(axis=None)
    assert three["mean"].notna().all()
