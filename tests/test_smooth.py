"""The smooth measures: published values, limits, gradients, bounds, masks, frameworks, and what they refuse."""

import importlib.util
import subprocess
import sys
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from ndcg_nb import ndcg
from ndcg_nb.smooth import approx_ndcg, gradient, hinge_loss, lambda_loss, neural_ndcg, xe_loss

nan, inf = np.nan, np.inf
rel, scores = [3, 2, 3, 0, 1, 2], [2, 1.6, 1.1, 0.9, 0.2, -0.5]
OBJECTIVES = {
    "approx": (approx_ndcg, {"temperature": 0.3}),
    "neural": (neural_ndcg, {"temperature": 0.7}),
    "neural@3": (neural_ndcg, {"k": 3}),
    "sinkhorn": (neural_ndcg, {"sinkhorn": 7}),
    "xe": (xe_loss, {}),
    "lambdarank": (lambda_loss, {}),
    "lambdarank@3": (lambda_loss, {"k": 3, "temperature": 0.5}),
    "loss2": (lambda_loss, {"stake": "loss2"}),
    "loss2++": (lambda_loss, {"stake": ("loss2++", 10)}),
    "hinge": (hinge_loss, {}),
    "hinge, first": (hinge_loss, {"ties": "first"}),
}
SHARED = {"approx", "neural", "sinkhorn", "neural@3", "xe", "hinge"}  # equal scores and equal gains have no order here
every = pytest.mark.parametrize("name", OBJECTIVES)
sloped = pytest.mark.parametrize("name", [name for name in OBJECTIVES if name != "sinkhorn"])
close = lambda a, b, to=1e-12: np.testing.assert_allclose(a, b, rtol=to, atol=to)  # noqa: E731
needs = {
    name: pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"{name} is not installed")
    for name in ("torch", "jax")
}


def value(name, rel, scores, **how):
    objective, settings = OBJECTIVES[name]
    return objective(rel, scores=scores, **settings | how)


def slope(name, rel, scores, **how):
    objective, settings = OBJECTIVES[name]
    return gradient(objective, rel, scores=scores, **settings | how)


def lists(many, n, levels=None, seed=0):
    "Random lists: grades of 0 to 3, and scores that are all different, or of a few levels and so often tied"
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 4, (many, n))
    if levels:
        return grades, rng.integers(0, levels, (many, n)) / 2.0
    return grades, rng.permuted(np.broadcast_to(np.linspace(-1.5, 1.5, n), (many, n)), axis=1)


def some_mask(shape, seed=0):
    mask = np.random.default_rng(seed).random(shape) < 0.6
    mask[..., 0] = True
    return mask


# What was published, and formulas followed to the letter

TABLE = {  # temperature: ApproxNDCG, NeuralSort, and NeuralSort after 200 rounds of Sinkhorn
    1: (0.736992579073, 0.883300052021, 0.900201449160),
    0.5: (0.806428601844, 0.905944989942, 0.913182039463),
    0.1: (0.938359701910, 0.943486381325, 0.943275271673),
    0.05: (0.947934518848, 0.948180758011, 0.948180473552),
    0.01: (0.948810748479, 0.948810748499, 0.948810748499),
}


@pytest.mark.parametrize("temperature", TABLE)
def test_the_table(temperature):
    how = {"scores": scores, "temperature": temperature, "gain": "exp"}
    values = approx_ndcg(rel, **how), neural_ndcg(rel, **how), neural_ndcg(rel, sinkhorn=200, **how)
    close(values, TABLE[temperature], 1e-11)


@pytest.mark.parametrize(
    ("objective", "how", "expected"),
    [
        (xe_loss, {}, 1.777252116300),
        (lambda_loss, {}, 0.458049138080),
        (lambda_loss, {"stake": "loss2"}, 0.622318996178),
        (lambda_loss, {"stake": ("loss2++", 10)}, 6.681239099859),
        (hinge_loss, {"ties": "first"}, 0.240294322234),
        (hinge_loss, {"ties": "first", "gain": "linear"}, 0.224172550755),
        (approx_ndcg, {"temperature": 1e9}, 0.663069183585),
    ],
)
def test_worked_values(objective, how, expected):
    close(objective(rel, scores=scores, **{"gain": "exp"} | how), expected, 1e-11 if objective != approx_ndcg else 1e-8)


