"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

class Agreement:
    """How far a model's grades agree with people's, over the documents that both judged.

    Attributes
    ----------
    table : DataFrame
        Counts: a row for each grade by people, a column for each grade by the model.
    share : float
        The share of documents with the same grade.
    kappa : float
        Cohen's kappa: the same, beyond chance.
    weighted_kappa : float
        With quadratic weights: two grades off counts four times one grade off.
    alpha : float
        Krippendorff's alpha for ordered grades.
    generosity : float
        The mean of the model's grades less that of people's.
    notes : list
        The numbers in a sentence, and what they do not say.

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
    Explained in nbs/07a_judges.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    table: pd.DataFrame
    """Counts: a row for each grade by people, a column for each grade by the model"""
    share: float
    """The share of documents with the same grade"""
    kappa: float
    """Cohen's kappa: the same, beyond chance"""
    weighted_kappa: float
    """With quadratic weights: two grades off counts four times one grade off"""
    alpha: float
    """Krippendorff's alpha for ordered grades"""
    generosity: float
    """The mean of the model's grades less that of people's"""
    @property
    def notes(self) -> list[str]:
        """The numbers in a sentence, and what they do not say"""
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


class Corrected:
    """The mean that people would have given all queries, estimated from some of them and a
    model on all.

    Attributes
    ----------
    mean : float
        The corrected mean.
    low : float
        The lower end of its confidence interval.
    high : float
        The upper end.
    slope : float
        How much people's values rise with the model's; 0 if the model is not used.
    correlation : float
        Of the two over the queries that people judged; nan if one of them is constant.
    saved : float
        The share of the human work that the model saves: of the variance, what it explains.
    people : Estimate
        What people alone say.
    model : float
        The mean of the model's own values, uncorrected.
    judged : int
        The number of queries that people judged.
    total : int
        The number of queries.
    confidence : float
        How often such an interval holds the true mean, e.g. 0.95.
    of : str
        What the mean is of: these "queries", or the "population" they came from.
    interval : tuple[float, float]
        Both ends of the confidence interval.
    notes : list
        What the mean is of, and how much the model helps.

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
    Explained in nbs/07a_judges.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    mean: float
    """The corrected mean"""
    low: float
    """The lower end of its confidence interval"""
    high: float
    """The upper end"""
    slope: float
    """How much people's values rise with the model's; 0 if the model is not used"""
    correlation: float
    """Of the two over the queries that people judged; nan if one of them is constant"""
    saved: float
    """The share of the human work that the model saves: of the variance, what it explains"""
    people: Any
    """What people alone say"""
    model: float
    """The mean of the model's own values, uncorrected"""
    judged: int
    """The number of queries that people judged"""
    total: int
    """The number of queries"""
    confidence: float
    """How often such an interval holds the true mean, e.g. 0.95"""
    of: str
    """What the mean is of: these "queries", or the "population" they came from"""
    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the confidence interval"""
        ...
    @property
    def notes(self) -> list[str]:
        """What the mean is of, and how much the model helps"""
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


def __getattr__(name: str) -> Any: ...  # what readers of the code need
