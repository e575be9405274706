"""Listens to a page for everything that must not happen."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request


class Watch:
    """Collects messages, failures and requests of a context's pages; at the end there are none."""

    def __init__(self, context: BrowserContext, url: Callable[[], str]) -> None:
        self.url = url
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        context.on("page", self._follow)

    def allow(self, pattern: str) -> None:
        """What a test brings about on purpose, such as the refusal of a server that was killed."""
        self._allowed.append(re.compile(pattern))

    def check(self) -> None:
        wrong = [t for t in self.troubles if not any(a.search(t) for a in self._allowed)]
        assert not wrong, "the page is not silent:\n" + "\n".join(wrong)

    def forget(self) -> None:
        """What was noted so far, and what was allowed."""
        self.troubles.clear()
        self.requests.clear()
        self._allowed.clear()

    def _follow(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._add(f"error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", lambda r: r.status >= 400 and self._add(f"{r.status}: {r.url}"))
        page.on("crash", lambda _: self._add("the page has crashed"))
        page.on("request", lambda request: self._request(request.url))
        page.on("dialog", lambda dialog: (self._add(f"dialog: {dialog.message}"), dialog.dismiss()))

    def _console(self, message: ConsoleMessage) -> None:
        # Hints of the browser, such as that a handler was slow on this machine; no page writes them.
        if message.type != "verbose":
            self._add(f"console {message.type}: {message.text} {message.location}")

    def _failed(self, request: Request) -> None:
        # A page that is left gives up its question for its places, which takes the server a while.
        is_left = "/api/v1/face?" in request.url and "ABORTED" in (request.failure or "")
        if not is_left:
            self._add(f"failed: {request.url} {request.failure}")

    def _request(self, url: str) -> None:
        self.requests.append(url)
        if not url.startswith((self.url(), "data:", "blob:")):
            self._add(f"a request to somebody else: {url}")

    def _add(self, trouble: str) -> None:
        # On a busy machine a face may take too long. The page asks again.
        if "/api/v1/face?" not in trouble or "503" not in trouble:
            self.troubles.append(trouble)
