"""The lanes behind the waveforms: what they keep, find and measure."""

import json

import pytest

from support.front import Front

drawers = "inspector waves log"

edges = {
    "clean": [[0, 0], [1e9, 1], [2e9, 0]],
    "bouncing": [[0, 0], [1e9, 1], [1.001e9, 0], [1.002e9, 1], [2e9, 0], [2.005e9, 1], [2.006e9, 0]],
    "after a gap": [[0, 0], [1e9, 1], [3e9, 0xFFFFFFFF], [3.001e9, 1], [3.002e9, 0]],
}


def in_lane(front: Front, kind: str, levels: list, expression: str):
    return front.page.evaluate(
        f"""async () => {{
            const {{ Lane }} = (await import("./tools/all.js")).modules["tools/lanes.js"];
            const lane = new Lane("lane", "{kind}");
            for (const [at, level] of {json.dumps(levels)}) lane.push(at, level);
            return {expression};
        }}"""
    )


@pytest.mark.parametrize(
    "name, bursts, worst, rest, newest",
    [("clean", 2, 0, 0, 1), ("bouncing", 2, 6e6, 5e6, 3), ("after a gap", 2, 0, 0, 1)],
)
def test_bursts_are_counted_and_measured(front: Front, name, bursts, worst, rest, newest):
    found = in_lane(
        front, "bit", edges[name], "[lane.bursts, lane.worst, lane.rest, lane.burstAt(Infinity).edges]"
    )
    assert found == [bursts, worst, rest, newest]


def test_what_is_no_change_is_not_kept(front: Front):
    assert in_lane(front, "bit", [[0, 0], [1, 0], [2, 1], [3, 1]], "lane.count") == 2
    assert in_lane(front, "bus", [[0, "unknown"], [1, "a"], [2, "a"]], "lane.count") == 2


def test_a_lane_keeps_the_newest_65536_edges(front: Front):
    found = front.page.evaluate(
        """async () => {
            const { Lane } = (await import("./tools/all.js")).modules["tools/lanes.js"];
            const bits = new Lane("bits", "bit");
            const words = new Lane("words", "bus");
            for (let edge = 0; edge < 100_000; edge++) {
                bits.push(edge * 1000, edge % 2);
                words.push(edge * 1000, `w${edge}`);
            }
            return [bits.count, bits.time(0), words.word(0), words.last, words.words.length];
        }"""
    )
    assert found == [65_536, 34_464_000, "w34464", "w99999", 65_536]


def test_edges_are_found_by_their_moment(front: Front):
    found = front.page.evaluate(
        """async () => {
            const { Lane } = (await import("./tools/all.js")).modules["tools/lanes.js"];
            const lane = new Lane("lane", "bit");
            for (let edge = 0; edge < 70_000; edge++) lane.push(edge * 1000, edge % 2);
            const wrong = [];
            for (let index = 0; index < 2_000; index += 37) {
                for (const wait of [0, 1, 1_000, 1_500, 99_999, 1e9]) {
                    const at = lane.time(index) + wait;
                    let next = index + 1;
                    while (next < lane.count && lane.time(next) < at) next++;
                    if (lane.skip(index, at) !== next) wrong.push([index, wait]);
                }
                if (lane.until(lane.time(index)) !== index + 1) wrong.push(index);
            }
            return wrong;
        }"""
    )
    assert found == []


@pytest.mark.parametrize(
    "width, time",
    [(0.05e6, "100us"), (1.2e6, "2ms"), (8e6, "15ms"), (12.6e6, "20ms"), (60e6, "100ms")],
)
def test_the_time_to_write_has_room_above_what_it_outlasts(front: Front, width, time):
    modules = "(await import('./tools/all.js')).modules['tools/waves.js']"
    script = f"async (width) => {modules}.debounceFor(width)"
    assert front.page.evaluate(script, width) == time


def test_a_touch_of_a_control_that_nobody_chose_is_known(front: Front):
    front.simulator.gesture("calibrate", "hold", **{"for": "120ms"})
    front.simulator.wait_until(
        lambda: front.page.evaluate(
            """async () => {
                const { lanes } = (await import("./tools/all.js")).modules["tools/lanes.js"];
                return lanes.get("contact CALIBRATE")?.count ?? 0;
            }"""
        ),
        lambda count: count >= 3,
        "the press and the release",
    )
