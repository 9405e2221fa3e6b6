"""Make the site: notebooks, with their API entries and living widgets put in, through Sphinx, into _docs/."""

from __future__ import annotations

import ast
import inspect
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import Any

import nbformat
from cells import check_mark, checks, code, directives, is_chapter, only_imports, shown
from conf import cfg, html_baseurl
from fastcore.docments import docments
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import ndcg_nb
from ndcg_nb.hood.core.conventions import Convention
from ndcg_nb.hood.show.pages import GAIN, INK, QUIET, TEXT, asset, dark, script

ROOT = Path(__file__).parents[1]
NBS, SOURCE, SITE = ROOT / "nbs", ROOT / "_pages", ROOT / "_docs"
KNOWN = re.compile(r"(default_exp|export|hide|echo: false|fig-alt: |code-fold: true|code-summary: )")
ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>', re.M)
CITED = re.compile(r"\]\((?:\.\./)*references\.ipynb#([\w-]+)\)")
LIKE = "A tool, as in `list_dialects()`, whose settings to use; explicit keywords override them"
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`|\$\$.*?\$\$|\[[^\]]*\]\([^)]*\))", re.M | re.S)


@cache
def notebooks() -> list[str]:
    "The notebooks, by their paths under nbs/"
    found = (p.relative_to(NBS) for p in NBS.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    return sorted(p.as_posix() for p in found)


def page(notebook: str) -> str:
    "The page of a notebook: its path without the number"
    return re.sub(r"(^|/)\d+[a-z]?_", r"\1", notebook.removesuffix(".ipynb"))


@cache
def public() -> dict[str, Any]:
    "Every public name and what it names: those of the package, and those that are in a module of it"
    top = {name: getattr(ndcg_nb, name) for name in ndcg_nb.__all__}
    return top | {name: getattr(import_module(place), name) for name, place in ndcg_nb.MOVED.items()}


@cache
def parts() -> dict[str, list[str]]:
    "The parts of the book and their notebooks, as the map on the front page has them"
    book: dict[str, list[str]] = {}
    for cell in nbformat.read(NBS / "index.ipynb", 4).cells:
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else []:
            if part := re.match(r"\|[^|]*\| \*\*(.+?)\*\* \|", line):
                book[part[1]] = []
            elif chapters := re.match(r"\|[^|]*\| (\[.+?\]\([\w/]+\.ipynb\)[^|]*)", line):
                book[list(book)[-1]] += re.findall(r"\]\(([\w/]+\.ipynb)\)", chapters[1])
    return book


def wrapped(name: str, parameters: list[str], width: int = 76) -> str:
    "A signature in lines that fit"
    if not parameters:
        return f"{name}()"
    lines = [f"{name}("]
    for i, parameter in enumerate(parameters):
        piece = parameter + (", " if i + 1 < len(parameters) else ")")
        if len(lines[-1]) + len(piece) > width:
            lines.append(" " * (len(name) + 1))
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def signature(function: Callable[..., Any]) -> str:
    "A signature in lines that fit, without types"
    parameters = list(inspect.signature(function).parameters.values())
    shown = [str(p.replace(annotation=p.empty)) for p in parameters]
    first = next((i for i, p in enumerate(parameters) if p.kind is p.KEYWORD_ONLY), None)
    if first is not None:
        shown.insert(first, "*")
    return wrapped(function.__name__, shown)


def cell(text: str | None) -> str:
    "What stands in a cell of a table"
    return prose((text or "").replace("|", "\\|").replace("{", "&#123;"))


def summary(function: Callable[..., Any]) -> str:
    "What a function is for: the first sentence of its help"
    return (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")


def entry(name: str) -> str:
    "The entry of a public function in its chapter: what is its own; what it shares with others is in the reference"
    function = public()[name]
    own = inspect.unwrap(function)
    docs, parameters = docments(own, full=True, returns=True), inspect.signature(own).parameters
    rest = re.search(r"^    \*\*\w+: .*?  # (.+)$", inspect.getsource(own), re.M)
    shared = [p for p in inspect.signature(function).parameters if p not in parameters]
    rows = []
    for parameter, p in parameters.items():
        more = p.kind is p.VAR_KEYWORD
        default = "" if p.default is p.empty else f"`{p.default!r}`"
        said = rest[1] if more and rest else docs[parameter].docment
        also = f": {', '.join(f'`{s}`' for s in shared)} ([reference](#settings))" if more else ""
        rows.append(f"| `{'**' * more}{parameter}` | {default} | {cell(said)}{also} |")
    return "\n".join(
        [
            f"({name})=\n### {name}\n",
            "```python\n" + signature(own) + "\n```\n",
            f"{summary(function)}\n",
            "| parameter | default | |\n|---|---|---|",
            *rows,
            f"| returns | | {cell(docs['return'].docment)} |",
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
def entries() -> set[str]:
    "The keys of the references"
    return {key for cell in nbformat.read(NBS / "references.ipynb", 4).cells for key in ANCHOR.findall(cell.source)}


def prose(text: str) -> str:
    "Markdown for the page: links lead to pages, and a public name in code style to its entry"

    def link(match: re.Match[str]) -> str:
        name = match[0].strip("`")
        if name in public() and match[0] == f"`{name}`":
            return f"[`{name}`](#{name})"
        to = re.match(r"(\[.*?\]\()([\w./]+\.ipynb)?(?:#(.*))?\)$", match[0], re.S)
        if not to:
            return match[0]
        if (to[2] or "").endswith("references.ipynb") and to[3] in entries():
            return f"{to[1]}#{to[3]})"
        anchor = "#" + re.sub(r"[^\w-]", "", to[3]).lower() if to[3] else ""  # as Sphinx spells what Jupyter links to
        return f"{to[1]}{page(to[2]) + '.ipynb' if to[2] else ''}{anchor})"

    return CODE.sub(link, text)


