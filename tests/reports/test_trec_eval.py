"""What trec_eval printed, to the digit: its own test files, and awkward ones, for every topic, cutoff and mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from ndcg_nb import evaluate

GOLDEN = ROOT / "tests/golden/trec_eval"
THEIRS = GOLDEN / "theirs"
CASES = {case["name"]: case for case in json.loads((GOLDEN / "awkward.json").read_text("utf-8"))["cases"]}
MEASURES = ["ndcg@1,2,3,5,10,20,100,1000", "ndcg"]
LIKE = {"9.0.8": "trec_eval", "10.0": "trec_eval-10"}
# Where ours differs on purpose. A blank line and a judgement given twice alike harm nobody; a run that has nothing
# in common with the judgements is a mistake, and not a run that found nothing.
READ = {"blank lines in the qrels": "plain", "duplicate judgement, same grade": "plain"}
REFUSED = {"no topic in common", "no document in common"}

pytestmark = pytest.mark.filterwarnings("ignore")  # of ranks that contradict the scores, and of topics worth 0/0
Values = dict[tuple[str, str], str]


def column(measure: str) -> str:
    "Our name of a measure of theirs: ndcg@5 for ndcg_cut_5; gains given to theirs are part of its name"
    return measure.replace("ndcg_cut_", "ndcg@").partition("_")[0]


def read(printed: str) -> Values:
    "What is printed, by topic and measure: nDCG alone"
    rows = [[field.strip() for field in line.split("\t")] for line in printed.splitlines()]
    return {(q, column(m)): value for m, q, value in rows if m.startswith("ndcg") and m != "ndcg_rel"}


def ours(qrels: Path, run: Path, version: str, flag: str, measures: list[str] = MEASURES) -> Values:
    "What we say, by topic and measure, with as many digits as theirs; topics without a value are not printed"
    result = evaluate(qrels, run, measures, like=LIKE[version], **({"missing": "zero"} if flag == "-c" else {}))
    names = [name for name in result.per_query.columns if name not in ("run", "query")]
    topics = result.per_query.dropna(subset=names)
    values = {(q, m): f"{v:.4f}" for m in names for q, v in zip(topics["query"], topics[m])}
    assert len(result.means) == 1
    assert list(result.means.columns) == names
    return values | {("all", m): f"{v:.4f}" for m, v in result.means.iloc[0].items()}


def files(case: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    "The judgements and the run of a case, on disk"
    if "files" in case:
        return THEIRS / case["files"][0], THEIRS / case["files"][1]
    for name in ("qrels", "run"):
        (folder / name).write_bytes(case[name].encode())
    return folder / "qrels", folder / "run"


def test_the_goldens_hold_what_they_say() -> None:
    answers = [a for case in CASES.values() for version in case["answers"].values() for a in version.values()]
    assert len(CASES) == 51
    assert len(answers) == 204
    assert sum("exit" in a for a in answers) == 43
    assert sum(len(read(a["printed"])) for a in answers if "exit" not in a) == 5_499
    assert CASES["float32 ties"]["answers"]["9.0.8"] != CASES["float32 ties"]["answers"]["10.0"]


@pytest.mark.parametrize("flag", ["", "-c"])
@pytest.mark.parametrize("version", LIKE)
@pytest.mark.parametrize("name", CASES)
def test_to_the_digit(name: str, version: str, flag: str, tmp_path: Path) -> None:
    theirs = CASES[READ.get(name, name)]["answers"][version][flag]
    qrels, run = files(CASES[name], tmp_path)
    if "exit" in theirs or name in REFUSED:
        with pytest.raises(ValueError, match=r"."):
            ours(qrels, run, version, flag)
        return
    expected = read(theirs["printed"])
    found = ours(qrels, run, version, flag)
    if (version, flag) == ("9.0.8", "-c"):  # which counts missing topics in the mean, and does not print them
        unprinted = {key: value for key, value in found.items() if key not in expected}
        assert set(unprinted.values()) <= {"0.0000"}
        assert {q for q, _ in unprinted} == missing(qrels, run)
        found = {key: value for key, value in found.items() if key in expected}
    assert found == expected


def missing(qrels: Path, run: Path) -> set[str]:
    "The judged topics that the run does not have"
    judged, ranked = ({line.split()[0] for line in p.read_bytes().splitlines() if line.strip()} for p in (qrels, run))
    return {topic.decode() for topic in judged - ranked}


def test_like_within_the_measure(tmp_path: Path) -> None:
    qrels, run = files(CASES["float32 ties"], tmp_path)
    for version, like in LIKE.items():
        within = evaluate(qrels, run, f"ndcg(like={like})@3").per_query
        expected = read(CASES["float32 ties"]["answers"][version][""]["printed"])
        found = {q: f"{v:.4f}" for q, v in zip(within["query"], within[f"ndcg(like={like})@3"])}
        assert found == {q: v for (q, m), v in expected.items() if m == "ndcg@3" and q != "all"}


CUTOFFS = ["ndcg@5,10,15,20,30,100,200,500,1000", "ndcg"]


@pytest.mark.parametrize("version", LIKE)
@pytest.mark.parametrize(
    "output, qrels, run, flag, measures",
    [
        ("out.test.aq", "qrels.test", "results.test", "", CUTOFFS),
        ("out.test.aqc", "qrels.test", "results.trunc", "-c", CUTOFFS),
        ("out.test.aqcM", "qrels.test", "results.trunc", "-c", CUTOFFS),
        ("out.test.aql", "qrels.rel_level", "results.test", "", CUTOFFS),
        ("out.test.meas_params", "qrels.test", "results.test", "", ["ndcg@10,20,23", "ndcg"]),
    ],
)
def test_their_own_tests(
    output: str, qrels: str, run: str, flag: str, measures: list[str], version: str, tmp_path: Path
) -> None:
    path = best(THEIRS / run, 100, tmp_path / "run") if output.endswith("M") else THEIRS / run
    found = ours(THEIRS / qrels, path, version, flag, measures)
    assert found == read((THEIRS / output).read_text("utf-8"))


def best(run: Path, most: int, to: Path) -> Path:
    "As -M: so many results of each topic, and no more"
    lines = sorted((line.split() for line in run.read_text("utf-8").splitlines()), key=lambda f: (float(f[4]), f[2]))
    topics: dict[str, list[str]] = {}
    for fields in reversed(lines):
        topics.setdefault(fields[0], []).append(" ".join(fields))
    to.write_text("".join(f"{line}\n" for kept in topics.values() for line in kept[:most]), "utf-8")
    return to
