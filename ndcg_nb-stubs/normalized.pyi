"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Discount, Gain

def ndcg(
    rel: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    empty: Any = None,
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
    ideal: str = 'pool',
    decimals: int | None = None,
) -> Any:
    """Normalized discounted cumulative gain: DCG as a fraction of the best possible.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    pool : array-like, default None
        Every judged grade of the query, those in `rel` included; `None`: nothing else was
        judged.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for ties="id".
    ties : str, default 'average'
        Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or
        "lowest-id".
    empty : float or str, default None
        What 0/0 means: a number, "skip" or "raise"; `None`: nan, and a warning.
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    default_k : int or None, default None
        The cutoff when `k` is not given; `None` for no cut.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".
    decimals : int or None, default None
        The number of decimals that each list's value is rounded to; `None`: all.

    Returns
    -------
    float or array
        A float for one list and one cutoff, an array for many lists or several cutoffs.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Warns
    -----
    RuntimeWarning
        If a value is 0/0, which gives nan, unless `empty` says otherwise.

    Notes
    -----
    Explained in nbs/03_normalized.ipynb

    Examples
    --------
    >>> from ndcg_nb import ndcg
    >>> round(ndcg([3, 2, 3, 0, 1, 2]), 3)
    0.961
    >>> round(ndcg([3, 2, 3, 0, 1, 2], k=6, pool=[3, 3, 3, 2, 2, 2, 1, 0]), 3)
    0.785
    >>> round(ndcg([3, 0, 1], scores=[0.2, 0.9, 0.5]), 3)
    0.587"""
    ...
