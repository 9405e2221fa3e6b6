"""The sample collection is what its README says, its runs are computed from its texts, and the wheel carries it."""

from collections import Counter
from configparser import ConfigParser
from fnmatch import fnmatch

import pytest
import samples
from conftest import ROOT

JUDGED = [line.split(" ") for line in (samples.KITCHEN / "qrels.txt").read_text("utf-8").splitlines()]
RUNS = {
    name: [line.split(" ") for line in (samples.KITCHEN / name).read_text("utf-8").splitlines()]
    for name in ("bm25.run", "titles.run")
}
DOCUMENTS = {row["document"]: row for row in samples.rows("documents.tsv")}
QUERIES = {row["query"]: row["text"] for row in samples.rows("queries.tsv")}


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_computed_from_the_texts(name: str) -> None:
    assert (samples.KITCHEN / name).read_bytes() == samples.runs()[name].encode(), "run `python docs/samples.py`"


def test_bm25_by_hand() -> None:
    texts = {"a": Counter(egg=2, pan=1), "b": Counter(pan=1)}  # three words and one: two on average
    scores = samples.bm25(Counter(egg=1), texts, k1=1, b=0.5)
    assert scores == {"a": pytest.approx(0.6931471805599453 * 2 / (2 + 1.25)), "b": 0}  # ln(1 + 1.5 / 1.5)
    assert samples.cosine(Counter(egg=1, pan=1), texts)["a"] == pytest.approx(3 / (2 * 5) ** 0.5)


def test_ids_match() -> None:
    assert len(DOCUMENTS) == len(samples.rows("documents.tsv")) == 43
    assert list(QUERIES) == [f"q{i:02}" for i in range(1, 11)]
    assert all(" " not in name and row["title"] and row["text"] for name, row in DOCUMENTS.items())
    assert {q for q, *_ in JUDGED} == QUERIES.keys() - {"q09"}
    assert {document for _, _, document, _ in JUDGED} <= DOCUMENTS.keys()
    assert len({(q, document) for q, _, document, _ in JUDGED}) == len(JUDGED) == 76
    for rows in RUNS.values():
        assert {row[2] for row in rows} <= DOCUMENTS.keys()
        assert {row[0] for row in rows} <= QUERIES.keys()
        assert len({(row[0], row[2]) for row in rows}) == len(rows)


def test_what_is_in_it_on_purpose() -> None:
    grades = {q: [int(g) for topic, _, _, g in JUDGED if topic == q] for q in QUERIES}
    assert all(8 <= len(g) <= 10 and (max(g) == 3) == (q != "q08") for q, g in grades.items() if q != "q09")
    assert set(grades["q08"]) == {0}
    assert {g for each in grades.values() for g in each} == {0, 1, 2, 3}
    found = {name: {row[0] for row in rows} for name, rows in RUNS.items()}
    assert found == {"bm25.run": set(QUERIES), "titles.run": set(QUERIES) - {"q07"}}
    assert not any(row[0] == "q01" and row[2] == "egg-timing" for row in RUNS["bm25.run"] + RUNS["titles.run"])
    pairs = {(q, document) for q, _, document, _ in JUDGED}
    for rows in RUNS.values():
        assert {(row[0], row[2]) for row in rows} - pairs, "everything found was judged"
        assert max(Counter((row[0], row[4]) for row in rows).values()) > 1, "no two scores are equal"
        assert max(Counter(row[0] for row in rows).values()) == 10


def test_the_wheel_carries_it() -> None:
    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    patterns = ini["DEFAULT"]["package_data"].split()
    names = {path.name for path in samples.KITCHEN.iterdir()}
    assert names == {"README.md", "documents.tsv", "queries.tsv", "qrels.txt", "bm25.run", "titles.run"}
    for name in names:
        assert any(fnmatch(f"data/kitchen/{name}", pattern) and "kitchen" in pattern for pattern in patterns), name
