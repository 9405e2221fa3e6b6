"""What every page owes its reader: named sources, a widget before the first equation, answers, and a size that fits."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import build
import cells
import files
import links
import nbformat
import pytest
import yaml
from conftest import NOTEBOOKS, ROOT, needs_browser
from published import cfg as CFG
from published import repository, said

CHAPTERS = [p for p in NOTEBOOKS if re.match(r"\d\d_", p.name) and p.parent == ROOT / "nbs"]
# SQL is derived under the hood, and Tables is a page of use
DERIVED = [p for p in CHAPTERS if p.stem != "11_sql"] + [ROOT / "nbs/hood/engines/clauses.ipynb"]
UNNAMED = ["one text", "an encyclopedia", "a textbook", "some texts", "a well-known course", "in circulation"]
UNNAMED += ["many textbooks", "the textbook"]

chapters = pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)


def read(path: Path) -> list[nbformat.NotebookNode]:
    return nbformat.read(path, 4).cells


def prose(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path) if cell.cell_type == "markdown")


# What is said

# What a page needs that `pip install .` does not bring
EXTRAS = {"12a_plots": "plots", "11_sql": "sql"}
EXTRAS |= {"11a_clusters": "spark", "quickstart": "fast,plots"}


@pytest.mark.parametrize("name", EXTRAS)
def test_what_to_install_comes_first(name: str) -> None:
    assert all(f"{extra}_requirements" in CFG for extra in EXTRAS[name].split(","))
    first = next(c for c in read(ROOT / f"nbs/{name}.ipynb")[1:] if c.cell_type == "markdown").source
    before = re.split(r"^```(?:console|python)$", first, flags=re.M)[0]
    assert said(f'pip install ".[{EXTRAS[name]}]"') in before


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_sources_are_named(path: Path) -> None:
    text = re.sub(r"\s+", " ", prose(path))
    unnamed = [text[m.start() - 40 : m.end() + 40] for m in re.finditer(rf"\b({'|'.join(UNNAMED)})\b", text, re.I)]
    assert not unnamed, "a reader cannot check a source without a name"


def test_citations_and_references() -> None:
    references = prose(ROOT / "nbs/references.ipynb")
    entries = re.findall(r'^<a id="([\w-]+)"></a>\*\*', references, re.M)
    assert len(entries) == len(set(entries)) > 20
    assert entries == sorted(entries), "by first author"
    cited = build.citations()
    assert not set(cited) - set(entries), "cited, and not among the references"
    assert not set(entries) - set(cited), "among the references, and never cited"


def test_every_citation_is_a_link() -> None:
    "A name and a year in brackets lead to the references; one that leads elsewhere, or nowhere, was forgotten"
    for path in NOTEBOOKS:
        for text, to in re.findall(r"\[([^\]\n]*\b(?:19|20)\d\d)\](?:\(([^)\s]*)\))?", prose(path)):
            if re.match(r"[A-ZÄÖÜ][^\d,]*,? (19|20)\d\d", text):
                assert "references.ipynb#" in to, f"{path.name}: [{text}]({to})"


@pytest.mark.parametrize("path", [p for p in DERIVED if p.stem != "10_runs"], ids=lambda p: p.stem)
def test_the_widget_comes_first(path: Path) -> None:
    kinds: dict[str, int] = {}
    for n, cell in enumerate(read(path)):
        if cell.cell_type == "markdown" and "$$" in cell.source:
            kinds.setdefault("equation", n)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if any(map(cells.STATE.fullmatch, data)):
                kinds.setdefault("widget", n)
            elif "image/png" in data or "image/svg+xml" in data:
                kinds.setdefault("figure", n)
    assert "widget" in kinds, "there is no widget, or it was not run"
    assert min(kinds, key=kinds.__getitem__) == "widget", kinds


@pytest.mark.parametrize("path", DERIVED, ids=lambda p: p.stem)
def test_exercises_are_answered(path: Path) -> None:
    book = read(path)
    heads = [
        n for n, cell in enumerate(book) if cell.cell_type == "markdown" and cell.source.startswith("## Exercises")
    ]
    assert len(heads) == 1
    asked = [n for n, cell in enumerate(book) if n >= heads[0] and re.search(r"^\*\*\d\.\*\*", cell.source, re.M)]
    assert 2 <= len(asked) <= 4
    for number, n in enumerate(asked, 1):
        question = book[n]
        answer = book[n + 1]
        assert f"**{number}.**" in question.source
        assert answer.cell_type == "code"
        assert answer.source.startswith(f'#| code-fold: true\n#| code-summary: "Answer to {number}"\n')
        assert answer.outputs, "an answer shows its result"
        assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(answer.source))), "and asserts it"


@chapters
def test_it_ends_in_one_line(path: Path) -> None:
    last = read(path)[-1]
    assert last.cell_type == "markdown"
    assert last.source.startswith("*In one line: ")
    assert re.search(r"(Next|See also): \[", last.source) or path == CHAPTERS[-1]
    assert "touch it" not in prose(path).lower(), "the widget stands at the top"


@chapters
def test_figures_are_drawn_for_any_page(path: Path) -> None:
    outputs = [output.get("data", {}) for cell in read(path) for output in cell.get("outputs", [])]
    figures = [data for data in outputs if not any("vnd.ndcg_nb" in kind for kind in data)]  # a widget has a picture
    kinds = {kind for data in figures for kind in data}
    assert "image/png" not in kinds, "use figure() of ndcg_nb.hood.display.pages, and run the chapter"


def test_who_to_cite() -> None:
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert told["cff-version"] == "1.2.0"
    assert told["type"] == "software"
    assert told["message"]
    assert told["authors"] == [{"name": CFG["author"]}]
    ours = {"version": "version", "license": "license", "abstract": "description"}
    assert {theirs: told[theirs] for theirs in ours} == {theirs: CFG[name] for theirs, name in ours.items()}
    assert CFG["title"] in told["title"]
    assert set(told["keywords"]) <= set(CFG["keywords"].split())
    bibtex = re.search(r"```bibtex\n(.*?)```", prose(ROOT / "nbs/references.ipynb"), re.S)[1]
    assert CFG["author"] in bibtex
    assert f"{{{CFG['copyright'][:4]}}}" in bibtex
    assert f"ndcg_nb {CFG['version']}" in prose(ROOT / "nbs/references.ipynb")


# How cells become a page


def test_assertions_are_taken_out() -> None:
    source = "\n".join(
        [
            "# why it is so",
            "x = 1  # one",
            "",
            "# it holds",
            "assert x == 1",
            "for y in (1, 2):",
            "    assert y",
            "    assert y > 0, 'a reason'",
            "for y in (1, 2):",
            "    x += y",
            "    assert x",
            "with open('f') as f:",
            "    assert f",
            "",
            "",
            'f"""',
            'assert not code"""',
        ]
    )
    rest, apart, count = cells.checks(source)
    assert count == 4
    assert rest == (
        "# why it is so\nx = 1  # one\n\nfor y in (1, 2):\n    x += y\n    assert x\n\n" + 'f"""\nassert not code"""'
    )
    assert apart.splitlines()[:3] == ["# it holds", "assert x == 1", "for y in (1, 2):"]
    assert "open" in apart
    assert cells.checks("assert True\nassert 1") == ("", "assert True\nassert 1", 2)
    assert cells.checks("x = 1") == ("x = 1", "", 0)
    assert 'title="1 check that' in cells.check_mark("assert 1 < 2", 1).data["text/html"]
    assert "&lt;" in cells.check_mark("assert 1 < 2", 1).data["text/html"]


