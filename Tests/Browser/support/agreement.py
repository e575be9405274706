"""Whether a page says of every control what the core says of it."""

from __future__ import annotations

import time
from typing import Any, Protocol

from support import places
from support.simulator import Simulator, State

_read = """
() => Object.fromEntries([...document.querySelectorAll("main .unit")].map((unit) => {
  const all = (selector) => [...unit.querySelectorAll(selector)];
  const of = (attribute) => (element) => element.getAttribute(attribute);
  const chosen = (role, attribute) => all(`[role=${role}]`)
    .filter((element) => element.getAttribute(attribute) === "true")
    .map((element) => element.getAttribute("aria-label") ?? element.textContent.trim());
  return [unit.id.slice(2), {
    checked: all("[role=switch], [role=checkbox]").map(of("aria-checked")),
    pressed: all("button[aria-pressed]").map(of("aria-pressed")),
    radios: chosen("radio", "aria-checked"),
    options: chosen("option", "aria-selected"),
    number: all("[role=spinbutton]").map(of("aria-valuenow")),
    busy: all("[aria-busy=true]").length > 0,
    disabled: all("[aria-disabled=true]").length > 0,
  }];
}))
"""

_words = {"on": "true", "off": "false", "mixed": "mixed"}


def _differences(
    control: State, state: State, shown: dict[str, Any], resting: set[str]
) -> list[str]:
    value = state["value"] if state["staged"] is None else state["staged"]
    kind, part = control["kind"], control["part"]
    found = []

    def want(what: str, wanted: object) -> None:
        if shown[what] != wanted:
            name = control["id"]
            found.append(f"{name}: {what} is {shown[what]}, the core has {value} ({wanted})")

    def title(word: str) -> str:
        return control["titles"][control["values"].index(word)]

    is_list = kind == "pop-up" or (kind in ("radio-group", "segmented") and part == "encoder")
    if kind in ("switch", "checkbox", "checkbox-group"):
        want("checked", [_words[value]])
    elif kind == "toggle-button":
        want("pressed", [_words[value]])
    elif is_list:
        want("options", [title(value)])
    elif kind in ("radio-group", "three-way") or control["selection"] == "single":
        want("radios", [title(value)])
    elif kind == "segmented" and isinstance(value, list):
        want("pressed", ["true" if word in value else "false" for word in control["values"]])
    elif kind == "dial" and control["range"]:
        if len(shown["number"]) != 1 or float(shown["number"][0]) != value:
            want("number", [value])
    has_part = part != "none" or kind == "checkbox-group"
    if has_part:
        want("busy", state["phase"] == "loading")
        covered = state["stands"].get("cover") is False
        rests = control["id"] in resting
        want("disabled", "disabled" in state["flags"] or covered or rests)
    return found


class Shown(Protocol):
    """A page in any engine."""

    def evaluate(self, expression: str) -> Any: ...


def check(page: Shown, simulator: Simulator) -> None:
    """The page is told a little later, so it has some time to agree."""
    end = time.monotonic() + places.patience_seconds
    while True:
        shown = page.evaluate(_read)
        snapshot = simulator.snapshot()
        found = []
        # A form with nothing to apply.
        resting = {
            control["apply"]
            for control in snapshot["panel"]["controls"]
            if control["kind"] == "form" and snapshot["state"][control["id"]]["value"] == "off"
        }
        for control in snapshot["panel"]["controls"]:
            state = snapshot["state"][control["id"]]
            if control["tray"]:
                continue  # beside the plate; test_tray.py looks at it
            if control["id"] in shown:
                found += _differences(control, state, shown[control["id"]], resting)
            else:
                found.append(f"{control['id']} is not on the page")
        if not found:
            return
        assert time.monotonic() < end, "the page says otherwise:\n" + "\n".join(found)
        time.sleep(0.05)
