"""Paste your run: the page reads what Python reads, refuses what it refuses, and its means are those of `evaluate`."""

from __future__ import annotations

import gzip
import json
import random
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, needs_browser
from shared.javascript import GRADES, INF, SCORES, SENT, call, needs_node
from shared.javascript import NAMES as IDS

from ndcg_nb import compare, evaluate
from ndcg_nb.dialects import DIALECTS
from ndcg_nb.hood.inputs.columns import ROLES
from ndcg_nb.hood.inputs.reading import Reader
from ndcg_nb.widgets import paste
from ndcg_nb.widgets.tools import our_rules, tool_for_page

# ---- Reading ----

# Files that tools, editors, spreadsheets and people make, as (what is asked of it, its text)
GOOD = [
    ("grade", "q1 0 d1 1\nq1 0 d2 0\n"),
    ("grade", "q1\t0\td1\t1\r\nq2\t0\td1\t2\r\n"),
    ("grade", "\ufeffq1 0 d1 1"),
    ("grade", "# a comment\n\n  q1   0  d1\t3 \n#q2 0 d1 1\n q2 0 #d 1\n"),
    ("grade", "q1 0 d1 1.5\nq1 0 d2 -2\nq1 0 d3 +3\nq1 0 d4 1e1\nq1 0 d5 .5\nq1 0 d6 5.\n"),
    ("grade", "query,document,grade\nq1,d1,1\nq1,d2,0\n"),
    ("grade", "\ufeffQuery-ID;Doc ID;Relevance\nq1;d1;1\n"),
    ("grade", 'query,document,grade\n"q,1","d ""1""",1\n"q\r\n2",d1,2\nq3,d"x",3\n'),
    ("grade", "query,query_id,document,grade\ntext,q1,d1,1\n"),
    ("grade", "query-id\tcorpus-id\tscore\nq1\td1\t2\n"),
    ("score", "query-id\tcorpus-id\tscore\nq1\td1\t2\n"),
    ("grade", '{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}'),
    ("grade", '{"10": {"9": 1, "8": 0}, "9": {"2": 2, "1": 1}}'),  # in the order written
    ("grade", '{"q1": {"d1": "2", "d2": " 1 "}}'),  # numbers as text
    ("grade", '{"q1": {"d\\u00e91": 1, "\\ud83e\\udd5a": 2, "a\\/\\n": 3, "x\\": 1": 4}}'),
    ("score", "q1 Q0 d1 1 0.5 tag\nq1 Q0 d2 2 0.25 tag with words\n"),
    ("score", "q1 Q0 d1 1 -inf tag\nq1 Q0 d2 2 Infinity tag\nq1 Q0 d3 2 +INF tag\n"),
    ("score", "query,document,rank\nq1,d1,1\nq1,d2,2\n"),
    ("score", '{"q1": ["d1", 7, "d2"], "q2": {"d3": 0.5}}'),
]
# What Python refuses, too, and what is said of it, with its place.
BAD = [
    ("grade", "q1 0 d1 1\nq1 0 d2\nq1 0 d3 x\n", "file, line 2: expected 4 fields (query, iteration, document, grade)"),
    ("grade", "q1 0 d1 1\nq1 0 d3 x\n", "file, line 2: the grade is “x”, not a number: “q1 0 d3 x”"),
    ("grade", "q1 0 d1 0,5\n", "the grade is “0,5”, not a number (write a point, not a comma)"),
    ("grade", "q1 0 d1 9007199254740993\n", "file, line 1: the grade is “9007199254740993”, not a number"),
    ("grade", "q1 Q0 d1 1 0.5 tag\n", "file has no grade. This looks like a run: put it into a box for runs"),
    ("score", "q1 0 d1 1\n", "file has no score. These look like judgements: put them into the first box"),
    ("grade", "\n\n", "file has no rows"),
    ("grade", 'query,document,grade\nq,d,1\n"q,d,1\n', "file, line 3: a quotation mark"),
    ("grade", 'query,document,grade\n"q\n1",d,1\nq2,d,1\n,d,1\n', "file, line 5: the query is empty"),
    ("grade", "query,document,grade\nq1,d1,1,2\n,d1,1\nq1,d1,one\n", "file, line 3: the query is empty"),
    ("grade", "qid,query_id,document,grade\nq0,q1,d1,1\n", "file has “qid” and “query_id”: which is the query?"),
    ("grade", '{"q1": {"d1": "one"}}', "file, document “d1” of “q1” is “\"one\"”, not a number"),
    ("grade", '{"q1": 1}', "file has “1” for “q1”: give {document: number}"),
    ("grade", '[{"query": "q1", "grade": "high"}]', "file is a list: give {query: {document: number}}"),
]  # fmt: skip
READ = """(m, files, known) => files.map(([kind, text]) => {
  try {
    const rows = m.rowsOf(m.readTable(text, "file", known), kind, known);
    return [rows.query, rows.document, rows.value];
  } catch (error) {
    if (!(error instanceof m.Unreadable)) throw error;
    return error.message;
  }
})"""


