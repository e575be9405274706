"""The page says what is true: of values, failures, faults and a clock that stands."""

import re

import pytest
from playwright.sync_api import expect

from support.front import Front, Opener

label = "Circulation Pump"


def fail(front: Front, control: str = "pump", code: int = 3) -> None:
    """Its action has failed, and the time for which that is shown has passed."""
    front.simulator.action(control, "0ms", "fail", code=code)
    front.simulator.set(control, "on")
    front.simulator.wait(control, phase="failed")
    front.simulator.let_end()
    front.wait(control, phase="idle")


@pytest.mark.kind
def test_a_failure_stays_told_until_the_control_is_touched(front: Front):
    fail(front)
    notes = front.notes("pump")
    expect(notes).to_have_text(re.compile(r"▲ Failed at \d+\.\d s: exit 3"))
    front.simulator.clock("run")
    front.simulator.action("pump", "0ms")
    front.role("switch", label).click()
    front.wait("pump", value="on", phase="idle")
    expect(notes).to_be_empty()


def test_a_failure_stays_told_until_something_succeeds(front: Front):
    fail(front)
    front.simulator.clock("run")
    front.simulator.action("pump", "0ms")
    front.simulator.set("pump", "on")
    front.wait("pump", value="on", phase="idle")
    expect(front.notes("pump")).not_to_contain_text("Failed")


def test_a_failure_is_known_to_a_page_that_opens_later(front: Front, opener: Opener):
    fail(front)
    later = opener.open()
    expect(later.notes("pump")).to_contain_text("exit 3")
    outcome = front.simulator.state("pump")["outcome"]
    assert outcome["result"] == "failed" and outcome["reason"] == "exit 3"
    assert outcome["program"] == "pump" and outcome["seen"] is False and outcome["at"] > 0


def test_a_device_that_was_asked_is_never_called_not_asked(front: Front):
    front.simulator.start_over()
    notes = front.notes("mute")
    front.wait("mute", flags=["unconfirmed"])
    expect(notes).to_contain_text("Device not asked yet")
    front.simulator.action("mute", "900ms", "lose")
    front.simulator.set("mute", "on")
    front.wait("mute", phase="loading")
    expect(notes).not_to_contain_text("not asked")
    front.wait("mute", phase="failed")
    expect(notes).not_to_contain_text("not asked")
    front.simulator.let_end()
    expect(notes).to_contain_text("lost")
    expect(notes).to_contain_text("Not confirmed")
    expect(notes).not_to_contain_text("not asked")


def test_what_was_told_is_small_and_has_its_place(front: Front):
    fail(front, "mute")
    note = front.notes("mute").locator("[data-small]")
    expect(note).to_be_visible()
    assert float(note.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")) < 12


@pytest.mark.parametrize("verb, more, words", [
    ("cut", {}, "CALIBRATE is cut"), ("stick", {"value": "active"}, "CALIBRATE is stuck active"),
])
def test_a_simulated_fault_is_on_the_part_and_in_the_bar(front: Front, verb, more, words):
    chip = front.page.get_by_role("button", name="fault")
    expect(chip).to_be_hidden()
    front.simulator.line("CALIBRATE", verb, **more)
    expect(front.notes("calibrate")).to_contain_text(f"Simulated fault: {words}")
    expect(front.notes("calibrate").locator(".note").first).to_be_visible()
    expect(chip).to_contain_text("1 fault")
    front.simulator.line("PUMP", "cut")
    expect(chip).to_contain_text("2 faults")
    expect(front.notes("pump")).to_contain_text("PUMP is cut")
    chip.click()
    expect(chip).to_be_hidden()
    expect(front.notes("calibrate")).not_to_contain_text("fault")
    assert front.simulator.snapshot()["simulation"]["faults"] == {}


def test_a_hand_that_waits_for_the_clock_is_no_mismatch(front: Front):
    front.simulator.action("pump", "0ms")
    front.simulator.clock("pause")
    front.role("switch", label).click()
    front.wait("pump", stands=lambda stands: stands["position"] == 1)
    notes = front.notes("pump")
    expect(notes).to_contain_text("Waits for the clock")
    expect(notes).not_to_contain_text("≠")
    front.simulator.clock("run")
    front.wait("pump", value="on", position="on")
    expect(notes).not_to_contain_text("Waits")
    expect(notes).not_to_contain_text("≠")


def test_the_bar_stays_where_it_is_while_the_clock_stands(front: Front):
    front.simulator.line("CALIBRATE", "cut")
    expect(front.page.get_by_role("button", name="fault")).to_be_visible()
    strip = front.page.locator("#strip")
    rows = "(e) => e.getBoundingClientRect().height"
    running = strip.evaluate(rows)
    run = front.page.get_by_role("button", name="Run", exact=False).first
    before = run.bounding_box()["x"]
    front.page.get_by_role("button", name="Pause").click()
    expect(front.page.get_by_role("timer")).to_have_text(re.compile(r"\d\.\d{3}\W\d{3} s"))
    assert strip.evaluate(rows) == running < 60
    assert run.bounding_box()["x"] == before
    front.simulator.line("CALIBRATE", "restore")
    front.simulator.clock("run")
