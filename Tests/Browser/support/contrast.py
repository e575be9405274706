"""Contrasts of what is drawn, measured on pictures of the page.

axe leaves out whatever stands on a gradient, borders, glyphs, and focus rings: these are what is
looked at here.
"""

from __future__ import annotations

from playwright.sync_api import ElementHandle, Page

from support import accessible
from support.eye import Eye

text = 4.5
large_text = 3.0
# A part stands out where so many of its pixels have three times the contrast of its surroundings:
# less than the smallest ring that stands for a choice.
least_part = 24
# A ring is seen where focus changes so many pixels by 3:1: more than a thin line around the least.
least_ring = 40
# So often is a page looked at that still moves.
looks = 10

_hide_texts = """
(hides) => {
  if (!window.withoutTexts) {
    window.withoutTexts = new CSSStyleSheet();
    window.withoutTexts.replaceSync(`* { -webkit-text-fill-color: transparent !important;
      text-shadow: none !important; transition: none !important }`);
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets
    .filter((sheet) => sheet !== window.withoutTexts)
    .concat(hides ? [window.withoutTexts] : []);
}
"""

_texts = """
() => {
  const canvas = new OffscreenCanvas(1, 1);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const parse = (color) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!node.data.trim() || !isShown) continue;
    if (element.closest("option, .hidden, .skip, dialog")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const [r, g, b, a] = parse(style.webkitTextFillColor);
    let opacity = a;
    for (let e = element; e; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      const [x, y] = [box.x + scrollX, box.y + scrollY];
      const clip = element.closest(".rows, .listing, .stage, #inspector")?.getBoundingClientRect();
      if (clip && (box.bottom > clip.bottom || box.top < clip.top)) continue;
      const cover = element.closest(".covered")?.dataset.open === undefined
        && element.closest(".covered");
      if (cover) continue;
      found.push([[x, y, x + box.width, y + box.height, r, g, b, opacity],
        size >= 24 || (size >= 18.66 && style.fontWeight >= 700),
        `${node.data.trim().slice(0, 40)} in ${element.outerHTML.slice(0, 90)}`]);
    }
  }
  return found;
}
"""

_boxes = """
(selector) => [...document.querySelectorAll(selector)]
  .filter((e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((e) => !e.closest(".covered:not([data-open])") || e.matches(".lid"))
  .map((e) => [e.getBoundingClientRect(), e, e.matches(".lamp") ? 4 : 0]) // its rim is a shadow
  .map(([box, e, rim]) => [[box.x + scrollX - rim, box.y + scrollY - rim,
    box.right + scrollX + rim, box.bottom + scrollY + rim], e.outerHTML.slice(0, 120)])
"""


def _look(page: Page, find: str, *arguments: str) -> tuple[list, bytes]:
    """Where things are, and a picture of the page in which they are there.

    The tools of the bench are laid out again some frames after they appear or change their size.
    """
    accessible.put_bench_at_the_end(page)
    for _ in range(looks):
        found = page.evaluate(find, *arguments)
        page.evaluate(_hide_texts, True)
        picture = page.screenshot(full_page=True, animations="disabled")
        page.evaluate(_hide_texts, False)
        if _places(page.evaluate(find, *arguments)) == _places(found):
            return found, picture
    raise AssertionError(f"the page still moves after {looks} pictures")


def _places(found: list) -> list[list[float]]:
    return [box[:4] for box, *_ in found]


def texts_too_faint(page: Page, eye: Eye, strict: float = 1.0) -> list[str]:
    """Texts with less contrast than they must have, times `strict`."""
    found, picture = _look(page, _texts)
    ratios = eye.contrast_of_texts(picture, [box for box, _, _ in found])
    return [
        f"{ratio:.2f}: {what}"
        for ratio, (_, is_large, what) in zip(ratios, found)
        if ratio < (large_text if is_large else text) * strict - 0.05
    ]


def parts_too_faint(page: Page, eye: Eye, selector: str) -> list[str]:
    """Parts of which nothing but their text stands out from their surroundings."""
    found, picture = _look(page, _boxes, selector)
    assert found, f"nothing is shown that matches {selector}"
    counts = eye.pixels_that_stand_out(picture, [box for box, _ in found])
    return [
        f"{count} pixels: {what}" for count, (_, what) in zip(counts, found) if count < least_part
    ]


def ring_of(page: Page, eye: Eye, element: ElementHandle) -> int:
    """How many pixels the focus of the element changes, by 3:1 at least."""
    box = element.bounding_box()
    if box is None:
        return 0
    size = page.viewport_size
    x, y = max(box["x"] - 8, 0), max(box["y"] - 8, 0)
    clip = {
        "x": x,
        "y": y,
        "width": min(box["x"] + box["width"] + 8, size["width"]) - x,
        "height": min(box["y"] + box["height"] + 8, size["height"]) - y,
    }
    if clip["width"] < 1 or clip["height"] < 1:
        return 0
    focused = page.screenshot(clip=clip, animations="disabled")
    element.evaluate("(element) => element.blur()")
    blurred = page.screenshot(clip=clip, animations="disabled")
    element.evaluate("(element) => element.focus({ preventScroll: true, focusVisible: true })")
    return eye.pixels_that_contrast(focused, blurred)
