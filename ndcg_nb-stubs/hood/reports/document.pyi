"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

def report_html(
    result: Any,
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

def write_report(
    result: Any,
    path: str | PathLike[str],
    **how: Any,
) -> Path:
    """A comparison or an evaluation as one file that a browser opens.

    Parameters
    ----------
    result
        The result of `compare`, or of `evaluate`.
    path : str or PathLike
        The file to write; `result.save("report.html")` does the same.
    **how
        `titles`, `texts`, `queries`, `slices` and `command`, as in `report_html`.

    Returns
    -------
    Path
        The path of the file.

    Notes
    -----
    Explained in nbs/12b_report.ipynb

    Examples
    --------
    >>> from ndcg_nb import compare
    >>> from ndcg_nb.report import write_report
    >>> values = {
    ...     "A": {"q1": 0.60, "q2": 0.50, "q3": 0.70, "q4": 0.40, "q5": 0.55},
    ...     "B": {"q1": 0.70, "q2": 0.60, "q3": 0.75, "q4": 0.60, "q5": 0.65},
    ... }
    >>> write_report(compare(values), "report.html").name
    'report.html'"""
    ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
