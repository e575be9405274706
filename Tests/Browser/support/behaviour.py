"""What every control does alike, whichever kind it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from support.front import Front


def stays_reachable_while_it_works(
    front: Front, control: str, element: Locator, act: Callable[[], object]
) -> None:
    """Its device takes long: the control says so, keeps the focus, and is never disabled."""
    front.simulator.action(control, "6s", "fail", code=1)
    element.focus()
    act()
    front.simulator.wait(control, phase="loading")
    expect(element).to_have_attribute("aria-busy", "true")
    expect(element).to_be_enabled()
    expect(front.notes(control)).to_contain_text("…")
    assert front.is_focused(element), "it has lost the focus"
    assert element.get_attribute("disabled") is None
    front.simulator.let_end()
    front.simulator.wait(control, phase="failed")
    expect(element).not_to_have_attribute("aria-busy", "true")
    assert front.is_focused(element), "it has lost the focus"


def tells_a_failure(front: Front, control: str, label: str, act: Callable[[], object]) -> None:
    """In words, beside the control and to screen readers, with the reason."""
    front.simulator.action(control, "0ms", "fail", code=3)
    act()
    front.simulator.wait(control, phase="failed", reason="exit 3", pressed=[])
    front.simulator.clock("pause")  # a failure is shown for three seconds, which now do not end
    expect(front.notes(control)).to_contain_text("exit 3")
    alert = front.page.get_by_role("alert").filter(has_text=label)
    expect(alert).to_contain_text(re.compile("fail", re.IGNORECASE))
    expect(alert).to_contain_text("exit 3")


def is_disabled_with_a_reason(front: Front, element: Locator, reason: str) -> None:
    """It can be reached, and says why it refuses."""
    expect(element).to_have_attribute("aria-disabled", "true")
    assert element.get_attribute("disabled") is None
    element.focus()
    assert front.is_focused(element)
    expect(element).to_have_accessible_description(re.compile(re.escape(reason)))


def lamp_tells(front: Front, label: str, word: str, shape: str) -> None:
    """By a name for those who do not see it, and by a shape for those who see no colour."""
    lamp = front.lamp(label)
    expect(lamp).to_have_accessible_name(re.compile(rf": {word}\b"))
    expect(lamp).to_have_attribute("data-shape", shape)
