"""A widget by itself: on a page that hosts it as the site does, with nothing behind it; or as a notebook renders it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pictures import page_of

from ndcg_nb.hood.display.pages import script

FROM_PYTHON = """async ([source, before, after, selectors]) => {
  const { default: { render } } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  const [state, heard] = [{ ...before }, {}];
  const hear = { on: (x, f) => { heard[x] = f; }, off: (x) => { delete heard[x]; } };
  const model = { get: (x) => state[x], set() {}, save_changes() {}, send() {}, ...hear };
  const leave = render({ model, el: document.body });
  for (const [name, value] of Object.entries(after)) { state[name] = value; heard[`change:${name}`](); }
  const shown = selectors.map((x) => [...document.querySelectorAll(x)].map((e) => e.textContent));
  leave();
  return [shown, Object.keys(heard)];
}"""
PLACES = """(all) => all.flatMap((e) => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom])"""
UNNAMED = """(all) => all.filter((e) => {
  const own = e.matches('input, select, textarea') ? e.labels?.[0]?.textContent : e.textContent;
  const named = e.getAttribute('aria-label') || e.title || /[a-z]{3}|^\\d+$/i.test(own?.trim());
  return !named && !e.closest('[hidden], [aria-hidden=true]');
}).map((e) => e.outerHTML)"""

# What sticks out on the right, other than inside a box that scrolls by itself.
TOO_WIDE = """() => {
  const own = (e) => ['auto', 'scroll'].includes(getComputedStyle(e).overflowX);
  const scrolls = (e) => e.tagName !== 'ARTICLE' && (own(e) || scrolls(e.parentElement));
  const beyond = (e) => e.getBoundingClientRect().right > innerWidth + 1;
  const out = [...document.querySelectorAll('article *')].filter(beyond);
  const page = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls'] : [];
  return [...page, ...out.filter((e) => !scrolls(e.parentElement)).map((e) => e.outerHTML.slice(0, 80))];
}"""


def state_of(w: Any) -> dict[str, Any]:
    "What a page is saved with"
    return json.loads(json.dumps(w.state, allow_nan=False, sort_keys=True))


def write(folder: Path, name: str, state: dict[str, Any], theme: str = "light", below: Any = ()) -> str:
    "The address of a page with one widget, and others `below` it by name"
    file = folder / f"{name}.html"
    text = page_of((name, state), *dict(below).items(), theme=theme)
    no_icon = '<link rel="icon" href="data:,"><style>'  # or a server is asked for one
    file.write_text(text.replace("<style>", no_icon, 1), "utf-8")
    return file.as_uri()


def from_python(page: Any, name: str, before: dict, after: dict, *selectors: str) -> tuple[list[list[str]], list[str]]:
    "What a widget shows, by selector, once Python has changed its state; and who listens still when it is gone"
    return page.evaluate(FROM_PYTHON, [script(name), before, after, selectors])


def middle(page: Any, selector: str, n: int = 0) -> tuple[float, float]:
    box = page.locator(selector).nth(n).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def slide(page: Any, start: tuple[float, float], end: tuple[float, float], lift: bool = True) -> None:
    "From one point to another by mouse"
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=12)
    if lift:
        page.mouse.up()


def brush(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    "From one point to another by finger"
    session = page.context.new_cdp_session(page)
    path = [[start[i] + (end[i] - start[i]) * step / 12 for i in (0, 1)] for step in range(13)]
    touched = [[{"x": x, "y": y}] for x, y in path]
    for kind, points in zip(["touchStart", *["touchMove"] * 12, "touchEnd"], [*touched, []], strict=True):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def drag(page: Any, selector: str, n: int, right: float, down: float) -> None:
    x, y = middle(page, selector, n)
    slide(page, (x, y), (x + right, y + down))


def swipe(page: Any, selector: str, n: int, right: float, down: float) -> None:
    x, y = middle(page, selector, n)
    brush(page, (x, y), (x + right, y + down))


def places(page: Any, selector: str) -> list[float]:
    "Where elements begin and end"
    return page.locator(selector).evaluate_all(PLACES)


def unnamed(page: Any, within: str) -> list[str]:
    "What can be used or seen, and cannot be read out"
    kinds = "button, input, select, textarea, [tabindex], [role=img]"
    return page.locator(f"{within} :is({kinds})").evaluate_all(UNNAMED)


def watch(page: Any, home: str) -> list[str]:
    "What goes wrong on a page: errors, and requests that leave home"
    wrong: list[str] = []
    page.on("pageerror", lambda e: wrong.append(f"error: {e}"))
    page.on("console", lambda m: wrong.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
    page.on("requestfailed", lambda r: wrong.append(f"failed: {r.url}"))
    page.on(
        "request", lambda r: None if r.url.startswith((home, "blob:", "data:")) else wrong.append(f"outside: {r.url}")
    )
    return wrong
