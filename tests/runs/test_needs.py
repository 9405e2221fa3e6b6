"""Judgements with several needs: how they are read, and the measures of any, a share and all of them."""

from __future__ import annotations

import json
from itertools import permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import compare, evaluate, read_qrels
from ndcg_nb.hood.engines import parquet
from ndcg_nb.hood.limits import needs
from ndcg_nb.hood.reports.cli import main
from ndcg_nb.sql import ndcg_sql

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/sets.json").read_text("utf-8"))
MEASURES = "success@2 recall@2 subtopic_recall@2 full_recall@2 alpha_ndcg@10"
RUN = {"q": ["a", "x", "c"], "r": ["b", "y"]}
VALUES = [[1, 1 / 3, 1 / 2, 0], [1, 1, 1, 1]]  # by query, without α-nDCG


@pytest.mark.parametrize("measure", sorted({case["measure"] for case in GOLDEN["cases"]}))
def test_golden(measure: str) -> None:
    "The values of ndeval, and their means"
    name, _, k = measure.partition("@")
    for case in (case for case in GOLDEN["cases"] if case["measure"] == measure):
        settings = case["settings"] | {"ties": "lowest-id", "empty": 0}
        asked = f"{name}({','.join(f'{key}={x}' for key, x in settings.items())})@{k}"
        qrels = pd.DataFrame(case["qrels"], columns=["query", "subtopic", "document", "grade"])
        result = evaluate(qrels, case["run"], asked, disjoint="zero")
        got = dict(zip(result.queries, result.values[0, :, 0].tolist()))
        assert got == pytest.approx(case["per_query"], rel=0, abs=1e-12), case["kind"]
        assert result.value == pytest.approx(case["mean"], rel=0, abs=1e-12), case["kind"]


# Ties


@pytest.mark.parametrize("seed", range(12))
def test_ties_are_averaged_over_all_orders(seed: int) -> None:
    "Two ties of documents that serve any of four needs, against each order of both"
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, [6, 4]).tolist()
    starts = [1, sizes[0] + int(rng.integers(1, 3))]
    depth = starts[1] + sizes[1]
    served = rng.random((sum(sizes), 4)) < 0.35
    split = sizes[0]

    def needs_at(places: list[tuple[int, int]]) -> list[list[needs.Place]]:
        return [[needs.Place(*places[i], i) for i in np.flatnonzero(served[:, need])] for need in range(4)]

    ends = [(start, start + size - 1) for start, size in zip(starts, sizes)]
    ours = needs_at([ends[i >= split] for i in range(sum(sizes))])
    orders = []
    for one in permutations(range(sizes[0])):
        for two in permutations(range(sizes[1])):
            ranks = [starts[0] + i for i in one] + [starts[1] + i for i in two]
            orders.append(needs_at([(rank, rank) for rank in ranks]))
    for alpha in (0, 0.3, 1):
        gains = np.zeros((len(orders) + 1, depth))
        for row, order in zip(gains, [*orders, ours]):
            gained = needs.fading_gains(order, 1 - alpha, depth)
            row[: len(gained)] = gained
        np.testing.assert_allclose(gains[-1], gains[:-1].mean(axis=0), rtol=0, atol=1e-12)
    for value in (needs.share_met, needs.all_met):
        for k in range(1, depth + 1):
            by_hand = np.mean([value(order, k) for order in orders])
            assert value(ours, k) == pytest.approx(by_hand, rel=0, abs=1e-12)


