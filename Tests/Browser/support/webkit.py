"""A second engine, WebKitGTK, spoken to by the few words of WebDriver that we need."""

from __future__ import annotations

import glob
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from support.simulator import die_with_the_parent, free_port

element_key = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name of what is an element
browsers = "/usr/lib/*/webkit2gtk-4*/MiniBrowser"


def missing() -> str | None:
    """What is to be installed for it."""
    if not shutil.which("WebKitWebDriver") or not glob.glob(browsers):
        return "there is no WebKitGTK driver; on Debian: apt-get install webkit2gtk-driver"
    if not shutil.which("Xvfb"):
        return "there is no screen to draw on; on Debian: apt-get install xvfb"
    return None


class WebKit:
    """One window on a screen of its own."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.home = tempfile.TemporaryDirectory(prefix="detent-webkit-")
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        screen = self._start_screen()
        port = free_port()
        # No sandbox, since there are no user namespaces in most containers.
        environment = os.environ | {
            "DISPLAY": screen,
            "HOME": self.home.name,
            "XDG_RUNTIME_DIR": self.home.name,
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        self._run(["WebKitWebDriver", f"--port={port}"], env=environment)
        self.base = f"http://127.0.0.1:{port}"
        options = {"binary": glob.glob(browsers)[0], "args": ["--automation"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        end = time.monotonic() + 20
        while True:
            try:
                self.session = self._ask("POST", "/session", asked)["sessionId"]
                return
            except (ConnectionError, urllib.error.URLError):
                assert time.monotonic() < end, "WebKitGTK does not start"
                time.sleep(0.05)

    def _start_screen(self) -> str:
        read, write = os.pipe()
        self._run(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
            pass_fds=[write],
        )
        os.close(write)
        with os.fdopen(read) as answer:
            return ":" + answer.readline().strip()

    def _run(self, command: list[str], **options: Any) -> None:
        self.processes.append(
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                preexec_fn=die_with_the_parent,
                **options,
            )
        )

    def close(self) -> None:
        if hasattr(self, "session"):
            self._ask("DELETE", f"/session/{self.session}")
        for process in reversed(self.processes):
            process.terminate()
            process.wait(10)
        self.home.cleanup()

    # What a hand does and an eye sees

    def open(self, url: str) -> None:
        self._window("POST", "/url", {"url": url})

    def run(self, script: str, *arguments: object) -> Any:
        """The body of a function; what it returns, and if that is a promise, what comes of it."""
        return self._window("POST", "/execute/sync", {"script": script, "args": arguments})

    def find(self, selector: str) -> str:
        found = self._window("POST", "/element", {"using": "css selector", "value": selector})
        return found[element_key]

    def role(self, element: str) -> str:
        return self._window("GET", f"/element/{element}/computedrole")

    def name(self, element: str) -> str:
        return self._window("GET", f"/element/{element}/computedlabel")

    def click(self, element: str) -> None:
        self._window("POST", f"/element/{element}/click", {})

    def type(self, element: str, keys: str) -> None:
        self._window("POST", f"/element/{element}/value", {"text": keys})

    def picture(self, path: Path) -> None:
        import base64

        path.write_bytes(base64.b64decode(self._window("GET", "/screenshot")))

    def _window(self, method: str, path: str, body: object = None) -> Any:
        return self._ask(method, f"/session/{self.session}{path}", body)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode(errors="replace")) from None
