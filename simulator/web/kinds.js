// The parts that are thrown and pressed: levers, caps, rows of caps, covers, and lamps alone.
//
// Each maker takes a unit (the control, its label and remarks) and answers with its part:
// `{ element, update(state), focus }`. What a hand moves stands at once where the hand has it;
// everything else waits for the core's word.

import { ask, gesture } from "./ask.js";
import { caption, draw, lever, put, ring, say, symbol, warning } from "./draw.js";
import { lamp } from "./lamp.js";
import { drag, finger, rove, stopAt } from "./press.js";
import { titleOf } from "./words.js";

// Where a hand has a part, ahead of the core: until the core says the same, or the hand failed.
export function hand(control, show) {
  let wanted = null;
  let told = null;
  return {
    get place() {
      return wanted ?? told;
    },
    async go(place, verb) {
      wanted = place;
      show();
      const isDone = await gesture(control, verb, { value: place });
      if (wanted !== place) return;
      wanted = null;
      if (isDone) told = place;
      show();
    },
    update(state) {
      const place = state.stands?.position ?? control.values.indexOf(state.position);
      told = place < 0 ? null : place;
      if (told === wanted) wanted = null;
      show();
    },
  };
}

// What each focusable thing of a control says of itself.
export const spoken = (unit) => ({
  "aria-labelledby": unit.labelID,
  "aria-describedby": unit.notesID,
});

export function busy(element, state) {
  put(element, "aria-busy", state.phase === "loading" ? "true" : null);
}

const isOn = (state) => (state.staged ?? state.value) === "on";

// A lever of two positions.
export function twoWay(unit) {
  const { control } = unit;
  const isCheckbox = control.kind === "checkbox";
  const drawn = lever(["I", "O"]);
  const element = draw(
    "button.part.throw",
    { type: "button", role: isCheckbox ? "checkbox" : "switch", ...spoken(unit) }, drawn);
  const here = hand(control, () => {
    drawn.style.setProperty("--throw", here.place === 1 ? 1 : here.place === 0 ? -1 : 0);
  });
  const flip = (place) => place !== here.place && unit.isFree() && here.go(place, "flip");
  let isDragged = false;
  drag(element, {
    pixels: 14,
    begin: () => (isDragged = false),
    step: (steps) => {
      isDragged = true;
      flip(steps > 0 ? 1 : 0);
    },
  });
  element.addEventListener("click", () => {
    if (!isDragged) flip(here.place === 1 ? 0 : 1);
    isDragged = false;
  });
  const keys = { ArrowLeft: 0, ArrowDown: 0, ArrowRight: 1, ArrowUp: 1 };
  element.addEventListener("keydown", (event) => {
    if (event.repeat && (event.key === " " || event.key === "Enter")) event.preventDefault();
    if (!(event.key in keys)) return;
    event.preventDefault();
    flip(keys[event.key]);
  });
  return {
    element,
    look: isCheckbox ? "small" : "lever",
    update(state) {
      here.update(state);
      put(element, "aria-checked", isOn(state));
      busy(element, state);
    },
  };
}

// A lever of three positions: a group of three, of which the highest stands first.
export function threeWay(unit) {
  const { control } = unit;
  const drawn = lever(["", ""]);
  const here = hand(control, () => drawn.style.setProperty("--throw", (here.place ?? 1) - 1));
  const go = (place) => {
    if (place >= 0 && place <= 2 && place !== here.place && unit.isFree()) here.go(place, "flip");
  };
  const places = [2, 1, 0];
  const positions = places.map((place) =>
    draw(
      "button.position",
      {
        type: "button", role: "radio", "aria-label": control.titles[place],
        "aria-describedby": unit.notesID, click: () => go(place),
      },
      unit.lamps.length > 1 ? unit.lamps[place].element : null, control.titles[place]));
  const element = draw(
    "div.part.throw.three", { role: "radiogroup", ...spoken(unit) }, drawn,
    draw("div.positions", { role: "none" }, ...positions));
  rove(element, positions, { isVertical: true, moved: (row) => go(places[row]) });
  const throwIt = (steps) => go((here.place ?? 1) + Math.sign(steps));
  drag(drawn, {
    pixels: 14,
    step: throwIt,
    // A tap above or below the middle pushes it there.
    end: (event, isMoved) => {
      const { top, height } = drawn.getBoundingClientRect();
      if (event.type === "pointerup" && !isMoved) throwIt(top + height / 2 - event.clientY);
    },
  });
  return {
    element,
    look: "three",
    focus: positions,
    update(state) {
      here.update(state);
      places.forEach((place, row) => {
        put(positions[row], "aria-checked", state.value === control.values[place]);
        put(positions[row], "data-stands", here.place === place || null);
      });
      if (!element.contains(document.activeElement)) stopAt(positions, 2 - (here.place ?? 1));
      busy(element, state);
    },
  };
}

