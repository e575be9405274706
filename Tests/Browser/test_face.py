"""The front panel as a face: sizes, places, holes, texts and contrasts, on every panel, at every
width and in every theme."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support import accessible, contrast, places
from support.eye import Eye
from support.front import Front, Opener
from support.simulator import Simulator, Simulators

widths = {1920: 1080, 1280: 800, 768: 1024, 390: 844}
themes = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
}
# A width decides where things are, not which colours they have: two widths stand for all.
measured = (1280, 390)
largest_hole = 0.25  # of the face; in one rectangle
# What is disabled need not stand out, and a plain button is its text. The two that turn a knob by one detent are told by their arrows,
# and the positions of a selector or a lever by their names, which are looked at as texts.
parts = ":is({}):not([aria-disabled=true], [aria-disabled=true] *, [data-style=plain])".format(
    "main button:not([aria-label^='One detent'], .position), main [role=combobox], main [role=spinbutton],"
    " main .lamp"
)

every_panel = [*places.real_panels, *sorted(places.own_panels.glob("*.yaml"))]


def name_of(panel: Path) -> str:
    return panel.parent.name if panel.stem == "panel" else panel.stem


@pytest.fixture(params=every_panel, ids=name_of, scope="module")
def panel(request, simulators: Simulators) -> Simulator:
    started = simulators.of(request.param)
    started.start_over()
    return started


@pytest.fixture(scope="module")
def face(panel: Simulator, browser: Browser) -> Iterator[Front]:
    """One page in all widths and themes. Its clock stands, so that nothing moves."""
    opened = Opener(browser, panel, name_of(panel.panel))
    front = opened.open(viewport={"width": 1920, "height": widths[1920]})
    panel.clock("pause")
    yield front
    opened.agree()
    opened.close()


_boxes = """(selector) => [...document.querySelectorAll(selector)]
    .filter((e) => e.checkVisibility() && !e.closest(".hidden"))
    .map((e) => {
        const box = e.getBoundingClientRect();
        return { left: box.left, top: box.top + scrollY, right: box.right,
                 bottom: box.bottom + scrollY, id: e.id || e.textContent.slice(0, 30) };
    })"""


def boxes(front: Front, selector: str) -> list[dict]:
    return front.page.evaluate(_boxes, selector)


def overlap(one: dict, other: dict) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return across > 1 and down > 1


@pytest.mark.parametrize("width", widths)
def test_the_face(face: Front, eye: Eye, width):
    """In each theme. A window that changes its width costs more than one that changes its theme."""
    name = name_of(face.simulator.panel)
    wrong = {}
    for theme, colors in themes.items():
        face.look({"width": width, "height": widths[width]}, **colors)
        if theme == "light" or width in measured:
            face.picture(f"face-{name}-{width}-{theme}", "jpeg")
        found = look(face, width)
        if width in measured:
            found["too faint"] = contrast.too_faint(face.page, eye, parts)
        wrong |= {f"{theme}: {what}": which for what, which in found.items() if which}
    assert wrong == {}


def test_axe_finds_nothing(face: Front):
    face.look({"width": 390, "height": widths[390]})
    assert accessible.violations(face.page, only_colors=True) == []
    face.look({"width": 1280, "height": widths[1280]})
    assert accessible.violations(face.page) == []


def test_nothing_moves_where_that_is_asked_for(face: Front):
    face.look({"width": 1280, "height": widths[1280]}, reduced_motion="reduce")
    moving = "document.getAnimations().filter((a) => a.playState === 'running').length"
    assert face.page.evaluate(moving) == 0


def test_a_narrow_window(face: Front):
    face.look({"width": 320, "height": 800})
    face.picture(f"narrow-{name_of(face.simulator.panel)}")
    assert scrolls_sideways(face) == []
    assert outside(face, 320) == []


def test_a_page_that_is_zoomed_in(face: Front):
    """To twice its size: half as many pixels are as wide as the window. Then letters of twice their
    size on it."""
    face.look({"width": 640, "height": 400})
    found = look(face, 640)
    assert {what: which for what, which in found.items() if which} == {}
    face.page.evaluate("document.documentElement.style.fontSize = '200%'")
    try:
        assert scrolls_sideways(face) == []
    finally:
        face.page.evaluate("document.documentElement.style.fontSize = ''")


def scrolls_sideways(front: Front) -> list[int]:
    widths = front.page.evaluate(
        "[document.scrollingElement.scrollWidth, document.documentElement.clientWidth]"
    )
    return widths if widths[0] > widths[1] else []


def outside(front: Front, width: int) -> list[str]:
    """What is operated or read that is cut off by an edge of the window."""
    return front.page.evaluate(
        """(width) => [...document.querySelectorAll("main button, main [tabindex], main .label")]
            .filter((e) => e.checkVisibility() && !e.closest(".hidden, .skip"))
            .map((e) => [e.getBoundingClientRect(), e])
            .filter(([box]) => box.width > 1 && (box.left < -0.5 || box.right > width + 0.5))
            .map(([, e]) => e.outerHTML.slice(0, 120))""",
        width,
    )


def out_of_order(front: Front) -> list[str]:
    """Controls that are read after one that they are above and left of."""
    return front.page.evaluate(
        """() => {
            const found = [];
            for (const group of document.querySelectorAll("main section, main [role=region]")) {
                const units = [...group.querySelectorAll(".unit")]
                    .filter((e) => e.checkVisibility()).map((e) => [e.id, e.getBoundingClientRect()]);
                for (let place = 1; place < units.length; place += 1) {
                    const [[before, one], [id, other]] = units.slice(place - 1, place + 1);
                    if (other.left < one.right - 1 && other.top < one.bottom - 1)
                        found.push(`${id} after ${before}`);
                }
            }
            return found;
        }"""
    )


def out_of_line(front: Front, is_phone: bool) -> list[str]:
    """Labels that are not above the middle of their switch, and lamps behind it. On a phone also
    switches of a group that stand below each other, one in a row, on different axes. A switch is a
    lever or a cap."""
    return front.page.evaluate(
        """(isPhone) => {
            const found = [];
            const middle = (box) => box.left + box.width / 2;
            for (const group of document.querySelectorAll("main .face")) {
                const rows = [];
                for (const part of group.querySelectorAll("[role=switch], [aria-pressed]")) {
                    const unit = part.closest(".unit");
                    if (!part.checkVisibility() || unit.querySelector(".caps")) continue;
                    const box = part.getBoundingClientRect();
                    const [label, lamp] = [".label", ".lamp"].map((name) => {
                        const each = unit.querySelector(name);
                        return each?.checkVisibility() && !each.closest(".hidden")
                            ? each.getBoundingClientRect() : null;
                    });
                    if (label && label.bottom < box.top
                            && Math.abs(middle(label) - middle(box)) > 2)
                        found.push(`the label of ${unit.id}`);
                    if (lamp && middle(lamp) > middle(box)) found.push(`the lamp of ${unit.id}`);
                    const y = box.top + box.height / 2;
                    const row = rows.find((each) => Math.abs(each.y - y) < 2);
                    if (row) row.switches.push([unit.id, middle(box)]);
                    else rows.push({ y, switches: [[unit.id, middle(box)]] });
                }
                if (!isPhone || rows.some(({ switches }) => switches.length > 1)) continue;
                const axes = rows.map(({ switches: [[, x]] }) => x);
                if (Math.max(...axes) - Math.min(...axes) > 2)
                    found.push(JSON.stringify(rows.map(({ switches }) => switches[0])));
            }
            return found;
        }""",
        is_phone,
    )


def look(front: Front, width: int) -> dict[str, list]:
    """What is wrong at a width."""
    units = boxes(front, ".unit")
    far = units[0]["top"] if width == 390 and units[0]["top"] >= widths[390] / 4 else None
    low = boxes(front, "#panel")[0]["top"]
    return {
        "controls lie over each other": [
            (one["id"], other["id"])
            for place, one in enumerate(units)
            for other in units[:place]
            if overlap(one, other)
        ],
        "outside": [u["id"] for u in units if u["left"] < 0 or u["right"] > width + 0.5],
        "holes": holes(front),
        "cut off": outside(front, width),
        "clipped": clipped(front),
        "letters are too small": small_letters(front),
        "words are broken": broken_words(front),
        "out of order": out_of_order(front),
        "uneven": uneven(front),
        "switches out of line": out_of_line(
            front, is_phone=width == 390 and front.simulator.panel in places.real_panels
        ),
        "the first control is too far down": [] if far is None else [far],
        "the face is too far down": [low] if width == 1280 and low >= 100 else [],
        "the first two groups are to be scrolled to": below(front) if width == 1280 else [],
    }


def below(front: Front) -> list[str]:
    """Controls of the first two groups that the window does not show as it opens. The panels of
    tests are not made for a window, and letters that have their least height are scrolled to."""
    scale = float(front.page.evaluate(
        "parseFloat(document.querySelector('.sheet').style.getPropertyValue('--u'))"))
    if front.simulator.panel not in places.real_panels or scale * 3 < 12:
        return []
    bench = front.page.locator("#strip").bounding_box()["height"]
    shown = widths[1280] - bench
    first = ".sheet > .face:nth-of-type(-n + 2) .unit"
    return [each["id"] for each in boxes(front, first) if each["bottom"] > shown]


def holes(front: Front) -> list[str]:
    """The largest rectangle between the groups without anything on it, if it is more than a tenth
    of the face."""
    [plate] = boxes(front, ".sheet")
    found = boxes(front, ".box")
    rights = max(each["right"] for each in found)
    bottoms = max(each["bottom"] for each in found)
    lefts = min(each["left"] for each in found)
    tops = min(each["top"] for each in found)
    across = sorted({lefts, rights} | {e[side] for e in found for side in ("left", "right")})
    down = sorted({tops, bottoms} | {e[side] for e in found for side in ("top", "bottom")})
    area = (plate["right"] - plate["left"]) * (plate["bottom"] - plate["top"])
    largest = 0.0
    for left, right in combinations(across, 2):
        column = [e for e in found if e["left"] < right - 1 and left < e["right"] - 1]
        for top, bottom in combinations(down, 2):
            size = (right - left) * (bottom - top)
            if size > largest and not any(
                e["top"] < bottom - 1 and top < e["bottom"] - 1 for e in column
            ):
                largest = size
    return [f"{largest / area:.0%} of the face is empty"] if largest > largest_hole * area else []


def clipped(front: Front) -> list[str]:
    """Texts that are cut off."""
    return front.page.evaluate(
        """() => [...document.querySelectorAll(
                "main :is(.label, .caption, .value, .note, .position span, h2, .chosen)")]
            .filter((e) => e.checkVisibility() && !e.closest(".hidden, .listing"))
            .filter((e) => {
                if (!e.textContent.trim() || e.querySelector("svg")) return false;
                const range = document.createRange();
                range.selectNodeContents(e);
                const text = range.getBoundingClientRect();
                // A remark lies over what is around its control.
                const place = e.matches(".note") ? "main" : "button, .readout, .unit, .face, .tray";
                const holder = e.closest(place).getBoundingClientRect();
                return text.left < holder.left - 1 || text.right > holder.right + 1;
            })
            .map((e) => e.textContent)""")


def small_letters(front: Front) -> list[str]:
    """Less than 11 pixels high, as they are drawn: some caps are scaled."""
    return front.page.evaluate(
        """() => [...document.querySelectorAll("main *")]
            .filter((e) => e.checkVisibility({ opacityProperty: true }) && !e.closest(".hidden"))
            .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
            .filter((e) => {
                const cap = e.closest(".cap");
                const scale = cap ? cap.getBoundingClientRect().width / cap.offsetWidth : 1;
                const shown = scale < 0.95 ? scale : 1; // lengths are whole pixels in one of them
                return parseFloat(getComputedStyle(e).fontSize) * shown < 10.95;
            })
            .map((e) => `${e.className}: ${e.textContent.slice(0, 30)}`)""")


def broken_words(front: Front) -> list[str]:
    """Words that go on in the next line. Beyond 24 letters, no plate has room for them."""
    return front.page.evaluate(
        """() => {
            const found = [];
            const names = "main :is(.label, .caption, .line, .position, .value, .note, .chosen)";
            for (const e of document.querySelectorAll(names)) {
                if (!e.checkVisibility() || e.closest(".hidden")) continue;
                const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
                for (let text = walker.nextNode(); text; text = walker.nextNode()) {
                    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\d]+/gu)) {
                        const range = document.createRange();
                        range.setStart(text, index);
                        range.setEnd(text, index + word.length);
                        const lines = new Set([...range.getClientRects()]
                            .filter((box) => box.width > 0).map((box) => Math.round(box.top)));
                        if (lines.size > 1 && word.length <= 24) found.push(word);
                    }
                }
            }
            return found;
        }""")


def uneven(front: Front) -> list[str]:
    """Segments of one control that differ in width."""
    return front.page.evaluate(
        """() => {
            const found = [];
            for (const caps of document.querySelectorAll(".caps")) {
                const widths = [...caps.children].map((cap) => cap.getBoundingClientRect().width);
                if (Math.max(...widths) - Math.min(...widths) > 1)
                    found.push(`${caps.textContent}: ${widths}`);
            }
            return found;
        }""")


_middles = """() => {
    const sheet = document.querySelector(".sheet");
    const from = sheet.getBoundingClientRect();
    const u = parseFloat(sheet.style.getPropertyValue("--u"));
    const parts = ".covered, .dial-plate .turns, .encoder > .turns,"
        + " .screen + .nudges, .throw .plate, .part:not(.encoder, .dial-plate)";
    return [sheet.dataset.width, Object.fromEntries([...sheet.querySelectorAll(".unit")]
            .filter((unit) => unit.checkVisibility()).map((unit) => {
        const part = unit.querySelector(parts) ?? unit.querySelector(".lamp") ?? unit;
        const { left, top, width, height } = part.getBoundingClientRect();
        return [unit.id.slice(2), [(left + width / 2 - from.left) / u,
                                   (top + height / 2 - from.top) / u]];
    }))];
}"""


def test_the_page_is_the_template(face: Front, tmp_path):
    """Each part is on the page where `detent face` drills its hole."""
    face.look({"width": 1280, "height": widths[1280]})
    # What a shut disclosure hides has its hole too.
    shut = face.panel.locator(".face[data-folded] [aria-expanded=false]:not(.lid)")
    for button in shut.all():
        button.click()
    width, shown = face.page.evaluate(_middles)
    drawing = tmp_path / "face.svg"
    subprocess.run(
        [str(places.program), "face", str(face.simulator.panel), "--svg", str(drawing),
         "--width", width],
        check=True, timeout=60, stderr=subprocess.DEVNULL,
    )
    drilled: dict[str, list[tuple[str, float, float]]] = {}
    for part, control, mark in re.findall(
        r'<g class="part" data-part="([^"]+)" data-control="([^"]+)">.*?class="mark" d="M([^"h]+)h6',
        drawing.read_text(), re.DOTALL,
    ):
        x, y = (float(word) for word in mark.split())
        drilled.setdefault(control, []).append((part, x + 3, y))
    # A control without hardware is on the page alone.
    assert drilled.keys() and drilled.keys() <= shown.keys()
    wrong = {}
    for control in drilled:
        x, y = shown[control]
        operated = [each for each in drilled[control] if "lamp" not in each[0]]
        holes = operated or drilled[control][:1]
        across, down = [each[1] for each in holes], [each[2] for each in holes]
        wanted = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
        if max(abs(x - wanted[0]), abs(y - wanted[1])) > 1:
            wrong[control] = ((x, y), wanted)
    assert wrong == {}


def test_the_overhead_panel_is_read_and_scrolls_down(browser: Browser, request):
    """Its letters keep their least height, so that no window shows it whole."""
    simulator = Simulator(places.panel("flight-overhead")).start()
    opener = Opener(browser, simulator, request.node.name)
    try:
        front = opener.open(viewport={"width": 1920, "height": widths[1920]})
        expect(front.page.locator(".sheet[data-placed]")).to_be_visible()
        assert small_letters(front) == []
        assert scrolls_sideways(front) == []
        front.page.mouse.wheel(0, 10_000)
        expect(front.panel.locator(".unit").last).to_be_in_viewport()
    finally:
        opener.close()
        simulator.stop()
