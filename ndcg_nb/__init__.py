"""nDCG, derived, executed and explained: the measures of the book, ready to import."""

__version__ = "0.1.0"

from .discounts import dcg, discount
from .gains import cg, gain
from .ideal import idcg
from .normalized import ndcg

__all__ = ["cg", "dcg", "discount", "gain", "idcg", "ndcg"]
