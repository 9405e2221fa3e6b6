"""`check` finds in one go what `evaluate` would refuse, fault by fault."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from ndcg_nb import check, evaluate
from ndcg_nb.hood.inputs.columns import FAULTS, Unreadable
from ndcg_nb.hood.reports.cli import main

RUN = {"q1": ["a", "b"], "q2": ["c"]}
TWO_GRADES = "keep one of them, or give duplicates='mean', max, first or last"
FAULTY = "\n".join(
    [
        "query,document,grade",
        "q1,a,2",
        "q1,b,?",
        "q1,a,0",  # the second grade of a
        "q2,c",  # a field is missing
        "q2,,1",
        "q2,c,1",
        "q2,c,1",  # the same again
        "q2,d,high",
        "",
    ]
)


def texts(found, kind: str) -> list[str]:
    return [x.text for x in found.findings if x.kind == kind]


def test_every_kind_of_fault_is_named_once() -> None:
    found = check(FAULTY, RUN)
    of = {x.text: x.rows for x in found.findings if x.kind == "error"}
    assert [*of.values()] == [2, 1, 1, 1]
    first, fields, empty, grades = of
    assert first.startswith("<text>:3: the grade is '?', not a number") and first.endswith("Also <text>:9")
    assert fields.startswith("<text>:5: expected 3 fields")
    assert empty.startswith("<text>:6: the document is empty")
    assert grades == "document 'a' of 'q1' has two grades: 2 (<text>:2) and 0 (<text>:4): " + TWO_GRADES
    assert "2 rows of <text> judge what is judged above." in texts(found, "note")
    assert found.errors == [*of] and len(found.table) == len(found.findings)


@pytest.mark.parametrize("mended", range(5))
def test_what_is_mended_is_gone(mended: int) -> None:
    "Each error goes when its line goes; without them, `evaluate` answers"
    lines = FAULTY.split("\n")
    wrong = [2, 3, 4, 5, 8]  # lines by their places
    less = "\n".join(line for i, line in enumerate(lines) if i != wrong[mended])
    assert len(check(less, RUN).errors) == 4 - (mended not in (0, 4))
    none = "\n".join(line for i, line in enumerate(lines) if i not in wrong)
    assert check(none, RUN).errors == [] and evaluate(none, RUN).value == pytest.approx(1)


def test_evaluate_names_the_first_and_says_that_there_are_more() -> None:
    with pytest.raises(Unreadable, match=r"<text>:3: the grade is") as error:
        evaluate(FAULTY, RUN)
    assert "Other rows have faults, too: `check(qrels, run)` shows all of them" in str(error.value)
    one = "query,document,grade\nq1,a,2\nq1,b,?\n"
    with pytest.raises(Unreadable) as error:
        evaluate(one, RUN)
    assert "check" not in str(error.value)
    assert FAULTS.get() is None  # nothing is collected any more


def test_lines_keep_their_numbers() -> None:
    "What is wrong below a line that is left out is named by its own line"
    found = check("q1 0 a 1\nq1 0 b x\nq1 0 c 1\nq1 0 c 2\n", RUN)
    assert found.errors[0].startswith("<text>:2: the grade is 'x'")
    assert found.errors[1] == "document 'c' of 'q1' has two grades: 1 (<text>:3) and 2 (<text>:4): " + TWO_GRADES


def test_tables_in_memory() -> None:
    qrels = pd.DataFrame({"query": ["q1"] * 3, "document": ["a", "b", "c"], "grade": [1, "x", "y"]})
    found = check(qrels, {"q1": ["a", "b", "a"]})
    assert [x.rows for x in found.findings if x.kind == "error"] == [2, 1]
    assert found.errors[0].startswith("qrels['grade'][1] is 'x'") and "appears twice" in found.errors[1]
    assert check(qrels.head(1), {"q1": ["a", "b", "a"]}, duplicates="first").errors == []


def test_both_sides_are_looked_at_when_one_cannot_be_read() -> None:
    found = check("query;text\nq1;hello\n", "query,document,score\nq1,a,2\nq1,b,high\n")
    assert len(found.errors) == 2 and "the score is 'high'" in found.errors[1]
    found = check({"q1": {"a": 1}}, {"one": {"q1": ["a", "a"]}, "two": {"q1": ["a"]}})
    assert len(found.errors) == 1
    assert sorted(x.text for x in found.findings if x.kind == "read") == ["one", "qrels", "two"]


def test_ids() -> None:
    "No id in common is an error, and so are ids that nearly match: no gate would answer"
    assert "no document in common" in check({"q1": {"a": 1}}, {"q1": ["b"]}).errors[0]
    judged = {f"q{i}": {f"0{i}": 1, f"d{i}": 1} for i in range(9)}
    near = check(judged, {f"q{i}": [f"{i}", f"d{i}"] for i in range(9)})
    assert len(near.errors) == 1 and "zeros in front" in near.errors[0]


@pytest.mark.parametrize("given", ["list", "frame", "lines", "csv", "beir"])
def test_stale_ids(given: str, tmp_path: Path) -> None:
    ids = ["a", "d"]
    corpus: object = ids
    if given == "frame":
        corpus = pd.DataFrame({"title": ["x", "y"], "doc_id": ids})
    if given == "lines":
        (tmp_path / "ids.txt").write_text("a\nd\n")
        corpus = tmp_path / "ids.txt"
    if given == "csv":
        (tmp_path / "ids.csv").write_text("query,doc_id\nx,a\ny,d\n")
        corpus = tmp_path / "ids.csv"
    if given == "beir":
        (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "x"}\n{"_id": "d", "text": "y"}\n')
        corpus = tmp_path / "corpus.jsonl"
    found = check({"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}, {"q1": ["a"], "q2": ["d"]}, corpus=corpus)
    assert found.errors == ["2 of 3 judged documents are not in the corpus: 'b', 'c'"]


def test_a_side_that_is_nothing_is_one_fault() -> None:
    first, second = check(3, 4).errors
    assert first.startswith("qrels is 3, of type int") and second.startswith("run is 4, of type int")


def test_no_corpus() -> None:
    with pytest.raises(ValueError, match="corpus is 3: give a list, a table or a file of the ids"):
        check({"q1": {"a": 1}}, {"q1": ["a"]}, corpus=3)


def test_a_side_is_not_blamed_for_the_columns_of_the_other() -> None:
    table = pd.DataFrame({"who": ["q1"], "what": ["a"], "stars": [1]})
    found = check(table, {"q1": ["a"]}, columns={"query": "who", "document": "what"})
    assert len(found.errors) == 1 and "no column for grade" in found.errors[0]


HEADS = "Suchanfrage;Artikel;Titel;Note\n"
SHEET = "q1;d1;Ei;3,0\nq1;d2;Ei;?\nq1;d1;Ei;2,0\nq2;d9;Ei;1,0\n"


@pytest.mark.parametrize("query", ["Suchanfrage", "Anfrage"])
def test_unknown_heads_hide_no_other_fault(query: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    "Both sides are read again by the columns that the refusals guess, also where heads differ from file to file"
    sheet, shown = (str(tmp_path / name) for name in ("sheet.csv", "shown.csv"))
    Path(sheet).write_text(HEADS + SHEET)
    Path(shown).write_text(f"{query};Artikel;Punkte\nq1;d1;3,5\nq1;d2;2,0\nq1;d2;1,0\n")
    first, second, faulty, graded, returned = check(sheet, shown).errors
    assert "'query': 'Suchanfrage', 'document': 'Artikel', 'grade': 'Note'" in first
    assert f"'query': '{query}', 'document': 'Artikel', 'score': 'Punkte'" in second
    assert "sheet.csv:3: the Note is '?'" in faulty
    assert "document 'd1' of 'q1' has two grades: 3 (" in graded
    assert "document 'd2' appears twice" in returned
    Path(sheet).write_text(HEADS + SHEET.replace("q1;d2;Ei;?\nq1;d1;Ei;2,0\n", ""))
    heads = dict.fromkeys(["query=Suchanfrage", f"query={query}", "document=Artikel", "grade=Note", "score=Punkte"])
    given = [word for head in heads for word in ("--column", head)]
    assert main(["eval", sheet, shown, "--duplicates", "first", *given, "-m", "ndcg@10", "--format", "tsv"]) == 0
    assert "0.5" in capsys.readouterr().out  # 1 of q1, and nothing of q2


def test_a_ceiling_is_noted() -> None:
    "Where every query has the best value, no better system can show"
    best = check({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["b"]})
    assert best.errors == [] and any("no better system can show" in text for text in texts(best, "note"))
    worse = check({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["x", "b"]})
    assert not any("no better system" in text for text in texts(worse, "note"))


def test_swapped_arguments_and_distances() -> None:
    run = "\n".join(f"q{q} Q0 d{i} {i} {i / 10} x" for q in range(3) for i in range(1, 9))
    found = check(run, "q1 0 d1 1\nq1 0 d2 0\n")
    assert any("This looks like a run" in text for text in found.errors)
    far = "query,document,score\n" + "\n".join(f"q1,d{i},{i / 10}" for i in range(1, 20))
    found = check({"q1": {"d1": 1}}, far)
    assert any("if they are distances, give -distance" in text for text in texts(found, "note"))


def test_in_the_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text(FAULTY)
    Path("run.json").write_text(json.dumps(RUN))
    assert main(["check", "labels.csv", "old=run.json"]) == 1
    out = capsys.readouterr().out
    assert "error (2 rows): labels.csv:3: the grade is '?'" in out and "4 errors" in out
    assert main(["eval", "labels.csv", "run.json"]) == 2
    assert "`ndcg check` shows all of them" in capsys.readouterr().err
    Path("labels.csv").write_text("query,document,grade\nq1,a,1\nq2,x,1\n")
    assert main(["check", "labels.csv", "run.json"]) == 0
    assert re.search(r"^read \(2 rows\): labels.csv, query = query", capsys.readouterr().out, re.M)
    assert main(["check", "labels.csv", "none.json"]) == 2


def test_runs_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text("query,document,grade\nq1,a,1\nq2,c,1\n")
    Path("run.json").write_text(json.dumps(RUN))
    Path("a=b.json").write_text(json.dumps(RUN))  # a file of that name is the file
    assert main(["eval", "labels.csv", "new=run.json", "a=b.json", "-q", "--quiet", "--format", "tsv"]) == 0
    out = capsys.readouterr().out
    assert "\nnew\t" in out and "\na=b.json\t" in out
