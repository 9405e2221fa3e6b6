"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

from ndcg_nb.hood.core.conventions import Gain

def approx_ndcg(
    rel: Any,
    *,
    scores: Any,
    temperature: float = 0.1,
    gain: Gain = 'linear',
    mask: Any = None,
    empty: float = 0.0,
) -> Any:
    """nDCG with soft ranks: a smooth value between 0 and 1, to be maximised.

    Parameters
    ----------
    rel : array-like
        Grades; the last axis is the list.
    scores : array-like
        The model's scores, of the same shape: NumPy, PyTorch, JAX or CuPy.
    temperature : float, default 0.1
        How far apart two scores must be to count as ordered.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    mask : default None
        True where there is a result; `None`: everywhere.
    empty : float, default 0.0
        The value of a list without a relevant result.

    Returns
    -------
    A value for each list, to be maximised.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/13_smooth.ipynb

    Examples
    --------
    >>> from ndcg_nb.smooth import approx_ndcg
    >>> rel, scores = [[3, 0, 1]], [[0.2, 0.9, 0.5]]
    >>> [round(x, 3) for x in approx_ndcg(rel, scores=scores).tolist()]
    [0.589]"""
    ...

def neural_ndcg(
    rel: Any,
    k: int | None = None,
    *,
    scores: Any,
    temperature: float = 1.0,
    sinkhorn: int = 0,
    gain: Gain = 'linear',
    mask: Any = None,
    empty: float = 0.0,
) -> Any:
    """nDCG with a soft order: each rank shows a mixture of results.

    Parameters
    ----------
    rel : array-like
        Grades; the last axis is the list.
    k : int or None, default None
        Cutoff of list and ideal; `None` for no cut.
    scores : array-like
        The model's scores, of the same shape: NumPy, PyTorch, JAX or CuPy.
    temperature : float, default 1.0
        How far apart two scores must be to count as ordered.
    sinkhorn : int, default 0
        Rounds of Sinkhorn scaling: with more rounds, each result is shown closer to once in
        total.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    mask : default None
        True where there is a result; `None`: everywhere.
    empty : float, default 0.0
        The value of a list without a relevant result.

    Returns
    -------
    A value for each list, to be maximised.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/13_smooth.ipynb

    Examples
    --------
    >>> from ndcg_nb.smooth import neural_ndcg
    >>> rel, scores = [[3, 0, 1]], [[0.2, 0.9, 0.5]]
    >>> [round(x, 3) for x in neural_ndcg(rel, scores=scores).tolist()]
    [0.705]"""
    ...

def xe_loss(
    rel: Any,
    *,
    scores: Any,
    gain: Gain = 'linear',
    mask: Any = None,
) -> Any:
    """XE-NDCG: the cross entropy between the shares of gain and the softmax of the scores.

    Parameters
    ----------
    rel : array-like
        Grades; the last axis is the list.
    scores : array-like
        The model's scores, of the same shape: NumPy, PyTorch, JAX or CuPy.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    mask : default None
        True where there is a result; `None`: everywhere.

    Returns
    -------
    A loss for each list, to be minimised: never below -ln nDCG; 0 for a list without a
    relevant result.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/13_smooth.ipynb

    Examples
    --------
    >>> from ndcg_nb.smooth import xe_loss
    >>> rel, scores = [[3, 0, 1]], [[0.2, 0.9, 0.5]]
    >>> [round(x, 3) for x in xe_loss(rel, scores=scores).tolist()]
    [1.398]"""
    ...

def lambda_loss(
    rel: Any,
    k: int | None = None,
    *,
    scores: Any,
    stake: Any = 'lambdarank',
    temperature: float = 1.0,
    gain: Gain = 'linear',
    mask: Any = None,
) -> Any:
    """LambdaRank, NDCG-Loss2 and 2++: pairs in the wrong order, each weighted by the nDCG at
    stake.

    Parameters
    ----------
    rel : array-like
        Grades; the last axis is the list.
    k : int or None, default None
        Cutoff, with stake="lambdarank"; `None` for no cut.
    scores : array-like
        The model's scores, of the same shape: NumPy, PyTorch, JAX or CuPy.
    stake : default 'lambdarank'
        What a pair weighs: "lambdarank", "loss2" or ("loss2++", mu).
    temperature : float, default 1.0
        How far apart two scores must be to count as ordered.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    mask : default None
        True where there is a result; `None`: everywhere.

    Returns
    -------
    A loss for each list, to be minimised: never below 1 - nDCG; 0 for a list without a
    relevant result.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/13_smooth.ipynb

    Examples
    --------
    >>> from ndcg_nb.smooth import lambda_loss
    >>> rel, scores = [[3, 0, 1]], [[0.2, 0.9, 0.5]]
    >>> [round(x, 3) for x in lambda_loss(rel, scores=scores).tolist()]
    [0.88]"""
    ...

def hinge_loss(
    rel: Any,
    *,
    scores: Any,
    ties: str = 'average',
    gain: Gain = 'linear',
    mask: Any = None,
) -> Any:
    """The structured hinge: how much worse a wrong order could be, plus how much the scores
    prefer it to the best.

    Parameters
    ----------
    rel : array-like
        Grades; the last axis is the list.
    scores : array-like
        The model's scores, of the same shape: NumPy, PyTorch, JAX or CuPy.
    ties : str, default 'average'
        Results of equal gain: "average" shares their ideal ranks; "first": in the order given.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    mask : default None
        True where there is a result; `None`: everywhere.

    Returns
    -------
    A loss for each list, to be minimised: convex, never below 1 - nDCG; 0 for a list
    without a relevant result.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/13_smooth.ipynb

    Examples
    --------
    >>> from ndcg_nb.smooth import hinge_loss
    >>> rel, scores = [[3, 0, 1]], [[0.2, 0.9, 0.5]]
    >>> [round(x, 3) for x in hinge_loss(rel, scores=scores).tolist()]
    [0.763]"""
    ...

def gradient(
    objective: Any,
    rel: Any,
    *,
    scores: Any,
    gain: Gain = 'linear',
    mask: Any = None,
    **how: Any,
) -> Any:
    """The gradient in closed form, for NumPy; PyTorch and JAX compute it themselves.

    Parameters
    ----------
    objective
        `approx_ndcg`, `neural_ndcg`, `xe_loss`, `lambda_loss` or `hinge_loss`.
    rel : array-like
        Grades; the last axis is the list.
    scores : array-like
        NumPy scores, of the same shape.
    gain : str, tuple, dict, array or callable, default 'linear'
        "linear", "exp", "binary", "positive", "positive-exp", (form, range), a table or
        function.
    mask : default None
        True where there is a result; `None`: everywhere.
    **how
        Other keywords of the objective.

    Returns
    -------
    The derivative of the objective by each score.

    Raises
    ------
    ValueError, TypeError
        If an input cannot be understood; the message says what is wrong, where, and what to do.

    Notes
    -----
    Explained in nbs/13_smooth.ipynb

    Examples
    --------
    >>> from ndcg_nb.smooth import approx_ndcg, gradient
    >>> rel, scores = [[3, 0, 1]], [[0.2, 0.9, 0.5]]
    >>> gradient(approx_ndcg, rel, scores=scores).round(3).tolist()
    [[0.012, -0.01, -0.002]]"""
    ...
