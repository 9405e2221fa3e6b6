"""The command `ndcg`: what it prints, where, and how it ends."""

import argparse
import io
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import ROOT
from shared.report import call_in
from shared.tables import rows_of

from ndcg_nb import __version__, compare, evaluate
from ndcg_nb.hood.reports import cli, trec
from ndcg_nb.hood.reports.cli import main

KITCHEN = ROOT / "ndcg_nb/data/kitchen"
QRELS, BM25, TITLES = (str(KITCHEN / name) for name in ("qrels.txt", "bm25.run", "titles.run"))
GOLDEN = ROOT / "tests/golden/trec_eval"


class Said(NamedTuple):
    "How a command ended"

    code: int
    out: str
    err: str


Ndcg = Callable[..., Said]


@pytest.fixture
def ndcg(capsys: pytest.CaptureFixture[str]) -> Ndcg:
    "The command, in this process"

    def run(*words: object) -> Said:
        capsys.readouterr()
        return Said(main([str(word) for word in words]), *capsys.readouterr())

    return run


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    "A folder with two queries, of which the run has one"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q2 0 a 1\nq1 0 b 2\nq1 0 c 1\n")
    (tmp_path / "run").write_text("q1 Q0 c 1 2 x\nq1 Q0 b 2 1 x\n")
    yield tmp_path


SWAPPED = (1 + 2 / log2(3)) / (2 + 1 / log2(3))  # the two documents of q1, the wrong way round
HALF = f"{SWAPPED:.4f}"


def process(*words: object, **given: Any) -> subprocess.CompletedProcess:
    "The command, in a process of its own"
    return subprocess.run([sys.executable, "-m", "ndcg_nb", *map(str, words)], capture_output=True, **given)


# eval


def test_every_query_of_several_runs_then_the_means(ndcg: Ndcg, small: Path) -> None:
    (small / "best").write_text("q1 Q0 b 1 2 x\nq2 Q0 a 1 1 x\n")
    lines = ndcg("eval", "qrels", "run", "best", "-q").out.splitlines()
    assert lines[:3] == ["run  ndcg@10", "q2    0.0000", f"q1    {HALF}"]
    assert lines[4:6] == ["best  ndcg@10", "q2     1.0000"]


def test_formats_of_every_query(ndcg: Ndcg, small: Path) -> None:
    tsv = ndcg("eval", "qrels", "run", "--format", "tsv", "-q", "--missing", "skip", "--digits", "2").out
    assert tsv == "run\tquery\tndcg@10\nrun\tq2\t\nrun\tq1\t0.86\nrun\tall\t0.86\n"
    markdown = ndcg("eval", "qrels", "run", "--format", "markdown", "-q").out
    assert "| q2 | 0.0000 |\n| q1 | 0.8597 |\n\n|  | ndcg@10 |" in markdown, "no query is the best of them, in bold"
    latex = ndcg("eval", QRELS, BM25, TITLES, "--format", "latex", "-q").out
    assert latex.startswith("\\begin{tabular}{lr}\n\\toprule\nbm25.run & ndcg@10")
    assert latex.count("\\toprule") == 3


def test_like_and_missing(ndcg: Ndcg, small: Path) -> None:
    assert ndcg("eval", "qrels", "run", "--like", "trec_eval").out.endswith(f" {HALF}\n")
    assert ndcg("eval", "qrels", "run", "--like", "trec_eval", "--missing", "zero").out.endswith(" 0.4299\n")


def test_a_joined_table_and_its_columns(ndcg: Ndcg, small: Path) -> None:
    (small / "table.csv").write_text("q,d,label,s\nq1,b,2,1\nq1,c,1,2\n")
    named = [word for pair in ("query=q", "document=d", "grade=label", "score=s") for word in ("--column", pair)]
    assert ndcg("eval", "table.csv", "-m", "ndcg", *named).out.endswith(f" {HALF}\n")


def test_another_encoding(ndcg: Ndcg, small: Path) -> None:
    (small / "latin").write_bytes("q1 Q0 b 1 2 \xe9\n".encode("latin-1"))
    refused = ndcg("eval", "qrels", "latin")
    assert refused.code == 2
    assert "latin:1 cannot be read as UTF-8" in refused.err
    assert "say --encoding, e.g. 'latin-1'" in refused.err
    assert ndcg("eval", "qrels", "latin", "--encoding", "latin-1").code == 0


def test_files_before_and_behind_options(ndcg: Ndcg, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behind = ndcg("eval", "-m", "ndcg", "qrels", "run")
    assert behind.code == 0
    assert ndcg("eval", "qrels", "-m", "ndcg", "run") == behind
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((small / "run").read_bytes())))
    assert ndcg("eval", "qrels", "--quiet", "-").out.startswith("       ndcg@10\nstdin ")


def test_a_slip_is_noticed_before_files_are_read(ndcg: Ndcg, small: Path) -> None:
    assert "did you mean 'ndcg'?" in ndcg("eval", "nope", "run", "-m", "ndgc").err
    assert "no dialect" in ndcg("explain", "nope", "run", "q1", "--like", "nobody").err


# Pipes and packed files


def test_who_reads_only_the_head_is_not_bothered(small: Path) -> None:
    (small / "many").write_text("".join(f"q{i} 0 a 1\n" for i in range(30_000)))
    (small / "found").write_text("".join(f"q{i} Q0 a 1 1 x\n" for i in range(30_000)))
    line = f"{sys.executable} -m ndcg_nb eval many found -q --trec --quiet | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("ndcg_cut_10           \tq0\t1.0000\n", "")
    assert done.returncode == 141, "as every program that is stopped by a closed pipe"


