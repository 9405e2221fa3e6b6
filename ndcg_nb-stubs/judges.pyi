"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.results.raters import Agreement, Corrected

def corrected_mean(
    model: Any,
    human: Any,
    *,
    confidence: float = 0.95,
    of: str = 'queries',
) -> Corrected:
    """The mean over all queries as people would judge them, from a sample they judged and a
    model's values for all.

    Parameters
    ----------
    model
        The model's value for each query: a list, {query: value}, a Series, or what `evaluate`
        gives.
    human
        The same by people, for a random sample of the queries; nan or absent elsewhere.
    confidence : float, default 0.95
        How often such an interval contains the true mean.
    of : str, default 'queries'
        What to estimate the mean of: these "queries", or the "population" they came from.

    Returns
    -------
    Corrected
        With `mean`, `low`, `high`, `slope`, `correlation` and `saved`.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/07a_judges.ipynb

    Examples
    --------
    >>> from ndcg_nb.judges import corrected_mean
    >>> model = [0.92, 0.71, 0.55, 0.83, 0.64, 0.97, 0.48, 0.76, 0.88, 0.59, 0.69, 0.81]
    >>> human = [0.85, 0.66, 0.47, 0.80, 0.55, 0.91, 0.30, 0.74, 0.79, 0.58, None, None]
    >>> found = corrected_mean(model, human)
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.668, 0.654, 0.682)"""
    ...

def how_many(
    half_width: float,
    sd: float,
    rho: float = 0,
    *,
    total: int | None = None,
    confidence: float = 0.95,
    of: str = 'queries',
) -> int | None:
    """How many queries people must judge for an interval of `corrected_mean` this narrow.

    Parameters
    ----------
    half_width : float
        Half of the width the interval may have, e.g. 0.02.
    sd : float
        The standard deviation of people's values over queries.
    rho : float, default 0
        The correlation of the model's values with people's; 0: people alone.
    total : int or None, default None
        The number of queries that the model judged; `None`: far more than people judge.
    confidence : float, default 0.95
        How often such an interval contains the true mean.
    of : str, default 'queries'
        What to estimate the mean of: these "queries", or the "population" they came from.

    Returns
    -------
    int or None
        The number of queries; `None` if no number is enough.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/07a_judges.ipynb

    Examples
    --------
    >>> from ndcg_nb.judges import how_many
    >>> how_many(0.02, sd=0.25, rho=0.6, total=1000)
    281"""
    ...

def agreement(
    model: Any,
    human: Any,
    *,
    grades: Any = None,
) -> Agreement:
    """How well a model's grades agree with people's; this does not say how wrong its nDCG is.

    Parameters
    ----------
    model
        The model's grades: a list, or judgements as in `evaluate`.
    human
        People's grades of the same documents in the same order, nan where there is none; or
        judgements.
    grades : default None
        All possible grades; `None`: those given.

    Returns
    -------
    Agreement
        With `table`, `share`, `kappa`, `weighted_kappa`, `alpha` and `generosity`.

    Notes
    -----
    Explained in nbs/07a_judges.ipynb

    Examples
    --------
    >>> from ndcg_nb.judges import agreement
    >>> found = agreement([0, 1, 2, 2], [0, 1, 1, 2])
    >>> round(found.kappa, 3), found.generosity
    (0.636, 0.25)"""
    ...
