"""Tables in plain text: a line is a row, and bars stand between its cells; what a call is given is written as JSON."""

import builtins
from collections.abc import Callable
from typing import Any

import pytest


def rows_of(text: str) -> list[list[str]]:
    "The cells of each row"
    lines = text.strip().splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def check_refused(call: Callable[[], Any], kind: str, *said: str) -> None:
    "A call raises an error of this kind, and its message has all of these words"
    with pytest.raises(getattr(builtins, kind)) as error:
        call()
    missing = [words for words in said if words not in str(error.value)]
    assert said
    assert missing == [], str(error.value)
