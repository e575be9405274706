"""The same page in another engine: it loads, takes a click and a key, and axe finds nothing."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from support import accessible, places, webkit
from support.simulator import Simulator

pytestmark = pytest.mark.skipif(webkit.missing() is not None, reason=str(webkit.missing()))


@pytest.fixture(scope="module")
def other() -> Iterator[webkit.WebKit]:
    started = webkit.WebKit()
    yield started
    started.close()


@pytest.fixture
def window(other: webkit.WebKit, simulator: Simulator) -> webkit.WebKit:
    simulator.clock("restart")
    simulator.action("pump", "0ms")
    other.open(simulator.url)
    simulator.wait_until(
        lambda: other.run("return document.getElementById('connection').textContent"),
        lambda said: said == "Connected",
        10,
        "the connection",
    )
    return other


def checked(window: webkit.WebKit) -> str:
    return window.run("return document.querySelector('#c-pump [role=switch]').ariaChecked")


def test_a_click_and_a_key(window: webkit.WebKit, simulator: Simulator):
    pump = window.find("#c-pump [role=switch]")
    assert (window.role(pump), window.name(pump)) == ("switch", "Circulation Pump")
    window.click(pump)
    simulator.wait("pump", value="on")
    simulator.wait_until(lambda: checked(window), lambda said: said == "true", 5, "the page")
    window.type(pump, " ")
    simulator.wait("pump", value="off")
    simulator.wait_until(lambda: checked(window), lambda said: said == "false", 5, "the page")


def test_a_push_button(window: webkit.WebKit, simulator: Simulator):
    simulator.action("mute", "0ms")
    window.click(window.find("#c-mute button.cap"))
    simulator.wait("mute", value="on", pressed=[])


def test_axe_finds_nothing(window: webkit.WebKit):
    window.run(AXE_SCRIPT)
    found = window.run(
        "return axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']})",
        accessible.tags,
    )
    window.picture(places.artefacts / "webkit.png")
    assert accessible.report(found) == []
