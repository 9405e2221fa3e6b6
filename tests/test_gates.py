"""Gates and the history of releases: words and sentences agree with the numbers, and no foreign file is touched."""

from __future__ import annotations

import datetime
import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import console
import nbformat
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from ndcg_nb import compare, evaluate
from ndcg_nb.runs import read_history

QRELS = {f"q{i}": {"d": 1} for i in range(4)}
RUN = {f"q{i}": [*"xyz"[:i], "d"] for i in range(4)}
rng = np.random.default_rng(0)
OLD = rng.uniform(0.3, 0.7, 60)
NOISE = rng.normal(0, 0.02, 60)
NOISE -= NOISE.mean()


def moved(by: float, **how: Any) -> Any:
    return compare({"old": OLD, "new": OLD + by + NOISE}, measure="ndcg@10", **how)


@pytest.fixture(autouse=True)
def _scipy(request: pytest.FixtureRequest) -> None:
    if "history" not in request.node.name:
        pytest.importorskip("scipy")


# ------------------------------------------------------------------------------------------------------- verdicts
@pytest.mark.parametrize(
    "by, margin, verdict",
    [
        (0.05, None, "better"),
        (-0.05, None, "worse"),
        (0.0, None, "not distinguishable"),
        (0.0, 0.02, "equivalent"),
        (-0.01, 0.02, "equivalent"),  # worse, and by too little to matter
        (-0.05, 0.02, "worse"),
        (0.0, 0.001, "not distinguishable"),
    ],
)
def test_verdict(by: float, margin: float | None, verdict: str) -> None:
    c = moved(by, margin=margin)
    assert c.verdict == verdict
    words = {"better": "better than", "worse": "worse than", "equivalent": "equivalent to"}
    assert c.why.startswith(
        f"new is {words.get(verdict, 'not distinguishable from')} old: ndcg@10 {by:+.4f}, 95% interval "
    )


def test_why() -> None:
    low, high = (f"{x:+.4f}" for x in (moved(0.005).low, moved(0.005).high))
    p = f"{moved(0.005).p:.3f}"
    assert moved(0.005).why.endswith(f"ndcg@10 +0.0050, 95% interval {low} to {high}, p = {p}, 60 queries.")
    assert moved(0.05).why.endswith(", p < 0.001, 60 queries.")
    swapped = compare({"old": OLD, "new": OLD + 0.05 + NOISE}, baseline="new")
    assert swapped.verdict == "worse" and swapped.why.startswith("old is worse than new: ")
    with pytest.raises(ValueError, match=r"there are 3 systems: see pairs"):
        _ = compare({"A": OLD, "B": OLD + NOISE, "C": OLD - NOISE}).verdict


@pytest.mark.parametrize(
    "by, when, more, fails",
    [
        (-0.05, "worse", 0, True),
        (-0.05, "worse", 0.02, True),
        (-0.05, "worse", 0.049, False),  # worse, and perhaps not by so much
        (0.0, "worse", 0, False),
        (0.05, "worse", 0, False),
        (0.05, "not better", 0, False),
        (0.05, "not better", 0.02, False),
        (0.05, "not better", 0.049, True),
        (0.0, "not better", 0, True),
        (-0.05, "not better", 0, True),
    ],
)
def test_fails_if(by: float, when: str, more: float, fails: bool) -> None:
    why = moved(by).fails_if(when, more)
    assert bool(why) == fails
    if fails:
        assert why.startswith(f"new is {when} than old{f' by more than {more:g}' if more else ''}: ndcg@10 ")


def test_a_gate_goes_by_the_test() -> None:
    "Without a margin the verdict is that of the test, and not of the interval"
    few = {"old": [0.1, 0.2, 0.3, 0.4], "new": [0.0, 0.1, 0.2, 0.31]}
    assert compare(few).fails_if("worse") and not compare(few, test="randomization").fails_if("worse")


def test_gates_that_are_refused() -> None:
    with pytest.raises(ValueError, match=r"when is 'worst'.*did you mean 'worse'"):
        moved(0).fails_if("worst")
    for bad in (-0.1, math.inf, "0.1", True):
        with pytest.raises(ValueError, match=r"by_more_than is .*: give a number, 0 or above"):
            moved(0).fails_if("worse", bad)
    with pytest.raises(ValueError, match=r"there are 3 systems"):
        compare({"A": OLD, "B": OLD + NOISE, "C": OLD - NOISE}).fails_if("worse")


