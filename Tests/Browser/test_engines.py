"""The same page in two other engines: every kind of control on its hardware is operated once, and
the core and the page then say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from support import accessible, agreement, firefox, places, webkit
from support.simulator import Simulator, Simulators
from support.window import Window, down, enter, page_up, right, up

engines = {"webkit": (webkit.missing, webkit.WebKit), "firefox": (firefox.missing, firefox.Firefox)}


@pytest.fixture(scope="module", params=engines)
def other(request) -> Iterator[Window]:
    missing, start = engines[request.param]
    if missing():
        pytest.skip(str(missing()))
    try:
        started = start()
    except AssertionError as cause:  # no fault of the page: once more, and said
        print(f"\n{cause}\n", flush=True)
        started = start()
    yield started
    started.close()


def show(window: Window, simulator: Simulator) -> None:
    window.open(simulator.url)
    simulator.wait_until(
        lambda: window.run("return document.getElementById('connection').textContent"),
        lambda said: said == "Connected",
        "the connection",
    )
    simulator.wait_until(
        lambda: window.run(
            "return Boolean(document.querySelector('.sheet[data-placed]:not([data-asks])'))"
        ),
        bool,
        "the places of the parts",
    )


@pytest.fixture(scope="module")
def window(other: Window, simulator: Simulator) -> Window:
    """One page for all controls: each is another part of the panel."""
    simulator.begin()
    for control in simulator.snapshot()["panel"]["controls"]:
        if control["hasAction"]:
            simulator.action(control["id"], "0ms")
    show(other, simulator)
    return other


def click(window: Window, element: str) -> None:
    window.click(element)


def hold(milliseconds: int) -> Callable[[Window, str], None]:
    return lambda window, element: window.hold(element, milliseconds)


def keys(text: str) -> Callable[[Window, str], None]:
    return lambda window, element: window.type(element, text)


@dataclass
class Step:
    """What is done to one part of a control, and what the core then says of it."""

    selector: str
    role: str
    act: Callable[[Window, str], None]
    wanted: dict[str, object] = field(default_factory=dict)
    event: str | None = None  # that the core has told by then


switch = "[role=switch]"
box = "[role=checkbox]"
knob = "[role=spinbutton]"
readout = "[role=combobox]"



def nth(selector: str, place: int) -> str:
    return f"{selector} >> {place}"


# By control of the panel with every kind. The part of each is in its name in that file.
steps: dict[str, list[Step]] = {
    "pump": [
        Step(switch, "switch", click, {"value": "on"}),
        Step(switch, "switch", keys(" "), {"value": "off"}),
    ],
    "valve": [Step(switch, "switch", click, {"value": "on"})],
    "lights": [Step(switch, "switch", click, {"value": "on"})],
    "talk": [Step(switch, "switch", hold(300), {"value": "off"}, "pressed")],
    "extractor": [Step(switch, "switch", click, {"value": "on"})],
    "main-breaker": [
        Step("button[aria-expanded]", "button", click, {"stands": lambda now: now["cover"]}),
        Step(switch, "switch", keys(" "), {"value": "on"}),
    ],
    "hoist": [Step(nth("[role=radio]", 0), "radio", click, {"value": "up"})],
    "mute": [Step("button", "button", click, {"value": "on"})],
    "horn": [Step("button", "button", hold(300), {"value": "off"}, "pressed")],
    "record": [Step("button", "button", click, {"value": "on"})],
    "calibrate": [Step("button", "button", click, event="clicked")],
    "print-report": [Step("button", "button", keys(enter), event="clicked")],
    "erase": [Step("button", "button", hold(2600), event="phase")],
    "format": [
        Step("button", "button", click, event="armed"),
        Step("button", "button", click, event="clicked"),
    ],
    "temperature": [Step(box, "checkbox", click, {"value": "on"})],
    "channels": [Step(box, "checkbox", click, {"value": "on"})],
    "filter": [Step(box, "checkbox", keys(" "), {"staged": "on"})],
    "antenna": [Step(nth("[role=radio]", 2), "radio", click, {"value": "Beam"})],
    "range": [Step(nth("[role=radio]", 0), "radio", keys(right), {"value": "20 V"})],
    "bus": [Step(nth("[role=radio]", 1), "radio", click, {"value": "Camera 2"})],
    "mode": [
        Step(readout, "combobox", keys(down), {"focus": "Comfort"}),
        Step(readout, "combobox", keys(enter), {"value": "Comfort"}),
    ],
    "wave": [Step(nth("[role=radio]", 2), "radio", click, {"value": "Ramp"})],
    "traces": [Step(nth("button", 1), "button", click, {"value": ["Red", "Green"]})],
    "transport": [Step(nth("button", 1), "button", click, event="chosen")],
    "view": [Step(nth("[role=radio]", 1), "radio", click, {"value": "Graph"})],
    "speed": [Step(readout, "combobox", keys(down), {"value": "Medium"})],
    "program": [
        Step(readout, "combobox", keys(enter), {"focus": "Wool"}),
        Step(readout, "combobox", keys(down), {"focus": "Silk"}),
        Step(readout, "combobox", keys(enter), {"value": "Silk"}),
    ],
    "source": [
        Step(readout, "combobox", keys(enter), {"focus": "Radio"}),
        Step(readout, "combobox", keys(down), {"focus": "Disc"}),
        Step(readout, "combobox", keys(enter), {"value": "Disc"}),
    ],
    "service": [
        Step("button[aria-haspopup]", "button", keys(enter), {"focus": "Report"}),
        Step("button[aria-haspopup]", "button", keys(enter), {"focus": None}, "chosen"),
    ],
    "set-point": [Step(knob, "spinbutton", keys(page_up), {"value": 10})],
    "heading": [Step(knob, "spinbutton", keys(down), {"value": 359})],
    "gain": [Step(knob, "spinbutton", keys(up), {"staged": 1})],
    "sensor": [Step(nth("[role=radio]", 1), "radio", click, {"staged": "Night"})],
    "apply": [Step("button", "button", click, event="clicked")],
}


def find(window: Window, control: str, selector: str) -> str:
    selector, _, place = selector.partition(" >> ")
    marked = window.run(
        """for (const old of document.querySelectorAll("[data-found]")) delete old.dataset.found;
        const [control, selector, place] = arguments;
        const unit = document.getElementById("c-" + control);
        const found = unit.querySelectorAll(selector)[place];
        found.dataset.found = "";
        found.scrollIntoView({ block: "center" }); // the bench lies over the foot of the window
        return true;""",
        control,
        selector,
        int(place or 0),
    )
    assert marked
    return window.find("[data-found]")


@pytest.mark.parametrize("control", steps)
def test_a_control(window: Window, simulator: Simulator, control):
    for step in steps[control]:
        element = find(window, control, step.selector)
        assert window.role(element) == step.role
        assert window.name(element)
        step.act(window, element)
        simulator.wait(control, **{"pressed": [], **step.wanted})
        if step.event:
            simulator.wait_until(
                lambda: [each["event"] for each in simulator.events(control)],
                lambda told: step.event in told,
                step.event,
            )


def test_every_kind_is_operated(simulator: Simulator):
    """Or shows what others do: a lamp, and a form that its buttons apply."""
    controls = simulator.snapshot()["panel"]["controls"]
    kinds = {control["kind"] for control in controls}
    operated = {control["kind"] for control in controls if control["id"] in steps}
    assert kinds - operated == {"indicator", "form"}


def test_the_page_and_the_core_agree(window: Window, simulator: Simulator):
    """After all of the above: the form is applied, and the lamp of the pump is dark again."""
    simulator.wait("gain", value=1, staged=None)
    assert window.name(find(window, "pump-lamp", "[role=img]")).startswith("Pump State lamp: off")
    agreement.check(window, simulator)


def test_axe_finds_nothing(window: Window):
    if isinstance(window, firefox.Firefox):
        pytest.skip("two engines are enough for what reads styles; it takes long here")
    window.run(AXE_SCRIPT)
    found = window.run(
        "return axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']})",
        accessible.tags,
    )
    engine = type(window).__name__.lower()
    window.picture(places.artefacts / f"{engine}.png")
    assert accessible.report(found) == []


def test_the_laboratory_supply(other: Window, simulators: Simulators):
    """The panel that everybody tries first: its controls are there, its output is switched, a knob
    is turned."""
    supply = simulators.of(places.panel("lab-supply"))
    supply.start_over()
    show(other, supply)
    shown = other.evaluate("() => [...document.querySelectorAll('main .unit')].map((e) => e.id)")
    controls = supply.snapshot()["panel"]["controls"]
    assert set(shown) == {f"c-{control['id']}" for control in controls}
    dial = next(control for control in controls if control["kind"] == "dial")
    element = find(other, dial["id"], knob)
    was = supply.state(dial["id"])["value"]
    other.type(element, up)
    supply.wait(dial["id"], value=lambda value: value > was)
    lever = next(c for c in controls if c["kind"] == "switch" and c["part"] == "lever")
    other.click(find(other, lever["id"], switch))
    supply.wait(lever["id"], value="on", position="on")
    agreement.check(other, supply)
