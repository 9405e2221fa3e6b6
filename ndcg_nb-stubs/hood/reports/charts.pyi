"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes

def plot_curves(
    qrels: Any,
    runs: Any = None,
    k: Iterable[int] = ...,
    measure: str | None = None,
    *,
    alpha: float = 0.05,
    accent: str | None = None,
    ax: Any = None,
    **how: Any,
) -> Axes:
    """A measure over its cutoffs, a line for each system, and intervals of its means.

    Parameters
    ----------
    qrels
        Judgements, or one joined table, as in `evaluate`; or an evaluation that has several
        cutoffs.
    runs : default None
        Runs by name, as in `evaluate`; `None` with a joined table or an evaluation.
    k : Iterable[int], default range(1, 21)
        The cutoffs.
    measure : str or None, default None
        The measure to draw; `None`: ndcg, or the first that was evaluated at several cutoffs.
    alpha : float, default 0.05
        The bands are 1 − `alpha` confidence intervals of the means.
    accent : str or None, default None
        The system in blue; `None`: the one that ends highest.
    ax : default None
        The matplotlib Axes to draw on; `None`: a new figure.
    **how
        Other keywords of `evaluate`, e.g. `like`.

    Returns
    -------
    Axes
        The matplotlib Axes.

    Notes
    -----
    Explained in nbs/12a_plots.ipynb

    Examples
    --------
    >>> from ndcg_nb.plots import plot_curves
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> runs = {
    ...     "A": {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]},
    ...     "B": {"q1": ["a", "c", "b"], "q2": ["e", "d"], "q3": ["g", "f"]},
    ... }
    >>> ax = plot_curves(qrels, runs, k=[1, 2, 3])
    >>> ax.get_ylabel()
    'mean ndcg@k'"""
    ...

def plot_dialects(
    evaluation: Any,
    names: Any = None,
    measure: str | None = None,
    *,
    accent: str | None = None,
    ax: Any = None,
) -> Axes:
    """Mean nDCG under the dialects, a line for each system, and circles where two change
    places.

    Parameters
    ----------
    evaluation
        The result of `evaluate`, or a comparison of it.
    names : default None
        Names of dialects, as in `list_dialects()`; `None`: all.
    measure : str or None, default None
        Which nDCG; `None`: the first.
    accent : str or None, default None
        The system in blue; `None`: the one that is ahead most often.
    ax : default None
        The matplotlib Axes to draw on; `None`: a new figure.

    Returns
    -------
    Axes
        The matplotlib Axes.

    Notes
    -----
    Explained in nbs/12a_plots.ipynb

    Examples
    --------
    >>> from ndcg_nb import evaluate
    >>> from ndcg_nb.plots import plot_dialects
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> runs = {
    ...     "A": {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]},
    ...     "B": {"q1": ["a", "c", "b"], "q2": ["e", "d"], "q3": ["g", "f"]},
    ... }
    >>> ax = plot_dialects(evaluate(qrels, runs, "ndcg@3"), ["sklearn", "xgboost"])
    >>> ax.get_xlabel()
    'mean ndcg@3'"""
    ...

def plot_differences(
    comparison: Any,
    a: str | None = None,
    b: str | None = None,
    ax: Any = None,
) -> Axes:
    """The differences by query, in order, and their mean with its interval.

    Parameters
    ----------
    comparison
        The result of `compare`.
    a : str or None, default None
        A system; `None`: the first of two, or the baseline.
    b : str or None, default None
        The system to compare with it; `None`: the second of two.
    ax : default None
        The matplotlib Axes to draw on; `None`: a new figure.

    Returns
    -------
    Axes
        The matplotlib Axes.

    Notes
    -----
    Explained in nbs/12a_plots.ipynb

    Examples
    --------
    >>> from ndcg_nb import compare
    >>> from ndcg_nb.plots import plot_differences
    >>> values = {
    ...     "A": {"q1": 0.60, "q2": 0.50, "q3": 0.70, "q4": 0.40, "q5": 0.55},
    ...     "B": {"q1": 0.70, "q2": 0.60, "q3": 0.75, "q4": 0.60, "q5": 0.65},
    ... }
    >>> ax = plot_differences(compare(values))
    >>> ax.get_ylabel()
    'value, B − A'"""
    ...

