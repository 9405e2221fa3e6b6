"""What the benchmarks share: versions of ndcg_nb, a clock, lines of a table, peers, and processes of their own."""

from __future__ import annotations

import json
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = Path(tempfile.gettempdir()) / "ndcg_nb_bench"  # for files that are made once
rows: int | None = None  # what --rows asks for
Call = Callable[[], Any]
RARE: set[Call] = set()  # works that are done only when they are named
sys.path.insert(0, str(ROOT))


def rarely(work: Call) -> Call:
    "A work that is done only when it is named"
    RARE.add(work)
    return work


# ---------------------------------------------------------------------------------------------------- the versions
FOLDERS = [str(ROOT)]  # of this version, and of the one that --before names
BEFORE: dict[str, ModuleType] = {}  # the modules of the latter


class Package:
    "The package: of this checkout, or of the version before while a call is timed there. So ask it inside the call"

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.modules.get("ndcg_nb") or import_module("ndcg_nb"), name)


ndcg_nb = Package()


class Earlier(partial):
    "A call that is timed in the version before"


def taken() -> dict[str, ModuleType]:
    "The loaded modules of the package, which are then no longer loaded"
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "ndcg_nb"}


def load_before(folder: str) -> None:
    here = taken()
    sys.path.insert(0, folder)
    import_module("ndcg_nb")
    sys.path.remove(folder)
    FOLDERS.append(folder)
    BEFORE.update(taken())
    sys.modules.update(here)


@contextmanager
def version_of(call: Call) -> Iterator[None]:
    "The modules that a call is for; what the version before cannot do is left out"
    if not isinstance(call, Earlier):
        yield
        return
    here = taken()
    sys.modules.update(BEFORE)
    try:
        yield
    except Exception as error:
        print(f"the version before cannot do this: {type(error).__name__}: {error}")
    finally:
        BEFORE.update(taken())
        sys.modules.update(here)


# ---------------------------------------------------------------------------------------------------- the clock
class Took(NamedTuple):
    "Seconds, or MiB: of theirs, of ours, and of ours in the version before"

    theirs: float | None
    ours: float
    before: float | None = None


def cpu() -> float:
    "CPU seconds of this process, its threads, and its children that have ended"
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def warm_up(call: Call, clock: Callable[[], float], least: float) -> int:
    "Make a call until what it loads and remembers is there, and say how often it can be made in so many seconds"
    took = 0.0
    with version_of(call):
        for _ in range(3):
            start = clock()
            call()
            took = clock() - start
            if took > 10 * least:  # a long call warms up by itself
                break
    return max(1, min(300, int(least / max(took, 1e-9))))


def seconds(
    *calls: Call,
    clock: Callable[[], float] = cpu,
    wait: Callable[[Any], object] = lambda made: None,  # until what a call made is there
    rounds: int = 4,
    least: float = 0.03,  # a shorter call is made many times in a round, and waited for once
    enough: float = 8,  # longer calls have fewer rounds
) -> list[float]:
    "Seconds of each call, made in turns: the best of some rounds"
    often = [warm_up(call, clock, least) for call in calls]
    best, spent = [np.inf] * len(calls), [0.0] * len(calls)
    for turn in range(rounds):
        for i in [*range(len(calls))][:: (-1) ** turn]:  # there and back: who comes after a peer finds its memory cold
            call = calls[i]
            if spent[i] > enough:
                continue
            with version_of(call):
                start = clock()
                for _ in range(often[i]):
                    made = call()
                wait(made)
                took = clock() - start
                best[i] = min(best[i], took / often[i])
                spent[i] += took
                often[i] = max(1, min(300, int(least * often[i] / max(took, 1e-9))))
            if np.isinf(best[i]):
                spent[i] = np.inf  # the version before cannot do it
    return best


def race(theirs: Call | None, ours: Call, **how: Any) -> Took:
    "Theirs if there is one, ours, and ours in the version before if there is one, timed in turns"
    calls = [theirs, ours, Earlier(ours) if BEFORE else None]
    times = iter(seconds(*[call for call in calls if call], **how))
    return Took(*(next(times) if call else None for call in calls))  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------- the table
