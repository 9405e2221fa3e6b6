"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any, NamedTuple

from ndcg_nb.hood.core.conventions import Discount, Gain

def judged(
    rel: Any,
    k: Any = None,
    *,
    scores: Any = None,
) -> Any:
    """The share of the first `k` results that were judged.

    Parameters
    ----------
    rel : array-like
        Grades as shown, with nan or None where there is none; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None` for the whole list.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order; ties at the cutoff are averaged.

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array; nan where nothing is shown.

    Notes
    -----
    Explained in nbs/07_unjudged.ipynb

    Examples
    --------
    >>> from ndcg_nb import judged
    >>> judged([3, None, 2, None])
    0.5"""
    ...

class Bounds(NamedTuple):
    """The lowest and the highest value over every grading of the unjudged documents.

    Attributes
    ----------
    low
        The lowest value.
    high
        The highest value.

    Notes
    -----
    Explained in nbs/07_unjudged.ipynb
    """
    low: Any
    """The lowest value"""
    high: Any
    """The highest value"""

def bounds(
    rel: Any,
    k: Any = None,
    *,
    grades: Any,
    within: int | None = None,
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
) -> Bounds:
    """The lowest and the highest nDCG over every possible grading of the unjudged documents.

    Parameters
    ----------
    rel : array-like
        Grades as shown, with nan or None where there is none; or many such lists.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
    grades
        Every grade a judge could have given, e.g. [0, 1, 2, 3].
    within : int or None, default None
        1: the given grades may be off by one step of `grades`; `None`: they are right.
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
    Bounds
        `low` and `high`, each a float for one list and one cutoff, else an array.

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
    Other keywords are as in `ndcg`; holes in the pool beyond those in `rel` are unjudged
    and not retrieved.

    Explained in nbs/07_unjudged.ipynb

    Examples
    --------
    >>> from ndcg_nb import bounds
    >>> low, high = bounds([3, None, 2], grades=[0, 1, 2, 3])
    >>> round(low, 3), round(high, 3)
    (0.939, 1.0)"""
    ...

def assume(
    rel: Any,
    grade: float = 0,
) -> Any:
    """Grades in which every unjudged result gets the same grade.

    Parameters
    ----------
    rel : array-like
        Grades, with nan or None where there is none; or many such lists.
    grade : float, default 0
        The grade given to every unjudged result.

    Returns
    -------
    An array; a list of arrays where lists of different lengths were given.

    Notes
    -----
    Explained in nbs/07_unjudged.ipynb

    Examples
    --------
    >>> from ndcg_nb.unjudged import assume
    >>> assume([3, None, 2], 0).tolist()
    [3.0, 0.0, 2.0]"""
    ...

def condense(
    rel: Any,
) -> Any:
    """Lists without their unjudged results, the gaps closed.

    Parameters
    ----------
    rel : array-like
        Grades as shown, with nan or None where there is none; or many such lists.

    Returns
    -------
    An array; a list of arrays where lists of different lengths remain.

    Notes
    -----
    Explained in nbs/07_unjudged.ipynb

    Examples
    --------
    >>> from ndcg_nb.unjudged import condense
    >>> condense([3, None, 2]).tolist()
    [3.0, 2.0]"""
    ...

def condensed_ndcg(
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
    """nDCG of the list without its unjudged results, also written nDCG′.

    Parameters
    ----------
    rel : array-like
        Grades as shown, with nan or None where there is none; or many such lists.
    k : int or list of int, default None
        Cutoff of the condensed list and its ideal, or several; `None` for no cut.
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
        A float for one list and one cutoff, else an array.

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
    Other keywords are as in `ndcg`; unjudged documents in the pool are ignored.

    Explained in nbs/07_unjudged.ipynb

    Examples
    --------
    >>> from ndcg_nb.unjudged import condensed_ndcg
    >>> round(condensed_ndcg([3, None, 1, 2]), 3)
    0.973"""
    ...
