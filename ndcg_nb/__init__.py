"""nDCG, derived, executed and explained: the measures of the book, in reading order; `hood` is what they stand on."""

__version__ = "0.8.0"

from . import _help, start  # noqa: F401  before what takes time to load

import sys
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
    from .widgets import explore

__all__ = [
    "alpha_ndcg",
    "approx_ndcg",
    "assume",
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
    "tied_ndcg",
    "which",
    "which_run",
    "xe_loss",
]

_help.show_help()  # what was imported above; a module that is loaded later does it itself

# Names that are not here but in a module of this package
MOVED = {
    "whose": "ndcg_nb.widgets",
    "fool": "ndcg_nb.widgets",
    "soften": "ndcg_nb.widgets",
    "bend": "ndcg_nb.widgets",
    "sway": "ndcg_nb.widgets",
}


def __getattr__(name: str) -> Any:
    "`explore` loads when it is first asked for, so that importing stays light"
    if name == "explore":
        from .widgets import explore

        return explore
    if name not in MOVED:
        raise AttributeError(f"module 'ndcg_nb' has no attribute {name!r}")
    # An AttributeError in `from ndcg_nb import …` would be replaced by one that does not name the place
    importing = sys._getframe(1).f_code.co_name == "_handle_fromlist"
    error = ImportError if importing else AttributeError
    raise error(f"{name} is in {MOVED[name]}: from {MOVED[name]} import {name}")
