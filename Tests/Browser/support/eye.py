"""Looks at pictures of a page, pixel by pixel.

Styles alone do not tell what is seen: grounds are gradients, edges are shadows, and lamps are drawn
over each other. The pixels are read by a page of the browser, which is quicker at it than Python.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

from playwright.sync_api import Browser

_tools = """
// The pixels of the last two pictures are kept: each is sent and unpacked once.
const kept = new Map();
window.pixels = async ({ key, data }) => {
  if (!kept.has(key)) kept.set(key, await unpacked(data));
  if (kept.size > 2) kept.delete(kept.keys().next().value);
  return kept.get(key);
};
const unpacked = async (data) => {
  const answer = await fetch("data:image/png;base64," + data);
  const bitmap = await createImageBitmap(await answer.blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(bitmap, 0, 0);
  return pen.getImageData(0, 0, bitmap.width, bitmap.height);
};
const linear = Float64Array.from({ length: 256 }, (_, c) =>
  (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
window.luminance = (data, at) =>
  0.2126 * linear[data[at]] + 0.7152 * linear[data[at + 1]] + 0.0722 * linear[data[at + 2]];
window.ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

// The share of pixels that differ by so much in some channel.
window.compare = async (one, other, least) => {
  const [a, b] = [await pixels(one), await pixels(other)];
  const width = Math.min(a.width, b.width), height = Math.min(a.height, b.height);
  let count = 0;
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) {
    const i = 4 * (y * a.width + x), j = 4 * (y * b.width + x);
    count += [0, 1, 2].some((c) => Math.abs(a.data[i + c] - b.data[j + c]) >= least);
  }
  return count / (width * height);
};

// How well each text stands out from the pixels below it: the ratio that all but a share exceed.
window.texts = async (picture, boxes, share) => {
  const { data, width, height } = await pixels(picture);
  return boxes.map(([x0, y0, x1, y1, red, green, blue, alpha]) => {
    const found = [];
    const full = luminance([red, green, blue], 0);
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, y1); y += 2) {
      for (let x = Math.max(0, Math.floor(x0)); x < Math.min(width, x1); x += 2) {
        const at = 4 * (y * width + x);
        if (alpha === 1) {
          found.push(ratio(full, luminance(data, at)));
          continue;
        }
        const mixed = [red, green, blue].map((c, i) =>
          Math.round(c * alpha + data[at + i] * (1 - alpha)));
        found.push(ratio(luminance(mixed, 0), luminance(data, at)));
      }
    }
    found.sort((one, other) => one - other);
    return found.length ? found[Math.floor(found.length * share)] : 99;
  });
};

// Of each box, how many of its pixels stand out by 3:1 from what lies around it.
window.parts = async (picture, boxes) => {
  const { data, width, height } = await pixels(picture);
  const inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height;
  return boxes.map(([x0, y0, x1, y1]) => {
    const around = [];
    const margin = 6;
    for (let x = x0 - margin; x <= x1 + margin; x += 3)
      for (const y of [y0 - margin, y1 + margin])
        if (inside(x, y)) around.push(luminance(data, 4 * (Math.floor(y) * width + Math.floor(x))));
    if (!around.length) return 1e9;
    around.sort((one, other) => one - other);
    const ground = around[Math.floor(around.length / 2)];
    let count = 0;
    for (let y = Math.ceil(y0); y < y1; y += 1) for (let x = Math.ceil(x0); x < x1; x += 1)
      count += inside(x, y) && ratio(luminance(data, 4 * (y * width + x)), ground) >= 3;
    return count;
  });
};

// Of each box, how many of its pixels differ by 3:1 in two pictures of the same page.
window.changes = async (one, other, boxes) => {
  const [a, b] = [await pixels(one), await pixels(other)];
  return boxes.map(([x0, y0, x1, y1]) => {
    let count = 0;
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(a.height, b.height, y1); y += 1) {
      for (let x = Math.max(0, Math.floor(x0)); x < Math.min(a.width, b.width, x1); x += 1) {
        const i = 4 * (y * a.width + x), j = 4 * (y * b.width + x);
        count += ratio(luminance(a.data, i), luminance(b.data, j)) >= 3;
      }
    }
    return count;
  });
};
"""


class Eye:
    """A page that looks at pictures; it belongs to nobody, and has no policy to obey."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page()
        self.page.evaluate(f"() => {{ {_tools} }}")
        self._sent: list[int] = []

    def close(self) -> None:
        self.page.close()

    def _ask(self, function: str, *arguments: Any) -> Any:
        given = [self._picture(each) if isinstance(each, bytes) else each for each in arguments]
        return self.page.evaluate(f"(given) => window.{function}(...given)", given)

    def _picture(self, picture: bytes) -> dict[str, object]:
        key = zlib.crc32(picture)
        if key in self._sent:
            return {"key": key}
        self._sent = [*self._sent[-1:], key]
        return {"key": key, "data": base64.b64encode(picture).decode()}

    def share_that_differs(self, one: bytes, other: bytes, least: int = 48) -> float:
        return self._ask("compare", one, other, least)

    def pixels_that_changed(
        self, one: bytes, other: bytes, boxes: list[list[float]]
    ) -> list[int]:
        return self._ask("changes", one, other, boxes)

    def contrast_of_texts(
        self, picture: bytes, boxes: list[list[float]], share: float = 0.1
    ) -> list[float]:
        return self._ask("texts", picture, boxes, share)

    def pixels_that_stand_out(self, picture: bytes, boxes: list[list[float]]) -> list[int]:
        return self._ask("parts", picture, boxes)