def test_values_of_another_implementation():
    "allRank's unit tests: scores and labels are the same three numbers, in single precision"
    same = [0.5, 0.3, 0.5]
    close(approx_ndcg(same, scores=same, temperature=1, gain="exp"), 0.8499219417, 2e-7)
    close(approx_ndcg(same, scores=same, temperature=1, gain="exp"), 0.849921980768, 1e-11)
    close(lambda_loss(same, scores=same, stake=("loss2++", 10), gain="exp"), 1.1244146823, 2e-7)
    close(lambda_loss(same, scores=same, stake=("loss2++", 10), gain="exp"), 1.124414641326, 1e-11)


d = lambda i: 1 / np.log2(i + 1) if i else 0.0  # noqa: E731


def ideal_of(gains, k=None):
    return sum(g * d(i) for i, g in enumerate(sorted(gains, reverse=True)[:k], 1))


def plain_approx(g, s, temperature):
    ranks = [1 + sum(1 / (1 + np.exp((s[i] - t) / temperature)) for j, t in enumerate(s) if j != i) for i in range(len(s))]
    return sum(x / np.log2(1 + r) for x, r in zip(g, ranks)) / ideal_of(g)


def plain_neural(g, s, temperature, k=None):
    n, total = len(s), 0.0
    for i in range(1, (k or n) + 1):
        logits = np.array([((n + 1 - 2 * i) * t - sum(abs(t - u) for u in s)) / temperature for t in s])
        powers = np.exp(logits - logits.max())
        total += d(i) * float(powers @ g) / powers.sum()
    return total / ideal_of(g, k)


def plain_lambda(g, s, stake, k=None, temperature=1.0):
    n = len(s)
    rank = {i: r for r, i in enumerate(sorted(range(n), key=lambda i: -s[i]), 1)}
    cut = lambda i: d(i) if k is None or i <= k else 0.0  # noqa: E731
    apart = lambda i, j: abs(rank[i] - rank[j])  # noqa: E731
    stakes = {
        "lambdarank": lambda i, j: abs(cut(rank[i]) - cut(rank[j])),
        "loss2": lambda i, j: cut(apart(i, j)) - cut(apart(i, j) + 1),
    }
    pairs = [(i, j) for i in range(n) for j in range(n) if g[i] > g[j]]
    doubt = lambda i, j: np.log2(1 + np.exp(-(s[i] - s[j]) / temperature))  # noqa: E731
    return sum((g[i] - g[j]) * stakes[stake](i, j) * doubt(i, j) for i, j in pairs) / ideal_of(g, k)


def plain_hinge(g, s, ties):
    "The maximum over every order, and the mean over every best order"
    n, orders = len(s), list(permutations(range(len(s))))
    sure = lambda order: sum(s[i] * d(r) for r, i in enumerate(order, 1))  # noqa: E731
    lost = lambda order: 1 - sum(g[i] * d(r) for r, i in enumerate(order, 1)) / ideal_of(g)  # noqa: E731
    best = [o for o in orders if all(g[a] >= g[b] for a, b in zip(o, o[1:]))]
    best = [sorted(range(n), key=lambda i: -g[i])] if ties == "first" else best
    return max(lost(o) + sure(o) for o in orders) - sum(map(sure, best)) / len(best)


PLAIN = {
    "approx": lambda g, s: plain_approx(g, s, 0.3),
    "neural": lambda g, s: plain_neural(g, s, 0.7),
    "neural@3": lambda g, s: plain_neural(g, s, 1.0, 3),
    "xe": lambda g, s: -sum(x / sum(g) * (t - np.log(np.exp(s).sum())) for x, t in zip(g, s)),
    "lambdarank": lambda g, s: plain_lambda(g, s, "lambdarank"),
    "lambdarank@3": lambda g, s: plain_lambda(g, s, "lambdarank", 3, 0.5),
    "loss2": lambda g, s: plain_lambda(g, s, "loss2"),
    "loss2++": lambda g, s: plain_lambda(g, s, "lambdarank") + 10 * plain_lambda(g, s, "loss2"),
    "hinge": lambda g, s: plain_hinge(g, s, "average"),
    "hinge, first": lambda g, s: plain_hinge(g, s, "first"),
}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("levels", [None, 3])
def test_formulas_followed_to_the_letter(name, levels):
    grades, points = lists(25, 5, levels, seed=1)
    values = value(name, grades, points, gain="exp")
    for g, s, v in zip(2.0**grades - 1, points, values):
        if g.any():
            close(v, PLAIN[name](g, s))


# Limits

MANY = 2_000


