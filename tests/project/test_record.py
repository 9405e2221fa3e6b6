"""The golden record is made again: what the public functions answer is what they answered."""

import difflib

import pytest
import record

RENEW = "a fault, or news for CHANGELOG.md: read each difference; `python tests/record.py` renews the record"


FILES = sorted(path.stem for path in record.FOLDER.glob("*.txt"))
OURS = ("Refused", "RefusedNumber", "Unreadable", "MissingColumn", "ValueError", "TypeError", "UserWarning")


def blocks_of(name: str) -> list[tuple[str, str]]:
    "Each call of a file, and what it answers"
    text = (record.FOLDER / f"{name}.txt").read_text("utf-8")
    blocks = [block.partition("\n") for block in text.removeprefix("> ").split("\n> ")]
    return [(call, answer) for call, _, answer in blocks]


@pytest.mark.parametrize("name", FILES)
def test_the_record_is_the_same(name: str) -> None:
    made = record.record(only=name)[name]
    kept = (record.FOLDER / f"{name}.txt").read_text("utf-8")
    lines = [text.splitlines(keepends=True) for text in (kept, made)]
    difference = "".join(difflib.unified_diff(*lines, "kept", "now", n=1))
    assert made == kept, f"{difference}\n{RENEW}"


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("refused")])
def test_a_fault_is_answered_in_our_words(name: str) -> None:
    "Not by an error of a library, and in a sentence or two"
    answers = dict(blocks_of(name))
    assert len(answers) == len(blocks_of(name)) > 150, "a call stands twice"
    kinds = {call: answer.strip().partition(":")[0] for call, answer in answers.items()}
    assert [call for call, kind in kinds.items() if kind not in OURS] == []
    assert [call for call, answer in answers.items() if len(answer) > 700] == []


def test_a_call_that_changes_its_input_is_noticed() -> None:
    with pytest.raises(AssertionError, match="REL"):
        record.written(["REL.sort()"], 10, record.names())


def test_numbers_are_written_without_their_last_bits() -> None:
    assert record.shown(0.1 + 0.2, 10) == record.shown(0.3, 10) == "0.3"
    assert record.shown([-0.0, 1e-17, float("nan")], 12) == "[0, 0, nan]"
    assert record.rounded("a,0.30000000000000004") == "a,0.3"


def test_no_call_leaves_a_name_behind() -> None:
    "A dialect that a call registers would be listed in what later calls say, and the files depend on their order"
    registered = [answer for name in FILES for call, answer in blocks_of(name) if call.startswith("register")]
    assert registered
    assert all("  Refused: " in answer or "Error: " in answer for answer in registered), "take the call out"
