"""The log: what happened, in order; found, kept, and copied."""

import json

import pytest
from playwright.sync_api import Locator, expect

from support.front import Front, Opener

drawers = "inspector waves log"


@pytest.fixture
def log(front: Front) -> Locator:
    return front.page.locator("#log")


def rows(log: Locator) -> Locator:
    return log.get_by_role("log").locator("div:visible")


def test_what_happens_is_written(front: Front, log):
    front.role("button", "Mute").click()
    front.wait("mute", value="on")
    expect(rows(log).filter(has_text="Mute").filter(has_text="● On").first).to_be_visible()
    assert log.get_by_role("log").get_attribute("aria-live") == "off"


def test_a_page_that_comes_later_reads_what_was_before(opener: Opener):
    opener.simulator.set("view", "Graph")
    front = opener.open()
    log = front.page.locator("#log")
    expect(rows(log).filter(has_text="View").filter(has_text="● Graph (api)").first).to_be_visible()


def test_filters(front: Front, log):
    front.simulator.set("view", "Graph")
    front.simulator.set("heading", 7)
    expect(rows(log).filter(has_text="heading").first).to_be_visible()
    log.get_by_label("Control").select_option(label="View")
    expect(rows(log).filter(has_text="heading")).to_have_count(0)
    expect(rows(log).filter(has_text="view").first).to_be_visible()
    log.get_by_label("Control").select_option("")
    log.get_by_label("Find").fill("heading")
    expect(rows(log).filter(has_text="view")).to_have_count(0)
    expect(rows(log).filter(has_text="heading").first).to_be_visible()


def test_export(front: Front, log, tmp_path):
    front.simulator.set("view", "Graph")
    front.simulator.set("heading", 7)
    expect(rows(log).filter(has_text="heading").first).to_be_visible()
    log.get_by_label("Control").select_option(label="Heading")
    expect(rows(log).filter(has_text="view")).to_have_count(0)
    with front.page.expect_download() as download:
        log.get_by_role("button", name="Save JSONL").click()
    file = tmp_path / "log.jsonl"
    download.value.save_as(file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines
    assert {line["control"] for line in lines} == {"heading"}
    wanted = [event for event in front.simulator.events() if event["control"] == "heading"]
    assert lines == wanted, "verbatim what the panel has in its history"


def test_a_pause_keeps_what_is_shown(front: Front, log):
    log.get_by_role("button", name="Pause").click()
    front.simulator.set("view", "Graph")
    front.page.wait_for_timeout(300)
    expect(rows(log).filter(has_text="view")).to_have_count(0)
    log.get_by_role("button", name="Go on").click()
    expect(rows(log).filter(has_text="view").first).to_be_visible()


def test_thousands_of_events_cost_few_rows(front: Front, log):
    front.simulator.clock("rate", rate=100)
    for place in range(60):
        front.simulator.set("heading", place % 360)
        front.simulator.set("view", "List" if place % 2 else "Graph")
    expect(log.get_by_text("of").first).to_be_visible()
    assert log.get_by_role("log").locator("div").count() < 80
    front.role("switch", "Circulation Pump").click()
    front.wait("pump", value="on")
