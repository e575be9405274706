"""Switches: levers, and push buttons that latch."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front

label = "Circulation Pump"


@pytest.fixture
def pump(front: Front) -> Locator:
    front.simulator.action("pump", "0ms")
    return front.role("switch", label)


def is_at(front: Front, pump: Locator, value: str) -> None:
    front.wait("pump", value=value, position=value)
    expect(pump).to_have_attribute("aria-checked", "true" if value == "on" else "false")


@pytest.mark.kind
def test_its_name_stays_while_its_state_changes(front: Front, pump):
    expect(pump).to_have_accessible_name(label)
    is_at(front, pump, "off")
    pump.click()
    is_at(front, pump, "on")
    expect(pump).to_have_accessible_name(label)
    expect(front.unit("pump")).to_contain_text("On")


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_keys_flip_it(front: Front, pump, key):
    pump.press(key)
    is_at(front, pump, "on")
    pump.press(key)
    is_at(front, pump, "off")


@pytest.mark.parametrize("on, off", [("ArrowRight", "ArrowLeft"), ("ArrowUp", "ArrowDown")])
def test_arrows_say_where_to(front: Front, pump, on, off):
    for key, value in [(off, "off"), (on, "on"), (on, "on"), (off, "off")]:
        pump.press(key)
        is_at(front, pump, value)
    moved = [event for event in front.simulator.events("pump") if event["event"] == "moved"]
    assert len(moved) == 2, "an arrow towards where it stands is no throw"


@pytest.mark.kind
def test_a_key_that_repeats_throws_once(front: Front, pump):
    with front.key_held(pump, "Enter"):
        for _ in range(4):
            front.page.keyboard.down("Enter")
    is_at(front, pump, "on")
    front.page.wait_for_timeout(100)
    is_at(front, pump, "on")


@pytest.mark.kind
def test_a_pointer_throws_it(front: Front, pump):
    pump.click()
    is_at(front, pump, "on")
    pump.click()
    is_at(front, pump, "off")


def test_a_drag_throws_it(front: Front, pump):
    box = pump.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    front.page.mouse.move(*middle)
    front.page.mouse.down()
    front.page.mouse.move(middle[0], middle[1] - 40, steps=4)
    front.page.mouse.up()
    is_at(front, pump, "on")


def test_a_click_without_a_hand(front: Front, pump):
    pump.evaluate("(element) => element.click()")
    is_at(front, pump, "on")


@pytest.mark.kind
def test_it_is_reachable_while_it_works(front: Front, pump):
    behaviour.stays_reachable_while_it_works(front, "pump", pump, lambda: pump.press("Space"))


@pytest.mark.kind
def test_the_last_of_many_throws_wins(front: Front, pump):
    front.simulator.action("pump", "400ms")
    for shown in "true", "false", "true":
        pump.click()
        # The next throw goes the other way once the page shows this one.
        expect(pump).to_have_attribute("aria-checked", shown)
    front.wait("pump", value="on", actual="on", phase="idle")


@pytest.mark.kind
def test_failure(front: Front, pump):
    behaviour.tells_a_failure(front, "pump", label, lambda: pump.click())
    # The state is what is certain, and where the lever stands is said beside it.
    front.wait("pump", value="off", position="on")
    expect(pump).to_have_attribute("aria-checked", "false")
    expect(front.notes("pump")).to_contain_text("Off · lever at On")


def test_somebody_else_moves_the_state_but_not_the_lever(front: Front, pump):
    front.simulator.set("pump", "on")
    front.wait("pump", value="on", position="off", flags=["mismatch"])
    expect(pump).to_have_attribute("aria-checked", "true")
    expect(front.notes("pump")).to_contain_text("On · lever at Off")
    pump.press("ArrowRight")
    front.wait("pump", value="on", position="on", flags=[])
    expect(front.notes("pump")).to_have_text("")


def test_disabled(front: Front, pump):
    heater = front.role("switch", "Heater")
    behaviour.is_disabled_with_a_reason(front, heater, "Turn on Circulation Pump first")
    # A lever can be thrown all the same: the core refuses, and the page says so.
    heater.press("Space")
    front.wait("heater", position="on", value="off")
    expect(heater).to_have_attribute("aria-checked", "false")
    expect(front.notes("heater")).to_contain_text("⊘ Turn on Circulation Pump first")
    expect(front.notes("heater")).not_to_contain_text("Disabled")
    pump.click()
    expect(heater).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.kind
def test_lamp(front: Front, pump):
    behaviour.lamp_tells(front, label, "off", "off")
    pump.click()
    behaviour.lamp_tells(front, label, "on", "on")
    front.simulator.action("pump", "6s", "fail", code=1)
    pump.click()
    behaviour.lamp_tells(front, label, "blinking", "loading")
    front.simulator.let_end()
    behaviour.lamp_tells(front, label, "flashing", "error")


def test_names_for_on_and_off(front: Front):
    valve = front.role("switch", "Valve")
    expect(front.unit("valve")).to_contain_text("Shut")
    valve.click()
    front.wait("valve", value="on")
    expect(front.unit("valve")).to_contain_text("Open")


@pytest.mark.kind
def test_a_button_that_latches(front: Front):
    front.simulator.action("lights", "0ms")
    lights = front.role("switch", "Lights")
    for value in ("on", "off"):
        lights.click()
        front.wait("lights", value=value, pressed=[])
        expect(lights).to_have_attribute("aria-checked", "true" if value == "on" else "false")


@pytest.mark.kind
def test_a_button_that_is_on_while_it_is_held(front: Front):
    talk = front.role("switch", "Talk")
    with front.held(talk):
        front.wait("talk", value="on")
        expect(talk).to_have_attribute("aria-checked", "true")
    front.wait("talk", value="off")
    expect(talk).to_have_attribute("aria-checked", "false")


def test_a_button_that_a_tap_latches_and_a_hold_does_not(front: Front):
    extractor = front.role("switch", "Extractor")
    extractor.click()
    front.wait("extractor", value="on", pressed=[])
    extractor.click()
    front.wait("extractor", value="off", pressed=[])
    with front.held(extractor):
        front.wait("extractor", value="on")
        front.page.wait_for_timeout(500)
    front.wait("extractor", value="off")


@pytest.mark.kind
def test_a_switch_under_a_cover(front: Front):
    breaker = front.role("switch", "Main Breaker")
    cover = front.role("button", "Lift cover of Main Breaker")
    behaviour.is_disabled_with_a_reason(front, breaker, "Lift cover first")
    expect(cover).to_have_attribute("aria-expanded", "false")
    breaker.press("Space")
    front.page.wait_for_timeout(100)
    assert front.simulator.state("main-breaker")["value"] == "off"
    cover.click()
    front.wait("main-breaker", stands=lambda stands: stands["cover"] is True)
    expect(cover).to_have_attribute("aria-expanded", "true")
    expect(breaker).not_to_have_attribute("aria-disabled", "true")
    breaker.press("Space")
    front.wait("main-breaker", value="on")
    cover.click()
    front.wait("main-breaker", stands=lambda stands: stands["cover"] is False)
    behaviour.is_disabled_with_a_reason(front, breaker, "Lift cover first")
