"""Paste your run: the page reads and refuses what Python does, and its means are those of `evaluate`."""

from __future__ import annotations

import gzip
import json
import math
import random
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import NOTEBOOKS, ROOT, needs_browser
from javascript import call, needs_node

from ndcg_nb import evaluate, explain
from ndcg_nb.dialects import DIALECTS, register
from ndcg_nb.hood.tables.columns import ROLES
from ndcg_nb.hood.tables.reading import Reader
from ndcg_nb.widgets import paste
from ndcg_nb.widgets.paste import rules_sent

# Files that tools, editors, spreadsheets and people make, as (what is asked of it, its bytes).
QRELS = [
    b"q1 0 d1 1\nq1 0 d2 0\n",
    b"q1\t0\td1\t1\r\nq2\t0\td1\t2\r\n",
    b"\xef\xbb\xbfq1 0 d1 1",
    b"# a comment\n\n  q1   0  d1\t3 \n#q2 0 d1 1\n q2 0 #d 1\n",
    b" # no comment, four 1\n",
    b"q1 0 d1 1.5\nq1 0 d2 -2\nq1 0 d3 +3\nq1 0 d4 1e1\nq1 0 d5 .5\nq1 0 d6 5.\n",
    b"q1 0 d1 x\nq1 0 d2\nq1 0 d3 1 5\nq1 0 d4 nan\nq1 0 d5 1_0\nq1 0 d6 0x1\n" + b"q 0 d -\n" * 1200,
    b"q1 0 d1 inf\n",
    b"q1 0 d1 9007199254740993\n",
    b"q1 0 d1 9007199254740992\nq1 0 d2 9007199254740993.0\nq1 0 d3 00000000000000000003\n",
    b"q1 0 d1 " + b"9" * 80 + b"\n",
    b"q1 0 d\r1 1\n",
    b"q1 0 d1 1\rq1 0 d2 2\r",
    b"q1 0 d1 1\x0bq1 0 d2 2\n",
    "q1 0 d\u00a01 1\nq\u2028 0 d\x85 2\n\u3000 0 d 1\n".encode(),
    "q1 0 d1 ٣\n".encode(),
    "q1 0 'it' \"quoted\"\nq1 0 \\ it's\nq1 0 é \u200b\nq1 0 \U0001f95a \U0001f95a\U0001f95a\n".encode(),
    b"q1 0 " + "\U0001f95a\n".encode() + ("é" * 70).encode() + b" 1\n",
    b"q1 0 d\x001 1\n",
    b"q1 0 d1 1\nq1 0 \xff 1\n",
    b"\xff\xfeq\x001\x00",
    b"",
    b"\n\n",
    b"# only a comment",
    b"q1,d1,1\n",
    b"q1 Q0 d1 1 0.5 tag\n",
    b"q1 d1 1\n",
    b"query,document,grade\nq1,d1,1\nq1,d2,0\n",
    b"query,document,grade\r\nq1,d1,1\r\n\r\nq1,d2,0\r\n",
    b"query,document,grade\rq1,d1,1\rq1,d2,0",
    b"\xef\xbb\xbfQuery-ID;Doc ID;Relevance\nq1;d1;1\n",
    b"qid\tdocno\tlabel\nq1\td1\t 1 \n",
    b'query,document,grade\n"q,1","d ""1""",1\n"q\n2",d1,2\nq3,d"x",3\n"q4",d1,x\n',
    b'query,document,grade\n"q,1","d ""1""",1\n"q\r\n2",d1,2\nq3,d"x",3\n',
    b'query,document,grade\n"q"1,d,1\n',
    b'query,document,grade\nq,d,1\n"q,d,1\n',
    b'"query",document,grade\nq,d,1\n',
    b'"query"x,document,grade\nq,d,1\n',
    b"query,document,grade\nq1,d1,\n",
    b"query,document,grade\nq1,d1,1,2\nq1,d1\n,d1,1\nq1,,1\nq1,d1,one\nq1,d1,9007199254740993\n \n",
    b"query,document,grade,grade\nq1,d1,1,1\n",
    b"query,query_id,document,grade\ntext,q1,d1,1\n",
    b"qid,query_id,document,grade\nq0,q1,d1,1\n",
    b"query,document,score\nq1,d1,1\n",
    b"query,grade\nq1,1\n",
    b"query,document,grade\n",
    b"query,document\nq1,d1\n",
    b"query-id\tcorpus-id\tscore\nq1\td1\t2\n",
    b"query,document,grade,note\nq1,d1,1,\"two\nlines\"\nq1,d2,x,\n",
    b'{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}',
    b'{"10": {"9": 1, "8": 0}, "9": {"2": 2, "1": true}}',
    b'{"q1": {"d1": 1.0, "d2": null, "d3": -0.0}}',
    b'{"q1": {"d1": "1"}}',
    b'{"q1": {"d1": "x"}}',
    b'{"q1": {"d1": [1]}}',
    b'{"q1": {"d1": {"d2": 1}}}',
    b'{"q1": {"d1": NaN, "d2": Infinity, "d3": -Infinity}}',
    b'{"q1": {"d1": 1, "d1": 2}}',
    b'{"q1": {"d1": 1}, "q1": {"d2": 2}}',
    b'{"q1": {"d1": 9007199254740993}}',
    b'{"q1": {"d1": 9007199254740993.0, "d2": 1e999, "d3": 1E2}}',
    b'{"q1": {"d1": 01}}',
    b'{"q1": {"d1": 1.}}',
    b'{"q1": {"d1": +1}}',
    b'{"q1": {"d1": 1,}}',
    b"{'q1': {'d1': 1}}",
    b'{"q1": {"d1": 1}} trailing',
    b'{"q1": {"d1": 1}\n',
    b'{"q1": {"d\\u00e91": 1, "\\ud83e\\udd5a": 2, "a\\/\\n": 3}}',
    b'{"q1": {"d\\x": 1}}',
    b'{"q1": {"d\n1": 1}}',
    b'{"q1": ["d1", "d2"]}',
    b'{"q1": 1}',
    b'{"q1": {}}',
    b"{}",
    b"[]",
    b"[1, 2]",
    b"[[1]]",
    b"{",
    b"[" * 3000,
    b'[{"query": "q1", "document": "d1", "grade": 1}, {"query": 2, "document": 3, "grade": 0.5}]',
    b'[{"query": 1.0, "document": 1e16, "grade": 1}, {"query": 1.5e-5, "document": -0.0, "grade": 1}]',
    b'[{"query": 12345678901234567890, "document": 1e22, "grade": true}, '
    b'{"query": 0.0001, "document": 123456789012345.6, "grade": 1}]',
    b'[{"query": "q1", "document": "d1", "grade": 1}, {"query": "q1", "grade": 0}]',
    b'[{"query": "q1", "document": true, "grade": 1}]',
    b'[{"query": "q1", "document": ["d"], "grade": 1}]',
    b'[{"query": "q1", "document": NaN, "grade": 1}]',
    b'[{"query": "q1", "document": "d1"}, {"query": "q1", "document": "d2", "grade": 1}]',
    b'[{"query": "q1", "document": "d1", "meta": {"a": 1}, "grade": 1}]',
    b'[{"q1": {"d1": 1}}, {"q2": {"d1": 1}}]',
    b'[{"query": "q1", "document": "d1", "grade": "high"}]',
    b'{"query": "q1", "document": "d1", "grade": 1}\n{"query": "q2", "document": "d1", "grade": 2}\n',
    b'{"q1": {"d1": 1}}\n# a comment\n\n{"q1": {"d2": 2}}\n',
    b'{"q1": {"d1": 1}}\n{"q1": {"d2": }}\n',
    b'{"q1": {"d1": 1}}\n{"q1": {"d2": 1}} x\n',
    b'{"q1": {"d1": 1}}\n[1]\n',
    b'\xef\xbb\xbf {"q1": {"d1": 1}}',
    b"PAR1 and so on",
    b"BZh91AY",
]  # fmt: skip
RUNS = [
    b"q1 Q0 d1 1 0.5 tag\nq1 Q0 d2 2 0.25 tag\n",
    b"q1 Q0 d1 1 0.5 tag with words\n",
    b"q1 Q0 d1 1 -inf tag\nq1 Q0 d2 2 Infinity tag\nq1 Q0 d3 2 +INF tag\n",
    b"q1 Q0 d1 1 nan tag\n",
    b"q1 Q0 d1 1 0.5\n",
    b"q1 0 d1 1\n",
    b"q1 Q0 d1 x 1e-400 tag\nq1 Q0 d2 2 12345678901234567890 tag\nq1 Q0 d2 2 1e400 tag\n",
    b"q1 Q0 d1 x 1e-400 tag\nq1 Q0 d2 2 0.1000000000000000055511151231257827 tag\n",
    b"query,document,score\nq1,d1,0.5\nq1,d2,-inf\n",
    b"query,document,rank\nq1,d1,1\nq1,d2,2\n",
    b"query,document,rank\nq1,d1,1\nq1,d2,\n",
    b"query,document,rank,score\nq1,d1,1,0.5\nq1,d2,2,0.25\n",
    b"query,document,grade\nq1,d1,1\n",
    b"user_id,item_id,prediction\n1,2,0.5\n01,2.0,0.5\n",
    b'{"q1": ["d1", 7, "d2"], "q2": []}',
    b'{"q1": ["d1", true]}',
    b'{"q1": ["d1", 1.5]}',
    b'{"q1": ["d1", null]}',
    b'{"q1": {"d1": 0.5}, "q2": ["d1"]}',
    b'{"q1": {"d1": -Infinity, "d2": 0.1}}',
    b'{"run": {"q1": {"d1": 1}}}',
    b'[{"qid": "q1", "pid": "d1", "rank": 1}, {"qid": "q1", "pid": "d2", "rank": 2}]',
    b'[{"qid": "q1", "pid": "d1", "rank": 1}, {"qid": "q1", "pid": "d2", "rank": null}]',
]
FILES = [("grade", x) for x in QRELS] + [("score", x) for x in RUNS + QRELS]
JOINED = [
    b"query,document,score,grade\nq1,d1,0.5,1\nq1,d2,0.25,\nq1,d3,,2\n",
    b"query,score,grade\nq1,0.5,1\nq1,0.25,0\n",
    b"query,document,rank,grade\nq1,d1,1,1\nq1,d2,2,0\nq1,d3,,1\n",
    b"query,document,score,grade\nq1,d1,,\n",
    b"query,document,grade\nq1,d1,1\n",
    b"query,document,score,grade\nq1,d1,x,1\n",
    b'[{"query": "q1", "score": 0.5, "grade": 1}, {"query": "q1", "score": 0.25}]',
    b'{"q1": {"d1": 1}}',
    b"q1 0 d1 1\n",
    b"",
]
READ = """(m, files, roles) => files.map(([kind, bytes]) => {
  try {
    const text = m.textOf(Uint8Array.from(bytes), "<bytes>");
    const rows = kind === "joined" ? m.readJoined(text, "<bytes>", roles) : m.readRows(text, kind, "<bytes>", roles);
    const places = rows.query.map((_, i) => rows.place(i));
    return [rows.query, rows.document, rows.value ?? rows.grade, rows.score ?? null, places];
  } catch (error) {
    if (!(error instanceof m.Unreadable)) throw error;
    return error.message;
  }
})"""