def test_files_are_read_as_python_reads_them() -> None:
    for (kind, text), found in zip(GOOD, call("tables", READ, GOOD, ROLES), strict=True):
        rows = Reader().rows(text.encode(), kind, "file")
        every = range(len(rows))
        ours = [rows.query.at(every), rows.document.at(every), rows.value.tolist()]
        assert found == ours, (kind, text, found)


def test_what_cannot_be_read_is_named_with_its_place() -> None:
    for (kind, text, why), found in zip(BAD, call("tables", READ, [x[:2] for x in BAD], ROLES), strict=True):
        assert isinstance(found, str) and why in found, (text, found)
        if not text.startswith("[") and text != '{"q1": 1}':  # which Python reads as rows, and as one relevant id
            with pytest.raises(ValueError):
                Reader().rows(text.encode(), kind, "file")


def test_files_go_where_they_belong_by_what_is_in_them() -> None:
    texts = [text for _, text in GOOD] + ["query,document,score,grade\nq1,d1,1,1\n", "x"]
    kinds = call("tables", "(m, texts, known) => texts.map((x) => m.kindOf(x, known))", texts, ROLES)
    wanted = [kind for kind, _ in GOOD]
    wanted[wanted.index("score")] = "grade"  # BEIR's files look the same, whatever they are
    assert kinds == [*wanted, "joined", None]


def test_a_packed_file_is_unpacked_up_to_a_limit() -> None:
    packed = list(gzip.compress(bytes(2**20)))
    unpack = """async ({ piped }, packed, most) => {
      const unpacked = piped(Uint8Array.from(packed), new DecompressionStream("gzip"), most);
      return unpacked.then((bytes) => bytes.length, (error) => error.message);
    }"""
    assert call("paste", unpack, packed, 2**20) == 2**20
    assert call("paste", unpack, packed, 2**20 - 1).startswith("it unpacks to more than 500 MB")


# ---- Means ----

NAMES = [*IDS, "q1", "q2"]  # a document may be its query


def problem(rng: random.Random) -> dict[str, Any]:
    "Judgements and a run: queries may be missing, empty or unjudged, documents unjudged or the query itself; ties"
    grade = GRADES[rng.choice(["whole"] * 6 + list(GRADES))]
    queries = [f"q{i}" for i in range(rng.choice([1, 2, 3, 5, 8]))]
    qrels = {q: {d: grade(rng) for d in rng.sample(NAMES, rng.randint(1, 9))} for q in queries}
    score = SCORES[rng.choice(list(SCORES))]
    run = {}
    for q in [*queries, "other"]:
        found = rng.sample(NAMES, rng.choice([0, 0, 1, 3, 6, 12]) if rng.random() < 0.4 else rng.randint(1, 14))
        run[q] = {d: score(rng) for d in found}
    if rng.random() < 0.1:
        qrels = {q: dict.fromkeys(judged, 0) for q, judged in qrels.items()}
    return {"qrels": qrels, "run": run, "k": rng.choice([None, None, 1, 2, 3, 5, 10, 40])}


def problems(count: int, seed: int) -> list[dict[str, Any]]:
    "Problems that at least one tool has a number for"
    rng = random.Random(seed)
    made = []
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


