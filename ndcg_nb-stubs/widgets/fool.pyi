"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

SPAM: Any
HIDING: Any
COPIES: Any
BAND: Any
CHALLENGES: Any

def fool(
    challenge: str = 'spam',
) -> Fool:
    """Four challenges: reach a high nDCG with a bad list.

    Parameters
    ----------
    challenge : str, default 'spam'
        The challenge to begin with: "spam", "hiding", "copies" or "band".

    Returns
    -------
    Fool
        A widget with `challenge` and `won`.

    Notes
    -----
    Explained in nbs/widgets/fool.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import fool
    >>> fool("copies").challenge
    'copies'"""
    ...

class Fool(anywidget.AnyWidget):
    """Four lists, and a number to reach with each.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    challenge
        The challenge shown.
    order
        The names of the challenges, in order.
    tasks
        The text, the goals and the list of each challenge.
    documents
        The documents of each challenge, as they are now.
    won
        The challenges that were won.

    Notes
    -----
    Explained in nbs/widgets/fool.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    challenge: Any
    """The challenge shown"""
    order: Any
    """The names of the challenges, in order"""
    tasks: Any
    """The text, the goals and the list of each challenge"""
    documents: Any
    """The documents of each challenge, as they are now"""
    won: Any
    """The challenges that were won"""
