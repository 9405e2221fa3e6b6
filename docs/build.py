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
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import Any

import nbformat
from fastcore.docments import docments
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import ndcg_nb
from ndcg_nb.hood.conventions import Convention
from ndcg_nb.hood.pages import dark
from ndcg_nb.widgets import script

ROOT = Path(__file__).parents[1]
NBS, SOURCE, SITE = ROOT / "nbs", ROOT / "_pages", ROOT / "_docs"
KNOWN = re.compile(r"(default_exp|export|hide|echo: false|fig-alt: |code-fold: true|code-summary: )")
ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>', re.M)
DIRECTIVE = re.compile(r"^#\| *(.+?) *\n?$", re.M)
STATE = re.compile(r"application/vnd\.ndcg_nb\.(\w+)\+json")  # what a saved widget is brought to life from
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`|\$\$.*?\$\$|\[[^\]]*\]\([^)]*\))", re.M | re.S)


def notebooks() -> list[str]:
    "The notebooks, by their paths under nbs/"
    found = (p.relative_to(NBS) for p in NBS.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    return sorted(p.as_posix() for p in found)


def page(notebook: str) -> str:
    "The page of a notebook: its path without the number"
    return re.sub(r"(^|/)\d+_", r"\1", notebook.removesuffix(".ipynb"))


def label(name: str) -> str:
    "Where links to a function lead: its name, unless a page is called so"
    return f"{name}-function" if name in map(page, notebooks()) else name


def parts() -> dict[str, list[str]]:
    "The parts of the book and their notebooks, as the map on the front page has them"
    book: dict[str, list[str]] = {}
    for cell in nbformat.read(NBS / "index.ipynb", 4).cells:
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else []:
            if part := re.match(r"\|[^|]*\| \*\*(.+?)\*\* \|", line):
                book[part[1]] = []
            elif chapter := re.match(r"\|[^|]*\| \[.+?\]\(([\w/]+\.ipynb)\)", line):
                book[list(book)[-1]].append(chapter[1])
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


def entry(name: str) -> str:
    "The entry of a public function in its chapter: what is its own; what it shares with others is in the reference"
    function = getattr(ndcg_nb, name)
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
            f"({label(name)})=\n### {name}\n",
            "```python\n" + signature(own) + "\n```\n",
            f"{inspect.getdoc(function)}.\n",
            "| parameter | default | |\n|---|---|---|",
            *rows,
            f"| returns | | {cell(docs['return'].docment)} |",
        ]
    )


def defined(source: str) -> list[str]:
    "The public functions a cell defines"
    return [n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name in ndcg_nb.__all__]


def prose(text: str) -> str:
    "Markdown for the page: links lead to pages, and a public name in code style to its entry"

    def link(match: re.Match[str]) -> str:
        name = match[0].strip("`")
        if name in ndcg_nb.__all__ and match[0] == f"`{name}`":
            return f"[`{name}`](#{label(name)})"
        to = re.match(r"(\[.*?\]\()([\w./]+\.ipynb)(?:#(.*))?\)$", match[0], re.S)
        if not to:
            return match[0]
        if to[2] == "references.ipynb" and to[3]:
            return f"{to[1]}#{to[3]})"
        anchor = "#" + re.sub(r"[^\w-]", "", to[3]).lower() if to[3] else ""  # as Sphinx spells what Jupyter links to
        return f"{to[1]}{page(to[2])}.ipynb{anchor})"

    return CODE.sub(link, text)


def alive(output: nbformat.NotebookNode, alt: str | None) -> nbformat.NotebookNode:
    "A figure in the page itself, and a saved widget as its picture and the state a script brings to life"
    data = output.get("data", {})
    if 'class="nb-figure"' in (picture := "".join(data.get("image/svg+xml", ""))):
        assert alt, f"a figure without fig-alt: {data['text/plain']}"
        page = re.sub("<style>.*?</style>", "", picture)  # the colours of a dark page are the page's
        return new_output(
            "display_data", {"text/html": page.replace("<svg", f'<svg role="img" aria-label="{escape(alt)}"', 1)}
        )
    if re.search(r"<td>(?!nan|NaN)[^<\d-]*[A-Za-z]", data.get("text/html", "")):  # words stand on the left
        data["text/html"] = data["text/html"].replace('class="dataframe"', 'class="dataframe words"')
    kind = next(filter(None, map(STATE.fullmatch, data)), None)
    if not kind:
        return output
    state = json.dumps(data[kind[0]]).replace("<", "\\u003c")
    state = f'<script type="application/json">{state}</script>'
    html = f'<div class="nx-static" data-widget="{kind[1]}">{state}{picture}</div>'
    return new_output("display_data", {"text/html": html})


