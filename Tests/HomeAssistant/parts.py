"""The parts of the check, in their order.

Each takes the bench, the text of the panel and `check`.
"""

import json
import re
import time

from client import Refusal, until

PATIENCE = 60  # seconds for what takes milliseconds on an idle machine
DISCOVERY = "homeassistant/device/detent_bench/config"

# What each control is at first: entity, state and some attributes. The name is the label.
BUTTON = ["press_start", "press_end", "long_press_start", "long_press_end", "multi_press_end"]
ENTITIES = {
    "switch.lamp": ("Lamp", "off", {"value": "off", "phase": "idle", "flags": []}),
    "switch.broken": ("Broken", "off", {"actual": "unknown", "flags": ["unconfirmed"]}),
    "switch.slow": ("Slow", "off", {}),
    "binary_sensor.laser": ("Laser", "off", {}),
    "switch.horn": ("Horn", "off", {}),
    "switch.filter": ("Filter", "off", {}),
    "switch.hum": ("Hum", "off", {}),
    "switch.filters": ("Filters", "off", {}),
    "sensor.filters_value": ("Filters members", "off", {"options": ["on", "off", "mixed"]}),
    "event.test": ("Test", "unknown", {"event_types": BUTTON, "device_class": "button"}),
    "button.test_press": ("Test", "unknown", {}),
    "event.erase": ("Erase", "unknown", {"event_types": BUTTON}),
    "select.range": ("Range", "2 V", {"options": ["2 V", "20 V", "1 kV"]}),
    "select.view": ("View", "Near", {"options": ["Near", "Far"]}),
    "switch.cams_1": ("Cameras CAM 1", "off", {}),
    "switch.cams_2": ("Cameras It's 2", "off", {}),
    "switch.cams_3": ("Cameras Back\\slash", "off", {}),
    "event.jump": ("Jump", "unknown", {"event_types": ["Start", "End"]}),
    "button.jump_1": ("Jump Start", "unknown", {}),
    "button.jump_2": ("Jump End", "unknown", {}),
    "select.source": ("Source", "Radio", {"options": ["Radio", "Disc"]}),
    "event.menu": ("Menu", "unknown", {"event_types": ["Report", "Reboot"]}),
    "button.menu_1": ("Menu Report", "unknown", {}),
    "select.blind": ("Blind", "center", {"options": ["up", "center", "down"]}),
    "number.volume": ("Volume", "0.0", {"min": 0, "max": 30, "step": 0.05, "mode": "slider"}),
    "number.gain": ("Gain", "0", {"min": -10, "max": 10, "step": 1}),
    "event.apply": ("Apply", "unknown", {"event_types": BUTTON}),
    "button.apply_press": ("Apply", "unknown", {}),
    "binary_sensor.settings": ("Settings", "off", {}),
    "binary_sensor.ready": ("Ready", "off", {}),
    "binary_sensor.tank": ("Tank", "unknown", {"actual": "unknown"}),
}
CONTROLS = [
    "lamp", "broken", "slow", "laser", "horn", "filter", "hum", "filters", "test", "erase",
    "range", "view", "cams", "jump", "source", "menu", "blind", "volume", "gain", "apply",
    "settings", "ready", "tank",
]
BUTTONS = ["test", "erase", "apply"]


def full(entity):
    """The id at Home Assistant: `switch.detent_bench_lamp` for `switch.lamp`."""
    component, name = entity.split(".")
    return f"{component}.detent_bench_{name}"


def own(states):
    """The entities of the panel, by their short ids."""
    return {
        name.replace(".detent_bench_", "."): state
        for name, state in states.items() if ".detent_bench_" in name
    }


def shown(bench, entity):
    return bench.assistant.states().get(full(entity), {}).get("state")


def shows(bench, entity, wanted, seconds=PATIENCE):
    """Waits until an entity has a state; returns the last one."""
    until(seconds, lambda: shown(bench, entity) == wanted)
    return shown(bench, entity)


def all_expected():
    problems = {f"binary_sensor.{control}_problem" for control in CONTROLS}
    return set(ENTITIES) | problems


def appears(bench, check, name, entities=None):
    """Waits for exactly these entities, none of which is unavailable."""
    entities = all_expected() if entities is None else entities

    def right():
        found = own(bench.assistant.states())
        return set(found) == entities and all(
            state["state"] != "unavailable" for state in found.values())

    until(PATIENCE, right)
    found = own(bench.assistant.states())
    gone = [key for key, state in found.items() if state["state"] == "unavailable"]
    check(
        name, right(),
        f"missing {sorted(entities - set(found))}, too many {sorted(set(found) - entities)}, "
        f"unavailable {sorted(gone)}")


