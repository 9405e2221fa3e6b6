"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any, NamedTuple

from ndcg_nb.hood.core.conventions import Discount, Gain

def ndcg_at_r(
    rel: Any,
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
    ideal: str = 'pool',
    decimals: int | None = None,
) -> Any:
    """nDCG with each list cut at the number of relevant documents in its pool.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
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
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".
    decimals : int or None, default None
        The number of decimals that each list's value is rounded to; `None`: all.

    Returns
    -------
    float or array
        A float for one list, an array for many.

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
    Explained in nbs/06_coverage.ipynb

    Examples
    --------
    >>> from ndcg_nb.coverage import ndcg_at_r
    >>> round(ndcg_at_r([3, 0, 2, 0]), 3)
    0.704"""
    ...

def ncg(
    rel: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
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
    """Normalised cumulative gain: the gain of the first `k`, divided by that of the best `k`.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
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
    Explained in nbs/06_coverage.ipynb

    Examples
    --------
    >>> from ndcg_nb.coverage import ncg
    >>> ncg([3, 0, 2, 1], k=2)
    0.6"""
    ...

def gain_recall(
    rel: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
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
    """The gain of the first `k`, divided by the gain of the whole pool.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int or list of int, default None
        Cutoff of the list, or several; `None` for no cut. The pool is not cut.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
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
    Other keywords are as in `ndcg`; of its ideals, "pool" or "list".

    Explained in nbs/06_coverage.ipynb

    Examples
    --------
    >>> from ndcg_nb import gain_recall
    >>> gain_recall([3, 0, 2, 1], k=2)
    0.5"""
    ...

def alpha_ndcg(
    intents: Any,
    k: Any = None,
    *,
    alpha: float = 0.5,
    discount: Discount = 'log2',
    pool: Any = None,
    scores: Any = None,
    empty: Any = None,
) -> Any:
    """nDCG in which a gain shrinks each time its intent was served before; the ideal is
    greedy.

    Parameters
    ----------
    intents
        The documents as shown, from rank 1 down, each the set of intents it serves; or many
        such lists.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
    alpha : float, default 0.5
        The share of a gain that is lost each time its intent was served before, from 0 to 1.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    pool : array-like, default None
        Every judged document of the query, in the same form; `None`: no others were judged.
    scores : array-like, default None
        Model scores to rank by, no two equal, where the documents are in any order.
    empty : float or str, default None
        What 0/0 means: a number, "skip" or "raise"; `None`: nan, and a warning.

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array.

    Warns
    -----
    RuntimeWarning
        If a value is 0/0, which gives nan, unless `empty` says otherwise.

    Notes
    -----
    Explained in nbs/06_coverage.ipynb

    Examples
    --------
    >>> from ndcg_nb import alpha_ndcg
    >>> round(alpha_ndcg([{"fruit"}, {"fruit"}, {"company"}]), 3)
    0.965"""
    ...

def intent_ndcg(
    rel: Any,
    probability: Any,
    k: Any = None,
    *,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    ties: str = 'average',
    empty: Any = None,
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
    ideal: str = 'pool',
    decimals: int | None = None,
) -> Any:
    """Intent-aware nDCG: the nDCG of each intent, weighted by its probability.

    Parameters
    ----------
    rel : array-like
        One list of grades per intent, over the same documents in the same order; or many such
        sets of lists.
    probability
        The probability of each intent; or many such lists.
    k : int or list of int, default None
        Cutoff of list and ideals, or several; `None` for no cut.
    pool : array-like, default None
        For each intent, every grade of the query; `None`: no other document was judged.
    scores : array-like, default None
        Model scores to rank the documents by, one list for all intents of a query.
    ids : list, default None
        Document ids, one list for all intents of a query, for ties="id".
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
        A float, or an array for several cutoffs or many queries.

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
    Other keywords are as in `ndcg`; `empty` is for an intent, and none can be skipped.

    Explained in nbs/06_coverage.ipynb

    Examples
    --------
    >>> from ndcg_nb import intent_ndcg
    >>> round(intent_ndcg([[3, 0, 1], [0, 2, 0]], [0.7, 0.3]), 3)
    0.864"""
    ...

class Tied(NamedTuple):
    """The lowest, the mean and the highest nDCG over the orders of tied results.

    Attributes
    ----------
    worst
        nDCG of the worst order of the tied results.
    average
        The mean over all orders.
    best
        nDCG of the best order.

    Notes
    -----
    Explained in nbs/06_coverage.ipynb
    """
    worst: Any
    """nDCG of the worst order of the tied results"""
    average: Any
    """The mean over all orders"""
    best: Any
    """nDCG of the best order"""

def tied_ndcg(
    rel: Any,
    k: Any = None,
    *,
    scores: Any,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    empty: Any = None,
    pool: Any = None,
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
    ideal: str = 'pool',
    decimals: int | None = None,
) -> Tied:
    """The lowest, the mean and the highest nDCG over all orders of results with equal scores.

    Parameters
    ----------
    rel : array-like
        Grades, in any order; or many such lists.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
    scores : array-like
        Model scores to rank by.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    empty : float or str, default None
        What 0/0 means: a number, "skip" or "raise"; `None`: nan, and a warning.
    pool : array-like, default None
        Every judged grade of the query, those in `rel` included; `None`: nothing else was
        judged.
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
    Tied
        `worst`, `average` and `best`, each a float for one list and one cutoff, else an array.

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
    Explained in nbs/06_coverage.ipynb

    Examples
    --------
    >>> from ndcg_nb.coverage import tied_ndcg
    >>> print(tied_ndcg([3, 0, 2], scores=[0.5, 0.5, 0.1]))
    0.809 (0.679 to 0.939)"""
    ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
