"""How close our number must come to a tool's own: golden and parity tests take it from here, and from nowhere else."""

from typing import Any

import pytest

TOLERANCE = {  # by the bits in which the tool computes
    64: {"rel": 1e-12, "abs": 0.0},
    32: {"rel": 0.0, "abs": 1e-6},  # where sums of rounded terms are divided, the loss is not relative to the quotient
}


def near(theirs: Any, bits: int = 64) -> Any:
    "What a tool gave, to be compared with ours by =="
    return pytest.approx(theirs, **TOLERANCE[bits])
