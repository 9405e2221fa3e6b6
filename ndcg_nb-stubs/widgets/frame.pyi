"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

def favour(
    *,
    generosity: float = 0,
    taste: float = 0,
) -> Favour:
    """Two sliders, a judge's generosity and its taste for its own kind, and the order of two
    systems.

    Parameters
    ----------
    generosity : float, default 0
        What the judge adds to every grade, from 0 to 2.
    taste : float, default 0
        What it adds to those of its own kind, from 0 to 2.

    Returns
    -------
    Favour
        A widget with `generosity` and `taste`.

    Notes
    -----
    Explained in nbs/widgets/frame.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import favour
    >>> widget = favour(taste=1)
    >>> widget.taste
    1.0"""
    ...

class Favour(anywidget.AnyWidget):
    """A judge with two sliders, and what it says of two systems.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    grades
        What people say of each document.
    own
        The documents of the judge's own kind, from 1.
    a
        The documents of A, best first.
    b
        The documents of B, best first.
    k : int or list of int
        Cutoff.
    weights
        What each rank weighs.
    generosity
        What it adds to every grade.
    taste
        What it adds to those of its own kind.

    Notes
    -----
    Explained in nbs/widgets/frame.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    grades: Any
    """What people say of each document"""
    own: Any
    """The documents of the judge's own kind, from 1"""
    a: Any
    """The documents of A, best first"""
    b: Any
    """The documents of B, best first"""
    k: Any
    """Cutoff"""
    weights: Any
    """What each rank weighs"""
    generosity: Any
    """What it adds to every grade"""
    taste: Any
    """What it adds to those of its own kind"""

def __getattr__(name: str) -> Any: ...  # what readers of the code need
