"""axe finds nothing, texts and edges have contrast, and the page fits a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support import accessible, contrast, places
from support.eye import Eye
from support.front import Front, Opener
from support.simulator import Simulator

drawers = "inspector waves log"

narrow = {"width": 320, "height": 800}
looks = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
    "forced-dark": {"forced_colors": "active", "color_scheme": "dark"},
    "calm": {"reduced_motion": "reduce"},
    "more": {"contrast": "more"},
    "more-dark": {"contrast": "more", "color_scheme": "dark"},
    "narrow": {"viewport": narrow},
}
# What is pressed, turned and chosen on the front panel and beside it.
parts = (
    "main button, main [role=combobox], main [role=spinbutton], main .lamp,"
    " #clock button, #inspector select, #inspector input, #waves button, #log input"
)


@pytest.fixture(params=looks)
def look(request) -> str:
    return request.param


def test_axe_finds_nothing(opener: Opener, look):
    front = opener.open(**looks[look])
    front.picture(f"every-kind-{look}")
    assert accessible.violations(front.page) == []


def test_axe_finds_nothing_while_much_is_open(opener: Opener, look):
    front = opener.open(**looks[look])
    simulator = front.simulator
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
    expect(front.role("menu", "Service")).to_be_visible()
    expect(front.notes("mute")).to_contain_text("exit 3")
    front.picture(f"much-is-open-{look}")
    assert accessible.violations(front.page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_a_dialog(opener: Opener, theme):
    front = opener.open(color_scheme=theme)
    front.page.get_by_role("button", name="Start over…").click()
    expect(front.page.get_by_role("alertdialog")).to_be_visible()
    assert accessible.violations(front.page) == []
    front.page.keyboard.press("Escape")


def test_axe_finds_nothing_in_the_table_of_waves(opener: Opener):
    front = opener.open()
    waves = front.page.get_by_role("region", name="Waveforms")
    waves.get_by_role("button", name="Table").click()
    front.role("button", "Calibrate").click()
    front.wait("calibrate", pressed=[])
    assert accessible.violations(front.page) == []


def test_texts_can_be_read(opener: Opener, eye: Eye, look):
    if look.startswith("forced"):
        pytest.skip("these colours are the system's own")
    front = opener.open(**looks[look])
    strict = 1.1 if look.startswith("more") else 1.0
    assert contrast.texts_too_faint(front.page, eye, strict) == []


def test_parts_stand_out(opener: Opener, eye: Eye, look):
    front = opener.open(**looks[look])
    assert contrast.parts_too_faint(front.page, eye, parts) == []


def test_the_choice_of_a_theme_is_kept(opener: Opener, eye: Eye):
    front = opener.open(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = front.page.evaluate(ground)
    front.page.get_by_label("Theme").select_option("Dark")
    assert front.page.evaluate(ground) != light
    assert contrast.texts_too_faint(front.page, eye) == []
    front.page.reload()
    front.wait_until_connected()
    assert front.page.evaluate(ground) != light
    front.page.get_by_label("Theme").select_option("System")
    assert front.page.evaluate(ground) == light


every_panel = [*places.real_panels, *sorted(places.own_panels.glob("*.yaml"))]


def name_of(panel) -> str:
    return panel.parent.name if panel.stem == "panel" else panel.stem


@pytest.fixture(params=every_panel, ids=name_of)
def some_panel(request, browser: Browser) -> Iterator[Opener]:
    simulator = Simulator(request.param).start()
    opened = Opener(browser, simulator, name_of(request.param))
    try:
        yield opened
        opened.agree()
        opened.close()
    finally:
        simulator.stop()


def test_each_panel(some_panel: Opener):
    """Wide: nothing for axe to find. Narrow: nothing to scroll sideways, nothing cut off."""
    front = some_panel.open()
    front.picture(f"panel-{some_panel.name}")
    assert accessible.violations(front.page) == []
    front.page.set_viewport_size(narrow)
    front.page.wait_for_function("innerWidth === 320")
    front.picture(f"panel-{some_panel.name}-narrow")
    widths = front.page.evaluate(
        "[document.scrollingElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert widths[0] <= widths[1], "it scrolls sideways"
    outside = front.page.evaluate(
        """() => [...document.querySelectorAll("main button, main [tabindex], main .label")]
            .filter((e) => e.checkVisibility() && !e.closest(".hidden, .skip"))
            .map((e) => [e.getBoundingClientRect(), e])
            .filter(([box]) => box.width > 1 && (box.left < -0.5 || box.right > 320.5))
            .map(([, e]) => e.outerHTML.slice(0, 120))"""
    )
    assert outside == []


def test_a_page_that_is_zoomed_in(opener: Opener):
    """Twice as large letters: nothing is lost."""
    front = opener.open(viewport={"width": 640, "height": 800})
    front.page.evaluate("document.documentElement.style.fontSize = '200%'")
    widths = front.page.evaluate(
        "[document.scrollingElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert widths[0] <= widths[1]


def test_targets_are_large_enough(front: Front):
    """44 by 44 for the parts of the panel, unless others stand beside it."""
    small = front.page.evaluate(
        """() => [...document.querySelectorAll(
                "main button:not(.nudge):not(.position), main [role=combobox]")]
            .filter((e) => e.checkVisibility())
            .map((e) => [e.getBoundingClientRect(), e])
            .filter(([box]) => box.width < 43.5 || box.height < 43.5)
            .map(([box, e]) => `${box.width} x ${box.height}: ${e.outerHTML.slice(0, 100)}`)"""
    )
    assert small == []
