"""The panel dies and comes back; the page tells, waits, and is right again."""

import re

from playwright.sync_api import expect

from support.front import Front, Opener

refused = r"ERR_CONNECTION_REFUSED|WebSocket connection|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET"


def parts(front: Front):
    """All that can be pressed, turned or chosen on the front panel."""
    return front.panel.locator(
        "button, input, select, [role=switch], [role=checkbox], [role=radio], [role=spinbutton],"
        " [role=combobox]"
    )


def test_a_killed_panel_and_its_return(opener: Opener):
    front = opener.open()
    simulator = opener.simulator
    front.watch.allow(refused)
    pump = front.role("switch", "Circulation Pump")
    front.role("button", "Mute").click()
    simulator.wait("mute", value="on")
    expect(front.role("button", "Mute")).to_have_attribute("aria-pressed", "true")

    simulator.kill()
    expect(front.page.locator("#connection")).to_have_text(re.compile("Not connected"))
    expect(front.page.locator("#banner")).to_be_visible()
    expect(pump).to_have_attribute("aria-disabled", "true")
    everything = parts(front)
    able = everything.evaluate_all(
        """(all) => all.filter((e) => e.checkVisibility() && !e.closest("[aria-disabled=true]"))
            .map((e) => e.outerHTML.slice(0, 120))"""
    )
    assert able == [], "not disabled while nobody listens"
    # The last known state stays in view.
    expect(front.role("button", "Mute")).to_have_attribute("aria-pressed", "true")
    # It stays focusable, and says that it does nothing.
    pump.focus()
    assert front.is_focused(pump)
    front.page.keyboard.press("Space")
    expect(pump).to_have_attribute("aria-checked", "false")
    front.picture("not-connected")

    simulator.come_back()
    front.wait_until_connected()
    expect(front.page.locator("#banner")).to_be_hidden()
    expect(pump).not_to_have_attribute("aria-disabled", "true")
    # The new process knows nothing of the old one.
    expect(front.role("button", "Mute")).to_have_attribute("aria-pressed", "false")
    assert simulator.state("mute")["value"] == "off"
    assert simulator.state("pump")["value"] == "off", "a key that was pressed meanwhile is lost"
    pump.click()
    simulator.wait("pump", value="on")
    expect(pump).to_have_attribute("aria-checked", "true")


def test_focus_survives_the_return(opener: Opener):
    front = opener.open()
    front.watch.allow(refused)
    pump = front.role("switch", "Circulation Pump")
    pump.focus()
    opener.simulator.kill()
    expect(front.page.locator("#banner")).to_be_visible()
    opener.simulator.come_back()
    front.wait_until_connected()
    assert front.is_focused(pump)


def test_what_happened_during_a_cut_is_shown_after_it(opener: Opener):
    sockets = []
    context, watch = opener.context()
    context.route_web_socket(
        re.compile("/api/v1/events"), lambda socket: sockets.append((socket, _pass(socket)))
    )
    front = Front(context.new_page(), opener.simulator, watch)
    opener.fronts.append(front)
    front.page.goto(opener.simulator.url)
    front.wait_until_connected()
    pump = front.role("switch", "Circulation Pump")

    sockets[-1][0].close(code=1011)
    opener.simulator.set("pump", "on")
    expect(pump).to_have_attribute("aria-checked", "true")
    front.wait_until_connected()
    assert len(sockets) == 2
    assert "session=" in sockets[1][0].url, "it asks for what it missed"
    assert opener.simulator.state("pump")["value"] == "on"


def _pass(socket):
    return socket.connect_to_server()


def test_a_page_sees_what_another_does(opener: Opener):
    one, two = opener.open(), opener.open()
    one.role("switch", "Circulation Pump").click()
    expect(two.role("switch", "Circulation Pump")).to_have_attribute("aria-checked", "true")
    two.role("checkbox", "Voltage").click()
    expect(one.role("checkbox", "Voltage")).to_have_attribute("aria-checked", "true")


def test_starting_over_is_seen(front: Front):
    front.role("checkbox", "Current").click()
    expect(front.role("checkbox", "Current")).to_have_attribute("aria-checked", "true")
    front.simulator.clock("restart")
    expect(front.role("checkbox", "Current")).to_have_attribute("aria-checked", "false")


def test_a_panel_that_is_too_busy_is_asked_for_the_places_again(opener: Opener):
    context, _ = opener.context()
    asked: list[str] = []

    def refuse_once(route):
        asked.append(route.request.url)
        route.fulfill(status=503) if len(asked) == 1 else route.continue_()

    context.route("**/api/v1/face?*", refuse_once)
    page = context.new_page()
    page.goto(opener.simulator.url)
    expect(page.locator(".sheet[data-placed]")).to_be_attached()
    assert len(asked) == 2 and asked[0] == asked[1]
    context.close()
