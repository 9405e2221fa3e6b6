"""The widget in a real JupyterLab: what a hand moves, Python sees, and what Python moves, the reader sees."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pictures
import pytest
from book import fold, put_pictures, strip_widgets
from conftest import ROOT, needs_browser
from shared.alone import middle
from shared.desks import done, grades_in
from shared.first_list import expect

from ndcg_nb import explore, ndcg

IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]:visible"
MAKE = """
import json
from pathlib import Path
from ndcg_nb import explore
from ndcg_nb.hood.display.pages import EGGS
w = explore([3, 2, 3, 0, 1, 2], k=6, pool=[3, 2, 3, 0, 1, 2, 3, 2], names=EGGS)
seen = []
w.observe(lambda change: seen.append(change["new"]), "ndcg")
def report(path):
    told = {"ranking": w.ranking, "missed": w.missed, "ndcg": w.ndcg, "seen": len(seen)}
    Path(path).write_text(json.dumps(told))
w
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("lab")
    cells = [MAKE.strip(), "report('moved.json')", "w.ranking = [3, 3, 3, 2, 2, 2]; report('set.json')"]
    cells += ["report('turned.json')"]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, folder / "try.ipynb")
    folds = ["#| default_exp x", "#| export\nimport re", "#| export\ndef f(): ...", "#| echo: false\nre", "re.I"]
    answer = '#| code-fold: true\n#| code-summary: "Answer to 1"\nre.I'
    nb.cells = [nbformat.v4.new_code_cell(source) for source in [*folds, answer]]
    bundle = explore([3, 2, 3, 0, 1, 2])._repr_mimebundle_()[0]
    for cell, data in ((nb.cells[4], bundle), (nb.cells[5], {"text/plain": "re.I"})):
        cell.outputs = [nbformat.v4.new_output("display_data", data)]
    strip_widgets(nb)
    [key] = filter(None, map(pictures.key_of, nb.cells[4].outputs))
    with ThreadPoolExecutor() as apart:  # it starts a browser of its own, which no thread can do twice
        taken = apart.submit(pictures.take, {key[0]: key[1:]}).result()
    put_pictures(nb, "fold.ipynb", taken)
    fold(nb, ROOT / "nbs/02_ideal.ipynb")
    nbformat.write(nb, folder / "fold.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = {f"JUPYTER_{x}_DIR": str(folder / f".{x.lower()}") for x in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", f"--port={port}"]
    options = ["--IdentityProvider.token=", "--ServerApp.ip=127.0.0.1", "--ServerApp.open_browser=False"]
    log = (folder / "lab.log").open("w")
    server = subprocess.Popen([*command, *options], cwd=folder, env=os.environ | home, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    for _ in range(120):
        try:
            urllib.request.urlopen(f"{url}/api").close()
            break
        except OSError:
            time.sleep(0.5)
    else:
        pytest.fail((folder / "lab.log").read_text())
    yield url, folder
    server.terminate()
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:  # it waits for a kernel that was only just starting
        server.kill()
        server.wait()
    log.close()


@pytest.fixture(scope="module")
def room(browser):
    "One for all tests: what JupyterLab loads for its first page is there for the others"
    context = browser.new_context(viewport={"width": 1200, "height": 1100})
    context.set_default_timeout(90_000)  # a Lab that shares its processors takes its time
    yield context
    context.close()


@pytest.fixture
def page(room):
    tab = room.new_page()
    yield tab
    tab.close()


def dismiss(page) -> None:
    "Close what Lab asks while it settles, such as whether a kernel that died may start again"
    buttons = page.locator(".jp-Dialog button")
    if buttons.count():
        buttons.last.click()


def run_cell(page, n: int) -> None:
    "Run a cell as a hand would; a notebook that is still settling may miss the first press"
    from playwright.sync_api import TimeoutError as NotYet

    ran = f"/\\d/.test(document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')[{n}].textContent)"
    for _ in range(4):
        dismiss(page)
        try:
            page.locator(".jp-CodeCell .jp-InputArea-editor").nth(n).click(timeout=15_000)
            page.keyboard.press("Shift+Enter")
            return page.wait_for_function(ran, timeout=15_000) and None
        except NotYet:
            continue
    raise AssertionError(f"cell {n} did not run")


def told(path: Path) -> dict:
    for _ in range(100):
        if path.exists() and path.read_text():
            return json.loads(path.read_text())
        time.sleep(0.2)
    raise AssertionError(f"{path.name} was not written")


@needs_browser
def test_both_ways(lab, page) -> None:
    url, folder = lab
    page.goto(f"{url}/lab/tree/try.ipynb")
    page.wait_for_selector(IDLE, timeout=60_000)
    run_cell(page, 0)
    page.wait_for_selector(".nx-row", timeout=60_000)
    expect(page, "D1 D2 D3 D4 D5 D6", [3, 2, 3, 0, 1, 2])
    # by mouse, then by keys, which the notebook around must not take for its own
    page.mouse.move(*middle(page, ".nx-row .nx-name", 3))
    page.mouse.down()
    page.mouse.move(*middle(page, ".nx-row .nx-name", 0), steps=8)
    page.mouse.up()
    expect(page, "D4 D1 D2 D3 D5 D6", [0, 3, 2, 3, 1, 2])
    page.locator(".nx-row").nth(0).focus()
    for key in ("End", "Delete", "Tab"):
        page.keyboard.press(key)
    expect(page, "D1 D2 D3 D5 D6", [3, 2, 3, 1, 2])
    page.wait_for_timeout(500)
    run_cell(page, 1)
    moved = told(folder / "moved.json")
    assert moved["ranking"] == [3, 2, 3, 1, 2]
    assert sorted(moved["missed"]) == [0, 2, 3]
    assert moved["seen"] > 1
    assert moved["ndcg"] == ndcg([3, 2, 3, 1, 2], 6, pool=[3, 2, 3, 0, 1, 2, 3, 2])
    run_cell(page, 2)
    assert told(folder / "set.json")["ndcg"] == 1
    page.wait_for_function("document.querySelector('.nx-nDCG .nx-figure').textContent === '1'")
    expect(page, "D1 D3 D7 D2 D6 D8", [3, 3, 3, 2, 2, 2])
    titles = page.locator(".nx-row .nx-title").all_inner_texts()[:3]
    assert titles == [
        "Boiling eggs: a chart by the minute",
        "Start cold or hot? We timed both",
        "The six-minute egg at altitude",
    ]
    assert page.get_by_role("button", name="link").count() == 0, "there is no page to link to"
    # the line and the buttons
    page.get_by_role("slider", name="Cutoff k").first.focus()
    page.keyboard.press("ArrowUp")
    expect(page, "D1 D3 D7 D2 D6 D8", [3, 3, 3, 2, 2, 2], k=5)
    page.get_by_role("button", name="reset").click()
    expect(page, "D1 D2 D3 D4 D5 D6", [3, 2, 3, 0, 1, 2])
    run_cell(page, 3)
    assert told(folder / "turned.json")["ranking"] == [3, 2, 3, 0, 1, 2], "Python saw the reset"


@needs_browser
def test_plumbing_is_folded(lab, page) -> None:
    "What the site folds is folded in JupyterLab too: all but the lesson, whose widget is a picture before it has run"
    page.goto(f"{lab[0]}/lab/tree/fold.ipynb")
    page.wait_for_selector(".jp-CodeCell .jp-InputPlaceholder", timeout=60_000)
    page.wait_for_selector(IDLE, timeout=60_000)  # a server told to stop while a kernel starts may never do so
    cells = page.locator(".jp-NotebookPanel:visible .jp-CodeCell")  # Lab may have opened its last notebook again
    cells.nth(5).wait_for(state="attached", timeout=60_000)  # Lab draws the first cells first
    hidden = [cells.nth(n).locator(".jp-InputPlaceholder").count() for n in range(cells.count())]
    assert hidden == [1, 1, 0, 1, 0, 1], "the function of a chapter is shown"
    folded = [cells.nth(n).locator(".jp-OutputPlaceholder").count() for n in range(cells.count())]
    assert folded == [0, 0, 0, 0, 0, 1], "of an answer, its output too"
    picture = cells.nth(4).locator(".jp-OutputArea img")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300


LABELLED = """
from pathlib import Path
from ndcg_nb import judge_next
from ndcg_nb.hood.display.pages import samples
kitchen = samples()
todo = judge_next(kitchen / "qrels.txt", [kitchen / "bm25.run", kitchen / "titles.run"], 30)
desk = todo.desk(lambda document: f"the text of {document}", "lab.tsv")
Path("kernel.pid").write_text(str(__import__("os").getpid()))
desk
"""


@needs_browser
def test_thirty_documents_in_jupyterlab(lab, page) -> None:
    "By keys alone; the kernel is killed in between, and all grades are found again"
    url, folder = lab
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LABELLED.strip())])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, folder / "desk.ipynb")
    keys = [str(random.Random(i).randint(0, 3)) for i in range(30)]
    for start, end in ((0, 17), (17, 30)):
        page.goto(f"{url}/lab/tree/desk.ipynb?reset")
        page.wait_for_selector(IDLE)
        run_cell(page, 0)
        page.wait_for_function("document.activeElement?.classList.contains('desk')")
        for i in range(start, end):
            done(page, f"{i} of 30")
            page.keyboard.press(keys[i])
        done(page, f"{end} of 30")
        assert grades_in(folder / "lab.tsv") == keys[:end]
        if end < 30:
            os.kill(int((folder / "kernel.pid").read_text()), signal.SIGKILL)
            page.wait_for_timeout(4000)  # Jupyter starts another
            page.keyboard.press("Escape")
            dismiss(page)
