"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any, NamedTuple

import pandas as pd

class Dialect:
    """One tool's nDCG, as data: the keywords of `ndcg`, the rules for means, and notes.

    Attributes
    ----------
    gain : str, tuple, dict, array or callable
        What a grade is worth: a form of gain, as in `ndcg`.
    discount : str, tuple, array or callable
        What a rank weighs: a form of discount, as in `ndcg`.
    ideal : str
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".
    ties : str
        Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or
        "lowest-id".
    precision : str
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str
        A score of -inf: "last" like any lowest score, in nearly every tool; "out": not
        retrieved.
    empty : float or str
        What 0/0 means, for a query without a relevant document; most tools say 0.
    default_k : int or None
        The cutoff when `k` is not given; `None` for no cut.
    decimals : int or None
        The number of decimals that each list's value is rounded to; `None`: all.
    tool : str
        The name of the tool.
    version : str
        Which version was read and run.
    source : str
        The file in which its rule is written.
    trap : str
        What to know before comparing numbers.
    missing : str
        A judged query that the run lacks: "zero", "skip", "error"; "none": does not occur.
    rounding : int or None
        The number of decimals it prints or returns; `None`: all.
    accuracy : float
        The rounding error of its own numbers, where it computes in 32 bits.
    ignore_self : bool
        Whether it drops a document that has the id of its query.
    family : str
        The kind of tool: one of `FAMILIES`.

    Methods
    -------
    keywords()
        The settings as keywords of `ndcg`.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    gain: Any
    """What a grade is worth: a form of gain, as in `ndcg`"""
    discount: Any
    """What a rank weighs: a form of discount, as in `ndcg`"""
    ideal: str
    """The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full\""""
    ties: str
    """Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or "lowest-id\""""
    precision: str
    """Of scores: "float32" rounds them to single precision before ranking"""
    minus_inf: str
    """A score of -inf: "last" like any lowest score, in nearly every tool; "out": not retrieved"""
    empty: Any
    """What 0/0 means, for a query without a relevant document; most tools say 0"""
    default_k: int | None
    """The cutoff when `k` is not given; `None` for no cut"""
    decimals: int | None
    """The number of decimals that each list's value is rounded to; `None`: all"""
    tool: str
    """The name of the tool"""
    version: str
    """Which version was read and run"""
    source: str
    """The file in which its rule is written"""
    trap: str
    """What to know before comparing numbers"""
    missing: str
    """A judged query that the run lacks: "zero", "skip", "error"; "none": does not occur"""
    rounding: int | None
    """The number of decimals it prints or returns; `None`: all"""
    accuracy: float
    """The rounding error of its own numbers, where it computes in 32 bits"""
    ignore_self: bool
    """Whether it drops a document that has the id of its query"""
    family: str
    """The kind of tool: one of `FAMILIES`"""
    def keywords(
        self,
    ) -> dict[str, Any]:
        """The settings as keywords of `ndcg`.

        Returns
        -------
        dict[str, Any]"""
        ...


def dialect(
    name: str,
) -> dict[str, Any]:
    """The keywords that make `ndcg` compute a tool's number.

    Parameters
    ----------
    name : str
        A tool, as in `list_dialects()`.

    Returns
    -------
    dict[str, Any]
        Keywords for `ndcg`.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb

    Examples
    --------
    >>> from ndcg_nb import dialect, ndcg
    >>> dialect("sklearn")["ties"]
    'average'
    >>> round(ndcg([3, 2, 0, 1], **dialect("sklearn")), 3)
    0.985"""
    ...

