"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from ndcg_nb.comparisons import compare as compare
from ndcg_nb.coverage import alpha_ndcg as alpha_ndcg
from ndcg_nb.coverage import gain_recall as gain_recall
from ndcg_nb.coverage import intent_ndcg as intent_ndcg
from ndcg_nb.dialects import dialect as dialect
from ndcg_nb.dialects import disagree as disagree
from ndcg_nb.dialects import list_dialects as list_dialects
from ndcg_nb.dialects import which as which
from ndcg_nb.discounts import dcg as dcg
from ndcg_nb.discounts import discount as discount
from ndcg_nb.estimates import inf_ndcg as inf_ndcg
from ndcg_nb.estimates import ips_dcg as ips_dcg
from ndcg_nb.explanations import explain as explain
from ndcg_nb.explanations import explain_change as explain_change
from ndcg_nb.gains import cg as cg
from ndcg_nb.gains import gain as gain
from ndcg_nb.hood.evaluator import evaluate as evaluate
from ndcg_nb.hood.evaluator import read_qrels as read_qrels
from ndcg_nb.hood.evaluator import read_run as read_run
from ndcg_nb.ideal import idcg as idcg
from ndcg_nb.normalized import ndcg as ndcg
from ndcg_nb.penalties import minmax_ndcg as minmax_ndcg
from ndcg_nb.penalties import penalized_ndcg as penalized_ndcg
from ndcg_nb.power import detectable as detectable
from ndcg_nb.power import queries_needed as queries_needed
from ndcg_nb.sql import ndcg_sql as ndcg_sql
from ndcg_nb.unjudged import bounds as bounds
from ndcg_nb.unjudged import judged as judged
from ndcg_nb.widgets.explore import explore as explore

__version__: str
__all__ = ['alpha_ndcg', 'bounds', 'cg', 'compare', 'dcg', 'detectable', 'dialect', 'disagree', 'discount', 'evaluate', 'explain', 'explain_change', 'explore', 'gain', 'gain_recall', 'idcg', 'inf_ndcg', 'intent_ndcg', 'ips_dcg', 'judged', 'list_dialects', 'minmax_ndcg', 'ndcg', 'ndcg_sql', 'penalized_ndcg', 'queries_needed', 'read_qrels', 'read_run', 'which']
