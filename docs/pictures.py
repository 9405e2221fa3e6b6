"""Pictures for where no script runs: what a browser draws of a widget or of the front page, taken once and kept."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha1
from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from cells import STATE
from jinja2 import Environment, FileSystemLoader

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the lightest first
CHROMIUM = next(filter(None, map(which, BROWSERS)), None)
LOOKS = {"light": "color: #1f2328; background: #fff", "dark": "color: #cfd0d0; background: #131416"}
FONT = "font-family: Inter, system-ui, sans-serif"
WIDTH, TALLEST, COLOURS = 700, 760, 32
Widgets = dict[str, tuple[str, dict[str, Any]]]  # The name and the state of each widget, by its key


@cache
def hosted() -> tuple[str, str]:
    "What the site brings to every page: its styles and its script"
    from build import static_script

    styles = sorted((ROOT / "ndcg_nb/static").glob("*.css"))
    return "".join(path.read_text("utf-8") for path in styles), static_script()


def letters() -> str:
    "The letters of the site, within a page: a file may not load others"
    font = b64encode((ROOT / "docs/fonts/inter.woff2").read_bytes()).decode()
    return f"@font-face {{ font-family: Inter; font-weight: 400 700; src: url(data:font/woff2;base64,{font}) }}"


def page_of(*widgets: tuple[str, dict[str, Any]], theme: str = "light") -> str:
    "A page with widgets and nothing behind them, as the site has them"
    styles, host = hosted()
    states = [json.dumps(state, allow_nan=False, sort_keys=True).replace("<", "\\u003c") for _, state in widgets]
    boxes = "".join(
        f'<div class="nx-static" data-widget="{name}"><script type="application/json">{state}</script></div>'
        for (name, _), state in zip(widgets, states)
    )
    return (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<style>:root {{ color-scheme: {theme} }} body {{ margin: 8px; {FONT}; {LOOKS[theme]} }} {styles}</style>"
        f"<script>{host}</script><article>{boxes}</article>"
    )


def key_of(output: Any) -> tuple[str, str, dict[str, Any]] | None:
    "What a saved widget shows, as a text, with its name and its state; nothing for other outputs"
    data = output.get("data", {})
    for kind in filter(STATE.fullmatch, data):
        return json.dumps([kind, data[kind]], sort_keys=True), STATE.fullmatch(kind)[1], data[kind]
    return None


def in_notebooks(paths: Iterable[Path]) -> dict[str, str]:
    "The pictures that are saved, by what they show, and by their place for where no new one can be taken"
    found = {}
    for path in paths:
        for cell in nbformat.read(path, 4).cells:
            for output in cell.get("outputs", []):
                if (key := key_of(output)) and "image/png" in output.data:
                    found[key[0]] = found[f"{path.name} {cell.id}"] = output.data["image/png"]
    return found


@contextmanager
def opened(width: int, scale: int = 1) -> Iterator[Any]:
    "A page of a browser"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": width, "height": TALLEST}, device_scale_factor=scale)
        browser.close()


def small(screenshot: bytes, **said: str) -> bytes:
    "A screenshot in few colours, with what it says of itself"
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    about = PngInfo()
    for name, text in said.items():
        about.add_text(name, text)
    picture = Image.open(BytesIO(screenshot)).convert("RGB")
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(data := BytesIO(), "PNG", optimize=True, pnginfo=about)
    return data.getvalue()


def take(widgets: Widgets) -> dict[str, str]:
    "A picture of each, as notebooks keep it; none where there is no browser"
    if not widgets or not CHROMIUM:
        return {}
    taken = {}
    with TemporaryDirectory() as folder, opened(WIDTH) as page:
        page.emulate_media(media="print", reduced_motion="reduce")  # on paper, too, nothing can be pressed
        for n, (key, (name, state)) in enumerate(widgets.items()):
            file = Path(folder) / f"{n}.html"
            file.write_text(page_of((name, state)).replace("<style>", f"<style>{letters()}", 1), "utf-8")
            page.goto(file.as_uri())
            page.wait_for_selector(".nx-static > div > *")
            page.wait_for_timeout(1000)  # a worker may still read
            box = page.locator(".nx-static > div > *").bounding_box()
            clip = box | {"height": min(TALLEST, box["height"])}
            taken[key] = b64encode(small(page.screenshot(clip=clip, full_page=True))).decode()
    return taken


# README's picture: the list of the front page, and where the numbers of the tools are.


def stamp_of_front() -> str:
    "What the picture shows, as one number, which is stored in it"
    from front import moving

    return sha1(json.dumps(moving(), sort_keys=True).encode()).hexdigest()


def bare_front(theme: str) -> str:
    "The list of the front page on a page of its own"
    from build import front_script
    from front import moving

    def inside(url: re.Match[str]) -> str:
        return f"url(data:font/woff2;base64,{b64encode((DOCS / url[1]).read_bytes()).decode()})"

    style = re.sub(r'url\("(fonts/[\w-]+\.woff2)"\)', inside, (DOCS / "theme.css").read_text("utf-8"))
    template = Environment(loader=FileSystemLoader(DOCS / "templates")).get_template("partials/moving.html")
    style += " .moving-do, .table-of { display: none !important }"  # nothing can be pressed here
    return (
        f'<!doctype html><meta charset="utf-8"><style>{style}</style>'
        f'<body data-theme="{theme}"><span id="count" hidden></span>{template.render(moving=moving())}'
        f"<script>{front_script()}</script>"
    )


def take_front(theme: str) -> bytes:
    "The picture, light or dark"
    with opened(920, scale=2) as page:
        page.set_content(bare_front(theme))
        page.wait_for_selector(".name")
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(500)  # what moves has arrived
        return small(page.locator(".moving-in").screenshot(), stamp=stamp_of_front())
