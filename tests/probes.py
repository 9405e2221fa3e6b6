"""What each dialect, and each tool where its numbers are kept, says of the problems in `ndcg_nb/data/probes.json`.

The problems are written there by hand; `python tests/probes.py` makes the rest again."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from shared.match import GOLDEN, VARIANTS

from ndcg_nb.dialects import DIALECTS, mean_by
from ndcg_nb.hood.core.conventions import GAINS, POSITIVE, gains_of, weights_of
from ndcg_nb.hood.core.lists import NO_CUT
from ndcg_nb.hood.core.queries import read_query
from ndcg_nb.hood.core.rankings import TIES
from ndcg_nb.hood.core.sums import IDEALS, add_up


class Problem(NamedTuple):
    "A problem as it is written by hand"

    name: str
    shows: str  # What it separates
    k: int
    judged: dict[str, float]  # The grade of each judged document
    results: list[Any]  # Documents and their scores, as given
    case: str = ""  # Its name among the golden results of tools, where it is one of them

    def grades(self, results: list[Any]) -> list[float]:
        "The grades of results; what was not judged has 0"
        return [self.judged.get(document, 0) for document, _ in results]

    def fields(self) -> dict[str, Any]:
        "The problem in every form in which a function may be given it"
        ids, scores = ([x[i] for x in self.results] for i in (0, 1))
        ranked = sorted(self.results, key=lambda x: -x[1])
        lines = [f"q1 Q0 {document} {rank} {score} run\n" for rank, (document, score) in enumerate(ranked, 1)]
        found: dict[str, Any] = {key: x for key, x in self._asdict().items() if x != ""}
        found["qrels file"] = "".join(f"q1 0 {document} {grade}\n" for document, grade in self.judged.items())
        found["run file"] = "".join(lines)
        found["file"] = f"{self.name.replace(' ', '_')}@{self.k}"
        is_tied = len({np.float32(x) for x in scores}) < len({*ids})
        if len({*ids}) == len(ids):
            rel = self.grades(self.results)
            found |= {"run": dict(self.results), "rel": rel, "scores": scores}
            if rel:
                found["row"] = "\t".join([self.name, str(self.k), *(" ".join(map(str, x)) for x in (rel, scores))])
        if len({*ids}) == len(ids) and not is_tied:
            found["ranked"] = self.grades(ranked)
        if not is_tied:
            found["relevant"] = {document: grade for document, grade in self.judged.items() if grade > 0}
            found["retrieved"] = [document for document, _ in ranked]
        return found


def problems_of(suite: dict[str, Any]) -> list[Problem]:
    "The problems without what is made of them"
    return [Problem(**{key: x for key, x in each.items() if key in Problem._fields}) for each in suite["problems"]]


PROBES = Path(__file__).parents[1] / "ndcg_nb/data/probes.json"


def data_of(problem: Problem, seen: str) -> dict[str, Any]:
    "A problem as `ndcg` takes it: a list with its scores, or with all that was judged and ids, too"
    names = [document for document, _ in problem.results]
    given: dict[str, Any] = {"scores": [score for _, score in problem.results]}
    rel = problem.grades(problem.results)
    if seen == "runs":
        unjudged = [0] * sum(name not in problem.judged for name in names)
        given |= {"pool": [*problem.judged.values(), *unjudged], "ids": names}
    return {"rel": rel, "k": problem.k} | given


def says(name: str, problem: Problem, seen: str) -> float | str:
    "What a dialect says of a problem: a number, or why there is none"
    if problem.name == "twice":
        return "a document is there twice"
    try:
        return mean_by(DIALECTS[name], **data_of(problem, seen)).value
    except ValueError as error:
        return str(error).partition(": ")[0]


VIEWS = {"retrieved": "lists", "trec": "runs"}  # what a tool was handed: the results, or all that was judged, too
SHUFFLED = ("tfr",)  # tools that draw lots among ties


def by_tools(problems: list[Problem]) -> dict[str, dict[str, dict[str, float]]]:
    "What tools said themselves, by the dialect that is theirs without a change"
    found: dict[str, dict[str, dict[str, float]]] = {"lists": {}, "runs": {}}
    cases = {problem.case: problem.name for problem in problems if problem.case}
    for result in json.loads(GOLDEN.read_text("utf-8"))["results"]:
        tool = f"{result['tool']} {result['version']}"
        same = VARIANTS.get((tool, result["variant"])) or VARIANTS.get((result["tool"], result["variant"]))
        seen = VIEWS.get(result["view"])
        if same is None or seen is None or same.but or same.cut != "k" or same.measure != "ndcg" or same.truth:
            continue
        for one in result["on"]:
            value = (one.get("per_query") or {}).get("1")
            problem = cases.get(one["case"])
            drawn = same.name in SHUFFLED and str(problem).startswith("tie ")
            if problem is not None and not drawn and isinstance(value, float) and math.isfinite(value):
                found[seen].setdefault(same.name, {})[problem] = value
    return found


# ------------------------------------------------------------------------------------------- what all settings say
AXES: dict[str, list[Any]] = {  # the natural logarithm gives the same nDCG as base 2
    "gain": [*GAINS, *POSITIVE],
    "discount": ["log2", ["jk", 2], "zipf"],
    "ties": [*TIES],
    "ideal": ["list", *(x for x in IDEALS if x != "list")],  # the first stands for its equals: a list has no other pool
}
Given = dict[str, Any]
RIGHT = {"": "", "float32": ""}  # no slips: scores have 64 bits, or 32
SLIPS = {
    "scores ignored": "results are ranked as given, whatever their scores",
    "ascending": "results are sorted from the lowest score to the highest",
    "list not cut": "the ideal ends at k, and the list does not",
    "zeros removed": "results of grade 0 are removed before ranking, so that others move up",
    "counted twice": "a document that comes twice counts twice",
    "no ideal": "this is DCG: it is divided by nothing",
    "clamped": "the ideal ends at k and the list does not, and what is above 1 is cut to 1",
    "log2(i) + 1": "rank i weighs 1 / (log2(i) + 1), so a bracket is missing: log2(i + 1) is meant",
    "log2(i + 2)": "rank i weighs 1 / log2(i + 2): ranks were counted from 0, and begin at 1 there",
    "2**rel - 1 / log": "the 1 is divided instead of 2**rel - 1: brackets are missing",
}


HINTS = {  # what an ideal means for those who read the number
    "top": "With this ideal one right result at rank 1 gives 1, whatever was missed.",
    "hits": "With this ideal a list of one right result gives 1, whatever was missed.",
    "uncut": "With this ideal a query with 20 relevant documents reaches at most 0.645 at k = 10.",
    "full": "With this ideal a query with one relevant document reaches at most 0.220 at k = 10.",
}


def sums(given: Given, settings: dict[str, Any], cut: bool = True) -> tuple[Any, Any]:
    "DCG and IDCG of a problem, without the refusals that protect users"
    how = {key: x for key, x in settings.items() if key not in ("gain", "discount")}
    q = read_query(**given, **how)
    gains = gains_of(settings["gain"], q.rel, q.pool)
    weights = weights_of(settings["discount"])
    top, best = q.sums(*gains, weights)
    if not cut:
        top = add_up(q.ordered(gains[0]), weights, [NO_CUT])
    return float(top[0, 0]), float(best[0, 0])


def less_inside(problem: Problem, given: Given, settings: dict[str, Any]) -> tuple[float, float]:
    "The sums of 2^rel − 1/log2(i + 1): those of 2^rel − 1, and for each rank 1 less its weight"
    found = []
    top, best = sums(given, settings | {"gain": "exp", "discount": np.ones_like})
    judged = problem.judged if "pool" in given else problem.results
    for value, length in zip((top, best), (len(problem.results), len(judged))):
        n = min(length, given["k"])
        found.append(value + sum(1 - 1 / math.log2(i + 2) for i in range(n)))
    return found[0], found[1]


def slipped(slip: str, problem: Problem, given: Given, settings: dict[str, Any]) -> float:
    "What a function with these settings and this slip says; nan for 0/0"
    scores = given["scores"]
    if slip == "float32":
        settings = settings | {"precision": "float32"}
    if slip == "scores ignored":
        given = given | {"scores": [-i for i, _ in enumerate(scores)]}
    if slip == "ascending":
        given = given | {"scores": [-x for x in scores]}
    if slip == "zeros removed":
        given = given | {"scores": [x if g > 0 else -math.inf for x, g in zip(scores, given["rel"])]}
    if slip.startswith("log2"):
        settings = settings | {"discount": LOGS[slip]}
    if slip != "counted twice":
        names = [document for document, _ in problem.results]
        given = given | {"rel": [0 if x in names[:i] else g for i, (x, g) in enumerate(zip(names, given["rel"]))]}
    if slip == "2**rel - 1 / log":
        top, best = less_inside(problem, given, settings)
    else:
        top, best = sums(given, settings, cut=slip not in ("list not cut", "clamped"))
    if slip == "no ideal":
        best = 1
    value = top / best if best > 0 else math.nan
    return min(value, 1) if slip == "clamped" and value > 1 else value


LOGS = {"log2(i) + 1": lambda i: 1 / (np.log2(i) + 1), "log2(i + 2)": lambda i: 1 / np.log2(i + 2)}


def column(slip: str, problem: Problem, seen: str) -> list[float]:
    "What all settings say of a problem; infinite where they say nothing: of a gain below 0, of nothing at all"
    names = [document for document, _ in problem.results]
    given = data_of(problem, seen) | {"ids": [f"{x} again" * (x in names[:i]) or x for i, x in enumerate(names)]}
    tied = len({np.float32(score) for _, score in problem.results}) < len(problem.results)
    known: dict[Any, float] = {}
    found = []
    for values in product(*AXES.values()):
        settings = dict(zip(AXES, (tuple(x) if isinstance(x, list) else x for x in values)))
        key = tuple(x for name, x in settings.items() if tied or name != "ties")
        if key not in known:
            negative = settings["gain"] in ("linear", "exp") and min(given["rel"], default=0) < 0
            value = math.inf if negative else slipped(slip, problem, given, settings)
            known[key] = math.inf if math.isnan(value) and not problem.results else value
        found.append(known[key])
    return found


def numbers() -> dict[str, np.ndarray]:
    "What all settings say, with each slip and without: each number once, and where it stands"
    problems = problems_of(json.loads(PROBES.read_text("utf-8")))
    tables = {}
    for seen in ("lists", "runs"):
        rows = [[column(slip, x, seen) for x in problems] for slip in RIGHT | SLIPS]
        tables[seen] = np.array(rows).round(15).transpose(0, 2, 1)
    values = np.unique(np.concatenate([x.ravel() for x in tables.values()]))
    index = {seen: np.searchsorted(values, x).astype(np.uint16) for seen, x in tables.items()}
    return {"values": values} | index


def made() -> dict[str, Any]:
    "The whole file"
    kept = json.loads(PROBES.read_text("utf-8"))
    problems = problems_of(kept)
    expected = {
        seen: {name: {x.name: says(name, x, seen) for x in problems} for name in DIALECTS} for seen in ("lists", "runs")
    }
    return {
        "version": kept["version"],
        "axes": AXES,
        "slips": RIGHT | SLIPS,
        "hints": HINTS,
        "problems": [x.fields() for x in problems],
        "expected": expected,
        "tools": by_tools(problems),
    }


def written(suite: dict[str, Any]) -> str:
    "The file, a line for each problem and each tool"

    def line(x: Any) -> str:
        return json.dumps(x, ensure_ascii=False)

    def block(x: dict[str, Any], indent: str) -> str:
        return "{\n" + ",\n".join(f"{indent} {line(key)}: {line(each)}" for key, each in x.items()) + f"\n{indent}}}"

    parts = [f' "version": {line(suite["version"])}']
    parts += [f' "{key}": {block(suite[key], " ")}' for key in ("axes", "slips", "hints")]
    problems = ",\n".join(f"  {line(x)}" for x in suite["problems"])
    parts.append(f' "problems": [\n{problems}\n ]')
    for key in ("expected", "tools"):
        seen = ",\n".join(f"  {line(name)}: {block(x, '  ')}" for name, x in suite[key].items())
        parts.append(f' "{key}": {{\n{seen}\n }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    PROBES.write_text(written(made()), "utf-8")
    np.savez_compressed(PROBES.with_name("settings.npz"), **numbers())
