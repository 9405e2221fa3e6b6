"""Notebooks, exported modules, README and metadata say the same; and importing pulls in nothing it should not."""

import ast
import json
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import pytest
from conftest import NOTEBOOKS, ROOT

CORE = ["wording", "lists", "rankings", "sums", "conventions", "ordering", "queries", "counting"]
ROOMS = {  # the folders of the hood, and what is in them, each above what it imports
    "core": CORE,
    "display": ["pages", "saving", "sheets", "accounts", "frames"],
    "tensors": ["arrays", "devices", "soft"],
    "limits": ["gradings", "bounds", "open_queries", "expectations", "samples", "intents", "needs"],
    "inputs": ["columns", "tables", "sources", "hits", "shapes", "recognition", "files", "matching", "reading"],
    "stats": ["paired", "intervals"],
    "runs": ["notation", "scoring", "loop", "own", "few", "values"],
    "engines": ["spelling", "sqltext", "parquet", "connections", "databases"],
    "evaluations": ["notes", "gates", "storage", "late", "evaluation"],
    "comparisons": [
        *("bounds", "imputed", "differences", "facts", "verdicts", "tables", "notes", "dialects", "gates"),
        "comparison",
    ],
    "judging": ["worth", "raters", "ledger", "open", "tasks", "next", "asking"],
}
REPORTS = [
    "explained",
    "summary",
    "ladder",
    "charts",
    "pieces",
    "document",
    "terminal",
    "trec",
    "options",
    "cli",
]  # the room that stands on the book
HOOD = [f"{room}.{name}" for room, names in ROOMS.items() for name in names]
HOOD.insert(HOOD.index("tensors.soft"), "door")
HOOD += ["evaluator", "checks", "batches", "tuning", "probes"]
BOOK = ["gains", "discounts", "ideal", "normalized", "penalties", "missing", "coverage", "unjudged", "judges"]
BOOK += ["estimates", "doubtful", "judging", "explanations", "beside", "dialects", "runs", "sql", "comparisons"]
BOOK += ["power", "smooth", "frameworks"]
WIDGETS = ["explore", "whose", "paste", "fool", "soften", "bend", "sway", "noise", "stretch", "narrow", "desk"]
LEAVES = [f"widgets.{name}" for name in ["frame", "tools", *WIDGETS]] + [f"hood.reports.{name}" for name in REPORTS]
ORDER = [f"hood.{name}" for name in HOOD]
ORDER += [*BOOK, *LEAVES, "plots", "report"]
CHAPTERS = {"gains", "discounts", "ideal", "normalized"}  # which show their measure, and leave the rest to the hood


