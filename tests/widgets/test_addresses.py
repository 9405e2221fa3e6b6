"""Every widget has an address for its state: a link opens what was there, and a wrong one is said in words."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from conftest import needs_browser
from shared.alone import state_of
from shared.first_list import POOL, REL

from ndcg_nb import explore
from ndcg_nb.widgets import bend, favour, fool, narrow, noise, soften, stretch, sway, whose


class Case(NamedTuple):
    "A widget, keys for what can be moved, what is then in the address, and addresses that are wrong, with why"

    made: Any
    keys: list[tuple[str, str]]
    address: str
    wrong: dict[str, str]


def slider(name: str) -> str:
    return f'role=slider[name="{name}"]'


LISTS = explore(REL, k=6, pool=POOL)
CASES = {
    "bend": Case(
        bend(),
        [(slider("how steep"), "End"), (slider("cutoff k"), "Home")],
        "bend=discount=power,3;k=1",
        {
            "discount=steep": "there is no discount “steep” here",
            "discount=geometric,2": "p is “2”, and not a number from 0 to 1",
            "k=0": "k is “0”, and not a whole number from 1 to 6",
        },
    ),
    "explore": Case(
        LISTS,
        [(".nx-row", "ArrowDown"), (".nx-row >> nth=2", "-"), (slider("Cutoff k") + " >> nth=0", "ArrowUp")],
        "explore=list=2:2,1:3,3:2,4:0,5:1,6:2/7:3,8:2;k=5",
        {
            "list=1:9/;k=1": "there is no grade 9 here",
            "k=3": "it is cut short",
            "list=1:3/;k=1;discount=__proto__": "there is no discount “__proto__” here",
            "list=1:3,1:2/;k=1": "a document is in it twice",
            f"list={','.join(f'{i}:1' for i in range(99))}/;k=1": "it has too many documents",
        },
    ),
    "favour": Case(
        favour(taste=1),
        [(slider("taste, for its own kind"), "End")],
        "favour=taste=2",
        {"generosity=9": "generosity is “9”, and not a number from 0 to 2"},
    ),
    "fool": Case(
        fool(),
        [("role=tab >> nth=0", "ArrowRight"), (".nx-row >> nth=0", "ArrowDown")],
        "fool=challenge=hiding;list=",
        {
            "challenge=money": "there is no challenge “money”",
            "challenge=spam;list=1:0/": "no move leads to its list",
        },
    ),
    "narrow": Case(
        narrow([3, None, 1, None, 2, 0], [None, 2], k=4),
        [('role=button[name="Grade 2 for D4"]', "Enter")],
        "narrow=given=?,2,?",
        {"given=?,7,?": "“7” is no grade here", "given=1": "given has 1 values, and not 3"},
    ),
    "noise": Case(
        noise(draws=20),
        [(slider("queries"), "End"), ("text=draw 100", "Enter")],
        "noise=queries=200;draws=120",
        {"queries=7.5": "queries is “7.5”, and not a whole number from 5 to 200", "draws=%E0%A4%A": "it is damaged"},
    ),
    "soften": Case(
        soften(),
        [(".ns-dot >> nth=0", "ArrowLeft"), (slider("temperature"), "Home")],
        ";temperature=0.01",
        {"scores=1,2": "scores has 2 values, and not 6", "temperature=cold": "temperature is “cold”, and"},
    ),
    "stretch": Case(
        stretch(),
        [(slider("a 2 is worth"), "End")],
        "stretch=worth=6",
        {"worth=": "worth is “”, and not a number from 1 to 6"},
    ),
    "sway": Case(
        sway([0.1, -0.2, 0.05]),
        [(".sway-knob >> nth=1", "ArrowUp")],
        "sway=differences=0.1,-0.19,0.05",
        {"differences=0.1,2,0": "differences is “2”, and not a number from −1 to 1"},
    ),
    "whose": Case(
        whose(0.949, REL, k=6, pool=POOL),
        [
            (".nw-chip >> nth=0", "ArrowRight"),
            ('role=combobox[name="First tool"]', "s"),
            (".nw-pair select >> nth=1", "t"),
        ],
        "whose=0.949;k=6;rel=2,3,3,0,1,2;missed=3,2;a=",
        {"rel=3,x": "“x” is not a number (2nd grade)", "0.9": "Type the grades", "rel=1;a=excel": "no tool “excel”"},
    ),
}
SHOWN = """(article) => {
  const all = [...article.querySelectorAll(":scope :not(.nx-live, .nx-change, .nx-share, .nx-share *)")];
  return all.filter((x) => !x.children.length || x.matches("select")).map((x) => x.value ?? x.textContent);
}"""
SAID = ".nx-share [role=status]"
FOLLOW = """(text) => new Promise((done) => {
  const said = () => document.querySelector(".nx-share [role=status]").textContent;
  addEventListener("hashchange", () => done(said()), { once: true });
  location.hash = text;
})"""


def opened(page: Any, address: str) -> Any:
    "The page at an address, once it has said what it makes of it"
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(f"{SAID}:not(:empty)")
    return page


@needs_browser
@pytest.mark.parametrize("name", CASES)
def test_a_link_opens_what_was_there(alone: Any, name: str) -> None:
    case = CASES[name]
    page = alone(name, state_of(case.made), ".nx-share", 1000, motion="reduce")
    first = page.locator("article").evaluate(SHOWN)
    for part, why in case.wrong.items():
        said = page.evaluate(FOLLOW, f"{name}={part}")
        assert said.startswith("The link cannot be shown: ") and why in said, said
        assert page.locator("article").evaluate(SHOWN) == first, "what is wrong is not shown"
    for control, key in case.keys:
        page.locator(control).first.press(key)
    shown = page.locator("article").evaluate(SHOWN)
    assert shown != first
    page.get_by_role("button", name="Copy a link").press("Enter")
    page.wait_for_selector(f"{SAID}:not(:empty)")
    address = page.url
    assert case.address in address
    opened(page, address)
    assert page.locator(SAID).inner_text() == "This came with the link."
    assert page.locator("article").evaluate(SHOWN) == shown


@needs_browser
def test_a_link_of_old_and_one_for_a_widget_that_is_not_there(alone: Any) -> None:
    page = alone("explore", state_of(LISTS), ".nx-share")
    home = page.url
    opened(page, f"{home}#list=2:1,1:3/&k=none&t1=%3Cb%3E")
    assert page.locator(".nx-row:visible .nx-name").all_inner_texts() == ["D2", "D1"]
    assert page.locator(".nx-row .nx-title").nth(1).inner_text() == "<b>", "a title is text"
    for address in ("#list=2:1,1:3/&k=none&w=2", "#explore3=list=1:3/;k=1"):
        opened(page, f"{home}{address}")
        assert page.locator(SAID).inner_text() == "The link cannot be shown: this page has no explore number 3."
