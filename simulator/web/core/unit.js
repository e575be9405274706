// One control on the front panel: its label, lamp, part, value and remarks.

import { button, cap, parent, row } from "../parts/caps.js";
import { cover, lampsOf, nothing, underCover } from "../parts/cover.js";
import { threeWay, twoWay } from "../parts/levers.js";
import { isRemote, wishWords } from "../parts/act.js";
import { dial, selector } from "../parts/turns.js";
import { draw, markLetters, put, say } from "./draw.js";
import { helpOfButton, helpOfControl } from "../parts/help.js";
import { setPlace } from "./faces.js";
import { list } from "../parts/menus.js";
import { refusal, remarks, standsForValue, titleOf } from "./words.js";
import { store } from "./store.js";

// Beside these stand their words, in one line with the middle of the part.
const coverShut = "Lift cover first";
const leastTarget = "24px"; // the height and the width of a position
const said = 5; // millimetres of the line below a part
const leverHeight = 24; // millimetres of a small lever
const untilTouched = ["?", "⇄", "→"]; // signs of what is said when the control is touched
const trailing = ["lever", "small", "lamp"];
const plainStates = ["On", "Off"];

// Such a button has no contact: the page alone acts on it.
const isOfThePage = ({ role }) => role === "info" || role === "disclosure";

const rows = (control) => ({ selector, encoder: list, buttons: row })[control.part] ?? row;
const caps = (control) => {
  if (control.part === "lever") return twoWay;
  if (control.part !== "none" || isOfThePage(control)) return control.look === "button" ? button : cap;
  return control.look === "checkbox" && control.members.length ? parent : nothing;
};
// What draws each look.
const makers = {
  "button": caps, "cap": caps, "switch": caps, "checkbox": caps, "row": rows, "segments": rows,
  "pop-up": () => list, "menu": () => list, "three-way": () => threeWay, "knob": () => dial,
  "lamp": () => nothing,
};

export class Unit {
  changed = () => {}; // the remarks are other ones
  #said = null; // what went wrong at the last touch
  #spot = null; // where it is on the plate

  constructor(control) {
    const key = `c-${control.id}`;
    this.control = control;
    this.isSimulated = store.snapshot.mode === "simulated";
    this.labelID = `${key}-label`;
    this.notesID = `${key}-notes`;
    this.helpID = control.help ? `${key}-help` : null;
    this.describedBy = [this.helpID, this.notesID].filter(Boolean).join(" ");
    this.lamps = lampsOf(control);
    this.part = makers[control.look](control)(this);
    if (control.cover && this.part.element) {
      this.part = this.isSimulated ? cover(this, this.part) : underCover(this.part);
    }
    this.#draw(key);
    this.parts = this.element.querySelectorAll("button,input,select,[tabindex]");
  }

  // Puts the control to its place on the plate; lengths are millimetres.
  place(spot, plateWidth, corner) {
    const { element, part } = this;
    const move = (each, area) => each && setPlace(each, area, spot.area);
    const [x, y, width, height] = spot.area;
    setPlace(element, spot.area, corner);
    // What is operated by others, such as a chord, has its words in the middle of its room.
    const isBare = !part.element && !spot.label;
    const above = y + Math.max(height / 2 - 8, 0);
    put(element, "data-bare", isBare ? "" : null);
    this.#placeLabel(spot.label ?? [x, isBare ? above : y, width, 4.5], spot.area);
    // A word that is broken on the plate is broken here where its line ends.
    const isWhole = spot.lines.join(" ") === this.control.label;
    say(this.label, isWhole ? spot.lines.join("\n") : this.control.label);
    put(this.label, "data-long", isWhole ? null : "");
    // A lever under a cover is as large as one without.
    element.style.setProperty("--lever", this.control.cover ? 1 : spot.core[3] / leverHeight);
    const hasWindow = spot.window !== null;
    move(part.element, hasWindow ? spot.area : spot.core);
    element.style.setProperty("--columns", spot.columns);
    this.notes.removeAttribute("style");
    if (isBare) move(this.notes, [x, above + 5, width, 0]);
    this.#spot = spot;
    // A remark is in the middle of its control, and on the plate.
    const middle = x + width / 2;
    element.style.setProperty("--room", 2 * Math.min(middle, plateWidth - middle));
    // What has no lamp has its value there; all others in the line below the part.
    const isLamp = part.look === "lamp";
    move(this.value, isLamp ? spot.core : [x, y + height - 4.5, width, 4.5]);
    const find = (selector) => element.querySelector(selector);
    if (hasWindow) {
      move(find(".screen, output.readout"), spot.window);
      move(find(".encoder > .turns") ?? find(".encoder > .nudges"), spot.core);
      const [left, top, across, down] = spot.core;
      const isKnob = find(".encoder > .turns") !== null;
      if (isKnob) move(find(".nudges"), [left - 11, top, 10, down]);
      move(find(".cap.push"), [left + across + 1, top + down / 2 - 5, 10, 10]);
    }
    spot.options.forEach((area, place) => this.#placeName(area, place, spot.core));
    const loose = this.lamps.map((lamp) => lamp.element)
      .filter((light) => !part.element?.contains(light));
    // One lamp for a row of keys is beside its label.
    const [from, at] = spot.label ?? spot.core;
    loose.forEach((light, place) => move(light, spot.lamps[place] ?? [from - 10, at - 2, 8, 8]));
  }

  // Letters have a least size in pixels: a label may be wider than on the template.
  #placeLabel([left, top, wide, high], [x, y, width]) {
    const { label } = this;
    const isBeside = this.element.dataset.look === "lamp";
    const middle = left + wide / 2 - x;
    const most = isBeside ? x + width - left : 2 * Math.min(middle, width - middle);
    setPlace(label, [isBeside ? left : x + middle, top, Math.max(most, wide), high], [x, y]);
    label.style.maxWidth = label.style.width;
    label.style.width = "max-content";
  }

