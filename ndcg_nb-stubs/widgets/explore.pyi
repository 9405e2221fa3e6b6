"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

from ndcg_nb.hood.core.conventions import Discount, Gain

def explore(
    rel: Any,
    k: int | None = None,
    *,
    pool: Any = None,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    names: Any = None,
    view: str = 'ndcg',
) -> Explore:
    """A widget: a ranking to drag, regrade and cut; every number follows.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down.
    k : int or None, default None
        Cutoff; `None` for no cut.
    pool : array-like, default None
        Every judged grade of the query; those not in `rel` go to the tray.
    gain : str, tuple, dict, array or callable, default 'linear'
        As in `ndcg`; the widget offers the named forms too.
    discount : str, tuple, array or callable, default 'log2'
        As in `ndcg`; the widget offers the named forms too.
    names : default None
        Titles: one for each result of `rel`, then for the rest of `pool`.
    view : str, default 'ndcg'
        What to show: "cg", "dcg", "idcg", "ndcg", "losses", "dialects", or another of `VIEWS`.

    Returns
    -------
    Explore
        A widget with `ranking`, `missed`, `numbers`, `cg`, `dcg`, `idcg` and `ndcg`.

    Notes
    -----
    Explained in nbs/widgets/explore.ipynb

    Examples
    --------
    >>> from ndcg_nb import explore
    >>> widget = explore([3, 2, 3, 0, 1, 2], k=5)
    >>> round(widget.ndcg, 3)
    0.861"""
    ...

class Explore(anywidget.AnyWidget):
    """A ranking to move, regrade and cut.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    documents
        The documents: name, grade, title, and whether each is shown.
    levels
        The grades that can be chosen.
    gains
        The gain of each grade, for every form of gain.
    discounts
        The weight of each rank, for every form of discount.
    choices
        The forms of gain and of discount that can be chosen.
    gain : str, tuple, dict, array or callable
        The form of gain that is chosen.
    discount : str, tuple, array or callable
        The form of discount that is chosen.
    k : int or list of int
        The cutoff; `None` for no cut.
    dialects
        The settings of every tool, in the view "dialects".
    view
        What is shown, one of `VIEWS`.
    ranking
        The grades as shown, from rank 1 down.
    missed
        The grades of the documents that are not shown.
    penalty
        The cost of a bad result, in the view "penalties".
    pair
        Two tools to compare.
    cg
        This measure of the list as it is now.
    dcg
        This measure of the list as it is now.
    idcg
        This measure of the list as it is now.
    ndcg
        This measure of the list as it is now.
    numbers
        The numbers of the view, by name.

    Notes
    -----
    Explained in nbs/widgets/explore.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    documents: Any
    """The documents: name, grade, title, and whether each is shown"""
    levels: Any
    """The grades that can be chosen"""
    gains: Any
    """The gain of each grade, for every form of gain"""
    discounts: Any
    """The weight of each rank, for every form of discount"""
    choices: Any
    """The forms of gain and of discount that can be chosen"""
    gain: Any
    """The form of gain that is chosen"""
    discount: Any
    """The form of discount that is chosen"""
    k: Any
    """The cutoff; `None` for no cut"""
    dialects: Any
    """The settings of every tool, in the view "dialects\""""
    view: Any
    """What is shown, one of `VIEWS`"""
    ranking: Any
    """The grades as shown, from rank 1 down"""
    missed: Any
    """The grades of the documents that are not shown"""
    penalty: Any
    """The cost of a bad result, in the view "penalties\""""
    pair: Any
    """Two tools to compare"""
    cg: Any
    """This measure of the list as it is now"""
    dcg: Any
    """This measure of the list as it is now"""
    idcg: Any
    """This measure of the list as it is now"""
    ndcg: Any
    """This measure of the list as it is now"""
    numbers: Any
    """The numbers of the view, by name"""

def __getattr__(name: str) -> Any: ...  # what readers of the code need
