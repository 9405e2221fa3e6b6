"""A function of anyone's: the problems that tell its settings, thirty home-made ones, slips, and what is no number."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from math import log, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from probes import AXES, PROBES, SLIPS, column, made, problems_of, says, written
from shared.javascript import SENT, call
from shared.quoted import prose, rows_below

from ndcg_nb import ndcg, which
from ndcg_nb.dialects import DIALECTS, register
from ndcg_nb.hood.probes import read_numbers, read_problems, read_suite, seen_by, write_suite
from ndcg_nb.hood.reports.cli import function_of, main

PROBLEMS = problems_of(read_suite())
SETTINGS = [dict(zip(AXES, x)) for x in product(*AXES.values())]


# ------------------------------------------------------------------------------------------------------ the data
def test_the_data_are_what_we_compute() -> None:
    assert PROBES.read_text("utf-8") == written(made()), "run `python tests/probes.py`"


@pytest.mark.parametrize("seen", ["lists", "runs"])
def test_the_numbers_are_those_of_ndcg(seen: str) -> None:
    "Of each slip and of none, some problems"
    kept = read_numbers(seen)
    assert [*read_suite()["slips"]][2:] == [*SLIPS]
    for i, slip in enumerate(read_suite()["slips"]):
        for j in range(i % 5, len(PROBLEMS), 14 if slip else 5):
            expected = column(slip, PROBLEMS[j], seen)
            np.testing.assert_allclose(kept[i, :, j], expected, rtol=0, atol=1e-12, err_msg=PROBLEMS[j].name)


# What a tool says where we refuse: it cuts fractions off, has a table that ends, or takes gains below 0
APART = {"mslr": "large grade", "ranklib": "fractions", "trec_eval": "fractions", "trec_eval-10": "fractions"}
APART |= {"ranx": "fractions", "ranx-burges": "fractions", "pytrec_eval": "no result"}


@pytest.mark.parametrize("seen", ["lists", "runs"])
def test_tools_say_what_we_say_of_them(seen: str) -> None:
    told = 0
    for name, numbers in read_suite()["tools"][seen].items():
        for problem, theirs in numbers.items():
            ours = read_suite()["expected"][seen][name][problem]
            if isinstance(ours, str):
                assert problem == "negative" or problem == APART.get(name) or name == "spark-graded", (name, problem)
            else:
                assert abs(ours - theirs) <= 1e-6, (name, problem)
                told += 1
    assert told > 100


@pytest.mark.parametrize("seen", ["lists", "runs"])
def test_different_settings_are_told_apart_or_named_as_equal(seen: str) -> None:
    "By a problem; a list has no other pool, so some ideals are the same there"
    kept = read_numbers(seen)
    rows: dict[bytes, list[dict[str, Any]]] = {}
    for settings, values in zip(SETTINGS, kept[0].round(12)):
        rows.setdefault(values.tobytes(), []).append(settings)
    same = {"list", "pool", "hits"} if seen == "lists" else {None}
    for equal in rows.values():
        ideals = {x["ideal"] for x in equal}
        assert len(ideals) == 1 or ideals == same, equal
        for axis in ("gain", "discount", "ties"):
            assert len({str(x[axis]) for x in equal}) == 1, equal


def test_settings_that_are_equal_are_named() -> None:
    found = which(linear_pool)
    assert found.fit.settings["ideal"] == ["list", "pool", "hits"]
    assert "Not told apart: ideal 'list', 'pool', 'hits'." in found.notes


# --------------------------------------------------------------------------------------------- dialects as black boxes
def of_lists(name: str) -> Callable[..., float]:
    return lambda rel, scores, k: ndcg(rel, k, scores=scores, like=name)


def of_runs(name: str) -> Callable[..., float]:
    def function(qrels: dict[str, float], run: dict[str, float], k: int) -> float:
        pool = [*qrels.values(), *(0 for document in run if document not in qrels)]
        rel = [qrels.get(document, 0) for document in run]
        return ndcg(rel, k, pool=pool, scores=[*run.values()], ids=[*run], like=name)

    return function


def plain(gain: Any) -> Any:
    return gain[0] if isinstance(gain, tuple) else gain


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_is_found(name: str) -> None:
    dialect = DIALECTS[name]
    for make in (of_lists, of_runs):
        found = which(make(name))
        assert name in found.like
        assert not found.fit.off and not found.slip and found.differs.empty
        assert found.settings["gain"] == plain(dialect.gain)
        by_id = dialect.ties in ("id", "lowest-id") and make is of_lists  # which a list has not: ties were refused
        assert found.settings.get("ties") == (None if by_id else dialect.ties)
        assert found.settings.get("decimals") == dialect.decimals
        if make is of_runs:
            assert found.settings["ideal"] == dialect.ideal
            assert found.settings.get("precision", "float64") == dialect.precision


# ------------------------------------------------------------------------------------------------ home-made functions
def ranked(rel: list[float], scores: list[float]) -> list[float]:
    return [g for _, g in sorted(zip(scores, rel), key=lambda x: -x[0])]


def total(gains: Any, discount: Callable[[int], float] = lambda i: log2(i + 1)) -> float:
    return sum(g / discount(i) for i, g in enumerate(gains, 1))


def ratio(top: float, best: float) -> float:
    return top / best if best else 0.0


def linear_pool(rel: Any, scores: Any, k: int) -> float:
    "The commonest of all"
    return ratio(total(ranked(rel, scores)[:k]), total(sorted(rel, reverse=True)[:k]))


def exponential(rel: Any, scores: Any, k: int) -> float:
    gains = [2**g - 1 for g in ranked(rel, scores)]
    return ratio(total(gains[:k]), total(sorted(gains, reverse=True)[:k]))


def natural_logarithm(rel: Any, scores: Any, k: int) -> float:
    one = lambda i: log(i + 1)  # noqa: E731
    return ratio(total(ranked(rel, scores)[:k], one), total(sorted(rel, reverse=True)[:k], one))


def reversed_ties(rel: Any, scores: Any, k: int) -> float:
    order = np.argsort(scores, kind="stable")[::-1]
    return ratio(total(np.take(rel, order)[:k]), total(sorted(rel, reverse=True)[:k]))


def best_of_the_top(rel: Any, scores: Any, k: int) -> float:
    top = ranked(rel, scores)[:k]
    return ratio(total(top), total(sorted(top, reverse=True)))


def never_cut(rel: Any, scores: Any, k: int) -> float:
    return ratio(total(ranked(rel, scores)[:k]), total(sorted(rel, reverse=True)))


def reciprocal_ranks(rel: Any, scores: Any, k: int) -> float:
    one = lambda i: i  # noqa: E731
    return ratio(total(ranked(rel, scores)[:k], one), total(sorted(rel, reverse=True)[:k], one))


def rank_two_as_one(rel: Any, scores: Any, k: int) -> float:
    one = lambda i: log2(max(i, 2))  # noqa: E731
    return ratio(total(ranked(rel, scores)[:k], one), total(sorted(rel, reverse=True)[:k], one))


def binary_runs(qrels: Any, run: Any, k: int) -> float:
    top = sorted(run, key=run.get, reverse=True)[:k]
    hits = [1 if qrels.get(d, 0) > 0 else 0 for d in top]
    relevant = sum(g > 0 for g in qrels.values())
    return ratio(total(hits), total([1] * min(k, relevant)))


def k_ones(qrels: Any, run: Any, k: int) -> float:
    top = sorted(run, key=run.get, reverse=True)[:k]
    return total([qrels.get(d, 0) > 0 for d in top]) / total([1] * k)


def as_long_as_the_list(qrels: Any, run: Any, k: int) -> float:
    top = sorted(run, key=run.get, reverse=True)[:k]
    best = sorted(qrels.values(), reverse=True)[: len(top)]
    return ratio(total([qrels.get(d, 0) for d in top]), total(best))


def all_judged(qrels: Any, run: Any, k: int) -> float:
    top = sorted(run, key=run.get, reverse=True)[:k]
    return ratio(total([qrels.get(d, 0) for d in top]), total(sorted(qrels.values(), reverse=True)[:k]))


def by_document(qrels: Any, run: Any, k: int) -> float:
    top = sorted(run, key=lambda d: (run[d], d), reverse=True)[:k]
    return ratio(total([qrels.get(d, 0) for d in top]), total(sorted(qrels.values(), reverse=True)[:k]))


def of_a_list(rel: Any, k: int) -> float:
    return ratio(total(rel[:k]), total(sorted(rel, reverse=True)[:k]))


def dcg_at_k(r: Any, k: int, method: int = 0) -> float:
    "As it is copied on and on"
    r = np.asarray(r, float)[:k]
    if not r.size:
        return 0.0
    if method == 0:
        return r[0] + np.sum(r[1:] / np.log2(np.arange(2, r.size + 1)))
    return np.sum(r / np.log2(np.arange(2, r.size + 2)))


def ndcg_at_k(r: Any, k: int, method: int = 0) -> float:
    best = dcg_at_k(sorted(r, reverse=True), k, method)
    return dcg_at_k(r, k, method) / best if best else 0.0


def of_sets(relevant: Any, retrieved: Any, k: int) -> float:
    hits = [1 if d in relevant else 0 for d in dict.fromkeys(retrieved[:k])]
    return ratio(total(hits), total([1] * min(k, len(relevant))))


def with_method_1(r: Any, k: int) -> float:
    return ndcg_at_k(r, k, 1)


def one_at_zero(rel: Any, scores: Any, k: int) -> float:
    return linear_pool(rel, scores, k) if any(g > 0 for g in rel) else 1.0


def divided(rel: Any, scores: Any, k: int) -> float:
    return total(ranked(rel, scores)[:k]) / total(sorted(rel, reverse=True)[:k])


def rounded(rel: Any, scores: Any, k: int) -> float:
    return round(linear_pool(rel, scores, k), 4)


def in_32_bits(rel: Any, scores: Any, k: int) -> Any:
    return np.float32(exponential(rel, scores, k))


REGULAR: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (linear_pool, {"gain": "linear", "discount": "log2", "ties": "first", "ideal": "list", "empty": 0}),
    (exponential, {"gain": "exp", "ties": "first", "ideal": "list"}),
    (natural_logarithm, {"gain": "linear", "discount": "log2"}),
    (reversed_ties, {"gain": "linear", "ties": "last"}),
    (best_of_the_top, {"gain": "linear", "ideal": "top"}),
    (never_cut, {"ideal": "uncut"}),
    (reciprocal_ranks, {"discount": "zipf"}),
    (rank_two_as_one, {"discount": ("jk", 2)}),
    (binary_runs, {"gain": "binary", "ties": "first", "ideal": "pool"}),
    (k_ones, {"gain": "binary", "ideal": "full"}),
    (as_long_as_the_list, {"gain": "linear", "ideal": "hits"}),
    (all_judged, {"gain": "linear", "ideal": "pool", "ties": "first"}),
    (by_document, {"ideal": "pool", "ties": "id"}),
    (of_a_list, {"gain": "linear", "ideal": "list"}),
    (ndcg_at_k, {"gain": "linear", "discount": ("jk", 2)}),
    (with_method_1, {"gain": "linear", "discount": "log2"}),
    (of_sets, {"gain": "binary", "ideal": "pool"}),
    (one_at_zero, {"empty": 1}),
    (divided, {"gain": "linear", "ideal": "list"}),
    (rounded, {"gain": "linear", "decimals": 4}),
    (in_32_bits, {"gain": "exp", "ideal": "list"}),
]


@pytest.mark.parametrize("function, settings", REGULAR, ids=lambda x: getattr(x, "__name__", ""))
def test_a_regular_function_is_named(function: Callable[..., Any], settings: dict[str, Any]) -> None:
    found = which(function)
    assert found.settings | settings == found.settings
    assert not found.slip and not found.fit.off
    for problem in PROBLEMS:
        value = found.answers.values.get(problem.name)
        if value is None or problem.name in ("negative", "twice", "fractions"):
            continue
        names = [d for d, _ in problem.results]
        data: dict[str, Any] = {"scores": [s for _, s in problem.results], "ids": names}
        if seen_by(found.answers.on) == "runs":
            data["pool"] = [*problem.judged.values(), *(0 for d in names if d not in problem.judged)]
        ours = ndcg(problem.grades(problem.results), problem.k, **data, **found.settings)
        assert value == pytest.approx(ours, abs=1e-4 if "decimals" in settings else 1e-6), problem.name


def scores_ignored(rel: Any, scores: Any, k: int) -> float:
    return of_a_list(rel, k)


def ascending(rel: Any, scores: Any, k: int) -> float:
    return linear_pool(rel, [-s for s in scores], k)


def list_not_cut(rel: Any, scores: Any, k: int) -> float:
    return ratio(total(ranked(rel, scores)), total(sorted(rel, reverse=True)[:k]))


def zeros_removed(rel: Any, scores: Any, k: int) -> float:
    kept = [(g, s) for g, s in zip(rel, scores) if g > 0]
    return linear_pool([g for g, _ in kept], [s for _, s in kept], k)


def no_ideal(rel: Any, scores: Any, k: int) -> float:
    return total(ranked(rel, scores)[:k])


def missing_bracket(rel: Any, scores: Any, k: int) -> float:
    one = lambda i: log2(i) + 1  # noqa: E731
    return ratio(total(ranked(rel, scores)[:k], one), total(sorted(rel, reverse=True)[:k], one))


def off_by_one(rel: Any, scores: Any, k: int) -> float:
    one = lambda i: log2(i + 2)  # noqa: E731
    return ratio(total(ranked(rel, scores)[:k], one), total(sorted(rel, reverse=True)[:k], one))


def one_is_divided(rel: Any, scores: Any, k: int) -> float:
    one = lambda grades: sum(2**g - 1 / log2(i + 1) for i, g in enumerate(grades, 1))  # noqa: E731
    return ratio(one(ranked(rel, scores)[:k]), one(sorted(rel, reverse=True)[:k]))


def counted_twice(relevant: Any, retrieved: Any, k: int) -> float:
    hits = [1 if d in relevant else 0 for d in retrieved[:k]]
    return ratio(total(hits), total([1] * min(k, len(relevant))))


def clamped(rel: Any, scores: Any, k: int) -> float:
    return min(list_not_cut(rel, scores, k), 1)


SLIPPED = {
    "scores ignored": scores_ignored,
    "ascending": ascending,
    "list not cut": list_not_cut,
    "zeros removed": zeros_removed,
    "counted twice": counted_twice,
    "no ideal": no_ideal,
    "clamped": clamped,
    "log2(i) + 1": missing_bracket,
    "log2(i + 2)": off_by_one,
    "2**rel - 1 / log": one_is_divided,
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named(slip: str) -> None:
    found = which(SLIPPED[slip])
    assert found.slip == slip, found
    assert not found.fit.off
    assert f"A slip, {slip}: " in repr(found)


def test_there_are_thirty() -> None:
    assert len(REGULAR) + len(SLIPPED) >= 30


def test_no_slip_is_named_that_does_not_explain_all() -> None:
    found = which(lambda rel, scores, k: 0.9 * exponential(rel, scores, k))
    assert not found.slip and not found.like and found.fit.off
    assert which(lambda rel, scores, k: 0.123 if k == 6 else no_ideal(rel, scores, k)).slip == ""
    assert len(found.differs) == len(found.fit.off)
    assert "These settings explain" in repr(found)
    assert "No tool is the same." in repr(found)


# ------------------------------------------------------------------------------------------------------- odd functions
def sorts_in_place(rel: Any, scores: Any, k: int) -> float:
    scores.sort()
    value = total(rel[:k]) / total(sorted(rel, reverse=True)[:k])
    rel.clear()
    return value


WRAPPED: list[Callable[[float], Any]] = [
    *(lambda x: {"ndcg": x}, lambda x: np.array([x]), lambda x: [[x]]),
    *(lambda x: (np.float64(x),), lambda x: {"q": {"ndcg": x}}),
]


@pytest.mark.parametrize("wrap", WRAPPED)
def test_one_number_is_read_out_of_it(wrap: Callable[[float], Any]) -> None:
    assert which(lambda rel, scores, k: wrap(exponential(rel, scores, k))).like == which(exponential).like


def test_each_problem_is_a_fresh_copy() -> None:
    found = which(sorts_in_place)
    assert found.slip == "scores ignored" and "six" in found.answers.values


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda *_: "0.5", r"f\(rel, scores, k\): Refused: its answer is '0.5': one number is needed"),
        (lambda *_: [0.5, 0.5], "one number is needed"),
        (lambda *_: 0, r"f\(ranked, k\): 0"),
        (lambda *_: math.nan, r"f\(judged, run, k\): nan"),
        (lambda: 1, "takes 0 positional arguments"),
        (lambda *_: print("so much"), r"nan"),
        (lambda *_: [print("no number"), 1 / 0], r"division by zero; it printed 'no number'"),
    ],
)
def test_what_gives_no_number_is_refused(function: Callable[..., Any], message: str, capsys: Any) -> None:
    with pytest.raises(ValueError, match=message):
        which(function)
    assert capsys.readouterr().out == ""


def test_what_one_problem_makes_fail_is_not_asked() -> None:
    def two_at_least(rel: list[float], scores: list[float], k: int) -> float:
        if len(rel) < 2 or k > len(rel) or any(g != int(g) for g in rel):
            raise ValueError("give two documents, whole grades and k at most their number")
        return linear_pool(rel, scores, k)

    found = which(two_at_least)
    assert found.settings["gain"] == "linear" and not found.fit.off
    assert {"short", "one", "fractions", "no result"} < {*found.answers.unasked}
    assert "no result (ValueError: give two documents" in repr(found)


def test_a_function_that_takes_forever_is_left_alone() -> None:
    from ndcg_nb.hood.probes import ask_problems

    def slow(rel: list[float], scores: list[float], k: int) -> float:
        if k == 1:
            time.sleep(2)
        return linear_pool(rel, scores, k)

    def slower(rel: list[float], scores: list[float], k: int) -> float:
        time.sleep(2 if k < 4 else 0)
        return linear_pool(rel, scores, k)

    once = which(slow, seconds=0.3)
    assert once.answers.unasked["better below"] == "no answer in 0.3 seconds"
    assert once.settings["gain"] == "linear"
    twice = ask_problems(slower, seconds=0.2)
    assert [*twice.unasked.values()].count("two others took too long") > 5


@pytest.mark.parametrize("raises", [SystemExit, KeyboardInterrupt, ZeroDivisionError])
def test_whatever_is_raised_is_said(raises: type[BaseException]) -> None:
    def function(rel: list[float], scores: list[float], k: int) -> float:
        if not any(rel):
            raise raises("nothing")
        return linear_pool(rel, scores, k)

    found = which(function)
    assert found.answers.unasked["nothing relevant"] == f"{raises.__name__}: nothing"
    assert "empty" not in found.settings


def test_how_it_is_called_can_be_said() -> None:
    assert which(of_sets, on="ids").settings["gain"] == "binary"
    assert which(all_judged).answers.on == "runs"
    with pytest.raises(ValueError, match=r"on is 'list', not one of 'lists', 'runs', .*; did you mean 'lists'\?"):
        which(of_sets, on="list")
    with pytest.raises(ValueError, match=r"rel is \[1\]: leave it out: value is asked problems of its own"):
        which(of_sets, [1])
    with pytest.raises(ValueError, match="rel is None: give the grades behind the number"):
        which(0.5)


# ---------------------------------------------------------------------------------------------- answers from elsewhere
def test_answers_of_another_program() -> None:
    for seen, name in (("lists", "sklearn"), ("runs", "pytrec_eval"), ("runs", "sentence-transformers")):
        says = read_suite()["expected"][seen][name]
        found = which({x: None if isinstance(value, str) else value for x, value in says.items()})
        assert name in found.like
        assert not found.fit.off
    given = {x: value for x, value in says.items() if not isinstance(value, str)}
    with pytest.raises(ValueError, match=r"a problem is 'sux', not one of 'six', .*; did you mean 'six'\?"):
        which(given | {"sux": 1.0})
    del given["cut"]
    assert "Not asked: cut, twice" in repr(which(given))
    assert which(given, on="runs").answers.on == "runs"
    with pytest.raises(ValueError, match="its answer is 'high': one number is needed"):
        which(given | {"cut": "high"})
    with pytest.raises(ValueError, match="no answer is above 0, so nothing can be told"):
        which({"six": 0})


def test_it_is_quick() -> None:
    which(linear_pool)  # reads the data
    start = time.perf_counter()
    which(linear_pool)
    assert time.perf_counter() - start < 0.5


def test_a_page_shows_it() -> None:
    assert which(linear_pool)._repr_html_().startswith("<ul>")
    assert "<table" in which(lambda rel, scores, k: 0.9 * exponential(rel, scores, k))._repr_html_()
    assert json.loads(json.dumps(AXES))["gain"][0] == "linear"


# --------------------------------------------------------------------------------------------------- other languages
ROWS = pytest.mark.parametrize("name", DIALECTS)


@ROWS
def test_our_javascript_passes_the_suite(name: str) -> None:
    "Each tool of the widgets says what the suite expects of its dialect"
    tool = next(x for x in SENT if x["name"] == name)
    asked = [x for x in PROBLEMS if x.name != "twice"]
    for seen in ("lists", "runs"):
        questions = []
        for x in asked:
            names = [document for document, _ in x.results]
            question: dict[str, Any] = {"rel": x.grades(x.results), "scores": [s for _, s in x.results], "k": x.k}
            missed = [g for d, g in x.judged.items() if d not in names] if seen == "runs" else []
            questions.append(question | {"missed": missed, "ids": names if seen == "runs" else None})
        said = call("tools", "(m, tool, questions) => questions.map((q) => m.answer(tool, q))", tool, questions)
        for x, answer in zip(asked, said):
            expected = read_suite()["expected"][seen][name][x.name]
            if isinstance(expected, str):
                assert "why" in answer, x.name
            elif tool["ideal"] != "given":  # which JavaScript hands over in the order shown, and then the rest
                assert answer["value"] == pytest.approx(expected, abs=1e-9), x.name


BLOCKS = dict(re.findall(r"```(python|js|java|rust)\n(.*?)```", prose("own_function"), re.S))
WHOLE = {  # a file around the block, with a right function; the first ideal would be a wrong one
    "python": ("test.py", [sys.executable, "test.py"], "from ours import ndcg\n\n{}"),
    "js": (
        "test.cjs",
        ["node", "test.cjs"],
        """
