"What someone who trains rankers tries first, and what goes wrong"

import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from test_tensors import GRADES, SCORES, Elsewhere, Here, Tracer, jax_or_skip, on_card, torch_or_skip

from ndcg_nb import dcg, gain_recall, ndcg
from ndcg_nb.hood.core.conventions import GAINS
from ndcg_nb.hood.core.rankings import TIES, TieRule
from ndcg_nb.hood.tensors import devices as tensors
from ndcg_nb.hood.tensors.devices import measure_on_device
from ndcg_nb.smooth import approx_ndcg, gradient, hinge_loss, lambda_loss, neural_ndcg, xe_loss

OBJECTIVES = (approx_ndcg, neural_ndcg, xe_loss, lambda_loss, hinge_loss)
REL = [3, 2, 3, 0, 1, 2]
S = [2, 1.6, 1.1, 0.9, 0.2, -0.5]


# Sixteen bits


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_sixteen_bits_are_computed_in_thirty_two(objective: Any) -> None:
    torch = torch_or_skip()
    rng = np.random.default_rng(0)
    rel = rng.integers(0, 5, (8, 100))
    scores = rng.normal(size=(8, 100))
    for dtype in (torch.bfloat16, torch.float16):
        x = torch.tensor(scores).to(dtype).requires_grad_()
        exact = x.detach().double().numpy()
        value = objective(torch.tensor(rel), scores=x)
        value.sum().backward()
        assert value.dtype is torch.float32
        assert x.grad.dtype is dtype
        np.testing.assert_allclose(value.detach().numpy(), objective(rel, scores=exact), rtol=1e-4)
        slope = gradient(objective, rel, scores=exact)
        assert np.abs(x.grad.double().numpy() - slope).max() < 0.01 * np.abs(slope).max()


def test_autocast_halves_nothing() -> None:
    torch = torch_or_skip()
    rel = torch.tensor(REL)
    scores = torch.tensor(S)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert float(neural_ndcg(rel, scores=scores)) == pytest.approx(neural_ndcg(REL, scores=S), rel=1e-6)
        got = measure_on_device(ndcg.__wrapped__, (rel,), {"scores": scores})  # type: ignore[attr-defined]
        assert float(got) == pytest.approx(ndcg(REL, scores=S), rel=1e-6)


def test_sixteen_bits_are_answered_in_thirty_two() -> None:
    rel = on_card(GRADES.astype(int))
    scores = on_card(SCORES.astype(np.float16))
    got = ndcg(rel, 3, scores=scores)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, ndcg(GRADES, 3, scores=SCORES.astype(np.float16)), rtol=1e-6)


# Grades in a list, scores from a model


def test_scores_from_a_model_beside_grades_in_a_list() -> None:
    torch = torch_or_skip()
    for rel in (REL, np.array(REL)):
        for dtype in (torch.float32, torch.bfloat16):
            got = ndcg(rel, 3, scores=torch.tensor(S, dtype=dtype, requires_grad=True))
            assert isinstance(got, torch.Tensor)
            assert got.dtype is torch.float32
            assert float(got) == pytest.approx(ndcg(REL, 3), rel=1e-6)
    assert float(gain_recall(REL, 3, scores=torch.tensor(S, requires_grad=True))) == pytest.approx(gain_recall(REL, 3))


def test_traced_scores_beside_grades_in_a_list() -> None:
    jax = jax_or_skip()
    assert float(jax.jit(lambda s: ndcg(REL, 3, scores=s))(np.array(S))) == pytest.approx(ndcg(REL, 3), rel=1e-6)


def test_scores_on_a_device_beside_grades_in_a_list() -> None:
    with pytest.raises(ValueError, match="rel holds lists of different lengths"):
        ndcg([[1, 2], [1]], scores=on_card(np.ones((2, 2))))


def test_torch_on_a_device_beside_grades_in_a_list() -> None:
    torch = torch_or_skip()
    assert ndcg(REL, scores=torch.zeros(6, device="meta")).device.type == "meta"


# Transformations


def test_torch_maps_over_lists() -> None:
    torch = torch_or_skip()
    rel = torch.tensor(GRADES)
    scores = torch.tensor(SCORES)
    for k in (None, 2, [1, 3]):
        for ties in ("average", "first", "last", "best", "worst"):
            got = torch.func.vmap(lambda r, s: ndcg(r, k, scores=s, ties=ties))(rel, scores)  # noqa: B023
            np.testing.assert_allclose(got.numpy(), ndcg(GRADES, k, scores=SCORES, ties=ties), rtol=1e-12)
    with pytest.raises(ValueError, match=r"gain_recall is not done inside of torch.func: do it outside"):
        torch.func.vmap(gain_recall)(rel)
    for objective in OBJECTIVES:
        one = torch.func.grad(lambda s: objective(rel[0], scores=s))(torch.tensor(S, dtype=torch.float64))  # noqa: B023
        np.testing.assert_allclose(one.numpy(), gradient(objective, GRADES[0], scores=S), atol=1e-12)


