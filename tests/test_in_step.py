"""Notebooks, exported modules, README and metadata say the same; and importing pulls in nothing it should not."""

import ast
import json
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from conftest import ROOT

ORDER = ["book", "lists", "rankings", "gains", "discounts", "ideal", "normalized"]
ORDER += ["penalties", "missing", "coverage", "unjudged", "dialects", "widgets", "demo"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    "The project with its notebooks cleaned and exported once more"
    root = tmp_path_factory.mktemp("project")
    for name in ("nbs", "ndcg_nb"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name in ("settings.ini", "README.md"):
        shutil.copy(ROOT / name, root)
    scripts = Path(sys.executable).parent
    for command in ("nbdev_clean", "nbdev_export"):
        subprocess.run([scripts / command], cwd=root, check=True, capture_output=True)
    return root


@pytest.mark.parametrize("folder, pattern", [("nbs", "*.ipynb"), ("ndcg_nb", "*.py")])
def test_clean_and_exported(copy: Path, folder: str, pattern: str) -> None:
    ours, again = ({p.name: p.read_text("utf-8") for p in (r / folder).glob(pattern)} for r in (ROOT, copy))
    assert ours.keys() == again.keys()
    for name, text in ours.items():
        assert text == again[name], f"{folder}/{name} is out of step: run `make book`"


def test_notebooks_hold_no_run_metadata() -> None:
    for path in (ROOT / "nbs").glob("*.ipynb"):
        nb = json.loads(path.read_text("utf-8"))
        assert "widgets" not in nb["metadata"], path.name
        for cell in nb["cells"]:
            assert cell["metadata"] == {} and cell.get("execution_count") is None, path.name
            for output in cell.get("outputs", []):
                assert output["output_type"] != "error", path.name
                assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {}), path.name


def test_prose_holds_no_control_characters() -> None:
    "A formula whose backslash was taken for an escape holds a tab or a form feed, and cannot be set"
    for path in (ROOT / "nbs").glob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            strange = [c for c in "".join(cell["source"]) if ord(c) < 32 and c != "\n"]
            assert not strange, f"{path.name}: {''.join(cell['source'])}"


def test_readme() -> None:
    import readme

    assert readme.stale() == [], "run `make book`"


def test_version_and_names() -> None:
    import ndcg_nb

    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    assert ndcg_nb.__version__ == ini["DEFAULT"]["version"]
    for name in ndcg_nb.__all__:
        assert callable(getattr(ndcg_nb, name)), f"{name} is hidden by a module of that name"
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## {ndcg_nb.__version__}" in changes


def test_imports_go_down_the_book() -> None:
    modules = {p.stem: p for p in (ROOT / "ndcg_nb").glob("[a-z]*.py")}
    assert sorted(modules) == sorted(ORDER), "a new module needs its place in the order"
    for name, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level and node.module:
                assert ORDER.index(node.module) < ORDER.index(name), f"{name} imports {node.module}"


def test_widgets_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    import ndcg_nb

    monkeypatch.delitem(sys.modules, "ndcg_nb.widgets", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"explore needs anywidget: pip install 'ndcg_nb\[widgets\]'"):
        _ = ndcg_nb.explore
    with pytest.raises(AttributeError, match="no attribute 'explode'"):
        _ = ndcg_nb.explode


def test_import_is_light() -> None:
    code = "import sys, ndcg_nb; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = set(subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT).split())
    heavy = {
        "pandas",
        "ipywidgets",
        "anywidget",
        "matplotlib",
        "IPython",
        "nbdev",
        "fastcore",
        "execnb",
        "scipy",
        "sklearn",
    }
    assert "numpy" in loaded and not heavy & loaded
