"""A panel on real lines: the part that is drawn is operated from here, and nothing beside it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support import accessible, places
from support.front import Front, Opener
from support.simulator import RealPanel


@pytest.fixture(scope="module")
def shared(browser: Browser) -> Iterator[Opener]:
    panel = RealPanel(places.panel("remote")).start()
    opener = Opener(browser, panel, "remote")
    try:
        opener.open()
        yield opener
        opener.close()
    finally:
        panel.stop()


@pytest.fixture
def front(shared: Opener) -> Iterator[Front]:
    """The one page of a panel that cannot start over: no test asks what another one has changed."""
    [front] = shared.fronts
    yield front
    front.watch.check()


def events(front: Front, control: str, what: str) -> list:
    return [e.get("value") for e in front.simulator.events(control) if e["event"] == what]


def test_each_control_is_there_once(front: Front):
    for name in ("Switch", "Set", "Press", "Run"):
        expect(front.panel.get_by_role("button", name=re.compile(f"^{name}( |$)"))).to_have_count(0)
    expect(front.panel.locator("form, select, input")).to_have_count(0)
    expect(front.panel.locator("[inert]")).to_have_count(0)
    expect(front.role("switch", "Pump")).to_have_count(1)
    assert accessible.violations(front.page) == []
    front.picture("remote")


@pytest.mark.parametrize(
    ("control", "role", "name"),
    [("pump", "switch", "Pump"), ("fan", "switch", "Fan"), ("mute", "button", "Mute")],
)
def test_it_says_what_it_will_do_and_does_it(front: Front, control, role, name):
    part = front.role(role, name)
    expect(front.unit(control)).to_contain_text("Turn On")
    part.click()
    front.wait(control, value="on")
    expect(front.unit(control)).to_contain_text("Turn Off")
    part.press("Enter")
    front.wait(control, value="off")


def test_a_lever_stays_where_its_hand_has_it(front: Front):
    front.role("switch", "Pump").click()
    front.wait("pump", value="on", position="off")
    expect(front.notes("pump")).to_contain_text("On · lever at Off")
    throw = front.unit("pump").locator(".plate").evaluate("(e) => e.style.getPropertyValue('--throw')")
    assert throw == "-1"


def test_buttons(front: Front):
    front.role("button", "Print Report").click()
    front.simulator.wait_until(
        lambda: front.simulator.events("print-report"), lambda all: len(all) > 0, "an event")
    front.role("button", "Erase").click()
    dialog = front.page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    assert events(front, "erase", "clicked") == []


def test_what_only_the_panel_can_do_says_so(front: Front):
    breaker = front.role("switch", "Breaker")
    expect(breaker).to_have_attribute("aria-disabled", "true")
    expect(front.notes("breaker")).to_contain_text("Only at the panel")


def test_choices(front: Front):
    front.role("radio", "Up").click()
    front.wait("hoist", value="up")
    front.role("radio", "Player").click()
    front.wait("bus", value="Player")
    front.role("radio", "200 V").click()
    front.wait("range", value="200 V")
    front.role("button", "Red").click()
    front.wait("traces", value=["Red"])
    front.role("button", "Blue").click()
    front.wait("traces", value=["Red", "Blue"])
    front.role("button", "Red").click()
    front.wait("traces", value=["Blue"])


def test_a_list_opens_on_the_page_alone(front: Front):
    program = front.role("combobox", "Program")
    program.click()
    expect(program).to_have_attribute("aria-expanded", "true")
    assert front.simulator.state("program")["focus"] is None
    front.role("option", "Linen").click()
    front.wait("program", value="Linen")
    expect(program).to_have_attribute("aria-expanded", "false")
    for key in ("Enter", "Home", "ArrowDown", "Enter"):
        program.press(key)
    front.wait("program", value="Wool")


def test_a_menu(front: Front):
    service = front.role("button", "Service")
    service.click()
    front.role("menuitem", "Export").click()
    front.role("menuitem", "As Table").click()
    expect(front.role("menuitem", "Report")).to_be_visible()
    front.simulator.wait_until(
        lambda: events(front, "service", "chosen"), lambda all: all == ["As Table"], "chosen")
    front.page.keyboard.press("Escape")
    expect(front.role("menuitem", "Report")).to_have_count(0)


def test_a_number(front: Front):
    level = front.role("spinbutton", "Level")
    level.press("ArrowUp")
    front.wait("level", value=0.5)
    level.press("End")
    front.wait("level", value=30)
    level.press("ArrowUp")
    level.press("PageDown")
    front.wait("level", value=25)
