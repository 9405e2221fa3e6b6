"""The calls of the golden record, as text: a list for each file. `record.py` makes them; nothing is asserted here."""

# ruff: noqa: E501, RUF005
from __future__ import annotations

import random
from importlib import import_module
from itertools import product
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
MEASURES = ["ndcg", "dcg", "cg", "ncg", "gain_recall", "ndcg_at_r", "minmax_ndcg", "penalized_ndcg", "condensed_ndcg"]
MEASURES += ["precision", "recall", "f1", "success", "reciprocal_rank", "average_precision", "r_precision", "bpref"]
MEASURES += ["rbp", "err", "judged"]
RELS = ["None", "3", '"321"', '{"d1": 3}', "[3, nan]", '["3", 2]', "[1, [2, 3]]", "[[3], [1, nan]]", "[3, None, 1]"]
RELS += ["[3, inf]", "[3, -1]", "[True, 2j]", "[]", "[[]]", "[[[1]]]"]
CUTOFFS = ["0", "-1", "2.5", "True", '"10"', "[1, 1]", "[2, 1]", "[]", "nan", "[0.6, 0.5, 0.4]", "None", "10**30"]
BAD = {  # values of keywords of nDCG
    "gain": ['"exq"', "7", "None", "{}", '{"3": 1}', "{3: 1}", "{3: None, 2: 1, 0: 0}", "sqrt", "lambda g: 7"]
    + ["lambda g: -g", '("exp", 3)', '("exp", range(3))', '"positiv"'],
    "discount": ['"log"', '"zip"', "7", "None", '("log", 1)', '("jk", 2, 3)', '("power", -1)', '("power", nan)', "[]"]
    + ["[0, 0]", "[1, nan]", "[1, -1]", "lambda r: None", "lambda r: r[:1]", '"lgo2"', "[1]"],
    "ties": ['"avg"', "None", "3", '"Average"', '"firts"'],
    "empty": ['"0"', "True", "[]", "inf", '"x"', "[0, 1]"],
    "pool": ["3", '"3"', "[1, nan]", "[[1], [2]]", "[1]", "[1, -2]", "None", "{3: 1}", "[3, 2]", "[]"],
    "scores": ["3", "[1]", "[1, nan, 2]", '["a", "b", "c"]', "[[1, 2, 3]]", "[None, 1, 2]", "[inf, 1, 2]", '"abc"']
    + ["[2**60, 2**60 + 1, 0]", '{"a": 1}'],
    "ids": ["3", '["a"]', '["a", "a", "b"]', '["a", "b", "c"]', "[1, 2, None]", '"abc"'],
    "like": ['"sklern"', "3", "None", '"trec-eval"', '"XGBoost"'],
    "group": ["3", "[3]", "[2]", "[1, 1]", '["a", "a", "b"]', '["a", "b", "a"]', "[-1, 4]", "[1.5, 1.5]"],
    "mask": ["3", "[True]", "[True, False, 1]", "[2, 1, 0]", "[False, False, False]", "[True, True, False]"],
    "precision": ['"float16"', "32", "None"],
    "minus_inf": ['"in"', "3"],
    "default_k": ["0", '"5"', "2.5"],
    "ideal": ['"best"', "3", '"lists"'],
    "decimals": ["-1", '"2"', "2.5", "True"],
}
WRONG = ["y_true=[1]", "y_score=[1]", "preds=[1]", "top_k=1", "indexes=[0]", "at=5", "gains=1", "discunt=1", "cutoff=5"]
WRONG += ["score=[1]", "tie='first'", "n=3", "k_=1", "labels=[1]", "weights=[1]", "exponential=True", "relevance=[1]"]
ASKED = ["", "7", "ndgc@10", "ndcg@0", "ndcg@5,5", "ndcg@-1", "ndcg@x", "ndcg(", "ndcg)", "ndcg(gain)", "ndcg(gain=)"]
ASKED += ["ndcg(gain={1:x})", "ndcg(gian=exp)", "ndcg(gain=exq)", "ndcg_cut_10", "ndcg_cut.10", "ndcg_at_r@3"]
ASKED += [
    "ndcg@5 ndcg@5",
    "bounds(ties=best)@3",
    "P_10",
    "map",
    "recip_rank",
    "nDCG@10",
    "ndcg @10",
    "ndcg@10.",
    "rr(p=1)",
]
ASKED += ["rbp(p=2)", "rbp(p=0)", "err(highest=0)", "recall(level=0)", "p", "f1@", "ap(per=k)", "mrr@10", "hit@10"]
ASKED += [
    "precision@5",
    "alpha_ndcg@5",
    "penalized_ndcg(penalty=-1)@3",
    "ndcg(like=nobody)@5",
    "ndcg(k=5)",
    "ndcg@10@5",
]
ASKED += ["ndcg(gain=exp,gain=exp)@5", "ndcg(judged=3)@5", "idcg@5,", "ndcg(discount=log)@5", "judged"]
SETTINGS = ["ndcg", "ndcg@2", "ndcg(gain=exp)@2", "ndcg(like=sklearn)@2", "ndcg(ties=last)@2", "ndcg(empty=1)", "p@2"]
SETTINGS += [
    "recall@1,2",
    "f1@2",
    "success@1",
    "rr",
    "ap",
    "rprec",
    "bpref",
    "rbp(p=0.5)",
    "err",
    "dcg@2",
    "cg@2",
    "idcg@2",
]
SETTINGS += ["ncg@2", "gain_recall@1", "ndcg_at_r", "penalized_ndcg@2", "condensed_ndcg@2", "judged@2", "bounds@2"]
SETTINGS += ["ndcg(discount=zipf)@3", "ndcg(gain={0:0,1:1,2:3,3:7})@3", "ndcg@1,2,3 p@1", "ndcg(judged=true)@2"]
SIDES = [
    "None",
    "{}",
    "[]",
    "3",
    "'nofile.txt'",
    "'empty'",
    "'blank'",
    "'short'",
    "'wordy'",
    "'odd.csv'",
    "'broken.json'",
]
SIDES += [
    "{'q1': None}",
    "{'q1': {}}",
    "{'q1': []}",
    "{'q1': 3}",
    "{'q1': 'a'}",
    "{'q1': ['a', 'a']}",
    "{'q1': {'a': None}}",
]
SIDES += [
    "{'q1': {'a': 'x'}}",
    "{'q1': {'a': nan}}",
    "{'q1': {'a': inf}}",
    "{'q1': {'a': -inf}}",
    "{'q1': {'a': 2**60}}",
]
SIDES += ["{'q1': {'a': [1]}}", "{'q1': {None: 1}}", "{1: {'a': 1}}", "{'q1': {1: 1, 'b': 2}}", "{'q1': {'a': -1}}"]
SIDES += ["[('q1', 'a')]", "[('q1', 'a', 1), ('q1',)]", "[1, 2]", "[{'query': 'q1'}]", "frame(query=['q1'])", "b'q1 x'"]
SIDES += [
    "frame(query=['q1'], document=['a'], grade=['x'])",
    "frame(query=['q1', 'q1'], document=['a', 'a'], grade=[1, 2])",
]
SIDES += [
    "frame(query=['q1'], document=['a'], score=[nan])",
    "frame(query=['q1'], document=[None], score=[1])",
    "object()",
]
SIDES += [
    "[[3, 2], [1]]",
    "{'q1': {'a': 1}, 'q2': ['b']}",
    "frame(a=[1], b=[2], c=[3])",
    "'q1 0 a 1\\nq1 0 b\\n'",
    "lambda: 1",
]
OF_EVALUATE = ["like='nobody'", "missing='drop'", "missing=0", "missing='error'", "duplicates='last'", "disjoint='no'"]
OF_EVALUATE += ["ignore_self='yes'", "columns=3", "columns={'topic': 'q'}", "columns={'query': 'no'}", "document=3"]
OF_EVALUATE += ["queries=['q1']", "queries=[]", "queries='all'", "encoding='utf-99'", "connection=3", "weights=3"]
OF_EVALUATE += ["weights={'q1': 1}", "weights={'q1': -1, 'q2': 1, 'q3': 1}", "weights={'q1': 0, 'q2': 0, 'q3': 0}"]
OF_EVALUATE += ["weights={'q1': nan, 'q2': 1, 'q3': 1}", "weights='heavy'", "measure='ndcg@5'", "k=5", "gain='exp'"]
OF_COMPARE = [
    "test='u'",
    "test=3",
    "interval='normal'",
    "adjust='bonferroni'",
    "adjust='tukey', test='sign'",
    "baseline='D'",
]
OF_COMPARE += [
    "baseline=3",
    "alpha=0",
    "alpha=1",
    "alpha=5",
    "alpha='x'",
    "alpha=nan",
    "margin=-1",
    "margin=0",
    "margin='x'",
]
OF_COMPARE += [
    "margin=inf",
    "draws=0",
    "draws=10",
    "draws=1.5",
    "draws='x'",
    "seed=-1",
    "seed='x'",
    "seed=None",
    "tests='t'",
]
OF_COMPARE += [
    "weights={'q1': 1}",
    "measure='ndcg@0'",
    "measures='ndcg@5'",
    "missing='no'",
    "like='nobody'",
    "k=5",
    "test='T'",
]
OF_NEXT = [
    "0",
    "-1",
    "2.5",
    "'5'",
    "5, measure='p@5'",
    "5, measure='ndcg@0'",
    "5, measure='ndcg@1,2'",
    "5, goal='best'",
]
OF_NEXT += [
    "5, goal='difference'",
    "5, baseline='A'",
    "5, grades=3",
    "5, grades=[]",
    "5, grades=['x']",
    "5, grades=[-1, 1]",
]
OF_NEXT += ["5, grades=[0]", "5, depth=0", "5, depth=2.5", "5, queries=['q9']", "5, weights={'q1': 1}"]
OF_NEXT += ["5, like='nobody'", "5, duplicates='x'", "5, columns={'a': 'b'}", "5, encoding='no'", "5, measure=None"]
OF_SQL = [
    "k=0",
    "k='x'",
    "k=None",
    "k=[5, 10]",
    "measure='ndgc'",
    "measure='err'",
    "measure='bounds'",
    "engine='oracle'",
]
OF_SQL += ["engine=3", "per_query=3", "columns={'a': 'b'}", "columns=3", "missing='x'", "ignore_self=3", "gain='exq'"]
OF_SQL += [
    "gain=lambda g: g",
    "discount='x'",
    "discount=lambda r: r",
    "ties='x'",
    "ties='best'",
    "empty='x'",
    "like='nobody'",
]
OF_SQL += [
    "group=[1]",
    "mask=[1]",
    "precision='float32'",
    "minus_inf='x'",
    "ideal='x'",
    "decimals=-1",
    "pool=[1]",
    "level=2",
]
SQL = ["k=10", "per_query=True", "gain={0: 0, 1: 1}, discount=('jk', 2)", "ties='first', empty=1, missing='skip'"]
SQL += ["like='sklearn'", "like='gdeval'", "measure='recall'", "measure='ap'", "measure='rbp'", "engine='spark'"]
SQL += ["engine='postgres'", "engine='snowflake'", "columns={'query': 'topic', 'grade': 'rel'}, ignore_self=True"]
LOSSES = ["approx_ndcg", "neural_ndcg", "xe_loss", "lambda_loss", "hinge_loss"]
LISTS = ["[3, 2, 3, 0, 1, 2]", "[0, 0]", "[]", "[[3, 0], [0, 1, 2]]", "[1, 0, 1], scores=[0.5, 0.5, 0.1]"]
LISTS += ["[3, 0, 2], pool=[3, 3, 2, 1, 0]", "[2, 0, 1, 0], k=[1, 3]", "[2, 0, 1, 1, 0], group=[2, 3]"]
ON_RESULT = [
    "value",
    "mean",
    "values",
    "means",
    "per_query",
    "notes",
    "interval()",
    "interval(0.9)",
    "interval(method='bca')",
]
ON_RESULT += [
    "interval(2)",
    "interval(method='x')",
    "by({'q1': 'x', 'q2': 'y', 'q3': 'y'})",
    "by(3)",
    "by({'q1': 'x'})",
]
ON_RESULT += ["falls_below(0.5)", "falls_below(0.99)", "falls_below(80)", "falls_below('x')", "falls_below(0.1, 'p@5')"]
ON_RESULT += [
    "explain('q9')",
    "explain('q1', 'p@9')",
    "explain('q1', run='C')",
    "explain(3)",
    "explain_change('A', 'C')",
]
ON_RESULT += [
    "explain_change('A', 'B')",
    "unjudged()",
    "unjudged(1)",
    "unjudged(0)",
    "which(0.81)",
    "which('x')",
    "judge_next(2)",
]
ON_RESULT += ["corrected({'q1': 0.5})", "corrected(3)", "save('x.doc')", "save(3)", "to_latex(-1)"]
ON_RESULT += ["to_markdown('x')", "runs", "queries", "measures", "nothing"]
ON_COMPARED = [
    "difference",
    "low",
    "high",
    "p",
    "verdict",
    "why",
    "effective",
    "table",
    "pairs",
    "means",
    "left_out",
    "notes",
]
ON_COMPARED += [
    "rules",
    "systems",
    "measure",
    "per_query",
    "differences()",
    "differences('A', 'C')",
    "differences('A', 'D')",
]
ON_COMPARED += [
    "differences('A', 'A')",
    "pair()",
    "pair('B', 'A')",
    "pair(1, 2)",
    "fails_if()",
    "fails_if('not better')",
]
ON_COMPARED += [
    "fails_if('worse', 0.01)",
    "fails_if('worse in any')",
    "fails_if('x')",
    "fails_if('worse', -1)",
    "bounds()",
]
ON_COMPARED += ["by({'q1': 'x'})", "by(3)", "explain('q1')", "dialects()", "judge_next()", "save('x.doc')"]
PRINTED = ["", ".summary()", ".to_markdown()", ".to_latex(3)", ".to_tsv()", ".notes"]
COMPARED = [
    "measure='ndcg@10'",
    "measure='ndcg@3', test='randomization'",
    "measure='ndcg@10', test='sign'",
    "measure='rr'",
]
COMPARED += [
    "measure='ndcg@5', test='wilcoxon', interval='bca'",
    "measure='ndcg@5', interval='percentile', margin=0.05",
]
COMPARED += ["measure='ndcg@5', interval='bootstrap-t', adjust='none'", "measure='ndcg@5', adjust='tukey'"]
COMPARED += ["measure='ndcg@5', baseline='old'", "measure='ndcg@5', baseline='wide', margin=0.02, alpha=0.1"]
COMPARED += [
    "measure='ndcg(gain=exp)@5', like='gdeval'",
    "measure='p@5', missing='skip'",
    "measure='ndcg@10', weights=WEIGHTS",
]
TWO = [
    "measure='ndcg@10'",
    "measure='ndcg@10', margin=0.02",
    "measure='ndcg@10', margin=0.5",
    "measure='p@3', alpha=0.2",
]
TWO += ["measure='ndcg@10', test='randomization'", "measure='rr', test='sign'", "measure='ap', test='wilcoxon'"]
TWO += ["measure='ndcg@2', interval='bca'", "measure='ndcg@2', interval='bootstrap-t'", "measure='success@1'"]
SHELL = ["", "--nothing", "nocommand", "eval", "compare", "next", "explain", "which", "eval qrels", "eval nofile run"]
SHELL += [
    "eval qrels run",
    "eval qrels run -q",
    "eval qrels run tied",
    "eval qrels run --quiet",
    "eval qrels run --no-interval",
]
SHELL += [
    "eval qrels twice",
    "eval qrels twice --duplicates first",
    "eval qrels foreign",
    "eval qrels foreign --disjoint zero",
]
SHELL += [
    "eval qrels short",
    "eval wordy run",
    "eval empty run",
    "eval qrels empty",
    "eval qrels blank",
    "eval qrels odd.csv",
]
SHELL += [
    "eval qrels nan.csv",
    "eval qrels broken.json",
    "eval qrels run.json",
    "eval qrels lines.jsonl",
    "eval table.csv",
]
SHELL += ["eval letor.txt", "eval odd.csv", "eval odd.csv --column query=topic", "eval qrels run --column subject=x"]
SHELL += [
    "eval qrels odd.csv --column query=topic --column document=thing --column score=value",
    "eval qrels run --column x",
]
SHELL += [
    f"eval qrels run -m {m}" for m in ("ndcg@1,2", "ndgc", "p@2", "ndcg(gain=exp)@2", "ndcg(gain=exq)", "map", "rr ap")
]
SHELL += [f"eval qrels run --format {f}" for f in ("markdown", "latex", "tsv", "csv", "json", "xml", "table")]
SHELL += [
    "eval qrels run --digits 2",
    "eval qrels run --digits x",
    "eval qrels run --digits -1",
    "eval qrels run --by slices.tsv",
]
SHELL += ["eval qrels run --by nofile", "eval qrels run --weights weights.tsv", "eval qrels run --weights bad.tsv"]
SHELL += ["eval qrels run --like sklearn", "eval qrels run --like nobody", "eval qrels run --missing error"]
SHELL += ["eval qrels run --missing x", "eval qrels run --at-least 0.5", "eval qrels run --at-least 0.99"]
SHELL += [
    "eval qrels run --at-least x",
    "eval qrels run --at-least 80",
    "eval qrels run --trec",
    "eval qrels run --trec -q",
]
SHELL += [
    "eval qrels run tied --trec",
    "eval qrels run --trec -m ndcg_cut_2 -m map -m P_5",
    "eval qrels run --trec -m nope",
]
SHELL += [
    "eval qrels run --trec -l 2",
    "eval qrels run -l 2",
    "eval qrels run -l 0 --trec",
    "eval qrels tied --trec -J",
]
SHELL += ["eval qrels run --trec --format json", "eval qrels run -o out.doc", "eval qrels run -o nofolder/out.csv"]
SHELL += ["eval qrels run -o out.csv", "eval qrels run --titles documents.tsv", "eval qrels run --encoding utf-99"]
SHELL += [
    "eval qrels run --document x.y",
    "eval qrels run --ignore-self",
    "eval qrels run --summary out.md",
    "eval qrels run --seed 3",
]
SHELL += ["eval qrels.txt bm25.run titles.run", "eval qrels.txt bm25.run titles.run -m ndcg@5 -m p@5 --by halves.tsv"]
SHELL += ["eval qrels.txt bm25.run titles.run --weights heavy.tsv --digits 3", "eval qrels.txt bm25.run --trec"]
SHELL += ["compare qrels run", "compare qrels run run", "compare qrels run tied", "compare qrels run nofile"]
SHELL += [
    "compare qrels.txt titles.run bm25.run" + more for more in ("", " -m ndcg@5 -m p@5", " --test sign", " --test x")
]
SHELL += ["compare qrels.txt titles.run bm25.run" + f" {more}" for more in (
    "--interval bca", "--interval x", "--alpha 0", "--alpha 0.2", "--adjust none", "--adjust x", "--margin 0.05",
    "--margin x", "--draws 5", "--draws x", "--seed x", "--seed 4 --test randomization", "--fail-if worse",
    "--fail-if better", "--fail-if worse --by-more-than 0.1", "--by-more-than 0.1", "--baseline bm25", "--baseline nobody",
    "--like trec_eval", "--format markdown", "--format latex", "--format csv", "--format json", "--by halves.tsv",
    "--weights heavy.tsv", "--digits 2", "--quiet", "--at-least 0.5", "-o out.txt", "--missing skip", "--debg",
)]  # fmt: skip
SHELL += ["next qrels.txt bm25.run", "next qrels.txt bm25.run titles.run -n 5", "next qrels.txt bm25.run -n 0"]
SHELL += [
    "next qrels.txt bm25.run titles.run --goal difference -n 4",
    "next qrels.txt bm25.run --goal x",
    "next qrels run",
]
SHELL += [
    "next qrels.txt bm25.run --grades 0,1,2,3,4 -n 3",
    "next qrels.txt bm25.run --grades x",
    "next qrels.txt bm25.run --depth 3",
]
SHELL += [
    "next qrels.txt bm25.run --until sure -n 2",
    "next qrels.txt bm25.run --until 0.05 -n 2",
    "next qrels.txt bm25.run --until x",
]
SHELL += [
    "next qrels.txt bm25.run --add judged.tsv -n 3",
    "next qrels.txt bm25.run --save out.txt",
    "next qrels.txt bm25.run -o out.csv",
]
SHELL += ["next qrels.txt bm25.run --depth 0", "next qrels.txt bm25.run --all -n 3", "next qrels.txt bm25.run -m p@5"]
SHELL += [
    f"explain qrels.txt bm25.run {more}" for more in ("q01", "q02 -m ndcg@3", "q08", "q09", "q99", "q01 --like sklearn")
]
SHELL += [
    "explain qrels.txt bm25.run",
    "explain qrels.txt bm25.run q01 -m p@3",
    "explain qrels.txt bm25.run q01 -m ndcg@0",
]
SHELL += [
    f"which {more} qrels.txt bm25.run"
    for more in ("0.7530", "0.671 -k 10", "0.999", "x", "80", "0.75 --tolerance 0.01")
]
SHELL += [
    "which 0.75 qrels.txt",
    "dialects",
    "dialects x",
    "demo x",
    "eval --measure",
    "compare --test",
    "explain -k 3 qrels run q1",
]


