"""Ours beside its peers on the same data: that the answers agree, then the times and their ratio."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path

import harness

SUBJECTS = ["lists", "runs", "tensors", "losses", "sql", "compare", "judges"]
TOLD = """SUBJECT is lists, runs, tensors, losses, sql, compare, judges or large: all but large if none is named, and
each in a process of its own. SUBJECT.WORK is one work of it, as runs.marco; SUBJECT.? lists them. TREC_EVAL names
trec_eval's program, and NDCG_LARGE a folder for the files of large, about 1.3 GB."""


def bench(subject: str, asked: str) -> None:
    "The works of a subject, or the one named"
    module = import_module(subject)
    works = {name[5:]: call for name, call in vars(module).items() if name.startswith("work_")}
    if asked and asked not in works:
        told = "".join(f"\n  {subject}.{name}: {work.__doc__}" for name, work in works.items())
        raise SystemExit(f"{subject} has these works:{told}")
    harness.heading(str(module.__doc__))
    for name, work in works.items():
        if name == asked or (not asked and work not in harness.RARE):
            print(f"\n{subject}.{name}: {work.__doc__}", flush=True)
            work()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python tests/bench", description=__doc__, epilog=TOLD)
    parser.add_argument("asked", nargs="*", metavar="SUBJECT[.WORK]", default=SUBJECTS)
    parser.add_argument("--before", metavar="FOLDER", help="another checkout: time ours there as well")
    parser.add_argument("--rows", type=int, help="of the run of sql (6,980,000) and large (100,000,000)")
    args = parser.parse_args()
    if unknown := [x for x in args.asked if x.partition(".")[0] not in [*SUBJECTS, "large"]]:
        parser.error(f"no subject is called {unknown[0]!r}: choose from {', '.join(SUBJECTS)}, large")
    if args.before and not (Path(args.before) / "ndcg_nb").is_dir():
        parser.error(f"--before is {args.before}, and there is no ndcg_nb in it")
    if len(args.asked) > 1:
        options = [f"--{name}={value}" for name, value in vars(args).items() if name != "asked" and value]
        for one in args.asked:
            if status := subprocess.call([sys.executable, str(Path(__file__).parent), one, *options]):
                sys.exit(status)
        return
    warnings.simplefilter("ignore")
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX leaves PyTorch some of the GPU
    if args.before:
        harness.load_before(str(Path(args.before).resolve()))
    harness.rows = args.rows
    subject, _, work = args.asked[0].partition(".")
    bench(subject, work)


if __name__ == "__main__":
    main()