def python_reads(kind: str, data: bytes) -> Any:
    "What Python reads, in columns; or why it does not"
    try:
        if kind == "joined":
            rows, score = Reader().joined(data)
        else:
            rows, score = Reader().rows(data, kind, "<bytes>"), None
    except ValueError as error:
        return str(error)
    every = range(len(rows))
    columns = [rows.query.at(every), rows.document.at(every), rows.value.tolist()]
    return [*columns, None if score is None else score.tolist(), [rows.place(i) for i in every]]


def read_both(files: list[tuple[str, bytes]]) -> list[tuple[str, bytes, Any, Any]]:
    theirs = call("tables", READ, [(kind, list(data)) for kind, data in files], ROLES)
    return [(kind, data, python_reads(kind, data), js) for (kind, data), js in zip(files, theirs, strict=True)]


def agree(kind: str, data: bytes, python: Any, js: Any) -> str:
    "Nothing, if both read the same rows, or refuse for the same reason at the same line; else what differs"
    if isinstance(python, str) != isinstance(js, str):
        return "one of them refuses"
    if not isinstance(python, str):
        return (
            "" if repr(python) == repr([*js[:2], *([*map(float, x)] if x else x for x in js[2:4]), js[4]]) else "rows"
        )
    python = re.sub(r", or give columns=\{'query': '.*?'\}(?=; if not, add one$)", "", python)  # as no page can be told
    places = [re.findall(r"<bytes>:\d+", text) for text in (python, js)]
    lines = [re.findall(r"^<bytes>:\d+: (?:expected|the |a carriage|\S+ is ).*", text, re.M) for text in (python, js)]
    return "lines" if places[0] != places[1] else "words" if lines[0] != lines[1] else ""


