"""Console blocks of the pages: every command in them is run in a shell, and its output is kept in step.

A block is fenced as ```console. A line that begins with `$ ` is a command, one with `> ` continues it, and what
follows is its output. All blocks of a page are one session, which begins in a copy of the sample files. Commands that
are not to be run, such as `pip install`, are in ```sh blocks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import nbformat

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "ndcg_nb/data/kitchen"
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.M | re.S)
COMMAND = re.compile(r"^\$ .*(?:\n> .*)*", re.M)
PROGRAM = f"#!{sys.executable}\nimport sys\nfrom ndcg_nb.hood.reports.cli import main\nsys.exit(main())\n"
END = "\x01"  # printed after each command, so that outputs can be told apart


def run(commands: list[str]) -> list[str]:
    "What a shell prints for each of these commands, one after the other, in a folder with the sample files"
    with TemporaryDirectory() as place:
        folder, program = Path(place) / "kitchen", Path(place) / "bin/ndcg"
        copytree(SAMPLES, folder)
        program.parent.mkdir()
        program.write_text(PROGRAM)
        program.chmod(0o755)
        lines = [f"{command}\ncode=$?; printf '{END}'; (exit $code)" for command in commands]
        path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
        terminal = {"COLUMNS": "88", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
        env = os.environ | terminal | {"PATH": path, "PYTHONPATH": str(ROOT)}
        shell = subprocess.run(
            ["bash", "-c", "\n".join(lines)],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # as on a terminal
        )
    return shell.stdout.decode().split(END)[:-1]


def answered(texts: list[str]) -> list[str]:
    "The prose of a page, in which each command is followed by what it prints now"
    commands = [command for text in texts for block in BLOCK.findall(text) for command in COMMAND.findall(block)]
    said = iter(run([re.sub(r"^[$>] ", "", command, flags=re.M) for command in commands]) if commands else [])

    def with_outputs(block: re.Match[str]) -> str:
        rows = [f"{command}\n{next(said)}".rstrip() for command in COMMAND.findall(block[0])]
        return "".join(re.sub(" +$", "", row.expandtabs(), flags=re.M) + "\n" for row in rows)  # as a terminal shows

    return [BLOCK.sub(with_outputs, text) for text in texts]


def refresh(path: Path, write: bool = False) -> bool:
    "Whether a page was in step; if asked, it is afterwards"
    nb = nbformat.read(path, 4)
    cells = [cell for cell in nb.cells if cell.cell_type == "markdown"]
    fresh = answered([cell.source for cell in cells])
    if fresh == [cell.source for cell in cells]:
        return True
    for cell, text in zip(cells, fresh if write else []):
        cell.source = text
    if write:
        nbformat.write(nb, path)
    return False


def pages() -> list[Path]:
    "The notebooks with console blocks"
    found = (p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    return sorted(path for path in found if "```console" in path.read_text("utf-8"))


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]) if sys.argv[1:] else pages():
        refresh(page, write=True)
