"""Equally good results, intents and other ideals: what is read once, in little memory, and by which settings."""

import tracemalloc

import numpy as np
import pytest
from test_limits import greedy

import ndcg_nb.coverage
from ndcg_nb import alpha_ndcg, gain_recall, intent_ndcg, minmax_ndcg, ndcg, penalized_ndcg
from ndcg_nb.coverage import ncg, ndcg_at_r, tied_ndcg

rng = np.random.default_rng(11)


# Intents


def softmax(logits: np.ndarray) -> np.ndarray:
    likely = np.exp(logits)
    return likely / likely.sum()


def test_probabilities_of_single_precision() -> None:
    for n in (2, 10, 300):
        rel = rng.integers(0, 4, (n, 6)) + 1
        likely = softmax(rng.normal(size=n).astype(np.float32))
        expected = likely.astype(float) @ ndcg(rel)
        assert intent_ndcg(rel, likely) == intent_ndcg(rel, likely.tolist()) == expected, "used as they are"
        assert intent_ndcg([rel], [likely]).tolist() == [expected]
    with pytest.raises(ValueError, match="add up to 1"):
        intent_ndcg([[1], [1]], [0.3, 0.7 + 1e-8])


def test_intents_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(ndcg_nb.coverage, "ndcg", lambda *a, **how: asked.append(a) or ndcg(*a, **how))
    rel = [rng.integers(0, 4, (3, rng.integers(1, 9))).tolist() for _ in range(50)]
    likely = rng.dirichlet([1, 1, 1], 50)
    scores = [rng.random(len(x[0])) for x in rel]
    together = intent_ndcg(rel, likely, [1, 3], scores=scores, empty=0)
    assert len(asked) == 1
    alone = [intent_ndcg(x, p, [1, 3], scores=s, empty=0).tolist() for x, p, s in zip(rel, likely, scores)]
    assert together.tolist() == alone
    with pytest.raises(ValueError, match=r"query 7: rel\[2\]\[0\] is -1"):
        rel[7][2][0] = -1
        intent_ndcg(rel, likely, scores=scores)


def test_queries_with_pools_of_different_kinds() -> None:
    rel = [[[1, 0], [0, 2]], [[2, 1], [0, 1]]]
    likely = [[0.5, 0.5], [0.25, 0.75]]
    pool = [[2, 1, 0], [[2, 1, 1], [1, 1, 0]]]  # one for both intents, and one for each
    alone = [intent_ndcg(r, p, 2, pool=x) for r, p, x in zip(rel, likely, pool)]
    assert intent_ndcg(rel, likely, 2, pool=pool).tolist() == alone


def test_no_queries_at_all() -> None:
    assert intent_ndcg(np.empty((0, 2, 3)), np.empty((0, 2))).shape == (0,)


def test_what_no_single_query_is_to_blame_for() -> None:
    few = lambda grades: grades if len(grades) < 3 else grades[:2]  # noqa: E731
    rel = [[[1, 0], [0, 1]], [[2, 0], [0, 2]]]
    with pytest.raises(ValueError, match=r"^gain is called once"):  # with the grades of both
        intent_ndcg(rel, [[0.5, 0.5], [0.5, 0.5]], gain=few)


def test_documents_that_serve_the_same() -> None:
    for _ in range(100):
        kinds = [set(np.flatnonzero(rng.random(4) < 0.5).tolist()) for _ in range(3)]
        pool = [kinds[i] for i in rng.integers(0, 3, 12)]
        best = greedy(pool, 0.5, 99)
        assert alpha_ndcg(best, pool=pool, empty=1) == 1 == alpha_ndcg(best, 5, pool=pool, empty=1)


# Cutoffs, ties and ideals


def test_memory_of_a_cutoff_for_each_list() -> None:
    relevant = np.tri(2000, dtype=np.int8)
    expected = [float(ndcg(row[::-1], max(1, int(row.sum())))) for row in relevant[::200]]
    tracemalloc.start()
    values = ndcg_at_r(relevant[:, ::-1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert values[::200].tolist() == expected
    assert peak < 50e6, "lists × cutoffs, three times over, are 96 MB"


def test_tied_lists_are_read_once() -> None:
    with pytest.warns(UserWarning, match="if these are ranks") as caught:
        found = tied_ndcg([3, 2, 1], scores=[1, 2, 3], like="trec_eval", gain="exp", pool=[3, 2, 1, 3])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert found.worst == found.best < 1


def test_ids_settle_ties_everywhere() -> None:
    how = {"scores": [1, 1, 1], "ids": ["a", "c", "b"], "ties": "id"}
    for measure in (penalized_ndcg, minmax_ndcg, ncg, gain_recall):
        assert measure([1, 0, 2], 2, **how) == measure([0, 2, 1], 2)
    assert ndcg_at_r([1, 0, 2], **how) == ndcg_at_r([0, 2, 1])
    assert ndcg_at_r([[1, 0, 2], [0]], scores=[[1, 1, 1], [1]], ids=[["a", "c", "b"], ["a"]], ties="id", empty=0)[
        0
    ] == ndcg_at_r([0, 2, 1])
    assert intent_ndcg([[1, 0, 2], [0, 1, 0]], [0.5, 0.5], 2, **how) == intent_ndcg(
        [[0, 2, 1], [1, 0, 0]], [0.5, 0.5], 2
    )


def test_ideals_that_are_not_theirs() -> None:
    for measure in (penalized_ndcg, minmax_ndcg, gain_recall):
        assert measure([0, 2, 1], 2, pool=[2, 2, 1, 0, 3], ideal="list") == measure([0, 2, 1], 2)
        for ideal in ("hits", "reached", "given"):
            with pytest.raises(ValueError, match=f"ideal is '{ideal}': give one of 'pool', 'list'"):
                measure([0, 2, 1], ideal=ideal)
        with pytest.raises(ValueError, match="ideal is 'hits'"):
            measure([0, 2, 1], 2, like="elasticsearch")
    assert ndcg_at_r([2, 0, 1], pool=[0, 2, 1], ideal="given") == ndcg([2, 0, 1], 2, pool=[0, 2, 1], ideal="given")
    assert ncg([2, 0, 1], 2, pool=[0, 2, 1], ideal="given") == 1
