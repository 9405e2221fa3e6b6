"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Gain

def gain(
    rel: Any,
    form: Gain = 'linear',
) -> Any:
    """What each grade is worth.

    Parameters
    ----------
    rel : array-like
        A grade, a list of grades, or many lists.
    form : default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.

    Returns
    -------
    The gain of each grade, in the same shape.

    Notes
    -----
    Explained in nbs/00_gains.ipynb

    Examples
    --------
    >>> from ndcg_nb import gain
    >>> gain([3, 2, 0]).tolist()
    [3.0, 2.0, 0.0]
    >>> gain([3, 2, 0], "exp").tolist()
    [7.0, 3.0, 0.0]"""
    ...

def cg(
    rel: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
) -> Any:
    """Cumulative gain: the sum of the gains down to rank `k`.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None` for the whole list.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for ties="id".
    ties : str, default 'average'
        Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or
        "lowest-id".
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    default_k : int or None, default None
        The cutoff when `k` is not given; `None` for no cut.

    Returns
    -------
    float or array
        A float for one list and one cutoff, an array for many lists or several cutoffs.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/00_gains.ipynb

    Examples
    --------
    >>> from ndcg_nb import cg
    >>> cg([3, 2, 3, 0, 1, 2])
    11.0
    >>> cg([3, 2, 3, 0, 1, 2], k=3)
    8.0"""
    ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
