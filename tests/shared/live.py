"The numbers of tools themselves, where they are installed: of one list with its scores"

from __future__ import annotations

import numpy as np
from conftest import needed
from shared.tables import rows_of


def lightgbm_ndcg(lgb, rel: list, scores: list, k: int, sizes: list[int] | None = None, weight=None) -> float:
    "LightGBM's own number for scores that are not its own: they go in as a start from which nothing is learned"
    quiet = {"verbosity": -1, "min_data_in_bin": 1}
    train = lgb.Dataset(np.arange(40.0)[:, None], np.arange(40) % 2, group=[40], params=quiet)
    start = {"init_score": scores, "group": sizes or [len(rel)], "weight": weight}
    valid = lgb.Dataset(np.zeros((len(rel), 1)), rel, reference=train, params=quiet, **start)
    flat = {"objective": lambda y, _: (np.zeros(len(y)), np.ones(len(y))), "metric": "ndcg", "eval_at": [k]}
    seen: dict = {}
    lgb.train(flat | quiet, train, 1, valid_sets=[valid], valid_names=["v"], callbacks=[lgb.record_evaluation(seen)])
    return float(seen["v"][f"ndcg@{k}"][-1])


def xgboost_ndcg(xgb, rel: list, scores: list, metric: str, qid: list[int] | None = None, weight=None) -> float:
    start = {"qid": qid or [0] * len(rel), "base_margin": scores, "weight": weight}
    data = xgb.DMatrix(np.zeros((len(rel), 1)), label=rel, **start)
    booster = xgb.Booster({"objective": "rank:ndcg", "eval_metric": metric, "base_score": 0}, [data])
    return float(booster.eval(data).rpartition(":")[2])


def catboost_ndcg(utils, rel: list, scores: list, k: int, form: str) -> float:
    return utils.eval_metric(rel, scores, f"NDCG:top={k};{form}", group_id=[0] * len(rel))[0]


def torchmetrics_ndcg(functional, rel: list, scores: list, k: int) -> float:
    tensor = needed("torch").tensor
    return float(functional.retrieval_normalized_dcg(tensor(scores), tensor(rel), top_k=k))


def own_ndcg(tool, rel: list, scores: list, k: int, form: str) -> float:
    "The number of a tool itself"
    if tool.__name__ == "lightgbm":
        return lightgbm_ndcg(tool, rel, scores, k)
    if tool.__name__ == "xgboost":
        return xgboost_ndcg(tool, rel, scores, form.format(k=k))
    if tool.__name__ == "catboost.utils":
        return catboost_ndcg(tool, rel, scores, k, form)
    return torchmetrics_ndcg(tool, rel, scores, k)


LIVE = rows_of("""
lightgbm          | lightgbm                          |
xgboost           | xgboost                           | ndcg@{k}
xgboost-minus     | xgboost                           | ndcg@{k}-
catboost          | catboost.utils                    | type=Base
catboost-exp      | catboost.utils                    | type=Exp
catboost-position | catboost.utils                    | type=Base;denominator=Position
torchmetrics      | torchmetrics.functional.retrieval |
""")
