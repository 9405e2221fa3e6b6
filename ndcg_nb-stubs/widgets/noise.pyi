"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

LIMITS: Any

def noise(
    difference: float = 0.03,
    queries: int = 50,
    spread: float = 0.1,
    *,
    draws: int = 100,
    seed: int = 1,
) -> Noise:
    """Draw sets of queries from a world where B is better by a known difference, and count how
    often a test finds it.

    Parameters
    ----------
    difference : float, default 0.03
        By how much B is truly better, from 0 to 0.1.
    queries : int, default 50
        The number of queries in each draw, from 5 to 200.
    spread : float, default 0.1
        The standard deviation of B − A from query to query, from 0.01 to 0.3.
    draws : int, default 100
        The number of draws to begin with, from 0 to 1,000.
    seed : int, default 1
        The seed of the draws: the same seed draws the same queries.

    Returns
    -------
    Noise
        A widget with these five as attributes.

    Notes
    -----
    Explained in nbs/widgets/noise.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import noise
    >>> widget = noise(0.05, 34, 0.1)
    >>> widget.draws
    100"""
    ...

class Noise(anywidget.AnyWidget):
    """Sets of queries drawn from a world where the true difference is known.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    difference
        By how much B is truly better.
    queries
        The number of queries in each draw.
    spread
        The standard deviation of B − A from query to query.
    draws
        The number of draws so far.
    seed
        The seed of the draws.

    Notes
    -----
    Explained in nbs/widgets/noise.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    difference: Any
    """By how much B is truly better"""
    queries: Any
    """The number of queries in each draw"""
    spread: Any
    """The standard deviation of B − A from query to query"""
    draws: Any
    """The number of draws so far"""
    seed: Any
    """The seed of the draws"""
