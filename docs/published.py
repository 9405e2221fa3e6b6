"""What is public so far, as settings.ini says: the package on an index, and the site with the repository behind it.

README.md, the pages, help texts, CONTRIBUTING.md, CITATION.cff and the package's metadata name only what is."""

from __future__ import annotations

import re
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
ini = ConfigParser(delimiters=["="])
ini.read(ROOT / "settings.ini", encoding="utf-8")
cfg = ini["DEFAULT"]
OURS = re.compile(r"""(- run: |%)?pip install (["']?)(?:(?:path/to/)?ndcg_nb|\.)((?:\[[\w,]+\])?)\2(?![\w/-]|\.\w)""")
NOWHERE = "There is no public address for it yet: tell whoever gave you this copy."
PAGES = "`make docs` builds the pages: open `_docs/index.html`."


def on_index() -> bool:
    "Whether `pip install ndcg_nb` finds it"
    return cfg.getboolean("on_index")


def site() -> str:
    "The address of the site, with a / at its end; nothing until there is one"
    return f"{cfg['doc_host']}{cfg['doc_baseurl']}/" if cfg["doc_host"] else ""


def repository() -> str:
    "The address of the repository, which deploys the site; nothing until it has"
    return cfg["git_url"] if site() else ""


def issues() -> str:
    "Where to report a mistake; nothing until the repository is public"
    return f"{repository()}/issues" if repository() else ""


def reported(text: str) -> str:
    "The guide for contributors, which says where to report a mistake"
    where = f"Open an issue at <{issues()}>." if issues() else NOWHERE
    return re.sub(rf"{re.escape(NOWHERE)}|Open an issue at <\S+>\.", where, text)


def said(text: str) -> str:
    "Prose in which `pip install` names what can be installed, and the pages are where they can be read"

    def install(command: re.Match[str]) -> str:
        elsewhere = command[1] or ""  # in a workflow, or a notebook of a cluster
        what = "ndcg_nb" if on_index() else "path/to/ndcg_nb" if elsewhere else "."
        quote = '"' if command[3] else ""
        return f"{elsewhere}pip install {quote}{what}{command[3]}{quote}"

    text = OURS.sub(install, text)
    pages = rf"(?:The pages are at <\S+>\. )?{re.escape(PAGES)}"
    return re.sub(pages, f"The pages are at <{site()}>. {PAGES}" if site() else PAGES, text)


def cited(text: str) -> str:
    "CITATION.cff, or the page that says how to cite, with this version and the addresses that there are"
    version = r"(?<=^version: )\S+|(?<=version = \{)[^}]+|(?<=as ndcg_nb )\d\S+(?= computes)"
    text = re.sub(version, cfg["version"], text, flags=re.M)
    text = re.sub(r"^(repository-code|url): .*\n", "", text, flags=re.M)
    text = re.sub(r",\n  url     = \{.*\}$", "", text, flags=re.M)
    if site():
        text = re.sub(r"^license: .*\n", rf"\g<0>repository-code: {repository()}\nurl: {site()}\n", text, flags=re.M)
        text = re.sub(r"^  version = \{.*\}$", rf"\g<0>,\n  url     = {{{site()}}}", text, flags=re.M)
    return text
