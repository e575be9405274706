"""The inspector: what a control's lines say, and what can go wrong with them."""

import re

import pytest
from playwright.sync_api import Locator, expect

from support.front import Front

drawers = "inspector waves log"


@pytest.fixture
def inspector(front: Front) -> Locator:
    return front.page.get_by_role("complementary", name="Inspector")


def choose(inspector: Locator, label: str) -> None:
    inspector.get_by_role("combobox", name="Control", exact=True).select_option(label=label)


def row(inspector: Locator, line: str) -> Locator:
    return inspector.get_by_role("row").filter(has=inspector.page.get_by_text(line, exact=False))


def fact(inspector: Locator, name: str) -> Locator:
    return inspector.locator("dl > div").filter(has_text=re.compile(f"^{name}")).locator("dd")


def test_a_control_that_is_touched_is_inspected(front: Front, inspector):
    front.role("button", "Mute").click()
    expect(inspector.get_by_role("combobox", name="Control", exact=True)).to_have_value("mute")
    front.role("checkbox", "Voltage").focus()
    expect(inspector.get_by_role("combobox", name="Control", exact=True)).to_have_value("voltage")


def test_raw_debounced_and_value(front: Front, inspector):
    choose(inspector, "Calibrate")
    line = row(inspector, "CALIBRATE").first
    expect(line.get_by_role("cell").nth(0)).to_contain_text("inactive")
    with front.held(front.role("button", "Calibrate")):
        expect(line.get_by_role("cell").nth(0)).to_contain_text("● active")
        expect(line.get_by_role("cell").nth(1)).to_contain_text("● active")
    expect(line.get_by_role("cell").nth(0)).to_contain_text("inactive")

    choose(inspector, "Circulation Pump")
    front.simulator.action("pump", "0ms")
    front.role("switch", "Circulation Pump").click()
    expect(fact(inspector, "Value")).to_have_text("on")
    expect(fact(inspector, "Actual")).to_have_text("on")
    expect(fact(inspector, "Position")).to_have_text("on")
    expect(fact(inspector, "Phase")).to_have_text("idle")


def test_a_raw_level_can_differ_from_the_debounced_one(front: Front, inspector):
    """A lever counts after 20 ms: with the clock standing, both are seen."""
    choose(inspector, "Circulation Pump")
    line = row(inspector, "PUMP").first
    expect(line.get_by_role("cell").nth(0)).to_contain_text("inactive")
    front.simulator.clock("pause")
    front.simulator.gesture("pump", "flip", value="on")
    for _ in range(40):
        front.simulator.clock("step", by="5ms")
        front.page.wait_for_timeout(60)
        cells = [cell.strip() for cell in line.get_by_role("cell").all_inner_texts()]
        if cells[0].startswith("●"):
            break
    assert cells[0].startswith("●") and cells[1].startswith("○"), cells
    front.simulator.clock("step", by="50ms")
    expect(line.get_by_role("cell").nth(1)).to_contain_text("● active")


def test_a_line_that_is_stuck_and_mended(front: Front, inspector):
    choose(inspector, "Calibrate")
    fault = inspector.get_by_label("Fault of CALIBRATE", exact=True)
    fault.select_option("stuck active")
    front.wait("calibrate", pressed=[0])
    assert front.simulator.snapshot()["simulation"]["faults"] == {"CALIBRATE": "stuck-active"}
    expect(inspector.get_by_text("CALIBRATE stuck active")).to_be_visible()
    fault.select_option("no fault")
    front.wait("calibrate", pressed=[])
    assert front.simulator.snapshot()["simulation"]["faults"] == {}


def test_a_wire_that_is_cut_hears_no_press(front: Front, inspector):
    choose(inspector, "Calibrate")
    inspector.get_by_label("Fault of CALIBRATE", exact=True).select_option("cut")
    expect(inspector.get_by_text("CALIBRATE cut")).to_be_visible()
    front.role("button", "Calibrate").click()
    front.page.wait_for_timeout(200)
    assert [e for e in front.simulator.events("calibrate") if e["event"] == "pressed"] == []
    inspector.get_by_role("button", name="Fix all").click()
    expect(inspector.get_by_text("CALIBRATE cut")).to_be_hidden()
    assert front.simulator.snapshot()["simulation"]["faults"] == {}
    with front.held(front.role("button", "Calibrate")):
        front.wait("calibrate", pressed=[0])


def test_glitches_short_and_long(front: Front, inspector):
    """A button drops pulses below 100 µs, and takes longer ones."""
    choose(inspector, "Current")
    box = inspector.get_by_role("group", name="Glitch")
    box.get_by_role("textbox", name="Width").fill("50us")
    box.get_by_role("button", name="Glitch").click()
    front.page.wait_for_timeout(200)
    assert front.simulator.state("current")["value"] == "off"
    box.get_by_role("textbox", name="Width").fill("20ms")
    box.get_by_role("button", name="Glitch").click()
    front.wait("current", value="on")
    expect(front.role("checkbox", "Current")).to_have_attribute("aria-checked", "true")


