"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Discount, Gain
from ndcg_nb.hood.display.accounts import Change, Explanation

def explain(
    rel: Any,
    k: int | None = None,
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
) -> Explanation:
    """Which result cost what: rank by rank, document by document, depth by depth.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or documents, or {document: score}, with a pool that
        grades them.
    k : int or None, default None
        Cutoff of list and ideal; `None` for no cut.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    pool : array-like, default None
        {document: grade} for all judged documents; or a list of grades, as in `ndcg`.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Names of the documents, where `rel` holds grades.
    ties : str, default 'average'
        Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or
        "lowest-id".
    empty : float or str, default None
        What 0/0 means: a number or "raise"; `None`: nan, and a warning.
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
    Explanation
        A DataFrame, a row for each rank, with `documents`, `depths`, `best_swap` and `perfect`.

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
    Explained in nbs/08_explanations.ipynb

    Examples
    --------
    >>> from ndcg_nb import explain
    >>> print(explain([3, 2, 0, 1]))
    rank  document  grade  gain  discount  contribution                ideal    loss
       1  #1            3     3     1.000         3.000 ████████           3   0.000
       2  #2            2     2     0.631         1.262 ███▍               2   0.000
       3  #3            0     0     0.500         0.000                    1   0.105 ████████
       4  #4            1     1     0.431         0.431 █▏                 0  −0.090 ░░░░░░░
                                              DCG 4.693           IDCG 4.762   0.015
    nDCG = 4.693 / 4.762 = 0.985
    What cost most: #4 0.015
    Best swap: #3 and #4, +0.015"""
    ...

def explain_change(
    before: Any,
    after: Any,
    k: int | None = None,
    *,
    pool: Any = None,
    pool_after: Any = None,
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
) -> Change:
    """How much each document contributes to a change of nDCG.

    Parameters
    ----------
    before
        Documents from rank 1 down, or {document: score}; or the evaluation of a whole run.
    after
        The same for the other ranking.
    k : int or None, default None
        Cutoff; `None` for no cut.
    pool : array-like, default None
        {document: grade} for all judged documents.
    pool_after : default None
        The same for `after`, where the judgements changed too.
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
    Change
        A DataFrame, a row for each document, with `before`, `after`, `by_ranking` and
        `by_judgements`.

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
    Explained in nbs/08_explanations.ipynb

    Examples
    --------
    >>> from ndcg_nb import explain_change
    >>> print(explain_change(["a", "b", "c"], ["c", "a", "b"], pool={"a": 1, "b": 0, "c": 3}))
    document  grade  rank before  rank after   share
    c             3            3           1  +0.413 ████████
    a             1            1           2  −0.102 ░░
    b             0            2           3  +0.000
                                              +0.311
    nDCG 0.689 → 1.000: +0.311"""
    ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