def hard(grades, points, mask=None, k=None, **how):
    "nDCG itself, of what is there"
    if mask is not None:
        grades, points = np.where(mask, grades, 0), np.where(mask, points, -inf)
    return ndcg(grades, k, scores=points, empty=0, **how)


ragged = pytest.mark.parametrize("mask", [None, some_mask((MANY, 7))], ids=["full", "ragged"])


@ragged
def test_as_the_temperature_falls(mask):
    grades, points = lists(MANY, 7)
    limit = hard(grades, points, mask)
    far, near = (np.abs(approx_ndcg(grades, scores=points, temperature=t, mask=mask) - limit) for t in (0.1, 0.005))
    assert near.max() < 1e-13 < 1e-3 < far.max()
    for sinkhorn in (0, 3):
        close(neural_ndcg(grades, scores=points, temperature=0.005, mask=mask, sinkhorn=sinkhorn), limit, 1e-13)


@ragged
@pytest.mark.parametrize("k", [None, 1, 2, 5])
def test_neural_ndcg_tends_to_the_average_over_ties(k, mask):
    grades, points = lists(MANY, 7, levels=4)
    limit = hard(grades, points, mask, k)
    close(neural_ndcg(grades, k, scores=points, temperature=0.005, mask=mask), limit, 1e-14)
    assert np.abs(hard(grades, points, mask, k, ties="first") - limit).max() > 0.1


def test_approx_ndcg_of_ties_tends_to_the_value_at_the_mean_rank():
    grades, points = lists(MANY, 7, levels=4)
    above = (points[:, None, :] > points[:, :, None]).sum(-1)
    equal = (points[:, None, :] == points[:, :, None]).sum(-1)
    weights = 1 / np.log2(2 + above + (equal - 1) / 2)
    ideal = (np.sort(grades)[:, ::-1] / np.log2(np.arange(2, 9))).sum(-1)
    at_mean = (grades * weights).sum(-1) / np.where(ideal, ideal, 1)
    soft = approx_ndcg(grades, scores=points, temperature=0.005)
    close(soft, at_mean, 1e-14)
    averaged = ndcg(grades, scores=points, empty=0)
    assert (soft <= averaged + 1e-15).all() and (soft < averaged - 0.01).mean() > 0.5
    close(approx_ndcg([0, 1, 0], scores=[1, 1, 0], temperature=1e-3), 0.756470797366, 1e-11)
    close(ndcg([0, 1, 0], scores=[1, 1, 0]), 0.815464876786, 1e-11)


# Gradients


@sloped
@pytest.mark.parametrize("masked", [False, True])
def test_gradients_are_those_of_central_differences(name, masked):
    grades, points = lists(20, 6, seed=2)
    points = points + np.random.default_rng(3).uniform(-0.2, 0.2, points.shape)
    mask = some_mask(grades.shape) if masked else None
    step = 1e-6
    differences = np.stack(
        [
            (value(name, grades, points + e, mask=mask) - value(name, grades, points - e, mask=mask)) / (2 * step)
            for e in np.eye(6) * step
        ],
        axis=-1,
    )
    exact = slope(name, grades, points, mask=mask)
    close(exact, differences, 2e-8)
    close(exact.sum(-1), 0, 1e-13)
    assert np.abs(exact).max() > 0.05 and (mask is None or (exact[~mask] == 0).all())


@every
def test_nothing_changes_when_all_scores_rise(name):
    grades, points = lists(50, 6, seed=4)
    close(value(name, grades, points + 17.25), value(name, grades, points))


@sloped
def test_a_gradient_leaves_out_what_is_not_there(name):
    grades, points = lists(6, 5, levels=3, seed=5)
    mask = np.ones(grades.shape, bool)
    mask[0], grades[1] = False, 0
    at = slope(name, grades, points, mask=mask)
    assert (at[:2] == 0).all() and np.isfinite(at).all() and at[2:].any()


# Bounds


def with_something(grades, points, mask):
    "The lists in which there is something to gain"
    some = (grades if mask is None else np.where(mask, grades, 0)).any(-1)
    return grades[some], points[some], None if mask is None else mask[some]


