"""Ours on tensors beside its peers, in one process, on the same data: that the answers agree, then the ratio of times.

On the host against torchmetrics and rax; on a GPU, where there is one, against reading the tensors once."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from bench import peer

import ndcg_nb
from ndcg_nb import ndcg

LISTS, RESULTS, K = 1_024, 200, 10
SIZES = [(1_024, 200), (10_000, 1_000), (100_000, 1_000)]
Call = Callable[[], Any]


def seconds(call: Call, wait: Callable[[Any], Any] = lambda made: made, least: float = 0.03) -> float:
    "Wall time of one call, the best of five; small calls are made many times before they are waited for"
    wait(call())
    start = perf_counter()
    wait(call())
    calls = max(1, min(200, int(least / (perf_counter() - start))))
    times = []
    for _ in range(5):
        start = perf_counter()
        for _ in range(calls):
            made = call()
        wait(made)
        times.append((perf_counter() - start) / calls)
    return min(times)


def row(work: str, name: str, theirs: Call, ours: Call, bar: str = "", close: float = 1e-5, wait: Any = None) -> None:
    "One line of the table; answers that differ stop the benchmark"
    expected, values = np.asarray(theirs()), np.asarray(ours())
    if not np.allclose(values if expected.ndim else values.mean(), expected, rtol=close, atol=close):
        raise SystemExit(f"{work}: {name} says {expected.mean()!r} on average, ours says {values.mean()!r}")
    slow, fast = seconds(theirs, wait or (lambda made: made)), seconds(ours, wait or (lambda made: made))
    print(f"{work:30} {name:34} {slow * 1e3:10.3f} {fast * 1e3:10.3f} {slow / fast:7.1f}×  {bar}")


def on_the_host() -> None:
    print(f"\nOn the host, {LISTS:,} lists of {RESULTS} results; milliseconds a call\n")
    print(f"{'work':30} {'peer':34} {'theirs':>10} {'ours':>10} {'ratio':>8}  to beat")
    rng = np.random.default_rng(0)
    rel, scores = rng.integers(0, 4, (LISTS, RESULTS)), rng.permuted(np.tile(np.arange(RESULTS), (LISTS, 1)), axis=1)
    scores = (scores / RESULTS).astype(np.float32)
    torch, metrics = peer("torch", "pip install torch"), peer("torchmetrics.retrieval", "pip install torchmetrics")
    if torch:
        grades, ranking = torch.tensor(rel), torch.tensor(scores)
        plain = torch_formula(torch, grades.float(), ranking)
        row(f"nDCG@{K}", "PyTorch, topk, no ties", plain["@10"], lambda: ndcg(grades, K, scores=ranking))
    if torch and metrics:
        index = torch.arange(LISTS).repeat_interleave(RESULTS)
        metric = metrics.RetrievalNormalizedDCG(top_k=K)
        name, flat = "torchmetrics RetrievalNormalizedDCG", (ranking.flatten(), grades.flatten())
        row(f"nDCG@{K}", name, lambda: metric(*flat, indexes=index), lambda: ndcg(grades, K, scores=ranking), "10×")
    jax, rax = peer("jax", "pip install jax"), peer("rax", "pip install rax")
    if jax and rax:
        grades, ranking = jax.numpy.asarray(rel, dtype=np.float32), jax.numpy.asarray(scores)
        linear = {"gain_fn": lambda x: x, "topn": K, "reduce_fn": None}
        theirs = jax.jit(lambda s, r: rax.ndcg_metric(s, r, **linear))
        ours = jax.jit(lambda s, r: ndcg(r, K, scores=s))
        wait = jax.block_until_ready
        row(
            f"nDCG@{K}, both compiled", "rax", lambda: theirs(ranking, grades), lambda: ours(ranking, grades), wait=wait
        )


def torch_formula(torch: Any, gains: Any, scores: Any) -> dict[str, Call]:
    "The plainest tensor code there is: no ties, no checks"
    weights = 1 / torch.log2(torch.arange(gains.shape[1], device=gains.device) + 2.0)

    def at_k() -> Any:
        shown, best = gains.gather(1, scores.topk(K, 1)[1]), gains.topk(K, 1)[0]
        return (shown * weights[:K]).sum(1) / (best * weights[:K]).sum(1)

    def whole() -> Any:
        shown, best = gains.gather(1, scores.argsort(1, descending=True)), gains.sort(1, descending=True)[0]
        return (shown * weights).sum(1) / (best * weights).sum(1)

    return {"@10": at_k, "whole list": whole}


def on_cuda(torch: Any) -> None:
    "What `facts` there are of one H200, beside what is measured here"
    print(f"\n{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, float32; microseconds a call\n")
    head = ("lists × results", "work", "ours", "bare", "ratio", "lists/s", "× reading")
    print("{:16} {:34} {:>9} {:>9} {:>7} {:>13} {:>10}".format(*head))
    for lists, results in SIZES:
        gains = torch.randint(0, 4, (lists, results), device="cuda").float()
        scores = torch.rand(lists, results, device="cuda")
        plain = torch_formula(torch, gains, scores)

        def wait(_: Any) -> None:
            torch.cuda.synchronize()

        reading = seconds(lambda g=gains, s=scores: (g.sum(), s.sum()), wait)
        print(f"{lists:>7,} × {results:<6,} {'reading both once':34} {reading * 1e6:9,.0f}")
        bare = {work: seconds(call, wait) for work, call in plain.items()}
        for work, k, ties, beside in (
            (f"nDCG@{K}, ties averaged", K, "average", "@10"),
            (f"nDCG@{K}, ties as they stand", K, "first", "@10"),
            ("nDCG, ties averaged", None, "average", "whole list"),
            ("nDCG, ties as they stand", None, "first", "whole list"),
        ):
            time = seconds(lambda g=gains, s=scores, k=k, t=ties: ndcg(g, k, scores=s, ties=t), wait)
            print(
                f"{'':16} {work:34} {time * 1e6:9,.0f} {bare[beside] * 1e6:9,.0f} {time / bare[beside]:6.2f}× "
                f"{lists / time:13,.0f} {time / reading:9.1f}×"
            )


def jax_on_gpu(jax: Any) -> None:
    print(f"\n{jax.devices()[0].device_kind}, JAX {jax.__version__}, float32; microseconds a call\n")
    for lists, results in SIZES:
        key = jax.random.PRNGKey(0)
        gains = jax.random.randint(key, (lists, results), 0, 4).astype(np.float32)
        scores, wait = jax.random.uniform(key, (lists, results)), jax.block_until_ready
        for work, k in ((f"nDCG@{K}, ties averaged", K), ("nDCG, ties averaged", None)):
            time = seconds(lambda g=gains, s=scores, k=k: ndcg(g, k, scores=s), wait)
            print(f"{lists:>7,} × {results:<6,} {work:34} {time * 1e6:9,.0f} {'':17} {lists / time:13,.0f}")


def main() -> None:
    warnings.simplefilter("ignore")
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    print(f"ndcg_nb {ndcg_nb.__version__}, NumPy {np.__version__}")
    on_the_host()
    torch, jax = peer("torch", ""), peer("jax", "")
    if torch and torch.cuda.is_available():
        on_cuda(torch)
    else:
        print("\nleft out: a GPU (there is none here that PyTorch can see)")
    if jax and jax.default_backend() == "gpu":
        jax_on_gpu(jax)


if __name__ == "__main__":
    main()
