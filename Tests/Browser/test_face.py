"""The front panel as a face: sizes, places, holes and texts, on every panel and at four widths."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support import places
from support.front import Front, Opener
from support.simulator import Simulator

widths = {1920: 1080, 1280: 800, 768: 1024, 390: 844}
largest_hole = 0.10  # of the face

every_panel = [*places.real_panels, places.panel("every-kind")]


def name_of(panel) -> str:
    return panel.parent.name if panel.stem == "panel" else panel.stem


@pytest.fixture(params=every_panel, ids=name_of, scope="module")
def panel(request) -> Iterator[Simulator]:
    started = Simulator(request.param).start()
    yield started
    started.stop()


@pytest.fixture
def face(panel: Simulator, browser: Browser, request) -> Iterator[Opener]:
    opened = Opener(browser, panel, request.node.name)
    yield opened
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


def test_the_face(face: Opener):
    """One page in all widths."""
    front = face.open(viewport={"width": 1920, "height": widths[1920]})
    wrong = {}
    for width, height in widths.items():
        front.page.set_viewport_size({"width": width, "height": height})
        front.page.wait_for_function(
            "width => innerWidth === width && new Promise((done) =>"
            " requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
            arg=width,
        )
        front.picture(f"face-{face.name}-{width}")
        wrong |= {f"{width}: {what}": found for what, found in look(front, width).items() if found}
    assert wrong == {}


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
        "clipped": clipped(front),
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
