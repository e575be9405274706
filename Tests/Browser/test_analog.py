"""Potentiometers, and a selector on a ladder of resistors."""

import pytest
from playwright.sync_api import expect

from support import accessible
from support.front import Front

panel = "analog"


@pytest.mark.kind
def test_a_potentiometer_is_turned(front: Front):
    volume = front.role("spinbutton", "Volume")
    expect(volume).to_have_attribute("aria-valuemax", "100")
    volume.press("ArrowUp")
    front.wait("volume", value=1, position=1)
    volume.press("End")
    front.wait("volume", value=100, position=100)
    volume.press("PageDown")
    front.wait("volume", value=90, position=90)
    volume.focus()
    front.page.keyboard.type("40")
    front.page.keyboard.press("Enter")
    front.wait("volume", value=40)
    assert accessible.violations(front.page) == []
    front.picture("analog")


@pytest.mark.kind
def test_the_knob_stands_where_it_was_left(front: Front):
    front.simulator.set("balance", 0.5)
    front.wait("balance", value=0.5, position=0, flags=["mismatch"])
    turn = "(grip) => grip.firstElementChild.style.getPropertyValue('--turn')"
    balance = front.role("spinbutton", "Balance")
    assert balance.evaluate(turn) == "0deg"
    balance.press("ArrowUp")
    front.wait("balance", value=0.5, position=0.1)
    balance.press("PageUp")
    front.wait("balance", value=1, position=1, flags=[])


@pytest.mark.kind
def test_a_ladder_is_a_selector(front: Front):
    front.role("radio", "Full").click()
    front.wait("flaps", value="Full", position="Full")
