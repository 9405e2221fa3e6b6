"""Formulas: the MathML that a page gets, and that a browser draws it with our cut of the font as TeX would."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, needed, needs_browser

needed("latex2mathml")
needed("fontTools")

from formulas import mathml, write_font  # noqa: E402


def inside(tex: str, display: str = "inline") -> str:
    "What is between the tags of a formula, without its outermost row"
    return re.sub(r"</?math.*?>|^<math[^>]*><mrow>|</mrow></math>$", "", mathml(tex, display))


@pytest.mark.parametrize(
    "tex, made",
    [
        (r"a \pm b", "<mo>±</mo><mi>b</mi>"),
        (r"= \pm 1", '<mo form="prefix">±</mo><mn>1</mn>'),
        (r"\mathrm{nDCG}@k", "<mi>nDCG</mi><mi>@</mi>"),
        (r"\mathrm{nDCG\text{-}IA}", "<mi>nDCG-IA</mi>"),
        (r"\mathrm{E}[x]", '<mi mathvariant="normal">E</mi>'),
        (r"E[x]", "<mi>E</mi>"),
        (r"\overline{\mathrm{nDCG}}", '<mi>nDCG</mi></mrow><mo accent="true" stretchy="true">‾</mo></mover>'),
        (r"\widetilde{\mathrm{rank}}", '<mo stretchy="true">˜</mo></mover>'),
        (r"\hat g", '<mi>g</mi><mo stretchy="false">ˆ</mo></mover>'),
        (r"t^*", "<mo>∗</mo></msup>"),
        (r"d'", "<mo>′</mo></msup>"),
        (r"(1 - a)\ln n", '<mspace width="0.17em" /><mi>ln</mi><mspace width="0.17em" /><mi>n</mi>'),
        (r"x\cos x", '<mi>x</mi><mspace width="0.17em" /><mi>cos</mi>'),
        (r"-\ln(x)", '<mo form="prefix">−</mo><mi>ln</mi><mo stretchy="false">(</mo>'),
        (r"a/b", '<mo lspace="0" rspace="0">/</mo>'),
        (r"\}^n : \Big|", '<mo lspace="0.28em" rspace="0.28em">:</mo>'),
        (r"x := g", "<mi>x</mi><mo>≔</mo>"),
        (r"\sqrt{\tfrac1n}", '<mstyle scriptlevel="0"><mfrac>'),
    ],
)
def test_what_is_made(tex: str, made: str) -> None:
    assert made in inside(tex)


SAMPLES = {"n": r"\sqrt n", "sum": r"\sqrt{\chi^2_\nu/\nu}", "fraction": r"\sqrt{\frac1n-\frac1N}"}
SAMPLES |= {"bar": r"\overline{\mathrm{nDCG}}"}
PAGE = """<!doctype html><meta charset="utf-8">
<style>@font-face {{ font-family: "STIX Two Math"; src: url("formulas.woff"); }}
body {{ font-size: 100px; }} div {{ margin: 100px; }}</style>
<style>{css}</style>{formulas}"""


@pytest.fixture(scope="module")
def formulas(window, tmp_path_factory: pytest.TempPathFactory):
    "A page with the samples, each a picture of its own: what is drawn where, in hundredths of the size of the text"
    folder = tmp_path_factory.mktemp("formulas")
    write_font(folder / "formulas.woff")
    css = "\n".join(line for line in theme().splitlines() if re.match(r"(math|mover) ", line))
    made = "".join(f'<div id="{name}">{mathml(tex, "block")}</div>' for name, tex in SAMPLES.items())
    (folder / "page.html").write_text(PAGE.format(css=css, formulas=made), "utf-8")
    page = window.new_page()
    page.goto((folder / "page.html").as_uri())
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('10px \"STIX Two Math\"'))")
    yield page
    page.close()


def theme() -> str:
    return Path(ROOT / "docs/theme.css").read_text("utf-8")


BOX = "(e) => { const box = e.getBoundingClientRect(); return [box.top, box.bottom]; }"


@needs_browser
@pytest.mark.parametrize("name", ["n", "sum", "fraction"])
def test_a_root_is_on_its_line(name: str, formulas) -> None:
    "The sign begins above what it is the root of, and ends where that ends, not half a line below it"
    top, bottom = formulas.locator(f"#{name} msqrt").evaluate(BOX)
    boxes = formulas.locator(f"#{name} msqrt > :not(mspace)").evaluate_all(f"(all) => all.map({BOX})")
    above, below = min(box[0] for box in boxes) - top, bottom - max(box[1] for box in boxes)
    assert 10 < above < 60, "the bar lies on what is below it"
    assert -5 < below < 25, "the sign hangs below its line"


@needs_browser
def test_an_overline_is_over_every_letter(formulas) -> None:
    from PIL import Image

    name = formulas.locator("#bar mi").bounding_box()
    left, above = round(name["x"]), 40
    clip = {"x": left - 40, "y": name["y"] - above, "width": name["width"] + 80, "height": above}
    picture = np.array(Image.open(BytesIO(formulas.screenshot(clip=clip))).convert("L"))
    inked = np.flatnonzero((picture < 128).any(axis=0)) - 40
    assert inked[0] == pytest.approx(0, abs=15)
    assert inked[-1] == pytest.approx(name["width"], abs=15)
    assert inked.size == inked[-1] - inked[0] + 1, "without a gap"
