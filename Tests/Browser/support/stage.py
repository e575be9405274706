"""A page that is kept from one test to the next, since to load it costs more than most tests."""

from __future__ import annotations

from playwright.sync_api import Browser

from support.front import Front, Opener, wide
from support.simulator import Simulator

# As a page that was just loaded: nothing has the focus, is sought, is said or is remembered, and the
# first control is chosen. The tab key starts at the first stop again.
_begin = """
async ([session, seq]) => {
  const { store } = (await import("./page.js")).modules["core/store.js"];
  const end = performance.now() + 10_000;
  while ((store.snapshot.session !== session || store.snapshot.seq < seq)
      && performance.now() < end) await new Promise((done) => setTimeout(done, 10));
  document.activeElement.blur();
  document.body.tabIndex = -1;
  document.body.focus({ preventScroll: true });
  document.body.removeAttribute("tabindex");
  document.body.blur();
  store.select(null);
  for (const field of document.querySelectorAll("#drawers input")) {
    field.value = field.defaultValue;
    field.dispatchEvent(new Event("input"));
  }
  store.select(store.snapshot.panel.controls[0].id);
  for (const said of document.querySelectorAll("main > [role]")) said.textContent = "";
  localStorage.clear();
  sessionStorage.clear();
  scrollTo(0, 0);
  return store.snapshot.session === session;
}
"""


class Stage:
    """The kept page of one panel. The panel has been started over when it is asked for."""

    def __init__(self, browser: Browser, simulator: Simulator, drawers: str = "") -> None:
        self._opener = Opener(browser, simulator, "kept", drawers)
        self._front: Front | None = None

    def front(self) -> Front:
        front = self._front
        if front is None:
            front = self._front = self._opener.open()
            return front
        if front.media or front.page.viewport_size != wide:
            front.look()
        front.page.mouse.move(0, 0)
        heard = front.page.evaluate(_begin, front.simulator.last())
        assert heard, "the page has not heard that the panel started over"
        return front

    def check(self) -> None:
        """After a test: nothing was complained of. The next test begins with no complaint."""
        for watch in self._opener.watches:
            watch.check()
            watch.forget()

    def drop(self) -> None:
        """The next test gets a page that is loaded anew."""
        for front in self._opener.fronts:
            front.page.context.close()
        self._opener.fronts.clear()
        self._opener.watches.clear()
        self._front = None
