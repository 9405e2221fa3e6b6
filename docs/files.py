"""Pages that are made from files of the repository: what changed, and how to report a mistake or to contribute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from links import FILES, prose
from published import reported
from reference import headed

ROOT = Path(__file__).parents[1]
BREAKS = "What breaks"
SECTION = re.compile(r"^### (.+)\n", re.M)


class Version(NamedTuple):
    "A version of the package, and what its changes are: by heading, or below none"

    name: str
    lead: str
    sections: dict[str, str]


def versions(text: str) -> Iterator[Version]:
    "The versions of a changelog, newest first; of each, what breaks comes first"
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        lead, *rest = SECTION.split(body.strip() + "\n")
        sections = dict(zip(rest[::2], map(str.strip, rest[1::2])))
        if not sections:
            lead, _, changes = lead.partition("\n\n")
            sections = {"": changes.strip()}
        first = {BREAKS: sections.pop(BREAKS)} if BREAKS in sections else {}
        yield Version(name.strip(), lead.strip(), first | sections)


def label(version: str) -> str:
    "Where a version is on the page: version-0-12-0"
    return "version-" + version.replace(".", "-")


def newest(version: Version) -> str:
    "A version in full, with a heading for each section"
    parts = [f"({label(version.name)})=\n## {version.name}", version.lead]
    for head, changes in version.sections.items():
        parts += [f"### {head}" if head else "", changes]
    return "\n\n".join(filter(None, parts))


def earlier(version: Version) -> str:
    "An earlier version, which opens"
    parts = [f"({label(version.name)})=\n## {version.name}", version.lead]
    parts += ["<details><summary>Show the changes</summary>"]
    for head, changes in version.sections.items():
        parts += [f"**{head}**" if head else "", changes]
    return "\n\n".join(filter(None, [*parts, "</details>"]))


def changes() -> str:
    "The page of the changelog"
    first, *rest = versions((ROOT / "CHANGELOG.md").read_text("utf-8"))
    apart = [version.name for version in (first, *rest) if BREAKS in version.sections]
    about = "What is new in each version, and what breaks when you upgrade"
    says = f"What breaks is listed first, since {apart[-1]}. `ndcg --version` says which version you have."
    parts = [headed("What changed", about, FILES["CHANGELOG.md"]), says, newest(first), *map(earlier, rest)]
    return prose("\n\n".join(parts)) + "\n"


def contributing() -> str:
    "The page of the guide, without what only those who publish it need"
    text = reported((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    body = text.partition("\n")[2].partition("\n## Publishing")[0]
    about = "Where to report a mistake, and where to add a gain, a measure, a tool, a file format or a page"
    return prose(f"{headed('Report a mistake, contribute', about, FILES['CONTRIBUTING.md'])}\n\n{body.strip()}\n")


def pages() -> Iterator[tuple[str, str]]:
    "Where each of these pages is, and its Markdown"
    yield FILES["CHANGELOG.md"], changes()
    yield FILES["CONTRIBUTING.md"], contributing()
