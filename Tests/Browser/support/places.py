"""Where things are."""

from pathlib import Path

tests = Path(__file__).resolve().parent.parent
root = tests.parent.parent
program = root / ".build/debug/detent"
artefacts = root / ".build/browser"
# The longest wait for anything. A busy machine is slow; only a fault takes this long.
patience_seconds = 30
own_panels = tests / "panels"
real_panels = sorted((root / "panels").glob("*/panel.yaml"))


def panel(name: str) -> Path:
    """The panel file of the tests, or else the real panel, of that name."""
    own = own_panels / f"{name}.yaml"
    return own if own.exists() else root / "panels" / name / "panel.yaml"
