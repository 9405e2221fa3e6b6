"""What the critics say: the exact examples by `ndcg`, and the figures of the page are those that were found."""

import json
import re
from itertools import combinations, permutations
from typing import Any

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from scipy.stats import binomtest, hypergeom

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


def rows_of(start: str) -> list[list[str]]:
    "The rows of the page's table whose head begins so"
    cells = nbformat.read(ROOT / "nbs/12e_critics.ipynb", 4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    table = prose[prose.index(f"| {start}") :].partition("\n\n")[0]
    return [[x.strip() for x in line.strip("|").split("|")] for line in table.splitlines()]


def percent(shares: list[float]) -> list[str]:
    return [f"{100 * x + 1e-9:.0f}%" for x in shares]


def test_the_tables_of_the_page_are_what_was_simulated() -> None:
    found = GOLDEN["simulated"]
    labels = rows_of("labels")
    assert [row[1:3] for row in labels[2:]] == [
        [f"{x:.3f}" for x in found["one_label"][key]] for key in ("true", "label_by_old_system", "random_label")
    ]
    sampled = rows_of("sampled negatives")[2:]
    assert [row[1] for row in sampled] == [f"{x:.2f}" for x in found["sampled"]["tau"]]
    assert [row[2] for row in sampled] == percent(found["sampled"]["swapped"])
    assert [row[3] for row in sampled] == percent(found["sampled"]["same_best"])
    judges = found["judges"]
    kept = [judges["shuffled_share"].index(x) for x in (0.1, 0.3, 0.5, 0.7)]
    assert [row[1:] for row in rows_of("share")[2:]] == [
        [f"{judges['kappa'][i]:.2f}", f"{judges['tau'][i]:.2f}", *percent([judges["slope"][i]])] for i in kept
    ]
    depth = rows_of("nDCG@ |")
    assert depth[0][1:] == [str(k) for k in found["depth"]["k"]]
    assert depth[2][1:] == percent(found["depth"]["significant"])
    assert depth[3][1:] == percent(found["depth"]["wrong_order"])


def test_the_real_pairs_of_the_page() -> None:
    cells = nbformat.read(ROOT / "nbs/12e_critics.ipynb", 4).cells
    prose = "\n".join(cell.source for cell in cells)
    real = GOLDEN["real"]["monotone_transforms_of_ndcg20"]
    pairs = real["pairs"]
    changed = [real[name] for name in ("sqrt", "square", "rank_of_value", "rank_within_query")]
    shares = [round(100 * x["reversed"] / pairs) for x in changed]
    assert f"the {pairs:,} real pairs" in prose
    assert f"reverses {min(shares)} to {max(shares)}%" in prose
    significant = [x["reversed_though_significant"] for x in changed]
    assert f"{min(significant)} to {max(significant)} pairs were significantly different" in prose
    other = real["err20_instead"]
    assert f"{100 * other['reversed'] / pairs:.1f}% in the other order" in prose
    assert f"{100 * other['reversed_though_significant'] / pairs:.1f}% of all pairs change places" in prose
    errors = GOLDEN["real"]["type_1_ndcg20_two_sided_005"]
    assert {f"{100 * x:.1f}" for x in errors["t"]} == {"5.0"}
    assert "in 5.0% of the experiments" in prose
    assert "5.6, 6.2 and 7.5%" in prose
    assert [f"{100 * x:.1f}" for x in errors["wilcoxon"]] == ["5.6", "6.2", "7.5"]
    assert "3.9, 5.9 and 8.9%" in prose
    assert [f"{100 * x + 1e-9:.1f}" for x in errors["sign"]] == ["3.9", "5.9", "8.9"]
    variance = np.array([*GOLDEN["real"]["variance_shares_ndcg20"].values()]) * 100
    low = variance.min(axis=0).round().astype(int)
    high = variance.max(axis=0).round().astype(int)
    assert f"systems make {low[0]} to {high[0]}%, queries {low[1]} to {high[1]}%" in prose
