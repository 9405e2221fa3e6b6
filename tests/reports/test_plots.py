"""The plots draw what was computed: bars, bands, stairs, dots and crossings; and leave everything else alone."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from scipy.stats import spearmanr

from ndcg_nb import evaluate
from ndcg_nb.comparisons import compare
from ndcg_nb.hood.display.pages import GAIN, LOSS

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.patches import StepPatch  # noqa: E402

from ndcg_nb.hood.reports import charts as plots  # noqa: E402
from ndcg_nb.plots import (  # noqa: E402
    plot_curves,
    plot_differences,
    plot_losses,
    plot_queries,
    plot_slices,
)

rng = np.random.default_rng(7)
QUERIES = [f"q{n:02}" for n in range(30)]
GRADES = {q: rng.choice(4, 25, p=[0.6, 0.2, 0.1, 0.1]) for q in QUERIES}
QRELS = {q: {f"d{d}": int(g) for d, g in enumerate(GRADES[q]) if d < 20} for q in QUERIES}  # the others are not judged
RUNS = {
    name: {q: {f"d{d}": float(s) for d, s in enumerate(sight * GRADES[q] + rng.normal(size=25))} for q in QUERIES}
    for name, sight in (("low", 0.2), ("middle", 0.8), ("high", 1.6))
}
EVALUATION = evaluate(QRELS, RUNS, "ndcg@10")
TWO = compare(QRELS, {name: RUNS[name] for name in ("low", "high")})
THREE = compare(EVALUATION)
SLICES = {q: 9 + n % 3 for n, q in enumerate(QUERIES)}
CALLS: dict[str, Any] = {
    "differences": lambda **more: plot_differences(TWO, **more),
    "curves": lambda **more: plot_curves(QRELS, RUNS, range(1, 6), **more),
    "losses": lambda **more: plot_losses(EVALUATION, **more),
    "slices": lambda **more: plot_slices(EVALUATION, SLICES, **more),
    "queries": lambda **more: plot_queries(EVALUATION, **more),
}
every = pytest.mark.parametrize("draw", CALLS.values(), ids=CALLS)


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    plt.close("all")


def by_colour(bars: Any, colour: str) -> list[float]:
    return [bar.get_height() for bar in bars if to_hex(bar.get_facecolor()) == colour]


def band_of(ax: Any, n: int = 0) -> tuple[float, float]:
    points = ax.collections[n].get_paths()[0].vertices[:, 1]
    return points.min(), points.max()


def told(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def bare(k: int = 1) -> Any:
    "Axes of a figure that pyplot knows nothing of"
    return Figure(figsize=(6, 4)).subplots(k)


# What all have in common


@every
def test_axes_are_honoured(draw: Any) -> None:
    before = plt.get_fignums()
    ax = bare()
    assert draw(ax=ax) is ax
    assert ax.get_title(loc="left")
    assert plt.get_fignums() == before, "where axes are given, no other figure is made"
    assert draw() is not ax
    assert len(plt.get_fignums()) == len(before) + 1


@every
def test_settings_of_matplotlib_stay(draw: Any) -> None:
    with matplotlib.rc_context({"axes.spines.top": True, "font.size": 13}):
        before = matplotlib.rcParams.copy()
        draw()
        assert matplotlib.rcParams == before


@every
def test_no_legend_and_only_the_colours_of_the_book(draw: Any) -> None:
    ax = draw(ax=bare())
    assert ax.get_legend() is None
    known = {colour.lower() for colour in plots.__dict__.values() if isinstance(colour, str) and colour.startswith("#")}
    drawn = {to_hex(line.get_color()) for line in ax.lines} | {
        to_hex(p.get_edgecolor()) for p in ax.patches if not p.fill
    }
    drawn |= {to_hex(p.get_facecolor()) for p in ax.patches if p.fill}
    drawn |= {to_hex(c) for collection in ax.collections for c in collection.get_facecolor()}
    assert drawn <= known
    assert len(known) == 5


@every
def test_without_a_title_its_text_is_kept(draw: Any) -> None:
    with_one, without = draw(ax=bare()), draw(ax=bare(), title=False)
    assert with_one.get_title(loc="left") == with_one.get_label() == without.get_label() != ""
    assert without.get_title(loc="left") == ""


@every
def test_letters_in_a_column_of_a_paper(draw: Any) -> None:
    "Fit into 3.3 inches, and are not below 7 points; where there is room they are as they are set"
    for width, least in ((3.3, 7), (6.4, 10), (2, 7)):
        with matplotlib.rc_context({"figure.figsize": (width, 2), "font.size": 10}):
            ax = draw(title=False)
            ax.figure.canvas.draw()
            texts = [*ax.texts, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels()]
            shown = [text for text in texts if text.get_text()]
            assert shown
            assert least <= min(text.get_fontsize() for text in shown)
            assert max(text.get_fontsize() for text in shown) <= (10 if width > 5 else 8)
            inside = [*ax.texts, ax.yaxis.label, *ax.get_yticklabels()]
            assert all(text.get_window_extent().x0 >= -1 for text in inside if text.get_text())
    with matplotlib.rc_context({"figure.figsize": (3.3, 2), "font.size": 6}):
        assert {text.get_fontsize() for text in draw().get_yticklabels()} <= {6}


@pytest.mark.parametrize("name", ["curves", "losses"])
def test_lines_can_be_told_apart_in_grey(name: str) -> None:
    ax = CALLS[name](ax=bare())
    drawn = [*ax.lines, *(p for p in ax.patches if isinstance(p, StepPatch))]
    colour = "get_color" if name == "curves" else "get_edgecolor"
    dashes = {str(line.get_linestyle()): to_hex(getattr(line, colour)()) for line in drawn}
    assert len(dashes) == len(drawn) == 3
    assert dashes.get("-", dashes.get("solid")) == GAIN


@every
def test_names_are_inside_and_apart(draw: Any) -> None:
    ax = draw(ax=bare())
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert all(box.x1 <= ax.figure.bbox.x1 and box.y1 <= ax.figure.bbox.y1 for box in boxes), told(ax)
    overlaps = [
        (a, b) for n, a in enumerate(boxes) for b in boxes[:n] if a.shrunk(0.9, 0.8).overlaps(b.shrunk(0.9, 0.8))
    ]
    assert not overlaps, told(ax)


@pytest.mark.parametrize("name", ["curves", "losses"])
def test_an_accent_that_is_none_makes_no_figure(name: str) -> None:
    before = plt.get_fignums()
    with pytest.raises(ValueError, match="accent is 'hihg': name one of 'low', 'middle', 'high'"):
        CALLS[name](accent="hihg")
    assert plt.get_fignums() == before


@pytest.mark.parametrize("name", ["curves", "losses"])
def test_the_accent_is_blue(name: str) -> None:
    for accent in ("low", "middle"):
        ax = CALLS[name](accent=accent, ax=bare())
        blue = [text.get_text() for text in ax.texts if text.get_color() == GAIN]
        assert len(blue) == 1
        assert accent in blue[0]


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"drawn by matplotlib: pip install matplotlib"):
        plot_differences(TWO)


def test_importing_is_light() -> None:
    code = "import sys, ndcg_nb.plots; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT).split()
    assert "numpy" in loaded
    assert not {"matplotlib", "pandas", "scipy"} & {*loaded}


# Differences


def test_heights_are_differences_in_order() -> None:
    ax = plot_differences(TWO, ax=bare())
    d = np.sort(TWO.differences())[::-1]
    assert by_colour(ax.patches, GAIN) == d[d > 0].tolist()
    assert by_colour(ax.patches, LOSS) == d[d < 0].tolist()


def test_the_band_is_the_interval() -> None:
    for interval in ("t", "percentile"):
        x = compare(QRELS, {name: RUNS[name] for name in ("low", "high")}, interval=interval)
        ax = plot_differences(x, ax=bare())
        assert band_of(ax) == (x.low, x.high)
        assert x.difference in [line.get_ydata()[0] for line in ax.lines]


def test_ends_and_counts_are_told() -> None:
    values = {"a": [0.5, 0.5, 0.5, 0.5, 0.5], "b": [0.9, 0.6, 0.5, 0.5, 0.1]}
    ax = plot_differences(compare(values), ax=bare())
    assert {"1 +0.400", "5 −0.400"} <= {*told(ax)}
    assert ax.get_xlabel() == "won 2, tied 2, lost 1"
    assert ax.get_title(loc="left") == "b is better than a on 2 of 5 queries"
    back = plot_differences(compare({"b": values["b"], "a": values["a"]}), ax=bare())
    assert back.get_title(loc="left") == "b is better than a on 2 of 5 queries"
    assert back.get_xlabel() == "won 1, tied 2, lost 2"


def test_a_pair_either_way_round() -> None:
    there, back = (plot_differences(THREE, *pair, ax=bare()) for pair in (("low", "high"), ("high", "low")))
    low, high = band_of(there)
    assert band_of(back) == (-high, -low)
    ends = [f"{x:+.3f}".replace("-", "−") for x in (-high, -low)]
    assert any(text.endswith(", ".join(ends)) for text in told(back))
    [row] = THREE.pairs[(THREE.pairs["a"] == "low") & (THREE.pairs["b"] == "high")].to_dict("records")
    assert (low, high) == (row["low"], row["high"])
    assert by_colour(there.patches, GAIN) == [-x for x in by_colour(back.patches, LOSS)[::-1]]


def test_many_queries_are_one_shape() -> None:
    values = {"a": rng.random(2000), "b": rng.random(2000)}
    x = compare(values)
    ax = plot_differences(x, ax=bare())
    shapes = [patch for patch in ax.patches if isinstance(patch, StepPatch)]
    assert len(ax.patches) == len(shapes) == 2
    assert len(ax.texts) < 8
    d = np.sort(x.differences())[::-1]
    assert np.array_equal(shapes[0].get_data().values + shapes[1].get_data().values, d)


def test_differences_refuse() -> None:
    with pytest.raises(ValueError, match="say which two, of 'low', 'middle', 'high'"):
        plot_differences(THREE)
    with pytest.raises(ValueError, match="no system 'hihg'"):
        plot_differences(THREE, "low", "hihg")
    with pytest.raises(TypeError, match="of type Evaluation: give what `compare` gave back"):
        plot_differences(EVALUATION)
    with pytest.raises(ValueError, match="middle and high were not compared, only each with low"):
        plot_differences(compare(EVALUATION, baseline="low"), "middle", "high")
    assert not plt.get_fignums()


# Curves


def test_curves_are_means_and_bands_their_intervals() -> None:
    from scipy.stats import t

    ax = plot_curves(QRELS, RUNS, [1, 5, 10], ax=bare())
    means = evaluate(QRELS, RUNS, "ndcg@1,5,10")
    lines = {to_hex(line.get_color()): line for line in ax.lines}
    assert np.allclose(lines[GAIN].get_ydata(), means.means.loc["high"], atol=1e-12)
    assert lines[GAIN].get_xdata().tolist() == [1, 5, 10]
    values = means.values[2]
    low, high = t.interval(0.95, 29, values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(30))
    assert np.allclose(band_of(ax, 2), (low.min(), high.max()), atol=1e-12)


def test_curves_of_an_evaluation() -> None:
    drawn = [
        plot_curves(evaluate(QRELS, RUNS, "judged@5 ndcg@10 ndcg@1,5"), ax=bare()),
        plot_curves(QRELS, RUNS, [1, 5, 10], ax=bare()),
        plot_curves(compare(evaluate(QRELS, RUNS, "ndcg@1,5,10"), "ndcg@5"), ax=bare()),
    ]
    first, *others = [[line.get_ydata().tolist() for line in ax.lines] for ax in drawn]
    assert all(np.allclose(first, other) for other in others)
    assert len(first) == 3
    named = plot_curves(evaluate(QRELS, RUNS, "ndcg@1,2 ndcg(gain=exp)@3,4"), measure="ndcg(gain=exp)", ax=bare())
    assert named.get_ylabel() == "mean ndcg(gain=exp)@k"
    assert named.lines[0].get_xdata().tolist() == [3, 4]


def test_who_is_ahead_from_where() -> None:
    grades = {"q": {"a": 3, "b": 2, "c": 0, "d": 0}, "r": {"a": 3, "b": 2, "c": 0, "d": 0}}
    order = lambda text: {x: float(len(text) - n) for n, x in enumerate(text)}  # noqa: E731
    runs = {"early": {q: order("adcb") for q in grades}, "late": {q: order("bacd") for q in grades}}
    ax = plot_curves(grades, runs, [1, 2, 3, 4], ax=bare())
    assert ax.get_title(loc="left") == "late is ahead from k = 2 on"
    ax = plot_curves(grades, {"early": runs["early"], "no": {q: order("dc") for q in grades}}, [1, 2], ax=bare())
    assert ax.get_title(loc="left") == "early is ahead at every cutoff"
    ax = plot_curves(grades, {"early": runs["early"]}, [1, 2], ax=bare())
    assert ax.get_title(loc="left").startswith("early: 1.000 at 1")


def test_many_systems_have_one_band_and_few_names() -> None:
    many = {f"s{n:02}": RUNS[name] for n, name in enumerate([*RUNS] * 6)}
    ax = plot_curves(QRELS, many, [1, 5], ax=bare())
    assert len(ax.lines) == 18
    assert len(ax.collections) == 1
    assert sum(text.get_color() == GAIN for text in ax.texts) == 1
    assert len(ax.texts) <= 3


def test_curves_refuse() -> None:
    with pytest.raises(ValueError, match=r"'ndcg@10' is not a curve: ask for several cutoffs, e.g. ndcg@5,10,20"):
        plot_curves(EVALUATION)
    with pytest.raises(TypeError, match="of type dict: give what `evaluate` gave back"):
        plot_losses(QRELS)
    with pytest.raises(ValueError, match="there is no measure 'ndgc'"):
        plot_curves(QRELS, RUNS, measure="ndgc")


# Losses


@pytest.mark.parametrize(
    "measure", ["ndcg@10", "ndcg(gain=exp)@5", "ndcg(discount=zipf)@20", "ndcg(like=trec_eval)@10"]
)
def test_losses_add_up(measure: str) -> None:
    x = evaluate(QRELS, RUNS, measure)
    ax = plot_losses(x, ax=bare())
    stairs = [patch.get_data().values for patch in ax.patches]
    assert all(s[0] == 0 and (s >= 0).all() for s in stairs)
    wanted = {run: 1 - values.mean() for run, values in zip(x.runs, x.values[:, :, 0])}
    assert np.allclose([s[-1] for s in stairs], [wanted[run] for run in ("low", "middle", "high")], rtol=0, atol=1e-12)


def test_losses_are_those_of_explain() -> None:
    ax = plot_losses(EVALUATION, accent="low", ax=bare())
    steps = np.diff(ax.patches[-1].get_data().values)
    each = [EVALUATION.explain(q, run="low")["loss"].to_numpy(float) for q in EVALUATION.queries]
    assert np.allclose(steps, np.mean(each, axis=0), rtol=0, atol=1e-12)


def test_losses_refuse() -> None:
    for measure in ("ndcg(like=lightgbm)@10", "ndcg"):
        with pytest.raises(ValueError, match="needs a cutoff and the ideal of the pool"):
            plot_losses(evaluate(QRELS, RUNS, measure))
    with pytest.raises(ValueError, match="cannot be explained"):
        plot_losses(evaluate(QRELS, RUNS, "judged@10"))
    with pytest.raises(ValueError, match="this plot needs judgements and runs"):
        plot_losses(compare({"a": [1, 2], "b": [1, 1]}))
    assert not plt.get_fignums()


def test_rows_that_were_left_in_an_engine() -> None:
    duckdb = pytest.importorskip("duckdb")
    pd = pytest.importorskip("pandas")
    pytest.importorskip("sqlglot")
    rows = lambda x, what: pd.DataFrame(  # noqa: E731
        [(q, d, v) for q, each in x.items() for d, v in each.items()], columns=["query", "document", what]
    )
    with duckdb.connect() as connection:
        connection.register("qrels", rows(QRELS, "grade"))
        connection.register("low", rows(RUNS["low"], "score"))
        x = evaluate("qrels", "low", "ndcg@10 judged@10", connection=connection)
        with pytest.raises(ValueError, match="the rows of low were left where they are"):
            plot_losses(x)
        [line] = plots.dots_of_judged(x).lines
        assert len(line.x) == 30, "what was evaluated is there"


# Slices and queries


def test_means_and_intervals_of_slices() -> None:
    ax = plot_slices(EVALUATION, SLICES, ax=bare())
    table = EVALUATION.by(SLICES)
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == [name for part in ("9", "10", "11") for name in (part, "low", "middle", "high")]
    bold = [text.get_text() for text in ax.get_yticklabels() if text.get_fontweight() == "bold"]
    assert bold == ["9", "10", "11"]
    for box in ax.containers:
        dot, _, [line] = box.lines
        row = int(dot.get_ydata()[0])
        part, run = names[row // 4 * 4], names[row]
        [wanted] = table[(table["slice"] == part) & (table["run"] == run)].to_dict("records")
        assert dot.get_xdata()[0] == wanted["mean"]
        ends = line.get_segments()[0][:, 0]
        assert np.allclose(ends, [wanted["low"], wanted["high"]], rtol=0, atol=1e-12)
        assert to_hex(dot.get_color()) == (GAIN if run == "high" else plots.IDEAL)
    assert len(ax.containers) == 9
    assert ax.yaxis_inverted()
    lowest = table[table["run"] == "high"].sort_values("mean").iloc[0]
    assert ax.get_title(loc="left") == f"high is lowest in {lowest['slice']}, {lowest['mean']:.3f}"


def test_slices_of_one_run_and_of_another_measure() -> None:
    several = evaluate(QRELS, {"low": RUNS["low"]}, "ndcg@10 rr")
    ax = plot_slices(several, SLICES, "rr", ax=bare())
    assert [text.get_text() for text in ax.get_yticklabels()] == ["9", "10", "11"]
    assert ax.get_xlabel() == "mean rr"
    assert len(ax.containers) == 3
    narrow, wide = (plot_slices(EVALUATION, SLICES, alpha=alpha, ax=bare()).get_xlim() for alpha in (0.5, 0.01))
    assert np.ptp(narrow) < np.ptp(wide)
    few = plot_slices(EVALUATION, {q: "a" if n < 3 else "b" for n, q in enumerate(QUERIES)}, ax=bare())
    assert len(few.containers) == 6, "a slice too small for an interval has its dots"
    tall = plot_slices(EVALUATION, {q: q for q in QUERIES})
    assert tall.figure.get_figheight() > 20, "each row has room for its name"


def test_values_of_queries_are_dots() -> None:
    ax = plot_queries(EVALUATION, ax=bare())
    *rows, means = ax.lines
    for i, row in enumerate(rows):
        assert row.get_xdata().tolist() == EVALUATION.values[i, :, 0].tolist()
        assert np.abs(row.get_ydata() - i).max() <= 0.4
        assert len({*row.get_ydata()}) == len(QUERIES)
    assert list(means.get_xdata()) == EVALUATION.means["ndcg@10"].tolist()
    assert [to_hex(row.get_color()) for row in rows] == [plots.IDEAL, plots.IDEAL, GAIN]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["low", "middle", "high"]
    half = np.median(EVALUATION.values[2, :, 0])
    assert ax.get_title(loc="left") == f"high: half of the queries have {half:.3f} or more"
    assert plot_queries(compare(evaluate(QRELS, RUNS, "rr ndcg@10"), "ndcg@10"), ax=bare()).get_xlabel() == "ndcg@10"
    excluded = evaluate(QRELS | {"none": {"d0": 0}}, RUNS, "ndcg@10")
    assert np.isnan(plot_queries(excluded, ax=bare()).lines[0].get_xdata()).sum() == 1


def test_slices_and_queries_refuse() -> None:
    with pytest.raises(ValueError, match="there is no measure 'ndgc@10': there are 'ndcg@10'; did you mean 'ndcg@10'"):
        plot_queries(EVALUATION, "ndgc@10")
    with pytest.raises(ValueError, match="1 query has no slice: 'q00'"):
        plot_slices(EVALUATION, {q: "a" for q in QUERIES[1:]})
    assert not plt.get_fignums()


# Judged, which a report draws


def test_dots_are_shares_and_values() -> None:
    asked = evaluate(QRELS, RUNS, "ndcg@10 judged@10")
    for x in (EVALUATION, asked, compare(asked, "ndcg@10")):
        lines = {line.name: line for line in plots.dots_of_judged(x).lines}
        assert np.allclose(lines["high"].x, asked.values[2, :, 1], atol=1e-15)
        assert np.array_equal(lines["high"].y, asked.values[2, :, 0])


def test_least_judged_is_blue() -> None:
    few = {q: {d: QRELS[q].get(d, 0) for d in sorted(r, key=r.get)[-10:]} for q, r in RUNS["middle"].items()}
    x = evaluate(few, RUNS, "ndcg@10 judged@10")
    *others, blue = plots.dots_of_judged(x).lines
    least = x.means["judged@10"].idxmin()
    assert blue.label == f"{least}, {x.means.loc[least, 'judged@10']:.0%}"
    assert any(line.label == "middle, 100%" for line in others)


def test_holes_are_told_only_where_there_is_a_trend() -> None:
    rising = np.array([np.linspace(0, 1, 20), np.linspace(0.2, 0.9, 20)])
    flat = np.array([np.linspace(0, 1, 20), [0.4, 0.6] * 10])
    constant = np.array([np.ones(20), np.linspace(0, 1, 20)])
    falling = rising * [[1], [-1]] + [[0], [1]]
    worse = "Where less was judged, a looks worse"
    assert plots._holes({"a": rising, "b": flat, "c": constant}, 0.05) == worse
    assert plots._holes({"a": rising, "b": rising}, 0.05) == "Where less was judged, a and b look worse"
    assert plots._holes({"a": falling, "b": flat}, 0.05) == "No system looks worse where less was judged"
    assert plots._holes({"a": constant, "b": constant}, 0.05) == "Every result was judged"
    rng = np.random.default_rng(0)
    for n in rng.integers(3, 40, 100):
        both = np.array([rng.integers(0, 5, n), rng.normal(size=n)])
        both[1] += both[0] * rng.random()
        theirs = spearmanr(*both)
        assert plots._rises(both, 0.05) == (theirs.statistic > 0 and theirs.pvalue < 0.05), both


def test_runs_without_results() -> None:
    runs = {"silent": {}, "high": RUNS["high"]}
    for measures in ("ndcg@10", "ndcg@10 judged@10"):
        x = evaluate(QRELS, runs, measures, disjoint="zero")
        with pytest.raises(ValueError, match="'silent' returned no results for the judged queries: there is no share"):
            plots.dots_of_judged(x)


@pytest.mark.parametrize("plot", [plot_curves, plot_losses, plot_queries, plots.dots_of_judged])
def test_runs_without_a_mean(plot: Any) -> None:
    of_nothing = {q: {d: 0 for d in grades} for q, grades in QRELS.items()}
    measures = "ndcg@5,10" if plot is plot_curves else "ndcg@10"
    for x, who in [
        (evaluate(of_nothing, RUNS, measures), "'low', 'middle', 'high'"),
        (evaluate(QRELS, RUNS | {"none": {}}, measures, missing="skip", disjoint="zero"), "'none'"),
    ]:
        with pytest.raises(ValueError, match=f"no query has a value for {who}, so there is no mean to draw"):
            plot(x)
    assert not plt.get_fignums()


def test_the_ends_of_bounds_are_no_curve() -> None:
    ax = plot_curves(evaluate(QRELS, RUNS, "bounds@5,10 ndcg@5,10"), ax=bare())
    assert ax.get_ylabel() == "mean ndcg@k"


def test_long_names_are_cut() -> None:
    runs = {"bm25.run": RUNS["low"], "hybrid-with-a-cross-encoder": RUNS["high"]}
    ax = plot_curves(QRELS, runs, [1, 5], ax=bare())
    assert {*told(ax)} == {"bm25", "hybrid-…ncoder"}
    assert ax.get_title(loc="left").startswith("hybrid-with-a-cross-")


def test_a_result_draws_itself() -> None:
    "The same figure by the method as by the function, and what to do where a result has not what it takes"

    def drawn(ax: Any) -> tuple[Any, ...]:
        return ax.get_title(loc="left"), ax.get_ylabel(), [line.get_xydata().tolist() for line in ax.get_lines()]

    assert drawn(TWO.plot_differences()) == drawn(plot_differences(TWO))
    assert drawn(THREE.plot_differences("low", b="high")) == drawn(plot_differences(THREE, "low", "high"))
    several = evaluate(QRELS, RUNS, "ndcg@2,5 dcg@5")
    assert drawn(several.plot_curves(measure="ndcg")) == drawn(plot_curves(several))
    assert drawn(compare(several, measure="ndcg@5").plot_curves()) == drawn(plot_curves(several))
    for x in (EVALUATION, THREE):
        assert drawn(x.plot_losses(accent="low")) == drawn(plot_losses(EVALUATION, accent="low"))
        assert drawn(x.plot_queries()) == drawn(plot_queries(EVALUATION))
        assert drawn(x.plot_slices(SLICES)) == drawn(plot_slices(EVALUATION, SLICES))
        with pytest.raises(ValueError, match=re.escape("ask for several cutoffs, e.g. ndcg@5,10,20")):
            x.plot_curves()
        with pytest.raises(TypeError, match="an evaluation has its own runs: leave runs out"):
            x.plot_curves("ndcg")
    values = compare({"A": [0.1, 0.2, 0.3], "B": [0.2, 0.1, 0.5]})
    for plot in (values.plot_curves, values.plot_losses):
        with pytest.raises(ValueError, match=re.escape("this plot needs judgements and runs: compare(qrels, runs)")):
            plot()
    assert not hasattr(EVALUATION, "plot_differences")


# Releases, and queries that weigh differently


def test_curves_and_losses_follow_the_weights() -> None:
    qrels = {f"q{n}": {"a": 1, "b": 3, "c": 2} for n in range(4)}
    run = {q: list("abc" if n % 2 else "bca") for n, q in enumerate(qrels)}
    weighted = evaluate(qrels, run, "ndcg@1,3", weights={"q0": 9, "q1": 1, "q2": 3, "q3": 1})
    assert plot_curves(weighted).lines[0].get_ydata().tolist() == weighted.means.loc["run"].tolist()
    text = plot_losses(weighted, "ndcg@3").texts[0].get_text()
    assert text == f"run {1 - weighted['ndcg@3']:.3f}"
    plt.close("all")
