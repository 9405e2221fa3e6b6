"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ndcg_nb.hood.display.accounts import Explanation
from ndcg_nb.hood.inputs.matching import Side
from ndcg_nb.hood.runs.scoring import Asked, Scored
from ndcg_nb.hood.runs.values import Values

class Evaluation:
    """The means of measures, their values for every query, and notes on how they were
    computed.

    Attributes
    ----------
    runs : tuple[str, ...]
        The names of the runs.
    measures : tuple[str, ...]
        The names of the measures.
    queries : tuple[str, ...]
        Every judged query.
    values : array
        runs × queries × measures; nan where a query is excluded from the mean.
    weights : array or None
        The weight of each query; `None`: all the same.
    without_results : list
        The runs that have no result for any judged query.
    value : float
        The mean, if there is one run and one measure.
    means
        A table of means: a row for each run, a column for each measure.
    per_query
        A table of values: a row for each query (and run); nan if a query is excluded from the
        mean.
    exceptions : list
        The notes on excluded or unusual queries and results.
    notes : list
        Sentences: how many queries are in the means, and which were excluded.

    Methods
    -------
    plot_curves(qrels, runs, k, measure, alpha, accent, ax, **how)
        A measure over its cutoffs, a line for each system, and intervals of its means.
    plot_dialects(evaluation, names, measure, accent, ax)
        Mean nDCG under the dialects, a line for each system, and circles where two change
        places.
    plot_judged(evaluation, measure, alpha, accent, ax)
        nDCG against the share of results that was judged, a dot for each query.
    plot_losses(evaluation, measure, accent, ax)
        What is lost down to each rank, on average, a line for each system; it ends at 1 − nDCG.
    to_html(result, titles, texts, queries, slices, command)
        A comparison or an evaluation as one page of HTML that needs no other file.
    to_markdown(digits)
        The tables in Markdown.
    to_latex(digits)
        The first table in LaTeX, with booktabs rules.
    save(path, **page)
        Write to a file; its ending decides what is written.
    mean()
        The same as `value`.
    interval(confidence, method, draws, seed)
        The confidence interval of each mean: how far off it may be, if the queries are a
        sample.
    by(slices, confidence, method, draws, seed)
        The means within slices of the queries, such as head and tail or languages, and their
        intervals.
    falls_below(least, measure)
        Which runs have a mean below a number, in a sentence; for a gate.
    append(path, version, date)
        Add the means with their 95% intervals to the history of releases; a measure keeps its
        settings there.
    to_json()
        Means, notes and the values of every query in JSON; null if a query is excluded.
    to_csv(delimiter)
        The values of every query in CSV, with all digits.
    to_tsv()
        The values of every query, separated by tabs.
    explain(query, measure, run)
        How much each result of a query costs.
    explain_change(before, after, query, measure)
        Which queries make the difference between two runs; or which documents, in one query.
    change_from(before)
        Which queries make the difference to another evaluation; each is of one run.
    which(value, k, tolerance)
        Whose mean nDCG is this? Each tool's rules, on the same judgements and the same run.
    corrected(human, confidence, of)
        The means that people would have given all queries, where a model judged all of them and
        people only some.

    Notes
    -----
    Explained in nbs/10_runs.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    runs: tuple[str, ...]
    """The names of the runs"""
    measures: tuple[str, ...]
    """The names of the measures"""
    queries: tuple[str, ...]
    """Every judged query"""
    values: np.ndarray
    """runs × queries × measures; nan where a query is excluded from the mean"""
    asked: tuple[Asked, ...]
    """The measures, with their settings"""
    scored: tuple[tuple[Scored, ...], ...]
    """runs × asked: values, and which rules were applied"""
    sides: Callable[[], dict[str, dict[bool, Side]]]
    """Computes each run's results and judgements"""
    share: Asked
    """The measure of how much was judged"""
    kind: str
    """The library of the tables handed back, "pandas" or "polars\""""
    again: Callable[..., Any]
    """Evaluates them again"""
    with_interval: bool
    """Whether the printed table shows intervals"""
    weights: np.ndarray | None
    """The weight of each query; `None`: all the same"""
    column: Callable[..., Any]
    """Finds a column of the table evaluated"""
    how: dict[str, Any]
    """The keywords of `evaluate` that are not the default"""
    @cached_property
    def mean_rows(self) -> list[list[float]]:
        """The means, runs × measures, rounded as their tools do"""
        ...
    @cached_property
    def half_intervals(self) -> np.ndarray:
        """Half of the interval of each mean, runs × measures; nan where there are too few queries"""
        ...
    @cached_property
    def without_results(self) -> list[str]:
        """The runs that have no result for any judged query"""
        ...
    @property
    def value(self) -> float:
        """The mean, if there is one run and one measure"""
        ...
    @property
    def means(self) -> Any:
        """A table of means: a row for each run, a column for each measure"""
        ...
    @property
    def per_query(self) -> Any:
        """A table of values: a row for each query (and run); nan if a query is excluded from the mean"""
        ...
    @cached_property
    def exceptions(self) -> list[str]:
        """The notes on excluded or unusual queries and results"""
        ...
    @property
    def notes(self) -> list[str]:
        """Sentences: how many queries are in the means, and which were excluded"""
        ...
    def plot_curves(
        self,
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
        self,
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

    def plot_judged(
        self,
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
        self,
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

    def to_html(
        self,
        *,
        titles: Mapping[str, str] | None = None,
        texts: Mapping[str, str] | None = None,
        queries: int = 5,
        slices: Any = None,
        command: str | None = None,
    ) -> str:
        """A comparison or an evaluation as one page of HTML that needs no other file.

        Parameters
        ----------
        result
            The result of `compare`, or of `evaluate`.
        titles : Mapping[str, str] or None, default None
            Titles of documents: {document: title}.
        texts : Mapping[str, str] or None, default None
            Texts of queries: {query: text}.
        queries : int, default 5
            The number of queries shown with their lists.
        slices : default None
            Slices of the queries, as in `comparison.by`, to switch between; for a comparison.
        command : str or None, default None
            The shell command that made the report, if there is one.

        Returns
        -------
        str
            A page of HTML.

        Notes
        -----
        Explained in nbs/12b_report.ipynb

        Examples
        --------
        >>> from ndcg_nb import compare
        >>> from ndcg_nb.report import report_html
        >>> values = {
        ...     "A": {"q1": 0.60, "q2": 0.50, "q3": 0.70, "q4": 0.40, "q5": 0.55},
        ...     "B": {"q1": 0.70, "q2": 0.60, "q3": 0.75, "q4": 0.60, "q5": 0.65},
        ... }
        >>> report_html(compare(values))[:15]
        '<!doctype html>'"""
        ...

    def to_markdown(
        self,
        digits: int = 4,
    ) -> str:
        """The tables in Markdown.

        Parameters
        ----------
        digits : int, default 4
            The number of decimals.

        Returns
        -------
        str"""
        ...

    def to_latex(
        self,
        digits: int = 4,
    ) -> str:
        """The first table in LaTeX, with booktabs rules.

        Parameters
        ----------
        digits : int, default 4
            The number of decimals.

        Returns
        -------
        str"""
        ...

    def save(
        self,
        path: str | PathLike[str],
        **page: Any,
    ) -> Path:
        """Write to a file; its ending decides what is written.

        Parameters
        ----------
        path : str or PathLike
            Ends in .html (a report), .json (everything), .csv, .tsv, .md or .tex (tables).
        **page
            For a report: `titles` of documents and `texts` of queries, by id; see `report_html`.

        Returns
        -------
        Path
            The path of the file."""
        ...

    def mean(
        self,
    ) -> float:
        """The same as `value`.

        Returns
        -------
        float"""
        ...

    def interval(
        self,
        confidence: float = 0.95,
        method: str = 't',
        *,
        draws: int = 10000,
        seed: int = 0,
    ) -> Any:
        """The confidence interval of each mean: how far off it may be, if the queries are a
        sample.

        Parameters
        ----------
        confidence : float, default 0.95
            How often such an interval holds the true mean.
        method : str, default 't'
            "t" (Student's), or a bootstrap: "percentile", "bca" or "bootstrap-t".
        draws : int, default 10000
            The number of random draws of a bootstrap.
        seed : int, default 0
            The seed of the random draws.

        Returns
        -------
        A table with columns run, measure, mean, low, high and queries; nan with fewer than five
        queries.

        Raises
        ------
        ValueError, TypeError
            If an input cannot be understood; the message says what is wrong, where, and what to do."""
        ...

    def by(
        self,
        slices: Any,
        confidence: float = 0.95,
        method: str = 't',
        *,
        draws: int = 10000,
        seed: int = 0,
    ) -> Any:
        """The means within slices of the queries, such as head and tail or languages, and their
        intervals.

        Parameters
        ----------
        slices
            {query: slice}, a Series, a table or file of two columns, or a column of the table
            evaluated.
        confidence : float, default 0.95
            How often such an interval holds the true mean.
        method : str, default 't'
            "t" (Student's), or a bootstrap: "percentile", "bca" or "bootstrap-t".
        draws : int, default 10000
            The number of random draws of a bootstrap.
        seed : int, default 0
            The seed of the random draws.

        Returns
        -------
        A table with columns run, slice, measure, mean, low, high and queries; nan with fewer
        than five queries.

        Raises
        ------
        ValueError, TypeError
            If an input cannot be understood; the message says what is wrong, where, and what to do."""
        ...

    def falls_below(
        self,
        least: float,
        measure: str | None = None,
    ) -> str:
        """Which runs have a mean below a number, in a sentence; for a gate.

        Parameters
        ----------
        least : float
            What the mean should reach.
        measure : str or None, default None
            Which mean; `None` if there is only one.

        Returns
        -------
        str
            Empty if every run reaches it."""
        ...

    def append(
        self,
        path: str | PathLike[str],
        version: str,
        date: Any = None,
    ) -> Path:
        """Add the means with their 95% intervals to the history of releases; a measure keeps its
        settings there.

        Parameters
        ----------
        path : str or PathLike
            A file of JSON lines, made if it is not there; `read_history` reads it.
        version : str
            What is measured, e.g. "1.4"; a run and measure of a version can be appended once.
        date : default None
            The day, e.g. "2026-01-31"; `None`: today.

        Returns
        -------
        Path
            The path of the file."""
        ...

    def to_json(
        self,
    ) -> str:
        """Means, notes and the values of every query in JSON; null if a query is excluded.

        Returns
        -------
        str"""
        ...

    def to_csv(
        self,
        delimiter: str = ',',
    ) -> str:
        """The values of every query in CSV, with all digits.

        Parameters
        ----------
        delimiter : str, default ','
            What separates the columns.

        Returns
        -------
        str"""
        ...

    def to_tsv(
        self,
    ) -> str:
        """The values of every query, separated by tabs.

        Returns
        -------
        str"""
        ...

    def explain(
        self,
        query: Any,
        measure: str | None = None,
        run: str | None = None,
    ) -> Explanation:
        """How much each result of a query costs.

        Parameters
        ----------
        query
            The id of a query.
        measure : str or None, default None
            Which nDCG, e.g. "ndcg@10"; `None`: the first.
        run : str or None, default None
            The name of a run; `None` if there is only one.

        Returns
        -------
        Explanation
            A table as `explain` gives it."""
        ...

    def explain_change(
        self,
        before: str,
        after: str,
        query: Any = None,
        measure: str | None = None,
    ) -> Any:
        """Which queries make the difference between two runs; or which documents, in one query.

        Parameters
        ----------
        before : str
            The name of a run.
        after : str
            The name of the run to compare with it.
        query : default None
            The id of a query; `None`: all queries.
        measure : str or None, default None
            Which nDCG, e.g. "ndcg@10"; `None`: the first.

        Returns
        -------
        A DataFrame with a row for each query; or for each document, as `explain_change` gives
        it."""
        ...

    def change_from(
        self,
        before: Values,
    ) -> pd.DataFrame:
        """Which queries make the difference to another evaluation; each is of one run.

        Parameters
        ----------
        before : Values
            Another evaluation of one run.

        Returns
        -------
        DataFrame
            A row for each query."""
        ...

    def which(
        self,
        value: float | str,
        k: int | None = None,
        *,
        tolerance: float | None = None,
    ) -> pd.DataFrame:
        """Whose mean nDCG is this? Each tool's rules, on the same judgements and the same run.

        Parameters
        ----------
        value : float or str
            The number reported; as a string it keeps its last zeros.
        k : int or None, default None
            Cutoff; `None`: that of the nDCG asked for, or else each tool's own.
        tolerance : float or None, default None
            How far off is still the same; `None`: half a unit of the last digit given.

        Returns
        -------
        DataFrame
            A row for each dialect that gives it; beside its number, the settings that tell them
            apart."""
        ...

    def corrected(
        self,
        human: Any,
        *,
        confidence: float = 0.95,
        of: str = 'queries',
    ) -> Any:
        """The means that people would have given all queries, where a model judged all of them and
        people only some.

        Parameters
        ----------
        human
            Judgements by people of a random sample of the queries, as in `evaluate`; or their
            evaluation.
        confidence : float, default 0.95
            How often such an interval holds the true mean.
        of : str, default 'queries'
            What the means are of: these "queries", or the "population" they came from.

        Returns
        -------
        A table with a row for each run, and for the difference of each later run from the
        first.

        Raises
        ------
        ValueError, TypeError
            If an input cannot be understood; the message says what is wrong, where, and what to do."""
        ...


def __getattr__(name: str) -> Any: ...  # what readers of the code need
