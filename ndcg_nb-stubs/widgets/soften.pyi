"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

from ndcg_nb.hood.core.conventions import Gain

LANES: Any
REL: Any
SCORES: Any

def soften(
    rel: Any = None,
    scores: Any = None,
    *,
    temperature: float = 0.5,
    gain: Gain = 'exp',
    names: Any = None,
) -> Soften:
    """Drag scores and turn the temperature: the soft list, its measures and its gradient.

    Parameters
    ----------
    rel : array-like, default None
        Grades of up to 12 documents, in any order; `None`: the example of the book.
    scores : array-like, default None
        A score for each document; `None`: falling in equal steps from the first.
    temperature : float, default 0.5
        How much ranks are blurred, in units of score.
    gain : str, tuple, dict, array or callable, default 'exp'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    names : default None
        Titles, one for each document.

    Returns
    -------
    Soften
        A widget with `scores` and `temperature`.

    Notes
    -----
    Explained in nbs/widgets/soften.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import soften
    >>> widget = soften([3, 0, 2])
    >>> widget.scores
    [2.0, 0.75, -0.5]"""
    ...

class Soften(anywidget.AnyWidget):
    """Scores to drag, a temperature, and the soft list beside the hard one.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    documents
        The documents: name, grade, gain and title.
    scores : array-like
        The score of each document.
    temperature
        How much ranks are blurred, in units of score.

    Notes
    -----
    Explained in nbs/widgets/soften.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    documents: Any
    """The documents: name, grade, gain and title"""
    scores: Any
    """The score of each document"""
    temperature: Any
    """How much ranks are blurred, in units of score"""