def register(
    name: str,
    like: str | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Give a convention of your own a name, for this Python session.

    Parameters
    ----------
    name : str
        A new name, for `like=`.
    like : str or None, default None
        The tool to start from; `None`: our defaults.
    **settings
        What differs from it: settings of `ndcg`, or `missing`, `rounding`, `ignore_self`.

    Returns
    -------
    dict[str, Any]
        Its keywords for `ndcg`, as `dialect` gives them.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb

    Examples
    --------
    >>> from ndcg_nb.dialects import register
    >>> register("mine", "trec_eval", gain="exp")["gain"]
    'exp'"""
    ...

def list_dialects(
) -> pd.DataFrame:
    """All dialects: their settings, what to know about each, and their sources.

    Returns
    -------
    DataFrame
        A row for each dialect; the index has the names that `dialect` and `like` take.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb

    Examples
    --------
    >>> from ndcg_nb import list_dialects
    >>> list_dialects().loc["xgboost", "gain"]
    'exp'"""
    ...

class Mean(NamedTuple):
    """A mean, and the number of queries it is over.

    Attributes
    ----------
    value : float
        The mean.
    queries : int
        The number of queries in the mean.
    missing : int
        The number of queries excluded because the run has no results for them.
    empty : int
        The number of queries excluded because they have no relevant document.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb
    """
    value: float
    """The mean"""
    queries: int
    """The number of queries in the mean"""
    missing: int
    """The number of queries excluded because the run has no results for them"""
    empty: int
    """The number of queries excluded because they have no relevant document"""

def mean_ndcg(
    rel: Any,
    k: int | None = None,
    *,
    like: str,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
) -> Mean:
    """The mean nDCG over queries, by a tool's rules for missing queries and for queries
    without a relevant document.

    Parameters
    ----------
    rel : array-like
        A list of grades for each query; an empty list where the run has no results.
    k : int or None, default None
        Cutoff; `None`: the tool's own where it has one, else none.
    like : str
        A tool, as in `list_dialects()`.
    pool : array-like, default None
        Every judged grade of each query, as in `ndcg`.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for tools that break ties by id.

    Returns
    -------
    Mean
        `value`; the number of `queries` in it, and how many were excluded as `missing` or
        `empty`.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb

    Examples
    --------
    >>> from ndcg_nb.dialects import mean_ndcg
    >>> mean_ndcg([[3, 0], []], like="trec_eval")
    Mean(value=1.0, queries=1, missing=1, empty=0)"""
    ...

def disagree(
    rel: Any,
    k: int | None = None,
    *,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
) -> pd.DataFrame:
    """The nDCG of one list in every dialect, and the settings that make it differ.

    Parameters
    ----------
    rel : array-like
        Grades as shown, or in any order with `scores`; or many such lists.
    k : int or None, default None
        Cutoff; `None`: the tool's own where it has one, else none.
    pool : array-like, default None
        Every judged grade of each query, as in `ndcg`.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for tools that break ties by id.

    Returns
    -------
    DataFrame
        A row for each dialect, the highest number first.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb

    Examples
    --------
    >>> from ndcg_nb import disagree
    >>> disagree([3, 2, 0, 1], 3).loc["lightgbm", "because"]
    'gain exp'"""
    ...

def which(
    value: float | str,
    rel: Any,
    k: int | None = None,
    *,
    pool: Any = None,
    scores: Any = None,
    ids: Any = None,
    tolerance: float | None = None,
) -> pd.DataFrame:
    """Which dialects give a reported nDCG.

    Parameters
    ----------
    value : float or str
        The number reported; give a string to keep trailing zeros.
    rel : array-like
        Grades as shown, or in any order with `scores`; or many such lists.
    k : int or None, default None
        Cutoff; `None`: the tool's own where it has one, else none.
    pool : array-like, default None
        Every judged grade of each query, as in `ndcg`.
    scores : array-like, default None
        Model scores to rank by, where `rel` is in any order.
    ids : list, default None
        Document ids, for tools that break ties by id.
    tolerance : float or None, default None
        Largest difference to count as equal; `None`: half a unit of the last digit.

    Returns
    -------
    DataFrame
        A row for each dialect that gives this number, with the settings in which they differ.

    Notes
    -----
    Explained in nbs/09_dialects.ipynb

    Examples
    --------
    >>> from ndcg_nb import which
    >>> list(which("0.751", [3, 2, 3, 0, 1, 2], 6, pool=[3, 3, 3, 2, 2, 2, 1, 0]).index)
    ['gdeval', 'ranx-burges', 'spark-graded', 'elasticsearch', 'azure', 'quepid-cut']"""
    ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
