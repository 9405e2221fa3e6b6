"""One example for each public function. `help` shows it with the imports that it needs and with what Python answers."""

QRELS = 'qrels = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"d": 1, "e": 2}, "q3": {"f": 2, "g": 0}}\n'
RUN = 'run = {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]}\n'
RUNS = """runs = {
    "A": {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["g", "f"]},
    "B": {"q1": ["a", "c", "b"], "q2": ["e", "d"], "q3": ["g", "f"]},
}
"""
VALUES = """values = {
    "A": {"q1": 0.60, "q2": 0.50, "q3": 0.70, "q4": 0.40, "q5": 0.55},
    "B": {"q1": 0.70, "q2": 0.60, "q3": 0.75, "q4": 0.60, "q5": 0.65},
}
"""
TABLES = """import duckdb
db = duckdb.connect()
_ = db.sql("CREATE TABLE qrels AS SELECT 'q1' AS query, 'd1' AS document, 3 AS grade")
_ = db.sql("CREATE TABLE run AS SELECT 'q1' AS query, 'd1' AS document, 0.9 AS score")
"""
JUDGED = """model = [0.92, 0.71, 0.55, 0.83, 0.64, 0.97, 0.48, 0.76, 0.88, 0.59, 0.69, 0.81]
human = [0.85, 0.66, 0.47, 0.80, 0.55, 0.91, 0.30, 0.74, 0.79, 0.58, None, None]
"""
LOSS = "rel, scores = [[3, 0, 1]], [[0.2, 0.9, 0.5]]\n"

