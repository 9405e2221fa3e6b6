"""The runs of the sample collection, computed from its texts: python docs/samples.py writes them anew."""

from __future__ import annotations

import csv
import re
from collections import Counter
from math import log, sqrt
from pathlib import Path

KITCHEN = Path(__file__).parents[1] / "ndcg_nb" / "data" / "kitchen"
Texts = dict[str, Counter[str]]
Scores = dict[str, float]


def words(text: str) -> Counter[str]:
    "How often each word occurs, in small letters; nothing is stemmed or left out"
    return Counter(re.findall(r"[^\W_]+", text.lower()))


def rows(name: str) -> list[dict[str, str]]:
    "The rows of a table of the collection"
    with (KITCHEN / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def bm25(query: Counter[str], texts: Texts, k1: float = 0.9, b: float = 0.4) -> Scores:
    "Okapi's weighting: rare words count for more, repeated ones for less and less, and long texts are held back"
    usual = sum(text.total() for text in texts.values()) / len(texts)
    having = {word: sum(word in text for text in texts.values()) for word in query}
    rarity = {word: log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in having.items()}

    def score(text: Counter[str]) -> float:
        held_back = k1 * (1 - b + b * text.total() / usual)
        return sum(rarity[word] * text[word] / (text[word] + held_back) for word in query)

    return {name: score(text) for name, text in texts.items()}


def cosine(query: Counter[str], texts: Texts) -> Scores:
    "The angle between the counts of words"

    def length(counts: Counter[str]) -> float:
        return sqrt(sum(n * n for n in counts.values()))

    def score(text: Counter[str]) -> float:
        return sum(query[word] * text[word] for word in query) / (length(query) * length(text))

    return {name: score(text) for name, text in texts.items()}


def ranking(scores: Scores, most: int = 10) -> list[tuple[str, str]]:
    "The best documents and their scores, as written; those without a word in common are not found"
    found = [(name, f"{score:.4f}") for name, score in scores.items() if score > 0]
    return sorted(found, key=lambda pair: (-float(pair[1]), pair[0]))[:most]


def runs() -> dict[str, str]:
    "The two runs, by the names of their files"
    documents, queries = rows("documents.tsv"), {row["query"]: words(row["text"]) for row in rows("queries.tsv")}
    whole = {row["document"]: words(f"{row['title']} {row['text']}") for row in documents}
    titles = {row["document"]: words(row["title"]) for row in documents}
    systems = {"bm25": lambda query: bm25(query, whole), "titles": lambda query: cosine(query, titles)}
    return {
        f"{tag}.run": "".join(
            f"{name} Q0 {document} {rank} {score} {tag}\n"
            for name, query in queries.items()
            for rank, (document, score) in enumerate(ranking(system(query)), 1)
        )
        for tag, system in systems.items()
    }


def main() -> None:
    for name, text in runs().items():
        (KITCHEN / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
