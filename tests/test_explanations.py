"""Explanations add up, under every dialect, tie rule and ideal; and what they say by name is so."""

import copy
import math
import pickle
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import dcg, explain, explain_change, idcg, ndcg
from ndcg_nb.hood.conventions import DIALECTS, WORDS

GRADES = {"D1": 3, "D2": 2, "D3": 3, "D4": 0, "D5": 1, "D6": 2, "D7": 3, "D8": 2}
EGG = [*GRADES][:6]
B = ["D3", "D1", "D7", "D2", "D6", "D4"]


def random_query(rng: np.random.Generator) -> dict:
    "Grades, scores with ties and perhaps some of -inf, ids, and a pool with more"
    n, more = rng.integers(1, 9), rng.integers(0, 5)
    grades, scores = rng.integers(0, 5, n), rng.integers(0, 4, n) + rng.choice([0, 1e-9], n)
    scores[rng.random(n) < 0.1] = -np.inf
    pool = rng.permutation([*grades, *rng.integers(0, 5, more)])
    k = int(rng.integers(1, 12)) if rng.random() < 0.8 else None
    ids = [f"d{i}" for i in rng.permutation(n)]
    return {"rel": grades, "k": k, "scores": scores, "pool": pool, "ids": ids}


def adds_up(x, value: float) -> None:
    "All that must be true of a table"
    lost = 1 - value if x.idcg > 0 else 0
    for loss in (x["loss"], x.documents["loss"], x.depths["loss"]):
        assert math.fsum(loss) == pytest.approx(lost, abs=1e-12)
    assert np.allclose(x["contribution"], x["gain"] * x["discount"], rtol=1e-15, atol=0)
    assert x.dcg == pytest.approx(math.fsum(x["contribution"]), rel=1e-12)
    if x.idcg > 0:
        assert x.dcg / x.idcg == pytest.approx(value, abs=1e-12)
        each = (x["ideal"] - x["gain"]) * x["discount"] / x.idcg
        assert np.allclose(x["loss"], each, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", DIALECTS)
def test_the_number_is_the_dialects_own(name: str) -> None:
    rng = np.random.default_rng(8)
    for _ in range(12):
        q = random_query(rng)
        given = q | {"like": name, "empty": 0.5}
        value = ndcg(**given)
        x = explain(**given)
        assert x.ndcg == value, q
        adds_up(x, value)
        assert repr(x) and x._repr_html_()


@pytest.mark.parametrize("ideal", WORDS["ideal"])
@pytest.mark.parametrize("ties", [t for t in WORDS["ties"]])
def test_every_tie_rule_and_ideal(ties: str, ideal: str) -> None:
    rng = np.random.default_rng(9)
    for _ in range(12):
        given = random_query(rng) | {"ties": ties, "ideal": ideal, "gain": "exp", "empty": 0}
        value = ndcg(**given)
        x = explain(**given)
        assert x.ndcg == value
        adds_up(x, value)
        if ideal != "given":
            assert (x.depths["loss"] > -1e-15).all()


def test_settings() -> None:
    rng = np.random.default_rng(10)
    for gain in ("linear", "exp", "binary", "positive", {g: g**2 for g in range(5)}, lambda g: g / 3):
        for discount in ("log2", ("jk", 3), "zipf", ("power", 2), 1 / np.arange(1, 20) ** 0.5):
            given = random_query(rng) | {"gain": gain, "discount": discount, "empty": 1}
            assert explain(**given).ndcg == ndcg(**given)
            adds_up(explain(**given), ndcg(**given))
