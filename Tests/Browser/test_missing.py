"""What a disabled control asks for: the parts of its condition that do not hold."""

from playwright.sync_api import expect

from support.front import Front

panel = "aquarium"


def test_only_what_is_missing_is_said(front: Front):
    """It needs Circulation, a full Sump and no Feeding Pause."""
    notes = front.notes("skimmer")
    expect(notes).to_contain_text("– Set Sump to Full first")
    front.role("button", "Feeding Pause").click()
    expect(notes).to_contain_text("– Set Sump to Full and turn off Feeding Pause first")
    front.role("button", "Circulation").click()
    expect(notes).to_contain_text(
        "– Turn on Circulation, set Sump to Full and turn off Feeding Pause first"
    )
    for name in ("Circulation", "Feeding Pause"):
        front.role("button", name).click()
    front.role("switch", "Sump").click()
    front.wait("sump", value="on")
    expect(notes).not_to_contain_text("first")


def test_a_touch_in_vain_says_it_once(front: Front):
    front.role("button", "Heater").press("Space")
    expect(front.notes("heater")).to_contain_text("⊘ Set Sump to Full first")
    assert "Disabled" not in front.notes("heater").inner_text()
    assert front.notes("heater").inner_text().count("Sump") == 1
