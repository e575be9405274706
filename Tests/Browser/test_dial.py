"""Dials: numbers on an encoder."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


@pytest.fixture
def dial(front: Front) -> Locator:
    front.simulator.action("set-point", "0ms")
    return front.role("spinbutton", "Set-Point")


def is_at(front: Front, dial: Locator, number: float, control: str = "set-point") -> None:
    front.wait(control, value=number)
    front.simulator.wait_until(
        lambda: float(dial.get_attribute("aria-valuenow")), lambda now: now == number, "the page"
    )


@pytest.mark.kind
def test_range_and_words(front: Front, dial):
    is_at(front, dial, 5)
    expect(dial).to_have_attribute("aria-valuemin", "0")
    expect(dial).to_have_attribute("aria-valuemax", "30")
    expect(dial).to_have_attribute("aria-valuetext", "5.0")
    expect(front.unit("set-point")).to_contain_text("5.0")


@pytest.mark.parametrize(
    "key, number",
    [
        ("ArrowUp", 5.5),
        ("ArrowRight", 5.5),
        ("ArrowDown", 4.5),
        ("ArrowLeft", 4.5),
        ("PageUp", 10),
        ("PageDown", 0),
        ("Home", 0),
        ("End", 30),
    ],
)
def test_keys(front: Front, dial, key, number):
    dial.press(key)
    is_at(front, dial, number)


def test_a_number_is_typed(front: Front, dial):
    dial.focus()
    front.page.keyboard.type("12.5")
    readout = front.unit("set-point").locator("output")
    expect(readout).to_have_text("12.5")
    expect(dial).to_have_attribute("aria-valuetext", "12.5, Enter sets it")
    assert front.simulator.state("set-point")["value"] == 5, "nothing is asked for yet"
    front.page.keyboard.press("Enter")
    is_at(front, dial, 12.5)
    expect(dial).to_have_attribute("aria-valuetext", "12.5")


@pytest.mark.parametrize("drop", ["Escape", "Tab"])
def test_a_number_that_is_typed_can_be_dropped(front: Front, dial, drop):
    dial.focus()
    front.page.keyboard.type("25")
    front.page.keyboard.press("Backspace")
    expect(front.unit("set-point").locator("output")).to_have_text("2")
    front.page.keyboard.press(drop)
    expect(front.unit("set-point").locator("output")).to_have_text("5.0")
    assert front.simulator.state("set-point")["value"] == 5


def test_a_click_on_the_window_makes_ready_to_type(front: Front, dial):
    front.unit("set-point").locator("output.readout").click()
    front.page.keyboard.type("7.5")
    front.page.keyboard.press("Enter")
    front.wait("set-point", value=7.5)


def test_a_number_out_of_range_is_refused(front: Front, dial):
    dial.focus()
    front.page.keyboard.type("99")
    front.page.keyboard.press("Enter")
    expect(front.notes("set-point")).to_contain_text("⊘")
    is_at(front, dial, 5)


def test_the_buttons_beside_a_knob_are_seen_while_a_hand_is_near(front: Front, dial):
    nudge = front.unit("set-point").locator(".nudge").first
    push = front.role("button", "Push Set-Point")
    front.page.mouse.move(0, 0)
    for each in (nudge, push):
        expect(each).to_have_css("opacity", "0")
    dial.hover()
    for each in (nudge, push):
        expect(each).to_have_css("opacity", "1")
    front.page.mouse.move(0, 0)
    dial.focus()
    expect(nudge).to_have_css("opacity", "1")


@pytest.mark.kind
def test_it_stops_at_its_ends(front: Front, dial):
    dial.press("End")
    is_at(front, dial, 30)
    dial.press("ArrowUp")
    dial.press("ArrowDown")
    is_at(front, dial, 29.5)


def test_detents_past_its_end_do_not_count_against_those_back(front: Front, dial):
    """All come while the first detent is played."""
    dial.press("End")
    is_at(front, dial, 30)
    front.keys(dial, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown")
    is_at(front, dial, 29.5)


def test_it_turns_at_once_after_a_start_over(front: Front, dial):
    """A turn of before holds up none, though its time is far ahead of the new clock."""
    front.simulator.clock("pause")
    front.simulator.clock("step", by="60s")
    front.simulator.clock("run")
    front.catch_up()
    front.keys(dial, "ArrowUp")
    is_at(front, dial, 5.5)
    front.simulator.clock("restart")
    front.simulator.clock("run")
    is_at(front, dial, 5)
    dial.press("ArrowUp")
    is_at(front, dial, 5.5)


def test_another_goes_round(front: Front):
    heading = front.role("spinbutton", "Heading")
    is_at(front, heading, 0, "heading")
    heading.press("ArrowDown")
    is_at(front, heading, 359, "heading")
    heading.press("ArrowUp")
    is_at(front, heading, 0, "heading")


@pytest.mark.kind
def test_many_keys_at_once_are_as_many_detents(front: Front, dial):
    for _ in range(12):
        dial.press("ArrowUp", delay=0)
    is_at(front, dial, 11)
    assert front.simulator.state("set-point")["lost"] == 0


@pytest.mark.kind
def test_wheel(front: Front, dial):
    dial.scroll_into_view_if_needed()
    dial.hover()
    front.page.wait_for_timeout(450)  # a wheel that scrolled the page just now turns nothing
    front.page.mouse.wheel(0, -100)
    is_at(front, dial, 5.5)
    front.page.mouse.wheel(0, 100)
    is_at(front, dial, 5)


@pytest.mark.kind
def test_drag(front: Front, dial):
    dial.scroll_into_view_if_needed()
    dial.hover()
    box = dial.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    front.page.mouse.down()
    front.page.mouse.move(x, y - 30, steps=10)
    front.page.mouse.up()
    front.wait("set-point", value=lambda value: value > 5)


def test_buttons_for_whoever_cannot_drag(front: Front, dial):
    unit = front.unit("set-point")
    unit.get_by_role("button", name="One detent clockwise", exact=True).click()
    is_at(front, dial, 5.5)
    unit.get_by_role("button", name="One detent counterclockwise", exact=True).click()
    is_at(front, dial, 5)


@pytest.mark.kind
def test_push(front: Front, dial):
    push = front.role("button", "Push Set-Point")
    with front.held(push):
        front.wait("set-point", pressed=[0])
    front.wait("set-point", pressed=[])
    is_at(front, dial, 5)


@pytest.mark.kind
def test_it_is_reachable_while_it_works(front: Front, dial):
    behaviour.stays_reachable_while_it_works(
        front, "set-point", dial, lambda: dial.press("ArrowUp")
    )


@pytest.mark.kind
def test_failure(front: Front, dial):
    behaviour.tells_a_failure(front, "set-point", "Set-Point", lambda: dial.press("ArrowUp"))
    is_at(front, dial, 5)


@pytest.mark.kind
def test_lamp(front: Front, dial):
    behaviour.lamp_tells(front, "Set-Point", "on", "on")
    dial.press("Home")
    behaviour.lamp_tells(front, "Set-Point", "off", "off")
