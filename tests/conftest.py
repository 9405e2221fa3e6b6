import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
SLOW = {"test_planted_bugs", "test_site", "test_lab", "test_packaging"}  # which need a browser, an index, or minutes
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "nbs")]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--touched", action="store_true", help="of the notebooks, run only those that were changed")


def touched() -> set[str]:
    "The notebooks that differ from what was committed last"
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--", "nbs"]
    status = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    return {Path(line[3:].split(" -> ")[-1].strip('"')).stem for line in status.splitlines()}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    changed = touched() if config.getoption("--touched") else set()
    left_out = []
    for item in items:
        if item.path.stem in SLOW:
            item.add_marker("slow")
        elif config.getoption("--touched") and item.name.startswith("test_notebook["):
            path = item.callspec.params["path"]  # type: ignore[attr-defined]
            left_out += [] if path.stem in changed else [item]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
