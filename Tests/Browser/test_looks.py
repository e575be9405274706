"""How buttons look, what is written on them, and which keys press them."""

import pytest
from playwright.sync_api import Locator, expect

from support import behaviour
from support.front import Front

panel = "looks"


def counts(front: Front, control: str, event: str = "pressed") -> int:
    return sum(each["event"] == event for each in front.simulator.events(control))


def pressed(front: Front, control: str, times: int = 1) -> None:
    front.simulator.wait_until(
        lambda: counts(front, control), lambda n: n == times, f"{control} is pressed"
    )


def box(locator: Locator) -> dict[str, float]:
    measured = locator.bounding_box()
    assert measured
    return measured


# STYLES AND SIZES


def test_sizes_differ_and_fit_a_finger(front: Front):
    large, regular, small = (box(front.role("button", name)) for name in ("Start", "Stop", "Skip"))
    assert large["height"] > regular["height"] + 8 > small["height"] + 16
    assert small["height"] >= 24


def test_a_plain_button_has_no_frame_and_a_prominent_one_is_filled(front: Front):
    looks = {
        name: front.role("button", name).evaluate(
            "(e) => [getComputedStyle(e, '::before').visibility,"
            " getComputedStyle(e, '::before').backgroundColor, getComputedStyle(e).color].join()"
        )
        for name in ("Start", "Stop", "Skip")
    }
    assert looks["Skip"].startswith("hidden")
    assert len(set(looks.values())) == 3, looks


def test_a_prominent_toggle_button_has_two_looks(front: Front):
    boost = front.role("button", "Boost")
    fill = "(e) => getComputedStyle(e, '::before').backgroundImage"
    off = boost.evaluate(fill)
    boost.click()
    front.wait("boost", value="on", pressed=[])
    assert boost.evaluate(fill) != off
    assert boost.evaluate("(e) => getComputedStyle(e).color") == "rgb(255, 255, 255)"


def test_a_subtitle_is_below_the_label(front: Front):
    for name, line in (("Start", "All pumps"), ("Boost", "30 min"), ("Ring", "Front door")):
        button = front.role("button", name)  # the name is the label alone
        title, below = button.get_by_text(name, exact=True), button.get_by_text(line, exact=True)
        assert box(below)["y"] >= box(title)["y"] + box(title)["height"] - 1


# SYMBOLS


def test_a_symbol_and_its_label_together(front: Front):
    ring = front.role("button", "Ring")
    assert ring.locator("svg").count() == 1
    expect(ring.get_by_text("Ring", exact=True)).to_be_visible()
    assert ring.get_attribute("title") is None  # nothing is hidden


def test_a_symbol_alone_says_its_name_in_a_tooltip(front: Front):
    ventilate = front.role("button", "Ventilate")
    expect(ventilate).to_have_attribute("title", "Ventilate")
    assert ventilate.inner_text() == ""


def test_a_caption_is_below_its_symbol(front: Front):
    water = front.role("button", "Water")
    caption = water.get_by_text("Beds", exact=True)
    drawing = water.locator("svg.symbol")
    assert box(caption)["y"] >= box(drawing)["y"] + box(drawing)["height"] - 1
    expect(water).to_have_attribute("title", "Water")


def test_segments_have_tooltips_and_captions(front: Front):
    sky = front.role("radiogroup", "Sky")
    for name in ("Day", "Dusk", "Night"):
        segment = sky.get_by_role("radio", name=name, exact=True)
        expect(segment).to_have_attribute("title", name)
        expect(segment.get_by_text(name, exact=True)).to_be_visible()


def test_a_text_introduces_a_group_of_options(front: Front):
    expect(front.unit("sky")).to_contain_text("The scene follows within a minute.")
    night = front.role("radiogroup", "Sky").get_by_role("radio", name="Night")
    expect(night).to_have_accessible_description("The scene follows within a minute.")


# WORK


def test_a_cap_without_a_lamp_shows_that_it_works(front: Front):
    stop = front.role("button", "Stop")
    sign = "(e) => getComputedStyle(e, '::after').content"
    assert stop.evaluate(sign) == "none"
    front.simulator.action("stop", "0ms", "hang")
    stop.click()
    front.wait("stop", phase="loading")
    expect(stop).to_have_attribute("aria-busy", "true")
    assert stop.evaluate(sign) == '""'


# KEYS


def test_return_and_escape_press_the_buttons_of_the_form_that_has_the_focus(front: Front):
    limit = front.role("spinbutton", "Limit")
    limit.press("ArrowUp")
    front.wait("limit", staged=1)
    limit.press("Escape")
    pressed(front, "cancel")
    front.wait("limit", staged=None, value=0)
    limit.press("ArrowUp")
    front.wait("limit", staged=1)
    limit.press("Enter")
    pressed(front, "apply")
    front.wait("limit", staged=None, value=1)
    assert counts(front, "finish") + counts(front, "leave") == 0


def test_keys_of_a_group_are_done_and_close(front: Front):
    verbose = front.role("checkbox", "Verbose")
    verbose.focus()
    front.page.keyboard.press("Escape")
    pressed(front, "leave")
    verbose.press("Enter")  # the part takes the key itself
    pressed(front, "name")
    assert counts(front, "finish") == 0


