"""Bring everything that is made from the notebooks in step with them, in the order it depends on each other."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: str) -> None:
    print("+", *command, flush=True)
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    notebooks = [str(p) for p in sorted((ROOT / "nbs").glob("*.ipynb"))]
    run("ruff", "format", "--quiet", "nbs")
    run("nbdev_export")
    run("jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", "--log-level=ERROR", *notebooks)
    run("nbdev_clean")
    run(sys.executable, "docs/readme.py")