EVALUATE = """(m, problems, tools, known) => problems.map(([qrels, runs, k]) =>
  m.evaluate(m.readProblem({ qrels: ["qrels", qrels], runs, known }), tools, k))"""


def near(ours: float, theirs: float) -> bool:
    return (ours != ours and theirs != theirs) or abs(ours - theirs) <= 1e-12 * max(1, abs(theirs))


def check(asked: dict[str, Any], qrels: Any, run: Any, found: dict[str, Any]) -> dict[str, str]:
    "What the page says of each tool, compared with Python: `refused`, `nothing` where no query is left, or `same`"
    kinds = {}
    measure = "ndcg" if asked["k"] is None else f"ndcg@{asked['k']}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scores that look like ranks, and the like
        reader = Reader()  # each is read once
        if run is None:
            qrels = reader.rows(qrels, "both", "table")
        else:
            qrels, run = reader.sides(*reader.forms(qrels, {"run": run}))
        for name, (says,) in zip(DIALECTS, found["says"], strict=True):
            try:
                python = evaluate(qrels, run, measure, like=name)
            except (ValueError, OverflowError):
                kinds[name] = "refused"
                assert "why" in says, (name, asked, says)
                continue
            values = python.values[0, :, 0].tolist()
            kinds[name] = "nothing" if python.value != python.value else "same"
            if kinds[name] == "nothing":
                assert says == {"why": "leaves out every query"}, (name, asked, says)
            else:
                assert "mean" in says and near(says["mean"], python.value), (name, asked, python.value, says)
                assert all(map(near, says["values"], values)), (name, asked, values, says)
    return kinds


@needs_node
def test_every_tool_on_random_problems() -> None:
    asked = problems(150, seed=5)
    texts = [as_lines(x) for x in asked]
    given = [[qrels, [["run", run]], x["k"]] for (qrels, run), x in zip(texts, asked)]
    seen: dict[str, set[str]] = {name: set() for name in DIALECTS}
    for x, (qrels, run), found in zip(asked, texts, call("runs", EVALUATE, given, SENT, ROLES), strict=True):
        for name, kind in check(x, qrels.encode(), run.encode(), found).items():
            seen[name].add(kind)
    assert all("same" in kinds for kinds in seen.values()), seen
    assert sum("refused" in kinds for kinds in seen.values()) > 15


