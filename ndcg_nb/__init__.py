"""nDCG, derived, executed and explained: the measures of the book, in reading order; `hood` is what they stand on."""

__version__ = "0.8.0"

from . import start  # noqa: F401  before what takes time to load

from importlib import import_module
from typing import TYPE_CHECKING, Any

# I. The measures
from .gains import cg, gain
from .discounts import dcg, discount
from .ideal import idcg
from .normalized import ndcg

# II. What nDCG cannot see, and what to do
from .penalties import minmax_ndcg, penalized_ndcg
from .missing import pad
from .coverage import alpha_ndcg, gain_recall, intent_ndcg, ncg, ndcg_at_r, tied_ndcg
from .unjudged import assume, bounds, condense, condensed_ndcg, inf_ndcg, ips_dcg, judged

# III. In practice
from .explanations import explain, explain_change
from .dialects import dialect, disagree, list_dialects, mean_ndcg, which
from .runs import evaluate, read_qrels, read_run, which_run
from .sql import evaluate_lazily, ndcg_sql
from .comparisons import compare, detectable, queries_needed
from .plots import plot_curves, plot_dialects, plot_differences, plot_judged, plot_losses
from . import dossiers  # noqa: F401  which adds the report to what `compare` hands back

# IV. Learning and theory
from .smooth import approx_ndcg, gradient, hinge_loss, lambda_loss, neural_ndcg, xe_loss

if TYPE_CHECKING:
    from .attributions import whose
    from .bending import bend
    from .challenges import fool
    from .softening import soften
    from .swaying import sway
    from .widgets import explore

__all__ = [
    "alpha_ndcg",
    "approx_ndcg",
    "assume",
    "bend",
    "bounds",
    "cg",
    "compare",
    "condense",
    "condensed_ndcg",
    "dcg",
    "detectable",
    "dialect",
    "disagree",
    "discount",
    "evaluate",
    "evaluate_lazily",
    "explain",
    "explain_change",
    "explore",
    "fool",
    "gain",
    "gain_recall",
    "gradient",
    "hinge_loss",
    "idcg",
    "inf_ndcg",
    "intent_ndcg",
    "ips_dcg",
    "judged",
    "lambda_loss",
    "list_dialects",
    "mean_ndcg",
    "minmax_ndcg",
    "ncg",
    "ndcg",
    "ndcg_at_r",
    "ndcg_sql",
    "neural_ndcg",
    "pad",
    "penalized_ndcg",
    "plot_curves",
    "plot_dialects",
    "plot_differences",
    "plot_judged",
    "plot_losses",
    "queries_needed",
    "read_qrels",
    "read_run",
    "soften",
    "sway",
    "tied_ndcg",
    "which",
    "which_run",
    "whose",
    "xe_loss",
]


# Widgets, and the modules they are made in
_WIDGETS = {
    "explore": "widgets",
    "whose": "attributions",
    "fool": "challenges",
    "soften": "softening",
    "bend": "bending",
    "sway": "swaying",
}


def __getattr__(name: str) -> Any:
    "Widgets load when they are first asked for, so that importing stays light"
    if name not in _WIDGETS:
        raise AttributeError(f"module 'ndcg_nb' has no attribute {name!r}")
    try:
        return getattr(import_module(f".{_WIDGETS[name]}", __name__), name)
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} needs {error.name}: pip install 'ndcg_nb[widgets]'") from error
