"""The tour: a caption at each part that moves, and a card at the end."""

from playwright.sync_api import expect

from support import accessible
from support.front import Front

panel = "lab-supply"
fresh = True


def start(front: Front):
    front.page.wait_for_load_state("networkidle")
    front.page.goto(front.simulator.url + "#tour")
    front.page.reload()
    front.wait_until_connected()
    return front.page.get_by_role("dialog", name="Tour")


def test_it_leads_through_the_panel(front: Front):
    tour = start(front)
    words = []
    while tour.get_by_role("button", name="Next").is_visible():
        words.append(tour.locator("p").inner_text())
        moved = front.page.locator("main .unit[data-touched]")
        expect(moved).to_have_count(1)
        expect(moved).to_be_in_viewport()
        if len(words) == 1:
            assert accessible.violations(front.page) == []
        before = tour.locator("p").inner_text()
        tour.get_by_role("button", name="Next").click()
        expect(tour.locator("p")).not_to_have_text(before)
    assert any(text.startswith("Flip Output") for text in words)
    # Three detents are three steps of 0.05.
    assert any("three detents" in text for text in words)
    assert front.simulator.state("set-point")["value"] == 5.15
    front.wait("output", outcome=lambda outcome: outcome and outcome["result"] == "failed")
    expect(tour).to_contain_text("detent new")
    tour.get_by_role("button", name="Close").click()
    expect(tour).to_have_count(0)


def test_it_ends_with_escape_and_comes_once(front: Front):
    tour = start(front)
    expect(tour.get_by_role("button", name="Next")).to_be_focused()
    front.page.keyboard.press("Escape")
    expect(tour).to_have_count(0)
    front.page.reload()
    front.wait_until_connected()
    expect(front.page.locator("#log")).to_have_count(1)
    expect(tour).to_have_count(0)
