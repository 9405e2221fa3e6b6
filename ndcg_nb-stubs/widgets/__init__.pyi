"""Made by docs/stubs.py from the notebooks; not edited by hand."""

from ndcg_nb.widgets.bend import bend as bend
from ndcg_nb.widgets.explore import explore as explore
from ndcg_nb.widgets.fool import fool as fool
from ndcg_nb.widgets.frame import favour as favour
from ndcg_nb.widgets.noise import noise as noise
from ndcg_nb.widgets.paste import paste as paste
from ndcg_nb.widgets.soften import soften as soften
from ndcg_nb.widgets.stretch import stretch as stretch
from ndcg_nb.widgets.sway import sway as sway
from ndcg_nb.widgets.whose import whose as whose

__all__ = ['bend', 'explore', 'favour', 'fool', 'noise', 'paste', 'soften', 'stretch', 'sway', 'whose']
