"""What the critics say: the exact examples by `ndcg`, and the figures of the page are those that were found."""

import json
import re
from importlib import import_module
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from scipy.stats import binomtest, hypergeom
from shared.quoted import prose, rows_below

from ndcg_nb import bounds, dcg, detectable, evaluate, idcg, ndcg, queries_needed
from ndcg_nb.beside import err, reciprocal_rank

GOLDEN = json.loads((ROOT / "tests/golden/critics.json").read_text("utf-8"))
CASES = {case["name"]: case for case in GOLDEN["cases"]}
near = lambda x: pytest.approx(x, abs=GOLDEN["tolerance"])  # noqa: E731


def case(name: str) -> tuple[Any, Any]:
    return CASES[name]["inputs"], CASES[name]["expected"]


def test_a_mean_of_ordinal_grades() -> None:
    given, expected = case("scale")
    for name, found in expected.items():
        if isinstance(found, dict):
            gain = {int(k): float(v) for k, v in re.findall(r"(\d):(\d)", name)} or name
            for system in "AB":
                values = ndcg(given[system], gain=gain)
                assert values.tolist() == near(found[system])
                assert values.mean() == near(found[f"mean_{system}"])


def test_what_the_division_does() -> None:
    given, expected = case("normalisation")
    best = idcg(given["A"])
    assert best.tolist() == near(expected["idcg"])
    for system in "AB":
        lists = given[system]
        assert ndcg(lists).tolist() == near(expected[f"ndcg_{system}"])
        assert dcg(lists).mean() == near(expected[f"mean_dcg_{system}"])
        qrels = {str(q): {str(i): g for i, g in enumerate(x)} for q, x in enumerate(lists)}
        run = {q: [*grades] for q, grades in qrels.items()}
        weighted = evaluate(qrels, run, "ndcg@3", weights={str(q): x for q, x in enumerate(best.tolist())})
        assert weighted.value == near(expected[f"weighted_by_idcg_{system}"])


def test_one_label() -> None:
    given, expected = case("one_label")
    for system in "AB":
        run = given[system]
        labelled = [given["labelled"].get(x, 0) for x in run]
        partly = [given["labelled"].get(x) for x in run]
        assert ndcg([x in given["relevant"] for x in run], 10) == near(expected[f"true_{system}"])
        assert ndcg(labelled, 10) == near(expected[f"one_label_{system}"])
        assert reciprocal_rank(labelled) == near(expected[f"rr_{system}"])
        assert [*bounds(partly, 10, grades=[0, 1])] == near(expected[f"bounds_{system}"])
        drawn = np.mean([ndcg([x == label for x in run]) for label in given["relevant"]])
        assert drawn == near(expected[f"mean_over_labels_{system}"])


def test_judges_disagree() -> None:
    given, expected = case("judges_shuffle")
    grades = given["grades"]
    m = given["shuffled"]
    dealt = []
    for chosen in combinations(range(len(grades)), m):
        for new in permutations([grades[i] for i in chosen]):
            dealt.append([dict(zip(chosen, new)).get(i, g) for i, g in enumerate(grades)])
    random_order = np.mean([ndcg(x) for x in permutations(grades)])
    assert random_order == near(expected["random_order"])
    for row in expected["rows"]:
        after = np.mean([ndcg([x[i] for i in row["order"]]) for x in dealt])
        assert after == near(row["expected_after"])
        assert after == near((1 - expected["a"]) * row["ndcg"] + expected["a"] * random_order)


@pytest.mark.parametrize(
    "name, k, ranks",
    [
        ("sampled_small", None, {"A": [1, 11], "B": [3, 3]}),
        ("sampled_large", 10, {"A": [1] + [5001] * 9, "B": [101] * 10}),
    ],
)
def test_sampled_negatives(name: str, k: int | None, ranks: dict[str, list[int]]) -> None:
    given, expected = case(name)
    others = given["other_items"]
    sample = given["sample"]

    def exact(rank: int) -> float:
        return 1 / np.log2(1 + rank) if k is None or rank <= k else 0.0

    def sampled(rank: int) -> float:
        above = np.arange(sample + 1)
        chances = hypergeom(others, rank - 1, sample).pmf(above)
        return float(chances @ [exact(1 + x) for x in above])

    ending = "" if k is None else f"_at_{k}"
    for system, places in ranks.items():
        assert np.mean([exact(r) for r in places]) == near(expected[system][f"exact{ending}"])
        assert np.mean([sampled(r) for r in places]) == near(expected[system][f"sampled{ending}"])
        assert np.mean([1 - (r - 1) / others for r in places]) == near(expected[system]["auc"])


def test_two_readers() -> None:
    given, expected = case("two_readers")
    for system in "AB":
        x = given[system]
        assert ndcg(x, 5, pool=given["pool"]) == near(expected[f"ndcg_{system}"])
        assert reciprocal_rank(x) == near(expected[f"rr_{system}"])
        assert err(x, highest=1) == near(expected[f"err_{system}"])


def test_intervals_and_queries() -> None:
    given, expected = case("sanderson_intervals")
    for name, (k, n) in given.items():
        assert [k / n, *binomtest(k, n).proportion_ci(method="wilson")] == near(expected[name])
    given, expected = case("queries")
    assert [queries_needed(*pair) for pair in given["pairs"]] == expected["needed"]
    assert [detectable(*pair) for pair in given["detectable"]] == near(expected["detectable"])


# What simulated worlds and others' files gave, and the page quotes

WORLDS = json.loads((ROOT / "tests/golden/worlds.json").read_text("utf-8"))
PROSE = prose("12e_critics")


