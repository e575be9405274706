"""The front panel as a face: sizes, places, holes, texts and contrasts, on every panel, at every
width and in every theme."""

from __future__ import annotations

from collections.abc import Iterator
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
largest_hole = 0.10  # of the face
# What is disabled need not stand out. The two that turn a knob by one detent are told by their arrows.
parts = ":is({}):not([aria-disabled=true], [aria-disabled=true] *)".format(
    "main button:not([aria-label^='One detent']), main [role=combobox], main [role=spinbutton],"
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
    front.look()
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


@pytest.mark.parametrize("theme", themes)
def test_the_face(face: Front, eye: Eye, theme):
    name = name_of(face.simulator.panel)
    wrong = {}
    for width, height in widths.items():
        face.look({"width": width, "height": height}, **themes[theme])
        face.picture(f"face-{name}-{width}-{theme}", "jpeg")
        found = look(face, width)
        if width in measured:
            found["too faint"] = contrast.too_faint(face.page, eye, parts)
        wrong |= {f"{width}: {what}": which for what, which in found.items() if which}
    assert wrong == {}


def test_axe_finds_nothing(face: Front):
    face.look({"width": 1280, "height": widths[1280]})
    assert accessible.violations(face.page) == []
    face.look({"width": 390, "height": widths[390]})
    assert accessible.violations(face.page, only_colors=True) == []


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


def test_nothing_moves_where_that_is_asked_for(face: Front):
    face.look(reduced_motion="reduce")
    moving = "document.getAnimations().filter((a) => a.playState === 'running').length"
    assert face.page.evaluate(moving) == 0


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


def look(front: Front, width: int) -> dict[str, list]:
    """What is wrong at a width."""
    units = boxes(front, ".unit")
    far = units[0]["top"] if width == 390 and units[0]["top"] >= widths[390] / 4 else None
    low = boxes(front, ".face")[0]["top"]
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
        "out of order": out_of_order(front),
        "uneven": uneven(front),
        "the first control is too far down": [] if far is None else [far],
        "the face is too far down": [low] if width == 1280 and low >= 100 else [],
    }


def holes(front: Front) -> list[str]:
    """Room below a column of groups that is more than a tenth of the face."""
    [plate] = boxes(front, "#panel")
    area = (plate["right"] - plate["left"]) * (plate["bottom"] - plate["top"])
    bottom = max(face["bottom"] for face in boxes(front, ".face"))
    found = []
    for column in boxes(front, ".column"):
        hole = (bottom - column["bottom"]) * (column["right"] - column["left"])
        if hole > largest_hole * area:
            found.append(f"{hole / area:.0%} of the face is empty below {column['id']}")
    return found


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
                const holder = e.closest("button, .readout, .unit, .face").getBoundingClientRect();
                return text.left < holder.left - 1 || text.right > holder.right + 1;
            })
            .map((e) => e.textContent)""")


def uneven(front: Front) -> list[str]:
    """Switches whose part is not in the trailing column, or not on one line with its label, and
    segments of one control that differ in width."""
    return front.page.evaluate(
        """() => {
            const found = [];
            const middle = (box) => (box.top + box.bottom) / 2;
            for (const unit of document.querySelectorAll(
                    ".unit:is([data-look=lever], [data-look=small])")) {
                const part = unit.querySelector(".part").getBoundingClientRect();
                const own = unit.getBoundingClientRect();
                const words = unit.querySelector(".words").getBoundingClientRect();
                const from = own.right - (part.left + part.right) / 2;
                if (Math.abs(from - 35) > 6) found.push(`${unit.id}: ${from} px from its edge`);
                if (!unit.querySelector(".covered") && Math.abs(middle(part) - middle(words)) > 3)
                    found.push(`${unit.id}: label and part are not on one line`);
            }
            for (const caps of document.querySelectorAll(".caps")) {
                const widths = [...caps.children].map((cap) => cap.getBoundingClientRect().width);
                if (Math.max(...widths) - Math.min(...widths) > 1)
                    found.push(`${caps.textContent}: ${widths}`);
            }
            return found;
        }""")
