"""What axe finds wrong on a page; none is accepted."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# All that axe knows but its experiments.
tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]


def violations(page: Page) -> list[str]:
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate(
        "(tags) => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", tags
    )
    return report(found)


def report(found: dict) -> list[str]:
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]} ({node['failureSummary']})"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
