"""The whole page without a mouse: every control is reached, and it is seen where one is."""

from playwright.sync_api import expect

from support import contrast
from support.eye import Eye
from support.front import Front, Opener

drawers = "inspector waves log"

_where = """
(number) => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  element.dataset.stop ??= number;
  const box = element.getBoundingClientRect();
  const between = (low, high, most) => (Math.max(low, 0) + Math.min(high, most - 1)) / 2;
  const seen = document.elementFromPoint(
    between(box.left, box.right, innerWidth), between(box.top, box.bottom, innerHeight));
  return {
    unit: element.closest(".unit")?.id.slice(2) ?? null,
    place: element.closest("header, #clock, main, #inspector, #waves, #log")?.id ?? null,
    number: Number(element.dataset.stop),
    what: element.outerHTML.slice(0, 120),
    isInView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
      && seen !== null && (seen.contains(element)
        || (element.closest(".covered") ?? element).contains(seen)),
  };
}
"""

_forget = """
() => { for (const each of document.querySelectorAll("[data-stop]")) delete each.dataset.stop; }
"""

# Of each stop on the front panel its control, as they stand in the page.
_order = """
() => [...document.querySelectorAll("main :is(button, input, [tabindex])")]
  .filter((e) => e.tabIndex >= 0 && e.checkVisibility()).map((e) => e.closest(".unit").id.slice(2))
"""


def walk(front: Front, key: str = "Tab") -> list[dict]:
    """All stops of the tab key."""
    front.page.evaluate(_forget)
    stops = []
    for number in range(400):
        front.page.keyboard.press(key)
        here = front.page.evaluate(_where, number)
        if here is None or here["number"] != number:
            return stops
        stops.append(here)
    raise AssertionError("the tab key goes on for ever")


def test_every_control_is_reached_in_order_and_seen(front: Front, eye: Eye):
    front.look(reduced_motion="reduce")
    stops = walk(front)
    reached = {stop["unit"] for stop in stops}
    snapshot = front.simulator.snapshot()
    for control in snapshot["panel"]["controls"]:
        can_be_used = control["part"] != "none" or control["kind"] == "checkbox-group"
        if can_be_used:
            assert control["id"] in reached, f"{control['id']} is not reached"
    places = {stop["place"] for stop in stops}
    assert places >= {"top", "clock", "panel", "inspector", "waves", "log"}
    order = [stop["unit"] for stop in stops if stop["place"] == "panel"]
    assert order == front.page.evaluate(_order), "not in the order of the page"
    hidden = [stop["what"] for stop in stops if not stop["isInView"]]
    assert hidden == []
    most = max(reached - {None}, key=[stop["unit"] for stop in stops].count)
    count = [stop["unit"] for stop in stops].count(most)
    assert count <= 2, f"{most} has {count} stops: of a group one, beside it a push or a cover"
    front.simulator.clock("pause")
    for theme in ("light", "dark"):
        front.look(reduced_motion="reduce", color_scheme=theme)
        rings = contrast.rings_of_stops(front.page, eye)
        faint = [
            f"{rings[stop['number']]} pixels: {stop['what']}"
            for stop in stops
            if rings[stop["number"]] < contrast.least_ring
        ]
        assert faint == [], f"what has the focus is not seen, {theme}"


def test_the_way_back_is_the_same(front: Front):
    there = front.page.evaluate(_order)
    front.role("button", "Cancel").focus()
    back = ["cancel"]
    while len(back) < 200:
        front.page.keyboard.press("Shift+Tab")
        here = front.page.evaluate(_where, 0)
        if here["place"] != "panel":
            break
        back.append(here["unit"])
    assert back == there[::-1]


def test_a_skip_link_leads_to_the_front_panel(opener: Opener):
    front = opener.open()  # On a kept page the tab key may go on from the last stop.
    front.page.keyboard.press("Tab")
    skip = front.page.get_by_role("link", name="Skip to the front panel")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    front.page.keyboard.press("Enter")
    expect(front.panel).to_be_focused()


def test_a_journey(front: Front):
    """From a fresh page to a pump that runs, a range, a number and an applied form."""
    for control in ("pump", "range", "set-point", "gain"):
        front.simulator.action(control, "0ms")

    def tab_to(unit: str, key: str = "Tab") -> None:
        for _ in range(200):
            front.page.keyboard.press(key)
            here = front.page.evaluate(_where, 0)
            if here and here["unit"] == unit:
                return
        raise AssertionError(f"{unit} is not reached")

    keyboard = front.page.keyboard
    tab_to("pump")
    keyboard.press("Space")
    front.wait("pump", value="on")
    tab_to("range")
    keyboard.press("ArrowRight")
    front.wait("range", value="20 V")
    tab_to("program")
    keyboard.press("Enter")
    front.wait("program", focus="Wool")
    keyboard.press("ArrowDown")
    front.wait("program", focus="Silk")
    keyboard.press("Enter")
    front.wait("program", value="Silk")
    tab_to("set-point")
    keyboard.press("PageUp")
    front.wait("set-point", value=10)
    tab_to("gain")
    keyboard.press("ArrowUp")
    front.wait("gain", staged=1)
    tab_to("apply")
    keyboard.press("Enter")
    front.wait("gain", value=1, staged=None)
    tab_to("pump", "Shift+Tab")
    keyboard.press("ArrowLeft")
    front.wait("pump", value="off")


def test_structure(front: Front):
    """Landmarks and headings, for those who jump from one to the next."""
    for role in ("banner", "main", "complementary"):
        expect(front.page.get_by_role(role)).to_have_count(1)
    expect(front.page.get_by_role("heading", level=1)).to_have_count(1)
    for group in ("Switches", "Buttons", "Checkboxes", "Choices", "Menus", "Numbers"):
        expect(front.panel.get_by_role("heading", name=group, exact=True)).to_be_visible()
        expect(front.panel.get_by_role("region", name=group, exact=True)).to_have_count(1)
    assert front.page.evaluate("document.documentElement.lang") == "en"
    twice = front.page.evaluate(
        """() => { const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
            return ids.filter((id, place) => ids.indexOf(id) !== place); }"""
    )
    assert twice == []
