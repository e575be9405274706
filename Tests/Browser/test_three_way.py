"""A lever with three positions."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


@pytest.fixture
def hoist(front: Front) -> Locator:
    front.simulator.action("hoist", "0ms")
    return front.role("radiogroup", "Hoist")


def is_at(front: Front, hoist: Locator, position: str) -> None:
    front.wait("hoist", value=position, position=position)
    name = position.capitalize()
    expect(hoist.get_by_role("radio", name=name)).to_have_attribute("aria-checked", "true")
    expect(hoist.get_by_role("radio", checked=True)).to_have_count(1)


@pytest.mark.kind
def test_positions_stand_as_on_the_lever(hoist):
    expect(hoist.get_by_role("radio")).to_have_text(["Up", "Center", "Down"])


@pytest.mark.kind
def test_arrows_throw_it_position_by_position(front: Front, hoist):
    is_at(front, hoist, "center")
    hoist.get_by_role("radio", name="Center").focus()
    for key, position in [
        ("ArrowUp", "up"),
        ("ArrowUp", "up"),
        ("ArrowDown", "center"),
        ("ArrowRight", "down"),
        ("ArrowDown", "down"),
        ("ArrowLeft", "center"),
    ]:
        front.page.keyboard.press(key)
        is_at(front, hoist, position)
    assert hoist.locator("[tabindex='0']").count() == 1


@pytest.mark.kind
def test_a_click_throws_it_there(front: Front, hoist):
    for position in ("down", "up", "center"):
        hoist.get_by_role("radio", name=position.capitalize()).click()
        is_at(front, hoist, position)


@pytest.mark.kind
def test_its_outputs_are_never_both_on(front: Front, hoist):
    hoist.get_by_role("radio", name="Up").click()
    front.wait("hoist", outputs=["HOIST-RAISE"])
    hoist.get_by_role("radio", name="Down").click()
    front.wait("hoist", outputs=["HOIST-LOWER"])


@pytest.mark.kind
def test_it_is_reachable_while_it_works(front: Front, hoist):
    front.simulator.action("hoist", "0ms", "hang")
    hoist.get_by_role("radio", name="Center").focus()
    front.page.keyboard.press("ArrowUp")
    front.wait("hoist", phase="loading")
    up = hoist.get_by_role("radio", name="Up")
    expect(up).to_be_focused()
    expect(up).to_be_enabled()
    expect(hoist).to_have_attribute("aria-busy", "true")


@pytest.mark.kind
def test_failure(front: Front, hoist):
    behaviour.tells_a_failure(
        front, "hoist", "Hoist", lambda: hoist.get_by_role("radio", name="Up").click()
    )
    front.wait("hoist", value="center", position="up")
    expect(front.notes("hoist")).to_contain_text("lever at Up")


@pytest.mark.kind
def test_lamp(front: Front, hoist):
    front.simulator.action("hoist", "0ms", "hang")
    hoist.get_by_role("radio", name="Up").click()
    behaviour.lamp_tells(front, "Hoist", "blinking", "loading")
