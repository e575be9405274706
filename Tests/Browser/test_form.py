"""Forms: what is staged waits for apply; what waits is seen."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


@pytest.fixture
def gain(front: Front) -> Locator:
    front.simulator.action("gain", "0ms")
    return front.role("spinbutton", "Gain")


def stage(front: Front, gain: Locator) -> None:
    gain.press("ArrowUp")
    front.role("checkbox", "Filter").click()
    front.role("radiogroup", "Sensor").get_by_role("radio", name="Night").click()
    front.wait("gain", staged=1, value=0)
    front.wait("filter", staged="on", value="off", pressed=[])
    front.wait("sensor", staged="Night", value="Day", pressed=[])


def test_what_waits_is_seen(front: Front, gain):
    expect(front.unit("exposure")).not_to_contain_text("not applied")
    stage(front, gain)
    said = front.notes("exposure").get_by_text("Not applied yet")
    expect(said).to_be_visible()
    assert not front.overlapping(said, front.unit("exposure").locator(".label"))
    expect(gain).to_have_attribute("aria-valuetext", "1, waits")
    expect(front.notes("filter")).to_contain_text("Not applied yet: On")
    expect(front.notes("sensor")).to_contain_text("Not applied yet: Night")
    behaviour.lamp_tells(front, "Exposure", "on", "on")


def test_apply(front: Front, gain):
    stage(front, gain)
    front.role("button", "Apply").click()
    front.wait("gain", staged=None, value=1)
    front.wait("filter", staged=None, value="on")
    front.wait("sensor", staged=None, value="Night")
    expect(front.unit("exposure")).not_to_contain_text("not applied")
    expect(gain).to_have_attribute("aria-valuetext", "1")
    expect(front.notes("filter")).to_have_text("")


def test_cancel(front: Front, gain):
    stage(front, gain)
    front.role("button", "Cancel").press("Enter")
    front.wait("gain", staged=None, value=0)
    expect(gain).to_have_attribute("aria-valuenow", "0")
    expect(front.role("checkbox", "Filter")).to_have_attribute("aria-checked", "false")
    expect(front.unit("exposure")).not_to_contain_text("not applied")


def test_one_that_fails_returns_and_the_form_says_so(front: Front, gain):
    apply = front.role("button", "Apply")
    gain.press("ArrowUp")
    front.wait("gain", staged=1)
    apply.click()
    front.wait("gain", actual=1)
    front.simulator.action("gain", "0ms", "fail", code=3)
    gain.press("End")
    front.role("checkbox", "Filter").click()
    front.wait("gain", staged=20)
    front.wait("filter", staged="on")
    apply.click()
    front.wait("gain", value=1, phase="failed", reason="exit 3")
    front.wait("filter", value="on")
    front.wait("exposure", phase="failed")
    expect(front.notes("gain")).to_contain_text("exit 3")
    expect(front.notes("exposure")).to_contain_text("Failed")
    behaviour.lamp_tells(front, "Exposure", "flashing", "error")
