"""Formulas as MathML, made when the site is built: a page loads no script for them, only a font.

latex2mathml does the work. What it leaves to the reader's browser is said here: how wide an accent is, which sign is a
prefix, and that a function is set apart from what it is applied to."""

import re
import xml.etree.ElementTree as ET
from copy import deepcopy
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

SPACE = "{http://www.w3.org/1998/Math/MathML}"
FUNCTIONS = {"ln", "log", "exp", "min", "max", "sin", "cos", "tan", "tanh"}
ROWS = {"math", "mrow", "mtd", "msqrt"}
SCRIPTS = {"msub", "msup", "msubsup", "munder"}
ACCENTS = {"^": "ˆ", "~": "˜", "¯": "‾", "―": "‾"}  # those that browsers stretch
OPERATORS = {"±", ":", "≔", "′"}  # which latex2mathml takes for letters
AROUND = {"|": "0", "/": "0", ":": "0.28em"}
CLOSING = {")", "]", "}", "|"}
ITALIC = [
    *range(0x1D434, 0x1D468),
    0x210E,
    *range(0x1D6E2, 0x1D71C),
]  # what browsers put for a single letter
LETTERS = "".join(map(chr, [*range(0x20, 0x7F), *range(0x391, 0x3CA), *ITALIC]))
SHORT = 12  # signs: such a formula fits beside its words, also on a phone
SIGNS = "−±·×√∑∏∫∂∞≤≥≠≈≔∝∈→…⋯′∗ℓϕε" + "".join(ACCENTS.values())
# Accents have no wider forms in the font, but their combining twins have; a prime is always raised.
DRAWN_AS = {"ˆ": "uni0302", "˜": "uni0303", "‾": "uni0305", "′": "minute.ssty"}
SMALLEST = 900  # height of the smallest root, in thousandths
RULE = 50  # of a fraction and of a root, in thousandths: a pixel at the size of the text


def mathml(tex: str, display: str) -> str:
    "A formula as a browser sets it; what it is in TeX is its text for those who do not see it"
    written = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{matrix}", tex)
    written = re.sub(r"\\mathrm\{(\w)\}", r"\\mathrm{{\1}}", written)  # or a single letter is italic
    root = ET.fromstring(convert(written.replace(":=", "≔"), display=display))
    root.set("alttext", tex)
    for change in (_tag, _join_letters, _say_how_wide, _say_what_is_prefix, _set_functions_apart, _raise_roots):
        for element in [*root.iter()]:
            change(element)
    return ET.tostring(root, encoding="unicode")


def _tag(element: ET.Element) -> None:
    "HTML knows MathML by its names alone"
    element.tag = element.tag.removeprefix(SPACE)
    if element.tag == "mi" and element.text in OPERATORS:
        element.tag = "mo"
    if element.tag == "mo":
        element.text = (element.text or "").lstrip("\\")  # \\Big\\{ comes with its backslash
        element.text = element.text.replace("*", "∗")  # which is not high before it is raised
        if element.text == "|" and "minsize" in element.attrib:
            element.set("stretchy", "true")
        if space := AROUND.get(element.text):
            element.attrib |= {"lspace": space, "rspace": space}
    elif element.tag == "mtable":
        element.set("displaystyle", "true")
    elif element.get("width") == "negativethinmathspace":  # a name that browsers have forgotten
        element.set("width", "-0.17em")


def _join_letters(element: ET.Element) -> None:
    "A name is one word, with its kerning, and not a row of letters"
    letters = [*element]
    is_name = element.tag == "mrow" and letters and letters[0].get("mathvariant") == "normal"
    if is_name and all(letter.get("mathvariant") or letter.tag == "mtext" for letter in letters):
        name = "".join(element.itertext())
        element.clear()
        element.tag, element.text = "mi", name
        if len(name) == 1:
            element.set("mathvariant", "normal")


def _say_how_wide(element: ET.Element) -> None:
    "An accent is as wide as what is below it, except over a single letter"
    if element.tag == "mover" and element[1].text in ACCENTS:
        base, accent = element
        is_wide = len("".join(base.itertext())) > 1
        element.set("accent", "true")
        accent.text = ACCENTS[accent.text or ""]
        accent.set("stretchy", str(is_wide).lower())


