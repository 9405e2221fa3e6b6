"""The planted bugs of tests/mutants.toml are many, and every room of the package has its share of them."""

from collections import Counter

from conftest import ROOT
from mutants import BUGS, DRAWN
from shared import house

LEAST = 120
A_LINE = 10  # syntax nodes of a line of Python, on average; a line of JavaScript is taken to weigh as much


def room_of(module: str) -> str:
    "The folder that a module is in, without that of the hood; a chapter is in the book"
    folder = module.removeprefix("hood/").rpartition("/")[0]
    if folder:
        return folder
    return "hood" if module.startswith("hood/") else "book"


def weights() -> Counter[str]:
    "The syntax nodes of each room"
    found: Counter[str] = Counter()
    for module, tree in house.trees(ROOT / "ndcg_nb").items():
        if not module.endswith("__init__"):
            found[room_of(module.replace(".", "/"))] += house.weight(tree)
    for script in (ROOT / "ndcg_nb/static").glob("*.js"):
        lines = script.read_text("utf-8").splitlines()
        found["static"] += A_LINE * len(lines)
    return found


def test_there_are_enough_bugs() -> None:
    assert len(BUGS) >= LEAST
    assert len(DRAWN) >= LEAST / 3, "statements drawn by chance find what nobody has thought of"


def test_every_room_has_its_share_of_bugs() -> None:
    "At least half of what it weighs"
    planted = Counter(room_of(bug.module) for bug in BUGS.values())
    found = weights()
    for room, weight in found.items():
        share = len(BUGS) * weight / found.total()
        assert planted[room] >= share / 2, f"{room} has {planted[room]} bugs, and {share:.1f} would be its full share"
