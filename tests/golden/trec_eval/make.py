"""Asks the real programs about awkward files, and writes awkward.json: make.py 9.0.8=PROGRAM 10.0=PROGRAM"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
MEASURES = ["-m", "ndcg_cut.1,2,3,5,10,20,100,1000", "-m", "ndcg", "-q"]
FLAGS = {"": [], "-c": ["-c"]}


def judged(*rows: str) -> str:
    "A file of judgements from rows of `topic document grade`"
    return "".join("{} 0 {} {}\n".format(*row.split()) for row in rows)


def ranked(*rows: str) -> str:
    "A run from rows of `topic document score`; the ranks are those of the lines, and mean nothing"
    return "".join("{} Q0 {} {} {} run\n".format(*r[:2], i, r[2]) for i, r in enumerate(map(str.split, rows), 1))


PLAIN_QRELS = judged("1 a 1", "1 b 0", "1 c 2", "1 e 1", "2 a 0", "2 b 3", "2 d 1")
PLAIN_RUN = ranked("1 a 0.9", "1 b 0.8", "1 c 0.7", "1 x 0.6", "2 x 3.5", "2 d 2.5", "2 b 1.5")


def ties(seed: int, topics: int, documents: int, step: float) -> tuple[str, str]:
    "Topics whose scores stand on a coarse grid, or differ by less than 32 bits can tell"
    rng = Random(seed)
    qrels, run = [], []
    for topic in range(1, topics + 1):
        names = [f"{rng.choice('dDé_')}{i}" for i in range(documents)]
        for name in names:
            if rng.random() < 0.4:
                qrels.append(f"t{topic} {name} {rng.choice([-1, 0, 0, 0, 1, 1, 2, 3])}")
            if rng.random() < 0.8:
                run.append(f"t{topic} {name} {1 + step * rng.randrange(8)!r}")
    rng.shuffle(run)
    return judged(*qrels), ranked(*run)


def long_run() -> tuple[str, str]:
    "More than a thousand results, so that the cutoff of 1000 and no cutoff differ; 1,100 documents are relevant"
    rng = Random(7)
    names = [f"d{i}" for i in range(1_300)]
    qrels = [f"1 {name} {rng.choice([1, 2])}" for name in names[:1_100]]
    rng.shuffle(names)
    return judged(*qrels), ranked(*(f"1 {name} {2_000 - i}" for i, name in enumerate(names)))


# name: (what is awkward, judgements, run)
CASES: dict[str, tuple[str, str, str]] = {
    "plain": ("nothing", PLAIN_QRELS, PLAIN_RUN),
    "tabs": ("tabs for spaces", PLAIN_QRELS.replace(" ", "\t"), PLAIN_RUN.replace(" ", "\t")),
    "spaces": (
        "several spaces and tabs, before, between and after",
        "".join("  " + line.replace(" ", " \t  ") + " \t\n" for line in PLAIN_QRELS.splitlines()),
        "".join("\t " + line.replace(" ", "   ") + "  \n" for line in PLAIN_RUN.splitlines()),
    ),
    "form feeds": (
        "form feeds and vertical tabs are white space, too",
        PLAIN_QRELS.replace(" 0 ", "\f0\v"),
        PLAIN_RUN.replace(" Q0 ", "\vQ0\f"),
    ),
    "crlf": ("line ends of Windows", PLAIN_QRELS.replace("\n", "\r\n"), PLAIN_RUN.replace("\n", "\r\n")),
    "no last line end": ("the last line has no end", PLAIN_QRELS.rstrip(), PLAIN_RUN.rstrip()),
    "blank lines in the run": ("blank lines in the run", PLAIN_QRELS, "\n \n" + PLAIN_RUN.replace("\n", "\n\n")),
    "blank lines in the qrels": ("a blank line among the judgements", PLAIN_QRELS + "\n", PLAIN_RUN),
    "lines in any order": (
        "lines of the topics mixed, the best document last, and ranks that contradict the scores",
        "".join(sorted(PLAIN_QRELS.splitlines(True), key=lambda line: line[::-1])),
        "".join(sorted(PLAIN_RUN.splitlines(True), key=lambda line: line.split()[4])),
    ),
    "ranks that are no numbers": (
        "nothing reads the ranks",
        judged("1 a 1", "1 b 2"),
        "1 Q0 a first 0.5 run\n1 Q0 b - 0.4 run\n",
    ),
    "a run tag for each line": (
        "the last column and the second mean nothing",
        "1 x a 1\n1 2.5 b 2\n",
        "1 a a 1 0.5 one\n1 0 b 2 0.4 two\n",
    ),
    "seven columns in the run": (
        "what follows the tag means nothing",
        PLAIN_QRELS,
        PLAIN_RUN + "2 Q0 e 4 0.5 run and more\n",
    ),
    "document ties": (
        "all scores equal: documents by their bytes, falling",
        judged("1 a 1", "1 B 2", "1 b 0", "1 aa 0", "1 10 1", "1 9 3", "1 é 1", "1 _ 0", "1 a- 2"),
        ranked(*(f"1 {d} 1" for d in ("a", "B", "b", "aa", "10", "9", "é", "_", "a-", "~", "Ω", "🥚"))),
    ),
    "zero and minus zero": (
        "0, -0 and 0.0 are one score",
        judged("1 a 1", "1 c 2"),
        ranked("1 a 0", "1 b -0.0", "1 c -0", "1 d 0.0"),
    ),
    "float32 ties": (
        "scores that are one in 32 bits",
        judged("1 a 2", "1 c 1", "2 a 1", "3 a 1", "3 b 2", "4 b 1", "5 a 1"),
        ranked(
            *("1 a 1.000000001", "1 b 1.0", "1 c 0.9999999999", "1 d 0.99"),
            *("2 a 16777217", "2 b 16777216"),
            *("3 a 0.1", "3 b 0.10000000149011612", "3 c 0.09999999403953552"),
            *("4 a 123456789.1", "4 b 123456789.2"),
            *("5 a 1e-46", "5 b 0"),
        ),
    ),
    "scores of all kinds": (
        "exponents, signs, points without digits",
        judged("1 a 1", "1 c 2", "1 e 3", "1 g 1", "1 i 2"),
        ranked(
            *("1 a 1e5", "1 b +2.5E+4", "1 c -1e-3", "1 d .5", "1 e 5.", "1 f 1e-300"),
            *("1 g -7", "1 h 00012", "1 i 123456789012345678901234567890."),
        ),
    ),
    "infinite scores": (
        "infinities are scores, and beyond 32 bits is infinite in 9.0.8",
        judged("1 a 1", "1 b 2", "1 c 1", "1 d 2", "2 a 1", "2 b 3", "3 a 1", "3 b 2"),
        ranked(
            *("1 a inf", "1 b -inf", "1 c 1", "1 d -Infinity", "1 x Inf", "1 y -1e300"),
            *("2 a 1e39", "2 b inf", "2 c 3e38"),
            *("3 a 1e300", "3 b 1e299", "3 c 1e301"),
        ),
    ),
    "all infinite below": (
        "every score is minus infinity",
        judged("1 a 1", "1 b 2"),
        ranked("1 a -inf", "1 b -inf", "1 c -inf"),
    ),
    "negative grades": (
        "negative grades gain nothing, hold their rank, and are not in the ideal",
        judged("1 a -1", "1 b 2", "1 c -2", "1 d 1", "1 e -1", "2 a -1", "2 b 0", "2 c -1", "3 b 3", "3 a -3"),
        ranked("1 a 5", "1 b 4", "1 c 3", "1 d 2", "2 a 2", "2 b 1", "2 c 0", "3 a 2", "3 b 1"),
    ),
    "grades with signs and noughts": (
        "+1, 02 and -0",
        judged("1 a +1", "1 b 02", "1 c -0"),
        ranked("1 c 3", "1 a 2", "1 b 1"),
    ),
    "high grades": (
        "grades up to 100000",
        judged("1 a 100000", "1 b 999", "1 c 1", "1 d 50000"),
        ranked("1 c 4", "1 b 3", "1 d 2", "1 a 1"),
    ),
    "topics missing from the run": (
        "3 and 4 are judged and not in the run; 4 has nothing relevant",
        PLAIN_QRELS + judged("3 a 1", "3 b 2", "4 a 0"),
        PLAIN_RUN,
    ),
    "topics without judgements": (
        "3 is in the run and not judged",
        PLAIN_QRELS,
        PLAIN_RUN + ranked("3 a 1", "3 b 0.5", "0 a 1"),
    ),
    "both at once": (
        "0 is only judged, 3 only in the run",
        PLAIN_QRELS + judged("0 a 1"),
        PLAIN_RUN + ranked("3 a 1"),
    ),
    "no topic in common": ("nothing that can be compared", judged("1 a 1"), ranked("01 a 1", "one a 1")),
    "no document in common": (
        "the topic is found, its documents are not",
        judged("1 a 1"),
        ranked("1 A 1", "1 a. 0.5"),
    ),
    "nothing relevant": (
        "2 has zeros only, 3 zeros and a negative grade, 4 zeros and nothing of it retrieved",
        judged("1 a 1", "1 b 2", "2 a 0", "2 b 0", "3 a 0", "3 b -1", "4 c 0"),
        ranked("1 a 2", "1 b 1", "2 a 2", "2 b 1", "3 b 2", "3 a 1", "4 a 1"),
    ),
    "nothing relevant anywhere": ("zeros only", judged("1 a 0", "2 b 0"), ranked("1 a 1", "2 a 1")),
    "topics in odd order": (
        "10 before 9, and names beside numbers",
        judged(*(f"{t} d 1" for t in ("9", "10", "2", "b", "B", "007", "7", "é")), "10 e 2", "9 f 3"),
        ranked(*(f"{t} {d}" for t in ("10", "é", "9", "7", "2", "B", "007", "b") for d in ("x 3", "d 2", "e 1"))),
    ),
    "names that look like numbers or nothing": (
        "7 and 007, 1e3 and 1000, NA, null, nan, true are names",
        judged("7 1e3 1", "007 1000 1", "NA null 2", "NA nan 1", "nan NA 1", "true None 1", "1.0 1.0 1", "1 1 1"),
        ranked(
            *("7 1000 2", "7 1e3 1", "007 1000 2", "007 1e3 1", "NA nan 2", "NA NULL 1.5", "NA null 1"),
            *("nan NaN 3", "nan N/A 2", "nan NA 1", "true none 2", "true None 1", "1.0 1 2", "1.0 1.0 1", "1 1 1"),
        ),
    ),
    "names with quotes": (
        "quotes, commas, backslashes and # belong to the names",
        judged('"1 "a 1', "'2 b\" 2", "3 a,b 1", "4 a\\ 1", "5 #a 1", "5 a#b 2"),
        ranked('"1 a 2', '"1 "a 1', "'2 b 2", "'2 b\" 1", "3 a 2", "3 a,b 1", "4 a 2", "4 a\\ 1", "5 #a 2", "5 a#b 1"),
    ),
    "names with wide spaces": (
        "only ASCII white space parts two columns, and only a line feed two lines",
        "1 0 a\u00a0b 1\n1 0 a 2\n2 0 a\u2028b 1\n3 0 a\u0085b 2\n3 0 a\u3000 1\n4 0 a\x1cb 1\n",
        "1 Q0 a\u00a0b 1 2 run\n1 Q0 a 2 1 run\n2 Q0 a\u2028b 1 1 run\n2 Q0 a 2 2 run\n"
        "3 Q0 a\u0085 1 3 run\n3 Q0 a\u0085b 2 2 run\n3 Q0 a\u3000 3 1 run\n4 Q0 a 1 2 run\n4 Q0 a\x1cb 2 1 run\n",
    ),
    "names that look alike": (
        "é in one character and in two, in capitals, and with a space of no width, are four names",
        judged("1 caf\u00e9 1", "1 cafe\u0301 2", "1 CAF\u00c9 1"),
        ranked("1 CAF\u00c9 4", "1 caf\u00e9 3", "1 cafe\u0301 2", "1 caf\u00e9\u200b 1"),
    ),
    "long names": (
        "names of 5,000 characters that differ in their last",
        judged(f"{'q' * 2_000} {'d' * 5_000}1 1", f"{'q' * 2_000} {'d' * 5_000}2 2"),
        ranked(f"{'q' * 2_000} {'d' * 5_000}1 1", f"{'q' * 2_000} {'d' * 5_000}2 1", f"{'q' * 2_000} {'d' * 5_000} 1"),
    ),
    "a single document": ("one judged, one retrieved", judged("1 a 1"), ranked("1 a 0")),
    "few of many": (
        "30 relevant, 3 retrieved: the ideal is longer than the list",
        judged(*(f"1 d{i} {1 + i % 3}" for i in range(30))),
        ranked("1 d0 3", "1 d1 2", "1 d2 1"),
    ),
    "more than a thousand": ("1,300 retrieved, 1,100 relevant", *long_run()),
    "ties on a grid": ("twelve topics of scores on a grid", *ties(1, 12, 40, 0.25)),
    "ties of 32 bits": ("twelve topics of scores that 32 bits cannot tell apart", *ties(2, 12, 40, 2e-8)),
    "duplicate in the run": ("one document twice in a topic", PLAIN_QRELS, PLAIN_RUN + ranked("2 d 0.5")),
    "duplicate judgement, same grade": ("one document judged twice, alike", PLAIN_QRELS + judged("2 d 1"), PLAIN_RUN),
    "duplicate judgement, other grade": ("one document judged twice, unlike", PLAIN_QRELS + judged("2 d 2"), PLAIN_RUN),
    "five columns in the run": ("a line without its tag", PLAIN_QRELS, PLAIN_RUN + "2 Q0 e 4 0.5\n"),
    "three columns in the qrels": ("a line without its grade", PLAIN_QRELS + "2 0 e\n", PLAIN_RUN),
    "five columns in the qrels": ("a line with one more", PLAIN_QRELS + "2 0 e 1 1\n", PLAIN_RUN),
    "an empty run": ("no bytes at all", PLAIN_QRELS, ""),
    "empty qrels": ("no bytes at all", "", PLAIN_RUN),
}


def ask(program: str, flags: list[str], folder: str) -> dict[str, object]:
    "What the program printed, or how it refused"
    done = subprocess.run([program, *MEASURES, *flags, "qrels", "run"], cwd=folder, capture_output=True, timeout=60)
    if not done.returncode:
        return {"printed": done.stdout.decode()}
    return {"exit": done.returncode, "printed": done.stdout.decode(), "said": done.stderr.decode()}


def answers(programs: dict[str, str], qrels: str, run: str) -> dict[str, dict[str, dict[str, object]]]:
    "What each version says of two files, with and without -c"
    with TemporaryDirectory() as folder:
        Path(folder, "qrels").write_bytes(qrels.encode())
        Path(folder, "run").write_bytes(run.encode())
        return {
            version: {key: ask(p, flags, folder) for key, flags in FLAGS.items()} for version, p in programs.items()
        }


def main() -> None:
    programs = dict(argument.split("=", 1) for argument in sys.argv[1:])
    theirs = {
        f"trec_eval's own: {qrels}, {run}": [(HERE / "theirs" / name).read_text("utf-8") for name in (qrels, run)]
        for qrels in ("qrels.test", "qrels.rel_level")
        for run in ("results.test", "results.trunc")
    }
    found: list[dict[str, object]] = [
        {"name": name, "awkward": why, "qrels": qrels, "run": run, "answers": answers(programs, qrels, run)}
        for name, (why, qrels, run) in CASES.items()
    ]
    for name, (qrels, run) in theirs.items():
        files = name.partition(": ")[2].split(", ")
        found.append({"name": name, "files": files, "answers": answers(programs, qrels, run)})
    text = json.dumps({"measures": MEASURES, "cases": found}, ensure_ascii=True, indent=1)
    (HERE / "awkward.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
