"""Stubs for editors, which read files and run nothing: signatures, and the texts that `help` shows.

They are a package of their own, `ndcg_nb-stubs`, as PEP 561 has it, so that modules are not listed twice and type
checkers still read the modules themselves. It is partial: what it does not mention is read in the module."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from helptexts import (
    HELP,
    ROOT,
    Item,
    fronts,
    function_text,
    help_file,
    lacking,
    members,
    methods,
    origin,
    parameters,
    public,
    quoted,
    returned,
    texts,
)

STUBS = ROOT / "ndcg_nb-stubs"
NOTE = '"""Made by docs/stubs.py from the notebooks; not edited by hand."""\n'
WHOLE = {"np": "import numpy as np", "pd": "import pandas as pd"}
OUTSIDE = ("ndcg_nb", "builtins", "typing")


def import_line(name: str, home: str) -> str | None:
    "The line that imports a name of an annotation; empty where none is needed, `None` where there is no such line"
    if hasattr(builtins, name):
        return ""
    if name in WHOLE:
        return WHOLE[name]
    where = origin(name, home)
    local = where == home and name not in {thing.__name__ for thing in public() if thing.__module__ == home}
    return None if local else f"from {where} import {name}"


class Stub:
    "The text of one stub, and what it has to import"

    def __init__(self, module: str) -> None:
        self.module, self.imports = module, {"from typing import Any"}

    def annotation(self, item: Item) -> str:
        "A type, if all its names can be imported; else `Any`"
        written = item.type or "Any"
        names = {node.id for node in ast.walk(ast.parse(written)) if isinstance(node, ast.Name)} - {"Any"}
        lines = [import_line(name, item.home) for name in names]
        if None in lines:
            return "Any"
        self.imports |= {line for line in lines if line and not line.startswith(f"from {self.module} import")}
        return written

    def parameter(self, item: Item) -> str:
        default = item.default
        plain = default is None or isinstance(default, str | int | float | tuple)
        told = "" if default is inspect.Parameter.empty else f" = {default!r}" if plain else " = ..."
        return f"{item.stars}{item.name}: {self.annotation(item)}{told}"

    def function(self, function: Any, text: str, *first: str, name: str = "") -> str:
        "A function, with what is given to it first where it is a method"
        items = parameters(function)
        if first and "self" not in inspect.signature(function).parameters:  # a function that became a method
            items = items[1:]
        kinds = [item.kind for item in items]
        shown = [self.parameter(item) for item in items]
        if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
            shown.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
        given = [f"    {x}," for x in [*first, *shown]]
        head = [f"def {name or function.__name__}(", *given, f") -> {self.annotation(returned(function))}:"]
        return "\n".join([*head, textwrap.indent(quoted(text.strip()), "    "), "    ...", ""])

    def cls(self, cls: type) -> str:
        "A class, with all that its bases in this package bring"
        bases = [base for base in cls.__mro__[1:] if base.__module__.partition(".")[0] not in OUTSIDE]
        base = "NamedTuple" if issubclass(cls, tuple) else ""
        if base:
            self.imports.add("from typing import NamedTuple")
        elif bases:
            package = bases[0].__module__.partition(".")[0]
            self.imports.add(f"import {package}")
            base = f"{package}.{bases[0].__name__}"
        rows = [quoted(texts()[self.module][cls.__name__])]
        if not issubclass(cls, tuple):
            rows.append("def __init__(self, *given: Any, **settings: Any) -> None: ...  # the package makes it")
        for item in members(cls):
            kind, made = self.annotation(item), inspect.getattr_static(cls, item.name, None)
            if isinstance(made, property | cached_property) and not getattr(made, "fset", None):
                decorator = type(made).__name__
                self.imports |= {"from functools import cached_property"} if decorator == "cached_property" else set()
                body = f"    {quoted(item.text)}\n    ..."
                rows.append(f"@{decorator}\ndef {item.name}(self) -> {kind}:\n{body}")
            else:
                rows.append(f"{item.name}: {kind}\n{quoted(item.text)}")
        for name, made in methods(cls).items():  # one that is also a function by itself has the text of that
            text = texts()[made.__module__].get(made.__qualname__) or function_text(made)
            rows.append(self.function(made, text, "self", name=name))
        head = f"class {cls.__name__}({base}):" if base else f"class {cls.__name__}:"
        return "\n".join([head, *(textwrap.indent(row, "    ") for row in rows), ""])

    def text(self) -> str:
        made, things = import_module(self.module), [x for x in public() if x.__module__ == self.module]
        rows = [
            self.cls(x) if inspect.isclass(x) else self.function(x, texts()[self.module][x.__name__]) for x in things
        ]
        others = [name for name in made.__all__ if name not in {thing.__name__ for thing in things}]
        if any(callable(getattr(made, name)) for name in others):
            rows.append("def __getattr__(name: str) -> Any: ...  # what readers of the code need\n")
        else:
            rows.insert(0, "".join(f"{name}: Any\n" for name in others))
        return "\n".join([NOTE, *sorted(self.imports), "", *rows])


def front(folder: str) -> str:
    "The names that a package offers, and where they come from"
    homes = {thing.__name__: thing.__module__ for thing in public()}
    names = fronts().get(folder, [])
    rows = [f"from {homes[name]} import {name} as {name}" for name in names]
    rows += ["", "__version__: str"] if folder == "ndcg_nb" else []
    return "\n".join([NOTE, *rows, f"__all__ = {names!r}", ""]) if names else NOTE


@cache
def files() -> dict[Path, str]:
    "Every file that is made from the comments, and what it holds"
    made = {HELP: help_file(), STUBS / "py.typed": "partial\n"}
    for module in {thing.__module__ for thing in public()}:
        parts = module.split(".")
        made[STUBS.joinpath(*parts[1:]).with_suffix(".pyi")] = Stub(module).text()
        for n in range(1, len(parts)):
            made[STUBS.joinpath(*parts[1:n], "__init__.pyi")] = front(".".join(parts[:n]))
    return made


def stale() -> list[str]:
    "The files that are out of step with the notebooks"
    made, there = files(), {path for path in STUBS.rglob("*") if path.is_file()}
    wrong = [path for path in {HELP} | there if not path.exists() or path.read_text("utf-8") != made.get(path)]
    return sorted(path.relative_to(ROOT).as_posix() for path in wrong)


if __name__ == "__main__":
    if told := lacking():
        sys.exit("without a text: " + ", ".join(told))
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for name in stale():
        (ROOT / name).unlink()