def convert(path: Path) -> nbformat.NotebookNode:
    "A notebook as a page"
    cells = []
    nb = nbformat.read(path, 4)
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            cells.append(new_markdown_cell(prose(ANCHOR.sub(r"{#\1}\n", cell.source))))
            continue
        directives = DIRECTIVE.findall(cell.source)
        strange = [d for d in directives if not KNOWN.match(d)]
        assert not strange, f"{path.name} has directives this page-maker does not know: {strange}"
        source = DIRECTIVE.sub("", cell.source).strip()
        if not source or "hide" in directives:
            continue
        imports = all(isinstance(n, ast.Import | ast.ImportFrom) for n in ast.parse(source).body)
        cells += [new_markdown_cell(entry(name)) for name in (defined(source) if "export" in directives else [])]
        tags = ["remove-input"] if "echo: false" in directives else []
        # A chapter shows what its code does; a page under the hood is for those who came to read it.
        tags += ["hide-input"] if imports or ("export" in directives and path.parent == NBS) else []
        tags += ["hide-cell"] if "code-fold: true" in directives else []
        if imports and cells[-1].get("metadata", {}).get("imports"):
            cells[-1].source += f"\n\n{source}"  # one block of imports, not two
            continue
        alt = next((d.removeprefix("fig-alt: ") for d in directives if d.startswith("fig-alt: ")), None)
        names = [n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
        prompt = f"Show the code of {', '.join(names)}" if names else "Show the imports" if imports else "Show the code"
        prompt = next((d[13:].strip(' "') for d in directives if d.startswith("code-summary:")), prompt)
        shown = {"code_prompt_show": prompt, "code_prompt_hide": prompt.replace("Show", "Hide", 1)}
        metadata = {"tags": tags, "imports": imports, "mystnb": shown | ({"image": {"alt": alt}} if alt else {})}
        cells.append(new_code_cell(source, outputs=[alive(o, alt) for o in cell.outputs], metadata=metadata))
    title = re.match(r"# (.+?)\n+> (.+)", cells[0].source)
    assert title, f"{path.name} must begin with a title and a subtitle"
    about = title[2] if path.stem == "index" else f"{title[1]}: {title[2]}"
    note = f"{{download}}`This page is a notebook. </notebooks/{path.relative_to(NBS).as_posix()}>`"
    cells[0].source = f"# {title[1]}\n\n{{.subtitle}}\n{title[2]}\n\n{note}"
    meta = {"language_info": {"name": "python"}, "myst": {"html_meta": {"description": about}}}
    return new_notebook(cells=cells, metadata=meta)


def settings() -> str:
    "What the measures share: each setting, told once, and who takes it"
    docs = docments(Convention, full=True)
    takes = {n: [*inspect.signature(getattr(ndcg_nb, n)).parameters] for n in ndcg_nb.__all__}
    told = {"like": (None, "A tool, as in `list_dialects()`, whose settings to take; what is said beside it wins")}
    told |= {name: (part.default, part.docment) for name, part in docs.items() if name != "return"}
    rows = [
        f"| `{name}` | `{default!r}` | {cell(text)} | {', '.join(f'`{n}`' for n in takes if name in takes[n])} |"
        for name, (default, text) in told.items()
    ]
    head = "(settings)=\n## Settings\n\nWhat tools disagree on, and what each is when nothing is said.\n"
    return "\n".join([head, "| setting | default | | taken by |\n|---|---|---|---|", *map(prose, rows)])


def reference() -> str:
    "All public names, with what they are for and where they are made; what they share; and every keyword of each"
    rows = [f"| [`{n}`](#{label(n)}) | {inspect.getdoc(getattr(ndcg_nb, n))} |" for n in ndcg_nb.__all__]
    meta = "---\nmyst:\n  html_meta:\n    description: Every public name of ndcg_nb\n---\n"
    names = meta + "# Reference\n\n`from ndcg_nb import …`\n\n| name | |\n|---|---|\n" + "\n".join(rows)
    every = "\n\n".join(signature(getattr(ndcg_nb, n)) for n in ndcg_nb.__all__)
    return f"{names}\n\n{settings()}\n\n## Every keyword\n\n```python\n{every}\n```\n"


def contents() -> str:
    trees = [*parts().items(), ("Reference", ["reference"])]
    tree = "```{{toctree}}\n:hidden:\n:caption: {}\n\n{}\n```"
    return "\n\n".join(tree.format(part, "\n".join(map(page, chapters))) for part, chapters in trees)


def static_script() -> str:
    "The widgets' modules and the lines that host them, in one script: modules cannot be loaded where pages are files"
    names = sorted(path.stem for path in (ROOT / "ndcg_nb/static").glob("*.js"))
    modules = json.dumps({name: script(name) for name in names})
    return (ROOT / "docs/host.js").read_text("utf-8").replace("MODULES", modules)


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
    for asset in (ROOT / "docs/site.css", *(ROOT / "ndcg_nb/static").glob("*.css")):
        shutil.copy(asset, SOURCE / "_static")
    with (SOURCE / "_static/site.css").open("a", encoding="utf-8") as css:
        css.write(f"@media not print {{ {dark('body[data-theme="dark"] .nb-figure')} }}\n")
        auto = dark('body:not([data-theme="light"]) .nb-figure')
        css.write(f"@media not print and (prefers-color-scheme: dark) {{ {auto} }}\n")
    (SOURCE / "_static/explore-static.js").write_text(static_script(), "utf-8")


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