MODULES = {
    ".".join(p.relative_to(ROOT / "ndcg_nb").with_suffix("").parts): p for p in (ROOT / "ndcg_nb").rglob("[a-z]*.py")
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    "The project with its notebooks cleaned and exported once more"
    root = tmp_path_factory.mktemp("project")
    for name in ("nbs", "ndcg_nb"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name in ("settings.ini", "README.md"):
        shutil.copy(ROOT / name, root)
    scripts = Path(sys.executable).parent
    for command in ("nbdev_clean", "nbdev_export"):
        subprocess.run([scripts / command], cwd=root, check=True, capture_output=True)
    return root


@pytest.mark.parametrize("folder, pattern", [("nbs", "*.ipynb"), ("ndcg_nb", "*.py")])
def test_clean_and_exported(copy: Path, folder: str, pattern: str) -> None:
    ours, again = (
        {str(p.relative_to(r)): p.read_text("utf-8") for p in (r / folder).rglob(pattern) if ".ipynb_" not in str(p)}
        for r in (ROOT, copy)
    )
    assert ours.keys() == again.keys()
    for name, text in ours.items():
        assert text == again[name], f"{name} is out of step: run `make book`"


def test_notebooks_hold_no_run_metadata() -> None:
    "A cell says only what of it is folded, and says it exactly where the site folds it: of an answer, its output too"
    from cells import folded

    for path in NOTEBOOKS:
        nb = json.loads(path.read_text("utf-8"))
        assert "widgets" not in nb["metadata"], path.name
        for cell in nb["cells"]:
            source = "".join(cell["source"])
            hidden = cell["cell_type"] == "code" and folded(source, path)
            whole = {"outputs_hidden": True} if "code-fold: true" in source else {}
            allowed = {"jupyter": {"source_hidden": True} | whole} if hidden else {}
            assert cell["metadata"] == allowed, f"{path.name}: run `make book`\n{source}"
            assert cell.get("execution_count") is None, path.name
            for output in cell.get("outputs", []):
                assert output["output_type"] != "error", path.name
                data = output.get("data", {})
                assert "application/vnd.jupyter.widget-view+json" not in data, path.name
                is_widget = any("vnd.ndcg_nb" in kind for kind in data)
                assert not is_widget or "image/png" in data, f"{path.name}: run `make book` where Chromium is installed"


def test_a_chapter_installs_the_package_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    "In its first code cell, if the package is on an index; where the package is found, nothing happens"
    import importlib.util

    from cells import INSTALL, is_chapter
    from published import on_index

    for path in NOTEBOOKS:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        wanted = [INSTALL] * bool(is_chapter(path) and on_index() and code)
        assert [source for source in code if source == INSTALL] == code[: len(wanted)] == wanted, "run `make book`"
    asked: list[str] = []
    shell = type("Shell", (), {"run_line_magic": lambda _, name, line: asked.append(f"{name} {line}")})
    exec(INSTALL, {"get_ipython": shell})
    assert asked == []
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    exec(INSTALL, {"get_ipython": shell})
    [command] = asked
    assert command.startswith("pip install -q 'ndcg_nb[")
    ini = (ROOT / "settings.ini").read_text("utf-8")
    assert all(f"\n{extra}_requirements = " in ini for extra in re.search(r"\[(.+)\]", command)[1].split(","))


def test_prose_holds_no_control_characters() -> None:
    "A formula whose backslash was taken for an escape holds a tab or a form feed, and cannot be set"
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            strange = [c for c in "".join(cell["source"]) if ord(c) < 32 and c != "\n"]
            assert not strange, f"{path.name}: {''.join(cell['source'])}"


def test_readme() -> None:
    import readme

    assert (ROOT / "README.md").read_text("utf-8") == readme.render(), "run `make book`"
    assert readme.stale_pictures() == [], "run `make book NB=index`"


def test_version_and_names() -> None:
    import ndcg_nb

    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    assert ndcg_nb.__version__ == ini["DEFAULT"]["version"]
    for name in ndcg_nb.__all__:
        assert callable(getattr(ndcg_nb, name)), f"{name} is hidden by a module of that name"
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## {ndcg_nb.__version__}" in changes


def test_a_package_has_one_lowest_version_wherever_it_is_named() -> None:
    "What `lowest.py` installs is then what every extra allows"
    from lowest import lowest

    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    floors: dict[str, set[str]] = {}
    for key, named in ini["DEFAULT"].items():
        for name, floor in re.findall(r"([\w.-]+)>=(\S+)", named) if key.endswith("requirements") else []:
            floors.setdefault(name, set()).add(floor)
    assert {name: found for name, found in floors.items() if len(found) > 1} == {}
    assert {"numpy==1.26", "pyarrow==18", "scipy==1.15"} <= {*lowest()}
    assert all(floors[name] == {floor} for name, floor in (line.split("==") for line in lowest()))


def test_imports_go_down_the_book() -> None:
    "So there is no circle, whether an import is at the top of a module, in a function, or is made by its name"
    assert sorted(MODULES) == sorted(ORDER), "a new module needs its place in the order"
    upward = {
        (name, module)
        for name, path in MODULES.items()
        for module in imported(name, path)
        if ORDER.index(module) >= ORDER.index(name)
    }
    assert not upward


def imported(name: str, path: Path) -> list[str]:
    "The modules of this package that a module imports from, anywhere and in any way, by their names within it"
    package = f"ndcg_nb.{name}".rpartition(".")[0]
    found = []
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            start = resolve_name("." * node.level + (node.module or ""), package)
            found += [start, *(f"{start}.{x.name}" for x in node.names)]
        elif isinstance(node, ast.Import):
            found += [x.name for x in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            text = ast.unparse(node.args[0])  # a name that is put together is not one of ours, but for the widgets'
            assert not text.startswith(("f'ndcg_nb", "f'.")) or path.name == "__init__.py", text
            found += [resolve_name(x.value, package) for x in node.args[:1] if isinstance(x, ast.Constant)]
    return [x for x in dict.fromkeys(module.removeprefix("ndcg_nb.") for module in found) if x in MODULES]


def test_chapters_show_their_measure() -> None:
    "What a chapter of part I exports fits on a screen or two, and the settings of other tools are not named in it"
    for name in CHAPTERS:
        tree = ast.parse(MODULES[name].read_text("utf-8"))
        lines = sum(node.end_lineno - node.lineno + 1 for node in tree.body if not isinstance(node, ast.ImportFrom))
        assert lines < 60, f"{name} exports {lines} lines: what is machinery belongs under the hood"
        named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        named |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not named & {"precision", "minus_inf", "ideal", "default_k", "like"}, name
        bodies = [f for f in tree.body if isinstance(f, ast.FunctionDef) and f.name in ("cg", "dcg", "idcg", "ndcg")]
        assert bodies and all(len(f.body) <= 5 for f in bodies), "a measure is a line or four, below its docstring"


def test_book_and_hood_are_told_in_reading_order() -> None:
    import ndcg_nb.hood

    told = re.findall(r"^(\w+)  +", str(ndcg_nb.hood.__doc__), re.M)
    rooms = dict.fromkeys(name.partition(".")[0] for name in HOOD if name != "tensors.soft")
    assert told == [*rooms, "reports"]
    written = sorted((ROOT / "nbs").glob("[0-9][0-9]*_*.ipynb"))
    exported = [p.stem.partition("_")[2] for p in written if "#| default_exp" in p.read_text("utf-8")]
    assert [name for name in exported if name not in [*LEAVES, "plots", "report"]] == BOOK
    imports = [m for m in imported("", ROOT / "ndcg_nb/__init__.py") if m in BOOK]
    assert imports == [name for name in BOOK if name in imports]


def test_one_name_for_one_thing() -> None:
    "A module is called as its notebook is, but for the number of a chapter; a widget's script, style and test as both"
    for path in NOTEBOOKS:
        if exported := re.search(r"#\| default_exp ([\w.]+)", path.read_text("utf-8")):
            place = path.relative_to(ROOT / "nbs").with_suffix("")
            assert exported[1] == ".".join([*place.parts[:-1], re.sub(r"^\d+[a-z]?_", "", place.name)])
    for name in WIDGETS:
        assert all((ROOT / f"ndcg_nb/static/{name}.{kind}").exists() for kind in ("js", "css"))
        assert [*(ROOT / "tests").rglob(f"test_{name}.py")]


def test_widgets_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    import ndcg_nb

    for module in [name for name in sys.modules if name.startswith("ndcg_nb.widgets")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"widgets need anywidget: pip install ipywidgets anywidget"):
        _ = ndcg_nb.explore
    with pytest.raises(ImportError, match=r"widgets need anywidget: pip install"):
        from ndcg_nb.widgets import whose  # noqa: F401
    with pytest.raises(AttributeError, match="no attribute 'explode'"):
        _ = ndcg_nb.explode


def test_names_that_moved_say_where_they_are() -> None:
    import ndcg_nb

    assert {*ndcg_nb.__all__, "smooth", "widgets"} <= {*dir(ndcg_nb)}
    assert "sys" not in dir(ndcg_nb)
    for name, place in ndcg_nb.MOVED.items():
        assert callable(getattr(import_module(place), name))
        assert name not in ndcg_nb.__all__
        assert name not in dir(ndcg_nb)
        if name in ("gain_recall", "inf_ndcg", "intent_ndcg", "ips_dcg", "minmax_ndcg"):  # found at the top as well
            assert getattr(ndcg_nb, name) is getattr(import_module(place), name)
            continue
        assert not hasattr(ndcg_nb, name)
        told = f"{name} is in {place}: from {place} import {name}"
        with pytest.raises(AttributeError, match=f"^{re.escape(told)}$"):
            getattr(ndcg_nb, name)
        with pytest.raises(ImportError, match=f"^{re.escape(told)}$"):
            exec(f"from ndcg_nb import {name}")
    with pytest.raises(AttributeError, match="'ndgc'; did you mean 'ndcg'"):
        _ = ndcg_nb.ndgc


def test_a_widget_is_a_function_whatever_was_imported_first() -> None:
    "Each function is made in a module of its own name, which must not take its place"
    code = f"""
import sys
from importlib import import_module
import ndcg_nb

for first in ["", *(".widgets." + name for name in ["frame", *{WIDGETS}])]:
    for module in [name for name in sys.modules if name.startswith("ndcg_nb.widgets")]:
        del sys.modules[module]
    import_module(first or ".gains", "ndcg_nb")
    from ndcg_nb.widgets import {", ".join(WIDGETS)}
    import ndcg_nb.widgets.sway, ndcg_nb.widgets.explore, ndcg_nb.widgets.whose
    from ndcg_nb.widgets.bend import Bend
    assert all(map(callable, ({", ".join(WIDGETS)}))), first
    assert all(callable(getattr(ndcg_nb.widgets, name)) for name in {WIDGETS}), first
    assert ndcg_nb.explore is explore and ndcg_nb.widgets.bend is bend, first
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_import_is_light() -> None:
    code = "import sys, ndcg_nb; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = set(subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT).split())
    heavy = {
        "pandas",
        "ipywidgets",
        "anywidget",
        "matplotlib",
        "IPython",
        "nbdev",
        "fastcore",
        "execnb",
        "scipy",
        "sklearn",
        "torch",
        "jax",
        "cupy",
    }
    assert "numpy" in loaded
    assert not heavy & loaded


def test_every_bug_can_be_planted() -> None:
    "`make mutants` plants them; here only that each has its place, and a test to notice it"
    from mutants import BUGS, file_of, place_of

    for bug, (module, right, wrong, sees) in BUGS.items():
        file, _, test = place_of(sees.partition("[")[0]).partition("::")
        assert (f"def {test}(" if test else "def test_") in (ROOT / "tests" / file).read_text("utf-8"), bug
        count = (ROOT / "ndcg_nb" / file_of(module)).read_text("utf-8").count(right)
        assert count == 1 and right != wrong, f"{bug}: {right!r} is found {count} times in {module}"


def test_no_room_imports_from_a_higher_one_in_a_function() -> None:
    "What an evaluation asks of chapters and reports is loaded by the name of a late method"
    rooms = [f"{room}.{name}" for room in ("evaluations", "comparisons") for name in ROOMS[room]]
    for name in rooms:
        tree = ast.parse(MODULES[f"hood.{name}"].read_text("utf-8"))
        inside = [node for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for node in ast.walk(f)]
        late = [ast.unparse(node) for node in inside if isinstance(node, ast.Import | ast.ImportFrom)]
        assert late in ([], ["import fcntl"]), name


def late_methods() -> dict[str, tuple[str, str]]:
    "Where each late method of the package is written: the module it points to, and the name there"
    found = {}
    for module, path in MODULES.items():
        for owner in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)):
            for line in owner.body:
                if isinstance(line, ast.Assign) and ast.unparse(line.value).startswith("Late("):
                    name = line.targets[0].id
                    target = [argument.value for argument in line.value.args]
                    found[f"{module}.{owner.name}.{name}"] = (target[0], target[1] if len(target) > 1 else name)
    return found


def test_late_methods_stand_in_one_place_and_point_up() -> None:
    "What a result finds in a higher room is listed in evaluations.late; each name is there, and none could be imported"
    methods = late_methods()
    assert methods
    for method, (module, name) in methods.items():
        assert callable(getattr(import_module(module), name, None)), f"{method}: there is no {name} in {module}"
        here = ".".join(method.split(".")[:-2])
        there = module.removeprefix("ndcg_nb.")
        assert ORDER.index(there) > ORDER.index(here), f"{method} points down: import {name}"
    elsewhere = {method for method in methods if not method.startswith("hood.evaluations.late.")}
    assert elsewhere == {"hood.judging.next.Next.desk"}