def test_hostile_files_are_read_and_refused_alike() -> None:
    verdicts = []
    for kind, data, python, js in read_both(FILES + [("joined", x) for x in JOINED]):
        assert not (why := agree(kind, data, python, js)), (why, kind, data, python, js)
        verdicts.append(isinstance(js, str))
    assert sum(verdicts) > 60 and len(verdicts) - sum(verdicts) > 60


def test_files_with_bytes_changed_are_read_and_refused_alike() -> None:
    rng, files = random.Random(3), []
    good = [x for x in FILES + [("joined", x) for x in JOINED] if 20 < len(x[1]) < 400]
    while len(files) < 1500:
        kind, data = rng.choice(good)
        changed = bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 4])):
            i = rng.randrange(len(changed))
            changed[i : i + rng.choice([0, 1, 1])] = rng.choice(
                [b"", b" ", b"\n", b"\r", b",", b'"', b"\t", b"{", b"}", b"]", b"#", b"0", b"-", b"x", b"\\"]
            )
        files.append((kind, bytes(changed)))
    for kind, data, python, js in read_both(files):
        assert not (why := agree(kind, data, python, js)), (why, kind, data, python, js)


# ---- Means ----

SENT = [rules_sent(name) for name in DIALECTS]
INF = float("inf")
GRADES = {
    "whole": lambda r: r.choice([0, 0, 1, 2, 3, 4]),
    "nothing": lambda r: 0,
    "steep": lambda r: r.choice([0, 1, 5, 20, 30, 31, 32, 40]),
    "parts": lambda r: r.choice([0, 0.25, 0.5, 1, 2.5, r.random()]),
    "signed": lambda r: r.choice([-2, -1, 0, 1, 3]),
    "large": lambda r: r.choice([0, 1, 513, 700, 1500, 1e300]),
}
SCORES = {
    "apart": lambda r: r.uniform(-5, 5),
    "tied": lambda r: r.choice([0.5, 1, 1.5]),
    "alike in 32 bits": lambda r: 1 + r.randrange(4) * 1e-9,
    "zeros": lambda r: r.choice([0.0, -0.0, 1e-320]),
    "endless": lambda r: r.choice([-INF, -INF, -1e39, -1e300, 0.5, INF, r.random()]),
}
NAMES = [
    "a",
    "b",
    "d9",
    "d10",
    "é",
    "z",
    "Z",
    "\U0001f95a",
    "\ufb01",
    "ab",
    "abc",
    "0",
    "00",
    "-",
    "~",
    "€",
    "q1",
    "q2",
]


