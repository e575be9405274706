"""The plate as an object, measured: how much of it its controls cover, whether frames, axes and titles
stand in line, and whether nothing is stretched, on every panel at four widths."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support import places
from support.front import Front, Opener
from support.simulator import RealPanel, Simulators
from test_face import (
    broken_words, boxes, clipped, name_of, outside, overlap, scrolls_sideways, small_letters, widths,
)

least_covered = 0.3
most_stretched = 1.3
panels = [
    *places.real_panels,
    *(places.panel(name) for name in ("every-kind", "looks", "parts")),
]

_measure = """() => {
  const sheet = document.querySelector(".sheet");
  const u = parseFloat(sheet.style.getPropertyValue("--u"));
  const at = (e) => {
    const { left, top, right, bottom, width, height } = e.getBoundingClientRect();
    return { left, top: top + scrollY, right, bottom: bottom + scrollY, width, height };
  };
  const plate = at(sheet);
  const units = [...sheet.querySelectorAll(".unit")];
  const shown = units.map((e) => at(e));
  const frames = [...sheet.querySelectorAll(":scope > .box")].map(at);
  const room = at(document.getElementById("panel"));
  const found = { stretched: [], ends: [], titles: [], axes: [] };
  const isIn = (one, other) => other.left - 1 <= one.left && one.right <= other.right + 1
    && other.top - 1 <= one.top && one.bottom <= other.bottom + 1;
  const axes = [];
  for (const [place, frame] of frames.entries()) {
    const own = shown.filter((unit) => isIn(unit, frame));
    if (!own.length) continue;
    const title = [...sheet.querySelectorAll(".face > h2:not(.hidden)")].map((e) => {
      const range = document.createRange();
      range.selectNodeContents(e);
      return { ...at(e), words: range.getBoundingClientRect().width, text: e.textContent };
    }).find((each) => isIn({ ...each, right: each.left }, frame));
    const wide = Math.max(...own.map((e) => e.right)) - Math.min(...own.map((e) => e.left));
    const high = Math.max(...own.map((e) => e.bottom)) - Math.min(...own.map((e) => e.top));
    const name = title?.text ?? "-";
    // The room at the edges of a frame, for its title, and on the grid of 5 mm.
    const [across, down] = [Math.max(wide, title?.words ?? 0) + 15 * u, high + 15 * u];
    if (frame.width > MOST * across + u) found.stretched.push([name, "width", frame.width / across]);
    if (frame.height > MOST * down + u) found.stretched.push([name, "height", frame.height / down]);
    if (title && Math.abs(title.left - frame.left - 5 * u) > 1.5) found.titles.push(name);
    for (const other of frames.slice(place + 1)) {
      const isLast = (one) => !frames.some((each) =>
        Math.abs(each.top - one.bottom - 5 * u) < 1 && Math.abs(each.left - one.left) < 1);
      const isBeside = Math.abs(other.top - frame.top) < 1;
      if (isBeside && isLast(frame) && isLast(other) && Math.abs(other.bottom - frame.bottom) > 1) {
        found.ends.push([name, frame.bottom, other.bottom]);
      }
    }
  }
  for (const unit of units) {
    const part = unit.querySelector(".plate, .turns, .part.cap, .caps");
    if (!part || !unit.checkVisibility() || unit.querySelector(".lid")) continue;
    const box = at(part);
    axes.push([unit.id, (box.left + box.width / 2 - plate.left) / u]);
  }
  for (const [id, axis] of axes) {
    const near = axes.find(([, other]) => Math.abs(axis - other) > 0.4 && Math.abs(axis - other) < 2);
    if (near) found.axes.push([id, axis, ...near]);
  }
  const title = at(sheet.querySelector(".title"));
  if (Math.abs(title.left - Math.min(...frames.map((e) => e.left))) > 1) found.titles.push("panel");
  const middle = (box) => (box.left + box.right) / 2;
  return {
    ...found,
    covered: shown.reduce((sum, e) => sum + e.width * e.height, 0) / (plate.width * plate.height),
    aside: plate.width < room.width - 16 ? Math.abs(middle(plate) - middle(room)) : 0,
  };
}""".replace("MOST", str(most_stretched))

_targets = """() => [...document.querySelectorAll(
    "main button:not(.nudge, .push), main [role=combobox], main .turns, #bench button, #bench select")]
  .filter((e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .map((e) => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.width > 1 && Math.min(box.width, box.height) < 23.5)
  .map(([box, e]) => `${e.className} ${e.textContent.slice(0, 20)} ${box.width} x ${box.height}`)"""


def look(front: Front, width: int) -> dict[str, object]:
    """What is wrong at a width."""
    found = front.page.evaluate(_measure)
    units = boxes(front, ".unit")
    wrong = {
        "covers too little": [found["covered"]] if found["covered"] < least_covered else [],
        "not in the middle": [found["aside"]] if found["aside"] > 2 else [],
        "stretched": found["stretched"],
        "frames that do not end together": found["ends"],
        "titles beside their frames": found["titles"],
        "axes that nearly meet": found["axes"],
        "targets are too small": front.page.evaluate(_targets),
        "letters are too small": small_letters(front),
        "words are broken": broken_words(front),
        "clipped": clipped(front),
        "cut off": outside(front, width),
        "sideways": scrolls_sideways(front),
        "controls lie over each other": [
            (one["id"], other["id"])
            for place, one in enumerate(units) for other in units[:place] if overlap(one, other)
        ],
    }
    return {what: which for what, which in wrong.items() if which}


@pytest.fixture(params=panels, ids=name_of, scope="module")
def face(request, simulators: Simulators, browser: Browser) -> Iterator[Front]:
    panel = simulators.of(request.param)
    panel.start_over()
    opened = Opener(browser, panel, f"measure-{name_of(panel.panel)}")
    front = opened.open(viewport={"width": 1920, "height": widths[1920]})
    # What a disclosure hides has its room, too.
    for button in front.panel.locator(".face[data-folded] [aria-expanded=false]:not(.lid)").all():
        button.click()
    yield front
    opened.close()


@pytest.mark.parametrize("width", widths)
def test_the_plate_is_an_object(face: Front, width):
    face.look({"width": width, "height": widths[width]})
    wrong = look(face, width)
    assert not wrong, str(wrong)


@pytest.fixture(params=["lab-supply", "flight-overhead", "remote"], scope="module")
def running(request, browser: Browser) -> Iterator[Front]:
    """The page of a panel that runs, whose programs are missing."""
    panel = RealPanel(places.panel(request.param)).start()
    opened = Opener(browser, panel, f"measure-run-{request.param}")
    try:
        yield opened.open(viewport={"width": 1920, "height": widths[1920]})
        opened.close()
    finally:
        panel.stop()


@pytest.mark.parametrize("width", widths)
def test_the_page_of_a_running_panel(running: Front, width):
    running.look({"width": width, "height": widths[width]})
    wrong = look(running, width)
    wrong.pop("covers too little", None)  # the panel of the tests is not made for a window
    assert not wrong, str(wrong)


def wait(front: Front, condition: str, argument: str = "") -> None:
    """The page forbids what would ask by itself."""
    end = time.monotonic() + places.patience_seconds / 3
    while not front.page.evaluate(condition, argument):
        assert time.monotonic() < end, condition
        front.page.wait_for_timeout(50)


def test_the_inspector_stands_beside_the_panel(face: Front):
    """Where there is room; the plate is fitted to the rest. In a narrower window the inspected control
    is seen above it."""
    face.look({"width": 1280, "height": widths[1280]})
    tab = face.page.get_by_role("button", name="Inspector")
    tab.click()
    try:
        inspector = face.page.get_by_role("complementary", name="Inspector")
        expect(inspector).to_be_visible()
        wait(
            face,
            "() => document.querySelector('.sheet').getBoundingClientRect().right"
            " <= document.getElementById('inspector').getBoundingClientRect().left",
        )
        face.look({"width": 390, "height": widths[390]})
        last = face.page.locator("main .unit:visible").last
        last.scroll_into_view_if_needed()
        control = last.get_attribute("id")[2:]
        face.page.get_by_label("Control", exact=True).first.select_option(value=control)
        wait(
            face,
            """(id) => {
                const { top, bottom } = document.getElementById(id).getBoundingClientRect();
                const bench = document.getElementById("bench").getBoundingClientRect().top;
                return top < bench && bottom <= bench + 1 || bottom - top > bench;
            }""",
            f"c-{control}",
        )
    finally:
        tab.click()


def test_nothing_moves_when_the_clock_is_paused(face: Front):
    where = """() => [...document.querySelectorAll("#strip, #strip button, #strip select")]
        .map((e) => e.getBoundingClientRect()).map(({ left, top }) => [left, top])"""
    for width in (1280, 768):
        face.look({"width": width, "height": widths[width]})
        before = face.page.evaluate(where)
        face.page.get_by_role("button", name="Pause", exact=True).first.click()
        expect(face.page.get_by_role("timer")).to_contain_text("\u202f")
        assert face.page.evaluate(where) == before
        face.page.get_by_role("button", name="Run", exact=True).first.click()
