"""Asks the real programs again about the files in awkward.json and beside.json: make.py 9.0.8=PROGRAM 10.0=PROGRAM

A new case is a row of such a file with a name, what is awkward, the judgements and the run; its answers are filled in.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
FLAGS = {"awkward.json": ["", "-c"], "beside.json": ["", "-c", "-l2", "-c -l2", "-J", "-c -J -l2"]}


def ask(program: str, measures: list[str], flags: list[str], folder: str) -> dict[str, object]:
    "What the program printed, or how it refused"
    command = [program, *measures, *flags, "qrels", "run"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60)
    if not done.returncode:
        return {"printed": done.stdout.decode()}
    return {"exit": done.returncode, "printed": done.stdout.decode(), "said": done.stderr.decode()}


def main() -> None:
    programs = dict(argument.split("=", 1) for argument in sys.argv[1:])
    for file, flags in FLAGS.items():
        kept = json.loads((HERE / file).read_text("utf-8"))
        for case in kept["cases"]:
            given = [case["qrels"], case["run"]] if "run" in case else None
            texts = given or [(HERE / "theirs" / name).read_text("utf-8") for name in case["files"]]
            with TemporaryDirectory() as folder:
                for name, text in zip(("qrels", "run"), texts):
                    Path(folder, name).write_bytes(text.encode())
                case["answers"] = {
                    version: {flag: ask(program, kept["measures"], flag.split(), folder) for flag in flags}
                    for version, program in programs.items()
                }
        (HERE / file).write_text(json.dumps(kept, ensure_ascii=True, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
