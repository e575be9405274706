"""Where an open list is drawn, and how something destructive is confirmed in it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from support import places
from support.front import Front, Opener
from support.simulator import RealPanel

panel = "menus"
windows = [(1280, 800), (390, 844), (390, 560), (844, 390), (1280, 420)]


def item(front: Front, name: str) -> Locator:
    return front.panel.get_by_role("menuitem", name=re.compile(f"^{name}"))


def chosen(front: Front, control: str = "service") -> list[str]:
    return [e["value"] for e in front.simulator.events(control) if e["event"] == "chosen"]


def open_it(front: Front, control: str, row: str, presses: int = 0) -> Locator:
    """Opens a menu by its keys and goes to one of its items."""
    front.unit(control).locator(".readout").press("Enter")
    state = front.wait(control, focus=lambda focus: focus is not None, pressed=[])
    menu = front.unit(control).locator(".listing")
    expect(menu).to_be_visible()
    # A letter goes on to the next item with it.
    if state["focus"] != row:
        front.page.keyboard.press(row[0].lower())
    for _ in range(presses):
        front.page.keyboard.press("ArrowDown")
    front.wait(control, focus=row)
    return menu


# Of an open list: where it is, what lies over it, and what it hides.
look = """(list) => {
    const unit = list.closest(".unit");
    const box = (element) => element.getBoundingClientRect().toJSON();
    const at = box(list);
    const places = [[4, 4], [at.width / 2, at.height / 2], [at.width - 4, at.height - 4]];
    const bench = document.getElementById("bench").getBoundingClientRect();
    return {
        list: at, readout: box(unit.querySelector(".readout")),
        handles: [...unit.querySelectorAll(".turns, .nudges")].map(box),
        isOnTop: places.every(([x, y]) =>
            list.contains(document.elementFromPoint(at.x + x, at.y + y))),
        isScrolled: list.scrollHeight > list.clientHeight + 1,
        window: [innerWidth, Math.min(innerHeight, bench.top)],
        isInWindow: at.left >= 0 && at.top >= 0 && at.right <= innerWidth + 1
            && at.bottom <= Math.min(innerHeight, bench.top) + 1,
    };
}"""


def away(seen: dict) -> float:
    """Pixels between a list and its readout."""
    at, of = seen["list"], seen["readout"]
    return max(at["left"] - of["right"], of["left"] - at["right"], at["top"] - of["bottom"],
               of["top"] - at["bottom"])


@pytest.mark.parametrize("size", windows)
@pytest.mark.parametrize("control", ["station", "service", "low-menu"])
def test_a_list_opens_at_its_readout(front: Front, size, control):
    front.look({"width": size[0], "height": size[1]})
    readout = front.unit(control).locator(".readout")
    readout.scroll_into_view_if_needed()
    readout.press("Enter")
    front.wait(control, focus=lambda focus: focus is not None, pressed=[])
    listing = front.unit(control).locator(".listing")
    expect(listing).to_be_visible()
    seen = listing.evaluate(look)
    assert seen["isInWindow"], seen
    assert seen["isOnTop"], seen
    assert seen["list"]["height"] >= 100, seen
    at, of = seen["list"], seen["readout"]
    parts = max([0, *(each["bottom"] - of["bottom"] for each in seen["handles"])])
    assert away(seen) < parts + 20, f"it is {away(seen)} px away: {seen}"
    if size == (1280, 800):
        # The keys of a menu are wider than its readout.
        wider = max([0, *(of["left"] - each["left"] for each in seen["handles"])])
        assert away(seen) < 60 + wider, seen
    for each in seen["handles"]:
        across = min(at["right"], each["right"]) - max(at["left"], each["left"])
        down = min(at["bottom"], each["bottom"]) - max(at["top"], each["top"])
        assert min(across, down) <= 1, f"it hides the knob or the buttons: {seen}"
    front.picture(f"list-{control}-{size[0]}-{size[1]}")


def test_a_list_that_was_open_is_at_its_readout(front: Front):
    """The page gets the first state before its plate is laid out. Nothing else comes after it while
    the clock stands."""
    front.look({"width": 1280, "height": 800})
    front.unit("service").locator(".readout").press("Enter")
    front.wait("service", focus="Report", pressed=[])
    front.simulator.clock("pause")
    front.page.reload()
    listing = front.unit("service").locator(".listing")
    expect(listing).to_be_visible()
    expect(front.page.locator(".sheet[data-placed]")).to_be_visible()
    seen = listing.evaluate(look)
    assert away(seen) < 60 and seen["list"]["left"] > 100, seen
    front.simulator.clock("run")


def test_a_long_list_scrolls_to_what_has_the_focus(front: Front):
    front.look({"width": 390, "height": 560})
    station = front.role("combobox", "Station")
    station.press("Enter")
    front.wait("station", focus="S 01", pressed=[])
    before = front.page.evaluate("scrollY")
    station.press("End")
    front.wait("station", focus="S 24")
    listing = front.unit("station").locator(".listing")
    assert listing.evaluate(look)["isScrolled"]
    last = front.role("option", "S 24").bounding_box()
    box = listing.bounding_box()
    assert last and box
    assert box["y"] <= last["y"] and last["y"] + last["height"] <= box["y"] + box["height"]
    assert front.page.evaluate("scrollY") == before


def test_it_follows_the_page(front: Front):
    front.look({"width": 390, "height": 560})
    readout = front.unit("low-menu").locator(".readout")
    readout.press("Enter")
    front.wait("low-menu", focus="Weigh", pressed=[])
    listing = front.unit("low-menu").locator(".listing")
    front.page.mouse.move(20, 200)
    front.page.mouse.wheel(0, -120)
    front.page.wait_for_timeout(300)
    seen = listing.evaluate(look)
    assert seen["isInWindow"] and seen["isOnTop"], seen


def test_words_and_glyphs_of_an_item(opener: Opener):
    front = opener.open()
    open_it(front, "service", "Report")
    place = "(e, what) => e.querySelector(what).getBoundingClientRect().toJSON()"
    report = item(front, "Report")
    title = report.evaluate(place, "span:first-child")
    glyph = report.evaluate(place, ".caption")
    assert glyph["left"] >= title["right"], "the glyph comes after the title"
    export = item(front, "Export")
    arrow = export.evaluate(place, ".further")
    assert arrow["right"] > export.bounding_box()["width"] / 2 + export.bounding_box()["x"]
    end, start = front.unit("service").locator(".readout").evaluate(
        """(readout) => [readout.querySelector(".chosen").getBoundingClientRect().right,
            readout.querySelector(".glyph").getBoundingClientRect().left]"""
    )
    assert end <= start <= end + 20


def test_what_is_destructive_is_apart_without_a_separator(front: Front):
    open_it(front, "service", "Report")
    expect(item(front, "Erase Log")).to_have_attribute("data-first", "true")
    assert item(front, "Export").get_attribute("data-first") is None
    assert item(front, "Reset").get_attribute("data-first") is None


# CONFIRMATION


@pytest.mark.parametrize(("name", "presses"), [("Erase Log", 1), ("Reset", 1), ("Reboot", 0)])
def test_escape_never_confirms(front: Front, name, presses):
    """The knob goes back by a held push, which would confirm the item that it is held on."""
    menu = open_it(front, "service", name, presses)
    front.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    front.wait("service", focus=None, pressed=[], progress=lambda progress: not progress)
    assert chosen(front) == []
    assert [e for e in front.simulator.events("service") if e["event"] == "armed"] == []


@pytest.mark.parametrize(
    ("control", "name"), [("service", "Erase Log"), ("service", "Reset"), ("pair", "Erase All")]
)
def test_a_second_tap_at_the_same_place_fires_nothing(front: Front, control, name):
    front.unit(control).locator(".readout").click()
    front.wait(control, focus="Report", pressed=[])
    box = item(front, name).bounding_box()
    assert box
    where = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    front.page.mouse.click(*where)
    front.wait(control, focus=name, progress=50, pressed=[])
    expect(item(front, "Cancel")).to_be_visible()
    expect(item(front, "Report")).to_be_hidden()
    yes = item(front, name).last.bounding_box()
    assert yes
    assert yes["y"] >= box["y"] + box["height"] or yes["y"] + yes["height"] <= box["y"]
    front.page.wait_for_timeout(600)  # an armed item takes no press in its first half second
    front.page.mouse.click(*where)
    front.page.wait_for_timeout(200)
    assert chosen(front, control) == []


@pytest.mark.parametrize(
    ("control", "name"), [("service", "Erase Log"), ("service", "Reset"), ("pair", "Erase All")]
)
def test_cancel_and_confirm(front: Front, control, name):
    readout = front.unit(control).locator(".readout")
    readout.click()
    front.wait(control, focus="Report", pressed=[])
    item(front, name).click()
    front.wait(control, focus=name, progress=50, pressed=[])
    front.picture(f"question-{control}-{name.replace(' ', '-')}")
    item(front, "Cancel").click()
    front.wait(control, focus=lambda focus: focus not in (None, name), progress=0)
    expect(item(front, "Report")).to_be_visible()
    assert chosen(front, control) == []
    item(front, name).click()
    front.wait(control, focus=name, progress=50, pressed=[])
    front.page.wait_for_timeout(700)
    item(front, name).last.click()
    front.wait(control, focus=None)
    assert chosen(front, control) == [name]


def test_keys_of_a_question(front: Front):
    menu = open_it(front, "pair", "Erase All")
    menu.press("Enter")
    front.wait("pair", progress=50, pressed=[])
    cancel = item(front, "Cancel").get_attribute("id")
    expect(menu).to_have_attribute("aria-activedescendant", cancel)
    menu.press("Enter")
    front.wait("pair", focus="Report", progress=0)
    menu.press("ArrowDown")
    front.wait("pair", focus="Erase All")
    menu.press("Enter")
    front.wait("pair", progress=50, pressed=[])
    menu.press("Escape")
    front.wait("pair", focus="Report", progress=0)
    menu.press("End")
    front.wait("pair", focus="Erase All")
    menu.press("Enter")
    front.wait("pair", progress=50, pressed=[])
    menu.press("ArrowUp")
    front.page.wait_for_timeout(700)  # an answer counts half a second after its question
    menu.press("Enter")
    front.wait("pair", focus=None)
    assert chosen(front, "pair") == ["Erase All"]


def test_a_hold_is_told_and_shown_in_its_item(front: Front):
    open_it(front, "service", "Reboot")
    expect(item(front, "Reboot")).to_contain_text("Hold for")
    box = item(front, "Reboot").bounding_box()
    assert box
    front.simulator.clock("rate", rate=0.1)
    front.page.mouse.move(box["x"] + 40, box["y"] + 10)
    front.page.mouse.down()
    front.wait("service", progress=lambda progress: progress)
    expect(item(front, "Reboot")).to_have_attribute("data-held", "true")
    front.page.mouse.up()
    front.wait("service", progress=lambda progress: not progress)
    assert chosen(front) == []


# ON REAL LINES


@pytest.fixture
def real(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Front]:
    started = RealPanel(places.panel("menus")).start()
    opener = Opener(browser, started, request.node.name)
    try:
        yield opener.open(viewport={"width": 390, "height": 844})
        opener.close()
    finally:
        started.stop()


def test_a_request_is_confirmed_in_the_menu(real: Front):
    readout = real.unit("service").locator(".readout")
    readout.click()
    box = item(real, "Erase Log").bounding_box()
    assert box
    item(real, "Erase Log").click()
    expect(item(real, "Cancel")).to_be_visible()
    expect(real.page.get_by_role("dialog")).to_have_count(0)
    real.picture("question-real")
    where = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    real.page.mouse.click(*where)
    real.page.wait_for_timeout(200)
    assert chosen(real) == []
    if not item(real, "Report").is_visible():
        item(real, "Cancel").click()
    expect(item(real, "Report")).to_be_visible()
    item(real, "Erase Log").click()
    # The question is the daemon's, so it comes after an answer.
    expect(item(real, "Cancel")).to_be_visible()
    item(real, "Erase Log").click()
    expect(real.unit("service").locator(".listing")).to_be_hidden()
    real.page.wait_for_timeout(300)
    assert [e["value"] for e in real.simulator.events("service") if e["event"] == "chosen"] == [
        "Erase Log"]


def test_a_tap_elsewhere_cancels(real: Front):
    real.unit("service").locator(".readout").click()
    item(real, "Reset").click()
    expect(item(real, "Cancel")).to_be_visible()
    real.page.locator(".sheet > .title").click()
    expect(real.unit("service").locator(".listing")).to_be_hidden()
    real.unit("service").locator(".readout").click()
    expect(item(real, "Report")).to_be_visible()
    assert chosen(real) == []


def test_the_menu_stays_open_after_a_choice_in_its_submenu(real: Front):
    real.unit("service").locator(".readout").click()
    item(real, "Export").click()
    item(real, "As Table").click()
    expect(item(real, "Report")).to_be_visible()
    real.page.wait_for_timeout(200)
    expect(item(real, "Report")).to_be_visible()


def test_a_list_leaves_its_neighbours_free(front: Front):
    """Where there is a side with room, a menu beside can be clicked while another is open."""
    front.look({"width": 1280, "height": 800})
    front.unit("service").locator(".readout").press("Enter")
    listing = front.unit("service").locator(".listing")
    expect(listing).to_be_visible()
    for part in front.panel.locator(".unit:not(#c-service) > .part").all():
        assert not front.overlapping(listing, part), part.inner_text()
    front.unit("pair").locator(".readout").click()
    front.wait("pair", focus=lambda focus: focus is not None)
    expect(listing).to_be_hidden()


def test_the_readout_says_what_the_display_says(front: Front):
    def readout(control: str) -> Locator:
        return front.unit(control).locator(".readout")

    def shown(control: str, rows: list[str]) -> None:
        """All rows of the display, none beyond its window."""
        front.wait(control, display=rows)
        expect(readout(control).locator(".chosen")).to_have_text("\n".join(rows))
        assert readout(control).evaluate(
            "(window) => window.scrollHeight <= window.clientHeight")

    shown("service", ["Service", ""])
    shown("station", ["Station", "S 01", "", ""])
    readout("station").press("Enter")
    shown("station", ["Station", "> S 01", "  S 02", "  S 03"])
    front.page.keyboard.press("ArrowDown")
    front.page.keyboard.press("ArrowDown")
    shown("station", ["Station", "  S 02", "> S 03", "  S 04"])
    front.page.keyboard.press("Escape")
    shown("station", ["Station", "S 01", "", ""])
    open_it(front, "service", "Erase Log", 1)
    shown("service", ["Service", "Erase Log"])
    front.page.keyboard.press("Enter")
    shown("service", ["Service", "Erase Log?"])
