"""Planted bugs: each must make its test fail.

python tests/mutants.py              plants all of them; `make mutants`, `make all`
python tests/mutants.py holm ties    those whose name, module or test contains one of these words
"""

import os
import shutil
import subprocess
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider"]
QUICKLY = {"HYPOTHESIS_EXAMPLES": "60", "OMP_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

BUGS = {
    # name: (module, the right code, the wrong code, the test that must fail)
    # gains, discounts and ideals
    "linear and exponential gains swapped": (
        "gains",
        '{"linear": linear, "exp": exponential,',
        '{"linear": exponential, "exp": linear,',
        "test_fast_paths.py::test_scores",
    ),
    "discount off by one": (
        "discounts",
        '"log2": lambda rank: 1 / np.log2(rank + 1)',
        '"log2": lambda rank: 1 / np.log2(rank + 2)',
        "test_fast_paths.py::test_scores",
    ),
    "base of the 2002 discount ignored": (
        "discounts",
        "np.log2(np.maximum(rank, base))",
        "np.log2(np.maximum(rank, 2))",
        "test_published.py",
    ),
    "negative grades have a gain": (
        "hood/core/conventions",
        "np.maximum(x.flat, 0)",
        "np.abs(x.flat)",
        "test_dialects.py::test_the_match_table",
    ),
    "ideal of the list, not of the pool": (
        "hood/core/queries",
        "return Query(grades, judged, cutoffs",
        "return Query(grades, grades, cutoffs",
        "test_fast_paths.py::test_ragged_blocks_are_put_back_in_order",
    ),
    "ideal not cut at k": (
        "hood/core/rankings",
        "[:, ::-1][:, :k]",
        "[:, ::-1]",
        "test_fast_paths.py::test_ragged_blocks_are_put_back_in_order",
    ),
    "uncut ideal cut at k": (
        "hood/core/sums",
        "uncut = add_up(gains.best_first(), weights, [NO_CUT])",
        "uncut = add_up(gains.best_first(), weights, cutoffs[:1])",
        "test_dialects_2026.py::test_an_ideal_that_is_never_cut",
    ),
    "list that holds more than its pool accepted": (
        "hood/core/queries",
        "short = ours.times >",
        "short = ours.times > 99 +",
        "test_faults.py::test_refused",
    ),
    "0/0 is 0 without a warning": (
        "hood/core/queries",
        'if undefined.any() and rule != "number":',
        "if False:",
        "test_faults.py::test_one_warning_counts_the_lists",
    ),
    "half rounded down": (
        "hood/core/queries",
        "np.floor(values * unit + 0.5)",
        "np.floor(values * unit)",
        "test_dialects_2026.py::test_values_are_rounded_before_the_mean",
    ),
    # from scores to an order
    "ties reversed": (
        "hood/core/rankings",
        'TieRule("ties stay in the order given")',
        'TieRule("ties stay in the order given", key=_last_first)',
        "test_fast_paths.py::test_scores",
    ),
    "best and worst order of ties swapped": (
        "hood/core/rankings",
        '"best": TieRule("ties are best first", key=np.negative',
        '"best": TieRule("ties are best first", key=np.positive',
        "test_fast_paths.py::test_scores",
    ),
    "ties by the lowest id, not the highest": (
        "hood/core/rankings",
        'reverse=TIES[ties].ids == "highest")',
        "reverse=False)",
        "test_fast_paths.py::test_ties_by_id",
    ),
    "almost equal scores left unsorted": (
        "hood/core/rankings",
        "if wrong.any():",
        "if False:",
        "test_fast_paths.py::test_scores",
    ),
    "cut before ranking": (
        "hood/core/rankings",
        "if integers is None:\n        return rank_plainly(grades, scores, gain, ties)[:, :k]",
        "if integers is None:\n        return rank_plainly(grades[:, :k], scores[:, :k], gain, ties)",
        "test_fast_paths.py::test_few_scores_are_ranked_before_they_are_cut",
    ),
    "documents with score -inf counted": (
        "hood/core/rankings",
        "gains[scores == -np.inf] = 0",
        "pass",
        "test_fast_paths.py::test_scores",
    ),
    "score -inf excluded in every convention": (
        "hood/core/queries",
        'flat if how.minus_inf == "out" else',
        "flat if True else",
        "test_dialects.py::test_minus_infinity",
    ),
    "scores compared in 64 bits in every convention": (
        "hood/core/rankings",
        'if precision == "float64":',
        "if True:",
        "test_fast_paths.py::test_single_precision",
    ),
    "blocks of lists overwrite each other": (
        "hood/core/sums",
        "sums[at] = sum_to(",
        "sums[: len(lists.size[at])] = sum_to(",
        "test_fast_paths.py::test_blocks_are_put_back_in_order",
    ),
    # keywords and messages
    "like= overrides explicit keywords": (
        "hood/door",
        "settings_like(tool, known, name, k is not None) | keywords",
        "keywords | settings_like(tool, known, name, k is not None)",
        "test_dialects.py::test_like",
    ),
    "unknown keywords accepted": (
        "hood/door",
        "if not keywords.keys() <= known:",
        "if False:",
        "test_faults.py::test_refused",
    ),
    "wrong list named in a message": (
        "hood/core/lists",
        'np.searchsorted(self.size.cumsum(), i, side="right")',
        "np.searchsorted(self.size.cumsum(), i)",
        "test_faults.py::test_refused",
    ),
    # Part II: what nDCG does not see
    "bad results cost nothing": (
        "penalties",
        "    charged[bad] = -prices\n",
        "",
        "test_penalties.py::test_a_price_beyond_all_measure",
    ),
    "min-max scaling by the best order twice": (
        "hood/core/sums",
        "-highest(-self.values.table(at, np.inf), depth)",
        "highest(self.values.table(at), depth)",
        "test_penalties.py::test_minmax_does_not_depend_on_its_neighbours",
    ),
    "recall base cut at k": (
        "coverage",
        "uncut = q._replace(cutoffs=[NO_CUT])",
        "uncut = q",
        "test_limits.py::test_coverage_of_many_lists",
    ),
    "gain of an intent does not decrease": (
        "coverage",
        "        seen.update(document)\n",
        "",
        "test_limits.py::test_alpha_ndcg",
    ),
    "lower bound with unjudged documents at 0": (
        "hood/limits/gradings",
        "0.0 - find_greatest(scale, given.mirrored(), -barren)",
        "divide(given.known, add_fixed(scale, given), barren)",
        "test_limits.py::test_bounds_are_those_of_every_grading",
    ),
    "upper bound with unjudged documents at the top grade": (
        "hood/limits/gradings",
        "profit = gain - ratio[:, None] * cost",
        "profit = gain",
        "test_limits.py::test_bounds_are_those_of_every_grading",
    ),
    "bounds without unjudged documents outside the list": (
        "hood/limits/bounds",
        "return np.maximum(holes, pooled)",
        "return holes",
        "test_limits.py::test_bounds_are_those_of_every_grading",
    ),
    "clicks without propensities": (
        "estimates",
        "counts.each().flat / np.maximum(chance.flat, float(clip))",
        "counts.each().flat",
        "test_limits.py::test_ips_is_right_on_average",
    ),
    # judged by a model
    "normal quantile for Student's t": (
        "hood/judging/raters",
        "t_quantile(n - 2, float(confidence)) * math.sqrt(variance)",
        "t_quantile(10**6, float(confidence)) * math.sqrt(variance)",
        "test_judges.py::test_corrected_covers_the_truth",
    ),
    "interval without the distance from the mean": (
        "hood/judging/raters",
        "1 / n - 1 / total + apart**2 / squares",
        "1 / n - 1 / total",
        "test_judges.py::test_corrected_worked_example",
    ),
    "expected nDCG by the ideal of the list": (
        "hood/limits/expectations",
        'judged = listed if q.how.ideal == "list" else pool',
        "judged = listed",
        "test_judges.py::test_expected_worked_examples",
    ),
    "kappa without chance agreement": (
        "hood/judging/raters",
        "weighted = kappa_by(apart**2)",
        "weighted = kappa_by(np.abs(apart))",
        "test_judges.py::test_agreement_of_a_real_judge",
    ),
    # conventions of tools, explanations
    "trec_eval in 64 bits": (
        "dialects",
        'precision="float32", missing="skip",',
        'precision="float64", missing="skip",',
        "test_dialects.py::test_the_match_table",
    ),
    "missing queries count in every tool's mean": (
        "dialects",
        'if dialect.missing == "zero" else np',
        "if True else np",
        "test_dialects.py::test_means_over_queries",
    ),
    "no reported value matches": (
        "dialects",
        "abs(x - reported) <= least",
        "abs(x - reported) < 0",
        "test_dialects.py::test_which",
    ),
    "loss at a rank without its discount": (
        "explanations",
        '(rows["ideal"] - rows["gain"]) * rows["discount"]',
        'rows["ideal"] - rows["gain"]',
        "test_explanations.py::test_settings",
    ),
    "tied group cut at k": (
        "hood/display/accounts",
        "reached = np.flatnonzero(first <= len(a.discount))",
        "reached = np.flatnonzero(last <= len(a.discount))",
        "test_explanations.py::test_a_tie_across_the_cutoff",
    ),
    # whole runs
    "missing query never skipped": (
        "hood/runs/scoring",
        "    values[skipped] = np.nan\n",
        "",
        "test_runs.py::test_emptiness",
    ),
    "two grades for one document accepted": (
        "hood/inputs/matching",
        "differ = again[grades[again] != grades[again - 1]]",
        "differ = again[:0]",
        "test_run_faults.py::test_refused",
    ),
    "line lost at a carriage return": (
        "hood/inputs/sources",
        '            if b"\\r" in text:\n',
        "            if False:\n",
        "test_run_faults.py::test_refused",
    ),
    "runs without a judged query score 0": (
        "hood/inputs/reading",
        'if disjoint == "error":',
        "if not shared:",
        "test_run_faults.py::test_refused",
    ),
    "weights of queries ignored": (
        "hood/runs/scoring",
        "parts * known_weights",
        "parts",
        "test_slices.py::test_whole_weights_repeat_queries",
    ),
    "trec_eval's lines in another order": (
        "hood/reports/trec",
        "ordered = sorted(range(len(sizes)), key=lambda i: result.queries[i].encode())",
        "ordered = list(range(len(sizes)))",
        "test_cli.py::test_what_trec_eval_prints",
    ),
    # SQL and Parquet
    "SQL cuts a tied group at k": (
        "hood/engines/sqltext",
        'first = "first_place" if x.averages else "place"',
        'first = "place"',
        "test_engines.py::test_as_in_memory",
    ),
    "SQL does not cut the ideal": (
        "hood/engines/sqltext",
        'f"CASE WHEN best.place <= {depth} THEN {term} ELSE 0 END"',
        "term",
        "test_engines.py::test_as_in_memory",
    ),
    "SQL loses a missing query in a join": (
        "hood/engines/sqltext",
        '"JOIN" if missing == "skip" else "LEFT JOIN"',
        '"JOIN"',
        "test_engines.py::test_lazily",
    ),
    "SQL counts hits of a tie as they happen to stand": (
        "hood/engines/sqltext",
        'f"MIN(ranked.above) OVER ({_tie(x)}) AS above_tie"',
        '"ranked.above AS above_tie"',
        "test_sql.py::test_hits_in_long_ties",
    ),
    "SQL lets any template pass": (
        "hood/engines/spelling",
        "_OF_DBT.fullmatch(name)",
        '(name if "{{" in name else None)',
        "test_sql.py::test_what_dbt_has_beside_tables_is_no_name",
    ),
    "SQL accepts a quote in a name": (
        "hood/engines/spelling",
        '_UNSAFE = re.compile(r"[\\"\'`;',
        "_UNSAFE = re.compile(r\"['`;",
        "test_sql.py::test_no_names",
    ),
    "last query of a Parquet piece split": (
        "hood/engines/parquet",
        "yield start, piece[:cut]",
        "yield start, piece[: cut + 1]",
        "test_parquet.py",
    ),
    # losses
    "soft ranks from 0": (
        "hood/tensors/soft",
        "return (1 + batch.n - below) / 2",
        "return (batch.n - below) / 2",
        "test_smooth.py::test_formulas_followed_to_the_letter",
    ),
    "masked documents take ranks": (
        "hood/tensors/soft",
        "[minus_others], tables=2)",
        "[-scores], tables=2)",
        "test_smooth.py::test_masked_is_absent",
    ),
    "lower gain preferred in a pair": (
        "hood/tensors/soft",
        "return xp.where(x <= 0, 0.0, x)",
        "return xp.where(x >= 0, 0.0, -x)",
        "test_smooth.py::test_formulas_followed_to_the_letter",
    ),
    "gradient of half of the pairs": (
        "hood/tensors/soft",
        "(others - worth)",
        "-worth",
        "test_smooth.py::test_gradients_are_those_of_central_differences",
    ),
    # comparisons
    "one-sided t-test": (
        "hood/stats/paired",
        'p = 2 * scipy("special").stdtr(x.n - 1',
        'p = scipy("special").stdtr(x.n - 1',
        "test_paired.py::test_students_sleep",
    ),
    "one-sided randomisation test": (
        "hood/stats/paired",
        "is_far = np.abs(sums) >= seen",
        "is_far = sums >= seen",
        "test_paired.py::test_darwins_maize",
    ),
    "Holm without its running maximum": (
        "hood/stats/paired",
        "raised = np.maximum.accumulate(factor * p[order])",
        "raised = factor * p[order]",
        "test_multiple.py::test_holms_example",
    ),
    "BCa without acceleration": (
        "hood/stats/intervals",
        "(1 - acceleration * side)",
        "1",
        "test_references.py::test_same_as_the_reference[bca]",
    ),
    "equivalent when only not worse": (
        "hood/stats/paired",
        "return not_worse, np.maximum(not_worse, not_better)",
        "return not_worse, np.minimum(not_worse, not_better)",
        "test_references.py::test_same_as_the_reference[equivalence, statsmodels]",
    ),
    "query without a value left out for one system only": (
        "hood/comparisons/differences",
        "complete = ~none.any(axis=0)",
        "complete = ~none.all(axis=0)",
        "test_comparisons.py::test_nan_is_left_out_for_all",
    ),
    "better and worse swapped": (
        "hood/comparisons/facts",
        '"better" if fact["favours"] > 0 else "worse"',
        '"better" if fact["favours"] < 0 else "worse"',
        "test_gates.py::test_verdict",
    ),
    # JavaScript
    "uncut ideal cut in the browser": (
        "static/core.js",
        "uncut: Infinity }[ideal]",
        "uncut: cut }[ideal]",
        "test_whose.py::test_each_tool_one_by_one",
    ),
    "ties by the lowest id in the browser": (
        "static/tools.js",
        "id: (results) => results.sort((a, b) => -byCodePoint(",
        "id: (results) => results.sort((a, b) => byCodePoint(",
        "test_whose.py::test_each_tool_one_by_one",
    ),
}


def file_of(module: str) -> str:
    "The file of a module; that of JavaScript has its ending in its name"
    return module if module.endswith(".js") else f"{module}.py"


def place_of(test: str) -> str:
    "Where a test stands in the folder of tests, found by the name of its file"
    file, *function = test.split("::")
    [path] = (ROOT / "tests").rglob(file)
    return "::".join([str(path.relative_to(ROOT / "tests")), *function])


def plant(bug: str) -> str:
    "Run the test of a bug with a copy of the package that has it; returns what went wrong, or nothing"
    module, right, wrong, test = BUGS[bug]
    with TemporaryDirectory() as folder:
        copy = shutil.copytree(ROOT / "ndcg_nb", Path(folder, "ndcg_nb"))
        file = copy / file_of(module)
        text = file.read_text("utf-8")
        if (count := text.count(right)) != 1:
            return f"NOT PLANTED: {bug}: {right!r} is found {count} times in {file.name}"
        file.write_text(text.replace(right, wrong), "utf-8")
        (ini := Path(folder, "pytest.ini")).write_text("[pytest]\n")
        command = [*PYTEST, "-c", str(ini), f"--rootdir={ROOT / 'tests'}", place_of(test)]
        environment = os.environ | QUICKLY | {"PYTHONPATH": folder}
        ran = subprocess.run(command, cwd=ROOT / "tests", env=environment, capture_output=True, text=True)
    return "" if ran.returncode == 1 else f"NOT NOTICED: {bug}: {test} ended with {ran.returncode}\n{ran.stdout}"


def main(words: list[str]) -> int:
    texts = {bug: f"{bug} {module} {test}".lower() for bug, (module, _, _, test) in BUGS.items()}
    bugs = [bug for bug, text in texts.items() if not words or any(word.lower() in text for word in words)]
    overlooked = 0
    with ThreadPool(os.cpu_count()) as pool:
        for said in filter(None, pool.imap_unordered(plant, bugs)):
            overlooked += 1
            print(said, flush=True)
    print(f"{len(bugs)} planted bugs, {len(bugs) - overlooked} noticed")
    return int(overlooked > 0 or not bugs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
