"""Losses and their gradients, of batches of 1,024 lists of 200 in single precision; CPU time, on a GPU wall time.

Beside other ways to the same losses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from time import perf_counter
from typing import Any

import numpy as np
from harness import Call, agree, line, ndcg_nb, on_gpu, peer, race

LISTS, RESULTS, TEMPERATURE = 1_024, 200, 0.1
rng = np.random.default_rng(0)
REL = rng.integers(0, 5, (LISTS, RESULTS)).astype(np.float32)
SCORES = rng.normal(size=(LISTS, RESULTS)).astype(np.float32)
DEVICE: dict[str, Any] = {"clock": perf_counter, "rounds": 50, "least": 0}  # on a device, until each call is done
Loss = Callable[[Any], Any]  # of scores: a loss or a value for each list


def plain_torch(torch: Any, rel: Any) -> dict[str, Loss]:
    "The formulas as one would write them in PyTorch for a batch without a mask"
    ranks = torch.arange(1, RESULTS + 1, device=rel.device, dtype=rel.dtype)
    weights, best = 1 / torch.log2(ranks + 1), rel.sort(dim=-1, descending=True).values
    ideal = (best * weights).sum(-1)

    def approx(s: Any) -> Any:
        above = torch.sigmoid((s[:, None, :] - s[:, :, None]) / TEMPERATURE)
        soft = 0.5 + above.sum(-1)
        return (rel / torch.log2(1 + soft)).sum(-1) / ideal

    def neural(s: Any) -> Any:
        spread = (s[:, :, None] - s[:, None, :]).abs().sum(-1)
        steps = RESULTS + 1 - 2 * ranks
        order = torch.softmax(steps[:, None] * s[:, None, :] - spread[:, None, :], dim=-1)
        return ((order @ rel[:, :, None])[..., 0] * weights).sum(-1) / ideal

    def xe(s: Any) -> Any:
        return -(rel / rel.sum(-1, keepdim=True) * torch.log_softmax(s, dim=-1)).sum(-1)

    def lambdarank(s: Any) -> Any:
        each = weights[s.argsort(dim=-1, descending=True).argsort(dim=-1)]
        more = (rel[:, :, None] - rel[:, None, :]).clamp(min=0)
        stake = (each[:, :, None] - each[:, None, :]).abs() * more / ideal[:, None, None]
        doubt = torch.nn.functional.softplus(s[:, None, :] - s[:, :, None]) / np.log(2)
        return (stake * doubt).sum((-2, -1))

    return {"ApproxNDCG": approx, "NeuralSort": neural, "XE": xe, "LambdaRank": lambdarank}


def ours_of(smooth: Any, rel: Any) -> dict[str, Loss]:
    return {
        "ApproxNDCG": lambda s: smooth.approx_ndcg(rel, scores=s, temperature=TEMPERATURE),
        "NeuralSort": lambda s: smooth.neural_ndcg(rel, scores=s),
        "XE": lambda s: smooth.xe_loss(rel, scores=s),
        "LambdaRank": lambda s: smooth.lambda_loss(rel, scores=s),
        "Loss2": lambda s: smooth.lambda_loss(rel, scores=s, stake="loss2"),
        "hinge": lambda s: smooth.hinge_loss(rel, scores=s),
    }


def torch_rows(torch: Any, where: str) -> None:
    rel, scores = (torch.tensor(x, device=where) for x in (REL, SCORES))
    leaf = scores.clone().requires_grad_()
    how = DEVICE | {"wait": lambda made: torch.cuda.synchronize()} if where == "cuda" else {}

    def without(loss: Loss) -> Call:
        def call() -> None:
            with torch.no_grad():
                loss(scores)

        return call

    def rows(work: str, name: str, theirs: Loss | None, ours: Loss, bar: str = "") -> None:
        "Theirs and ours, without the gradient and with it"
        trained = lambda loss: lambda: torch.autograd.grad(loss(leaf).sum(), leaf)  # noqa: E731
        for told, made in (("", without), (" and gradient", trained)):
            line(work + told, name, race(theirs and made(theirs), made(ours), **how), bar)

    ours = lambda work: lambda s: ours_of(ndcg_nb.smooth, rel)[work](s)  # noqa: E731
    for work, loss in plain_torch(torch, rel).items():
        agree(work, "plain PyTorch", loss(scores).cpu(), ours(work)(scores).cpu(), 1e-4, 1e-6)
        rows(work, "plain PyTorch, no mask", loss, ours(work), "at least 0.77×" if work == "ApproxNDCG" else "")
    mask = torch.ones(rel.shape, dtype=torch.bool, device=where)
    approx = lambda r, s, **given: ndcg_nb.smooth.approx_ndcg(r, scores=s, temperature=TEMPERATURE, **given)  # noqa: E731
    rows("ApproxNDCG with a mask", "", None, lambda s: approx(rel, s, mask=mask))
    some = 64
    each = lambda s: torch.stack([approx(r, x) for r, x in zip(rel[:some], s[:some])])  # noqa: E731
    few = lambda s: approx(rel[:some], s[:some])  # noqa: E731
    agree("ApproxNDCG", "one list at a time", each(scores).cpu(), few(scores).cpu(), 1e-5, 1e-6)
    rows("ApproxNDCG", f"one at a time, of {some} lists", each, few)
    for work in ("Loss2", "hinge"):
        rows(work, "", None, ours(work))


def work_cpu() -> None:
    "PyTorch on the CPU"
    if torch := peer("torch"):
        print(f"PyTorch {torch.__version__}")
        torch_rows(torch, "cpu")


def work_cuda() -> None:
    "PyTorch on a GPU"
    if torch := on_gpu():
        torch_rows(torch, "cuda")


def work_jax() -> None:
    "JAX, compiled, beside rax"
    jax, rax = peer("jax"), peer("rax")
    if not (jax and rax):
        return
    print(f"JAX {jax.__version__} on {jax.devices()[0]}")
    rel, scores = jax.numpy.asarray(REL), jax.numpy.asarray(SCORES)
    soft = partial(rax.utils.approx_ranks, step_fn=lambda x: jax.nn.sigmoid(x / TEMPERATURE))  # as in approx_t12n
    each = {
        "ApproxNDCG": lambda s, r: rax.ndcg_metric(s, r, gain_fn=lambda g: g, rank_fn=soft, reduce_fn=None),
        "XE": lambda s, r: rax.softmax_loss(s, r / r.sum(-1, keepdims=True), reduce_fn=None),
    }
    how = {"wait": jax.block_until_ready} | ({} if jax.devices()[0].platform == "cpu" else DEVICE)
    trained = lambda loss: jax.value_and_grad(lambda s, r: loss(s, r).sum())  # noqa: E731
    for work, loss in each.items():
        ours = lambda smooth, work=work: lambda s, r: ours_of(smooth, r)[work](s)  # noqa: E731
        agree(work, "rax", loss(scores, rel), ours(ndcg_nb.smooth)(scores, rel), 1e-3, 1e-6)
        for told, of in (("", lambda loss: loss), (" and gradient", trained)):
            theirs = jax.jit(of(loss))
            mine = cache(lambda smooth, of=of, ours=ours: jax.jit(of(ours(smooth))))  # once for each version
            calls = partial(theirs, scores, rel), lambda mine=mine: mine(ndcg_nb.smooth)(scores, rel)
            line(work + told, "rax", race(*calls, **how))
