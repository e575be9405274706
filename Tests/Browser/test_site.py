"""The site of the documents, from files alone: every live panel moves, every link leads somewhere.

`make site` makes these files; here they are only looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from playwright.sync_api import Browser, Page, expect

from support import places

site = places.root / ".build/site/html"
kinds = sorted(
    file.stem for file in (places.root / "docs/kinds").glob("*.md") if file.stem != "README")


@pytest.fixture(scope="module", autouse=True)
def made() -> None:
    """Each page is newer than its document."""
    documents = [*(places.root / "docs").rglob("*.md"), places.root / "docs/site/make"]
    newest = max(documents, key=lambda file: file.stat().st_mtime)
    first = site / "index.html"
    assert first.exists() and first.stat().st_mtime >= newest.stat().st_mtime, (
        f"there is no site, or it is older than {newest}: run `make site`")


class Names(HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.base = "."
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "base":
            self.base = given["href"] or "."
            return
        self.places.update(given[key] or "" for key in ("id", "name") if key in given)
        self.links += [given[key] or "" for key in ("href", "src") if given.get(key)]


def test_every_link_leads_somewhere() -> None:
    pages = {file.resolve(): Names(file.read_text()) for file in site.rglob("*.html")}
    assert len(pages) > 60
    vain = []
    for file, page in pages.items():
        for link in page.links:
            address = urlparse(link)
            if address.scheme or address.netloc:
                continue
            folder = file.parent / page.base
            target = (folder / unquote(address.path)).resolve() if address.path else file
            known = pages[target].places if target in pages else None
            # A page of the gallery with a panel reads what follows as words, such as `card`.
            place = "" if address.query else unquote(address.fragment)
            if not target.exists() or place and known is not None and place not in known:
                vain.append(f"{file.relative_to(site.resolve())}: {link}")
    assert vain == []


def test_no_page_is_large() -> None:
    assert [file for file in site.rglob("*.html") if file.stat().st_size > 1_000_000] == []


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    width = 390 if request.param == "dark" else 1280
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=request.param)
    yield context.new_page()
    context.close()


def test_pages_fit_a_phone(page: Page) -> None:
    for name in ("index", "docs/kinds/switch", "docs/reference/panel-file", "docs/editors"):
        page.goto(f"file://{site}/{name}.html")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], name


def test_the_search_works_from_files(page: Page) -> None:
    page.goto(f"file://{site}/search.html?q=debounce")
    expect(page.locator("#search-results a").first).to_be_visible()


@pytest.mark.parametrize("kind", kinds)
def test_a_live_panel_moves(browser: Browser, kind: str) -> None:
    """A press or a key on one of its parts changes what the panel says."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"file://{site}/docs/kinds/{kind}.html")
    page.locator("iframe.live").scroll_into_view_if_needed()
    frame = page.frame_locator("iframe.live")
    expect(frame.locator("[data-placed]")).to_have_count(1)
    plate = frame.locator("[data-placed]")
    parts = plate.locator(
        "[role=switch], [role=checkbox], [role=slider], [role=radio], [role=spinbutton], button")
    for number in range(parts.count()):
        part = parts.nth(number)
        if not part.is_visible() or not part.is_enabled():
            continue
        part.focus()
        before = plate.inner_html()
        for key in ("Space", "ArrowUp", "ArrowRight"):
            page.keyboard.down(key)
            page.wait_for_timeout(200)
            moved = plate.inner_html() != before
            page.keyboard.up(key)
            if moved:
                break
        if moved:
            break
    else:
        pytest.fail("no part moves")
    assert said == []
    context.close()
