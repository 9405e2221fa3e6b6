"""What someone meets who has just cloned the repository: README.md, its commands and links, and only what exists."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import book
import build
import nbformat
import published
import pytest
import readme
import yaml
from conftest import ROOT
from jinja2 import Environment, FileSystemLoader
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ndcg_nb import disagree

README = (ROOT / "README.md").read_text("utf-8")
PITCH = published.cfg["description"]
ABROAD = ("https://doi.org/", "https://arxiv.org/", "https://opensource.org/")  # sources and licences
HERE = "https://example.org"
FOOT = Environment(loader=FileSystemLoader(ROOT / "docs/templates/partials")).get_template("foot.html")


def test_the_first_screen() -> None:
    "In 600 words: the finding, its picture, five numbers, commands, code and what it prints"
    assert len(README.split()) <= 600
    order = [f"> {PITCH}", "**One ranking.", "<picture>", "| gdeval |", "make demo", "make test", "pip install ."]
    order += ["```python", "    0.949\n"]
    at = [README.index(text) for text in order]
    assert at == sorted(at)


def test_there_is_one_pitch() -> None:
    "In README, settings, the citation, llms.txt, and on the front page"
    import front
    import plain

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["abstract"] == PITCH == front.context()["pitch"]
    assert plain.index().splitlines()[2] == f"> {PITCH}"


def test_every_link_leads_to_a_file() -> None:
    "Of the repository, and to a heading that is there"
    links = re.findall(r"\]\(([^)\s]+)\)|(?:href|src|srcset)=\"([^\"]+)\"|<(https?://[^>]+)>", README)
    targets = [next(filter(None, found)) for found in links]
    assert len(targets) > 20
    for to in targets:
        file, _, heading = to.partition("#")
        if "://" in to:
            assert to.startswith(ABROAD), to
        elif heading:
            cells = nbformat.read(ROOT / file, 4).cells
            heads = re.findall(r"^#+ (.+)$", "\n".join(c.source for c in cells if c.cell_type == "markdown"), re.M)
            assert heading in [head.replace(" ", "-") for head in heads], to
        else:
            assert (ROOT / file).is_file(), to
    for script in re.findall(r"```sh\n(.*?)```", README, re.S):
        for word in re.findall(r"^make (\w+)", script, re.M):
            assert f"\n{word}: " in (ROOT / "Makefile").read_text("utf-8"), word


def test_every_block_prints_what_is_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(ROOT / "ndcg_nb/data/kitchen", tmp_path / "kitchen"))
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```\n\n((?:(?:    [^\n]*)?\n)+)", README, re.S)
    assert len(blocks) == README.count("```python") > 0
    for source, shown in blocks:
        with redirect_stdout(StringIO()) as printed:
            exec(source, names)
        assert [line.rstrip() for line in printed.getvalue().strip("\n").splitlines()] == [
            line[4:] for line in shown.strip("\n").splitlines()
        ], source


def test_counts_are_computed() -> None:
    "A convention more, and README and the front page say so; of conventions, not of tools: some are of papers"
    front = nbformat.read(ROOT / "nbs/index.ipynb", 4).cells
    templates = [path.read_text("utf-8") for path in (ROOT / "docs/templates").rglob("*.html")]
    typed = "\n".join([*(cell.source for cell in front), *templates])
    assert not re.search(r"\b\d+ (tools|conventions|ways|dialects|different n\w+)\b", typed)
    said = re.search(r"\*\*One ranking. (\d+) ways to score it. (\d+) different nDCGs.\*\*", README)
    values = disagree([3, 2, 3, 0, 1, 2], k=6, pool=[3, 2, 3, 0, 1, 2, 3, 2])["nDCG"].dropna()
    assert said
    assert [int(said[1]), int(said[2])] == [len(values), values.round(9).nunique()]
    assert not re.search(r"\b\d+ tools\b", README)


def test_readers_without_a_browser_are_told_where_to_start() -> None:
    "In the folder that `make docs` fills, and that is deployed to the address in the package's metadata"
    assert "open `_docs/index.html`. Beside it, `llms.txt` lists" in README


# What is not public yet is not named


def flip(monkeypatch: pytest.MonkeyPatch, on_index: bool, site: bool) -> None:
    monkeypatch.setitem(published.cfg, "on_index", "yes" if on_index else "no")
    monkeypatch.setitem(published.cfg, "doc_host", HERE if site else "")


def read_me() -> str:
    return readme.render()


@pytest.mark.parametrize("there", [False, True])
def test_an_index_is_named_when_the_package_is_on_it(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    flip(monkeypatch, on_index=there, site=True)
    assert ("pip install ndcg_nb " in read_me()) is there
    assert ("pip install . " in read_me()) is not there
    for way, installs in {"": ".", "%": "path/to/ndcg_nb", "- run: ": "path/to/ndcg_nb"}.items():
        said = published.said(f'{way}pip install "ndcg_nb[stats]"')
        assert said == f'{way}pip install "{"ndcg_nb" if there else installs}[stats]"' == published.said(said)
    nb = new_notebook(cells=[new_markdown_cell("# A"), new_code_cell(book.INSTALL, id="install"), new_code_cell("1")])
    book.put_install(nb, chapter=True)
    assert [cell.id == "install" for cell in nb.cells] == ([False, True, False] if there else [False, False])
    assert ("colab" in build.run_it("quickstart.ipynb")) is there
    assert "colab" not in build.run_it("hood/core/lists.ipynb"), "which needs a checkout"


@pytest.mark.parametrize("there", [False, True])
def test_the_site_is_named_when_there_is_one(there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import helptexts
    import links

    flip(monkeypatch, on_index=True, site=there)
    assert (f"<{HERE}/ndcg_nb/>" in read_me()) is there
    assert "https://" not in read_me().replace(f"<{HERE}/ndcg_nb/>", "")
    on_site = f"Explained in {HERE}/ndcg_nb/normalized.html#ndcg"
    by_title = "Explained in the documentation: Normalized discounted cumulative gain"
    assert helptexts.explained_in("ndcg", "03_normalized.ipynb") == (on_site if there else by_title)
    assert ("colab" in build.run_it("quickstart.ipynb")) is there, "which opens what is in the repository"
    below = FOOT.render(repository=build.repository(), title="A", pathto=lambda *to: str(to[0]))
    assert (f"{published.cfg['git_url']}/issues/new" in below) is there is ("contributing#" not in below)
    card = links.described("A", "b", "normalized")
    assert (card.get("property=og:url") == f"{HERE}/ndcg_nb/normalized.html") is there is ("property=og:image" in card)
    assert links.prose("[x](../LICENSE)") == (f"[x]({published.cfg['git_url']}/blob/main/LICENSE)" if there else "x")
    assert links.prose("[x](../CONTRIBUTING.md)") == "[x](/contributing.md)", "which is a page in any case"


@pytest.mark.parametrize("there", [False, True])
def test_where_to_report_a_mistake(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    "The guide and its page name the address when there is one, and say so until then"
    import files

    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert published.reported(guide) == guide, "run `make book`"
    flip(monkeypatch, on_index=False, site=there)
    address = f"<{published.cfg['git_url']}/issues>"
    for text in (files.contributing(), published.reported(guide), published.reported(published.reported(guide))):
        assert (address in text) is there is (published.NOWHERE not in text)


@pytest.mark.parametrize("there", [False, True])
def test_what_to_cite(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    cells = nbformat.read(ROOT / "nbs/references.ipynb", 4).cells
    page = "\n".join(cell.source for cell in cells)
    assert (published.cited(text), published.cited(page)) == (text, page), "run `make book`"
    flip(monkeypatch, on_index=False, site=there)
    for once in (published.cited(text), published.cited(published.cited(text))):
        told = yaml.safe_load(once)
        assert told.get("url") == (f"{HERE}/ndcg_nb/" if there else None)
        assert told.get("repository-code") == (published.cfg["git_url"] if there else None)
    [bibtex] = re.findall(r"```bibtex\n(.*?)```", published.cited(published.cited(page)), re.S)
    fields = dict(re.findall(r"^  (\w+) *= \{+(.*?)\}+,?$", bibtex, re.M))
    assert fields.get("url") == told.get("url")
    assert fields["version"] == published.cfg["version"]
    assert bibtex.rstrip().endswith("}\n}")
    assert bibtex.count("},\n") == len(fields) - 1


@pytest.mark.parametrize("there", [False, True])
def test_metadata_of_the_package(there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    for name in ("setup.py", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    ini = (ROOT / "settings.ini").read_text("utf-8")
    (tmp_path / "settings.ini").write_text(re.sub("^doc_host =.*$", f"doc_host = {HERE * there}", ini, flags=re.M))
    monkeypatch.setattr("setuptools.setup", lambda **fields: given.update(fields))
    runpy.run_path(str(tmp_path / "setup.py"))
    flip(monkeypatch, on_index=False, site=there)
    named = {"Documentation": published.site(), "Repository": published.cfg["git_url"]}
    assert given["project_urls"] == (named if there else {})
    assert "url" not in given
    links = re.findall(r"(?<=\]\()[^)]+", given["long_description"])
    assert links
    assert all(link.startswith("https://github.com/") is there for link in links)


def test_what_an_extra_adds_is_what_it_installs() -> None:
    cells = nbformat.read(ROOT / "nbs/quickstart.ipynb", 4).cells
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", "\n".join(cell.source for cell in cells), re.M)
    assert len(rows) == 6
    for extra, adds in rows:
        needed = re.findall(r"([\w-]+)>=", published.cfg[f"{extra}_requirements"])
        assert {*adds.lower().split(", ")} == {*needed}, extra


@pytest.mark.slow
@pytest.mark.parametrize("there", [False, True])
def test_the_foot_of_a_page(there: bool) -> None:
    where = {"repository": "https://example.org/r" * there, "branch": "main", "license": "MIT", "version": "1.2"}
    page = {"notebooks": {"ideal": "02_ideal.ipynb"}, "pagename": "ideal", "title": "Ideal"}
    given = where | page | {"pathto": lambda name, resource=0: name}
    foot = FOOT.render(given)
    assert ("https://" in foot) is there
    assert "nbs/02_ideal.ipynb" in foot
    assert "Version 1.2" in foot
    assert "MIT" in foot
    assert 'href="llms.txt"' in foot
    assert '<a href="changes">Version 1.2</a>' in foot
    assert ("https://example.org/r/issues/new" in foot) is there
    assert ('href="contributing#report-a-mistake"' in foot) is not there


def test_nothing_else_names_an_address() -> None:
    "Of the site or the repository: what does must read the settings"
    address = re.compile(rf"{re.escape(published.cfg['user'])}\.github\.io|github\.com/{published.cfg['user']}\b")
    kept = (
        "CHANGELOG.md",
        "settings.ini",
        "tests/project/test_door.py",
        "ndcg_nb/_modidx.py",
    )  # history; settings, and a copy
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    there = [name for name in files if name not in kept and (ROOT / name).is_file()]
    assert [name for name in there if address.search((ROOT / name).read_text("utf-8", "replace"))] == []
