"""Radio groups: on a rotary selector, on interlocked buttons, on an encoder."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


def radio(front: Front, group: str, option: str) -> Locator:
    return front.role("radiogroup", group).get_by_role("radio", name=option, exact=True)


def is_chosen(front: Front, control: str, group: str, option: str) -> None:
    front.wait(control, value=option)
    expect(radio(front, group, option)).to_have_attribute("aria-checked", "true")
    expect(front.role("radiogroup", group).get_by_role("radio", checked=True)).to_have_count(1)


def tab_stops(group: Locator) -> int:
    return group.locator("[role=radio][tabindex='0']").count()


# A SELECTOR


@pytest.fixture
def selector(front: Front) -> Locator:
    front.simulator.action("range", "0ms")
    return front.role("radiogroup", "Range")


@pytest.mark.kind
def test_arrows_turn_a_selector_through_its_positions_and_stop_at_its_ends(front: Front, selector):
    is_chosen(front, "range", "Range", "2 V")
    radio(front, "Range", "2 V").focus()
    for key, option in [
        ("ArrowRight", "20 V"),
        ("ArrowDown", "200 V"),
        ("ArrowRight", "200 V"),
        ("ArrowLeft", "20 V"),
        ("Home", "2 V"),
        ("ArrowUp", "2 V"),
        ("End", "200 V"),
    ]:
        front.page.keyboard.press(key)
        is_chosen(front, "range", "Range", option)
        expect(radio(front, "Range", option)).to_be_focused()
        front.wait("range", position=option)
    assert tab_stops(selector) == 1


@pytest.mark.kind
def test_a_click_turns_a_selector_there(front: Front, selector):
    radio(front, "Range", "200 V").click()
    is_chosen(front, "range", "Range", "200 V")
    moved = [e for e in front.simulator.events("range") if e["event"] == "moved"]
    assert moved[-1]["position"] == "200 V"


@pytest.mark.kind
def test_a_selector_is_reachable_while_it_works(front: Front, selector):
    front.simulator.action("range", "6s", "fail", code=1)
    radio(front, "Range", "2 V").focus()
    front.page.keyboard.press("ArrowRight")
    front.wait("range", phase="loading")
    expect(selector).to_have_attribute("aria-busy", "true")
    expect(radio(front, "Range", "20 V")).to_be_focused()
    front.simulator.let_end()
    front.wait("range", phase="failed")
    expect(radio(front, "Range", "20 V")).to_be_focused()


@pytest.mark.kind
def test_a_selector_that_failed_stands_elsewhere_than_its_value(front: Front, selector):
    behaviour.tells_a_failure(
        front, "range", "Range", lambda: radio(front, "Range", "20 V").click()
    )
    front.wait("range", value="2 V", position="20 V")
    is_chosen(front, "range", "Range", "2 V")
    expect(front.notes("range")).to_contain_text("2 V · selector at 20 V")


def test_a_position_without_a_contact(front: Front):
    is_chosen(front, "antenna", "Antenna", "Dummy Load")
    radio(front, "Antenna", "Beam").click()
    is_chosen(front, "antenna", "Antenna", "Beam")
    radio(front, "Antenna", "Dummy Load").click()
    is_chosen(front, "antenna", "Antenna", "Dummy Load")


@pytest.mark.kind
def test_a_lamp_for_each_option(front: Front, selector):
    radio(front, "Range", "20 V").click()
    for option, word in (("2 V", "off"), ("20 V", "on"), ("200 V", "off")):
        lamp = front.panel.get_by_role("img", name=f"Range lamp, {option}: {word}")
        expect(lamp).to_have_count(1)


# BUTTONS


@pytest.fixture
def bus(front: Front) -> Locator:
    front.simulator.action("bus", "0ms")
    return front.role("radiogroup", "Bus")


def test_arrows_only_move_the_focus_on_buttons(front: Front, bus):
    """Every press is a real one, so a way through the row must not press."""
    radio(front, "Bus", "Camera 1").focus()
    front.page.keyboard.press("ArrowRight")
    expect(radio(front, "Bus", "Camera 2")).to_be_focused()
    front.page.keyboard.press("End")
    expect(radio(front, "Bus", "Player")).to_be_focused()
    assert [e for e in front.simulator.events("bus") if e["event"] == "pressed"] == []
    is_chosen(front, "bus", "Bus", "Camera 1")
    front.page.keyboard.press("Space")
    is_chosen(front, "bus", "Bus", "Player")
    front.page.keyboard.press("Home")
    front.page.keyboard.press("Enter")
    is_chosen(front, "bus", "Bus", "Camera 1")
    assert tab_stops(bus) == 1
    expect(front.role("toolbar", "Bus")).to_have_count(1)


def test_a_finger_on_a_button_of_a_row(front: Front, bus):
    with front.held(radio(front, "Bus", "Camera 2")):
        front.wait("bus", pressed=[1], value="Camera 2")
    front.wait("bus", pressed=[])
    is_chosen(front, "bus", "Bus", "Camera 2")


def test_two_buttons_at_once(front: Front, bus):
    radio(front, "Bus", "Camera 1").click(modifiers=["Control"])
    with front.held(radio(front, "Bus", "Player")):
        front.wait("bus", pressed=[0, 2])
    radio(front, "Bus", "Camera 1").click()
    front.wait("bus", pressed=[])


@pytest.mark.kind
def test_buttons_are_reachable_while_it_works(front: Front, bus):
    front.simulator.action("bus", "0ms", "hang")
    player = radio(front, "Bus", "Player")
    player.focus()
    front.page.keyboard.press("Space")
    front.wait("bus", phase="loading")
    expect(player).to_be_focused()
    expect(player).to_be_enabled()


@pytest.mark.kind
def test_buttons_that_failed(front: Front, bus):
    behaviour.tells_a_failure(front, "bus", "Bus", lambda: radio(front, "Bus", "Player").click())
    is_chosen(front, "bus", "Bus", "Camera 1")
    lamp = front.panel.get_by_role("img", name="Bus lamp, Camera 1: flashing")
    expect(lamp).to_have_attribute("data-shape", "error")


# AN ENCODER


@pytest.fixture
def mode(front: Front) -> Locator:
    return front.role("combobox", "Mode")


@pytest.mark.kind
def test_an_encoder_finds_an_option_and_a_press_takes_it(front: Front, mode):
    expect(mode).to_contain_text("Eco")
    mode.press("ArrowDown")
    front.wait("mode", focus="Comfort", value="Eco")
    option = front.role("option", "Comfort")
    expect(option).to_be_visible()
    expect(mode).to_have_attribute("aria-activedescendant", option.get_attribute("id"))
    expect(front.role("option", "Eco")).to_have_attribute("aria-selected", "true")
    mode.press("Enter")
    front.simulator.clock("rate", rate=20)  # the focus stays for some seconds
    front.wait("mode", value="Comfort", focus=None)
    expect(option).to_have_attribute("aria-selected", "true")
    expect(mode).to_contain_text("Comfort")


def test_a_turn_that_is_not_taken_is_given_up(front: Front, mode):
    mode.press("ArrowDown")
    front.wait("mode", focus="Comfort")
    mode.press("Escape")
    front.wait("mode", value="Eco", focus=None)
