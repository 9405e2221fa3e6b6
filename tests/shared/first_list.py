"""The first list of a page that can be moved: what its reader sees of it, and whether its number is that of `ndcg`."""

from typing import Any

from ndcg_nb import ndcg

REL = [3, 2, 3, 0, 1, 2]
POOL = [*REL, 3, 2]
STATE = """() => {
  const texts = (boxes, what) => boxes.flatMap((box) => [...box.querySelectorAll(what)].map((e) => e.innerText));
  const nx = document.querySelector('.nx');
  const seen = (what) => [...nx.querySelectorAll(what)].filter((e) => e.checkVisibility());
  const [rows, chips, terms] = [seen('.nx-row:not(.nx-ghost)'), seen('.nx-chip'), texts([nx], '.nx-term')];
  return {
    names: texts(rows, '.nx-name'),
    grades: texts(rows, 'button:nth-of-type(1)').filter((x) => /^\\d+$/.test(x)).map(Number),
    tray: chips.map((chip) => texts([chip], '.nx-name, b').join(' ')),
    numbers: Object.fromEntries(texts([nx], '.nx-figure').map((x, i) => [terms[i], x])),
  };
}"""


def state(page: Any) -> dict:
    "What the reader sees of the first widget"
    return page.evaluate(STATE)


def expect(page: Any, names: str, rel: list[int], k: int | None = 6, pool: list[int] = POOL, **how: object) -> None:
    now = state(page)
    assert now["names"] == names.split()
    assert now["grades"] == rel
    shown = f"{ndcg(rel, k, pool=pool, **how):.3f}".replace("1.000", "1")
    assert now["numbers"]["nDCG" if k is None else f"nDCG@{k}"] == shown
