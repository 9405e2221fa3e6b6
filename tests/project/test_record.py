"""The golden record is made again: what the public functions answer is what they answered."""

import difflib

import pytest
import record

RENEW = "a fault, or news for CHANGELOG.md: read each difference; `python tests/record.py` renews the record"


@pytest.mark.parametrize("name", record.RECORDS)
def test_the_record_is_the_same(name: str) -> None:
    made = record.record(only=name)[name]
    kept = (record.FOLDER / f"{name}.txt").read_text("utf-8")
    lines = [text.splitlines(keepends=True) for text in (kept, made)]
    difference = "".join(difflib.unified_diff(*lines, "kept", "now", n=1))
    assert made == kept, f"{difference}\n{RENEW}"


def test_the_record_has_no_other_files() -> None:
    assert {path.stem for path in record.FOLDER.glob("*")} == {*record.RECORDS}
    assert 1500 < sum(map(len, record.RECORDS.values())) < 3000


def test_numbers_are_written_without_their_last_bits() -> None:
    assert record.shown(0.1 + 0.2, 10) == record.shown(0.3, 10) == "0.3"
    assert record.shown([-0.0, 1e-17, float("nan")], 12) == "[0, 0, nan]"
    assert record.rounded("a,0.30000000000000004") == "a,0.3"


def test_no_call_leaves_a_name_behind() -> None:
    "A dialect that a call registers would be listed in what later calls say, and the files depend on their order"
    assert [call for calls in record.RECORDS.values() for call in calls if "register" in call]
    kept = [(record.FOLDER / f"{name}.txt").read_text("utf-8") for name in record.RECORDS]
    blocks = [block for text in kept for block in text.split("\n> ") if block.startswith("register")]
    assert all("\n  Refused: " in block or "Error: " in block for block in blocks), "take the call out"
