"""A switch over others: mixed is shown, and one throw sets all. And a value nobody has confirmed."""

import pytest
from playwright.sync_api import expect

from support import accessible
from support.eye import Eye
from support.front import Front

panel = "masters"


@pytest.mark.kind
def test_mixed_is_shown(front: Front):
    front.role("switch", "Hall").click()
    front.wait("all", value="mixed", flags=["mixed"])
    for name in ("All Lights", "House"):
        expect(front.role("checkbox", name)).to_have_attribute("aria-checked", "mixed")
    expect(front.unit("all")).to_contain_text("Mixed")
    expect(front.notes("all")).to_be_empty()
    expect(front.lamp("All Lights")).to_have_attribute("data-shape", "mixed")
    assert accessible.violations(front.page) == []
    front.picture("master-mixed")


@pytest.mark.kind
def test_a_group_has_its_line_of_help(front: Front):
    help = front.page.get_by_text("The garden is separate.")
    expect(help).to_be_visible()
    title = front.page.get_by_role("heading", name="Lights").bounding_box()
    line = help.bounding_box()
    assert line["y"] >= title["y"] + title["height"] - 1
    for unit in ("hall", "stairs", "all"):
        assert front.unit(unit).bounding_box()["y"] >= line["y"] + line["height"] - 1
    assert help.evaluate("(line) => line.scrollWidth <= line.clientWidth")


@pytest.mark.kind
@pytest.mark.parametrize(("control", "name"), [("all", "All Lights"), ("house", "House")])
def test_a_touch_sets_all_members(front: Front, control, name):
    front.role("switch", "Hall").click()
    front.wait(control, value="mixed", pressed=[])
    front.role("checkbox", name).click()
    front.wait(control, value="on")
    for member in ("Hall", "Stairs"):
        expect(front.role("switch", member)).to_have_attribute("aria-checked", "true")
    front.role("checkbox", name).click()
    front.wait(control, value="off")
    front.wait("stairs", value="off")


@pytest.mark.kind
def test_mixed_is_seen_without_a_lamp(front: Front, eye: Eye):
    house = front.role("checkbox", "House")
    front.page.mouse.move(0, 0)
    plain = house.screenshot(animations="disabled")
    front.role("switch", "Hall").click()
    front.wait("house", value="mixed")
    front.page.mouse.move(0, 0)
    value = front.unit("house").locator(".value")
    expect(value).to_be_visible()
    expect(value).to_have_text("◐ Mixed")
    assert eye.share_that_differs(plain, house.screenshot(animations="disabled")) > 0.01
    expect(front.unit("all").locator(".value")).to_be_hidden()  # its lamp shows it


def test_a_lever_says_where_it_stands(front: Front):
    front.role("checkbox", "All Lights").click()
    front.wait("all", value="on", flags=[])
    front.role("checkbox", "House").click()
    front.wait("all", value="off", flags=["mismatch"])
    expect(front.notes("all")).to_contain_text("Off · lever at On")


def test_a_lit_lamp_is_hollow_until_the_device_was_asked(front: Front):
    front.simulator.start_over()
    front.wait("fridge", value="on", flags=["unconfirmed"])
    lamp = front.lamp("Fridge")
    expect(lamp).to_have_attribute("data-shape", "unconfirmed")
    expect(front.notes("fridge")).to_contain_text("Device not asked yet")
    front.picture("lamp-hollow")
    front.simulator.action("fridge", "0ms")
    front.simulator.set("fridge", "off")
    front.wait("fridge", value="off", flags=[])
    expect(lamp).to_have_attribute("data-shape", "off")
    front.simulator.set("fridge", "on")
    front.wait("fridge", value="on", flags=[])
    expect(lamp).to_have_attribute("data-shape", "on")
