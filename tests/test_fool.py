"""The four challenges: none is won at the start, each by its few moves, by every hand, and Python agrees."""

from __future__ import annotations

import json
import random
from itertools import chain

import build
import pytest
from conftest import ROOT, needs_browser
from javascript import call, needs_node
from test_site import TOO_WIDE

from ndcg_nb import bounds, ndcg
from ndcg_nb.hood.show.pages import script
from ndcg_nb.widgets import fool
from ndcg_nb.widgets.fool import CHALLENGES, withdrawn, witness

WON = {"spam": [3, 2, 1, -1, -1, -1], "hiding": [3, 3, 0], "copies": [3, 3, 3, 3, 3]}  # grades of lists that win


def win(w, name: str) -> None:
    w.challenge = name
    if name == "band":
        w.documents = w.documents | {name: withdrawn(w.documents[name], "D1", "D2")}
    else:
        w.board.ranking = WON[name]


@pytest.mark.parametrize("name", CHALLENGES)
def test_won_by_its_list_and_by_no_goal_alone(name: str) -> None:
    w = fool(name)
    assert w.won == []
    before = [goal.reached(w.numbers) for goal in CHALLENGES[name].goals]
    win(w, name)
    assert w.won == [name] and all(goal.reached(w.numbers) for goal in CHALLENGES[name].goals)
    assert len(before) == 2 and not all(before)
    w.board.documents = CHALLENGES[name].start().documents
    assert w.won == [name], "what is won stays won while the list is moved on"


def test_the_perfect_numbers_are_perfect() -> None:
    w = fool()
    for name, expected in {"spam": ndcg([3, 2, 1, 0, 0, 0]), "hiding": ndcg([3, 3, 0], 6), "copies": 1.0}.items():
        win(w, name)
        assert w.numbers["own ideal" if name == "hiding" else "nDCG"] == expected == 1
    win(w, "band")
    low, high = bounds([None, None, 3, 0, 1, 2], 6, grades=[0, 1, 2, 3])
    assert (w.numbers["least"], w.numbers["most"]) == (low, high)
    assert w.won == list(CHALLENGES)


def test_half_won_is_not_won() -> None:
    w = fool("spam")
    w.board.ranking = [3, 2, 1, -1]  # perfect, but one is no crowd
    w.board.ranking = [3, -1, 2, 1, -1, -1]  # a crowd, but not perfect
    w.challenge = "hiding"
    w.board.ranking = [3, 3, 2, 1]  # perfect, and hides too little
    w.board.ranking = [0]  # hides all, and has no ideal
    w.challenge = "band"
    w.documents = w.documents | {"band": withdrawn(w.documents["band"], "D1", "D2", "D3")}  # wide, with one too many
    assert w.won == [] and w.numbers["width"] > 0.5


def test_every_chapter_it_leads_to_is_there() -> None:
    chapters = [challenge.chapter for challenge in CHALLENGES.values()]
    assert chapters == [f"../{c}" for c in build.notebooks() if c.startswith(("04", "05", "06", "07_"))]
    assert (ROOT / "nbs/widgets/fool.ipynb").exists() and "widgets/fool.ipynb" in chain(*build.parts().values())


def test_a_notebook_is_handed_one_way_to_render() -> None:
    "Who hosts it takes a `render` that is exported by name before the one that is meant"
    assert "export function render" not in script("fool") and "export default { render: play }" in script("fool")


WITNESS = """({ witness, reached }, tasks, cases) => cases.map(([name, documents]) => {
  const told = witness({ ...tasks[name].board, documents });
  return [told, tasks[name].goals.map((goal) => reached(goal, told))];
})"""


@pytest.mark.long
@needs_node
def test_javascript_sees_what_python_sees() -> None:
    rng = random.Random(0)
    cases, expected = [], []
    for _ in range(150):
        name = rng.choice(list(CHALLENGES))
        board = CHALLENGES[name].start()
        documents = [d | {"shown": rng.random() < 0.8 or name == "band"} for d in board.documents]
        if name == "spam":
            documents = [d for d in documents if d["shown"]]
            documents += [{"name": f"X{i}", "grade": -1, "shown": True} for i in range(rng.randint(0, 3))]
        if name != "band":
            rng.shuffle(documents)
        else:
            documents = withdrawn(documents, *(d["name"] for d in documents if rng.random() < 0.4))
        board.documents = sorted(documents, key=lambda d: not d["shown"])
        told = witness(board)
        cases.append([name, board.documents])
        expected.append((told, [goal.reached(told) for goal in CHALLENGES[name].goals]))
    got = call("fool", WITNESS, fool().tasks, cases)
    for case, (ours, won), (theirs, met) in zip(cases, expected, got, strict=True):
        same = {key: pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True) for key, value in ours.items()}
        assert {key: theirs[key] for key in ours} == same and met == won, case
    assert 2 <= sum(all(won) for _, won in expected) < 110


