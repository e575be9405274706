// The plate: groups and controls at the places that the panel has computed, in millimetres. The
// drilling template has the same places.

import { draw, markLetters } from "./draw.js";
import { frameForms } from "../parts/forms.js";
import { recall } from "./bench.js";
import { store } from "./store.js";

const { askFace, face, roomFor } = globalThis.early;
const otherHeight = 120; // pixels by which a window changes where an address bar goes away
const tooBusy = [429, 503]; // the panel draws for others, or the drawing takes long
const breath = 1000; // milliseconds until a panel that was too busy is asked again

const inMillimetres = (length) => `calc(${length.toFixed(2)} * var(--u))`;

// Sets the place and size of an element, in millimetres from the corner of what it is in.
export function setPlace(element, [left, top, width, height], [x, y] = [0, 0]) {
  const { style } = element;
  style.left = inMillimetres(left - x);
  style.top = inMillimetres(top - y);
  style.width = inMillimetres(width);
  style.height = inMillimetres(height);
}

const isIn = ([x, y] = [0, 0], [left, top, width, height]) =>
  left <= x && x <= left + width && top <= y && y <= top + height;

// The room for a plate in this window: its width and its height in pixels.
function roomIn(place) {
  const above = place.getBoundingClientRect().top + scrollY;
  const bench = document.getElementById("strip").offsetHeight;
  return roomFor(place.clientWidth, Math.floor(innerHeight - above - bench));
}

// The first question, which the panel answers while the page is built. To measure the room would
// compute the page before it is complete, so it is looked at in the first picture, unless a drawer
// that was left open may be beside the plate.
let question = face;

export function askEarly(place) {
  if (face && !recall("drawers")) return;
  const size = roomIn(place);
  if (size[0] < 1) return; // not on the page yet
  question = { size, answer: askFace(size) };
}

export class Plate {
  placed = () => {}; // all parts have their places
  #size = [0, 0];
  #isGuess = false; // the size
  #units;
  #boxes = [];

  constructor(place, panel, units) {
    this.#units = units;
    this.place = place;
    this.element = draw("div.sheet");
    this.title = draw("p.title", { text: panel.name, "aria-hidden": "true" });
    markLetters(this.title, panel.name);
    this.element.append(this.title);
    this.#fill(panel);
    const resized = () => this.element.isConnected && this.fit();
    this.observer = new ResizeObserver(resized);
    for (const each of [document.documentElement, place]) this.observer.observe(each);
  }

  // Groups in the order of their first control; the tab key follows the file. A checkbox group
  // and its members are one group where they share one.
  #fill({ controls, name, groups: told = [] }) {
    const groups = new Map();
    const isUnder = (control) =>
      controls.some(({ id, group }) => id === control.parent && group === control.group);
    const under = ({ id }) => controls.filter((each) => each.parent === id && isUnder(each));
    const first = (control) => Math.min(controls.indexOf(control), ...under(control).map(first));
    const branch = (control) => {
      const { element } = this.#units.get(control.id);
      const members = under(control).sort((one, other) => first(one) - first(other));
      if (!members.length) return element;
      const named = { role: "group", "aria-labelledby": `c-${control.id}-label` };
      return draw("div", named, element, ...members.map(branch));
    };
    const tops = controls.filter((each) => !isUnder(each));
    for (const control of tops.sort((one, other) => first(one) - first(other))) {
      if (!groups.has(control.group)) {
        const id = `face-${groups.size}`;
        const title = draw("h2", { id, text: control.group ?? name });
        markLetters(title, control.group ?? "");
        const face = draw("section.face", { "aria-labelledby": id }, title);
        const text = told.find((each) => each.name === control.group)?.help;
        const help = text && draw("p.help", { text });
        if (help) face.append(help);
        groups.set(control.group, { face, title, help });
        this.element.append(face);
      }
      groups.get(control.group).face.append(branch(control));
    }
    this.groups = groups;
    this.frames = frameForms(controls, this.#units);
  }

