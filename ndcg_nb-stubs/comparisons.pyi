"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.stats.differences import Comparison

def compare(
    qrels: Any,
    runs: Any = None,
    measure: str | None = None,
    *,
    test: str = 't',
    interval: str = 't',
    adjust: str | None = 'holm',
    baseline: str | None = None,
    alpha: float = 0.05,
    margin: float | None = None,
    draws: int = 10000,
    seed: int = 0,
    **how: Any,
) -> Comparison:
    """Is B really better than A? Paired differences, with intervals, tests and the queries
    that decide.

    Parameters
    ----------
    qrels
        Judgements, as in `evaluate`; or an evaluation of several runs; or {system: values by
        query}.
    runs : default None
        Runs by name, as in `evaluate`; or the second of two evaluations.
    measure : str or None, default None
        The measure to compare; `None`: what was evaluated, or "ndcg@10".
    test : str, default 't'
        The significance test: "t", "randomization", "sign" or "wilcoxon".
    interval : str, default 't'
        The confidence interval of the mean: "t", or bootstrap: "percentile", "bca",
        "bootstrap-t".
    adjust : str or None, default 'holm'
        The correction of p for many systems: "holm", "tukey" or `None`.
    baseline : str or None, default None
        Compare only with this system.
    alpha : float, default 0.05
        The significance level; intervals cover 1 − `alpha`.
    margin : float or None, default None
        A difference too small to matter: also test whether the systems are that close.
    draws : int, default 10000
        The number of random draws, if there are too many cases to try all.
    seed : int, default 0
        The seed of the random draws.
    **how
        Other keywords of `evaluate`, e.g. `like`, `missing` or `weights`.

    Returns
    -------
    Comparison
        With `pairs`, `table`, `per_query` and `notes`; of two systems also `difference`, `low`,
        `high`, `p`.

    Notes
    -----
    Explained in nbs/12_comparisons.ipynb

    Examples
    --------
    >>> from ndcg_nb import compare
    >>> values = {
    ...     "A": {"q1": 0.60, "q2": 0.50, "q3": 0.70, "q4": 0.40, "q5": 0.55},
    ...     "B": {"q1": 0.70, "q2": 0.60, "q3": 0.75, "q4": 0.60, "q5": 0.65},
    ... }
    >>> found = compare(values)
    >>> round(found.difference, 4), round(found.low, 3), round(found.high, 3), round(found.p, 3)
    (0.11, 0.042, 0.178, 0.011)"""
    ...
