"""A page that shows a panel, and a hand and an eye on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from support import agreement, places
from support.simulator import Simulator, State
from support.watch import Watch

wide = {"width": 1280, "height": 900}


class Opener:
    """Opens pages, each in a context of its own, and closes them all."""

    def __init__(
        self, browser: Browser, simulator: Simulator, name: str, drawers: str = ""
    ) -> None:
        """`drawers` are open on every page at first: of `inspector waves log`."""
        self.drawers = drawers
        self.browser = browser
        self.simulator = simulator
        self.name = re.sub(r"\W+", "-", name).strip("-")
        self.fronts: list[Front] = []
        self.watches: list[Watch] = []

    def context(self, **options: Any) -> tuple[BrowserContext, Watch]:
        options.setdefault("viewport", wide)
        context = self.browser.new_context(**options)
        context.set_default_timeout(places.patience_seconds * 1000)
        if self.drawers:
            context.add_init_script(
                "try { localStorage.getItem('drawers')"
                f" ?? localStorage.setItem('drawers', '{self.drawers}') }} catch {{ }}"
            )
        watch = Watch(context, lambda: self.simulator.url)
        self.watches.append(watch)
        return context, watch

    def open(self, path: str = "", **options: Any) -> Front:
        """Options are those of Playwright's `new_context`, such as `color_scheme="dark"`."""
        context, watch = self.context(**options)
        front = Front(context.new_page(), self.simulator, watch)
        self.fronts.append(front)
        front.page.goto(self.simulator.url + path)
        front.wait_until_connected()
        return front

    def picture(self, what: str) -> None:
        for number, front in enumerate(self.fronts):
            if not front.page.is_closed():
                front.picture(f"{self.name}-{what}-{number}")

    def agree(self) -> None:
        """Each page that is open says what the core says."""
        for front in self.fronts:
            if not front.page.is_closed() and front.page.locator("main .unit").count():
                agreement.check(front.page, self.simulator)

    def close(self) -> None:
        for front in self.fronts:
            front.page.context.close()
        for watch in self.watches:
            watch.check()


class Front:
    """One page."""

    def __init__(self, page: Page, simulator: Simulator, watch: Watch) -> None:
        self.page = page
        self.simulator = simulator
        self.watch = watch
        self.media: dict[str, Any] = {}  # how it is shown, unless as on a new page

    @property
    def panel(self) -> Locator:
        return self.page.get_by_role("main")

    def role(self, role: Any, name: str, **options: Any) -> Locator:
        """A part of the front panel, by what a screen reader would call it."""
        return self.panel.get_by_role(role, name=name, exact=True, **options)

    def wait(self, control: str, **wanted: object) -> State:
        """Waits until the core says so, and the page has heard it."""
        state = self.simulator.wait(control, **wanted)
        self.catch_up()
        return state

    def catch_up(self) -> None:
        """Waits until the page knows what has happened by now."""
        self.page.evaluate(
            """async ([seq, seconds]) => {
                const { store } = (await import("./page.js")).modules["core/store.js"];
                const end = performance.now() + seconds * 1000;
                while (store.snapshot.seq < seq && performance.now() < end)
                    await new Promise((done) => setTimeout(done, 10));
                await new Promise((done) => setTimeout(done, 40)); // states come beside events
            }""",
            [self.simulator.last()[1], places.patience_seconds],
        )

    def unit(self, control: str) -> Locator:
        """All that the page has of a control: label, lamp, part, value and remarks."""
        return self.page.locator(f'[id="c-{control}"]')

    def notes(self, control: str) -> Locator:
        """What is to be said about a control beside its value."""
        return self.page.locator(f'[id="c-{control}-notes"]')

    def lamp(self, label: str) -> Locator:
        return self.panel.get_by_role("img", name=re.compile(rf"^{re.escape(label)} lamp"))

    def wait_until_connected(self) -> None:
        expect(self.page.locator("#connection")).to_have_text("Connected")
        # The tools come behind the first picture, the log as the last of them.
        expect(self.page.locator("#log > *").first).to_be_attached()
        # The parts are at their places: what is pressed before may move away.
        expect(self.page.locator(".sheet[data-placed]:not([data-asks])")).to_be_attached()

    def look(self, viewport: dict[str, int] = wide, **media: Any) -> None:
        """How it is shown from now on: `color_scheme="dark"`, `forced_colors="active"` and others;
        what is not named is as on a new page."""
        plain = {"color_scheme": "light", "forced_colors": "none",
                 "reduced_motion": "no-preference", "contrast": "no-preference"}
        self.page.emulate_media(**plain | media)
        self.media = media
        if self.page.viewport_size != viewport:
            self.page.set_viewport_size(viewport)
        self.page.evaluate(
            """(width) => new Promise((done) => {
                const look = () => innerWidth === width
                    ? requestAnimationFrame(() => requestAnimationFrame(end))
                    : requestAnimationFrame(look);
                const end = () => {
                    // The panel has yet to say where the parts are in a window of this size.
                    if (document.querySelector(".sheet[data-asks]")) return requestAnimationFrame(end);
                    for (const motion of document.getAnimations())
                        if (motion instanceof CSSTransition) motion.finish();
                    done();
                };
                look();
            })""",
            viewport["width"],
        )

    @contextmanager
    def without_colour(self) -> Iterator[None]:
        """As somebody sees it who sees no colour at all."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
        yield
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        session.detach()

    def picture(self, name: str, kind: Literal["png", "jpeg"] = "png") -> None:
        """Kept in the folder of artefacts; as `jpeg` where there are many."""
        places.artefacts.mkdir(parents=True, exist_ok=True)
        path = places.artefacts / f"{name}.{kind}"
        quality = 70 if kind == "jpeg" else None
        self.page.screenshot(path=path, full_page=True, type=kind, quality=quality)

    def keys(self, locator: Locator, *keys: str) -> None:
        """Keys that come faster than any answer of the panel."""
        locator.focus()
        locator.evaluate(
            """(element, keys) => {
                for (const key of keys) for (const type of ["keydown", "keyup"]) {
                    element.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }));
                }
            }""",
            keys,
        )

    @contextmanager
    def held(self, locator: Locator) -> Iterator[None]:
        """A finger that is down on the middle of the element."""
        locator.scroll_into_view_if_needed()
        locator.hover()
        self.page.mouse.down()
        yield
        self.page.mouse.up()

    @contextmanager
    def key_held(self, locator: Locator, key: str) -> Iterator[None]:
        locator.focus()
        self.page.keyboard.down(key)
        yield
        self.page.keyboard.up(key)

    def overlapping(self, one: Locator, other: Locator) -> bool:
        a, b = one.bounding_box(), other.bounding_box()
        assert a and b, "one of them is not shown"
        return all(
            a[at] < b[at] + b[size] and b[at] < a[at] + a[size]
            for at, size in (("x", "width"), ("y", "height"))
        )

    def is_focused(self, locator: Locator) -> bool:
        return locator.evaluate("(element) => element === document.activeElement")
