"""People who know nbdev type its own commands: each does what it says in a copy of the project, without Quarto."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

PLAIN = "/usr/bin:/bin"
quarto = shutil.which("quarto", path=PLAIN)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(quarto is not None, reason="Quarto is installed: it does more")]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    "The project as it was committed or is about to be, and a folder with what `make` puts beside Python"
    files = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True).splitlines()
    root = tmp_path_factory.mktemp("project")
    for name in filter(lambda name: (ROOT / name).exists(), files):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "bin").mkdir()
    (root / "bin/quarto").symlink_to(root / "docs/quarto")
    return root


def contents(root: Path) -> dict[str, bytes]:
    found = [root / "README.md", *(root / "nbs").rglob("*.ipynb"), *(root / "ndcg_nb").rglob("*.py")]
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def typed(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PATH": f"{root}/bin:{Path(sys.executable).parent}:{PLAIN}", "PYTHONPATH": str(root)}
    return subprocess.run(command.split(), cwd=root, env=env, capture_output=True, text=True)


def test_readme(copy: Path) -> None:
    (copy / "README.md").write_text("out of date")
    done = typed(copy, "nbdev_readme")
    assert done.returncode == 0, done.stderr
    assert contents(copy) == contents(ROOT)


def test_prepare(copy: Path) -> None:
    "It exports, runs every notebook but for cells that need Spark or PyTorch, cleans, and makes README.md if need be"
    os.utime(copy / "README.md", (0, 0))
    done = typed(copy, "nbdev_prepare")
    assert done.returncode == 0 and "Success." in done.stdout, done.stdout + done.stderr
    assert contents(copy) == contents(ROOT)
    assert "flags" in typed(copy, "nbdev_test --help").stdout


def test_docs_up_to_the_call_of_quarto(copy: Path) -> None:
    done = typed(copy, "nbdev_docs")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("Quarto is not installed. `make docs` builds")
    made = {path.relative_to(copy / "_proc") for path in (copy / "_proc").rglob("*.ipynb")}
    assert made == {path.relative_to(ROOT / "nbs") for path in (ROOT / "nbs").rglob("*.ipynb")}
    named = (copy / "nbs/_quarto.yml").read_text().rpartition("metadata-files: [")[2].strip().strip("]").split(", ")
    assert named and all((copy / "nbs" / name).exists() for name in named), "nbdev writes what _quarto.yml names"
    assert contents(copy) == contents(ROOT)
