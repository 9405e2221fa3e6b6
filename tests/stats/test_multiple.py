"""Many systems: published values, SciPy and statsmodels as oracles, letters for every relation."""

from __future__ import annotations

import math
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.references import close, systems

from ndcg_nb.comparisons import compare
from ndcg_nb.hood.stats import paired as hood
from ndcg_nb.hood.stats.paired import (
    beaten,
    groups_of,
    holm,
    labels_of,
    pairs_of,
    randomized_tukey,
    ranges,
    studentized,
    tukey,
)

stats = pytest.importorskip("scipy.stats")


def named(values: np.ndarray) -> dict[str, np.ndarray]:
    return {f"s{i}": row for i, row in enumerate(values)}


# ------------------------------------------------------------------------------------------------ published values
def test_holms_example() -> None:
    close(holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])


def test_the_range_behind_scipys_example() -> None:
    # scipy.stats.tukey_hsd's own example, whose groups are no blocks: the same range distribution, one-way
    groups = [
        [24.5, 23.5, 26.4, 27.1, 29.9],
        [28.4, 34.2, 29.5, 32.2, 30.1],
        [26.1, 28.3, 24.3, 26.2, 27.8],
    ]
    x = np.array(groups)
    within = x.var(axis=1, ddof=1).mean()
    means = x.mean(axis=1)
    first, second = np.triu_indices(3, 1)
    q = np.abs(means[first] - means[second]) / math.sqrt(within / 5)
    found = studentized(q, 3, 12)
    assert found.round(3).tolist() == [0.014, 0.980, 0.020]
    close(found, stats.tukey_hsd(*groups).pvalue[first, second], 1e-9)
    # with blocks it is another test, and has another answer
    assert np.abs(tukey(x, *pairs_of(3), 0.05)[0] - found).max() > 0.005


# ------------------------------------------------------------------------------------------------ families
def test_holm_keeps_what_is_unknown() -> None:
    found = holm(np.array([0.01, np.nan, 0.02]))
    close(found, [0.02, np.nan, 0.02])  # as R's p.adjust: what was not tested is not counted
    assert np.isnan(holm(np.full(3, np.nan))).all()


def test_a_pair_without_spread_is_counted() -> None:
    rng = np.random.default_rng(0)
    values = {"A": rng.random(12), "C": rng.random(12)}
    values["B"] = values["A"] + 0.1  # of A and B the t-test has no spread
    c = compare(values)
    [found] = c.pairs.query("a == 'A' and b == 'B'").to_dict("records")
    assert found["p"] == 2 / 2**12
    assert found["adjusted"] == 3 * found["p"]


@pytest.mark.parametrize("test", ["t", "randomization"])
def test_tukey_where_one_query_is_large(test: str) -> None:
    values = np.append(systems(1, 4, 12) * 1e-7, np.zeros((4, 1)), axis=1)
    how: Any = {"adjust": "tukey", "test": test, "draws": 500}
    here = compare(named(values), **how).pairs
    assert here["adjusted"].min() < 0.2
    assert here["ties"].tolist() == [1] * 6
    large = values + np.eye(13)[12] * 1e6  # for all systems alike
    close(compare(named(large), **how).pairs["adjusted"], here["adjusted"])
    for by in (1e-80, 1e90):
        scaled = compare(named(values * by), **how).pairs
        close(scaled["adjusted"], here["adjusted"], 1e-9)
        close(scaled[["low", "high"]] / by, here[["low", "high"]], 1e-9)


def test_shuffled_as_counted() -> None:
    # three systems on three queries: 6^3 ways to deal the values, all of which can be tried
    values = np.array([[3.0, 5, 1], [4, 9, 2], [8, 7, 6]])
    columns = [[*permutations(column)] for column in values.T]
    means = np.array([*product(*columns)]).mean(axis=1)  # dealt values × systems
    spans = np.ptp(means, axis=1)
    first, second = pairs_of(3)
    apart = np.abs(values[second].mean(axis=1) - values[first].mean(axis=1))
    exact = np.mean(spans >= apart[:, None] - 1e-12, axis=1)
    draws = 60_000
    sampled, _ = randomized_tukey(values, first, second, draws, 0)
    error = np.sqrt(exact * (1 - exact) / draws)
    assert (np.abs(sampled - exact) <= 4 * error + 1 / draws).all()


