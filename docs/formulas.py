"""Formulas as MathML, made when the site is built: a page loads no script for them, only a font.

latex2mathml does the work. What it leaves to the reader's browser is said here: how wide an accent is, which sign is a
prefix, and that a function is set apart from what it is applied to."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

SPACE = "http://www.w3.org/1998/Math/MathML"
FUNCTIONS = {"ln", "log", "exp", "min", "max", "sin", "cos", "tan", "tanh"}
ROWS = {"math", "mrow", "mtd", "msqrt"}
SCRIPTS = {"msub", "msup", "msubsup", "munder"}
ACCENTS = {"^": "\u0302", "~": "\u0303", "\u2015": "\u0305", "\u00af": "\u0305"}  # those that a font can stretch
CLOSING = {")", "]", "}", "|"}
ITALIC = [
    *range(0x1D434, 0x1D468),
    0x210E,
    *range(0x1D6E2, 0x1D71C),
]  # what browsers put for a single letter
LETTERS = "".join(map(chr, [*range(0x20, 0x7F), *range(0x391, 0x3CA), *ITALIC]))
SHORT = 12  # signs: such a formula fits beside its words, also on a phone
SIGNS = "−±·×√∑∏∫∂∞≤≥≠≈∝∈→…⋯′*ℓϕε" + "".join(ACCENTS.values())


def mathml(tex: str, display: str) -> str:
    "A formula as a browser sets it; what it is in TeX is its text for those who do not see it"
    rows = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{matrix}", tex)
    root = ET.fromstring(convert(rows, display=display))
    root.set("alttext", tex)
    for element in [*root.iter()]:
        _tag(element)
        _say_how_wide(element)
        _say_what_is_prefix(element)
        _set_functions_apart(element)
    return ET.tostring(root, encoding="unicode")


def _tag(element: ET.Element) -> None:
    "HTML knows MathML by its names alone"
    element.tag = element.tag.removeprefix(f"{{{SPACE}}}")
    if element.tag == "mo":
        element.text = (element.text or "").replace("\\", "")  # \\Big\\{ comes with its backslash
        if element.text == "|":
            element.attrib |= {"lspace": "0", "rspace": "0"}
    elif element.tag == "mtable":
        element.set("displaystyle", "true")


def _say_how_wide(element: ET.Element) -> None:
    if element.tag.removeprefix(f"{{{SPACE}}}") == "mover":
        base, accent = element
        if accent.text in ACCENTS:
            element.set("accent", "true")
            if len("".join(base.itertext())) > 1:
                accent.text = ACCENTS[accent.text]
                accent.set("stretchy", "true")


def _say_what_is_prefix(element: ET.Element) -> None:
    "A minus after an operator, or at the beginning, belongs to what follows"
    before = None
    for child in element:
        is_operator = child.tag.endswith("mo")
        follows = before is None or (before.tag.endswith("mo") and before.text not in CLOSING)
        if is_operator and child.text in {"−", "+", "±"} and follows:
            child.set("form", "prefix")
        before = child


def _set_functions_apart(element: ET.Element) -> None:
    "A thin space between a function and what it is applied to, unless that is in brackets"
    if element.tag not in ROWS:
        return
    for at, (child, following) in reversed([*enumerate(_neighbours(element))]):
        name = child[0] if child.tag.removeprefix(f"{{{SPACE}}}") in SCRIPTS and len(child) else child
        is_apart = following.tag.endswith("mo") or following.tag.endswith("mspace")
        if name.text in FUNCTIONS and not is_apart:
            element.insert(at + 1, ET.Element("mspace", {"width": "0.17em"}))


def _neighbours(element: ET.Element) -> Iterator[tuple[ET.Element, ET.Element]]:
    return zip([*element], [*element][1:])


def visit_inline(self: Any, node: Any) -> None:
    formula = mathml(node.astext(), "inline")
    is_short = len(re.sub("<.*?>", "", formula)) <= SHORT
    self.body.append(f'<span class="math notranslate{" short" * is_short}">{formula}</span>')
    raise SkipNode


def visit_block(self: Any, node: Any) -> None:
    self.body.append(f'<div class="math notranslate">{mathml(node.astext(), "block")}</div>')
    raise SkipNode


def write_font(target: Path) -> None:
    "The signs that formulas need, of STIX Two Math, with its rules for large brackets and sums"
    from fontTools import subset

    package = find_spec("ziamath")  # which has the font
    assert package and package.origin, "ziamath is missing: pip install -e '.[docs]'"
    source = Path(package.origin).parent / "fonts/STIXTwoMath-Regular.ttf"
    options = subset.Options(flavor="woff", layout_features=["*"], name_IDs=[0, 1, 2, 13, 14])
    font = subset.load_font(str(source), options)
    chosen = subset.Subsetter(options)
    chosen.populate(text=LETTERS + SIGNS)
    chosen.subset(font)
    subset.save_font(font, str(target), options)
    font.close()


def setup(app: Any) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
