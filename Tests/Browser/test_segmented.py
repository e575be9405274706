"""Segments: one is chosen, several are, or each is a command."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front


def segment(front: Front, name: str, option: str) -> Locator:
    return front.role("toolbar", name).get_by_role("button", name=option, exact=True)


@pytest.mark.kind
def test_single(front: Front):
    front.simulator.action("wave", "0ms")
    group = front.role("radiogroup", "Wave")
    group.get_by_role("radio", name="Ramp").click()
    front.wait("wave", value="Ramp")
    expect(group.get_by_role("radio", name="Ramp")).to_have_attribute("aria-checked", "true")
    expect(group.get_by_role("radio", checked=True)).to_have_count(1)
    front.page.keyboard.press("ArrowLeft")
    expect(group.get_by_role("radio", name="Square")).to_be_focused()
    front.wait("wave", value="Ramp")
    front.page.keyboard.press("Enter")
    front.wait("wave", value="Square")


@pytest.mark.kind
def test_single_is_reachable_while_it_works(front: Front):
    front.simulator.action("wave", "6s", "fail", code=1)
    ramp = front.role("radiogroup", "Wave").get_by_role("radio", name="Ramp")
    ramp.focus()
    ramp.press("Space")
    front.wait("wave", phase="loading")
    expect(ramp).to_be_focused()
    expect(front.notes("wave")).to_contain_text("Changing to Ramp…")
    front.simulator.let_end()
    front.wait("wave", phase="failed")
    expect(ramp).to_be_focused()


@pytest.mark.kind
def test_single_failure(front: Front):
    ramp = front.role("radiogroup", "Wave").get_by_role("radio", name="Ramp")
    behaviour.tells_a_failure(front, "wave", "Wave", lambda: ramp.click())
    expect(ramp).to_have_attribute("aria-checked", "false")


@pytest.mark.kind
def test_several(front: Front):
    red, green, blue = (segment(front, "Traces", name) for name in ("Red", "Green", "Blue"))
    for each, pressed in ((red, "true"), (green, "false"), (blue, "false")):
        expect(each).to_have_attribute("aria-pressed", pressed)
    green.click()
    front.wait("traces", value=["Red", "Green"], pressed=[])
    expect(green).to_have_attribute("aria-pressed", "true")
    expect(red).to_have_attribute("aria-pressed", "true")


def test_too_many_are_refused_in_words(front: Front):
    segment(front, "Traces", "Green").click()
    front.wait("traces", value=["Red", "Green"], pressed=[])
    blue = segment(front, "Traces", "Blue")
    blue.click()
    expect(front.notes("traces")).to_contain_text("Choose at most 2")
    expect(blue).to_have_attribute("aria-pressed", "false")
    for name in ("Red", "Green"):
        segment(front, "Traces", name).click()
    front.wait("traces", value=["Green"])
    expect(front.notes("traces")).to_contain_text("Choose at least 1")


@pytest.mark.kind
def test_keys_in_a_row(front: Front):
    segment(front, "Traces", "Red").focus()
    front.page.keyboard.press("ArrowRight")
    expect(segment(front, "Traces", "Green")).to_be_focused()
    front.page.keyboard.press("Enter")
    front.wait("traces", value=["Red", "Green"])
    front.page.keyboard.press("End")
    expect(segment(front, "Traces", "Blue")).to_be_focused()
    front.page.keyboard.press("ArrowRight")
    expect(segment(front, "Traces", "Blue")).to_be_focused()
    front.page.keyboard.press("Home")
    expect(segment(front, "Traces", "Red")).to_be_focused()
    row = front.role("toolbar", "Traces").locator("button[tabindex='0']")
    expect(row).to_have_count(1)


@pytest.mark.kind
def test_lamps_of_those_that_are_chosen(front: Front):
    segment(front, "Traces", "Blue").click()
    for name, word in (("Red", "on"), ("Green", "off"), ("Blue", "on")):
        expect(front.panel.get_by_role("img", name=f"Traces lamp, {name}: {word}")).to_have_count(1)


@pytest.mark.kind
def test_commands(front: Front):
    front.simulator.action("transport", "6s", "fail", code=4)
    rewind = segment(front, "Transport", "Rewind")
    expect(rewind).to_have_text("«")
    assert rewind.get_attribute("aria-pressed") is None
    rewind.focus()
    rewind.press("Enter")
    front.wait("transport", phase="loading")
    expect(rewind).to_be_focused()
    expect(rewind).to_be_enabled()
    chosen = [e for e in front.simulator.events("transport") if e["event"] == "chosen"]
    assert len(chosen) == 1
    front.simulator.let_end()
    front.wait("transport", phase="failed")
    expect(front.notes("transport")).to_contain_text("exit 4")


def test_a_command_is_held_as_long_as_the_finger(front: Front):
    with front.held(segment(front, "Transport", "Play")):
        front.wait("transport", pressed=[1])
    front.wait("transport", pressed=[])


def test_on_a_selector(front: Front):
    group = front.role("radiogroup", "View")
    group.get_by_role("radio", name="List").focus()
    front.page.keyboard.press("ArrowRight")
    front.wait("view", value="Graph", position="Graph")
    expect(group.get_by_role("radio", name="Graph")).to_have_attribute("aria-checked", "true")


@pytest.mark.kind
def test_a_click_on_an_option_chooses_it(front: Front):
    """The list is there as long as its readout has the focus."""
    speed = front.role("combobox", "Speed")
    speed.click()
    front.role("option", "Fast").click()
    front.wait("speed", value="Fast")
    assert front.is_focused(speed)


def test_on_an_encoder_without_a_push_a_turn_chooses(front: Front):
    speed = front.role("combobox", "Speed")
    speed.press("ArrowDown")
    front.wait("speed", value="Medium")
    expect(front.role("option", "Medium")).to_have_attribute("aria-selected", "true")
    expect(speed).to_contain_text("Medium")


def test_of_commands_the_one_that_was_pressed_works(front: Front):
    front.simulator.action("transport", "6s")
    rewind, play = segment(front, "Transport", "Rewind"), segment(front, "Transport", "Play")
    rewind.click()
    front.wait("transport", phase="loading")
    expect(rewind).to_have_attribute("aria-busy", "true")
    assert rewind.evaluate("(e) => getComputedStyle(e, '::after').borderTopStyle") == "dashed"
    expect(play).not_to_have_attribute("aria-busy", "true")
    front.simulator.let_end()
    front.wait("transport", phase="idle")
    expect(rewind).not_to_have_attribute("aria-busy", "true")
