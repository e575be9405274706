"""The tray beside the plate: controls without a part."""

import pytest
from playwright.sync_api import expect

from support import accessible
from support.front import Front

panel = "tray"


@pytest.mark.kind
def test_the_plate_and_the_tray_have_each_control_once(front: Front):
    tray = front.role("region", "Without a Part")
    for control in ("heater", "mode", "level", "fan"):
        expect(tray.locator(f'[id="c-{control}"]')).to_have_count(1)
        expect(front.page.locator(f'.sheet [id="c-{control}"]')).to_have_count(0)
    expect(front.page.locator('.sheet [id="c-pump"]')).to_have_count(1)
    expect(tray.locator('[id="c-pump"]')).to_have_count(0)
    assert accessible.violations(front.page) == []
    front.picture("tray")


@pytest.mark.kind
def test_a_switch_slides(front: Front):
    front.simulator.action("heater", "0ms")
    slide = front.role("switch", "Heater")
    expect(slide).to_have_attribute("aria-checked", "false")
    expect(front.unit("heater")).to_contain_text("Cold")
    slide.click()
    front.wait("heater", value="on")
    expect(slide).to_have_attribute("aria-checked", "true")
    expect(front.unit("heater")).to_contain_text("Warm")
    slide.press("Space")
    front.wait("heater", value="off")
    changed = [e for e in front.simulator.events("heater") if e["event"] == "changed"]
    assert {e["origin"] for e in changed} == {"web"}, changed


def test_a_radio_group_has_a_word_for_each_option(front: Front):
    night = front.role("radio", "Night")
    expect(front.role("radio", "Day")).to_be_checked()
    night.check()
    front.wait("mode", value="Night")
    expect(night).to_be_checked()
    # Its value counts in conditions as that of any control.
    front.wait("pump", flags=["disabled"])
    night.press("ArrowUp")
    front.wait("mode", value="Evening")


def test_a_dial_is_typed_and_stepped(front: Front):
    number = front.role("spinbutton", "Level")
    expect(number).to_have_value("0")
    number.fill("12.5")
    assert front.simulator.state("level")["value"] == 0, "nothing is asked for yet"
    number.press("Enter")
    front.wait("level", value=12.5)
    number.press("ArrowUp")
    front.wait("level", value=13)
    number.fill("99")
    number.press("Enter")
    expect(front.notes("level")).to_contain_text("⊘")
    expect(number).to_have_value("13")


def test_others_set_it_and_conditions_disable_it(front: Front):
    fan = front.role("switch", "Fan")
    expect(fan).to_be_disabled()
    front.simulator.set("heater", "on")
    expect(fan).to_be_enabled()
    fan.click()
    front.wait("fan", value="on")
    front.simulator.set("mode", "Evening")
    expect(front.role("radio", "Evening")).to_be_checked()
    front.simulator.set("level", 7)
    expect(front.role("spinbutton", "Level")).to_have_value("7")
