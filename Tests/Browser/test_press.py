"""What a finger on a button is: down from down to up, whatever happens between."""

import pytest
from playwright.sync_api import expect

from support.front import Front, Opener

button = "calibrate"
name = "Calibrate"


def told(front: Front, event: str) -> int:
    return sum(each["event"] == event for each in front.simulator.events(button))


@pytest.fixture
def cap(front: Front):
    # What a press does is slow enough for the phase to be seen, and never in the way.
    front.simulator.action(button, "0ms")
    return front.role("button", name)


def test_pointer_down_and_up(front: Front, cap):
    with front.held(cap):
        front.wait(button, pressed=[0])
    front.wait(button, pressed=[])
    assert told(front, "pressed") == 1
    assert told(front, "clicked") == 1


def test_leaving_while_down_does_not_open_it_but_letting_go_elsewhere_does(front: Front, cap):
    with front.held(cap):
        front.wait(button, pressed=[0])
        front.page.mouse.move(5, 5, steps=5)
        expect(cap).to_be_visible()
        front.wait(button, pressed=[0])
    front.wait(button, pressed=[])


def test_sliding_off_abandons_what_is_confirmed_by_holding(front: Front):
    cap = front.role("button", "Erase")
    with front.held(cap):
        front.wait("erase", pressed=[0])
        front.page.mouse.move(5, 5, steps=5)
        front.wait("erase", pressed=[])
    front.page.wait_for_timeout(2_500)
    told = {each["event"] for each in front.simulator.events("erase")}
    assert not told & {"phase", "chosen"}, told


@pytest.mark.parametrize("key", ["Enter", " "])
def test_key_down_and_up(front: Front, cap, key):
    with front.key_held(cap, key):
        front.wait(button, pressed=[0])
    front.wait(button, pressed=[])
    assert told(front, "pressed") == 1


def test_repetition_of_a_key_is_no_press(front: Front, cap):
    with front.key_held(cap, " "):
        for _ in range(5):
            front.page.keyboard.down(" ")
        front.wait(button, pressed=[0])
    front.wait(button, pressed=[])
    assert told(front, "pressed") == 1


def test_lost_focus_opens_it(front: Front, cap):
    with front.key_held(cap, " "):
        front.wait(button, pressed=[0])
        cap.evaluate("(element) => element.blur()")
        front.wait(button, pressed=[])
    assert told(front, "released") == 1


@pytest.mark.parametrize("way", ["pointer", "key"])
def test_a_window_that_loses_the_focus_opens_it(front: Front, cap, way):
    with front.held(cap) if way == "pointer" else front.key_held(cap, " "):
        front.wait(button, pressed=[0])
        front.page.evaluate("window.dispatchEvent(new Event('blur'))")
        front.wait(button, pressed=[])
    assert told(front, "pressed") == 1


def test_a_pointer_that_is_taken_away_opens_it(front: Front, cap):
    with front.held(cap):
        front.wait(button, pressed=[0])
        cap.evaluate(
            """(element) => element.dispatchEvent(
                new PointerEvent("pointercancel", { pointerId: 1, bubbles: true }))"""
        )
        front.wait(button, pressed=[])


def test_touch(opener: Opener):
    front = opener.open(has_touch=True)
    cap = front.role("button", name)
    cap.tap()
    front.simulator.wait_until(
        lambda: told(front, "clicked"), lambda count: count == 1, "a tap is a click"
    )
    front.wait(button, pressed=[])


def test_a_click_without_a_hand_is_a_click(front: Front, cap):
    """As screen readers and voice control do: a contact of a length that counts."""
    cap.evaluate("(element) => element.click()")
    front.simulator.wait_until(
        lambda: told(front, "clicked"), lambda count: count == 1, "one click"
    )
    assert told(front, "pressed") == told(front, "released") == 1


def test_a_click_without_a_hand_works_while_the_clock_stands(front: Front, cap):
    front.simulator.clock("pause")
    cap.evaluate("(element) => element.click()")
    front.page.wait_for_timeout(100)
    front.simulator.clock("step", by="1s")
    front.simulator.wait_until(
        lambda: told(front, "clicked"), lambda count: count == 1, "one click"
    )


def test_two_pages_hold_one_button(opener: Opener):
    one, two = opener.open(), opener.open()
    simulator = opener.simulator
    with one.held(one.role("button", name)):
        simulator.wait(button, pressed=[0])
        with two.held(two.role("button", name)):
            two.page.wait_for_timeout(100)
        two.page.wait_for_timeout(200)
        assert simulator.state(button)["pressed"] == [0], "the other one still holds it"
    simulator.wait(button, pressed=[])
    assert told(one, "pressed") == told(one, "released") == 1


@pytest.mark.parametrize("way", ["closed", "left"])
def test_a_page_that_is_gone_holds_nothing(opener: Opener, way):
    front = opener.open()
    cap = front.role("button", name)
    cap.hover()
    front.page.mouse.down()
    front.wait(button, pressed=[0])
    if way == "closed":
        front.page.context.close()
    else:
        front.page.goto("about:blank")
    front.simulator.wait(button, pressed=[])
