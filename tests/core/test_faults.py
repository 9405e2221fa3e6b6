"""Bad input that needs more than a call of the golden record, whose `refused_lists.txt` has the rest; what is legal."""

import inspect
import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import (
    bounds,
    cg,
    dcg,
    dialect,
    explore,
    gain,
    idcg,
    ndcg,
    penalized_ndcg,
)

rel = [3, 2, 3, 0, 1, 2]
nan = float("nan")
inf = float("inf")
frame = pd.DataFrame({"grade": [3, 2], "score": [0.1, 0.2]})
of_lists = pd.Series([[0, 2], [2, 0]], index=["q1", "q2"])


def test_what_is_noted_points_at_the_caller() -> None:
    with pytest.warns(UserWarning, match="2 pairs.*documents and their grades") as caught:
        ndcg([(101, 3), (102, 1)])
    assert [warning.filename for warning in caught] == [__file__]


def test_a_widget_is_not_made_of_what_it_cannot_show() -> None:
    with pytest.raises(ValueError, match="leave pool out"):
        explore([1, -1], view="penalties", pool=[1, -1])
    with pytest.raises(ValueError, match=r"rel\[1\] is None"):
        explore([1, None])
    with pytest.raises(TypeError, match=r"rel is None.*give a list"):
        explore(rel).ranking = None


@pytest.mark.parametrize("measure", [cg, dcg, idcg, ndcg])
def test_what_is_given_twice_is_refused_in_the_name_of_the_measure(measure) -> None:
    first = next(iter(inspect.signature(measure).parameters))
    for given, keywords in (([[3]], {first: [3]}), ([[3], 1], {"k": 1})):
        with pytest.raises(TypeError) as caught:
            measure(*given, **keywords)
        [name] = keywords
        assert str(caught.value) == f"{measure.__name__}() got multiple values for argument {name!r}"


def test_best_and_worst_need_weights_that_fall() -> None:
    for ties in ("best", "worst"):
        with pytest.raises(ValueError, match=r"discount grows from 0.3 at rank 1 to 0.5 at rank 2"):
            dcg([1, 0], scores=[0, 0], discount=[0.3, 0.5], ties=ties)
    assert dcg([1, 0], scores=[0, 0], discount=[0.3, 0.5]) == 0.4  # their mean rests on no such thing
    assert dcg([1, 0], scores=[1, 0], discount=[0.3, 0.5], ties="first") == 0.3
    assert dcg([1, 0], discount=[0.3, 0.5], ties="worst") == 0.3  # and in the order shown nothing is tied


def test_whole_scores_that_a_float_cannot_hold() -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    for scores in ([2**60, 2**60 + 1], pa.array([2**60, 2**60 + 1]), [Decimal(2**60), 0], [Fraction(2**60), 0]):
        with pytest.raises(ValueError, match=r"scores\[0\] is .*2\*\*53"):
            ndcg([1, 2], scores=scores)


def test_not_noted() -> None:
    "What looks like a mistake only at first sight"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg([[3], [2]]), ndcg(np.array([[1], [0]]), pool=[[1, 1], [1]])  # lists of one, as such or with their pools
        ndcg([(3, 2), (2, 3)]), ndcg([(0, 3), (1, 3)])
        ndcg([3, 2, 1], scores=[3, 2, 1]), ndcg([3, 2], scores=[1, 2]), ndcg([3, 2, 1], scores=[1, 2, 4])
        ndcg([[3, 2, 1], [3, 2, 1]], scores=[[1, 2, 3], [3, 2, 1]])
        dcg(rel, discount=[1, 1, 1, 1, 1, 1]), dcg([1, 2], discount=[0.5, 1])


def test_one_warning_counts_the_lists() -> None:
    with pytest.warns(RuntimeWarning, match="2 of 3 lists.*empty=0, 1, 'skip' or 'raise'") as caught:
        values = ndcg([[0], [1], [0]], [1, 2])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert np.isnan(values).tolist() == [[True, True], [False, False], [True, True]]
    with pytest.warns(RuntimeWarning, match="this list.*empty=0, 1 or 'raise'"):
        assert np.isnan(ndcg([0, 0]))


