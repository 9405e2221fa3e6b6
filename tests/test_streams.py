"""Runs in Parquet that pass piece by piece: the numbers, notes and refusals of a run that is read at once."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
from pyarrow import parquet  # noqa: E402

from ndcg_nb import cli, evaluate, list_dialects, read_qrels, read_run, which_run  # noqa: E402
from ndcg_nb.hood import streams  # noqa: E402
from ndcg_nb.hood.columns import MissingColumn, Unreadable  # noqa: E402
from ndcg_nb.runs import MEASURES, Evaluation  # noqa: E402

Table = Any  # of pyarrow
COLUMNS = ["query", "document", "score"]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    "A run is long from 20 rows on, and read seven rows at a time"
    monkeypatch.setattr(streams, "LONG", 20)
    monkeypatch.setattr(streams, "PIECE", 7)


def made(rng: np.random.Generator, queries: int = 30, levels: int = 6) -> tuple[Table, Table]:
    "Judgements and a run: ties, unjudged results, queries without the one or the other, self-retrieved documents"
    topics = [f"q{i}" for i in rng.permutation(queries)]
    run, qrels = [], []
    for topic in topics:
        size = int(rng.choice([0, 1, 3, 9, 25]))
        found = [topic if rng.random() < 0.2 and i == 1 else f"d{d}" for i, d in enumerate(rng.permutation(40)[:size])]
        score = rng.integers(0, levels, size) if rng.random() < 0.5 else rng.random(size)
        run += [(topic, d, float(s)) for d, s in zip(found, score)]
        pool = [] if rng.random() < 0.1 else rng.permutation(40)[: int(rng.choice([1, 4, 12]))]
        top = 1 if rng.random() < 0.2 else 4
        qrels += [(topic, f"d{d}", int(g)) for d, g in zip(pool, rng.integers(0, top, len(pool)))]
        qrels += [(topic, topic, 2)] if rng.random() < 0.3 else []
    order = rng.permutation(len(qrels))
    return table([qrels[i] for i in order], "grade"), table(run)


def table(rows: list[tuple[Any, ...]], value: str = "score") -> Table:
    return pa.table(dict(zip(["query", "document", value], map(list, zip(*rows)))))


def files(run: Table, folder: Path, rng: np.random.Generator, parts: int = 3) -> str:
    "A run in several files with small groups, cut anywhere; and the pattern that stands for them"
    cuts = [0, *sorted(rng.integers(0, len(run) + 1, parts - 1).tolist()), len(run)]
    for i, (a, b) in enumerate(zip(cuts, cuts[1:])):
        parquet.write_table(run[a:b], folder / f"part-{i}.parquet", row_group_size=int(rng.integers(1, 30)))
    return f"{folder}/part-*.parquet"


def same(streamed: Evaluation, whole: Evaluation) -> None:
    "To the last bit, and to the letter"
    assert streamed.values.tobytes() == whole.values.tobytes()
    assert streamed.means.equals(whole.means) and streamed.queries == whole.queries
    assert streamed.notes == whole.notes and streamed.to_json() == whole.to_json()


EVERY = (
    "ndcg@1,5,10 dcg@5 cg@3 idcg@4 ncg@5 gain_recall@5 ndcg_at_r penalized_ndcg@5 condensed_ndcg@5 judged@5 bounds@5"
)
RULES: dict[str, dict[str, Any]] = {
    "plain": {},
    "every measure": {"measures": EVERY + " ndcg dcg cg idcg ncg gain_recall penalized_ndcg condensed_ndcg judged"},
    "gains and discounts": {
        "measures": "ndcg(gain=exp)@5 ndcg(discount=zipf)@5 dcg(gain=exp) ndcg(gain={0:0,1:5,2:7,3:9})@4"
    },
    "ties": {
        "measures": " ".join(f"ndcg(ties={rule})@5" for rule in ("average", "first", "last", "best", "worst", "id"))
    },
    "arithmetic": {
        "measures": "ndcg(arithmetic=exact)@7 ndcg(arithmetic=dot)@7 ndcg(arithmetic=each)@7 ndcg(precision=float32)"
    },
    "skip": {"missing": "skip"},
    "zero": {"missing": "zero", "measures": "ndcg(empty=0)@5 ndcg(empty=1)@5"},
    "without themselves": {"ignore_self": True},
    "both ways": {"measures": "ndcg(like=beir)@5 ndcg@5"},
}


def test_every_measure_is_compared() -> None:
    asked = RULES["every measure"]["measures"]
    assert all(name in asked for name in MEASURES)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rule", RULES)
def test_the_same_to_the_last_bit(rule: str, seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    qrels, run = made(rng)
    pattern = files(run, tmp_path, rng)
    streamed, whole = (evaluate(qrels, {"bm25": x}, **RULES[rule]) for x in (pattern, run))
    same(streamed, whole)
    assert isinstance(next(iter(streamed.sides()["bm25"].values())), streams.Kept)
    for query in streamed.queries[:12]:
        assert repr(streamed.explain(query)) == repr(whole.explain(query)) if "every" not in rule else True


@pytest.mark.parametrize("like", list_dialects().index)
def test_every_dialect(like: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    qrels, run = made(rng)
    pattern = files(run, tmp_path, rng)
    told = []
    for x in (pattern, run):
        try:
            told.append(evaluate(qrels, {"bm25": x}, "ndcg@10 ndcg", like=like))
        except ValueError as error:
            told.append(str(error))
    same(*told) if isinstance(told[0], Evaluation) else [told.index(x) for x in told] == [0, 0]
    assert type(told[0]) is type(told[1]) and (isinstance(told[0], Evaluation) or told[0] == told[1])