def test_falls_below() -> None:
    result = evaluate(QRELS, {"a": RUN, "b": {"q0": ["d"]}}, "ndcg@10")
    means = result.means["ndcg@10"]
    assert result.falls_below(means["b"]) == "" and result.falls_below(-1) == ""
    assert result.falls_below(0.3) == f"ndcg@10 is below 0.3: b {means['b']:.4f}."
    assert result.falls_below(0.9) == f"ndcg@10 is below 0.9: a {means['a']:.4f}, b {means['b']:.4f}."
    nothing = evaluate({"q": {"d": 0}}, {"q": ["d"]})
    assert nothing.falls_below(0) == "ndcg@10 is below 0: run nan."
    several = evaluate(QRELS, RUN, "ndcg@1,10")
    with pytest.raises(ValueError, match=r"^ndcg@10 is never above 1, so it cannot reach 80; if 80 .*, give 0\.8$"):
        result.falls_below(80)
    assert several.falls_below(0.1, "ndcg@10") == "" and several.falls_below(0.9, "ndcg@1").startswith("ndcg@1 is")
    with pytest.raises(ValueError, match=r"there are several measures, 'ndcg@1', 'ndcg@10': say measure='ndcg@1'"):
        several.falls_below(0.1)
    with pytest.raises(ValueError, match=r"measure is 'ndcg@2', and the evaluation has 'ndcg@1', 'ndcg@10'"):
        several.falls_below(0.1, "ndcg@2")
    for bad in ("0.6", True, math.nan, None):
        with pytest.raises(TypeError, match=r"least is .*: give a number, e.g. 0.62"):
            result.falls_below(bad)  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------------- history
