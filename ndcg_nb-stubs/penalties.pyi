"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Discount, Gain

def penalized_ndcg(
    rel: Any,
    k: Any = None,
    *,
    penalty: Any = 1,
    below: float = 0,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    ties: str = 'average',
    empty: Any = None,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
    ideal: str = 'pool',
    decimals: int | None = None,
) -> Any:
    """nDCG minus a cost for each bad result shown; the ideal shows none.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
    penalty : default 1
        The cost of a bad result, in units of gain; or a table {grade: cost}.
    below : float, default 0
        Grades below this are bad; they need no gain.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    ties : str, default 'average'
        Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or
        "lowest-id".
    empty : float or str, default None
        What 0/0 means: a number, "skip" or "raise"; `None`: nan, and a warning.
    pool : array-like, default None
        Every judged grade of the query, those in `rel` included; `None`: nothing else was
        judged.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for ties="id".
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
        A float, or an array for many lists or cutoffs; at most `ndcg`, and below 0 if bad
        results outweigh.

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
    Other keywords are as in `ndcg`; of its ideals, "pool" or "list".

    Explained in nbs/04_penalties.ipynb

    Examples
    --------
    >>> from ndcg_nb import ndcg, penalized_ndcg
    >>> round(ndcg([3, 0, 2]), 3), round(penalized_ndcg([3, -1, 2], penalty=1), 3)
    (0.939, 0.791)"""
    ...

def minmax_ndcg(
    rel: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    ties: str = 'average',
    empty: Any = None,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
    ideal: str = 'pool',
    decimals: int | None = None,
) -> Any:
    """Where DCG lies between the worst and the best order of the pool.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff of list, ideal and worst, or several; `None` for no cut.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    ties : str, default 'average'
        Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or
        "lowest-id".
    empty : float or str, default None
        What 0/0 means: a number, "skip" or "raise"; `None`: nan, and a warning.
    pool : array-like, default None
        Every judged grade of the query, those in `rel` included; `None`: nothing else was
        judged.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for ties="id".
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
        A float, or an array for many lists or cutoffs; from 0 for the worst order to 1 for the
        best.

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
    Other keywords are as in `ndcg`, and gains may be negative; of its ideals, "pool" or
    "list".

    Explained in nbs/04_penalties.ipynb

    Examples
    --------
    >>> from ndcg_nb import minmax_ndcg
    >>> round(minmax_ndcg([3, 0, 2]), 3)
    0.825"""
    ...
