"""What axe finds wrong on a page; none is accepted."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from support.bench import put_bench_at_the_end

# All that axe knows but its experiments.
tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]

# The rules that read colours and sizes. All others read what is the same in each look of a page.
colors = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"]


def violations(page: Page, only_colors: bool = False) -> list[str]:
    """`only_colors` for a page that was looked at with all rules, and has another look now."""
    put_bench_at_the_end(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    rules = {"type": "rule", "values": colors} if only_colors else tags
    found = page.evaluate(
        "(rules) => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", rules
    )
    return report(found)


def report(found: dict) -> list[str]:
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]} ({node['failureSummary']})"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
