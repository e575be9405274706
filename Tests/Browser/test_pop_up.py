"""Pop-ups: a list behind a knob, or behind a few buttons."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


@pytest.fixture
def program(front: Front) -> Locator:
    front.simulator.action("program", "0ms")
    return front.role("combobox", "Program")


def option(front: Front, name: str) -> Locator:
    return front.role("option", name)


@pytest.mark.kind
def test_shut_it_shows_the_choice(front: Front, program):
    expect(program).to_have_attribute("aria-expanded", "false")
    expect(program).to_contain_text("Wool")
    expect(option(front, "Silk")).to_have_count(0)


@pytest.mark.parametrize("key", ["Enter", "Space", "ArrowDown"])
def test_opening(front: Front, program, key):
    program.press(key)
    front.wait("program", focus="Wool", pressed=[])
    expect(program).to_have_attribute("aria-expanded", "true")
    expect(option(front, "Wool")).to_be_visible()
    expect(option(front, "Wool")).to_have_attribute("aria-selected", "true")
    wool = option(front, "Wool").get_attribute("id")
    expect(program).to_have_attribute("aria-activedescendant", wool)


@pytest.mark.kind
def test_turning_moves_the_focus_and_a_push_takes_it(front: Front, program):
    program.press("Enter")
    front.wait("program", focus="Wool")
    program.press("ArrowDown")
    front.wait("program", focus="Silk", value="Wool")
    expect(option(front, "Wool")).to_have_attribute("aria-selected", "true")
    silk = option(front, "Silk").get_attribute("id")
    expect(program).to_have_attribute("aria-activedescendant", silk)
    program.press("End")
    front.wait("program", focus="Synthetics")
    program.press("ArrowDown")
    program.press("Home")
    front.wait("program", focus="Cotton")
    program.press("l")
    front.wait("program", focus="Linen")
    program.press("Enter")
    front.wait("program", value="Linen", focus=None)
    expect(program).to_have_attribute("aria-expanded", "false")
    expect(program).to_contain_text("Linen")
    expect(program).to_be_focused()


def test_keys_past_an_end_are_not_counted_against_the_way_back(front: Front, program):
    """All come while the first turn is played."""
    program.press("Enter")
    front.wait("program", focus="Wool", pressed=[])
    front.keys(program, "End", "ArrowDown", "ArrowDown", "Home")
    front.wait("program", focus="Cotton")


def test_a_push_waits_until_its_turn_was_played(front: Front, program):
    program.press("Enter")
    front.wait("program", focus="Wool", pressed=[])
    front.keys(program, "ArrowDown", "ArrowDown", "Enter")
    front.wait("program", value="Linen", focus=None)


def test_a_turn_while_it_is_shut_is_not_waited_for(front: Front, program):
    front.unit("program").get_by_role("button", name="One detent clockwise", exact=True).click()
    front.page.wait_for_timeout(150)  # the turn is played
    program.press("Enter")
    front.wait("program", focus="Wool", pressed=[])


@pytest.mark.kind
def test_escape_shuts_it_without_a_change(front: Front, program):
    program.press("Enter")
    front.wait("program", focus="Wool")
    program.press("ArrowDown")
    front.wait("program", focus="Silk")
    program.press("Escape")
    front.wait("program", focus=None, value="Wool")
    expect(program).to_have_attribute("aria-expanded", "false")
    expect(program).to_be_focused()


@pytest.mark.kind
def test_pointer(front: Front, program):
    program.click()
    front.wait("program", focus="Wool")
    option(front, "Synthetics").click()
    front.wait("program", value="Synthetics", focus=None)
    expect(program).to_contain_text("Synthetics")


def test_wheel_and_nudges_turn_the_knob(front: Front, program):
    program.click()
    front.wait("program", focus="Wool")
    front.unit("program").get_by_role("button", name="One detent clockwise", exact=True).click()
    front.wait("program", focus="Silk")
    front.unit("program").locator("svg.knob").hover()
    front.page.wait_for_timeout(450)  # a wheel that scrolled the page just now turns nothing
    front.page.mouse.wheel(0, 100)
    front.wait("program", focus="Linen")


def test_it_shuts_by_itself(front: Front, program):
    program.press("Enter")
    front.wait("program", focus="Wool")
    front.simulator.clock("rate", rate=100)
    front.wait("program", focus=None, value="Wool")
    expect(program).to_have_attribute("aria-expanded", "false")


@pytest.mark.kind
def test_it_is_reachable_while_it_works(front: Front, program):
    front.simulator.action("program", "0ms", "hang")
    for key in ("Enter", "ArrowDown"):
        program.press(key)
        front.wait("program", focus=lambda focus: focus is not None, pressed=[])
    front.wait("program", focus="Silk")
    program.press("Enter")
    front.wait("program", phase="loading")
    expect(program).to_have_attribute("aria-busy", "true")
    expect(program).to_be_focused()
    expect(front.notes("program")).to_contain_text("Changing to Silk…")


@pytest.mark.kind
def test_failure(front: Front, program):
    behaviour.tells_a_failure(
        front, "program", "Program", lambda: front.simulator.set("program", "Silk")
    )
    expect(program).to_contain_text("Wool")


def test_its_lamp_is_dark_at_the_default(front: Front, program):
    behaviour.lamp_tells(front, "Program", "off", "off")
    front.simulator.set("program", "Silk")
    behaviour.lamp_tells(front, "Program", "on", "on")
    front.simulator.set("program", "Wool")
    behaviour.lamp_tells(front, "Program", "off", "off")
    program.press("Enter")  # its open list has a lamp to show
    behaviour.lamp_tells(front, "Program", "on", "on")


# BUTTONS


@pytest.mark.kind
def test_keys_press_the_buttons(front: Front):
    source = front.role("combobox", "Source")
    source.press("Enter")
    front.wait("source", focus="Radio", pressed=[])
    source.press("ArrowDown")
    front.wait("source", focus="Disc", pressed=[])
    pressed = [e["value"] for e in front.simulator.events("source") if e["event"] == "pressed"]
    assert pressed == ["select", "down"]
    source.press("Enter")
    front.wait("source", value="Disc", focus=None)


def test_its_buttons_can_be_pressed_one_by_one(front: Front):
    def press(word: str) -> None:
        front.unit("source").get_by_role("button", name=f"Source: {word}", exact=True).click()

    press("select")
    front.wait("source", focus="Radio", pressed=[])
    press("down")
    front.wait("source", focus="Disc", pressed=[])
    press("back")
    front.wait("source", focus=None, value="Radio")


def test_escape_closes_it_in_the_panel(front: Front):
    source = front.role("combobox", "Source")
    source.press("Enter")
    front.wait("source", focus="Radio", pressed=[])
    source.press("Escape")
    front.wait("source", focus=None)
    events = front.simulator.events("source")
    assert [e["value"] for e in events if e["event"] == "pressed"] == ["select"]
    assert [e["event"] for e in events].count("closed") == 1
