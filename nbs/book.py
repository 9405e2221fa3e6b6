"""What the pages of the book share: the way a figure looks, and a way to show what is refused."""

from __future__ import annotations

import sys
from html import escape
from typing import Any

# One meaning, one colour, on every page. They can be told apart by eyes of every kind, and in grey print.
GAIN, IDEAL, LOSS, QUIET, TEXT = "#1f6feb", "#8a8f98", "#d1600a", "#c9ced6", "#57606a"


class Refusals(dict[str, str]):
    "Calls and what each was told, shown as a table"

    def __repr__(self) -> str:
        return "\n".join(f"{call}\n    {answer}" for call, answer in self.items())

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td><code>{escape(c)}</code></td><td>{escape(a)}</td></tr>" for c, a in self.items())
        return f'<table class="refusals"><tr><th>call</th><th>answer</th></tr>{rows}</table>'


def refused(*calls: str) -> Refusals:
    "What each call answers; that one is taken after all is a failure"
    answers = Refusals()
    for call in calls:
        try:
            value = eval(call, sys._getframe(1).f_globals)
        except (TypeError, ValueError, OverflowError) as error:
            answers[call] = f"{type(error).__name__}: {error}"
        else:
            raise AssertionError(f"{call} was not refused: {value!r}")
    return answers


def figure(width: float = 7, height: float = 2.8, columns: int = 1) -> Any:
    "An empty figure in the book's style, and its axes"
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {
            "font.size": 9,
            "font.family": "DejaVu Sans",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.edgecolor": QUIET,
            "axes.labelcolor": TEXT,
            "axes.titlesize": 10,
            "axes.titlelocation": "left",
            "xtick.color": TEXT,
            "ytick.color": TEXT,
            "figure.dpi": 144,
            "savefig.facecolor": "white",
        }
    )
    return plt.subplots(1, columns, figsize=(width, height), layout="constrained")


def label(ax: Any, text: Any, at: tuple[float, float], colour: str, offset: tuple[float, float] = (7, 0)) -> None:
    "A curve's name beside it, in its colour, instead of a legend"
    ax.annotate(str(text), at, xytext=offset, textcoords="offset points", va="center", color=colour)
