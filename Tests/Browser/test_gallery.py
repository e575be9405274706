"""The gallery: five panels from files alone, each operated, and accessible in light and dark.

`make gallery` makes these files; here they are only looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from support import accessible, places

gallery = places.root / "docs/gallery"
names = ["lab-supply", "studio-tally", "model-railway", "ham-radio", "kiosk"]
schemes = ["light", "dark"]
window = {"width": 1280, "height": 800}
failed = re.compile("Failed: exit 1")


@pytest.fixture(scope="module", autouse=True)
def made() -> None:
    """Each file of the gallery is newer than all that it is made of."""
    web = places.root / "simulator/web"
    parts = [places.program, gallery / "make", *(gallery / "page").iterdir(), *web.rglob("*.*")]
    parts += [places.panel(name) for name in names]
    newest = max(parts, key=lambda part: part.stat().st_mtime)
    files = [gallery / "made" / f"{name}.js" for name in ["page", *names]]
    old = [
        file.name for file in files
        if not file.exists() or file.stat().st_mtime < newest.stat().st_mtime
    ]
    assert not old, f"{old} are missing, or older than {newest}: run `make gallery`"


class Watched:
    """Pages that may say nothing, and load nothing but files."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page = context.new_page()
        self.said: list[str] = []
        self.loaded: list[str] = []
        self.is_looked_at = False
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.loaded.append(request.url))

    def open(self, file: str) -> Page:
        self.page.goto(f"file://{gallery}/{file}")
        return self.page

    def panel(self, name: str) -> Page:
        self.open(f"panel.html?{name}")
        expect(self.page.locator("[data-placed]")).to_have_count(1)
        expect(self.page.get_by_label("Actions")).to_be_visible()
        return self.page

    def violations(self) -> list[str]:
        """What axe finds; nothing was wrong before it looked."""
        self.check()
        self.is_looked_at = True
        return accessible.violations(self.page)

    def check(self) -> None:
        # To read style sheets, axe asks for files, which no page may do; the browser says so late.
        vain = ("XMLHttpRequest", "ERR_FAILED", "preload assets") if self.is_looked_at else ()
        assert [text for text in self.said if not any(each in text for each in vain)] == []
        strange = [url for url in self.loaded if not url.startswith(("file:", "data:"))]
        assert strange == []


@pytest.fixture(params=schemes)
def seen(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Watched]:
    """A page in light, and one in dark."""
    context = browser.new_context(viewport=window, color_scheme=request.param)
    watched = Watched(context)
    yield watched
    watched.check()
    context.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    context = browser.new_context(viewport=window)
    pages = Watched(context)
    yield pages
    pages.check()
    context.close()


def outcome(page: Page, words: str) -> None:
    page.get_by_label("Actions").select_option(words)


def test_the_list_is_accessible_and_leads_to_each_panel_by_keyboard(seen: Watched) -> None:
    page = seen.open("index.html")
    expect(page.get_by_role("heading")).to_be_visible()
    # Each card shows its panel itself.
    for name in names:
        card = page.frame_locator(f"iframe[src^='panel.html?{name}']")
        expect(card.locator("[data-placed] .unit").first).to_be_visible()
        expect(card.locator("#strip")).to_be_hidden()
    assert seen.violations() == []
    expect(page.locator("#missing")).to_be_hidden()
    links = page.get_by_role("link")
    expect(links).to_have_count(len(names))
    for name in names:
        seen.open("index.html")
        for _ in range(names.index(name) + 1):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("[data-placed]")).to_have_count(1)
        assert page.url.endswith(f"?{name}")


@pytest.mark.parametrize("name", names)
def test_a_panel_is_accessible(seen: Watched, name: str) -> None:
    page = seen.panel(name)
    assert seen.violations() == []
    page.get_by_role("button", name="Log", exact=True).click()
    assert seen.violations() == []
    page.get_by_role("button", name="Log", exact=True).click()