def percent(share: float) -> str:
    return f"{100 * share + 1e-9:.0f}%"


def column(table: str, name: str, *rows: int) -> list[Any]:
    found = [row.get(name) for row in WORLDS[table]]
    return [found[i] for i in rows] if rows else found


def test_the_tables_are_what_was_simulated() -> None:
    labels = rows_below(PROSE, "labels")
    assert [row[1:3] for row in labels] == [[f"{row[run]:.3f}" for run in "AB"] for row in WORLDS["labels"]]
    assert [row[3] for row in labels[1:]] == [f"{n} of 60" for n in column("labels", "B ahead", 1, 2)]
    sampled = rows_below(PROSE, "sampled negatives")
    assert [row[1] for row in sampled] == [f"{x:.2f}" for x in column("sampled", "tau")]
    assert [row[2] for row in sampled] == [percent(x) for x in column("sampled", "swapped")]
    assert [row[3] for row in sampled] == [percent(x) for x in column("sampled", "same best")]
    judges = WORLDS["judges"][:-1]
    shown = [[f"{row['kappa']:.2f}", f"{row['tau']:.2f}", percent(row["left"])] for row in judges]
    assert [row[1:] for row in rows_below(PROSE, "share")] == shown
    assert f"perfect judges give τ = {WORLDS['judges'][-1]['tau']:.2f}" in PROSE
    significant, wrong = rows_below(PROSE, "nDCG@ |")
    assert significant[1:] == [percent(x) for x in column("depth", "significant")]
    assert wrong[1:] == [percent(x) for x in column("depth", "wrong")]
    assert {round(100 * x) for x in column("depth", "half")} == {2}
    assert {round(100 * x) for x in column("depth", "half of wrong")} == {1}


def test_the_sentences_are_what_was_simulated() -> None:
    world = WORLDS["world"][0]
    assert f"the standard deviation of differences is {world['SD of differences']:.2f}" in PROSE
    assert f"a mean nDCG@10 of {world['mean']:.2f}" in PROSE
    gains = WORLDS["gains"][1]
    near = percent(gains["0 to 0.01"])
    far = percent(gains["0.01 to 0.02"])
    assert f"reverses {percent(gains['reversed'])}: {near} of the pairs closer than 0.01, {far} of those" in PROSE
    assert gains["0.02 to 0.05"] < 0.005
    assert gains["0.05 to 1"] == 0
    least, *_, most = column("dividing", "reversed")
    assert f"{percent(least)} of the pairs, none of them further apart than 0.05; {percent(most)} if" in PROSE
    assert f"| {percent(least)[:-1]} to {percent(most)} of the pairs, none where nDCG differs" in PROSE
    assert WORLDS["dividing"][0]["0.05 to 1"] == 0
    assert {*column("dividing", "reversed though significant")} == {0}


def test_the_world_is_still_made(monkeypatch: pytest.MonkeyPatch) -> None:
    "With fewer systems, so not to the digit"
    monkeypatch.syspath_prepend(ROOT / "tests/bench")
    critics = import_module("critics")
    monkeypatch.setattr(critics, "MANY", 60)
    found = critics.table_world(np.random.default_rng(0))
    assert found[0] == pytest.approx(WORLDS["world"][0], abs=0.02)


def test_the_real_pairs_of_the_page() -> None:
    real = GOLDEN["real"]
    pairs = real["pairs"]
    changed = [real[name] for name in ("sqrt", "square", "rank_of_value", "rank_within_query")]
    shares = [round(100 * x["reversed"] / pairs) for x in changed]
    assert f"the {pairs:,} real pairs" in PROSE
    assert f"reverses {min(shares)} to {max(shares)}%" in PROSE
    significant = [x["reversed_though_significant"] for x in changed]
    assert f"{min(significant)} to {max(significant)} pairs were significantly different" in PROSE
    other = real["err20_instead"]
    assert f"{100 * other['reversed'] / pairs:.1f}% in the other order" in PROSE
    assert f"{100 * other['reversed_though_significant'] / pairs:.1f}% of all pairs change places" in PROSE
    assert {x["opposite_and_both_significant"] for x in [*changed, other]} == {0}
    errors = real["type_1_two_sided_005"]
    assert {f"{100 * x:.1f}" for x in errors["t"]} == {"5.0"}
    assert "in 5.0% of the experiments" in PROSE
    for name in ("wilcoxon", "sign"):
        first, second, third = (f"{100 * x + 1e-9:.1f}" for x in errors[name])
        assert f"{first}, {second} and {third}%" in PROSE


def test_the_real_years_of_the_page() -> None:
    years = GOLDEN["real"]["years"].values()
    reach = lambda name: (min(x[name] for x in years), max(x[name] for x in years))  # noqa: E731
    assert "in the real years {:.2f} to {:.2f}".format(*reach("sd_of_differences")) in PROSE
    assert "nDCG@20 of the real years is {:.2f} to {:.2f}".format(*reach("mean")) in PROSE
    assert "difference of two real runs is {:.2f} to {:.2f}".format(*reach("median_difference")) in PROSE
    undecided = [1 - x["significant"] for x in years]
    assert round(np.mean(undecided), 1) == 0.5
    assert "half of the real pairs stay undecided" in PROSE
    shares = 100 * np.array([x["variance_shares"] for x in years])
    low = shares.min(axis=0)
    high = shares.max(axis=0)
    found = f"systems make {low[0]:.1f} to {high[0]:.1f}%, queries {low[1]:.0f} to {high[1]:.0f}%"
    assert found in PROSE