@needs_node
def test_joined_tables_and_json() -> None:
    "One table of both, and JSON whose ids are numbers, give the numbers of `evaluate`"
    finite = lambda x: all(abs(s) < INF for found in x["run"].values() for s in found.values())  # noqa: E731
    asked = [x for x in problems(30, seed=6) if x["k"] and finite(x)]
    given = []
    python = []
    for x in asked:
        scores = {(q, d): s for q, found in x["run"].items() for d, s in found.items()}
        grades = {(q, d): g for q, judged in x["qrels"].items() for d, g in judged.items()}
        rows = [f"{q}\t{d}\t{scores.get((q, d), '')}\t{grades.get((q, d), '')}" for q, d in scores | grades]
        table = "\n".join(["query\tdocument\tscore\tgrade", *rows])
        both = [json.dumps(x[side]) for side in ("qrels", "run")]
        given += [[table, [], x["k"]], [both[0], [["run", both[1]]], x["k"]]]
        python += [(table.encode(), None), (both[0].encode(), both[1].encode())]
    for i, found in enumerate(call("runs", EVALUATE, given, SENT, ROLES)):
        assert "same" in check(asked[i // 2], *python[i], found).values()


def test_a_query_that_was_asked_in_vain_is_not_missing() -> None:
    "Half a point where a tool would leave out, or stop at, a query that the run does not have"
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    run = {"1": {"a": 0.5}}
    for asked, wanted in ((run, 1.0), (run | {"2": {}}, 0.5)):
        [found] = call("runs", EVALUATE, [[json.dumps(qrels), [["run", json.dumps(asked)]], 10]], SENT, ROLES)
        means = dict(zip(DIALECTS, (says[0] for says in found["says"]), strict=True))
        assert means["trec_eval"]["mean"] == evaluate(qrels, asked, "ndcg@10", like="trec_eval").value == wanted
    notes = """(m, inVain) => {
      const judged = new Map(["1", "2"].map((q) => [q, new Map([["a", { grade: 1 }]])]));
      const run = { name: "mine", results: new Map([["1", new Map([["a", 0]])]]), inVain: new Set(inVain) };
      return m.notesOf({ judged, runs: [run] });
    }"""
    assert call("paste", notes, []) == ["2 judged queries.", "1 judged query is missing from mine: 2."]
    assert call("paste", notes, ["2"]) == ["2 judged queries."]


def test_means_are_rounded_as_python_rounds() -> None:
    rng = random.Random(7)
    numbers = [i / 2**j for i in range(1, 64, 2) for j in range(1, 12)] + [rng.random() for _ in range(200)]
    numbers += [0.0, 1.0, 2.5, 154.5, 155.5, 0.00005, 12345.67895]
    for digits in (0, 2, 4, 5):
        ours = call("runs", "(m, all, n) => all.map((x) => m.rounded(x, n))", numbers, digits)
        assert ours == [round(x, digits) for x in numbers]


COMPARE = """(m, problems, ours, known) => problems.map(([qrels, runs, k]) =>
  m.compareRuns(m.readProblem({ qrels: ["qrels", qrels], runs, known }), ours, k))"""


@needs_node
def test_the_interval_and_p_are_those_of_compare() -> None:
    rng = random.Random(8)
    given = []
    expected = []
    for _ in range(30):
        queries = [f"q{i}" for i in range(rng.randint(6, 20))]
        qrels = {q: {f"d{i}": rng.choice([0, 0, 1, 2]) for i in range(6)} for q in queries}
        runs = {
            name: {q: {f"d{i}": rng.random() for i in range(8)} for q in queries if rng.random() < 0.9} for name in "AB"
        }
        k = rng.choice([None, 3, 10])
        found = compare(qrels, runs, "ndcg" if k is None else f"ndcg@{k}")
        expected.append((found.difference, found.low, found.high, found.p))
        given.append(
            [
                as_lines({"qrels": qrels, "run": {}})[0],
                [[n, as_lines({"qrels": {}, "run": r})[1]] for n, r in runs.items()],
                k,
            ]
        )
    for ours, theirs in zip(call("runs", COMPARE, given, our_rules(), ROLES), expected, strict=True):
        assert [ours[x] for x in ("mean", "low", "high", "p")] == pytest.approx(theirs, abs=1e-9)


REFUSED = [
    ("q1 0 d1 1\nq1 0 d1 2\n", "q1 Q0 d1 1 1 x\n", "qrels, line 2: document “d1” of “q1” has grade 2, and 1 before"),
    ("q1 0 d1 inf\n", "q1 Q0 d1 1 1 x\n", "qrels, line 1: the grade is Infinity, and must be a finite number"),
    ("q1 0 d1 1\n", "q1 Q0 d1 1 1 x\nq1 Q0 d1 2 0 x\n", "mine, line 2: document “d1” is among the results"),
    ("q1 0 d1 1\n", "query,document,score\nq1,d1,\n", "mine, line 2 has no score: give -inf"),
    ("q1 0 d1 1\n", "q2 Q0 d1 1 1 x\n", "The judgements and mine have no query in common: "),
    ("q1 0 d1 1\n", "q1 Q0 d2 1 1 x\n", "The judgements and mine have no document in common"),
    ("q1 0 d1 1\nq2 0 d2 1\n", "q1 Q0 d2 1 1 x\n", "No result of mine is judged for its query, but document “d2”"),
    ("q1 0 d1 1\n", None, "Now a run; or give one table with grades and scores."),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:the grades of")
def test_what_cannot_be_evaluated_is_named() -> None:
    tried = """(m, cases, known) => cases.map(([qrels, run]) => {
      const runs = run === null ? [] : [["mine", run]];
      try { return String(m.readProblem({ qrels: ["qrels", qrels], runs, known })); } catch (e) { return e.message; }
    })"""
    for (qrels, run, why), found in zip(REFUSED, call("runs", tried, [x[:2] for x in REFUSED], ROLES), strict=True):
        assert found.startswith(why), found
        with pytest.raises(ValueError):
            evaluate(qrels.encode(), None if run is None else {"run": run.encode()}, like="sklearn")


# ---- What is said ----


def means(*rows: Any) -> list[Any]:
    "What tools say, as the page has it: a mean for each run, or a reason"
    one = lambda x: {"why": x} if isinstance(x, str) else {"mean": x, "values": [x], "queries": 1}  # noqa: E731
    return [[one(x) for x in row] for row in rows]


TOOLS = [{"name": x, "title": x.upper(), "rounding": None} for x in ("ranx", "trec_eval", "lightgbm", "azure")]
VERDICTS = [
    (["a"], means([0.5], [0.5], [0.5], [0.5]), ["All 4 tools print the same mean nDCG@10, 0.5000."]),
    (["a"], means([0.5], [0.25], [0.75], ["no"]), ["3 tools print 3 different means of nDCG@10, from 0.250 to 0.750."]),
    (["a", "b"], means([0.5, 0.6], [0.1, 0.3], [0.2, 0.3], ["no", 1]),
     ["All 3 tools agree: “b” has the higher mean nDCG@10, by 0.100 to 0.200."]),
    (["a", "b"], means([0.6, 0.5], [0.6, 0.5], [0.5, 0.6], [0.5, 0.5]),
     ["TREC_EVAL and LIGHTGBM disagree about which run has the higher mean nDCG@10.",
      "By 2 tools (RANX and TREC_EVAL) it is “a”, and by 1 tool (LIGHTGBM) “b”.",
      "1 tool (AZURE) prints the same mean for both."]),
    (["a"], means(*[["no"]] * 4), ["No tool has a number for this."]),
]  # fmt: skip


def test_the_sentence_that_matters() -> None:
    said = call("paste", "(m, tools, cases) => cases.map((x) => m.verdict(tools, x[0], x[1], 10))", TOOLS, VERDICTS)
    assert said == [x[2] for x in VERDICTS]
    test = {"mean": 0.0061, "low": -0.0594, "high": 0.0744, "p": 0.83, "queries": 50}
    write = "(m, test) => [0.83, 0.0001, NaN].map((p) => m.writeTest(['a', 'b'], null, { ...test, p })[0])"
    chance, sure, same = call("paste", write, test)
    words = "By our own nDCG, b − a is 0.0061 over 50 queries, 95% interval −0.0594 to 0.0744, p = 0.830"
    assert chance == f"{words} (paired t-test): this may be chance."
    assert sure.endswith("p < 0.001 (paired t-test): unlikely to be chance alone.")
    assert same.endswith(", the same on each.")


def test_the_second_sentence_subtracts_as_the_first_one_speaks() -> None:
    "The higher mean less the lower; and if no tool has such a difference, why not"
    test = {"mean": -0.3136, "low": -0.6, "high": -0.0272, "p": 0.04, "queries": 9}
    write = "(m, test, all) => all.map((gaps) => m.writeTest(['bm25', 'titles'], 5, test, gaps))"
    inside, outside = call("paste", write, test, [[-0.4, -0.1], [-0.286, -0.053]])
    words = "By our own nDCG@5, bm25 − titles is 0.3136 over 9 queries, 95% interval 0.0272 to 0.6000, p = 0.040"
    assert inside == [f"{words} (paired t-test): unlikely to be chance alone."]
    assert outside[0] == inside[0]
    assert outside[1].startswith("That is outside the range of the tools, because")
    says = means([0.6, 0.5], ["no", 0.5], [0.5, 0.75])
    assert call("paste", "(m, says) => m.gapsOf(says)", says) == pytest.approx([-0.1, 0.25])


@pytest.mark.parametrize("junk", ["<html>", "not a file at all, is it", "a b c d", "q1 Q0 d1 1 high me", "one two"])
def test_junk_is_answered_with_the_format_of_its_box(junk: str) -> None:
    tried = """(m, cases, known) => cases.map(([qrels, run]) => {
      const given = { qrels: ["qrels", qrels], runs: [["mine", run]], known };
      try { return String(m.readProblem(given)); } catch (e) { return e.message; }
    })"""
    good = ["q1 0 d1 1\n", "q1 Q0 d1 1 1 x\n"]
    in_qrels, in_run, swapped = call("runs", tried, [[junk, good[1]], [good[0], junk], good[::-1]], ROLES)
    assert in_qrels.startswith("qrels, line 1: ")
    assert "score" not in in_qrels
    assert "grade" in in_qrels
    assert in_run.startswith("mine, line 1: ")
    assert "grade" not in in_run
    assert "score" in in_run
    assert swapped.startswith("qrels has no grade. This looks like a run")


LISTS = """(m, problems, tools, known) => problems.map(([qrels, run, i, k]) => {
  const problem = m.readProblem({ qrels: ["qrels", qrels], runs: [["run", run]], known });
  return m.listIn(problem, 0, "q1", tools[i]);
})"""
LIVING = "(m, problems, tools, lists) => problems.map(([, , i, k], j) => m.livingList(lists[j], tools[i], k))"


@needs_node
def test_the_list_of_a_query_has_the_value_of_the_tool() -> None:
    simple = lambda x: x.ideal in ("pool", "list") and x.ties in ("first", "id") and not x.decimals  # noqa: E731
    rng = random.Random(8)
    given = []
    python = []
    for _ in range(40):
        grades = {f"d{i}": rng.choice([0, 1, 2, 3]) for i in range(rng.randint(2, 9))} | {"relevant": 3}
        scores = {d: rng.random() for d in rng.sample([*grades, "x", "y", "z"], len(grades))} | {"relevant": 0.5}
        name = rng.choice([x for x in DIALECTS if simple(DIALECTS[x])])
        k = rng.choice([1, 3, 5, 10, None])
        given.append([*as_lines({"qrels": {"q1": grades}, "run": {"q1": scores}}), [*DIALECTS].index(name), k])
        python.append(evaluate({"q1": grades}, {"q1": scores}, f"ndcg@{k}" if k else "ndcg", like=name))
    states = call("paste", LIVING, given, SENT, call("runs", LISTS, given, SENT, ROLES))
    for found, value in zip(call("measures", "(m, states) => states.map(m.measure)", states), python, strict=True):
        assert abs(found["nDCG"] - value.values[0, 0, 0]) < 1e-12


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


PASTE = """([label, text]) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  const box = [...document.querySelectorAll("textarea")].find((x) => x.labels[0].textContent === label);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  if (box.dispatchEvent(event)) { box.value = text; box.dispatchEvent(new Event("input")); }
  return event.defaultPrevented;
}"""


@needs_browser
def test_the_page_shows_every_tool(form) -> None:
    w = paste(QRELS_TEXT, {"bm25": BM25, "titles": TITLES_RUN}, k=5)
    sentence = said(form, "All ")
    assert sentence.startswith(f"All {len(w.numbers)} tools agree: “bm25” has the higher mean nDCG@5, by ")
    found = compare(QRELS_TEXT, {"titles": TITLES_RUN, "bm25": BM25}, "ndcg@5")
    numbers = [f"{x:.4f}".replace("-", "−") for x in (found.difference, found.low, found.high)]
    assert f"bm25 − titles is {numbers[0]} over 8 queries, 95% interval {numbers[1]} to {numbers[2]}" in sentence
    assert form.locator(".np-table th").all_inner_texts() == ["bm25", "titles", "tools that print this"]
    shown = {}
    for row in form.locator(".np-table tbody tr").all():
        titles = row.locator(".np-tools").inner_text().partition(" over ")[0].split("\n")[0]
        for title in re.split(r", (?![^(]*\))", titles):
            shown[re.sub(r" \(prints .*", "", title)] = row.locator("td").all_inner_texts()[:2]
    titles = {tool_for_page(name)["title"]: values for name, values in w.numbers.items()}
    assert shown.keys() == titles.keys()
    for title, values in titles.items():
        assert all(abs(float(a) - b) <= 5.1e-5 for a, b in zip(shown[title], values.values())), title
    refused = form.locator(".np-refused").inner_text()
    assert "trec_eval 10" in refused
    assert "“q07” is missing from titles" in refused
    assert "1 judged query is missing from titles: q07." in form.locator(".np-notes").inner_text()
    assert len(form.workers) == 1  # the page itself did not work


@needs_browser
def test_a_query_opens_its_list_and_is_marked(form) -> None:
    form.set_viewport_size({"width": 800, "height": 600})
    row = form.locator(".np-table tr", has_text="trec_eval 9")
    strip = row.locator("canvas")
    form.get_by_label("Run shown").select_option(label="bm25")
    strip.scroll_into_view_if_needed()
    box = strip.bounding_box()
    strip.click(position={"x": box["width"] / 2, "y": 5})
    query = form.get_by_label("Query", exact=True)
    name = query.locator("option:checked").inner_text()
    result = evaluate(QRELS_TEXT, {"bm25": BM25}, "ndcg@5", like="trec_eval")
    value = f"{result.values[0, result.queries.index(name), 0]:.3f}".removesuffix(".000")
    form.wait_for_function("(x) => document.querySelector('.np-living .nx-figure')?.textContent === x", arg=value)
    assert f"trec_eval 9 says {value}." in form.locator(".np-detail").inner_text()
    assert 0 <= form.locator(".np-picks").bounding_box()["y"] < 600, "it comes into view"
    assert "np-chosen" in row.get_attribute("class")
    mark = row.locator(".np-strip i").bounding_box()
    strip_box = strip.bounding_box()
    middle = strip_box["x"] + strip_box["width"] / 2
    assert mark["x"] - 1 <= middle <= mark["x"] + mark["width"] + 1, "and its cell is marked"
    names = query.locator("option").all_inner_texts()
    assert names == sorted(names), "an id can be found"
    query.select_option(label="q07")
    form.get_by_label("Run shown").select_option(label="titles")
    form.wait_for_selector("text=titles has no results for this query.")


@needs_browser
def test_bad_lines_are_named_in_their_box(form) -> None:
    qrels = form.get_by_label("Judgements (qrels)")
    k = form.get_by_label("Cut every list at k")
    qrels.fill("q01 0 egg-timing 3\nq01 0 egg-altitude\nq01 0 x many\n")
    form.wait_for_selector(".np-qrels [aria-invalid]")
    note = form.locator(".np-qrels .np-note").inner_text()
    assert "qrels, line 2: expected 4 fields (query, iteration, document, grade), got 3: “q01 0 egg-altitude”" in note
    assert "qrels, line 3: " in note
    assert form.locator(".np-results").is_hidden()
    qrels.fill(QRELS_TEXT)
    said(form, "All ")
    assert form.locator(".np-qrels .np-note").inner_text() == ""
    k.fill("none")
    said(form, "k is not a cutoff")
    k.fill("")
    said(form, "All ")


@needs_browser
def test_what_is_pasted_takes_the_place_of_the_example(form) -> None:
    form.evaluate(PASTE, ["Judgements (qrels)", "q1 0 d1 -1\nq1 0 d2 2\nq2 0 d1 1\n"])
    said(form, "Now a run")
    assert form.get_by_label("Run", exact=True).input_value() == ""
    assert form.get_by_label("Cut every list at k").input_value() == "10"
    form.evaluate(PASTE, ["Run", "q1 Q0 d1 1 9 mine\nq1 Q0 d2 2 8 mine\nq2 Q0 d1 1 7 mine\n"])
    form.wait_for_selector(".np-table")
    before = form.locator(".np-refused b").count()
    assert before
    assert "1 grade below 0." in form.locator(".np-notes").inner_text()
    form.get_by_role("button", name="Count as 0").click()
    form.wait_for_selector("text=1 grade below 0, counted as 0.")
    assert form.locator(".np-refused b").count() < before
    long = "".join(f"q{i % 2 + 1} Q0 x{i} {i} {-i} long\n" for i in range(12_000)) + "q1 Q0 d2 1 1 long\n"
    assert form.evaluate(PASTE, ["Second run, if there is one", long]), "a long text is not put into its box"
    form.wait_for_function("[...document.querySelectorAll('.np-table th')].some((x) => x.textContent === 'long')")
    assert "characters, not shown" in form.get_by_label("Second run, if there is one").input_value()


@needs_browser
def test_dropped_files_go_where_they_belong(form) -> None:
    as_json = json.dumps({"q01": {"egg-peeling": 0.5, "egg-timing": 0.25}}).encode()
    packed = gzip.compress(BM25.encode())
    drop(form, {"second.json": as_json, "judged.qrels": QRELS_TEXT.encode(), "bm25.run.gz": packed})
    form.wait_for_function("document.querySelector('.np-legend').textContent.includes('bm25.run.gz')")
    assert form.get_by_label("Judgements (qrels)").input_value() == QRELS_TEXT
    assert form.get_by_label("Second run, if there is one").input_value() == BM25
    assert "missing from second.json" in form.locator(".np-notes").inner_text()
    drop(form, {"third.run": BM25.encode()})
    said(form, "third.run cannot be read: there is room for judgements and two runs")
    form.get_by_role("button", name="Clear").click()
    drop(form, {"x.parquet": b"PAR1...."})
    said(form, "x.parquet is Parquet, which this page cannot read: use evaluate(…) in Python")
    drop(form, {"latin.qrels": "q1 0 d1 1\nq1 0 é 1\n".encode("latin-1")})
    said(form, "latin.qrels is not UTF-8: save it as UTF-8")


@needs_browser
def test_a_link_or_a_file_keeps_it(form) -> None:
    form.get_by_label("Cut every list at k").fill("3")
    form.get_by_label("Second run, if there is one").fill("")
    count = len(paste(QRELS_TEXT, BM25, k=3).numbers)
    sentence = said(form, f"{count} tools print ")
    form.get_by_role("button", name="Keep this").click()
    form.wait_for_function("location.hash.includes('paste=')")
    url = form.url
    form.goto("about:blank")
    form.goto(url)
    assert said(form, f"{count} tools print ") == sentence
    assert form.get_by_label("Cut every list at k").input_value() == "3"
    form.evaluate("location.hash = 'paste=AAAA'")
    assert said(form, "The link cannot be read").endswith("Press Example for the page's own.")
    form.evaluate("(hash) => { location.hash = hash; }", url.partition("#")[2])
    assert said(form, f"{count} tools print ") == sentence
    rng = random.Random(1)
    lines = [f"q{i % 50:02} Q0 {rng.getrandbits(64):x} 1 {rng.random()} x\n" for i in range(500)]
    long = "".join(lines) + "q01 Q0 egg-timing 1 0.5 x\n"
    form.get_by_label("Second run, if there is one").fill(long)
    form.wait_for_function("document.querySelectorAll('.np-table th').length === 3")
    with form.expect_download() as download:
        form.get_by_role("button", name="Keep this").click()
    kept = Path(download.value.path()).read_bytes()
    form.get_by_role("button", name="Clear").click()
    said(form, "Paste judgements")
    drop(form, {"paste.json": kept})
    form.wait_for_selector(".np-living .nx")
    assert form.get_by_label("Second run, if there is one").input_value() == long


@needs_browser
@pytest.mark.parametrize("width, heads", [(1200, ["grade", "adds", "lost"]), (390, ["grade", "lost"])])
def test_a_phone_has_room_for_two_columns(alone: Any, width: int, heads: list[str]) -> None:
    page = alone("paste", kitchen(), ".np-living .nx", width)
    assert page.locator(".np-living .nx-head span:visible").all_inner_texts() == heads
    page.wait_for_function("document.querySelector('.np > .nx-live').textContent.startsWith('All ')")  # read out


def test_paste_in_python() -> None:
    w = paste(QRELS_TEXT, TITLES_RUN, k=None)
    assert w.runs == [["run 1", TITLES_RUN]]
    assert "1 runs" in repr(w)
    assert w.numbers["trec_eval"] == {"run 1": evaluate(QRELS_TEXT, TITLES_RUN, "ndcg", like="trec_eval").value}
    assert paste(KITCHEN / "qrels.txt", KITCHEN / "bm25.run").runs[0] == ["bm25.run", BM25]