def the_entities(bench, panel, check):
    """Every control has its entities, with their names, first states and attributes."""
    appears(bench, check, "the entities of every control")
    for entity, (name, state, attributes) in ENTITIES.items():
        shows(bench, entity, state, 10)
        found = bench.assistant.state(full(entity)) or {"state": None, "attributes": {}}
        right = {"friendly_name": "Bench " + name, **attributes}
        has = {key: found["attributes"].get(key) for key in right}
        check(f"{entity} at first", found["state"] == state and has == right,
              f"{found['state']!r} with {has}, not {state!r} with {right}")
    states = own(bench.assistant.states())
    wrong = [key for key in states if key.endswith("_problem") and states[key]["state"] != "off"]
    check("no problem at first", not wrong, wrong)


def the_device(bench, panel, check):
    """One device, its phases disabled, and triggers for each button."""
    socket = bench.assistant.socket()
    devices = [device for device in socket.command(type="config/device_registry/list")
               if device["manufacturer"] == "Detent"]
    check("one device", len(devices) == 1, devices)
    right = {"name": "Bench", "configuration_url": f"http://127.0.0.1:{bench.panel_port}/",
             "identifiers": [["mqtt", "detent_bench"]]}
    found = {key: devices[0][key] for key in right}
    check("the device has its name and its page", found == right, found)
    registered = socket.command(type="config/entity_registry/list")
    phases = {entity["entity_id"] for entity in registered if entity["disabled_by"]}
    wanted = {full(f"sensor.{control}_phase") for control in CONTROLS if control not in BUTTONS}
    check("sensors of phases are disabled", wanted <= phases, sorted(wanted - phases))
    triggers = socket.command(type="device_automation/trigger/list", device_id=devices[0]["id"])
    found = {(trigger["subtype"], trigger["type"]) for trigger in triggers
             if trigger["domain"] == "mqtt"}
    wanted = {(button, f"button_{length}_press") for button in BUTTONS
              for length in ("short", "long")}
    check("triggers of the buttons", found == wanted, found ^ wanted)


# Service, entity, what else it takes, the control, its value there, the state that comes back.
COMMANDS = [
    ("switch.turn_on", "switch.lamp", {}, "lamp", "on", "on"),
    ("switch.turn_off", "switch.lamp", {}, "lamp", "off", "off"),
    ("switch.toggle", "switch.horn", {}, "horn", "on", "on"),
    ("switch.turn_on", "switch.filter", {}, "filter", "on", "on"),
    ("switch.turn_on", "switch.filters", {}, "filters", "on", "on"),
    ("switch.turn_off", "switch.filters", {}, "filters", "off", "off"),
    ("select.select_option", "select.range", {"option": "1 kV"}, "range", "1 kV", "1 kV"),
    ("select.select_next", "select.range", {}, "range", "2 V", "2 V"),
    ("select.select_option", "select.view", {"option": "Far"}, "view", "Far", "Far"),
    ("select.select_option", "select.source", {"option": "Disc"}, "source", "Disc", "Disc"),
    ("select.select_option", "select.blind", {"option": "down"}, "blind", "down", "down"),
    ("switch.turn_on", "switch.cams_1", {}, "cams", ["CAM 1"], "on"),
    ("switch.turn_on", "switch.cams_2", {}, "cams", ["CAM 1", "It's 2"], "on"),
    ("switch.turn_on", "switch.cams_3", {}, "cams", ["CAM 1", "It's 2", "Back\\slash"], "on"),
    ("switch.turn_off", "switch.cams_1", {}, "cams", ["It's 2", "Back\\slash"], "off"),
    ("number.set_value", "number.volume", {"value": 12.35}, "volume", 12.35, "12.35"),
    ("number.set_value", "number.volume", {"value": 30}, "volume", 30, "30.0"),
]


def commands(bench, panel, check):
    """A service changes the panel, and the state comes back."""
    for service, entity, data, control, value, state in COMMANDS:
        bench.assistant.call(service, entity_id=full(entity), **data)
        back = shows(bench, entity, state)
        there = bench.panel_state(control)["value"]
        check(f"{service} {entity} {data or ''}", there == value and back == state,
              f"the panel has {there!r}, not {value!r}; the state is {back!r}, not {state!r}")
    members = [bench.panel_state(control)["value"] for control in ("filter", "hum")]
    check("the group has switched its members", members == ["off", "off"], members)
    try:
        bench.assistant.call("number.set_value", entity_id=full("number.volume"), value=31)
        check("a number out of range is refused", False, "it was taken")
    except Refusal:
        check("a number out of range is refused", True)