def duration(time: float) -> str:
    if time >= 1:
        return f"{time:,.2f} s "
    return f"{time * 1e3:.2f} ms" if time >= 1e-3 else f"{time * 1e6:.2f} µs"


def mib(size: float) -> str:
    return f"{size:,.0f} MiB"


def heading(title: str) -> None:
    "What is measured, and where, above the columns"
    versions = [f"ndcg_nb {ndcg_nb.__version__}", f"Python {platform.python_version()}, {platform.machine()}"]
    versions += [f"{name} {sys.modules[name].__version__}" for name in ("numpy", "pandas") if name in sys.modules]
    print(f"\n{title}\n\n{', '.join(versions)}")
    since = f"{'after/before':>13}" if BEFORE else ""
    print(f"{'work':46} {'beside':36} {'theirs':>12} {'ours':>12} {'ratio':>9}{since}  bar")


def line(
    work: str, beside: str, took: Took, bar: str = "", cost: bool = False, show: Callable[[float], str] = duration
) -> None:
    "A line of the table; the ratio is that of theirs to ours, or where a cost is asked for that of ours to theirs"
    theirs, ours, before = took
    cells = f"{'':12} {show(ours):>12} {'':9}"
    if theirs is not None:
        ratio = ours / theirs if cost else theirs / ours
        cells = f"{show(theirs):>12} {show(ours):>12} {ratio:8.2f}×"
    if BEFORE:
        cells += f"{ours / before:13.2f}" if before and np.isfinite(before) else f"{'–':>13}"
    print(f"{work:46} {beside:36} {cells}  {bar}".rstrip(), flush=True)


def agree(
    work: str, name: str, theirs: Any, ours: Any, rtol: float = 0, atol: float = 1e-9, equal_nan: bool = False
) -> None:
    "Answers that differ, in any list or in the mean of all where theirs is only that, stop the benchmark"
    theirs, ours = np.asarray(theirs, dtype=float), np.asarray(ours, dtype=float)
    found = ours if theirs.ndim else ours.mean()
    if theirs.shape != found.shape or not np.allclose(found, theirs, rtol=rtol, atol=atol, equal_nan=equal_nan):
        raise SystemExit(f"{work}: {name} says {theirs.mean()} on average of {theirs.shape}, ours says {ours.mean()}")


def row(
    work: str, name: str, theirs: Call, ours: Call, bar: str = "", rtol: float = 1e-9, atol: float = 0, **how: Any
) -> None:
    "Ours beside theirs: that the answers agree, then the ratio"
    agree(work, name, theirs(), ours(), rtol, atol)
    line(work, name, race(theirs, ours, **how), bar)


@cache
def peer(module: str, install: str = "") -> Any:
    "A module, or None and a line that says so"
    try:
        return import_module(module)
    except Exception as error:  # a peer that does not import here is a peer that is not measured
        print(f"left out: {module} ({type(error).__name__}: {error}): pip install {install or module}")


@cache
def on_gpu() -> Any:
    "PyTorch where it sees a GPU, or None and a line that says so"
    torch = peer("torch")
    if torch and torch.cuda.is_available():
        print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, float32")
        return torch
    print("left out: a GPU (there is none here that PyTorch can see)")


# ---------------------------------------------------------------------------------------------------- processes
def high_water() -> float:
    "The most memory this process has held, in MiB; on Linux ru_maxrss will not do, since it starts from the parent's"
    if (status := Path("/proc/self/status")).exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def child(call: str, first: str = "", folder: str = str(ROOT)) -> tuple[Any, float]:
    "What a call such as runs.hold('evaluate') returns in a fresh process, and the most memory that this process held"
    code = f"""import json, sys; {first}
sys.path.insert(0, {str(HERE)!r}); import harness; sys.path.insert(0, {folder!r})
import {call.partition(".")[0]}; made = {call}; print(); print(json.dumps([made, harness.high_water()]))"""
    said = subprocess.check_output([sys.executable, "-W", "ignore", "-c", code], text=True)
    return tuple(json.loads(said.splitlines()[-1]))  # above it may be the bar that DuckDB draws


def memory(call: str) -> Took:
    "The most memory that a process holds that makes a call, here and in the version before"
    return Took(None, *(child(call, folder=folder)[1] for folder in FOLDERS))
