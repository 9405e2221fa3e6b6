"""Explanations add up, under every dialect, tie rule and ideal; and what they say by name is so."""

import copy
import json
import math
import pickle
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from shared.tables import check_refused, rows_of

from ndcg_nb import explain, explain_change, idcg, ndcg
from ndcg_nb.dialects import DIALECTS, get_dialect
from ndcg_nb.hood.core.conventions import WORDS, Convention
from ndcg_nb.hood.core.sums import IDEALS

GRADES = {"D1": 3, "D2": 2, "D3": 3, "D4": 0, "D5": 1, "D6": 2, "D7": 3, "D8": 2}
EGG = [*GRADES][:6]
B = ["D3", "D1", "D7", "D2", "D6", "D4"]


def random_query(rng: np.random.Generator) -> dict:
    "Grades, scores with ties and perhaps some of -inf, ids, and a pool with more"
    n = rng.integers(1, 9)
    more = rng.integers(0, 5)
    grades = rng.integers(0, 5, n)
    scores = rng.integers(0, 4, n) + rng.choice([0, 1e-9], n)
    scores[rng.random(n) < 0.1] = -np.inf
    pool = rng.permutation([*grades, *rng.integers(0, 5, more)])
    k = int(rng.integers(1, 12)) if rng.random() < 0.8 else None
    ids = [f"d{i}" for i in rng.permutation(n)]
    return {"rel": grades, "k": k, "scores": scores, "pool": pool, "ids": ids}


def adds_up(x, value: float) -> None:
    "All that must be true of a table"
    lost = 1 - value if x.idcg > 0 else 0
    for loss in (x["loss"], x.documents["loss"], x.depths["loss"]):
        assert math.fsum(loss) == pytest.approx(lost, abs=1e-12)
    assert np.allclose(x["contribution"], x["gain"] * x["discount"], rtol=1e-15, atol=0)
    assert x.dcg == pytest.approx(math.fsum(x["contribution"]), rel=1e-12)
    if x.idcg > 0:
        assert x.dcg / x.idcg == pytest.approx(value, abs=1e-12)
        each = (x["ideal"] - x["gain"]) * x["discount"] / x.idcg
        assert np.allclose(x["loss"], each, rtol=0, atol=1e-12)


def goes_on(k: int | None, how: Convention) -> bool:
    "Whether the ideal goes on where the list is cut, so that they cannot be laid side by side"
    ideal = IDEALS[how.ideal]
    return ideal.full or (ideal.uncut and (k or how.default_k) is not None)


EVERY = [pytest.param({"like": name, "empty": 0.5}, id=name) for name in DIALECTS]
EVERY += [
    pytest.param({"ties": ties, "ideal": ideal, "gain": "exp", "empty": 0}, id=f"{ties} {ideal}")
    for ties in WORDS["ties"]
    for ideal in WORDS["ideal"]
]


@pytest.mark.parametrize("settings", EVERY)
def test_every_dialect_tie_rule_and_ideal(settings: dict) -> None:
    rng = np.random.default_rng(8)
    like = settings.get("like")
    how = get_dialect(like) if like else Convention(ideal=settings["ideal"])
    for _ in range(5):
        given = random_query(rng) | settings
        if goes_on(given["k"], how):
            with pytest.raises(ValueError, match=r"cannot be shown rank by rank|give k"):
                explain(**given)
            continue
        x = explain(**given)
        assert x.ndcg == ndcg(**given), given
        adds_up(x, x.ndcg if how.decimals is None or not x.idcg else x.dcg / x.idcg)
        assert how.ideal == "given" or (x.depths["loss"] > -1e-15).all()
        assert repr(x)
        assert x._repr_html_()


def test_settings() -> None:
    rng = np.random.default_rng(10)
    for gain in ("linear", "exp", "binary", "positive", {g: g**2 for g in range(5)}, lambda g: g / 3):
        for discount in ("log2", ("jk", 3), "zipf", ("power", 2), 1 / np.arange(1, 20) ** 0.5):
            given = random_query(rng) | {"gain": gain, "discount": discount, "empty": 1}
            x = explain(**given)
            assert x.ndcg == ndcg(**given)
            adds_up(x, ndcg(**given))


# Which document is which


def test_equal_documents_stay_in_the_order_of_the_list() -> None:
    ranks = explain(["b", "x", "a"], pool={"a": 1, "m": 1, "b": 1}).documents.set_index("document")["ideal rank"]
    assert ranks.fillna(0).to_dict() == {"b": 1, "a": 2, "m": 3, "x": 0}


