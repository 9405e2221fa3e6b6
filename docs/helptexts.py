"""What `help` and Shift-Tab show, made from the comments beside parameters and attributes.

The texts are in numpydoc's layout. `python docs/helptexts.py` writes them to `ndcg_nb/help.txt`, where nothing is
edited by hand: change the comment in the notebook."""

from __future__ import annotations

import ast
import inspect
import io
import os
import pkgutil
import re
import sys
import textwrap
import tokenize
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args
from unittest.mock import patch

import nbformat
from examples import EXAMPLES
from links import page, title_of
from links import public as offered
from published import site

import ndcg_nb
from ndcg_nb.hood.core.conventions import DIALECTS, Convention

os.environ.setdefault("MPLBACKEND", "agg")  # an example that draws opens no window
ROOT = Path(__file__).parents[1]
NBS, HELP = ROOT / "nbs", ROOT / "ndcg_nb/help.txt"
WIDTH = 88  # of a line of help
GROUP = "Flat lists of many queries: the size of each query, or the query of each row"
MASK = "Padded lists: True where there is a result, False where a list is filled up"
LIKE = "A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them"
AS_IN = re.compile(r"As in `(\w+)`")
# What is given, in words, where anything that can be read as such will do
KINDS = {
    "rel": "array-like",
    "k": "int or list of int",
    "gain": "str, tuple, dict, array or callable",
    "discount": "str, tuple, array or callable",
    "pool": "array-like",
    "scores": "array-like",
    "ids": "list",
    "group": "list",
    "mask": "array-like",
    "empty": "float or str",
}
UNSAID = ("", "Any", "Gain", "Discount", "Empty")  # types that `KINDS` puts in words
NAMED = "Ties|Per|Precision|MinusInf|IdealName|TestName|IntervalName|Missing|Duplicates|Disjoint"
CHOICES = re.compile(rf"\b({NAMED})\b")  # types of a few words
REFUSES = """ValueError, TypeError
    If an input cannot be understood; the message says what is wrong, where, and what to do."""
EMPTY = """RuntimeWarning
    If a value is 0/0, which gives nan, unless `empty` says otherwise."""


def comments(source: str) -> dict[int, str]:
    "The comment at the end of each line"
    words = tokenize.generate_tokens(io.StringIO(source).readline)
    return {w.start[0]: w.string.lstrip("# ") for w in words if w.type is tokenize.COMMENT and "noqa" not in w.string}


@cache
def parsed(thing: Any) -> tuple[Any, dict[int, str]]:
    "The syntax tree of a function or class, and its comments by line"
    source = textwrap.dedent(inspect.getsource(inspect.unwrap(thing)))
    return ast.parse(source).body[0], comments(source)


def beside(node: Any, said: dict[int, str], last: int = 0) -> str:
    "The comment beside a parameter or an attribute"
    lines = range(node.lineno, (last or node.end_lineno) + 1)
    return next((said[line] for line in lines if line in said), "")


