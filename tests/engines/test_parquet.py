"""Runs in Parquet that pass piece by piece: the numbers, notes and refusals of a run that is read at once."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
from pyarrow import parquet  # noqa: E402

from ndcg_nb import evaluate, read_qrels, read_run  # noqa: E402
from ndcg_nb.hood.engines import parquet as streams  # noqa: E402
from ndcg_nb.hood.evaluations.evaluation import Evaluation  # noqa: E402
from ndcg_nb.hood.inputs.columns import MissingColumn, Unreadable  # noqa: E402
from ndcg_nb.hood.reports import cli  # noqa: E402
from ndcg_nb.hood.runs.loop import RunningTally  # noqa: E402
from ndcg_nb.runs import register_measure  # noqa: E402

Table = Any  # of pyarrow


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    "A run is long from 20 rows on, and read seven rows at a time"
    monkeypatch.setattr(streams, "AT_ONCE", 20)
    monkeypatch.setattr(streams, "A_PIECE", 7)


def table(rows: list[tuple[Any, ...]], value: str = "score") -> Table:
    return pa.table(dict(zip(["query", "document", value], map(list, zip(*rows)))))


def files(run: Table, folder: Path, rng: np.random.Generator, parts: int = 3) -> str:
    "A run in several files with small groups, cut anywhere; and the pattern that stands for them"
    cuts = [0, *sorted(rng.integers(0, len(run) + 1, parts - 1).tolist()), len(run)]
    for i, (a, b) in enumerate(pairwise(cuts)):
        parquet.write_table(run[a:b], folder / f"part-{i}.parquet", row_group_size=int(rng.integers(1, 30)))
    return f"{folder}/part-*.parquet"


def told(*given: Any, **rules: Any) -> Any:
    "An evaluation, or why there is none"
    try:
        return evaluate(*given, **rules)
    except (ValueError, OverflowError) as error:
        return type(error).__name__, str(error)


def is_streamed(result: Evaluation) -> bool:
    return all(isinstance(x, RunningTally) for sides in result.sides().values() for x in sides.values())


# ---------------------------------------------------------------------------------------------------- reading
RUN = table([("q1", f"d{i}", 9.0 - i) for i in range(9)] + [("q2", f"d{i}", 19.0 - i) for i in range(16)])
QRELS = {"q1": {"d3": 1, "d7": 2}, "q2": {"d0": 1}, "q3": {"d1": 1}}


def write(folder: Path, run: Table = RUN, name: str = "run.parquet", rows: int = 4) -> Path:
    parquet.write_table(run, folder / name, row_group_size=rows)
    return folder / name


def test_a_warning_of_a_measure_is_said_once(tmp_path: Path) -> None:
    "And is about all judgements: the highest of q1 is 2, and that of q2 is 1"

    def odd(rel: Any, pool: Any) -> float:
        warnings.warn("odd", UserWarning, stacklevel=1)
        return 1.0

    run = write(tmp_path)
    with register_measure("odd", odd), pytest.warns(UserWarning) as noted:
        result = evaluate(QRELS, run, "err odd")
    assert is_streamed(result)
    told = "err takes 4 for the highest grade, and the highest given is 2: give highest=2, or 4"
    assert sorted(str(warning.message) for warning in noted) == [told, "odd"]


def test_which_runs_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "Long files, patterns and folders do; short files, tables and everything else are read at once"
    long = write(tmp_path)
    short = write(tmp_path, RUN[:19], "short.parquet")
    for run in (long, str(long), tmp_path / "run.p*", str(tmp_path / "sh*t.parquet"), f"{tmp_path}/[r]un.parquet"):
        assert is_streamed(evaluate(QRELS, run)), run
    for run in (short, RUN, long.read_bytes(), io.BytesIO(long.read_bytes())):
        assert not is_streamed(evaluate(QRELS, run)), run
    (folder := tmp_path / "folder").mkdir()
    write(folder)
    (folder / "_SUCCESS").touch()
    assert is_streamed(evaluate(QRELS, folder))
    assert evaluate(QRELS, folder).runs == ("folder",)
    monkeypatch.chdir(tmp_path)
    assert evaluate(QRELS, ["run.*t", "short.*"]).runs == ("run.*t", "short.*")
    write(tmp_path, RUN, "[r]un.parquet")  # the name of a file, and no pattern
    assert evaluate(QRELS, "[r]un.parquet").runs == ("[r]un.parquet",)
    assert evaluate(QRELS, tmp_path / "**" / "fold?r" / "run.parquet").value == evaluate(QRELS, long).value


def test_beside_others(tmp_path: Path) -> None:
    "One run that passes, and one that does not"
    both = evaluate(QRELS, {"far": write(tmp_path), "near": RUN, "half": RUN[:9]}, "ndcg@10 judged@10")
    assert both.values[0].tobytes() == both.values[1].tobytes()
    assert both.values[2, 1, 0] == 0
    assert both.notes == evaluate(QRELS, {"far": RUN, "near": RUN, "half": RUN[:9]}, "ndcg@10 judged@10").notes
    assert both.explain_change("near", "far", "q1").to_dict() == both.explain_change("near", "near", "q1").to_dict()


def test_only_what_is_needed_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = RUN.append_column("text", pa.array(["lorem"] * len(RUN)))
    path = write(tmp_path, wide)
    read: list[int] = []
    whole = streams.open_parquet

    def opened(path: Any) -> Any:
        file = whole(path)
        batches = file.iter_batches

        def iter_batches(size: int, groups: list[int], columns: list[str]) -> Any:
            assert columns == ["query", "document", "score"]
            read.extend(groups)
            return batches(size, groups, columns)

        file.iter_batches = iter_batches
        return file

    monkeypatch.setattr(streams, "open_parquet", opened)
    result = evaluate(QRELS, path)
    assert read == [0, 1, 2, 3, 4, 5, 6]
    read.clear()
    result.explain("q1")
    assert read == [0, 1, 2]  # the groups that hold its rows


def test_pieces_hold_whole_queries(tmp_path: Path) -> None:
    "Whatever the sizes of groups, files and pieces"
    rng = np.random.default_rng(3)
    sizes = rng.choice([1, 3, 9, 25], 30)
    run = table([(f"q{i}", f"d{d}", float(-d)) for i, size in enumerate(sizes) for d in range(size)])
    for _ in range(20):
        for path in tmp_path.glob("*"):
            path.unlink()
        pattern = files(run, tmp_path, rng, parts=int(rng.integers(1, 9)))
        streams.A_PIECE = int(rng.integers(1, 40))
        stream = streams.open_stream(pattern, streams.files_of(pattern) or [], "score", None)
        found = list(streams.read_pieces(stream))
        assert pa.concat_tables([piece for _, piece in found]).equals(run)
        each = [query for _, piece in found for query in piece["query"].unique().to_pylist()]
        assert sorted(each) == sorted(run["query"].unique().to_pylist())
        assert [start for start, _ in found] == np.cumsum([0, *(len(piece) for _, piece in found)])[:-1].tolist()
        assert all(len(piece) for _, piece in found)


def test_few_rows_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "A piece and a query, at most"
    run = table([(f"q{i // 10}", f"d{i}", float(-i)) for i in range(2000)])
    most = []
    plain = streams.Stream.rows
    monkeypatch.setattr(streams.Stream, "rows", lambda s, t, start=0: most.append(len(t)) or plain(s, t, start))
    assert is_streamed(evaluate({"q7": {"d71": 1}}, write(tmp_path, run, rows=500)))
    assert sum(most) == 2000
    assert max(most) <= 7 + 10


def test_groups_that_have_passed_are_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "A reader keeps the bytes of all groups that it is given"
    rng = np.random.default_rng(0)
    rows = 40_000
    monkeypatch.setattr(streams, "A_PIECE", 1000)
    ids = [f"{x:016x}" for x in rng.integers(0, 2**63, rows)]  # which cannot be packed
    run = pa.table({"query": [f"q{i // 100}" for i in range(rows)], "document": ids, "score": rng.random(rows)})
    path = write(tmp_path, run, rows=1000)
    stream = streams.open_stream(path, [str(path)], "score", None)
    before = pa.total_allocated_bytes()
    held = []
    for _ in streams.read_pieces(stream):
        held.append(pa.total_allocated_bytes() - before)
    assert len(held) > 35
    assert max(held) < path.stat().st_size / 3


KINDS: dict[str, tuple[Callable[[Table], Table], Callable[[Table], Table]]] = {
    "text and long text": (lambda t: t, lambda t: retyped(t, "query", pa.large_string())),
    "text and categories": (lambda t: t, lambda t: coded(t, "document")),
    "scores of two kinds": (lambda t: t, lambda t: retyped(t, "score", pa.int32())),
    "categories": (lambda t: coded(t, "query"), lambda t: coded(t, "query")),
    "numbers": (lambda t: numbered(t), lambda t: numbered(t)),
    "another column": (lambda t: t, lambda t: t.append_column("tag", pa.array(["x"] * len(t)))),
    "in another order": (lambda t: t, lambda t: t.select(["score", "query", "document"])),
}


def retyped(t: Table, name: str, kind: Any) -> Table:
    return t.set_column(t.column_names.index(name), name, t[name].cast(kind))


def coded(t: Table, name: str) -> Table:
    return t.set_column(t.column_names.index(name), name, t[name].dictionary_encode())


def numbered(t: Table) -> Table:
    return t.set_column(0, "query", pa.array([int(x[1:]) for x in t["query"].to_pylist()]))


@pytest.mark.parametrize("kind", KINDS)
def test_types_that_differ(kind: str, tmp_path: Path) -> None:
    first, second = KINDS[kind]
    write(tmp_path, first(RUN[:12]), "a.parquet")
    write(tmp_path, second(RUN[12:]), "b.parquet")
    qrels = {q[kind.find("number") >= 0 :]: inner for q, inner in QRELS.items()}
    expected = evaluate(QRELS, RUN, "ndcg@5,20 judged")
    assert evaluate(qrels, tmp_path, "ndcg@5,20 judged").values.tobytes() == expected.values.tobytes()


def test_empty_files(tmp_path: Path) -> None:
    "One among several is fine; where all are, there is no run"
    for name, part in (("a", RUN[:0]), ("b", RUN[:10]), ("c", RUN[:0]), ("d", RUN[10:]), ("e", RUN[:0])):
        write(tmp_path, part, f"{name}.parquet")
    assert evaluate(QRELS, tmp_path).value == evaluate(QRELS, RUN).value
    with pytest.raises(Unreadable, match=r"/\[ac\]\.parquet has no results in it"):
        evaluate(QRELS, f"{tmp_path}/[ac].parquet")


def test_judgements_and_tables_in_several_files(tmp_path: Path) -> None:
    "These are read at once"
    qrels = table([("q1", "d3", 1), ("q1", "d7", 2), ("q2", "d0", 1), ("q3", "d1", 1)], "grade")
    write(tmp_path, qrels[:2], "qrels-1.parquet")
    write(tmp_path, qrels[2:], "qrels-2.parquet")
    pattern = f"{tmp_path}/qrels-*.parquet"
    assert evaluate(pattern, RUN).value == evaluate(QRELS, RUN).value
    assert read_qrels(pattern).to_dict("list") == qrels.to_pydict()
    beir = qrels.rename_columns(["query-id", "corpus-id", "score"])
    write(tmp_path, beir, "beir-1.parquet")
    assert evaluate(f"{tmp_path}/beir-?.parquet", RUN).value == evaluate(QRELS, RUN).value
    joined = qrels.append_column("score", pa.array([0.5, 0.2, None, 0.1]))
    write(tmp_path, joined[:1], "both-1.parquet")
    write(tmp_path, joined[1:], "both-2.parquet")
    assert evaluate(f"{tmp_path}/both-*.parquet", "ndcg@3").value == evaluate(joined, "ndcg@3").value
    write(tmp_path, RUN, "run-1.parquet")
    assert read_run(f"{tmp_path}/run-*.parquet").to_dict("list") == RUN.to_pydict()
    with pytest.raises(Unreadable, match="has no judgements in it"):
        read_qrels(write(tmp_path, qrels[:0], "none.parquet").with_name("none.p*"))
    with pytest.raises(Unreadable, match="has no rows in it"):
        evaluate(f"{tmp_path}/none.p*", "ndcg@3")


def test_columns_of_other_names(tmp_path: Path) -> None:
    path = write(tmp_path, RUN.rename_columns(["wer", "was", "wieviel"]))
    columns = {"query": "wer", "document": "was", "score": "wieviel"}
    assert evaluate(QRELS, path, columns=columns).value == evaluate(QRELS, RUN).value
    with pytest.raises(MissingColumn, match=r"run.parquet has no column for query and document and score, only 'wer'"):
        evaluate(QRELS, path)
    with pytest.raises(Unreadable, match=r"has two columns 'score', and one of them should be the score: rename"):
        evaluate(QRELS, write(tmp_path, RUN.append_column("score", RUN["score"])))
    with pytest.raises(MissingColumn, match=r"there is no column 'who', only 'wer', 'was', 'wieviel'"):
        evaluate(
            QRELS, write(tmp_path, RUN.rename_columns(["wer", "was", "wieviel"])), columns=columns | {"grade": "who"}
        )


# ---------------------------------------------------------------------------------------------------- faults
def replaced(name: str, rows: dict[int, Any], run: Table = RUN) -> Table:
    "A run in which some cells are others"
    values = run[name].to_pylist()
    for row, value in rows.items():
        values[row] = value
    return run.set_column(run.column_names.index(name), name, pa.array(values, run[name].type))


ITSELF = replaced("document", {2: "q1", 3: "q1"})
COUNT = pa.array([*range(9), *range(16)])
SAME: dict[str, tuple[Table, dict[str, Any]]] = {  # what is refused, or noted, in the same words as of a short file
    "twice, which is itself": (ITSELF, {"measures": "ndcg@5 ndcg(like=beir)@5"}),
    "the first kept": (replaced("document", {4: "d0", 20: "d1"}), {"duplicates": "first"}),
    "no query in common": (RUN, {"qrels": {"q8": {"d1": 1}, "q9": {"d1": 0}}}),
    "no document in common": (RUN, {"qrels": {"q2": {"e1": 1}, "q9": {"e2": 0}}}),
    "documents of another query": (RUN, {"qrels": {"q2": {"e1": 1}, "q9": {"d1": 0}}}),
    "a gain without 0, before anything is found": (
        RUN,
        {"qrels": {"q1": {"e1": 1}, "q2": {"d0": 1}}, "measures": "ndcg(gain={1:1,2:3})@5"},
    ),
    "a grade below 0": (RUN, {"qrels": QRELS | {"q2": {"d0": -1}}}),
    "a sum too large": (RUN, {"qrels": QRELS | {"q2": {"d0": 1200}}, "measures": "dcg(gain=exp)@5"}),
    "an id that is missing": (replaced("query", {20: None}), {}),
    "a document without id": (replaced("document", {24: None}), {}),
    "scores like ranks": (RUN.set_column(2, "score", pa.array([*range(1, 10), *range(1, 17)])), {}),
    "scores that rise in one query": (RUN.set_column(2, "score", pa.array([*range(9), *range(16, 0, -1)])), {}),
    "scores that fall, and then rise": (RUN.set_column(2, "score", pa.array([*range(9, 0, -1), *range(16)])), {}),
    "ranks at odds": (RUN.append_column("rank", COUNT[::-1]), {}),
    "text for scores": (RUN.set_column(2, "score", RUN["document"]), {}),
    "two for a role": (RUN.append_column("qid", RUN["query"]), {}),
    "no scores": (RUN.drop_columns("score"), {}),
}


@pytest.mark.parametrize("fault", SAME)
def test_told_in_the_same_words(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, rules = SAME[fault]
    path = write(tmp_path, run)
    said = []
    qrels = rules.get("qrels", QRELS)
    given = {key: x for key, x in rules.items() if key != "qrels"}
    for long in (20, 2000):
        monkeypatch.setattr(streams, "AT_ONCE", long)
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            result = told(qrels, path, **given)
        if isinstance(result, Evaluation):
            assert is_streamed(result) == (long == 20)
            result = result.to_json()
        said.append((result, sorted({str(x.message) for x in noted})))
        assert long > 20 or len(said[0][1]) == len(noted), "said of every piece"
    assert said[0] == said[1]


def test_faults_name_the_row_in_its_file(tmp_path: Path) -> None:
    for name, part in (("a", RUN[:12]), ("b", replaced("score", {20: np.nan})[12:])):
        write(tmp_path, part, f"{name}.parquet")
    with pytest.raises(Unreadable, match=r"b\.parquet, row 8: the score is nan, which cannot be ranked"):
        evaluate(QRELS, tmp_path)
    write(tmp_path, replaced("document", {20: "d1"})[12:], "b.parquet")
    with pytest.raises(Unreadable, match=r"of query 'q2': \S*a\.parquet, row 10 and \S*b\.parquet, row 8\. dupl"):
        evaluate(QRELS, tmp_path)


def test_numbers_too_large_to_tell_apart(tmp_path: Path) -> None:
    whole = RUN.set_column(2, "score", pa.array([*range(24), 2**53 + 1]))
    with pytest.raises(Unreadable, match=r"run.parquet, row 24, column 'score' is 9007199254740993, above"):
        evaluate(QRELS, write(tmp_path, whole))
    write(tmp_path, whole, "b.parquet")
    write(tmp_path, RUN, "a.parquet")
    with pytest.raises(Unreadable, match=r"b\.parquet is no Parquet that can be read: Integer value 9007199254740993"):
        evaluate(QRELS, f"{tmp_path}/[ab].parquet")


def test_columns_that_differ(tmp_path: Path) -> None:
    write(tmp_path, RUN, "a.parquet")
    write(tmp_path, RUN.drop_columns("score"), "b.parquet")
    with pytest.raises(MissingColumn, match=r"b\.parquet has no column 'score', which \S*a\.parquet has"):
        evaluate(QRELS, tmp_path)
    write(tmp_path, RUN.set_column(2, "score", RUN["document"]), "b.parquet")
    with pytest.raises(Unreadable, match=r"b\.parquet has other types than \S*a\.parquet: .* score .*double vs string"):
        evaluate(QRELS, tmp_path)
    write(tmp_path, RUN.set_column(0, "query", RUN["score"]), "b.parquet")
    with pytest.raises(Unreadable, match=r"b\.parquet has other types than \S*a\.parquet: .* query .*string vs double"):
        evaluate(QRELS, tmp_path)


def test_no_files(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"no file matches \S*/\*\.parquet$"):
        evaluate(QRELS, f"{tmp_path}/*.parquet")
    with pytest.raises(IsADirectoryError):
        evaluate(QRELS, tmp_path)
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 0.5 x\n")
    with pytest.raises(
        Unreadable, match=r"a\.run is not a Parquet file: a pattern or a folder .* For several runs, give a list"
    ):
        evaluate(QRELS, f"{tmp_path}/*.run")


def test_broken_files(tmp_path: Path) -> None:
    whole = write(tmp_path).read_bytes()
    (tmp_path / "run.parquet").write_bytes(whole[:-40])  # its end is missing
    for run in (tmp_path / "run.parquet", f"{tmp_path}/*.parquet"):
        with pytest.raises(Unreadable, match=r"run\.parquet is no Parquet that can be read"):
            evaluate(QRELS, run)
    (tmp_path / "run.parquet").write_bytes(whole[:4] + bytes(40) + whole[44:])  # its beginning is
    with pytest.raises(Unreadable, match=r"run\.parquet is no Parquet that can be read"):
        evaluate(QRELS, f"{tmp_path}/*.parquet")


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path)
    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    for run in (path, f"{tmp_path}/*.parquet"):
        with pytest.raises(Unreadable, match=r"run\.parquet is Parquet, which needs pyarrow: pip install pyarrow"):
            evaluate(QRELS, run)


@pytest.mark.filterwarnings("ignore:query .q3. is not in run")
def test_a_file_that_changes(tmp_path: Path) -> None:
    "What is explained is what was scored"
    path = write(tmp_path)
    result = evaluate(QRELS, path)
    assert result.explain("q3") is not None  # which is missing, and so not looked for
    write(tmp_path, RUN[5:])
    with pytest.raises(Unreadable, match=r"run.parquet, row 0: query 'q1' was there, and the file has changed since"):
        result.explain("q1")


# ---------------------------------------------------------------------------------------------------- not in pieces
MIXED = pa.concat_tables([RUN[:5], RUN[9:20], RUN[5:9], RUN[20:]])


def test_queries_that_do_not_stand_together(tmp_path: Path) -> None:
    "A run of moderate size is read at once, and says so"
    result = evaluate(QRELS, write(tmp_path, MIXED))
    expected = evaluate(QRELS, {"run.parquet": MIXED})
    assert result.values.tobytes() == expected.values.tobytes()
    assert not is_streamed(result)
    path = tmp_path / "run.parquet"
    said = f"{path} was read at once, and not in pieces: query 'q1' comes again at {path}, row 16."
    assert result.notes == [*expected.notes, said]
    assert repr(result.explain("q1")) == repr(expected.explain("q1"))


def test_too_many_rows_that_do_not_stand_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "They are read several times, each time for some of the queries; every measure and rule is that of a short file"
    monkeypatch.setattr(streams, "AT_ONCE", 5)
    path = write(tmp_path, MIXED)
    said = f"{path} has 25 rows, too many to be read at once, and its queries do not stand together: query 'q1' "
    for measures, rules in (("ndcg@5 dcg@20 bounds@5 rbp", {}), ("ndcg(ties=first)@5", {"duplicates": "first"})):
        result, expected = (evaluate(QRELS, x, measures, **rules) for x in (path, {"run.parquet": MIXED}))
        assert result.values.tobytes() == expected.values.tobytes()
        assert is_streamed(result)
        assert result.notes == [*expected.notes, f"{said}comes again at {path}, row 16. It was read several times."]
    assert repr(result.explain("q1")) == repr(expected.explain("q1"))
    write(tmp_path, replaced("document", {20: "d0"}, MIXED))
    with pytest.raises(Unreadable, match=r"of query 'q2': \S*run\.parquet, row 5 and \S*run\.parquet, row 20\. dupl"):
        evaluate(QRELS, path)


# ---------------------------------------------------------------------------------------------------- the command
def shell(capsys: pytest.CaptureFixture[str], *argv: Any) -> tuple[int, str, str]:
    code = cli.main(list(map(str, argv)))
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    write(tmp_path / "runs", RUN[:12], "a.parquet")
    write(tmp_path / "runs", RUN[12:], "b.parquet")
    write(tmp_path)
    lines = (f"{q} 0 {d} {grade}\n" for q, inner in QRELS.items() for d, grade in inner.items())
    Path("qrels.txt").write_text("".join(lines))
    return tmp_path


def test_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mean = f"{evaluate(QRELS, RUN).value:.4f}"
    code, out, err = shell(capsys, "eval", "qrels.txt", "runs/*.parquet", "run.parquet", "runs", "-q")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[-3:]] == [
        "runs/*.parquet",
        "run.parquet",
        "runs",
    ]
    assert out.count(mean) == 3
    assert "1 judged query is missing" in err
    code, out, err = shell(capsys, "explain", "qrels.txt", "runs/*.parquet", "q1")
    assert code == 0
    assert "nDCG@10 = " in out
    assert out == shell(capsys, "explain", "qrels.txt", "run.parquet", "q1")[1]
    code, out, err = shell(capsys, "eval", "qrels.txt", "runs/*.run")
    assert code == 2
    assert err == "ndcg: error: no file matches runs/*.run\n"
