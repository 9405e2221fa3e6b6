"""Figures that can be moved: a ranking (`explore`), and what is asked of one in `whose`, `fool`, `soften`, `bend`, `sway`, `favour`, `noise`.

Each function is made in a module of its name; here that name is always the function.
"""

from .. import _help

try:
    from .bend import bend
    from .explore import explore
    from .favour import favour
    from .fool import fool
    from .noise import noise
    from .paste import paste
    from .soften import soften
    from .sway import sway
    from .whose import whose
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"widgets need {error.name}: pip install 'ndcg_nb[widgets]'", name=error.name) from error

__all__ = ["bend", "explore", "favour", "fool", "noise", "paste", "soften", "sway", "whose"]

_help.show_help(*(f"{__name__}.{name}" for name in __all__))
