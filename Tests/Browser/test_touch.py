"""Fingers on a phone: what they touch is large enough, and a selector is chosen from a list."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from support import accessible, places
from support.front import Front, Opener
from support.simulator import Simulators
from test_face import every_panel, name_of

phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# How far a finger may be from the middle of a part on each side, until it meets something else. A
# name of a position is measured by the list that a touch of it opens, or by its lever.
_room = """() => {
    const found = [];
    const parts = document.querySelectorAll(
        "main button:not(.position), main [role=combobox], main .turns, main .three .plate,"
        + "#bench button, #bench select");
    for (const part of parts) {
        if (!part.checkVisibility() || part.closest(".listing")) continue;
        part.scrollIntoView({ block: "center" });
        const box = part.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const meets = (dx, dy) => part.contains(document.elementFromPoint(x + dx, y + dy));
        const far = (dx, dy) => {
            let steps = 0;
            while (steps < 24 && meets(dx * (steps + 1), dy * (steps + 1))) steps += 1;
            return steps;
        };
        const isShut = !meets(0, 0) && part.closest(".covered:not([data-open])");
        const across = far(-1, 0) + far(1, 0) + 1, down = far(0, -1) + far(0, 1) + 1;
        if (!isShut && Math.min(across, down) < WANTED)
            found.push(`${part.closest(".unit")?.id} ${part.className}: ${across} × ${down}`);
    }
    return found;
}"""


@pytest.mark.parametrize("panel", every_panel, ids=name_of)
def test_parts_are_large_enough_for_a_finger(browser: Browser, simulators: Simulators, panel):
    simulator = simulators.of(panel)
    simulator.start_over()
    opener = Opener(browser, simulator, f"touch-{name_of(panel)}")
    try:
        front = opener.open(**phone)
        assert front.page.evaluate("matchMedia('(pointer: coarse)').matches")
        # The buttons beside a knob come with the first touch of it.
        front.page.evaluate(
            "document.querySelectorAll('main .unit').forEach((e) => e.dataset.touched = '')")
        assert front.page.evaluate(_room.replace("WANTED", "44")) == []
    finally:
        opener.close()


@pytest.fixture
def touched(opener: Opener) -> Front:
    return opener.open(**phone)


def test_a_selector_is_chosen_from_a_list(touched: Front):
    unit = touched.unit("range")
    unit.locator(".turns").tap()
    menu = touched.role("menu", "Range")
    rows = menu.get_by_role("menuitemradio")
    assert rows.all_inner_texts() == touched.simulator.control("range")["titles"]
    assert all(row.bounding_box()["height"] >= 44 for row in rows.all())
    expect(rows.nth(0)).to_have_attribute("aria-checked", "true")
    assert accessible.violations(touched.page) == []
    rows.nth(2).tap()
    expect(menu).to_be_hidden()
    touched.wait("range", value=touched.simulator.control("range")["values"][2])
    # A name opens it too, and a tap elsewhere closes it without a choice.
    unit.locator(".position").first.tap()
    expect(menu).to_be_visible()
    touched.page.locator(".sheet > .title").tap()
    expect(menu).to_be_hidden()
    touched.wait("range", value=touched.simulator.control("range")["values"][2])


def test_a_mouse_chooses_a_position_by_its_name(front: Front):
    names = front.unit("range").locator(".position")
    names.nth(1).click()
    front.wait("range", value=front.simulator.control("range")["values"][1])
    expect(front.page.locator(".listing[role=menu]:popover-open")).to_have_count(0)


# Of the words at a control, those that lie under something else. They let a finger through.
_buried = """(unit) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".notes, .note { pointer-events: auto !important }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    unit.scrollIntoView({ block: "center" });
    const found = [...unit.querySelectorAll(".note")].filter((note) => {
        const { left, right, top, bottom } = note.getBoundingClientRect();
        return [left + 3, (left + right) / 2, right - 3].some((x) =>
            !note.contains(document.elementFromPoint(x, (top + bottom) / 2)));
    });
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    return found.map((note) => note.textContent);
}"""


def test_words_of_what_is_touched_lie_over_those_beside_it(
    browser: Browser, simulators: Simulators
):
    """All words of two levers that have failed need more room than there is between them."""
    simulator = simulators.of(places.panel("greenhouse"))
    simulator.begin()
    opener = Opener(browser, simulator, "words")
    try:
        front = opener.open(**phone)
        simulator.gesture("service", "flip", value="on")
        simulator.wait("service", value="on")
        for control, position in (("thermostat", "down"), ("rain", "on")):
            simulator.gesture(control, "flip", value=position)
            front.wait(control, phase="failed", flags=lambda flags: "mismatch" in flags)
        simulator.clock("pause")  # a failure is shown for three seconds, which now do not end
        for control in ("thermostat", "rain", "thermostat"):
            part = front.unit(control).locator("[role=switch], [role=radio]:not([tabindex='-1'])")
            part.first.focus()
            expect(front.notes(control)).to_contain_text("Failed")
            assert front.unit(control).evaluate(_buried) == []
    finally:
        opener.close()


def test_a_finger_shows_the_buttons_beside_a_knob_before_they_turn_it(touched: Front):
    """A tap where a button is that is not seen yet turns nothing."""
    unit = touched.unit("set-point")
    nudge = unit.locator(".nudge").last
    touched.role("button", "Print Report").tap()
    nudge.scroll_into_view_if_needed()
    expect(nudge).to_have_css("opacity", "0")
    box = nudge.bounding_box()
    where = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    touched.page.touchscreen.tap(*where)
    expect(nudge).to_have_css("opacity", "1")
    touched.page.wait_for_timeout(200)
    assert touched.simulator.state("set-point")["value"] == 5
    touched.page.touchscreen.tap(*where)
    touched.wait("set-point", value=5.5)


def swipe(front: Front, part, across: int, down: int) -> None:
    """A finger goes from the middle of a part so many pixels to the right and down."""
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = front.page.context.new_cdp_session(front.page)
    steps = 12
    for place in range(steps + 1):
        kind = "touchStart" if place == 0 else "touchMove"
        point = {"x": x + across * place / steps, "y": y + down * place / steps}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        front.page.wait_for_timeout(16)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_a_finger_that_scrolls_turns_no_knob(touched: Front):
    knob = touched.unit("set-point").locator(".turns")
    swipe(touched, knob, 0, -200)
    touched.page.wait_for_function("scrollY > 60")
    touched.page.wait_for_timeout(200)
    assert touched.simulator.state("set-point")["value"] == 5


def test_a_finger_turns_a_knob_to_the_side(touched: Front):
    swipe(touched, touched.unit("set-point").locator(".turns"), 60, 0)
    touched.simulator.wait("set-point", value=lambda value: value > 5)


def test_a_finger_types_a_number_into_the_window(touched: Front):
    unit = touched.unit("set-point")
    unit.locator("output.readout").tap()
    field = unit.get_by_role("textbox", name="Set-Point")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("inputmode", "decimal")
    assert accessible.violations(touched.page) == []
    field.press_sequentially("12,5")
    field.press("Enter")
    touched.wait("set-point", value=12.5)
    expect(field).to_have_count(0)
    # What is given up is not asked for.
    unit.locator("output.readout").tap()
    field.press_sequentially("3")
    field.press("Escape")
    expect(field).to_have_count(0)
    assert touched.simulator.state("set-point")["value"] == 12.5


def test_a_drawer_that_is_opened_is_seen(touched: Front):
    for name, place in (("Inspector", "#inspector"), ("Log", "#log"), ("Wiring", "#wiring")):
        touched.page.locator("#tabs").get_by_role("button", name=name, exact=True).tap()
        expect(touched.page.locator(place)).to_be_in_viewport(ratio=0.1)
