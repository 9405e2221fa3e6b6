"""Run blocks of code, each as if alone: in an empty folder, in a process in which nothing else has run.

Blocks that begin with the same statements share a process as far as these go; it then parts into one for each way to
go on, so that what takes a minute is run once, and not for each block that needs it. Each name is imported just before
it is first used: blocks whose lists of imports differ then begin alike, and a name that a block does not import is
still missing. A process that has written a file or started a thread cannot part: one block goes on in it, and the
others begin anew.

`copied.py` starts it: blocks come as JSON, and what went wrong in each goes back as JSON. With `plain`, nothing is
installed but what `pip install .` brings."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import NamedTuple

PLAIN = ["numpy", "pandas", "scipy.stats", "ndcg_nb"]
HEAVY = ["pyarrow.parquet", "sqlglot", "matplotlib.pyplot", "ndcg_nb.widgets.explore"]
HEAVIEST = ["torch", "jax"]  # which are imported only for blocks that name them
OURS = {"ndcg_nb", "numpy", "pandas", "scipy", "dateutil", "pytz", "six", "tzdata"}  # what `pip install .` brings
ANEW = "to be begun anew"
THREADS = Path("/proc/self/task")  # of Linux; elsewhere no process parts


class Absent:
    "Finds nothing but Python's own modules and those of a plain installation"

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        root = name.partition(".")[0]
        is_python = root in sys.stdlib_module_names or root.startswith("_sysconfigdata")  # one for each machine
        if root not in OURS and not is_python:
            raise ModuleNotFoundError(f"No module named {root!r}", name=root)


class Block(NamedTuple):
    number: int
    label: str
    statements: list[ast.stmt]


def imported(statement: ast.stmt) -> str:
    "The name that an import brings, if it can wait until that is used; nothing of other statements"
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return ""
    [alias] = statement.names
    can_wait = alias.name != "*" and getattr(statement, "module", "") != "__future__"
    return (alias.asname or alias.name.partition(".")[0]) if can_wait else ""


def one_by_one(statement: ast.stmt) -> list[ast.stmt]:
    "An import of several names as several imports; any other statement as it is"
    if isinstance(statement, ast.Import):
        return [ast.copy_location(ast.Import([alias]), statement) for alias in statement.names]
    if isinstance(statement, ast.ImportFrom):
        module = statement.module
        level = statement.level
        return [ast.copy_location(ast.ImportFrom(module, [alias], level), statement) for alias in statement.names]
    return [statement]


def in_order_of_use(statements: list[ast.stmt]) -> list[ast.stmt]:
    "The same statements, with each import just before the first that has its name in it"
    ordered: list[ast.stmt] = []
    waiting: list[ast.stmt] = []
    for statement in [part for whole in statements for part in one_by_one(whole)]:
        if imported(statement):
            waiting.append(statement)
            continue
        words = set(re.findall(r"\w+", ast.unparse(statement)))
        ordered += [each for each in waiting if imported(each) in words]
        waiting = [each for each in waiting if imported(each) not in words]
        ordered.append(statement)
    return ordered + waiting


class Desk:
    "Where blocks are run, and where each leaves what went wrong in it"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def tell(self, blocks: Iterable[Block], wrong: str) -> None:
        for block in blocks:
            (self.folder / str(block.number)).write_text(wrong, "utf-8")

    def told(self, block: Block) -> str:
        file = self.folder / str(block.number)
        return file.read_text("utf-8") if file.exists() else "Its process ended before it did."

    def make_room(self) -> None:
        "From here on this process is in a folder of its own, with another for files without a name"
        room = Path(tempfile.mkdtemp(dir=self.folder))
        for name in ("here", "temporary"):
            (room / name).mkdir()
        os.chdir(room / "here")
        os.environ["TMPDIR"] = tempfile.tempdir = str(room / "temporary")


def can_part() -> bool:
    "Whether two processes can go on from here without meeting again"
    has_written = os.listdir(".") or os.listdir(os.environ["TMPDIR"])
    return not has_written and THREADS.exists() and len(os.listdir(THREADS)) == 1


def in_processes(jobs: Iterable[Callable[[], None]], at_once: int) -> None:
    "Do each job in a process of its own"
    alive = 0
    for job in jobs:
        if alive == at_once:
            os.wait()
            alive -= 1
        if os.fork() == 0:
            try:
                job()
            finally:
                os._exit(0)  # which clears nothing away that others use
        alive += 1
    for _ in range(alive):
        os.wait()


def execute(statement: ast.stmt, label: str, names: dict) -> str:
    "Run a statement; what went wrong, or nothing"
    code = compile(ast.Module([statement], []), label, "exec")
    try:
        exec(code, names)
    except BaseException:
        return traceback.format_exc(limit=-2)
    return ""


def ways_from(blocks: list[Block], done: int) -> list[list[Block]]:
    "The blocks that are not at their end: together those that go on with the same statement"
    ways: dict[str, list[Block]] = {}
    for block in blocks:
        if len(block.statements) > done:
            statement = ast.unparse(block.statements[done])
            ways.setdefault(statement, []).append(block)
    return list(ways.values())


def go_on(blocks: list[Block], done: int, names: dict, desk: Desk) -> None:
    "Run these blocks to their ends, from where they all are now"
    desk.tell([block for block in blocks if len(block.statements) == done], "")
    ways = ways_from(blocks, done)
    if len(ways) > 1 and can_part():
        in_processes([partial(part, way, done, names, desk) for way in ways], at_once=1)
        return
    going = [block for way in ways for block in way]
    if len(ways) > 1:
        desk.tell(going[1:], ANEW)
        going = going[:1]
    if going:
        take_a_step(going, done, names, desk)


def take_a_step(blocks: list[Block], done: int, names: dict, desk: Desk) -> None:
    "Run the statement with which all of these blocks go on, and what comes after it"
    first = blocks[0]
    wrong = execute(first.statements[done], first.label, names)
    if wrong:
        desk.tell(blocks, wrong)
    else:
        go_on(blocks, done + 1, names, desk)


def part(blocks: list[Block], done: int, names: dict, desk: Desk) -> None:
    "Go on in a process of one's own"
    desk.make_room()
    take_a_step(blocks, done, names, desk)


def begin(blocks: list[Block], desk: Desk) -> None:
    "Run blocks of one page from their beginning"
    warnings.simplefilter("ignore")
    desk.make_room()
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        go_on(blocks, 0, {"__name__": "__main__"}, desk)


def run_all(pages: list[list[Block]]) -> list[str]:
    "What went wrong in each block, in the order of their numbers"
    blocks = sorted(block for page in pages for block in page)
    at_once = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        in_processes([partial(begin, page, desk) for page in pages], at_once)
        anew = [block for block in blocks if desk.told(block) == ANEW]
        in_processes([partial(begin, [block], desk) for block in anew], at_once)
        return [desk.told(block) for block in blocks]


def read_blocks(given: list[dict]) -> list[list[Block]]:
    "The blocks of each page, with the longest page first"
    pages: dict[str, list[Block]] = {}
    for number, block in enumerate(given):
        label = f"{block['page']}, block {block['number']}"
        statements = in_order_of_use(ast.parse(block["text"], label).body)
        pages.setdefault(block["page"], []).append(Block(number, label, statements))
    return sorted(pages.values(), key=len, reverse=True)


def prepare(is_plain: bool, texts: str) -> None:
    "Import what is heavy, once for all blocks"
    sys.path.pop(0)  # the folder of the tests, which a reader does not have
    if is_plain:
        sys.meta_path.insert(0, Absent())
    named = [name for name in HEAVIEST if f"import {name}" in texts]
    for name in PLAIN if is_plain else [*PLAIN, *HEAVY, *named]:
        with suppress(ImportError):
            import_module(name)


if __name__ == "__main__":
    given = sys.stdin.read()
    prepare("plain" in sys.argv[1:], given)
    wrong = run_all(read_blocks(json.loads(given)))
    json.dump(wrong, sys.stdout)