def test_a_phone_has_room_for_the_panel(watched: Watched) -> None:
    watched.page.set_viewport_size({"width": 360, "height": 700})
    page = watched.panel("lab-supply")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_lab_supply(watched: Watched) -> None:
    page = watched.panel("lab-supply")
    output = page.get_by_role("switch", name="Output")
    unit = page.locator("#c-output")
    expect(unit).not_to_contain_text("Turning off")
    outcome(page, "succeed after 3 s")
    output.click()
    expect(output).to_have_attribute("aria-checked", "true")
    expect(unit).to_contain_text("Turning on…")
    expect(unit.get_by_role("img", name="Output lamp: blinking")).to_be_visible()
    expect(unit.get_by_role("img", name="Output lamp: on")).to_be_visible()
    # The device refuses: the value returns, and the lever stays where the hand has it.
    outcome(page, "fail after 0.8 s")
    output.focus()
    page.keyboard.press("ArrowDown")
    expect(unit).to_contain_text(failed)
    expect(output).to_have_attribute("aria-checked", "true")
    expect(unit).to_contain_text("On · lever at Off")
    dial = page.get_by_role("spinbutton", name="Set Point")
    outcome(page, "succeed after 0.8 s")
    dial.focus()
    page.keyboard.press("ArrowUp")
    expect(dial).to_have_attribute("aria-valuenow", "5.05")
    page.keyboard.press("ArrowDown")
    expect(dial).to_have_attribute("aria-valuenow", "5")
    test = page.get_by_role("button", name="Test Lamps")
    test.hover()
    page.mouse.down()
    expect(page.get_by_role("img", name="Calibrate lamp: on")).to_be_visible()
    page.mouse.up()


def test_studio_tally(watched: Watched) -> None:
    page = watched.panel("studio-tally")
    second = page.get_by_role("radio", name="Camera 2")
    expect(page.get_by_role("img", name="Tally Camera 1 lamp: on")).to_be_visible()
    second.click()
    expect(second).to_have_attribute("aria-checked", "true")
    expect(page.get_by_role("img", name="Tally Camera 2 lamp: on")).to_be_visible()
    expect(page.get_by_role("img", name="Tally Camera 1 lamp: off")).to_be_visible()
    # A covered button fires only where the cover was lifted.
    black = page.get_by_role("button", name="Fade to Black", exact=True)
    expect(black).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Lift cover of Fade to Black").click()
    expect(black).not_to_have_attribute("aria-disabled", "true")
    outcome(page, "fail after 0.8 s")
    black.click()
    expect(page.locator("#c-fade-to-black, #c-black").first).to_contain_text(failed)


def test_model_railway(watched: Watched) -> None:
    page = watched.panel("model-railway")
    north = page.get_by_role("radiogroup", name="North Points")
    north.get_by_role("radio", name="Straight").click()
    expect(north.get_by_role("radio", name="Straight")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("ArrowDown")
    expect(north.get_by_role("radio", name="Rest")).to_have_attribute("aria-checked", "true")
    block = page.get_by_role("switch", name="Block One")
    block.click()
    expect(page.get_by_role("img", name="Block One lamp: on")).to_be_visible()


def test_ham_radio(watched: Watched) -> None:
    page = watched.panel("ham-radio")
    frequency = page.get_by_role("spinbutton", name="Frequency")
    before = float(frequency.get_attribute("aria-valuenow") or "nan")
    frequency.focus()
    page.keyboard.press("ArrowUp")
    expect(frequency).to_have_attribute("aria-valuenow", f"{before + 0.01:.2f}")
    mode = page.get_by_role("radio", name="LSB")
    outcome(page, "never end")
    mode.click()
    unit = page.locator("#c-mode")
    expect(unit).to_contain_text("Changing to LSB…")
    expect(unit).to_contain_text("Failed: timed out")
    outcome(page, "succeed after 0.8 s")
    band = page.get_by_role("combobox", name="Band")
    band.focus()
    page.keyboard.press("Enter")
    expect(band).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(band).to_contain_text("17 m")
    antenna = page.get_by_role("radio", name="Dipole")
    antenna.click()
    expect(antenna).to_have_attribute("aria-checked", "true")


def test_kiosk(watched: Watched) -> None:
    page = watched.panel("kiosk")
    volcano = page.get_by_role("button", name="Play Volcano")
    expect(volcano).to_have_attribute("aria-disabled", "true")
    page.get_by_role("switch", name="Station").click()
    expect(volcano).not_to_have_attribute("aria-disabled", "true")
    outcome(page, "succeed after 3 s")
    volcano.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("img", name="Play Volcano lamp: breathing")).to_be_visible()
    expect(page.get_by_role("img", name="Play Volcano lamp: off")).to_be_visible()
    # The log tells what the core has reported.
    page.get_by_role("button", name="Log", exact=True).click()
    log = page.get_by_role("log", name="Events")
    expect(log).to_contain_text("Play Volcano")
    expect(log).to_contain_text("loading")


def test_a_gallery_that_is_not_made_says_what_to_do(watched: Watched) -> None:
    page = watched.open("panel.html?no-such-panel")
    expect(page.get_by_text("make gallery")).to_be_visible()
    watched.said = [text for text in watched.said if "ERR_FILE_NOT_FOUND" not in text]