def test_missed_documents_are_those_the_list_lacks() -> None:
    table = explain([2, 1], pool=[1, 0, 3, 2, 2], ids=["a", "b"]).documents
    missed = table[table["document"].str.startswith("missed")]
    assert missed["grade"].tolist() == [3, 2]
    assert missed["document"].tolist() == ["missed #1", "missed #2"]
    assert table["rank"].isna().sum() == 2
    # where all that is above 0 is worth the same, any of them will do
    table = explain([1, 1], pool=[2, 2, 1], gain="binary").documents
    assert table["grade"].tolist() == [2, 1, 1]
    assert table["loss"].round(12).min() == 0


def test_not_retrieved() -> None:
    x = explain([3, 2, 1], scores=[-np.inf, 2, 1], ids=["a", "b", "c"])
    assert x["document"].tolist()[:2] == ["b", "c"]
    assert pd.isna(x["document"][2])
    assert x.documents["document"][0] == "a"
    assert pd.isna(x.documents["rank"][0])
    assert "missed #1" in set(explain([3, 2, 1], scores=[-np.inf, 2, 1]).documents["document"])


def test_every_way_to_give_a_list_is_the_same() -> None:
    scores = {d: -float(i) for i, d in enumerate(EGG)}
    grades = [GRADES[d] for d in EGG]
    ways = [
        explain(EGG, 6, pool=GRADES),
        explain(np.array(EGG), 6, pool=GRADES),
        explain(pd.Series(EGG), 6, pool=GRADES),
        explain(scores, 6, pool=GRADES),
        explain(np.array(grades), 6, ids=EGG, pool=GRADES),
        explain(EGG[::-1], 6, scores=[scores[d] for d in EGG[::-1]], pool=GRADES),
    ]
    for way in ways:
        pd.testing.assert_frame_equal(pd.DataFrame(way), pd.DataFrame(ways[0]))
        pd.testing.assert_frame_equal(way.documents, ways[0].documents)


def test_unjudged_documents_count_nothing() -> None:
    assert explain(["?"], pool={"a": 1}, gain={0: 0.5, 1: 1}).ndcg == 0, "also where a judged 0 is worth something"
    x = explain(["?", "D1"], pool=GRADES)
    assert x.ndcg == ndcg([0, 3], pool=[*GRADES.values()])
    assert math.isnan(x["grade"][0])
    assert x["gain"][0] == 0
    assert "–" in repr(x)


def test_a_tie_across_the_cutoff() -> None:
    x = explain([0, 1, 2], 2, scores=[3, 1, 1])
    assert x["rank"].tolist() == [1, "2–3", "2–3"]
    assert x["discount"][1] == x["discount"][2] == pytest.approx(1 / math.log2(3) / 2)
    adds_up(x, ndcg([0, 1, 2], 2, scores=[3, 1, 1]))


def test_nothing_at_all() -> None:
    x = explain([], pool=[3])
    assert x.ndcg == 0
    assert x["loss"].tolist() == [1]
    assert x.best_swap is None
    empty = explain([], empty=1)
    assert len(empty) == 0
    assert empty.ndcg == 1
    assert "nothing to explain" in repr(empty)
    assert empty.perfect(1) == 1
    assert len(empty.documents) == len(empty.depths) == 0
    with pytest.warns(RuntimeWarning, match="0/0"):
        assert math.isnan(explain([], pool={}).ndcg)
    with pytest.raises(ValueError, match="nDCG is 0/0"):
        explain([0], empty="raise")


def test_a_list_that_ends_before_its_cutoff() -> None:
    x = explain([1, 2], 5, like="mslr")
    assert x.ndcg == 0
    assert x.dcg == 0
    assert x["loss"].sum() == pytest.approx(1)
    assert "ends before rank 5" in repr(x)
    assert x.perfect(2) == 0
    assert x.best_swap is None


# Swaps and perfect tops, against all of them


def test_the_best_swap_is_the_best() -> None:
    rng = np.random.default_rng(11)
    for _ in range(200):
        n = int(rng.integers(1, 9))
        rel = rng.integers(0, 4, n).tolist()
        k = int(rng.integers(1, 10))
        pool = [*rel, *rng.integers(0, 4, 2).tolist()]
        here = ndcg(rel, k, pool=pool, empty=0)
        won = {}
        for i, j in combinations(range(n), 2):
            other = list(rel)
            other[i], other[j] = rel[j], rel[i]
            won[i + 1, j + 1] = ndcg(other, k, pool=pool, empty=0) - here
        best = max(won.values(), default=0)
        swap = explain(rel, k, pool=pool, empty=0).best_swap
        if best < 1e-12:
            assert swap is None
        else:
            assert swap.won == pytest.approx(best, abs=1e-12) == pytest.approx(won[swap.ranks], abs=1e-12)


