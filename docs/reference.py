"""The reference: every public name with its parameters, what it returns and an example; and what results can do."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import helptexts
from helptexts import EXAMPLES, LIKE, Item, attributes, example, members, methods, own_parameters, parameters, returned
from links import described, in_cell, page, prose, public, signature, summary, title_of, wrapped

import ndcg_nb
from ndcg_nb.hood.core.conventions import Convention
from ndcg_nb.hood.core.sums import IDEALS

RESULTS = "Results"
FIGURES = "Figures and reports"
MORE = "{}: more"  # a second page of what is too much for one
MANY = 20  # functions, of which those that are not at the top level have a page of their own
TABLE = "| parameter | default | meaning |\n|---|---|---|"


@cache
def tasks() -> dict[str, str]:
    "What each module is for: the headings between the imports of the package"
    source, heads, found = Path(ndcg_nb.__file__).read_text("utf-8"), {}, {}
    for n, line in enumerate(source.splitlines(), 1):
        if head := re.match(r"# [IVX]+\. (.+)", line):
            heads[n] = head[1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level and node.lineno > min(heads):
            task = heads[max(n for n in heads if n < node.lineno)]
            found |= dict.fromkeys([node.module] if node.module else [alias.name for alias in node.names], task)
    return found | {"plots": FIGURES, "report": FIGURES, "widgets": "Widgets"}


@cache
def functions() -> dict[str, dict[str, Any]]:
    "The public functions by task: those at the top level first"
    every = {thing.__name__: thing for thing in helptexts.public() if inspect.isfunction(thing)}
    found: dict[str, dict[str, Any]] = {task: {} for task in dict.fromkeys(tasks().values())}
    for name in sorted(every, key=lambda name: name not in ndcg_nb.__all__):
        chapter = page(helptexts.public()[every[name]]).split("/")[0]  # it may be made under the hood
        found[tasks()[chapter]][name] = every[name]
    assert {*every} >= {*public()}, f"without an entry in the reference: {sorted({*public()} - {*every})}"
    return found


def place(task: str) -> str:
    "The page of a task: reference/in-practice"
    return "reference/" + re.sub(r"\W+", "-", task.lower())


def where(name: str) -> str:
    "The module from which a public name is imported"
    found = (folder for folder, names in helptexts.fronts().items() if name in names)
    return next(found, None) or ndcg_nb.MOVED.get(name) or helptexts.home(helptexts.known()[name])


@cache
def shared_settings() -> list[Item]:
    "What the measures share"
    return [Item("like", LIKE, "str", default=None), *members(Convention)]


def row(item: Item) -> str:
    default = "" if item.default is inspect.Parameter.empty else f"`{item.default!r}`"
    return f"| `{item.stars}{item.name}` | {default} | {in_cell(item.text)} |"


FEW = 3  # parameters that are explained in the same words at another function are in a row of their own


def told_elsewhere(function: Any, items: list[Item]) -> dict[str, str]:
    "Where parameters are explained in the same words: what measures share, and what some functions have in common"
    same = {(item.name, item.text) for item in shared_settings()}
    found = {item.name: "[settings](#settings) that measures share" for item in items if (item.name, item.text) in same}
    for other in (ndcg_nb.evaluate, ndcg_nb.precision):
        same = {(item.name, item.text) for item in parameters(other)}
        shared = [item.name for item in items if item.name not in found and (item.name, item.text) in same]
        if function is not other and len(shared) >= FEW:
            found |= dict.fromkeys(shared, f"as in [`{other.__name__}`](#reference-{other.__name__})")
    return found


def table(function: Any, items: list[Item]) -> str:
    "The parameters of a function, and what it returns; those that are explained elsewhere in a row for each place"
    back, elsewhere = returned(function), told_elsewhere(function, items)
    rows = [row(item) for item in items if item.name not in elsewhere]
    for told in dict.fromkeys(elsewhere.values()):
        names = [f"`{item.name}`" for item in items if elsewhere.get(item.name) == told]
        rows.append(f"| {', '.join(names)} | | {told} |")
    if back.type not in ("None", ""):
        kind = "" if back.type == "Any" else f"`{helptexts.in_words(back.type)}`"
        rows.append(f"| *returns* | {kind} | {in_cell(back.text)} |")
    return "\n".join([TABLE, *rows]) if rows else ""


def explained(thing: Any) -> str:
    notebook = helptexts.public()[thing]
    to = f"#{thing.__name__}" if thing.__name__ in public() else f"/{page(notebook)}.ipynb"
    return f"Explained in [{title_of(notebook)}]({to})."


def function_entry(name: str, function: Any) -> str:
    "A function: how to call it, its parameters, what it returns, an example, and its chapter"
    home, items = where(name), parameters(function)
    hidden = [x.text for x in own_parameters(function) if x.name not in {i.name for i in items} and "; " in x.text]
    notes = [f"Other keywords are as{text.removeprefix('As')}." for text in hidden]
    shown = f"```pycon\n{example(name)}\n```" if name in EXAMPLES else ""
    call = f"{{.signature}}\n```python\n{signature(function)}\n```"
    parts = [f"(reference-{name})=\n## {home}.{name}", summary(function), call, table(function, items)]
    return "\n\n".join(filter(None, [*parts, *map(prose, notes), shown, explained(function)]))


@cache
def classes() -> dict[type, str]:
    "The public classes and the function or method that returns each, else its module; those with most to offer first"
    found: dict[type, str] = {}
    for thing in helptexts.public():
        if inspect.isfunction(thing):
            asked = {f"`{thing.__name__}`": thing}
        else:
            made = methods(thing) | {function.__name__: function for function in helptexts.properties(thing)}
            asked = {f"`{thing.__name__}.{name}`": function for name, function in made.items()}
        for name, function in asked.items():
            if cls := helptexts.result(function):
                found.setdefault(cls, name)
    rich = sorted(found, key=lambda cls: ("widgets" in cls.__module__, -len([*members(cls), *methods(cls)])))
    others = {thing: f"`{thing.__module__}`" for thing in helptexts.public() if inspect.isclass(thing)}
    return {cls: found.get(cls) or others[cls] for cls in [*rich, *(cls for cls in others if cls not in found)]}


def class_entry(cls: type, giver: str, above: dict[Any, str]) -> str:
    "A result: its attributes, and its methods with their parameters, unless a class above has them, too"
    parts = [f"(result-{cls.__name__})=\n## {cls.__name__}, from {giver}", summary(cls)]
    if own := attributes(cls):
        rows = (f"| `{item.name}` | {in_cell(item.text)} |" for item in own)
        parts.append("\n".join(["| attribute | meaning |\n|---|---|", *rows]))
    for name, method in methods(cls).items():
        if above.setdefault(method, cls.__name__) != cls.__name__:
            continue
        items = parameters(method)
        if "self" not in inspect.signature(method).parameters:  # a function that became a method
            items = items[1:]
        words = [item.stars + item.name + written(item) for item in items]
        call = f"```python\n{wrapped(f'{cls.__name__.lower()}.{name}', words)}\n```"
        parts += [f"### {cls.__name__}.{name}", summary(method), call, table(method, items)]
    for other in dict.fromkeys(above.values()):
        if names := [f"`{name}`" for name, method in methods(cls).items() if above[method] == other != cls.__name__]:
            parts.append(f"{', '.join(names)}: as of [{other}](#result-{other}).")
    return "\n\n".join(filter(None, [*parts, explained(cls)]))


def written(item: Item) -> str:
    return "" if item.default is inspect.Parameter.empty else f"={item.default!r}"


def settings() -> str:
    "What the measures share: each setting, explained once"
    every = shared_settings()
    defaults = {"like": None} | {name: p.default for name, p in inspect.signature(Convention).parameters.items()}
    rows = [
        f"| `{item.name}` | `{defaults[item.name]!r}` | {in_cell(item.text)} |"
        for item in every
        if item.name in defaults
    ]
    head = "(settings)=\n## Settings\n\nWhat tools disagree on, and the default of each.\n"
    table = ["| setting | default | meaning |\n|---|---|---|", *rows]
    ideals = [f"- `{name!r}`: {what.words}" for name, what in IDEALS.items()]
    return "\n".join([head, *table, "\nThe choices for `ideal`:\n", *ideals])


def headed(title: str, about: str, to: str) -> str:
    meta = json.dumps({"myst": {"html_meta": described(title, about, to)}})
    return f"---\n{meta}\n---\n# {title}\n\n{about}."


def by_page() -> dict[str, dict[str, Any]]:
    "The title of each page of functions, and what is on it: where there are many, those at the top level come first"
    found = {}
    for task, group in functions().items():
        top = {name: function for name, function in group.items() if name in ndcg_nb.__all__}
        rest = {name: function for name, function in group.items() if name not in top}
        if len(group) > MANY:
            found |= {task: top, MORE.format(task): rest}
        else:
            found[task] = group
    return found


def classes_by_page() -> dict[str, dict[type, str]]:
    "The title of each page of results, and what is on it: those of `evaluate` and `compare`, others, widgets"
    found: dict[str, dict[type, str]] = {RESULTS: {}, MORE.format(RESULTS): {}, f"{RESULTS}: widgets": {}}
    main, other, widgets = found.values()
    makers = {f"`{name}`" for name in functions()["Widgets"]}
    for cls, giver in classes().items():
        is_main = giver in ("`evaluate`", "`compare`")
        group = main if is_main else widgets if giver in makers else other
        group[cls] = giver
    return found


def places() -> list[str]:
    "The pages of the reference, in the order of the sidebar"
    return ["reference", *map(place, [*by_page(), *classes_by_page()])]


def listing(rows: list[tuple[str, str, str, str]]) -> str:
    "A table of names: each with the label of its entry, where it comes from, and what it is"
    lines = (f"| [`{name}`](#{label}) | {origin} | {about.rstrip('.')} |" for name, label, origin, about in rows)
    return "\n".join(["| name | from | meaning |", "|---|---|---|", *lines])


def pages() -> Iterator[tuple[str, str]]:
    "Where each page of the reference is, and its Markdown"
    names, about = [], "Each function: its parameters, what it returns, an example and its chapter"
    for title, group in by_page().items():
        text = "\n\n".join(function_entry(name, function) for name, function in group.items())
        yield place(title), f"{headed(title, about, place(title))}\n\n{text}\n"
    for task, group in functions().items():
        rows = [(n, f"reference-{n}", f"`{where(n)}`", summary(f)) for n, f in group.items()]
        names.append(f"## {task}\n\n{listing(rows)}")
    above: dict[Any, str] = {}  # each method, and the first class that has it
    about = "What functions return: every attribute and every method"
    for title, some in classes_by_page().items():
        text = "\n\n".join(class_entry(cls, giver, above) for cls, giver in some.items())
        yield place(title), f"{headed(title, about, place(title))}\n\n{text}\n"
    rows = [(c.__name__, f"result-{c.__name__}", giver, summary(c)) for c, giver in classes().items()]
    names.append(f"## {RESULTS}\n\n{listing(rows)}")
    tree = "\n".join(["```{toctree}", ":hidden:", "", *places()[1:], "```"])
    about = "Every public name of ndcg_nb, by task, and every attribute and method of results"
    yield "reference", "\n\n".join([headed("Reference", about, "reference"), *names, settings(), tree]) + "\n"