def test_draws_and_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    values = systems(2, 4, 11)
    first = ranges(values, 300, 5)
    np.testing.assert_array_equal(first, ranges(values, 300, 5))
    assert (first != ranges(values, 300, 6)).any()
    far = values + np.arange(4)[:, None] * 100
    assert (randomized_tukey(far, *pairs_of(4), 99, 0)[0] > 0).all()
    monkeypatch.setattr(hood, "draw_blocks", lambda draws, width: [draws // 3] * 3)
    np.testing.assert_array_equal(first, ranges(values, 300, 5))  # however many are dealt at a time


def test_no_spread() -> None:
    values = np.array([[0.1, 0.5, 0.9], [0.1, 0.5, 0.9], [0.3, 0.7, 1.1]])
    p, (low, high) = tukey(values, *pairs_of(3), 0.05)
    close(p, [1, np.nan, np.nan])
    close(low, [0, 0.2, 0.2])
    close(high, low)


# ------------------------------------------------------------------------------------------------ pairs and letters


@pytest.mark.parametrize("count", [1, 26, 27, 60, 702, 710])
def test_labels(count: int) -> None:
    labels = labels_of(count)
    assert len({*labels}) == len(labels) == count
    assert labels[:2] == ["a", "b"][:count]
    assert count < 28 or labels[25:28] == ["z", "aa", "ab"]


@st.composite
def relations(draw: Any) -> tuple[int, np.ndarray, np.ndarray]:
    "No groups are shown, for up to seven systems in any order of their means"
    count = draw(st.integers(2, 7))
    pairs = math.comb(count, 2)
    apart = draw(st.lists(st.booleans(), min_size=pairs, max_size=pairs))
    means = draw(st.permutations(range(count)))
    return count, np.array(apart), np.array(means, float)


def letters(groups: list[str]) -> list[set[str]]:
    long = any("," in group for group in groups)
    return [{*group.split(",")} if long else {*group} for group in groups]


@given(relations())
def test_who_shares_a_letter_is_not_told_apart(relation: tuple[int, np.ndarray, np.ndarray]) -> None:
    count, apart, means = relation
    first, second = pairs_of(count)
    groups = letters(groups_of(means, first, second, apart))
    for a, b, told in zip(first, second, apart):
        assert bool(groups[a] & groups[b]) != told
    assert all(groups)
    assert "A" in groups[int(means.argmax())]
    used = set().union(*groups)
    members = [{i for i, group in enumerate(groups) if letter in group} for letter in used]
    for a, b in product(members, repeat=2):
        assert not a < b, "no letter says nothing"


@given(relations(), st.randoms(use_true_random=False))
def test_letters_follow_their_systems(relation: tuple[int, np.ndarray, np.ndarray], random: Any) -> None:
    count, apart, means = relation
    first, second = pairs_of(count)
    table = np.zeros((count, count), bool)
    table[first, second] = table[second, first] = apart
    order = list(range(count))
    random.shuffle(order)
    moved = table[order][:, order][first, second]
    ours = groups_of(means, first, second, apart)
    theirs = groups_of(means[order], first, second, moved)
    assert theirs == [ours[i] for i in order]


@given(relations())
def test_beaten(relation: tuple[int, np.ndarray, np.ndarray]) -> None:
    count, apart, means = relation
    first, second = pairs_of(count)
    ahead = np.where(apart, np.sign(means[second] - means[first]), 0).astype(int)
    marks = beaten(count, first, second, ahead)
    labels = labels_of(count)
    for a, b, who in zip(first, second, ahead):
        assert (labels[a] in marks[b]) == (who == 1)
        assert (labels[b] in marks[a]) == (who == -1)
    assert all(list(mark) == sorted(mark) for mark in marks)


def test_many_labels_are_kept_apart() -> None:
    first, second = pairs_of(30)
    marks = beaten(30, first, second, np.ones(len(first), int))
    assert marks[28] == ",".join(labels_of(30)[:28])
    chain = np.ones(len(first), bool)  # all told apart: a letter each
    groups = groups_of(-np.arange(30.0), first, second, chain)
    assert groups == [x.upper() for x in labels_of(30)]
    neighbours = second - first > 1  # a chain: each shares a letter with the next
    chained = letters(groups_of(-np.arange(30.0), first, second, neighbours))
    for a, b in zip(first, second):
        assert bool(chained[a] & chained[b]) == (b - a == 1)


@pytest.mark.parametrize("adjust,test", [("holm", "t"), ("tukey", "t"), ("tukey", "randomization"), (None, "sign")])
def test_the_order_of_systems(adjust: str | None, test: str) -> None:
    values = named(systems(4, 6, 12))
    how: Any = {"adjust": adjust, "test": test, "draws": 500}
    here = compare(values, **how)
    there = compare(dict(reversed(values.items())), **how)
    by_pair = there.pairs.set_index(["b", "a"])
    turned = by_pair.loc[[*zip(here.pairs["a"], here.pairs["b"])]]
    close(-turned[["difference", "high", "low"]], here.pairs[["difference", "low", "high"]].to_numpy())
    if test == "randomization":  # where other values are dealt
        return
    close(turned["p"], here.pairs["p"])
    if adjust:
        close(turned["adjusted"], here.pairs["adjusted"], 1e-9)
    other = {"better": "worse", "worse": "better"}
    assert [other.get(word, word) for word in turned["verdict"]] == here.pairs["verdict"].tolist()
    assert there.table["group"].to_dict() == here.table["group"].to_dict()
    assert beaten_by(here) == beaten_by(there)
    assert any(beaten_by(here).values())


def beaten_by(c: Any) -> dict[str, set[str]]:
    "The systems that each is better than"
    names = dict(zip(c.table["label"], c.systems))
    return {system: {names[label] for label in marks} for system, marks in c.table["beats"].items()}


def test_more_groups_than_letters_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hood, "MOST_GROUPS", 1)
    found = compare(named(systems(0, 4, 60, apart=1)))
    assert (found.table["group"] == "").all()
    assert "No groups are shown" in "\n".join(found.notes)