def test_a_perfect_top() -> None:
    rng = np.random.default_rng(12)
    for _ in range(100):
        rel = rng.integers(0, 4, rng.integers(1, 9)).tolist()
        k = int(rng.integers(1, 10))
        extra = rng.integers(0, 4, 3).tolist()
        x = explain(rel, k, pool=[*rel, *extra], empty=0)
        documents = [*enumerate(rel), *enumerate(extra, len(rel))]
        for n in range(1, 9):
            top = sorted([d for d in documents if d[1] > 0], key=lambda d: -d[1])[:n]
            order = top + [d for d in documents[: len(rel)] if d not in top]
            order = order[: max(len(rel), len(top))]
            wanted = ndcg([g for _, g in order], k, pool=[*rel, *extra], empty=0)
            assert x.perfect(n) == pytest.approx(wanted, abs=1e-12)
    for n in (0, -1, 2.5, True, "3"):
        with pytest.raises(TypeError, match=r"n is .*positive whole number"):
            x.perfect(n)


# Changes


def random_change(rng: np.random.Generator) -> tuple:
    documents = [f"d{i}" for i in range(9)]
    lists = [rng.permutation(documents)[: rng.integers(1, 9)].tolist() for _ in range(2)]
    pools = [{d: int(rng.integers(0, 4)) for d in rng.permutation(documents)[:7].tolist()} for _ in range(2)]
    return *lists, *pools


@pytest.mark.parametrize("name", [None, *DIALECTS])
def test_shares_add_up(name: str | None) -> None:
    rng = np.random.default_rng(13)
    for _ in range(3):
        before, after, pool, later = random_change(rng)
        k = int(rng.integers(1, 10))
        how = {"like": name, "empty": 0.25}
        if name is not None and goes_on(k, get_dialect(name)):
            with pytest.raises(ValueError, match="cannot be shown rank by rank"):
                explain_change(before, after, k, pool=pool, **how)
            continue
        x = explain_change(before, after, k, pool=pool, **how)
        a, b = (explain(r, k, pool=pool, **how).ndcg for r in (before, after))
        assert (x.before, x.after) == (a, b)
        assert math.fsum(x["share"]) == pytest.approx(b - a, abs=1e-12)
        assert x.by_ranking == pytest.approx(b - a, abs=1e-15)
        assert x.by_judgements == 0
        x = explain_change(before, after, k, pool=pool, pool_after=later, **how)
        c, d = (explain(r, k, pool=later, **how).ndcg for r in (before, after))
        assert (x.before, x.after) == (a, d)
        assert math.fsum(x["share"]) == pytest.approx(d - a, abs=1e-12)
        assert x.by_ranking == pytest.approx(((b - a) + (d - c)) / 2, abs=1e-12)
        assert x.by_ranking + x.by_judgements == pytest.approx(d - a, abs=1e-12)
        assert math.fsum(x["ranking"]) == pytest.approx(x.by_ranking, abs=1e-12)
        assert math.fsum(x["judgements"]) == pytest.approx(x.by_judgements, abs=1e-12)
        assert repr(x)
        assert x._repr_html_()


def test_one_share_is_gain_times_weights() -> None:
    x = explain_change(EGG, B, 6, pool=GRADES).set_index("document")
    assert x.loc["D3", "share"] == pytest.approx(3 * (1 - 0.5) / idcg([*GRADES.values()], 6))
    assert x.loc["D5", "rank before"] == 5
    assert pd.isna(x.loc["D5", "rank after"])
    assert x["share"].abs().is_monotonic_decreasing
    assert "D8" not in x.index
    assert x.loc["D4", "share"] == 0


def test_by_scores_and_with_ties() -> None:
    before = {"a": 2.0, "b": 1.0, "c": 1.0}
    after = {"a": 1.0, "b": 2.0, "c": 0.5}
    x = explain_change(before, after, pool={"a": 0, "b": 2, "c": 1})
    assert x.before == ndcg([0, 2, 1], scores=[2, 1, 1])
    assert x.after == ndcg([2, 0, 1])
    assert x.set_index("document")["rank before"].to_dict() == {"a": 1, "b": "2–3", "c": "2–3"}
    assert math.fsum(x["share"]) == pytest.approx(x.after - x.before, abs=1e-12)


