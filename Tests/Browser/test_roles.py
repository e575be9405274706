"""A page with the token of a viewer sees everything and changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support import places
from support.front import Front, Opener
from support.simulator import RealPanel

tokens = {"view": "view-0123456789abcdef", "operate": "operate-0123456789abcdef"}


class GuardedPanel(RealPanel):
    """A panel with a token for each role."""

    token = tokens["operate"]

    def __init__(self, folder: Path) -> None:
        super().__init__(places.panel("remote"))
        self.options = []
        for role, token in tokens.items():
            file = folder / role
            file.write_text(token)
            self.options += ["--token-file", f"{role}={file}"]

    def command(self, listen: str) -> list[object]:
        return [*super().command(listen), *self.options]


@pytest.fixture
def opener(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    panel = GuardedPanel(tmp_path).start()
    opener = Opener(browser, panel, request.node.name)
    try:
        yield opener
        opener.close()
    finally:
        panel.stop()


def test_a_viewer_sees_and_changes_nothing(opener: Opener):
    front = opener.open(f"#k={tokens['view']}")
    expect(front.page.locator("#mode")).to_have_text("Hardware, view only")
    front.role("switch", "Pump").click()
    expect(front.unit("pump")).to_contain_text("This token has the role `view`")
    assert front.simulator.state("pump")["value"] == "off"


def test_an_operator_changes_and_a_viewer_sees_it(opener: Opener):
    viewer, operator = (opener.open(f"#k={tokens[role]}") for role in ("view", "operate"))
    expect(operator.page.locator("#mode")).to_have_text("Hardware")
    operator.role("switch", "Pump").click()
    operator.wait("pump", value="on")
    expect(viewer.role("switch", "Pump")).to_have_attribute("aria-checked", "true")
