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
SUITE = ["test_fast_paths.py", "test_faults.py", "test_properties.py", "test_mended.py", "test_recipes.py"]
SUITE += ["test_limits.py", "test_mended_limits.py", "test_mended_unjudged.py"]
SUITE += [f"test_dialects.py::test_{name}" for name in DIALECTS]
FIRST = {  # where the bugs of a module would show first
    "penalties": ["test_mended_limits", "test_limits"],
    "missing": ["test_limits"],
    "coverage": ["test_mended_limits", "test_limits"],
    "unjudged": ["test_mended_unjudged", "test_limits"],
    "hood/gradings": ["test_limits", "test_mended_unjudged"],
    "dialects": ["test_dialects"],
    "hood/lists": ["test_mended.py", "test_faults"],
    "hood/conventions": ["test_mended.py", "test_recipes"],
    "hood/short": ["test_fast_paths", "test_properties"],
}

BUGS = {
    # name: (module, what stands there, what is put in its place)
    "discount off by one": (
        "discounts",
        '"log2": lambda rank: OverLog(rank + 1, 2)',
        '"log2": lambda rank: OverLog(rank + 2, 2)',
    ),
    "ideal from the list": ("hood/queries", "else judged, cutoffs, k", "else grades, cutoffs, k"),
    "ideal not cut": ("hood/rankings", "[:, ::-1][:, :k]", "[:, ::-1]"),
    "ties reversed": (
        "hood/rankings",
        '"first": TieRule(),',
        '"first": TieRule(before=lambda g: np.broadcast_to(np.arange(g.shape[1])[::-1], g.shape)),',
    ),
    "best and worst swapped": (
        "hood/rankings",
        '"best": TieRule(before=lambda gains: np.argsort(-gains',
        '"best": TieRule(before=lambda gains: np.argsort(gains',
    ),
    "gains swapped": ("gains", '{"linear": linear, "exp": exponential,', '{"linear": exponential, "exp": linear,'),
    "short gains swapped": ("hood/short", "lambda grade: 2.0**grade - 1 if", "lambda grade: grade + 0.0 if"),
    "near ties left unsorted": ("hood/rankings", "if wrong.any():", "if False:"),
    "ties cut before they are averaged": (
        "hood/rankings",
        "rule.after(gains, scores))[:, :k]",
        "rule.after(gains[:, :k], scores[:, :k]))",
    ),
    "not retrieved, yet counted": ("hood/rankings", "gains[scores == -np.inf] = 0", "pass"),
    "contenders one short": ("hood/rankings", "columns - k, None]", "columns - k + 1, None]"),
    "large grades not scaled": ("hood/queries", "max(initial=0) > 512", "max(initial=0) > 10**6"),
    "a list may beat its pool": ("hood/queries", "short = count >", "short = count > 99 +"),
    "a short list may beat its pool": (
        "hood/short",
        "or Counter(map(terms[0], filter(None, shown))) - Counter(map(terms[0], pool))",
        "",
    ),
    "small gains lost": ("gains", "np.expm1(x * np.log(2))", "gains"),
    "0/0 is 0 in silence": ("hood/queries", "if empty is None or isinstance(empty, str):", "if False:"),
    "nan beyond the cutoff unseen": ("hood/short", " and (kinds == {int} or sum(rel) >= 0)", ""),
    "blocks overwrite each other": ("hood/sums", "sums[at] = add(", "sums[: len(lists.size[at])] = add("),
    # the seams
    "like wins over what was said": (
        "hood/conventions",
        "if key in known} | given",
        "if key in known} | given | {key: getattr(whole, key) for key in SETTINGS if key in known}",
    ),
    "like forgets a setting": (
        "hood/conventions",
        "for key in SETTINGS if key in known} | given",
        'for key in SETTINGS if key in known and key != "ties"} | given',
    ),
    "like gives a measure what it does not have": (
        "hood/conventions",
        "for key in SETTINGS if key in known} | given",
        "for key in SETTINGS} | given",
    ),
    "unknown keywords pass": ("hood/conventions", "if not keywords.keys() <= known:", "if False:"),
    "a convention is not checked": ("hood/conventions", "for name, known in WORDS.items():", "for name, known in ():"),
    "a short list hears no settings": (
        "hood/short",
        "terms = None if rest or others or not _is_choice(empty)",
        "terms = None if rest or not _is_choice(empty)",
    ),
    "a short sum hears no settings": (
        "hood/short",
        "terms = None if rest or others else _terms(gain, discount, ties)",
        "terms = None if rest else _terms(gain, discount, ties)",
    ),
    "a query is read in the order shown": (
        "hood/queries",
        "return gains._replace(values=values, scores=scores, ties=self.how.ties)",
        "return gains",
    ),
    "a query forgets its tie rule": ("hood/queries", "scores=scores, ties=self.how.ties)", "scores=scores)"),
    "scores go by id, grades do not": (
        "hood/queries",
        "values, scores = (x._replace(flat=x.flat[self.order]) for x in (values, scores))",
        "scores = scores._replace(flat=scores.flat[self.order])",
    ),
    "another arithmetic is ignored": (
        "hood/queries",
        "self.cutoffs, self.how.arithmetic, share)",
        'self.cutoffs, "multiply", share)',
    ),
    "the ideal has an arithmetic of its own": (
        "hood/queries",
        "self.cutoffs, self.how.arithmetic, self.shown)",
        'self.cutoffs, "multiply", self.shown)',
    ),
    "a pool is not looked at for negative gains": ("hood/queries", "refuse_negative(judged, self.pool)", "pass"),
    "the rest of the reading is forgotten": ("hood/queries", "_read_order(ids, rel, grades, ranking, how)", "None"),
    "small sums stay small": ("hood/queries", "if not _in_range(best):", "if False:"),
    "the wrong list is named": (
        "hood/lists",
        'np.searchsorted(self.size.cumsum(), i, side="right")',
        "np.searchsorted(self.size.cumsum(), i)",
    ),
    "a word to the wrong line": ("hood/lists", "sys._getframe(1), 2", "sys._getframe(1), 1"),
    "ranks are taken without a word": ("hood/lists", "    _look_for_ranks(lists)\n", ""),
    "all gains are a function's first": (
        "hood/forms",
        "gains[np.searchsorted(levels, grades.flat)]",
        "gains[np.searchsorted(levels, grades.flat) * 0]",
    ),
    "a range is not looked at": ("hood/forms", "_refuse_outside(grades, form[1])", "pass"),
    "groups of one size": ("hood/sums", "at = count == m", "at = count >= m"),
    "every term a share of the last ideal": ("hood/sums", "share[:, j, None]", "share[:, -1, None]"),
    "missing queries are counted in": ("dialects", "len(lists.size) - len(keep), len(keep)", "0, len(keep)"),
    # part II
    "bad results are free": ("penalties", "    flat[bad] = -prices\n", ""),
    "the worst order is the best": (
        "penalties",
        "-highest(-self.values.table(at, np.inf), depth)",
        "highest(self.values.table(at), depth)",
    ),
    "rounding is a difference": ("penalties", "span[span <= 2e-15", "span[span <= 0"),
    "a list depends on its neighbours": ("penalties", "2e-15 * pools.size[:, None]", "2e-15 * pools.size.max()"),
    "large gains are not brought near 1": (
        "penalties",
        "np.abs(exponent) > 900).any()",
        "np.abs(exponent) > 9000).any()",
    ),
    "recall is cut": ("coverage", "q._replace(cutoffs=[NO_CUT]).sum(", "q.sum("),
    "gains do not fade": ("coverage", "        seen.update(document)\n", ""),
    "stale gains in the greedy ideal": (
        "coverage",
        "if (now := -worth(intents)) > bound:",
        "if (now := bound) > bound:",
    ),
    "the last among equals": ("coverage", "for i in reversed(range(len(pool))):", "for i in range(len(pool)):"),
    "all lists are cut at one rank": ("coverage", "[np.arange(len(column)), column]", "[:, 0]"),
    "every intent is as likely": ("coverage", "[likely @ part for", "[part.mean(axis=0) for"),
    "the least is at all zero": ("hood/gradings", "m = np.argmin(", "m = 0 * np.argmin("),
    "the most is at all best": (
        "hood/gradings",
        "ratio[:, None, None] * cost",
        "0 * ratio[:, None, None] * cost",
    ),
    "holes outside forgotten": ("hood/gradings", "np.maximum(pooled - holes, 0)", "0 * holes"),
    "a pool is looked at list by list": ("hood/gradings", "if x.shared:", "if not x.shared:"),
    "half rounded down": ("unjudged", "int(count + Fraction(1, 2))", "int(count + Fraction(49, 100))"),
    "every click counts once": (
        "unjudged",
        "q.rel.flat.astype(np.float64) / np.maximum(chance.flat, float(clip))",
        "q.rel.flat.astype(np.float64)",
    ),
    "ids from the lowest": ("hood/rankings", "key=ids.__getitem__, reverse=True", "key=ids.__getitem__"),
    "single precision ignored": ("hood/rankings", 'if precision == "float64":', "if True:"),
    "very low is not retrieved": (
        "hood/rankings",
        "return np.where((single == -np.inf) & (scores > -np.inf), -np.finfo(np.float32).max, single)",
        "return single",
    ),
    "-inf is never the lowest score": ("hood/queries", 'flat if how.minus_inf == "out" else', "flat if True else"),
    "no term is divided by the ideal": ("hood/queries", "if steps.by_ideal:", "if False:"),
    "nobody cuts by himself": ("hood/queries", 'k = settings.get("default_k") if k is None else k', "pass"),
    "the pool of a tool that has none": (
        "hood/ideals",
        '"list": Ideal(best_order, own=True),',
        '"list": Ideal(best_order),',
    ),
    "hits not counted": ("hood/ideals", "[::-1][:n] for i, n", "[::-1] for i, n"),
    "the truth sorted": ("hood/ideals", '"given": Ideal(as_given,', '"given": Ideal(best_order,'),
    "short lists reach every cutoff": ("hood/queries", "c != NO_CUT and c > n", "c > NO_CUT + n"),
    "negative grades count": ("hood/forms", "np.maximum(x.flat, 0)", "np.abs(x.flat)"),
    "no limit on grades": ("hood/forms", " & (flat <= legal[-1])", ""),
    "divided as multiplied": (
        "hood/sums",
        "return ARITHMETIC[arithmetic].steps(weights)",
        'return ARITHMETIC["multiply"].steps(weights)',
    ),
    "dot product as a running sum": ("hood/sums", '"dot": _dot, ', '"dot": _exact, '),
    "trec_eval in 64 bits": (
        "dialects",
        'precision="float32",\n    arithmetic="divide",',
        'precision="float64",\n    arithmetic="divide",',
    ),
    "missing queries count": ("dialects", 'if whole.missing == "zero" else np', "if True else np"),
    "each tool at no cutoff": (
        "hood/conventions",
        "return {key: getattr(self, key) for key in SETTINGS}",
        'return {key: getattr(self, key) for key in SETTINGS if key != "default_k"}',
    ),
    "nothing is near enough": (
        "dialects",
        "abs(x - reported) <= max(allowed, named(n).accuracy) + 1e-12",
        "abs(x - reported) < 0",
    ),
}


def suite(folder: Path, module: str = "") -> subprocess.CompletedProcess:
    "The tests, those of the module first: where there is a bug, they end at the first that fails"
    first = FIRST.get(module, ["test_fast_paths"])
    tests = sorted(SUITE, key=lambda name: not name.startswith(tuple(first)))
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
