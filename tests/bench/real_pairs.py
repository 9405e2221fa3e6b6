"""The figures of What the critics say that come from real runs, counted again from the files of their authors.

`python tests/bench/real_pairs.py FOLDER`, where FOLDER is a copy of github.com/julian-urbano/sigir2019-statistical,
prints them and keeps them in tests/golden/critics.json, with which a test compares the page. The files themselves
are under CC BY-SA 4.0, and not kept here."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata, ttest_rel

GOLDEN = Path(__file__).parents[1] / "golden/critics.json"
SOURCE = "github.com/julian-urbano/sigir2019-statistical, data/ and output/type_1/ (data CC BY-SA 4.0)"
YEARS = ["web2010", "web2011", "web2012", "web2013"]
TRANSFORMS = {
    "sqrt": np.sqrt,
    "square": np.square,
    "rank_of_value": lambda x: rankdata(x).reshape(x.shape),
    "rank_within_query": lambda x: rankdata(x, axis=1),
}


TESTS = {"t": "t2", "permutation": "p2", "bootstrap": "b2", "wilcoxon": "w2", "sign": "s2"}
Values = dict[str, np.ndarray]  # queries × systems of each year


def differences(values: np.ndarray) -> np.ndarray:
    "Of every pair of systems, queries × pairs"
    a, b = np.triu_indices(values.shape[1], 1)
    return values[:, a] - values[:, b]


def p_of(apart: np.ndarray) -> np.ndarray:
    return ttest_rel(apart, np.zeros_like(apart)).pvalue


def count_reversals(one: Values, other: Values) -> dict[str, int]:
    "Pairs whose order or verdict changes with the measure"
    count = Counter()
    for year in YEARS:
        before = differences(one[year])
        after = differences(other[year])
        turned = before.mean(axis=0) * after.mean(axis=0) < -1e-15
        sure = p_of(before) < 0.05
        sure_after = p_of(after) < 0.05
        count["reversed"] += int(turned.sum())
        count["reversed_though_significant"] += int((turned & sure).sum())
        count["verdict_changes"] += int((sure != sure_after).sum())
        count["opposite_and_both_significant"] += int((turned & sure & sure_after).sum())
    return dict(count)


def variance_shares(values: np.ndarray) -> list[float]:
    "Of systems, of queries, and of interaction and noise together"
    queries, systems = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    noise = (rest**2).sum() / (queries - 1) / (systems - 1)
    by_system = values.mean(axis=0).var(ddof=1) - noise / queries
    by_query = values.mean(axis=1).var(ddof=1) - noise / systems
    parts = np.array([by_system, by_query, noise])
    return (parts / parts.sum()).round(3).tolist()


def of_year(values: np.ndarray) -> dict[str, Any]:
    "How good the systems of a year are, and how far apart"
    apart = differences(values)
    return {
        "mean": round(float(values.mean()), 3),
        "significant": round(float((p_of(apart) < 0.05).mean()), 3),
        "median_difference": round(float(np.median(abs(apart.mean(axis=0)))), 3),
        "sd_of_differences": round(float(np.median(apart.std(axis=0, ddof=1))), 3),
        "variance_shares": variance_shares(values),
    }


def errors_of_tests(folder: Path) -> dict[str, list[float]]:
    "How often each test reports a difference at 0.05 where there is none, with 25, 50 and 100 queries"
    files = [pd.read_csv(folder / f"output/type_1/type_1_ndcg20_{n}.csv") for n in (25, 50, 100)]
    rows = pd.concat(files)
    at_05 = rows[np.isclose(rows["alpha"], 0.05)]
    return {name: at_05[column].round(4).tolist() for name, column in TESTS.items()}


def main() -> None:
    folder = Path(sys.argv[1])

    def read(measure: str) -> Values:
        return {year: pd.read_csv(folder / f"data/{year}_{measure}.csv").to_numpy() for year in YEARS}

    ndcg = read("ndcg20")
    found: dict[str, Any] = {"source": SOURCE}
    found["pairs"] = sum(differences(values).shape[1] for values in ndcg.values())
    for name, change in TRANSFORMS.items():
        found[name] = count_reversals(ndcg, {year: change(values) for year, values in ndcg.items()})
    found["err20_instead"] = count_reversals(ndcg, read("err20"))
    found["years"] = {year: of_year(values) for year, values in ndcg.items()}
    found["type_1_two_sided_005"] = errors_of_tests(folder)
    golden = json.loads(GOLDEN.read_text("utf-8"))
    golden["real"] = found
    for name, counted in found.items():
        print(f"{name}: {json.dumps(counted)}")
    GOLDEN.write_text(json.dumps(golden, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
