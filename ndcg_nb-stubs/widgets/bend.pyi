"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

from ndcg_nb.hood.core.conventions import Gain

def bend(
    a: Any = None,
    b: Any = None,
    k: int | None = None,
    *,
    pool: Any = None,
    gain: Gain = 'linear',
    discount: Any = ('power', 0.5),
) -> Bend:
    """A discount to bend, and two systems that change places under it.

    Parameters
    ----------
    a : default None
        Grades of one system's list, from rank 1 down; `None` for an example.
    b : default None
        Grades of another system's list for the same query, of the same length.
    k : int or None, default None
        Cutoff; `None` for no cut.
    pool : array-like, default None
        Every judged grade of the query; `None`: the smallest pool that holds both lists.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default ('power', 0.5)
        "even", "log2", "zipf", ("power", beta) or ("geometric", p).

    Returns
    -------
    Bend
        A widget with `discount` and `k`.

    Notes
    -----
    Explained in nbs/widgets/bend.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import bend
    >>> widget = bend([3, 0, 0], [0, 2, 2], discount='zipf')
    >>> widget.discount
    ('power', 1.0)"""
    ...

class Bend(anywidget.AnyWidget):
    """Two lists under a discount that bends.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    a
        The grades of A, from rank 1 down.
    b
        The grades of B, from rank 1 down.
    gains
        The gains of A, of B and of the pool.
    discount : str, tuple, array or callable
        The discount: a name, or a name and a parameter.
    k : int or list of int
        The cutoff; `None` for no cut.

    Notes
    -----
    Explained in nbs/widgets/bend.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    a: Any
    """The grades of A, from rank 1 down"""
    b: Any
    """The grades of B, from rank 1 down"""
    gains: Any
    """The gains of A, of B and of the pool"""
    discount: Any
    """The discount: a name, or a name and a parameter"""
    k: Any
    """The cutoff; `None` for no cut"""

def __getattr__(name: str) -> Any: ...  # what readers of the code need
