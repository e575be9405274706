"""Each condition of a lamp has a shape of its own: neither colour nor motion is needed."""

import itertools

import pytest
from playwright.sync_api import expect

from support.eye import Eye
from support.front import Front


@pytest.mark.parametrize(
    "options",
    [
        {"color_scheme": "light"},
        {"color_scheme": "dark"},
        {"forced_colors": "active"},
    ],
    ids=["light", "dark", "forced"],
)
def test_shapes(front: Front, eye: Eye, options):
    front.look(reduced_motion="reduce", **options)
    with front.without_colour():
        seen = conditions(front)
        front.picture(f"conditions-{'-'.join(options.values())}")
    for (one, first), (other, second) in itertools.combinations(seen.items(), 2):
        assert eye.share_that_differs(first, second) > 0.02, f"{one} looks like {other}"


def conditions(front: Front) -> dict[str, bytes]:
    """Pictures of lamps in each condition."""
    simulator = front.simulator
    simulator.action("pump", "0ms")
    seen = {"off": look(front, "Pump State", "off")}
    simulator.gesture("pump", "flip", value="on")
    seen["on"] = look(front, "Pump State", "on")
    simulator.action("pump", "6s", "fail", code=1)
    simulator.gesture("pump", "flip", value="off")
    seen["loading"] = look(front, "Pump State", "loading")
    simulator.let_end()
    seen["error"] = look(front, "Pump State", "error")
    simulator.clock("run")
    simulator.action("voltage", "0ms")
    simulator.set("voltage", "on")
    seen["mixed"] = look(front, "All Channels", "mixed")
    return seen


def look(front: Front, label: str, shape: str) -> bytes:
    lamp = front.lamp(label)
    expect(lamp).to_have_attribute("data-shape", shape)
    return lamp.screenshot()
