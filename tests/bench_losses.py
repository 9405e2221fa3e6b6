"""Ours beside other ways to the same losses, on batches of 1,024 lists of 200: that they agree, then the ratios.

With --memory, what a value and its gradient take on a GPU; --memory FOLDER: beside the ndcg_nb of that folder."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from bench import peer

import ndcg_nb
from ndcg_nb.smooth import approx_ndcg, hinge_loss, lambda_loss, neural_ndcg, xe_loss

LISTS, RESULTS, TEMPERATURE = 1_024, 200, 0.1
rng = np.random.default_rng(0)
REL = rng.integers(0, 5, (LISTS, RESULTS)).astype(np.float32)
SCORES = rng.normal(size=(LISTS, RESULTS)).astype(np.float32)
Loss = Callable[[Any], Any]  # of scores: a loss or a value for each list
Call = Callable[[], object]


def milliseconds(calls: list[Call], wait: Call | None = None) -> list[float]:
    "Of each call, made in turns, the best of three in CPU time; or on a device of fifty, until it is done"
    clock, rounds = (perf_counter, 50) if wait else (process_time, 3)
    done = wait or (lambda: None)
    best = [np.inf] * len(calls)
    for call in calls:
        call()
    for _ in range(rounds):
        for i, call in enumerate(calls):
            done()
            start = clock()
            call()
            done()
            best[i] = min(best[i], clock() - start)
    return [seconds * 1e3 for seconds in best]


def row(work: str, name: str, value: list[float], both: list[float], bar: str = "") -> None:
    "A line of the table: theirs and ours, without the gradient and with it"
    cells = (f"{theirs:11.3f} {ours:9.3f} {theirs / ours:6.2f}×" for theirs, ours in (value, both))
    print(f"{work:12} {name:30}", *cells, f" {bar}", flush=True)


def head(where: str) -> None:
    print(f"\n{LISTS:,} lists of {RESULTS}, single precision, {where}; milliseconds a call\n")
    columns = f"{'theirs':>11} {'ours':>9} {'ratio':>7}"
    print(f"{'':43} {'value':^29} {'value and gradient':^29}")
    print(f"{'work':12} {'beside':30} {columns} {columns}  at least")


def same(work: str, name: str, expected: Any, values: Any, close: float) -> None:
    if not np.allclose(np.asarray(values), np.asarray(expected), rtol=close, atol=1e-6):
        raise SystemExit(f"{work}: {name} says {np.asarray(expected)[:3]}, ours says {np.asarray(values)[:3]}")


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


def padded_torch(torch: Any, rel: Any) -> Loss:
    "ApproxNDCG for batches with padding, sorted first, as ranking libraries have it: three tables of pairs and a mask"

    def approx(s: Any) -> Any:
        padded = rel < 0
        s, order = s.masked_fill(padded, float("-inf")).sort(dim=-1, descending=True)
        grades = rel.gather(-1, order)
        apart = s[:, :, None] - s[:, None, :]
        there = torch.isfinite(apart)
        apart = apart.masked_fill(~there, 0.0)
        above = torch.sigmoid(-apart / TEMPERATURE).clamp(min=1e-10)
        soft = 0.5 + (there * above).sum(-1)
        weights = 1 / torch.log2(torch.arange(2, RESULTS + 2, device=s.device, dtype=s.dtype))
        ideal = (rel.clamp(min=0).sort(dim=-1, descending=True).values * weights).sum(-1)
        return (grades.clamp(min=0) / torch.log2(1 + soft)).sum(-1) / ideal

    return approx


def one_by_one(torch: Any, loss: Callable[..., Any], rel: Any) -> Loss:
    "Our own function, a list at a time"
    return lambda s: torch.stack([loss(r, x) for r, x in zip(rel, s)])


def ours_of(rel: Any) -> dict[str, Loss]:
    return {
        "ApproxNDCG": lambda s: approx_ndcg(rel, scores=s, temperature=TEMPERATURE),
        "NeuralSort": lambda s: neural_ndcg(rel, scores=s),
        "XE": lambda s: xe_loss(rel, scores=s),
        "LambdaRank": lambda s: lambda_loss(rel, scores=s),
        "Loss2": lambda s: lambda_loss(rel, scores=s, stake="loss2"),
        "hinge": lambda s: hinge_loss(rel, scores=s),
    }


def torch_rows(torch: Any, where: str) -> None:
    head(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name() if where == 'cuda' else 'the CPU'}")
    rel, scores = (torch.tensor(x, device=where) for x in (REL, SCORES))
    leaf = scores.clone().requires_grad_()
    wait = torch.cuda.synchronize if where == "cuda" else None

    def without(loss: Loss) -> Call:
        def call() -> None:
            with torch.no_grad():
                loss(scores)

        return call

    def times(*losses: Loss) -> tuple[list[float], list[float]]:
        trained = [lambda loss=loss: torch.autograd.grad(loss(leaf).sum(), leaf) for loss in losses]
        return milliseconds([without(loss) for loss in losses], wait), milliseconds(trained, wait)

    ours, plain = ours_of(rel), plain_torch(torch, rel)
    for work, loss in plain.items():
        same(work, "plain PyTorch", loss(scores).cpu(), ours[work](scores).cpu(), 1e-4)
        bar = "0.77×" if work == "ApproxNDCG" else ""
        row(work, "plain PyTorch, no mask", *times(loss, ours[work]), bar)
    mask = torch.ones(rel.shape, dtype=torch.bool, device=where)
    masked = lambda s: approx_ndcg(rel, scores=s, temperature=TEMPERATURE, mask=mask)  # noqa: E731
    row("ApproxNDCG", "padded batch; ours with a mask", *times(padded_torch(torch, rel), masked))
    some = 64
    each = one_by_one(torch, lambda r, x: approx_ndcg(r, scores=x, temperature=TEMPERATURE), rel[:some])
    few = lambda s: approx_ndcg(rel[:some], scores=s[:some], temperature=TEMPERATURE)  # noqa: E731
    same("ApproxNDCG", "one list at a time", each(scores[:some]).cpu(), few(scores).cpu(), 1e-5)
    row("ApproxNDCG", f"one at a time, of {some} lists", *times(lambda s: each(s[:some]), few))
    for work in ("Loss2", "hinge"):
        (value,), (both,) = times(ours[work])
        print(f"{work:12} {'':30} {'':11} {value:9.3f} {'':7} {'':11} {both:9.3f}", flush=True)


def jax_rows(jax: Any, rax: Any) -> None:
    head(f"JAX {jax.__version__} on {jax.devices()[0]}, compiled")
    rel, scores = jax.numpy.asarray(REL), jax.numpy.asarray(SCORES)
    soft = partial(rax.utils.approx_ranks, step_fn=lambda x: jax.nn.sigmoid(x / TEMPERATURE))  # as in approx_t12n
    each = {
        "ApproxNDCG": lambda s, r: rax.ndcg_metric(s, r, gain_fn=lambda g: g, rank_fn=soft, reduce_fn=None),
        "XE": lambda s, r: rax.softmax_loss(s, r / r.sum(-1, keepdims=True), reduce_fn=None),
    }
    wait = None if jax.devices()[0].platform == "cpu" else lambda: None

    def times(*losses: Callable[[Any, Any], Any]) -> tuple[list[float], list[float]]:
        both = [jax.jit(jax.value_and_grad(lambda s, r, loss=loss: loss(s, r).sum())) for loss in losses]
        calls = [[lambda f=f: jax.block_until_ready(f(scores, rel)) for f in fs] for fs in (map(jax.jit, losses), both)]
        return milliseconds(calls[0], wait), milliseconds(calls[1], wait)

    for work, loss in each.items():
        ours = lambda s, r, work=work: ours_of(r)[work](s)  # noqa: E731
        same(work, "rax", loss(scores, rel), ours(scores, rel), 1e-3)
        row(work, "rax", *times(loss, ours))


def loaded(folder: str) -> Any:
    "The losses of the ndcg_nb in a folder; beside those that are loaded already"
    for name in [name for name in sys.modules if name.partition(".")[0] == "ndcg_nb"]:
        del sys.modules[name]
    sys.path.insert(0, folder)
    module = import_module("ndcg_nb.smooth")
    sys.path.remove(folder)
    return module


def memory_rows(torch: Any, versions: list[Any]) -> None:
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, float32, value and gradient")
    print(f"{'':28} {'MB':>8} {'ms':>9}" * len(versions) + "   ratio  difference")
    for shape in ((1_024, 200), (256, 1_000)):
        rel = torch.randint(0, 5, shape, device="cuda").float()
        scores, mask = torch.randn(shape, device="cuda", requires_grad=True), torch.rand(shape, device="cuda") < 0.8
        for name, how in (
            ("approx_ndcg", {}),
            ("approx_ndcg", {"mask": mask}),
            ("lambda_loss", {}),
            ("lambda_loss", {"mask": mask}),
            ("lambda_loss", {"k": 10}),
            ("neural_ndcg", {}),
            ("neural_ndcg", {"sinkhorn": 5}),
            ("hinge_loss", {}),
        ):
            losses = [partial(getattr(version, name), rel, scores=scores, **how) for version in versions]
            calls = [lambda loss=loss, s=scores: torch.autograd.grad(loss().sum(), s) for loss in losses]
            slopes = [call()[0] for call in calls]
            cells, times = [], milliseconds(calls, torch.cuda.synchronize)
            for call, time in zip(calls, times):
                torch.cuda.empty_cache()
                torch.cuda.reset_peak_memory_stats()
                before = torch.cuda.memory_allocated()
                call()
                cells.append(f"{(torch.cuda.max_memory_allocated() - before) / 2**20:8.0f} {time:9.3f}")
            apart = float((slopes[0] - slopes[-1]).abs().max() / slopes[0].abs().max())
            work = f"{shape[0]:,} × {shape[1]:,} {name} {', '.join(how)}"
            print(f"{work:28}", *cells, f"{times[-1] / times[0]:7.2f}×  {apart:.0e}", flush=True)


def main() -> None:
    if "--memory" in sys.argv:
        folders = [*sys.argv[sys.argv.index("--memory") + 1 :], str(Path(__file__).parents[1])]
        return memory_rows(import_module("torch"), [loaded(folder) for folder in folders])
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    print(f"ndcg_nb {ndcg_nb.__version__}, NumPy {np.__version__}, {machine}")
    if torch := peer("torch", "pip install torch"):
        for where in sys.argv[1:] or ["cpu"] + ["cuda"] * torch.cuda.is_available():
            torch_rows(torch, where)
    jax, rax = peer("jax", "pip install jax"), peer("rax", "pip install rax")
    if jax and rax:
        jax_rows(jax, rax)


if __name__ == "__main__":
    main()
