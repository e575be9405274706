"""What lamps do over time, and whether they can be told apart without colour and without motion."""

import re

import pytest
from playwright.sync_api import Locator, expect

from support.front import Front
from support.eye import Eye

panel = "lamps"

# As docs/indicators.md has them: the period in ms, how often the lamp leaves its value in it, how
# long, and the distance from one to the next. Nothing may flash more than three times a second.
patterns = {
    "blink": (500, 1, 150, 500),
    "wink": (1000, 1, 100, 1000),
    "double-wink": (1500, 2, 100, 350),
    "triple-wink": (2000, 3, 100, 350),
    "slow-wink": (4000, 1, 200, 4000),
    "flash-burst": (2400, 4, 200, 400),
    "breathe": (2000, 1, 700, 2000),
}
most_flashes = 3

# Sets the lamp's own animations to one moment after the other, and looks at what is drawn then.
_sample = """
([lamp, length, step]) => {
  const motions = lamp.getAnimations({ subtree: true });
  const drawn = [lamp, ...lamp.querySelectorAll("*")];
  const samples = [];
  for (const motion of motions) motion.pause();
  for (let at = step / 2; at < length; at += step) {
    for (const motion of motions) motion.currentTime = at;
    samples.push(drawn.map((element) => {
      const style = getComputedStyle(element);
      return [style.opacity > 0.5, style.visibility, style.fill, style.stroke,
              style.backgroundColor, style.boxShadow, style.filter].join();
    }).join("|"));
  }
  for (const motion of motions) motion.play();
  return samples;
}
"""


def title(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split("-"))


def samples(lamp: Locator, length: int, step: int = 10) -> list[str]:
    return lamp.evaluate(f"(lamp) => ({_sample})([lamp, {length}, {step}])")


def moving_lamp(front: Front, name: str) -> Locator:
    """A lamp as soon as it moves: it rests for a moment before each new pattern."""
    lamp = front.lamp(name)
    front.simulator.wait_until(
        lambda: lamp.evaluate("(lamp) => lamp.getAnimations({ subtree: true }).length"),
        lambda count: count > 0,
        f"{name} moves",
    )
    return lamp


def changes(drawn: list[str]) -> list[int]:
    return [place for place in range(1, len(drawn)) if drawn[place] != drawn[place - 1]]


@pytest.mark.parametrize("name", [*patterns, "fill"])
def test_no_lamp_flashes_more_than_three_times_a_second(front: Front, name):
    for value in ("Low", "High"):
        when = changes(samples(moving_lamp(front, f"{title(name)} {value}"), 10_000))
        assert when, "it does not move"
        for first in when:
            within = [at for at in when if first <= at < first + 100]
            assert len(within) <= 2 * most_flashes, f"{len(within) / 2} flashes in a second"


@pytest.mark.parametrize("name", patterns)
def test_a_lamp_on_the_page_moves_as_the_real_one(front: Front, name):
    period, dips, length, distance = patterns[name]
    for value in ("Low", "High"):
        away, home = set(), set()
        lamp = moving_lamp(front, f"{title(name)} {value}")
        for place, drawn in enumerate(samples(lamp, 2 * period)):
            now = (place * 10 + 5) % period
            is_away = any(dip * distance <= now < dip * distance + length for dip in range(dips))
            (away if is_away else home).add(drawn)
        assert len(away) == len(home) == 1 and away != home, value


def test_steady_lamps_do_not_move(front: Front):
    for name in ("Off Low", "Off High", "Steady Low", "Steady High"):
        assert changes(samples(front.lamp(name), 4000, 50)) == [], name


def test_each_pattern_has_a_word(front: Front):
    words = set()
    for name in patterns:
        said = front.lamp(f"{title(name)} High").get_attribute("aria-label")
        words.add(said.split(": ")[1])
    assert len(words) == len(patterns), words
    assert "off" not in words and "on" not in words


def test_colours_are_named(front: Front):
    for color in ("red", "green", "blue", "amber", "cyan", "magenta", "white"):
        name = front.lamp(color.capitalize()).get_attribute("aria-label")
        assert name.endswith(f"on, {color}"), name


def test_reduced_motion_stops_all(front: Front):
    front.look(reduced_motion="reduce")
    expect(front.lamp("Blink High")).to_be_visible()
    moving = front.page.evaluate(
        "document.getAnimations().filter((a) => a.playState === 'running').length"
    )
    assert moving == 0
    # What moved is told in words all the same.
    expect(front.lamp("Blink High")).to_have_accessible_name(re.compile("blinking"))
    assert len(set(samples(front.lamp("Blink High"), 1000))) == 1


def test_motion_stops_when_it_is_asked_for_later(front: Front):
    moving = "document.getAnimations().filter((a) => a.playState === 'running').length"
    front.simulator.wait_until(lambda: front.page.evaluate(moving), lambda n: n > 0, "motion")
    front.page.emulate_media(reduced_motion="reduce")
    front.simulator.wait_until(lambda: front.page.evaluate(moving), lambda n: n == 0, "rest")
    front.page.emulate_media(reduced_motion="no-preference")
    front.simulator.wait_until(lambda: front.page.evaluate(moving), lambda n: n > 0, "motion")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lit_and_dark_differ_without_colour(front: Front, eye: Eye, theme):
    front.look(reduced_motion="reduce", color_scheme=theme)
    with front.without_colour():
        front.picture(f"achromatopsia-{theme}")
        dark = front.lamp("Steady Low").screenshot()
        for name in ("Red", "Green", "Blue", "Amber", "White", "Steady High"):
            assert eye.share_that_differs(front.lamp(name).screenshot(), dark) > 0.15, name