def changes_at_the_panel(bench, panel, check):
    """What changes at the panel is shown."""
    for entity, control, value, state in [
        ("switch.lamp", "lamp", "on", "on"), ("binary_sensor.ready", "lamp", "on", "on"),
        ("select.range", "range", "20 V", "20 V"), ("number.volume", "volume", 7.5, "7.5"),
        ("select.blind", "blind", "up", "up"), ("switch.cams_2", "cams", ["CAM 1"], "off"),
    ]:
        bench.set_at_panel(control, value)
        back = shows(bench, entity, state)
        check(f"{entity} follows the panel", back == state, f"{back!r}, not {state!r}")


def mixed_and_staged(bench, panel, check):
    """A group whose members differ is unknown; a form is on while something waits."""
    bench.set_at_panel("filter", "on")
    found = (shows(bench, "switch.filters", "unknown"),
             shows(bench, "sensor.filters_value", "mixed"))
    check("a mixed group", found == ("unknown", "mixed"), found)
    bench.assistant.call("switch.turn_on", entity_id=full("switch.filters"))
    found = (shows(bench, "switch.filters", "on"), shows(bench, "sensor.filters_value", "on"))
    check("a group that was mixed", found == ("on", "on"), found)
    bench.assistant.call("number.set_value", entity_id=full("number.gain"), value=4)
    found = (shows(bench, "binary_sensor.settings", "on"), bench.panel_state("gain")["value"])
    check("a form waits with what was asked", found == ("on", 0), found)
    bench.assistant.call("button.press", entity_id=full("button.apply_press"))
    found = (shows(bench, "binary_sensor.settings", "off"), shows(bench, "number.gain", "4"))
    check("a form is applied", found == ("off", "4"), found)


def actions(bench, panel, check):
    """Phases, failures and the sensor of problems."""
    bench.assistant.call("switch.turn_on", entity_id=full("switch.broken"))
    found = shows(bench, "binary_sensor.broken_problem", "on")
    check("a failure is a problem", found == "on", found)
    attributes = bench.assistant.state(full("switch.broken"))["attributes"]
    found = (attributes["phase"], attributes["reason"])
    check("its reason is an attribute", found == ("failed", "exit 1"), found)
    found = shows(bench, "switch.broken", "off")
    check("the value is reverted", found == "off", found)
    bench.assistant.call("switch.turn_on", entity_id=full("switch.slow"))

    def slow():
        state = bench.assistant.state(full("switch.slow"))
        return state["state"], state["attributes"]["phase"], state["attributes"]["actual"]

    until(2, lambda: slow()[1] == "loading", pause=0.05)
    found = slow()
    check("an action works", found == ("on", "loading", "unknown"), found)
    until(PATIENCE, lambda: slow()[1] == "idle")
    check("an action is done", slow() == ("on", "idle", "on"), slow())


def feedback(bench, panel, check):
    """A device that is not heard is unknown, not what it was last."""
    def says(text):
        bench.assistant.call("mqtt.publish", topic="stat/tank", payload=text)
    says("on")
    found = shows(bench, "binary_sensor.tank", "on")
    check("an indicator shows a device", found == "on", found)
    found = shows(bench, "binary_sensor.tank", "unknown")
    flags = bench.panel_state("tank")["flags"]
    check("a device that is silent is unknown", found == "unknown" and flags == ["stale"],
          f"{found} with {flags}")
    says("off")
    found = shows(bench, "binary_sensor.tank", "off")
    check("a device that is heard again", found == "off", found)


def events(bench, panel, check):
    """Buttons run their actions; menus and momentary segments fire events."""
    def last(entity):
        state = bench.assistant.state(full(entity))
        return state["state"], state["attributes"].get("event_type")

    def fires(name, entity, wanted, act):
        before = last(entity)[0]
        act()
        until(PATIENCE, lambda: last(entity)[0] != before)
        found = last(entity)
        check(name, found[0] != before and found[1] == wanted, found)

    def press(entity):
        bench.assistant.call("button.press", entity_id=full(entity))

    bench.set_at_panel("lamp", "off")
    shows(bench, "switch.lamp", "off")
    press("button.test_press")
    found = shows(bench, "switch.lamp", "on")
    check("button.press runs the action", found == "on", found)
    fires("a segment", "event.jump", "End", lambda: press("button.jump_2"))
    fires("an item of a menu", "event.menu", "Report", lambda: press("button.menu_1"))
    fires("an item of a menu at the panel", "event.menu", "Reboot",
          lambda: bench.set_at_panel("menu", "Reboot"))


