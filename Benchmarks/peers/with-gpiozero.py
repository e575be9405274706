"""What an owner would write with gpiozero over lgpio: the LED of line 1 follows line 0.

with-gpiozero.py CHIP
"""

import signal
import sys

from gpiozero import LED, Button
from gpiozero.pins.lgpio import LGPIOFactory


class Board(LGPIOFactory):
    """A chip on a machine that is no Raspberry Pi: the header of a Raspberry Pi 3 B."""

    def _get_revision(self):
        return 0xA02082


board = Board(chip=int(sys.argv[1].removeprefix("/dev/gpiochip")))
led = LED(1, pin_factory=board)
button = Button(0, pull_up=None, active_state=True, pin_factory=board)
button.when_pressed = led.on
button.when_released = led.off
signal.pause()
