"""The bench, put out of the way of pictures."""

from __future__ import annotations

from playwright.sync_api import Page

# The bench stays at the foot of a window, over what scrolls below it. Whoever looks at the whole page
# at once looks at it with the bench at its end.
_put_bench_at_the_end = """
() => {
  if (window.benchAtTheEnd) return;
  window.benchAtTheEnd = new CSSStyleSheet();
  window.benchAtTheEnd.replaceSync(`#bench { position: static !important }
    #drawers { height: auto !important } #drawers > * { overflow: visible !important }
    @media (min-width: 1100px) { #inspector { position: absolute !important; bottom: auto !important } }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, window.benchAtTheEnd];
}
"""


def put_bench_at_the_end(page: Page) -> None:
    page.evaluate(_put_bench_at_the_end)
