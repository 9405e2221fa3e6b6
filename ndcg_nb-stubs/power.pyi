"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

def queries_needed(
    difference: float,
    spread: Any,
    power: float = 0.8,
    alpha: float = 0.05,
) -> int:
    """How many queries a paired t-test needs.

    Parameters
    ----------
    difference : float
        The mean difference to detect.
    spread
        The standard deviation of the differences by query; or a comparison of two systems, as a
        pilot.
    power : float, default 0.8
        The probability of detecting it.
    alpha : float, default 0.05
        The significance level.

    Returns
    -------
    int
        The smallest number of queries.

    Notes
    -----
    Explained in nbs/12c_power.ipynb

    Examples
    --------
    >>> from ndcg_nb import queries_needed
    >>> queries_needed(0.02, 0.15)
    444"""
    ...

def detectable(
    queries: int,
    spread: Any,
    power: float = 0.8,
    alpha: float = 0.05,
) -> float:
    """The smallest mean difference that a paired t-test detects with this power.

    Parameters
    ----------
    queries : int
        The number of queries.
    spread
        The standard deviation of the differences by query; or a comparison of two systems, as a
        pilot.
    power : float, default 0.8
        The probability of detecting it.
    alpha : float, default 0.05
        The significance level.

    Returns
    -------
    float
        The difference, in the units of `spread`.

    Notes
    -----
    Explained in nbs/12c_power.ipynb

    Examples
    --------
    >>> from ndcg_nb import detectable
    >>> round(detectable(50, 0.15), 3)
    0.061"""
    ...