// A finger on the button at `place` of a part; 0 where it is the only one.
export function press(unit, element, place, more) {
  const one = more ?? {};
  finger(element, {
    down: () => {
      if (!unit.isFree()) return;
      element.dataset.held = "";
      gesture(unit.control, "press", one);
    },
    up: () => {
      if (!("held" in element.dataset)) return;
      delete element.dataset.held;
      gesture(unit.control, "release", one);
    },
    click: () => unit.isFree() && gesture(unit.control, "click", one),
    kept: (isKept) => put(element, "data-kept", isKept || null),
  });
  return (state) => put(element, "data-down", state.pressed.includes(place) || null);
}

const roleGlyphs = { primary: "play", cancel: "cross" };

// A push button: a command, or two states.
export function cap(unit) {
  const { control } = unit;
  const role = control.role ?? "normal";
  const isCheckbox = control.kind.startsWith("checkbox");
  const written = caption(control.label, control.symbol);
  const glyph = role === "destructive" ? warning() : symbol(roleGlyphs[role]);
  const arc = control.confirm ? ring() : null;
  const element = draw(
    "button.part.cap", { type: "button", "data-role": role, ...spoken(unit) },
    arc, unit.lamps[0]?.element, isCheckbox ? draw("span.tick", {}, symbol("check")) : glyph,
    isCheckbox ? null : written);
  if (isCheckbox) element.classList.add("box");
  else if (written.querySelector("svg")) element.classList.add("small");
  const isSmall = isCheckbox || element.classList.contains("small");
  const down = press(unit, element, 0);
  const latches = control.kind !== "button";
  if (isCheckbox) put(element, "role", "checkbox");
  else if (control.kind === "switch") put(element, "role", "switch");
  const attribute = control.kind === "toggle-button" ? "aria-pressed" : "aria-checked";
  return {
    element,
    look: isSmall ? "small" : "cap",
    update(state) {
      down(state);
      busy(element, state);
      const value = state.staged ?? state.value;
      if (latches) put(element, attribute, value === "mixed" ? "mixed" : value === "on");
      if (arc) arc.firstChild.style.strokeDasharray = `${state.progress ?? 0} 100`;
      put(element, "data-armed", state.progress > 0 || null);
      if (!latches && control.activeLabel && !control.symbol) {
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
  const isRadio = control.kind === "radio-group" || control.selection === "single";
  const isMultiple = control.selection === "multiple";
  const downs = [];
  const caps = control.values.map((word, place) => {
    const light = unit.lamps.length > 1 ? unit.lamps[place] : null;
    const title = control.titles[place] ?? word;
    const sign = control.symbols[place];
    const element = draw(
      "button.cap", { type: "button", "aria-label": title, "aria-describedby": unit.notesID },
      light?.element ?? (isRadio || isMultiple ? draw("span.choice") : null),
      caption(title, sign));
    if (isRadio) put(element, "role", "radio");
    downs.push(press(unit, element, place, { value: place }));
    return element;
  });
  const named = { "aria-labelledby": unit.labelID };
  const role = isRadio ? { role: "radiogroup", ...named } : { role: "none" };
  const inner = draw("div.caps", role, ...caps);
  const element = draw("div.part.row-of", { role: "toolbar", ...named }, inner);
  element.dataset.row = control.kind === "radio-group" ? "apart" : "joined";
  const longest = Math.max(...control.titles.map((title, place) =>
    control.symbols[place] ? 3 : (title ?? control.values[place]).length));
  // In one row where there is room for all of them, else one above the other.
  const marks = isRadio || isMultiple ? 2.6 : 1.4;
  inner.style.setProperty("--need", `calc(${caps.length} * (${longest}ch + ${marks}rem))`);
  rove(inner, caps);
  return {
    element,
    look: caps.length * (longest + 2 * marks) > 24 ? "wide" : "plain",
    focus: caps,
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
    },
  };
}

// A hinged cover over a part, which has to be opened first.
export function cover(unit, part) {
  let isOpen = false;
  const lid = draw("button.lid", {
    type: "button", "aria-expanded": "false", "aria-label": `Cover of ${unit.control.label}`,
    click: () => unit.isConnected() && turn(!isOpen),
  }, draw("span", { "aria-hidden": "true" }));
  const element = draw("div.covered", {}, part.element, lid);

  function show(open) {
    isOpen = open;
    put(element, "data-open", open || null);
    put(lid, "aria-expanded", open);
  }

  async function turn(open) {
    show(open);
    const done = await gesture(unit.control, "cover", { value: open ? "open" : "shut" });
    if (!done) show(!open);
  }

  return {
    ...part,
    element,
    get isShut() {
      return !isOpen;
    },
    update(state) {
      if (typeof state.stands?.cover === "boolean") show(state.stands.cover);
      part.update(state);
    },
  };
}

// What has no part: forms, lamps, buttons that are a chord of others.
export function nothing(unit) {
  const { control } = unit;
  if (control.kind !== "form") return { element: null, look: "lamp", update() {} };
  const element = draw("p.part.waiting", { "aria-live": "off" });
  return {
    element,
    update(state) {
      say(element, titleOf(control, state.value) === "On" ? "Changes wait" : "Nothing waits");
    },
  };
}

export const lampsOf = (control) => {
  if (!control.lamp) return [];
  if (control.lamp.style !== "per-option") return [lamp(control)];
  return control.values.map((word, place) =>
    lamp(control, place, `${control.label} lamp, ${control.titles[place] ?? word}`));
};
