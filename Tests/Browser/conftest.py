"""What every test of the page starts from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from support import places, sheet
from support.eye import Eye
from support.front import Front, Opener
from support.simulator import Simulator, Simulators
from support.stage import Stage

expect.set_options(timeout=places.patience_seconds * 1000)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    arguments = ["--disable-dev-shm-usage"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # there is none for root
    launched = playwright.chromium.launch(
        executable_path=os.environ["DETENT_CHROMIUM"], args=arguments
    )
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def eye(browser: Browser) -> Iterator[Eye]:
    looking = Eye(browser)
    yield looking
    looking.close()


@pytest.fixture(scope="session")
def simulators() -> Iterator[Simulators]:
    started = Simulators()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def simulator(simulators: Simulators, request: pytest.FixtureRequest) -> Simulator:
    """The panel that the module names by `panel`, else the one with every kind."""
    return simulators.of(places.panel(getattr(request.module, "panel", "every-kind")))


@pytest.fixture(scope="module")
def stage(
    browser: Browser, simulator: Simulator, request: pytest.FixtureRequest
) -> Iterator[Stage]:
    kept = Stage(browser, simulator, getattr(request.module, "drawers", ""))
    yield kept
    kept.drop()


@pytest.fixture
def opener(
    browser: Browser, simulator: Simulator, request: pytest.FixtureRequest
) -> Iterator[Opener]:
    """Opens pages on a panel that has just begun; afterwards they agree
    with it, and none has complained."""
    simulator.begin()
    drawers = getattr(request.module, "drawers", "")
    opened = Opener(browser, simulator, request.node.name, drawers)
    yield opened
    try:
        opened.agree()
    finally:
        opened.close()


@pytest.fixture
def front(opener: Opener, stage: Stage, request: pytest.FixtureRequest) -> Iterator[Front]:
    """A page on a panel that has just begun. The tests of a module share it, one after the other;
    those of a module that says `fresh = True` load one each."""
    if getattr(request.module, "fresh", False):
        yield opener.open()
        return
    kept = stage.front()
    opener.fronts.append(kept)
    try:
        yield kept
        opener.agree()
        stage.check()
    except BaseException:
        stage.drop()
        raise
    finally:
        opener.fronts.remove(kept)
        if getattr(request.node, "has_failed", False):
            stage.drop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Takes a picture where a test fails."""
    outcome = yield
    report = outcome.get_result()
    opened = getattr(item, "funcargs", {}).get("opener")
    if report.when == "call" and report.failed and opened:
        opened.picture("failed")
    item.has_failed = getattr(item, "has_failed", False) or report.failed


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Says at once what failed: a run that is stopped later has said it too."""
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        cause = crash.message.splitlines()[0][:300] if crash and crash.message else ""
        print(
            f"\nFAILED {report.nodeid} ({report.when}) {cause}\n{report.longreprtext[:2500]}\n",
            flush=True,
        )


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        sheet.write()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    def reports(*words: str) -> list[pytest.TestReport]:
        return [report for word in words for report in terminalreporter.stats.get(word, [])]

    passed, failed = len(reports("passed")), reports("failed", "error")
    kept = os.environ.get("DETENT_KEEP_FAILED")
    if kept:  # as `run_failed` in Tests/Support/failed.sh reads it
        names = sorted({report.nodeid for report in failed})
        Path(kept).write_text("\n".join([f"{passed} {len(names)}", *names, ""]))
    terminalreporter.write_line(f"{passed} passed, {len(failed)} failed")