def test_many_needs_in_a_tie() -> None:
    "A document that alone serves a need must be drawn; alternatives of many needs are refused, not computed for hours"
    alone = [frozenset({i}) for i in range(40)]
    assert needs.chance_of_all(50, 45, alone) == pytest.approx(comb(10, 5) / comb(50, 5), rel=1e-14)
    assert needs.chance_of_all(50, 39, alone) == 0
    qrels = [("q", i // 2, f"d{i}", 1) for i in range(60)]
    run = {"q": dict.fromkeys([f"d{i}" for i in range(60)], 1)}
    with pytest.raises(ValueError, match=r"too many needs to average .* ties=id"):
        evaluate(qrels, run, "full_recall@50")
    assert evaluate(qrels, run, "full_recall(ties=id)@50").value == 0


def test_ties_and_settings_in_evaluate() -> None:
    "The example of one tie, its rules, α and level"
    qrels = [("q", 1, "a", 1), ("q", 1, "b", 2), ("q", 2, "c", 2)]
    run = {"q": {"a": 1, "b": 1, "c": 1}}
    found = evaluate(qrels, run, "subtopic_recall@2 full_recall@2 alpha_ndcg@5")
    np.testing.assert_allclose(found.values.ravel(), [5 / 6, 2 / 3, 0.9883984898671475], rtol=1e-12)
    found = evaluate(qrels, run, [f"{x}(ties=lowest-id)" for x in ("subtopic_recall", "alpha_ndcg")])
    assert found.values.ravel().round(4).tolist() == [1, 0.9652]
    settings = ("(ties=lowest-id)@2", "(ties=id)@2", "(level=2)@1")
    low = evaluate(qrels, run, [f"subtopic_recall{x}" for x in settings])
    assert low.values.ravel().tolist() == [0.5, 1, 1 / 3]
    ranked = {"q": ["a", "b", "c"]}
    only_new, every = evaluate(qrels, ranked, "alpha_ndcg(alpha=1)@3 alpha_ndcg(alpha=0)@3").values.ravel()
    assert only_new < every == 1
    for asked in ("subtopic_recall(ties=best)@2", "alpha_ndcg(alpha=2)@2", "full_recall(level=3)@2"):
        with pytest.raises(ValueError, match=r"ties='best'|alpha is 2|highest grade is 2"):
            evaluate(qrels, run, asked)
    with pytest.raises(ValueError, match="no rule for full_recall"):
        evaluate(qrels, run, "full_recall@2", like="trec_eval")


# Forms


FORMS: dict[str, Any] = {
    "alternatives": {"q": [["a", "b"], ["c"]], "r": [["b"]]},
    "sets": {"q": [{"a", "b"}, {"c"}], "r": {"b"}},
    "beside ids": {"q": [["a", "b"], ["c"]], "r": ["b"]},
    "names": {"q": {"hop1": ["a", "b"], "hop2": ["c"]}, "r": {"hop1": ["b"]}},
    "grades": {"q": {"hop1": {"a": 1, "b": 2}, "hop2": {"c": 1}}, "r": {"x": {"b": 1}}},
    "tuples": [("q", 1, "a", 1), ("q", 1, "b", 1), ("q", 2, "c", 1), ("r", 1, "b", 1)],
    "AutoRAG": pd.DataFrame({"qid": ["q", "r"], "query": "?", "retrieval_gt": [[["a", "b"], ["c"]], [["b"]]]}),
}
for _name in ("subtopic", "hop", "nugget_id", "need", "iteration"):
    FORMS[_name] = pd.DataFrame(FORMS["tuples"], columns=["query", _name, "document", "grade"])


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str) -> None:
    result = evaluate(FORMS[form], RUN, MEASURES)
    assert result.values[0, :, :4].tolist() == VALUES
    np.testing.assert_allclose(result.values[0, :, 4], [(1 + 0.5) / (1 + 1 / np.log2(3) + 0.25), 1])


@pytest.mark.parametrize("ending", ["txt", "csv", "json", "jsonl", "parquet"])
def test_files(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"qrels.{ending}"
    lines = [f"{query} {need} {document} {grade}" for query, need, document, grade in FORMS["tuples"]]
    texts = {
        "txt": "\n".join(lines),
        "csv": "\n".join(["query,subtopic,document,grade", *(line.replace(" ", ",") for line in lines)]),
        "json": json.dumps(FORMS["alternatives"]),
        "jsonl": '{"q": [["a", "b"], ["c"]]}\n{"r": [["b"]]}\n',
    }
    if ending == "parquet":
        FORMS["AutoRAG"].to_parquet(path)
    else:
        path.write_text(texts[ending], "utf-8")
    assert evaluate(path, RUN, MEASURES).values[0, :, :4].tolist() == VALUES
    if ending in ("txt", "csv"):
        assert evaluate(read_qrels(path), RUN, MEASURES).values[0, :, :4].tolist() == VALUES


def test_other_forms() -> None:
    "Three levels with queries=, a column that is named, session ids, and texts in pairs"
    nested = [[["a", "b"], ["c"]], [["b"]]]
    assert evaluate(nested, RUN, MEASURES, queries=["q", "r"]).values[0, :, :4].tolist() == VALUES
    flat = evaluate([["a", "b"], ["c"]], RUN, "subtopic_recall@1", queries=["q", "r"])
    assert flat.values.ravel().tolist() == [0.5, 0]
    table = FORMS["subtopic"].rename(columns={"subtopic": "part"})
    assert evaluate(table, RUN, MEASURES, columns={"need": "part"}).values[0, :, :4].tolist() == VALUES
    sessions = [{"question_id": "q", "answer_session_ids": ["a", "b"]}]
    assert evaluate(sessions, RUN, "subtopic_recall@1 full_recall@1").values.ravel().tolist() == [0.5, 0]
    texts = evaluate({"q": [["a", "b"], ["c", "d"]]}, RUN, "subtopic_recall@1 subtopic_recall@3")
    assert texts.values.ravel().tolist() == [0.5, 1]


def test_pairs_of_numbers_may_be_either() -> None:
    "They are read as grades, and refused where needs are asked"
    for pairs in ([["a", 1], ["c", 2]], [[12, 7], [3, 9]], [["Rome", 0], ["Paris", 1]]):
        run = {"q": [str(pairs[0][0]), "x"]}
        grades = {str(document): grade for document, grade in pairs}
        assert evaluate({"q": pairs}, run, "ndcg@2").value == evaluate({"q": grades}, run, "ndcg@2").value
        with pytest.raises(ValueError, match=r"two documents of one need: give \{query: \{need: "):
            evaluate({"q": pairs}, run, "ndcg@2 subtopic_recall@2")


# What is said


def test_without_needs() -> None:
    "A share of needs is recall, all is a recall of 1; α-nDCG refuses, and so does a second column that is constant"
    rng = np.random.default_rng(0)
    qrels = {str(q): {f"d{i}": int(rng.integers(0, 3)) for i in range(8)} for q in range(20)}
    run = {str(q): {f"d{i}": float(rng.integers(0, 3)) for i in range(12)} for q in range(20)}
    share, recall, whole = evaluate(qrels, run, "subtopic_recall@5 recall@5 full_recall@5").values[0].T
    np.testing.assert_allclose(share, recall, rtol=1e-12)
    assert (whole <= recall + 1e-12).all()
    assert evaluate(qrels, {q: {**r, "x": 9.0} for q, r in run.items()}, "full_recall").value == 1
    with pytest.raises(ValueError, match="name no needs"):
        evaluate(qrels, run, "alpha_ndcg@10")
    with pytest.raises(ValueError, match="name no needs"):
        evaluate([("q", 0, "a", 1), ("q", 0, "b", 1)], RUN, "alpha_ndcg@10")


def test_the_highest_grade_and_needs_that_do_not_count() -> None:
    "A document of two needs counts once in other measures, with a note; one need has one grade of it"
    rows = [("q", 1, "a", 1), ("q", 2, "a", 3), ("q", 2, "b", 2), ("q", 3, "z", 0)]
    result = evaluate(rows, {"q": ["b", "a"]}, "dcg@1 dcg@2 recall@1 subtopic_recall@2")
    np.testing.assert_allclose(result.values.ravel(), [2, 2 + 3 / np.log2(3), 0.5, 1], rtol=1e-12)
    notes = "\n".join(result.notes)
    assert "1 document of qrels has several needs: measures without needs take the highest grade." in notes
    assert "1 need of qrels has no relevant document (not counted)." in notes
    assert "need" not in "\n".join(evaluate(FORMS["tuples"], RUN, "recall@2").notes)
    with pytest.raises(ValueError, match=r"document 'a' of 'q' has two grades: 1 \(qrels, row 0\) and 2"):
        evaluate([*rows, ("q", 1, "a", 2)], RUN, "recall@2")
    bare = evaluate({"q": [["a"], []], "r": [["b"]]}, RUN, "full_recall@1")
    assert bare.value == 1
    assert "1 need of qrels has no document (not counted)." in bare.notes


def test_a_missing_need_matters_only_where_needs_are_asked() -> None:
    table = pd.DataFrame({"query": "q", "intent": [None, "x"], "document": ["a", "c"], "grade": 1})
    assert evaluate(table, {"q": ["a"]}, "recall@1").value == 0.5
    assert [*read_qrels(table.to_csv(index=False)).columns] == ["query", "document", "grade"]
    with pytest.raises(ValueError, match="row 0, the need has no id"):
        evaluate(table, {"q": ["a"]}, "subtopic_recall@1")


def test_needs_beside_results_of_their_own_are_refused() -> None:
    both = [{"query": "q", "expected_ids": [["a"], ["b"]], "retrieved_ids": ["a", "b"]}]
    with pytest.raises(ValueError, match="has several needs for a query: give judgements and results apart"):
        evaluate(both)


WORDS = {"strec@10": "subtopic_recall", "S-recall@5": "subtopic_recall", "coverage": "subtopic_recall"}
WORDS |= {"p_em@2": "full_recall", "joint_recall@2": "full_recall"}


@pytest.mark.parametrize("word, ours", WORDS.items())
def test_words_of_others(word: str, ours: str) -> None:
    with pytest.raises(ValueError, match=f"it is '{ours}' here"):
        evaluate(FORMS["names"], RUN, word)


def test_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    "In comparisons, in the shell, of a run that is read in parts; SQL refuses"
    runs = {"A": RUN, "B": {"q": ["c", "b"], "r": ["y", "b"]}}
    [row] = compare(FORMS["subtopic"], runs, "subtopic_recall@1").pairs.to_dict("records")
    assert row["difference"] == -0.5
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q 1 a 1\nq 1 b 1\nq 2 c 1\nr 1 b 1\n", "utf-8")
    run = tmp_path / "run.txt"
    run.write_text("q Q0 a 1 3 x\nq Q0 c 2 2 x\nr Q0 b 1 1 x\n", "utf-8")
    main(["eval", str(qrels), str(run), "-m", "recall_all@2", "-m", "alpha_ndcg@5"])
    assert "recall_all@2" in capsys.readouterr().out
    rows = pd.DataFrame([(q, d, -i) for q, some in RUN.items() for i, d in enumerate(some)])
    rows.set_axis(["query", "document", "score"], axis=1).to_parquet(tmp_path / "run.parquet")
    monkeypatch.setattr(parquet, "AT_ONCE", 1)
    monkeypatch.setattr(parquet, "A_PIECE", 1)
    in_parts = evaluate(qrels, tmp_path / "run.parquet", MEASURES).values
    assert in_parts[0, :, :4].tolist() == VALUES
    np.testing.assert_allclose(in_parts, evaluate(qrels, RUN, MEASURES).values, rtol=1e-12)
    with pytest.raises(ValueError, match="SQL supports only"):
        ndcg_sql(k=2, measure="subtopic_recall")
