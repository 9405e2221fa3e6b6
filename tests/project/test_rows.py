"""A row is enough: each table gets one more row, and all that speaks of it works with it, or refuses it by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ndcg_nb import compare, dcg, evaluate, ndcg, ndcg_sql
from ndcg_nb.beside import average_precision, err, recall, reciprocal_rank
from ndcg_nb.hood.core.conventions import DIALECTS, DISCOUNTS, GAINS
from ndcg_nb.hood.core.counting import DIVISORS
from ndcg_nb.hood.core.rankings import TIES, TieRule, average_ties
from ndcg_nb.hood.core.sums import IDEALS
from ndcg_nb.hood.engines.spelling import ENGINES
from ndcg_nb.hood.evaluator import MEASURES
from ndcg_nb.hood.inputs.files import FORMATS
from ndcg_nb.hood.reports.cli import main
from ndcg_nb.hood.runs.scoring import Kind
from ndcg_nb.hood.stats.intervals import INTERVALS, bootstrap_means
from ndcg_nb.hood.stats.paired import TESTS
from ndcg_nb.smooth import approx_ndcg

NEW = "brand-new"
QRELS = {f"q{i}": {"a": 3, "b": 1, "c": 2, "d": 0, "e": i % 2} for i in range(8)}
RUNS = {
    "old": {q: {"a": 1.0, "b": 2.0, "c": 2.0, "d": 3.0 - i % 3} for i, q in enumerate(QRELS)},
    "new": {q: {"a": 2.0, "b": 1.0, "c": 1.0, "d": 0.5 + i % 2} for i, q in enumerate(QRELS)},
}
FORMS = {  # a table, the row that is added, and the measure that is then asked for
    "gain": (GAINS, lambda grades: grades**0.5, f"ndcg(gain={NEW})@3"),
    "discount": (DISCOUNTS, lambda rank: 1 / rank**2, f"ndcg(discount={NEW})@3"),
    "tie rule": (TIES, TIES["last"]._replace(words="ties are as never before"), f"ndcg(ties={NEW})@3"),
    "ideal": (IDEALS, IDEALS["pool"]._replace(words="ideal is as never before"), f"ndcg(ideal={NEW})@3"),
    "dialect": (DIALECTS, replace(DIALECTS["trec_eval"], tool="Brand New"), f"ndcg(like={NEW})@3"),
    "divisor": (DIVISORS, DIVISORS["k"], f"recall(per={NEW})@3"),
    "measure": (MEASURES, Kind(lambda rel, k=None: ndcg(rel, k), limits=(0, 1)), f"{NEW}@3"),
}


def or_named(call: Callable[[], Any]) -> Any:
    "What a call gives; or nothing, if it refuses the new row and says which"
    try:
        return call()
    except ValueError as error:
        assert NEW in str(error)
        return None


@pytest.fixture(params=FORMS)
def measure(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    "A measure that names a row which was not there before"
    table, row, written = FORMS[request.param]
    monkeypatch.setitem(table, NEW, row)
    return written


def test_a_result_is_shown_saved_and_explained(measure: str, tmp_path: Path) -> None:
    result = evaluate(QRELS, RUNS, measure)
    assert ((result.means > 0) & (result.means <= 1)).all(axis=None)
    assert measure in repr(result)
    for ending in ("html", "json", "csv", "md", "tex"):
        result.save(tmp_path / f"result.{ending}")
    assert result._repr_html_()
    assert not result.by({q: "odd" for q in QRELS}).empty
    or_named(lambda: result.explain("q1", run="new"))
    or_named(lambda: result.plot_curves())


def test_two_runs_are_compared(measure: str, tmp_path: Path) -> None:
    found = compare(QRELS, RUNS, measure)
    assert measure in repr(found)
    assert found.to_latex()
    found.save(tmp_path / "report.html")
    assert measure in (tmp_path / "report.html").read_text("utf-8")


def test_sql_and_a_table_of_duckdb(measure: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    con.execute("CREATE TABLE qrels (query TEXT, document TEXT, grade INT)")
    con.executemany("INSERT INTO qrels VALUES (?, ?, ?)", [(q, d, g) for q, x in QRELS.items() for d, g in x.items()])
    con.execute("CREATE TABLE run (query TEXT, document TEXT, score DOUBLE)")
    rows = [(q, d, s) for q, x in RUNS["new"].items() for d, s in x.items()]
    con.executemany("INSERT INTO run VALUES (?, ?, ?)", rows)
    there = or_named(lambda: evaluate("qrels", "run", measure, connection=con))
    here = evaluate(QRELS, RUNS["new"], measure)
    assert there is None or np.allclose(there.means, here.means, rtol=1e-12)


@pytest.mark.parametrize("name", ["gain", "discount", "ties", "ideal"])
def test_sql_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, row, _ = FORMS["tie rule" if name == "ties" else name]
    monkeypatch.setitem(table, NEW, row)
    assert or_named(lambda: ndcg_sql(k=3, **{name: NEW})) is None, "SQL is written by hand for each of them"


@pytest.mark.parametrize("name", ["gain", "discount", "ties", "ideal"])
def test_tensors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    table, row, _ = FORMS["tie rule" if name == "ties" else name]
    monkeypatch.setitem(table, NEW, row)
    rel = [3.0, 2.0, 0.0, 1.0]
    scores = [0.1, 0.4, 0.4, 0.2]
    here = ndcg(rel, 3, scores=scores, **{name: NEW})
    there = or_named(lambda: ndcg(torch.tensor(rel), 3, scores=torch.tensor(scores), **{name: NEW}))
    assert there is None or abs(float(there) - here) < 1e-6
    if name == "gain":
        assert 0 < float(approx_ndcg(torch.tensor(rel), scores=torch.tensor(scores), gain=NEW)) < 1


@pytest.mark.parametrize("setting", ["test", "interval"])
def test_a_test_and_an_interval(setting: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table, row = {"test": (TESTS, TESTS["sign"]), "interval": (INTERVALS, INTERVALS["t"])}[setting]
    monkeypatch.setitem(table, NEW, row._replace(name="the newest of all"))
    given: Any = {setting: NEW}
    found = compare(QRELS, RUNS, "ndcg@3", **given)
    assert "the newest of all" in repr(found) + str(found.notes)
    found.save(tmp_path / "report.html")
    assert "the newest of all" in (tmp_path / "report.html").read_text("utf-8")
    or_named(lambda: compare(QRELS, RUNS, "ndcg@3", weights=dict.fromkeys(QRELS, 2), **given))


def test_a_test_that_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    "A bootstrap of the mean: its draws and seed are in the note, and its smallest p in the gate"

    def bootstrap(d: np.ndarray, draws: int, seed: int, **_: Any) -> np.ndarray:
        means = np.abs(bootstrap_means(d - d.mean(axis=1, keepdims=True), draws, seed))
        return (1 + (means >= np.abs(d.mean(axis=1))[:, None]).sum(axis=1)) / (draws + 1)

    least = lambda n, draws: 1 / (draws + 1)  # noqa: E731
    row = TESTS["sign"]._replace(p=bootstrap, name="bootstrap of the mean", least=least, is_drawn=True)
    monkeypatch.setitem(TESTS, NEW, row)
    values = {"a": np.linspace(0, 1, 9), "b": np.linspace(0.1, 1.2, 9)[::-1]}
    found = compare(values, test=NEW, draws=499, seed=3)
    assert found.notes[1] == "p: the bootstrap of the mean, two-sided, 499 drawn with seed 3."
    assert found.p == compare(values, test=NEW, draws=499, seed=3).p != compare(values, test=NEW, draws=499, seed=4).p
    with pytest.raises(ValueError, match=r"it takes 18 queries and 100,000 draws$"):
        compare(values, test=NEW, draws=499, alpha=1e-5).fails_if()
    with pytest.raises(ValueError, match="goes with test='t' or test='randomization'"):
        compare(values, test=NEW, adjust="tukey")


def test_a_format_of_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def read_arrows(source: Any, columns: Any) -> Any:
        if not source.data.startswith(b"ARROWS"):
            return None
        lines = [line.split(" -> ") for line in source.data.decode().splitlines()[1:]]
        return [(query, {document: float(grade)}) for query, document, grade in lines]

    monkeypatch.setitem(FORMATS, NEW, read_arrows)
    (tmp_path / "qrels").write_text("ARROWS\n1 -> a -> 3\n2 -> b -> 1\n", "utf-8")
    result = evaluate(tmp_path / "qrels", {"1": ["b", "a"], "2": ["b"]}, "ndcg@3")
    assert result.means.iloc[0, 0] == (1 / np.log2(3) + 1) / 2


def test_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=NEW):
        ndcg_sql(k=3, engine=NEW)
    monkeypatch.setitem(ENGINES, NEW, ENGINES["postgres"])
    or_named(lambda: ndcg_sql(k=3, engine=NEW))


def test_the_command_line(measure: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"{q} 0 {d} {g}" for q, x in QRELS.items() for d, g in x.items()]
    (tmp_path / "qrels").write_text("\n".join(lines), "utf-8")
    lines = [f"{q} Q0 {d} 1 {s} x" for q, x in RUNS["new"].items() for d, s in x.items()]
    (tmp_path / "run").write_text("\n".join(lines), "utf-8")
    assert main(["eval", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", measure]) == 0
    assert measure in capsys.readouterr().out


WRONG_ROWS: list[tuple[Any, Any, Callable[[], Any], str]] = [
    (GAINS, lambda grades: 5.0 - grades, lambda: ndcg([2, 1, 0], gain=NEW), "falls: 5 for grade 0, 4 for grade 1"),
    (GAINS, lambda grades: grades + 1.0, lambda: ndcg([2, 1], gain=NEW), "is 1 for grade 0, which is also what is not"),
    (GAINS, lambda grades: grades + 1.0, lambda: evaluate(QRELS, RUNS, f"dcg(gain={NEW})@3"), "is 1 for grade 0"),
    (GAINS, lambda grades: grades * np.nan, lambda: ndcg([2, 1, 0], gain=NEW), "turned grade 0 into nan"),
    (GAINS, lambda grades: 1.0, lambda: ndcg([2, 1, 0], gain=NEW), "must return as many numbers"),
    (GAINS, lambda grades: grades.astype(str), lambda: ndcg([2, 1, 0], gain=NEW), "must return as many numbers"),
    (DISCOUNTS, lambda rank: 1 / (rank - 1), lambda: ndcg([2, 1], discount=NEW), "of rank 1 is inf"),
    (DISCOUNTS, lambda rank: rank * np.nan, lambda: dcg([2, 1], discount=NEW), "of rank 1 is nan"),
    (DISCOUNTS, lambda rank: 1.0, lambda: ndcg([2, 1], discount=NEW), "must return as many numbers"),
    (
        TIES,
        TieRule("the highest of all", after=lambda gains, scores: gains.max(axis=1, keepdims=True) + 0 * gains),
        lambda: reciprocal_rank([1, 0], scores=[1, 1], ties=NEW),
        "changes gains, and this measure looks at hits",
    ),
    (
        TIES,
        TieRule("as they are", after=lambda gains, scores: gains),
        lambda: err([1, 0], scores=[1, 1], ties=NEW),
        "changes gains, and this measure looks at hits",
    ),
    (
        IDEALS,
        IDEALS["pool"]._replace(sum=lambda *_: np.array([[np.nan]])),
        lambda: ndcg([2, 1], ideal=NEW),
        "collects nan",
    ),
    (DIVISORS, lambda *_: 0, lambda: recall([1, 1, 1], per=NEW), "divides 3 by 0"),
    (DIVISORS, lambda *_: np.nan, lambda: recall([1, 1, 1], per=NEW), "divides 3 by nan"),
    (DIVISORS, lambda *_: "three", lambda: recall([1, 1, 1], per=NEW), "a divisor is a number"),
]


@pytest.mark.parametrize("table, row, call, why", WRONG_ROWS, ids=[why for *_, why in WRONG_ROWS])
def test_a_row_that_cannot_be_used_is_refused(
    table: Any, row: Any, call: Callable[[], Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(table, NEW, row)
    with pytest.raises(ValueError, match=why) as refusal:
        call()
    assert NEW in str(refusal.value)


def test_a_rule_that_averages_is_known_by_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TIES, NEW, TieRule("ties are averaged, too", after=average_ties))
    for function in (reciprocal_rank, average_precision):
        assert function([1, 0], scores=[1, 1], ties=NEW) == 0.75
    assert err([1, 0], scores=[1, 1], ties=NEW, highest=1) == 0.375
