"""axe finds nothing, texts and edges have contrast, and the page fits a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support import accessible, contrast
from support.eye import Eye
from support.front import Front, Opener
from support.simulator import Simulator

drawers = "inspector waves log"

# The first and the last are looked at with all rules of axe; between them only colours differ.
looks = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
    "forced-dark": {"forced_colors": "active", "color_scheme": "dark"},
    "calm": {"reduced_motion": "reduce"},
    "more": {"contrast": "more"},
    "more-dark": {"contrast": "more", "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 800}},
}
# What is pressed, turned and chosen on the front panel and beside it.
parts = (
    "main button:not(.position), main [role=combobox], main [role=spinbutton], main .lamp,"
    " #clock button, #inspector select, #inspector input, #waves button, #log input"
)


@pytest.fixture(params=looks)
def look(request) -> str:
    return request.param


def open_one(browser: Browser, simulator: Simulator, name: str) -> Opener:
    simulator.begin()
    return Opener(browser, simulator, name, drawers)


# One page that changes its look costs less than one page for each look. Its clock stands, so that
# nothing moves.


@pytest.fixture(scope="module")
def at_rest(browser: Browser, simulator: Simulator) -> Iterator[Front]:
    opened = open_one(browser, simulator, "at-rest")
    front = opened.open()
    simulator.clock("pause")
    yield front
    opened.close()


@pytest.fixture(scope="module")
def busy(browser: Browser, simulator: Simulator) -> Iterator[Front]:
    """Menus are open, an action runs, another one failed, a wire is broken."""
    opened = open_one(browser, simulator, "busy")
    front = opened.open()
    simulator.gesture("program", "click")
    simulator.gesture("service", "click")
    simulator.gesture("mode", "turn", value=1)
    simulator.action("pump", "0ms", "hang")
    simulator.gesture("pump", "flip", value="on")
    simulator.action("mute", "0ms", "fail", code=3)
    simulator.gesture("mute", "click")
    simulator.gesture("gain", "turn", value=1)
    simulator.gesture("format", "click")
    simulator.line("CALIBRATE", "cut")
    simulator.wait("pump", phase="loading")
    simulator.wait("mute", phase="failed")
    simulator.clock("pause")  # a failure is shown for three seconds, which now do not end
    expect(front.role("menu", "Service")).to_be_visible()
    expect(front.notes("mute")).to_contain_text("exit 3")
    yield front
    simulator.line("CALIBRATE", "restore")
    opened.close()


def test_at_rest(at_rest: Front, eye: Eye, look):
    at_rest.look(**looks[look])
    at_rest.picture(f"every-kind-{look}")
    strict = 1.1 if look.startswith("more") else 1.0
    assert contrast.too_faint(at_rest.page, eye, parts, strict) == []
    assert accessible.violations(at_rest.page, only_colors=look not in ("light", "narrow")) == []


def test_while_much_is_open(busy: Front, look):
    busy.look(**looks[look])
    busy.picture(f"much-is-open-{look}")
    assert accessible.violations(busy.page, only_colors=look not in ("light", "narrow")) == []


def test_axe_finds_nothing_in_a_dialog_and_in_the_table_of_waves(front: Front):
    waves = front.page.get_by_role("region", name="Waveforms")
    waves.get_by_role("button", name="Table").click()
    front.role("button", "Calibrate").click()
    front.wait("calibrate", pressed=[])
    assert accessible.violations(front.page) == []
    front.page.get_by_role("button", name="Start over…").click()
    expect(front.page.get_by_role("alertdialog")).to_be_visible()
    assert accessible.violations(front.page) == []
    front.look(color_scheme="dark")
    assert accessible.violations(front.page, only_colors=True) == []
    front.page.keyboard.press("Escape")
    waves.get_by_role("button", name="Table").click()


def test_the_choice_of_a_theme_is_kept(opener: Opener, eye: Eye):
    front = opener.open(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = front.page.evaluate(ground)
    front.page.get_by_label("Theme").select_option("Dark")
    assert front.page.evaluate(ground) != light
    assert contrast.too_faint(front.page, eye, parts) == []
    front.page.reload()
    front.wait_until_connected()
    assert front.page.evaluate(ground) != light
    front.page.get_by_label("Theme").select_option("System")
    assert front.page.evaluate(ground) == light


def test_a_page_that_is_zoomed_in(front: Front):
    """Twice as large letters: nothing is lost."""
    front.look({"width": 640, "height": 800})
    front.page.evaluate("document.documentElement.style.fontSize = '200%'")
    widths = front.page.evaluate(
        "[document.scrollingElement.scrollWidth, document.documentElement.clientWidth]"
    )
    front.page.evaluate("document.documentElement.style.fontSize = ''")
    assert widths[0] <= widths[1]


@pytest.mark.parametrize("width", [1280, 390])
def test_targets_are_large_enough(front: Front, width):
    """24 by 24 at least: a part has the size of the real one, and some are as narrow as a lever."""
    front.look({"width": width, "height": 900})
    small = front.page.evaluate(
        """() => [...document.querySelectorAll("main button, main [role=combobox]")]
            .filter((e) => e.checkVisibility())
            .map((e) => [e.getBoundingClientRect(), e])
            .filter(([box]) => box.width < 23.5 || box.height < 23.5)
            .map(([box, e]) => `${box.width} x ${box.height}: ${e.outerHTML.slice(0, 100)}`)"""
    )
    assert small == []


def test_between_two_positions_the_nearest_one_is_meant(front: Front):
    for name, value in [("Up", "up"), ("Down", "down"), ("Center", "center")]:
        radio = front.role("radio", name)
        # The pointer is moved to a place of the window, which a drawer may cover.
        radio.scroll_into_view_if_needed()
        box = radio.bounding_box()
        front.page.mouse.click(box["x"] + 6, box["y"] + box["height"] / 2)
        front.wait("hoist", position=value)


# What is drawn by a background alone is not seen in forced colours.


def test_the_focus_in_a_menu_is_read_in_forced_colours(front: Front, eye: Eye):
    for scheme in ("light", "dark"):
        front.look(forced_colors="active", color_scheme=scheme)
        service = front.role("button", "Service")
        service.press("Enter")
        option = front.panel.locator(".option[data-focus]:visible").first
        expect(option).to_be_visible()
        read = option.screenshot(animations="disabled")
        option.evaluate("(e) => { e.style.webkitTextFillColor = 'transparent'; }")
        blank = option.screenshot(animations="disabled")
        option.evaluate("(e) => e.removeAttribute('style')")
        assert eye.share_that_differs(read, blank, least=96) > 0.01
        front.page.keyboard.press("Escape")
        front.wait("service", focus=None)


def test_mixed_and_on_are_seen_in_forced_colours(front: Front, eye: Eye):
    front.look(forced_colors="active")
    everything, current = front.role("checkbox", "Everything"), front.role("checkbox", "Current")

    def shape(box) -> bytes:
        front.page.mouse.move(0, 0)
        front.page.evaluate("document.activeElement.blur()")
        return box.screenshot(animations="disabled")

    off = shape(everything)
    current.click()
    front.wait("everything", value="mixed")
    mixed = shape(everything)
    front.simulator.set("everything", "on")
    front.wait("everything", value="on")
    on = shape(everything)
    for one, other in [(off, mixed), (mixed, on), (off, on)]:
        assert eye.share_that_differs(one, other, least=96) > 0.01
