"""What an owner would write: the lamp follows the input. rig-loop.py CHIP, with gpiod 2 of PyPI."""

import sys

import gpiod
from gpiod.line import Direction, Edge, Value

LEVELS = {gpiod.EdgeEvent.Type.RISING_EDGE: Value.ACTIVE}
lines = {
    "IN0": gpiod.LineSettings(edge_detection=Edge.BOTH),
    "LED0": gpiod.LineSettings(direction=Direction.OUTPUT),
}
with gpiod.request_lines(sys.argv[1], consumer="rig-loop", config=lines) as request:
    while True:
        for event in request.read_edge_events():
            request.set_value("LED0", LEVELS.get(event.event_type, Value.INACTIVE))