@ragged
@pytest.mark.parametrize("levels", [None, 3, 12])
def test_bounds(levels, mask):
    grades, points = lists(MANY, 7, levels, seed=6)
    points = points * np.random.default_rng(7).uniform(0, 4, (MANY, 1))
    grades, points, mask = with_something(grades, points, mask)
    how = {"scores": points, "mask": mask, "gain": "exp"}
    ks = (1, 2, 3, 5, 7)
    lost = 1 - hard(grades, points, mask, ks, ties="worst", gain="exp") - 1e-14
    assert (xe_loss(grades, **how) >= -np.log1p(-lost[:, -1])).all()
    for ties in ("average", "first"):
        assert (hinge_loss(grades, ties=ties, **how) >= lost[:, -1]).all()
    for temperature in (0.2, 5):
        for stake in ("lambdarank", "loss2", ("loss2++", 0.5)):
            loss = lambda_loss(grades, stake=stake, temperature=temperature, **how)
            assert (loss >= lost[:, -1]).all(), (stake, temperature)
        for j, k in enumerate(ks):
            assert (lambda_loss(grades, k, temperature=temperature, **how) >= lost[:, j]).all(), (k, temperature)


def test_where_bounds_end():
    "XE says nothing of nDCG@1; and NDCG-Loss2 with a cut discount would say too little, so that it takes no cutoff"
    grades, points, _ = with_something(*lists(MANY, 7), None)
    cut = ndcg(grades, 1, scores=points, empty=0)
    broken = xe_loss(grades, scores=points) < -np.log(np.where(cut, cut, 1))
    assert 0.1 < broken.mean() < 0.4
    late, points = [0, 0, 1, 0, 1], [5, 4, 3, 2, 1]
    assert ndcg(late, 2, scores=points) == 0
    close(plain_lambda(late, points, "loss2", k=2, temperature=0.01), (2 - d(2)) / (1 + d(2)))
    assert plain_lambda(late, points, "loss2", k=2, temperature=0.01) < 0.9
    assert lambda_loss(late, 2, scores=points, temperature=0.01) >= 1


def bent(name):
    "By how much a segment between random scores lies below the objective, at its worst"
    grades, here = lists(MANY, 6, levels=5, seed=8)
    there = np.random.default_rng(9).normal(size=here.shape) * 2
    t = np.random.default_rng(10).random((MANY, 1))
    ends = (1 - t[:, 0]) * value(name, grades, here) + t[:, 0] * value(name, grades, there)
    return (value(name, grades, (1 - t) * here + t * there) - ends).max()


def test_what_is_convex():
    assert all(bent(name) < 1e-14 for name in ("xe", "hinge", "hinge, first"))
    assert all(bent(name) > 0.01 for name in ("lambdarank", "loss2", "approx", "neural"))


def test_a_sort_finds_the_worst_of_all_orders():
    grades, points = lists(4, 6, levels=4, seed=11)
    for g, s in zip(grades, points):
        for ties in ("average", "first"):
            close(hinge_loss(g, scores=s, ties=ties), plain_hinge(g, s, ties))


# Masks, batches, orders


def with_junk(shape=(6, 7), seed=12):
    "Lists of other lengths, and under the mask what no list may hold"
    rng = np.random.default_rng(seed)
    mask, junk = some_mask(shape, seed), rng.choice([nan, inf, -inf, -1.0], shape)
    grades, points = rng.integers(0, 4, shape).astype(float), rng.normal(size=shape)
    grades[..., 0] = 2
    return np.where(mask, grades, junk), np.where(mask, points, junk), mask


@every
def test_masked_is_absent(name):
    grades, points, mask = with_junk()
    together = value(name, grades, points, mask=mask, gain="exp")
    for g, s, m, v in zip(grades, points, mask, together):
        close(v, value(name, g[m], s[m], gain="exp"), 4e-15)
        if name != "sinkhorn":
            at = slope(name, g, s, mask=m, gain="exp")
            close(at[m], slope(name, g[m], s[m], gain="exp"), 4e-15)
            assert (at[~m] == 0).all()
    whole = np.ones(mask.shape, bool)
    grades, points = np.where(mask, grades, 1), np.where(mask, points, 0.25)
    close(value(name, grades, points, mask=whole), value(name, grades, points), 1e-15)


@every
def test_nothing_to_gain(name):
    kinds = {"empty": 0.75} if OBJECTIVES[name][0] in (approx_ndcg, neural_ndcg) else {}
    grades, points = [[1, 2, 0], [0, 0, 0], [nan, -1, inf]], [[1.0, 2, 3], [1, 2, 3], [inf, nan, -inf]]
    mask = [[True] * 3, [True] * 3, [False] * 3]
    values = value(name, grades, points, mask=mask, **kinds)
    assert values[1] == values[2] == kinds.get("empty", 0) and 0 < values[0]
    assert value(name, grades, points, mask=mask)[1:].tolist() == [0, 0]


