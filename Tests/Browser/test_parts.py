"""The letters of a plate, the sizes of its levers, and what a knob shows."""

from __future__ import annotations

import subprocess

import pytest
from playwright.sync_api import Locator, expect

from support import places
from support.front import Front

panel = "parts"


def fonts(front: Front, selector: str) -> set[bool]:
    """Whether the letters of an element are drawn in the face that the page brings; by the browser."""
    session = front.page.context.new_cdp_session(front.page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector})["nodeIds"]
    assert nodes, selector
    used = [
        font["isCustomFont"]
        for node in nodes
        for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    ]
    session.detach()
    return set(used)


@pytest.mark.parametrize(
    ("words", "is_engraved"),
    [
        ("#c-size .caption", True),  # all letters are in the subset
        ("#c-mill .caption", False),  # one is not
        ("#c-heat .label, #c-heat .caption", False),  # one of an option is not
        ("#c-insurance .label", True),
        (".sheet > .title", True),
    ],
)
def test_words_are_all_of_one_face(front: Front, words: str, is_engraved: bool):
    """A label with a letter that the engraved face does not have is whole in that of the system."""
    front.page.evaluate("document.fonts.ready")
    assert fonts(front, words) == {is_engraved}


def test_a_word_that_no_label_has_room_for(front: Front):
    """It is broken where the template breaks it; `detent check` has warned of it."""
    label = front.unit("insurance").locator(".label")
    face = front.page.evaluate("fetch('/api/v1/face?width=1200&height=800').then((a) => a.json())")
    cells = [cell for group in face["groups"] for cell in group["cells"]]
    lines = next(cell["lines"] for cell in cells if cell["control"] == "insurance")
    assert len(lines) > 1
    assert label.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1")


def test_a_large_lever_has_a_long_bat(front: Front):
    def ball(name: str) -> float:
        """How large the end of its bat is, against its plate."""
        slot = front.role("switch", name).locator(".slot")
        return float(slot.evaluate(
            "(e) => parseFloat(getComputedStyle(e, '::after').width)"
            " / e.parentElement.getBoundingClientRect().height"))

    assert ball("Large") == pytest.approx(ball("Small"), rel=0.02)


def test_the_list_of_a_knob_is_open_while_it_has_the_focus(front: Front):
    """It is beside its knob, and says that it is shut at rest."""
    band = front.role("combobox", "Band")
    listing = front.unit("band").get_by_role("listbox")
    expect(band).to_have_attribute("aria-expanded", "false")
    expect(listing).to_be_hidden()
    band.focus()
    expect(band).to_have_attribute("aria-expanded", "true")
    expect(listing).to_be_visible()
    assert not front.overlapping(listing, front.unit("band").locator(".turns"))
    band.press("Escape")
    expect(listing).to_be_hidden()
    expect(band).to_be_focused()
    band.blur()
    band.focus()
    listing.get_by_role("option", name="80 m").click()
    front.wait("band", value="80 m")
    band.blur()
    expect(listing).to_be_hidden()


def test_a_click_on_a_selector_turns_it_to_that_side(front: Front):
    knob = front.unit("gain").locator(".turns")
    box = knob.bounding_box()
    knob.click(position={"x": box["width"] * 0.9, "y": box["height"] * 0.4})
    front.wait("gain", value="High")
    knob.click(position={"x": box["width"] * 0.1, "y": box["height"] * 0.4})
    front.wait("gain", value="Low")
    knob.click(position={"x": box["width"] * 0.5, "y": box["height"] * 0.1})
    front.wait("gain", value="Middle")


def outline(unit: Locator) -> str:
    return unit.evaluate("(e) => getComputedStyle(e).borderTopStyle")


def test_a_chord_is_drawn_as_a_button_that_is_not_there(front: Front):
    """Also where it has a lamp."""
    unit = front.unit("both")
    assert outline(unit) == "dashed" and outline(front.unit("keep")) == "none"
    expect(unit.locator(".lamp")).to_be_visible()
    expect(front.notes("both")).to_contain_text("Größe 10 kΩ and Łódź Mill together, for 1")
    box = unit.bounding_box()
    for inside in (unit.locator(".lamp"), unit.locator(".label")):
        each = inside.bounding_box()
        assert box["x"] <= each["x"] and each["x"] + each["width"] <= box["x"] + box["width"]


def test_a_hold_that_does_something_else_is_told(front: Front):
    front.unit("keep").hover()
    expect(front.notes("keep")).to_contain_text("Held for 800")


def test_what_a_hand_can_do_about_a_lever_that_stands_elsewhere(front: Front):
    front.simulator.set("large", "on")
    front.wait("large", value="on")
    front.unit("large").hover()
    expect(front.notes("large")).to_contain_text("On · lever at Off")
    expect(front.notes("large")).to_contain_text("Flip it to On, and both agree")
    front.role("switch", "Large").click()
    expect(front.notes("large")).not_to_contain_text("≠")


def test_check_warns_of_the_one_word_that_has_no_room():
    said = subprocess.run(
        [places.program, "check", places.panel("parts")], capture_output=True, text=True
    )
    assert "[word-long]" in said.stdout and said.stdout.count("warning:") == 1, said.stdout
