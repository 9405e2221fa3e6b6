"""A widget by itself: on a page that hosts it as the site does, with nothing behind it; or as a notebook renders it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import build
from conftest import ROOT

from ndcg_nb.hood.show.pages import script

COLOURS = {"light": "color: #111; background: #fff", "dark": "color: #cfd0d0; background: #131416"}
FROM_PYTHON = """async ([source, before, after, selectors]) => {
  const { default: { render } } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  const [state, told] = [{ ...before }, {}];
  const hear = { on: (x, f) => { told[x] = f; }, off: (x) => { delete told[x]; } };
  const model = { get: (x) => state[x], set() {}, save_changes() {}, ...hear };
  const leave = render({ model, el: document.body });
  for (const [name, value] of Object.entries(after)) { state[name] = value; told[`change:${name}`](); }
  const shown = selectors.map((x) => [...document.querySelectorAll(x)].map((e) => e.textContent));
  leave();
  return [shown, Object.keys(told)];
}"""
PLACES = """(all) => all.flatMap((e) => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom])"""
UNNAMED = (
    """(all) => all.filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim())).map((e) => e.outerHTML)"""
)


@cache
def hosted() -> tuple[str, str]:
    "What the site brings to every page: its styles and its script"
    styles = sorted((ROOT / "ndcg_nb/static").glob("*.css"))
    return "".join(path.read_text("utf-8") for path in styles), build.static_script()


def saved(name: str, state: dict[str, Any]) -> str:
    "A widget as the site has it before its script comes"
    text = json.dumps(state, allow_nan=False, sort_keys=True).replace("<", "\\u003c")  # sorted, as notebooks are
    return f'<div class="nx-static" data-widget="{name}"><script type="application/json">{text}</script></div>'


def write(folder: Path, name: str, state: dict[str, Any], theme: str = "light", below: Any = ()) -> str:
    "The address of a page with one widget, and others `below` it by name"
    styles, host = hosted()
    widgets = "".join(saved(*widget) for widget in [(name, state), *dict(below).items()])
    file = folder / f"{name}.html"
    file.write_text(
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<style>:root {{ color-scheme: {theme} }} body {{ margin: 8px; {COLOURS[theme]} }} {styles}</style>"
        f"<script>{host}</script><article>{widgets}</article>",
        "utf-8",
    )
    return file.as_uri()


def from_python(page: Any, name: str, before: dict, after: dict, *selectors: str) -> tuple[list[list[str]], list[str]]:
    "What a widget shows, by selector, once Python has changed its state; and who listens still when it is gone"
    return page.evaluate(FROM_PYTHON, [script(name), before, after, selectors])


def places(page: Any, selector: str) -> list[float]:
    "Where elements begin and end"
    return page.locator(selector).evaluate_all(PLACES)


def unnamed(page: Any, within: str) -> list[str]:
    "What can be used or seen, and cannot be read out"
    kinds = ("button", "input", "[tabindex]", "[role=img]")
    return page.locator(", ".join(f"{within} {kind}" for kind in kinds)).evaluate_all(UNNAMED)
