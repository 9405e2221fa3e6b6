"""The recipe for a spreadsheet: its formulas, as they stand on the page, give our numbers."""

import json
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT

from ndcg_nb import dcg, idcg, ndcg

SHOWN = [3, 2, 3, 0, 1, 2]
JUDGED = [0, 3, 2, 1, 3, 2, 2, 3]  # in any order
SOLVE = """
import json, sys
from formulas import ExcelModel

solved = ExcelModel().from_dict(json.load(sys.stdin)).calculate()
print(json.dumps([float(solved[f"'[book]S'!D{row}"].value[0, 0]) for row in (2, 3, 4)]))
"""


def pasted() -> dict[str, list[str]]:
    "The blocks of the recipe, by the gain that they compute"
    cells = nbformat.read(ROOT / "nbs/recipes.ipynb", 4).cells
    [recipe] = [cell.source for cell in cells if "## nDCG in a spreadsheet" in cell.source]
    blocks = re.findall(r"```text\n(.*?)\n```", recipe, re.S)
    return dict(zip(["linear", "exp"], [block.splitlines() for block in blocks], strict=True))


@pytest.mark.parametrize("gain", ["linear", "exp"])
def test_the_formulas_give_our_numbers(gain: str, tmp_path: Path) -> None:
    "Computed by the package `formulas`, in a process of its own: a module of docs/ has the same name"
    if not [*distributions(name="formulas")]:
        pytest.skip("formulas is not installed")
    columns = {"A": SHOWN, "B": JUDGED, "D": pasted()[gain]}
    cells = {f"'[book]S'!{column}{row}": x for column, of in columns.items() for row, x in enumerate(of, 2)}
    given = {"input": json.dumps(cells), "cwd": tmp_path, "text": True, "encoding": "utf-8"}
    found = json.loads(subprocess.check_output([sys.executable, "-c", SOLVE], **given))
    ours = [dcg(SHOWN, gain=gain), idcg(JUDGED, 6, gain=gain), ndcg(SHOWN, 6, pool=JUDGED, gain=gain)]
    assert found == pytest.approx(ours, rel=1e-12)
