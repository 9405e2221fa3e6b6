"""What a cell needs from the cells before it, so that it runs wherever it is copied to.

A page defines a table once and uses it ten times. The copy button of a later cell copies the earlier cells it needs, too."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Uses(NamedTuple):
    "The names in a cell"

    reads: set[str]  # that it takes from elsewhere
    binds: set[str]  # that it defines
    changes: set[str]  # whose content it may change: con.execute(…), table["x"] = …


def _bound(node: ast.AST) -> Iterator[str]:
    "The names that one node defines in the cell's own scope"
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def _loaded(node: ast.AST) -> set[str]:
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)}


def _stored(node: ast.AST) -> set[str]:
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}


def _local(statement: ast.stmt) -> set[str]:
    "Names that are gone after the statement: arguments, variables of comprehensions, and of a function's body"
    inside = [x.target for x in ast.walk(statement) if isinstance(x, ast.comprehension)]
    inside += [statement] if isinstance(statement, ast.FunctionDef | ast.ClassDef) else []  # type: ignore[list-item]
    return {x.arg for x in ast.walk(statement) if isinstance(x, ast.arg)}.union(*map(_stored, inside))


def _own(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    "The nodes of statements that are not inside a function or a class, whose names are their own"
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            for child in ast.iter_child_nodes(node):
                yield from _own([child])  # type: ignore[list-item]


def uses(source: str) -> Uses:
    "Which names a cell reads, defines and changes"
    body = ast.parse(source).body
    reads, binds, changes = set(), set(), set()
    for statement in body:
        local = _local(statement)
        reads |= _loaded(statement) - binds - local
        own = set().union(*map(set, map(_bound, _own([statement])))) - local
        if isinstance(statement, ast.AugAssign | ast.Expr | ast.With | ast.For):
            changes |= _loaded(statement)
        stored = [x for x in ast.walk(statement) if isinstance(x, ast.Attribute | ast.Subscript)]
        changes |= set().union(*(_loaded(x) for x in stored if isinstance(x.ctx, ast.Store)), set())
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            reads |= {statement.target.id} - binds
        binds |= own
    return Uses(reads - {*dir(builtins)}, binds, changes - {*dir(builtins)})


def needed(sources: Sequence[str]) -> list[list[int]]:
    "For each cell, which of those before it must run first: those that define its names, and those that change them"
    every = list(map(uses, sources))

    def before(i: int, names: set[str], found: set[int]) -> set[int]:
        for name in names:
            makers = [j for j in range(i) if name in every[j].binds]
            if not makers:
                continue
            last = makers[-1]
            for j in [last, *(j for j in range(last + 1, i) if name in every[j].changes)]:
                if j not in found:
                    found.add(j)
                    before(j, every[j].reads, found)
        return found

    return [sorted(before(i, every[i].reads, set())) for i in range(len(sources))]
