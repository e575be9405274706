"""Devices nearby, played by hand in the inspector, and how long a tap waits for a gesture."""

import re

from playwright.sync_api import Browser, expect

from support import places
from support.front import Opener
from support.simulator import Simulators


def test_a_device_says_and_answers_what_a_hand_wants(browser: Browser, simulators: Simulators):
    simulator = simulators.of(places.root / "simulator/scenarios/panels/bench.yaml")
    simulator.start_over()
    opener = Opener(browser, simulator, "nearby", drawers="inspector")
    try:
        front = opener.open()
        simulator.clock("rate", rate=20)
        inspector = front.page.get_by_role("complementary", name="Inspector")
        control = inspector.get_by_role("combobox", name="Control", exact=True)
        control.select_option(label="Gear Down")
        device = inspector.get_by_role("group", name="Device")
        device.get_by_label("Says").fill("GEAR 1")
        device.get_by_role("button", name="Say", exact=True).click()
        simulator.wait("gear", actual="on", flags=[])
        device.get_by_label("Says").fill("GEAR ?")
        device.get_by_role("button", name="Say 1000 times").click()
        simulator.wait("gear", flags=["stale"])
        device.get_by_label("Device").select_option("off")
        device.get_by_role("button", name="Change device").click()
        simulator.wait("gear", actual="off", flags=[])
        device.get_by_role("button", name="Fall silent").click()
        simulator.wait("gear", flags=["stale"])
        # It is told another value than it was asked for.
        control.select_option(label="Output")
        answers = inspector.get_by_role("group", name="Action").get_by_label("Answers")
        answers.fill("0")
        answers.press("Tab")
        simulator.wait_until(
            lambda: simulator.snapshot()["simulation"]["actions"]["output"].get("answer"),
            lambda answer: answer == "0\n",
            "the answer",
        )
        front.role("button", "Output").click()
        simulator.wait_until(
            lambda: [
                event["value"] for event in simulator.events("output") if event["event"] == "changed"
            ],
            lambda values: values[-2:] == ["on", "off"],
            "the value of the device",
        )
        simulator.wait("output", value="off", actual="off", phase="idle")
    finally:
        opener.close()


def test_a_part_says_how_long_its_tap_waits(browser: Browser, simulators: Simulators):
    simulator = simulators.of(places.panel("home-lights"))
    waiting = [
        each["id"] for each in simulator.snapshot()["panel"]["controls"] if each["tapWait"]
    ]
    assert waiting
    opener = Opener(browser, simulator, "tap")
    try:
        front = opener.open()
        for control in waiting:
            expect(front.unit(control)).to_have_attribute("title", re.compile("A tap acts"))
    finally:
        opener.close()
