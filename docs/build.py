"""Make the site: notebooks, with their API entries and living widgets put in, through Sphinx, into _docs/."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Sequence
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from itertools import chain, repeat
from pathlib import Path
from threading import Thread

import files
import nav
import nbformat
import pictures
import reference
from cells import (
    check_mark,
    checks,
    code,
    copied_with,
    directives,
    folded,
    is_caption,
    is_chapter,
    only_imports,
    shown,
    shown_only_in,
)
from links import (
    ANCHOR,
    NBS,
    ROOMS,
    described,
    notebooks,
    page,
    parts,
    prose,
    public,
    signature,
    summary,
    title_of,
)
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from plain import write_plain
from published import cfg, on_index, repository
from snippets import preludes, units

import ndcg_nb
from ndcg_nb.hood.display.pages import GAIN, IMPORT, INK, QUIET, TEXT, asset, dark, modules_of, script

ROOT = Path(__file__).parents[1]
SOURCE, SITE = ROOT / "_pages", ROOT / "_docs"
KNOWN = re.compile(
    r"(default_exp|export|hide|spark$|torch$|only: |echo: false|fig-alt: |code-fold: true|code-summary: )"
)
PLAYED = re.compile(r"^- \[(.+?)\]\((.+?\.ipynb)\): (.+)$", re.M)  # a line of Play: a widget, its page and a question
CITED = re.compile(r"\]\((?:\.\./)*references\.ipynb#([\w-]+)\)")


def entry(name: str, is_shown: bool) -> str:
    "The entry of a public function in its chapter, with its signature if its code is folded; more is in the reference"
    function = public()[name]
    called = "{.signature}\n```python\n" + signature(inspect.unwrap(function)) + "\n```\n"
    return "\n".join(
        [
            f"({name})=\n### {name}\n",
            "" if is_shown else called,
            f"{summary(function).rstrip('.')}. Parameters and an example: [reference](#reference-{name}).",
        ]
    )


def defined(source: str) -> list[str]:
    "The public functions that a cell defines, or hands on from the hood"
    body = ast.parse(source).body
    names = [n.name for n in body if isinstance(n, ast.FunctionDef)]
    if hands_on(source):
        names += [x.name for n in body if isinstance(n, ast.ImportFrom) for x in n.names]
    return [name for name in names if name in public()]


def hands_on(source: str) -> bool:
    "Whether a cell exports names that are made elsewhere, as nbdev's `_all_` does"
    return "\n_all_ = " in source


@cache
def citations() -> dict[str, list[tuple[str, str]]]:
    "The entries of the references that pages cite, and by whom: the title of each page, and its notebook"
    found: dict[str, list[tuple[str, str]]] = {}
    for name in (to for to in chain(*parts().values()) if to.endswith(".ipynb")):
        texts = [cell.source for cell in nbformat.read(NBS / name, 4).cells if cell.cell_type == "markdown"]
        for key in dict.fromkeys(CITED.findall("\n".join(texts))):
            found.setdefault(key, []).append((title_of(name), name))
    return found


def cited_in(text: str) -> str:
    "The references, each with the pages that cite it"
    by = citations()

    def add(entry: re.Match[str]) -> str:
        links = ", ".join(f"[{title}]({name})" for title, name in by.get(entry[1], []))
        return entry[0] + (f"{'.' * (entry[0][-1] != '.')} *Cited in* {links}." if links else "")

    return re.sub(r'^<a id="([\w-]+)"></a>.+$', add, text, flags=re.M)


def code_cell(cell: nbformat.NotebookNode, path: Path) -> nbformat.NotebookNode | None:
    "A code cell for the page; nothing where it is not for readers"
    said, source = directives(cell.source), code(cell.source)
    chapter = is_chapter(path)
    strange = [d for d in said if not KNOWN.match(d)]
    assert not strange, f"{path.name} has directives this page-maker does not know: {strange}"
    if not source or "hide" in said:
        return None
    imports, exported, echo = only_imports(source), "export" in said, "echo: false" not in said
    alt = next((d.removeprefix("fig-alt: ") for d in said if d.startswith("fig-alt: ")), None)
    outputs = [shown(o, alt) for o in cell.outputs if not is_caption(o)]
    if chapter and echo and not exported:
        source, apart, count = checks(source)
        outputs += [check_mark(apart, count)] if count else []
    # A chapter shows what its code does; a page under the hood is for those who came to read it.
    tags = [] if echo and ast.parse(source).body else ["remove-input"]
    tags += ["imports"] if imports else []
    tags += ["hide-input"] if imports or (exported and folded(cell.source, path)) else []
    tags += ["hide-cell"] if "code-fold: true" in said else []
    tags += ["wraps"] if imports or exported or not chapter else []  # lessons of a chapter fit as they are
    names = [n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    prompt = f"Show the code of {', '.join(names)}" if names else "Show the imports" if imports else "Show the code"
    prompt = next((d[13:].strip(' "') for d in said if d.startswith("code-summary:")), prompt)
    prompts = {"code_prompt_show": prompt, "code_prompt_hide": prompt.replace("Show", "Hide", 1)}
    metadata = {"tags": tags, "imports": imports, "mystnb": prompts | ({"image": {"alt": alt}} if alt else {})}
    return new_code_cell(source, outputs=outputs, metadata=metadata)


def linked_words(text: str) -> str:
    "The glossary, where each word is a link to itself"

    def link(row: re.Match[str]) -> str:
        name = re.sub(r"\W+", "-", row[1]).strip("-").lower() or "plus-minus"
        name = f"word-{name}" if name in public() else name  # the anchor of a function is its own
        return f'| <a id="{name}" href="#{name}">**{row[1]}**</a> |'

    return re.sub(r"^\| \*\*(.+?)\*\* \|", link, text, flags=re.M)


@cache
def played() -> dict[str, tuple[str, bytes]]:
    "The notebooks that Play lists, each with its question and the saved picture of its widget"
    text = "\n".join(cell.source for cell in nbformat.read(NBS / "play.ipynb", 4).cells)
    found = {}
    for _, name, question in PLAYED.findall(text):
        outputs = [output for cell in nbformat.read(NBS / name, 4).cells for output in cell.get("outputs", [])]
        picture = next(o.data["image/png"] for o in outputs if pictures.key_of(o) and "image/png" in o.data)
        found[name] = question, b64decode(picture)
    return found


def picture_of(name: str, folder: str = "play") -> str:
    "Where the picture of a notebook's widget is: as it is, or on a card beside a link"
    return f"{folder}/{page(name).replace('/', '-')}.png"


def with_pictures(text: str) -> str:
    "The list of Play as pictures, each of them a link"

    def card(item: re.Match[str]) -> str:
        title, name, question = item.groups()
        width, height = (int.from_bytes(played()[name][1][at : at + 4]) for at in (16, 20))  # of a PNG
        size = f'width="{width}" height="{height}" loading="lazy"'  # it keeps its place until it comes
        picture = f'<img src="_static/{picture_of(name)}" alt="A picture of this figure" {size}>'
        return f'<a href="{page(name)}.html">{picture}<b>{title}</b><span>{question}</span></a>'

    made = PLAYED.sub(card, text)
    return text if made == text else f'<div class="play">\n{made}\n</div>'


def can_run(cells: Sequence[nbformat.NotebookNode]) -> bool:
    "Whether a page has anything to run: code, or commands of a shell"
    has_code = any(cell.cell_type == "code" and cell.id != "install" for cell in cells)
    return has_code or any("```sh" in cell.source for cell in cells)


def run_it(notebook: str) -> str:
    "The last line of a page: where its notebook can be run; one about the code needs a checkout, and not Colab"
    download = f"{{download}}`download the notebook </notebooks/{notebook}>`"
    if not (is_chapter(NBS / notebook) and on_index() and repository()):
        return f"{{.run-it}}\nRun this page: {download}."
    file = f"{cfg['user']}/{cfg['repo']}/blob/{cfg['branch']}/nbs/{notebook}"
    colab = f"https://colab.research.google.com/github/{file}"
    return f"{{.run-it}}\nRun this page: [open it in Colab]({colab}), or {download}."


def typed(cells: Sequence[nbformat.NotebookNode]) -> list[str]:
    "What one would type for each cell: no assertions, and what is exported is imported; nothing for prose"
    module = next((d.split()[1] for cell in cells for d in directives(cell.source) if d.startswith("default_exp")), "")
    made = []
    for cell in cells:
        source = checks(code(cell.source))[0] if cell.cell_type == "code" and cell.id != "install" else ""
        if source and "export" in directives(cell.source):
            names = sorted(name for unit in units(source) if not unit.is_import for name in unit.binds)
            lines = [unit.text for unit in units(source) if unit.is_import]
            source = "\n".join([*lines, *(f"from ndcg_nb.{module} import {name}" for name in names)])
        made.append(source)
    return made


def snippets(path: Path) -> list[tuple[str, str]]:
    "Each block of code that a page shows, and the lines that are copied with it"
    cells = nbformat.read(path, 4).cells
    sources = typed(cells)
    shows = [
        cell.cell_type == "code"
        and "export" not in directives(cell.source)  # a source is imported, not copied
        and not folded(cell.source, path)
        and cell.id != "install"
        and bool(source)
        for cell, source in zip(cells, sources)
    ]
    return [(needs, source) for needs, source, is_shown in zip(preludes(sources), sources, shows) if is_shown]


def convert(path: Path) -> nbformat.NotebookNode:
    "A notebook as a page"
    cells: list[nbformat.NotebookNode] = []
    name = path.relative_to(NBS).as_posix()
    read = [cell for cell in nbformat.read(path, 4).cells if shown_only_in(cell.source) != "readme"]
    is_of_use = is_chapter(path) and nav.entry(page(name)) != "hood"
    for cell, needs in zip(read, preludes(typed(read)) if is_of_use else repeat("")):
        if cell.cell_type == "markdown":
            rewrites = {"references.ipynb": cited_in, "glossary.ipynb": linked_words, "play.ipynb": with_pictures}
            rewrite = rewrites.get(name, str)
            text = rewrite(cell.source)
            text = re.sub(r"^<!-- only: site -->\n", "", text)
            cells.append(new_markdown_cell(prose(ANCHOR.sub(r"{#\1}\n", text))))
        elif made := code_cell(cell, path):
            offers = is_chapter(path) and "export" in directives(cell.source)
            is_shown = "hide-input" not in made.metadata.tags
            names = defined(made.source) if offers else []
            cells += [new_markdown_cell(entry(function, is_shown)) for function in names]
            if hands_on(made.source):
                continue  # the entries say it all
            is_source = "export" in directives(cell.source)  # which is imported, not copied
            if is_of_use and not is_source and not {"remove-input", "hide-input"} & {*made.metadata.tags}:
                made.metadata.tags.append("copied")
                made.outputs += [copied_with(needs)] if needs else []
            if made.metadata.imports and cells[-1].get("metadata", {}).get("imports"):
                cells[-1].source += f"\n\n{made.source}"  # one block of imports, not two
            else:
                cells.append(made)
    title = re.match(r"# (.+?)\n+> (.+)", cells[0].source)
    assert title, f"{name} must begin with a title and a subtitle"
    cells[0].source = f"# {title[1]}\n\n{{.subtitle}}\n{title[2]}"
    cells += [new_markdown_cell(run_it(name))] if can_run(read) else []
    about = title[2] if name == "index.ipynb" else f"{title[1]}: {title[2]}"
    own = picture_of(name, "cards") if name in played() else "card.png"
    meta = {"language_info": {"name": "python"}, "myst": {"html_meta": described(title[1], about, page(name), own)}}
    return new_notebook(cells=cells, metadata=meta)


def contents() -> dict[str, str]:
    "What is below the front page, and below the page of the hood; the sidebar is made from nav.py"
    rooms = parts()[ROOMS]
    rest = chain.from_iterable(pages for part, pages in parts().items() if part != ROOMS)
    trees = {"index.ipynb": rest, "hood.ipynb": rooms}
    return {to: "\n".join(["```{toctree}", ":hidden:", "", *map(page, pages), "```"]) for to, pages in trees.items()}


def widget_scripts() -> dict[str, str]:
    "A script for each widget, which leaves its module as text for the host: modules cannot be loaded from files"
    made = {}
    for path in sorted((ROOT / "ndcg_nb/static").glob("*.js")):
        if "export default" in path.read_text("utf-8"):
            text = json.dumps(script(path.stem), ensure_ascii=False)
            made[path.stem] = f"(self.WIDGETS ??= {{}})[{json.dumps(path.stem)}] = {text};\n"
    return made


def host_script() -> str:
    "The lines that host the widgets of a page"
    host = (ROOT / "docs/host.js").read_text("utf-8").replace("MODULES", "self.WIDGETS ?? {}")
    return f"{asset('host.js')}\n{host}"


def static_script() -> str:
    "All widgets and their host in one script, for pictures and tests"
    return "".join(widget_scripts().values()) + host_script()


def front_script() -> str:
    "What moves on the front page, and the modules that it imports, in a block: other scripts may share their names"
    front = (ROOT / "docs/front.js").read_text("utf-8")
    needed = dict.fromkeys(chain.from_iterable(map(modules_of, IMPORT.findall(front))))
    above = (re.sub(r"^export ", "", IMPORT.sub("", asset(f"{name}.js")), flags=re.M) for name in needed)
    return f"{{\n{''.join(above)}{IMPORT.sub('', front)}}}\n"


def write_scripts(folder: Path) -> None:
    "A page loads the host, and only the widgets that it has"
    (folder / "widgets").mkdir()
    for name, text in (widget_scripts() | {"front": front_script()}).items():
        (folder / f"widgets/{name}.js").write_text(text, "utf-8")
    (folder / "host.js").write_text(host_script(), "utf-8")


def prepare() -> None:
    from formulas import write_font  # which needs more than the tests that use this file

    shutil.rmtree(SOURCE, ignore_errors=True)
    (SOURCE / "_static").mkdir(parents=True)
    (SOURCE / "notebooks").mkdir()
    listed = {"index.ipynb", *(to for to in chain(*parts().values()) if to.endswith(".ipynb"))}
    astray = listed ^ {*notebooks()}
    assert not astray, f"not both in nbs/ and on the map, docs/nav.py or the table of hood.ipynb: {sorted(astray)}"
    below = contents()
    for name in notebooks():
        nb, target, copy = convert(NBS / name), SOURCE / f"{page(name)}.ipynb", SOURCE / "notebooks" / name
        if name in below:
            nb.cells.append(new_markdown_cell(below[name]))
        for path in (target, copy):
            path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(nb, target)
        shutil.copy(NBS / name, copy)
    for name, text in (*reference.pages(), *files.pages()):
        target = SOURCE / f"{name}.md"
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, "utf-8")
    write_font(SOURCE / "_static/formulas.woff")
    own = [ROOT / "docs" / name for name in ("theme.css", "theme.js", "matrix.css", "matrix.js", "snippets.js")]
    for file in (*own, *(ROOT / "ndcg_nb/static").glob("*.css")):
        shutil.copy(file, SOURCE / "_static")
    with (SOURCE / "_static/theme.css").open("a", encoding="utf-8") as css:
        css.write(dark_figures())
    shutil.copytree(ROOT / "docs/fonts", SOURCE / "_static/fonts")
    write_scripts(SOURCE / "_static")
    write_example(SOURCE / "_static/example-report.html")
    (SOURCE / "notebooks.json").write_text(json.dumps({page(name): name for name in notebooks()}), "utf-8")
    card(SOURCE / "_static/card.png")
    for folder in ("play", "cards"):
        (SOURCE / "_static" / folder).mkdir()
    for name, (question, picture) in played().items():
        (SOURCE / "_static" / picture_of(name)).write_bytes(picture)
        picture_card(SOURCE / "_static" / picture_of(name, "cards"), question, picture)


def write_example(path: Path) -> None:
    "The report that the front page opens: the five systems of its ladder"
    import front

    front.systems().save(path, title="Which of five systems is best?", date="")


def dark_figures() -> str:
    "The colours of figures on dark pages: those the reader chose dark, and those that follow a dark system"
    figures = ":is(.nb-figure, .nb-figure text)"  # a word has a darker colour than a line where the page is light
    chosen, auto = (dark(f"body{which} {figures}") for which in ('[data-theme="dark"]', ':not([data-theme="light"])'))
    return f"@media screen {{ {chosen} }}\n@media screen and (prefers-color-scheme: dark) {{ {auto} }}\n"


def card(path: Path) -> None:
    "The picture beside a link to the site: one list, and what five tools make of it"
    from matplotlib.figure import Figure

    rel, pool = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]
    fig = Figure(figsize=(12, 6.3), dpi=100)
    ax = fig.add_axes((0.08, 0.1, 0.84, 0.5))
    fig.text(0.07, 0.8, "nDCG by the rules of any tool", size=32, weight="bold", color=INK)
    fig.text(0.07, 0.69, "One list, five tools, five numbers", size=24, color=TEXT)
    ax.hlines(0, 0.74, 0.97, color=QUIET, lw=2)
    for n, tool in enumerate(("gdeval", "trec_eval", "mslr", "lightgbm", "sklearn")):
        value, above = ndcg_nb.ndcg(rel, 6, pool=pool, like=tool), n % 2 == 0
        ax.plot(value, 0, "o", color=GAIN, ms=18)
        ax.annotate(f"{tool}\n{value:.3f}", (value, 0), xytext=(0, 44 if above else -44), textcoords="offset points",
                    ha="center", va="center", size=22, color=INK)  # fmt: skip
    ax.set(xlim=(0.73, 0.98), ylim=(-1, 1))
    ax.axis("off")
    fig.savefig(path, metadata={"Software": None})


def picture_card(path: Path, question: str, picture: bytes) -> None:
    "The picture beside a link to a widget: its question, and what it shows"
    from matplotlib.figure import Figure
    from PIL import Image

    shown = Image.open(BytesIO(picture)).convert("RGB")
    high = 1104 * shown.height // shown.width
    shown = shown.resize((1104, high), Image.Resampling.LANCZOS)
    fig = Figure(figsize=(12, 6.3), dpi=100)
    fig.text(0.04, 0.895, question, size=25 if len(question) < 62 else 21, weight="bold", color=INK, va="center")
    fig.savefig(text := BytesIO(), format="png")
    ground = Image.open(text).convert("RGB")
    ground.paste(shown.crop((0, 0, 1104, min(high, 500))), (48, 130))
    ground.quantize(32, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


# What theme and notebooks leave unsaid to those who listen to a page: how deep a caption is, which side is which,
# that a summary is called as it reads, and that an empty corner of a table is no head; and to those with a phone:
# that an option is one word.
SAID = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    '<summary aria-label="Toggle hidden content">': "<summary>",
    "<th></th>": "<td></td>",
    '<span class="pre">-': '<span class="pre whole">-',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
}


# A formula is one piece to a browser, which would put the full stop after it on a line of its own.
ENDED = re.compile(r'(<span class="math[^"]* short">(?:(?!</span>).)*</span>)([.,;:)?!]+)', re.S)


def say_what_is_what(folder: Path) -> None:
    "Put it into every page of the site"
    for file in folder.rglob("*.html"):
        text = file.read_text("utf-8")
        for unsaid, said in SAID.items():
            text = text.replace(unsaid, said)
        text = ENDED.sub(r'<span class="whole">\1\2</span>', text)
        file.write_text(text, "utf-8")


def build() -> int:
    prepare()
    fresh = SITE.with_name("_docs_new")  # the old site stays until there is a new one
    shutil.rmtree(fresh, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-c", str(ROOT / "docs")]
    env = os.environ | {"PYTHONPATH": str(ROOT / "docs")}  # for what conf.py imports
    status = subprocess.call([*command, "-d", str(SOURCE / ".doctrees"), str(SOURCE), str(fresh)], env=env)
    if status == 0:
        say_what_is_what(fresh)
        write_plain(fresh)
        shutil.rmtree(SITE, ignore_errors=True)
        fresh.rename(SITE)
    shutil.rmtree(ROOT / "jupyter_execute", ignore_errors=True)  # myst-nb leaves copies beside the site
    return status


def preview(port: int = 8000) -> None:
    "Serve the site, and build it anew when a source of it changes"
    sources = ("nbs/**/*.ipynb", "docs/*.*", "ndcg_nb/**/*.py", "ndcg_nb/static/*.*")
    watched = lambda: {p: p.stat().st_mtime for s in sources for p in ROOT.glob(s) if p.exists()}  # noqa: E731
    build()
    handler = partial(SimpleHTTPRequestHandler, directory=str(SITE))
    Thread(target=ThreadingHTTPServer(("127.0.0.1", port), handler).serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{port}  (stop with Ctrl-C)")
    seen = watched()
    while True:
        time.sleep(1)
        if seen != (seen := watched()):
            print("building")
            subprocess.call([sys.executable, __file__])  # afresh, so that changed modules are read again


if __name__ == "__main__":
    preview() if "preview" in sys.argv else sys.exit(build())
