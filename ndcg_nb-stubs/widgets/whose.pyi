"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

def whose(
    value: float | str,
    rel: Any,
    k: int | None = None,
    *,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
) -> Whose:
    """Type grades and a number: the tools that give it light up, and a sentence says why.

    Parameters
    ----------
    value : float or str
        The number reported; give a string to keep trailing zeros.
    rel : array-like
        Grades as shown, from rank 1 down; or in any order with `scores`.
    k : int or None, default None
        Cutoff; `None`: the default of each tool.
    pool : array-like, default None
        Every judged grade of the query; those not in `rel` were missed.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for tools that break ties by id.

    Returns
    -------
    Whose
        A widget with `question`, `found` and `numbers`.

    Notes
    -----
    Explained in nbs/widgets/whose.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import whose
    >>> widget = whose(0.751, [3, 2, 3, 0, 1, 2], 6, pool=[3, 3, 3, 2, 2, 2, 1, 0])
    >>> list(widget.found.index)
    ['gdeval', 'ranx-burges', 'spark-graded', 'elasticsearch', 'azure', 'quepid-cut']"""
    ...

class Whose(anywidget.AnyWidget):
    """A reported number, and the number of every tool beside it.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    tools
        The settings of every tool.
    question
        What was asked: value, rel, k, pool, scores and ids.
    found
        The tools that give the number, as `which` lists them; none if no number is given.
    numbers : dict[str, float]
        The nDCG of each tool; tools that refuse are left out.

    Notes
    -----
    Explained in nbs/widgets/whose.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    tools: Any
    """The settings of every tool"""
    question: Any
    """What was asked: value, rel, k, pool, scores and ids"""
    @property
    def found(self) -> Any:
        """The tools that give the number, as `which` lists them; none if no number is given"""
        ...
    @property
    def numbers(self) -> dict[str, float]:
        """The nDCG of each tool; tools that refuse are left out"""
        ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