def test_history(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    result = evaluate(QRELS, {"a": RUN, "ü": {"q0": ["d"]}}, "ndcg@1,10")
    assert result.append(path, "1.4", date="2026-01-31") == path
    once = path.read_bytes()
    result.append(str(path), version="1.5", date=datetime.datetime(2026, 2, 1, 12))
    assert path.read_bytes().startswith(once), "what was there stays as it was"
    table = read_history(path)
    assert table.columns.tolist() == ["version", "date", "run", "measure", "mean", "low", "high", "queries"]
    assert table["version"].tolist() == ["1.4"] * 4 + ["1.5"] * 4
    assert table["date"].tolist() == ["2026-01-31"] * 4 + ["2026-02-01"] * 4
    numbers = table[table["version"] == "1.4"].drop(columns=["version", "date"])
    pd.testing.assert_frame_equal(numbers, result.interval(), check_exact=True)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert list(lines[0]) == table.columns.tolist() and lines[2]["run"] == "ü"


def test_history_without_numbers(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    evaluate({"q": {"d": 1}}, {"q": ["d"]}).append(path, "1", date="2026-01-31")
    evaluate({"q": {"d": 0}}, {"q": ["d"]}).append(path, "2", date="2026-01-31")
    table = read_history(path)
    assert table[["low", "high"]].isna().all(axis=None) and table["mean"].isna().tolist() == [False, True]
    assert table["queries"].tolist() == [1, 0] and table["mean"].dtype.kind == "f"
    (tmp_path / "empty").write_text("")
    assert len(read_history(tmp_path / "empty")) == 0


def test_history_of_today(tmp_path: Path) -> None:
    before = datetime.date.today()
    path = evaluate(QRELS, RUN).append(tmp_path / "h", "1")
    assert before.isoformat() <= read_history(path)["date"].item() <= datetime.date.today().isoformat()


def test_history_whose_last_line_has_no_end(tmp_path: Path) -> None:
    path = evaluate(QRELS, RUN).append(tmp_path / "h", "1", date="2026-01-31")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    evaluate(QRELS, RUN).append(path, "2", date="2026-01-31")
    assert read_history(path)["version"].tolist() == ["1", "2"] and path.read_bytes().count(b"\n") == 2


def test_history_takes_a_version_once(tmp_path: Path) -> None:
    path = evaluate(QRELS, RUN, "ndcg@1,10").append(tmp_path / "h", "1", date="2026-01-31")
    kept = path.read_bytes()
    evaluate(QRELS, RUN, "ndcg@1,10").append(path, "1", date="2026-02-01")
    assert path.read_bytes() == kept, "a build that runs again adds nothing"
    better = {query: ["d"] for query in QRELS}
    with pytest.raises(
        ValueError, match=r"h:2 has other numbers for ndcg@10 of run in version '1': give another version"
    ):
        evaluate(QRELS, better, ["ndcg@5", "ndcg@10"]).append(path, "1", date="2026-02-01")
    assert path.read_bytes() == kept
    evaluate(QRELS, RUN, "ndcg@5").append(path, "1", date="2026-01-31")
    evaluate(QRELS, {"other": RUN}, "ndcg@10").append(path, "1", date="2026-01-31")
    assert len(read_history(path)) == 4


def test_history_is_kept_by_the_workflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "The step of the page, in fresh checkouts: each commit adds a line, and a build that runs again adds none"
    yaml = pytest.importorskip("yaml")
    cells = nbformat.read(ROOT / "nbs/ci.ipynb", 4).cells
    [flow] = re.findall(r"^```yaml\n(.*?)^```", "\n".join(c.source for c in cells), re.M | re.S)
    *_, step = yaml.safe_load(flow)["jobs"]["ndcg"]["steps"]
    program = tmp_path / "bin/ndcg"
    program.parent.mkdir()
    program.write_text(console.PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)

    def sh(script: str, folder: Path) -> str:
        return subprocess.run(["bash", "-ec", script], cwd=folder, check=True, text=True, stdout=subprocess.PIPE).stdout

    sh("git init --quiet --bare -b main origin && git clone --quiet origin work", tmp_path)
    shutil.copy(console.SAMPLES / "qrels.txt", tmp_path / "work")
    me = "git -c user.name=me -c user.email=me@example.org commit --quiet"
    sh(f"git checkout --quiet -B main && git add . && {me} -m a && git push --quiet origin main", tmp_path / "work")
    for n, sha in enumerate(["a", "b", "b"]):
        sh(f"git clone --quiet --depth 1 'file://{tmp_path}/origin' {n}", tmp_path)
        shutil.copy(console.SAMPLES / "bm25.run", tmp_path / f"{n}/new.run")
        sh(step["run"].replace("${{ github.sha }}", sha), tmp_path / str(n))
    lines = sh("git show main:history.jsonl", tmp_path / "origin").splitlines()
    assert [json.loads(line)["version"] for line in lines] == ["a", "b"]
    assert sh("git rev-list --count main", tmp_path / "origin").strip() == "3"


OURS = (
    '{"version": "1", "date": "2026-01-31", "run": "a", "measure": "m", "mean": 1, "low": 0, "high": 1, "queries": 3}'
)


@pytest.mark.parametrize(
    "line",
    ["", "q1 0 d1 3", "[1]", '{"version": "1"}', OURS.replace('"1"', "1"), OURS.replace("3}", '3, "x": 1}'), "\xff"],
)
def test_history_that_is_not_ours(tmp_path: Path, line: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(f"{OURS}\n{line}\n".encode("latin-1"))
    kept = path.read_bytes()
    for touch in (lambda: evaluate(QRELS, RUN).append(path, "1"), lambda: read_history(path)):
        with pytest.raises(ValueError, match=r"foreign:2 is .*, which result.append did not write: give another file"):
            touch()
    assert path.read_bytes() == kept


def test_history_that_is_refused(tmp_path: Path) -> None:
    result = evaluate(QRELS, RUN)
    for version in (1.1, None, ""):
        with pytest.raises(TypeError, match=r"version is .*: give a text, as in version='1.10'"):
            result.append(tmp_path / "h", version)  # type: ignore[arg-type]
    for day in ("yesterday", "2026-02-30", 20260131):
        with pytest.raises(ValueError, match=r"date is .*: give a day such as '2026-01-31', or None for today"):
            result.append(tmp_path / "h", "1", date=day)
    assert not (tmp_path / "h").exists()
    with pytest.raises(FileNotFoundError):
        read_history(tmp_path / "h")
