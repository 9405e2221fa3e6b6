"""What the calls of the golden record name: the public functions, data, and files in the folder where they are made."""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
import random
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

import ndcg_nb

QRELS = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}
RUN = {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]}
OTHER = {"q1": ["c", "x", "a"], "q2": ["e", "d"], "q3": ["f", "y"]}
VALUES = {
    "A": {"q1": 0.60, "q2": 0.50, "q3": 0.70, "q4": 0.40, "q5": 0.55, "q6": 0.65, "q7": 0.30, "q8": 0.80},
    "B": {"q1": 0.70, "q2": 0.60, "q3": 0.75, "q4": 0.60, "q5": 0.65, "q6": 0.60, "q7": 0.45, "q8": 0.85},
    "C": {"q1": 0.62, "q2": 0.48, "q3": 0.71, "q4": 0.41, "q5": 0.50, "q6": 0.66, "q7": 0.33, "q8": 0.79},
}
MODEL = [0.92, 0.71, 0.55, 0.83, 0.64, 0.97, 0.48, 0.76, 0.88, 0.59, 0.69, 0.81]
HUMAN = [0.85, 0.66, 0.47, 0.80, 0.55, 0.91, 0.30, 0.74, 0.79, 0.58, None, None]


def made(queries: int, depth: int = 12, seed: int = 7) -> tuple[dict[str, Any], dict[str, Any]]:
    "Judgements and four runs: a third of the documents is not judged, some scores are equal, a query has no grade"
    draw = random.Random(seed)
    qrels: dict[str, Any] = {}
    runs: dict[str, Any] = {name: {} for name in ("old", "new", "wide", "odd")}
    for n in range(queries):
        query = f"q{n:02}"
        grades = {f"d{i:02}": draw.choice((0, 0, 0, 1, 1, 2, 3)) for i in range(20)}
        qrels[query] = {name: grade * (n % 9 != 8) for name, grade in grades.items() if draw.random() < 0.7}
        for place, run in enumerate(runs.values()):
            scores = {name: draw.randrange(40) + grade * (3 + place) for name, grade in grades.items()}
            best = sorted(scores, key=lambda name: (-scores[name], name))[: depth - place]
            run[query] = {name: scores[name] / 4 for name in best}
    del runs["odd"]["q01"]
    runs["wide"]["q99"] = {"d00": 1.0}
    return qrels, runs


FILES = {  # written into the folder of the record, as UTF-8
    "qrels": "q1 0 a 3\nq1 0 b 0\nq1 0 c 2\nq2 0 d 1\nq2 0 e 2\nq3 0 f 2\nq3 0 g 0\n",
    "run": "q1 Q0 a 1 0.9 me\nq1 Q0 b 2 0.8 me\nq1 Q0 c 3 0.7 me\nq2 Q0 d 1 0.9 me\nq2 Q0 e 2 0.1 me\n",
    "tied": "q1 Q0 a 1 0.5 me\nq1 Q0 b 2 0.5 me\nq1 Q0 z 3 0.5 me\nq9 Q0 d 1 0.9 me\n",
    "twice": "q1 Q0 a 1 0.5 me\nq1 Q0 a 2 0.4 me\n",
    "foreign": "q1 Q0 n 1 0.5 me\nq2 Q0 m 1 0.4 me\n",
    "short": "q1 Q0 a 1 0.5 me\nq1 Q0\n",
    "wordy": "q1 0 a three\n",
    "empty": "",
    "blank": "\n\n",
    "table.csv": "query,document,grade,score\nq1,a,3,0.9\nq1,b,0,0.8\nq2,d,1,0.5\n",
    "odd.csv": "topic,thing,value\nq1,a,3\n",
    "nan.csv": "query,document,score\nq1,a,nan\nq1,b,2\n",
    "run.json": '{"q1": {"a": 0.9, "c": 0.5}, "q2": {"e": 1.0}}',
    "broken.json": '{"q1": {"a": 0.9',
    "lines.jsonl": '{"query": "q1", "document": "a", "score": 0.9}\n{"query": "q1", "document": "b"}\n',
    "letor.txt": "3 qid:q1 1:0.5 # a\n0 qid:q1 1:0.2 # b\n1 qid:q2 1:0.2 # d\n",
    "slices.tsv": "q1\teasy\nq2\thard\nq3\thard\n",
    "halves.tsv": "".join(f"q{n:02}\t{('odd', 'even')[n % 2 == 0]}\n" for n in range(1, 11)),
    "weights.tsv": "q1\t1\nq2\t2\nq3\t1\n",
    "heavy.tsv": "".join(f"q{n:02}\t{n}\n" for n in range(1, 11)),
    "bad.tsv": "q1\t-1\n",
    "judged.tsv": "query\tdocument\tgrade\nq01\tegg-salt\t1\n",
}


