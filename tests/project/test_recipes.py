"""The recipes of CONTRIBUTING.md, each followed once: what is added in the place named there works everywhere."""

from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import pytest

from ndcg_nb import cg, dcg, dialect, disagree, gain, idcg, list_dialects, ndcg, which
from ndcg_nb.discounts import DISCOUNTS, discount
from ndcg_nb.gains import GAINS
from ndcg_nb.hood.core.conventions import LEGAL, AsNdcg, gains_of, weights_of
from ndcg_nb.hood.core.lists import NO_CUT
from ndcg_nb.hood.core.queries import read_query
from ndcg_nb.hood.core.rankings import TIES, TieRule
from ndcg_nb.hood.core.sums import EVEN, IDEALS, Ideal, add_up, falling
from ndcg_nb.hood.door import measure

rel = [3, 2, 3, 0, 1, 2]
pool = [3, 2, 3, 0, 1, 2, 3, 2]


def test_a_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAINS, "squared", lambda grades: grades.astype(float) ** 2)
    assert gain(rel, "squared").tolist() == [9, 4, 9, 0, 1, 4]
    assert cg(rel, gain="squared") == 27
    assert ndcg(rel, 6, pool=pool, gain="squared") == ndcg(rel, 6, pool=pool, gain=np.square)
    assert ndcg([1, 4], gain=("squared", range(5))) == ndcg([1, 4], gain="squared")
    with pytest.raises(ValueError, match="'squared'"):
        cg(rel, gain="cubed")


def test_a_discount(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISCOUNTS, "geometric", lambda rank, patience: patience ** (rank - 1))
    monkeypatch.setitem(LEGAL, "patience", (lambda p: 0 < p <= 1, " above 0, at most 1"))
    assert discount([1, 2, 3], ("geometric", 0.5)).tolist() == [1, 0.5, 0.25]
    assert dcg(rel, discount=("geometric", 0.5)) == dcg(rel, discount=lambda rank: 0.5 ** (rank - 1))
    assert ndcg(rel, discount=("geometric", 0.5)) < 1
    with pytest.raises(ValueError, match="patience must be a finite number above 0, at most 1"):
        dcg(rel, discount=("geometric", 2))
    with pytest.raises(ValueError, match=r"\('geometric', patience\)"):
        dcg(rel, discount="geometric")


def test_a_tie_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    highest = TieRule(after=lambda gains, scores: np.broadcast_to(gains.max(axis=1, keepdims=True), gains.shape))
    monkeypatch.setitem(TIES, "highest", highest)
    assert cg([1, 3], scores=[0, 0], ties="highest") == 6
    assert ndcg([1, 3], 2, pool=[1, 3, 3], scores=[0, 0], ties="highest") == 1
    with pytest.raises(ValueError, match="'highest'"):
        cg(rel, scores=rel, ties="lowest")


def test_an_ideal(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(gains: Any, weights: Any, cutoffs: list[int], shown: Any) -> np.ndarray:
        return np.repeat(add_up(gains.best_first(), weights, [NO_CUT]), len(cutoffs), axis=1)

    monkeypatch.setitem(IDEALS, "endless", Ideal(endless))
    assert ndcg(rel, [2, 6], pool=pool, ideal="endless").tolist() == (dcg(rel, [2, 6]) / idcg(pool)).tolist()
    with pytest.raises(ValueError, match="'endless'"):
        ndcg(rel, ideal="whole")


def test_a_measure() -> None:
    @measure
    def lost(rel: Any, k: Any = None, *, scale: float = 1, **how: Unpack[AsNdcg]) -> Any:
        "What the list failed to collect"
        gain = how.pop("gain", "linear")
        discount = how.pop("discount", "log2")
        q = read_query(rel, k, **how)
        top, best = q.sums(*q.checked(*gains_of(gain, q.rel, q.pool)), falling(weights_of(discount)))
        return q.shaped(scale * (best - top))

    assert lost(rel, 6, pool=pool) == idcg(pool, 6) - dcg(rel, 6)
    assert lost([rel, [1]], 6).shape == (2,)
    assert lost(rel, 6, pool=pool, like="gdeval") == pytest.approx(lost(rel, 6, pool=pool, gain="exp"))
    assert lost(rel, 6, pool=pool, like="gdeval", discount=lambda n: EVEN(len(n))) == 30 - 21
    with pytest.raises(
        TypeError, match=r"lost\(\) got an unexpected keyword argument 'scores_': did you mean scores=?"
    ):
        lost(rel, scores_=rel)


def test_a_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    from ndcg_nb.dialects import DIALECTS

    ours = replace(DIALECTS["sklearn"], tool="Ours", gain="exp", discount="zipf", default_k=3)
    monkeypatch.setitem(DIALECTS, "ours", ours)
    value = ndcg(rel, like="ours")
    assert value == pytest.approx(ndcg(rel, 3, gain="exp", discount="zipf")) == disagree(rel).loc["ours", "nDCG"]
    assert "ours" in which(value, rel).index
    assert "ours" in list_dialects().index
    assert dialect("ours")["default_k"] == 3
