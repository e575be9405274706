"""Somebody at a keyboard writes a panel in Neovim with completions, and fixes a mistake.

Nothing but keys is sent. Each choice in a menu of completions is one that the server offers.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

pynvim = pytest.importorskip("pynvim")
root = Path(__file__).resolve().parent.parent.parent
neovim = shutil.which("nvim")
pytestmark = pytest.mark.skipif(not neovim, reason="there is no Neovim")
patience_seconds = 30


def settings() -> str:
    """What docs/editors.md tells to write."""
    text = (root / "docs/editors.md").read_text()
    return re.search(r"```lua\n(.*?)```", text, re.DOTALL).group(1)


class Typist:
    def __init__(self, folder: Path) -> None:
        program = Path(os.environ["DETENT_PROGRAM"])
        (folder / "init.lua").write_text(settings() + "vim.opt.swapfile = false\n")
        names = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}",
                 "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
        os.environ.update(names)
        self.editor = pynvim.attach(
            "child", argv=[neovim, "--embed", "--headless", "-u", str(folder / "init.lua")])
        self.folder = folder

    def keys(self, keys: str) -> None:
        while keys:
            taken = self.editor.input(keys)
            keys = keys.encode()[taken:].decode()

    def until(self, what: str, is_so: Callable[[], Any]) -> Any:
        end = time.monotonic() + patience_seconds
        while time.monotonic() < end:
            found = is_so()
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"{what}; the text is:\n{self.text}")

    @property
    def text(self) -> str:
        return "\n".join(self.editor.current.buffer[:]) + "\n"

    def open(self, name: str) -> None:
        """Begins a file that is not there yet."""
        assert not (self.folder / name).exists()
        self.editor.command(f"edit {self.folder / name}")
        self.until("the server has started", lambda: self.editor.exec_lua(
            "local c = vim.lsp.get_active_clients()[1]; return c ~= nil and c.initialized == true"))

    def line(self, indent: int) -> None:
        """Begins a line: Ctrl-D takes away what the editor has put before it."""
        count = len(self.editor.current.buffer)
        self.keys("<CR>")
        self.until("the line is there", lambda: len(self.editor.current.buffer) > count)
        self.keys("0<C-d>" + " " * indent)
        self.until("it is indented", lambda: self.editor.current.line == " " * indent)

    def choose(self, letters: str, word: str) -> None:
        """Types letters, asks for completions, and takes one of them with the keys of the menu."""
        self.keys(letters)
        self.until("the letters are there", lambda: self.editor.current.line.endswith(letters))
        self.keys("<C-x><C-o>")
        words = self.until(f"a menu for {letters!r}", lambda: [
            item["word"].rstrip(": ") for item in self.editor.call(
                "complete_info", ["items"])["items"]])
        assert word in words, f"{word} is not offered: {words}"
        for _ in range(words.index(word)):
            self.keys("<C-n>")
        self.until(f"{word} is chosen", lambda: self.editor.current.line.rstrip(": ").endswith(word))
        # Without a menu, this key takes the letter above.
        if self.editor.call("pumvisible"):
            self.keys("<C-y>")
            self.until("the menu is closed", lambda: not self.editor.call("pumvisible"))

    def problems(self) -> list[str]:
        return self.editor.exec_lua(
            "return vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))")


@pytest.fixture
def typist(tmp_path: Path) -> Iterator[Typist]:
    typist = Typist(tmp_path)
    yield typist
    typist.editor.command("qall!", async_=True)
    typist.editor.close()


def begin(typist: Typist, name: str, letters: str, kind: str, label: str) -> None:
    """A control with its kind and its label."""
    typist.line(2)
    typist.keys(f"{name}:")
    typist.line(4)
    typist.choose("kin", "kind")
    typist.choose(letters, kind)
    typist.line(4)
    typist.choose("lab", "label")
    typist.keys(label)


def encoder(typist: Typist, lines: dict[str, str]) -> None:
    typist.line(4)
    typist.choose("enc", "encoder")
    typist.keys(" {")
    for place, (contact, line) in enumerate(lines.items()):
        typist.keys(", " if place else "")
        typist.choose(contact, contact)
        typist.choose("GPIO2", line)
    typist.keys("}")


def test_a_panel_with_a_switch_a_knob_and_a_menu_is_written(typist: Typist) -> None:
    typist.open("panel.yaml")
    typist.keys("i")
    typist.choose("pan", "panel")
    typist.keys("Den")
    typist.line(0)
    typist.choose("boa", "board")
    typist.choose("rasp", "raspberry-pi-5")
    typist.line(0)
    typist.choose("con", "controls")
    begin(typist, "light", "swi", "switch", "Light")
    typist.line(4)
    typist.choose("inp", "input")
    typist.choose("GPIO1", "GPIO17")
    begin(typist, "level", "dia", "dial", "Level")
    encoder(typist, {"a": "GPIO22", "b": "GPIO23"})
    typist.line(4)
    typist.choose("ran", "range")
    typist.keys(" {")
    typist.choose("mi", "min")
    typist.keys("0, ")
    typist.choose("ma", "max")
    typist.keys("10}")
    typist.line(4)
    typist.choose("ena", "enabled-when")
    typist.choose("lig", "light is on")
    begin(typist, "mode", "pop", "pop-up", "Mode")
    typist.line(4)
    typist.choose("opt", "options")
    typist.keys("[Day, Night]")
    encoder(typist, {"a": "GPIO24", "b": "GPIO25", "push": "GPIO27"})
    typist.keys("<Esc>:write<CR>")
    file = typist.folder / "panel.yaml"
    typist.until(
        "the file is written", lambda: file.exists() and file.read_text() == typist.text)
    # The test of the page's drawer goes on with this file.
    assert file.read_text() == (root / "Tests/Editors/written.panel.yaml").read_text()
    found = subprocess.run(
        [os.environ["DETENT_PROGRAM"], "check", file], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + file.read_text()
    # A menu is better seen on a display, says the last mark.
    typist.until("one mark is left", lambda: [
        "add a display" in problem for problem in typist.problems()] == [True])


def test_words_with_signs_are_completed_as_a_whole(typist: Typist) -> None:
    """A dash and a brace are no letters of a word to Neovim."""
    typist.open("panel.yaml")
    typist.keys("ipanel: Dash")
    typist.line(0)
    typist.keys("board: ")
    typist.choose("raspberry-", "raspberry-pi-5")
    typist.line(0)
    typist.keys("controls:")
    typist.line(2)
    typist.keys("mode:")
    typist.line(4)
    typist.keys("kind: ")
    typist.choose("radio-g", "radio-group")
    typist.line(4)
    typist.keys("label: Mode")
    typist.line(4)
    typist.keys("buttons: [GPIO17, GPIO22]")
    typist.line(4)
    typist.keys("options: [Day, Night]")
    typist.line(4)
    typist.choose("enabled-", "enabled-when")
    typist.keys("lamp is on")
    typist.line(4)
    typist.keys("action: {timeout: 2s, run: [mode, ")
    typist.choose('"{', "{value}")
    typist.keys('"]}')
    typist.line(2)
    typist.keys("lamp:")
    typist.line(4)
    typist.keys("kind: ")
    typist.choose("switch", "switch")
    typist.line(4)
    typist.keys("label: Lamp")
    typist.line(4)
    typist.keys("input: GPIO27")
    typist.line(4)
    typist.keys("output: GPIO5")
    typist.line(4)
    typist.choose("on-e", "on-exit")
    typist.keys("off<Esc>")
    assert typist.text == """\
panel: Dash
board: raspberry-pi-5
controls:
  mode:
    kind: radio-group
    label: Mode
    buttons: [GPIO17, GPIO22]
    options: [Day, Night]
    enabled-when: lamp is on
    action: {timeout: 2s, run: [mode, "{value}"]}
  lamp:
    kind: switch
    label: Lamp
    input: GPIO27
    output: GPIO5
    on-exit: off
"""


def test_a_mistake_is_marked_and_fixed(typist: Typist) -> None:
    typist.open("panel.yaml")
    typist.keys("ipanel: P")
    typist.line(0)
    typist.keys("board: none")
    typist.line(0)
    typist.keys("controls:")
    typist.line(2)
    typist.keys("a: {kind: swich, label: A, input: X}<Esc>")
    typist.until("the mistake is marked", lambda: any(
        "did you mean `switch`?" in problem for problem in typist.problems()))
    typist.editor.exec_lua(
        "vim.ui.select = function(items, _, choice) choice(items[1], 1) end")
    typist.keys(":lua vim.lsp.buf.code_action()<CR>")
    typist.until("the mistake is fixed", lambda: "kind: switch," in typist.text)
    typist.until("no mark is left", lambda: not typist.problems())
