"""The smooth measures: published values, limits, gradients, bounds, masks, frameworks, and what they refuse."""

import importlib.util
import json
import tracemalloc
from functools import cache, partial
from itertools import pairwise, permutations

import numpy as np
import pytest
from conftest import absent
from shared.tables import check_refused, rows_of

from ndcg_nb import ndcg, smooth
from ndcg_nb.hood.tensors import arrays, soft
from ndcg_nb.smooth import approx_ndcg, gradient, hinge_loss, lambda_loss, neural_ndcg, xe_loss

nan = np.nan
inf = np.inf
rel = [3, 2, 3, 0, 1, 2]
scores = [2, 1.6, 1.1, 0.9, 0.2, -0.5]
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
    name: pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=absent(name)) for name in ("torch", "jax")
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
    above = lambda i: sum(1 / (1 + np.exp((s[i] - s[j]) / temperature)) for j in range(len(s)) if j != i)  # noqa: E731
    ranks = [1 + above(i) for i in range(len(s))]
    return sum(x / np.log2(1 + r) for x, r in zip(g, ranks)) / ideal_of(g)


def plain_neural(g, s, temperature=1.0, k=None):
    n = len(s)
    total = 0.0
    for i in range(1, (k or n) + 1):
        logits = np.array([((n + 1 - 2 * i) * t - sum(abs(t - u) for u in s)) / temperature for t in s])
        powers = np.exp(logits - logits.max())
        total += d(i) * float(powers @ g) / powers.sum()
    return total / ideal_of(g, k)


def plain_xe(g, s):
    log_of_all = np.log(np.exp(s).sum())
    return -sum(x / sum(g) * (t - log_of_all) for x, t in zip(g, s))


def plain_lambda(g, s, k=None, stake="lambdarank", temperature=1.0):
    if isinstance(stake, tuple):
        return plain_lambda(g, s) + stake[1] * plain_lambda(g, s, stake="loss2")
    n = len(s)
    rank = {i: r for r, i in enumerate(sorted(range(n), key=lambda i: -s[i]), 1)}
    cut = lambda i: d(i) if k is None or i <= k else 0.0  # noqa: E731
    total = 0.0
    for i, j in permutations(range(n), 2):
        if g[i] > g[j]:
            apart = abs(rank[i] - rank[j])
            swapped = abs(cut(rank[i]) - cut(rank[j])) if stake == "lambdarank" else cut(apart) - cut(apart + 1)
            doubt = np.log2(1 + np.exp(-(s[i] - s[j]) / temperature))
            total += (g[i] - g[j]) * swapped * doubt
    return total / ideal_of(g, k)


def plain_hinge(g, s, ties="average"):
    "The maximum over every order, and the mean over every best order"
    n = len(s)
    orders = list(permutations(range(n)))
    sure = lambda order: sum(s[i] * d(r) for r, i in enumerate(order, 1))  # noqa: E731
    lost = lambda order: 1 - sum(g[i] * d(r) for r, i in enumerate(order, 1)) / ideal_of(g)  # noqa: E731
    best = [o for o in orders if all(g[a] >= g[b] for a, b in pairwise(o))]
    best = [sorted(range(n), key=lambda i: -g[i])] if ties == "first" else best
    return max(lost(o) + sure(o) for o in orders) - sum(map(sure, best)) / len(best)


PLAIN = {
    approx_ndcg: plain_approx,
    neural_ndcg: plain_neural,
    xe_loss: plain_xe,
    lambda_loss: plain_lambda,
    hinge_loss: plain_hinge,
}


@sloped  # Sinkhorn's rounds have no formula
@pytest.mark.parametrize("levels", [None, 3])
def test_formulas_followed_to_the_letter(name, levels):
    objective, settings = OBJECTIVES[name]
    grades, points = lists(25, 5, levels, seed=1)
    values = value(name, grades, points, gain="exp")
    for g, s, v in zip(2.0**grades - 1, points, values):
        if g.any():
            close(v, PLAIN[objective](g, s, **settings))


