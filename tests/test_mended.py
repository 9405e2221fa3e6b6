"""What was once answered wrongly, refused though good, or told obscurely; and the mistakes people make."""

import subprocess
import sys
import tracemalloc
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ndcg_nb import cg, dcg, dialect, discount, explore, gain, idcg, mean_ndcg, ndcg, which
from ndcg_nb.hood import lists

rel = [3, 2, 3, 0, 1, 2]


# Answers that were wrong


def test_best_and_worst_need_weights_that_fall() -> None:
    for ties in ("best", "worst"):
        with pytest.raises(ValueError, match=r"discount grows from 0.3 at rank 1 to 0.5 at rank 2"):
            dcg([1, 0], scores=[0, 0], discount=[0.3, 0.5], ties=ties)
    assert dcg([1, 0], scores=[0, 0], discount=[0.3, 0.5]) == 0.4  # their mean rests on no such thing
    assert dcg([1, 0], scores=[1, 0], discount=[0.3, 0.5], ties="first") == 0.3
    assert dcg([1, 0], discount=[0.3, 0.5], ties="worst") == 0.3  # and in the order shown nothing is tied


@pytest.mark.parametrize("measure", [cg, dcg, idcg, ndcg, gain], ids=lambda m: m.__name__)
def test_a_gain_function_sees_every_grade_once_and_rising(measure) -> None:
    seen: list = []

    def form(grades: np.ndarray) -> np.ndarray:
        seen.append(grades.tolist())
        return grades**2

    measure(rel, gain=form) if measure is not gain else gain(rel, form)
    assert seen == [[0, 1, 2, 3]]
    ndcg([3, 2], pool=[3, 2, 5], gain=form)
    assert seen[1:] == [[2, 3, 5]]


def test_a_list_that_is_not_reached_is_worth_nothing() -> None:
    assert ndcg([1, 2], 5, ideal="reached", empty=1) == 0  # which is no 0/0
    assert ndcg([0, 0], 5, ideal="reached", empty=1) == 1  # and this is


def test_whole_scores_that_a_float_cannot_hold() -> None:
    for kind in (int, Decimal, lambda x: Fraction(x)):
        with pytest.raises(ValueError, match=r"scores\[0\] is .*2\*\*53"):
            ndcg([1, 2], scores=[kind(2**60), kind(2**60 + 1)])
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    with pytest.raises(ValueError, match=r"scores\[0\] is .*2\*\*53"):
        ndcg([1, 2], scores=pa.array([2**60, 2**60 + 1]))


def test_ids_keep_their_last_zeros() -> None:
    ids = {"scores": [1, 1], "ties": "id"}
    assert ndcg([0, 1], ids=["a", "a\0"], **ids) == 1 and ndcg([1, 0], ids=["a", "a\0"], **ids) < 1


def test_the_smallest_and_the_largest_gains() -> None:
    assert ndcg([0, 5e-324]) == discount(2) == ndcg(np.array([0, 5e-324]))
    assert ndcg([[0, 5e-324], [0, 1], [0, 1e308]], empty=0).tolist() == [discount(2)] * 3
    assert ndcg([1e308] * 5) == 1 and ndcg([0, 1e308], pool=[1e308] * 3) == pytest.approx(ndcg([0, 1], pool=[1] * 3))
    assert ndcg([1e308, 0, 1e308], **dialect("catboost")) == ndcg([1, 0, 1], **dialect("catboost"))
    with pytest.raises(OverflowError, match="too large for a float"):
        dcg([1e308] * 5, arithmetic="exact")


# Good input that was refused


def test_a_masked_column_of_pandas_is_no_masked_array() -> None:
    assert ndcg(pd.array([3, 1, 2], dtype="Int64")) == ndcg([3, 1, 2])
    with pytest.raises(ValueError, match=r"rel\[1\] is (nan|<NA>), which means unjudged"):
        ndcg(pd.array([3, None, 2], dtype="Int64"))