const dcg = (rel, k) => rel.slice(0, k).reduce((sum, g, i) => sum + g / Math.log2(i + 2), 0);
function ndcg(rel, scores, k) {{
  const order = rel.map((g, i) => [scores[i], g, i]).sort((a, b) => b[0] - a[0] || a[2] - b[2]);
  const best = dcg([...rel].sort((a, b) => b - a), k);
  return best ? dcg(order.map((x) => x[1]), k) / best : 0;
}}
{}""",
    ),
    "java": (
        "Test.java",
        ["java", "Test.java"],
        """
import java.nio.file.*; import java.util.stream.*; import java.util.*;
class Test {{
  static double dcg(double[] rel, int k) {{
    double sum = 0;
    for (int i = 0; i < Math.min(k, rel.length); i++) sum += rel[i] * Math.log(2) / Math.log(i + 2);
    return sum;
  }}
  static double ndcg(double[] rel, double[] scores, int k) {{
    int[] order = IntStream.range(0, rel.length).boxed().sorted(Comparator.comparingDouble(i -> -scores[i]))
      .mapToInt(i -> i).toArray();
    double best = dcg(Arrays.stream(rel).map(x -> -x).sorted().map(x -> -x).toArray(), k);
    return best > 0 ? dcg(Arrays.stream(order).mapToDouble(i -> rel[i]).toArray(), k) / best : 0;
  }}
  public static void main(String[] args) throws Exception {{
{}
  }}
}}""",
    ),
    "rust": (
        "test.rs",
        ["sh", "-c", "rustc -o test test.rs && ./test"],
        """
