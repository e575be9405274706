"""Texts that a page may trip over are shown as they are; the page asks nobody but its panel."""

from playwright.sync_api import expect

from support.front import Front

drawers = "inspector waves log"

panel = "hostile"
# The one picture of the page is the wiring.
intruders = "img:not(#wiring img), iframe, object, embed, base, form[action], script:not([src]), [onerror], [onload]"


def no_intruders(front: Front) -> None:
    """Nothing in the page has become what its text says."""
    assert front.page.locator(intruders).count() == 0
    assert front.page.locator("a[href^='javascript' i]").count() == 0


def test_the_name_of_the_panel(front: Front):
    name = front.simulator.snapshot()["panel"]["name"]
    expect(front.page.get_by_role("heading", level=1)).to_have_text(name)
    assert name in front.page.title()


def test_every_label_is_shown_as_it_is(front: Front):
    for control in front.simulator.snapshot()["panel"]["controls"]:
        shown = front.panel.get_by_text(control["label"], exact=True)
        assert shown.count() > 0, control["label"]
    no_intruders(front)


def test_a_label_is_on_its_cap_alone(front: Front):
    """Its symbol has no drawing, so the cap says the label."""
    shown = front.unit("script").locator(":not(.hidden)", has_text="'); alert(1); ('")
    expect(shown.and_(front.page.locator(".label, .caption"))).to_have_count(1)


def test_every_option_is_shown_as_it_is(front: Front):
    text = front.panel.evaluate("(main) => main.textContent")
    controls = front.simulator.snapshot()["panel"]["controls"]
    for control in controls:
        if control["kind"] in ("radio-group", "segmented"):
            for title in control["titles"]:
                assert title in text, title


def test_groups_are_shown_as_they_are(front: Front):
    for group in ("<b>Bold</b>", "لوحة"):
        expect(front.panel.get_by_text(group, exact=True).first).to_be_visible()


def test_an_active_label(front: Front):
    front.simulator.action("script", "10s")
    front.simulator.gesture("script", "click")
    front.wait("script", phase="loading")
    text = "</button><script>alert(1)</script>"
    expect(front.panel.get_by_text(text).first).to_be_visible()
    no_intruders(front)


def test_menus(front: Front):
    front.simulator.gesture("many-words", "click", value="select")
    expect(front.page.get_by_role("option", name="<option selected>")).to_be_visible()
    front.simulator.gesture("menu", "hold", **{"for": "2s"})
    front.wait("menu", focus=lambda focus: focus is not None)
    item = "<a href=javascript:alert(1)>"
    expect(front.page.get_by_role("menuitem", name=item)).to_be_visible()
    no_intruders(front)


def test_the_inspector_and_the_log(front: Front):
    inspector = front.page.get_by_role("complementary")
    choice = inspector.get_by_role("combobox", name="Control", exact=True)
    for control in front.simulator.snapshot()["panel"]["controls"]:
        choice.select_option(value=control["id"])
        expect(choice.locator("option:checked")).to_have_text(control["label"])
        waves = front.page.get_by_role("region", name="Waveforms")
        lane = f"{control['lines'][0]['name']} raw"
        expect(waves.get_by_label("Lane", exact=True).locator("option").first).to_have_text(lane)
    front.simulator.set("markup", "on")
    log = front.page.locator("#log")
    expect(log.get_by_role("log").get_by_text("● ").first).to_be_visible()
    titles = log.get_by_label("Control").locator("option").all_inner_texts()
    assert "<img src=x onerror=alert(1)>" in titles
    no_intruders(front)


def test_names_that_every_object_has(front: Front):
    """`constructor` as an id and `__proto__` as a word are names as others."""
    front.role("switch", "Constructor").click()
    front.wait("constructor", value="on")
    expect(front.role("switch", "Constructor")).to_have_attribute("aria-checked", "true")
    front.simulator.set("menu", "__proto__")
    front.role("spinbutton", "__proto__").press("End")
    front.wait("to-string", value=1)
    assert front.page.evaluate("Object.keys(Object.prototype)") == []


def test_a_reason_that_looks_like_markup(front: Front):
    """What a device says of its failure is shown as it is, too."""
    front.simulator.action("script", "0ms", "fail", code=3)
    front.role("button", "'); alert(1); ('").click()
    front.wait("script", phase="failed")
    expect(front.page.get_by_role("alert")).to_contain_text("'); alert(1); (' failed")
    no_intruders(front)


def test_headers(front: Front):
    headers, _ = front.simulator.ask("GET", "")
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";") if part
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_policy_holds(front: Front):
    """Even a script of the page itself can make no markup and no code of a text."""
    front.watch.allow("Content Security Policy|TrustedHTML|TrustedScript|unsafe-eval|style")
    outcome = front.page.evaluate(
        """() => {
            try { document.body.innerHTML = "<b>x</b>"; } catch (error) { return error.name; }
            return "done";
        }"""
    )
    assert outcome == "TypeError"
    front.page.evaluate(
        """() => {
            const script = document.createElement("script");
            try { script.text = "window.made = 1"; document.body.append(script); } catch { }
            try { setTimeout("window.made = 1"); } catch { }
            document.body.setAttribute("style", "outline-width: 77px");
        }"""
    )
    front.page.wait_for_timeout(50)
    assert front.page.evaluate("window.made ?? null") is None
    assert front.page.evaluate("getComputedStyle(document.body).outlineWidth") != "77px"
