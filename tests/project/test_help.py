"""`help` and Shift-Tab explain every parameter, attribute and method, from the comments in the notebooks."""

import doctest
import inspect
import pickle
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from conftest import ROOT

import ndcg_nb
from ndcg_nb.hood.core.conventions import DIALECTS

# What chapters define for themselves; a reader of the chapter meets it, a user of the package does not call it
HELPERS = {"linear", "exponential", "binary", "gains_of", "weights_of", "fading", "by_rank", "by_document", "by_depth"}
HELPERS |= {"account_of", "best_swap", "split", "change_of", "written", "entering", "mean_by", "which_of"}
HELPERS |= {"is_measures"}


@pytest.fixture(autouse=True)
def no_figure_is_left_open() -> Iterator[None]:
    "Or the next notebook that this process runs would show it"
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@cache
def helptexts() -> Any:
    for module in ("anywidget", "matplotlib", "pandas"):
        pytest.importorskip(module)
    return import_module("helptexts")


@cache
def documented() -> dict[str, Any]:
    "Every public function, class and method, by its full name"
    h = helptexts()
    found = {}
    for thing in h.public():
        found[f"{thing.__module__}.{thing.__qualname__}"] = thing
        for name, method in h.methods(thing).items() if inspect.isclass(thing) else ():
            found[f"{thing.__module__}.{thing.__qualname__}.{name}"] = method
    return found


def test_nothing_public_is_without_a_text() -> None:
    assert helptexts().lacking() == [], "add a comment beside it in the notebook, or an example in docs/examples.py"


def test_what_is_made_from_the_comments_is_in_step() -> None:
    assert not helptexts().is_stale(), "out of step: run `make book`"


def test_every_public_name_is_found() -> None:
    "Also results, which are of classes that no `__all__` needs to name"
    names = {thing.__name__ for thing in helptexts().public()}
    assert {*ndcg_nb.__all__} <= names
    assert {"Evaluation", "Comparison", "Explanation", "Change", "Swap", "Bounds", "Tied", "Mean", "Explore"} <= names


def test_a_function_of_a_chapter_is_explained_or_a_helper() -> None:
    h = helptexts()
    public = {thing.__name__ for thing in h.public()}
    for module, notebook in h.chapters().items():
        made = import_module(module)
        if notebook[:2].isdigit() and notebook[2] == "_":
            for name in made.__all__:
                if inspect.isfunction(thing := getattr(made, name)) and thing.__module__ == module:
                    assert (name in public) != (name in HELPERS), f"{module}.{name} explains no parameter"


