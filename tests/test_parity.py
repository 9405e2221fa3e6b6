"""The same number as scikit-learn, where it has one, on random problems with and without ties."""

import numpy as np
import pytest

from ndcg_nb import dcg, ndcg

metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")


@pytest.mark.parametrize("seed", range(40))
def test_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 8), rng.integers(2, 300)
    truth = rng.integers(0, 5, shape) if seed % 2 else rng.random(shape) * rng.choice([1, 100])
    scores = rng.random(shape) if seed % 3 else rng.integers(0, 5, shape).astype(float)
    for k in (None, 1, 7, int(shape[1]) + 3):
        expected = [metrics.ndcg_score([t], [s], k=k) for t, s in zip(truth, scores)]  # row by row: it only gives means
        assert ndcg(truth, k, scores=scores, empty=0) == pytest.approx(expected, rel=1e-12)
        if seed % 3:  # without ties every rule gives the same
            for ties in ("first", "last", "best", "worst"):
                assert ndcg(truth, k, scores=scores, ties=ties, empty=0) == pytest.approx(expected, rel=1e-12)
        expected = [metrics.dcg_score([t], [s], k=k, log_base=10) for t, s in zip(truth, scores)]
        assert dcg(truth, k, scores=scores, discount=("log", 10)) == pytest.approx(expected, rel=1e-12)


def test_scikit_learn_with_negative_grades() -> None:
    truth, scores = [[-1.0, 2.0, 0.5, -3.0]], [[0.3, 0.3, 0.9, 0.1]]
    assert dcg(truth[0], scores=scores[0]) == pytest.approx(metrics.dcg_score(truth, scores), rel=1e-12)