def test_where_only_ascii_is_spoken(small: Path) -> None:
    env = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-X", "utf8=0", "-m", "ndcg_nb"]
    done = subprocess.run([*command, "explain", "qrels", "run", "q1"], env=env, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert "−0.140".encode() in done.stdout
    (small / "ümlaut").write_text("q1 Q0 ü 1 2 x\nq1 Q0 b 2 1 x\n")
    done = subprocess.run([*command, "eval", "qrels", "ümlaut", "-q"], env=env, capture_output=True)
    assert done.returncode == 0
    assert b"mlaut" in done.stdout


# trec_eval's own format


def cases() -> list[tuple[str, ...]]:
    "Whatever trec_eval answered: name, judgements, run, measures, version and flags, and what it printed"
    found = []
    for file in ("awkward.json", "beside.json"):
        kept = json.loads((GOLDEN / file).read_text("utf-8"))
        for case in kept["cases"]:
            if "files" in case:
                judged, lines = ((GOLDEN / "theirs" / name).read_text("utf-8") for name in case["files"])
                case |= {"qrels": judged, "run": lines}
            for version, answers in case["answers"].items():
                for flag, answer in answers.items():
                    if not answer.get("exit"):
                        asked = f"{version} {flag}".strip(), " ".join(kept["measures"])
                        found.append((case["name"], case["qrels"], case["run"], *asked, answer["printed"]))
    return found


REFUSED = {  # by us, and said so, where trec_eval goes on
    "no topic in common": "no query in common",
}
LIKE = {"9.0.8": ["--trec"], "10.0": ["--trec", "--like", "trec_eval-10"]}


@pytest.mark.parametrize("name, qrels, run, asked, measures, printed", cases(), ids=lambda x: x[:40].split("\n")[0])
def test_what_trec_eval_prints(
    name: str, qrels: str, run: str, asked: str, measures: str, printed: str, ndcg: Ndcg, small: Path
) -> None:
    (small / "qrels").write_text(qrels)
    (small / "run").write_text(run)
    version, *flags = asked.replace("-c", "--missing zero").split()
    done = ndcg("eval", "qrels", "run", *LIKE[version], *measures.split(), *flags, "--disjoint", "zero")
    if name in REFUSED:
        assert done.code == 2
        assert REFUSED[name] in done.err
    else:
        assert done.out == printed


@pytest.mark.parametrize(
    "printed, files, flags",
    [
        ("out.test.a", "qrels.test results.test", ""),
        ("out.test.aq", "qrels.test results.test", "-q"),
        ("out.test.aqc", "qrels.test results.trunc", "-q --missing zero --like trec_eval-10"),
        ("out.test.aql", "qrels.rel_level results.test", "-q -l2"),
    ],
)
def test_trec_eval_own_printed_results(printed: str, files: str, flags: str, ndcg: Ndcg) -> None:
    "Its folder of tests has what it prints; not all of its measures are ours"
    theirs = GOLDEN / "theirs"
    number = re.compile(r"_\d+$")
    lines = (theirs / printed).read_text("utf-8").splitlines(keepends=True)
    wanted = [line for line in lines if number.sub("", line.split()[0]) in trec.TREC]
    done = ndcg("eval", *(theirs / file for file in files.split()), "--trec", "-m", " ".join(trec.TREC), *flags.split())
    assert done.out == "".join(wanted)
    assert len(wanted) >= 46


@pytest.mark.skipif(not shutil.which("trec_eval"), reason="trec_eval is not installed")
@pytest.mark.parametrize("measure", [*trec.TREC])
def test_beside_trec_eval_itself(measure: str, ndcg: Ndcg) -> None:
    words = ["-q", "-l2", "-m", measure, QRELS, TITLES]
    like = "trec_eval-10" if b" 10." in subprocess.run(["trec_eval", "-v"], capture_output=True).stderr else "trec_eval"
    wanted = subprocess.run(["trec_eval", "-c", *words], capture_output=True, text=True).stdout
    assert ndcg("eval", "--trec", "--like", like, "--missing", "zero", *words).out == wanted


@pytest.mark.parametrize("name", ["gm_bpref", "rbp", "official", "set_F.1", "iprec_at_recall_0.1"])
def test_trec_refuses_what_we_lack(name: str, ndcg: Ndcg) -> None:
    code, out, err = ndcg("eval", QRELS, BM25, "--trec", "-m", name)
    assert (code, out) == (2, "")
    assert err.startswith(f"ndcg: error: --trec has no {name}: ")


# What trec_eval 9 and 10 print of the sample files; a number after some measures is ignored there
THEIRS = rows_of("""
set_P.5       | set_P      | 0.3056
set_recall.5  | set_recall | 0.7685
map.5         | map        | 0.6105
recip_rank.10 | recip_rank | 0.8889
Rprec.5       | Rprec      | 0.5000
num_q.5       | num_q      | 9
num_ret.3     | num_ret    | 84
P.5           | P_5        | 0.4444
success.3     | success_3  | 0.8889
""")


@pytest.mark.parametrize("asked, name, value", THEIRS)
def test_trec_ignores_the_parameters_that_trec_eval_ignores(asked: str, name: str, value: str, ndcg: Ndcg) -> None:
    done = ndcg("eval", QRELS, BM25, "--trec", "-m", asked)
    assert done.out == f"{name:22}\tall\t{value}\n"
    is_ignored = name == asked.partition(".")[0]
    assert ("trec_eval ignores" in done.err) == (is_ignored and not name.startswith("num"))


@pytest.mark.parametrize(
    "asked", ["ndcg.10", "ndcg_10", "map_5", "set_P_5", "recip_rank_10", "num_q_5", "P.0", "P.5,5"]
)
def test_trec_refuses_the_parameters_that_trec_eval_refuses(asked: str, ndcg: Ndcg) -> None:
    code, out, err = ndcg("eval", QRELS, BM25, "--trec", "-m", asked)
    assert (code, out) == (2, "")
    assert err.startswith("ndcg: error: ")


def test_trec_where_all_grades_are_negative(ndcg: Ndcg, small: Path) -> None:
    "trec_eval stops there, and the help says what we print"
    (small / "qrels").write_text("q1 0 b -1\nq1 0 c -2\n")
    words = ["eval", "qrels", "run", "--trec", "-m", "ndcg_cut.5 map P.5", "--quiet"]
    assert [line.split()[-1] for line in ndcg(*words).out.splitlines()] == ["0.0000"] * 3
    assert "0.0000 if all grades are negative" in ndcg("eval", "--help").out


@pytest.mark.parametrize("more", ["--at-least 0.9", "-o means.json"])
def test_counts_have_no_mean(more: str, ndcg: Ndcg, small: Path) -> None:
    code, out, err = ndcg("eval", QRELS, BM25, "--trec", "-m", "num_q", *more.split())
    option = more.split()[0]
    assert (code, out) == (2, "")
    assert err.startswith(f"ndcg: error: {option} needs a mean, and num_q is a count")
    assert not Path("h.jsonl").exists()
    assert not Path("means.json").exists()
    assert ndcg("eval", QRELS, BM25, "--trec", "-m", "num_q map", *more.split()).code in (0, 1)


@pytest.mark.parametrize(
    "words", ["eval --trec", "eval --format json", "compare --format json", "compare --format csv"]
)
def test_digits_are_for_tables(words: str, ndcg: Ndcg) -> None:
    command, *more = words.split()
    done = ndcg(command, QRELS, BM25, *[TITLES] * (command == "compare"), *more, "--digits", "2")
    assert (done.code, done.out) == (2, "")
    assert "--digits is for tables, not for " in done.err


def test_the_level_is_for_trec(ndcg: Ndcg) -> None:
    assert ndcg("eval", QRELS, BM25, "--trec", "-m", "recall", "-l", "0").code == 2
    level = ["--trec", "-l2", "--quiet", "-m", "recall.5", "-m", "recall(level=1)@5", "-m", "R@10"]
    assert [line.split()[0] for line in ndcg("eval", QRELS, BM25, *level).out.splitlines()] == [
        *("recall_5", "recall_10", "recall(level=1)@5")
    ]


def test_trec_takes_our_names_too(ndcg: Ndcg, small: Path) -> None:
    words = ["-m", "judged@10", "-m", "ndcg(gain=exp)@2", "-m", "ndcg@2"]
    assert ndcg("eval", "qrels", "run", "--trec", *words).out.splitlines() == [
        f"ndcg_cut_2            \tall\t{HALF}",
        "judged@10             \tall\t1.0000",
        "ndcg(gain=exp)@2      \tall\t0.7967",
    ]
    assert ndcg("eval", "qrels", "run", "--trec", "-m", "ndcg_cut_2").out == f"ndcg_cut_2            \tall\t{HALF}\n"
    cut = ndcg("eval", "qrels", "run", "--trec", "-m", "ndcg_cut").out
    assert " ".join(line.split()[0][9:] for line in cut.splitlines()) == "5 10 15 20 30 100 200 500 1000"


# compare


def test_compare(ndcg: Ndcg) -> None:
    found = compare(QRELS, {"titles.run": TITLES, "bm25.run": BM25}, "ndcg@10")
    code, out, err = ndcg("compare", QRELS, TITLES, BM25)
    assert code == 0
    assert "\n".join([out, *found.notes]).rstrip() == repr(found)
    assert err.splitlines() == [f"ndcg: note: {note}" for note in found.notes]
    assert ndcg("compare", QRELS, TITLES, BM25, "--quiet") == (0, out, "")
    assert "−0.3191" in ndcg("compare", QRELS, BM25, TITLES).out, "the second is held against the first"


def test_compare_passes_on_what_it_is_told(ndcg: Ndcg) -> None:
    how = {"test": "randomization", "interval": "bca", "alpha": 0.1, "margin": 0.5, "draws": 500, "seed": 7}
    options = [word for name, value in how.items() for word in (f"--{name}", value)]
    rules = {"like": "gdeval", "missing": "skip"}
    words = [word for name, value in rules.items() for word in (f"--{name}", value)]
    told = json.loads(ndcg("compare", QRELS, TITLES, BM25, "-m", "ndcg@5", *options, *words, "--format", "json").out)
    found = compare(QRELS, {"titles.run": TITLES, "bm25.run": BM25}, "ndcg@5", **how, **rules)
    assert told == json.loads(found.to_json())
    assert told["rules"] | how == told["rules"]


def test_compare_adjusts_or_not(ndcg: Ndcg, tmp_path: Path) -> None:
    (tmp_path / "third.run").write_text(Path(BM25).read_text("utf-8"), "utf-8")
    files = ("compare", QRELS, TITLES, BM25, tmp_path / "third.run", "--format", "json", "--adjust")
    told = {name: json.loads(ndcg(*files, name).out) for name in ("holm", "tukey", "none")}
    assert "adjusted" not in told["none"]["pairs"][0]
    assert told["none"]["rules"]["adjust"] is None
    assert told["holm"]["pairs"][0]["adjusted"] != told["tukey"]["pairs"][0]["adjusted"]
    against = json.loads(ndcg(*files, "holm", "--baseline", BM25).out)
    assert [(pair["a"], pair["b"]) for pair in against["pairs"]] == [
        ("bm25.run", "titles.run"),
        ("bm25.run", "third.run"),
    ]
    assert against == json.loads(ndcg(*files, "holm", "--baseline", "bm25.run").out)


@pytest.mark.parametrize("name, method", [("markdown", "to_markdown"), ("latex", "to_latex"), ("csv", "to_csv")])
def test_compare_formats(name: str, method: str, ndcg: Ndcg) -> None:
    found = compare(QRELS, {"titles.run": TITLES, "bm25.run": BM25}, "ndcg@10")
    assert ndcg("compare", QRELS, TITLES, BM25, "--format", name).out == getattr(found, method)() + "\n"
    if name != "csv":
        few = ndcg("compare", QRELS, TITLES, BM25, "--format", name, "--digits", 2)
        assert few.out == getattr(found, method)(digits=2) + "\n"


@pytest.mark.parametrize("command, function", [("eval", evaluate), ("compare", compare)])
@pytest.mark.parametrize("ending", [".html", ".md", ".json"])
def test_a_file_is_what_its_ending_asks_for(command: str, function: Any, ending: str, ndcg: Ndcg, small: Path) -> None:
    code, out, err = ndcg(command, QRELS, TITLES, BM25, "-o", f"out{ending}")
    assert code == 0
    assert err.splitlines()[-1] == f"ndcg: wrote out{ending}"
    assert out == ndcg(command, QRELS, TITLES, BM25).out
    written = Path(f"out{ending}").read_text("utf-8")
    if ending == ".html":
        assert call_in(written).endswith(f"-o out{ending}")
        assert "Left out" not in written
    else:
        result = function(QRELS, {"titles.run": TITLES, "bm25.run": BM25}, "ndcg@10")
        assert written == result.save(f"other{ending}").read_text("utf-8")


@pytest.mark.usefixtures("no_figures")
def test_the_command_in_a_report_makes_it_again(ndcg: Ndcg, small: Path) -> None:
    titles = KITCHEN / "documents.tsv"
    texts = KITCHEN / "queries.tsv"
    ndcg("compare", QRELS, TITLES, BM25, "-o", "report.html", "--titles", titles, "--texts", texts, "--seed", 3)
    first = (small / "report.html").read_text("utf-8")
    assert "Herbs in a glass of water" in first
    assert "how long to boil an egg" in first
    _, *line = shlex.split(call_in(first))
    assert ndcg(*line).code == 0
    assert (small / "report.html").read_text("utf-8") == first


# which, dialects


def test_the_last_zero_counts(ndcg: Ndcg) -> None:
    "0.67 may have been 0.6713; 0.6700 was not"
    assert ndcg("which", "0.67", QRELS, BM25, "-k", "10").code == 0
    assert ndcg("which", "0.6700", QRELS, BM25, "-k", "10") == (
        1,
        "",
        f"ndcg: no dialect gives 0.6700 for {BM25}; the nearest is trec_eval, with 0.671313\n",
    )
    assert ndcg("which", "0.6700", QRELS, BM25, "-k", "10", "--tolerance", "0.01").code == 0
    found = ndcg("which", "0.9123", QRELS, BM25, "-k", "10").err.rstrip().rpartition(" with ")[2]
    every = evaluate(QRELS, BM25, "ndcg@10").which(0.9123, tolerance=1)["nDCG"]
    assert abs(float(found) - 0.9123) == pytest.approx((every - 0.9123).abs().min(), abs=1e-6), (
        "the nearest, not the first"
    )


def test_one_dialect_by_another_name(ndcg: Ndcg) -> None:
    said = ndcg("dialects", "letor").out
    one = dict(line.split(maxsplit=1) for line in said.splitlines())
    assert one["name"] == "mslr"
    assert one["also"] == "letor"
    assert one["grades"] == "whole, up to 4"


# In a narrow terminal


@pytest.mark.parametrize("columns, lacks", [("100", ""), ("88", "effect"), ("80", "effect, won/tied/lost")])
def test_a_comparison_fits_the_terminal(ndcg: Ndcg, monkeypatch: pytest.MonkeyPatch, columns: str, lacks: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    lines = ndcg("compare", QRELS, TITLES, BM25, "--quiet").out.splitlines()
    said = [f"(not shown: {lacks}; try COLUMNS=200)"] * bool(lacks)
    assert lines[3] == "† after a mean: significantly better than the other system."
    assert lines[7:] == said
    assert "+0.3191" in lines[6]
    assert "better" in lines[6]
    assert max(map(len, lines)) <= int(columns)


LONG = "a-rather-long-name-of-a-system-that-is-new.run"
FITS = """
eval qrels.txt bm25.run titles.run -m 'ndcg@5,10 recall@5,10 rr ap judged@10 p@5' -q
compare qrels.txt bm25.run titles.run third.run --by class.tsv
compare qrels.txt bm25.run LONG
explain qrels.txt LONG q01
which 0.6700 qrels.txt bm25.run
dialects
dialects gdeval
eval qrels.txt bm25.run --weights weights.tsv
eval qrels.txt bm25.run -m ndgc
""".strip().splitlines()


@pytest.mark.parametrize("words", [*FITS, *(f"{name} --help" for name in cli.COMMANDS)])
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_everything_fits_the_terminal(
    words: str, columns: int, ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(KITCHEN, tmp_path / "kitchen")
    monkeypatch.chdir(folder)
    for made in ("third.run", LONG):
        shutil.copy("titles.run", made)
    queries = [f"q{i:02}" for i in range(1, 11) if i != 9]  # that was not judged
    Path("class.tsv").write_text("".join(f"{q}\t{'head' if q < 'q05' else 'tail'}\n" for q in queries))
    Path("weights.tsv").write_text("".join(f"{q}\t{i + 1}\n" for i, q in enumerate(queries)))
    monkeypatch.setenv("COLUMNS", str(columns))
    done = ndcg(*shlex.split(words.replace("LONG", LONG)))
    lines = (done.out + done.err).splitlines()
    assert max(map(len, lines)) <= columns
    if "--help" in words:
        assert len(lines) <= 60
    elif "compare" in words:
        assert "verdict" in done.out


def test_a_table_keeps_its_shape_where_names_are_too_long(
    ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    "Names are cut, columns are left out and named in one line; a row stays a row"
    monkeypatch.chdir(tmp_path)
    for name in (f"old-{LONG}", f"new-{LONG}"):
        shutil.copy(TITLES, name)
    words = ["compare", QRELS, BM25, f"old-{LONG}", f"new-{LONG}", "--quiet", "--baseline", f"old-{LONG}"]
    wide = ndcg(*words).out
    assert f"\nnew-{LONG} − old-{LONG} " in wide
    assert "not shown" not in wide
    monkeypatch.setenv("COLUMNS", "80")
    lines = ndcg(*words).out.splitlines()
    head, *rows = lines[-4:-1]
    assert head.split() == ["difference", "95%", "interval", "verdict"]
    assert [row.split("  ")[0] for row in rows] == ["bm25.run − old-a-r…ew.run", "new-a-r…ew.run − old-a-r…ew.run"]
    assert [row.split()[-1] for row in rows] == ["better", "undecided"]
    assert len(lines) == wide.count("\n") + 1
    assert lines[-1] == "(not shown: effect, won/tied/lost, p, adjusted; try COLUMNS=200)"


def test_letters_are_explained_below_the_table(ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "Where there are any: of two runs there is a †, and of runs with a baseline there are no groups"
    monkeypatch.chdir(tmp_path)
    shutil.copy(TITLES, "third.run")
    beaten = "A letter after a mean: significantly better than that system"
    shared = "Systems that share a group do not differ significantly"
    three = ["compare", QRELS, BM25, TITLES, "third.run", "--quiet"]
    assert ndcg(*three).out.splitlines()[4] == f"{beaten}. {shared}."
    assert ndcg(*three, "--baseline", TITLES).out.splitlines()[4] == f"{beaten}."
    two = ndcg(*three[:4], "--quiet").out
    assert "etter" not in two.replace("better", "")
    assert "† after a mean: significantly better than the other system.\n" in two
    assert beaten not in ndcg("compare", QRELS, TITLES, "third.run", Path("third.run").absolute(), "--quiet").out
    found = compare(QRELS, {"a": BM25, "b": TITLES, "c": TITLES}, "ndcg@10 rr")
    of_each = f"{beaten} by that measure. {shared} by the first measure."
    assert of_each in str(found)
    assert f"<div>{of_each}</div>" in found._repr_html_()


# Colours


GREEN = "\x1b[32m"
RED = "\x1b[31m"
YELLOW = "\x1b[33m"
PLAIN = "\x1b[0m"
BOLD = "\x1b[1m"


def print_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    "Which has colours"
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)


def test_verdicts_and_gates_have_colours(ndcg: Ndcg, monkeypatch: pytest.MonkeyPatch) -> None:
    print_to_a_terminal(monkeypatch)
    done = ndcg("compare", QRELS, BM25, TITLES, "--fail-if", "worse")
    assert done.out.splitlines()[-1].endswith(f" {RED}worse{PLAIN}")
    assert f"ndcg: {RED}failed{PLAIN}: " in done.err
    assert f" {BOLD}0.7530{PLAIN} †" in done.out
    assert [done.out.count("\x1b"), done.err.count("\x1b")] == [4, 2]
    done = ndcg("compare", QRELS, TITLES, BM25, "--fail-if", "worse")
    assert done.out.splitlines()[-1].endswith(f" {GREEN}better{PLAIN}")
    assert f"note: {GREEN}passed{PLAIN}: " in done.err
    assert ndcg("compare", QRELS, TITLES, BM25, "--fail-if", "worse", "--quiet").err == ""
    assert f" {YELLOW}undecided{PLAIN}\n" in ndcg("compare", QRELS, TITLES, BM25, "-m", "recall@20").out
    assert f"ndcg: {RED}failed{PLAIN}: " in ndcg("eval", QRELS, BM25, "--at-least", "0.99").err


def test_the_best_means_are_bold_and_an_error_is_red(
    ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    "Also where an earlier column has the same number, and where two runs are the best"
    print_to_a_terminal(monkeypatch)
    done = ndcg("eval", QRELS, TITLES, BM25, "-m", "ndcg@10 ndcg(gain=linear)@10", "--no-interval")
    head, titles, bm25 = done.out.splitlines()
    assert "\x1b" not in head + titles
    assert bm25.split()[1:] == [f"{BOLD}0.7530{PLAIN}"] * 2
    assert [len(re.sub(r"\x1b\[\d+m", "", line)) for line in (titles, bm25)] == [len(head)] * 2
    monkeypatch.chdir(tmp_path)
    shutil.copy(BM25, "same.run")
    assert ndcg("eval", QRELS, BM25, "same.run", "--no-interval").out.count(BOLD) == 2
    assert BOLD not in ndcg("eval", QRELS, BM25).out
    for words in (["eval", "nope", BM25], ["evl"], ["eval", QRELS, BM25, "--lik", "beir"]):
        assert ndcg(*words).err.startswith(f"ndcg: {RED}error:{PLAIN} ")


def test_of_many_runs_only_the_range_of_what_is_judged_is_said(
    ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    copies = [shutil.copy(BM25, f"{name}.run") for name in "abc"]
    shares = ndcg("eval", QRELS, BM25, *copies, "-m", "ndcg@5").err
    assert "On average, 98% (bm25.run), 98% (a.run), 98% (b.run), 98% (c.run) of the top 5 results" in shares
    assert (
        "On average, 90% to 98% of the top 5 results" in ndcg("eval", QRELS, TITLES, BM25, *copies, "-m", "ndcg@5").err
    )
    copies.append(shutil.copy(BM25, "d.run"))
    assert "On average, 98% of the top 5 results" in ndcg("eval", QRELS, BM25, *copies, "-m", "ndcg@5").err


def test_which_tries_10_and_says_so(ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documents = [f"d{i}" for i in range(20)]
    Path("qrels").write_text("".join(f"q 0 {d} {i % 3}\n" for i, d in enumerate(documents)))
    Path("run").write_text("".join(f"q Q0 {d} {i} {20 - i} x\n" for i, d in enumerate(documents, 1)))
    at_10 = evaluate("qrels", "run", "ndcg@10").value
    done = ndcg("which", f"{at_10:.6f}", "qrels", "run")
    assert done.code == 0
    assert "with its own cutoff: these give it with -k 10" in done.err
    assert "no dialect gives 0.1234 for run with its own cutoff, or with -k 10; the nearest" in (
        ndcg("which", "0.1234", "qrels", "run").err
    )
    assert "no dialect gives 0.1234 for run; the nearest" in ndcg("which", "0.1234", "qrels", "run", "-k", "10").err


@pytest.mark.parametrize("why", ["NO_COLOR", "TERM", "no TERM", "pipe"])
def test_colours_are_not_for_all(why: str, ndcg: Ndcg, monkeypatch: pytest.MonkeyPatch) -> None:
    print_to_a_terminal(monkeypatch)
    words = ["compare", QRELS, TITLES, BM25, "--fail-if", "worse"]
    painted = ndcg(*words)
    if why == "pipe":
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: False, raising=False)
    elif why == "no TERM":
        monkeypatch.delenv("TERM")
    else:
        monkeypatch.setenv(why, {"NO_COLOR": "1", "TERM": "dumb"}[why])
    plain = ndcg(*words)
    assert "\x1b" in painted.out
    assert "\x1b" in painted.err
    assert [plain.out, plain.err] == [re.sub(r"\x1b\[\d+m", "", text) for text in (painted.out, painted.err)]


@pytest.mark.parametrize("ending", ["html", "json", "csv", "md", "tex"])
def test_no_colour_is_in_a_file(ending: str, ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    print_to_a_terminal(monkeypatch)
    monkeypatch.chdir(tmp_path)
    done = ndcg("compare", QRELS, TITLES, BM25, "-o", f"out.{ending}", "--summary", "summary.md", "--fail-if", "worse")
    assert done.code == 0
    assert "\x1b" in done.out
    assert not [path for path in tmp_path.iterdir() if b"\x1b" in path.read_bytes()]
    for way in ("markdown", "latex", "csv", "json"):
        assert "\x1b" not in ndcg("compare", QRELS, TITLES, BM25, "--format", way).out


# The demo


def test_demo(ndcg: Ndcg, monkeypatch: pytest.MonkeyPatch) -> None:
    "Each step prints what its command prints in the folder that is named"
    monkeypatch.chdir(ROOT / "tests")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PATH", "nowhere")
    code, out, err = ndcg("demo")
    path = f"    PATH={shlex.quote(os.path.dirname(sys.executable))}:$PATH\n"
    assert code == 0
    assert f"    cd ../ndcg_nb/data/kitchen\n{path}" in out
    assert max(map(len, (out.replace(path, "") + err).splitlines())) <= 80
    monkeypatch.chdir("../ndcg_nb/data/kitchen")
    steps = [ndcg(*words.split()) for words in cli.STEPS.values()]
    assert all(not step.code and step.out in out for step in steps)
    assert err == "".join(step.err for step in steps)
    lowest = evaluate(QRELS, BM25, "ndcg@10").per_query.sort_values("ndcg@10")["query"].iloc[0]
    assert f"lost most on {lowest}," in out
    assert f"ndcg explain qrels.txt bm25.run {lowest}\n" in out


def test_the_demo_copies_its_files(ndcg: Ndcg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "To a new folder, whose name may need quotes; a folder that exists is left alone"
    monkeypatch.chdir(tmp_path)
    done = ndcg("demo", "-o", "my kitchen")
    assert done.code == 0
    assert "    cd 'my kitchen'\n" in done.out
    copied = {path.name: path.read_bytes() for path in (tmp_path / "my kitchen").iterdir()}
    assert copied == {path.name: path.read_bytes() for path in KITCHEN.iterdir()}
    assert "bm25.run" in copied
    assert ndcg("demo", "-o", "my kitchen") == (2, "", "ndcg: error: my kitchen: File exists\n")


# Help, and what goes wrong


def test_help_and_version(ndcg: Ndcg) -> None:
    assert ndcg() == ndcg("--help")
    assert ndcg("--version") == (0, f"ndcg {__version__}\n", "")
    for words in ([], ["eval"], ["explain"], ["which"], ["compare"], ["dialects"], ["demo"]):
        code, out, _ = ndcg(*words, "--help")
        assert code == 0
        assert "examples:\n  ndcg " in out
    assert all(name in ndcg("--help").out for name in cli.COMMANDS)


def test_the_examples_in_the_help_are_understood() -> None:
    parser = cli.make_parser()
    subs = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    lines = [line for sub in subs.choices.values() for line in (sub.epilog or "").splitlines() if "ndcg " in line[:22]]
    assert len(lines) >= 14
    for line in lines:
        words = line[line.index("ndcg ") :].split("  ")[0].split(" > ")[0].split()
        parser.parse_args(words[1:])


WRONG = rows_of("""
nonsense                                           | there is no command 'nonsense': there are eval,
evl qrels run                                      | there is no command 'evl'; did you mean 'eval'?
qrels run -m 'ndcg(gain=exp)'                      | no command 'qrels': try ndcg eval qrels run -m 'ndcg(gain=exp)'
eval qrels run ndcg@5                              | there is no file ndcg@5: if it is a measure, say -m ndcg@5
eval qrels run run                                 | run is given twice
eval - -                                           | standard input is given twice
eval qrels run -k 5                                | not understood: -k 5: say -m ndcg@10; see ndcg eval --help
which 0.5 qrels run -k 5 more                      | not understood: more; see ndcg which --help
which high qrels run                               | invalid number value: 'high'
explain qrels run q9                               | there is no judged query 'q9': there are 'q2', 'q1'
explain qrels run q1 -m ndcg@5,10                  | one measure can be explained at a time
eval run qrels                                     | This looks like a run
eval qrels run --form tsv                          | not understood: --form tsv; did you mean '--format'? see ndcg eval
eval qrels run --lik beir                          | --lik beir; did you mean '--like'? see ndcg eval --help
compare qrels run two --lik=beir                   | --lik=beir; did you mean '--like'? see ndcg compare --help
eval qrels run --xyz                               | not understood: --xyz; see ndcg eval --help
eval qrels run --column id=doc                     | 'id=doc' should be ROLE=NAME, where a role is one of query,
eval qrels run --by x.tsv                          | error: --by x.tsv: there is no such file
eval qrels run -m mrr_10                           | did you mean 'rr@10'?
eval qrels run -m map_cut_10                       | did you mean 'ap@10'?
eval qrels run -m 'rbp(p=x)'                       | p is 'x'
eval qrels run -m 'err(highest=x)'                 | highest is 'x'
eval qrels run -m 'penalized_ndcg(penalty=x)@3'    | penalty
eval qrels run -m 'ndcg(default_k=x)'              | k is 'x'
eval qrels run -m "ndcg(gain={1:'x'})@3"           | 'x'
eval qrels run --like gdevel                       | did you mean 'gdeval'? ndcg dialects lists the tools
dialects gdevel                                    | ndcg dialects lists the tools
compare qrels run other --like gdevel              | ndcg dialects lists the tools
compare qrels run other --fail-if not better       | --fail-if: put two words in quotes: --fail-if "not better"
next qrels run --grades 0,high                     | --grades: '0,high' should be numbers, as in 0,1,2,3
eval qrels run other --trec                        | --trec is for one run, as in trec_eval
compare qrels run other --baseline ruin            | baseline is 'ruin'
compare nope run other --alpha 2                   | alpha is 2.0
compare qrels run other --test sign --adjust tukey | --adjust tukey goes with --test t
eval qrels run -o means.xlsx                       | -o means.xlsx cannot be written
compare qrels run other -o report                  | -o report should end in one of
eval qrels run -o no/report.html                   | -o no/report.html: there is no folder no
compare qrels run other --titles t.tsv             | --titles and --texts are for a report: add -o report.html
compare qrels run other --titles short -o r.html   | short has a line without a tab between an id and a text
""")


@pytest.mark.parametrize("words, said", WRONG)
def test_what_is_wrong_is_said_in_a_line(words: str, said: str, ndcg: Ndcg, small: Path) -> None:
    (small / "short").write_text("q1 b\n")
    (small / "other").write_text("q1 Q0 b 1 2 x\n")
    code, out, err = ndcg(*shlex.split(words))
    assert (code, out) == (2, "")
    assert err.startswith("ndcg: error: ") and said in err and err.count("\n") == 1, err


@pytest.mark.parametrize(
    "error, code, said",
    [
        (TypeError("oh"), 3, "TypeError: oh. This is a bug in ndcg: --debug shows where"),
        (OSError(28, "No space left on device"), 2, "No space left on device"),
        (KeyError("there is no x"), 2, "there is no x"),
    ],
)
def test_a_bug_is_told_apart(
    error: Exception, code: int, said: str, ndcg: Ndcg, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(cli, "evaluate", fails)
    assert ndcg("eval", "qrels", "run") == (code, "", f"ndcg: error: {said}\n")


def test_a_type_error_of_python_is_a_bug(ndcg: Ndcg, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "Also where the line that it comes from is ours: only a `raise` is a check"
    monkeypatch.setattr(cli, "in_words", None)  # which the name of a report's command is made with
    code, _, err = ndcg("eval", "qrels", "run", "-o", "report.html")
    assert code == 3
    assert "'NoneType' object is not callable. This is a bug in ndcg" in err


def test_debug_shows_where(ndcg: Ndcg, small: Path) -> None:
    assert "Traceback" not in ndcg("eval", "nope", "run").err
    assert "Traceback" in ndcg("eval", "nope", "run", "--debug").err


# Streams that are closed, full or a terminal


@pytest.mark.parametrize("name", ["table", "tsv", "json", "markdown", "trec"])
@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_obeys_no_id(
    name: str, terminal: bool, ndcg: Ndcg, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    "And a program gets it as it is in the file"
    red = "\x1b[31m\x9b"
    (small / "qrels").write_text(f"q{red} 0 a 1\n")
    (small / f"run{red}").write_text(f"q{red} Q0 a 1 2 x\nmore{red} Q0 a 1 1 x\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    words = ["--trec"] if name == "trec" else ["--format", name]
    code, out, err = ndcg("eval", "qrels", f"run{red}", "-q", *words)
    assert code == 0
    assert "\x1b" not in err
    assert "\x9b" not in err
    assert r"run\x1b[31m" in err
    raw = not terminal and name in ("tsv", "json", "trec")
    assert ("\x9b" in out) == raw and ("\x1b" in out) == (raw and name != "json"), "JSON escapes it by itself"
    escaped = {"markdown": r"q\\x1b\[31m", "json": r"q\u001b[31m"}
    assert raw or escaped.get(name, r"q\x1b[31m") in out


def test_warnings_are_notes(ndcg: Ndcg, small: Path) -> None:
    (small / "ranks").write_text("q1 Q0 c 1 1 x\nq1 Q0 b 2 2 x\n")
    code, out, err = ndcg("eval", "qrels", "ranks")
    assert code == 0
    assert "disagree" not in out
    assert any(line.startswith("ndcg: note: ranks and scores of ranks disagree") for line in err.splitlines())
    assert ndcg("eval", "qrels", "ranks", "--quiet").err == ""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ndcg("eval", "qrels", "ranks")
    assert not told


def test_ctrl_c_is_an_exit_code(ndcg: Ndcg, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "evaluate", lambda *_, **__: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is born deaf to it
    try:
        assert ndcg("eval", "qrels", "run") == (130, "", "")
    finally:
        signal.signal(signal.SIGINT, before)


# Waiting, and starting


def test_python_dash_m(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["ndcg", "--version"])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("ndcg_nb", run_name="__main__")
    assert end.value.code == 0
    assert capsys.readouterr().out == f"ndcg {__version__}\n"


def test_a_small_table_needs_no_pandas(small: Path) -> None:
    code = "import sys; from ndcg_nb.hood.reports.cli import main; main(sys.argv[1:]); print('pandas' in sys.modules)"
    command = [sys.executable, "-c", code, "eval", "qrels", "run", "-q", "--quiet"]
    assert subprocess.check_output(command, text=True).endswith("\nFalse\n")


# Classes of queries, weights, people's judgements, a gate and a history


@pytest.fixture
def classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    "Eight queries, two runs, a class and a weight for each query"
    monkeypatch.chdir(tmp_path)
    queries = [f"q{n}" for n in range(8)]
    Path("qrels").write_text("".join(f"{q} 0 a 2\n{q} 0 b {n % 2}\n" for n, q in enumerate(queries)))
    Path("good").write_text("".join(f"{q} Q0 a 1 2 x\n{q} Q0 b 2 1 x\n" for q in queries))
    Path("bad").write_text("".join(f"{q} Q0 c 1 {3 + n} x\n{q} Q0 a 2 {n % 3} x\n" for n, q in enumerate(queries)))
    Path("class").write_text("".join(f"{q}\t{'odd' if n % 2 else 'even'}\n" for n, q in enumerate(queries)))
    Path("weight").write_text("".join(f"{q}\t{n + 1}\n" for n, q in enumerate(queries)))
    return tmp_path


def test_means_per_class_of_query(ndcg: Ndcg, classes: Path) -> None:
    code, out, _ = ndcg("eval", "qrels", "bad", "--by", "class", "--digits", "3")
    table = evaluate("qrels", {"bad": "bad"}).by("class")
    rows = [line.split() for line in out.splitlines()[-2:]]
    assert code == 0
    assert [row[:4] for row in rows] == [
        ["bad", label, "ndcg@10", f"{mean:.3f}"] for label, mean in zip(table["slice"], table["mean"])
    ]
    assert ndcg("eval", "qrels", "bad", "--by", "class", "--format", "markdown").out.count("| bad |") == 3
    Path("class").write_text("".join(f"q{n}\t{'one' if n == 0 else 'rest'}\n" for n in range(8)))
    assert " – " in ndcg("eval", "qrels", "bad", "--by", "class").out, "one query has no interval"


def test_differences_per_class_of_query(ndcg: Ndcg, classes: Path) -> None:
    code, out, err = ndcg("compare", "qrels", "good", "bad", "--by", "class")
    assert code == 0
    assert out.splitlines()[-1].startswith("odd ")
    assert "Too small to say much" in err
    assert "| odd |" in ndcg("compare", "qrels", "good", "bad", "--by", "class", "--format", "markdown").out


def test_weights_of_queries(ndcg: Ndcg, classes: Path) -> None:
    mean = evaluate("qrels", "bad", weights={f"q{n}": n + 1 for n in range(8)}).value
    said = ndcg("eval", "qrels", "bad", "--weights", "weight")
    assert f" {mean:.4f} ± " in said.out
    assert "Queries are weighted" in said.err
    assert f"{mean:.4f}" in ndcg("compare", "qrels", "good", "bad", "--weights", "weight").out


def test_means_corrected_by_people(ndcg: Ndcg, classes: Path) -> None:
    Path("people").write_text("".join(f"q{n} 0 a 1\nq{n} 0 b {(n + 1) % 3}\n" for n in range(6)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mean = evaluate("qrels", {"bad": "bad"}).corrected("people")["mean"][0]
    code, out, _ = ndcg("eval", "qrels", "bad", "--human", "people")
    assert code == 0
    assert f" {mean:.4f} " in out.splitlines()[-1]
    assert "corrected" in out


def test_the_gate_of_a_comparison(ndcg: Ndcg, classes: Path) -> None:
    trusting = "--unjudged", "zero"
    worse = ndcg("compare", "qrels", "good", "bad", "--fail-if", "worse", *trusting)
    assert worse.code == 1
    assert worse.err.splitlines()[-1].startswith("ndcg: failed: bad is worse than good: ndcg@10 −")
    better = ndcg("compare", "qrels", "bad", "good", "--fail-if", "worse", *trusting)
    assert better.code == 0
    assert "ndcg: note: passed: good is better than bad" in better.err
    by_less = ndcg("compare", "qrels", "good", "bad", "--fail-if", "worse", "--by-more-than", "0.9", *trusting)
    assert by_less.code == 0
    assert "passed: bad is worse than good, but not by more than 0.9: ndcg@10 −" in by_less.err
    assert ndcg("compare", "qrels", "good", "good2", "--fail-if", "not better").code == 2, "no such file"
    again = Path("good2").write_text(Path("good").read_text())
    assert again
    assert ndcg("compare", "qrels", "good", "good2", "--fail-if", "not better").code == 1
    assert ndcg("compare", "qrels", "good", "good2", "--fail-if", "worse").code == 0


def test_the_gate_of_a_run_whose_missing_queries_are_skipped(ndcg: Ndcg, classes: Path) -> None:
    Path("half").write_text("".join(Path("good").read_text().splitlines(True)[:6]))
    half = ndcg("eval", "qrels", "half", "--at-least", "0.1", "--missing", "skip")
    assert half.code == 2
    assert half.err.rstrip().endswith("count them as 0, --missing zero")


REFUSED_TOGETHER = rows_of("""
eval qrels good --by class --format json                  | --by and --human print tables: give --format table
eval qrels good -m ndcg@5,10 --at-least 0.5               | --at-least is for one measure, and there are ndcg@5,
compare qrels good bad --test sign --weights weight       | --test sign cannot use weights: give --test t or --test r
compare qrels good bad --fail-if worse -m idcg@2          | the gate has no answer
compare qrels good silent --fail-if worse --disjoint zero | no query in common
compare qrels good bad --by class --format json           | --by prints tables
compare qrels good bad --by-more-than 0.1                 | --by-more-than goes with --fail-if
compare qrels good bad third --fail-if worse              | --fail-if is for two runs
compare qrels good bad --fail-if worse --baseline bad     | give the baseline first
compare qrels good bad --weights short                    | have no weight: 'q1', 'q2'
""")


@pytest.mark.parametrize("words, said", REFUSED_TOGETHER)
def test_what_does_not_go_together(words: str, said: str, ndcg: Ndcg, classes: Path) -> None:
    Path("short").write_text("q0\t1\n")
    Path("silent").write_text("other Q0 a 1 1 x\n")
    refused = ndcg(*words.split())
    assert refused.code == 2
    assert said in refused.err


def test_a_summary_is_appended(ndcg: Ndcg, tmp_path: Path) -> None:
    "For a pull request: below what is there, with questions and the command; and of an evaluation, too"
    file = tmp_path / "step.md"
    file.write_text("# Build\n", "utf-8")
    said = ndcg("compare", QRELS, TITLES, BM25, "--summary", file, "--texts", KITCHEN / "queries.tsv")
    assert said.code == 0
    assert "appended to" in said.err
    told = file.read_text("utf-8")
    assert told.startswith("# Build\n**bm25.run is better than titles.run**: ndcg@10 +0.3191, 95% interval")
    assert "| q07 (not in titles.run) | coriander wilting | 0.0000 |" in told
    assert "\nndcg compare " in told
    assert ndcg("eval", QRELS, BM25, "--summary", file, "--quiet").code == 0
    assert "Lowest ndcg@10:" in file.read_text("utf-8")[len(told) :]


def test_a_summary_that_cannot_be_written_is_refused(ndcg: Ndcg, tmp_path: Path) -> None:
    said = ndcg("eval", QRELS, BM25, "--summary", tmp_path / "no/step.md")
    assert said.code == 2
    assert "step.md: there is no folder" in said.err
    titles = ndcg("eval", QRELS, BM25, "--summary", tmp_path / "step.md", "--titles", KITCHEN / "documents.tsv")
    assert titles.code == 2
    assert "--titles and --texts are for a report" in titles.err


def test_a_gate_over_several_measures(ndcg: Ndcg) -> None:
    words = "compare", QRELS, BM25, TITLES, "-m", "ndcg@10 recall@20 rr", "--fail-if"
    better_words = "compare", QRELS, TITLES, BM25, "-m", "ndcg@10 recall@20 rr", "--fail-if"
    said = ndcg(*words, "worse in any")
    assert said.code == 1
    assert said.err.count("is worse than bm25.run") == 2
    assert "recall@20" in said.out
    better = ndcg(*better_words, "worse in any")
    assert better.code == 0
    assert "bm25.run is worse by none of ndcg@10, recall@20, rr" in better.err
