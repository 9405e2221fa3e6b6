"""The same number as another tool, side by side on random problems, where it is installed: `make parity` does that."""

import json
import logging
import os
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, needed
from shared.live import LIVE, own_ndcg
from shared.tolerances import near

from ndcg_nb import dcg, evaluate, ndcg, which

WRITES = "WRITE_PEERS" in os.environ  # keep what tools say today


@pytest.mark.parametrize("seed", range(40))
def test_scikit_learn(seed: int) -> None:
    metrics = needed("sklearn.metrics")
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 8), rng.integers(2, 300)
    truth = rng.integers(0, 5, shape) if seed % 2 else rng.random(shape) * rng.choice([1, 100])
    scores = rng.random(shape) if seed % 3 else rng.integers(0, 5, shape).astype(float)
    for k in (None, 1, 7, int(shape[1]) + 3):
        expected = [metrics.ndcg_score([t], [s], k=k) for t, s in zip(truth, scores)]  # row by row: it only gives means
        assert ndcg(truth, k, scores=scores, empty=0) == near(expected)
        if seed % 3:  # without ties every rule gives the same
            for ties in ("first", "last", "best", "worst"):
                assert ndcg(truth, k, scores=scores, ties=ties, empty=0) == near(expected)
        expected = [metrics.dcg_score([t], [s], k=k, log_base=10) for t, s in zip(truth, scores)]
        assert dcg(truth, k, scores=scores, discount=("log", 10)) == near(expected)


def test_scikit_learn_with_negative_grades() -> None:
    metrics = needed("sklearn.metrics")
    truth = [[-1.0, 2.0, 0.5, -3.0]]
    scores = [[0.3, 0.3, 0.9, 0.1]]
    assert dcg(truth[0], scores=scores[0]) == near(metrics.dcg_score(truth, scores))


# Tools for RAG, model registries and recommenders. Lists without scores, so without ties, and without repeats.


class Problem:
    "Documents in the order shown, and the grades of all that were judged"

    def __init__(self, seed: int, highest: int = 1) -> None:
        rng = np.random.default_rng(seed)
        ids = [f"d{i}" for i in rng.permutation(30)]
        self.k = int(rng.integers(1, 12))
        self.shown = ids[: rng.integers(1, 20)]
        judged = [*rng.choice(self.shown, rng.integers(0, len(self.shown) + 1), replace=False).tolist(), *ids[25:]]
        self.grades = {
            document: int(rng.integers(1, highest + 1)) for document in judged[: -rng.integers(0, 5) or None]
        }

    @property
    def top(self) -> list[str]:
        "What a tool without a cutoff is given"
        return self.shown[: self.k]

    def ours(self, like: str, k: int | None = None) -> float:
        rel = [self.grades.get(document, 0) for document in self.shown]
        return ndcg(
            rel, k or self.k, pool=[*rel, *(g for d, g in self.grades.items() if d not in self.shown)], like=like
        )


SEEDS = pytest.mark.parametrize("seed", range(30))


@SEEDS
def test_llama_index(seed: int) -> None:
    metrics = needed("llama_index.core.evaluation.retrieval.metrics")
    p = Problem(seed)
    theirs = metrics.NDCG().compute(expected_ids=[*p.grades], retrieved_ids=p.top).score
    assert p.ours("llama-index") == near(theirs)


@SEEDS
def test_haystack(seed: int) -> None:
    haystack = needed("haystack")
    evaluators = needed("haystack.components.evaluators")
    p = Problem(seed, 4)
    golden = [haystack.Document(content=document, score=float(grade)) for document, grade in p.grades.items()]
    returned = [haystack.Document(content=document) for document in p.top]
    theirs = evaluators.DocumentNDCGEvaluator().run(ground_truth_documents=[golden], retrieved_documents=[returned])
    assert p.ours("haystack") == near(theirs["individual_scores"][0])


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
@SEEDS
def test_mlflow(seed: int) -> None:
    metrics = needed("mlflow.metrics")
    p = Problem(seed)
    theirs = metrics.ndcg_at_k(p.k).eval_fn(pd.Series([p.shown]), pd.Series([[*p.grades]]))
    assert p.ours("mlflow") == near(theirs.scores[0])


@pytest.mark.filterwarnings("ignore")
def test_mlflow_logs_what_the_page_gives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    "Of the names that measures have here it refuses `@` and brackets, as the page on frameworks says"
    mlflow = needed("mlflow")
    names = {}
    cells = json.loads((ROOT / "nbs/13b_frameworks.ipynb").read_text("utf-8"))["cells"]
    exec("".join(next(cell["source"] for cell in cells if "\nmetrics = {" in "".join(cell["source"]))), names)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as started:
        mlflow.log_metrics(names["metrics"])
        for name in names["means"].index:
            with pytest.raises(mlflow.MlflowException, match="Names may only contain"):
                mlflow.log_metrics({name: 0.5})
    assert mlflow.get_run(started.info.run_id).data.metrics == names["metrics"]


