"""`detent face --svg`: a drilling template at true size."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from support import places

PIXELS_PER_MILLIMETRE = 96 / 25.4

MEASURE = """() => {
    const box = (element) => {
        const {x, y, width, height} = element.getBoundingClientRect();
        return {x, y, width, height, right: x + width, bottom: y + height};
    };
    const all = (selector) => [...document.querySelectorAll(selector)].map(box);
    return {
        svg: box(document.documentElement), plate: all(".plate")[0], check: all(".check")[0],
        holes: all(".hole"), marks: all(".mark"), texts: all("text"),
    };
}"""


@pytest.fixture
def template(browser: Browser, tmp_path: Path) -> object:
    path = tmp_path / "face.svg"
    subprocess.run(
        [str(places.program), "face", str(places.panel("lab-supply")), "--svg", str(path)],
        check=True, timeout=60, stderr=subprocess.DEVNULL,
    )
    page: Page = browser.new_page()
    page.goto(path.as_uri())
    yield page.evaluate(MEASURE)
    page.close()


def test_a_browser_shows_it_at_true_size(template: dict) -> None:
    check = template["check"]["width"] / PIXELS_PER_MILLIMETRE
    assert check == pytest.approx(50, abs=0.5), "the line to check the printer by"
    plate = template["plate"]
    assert plate["width"] / PIXELS_PER_MILLIMETRE == pytest.approx(160, abs=0.5)


def test_each_hole_has_its_centre_marked(template: dict) -> None:
    holes, marks = template["holes"], template["marks"]
    assert len(holes) == len(marks) > 5
    for hole, mark in zip(holes, marks):
        assert hole["x"] + hole["width"] / 2 == pytest.approx(mark["x"] + mark["width"] / 2, abs=0.5)
        assert hole["y"] + hole["height"] / 2 == pytest.approx(
            mark["y"] + mark["height"] / 2, abs=0.5
        )


def test_words_stay_on_the_plate_and_off_the_holes(template: dict) -> None:
    plate = template["plate"]
    # The last text is that of the check line, under the plate.
    for text in template["texts"][:-1]:
        assert plate["x"] <= text["x"] and text["right"] <= plate["right"]
        for hole in template["holes"]:
            apart = (
                text["right"] <= hole["x"] or hole["right"] <= text["x"]
                or text["bottom"] <= hole["y"] or hole["bottom"] <= text["y"]
            )
            assert apart, (text, hole)
