"""nDCG, derived, executed and explained: the measures of the book, ready to import."""

__version__ = "0.1.0"

from typing import TYPE_CHECKING, Any

from .coverage import alpha_ndcg, gain_recall, intent_ndcg, ncg, ndcg_at_r, tied_ndcg
from .dialects import dialect, dialects, disagree, which
from .discounts import dcg, discount
from .gains import cg, gain
from .ideal import idcg
from .missing import pad
from .normalized import ndcg
from .penalties import minmax_ndcg, penalized_ndcg
from .unjudged import assume, bounds, condense, condensed_ndcg, inf_ndcg, ips_dcg, judged

if TYPE_CHECKING:
    from .widgets import explore

__all__ = [
    "alpha_ndcg",
    "assume",
    "bounds",
    "cg",
    "condense",
    "condensed_ndcg",
    "dcg",
    "dialect",
    "dialects",
    "disagree",
    "discount",
    "explore",
    "gain",
    "gain_recall",
    "idcg",
    "inf_ndcg",
    "intent_ndcg",
    "ips_dcg",
    "judged",
    "minmax_ndcg",
    "ncg",
    "ndcg",
    "ndcg_at_r",
    "pad",
    "penalized_ndcg",
    "tied_ndcg",
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