# In a browser, as a page hosts it: with nothing behind it.


@pytest.fixture
def game(alone):
    return alone("fool", fool().state, ".fool .nx-row", motion="reduce")


def centre(page, selector: str, n: int) -> tuple[float, float]:
    box = page.locator(selector).nth(n).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Mouse:
    def __init__(self, page) -> None:
        self.page = page

    def press(self, start: str) -> None:
        self.page.locator(f".fool button[aria-label^='{start}']:visible").first.click()

    def add(self) -> None:
        self.page.locator(".fool .nx-add").click()

    def sink(self, n: int) -> None:
        "Take a row to the bottom"
        self.page.mouse.move(*centre(self.page, ".nx-row .nx-name", n))
        self.page.mouse.down()
        x, y = centre(self.page, ".nx-row:visible .nx-name", self.page.locator(".nx-row:visible").count() - 1)
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
        session = self.page.context.new_cdp_session(self.page)
        x, y = centre(self.page, ".nx-row .nx-grip", n)
        to = centre(self.page, ".nx-row:visible .nx-grip", self.page.locator(".nx-row:visible").count() - 1)[1] + 30
        points = [[{"x": x, "y": y + (to - y) * step / 10}] for step in range(11)]
        for kind, at in zip(["touchStart", *["touchMove"] * 10, "touchEnd"], [*points, []]):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


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


def figures(page) -> dict[str, str]:
    terms, values = (page.locator(f".fool .nx-{part}").all_inner_texts() for part in ("term", "figure"))
    return dict(zip(terms, values))


@needs_browser
@pytest.mark.parametrize("hand", [Mouse, Touch, Keys])
def test_won_by_every_hand(hand: type[Mouse], game) -> None:
    w = fool()
    assert game.locator(".fool [role=tab]").all_inner_texts() == [c.title for c in CHALLENGES.values()]
    for n, name in enumerate(CHALLENGES, 1):
        game.locator(".fool [role=tab]").nth(n - 1).click()
        assert game.locator(".fool-count").inner_text() == f"{n - 1} of 4"
        assert game.locator(".fool-end").inner_text() == ""
        play(hand(game), name)
        game.wait_for_function("(n) => document.querySelector('.fool-count').innerText === `${n} of 4`", arg=n)
        assert game.locator(".fool-goals .fool-met").count() == 2
        win(w, name)
        told = {term.partition("@")[0]: text for term, text in figures(game).items()}
        for term, text in told.items():
            if term != "min-max":
                assert float(text) == pytest.approx(w.numbers[term], abs=5.1e-4), (name, term)
        link = game.locator(".fool-end a")
        assert link.get_attribute("href") == build.page(CHALLENGES[name].chapter) + ".html"
        assert game.locator(".fool-end").inner_text().startswith("Fooled.")
        assert "{" not in game.locator(".fool-end").inner_text()
    assert "All four" in game.locator(".fool-end").inner_text()
    assert game.locator(".fool-foot button:visible").all_inner_texts() == ["start over"]


@needs_browser
def test_start_over_unwinds(game) -> None:
    before = game.locator(".nx-row:visible").all_inner_texts()
    play(Mouse(game), "spam")
    assert game.locator(".fool [role=tab]").first.inner_text() == "Spam ✓"
    game.get_by_role("button", name="start over").click()
    assert game.locator(".nx-row:visible").all_inner_texts() == before
    assert game.locator(".fool-count").inner_text() == "0 of 4" and game.locator(".fool-end").inner_text() == ""
    assert game.locator(".fool-met").count() == 0
    play(Keys(game), "spam")
    assert game.locator(".fool-count").inner_text() == "1 of 4", "it can be won again"


@needs_browser
def test_what_is_won_stays_won_and_each_list_where_it_was(game) -> None:
    play(Mouse(game), "spam")
    game.locator(".nx-row").nth(0).focus()
    game.keyboard.press("End")
    assert game.locator(".fool-met").count() == 1 and game.locator(".fool-count").inner_text() == "1 of 4"
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


