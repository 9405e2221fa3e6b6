"""Tests are trusted because they have been seen to fail: each bug planted here must turn its test red.

python tests/mutants.py              plants all of them, one after the other; `make mutants`, and CI
python tests/mutants.py --changed    those in modules that differ from the last commit; `make test`
python tests/mutants.py holm ties    those whose name, module or test has one of these words
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

ROOT = Path(__file__).parents[1]
# Imported once, before the processes part: only what is ours is new in each of them.
HEAVY = ["pytest", "hypothesis", "numpy", "pandas", "pyarrow.parquet", "scipy.stats", "scipy.special", "sqlglot"]

BUGS = {
    # name: (module, what stands there, what is put in its place, the test that sees it)
    "discount off by one": (
        "discounts",
        '"log2": lambda rank: OverLog(rank + 1, 2)',
        '"log2": lambda rank: OverLog(rank + 2, 2)',
        "test_fast_paths.py::test_scores",
    ),
    "ideal from the list": (
        "hood/core/queries",
        "else judged, cutoffs, k",
        "else grades, cutoffs, k",
        "test_fast_paths.py::test_ragged_blocks_are_put_back_in_order",
    ),
    "ideal not cut": (
        "hood/core/rankings",
        "[:, ::-1][:, :k]",
        "[:, ::-1]",
        "test_fast_paths.py::test_ragged_blocks_are_put_back_in_order",
    ),
    "ties reversed": (
        "hood/core/rankings",
        '"first": TieRule(),',
        '"first": TieRule(before=lambda g: np.broadcast_to(np.arange(g.shape[1])[::-1], g.shape)),',
        "test_fast_paths.py::test_scores",
    ),
    "best and worst swapped": (
        "hood/core/rankings",
        '"best": TieRule(before=lambda gains: np.argsort(-gains',
        '"best": TieRule(before=lambda gains: np.argsort(gains',
        "test_fast_paths.py::test_scores",
    ),
    "an uncut ideal is cut": (
        "hood/core/ideals",
        "added(gains.best_first(), weights, [NO_CUT]).repeat",
        "added(gains.best_first(), weights, cutoffs[:1]).repeat",
        "test_dialects_2026.py::test_an_ideal_that_is_never_cut",
    ),
    "a full ideal ends with the pool": (
        "hood/core/ideals",
        "Gains(Lists.of([np.ones(max(cutoffs))], many=False))",
        "Gains(Lists.of([np.ones(min(max(cutoffs), int(gains.values.size.max(initial=0))))], many=False))",
        "test_dialects_2026.py::test_an_ideal_that_fills_every_rank",
    ),
    "the lowest id is the highest": (
        "hood/core/rankings",
        '"lowest-id": TieRule(ids="lowest"),',
        '"lowest-id": TieRule(ids="highest"),',
        "test_dialects_2026.py::test_ties_by_the_lowest_id",
    ),
    "a half is rounded down": (
        "hood/core/queries",
        "np.floor(values * 10.0**decimals + 0.5)",
        "np.floor(values * 10.0**decimals)",
        "test_dialects_2026.py::test_values_are_rounded_before_the_mean",
    ),
    "SQL cuts an uncut ideal": (
        "hood/engines/sqltext",
        "Sum(shape.bottom, weight, None if uncut else k)",
        "Sum(shape.bottom, weight, None if shape.bottom == 'whole' else k)",
        "test_dialects_2026.py::test_in_sql",
    ),
    "SQL does not round": (
        "hood/engines/sqltext",
        "if column.decimals is not None:",
        "if False:",
        "test_dialects_2026.py::test_in_sql",
    ),
    "MLflow's ideal knows what was missed": (
        "dialects",
        'gain="binary", ideal="hits", ties="first", arithmetic="divide-ln", family="MLOps",',
        'gain="binary", ties="first", arithmetic="divide-ln", family="MLOps",',
        "test_dialects_2026.py::test_every_result_of_the_tools",
    ),
    "an ambiguous name is one of its dialects": (
        "hood/core/conventions",
        "    if key in AMBIGUOUS:",
        "    key = next(iter(AMBIGUOUS.get(key, {})), key)\n    if key in AMBIGUOUS:",
        "test_dialects_2026.py::test_other_names",
    ),
    "gains swapped": (
        "gains",
        '{"linear": linear, "exp": exponential,',
        '{"linear": exponential, "exp": linear,',
        "test_fast_paths.py::test_scores",
    ),
    "short gains swapped": (
        "hood/core/short",
        "lambda grade: 2.0**grade - 1 if",
        "lambda grade: grade + 0.0 if",
        "test_fast_paths.py::test_grade_200_in_a_byte_does_not_wrap",
    ),
    "near ties left unsorted": (
        "hood/core/rankings",
        "if wrong.any():",
        "if False:",
        "test_fast_paths.py::test_scores",
    ),
    "cut before they are ranked": (
        "hood/core/rankings",
        "in_rank_order(grades, scores, gain, ties)[:, :k]",
        "in_rank_order(grades[:, :k], scores[:, :k], gain, ties)",
        "test_fast_paths.py::test_scores",
    ),
    "almost equal scores are ranked by their grades": (
        "hood/core/rankings",
        "return shown, sure & finite",
        "return shown, finite",
        "test_fast_paths.py::test_whole_lists_of_few_grades",
    ),
    "rounded twice": (
        "hood/core/exactness",
        "(open_ == 0) | (high + least == high + most)",
        "open_ >= 0",
        "test_fast_paths.py::test_many_exact_sums",
    ),
    "what is too small to count is nothing": (
        "hood/core/queries",
        "FAINT, small)",
        "0.0, small)",
        "test_properties.py::test_an_ideal_that_collects_next_to_nothing",
    ),
    "not retrieved, yet counted": (
        "hood/core/rankings",
        "gains[scores == -np.inf] = 0",
        "pass",
        "test_fast_paths.py::test_scores",
    ),
    "contenders one short": (
        "hood/core/rankings",
        "columns - k, None]",
        "columns - k + 1, None]",
        "test_fast_paths.py::test_scores",
    ),
    "large grades not scaled": (
        "hood/core/queries",
        "max(initial=0) > 512",
        "max(initial=0) > 10**6",
        "test_properties.py::test_large_grades_are_scaled_without_loss",
    ),
    "a list may beat its pool": (
        "hood/core/queries",
        "short = count >",
        "short = count > 99 +",
        "test_faults.py::test_refused",
    ),
    "a short list may beat its pool": (
        "hood/core/short",
        "or Counter(map(terms[0], filter(None, shown))) - Counter(map(terms[0], pool))",
        "",
        "test_faults.py::test_refused",
    ),
    "small gains lost": (
        "gains",
        "np.expm1(x * np.log(2))",
        "gains",
        "test_fast_paths.py::test_the_gain_of_a_small_grade_keeps_its_digits",
    ),
    "0/0 is 0 in silence": (
        "hood/core/queries",
        "if empty is None or isinstance(empty, str):",
        "if False:",
        "test_faults.py::test_one_warning_counts_the_lists",
    ),
    "nan beyond the cutoff unseen": (
        "hood/core/short",
        " and (kinds == {int} or sum(rel) >= 0)",
        "",
        "test_faults.py::test_refused",
    ),
    "blocks overwrite each other": (
        "hood/core/sums",
        "sums[at] = steps.",
        "sums[: len(lists.size[at])] = steps.",
        "test_fast_paths.py::test_blocks_are_put_back_in_order",
    ),
    # the seams
    "like wins over what was said": (
        "hood/door",
        "if key in known} | given",
        "if key in known} | given | {key: getattr(whole, key) for key in SETTINGS if key in known}",
        "test_dialects.py::test_like",
    ),
    "like forgets a setting": (
        "hood/door",
        "for key in SETTINGS if key in known} | given",
        'for key in SETTINGS if key in known and key != "ties"} | given',
        "test_dialects.py::test_like",
    ),
    "like gives a measure what it does not have": (
        "hood/door",
        "for key in SETTINGS if key in known} | given",
        "for key in SETTINGS} | given",
        "test_dialects.py::test_like",
    ),
    "unknown keywords pass": (
        "hood/door",
        "if not keywords.keys() <= known:",
        "if False:",
        "test_faults.py::test_mistakes",
    ),
    "a convention is not checked": (
        "hood/core/conventions",
        "for name, known in WORDS.items():",
        "for name, known in ():",
        "test_faults.py::test_said_clearly",
    ),
    "a short list hears no settings": (
        "hood/core/short",
        "not _is_choice(empty) else _terms(**how)",
        'not _is_choice(empty) else _terms(**{x: how[x] for x in ("gain", "discount", "ties") if x in how})',
        "test_fast_paths.py::test_single_precision",
    ),
    "a short road is refused in its own name": (
        "hood/core/short",
        "_road.__qualname__ = _name",
        "_road.__qualname__ = _road.__name__",
        "test_faults.py::test_what_is_given_twice_is_refused_in_the_name_of_the_measure",
    ),
    "a short sum hears no settings": (
        "hood/core/short",
        "terms = None if rest else _terms(**how)",
        'terms = None if rest else _terms(**{x: how[x] for x in ("gain", "discount", "ties") if x in how})',
        "test_fast_paths.py::test_single_precision",
    ),
    "a query is read in the order shown": (
        "hood/core/queries",
        "return gains._replace(values=values, scores=scores, ties=self.how.ties, ranks=self.ranks)",
        "return gains",
        "test_fast_paths.py::test_scores",
    ),
    "a query forgets its tie rule": (
        "hood/core/queries",
        "scores=scores, ties=self.how.ties, ranks",
        "scores=scores, ranks",
        "test_fast_paths.py::test_scores",
    ),
    "scores go by id, grades do not": (
        "hood/core/queries",
        "values, scores = (x._replace(flat=x.flat[self.order]) for x in (values, scores))",
        "scores = scores._replace(flat=scores.flat[self.order])",
        "test_fast_paths.py::test_ties_by_id",
    ),
    "another arithmetic is ignored": (
        "hood/core/queries",
        "in_steps(weights, self.how.arithmetic, share)",
        'in_steps(weights, "multiply", share)',
        "test_dialects.py::test_the_match_table",
    ),
    "the ideal has an arithmetic of its own": (
        "hood/core/queries",
        "in_steps(weights, self.how.arithmetic)\n",
        'in_steps(weights, "multiply")\n',
        "test_dialects.py::test_rules_to_the_last_bit",
    ),
    "a pool is not looked at for negative gains": (
        "hood/core/queries",
        "refuse_negative(judged, self.pool)",
        "pass",
        "test_faults.py::test_refused",
    ),
    "the rest of the reading is forgotten": (
        "hood/core/queries",
        "_read_order(ids, rel, grades, ranking, how)",
        "None",
        "test_fast_paths.py::test_ties_by_id",
    ),
    "small sums stay small": (
        "hood/core/queries",
        "if not _in_range(best):",
        "if False:",
        "test_properties.py::test_the_smallest_and_the_largest_gains",
    ),
    "the wrong list is named": (
        "hood/core/lists",
        'np.searchsorted(self.size.cumsum(), i, side="right")',
        "np.searchsorted(self.size.cumsum(), i)",
        "test_faults.py::test_refused",
    ),
    "a word to the wrong line": (
        "hood/core/lists",
        "sys._getframe(1), 2",
        "sys._getframe(1), 1",
        "test_faults.py::test_noted",
    ),
    "ranks are taken without a word": (
        "hood/core/lists",
        "    _look_for_ranks(lists)\n",
        "",
        "test_faults.py::test_noted",
    ),
    "all gains are a function's first": (
        "hood/core/forms",
        "gains[np.searchsorted(levels, grades.flat)]",
        "gains[np.searchsorted(levels, grades.flat) * 0]",
        "test_recipes.py::test_a_gain",
    ),
    "a range is not looked at": (
        "hood/core/forms",
        "_refuse_outside(grades, form[1])",
        "pass",
        "test_faults.py::test_refused",
    ),
    "groups of one size": (
        "hood/core/exactness",
        "at = count == m",
        "at = count >= m",
        "test_fast_paths.py::test_arithmetic_changes_no_more_than_the_last_bits",
    ),
    "every term a share of the last ideal": (
        "hood/core/exactness",
        "share[:, j, None]",
        "share[:, -1, None]",
        "test_fast_paths.py::test_several_cutoffs_in_any_arithmetic",
    ),
    "missing queries are counted in": (
        "dialects",
        "len(lists.size) - len(keep), len(keep)",
        "0, len(keep)",
        "test_dialects.py::test_a_mean_says_over_which_queries",
    ),
    # part II
    "bad results are free": (
        "penalties",
        "    flat[bad] = -prices\n",
        "",
        "test_penalties.py::test_a_price_beyond_all_measure",
    ),
    "what was charged is called 0/0": (
        "hood/core/queries",
        "if not above.any():",
        "if above.size:",
        "test_penalties.py::test_a_query_without_an_ideal_says_what_was_divided",
    ),
    "the worst order is the best": (
        "penalties",
        "-highest(-self.values.table(at, np.inf), depth)",
        "highest(self.values.table(at), depth)",
        "test_penalties.py::test_minmax_does_not_depend_on_its_neighbours",
    ),
    "rounding is a difference": (
        "penalties",
        "span[span <= 2e-15",
        "span[span <= 0",
        "test_penalties.py::test_minmax_does_not_depend_on_its_neighbours",
    ),
    "a list depends on its neighbours": (
        "penalties",
        "2e-15 * pools.size[:, None]",
        "2e-15 * pools.size.max()",
        "test_penalties.py::test_minmax_does_not_depend_on_its_neighbours",
    ),
    "large gains are not brought near 1": (
        "penalties",
        "far_exponent(np.maximum(-low, high))",
        "far_exponent(np.maximum(-low, high), 9000)",
        "test_penalties.py::test_minmax_of_very_large_and_very_small_gains",
    ),
    "recall is cut": (
        "coverage",
        "q._replace(cutoffs=[NO_CUT]).sum(",
        "q.sum(",
        "test_limits.py::test_coverage_of_many_lists",
    ),
    "gains do not fade": ("coverage", "        seen.update(document)\n", "", "test_limits.py::test_alpha_ndcg"),
    "stale gains in the greedy ideal": (
        "hood/limits/intents",
        "if (now := -fsum(map(gain.__getitem__, intents))) > bound:",
        "if (now := bound) > bound:",
        "test_coverage.py::test_documents_that_serve_the_same",
    ),
    "the last among equals": (
        "hood/limits/intents",
        "for i in reversed(range(len(pool))):",
        "for i in range(len(pool)):",
        "test_coverage.py::test_documents_that_serve_the_same",
    ),
    "all lists are cut at one rank": (
        "hood/limits/intents",
        "[np.arange(len(column)), column]",
        "[:, 0]",
        "test_coverage.py::test_memory_of_a_cutoff_for_each_list",
    ),
    "every intent is as likely": (
        "hood/limits/intents",
        "[likely @ part for",
        "[part.mean(axis=0) for",
        "test_coverage.py::test_probabilities_of_single_and_half_precision",
    ),
    "the least is at all zero": (
        "hood/limits/bounds",
        "m = np.argmin(",
        "m = 0 * np.argmin(",
        "test_limits.py::test_bounds_are_those_of_every_grading",
    ),
    "the most is at all best": (
        "hood/limits/bounds",
        "ratio[:, None, None] * cost",
        "0 * ratio[:, None, None] * cost",
        "test_limits.py::test_bounds_are_those_of_every_grading",
    ),
    "holes outside forgotten": (
        "hood/limits/bounds",
        "np.maximum(pooled - holes, 0)",
        "0 * holes",
        "test_limits.py::test_bounds_are_those_of_every_grading",
    ),
    "a pool is looked at list by list": (
        "hood/limits/bounds",
        "if x.shared:",
        "if not x.shared:",
        "test_limits.py::test_bounds_of_many_lists_and_cutoffs",
    ),
    "half rounded down": (
        "hood/limits/samples",
        "int(count + Fraction(1, 2))",
        "int(count + Fraction(49, 100))",
        "test_limits.py::test_inferred_against_the_organisers_program",
    ),
    "every click counts once": (
        "unjudged",
        "q.rel.flat.astype(np.float64) / np.maximum(chance.flat, float(clip))",
        "q.rel.flat.astype(np.float64)",
        "test_limits.py::test_ips_is_right_on_average",
    ),
    # judged by a model
    "z for t": (
        "hood/stats/corrections",
        "t_quantile(n - 2, float(level)) * math.sqrt(variance)",
        "t_quantile(10**6, float(level)) * math.sqrt(variance)",
        "test_judges.py::test_corrected_covers_the_truth",
    ),
    "n for n - 2": (
        "hood/stats/corrections",
        "residual @ residual / (len(y) - 2)",
        "residual @ residual / len(y)",
        "test_judges.py::test_corrected_worked_example",
    ),
    "no leverage": (
        "hood/stats/corrections",
        "1 / n - 1 / total + apart**2 / line.squares",
        "1 / n - 1 / total",
        "test_judges.py::test_corrected_worked_example",
    ),
    "a nearly perfect judge is believed": (
        "hood/stats/corrections",
        "if line is None or line.differ < min(FEW, n):",
        "if line is None:",
        "test_judges.py::test_corrected_with_a_model_that_is_nearly_always_right",
    ),
    "only the line is looked at": (
        "hood/stats/corrections",
        "min(np.count_nonzero(residual), np.count_nonzero(difference(y, f)))",
        "np.count_nonzero(residual)",
        "test_judges.py::test_corrected_with_a_model_that_is_nearly_always_right",
    ),
    "queries that are 0/0 for people are dropped": (
        "hood/stats/corrections",
        "if strict else ~np.isnan(human)",
        "if False else ~np.isnan(human)",
        "test_judges.py::test_corrected_of_evaluations",
    ),
    "a difference of two estimates": (
        "hood/stats/corrections",
        "zip(pair[1:], base[1:])))",
        "zip(pair[1:], (base[1], 0 * base[2]))))",
        "test_judges.py::test_corrected_runs_and_their_differences",
    ),
    "people are asked of the first run alone": (
        "hood/stats/corrections",
        "_aligned(names, f[i], judged, y[i], True)",
        "_aligned(names, f[i], judged, y[0], True)",
        "test_judges.py::test_corrected_runs_and_their_differences",
    ),
    "the model's ideal for people, too": (
        "hood/evaluating",
        "human = evaluate(judged, runs, [a.written",
        "human = evaluate(qrels, runs, [a.written",
        "test_judges.py::test_corrected_runs_and_their_differences",
    ),
    "people are judged by another tool": (
        "hood/evaluating",
        "for a in result.asked], like=like, **again.keywords)",
        "for a in result.asked], **again.keywords)",
        "test_judges.py::test_corrected_runs_in_the_words_of_a_tool",
    ),
    "the slope is free": (
        "hood/stats/corrections",
        "* rest * (n - 2) / (n - 3)",
        "* rest",
        "test_judges.py::test_how_many_in_tables",
    ),
    "the mean of grades in place of all gradings": (
        "hood/limits/chances",
        "off = now - _mean(total, after)[moves]",
        "off = 0 * now",
        "test_judges.py::test_expected_worked_examples",
    ),
    "the ideal of what is shown": (
        "hood/limits/chances",
        'rest = own if q.how.ideal == "list" else pool',
        "rest = own",
        "test_judges.py::test_expected_worked_examples",
    ),
    "0/0 enters the mean": (
        "hood/limits/chances",
        "there = (ideal > 0) & (found.chance > 0)",
        "there, ideal = found.chance > 0, np.maximum(ideal, 1e-300)",
        "test_judges.py::test_expected_is_that_of_every_grading",
    ),
    "the list may be off, the pool not": (
        "hood/limits/within",
        "return np.maximum(self.given - 1, 0)",
        "return np.where(self.placed > 0, np.maximum(self.given - 1, 0), np.maximum(self.given, 0))",
        "test_judges.py::test_bounds_within_a_step_are_those_of_every_grading",
    ),
    "holes stay at the bottom": (
        "hood/limits/within",
        "for h in range(len(holes) + 1):",
        "for h in range(1):",
        "test_judges.py::test_bounds_within_a_step_are_those_of_every_grading",
    ),
    "layers are solved alone": (
        "hood/limits/within",
        "np.arange(len(raised[j - 1]))[:, None] + np.arange(len(raised[j]))",
        "np.arange(len(raised[j - 1]))[:, None] + 0 * np.arange(len(raised[j]))",
        "test_judges.py::test_bounds_within_a_step_are_those_of_every_grading",
    ),
    "one sample of each": (
        "hood/stats/votes",
        "counts[scale.index(grade)] += 1",
        "counts[:] = np.eye(len(scale))[scale.index(grade)]",
        "test_judges.py::test_votes_of_several_judges_are_chances",
    ),
    "kappa without chance": (
        "hood/stats/votes",
        "for w in (apart != 0, apart**2)",
        "for w in (np.abs(apart), np.abs(apart))",
        "test_judges.py::test_agreement_of_a_real_judge",
    ),
    # other tools
    "ids from the lowest": (
        "hood/core/rankings",
        'reverse=TIES[ties].ids == "highest")',
        "reverse=False)",
        "test_fast_paths.py::test_ties_by_id",
    ),
    "single precision ignored": (
        "hood/core/rankings",
        'if precision == "float64":',
        "if True:",
        "test_fast_paths.py::test_single_precision",
    ),
    "very low is not retrieved": (
        "hood/core/rankings",
        "return np.where((single == -np.inf) & (scores > -np.inf), -np.finfo(np.float32).max, single)",
        "return single",
        "test_fast_paths.py::test_single_precision",
    ),
    "-inf is never the lowest score": (
        "hood/core/queries",
        'flat if how.minus_inf == "out" else',
        "flat if True else",
        "test_dialects.py::test_minus_infinity",
    ),
    "no term is divided by the ideal": (
        "hood/core/queries",
        "if way.by_ideal:",
        "if False:",
        "test_dialects.py::test_rules_to_the_last_bit",
    ),
    "nobody cuts by himself": (
        "hood/core/queries",
        'k = settings.get("default_k") if k is None else k',
        "pass",
        "test_dialects.py::test_like",
    ),
    "the pool of a tool that has none": (
        "hood/core/ideals",
        '"list": Ideal(best_order, own=True),',
        '"list": Ideal(best_order),',
        "test_fast_paths.py::test_ideals",
    ),
    "hits not counted": (
        "hood/core/ideals",
        "[::-1][:n] for i, n",
        "[::-1] for i, n",
        "test_fast_paths.py::test_ideals",
    ),
    "the truth sorted": (
        "hood/core/ideals",
        '"given": Ideal(as_given,',
        '"given": Ideal(best_order,',
        "test_fast_paths.py::test_ideals",
    ),
    "short lists reach every cutoff": (
        "hood/core/queries",
        "(cutoffs != NO_CUT) & (cutoffs > self.shown()[:, None])",
        "cutoffs < 0",
        "test_fast_paths.py::test_ideals",
    ),
    "negative grades count": (
        "hood/core/forms",
        "np.maximum(x.flat, 0)",
        "np.abs(x.flat)",
        "test_dialects.py::test_the_match_table",
    ),
    "no limit on grades": ("hood/core/forms", " & (flat <= legal[-1])", "", "test_faults.py::test_refused"),
    "divided as multiplied": (
        "hood/core/exactness",
        "way.factors(weights) if isinstance",
        "(weights.weights, None) if isinstance",
        "test_dialects.py::test_rules_to_the_last_bit",
    ),
    "dot product as a running sum": (
        "hood/core/exactness",
        "None), whole=True)",
        "None), exact_sums)",
        "test_dialects.py::test_the_match_table",
    ),
    "trec_eval in 64 bits": (
        "dialects",
        'precision="float32", arithmetic="divide",',
        'precision="float64", arithmetic="divide",',
        "test_dialects.py::test_the_match_table",
    ),
    "missing queries count": (
        "dialects",
        'if whole.missing == "zero" else np',
        "if True else np",
        "test_dialects.py::test_means_over_queries",
    ),
    "each tool at no cutoff": (
        "hood/core/conventions",
        "return {key: getattr(self, key) for key in SETTINGS}",
        'return {key: getattr(self, key) for key in SETTINGS if key != "default_k"}',
        "test_recipes.py::test_a_dialect",
    ),
    "nothing is near enough": (
        "dialects",
        "abs(x - reported) <= max(allowed, named(n).accuracy) + 1e-12",
        "abs(x - reported) < 0",
        "test_dialects.py::test_which",
    ),
    "0/0 is 0 in this book too": (
        "dialects",
        '{"empty": np.nan, "missing"',
        '{"empty": 0, "missing"',
        "test_dialects.py::test_disagree",
    ),
    "a score of minus infinity is the lowest in this book too": (
        "dialects",
        '"precision", "minus_inf")\n} | {',
        '"precision")\n} | {"minus_inf": "last"} | {',
        "test_dialects.py::test_disagree",
    ),
    # explanations
    "a loss by rank without its discount": (
        "explanations",
        "(at.ideal - at.gain) * at.discount",
        "at.ideal - at.gain",
        "test_explanations.py::test_every_number_of_the_theory",
    ),
    "documents blamed for standing below their equals": (
        "hood/show/accounts",
        "order = judged[np.argsort(-x.gains[judged] if ideal.best",
        "order = judged[::-1][np.argsort(-x.gains[judged][::-1] if ideal.best",
        "test_explanations.py::test_equal_documents_stay_in_the_order_of_the_list",
    ),
    "a tie that ends at the cutoff": (
        "hood/show/accounts",
        "reached = np.flatnonzero(self.ranks()[0] <= len(self.discount))",
        "reached = np.flatnonzero(self.ranks()[1] <= len(self.discount))",
        "test_explanations.py::test_a_tie_across_the_cutoff",
    ),
    "the ideal of a short answer as long as the pool": (
        "hood/show/accounts",
        "if ideal.sum is best_hits:",
        "if False:",
        "test_explanations.py::test_every_tie_rule_and_ideal",
    ),
    "a swap that wins little": (
        "explanations",
        "np.diff(np.minimum.accumulate(gains), prepend=np.inf) < 0",
        "np.diff(np.minimum.accumulate(gains), prepend=gains[:1]) < 0",
        "test_explanations.py::test_the_best_swap_is_the_best",
    ),
    "a perfect top that makes the list longer": (
        "hood/show/accounts",
        "gains = gains[: max(len(self.group), len(top))] * self.counts",
        "gains = gains * self.counts",
        "test_explanations.py::test_a_perfect_top",
    ),
    "the ranking takes it all": (
        "explanations",
        "ranking = (numbers[:, 1] - numbers[:, 0]).mean(axis=0)",
        "ranking = numbers[-1, 1] - numbers[-1, 0]",
        "test_explanations.py::test_shares_add_up",
    ),
    "an unjudged document shown as graded 0": (
        "hood/show/accounts",
        "np.where(x.unjudged, np.nan, rel) if x.unjudged.any() else rel",
        "rel",
        "test_explanations.py::test_unjudged_documents_count_nothing",
    ),
    # from the shell
    "trec_eval's lines in our order": (
        "hood/output/cli",
        "order = sorted(there, key=lambda i: result.queries[i].encode())",
        "order = there",
        "test_cli.py::test_what_trec_eval_prints",
    ),
    "last zeros are lost": (
        "hood/output/cli",
        "result.which(args.value,",
        "result.which(float(args.value),",
        "test_cli.py::test_the_last_zero_counts",
    ),
    "notes among the data": (
        "hood/output/cli",
        "print(_escaped(text), file=sys.stderr)",
        "print(_escaped(text))",
        "test_cli.py::test_means_in_a_table_and_notes_beside_it",
    ),
    "ids are obeyed on a terminal": (
        "hood/output/cli",
        "_escaped(text) if raw and sys.stdout.isatty() else text",
        "text",
        "test_cli.py::test_a_terminal_obeys_no_id",
    ),
    "colours in a pipe": (
        "hood/output/cli",
        "in_colour = sys.stdout.isatty() and not",
        "in_colour = not",
        "test_cli.py::test_colours_on_a_terminal_alone",
    ),
    "Ctrl-C is left to chance while it loads": (
        "start",
        "    signal.signal(signal.SIGINT, leave)",
        "    pass",
        "test_cli.py::test_only_the_command_takes_ctrl_c_for_itself",
    ),
    "a tag in a name": (
        "hood/show/sheets",
        "escape(in_text(name), quote=False)",
        "in_text(name)",
        "test_runs.py::test_names_are_the_same_again_where_markdown_is_read",
    ),
    "an error that ends well": (
        "hood/output/cli",
        "return 3 if ours else 2",
        "return 0",
        "test_cli.py::test_what_is_wrong_is_said_in_a_line",
    ),
    "columns are left out without a word": (
        "hood/output/cli",
        "if lacks else []",
        "if False else []",
        "test_cli.py::test_a_comparison_fits_the_terminal",
    ),
    "a table wider than the terminal": (
        "hood/show/sheets",
        "max(map(len, s._lines())) <= width",
        "True",
        "test_cli.py::test_an_explanation_fits_the_terminal",
    ),
    "the demo takes the best query": (
        "hood/output/demo",
        "np.nanargmin(",
        "np.nanargmax(",
        "test_cli.py::test_demo",
    ),
    # help
    "a parameter without a text": (
        "normalized",
        "  # Every judged grade of the query, those in `rel` included; `None`: nothing else was judged",
        "",
        "test_help.py::test_nothing_public_is_without_a_text",
    ),
    "an attribute without a text": (
        "unjudged",
        "    low: Any  # The lowest value",
        "    low: Any",
        "test_help.py::test_nothing_public_is_without_a_text",
    ),
    "help of a module that is loaded late": (
        "hood/show/accounts",
        "_help.show_help(__name__)  #",
        "#",
        "test_help.py::test_help_shows_everything_in_the_layout_of_numpydoc",
    ),
    "a text for another default": (
        "comparisons",
        "    power: float = 0.8,  # The probability of detecting it",
        "    power: float = 0.9,  # The probability of detecting it",
        "test_help.py::test_what_is_made_from_the_comments_is_in_step",
    ),
    # whole runs
    "a missing query forgotten": (
        "hood/runs/scoring",
        'missing = "zero" if whole is None',
        'missing = "skip" if whole is None',
        "test_runs.py::test_emptiness",
    ),
    "a missing query skipped by none": (
        "hood/runs/scoring",
        "    values[skipped] = np.nan\n",
        "",
        "test_runs.py::test_emptiness",
    ),
    "a query without judgements counted": (
        "hood/tables/matching",
        "pair = judged.find(query[groups.of(place)], document)",
        "pair = judged.find(abs(query[groups.of(place)]), document)",
        "test_runs.py::test_a_query_without_judgements_counts_nowhere",
    ),
    "0/0 counted where it is skipped": (
        "hood/runs/scoring",
        "if isinstance(asked.empty, Real) and empty.any():\n        values[undefined] = float(asked.empty)",
        "if empty.any():\n        values[undefined] = 0",
        "test_runs.py::test_nothing_to_find",
    ),
    "ties of whole runs without ids": (
        "hood/tables/matching",
        "if by_id else None",
        "if False else None",
        "test_runs.py::test_each_measure_has_its_own_precision",
    ),
    "64 bits for everyone": (
        "hood/tables/matching",
        "key = how.precision, how.minus_inf",
        "key = how.minus_inf",
        "test_runs.py::test_each_measure_has_its_own_precision",
    ),
    "one rank too low": (
        "hood/tables/matching",
        'return place, taken - start[np.searchsorted(start, taken, side="right") - 1] + 1',
        'return place, taken - start[np.searchsorted(start, taken, side="right") - 1] + 2',
        "test_runs.py::test_ranks_by_hand",
    ),
    "ranks of the order that was given": (
        "hood/tables/matching",
        "        place = order[taken]\n",
        "        place = taken\n",
        "test_runs.py::test_ranks_by_hand",
    ),
    "equals left behind": (
        "hood/tables/matching",
        "if not (before | after).any():",
        "if not before.any():",
        "test_runs.py::test_ranks_by_hand",
    ),
    "numbers trusted for ids": (
        "hood/tables/matching",
        "            if name in first:\n",
        "            if first:\n",
        "test_runs.py::test_ids_are_told_apart_where_their_numbers_are_not",
    ),
    "ids that are not looked at": (
        "hood/tables/columns",
        "for done in range(8, min(longest, FAR), 8):",
        "for done in range(8, 0, 8):",
        "test_run_faults.py::test_hashes_of_long_ids",
    ),
    "the last of those that stand twice": (
        "hood/tables/matching",
        "keep[[again for again, _ in twice]] = False",
        "keep[[first for _, first in twice]] = False",
        "test_runs.py::test_what_stands_twice_in_a_joined_table",
    ),
    "two grades, and one wins": (
        "hood/tables/matching",
        "differ = again[rows.value[order[again]] != rows.value[order[again - 1]]]",
        "differ = again[:0]",
        "test_run_faults.py::test_refused",
    ),
    "a comment anywhere": (
        "hood/tables/files",
        'if not line.startswith(b"#") and (text := line.strip()):',
        'if (text := line.partition(b"#")[0].strip()):',
        "test_run_faults.py::test_a_hash_within_an_id_is_kept",
    ),
    "a BOM is part of the first id": (
        "hood/tables/files",
        'file.seek(3 if self.data[:3] == b"\\xef\\xbb\\xbf" else 0)',
        "file.seek(0)",
        "test_run_faults.py::test_accepted",
    ),
    "a bomb goes off": (
        "hood/tables/files",
        "    if len(out) > limit:\n",
        "    if False:\n",
        "test_run_faults.py::test_a_bomb_is_refused",
    ),
    "a carriage return eats a line": (
        "hood/tables/files",
        '    if b"\\r" in line:\n',
        "    if False:\n",
        "test_run_faults.py::test_refused",
    ),
    "an empty field is a field": (
        "hood/tables/files",
        "if (gap[:-1] & white[1:]).any():",
        "if False:",
        "test_run_fuzz.py::test_random_words",
    ),
    "only the top is read as UTF-8": (
        "hood/tables/files",
        "byte = i + error.start - (len(error.object) - len(piece))",
        "byte = error.start",
        "test_run_faults.py::test_a_byte_that_is_no_utf_8_is_found_anywhere",
    ),
    "a file may change while it is read": (
        "hood/tables/files",
        "if len(data) != size or (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):",
        "if False:",
        "test_files.py::test_a_file_that_changes_is_named",
    ),
    "whole numbers in text are rounded": (
        "hood/tables/files",
        "return digits.isdigit() and (len(digits) > len(str(LARGEST)) or int(digits) > LARGEST)",
        "return False",
        "test_files.py::test_whole_numbers_are_refused_alike",
    ),
    "holes hide whole numbers": (
        "hood/tables/columns",
        "if not is_floating(column):",
        'if array.dtype.kind in "iu":',
        "test_files.py::test_holes_do_not_hide_whole_numbers",
    ),
    "a line that is too long is cut off": (
        "hood/tables/files",
        "if gaps != len(table) * (len(fields) - 1) or",
        "if",
        "test_files.py::test_pandas_in_the_place_of_pyarrow",
    ),
    "a line that is too short is filled up": (
        "hood/tables/files",
        'short = (table[last] == "").any()',
        "short = False",
        "test_files.py::test_pandas_in_the_place_of_pyarrow",
    ),
    "a mean is not rounded": (
        "hood/runs/scoring",
        "return mean if rounding is None else round(mean, rounding)",
        "return mean",
        "test_runs.py::test_means_are_rounded_as_their_tool_does",
    ),
    "a document that is its query stays": (
        "hood/tables/reading",
        "return rows.keep(np.flatnonzero(~own)) if own.any() else rows",
        "return rows",
        "test_runs.py::test_a_document_that_is_its_query",
    ),
    "a document that is its query loses its grade": (
        "hood/tables/reading",
        "keep = np.flatnonzero(~np.isnan(self.rows.value) | ~np.isnan(score))",
        "keep = np.flatnonzero(~np.isnan(score))",
        "test_runs.py::test_a_document_that_is_its_query",
    ),
    "nothing in common is 0": (
        "hood/tables/reading",
        'if shared and disjoint == "zero":',
        'if not shared or disjoint == "zero":',
        "test_run_faults.py::test_refused",
    ),
    "a misspelt column is forgotten": (
        "hood/tables/reading",
        "            if name not in names:\n",
        "            if False:\n",
        "test_run_faults.py::test_refused",
    ),
    "what was not retrieved leaves the list": (
        "hood/runs/scoring",
        "return not (x.run.value[x.groups.rows(x.hit)] == -np.inf).any()",
        "return True",
        "test_runs.py::test_what_was_not_retrieved_stays_in_a_list",
    ),
    "a joined table of hits only": (
        "hood/tables/matching",
        "judged = Judged(rows, [names[i]",
        "row = row[shown[row]]\n    judged = Judged(rows, [names[i]",
        "test_runs.py::test_rows_are_documents_where_there_are_none",
    ),
    # part IV
    "a soft rank from 0": (
        "hood/tensors/soft",
        "return (1 + batch.n - below) / 2",
        "return (batch.n - below) / 2",
        "test_smooth.py::test_the_table",
    ),
    "what is masked pushes others down": (
        "hood/tensors/soft",
        "[batch.only(-scores, np.inf)], tables=2)",
        "[-scores], tables=2)",
        "test_smooth.py::test_masked_is_absent",
    ),
    "junk under the mask": (
        "hood/tensors/arrays",
        "gains=blank.only(gains), scores=blank.only(scores)",
        "gains=blank.only(gains)",
        "test_smooth.py::test_masked_is_absent",
    ),
    "a soft order of the wrong length": (
        "hood/tensors/soft",
        "order = _softmax(xp, (results + 1 - 2 * rank)",
        "order = _softmax(xp, (scores.shape[-1] + 1 - 2 * rank)",
        "test_smooth.py::test_masked_is_absent",
    ),
    "rows before columns": (
        "hood/tensors/soft",
        "shares(xp, shares(xp, xp.where(rank <= results, order, 0.0), axis=-2))",
        "shares(xp, shares(xp, xp.where(rank <= results, order, 0.0)), axis=-2)",
        "test_smooth.py::test_the_table",
    ),
    "the lower gain is preferred": (
        "hood/tensors/soft",
        "return xp.where(x <= 0, 0.0, x)",
        "return xp.where(x >= 0, 0.0, -x)",
        "test_smooth.py::test_worked_values",
    ),
    "steps at the wrong distance": (
        "hood/tensors/soft",
        "steps = xp.concat([weights[:1] * 0, weights[:-1] - weights[1:]])",
        "steps = xp.concat([weights[:-1] - weights[1:], weights[:1] * 0])",
        "test_smooth.py::test_worked_values",
    ),
    "a pair beyond the cutoff counts": (
        "hood/tensors/soft",
        "rank_weights(batch)[top:] * 0",
        "rank_weights(batch)[top:]",
        "test_smooth.py::test_formulas_followed_to_the_letter",
    ),
    "equals do not share": (
        "hood/tensors/soft",
        'EQUALS = {"average": _shared,',
        'EQUALS = {"average": _in_turn,',
        "test_smooth.py::test_formulas_followed_to_the_letter",
    ),
    "a slope for half the pairs": (
        "hood/tensors/soft",
        "(others - worth)",
        "-worth",
        "test_smooth.py::test_gradients_are_those_of_central_differences",
    ),
    "a loss in double precision": (
        "hood/tensors/soft",
        "axis=-1) / log(2)",
        "axis=-1) / np.log(2)",
        "test_smooth.py::test_single_precision_stays_single",
    ),
    "all pairs at once": (
        "hood/tensors/arrays",
        "ROOM[where] // max(1, numbers * size)",
        "2**60",
        "test_smooth.py::test_no_table_of_all_pairs_is_made",
    ),
    "the pairs between the top and the rest": (
        "hood/tensors/soft",
        "if top < batch.n:",
        "if top > batch.n:",
        "test_smooth.py::test_formulas_followed_to_the_letter",
    ),
    "a slope of the last block alone": (
        "hood/tensors/arrays",
        "else [sum(found[i]) + part]",
        "else [part]",
        "test_smooth.py::test_torch_in_blocks",
    ),
    "negative gains pass": (
        "hood/tensors/arrays",
        '("rel", batch.gains < 0,',
        '("rel", batch.gains < -9,',
        "test_smooth.py::test_refused",
    ),
    "a group of ties cut in half": (
        "hood/engines/sqltext",
        'first = "first_place" if tied else "place"',
        'first = "place"',
        "test_engines.py::test_as_in_memory",
    ),
    "the ideal of SQL not cut": (
        "hood/engines/sqltext",
        'f"CASE WHEN best.place <= {s.k} THEN {term} ELSE 0 END"',
        "term",
        "test_engines.py::test_as_in_memory",
    ),
    "a missing query lost in a join": (
        "hood/engines/sqltext",
        '"JOIN" if missing == "skip" else "LEFT JOIN"',
        '"JOIN"',
        "test_engines.py::test_lazily",
    ),
    "ids of SQL from the lowest": (
        "hood/engines/sqltext",
        '"id": ", {id} DESC",',
        '"id": ", {id}",',
        "test_engines.py::test_as_in_memory",
    ),
    "whole numbers divided": (
        "hood/engines/sqltext",
        '"binary": "CAST(CASE WHEN {} > 0 THEN 1 ELSE 0 END AS DOUBLE)"',
        '"binary": "CASE WHEN {} > 0 THEN 1 ELSE 0 END"',
        "test_sql.py::test_a_text_is_one_statement_that_the_engine_can_read",
    ),
    "a quote in a name": (
        "hood/engines/sqltext",
        '_UNSAFE = re.compile(r"[\\"\'`;',
        "_UNSAFE = re.compile(r\"['`;",
        "test_sql.py::test_no_names",
    ),
    "a clause is read instead of a table": (
        "hood/engines/sqltext",
        'JUDGED, RESULTS = "ndcg_judged", "ndcg_results"',
        'JUDGED, RESULTS = "judged", "results"',
        "test_sql.py::test_tables_and_columns_of_any_name",
    ),
    "a document twice goes unseen": (
        "hood/engines/tables",
        'for name, what in (("strange",',
        'for name, what in () and (("strange",',
        "test_engines.py::test_refused",
    ),
    "a missing query that counts as an empty one": (
        "hood/runs/scoring",
        "        values[absent] = 0  #",
        "        pass  #",
        "test_roads.py::test_a_query_that_is_missing_counts_0",
    ),
    "a missing query that counts as an empty one in SQL": (
        "hood/engines/sqltext",
        'return f"CASE WHEN found.query IS NULL THEN 0 ELSE {value} END"',
        "return value",
        "test_roads.py::test_a_query_that_is_missing_counts_0",
    ),
    "a share ranked by the rules of another measure": (
        "hood/engines/tables",
        "(x for x in texts if x[:4] == own[:4])",
        "(x for x in texts if x[3] == own[3])",
        "test_roads.py::test_the_share_is_ranked_by_its_own_rules",
    ),
    "a likely mistake that engines do not tell": (
        "hood/engines/tables",
        '        tell_mistakes(place, sources, strange, "qrels", name)\n',
        "",
        "test_roads.py::test_likely_mistakes_are_told_on_every_road",
    ),
    "a likely mistake in pieces that is not told": (
        "hood/engines/parquet",
        "    for role, theirs in x.theirs.items():\n",
        "    for role, theirs in ():\n",
        "test_roads.py::test_likely_mistakes_are_told_on_every_road",
    ),
    "a score no float can hold": (
        "hood/engines/tables",
        '    refuse_wide(place, "ndcg_qrels" if sources.joined else "ndcg_run", sources.shown, run)\n',
        "",
        "test_roads.py::test_whole_numbers_no_float_can_hold",
    ),
    "what was not judged is worth a judged 0": (
        "hood/core/forms",
        "if isinstance(form, Mapping) and form.get(0) != 0:",
        "if isinstance(form, Mapping) and 0 not in form:",
        "test_roads.py::test_what_was_not_judged_gains_nothing",
    ),
    "the name of a file taken for that of a table": (
        "hood/engines/tables",
        "if not any(parts in (row, row[1:], row[2:], (row[0], row[2])) for row in lower):",
        "if not known:",
        "test_roads.py::test_only_tables_are_read",
    ),
    "the last query of a piece torn": (
        "hood/engines/parquet",
        "yield start, _one_table([*held, table[:cut]])",
        "yield start, _one_table([*held, table[: cut + 1]])",
        "test_parquet.py",
    ),
    # comparing
    "unpaired instead of paired": (
        "hood/stats/paired",
        "n, mean, sd = d.shape[-1], d.mean(axis=-1), spread(d)",
        "n, mean, sd = d.shape[-1], d.mean(axis=-1), np.sqrt(2) * spread(d)",
        "test_paired.py::test_students_sleep",
    ),
    "queries out of step": (
        "hood/stats/comparison",
        "values = np.ascontiguousarray(x.values[:, whole])",
        "values = np.sort(x.values[:, whole])",
        "test_paired.py::test_t_as_scipys",
    ),
    "one-sided": (
        "hood/stats/paired",
        'p = 2 * scipy("special").stdtr(n - 1, -np.abs(t))',
        'p = scipy("special").stdtr(n - 1, -np.abs(t))',
        "test_paired.py::test_students_sleep",
    ),
    "a randomisation of one side": (
        "hood/stats/paired",
        "return float((np.abs(_every_sum(row)) >= abs(row.sum()) - slack).mean())",
        "return float((_every_sum(row) >= abs(row.sum()) - slack).mean())",
        "test_paired.py::test_darwins_maize",
    ),
    "letters swapped": (
        "hood/stats/multiple",
        "marks[b if who > 0 else a].append(a if who > 0 else b)",
        "marks[a if who > 0 else b].append(b if who > 0 else a)",
        "test_multiple.py::test_beaten",
    ),
    "who shares a letter is told apart": (
        "hood/stats/multiple",
        "([g - {a}, g - {b}] if {a, b} <= g else [g])",
        "([g - {a}, g & {b}] if {a, b} <= g else [g])",
        "test_multiple.py::test_who_shares_a_letter_is_not_told_apart",
    ),
    "the seed of the signs ignored": (
        "hood/stats/paired",
        "p[~few] = _share_of_drawn(d[~few], draws, np.random.default_rng(seed), slack[~few])",
        "p[~few] = _share_of_drawn(d[~few], draws, np.random.default_rng(0), slack[~few])",
        "test_paired.py::test_another_seed_draws_others",
    ),
    "the seed of the bootstrap ignored": (
        "hood/stats/paired",
        "in _drawn(np.random.default_rng(seed), draws, n)",
        "in _drawn(np.random.default_rng(), draws, n)",
        "test_comparisons.py::test_seeds",
    ),
    "the seed of the shuffles ignored": (
        "hood/stats/multiple",
        "rng, by_query = np.random.default_rng(seed),",
        "rng, by_query = np.random.default_rng(0),",
        "test_multiple.py::test_draws_and_seeds",
    ),
    "ties counted as wins": (
        "hood/stats/paired",
        "return (d > 0).sum(axis=-1), (d == 0)",
        "return (d >= 0).sum(axis=-1), (d == 0)",
        "test_paired.py::test_wins_ties_losses",
    ),
    "a drawn p of 0": (
        "hood/stats/paired",
        "return (far + 1) / (draws + 1)",
        "return far / draws",
        "test_paired.py::test_drawn_signs",
    ),
    "Holm without its last step": (
        "hood/stats/multiple",
        "raised = np.maximum.accumulate((tested - np.arange(len(p))) * p[order])",
        "raised = (tested - np.arange(len(p))) * p[order]",
        "test_multiple.py::test_holms_example",
    ),
    "Tukey without blocks": (
        "hood/stats/multiple",
        "left = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()",
        "left = values - values.mean(axis=1, keepdims=True)",
        "test_multiple.py::test_blocks_as_statsmodels",
    ),
    "BCa without its acceleration": (
        "hood/stats/paired",
        "(1 - lopsided * (shift + side))",
        "1",
        "test_paired.py::test_bootstrap_as_scipys",
    ),
    "one degree of freedom too many": (
        "hood/stats/paired",
        "t_quantile(n - 1, float(level))",
        "t_quantile(n, float(level))",
        "test_runs.py::test_the_interval_of_each_mean",
    ),
    "the interval counts queries that have no value": (
        "hood/runs/evaluation",
        "there = ~np.isnan(column)",
        "column = np.nan_to_num(column); there = ~np.isnan(column)",
        "test_runs.py::test_the_interval_of_each_mean",
    ),
    "the best queries instead of the worst": (
        "hood/output/report",
        'np.argsort(values, kind="stable")[: min(most, n)]',
        'np.argsort(-values, kind="stable")[: min(most, n)]',
        "test_report.py::test_the_report_of_one_run",
    ),
    "a spread of noise divided by n": (
        "widgets/noise",
        "sets.std(axis=1, ddof=1) / sqrt(n)",
        "sets.std(axis=1) / sqrt(n)",
        "test_noise.py::test_a_draw_says_what_compare_says",
    ),
    "draws that overlap": (
        "widgets/noise",
        'LIMITS["queries"][1] * np.arange(draws)',
        "2 * np.arange(draws)",
        "test_noise.py::test_what_is_drawn_is_normal_and_each_draw_is_another",
    ),
    "power of one side": (
        "widgets/noise",
        "(np.exp(-((x - centre) ** 2) / 2) + np.exp(-((x + centre) ** 2) / 2))",
        "(2 * np.exp(-((x - centre) ** 2) / 2))",
        "test_noise.py::test_power_is_the_formula_and_what_is_counted",
    ),
    "the tails of bootstrap-t not turned round": (
        "hood/stats/paired",
        "return mean + low, mean - high",
        "return mean + high, mean - low",
        "test_paired.py::test_bootstrap_t_is_that_of_a_loop",
    ),
    "a draw without spread is no surprise to bootstrap-t": (
        "hood/stats/paired",
        "t = np.where(np.abs(drawn) <= SAME, 0.0, drawn / np.sqrt(variance))",
        "t = np.where(variance == 0, 0.0, drawn / np.sqrt(variance))",
        "test_paired.py::test_bootstrap_t_of_few_values",
    ),
    "equivalent when not worse": (
        "hood/stats/paired",
        "return not_worse, np.maximum(not_worse, not_better)",
        "return not_worse, np.minimum(not_worse, not_better)",
        "test_paired.py::test_equivalence_as_statsmodels",
    ),
    "the verdict of the mean": (
        "hood/stats/comparison",
        "return paired.leaning(self._rows, self.rules.test, self._off)",
        "return np.sign(self._apart.mean(axis=1))",
        "test_comparisons.py::test_the_verdict_is_that_of_the_test",
    ),
    "a slice of all queries": (
        "hood/runs/evaluation",
        "self._intervals(*how, keep=keep)",
        "self._intervals(*how)",
        "test_slices.py::test_means_within_slices",
    ),
    "slices without Holm": (
        "hood/stats/comparison",
        'holm(table["p"].to_numpy(float))',
        'table["p"].to_numpy(float)',
        "test_slices.py::test_slices_and_pairs_are_one_family",
    ),
    "a query in two slices": (
        "hood/tables/traits",
        "odd = np.flatnonzero(kinds != first[codes])",
        "odd = np.flatnonzero(kinds < -1)",
        "test_slices.py::test_what_slices_are_refused",
    ),
    "weights without their mean": (
        "hood/runs/scoring",
        "parts * weights[there]",
        "parts",
        "test_slices.py::test_whole_weights_repeat_queries",
    ),
    "a spread without weights": (
        "hood/stats/paired",
        "(d - mean) * (weights * (len(weights) / weights.sum()))",
        "(d - mean)",
        "test_slices.py::test_weighted_means_and_intervals",
    ),
    "signs flipped without weights": (
        "hood/stats/comparison",
        'rules.test == "randomization" and self.weights is not None',
        "False",
        "test_slices.py::test_signs_of_weighted_differences_are_flipped",
    ),
    "a query of weight 0 that counts": (
        "hood/runs/evaluation",
        "values[:, weights == 0] = np.nan",
        "pass",
        "test_slices.py::test_weight_0_leaves_a_query_out",
    ),
    "worse is better": (
        "hood/stats/comparison",
        '("worse", "not distinguishable", "better")[int(self.ahead[0]) + 1]',
        '("better", "not distinguishable", "worse")[int(self.ahead[0]) + 1]',
        "test_gates.py::test_verdict",
    ),
    "a gate that forgets by how much": (
        "hood/stats/comparison",
        "(low > by_more_than, high < -by_more_than) if by_more_than else",
        "(low > 0, high < 0) if by_more_than else",
        "test_gates.py::test_fails_if",
    ),
    "a foreign file is appended to": (
        "hood/runs/history",
        "is_ours = isinstance(row, dict) and row.keys() == FIELDS.keys()",
        "is_ours = isinstance(row, dict) and row.keys() >= FIELDS.keys()",
        "test_gates.py::test_history_that_is_not_ours",
    ),
    "a version twice": (
        "hood/runs/history",
        "known.get((version, run, measure), (0, row))",
        "known.get(version, (0, row))",
        "test_gates.py::test_history_takes_a_version_once",
    ),
    "a query left out for one system only": (
        "hood/stats/comparison",
        "whole = ~np.isnan(x.values).any(axis=0)",
        "whole = ~np.isnan(x.values).all(axis=0)",
        "test_comparisons.py::test_nan_is_left_out_for_all",
    ),
    "ties by the largest value of all queries": (
        "hood/stats/paired",
        "return SAME * np.maximum(np.abs(after), np.abs(before))",
        "return SAME * np.maximum(np.abs(after), np.abs(before)).max() * np.ones(np.shape(after))",
        "test_paired.py::test_what_another_query_has_hides_no_difference",
    ),
    "squares of 1e-200": (
        "hood/stats/paired",
        "return np.ldexp(d, -exponent), exponent[..., 0]",
        "return d, 0 * exponent[..., 0]",
        "test_paired.py::test_very_small_and_very_large",
    ),
    "a pair without p counted as one of the family": (
        "hood/stats/multiple",
        "tested = len(p) - np.isnan(p).sum()",
        "tested = len(p)",
        "test_multiple.py::test_holm_keeps_what_is_unknown",
    ),
    "a pair turned round that keeps the ends of its interval": (
        "hood/output/ladder",
        '("difference", "high", "low", "effect")',
        '("difference", "low", "high", "effect")',
        "test_ladder.py::test_every_number_is_the_comparisons",
    ),
    "a report that runs any script": (
        "hood/output/report",
        "script-src 'sha256-{digest}'",
        "script-src 'unsafe-inline'",
        "test_report.py::test_only_the_one_script_may_run",
    ),
}


def chosen(words: list[str]) -> list[str]:
    "The bugs that are asked for"
    if words == ["--changed"]:
        command = ["git", "diff", "--name-only", "HEAD", "--", "ndcg_nb"]
        changed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split()
        return [bug for bug, (module, *_) in BUGS.items() if f"ndcg_nb/{module}.py" in changed]
    named = {bug: f"{bug} {module} {sees}".lower() for bug, (module, _, _, sees) in BUGS.items()}
    return [bug for bug, text in named.items() if not words or any(word.lower() in text for word in words)]


def plant(bug: str) -> tuple[str, str]:
    "A bug, and what its test said of it; nothing if it was noticed. This runs in a process of its own."
    import pytest

    module, right, wrong, sees = BUGS[bug]
    with TemporaryDirectory() as folder:
        copy = Path(folder, "ndcg_nb")
        shutil.copytree(ROOT / "ndcg_nb", copy, ignore=shutil.ignore_patterns("*.pyc.*"))  # compiled, but for the bug
        text = (copy / f"{module}.py").read_text("utf-8")
        if (count := text.count(right)) != 1:
            return bug, f"{right!r} is found {count} times in {module}.py: plant the bug elsewhere"
        (copy / f"{module}.py").write_text(text.replace(right, wrong), "utf-8")
        (ini := Path(folder, "pytest.ini")).write_text("[pytest]\n")
        os.chdir(ROOT / "tests")
        os.environ["PYTHONPATH"] = sys.path[0] = folder  # for this process, and for those its tests start
        with redirect_stdout(StringIO()) as said:
            code = pytest.main(
                [
                    "-x",
                    "-q",
                    "--tb=no",
                    "--assert=plain",
                    "-p",
                    "no:cacheprovider",
                    f"-c{ini}",
                    f"--rootdir={Path.cwd()}",
                    sees,
                ]
            )
    return bug, "" if code == 1 else f"{sees} ended with {int(code)}, not 1\n{said.getvalue()}"


def main(words: list[str]) -> int:
    bugs, began, overlooked = chosen(words), monotonic(), 0
    if not bugs:
        print(f"No planted bug to run here; `make mutants` runs all {len(BUGS)}.")
        return 0 if words == ["--changed"] else 2
    os.environ |= {"HYPOTHESIS_EXAMPLES": "60", "OMP_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in HEAVY:
        with suppress(ImportError):
            import_module(name)
    with get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        for number, (bug, said) in enumerate(pool.imap_unordered(plant, bugs), 1):
            if said:
                overlooked += 1
                print(f"NOT NOTICED: {bug}\n{said}", flush=True)
            if number % 20 == 0:
                print(f"{number} of {len(bugs)} planted bugs, {monotonic() - began:.0f} s", flush=True)
    print(f"{len(bugs)} planted bugs, {len(bugs) - overlooked} noticed, {monotonic() - began:.0f} s")
    return int(overlooked > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
