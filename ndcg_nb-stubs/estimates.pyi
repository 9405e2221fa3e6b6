"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Discount, Gain

def inf_ndcg(
    rel: Any,
    strata: Any,
    pool: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    ties: str = 'average',
    empty: Any = None,
    scores: Any = None,
    ids: Any = None,
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
    decimals: int | None = None,
) -> Any:
    """Inferred nDCG: estimated from a sample of judgements, drawn stratum by stratum.

    Parameters
    ----------
    rel : array-like
        Grades as shown, nan or None for what was not sampled; or many such lists.
    strata
        The stratum of each result, None outside the pool; or many such lists.
    pool : array-like
        {stratum: the grade of each of its documents, nan for those not sampled}; or a list of
        such tables.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
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
    decimals : int or None, default None
        The number of decimals that each list's value is rounded to; `None`: all.

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array; it may exceed 1.

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
    Other keywords are as in `ndcg`; `empty` is the value if no sampled document is
    relevant.

    Explained in nbs/07b_estimates.ipynb

    Examples
    --------
    >>> from ndcg_nb import inf_ndcg
    >>> pool = {"top": [3, 0], "rest": [1, None, None]}
    >>> round(inf_ndcg([3, None, 0], ["top", "rest", "top"], pool), 3)
    0.658"""
    ...

def ips_dcg(
    clicks: Any,
    propensity: Any,
    k: Any = None,
    *,
    discount: Discount = 'log2',
    scores: Any = None,
    ties: str = 'average',
    clip: float = 0,
) -> Any:
    """DCG estimated from clicks, each divided by the chance that its result was seen.

    Parameters
    ----------
    clicks
        Clicks on each result, from rank 1 of the new ranking down, or with `scores`; or many
        such lists.
    propensity
        The chance that each result was examined at the rank where it was shown when clicks were
        logged.
    k : int or list of int, default None
        Cutoff of the new ranking, or several; `None` for no cut.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    scores : array-like, default None
        Scores of the new ranking, where `clicks` are in any order.
    ties : str, default 'average'
        Equal scores: "average", "first" or "last".
    clip : float, default 0
        Propensities below this are raised to it: less variance, more bias.

    Returns
    -------
    float or array
        A float for one list and one cutoff, else an array; for several sessions, divide by
        their number.

    Notes
    -----
    Explained in nbs/07b_estimates.ipynb

    Examples
    --------
    >>> from ndcg_nb import ips_dcg
    >>> round(ips_dcg([1, 0, 1], [1.0, 0.5, 0.25]), 3)
    3.0"""
    ...