def test_torch_compiles() -> None:
    torch = torch_or_skip()
    rel = torch.tensor(REL)
    scores = torch.tensor(S, dtype=torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns of what it does itself
        step = torch.compile(lambda r, s: 2 * ndcg(r, 3, scores=s), backend="eager")
        assert float(step(rel, scores)) == pytest.approx(2 * ndcg(REL, 3), rel=1e-12)
        whole = torch.compile(lambda r, s: approx_ndcg(r, scores=s), backend="eager", fullgraph=True)
        assert float(whole(rel, scores)) == pytest.approx(float(approx_ndcg(REL, scores=S)), rel=1e-12)


def test_what_is_compiled_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    compiler = SimpleNamespace(disable=lambda f: seen.append(f) or f)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(compiler=compiler))
    monkeypatch.setitem(sys.modules, "torch._dynamo", SimpleNamespace())
    tensors._outside_of_compile.cache_clear()
    np.testing.assert_allclose(ndcg(GRADES.view(Here)), ndcg(GRADES))
    assert seen == [tensors._call_on_host]
    tensors._outside_of_compile.cache_clear()


class Mapped(Here):
    "What torch.func maps over"

    def data_ptr(self) -> int:
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")


def test_what_has_no_numbers_takes_the_other_road() -> None:
    np.testing.assert_allclose(ndcg(GRADES.view(Mapped), 3), ndcg(GRADES, 3))
    with pytest.raises(ValueError, match=r"gain_recall is not done inside of torch.func"):
        gain_recall(GRADES.view(Mapped))


def test_jax_without_double_precision_does_not_warn() -> None:
    jax = jax_or_skip()
    for mask in (None, np.array(S) > 0):
        got = hinge_loss(jax.numpy.array(REL), scores=jax.numpy.array(S), mask=mask)
        assert float(got) == pytest.approx(float(hinge_loss(REL, scores=S, mask=mask)), rel=1e-5)


# What is given by mistake


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_padding_without_a_mask(objective: Any) -> None:
    "-1 is what many loaders fill a batch up with: it is refused where looking costs nothing"
    torch = torch_or_skip()
    rel = torch.tensor([[3, 1, 0], [2, 1, -1]])
    scores = torch.tensor([[2.0, 1, 0], [1, 2, 0]], requires_grad=True)
    for given in (rel, rel.tolist()):
        with pytest.raises(ValueError, match=r"rel\[1\]\[2\] is -1, with a gain below 0: .* leave it out by mask="):
            objective(given, scores=scores)
    values = objective(rel, scores=scores, mask=rel >= 0)
    np.testing.assert_allclose(values.detach()[1], objective([2, 1], scores=[1.0, 2]), rtol=1e-6)
    assert torch.isfinite(torch.autograd.grad(values.sum(), scores)[0]).all()
    mapped = torch.func.vmap(lambda r, s: objective(r, scores=s))(rel, scores.detach())
    assert mapped.isnan().tolist() == [False, True]


def test_padding_is_not_looked_for_in_what_is_compiled() -> None:
    torch = torch_or_skip()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns of what it does itself
        whole = torch.compile(lambda r, s: approx_ndcg(r, scores=s), backend="eager", fullgraph=True)
        assert whole(torch.tensor([3, -1]), torch.tensor([2.0, 1.0])).isnan()


def test_a_slope_of_ndcg_is_refused_and_its_value_beside_a_loss_is_not() -> None:
    jax = jax_or_skip()
    rel = np.array(REL, np.float32)
    scores = np.array(S, np.float32)
    for slope in (jax.grad(lambda s: ndcg(rel, scores=s)), jax.jit(jax.grad(lambda s: 1 - dcg(rel, 3, scores=s)))):
        with pytest.raises(TypeError, match="flat almost everywhere: for a gradient use approx_ndcg"):
            slope(scores)

    def loss(s: Any) -> Any:
        return 1 - approx_ndcg(rel, scores=s), ndcg(rel, 3, scores=s)

    for watched in (jax.value_and_grad(loss, has_aux=True), jax.jit(jax.value_and_grad(loss, has_aux=True))):
        (_, value), at = watched(scores)
        assert float(value) == pytest.approx(ndcg(REL, 3, scores=S), rel=1e-6)
        np.testing.assert_allclose(at, -gradient(approx_ndcg, REL, scores=S), atol=1e-5)


