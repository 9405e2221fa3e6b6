"""The four challenges: none is won at the start, each by its few moves, by every hand."""

from __future__ import annotations

from itertools import chain

import build
import pytest
from conftest import ROOT, needs_browser
from shared.alone import middle, swipe
from shared.javascript import call, needs_node

from ndcg_nb import bounds, ndcg
from ndcg_nb.widgets import fool
from ndcg_nb.widgets.fool import CHALLENGES

WITNESS = """({ witness, isReached }, tasks, cases) => cases.map(([name, documents]) => {
  const seen = witness({ ...tasks[name].start, documents });
  return [seen, tasks[name].goals.map((goal) => isReached(goal, seen))];
})"""


def arranged(name: str, grades: list[int], **more: object) -> list[dict]:
    "The documents of a challenge with these grades shown, in this order, and the others not"
    left = list(fool().documents[name])
    shown = []
    for grade in grades:
        found = next((d for d in left if d["grade"] == grade), {"name": f"X{len(shown)}", "grade": grade})
        left = [d for d in left if d is not found]
        shown.append(found | {"shown": True})
    return shown + [d | {"shown": False} for d in left if name != "spam"]


def unjudged(*names: str) -> list[dict]:
    known = [{key: x for key, x in d.items() if key != "unjudged"} for d in fool().documents["band"]]
    return [d | ({"unjudged": True} if d["name"] in names else {}) for d in known]


@needs_node
def test_won_by_its_list_and_by_no_goal_alone() -> None:
    start = fool().documents
    won = {"spam": [3, 2, 1, -1, -1, -1], "hiding": [3, 3, 0], "copies": [3] * 5}
    cases = [[name, documents] for name, documents in start.items()]
    cases += [[name, arranged(name, grades)] for name, grades in won.items()] + [["band", unjudged("D1", "D2")]]
    half = [["spam", arranged("spam", [3, 2, 1, -1])], ["spam", arranged("spam", [3, -1, 2, 1, -1, -1])]]
    half += [
        ["hiding", arranged("hiding", [3, 3, 2, 1])],
        ["hiding", arranged("hiding", [0])],
        ["band", unjudged("D1", "D2", "D3")],
    ]
    found = call("fool", WITNESS, fool().tasks, cases + half)
    assert [all(met) for _, met in found] == [False] * 4 + [True] * 4 + [False] * 5
    spam, hiding, copies, band = (seen for seen, _ in found[4:8])
    assert spam["nDCG"] == ndcg([3, 2, 1, 0, 0, 0]) == 1
    assert spam["spam"] == 3
    assert hiding["own ideal"] == ndcg([3, 3, 0], 6) == 1
    assert (hiding["hidden"], hiding["answers"]) == (3, 5)
    assert copies["nDCG"] == 1
    assert copies["copies"] == 5
    low, high = bounds([None, None, 3, 0, 1, 2], 6, grades=[0, 1, 2, 3])
    assert (band["least"], band["most"], band["holes"]) == (pytest.approx(low), pytest.approx(high), 2)


def test_every_chapter_it_leads_to_is_there() -> None:
    chapters = [challenge["chapter"] for challenge in CHALLENGES.values()]
    assert all((ROOT / "nbs/widgets" / chapter).exists() for chapter in chapters)
    assert len({*chapters}) == 4
    assert "widgets/fool.ipynb" in chain(*build.parts().values())


# In a browser, as a page hosts it: with nothing behind it.


@pytest.fixture
def game(alone):
    return alone("fool", fool().state, ".fool .nx-row", motion="reduce")


class Mouse:
    def __init__(self, page) -> None:
        self.page = page

    def press(self, start: str) -> None:
        self.page.locator(f".fool button[aria-label^='{start}']:visible").first.click()

    def add(self) -> None:
        self.page.locator(".fool .nx-add").click()

    def sink(self, n: int) -> None:
        "Take a row to the bottom"
        self.page.mouse.move(*middle(self.page, ".nx-row .nx-name", n))
        self.page.mouse.down()
        x, y = middle(self.page, ".nx-row:visible .nx-name", self.page.locator(".nx-row:visible").count() - 1)
        self.page.mouse.move(x, y + 30, steps=8)
        self.page.mouse.up()


class Touch(Mouse):
    def tap(self, selector: str) -> None:
        "A tap that a busy machine draws out is none, and is made again; one that became a click must be answered"
        from playwright.sync_api import TimeoutError as NotYet

        shown = "document.querySelector('.fool .nx-list').innerText"
        before = self.page.evaluate(shown)
        self.page.evaluate(
            "window.clicks = 0; addEventListener('click', () => { window.clicks += 1; }, { capture: true })"
        )
        for _ in range(5):
            self.page.locator(selector).first.tap()
            try:
                return self.page.wait_for_function(f"(x) => {shown} !== x", arg=before, timeout=2000) and None
            except NotYet:
                assert self.page.evaluate("window.clicks") == 0, f"{selector} does not answer a finger"
        raise AssertionError(f"no tap on {selector} became a click")

    def press(self, start: str) -> None:
        self.tap(f".fool button[aria-label^='{start}']:visible")

    def add(self) -> None:
        self.tap(".fool .nx-add")

    def sink(self, n: int) -> None:
        grips = self.page.locator(".nx-row:visible .nx-grip")
        last = middle(self.page, ".nx-row:visible .nx-grip", grips.count() - 1)[1]
        swipe(self.page, ".nx-row .nx-grip", n, 0, last + 30 - middle(self.page, ".nx-row .nx-grip", n)[1])


