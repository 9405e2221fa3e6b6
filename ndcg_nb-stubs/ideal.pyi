"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Discount, Gain

def idcg(
    pool: Any,
    k: Any = None,
    *,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    like: str | None = None,
    default_k: int | None = None,
) -> Any:
    """Ideal discounted cumulative gain: the DCG of the best ranking down to rank `k`.

    Parameters
    ----------
    pool : array-like
        Every judged grade of the query, in any order; or many such lists.
    k : int or list of int, default None
        Cutoff, or several; `None` for the whole pool.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    default_k : int or None, default None
        The cutoff when `k` is not given; `None` for no cut.

    Returns
    -------
    float or array
        A float for one list and one cutoff, an array for many lists or several cutoffs.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/02_ideal.ipynb

    Examples
    --------
    >>> from ndcg_nb import idcg
    >>> round(idcg([3, 2, 3, 0, 1, 2]), 3)
    7.141"""
    ...