@dataclass
class Item:
    "A parameter or an attribute"

    name: str
    text: str  # The comment beside it
    type: str  # Its annotation
    home: str = ""  # The module in which the names of the annotation mean something
    default: Any = inspect.Parameter.empty
    kind: Any = None

    @property
    def stars(self) -> str:
        return {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(self.kind, "")

    def head(self) -> str:
        "Name, type and default, as numpydoc has them"
        words = KINDS.get(self.name, "") if self.type in UNSAID else in_words(self.type)
        default = "" if self.default is inspect.Parameter.empty else f"default {self.default!r}"
        more = ", ".join(filter(None, [words, default]))
        return f"{self.stars}{self.name}" + (f" : {more}" if more else "")


def in_words(annotation: str) -> str:
    return (
        CHOICES.sub("str", annotation)
        .replace('"', "")
        .replace("pd.", "")
        .replace(" | ", " or ")
        .replace("[str]", "")
        .replace("np.ndarray", "array")
    )


def annotation(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node) if node else ""


@cache
def settings() -> dict[str, Item]:
    "What measures take behind `**`: the fields of `Convention`, what `ndcg` names itself, and `like`"
    every = [
        *members(Convention),
        *own_parameters(ndcg_nb.ndcg),
        Item("like", LIKE, "str | None"),
        Item("group", GROUP, "Any"),
        Item("mask", MASK, "Any"),
    ]
    return {item.name: item for item in every}


def own_parameters(function: Any) -> list[Item]:
    "The parameters that a function's source names, and their comments"
    node, said = parsed(function)
    signature = inspect.signature(inspect.unwrap(function), follow_wrapped=False)
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    every += filter(None, [node.args.vararg, node.args.kwarg])
    after = sorted([arg.lineno for arg in every] + [(node.returns or node.body[0]).lineno])
    found = {}
    for arg in every:  # its comment is in its own lines, before the next parameter
        last = next((line for line in after if line > arg.lineno), 0) - 1
        alone = [other.lineno for other in every].count(arg.lineno) == 1
        text = beside(arg, said, last) if alone else ""
        found[arg.arg] = Item(arg.arg, text, annotation(arg.annotation), inspect.unwrap(function).__module__)
    if "__signature__" in vars(inspect.unwrap(function)):
        signature = inspect.Signature([inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in found])
    for name, p in signature.parameters.items():
        found[name].default, found[name].kind = p.default, p.kind
    return [item for name, item in found.items() if name not in ("self", "cls")]


def typed_keywords(function: Any) -> dict[str, Item]:
    "What the class behind `**` has comments for"
    written = inspect.signature(inspect.unwrap(function), follow_wrapped=False).parameters.values()
    classes = [cls for p in written if p.kind is p.VAR_KEYWORD for cls in get_args(p.annotation)]
    return {item.name: item for cls in classes for item in members(cls) if item.text}


def parameters(function: Any) -> list[Item]:
    "Every parameter that `help` shows, those behind `**` included"
    own, shared = {item.name: item for item in own_parameters(function)}, settings() | typed_keywords(function)
    found = []
    for name, p in inspect.signature(function).parameters.items():
        if name in ("self", "cls"):
            continue
        item = own.get(name) or replace(shared[name])
        if meant := AS_IN.fullmatch(item.text):
            other = {x.name: x for x in parameters(known()[meant[1]])}
            item.text = other[name].text if name in other else item.text
        item.default, item.kind = p.default, p.kind
        found.append(item)
    return found


def returned(function: Any) -> Item:
    "What comes back: the comment behind the arrow"
    node, said = parsed(function)
    line = node.returns.end_lineno if node.returns else node.lineno
    text = said.get(line, "") if line < node.body[0].lineno else ""
    return Item("", text, annotation(node.returns), inspect.unwrap(function).__module__)


def summary(thing: Any) -> str:
    "The first line of a docstring, as the notebook has it"
    node, _ = parsed(thing)
    return (ast.get_docstring(node) or "").partition("\n")[0].rstrip(".")


def ours(cls: type) -> list[type]:
    "A class and those of its bases that are made here, the most general first"
    return [base for base in reversed(cls.__mro__) if base.__module__.partition(".")[0] == "ndcg_nb"]


def names_of(node: ast.stmt) -> list[str]:
    "The names that a statement in the body of a class defines"
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [x.id for target in targets for x in ast.walk(target) if isinstance(x, ast.Name)]


def body(cls: type) -> Iterator[tuple[str, ast.stmt, str, str]]:
    "The public names of a class and of its bases here: what defines each, the comment beside it, and the module"
    for base in ours(cls):
        tree, said = parsed(base)
        for node in tree.body:
            for name in names_of(node):
                if not name.startswith("_"):
                    yield name, node, beside(node, said), base.__module__


def members(cls: type) -> list[Item]:
    "The attributes of a class: its fields and traits, each with its comment, and its properties with their docstrings"
    found = {}
    for name, node, text, home in body(cls):
        if isinstance(node, ast.FunctionDef):
            setter = any("setter" in ast.unparse(decorator) for decorator in node.decorator_list)
            if not callable(getattr(cls, name)) and not setter:
                text = (ast.get_docstring(node) or "").partition("\n")[0].rstrip(".")
                found[name] = Item(name, text, annotation(node.returns), home)
            continue
        made = inspect.getattr_static(cls, name, None)
        is_cached = isinstance(made, cached_property)  # which Python takes for a routine
        if is_cached or not inspect.isroutine(getattr(cls, name, None)):
            function = made.func if is_cached else getattr(made, "fget", None)
            kind = returned(function).type if function else ""
            found[name] = Item(name, text, annotation(getattr(node, "annotation", None)) or kind or "Any", home)
    return list(found.values())


def attributes(cls: type) -> list[Item]:
    "What readers ask of a class: its attributes, without those that results carry for the package itself"
    inside = getattr(sys.modules[cls.__module__], "INSIDE", ())  # which completion does not offer, either
    return [item for item in members(cls) if item.name not in inside]


def methods(cls: type) -> dict[str, Any]:
    "The public methods of a class, by name; how the package itself makes its objects is not among them"
    names = [name for name, *_ in body(cls) if not isinstance(inspect.getattr_static(cls, name, None), staticmethod)]
    return {name: getattr(cls, name) for name in names if inspect.isfunction(getattr(cls, name, None))}


@cache
def chapters() -> dict[str, str]:
    "The modules that are made outside the hood, and their notebooks"
    found = {}
    for path in sorted(NBS.rglob("*.ipynb")):
        if "hood" not in path.parts and ".ipynb_checkpoints" not in path.parts:
            cells = (cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")
            if module := re.search(r"^#\| default_exp (\S+)", "\n".join(cells), re.M):
                found[f"ndcg_nb.{module[1]}"] = path.relative_to(NBS).as_posix()
    return found


def home(thing: Any) -> str:
    "The module that a thing is imported from: a chapter may offer what the hood makes"
    name, made = getattr(thing, "__name__", ""), getattr(thing, "__module__", None) or ""
    offers = (module for module in chapters() if name in import_module(module).__all__)
    return next(offers, made) if made.startswith("ndcg_nb.hood.") else made


@cache
def fronts() -> dict[str, list[str]]:
    "What the package and its folders, except the hood, offer by name"
    inside = pkgutil.iter_modules(ndcg_nb.__path__, "ndcg_nb.")
    folders = ["ndcg_nb", *(x.name for x in inside if x.ispkg and x.name != "ndcg_nb.hood")]
    return {folder: getattr(import_module(folder), "__all__", []) for folder in folders}


EXPLAINED_IN = {"Sliced": "12d_many.ipynb"}  # what is explained in another chapter than the function it comes from


@cache
def public() -> dict[Any, str]:
    """The public functions and classes, and the notebook of each.

    Public is what a package outside the hood names in its `__all__`, each function of a chapter that explains a
    parameter to its reader, each class of a chapter, and the classes of what these functions hand back."""
    found: dict[Any, str] = {}
    for module, notebook in chapters().items():
        made = import_module(module)
        for name in made.__all__:
            thing = getattr(made, name)
            if home(thing) != module or not (inspect.isfunction(thing) or inspect.isclass(thing)):
                continue
            chapter = re.match(r"\d\d", notebook) is not None
            explained = chapter and (inspect.isclass(thing) or any(item.text for item in own_parameters(thing)))
            if explained or any(name in names for names in fronts().values()):
                found[thing] = notebook
    functions = [thing for thing in found if inspect.isfunction(thing)]
    waiting = [*functions, *(thing for thing in found if inspect.isclass(thing))]
    for thing in waiting:  # first what functions return, chapter by chapter; then what those classes return
        asked = [thing] if inspect.isfunction(thing) else [*methods(thing).values(), *properties(thing)]
        for cls in filter(None, map(result, asked)):
            if cls not in found:
                found[cls] = EXPLAINED_IN.get(cls.__name__, found[thing])
                waiting.append(cls)
    return found


def properties(cls: type) -> list[Any]:
    "The functions that compute the attributes of a class"
    made = (inspect.getattr_static(cls, item.name, None) for item in members(cls))
    return [
        x.func if isinstance(x, cached_property) else x.fget for x in made if isinstance(x, cached_property | property)
    ]


def result(function: Any) -> type | None:
    "The class of what a function hands back, if it is one of ours"
    back = returned(function)
    name = re.sub(r" \| None$", "", back.type)
    found = getattr(import_module(origin(name, back.home)), name, None)
    return found if inspect.isclass(found) and ours(found) else None


@cache
def imported(module: str) -> dict[str, str]:
    "Where the names come from that a module imports, also those that only type checkers or functions import"
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(Path(str(import_module(module).__file__)).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = module.rsplit(".", node.level)[0] if node.level else ""
            found |= {alias.name: ".".join(filter(None, [base, node.module])) for alias in node.names}
    return found


def origin(name: str, module: str) -> str:
    "The module in which a name is defined that another module uses"
    while module.partition(".")[0] == "ndcg_nb" and name in imported(module):
        module = imported(module)[name]
    return module


@cache
def known() -> dict[str, Any]:
    "The public names, of which those of functions that measure come first"
    return {thing.__name__: thing for thing in public()}


def block(title: str, lines: str) -> str:
    return f"{title}\n{'-' * len(title)}\n{lines}"


def in_lines(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def filled(text: str) -> str:
    "A text that ends as a sentence does, indented, in lines that fit"
    text = text if not text or re.search(r"[.?!…]$", text) else f"{text}."
    return textwrap.indent(in_lines(text), "    ")


def listed(items: list[Item]) -> str:
    return "\n".join(f"{item.head()}\n{filled(item.text)}" for item in items)


def titled(thing: Any) -> str:
    text = summary(thing)
    return textwrap.fill(text if text.endswith("?") else f"{text}.", WIDTH, break_on_hyphens=False)


def function_text(function: Any, where: str = "") -> str:
    "The help of a function, in numpydoc's layout"
    items, back = parameters(function), returned(function)
    parts = [titled(function)]
    if items:
        parts.append(block("Parameters", listed(items)))
    if back.type not in ("None", ""):
        kind = in_words(back.type)
        if kind == "Any":
            kind = "float or array" if re.match(r"A float\b.* array", back.text) else ""
        rows = [kind, filled(back.text)] if kind else [textwrap.dedent(filled(back.text))]
        parts.append(block("Returns", "\n".join(filter(None, rows))))
    if hasattr(function, "__wrapped__") or function.__module__ == "ndcg_nb.smooth":
        parts.append(block("Raises", REFUSES))
    if any(item.name == "empty" and item.default is None for item in items):
        parts.append(block("Warns", EMPTY))
    shown = {item.name for item in items}
    hidden = [item.text for item in own_parameters(function) if item.name not in shown and "; " in item.text]
    return finished(function, parts, where, *(f"Other keywords are as{text.removeprefix('As')}." for text in hidden))


def class_text(cls: type, where: str = "") -> str:
    "The help of a class: what its objects have, and what they can do"
    parts, own = [titled(cls)], attributes(cls)
    if own:
        parts.append(block("Attributes", listed(own)))
    if able := methods(cls):
        rows = (
            f"{name}({', '.join(p.stars + p.name for p in parameters(m))})\n{filled(summary(m))}"
            for name, m in able.items()
        )
        parts.append(block("Methods", "\n".join(rows)))
    return finished(cls, parts, where)


def finished(thing: Any, parts: list[str], where: str, *notes: str) -> str:
    "With where it is explained, and an example"
    if where:
        parts.append(block("Notes", "\n\n".join([*map(in_lines, notes), in_lines(where)])))
    if thing.__name__ in EXAMPLES and thing.__name__ == thing.__qualname__:
        parts.append(block("Examples", example(thing.__name__)))
    return "\n\n".join(parts) + "\n"


def explained_in(name: str, notebook: str) -> str:
    "Where a name is explained: an address of the site, or, as long as there is none, the title of the page"
    anchor = f"#{name}" if name in offered() else ""
    if site():
        return f"Explained in {site()}{page(notebook)}.html{anchor}"
    return f"Explained in the documentation: {title_of(notebook)}"


def imports(source: str) -> list[str]:
    "The lines that import the public names which an example uses"
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    homes: dict[str, list[str]] = {}
    for name in sorted(used & {*known()}):
        place = next((folder for folder, names in fronts().items() if name in names), home(known()[name]))
        homes.setdefault(place, []).append(name)
    return [f"from {place} import {', '.join(names)}" for place, names in homes.items()]


@cache
def example(name: str) -> str:
    "An example as one would type it, with what Python answers"
    source = "\n".join([*imports(EXAMPLES[name]), EXAMPLES[name].strip()])
    lines: list[str] = []
    variables: dict[str, Any] = {}
    for node in ast.parse(source).body:
        text = "\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno])
        first, *rest = text.splitlines()
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
        forgotten = patch.dict(DIALECTS)  # what an example registers
        with redirect_stdout(io.StringIO()) as printed, TemporaryDirectory() as folder, chdir(folder), forgotten:
            exec(compile(ast.Interactive([node]), name, "single"), variables)
        lines += [line or "<BLANKLINE>" for line in printed.getvalue().splitlines()]
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    return "\n".join(lines)


@cache
def texts() -> dict[str, dict[str, str]]:
    "What `help` shows, by module and name"
    found: dict[str, dict[str, str]] = {}
    for thing, notebook in public().items():
        where = explained_in(thing.__name__, notebook)
        if inspect.isfunction(thing):
            found.setdefault(thing.__module__, {})[thing.__name__] = function_text(thing, where)
            continue
        found.setdefault(thing.__module__, {})[thing.__name__] = class_text(thing, where)
        for method in methods(thing).values():
            found.setdefault(method.__module__, {}).setdefault(method.__qualname__, function_text(method))
        if issubclass(thing, tuple):
            for item in members(thing):
                if item.name in thing._fields:
                    found[thing.__module__][f"{thing.__name__}.{item.name}"] = f"{item.text}."
    return {module: dict(sorted(names.items())) for module, names in sorted(found.items())}


def help_file() -> str:
    "The texts as the package reads them: each below a line with its module and its name"
    rows = [f"=== {module} {name}\n{text}" for module, names in texts().items() for name, text in names.items()]
    return "Made by docs/helptexts.py from the comments in the notebooks; not edited by hand.\n\n" + "\n".join(rows)


def lacking() -> list[str]:
    "The parameters, results, attributes and methods without a text"
    found = []
    for thing in public():
        name = thing.__qualname__
        functions = (
            {name: thing} if inspect.isfunction(thing) else {f"{name}.{n}": m for n, m in methods(thing).items()}
        )
        found += [f"{name}: what it is"] * (not summary(thing))
        if inspect.isclass(thing):
            found += [f"{name}.{item.name}" for item in members(thing) if not item.text]
        elif name not in EXAMPLES:
            found.append(f"{name}: an example")
        for where, function in functions.items():
            found += [f"{where}({item.name})" for item in parameters(function) if not item.text]
            found += [f"{where}: what it does"] * (not summary(function))
            back = returned(function)
            found += [f"{where}: what comes back"] * (
                not back.text and back.type != "None" and inspect.isfunction(thing)
            )
    return found


def is_stale() -> bool:
    "Whether the file is out of step with the notebooks"
    return not HELP.exists() or HELP.read_text("utf-8") != help_file()


if __name__ == "__main__":
    missing = lacking()
    if missing:
        sys.exit("without a text: " + ", ".join(missing))
    HELP.write_text(help_file(), "utf-8")
