"""One answer by every road: in memory, from Parquet in pieces, in DuckDB (and, in `test_spark.py`, in Spark).

Random problems are hostile on purpose: ties, infinite scores, queries that are missing, empty or not judged, documents
that are not judged or have the id of their query, several runs and measures, and in some of them one fault. Compared
is everything a result says: values, means, notes, how much was judged, explanations; or the type and the words of a
refusal. Where roads may differ, the lists below say so, and nothing else may.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from conftest import half

from ndcg_nb import evaluate
from ndcg_nb.hood.core.conventions import DIALECTS
from ndcg_nb.hood.engines import parquet as streams
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.hood.reports.cli import main
from ndcg_nb.hood.runs.scoring import share_at, shares_of
from ndcg_nb.sql import evaluate_lazily, ndcg_sql

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
pytest.importorskip("sqlglot", reason="sqlglot is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")

Frames = tuple[pd.DataFrame, dict[str, pd.DataFrame]]

# A refusal names the row in memory, and the pair in an engine, whose rows have no numbers: what it says is the same.
SAME_WORDS: list[tuple[str, str]] = [
    (r".*: the score is nan.*|.* has a score that is NULL or NaN among .*", "a score is nan"),
    (r".*document .* appears twice among the results of query ('\w+').*", r"query \1 has a document twice"),
    (r".*: query ('\w+') has a document twice, or one without an id among .*", r"query \1 has a document twice"),
    (r"(?:qrels: )?(document '\w+' of '\w+' has two grades): (\S+) .*and ([^:\s]+).*", r"\1: \2 and \3"),
    (r".*: the grade is nan, and must.*|qrels: the grade of .* is nan, and must.*", "a grade is nan"),
    (r"qrels(?:, row \d+)?: (the grade of document .*)", r"\1"),
    (r".* is (-?\d+), (above 2\*\*53, where .*)", r"\1, \2"),
    (r"(qrels and \w+ have no \w+ in common): .*", r"\1"),  # which are named in the order in which they are found
    (r".*ties='(first|last)' goes by the order of rows, .*", "no order"),
]
# What an engine sees only among the first k results: it does not read the rest, and answers.
ONLY_THE_FIRST = {"a score is nan", "query has a document twice"}
# Sentences about how a run was read, which are not about what it is.
HOW_IT_WAS_READ = r".*was read at once, and not in pieces: .*|.* It was read several times\."


class Problem(NamedTuple):
    "What is asked of whom"

    qrels: pd.DataFrame
    runs: dict[str, pd.DataFrame]
    how: dict[str, Any]


MEASURES = [
    *("ndcg@1", "ndcg@5", "ndcg", "dcg@5", "cg@2", "judged@3", "idcg@5", "ncg@3", "gain_recall@5", "ndcg(gain=exp)@10"),
    *("ndcg(ties=id)@1", "ndcg(ties=worst)@3", "ndcg(ties=best)@2", "ndcg(ideal=list,empty=1)@5", "ndcg(empty=1)@3"),
    *("ndcg(ideal=hits,empty=1)@4", "ndcg(ideal=reached)@2", "ndcg(minus_inf=last)@3", "ndcg(precision=float32)@2"),
    *(
        "ndcg(gain={0:1,1:4,2:5,3:9})@5",
        "ndcg(gain={0:1,1:4,2:5,3:9},ideal=list)@5",
        "ndcg(like=beir)@5",
        "ndcg(empty=raise)@5",
    ),
    *("ndcg(like=lightgbm)@5", "ndcg(like=trec_eval)@2", "dcg(gain=exp,ties=id)@3"),
]
SCORES = [0.0, 0.5, 0.5, 1.0, 1.0, 1.00000001, 2.0, -1.0, -np.inf, np.inf, 1e39, 3e39, -1e39]
FAULTS = ["score", "null", "twice", "grade", "two", "large", "huge", "large grade", "strangers"]


def frames(rng: np.random.Generator) -> Frames:
    "Judgements and runs, by query and document, so that the order of appearance is that of the names"
    names = [f"q{i}" for i in range(rng.integers(1, 6))]
    documents = np.array([*(f"d{i}" for i in range(8)), "q0", "q1"])
    judged = [
        (q, d, float(rng.integers(0, 4)) * (rng.random() < 0.7) * (i != 1))
        for i, q in enumerate(names)
        for d in np.sort(rng.choice(documents, rng.integers(1, 8), replace=False))
    ]
    runs = {}
    for name in ("one", "two")[: rng.integers(1, 3)]:
        queries = [q for q in names if rng.random() < 0.75] + ["x0", "x1"][: rng.integers(0, 3)]
        plain = rng.random() < 0.5
        shown = [
            (q, d, float(rng.choice(SCORES[:8] if plain else SCORES)))
            for q in queries or names[:1]
            for d in np.sort(rng.choice(documents, rng.integers(1, 9), replace=False))
        ]
        runs[name] = pd.DataFrame(shown, columns=["query", "document", "score"])
    return pd.DataFrame(judged, columns=["query", "document", "grade"]), runs


def spoilt(qrels: pd.DataFrame, runs: dict[str, pd.DataFrame], fault: str, rng: np.random.Generator) -> Frames:
    "The same with one fault"
    run = next(iter(runs.values())).copy()
    row = int(rng.integers(len(run)))
    judgement = int(rng.integers(len(qrels)))
    qrels = qrels.copy()
    if fault in ("score", "null"):
        run.loc[row, "score"] = np.nan
    elif fault == "twice":
        run = pd.concat([run, run[row : row + 1]]).sort_values("query", kind="stable", ignore_index=True)
    elif fault == "grade":
        qrels.loc[judgement, "grade"] = np.nan
    elif fault == "two":
        qrels = pd.concat([qrels, qrels[judgement : judgement + 1].assign(grade=7.0)], ignore_index=True)
    elif fault in ("large", "huge"):
        numbers = np.arange(len(run))
        numbers[row] = 2**53 + 1 if fault == "large" else -(2**62)
        run["score"] = numbers
    elif fault == "large grade":
        grades = qrels["grade"].astype(int).to_numpy(copy=True)
        grades[judgement] = 2**60
        qrels["grade"] = grades
    else:
        run["document"] = "z" + run["document"]
    return qrels, {**runs, next(iter(runs)): run}


def problem(seed: int, like: str | None = None) -> Problem:
    "A random problem; in every fourth something is wrong"
    rng = np.random.default_rng(seed)
    qrels, runs = frames(rng)
    fault = str(rng.choice(FAULTS)) if seed % 4 == 3 else ""
    if fault:
        qrels, runs = spoilt(qrels, runs, fault, rng)
    how: dict[str, Any] = {"missing": rng.choice([None, "zero", "skip", "error"], p=[0.4, 0.3, 0.2, 0.1])}
    how |= {"ignore_self": rng.choice([None, None, True]), "disjoint": str(rng.choice(["error", "zero"]))}
    if like is not None:
        return Problem(
            qrels, runs, how | {"like": like, "measures": str(rng.choice(["ndcg@3", "ndcg", "ndcg@1,5 dcg@2"]))}
        )
    chosen = rng.choice(MEASURES, int(rng.integers(1, 5)), replace=False)
    return Problem(qrels, runs, how | {"measures": " ".join(chosen)})


def answer(ask: Callable[[], Any]) -> Any:
    "A result; or how it was refused, in the words that all roads share"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ask()
        except (ValueError, OverflowError) as error:
            said = str(error).partition(". Where they fit into memory")[0]
            for pattern, words in SAME_WORDS:
                said = re.sub(f"^(?:{pattern})$", words, said, flags=re.S)
            return type(error), said


def notes(x: Any) -> list[str]:
    "Without the share, which is compared as a number"
    kept = (note for note in x.notes if not re.fullmatch(HOW_IT_WAS_READ, note))
    kept = (re.sub(r"\d+%", "%", note) for note in kept)
    found = []
    for note in kept:  # queries are named as they are found, so two runs share a note only if they were read alike
        unjudged = re.fullmatch(r"(.* of )(.*)( ha(?:s|ve) no judgements \(ignored\)): .*", note)
        found += [f"{unjudged[1]}{run}{unjudged[3]}" for run in unjudged[2].split(" and ")] if unjudged else [note]
    return found


def shares(x: Any) -> list[np.ndarray]:
    asked = share_at(x.share, x.asked)
    return [shares_of(next(iter(side.values())), asked, run) for run, side in x.sides().items()]


def compare(ours: Any, theirs: Any, about: Any) -> None:
    "Everything that two results say, or how they were refused"
    if isinstance(ours, tuple) or isinstance(theirs, tuple):
        assert ours == theirs, about
        return
    assert (ours.runs, ours.measures, ours.queries) == (theirs.runs, theirs.measures, theirs.queries), about
    np.testing.assert_allclose(ours.values, theirs.values, rtol=0, atol=1e-12, err_msg=str(about))
    np.testing.assert_allclose(ours.means, theirs.means, rtol=0, atol=1e-12, err_msg=str(about))
    np.testing.assert_allclose(shares(ours), shares(theirs), rtol=0, atol=1e-12, err_msg=str(about))
    assert notes(ours) == notes(theirs), about
    for mine, other in zip(ours.scored, theirs.scored):
        for x, y in zip(mine, other):
            assert (x.missing == y.missing).all() and (x.empty == y.empty).all(), about
    explained = next((str(w) for a in ours.asked for w in a.written.each() if w.name == "ndcg"), None)
    if explained is not None:
        query = ours.queries[-1]
        run = ours.runs[0]
        mine, other = (answer(lambda x=x: pd.DataFrame(x.explain(query, explained, run))) for x in (ours, theirs))
        if isinstance(mine, tuple) or isinstance(other, tuple):
            assert mine == other, about
        else:
            pd.testing.assert_frame_equal(mine, other, rtol=0, atol=1e-9, obj=str(about))


def only_first(here: Any, there: Any) -> bool:
    "Whether memory refuses what an engine need not have seen"
    return isinstance(here, tuple) and not isinstance(there, tuple) and re.sub(r" '\w+'", "", here[1]) in ONLY_THE_FIRST


def in_duckdb(con: Any, x: Problem) -> Any:
    "The answer of DuckDB, in whose tables rows have no order but that of a column"
    for name, frame in {"qrels": x.qrels, **x.runs}.items():
        numbered = frame.assign(line=np.arange(len(frame))).sample(frac=1, random_state=len(frame))
        con.register("frame", numbered)
        con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM frame")
        con.unregister("frame")
    runs = {name: con.table(name) for name in x.runs}
    return answer(lambda: evaluate(con.table("qrels"), runs, columns={"order": "line"}, **x.how))


def in_memory(x: Problem) -> Any:
    return answer(lambda: evaluate(x.qrels, x.runs, **x.how))


@pytest.fixture(scope="module")
def con() -> Any:
    with duckdb.connect(config={"threads": "1"}) as connection:
        yield connection


def check(con: Any, x: Problem, about: Any) -> None:
    here = in_memory(x)
    there = in_duckdb(con, x)
    if not only_first(here, there):
        compare(there, here, about)


SQL = sorted(name for name, whole in DIALECTS.items() if whole.ideal != "given")


@pytest.mark.parametrize("like", half(SQL))
def test_dialects_in_duckdb(con: Any, like: str) -> None:
    seed = 4 * SQL.index(like) + 1
    check(con, problem(seed, like), (seed, like))


@pytest.mark.parametrize("seed", half(range(1000, 1024)))
def test_measures_in_duckdb(con: Any, seed: int) -> None:
    check(con, problem(seed), seed)


@pytest.mark.parametrize("seed", half(range(2000, 2040)))
def test_parquet_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    "Sorted by query, a run passes in pieces; in any order it is read at once, or some queries at a time"
    monkeypatch.setattr(streams, "A_PIECE", 5)
    way = ("pieces", "pieces", "pieces", "at once", "several times")[seed % 5]
    monkeypatch.setattr(streams, "AT_ONCE", 1 if way == "several times" else 2**23)
    x = problem(seed)
    files = {}
    x = x._replace(how=x.how | {"measures": x.how["measures"] + " bounds@3 condensed_ndcg@2"})
    runs = x.runs if way == "pieces" else {name: run.sample(frac=1, random_state=0) for name, run in x.runs.items()}
    for name, run in runs.items():
        folder = tmp_path / name
        half = len(run) // 2
        folder.mkdir()
        for i, part in enumerate((run[:half], run[half:])):
            parquet.write_table(pa.Table.from_pandas(part, preserve_index=False), folder / f"{i}.parquet")
        files[name] = str(folder)
    there = answer(lambda: evaluate(x.qrels, files, **x.how))
    here = in_memory(x._replace(runs=runs))
    if not only_first(here, there):
        compare(there, here, (seed, way))


# ------------------------------------------------------------------------------------------------- each fault by itself
def table(rows: list[tuple[str, str, float]], name: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["query", "document", name])


TWO = table([("q1", "d", 2), ("q2", "d", 2)], "grade")
ONE = table([("q1", "d", 1.0)], "score")
LISTS = [
    *((name, "ndcg@10") for name in DIALECTS if DIALECTS[name].ideal in ("list", "hits")),
    *(
        (None, f"ndcg(ideal={ideal}{empty})@10")
        for ideal in ("list", "hits")
        for empty in (",empty=1", "", ",empty=raise")
    ),
    *((None, f"{m}(ideal=list,empty=1)@10") for m in ("gain_recall", "ncg")),
]


@pytest.mark.parametrize("like, measure", LISTS)
def test_a_query_that_is_missing_counts_0(con: Any, like: str | None, measure: str) -> None:
    "Also where the ideal is that of the list, which it lacks: it is missing, and not empty"
    missing = "1 judged query is missing from run (counted as 0): 'q2'."
    con.register("r", ONE.assign(line=0))
    for run, how in ((ONE, {}), (con.table("r"), {"columns": {"order": "line"}})):
        result = evaluate(TWO, run, measure, like=like, missing="zero", **how)
        assert result.values[0, :, 0].tolist() == [1, 0]
        assert missing in result.notes
    if "raise" not in measure:
        lazy = evaluate_lazily(TWO, con.table("r"), measure, like=like, missing="zero", columns={"order": "line"})
        assert sorted(lazy.fetchall()) == [("q1", 1), ("q2", 0)]


def test_a_query_that_is_missing_counts_0_in_sql_and_from_the_shell(
    con: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    con.register("q", TWO)
    con.register("r", ONE.assign(line=0))
    names = {"columns": {"order": "line"}, "like": "lightgbm"}
    assert con.sql(ndcg_sql("q", "r", missing="zero", **names)).fetchall() == [(0.5, 2, 0)]
    assert con.sql(ndcg_sql("q", "r", **names)).fetchall() == [(1, 1, 0)]
    (tmp_path / "q").write_text("q1 0 d 2\nq2 0 d 2\n")
    (tmp_path / "r").write_text("q1 Q0 d 1 1.0 r\n")
    main(["eval", str(tmp_path / "q"), str(tmp_path / "r"), "--like", "catboost", "--missing", "zero"])
    assert "0.5000" in capsys.readouterr().out


@pytest.mark.parametrize(
    "measure", ["ndcg(ties=id)@1", "ndcg(ties=worst)@1", "ndcg(minus_inf=last)@2", "ndcg(like=beir)@1"]
)
def test_the_share_is_ranked_by_its_own_rules(con: Any, measure: str) -> None:
    qrels = table([("q", "a", 1), ("q", "b", 0)], "grade")
    run = table([("q", "u", 1.0), ("q", "a", 1.0), ("q", "b", 0.5), ("q", "v", -np.inf)], "score")
    told = evaluate(qrels, run, measure).notes
    assert evaluate(qrels, con.from_df(run), measure).notes == told
    assert any("judged" in note for note in told)


def test_the_share_may_be_asked_too_late() -> None:
    "Where it takes a statement of its own, that is run when the notes are read; a note is no reason to fail"
    with duckdb.connect() as own:
        own.register("r", ONE)
        result = evaluate(TWO, own.table("r"), "ndcg(ties=id)@1", missing="zero")
        other = evaluate(TWO, own.table("r"), "ndcg@1")
    with pytest.warns(UserWarning, match="how much was judged cannot be asked any more. DuckDB cannot do this"):
        assert not any("are judged" in note for note in result.notes)
    assert "On average, 100% of the top 1 results are judged." in other.notes


WIDE = ["BIGINT", "HUGEINT", "DECIMAL(20,0)", "DECIMAL(38,10)"]


@pytest.mark.parametrize("kind", WIDE)
@pytest.mark.parametrize("number", [1_700_000_000_000_000_001, -(2**53) - 1])
def test_whole_numbers_no_float_can_hold(con: Any, kind: str, number: int) -> None:
    words = rf" is {number}(\.0+)?, above 2\*\*53, where a float cannot tell neighbours apart: rescale"
    rows = f"SELECT * FROM (VALUES ('q', 'a', {number}), ('q', 'b', 1)) t(query, document, "
    qrels = table([("q", "a", 1), ("q", "b", 0)], "grade")
    run = con.sql(f"SELECT query, document, CAST(n AS {kind}) AS score FROM ({rows} n))")
    judged = con.sql(f"SELECT query, document, CAST(n AS {kind}) AS grade FROM ({rows} n))")
    small = con.sql(f"SELECT query, document, CAST({2**53} * sign(n) AS {kind}) AS score FROM ({rows} n))")
    assert 0 < evaluate(qrels, small).value <= 1
    for said, ask in (
        ("run: the score of document 'a' of 'q'", (qrels, run)),
        ("qrels: the grade of document 'a' of 'q'", (judged, ONE)),
    ):
        with pytest.raises(Unreadable, match=re.escape(said) + words):
            evaluate(*ask)
    with pytest.raises(Unreadable, match=words):
        evaluate(qrels, table([("q", "a", number), ("q", "b", 1)], "score"))


def test_scores_beyond_32_bits(con: Any) -> None:
    "They are infinite, and tie with others that are; a nan stays one"
    qrels = table([("q", "a", 1), ("q", "b", 2), ("q", "v", 3)], "grade")
    run = table([("q", x, s) for x, s in zip("abuvw", (1e39, 1e40, np.inf, -1e39, 3.4e38))], "score")
    for like in ("trec_eval", "rax", "tfr"):
        here, there = (evaluate(qrels, x, "ndcg(ties=average)@1,4", like=like) for x in (run, con.from_df(run)))
        np.testing.assert_allclose(there.values, here.values, rtol=0, atol=1e-12)
    with pytest.raises(Unreadable, match="NULL or NaN"):
        evaluate(qrels, con.from_df(run.assign(score=[np.nan, 1, 2, 3, 4])), like="trec_eval")


GAINS = "ndcg(gain={-1:0,0:1,1:4,2:2})"


def test_a_judged_0_and_what_was_not_judged(con: Any) -> None:
    "The test of ir_measures for nDCG(gains={0: 1, 1: 4}), which is trec_eval's -m ndcg.0=1,1=4; 2 is worth 2, as ever"
    judged = {"0": {"D0": 1, "D1": -1, "D2": 0, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D4": -1, "D5": 0}}
    shown = {
        "0": {"D0": 0.8, "D2": 0.7, "D1": 0.3, "D3": 0.4, "D4": 0.1},
        "1": {"D1": 0.8, "D4": 0.7, "D3": 0.3, "D2": 0.4},
    }
    run = table([(q, d, s) for q, found in shown.items() for d, s in found.items()], "score")
    expected = [0.97177, 0.14949]
    for x in (shown, run, con.from_df(run)):
        for like in (None, "ir_measures"):
            result = evaluate(judged, x, GAINS, like=like)
            np.testing.assert_allclose(result.values[0, :, 0], expected, rtol=0, atol=1.1e-5)
            assert [result.explain(q).ndcg for q in "01"] == pytest.approx(result.values[0, :, 0].tolist(), abs=1e-12)
            assert "On average, 75% of the results are judged." in result.notes


def test_what_was_not_judged_gains_nothing(con: Any) -> None:
    "Tied with what was judged, in whole lists, and where a table or a function of gains has no word on grade 0"
    judged = {"q": {"a": 0, "b": 1}}
    shown = {"q": {"a": 1.0, "x": 1.0, "b": 0.5}}
    run = table([("q", d, s) for d, s in shown["q"].items()], "score")
    dcg = (1 + 1 / np.log2(3)) / 2 + 4 / 2
    for gain in ("{0:1,1:4}", "{0:1,1:4,9:9}"):
        for x in (shown, con.from_df(run)):
            assert evaluate(judged, x, f"ndcg(gain={gain})@3").value == pytest.approx(
                dcg / (4 + 1 / np.log2(3)), abs=1e-12
            )
        assert evaluate(judged, shown, f"ndcg_at_r(gain={gain})").value == pytest.approx(
            (1 + 1 / np.log2(3)) / 2 / (4 + 1 / np.log2(3)), abs=1e-12
        )
    from ndcg_nb.hood.runs.notation import Written

    plus = evaluate(judged, shown, [Written("ndcg", {"gain": lambda grades: 3 * grades + 1}, (3,))]).value
    assert plus == pytest.approx(dcg / (4 + 1 / np.log2(3)), abs=1e-12)
    for x in ({"q": {"b": 1.0, "x": 1.0}}, con.from_df(table([("q", "b", 1.0), ("q", "x", 1.0)], "score"))):
        assert evaluate({"q": {"b": 1}}, x, "ndcg(gain={1:1})@1").value == 0.5
    with pytest.raises(ValueError, match=r"which the gain table \{0: 1, 1: 4\} lacks"):
        evaluate({"q": {"a": 3}}, shown, "ndcg(gain={0:1,1:4})@3")


def test_columns_of_a_frame_beside_a_table(con: Any) -> None:
    qrels = TWO.rename(columns={"grade": "REL"})
    run = con.from_df(ONE)
    assert evaluate(qrels, run, columns={"grade": "REL"}).values[0, :, 0].tolist() == [1, 0]
    shown = ONE.rename(columns={"score": "S"})
    assert evaluate(con.from_df(TWO), shown, columns={"score": "S"}).values[0, :, 0].tolist() == [1, 0]
    with pytest.raises(Unreadable, match="there is no column 'RELL', only 'REL'"):
        evaluate(qrels, run, columns={"grade": "RELL"})


def test_a_measure_that_ignores_the_query_itself_beside_one_that_does_not(con: Any) -> None:
    "A query whose only result is itself is missing to one, and not to the other"
    qrels = table([("a", "a", 1), ("b", "c", 1)], "grade")
    run = table([("a", "a", 1.0), ("b", "c", 1.0)], "score")
    for measures in ("ndcg@3 ndcg(like=beir)@3", "ndcg(like=beir)@3 ndcg@3"):
        here, there = (evaluate(qrels, x, measures) for x in (run, con.from_df(run)))
        compare(there, here, measures)
        assert any("missing" in note for note in here.notes)


def test_explained_by_the_scores_as_they_are(con: Any) -> None:
    "Not by those of the first measure, which may be of 32 bits; and in the order of rows, where ties go by that"
    qrels = table([("q", "a", 1), ("q", "b", 0)], "grade")
    run = table([("q", "b", 1.0), ("q", "a", 1.00000001)], "score")
    result = evaluate(qrels, con.from_df(run), "ndcg(like=trec_eval)@1 ndcg@1")
    assert result.explain("q", "ndcg@1").ndcg == result.values[0, 0, 1] == 1
    tied = run.assign(score=1.0, line=[2, 1])
    result = evaluate(qrels, con.from_df(tied), "ndcg(ties=first)@1", columns={"order": "line"})
    assert result.explain("q").ndcg == result.value == 1


# ------------------------------------------------------------------------------------------------------ likely mistakes
GRADED = table([("1", "a", 2), ("1", "b", 0), ("2", "c", 1)], "grade")
SCORED = table([("1", "a", 0.9), ("1", "b", 0.8), ("1", "c", 0.7), ("2", "c", 0.6)], "score")
RANKED = table([(q, d, x) for q in "1234" for x, d in enumerate("cba", 1)], "grade")
EQUAL = table([(q, d, float(d == "a")) for q in "1234" for d in "abc"], "score")
LIKELY: dict[str, tuple[pd.DataFrame, pd.DataFrame, int]] = {  # judgements, a run, and how many notes there are
    "nothing": (GRADED, SCORED, 0),
    "swapped": (SCORED.set_axis([*GRADED], axis=1), GRADED.set_axis([*SCORED], axis=1), 1),
    "swapped, and scores are whole": (RANKED, EQUAL, 1),
    "whole scores in their place": (EQUAL.set_axis([*GRADED], axis=1), RANKED.set_axis([*SCORED], axis=1), 0),
    "fractions on both sides": (GRADED.assign(grade=[0.5, 1.5, 2.5]), SCORED, 0),
    "whole numbers on both sides": (GRADED, SCORED.assign(score=[4.0, 3.0, 2.0, 1.0]), 0),
    "numbers": (
        GRADED.assign(query=[1, 1, 2], document=[1, 2, 3]),
        SCORED.assign(query=[1, 1, 1, 2], document=[*"1233"]),
        0,
    ),
}
WAYS = ["pieces", "at once", "several times", "DuckDB", "judgements here", "run here"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mistake", LIKELY)
def test_likely_mistakes_are_told_on_every_road(
    con: Any, mistake: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    "That judgements and run seem to be swapped"
    qrels, run, number = LIKELY[mistake]
    monkeypatch.setattr(streams, "A_PIECE", 2)
    monkeypatch.setattr(streams, "AT_ONCE", 1 if way == "several times" else 2**23)
    apart = [0, len(run) - 1, *range(1, len(run) - 1)]  # the first query comes again behind the second
    (run if way == "pieces" else run.iloc[apart]).to_parquet(tmp_path / "run.parquet", index=False)
    there = qrels, f"{tmp_path}/*.parquet"
    if way not in WAYS[:3]:
        there = (
            qrels if way == "judgements here" else con.from_df(qrels),
            run if way == "run here" else con.from_df(run),
        )
    here = []
    notes = []
    for data, told in ((qrels, run), here), (there, notes):
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            evaluate(data[0], {"run": data[1]}, disjoint="zero", missing="zero")
        told += [str(x.message) for x in noted if re.search("are they swapped", str(x.message))]
    assert notes == here
    assert len(here) == number


# ------------------------------------------------------------------------------------------------------ names of tables
def test_only_tables_are_read(con: Any, tmp_path: Path) -> None:
    "Any other name would be that of a file, or of a variable of Python"
    path = tmp_path / "run.csv"
    path.write_text("query,document,score\nq1,d,1\n")
    con.execute("CREATE OR REPLACE TABLE judged AS SELECT 'q1' AS query, 'd' AS document, 1 AS grade")
    con.execute("CREATE SCHEMA IF NOT EXISTS s")
    con.execute("CREATE OR REPLACE VIEW s.shown AS SELECT 'q1' AS query, 'd' AS document, 1 AS score")
    for name in (str(path), "/etc/passwd", "x", "name", "s.judged", "nope.shown"):
        with pytest.raises(Unreadable, match=re.escape(f"DuckDB has no table {name!r}")):
            evaluate("judged", name, connection=con)
    with pytest.raises(Unreadable, match=r"DuckDB has no table 'judge'; did you mean 'judged'\?"):
        evaluate("judge", "s.shown", connection=con)
    for judged in ("judged", "JUDGED", "main.judged", "memory.judged", "memory.main.judged"):
        assert evaluate(judged, "s.shown", connection=con).value == 1


MISTAKES: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (
        lambda con: evaluate(con, "run"),
        TypeError,
        "qrels is a connection: give the name of a table there, and the connection as connection=",
    ),
    (lambda con: evaluate({"q": {"d": 1}}, con), TypeError, "run is a connection"),
    (lambda con: evaluate("SELECT * FROM q", "run", connection=con), ValueError, "con.sql('…')"),
    (
        lambda con: evaluate("(select 1)", "(select 1)", connection=con),
        ValueError,
        "a statement: give the name of a table or a view",
    ),
    (
        lambda con: ndcg_sql("with x as (select 1) from x"),
        ValueError,
        "qrels is 'with x as (select 1) from x', a statement",
    ),
    (lambda con: ndcg_sql(engine="postgresql"), ValueError, "did you mean 'postgres'?"),
]


@pytest.mark.parametrize("ask, kind, said", MISTAKES, ids=lambda x: x if isinstance(x, str) else "")
def test_mistakes(
    con: Any,
    ask: Callable[[Any], Any],
    kind: type[Exception],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=re.escape(said)):
        ask(con)
