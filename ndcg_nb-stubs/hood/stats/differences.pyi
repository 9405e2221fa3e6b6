"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ndcg_nb.hood.runs.scoring import Asked
from ndcg_nb.hood.stats.verdicts import Facts

class Comparison:
    """Which systems are better than which, by how much, how surely, and why.

    Attributes
    ----------
    measure : str
        The name of the measure.
    systems : tuple[str, ...]
        The names of the systems.
    queries : tuple[str, ...]
        The queries that have a value for every system.
    values : array
        systems × queries.
    left_out : tuple[str, ...]
        Queries without a value for some system.
    rules : Rules
        How they are compared.
    evaluation
        Where the values come from; `None`: they were given.
    weights : array or None
        The weight of each query; `None`: all the same.
    silent : tuple[str, ...]
        Systems that returned nothing for any judged query.
    means : array
        The mean of each system.
    effective : float
        The number of queries; if they are weighted, their effective number.
    is_adjusted : bool
        Whether each p is adjusted, as one of several.
    pairs : DataFrame
        A table with a row for each pair: difference, interval, p, wins, losses.
    table : DataFrame
        A table with a row for each system: mean, interval, whom it beats.
    notes : list
        Sentences: what was compared, how, and which queries were excluded.
    difference : float
        The mean difference of two systems: b − a, or other − baseline.
    low : float
        The lower end of the interval of the difference.
    high : float
        The upper end of the interval of the difference.
    p : float
        The p value: how often chance alone gives a difference this large or larger.
    per_query : DataFrame
        A table with a row for each query: the value of each system, and of two systems their
        difference.
    verdict : str
        The second of two systems is: better, worse, undecided, or (with a `margin`) equivalent
        or not worse.
    why : str
        The verdict in a sentence, with its numbers.

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
    pair(a, b)
        The positions of two systems.
    differences(a, b)
        By how much b is better than a, query by query.
    fails_if(when, by_more_than)
        Why the second of two systems should not replace the first, in a sentence; for a gate.
    by(slices)
        The differences within slices of the queries, such as head and tail or languages; p is
        adjusted after Holm.
    bounds(a, b, grades)
        By how much b could be better, over every grading of the results not judged, on the
        queries compared.
    explain(query, a, b)
        Which documents make the difference of two systems in a query.
    dialects(names)
        The means as other tools compute them, and whether any two systems change places.
    to_json()
        Systems, pairs, notes, settings and the values of every query in JSON.
    plot_differences(comparison, a, b, ax)
        The differences by query, in order, and their mean with its interval.
    to_csv(delimiter)
        The pairs in CSV, with all digits.
    to_tsv()
        The pairs, separated by tabs.

    Notes
    -----
    Explained in nbs/12_comparisons.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    measure: str
    """The name of the measure"""
    systems: tuple[str, ...]
    """The names of the systems"""
    queries: tuple[str, ...]
    """The queries that have a value for every system"""
    values: np.ndarray
    """systems × queries"""
    left_out: tuple[str, ...]
    """Queries without a value for some system"""
    rules: Any
    """How they are compared"""
    said: Sequence[str]
    """What the evaluation has to note"""
    noted: bool
    """Whether that names every query left out"""
    evaluation: Any
    """Where the values come from; `None`: they were given"""
    weights: np.ndarray | None
    """The weight of each query; `None`: all the same"""
    lacking: Mapping[str, tuple[str, ...]]
    """By system, queries that only others have"""
    asked: Asked | None
    """The measure with its settings; `None`: values were given"""
    silent: tuple[str, ...]
    """Systems that returned nothing for any judged query"""
    @property
    def means(self) -> np.ndarray:
        """The mean of each system"""
        ...
    @property
    def effective(self) -> float:
        """The number of queries; if they are weighted, their effective number"""
        ...
    @cached_property
    def pair_numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """The positions of the first and of the second system of each pair"""
        ...
    @cached_property
    def pair_differences(self) -> np.ndarray:
        """The differences by query, pairs × queries"""
        ...
    @cached_property
    def pair_roundings(self) -> np.ndarray:
        """By how much each of them may be off"""
        ...
    @property
    def is_adjusted(self) -> bool:
        """Whether each p is adjusted, as one of several"""
        ...
    @property
    def holds_together(self) -> bool:
        """Whether all intervals hold together (Tukey), not each by itself"""
        ...
    @cached_property
    def tukey(self) -> Any:
        """Adjusted p of all pairs, after Tukey, and their intervals; `None`: the test has none"""
        ...
    @cached_property
    def p_values(self) -> tuple[np.ndarray, np.ndarray]:
        """p of each pair by itself, and as one of a family"""
        ...
    @cached_property
    def p_within_margin(self) -> list[np.ndarray]:
        """p of not worse, and of equivalent, if there is a margin"""
        ...
    @cached_property
    def intervals_of_means(self) -> list[tuple[float, float]]:
        """The ends of the interval of each mean"""
        ...
    @cached_property
    def facts(self) -> list[Facts]:
        """What is known of each pair"""
        ...
    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A table with a row for each pair: difference, interval, p, wins, losses"""
        ...
    @cached_property
    def table(self) -> pd.DataFrame:
        """A table with a row for each system: mean, interval, whom it beats"""
        ...
    @cached_property
    def notes(self) -> list[str]:
        """Sentences: what was compared, how, and which queries were excluded"""
        ...
    @property
    def difference(self) -> float:
        """The mean difference of two systems: b − a, or other − baseline"""
        ...
    @property
    def low(self) -> float:
        """The lower end of the interval of the difference"""
        ...
    @property
    def high(self) -> float:
        """The upper end of the interval of the difference"""
        ...
    @property
    def p(self) -> float:
        """The p value: how often chance alone gives a difference this large or larger"""
        ...
    @property
    def per_query(self) -> pd.DataFrame:
        """A table with a row for each query: the value of each system, and of two systems their difference"""
        ...
    @cached_property
    def ahead(self) -> np.ndarray:
        """1 where the second of a pair is better, -1 where it is worse, 0 otherwise"""
        ...
    @property
    def verdict(self) -> str:
        """The second of two systems is: better, worse, undecided, or (with a `margin`) equivalent or not worse"""
        ...
    @property
    def why(self) -> str:
        """The verdict in a sentence, with its numbers"""
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

    def pair(
        self,
        a: str | None = None,
        b: str | None = None,
    ) -> tuple[int, int]:
        """The positions of two systems.

        Parameters
        ----------
        a : str or None, default None
            A system; `None` if there are only two, or for the baseline.
        b : str or None, default None
            Another system; `None` likewise.

        Returns
        -------
        tuple[int, int]
            Their positions in `systems`."""
        ...

    def differences(
        self,
        a: str | None = None,
        b: str | None = None,
    ) -> np.ndarray:
        """By how much b is better than a, query by query.

        Parameters
        ----------
        a : str or None, default None
            A system; `None` if there are only two, or for the baseline.
        b : str or None, default None
            Another system; `None` likewise.

        Returns
        -------
        array
            b minus a for each query."""
        ...

    def fails_if(
        self,
        when: str = 'worse',
        by_more_than: float = 0.0,
    ) -> str:
        """Why the second of two systems should not replace the first, in a sentence; for a gate.

        Parameters
        ----------
        when : str, default 'worse'
            "worse", or "not better".
        by_more_than : float, default 0.0
            By how much; above 0, the whole interval must be beyond it.

        Returns
        -------
        str
            Empty if it does not fail; an error if there is no answer."""
        ...

    def by(
        self,
        slices: Any,
    ) -> Sliced:
        """The differences within slices of the queries, such as head and tail or languages; p is
        adjusted after Holm.

        Parameters
        ----------
        slices
            {query: slice}, a Series, a table or file of two columns, or a column of the table
            evaluated.

        Returns
        -------
        Sliced
            With `table` and `notes`."""
        ...

    def bounds(
        self,
        a: str | None = None,
        b: str | None = None,
        grades: Any = None,
    ) -> pd.DataFrame:
        """By how much b could be better, over every grading of the results not judged, on the
        queries compared.

        Parameters
        ----------
        a : str or None, default None
            A system; `None`: every pair.
        b : str or None, default None
            Another system; `None` likewise.
        grades : default None
            Every grade a judge could have given; `None`: 0 to the highest given.

        Returns
        -------
        DataFrame
            The difference seen, the least, the greatest, and who is ahead in all of them."""
        ...

    def explain(
        self,
        query: Any,
        a: str | None = None,
        b: str | None = None,
    ) -> Any:
        """Which documents make the difference of two systems in a query.

        Parameters
        ----------
        query
            The id of a query.
        a : str or None, default None
            A system; `None` if there are only two, or for the baseline.
        b : str or None, default None
            Another system; `None` likewise.

        Returns
        -------
        A table of documents, as `explain_change` gives it."""
        ...

    def dialects(
        self,
        names: Any = None,
    ) -> pd.DataFrame:
        """The means as other tools compute them, and whether any two systems change places.

        Parameters
        ----------
        names : default None
            Names of dialects; `None`: all of `list_dialects()`.

        Returns
        -------
        DataFrame
            A row for each: the means, which pairs change places, and why a tool refuses."""
        ...

    def to_json(
        self,
    ) -> str:
        """Systems, pairs, notes, settings and the values of every query in JSON.

        Returns
        -------
        str"""
        ...

    def plot_differences(
        self,
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

    def to_csv(
        self,
        delimiter: str = ',',
    ) -> str:
        """The pairs in CSV, with all digits.

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
        """The pairs, separated by tabs.

        Returns
        -------
        str"""
        ...


class Sliced:
    """The differences of systems within slices of the queries.

    Attributes
    ----------
    table : DataFrame
        A row for each slice (and pair): difference, low, high, p, adjusted p, queries, verdict.
    notes : tuple[str, ...]
        Sentences: how p is adjusted, and which slices are too small.
    measure : str
        The name of the measure.
    share : str
        How much the intervals cover.

    Methods
    -------
    to_markdown(digits)
        The tables in Markdown.
    to_latex(digits)
        The first table in LaTeX, with booktabs rules.
    save(path, **page)
        Write to a file; its ending decides what is written.

    Notes
    -----
    Explained in nbs/12_comparisons.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    table: pd.DataFrame
    """A row for each slice (and pair): difference, low, high, p, adjusted p, queries, verdict"""
    notes: tuple[str, ...]
    """Sentences: how p is adjusted, and which slices are too small"""
    measure: str
    """The name of the measure"""
    share: str
    """How much the intervals cover"""
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


def __getattr__(name: str) -> Any: ...  # what readers of the code need