fn dcg(rel: &[f64], k: usize) -> f64 {{
    rel.iter().take(k).enumerate().map(|(i, g)| g / (i as f64 + 2.0).log2()).sum()
}}
fn ndcg(rel: &[f64], scores: &[f64], k: usize) -> f64 {{
    let mut order: Vec<usize> = (0..rel.len()).collect();
    order.sort_by(|&a, &b| scores[b].partial_cmp(&scores[a]).unwrap());
    let mut best = rel.to_vec();
    best.sort_by(|a, b| b.partial_cmp(a).unwrap());
    let ranked: Vec<f64> = order.iter().map(|&i| rel[i]).collect();
    let ideal = dcg(&best, k);
    if ideal > 0.0 {{ dcg(&ranked, k) / ideal }} else {{ 0.0 }}
}}
fn main() {{
{}
}}""",
    ),
}
OURS = """from math import log2
def dcg(rel, k):
    return sum(g / log2(i + 2) for i, g in enumerate(rel[:k]))
def ndcg(rel, scores, k):
    order = sorted(range(len(rel)), key=lambda i: -scores[i])
    best = dcg(sorted(rel, reverse=True), k)
    return dcg([rel[i] for i in order], k) / best if best else 0.0
"""


@pytest.mark.parametrize("language", WHOLE)
def test_five_lines_in_another_language(language: str, tmp_path: Path) -> None:
    "They pass for a function that leaves ties as given, and fail at the first expected value that is another"
    name, command, whole = WHOLE[language]
    program = "rustc" if language == "rust" else command[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    register("as given", "sklearn", ties="first")
    text = whole.format(BLOCKS[language])
    (tmp_path / "ours.py").write_text(OURS, "utf-8")
    (tmp_path / name).write_text(text, "utf-8")
    suite = json.loads(write_suite("sklearn"))
    problems = problems_of(suite)
    right = {x.name: says("as given", x, "lists") for x in problems}
    del DIALECTS["as given"]
    suite["expected"]["lists"] = right
    for wrong in (False, True):
        if wrong:
            right["rank 5"] = 0.5
        (tmp_path / "probes.json").write_text(json.dumps(suite), "utf-8")
        rows = [x for x in suite["problems"] if x.get("rel") and not isinstance(right[x["name"]], str)]
        (tmp_path / "lists.tsv").write_text("".join(map(partial(row_of, right), rows)), "utf-8")
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert (done.returncode == 0) is not wrong, done.stderr
    assert "rank 5" in done.stderr


def row_of(expected: dict[str, Any], problem: dict[str, Any]) -> str:
    "A row of lists.tsv, as `ndcg probes --trec` writes it"
    rel, scores = (" ".join(map(str, problem[side])) for side in ("rel", "scores"))
    return f"{problem['name']}\t{problem['k']}\t{rel}\t{scores}\t{expected[problem['name']]}\n"


def test_the_shell_writes_the_suite(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["probes", "--like", "scikit-learn"]) == 0
    suite = json.loads(capsys.readouterr().out)
    assert suite["like"] == "sklearn" and suite["expected"]["lists"]["six"] == pytest.approx(0.9608081943)
    assert main(["probes"]) == 0
    assert "expected" not in json.loads(capsys.readouterr().out)
    assert main(["probes", "--trec", "plain"]) == 0
    assert (
        (tmp_path / "plain/lists.tsv").read_text().startswith("six\t6\t3 2 3 0 1 2\t0.96 0.85 0.74 0.63 0.52 0.41\t\n")
    )
    assert main(["probes", "--trec", "folder", "--like", "sklearn"]) == 0
    assert "ndcg: wrote folder" in capsys.readouterr().err
    rows = [line.split("\t") for line in (tmp_path / "folder/lists.tsv").read_text().splitlines()]
    assert {x["name"] for x in suite["problems"]} - {x[0] for x in rows} == {"negative", "twice", "no result"}
    for x in suite["problems"]:
        stem = tmp_path / "folder" / f"{x['name'].replace(' ', '_')}@{x['k']}"
        assert Path(f"{stem}.qrels").read_text() == x["qrels file"]
        assert Path(f"{stem}.run").read_text() == x["run file"]
    assert main(["probes", "--trec", "folder"]) == 2
    assert "File exists" in capsys.readouterr().err
    assert main(["probes", "--like", "sklaern"]) == 2


def test_the_shell_reads_answers(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "answers.json"
    given = {x: v for x, v in read_suite()["expected"]["runs"]["ranx"].items() if not isinstance(v, str)}
    path.write_text(json.dumps(given))
    assert main(["which", str(path)]) == 0
    assert "The same wherever both give a number: ranx." in capsys.readouterr().out
    path.write_text(json.dumps(given | {"six": 0.5}))
    assert main(["which", str(path)]) == 1
    assert "six        0.5              0.785  the gain" in capsys.readouterr().out
    assert main(["which", str(tmp_path / "none.json")]) == 2
    path.write_text("{")
    assert main(["which", str(path)]) == 2
    assert "Expecting property name" in capsys.readouterr().err


TOOL = """import sys
from math import log2
judged, run, k = sys.argv[1:]
grades = {x[2]: float(x[3]) for x in map(str.split, open(judged))}
rows = [x.split() for x in open(run)]
if not rows:
    sys.exit("nothing to rank")
