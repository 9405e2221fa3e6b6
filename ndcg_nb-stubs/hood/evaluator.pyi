"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ndcg_nb.hood.results.evaluation import Evaluation

def evaluate(
    qrels: Any,
    run: Any = None,
    measures: Any = 'ndcg@10',
    *,
    like: str | None = None,
    missing: str | None = None,
    duplicates: str = 'error',
    ignore_self: bool | None = None,
    disjoint: str = 'error',
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    connection: Any = None,
    weights: Any = None,
    show_interval: bool = True,
) -> Evaluation:
    """The means of measures over the queries of one or several runs, and how they were
    computed.

    Parameters
    ----------
    qrels
        Judgements: {query: {document: grade}}, a table, or a file; or one joined table, and no
        run.
    run : default None
        Results: {query: {document: score}}, {query: [best, …]}, a table, or a file; or several,
        by name.
    measures : default 'ndcg@10'
        What to compute, e.g. "ndcg@5,10 judged@10"; or a list of such texts.
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings and rules for means and rounding to use.
    missing : str or None, default None
        A judged query without results: "zero", "skip", "error"; `None`: as the tool, or zero.
    duplicates : str, default 'error'
        A document twice in the results of a query: "error", or "first" to keep the first.
    ignore_self : bool or None, default None
        Whether to drop a document that has the id of its query; `None`: as in the tool.
    disjoint : str, default 'error'
        If no result of a run was judged: "error", or "zero" to score it 0.
    columns : Mapping[str, str] or None, default None
        Their names: {"query": name, "document": …, "grade": …, "score": …}.
    encoding : str or None, default None
        The encoding of files; `None`: UTF-8.
    connection : default None
        A connection to DuckDB or Spark, if `qrels` and `run` are names of its tables.
    weights : default None
        Of queries in the mean, e.g. their traffic: {query: weight}, a Series, a file or a
        column.
    show_interval : bool, default True
        Whether the printed table shows the 95% confidence interval of each mean.

    Returns
    -------
    Evaluation
        With `means`, `per_query` values and `notes`; and `value`, if it is one number.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/10_runs.ipynb

    Examples
    --------
    >>> from ndcg_nb import evaluate
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> run = {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]}
    >>> result = evaluate(qrels, run, "ndcg@10")
    >>> round(result.value, 3)
    0.81
    >>> list(result.per_query.columns)
    ['query', 'ndcg@10']"""
    ...

def read_history(
    path: Any,
) -> pd.DataFrame:
    """The numbers of each release, as a table.

    Parameters
    ----------
    path
        A file that `append` of an evaluation has written.

    Returns
    -------
    DataFrame
        With columns version, date, run, measure, mean, low, high, queries, settings and
        fingerprint.

    Notes
    -----
    Explained in nbs/10_runs.ipynb

    Examples
    --------
    >>> from ndcg_nb import evaluate
    >>> from ndcg_nb.runs import read_history
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> run = {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]}
    >>> result = evaluate(qrels, run)
    >>> list(read_history(result.append("history.jsonl", "1.4")).columns)
    ['version', 'date', 'run', 'measure', 'mean', 'low', 'high', 'queries', 'settings', 'fingerprint']"""
    ...

def read_qrels(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Judgements from a file of TREC, CSV, TSV, JSON, JSON lines or Parquet.

    Parameters
    ----------
    source
        A path, "-" for standard input, a file object, or text with line breaks.
    columns : Mapping[str, str] or None, default None
        Names, if not recognised: {"query": name, "document": …, "grade": …}.
    encoding : str or None, default None
        The encoding of the file; `None`: UTF-8.

    Returns
    -------
    DataFrame
        With columns query, document and grade.

    Notes
    -----
    Explained in nbs/10_runs.ipynb

    Examples
    --------
    >>> from ndcg_nb import read_qrels
    >>> read_qrels("q1 0 d1 3\\nq1 0 d2 0\\n").values.tolist()
    [['q1', 'd1', 3], ['q1', 'd2', 0]]"""
    ...

def read_run(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Results from a file of TREC, CSV, TSV, JSON, JSON lines or Parquet.

    Parameters
    ----------
    source
        A path, "-" for standard input, a file object, or text with line breaks.
    columns : Mapping[str, str] or None, default None
        Names, if not recognised: {"query": name, "document": …, "score": …}.
    encoding : str or None, default None
        The encoding of the file; `None`: UTF-8.

    Returns
    -------
    DataFrame
        With columns query, document and score.

    Notes
    -----
    Explained in nbs/10_runs.ipynb

    Examples
    --------
    >>> from ndcg_nb import read_run
    >>> read_run("q1 Q0 d1 1 0.9 me\\nq1 Q0 d2 2 0.4 me\\n").values.tolist()
    [['q1', 'd1', 0.9], ['q1', 'd2', 0.4]]"""
    ...

def which_run(
    value: float | str,
    qrels: Any,
    run: Any,
    k: int | None = None,
    *,
    tolerance: float | None = None,
    **how: Any,
) -> pd.DataFrame:
    """Which dialects give a reported mean nDCG.

    Parameters
    ----------
    value : float or str
        The number reported; give a string to keep trailing zeros.
    qrels
        Judgements, as in `evaluate`.
    run
        One run, as in `evaluate`.
    k : int or None, default None
        Cutoff; `None`: the default of each tool.
    tolerance : float or None, default None
        Largest difference to count as equal; `None`: half a unit of the last digit.
    **how
        Other keywords of `evaluate`, e.g. `missing` or `columns`.

    Returns
    -------
    DataFrame
        A row for each dialect that gives this number, with the settings in which they differ.

    Notes
    -----
    Explained in nbs/10_runs.ipynb

    Examples
    --------
    >>> from ndcg_nb.runs import which_run
    >>> qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
    >>> run = {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]}
    >>> "sklearn" in which_run("0.810", qrels, run).index
    True"""
    ...

def __getattr__(name: str) -> Any: ...  # what readers of the code need