@cache
def citations() -> dict[str, list[tuple[str, str]]]:
    "The entries of the references that pages cite, and by whom: the title of each page, and its notebook"
    found: dict[str, list[tuple[str, str]]] = {}
    for name in chain(*parts().values()):
        texts = [cell.source for cell in nbformat.read(NBS / name, 4).cells if cell.cell_type == "markdown"]
        for key in dict.fromkeys(CITED.findall("\n".join(texts))):
            found.setdefault(key, []).append((texts[0].splitlines()[0].removeprefix("# "), name))
    return found


def cited_in(text: str) -> str:
    "The references, each with the pages that cite it"
    by = citations()

    def add(entry: re.Match[str]) -> str:
        links = ", ".join(f"[{title}]({name})" for title, name in by.get(entry[1], []))
        return entry[0] + (f"{'.' * (entry[0][-1] != '.')} *Cited in* {links}." if links else "")

    return re.sub(r'^<a id="([\w-]+)"></a>.+$', add, text, flags=re.M)


def described(title: str, about: str, to: str) -> dict[str, str]:
    "What a page tells search engines, and whoever makes a card of a link to it"
    card = {"title": title, "description": about, "type": "article", "url": f"{html_baseurl}{to}.html"}
    card |= {"site_name": cfg["title"], "image": f"{html_baseurl}_static/card.png"}
    told = {f"property=og:{name}": text for name, text in card.items()}
    return {"description": about, **told, "twitter:card": "summary_large_image"}