def test_bounce(front: Front, inspector):
    choose(inspector, "Calibrate")
    inspector.get_by_label("Profile").select_option("cherry-mx")
    front.simulator.wait_until(
        lambda: front.simulator.snapshot()["simulation"]["bounce"].get("calibrate"),
        lambda profile: profile == "cherry-mx",
        "the profile",
    )


def test_an_action_that_takes_long_then_fails(front: Front, inspector):
    choose(inspector, "Mute")
    box = inspector.get_by_role("group", name="Action")
    box.get_by_label("Takes").fill("1500ms")
    box.get_by_label("Takes").press("Enter")
    box.get_by_label("Then").select_option("fail")
    box.get_by_label("Code").fill("3")
    box.get_by_label("Code").press("Tab")
    front.simulator.wait_until(
        lambda: front.simulator.snapshot()["simulation"]["actions"].get("mute"),
        lambda plan: plan and plan["then"] == "fail" and plan["code"] == 3,
        "the plan of the action",
    )
    front.role("button", "Mute").click()
    expect(fact(inspector, "Phase")).to_have_text("loading")
    expect(fact(inspector, "Phase")).to_contain_text("failed, exit 3")
    expect(fact(inspector, "Asked")).to_contain_text("run: [")
    front.wait("mute", phase="failed", reason="exit 3")


def test_an_action_is_answered_by_hand(front: Front, inspector):
    front.simulator.action("mute", "0ms", "hang")
    choose(inspector, "Mute")
    box = inspector.get_by_role("group", name="Action")
    expect(box.get_by_label("Then")).to_have_value("hang")
    front.role("button", "Mute").click()
    expect(fact(inspector, "Phase")).to_have_text("loading")
    box.get_by_role("button", name="Succeed now").click()
    expect(fact(inspector, "Phase")).to_have_text("idle")
    front.wait("mute", phase="idle", actual="on")
    # Nothing runs that could end.
    for name in ("Succeed now", "Fail now"):
        expect(box.get_by_role("button", name=name)).to_be_disabled()


def test_quick_changes_of_an_action_all_hold(front: Front, inspector):
    """The panel's message about the first change comes between the others, at some of the delays."""
    choose(inspector, "Mute")
    change = """async ([delay, code]) => {
        const box = [...document.querySelectorAll("fieldset")]
            .find((box) => box.querySelector("legend").textContent === "Action");
        const [takes, then, exit] = box.querySelectorAll("input, select");
        for (const [input, value] of [[takes, "700ms"], [then, "fail"], [exit, String(code)]]) {
            input.value = value;
            input.dispatchEvent(new Event("change", { bubbles: true }));
            await new Promise((done) => setTimeout(done, delay));
        }
    }"""
    for place, delay in enumerate(range(0, 60, 4)):
        front.simulator.action("mute", "100ms", "succeed")
        front.page.wait_for_timeout(80)
        front.page.evaluate(change, [delay, 3 + place])
        front.simulator.wait_until(
            lambda: front.simulator.snapshot()["simulation"]["actions"].get("mute"),
            lambda plan: plan and plan["then"] == "fail" and plan["code"] == 3 + place,
            f"the plan of the action, at {delay} ms",
        )


def test_fields_are_filled_when_they_appear(front: Front, inspector):
    """A change sends all of them, also the ones that were not touched."""
    front.simulator.action("mute", "700ms", "succeed")
    # The page hears of it later than the caller.
    choose(inspector, "Mute")
    action = inspector.get_by_role("group", name="Action")
    expect(action.get_by_label("Takes")).to_have_value("700ms")
    choose(inspector, "Current")
    takes = inspector.get_by_role("combobox", name="Control", exact=True).evaluate(
        """(choice) => {
            choice.value = "mute";
            choice.dispatchEvent(new Event("change"));
            return [...document.querySelectorAll("#inspector legend")]
                .find((legend) => legend.textContent === "Action")
                .parentElement.querySelector("input").value;
        }"""
    )
    assert takes == "700ms"


def test_fail_now(front: Front, inspector):
    choose(inspector, "Mute")
    front.simulator.action("mute", "0ms", "hang")
    front.role("button", "Mute").click()
    front.wait("mute", phase="loading")
    inspector.get_by_role("button", name="Fail now").click()
    front.wait("mute", phase="failed")


def test_an_action_that_hangs_ends_by_its_timeout(front: Front, inspector):
    choose(inspector, "Mute")
    inspector.get_by_role("group", name="Action").get_by_label("Then").select_option("hang")
    front.role("button", "Mute").click()
    front.wait("mute", phase="loading")
    front.simulator.clock("rate", rate=100)
    front.simulator.wait_until(
        lambda: [e.get("reason") for e in front.simulator.events("mute")],
        lambda reasons: "timed out" in reasons,
        "the timeout",
    )


def test_what_cannot_be_read_is_refused_in_words(front: Front, inspector):
    choose(inspector, "Current")
    box = inspector.get_by_role("group", name="Glitch")
    box.get_by_role("textbox", name="Width").fill("soon")
    box.get_by_role("button", name="Glitch").click()
    alert = front.page.get_by_role("alert").filter(has_text="`soon` is not a duration")
    expect(alert).to_be_visible()
    expect(alert).to_contain_text("use a number with its unit")
