"""Ceilings that only fall: weight, density, doubled names, circles of imports, and what the hood tells of its code."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from conftest import ROOT
from shared import house
from test_in_step import REPORTS, ROOMS

WEIGHT = 206_700  # syntax nodes of the package without types, imports and __all__
DENSITY = 14.4  # syntax nodes of a statement, on average
DOUBLED = 0  # public names that stand in two modules
# of the hood, for each exported line
WORDS = 3.0
LESSONS = 0.3
# Methods that call what stands above them: a result's, which load a chapter or a report when they are asked for.
# An import that is made in a function or by `Late` and would close a circle needs its line here, and a reason.
LATE = {
    "hood.evaluations.late": {
        *("hood.reports.charts", "hood.reports.document", "hood.reports.summary"),
        *("hood.judging.asking", "hood.judging.raters"),
    },
    "hood.judging.next": {"widgets.desk"},
}

PARSED = house.trees(ROOT / "ndcg_nb")
HOOD = sorted((ROOT / "nbs/hood").rglob("*.ipynb"))
HOOD = [page for page in HOOD if ".ipynb_checkpoints" not in page.parts]


def test_the_package_does_not_get_heavier() -> None:
    weights = {name: house.weight(tree) for name, tree in PARSED.items()}
    heaviest = sorted(weights, key=lambda name: -weights[name])[:5]
    found = sum(weights.values())
    assert found <= WEIGHT, (
        f"the package weighs {found:,} nodes, {found - WEIGHT:,} too many. What is new replaces what did the same: "
        f"look for a second loop, table or message. Heaviest: {', '.join(f'{x} {weights[x]:,}' for x in heaviest)}"
    )


def test_statements_are_loose() -> None:
    dense = {name: house.densities(tree) for name, tree in PARSED.items()}
    every = [nodes for found in dense.values() for nodes in found]
    mean = sum(every) / len(every)
    means = {name: sum(found) / len(found) for name, found in dense.items() if len(found) > 20}
    worst = sorted(means, key=lambda name: -means[name])[:5]
    assert mean <= DENSITY, (
        f"a statement has {mean:.2f} nodes, and {DENSITY} are the most: give a step of a long statement a name. "
        f"Densest: {', '.join(f'{x} {means[x]:.1f}' for x in worst)}"
    )


def test_a_name_stands_in_one_module() -> None:
    found = house.doubles(PARSED)
    listed = "\n".join(f"{name}: {', '.join(places)}" for name, places in found.items())
    assert len(found) <= DOUBLED, (
        f"{len(found)} public names stand in two modules, and {DOUBLED} are the most: call each what it is\n{listed}"
    )


def test_no_circle_of_imports() -> None:
    "Counted with those in functions and those of late methods"
    edges = {name: house.imports(name, tree, "ndcg_nb", PARSED) for name, tree in PARSED.items()}
    edges = {name: found for name, found in edges.items() if not name.endswith("__init__")}
    stale = {name: late - edges.get(name, set()) for name, late in LATE.items() if late - edges.get(name, set())}
    assert not stale, f"LATE lists imports that are gone: {stale}"
    free = {name: {x for x in found if x in edges} - LATE.get(name, set()) for name, found in edges.items()}
    found = house.circles(free)
    inside = [f"{a} -> {b}" for group in found for a in group for b in sorted(free[a] & {*group})]
    assert not found, (
        "modules import each other in a circle: move what both need below them, or, for a method of a result that "
        "calls what is above it, add it to LATE\n" + "\n".join(inside)
    )


def test_every_late_import_that_is_listed_closes_a_circle() -> None:
    edges = {name: house.imports(name, tree, "ndcg_nb", PARSED) for name, tree in PARSED.items()}
    edges = {name: {x for x in found if "__init__" not in x} for name, found in edges.items()}
    in_circle = [{*group} for group in house.circles(edges)]
    idle = [f"{a} -> {b}" for a, late in LATE.items() for b in late if not any({a, b} <= x for x in in_circle)]
    assert not idle, f"LATE lists what closes no circle; take it out: {idle}"


def test_the_hood_is_told() -> None:
    counts = house.told(HOOD)
    words, lessons, exported = (sum(numbers) for numbers in zip(*counts.values()))
    poor = sorted((x for x in counts if counts[x][2] > 20), key=lambda x: counts[x][0] / counts[x][2])[:5]
    told = f"Least told: {', '.join(page.stem for page in poor)}"
    assert words >= WORDS * exported, f"the hood has {words / exported:.2f} words a line, needs {WORDS}. {told}"
    assert lessons >= LESSONS * exported, (
        f"the hood has {lessons / exported:.2f} lines of lessons a line, needs {LESSONS}"
    )


@pytest.mark.parametrize("page", HOOD, ids=lambda page: page.stem)
def test_a_page_of_the_hood_has_a_lesson(page: Path) -> None:
    [(_, lessons, exported)] = house.told([page]).values()
    assert lessons or not exported, f"{page.name} exports code and shows none at work: add a cell with small data"


# ------------------------------------------------------------------------------------------- one map of the house
def rooms() -> dict[str, list[str]]:
    "The modules of the hood by room, the lowest first, as `ROOMS` of test_in_step lists them; reports stand on top"
    alone = {name: [name] for name in ("evaluator", "checks", "batches", "tuning", "probes")}
    lower = {name: [x for x in names if x != "soft"] for name, names in ROOMS.items()}
    first = {name: lower[name] for name in lower if name in ("core", "display", "tensors")}
    first["tensors"] = [*first["tensors"], "soft"]
    return (
        first | {"door": ["door"]} | {n: x for n, x in lower.items() if n not in first} | alone | {"reports": REPORTS}
    )


def test_rooms_have_the_modules_that_are_there() -> None:
    there = {name.removeprefix("hood.") for name in PARSED if name.startswith("hood.") and "__init__" not in name}
    listed = {name if names == [name] else f"{name}.{x}" for name, names in rooms().items() for x in names}
    assert listed == there, f"ROOMS of tests/project/test_in_step.py: {sorted(listed ^ there)}"


def page_text() -> str:
    "The prose of the page of the hood"
    cells = json.loads((ROOT / "nbs/hood.ipynb").read_text("utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def on_page() -> dict[str, list[str]]:
    "The pages that the table of the hood's page links for each room, in its order"
    links = re.findall(r"\| \[\w+\]\(hood/(?:(\w+)/)?(\w+)\.ipynb\)", page_text())
    found: dict[str, list[str]] = {}
    for room, name in links:
        if name != "clauses":  # a page that derives and exports nothing
            found.setdefault(room or name, []).append(name)
    return found


def test_the_page_of_the_hood_is_the_map() -> None:
    "It names the rooms and modules of `ROOMS` in the order of imports, each with the subtitle of its own page"
    ours = rooms()
    theirs = on_page()
    for room, names in ours.items():
        assert theirs.get(room) == names, f"{room}: {theirs.get(room)}, and ROOMS has {names}"
    assert [*theirs] == [*ours], "the lowest room first, as in ROOMS"
    rows = re.findall(r"^\| \[\w+\]\((\S+)\) \| (.*) \|$", page_text(), re.M)
    for to, said in rows:
        title = "".join(json.loads((ROOT / "nbs" / to).read_text("utf-8"))["cells"][0]["source"])
        assert f"\n> {said}" in title, f"nbs/hood.ipynb has another subtitle of {to}: {said}"
    assert {to for to, _ in rows if to.startswith("hood/")} == {str(p.relative_to(ROOT / "nbs")) for p in HOOD}


# --------------------------------------------------------------------------------------------- each ceiling is seen
def test_what_is_counted() -> None:
    tree = ast.parse("import os\n__all__ = ['f']\ndef f(a: int) -> int:\n    'Text'\n    return a + 1\n")
    bare = ast.parse("def f(a):\n    'Text'\n    return a + 1\n")
    assert house.weight(tree) == house.weight(bare) == sum(1 for _ in ast.walk(bare))
    assert house.densities(bare) == [6]  # return, +, a and its context, the operator, 1
    assert house.doubles({"x": bare, "y": tree, "z": ast.parse("_f = 1")}) == {"f": ["x", "y"]}


def test_a_circle_is_found_wherever_its_imports_are() -> None:
    text = {
        "a": "from .b import f",
        "b": "def f():\n    from p import c",
        "c": "g = Late('p.d')",
        "d": "import p.a",
        "e": "",
    }
    parsed = {name: ast.parse(source) for name, source in text.items()}
    edges = {name: house.imports(name, tree, "p", parsed) for name, tree in parsed.items()}
    assert house.circles(edges) == [["a", "b", "c", "d"]]
    assert house.circles(edges | {"c": set()}) == []


def test_what_a_page_tells(tmp_path: Path) -> None:
    cells = [
        ("markdown", "# Two words $x+1$"),
        ("code", "#| export\nimport os"),
        ("code", "#| export\ndef f():\n\n    pass"),
    ]
    cells += [("code", "assert f() is None\nf()"), ("code", "#| hide\nf()")]
    page = tmp_path / "page.ipynb"
    page.write_text(json.dumps({"cells": [{"cell_type": kind, "source": [text]} for kind, text in cells]}))
    assert house.told([page]) == {page: (2, 2, 2)}