def test_what_is_legal() -> None:
    assert ndcg([], pool=[1]) == 0
    assert ndcg([2]) == 1
    assert ndcg([True, False]) == 1
    assert ndcg([1], k=100) == 1
    assert ndcg(np.int64(7) * np.array([1, 0])) == 1
    assert ndcg([0], empty=0) == 0
    assert ndcg([0], empty=1) == 1
    assert np.isnan(ndcg([0], empty=nan))
    assert ndcg([[0], [1]], empty="skip").tolist() == [1]
    assert ndcg([Fraction(1, 2), Decimal("1.5")]) == ndcg([0.5, 1.5])
    assert ndcg(pd.Series([3, 1], index=["b", "a"]), scores=pd.Series([1, 2], index=["b", "a"])) == ndcg([1, 3])
    assert ndcg(pd.Series([3, 1], dtype="Int64")) == 1
    assert ndcg(range(3)) == ndcg([0, 1, 2])
    assert ndcg([1, -1], gain="binary") == 1
    assert ndcg([2, 1], pool=[1, 3], gain="binary") == 1
    assert ndcg([pd.Series([3, 2])], pool=[pd.Series([3, 2, 1])], k=2).tolist() == [1]  # a pool has an index of its own
    assert ndcg([3, 0, 0], pool=[3]) == 1  # what gains nothing need not be in the pool
    assert ndcg(np.ones((3, 4)), k=[10, 5, 1]).shape == (3, 3)  # as many cutoffs as lists, in any order
    assert ndcg([3, 2, 0], k=[1, 2, 3]).tolist() == [1, 1, 1]  # by its name it cannot be scores
    assert ndcg([3, 2, 0], [1, 2, 3], scores=[3, 1, 2]).shape == (3,)  # which are there already
    assert ndcg([3, 2, 0], [1, 3]).tolist() == [1, 1]
    assert ndcg([1, 2], scores=np.array([1e300, 1e299])) == ndcg([1, 2])
    assert ndcg([1], pool=[1, 3], gain=lambda g: g / g.max()) == ndcg([1], pool=[1, 3])  # one gain for both
    assert ndcg([[300, 0], [1e-90]], gain="exp").tolist() == [1, 1]  # small grades beside large ones
    assert ndcg([1e-17, 2e-17], gain="exp") == pytest.approx(ndcg([1, 2]), rel=1e-12)  # 2**x - 1 is x ln 2 there
    assert dcg([1, 1], discount=np.array([1, 0.5])) == dcg([1, 1], discount=(1, 0.5)) == 1.5
    assert ndcg([3, 2], scores=[inf, 1]) == 1
    assert isinstance(ndcg(rel), float)
    assert isinstance(cg(rel), float)
    assert isinstance(gain(1), float)
    assert [part.tolist() for part in gain([[1, 2], [3]], "exp")] == [[1, 3], [7]]
    assert gain([[1, 2]], "exp").tolist() == [[1, 3]]


def test_a_masked_column_of_pandas_is_no_masked_array() -> None:
    assert ndcg(pd.array([3, 1, 2], dtype="Int64")) == ndcg([3, 1, 2])
    with pytest.raises(ValueError, match=r"rel\[1\] is (nan|<NA>), which means unjudged"):
        ndcg(pd.array([3, None, 2], dtype="Int64"))


def test_weights_in_a_series_go_by_their_place() -> None:
    assert dcg([1, 1], discount=pd.Series([1, 0.5], index=[1, 2])) == 1.5


def test_columns_of_lists() -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed")
    assert ndcg(pl.Series([[3, 0], [0, 3]])).tolist() == ndcg([[3, 0], [0, 3]]).tolist()
    assert ndcg(pl.Series([3, 0, 1])) == ndcg([3, 0, 1])
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    assert ndcg(pa.array([[3, 0], [0, 3, 1]])).tolist() == ndcg([[3, 0], [0, 3, 1]]).tolist()