def code_cell(cell: nbformat.NotebookNode, chapter: bool, where: str) -> nbformat.NotebookNode | None:
    "A code cell for the page; nothing where it is not for readers"
    said, source = directives(cell.source), code(cell.source)
    strange = [d for d in said if not KNOWN.match(d)]
    assert not strange, f"{where} has directives this page-maker does not know: {strange}"
    if not source or "hide" in said:
        return None
    imports, exported, echo = only_imports(source), "export" in said, "echo: false" not in said
    alt = next((d.removeprefix("fig-alt: ") for d in said if d.startswith("fig-alt: ")), None)
    outputs = [shown(o, alt) for o in cell.outputs]
    if chapter and echo and not exported:
        source, apart, count = checks(source)
        outputs += [check_mark(apart, count)] if count else []
    # A chapter shows what its code does; a page under the hood is for those who came to read it.
    tags = [] if echo and ast.parse(source).body else ["remove-input"]
    tags += ["imports"] if imports else []
    tags += ["hide-input"] if imports or (exported and chapter) else []
    tags += ["hide-cell"] if "code-fold: true" in said else []
    tags += ["wraps"] if imports or exported or not chapter else []  # lessons of a chapter fit as they are
    names = [n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    prompt = f"Show the code of {', '.join(names)}" if names else "Show the imports" if imports else "Show the code"
    prompt = next((d[13:].strip(' "') for d in said if d.startswith("code-summary:")), prompt)
    prompts = {"code_prompt_show": prompt, "code_prompt_hide": prompt.replace("Show", "Hide", 1)}
    metadata = {"tags": tags, "imports": imports, "mystnb": prompts | ({"image": {"alt": alt}} if alt else {})}
    return new_code_cell(source, outputs=outputs, metadata=metadata)


def convert(path: Path) -> nbformat.NotebookNode:
    "A notebook as a page"
    cells: list[nbformat.NotebookNode] = []
    name = path.relative_to(NBS).as_posix()
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "markdown":
            text = cited_in(cell.source) if name == "references.ipynb" else cell.source
            cells.append(new_markdown_cell(prose(ANCHOR.sub(r"{#\1}\n", text))))
        elif made := code_cell(cell, is_chapter(path), name):
            offers = is_chapter(path) and "export" in directives(cell.source)
            cells += [new_markdown_cell(entry(function)) for function in (defined(made.source) if offers else [])]
            if hands_on(made.source):
                continue  # the entries say it all
            if made.metadata.imports and cells[-1].get("metadata", {}).get("imports"):
                cells[-1].source += f"\n\n{made.source}"  # one block of imports, not two
            else:
                cells.append(made)
    title = re.match(r"# (.+?)\n+> (.+)", cells[0].source)
    assert title, f"{name} must begin with a title and a subtitle"
    cells[
        0
    ].source = f"# {title[1]}\n\n{{.subtitle}}\n{title[2]}\n\n{{download}}`Download this notebook </notebooks/{name}>`"
    about = title[2] if name == "index.ipynb" else f"{title[1]}: {title[2]}"
    meta = {"language_info": {"name": "python"}, "myst": {"html_meta": described(title[1], about, page(name))}}
    return new_notebook(cells=cells, metadata=meta)


def settings() -> str:
    "What the measures share: each setting, told once, and who takes it"
    docs = docments(Convention, full=True)
    takes = {n: [*inspect.signature(function).parameters] for n, function in public().items()}
    told = {"like": (None, LIKE)}
    told |= {name: (part.default, part.docment) for name, part in docs.items() if name != "return"}
    rows = [
        f"| `{name}` | `{default!r}` | {cell(text)} | {', '.join(f'`{n}`' for n in takes if name in takes[n])} |"
        for name, (default, text) in told.items()
    ]
    head = "(settings)=\n## Settings\n\nWhat tools disagree on, and what each is when nothing is said.\n"
    return "\n".join([head, "| setting | default | | taken by |\n|---|---|---|---|", *map(prose, rows)])


def by_task() -> dict[str, list[str]]:
    "The public names by what they are for, as the package itself groups them"
    source = Path(ndcg_nb.__file__).read_text("utf-8")
    heads = {n: line[2:] for n, line in enumerate(source.splitlines(), 1) if re.match(r"# [IVX]+\. ", line)}
    groups: dict[str, list[str]] = {re.sub(r"^[IVX]+\. ", "", head): [] for head in heads.values()}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level and node.lineno > min(heads):
            group = groups[list(groups)[sum(n < node.lineno for n in heads) - 1]]
            group += [a.name for a in node.names if a.name in ndcg_nb.__all__ and a.name not in chain(*groups.values())]
    assert sorted(chain(*groups.values())) == sorted(ndcg_nb.__all__)
    for name, place in ndcg_nb.MOVED.items():
        groups.setdefault(f"`from {place} import …`", []).append(name)
    return groups


def reference() -> str:
    "All public names, with what they are for and where they are made; what they share; and every keyword of each"
    about = "Every public name of ndcg_nb, by task, with every keyword"
    meta = json.dumps({"myst": {"html_meta": described("Reference", about, "reference")}})
    names = ""
    for task, group in by_task().items():
        rows = [f"| [`{n}`](#{n}) | {summary(public()[n]).rstrip('.')} |" for n in group]
        names += f"\n\n## {task}\n\n| name | |\n|---|---|\n" + "\n".join(rows)
    every = "\n\n".join(signature(public()[n]) for n in chain(*by_task().values()))
    head = f"---\n{meta}\n---\n# Reference\n\n`from ndcg_nb import …`"
    return f"{head}{names}\n\n{settings()}\n\n## Every keyword\n\n```python\n{every}\n```\n"


def contents() -> str:
    out = [f"Repository <{cfg['git_url']}>", f"Questions and mistakes <{cfg['git_url']}/issues>"]
    trees = [*parts().items(), ("Reference", ["reference", *out])]
    tree = "```{{toctree}}\n:hidden:\n:caption: {}\n\n{}\n```"
    return "\n\n".join(tree.format(part, "\n".join(map(page, chapters))) for part, chapters in trees)


def static_script() -> str:
    "The widgets' modules and the lines that host them, in one script: modules cannot be loaded where pages are files"
    static = ROOT / "ndcg_nb/static"
    names = sorted(path.stem for path in static.glob("*.js") if "export default" in path.read_text("utf-8"))
    modules = json.dumps({name: script(name) for name in names})
    host = (ROOT / "docs/host.js").read_text("utf-8").replace("MODULES", modules)
    return f"{asset('host.js')}\n{host}"


def prepare() -> None:
    shutil.rmtree(SOURCE, ignore_errors=True)
    (SOURCE / "_static").mkdir(parents=True)
    (SOURCE / "notebooks").mkdir()
    missing = {*notebooks()} - {"index.ipynb", *chain(*parts().values())}
    assert not missing, f"not on the map of the book in index.ipynb: {missing}"
    for name in notebooks():
        nb, target, copy = convert(NBS / name), SOURCE / f"{page(name)}.ipynb", SOURCE / "notebooks" / name
        if name == "index.ipynb":
            nb.cells.append(new_markdown_cell(contents()))
        for path in (target, copy):
            path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(nb, target)
        shutil.copy(NBS / name, copy)
    (SOURCE / "reference.md").write_text(reference(), "utf-8")
    spec = find_spec("sphinx-mathjax-offline")
    assert spec and spec.origin, "sphinx-mathjax-offline is missing: pip install -e '.[docs]'"
    shutil.copy(Path(spec.origin).parent / "static/mathjax/tex-svg.js", SOURCE / "_static")
    own = [ROOT / "docs" / name for name in ("site.css", "matrix.css", "matrix.js")]
    for file in (*own, *(ROOT / "ndcg_nb/static").glob("*.css")):
        shutil.copy(file, SOURCE / "_static")
    with (SOURCE / "_static/site.css").open("a", encoding="utf-8") as css:
        css.write(dark_figures())
    (SOURCE / "_static/explore-static.js").write_text(static_script(), "utf-8")
    (SOURCE / "notebooks.json").write_text(json.dumps({page(name): name for name in notebooks()}), "utf-8")
    card(SOURCE / "_static/card.png")


def dark_figures() -> str:
    "The colours of figures on dark pages: those the reader chose dark, and those that follow a dark system"
    chosen, auto = (dark(f"body{which} .nb-figure") for which in ('[data-theme="dark"]', ':not([data-theme="light"])'))
    return f"@media screen {{ {chosen} }}\n@media screen and (prefers-color-scheme: dark) {{ {auto} }}\n"


def card(path: Path) -> None:
    "The picture beside a link to the site: one list, and what five tools make of it"
    from matplotlib.figure import Figure

    rel, pool = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]
    fig = Figure(figsize=(12, 6.3), dpi=100)
    ax = fig.add_axes((0.08, 0.1, 0.84, 0.5))
    fig.text(0.07, 0.8, "nDCG, derived, executed and explained", size=32, weight="bold", color=INK)
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


def build() -> int:
    prepare()
    fresh = SITE.with_name("_docs_new")  # the old site stays until there is a new one
    shutil.rmtree(fresh, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-c", str(ROOT / "docs")]
    status = subprocess.call([*command, "-d", str(SOURCE / ".doctrees"), str(SOURCE), str(fresh)])
    if status == 0:
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