def test_half_precision_knows_larger_numbers() -> None:
    assert ndcg(np.array([1, 2], "f2"), **dialect("trec_eval")) == ndcg([1, 2])
    assert ndcg([[1, 2]], scores=[np.array([1, 2], "f2")], minus_inf="last").tolist() == [ndcg([2, 1])]


def test_binary_with_its_range_is_binary() -> None:
    assert ndcg([3], pool=[1, 0], gain=("binary", range(5))) == ndcg([3], pool=[1, 0], gain="binary") == 1


# Answers that were obscure


OBSCURE = [
    (lambda: dcg(rel, discount={1: 1, 2: 0.5}), ValueError, "discount is {1: 1, 2: 0.5}", "list(table.values())"),
    (lambda: dcg(rel, discount=pd.DataFrame({"w": [1, 0.5]})), TypeError, "discount is a DataFrame", "one column"),
    (lambda: dcg(rel, discount={1, 0.5}), ValueError, "discount is {0.5, 1}", "an array of weights"),
    (lambda: dcg(rel, gain=lambda g: g - "1"), TypeError, "gain is called once, with an array of grades"),
    (lambda: ndcg(rel, ties=np.array(["a", "b"])), ValueError, "ties is array(['a', 'b']", "'average'"),
    (lambda: ndcg([1, Decimal("sNaN")]), ValueError, "rel[1] is nan", "unjudged"),
    (lambda: dcg(rel, discount=np.array(1.0)), ValueError, "discount is array(1.)", "an array of weights"),
    (lambda: ndcg([0, 0], empty=-1e-20), ValueError, "empty is -1e-20"),
    (lambda: ndcg(rel, 3, default_k="x"), TypeError, "k is 'x'"),
    (lambda: setattr(explore(rel), "ranking", None), TypeError, "rel is None", "give a list"),
]


@pytest.mark.parametrize("call, error, said", [(c, e, s) for c, e, *s in OBSCURE], ids=range(len(OBSCURE)))
def test_said_clearly(call, error, said) -> None:
    with pytest.raises(error) as caught:
        call()
    for words in said:
        assert words in str(caught.value)


def test_weights_in_a_series_go_by_their_place() -> None:
    assert dcg([1, 1], discount=pd.Series([1, 0.5], index=[1, 2])) == 1.5


