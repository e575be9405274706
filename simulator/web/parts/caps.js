// The parts that are pressed: caps, rows of caps, and checkboxes.

import { ask } from "../core/ask.js";
import { busy, press, spoken } from "./act.js";
import { caption, draw, put, ring, say, symbol, warning } from "../core/draw.js";
import { formOf, keyOf } from "./forms.js";
import { recall, remember } from "../core/bench.js";
import { rove, stopAt } from "../core/press.js";
import { store } from "../core/store.js";
import { titleOf } from "../core/words.js";

const roleGlyphs = { primary: "play", cancel: "cross", close: "cross", done: "check" };

// What is written on a cap: its symbol or its label, or both, and the lines below them.
function texts({ label, symbol: sign, showsLabel, caption: below, subtitle }) {
  const written = caption(label, showsLabel ? null : sign);
  const line = below ?? subtitle;
  const all = line
    ? draw("span.lines", {}, written, draw("span.line", { text: line })) : written;
  return { written, all };
}

// A symbol beside a label.
const signOf = (word) => symbol(word) ?? draw("span.sign", { text: word, "aria-hidden": "true" });

// The buttons of a form and of the page alone; every other button is a cap with a finger.
export function button(unit) {
  const { role, id } = unit.control;
  if (role === "info") return info(unit);
  if (role === "disclosure") return disclosure(unit);
  const part = cap(unit);
  const form = formOf(id);
  if (form?.apply !== id) return part;
  // Nothing to apply: the button rests.
  return {
    ...part,
    get rests() {
      return store.state(form.id)?.value === "off" ? "Nothing to apply" : null;
    },
  };
}

// Its text stands at the button; the page stays as it is.
function info(unit) {
  const element = faceOf(unit);
  if (!unit.control.symbol) element.prepend(symbol("info"));
  put(element, "aria-controls", unit.helpID);
  put(element, "aria-describedby", unit.notesID);
  return { element, look: "cap", isNamed: true, update() {} };
}

// The other controls of its group, hidden until they are asked for. What has failed is always seen.
function disclosure(unit) {
  const element = faceOf(unit);
  const key = `shown ${unit.control.id}`;
  let isOpen = recall(key) === "true";
  const show = () => {
    put(element, "aria-expanded", isOpen);
    const group = element.closest(".face");
    if (group) put(group, "data-folded", isOpen ? null : "");
    unit.changed();
  };
  element.append(draw("span.chevron", {}, symbol("open")));
  element.addEventListener("click", () => {
    isOpen = !isOpen;
    remember(key, isOpen);
    show();
  });
  return { element, look: "cap", isNamed: true, update: show };
}

// A cap without a finger.
function faceOf({ control, describedBy, labelID }) {
  const { all } = texts(control);
  const glyph = control.showsLabel ? signOf(control.symbol) : null;
  return draw(
    "button.part.cap",
    {
      type: "button", ...dressed(control),
      "aria-labelledby": labelID, "aria-describedby": describedBy,
    },
    glyph, all);
}

// How the file wants a cap to look; what shows no label has it as its tooltip.
function dressed({ role, style, size, label, symbol: sign, showsLabel, caption: below }) {
  return {
    "data-role": role ?? "normal",
    "data-style": style === "normal" ? null : style,
    "data-size": size === "regular" ? null : size,
    "data-tile": sign && below ? "" : null,
    title: sign && !showsLabel ? label : null,
  };
}

