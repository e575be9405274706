"""The waveforms, and the files that other programs read."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import Locator, expect

from support import places
from support.front import Front

drawers = "inspector waves log"


@pytest.fixture
def waves(front: Front) -> Locator:
    front.simulator.action("calibrate", "0ms")
    inspector = front.page.get_by_role("complementary", name="Inspector")
    choice = inspector.get_by_role("combobox", name="Control", exact=True)
    choice.select_option(label="Calibrate")
    return front.page.get_by_role("region", name="Waveforms")


def measure(waves: Locator, name: str) -> Locator:
    row = waves.locator("dl > div").filter(has=waves.page.get_by_text(name, exact=True))
    return row.locator("dd")


def press(front: Front) -> None:
    with front.held(front.role("button", "Calibrate")):
        front.wait("calibrate", pressed=[0])
    front.wait("calibrate", pressed=[])


def nanoseconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]


def test_the_canvas_has_a_name_that_tells_what_it_shows(front: Front, waves):
    press(front)
    canvas = waves.get_by_role("img")
    expect(canvas).to_have_accessible_name(re.compile(r"Waveforms of \d+ lanes.* [1-9]\d* edges"))


def test_the_table_has_the_edges(front: Front, waves):
    press(front)
    waves.get_by_role("button", name="Table").click()
    table = waves.get_by_role("table")
    expect(table).to_be_visible()
    raw = table.get_by_role("row").filter(has_text="CALIBRATE raw")
    expect(raw.filter(has_text=" active").or_(raw.filter(has_text="active")).first).to_be_visible()
    front.simulator.wait_until(
        lambda: raw.filter(has_text="inactive").count(), lambda n: n >= 1, "the release"
    )
    cells = table.get_by_role("row").nth(1).get_by_role("cell").all_inner_texts()
    assert len(cells) == 4 and cells[0].strip().endswith("s"), cells
    waves.get_by_role("button", name="Table").click()
    expect(table).to_be_hidden()
    expect(waves.get_by_role("application")).to_be_visible()


def test_markers_measure_the_time_between_them(front: Front, waves):
    front.simulator.gesture("calibrate", "hold", **{"for": "250ms"})
    front.simulator.wait_until(
        lambda: [e["event"] for e in front.simulator.events("calibrate")],
        lambda told: "clicked" in told,
        "the hold",
    )
    stage = waves.get_by_role("application")
    expect(waves.get_by_label("Lane", exact=True)).to_have_value(re.compile("CALIBRATE raw"))
    front.page.wait_for_timeout(200)
    stage.focus()
    stage.press("p")  # the release
    stage.press("b")
    stage.press("p")  # the press
    stage.press("a")
    expect(measure(waves, "Δt")).not_to_have_text("–")
    assert nanoseconds(measure(waves, "Δt").inner_text()) == pytest.approx(250e6, rel=0.02)
    expect(waves.get_by_role("status")).to_contain_text("B is 250 ms after A")


def test_buttons_do_what_keys_do(front: Front, waves):
    press(front)
    front.page.wait_for_timeout(200)
    waves.get_by_role("button", name="Previous edge").click()
    waves.get_by_role("button", name="Set marker B").click()
    waves.get_by_role("button", name="Previous edge").click()
    waves.get_by_role("button", name="Set marker A").click()
    expect(measure(waves, "Δt")).to_have_text(re.compile(r"\d"))
    for name in ("Zoom in", "Zoom out", "Earlier", "Later", "Next edge"):
        waves.get_by_role("button", name=name, exact=True).click()
    expect(waves.get_by_role("button", name="Follow")).to_be_visible()


def test_a_pause_moves_nothing(front: Front, waves):
    press(front)
    waves.get_by_role("button", name="Pause").click()
    canvas = waves.locator("canvas")
    canvas.scroll_into_view_if_needed()
    front.page.wait_for_timeout(200)
    box = canvas.bounding_box()
    # At the right there is some room for what comes next.
    clip = box | {"width": box["width"] * 0.8}
    before = front.page.screenshot(clip=clip)
    front.simulator.gesture("calibrate", "click")
    front.page.wait_for_timeout(500)
    assert front.page.screenshot(clip=clip) == before


def save(front: Front, place: Locator, button: str, folder) -> "places.Path":
    with front.page.expect_download() as download:
        place.get_by_role("button", name=button, exact=True).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def save_test(front: Front, clock: Locator, folder) -> list["places.Path"]:
    """One press keeps two files: the scenario, and what came of it."""
    record = clock.get_by_role("button", name=re.compile("Save as test"))
    saved = []
    front.page.on("download", lambda download: saved.append(download))
    record.click()
    front.simulator.wait_until(
        lambda: len(saved), lambda count: count == 2, "two files",
        pause=lambda: front.page.wait_for_timeout(20),
    )
    files = []
    for download in saved:
        files.append(folder / download.suggested_filename)
        download.save_as(files[-1])
    return files


def run(*command: object) -> str:
    ended = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, f"{command}: {ended.stdout}{ended.stderr}"
    return ended.stdout


def test_others_read_the_trace(front: Front, waves, tmp_path):
    press(front)
    front.role("switch", "Circulation Pump").click()
    front.wait("pump", value="on")
    file = save(front, waves, "Save VCD", tmp_path)
    assert file.suffix == ".vcd"
    assert "CALIBRATE" in file.read_text()
    if shutil.which("sigrok-cli"):
        shown = run("sigrok-cli", "-I", "vcd:downsample=1000", "-i", file, "--show")
        assert "CALIBRATE" in shown, shown
    for reader in ("vcd2fst", "vcd2lxt"):
        if shutil.which(reader):
            made = tmp_path / reader
            run(reader, file, made)
            assert made.stat().st_size > 100


def test_a_session_replays_as_a_scenario(front: Front, waves, tmp_path):
    """What was done by hand is a test from then on, and passes."""
    front.simulator.action("mute", "300ms", "fail", code=3)
    press(front)
    front.role("switch", "Circulation Pump").click()
    front.wait("pump", value="on")
    front.role("button", "Mute").click()
    front.wait("mute", phase="failed")
    front.role("radio", "200 V").click()
    front.wait("range", value="200 V")
    spin = front.role("spinbutton", "Set-Point")
    spin.focus()
    spin.press("ArrowUp")
    front.wait("set-point", value=5.5)
    front.simulator.clock("pause")

    clock = front.page.get_by_role("region", name="Clock")
    scenario, expected = save_test(front, clock, tmp_path)
    assert scenario.name == "every-kind.scenario.yaml"
    assert expected.name == "every-kind.scenario.expected"
    shutil.copy(front.simulator.panel, tmp_path / "panel.yaml")
    shutil.copy(front.simulator.panel, tmp_path / front.simulator.panel.name)
    assert expected.read_text().count("\n") > 10
    run(places.program, "test", scenario)
