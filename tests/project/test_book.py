"""The loop of whoever works on the book: `make book` and `make check` find what was meant, and lose nothing."""

from pathlib import Path

import book
import nbformat
import pytest
from conftest import NOTEBOOKS, ROOT
from shared.touched import concerned, covered_by, module_of, subject


@pytest.mark.parametrize("page", [path for path in NOTEBOOKS if path.parent.name == "nbs"], ids=lambda path: path.stem)
def test_book_finds_a_page_by_its_name_without_its_number(page: Path) -> None:
    assert page in book.chosen_from(NOTEBOOKS, [subject(page)])
    assert not subject(page)[0].isdigit()


def test_a_book_that_fails_leaves_the_notebooks_as_they_were(tmp_path: Path) -> None:
    edited = tmp_path / "edited.ipynb"
    edited.write_text("as it was edited")
    with pytest.raises(RuntimeError), book.unless_done([edited]):
        edited.write_text("run to the middle")
        raise RuntimeError
    assert edited.read_text() == "as it was edited"
    with book.unless_done([edited]):
        edited.write_text("run to the end")
    assert edited.read_text() == "run to the end"


def test_check_runs_the_long_tests_that_import_what_was_touched() -> None:
    "Whatever they are called: test_plots is about charts, test_multiple about paired"
    paths = {notebook.stem: module_of(notebook.relative_to(ROOT)) for notebook in NOTEBOOKS}
    about = {"plots": "charts", "report": "document", "sql": "sqltext", "unjudged": "bounds", "multiple": "paired"}
    assert all(paths[page] in covered_by(*(ROOT / "tests").rglob(f"test_{test}.py")) for test, page in about.items())


def test_what_a_cell_prints_is_one_output() -> None:
    "Also where a busy machine handed it over in pieces; what comes between keeps them apart"
    stream = lambda name, text: nbformat.v4.new_output("stream", name=name, text=text)  # noqa: E731
    shown = nbformat.v4.new_output("display_data", {"text/plain": "x"})
    outputs = [stream("stdout", "a\n"), stream("stdout", "b\n"), shown, stream("stdout", "c"), stream("stderr", "d")]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=outputs)])
    book.join_streams(nb)
    assert [o.get("text") for o in nb.cells[0].outputs] == ["a\nb\n", None, "c", "d"]


def test_a_failure_is_notebook_cell_line_and_error() -> None:
    "Also where the cell failed in a function of ours, whose frames are asked for"
    source = "x = 1\nassert x == 2, 'planted'\nx"
    trace = [
        "Traceback",
        "Cell \x1b[32mIn[3]\x1b[39m, line 2\n      1 x = 1\n----> 2 assert x == 2, 'planted'\n      3 x",
    ]
    trace.append("File ~/lists.py:9, in f()\n----> 9 raise")
    error = nbformat.v4.new_output("error", ename="AssertionError", evalue="planted", traceback=trace)
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id="abc", outputs=[error])])
    told = book.failure(ROOT / "nbs/page.ipynb", nb, frames=False)
    wanted = ["nbs/page.ipynb, cell abc:", "    assert x == 2, 'planted'", "    AssertionError: planted"]
    assert told.splitlines() == wanted
    assert "lists.py:9" in book.failure(ROOT / "nbs/page.ipynb", nb, frames=True)


def test_check_runs_the_tests_of_a_room_and_of_those_who_import_it() -> None:
    changed = {"paired", "ndcg_nb.hood.stats.paired"}
    run = {path.stem for path in (ROOT / "tests").rglob("test_*.py") if concerned(path, changed)}
    assert {"test_paired", "test_multiple", "test_references", "test_rows", "test_in_step"} < run
    assert not {"test_sql", "test_shapes", "test_explore", "test_site"} & run
    assert len(run) < 30