def names() -> dict[str, Any]:
    "What the calls name: the public functions, and data"
    known: dict[str, Any] = {name: getattr(ndcg_nb, name) for name in ndcg_nb.__all__ if name != "explore"}
    for name, place in ndcg_nb.MOVED.items():
        if not place.startswith(("ndcg_nb.widgets", "ndcg_nb.plots", "ndcg_nb.report", "ndcg_nb.hood")):
            known[name] = getattr(import_module(place), name)
    known |= {"which_run": import_module("ndcg_nb.runs").which_run}
    known |= {"nan": math.nan, "inf": math.inf, "sqrt": math.sqrt, "math": math, "ndcg_nb": ndcg_nb, "np": np, "pd": pd}
    known |= {"Decimal": Decimal, "Fraction": Fraction, "bz2": bz2, "gzip": gzip, "lzma": lzma}
    return known | data() | tables()


def data() -> dict[str, Any]:
    "Judgements, runs and values by query, and what was made of them"
    qrels, runs = made(30)
    known = {"QRELS": QRELS, "RUN": RUN, "OTHER": OTHER, "VALUES": VALUES, "MODEL": MODEL, "HUMAN": HUMAN}
    known |= {"MADE": qrels, "RUNS": runs, "TWO_RUNS": {name: runs[name] for name in ("old", "new")}}
    known |= {"WEIGHTS": {query: n % 4 + 1 for n, query in enumerate(qrels)}}
    known |= {"SLICES": {query: ("first", "second", "third")[n % 3] for n, query in enumerate(qrels)}}
    known["RESULT"] = ndcg_nb.evaluate(QRELS, {"A": RUN, "B": OTHER}, ["ndcg@2"])
    return known


def tables() -> dict[str, Any]:
    "Small tables in which a call puts one fault"
    pairs = {"query": ["1", "1"], "document": ["a", "b"]}
    known: dict[str, Any] = {"frame": lambda **columns: pd.DataFrame(columns)}
    known["judged_rows"] = lambda **change: pd.DataFrame(pairs | {"grade": [1, 0]} | change)
    known["result_rows"] = lambda **change: pd.DataFrame(pairs | {"score": [1.0, 2.0]} | change)
    known |= {"ONE": {"1": {"a": 1, "b": 0}}, "SHOWN": {"1": {"a": 1.0, "b": 2.0}}}
    known |= {"TWO": {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 2}}, "SHOWN_TWO": {"1": ["a", "b"], "2": ["a", "b"]}}
    known |= {"WANTED": {"q1": {"a": 1}, "q2": {"b": 1}}, "FOUND": {"q1": ["x", "a"], "q2": ["b"]}}
    known |= {"REL": [3, 2, 3, 0, 1, 2], "FRAME": pd.DataFrame({"grade": [3, 2], "score": [0.1, 0.2]})}
    known["LISTS"] = pd.Series([[0, 2], [2, 0]], index=["q1", "q2"])
    return known