def confirmation(bench, panel, check):
    """A destructive control needs a token, also when the command comes through the broker."""
    heard = listen(bench, "detent/bench/erase/answer")

    def send(use, text):
        bench.assistant.call("mqtt.publish", topic=f"detent/bench/erase/{use}", payload=text)

    bench.set_at_panel("lamp", "on")
    shows(bench, "switch.lamp", "on")
    send("set", "press")
    until(PATIENCE, heard)
    answer = json.loads((heard() or ["{}"])[-1])
    check("a destructive command is not performed",
          answer.get("reason") == "needs-confirmation" and shown(bench, "switch.lamp") == "on",
          answer)
    send("confirm", answer.get("confirm", ""))
    found = shows(bench, "switch.lamp", "off")
    check("its token performs it", found == "off", (found, heard()))


def listen(bench, topic):
    """What is published on a topic from now on, as Home Assistant hears it; also what is stored."""
    socket = bench.assistant.socket()
    number = socket.subscribe(type="mqtt/subscribe", topic=topic)
    probe = socket.subscribe(type="mqtt/subscribe", topic="detent-check/probe")

    def is_heard():
        bench.assistant.call("mqtt.publish", topic="detent-check/probe", payload="?")
        return socket.heard(probe)

    # Home Assistant gathers subscriptions, and sends them later.
    until(PATIENCE, is_heard, pause=0.5)
    return lambda: [event["payload"] for event in socket.heard(number)]


def kills(bench, panel, check):
    """All processes of the panel are killed: unavailable until it is back."""
    program = bench.running["panel"]
    program.kill()
    found = shows(bench, "switch.lamp", "unavailable")
    states = own(bench.assistant.states())
    alive = [key for key, state in states.items() if state["state"] != "unavailable"]
    check("a killed panel is unavailable", found == "unavailable" and not alive, alive)
    bench.end("panel")
    bench.start_panel(panel)
    appears(bench, check, "the panel is back")
    bench.end("panel")
    found = shows(bench, "switch.lamp", "unavailable")
    check("a panel that ended is unavailable", found == "unavailable", found)
    bench.start_panel(panel)
    appears(bench, check, "the panel is back again")


def births(bench, panel, check):
    """Home Assistant restarts and finds nothing at the broker: it is announced anew."""
    bench.assistant.call("mqtt.publish", topic=DISCOVERY, payload="", retain=True)
    appears(bench, check, "an empty announcement removes the device", set())
    bench.end("assistant")
    bench.start_assistant()
    # The birth message comes some seconds after this.
    until(240, lambda: bench.assistant.get("/api/config")["state"] == "RUNNING")
    appears(bench, check, "the birth message brings the device back")
    found = shown(bench, "switch.lamp"), shown(bench, "number.volume")
    check("with its states", found == ("off", "0.0"), found)


def brokers(bench, panel, check):
    """The broker restarts and has forgotten everything."""
    bench.end("broker")
    found = shows(bench, "switch.lamp", "unavailable")
    check("without a broker it is unavailable", found == "unavailable", found)
    bench.set_at_panel("lamp", "on")
    bench.start_broker()
    found = shows(bench, "switch.lamp", "on", 60)
    check("a change of the time without a broker", found == "on", found)
    appears(bench, check, "the broker is back")


def restart(bench, panel):
    """Runs another file of the panel."""
    bench.end("panel")
    bench.start_panel(panel)


def removals(bench, panel, check):
    """What leaves the file leaves Home Assistant."""
    fewer = re.sub(r"\n  (horn|test|cams): .*(\n    .*)*", "", panel)
    restart(bench, fewer)
    wanted = {name for name in all_expected()
              if name.split(".")[1].split("_")[0] not in ("horn", "test", "cams")}
    appears(bench, check, "controls that were removed disappear", wanted)
    socket = bench.assistant.socket()
    device = next(device for device in socket.command(type="config/device_registry/list")
                  if device["manufacturer"] == "Detent")
    triggers = socket.command(type="device_automation/trigger/list", device_id=device["id"])
    found = {trigger["subtype"] for trigger in triggers if trigger["domain"] == "mqtt"}
    check("so do their triggers", found == {"erase", "apply"}, found)
    other = re.sub(r"\n  view: .*", "\n  view: {kind: checkbox, label: View, input: VIEW}", fewer)
    bench.reload_panel(other)
    wanted = (wanted - {"select.view"}) | {"switch.view"}
    appears(bench, check, "a control of another kind has another entity", wanted)
    restart(bench, panel)
    appears(bench, check, "they come back")