def test_unmoved_documents_are_left_out_and_nothing_is_left_over() -> None:
    x = explain_change(["a", "b", "c"], ["a", "c", "b"], pool={"a": 3, "b": 1})
    assert x["document"].tolist() == ["b", "c"]
    assert math.isnan(x["grade"][1])
    assert len(explain_change(EGG, EGG, 6, pool=GRADES)) == 0


def test_what_0_by_0_was_said_to_be_has_its_own_row() -> None:
    x = explain_change(["x"], ["a"], pool={"a": 1}, like="lightgbm")
    assert (x.before, x.after) == (1, 1)
    assert x["share"].sum() == pytest.approx(0)
    assert x["document"].tolist() == ["a", "x", "0/0"]
    assert x["share"].tolist() == [1, 0, -1]


def test_evaluations_explain_themselves() -> None:
    class Evaluation:
        def change_from(self, before: object) -> tuple:
            return before, self

    one = Evaluation()
    other = Evaluation()
    assert explain_change(one, other) == (one, other)
    for both, given in (((one, other), {"k": 3}), ((one, other), {"gain": "exp"}), ((one, ["a"]), {})):
        with pytest.raises(TypeError, match="evaluations bring their own"):
            explain_change(*both, **given)


# The tables


def test_a_table_is_a_frame_and_what_is_made_of_it_is_plain() -> None:
    for x in (explain(EGG, 6, pool=GRADES), explain_change(EGG, B, 6, pool=GRADES)):
        assert isinstance(x, pd.DataFrame)
        assert x.attrs == {}
        for made in (x.head(2), x[["document"]], x.sort_values("document")[::-1], x.round(2)):
            assert type(made) is pd.DataFrame
        copies = [x.copy(), x.copy(deep=False), copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))]
        for again in copies:
            assert type(again) is type(x)
            assert repr(again) == repr(x)
            pd.testing.assert_frame_equal(pd.DataFrame(again), pd.DataFrame(x))
    again = copy.deepcopy(explain(EGG, 6, pool=GRADES))
    assert again.best_swap is not None
    assert again.best_swap.documents == ("D4", "D6")
    assert len(again.documents)
    assert again.perfect(8) == 1
    again.loc[0, "gain"] = 99
    assert explain(EGG, 6, pool=GRADES).gain[0] == 3
    columns = ["rank", "document", "grade", "gain", "discount", "contribution", "ideal", "loss"]
    assert [*explain([1])] == columns
    assert [*explain(EGG, 6, pool=GRADES)] == columns


def test_bars_and_sums_are_printed() -> None:
    lines = str(explain(EGG, 6, pool=GRADES)).splitlines()
    assert " ".join(lines[0].split()) == "rank document grade gain discount contribution ideal loss"
    assert " ".join(lines[2].split()) == "2 D2 2 2 0.631 1.262 ███▍ 3 0.072 █████▉"
    assert " ".join(lines[7].split()) == "DCG 6.861 IDCG 8.740 0.215"


def test_how_it_shows_itself_in_a_notebook() -> None:
    html = explain(EGG, 6, pool=GRADES)._repr_html_()
    assert html.count("<tr>") == 8
    assert "<b>DCG 6.861</b>" in html
    assert "background:#d1600a" in html
    assert "&lt;b&gt;" in explain(["<b>"], pool={"<b>": 1})._repr_html_()
    assert "░" in repr(explain([0, 3]))
    assert "border:1px solid" in explain([0, 3])._repr_html_()


def test_a_table_changed_in_place_shows_what_is_left() -> None:
    for x, gone in ((explain([3, 2]), "loss"), (explain_change(EGG, B, 6, pool=GRADES), "share")):
        del x[gone]
        assert repr(x) == repr(pd.DataFrame(x))
        assert x._repr_html_() == pd.DataFrame(x)._repr_html_()


def test_long_tables_are_cut_and_say_so() -> None:
    x = explain([1] * 200)
    assert "… and 140 more rows" in repr(x)
    assert len(repr(x).splitlines()) == 64
    with pd.option_context("display.max_rows", None):
        assert "more rows" not in repr(x)
        assert x._repr_html_().count("<tr>") == 202


# What is refused