def test_an_index_has_no_row_of_its_own() -> None:
    import pandas as pd

    named = pd.DataFrame({"a": [1], "b": [2]}).rename_axis("grade")
    assert cells.one_header(named.to_html()).count("<tr") == named.to_html().count("<tr") - 1
    assert "<tr><th>grade</th><th>a</th><th>b</th></tr>" in cells.one_header(named.to_html())
    both = named.rename_axis("form", axis=1).to_html()
    assert cells.one_header(both) == both, "two names cannot share a place"
    assert cells.one_header(pd.DataFrame({"a": [1]}).to_html()) == pd.DataFrame({"a": [1]}).to_html()


@pytest.mark.parametrize("name", [None, "ndcg@1"])
def test_a_series_ends_with_its_last_value(name: str | None) -> None:
    import pandas as pd

    printed = nbformat.v4.new_output("execute_result", {"text/plain": repr(pd.Series([0.5], ["bm25"], name=name))})
    assert cells.shown(printed, None).data["text/plain"] == "bm25    0.5"


def test_a_table_has_the_minus_of_the_text() -> None:
    import pandas as pd

    table = pd.DataFrame({"a": [-0.5], "b": ["-m"]}).to_html()
    shown = cells.shown(nbformat.v4.new_output("execute_result", {"text/html": table}), None).data["text/html"]
    assert "<td>−0.5</td>" in shown and "<td>-m</td>" in shown, "an option keeps its hyphen"


