"""Type checkers know what comes back and find what is misspelt, from the package alone."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
from conftest import ROOT

from ndcg_nb.hood.core import conventions, counting
from ndcg_nb.hood.runs import scoring
from ndcg_nb.hood.stats import intervals, paired

DISCOUNTS = [*get_args(conventions.DiscountName), *get_args(conventions.DiscountForm)]


@pytest.mark.parametrize(
    ("choices", "table"),
    [
        (get_args(conventions.GainName), [*conventions.GAINS, *conventions.POSITIVE]),
        (DISCOUNTS, conventions.DISCOUNTS),
        (get_args(conventions.Ties), conventions.TIES),
        (get_args(conventions.IdealName), conventions.IDEALS),
        (get_args(conventions.Precision), conventions.PRECISIONS),
        (get_args(conventions.MinusInf), conventions.MINUS_INF),
        (get_args(counting.Per), counting.DIVISORS),
        (get_args(paired.TestName), paired.TESTS),
        (get_args(intervals.IntervalName), intervals.INTERVALS),
        (get_args(scoring.Missing), scoring.MISSING),
    ],
)
def test_choices_are_the_names_of_their_table(choices: Any, table: Any) -> None:
    assert sorted(choices) == sorted(table)


def test_a_discount_with_a_number_is_a_pair() -> None:
    for name in conventions.DISCOUNTS:
        needs_number = bool(conventions._parameters(conventions.DISCOUNTS[name]))
        assert needs_number == (name in get_args(conventions.DiscountForm))


def test_choices_of_0_by_0_are_accepted() -> None:
    number, words, nothing = get_args(conventions.Empty)
    assert number is float
    assert nothing is type(None)
    for word in get_args(words):
        conventions.check_empty(word)


RIGHT = """
import numpy as np
from typing import assert_type
from ndcg_nb import average_precision, cg, compare, dcg, evaluate, explore, idcg, inf_ndcg, ndcg, precision, recall
from ndcg_nb import dialect, reciprocal_rank

rel = [3, 2, 0]
assert_type(ndcg(rel), float)
assert_type(ndcg(rel, 2, gain="exp", discount=("jk", 2), ties="first", empty="skip", like="trec_eval"), float)
assert_type(ndcg((3, 2.5), k=2, scores=[1, 2]), float)
assert_type(ndcg(rel, [1, 2]), np.ndarray)
assert_type(ndcg([rel, rel], 2), np.ndarray)
assert_type(dcg(rel), float)
assert_type(dcg([rel]), np.ndarray)
assert_type(cg(rel, k=1), float)
assert_type(idcg(rel, k=[1]), np.ndarray)
assert_type(idcg(rel), float)
assert_type(recall(rel, 2, per="reachable", level=2), float)
assert_type(precision(rel, [1, 2]), np.ndarray)
assert_type(reciprocal_rank(rel), float)
assert_type(average_precision([rel], 2), np.ndarray)
ndcg(np.array(rel)).anything
ndcg(rel, **dialect("trec_eval"))
table: dict[int, int] = {0: 0, 2: 2, 3: 3}
ndcg(rel, gain=table)
ndcg(rel, gain=lambda grades: grades**2, discount=lambda rank: 1 / rank)
ndcg(rel, gain=("exp", range(5)))
result = evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, missing="skip", duplicates="first")
result.means, result.plot_curves
"""
WRONG = """
import ndcg_nb
from ndcg_nb import inf_ncdg
ndcg_nb.ngcd
ndcg(rel, gian="exp")
ndcg(rel, gain="exq")
ndcg(rel, discount="log3")
ndcg(rel, ties="frist")
ndcg(rel, ideal="pol")
ndcg(rel, empty="skp")
ndcg(rel).shape
dcg(rel, empty=0)
recall(rel, per="relevnt")
evaluate({}, {}, missing="skp")
evaluate({}, {}, duplicates="frist")
compare({}, {}, test="tt")
compare({}, {}, interval="bac")
result.menas
"""


@pytest.mark.slow
def test_mypy_finds_what_is_wrong_and_nothing_else(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    uses = tmp_path / "uses.py"
    uses.write_text(RIGHT + WRONG, "utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "mypy.ini"), "--hide-error-context", str(uses)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    found = {int(line) for line in re.findall(r"uses\.py:(\d+): error", done.stdout)}
    first = RIGHT.count("\n") + 3  # the import of the package itself is right
    assert found == set(range(first, first + WRONG.count("\n") - 2)), done.stdout
