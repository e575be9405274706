"""How many edges a second gpiozero simulates with its mock pins, where a LED follows a button.

mock.py EDGES
"""

import sys
import time

from gpiozero import LED, Button
from gpiozero.pins.mock import MockFactory

pins = MockFactory()
led = LED(3, pin_factory=pins)
button = Button(2, pin_factory=pins)
button.when_pressed = led.on
button.when_released = led.off
pin = pins.pin(2)
edges = int(sys.argv[1])
began = time.monotonic()
for _ in range(edges // 2):
    pin.drive_low()
    pin.drive_high()
print(f"{edges / (time.monotonic() - began):.0f}")