def section(text: str, title: str) -> dict[str, str]:
    "What a section of numpydoc explains: its lines that are not indented, each with the indented ones below it"
    found = re.search(rf"^{title}\n-{{{len(title)}}}\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    return dict(re.findall(r"^(\S.*)\n((?: {4}.*(?:\n|\Z))+)", found[1] if found else "", re.M))


def test_help_shows_everything_in_the_layout_of_numpydoc() -> None:
    "That each module gave its names their texts, too: one that is loaded late says `_help.show_help(__name__)`"
    h = helptexts()
    for name, thing in documented().items():
        text = inspect.getdoc(thing) or ""
        assert re.match(r"\S.{9,}[.?]$", text.partition("\n\n")[0], re.S), name
        if inspect.isclass(thing):
            told = [head.partition(" : ")[0] for head in section(text, "Attributes")]
            assert told == [item.name for item in h.attributes(thing)], name
            assert [head.partition("(")[0] for head in section(text, "Methods")] == [*h.methods(thing)], name
        else:
            parameters = [p for p in inspect.signature(thing).parameters.values() if p.name != "self"]
            heads = [*section(text, "Parameters")]
            assert [head.partition(" : ")[0].lstrip("\\*") for head in heads] == [p.name for p in parameters], name
            for head, p in zip(heads, parameters):
                assert p.default is p.empty or head.endswith(f"default {p.default!r}"), (name, p.name)
            back = inspect.unwrap(thing).__annotations__.get("return")
            assert "Returns\n-------\n" in text or back in ("None", None), name


def test_help_of_results_has_what_pages_show() -> None:
    h = helptexts()
    told = {name: {item.name for item in h.attributes(h.known()[name])} for name in ("Evaluation", "Comparison")}
    assert {"means", "per_query", "notes", "value"} <= told["Evaluation"]
    assert "scored" not in told["Evaluation"]
    assert {"pairs", "table", "notes", "p", "verdict"} <= told["Comparison"]


@pytest.mark.parametrize("name", sorted(import_module("examples").EXAMPLES))
def test_the_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "As it stands in the help: `pytest` sees what `help` shows"
    monkeypatch.chdir(tmp_path)
    thing = helptexts().known()[name]
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", {}, name, None, 0)
    assert len(test.examples) > 1, "an import, and a call"
    assert f"{name}(" in test.docstring
    told: list[str] = []
    with patch.dict(DIALECTS):  # what an example registers is forgotten
        doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(test, out=told.append)
    assert not told, "".join(told)


def test_help_names_the_chapter() -> None:
    for thing, notebook in helptexts().public().items():
        where = helptexts().explained_in(thing.__name__, notebook)
        assert where in " ".join(str(thing.__doc__).split()), thing


def test_help_names_no_file_of_the_repository() -> None:
    "Whoever has installed the package has no notebooks, pages or tests"
    modules = [info.name for info in pkgutil.walk_packages(ndcg_nb.__path__, "ndcg_nb.")]
    modules.remove("ndcg_nb.__main__")
    shown = documented() | {name: import_module(name) for name in ["ndcg_nb", *modules]}
    files = re.compile(r"\b(?:nbs|docs|tests)/\S*|\S+\.ipynb")
    named = {name: files.findall(inspect.getdoc(thing) or "") for name, thing in shown.items()}
    assert len(named) > 200
    assert not {name: some for name, some in named.items() if some}


@pytest.mark.parametrize("flags", [[], ["-OO"]])
def test_a_fresh_python_shows_it(flags: list[str]) -> None:
    code = "import pydoc, ndcg_nb; print(pydoc.render_doc(ndcg_nb.ndcg)); print(ndcg_nb.unjudged.Bounds.low.__doc__)"
    shown = subprocess.check_output([sys.executable, *flags, "-c", code], text=True, encoding="utf-8", cwd=ROOT)
    assert "Every judged grade of the query" in shown
    assert "default 'log2'" in shown
    assert ">>> round(ndcg(" in shown
    assert "The lowest value" in shown


def test_a_name_that_is_gone_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    "Or no module could be imported, to make the texts anew"
    from ndcg_nb import _help

    monkeypatch.setitem(_help.TEXTS, "ndcg_nb.ideal", {"no_such": "text", "no_such.part": "text"})
    _help.show_help("ndcg_nb.ideal", "no.such.module")
    assert pickle.loads(pickle.dumps(ndcg_nb.idcg)) is ndcg_nb.idcg


def test_the_site_says_it_once() -> None:
    import build

    told = build.entry("ndcg", is_shown=False)
    assert "[reference](#reference-ndcg)" in told
    assert "Every judged grade" not in told
    assert "|---|" not in told
    assert "ndcg(rel" in told and "ndcg(rel" not in build.entry("ndcg", is_shown=True), "the signature is in the code"


def test_names_of_other_tools_lead_nowhere() -> None:
    import links

    ours = links.prose("Give it to `ndcg`, which XGBoost calls so, too.")
    assert ours == "Give it to [`ndcg`](#ndcg), which XGBoost calls so, too."
    for text in ("XGBoost's `ndcg` is cut", "ranx’s `ndcg`", "the tools' `evaluate`", "the command `ndcg`"):
        assert links.prose(text) == text