def _say_what_is_prefix(element: ET.Element) -> None:
    "A minus after an operator, or at the beginning, belongs to what follows"
    before = None
    for child in element:
        follows = before is None or (before.tag == "mo" and before.text not in CLOSING)
        if child.tag == "mo" and child.text in {"−", "+", "±"} and follows:
            child.set("form", "prefix")
        before = child


def _set_functions_apart(element: ET.Element) -> None:
    "A thin space before a function, and between it and what it is applied to, unless that is in brackets"
    if element.tag not in ROWS:
        return
    for at, (before, after) in reversed([*enumerate(zip([*element], [*element][1:]))]):
        follows = _is_function(after) and (before.tag != "mo" or before.text in CLOSING)
        is_applied = _is_function(before) and after.tag != "mo"
        if (follows or is_applied) and "mspace" not in (before.tag, after.tag):
            element.insert(at + 1, ET.Element("mspace", {"width": "0.17em"}))


def _is_function(element: ET.Element) -> bool:
    name = element[0] if element.tag in SCRIPTS else element
    return name.text in FUNCTIONS


def _raise_roots(element: ET.Element) -> None:
    "A root is as high as a line at least, and a fraction in it as large as the formula allows"
    if element.tag != "msqrt":
        return
    element.insert(0, ET.Element("mspace", {"width": "0", "height": "0.66em", "depth": "0.1em"}))
    for style in element.iter("mstyle"):
        style.attrib.pop("displaystyle", None)


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
    options = subset.Options(flavor="woff", layout_features=["*"], name_IDs=[0, 1, 2, 13, 14], hinting=False)
    font = subset.load_font(str(source), options)
    _draw_accents(font)
    _fit_roots(font)
    chosen = subset.Subsetter(options)
    chosen.populate(text=LETTERS + SIGNS)
    chosen.subset(font)
    subset.save_font(font, str(target), options)
    font.close()


def _draw_accents(font: Any) -> None:
    for table in font["cmap"].tables:
        table.cmap |= {ord(sign): name for sign, name in DRAWN_AS.items()}
    for name in DRAWN_AS.values():
        glyph = font["glyf"][name]  # without a width, where it is to be combined with what is before it
        glyph.coordinates.translate((-glyph.xMin, 0))
        font["hmtx"][name] = (glyph.xMax - glyph.xMin, 0)
        glyph.recalcBounds(font["glyf"])
    maths = font["MATH"].table.MathVariants
    bar = maths.HorizGlyphConstruction[maths.HorizGlyphCoverage.glyphs.index(DRAWN_AS["‾"])]
    del bar.MathGlyphVariantRecord[1:]  # a bar is put together, as wide as it is to be


def _fit_roots(font: Any) -> None:
    """Signs of a root in steps of a twelfth; of those of the font each is half as high again as the one before.

    TeX shares what a sign has too much above and below, and a browser lets all of it hang below the line."""
    from fontTools.ttLib.tables.otTables import MathGlyphVariantRecord

    maths, glyphs, name = font["MATH"].table, font["glyf"], font.getBestCmap()[ord("√")]
    maths.MathConstants.FractionRuleThickness.Value = maths.MathConstants.RadicalRuleThickness.Value = RULE
    at = maths.MathVariants.VertGlyphCoverage.glyphs.index(name)
    sizes = maths.MathVariants.VertGlyphConstruction[at].MathGlyphVariantRecord
    given = [(size.AdvanceMeasurement, size.VariantGlyph, deepcopy(glyphs[size.VariantGlyph])) for size in sizes]
    sizes.clear()
    height = SMALLEST
    while height < 1.3 * given[-1][0]:
        near, like, drawn = min(given, key=lambda size: abs(log(size[0] / height)))
        glyph = deepcopy(drawn)
        glyph.coordinates.scale((1, height / near))
        glyph.recalcBounds(glyphs)
        glyphs[name], font["hmtx"][name] = glyph, font["hmtx"][like]
        size = MathGlyphVariantRecord()
        size.VariantGlyph, size.AdvanceMeasurement = name, round(height)
        sizes.append(size)
        height *= 13 / 12
        name = f"root.{len(sizes)}"


def setup(app: Any) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
