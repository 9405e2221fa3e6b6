"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any, NamedTuple

import pandas as pd

from ndcg_nb.hood.core.conventions import Discount, Gain

class Expected(NamedTuple):
    """Mean and standard deviation of nDCG over the gradings that are possible.

    Attributes
    ----------
    mean
        The mean.
    sd
        The standard deviation, if the grades of documents are independent.
    no_relevant
        The chance that nothing is relevant.

    Notes
    -----
    Explained in nbs/07c_doubtful.ipynb
    """
    mean: Any
    """The mean"""
    sd: Any
    """The standard deviation, if the grades of documents are independent"""
    no_relevant: Any
    """The chance that nothing is relevant"""

def expected_ndcg(
    chances: Any,
    k: Any = None,
    *,
    grades: Any,
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
) -> Expected:
    """The exact mean and standard deviation of nDCG if each document has independent
    probabilities of its grades.

    Parameters
    ----------
    chances
        One row for each result as shown, one column for each of `grades`; or a list of such
        tables.
    k : int or list of int, default None
        Cutoff of list and ideal, or several; `None` for no cut.
    grades
        The grade of each column, e.g. [0, 1, 2, 3].
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
    Expected
        `mean`, `sd` and `no_relevant`, each a float for one list and one cutoff, else an array.

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
    Other keywords are as in `ndcg`; `pool` has such rows for every document; `empty=None`
    leaves 0/0 out.

    Explained in nbs/07c_doubtful.ipynb

    Examples
    --------
    >>> from ndcg_nb.doubtful import expected_ndcg
    >>> chances = [[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]]
    >>> found = expected_ndcg(chances, grades=[0, 1, 2])
    >>> round(found.mean, 3), round(found.sd, 3)
    (0.981, 0.082)"""
    ...

def expected_run(
    judgements: Any,
    run: Any,
    k: int | None = 10,
    *,
    grades: Any = None,
    **how: Any,
) -> pd.DataFrame:
    """The exact mean and standard deviation of nDCG for each query, with the votes of several
    judges as probabilities.

    Parameters
    ----------
    judgements
        Judgements as in `evaluate`, with one row for each vote: several judges, or several
        samples.
    run
        The results of one run, as in `evaluate`.
    k : int or None, default 10
        Cutoff; `None` for no cut.
    grades : default None
        All possible grades; `None`: 0 and those given. Unjudged results get the first of them.
    **how
        As in `expected_ndcg`.

    Returns
    -------
    DataFrame
        A row for each judged query, with columns query, mean, sd and no_relevant.

    Notes
    -----
    Explained in nbs/07c_doubtful.ipynb

    Examples
    --------
    >>> from ndcg_nb.doubtful import expected_run
    >>> import pandas as pd
    >>> votes = pd.DataFrame({"query": "q1", "document": ["a", "a", "b"], "grade": [2, 1, 0]})
    >>> expected_run(votes, {"q1": ["b", "a"]})["mean"].round(3).tolist()
    [0.631]"""
    ...