# Limits

MANY = 2_000


def hard(grades, points, mask=None, k=None, **how):
    "nDCG itself, of what is there"
    if mask is not None:
        grades = np.where(mask, grades, 0)
        points = np.where(mask, points, -inf)
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
    assert np.abs(exact).max() > 0.05
    assert mask is None or (exact[~mask] == 0).all()


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
    assert (at[:2] == 0).all()
    assert np.isfinite(at).all()
    assert at[2:].any()


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


# Masks, batches, orders


def with_junk(shape=(6, 7), seed=12):
    "Lists of other lengths, and under the mask what no list may hold"
    rng = np.random.default_rng(seed)
    mask = some_mask(shape, seed)
    junk = rng.choice([nan, inf, -inf, -1.0], shape)
    grades = rng.integers(0, 4, shape).astype(float)
    points = rng.normal(size=shape)
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
    grades = np.where(mask, grades, 1)
    points = np.where(mask, points, 0.25)
    close(value(name, grades, points, mask=whole), value(name, grades, points), 1e-15)


@every
def test_nothing_to_gain(name):
    kinds = {"empty": 0.75} if OBJECTIVES[name][0] in (approx_ndcg, neural_ndcg) else {}
    grades = [[1, 2, 0], [0, 0, 0], [nan, -1, inf]]
    points = [[1.0, 2, 3], [1, 2, 3], [inf, nan, -inf]]
    mask = [[True] * 3, [True] * 3, [False] * 3]
    values = value(name, grades, points, mask=mask, **kinds)
    assert values[1] == values[2] == kinds.get("empty", 0)
    assert values[0] > 0
    assert value(name, grades, points, mask=mask)[1:].tolist() == [0, 0]


@every
def test_any_number_of_axes(name):
    grades, points = lists(6, 5, seed=13)
    flat = value(name, grades, points)
    deep = value(name, grades.reshape(2, 3, 5), points.reshape(2, 3, 5))
    assert flat.shape == (6,)
    assert deep.shape == (2, 3)
    close(deep.ravel(), flat, 1e-15)
    close([value(name, g, s) for g, s in zip(grades, points)], flat, 1e-15)
    assert value(name, grades.tolist(), points.tolist()).tolist() == flat.tolist()
    assert value(name, np.zeros((0, 3)), np.zeros((0, 3))).shape == (0,)
    one = value(name, grades[0].tolist(), points[0].tolist())
    assert isinstance(one, float)
    assert round(one, 3) == round(float(flat[0]), 3)
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
@pytest.mark.parametrize("size", [1e4, 1e30])
def test_extreme_scores(name, size):
    "Far apart is in order: the limit itself, and no warning"
    points = np.array(scores) * size
    how = {}
    if "temperature" in OBJECTIVES[name][1]:
        how["temperature"] = 0.01
    soft = value(name, rel, points, **how)
    if OBJECTIVES[name][0] in (approx_ndcg, neural_ndcg):
        close(soft, ndcg(rel, OBJECTIVES[name][1].get("k"), scores=points), 1e-14)
    assert np.isfinite(soft)
    if name != "sinkhorn":
        assert np.isfinite(slope(name, rel, points, **how)).all()


@every
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_numbers_too_large(name, kind):
    most = np.finfo(kind).max
    with pytest.raises(ValueError, match=r"scores\[2\] is .*not finite or above [12]e\+"):
        value(name, [1, 2, 0], np.array([0, 1, -most / 2], kind))
    with pytest.raises(ValueError, match=r"rel\[0\] is .*which has no finite gain up to [12]e\+"):
        value(name, np.array([most / 2, 2, 0], kind), np.ones(3, kind))
    with pytest.raises(ValueError, match=r"rel\[1\] is 1100, which has no finite gain"):
        value(name, [1, 1100, 0], np.ones(3, kind), gain="exp")
    if "temperature" in OBJECTIVES[name][1]:
        with pytest.raises(ValueError, match="temperature is 1e-320: give a finite number above 0, at least 1e-12"):
            value(name, rel, scores, temperature=1e-320)


