"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any, NamedTuple, Self

import pandas
import pandas as pd

class Explanation(pandas.DataFrame):
    """A DataFrame with a row for each rank: what the list gains there, and what it loses
    against the ideal.

    Attributes
    ----------
    ndcg : float
        The nDCG of the list, as `ndcg` gives it.
    dcg : float
        The DCG of the list.
    idcg : float
        The DCG of the ideal.
    documents : DataFrame
        A table of documents, retrieved or relevant, the largest loss first; negative: ranked
        above its ideal rank.
    depths : DataFrame
        A table of depths: what users who stop at each rank miss, and its share of 1 − nDCG.
    best_swap : Swap or None
        The swap of two retrieved documents that adds most to nDCG; `None` if no swap adds
        anything.

    Methods
    -------
    copy(deep)
        A copy that knows all that this one knows; what is computed from it is a plain
        DataFrame.
    perfect(n)
        The nDCG if the best `n` documents came first, then the others in their order, in a list
        as long as before.

    Notes
    -----
    Explained in nbs/10_runs.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def ndcg(self) -> float:
        """The nDCG of the list, as `ndcg` gives it"""
        ...
    @property
    def dcg(self) -> float:
        """The DCG of the list"""
        ...
    @property
    def idcg(self) -> float:
        """The DCG of the ideal"""
        ...
    @property
    def documents(self) -> pd.DataFrame:
        """A table of documents, retrieved or relevant, the largest loss first; negative: ranked above its ideal rank"""
        ...
    @property
    def depths(self) -> pd.DataFrame:
        """A table of depths: what users who stop at each rank miss, and its share of 1 − nDCG"""
        ...
    @property
    def best_swap(self) -> Swap | None:
        """The swap of two retrieved documents that adds most to nDCG; `None` if no swap adds anything"""
        ...
    def copy(
        self,
        deep: bool | None = True,
    ) -> Self:
        """A copy that knows all that this one knows; what is computed from it is a plain
        DataFrame.

        Parameters
        ----------
        deep : bool or None, default True
            Whether the numbers are copied too, as in pandas.

        Returns
        -------
        Self
            A table of the same class."""
        ...

    def perfect(
        self,
        n: int,
    ) -> float:
        """The nDCG if the best `n` documents came first, then the others in their order, in a list
        as long as before.

        Parameters
        ----------
        n : int
            The number of ranks to make perfect.

        Returns
        -------
        float
            The nDCG."""
        ...


class Swap(NamedTuple):
    """Two documents that change places.

    Attributes
    ----------
    documents : tuple[str, str]
        The document that goes down, and the one that comes up.
    ranks : tuple[Any, Any]
        Their ranks now.
    won : float
        What it adds to nDCG.

    Notes
    -----
    Explained in nbs/10_runs.ipynb
    """
    documents: tuple[str, str]
    """The document that goes down, and the one that comes up"""
    ranks: tuple[Any, Any]
    """Their ranks now"""
    won: float
    """What it adds to nDCG"""

class Change(pandas.DataFrame):
    """A DataFrame with a row for each document: its share of the difference between two
    rankings.

    Attributes
    ----------
    before : float
        The nDCG of the first ranking, by the first judgements.
    after : float
        The nDCG of the second ranking, by the last judgements.
    by_ranking : float
        The part of the difference that is due to the ranking.
    by_judgements : float
        The part of the difference that is due to the judgements.

    Methods
    -------
    copy(deep)
        A copy that knows all that this one knows; what is computed from it is a plain
        DataFrame.

    Notes
    -----
    Explained in nbs/08_explanations.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    before: float
    """The nDCG of the first ranking, by the first judgements"""
    after: float
    """The nDCG of the second ranking, by the last judgements"""
    by_ranking: float
    """The part of the difference that is due to the ranking"""
    by_judgements: float
    """The part of the difference that is due to the judgements"""
    def copy(
        self,
        deep: bool | None = True,
    ) -> Self:
        """A copy that knows all that this one knows; what is computed from it is a plain
        DataFrame.

        Parameters
        ----------
        deep : bool or None, default True
            Whether the numbers are copied too, as in pandas.

        Returns
        -------
        Self
            A table of the same class."""
        ...


def __getattr__(name: str) -> Any: ...  # what readers of the code need
