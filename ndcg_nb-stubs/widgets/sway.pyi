"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

def sway(
    differences: Any = None,
    queries: Any = None,
    names: Any = ('A', 'B'),
) -> Sway:
    """Drag the difference of two systems on each query, and watch the interval and three
    tests.

    Parameters
    ----------
    differences : default None
        B − A for each of 2 to 12 queries, from -1 to 1; `None` for an example.
    queries : default None
        A name for each query; `None`: 1, 2, 3 …
    names : default ('A', 'B')
        The names of the two systems.

    Returns
    -------
    Sway
        A widget with `differences`.

    Notes
    -----
    Explained in nbs/widgets/sway.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import sway
    >>> widget = sway([0.1, -0.05, 0.2])
    >>> widget.queries
    ['1', '2', '3']"""
    ...

class Sway(anywidget.AnyWidget):
    """Differences to drag, and what tests say of them.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    differences
        B − A for each query.
    queries
        The name of each query.
    names
        The names of the two systems.

    Notes
    -----
    Explained in nbs/widgets/sway.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    differences: Any
    """B − A for each query"""
    queries: Any
    """The name of each query"""
    names: Any
    """The names of the two systems"""

def __getattr__(name: str) -> Any: ...  # what readers of the code need
