"""What is built is what is meant: the wheel by way of the source archive, alone in a fresh environment."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

SMOKE = """
import subprocess, sys
from pathlib import Path
import ndcg_nb
from ndcg_nb import cg, dcg, dialect, idcg, ndcg, which
assert "site-packages" in ndcg_nb.__file__, ndcg_nb.__file__
rel, pool = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]
assert cg(rel) == 11
assert [round(x, 3) for x in (dcg(rel), idcg(rel), ndcg(rel), ndcg(rel, 6, pool=pool))] == [6.861, 7.141, 0.961, 0.785]
assert round(ndcg(rel, 6, pool=pool, **dialect("gdeval")), 3) == 0.751
assert "gdeval" in which(0.751, rel, 6, pool=pool).index
assert "Every judged grade of the query" in ndcg.__doc__
import pandas as pd
assert ndcg(pd.Series(rel), scores=pd.Series(rel)) == 1
ndcg_command = str(Path(sys.executable).parent / "ndcg")
for command in ([sys.executable, "-m", "ndcg_nb", "demo"], [ndcg_command, "demo"]):
    assert "bm25.run    0.6970 ± 0.1217" in subprocess.check_output(command, text=True, encoding="utf-8")
"""


def run(*command: object, cwd: Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    probe = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(folder / "probe"),
        "setuptools",
    ]
    if subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("no package index can be reached to build with")
    # With neither --sdist nor --wheel, build makes the source archive and then the wheel from it.
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


def test_contents(dist: Path) -> None:
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "ndcg_nb").rglob("*.py")}
    drawn = ("explore", "whose", "fool", "soften", "bend", "stretch", "sway", "favour", "noise", "paste", "report")
    drawn += ("narrow", "desk", "ladder")
    widgets = [f"static/{name}.{kind}" for name in drawn for kind in ("js", "css")]
    shared = [
        f"static/{name}.js" for name in ("core", "host", "places", "orders", "tools", "measures", "tables", "runs")
    ]
    files = {f"ndcg_nb/{name}" for name in ("py.typed", "help.txt", "static/base.css", *shared, *widgets)}
    files |= {p.relative_to(ROOT).as_posix() for p in (ROOT / "ndcg_nb/data").rglob("*.*")}
    assert "ndcg_nb/data/shapes.json" in files
    assert modules | files == {n for n in names if n.startswith("ndcg_nb/")}
    assert {n.partition("/")[0].partition("-")[0] for n in names} == {"ndcg_nb"}
    with tarfile.open(next(dist.glob("*.tar.gz"))) as source:
        assert {"settings.ini", "setup.py", "LICENSE", "README.md"} <= {Path(n).name for n in source.getnames()}


def test_metadata_is_accepted(dist: Path) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", *dist.glob("ndcg_nb*"), cwd=dist)


def test_the_wheel_works_alone(dist: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", next(dist.glob("*.whl")), cwd=tmp_path)
    run(python, "-m", "pip", "check", cwd=tmp_path)
    run(python, "-c", SMOKE, cwd=tmp_path)
