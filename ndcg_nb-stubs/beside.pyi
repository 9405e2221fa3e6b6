"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

TREC: Any
ROWS: Any

def precision(
    rel: Any,
    k: Any = None,
    *,
    per: str = 'k',
    level: float = 1,
    empty: Any = 0,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """The share of the first `k` results that is relevant.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None`: the whole list.
    per : str, default 'k'
        What hits are divided by: "k", "shown" (at most as many as the list has), …
    level : float, default 1
        The lowest grade that counts as relevant.
    empty : float or str, default 0
        The value without a relevant document: a number, "skip" or "raise".
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import precision
    >>> precision([1, 0, 1, 0, 0, 1], k=5)
    0.4"""
    ...

def recall(
    rel: Any,
    k: Any = None,
    *,
    per: str = 'relevant',
    level: float = 1,
    empty: Any = 0,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """The share of the relevant documents that is among the first `k` results.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None`: the whole list.
    per : str, default 'relevant'
        What hits are divided by: "relevant", "reachable" (at most k of them), …
    level : float, default 1
        The lowest grade that counts as relevant.
    empty : float or str, default 0
        The value without a relevant document: a number, "skip" or "raise".
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import recall
    >>> recall([3, 0, 2], k=2, pool=[3, 0, 2, 1])
    0.3333333333333333
    >>> recall([3, 0, 2], k=2, pool=[3, 0, 2, 1], level=2)
    0.5"""
    ...

def success(
    rel: Any,
    k: Any = None,
    *,
    level: float = 1,
    empty: Any = 0,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """1 if any of the first `k` results is relevant, else 0.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None`: the whole list.
    level : float, default 1
        The lowest grade that counts as relevant.
    empty : float or str, default 0
        The value without a relevant document: a number, "skip" or "raise".
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import success
    >>> success([0, 0, 1], k=2)
    0.0"""
    ...

def reciprocal_rank(
    rel: Any,
    k: Any = None,
    *,
    level: float = 1,
    empty: Any = 0,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """1 divided by the rank of the first relevant result.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None`: the whole list.
    level : float, default 1
        The lowest grade that counts as relevant.
    empty : float or str, default 0
        The value without a relevant document: a number, "skip" or "raise".
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import reciprocal_rank
    >>> reciprocal_rank([0, 1, 1])
    0.5"""
    ...

def average_precision(
    rel: Any,
    k: Any = None,
    *,
    per: str = 'relevant',
    level: float = 1,
    empty: Any = 0,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """The mean of the precisions at the ranks of the relevant documents.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None`: the whole list.
    per : str, default 'relevant'
        What the sum of precisions is divided by: "relevant", "reachable", "found", "k", …
    level : float, default 1
        The lowest grade that counts as relevant.
    empty : float or str, default 0
        The value without a relevant document: a number, "skip" or "raise".
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import average_precision
    >>> average_precision([1, 0, 1, 0], pool=[1, 0, 1, 0, 1, 1])
    0.41666666666666663"""
    ...

def r_precision(
    rel: Any,
    *,
    level: float = 1,
    empty: Any = 0,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """Precision and recall at the number of relevant documents.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    level : float, default 1
        The lowest grade that counts as relevant.
    empty : float or str, default 0
        The value without a relevant document: a number, "skip" or "raise".
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list, an array for many.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import r_precision
    >>> r_precision([1, 0, 1, 0])
    0.5"""
    ...

def rbp(
    rel: Any,
    k: Any = None,
    *,
    p: float = 0.8,
    level: float = 1,
    empty: Any = 0,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """Rank-biased precision: hits discounted by the chance of being read.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None`: the whole list.
    p : float, default 0.8
        The probability that a reader goes on to the next result.
    level : float, default 1
        The lowest grade that counts as relevant.
    empty : float or str, default 0
        The value without a relevant document: a number, "skip" or "raise".
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import rbp
    >>> round(rbp([1, 0, 1, 0], p=0.8), 3)
    0.328"""
    ...

def err(
    rel: Any,
    k: Any = None,
    *,
    highest: float | None = None,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    ties: str = 'average',
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    ideal: str = 'pool',
) -> Any:
    """Expected reciprocal rank: the mean of 1/rank over where readers are satisfied.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None`: the whole list.
    highest : float or None, default None
        The highest grade of the scale; `None`: 4, with a note if no grade of many lists is.
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
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/08a_beside.ipynb

    Examples
    --------
    >>> from ndcg_nb.beside import err
    >>> round(err([3, 0, 2]), 3)
    0.473"""
    ...