@pytest.mark.filterwarnings("ignore")  # it is a preview, and says so
@SEEDS
def test_azure(seed: int) -> None:
    evaluation = needed("azure.ai.evaluation")
    p = Problem(seed, 4)
    logging.disable(logging.CRITICAL)  # it writes a line for each list with an unjudged document
    golden = [{"document_id": document, "query_relevance_label": grade} for document, grade in p.grades.items()]
    returned = [{"document_id": document, "relevance_score": float(-i)} for i, document in enumerate(p.shown)]
    theirs = evaluation.DocumentRetrievalEvaluator()(retrieval_ground_truth=golden, retrieved_documents=returned)
    logging.disable(logging.NOTSET)
    theirs = theirs.get("document_retrieval_properties", theirs)
    assert p.ours("azure", 3) == near(theirs["ndcg@3"])


@SEEDS
def test_lenskit(seed: int) -> None:
    data = needed("lenskit.data")
    metrics = needed("lenskit.metrics")
    p = Problem(seed)
    theirs = metrics.NDCG(n=p.k).measure_list(
        data.ItemList(item_ids=p.shown, ordered=True), data.ItemList(item_ids=[*p.grades])
    )
    assert p.ours("lenskit") == near(theirs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@SEEDS
def test_rectools(seed: int) -> None:
    metrics = needed("rectools.metrics")
    p = Problem(seed)
    shown = pd.DataFrame({"user_id": 0, "item_id": p.shown, "rank": np.arange(1, len(p.shown) + 1)})
    theirs = metrics.NDCG(k=p.k).calc_per_user(shown, pd.DataFrame({"user_id": 0, "item_id": [*p.grades]}))
    assert p.ours("rectools") == near(theirs.loc[0])


@SEEDS
def test_sentence_transformers(seed: int) -> None:
    "Its evaluator, from given hits on; ties are broken in its search, which is not run here"
    evaluation = needed("sentence_transformers.sentence_transformer.evaluation")
    p = Problem(seed)
    asked = evaluation.InformationRetrievalEvaluator(
        {"q": "?"}, dict.fromkeys([*p.shown, *p.grades], ""), {"q": {*p.grades}}, ndcg_at_k=[p.k]
    )
    hits = [{"corpus_id": document, "score": float(-i)} for i, document in enumerate(p.shown)]
    assert p.ours("sentence-transformers") == near(asked.compute_metrics([hits])["ndcg@k"][p.k])


def rows_of(answers: dict[str, list[Any]], document: str, score: str) -> pd.DataFrame:
    "The rows of a run, as the page about RAG makes them"
    rows = [(q, getattr(hit, document), getattr(hit, score)) for q, hits in answers.items() for hit in hits]
    return pd.DataFrame(rows, columns=["query", "document", "score"])


def test_objects_of_llama_index_become_a_run() -> None:
    schema = needed("llama_index.core.schema")
    hits = [schema.NodeWithScore(node=schema.TextNode(id_=x, text=x), score=s) for x, s in (("a", 0.2), ("b", 0.9))]
    assert float(evaluate({"q": {"b": 1}}, rows_of({"q": hits}, "node_id", "score"), "ndcg@10")) == 1


def test_objects_of_haystack_become_a_run() -> None:
    haystack = needed("haystack")
    hits = [haystack.Document(id=x, content=x, score=s) for x, s in (("a", 0.2), ("b", 0.9))]
    assert float(evaluate({"q": {"b": 1}}, rows_of({"q": hits}, "id", "score"), "ndcg@10")) == 1


# What `which` says of each tool, asked as a function: one that has changed fails with the sentence of what changed.
# `WRITE_PEERS=1 make parity` writes down what they say, for the table on the page of dialects.

FILE = ROOT / "tests/golden/peers.json"


def versions() -> dict[str, str]:
    "The packages that are installed"
    return {each.name: each.version for each in distributions()}


def of_pytrec_eval(qrels: dict[str, float], run: dict[str, float], k: int) -> float:
    tool = needed("pytrec_eval")
    return tool.RelevanceEvaluator({"q": qrels}, {f"ndcg_cut.{k}"}).evaluate({"q": run})["q"][f"ndcg_cut_{k}"]


def of_ir_measures(qrels: dict[str, float], run: dict[str, float], k: int) -> float:
    tool = needed("ir_measures")
    return tool.calc_aggregate([tool.nDCG @ k], {"q": qrels}, {"q": run})[tool.nDCG @ k]


def of_ranx(metric: str) -> Any:
    def function(qrels: dict[str, float], run: dict[str, float], k: int) -> float:
        tool = needed("ranx")
        judged = tool.Qrels({"q": {d: int(g) for d, g in qrels.items() if g == int(g) or 1 / 0}})
        return tool.evaluate(judged, tool.Run({"q": run}), f"{metric}@{k}")

    return function


def of_llama_index(relevant: dict[str, float], retrieved: list[str], k: int) -> float:
    metrics = needed("llama_index.core.evaluation.retrieval.metrics")
    return metrics.NDCG().compute(expected_ids=[*relevant], retrieved_ids=retrieved[:k]).score


def of_haystack(relevant: dict[str, float], retrieved: list[str], k: int) -> float:
    document = needed("haystack").Document
    evaluators = needed("haystack.components.evaluators")
    golden = [document(content=name, score=float(grade)) for name, grade in relevant.items()]
    returned = [document(content=name) for name in retrieved[:k]]
    done = evaluators.DocumentNDCGEvaluator().run(ground_truth_documents=[golden], retrieved_documents=[returned])
    return done["individual_scores"][0]


def of_mlflow(relevant: dict[str, float], retrieved: list[str], k: int) -> float:
    metrics = needed("mlflow.metrics")
    return metrics.ndcg_at_k(k).eval_fn(pd.Series([retrieved]), pd.Series([[*relevant]])).scores[0]


def of_lenskit(relevant: dict[str, float], retrieved: list[str], k: int) -> float:
    items = needed("lenskit.data").ItemList
    metrics = needed("lenskit.metrics")
    return metrics.NDCG(n=k).measure_list(items(item_ids=retrieved, ordered=True), items(item_ids=[*relevant]))


def of_rax(rel: list[float], scores: list[float], k: int) -> float:
    array = needed("jax.numpy").array
    return float(needed("rax").ndcg_metric(array(scores), array(rel), topn=k))


def of_lists(module: str, form: str = "") -> Any:
    def function(rel: list[float], scores: list[float], k: int) -> float:
        if not rel:
            raise ValueError("some of these end the program for an empty list")
        return own_ndcg(needed(module), rel, scores, k, form)

    return function


def of_scikit_learn(rel: list[float], scores: list[float], k: int) -> float:
    return needed("sklearn.metrics").ndcg_score([rel], [scores], k=k)


PEERS: dict[str, tuple[str, Any, str]] = {  # by the dialect that it has: its package, how it is asked, and on what
    "sklearn": ("scikit-learn", of_scikit_learn, "lists"),
    "lightgbm": ("lightgbm", of_lists("lightgbm"), "lists"),
    "torchmetrics": ("torchmetrics", of_lists("torchmetrics.functional.retrieval"), "lists"),
    "rax": ("rax", of_rax, "lists"),
    "pytrec_eval": ("pytrec_eval-terrier", of_pytrec_eval, "runs"),
    "ir_measures": ("ir_measures", of_ir_measures, "runs"),
    "ranx": ("ranx", of_ranx("ndcg"), "runs"),
    "ranx-burges": ("ranx", of_ranx("ndcg_burges"), "runs"),
    "llama-index": ("llama-index-core", of_llama_index, "ids"),
    "haystack": ("haystack-ai", of_haystack, "ids"),
    "mlflow": ("mlflow-skinny", of_mlflow, "ids"),
    "lenskit": ("lenskit", of_lenskit, "ids"),
}
PEERS |= {name: (module.partition(".")[0], of_lists(module, form), "lists") for name, module, form in LIVE if form}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PEERS)
def test_which_of_a_tool(name: str) -> None:
    "It has the settings of its dialect, as far as the problems tell"
    package, function, on = PEERS[name]
    installed = versions().get(package) or versions().get(f"{package}-cpu")
    if installed is None:
        pytest.skip(f"{package} is not installed")
    logging.disable(logging.CRITICAL)
    found = which(function, on=on, seconds=200)  # some are compiled when first asked
    logging.disable(logging.NOTSET)
    kept = json.loads(FILE.read_text("utf-8"))
    now = {"package": package, "version": installed, "asked": len(found.answers.values), "says": found.notes[0]}
    now["slip"] = found.slip
    now["like"] = name in found.like
    if WRITES:
        FILE.write_text(json.dumps(dict(sorted((kept | {name: now}).items())), indent=1, ensure_ascii=False) + "\n")
        return
    assert found.like and now["like"], f"{package} {installed} is not {name}: {found}"
    before = kept.get(name, now | {"version": "nothing was kept"})
    assert {x: now[x] for x in ("says", "slip", "like")} == {x: before[x] for x in ("says", "slip", "like")}, (
        f"{package} {installed} has changed since {before['version']}: {found}"
    )
