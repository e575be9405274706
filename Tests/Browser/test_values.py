"""A lever whose position means nothing: the page says the value, and nothing of the lever."""

from playwright.sync_api import Browser, expect

from support import places
from support.front import Front, Opener
from support.simulator import Simulators

panel = "home-lights"


def test_the_value_of_a_lever_is_said_where_its_position_means_nothing(front: Front):
    kitchen = front.unit("kitchen")
    value = kitchen.locator(".value")
    expect(value).to_be_visible()
    was = front.simulator.state("kitchen")["value"]
    other = "on" if was == "off" else "off"
    expect(value).to_have_text(was.title())
    front.simulator.set("kitchen", other)
    front.wait("kitchen", value=other)
    expect(value).to_have_text(other.title())
    expect(value).to_be_visible()
    expect(front.notes("kitchen")).not_to_contain_text("ever at")
    assert front.simulator.control("kitchen")["mismatch"] == "toggle"


def test_the_value_is_said_beside_a_failure(browser: Browser, simulators: Simulators):
    """A lever without a lamp stands at On while its action has failed, and the value is Off."""
    simulator = simulators.of(places.panel("flight-overhead"))
    simulator.start_over()
    opener = Opener(browser, simulator, "value-beside-a-failure")
    try:
        front = opener.open()
        simulator.action("galley", "0ms", "fail", code=3)
        simulator.gesture("galley", "flip", value="on")
        simulator.wait("galley", phase="failed", value="off", position="on")
        simulator.clock("pause")
        value = front.unit("galley").locator(".value")
        expect(front.notes("galley")).to_contain_text("Failed")
        expect(value).to_be_visible()
        expect(value).to_have_text("Off")
        simulator.let_end()
        expect(front.notes("galley").locator(".note").first).to_contain_text("Off · lever at On")
        expect(value).to_be_hidden()
        front.simulator.clock("run")
    finally:
        opener.close()