def test_the_demo_speaks_where_only_ascii_is_spoken() -> None:
    env = {"LC_ALL": "C", "PYTHONIOENCODING": "", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PATH": ""}
    command = [sys.executable, "-X", "utf8=0", "-m", "ndcg_nb.demo"]
    done = subprocess.run(command, env=env, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert b"bm25.run    0.6970   0.7530" in done.stdout
    assert b"   -      3     1   0.578  Boiled eggs by the minute" in done.stdout


# Mistakes people make, and the answer they get


MISTAKES = [
    (lambda: ndcg([("d1", 3), ("d2", 0)]), TypeError, "pairs of document and grade", "[grade for _, grade in rel]"),
    (lambda: ndcg([0.9, 0.8, 0.1], [3, 2, 0]), TypeError, "Grades come first", "ndcg(rel, scores=…)"),
    (lambda: ndcg(["d1", "d2"]), TypeError, "rel[0] is 'd1', which looks like the id of a document"),
    (lambda: ndcg(rel, scores=["high"] * 6), TypeError, "scores[0] is 'high', a string, and no number"),
    (lambda: ndcg(pd.Series([[1, 2], np.nan, [0]])), ValueError, "rel[1] is nan, and there is no list there"),
    (lambda: ndcg([None, [1, 2]]), ValueError, "rel[0] is None, and there is no list there"),
    (lambda: ndcg(rel, discount=lambda i: np.log2(i + 1)), ValueError, "discount grows", "did you mean 1 / …?"),
    (lambda: ndcg(rel, dialect="sklearn"), TypeError, "unexpected keyword argument 'dialect'", "like='sklearn'"),
    (lambda: ndcg(rel, like="sklern"), ValueError, "no dialect 'sklern'", "did you mean 'sklearn'?"),
    (lambda: ndcg(rel, like=3), ValueError, "no dialect 3"),
    (lambda: ndcg(rel, discounts="zipf"), TypeError, "'discounts'", "did you mean discount=?"),
    (lambda: cg(rel, ideal="pool"), TypeError, "cg() got an unexpected keyword argument 'ideal'"),
    (lambda: idcg(rel, scores=rel), TypeError, "idcg() got an unexpected keyword argument 'scores'"),
    (lambda: ndcg(rel, verbose=True), TypeError, "unexpected keyword argument 'verbose'"),
]


@pytest.mark.parametrize("call, error, said", [(c, e, s) for c, e, *s in MISTAKES], ids=range(len(MISTAKES)))
def test_mistakes(call, error, said) -> None:
    with pytest.raises(error) as caught:
        call()
    for words in said:
        assert words in str(caught.value)


NOTED = [
    # what is computed all the same, but not without a word
    (lambda: ndcg(pd.DataFrame({"grade": [3, 2, 1]})[["grade"]].to_numpy()), r"shape \(3, 1\).*rel\[:, 0\]"),
    (lambda: ndcg([(101, 3), (102, 1)]), "2 pairs.*documents and their grades"),
    (lambda: ndcg([3, 2, 1], scores=[1, 2, 3]), "scores are 1, 2, 3, … 3: if these are ranks.*-rank"),
    (lambda: ndcg(np.array([3, 2, 1]), scores=np.array([1, 2, 3])), "if these are ranks"),
    (lambda: ndcg([[3, 2, 1], [1, 0]], scores=[[1, 2, 3], [1, 2]]), "if these are ranks"),
    (lambda: dcg(rel, discount=lambda i: np.log2(i + 1)), "more weight than the one before.*1 / …"),
]


@pytest.mark.parametrize("call, said", NOTED, ids=range(len(NOTED)))
def test_noted(call, said) -> None:
    with pytest.warns(UserWarning, match=said) as caught:
        call()
    assert len(caught) == 1 and caught[0].filename == __file__


def test_not_noted() -> None:
    "What looks like a mistake only at first sight"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg([[3], [2]]), ndcg(np.array([[1], [0]]), pool=[[1, 1], [1]])  # lists of one, as such or with their pools
        ndcg([(3, 2), (2, 3)]), ndcg([(0, 3), (1, 3)])
        ndcg([3, 2, 1], scores=[3, 2, 1]), ndcg([3, 2], scores=[1, 2]), ndcg([3, 2, 1], scores=[1, 2, 4])
        ndcg([[3, 2, 1], [3, 2, 1]], scores=[[1, 2, 3], [3, 2, 1]])
        dcg(rel, discount=[1, 1, 1, 1, 1, 1]), dcg([1, 2], discount=[0.5, 1])


# like=


def test_like() -> None:
    pool, ids, scores = [*rel, 3, 2], list("abcdef"), [0.5, 0.5, 0.4, 0.4, 0.3, 0.2]
    for name in ("trec_eval", "sklearn", "xgboost", "gdeval", "catboost", "letor"):
        given = {"k": 5, "pool": pool, "scores": scores, "ids": ids}
        assert ndcg(rel, **given, like=name) == ndcg(rel, **given, **dialect(name))
        assert ndcg(rel, **given, like=name, ties="first") == ndcg(rel, **given, **dialect(name) | {"ties": "first"})
    assert ndcg(rel, like="trec_eval", gain="exp", scores=None) == ndcg(rel, gain="exp")
    assert ndcg(rel, like=None) == ndcg(rel)
    assert dcg(rel, like="lightgbm") == dcg(rel, gain="exp") and cg(rel, like="burges") == cg(rel, gain="exp")
    assert idcg(rel, like="mslr") == idcg(rel, gain="exp", discount=("jk", 2), arithmetic="ln-divide")
    assert dcg([0] * 20 + [1], like="gdeval") == 0 and dcg([0] * 20 + [1], 21, like="gdeval") > 0  # its own cutoff


def test_help_shows_every_keyword() -> None:
    import pydoc

    text = pydoc.render_doc(ndcg, renderer=pydoc.plaintext)
    for name in ("gain", "ties", "like", "precision", "minus_inf", "ideal", "arithmetic", "default_k"):
        assert f"{name}=" in text
    assert "ideal=" not in pydoc.render_doc(dcg, renderer=pydoc.plaintext)


# Cliffs that do not show in the time of one call


def peak(call) -> float:
    "The memory that a call takes at most, in MiB"
    tracemalloc.start()
    call()
    used = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return used


def test_one_long_id_does_not_make_all_ids_long() -> None:
    ids = [f"d{i}" for i in range(20_000)] + ["x" * 10_000]
    assert peak(lambda: ndcg([1] * len(ids), scores=[0] * len(ids), ties="id", ids=ids)) < 50


def test_which_asks_for_many_queries_as_for_few() -> None:
    lists = [[1, 0, 2]] * 400
    calls = []

    class Counted(list):
        def __iter__(self):
            calls.append(1)
            return super().__iter__()

    which(0.5, Counted(lists))
    few = len(calls)
    calls.clear()
    which(0.5, Counted(lists * 4))
    assert len(calls) == few  # a list is gone through as often, however long it is


def test_columns_of_lists() -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed")
    assert ndcg(pl.Series([[3, 0], [0, 3]])).tolist() == ndcg([[3, 0], [0, 3]]).tolist()
    assert ndcg(pl.Series([3, 0, 1])) == ndcg([3, 0, 1])
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    assert ndcg(pa.array([[3, 0], [0, 3, 1]])).tolist() == ndcg([[3, 0], [0, 3, 1]]).tolist()


# Means over queries


def test_a_mean_says_over_which_queries() -> None:
    lists, pools = [[1, 0, 2], [], [0, 0], [0, 1]], [[1, 0, 2], [1], [0, 0], [0, 1]]
    first, last = ndcg([1, 0, 2]), ndcg([0, 1])
    assert mean_ndcg(lists, pool=pools, like="trec_eval") == ((first + 0 + last) / 3, 3, 1, 0)
    assert mean_ndcg(lists, pool=pools, like="ir_measures") == ((first + 0 + 0 + last) / 4, 4, 0, 0)
    value, *counts = mean_ndcg(lists, pool=pools, like="gdeval")  # which leaves out both kinds
    assert value == pytest.approx(np.mean(ndcg([[1, 0, 2], [0, 1]], gain="exp"))) and counts == [2, 1, 1]
    with pytest.raises(ValueError, match=r"rel\[1\] is empty, and trec_eval stops where a query is missing"):
        mean_ndcg(lists, pool=pools, like="trec_eval-10")
    with pytest.raises(ValueError, match="no query is left"):
        mean_ndcg([[], []], pool=[[1], [1]], like="trec_eval")


def test_a_column_of_lists_is_not_looked_at_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list = []
    look = lists.refuse_other_index
    monkeypatch.setattr(lists, "refuse_other_index", lambda *x: seen.append(x) or look(*x))
    rel, scores = [[1, 0], [2, 1]] * 50, [[0.1, 0.2], [0.3, 0.1]] * 50
    expected = ndcg(rel, scores=scores).tolist()
    for column in (pl.Series, pa.array, pd.Series, list):
        seen.clear()
        assert ndcg(column(rel), scores=column(scores)).tolist() == expected and len(seen) == 1
    rows = [pd.Series(x) for x in scores]
    with pytest.raises(ValueError, match=r"scores\[99\] and rel are Series with different indexes"):
        ndcg([pd.Series(x) for x in rel[:-1]] + [pd.Series([2, 1], index=[5, 6])], scores=rows)
