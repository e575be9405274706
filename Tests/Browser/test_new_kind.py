"""A kind of control that only the tests have: Tests/NewKind. The page and the server ask it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from support import places
from support.front import Front
from support.simulator import Refused, Simulator


class Counting(Simulator):
    """The program that knows the kind."""

    def command(self, listen: str) -> list[object]:
        return [places.root / ".build/debug/new-kind-panel", *super().command(listen)[1:]]


@pytest.fixture(scope="module")
def simulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    panel: Path = tmp_path_factory.mktemp("counter") / "panel.yaml"
    panel.write_text(
        "panel: Laps\nboard: none\ncontrols:\n"
        "  laps: {kind: counter, label: Laps, input: A, indicator: L}\n"
    )
    started = Counting(panel).start()
    yield started
    started.stop()


@pytest.fixture
def laps(front: Front) -> Locator:
    return front.role("button", "Laps: 0")


@pytest.mark.kind
def test_a_press_counts(front: Front, laps: Locator):
    expect(laps).to_have_text("0")
    laps.click()
    front.wait("laps", value=1)
    expect(front.role("button", "Laps: 1")).to_have_text("1")


@pytest.mark.kind
def test_a_hold_sets_it_back(front: Front, laps: Locator):
    front.simulator.set("laps", 41)
    cap = front.role("button", "Laps: 41")
    expect(cap).to_have_text("41")
    with front.held(cap):
        front.wait("laps", value=0)
    expect(laps).to_have_text("0")


@pytest.mark.kind
@pytest.mark.parametrize("value", [-1, 100, "many"])
def test_requests_have_its_bounds(simulator: Simulator, value: object):
    with pytest.raises(Refused) as refused:
        simulator.set("laps", value)
    assert refused.value.status == 422
    simulator.set("laps", 99)
    assert simulator.state("laps")["value"] == 99