class Keys(Mouse):
    def press(self, start: str) -> None:
        self.page.locator(f".fool button[aria-label^='{start}']:visible").first.focus()
        self.page.keyboard.press("Enter")

    def add(self) -> None:
        self.page.locator(".fool .nx-add").focus()
        self.page.keyboard.press("Space")

    def sink(self, n: int) -> None:
        self.page.locator(".nx-row").nth(n).focus()
        self.page.keyboard.press("End")


def play(hand: Mouse, name: str) -> None:
    "The few moves that win"
    if name == "spam":
        hand.sink(1)
        hand.page.wait_for_function(
            "[...document.querySelectorAll('.nx-row:not([hidden]) .nx-name')][3].innerText == 'D2'"
        )
        hand.add()
        hand.add()
    for document in {"hiding": ("D2", "D5", "D6"), "copies": ("D2", "D4", "D5")}.get(name, ()):
        hand.press(f"Take {document}")
    for document in ("D4", "D5", "D1", "D2") if name == "band" else ():
        grade(hand, document)


def grade(hand: Mouse, document: str) -> None:
    "Press a result's grade, whatever it is"
    label = hand.page.locator(f".nx-row:visible button[aria-label^='{document}'][aria-label*='grade']").first
    hand.press(label.get_attribute("aria-label"))


@needs_browser
@pytest.mark.parametrize("hand", [Mouse, Touch, Keys])
def test_won_by_every_hand(hand: type[Mouse], game) -> None:
    assert game.locator(".fool [role=tab]").all_inner_texts() == [c["title"] for c in CHALLENGES.values()]
    for n, name in enumerate(CHALLENGES, 1):
        game.locator(".fool [role=tab]").nth(n - 1).click()
        assert game.locator(".fool-count").inner_text() == f"{n - 1} of 4"
        assert game.locator(".fool-end").inner_text() == ""
        play(hand(game), name)
        game.wait_for_function("(n) => document.querySelector('.fool-count').innerText === `${n} of 4`", arg=n)
        assert game.locator(".fool-goals .fool-met").count() == 2
        link = game.locator(".fool-end a")
        assert link.get_attribute("href") == build.page(CHALLENGES[name]["chapter"]) + ".html"
        assert game.locator(".fool-end").inner_text().startswith("Fooled.")
        assert "{" not in game.locator(".fool-end").inner_text()
    assert "All four" in game.locator(".fool-end").inner_text()
    assert game.locator(".fool-foot button:visible").all_inner_texts() == ["start over"]


@needs_browser
def test_what_is_won_stays_won_and_each_list_where_it_was(game) -> None:
    play(Mouse(game), "spam")
    game.locator(".nx-row").nth(0).focus()
    game.keyboard.press("End")
    assert game.locator(".fool-met").count() == 1
    assert game.locator(".fool-count").inner_text() == "1 of 4"
    moved = game.locator(".nx-row:visible").all_inner_texts()
    game.get_by_role("button", name="next challenge").click()
    assert game.evaluate("document.activeElement.textContent") == "Hiding"
    game.keyboard.press("ArrowLeft")
    assert game.evaluate("document.activeElement.textContent") == "Spam ✓"
    assert game.locator(".nx-row:visible").all_inner_texts() == moved


@needs_browser
def test_what_is_none_of_a_challenge_is_answered(game) -> None:
    before = game.locator(".nx-row:visible").all_inner_texts()
    grade(Mouse(game), "D1")
    game.locator(".nx-row").nth(0).focus()
    game.keyboard.press("1")
    assert game.locator(".nx-row:visible").all_inner_texts() == before
    assert game.locator(".fool-note").inner_text().startswith("The grades are the judges'")
    play(Mouse(game), "spam")
    assert game.locator(".fool-note").inner_text() == ""
    game.locator(".fool [role=tab]").nth(3).click()
    before = game.locator(".nx-row:visible").all_inner_texts()
    game.locator(".nx-row").nth(0).focus()
    game.keyboard.press("ArrowDown")
    game.keyboard.press("Delete")
    assert game.locator(".nx-row:visible").all_inner_texts() == before
    assert game.locator(".fool-note").inner_text().startswith("The order is the system's")
    for name in ("Hiding", "Copies", "The band"):
        game.locator(f".fool [role=tab]:has-text('{name}')").click()
        assert not game.locator(".nx-add").is_visible(), "nothing can be added here"