@needs_browser
def test_how_to_judge_is_told_and_the_solution_is_not(game) -> None:
    assert not game.locator(".fool-how").is_visible(), "to move a list is explained by its arrows"
    game.locator(".fool [role=tab]").nth(3).click()
    how, first = game.locator(".fool-how"), game.locator(".nx-row").nth(0)
    assert how.inner_text() == "Click a grade to withdraw the judgement, or to give it back."
    assert how.bounding_box()["y"] < first.bounding_box()["y"]
    label = first.locator("button").first
    assert (
        label.get_attribute("aria-label") == label.get_attribute("title") == "D1 has grade 3: take the judgement back"
    )
    label.click()
    assert label.get_attribute("aria-label") == "D1 has grade 3?: give the judgement"
    label.click()
    assert label.get_attribute("aria-label") == "D1 has grade 3: take the judgement back"
    game.locator("summary").click()
    assert game.locator(".fool details p").inner_text() == "Judge D4 and D5, and take back D1 and D2."


@needs_browser
def test_goals_and_numbers_are_written_one_way(game) -> None:
    game.locator(".fool [role=tab]").nth(1).click()
    Mouse(game).press("Take D2")
    goals = game.locator(".fool-goals li").all_inner_texts()
    assert goals[1].startswith("○ at least three of the five answers (1 or better) are hidden (now 1)")
    for n, (name, challenge) in enumerate(CHALLENGES.items()):
        game.locator(".fool [role=tab]").nth(n).click()
        if name == "hiding":
            game.get_by_role("button", name="start over").click()
        play(Mouse(game), name)
        game.wait_for_function("document.querySelectorAll('.fool-met').length === 2")
        told = figures(game)
        assert "1.000" not in game.locator(".fool").inner_text()
        if name == "band":
            width = float(told["most@6"]) - float(told["least@6"])
            assert f"the band is {width:.3f} wide" in challenge.goals[1].words
        else:
            assert challenge.goals[0].words.endswith(" is 1") and "1" in told.values()


@needs_browser
def test_a_win_is_announced_and_everything_has_a_name(game) -> None:
    assert game.locator(".fool-end[role=status]").count() == 1 and game.locator(".fool-note[role=status]").count() == 1
    assert game.locator("[role=tabpanel]").get_attribute("aria-labelledby").endswith("-spam")
    assert game.locator("[role=tab][aria-selected=true]").count() == 1
    assert game.locator("[role=tab][tabindex='0']").count() == 1
    assert game.locator(".fool-goals").inner_text().count("not reached") == 2
    unnamed = game.evaluate(
        """[...document.querySelectorAll('.fool button, .fool [tabindex]')].filter((e) => e.checkVisibility())
           .filter((e) => !(e.getAttribute('aria-label') || /[a-z]{3}/i.test(e.textContent)))
           .map((e) => e.outerHTML)"""
    )
    assert unnamed == []
    game.locator("summary").click()
    assert "Move D2 to the bottom" in game.locator(".fool details").inner_text()


@needs_browser
def test_nothing_moves_unless_the_reader_moves_it(game) -> None:
    "Winning puts its sentence where room was kept for it: the list under the hand stays where it is"
    top = lambda: game.locator(".nx-row").nth(0).bounding_box()["y"]  # noqa: E731
    before = top()
    play(Mouse(game), "spam")
    assert top() == before
    game.set_viewport_size({"width": 390, "height": 800})
    for tab in game.locator(".fool [role=tab]").all():
        tab.click()
        assert game.evaluate(TOO_WIDE) == []


@needs_browser
def test_in_jupyter_links_lead_to_notebooks(game) -> None:
    w = fool("hiding")
    state = w.state | {"won": ["hiding"]}
    href = game.evaluate(
        """async ([source, state]) => {
          const text = new Blob([source], { type: 'text/javascript' });
          const { default: widget } = await import(URL.createObjectURL(text));
          const el = document.createElement('div');
          const model = { get: (x) => state[x], set() {}, on() {}, off() {}, save_changes() {}, widget_manager: {} };
          widget.render({ model, el })();
          return el.querySelector('.fool-end a').getAttribute('href');
        }""",
        [script("fool"), json.loads(json.dumps(state))],
    )
    assert href == "../05_missing.ipynb"
