"""A desk over the sample runs, and what is pressed at it, written by it and seen of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from ndcg_nb import judge_next
from ndcg_nb.hood.display.pages import samples

KITCHEN = samples()
RUNS = {"bm25": KITCHEN / "bm25.run", "titles": KITCHEN / "titles.run"}
HOSTILE = "<img src=x onerror='window.broken = 1'><b>bold</b> & </script>"


def make_desk(file: Path, n: int = 10, **how: Any) -> Any:
    todo = judge_next(KITCHEN / "qrels.txt", RUNS, n)
    return todo.desk(lambda document: f"{HOSTILE} about {document}", file, **how)


def press(desk: Any, *answers: Any) -> None:
    "What a browser sends"
    for answer in answers:
        desk.answer = {"task": desk.task.get("number", -1), "answer": answer, "sent": random.random()}


def grades_in(file: Path) -> list[str]:
    return [line.split("\t")[2] for line in file.read_text().splitlines()[1:]]


def done(page: Any, count: str) -> None:
    page.wait_for_function(f"document.querySelector('.desk-count').textContent.startsWith('{count}')")