EXAMPLES = {
    # the measures
    "gain": 'gain([3, 2, 0]).tolist()\ngain([3, 2, 0], "exp").tolist()',
    "cg": "cg([3, 2, 3, 0, 1, 2])\ncg([3, 2, 3, 0, 1, 2], k=3)",
    "discount": "[round(x, 3) for x in discount([1, 2, 3]).tolist()]",
    "dcg": "round(dcg([3, 2, 3, 0, 1, 2]), 3)",
    "idcg": "round(idcg([3, 2, 3, 0, 1, 2]), 3)",
    "ndcg": "round(ndcg([3, 2, 3, 0, 1, 2]), 3)\n"
    "round(ndcg([3, 2, 3, 0, 1, 2], k=6, pool=[3, 3, 3, 2, 2, 2, 1, 0]), 3)\n"
    "round(ndcg([3, 0, 1], scores=[0.2, 0.9, 0.5]), 3)",
    # what nDCG cannot see
    "penalized_ndcg": "round(ndcg([3, 0, 2]), 3), round(penalized_ndcg([3, -1, 2], penalty=1), 3)",
    "minmax_ndcg": "round(minmax_ndcg([3, 0, 2]), 3)",
    "pad": "pad([3, 2], 4).tolist()",
    "ndcg_at_r": "round(ndcg_at_r([3, 0, 2, 0]), 3)",
    "ncg": "ncg([3, 0, 2, 1], k=2)",
    "gain_recall": "gain_recall([3, 0, 2, 1], k=2)",
    "alpha_ndcg": 'round(alpha_ndcg([{"fruit"}, {"fruit"}, {"company"}]), 3)',
    "intent_ndcg": "round(intent_ndcg([[3, 0, 1], [0, 2, 0]], [0.7, 0.3]), 3)",
    "tied_ndcg": "print(tied_ndcg([3, 0, 2], scores=[0.5, 0.5, 0.1]))",
    "judged": "judged([3, None, 2, None])",
    "bounds": "low, high = bounds([3, None, 2], grades=[0, 1, 2, 3])\nround(low, 3), round(high, 3)",
    "judge_next": 'qrels = {"q1": {"a": 2, "b": 0}}\nrun = {"q1": ["c", "a", "d", "b"]}\n'
    'todo = judge_next(qrels, run, measure="ndcg@3")\ntodo.table["document"].tolist(), round(todo.width, 3)',
    "assume": "assume([3, None, 2], 0).tolist()",
    "condense": "condense([3, None, 2]).tolist()",
    "condensed_ndcg": "round(condensed_ndcg([3, None, 1, 2]), 3)",
    "inf_ndcg": 'pool = {"top": [3, 0], "rest": [1, None, None]}\n'
    'round(inf_ndcg([3, None, 0], ["top", "rest", "top"], pool), 3)',
    "ips_dcg": "round(ips_dcg([1, 0, 1], [1.0, 0.5, 0.25]), 3)",
    # beside nDCG
    "precision": "precision([1, 0, 1, 0, 0, 1], k=5)",
    "recall": "recall([3, 0, 2], k=2, pool=[3, 0, 2, 1])\nrecall([3, 0, 2], k=2, pool=[3, 0, 2, 1], level=2)",
    "f1": "f1([1, 0, 1, 0], k=2)",
    "success": "success([0, 0, 1], k=2)",
    "reciprocal_rank": "reciprocal_rank([0, 1, 1])",
    "average_precision": "average_precision([1, 0, 1, 0], pool=[1, 0, 1, 0, 1, 1])",
    "r_precision": "r_precision([1, 0, 1, 0])",
    "abstained": "abstained([[], [0, 0], [1, 0]])",
    "bpref": "bpref([1, 0, None, 1], pool=[1, 0, 1, 0])",
    "rbp": "round(rbp([1, 0, 1, 0], p=0.8), 3)",
    "err": "round(err([3, 0, 2]), 3)",
    "corrected_mean": f"{JUDGED}found = corrected_mean(model, human)\n"
    "round(found.mean, 3), round(found.low, 3), round(found.high, 3)",
    "how_many": "how_many(0.02, sd=0.25, rho=0.6, total=1000)",
    "expected_ndcg": "chances = [[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]]\n"
    "found = expected_ndcg(chances, grades=[0, 1, 2])\nround(found.mean, 3), round(found.sd, 3)",
    "expected_run": "import pandas as pd\n"
    'votes = pd.DataFrame({"query": "q1", "document": ["a", "a", "b"], "grade": [2, 1, 0]})\n'
    'expected_run(votes, {"q1": ["b", "a"]})["mean"].round(3).tolist()',
    "agreement": "found = agreement([0, 1, 2, 2], [0, 1, 1, 2])\nround(found.kappa, 3), found.generosity",
    # in practice
    "explain": "print(explain([3, 2, 0, 1]))",
    "explain_change": 'print(explain_change(["a", "b", "c"], ["c", "a", "b"], pool={"a": 1, "b": 0, "c": 3}))',
    "dialect": 'dialect("sklearn")["ties"]\nround(ndcg([3, 2, 0, 1], **dialect("sklearn")), 3)',
    "list_dialects": 'list_dialects().loc["xgboost", "gain"]',
    "register": 'register("mine", "trec_eval", gain="exp")["gain"]',
    "mean_ndcg": 'mean_ndcg([[3, 0], []], like="trec_eval")',
    "disagree": 'disagree([3, 2, 0, 1], 3).loc["lightgbm", "because"]',
    "which": 'list(which("0.751", [3, 2, 3, 0, 1, 2], 6, pool=[3, 3, 3, 2, 2, 2, 1, 0]).index)',
    "evaluate": f'{QRELS}{RUN}result = evaluate(qrels, run, "ndcg@10")\nround(result.value, 3)\n'
    "list(result.per_query.columns)",
    "register_measure": f'{QRELS}{RUN}with register_measure("first", lambda rel, pool: rel[0] / pool[0]):\n'
    '    print(evaluate(qrels, run, "first").value)',
    "which_run": f'{QRELS}{RUN}"sklearn" in which_run("0.810", qrels, run).index',
    "read_qrels": 'read_qrels("q1 0 d1 3\\nq1 0 d2 0\\n").values.tolist()',
    "read_run": 'read_run("q1 Q0 d1 1 0.9 me\\nq1 Q0 d2 2 0.4 me\\n").values.tolist()',
    "check": f'{QRELS}check(qrels, {{"q1": ["a", "a"], "q2": ["d"]}}).errors',
    "ndcg_sql": 'print(ndcg_sql("qrels", "run", 10).splitlines()[0])',
    "evaluate_lazily": f'{TABLES}evaluate_lazily("qrels", "run", "ndcg@10", connection=db).fetchall()',
    "compare": f"{VALUES}found = compare(values)\n"
    "round(found.difference, 4), round(found.low, 3), round(found.high, 3), round(found.p, 3)",
    "queries_needed": "queries_needed(0.02, 0.15)",
    "detectable": "round(detectable(50, 0.15), 3)",
    "plot_differences": f"{VALUES}ax = plot_differences(compare(values))\nax.get_ylabel()",
    "plot_curves": f"{QRELS}{RUNS}ax = plot_curves(qrels, runs, k=[1, 2, 3])\nax.get_ylabel()",
    "plot_losses": f'{QRELS}{RUNS}ax = plot_losses(evaluate(qrels, runs, "ndcg@3"))\nax.get_ylabel()',
    "plot_slices": f'{QRELS}{RUNS}slices = {{"q1": "head", "q2": "tail", "q3": "tail"}}\n'
    'ax = plot_slices(evaluate(qrels, runs, "ndcg@3"), slices)\nax.get_xlabel()',
    "plot_queries": f'{QRELS}{RUNS}ax = plot_queries(evaluate(qrels, runs, "ndcg@3"))\nax.get_xlabel()',
    "report_html": f"{VALUES}report_html(compare(values))[:15]",
    "write_report": f'{VALUES}write_report(compare(values), "report.html").name',
    # learning
    "accumulate": 'seen = accumulate("ndcg@10")\n'
    'seen.update([0.9, 0.2], [0, 1], ["q1", "q1"])  # a batch\n'
    'seen.update([0.8, 0.1], [2, 0], ["q2", "q2"])\n'
    "round(seen.result().value, 3)",
    "grouped": "import pandas as pd\n"
    "from lightgbm import LGBMRanker\n"
    'x = pd.DataFrame({"length": [0.1, 0.9, 0.4, 0.2]}, index=["q1", "q1", "q2", "q2"])\n'
    "ranker = grouped(LGBMRanker(verbose=-1)).fit(x, [0, 1, 0, 1])\n"
    "len(ranker.predict(x))",
    "scorer": "import pandas as pd\n"
    "from sklearn.linear_model import Ridge\n"
    'x = pd.DataFrame({"length": [0.1, 0.9, 0.4, 0.2]}, index=["q1", "q1", "q2", "q2"])\n'
    "grades = [0, 1, 0, 1]\n"
    'round(scorer("ndcg@10")(Ridge().fit(x, grades), x, grades), 3)',
    "approx_ndcg": f"{LOSS}[round(x, 3) for x in approx_ndcg(rel, scores=scores).tolist()]",
    "neural_ndcg": f"{LOSS}[round(x, 3) for x in neural_ndcg(rel, scores=scores).tolist()]",
    "xe_loss": f"{LOSS}[round(x, 3) for x in xe_loss(rel, scores=scores).tolist()]",
    "lambda_loss": f"{LOSS}[round(x, 3) for x in lambda_loss(rel, scores=scores).tolist()]",
    "hinge_loss": f"{LOSS}[round(x, 3) for x in hinge_loss(rel, scores=scores).tolist()]",
    "gradient": f"{LOSS}gradient(approx_ndcg, rel, scores=scores).round(3).tolist()",
    # widgets
    "explore": "widget = explore([3, 2, 3, 0, 1, 2], k=5)\nround(widget.ndcg, 3)",
    "whose": "widget = whose(0.751, [3, 2, 3, 0, 1, 2], 6, pool=[3, 3, 3, 2, 2, 2, 1, 0])\nlist(widget.found.index)",
    "paste": 'widget = paste("q1 0 d1 1", "q1 Q0 d2 1 9.5 x\\nq1 Q0 d1 2 8.1 x")\nwidget.numbers["trec_eval"]',
    "fool": 'fool("copies").challenge',
    "soften": "widget = soften([3, 0, 2])\nwidget.scores",
    "bend": "widget = bend([3, 0, 0], [0, 2, 2], discount='zipf')\nwidget.discount",
    "favour": "widget = favour(taste=1)\nwidget.taste",
    "stretch": "widget = stretch(3)\nwidget.worth",
    "sway": "widget = sway([0.1, -0.05, 0.2])\nwidget.queries",
    "narrow": "widget = narrow([3, None, 1, None], k=3)\nwidget.given = [2, 0]\nwidget.bounds",
    "desk": 'from ndcg_nb import judge_next\ntodo = judge_next({"q1": {"a": 2}}, {"q1": ["b", "a"]})\n'
    'widget = desk(todo, {"b": "The text of b."}, "judgements.tsv")\nwidget.task["title"]',
    "noise": "widget = noise(0.05, 34, 0.1)\nwidget.draws",
}
