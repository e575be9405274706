"""Parents of checkboxes: all on, all off, or mixed; with a button and without."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.eye import Eye
from support.front import Front


@pytest.fixture
def channels(front: Front) -> Locator:
    front.simulator.action("voltage", "0ms")
    return front.role("checkbox", "All Channels")


def shows(box: Locator, state: str) -> None:
    expect(box).to_have_attribute("aria-checked", state)


@pytest.mark.kind
def test_it_is_mixed_while_its_members_differ(front: Front, channels):
    shows(channels, "false")
    front.role("checkbox", "Voltage").click()
    front.wait("channels", value="mixed", flags=["mixed"])
    shows(channels, "mixed")
    expect(front.unit("channels")).to_contain_text("Mixed")
    behaviour.lamp_tells(front, "All Channels", "breathing", "mixed")
    front.role("checkbox", "Current").click()
    front.wait("channels", value="on")
    shows(channels, "true")


@pytest.mark.parametrize("way", ["pointer", "key", "voice"])
def test_a_press_turns_all_on_then_all_off(front: Front, channels, way):
    act = {
        "pointer": lambda: channels.click(),
        "key": lambda: channels.press("Space"),
        "voice": lambda: channels.evaluate("(element) => element.click()"),
    }[way]
    front.role("checkbox", "Current").click()
    shows(channels, "mixed")
    for value, state in (("on", "true"), ("off", "false")):
        act()
        for member in ("voltage", "current", "channels"):
            front.wait(member, value=value)
        shows(channels, state)
        shows(front.role("checkbox", "Voltage"), state)


@pytest.mark.kind
def test_without_a_button_the_page_can_press_it(front: Front, channels):
    everything = front.role("checkbox", "Everything")
    everything.click()
    for member in ("voltage", "current", "temperature-log", "channels", "everything"):
        front.wait(member, value="on")
    shows(everything, "true")
    front.role("checkbox", "Temperature Log").click()
    shows(everything, "mixed")
    everything.press("Space")
    front.wait("everything", value="on")


@pytest.mark.kind
def test_its_phase_is_the_worst_of_its_members(front: Front, channels):
    front.simulator.action("voltage", "6s", "fail", code=1)
    channels.click()
    front.wait("channels", phase="loading")
    expect(channels).to_have_attribute("aria-busy", "true")
    front.simulator.let_end()
    front.wait("channels", phase="failed")
    expect(front.notes("channels")).to_contain_text("Failed")


def test_members_stand_in_a_group_that_is_named_as_the_parent(front: Front, channels):
    group = front.role("group", "All Channels")
    expect(group.get_by_role("checkbox", name="Voltage", exact=True)).to_be_visible()
    expect(group.get_by_role("checkbox", name="Current", exact=True)).to_be_visible()


@pytest.mark.parametrize("colors", ["none", "active"], ids=["own", "forced"])
def test_mixed_is_a_dash(front: Front, eye: Eye, colors):
    """Neither the empty box nor the tick, in forced colours as well."""
    front.look(forced_colors=colors, reduced_motion="reduce")
    front.simulator.action("voltage", "0ms")
    box = front.role("checkbox", "All Channels")
    box.scroll_into_view_if_needed()
    pictures = {}
    members = {"false": ("off", "off"), "mixed": ("on", "off"), "true": ("on", "on")}
    for state, (voltage, current) in members.items():
        front.simulator.set("voltage", voltage)
        front.simulator.set("current", current)
        shows(box, state)
        front.wait("channels", phase="idle")
        mark = box.bounding_box()
        assert mark
        pictures[state] = front.page.screenshot(clip=mark, animations="disabled")
    whole = [[0, 0, mark["width"], mark["height"]]]
    for other in ("false", "true"):
        [count] = eye.pixels_that_changed(pictures["mixed"], pictures[other], whole)
        assert count >= 24, f"mixed differs from {other} in {count} pixels"
