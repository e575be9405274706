"""Takes the pictures of the documents, in the light theme: each kind in its states, and the page of
the laboratory supply as `make run` shows it."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from support import places  # noqa: E402
from support.bench import put_bench_at_the_end  # noqa: E402
from support.front import Front, Opener  # noqa: E402
from support.simulator import Simulator  # noqa: E402

folder = places.root / "docs/images/kinds"
page = places.root / "docs/images/page.png"
colors = 64
most_bytes = 30_000

# What each control is set to. The action of one that fails ends at once, of one that works never.
values: dict[str, object] = {
    "toggle-button-on": "on", "toggle-button-working": "on", "toggle-button-failed": "on",
    "button-working": "press", "button-failed": "press",
    "checkbox-on": "on", "checkbox-working": "on", "checkbox-failed": "on",
    "member-mixed-a": "on", "member-on-a": "on", "member-on-b": "on",
    "radio-group-chosen": "Mid", "radio-group-working": "Mid", "radio-group-failed": "Mid",
    "segmented-chosen": "Mid", "segmented-working": "Mid", "segmented-failed": "Mid",
    "segmented-several": ["Low", "High"],
    "pop-up-working": "Mid", "pop-up-failed": "Mid",
    "dial-working": 20, "dial-failed": 20,
}
# Levers are moved, since a program cannot move one.
levers = {
    "switch-on": "on", "switch-working": "on", "switch-failed": "on",
    "three-way-up": "up", "three-way-down": "down", "three-way-working": "up",
    "three-way-failed": "up",
}


def bring_about(simulator: Simulator) -> None:
    """All states at once, at a clock that moves by steps alone."""
    simulator.start_over()
    simulator.clock("pause")
    snapshot = simulator.snapshot()
    acting = [each["id"] for each in snapshot["panel"]["controls"] if each["hasAction"]]
    for name in acting:
        simulator.action(name, "0ms")
        value = snapshot["state"][name]["value"]
        if value is not None:
            simulator.set(name, value)  # the device confirms what it has
    simulator.clock("step", by="200ms")
    for name in acting:
        if name.endswith("-failed"):
            simulator.action(name, "10ms", "fail", code=1)
        else:
            simulator.action(name, "0ms", "hang" if name.endswith("-working") else "succeed")
    for name, value in values.items():
        simulator.set(name, value)
    for name, value in levers.items():
        simulator.gesture(name, "flip", value=value)
    simulator.gesture("button-pressed", "press")
    simulator.gesture("button-held", "press")
    simulator.gesture("pop-up-open", "click")
    simulator.gesture("pull-down-open", "click")
    simulator.gesture("form-gain", "turn", value=4)
    simulator.clock("step", by="1200ms")


def region(front: Front, kind: str) -> Image.Image:
    """The group of a kind, with a list that is open below it or beside it."""
    group = front.panel.get_by_role("region", name=kind, exact=True)
    group.evaluate(
        """(group) => document.querySelectorAll("main section, .listing").forEach((other) =>
            other.style.opacity = other.contains(group) || group.contains(other) ? 1 : 0)"""
    )
    # The outline of a group is beside it on the plate, under its name.
    box = group.evaluate(
        """(group) => {
            const name = group.querySelector("h2").getBoundingClientRect();
            const [x, y] = [name.left + name.width / 2, name.top + name.height / 2];
            const boxes = [...document.querySelectorAll(".box")]
                .map((each) => each.getBoundingClientRect());
            return boxes.find((each) => each.left < x && x < each.right
                && each.top <= y && y < each.bottom)?.toJSON();
        }"""
    )
    assert box, kind
    open_lists = group.locator("[role=listbox]:visible, [role=menu]:visible").all()
    others = [each for each in (each.bounding_box() for each in open_lists) if each]
    bottom = max(each["y"] + each["height"] for each in [box, *others]) + 6
    right = max(each["x"] + each["width"] + 6 for each in others) if others else 0
    right = max(right, box["x"] + box["width"])
    top = box["y"] - 10  # its name stands on its edge
    clip = {"x": box["x"], "y": top, "width": right - box["x"], "height": bottom - top}
    taken = front.page.screenshot(clip=clip, animations="disabled")
    return Image.open(io.BytesIO(taken)).convert("RGB")


def take_the_page(browser: Browser) -> None:
    """The laboratory supply with its output on."""
    simulator = Simulator(places.root / "panels/lab-supply/panel.yaml").start()
    opener = Opener(browser, simulator, "page")
    front = opener.open(viewport={"width": 1280, "height": 800}, color_scheme="light")
    front.unit("output").get_by_role("switch").click()
    front.wait("output", value="on", phase="idle", flags=[])
    front.page.wait_for_timeout(500)  # for the lever to arrive
    front.page.screenshot(path=page, animations="disabled")
    opener.close()
    simulator.stop()


def main() -> None:
    folder.mkdir(parents=True, exist_ok=True)
    simulator = Simulator(places.tests / "kinds/panel.yaml").start()
    arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["DETENT_CHROMIUM"], args=arguments
        )
        bring_about(simulator)
        opener = Opener(browser, simulator, "kinds")
        front = opener.open(viewport={"width": 640, "height": 6000}, color_scheme="light")
        put_bench_at_the_end(front.page)
        for path in sorted((places.root / "docs/kinds").glob("*.md")):
            if path.stem == "README":
                continue
            picture = region(front, path.stem).quantize(colors, dither=Image.Dither.NONE)
            file = folder / f"{path.stem}.png"
            picture.save(file, optimize=True)
            size = file.stat().st_size
            print(f"{size:6} bytes {picture.width} x {picture.height} {file.relative_to(places.root)}")
            assert size <= most_bytes, f"more than {most_bytes} bytes: show fewer states"
        opener.close()
        take_the_page(browser)
        browser.close()
    simulator.stop()


main()
