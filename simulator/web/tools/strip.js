// A logic analyser's strip: it draws lanes over time on a canvas, and knows nothing of the page.

import { Lane, unknown } from "./lanes.js";
import { moment, span } from "./tools.js";

const tokens = ["paper", "raw", "contact", "grid", "ink", "soft", "busy", "good", "bad", "cursor",
  "tint"];
const axis = 24;
const least = 2e3; // nanoseconds shown
const longest = 1.8e12;

export class Strip {
  lanes = [];
  from = 0;
  width = 2e9; // nanoseconds shown
  /** Up to where something is known. */
  end = 0;
  cursor = null;
  markers = { A: null, B: null };
  current = 0;
  /** Of the lane `current`: a burst that is shown with its width. */
  burst = null;
  laneHeight = 28;

  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.restyle();
  }

  /** For a lane that is fed by hand. */
  add(name, kind = "bit", weight = 1) {
    this.lanes.push(new Lane(name, kind, weight));
    return this.lanes.length - 1;
  }

  push(lane, at, level) {
    this.lanes[lane].push(at, level);
    this.end = Math.max(this.end, at);
  }

  /** Reads the colours again: the theme has changed. */
  restyle() {
    const probe = this.canvas.parentElement.appendChild(document.createElement("i"));
    this.colors = {};
    for (const token of tokens) {
      probe.style.color = `var(--wave-${token})`;
      this.colors[token] = getComputedStyle(probe).color;
    }
    this.family = getComputedStyle(probe).fontFamily;
    probe.remove();
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.strokeStyle = this.colors.soft;
    for (const x of [-8, 0, 8]) {
      pen.moveTo(x, 8);
      pen.lineTo(x + 8, 0);
    }
    pen.stroke();
    this.hatch = this.context.createPattern(tile, "repeat");
  }

  /** Takes the canvas's size on the page, and that of its pixels. */
  resize(width, ratio) {
    const height = axis + this.laneHeight * Math.max(this.lanes.length, 4) + 2;
    const { canvas } = this;
    this.ratio = ratio;
    this.gutter = Math.round(Math.min(150, Math.max(112, width * 0.2)) * ratio);
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }

  /** Nanoseconds a device pixel. */
  get scale() {
    return this.width / Math.max(1, this.canvas.width - this.gutter);
  }

  /** The moment under a place on the page, from the canvas's left edge. */
  moment(x) {
    return this.from + (x * this.ratio - this.gutter) * this.scale;
  }

  /** Where a moment is, in device pixels. */
  place(at) {
    return Math.round(this.gutter + (at - this.from) / this.scale);
  }

  laneAt(y) {
    return Math.max(0, Math.min(this.lanes.length - 1, Math.floor((y - axis) / this.laneHeight)));
  }

  /** Shows more or less, while the moment `at` stays where it is. */
  zoom(factor, at) {
    const width = Math.max(least, Math.min(longest, this.width * factor));
    this.from = at - ((at - this.from) * width) / this.width;
    this.width = width;
  }

  draw() {
    const { context: pen, canvas, ratio, colors } = this;
    pen.fillStyle = colors.paper;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.textBaseline = "middle";
    this.#axis();
    this.lanes.forEach((lane, place) => {
      const top = (axis + place * this.laneHeight) * ratio;
      const height = this.laneHeight * ratio;
      pen.save();
      pen.beginPath();
      pen.rect(this.gutter, top, canvas.width, height);
      pen.clip();
      if (lane.kind === "bit") this.#bits(lane, top, height);
      else this.#boxes(lane, top, height);
      if (place === this.current && this.burst) this.#bracket(this.burst, top);
      pen.restore();
      this.#name(lane, place, top, height);
    });
    this.#lines();
  }

  #font(size, weight = 400) {
    this.context.font = `${weight} ${size * this.ratio}px ${this.family}`;
  }

  #axis() {
    const { context: pen, canvas, ratio, colors, gutter } = this;
    const target = (110 * ratio * this.width) / Math.max(1, canvas.width - gutter);
    const decade = 10 ** Math.floor(Math.log10(target));
    const step = [1, 2, 5, 10].find((factor) => factor * decade >= target) * decade;
    // Ticks count from a round moment on the left, so that their labels stay short.
    const round = 10 ** Math.ceil(Math.log10(this.width));
    const origin = Math.max(0, Math.floor(this.from / round) * round);
    this.#font(11);
    const last = this.from + this.width;
    for (let tick = Math.ceil(this.from / step) * step; tick < last; tick += step) {
      const x = this.place(tick);
      pen.fillStyle = colors.grid;
      pen.fillRect(x, axis * ratio * 0.7, ratio, canvas.height);
      if (tick < 0 || x > canvas.width - 50 * ratio) continue;
      pen.fillStyle = colors.soft;
      pen.textAlign = "left";
      const offset = Math.round(tick - origin);
      pen.fillText(`${origin && offset ? "+" : ""}${origin && !offset ? moment(tick, 3)
        : span(offset)}`, x + 4 * ratio, (axis * ratio) / 2);
    }
    pen.fillStyle = colors.paper;
    pen.fillRect(0, 0, gutter, canvas.height);
    pen.fillStyle = colors.soft;
    pen.textAlign = "right";
    const decimals = Math.max(0, 9 - Math.round(Math.log10(round)));
    pen.fillText(origin ? moment(origin, decimals) : "", gutter - 8 * ratio, (axis * ratio) / 2);
  }

  #name(lane, place, top, height) {
    const { context: pen, ratio, colors, gutter } = this;
    const isCurrent = place === this.current;
    pen.fillStyle = colors.grid;
    pen.fillRect(0, Math.round(top + height) - ratio, this.canvas.width, ratio);
    if (isCurrent) {
      pen.fillStyle = colors.cursor;
      pen.fillRect(0, Math.round(top + 4 * ratio), 3 * ratio, height - 8 * ratio);
    }
    this.#font(12, isCurrent || lane.weight > 1 ? 600 : 400);
    pen.fillStyle = isCurrent || lane.weight > 1 ? colors.ink : colors.soft;
    pen.textAlign = "left";
    pen.fillText(lane.name, 8 * ratio, top + height / 2, gutter - 14 * ratio);
  }

  // Each run of columns that hold edges is one bar, so that a lane costs as many rectangles as it
  // has visible changes, whatever it holds.
  #bits(lane, top, height) {
    const { context: pen, ratio, colors, gutter, from, scale } = this;
    const weight = Math.round(lane.weight * ratio);
    const high = Math.round(top + 6 * ratio);
    const low = Math.round(top + height - 6 * ratio);
    const stop = Math.min(this.canvas.width, this.place(this.end));
    const color = lane.weight > 1 ? colors.contact : colors.raw;
    const level = (index, start, end) => {
      if (end <= start) return;
      const value = lane.level(index);
      if (value === unknown) {
        if (index < 0) return;
        pen.fillStyle = this.hatch;
        pen.fillRect(start, high, end - start, low - high);
      } else {
        if (value && lane.weight > 1) {
          pen.fillStyle = colors.tint;
          pen.fillRect(start, high, end - start, low - high);
        }
        pen.fillStyle = color;
        pen.fillRect(start, value ? high : low - weight, end - start, weight);
      }
    };
    let index = lane.until(from);
    let start = gutter; // of the level that is not drawn yet
    let bar = -1; // start of the bar that is not drawn yet
    while (index < lane.count) {
      const column = gutter + Math.floor((lane.time(index) - from) / scale);
      if (column >= stop) break;
      if (bar < 0 || column > start) {
        if (bar >= 0) pen.fillRect(bar, high, start - bar, low - high);
        level(index - 1, start, column);
        pen.fillStyle = color;
        bar = column;
      }
      start = column + weight;
      const next = lane.skip(index, from + (column + 1 - gutter) * scale);
      // Where something begins or ceases to be known is no edge.
      const isKnown = lane.level(index) !== unknown && lane.level(index - 1) !== unknown;
      if (bar === column && next === index + 1 && !isKnown) {
        bar = -1;
        start = column;
      }
      index = next;
    }
    if (bar >= 0) pen.fillRect(bar, high, start - bar, low - high);
    level(index - 1, start, stop);
  }

  #boxes(lane, top, height) {
    const { canvas, gutter, from, scale } = this;
    const stop = Math.min(canvas.width, this.place(this.end));
    this.#font(12);
    let index = lane.until(from);
    let start = lane.count ? gutter : stop;
    for (;;) {
      const next = index < lane.count
        ? gutter + Math.floor((lane.time(index) - from) / scale) : stop;
      const end = Math.min(next, stop);
      if (index) this.#box(lane, index - 1, start, end, top, height);
      if (next >= stop) return;
      start = Math.max(start, end);
      index = lane.skip(index, from + (end + 1 - gutter) * scale);
    }
  }

  #box(lane, index, start, end, top, height) {
    const { context: pen, ratio, colors } = this;
    const word = lane.word(index);
    const high = Math.round(top + 5 * ratio);
    const low = Math.round(top + height - 5 * ratio);
    const size = Math.max(end - start, ratio);
    const sorts = { "✓": "good", "✕": "bad", p: "busy", l: "busy" };
    const sort = lane.kind === "span" ? sorts[word[0]] : null;
    if (lane.level(index) === unknown) {
      pen.fillStyle = this.hatch;
      pen.fillRect(start, high, size, low - high);
      return;
    }
    pen.fillStyle = colors[sort] ?? colors.raw;
    if (lane.kind === "span" && (!word || sort === "good")) {
      pen.fillRect(start, low - ratio, size, ratio);
    } else {
      pen.fillRect(start, high, size, low - high);
      if (size <= 3 * ratio) return;
      pen.fillStyle = sort === "busy" && word[0] === "l" ? colors.tint : colors.paper;
      pen.fillRect(start + ratio, high + ratio, size - 2 * ratio, low - high - 2 * ratio);
    }
    if (size < 18 * ratio) return;
    pen.save();
    pen.beginPath();
    pen.rect(start, top, size - 3 * ratio, height);
    pen.clip();
    pen.fillStyle = colors[sort] ?? colors.ink;
    pen.fillText(word, start + 6 * ratio, top + height / 2);
    pen.restore();
  }

  #bracket(burst, top) {
    const { context: pen, ratio, colors } = this;
    const start = this.place(burst.from);
    const end = Math.max(this.place(burst.to), start + ratio);
    pen.fillStyle = colors.cursor;
    pen.fillRect(start, top + ratio, end - start, 2 * ratio);
    for (const x of [start, end]) pen.fillRect(x - ratio, top + ratio, 2 * ratio, 5 * ratio);
  }

  #lines() {
    const { context: pen, canvas, ratio, colors, markers, gutter } = this;
    const line = (at, name, color) => {
      if (at === null || at < this.from || at > this.from + this.width) return;
      const x = this.place(at);
      pen.fillStyle = color;
      const high = name ? 0 : axis * ratio * 0.7;
      pen.fillRect(x - (name ? ratio : 0), high, (name ? 2 : 1) * ratio, canvas.height);
      if (!name) return;
      pen.fillRect(x - 9 * ratio, 0, 18 * ratio, 17 * ratio);
      this.#font(12, 700);
      pen.fillStyle = colors.paper;
      pen.textAlign = "center";
      pen.fillText(name, x, 9 * ratio);
    };
    pen.save();
    pen.beginPath();
    pen.rect(gutter - 9 * ratio, 0, canvas.width, canvas.height);
    pen.clip();
    line(this.cursor, "", colors.cursor);
    for (const name of ["A", "B"]) line(markers[name], name, colors.ink);
    pen.restore();
  }
}