  // The name of a position grows away from the part when its letters are wider than those of the
  // template.
  #placeName([left, top, wide, high], place, core) {
    const each = this.element.querySelectorAll(".position")[place];
    if (!each) return;
    const lamp = each.querySelector(".lamp") ? 9 : 0;
    const isThree = this.control.look === "three-way";
    const off = left + wide / 2 - core[0] - core[2] / 2;
    const isTop = !isThree && !lamp && Math.abs(off) <= 1;
    const isLeft = !isThree && off < -1;
    const over = isThree ? 2 : 1;
    const at = [left - (isLeft ? 1 : lamp + 1), top - over, wide + lamp + 2, high + 2 * over];
    setPlace(each, at, core);
    // A finger needs some room: the nearest of several positions is meant.
    each.style.height = `max(${leastTarget}, ${each.style.height})`;
    each.style.top = `calc(${(top + high / 2 - core[1]).toFixed(2)} * var(--u))`;
    each.dataset.side = isTop ? "top" : isLeft ? "left" : "right";
    each.style.minWidth = `max(${leastTarget}, ${each.style.width})`;
    each.style.width = "max-content";
    if (isTop) each.style.left = "50%";
    if (!isLeft) return;
    each.style.right = `calc(${(core[0] + core[2] - at[0] - at[2]).toFixed(2)} * var(--u))`;
    each.style.left = "auto";
  }

  get isParent() {
    return this.control.look === "checkbox" && this.control.members.length > 0;
  }

  isConnected() {
    return store.connected;
  }

  // Whether a touch of the part comes to anything.
  isFree() {
    if (isOfThePage(this.control)) return true;
    if (!store.connected || this.part.isShut || this.part.rests) return false;
    return this.isSimulated || isRemote(this.control);
  }

  state() {
    return store.state(this.control.id);
  }

  #draw(key) {
    const { control, part } = this;
    const look = part.look ?? "plain";
    this.label = draw("span.label", { id: this.labelID, text: control.label });
    this.value = draw("span.value", { "aria-hidden": "true" });
    this.notes = draw("span.notes", { id: this.notesID });
    this.help = this.helpID && draw("p.help", { id: this.helpID, text: control.help });
    this.isRemote = !this.isSimulated && isRemote(control);
    const loose = this.lamps.map((each) => each.element)
      .filter((light) => !part.element?.contains(light));
    const isBeside = trailing.includes(look);
    this.element = draw(
      "div.unit", { id: key, "data-kind": control.kind, "data-look": look },
      draw(
        "div.words", {},
        ...loose,
        draw("div.says", {}, this.label, this.value, isBeside ? this.notes : null)),
      this.help, part.element, isBeside ? null : this.notes);
    put(this.element, "data-remote", this.isRemote ? "" : null);
    put(this.element, "data-chord", control.confirm?.by === "chord" ? "" : null);
    const { titles, captions } = control;
    const written = [control.label, control.subtitle, control.caption, ...titles, ...captions];
    markLetters(this.element, written.join(""));
    // A cap carries its own words, and a menu's title is in its window.
    const isWritten = part.isNamed ?? (look === "cap" || control.look === "menu");
    if (isWritten) this.label.classList.add("hidden");
    if (this.help && isOfThePage(control)) helpOfButton(this.help, part.element);
    else if (this.help) helpOfControl(this.help, this.element);
    this.element.addEventListener("focusin", () => store.select(control.id));
    this.element.addEventListener("pointerdown", () => store.select(control.id));
  }

  // Says beside the part why a touch came to nothing; null takes it away.
  complain(words) {
    if (words === this.#said) return;
    this.#said = words;
    this.update();
  }

  update() {
    const { control, part, element } = this;
    const state = this.state();
    if (!state) return;
    part.update(state);
    this.lamps.forEach((each) => each.update(state));
    // What can be touched again is refused no longer.
    if (this.#said === refusal("disabled") && !state.flags.includes("disabled")) this.#said = null;
    const said = this.#remarks(state);
    const words = this.#valueWords(state);
    say(this.value, words === "Mixed" ? `◐ ${words}` : words);
    // What the remark says, and what the part shows by itself, is not said again.
    const isTold = this.#first(said)?.[0] === "≠"
      || this.#showsValue(words, said.some(([sign]) => sign === "≠"));
    put(this.value, "data-said", words && !isTold ? "" : null);
    const waits = control.tapWait?.replace("a", "A");
    const tip = [this.isRemote && wishWords(control, state), waits].filter(Boolean);
    put(element, "title", tip.join("\n") || null);
    put(element, "data-waits", state.staged === null ? null : "");
    const off = state.flags.includes("disabled") || !this.isFree();
    put(element, "data-disabled", off || null);
    for (const each of this.parts) {
      const isOff = each.matches(".lid") ? !store.connected : off;
      put(each, "aria-disabled", isOff ? "true" : null);
    }
    this.#sayNotes(said);
  }

  #valueWords(state) {
    const { control, part } = this;
    // All others show their value on the part, or on the row of their options.
    if (!trailing.includes(part.look) || control.apply !== null) return "";
    return part.look === "lamp" && control.lamp ? "" : titleOf(control, state.value);
  }

  // A lever that does not stand elsewhere tells On from Off, but not Open from Shut; a lamp, too.
  #showsValue(words, isElsewhere) {
    const { control, part } = this;
    if (part.look === "lamp") return false;
    const isBox = control.look === "checkbox" && control.part !== "lever";
    if (words === "Mixed") return control.lamp !== null || isBox;
    if (!plainStates.includes(words)) return false;
    const stands = standsForValue(control) && !isElsewhere;
    return control.lamp !== null || control.part !== "lever" || stands;
  }

  // The box of the part itself, in that of the control.
  core(box) {
    const { area: [x, y, width], core: [left, top, across, down] } = this.#spot;
    const scale = box.width / width;
    const edge = { left: box.left + (left - x) * scale, top: box.top + (top - y) * scale };
    return { ...edge, right: edge.left + across * scale, bottom: edge.top + down * scale };
  }

  // Where a remark may begin: below the part, or below the value that is said there.
  below(box) {
    const value = this.value.getBoundingClientRect();
    const isBeside = this.part.look === "lamp" || !this.part.element;
    if (value.height > 0 || isBeside) return Math.max(box.bottom, isBeside ? 0 : value.bottom);
    return box.bottom - (said * box.height) / this.#spot.area[3];
  }

  #remarks(state) {
    const said = remarks(this.control, state);
    // What has to be done first says more than that it is disabled.
    const why = this.#said === refusal("disabled") && said.find(([sign]) => sign === "–");
    if (why) why[0] = "⊘";
    else if (this.#said) said.unshift(["⊘", this.#said]);
    if (this.part.isShut) said.push(["–", coverShut]);
    if (this.part.rests) said.push(["–", this.part.rests]);
    const wish = this.isRemote && this.isFree() && wishWords(this.control, state);
    if (wish) said.push(["⇄", wish]);
    return said;
  }

  // What is seen at the part itself is told to a screen reader alone.
  #isUnseen(words) {
    return words === coverShut || words === this.part.rests;
  }

  // The one that is seen without a touch.
  #first(said) {
    return said.find(([sign, words]) => !untilTouched.includes(sign) && !this.#isUnseen(words));
  }

  // Without a touch the first one is seen, and a failure that has passed.
  #sayNotes(said) {
    const lines = said.map(([sign, words]) => `${sign} ${words}`);
    if (lines.join() === [...this.notes.children].map((each) => each.textContent).join()) return;
    const first = this.#first(said);
    this.notes.replaceChildren(...said.map((each) => {
      const [sign, words, isSmall] = each;
      const rests = each === first || isSmall ? "" : null;
      const [text, ...more] = words.split(" · ");
      return draw(
        this.#isUnseen(words) ? "span.hidden" : "span.note",
        { "data-sign": sign, "data-rest": rests, "data-small": isSmall ? "" : null },
        draw("span", { text: sign, "aria-hidden": "true" }),
        draw("span.told", { text: ` ${text}` }),
        more.length ? draw("span.told.more", { text: ` · ${more.join(" · ")}` }) : null);
    }));
    this.changed();
  }
}