VIEWED = {
    "switch": "binary_sensor", "select": "sensor", "number": "sensor",
}


def roles(bench, panel, check):
    """A panel that may only be viewed has sensors."""
    restart(bench, panel.replace("discovery:", "role: view, discovery:"))
    wanted = set()
    for entity in all_expected():
        component, name = entity.split(".")
        if component != "button":
            wanted.add(f"{VIEWED.get(component, component)}.{name}")
    appears(bench, check, "with `role: view` everything is a sensor", wanted)
    bench.set_at_panel("lamp", "on")
    found = shows(bench, "binary_sensor.lamp", "on")
    check("they follow the panel", found == "on", found)
    restart(bench, panel)
    appears(bench, check, "with `role: operate` it is as before")


def presses(bench, panel, check):
    """Contacts that bounce, through the debounce to events and triggers. The lines of `detent run`
    never change without a board, so a fleet of one takes the topics of a panel."""
    few = """\
panel: Bench 0001
board: none
mqtt: {url: "BROKER", discovery: homeassistant}
controls:
  test: {kind: button, label: Test, input: TEST}
"""
    topic = "homeassistant/device/detent_bench-0001/config"
    restart(bench, few)
    until(PATIENCE, lambda: left(bench, "0001"))
    announcement = listen(bench, topic)()[-1]
    bench.end("panel")
    file = bench.write_panel("fleet.yaml", few.replace(" 0001", ""))
    bench.start("fleet", [bench.detent + "-lab", "fleet", file, "--count", "1", "--for", "40s"])
    # A fleet announces nothing, and takes back what was announced.
    until(PATIENCE, lambda: not left(bench, "0001"))
    bench.assistant.call("mqtt.publish", topic=topic, payload=announcement)
    until(PATIENCE, lambda: left(bench, "0001"))
    socket = bench.assistant.socket()
    number = socket.subscribe(type="subscribe_events", event_type="state_changed")
    device = next(device for device in socket.command(type="config/device_registry/list")
                  if device["name"] == "Bench 0001")
    trigger = {"platform": "device", "domain": "mqtt", "device_id": device["id"],
               "type": "button_short_press", "subtype": "test"}
    triggered = socket.subscribe(type="subscribe_trigger", trigger=trigger)

    def types():
        states = [event["data"]["new_state"] for event in socket.heard(number)
                  if event["data"]["entity_id"].startswith("event.detent_bench_0001")]
        return [state["attributes"]["event_type"] for state in states
                if state and state["state"] not in ("unavailable", "unknown")]

    wanted = ["press_start", "press_end", "multi_press_end"]
    until(PATIENCE, lambda: len(types()) >= 8 and len(socket.heard(triggered)) >= 2)
    found = types()
    if "press_start" in found:
        found = found[found.index("press_start"):]
    check("presses of a contact are events", found[:6] == wanted * 2, types())
    found = len(socket.heard(triggered))
    check("presses of a contact are triggers", found >= 2, f"{found} triggers")
    bench.assistant.call("mqtt.publish", topic=topic, payload="")
    bench.end("fleet")
    until(PATIENCE, lambda: not left(bench, "0001"))


def left(bench, number=""):
    """Entities that are left of the panel, or of one with a number."""
    return [name for name in bench.assistant.states() if f".detent_bench_{number}" in name]


def offs(bench, panel, check):
    """With `discovery: off` the device disappears."""
    restart(bench, panel)
    appears(bench, check, "the panel is announced")
    restart(bench, panel.replace("discovery: homeassistant", "discovery: off"))
    until(PATIENCE, lambda: not left(bench))
    devices = [device["name"] for device in
               bench.assistant.socket().command(type="config/device_registry/list")
               if device["manufacturer"] == "Detent"]
    check("with `discovery: off` everything is gone", not left(bench) and not devices,
          (left(bench), devices))


def logs(bench, panel, check):
    """Home Assistant has warned of nothing that concerns the panel."""
    lines = [line for line in bench.running["assistant"].text().splitlines()
             if re.search(r"(WARNING|ERROR).*(mqtt|detent)", line)]
    check("no warning of Home Assistant", not lines, "\n  ".join(lines))


ALL = [
    the_entities, the_device, commands, changes_at_the_panel, mixed_and_staged, actions, feedback,
    events, confirmation, kills, births, logs, brokers, removals, roles, offs, presses,
]
