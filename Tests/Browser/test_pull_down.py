"""Pull-downs: commands in a menu, with a submenu and a destructive item."""

import re

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


@pytest.fixture
def service(front: Front) -> Locator:
    front.simulator.action("service", "0ms")
    return front.role("button", "Service")


def item(front: Front, name: str) -> Locator:
    return front.panel.get_by_role("menuitem", name=re.compile(f"^{name}"))


def chosen(front: Front, control: str = "service") -> list[str]:
    return [e["value"] for e in front.simulator.events(control) if e["event"] == "chosen"]


def open_it(front: Front, service: Locator) -> Locator:
    service.press("Enter")
    front.wait("service", focus="Report", pressed=[])
    menu = front.role("menu", "Service")
    expect(menu).to_be_focused()
    return menu


@pytest.mark.kind
def test_shut(service):
    expect(service).to_have_attribute("aria-haspopup", "menu")
    expect(service).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("key", ["Enter", "Space", "ArrowDown"])
def test_opening_at_the_first_item(front: Front, service, key):
    service.press(key)
    front.wait("service", focus="Report", pressed=[])
    expect(service).to_have_attribute("aria-expanded", "true")
    menu = front.role("menu", "Service")
    expect(menu).to_be_focused()
    report = item(front, "Report").get_attribute("id")
    expect(menu).to_have_attribute("aria-activedescendant", report)


def test_opening_at_the_last_item(front: Front, service):
    service.press("ArrowUp")
    front.wait("service", focus="Reboot")


@pytest.mark.kind
def test_keys_move_and_choose(front: Front, service):
    menu = open_it(front, service)
    menu.press("End")
    front.wait("service", focus="Reboot")
    menu.press("Home")
    front.wait("service", focus="Report")
    menu.press("Enter")
    front.wait("service", focus=None, pressed=[])
    assert chosen(front) == ["Report"]
    expect(service).to_be_focused()
    expect(service).to_have_attribute("aria-expanded", "false")


def test_escape(front: Front, service):
    menu = open_it(front, service)
    menu.press("Escape")
    front.wait("service", focus=None)
    expect(service).to_be_focused()
    assert chosen(front) == []


@pytest.mark.kind
def test_a_submenu_and_the_way_back(front: Front, service):
    menu = open_it(front, service)
    menu.press("ArrowDown")
    front.wait("service", focus="Export")
    menu.press("Enter")
    front.wait("service", focus="As Text", pressed=[])
    expect(item(front, "As Text")).to_be_visible()
    expect(item(front, "Report")).to_be_hidden()
    menu.press("Escape")
    front.wait("service", focus="Export")
    menu.press("Enter")
    front.wait("service", focus="As Text", pressed=[])
    menu.press("ArrowDown")
    front.wait("service", focus="As Table")
    menu.press("Enter")
    front.wait("service", focus="Export")
    assert chosen(front) == ["As Table"]


@pytest.mark.kind
def test_pointer(front: Front, service):
    service.click()
    front.wait("service", focus="Report", pressed=[])
    item(front, "Report").click()
    front.wait("service", focus=None, pressed=[])
    assert chosen(front) == ["Report"]


@pytest.mark.kind
def test_something_destructive_is_held(front: Front, service):
    menu = open_it(front, service)
    menu.press("r")
    front.wait("service", focus="Reboot")
    with front.key_held(menu, "Enter"):
        front.wait("service", progress=lambda progress: progress)
    front.wait("service", focus="Reboot", progress=lambda progress: not progress)
    assert chosen(front) == []
    with front.key_held(menu, "Enter"):
        front.wait("service", focus=None)
    assert chosen(front) == ["Reboot"]
    front.wait("service", pressed=[])


@pytest.mark.kind
def test_it_is_reachable_while_it_works(front: Front, service):
    front.simulator.action("service", "6s", "fail", code=9)
    open_it(front, service).press("Enter")
    front.wait("service", phase="loading")
    expect(service).to_have_attribute("aria-busy", "true")
    expect(service).to_be_focused()
    expect(service).to_be_enabled()
    behaviour.lamp_tells(front, "Service", "blinking", "loading")
    front.simulator.let_end()
    front.wait("service", phase="failed")
    expect(front.notes("service")).to_contain_text("exit 9")


def test_on_a_few_buttons(front: Front):
    tools = front.role("button", "Tools")
    tools.press("Enter")
    front.wait("tools", focus="Weigh", pressed=[])
    menu = front.role("menu", "Tools")
    menu.press("ArrowDown")
    front.wait("tools", focus="Measure", pressed=[])
    menu.press("Enter")
    front.wait("tools", focus=None, pressed=[])
    assert chosen(front, "tools") == ["Measure"]


@pytest.mark.kind
def test_on_one_button(front: Front):
    """Holding opens and chooses, a click goes on."""
    button = front.role("button", "One Button")
    button.press("ArrowDown")
    front.wait("one-button", focus="First", pressed=[])
    menu = front.role("menu", "One Button")
    expect(menu).to_be_focused()
    menu.press("ArrowDown")
    front.wait("one-button", focus="Second", pressed=[])
    with front.key_held(menu, " "):
        front.wait("one-button", focus=None)
    assert chosen(front, "one-button") == ["Second"]
