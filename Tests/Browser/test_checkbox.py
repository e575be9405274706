"""Checkboxes, as push buttons and as levers."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


@pytest.fixture
def voltage(front: Front) -> Locator:
    front.simulator.action("voltage", "0ms")
    return front.role("checkbox", "Voltage")


def is_at(front: Front, box: Locator, control: str, value: str) -> None:
    front.wait(control, value=value, pressed=[])
    expect(box).to_have_attribute("aria-checked", "true" if value == "on" else "false")


@pytest.mark.kind
def test_name(voltage):
    expect(voltage).to_have_accessible_name("Voltage")


@pytest.mark.kind
def test_space(front: Front, voltage):
    for value in ("on", "off"):
        voltage.press("Space")
        is_at(front, voltage, "voltage", value)


@pytest.mark.kind
def test_pointer(front: Front, voltage):
    for value in ("on", "off"):
        voltage.click()
        is_at(front, voltage, "voltage", value)


def test_a_lever(front: Front):
    box = front.role("checkbox", "Temperature")
    for value in ("on", "off"):
        box.press("Space")
        is_at(front, box, "temperature", value)
    box.press("ArrowRight")
    is_at(front, box, "temperature", "on")


@pytest.mark.kind
def test_it_is_reachable_while_it_works(front: Front, voltage):
    behaviour.stays_reachable_while_it_works(
        front, "voltage", voltage, lambda: voltage.press("Space")
    )


@pytest.mark.kind
def test_failure(front: Front, voltage):
    behaviour.tells_a_failure(front, "voltage", "Voltage", lambda: voltage.click())
    is_at(front, voltage, "voltage", "off")


@pytest.mark.kind
def test_lamp(front: Front, voltage):
    behaviour.lamp_tells(front, "Voltage", "off", "off")
    voltage.click()
    behaviour.lamp_tells(front, "Voltage", "on", "on")
