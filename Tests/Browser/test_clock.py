"""The clock of a simulated panel: pause, steps, rate, and starting over."""

import re

import pytest
from playwright.sync_api import expect

from support.front import Front


@pytest.fixture
def clock(front: Front):
    return front.page.get_by_role("region", name="Clock")


def at(front: Front) -> int:
    return front.simulator.snapshot()["at"]


def test_pause_stops_time_and_run_lets_it_go_on(front: Front, clock):
    clock.get_by_role("button", name="Pause").click()
    expect(clock.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    assert front.simulator.snapshot()["clock"]["running"] is False
    before = at(front)
    front.page.wait_for_timeout(100)
    assert at(front) == before
    clock.get_by_role("button", name="Run").click()
    expect(clock.get_by_role("button", name="Run")).to_have_attribute("aria-pressed", "true")
    front.simulator.wait_until(lambda: at(front), lambda now: now > before, "time goes on")


@pytest.mark.parametrize("name, length", [("1 ms", 1), ("10 ms", 10), ("100 ms", 100)])
def test_a_step_is_exactly_as_long_as_it_says(front: Front, clock, name, length):
    clock.get_by_role("button", name="Pause").click()
    expect(clock.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    before = at(front)
    clock.get_by_role("button", name=re.compile(f"^(Step )?{name}$")).click()
    front.simulator.wait_until(
        lambda: at(front), lambda now: now == before + length * 1_000_000, f"a step of {name}"
    )


def test_the_time_that_is_shown_is_the_panels(front: Front, clock):
    clock.get_by_role("button", name="Pause").click()
    expect(clock.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    shown = clock.get_by_role("timer")

    def seconds() -> float:
        return float(re.sub(r"[^0-9.]", "", shown.inner_text()))

    front.simulator.wait_until(
        seconds, lambda now: abs(now - at(front) / 1e9) < 1e-6, "the time as the panel has it"
    )


def test_rates(front: Front, clock):
    for rate in ("10", "100", "0.1", "1"):
        clock.get_by_label("Rate").select_option(label=f"{rate}×")
        front.simulator.wait_until(
            lambda: front.simulator.snapshot()["clock"]["rate"],
            lambda now: now == float(rate), f"a rate of {rate}",
        )
    expect(clock.get_by_role("button", pressed=True)).to_have_count(1)  # run


def test_a_rate_that_was_set_elsewhere_is_shown(front: Front, clock):
    front.simulator.clock("rate", rate=3)
    expect(clock.get_by_label("Rate")).to_have_value("3")
    front.simulator.clock("rate", rate=1)
    expect(clock.get_by_label("Rate")).to_have_value("1")


def test_a_slow_action_is_quick_at_a_hundredfold_rate(front: Front, clock):
    front.simulator.action("mute", "9s")
    front.role("button", "Mute").click()
    front.wait("mute", phase="loading")
    clock.get_by_label("Rate").select_option(label="100×")
    front.wait("mute", phase="idle", actual="on")
    expect(front.role("button", "Mute")).not_to_have_attribute("aria-busy", "true")


def test_what_a_hand_does_while_the_clock_stands_happens_when_it_goes_on(front: Front, clock):
    clock.get_by_role("button", name="Pause").click()
    expect(clock.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    pump = front.role("switch", "Circulation Pump")
    pump.click()
    front.wait("pump", stands=lambda stands: stands["position"] == 1)
    assert front.simulator.state("pump")["value"] == "off"
    expect(pump).to_have_attribute("aria-checked", "false")
    for _ in range(3):
        clock.get_by_role("button", name=re.compile("^(Step )?100 ms$")).click()
    front.wait("pump", value="on")
    expect(pump).to_have_attribute("aria-checked", "true")


def test_starting_over_asks_first(front: Front, clock):
    front.simulator.set("current", "on")
    box = front.role("checkbox", "Current")
    expect(box).to_have_attribute("aria-checked", "true")
    before = front.simulator.snapshot()["session"]

    opener = clock.get_by_role("button", name="Start over…")
    opener.click()
    dialog = front.page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    front.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()
    assert front.simulator.snapshot()["session"] == before

    opener.click()
    dialog.get_by_role("button", name="Start over").click()
    expect(box).to_have_attribute("aria-checked", "false")
    assert front.simulator.snapshot()["session"] != before
