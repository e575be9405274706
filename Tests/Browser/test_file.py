"""The drawer with the panel file: its text, its problems, and the panel beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from support import accessible, places
from support.front import Front, Opener
from support.simulator import Refused, Simulator

own = """\
panel: Bench
board: raspberry-pi-4b
controls:
  output:
    label: Output
    kind: switch
    input: GPIO17
    action: {run: [supply, "{value}"], timeout: 2s}
  level:
    label: Level
    kind: dial
    encoder: {a: GPIO5, b: GPIO6}
    range: {min: 0, max: 10}
"""


class EditedPanel:
    """A panel of its own in a folder, with a page that may change it."""

    def __init__(self, browser: Browser, folder, name: str, panel: str = own) -> None:
        self.file = folder / "panel.yaml"
        self.file.write_text(panel)
        self.simulator = Simulator(self.file).start()
        self.opener = Opener(browser, self.simulator, name)
        said = self.simulator.log.read_text()
        self.token = re.search(r"#edit=([0-9a-f]{32})\n", said)[1]

    def open(self, problems: str = "no problems", **options) -> Front:
        front = self.opener.open(f"#edit={self.token}", **options)
        front.page.get_by_role("button", name="File", exact=True).click()
        expect(text(front.page)).to_have_value(self.file.read_text().replace("\r\n", "\n"))
        expect(state(front.page)).to_contain_text(problems)
        return front

    def stop(self) -> None:
        self.opener.close()
        self.simulator.stop()


@pytest.fixture
def edited(browser: Browser, tmp_path, request) -> Iterator[EditedPanel]:
    panel = EditedPanel(browser, tmp_path, request.node.name)
    yield panel
    panel.stop()


@pytest.fixture
def written(browser: Browser, tmp_path, request) -> Iterator[EditedPanel]:
    """The panel that the test of Neovim has written."""
    file = Path(__file__).parent.parent / "Editors/written.panel.yaml"
    panel = EditedPanel(browser, tmp_path, request.node.name, file.read_text())
    yield panel
    panel.stop()


def text(page: Page):
    return page.get_by_role("textbox", name="Panel file")


def state(page: Page):
    return page.locator("#file-state")


def put_cursor(page: Page, before: str) -> None:
    """The cursor, before a text of the file."""
    text(page).evaluate(
        "(area, words) => { const at = area.value.indexOf(words);"
        " area.focus(); area.setSelectionRange(at, at); }",
        before,
    )


def test_a_problem_is_marked_and_its_fix_removes_it(edited):
    front = edited.open()
    put_cursor(front.page, "label: Level")
    front.page.keyboard.type("grup: Front\n")
    mark = front.page.locator("#file pre [data-mark=error]").first
    expect(mark).to_have_text("grup")
    expect(state(front.page)).to_contain_text("1 error")
    problem = front.page.get_by_role("list", name="Problems of the file").get_by_role("listitem")
    expect(problem).to_contain_text("group")
    fix = problem.get_by_role("button", name="Write `group`")
    expect(fix).to_be_visible()
    assert accessible.violations(front.page) == []
    front.picture("file")
    fix.click()
    expect(text(front.page)).to_have_value(re.compile("group: Front"))


def test_a_warning_is_read_in_the_line_and_below(written):
    front = written.open("1 warning")
    mark = front.page.locator("#file pre [data-mark=warning]").first
    problem = front.page.get_by_role("list", name="Problems of the file").get_by_role("listitem")
    for each in (mark, problem):
        expect(each).to_have_css("clip-path", "none")
        expect(each).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(problem).to_contain_text("display")
    front.picture("file-warning")


def test_on_a_phone_it_has_its_text(edited):
    edited.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)


def test_a_change_is_saved_and_the_panel_follows(edited):
    front = edited.open()
    put_cursor(front.page, "Level")
    front.page.keyboard.type("Loud ")
    expect(state(front.page)).to_contain_text("not saved")
    assert edited.file.read_text() == own
    front.page.keyboard.press("Control+s")
    expect(state(front.page)).to_contain_text("panel.yaml is saved")
    expect(front.panel).to_contain_text("Loud Level")
    assert edited.file.read_text() == own.replace("Level", "Loud Level")
    # Undo goes over the save.
    while text(front.page).input_value() != own:
        before = text(front.page).input_value()
        front.page.keyboard.press("Control+z")
        expect(text(front.page)).not_to_have_value(before)
    front.page.get_by_role("button", name="Save", exact=True).click()
    expect(state(front.page)).to_contain_text("panel.yaml is saved")
    assert edited.file.read_text() == own


def test_the_control_under_the_cursor_is_outlined(edited):
    front = edited.open()
    for control, words in [("level", "range: {"), ("output", "input: GPIO17")]:
        put_cursor(front.page, words)
        unit = front.page.locator(f"#c-{control}")
        expect(unit).to_have_attribute("data-selected", "true")


def test_a_part_leads_to_its_lines(edited):
    front = edited.open()
    put_cursor(front.page, "panel:")
    text(front.page).blur()
    front.page.locator("#c-level .part, #c-level").first.click()
    line = "area => area.value.slice(0, area.selectionStart).split('\\n').length"
    number = own.split("\n").index("  level:") + 1
    assert text(front.page).evaluate(line) == number


def test_a_change_of_another_program_is_not_lost(edited):
    front = edited.open()
    put_cursor(front.page, "label: Level")
    front.page.keyboard.type("# mine\n")
    theirs = own.replace("panel: Bench", "panel: Theirs")
    edited.file.write_text(theirs)
    expect(state(front.page)).to_contain_text("Another program has changed the file")
    front.watch.allow("412")
    front.page.keyboard.press("Control+s")
    expect(state(front.page)).to_contain_text("Another program has changed the file")
    assert edited.file.read_text() == theirs
    front.page.get_by_role("button", name="Load it").click()
    expect(text(front.page)).to_have_value(theirs)
    front.page.keyboard.press("Control+z")
    expect(text(front.page)).to_have_value(re.compile("# mine"))


def test_a_file_without_changes_here_follows_others(edited):
    front = edited.open()
    theirs = own.replace("panel: Bench", "panel: Theirs")
    edited.file.write_text(theirs)
    expect(text(front.page)).to_have_value(theirs)


def test_line_ends_and_mode_stay(edited):
    edited.file.write_bytes(own.replace("\n", "\r\n").encode())
    edited.file.chmod(0o640)
    front = edited.open()
    put_cursor(front.page, "label: Level")
    front.page.keyboard.type("help: Louder\n")
    front.page.keyboard.press("Control+s")
    expect(state(front.page)).to_contain_text("panel.yaml is saved")
    assert b"    help: Louder\r\n    label: Level\r\n" in edited.file.read_bytes()
    assert edited.file.stat().st_mode & 0o777 == 0o640


def test_without_the_token_there_is_no_drawer(edited):
    front = edited.opener.open()
    expect(front.page.get_by_role("button", name="Log", exact=True)).to_be_visible()
    expect(front.page.get_by_role("button", name="File", exact=True)).to_have_count(0)


def test_the_editor_is_no_part_of_the_first_load(edited):
    asked: list[str] = []
    context, _ = edited.opener.context()
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{edited.simulator.url}#edit={edited.token}")
    expect(page.get_by_role("button", name="Log", exact=True)).to_be_visible()
    expect(page.locator("#clock button").first).to_be_visible()
    assert not [url for url in asked if "/tools/file" in url]
    page.get_by_role("button", name="File", exact=True).click()
    expect(text(page)).to_have_value(own)
    assert [url for url in asked if url.endswith("/tools/file.js")]
    context.close()


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_the_file_needs_its_token(edited, method):
    body = None if method == "GET" else {"text": "x", "revision": "0"}
    with pytest.raises(Refused) as refused:
        edited.simulator.ask(method, "api/v1/file", body)
    assert refused.value.status == 403
    assert edited.file.read_text() == own


@pytest.mark.parametrize("option", ["--no-edit", "--run-actions"])
def test_it_can_be_off(tmp_path, option):
    file = tmp_path / "panel.yaml"
    file.write_text(own)

    class Locked(Simulator):
        def command(self, listen: str) -> list[object]:
            return [places.program, "sim", self.panel, "--listen", listen, option]

    simulator = Locked(file).start()
    try:
        said = simulator.log.read_text()
        assert "edit=" not in said
        assert ("--run-actions" in said) == (option == "--run-actions")
        with pytest.raises(Refused) as refused:
            simulator.ask("GET", "api/v1/file")
        assert refused.value.status == 409
    finally:
        simulator.stop()


def test_what_was_written_in_an_editor_is_changed_here(written):
    # A menu is better seen on a display, says the one remark.
    front = written.open("1 warning")
    mode = front.page.locator("#c-mode")
    expect(mode).not_to_contain_text("Dusk")
    put_cursor(front.page, "Night]")
    front.page.keyboard.type("Dusk, ")
    expect(state(front.page)).to_contain_text("not saved")
    front.page.keyboard.press("Control+s")
    expect(state(front.page)).to_contain_text("panel.yaml is saved")
    assert "options: [Day, Dusk, Night]" in written.file.read_text()
    dusk = mode.get_by_role("option", name="Dusk", include_hidden=True)
    expect(dusk).to_be_attached()
