"""A window of another engine than Chromium, spoken to by the few words of WebDriver that we need."""

from __future__ import annotations

import base64
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from support.simulator import die_with_the_parent

start_seconds = 120  # for a browser to start beside other work of the machine
element_key = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name of what is an element
# WebDriver's keys that are no characters.
enter, escape, page_up = "\ue007", "\ue00c", "\ue00e"
left, up, right, down = "\ue012", "\ue013", "\ue014", "\ue015"


class Window:
    """The first window of a browser with a home of its own. An engine says how it is started, and
    how a command of WebDriver reaches it."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.home = tempfile.TemporaryDirectory(
            prefix="detent-browser-", ignore_cleanup_errors=True
        )
        self.said = Path(self.home.name, "said").open("wb+")
        try:
            self.start()
        except Exception as cause:
            self.said.seek(0)
            said = self.said.read()[-1500:].decode(errors="replace")
            ended = [process.poll() for process in self.processes]
            self._end_processes()
            raise AssertionError(
                f"{type(self).__name__} does not start: {cause!r};"
                f" its processes: {ended} (None runs); they said:\n{said}"
            ) from cause

    def start(self) -> None:
        raise NotImplementedError

    def end(self) -> None:
        """Asks the browser to end; its processes are ended afterwards."""
        raise NotImplementedError

    def say(self, command: str, **parameters: Any) -> Any:
        """The answer to one command, by its name in the WebDriver standard, such as `ElementClick`;
        `id` is the element that it is about."""
        raise NotImplementedError

    def spawn(self, command: list[str], **options: Any) -> None:
        environment = os.environ | options.pop("env", {}) | {"HOME": self.home.name}
        self.processes.append(
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=self.said,
                stderr=self.said,
                preexec_fn=die_with_the_parent,
                env=environment,
                **options,
            )
        )

    def close(self) -> None:
        try:
            self.end()
        finally:
            self._end_processes()

    def _end_processes(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
        self.said.close()
        self.home.cleanup()

    # What a hand does and an eye sees

    def open(self, url: str) -> None:
        self.say("Navigate", url=url)

    def run(self, script: str, *arguments: object) -> Any:
        """The body of a function; what it returns, and if that is a promise, what comes of it."""
        return self.say("ExecuteScript", script=script, args=list(arguments))

    def evaluate(self, function: str) -> Any:
        """As that of a page of Playwright."""
        return self.run(f"return ({function.strip()})()")

    def find(self, selector: str) -> str:
        return self.say("FindElement", using="css selector", value=selector)[element_key]

    def role(self, element: str) -> str:
        return self.say("GetComputedRole", id=element)

    def name(self, element: str) -> str:
        return self.say("GetComputedLabel", id=element)

    def click(self, element: str) -> None:
        self.say("ElementClick", id=element)

    def type(self, element: str, keys: str) -> None:
        self.say("ElementSendKeys", id=element, text=keys)

    def hold(self, element: str, milliseconds: int) -> None:
        """A button of the mouse that is down on the element for so long."""
        actions = [
            {"type": "pointerMove", "duration": 0, "origin": {element_key: element}, "x": 0, "y": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": milliseconds},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        self.say("PerformActions", actions=[mouse])

    def picture(self, path: Path) -> None:
        taken = self.say("TakeScreenshot")
        path.write_bytes(base64.b64decode(taken))
