"""Which tests are about what was changed: `make check` runs those of its rooms, and those that import it."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"


def subject(path: Path) -> str:
    "What a notebook or a file of tests is about: that of 11_sql and of test_sql is sql"
    return re.sub(r"^(\d+[a-z]?_|test_)", "", path.stem)


def module_of(notebook: Path) -> str:
    "The module that a notebook becomes: nbs/hood/stats/paired.ipynb is ndcg_nb.hood.stats.paired"
    folders = notebook.relative_to("nbs").parent.parts
    return ".".join(("ndcg_nb", *folders, subject(notebook)))


def touched() -> set[str]:
    "The subjects of notebooks, scripts and tests that differ from what was committed last, and the notebooks' modules"
    places = ("nbs", "tests", "ndcg_nb/static")
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--", *places]
    status = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    paths = [Path(line[3:].split(" -> ")[-1].strip('"')) for line in status.splitlines()]
    modules = {module_of(path) for path in paths if path.suffix == ".ipynb"}
    return modules | {subject(path) for path in paths}


@cache
def imported_by(path: Path) -> set[str]:
    "The modules of the package that a file imports; of `from package import name`, both are there"
    folder = path.parent.relative_to(ROOT).parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) + 1 - node.level] if node.level else ()
            package = ".".join((*above, *filter(None, [node.module])))
            found |= {package, *(f"{package}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.startswith("ndcg_nb.")}


def covered_by(path: Path) -> set[str]:
    "The modules that a file of tests is about: those it imports, and those that the chapter of its name imports"
    chapter = ROOT / "ndcg_nb" / f"{subject(path)}.py"
    return imported_by(path) | (imported_by(chapter) if chapter.exists() else set())


def concerned(path: Path, changed: set[str]) -> bool:
    "Whether a file of tests is about something that was changed, of the same room as it, or of the project as a whole"
    room = path.relative_to(TESTS).parts[0]
    rooms = {name.split(".")[-2] for name in changed if name.startswith(("ndcg_nb.hood.", "ndcg_nb.widgets."))}
    return room == "project" or room in rooms or subject(path) in changed or bool(changed & covered_by(path))
