"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from collections.abc import Mapping
from typing import Any

from ndcg_nb.hood.core.conventions import Discount, Gain

def evaluate_lazily(
    qrels: Any,
    run: Any = None,
    measures: Any = 'ndcg@10',
    *,
    like: str | None = None,
    missing: str | None = None,
    ignore_self: bool | None = None,
    columns: Mapping[str, str] | None = None,
    connection: Any = None,
) -> Any:
    """The value of each query as a table of the engine, not yet computed.

    Parameters
    ----------
    qrels
        Judgements: a table of DuckDB or Spark, or anything that `evaluate` takes.
    run : default None
        Results, in the same way; at least one of the two is in an engine. `None`: one table has
        both.
    measures : default 'ndcg@10'
        As in `evaluate`; only measures that rank in the same way can be computed together.
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings and rules for means and rounding to use.
    missing : str or None, default None
        A judged query without results: "zero", "skip", "error"; `None`: as the tool, or zero.
    ignore_self : bool or None, default None
        Whether to drop a document that has the id of its query; `None`: as in the tool.
    columns : Mapping[str, str] or None, default None
        Their names: {"query": name, "document": …, "grade": …, "score": …}.
    connection : default None
        A connection to DuckDB or Spark, if `qrels` and `run` are names of its tables.

    Returns
    -------
    A relation of DuckDB, or a DataFrame of Spark.

    Notes
    -----
    Explained in nbs/11_sql.ipynb

    Examples
    --------
    >>> from ndcg_nb.sql import evaluate_lazily
    >>> import duckdb
    >>> db = duckdb.connect()
    >>> _ = db.sql("CREATE TABLE qrels AS SELECT 'q1' AS query, 'd1' AS document, 3 AS grade")
    >>> _ = db.sql("CREATE TABLE run AS SELECT 'q1' AS query, 'd1' AS document, 0.9 AS score")
    >>> evaluate_lazily("qrels", "run", "ndcg@10", connection=db).fetchall()
    [('q1', 1.0)]"""
    ...

def ndcg_sql(
    qrels: str = 'qrels',
    run: str | None = 'run',
    k: Any = 10,
    *,
    engine: str = 'duckdb',
    per_query: bool = False,
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    ignore_self: bool | None = None,
    gain: Gain = 'linear',
    discount: Discount = 'log2',
    ties: str = 'average',
    empty: Any = None,
    like: str | None = None,
    precision: str = 'float64',
    minus_inf: str = 'out',
    default_k: int | None = None,
    ideal: str = 'pool',
    decimals: int | None = None,
) -> str:
    """nDCG in the SQL of an engine.

    Parameters
    ----------
    qrels : str, default 'qrels'
        The table of judgements, e.g. "catalog.schema.table".
    run : str or None, default 'run'
        The table of results; `None`: the same table has both.
    k : int or list of int, default 10
        Cutoff, or several; `None` for whole lists.
    engine : str, default 'duckdb'
        "spark", "databricks", "bigquery", "snowflake", "trino", "athena", "postgres",
        "redshift".
    per_query : bool, default False
        Give a row for each query instead of the mean.
    columns : Mapping[str, str] or None, default None
        {"query": name, "document": …, "grade": …, "score": …, "order": …}.
    missing : str or None, default None
        A judged query without results: "zero" or "skip"; `None`: as in the tool, else "zero".
    ignore_self : bool or None, default None
        Whether to drop a document that has the id of its query; `None`: as in the tool.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    discount : str, tuple, array or callable, default 'log2'
        "log2", ("log", base), ("jk", base), "zipf", ("power", beta), array or function.
    ties : str, default 'average'
        Equal scores: "average", "first", "last", "best", "worst", "id" (highest) or
        "lowest-id".
    empty : float or str, default None
        What 0/0 means: a number, "skip" or "raise"; `None`: nan, and a warning.
    like : str or None, default None
        A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them.
    precision : str, default 'float64'
        Of scores: "float32" rounds them to single precision before ranking.
    minus_inf : str, default 'out'
        A score of -inf: "out" means not retrieved, "last" ranks it last.
    default_k : int or None, default None
        The cutoff when `k` is not given; `None` for no cut.
    ideal : str, default 'pool'
        The best order of the "pool" or "list"; or "reached", "hits", "given", "uncut", "full".
    decimals : int or None, default None
        The number of decimals that each list's value is rounded to; `None`: all.

    Returns
    -------
    str
        One SQL statement.

    Warns
    -----
    RuntimeWarning
        If a value is 0/0, which gives nan, unless `empty` says otherwise.

    Notes
    -----
    Explained in nbs/11_sql.ipynb

    Examples
    --------
    >>> from ndcg_nb import ndcg_sql
    >>> print(ndcg_sql("qrels", "run", 10).splitlines()[0])
    WITH ndcg_judged AS ("""
    ...
