"""Firefox, over the protocol that it has built in: a number of bytes, a colon, and JSON."""

from __future__ import annotations

import json
import shutil
import socket
import time
from pathlib import Path
from typing import Any

from support.window import Window, start_seconds

# Everything but this machine goes to a proxy that does not exist: Firefox asks nobody for news.
_preferences = {
    "marionette.port": 0,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "localhost, 127.0.0.1",
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.server": "",
}


def program() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


def missing() -> str | None:
    """What is to be installed for it."""
    if not program():
        return "there is no Firefox; on Debian: apt-get install firefox-esr"
    return None


class Firefox(Window):
    """Without a screen."""

    def start(self) -> None:
        profile = Path(self.home.name, "profile")
        profile.mkdir()
        lines = [
            f'user_pref("{name}", {json.dumps(value)});' for name, value in _preferences.items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        command = [str(program()), "--headless", "--no-remote", "--marionette"]
        self.spawn(
            [*command, "--width", "1280", "--height", "900", "--profile", str(profile)],
            env={"XDG_RUNTIME_DIR": self.home.name, "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        port = self._port(profile / "MarionetteActivePort")
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=start_seconds)
        self.answers = self.socket.makefile("rb")
        self.last = 0
        self._read()  # it introduces itself
        self._ask("WebDriver:NewSession", {"capabilities": {}})

    def end(self) -> None:
        if hasattr(self, "socket"):
            self._ask("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.socket.close()

    def say(self, command: str, **parameters: Any) -> Any:
        answer = self._ask(f"WebDriver:{command}", parameters)
        # An answer is its value, in an object or without one.
        return answer["value"] if isinstance(answer, dict) and "value" in answer else answer

    def _port(self, file: Path) -> int:
        """Firefox writes which port it has taken."""
        end = time.monotonic() + start_seconds
        while time.monotonic() < end:
            if file.exists() and (said := file.read_text().strip()):
                return int(said)
            assert self.processes[0].poll() is None, "Firefox does not start"
            time.sleep(0.05)
        raise AssertionError("Firefox names no port")

    def _ask(self, command: str, parameters: dict[str, Any]) -> Any:
        self.last += 1
        data = json.dumps([0, self.last, command, parameters]).encode()
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        _, number, error, answer = self._read()
        assert number == self.last, f"an answer to {number}, not to {self.last}"
        assert error is None, f"{command}: {error}"
        return answer

    def _read(self) -> Any:
        length = b""
        while (byte := self.answers.read(1)) != b":":
            assert byte, "Firefox has closed the connection"
            length += byte
        return json.loads(self.answers.read(int(length)))
