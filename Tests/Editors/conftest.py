"""Ends a run with the line that `make proof` counts."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    counts = terminalreporter.stats
    passed = len(counts.get("passed", []))
    failed = len(counts.get("failed", [])) + len(counts.get("error", []))
    terminalreporter.write_line(f"{passed} passed, {failed} failed")