# The pages as built


@pytest.fixture
def visit(page, site: Path) -> Callable:
    "Opens a page of the site, as wide as a laptop or as told"

    def go(name: str, width: int = 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{site.as_uri()}/{name}.html")
        return page

    return go


@pytest.mark.slow
def test_every_page_says_what_it_is(site: Path) -> None:
    found = sorted({*site.rglob("*.html")} - {site / "_static/example-report.html"})
    assert len(found) > 30
    for path in found:
        name = path.relative_to(site).as_posix().removesuffix(".html")
        html = path.read_text("utf-8")
        foot = html.rpartition('<p class="colophon">')[2].partition("</p>")[0]
        assert f"Version {CFG['version']}" in foot and f"{CFG['license']} licence" in foot, name
        assert ("/issues/new?title=A%20mistake%20on%20" in foot) is bool(repository()), name
        assert re.search(r'href="[./\w]*#how-to-cite">How to cite<', foot), name
        if name in ("search", "genindex"):
            continue
        for tag in ["title", "description", *["url", "image"] * bool(repository())]:
            assert re.search(rf'<meta content="[^"]+" property="og:{tag}" />', html), f"{name}: og:{tag}"
        if not name.startswith(("index", "reference", *links.FILES.values())):
            text = re.sub(r"<.*?>", "", html)
            source = build_source(name)
            runs = build.can_run(nbformat.read(build.NBS / source, 4).cells)
            assert ("download the notebook" in text) is runs and f"nbs/{source}" in foot, name


def test_what_breaks_comes_first() -> None:
    newer = "## 2.0\n\nTwo.\n\n### What is new\n\n- b\n\n### What breaks\n\n- a"
    older = "## 1.0\n\nOne.\n\n- c\n- d\n"
    found = [*files.versions(f"# Changes\n\n{newer}\n\n{older}")]
    assert [version[:2] for version in found] == [("2.0", "Two."), ("1.0", "One.")]
    assert [*found[0].sections.items()] == [("What breaks", "- a"), ("What is new", "- b")]
    assert found[1].sections == {"": "- c\n- d"}


def test_the_changelog_is_a_page() -> None:
    "Every change of every version, the newest open; and this version says what breaks"
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    made = files.changes()
    assert re.findall("^## (.+)$", made, re.M) == re.findall("^## (.+)$", text, re.M)
    assert len(re.findall("^ *- ", made, re.M)) == len(re.findall("^ *- ", text, re.M)) > 150
    first = next(files.versions(text))
    assert first.name == CFG["version"]
    assert next(iter(first.sections)) == "What breaks"
    assert made.index("### What breaks") < made.index("### What is new") < made.index("<details>")


def test_where_to_report_a_mistake_and_what_to_touch() -> None:
    "One page, which has every recipe, and leaves out how the package is published"
    made = files.contributing()
    recipes = re.findall(r"^\| (an? [\w ,`]+?) \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M)
    assert len(recipes) > 15
    assert all(f"| {recipe} |" in links_out(made) for recipe in recipes)
    assert "## Report a mistake" in made
    assert "Publishing" not in made


def links_out(text: str) -> str:
    "Markdown without its links"
    return re.sub(r"\[(.+?)\]\(#.+?\)", r"\1", text)


def build_source(name: str) -> str:
    return next(n for n in build.notebooks() if build.page(n) == name)


@pytest.mark.slow
def test_the_card_is_small_and_wide(site: Path) -> None:
    data = (site / "_static/card.png").read_bytes()
    width, height = (int.from_bytes(data[n : n + 4], "big") for n in (16, 20))
    assert (width, height) == (1200, 630)
    assert len(data) < 60_000


@pytest.mark.slow
def test_references_link_back(site: Path) -> None:
    html = (site / "references.html").read_text("utf-8")
    for key, by in build.citations().items():
        entry = re.search(rf'<p id="{key}">(.*?)</p>', html, re.S)
        assert entry, key
        for title, name in by:
            assert f'href="{build.page(name)}.html"' in entry[1] and title in re.sub("<.*?>", "", entry[1]), key


@pytest.mark.slow
def test_reference_is_by_task(site: Path) -> None:
    html = (site / "reference.html").read_text("utf-8")
    at = [html.index(f"<h2>{word}") for word in ("The measures", "What nDCG cannot see", "In practice", "Settings")]
    names = [html.index(f'<span class="pre">{name}</span>') for name in ("ndcg", "bounds", "evaluate")]
    assert at[0] < names[0] < at[1] < names[1] < at[2] < names[2] < at[3]


@pytest.mark.slow
def test_the_reference_has_everything() -> None:
    "Each public function with every parameter, what it returns, an example and its chapter; each result with its own"
    import helptexts
    import reference

    made = dict(reference.pages())
    assert {*made} == {*reference.places()}
    text = "\n".join(made.values())
    assert {*build.public()} <= {name for group in reference.functions().values() for name in group}
    for name, function in ((n, f) for group in reference.functions().values() for n, f in group.items()):
        entry = text.partition(f"(reference-{name})=")[2].partition("\n(re")[0]
        for parameter in helptexts.parameters(function):
            names = re.escape(f"`{parameter.stars}{parameter.name}`")
            assert re.search(rf"^\| (`\w+`, )*{names}(, `\w+`)* \|", entry, re.M), (name, parameter.name)
        assert "| *returns* |" in entry and f">>> from {reference.where(name)} import" in entry, name
        assert re.search(r"Explained in \[.+\]\(.+\)\.\n", entry + "\n"), name
    for cls in reference.classes():
        entry = text.partition(f"(result-{cls.__name__})=")[2].partition("\n(re")[0]
        assert all(f"\n| `{item.name}` |" in entry for item in helptexts.attributes(cls)), cls
        for name in helptexts.methods(cls):
            elsewhere = re.search(rf"^(`\w+`, )*`{name}`(, `\w+`)*: as of \[", entry, re.M)
            assert f"\n### {cls.__name__}.{name}\n" in entry or elsewhere, (cls, name)


@needs_browser
@pytest.mark.parametrize("name", ["widgets/noise", "power"])
def test_no_button_is_asked_for_that_is_hidden(name: str, page, visit: Callable) -> None:
    "Where things are not to move, nothing plays, and the text does not say so"
    page.emulate_media(reduced_motion="reduce")
    visit(name)
    page.wait_for_selector(".noise")
    asked = re.findall(r"[Pp]ress <em>(.+?)</em>", page.locator("article").inner_html())
    assert asked
    assert not page.get_by_role("button", name="play").first.is_visible()
    for word in asked:
        assert page.locator(f".noise button:text-is('{word}')").first.is_visible(), word


def test_the_glossary_is_in_order_and_has_the_words() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\* \| .{20,}\|$", prose(ROOT / "nbs/glossary.ipynb"), re.M)
    plain = [word.replace("*", "").lower() for word in words]
    assert plain == sorted(plain)
    assert len(words) == prose(ROOT / "nbs/glossary.ipynb").count("\n| **")
    named = {"relevant", "grade", "gain", "discount", "pool", "ideal", "hole", "dialect", "convention", "run", "qrels"}
    named |= {"tie", "condensed list", "bounds", "interval", "slice", "weight", "cutoff, k", "judged, unjudged"}
    assert not named - {*plain}


def test_each_word_of_the_glossary_has_its_anchor() -> None:
    made = build.convert(ROOT / "nbs/glossary.ipynb")
    text = "\n".join(cell.source for cell in made.cells)
    anchors = re.findall(r'^\| <a id="([\w-]+)" href="#\1">\*\*.+\*\*</a> \|', text, re.M)
    assert len(anchors) == len({*anchors}) == prose(ROOT / "nbs/glossary.ipynb").count("\n| **")
    assert {"pool", "cutoff-k", "p-value", "empty-0-0", "plus-minus"} <= {*anchors}
    assert "Run this page" not in text


def test_a_result_is_explained_in_its_own_chapter() -> None:
    import helptexts

    chapters = {thing.__name__: notebook for thing, notebook in helptexts.public().items()}
    assert chapters["Explanation"] == chapters["Swap"] == "08_explanations.ipynb"
    assert chapters["Sliced"] == "12d_many.ipynb"
    assert chapters["Comparison"] == "12_comparisons.ipynb"


@needs_browser
def test_a_check_opens(visit: Callable) -> None:
    page = visit("gains")
    assert page.locator(".checks").count() > 3
    for block in page.locator("article div.cell_input pre:visible").all_inner_texts():
        assert not re.search(r"^assert ", block, re.M), "a chapter shows no assertion that is not asked for"
    mark = page.locator(".checks").first
    assert not mark.locator("pre").is_visible()
    mark.locator("summary").click()
    assert mark.locator("pre").is_visible()
    assert "assert" in mark.locator("pre").inner_text()


@needs_browser
def test_a_check_takes_no_line(visit: Callable) -> None:
    "Its mark is on the lower edge of the output, and within the window"
    page = visit("gains")
    cell = page.locator("div.cell:has(.checks)").first
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        mark = cell.locator(".checks").bounding_box()
        box = cell.bounding_box()
        assert box["x"] <= mark["x"] < mark["x"] + mark["width"] <= box["x"] + box["width"] <= width
        end = cell.locator(".output:not(:has(.checks, script))").last.bounding_box()
        assert mark["y"] < end["y"] + end["height"] < mark["y"] + mark["height"]


@needs_browser
def test_a_full_stop_stays_with_its_formula(visit: Callable) -> None:
    "A browser may break a line between a formula and what follows it"
    page = visit("coverage")
    ended = "(all) => all.filter((e) => /^[.,;:)]/.test(e.nextSibling?.textContent ?? ''))"
    parents = page.locator("article span.math.short").evaluate_all(
        f"(all) => ({ended})(all).map((e) => e.parentElement.className)"
    )
    assert len(parents) > 3
    assert {*parents} == {"whole"}


@needs_browser
def test_three_refusals_and_the_rest(visit: Callable) -> None:
    page = visit("gains")
    first, rest = (page.locator(f"table.refusals{which}") for which in (":has(+ details)", " + details > table"))
    assert first.locator("td").count() == 2 * 3
    assert not rest.is_visible()
    page.get_by_text(re.compile(r"and \d+ more")).click()
    assert rest.is_visible()
    lefts = page.evaluate("[...document.querySelectorAll('.refusals td')].map((e) => getComputedStyle(e).textAlign)")
    assert set(lefts) == {"left"}


THEMES = {  # of the system, and of the page: whether it is dark
    ("light", "auto"): False,
    ("dark", "auto"): True,
    ("dark", "light"): False,
    ("light", "dark"): True,
}


@needs_browser
def test_dark_pages_are_dark(visit: Callable) -> None:
    page = visit("hood/display/pages")
    for (system, theme), is_dark in THEMES.items():
        page.emulate_media(color_scheme=system)
        page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
        stroke = page.evaluate("getComputedStyle(document.querySelector('.nb-figure path[style*=nb-gain]')).stroke")
        assert stroke == ("rgb(88, 166, 255)" if is_dark else "rgb(31, 111, 235)"), (system, theme)
        colours = page.evaluate("getComputedStyle(document.body).colorScheme")
        assert colours == ("dark" if is_dark else "normal"), (system, theme)
        lines = "[...document.querySelectorAll('.highlight .nn')].map((e) => getComputedStyle(e).textDecorationLine)"
        assert {*page.evaluate(lines)} == {"none"}, "a module is not a link"


LOOK = """([theme, ground]) => {
  document.body.dataset.theme = theme;
  document.body.style.background = ground;
}"""
HARD_TO_READ = """() => {
  const linear = (c) => c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const rgb = (s) => s.match(/[\\d.]+/g).slice(0, 3);
  const light = (s) => rgb(s).reduce((sum, c, i) => sum + linear(c / 255) * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll('section')].flatMap((figure) => [...figure.querySelectorAll('text')].map((e) => {
    const { fill, fontSize } = getComputedStyle(e);
    const [a, b] = [light(fill), ground].sort((x, y) => y - x);
    const { a: across, b: turned } = e.getScreenCTM();
    return [figure.id, e.textContent, (a + 0.05) / (b + 0.05), parseFloat(fontSize) * Math.hypot(across, turned)];
  })).filter(([, , contrast, size]) => contrast < 4.5 || size < 9);
}"""


@needs_browser
def test_words_in_figures_can_be_read_on_a_phone(page) -> None:
    figures = []
    for path in NOTEBOOKS:
        outputs = [output for cell in read(path) for output in cell.get("outputs", [])]
        drawn = [o for o in outputs if 'class="nb-figure"' in o.get("data", {}).get("image/svg+xml", "")]
        shown = [cells.shown(output, "a figure")["data"]["text/html"] for output in drawn]
        figures += [f'<section id="{path.stem}">{figure}</section>' for figure in shown]
    assert len(figures) > 20
    style = (ROOT / "docs/theme.css").read_text("utf-8") + build.dark_figures()
    page.set_viewport_size({"width": 390, "height": 800})
    head = f"<!doctype html><meta name=viewport content='width=device-width'><style>{style}</style>"
    page.set_content(f'{head}<body style="margin: 16px">{"".join(figures)}')
    for theme, ground in {"light": "#fff", "dark": "#131416"}.items():
        page.evaluate(LOOK, [theme, ground])
        assert page.evaluate(HARD_TO_READ) == [], theme


# Lines of code that wrap: how far the second begins to the right of the first one's text, in letters
HANGS = """[...document.querySelectorAll('article .line')].filter((e) => e.checkVisibility()).flatMap((e) => {
  const inside = document.createRange();
  inside.selectNodeContents(e);
  const [first, ...more] = inside.getClientRects();
  const below = more.filter((x) => x.top > first.bottom - 4);
  const letter = parseFloat(getComputedStyle(e).marginLeft) / (parseInt(e.style.getPropertyValue('--indent')) + 4);
  const start = first.left + e.textContent.search(/\\S/) * letter;
  return below.length ? [[Math.round((Math.min(...below.map((x) => x.left)) - start) / letter), e.textContent]] : [];
})"""


@needs_browser
@pytest.mark.parametrize("name, widths", [("hood/reports/cli", [1280, 390]), ("normalized", [390])])
def test_long_lines_wrap_below_where_they_begin(name: str, widths: list[int], visit: Callable) -> None:
    page = visit(name, widths[0])
    for width in widths:
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": width, "height": 900})
        found = page.evaluate(HANGS)
        assert len(found) > 10 and {letters for letters, _ in found} == {4}, found
        cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length"
        assert page.locator("div.cell_input pre").evaluate_all(cut) == 0
        page.emulate_media(media="print")
        assert {letters for letters, _ in page.evaluate(HANGS)} <= {4}


@needs_browser
def test_rows_of_a_printed_table_stay_whole_on_a_phone(visit: Callable) -> None:
    page = visit("shell", 390)
    tables = page.locator(".highlight-console pre:has(.row)")
    assert tables.evaluate_all("(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length") > 3
    tall = "(all) => all.filter((e) => e.offsetHeight > 1.9 * parseFloat(getComputedStyle(e).fontSize)).length"
    assert tables.locator(".row").evaluate_all(tall) == 0
    assert tables.locator(".line:not(.row)").evaluate_all(tall) > 3, "what is said below them wraps"


@needs_browser
def test_wide_tables_show_that_there_is_more(visit: Callable) -> None:
    "By a shade on the right, which the end of the table covers; on a laptop nothing of this one is cut"
    shade = "(e) => getComputedStyle(e).backgroundImage"
    wide = "(e) => e.scrollWidth > e.clientWidth"
    page = visit("ci", 390)
    table = page.locator(".cell_output:has(th:text-is('value'))").first
    assert table.evaluate(wide)
    assert table.evaluate(shade).count("linear-gradient") == 2
    page.set_viewport_size({"width": 1280, "height": 900})
    assert not table.evaluate(wide)


@needs_browser
def test_a_table_of_code_is_stacked_on_a_phone(visit: Callable) -> None:
    "Row by row, with the head of each column before its cell; on a laptop it is a table again, flush with the text"
    page = visit("your_run", 390)
    table = page.locator(".table-wrapper:has-text('TREC lines')")
    assert "stacked" in table.get_attribute("class")
    assert not table.locator("thead").is_visible()
    cells = table.locator("tr:has-text('TREC lines') td")
    assert cells.evaluate_all("(all) => all.map((e) => e.dataset.head)") == ["", "judgements", "run"]
    tops = cells.evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().top)")
    assert tops == sorted({*tops}), "one below the other"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function("!document.querySelector('.stacked')")
    text, found = (page.locator(what).first.bounding_box() for what in ("article", "article .table-wrapper"))
    assert found["x"] == text["x"]
    assert found["width"] == text["width"]
    assert table.locator("table").bounding_box()["x"] == text["x"]


@needs_browser
def test_a_crowded_table_is_stacked_on_a_phone(visit: Callable) -> None:
    "One of words whose columns would have a word or two a line; one that is not crowded stays a table"
    page = visit("explanations", 390)
    table = page.locator(".table-wrapper:has-text('where on the page')")
    assert "stacked" in table.get_attribute("class")
    visit("plots", 390)
    assert "stacked" not in page.locator(".table-wrapper").first.get_attribute("class")


@needs_browser
def test_the_verdict_is_seen_on_a_phone(visit: Callable) -> None:
    "A table of an output that is too wide is set closer, so that its last column is not cut"
    page = visit("comparisons", 390)
    table = page.locator(".cell_output table:has-text('verdict')").first
    box = table.bounding_box()
    assert "tight" in table.get_attribute("class")
    assert box["x"] + box["width"] <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function("!document.querySelector('.tight')")


@needs_browser
@pytest.mark.parametrize("name", ["dialects", "judges"])
def test_answers_come_first(name: str, visit: Callable) -> None:
    "The first result is on the first screen, and nothing that is folded stands above it"
    page = visit(name)
    cell = page.locator("article div.cell").first
    assert "disagree(" in cell.inner_text() or ".corrected(" in cell.inner_text()
    assert cell.locator(".cell_output table").bounding_box()["y"] < 800
    assert cell.locator("summary:has-text('Show')").count() == 0


COPIED = """async (button) => {
  let text = null;
  const keep = (e) => { text = getSelection().toString() || e.target.value; e.preventDefault(); };
  document.addEventListener('copy', keep, true);
  button.click();
  document.removeEventListener('copy', keep, true);
  return text;
}"""


@needs_browser
def test_what_is_copied(visit: Callable) -> None:
    "Commands without what they print, or a line in its place"
    page = visit("ci")
    block = page.locator(".highlight-console:has-text('$ grep')")
    text = block.locator("button.copybtn").evaluate(COPIED)
    commands = re.findall(r"^\$ (.*)$", block.locator("pre").inner_text(), re.M)
    assert len(commands) == 3
    assert text.split("\n") == commands
    first = page.locator(".highlight-sh").first.locator("button.copybtn").evaluate(COPIED)
    assert first.split("\n") == ["pip install .", "ndcg demo -o kitchen && cd kitchen"]


@needs_browser
def test_print_that_prints(visit: Callable) -> None:
    page = visit("gains")
    folded = page.locator("article details:not([open], .checks, .nx-static *)")
    closed = folded.count()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert closed
    assert folded.count() == 0
    assert not page.locator(".nx-static details").first.get_attribute("open"), "what a widget folds stays folded"
    for hidden in (".skip-to-content", ".checks", ".copybtn"):
        assert not page.locator(hidden).first.is_visible(), hidden
    faded = "(all) => all.filter((e) => Number(getComputedStyle(e).opacity) < 1).length"
    assert page.locator("article details:not(.checks)[open] > summary ~ *").evaluate_all(faded) == 0, "it prints empty"
    breaks = page.evaluate("[...document.querySelectorAll('div.cell')].map((e) => getComputedStyle(e).breakInside)")
    assert set(breaks) == {"auto"}, "a cell that may not break leaves half a page empty"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert folded.count() == closed


# ---- the pages for those who read no HTML


@pytest.mark.slow
def test_every_page_is_there_in_markdown(site: Path) -> None:
    "Its links lead to others of its kind, its code can be compiled, and llms.txt lists it once"
    files = {file.relative_to(site).as_posix(): file.read_text("utf-8") for file in site.rglob("*.md")}
    assert files.keys() == {f"{build.page(name)}.md" for name in build.notebooks()}
    for name, text in files.items():
        assert text.startswith("# ") and "\n> " in text[:300], name
        prose = re.sub(r"^```.*?^```$|`[^`\n]+`", "", text, flags=re.M | re.S)
        for target in re.findall(r"\]\(([\w./-]+\.(?:md|ipynb))", prose):
            assert (site / name).parent.joinpath(target).resolve().is_file(), f"{name}: {target}"
        for block in re.findall(r"^```python\n(.*?)\n```$", text, re.M | re.S):
            ast.parse(block)
        assert not re.search(r"^<(svg|img|div)", text, re.M), name
    listed = re.findall(r"^- \[.+\]\((.+)\): \S", (site / "llms.txt").read_text("utf-8"), re.M)
    assert listed[:2] == ["gains.md", "discounts.md"]
    assert len(listed) == len({*listed})
    assert {*listed} == files.keys() - {"index.md"}