# Frameworks


def torch_value_and_slope(name, grades, points, mask=None, **how):
    import torch

    points = torch.tensor(points, requires_grad=True)
    values = value(name, torch.tensor(grades), points, mask=None if mask is None else torch.tensor(mask), **how)
    values.sum().backward()
    return values.detach(), points.grad


@cache
def jitted(gain="linear", names=tuple(OBJECTIVES)):
    "Every objective and its gradient as one compiled program, for to compile is what costs here"
    import jax

    one = lambda name: lambda points, *rest: total(name, points, *rest)  # noqa: E731

    def total(name, points, grades, mask):
        values = value(name, grades, points, mask=mask, gain=gain)
        return values.sum(), values

    def all_of_them(points, grades, mask):
        return {name: jax.value_and_grad(one(name), has_aux=True)(points, grades, mask) for name in names}

    return jax.jit(all_of_them)


@pytest.fixture
def x64():
    "JAX in double precision, for as long as a test runs"
    import jax

    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def mixed(kind=np.float64):
    "Ties, masks with junk below them, a list with nothing to gain, one that is not there, one of a single result"
    grades, points, mask = with_junk((8, 7), seed=17)
    mask[0] = True
    grades[0], points[0] = [3, 2, 3, 0, 1, 2, 0], [1, 1, 0.5, 0.5, 0.5, -1, 2]
    grades[1][mask[1]] = 0
    mask[2], mask[3] = False, np.arange(7) == 4
    grades[3, 4], points[3, 4] = 2, 0.5
    return grades.astype(kind), points.astype(kind), mask


def expected(name, grades, points, mask, **how):
    values = value(name, grades, points, mask=mask, **how)
    return values, None if name == "sinkhorn" else slope(name, grades, points, mask=mask, **how)


def check_mixed(name, values, at, kind=np.float64, to=1e-12, **how):
    want, slopes = expected(name, *mixed(kind), **how)
    close(values, want, to)
    if name == "sinkhorn":
        slopes = np.where(mixed()[2], at, 0)
    elif "hinge" in name:  # among equals a maximum has several slopes, and each framework takes one of them
        values = values[3:]
        at = at[3:]
        slopes = slopes[3:]
    close(at, slopes, to)
    close(np.asarray(at).sum(-1), 0, 1e-13 if to < 1e-9 else 1e-6)
    if len(at) == 8:
        assert not np.asarray(at)[1:3].any()
        assert np.asarray(at)[0].any()


@needs["torch"]
@every
@pytest.mark.parametrize("gain", ["linear", "exp"])
def test_torch(name, gain):
    values, at = torch_value_and_slope(name, *mixed(), gain=gain)
    check_mixed(name, values.numpy(), at.numpy(), gain=gain)


@needs["torch"]
@every
def test_torch_in_single_precision(name):
    import torch

    values, at = torch_value_and_slope(name, *mixed(np.float32))
    assert values.dtype == at.dtype == torch.float32
    check_mixed(name, values.numpy(), at.numpy(), to=2e-5)


@needs["jax"]
def test_jax(x64):
    grades, points, mask = mixed()
    for name, ((_, values), at) in jitted("exp")(points, grades, mask).items():
        check_mixed(name, np.asarray(values), np.asarray(at), gain="exp")


@needs["jax"]
def test_jax_in_single_precision(x64):
    "Where double precision is at hand and nobody asked for it; only traced, not computed"
    import jax

    grades, points, mask = mixed(np.float32)
    for name, ((_, values), at) in jax.eval_shape(jitted(), points, grades, mask).items():
        assert values.dtype == at.dtype == np.float32, name
        assert values.shape == (8,)
        assert at.shape == (8, 7)


