"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from typing import Any

import anywidget

def paste(
    qrels: Any = '',
    runs: Any = (),
    k: int | None = 10,
) -> Paste:
    """Paste judgements and a run: the mean that every tool would print, and where the tools
    disagree.

    Parameters
    ----------
    qrels : default ''
        Judgements, or one joined table: a text, or a Path; "" for an empty box.
    runs : default ()
        Up to two runs: a list of texts or Paths, or {name: text or Path}.
    k : int or None, default 10
        Cutoff; `None`: the default of each tool.

    Returns
    -------
    Paste
        A widget with `qrels`, `runs`, `k` and `numbers`.

    Notes
    -----
    Explained in nbs/widgets/paste.ipynb

    Examples
    --------
    >>> from ndcg_nb.widgets import paste
    >>> widget = paste("q1 0 d1 1", "q1 Q0 d2 1 9.5 x\\nq1 Q0 d1 2 8.1 x")
    >>> widget.numbers["trec_eval"]
    {'run 1': 0.6309}"""
    ...

class Paste(anywidget.AnyWidget):
    """Judgements and runs as text, and the mean that every tool would print.

    Attributes
    ----------
    state : dict[str, Any]
        What a page needs to show the widget: its traits that the browser knows.
    tools
        The settings of every tool.
    ours
        The settings of `evaluate` when no tool is named.
    roles
        The names by which columns are known.
    qrels
        The text of the judgements.
    runs
        Name and text of each run; none where the judgements are a joined table.
    k : int or list of int
        The cutoff; `None`: the default of each tool.
    numbers : dict[str, dict[str, float]]
        The mean of each run by every tool, as `evaluate` gives it; tools that refuse are left
        out.

    Notes
    -----
    Explained in nbs/widgets/paste.ipynb
    """
    def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it
    @property
    def state(self) -> dict[str, Any]:
        """What a page needs to show the widget: its traits that the browser knows"""
        ...
    tools: Any
    """The settings of every tool"""
    ours: Any
    """The settings of `evaluate` when no tool is named"""
    roles: Any
    """The names by which columns are known"""
    qrels: Any
    """The text of the judgements"""
    runs: Any
    """Name and text of each run; none where the judgements are a joined table"""
    k: Any
    """The cutoff; `None`: the default of each tool"""
    @property
    def numbers(self) -> dict[str, dict[str, float]]:
        """The mean of each run by every tool, as `evaluate` gives it; tools that refuse are left out"""
        ...
