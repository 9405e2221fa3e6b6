"""Judge next: the figures of the page are those that were simulated."""

import json
from importlib import import_module

import numpy as np
import pytest
from conftest import ROOT
from shared.quoted import prose, rows_below

WORLDS = json.loads((ROOT / "tests/golden/worlds.json").read_text("utf-8"))
PROSE = prose("07d_judging")


def percent(share: float, half: float) -> str:
    return f"{100 * share:.1f}% ± {100 * half:.1f}"


def test_how_many_judgements_it_takes() -> None:
    new, new_sign, none, none_sign = WORLDS["needed"]
    expected = []
    for row in (new, new_sign):
        expected.append(
            [f"{row['depth']} of {row['open']}", f"{row['judge_next']}", percent(row["fewer"], row["half"])]
        )
    for row in (none, none_sign):
        shares = [f"{100 * row[name]:.0f}% of all" for name in ("share of depth", "share of judge_next")]
        expected.append([*shares, percent(row["fewer"], row["half"])])
    assert [row[1:] for row in rows_below(PROSE, "from, to")] == expected


def test_what_fifty_judgements_do() -> None:
    width, difference = (percent(row["falls by more"], row["half"]) for row in WORLDS["fifty"])
    assert f"the mean width falls by {width} more than in the order of ranks" in PROSE
    assert f"the interval of the difference by {difference} more" in PROSE


def test_the_order_of_ten_runs() -> None:
    later = WORLDS["order"][1:]
    assert later[0]["share"] == 0.1
    assert all(abs(row["more"]) < row["half"] <= 0.05 for row in later)
    assert "no gain that we could measure once a tenth of the pool is judged" in PROSE


def test_what_a_t_test_says_on_the_way() -> None:
    *fair, aimed = WORLDS["rejects"]
    assert {row["simulations"] for row in WORLDS["rejects"]} == {200}
    first = [100 * row["first p < 0.05"] for row in fair]
    told = f"in {min(first):.0f} to {max(first):.0f}% of 200 simulations"
    assert told in PROSE
    assert f"rejected in {200 * aimed['20%']:.0f} of 200 simulated pairs" in PROSE
    assert all(0.01 <= row[part] <= 0.08 for row in fair for part in ("10%", "20%", "40%", "all"))


def test_a_collection_is_still_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tests/bench")
    judged = import_module("judged")
    rng = np.random.default_rng(0)
    world = judged.Collection(rng, 2, others=8)
    start = world.ask("width", 10)
    depth = judged.fewest(start, world.by_depth(rng), world, judged.narrow)
    ours = judged.adaptive(start, world, judged.narrow)
    assert ours < depth < len(world.open)