@needs["jax"]
def test_jax_piece_by_piece(x64):
    "Outside of a compiled program, and one list at a time inside of one"
    import jax
    import jax.numpy as jnp

    grades, points = lists(3, 4, seed=18)
    want = value("approx", grades, points)
    close(value("approx", jnp.asarray(grades), jnp.asarray(points)), want)
    close(jax.jit(jax.vmap(lambda g, s: value("approx", g, s)))(grades, points), want)


@needs["torch"]
@every
def test_torch_takes_lists_and_numpy_beside_its_scores(name):
    import torch

    grades, points = lists(4, 5, seed=19)
    want = value(name, grades, points)
    mask = np.ones(grades.shape, bool)
    for given in (grades, grades.tolist(), torch.tensor(grades)):
        close(value(name, given, torch.tensor(points), mask=mask), want)
    deep = value(name, torch.tensor(grades).reshape(2, 2, 5), torch.tensor(points).reshape(2, 2, 5))
    assert isinstance(deep, torch.Tensor)
    assert deep.shape == (2, 2)
    assert value(name, torch.tensor(grades[0]), torch.tensor(points[0])).shape == ()


@needs["torch"]
@every
def test_torch_evaluates_first_and_trains_then(name):
    "What is kept from the first call must serve the second"
    import torch

    grades, points = lists(2, 11 + list(OBJECTIVES).index(name), seed=20)
    with torch.inference_mode():
        value(name, torch.tensor(grades), torch.tensor(points))
    close(torch_value_and_slope(name, grades, points)[0], value(name, grades, points))


@needs["torch"]
@every
def test_torch_says_nan(name):
    "Values of a tensor are not looked at: what cannot be computed is nan or infinite, and its neighbours are well"
    import torch

    points = torch.tensor([[1.0, 2, 3], [1, 2, 3]])
    bad = torch.tensor([[1.0, nan, 3], [1, 2, 3]])
    grades = torch.tensor([[1.0, 2, 0], [1, 2, 0]])
    for g, s in (
        (grades, bad),
        (torch.where(bad.isnan(), nan, grades), points),
        (torch.where(bad.isnan(), inf, grades), points),
    ):
        values = value(name, g, s)
        assert values[0].isnan()
        assert values[1] == value(name, grades, points)[1]
    assert not value(name, grades, torch.where(bad.isnan(), inf, bad))[0].isfinite()


# Many pairs, and little room

LONG = 1_000  # results, whose pairs fill 8 MB
TABLE_BYTES = 8 * LONG**2


def long_list(n=LONG):
    rng = np.random.default_rng(21)
    return rng.integers(0, 4, n), rng.normal(size=n)


def peak_of(call):
    "The most memory that a call has at one time, in bytes"
    call()  # what is kept from a first call is not counted
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("name", [name for name in OBJECTIVES if name != "sinkhorn"])
def test_no_table_of_all_pairs_is_made(name, monkeypatch):
    grades, points = long_list()
    monkeypatch.setitem(arrays.ROOM, "host", 2**18)
    assert peak_of(lambda: value(name, grades, points)) < TABLE_BYTES / 6
    assert peak_of(lambda: slope(name, grades, points)) < TABLE_BYTES / 6


def test_scaling_makes_the_tables_of_few_lists(monkeypatch):
    "Sinkhorn's rounds need the table of a list, and not those of all lists"
    grades, points = (np.tile(x, (40, 1)) for x in long_list(200))
    monkeypatch.setitem(arrays.ROOM, "host", 2**20)
    assert peak_of(lambda: value("sinkhorn", grades, points)) < 40 * 8 * 200**2 / 4


def narrow(monkeypatch, numbers=60):
    "Room for a row or two"
    monkeypatch.setattr(arrays, "ROOM", dict.fromkeys(arrays.ROOM, 8 * numbers))


@every
def test_blocks_change_nothing(name, monkeypatch):
    grades, points, mask = mixed()
    whole = expected(name, grades, points, mask, gain="exp")
    narrow(monkeypatch)
    cut = expected(name, grades, points, mask, gain="exp")
    close(cut[0], whole[0], 1e-14)
    if name != "sinkhorn":
        close(cut[1], whole[1], 1e-14)


