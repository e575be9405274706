"""WebKitGTK, over its WebDriver."""

from __future__ import annotations

import glob
import json
import os
import shutil
import time
import urllib.error
import urllib.request
from typing import Any

from support.simulator import free_port
from support.window import Window, start_seconds

browsers = "/usr/lib/*/webkit2gtk-4*/MiniBrowser"
_paths = {
    "Navigate": ("POST", "/url"),
    "ExecuteScript": ("POST", "/execute/sync"),
    "FindElement": ("POST", "/element"),
    "GetComputedRole": ("GET", "/element/{id}/computedrole"),
    "GetComputedLabel": ("GET", "/element/{id}/computedlabel"),
    "ElementClick": ("POST", "/element/{id}/click"),
    "ElementSendKeys": ("POST", "/element/{id}/value"),
    "PerformActions": ("POST", "/actions"),
    "TakeScreenshot": ("GET", "/screenshot"),
}


def missing() -> str | None:
    """What is to be installed for it."""
    if not shutil.which("WebKitWebDriver") or not glob.glob(browsers):
        return "there is no WebKitGTK driver; on Debian: apt-get install webkit2gtk-driver"
    if not shutil.which("Xvfb"):
        return "there is no screen to draw on; on Debian: apt-get install xvfb"
    return None


class WebKit(Window):
    """On a screen of its own."""

    def start(self) -> None:
        port = free_port()
        # No sandbox, since there are no user namespaces in most containers.
        environment = {
            "DISPLAY": self._start_screen(),
            "XDG_RUNTIME_DIR": self.home.name,
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        self.spawn(["WebKitWebDriver", f"--port={port}"], env=environment)
        self.base = f"http://127.0.0.1:{port}"
        options = {"binary": glob.glob(browsers)[0], "args": ["--automation"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        end = time.monotonic() + start_seconds
        while True:
            try:
                self.session = self._ask("POST", "/session", asked)["sessionId"]
                return
            except (ConnectionError, urllib.error.URLError):
                assert time.monotonic() < end, "WebKitGTK does not start"
                time.sleep(0.05)

    def end(self) -> None:
        if hasattr(self, "session"):
            self._ask("DELETE", f"/session/{self.session}")

    def say(self, command: str, **parameters: Any) -> Any:
        method, path = _paths[command]
        path = path.format(id=parameters.pop("id", ""))
        body = parameters if method == "POST" else None
        return self._ask(method, f"/session/{self.session}{path}", body)

    def _start_screen(self) -> str:
        read, write = os.pipe()
        self.spawn(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
            pass_fds=[write],
        )
        os.close(write)
        with os.fdopen(read) as answer:
            return ":" + answer.readline().strip()

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=start_seconds) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode(errors="replace")) from None
