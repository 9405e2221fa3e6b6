"""nDCG, derived, executed and explained: the measures of the book, in reading order; `hood` is what they stand on."""

__version__ = "0.16.0"

from . import _help

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

# I. The measures
from .gains import cg, gain
from .discounts import dcg, discount
from .ideal import idcg
from .normalized import ndcg

# II. What nDCG cannot see, and what to do
from .penalties import minmax_ndcg as minmax_ndcg, penalized_ndcg
from . import missing  # noqa: F401
from .coverage import alpha_ndcg, gain_recall as gain_recall, intent_ndcg as intent_ndcg
from .unjudged import bounds, judged
from . import judges  # noqa: F401
from .estimates import inf_ndcg as inf_ndcg, ips_dcg as ips_dcg
from . import doubtful  # noqa: F401
from .judging import judge_next

# III. In practice
from .explanations import explain, explain_change
from .beside import average_precision, precision, recall, reciprocal_rank
from .dialects import dialect, disagree, list_dialects, which
from .runs import check, evaluate, read_qrels, read_run
from .sql import ndcg_sql
from .comparisons import compare
from .power import detectable, queries_needed
from . import plots, report  # noqa: F401  which add figures and the report to what `evaluate` and `compare` give

# IV. Learning and theory
from . import smooth  # noqa: F401
from . import frameworks  # noqa: F401

from .hood.core.wording import did_you_mean

if TYPE_CHECKING:
    from .widgets import explore

__all__ = [
    "alpha_ndcg",
    "average_precision",
    "bounds",
    "cg",
    "check",
    "compare",
    "dcg",
    "detectable",
    "dialect",
    "disagree",
    "discount",
    "evaluate",
    "explain",
    "explain_change",
    "explore",
    "gain",
    "idcg",
    "judge_next",
    "judged",
    "list_dialects",
    "ndcg",
    "ndcg_sql",
    "penalized_ndcg",
    "precision",
    "queries_needed",
    "read_qrels",
    "read_run",
    "recall",
    "reciprocal_rank",
    "which",
]

# Public names that are imported from their chapter: `from ndcg_nb.smooth import approx_ndcg`
CHAPTERS = {
    "penalties": "minmax_ndcg",
    "missing": "pad",
    "coverage": "gain_recall intent_ndcg ncg ndcg_at_r tied_ndcg",
    "unjudged": "assume condense condensed_ndcg",
    "judges": "agreement corrected_mean how_many",
    "estimates": "inf_ndcg ips_dcg",
    "doubtful": "expected_ndcg expected_run",
    "beside": "bpref err f1 r_precision rbp success",
    "dialects": "mean_ndcg register",
    "runs": "register_measure which_run",
    "sql": "evaluate_lazily",
    "plots": "plot_curves plot_differences plot_losses plot_queries plot_slices",
    "frameworks": "accumulate grouped scorer",
    "smooth": "approx_ndcg gradient hinge_loss lambda_loss neural_ndcg xe_loss",
    "widgets": "bend desk favour fool narrow noise paste soften stretch sway whose",
}
MOVED = {name: f"ndcg_nb.{chapter}" for chapter, names in CHAPTERS.items() for name in names.split()}

_help.show_help()  # what was imported above; a module that is loaded later does it itself


def _look_up(name: str) -> Any:
    "Widgets load when they are first asked for, so that importing stays light; whatever else is asked for is not here"
    if name in ("widgets", "explore"):
        widgets = import_module(".widgets", __name__)
        return widgets.explore if name == "explore" else widgets
    if name not in MOVED:
        close = did_you_mean(name, [*__all__, *MOVED, *CHAPTERS])
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{close}")
    # Python replaces an AttributeError in `from ndcg_nb import …` by one that does not say where the name is
    importing = sys._getframe(1).f_code.co_name == "_handle_fromlist"
    error = ImportError if importing else AttributeError
    raise error(f"{name} is in {MOVED[name]}: from {MOVED[name]} import {name}")


if TYPE_CHECKING:
    from . import widgets as widgets
else:
    __getattr__ = _look_up  # which type checkers do not see, so that they find what is misspelt


def __dir__() -> list[str]:
    "The public names, and the chapters that hold the others: what TAB shows"
    return sorted([*__all__, *CHAPTERS, "__version__"])
