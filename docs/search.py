"""What the search knows: the sections of all pages, their words, and what people call them. search.js asks it.

Sphinx's own search knows of pages only, fetches each page for a line of it, and counts a word in a title as much as
fifty in the text; it cannot be asked while one types, nor from a file."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any

import nav
from docutils import nodes
from formulas import mathml
from sphinx.addnodes import index, toctree

DOCS = Path(__file__).parent
# What people search for, where the words of titles and texts do not lead there: by page, or by section of a page
FOUND_BY = {
    "index": ["install", "conda", "docker", "pip", "license"],
    "index#short-answers": ["y_true y_score"],
    "quickstart": ["getting started", "tutorial", "first steps"],
    "quickstart#what-an-extra-adds": ["extras", "requirements", "dependencies"],
    "quickstart#coming-from-scikit-learn": ["y_true y_score", "ndcg_score"],
    "gains#a-grade-is-not-a-gain": ["binary relevance", "exponential gain", "star ratings", "grades from 1 to 5"],
    "normalized": ["nDCG"],
    "normalized#what-is-a-good-value": ["across datasets", "what is a good nDCG", "random baseline", "chance level"],
    "normalized#one-relevant-document": ["one relevant document", "single relevant document"],
    "normalized#where-dividing-goes-wrong": ["NaN", "0/0", "nDCG above 1"],
    "normalized#the-cutoff": ["which k", "choose k", "cutoff"],
    "normalized#tied-scores": ["where are ties handled"],
    "ideal": ["ideal", "ideal DCG"],
    "ideal#which-documents-count": ["pool"],
    "penalties": ["negative relevance", "negative grades", "spam"],
    "unjudged": ["unjudged", "missing judgements", "holes"],
    "judges": ["LLM judge", "LLM as a judge"],
    "judges#a-model-and-some-queries-judged-by-people": ["corrected mean"],
    "judges#how-many-queries-must-people-judge": ["how many queries judge"],
    "judges#agreement": ["annotator agreement", "annotators", "two annotators", "inter-annotator agreement", "kappa"],
    "recipes#several-judges-per-document": ["two annotators", "several annotators", "two judges"],
    "judging": ["annotation", "labelling", "active learning", "which documents to label", "depth pooling"],
    "estimates": ["click model", "position bias", "propensity", "infNDCG", "sampling"],
    "dialects": ["nDCG above 1", "y_true y_score", "default k"],
    "own_function": ["own implementation", "my ndcg", "validate", "unit test", "conformance", "from scratch"],
    "traps#one-trap-per-tool": ["xgboost default k", "lightgbm default k", "sklearn default k"],
    "surprises#what-is-a-tie": ["ties", "tied scores"],
    "beside": ["MRR", "MAP", "hit rate", "recall", "F1", "bpref"],
    "runs": ["NaN", "dataframe"],
    "runs#what-is-computed": ["speed", "how fast", "performance"],
    "runs#several-runs": ["duplicate", "duplicate documents"],
    "runs#per-slice-of-queries": ["group", "segment", "slices", "cohort", "query type", "facet", "breakdown"],
    "runs#weighted-by-traffic": ["weights", "weighted mean", "importance of queries"],
    "runs#how-sure-is-a-mean": ["confidence interval", "standard error"],
    "formats": ["hugging face", "LETOR", "SVMlight", "LangChain", "Elasticsearch", "polars"],
    "formats#vector-stores-and-recommenders": [
        "Qdrant",
        "Pinecone",
        "Weaviate",
        "Milvus",
        "Chroma",
        "pgvector",
        "FAISS",
        "Cohere",
        "Jina",
        "Voyage",
        "Algolia",
        "Meilisearch",
        "Typesense",
        "implicit",
        "RecBole",
        "LangSmith",
        "Langfuse",
        "BEIR",
        "RankLib",
        "RankLLM",
        "W&B",
    ],
    "sql#where-the-data-is": ["sqlite", "postgres", "database"],
    "comparisons": ["A/B", "baseline", "significance", "p-value"],
    "comparisons#how-large-is-the-difference": ["confidence interval"],
    "explanations#two-rankings": [
        "side by side",
        "compare lists one query",
        "compare two lists",
        "diff of two rankings",
    ],
    "power#how-many-queries": ["how many queries", "sample size", "variance", "standard deviation", "effect size"],
    "power#which-test-and-when-it-misleads": ["bootstrap", "few queries", "skewed differences", "Wilcoxon"],
    "many#why-p-must-be-adjusted": ["Bonferroni", "Holm", "Tukey", "multiple testing", "multiple comparisons"],
    "many#slices-of-queries": ["Simpson's paradox", "per category"],
    "critics": [
        "criticism",
        "ordinal scale",
        "interval scale",
        "user satisfaction",
        "MS MARCO",
        "A/B test",
        "interleaving",
    ],
    "critics#a-hundred-sampled-negatives": ["sampled metrics"],
    "report": ["report HTML", "dashboard"],
    "frameworks": ["group", "MLflow", "LGBMRanker"],
    "frameworks#scikit-learn": ["scorer", "GridSearchCV"],
    "frameworks#early-stopping-in-lightgbm-and-xgboost": ["early stopping", "eval_metric"],
    "frameworks#logging": ["wandb", "tensorboard"],
    "frameworks#over-batches": ["DDP", "distributed", "several GPUs", "multi GPU"],
    "frameworks#on-a-gpu": ["GPU", "GPUs", "CUDA"],
    "training": ["custom objective"],
    "losses": ["ListNet", "ListMLE"],
    "ci": ["CI", "regression test", "quality gate", "fail the build"],
    "ci#a-workflow-for-github-actions": ["pull request comment", "github comment", "gitlab"],
    "ci#the-numbers-of-each-release": ["monitoring", "drift", "history"],
    "glossary": ["macro average", "terms", "definitions"],
    "errors": ["error", "error message", "exception", "traceback", "warning", "ValueError", "TypeError", "KeyError"],
    "errors#no-relevant-document-ndcg-is-0-0": ["RuntimeWarning"],
    "errors#no-result-of-run-is-judged-for-its-query": ["no result is judged"],
    "recipes#held-out-items-of-a-recommender": ["implicit feedback", "leave one out", "recommender"],
    "recipes#ndcg-in-a-spreadsheet": ["spreadsheet", "Excel", "Google Sheets"],
    "recipes#a-measure-of-your-own": ["custom metric"],
    "references#how-to-cite": ["citation", "cite", "bibtex"],
    "accuracy": ["parity", "precision of numbers", "rounding"],
    "changes": ["upgrade", "changelog", "release notes", "breaking changes", "migrate", "migration"],
    "contributing": ["contribute", "add a tie rule", "add a measure", "llms.txt"],
    "contributing#report-a-mistake": ["report a bug", "bug", "issue"],
}
FRONT = {"short-answers"}  # of the sections of the index, what the front page has
OLD = re.compile(r"version-0-([0-9]|1[01])-0")  # versions of which only the numbers are found
UNSEEN = (index, toctree, nodes.raw, nodes.comment, nodes.math_block, nodes.image, nodes.title)
NO_WORDS = re.compile(r"<(script|style|svg)\b.*?</\1>|<.*?>|&\w+;", re.S)


def anchor(section: nodes.section) -> str:
    "Where a link to a section leads: a name if it has one, and not a counter, which changes with the page"
    return next((name for name in section["ids"] if not re.fullmatch(r"id\d+", name)), section["ids"][0])


def prose(node: nodes.Node) -> Iterator[str]:
    "The words of a section, without its code and those of sections in it"
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif isinstance(node, nodes.math):
        yield unescape(re.sub("<.*?>", "", mathml(node.astext(), "inline")))
    elif not isinstance(node, (*UNSEEN, nodes.literal_block, nodes.section)):
        yield from chain.from_iterable(map(prose, node.children))
        if not isinstance(node, nodes.Inline):
            yield " "


def code(section: nodes.section, told: str) -> set[str]:
    "The names in its code, and the words of what is printed, or made as HTML, without those of its text"
    own = [child for child in section.children if not isinstance(child, nodes.section)]
    blocks = [block.astext() for child in own for block in child.findall(nodes.literal_block)]
    made = [NO_WORDS.sub(" ", block.astext()) for child in own for block in child.findall(nodes.raw)]
    words = {word.lower() for text in blocks + made for word in re.findall(r"[^\W\d]\w+", text)}
    return words - {*re.findall(r"\w+", told.lower())}


def sections(page: str, tree: nodes.document) -> Iterator[list[str]]:
    "Page, anchor, title, words, names in code, and what people call it"
    for section in tree.findall(nodes.section):
        is_page = section.parent is tree
        to = "" if is_page else anchor(section)
        if page == "index" and to not in FRONT:
            to = ""
        title = section.next_node(nodes.title).astext().strip()
        text = re.sub(r"\s+", " ", "".join(chain.from_iterable(map(prose, section.children)))).strip()
        if OLD.fullmatch(to):
            text = ""
        called = FOUND_BY.get(page if is_page else f"{page}#{to}", [])
        yield [page, to, title, text, " ".join(sorted(code(section, text))), "\n".join(called)]


def worth(page: str) -> float:
    "How much a find on a page counts: most on pages of use, least where every word is found"
    if page.startswith("reference") or page != nav.entry(page):
        return 0.7
    return 1.3 if page in nav.PARTS[nav.USE] else 1.0


def write(app: Any, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    target = Path(app.outdir) / "_static"
    shutil.copy(DOCS / "search.js", target)
    pages = sorted(app.env.found_docs)
    for name, is_hood in (("pages", False), ("hood", True)):
        chosen = [page for page in pages if page.startswith("hood/") is is_hood]
        found = [section for page in chosen for section in sections(page, app.env.get_doctree(page))]
        called = {page: [app.env.titles[page].astext(), worth(page)] for page in chosen}
        told = json.dumps([called, found], ensure_ascii=False, separators=(",", ":"))
        (target / f"search-{name}.js").write_text(f"search({told});\n", "utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
