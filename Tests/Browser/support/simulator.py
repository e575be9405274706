"""A simulated panel as a process of its own, and what it says over HTTP."""

from __future__ import annotations

import ctypes
import json
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support import places

seed = 20261121
State = dict[str, Any]


def die_with_the_parent() -> None:
    """For a child of this process: it ends when this one does, however that ends."""
    parent_death_signal = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL)


class Refused(Exception):
    """The panel answered with a problem."""

    def __init__(self, status: int, problem: State) -> None:
        super().__init__(f"{status}: {problem}")
        self.status = status
        self.problem = problem


class Simulator:
    """`detent sim` with one panel; it can die and come back at the same address."""

    token: str | None = None  # sent with each request

    def __init__(self, panel: Path) -> None:
        self.panel = panel
        self.url = ""
        self.process: subprocess.Popen[bytes] | None = None
        self._seen = ("", 0)
        self.log = places.artefacts / f"{panel.parent.name}-{panel.stem}-{id(self)}.log"

    def command(self, listen: str) -> list[object]:
        return [
            places.program, "sim", self.panel, "--listen", listen, "--seed", str(seed),
            "--bounce", "none", "--takes", "0ms",
        ]

    def start(self, listen: str | None = None) -> Simulator:
        listen = listen or "127.0.0.1:0"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(
                self.command(listen),
                cwd=places.root,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                preexec_fn=die_with_the_parent,
            )
        self.url = self._wait_for_url()
        return self

    def _wait_for_url(self) -> str:
        assert self.process
        end = time.monotonic() + places.patience_seconds
        while time.monotonic() < end:
            said = self.log.read_text(errors="replace")
            found = re.search(r"http://[^\s/]+/?", said)
            if found:
                return found.group().rstrip("/") + "/"
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"no address came from {self.panel}:\n{self.log.read_text()}")

    def kill(self) -> None:
        """As a crash: nothing is said to anybody."""
        assert self.process
        self.process.kill()
        self.process.wait(places.patience_seconds)

    def come_back(self) -> None:
        """Starts again at the address of before."""
        self.start(urllib.parse.urlsplit(self.url).netloc)

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.process and self.process.stdin:
            self.process.stdin.close()
        self.log.unlink(missing_ok=True)

    # HTTP

    def ask(self, method: str, path: str, body: object = None) -> tuple[Any, bytes]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=places.patience_seconds) as answer:
                return answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            text = error.read()
            try:
                problem = json.loads(text)
            except ValueError:
                problem = {"detail": text.decode(errors="replace")}
            raise Refused(error.code, problem) from None

    def get(self, path: str) -> Any:
        end = time.monotonic() + places.patience_seconds
        while True:
            try:
                return json.loads(self.ask("GET", path)[1])
            except Refused as refused:
                # Two seconds without an answer of the panel: a busy machine is slow.
                if refused.status != 503 or time.monotonic() > end:
                    raise

    def snapshot(self, control: str = "") -> State:
        """Of the panel, or of one of its controls."""
        snapshot = self.get(f"api/v1/panel?control={control}" if control else "api/v1/panel")
        self._seen = (snapshot["session"], snapshot["seq"])
        return snapshot

    def last(self) -> tuple[str, int]:
        """The session and the number of its last event. A snapshot costs ten times as much."""
        history = self.get("api/v1/history?limit=1")
        events = history["events"]
        return history["session"], events[-1]["seq"] if events else 0

    def state(self, control: str) -> State:
        # The whole panel costs the server six times as much.
        return self.snapshot(control)["state"][control]

    def control(self, control: str) -> State:
        return self.snapshot(control)["panel"]["controls"][0]

    def events(self, control: str | None = None) -> list[State]:
        query = f"?control={control}" if control else ""
        return self.get(f"api/v1/history{query}")["events"]

    def gesture(self, control: str, verb: str, **more: object) -> None:
        self.ask("POST", f"api/v1/controls/{control}/{verb}", more)

    def line(self, name: str, verb: str, **more: object) -> None:
        self.ask("POST", f"api/v1/lines/{urllib.parse.quote(name)}/{verb}", more)

    def simulate(self, control: str, **more: object) -> None:
        self.ask("POST", "api/v1/simulation", {"control": control, **more})

    def action(self, control: str, takes: str = "0ms", then: str = "succeed", **more: object):
        """How the control's action goes from now on."""
        self.simulate(control, action={"takes": takes, "then": then, **more})

    def clock(self, do: str, **more: object) -> None:
        self.ask("POST", "api/v1/clock", {"do": do, **more})

    def set(self, control: str, value: object) -> None:
        self.ask("PUT", f"api/v1/controls/{control}", {"value": value})

    def start_over(self) -> State:
        """Gives what the panel begins with."""
        self.clock("restart")
        snapshot = self.snapshot()
        if not snapshot["clock"]["running"]:
            self.clock("run")
        if snapshot["clock"]["rate"] != 1:
            self.clock("rate", rate=1)
        return snapshot

    def begin(self) -> None:
        """Starts the panel over, and lets each device confirm the value that it has."""
        snapshot = self.start_over()
        forms = [c for c in snapshot["panel"]["controls"] if c["kind"] == "form"]
        # What is staged in a form is confirmed when it is applied, and what is disabled later.
        staged = {member for form in forms for member in form["members"]}
        unknown = {
            name: state["value"]
            for name, state in snapshot["state"].items()
            if "unconfirmed" in state["flags"]
            and "disabled" not in state["flags"]
            and name not in staged
        }
        for name, value in unknown.items():
            self.set(name, value)

        def uncertain() -> list[str]:
            states = self.snapshot()["state"]
            return [
                name
                for name, state in states.items()
                if state["phase"] != "idle" or (name in unknown and state["actual"] == "unknown")
            ]

        everything = "all are confirmed but these"
        self.wait_until(uncertain, lambda names: not names, everything, self.pause)

    def let_end(self) -> None:
        """Lets six seconds pass at once, after which the clock stands."""
        self.clock("pause")
        self.clock("step", by="6s")

    # Waiting

    def wait(self, control: str, **wanted: object) -> State:
        """Waits until the control's state has these members; a function says whether one fits."""

        def fits(state: State) -> bool:
            return all(
                want(state[name]) if callable(want) else state[name] == want
                for name, want in wanted.items()
            )

        what = f"{control} {wanted}"
        return self.wait_until(lambda: self.state(control), fits, what, self.pause)

    def pause(self) -> None:
        """Until there was an event since the last snapshot. Some changes are no events, such as
        progress: therefore 80 ms at most."""
        end = time.monotonic() + 0.08
        while time.monotonic() < end and self.last() == self._seen:
            time.sleep(0.015)

    @staticmethod
    def wait_until(
        look: Callable[[], Any],
        fits: Callable[[Any], bool],
        what: str,
        pause: Callable[[], None] = lambda: time.sleep(0.02),
    ) -> Any:
        end = time.monotonic() + places.patience_seconds
        while True:
            seen = look()
            if fits(seen):
                return seen
            if time.monotonic() > end:
                raise AssertionError(f"it never came: {what}; it is {str(seen)[:500]}")
            pause()


class Simulators:
    """One process for each panel, started when it is first asked for."""

    def __init__(self) -> None:
        self._started: dict[Path, Simulator] = {}

    def of(self, panel: Path) -> Simulator:
        if panel not in self._started:
            self._started[panel] = Simulator(panel).start()
        return self._started[panel]

    def stop(self) -> None:
        for simulator in self._started.values():
            simulator.stop()


class RealPanel(Simulator):
    """`detent run` as on real lines, of which none moves by itself."""

    def command(self, listen: str) -> list[object]:
        return [places.program, "run", self.panel, "--backend", "sim", "--listen", listen]


def free_port() -> int:
    with socket.socket() as socket_:
        socket_.bind(("127.0.0.1", 0))
        return socket_.getsockname()[1]
