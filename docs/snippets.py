"""What a cell needs from the cells before it, so that it runs wherever it is copied to.

A page defines a table once and uses it ten times, and so it writes a file. The copy button of a later cell also copies
the lines it needs."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

KNOWN = {*dir(builtins), "__name__", "get_ipython"}
FILE = re.compile(r"[\w-]+(?:\.[a-z]\w*)+")  # a file in the folder where one is
WRITING = {"append", "save", "to_csv", "to_json", "to_parquet", "write_bytes", "write_text"}
CHANGING = {"add", "append", "execute", "extend", "mkdir", "register", "set_num_threads", "sql", "update", "write_text"}


class Unit(NamedTuple):
    "A statement, and the names in it"

    text: str
    is_import: bool
    reads: set[str]  # that it takes from elsewhere: names, and files
    binds: set[str]  # that it defines, or writes
    changes: set[str]  # whose content it may change: con.execute(…), table["x"] = …
    later: bool = False  # It is a function, whose names are looked up when it is called


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, context)}


def _local(statement: ast.stmt) -> set[str]:
    "Names that are gone after the statement: arguments, variables of comprehensions, and of a function's body"
    inside: list[ast.AST] = [x.target for x in ast.walk(statement) if isinstance(x, ast.comprehension)]
    inside += [statement] if isinstance(statement, ast.FunctionDef | ast.ClassDef) else []
    return {x.arg for x in ast.walk(statement) if isinstance(x, ast.arg)}.union(*(_names(x, ast.Store) for x in inside))


def _changes(statement: ast.stmt, shown: bool) -> set[str]:
    "The names whose content a statement may change; the last value of a cell is shown, and seldom changes anything"
    stored = [x for x in ast.walk(statement) if isinstance(x, ast.Attribute | ast.Subscript)]
    found = set().union(*(_names(x, ast.Load) for x in stored if isinstance(x.ctx, ast.Store)))
    if isinstance(statement, ast.Expr) and shown:
        call = statement.value
        method = call.func if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
        return found | (_names(call, ast.Load) if method is not None and method.attr in CHANGING else set())
    if isinstance(statement, ast.AugAssign | ast.Expr | ast.With | ast.For):
        found |= _names(statement, ast.Load) | _names(statement, ast.Store)
    return found


def _files(node: ast.AST) -> set[str]:
    texts = {x.value for x in ast.walk(node) if isinstance(x, ast.Constant) and isinstance(x.value, str)}
    return {text for text in texts if FILE.fullmatch(text)}


def _written(statement: ast.stmt) -> set[str]:
    "The files that a statement writes: Path(file).write_text(…), table.to_csv(file)"
    found = set()
    for call in ast.walk(statement):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WRITING:
            where = [call.func.value] if call.func.attr in ("write_bytes", "write_text") else call.args
            found |= set().union(*map(_files, where))
    return found


def _in_sql(statement: ast.stmt) -> set[str]:
    "The words of SQL in a statement: DuckDB finds tables among the variables of Python"
    texts = [x.value for x in ast.walk(statement) if isinstance(x, ast.Constant) and isinstance(x.value, str)]
    whole = " ".join(texts)  # an f-string is several
    return {*re.findall(r"[A-Za-z_]\w*", whole)} if "FROM " in whole else set()


def _made_in_sql(statement: ast.stmt) -> set[str]:
    "The tables and views of a statement: CREATE VIEW name, createOrReplaceTempView(name), clause(name='SELECT …')"
    given = [x for x in ast.walk(statement) if isinstance(x, ast.keyword) and isinstance(x.value, ast.Constant)]
    named = {x.arg for x in given if x.arg and "FROM " in str(x.value.value)}  # type: ignore[attr-defined]
    made = r"CREATE (?:OR REPLACE )?(?:TABLE|VIEW) (\w+)|createOrReplaceTempView\('(\w+)'"
    return named.union(*re.findall(made, ast.unparse(statement))) - {""}


@cache
def units(source: str) -> tuple[Unit, ...]:
    "The statements of a cell; each name that is imported is one of its own"
    return tuple(_units(source))


def _units(source: str) -> Iterator[Unit]:
    body = ast.parse(source).body
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for alias in statement.names:
                one = ast.Import([alias]) if isinstance(statement, ast.Import) else None
                line = ast.unparse(one or ast.ImportFrom(statement.module, [alias], statement.level))  # type: ignore[union-attr]
                yield Unit(line, True, set(), {alias.asname or alias.name.partition(".")[0]}, set())
            continue
        local = _local(statement)
        written = _written(statement)
        made = _made_in_sql(statement) - _names(statement, ast.Load)  # run.createOrReplaceTempView("run") changes `run`
        binds = (_names(statement, ast.Store) | made | written) - local
        binds |= {statement.name} if isinstance(statement, ast.FunctionDef | ast.ClassDef) else set()
        added_to = (_names(x.target, ast.Store) for x in ast.walk(statement) if isinstance(x, ast.AugAssign))
        reads = _names(statement, ast.Load).union(_in_sql(statement), _files(statement) - written, *added_to)
        reads -= local | KNOWN
        changes = _changes(statement, statement is body[-1]) - KNOWN
        first = statement.decorator_list[0] if getattr(statement, "decorator_list", None) else statement
        lines = source.splitlines()[first.lineno - 1 : statement.end_lineno]
        yield Unit("\n".join(lines), False, reads, binds, changes, isinstance(statement, ast.FunctionDef))


def preludes(sources: Sequence[str]) -> list[str]:
    "For each cell, the lines of earlier cells that it needs: those that define its names, and those that change them"
    every: list[Unit] = []
    made = []
    for source in sources:
        start = len(every)
        every += units(source)
        found: set[int] = set()
        own: set[str] = set()
        for unit in every[start:]:
            _find(every, start, unit.reads - own, found)
            own |= unit.binds
        chosen = [every[i] for i in sorted(found)]
        imports = sorted({unit.text for unit in chosen if unit.is_import})
        rest = [unit.text for unit in chosen if not unit.is_import]
        made.append("\n".join([*imports, *[""] * bool(imports and rest), *rest]))
    return made


def _find(every: Sequence[Unit], before: int, names: set[str], found: set[int]) -> None:
    "Add the statements before one that define or change these names, and what they need in turn"
    for name in names:
        makers = [i for i in range(before) if name in every[i].binds]
        if not makers:
            continue
        for i in [makers[-1], *(i for i in range(makers[-1] + 1, before) if name in every[i].changes)]:
            if i not in found:
                found.add(i)
                _find(every, before if every[i].later else i, every[i].reads, found)
