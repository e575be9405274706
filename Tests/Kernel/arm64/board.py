"""An arm64 machine in qemu: Debian's kernel, a small Debian, and one shell script.

The script's output, errors and status come through three lines that the kernel does not write to.
Every wait has a bound in minutes, because qemu without hardware help on a busy host is slow.
"""

from __future__ import annotations

import json
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from cpio import Archive

# For one wait, in seconds of the host.
PATIENCE = 300.0

# The arguments of qemu for each board.
BOARDS = {
    "virt": ["-M", "virt", "-cpu", "cortex-a53", "-m", "1G"],
    "raspberry-pi-3b": ["-M", "raspi3b", "-m", "1G"],
}
CONSOLES = {"virt": "ttyAMA0", "raspberry-pi-3b": "ttyS1,115200"}
# The boards that have the three lines, and that can switch themselves off.
WITH_LINES = {"virt"}

# The machine counts its time in instructions, 2 ns each, and skips waiting. So no time in it
# depends on the host.
VIRTUAL_TIME = ["-icount", "shift=1,sleep=off"]


class Late(Exception):
    """A wait that was not over in its time."""


class Board:
    """One run of the machine. Use it in a `with` statement, which ends it and removes its files."""

    def __init__(
        self,
        home: Path,
        script: str,
        files: list[tuple[Path, str]],
        board: str = "virt",
        virtual_time: bool = False,
    ) -> None:
        """`files` are pairs of a file or folder of the host and its place in the machine."""
        self._folder = Path(tempfile.mkdtemp(prefix="detent-arm64-"))
        self._board = board
        with (self._folder / "initrd").open("wb") as initrd:
            with (home / "system.cpio").open("rb") as system:
                shutil.copyfileobj(system, initrd)
            archive = Archive(initrd)
            archive.add("job/run", stat.S_IFREG | 0o755, script.encode())
            for path, place in files:
                archive.add_file(path, place.strip("/"))
            archive.close()
        self.began = time.monotonic()
        with (self._folder / "qemu").open("wb") as log:
            self._qemu = subprocess.Popen(
                self._command(home, virtual_time), stdin=subprocess.DEVNULL, stderr=log
            )

    def __enter__(self) -> Board:
        # A step of `make test` that is stopped leaves neither qemu nor files behind.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._qemu.kill()
        self._qemu.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _command(self, home: Path, virtual_time: bool) -> list[str]:
        lines: list[str] = []
        serial = ["-serial", f"file:{self._folder}/console"]
        if self._board in WITH_LINES:
            lines = ["-device", "virtio-serial-pci"]
            for name in ("out", "errors", "control"):
                lines += ["-chardev", f"file,id={name},path={self._folder}/{name}"]
                lines += ["-device", f"virtconsole,chardev={name}"]
        else:  # its first line is another device
            serial = ["-serial", "null", *serial, "-dtb", str(home / f"{self._board}.dtb")]
        boot = f"console={CONSOLES[self._board]} quiet loglevel=4 panic=-1 rdinit=/init"
        return [
            *["qemu-system-aarch64", *BOARDS[self._board], "-display", "none", "-nodefaults"],
            *["-no-reboot", "-kernel", str(home / "vmlinuz"), "-append", boot],
            *["-initrd", f"{self._folder}/initrd", *serial, *lines],
            *["-qtest", f"unix:{self._folder}/qtest,server=on,wait=off", "-qtest-log", "none"],
            *["-qmp", f"unix:{self._folder}/qmp,server=on,wait=off"],
            *(VIRTUAL_TIME if virtual_time else []),
        ]

    def socket(self, name: str) -> Path:
        """The socket `qmp` or `qtest`."""
        return self._folder / name

    def read(self, name: str) -> str:
        """What came so far through `out`, `errors`, `control`, `console` or `qemu`."""
        path = self._folder / name
        return path.read_text(errors="replace").replace("\r\n", "\n") if path.exists() else ""

    def wait(self, holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Waits for a condition, while the machine runs."""
        until = time.monotonic() + seconds
        while not holds():
            if self._qemu.poll() is not None and not holds():
                raise Late(f"the machine has ended before {what}{self._last_words()}")
            if time.monotonic() > until:
                raise Late(f"{what}: not in {seconds:.0f} s{self._last_words()}")
            time.sleep(0.02)

    def status(self, seconds: float) -> int:
        """Waits for the end of the script; its status."""
        line = "control" if self._board in WITH_LINES else "console"

        def said() -> list[str]:
            words = [text.split() for text in self.read(line).splitlines()]
            return [word[1] for word in words if len(word) == 2 and word[0] == "status"]

        self.wait(lambda: bool(said()), "the end of the script", seconds)
        return int(said()[0])

    def _last_words(self) -> str:
        names = ("out", "errors", "console", "qemu")
        return "".join(f"\n-- {name}:\n{self.read(name)[-2000:]}" for name in names)


class Fingers:
    """Moves and watches the lines of the PL061, the chip of the board `virt`, from outside.

    The levels go through qemu's socket for tests of devices. Nothing in the machine helps.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._answers: list[str] = []
        self._edges: list[tuple[float, int, bool]] = []
        self._qtest = self._open("qtest")
        threading.Thread(target=self._listen, daemon=True).start()
        self._chip = self._find_chip()
        self._ask(f"irq_intercept_out {self._chip}")

    def set(self, line: int, high: bool) -> None:
        """Sets the level of an input."""
        self._ask(f"set_irq_in {self._chip} unnamed-gpio-in {line} {int(high)}")

    @property
    def edges(self) -> int:
        """How many changes of outputs were seen."""
        return len(self._edges)

    def follow(self, line: int, high: bool, since: int) -> float:
        """Waits until an output changes to a level, after so many changes; the moment."""

        def found() -> list[float]:
            return [edge[0] for edge in self._edges[since:] if edge[1:] == (line, high)]

        self._board.wait(lambda: bool(found()), f"line {line} to become {high}")
        return found()[0]

    def _open(self, name: str) -> TextIO:
        path = self._board.socket(name)
        self._board.wait(path.exists, f"the socket {name}")
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(path))
        return connection.makefile("rw")

    def _listen(self) -> None:
        for text in self._qtest:
            words = text.split()
            if words[:1] == ["IRQ"]:
                self._edges.append((time.monotonic(), int(words[2]), words[1] == "raise"))
            else:
                self._answers.append(text.strip())

    def _ask(self, text: str) -> None:
        count = len(self._answers)
        self._qtest.write(text + "\n")
        self._qtest.flush()
        self._board.wait(lambda: len(self._answers) > count, f"the answer to `{text}`")
        if not self._answers[count].startswith("OK"):
            raise Late(f"`{text}`: {self._answers[count]}")

    def _find_chip(self) -> str:
        qmp = self._open("qmp")
        qmp.readline()

        def ask(command: str, **arguments: str) -> Any:
            qmp.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
            qmp.flush()
            while True:
                answer = json.loads(qmp.readline())
                if "return" in answer:
                    return answer["return"]
                if "error" in answer:
                    raise Late(f"{command}: {answer['error']}")

        ask("qmp_capabilities")
        for item in ask("qom-list", path="/machine/unattached"):
            if item["type"] == "child<pl061>":
                return f"/machine/unattached/{item['name']}"
        raise Late("qemu has no pl061")