def test_keys_do_nothing_where_two_buttons_could_be_meant(front: Front):
    front.page.locator(".sheet > .title").click()
    for key in ("Enter", "Escape"):
        front.page.keyboard.press(key)
    front.page.wait_for_timeout(200)
    assert sum(counts(front, each) for each in ("apply", "cancel", "finish", "leave")) == 0


def test_keys_with_control_or_in_the_bench_press_nothing(front: Front):
    front.role("spinbutton", "Limit").focus()
    front.page.keyboard.press("Control+Enter")
    front.page.locator("#theme").focus()
    front.page.keyboard.press("Enter")
    front.page.keyboard.press("Escape")
    front.page.wait_for_timeout(200)
    assert counts(front, "apply") + counts(front, "cancel") == 0


# FORMS


def test_a_form_is_framed_with_its_status_before_its_buttons(front: Front):
    frame = front.role("group", "Limits")
    outer = box(frame)
    places = [
        box(front.unit(each)) for each in ("limit", "alarm", "limits", "apply", "cancel")
    ]
    for each in places:
        assert outer["x"] <= each["x"] and outer["y"] <= each["y"]
        assert each["y"] + each["height"] <= outer["y"] + outer["height"]
    status = places[2]
    assert all(each["y"] < status["y"] for each in places[:2])
    below, right = status["y"] + status["height"] - 1, status["x"] + status["width"] - 1
    assert all(each["y"] >= below or each["x"] >= right for each in places[3:])


def test_apply_rests_while_nothing_is_staged(front: Front):
    apply, limit = front.role("button", "Apply"), front.role("spinbutton", "Limit")
    behaviour.is_disabled_with_a_reason(front, apply, "Nothing to apply")
    apply.click(force=True)
    limit.press("ArrowUp")
    expect(apply).not_to_have_attribute("aria-disabled", "true")
    apply.click()
    front.wait("limit", staged=None, value=1)
    expect(apply).to_have_attribute("aria-disabled", "true")
    assert counts(front, "apply") == 1


# BUTTONS OF THE PAGE ALONE


def test_info_reveals_its_text_and_stays(front: Front):
    about, text = front.role("button", "About the Symbols"), "Water runs for ten minutes."
    expect(about).to_have_attribute("aria-expanded", "false")
    expect(front.panel.get_by_text(text)).not_to_be_visible()
    address = front.page.url
    about.press("Enter")
    expect(about).to_have_attribute("aria-expanded", "true")
    expect(front.panel.get_by_text(text)).to_be_visible()
    assert front.page.url == address and front.is_focused(about)
    about.press("Enter")
    expect(front.panel.get_by_text(text)).not_to_be_visible()
    expect(about).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("how", ["Escape", "a touch elsewhere", "the button"])
def test_info_is_hidden_again(front: Front, how):
    about, text = front.role("button", "About the Symbols"), "Water runs for ten minutes."
    about.click()
    expect(front.panel.get_by_text(text)).to_be_visible()
    expect(about).to_have_attribute("aria-expanded", "true")
    if how == "Escape":
        front.page.keyboard.press("Escape")
    elif how == "the button":
        about.click()
    else:
        front.role("button", "Stop").click()
    expect(front.panel.get_by_text(text)).not_to_be_visible()
    expect(about).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("name, text", [("About the Symbols", "Water runs"), ("Day", "The scene")])
def test_a_help_has_room_for_its_text(front: Front, name, text):
    for viewport in ({"width": 1280, "height": 900}, {"width": 390, "height": 844}):
        front.look(viewport)
        owner = front.role("button", name) if name.startswith("About") else front.role("radio", name)
        owner.scroll_into_view_if_needed()
        owner.click()
        help = front.panel.get_by_text(text)
        expect(help).to_be_visible()
        box = help.bounding_box()
        text_box = help.evaluate(
            """(e) => {
                const range = document.createRange();
                range.selectNodeContents(e);
                return range.getBoundingClientRect().toJSON();
            }""")
        assert text_box["top"] > box["y"] and text_box["bottom"] < box["y"] + box["height"]
        assert box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"]
        assert not front.overlapping(help, owner), "it stands beside its control"
        front.page.keyboard.press("Escape")
        expect(help).not_to_be_visible()


def test_the_help_of_a_control_follows_the_focus_and_the_pointer(front: Front):
    help = front.panel.get_by_text("The scene follows")
    expect(help).not_to_be_visible()
    front.role("radio", "Day").focus()
    expect(help).to_be_visible()
    front.role("button", "Stop").focus()
    expect(help).not_to_be_visible()
    front.role("radio", "Night").hover()
    expect(help).to_be_visible()
    front.page.mouse.move(0, 0)
    expect(help).not_to_be_visible()


def test_a_disclosure_shows_and_hides_its_group(front: Front):
    more, purge = front.role("button", "Service"), front.role("button", "Purge Line")
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(purge).not_to_be_visible()
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(purge).to_be_visible()
    front.page.reload()
    front.wait_until_connected()
    expect(purge).to_be_visible()  # as it was left
    more.click()
    expect(purge).not_to_be_visible()


def test_what_has_failed_is_seen_in_a_shut_group(front: Front):
    front.simulator.action("purge", "0ms", "fail", code=3)
    front.simulator.gesture("purge", "click")
    front.simulator.wait("purge", phase="failed")
    expect(front.role("button", "Purge Line")).to_be_visible()
    expect(front.notes("purge")).to_contain_text("exit 3")
