"""Files that change while they are read, files that are none, and numbers that no float can hold, in any container."""

from __future__ import annotations

import io
import json
import math
import os
import random
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from ndcg_nb import evaluate, ndcg, read_qrels, read_run
from ndcg_nb.hood.core.lists import TOO_LARGE
from ndcg_nb.hood.tables import columns, files
from ndcg_nb.hood.tables.columns import MissingColumn, Unreadable

QRELS, RUN = {"1": {"a": 1, "b": 0}}, {"1": {"a": 1.0, "b": 2.0}}
LINE = b"1 Q0 doc%07d 1 0.5 tag\n"

# ---- files that change


CHANGES: dict[str, Callable[[Path], Any]] = {
    "cut short": lambda path: os.truncate(path, 100),
    "emptied": lambda path: os.truncate(path, 0),
    "longer": lambda path: os.truncate(path, 2 * path.stat().st_size),
    "written anew": lambda path: os.utime(path, ns=(0, 0)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_is_named(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = tmp_path / "a.run", os.fstat
    path.write_bytes(b"".join(LINE % i for i in range(5000)))
    left = [CHANGES[change]]

    def fstat(descriptor: int) -> os.stat_result:
        "What the file was, just before somebody changes it"
        found = real(descriptor)
        while left:
            left.pop()(path)
        return found

    monkeypatch.setattr(os, "fstat", fstat)
    with pytest.raises(Unreadable, match=r"a\.run changed while it was read: it had 130,000 bytes, and has [\d,]+ now"):
        files.read_file(path, "score")


def test_a_file_that_is_replaced_or_deleted_is_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, new, real = tmp_path / "a.run", tmp_path / "new", os.fstat
    for change in (lambda: os.replace(new, path), path.unlink):
        path.write_bytes(LINE % 1)
        new.write_bytes(LINE % 2 + LINE % 3)
        left = [change]
        monkeypatch.setattr(os, "fstat", lambda fd, left=left: [real(fd), *(x() for x in left and [left.pop()])][0])
        assert len(files.read_file(path, "score")) == 1


READER = """
import sys
from ndcg_nb.hood.tables.columns import Unreadable
from ndcg_nb.hood.tables.files import read_file
print("ready", flush=True)
while sys.stdin.readline():
    try:
        print("rows", len(read_file(sys.argv[1], "score")), flush=True)
    except (Unreadable, FileNotFoundError) as error:
        print("refused", str(error)[-200:].replace("\\n", " "), flush=True)
"""


def disturb(path: Path, whole: bytes, rng: random.Random) -> None:
    "Change the file as another process might"
    some = whole[: len(LINE % 0) * rng.randrange(1, 20_000)]
    kind = rng.choice(["cut short", "written anew", "appended to", "replaced", "deleted"])
    if kind == "cut short":
        os.truncate(path, len(some))
    elif kind == "written anew":
        path.write_bytes(some)
    elif kind == "appended to":
        with path.open("ab") as file:
            file.write(some)
    elif kind == "replaced":
        (new := path.with_suffix(".new")).write_bytes(some)
        os.replace(new, path)
    else:
        path.unlink()


def test_no_file_ends_the_interpreter(tmp_path: Path) -> None:
    "A reader in a process of its own, for a fault of the memory would end it; NDCG_FUZZ_S says how long to try"
    path, rng, seconds = tmp_path / "changing.run", random.Random(0), float(os.environ.get("NDCG_FUZZ_S", 2))
    whole = b"".join(LINE % i for i in range(200_000))
    command = [sys.executable, "-c", READER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as child:
        assert child.stdin and child.stdout and child.stdout.readline() == "ready\n"
        answers, took, end = [], 0.1, time.monotonic() + seconds
        while time.monotonic() < end or len(answers) < 12:
            path.write_bytes(whole)
            start = time.monotonic()
            child.stdin.write("\n")
            if answers:  # the first tells how long it takes
                time.sleep(rng.random() * took)
                disturb(path, whole, rng)
            answers.append(child.stdout.readline())
            if not answers[-1]:
                break
            took = time.monotonic() - start if len(answers) == 2 else took
        child.stdin.close()
    assert child.returncode == 0, f"the reader died: {child.returncode}, after {answers[-3:]}"
    said = ("changed while it was read", "No such file", "is empty")
    for answer in answers:
        assert answer.startswith("rows") or ("changing.run" in answer and any(x in answer for x in said)), answer
    assert answers[0] == "rows 200000\n"


def test_pandas_in_the_place_of_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SMALL", 0)
    monkeypatch.setattr(files, "_by_arrow", files._by_pandas)
    first = "1 Q0 NA 1 0.1 t\n"
    rows = files.read_file(first + '1 Q0 "b 2 -inf t\n', "score")
    assert (
        rows.document.names() == ["NA", '"b']
        and rows.value.tolist() == [0.1, -math.inf]
        and rows.place(1) == "<text>:2"
    )
    assert files.read_file(first + "1 Q0 x\0y 2 0.05 t\n", "score").document.names() == ["NA", "x\0y"]
    for line, said in (
        ("1 Q0 b 2 0.05\n", "<text>:2: expected 6 fields"),
        ("1 Q0 b 2 0.05\n1 Q0 c 3 0.04 t t\n", "<text>:2: expected 6 fields"),
        ("1 Q0 b 2 0.05_1 t\n", "<text>:2: the score is '0.05_1', not a number"),
        ("1 Q0 b 2 high t\n", "<text>:2: the score is 'high', not a number"),
        ("1 Q0 b 2 nan t\n", "<text>:2: the score is nan"),
        ("1 Q0 b 2 ١ t\n", "<text>:2: the score is '١', not a number"),
    ):
        with pytest.raises(Unreadable) as caught:
            files.read_file(first + line, "score")
        assert said in str(caught.value)
    with pytest.raises(Unreadable, match="<text>:2: expected 4 fields"):
        files.read_file("1 0 a 1\n1 0 b 1 x\n", "grade")


# ---- files that are none


def test_devices_and_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("/dev/zero", "/dev/urandom", "/dev/null"):
        with pytest.raises(Unreadable, match=f"{name} is a device, and no file: write what it holds to a file"):
            evaluate(QRELS, name)
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("s")
        with pytest.raises(Unreadable, match="s is a socket, and no file"):
            read_run("s")
    with pytest.raises(Unreadable, match="is a directory: give a file in it"):
        read_run(tmp_path)
    with open("/dev/zero") as zero:
        monkeypatch.setattr(sys, "stdin", zero)
        with pytest.raises(Unreadable, match="<stdin> is a device"):
            read_run("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(Unreadable, match="<stdin> is closed: give the path of a file"):
        read_run("-")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(LINE % 1)))
    assert len(read_run("-")) == 1


def test_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(files, "PATIENCE", 0.01)
    with pytest.raises(Unreadable, match=r"pipe is a pipe, and nothing was written to it: give a file, or '-'"):
        read_run(pipe)
    monkeypatch.setattr(files, "PATIENCE", 60)
    writer = threading.Thread(target=lambda: pipe.write_bytes(LINE % 1 + LINE % 2))
    writer.start()
    assert len(read_run(pipe)) == 2
    writer.join()
    monkeypatch.setattr(files, "PATIENCE", 0.01)
    opened = os.open(pipe, os.O_RDWR)  # somebody is there, and slow
    late = threading.Timer(0.2, lambda: [os.write(opened, LINE % 1), os.close(opened)])
    late.start()
    assert len(read_run(pipe)) == 1
    late.join()
    monkeypatch.setattr(files, "PIPED", 2**10)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(LINE * 100)))
    with pytest.raises(Unreadable, match="<stdin> goes on after 0 GiB: write it to a file"):
        read_run("-")


def test_more_than_memory_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Large(io.FileIO):
        def read(self, size: int = -1) -> bytes:
            raise MemoryError

    path = tmp_path / "large.run"
    path.write_bytes(LINE % 1)
    monkeypatch.setattr(files, "open", lambda path, mode: Large(path), raising=False)
    with pytest.raises(Unreadable, match=r"large\.run has 26 bytes, which do not fit into memory"):
        read_run(path)


def test_files_that_say_they_are_empty() -> None:
    with pytest.raises(Unreadable, match="/proc/self/status:1: expected 6 fields"):
        read_run("/proc/self/status")


@pytest.mark.parametrize("address", ["https://trec.nist.gov/qrels.txt?x=*", "s3://bucket/a.run", Path("http://x/y")])
def test_an_address_is_no_path(address: Any) -> None:
    for call in (lambda: evaluate(QRELS, address), lambda: evaluate(address, RUN), lambda: read_run(address)):
        with pytest.raises(Unreadable, match="is a URL: download the file first, and give its path"):
            call()
    assert not files.is_address("C:/runs/a.run") and not files.is_address("a:b/c") and not files.is_address(7)


# ---- numbers that no float can hold


def table(values: list[Any]) -> dict[str, list[Any]]:
    return {"query": ["1"] * len(values), "document": [f"d{i}" for i in range(len(values))], "score": values}


def parquet(values: Any) -> bytes:
    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(pa.table(table([0] * len(values)) | {"score": values}), sink)
    return sink.getvalue().to_pybytes()


def text(values: list[Any], line: str, header: str = "") -> bytes:
    return (header + "".join(line.format(i, x) for i, x in enumerate(values))).encode()


CONTAINERS: dict[str, Callable[[list[int]], Any]] = {
    "dict": lambda x: {"1": {f"d{i}": value for i, value in enumerate(x)}},
    "pandas": lambda x: pd.DataFrame(table(x)),
    "pandas, objects": lambda x: pd.DataFrame(table(x)).astype({"score": object}),
    "pandas, Int64": lambda x: pd.DataFrame(table(x)).astype({"score": "Int64"}),
    "NumPy's objects": lambda x: pd.DataFrame(table(x) | {"score": np.array([*x, None], object)[:-1]}),
    "polars": lambda x: pl.DataFrame(table(x)),
    "polars, Int128": lambda x: pl.DataFrame(table(x), schema_overrides={"score": pl.Int128}),
    "pyarrow": lambda x: pa.table(table(x)),
    "pyarrow, decimals": lambda x: pa.table(table(x) | {"score": pa.array(map(Decimal, x), pa.decimal128(38, 2))}),
    "Parquet": lambda x: parquet(pa.array(x)),
    "TREC": lambda x: text(x, "1 Q0 d{} 1 {} t\n"),
    "TREC, untidy": lambda x: text(x, "1  Q0 d{} 1\t{} t\n", "# a comment\n"),
    "CSV": lambda x: text(x, "1,d{},{}\n", "query,document,score\n"),
    "CSV, semicolons": lambda x: text(x, "1;d{};{}\n", "query;document;score\n"),
    "JSON": lambda x: json.dumps({"1": {f"d{i}": value for i, value in enumerate(x)}}).encode(),
    "JSON lines": lambda x: text(x, '{{"query": "1", "document": "d{}", "score": {}}}\n'),
    "JSON lines by query": lambda x: text(x, '{{"1": {{"d{}": {}}}}}\n'),
}
BEYOND = {"pandas, Int64": 2**63, "polars": 2**63, "pyarrow": 2**63, "Parquet": 2**63}


@pytest.mark.parametrize("road", ["short", "long", "without pyarrow"])
@pytest.mark.parametrize("container", CONTAINERS)
def test_whole_numbers_are_refused_alike(container: str, road: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if road != "short":
        monkeypatch.setattr(files, "SMALL", 0)
        monkeypatch.setattr(columns, "SHORT", 0)
    if road == "without pyarrow":
        monkeypatch.setattr(files, "_by_arrow", files._by_pandas)
    make, judged = CONTAINERS[container], {"1": {"d0": 1, "d1": 0, "d2": 2}}
    for large in (2**53 + 1, 2**60 + 1, 2**64 + 1, -(2**60) - 1):
        if large < BEYOND.get(container, math.inf):
            with pytest.raises(Unreadable) as caught:
                evaluate(judged, make([1, large, 3]))
            assert f" is {large}" in str(caught.value) and TOO_LARGE in str(caught.value), caught.value
    expected = ndcg([1, 0, 2], scores=[1, 2**53, 2**53 - 1])
    assert evaluate(judged, make([1, 2**53, 2**53 - 1]), "ndcg").value == expected


@pytest.mark.parametrize(
    "value", [2**53 + 1, 2**64 + 1, 10**400, Fraction(2**60 + 1), Decimal(2**60), Decimal("1e400")]
)
def test_exact_numbers_of_any_kind(value: Any) -> None:
    for call in (
        lambda: evaluate(QRELS, {"1": {"a": value, "b": 0}}),
        lambda: evaluate({"1": {"a": value, "b": 0}}, RUN),
        lambda: ndcg([1, 0], scores=[value, 0.5]),
        lambda: ndcg([[1, 0], [1]], scores=[[value, 0.5], [1]]),
    ):
        with pytest.raises(ValueError, match="above 2\\*\\*53, where a float cannot tell neighbours apart: rescale"):
            call()


CLOSE = [Decimal("1.00000000000000000001"), Decimal(1)]


@pytest.mark.parametrize(
    "scores",
    [CLOSE, [Fraction(1, 3) + Fraction(1, 10**30), Fraction(1, 3)], [Decimal("1e400"), Decimal("2e400")]],
)
def test_fractions_that_would_tie(scores: list[Any]) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: ndcg([1, 0], scores=scores),
        lambda: ndcg([[1, 0]], scores=[scores]),
        lambda: ndcg([1, 0], scores=np.array(scores, object)),
        lambda: evaluate(QRELS, {"1": dict(zip("ab", scores))}),
        lambda: evaluate(QRELS, pd.DataFrame({"query": "1", "document": ["a", "b"], "score": scores})),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"which a float cannot tell from|above 2"):
            call()
    assert ndcg([1, 0], scores=[CLOSE[0], Decimal(0)]) == 1


def test_decimals_of_arrow_and_polars() -> None:
    rest = {"query": ["1", "1"], "document": ["a", "b"]}
    for run in (pa.table(rest | {"score": pa.array(CLOSE)}), pl.DataFrame(rest | {"score": pl.Series(CLOSE)})):
        with pytest.raises(Unreadable, match="which a float cannot tell from 1"):
            evaluate(QRELS, run)


@pytest.mark.parametrize("large", [2**60 + 1, -(2**63)])
def test_holes_do_not_hide_whole_numbers(large: int) -> None:
    "Libraries make floats of whole numbers where there are holes between them"
    rest = {"query": ["1"] * 3, "document": ["a", "b", "c"], "grade": [1, 0, 2]}
    scores = [large, None, 1]
    for joined in (
        pl.DataFrame(rest | {"score": scores}),
        pa.table(rest | {"score": scores}),
        pd.DataFrame(rest | {"score": pd.array(scores, "Int64")}),
        pd.DataFrame(rest | {"score": pd.array(scores, "int64[pyarrow]")}),
    ):
        with pytest.raises(Unreadable, match=rf"table\['score'\]\[0\] is {large}, above 2\*\*53"):
            evaluate(joined, "ndcg")


def test_floats_may_be_as_large_as_they_are() -> None:
    scores, expected = [1e300, 1e17, -math.inf], 1 / math.log2(3)
    judged = {"1": {"d1": 1}}
    for make in ("dict", "pandas", "pandas, objects", "polars", "pyarrow", "Parquet", "TREC", "CSV"):
        assert evaluate(judged, CONTAINERS[make](scores)).value == pytest.approx(expected, abs=1e-15)  # type: ignore[arg-type]
    lines = "".join(f"1 Q0 d{i} 1 {1e300 / (i + 1)} t\n" for i in range(5000))
    assert len(lines) > files.SMALL and evaluate(judged, lines).value == pytest.approx(expected, abs=1e-15)


def test_rows_of_arrow_as_scores() -> None:
    rel, scores = [[1, 2, 1], [0, 1]], [[1e17, 2.0, 3.0], [1.0, 2.0]]
    expected = ndcg(rel, scores=scores).tolist()
    for given in (pa.array(scores), pa.chunked_array([scores]), pl.Series(scores), pd.Series(scores)):
        assert ndcg(rel, scores=given).tolist() == expected
    for given in (pa.array([[2**60 + 1, 2, 3], [1, 2]]), pl.Series([[2**60 + 1, 2, 3], [1, 2]])):
        with pytest.raises(ValueError, match=r"scores\[0\]\[0\] is 1152921504606846977, above 2\*\*53"):
            ndcg(rel, scores=given)


def test_ids_of_128_bits() -> None:
    rest = {"query": [1] * 3000, "document": list(range(3000)), "score": np.arange(3000.0)}
    run = pl.DataFrame(rest, schema_overrides={"document": pl.Int128})
    assert evaluate({1: {2999: 1}}, run).value == 1


# ---- mistakes, and what is understood


def test_a_list_is_a_ranking() -> None:
    judged = {"q": {"d1": 1, "d2": 0, "3": 2}, "r": {"x": 1}}
    orders: dict[str, Any] = {"q": ["d2", "d1", 3], "r": ("y", "x")}
    scores = {"q": {"d2": 3.0, "d1": 2.0, "3": 1.0}, "r": {"y": 2.0, "x": 1.0}}
    expected = evaluate(judged, scores, "ndcg").value
    assert evaluate(judged, orders, "ndcg").value == evaluate(judged, {"mine": orders}, "ndcg").value == expected
    assert evaluate(judged, {"q": orders["q"], "r": scores["r"]}, "ndcg").value == expected
    assert evaluate(judged, json.dumps(orders).encode(), "ndcg").value == expected
    assert evaluate(judged, text([0], '{{"q": ["d2", "d1", 3]}}\n{{"r": ["y", "x"]}}\n'), "ndcg").value == expected
    with pytest.raises(Unreadable, match="document 'd1' appears twice"):
        evaluate(judged, {"q": ["d1", "d1"]})
    with pytest.raises(Unreadable, match=r"run\['r'\] is \[0\.5\]: give a dict .*, or a list of documents, the best"):
        evaluate(judged, {"q": ["d1"], "r": [0.5]})


def test_lines_of_json() -> None:
    lines = '{"qid": 1, "docno": "a", "label": 1, "more": {"x": 1}}\n\n{"qid": 1, "docno": "b", "label": 0}\n'
    assert read_qrels(lines)["grade"].tolist() == [1, 0]
    joined = '{"query": 1, "document": "a", "grade": 1, "score": 2}\n{"query": 1, "grade": 2, "document": "b"}\n'
    assert evaluate(joined, "ndcg@1").value == 0.5
    for bad, said in (
        (lines + "{", "<text>:4 is no JSON that can be read"),
        (lines + "7\n", "<text>:4 is 7: give"),
        (lines + '{"qid": 1, "label": 0}\n', "<text>:4, column 'docno' has no id, but None"),
        (lines + '{"qid": 1, "docno": "a", "label": 2}\n', r"has two grades: 1 (<text>:1) and 2 (<text>:4)"),
        ('{"q1": {"a": 1}}\n{"q1": {"a": 2}}\n', "has two grades: 1 (<text>['q1']['a']) and 2"),
        ('{"q": 1, "d": "a", "g": 1}\n', "<text> has no column for query and document and grade, only 'q', 'd', 'g'"),
        ('{"q1": {"a": 1}, "q2": 7}\n', "<text>['q2'] is 7: give a dict"),
    ):
        with pytest.raises(Unreadable) as caught:
            evaluate(bad, {"1": {"a": 1.0}})
        assert said in str(caught.value)


def test_swapped() -> None:
    judged, run = {"1": {"a": 1, "b": 0, "c": 1}}, {"1": {"a": 0.9, "b": 0.8, "c": 0.7}}
    with pytest.warns(UserWarning, match=r"the grades of qrels have fractions, .* are they swapped\? Judgements come"):
        evaluate(run, judged)
    for line, value, said in (
        ("1 Q0 a 1 0.5 t\n" * 9, read_qrels, "This looks like a run: give judgements (QRELS) first, then the run"),
        ("1 0 a 1\n", read_run, "This looks like judgements: give them (QRELS) first, then the run"),
        ("query,document,score\n1,a,1\n", read_qrels, "This looks like a run"),
        ("query,document,grade\n1,a,1\n", read_run, "This looks like judgements"),
        ('{"1": ["a", "b"]}\n', read_qrels, "This looks like a run"),
    ):
        with pytest.raises(Unreadable) as caught:
            value(line)
        assert str(caught.value).count(said) == 1 and "\n" not in str(caught.value)


@pytest.mark.parametrize("short", [0, 2000])
def test_two_spellings_of_a_letter(short: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "SHORT", short)
    judged = pd.DataFrame({"query": "1", "document": ["caf\u00e9", "th\u00e9", "x"], "grade": [1, 1, 0]})
    run = pd.DataFrame({"query": "1", "document": ["cafe\u0301", "th\u00e9", "x"], "score": [3.0, 2.0, 1.0]})
    with pytest.warns(UserWarning, match="1 document id of run and qrels differ, and are equal after NFC, e.g. 'cafe"):
        evaluate(judged, run)


def test_what_was_taken_for_something_else() -> None:
    frame = pd.DataFrame({"document": ["a", "b"], "score": [1.0, 2.0]})
    with pytest.raises(MissingColumn, match="'1' was taken for the name of a run: put the results of all queries into"):
        evaluate(QRELS, {"1": frame})
    with pytest.raises(MissingColumn) as caught:
        evaluate(QRELS, {"mine": frame})
    assert "taken for" not in str(caught.value)
    own = frame.assign(a="1")
    with pytest.raises(Unreadable, match=r"'query'\} is the wrong way round: give columns=\{'query': 'a'\}"):
        evaluate(QRELS, own, columns={"a": "query"})
    assert evaluate(QRELS, own, columns={"query": "a"}).value == 1 / math.log2(3)
    for judged, run, whose in ((1, 1.0, "run"), (1.0, 1, "qrels")):
        with pytest.raises(Unreadable, match=rf"Those of {whose} became floats, as in a join: convert"):
            evaluate({judged: {"a": 1}}, {run: {"a": 1.0}})


def test_what_is_set_aside_is_nobody_elses() -> None:
    pytest.importorskip("duckdb")
    from ndcg_nb.hood.engines.tables import _set_aside

    connection = _set_aside()
    [[aside]] = connection.sql("SELECT current_setting('temp_directory')").fetchall()
    assert str(os.getpid()) not in Path(aside).name and stat.S_IMODE(os.stat(aside).st_mode) == 0o700
    del connection
    assert not Path(aside).exists()
