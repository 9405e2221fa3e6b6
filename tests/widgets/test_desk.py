"""The desk: a real browser grades by keys, a killed process loses nothing, and the judge sees only the document."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, needs_browser
from shared.alone import state_of, unnamed
from shared.desks import HOSTILE, KITCHEN, RUNS, done, grades_in, make_desk, press

from ndcg_nb import judge_next
from ndcg_nb.hood.judging.ledger import HEAD, Entry
from ndcg_nb.hood.judging.open import Judging
from ndcg_nb.hood.limits.open_queries import Search


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "judgements.tsv"


def test_every_answer_is_a_line(file: Path) -> None:
    desk = make_desk(file, judge="ann")
    width = desk.result.width
    press(desk, 3)
    assert grades_in(file) == ["3"], "before anything else is asked"
    press(desk, "skip", 0, "undo", 1)
    head, *lines = [line.split("\t") for line in file.read_text().splitlines()]
    assert head == [*HEAD]
    assert [line[5] for line in lines] == ["grade", "skip", "grade", "undo", "grade"]
    assert {line[3] for line in lines} == {"ann"}
    assert lines[2][:2] == lines[3][:2] == lines[4][:2]
    assert desk.progress["done"] == 3
    assert desk.progress["skipped"] == 1
    assert desk.progress["error"] == ""
    assert desk.result.width < width and desk.result.left.open == 38, "what cannot be judged stays open"
    assert desk.result.bounds.equals(desk.session.todo.add(file).bounds)
    desk.close()


def test_undo_goes_back_to_the_start(file: Path) -> None:
    desk = make_desk(file)
    first = dict(desk.task)
    before = desk.result.bounds
    press(desk, 2, 1, "skip", 0)
    press(desk, *["undo"] * 6)
    assert desk.task == first
    assert desk.result.bounds.equals(before)
    assert desk.progress["done"] == 0
    assert len(grades_in(file)) == 8, "nothing is removed from the file"
    desk.close()
    again = make_desk(file)
    assert again.task == first
    again.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from shared.desks import make_desk, press
desk = make_desk(Path(sys.argv[1]))
press(desk, 3, "skip", 2, "undo", 1)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_loses_nothing(file: Path) -> None:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    command = [sys.executable, "-c", KILLED, str(file)]
    killed = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    desk = make_desk(file)
    assert desk.progress["done"] == 3
    assert desk.task["number"] == 3
    assert [*desk.session.given.values()] == [3, None, 1]
    press(desk, "undo")
    assert desk.task["number"] == 2, "what was done before can still be taken back"
    desk.close()


def test_a_line_that_was_torn_is_kept(file: Path) -> None:
    desk = make_desk(file)
    press(desk, 3)
    desk.close()
    with file.open("a") as end:
        end.write("q01\tegg")
    again = make_desk(file)
    assert again.progress["done"] == 1
    assert again.progress["strange"] == 1
    press(again, 2)
    again.close()
    assert "q01\tegg\n" in file.read_text()
    assert len(file.read_text().splitlines()) == 4
    last = make_desk(file)
    assert last.progress["done"] == 2
    last.close()


def test_foreign_lines_are_kept_and_noted(file: Path) -> None:
    desk = make_desk(file, judge="ann")
    press(desk, 3)
    desk.close()
    with file.open("a") as end:
        end.write(Entry("q99", "unknown", 2.0, "ann").line() + Entry("q01", "egg-timing", 2.0, "bob").line())
    again = make_desk(file, judge="ann")
    assert again.progress["strange"] == 2
    assert again.progress["done"] == 1
    press(again, 1)
    assert "q99\tunknown\t2\tann" in file.read_text()
    again.close()


def test_a_grade_that_is_not_possible_is_refused(file: Path) -> None:
    desk = make_desk(file)
    query, document = desk.session.tasks[0]
    press(desk, 9, "7", None, {})
    assert desk.progress["done"] == 0
    assert not file.stat().st_size
    desk.close()
    file.write_text("\t".join(HEAD) + "\n" + Entry(query, document, 7.0).line())
    with pytest.raises(ValueError, match=rf"judgements.tsv:2: the grade of document '{document}'"):
        make_desk(file)
    file.write_text("not,a,file,of grades\n")
    with pytest.raises(ValueError, match="is not a file of grades: its first line should be query document grade"):
        make_desk(file)


def test_a_second_desk_is_refused(file: Path) -> None:
    desk = make_desk(file)
    with pytest.raises(ValueError, match="is open at another desk: close that one"):
        make_desk(file)
    program = f"from ndcg_nb.hood.judging.ledger import Ledger; Ledger({str(file)!r})"
    other = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert b"is open at another desk" in other.stderr, "nor one of another process"
    press(desk, 2)
    assert grades_in(file) == ["2"]
    desk.close()
    make_desk(file).close()


def test_what_cannot_be_written_is_said(file: Path) -> None:
    desk = make_desk(file)
    press(desk, 2)
    with file.open("a") as other:
        other.write("a line of another program\n")
    shown = dict(desk.task)
    press(desk, 1)
    assert desk.progress["error"].startswith("Not saved: ")
    assert "was changed by another program" in desk.progress["error"]
    assert desk.task == shown, "the document stays"
    desk.close()


def test_a_closed_desk_writes_nothing(file: Path) -> None:
    desk = make_desk(file)
    press(desk, 2)
    written = file.read_bytes()
    desk.close()
    shown = dict(desk.task)
    press(desk, 1)
    assert desk.progress["error"] == f"Not saved: {file} was closed: make the desk again"
    assert desk.task == shown
    assert file.read_bytes() == written


def test_where_files_have_no_locks_a_desk_goes_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl", reason="this system has no locks")

    def refuse(*_: Any) -> None:
        raise OSError("no locks on this file system")

    monkeypatch.setattr(fcntl, "flock", refuse)
    desk = make_desk(file)
    press(desk, 2)
    desk.close()
    monkeypatch.setitem(sys.modules, "fcntl", None)  # as on a system that has none
    again = make_desk(file)
    press(again, 1)
    again.close()
    assert grades_in(file) == ["2", "1"]


def test_a_desk_is_for_what_judge_next_gives(file: Path) -> None:
    from ndcg_nb.widgets import desk

    with pytest.raises(TypeError, match="todo is 3: give what judge_next returns"):
        desk(3, lambda document: "text", file)
    assert not file.exists()


def test_the_judge_sees_only_the_document(file: Path) -> None:
    desk = make_desk(file, n=30)
    seen: list[dict[str, Any]] = []
    while desk.task:
        known = json.dumps(desk.state)
        assert not any(word in known for word in ("bm25", "titles.run", "rank", "worth"))
        seen.append(dict(desk.task))
        press(desk, 0)
    queries = [query for query, _ in desk.session.tasks]
    blocks = [query for i, query in enumerate(queries) if i == 0 or queries[i - 1] != query]
    assert len(blocks) == len({*blocks}) and len(seen) == 30, "documents of one query come together"
    by_worth = desk.session.todo.table.groupby("query")["document"].agg(list).to_dict()
    mine = {query: [d for q, d in desk.session.tasks if q == query] for query in by_worth}
    assert any(mine[query] != documents for query, documents in by_worth.items()), "not in the order of worth"
    other = [*make_desk(file.with_name("bob.tsv"), n=30, judge="bob").session.tasks]
    assert other != desk.session.tasks
    assert sorted(other) == sorted(desk.session.tasks)
    desk.close()


def test_two_judges(file: Path) -> None:
    first = make_desk(file, n=40, judge="ann")
    second = make_desk(file.with_name("bob.tsv"), 40, judge="bob", twice=0.1)
    assert first.task["of"] == 40
    assert second.task["of"] == 4
    third = make_desk(file.with_name("eve.tsv"), 40, judge="eve", twice=0.1)
    assert {*second.session.tasks} == {*third.session.tasks} < {*first.session.tasks}
    press(first, *[1] * 40)
    press(second, 1, 1, 1, 2)
    assert first.agreement(second).share == first.agreement(file.with_name("bob.tsv")).share == 0.75
    both = first.session.todo.add(file, file.with_name("bob.tsv"))
    assert both.left.open == 0
    assert any("Judges differ on 1 document: the first" in note for note in both.notes)
    for desk in (first, second, third):
        desk.close()


@pytest.mark.parametrize(
    "how, error, message",
    [
        ({"texts": {"a": "b"}}, ValueError, "has no text, but it is to be judged: give texts= for every document"),
        ({"texts": None}, TypeError, "texts is None"),
        ({"texts": 3}, TypeError, "texts is 3: give {id: text}, a function, or a table"),
        ({"twice": 2}, ValueError, "twice is 2: give a share from 0 to 1"),
        ({"judge": "a\tb"}, ValueError, "has a tab or a line break"),
    ],
)
def test_what_the_desk_refuses(file: Path, how: dict[str, Any], error: type[Exception], message: str) -> None:
    todo = judge_next(KITCHEN / "qrels.txt", RUNS, 3)
    texts = how.pop("texts", lambda document: "text")
    with pytest.raises(error, match=message):
        todo.desk(texts, file, **how)
    assert not file.exists(), "nor is a file made"


def test_nothing_to_judge(file: Path) -> None:
    todo = judge_next({"q": {"a": 1}}, {"q": ["a"]})
    with pytest.raises(ValueError, match="there is nothing to judge"):
        todo.desk({}, file)


def test_a_grade_asks_for_little(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "The ends of its own query, once"
    desk = make_desk(file, 40)
    searched = []

    def noted(judging: Any, queries: Any) -> Any:
        searched.append(len(queries))
        return Search.ends(judging, queries)

    monkeypatch.setattr(Judging, "ends", noted, raising=False)
    for _ in range(20):
        press(desk, 1)
    assert searched == [1] * 20
    desk.close()


# In a browser, with Python behind it

BRIDGE = """async ([source, style, first]) => {
  const { default: { render } } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  const [state, heard] = [{ ...first }, {}];
  const model = {
    get: (name) => state[name], set: (name, value) => { state[name] = value; }, send() {},
    on: (event, f) => { (heard[event] ??= []).push(f); }, off() {},
    save_changes: async () => {
      const next = JSON.parse(await window.python(JSON.stringify(state.answer)));
      for (const name of ["task", "progress"]) state[name] = next[name];
      for (const name of ["task", "progress"]) for (const f of heard[`change:${name}`] ?? []) f();
    },
  };
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  render({ model, el: document.body });
}"""


def open_desk(page: Any, desk: Any) -> None:
    "A page whose answers go to a desk, as a kernel would take them"

    def python(answer: str) -> str:
        desk.answer = json.loads(answer)
        return json.dumps(state_of(desk))

    page.expose_function("python", python)
    page.goto("about:blank")
    page.evaluate(BRIDGE, [desk._esm, desk._css, state_of(desk)])
    page.wait_for_function("document.activeElement.classList.contains('desk')")


@needs_browser
def test_a_browser_grades_ten_documents_by_keys(page: Any, file: Path) -> None:
    desk = make_desk(file)
    open_desk(page, desk)
    assert page.locator(".desk-text").inner_text().startswith(HOSTILE), "text is text"
    assert page.locator(".desk-text *").count() == 0
    assert page.evaluate("window.broken") is None
    assert unnamed(page, ".desk") == []
    keys = ["3", "0", "s", "1", "u", "2", "0", "0", "3", "1", "0", "2"]
    for i, key in enumerate(keys):
        before = desk.heard
        page.keyboard.press(key)
        page.wait_for_function("!document.querySelector('.desk-waiting')")
        assert desk.heard == before + 1, (i, key)
    assert page.locator(".desk-question").inner_text() == "Done"
    assert "10 of 10 done, 1 of them without a grade" in page.locator(".desk-count").inner_text()
    assert grades_in(file) == ["3", "0", "", "1", "", "2", "0", "0", "3", "1", "0", "2"]
    assert [*desk.session.given.values()] == [3, 0, None, 2, 0, 0, 3, 1, 0, 2]
    page.keyboard.press("1")  # there is nothing to grade
    assert len(grades_in(file)) == 12
    page.keyboard.press("u")
    done(page, "9 of 10")
    desk.close()


@needs_browser
def test_buttons_and_the_interval(page: Any, file: Path) -> None:
    desk = make_desk(file, labels={0: "bad", 3: HOSTILE})
    open_desk(page, desk)
    assert "bad" in page.locator(".desk-grades button").nth(0).inner_text()
    assert page.locator("img").count() == 0
    assert "The difference in ndcg@10 is between −0.423 and −0.016" in page.locator(".desk-line").inner_text()
    page.get_by_role("button", name="hide interval").click()
    assert not page.locator(".desk-line").is_visible()
    page.locator(".desk-grades button").nth(3).click()
    done(page, "1 of 10")
    page.keyboard.press("2")  # keys go on after a click
    done(page, "2 of 10")
    page.locator(".desk-others button").nth(1).click()
    done(page, "1 of 10")
    desk.close()
    hidden = make_desk(file.with_name("other.tsv"), show=False)
    assert "low" not in hidden.progress
    assert "width" not in hidden.progress
    hidden.close()


@needs_browser
def test_a_page_without_python_says_so(alone: Any, file: Path) -> None:
    desk = make_desk(file)
    page = alone("desk", state_of(desk), ".desk")
    assert "This page has no Python behind it" in page.locator(".desk-alert").inner_text()
    assert page.locator(".desk-grades button:enabled").count() == 0
    desk.close()
