"""Push buttons: commands, their roles, and what something destructive asks for."""

import re

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


@pytest.fixture
def calibrate(front: Front) -> Locator:
    front.simulator.action("calibrate", "0ms")
    return front.role("button", "Calibrate")


def runs(front: Front, control: str) -> int:
    """How often its action began."""
    return sum(
        event["event"] == "phase" and event["phase"] == "pending"
        for event in front.simulator.events(control)
    )


def counts(front: Front, control: str, event: str) -> int:
    return sum(each["event"] == event for each in front.simulator.events(control))


@pytest.mark.kind
def test_a_press_runs_it_once(front: Front, calibrate):
    calibrate.click()
    front.simulator.wait_until(lambda: runs(front, "calibrate"), lambda n: n == 1, "one run")
    front.wait("calibrate", phase="idle", pressed=[])


@pytest.mark.kind
def test_it_is_reachable_while_it_works_and_says_what_it_does(front: Front, calibrate):
    front.simulator.action("calibrate", "6s", "fail", code=1)
    calibrate.focus()
    calibrate.press("Enter")
    front.wait("calibrate", phase="loading")
    expect(calibrate).to_have_attribute("aria-busy", "true")
    expect(calibrate).to_contain_text("Calibrating")
    expect(front.notes("calibrate")).to_be_empty()  # the cap says it
    expect(calibrate).to_be_enabled()
    assert front.is_focused(calibrate)
    front.simulator.let_end()
    front.wait("calibrate", phase="failed")
    expect(calibrate).to_have_text(re.compile("^Calibrate$"))


@pytest.mark.kind
def test_failure(front: Front, calibrate):
    behaviour.tells_a_failure(front, "calibrate", "Calibrate", lambda: calibrate.click())


def test_a_hold_is_told_at_its_threshold(front: Front, calibrate):
    with front.held(calibrate):
        front.simulator.wait_until(
            lambda: counts(front, "calibrate", "held"), lambda n: n == 1, "the hold"
        )


@pytest.mark.kind
def test_lamp(front: Front, calibrate):
    behaviour.lamp_tells(front, "Calibrate", "off", "off")
    front.simulator.action("calibrate", "0ms", "hang")
    calibrate.click()
    behaviour.lamp_tells(front, "Calibrate", "blinking", "loading")


def test_roles_differ_by_more_than_colour(front: Front):
    """Each role has a glyph of its own inside."""
    looks = {
        name: front.role("button", name).evaluate(
            "(e) => [...e.querySelectorAll('svg path, .warning')].map((g) =>"
            " g.getAttribute('d') ?? g.textContent).join()"
        )
        for name in ("Calibrate", "Print Report", "Stop All", "Erase")
    }
    assert len(set(looks.values())) == 4, looks


def test_keys_act_only_where_the_focus_is(front: Front):
    """Enter and Escape are no keys of the page."""
    front.page.locator(".sheet > .title").click()
    front.page.keyboard.press("Enter")
    front.page.keyboard.press("Escape")
    front.page.wait_for_timeout(200)
    for control in ("print-report", "stop-all"):
        assert counts(front, control, "pressed") == 0


# WHAT IS DESTRUCTIVE


@pytest.mark.kind
def test_hold_too_short_then_long_enough(front: Front):
    front.simulator.action("erase", "0ms")
    erase = front.role("button", "Erase")
    expect(erase).to_have_accessible_description(re.compile(r"Hold for 2\ss"))
    with front.held(erase):
        front.wait("erase", progress=lambda progress: (progress or 0) >= 20)
        expect(front.notes("erase")).to_contain_text("Keep holding")
    front.wait("erase", progress=lambda progress: not progress)
    assert runs(front, "erase") == 0
    front.simulator.clock("rate", rate=10)
    with front.held(erase):
        front.simulator.wait_until(lambda: runs(front, "erase"), lambda n: n == 1, "it fires")
    front.wait("erase", pressed=[])


@pytest.mark.kind
def test_hold_with_a_key(front: Front):
    front.simulator.action("erase", "0ms")
    front.simulator.clock("rate", rate=10)
    with front.key_held(front.role("button", "Erase"), " "):
        front.simulator.wait_until(lambda: runs(front, "erase"), lambda n: n == 1, "it fires")


def test_a_click_without_a_hand_does_not_erase(front: Front):
    front.role("button", "Erase").evaluate("(element) => element.click()")
    front.simulator.wait_until(
        lambda: counts(front, "erase", "released"), lambda n: n == 1, "the click"
    )
    assert runs(front, "erase") == 0


def test_press_twice(front: Front):
    button = front.role("button", "Format")
    expect(button).to_have_accessible_description(re.compile("Press twice"))
    button.click()
    front.wait("format", pressed=[], progress=lambda progress: progress)
    expect(front.notes("format")).to_contain_text("Press again")
    button.click()
    front.wait("format", pressed=[], progress=lambda progress: not progress)


@pytest.mark.kind
def test_arm_then_press(front: Front):
    button = front.role("button", "Launch")
    expect(button).to_have_accessible_description(re.compile("Press to arm"))
    button.click()
    front.wait("launch", progress=lambda progress: progress)
    expect(front.notes("launch")).to_contain_text("Press again")
    behaviour.lamp_tells(front, "Launch", "filling", "off")
    front.page.wait_for_timeout(600)
    button.click()
    front.wait("launch", progress=lambda progress: not progress)


def test_under_a_cover(front: Front):
    button = front.role("button", "Jettison")
    behaviour.is_disabled_with_a_reason(front, button, "Lift cover first")
    front.role("button", "Lift cover of Jettison").press("Enter")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    button.click()
    front.simulator.wait_until(
        lambda: counts(front, "jettison", "pressed"), lambda n: n == 1, "the press"
    )


def test_a_chord_with_one_mouse(front: Front):
    """Ctrl keeps a button down, so that one hand can hold two."""
    words = front.notes("reset-all").get_by_text("together")
    assert words.bounding_box()["width"] > 40, "it has nothing to touch, so its words are seen"
    assert front.overlapping(words, front.unit("reset-all").locator(".label")) is False
    one, two = front.role("button", "Print Report"), front.role("button", "Stop All")
    one.click(modifiers=["Control"])
    front.wait("print-report", pressed=[0])
    two.click(modifiers=["Control"])
    front.wait("stop-all", pressed=[0])
    front.simulator.wait_until(
        lambda: front.simulator.events("reset-all"), lambda told: told, "the chord"
    )
    one.click()
    two.click()
    front.wait("print-report", pressed=[])
    front.wait("stop-all", pressed=[])
