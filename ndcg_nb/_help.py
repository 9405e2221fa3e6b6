"""What `help` shows: help.txt has it, made from the comments beside parameters, and it is given to them here."""

# help.txt is written by docs/helptexts.py

import sys
from pkgutil import get_data
from typing import Any

TEXTS: dict[str, dict[str, str]] = {}
for _record in (get_data("ndcg_nb", "help.txt") or b"").decode().split("\n=== ")[1:]:
    _head, _, _text = _record.partition("\n")
    _module, _name = _head.split()
    TEXTS.setdefault(_module, {})[_name] = _text


def show_help(*modules: str) -> None:
    "Give what these modules define its texts; without a name, what all modules define that are loaded"
    for module in modules or TEXTS.keys() & sys.modules.keys():
        for name, text in TEXTS.get(module, {}).items():
            thing: Any = sys.modules[module]
            for part in name.split("."):
                thing = getattr(thing, part, None)
            if thing is not None:  # or it was renamed since the texts were made
                thing.__doc__ = text
