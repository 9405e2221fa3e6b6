"""Tensors, where they live; wall time.

On the host beside torchmetrics and rax; on a GPU, where there is one, beside reading the tensors once."""

from __future__ import annotations

from functools import cache, partial
from time import perf_counter
from typing import Any

import numpy as np
from harness import Call, Took, line, ndcg_nb, on_gpu, peer, race, row, seconds

LISTS, RESULTS, K = 1_024, 200, 10
SIZES = [(1_024, 200), (10_000, 1_000), (100_000, 1_000)]
HOW: dict[str, Any] = {"clock": perf_counter, "rounds": 6}


def work_host() -> None:
    "1,024 lists of 200 results"
    rng = np.random.default_rng(0)
    rel, scores = rng.integers(0, 4, (LISTS, RESULTS)), rng.permuted(np.tile(np.arange(RESULTS), (LISTS, 1)), axis=1)
    scores = (scores / RESULTS).astype(np.float32)
    close = partial(row, rtol=1e-5, atol=1e-5, **HOW)
    torch, metrics = peer("torch"), peer("torchmetrics.retrieval", "torchmetrics")
    if torch:
        grades, ranking = torch.tensor(rel), torch.tensor(scores)
        ours = lambda: ndcg_nb.ndcg(grades, K, scores=ranking)  # noqa: E731
        close(f"nDCG@{K}", "PyTorch, topk, no ties", torch_formula(torch, grades.float(), ranking)["@10"], ours)
    if torch and metrics:
        index, flat = torch.arange(LISTS).repeat_interleave(RESULTS), (ranking.flatten(), grades.flatten())
        metric = metrics.RetrievalNormalizedDCG(top_k=K)
        theirs = lambda: metric(*flat, indexes=index)  # noqa: E731
        close(f"nDCG@{K}", "torchmetrics RetrievalNormalizedDCG", theirs, ours, "at least 10×")
    jax, rax = peer("jax"), peer("rax")
    if jax and rax:
        given = jax.numpy.asarray(scores), jax.numpy.asarray(rel, dtype=np.float32)
        linear = {"gain_fn": lambda x: x, "topn": K, "reduce_fn": None}
        theirs = jax.jit(lambda s, r: rax.ndcg_metric(s, r, **linear))
        compiled = cache(lambda ndcg: jax.jit(lambda s, r: ndcg(r, K, scores=s)))  # once for each version
        calls = lambda: theirs(*given), lambda: compiled(ndcg_nb.ndcg)(*given)
        close(f"nDCG@{K}, both compiled", "rax", *calls, wait=jax.block_until_ready)


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


def work_cuda() -> None:
    "PyTorch on a GPU beside the plainest tensor code, and beside reading the tensors once"
    torch = on_gpu()
    if not torch:
        return
    how = HOW | {"wait": lambda made: torch.cuda.synchronize()}
    for lists, results in SIZES:
        gains = torch.randint(0, 4, (lists, results), device="cuda").float()
        scores = torch.rand(lists, results, device="cuda")
        plain, size = torch_formula(torch, gains, scores), f"{lists:,} × {results:,}"
        (reading,) = seconds(lambda g=gains, s=scores: (g.sum(), s.sum()), **how)
        line(f"{size}, reading both once", "", Took(None, reading))
        for work, k, beside in ((f"nDCG@{K}", K, "@10"), ("nDCG", None, "whole list")):
            for ties, told in (("average", "averaged"), ("first", "as they stand")):
                ours = lambda g=gains, s=scores, k=k, t=ties: ndcg_nb.ndcg(g, k, scores=s, ties=t)  # noqa: E731
                took = race(plain[beside], ours, **how)
                pace = f"{lists / took.ours:,.0f} lists/s, {took.ours / reading:.1f}× reading"
                line(f"{size}, {work}, ties {told}", "plain PyTorch, no ties", took, pace, cost=True)


def work_jax() -> None:
    "JAX on a GPU"
    jax = peer("jax")
    if not (jax and jax.default_backend() == "gpu"):
        print("left out: a GPU (there is none here that JAX can see)")
        return
    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}, float32")
    for lists, results in SIZES:
        key = jax.random.PRNGKey(0)
        gains = jax.random.randint(key, (lists, results), 0, 4).astype(np.float32)
        scores = jax.random.uniform(key, (lists, results))
        for work, k in ((f"nDCG@{K}", K), ("nDCG", None)):
            ours = lambda g=gains, s=scores, k=k: ndcg_nb.ndcg(g, k, scores=s)  # noqa: E731
            took = race(None, ours, wait=jax.block_until_ready, **HOW)
            line(f"{lists:,} × {results:,}, {work}, ties averaged", "", took, f"{lists / took.ours:,.0f} lists/s")
