"""Shell commands on the pages are real: each is run in a shell, and prints what the page shows."""

from pathlib import Path

import console
import nbformat
import pytest
from conftest import ROOT
from nbformat.v4 import new_markdown_cell, new_notebook

import ndcg_nb


def test_the_page_of_the_shell_has_console_blocks() -> None:
    assert ROOT / "nbs/shell.ipynb" in console.pages()


@pytest.mark.slow
@pytest.mark.parametrize("path", console.pages(), ids=lambda p: p.stem)
def test_commands_print_what_the_page_shows(path: Path) -> None:
    assert console.refresh(path), "run `make book`"


def test_a_block_that_is_out_of_step_is_noticed_and_brought_in_step(tmp_path: Path) -> None:
    path = tmp_path / "page.ipynb"
    fence = "`" * 3
    text = f"{fence}console\n$ wc -l \\\n> < bm25.run\n999\n$ false\n$ echo $?\n{fence}\n\n{fence}sh\n$ no\n{fence}"
    nbformat.write(new_notebook(cells=[new_markdown_cell(text)]), path)
    assert not console.refresh(path)
    assert "999" in path.read_text("utf-8")
    assert not console.refresh(path, write=True)
    assert console.refresh(path)
    count = (ROOT / "ndcg_nb/data/kitchen/bm25.run").read_text("utf-8").count("\n")
    shown = nbformat.read(path, 4).cells[0].source
    assert shown == text.replace("999", str(count)).replace("$ echo $?\n", "$ echo $?\n1\n")


def test_a_session_goes_on_from_command_to_command() -> None:
    "In a folder of its own, with the command of this checkout"
    version, folder, code, said = console.run(["ndcg --version", "mkdir x; cd x; (exit 7)", "echo $?", "basename $PWD"])
    assert version == f"ndcg {ndcg_nb.__version__}\n"
    assert (folder, code, said) == ("", "7\n", "x\n")