def test_a_widget_refuses_before_it_changes() -> None:
    w = explore([3, 2, 3, 0, 1, 2], 6, pool=[3, 2, 3, 0, 1, 2, 3, 2])
    tabled = explore([3, 1], gain={0: 0, 1: 1, 3: 7}, discount=[1, 0.5, 0.25])
    refused = [
        (w, "ranking", [3, -1], ValueError, "rel[1] is -1"),
        (w, "ranking", [[1, 2], [3]], ValueError, "shows one"),
        (w, "ranking", ["3"], TypeError, "rel[0] is '3'"),
        (w, "missed", [1] * 30, ValueError, "room for 32"),
        (w, "k", 2.5, ValueError, "k is 2.5"),
        (w, "k", "3", TypeError, "k is '3'"),
        (w, "k", [1, 2], TypeError, "one cutoff"),
        (w, "gain", "cubic", ValueError, "give one of 'linear'"),
        (w, "discount", "cubic", ValueError, "give one of 'log2'"),
        (tabled, "ranking", [5], ValueError, "grade 5"),
        (tabled, "ranking", [3, 1, 1, 1], ValueError, "rank 4 needs one"),
    ]
    for widget, trait, value, error, said in refused:
        names = ("documents", "ranking", "missed", "k", "gain", "discount", "cg", "dcg", "idcg", "ndcg")
        before = [getattr(widget, name) for name in names]
        for _ in range(2):
            with pytest.raises(error) as caught:
                setattr(widget, trait, value)
            assert said in str(caught.value)
            assert [getattr(widget, name) for name in names] == before


def test_widgets_of_part_two() -> None:
    w = explore([1, 1, 1, -1], view="penalties")
    assert w.numbers == {"nDCG": 1, "penalised": penalized_ndcg([1, 1, 1, -1]), "min-max": 1}
    w.penalty = 0.5
    assert w.numbers["penalised"] == penalized_ndcg([1, 1, 1, -1], penalty=0.5)
    with pytest.raises(ValueError, match="penalty is -1"):
        w.penalty = -1
    u = explore([3, None, 1], 3, pool=[3, None, 1, None], view="unjudged")
    assert u.ranking == [3, None, 1]
    assert u.missed == [None]
    assert "?" in repr(u)
    assert (u.numbers["least@3"], u.numbers["most@3"]) == bounds([3, nan, 1], 3, grades=range(4), pool=[3, nan, 1, nan])
    d = explore(rel, 6, pool=[*rel, 3, 2], view="dialects")
    d.pair = ["gdeval", "trec_eval"]
    assert d.numbers["gdeval"] == ndcg(rel, 6, pool=[*rel, 3, 2], **dialect("gdeval"))
    assert d.numbers["gap"] < 0
    beyond = explore([5, 1], view="dialects")
    assert beyond.dialects["of"]["gdeval"]["gain"]["to"] == 4  # it knows no grade above
    beyond.pair = ["gdeval", "sklearn"]
    assert math.isnan(beyond.numbers["gdeval"])
    assert math.isnan(beyond.numbers["gap"])
    assert beyond.numbers["sklearn"] == 1
    d.pair = ["letor", "scikit-learn"]  # by another name
    assert d.pair == ["mslr", "sklearn"]
    assert list(d.numbers) == ["mslr", "sklearn", "gap"]
    with pytest.raises(ValueError, match="did you mean 'xgboost'"):
        d.pair = ["gdeval", "xgbost"]
    u.ranking = [None, 3, nan]
    assert u.ranking == [None, 3, None]
    assert u.missed == [1]
    u.documents = [d | {"grade": 2} if "unjudged" in d else d for d in u.documents]  # as the slider does
    assert u.numbers["nDCG@3"] == ndcg([2, 3, 2], 3, pool=[2, 3, 2, 1])


def test_what_a_widget_takes() -> None:
    w = explore([3, 1], gain={0: 0, 1: 1, 3: 7})
    w.gain = "linear"
    w.ranking = np.array([1, 3, 0])
    assert w.ranking == [1, 3, 0]
    assert w.ndcg == ndcg([1, 3, 0])
    seen = []
    w.observe(lambda _: seen.append(w.ndcg), "ranking")
    w.documents = [*w.documents[1:], w.documents[0]]  # as a drag does
    assert seen == [ndcg([3, 0, 1])]
    assert explore([2000, 1]).choices["gain"] == ["linear", "binary"]
    assert explore([2000, 1]).ndcg == 1
    assert explore([3, 1], gain=lambda g: np.array([{3: 5, 1: 2}[x] for x in g])).ndcg == 1
    assert explore([0.5, 2.25]).levels == [0, 0.5, 1, 2, 2.25, 3]
    assert math.isnan(explore([]).ndcg)
    assert explore([], pool=[1]).ndcg == 0
    assert explore(pd.Series([3, 2]), 1, view="cg").cg == 3
    for bad in ([3, 2, 1, 1], 3), ([3, 2, 1], None, [3, 2, 1, 2]):
        with pytest.raises(ValueError, match="room for 3"):
            explore(bad[0], bad[1] or 3, pool=bad[2] if len(bad) > 2 else None, discount=[1, 0.5, 0.25])