def problem(rng: random.Random) -> dict[str, Any]:
    "Judgements and a run: queries may be missing, empty or unjudged, documents unjudged or the query itself; ties"
    grade = GRADES[rng.choice(["whole"] * 6 + list(GRADES))]
    queries = [f"q{i}" for i in range(rng.choice([1, 2, 3, 5, 8]))]
    qrels = {q: {d: grade(rng) for d in rng.sample(NAMES, rng.randint(1, 9))} for q in queries}
    score, run = SCORES[rng.choice(list(SCORES))], {}
    for q in [*queries, "other"]:
        found = rng.sample(NAMES, rng.choice([0, 0, 1, 3, 6, 12]) if rng.random() < 0.4 else rng.randint(1, 14))
        run[q] = {d: score(rng) for d in found}
    if rng.random() < 0.1:
        qrels = {q: dict.fromkeys(judged, 0) for q, judged in qrels.items()}
    return {"qrels": qrels, "run": run, "k": rng.choice([None, None, 1, 2, 3, 5, 10, 40])}


def problems(count: int, seed: int) -> list[dict[str, Any]]:
    "Problems that at least one tool has a number for"
    rng, made = random.Random(seed), []
    while len(made) < count:
        asked = problem(rng)
        both = any(asked["run"][q].keys() & judged.keys() for q, judged in asked["qrels"].items())
        made += [asked] if both else []
    return made


def as_lines(asked: dict[str, Any]) -> tuple[str, str]:
    "The same as lines of TREC"
    qrels = [f"{q} 0 {d} {g!r}" for q, judged in asked["qrels"].items() for d, g in judged.items()]
    run = [f"{q} Q0 {d} 1 {s!r} x" for q, found in asked["run"].items() for d, s in found.items()]
    return "\n".join(qrels), "\n".join(run) + "\n"


EVALUATE = """(m, problems, tools, roles) => problems.map(([qrels, runs, k]) => {
  const { queries, says } = m.evaluate(m.readProblem({ qrels: ["qrels", qrels], runs, roles }), tools, k);
  return { queries, says };
})"""


def python_says(qrels: Any, run: Any, k: int | None, name: str) -> Any:
    "The mean and the values of `evaluate`; or why there are none"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = evaluate(qrels, run, "ndcg" if k is None else f"ndcg@{k}", like=name)
    except (ValueError, OverflowError) as error:
        return str(error)
    return found.value, found.values[0, :, 0].tolist()


def near(ours: float, theirs: float) -> bool:
    return (ours != ours and theirs != theirs) or abs(ours - theirs) <= 1e-12 * max(1, abs(theirs))


def compare(asked: dict[str, Any], qrels: Any, run: Any, said: dict[str, Any]) -> dict[str, str]:
    "What the page says of each tool, compared with Python: `refused`, `nothing` where no query is left, or `same`"
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scores that look like ranks, and the like
        qrels, run = (Reader().joined(qrels), None) if run is None else Reader().sides(qrels, {"run": run})  # read once
    for name, (says,) in zip(DIALECTS, said["says"], strict=True):
        python = python_says(qrels, run, asked["k"], name)
        if isinstance(python, str):
            assert "refused" in says, (name, asked, python, says)
            found[name] = "refused"
        elif python[0] != python[0]:
            assert says == {"refused": "leaves out every query"}, (name, asked, says)
            found[name] = "nothing"
        else:
            assert "mean" in says, (name, asked, python, says)
            assert near(says["mean"], python[0]), (name, asked, python, says)
            assert all(map(near, says["values"], python[1])), (name, asked, python, says)
            found[name] = "same"
    return found


@needs_node
def test_every_tool_on_random_problems() -> None:
    asked = problems(200, seed=5)
    texts = [as_lines(x) for x in asked]
    given = [[qrels, [["run", run]], x["k"]] for (qrels, run), x in zip(texts, asked)]
    seen: dict[str, set[str]] = {name: set() for name in DIALECTS}
    for x, (qrels, run), said in zip(asked, texts, call("runs", EVALUATE, given, SENT, ROLES), strict=True):
        for name, what in compare(x, qrels.encode(), run.encode(), said).items():
            seen[name].add(what)
    assert all("same" in kinds for kinds in seen.values()), seen
    assert sum("refused" in kinds for kinds in seen.values()) > 15


