import fcntl
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from threading import Thread
from time import monotonic
from types import ModuleType

import pytest
from hypothesis import settings
from shared.touched import concerned, subject, touched

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", 20))  # of a property; `make all` asks for more
settings.register_profile("book", max_examples=EXAMPLES, deadline=None, derandomize=True)
settings.load_profile("book")
OUTSIDE = {"browser", "site", "served", "dist", "lab"}  # fixtures that `make test` does without
# Files that take longest: `make check` and the other Pythons leave them to `make test`, unless they are about what was
# touched.
LONG = {"bend", "cli", "engines", "explanations", "multiple", "plots", "report", "rivals", "roads", "runs"}
LONG |= {"record", "shell", "smooth", "soften", "sql", "parquet", "unjudged", "whose", "explore", "paste"}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the lightest first
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium: apt install chromium")
# What `make test` does not bring, and the command that does: one reason for all that come together
BRINGS = {
    "make tensors": ("torch", "jax", "xgboost", "torchmetrics", "rax"),
    "make spark, apt install openjdk-17-jre-headless": ("pyspark", "java"),
    "pip install -e '.[parity]'": ("catboost", "datasets", "ranx", "ir_measures", "pytrec_eval"),
}
DISTRIBUTIONS = {"llama_index": "llama-index-core", "haystack": "haystack-ai", "mlflow": "mlflow-skinny"}
DISTRIBUTIONS |= {"azure": "azure-ai-evaluation", "sentence_transformers": "sentence-transformers"}
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "nbs")]


def absent(name: str) -> str:
    "Why a test is skipped where a package is not installed"
    for command, names in BRINGS.items():
        if name in names:
            return f"{', '.join(names)}: {command}"
    return f"{name}: pip install {DISTRIBUTIONS.get(name, name)}"


def needed(name: str) -> ModuleType:
    "A module that `make test` does not bring; without it the test is skipped"
    try:
        return import_module(name)
    except ModuleNotFoundError:
        pytest.skip(absent(name.partition(".")[0]), allow_module_level=True)
    except (ImportError, OSError) as error:  # where a library of the system is missing
        pytest.skip(f"{name} cannot be loaded: {error}", allow_module_level=True)


def half(values: Iterable) -> list:
    "Values for a test, of which `make test` takes every other one, and `make all` every one"
    return [pytest.param(value, marks=[pytest.mark.slow] * (n % 2)) for n, value in enumerate(values)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--touched",
        action="store_true",
        help="run the notebooks that were changed, the tests of their rooms and those that import them",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    changed = touched() if config.getoption("--touched") else set()
    left_out: list[pytest.Item] = []
    for item in items:
        if OUTSIDE & set(item.fixturenames):  # type: ignore[attr-defined]
            item.add_marker("slow")
        concerns = bool(changed) and concerned(item.path, changed)
        if subject(item.path) in LONG and not concerns:
            item.add_marker("long")
        if item.name.startswith("test_notebook["):
            path = item.callspec.params["path"]  # type: ignore[attr-defined]
            concerns = subject(path) in changed
        elif not changed:
            continue  # nothing was touched, or all is wanted
        if config.getoption("--touched") and not concerns:
            left_out.append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


class Progress:
    "While processes share the tests: every quarter of a minute how far they are, in place of thousands of dots"

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.session = session
        self.done = 0
        self.began = monotonic()
        self.told = monotonic()

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        quiet = report.skipped or (report.passed and report.when == "call")
        return (report.outcome, "", report.outcome.upper()) if quiet else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.done += report.when == "teardown"
        if monotonic() - self.told > 15:
            self.told = monotonic()
            minutes, seconds = divmod(int(self.told - self.began), 60)
            terminal = self.session.config.pluginmanager.get_plugin("terminalreporter")
            file = report.nodeid.partition("::")[0]
            terminal.write_line(
                f"{self.done:6,} of {self.session.testscollected:,} tests, {minutes}:{seconds:02}, {file}"
            )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None):  # that is, where they are shared out, and not in one of those who share
        config.pluginmanager.register(Progress())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    "A line for each reason to skip, however many tests have it"
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    if reasons:
        terminalreporter.section("skipped, for want of", "-")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count:5} × {reason.removeprefix('Skipped: ')}")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    "The site, built once in a run, however many processes look at it"
    import build

    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "site.done").exists():
            assert build.build() == 0, "the build warns, and a warning is a failure"
            (shared / "site.done").touch()
    return build.SITE


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    "The address of a folder while it is served"
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    with serving(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    "One for all tests of a process: to start it takes longer than most tests that look at something"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def window(browser):
    "A window that stays open, for tabs that come and go: a window of its own costs each test three times as much"
    context = browser.new_context(viewport={"width": 1200, "height": 1000}, has_touch=True)
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def page(window):
    tab = window.new_page()
    yield tab
    tab.close()


@pytest.fixture
def alone(window, tmp_path: Path):
    "Opens pages with one widget and nothing behind it; nothing may go wrong on any of them, nor leave it"
    from shared.alone import watch, write

    opened = []

    def make(name: str, state: dict, shown: str, width: int = 800, theme: str = "light", motion: str = "no-preference"):
        home = write(tmp_path, name, state, theme)
        page = window.new_page()
        opened.append((page, watch(page, home)))
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(reduced_motion=motion)
        page.goto(home)
        page.wait_for_selector(shown)
        return page

    yield make
    for page, wrong in opened:
        page.close()
        assert wrong == []


@pytest.fixture
def open_report(window, browser, tmp_path: Path):
    "Opens a report in a browser that is offline; nothing may go wrong, or be asked for"
    pages = []
    wrong = []
    window.set_offline(True)
    file = tmp_path / "opened.html"

    def open_file(report: str, width: int = 1280, theme: str = "light", motion: str = "reduce", scripts: bool = True):
        file.write_text(report, "utf-8")
        page = window.new_page() if scripts else browser.new_page(java_script_enabled=False, offline=True)
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme, reduced_motion=motion)
        page.on("pageerror", lambda e: wrong.append(f"error: {e}"))
        page.on("console", lambda m: wrong.append(f"console: {m.text}"))
        page.on("request", lambda r: wrong.append(r.url) if r.url != file.as_uri() else None)
        page.goto(file.as_uri())
        return page

    yield open_file
    for page in pages:
        page.close()
    window.set_offline(False)
    assert wrong == []


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    "Figures take most of the time of a report; a test of its words and numbers does without them"
    monkeypatch.setattr("ndcg_nb.hood.reports.document.figure_or_reason", lambda *given: ("aside", "a figure"))


@pytest.fixture(autouse=True)
def _no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    "The width of a terminal that some package has left in the environment would change what the command prints"
    monkeypatch.delenv("COLUMNS", raising=False)
