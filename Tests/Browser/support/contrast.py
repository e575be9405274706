"""Contrasts of what is drawn, measured on pictures of the page.

axe leaves out whatever stands on a gradient, borders, glyphs, and focus rings: these are what is
looked at here.
"""

from __future__ import annotations

from playwright.sync_api import Page

from support.bench import put_bench_at_the_end
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
  // The fill of a text is not among the properties that are forced.
  const isForced = matchMedia("(forced-colors: active)").matches;
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
    const [r, g, b, a] = parse(isForced ? style.color : style.webkitTextFillColor);
    let opacity = a;
    for (let e = element; e; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      const [x, y] = [box.x + scrollX, box.y + scrollY];
      const clip = element.closest(".rows, .listing, .stage, #inspector")?.getBoundingClientRect();
      if (clip && (box.bottom > clip.bottom || box.top < clip.top)) continue;
      // A readout shows the first lines of a long text.
      const shown = element.closest(".chosen")?.getBoundingClientRect();
      if (shown && box.y + box.height / 2 > shown.bottom) continue;
      const cover = element.closest(".covered")?.dataset.open === undefined
        && element.closest(".covered");
      if (cover) continue;
      const trim = box.height / 8; // no letter fills its line
      found.push([[x, y + trim, x + box.width, y + box.height - trim, r, g, b, opacity],
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


def _boxes_of(page: Page, parts: str) -> list[list]:
    return [page.evaluate(_texts), page.evaluate(_boxes, parts)]


def _places(found: list[list]) -> list[list[float]]:
    return [box[:4] for kind in found for box, *_ in kind]


def _look(page: Page, parts: str) -> tuple[list, list, bytes]:
    """Where texts and parts are, and a picture of the page without texts in which they are there.

    The tools of the bench are laid out again some frames after they appear or change their size.
    """
    put_bench_at_the_end(page)
    for _ in range(looks):
        found = _boxes_of(page, parts)
        page.evaluate(_hide_texts, True)
        picture = page.screenshot(full_page=True, animations="disabled")
        page.evaluate(_hide_texts, False)
        if _places(_boxes_of(page, parts)) == _places(found):
            return found[0], found[1], picture
    raise AssertionError(f"the page still moves after {looks} pictures")


def too_faint(page: Page, eye: Eye, parts: str, strict: float = 1.0) -> list[str]:
    """Texts with less contrast than they must have, times `strict`, and parts of which nothing but
    their text stands out from their surroundings. Both from one picture, which costs most."""
    texts, found, picture = _look(page, parts)
    assert found, f"nothing is shown that matches {parts}"
    # Forced colours show the texts all the same, which cover about half of their boxes at most.
    share = 0.6 if page.evaluate("matchMedia('(forced-colors: active)').matches") else 0.1
    ratios = eye.contrast_of_texts(picture, [box for box, _, _ in texts], share)
    counts = eye.pixels_that_stand_out(picture, [box for box, _ in found])
    return [
        f"{ratio:.2f}: {what}"
        for ratio, (_, is_large, what) in zip(ratios, texts)
        if ratio < (large_text if is_large else text) * strict - 0.05
    ] + [f"{count} pixels: {what}" for count, (_, what) in zip(counts, found) if count < least_part]


# Room around a box in which its ring is drawn.
_ring_room = 8

_stops = """
() => [...document.querySelectorAll("[data-stop]")].map((e) => {
  const box = e.getBoundingClientRect();
  return [Number(e.dataset.stop), [box.left + scrollX, box.top + scrollY,
    box.right + scrollX, box.bottom + scrollY]];
})
"""


def rings_of_stops(page: Page, eye: Eye) -> dict[int, int]:
    """Of each element with `data-stop=N`, how many pixels its focus changes by 3:1 at least.

    Elements that lie apart are looked at together, as if each had the focus: by the pseudo-classes
    alone, which is all that the page's style sheets ask for. Nothing has the focus itself.
    """
    put_bench_at_the_end(page)
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    page.evaluate("document.activeElement.blur()")

    asked = {"nodeId": root, "selector": "[data-stop]"}
    nodes = session.send("DOM.querySelectorAll", asked)["nodeIds"]  # in the order of the stops

    def force(stops: list, classes: list[str]) -> None:
        for number, _ in stops:
            session.send(
                "CSS.forcePseudoState",
                {"nodeId": node_of[number], "forcedPseudoClasses": classes},
            )

    def picture() -> bytes:
        return page.screenshot(full_page=True, animations="disabled")

    for _ in range(looks):
        stops, without = page.evaluate(_stops), picture()
        if page.evaluate(_stops) == stops:
            break
    else:
        raise AssertionError(f"the page still moves after {looks} pictures")
    node_of = dict(zip((number for number, _ in stops), nodes, strict=True))
    found = {}
    for together in _apart(stops):
        force(together, ["focus", "focus-visible"])
        counts = eye.pixels_that_changed(without, picture(), [_room(box) for _, box in together])
        found |= {number: count for (number, _), count in zip(together, counts)}
        force(together, [])
    session.detach()
    return found


def _room(box: list[float]) -> list[float]:
    return [box[0] - _ring_room, box[1] - _ring_room, box[2] + _ring_room, box[3] + _ring_room]


def _apart(stops: list) -> list[list]:
    """Groups of stops whose rings do not touch each other."""
    groups: list[list] = []
    for stop in stops:
        own = _room(stop[1])
        for group in groups:
            if all(not _touch(own, _room(box)) for _, box in group):
                group.append(stop)
                break
        else:
            groups.append([stop])
    return groups


def _touch(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