def each(pattern: str, *values: list[str]) -> list[str]:
    "The calls that a pattern makes of values, and of all their combinations where there are several"
    return [pattern.format(*chosen) for chosen in product(*values)]


MESSAGES = [
    *each("{}({})", MEASURES, RELS),
    *each("ndcg([3, 0, 1], {})", CUTOFFS),
    *each("{}([3, 0, 1], k={})", ["dcg", "recall", "err", "judged"], CUTOFFS[:6]),
    *[f"ndcg([3, 0, 1], {name}={value})" for name, values in BAD.items() for value in values],
    *each("{}([3, 0, 1], {})", ["ndcg", "recall"], WRONG),
    *each("recall([3, 0, 1], level={})", ["0", "-1", "nan", '"1"', "[1]", "1.5"]),
    *each("precision([3, 0, 1], {})", ["per='x'", "per='relevant', k=None", "per='k'", "level=0", "empty='x'"]),
    *each("average_precision([1, 0], {})", ["per='x'", "per='k'", "per='min'", "level='x'"]),
    *each("rbp([1, 0], p={})", ["0", "1", "2", "nan", '"x"', "True"]),
    *each("err([1, 0], highest={})", ["0", "-1", "nan", '"x"', "True"]),
    *each("penalized_ndcg([1, -1], {})", ["penalty=-1", "penalty='x'", "penalty=nan", "below='x'", "below=nan"]),
    *each(
        "alpha_ndcg({})",
        ["None", "[3]", "[{'a'}], alpha=2", "[{'a'}], alpha='x'", "[{'a'}], 0", "'abc'", "[['a', 'a']]"],
    ),
    *each(
        "intent_ndcg([[3, 0], [0, 1]], {})", ["[0.5]", "[0.5, 0.6]", "[-1, 2]", "None", "'ab'", "[nan, 1]", "[0, 0]"]
    ),
    *each(
        "bounds([3, None], grades={})", ["None", "[]", "3", "['x']", "[-1, 1]", "[nan]", "[0, 0]", "[[0]]", "[1, 2]"]
    ),
    *each(
        "bounds([3, None], {})",
        ["grades=[0, 1], k=0", "", "grades=[0, 1, 2, 3], ties='x'", "grades=[0, 3], gain='exq'"],
    ),
    *each("gain({})", ["None", "[1], 'exq'", "[nan]", "'3'", "[1], {}", "[-1]", "[2000], 'exp'"]),
    *each(
        "discount({})", ["None", "0", "[0]", "1.5", "[1, inf]", "[[1], [2]]", "'1'", "1, 'zip'", "3, [1, 0.5]", "-1"]
    ),
    *each("pad([3, 2], {})", ["0", "1", "2.5", "'x'", "4, 'x'", "4, nan"]),
    *each("assume([3, None], {})", ["'x'", "nan", "None", "-1"]),
    *each("tied_ndcg([3, 0], {})", ["scores=None", "scores=[1]", "scores=[1, nan]", "2", "0, scores=[1, 2]"]),
    *each(
        "inf_ndcg([3, None], ['a', 'b'], {})", ["{'a': [3]}", "{}", "None", "{'a': [3], 'b': []}", "{'a': 3, 'b': [1]}"]
    ),
    *each("inf_ndcg([3, None], {}, {{'a': [3], 'b': [1, None]}})", ["['a']", "None", "'ab'", "['a', 'c']"]),
    *each("ips_dcg([1, 0], {})", ["[1]", "[0, 1]", "[2, 1]", "None", "[nan, 1]", "[1, 1], clip=2", "[1, 1], ties='x'"]),
    *each("ips_dcg({}, [1, 0.5])", ["[2, 0]", "[None, 1]", "['x', 1]", "3"]),
    *each(
        "expected_ndcg({}, grades=[0, 1, 2])",
        ["[[0.5, 0.5]]", "[[0.5, 0.5, 0.5]]", "3", "[[-1, 1, 1]]", "None", "[['x', 0, 1]]"],
    ),
    *each("expected_ndcg([[0.5, 0.5]], grades={})", ["[0]", "['x', 1]", "[1, 0]", "[0, 0]", "None"]),
    *each(
        "corrected_mean({})",
        ["MODEL, HUMAN[:3]", "MODEL, [None] * 12", "MODEL, HUMAN, confidence=2", "MODEL, HUMAN, of=3"],
    ),
    *each(
        "corrected_mean({})", ["[0.1, nan], [0.2, 0.3]", "['x', 0.1], [0.2, 0.3]", "[0.1, 0.2], [0.1, None]", "{}, {}"]
    ),
    *each(
        "how_many({})", ["0, 0.2", "-1, 0.2", "'x', 0.2", "0.02, 0", "0.02, nan", "0.02, 0.2, 2", "0.02, 0.2, total=0"]
    ),
    *each("how_many(0.02, 0.25, 0.6, {})", ["total=5", "total=2.5", "confidence=1", "confidence='x'"]),
    *each(
        "agreement({})",
        ["[0, 1], [0]", "[], []", "3, 4", "[0, 1], ['x', 1]", "[0, 1], [0, 1], grades=[0]", "[nan, 1], [0, 1]"],
    ),
    *each(
        "queries_needed({})",
        ["0, 0.1", "'x', 0.1", "0.02, 0", "0.02, nan", "0.02, 0.1, 1", "0.02, 0.1, 0.8, 0", "0.02, [1]"],
    ),
    *each("detectable({})", ["0, 0.1", "1, 0.1", "2.5, 0.1", "'x', 0.1", "50, 0.1, 2", "50, 'x'"]),
    *each("dialect({})", ["'sklern'", "3", "None", "'scikit-learn'", "'SKLEARN'", "''", "'trec'", "'lightgbm '"]),
    *each(
        "register({})",
        ["'sklearn'", "3", "'new', 'nobody'", "'new', gains=1", "'new', gain='exq'", "'new', k=5", "''"],
    ),
    *each("which({}, [3, 0, 1], 3)", ["'x'", "2", "-1", "nan", "None", "0.1"]),
    *each("which('0.9', [3, 0, 1], 3, tolerance={})", ["-1", "'x'", "nan"]),
    *each("disagree([3, 0, 1], {})", ["0", "'x'", "3, pool=[1]", "3, scores=[1]", "3, ids=['a']"]),
    *each("mean_ndcg([[3, 0], []], like={})", ["'sklern'", "'sklearn'", "None", "3"]),
    *each(
        "explain({})",
        ["[3, nan]", "[[3], [1]]", "[3], 0", "[3], [1, 2]", "3", "{'a': 3}", "[3, 0], pool=[1]", "[3], gain='exq'"],
    ),
    *each(
        "explain_change({})",
        ["[3, 0], [3]", "[3, 0], 3", "['a', 'b'], ['b', 'c']", "[3, nan], [1, 2]", "[[3]], [[1]]", "[3, 0], [0, 3], 0"],
    ),
    *each(
        "explain_change(['a', 'b'], ['b', 'a'], pool={})",
        ["{'a': 1}", "{'a': 'x', 'b': 1}", "[1, 2]", "{}", "{'a': nan, 'b': 1}"],
    ),
    *each("{}([[3, 0]], scores={})", LOSSES, ["[[1]]", "None", "[[1, nan]]", "[['x', 1]]", "[1, 2]"]),
    *each("{}([[3, nan]], scores=[[1, 2]])", LOSSES),
    *each(
        "approx_ndcg([[3, 0]], scores=[[1, 2]], {})",
        ["temperature=0", "temperature='x'", "gain='exq'", "mask=[[1]]", "empty='x'"],
    ),
    *each("neural_ndcg([[3, 0]], scores=[[1, 2]], {})", ["temperature=-1", "sinkhorn=-1", "sinkhorn=1.5", "k=0"]),
    *each("lambda_loss([[3, 0]], scores=[[1, 2]], {})", ["stake='x'", "stake=3", "temperature=nan", "k='x'"]),
    *each("gradient({}, [[3, 0]], scores=[[1, 2]])", ["3", "ndcg", "'approx_ndcg'"]),
    *each("evaluate(QRELS, RUN, '{}')", ASKED),
    *each("evaluate(QRELS, RUN, {})", ["7", "[]", "None", "['ndcg@5', 3]", "{'ndcg@5'}", "ndcg", "[['ndcg@5']]"]),
    *each("evaluate({}, RUN)", SIDES),
    *each("evaluate(QRELS, {})", SIDES),
    *each("evaluate(QRELS, RUN, {})", OF_EVALUATE),
    *each(
        "evaluate({})",
        ["QRELS", "'table.csv'", "'odd.csv'", "QRELS, {'A': RUN, 'B': 3}", "RUN, QRELS", "'run', 'qrels'"],
    ),
    *each("read_qrels({})", SIDES),
    *each("read_run({})", SIDES),
    *each("compare(VALUES, {})", OF_COMPARE),
    *each(
        "compare({})",
        [
            "3",
            "{}",
            "{'A': {'q1': 1}}",
            "{'A': {}, 'B': {}}",
            "{'A': [1, 2], 'B': [1]}",
            "{'A': [1, nan], 'B': [1, 2]}",
        ],
    ),
    *each(
        "compare({})",
        ["{'A': ['x'], 'B': [1]}", "{'A': {'q1': 1}, 'B': {'q2': 1}}", "{'A': 3, 'B': 4}", "QRELS", "QRELS, RUN"],
    ),
    *each(
        "compare({})",
        ["QRELS, {'A': RUN}", "QRELS, {'A': RUN, 'B': 3}", "RESULT", "RESULT, measure='p@9'", "RESULT, OTHER"],
    ),
    *each("judge_next(QRELS, OTHER, {})", OF_NEXT),
    *each("judge_next({}, OTHER)", SIDES[:24]),
    *each("judge_next(QRELS, {})", SIDES[:24]),
    *each("ndcg_sql({})", OF_SQL),
    *each("ndcg_sql({})", ["3", "'a b'", "''", "'qrels; drop'", "'a', 'a'", "'q\"r'"]),
    *each("accumulate({})", ["7", "'ndgc'", "'ndcg@5', like='nobody'", "'bounds'", "'ndcg@0'"]),
    *each(
        "accumulate('ndcg@5').update({})",
        ["[0.9], [0, 1], ['q1']", "3, 4, 5", "[nan], [1], ['q1']", "[0.9], ['x'], ['q1']"],
    ),
    *each("accumulate('ndcg@5').{}", ["result()", "update([0.9], [1], [None])"]),
    *each("which_run({}, QRELS, RUN)", ["'x'", "2", "nan", "None", "0.1"]),
    *each(
        "expected_run({}, RUN)",
        ["3", "QRELS", "frame(query=['q1'])", "frame(query=['q1'], document=['a'], grade=['x'])"],
    ),
    *each("register_measure({}, lambda rel: 1)", ["'ndcg'", "3", "'a b'", "''"]),
    *each(
        "register_measure('mine', {})",
        ["3", "None", "lambda: 1", "lambda rel: 1, limits=3", "lambda rel: 1, limits=(1, 0)"],
    ),
    *each("ndcg([3, 0, 1], {}='word ' * 30)", ["gain", "discount", "ties", "like", "k", "empty", "ids", "scores"]),
    *each("evaluate(QRELS, RUN, {})", ["'word' * 30", "'ndcg@5', like='word ' * 30", "'ndcg@5', missing='word ' * 30"]),
    *each("getattr(ndcg_nb, {!r})", ["ndgc", "cli", "evalute", "recall_at_k", "results", "rbp ", "plot_curve"]),
]
VALUES_CALLS = [
    *each("{}({})", [name for name in MEASURES if name not in ("judged",)], LISTS),
    *each("ndcg([3, 0, 2, 1, 0, 1], like='{}')", ["trec_eval", "pytrec_eval", "gdeval", "ranx", "burges", "mslr", "lightgbm"]),
    *each("ndcg([3, 0, 2, 1, 0, 1], like='{}')", ["xgboost", "catboost", "rax", "tfr", "sklearn", "torchmetrics", "jk2002", "spark"]),
    *each("ndcg([3, 0, 2, 1], ties='{}', scores=[2, 2, 1, 1])", ["average", "first", "last", "best", "worst", "id"]),
    *each("ndcg([3, 0, 2, 1], gain={}, discount={})", ["'linear'", "'exp'", "'binary'", "{0: 0, 1: 1, 2: 3, 3: 9}"],
          ["'log2'", "'zipf'", "('jk', 2)", "('power', 0.5)", "[1, 0.5, 0.25, 0]"]),
    *each("{}([[3, 0, 1]], scores=[[0.2, 0.9, 0.5]])", LOSSES),
    *each("gradient({}, [[3, 0, 1]], scores=[[0.2, 0.9, 0.5]])", LOSSES),
    *each("lambda_loss([[3, 0, 1]], scores=[[0.2, 0.9, 0.5]], stake='{}')", ["lambdarank", "ndcg_loss1", "ndcg_loss2", "ndcg_loss2++"]),
    *each("which('{}', [3, 2, 3, 0, 1, 2], 6, pool=[3, 3, 3, 2, 2, 2, 1, 0])", ["0.751", "0.785", "0.949", "0.961", "0.5"]),
    *each("disagree({}, 3)", ["[3, 2, 0, 1]", "[1, 0]", "[0, 0]"]),
    "disagree([3, 0, 1], 3, scores=[1, 1, 2])",
    "list_dialects()",
    *each("corrected_mean({})", ["MODEL, HUMAN", "MODEL, HUMAN, confidence=0.9"]),
    *each("str(corrected_mean({}))", ["MODEL, HUMAN", "MODEL, HUMAN, of='documents'"]),
    *each("how_many({})", ["0.02, 0.25", "0.02, sd=0.25, rho=0.6, total=1000", "0.1, 0.25, of='documents'"]),
    *each("str(agreement({}))", ["[0, 1, 2, 2], [0, 1, 1, 2]", "[0, 0], [0, 0]", "[0, 1, None], [1, 1, 2]", "[2, 0, 1], [0, 2, 1], grades=[0, 1, 2, 3]"]),
    *each("str(expected_ndcg([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]], grades=[0, 1, 2]{}))", ["", ", k=1", ", gain='exp'"]),
    *each("queries_needed({})", ["0.02, 0.15", "0.05, 0.2, 0.9", "0.02, [0.1, 0.3, -0.2, 0.15]"]),
    *each("detectable({})", ["50, 0.15", "10, 0.2, 0.9, 0.01"]),
]  # fmt: skip
RUNS_OF = {"old": "{'old': RUNS['old']}", "two": "TWO_RUNS", "four": "RUNS"}
NOTES = [
    *each("evaluate(QRELS, {}, '{}').notes", ["RUN", "OTHER"], SETTINGS),
    *each("evaluate(MADE, RUNS, '{}').notes", SETTINGS),
    *each("evaluate(QRELS, '{}').notes", ["run", "tied", "run.json"]),
    *each(
        "evaluate(QRELS, {}, missing='{}').notes",
        ["OTHER", "{'q1': ['a']}", "{'q1': [], 'q9': ['a']}", "{'q1': ['x']}"],
        ["zero", "skip"],
    ),
    *each(
        "evaluate({}, RUN).notes",
        ["{'q1': {'a': 0}}", "{'q1': {'a': 0}, 'q2': {'d': 1}}", "{'q1': {'a': 0.5}}", "{'q1': {'a': None, 'b': 1}}"],
    ),
    *each(
        "evaluate({}, RUN).notes",
        ["{'q1': {'a': -1, 'b': 2}}", "{'q1': {'a': 100, 'b': 2}}", "{f'q{i}': {'a': 1} for i in range(40)}"],
    ),
    *each("evaluate(QRELS, {}, disjoint='zero').notes", ["{'q1': ['x']}", "'foreign'"]),
    *each(
        "evaluate(QRELS, RUN, like='{}').notes",
        ["trec_eval", "sklearn", "gdeval", "xgboost", "beir", "mslr", "lightgbm", "ranx", "haystack"],
    ),
    *each(
        "evaluate(MADE, RUNS, 'ndcg@10', {}).notes",
        ["weights=WEIGHTS", "queries=['q01', 'q02']", "ignore_self=True", "show_interval=False"],
    ),
    *each(
        "evaluate(QRELS, {}).notes",
        [
            "{'q1': {'a': 1, 'b': 1, 'c': 1}}",
            "{'q1': {'a': 1, 'z': -inf}}",
            "{' q1': ['a']}",
            "{'q1 ': ['a'], 'Q2': ['d']}",
        ],
    ),
    *each("compare(MADE, RUNS, {}).notes", COMPARED),
    *each("compare(MADE, {}, {}).notes", [RUNS_OF["two"]], TWO),
    *each(
        "compare(VALUES, {}).notes",
        ["margin=0.01", "adjust='none'", "baseline='A'", "test='sign'", "test='randomization', draws=500", "alpha=0.5"],
    ),
    *each(
        "compare({}).notes",
        [
            "{'A': [0.1, 0.2], 'B': [0.1, 0.2]}",
            "{'A': [1.0], 'B': [0.5]}",
            "{'A': [0, 0, 0, 0, 0, 9], 'B': [1, 1, 1, 1, 1, 1]}",
        ],
    ),
    *each(
        "compare({}).notes",
        [
            "{'A': {'q1': 1, 'q2': 0.5}, 'B': {'q2': 1, 'q3': 0}}",
            "QRELS, {'A': RUN, 'B': OTHER}",
            "QRELS, {'A': RUN, 'B': RUN}",
        ],
    ),
]
TABLES = [
    *each("{}{}", ["RESULT"], PRINTED),
    *each("evaluate(MADE, RUNS, 'ndcg@10 p@5 rr'){}", PRINTED),
    *each("evaluate(MADE, {}, 'ndcg@1,3,5,10,20'){}", [RUNS_OF["old"], RUNS_OF["two"]], ["", ".to_markdown()"]),
    *each("evaluate(MADE, RUNS, '{}')", SETTINGS),
    *each("evaluate('qrels.txt', {{'bm25': 'bm25.run', 'titles': 'titles.run'}}, 'ndcg@5 recall@5'){}", PRINTED),
    "evaluate(MADE, RUNS, 'ndcg@10').by(SLICES)",
    *each("evaluate(MADE, RUNS, 'ndcg@10 p@5', weights=WEIGHTS){}", ["", ".means", ".interval()"]),
    *each(
        "in_json(evaluate({}).to_json())",
        [
            "QRELS, RUN",
            "QRELS, {'A': RUN, 'B': OTHER}, 'ndcg@2 rr'",
            "QRELS, OTHER, 'bounds@2'",
            "QRELS, RUN, like='gdeval'",
        ],
    ),
    "in_json(evaluate(MADE, RUNS, 'ndcg@10', weights=WEIGHTS).to_json())",
    *each("rounded(evaluate({}).to_csv())", ["QRELS, RUN", "QRELS, {'A': RUN, 'B': OTHER}, 'ndcg@2 rr'", "MADE, RUNS"]),
    *each("RESULT.{}", ON_RESULT),
    *each("read_qrels('{}')", ["qrels", "table.csv", "letor.txt"]),
    *each("read_run('{}')", ["run", "run.json", "lines.jsonl", "table.csv", "twice"]),
    *each("which_run('{}', QRELS, RUN)", ["0.810", "0.5"]),
    *each(
        "expected_run(frame(query='q1', document=['a', 'a', 'b'], grade=[2, 1, 0]), {{'q1': ['b', 'a']}}{})",
        ["", ", 1"],
    ),
]
COMPARE = [
    *each("compare(MADE, RUNS, {}){}", COMPARED, ["", ".pairs", ".table"]),
    *each("compare(MADE, RUNS, {}){}", COMPARED[:1] + COMPARED[7:9], PRINTED[1:5]),
    *each("compare(MADE, {}, {}){}", [RUNS_OF["two"]], TWO, ["", ".pairs", ".why"]),
    *each("compare(MADE, {}, {}){}", [RUNS_OF["two"]], TWO[:2], PRINTED[1:5]),
    *each("compare(evaluate(MADE, RUNS, 'ndcg@10 p@5 rr')){}", ["", ".pairs", *PRINTED[1:5]]),
    *each("compare(MADE, RUNS, measure='ndcg@10').by(SLICES){}", ["", ".table", ".notes", ".to_markdown()"]),
    *each("compare(MADE, {}, measure='ndcg@10').by(SLICES){}", [RUNS_OF["two"]], ["", ".table", ".notes"]),
    *each("compare(VALUES).{}", ON_COMPARED),
    *each("compare(VALUES, baseline='A', margin=0.05).{}", ON_COMPARED[:12]),
    *each("compare({{n: VALUES[n] for n in 'AB'}}).{}", ON_COMPARED),
    *each(
        "compare(QRELS, {{'A': RUN, 'B': OTHER}}).{}",
        ["explain('q1')", "dialects()", "bounds()", "judge_next(3)", "per_query"],
    ),
    *each(
        "compare(MADE, {}, measure='ndcg@10'){}",
        [RUNS_OF["two"]],
        [".dialects()", ".dialects(['sklearn', 'gdeval'])", ".per_query"],
    ),
    *each(
        "compare(MADE, {}, {}).fails_if('{}', {})",
        [RUNS_OF["two"]],
        TWO,
        ["worse", "not better", "worse in any"],
        ["0", "0.05"],
    ),
    *each("compare(MADE, {{'b': RUNS['old'], 'a': RUNS['new']}}, {}).fails_if('{}')", TWO, ["worse", "not better"]),
    *each("compare(MADE, RUNS, measure='ndcg@10').fails_if('{}')", ["worse", "not better", "worse in any", "better"]),
    *each("evaluate(MADE, RUNS, 'ndcg@{}').falls_below({})", ["3", "10"], ["0.2", "0.5", "0.6", "0.7", "1", "0", "-1"]),
    *each("in_json(compare(MADE, RUNS, {}).to_json())", COMPARED[:1] + COMPARED[5:7]),
    *each("in_json(compare(VALUES{}).to_json())", ["", ", baseline='B', margin=0.1"]),
    *each("rounded(compare(MADE, RUNS, {}).to_csv())", COMPARED[:1] + COMPARED[8:10]),
]
JUDGING = [
    *each(
        "judge_next(MADE, {}, 8, measure='{}')",
        [RUNS_OF["old"], RUNS_OF["two"], "RUNS"],
        ["ndcg@10", "ndcg(gain=exp)@5", "ndcg(discount=zipf)@4"],
    ),
    *each(
        "judge_next(MADE, {}, 8, measure='{}', goal='{}').table",
        [RUNS_OF["two"], "RUNS"],
        ["ndcg@5", "ndcg(ties=last)@3"],
        ["width", "difference"],
    ),
    *each(
        "judge_next(MADE, RUNS, 8, measure='ndcg@10', {}).table",
        ["baseline='new', goal='difference'", "grades=[0, 1, 2, 3, 4]", "depth=3"],
    ),
    *each(
        "judge_next(MADE, RUNS, 8, measure='ndcg@10', {}).table",
        ["weights=WEIGHTS", "queries=['q01', 'q03']", "like='gdeval'"],
    ),
    *each(
        "judge_next(MADE, {}, 5, measure='ndcg@5').{}",
        [RUNS_OF["two"], "RUNS"],
        ["width", "bounds", "is_decided", "left", "notes", "to_markdown()", "said"],
    ),
    *each(
        "judge_next(QRELS, {}){}", ["RUN", "OTHER", "{'A': RUN, 'B': OTHER}"], ["", ".bounds", ".notes", ".to_latex()"]
    ),
    *each("judge_next(QRELS, OTHER).add({})", ["1", "'x'", "1, 2, 3, 4, 5", "None", "{'q1': {'x': 1}}", "-1"]),
    *each("judge_next(QRELS, {{'q1': ['a', 'x', 'y']}}, {}).table", ["1", "None", "5"]),
    *each("evaluate(MADE, {}, '{}').unjudged({})", [RUNS_OF["old"], "RUNS"], ["ndcg@5"], ["", "2"]),
    *each("evaluate('qrels.txt', '{}').judge_next(6).table", ["bm25.run", "titles.run"]),
]
EXPLANATIONS = [
    *each("explain({})", ["[3, 2, 0, 1]", "[0, 0]", "[3, None, 1]", "[3, 2, 0, 1], 2", "[0, 1], pool=[0, 1, 3]", "[1, 3], gain='exp'"]),
    *each("explain([3, 0, 2, 1], scores=[2, 2, 1, 1], ties='{}')", ["average", "first", "last"]),
    *each("explain([3, 0, 2, 1, 0, 1], like='{}')", ["trec_eval", "sklearn", "gdeval", "mslr", "burges", "jk2002", "xgboost", "spark"]),
    *each("explain([3, 0, 2, 1], discount={})", ["'zipf'", "('jk', 2)", "('power', 0.5)", "[1, 0.5]"]),
    *each("explain({'{'}'a': 3, 'b': 0{'}'}{})".replace("{'{'}", "{{").replace("{'}'}", "}}"), ["", ", 1"]),
    *each("explain_change([3, 2, 0, 1], {})", ["[0, 1, 2, 3]", "[3, 2, 0, 1]", "[2, 3, 1, 0], 2", "[1, 0, 2, 3], gain='exp'"]),
    *each("explain_change(['a', 'b', 'c'], {}, pool={{'a': 1, 'b': 0, 'c': 3}})", ["['c', 'a', 'b']", "['a', 'c']", "['b', 'x', 'a']", "['c', 'b', 'a'], 2"]),
    *each("evaluate(MADE, RUNS, '{}').explain('{}', run='{}')", ["ndcg@10", "ndcg(gain=exp)@3"], ["q00", "q03", "q08"], ["old", "wide"]),
    *each("evaluate(MADE, RUNS, 'ndcg@5').explain_change('old', '{}'{})", ["new", "odd"], ["", ", 'q02'", ", 'q05'"]),
    *each("compare(MADE, RUNS, measure='ndcg@5').explain('{}', 'old', '{}')", ["q00", "q04", "q08"], ["new", "odd"]),
    *each("evaluate('qrels.txt', '{}').explain('{}')", ["bm25.run", "titles.run"], ["q01", "q05", "q06", "q08", "q09"]),
    *each("evaluate('qrels.txt', 'bm25.run', '{}').explain('q02')", ["p@5", "rr", "ap", "dcg@3", "cg@3", "condensed_ndcg@5", "ndcg(ties=first)@4"]),
]  # fmt: skip
OPEN = [
    "[3, None, 2]",
    "[None, None, 1]",
    "[3, None, 1, None, 0]",
    "[None]",
    "[0, 0]",
    "[2, None, None, 3, 0, None]",
    "[[1, None], [None, 2, 0]]",
]
BOUNDS = [
    *each("bounds({}, grades=[0, 1, 2, 3]{})", OPEN, ["", ", k=1", ", k=3", ", gain='exp'", ", discount='zipf'", ", k=[1, 2]", ", empty=1"]),
    *each("bounds({}, grades={})", OPEN[:4], ["[0, 3]", "[0, 1, 2, 3, 4, 5]", "range(0, 101, 20)"]),
    *each("bounds([3, None, 2, 0], grades=[0, 1, 2, 3], {})", ["pool=[3, 3, 2, 1, 0]", "scores=[1, 1, 2, 2]", "ties='first', scores=[1, 1, 2, 2]", "like='gdeval'"]),
    *each("evaluate(MADE, RUNS, '{}').means", ["bounds@3", "bounds@10", "bounds(gain=exp)@5"]),
    *each("evaluate(MADE, {}, 'bounds@5').per_query", [RUNS_OF["old"]]),
    *each("compare(MADE, {}, measure='{}').bounds(){}", [RUNS_OF["two"], "{n: RUNS[n] for n in ('wide', 'odd')}"], ["ndcg@3", "ndcg@10", "ndcg(gain=exp)@5"], ["", ".low", ".high"]),
    *each("compare(MADE, RUNS, measure='ndcg@5').bounds('old', '{}')", ["new", "wide", "odd", "nobody"]),
    *each("compare(MADE, {}, measure='ndcg@5').bounds(grades={})", [RUNS_OF["two"]], ["[0, 1, 2, 3]", "[0, 3]", "[0]", "3"]),
    *each("compare(QRELS, {{'A': RUN, 'B': OTHER}}, measure='{}').bounds()", ["ndcg@3", "p@3", "rr", "ndcg@1"]),
]  # fmt: skip
REPORT = [
    *each(
        "page_words(evaluate('qrels.txt', {}).to_html(date='2026-01-01'))",
        ["'bm25.run'", "{'bm25': 'bm25.run', 'titles': 'titles.run'}, 'ndcg@5 p@5'"],
    ),
    *each(
        "page_words(compare('qrels.txt', {{'titles': 'titles.run', 'bm25': 'bm25.run'}}, {}).to_html(date='2026-01-01'))",
        TWO[1:2],
    ),
    *each("page_words(compare(MADE, RUNS, {}).to_html(date='2026-01-01', queries=2))", COMPARED[9:10]),
    "page_words(compare(MADE, RUNS, measure='ndcg@5').to_html(date='2026-01-01', queries=1, slices=SLICES, title='Four'))",
    "page_words(compare(VALUES).to_html(date='2026-01-01'))",
    *each("compare(VALUES).to_html({})", ["queries=-1", "titles=3", "texts=3", "slices=3"]),
]
RECORDS = {
    "messages": MESSAGES,
    "values": VALUES_CALLS,
    "notes": NOTES,
    "tables": TABLES,
    "compare": COMPARE,
    "judging": JUDGING,
    "explanations": EXPLANATIONS,
    "bounds": BOUNDS,
    "report": REPORT,
    "sql": each("ndcg_sql({})", SQL),
    "shell": [f"shell({line!r})" for line in SHELL],
}