// A push button: a command, or two states.
export function cap(unit) {
  const { control } = unit;
  const role = control.role ?? "normal";
  const isCheckbox = control.look === "checkbox";
  const { written, all } = texts(control);
  const ownGlyph = control.showsLabel ? signOf(control.symbol) : symbol(roleGlyphs[role]);
  const glyph = role === "destructive" ? warning() : ownGlyph;
  const arc = control.confirm ? ring() : null;
  const element = draw(
    "button.part.cap",
    {
      type: "button", ...dressed(control), ...spoken(unit),
      "aria-keyshortcuts": control.domain === "none" ? keyOf(control) : null,
    },
    arc, unit.lamps[0]?.element, isCheckbox ? draw("span.tick", {}, symbol("check")) : glyph,
    isCheckbox ? null : all);
  const isTile = element.hasAttribute("data-tile");
  if (isCheckbox) element.classList.add("box");
  else if (written.querySelector("svg") && !isTile) element.classList.add("small");
  const isSmall = isCheckbox || control.look === "switch" || element.classList.contains("small");
  // A switch that latches in firmware is a small cap beside its label.
  if (control.look === "switch") {
    element.classList.add("small");
    all.remove();
    element.append(symbol("power"));
  }
  const down = press(unit, element, 0);
  const isNumber = control.domain === "number";
  const latches = control.domain === "on-off";
  if (isCheckbox) put(element, "role", "checkbox");
  else if (control.look === "switch") {
    put(element, "role", control.members.length ? "checkbox" : "switch"); // a switch is never mixed
  }
  const attribute = control.look === "cap" ? "aria-pressed" : "aria-checked";
  return {
    element,
    look: isSmall ? "small" : "cap",
    isNamed: !isSmall && !isNumber && (isTile || written.textContent === control.label),
    update(state) {
      down(state);
      busy(element, state);
      const value = state.staged ?? state.value;
      if (latches) put(element, attribute, value === "mixed" ? "mixed" : value === "on");
      if (isNumber) {
        say(written, titleOf(control, value));
        put(element, "aria-label", `${control.label}: ${titleOf(control, value)}`);
        put(element, "aria-labelledby", null);
      }
      if (arc) arc.firstChild.style.strokeDasharray = `${state.progress ?? 0} 100`;
      put(element, "data-armed", state.progress > 0 || null);
      if (!latches && control.activeLabel && (!control.symbol || control.showsLabel)) {
        const runs = state.phase === "pending" || state.phase === "loading";
        say(written, runs ? control.activeLabel : control.label);
      }
    },
  };
}

// A parent of checkboxes without a button of its own: only the page can press it.
export function parent(unit) {
  const { control } = unit;
  let value = "off";
  const element = draw(
    "button.part.cap.box",
    {
      type: "button", role: "checkbox", ...spoken(unit),
      click: () => unit.isFree()
        && ask({ type: "set", control: control.id, value: value === "on" ? "off" : "on" }),
    },
    draw("span.tick", {}, symbol("check")));
  return {
    element,
    look: "small",
    update(state) {
      value = state.value;
      put(element, "aria-checked", value === "mixed" ? "mixed" : value === "on");
      busy(element, state);
    },
  };
}

// A row of caps: interlocked, segments of which several may be chosen, or commands.
export function row(unit) {
  const { control } = unit;
  const isRadio = control.look === "row" || control.selection === "single";
  const isMultiple = control.selection === "multiple";
  const downs = [];
  let pressed = null; // the last one that had a finger on it
  const caps = control.values.map((word, place) => {
    const light = unit.lamps.length > 1 ? unit.lamps[place] : null;
    const title = control.titles[place] ?? word;
    const sign = control.symbols[place];
    const below = control.captions[place];
    const written = caption(title, sign);
    const element = draw(
      "button.cap",
      { type: "button", "aria-label": title, "aria-describedby": unit.describedBy, title },
      light?.element ?? (isRadio || isMultiple ? draw("span.choice") : null),
      below ? draw("span.lines", {}, written, draw("span.line", { text: below })) : written);
    if (isRadio) put(element, "role", "radio");
    downs.push(press(unit, element, place, { value: place }));
    return element;
  });
  const named = { "aria-labelledby": unit.labelID };
  const role = isRadio ? { role: "radiogroup", ...named } : { role: "none" };
  const inner = draw("div.caps", role, ...caps);
  const element = draw("div.part.row-of", { role: "toolbar", ...named }, inner);
  element.dataset.row = control.look === "row" ? "apart" : "joined";
  rove(inner, caps);
  return {
    element,
    look: "plain",
    update(state) {
      const value = state.staged ?? state.value;
      control.values.forEach((word, place) => {
        const isChosen = Array.isArray(value) ? value.includes(word) : value === word;
        downs[place](state);
        if (isRadio) put(caps[place], "aria-checked", isChosen);
        if (isMultiple) put(caps[place], "aria-pressed", isChosen);
        if (isRadio && isChosen && !inner.contains(document.activeElement)) stopAt(caps, place);
      });
      busy(element, state);
      // Of commands, the one that was pressed works.
      pressed = state.pressed.at(-1) ?? pressed;
      const works = control.domain === "commands" && state.phase === "loading" ? pressed : null;
      caps.forEach((each, place) => put(each, "aria-busy", place === works ? "true" : null));
    },
  };
}
