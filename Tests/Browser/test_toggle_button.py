"""Toggle buttons: one button, two states."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.eye import Eye
from support.front import Front


@pytest.fixture
def mute(front: Front) -> Locator:
    front.simulator.action("mute", "0ms")
    return front.role("button", "Mute")


def is_at(front: Front, mute: Locator, value: str) -> None:
    front.wait("mute", value=value, pressed=[])
    expect(mute).to_have_attribute("aria-pressed", "true" if value == "on" else "false")


@pytest.mark.kind
def test_its_name_is_its_label_though_a_symbol_is_shown(front: Front, mute):
    expect(mute).to_have_accessible_name("Mute")
    expect(mute).to_contain_text("♪")
    mute.click()
    is_at(front, mute, "on")
    expect(mute).to_have_accessible_name("Mute")


@pytest.mark.kind
@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_keys(front: Front, mute, key):
    for value in ("on", "off"):
        mute.press(key)
        is_at(front, mute, value)


@pytest.mark.kind
def test_pointer(front: Front, mute):
    for value in ("on", "off", "on"):
        mute.click()
        is_at(front, mute, value)


@pytest.mark.kind
def test_it_changes_when_it_goes_down(front: Front, mute):
    with front.held(mute):
        front.wait("mute", value="on", pressed=[0])
        expect(mute).to_have_attribute("aria-pressed", "true")
    is_at(front, mute, "on")


def test_two_looks(front: Front, eye: Eye):
    """Not by colour alone, and with no lamp to tell: the cap itself looks different."""
    front.look(reduced_motion="reduce")
    horn = front.role("button", "Horn")
    with front.without_colour():
        off = horn.screenshot()
        front.simulator.set("horn", "on")
        front.wait("horn", value="on")
        assert eye.share_that_differs(horn.screenshot(), off, least=12) > 0.1


@pytest.mark.kind
def test_it_is_reachable_while_it_works(front: Front, mute):
    behaviour.stays_reachable_while_it_works(front, "mute", mute, lambda: mute.press("Space"))


@pytest.mark.kind
def test_failure(front: Front, mute):
    behaviour.tells_a_failure(front, "mute", "Mute", lambda: mute.click())
    is_at(front, mute, "off")


def test_disabled(front: Front, mute):
    record = front.role("button", "Record")
    expect(record).not_to_have_attribute("aria-disabled", "true")
    front.role("checkbox", "Current").click()
    behaviour.is_disabled_with_a_reason(front, record, "Turn off Current first")
    record.press("Space")
    expect(front.notes("record")).to_contain_text("⊘ Turn off Current first")
    expect(record).to_have_attribute("aria-pressed", "false")


@pytest.mark.kind
def test_lamp(front: Front, mute):
    behaviour.lamp_tells(front, "Mute", "off", "off")
    mute.click()
    behaviour.lamp_tells(front, "Mute", "on", "on")


def test_a_lamp_of_three_colours_names_its_colour(front: Front):
    front.role("button", "Record").click()
    behaviour.lamp_tells(front, "Record", "on", "on")
    expect(front.lamp("Record")).to_have_accessible_name("Record lamp: on, green")


@pytest.mark.kind
def test_on_while_it_is_held(front: Front):
    horn = front.role("button", "Horn")
    with front.held(horn):
        front.wait("horn", value="on", outputs=["HORN-RELAY"])
        expect(horn).to_have_attribute("aria-pressed", "true")
    front.wait("horn", value="off", outputs=[])
    expect(horn).to_have_attribute("aria-pressed", "false")