def names() -> dict[str, Any]:
    "What the calls name: the public functions, and data"
    known: dict[str, Any] = {name: getattr(ndcg_nb, name) for name in ndcg_nb.__all__ if name != "explore"}
    for name, place in ndcg_nb.MOVED.items():
        if not place.startswith(("ndcg_nb.widgets", "ndcg_nb.plots", "ndcg_nb.report", "ndcg_nb.hood")):
            known[name] = getattr(import_module(place), name)
    qrels, runs = made(30)
    known |= {"nan": float("nan"), "inf": float("inf"), "sqrt": __import__("math").sqrt, "ndcg_nb": ndcg_nb, "np": np}
    known |= {"QRELS": QRELS, "RUN": RUN, "OTHER": OTHER, "VALUES": VALUES, "MODEL": MODEL, "HUMAN": HUMAN}
    known |= {"MADE": qrels, "RUNS": runs, "frame": lambda **columns: pd.DataFrame(columns)}
    known |= {"TWO_RUNS": {name: runs[name] for name in ("old", "new")}}
    known |= {"WEIGHTS": {query: n % 4 + 1 for n, query in enumerate(qrels)}}
    known |= {"SLICES": {query: ("first", "second", "third")[n % 3] for n, query in enumerate(qrels)}}
    known["RESULT"] = ndcg_nb.evaluate(QRELS, {"A": RUN, "B": OTHER}, ["ndcg@2"])
    return known
