"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

def stretch(
    worth: float = 2,
) -> Stretch:
    """A slider for the worth of a 2, and two systems whose means change places under it.

    Parameters
    ----------
    worth : float, default 2
        What a 2 is worth, from 1 to 6; a 1 is worth 1, and a 0 nothing.

    Returns
    -------
    Stretch
        A widget with `worth`.

    Notes
    -----
    Explained in nbs/widgets/stretch.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import stretch
    >>> widget = stretch(3)
    >>> widget.worth
    3.0"""
    ...

class Stretch(anywidget.AnyWidget):
    """Two systems, two queries, and what a 2 is worth.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    a
        The grades of A, a list for each query.
    b
        The grades of B, a list for each query.
    weights
        What each rank weighs.
    worth
        What a 2 is worth; a 1 is worth 1.

    Notes
    -----
    Explained in nbs/widgets/stretch.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    a: Any
    """The grades of A, a list for each query"""
    b: Any
    """The grades of B, a list for each query"""
    weights: Any
    """What each rank weighs"""
    worth: Any
    """What a 2 is worth; a 1 is worth 1"""
