"""Figures that can be moved: `explore`, `whose`, `paste`, `fool`, `soften`, `bend`, `sway`, `noise`, `favour`, `stretch`,
`narrow`; and `desk`, to grade documents at.

A function may have the name of its module; here that name is always the function.
"""

import sys

from .. import _help

try:
    from .bend import bend
    from .desk import desk
    from .explore import explore
    from .fool import fool
    from .frame import favour
    from .narrow import narrow
    from .noise import noise
    from .paste import paste
    from .soften import soften
    from .stretch import stretch
    from .sway import sway
    from .whose import whose
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"widgets need {error.name}: pip install ipywidgets anywidget", name=error.name) from error

__all__ = ["bend", "desk", "explore", "favour", "fool", "narrow", "noise", "paste", "soften", "stretch", "sway", "whose"]

_help.show_help(*(name for name in sys.modules if name.startswith(f"{__name__}.")))
