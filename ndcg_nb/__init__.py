"""nDCG, derived, executed and explained: the measures of the book, ready to import."""

__version__ = "0.1.0"

from typing import TYPE_CHECKING, Any

from .dialects import dialect, dialects, disagree, which
from .discounts import dcg, discount
from .gains import cg, gain
from .ideal import idcg
from .normalized import ndcg

if TYPE_CHECKING:
    from .widgets import explore

__all__ = [
    "cg",
    "dcg",
    "dialect",
    "dialects",
    "disagree",
    "discount",
    "explore",
    "gain",
    "idcg",
    "ndcg",
    "which",
]


def __getattr__(name: str) -> Any:
    "Widgets load when they are first asked for, so that importing stays light"
    if name != "explore":
        raise AttributeError(f"module 'ndcg_nb' has no attribute {name!r}")
    try:
        from .widgets import explore
    except ModuleNotFoundError as error:
        raise ImportError(f"explore needs {error.name}: pip install 'ndcg_nb[widgets]'") from error
    return explore
