"""Planted bugs, those of mutants.toml: each must make its test fail.

python tests/mutants.py              plants all of them; `make mutants`, `make all`
python tests/mutants.py holm ties    those whose name, module or test contains one of these words

A test that is still running after two minutes has noticed nothing: it ends with −14, the signal of the alarm.
"""

import compileall
import os
import signal
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PACKAGE = ROOT / "ndcg_nb"
LIMIT = 120  # seconds for one test, which on two free cores takes a few
FLAGS = ["-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", f"--rootdir={TESTS}"]
QUICKLY = {"HYPOTHESIS_EXAMPLES": "60", "OMP_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
QUICKLY |= {"PYTHONDONTWRITEBYTECODE": "1"}  # the wrong code is never to be found where the right one is
# Loaded once, and there in every fork; what starts threads of its own (polars, duckdb) is not
HEAVY = ["numpy", "scipy.special", "scipy.stats", "pandas", "pytest", "hypothesis", "matplotlib.pyplot"]
# A fork is safe where nothing has started a thread, and macOS starts some unasked: there each test loads all anew
PROCESSES: Any = get_context("fork" if sys.platform == "linux" else "spawn")


class Bug(NamedTuple):
    module: str
    right: str
    wrong: str
    test: str  # that must fail


DATA = tomllib.loads((TESTS / "mutants.toml").read_text("utf-8"))
DRAWN = {name for name, bug in DATA.items() if bug.pop("drawn", False)}  # by chance, and not from what went wrong once
BUGS = {name: Bug(**bug) for name, bug in DATA.items()}


def file_of(module: str) -> str:
    "The file of a module; that of JavaScript has its ending in its name"
    return module if module.endswith(".js") else f"{module}.py"


def place_of(test: str) -> str:
    "Where a test stands in the folder of tests, found by the name of its file"
    file, *function = test.split("::")
    [path] = TESTS.rglob(file)
    return "::".join([str(path.relative_to(TESTS)), *function])


def copy_but(file: Path, original: Path, copy: Path) -> Path:
    "A copy of a folder, made of links, that lacks one file; returns the place of that file"
    copy.mkdir()
    first, *inner = file.parts
    for path in original.iterdir():
        if path.name != first:
            (copy / path.name).symlink_to(path)
    return copy_but(Path(*inner), original / first, copy / first) if inner else copy / first


def plant(bug: Bug, folder: Path) -> str:
    "Write a package with the bug into a folder; returns what went wrong, or nothing"
    file = Path(file_of(bug.module))
    text = (PACKAGE / file).read_text("utf-8")
    if (count := text.count(bug.right)) != 1:
        return f"{bug.right!r} is found {count} times in {file}"
    wrong = copy_but(file, PACKAGE, folder / PACKAGE.name)
    wrong.write_text(text.replace(bug.right, bug.wrong), "utf-8")
    os.utime(wrong, (0, 0))  # so that it is never taken for what was compiled from the right code
    return ""


def run_test(test: str, folder: str) -> None:
    "In a process of its own: run a test with the package of this folder, and end with the code of pytest"
    os.setsid()  # whatever the test starts belongs to it
    signal.alarm(LIMIT)
    for stream in (1, 2):
        os.dup2(os.open(f"{folder}/output", os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    os.environ |= QUICKLY | {"PYTHONPATH": folder}
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    os.chdir(TESTS)
    Path(folder, "pytest.ini").write_text("[pytest]\n")
    sys.exit(import_module("pytest").main([*FLAGS, "-c", f"{folder}/pytest.ini", place_of(test)]))


def noticed_nothing(bugs: list[str], home: Path) -> Iterator[str]:
    "Plant bugs, as many at a time as there are cores, and yield what to say of each whose test does not fail"
    waiting = [*bugs]
    running: dict[Any, tuple[str, Path, Any]] = {}
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            name = waiting.pop(0)
            folder = home / str(len(waiting))
            folder.mkdir()
            if wrong := plant(BUGS[name], folder):
                yield f"NOT PLANTED: {name}: {wrong}"
                continue
            process = PROCESSES.Process(target=run_test, args=(BUGS[name].test, str(folder)))
            process.start()
            running[process.sentinel] = (name, folder, process)
        for sentinel in wait(running):
            name, folder, process = running.pop(sentinel)
            process.join()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # what the test has left running
            if process.exitcode != 1:
                output = (folder / "output").read_text("utf-8")
                yield f"NOT NOTICED: {name}: {BUGS[name].test} ended with {process.exitcode}\n{output}"


def main(words: list[str]) -> int:
    texts = {name: f"{name} {bug.module} {bug.test}".lower() for name, bug in BUGS.items()}
    bugs = [name for name, text in texts.items() if not words or any(word.lower() in text for word in words)]
    os.environ |= QUICKLY
    for folder in (PACKAGE, TESTS):
        compileall.compile_dir(folder, quiet=2)
    for module in HEAVY:
        if PROCESSES.get_start_method() == "fork" and find_spec(module.partition(".")[0]):
            import_module(module)
    overlooked = 0
    with TemporaryDirectory() as home:
        for said in noticed_nothing(bugs, Path(home)):
            overlooked += 1
            print(said, flush=True)
    print(f"{len(bugs)} planted bugs, {len(bugs) - overlooked} noticed")
    return int(overlooked > 0 or not bugs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