def test_cutoffs_as_tensors() -> None:
    torch = torch_or_skip()
    assert float(ndcg(torch.tensor(REL), torch.tensor(3))) == pytest.approx(ndcg(REL, 3), rel=1e-6)
    with pytest.raises((TypeError, ValueError), match=r"k is 3\.0"):
        ndcg(torch.tensor(REL), torch.tensor(3.0))
    with pytest.raises((TypeError, ValueError), match="k is True"):
        ndcg(torch.tensor(REL), torch.tensor(True))


def test_a_traced_cutoff_is_refused() -> None:
    jax = jax_or_skip()
    with pytest.raises(TypeError, match=r"k is traced: .* static_argnames"):
        jax.jit(ndcg)(np.array(REL), 3)
    with pytest.raises(TypeError, match="temperature"):
        jax.jit(lambda s, T: approx_ndcg(REL, scores=s, temperature=T))(np.array(S), 0.5)


def test_a_range_of_grades_is_kept() -> None:
    legal = ("exp", range(3))
    for objective in OBJECTIVES:
        with pytest.raises(ValueError, match=r"rel\[0\] is 3, which has no finite gain"):
            objective(REL, scores=S, gain=legal)
        assert objective(REL, scores=S, gain=("exp", range(4))) == objective(REL, scores=S, gain="exp")
        assert np.isfinite(objective(REL, scores=S, gain=legal, mask=[x < 3 for x in REL]))
    with pytest.raises(ValueError, match=r"gain is \('exp', range\(0, 4, 2\)\): give"):
        approx_ndcg(REL, scores=S, gain=("exp", range(0, 4, 2)))
    with pytest.raises(ValueError, match="objective is array"):
        gradient(np.array(REL), REL, scores=S)


def test_tensors_of_a_wrong_kind() -> None:
    with pytest.raises(TypeError, match=r"rel\[0\]\[0\] is .* of type ndarray: give a list"):
        ndcg(GRADES[None].view(Here))
    with pytest.raises(TypeError, match="temperature"):
        approx_ndcg(REL, scores=S, temperature=on_card([0.5]))


def test_what_does_not_go_together() -> None:
    with pytest.raises(TypeError, match=r"k is traced: .* static_argnames"):
        ndcg(on_card(GRADES), np.array(3).view(Tracer))
    with pytest.raises(ValueError, match="rel is on cpu, and scores on cuda:1: move one to where the other is"):
        approx_ndcg(on_card(REL), scores=np.array(S).view(Elsewhere))
    with pytest.raises(TypeError, match="rel is complex128: give real numbers"):
        approx_ndcg(on_card(np.array(REL, complex)), scores=on_card(S))


def test_torch_of_a_wrong_kind() -> None:
    torch = torch_or_skip()
    rel = torch.tensor(REL)
    scores = torch.tensor(S)
    for measure in (approx_ndcg, ndcg):
        with pytest.raises((NotImplementedError, RuntimeError), match=r"[Ss]parse"):
            measure(rel, scores=scores.to_sparse())
    with pytest.raises(TypeError, match=r"rel is torch.complex64: give real numbers"):
        approx_ndcg(rel.to(torch.complex64), scores=scores)
    with pytest.raises(ValueError, match="mask is on cpu, and scores on meta: move one to where the other is"):
        approx_ndcg(rel.to("meta"), scores=scores.to("meta"), mask=rel > 0)
    with pytest.raises(ValueError, match="make it give such an array of as many gains"):
        approx_ndcg(rel, scores=scores, gain=lambda g: np.ones(6))


# Rows that were added to the tables


@pytest.mark.parametrize(
    ("formula", "why"),
    [(lambda grades: 5.0 - grades, "falls: 5 for grade 0"), (lambda grades: grades + 1.0, "is 1 for")],
)
def test_a_wrong_formula_is_refused_by_its_name(formula: Any, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAINS, "newest", formula)
    grades = np.array(REL, float)
    request = tensors.read_request("ndcg", grades, gain="newest")
    with pytest.raises(ValueError, match=f"gain 'newest' {why}"):
        approx_ndcg(REL, scores=S, gain="newest")
    with pytest.raises(ValueError, match=f"gain 'newest' {why}"):
        tensors.compute(tensors.framework_for(grades), request, grades)


def test_a_tie_rule_that_changes_gains_otherwise_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    "And not taken for a mean"
    monkeypatch.setitem(TIES, "newest", TieRule("as they are", after=lambda gains, scores: gains))
    monkeypatch.setitem(tensors.REORDER, "newest", tensors.REORDER["first"])
    grades = torch_or_skip().tensor(REL)
    with pytest.raises((TypeError, ValueError), match="ties='newest'"):
        tensors.read_request("ndcg", grades, ties="newest")