@needs_node
def test_joined_tables_and_json() -> None:
    "One table of both, and JSON whose ids are numbers, give the numbers of `evaluate`"
    asked = [
        x
        for x in problems(24, seed=6)
        if x["k"] and all(s > -INF for found in x["run"].values() for s in found.values())
    ]
    given, python = [], []
    for x in asked:
        scores = {(q, d): s for q, found in x["run"].items() for d, s in found.items()}
        grades = {(q, d): g for q, judged in x["qrels"].items() for d, g in judged.items()}
        rows = [f"{q}\t{d}\t{scores.get((q, d), '')}\t{grades.get((q, d), '')}" for q, d in scores | grades]
        table = "\n".join(["query\tdocument\tscore\tgrade", *rows])
        both = [json.dumps(x[side]) for side in ("qrels", "run")]
        given += [[table, [], x["k"]], [both[0], [["run", both[1]]], x["k"]]]
        python += [(table.encode(), None), (both[0].encode(), both[1].encode())]
    for i, said in enumerate(call("runs", EVALUATE, given, SENT, ROLES)):
        assert "same" in compare(asked[i // 2], *python[i], said).values()


def test_sums_and_roundings_are_pythons() -> None:
    rng = random.Random(7)
    lists = [
        [
            rng.choice([rng.random(), 10 ** rng.uniform(-20, 20), -rng.random(), 1e16, -1e16, 2**-60])
            for _ in range(rng.randint(0, 40))
        ]
        for _ in range(400)
    ]
    sums = call("runs", "(m, lists) => lists.map(m.exactSum)", lists)
    assert [*map(float, sums)] == [math.fsum(x) for x in lists]
    halves = (
        [i / 2**j for i in range(1, 64, 2) for j in range(1, 12)]
        + [rng.random() for _ in range(400)]
        + [0.0, 1.0, 2.5, 0.00005, 12345.67895]
    )
    for digits in (4, 5):
        assert call("runs", "(m, all, n) => all.map((x) => m.rounded(x, n))", halves, digits) == [
            round(x, digits) for x in halves
        ]


REFUSED = [
    (
        "q1 0 d1 1\nq1 0 d1 2\n",
        "q1 Q0 d1 1 1 x\n",
        "document 'd1' of 'q1' has two grades: 1 (qrels:1) and 2 (qrels:2): keep",
    ),
    (
        "q,d,g\nq1,d1,1\n",
        "q1 Q0 d1 1 1 x\n",
        "qrels:1: expected 4 fields (query, iteration, document, grade), got 1: 'q,d,g': if this is a header, ",
    ),
    ("q1 0 d1 inf\n", "q1 Q0 d1 1 1 x\n", "qrels:1: the grade is inf, and must be a finite number"),
    (
        "q1 0 d1 1\n",
        "q1 Q0 d1 1 1 x\nq1 Q0 d1 2 0 x\n",
        "document 'd1' appears twice among the results of query 'q1': run:1 and run:2",
    ),
    (
        "q1 0 d1 1\n",
        "query,document,score\nq1,d1,\nq1,d2,\n",
        "run:2: the score is nan (2 in all), which cannot be ranked",
    ),
    ("q1 0 d1 1\n", "q2 Q0 d1 1 1 x\n", "qrels and run have no query in common: qrels has 'q1', run has 'q2'"),
    ("q1 0 d1 1\n", "q1 Q0 d2 1 1 x\n", "qrels and run have no document in common: qrels has 'd1', run has 'd2'"),
    (
        "query,document,score,grade\nq1,d1,1,\nq1,d1,,1\n",
        None,
        "document 'd1' appears twice among the results of query 'q1': qrels:2 and qrels:3",
    ),
    ("q1 0 d1 1\n", None, "qrels has no header: give judgements and a run, or one table with grades and scores"),
    (
        "q1 0 d1\n",
        "q1 Q0 d1 1 1 x\n",
        "qrels:1: expected 4 fields (query, iteration, document, grade), got 3: 'q1 0 d1'",
    ),
]


def test_what_cannot_be_evaluated_is_named() -> None:
    "In the words of `evaluate`, which refuses the same"
    tried = """(m, cases, roles) => cases.map(([qrels, run]) => {
      const runs = run === null ? [] : [["run", run]];
      try { return String(m.readProblem({ qrels: ["qrels", qrels], runs, roles })); } catch (e) { return e.message; }
    })"""
    for (qrels, run, why), said in zip(REFUSED, call("runs", tried, [x[:2] for x in REFUSED], ROLES), strict=True):
        assert said.startswith(why)
        with pytest.raises(ValueError) as refusal:
            evaluate(qrels.encode(), None if run is None else {"run": run.encode()}, like="sklearn")
        python = re.sub(
            r"<bytes>", "qrels" if "qrels:" in why or "qrels has no header" in why else "run", str(refusal.value)
        )
        assert python.startswith(why), python


# ---- What is said and shown ----


def means(*rows: Any) -> list[Any]:
    "What tools say, as the page has it: a mean for each run, or a reason"
    one = lambda x: {"refused": x} if isinstance(x, str) else {"mean": x, "values": [x], "queries": 1}  # noqa: E731
    return [[one(x) for x in row] for row in rows]


TOOLS = [{"name": x, "title": x.upper(), "rounding": None} for x in ("ranx", "trec_eval", "lightgbm", "azure")]
VERDICTS = [
    (["a"], means([0.5], [0.5], [0.5], [0.5]), ["All 4 tools print the same mean, 0.5000."]),
    (["a"], means([0.5], [0.25], [0.75], ["no"]), ["3 tools, 3 different means, from 0.250 to 0.750."]),
    (["a", "b"], means([0.5, 0.6], [0.1, 0.3], [0.2, 0.3], ["no", 1]),
     ["All 3 tools agree: b is better, by 0.100 to 0.200."]),
    (["a", "b"], means(*[[0.5, 0.5]] * 4), ["All 4 tools print the same mean for both runs."]),
    (
        ["a", "b"],
        means([0.6, 0.5], [0.5, 0.5], [0.6, 0.5], [0.6, 0.5]),
        ["No tool disagrees: a is better for 3 tools, by 0.100.", "1 tool (TREC_EVAL) prints the same mean for both."],
    ),
    (
        ["a", "b"],
        means([0.6, 0.5], [0.6, 0.5], [0.5, 0.6], [0.5, 0.5]),
        [
            "TREC_EVAL and LIGHTGBM disagree about which run is better.",
            "a is better for 2 tools (RANX and TREC_EVAL); b is better for 1 tool (LIGHTGBM).",
            "1 tool (AZURE) prints the same mean for both.",
        ],
    ),
    (["a"], means(*[["no"]] * 4), ["No tool has a number for this."]),
]  # fmt: skip


def test_the_sentence_that_matters() -> None:
    said = call("paste", "(m, tools, cases) => cases.map((x) => m.verdict(tools, x[0], x[1]))", TOOLS, VERDICTS)
    assert said == [x[2] for x in VERDICTS]


def test_tools_that_agree_stand_together() -> None:
    says = means([0.5], [0.75], [0.5], ["stops there"])
    grouped = call(
        "paste", "(m, tools, says) => m.grouped(tools, says)", [*TOOLS[:2], {**TOOLS[2], "rounding": 5}, TOOLS[3]], says
    )
    assert [x["titles"] for x in grouped] == [["TREC_EVAL"], ["RANX", "LIGHTGBM (prints 0.50000)"]]
    assert call("paste", "(m, tools, says) => m.refusals(tools, says)", TOOLS, says) == [
        {"text": "stops there", "they": ["AZURE"]}
    ]
    values = [[{"values": x}] for x in ([0.1, 0.5, math.nan], [0.2, 0.9, math.nan])]
    order = """(m, all) =>
      m.byDisagreement(all.map(([{ values }]) => ({ says: [{ values: values.map((x) => x ?? NaN) }] })), 3)"""
    assert call("paste", order, json.loads(json.dumps(values).replace("NaN", "null"))) == [1, 0, 2]


NOTED = """(m, texts, roles, tools) => {
  const problem = m.readProblem({ qrels: ["qrels", texts[0]], runs: [["a", texts[1]]], roles });
  return m.evaluate(problem, tools, 3);
}"""


def test_a_gain_of_ones_own_is_computed_in_python_only() -> None:
    register("stars", gain={0: 0, 1: 1})
    try:
        own = rules_sent("stars")
    finally:
        del DIALECTS["stars"]
    says = call("runs", NOTED, ["q1 0 d1 1\n", "q1 Q0 d1 1 1 x\n"], ROLES, [own])["says"]
    assert says == [[{"refused": "is computed in Python only: this page does not know its gain"}]]


LISTS = """(m, problems, tools, roles) => problems.map(([qrels, run, i]) => {
  const problem = m.readProblem({ qrels: ["qrels", qrels], runs: [["run", run]], roles });
  return m.listIn(problem, 0, "q1", tools[i]);
})"""
LIVING = "(m, problems, tools, lists) => problems.map(([, , i, k], j) => m.livingList(lists[j], tools[i], k))"


@needs_node
def test_the_list_of_a_query_has_the_losses_of_explain() -> None:
    names = [
        x
        for x in DIALECTS
        if DIALECTS[x].ideal in ("pool", "list") and DIALECTS[x].ties in ("first", "id") and not DIALECTS[x].decimals
    ]
    rng, given, python = random.Random(8), [], []
    for _ in range(60):
        grades = {f"d{i}": rng.choice([0, 1, 2, 3]) for i in range(rng.randint(2, 9))} | {"relevant": 3}
        scores = {d: rng.random() for d in rng.sample([*grades, "x", "y", "z"], len(grades))} | {"relevant": 0.5}
        name, k = rng.choice(names), rng.choice([1, 3, 5, 10, None])
        given.append([*as_lines({"qrels": {"q1": grades}, "run": {"q1": scores}}), [*DIALECTS].index(name), k])
        ranked = sorted(scores, key=scores.__getitem__, reverse=True)
        pool = {d: grades[d] for d in ranked if d in grades} if DIALECTS[name].ideal == "list" else grades
        python.append(
            (
                explain(ranked, k, pool=pool, like=name),
                evaluate({"q1": grades}, {"q1": scores}, f"ndcg@{k}" if k else "ndcg", like=name),
            )
        )
    states = call("paste", LIVING, given, SENT, call("runs", LISTS, given, SENT, ROLES))
    for found, (told, value) in zip(
        call("explore", "(m, states) => states.map(m.measure)", states), python, strict=True
    ):
        assert abs(found["nDCG"] - value.values[0, 0, 0]) < 1e-12
        worth = [x for x in found["losses"] if x]
        assert (
            worth == pytest.approx([x for x in told["loss"] if x], abs=1e-12)
            and abs(sum(worth) - found["lost"]) < 1e-12
        )


# ---- The page ----

KITCHEN = ROOT / "ndcg_nb/data/kitchen"
QRELS_TEXT, BM25, TITLES_RUN = ((KITCHEN / name).read_text("utf-8") for name in ("qrels.txt", "bm25.run", "titles.run"))


def kitchen() -> dict[str, Any]:
    return paste(QRELS_TEXT, {"bm25": BM25, "titles": TITLES_RUN}, k=5).state


@pytest.fixture
def form(alone: Any) -> Any:
    return alone("paste", kitchen(), ".np-living .nx")


def said(page, begins: str) -> str:
    "The sentence, once it begins so"
    page.wait_for_function("(x) => document.querySelector('.np-said').textContent.startsWith(x)", arg=begins)
    return page.locator(".np-said").inner_text()


def drop(page, files: dict[str, bytes]) -> None:
    "Drop files on the page"
    page.evaluate(
        """(files) => {
          const all = new DataTransfer();
          for (const [name, bytes] of files) all.items.add(new File([Uint8Array.from(bytes)], name));
          const how = { dataTransfer: all, bubbles: true, cancelable: true };
          const box = document.querySelector(".np");
          for (const type of ["dragover", "drop"]) box.dispatchEvent(new DragEvent(type, how));
        }""",
        [[name, list(data)] for name, data in files.items()],
    )


@needs_browser
def test_the_page_shows_every_tool(form) -> None:
    told = said(form, "All ")
    w = paste(QRELS_TEXT, {"bm25": BM25, "titles": TITLES_RUN}, k=5)
    assert told.startswith(f"All {len(w.numbers)} tools agree: bm25 is better, by ")
    rows = form.locator(".np-list > li")
    shown = {}
    for row in rows.all():
        for title in re.split(r", (?![^(]*\))", row.locator(".np-tools").inner_text().partition(" over ")[0]):
            shown[re.sub(r" \(prints .*", "", title)] = row.locator(".np-means b").all_inner_texts()
    titles = {rules_sent(name)["title"]: values for name, values in w.numbers.items()}
    assert shown.keys() == titles.keys()
    for title, values in titles.items():
        assert [f"{x:.4f}" for x in values.values()] == pytest.approx(shown[title]) or all(
            abs(float(a) - b) <= 5.1e-5 for a, b in zip(shown[title], values.values())
        ), title
    refused = form.locator(".np-refused").inner_text()
    assert "trec_eval 10" in refused and "'q07' is missing from titles" in refused
    assert "1 judged query is missing from titles: q07." in form.locator(".np-notes").inner_text()
    assert len(form.workers) == 1  # the page itself did not work


@needs_browser
def test_a_query_opens_its_list(form) -> None:
    strip = form.locator(".np-list > li", has_text="trec_eval 9").locator("canvas")
    box = strip.bounding_box()
    form.get_by_label("Run shown").select_option(label="bm25")
    strip.click(position={"x": box["width"] / 2, "y": 5})
    query = form.get_by_label("Query", exact=True)
    name = query.locator("option:checked").inner_text()
    result = evaluate(QRELS_TEXT, {"bm25": BM25}, "ndcg@5", like="trec_eval")
    value = f"{result.values[0, result.queries.index(name), 0]:.3f}".removesuffix(".000")
    form.wait_for_function("(x) => document.querySelector('.np-living .nx-figure')?.textContent === x", arg=value)
    assert f"trec_eval 9 says {value}." in form.locator(".np-detail").inner_text()
    query.focus()
    names = query.locator("option").all_inner_texts()
    for _ in range(2):  # by keyboard as well, which stays where it was
        form.keyboard.press("ArrowUp")
    assert query.locator("option:checked").inner_text() == names[names.index(name) - 2]
    form.get_by_label("Ranked by").select_option(index=0)
    query.select_option(label="q07")
    form.get_by_label("Run shown").select_option(label="titles")
    form.wait_for_selector("text=titles has no results for this query.")
    form.get_by_label("Run shown").select_option(label="bm25")
    barren = next(q for q in result.queries if not re.search(rf"^{q} 0 \S+ [1-9]", QRELS_TEXT, re.M))
    query.select_option(label=barren)
    form.wait_for_selector("text=the list alone would be 0/0")


@needs_browser
def test_bad_lines_are_named_in_their_box(form) -> None:
    form.get_by_label("Judgements (qrels)").fill("q01 0 egg-timing 3\nq01 0 egg-altitude\nq01 0 x many\n")
    form.wait_for_selector(".np-qrels [aria-invalid]")
    note = form.locator(".np-qrels .np-note").inner_text()
    assert "qrels:2: expected 4 fields (query, iteration, document, grade), got 3: 'q01 0 egg-altitude'" in note
    assert "qrels:3: the grade is 'many', not a number" in note and form.locator(".np-results").is_hidden()
    form.get_by_label("Judgements (qrels)").fill(QRELS_TEXT)
    said(form, "All ")
    assert form.locator(".np-qrels .np-note").inner_text() == ""
    form.get_by_label("Cut every list at k").fill("none")
    said(form, "k is not a cutoff")
    form.get_by_label("Cut every list at k").fill("")
    said(form, "All ")
    form.get_by_role("button", name="Clear").click()
    said(form, "Paste judgements and a run")
    form.get_by_label("Run", exact=True).fill(BM25)
    said(form, "Now the judgements")
    joined = "query,document,score,grade\nq1,d1,0.9,0\nq1,d2,0.5,1\n"
    form.get_by_label("Judgements (qrels)").fill(joined)
    form.wait_for_selector(".np-note:not(:empty), .np-said:not(:empty)")
    form.get_by_label("Run", exact=True).fill("")
    said(form, f"{len(paste(joined, k=None).numbers)} tools, ")
    form.get_by_role("button", name="Example").click()
    said(form, "All ")


@needs_browser
def test_files_go_where_they_belong(form) -> None:
    as_json = json.dumps({"q01": {"egg-peeling": 0.5, "egg-timing": 0.25}}).encode()
    drop(
        form, {"second.json": as_json, "judged.qrels": QRELS_TEXT.encode(), "bm25.run.gz": gzip.compress(BM25.encode())}
    )
    form.wait_for_function("document.querySelector('.np-legend').textContent.includes('bm25.run.gz')")
    assert form.get_by_label("Judgements (qrels)").input_value() == QRELS_TEXT
    assert form.get_by_label("Second run, if there is one").input_value() == BM25
    assert "missing from second.json" in form.locator(".np-notes").inner_text()
    drop(form, {"third.run": BM25.encode()})
    form.wait_for_function("document.querySelector('.np-notes').textContent.includes('third.run was left out')")
    form.get_by_role("button", name="Clear").click()
    drop(form, {"x.parquet": b"PAR1...."})
    said(form, "x.parquet is Parquet, which a page cannot read: evaluate(…) in Python can")
    drop(form, {"latin.qrels": "q1 0 d1 1\nq1 0 é 1\n".encode("latin-1")})
    said(form, "latin.qrels:2: this line is no UTF-8: save the file as UTF-8")


@needs_browser
def test_a_link_or_a_file_keeps_it(form, tmp_path: Path) -> None:
    form.get_by_label("Cut every list at k").fill("3")
    form.get_by_label("Second run, if there is one").fill("")
    count = len(paste(QRELS_TEXT, BM25, k=3).numbers)
    told = said(form, f"{count} tools, ")
    keep = form.get_by_role("button", name="Copy a link")
    length = int(re.search(r"\(([\d,]+) characters\)", keep.inner_text())[1].replace(",", ""))
    keep.click()
    form.wait_for_function("location.hash.includes('paste=')")
    assert len(form.url) == length < 8000
    url = form.url
    form.goto("about:blank")
    form.goto(url)
    assert said(form, f"{count} tools, ") == told and form.get_by_label("Cut every list at k").input_value() == "3"
    rng = random.Random(1)
    long = (
        "".join(f"q{i % 50:02} Q0 {rng.getrandbits(64):x} 1 {rng.random()} x\n" for i in range(500))
        + "q01 Q0 egg-timing 1 0.5 x\n"
    )
    form.get_by_label("Second run, if there is one").fill(long)
    with form.expect_download() as download:
        form.get_by_role("button", name="Download a file that keeps this").click()
    kept = Path(download.value.path()).read_bytes()
    form.get_by_role("button", name="Clear").click()
    said(form, "Paste judgements")
    drop(form, {"paste.json": kept})
    form.wait_for_selector(".np-living .nx")
    assert form.get_by_label("Second run, if there is one").input_value() == long


@needs_browser
def test_many_rows_do_not_freeze_the_page(form) -> None:
    def rows(queries: int) -> dict[str, bytes]:
        qrels = "".join(f"q{q} 0 d{d * 3} {d % 4}\n" for q in range(queries) for d in range(20))
        run = "".join(f"q{q} Q0 d{d} {d + 1} {1000 - d} x\n" for q in range(queries) for d in range(1000))
        return {"a.qrels": qrels.encode(), "a.run": run.encode()}

    drop(form, rows(10))
    form.wait_for_function("document.querySelector('.np-notes').textContent.startsWith('10 judged queries')")
    assert "1,000 characters" not in form.get_by_label("Run", exact=True).input_value()
    watch = """() => {
      let last = performance.now();
      window.longest = 0;
      const see = (now) => {
        window.longest = Math.max(window.longest, now - last);
        last = now;
        requestAnimationFrame(see);
      };
      requestAnimationFrame(see);
    }"""
    form.get_by_role("button", name="Clear").click()
    many = rows(300)
    form.set_input_files(
        "input[type=file]", [{"name": n, "mimeType": "text/plain", "buffer": b} for n, b in many.items()]
    )
    form.evaluate(watch)
    form.wait_for_selector(".np-busy:not([hidden])")
    assert (
        form.get_by_label("Run", exact=True).input_value().startswith("a.run: ")
    )  # a long file is not put into its box
    form.get_by_role("button", name="Cancel").click()
    said(form, "Cancelled.")
    form.get_by_label("Cut every list at k").fill("10")
    form.wait_for_function(
        "document.querySelector('.np-notes').textContent.startsWith('300 judged queries')", timeout=60_000
    )
    assert form.evaluate("window.longest") < 1000


@needs_browser
@pytest.mark.parametrize("theme, width", [("light", 1200), ("dark", 390)])
def test_it_fits_and_is_named(alone: Any, theme: str, width: int) -> None:
    page = alone("paste", kitchen(), ".np-living .nx", width, theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for control in page.locator(":is(.np-boxes, .np-acts, .np-picks) :is(textarea, select, input, button)").all():
        named = control.evaluate("(x) => x.ariaLabel || x.labels?.[0]?.textContent || x.textContent || x.title")
        assert named.strip(), control.evaluate("(x) => x.outerHTML")
    page.wait_for_function("document.querySelector('.np-live').textContent.startsWith('All ')")  # read out


def test_paste_in_python() -> None:
    w = paste(QRELS_TEXT, TITLES_RUN, k=None)
    assert w.runs == [["run 1", TITLES_RUN]] and "run 1" in w.picture() and "1 runs" in repr(w)
    assert w.numbers["trec_eval"] == {"run 1": evaluate(QRELS_TEXT, TITLES_RUN, "ndcg", like="trec_eval").value}
    assert paste(KITCHEN / "qrels.txt", KITCHEN / "bm25.run").runs[0] == ["bm25.run", BM25]


def test_saved_pages_are_in_step() -> None:
    "What a page was saved with is what would be sent today"
    kind, saved = "application/vnd.ndcg_nb.paste+json", 0
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                if state := output.get("data", {}).get(kind):
                    assert state["tools"] == SENT and state["roles"] == ROLES, f"{path.name}: run `make book`"
                    saved += 1
    assert saved == 3
