// Where remarks stand: each one at its own control, and over no other. What has no room is a sign
// until the control is touched. A cause that many controls share is said once.

import { draw, put } from "./draw.js";
import { failure } from "./words.js";

const gap = 2; // pixels to what is beside
const space = 1; // pixels to what is above
const leastWidth = 64; // pixels of words
const many = 10; // controls that failed for one cause

// What a remark must not cover: of its own control, and of each other one.
const ownWords = ".label:not(.hidden), .words > .lamp, .position";
const solid = `${ownWords}, .value[data-said], .part, .covered`;

const isOver = (one, other) => one.left < other.right && other.left < one.right
  && one.top < other.bottom && other.top < one.bottom;

// The room beside `middle` between two heights; null where something is in the middle.
function roomAt(middle, top, bottom, frame, things) {
  let { left, right } = frame;
  if (bottom > frame.bottom) return null;
  for (const each of things) {
    if (each.bottom <= top || bottom <= each.top) continue;
    if (each.right <= middle) left = Math.max(left, each.right + gap);
    else if (each.left >= middle) right = Math.min(right, each.left - gap);
    else return null;
  }
  return { left, right, width: right - left };
}

export class Remarks {
  #waits = false;

  // `units` are all controls of the plate, by their ids.
  constructor(units, sheet) {
    this.units = [...units.values()];
    this.sheet = sheet;
    this.strip = document.getElementById("causes");
    for (const unit of this.units) unit.changed = () => this.ask();
  }

  // Arranges all remarks before the next picture.
  ask() {
    if (this.#waits) return;
    this.#waits = true;
    requestAnimationFrame(() => {
      this.#waits = false;
      if (this.sheet.isConnected && "placed" in this.sheet.dataset) this.#arrange();
    });
  }

  // Says the causes that many controls share; gives those controls.
  #shared() {
    const causes = new Map();
    for (const unit of this.units) {
      const why = unit.control.hasAction && failure(unit.state());
      if (why) causes.set(why, [...(causes.get(why) ?? []), unit]);
    }
    const shared = [...causes].filter(([, units]) => units.length >= many);
    const lines = shared.map(([why, { length }]) => `▲ ${length} controls failed: ${why}`);
    if (this.strip.textContent !== lines.join("")) {
      this.strip.replaceChildren(...lines.map((text) => draw("span", { text })));
    }
    return new Set(shared.flatMap(([, units]) => units));
  }

  #arrange() {
    const shared = this.#shared();
    const said = this.units.filter(({ notes, element }) =>
      notes.querySelector("[data-rest]") && !("bare" in element.dataset)
        && element.checkVisibility());
    if (!said.length) return;
    put(this.sheet, "data-measures", "");
    for (const { notes } of said) {
      put(notes, "data-fit", "line");
      notes.style.width = "";
    }
    const isUrgent = ({ notes }) => Number(notes.querySelector("[data-sign='▲']") !== null);
    said.sort((one, other) => isUrgent(other) - isUrgent(one));
    const sizes = new Map(said.map((unit) => [unit, unit.notes.getBoundingClientRect()]));
    const things = this.#things();
    const signs = said.filter((unit) => {
      const isPlaced = !shared.has(unit) && this.#placeWords(unit, sizes.get(unit), things);
      if (!isPlaced) {
        put(unit.notes, "data-fit", "sign");
        unit.notes.style.width = "";
      }
      return !isPlaced;
    });
    const marks = signs.map(({ notes }) => notes.getBoundingClientRect());
    signs.forEach((unit, place) => this.#placeSign(unit, marks[place], things));
    put(this.sheet, "data-measures", null);
  }

  // Everything on the plate that has a place, and whose it is.
  #things() {
    const found = this.units.flatMap((unit) =>
      [...unit.element.querySelectorAll(solid)].map((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return { unit, left, right, top, bottom, isOwn: each.matches(ownWords) };
      }));
    for (const title of this.sheet.querySelectorAll(".face > h2:not(.hidden)")) {
      found.push(title.getBoundingClientRect());
    }
    return found.filter(({ left, right }) => right > left);
  }

  // The frame that a control is in.
  #frame(box) {
    const frames = [...this.sheet.querySelectorAll(":scope > .box")]
      .map((each) => each.getBoundingClientRect());
    const { left, right, top, bottom } = frames.find((each) => isOver(box, each))
      ?? this.sheet.getBoundingClientRect();
    return { left: left + gap, right: right - gap, top, bottom };
  }

  // Below the control, in one line or in several; whether there is room.
  #placeWords(unit, size, things) {
    const box = unit.element.getBoundingClientRect();
    const top = unit.below(box) + space;
    const middle = box.left + box.width / 2;
    const frame = this.#frame(box);
    const others = things.filter((each) => each.unit !== unit || each.isOwn);
    let { width, height } = size;
    let room = roomAt(middle, top, top + height, frame, others);
    if (room && room.width < width) {
      if (room.width < leastWidth) return false;
      width = Math.floor(room.width);
      put(unit.notes, "data-fit", "lines");
      unit.notes.style.width = `${width}px`;
      const { notes } = unit;
      if (notes.scrollWidth > width + 1) return false;
      height = notes.offsetHeight;
      room = roomAt(middle, top, top + height, frame, others);
      if (room && room.width < width) room = null;
    }
    if (!room) return false;
    const left = Math.min(Math.max(middle - width / 2, room.left), room.right - width);
    this.#put(unit, box, { left, top });
    things.push({ unit, left, top, right: left + width, bottom: top + height, isOwn: true });
    return true;
  }

  // Below the control or at a corner of its part, where it covers nothing else.
  #placeSign(unit, { width, height }, things) {
    const box = unit.element.getBoundingClientRect();
    const core = unit.core(box);
    const others = things.filter((each) => each.unit !== unit || each.isOwn);
    const inset = 3;
    const [high, low] = [core.top - inset, core.bottom - height + inset];
    const [west, east] = [core.left - width / 2, core.right - width / 2];
    const below = [box.left + (box.width - width) / 2, unit.below(box) + space];
    const marks = [below, [east, high], [east, low], [west, low], [west, high]]
      .map(([left, top]) => (
        { unit, left, top, right: left + width, bottom: top + height, isOwn: true }));
    // Beside the words of a lamp, whose neighbours are near.
    const label = unit.label.getBoundingClientRect();
    const beside = [label.right + 2 * gap, box.top + (box.height - height) / 2];
    if (unit.part.look === "lamp") {
      const [left, top] = beside;
      marks.unshift({ unit, left, top, right: left + width, bottom: top + height, isOwn: true });
    }
    const frame = this.#frame(box);
    const isFree = (mark) => mark.bottom <= frame.bottom && mark.right <= frame.right
      && !others.some((other) => isOver(mark, other));
    const mark = marks.find(isFree) ?? marks[1];
    this.#put(unit, box, mark);
    things.push(mark);
  }

  #put({ notes }, box, { left, top }) {
    notes.style.setProperty("--x", `${Math.round(left - box.left)}px`);
    notes.style.setProperty("--y", `${Math.round(top - box.top)}px`);
  }
}
