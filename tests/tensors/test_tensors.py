"""Tensors get the number that numpy arrays get, on the host and on a device; and what cannot be had there is said."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import needed
from shared.tables import check_refused, rows_of

from ndcg_nb import bounds, cg, dcg, explain, idcg, ndcg
from ndcg_nb.coverage import ndcg_at_r
from ndcg_nb.hood.tensors import devices as tensors
from ndcg_nb.hood.tensors.devices import FOUND, compute, framework_for, read_request

MEASURES = {f.__name__: f for f in (cg, dcg, idcg, ndcg)}
GAINS = ["linear", "exp", "binary", "positive", "positive-exp", ("exp", range(4)), {0: 0, 1: 1, 2: 5, 3: 6}]
WEIGHTS = [1 / n for n in range(1, 400)]
DISCOUNTS = ["log2", ("log", 3), ("jk", 2), "zipf", ("power", 0.5), WEIGHTS, lambda rank: 1 / (rank + 2)]
CUTOFFS = [None, 1, 3, 10, [1, 3, 5], [2, 10, 300]]
RULES = ["average", "average", "average", "first", "last", "best", "worst"]


def torch_or_skip() -> Any:
    return needed("torch")


def jax_or_skip() -> Any:
    return needed("jax")


@pytest.fixture
def double() -> Iterator[None]:
    "JAX with numbers of 64 bits"
    with jax_or_skip().enable_x64(True):
        yield


def chosen(rng: np.random.Generator, options: list[Any]) -> Any:
    return options[rng.integers(len(options))]


def problem(seed: int) -> tuple[str, np.ndarray, Any, dict[str, Any]]:
    "A measure, grades, a cutoff and keywords: ties, pools and results that were not retrieved among them"
    rng = np.random.default_rng(seed)
    name = chosen(rng, [*MEASURES, "ndcg"])
    n = chosen(rng, [0, 1, 2, 3, 7, 20, 60, 200, 250])
    k = chosen(rng, CUTOFFS)
    shape = (n,) if rng.random() < 0.3 else (int(rng.integers(1, 5)), n)
    rel = rng.integers(0, 4, shape).astype(float)
    keywords = {"gain": chosen(rng, GAINS)}
    if name != "cg":
        keywords["discount"] = chosen(rng, DISCOUNTS)
    if name != "idcg" and rng.random() < 0.85:
        scores = rng.integers(0, rng.integers(1, 2 * n + 2), shape) / 4
        keywords |= {"scores": np.where(rng.random(shape) < rng.choice([0, 0.3]), -np.inf, scores)}
        keywords |= {"ties": chosen(rng, RULES)}
    if name == "ndcg":
        keywords["empty"] = chosen(rng, [None, 0, 1, 0.5])
    if name == "ndcg" and rng.random() < 0.5:
        keywords["pool"] = np.concatenate([rel, rng.integers(0, 4, (*shape[:-1], rng.integers(0, 6)))], axis=-1)
    return name, rel, k, keywords


def expected(name: str, rel: np.ndarray, k: Any, keywords: dict[str, Any]) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of 0/0, and of lists of one result
        return np.asarray(MEASURES[name](rel, k=k, **keywords))


def unseen(make: Callable[[np.ndarray], Any], name: str, rel: Any, k: Any, keywords: dict[str, Any], few: int) -> Any:
    "What the second road makes of a problem, also where its arrays are on the host"
    arrays = {x: make(keywords[x]) for x in ("scores", "pool") if x in keywords}
    settings = {x: y for x, y in keywords.items() if x not in arrays}
    ways = replace(framework_for(make(rel)), few=few)
    rel = make(rel)
    return np.asarray(compute(ways, read_request(name, rel, k, **settings), rel, **arrays))


def check(make: Callable[[np.ndarray], Any], seeds: range) -> None:
    for seed in seeds:
        asked = problem(seed)
        want = expected(*asked)
        got = unseen(make, *asked, few=seed % 2 * 2**40)
        assert got.shape == want.shape, asked
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14, err_msg=str(asked))


@pytest.mark.parametrize("little", [0, 2**22])
def test_arrays_of_the_standard_agree(monkeypatch: pytest.MonkeyPatch, little: int) -> None:
    monkeypatch.setattr(tensors, "LITTLE", little)
    check(np.asarray, range(300))


@pytest.mark.parametrize("little", [0, 2**22])
def test_torch_agrees(monkeypatch: pytest.MonkeyPatch, little: int) -> None:
    monkeypatch.setattr(tensors, "LITTLE", little)
    check(torch_or_skip().tensor, range(300, 600))


def test_jax_agrees_while_it_traces(double: None) -> None:
    jax = jax_or_skip()
    for seed in range(900, 915):
        name, rel, k, keywords = problem(seed)
        arrays = {x: keywords.pop(x) for x in ("scores", "pool") if x in keywords}
        traced = jax.jit(lambda rel, arrays: MEASURES[name](rel, k=k, **arrays, **keywords))  # noqa: B023
        want = expected(name, rel, k, arrays | keywords)
        np.testing.assert_allclose(traced(rel, arrays), want, rtol=1e-12, atol=1e-14, err_msg=f"{seed}: {name} at {k}")


def test_jax_maps_over_lists(double: None) -> None:
    jax = jax_or_skip()
    rng = np.random.default_rng(0)
    rel = rng.integers(0, 4, (6, 40))
    scores = rng.integers(0, 9, (6, 40)) / 2
    mapped = jax.vmap(lambda r, s: ndcg(r, 5, scores=s))(rel, scores)
    np.testing.assert_allclose(mapped, ndcg(rel, 5, scores=scores), rtol=1e-12)


# The door


def kinds() -> list[Any]:
    return [pytest.param(torch_or_skip, id="torch"), pytest.param(jax_or_skip, id="jax")]


def maker(framework: Any) -> Any:
    return framework.tensor if framework.__name__ == "torch" else framework.numpy.asarray


@pytest.mark.parametrize("framework", kinds())
def test_tensors_of_the_host_get_tensors(framework: Any) -> None:
    make = maker(framework())
    rng = np.random.default_rng(1)
    rel = rng.integers(0, 4, (5, 30))
    scores = (rng.integers(0, 20, (5, 30)) / 4).astype(np.float32)
    for k in (None, 3, [3, 10]):
        got = ndcg(make(rel), k, scores=make(scores))
        want = ndcg(rel, k, scores=scores)
        assert type(got) is type(make(scores))
        assert got.dtype == make(scores).dtype
        assert got.shape == want.shape
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6)
    assert ndcg(make(rel[0])).shape == ()
    assert abs(float(ndcg(make(rel[0]))) - ndcg(rel[0])) < 1e-6
    low, high = bounds(make(np.array([3, 2, np.nan], np.float32)), grades=[0, 1, 2, 3])
    assert type(low) is type(high) is type(make(rel))
    assert float(ndcg_at_r(make(rel[0]))) == pytest.approx(ndcg_at_r(rel[0]), rel=1e-6)
    assert str(explain(make(rel[0]))) == str(explain(rel[0])), "what is not a number is as it was"


@pytest.mark.parametrize("framework", kinds())
def test_the_host_looks_and_refuses(framework: Any) -> None:
    make = maker(framework())
    with pytest.raises(ValueError, match=r"rel\[1\] is nan"):
        ndcg(make(np.array([3.0, np.nan], np.float32)))
    with pytest.raises(ValueError, match="penalized_ndcg charges"):
        ndcg(make(np.array([3, -1])))
    with pytest.warns(RuntimeWarning, match="0/0"):
        assert np.isnan(float(ndcg(make(np.array([0, 0])))))
    with pytest.raises(TypeError, match="did you mean ties"):
        ndcg(make(np.array([3, 2])), tie="first")
    ids = ["a", "b"]
    one = np.ones(2, np.float32)
    assert float(dcg(make(np.array([1, 0])), 1, scores=make(one), ids=ids, like="trec_eval")) == 0


def test_torch_keeps_precision_and_needs_no_gradient() -> None:
    torch = torch_or_skip()
    rel = torch.tensor([3, 2, 3, 0, 1, 2])
    scores = torch.tensor([0.6, 0.4, 0.5, 0.3, 0.1, 0.2])
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        got = ndcg(rel, scores=scores.to(dtype).requires_grad_())
        assert got.dtype is torch.promote_types(dtype, torch.float32)
        assert not got.requires_grad
        assert float(got) == pytest.approx(ndcg([3, 3, 2, 0, 2, 1]), rel=1e-6)
    ways = framework_for(rel)
    for dtype in (torch.float16, torch.bfloat16):
        got = ways.run(read_request("ndcg", rel), rel, scores.to(dtype).requires_grad_(), None)
        assert got.dtype is torch.float32
        assert not got.requires_grad
    assert ndcg(rel).dtype is torch.get_default_dtype()
    assert ndcg(rel.double()).dtype is torch.float64


def test_torch_of_other_devices_is_refused() -> None:
    torch = torch_or_skip()
    rel = torch.zeros(6, device="meta")
    with pytest.raises(ValueError, match="scores is on cpu, and rel on meta: move one"):
        ndcg(rel, scores=torch.zeros(6))
    assert ndcg(rel, 3, scores=torch.zeros(6, device="meta")).device.type == "meta"
    assert dcg(rel, [1, 2]).shape == (2,)


def test_jax_on_the_trace_refuses_by_name() -> None:
    jax = jax_or_skip()
    with pytest.raises(ValueError, match=r"ties='id' is not done while JAX traces: .* jax.device_get"):
        jax.jit(lambda rel: ndcg(rel, scores=rel, ties="id"))(np.zeros(3))


# On a device there may be none here, so one stands in


class Tensor(np.ndarray):
    "A numpy array that says it is PyTorch's, and on a device"

    is_cpu = False
    device = "cpu"  # which is what the functions of numpy understand
    detach = np.ndarray.copy

    def sort(self, stable: bool, dim: int, descending: bool) -> Any:  # type: ignore[override]
        at = np.argsort(-np.asarray(self, float), axis=dim, kind="stable")
        return self.gather(dim, at), at

    def gather(self, dim: int, at: Any) -> Any:
        return on_card(np.take_along_axis(np.asarray(self), np.asarray(at), dim))

    def topk(self, k: int, dim: int) -> Any:
        values, at = self.sort(True, dim, True)
        return values[:, :k], on_card(at[:, :k])

    def new_zeros(self, *shape: int, dtype: Any) -> Any:
        return on_card(np.zeros(shape, dtype))

    def scatter_add(self, dim: int, group: Any, values: Any) -> Any:
        np.add.at(self, (np.arange(len(group))[:, None], np.asarray(group)), np.asarray(values))
        return self


Tensor.__module__ = "torch.stand_in"


def on_card(x: Any) -> Any:
    return np.array(x).view(Tensor)


class Elsewhere(Tensor):
    device = "cuda:1"


class Here(Tensor):
    is_cpu = True

    def data_ptr(self) -> int:
        return 0


class Tracer(np.ndarray):
    "A numpy array that says it is JAX's, and its numbers still to come"

    @property
    def at(self) -> Any:
        return type("At", (), {"__getitem__": lambda _, where: SimpleNamespace(add=lambda x: self.added(where, x))})()

    def added(self, where: Any, values: Any) -> Any:
        np.add.at(self, where, np.asarray(values))
        return self


Tracer.__module__ = "jax.stand_in"


@pytest.fixture
def jax_stands_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    "The functions of JAX that are called by name"

    class Custom:
        "A function whose slope is another's to say"

        def __init__(self, function: Callable[..., Any]) -> None:
            self.function = function

        def __call__(self, *given: Any) -> Any:
            return self.function(*given)

        def defvjp(self, forward: Any, backward: Any) -> None:
            with pytest.raises(TypeError, match="flat almost everywhere: for a gradient use approx_ndcg"):
                backward(None, None)

    def sort(operands: Any, num_keys: int, is_stable: bool) -> Any:
        at = np.argsort(np.asarray(operands[0]), axis=1, kind="stable")
        return [np.take_along_axis(np.asarray(x), at, 1) for x in operands]

    def top_k(x: Any, k: int) -> Any:
        at = np.argsort(-np.asarray(x), axis=1, kind="stable")[:, :k]
        return np.take_along_axis(np.asarray(x), at, 1), at

    lax = SimpleNamespace(sort=sort, top_k=top_k)
    monkeypatch.setitem(sys.modules, "jax", SimpleNamespace(lax=lax, jit=lambda f: f, custom_vjp=Custom))
    tensors._compile.cache_clear()
    monkeypatch.setattr(np, "zeros", lambda *args, zeros=np.zeros, **kw: zeros(*args, **kw).view(Tracer))
    return lambda x: np.asarray(x).view(Tracer)


GRADES = np.array([[3, 2, 3, 0, 1, 2], [0, 1, 0, 2, 2, 3.0]])
SCORES = np.array([[0.6, 0.5, 0.5, 0.3, 0.2, 0.1], [0.1, 0.1, 0.1, 0.2, 0.2, -np.inf]])


def test_a_card_gets_the_same_number() -> None:
    rel = on_card(GRADES)
    scores = on_card(SCORES)
    for keywords in (
        {},
        {"k": 2},
        {"k": [1, 4]},
        {"ties": "first"},
        {"ties": "worst"},
    ):
        want = ndcg(GRADES, scores=SCORES, **keywords)
        np.testing.assert_allclose(ndcg(rel, scores=scores, **keywords), want, rtol=1e-12)
    pool = [3, 3, 3, 2, 2, 2, 1, 1]
    np.testing.assert_allclose(ndcg(rel, pool=on_card(pool)), ndcg(GRADES, pool=pool))
    assert tensors._send(pool, rel, "pool").tolist() == pool
    np.testing.assert_allclose(idcg(pool=rel, k=3), idcg(GRADES, 3))
    long = np.tile(GRADES, 40)
    np.testing.assert_allclose(ndcg(on_card(long), 3), ndcg(long, 3))
    np.testing.assert_allclose(
        ndcg(on_card(GRADES > 1), scores=on_card(SCORES > 0.1)), ndcg(GRADES > 1, scores=SCORES > 0.1)
    )


def test_jax_is_asked_for_its_own_functions(jax_stands_in: Callable[[Any], Any]) -> None:
    rel = jax_stands_in(GRADES)
    scores = jax_stands_in(SCORES)
    try:
        for keywords in ({}, {"k": 2}, {"ties": "first"}):
            np.testing.assert_allclose(ndcg(rel, scores=scores, **keywords), ndcg(GRADES, scores=SCORES, **keywords))
        whole = (SCORES[:1] * 10).astype(int)
        np.testing.assert_allclose(dcg(rel[:1], scores=jax_stands_in(whole)), dcg(GRADES[:1], scores=whole))
    finally:
        tensors._compile.cache_clear()
        FOUND.pop(Tracer, None)


def test_what_is_on_the_host_is_looked_at() -> None:
    rel = GRADES.view(Here)
    scores = SCORES.astype(np.float16).view(Here)
    got = ndcg(rel.astype(int), 3, scores=scores)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, ndcg(GRADES, 3, scores=SCORES.astype(np.float16)), rtol=1e-6)
    with pytest.raises(ValueError, match=r"rel\[0\]\[4\] is -1"):
        ndcg(np.where(GRADES == 1, -1, GRADES)[:1].view(Here))


def test_numbers_come_back_as_the_tensors_they_were() -> None:
    pair, whole = tensors.as_tensors((0.5, np.array([1, 2])), [GRADES.astype(np.float32)])
    assert pair.dtype == np.float32
    assert whole.dtype.kind == "i"
    both = tensors.as_tensors(bounds([3, None], grades=[0, 3]), [GRADES])
    assert both._fields == ("low", "high")
    assert both.low.shape == ()
    assert tensors.as_tensors("text", [GRADES]) == "text"


def test_what_is_wrong_with_a_list_makes_its_value_nan() -> None:
    def spoilt(which: str, value: float, k: Any = None, measure: str = "ndcg", **more: Any) -> list[bool]:
        rel = GRADES.copy()
        scores = SCORES.copy()
        (rel if which == "rel" else scores)[0, 4] = value
        return np.isnan(unseen(np.asarray, measure, rel, k, {"scores": scores, **more}, 0)).tolist()

    for k in (None, 1, 2):
        assert spoilt("rel", np.nan, k) == spoilt("rel", -1, k) == spoilt("scores", np.nan, k) == [True, False]
        assert spoilt("rel", np.nan, k, "dcg") == spoilt("scores", np.nan, k, "cg") == [True, False]
        assert spoilt("rel", np.nan, k, ties="first") == spoilt("scores", np.nan, k, ties="first") == [True, False]
        assert spoilt("rel", -1, k, "dcg") == spoilt("rel", 3, k) == spoilt("scores", np.inf, k) == [False, False]
        assert spoilt("rel", 9, k, "dcg", gain={0: 0, 1: 1, 2: 2, 3: 3}) == [True, False]
        assert spoilt("rel", 0.5, k, "dcg", gain=("exp", range(4))) == [True, False]
    pool = np.array([3, 3, 2, 2, 2, 1, np.nan])
    assert np.isnan(ndcg(on_card(GRADES), pool=on_card(pool))).all()
    nothing = on_card(np.zeros((2, 3)))
    assert np.isnan(ndcg(nothing)).all()
    assert (ndcg(nothing, empty=0.5) == 0.5).all()
    assert np.isnan(idcg(on_card([[1, -1.0], [1, 0]]))).tolist() == [True, False]


@pytest.mark.parametrize("framework", kinds())
def test_every_framework_lets_nan_through(framework: Any) -> None:
    make = maker(framework())
    n = 300
    for k in (None, 3):
        for at in (0, n // 2, n - 1):
            rel = np.ones((2, n), np.float32)
            scores = np.arange(2 * n, dtype=np.float32).reshape(2, n)
            scores[0, at] = np.nan
            assert np.isnan(unseen(make, "ndcg", rel, k, {"scores": scores}, 0)).tolist() == [True, False], (k, at)
            scores[0, at], rel[1, at] = 0, np.nan
            assert np.isnan(unseen(make, "ndcg", rel, k, {"scores": scores}, 0)).tolist() == [False, True], (k, at)


def test_what_is_filled_up_is_not_there() -> None:
    short = [3, 0, 2]
    its = [0.1, 0.5, 0.5]
    filled = on_card([short + [0] * 30])
    scores = on_card([its + [-np.inf] * 30])
    for k in (None, 2, 5):
        for ties in ("average", "first", "best", "worst"):
            np.testing.assert_allclose(ndcg(filled, k, scores=scores, ties=ties), ndcg(short, k, scores=its, ties=ties))


REFUSED = rows_of("""
{"ties": "id"}                                            | ValueError | ties='id' is not done on cpu | with rel.cpu
{"ids": ["a", "a", "a", "a", "a", "a"]}                   | ValueError | ids= is not done on cpu
{"empty": "skip"}                                         | ValueError | empty='skip' is not done
{"ideal": "list"}                                         | ValueError | ideal='list' is not done
{"pool": [[3, 2], [1]]}                                   | ValueError | pool holds lists of different lengths | grade 0
{"ties": "bets"}                                          | ValueError | ties is 'bets': give one of
{"discount": [1, 0.5]}                                    | ValueError | discount has 2 weights, and rank 6 needs one
{"discount": [1, 2, 3, 4, 5, 6], "ties": "best"}          | ValueError | discount grows
{"discount": "zip"}                                       | ValueError | discount is 'zip': give
""")


@pytest.mark.parametrize("given, kind, said", [(x, kind, said) for x, kind, *said in REFUSED])
def test_settings_refused(given: str, kind: str, said: list[str]) -> None:
    rel = on_card(GRADES)
    scores = on_card(SCORES)
    check_refused(lambda: ndcg(rel, scores=scores, **json.loads(given)), kind, *said)


def test_arrays_refused() -> None:
    rel = on_card(GRADES)
    scores = on_card(SCORES)
    with pytest.raises(ValueError, match=r"scores has the shape \(1, 6\), and rel \(2, 6\): .* score -inf"):
        ndcg(rel, scores=scores[:1])
    with pytest.raises(ValueError, match=r"rel has the shape \(1, 2, 6\): give one list, or lists × results"):
        ndcg(rel[None])
    with pytest.raises(ValueError, match="pool holds 3 lists, and rel 2 lists"):
        ndcg(rel, pool=on_card(np.ones((3, 9))))
    with pytest.raises(ValueError, match="scores is on cuda:1, and rel on cpu: move one"):
        ndcg(rel, scores=scores.view(Elsewhere))
    with pytest.raises(TypeError, match="scores and rel are arrays of two frameworks"):
        ndcg(rel, scores=scores.view(Tracer))
    with pytest.raises(TypeError, match="scores is complex128: give real numbers"):
        ndcg(rel, scores=scores.astype(complex))
    with pytest.raises(ValueError, match=r"ids= is not done while JAX traces: .* jax\.device_get"):
        ndcg(scores.view(Tracer), ids=["a"])
    with pytest.raises(ValueError, match="ndcg_at_r is not done on cpu"):
        ndcg_at_r(rel)


def test_calls_refused() -> None:
    rel = on_card(GRADES)
    with pytest.raises(TypeError, match="Did you mean scores="):
        ndcg(rel, on_card(SCORES))
    with pytest.raises(TypeError, match="multiple values"):
        ndcg(rel, 1, k=2)
    with pytest.raises(ValueError, match=r"gain is .*range.*: give"):
        ndcg(rel, gain=("exp", range(0, 5, 2)))
    with pytest.raises(ValueError, match=r"gain is called once, .* as many gains"):
        ndcg(rel, gain=lambda g: 1)


def test_what_was_asked_before_does_not_let_other_things_pass() -> None:
    rel = on_card(GRADES)
    assert ndcg(rel, 1, empty=1).shape == (2,)
    with pytest.raises(ValueError, match="k is True"):
        ndcg(rel, True)
    with pytest.raises(ValueError, match="empty is True"):
        ndcg(rel, 1, empty=True)


def test_importing_brings_no_framework() -> None:
    code = (
        "import sys, ndcg_nb.smooth, numpy as np; ndcg_nb.ndcg(np.array([[3, 2, 0]]), 2)\n"
        "heavy = {'torch', 'jax', 'cupy', 'ndcg_nb.hood.tensors.devices'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


NO_OTHER = """
import sys
sys.modules["array_api_compat"] = None  # which many have; an import of it would fail now
import numpy as np
from ndcg_nb import ndcg
from ndcg_nb.smooth import approx_ndcg, gradient
assert approx_ndcg([3, 2], scores=[0.5, 0.2]) > 0.9
assert len(gradient(approx_ndcg, [3, 2], scores=[0.5, 0.2])) == 2
"""
WITH_TENSORS = """
import {0} as framework
rel, scores = framework.asarray([3, 2, 0]), framework.asarray([0.5, 0.2, 0.9])
assert float(ndcg(rel, 2, scores=scores)) < float(ndcg(rel)) == 1
assert float(approx_ndcg(rel, scores=scores)) < 1
"""


def test_no_other_package_is_needed() -> None:
    "NumPy arrays need NumPy, and tensors need their framework, and nothing else"
    subprocess.run([sys.executable, "-c", NO_OTHER], check=True)


@pytest.mark.parametrize("framework", ["torch", "jax.numpy"])
def test_a_tensor_needs_only_its_framework(framework: str) -> None:
    needed(framework.partition(".")[0])
    subprocess.run([sys.executable, "-c", NO_OTHER + WITH_TENSORS.format(framework)], check=True)


def test_a_framework_without_ways_of_its_own_takes_those_of_the_standard() -> None:
    "The road of CuPy, with NumPy's arrays"
    rel = np.array([[3.0, 0, 1], [0, 2, 1]])
    scores = np.array([[0.1, 0.9, 0.5], [0.3, 0.2, 0.1]])
    asked = tensors.read_request("ndcg", rel, k=2)
    values = tensors.Framework(tensors.namespace(rel)).run(asked, rel, scores, None)
    np.testing.assert_allclose(values, ndcg(rel, 2, scores=scores))
