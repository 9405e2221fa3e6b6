"""What is true of every widget: what Python sets is shown, and what is gone listens no more."""

from typing import Any

import pytest
from conftest import needs_browser
from shared.alone import from_python, state_of

from ndcg_nb import ndcg
from ndcg_nb.widgets import bend, noise, soften, sway, whose

EGGS = {"rel": [3, 2, 3, 0, 1, 2], "k": 6, "pool": [3, 2, 3, 0, 1, 2, 3, 2]}
STEEP = bend(discount="zipf", k=3)
A_AHEAD = f"{ndcg(STEEP.gains['a'], 3, pool=STEEP.gains['pool'], discount='zipf'):.3f}"
SET = {  # before and after, where it is shown, and what is shown there
    "bend": (bend(), STEEP, ".bend .nx-figure", A_AHEAD),
    "noise": (noise(), noise(0.05, 34, 0.12, draws=60, seed=9), ".noise-said", " of 60 draws found B better"),
    "soften": (soften(), soften(temperature=0.1), ".nx-k", "T = 0.1"),
    "sway": (sway(), sway([0.1] * 10), ".sway-t .nx-figure", "none"),
    "whose": (whose(0.949, **EGGS), whose(0.785, **EGGS), ".nw-said strong", " conventions give 0.785"),
}


@needs_browser
@pytest.mark.parametrize("name", SET)
def test_what_python_sets_is_shown(name: str, page: Any) -> None:
    before, after, where, expected = SET[name]
    states = state_of(before), state_of(after)
    changed = {key: value for key, value in states[1].items() if states[0][key] != value}
    [shown], listening = from_python(page, name, states[0], changed, where)
    assert any(expected in text for text in shown), shown
    assert listening == [], "what is gone listens no more"
