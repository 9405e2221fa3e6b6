"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Gain

def pad(
    rel: Any,
    k: int,
    grade: float = 0,
    *,
    gain: Gain = 'linear',
) -> Any:
    """Lists filled up to at least `k` results, so that missing results are visible.

    Parameters
    ----------
    rel : array-like
        Grades as shown, from rank 1 down; or many such lists.
    k : int
        The size to fill up to; longer lists stay as they are.
    grade : float, default 0
        The grade of a missing result: the lowest grade there is.
    gain : str, tuple, dict, array or callable, default 'linear'
        The gain the lists will be measured with, in which `grade` must be worth 0.

    Returns
    -------
    An array; a list of arrays where lists of different lengths remain.

    Notes
    -----
    Explained in nbs/05_missing.ipynb

    Examples
    --------
    >>> from ndcg_nb.missing import pad
    >>> pad([3, 2], 4).tolist()
    [3, 2, 0, 0]"""
    ...
