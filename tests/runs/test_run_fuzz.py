"""Whatever bytes are read: an answer or our refusal, which names the source; and both roads read the same."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import warnings
from typing import Any

import pytest
from conftest import EXAMPLES
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shared.forms import FORMS, changed, collections

from ndcg_nb import read_run
from ndcg_nb.hood.inputs import columns, files
from ndcg_nb.hood.inputs.columns import Unreadable
from ndcg_nb.hood.inputs.tables import Rows

many = settings(max_examples=2 * EXAMPLES)

VALUE = st.sampled_from(["grade", "score"])
PACKS: list[Any] = [bytes, gzip.compress, bz2.compress, lzma.compress]
WORDS = b"""
1 q Q0 0 d 0.5 -inf nan nan(1) 1e5 +1 .5 1_0 # 1e999 , " "" query document grade score rank { } [ : ; BZh PAR1 -0 1e-999
Infinity 00012 9007199254740993 0x1p3 1d5 {"1":{"a":1}} {"query":1,"document":"a","grade":1,"score":2}
""".split()
SPACES = [b" ", b"  ", b"\t", b"\n", b"\r\n", b"\r", b"\v", b"\f", b"\x00", b"\x1c", b"\xc2\x85"]
MAGIC = [b"\xef\xbb\xbf", b"\xff", b"\xc3\xa9", b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"]
LINES = b"""1 0 d 1
1 Q0 d 1 0.5 t
1\t0\td\t1
query,document,grade
query,document,score
1,a,1
query\tdocument\tscore
1\ta\t1
1;a;1
query;document;grade
{"query":1,"document":"a","grade":1,"score":2}
""".splitlines(keepends=True)
TOKEN = st.sampled_from(WORDS + SPACES + MAGIC + LINES)
SOUP = st.lists(TOKEN, max_size=24).map(b"".join)
FILES = ["TREC", "TREC, tabs", "TREC, untidy", "CSV", "CSV with a BOM", "TSV", "JSON", "Parquet"]


def read(data: bytes, value: str, **how: Any) -> tuple[list[Any], Rows] | str:
    "What is read, or the refusal"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            rows = files.read_file(data, value, **how)
        except Unreadable as error:
            assert str(error).startswith("<bytes>"), error
            return str(error)
        except TypeError as error:  # numbers given as text, in Parquet
            assert str(error).startswith("<bytes>['"), error
            return str(error)
    if isinstance(rows, files.Scores):  # which go with judgements, line by line
        with pytest.raises(Unreadable, match="has scores without queries or documents"):
            read_run(data)
        return "scores of a model"
    every = range(len(rows))
    assert len(rows) == len(rows.query) == len(rows.document) > 0
    return [rows.query.at(every), rows.document.at(every), rows.value.tobytes()], rows


def on_both_roads(data: bytes, value: str) -> None:
    "What is read line by line and what libraries read is the same, and is called by the same places"
    with changed((files, "SMALL", 2**30)):
        slowly = read(data, value)
    with changed((files, "SMALL", 0), (columns, "SHORT", 0)):
        fast = read(data, value)
    if isinstance(slowly, str) or isinstance(fast, str):
        assert isinstance(slowly, str) == isinstance(fast, str), (slowly, fast)
        return
    assert slowly[0] == fast[0]
    for row in {0, len(slowly[1]) // 2, len(slowly[1]) - 1}:
        assert slowly[1].place(row) == fast[1].place(row)
    ranks = [None if x.rank is None else x.rank.tolist() for x in (slowly[1], fast[1])]
    assert None in ranks or ranks[0] == ranks[1]


@many
@given(st.binary(max_size=200), VALUE)
def test_random_bytes(data: bytes, value: str) -> None:
    on_both_roads(data, value)


@many
@given(SOUP, VALUE)
@example(b"q Q0 d 1 0.5 t\rq Q0 e 2 0.4 t\n", "score")
@example(b"q  d 1\n", "grade")
@example(b"q Q0 d 1 0.5 \n", "score")
@example(b"q Q0 d  0.5 t\n", "score")
@example(b"query,document,grade\r1,a,1\r", "grade")
@example(b"query,document,grade\n1,a,nan(1)\n", "grade")
@example(b"a,b\rc,d\n", "grade")
@example(b'query,document,grade\n1,a,1\n"\n', "grade")
@example(b"1 0 d 1\n# 0 d 1\n", "grade")
@example(b"1 0 \x00 1\n", "grade")
@example(b"1 Q0 d 1 0.5 \xff\n", "score")
@example(b"1 Q0 d 1 0.5 \xc3\xa9\n", "score")
@example(b"query,document,grade\n1, a,1 \n", "grade")
@example(b"query,document,grade\n1,a, \n", "grade")
@example(b"query,document,grade\n \n1,a,1\n", "grade")
@example(b'query,document,grade\n1,"a""b",1\n', "grade")
@example(b'query,document,grade\n1,a"b,1\n', "grade")
def test_random_words(data: bytes, value: str) -> None:
    on_both_roads(data, value)


@st.composite
def mutated(draw: Any) -> tuple[bytes, str]:
    "A file of each format, with some of its bytes put out, put in, doubled or cut off; and perhaps packed, and again"
    value = draw(VALUE)
    table = draw(collections())[0 if value == "grade" else 1]
    data = FORMS[draw(st.sampled_from(FILES))](table, value)
    if draw(st.booleans()):
        data = draw(st.sampled_from(PACKS))(data)
    for _ in range(draw(st.integers(0, 3))):
        i, j = sorted(draw(st.integers(0, len(data))) for _ in range(2))
        put = draw(st.one_of(TOKEN, st.binary(max_size=3), st.just(data[i:j])))
        data = draw(
            st.sampled_from([data[:i] + put + data[i:], data[:i] + put + data[j:], data[:j], data[:i] + data[j:]])
        )
    return draw(st.sampled_from(PACKS))(data) if draw(st.booleans()) else data, value


@many
@given(mutated())
def test_mutated_files(file: tuple[bytes, str]) -> None:
    on_both_roads(*file)


@given(SOUP, VALUE, st.sampled_from(["utf-16", "latin-1", "utf-7", "unicode_escape", "punycode", "idna", "nothing"]))
def test_random_encodings(data: bytes, value: str, encoding: str) -> None:
    read(data, value, encoding=encoding)


NAMED = st.dictionaries(st.sampled_from([*columns.ROLES]), st.sampled_from(["query", "1", "q", "x"]))


@given(SOUP, VALUE, NAMED.filter(lambda named: len({*named.values()}) == len(named)))
def test_random_columns(data: bytes, value: str, named: dict[str, str]) -> None:
    read(data, value, columns=named)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=3) | st.lists(JSON), VALUE)
def test_random_json(tree: Any, value: str) -> None:
    on_both_roads(json.dumps(tree).encode(), value)


@given(st.text(max_size=60))
def test_random_texts(text: str) -> None:
    if "\n" in text or "\r" in text:
        try:
            files.read_file(text, "grade")
        except Unreadable as error:
            assert str(error).startswith("<text>")


def test_what_the_fuzz_is_made_of_is_read() -> None:
    "A fuzz that never reads anything proves nothing"
    for form in FILES:
        for value in ("grade", "score"):
            with changed((files, "SMALL", 0)):
                found = read(FORMS[form]({"1": {"a": 1.0, "b": 0.5}}, value), value)
            assert not isinstance(found, str), (form, found)
    assert isinstance(read(b"1 0 a", "grade"), str)


def test_a_refusal_that_names_nothing_is_noticed() -> None:
    with pytest.raises(AssertionError, match="bad"), changed((files, "parse_lines", _anonymous)):
        read(b"1 0 a\n", "grade")


def _anonymous(*_: Any) -> Any:
    raise Unreadable("bad")