def test_with_a_cutoff_only_pairs_that_matter_are_looked_at(monkeypatch):
    grades, points = long_list(300)
    seen = []
    by_rows = soft.by_rows

    def counted(batch, each, rows, columns, tables):
        seen.append(rows[0].shape[-1] * columns[0].shape[-1])
        return by_rows(batch, each, rows, columns, tables)

    monkeypatch.setattr(soft, "by_rows", counted)
    close(lambda_loss(grades, 5, scores=points), plain_lambda(grades, points, 5), 1e-10)
    assert sum(seen) == 5 * 300 + 295 * 5


def largest_of(torch, call):
    "The most numbers that a tensor made by a call has"
    most = [0]

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            made = function(*args, **(kwargs or {}))
            own = [x for x in (made if isinstance(made, tuple | list) else [made]) if isinstance(x, torch.Tensor)]
            most.extend(x.untyped_storage().nbytes() // x.element_size() for x in own)
            return made

    with Watch():
        call()
    return max(most)


@needs["torch"]
@pytest.mark.parametrize("name", OBJECTIVES)
def test_torch_makes_no_table_of_all_pairs(name, monkeypatch):
    import torch

    grades, points = (np.tile(x, (30, 1)) for x in long_list(100))
    monkeypatch.setitem(arrays.ROOM, "host", 2**20)
    assert largest_of(torch, lambda: torch_value_and_slope(name, grades, points)) < 30 * 100**2 / 2


@needs["torch"]
@every
def test_torch_in_blocks(name, monkeypatch):
    "Values and slopes, slopes of slopes, and those of torch.func, are the same however little room there is"
    import torch

    grades, points, mask = (torch.tensor(x) for x in mixed())
    grades = torch.where(mask, grades, 0)
    points = torch.where(mask, points, 0)

    def all_slopes():
        scores = points.clone().requires_grad_()
        gains = grades.clone().requires_grad_()
        values = value(name, gains, scores, mask=mask)
        once = torch.autograd.grad(values.square().sum(), [scores, gains], create_graph=True)
        twice = torch.autograd.grad(once[0].square().sum(), scores) if "hinge" not in name else ()
        mapped = torch.func.vmap(torch.func.grad(lambda s, g, m: value(name, g, s, mask=m)))(points, grades, mask)
        return [values, *once, *twice, mapped]

    whole = all_slopes()
    narrow(monkeypatch)
    for cut, kept in zip(all_slopes(), whole):
        close(cut.detach().numpy(), kept.detach().numpy(), 1e-12)


@needs["jax"]
def test_jax_in_blocks(x64, monkeypatch):
    import jax

    names = ("approx", "neural@3", "sinkhorn", "lambdarank@3", "hinge")
    narrow(monkeypatch)
    grades, points, mask = mixed()
    for name, ((_, values), at) in jitted("linear", names)(points, grades, mask).items():
        check_mixed(name, np.asarray(values), np.asarray(at))
    grades, points = long_list(1_000)
    monkeypatch.setitem(arrays.ROOM, "jax", 2**18)
    program = jax.jit(jax.grad(lambda s: value("approx", grades, s))).lower(points).compile()
    assert program.memory_analysis().temp_size_in_bytes < 8 * 1_000**2 / 4


# What is refused

S6 = np.array(scores)
REFUSED = rows_of("""
{"rel": [1, 2], "scores": [1.0, 2, 3]}               | ValueError | rel has the shape (2,), and scores (3,) | mask=
{"rel": [1, 2], "scores": [1.0, 2], "mask": [1, 0]}  | TypeError  | mask holds int64 | True where there is a result
{"rel": [1, 2], "scores": [1.0, 2], "mask": [true]}  | ValueError | mask has the shape (1,), and scores (2,)
{"rel": [[1, 2], [3]], "scores": [[1, 1], [1, 1]]}   | ValueError | rel holds lists of different lengths | mask=
{"rel": ["1", "2"], "scores": [1.0, 2]}              | TypeError  | rel[0] is '1', of type str
{"rel": [3, null], "scores": [1.0, 2]}               | ValueError | rel[1] is nan, which has no finite gain | mask=
{"rel": [3, 2, NaN], "scores": [1.0, 2, 3]}          | ValueError | rel[2] is nan, which has no finite gain | mask=
{"rel": [[3, 2], [0, -1]], "scores": [[1, 2], [3, 4]]} | ValueError | rel[1][1] is -1, with a gain below
{"rel": [1, 2, 0], "scores": [1, 2, NaN]}            | ValueError | scores[2] is nan | finite | mask=
{"rel": [], "scores": []}                            | ValueError | scores has the shape (0,): give at least one result
{"rel": [1, 2], "scores": [1.0, 2], "gain": "log"}   | ValueError | gain is 'log': give 'linear', 'exp'
""")
SETTINGS = rows_of("""
neural_ndcg | k           | [0, -1, 1.5, true, "3", NaN, [1, 2]]                | give
lambda_loss | k           | [0, 2.0, [1, 2]]                                    | give
neural_ndcg | sinkhorn    | [-1, 1.5, true, "a", null]                          | give
lambda_loss | stake       | ["x", null, 3, "loss2++", ["loss2++", 1]]           | give
hinge_loss  | ties        | ["worst", null, 3, ["first"]]                       | give one of 'average', 'first'
approx_ndcg | empty       | [null, "skip", true, [1]]                           | give
neural_ndcg | empty       | [null, "skip", true, [1]]                           | give
approx_ndcg | temperature | [0, NaN, Infinity, "1", true, [0.1]]                | give a finite number above 0
neural_ndcg | temperature | [0, NaN, Infinity, "1", true, [0.1]]                | give a finite number above 0
lambda_loss | temperature | [0, NaN, Infinity, "1", true, [0.1]]                | give a finite number above 0
""")


@pytest.mark.parametrize("objective", PLAIN)
@pytest.mark.parametrize("given, kind, said", [(x, kind, said) for x, kind, *said in REFUSED])
def test_refused(objective, given, kind, said):
    check_refused(lambda: objective(**json.loads(given)), kind, *said)


@pytest.mark.parametrize("objective", PLAIN)
def test_gains_and_masks_refused(objective):
    with pytest.raises(TypeError, match=r"rel is a masked array.* mask=~rel\.mask"):
        objective(np.ma.masked_less([1, -1], 0), scores=[1.0, 2])
    with pytest.raises(ValueError, match=r"rel\[1\] is 2, which has no finite gain"):
        objective(rel, scores=scores, gain={0: 0, 1: 1, 3: 7})
    with pytest.raises(ValueError, match="called once, with an array of grades"):
        objective(rel, scores=scores, gain=lambda g: g[:2])


def check_setting_refused(objective, setting, *said):
    for call in (objective, partial(gradient, objective)):
        with pytest.raises((ValueError, TypeError)) as error:
            call(rel, scores=scores, **setting)
        missing = [words for words in said if words not in str(error.value)]
        assert missing == [], str(error.value)


@pytest.mark.parametrize("name, keyword, values, said", SETTINGS)
def test_settings_refused(name, keyword, values, said):
    for setting in json.loads(values):
        check_setting_refused(getattr(smooth, name), {keyword: setting}, f"{keyword} is", said)


def test_stakes_refused():
    for stake in (("loss2++",), ([],)):
        check_setting_refused(lambda_loss, {"stake": stake}, "stake is")
    for mu in (-1, nan, inf, "a"):
        check_setting_refused(lambda_loss, {"stake": ("loss2++", mu)}, "stake is ('loss2++'")
    check_setting_refused(lambda_loss, {"stake": "loss2", "k": 3}, "'loss2' is for whole lists: leave k out")
    check_setting_refused(lambda_loss, {"stake": ("loss2++", 1), "k": 3}, "is for whole lists")


def test_a_gradient_of_sinkhorns_rounds_is_refused():
    with pytest.raises(ValueError, match="sinkhorn is no part of this gradient"):
        gradient(neural_ndcg, rel, scores=scores, sinkhorn=3)


def test_what_is_taken():
    "Whole numbers, truth values and objects that are numbers; half precision is computed in single"
    want = approx_ndcg(rel, scores=[6, 5, 4, 3, 2, 1])
    assert want == approx_ndcg(rel, scores=np.arange(6.0, 0, -1)) == approx_ndcg(rel, scores=np.arange(6, 0, -1))
    assert want == approx_ndcg(np.array(rel, object), scores=np.arange(6, 0, -1).astype(object))
    assert approx_ndcg(np.array(rel) > 1, scores=scores) == approx_ndcg(rel, scores=scores, gain=lambda g: g > 1)
    assert xe_loss(rel, scores=S6.astype(np.float16)).dtype == np.float32


# Where no framework is installed


class Tensor(np.ndarray):
    "An array that says it is CuPy's, and is NumPy's: the road of tensors, gone without a device"

    __module__ = "cupy.pretended"
    device = "cpu"  # which arrays of NumPy 1 do not say


def pretended(x):
    return np.array(x).view(Tensor)


@every
def test_the_road_of_tensors(name):
    grades, points, mask = mixed()
    soft = value(name, pretended(grades), pretended(points), mask=pretended(mask), gain="exp")
    close(soft, value(name, grades, points, mask=mask, gain="exp"), 1e-14)
    beside = value(name, grades.tolist(), pretended(points), mask=mask.tolist(), gain="exp")
    close(beside, soft, 1e-14)
    bad = value(name, pretended([[1, -1], [1, 0]]), pretended([[1.0, 2], [1, 2]]))
    assert np.isnan(bad[0])
    assert np.isfinite(bad[1])


def makers():
    "How tensors are made: as CuPy's, or by a framework that is installed"
    torch = lambda x: importlib.import_module("torch").tensor(x)  # noqa: E731
    return [
        pytest.param(pretended, id="cupy"),
        pytest.param(torch, id="torch", marks=needs["torch"]),
    ]


@pytest.mark.parametrize("make", makers())
def test_tensors_refused(make):
    two = make([1.0, 2.0])
    with pytest.raises(TypeError, match="which cannot carry a gradient: make them float"):
        approx_ndcg([1, 2], scores=make([1, 2]))
    with pytest.raises(TypeError, match="rel and scores are arrays of two frameworks"):
        approx_ndcg(two, scores=[1.0, 2.0])
    with pytest.raises(TypeError, match="scores is a list of tensors: stack them into one"):
        approx_ndcg([[1, 2]], scores=[two])
    with pytest.raises(TypeError, match="its framework takes the gradient"):
        gradient(approx_ndcg, [1, 2], scores=two)
    with pytest.raises(TypeError, match=r"mask holds .*int64: give True"):
        approx_ndcg([1, 2], scores=two, mask=make([1, 0]))
    with pytest.raises(ValueError, match=r"rel has the shape \(3,\), and scores \(2,\)"):
        approx_ndcg([1, 2, 3], scores=two)
    with pytest.raises(TypeError, match=r"rel\[0\] is '1', of type str"):
        approx_ndcg(["1", "2"], scores=two)
    with pytest.raises(ValueError, match="called once"):
        approx_ndcg([1, 2], scores=two, gain=lambda g: g[:1])
    assert approx_ndcg([1, 2], scores=two, gain=lambda g: g > 1) > 0.9


@needs["torch"]
@needs["jax"]
def test_two_frameworks_refused():
    torch, jax = (importlib.import_module(name) for name in ("torch", "jax"))
    with pytest.raises(TypeError, match="two frameworks"):
        approx_ndcg(jax.numpy.asarray([1, 2]), scores=torch.tensor([1.0, 2.0]))
    with pytest.raises(TypeError, match="gradient"):
        approx_ndcg([1, 2], scores=jax.numpy.asarray([1, 2]))
