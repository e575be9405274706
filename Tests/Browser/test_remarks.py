"""Where remarks stand: at their control, over no label, no part and no other remark."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support import places
from support.front import Front, Opener
from support.simulator import RealPanel

widths = {1920: 1080, 1280: 800, 390: 844}

_covered = """
() => {
  const box = (e) => e.getBoundingClientRect();
  const isShown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && box(e).width > 2;
  const all = (unit, selector) => [...unit.querySelectorAll(selector)].filter(isShown);
  const units = [...document.querySelectorAll("main .unit")].filter((e) => e.checkVisibility());
  const words = ".label:not(.hidden), .value[data-said], .position, .words > .lamp";
  const things = units.flatMap((unit) =>
    [...all(unit, words).map((e) => [unit, e, true]),
     ...all(unit, ".plate, .cap, .turns, .readout").map((e) => [unit, e, false])]);
  const titles = [...document.querySelectorAll("main .face > h2:not(.hidden)")].map((e) => [null, e]);
  const found = [];
  const notes = units.filter((unit) => !("bare" in unit.dataset))
    .flatMap((unit) => all(unit, ".notes > .note").map((e) => [unit, e]));
  for (const [unit, note] of notes) {
    for (const [whose, thing, isWords] of [...things, ...titles, ...notes]) {
      // A sign may stand at the corner of its own part.
      if (thing === note || (whose === unit && !isWords)) continue;
      const [a, b] = [box(note), box(thing)];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) {
        found.push(`${unit.id}: ${note.textContent} over ${whose?.id} ${thing.className}`);
      }
    }
  }
  return found;
}
"""


def let_go(front: Front) -> None:
    front.page.evaluate("document.activeElement.blur()")
    front.page.mouse.move(0, 0)
    front.page.wait_for_timeout(100)  # the remarks are arranged before the next picture


@pytest.fixture(scope="module")
def overhead(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opener]:
    """On a machine that lacks the program of all its actions, here in place of datagrams."""
    text = re.sub(r'udp: \{to: [^,]*, text: ("[^"]*")\}', r"run: [sim-bridge, \1]",
                  places.panel("flight-overhead").read_text())
    file = tmp_path_factory.mktemp("overhead") / "panel.yaml"
    file.write_text(text)
    panel = RealPanel(file).start()
    opener = Opener(browser, panel, "overhead-fails")
    try:
        yield opener
        opener.close()
    finally:
        panel.stop()


@pytest.mark.parametrize("width", widths)
def test_a_cause_that_many_share_is_said_once(overhead: Opener, width):
    front = overhead.open(viewport={"width": width, "height": widths[width]})
    strip = front.page.locator("#causes")
    expect(strip).to_have_text("▲ 58 controls failed: sim-bridge was not found")
    let_go(front)
    front.picture(f"overhead-fails-{width}")
    note = front.notes("galley").locator(".note").first
    expect(note).to_be_visible()
    assert note.bounding_box()["width"] < 40, "a sign"
    assert front.page.evaluate(_covered) == []
    lever = front.role("switch", "Galley")
    lever.scroll_into_view_if_needed()
    lever.hover()
    expect(front.notes("galley")).to_contain_text("sim-bridge was not found")
    assert note.bounding_box()["width"] > 100, "all of its words"
    front.page.context.close()
    overhead.fronts.remove(front)


@pytest.mark.kind
def test_remarks_cover_nothing(front: Front):
    """Of many controls, each for another cause."""
    simulator = front.simulator
    failing = ["pump", "lights", "mute", "voltage", "range", "bus", "wave", "program", "set-point"]
    for code, control in enumerate(failing, start=1):
        simulator.action(control, "0ms", "fail", code=code)
        state, about = simulator.state(control), simulator.control(control)
        others = [value for value in about["values"] if value != state["value"]]
        simulator.set(control, others[0] if others else state["value"] + 1)
    for line in ("HEATER", "CALIBRATE", "TALK"):
        simulator.line(line, "cut")
    simulator.gesture("hoist", "flip", value="up")
    for control in failing:
        simulator.wait(control, phase="failed")
    simulator.clock("pause")
    for viewport in ({"width": 1280, "height": 900}, {"width": 390, "height": 844}):
        front.look(viewport)
        let_go(front)
        front.picture(f"remarks-{viewport['width']}")
        assert front.page.evaluate(_covered) == []
        assert front.page.locator("main .note:visible").count() >= len(failing)
    simulator.let_end()  # and what stays told
    let_go(front)
    assert front.page.evaluate(_covered) == []
    for line in ("HEATER", "CALIBRATE", "TALK"):
        simulator.line(line, "restore")


def test_at_rest_a_control_has_one_remark(front: Front):
    front.simulator.action("pump", "0ms", "fail", code=3)
    front.role("switch", "Circulation Pump").click()
    front.wait("pump", phase="failed", position="on")
    front.simulator.clock("pause")
    let_go(front)
    notes = front.notes("pump").locator(".note")
    expect(notes).to_have_count(3)
    seen = "(e) => e.checkVisibility({ opacityProperty: true })"
    assert [each.evaluate(seen) for each in notes.all()] == [True, False, False]
    front.role("switch", "Circulation Pump").hover()
    assert [each.evaluate(seen) for each in notes.all()] == [True, True, True]
    front.simulator.clock("run")