found = [grades.get(x[2], 0) for x in rows]
dcg = lambda gains: sum(g / log2(i + 2) for i, g in enumerate(gains[: int(k)]))
best = dcg(sorted(grades.values(), reverse=True))
print("ndcg_cut_" + k, "all", round(dcg(found) / best if best else 0, 4))
"""


def test_a_command_is_asked(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "tool.py").write_text(TOOL)
    command = f"{sys.executable} {tmp_path / 'tool.py'} {{qrels}} {{run}} {{k}}"
    assert main(["which", "--command", command]) == 0
    out = capsys.readouterr().out
    assert "gain linear · discount log2 · ties stay in the order given · ideal is made of all judged" in out
    assert "decimals 4" in out and "ranx" in out
    assert "no result (ValueError: no number, but exit code 1 and 'nothing to rank')" in " ".join(out.split())
    assert main(["which", "--command", "trec_eval -m ndcg_cut.10 {qrels} {run}"]) == 2
    assert "it lacks {k}, as in 'trec_eval -m ndcg_cut.{k} {qrels} {run}'" in capsys.readouterr().err.replace(
        "\n  ", " "
    )
    assert main(["which", "--command", "nosuchprogram {qrels} {run} {k}"]) == 2
    assert "FileNotFoundError" in capsys.readouterr().err
    with pytest.raises(ValueError, match="no number, but exit code 0 and 'Done'"):
        function_of(f"{sys.executable} -c 'print(\"Done\")' {{qrels}} {{run}} {{k}}")(read_problems()["six"])


def test_a_hint_has_the_number_of_ndcg() -> None:
    hints = read_suite()["hints"]
    found = {
        "uncut": ndcg([1] * 20, 10, ideal="uncut"),
        "full": ndcg([1] + [0] * 9, 10, ideal="full"),
    }
    for ideal, value in found.items():
        assert f" {value:.3f} at k = 10" in hints[ideal]
    for ideal in ("top", "hits"):
        assert ndcg([1], 10, pool=[1] * 20, ideal=ideal) == 1
        assert ndcg([1, 0], 1, pool=[1] * 20, ideal="top") == 1


@pytest.mark.parametrize("value, settings", [(0, {"empty": 0}), (None, {"empty": math.nan}), (7, {})])
def test_what_it_says_where_nothing_is_relevant(value: float | None, settings: dict[str, float]) -> None:
    found = which(lambda rel, k: of_a_list(rel, k) if any(rel) else value)
    assert repr({x: y for x, y in found.settings.items() if x == "empty"}) == repr(
        {x: float(y) for x, y in settings.items()}
    )
    assert found.fit.settings["gain"][0] == "linear"


def test_the_page_has_what_tools_said() -> None:
    "`WRITE_PEERS=1 make parity` keeps it"
    kept = json.loads((PROBES.parents[2] / "tests/golden/peers.json").read_text("utf-8"))
    expected = []
    for name, x in kept.items():
        slip = f"; {x['slip']}" if x["slip"] else ""
        assert x["like"] and name in DIALECTS
        expected.append([f"`{name}`", f"{x['package']} {x['version']}", str(x["asked"]), f"{x['says']}{slip}"])
    assert rows_below(prose("09_dialects"), "dialect | asked |") == expected