  // Asks for the places in a window of this size. Measuring again would compute the page for nothing
  // before the first picture.
  async fit() {
    const [width, height] = question?.size ?? roomIn(this.place);
    const [wasWidth, wasHeight] = this.#size;
    if (width < 1) return; // not on the page yet
    const near = this.#isGuess ? 1 : otherHeight;
    this.#isGuess = question !== null && question === face;
    if (width === wasWidth && Math.abs(height - wasHeight) < near) return;
    this.#size = [width, height];
    // One question at a time: the answer to this one is followed by the next.
    if ("asks" in this.element.dataset) return;
    this.element.dataset.asks = "";
    try {
      while (await this.#ask(...this.#size));
    } catch {
      this.#size = [0, 0]; // the next change of the window asks again
    }
    delete this.element.dataset.asks;
    store.tell("drawn");
  }

  // Asks once; whether to ask again: the window has another size meanwhile, or the panel was too
  // busy. It keeps a drawing that it has finished too late.
  async #ask(width, height) {
    const asked = question?.answer ?? askFace([width, height]);
    question = null;
    const answer = await asked;
    if (String([width, height]) !== String(this.#size)) return true;
    if (answer.ok) this.#draw(await answer.json());
    if (!tooBusy.includes(answer.status)) return false;
    await new Promise((done) => setTimeout(done, breath));
    return this.element.isConnected;
  }

  #draw({ scale, width, height, groups, forms = [] }) {
    const { element } = this;
    element.style.setProperty("--u", `${scale}px`);
    element.dataset.width = width;
    setPlace(element, [0, 0, width, height]);
    for (const box of this.#boxes) box.remove();
    this.#boxes = groups.map(({ area }) => {
      const box = draw("div.box", { "aria-hidden": "true" });
      setPlace(box, area);
      return box;
    });
    this.#boxes.push(...this.#brackets(groups));
    const left = Math.min(...groups.map(({ area }) => area[0]), width);
    setPlace(this.title, [left, 1.5, width - left, 8]);
    element.prepend(...this.#boxes);
    const corners = new Map();
    for (const [form, frame] of this.frames) {
      const own = groups.flatMap(({ cells }) => cells).find((cell) => cell.control === form.id);
      const outline = forms.find(({ name, area }) => name === form.label && isIn(own?.area, area));
      frame.removeAttribute("style");
      if (outline) setPlace(frame, outline.area);
      corners.set(frame, outline?.area);
    }
    for (const { name, area, cells } of groups) {
      const { title, help } = this.groups.get(name);
      const [x, y, room] = area;
      if (name === null) title.classList.add("hidden");
      else setPlace(title, [x + 5, y + 1.5, room - 5, 5]);
      if (help) setPlace(help, [x + 5, y + 6.5, room - 5, 4.5]);
      for (const cell of cells) {
        const unit = this.#units.get(cell.control);
        unit.place(cell, width, corners.get(unit.element.closest(".form")));
      }
    }
    element.dataset.placed = "";
    this.placed();
  }

  // Beside the members of each group of checkboxes that are in its frame.
  #brackets(groups) {
    return groups.flatMap(({ cells }) => cells.flatMap(({ control }) => {
      const { members } = this.#units.get(control).control;
      const own = cells.filter((cell) => members.includes(cell.control)).map(({ area }) => area);
      if (!own.length || !this.#units.get(control).isParent) return [];
      const [left, top] = [0, 1].map((side) => Math.min(...own.map((area) => area[side])));
      const end = Math.max(...own.map(([, y,, height]) => y + height));
      const bracket = draw("div.bracket", { "aria-hidden": "true" });
      setPlace(bracket, [left - 1.8, top, 1.5, end - top]);
      return [bracket];
    }));
  }

  end() {
    this.observer.disconnect();
  }
}
