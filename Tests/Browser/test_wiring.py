"""The wiring: the header of the board with every wire."""

import pytest
from playwright.sync_api import expect

from support.front import Opener

panel = "lab-supply"
drawers = "wiring"


def test_the_header_is_drawn(opener: Opener, tmp_path):
    front = opener.open()
    wiring = front.page.locator("#wiring")
    picture = wiring.get_by_role("img", name="The header of the board with every wire")
    expect(picture).to_be_visible()
    width = "image => image.decode().then(() => image.naturalWidth)"
    assert picture.evaluate(width) > 100
    with front.page.expect_download() as download:
        wiring.get_by_role("button", name="Save SVG").click()
    file = tmp_path / "wiring.svg"
    download.value.save_as(file)
    assert download.value.suggested_filename == "lab-supply-wiring.svg"
    text = file.read_text()
    controls = front.simulator.snapshot()["panel"]["controls"]
    assert text.startswith("<svg") and "GPIO17" in text
    assert any(control["id"] in text for control in controls)


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_the_drawing_has_its_own_paper(opener: Opener, colors):
    front = opener.open(color_scheme=colors)
    picture = front.page.locator("#wiring img")
    expect(picture).to_be_visible()
    white = """image => image.decode().then(() => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const paper = canvas.getContext("2d");
        paper.drawImage(image, 0, 0);
        return [...paper.getImageData(2, 2, 1, 1).data];
    })"""
    assert picture.evaluate(white) == [255, 255, 255, 255]
