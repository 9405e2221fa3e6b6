"""Tests are trusted because they have been seen to fail: each bug planted here must turn them red."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import ROOT

DIALECTS = [
    "the_match_table",
    "rules_to_the_last_bit",
    "means_over_queries",
    "disagree",
    "disagree_on_many_queries",
    "which",
    "minus_infinity",
    "no_lists_and_short_lists",
]
SUITE = ["test_fast_paths.py", "test_faults.py", "test_properties.py", "test_limits.py"]
SUITE += [f"test_dialects.py::test_{name}" for name in DIALECTS]
PART_TWO = {"penalties", "missing", "coverage", "unjudged"}  # whose bugs are looked for where they would show first

BUGS = {
    # name: (module, what stands there, what is put in its place)
    "discount off by one": ("discounts", "1 / np.log2(rank + 1)", "1 / np.log2(rank + 2)"),
    "ideal from the list": ("normalized", 'pools = checked_gains(judged, form, "pool")[0]', "pools = values"),
    "ideal not cut": ("rankings", "[:, ::-1][:, :k]", "[:, ::-1]"),
    "ties reversed": ("rankings", 'if ties == "last":', 'if ties == "first":'),
    "best and worst swapped": (
        "rankings",
        'gains if ties == "worst" else -gains',
        'gains if ties == "best" else -gains',
    ),
    "gains swapped": ("gains", '{"linear": _linear, "exp": _exponential,', '{"linear": _exponential, "exp": _linear,'),
    "short gains swapped": ("gains", "lambda grade: 2.0**grade - 1", "lambda grade: grade + 0"),
    "near ties left unsorted": ("rankings", "if wrong.any():", "if False:"),
    "ties cut before they are averaged": (
        "rankings",
        "_averaged(gains, scores)",
        "_averaged(gains[:, :k], scores[:, :k])",
    ),
    "not retrieved, yet counted": ("rankings", "gains[scores == -np.inf] = 0", "pass"),
    "contenders one short": ("rankings", "columns - k, None]", "columns - k + 1, None]"),
    "large grades not scaled": ("normalized", "max(initial=0) > 512", "max(initial=0) > 10**6"),
    "a list may beat its pool": ("normalized", "short = count >", "short = count > 99 +"),
    "a short list may beat its pool": ("normalized", "if pool is not None and Counter(", "if False and Counter("),
    "small gains lost": ("gains", "np.expm1(x * np.log(2))", "gains"),
    "0/0 is 0 in silence": ("normalized", "if empty is None or isinstance(empty, str):", "if False:"),
    "nan beyond the cutoff unseen": ("rankings", "and sum(rel) >= 0", ""),
    "blocks overwrite each other": ("gains", "sums[at] = ", "sums[: len(gains)] = "),
    "bad results are free": ("penalties", "flats[0][bads[0]] = -prices", "pass"),
    "the worst order is the best": ("penalties", "zip(sums, (1, -1))", "zip(sums, (-1, 1))"),
    "rounding is a difference": ("penalties", "span[span <= 1e-15", "span[span <= 0"),
    "recall is cut": ("coverage", "[NO_CUT], np.ones", "cutoffs, np.ones"),
    "gains do not fade": ("coverage", "        seen.update(document)\n", ""),
    "stale gains in the greedy ideal": ("coverage", "if (now := -worth(i)) > bound:", "if (now := bound) > bound:"),
    "the least is at all zero": ("unjudged", "m = int(np.argmin(", "m = 0 * int(np.argmin("),
    "the most is at all best": ("unjudged", "won - ratio * cost", "won - 0 * cost"),
    "holes outside forgotten": ("unjudged", "np.isnan(whole).sum() - hole.sum()", "0"),
    "half rounded down": ("unjudged", "int(count + Fraction(1, 2))", "int(count + Fraction(49, 100))"),
    "every click counts once": ("unjudged", "lists.flat / np.maximum(chance.flat, clip)", "lists.flat"),
    "ids from the lowest": ("rankings", "np.lexsort((-code,", "np.lexsort((code,"),
    "single precision ignored": ("rankings", 'if precision == "float64":', "if True:"),
    "very low is not retrieved": (
        "rankings",
        "return np.where((single == -np.inf) & (scores > -np.inf), -np.finfo(np.float32).max, single)",
        "return single",
    ),
    "short lists in full precision": (
        "normalized",
        '(precision, minus_inf, ideal, arithmetic), ("float64",',
        '("float64", minus_inf, ideal, arithmetic), ("float64",',
    ),
    "short lists know no ideal": (
        "normalized",
        'minus_inf, ideal, arithmetic), ("float64", "out", "pool"',
        'minus_inf, arithmetic), ("float64", "out"',
    ),
    "-inf is never the lowest score": ("gains", 'if minus_inf == "out":', "if True:"),
    "no term is divided by the ideal": ("normalized", 'if arithmetic == "each":', "if False:"),
    "nobody cuts by himself": ("normalized", "k = default_k if k is None else k", "pass"),
    "the pool of a tool that has none": (
        "normalized",
        'judged = grades if ideal in ("list", "reached")',
        'judged = grades if ideal == "reached"',
    ),
    "hits not counted": ("normalized", "[::-1][:n] for i, n", "[::-1] for i, n"),
    "the truth sorted": ("normalized", 'best_first=ideal != "given"', "best_first=True"),
    "short lists reach every cutoff": ("normalized", "c != NO_CUT and c > n", "c > NO_CUT + n"),
    "negative grades count": ("gains", "np.maximum(grades.flat, 0)", "np.abs(grades.flat)"),
    "no limit on grades": ("gains", " & (flat <= legal[-1])", ""),
    "divided as multiplied": ("discounts", "ARITHMETIC[arithmetic](", 'ARITHMETIC["multiply"]('),
    "dot product as a running sum": ("discounts", 'ADDING = {"dot": "dot", ', 'ADDING = {"dot": "exact", '),
    "trec_eval in 64 bits": (
        "dialects",
        'precision="float32",\n    arithmetic="divide",',
        'precision="float64",\n    arithmetic="divide",',
    ),
    "missing queries count": ("dialects", 'if whole.missing == "zero" else np', "if True else np"),
    "each tool at no cutoff": ("dialects", '"arithmetic", "default_k")', '"arithmetic")'),
    "nothing is near enough": (
        "dialects",
        "abs(x - reported) <= max(allowed, named(n).accuracy) + 1e-12",
        "abs(x - reported) < 0",
    ),
}


def suite(folder: Path, module: str = "") -> subprocess.CompletedProcess:
    "The tests, those of the module first: where there is a bug, they end at the first that fails"
    ours = "test_limits" if module in PART_TWO else f"test_{module}"
    tests = sorted(SUITE, key=lambda name: not name.startswith(ours))
    env = os.environ | {"PYTHONPATH": str(folder), "HYPOTHESIS_EXAMPLES": "60"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-cov", *tests]
    return subprocess.run(command, cwd=folder / "tests", env=env, capture_output=True, text=True)


def copied(folder: Path) -> Path:
    for name in ("ndcg_nb", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


def planted(bug: str, folder: Path) -> subprocess.CompletedProcess:
    module, right, wrong = BUGS[bug]
    path = copied(folder) / "ndcg_nb" / f"{module}.py"
    text = path.read_text("utf-8")
    assert text.count(right) == 1, f"{right!r} stands {text.count(right)} times in {module}.py: plant the bug elsewhere"
    path.write_text(text.replace(right, wrong), "utf-8")
    return suite(folder, module)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future]]:
    "All of them, as many at a time as there are processors"
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {bug: pool.submit(planted, bug, tmp_path_factory.mktemp("bug")) for bug in BUGS}


def test_without_a_bug_the_suite_is_green(tmp_path: Path) -> None:
    done = suite(copied(tmp_path))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("bug", BUGS)
def test_planted(bug: str, running: dict[str, Future]) -> None:
    done = running[bug].result()
    assert done.returncode == 1, f"the suite did not notice: {bug}\n{done.stdout}"