@every
def test_one_result(name):
    assert value(name, [[2], [0]], [[0.5], [0.5]]).tolist() == [OBJECTIVES[name][0] in (approx_ndcg, neural_ndcg), 0]
    if name != "sinkhorn":
        assert slope(name, [2], [0.5]).tolist() == [0]


@every
def test_any_number_of_axes(name):
    grades, points = lists(6, 5, seed=13)
    flat = value(name, grades, points)
    deep = value(name, grades.reshape(2, 3, 5), points.reshape(2, 3, 5))
    assert flat.shape == (6,) and deep.shape == (2, 3)
    close(deep.ravel(), flat, 1e-15)
    close([value(name, g, s) for g, s in zip(grades, points)], flat, 1e-15)
    assert value(name, grades.tolist(), points.tolist()).tolist() == flat.tolist()
    assert value(name, np.zeros((0, 3)), np.zeros((0, 3))).shape == (0,)
    one = value(name, grades[0].tolist(), points[0].tolist())
    assert isinstance(one, float) and round(one, 3) == round(float(flat[0]), 3)
    if name != "sinkhorn":
        assert slope(name, grades.reshape(2, 3, 5), points.reshape(2, 3, 5)).shape == (2, 3, 5)


@every
def test_the_order_of_the_input_is_irrelevant(name):
    rng = np.random.default_rng(14)
    grades, points = lists(40, 6, 4 if name in SHARED else None, seed=14)
    grades = grades if name in SHARED else rng.permuted(np.broadcast_to(np.arange(6), grades.shape), axis=1)
    order = rng.permuted(np.broadcast_to(np.arange(6), grades.shape), axis=1)
    moved = [np.take_along_axis(x, order, 1) for x in (grades, points)]
    close(value(name, *moved), value(name, grades, points), 1e-14)
    if name not in ("sinkhorn", "hinge"):  # the slope of a maximum of several orders is that of one of them
        close(slope(name, *moved), np.take_along_axis(slope(name, grades, points), order, 1), 1e-14)


@pytest.mark.parametrize("form", ["linear", "exp", "binary", "positive", {0: 0, 1: 1, 2: 5, 3: 9}, np.sqrt])
def test_gains_are_those_of_ndcg(form):
    grades, points = lists(50, 5, seed=15)
    grades = grades - 1 if form == "positive" else grades
    soft = approx_ndcg(grades, scores=points, temperature=0.01, gain=form)
    close(soft, ndcg(grades, scores=points, gain=form, empty=0), 1e-14)


# Precision, and numbers beyond it


@every
def test_single_precision_stays_single(name):
    grades, points = lists(40, 6, seed=16)
    single = value(name, grades, points.astype(np.float32))
    assert single.dtype == np.float32
    close(single, value(name, grades, points.astype(np.float32).astype(float)), 1e-5)
    if name != "sinkhorn":
        assert slope(name, grades, points.astype(np.float32)).dtype == np.float32


@every
@pytest.mark.parametrize("size", [1e4, 1e30, 1e150, 1e300])
def test_extreme_scores(name, size):
    "Far apart is in order: the limit itself, and no warning"
    points, how = np.array(scores) * size, {}
    if "temperature" in OBJECTIVES[name][1]:
        how["temperature"] = 0.01
    soft = value(name, rel, points, **how)
    if OBJECTIVES[name][0] in (approx_ndcg, neural_ndcg):
        close(soft, ndcg(rel, OBJECTIVES[name][1].get("k"), scores=points), 1e-14)
    assert np.isfinite(soft)
    if name != "sinkhorn":
        assert np.isfinite(slope(name, rel, points, **how)).all()


@every
def test_differences_beyond_the_largest_number(name):
    "What is said is finite, or infinite where a loss is; never nan, and no warning"
    points = [1.7e308, -1.7e308, 1.6e308]
    soft = value(name, [1, 2, 0], points)
    assert np.isfinite(soft) if OBJECTIVES[name][0] in (approx_ndcg, neural_ndcg) else soft > 1e300
    if name != "sinkhorn":
        assert np.isfinite(slope(name, [1, 2, 0], points)).all()


@pytest.mark.parametrize("objective", [approx_ndcg, neural_ndcg, lambda_loss])
def test_a_temperature_next_to_nothing(objective):
    soft = objective(rel, scores=scores, temperature=1e-320)
    if objective is lambda_loss:
        assert soft > 1e300
    else:
        close(soft, ndcg(rel), 1e-14)
    assert np.isfinite(gradient(objective, rel, scores=scores, temperature=1e-300)).all()
