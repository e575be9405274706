"""The bench: its drawers stay as they were left, and nothing on it moves the face."""

import pytest
from playwright.sync_api import expect

from support.front import Front, Opener

fresh = True  # what a page remembers is what is looked at here

_places = """() => [...document.querySelectorAll("main .unit")].map((unit) => {
    const { left, top, width, height } = unit.getBoundingClientRect();
    return [unit.id, left, top + scrollY, width, height];
})"""


def tab(front: Front, name: str):
    return front.page.locator("#tabs").get_by_role("button", name=name, exact=True)


def test_drawers_are_shut_at_first(front: Front):
    for place in ("#inspector", "#waves", "#log", "#wiring"):
        expect(front.page.locator(place)).to_be_hidden()


def test_nothing_moves_the_face(front: Front):
    before = front.page.evaluate(_places)
    for name in ("Waveforms", "Log", "Wiring"):
        tab(front, name).click()
        assert front.page.evaluate(_places) == before, name
    front.page.locator("#grip").press("ArrowUp")
    front.page.evaluate(
        """async () => {
            const { store } = (await import("./page.js")).modules["core/store.js"];
            store.tell("problem", { title: "Nothing was saved", detail: "try again" });
        }""")
    expect(front.page.locator("#alerts")).to_contain_text("Nothing was saved")
    assert front.page.evaluate(_places) == before


def test_they_stay_where_they_were_left(front: Front):
    tab(front, "Log").click()
    grip = front.page.locator("#grip")
    grip.press("ArrowDown")
    height = grip.get_attribute("aria-valuenow")
    front.page.reload()
    front.wait_until_connected()
    expect(front.page.locator("#log")).to_be_visible()
    expect(front.page.locator("#inspector")).to_be_hidden()
    expect(grip).to_have_attribute("aria-valuenow", height)


@pytest.mark.parametrize("width", [390, 1280])
def test_drawers_make_the_page_no_longer(opener: Opener, width):
    """However far it is scrolled, the bar is at the lower end."""
    front = opener.open(viewport={"width": width, "height": 800})
    for name in ("Inspector", "Waveforms", "Log", "Wiring"):
        tab(front, name).click()
    front.page.evaluate("scrollTo(0, 100000)")
    assert front.page.evaluate("document.documentElement.scrollHeight <= document.body.offsetHeight")
    bar = front.page.locator("#strip").bounding_box()
    assert abs(bar["y"] + bar["height"] - 800) < 1, bar


# On a desktop it is one row; on a phone, clock and drawers are two.
@pytest.mark.parametrize(("size", "highest"), [((1280, 800), 48), ((390, 844), 101)])
def test_the_bar_is_slim(opener: Opener, size, highest):
    front = opener.open(viewport={"width": size[0], "height": size[1]})
    height = front.page.locator("#bench").bounding_box()["height"]
    assert height <= highest, f"{height} px"


def test_a_failure_is_said_at_its_control(front: Front):
    front.simulator.action("calibrate", "0ms", "fail", code=3)
    front.role("button", "Calibrate").click()
    front.wait("calibrate", phase="failed")
    expect(front.notes("calibrate")).to_contain_text("Failed: exit 3")
    expect(front.page.locator("#alerts")).to_be_empty()
    expect(front.panel.get_by_role("alert")).to_have_text("Calibrate failed: exit 3")


def test_what_is_refused_is_said_at_its_control(front: Front):
    front.role("switch", "Heater").click(force=True)
    expect(front.notes("heater")).to_contain_text("Turn on Circulation Pump first")
    expect(front.page.locator("#alerts")).to_be_empty()


def test_without_a_board_it_says_so(front: Front):
    tab(front, "Wiring").click()
    expect(front.page.locator("#wiring")).to_contain_text("write `board: NAME` in the panel file")
    expect(front.page.locator("#wiring img")).to_be_hidden()