OF_ONE = rows_of("""
[[[3, 2], [1]]], {"ids": [["a", "b"], ["c"]], "pool": [[3, 2], [1]]} | ValueError | many lists
[[3, 2], [1, 2]], {}                                | TypeError  | k is [1, 2] | one cutoff
[["a", "b", "a"]], {"pool": {"a": 1}}               | ValueError | rel[2] is 'a' again, as rel[0] | twice
[["a"]], {"pool": [1]}                              | TypeError  | pool is [1], of type list | {document: grade}
[{"a": 1.0}], {}                                    | TypeError  | pool is missing | {document: grade}
[{"a": null}], {"pool": {"a": 1}}                   | TypeError  | rel['a'] is None | its score a number
[["a"]], {"ids": ["a"], "pool": {"a": 1}}           | TypeError  | leave ids out
[[2, "a"]], {"pool": {"a": 3}}                      | TypeError  | pool names documents, and rel does not
[[2, "a"]], {}                                      | TypeError  | rel[1] is 'a'
[["a"]], {"pool": {"a": NaN}}                       | TypeError  | pool['a'] is nan | leave it out
[[3]], {"ids": ["a"], "pool": {"a": 2}}             | ValueError | for 'a', and pool has 2: make them agree
[[3, -1]], {}                                       | ValueError | rel[1] is -1 | penalized_ndcg
[[3, 2]], {"pool": [3]}                             | ValueError | more often than its pool
[[0]], {"like": "gdeval"}                           | ValueError | empty='skip'
""")
OF_TWO = rows_of("""
[[3, 2], ["a"]], {"pool": {"a": 1}}                 | TypeError  | pool names documents, and before does not
[["a"], ["a", "a"]], {"pool": {"a": 1}}             | ValueError | after[1] is 'a' again
[["a"], ["a"]], {}                                  | TypeError  | pool is missing | {document: grade}
[["a"], ["a"]], {"pool": {"a": 1}, "pool_after": [1]} | TypeError | pool_after is [1], of type list
[["a"], ["a"]], {"pool": {"a": 1}, "ids": ["a"]}    | TypeError  | unexpected keyword argument 'ids'
""")
FAULTS = [(explain, row) for row in OF_ONE] + [(explain_change, row) for row in OF_TWO]


@pytest.mark.parametrize("function, row", FAULTS)
def test_refused(function, row: list[str]) -> None:
    given, kind, *said = row
    lists, how = json.loads(f"[{given}]")
    check_refused(lambda: function(*lists, **how), kind, *said)


def test_an_id_is_shown_and_not_obeyed() -> None:
    "A terminal must not be cleared, a line not be broken and no script be run by the name of a document"
    odd = "a\x1b[2J\nb<script>alert(1)</script>"
    plain = r"a\x1b[2J\nb"
    grades = {odd: 3, "b": 2, "c": 1}
    for shown in (explain(["b", odd, "c"], pool=grades), explain_change(["b", odd], [odd, "b"], pool=grades)):
        assert "\x1b" not in repr(shown)
        assert plain + "<script>" in repr(shown)
        assert "\x1b" not in shown._repr_html_()
        assert plain + "&lt;script&gt;" in shown._repr_html_()
        assert "\n" not in shown._repr_html_()
        assert "<script>" not in shown._repr_html_()
    table = repr(explain(["b", odd, "c"], pool=grades)).splitlines()
    assert len(table) == 1 + 3 + 1 + 3
    assert plain in table[-1]
    assert plain in table[-2]


@pytest.mark.parametrize("ending, separator", [("csv", ","), ("TSV", "\t")])
def test_a_table_is_saved_with_all_digits(tmp_path, ending: str, separator: str) -> None:
    for table in (explain(EGG, 6, pool=GRADES), explain_change(EGG, B, 6, pool=GRADES)):
        file = table.save(tmp_path / f"q01.{ending}")
        pd.testing.assert_frame_equal(pd.read_csv(file, sep=separator), pd.DataFrame(table), check_dtype=False)


def test_a_file_of_excel_is_refused_with_one_that_opens_there(tmp_path) -> None:
    table = explain(EGG, 6, pool=GRADES)
    said = "'q01.xlsx' cannot be written: save q01.csv, which Excel and other spreadsheets open"
    with pytest.raises(ValueError, match=re.escape(said)):
        table.save(tmp_path / "q01.xlsx")
    with pytest.raises(ValueError, match=r"'q01.docx' should end in one of .csv, .tsv"):
        table.save("q01.docx")
    assert not [*tmp_path.iterdir()]