def plot_history(
    history: Any,
    measure: str | None = None,
    *,
    accent: str | None = None,
    ax: Any = None,
) -> Axes:
    """A mean over releases, with its 95% confidence intervals, a line for each run.

    Parameters
    ----------
    history
        A file that `append` of an evaluation has written, or the table that `read_history`
        gives.
    measure : str or None, default None
        The measure to draw; `None`: the first.
    accent : str or None, default None
        The run in blue; `None`: the one that ends highest.
    ax : default None
        The matplotlib Axes to draw on; `None`: a new figure.

    Returns
    -------
    Axes
        The matplotlib Axes.

    Notes
    -----
    Explained in nbs/12a_plots.ipynb

    Examples
    --------
    >>> from ndcg_nb import evaluate
    >>> from ndcg_nb.plots import plot_history
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> run = {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]}
    >>> result = evaluate(qrels, run)
    >>> ax = plot_history(result.append("history.jsonl", "1.4"))
    >>> ax.get_ylabel()
    'mean ndcg@10'"""
    ...

def plot_judged(
    evaluation: Any,
    measure: str | None = None,
    *,
    alpha: float = 0.05,
    accent: str | None = None,
    ax: Any = None,
) -> Axes:
    """nDCG against the share of results that was judged, a dot for each query.

    Parameters
    ----------
    evaluation
        The result of `evaluate`, or a comparison of it.
    measure : str or None, default None
        Which nDCG; `None`: the first.
    alpha : float, default 0.05
        The significance level at which the title says that there is a trend.
    accent : str or None, default None
        The system in blue; `None`: the one with the fewest judged results.
    ax : default None
        The matplotlib Axes to draw on; `None`: a new figure.

    Returns
    -------
    Axes
        The matplotlib Axes.

    Notes
    -----
    Explained in nbs/12a_plots.ipynb

    Examples
    --------
    >>> from ndcg_nb import evaluate
    >>> from ndcg_nb.plots import plot_judged
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> runs = {
    ...     "A": {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]},
    ...     "B": {"q1": ["a", "c", "b"], "q2": ["e", "d"], "q3": ["g", "f"]},
    ... }
    >>> ax = plot_judged(evaluate(qrels, runs, "ndcg@3"))
    >>> ax.get_xlabel()
    'judged@3'"""
    ...

def plot_losses(
    evaluation: Any,
    measure: str | None = None,
    *,
    accent: str | None = None,
    ax: Any = None,
) -> Axes:
    """What is lost down to each rank, on average, a line for each system; it ends at 1 − nDCG.

    Parameters
    ----------
    evaluation
        The result of `evaluate`, or a comparison of it.
    measure : str or None, default None
        Which nDCG; `None`: the first.
    accent : str or None, default None
        The system in blue; `None`: the one that loses least.
    ax : default None
        The matplotlib Axes to draw on; `None`: a new figure.

    Returns
    -------
    Axes
        The matplotlib Axes.

    Notes
    -----
    Explained in nbs/12a_plots.ipynb

    Examples
    --------
    >>> from ndcg_nb import evaluate
    >>> from ndcg_nb.plots import plot_losses
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> runs = {
    ...     "A": {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]},
    ...     "B": {"q1": ["a", "c", "b"], "q2": ["e", "d"], "q3": ["g", "f"]},
    ... }
    >>> ax = plot_losses(evaluate(qrels, runs, "ndcg@3"))
    >>> ax.get_ylabel()
    'lost so far, ndcg@3'"""
    ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
