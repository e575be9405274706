"""What axe finds wrong on a page; none is accepted."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# All that axe knows but its experiments.
tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]


# The bench stays at the foot of a window, over what scrolls below it. Whoever looks at the whole page
# at once looks at it with the bench at its end.
_put_bench_at_the_end = """
() => {
  if (window.benchAtTheEnd) return;
  window.benchAtTheEnd = new CSSStyleSheet();
  window.benchAtTheEnd.replaceSync(`#bench { position: static !important }
    #drawers { height: auto !important } #drawers > * { overflow: visible !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, window.benchAtTheEnd];
}
"""


def put_bench_at_the_end(page: Page) -> None:
    page.evaluate(_put_bench_at_the_end)


def violations(page: Page) -> list[str]:
    put_bench_at_the_end(page)
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
