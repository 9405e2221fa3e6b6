"""Bad input, a row each: what is raised, and that the message names the value, its place and the way out."""

import inspect
import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from ndcg_nb import (
    alpha_ndcg,
    bounds,
    cg,
    dcg,
    dialect,
    disagree,
    discount,
    explore,
    gain,
    idcg,
    inf_ndcg,
    intent_ndcg,
    ips_dcg,
    judged,
    minmax_ndcg,
    ndcg,
    penalized_ndcg,
)
from ndcg_nb.coverage import ndcg_at_r, tied_ndcg
from ndcg_nb.missing import pad
from ndcg_nb.unjudged import assume, condense, condensed_ndcg

rel = [3, 2, 3, 0, 1, 2]
nan = float("nan")
inf = float("inf")
frame = pd.DataFrame({"grade": [3, 2], "score": [0.1, 0.2]})
of_lists = pd.Series([[0, 2], [2, 0]], index=["q1", "q2"])

FAULTS = [
    # what is called, the error, and what its message must say
    (lambda: ndcg(rel, [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]), TypeError, "k is [0.6", "Did you mean scores=?"),
    (lambda: ndcg([3, 2, 1], [2, 9, 4]), TypeError, "k is [2, 9, 4], as many numbers as results", "scores="),
    (lambda: ndcg([3, 2, 0], [1, 2, 3]), TypeError, "k is [1, 2, 3], as many", "give scores=", "or k=[1, 2, 3]"),
    (lambda: dcg(np.array([3, 2]), np.array([1, 2])), TypeError, "k is [1, 2], as many numbers as results"),
    (lambda: ndcg([3, 2, 1], k=[2, 9, 4]), TypeError, "rising", "Did you mean scores=?"),
    (lambda: ndcg(y_true=[3], y_score=[1]), TypeError, "'y_true': grades come first", "ndcg(y_true, …)"),
    (lambda: ndcg([3], y_score=[1]), TypeError, "'y_score': model scores are scores="),
    (lambda: ndcg([3], preds=[1]), TypeError, "'preds': model scores are scores="),
    (lambda: ndcg([3], indexes=[0]), TypeError, "'indexes': give a list for each query", "evaluate"),
    (lambda: ndcg([3], top_k=1), TypeError, "'top_k': the cutoff is k="),
    (lambda: ndcg([3, 2, 1], [5, 5, 1]), TypeError, "different", "Did you mean scores=?"),
    (lambda: ndcg(rel, 0), ValueError, "k is 0", "positive whole number"),
    (lambda: ndcg(rel, 2.5), ValueError, "k is 2.5"),
    (lambda: ndcg(rel, True), ValueError, "k is True"),
    (lambda: ndcg(rel, "10"), TypeError, "k is '10'"),
    (lambda: ndcg([rel, [1]], scores=[rel, [1, 2]]), ValueError, "scores[1] has 2 numbers, rel[1] has 1"),
    (lambda: ndcg([rel, rel], scores=rel), ValueError, "one list of scores, 2 lists in rel"),
    (lambda: ndcg([3, nan, 1]), ValueError, "rel[1] is nan", "unjudged"),
    (lambda: ndcg([[3], [1, nan]]), ValueError, "rel[1][1] is nan"),
    (lambda: ndcg([3, pd.NA]), ValueError, "rel[1] is <NA>", "unjudged"),
    (lambda: ndcg(pd.Series([3, None], dtype="Int64")), ValueError, "rel[1] is ", "unjudged"),
    (lambda: ndcg([3, inf]), ValueError, "rel[1] is inf", "finite"),
    (lambda: ndcg(rel, pool=[3, 3, 3, 2, 2, 2, 1, nan]), ValueError, "pool[7] is nan", "unjudged"),
    (lambda: ndcg([1, 2], scores=[0.5, nan]), ValueError, "scores[1] is nan", "-inf"),
    (lambda: ndcg([[1, 2]], scores=[[None, 1]]), ValueError, "scores[0][0] is None", "-inf"),
    (lambda: ndcg(["3", 2]), TypeError, "rel[0] is '3', a string", "float('3')"),
    (lambda: ndcg("321"), TypeError, "rel is '321', of type str"),
    (lambda: ndcg(3), TypeError, "rel is 3, of type int", "give a list"),
    (lambda: ndcg(None), TypeError, "rel is None"),
    (lambda: ndcg({"d1": 3}), TypeError, "of type dict"),
    (lambda: ndcg(np.zeros((2, 2, 2))), TypeError, "rel[0][0] is", "list of such lists"),
    (lambda: ndcg([1, [2, 3]]), TypeError, "rel[0] is 1, and there is no list there"),
    (lambda: ndcg([1, 2j]), TypeError, "rel[1] is 2j, of type complex"),
    (lambda: ndcg(np.array(["2020-01-01"], "M8[D]")), TypeError, "rel[0] is"),
    (lambda: ndcg([10**400]), ValueError, "rel[0] is inf", "finite"),
    (lambda: ndcg(frame), TypeError, "rel is a DataFrame", "one column", ".to_numpy()"),
    (lambda: ndcg(np.ma.masked_less([3, -1], 0)), ValueError, "rel[1] is masked", "unjudged"),
    (lambda: ndcg(np.ma.masked_less([[3, -1]], 0)), ValueError, "rel[0][1] is masked"),
    (lambda: ndcg(frame.grade, scores=frame.score[::-1]), ValueError, "different indexes", "reindex"),
    (lambda: ndcg([1, 2, 0], scores=[2**60, 2**60 + 1, -(2**61)]), ValueError, "scores[0] is", "2**53"),
    (lambda: ndcg([1], pool=[1, -2]), ValueError, "pool[1] is -2"),
    (lambda: ndcg([1, 200, -1], gain="exp"), ValueError, "rel[2] is -1", "gain -0.5"),
    (lambda: ndcg(rel, gain={0: 0, 1: 1, 2: 2, 3: -3}), ValueError, "rel[0] is 3, with gain -3.0"),
    (lambda: ndcg(rel, gain={0: 0, 1: 1, 3: 7}), ValueError, "rel[1] is grade 2", "add it"),
    (lambda: ndcg([1], pool=[1, 2], gain={1: 1}), ValueError, "pool[1] is grade 2"),
    (lambda: ndcg(rel, gain={0: 0, 1: None, 2: 1, 3: 2}), ValueError, "gain table[1] is None"),
    (lambda: ndcg(rel, gain={"3": 1}), TypeError, "gain table[0] is '3'"),
    (lambda: ndcg([0, 1], gain={0: [0, 5], 1: [1]}), TypeError, "gain table", "one gain for each grade"),
    (lambda: ndcg(rel, gain=lambda g: 7 if g > 2 else 0), ValueError, "called once, with an array of grades"),
    (lambda: ndcg(rel, gain=math.sqrt), TypeError, "called once, with an array of grades"),
    (lambda: dcg(rel, discount=lambda r: 1 / math.log2(r + 1)), TypeError, "called once, with an array of ranks"),
    (lambda: dcg(rel, discount=["jk", 2]), ValueError, "('jk', base)"),
    (lambda: dcg(rel, discount=np.ones((2, 6))), ValueError, "one list"),
    (lambda: dcg(rel, discount=("jk", inf)), ValueError, "a finite number above 1"),
    (lambda: ndcg([1, 1], discount=[0, 0]), ValueError, "rank 1 no weight"),
    (lambda: discount(1.5, [1, 0.5]), ValueError, "each whole rank"),
    (lambda: discount([1, inf]), ValueError, "rank[1] is inf"),
    (lambda: discount([[1, 2], [3, 4]]), ValueError, "several lists"),
    (lambda: ndcg(rel, empty=np.array([0, 1])), ValueError, "empty is array"),
    (lambda: ndcg(rel, gain="expo"), ValueError, "gain is 'expo'", "'linear', 'exp', 'binary'"),
    (lambda: ndcg([1, 5], gain=("exp", range(5))), ValueError, "rel[1] is 5", "whole grades from 0 up to 4"),
    (lambda: ndcg([[1], [1.5, 2]], gain=("exp", range(5))), ValueError, "rel[1][0] is 1.5", "whole grades"),
    (lambda: ndcg([1], pool=[1, 5], gain=("exp", range(5))), ValueError, "pool[1] is 5", "map it"),
    (lambda: ndcg(rel, gain=("exp", 5)), ValueError, "gain is ('exp', 5)", "('exp', range(5))"),
    (lambda: ndcg([[1], [1, 0]], scores=[[7], [7, 7]], ties="id"), ValueError, "the score 7.0", "needs ids="),
    (lambda: ndcg([1, 0], scores=[7, 7], ties="id", ids=[10, 9]), TypeError, "ids is [10, 9]", "str(x)"),
    (lambda: ndcg([1, 0], scores=[7, 7], ids=["a", "a"]), ValueError, "ids has 'a' again", "returned twice"),
    (lambda: ndcg([1, 0], scores=[7, 7], ids=["a"]), ValueError, "ids has 1 strings", "one id per grade"),
    (lambda: ndcg([1, 0], ids=["a"]), ValueError, "ids has 1 strings"),
    (lambda: ndcg([1, 0], ids="ab"), TypeError, "ids is 'ab', of type str"),
    (lambda: ndcg([[1, 0], [1]], ids=[["a", "b"]]), ValueError, "1 lists of ids, 2 of grades"),
    (lambda: ndcg([[1, 0], [1]], ids=[["a", "b"], ["c", "d"]]), ValueError, "ids[1] has 2 strings"),
    (lambda: ndcg(rel, precision="float16"), ValueError, "precision is 'float16'", "'float32'"),
    (lambda: ndcg(rel, ideal="best"), ValueError, "ideal is 'best'", "'pool', 'list'"),
    (lambda: dialect("trec"), ValueError, "no dialect 'trec'", "did you mean 'trec_eval'?"),
    (lambda: dialect(None), ValueError, "no dialect None"),
    (lambda: disagree(rel, k=0), ValueError, "k is 0"),
    (lambda: disagree(rel, k=[1, 3]), TypeError, "k is [1, 3]", "one cutoff"),
    (lambda: disagree(rel, scores=[1, 2]), ValueError, "scores has 2 numbers"),
    (lambda: disagree(rel, pool=[3]), ValueError, "those in rel included"),
    (lambda: ndcg(rel, gain=lambda g: 1), ValueError, "shape ()", "as many numbers"),
    (lambda: ndcg(rel, gain=lambda g: np.array(["a"] * len(g))), ValueError, "as many numbers"),
    (lambda: ndcg(rel, gain=lambda g: np.where(g == 0, nan, g)), ValueError, "grade 0", "into nan"),
    (lambda: ndcg(rel, discount="log10"), ValueError, "discount is 'log10'", "('log', base)"),
    (lambda: ndcg(rel, discount="jk"), ValueError, "discount is 'jk'", "('jk', base)"),
    (lambda: ndcg(rel, discount=("zipf", 2)), ValueError, "('zipf', 2)"),
    (lambda: ndcg(rel, discount=("log", 1)), ValueError, "base must be a finite number above 1"),
    (lambda: ndcg(rel, discount=("power", -1)), ValueError, "beta must be a finite number, 0 or more"),
    (lambda: ndcg(rel, discount=[1, 0.5]), ValueError, "2 weights, and rank 6", "k=2"),
    (lambda: ndcg(rel, discount=[1, 2, 1, 1, 1, 1]), ValueError, "grows from 1.0 at rank 1 to 2.0 at rank 2"),
    (lambda: dcg(rel, discount=lambda i: i * nan), ValueError, "rank 1 is nan"),
    (lambda: discount([1, nan]), ValueError, "rank[1] is nan", "from 1"),
    (lambda: ndcg([[1], [3, 2]], pool=[3, 1]), ValueError, "rel[1] holds 2 more often"),
    (lambda: ndcg([[1], [3, 2]], pool=[[1], [3, 1]]), ValueError, "rel[1] holds 2 more often"),
    (lambda: ndcg([200], pool=[3], gain="exp"), ValueError, "rel holds 200 more often"),
    (lambda: ndcg(np.array([0.1], np.float32), pool=[0.1]), ValueError, "0.10000000149011612"),
    (lambda: ndcg(of_lists, pool=of_lists[::-1]), ValueError, "pool and rel are Series", "reindex"),
    (lambda: ndcg([frame.grade], scores=[frame.score[::-1]]), ValueError, "scores[0] and rel", "reindex"),
    (lambda: ndcg(rel, pool=[rel, rel]), ValueError, "pool holds many lists, 2", "one list of grades"),
    (lambda: ndcg([[1], [2]], pool=[[1]]), ValueError, "pool holds many lists, 1: give one for each of 2"),
    (lambda: ndcg([[1], [0], [0]], empty="raise"), ValueError, "2 of 3 lists", "the first at [1]"),
    (lambda: ndcg(rel, empty=2), ValueError, "empty is 2"),
    (lambda: ndcg(rel, empty=True), ValueError, "empty is True"),
    (lambda: dcg(rel, ties="random"), ValueError, "ties is 'random'"),
    (lambda: dcg([3, 2000], gain="exp"), ValueError, "rel[1] is 2000, with gain inf", "gain={grade: gain"),
    (lambda: ndcg(rel, 3, [1, 2, 3]), TypeError, "positional argument"),
    (lambda: dcg([1, 2], discount=("log",)), ValueError, "('log', base)"),
    (lambda: ndcg([1, 2], scores=[1, 2], minus_inf="first"), ValueError, "minus_inf is 'first'", "'out', 'last'"),
    (lambda: ndcg([1, 2], default_k=0), ValueError, "k is 0"),
    (lambda: ndcg([3, 0], pool="x", ideal="list"), TypeError, "pool is 'x'"),
    (lambda: ndcg([1], gain=("exp", range(0, 5, 2))), ValueError, "gain is ('exp', range(0, 5, 2))"),
    (lambda: ndcg([1e10, 1], **dialect("trec_eval")), ValueError, "up to 2147483647"),
    (lambda: ndcg([1, 0], scores=[1, 2], ties="id", ids=frame), TypeError, "of type DataFrame"),
    (
        lambda: ndcg(frame.grade, scores=frame.score, ties="id", ids=pd.Series(["a", "b"])[::-1]),
        ValueError,
        "ids and rel are Series",
    ),
    (lambda: ndcg([2, 1], pool=[1], gain="binary"), ValueError, "more often"),
    (lambda: ndcg([1, 0], scores=[1, 1 + 1e-9], ties="id", precision="float32"), ValueError, "needs ids="),
    # Part II
    (lambda: penalized_ndcg([1, -1], [0.5, 0.4]), TypeError, "Did you mean scores=?"),
    (lambda: penalized_ndcg([1, nan]), ValueError, "rel[1] is nan", "unjudged"),
    (lambda: penalized_ndcg([1, -1], penalty=True), TypeError, "penalty is True"),
    (lambda: penalized_ndcg([1, -1], penalty=inf), ValueError, "penalty is inf"),
    (lambda: penalized_ndcg([1, -2], penalty={-2: -1}), ValueError, "a price must be"),
    (lambda: penalized_ndcg([1, 0], below="1"), ValueError, "below is '1'"),
    (lambda: penalized_ndcg([2, -1], pool=[1, -1]), ValueError, "rel holds 2.0 more often"),
    (lambda: penalized_ndcg([2, -1], gain={2: -1}), ValueError, "rel[0] is 2.0, with gain -1.0"),
    (lambda: minmax_ndcg([1, 0], k=2, pool=[1, 0, -1], scores=[1, -inf]), ValueError, "shows 1 results", "smaller k"),
    (lambda: minmax_ndcg([[1, 0], [1]], pool=[1, 0, -1], k=2), ValueError, "rel[1] shows 1", "penalized_ndcg"),
    (lambda: minmax_ndcg([0, 0], pool=[0, 1]), ValueError, "rel holds 0.0 more often"),
    (lambda: penalized_ndcg([1, 0], penalty={0: 1}), ValueError, "grade 0, which is not below 0", "below="),
    (lambda: ndcg([0, 0], empty="skip"), ValueError, "this is the only one"),
    (lambda: penalized_ndcg([1, -1], penalty={-1: "x"}), TypeError, "penalty is 'x'"),
    (lambda: penalized_ndcg([1, -2], penalty={-1: 1}), ValueError, "no price for grade -2"),
    (lambda: penalized_ndcg([1, -1], penalty={"bad": 1}), ValueError, "no price for grade -1"),
    (lambda: minmax_ndcg([], pool=[1, 0]), ValueError, "shows 0 results", "use penalized_ndcg"),
    (lambda: pad([1], [2, 3]), TypeError, "one size"),
    (lambda: pad([1], 2.5), TypeError, "k is 2.5", "one size"),
    (lambda: pad([1], 3, nan), ValueError, "grade[0] is nan"),
    (lambda: pad([1], 3, 0, gain={1: 1}), ValueError, "grade[0] is grade 0", "lacks"),
    (lambda: pad([1, nan], 3), ValueError, "rel[1] is nan"),
    (lambda: ndcg_at_r([1, 2], pool=[1]), ValueError, "more often"),
    (lambda: alpha_ndcg([[{1}], ["a"]]), TypeError, "intents[1][0] is 'a'"),
    (lambda: alpha_ndcg({"a"}), TypeError, "intents is {'a'}"),
    (lambda: alpha_ndcg([{1}], alpha=-0.1), ValueError, "alpha is -0.1"),
    (lambda: alpha_ndcg([{1}, {2}], pool=[{1}]), ValueError, "intents holds {2} more often"),
    (lambda: alpha_ndcg([[{1}], [{2}]], pool=[[{1}]]), ValueError, "pool holds many lists, 1"),
    (lambda: alpha_ndcg([{1}, {2}], scores=[1]), ValueError, "scores has 1 numbers, intents has 2"),
    (lambda: alpha_ndcg([{1}, {2}], scores=[1, nan]), ValueError, "scores[1] is nan"),
    (lambda: intent_ndcg([[1], [0]], [0.5, 0.4]), ValueError, "add up to 1"),
    (lambda: intent_ndcg([[1], [0]], [1.0]), ValueError, "one list for each of 1 intents"),
    (lambda: intent_ndcg([[[1], [0]]], [[0.5, 0.5]] * 2), ValueError, "2 lists: give as many in rel"),
    (lambda: intent_ndcg([[[1], [1]]], [[0.5, 0.5]], pool=[]), ValueError, "give as many in pool"),
    (lambda: intent_ndcg([[[1], [1]], [[1], [-1]]], [[0.5, 0.5]] * 2), ValueError, "query 1: rel[1][0] is -1"),
    (lambda: intent_ndcg([[1, 0, 1], [1]], [0.5, 0.5]), ValueError, "every intent grades all documents"),
    (lambda: intent_ndcg([[1], [0]], [0.5, 0.5], empty="skip"), ValueError, "leave out an intent"),
    (lambda: tied_ndcg([1, 0], scores=[1]), ValueError, "scores has 1 numbers"),
    (lambda: judged([1, "a"]), TypeError, "rel[1] is 'a'"),
    (lambda: assume([None], nan), ValueError, "grade is nan"),
    (lambda: condense([inf]), ValueError, "rel[0] is inf"),
    (lambda: condensed_ndcg([1, None], scores=[1]), ValueError, "scores has 1 numbers"),
    (lambda: condensed_ndcg([1, None], pool=[0, None]), ValueError, "more often"),
    (lambda: condensed_ndcg([None, 1, -1]), ValueError, "rel[2] is -1"),
    (lambda: condensed_ndcg([1], pool=[1, None, -1]), ValueError, "pool[2] is -1"),
    (lambda: bounds([1, None]), TypeError, "grades"),
    (lambda: bounds([-1, None], grades=[0, 1]), ValueError, "rel[0] is -1"),
    (lambda: bounds([1, None], grades=[0, 1], pool=[1, None, -1]), ValueError, "pool[2] is -1"),
    (lambda: bounds([1, None], grades=[0, 1, 2], gain={0: 0, 1: 1}), ValueError, "grades[2] is grade 2"),
    (lambda: bounds([1, None], grades=[0, nan]), ValueError, "grades[1] is nan"),
    (lambda: bounds([1, None], grades=[0, 1], ties="worst"), ValueError, "ties is 'worst'", "unknown"),
    (lambda: bounds([1, None], grades=[0, 1], pool=[None]), ValueError, "rel holds 1.0 more often"),
    (lambda: bounds([0], grades=[0, 1], empty="raise"), ValueError, "no relevant document"),
    (lambda: inf_ndcg([1], ["a"], {"a": [inf]}), ValueError, "pool['a'][0] is inf"),
    (lambda: inf_ndcg([1], ["b"], {"a": [1]}), ValueError, "strata[0] is 'b'"),
    (lambda: inf_ndcg([1], [None], {"a": [1]}), ValueError, "strata[0] is None"),
    (lambda: inf_ndcg([1, 1], ["a", "a"], {"a": [1]}), ValueError, "rel has more grade 1 in stratum 'a'"),
    (lambda: inf_ndcg([[1]], [["a"]], [[1]]), TypeError, "list 0: pool is [1]"),
    (lambda: inf_ndcg([[1]], [["a"]], [{"a": [1]}] * 2), TypeError, "one for each of 1 lists"),
    (lambda: inf_ndcg([1, -1], ["a", "a"], {"a": [1, -1]}), ValueError, "is -1", "gains of 0 or more"),
    (lambda: inf_ndcg([nan, nan], ["a", "a"], {"a": [1, 0]}), ValueError, "more unsampled documents in stratum 'a'"),
    (lambda: inf_ndcg([1], ["a"], {"a": [[1, 0], [2]]}), ValueError, "pool['a'] is [[1, 0], [2]]: give one grade"),
    (lambda: inf_ndcg([1], None, {"a": [1]}), ValueError, "strata is None"),
    (lambda: ips_dcg([1, 0], [1, 0]), ValueError, "propensity[1] is 0"),
    (lambda: ips_dcg([1, 0], [1, nan]), ValueError, "propensity[1] is nan"),
    (lambda: ips_dcg([[1], [0, -2]], [[1], [1, 1]]), ValueError, "clicks[1][1] is -2"),
    (lambda: ips_dcg([1], [1], clip=nan), ValueError, "clip is nan"),
    (lambda: ips_dcg([1], [1], scores=[1, 2]), ValueError, "clicks has 1"),
    (lambda: ips_dcg([1], [1], ties="best"), ValueError, "ties is 'best'"),
    (lambda: ips_dcg(frame.grade, frame.score[::-1]), ValueError, "propensity and clicks are Series"),
    (lambda: explore([1, -1], view="penalties", pool=[1, -1]), ValueError, "leave pool out"),
    (lambda: explore([1, None]), ValueError, "rel[1] is None"),
    # rarely given
    (lambda: dcg(rel, discount={1: 1, 2: 0.5}), ValueError, "discount is {1: 1, 2: 0.5}", "list(table.values())"),
    (lambda: dcg(rel, discount=pd.DataFrame({"w": [1, 0.5]})), TypeError, "discount is a DataFrame", "one column"),
    (lambda: dcg(rel, gain=lambda g: g - "1"), TypeError, "gain is called once, with an array of grades"),
    (lambda: setattr(explore(rel), "ranking", None), TypeError, "rel is None", "give a list"),
    # likely mistakes
    (lambda: ndcg([("d1", 3), ("d2", 0)]), TypeError, "rel[0][0] is 'd1'", "looks like the id of a document"),
    (lambda: ndcg([0.9, 0.8, 0.1], [3, 2, 0]), TypeError, "Grades come first", "ndcg(rel, scores=…)"),
    (lambda: ndcg(["d1", "d2"]), TypeError, "rel[0] is 'd1', which looks like the id of a document"),
    (lambda: ndcg(rel, scores=["high"] * 6), TypeError, "scores[0] is 'high', a string, not a number"),
    (lambda: ndcg(pd.Series([[1, 2], np.nan, [0]])), TypeError, "rel[1] is nan, and there is no list there"),
    (lambda: ndcg([None, [1, 2]]), TypeError, "rel[0] is None, and there is no list there"),
    (lambda: ndcg(rel, discount=lambda i: np.log2(i + 1)), ValueError, "discount grows", "did you mean 1 / …?"),
    (lambda: ndcg(rel, dialect="sklearn"), TypeError, "unexpected keyword argument 'dialect'", "like='sklearn'"),
    (lambda: ndcg(rel, like="sklern"), ValueError, "no dialect 'sklern'", "did you mean 'sklearn'?"),
    (lambda: ndcg(rel, discounts="zipf"), TypeError, "'discounts'", "did you mean discount=?"),
    (lambda: cg(rel, ideal="pool"), TypeError, "cg() got an unexpected keyword argument 'ideal'"),
    (lambda: idcg(rel, scores=rel), TypeError, "idcg() got an unexpected keyword argument 'scores'"),
]


@pytest.mark.parametrize("call, error, said", [(c, e, s) for c, e, *s in FAULTS], ids=range(len(FAULTS)))
def test_refused(call, error, said) -> None:
    with pytest.raises(error) as caught:
        call()
    for words in said:
        assert words in str(caught.value)


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
    assert len(caught) == 1
    assert caught[0].filename == __file__


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
