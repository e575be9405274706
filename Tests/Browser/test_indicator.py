"""Indicators: lamps about other controls."""

import pytest
from playwright.sync_api import expect

from support import behaviour
from support.front import Front


@pytest.mark.kind
def test_it_shows_another_control_with_all_its_conditions(front: Front):
    front.simulator.action("pump", "0ms")
    behaviour.lamp_tells(front, "Pump State", "off", "off")
    front.role("switch", "Circulation Pump").click()
    behaviour.lamp_tells(front, "Pump State", "on", "on")
    front.simulator.action("pump", "6s", "fail", code=1)
    front.simulator.set("pump", "off")
    behaviour.lamp_tells(front, "Pump State", "blinking", "loading")
    front.simulator.let_end()
    behaviour.lamp_tells(front, "Pump State", "flashing", "error")


@pytest.mark.kind
def test_an_expression_with_a_horn(front: Front):
    front.simulator.action("pump", "0ms")
    front.simulator.action("set-point", "0ms")
    front.simulator.set("set-point", 25)
    front.role("switch", "Circulation Pump").click()
    front.wait("too-hot", value="on", outputs=["HOT-HORN"])
    lamp = front.lamp("Too Hot")
    expect(lamp).to_have_accessible_name("Too Hot lamp: on, green")
    expect(lamp).to_have_attribute("data-shape", "on")


def test_nothing_of_it_can_be_pressed(front: Front):
    for control in ("pump-lamp", "too-hot"):
        assert front.unit(control).locator("button, input, [tabindex='0']").count() == 0
