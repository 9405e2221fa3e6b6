"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Discount, Gain

DISCOUNTS: Any

def discount(
    rank: Any,
    form: Discount = 'log2',
) -> Any:
    """How much a gain at this rank counts.

    Parameters
    ----------
    rank
        A rank, counted from 1, or one list of ranks.
    form : default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.

    Returns
    -------
    The weight of each.

    Notes
    -----
    Explained in nbs/01_discounts.ipynb

    Examples
    --------
    >>> from ndcg_nb import discount
    >>> [round(x, 3) for x in discount([1, 2, 3]).tolist()]
    [1.0, 0.631, 0.5]"""
    ...

def dcg(
    rel: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
) -> Any:
    """Discounted cumulative gain: the sum of the gains down to rank `k`, each times its
    discount.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None` for the whole list.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
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
    Explained in nbs/01_discounts.ipynb

    Examples
    --------
    >>> from ndcg_nb import dcg
    >>> round(dcg([3, 2, 3, 0, 1, 2]), 3)
    6.861"""
    ...
