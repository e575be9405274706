"""What a menu does for a mouse, a finger and a key, whatever hardware is behind it."""

import re

import pytest
from playwright.sync_api import expect

from support.front import Front, Opener


def item(front: Front, name: str):
    return front.panel.get_by_role("menuitem", name=re.compile(f"^{name}"))


def chosen(front: Front, control: str) -> list[str]:
    return [e["value"] for e in front.simulator.events(control) if e["event"] == "chosen"]


def test_an_item_two_away_on_buttons(front: Front):
    front.role("combobox", "Source").click()
    front.wait("source", focus="Radio", pressed=[])
    front.role("option", "Line").click()
    front.wait("source", value="Line", focus=None)


def test_back_again_on_buttons(front: Front):
    front.simulator.set("source", "Line")
    front.role("combobox", "Source").click()
    front.wait("source", focus="Line", pressed=[])
    front.role("option", "Radio").click()
    front.wait("source", value="Radio", focus=None)


def test_an_item_on_one_button(front: Front):
    front.role("button", "One Button").click()
    front.wait("one-button", focus="First", pressed=[])
    item(front, "Second").click()
    front.wait("one-button", focus=None, pressed=[])
    assert chosen(front, "one-button") == ["Second"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_destructive_item_is_marked(front: Front, theme):
    front.look(color_scheme=theme)
    front.role("button", "Service").click()
    front.wait("service", focus="Report", pressed=[])
    look = """(option) => {
        const style = (element) => getComputedStyle(element);
        const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
        const sign = option.querySelector(".warning");
        return [rgb(style(option).color), sign && rgb(style(sign).color),
                sign && rgb(style(sign).backgroundColor)];
    }"""
    color, sign, ground = item(front, "Reboot").evaluate(look)
    assert color[0] > 1.25 * max(color[1:3]), f"it is not red: {color}"
    assert sum(abs(one - other) for one, other in zip(sign, ground)) > 200, "its ! is not seen"
    assert item(front, "Report").evaluate(look)[1] is None
    expect(item(front, "Reboot")).to_have_attribute("data-first", "true")


@pytest.mark.parametrize(
    ("control", "role", "name"),
    [("program", "combobox", "Program"), ("service", "button", "Service"),
     ("source", "combobox", "Source")],
)
def test_escape_closes_at_once(front: Front, control, role, name):
    part = front.role(role, name)
    part.press("Enter")
    front.wait(control, focus=lambda focus: focus is not None, pressed=[])
    listing = front.unit(control).locator(".listing")
    expect(listing).to_be_visible()
    front.simulator.clock("pause")  # so that no push can have been held to go back
    front.page.keyboard.press("Escape")
    expect(listing).to_be_hidden()
    expect(part).to_be_focused()
    front.simulator.clock("run")
    front.simulator.wait(control, focus=None)
    assert chosen(front, control) == []


@pytest.mark.parametrize("way", ["Escape", "elsewhere", "another part"])
@pytest.mark.parametrize("name", ["Tools", "One Button", "Source"])
def test_a_hidden_list_is_closed(front: Front, name, way):
    """Open in the panel, it would take the next press for a choice that nobody saw."""
    control = name.lower().replace(" ", "-")
    part = front.unit(control).locator(".readout")
    part.press("Enter")
    front.wait(control, focus=lambda focus: focus is not None, pressed=[])
    listing = front.unit(control).locator(".listing")
    expect(listing).to_be_visible()
    front.simulator.clock("pause")  # the time to close by itself does not pass
    if way == "Escape":
        front.page.keyboard.press("Escape")
    elif way == "elsewhere":
        front.page.locator(".sheet > .title").click()
    else:
        front.unit("program").locator(".readout").click()
    expect(listing).to_be_hidden()
    front.simulator.wait(control, focus=None)
    told = [e["event"] for e in front.simulator.events(control)]
    assert "closed" in told and "chosen" not in told, told
    front.simulator.clock("run")
    part.press("Enter")
    front.wait(control, focus=lambda focus: focus is not None, pressed=[])
    expect(listing).to_be_visible()
    assert chosen(front, control) == []


def test_a_tap_elsewhere_closes(front: Front):
    for control, role, name in (("program", "combobox", "Program"), ("service", "button", "Service")):
        front.role(role, name).click()
        front.wait(control, focus=lambda focus: focus is not None, pressed=[])
        front.simulator.clock("pause")
        front.page.locator(".sheet > .title").click()
        expect(front.unit(control).locator(".listing")).to_be_hidden()
        front.simulator.clock("run")
        front.wait(control, focus=None)
        assert chosen(front, control) == []


@pytest.mark.parametrize("name", ["Program", "Service", "Source", "Tools", "One Button"])
def test_a_tap_opens_on_a_phone(opener: Opener, name):
    front = opener.open(viewport={"width": 390, "height": 844}, has_touch=True)
    control = name.lower().replace(" ", "-")
    front.unit(control).locator(".readout").tap()
    expect(front.unit(control).locator(".listing")).to_be_visible()
    front.wait(control, focus=lambda focus: focus is not None)


def test_a_choice_in_a_submenu_leaves_the_menu_open(front: Front):
    front.simulator.action("service", "0ms")
    front.role("button", "Service").click()
    front.wait("service", focus="Report", pressed=[])
    item(front, "Export").click()
    front.wait("service", focus="As Text", pressed=[])
    item(front, "As Table").click()
    front.wait("service", focus="Export", pressed=[])
    expect(item(front, "Report")).to_be_visible()
    assert chosen(front, "service") == ["As Table"]
