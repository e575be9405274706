// The parts that are turned: selectors with their positions, and encoders of numbers.

import { ask, gesture } from "../core/ask.js";
import { busy, hand, press, spoken } from "./act.js";
import { draw, knob, put, say, shape } from "../core/draw.js";
import { drag, nearest, rove, stopAt, wheel } from "../core/press.js";
import { Placing } from "./place.js";
import { store } from "../core/store.js";
import { titleOf } from "../core/words.js";

// Angles of so many positions, the middle one up.
function spread(count) {
  const step = Math.min(30, 300 / Math.max(count - 1, 1));
  return Array.from({ length: count }, (_, place) => (place - (count - 1) / 2) * step);
}

const isFinger = (event) => event.pointerType === "touch";
const pixelsOfAPosition = 26;
const pixelsOfADetent = 7;
const degreesOfADetent = 15;
const degreesOfAPotentiometer = 270;
const longestNumber = 12; // letters

// The positions as a list, for fingers: the names around a knob are too near to each other.
function chooser({ control }, knob, chosen, go) {
  const rows = control.values.map((word, place) => draw(
    "li.option",
    {
      role: "menuitemradio",
      click: () => {
        list.hidePopover();
        go(place);
      },
    },
    draw("span", { text: control.titles[place] ?? word })));
  const list = draw(
    "ul.listing",
    {
      role: "menu", "aria-label": control.label, popover: "auto",
      toggle: ({ newState }) => newState === "closed" && placing.close(),
    },
    ...rows);
  const placing = new Placing(list, knob, []);
  return {
    list,
    open() {
      rows.forEach((row, place) => put(row, "aria-checked", place === chosen()));
      placing.open();
    },
  };
}

// A rotary selector: its names are around it, clockwise from the lower left.
export function selector(unit) {
  const { control } = unit;
  const count = control.values.length;
  const angles = spread(count);
  const drawn = knob(angles);
  const here = hand(unit, () => {
    drawn.style.setProperty("--turn", `${angles[here.place ?? 0] ?? 0}deg`);
    positions.forEach((each, place) => put(each, "data-stands", here.place === place || null));
  });
  const now = () => unit.isSimulated ? here.place : control.values.indexOf(unit.state().value);
  const go = (place) => {
    const within = Math.min(Math.max(place, 0), count - 1);
    if (within !== now() && unit.isFree()) here.go(within, "select");
  };
  const lamps = unit.lamps.length > 1 ? unit.lamps : [];
  const positions = control.values.map((word, place) => {
    return draw(
      "button.position",
      {
        type: "button", role: "radio",
        click: (event) => !isFinger(event) && go(nearest(event, positions, place)),
        "aria-label": control.titles[place] ?? word, "aria-describedby": unit.notesID,
      },
      lamps[place]?.element,
      draw("span", { text: control.symbols[place] ?? control.titles[place] ?? word }));
  });
  const face = draw("div.turns", { role: "none" }, drawn);
  const element = draw(
    "div.part.dial-plate", { role: "radiogroup", ...spoken(unit) }, face, ...positions);
  rove(element, positions, { moved: go });
  let isDragged = false;
  drag(face, {
    pixels: pixelsOfAPosition,
    step: (steps) => go((now() ?? 0) + Math.sign(steps)),
    end: (_, isMoved) => (isDragged = isMoved),
  });
  const choice = chooser(unit, face, now, go);
  element.addEventListener("click", (event) => {
    const isChoice = choice.list.contains(event.target);
    if (isFinger(event) && !isChoice && !isDragged && unit.isFree()) choice.open();
    // A click on the knob turns it to the name on that side.
    else if (!isFinger(event) && face.contains(event.target) && !isDragged) {
      go(nearest(event, positions, now() ?? 0));
    }
    isDragged = false;
  });
  element.append(choice.list);
  wheel(face, (steps) => go((now() ?? 0) - Math.sign(steps)));
  return {
    element,
    look: "plain",
    update(state) {
      here.update(state);
      const chosen = state.staged ?? state.value;
      positions.forEach((each, place) =>
        put(each, "aria-checked", chosen === control.values[place]));
      if (!element.contains(document.activeElement)) stopAt(positions, here.place ?? 0);
      busy(element, state);
    },
  };
}

// How long a hand takes for a detent, in nanoseconds of the panel's clock.
const detentTime = 50e6;

const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Turns of an encoder. Detents are gathered while an earlier turn is played. Detents of the other
// direction are a turn of their own: one past the end of a range and one back are not none.
export function turner(unit, drawn) {
  const turns = []; // signed numbers of detents, first to last
  let isBusy = false;
  let angle = 0;
  async function send() {
    if (isBusy || turns.length === 0) return;
    isBusy = true;
    const { session } = store.snapshot;
    const value = turns.shift();
    if (await gesture(unit.control, "turn", { value })) {
      // One detent more, for a simulator that is a little behind its clock.
      const end = store.now() + (Math.abs(value) + 1) * detentTime;
      // A panel that starts over has forgotten the turn.
      const isPlayed = () => store.now() >= end || store.snapshot.session !== session;
      while (store.connected && !isPlayed()) await after(10);
    }
    isBusy = false;
    send();
  }
  return (detents) => {
    if (!unit.isFree()) return;
    angle += degreesOfADetent * detents;
    drawn.style.setProperty("--turn", `${angle}deg`);
    if (Math.sign(turns.at(-1)) === Math.sign(detents)) turns[turns.length - 1] += detents;
    else turns.push(detents);
    send();
  };
}

// The number at which a potentiometer stands, or that a control shows.
const numberOf = ({ control }, state) =>
  control.part === "potentiometer" ? state.position : state.staged ?? state.value;

// Asks for a number: on the desk, a hand turns the potentiometer there.
function wish({ control, isSimulated }, value) {
  return isSimulated && control.part === "potentiometer"
    ? gesture(control, "select", { value: String(value) })
    : ask({ type: "set", control: control.id, value });
}

// Turns of a number on real lines, and of a potentiometer: they ask for the value that so many
// detents lead to. While an answer is due, detents are gathered.
function setter(unit) {
  const { control } = unit;
  const { min, max, step, wrap } = control.range;
  let wanted = null;
  let isBusy = false;
  async function send() {
    if (isBusy) return;
    isBusy = true;
    for (let sent = null; sent !== wanted;) {
      sent = wanted;
      if (!(await wish(unit, sent))) break;
    }
    wanted = null;
    isBusy = false;
  }
  return (detents) => {
    if (!unit.isFree()) return;
    const state = unit.state();
    const value = wanted ?? numberOf(unit, state);
    if (typeof value !== "number") return;
    const next = value + detents * step;
    const span = max - min + step;
    const within = wrap
      ? min + ((((next - min) % span) + span) % span)
      : Math.min(Math.max(next, min), max);
    wanted = Number(within.toFixed(control.range.decimals));
    send();
  };
}

// Buttons beside a knob turn it by one detent, for people who cannot drag.
export function nudges(turn) {
  const nudge = (text, name, steps) =>
    draw("button.nudge", {
      type: "button", tabindex: -1, text, "aria-label": name, click: () => turn(steps),
    });
  return [nudge("↺", "One detent counterclockwise", -1), nudge("↻", "One detent clockwise", 1)];
}

const detents = {
  ArrowUp: 1, ArrowRight: 1, PageUp: 10, ArrowDown: -1, ArrowLeft: -1, PageDown: -10,
};

// A number that is typed: Enter asks for it, Escape and a lost focus drop it.
function typing({ control }, grip, show) {
  let text = null;
  const turnInto = (other) => {
    text = other;
    show();
  };
  grip.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^[\d.,-]$/.test(key)) turnInto(`${text ?? ""}${key}`.slice(0, longestNumber));
    else if (text === null) return;
    else if (key === "Backspace") turnInto(text.slice(0, -1));
    else if (key === "Escape") turnInto(null);
    else if (key === "Enter") {
      const value = Number(text.replace(",", "."));
      if (text !== "") ask({ type: "set", control: control.id, value });
      turnInto(null);
    } else return turnInto(null);
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  grip.addEventListener("blur", () => turnInto(null));
  return { get text() { return text; } };
}

// A finger has no keys before: it types into the window.
function typeHere({ control }, readout) {
  const field = draw("input.readout", {
    inputmode: "decimal", autocomplete: "off", maxlength: longestNumber,
    "aria-label": control.label,
    change: () => {
      const value = Number(field.value.replace(",", "."));
      if (field.value !== "") ask({ type: "set", control: control.id, value });
      field.blur();
    },
    keydown: ({ key }) => {
      if (key !== "Escape") return;
      field.value = "";
      field.blur();
    },
    blur: () => field.remove(),
  });
  field.style.cssText = readout.style.cssText;
  readout.after(field);
  field.focus();
}

// The window of a number; a click on it is one on the knob, which takes what is typed.
function windowOf(unit, grip) {
  const readout = draw("output.readout", {
    "aria-hidden": "true",
    click: (event) => {
      if (!isFinger(event)) grip.focus();
      else if (unit.isFree()) typeHere(unit, readout);
    },
  });
  return readout;
}

const ways = "Wheel, drag up or down, arrow keys, or type a number";

// How far a knob is turned, in degrees; null where the hand on the desk has turned it.
function angleOf(unit, state) {
  const { part, range: { min, max, step } } = unit.control;
  const number = numberOf(unit, state);
  if (typeof number !== "number") return null;
  if (part === "potentiometer") {
    return ((number - min) / (max - min) - 0.5) * degreesOfAPotentiometer;
  }
  return unit.isSimulated ? null : ((number - min) / step) * degreesOfADetent;
}

// A number on an encoder or a potentiometer.
export function dial(unit) {
  const { control } = unit;
  // A knob that only acts has no range; on real lines only a hand turns it.
  const { min, max, wrap } = control.range ?? { wrap: true };
  const drawn = knob([], true);
  const arc = shape("path.arc", { pathLength: 100, d: "M24.640 95.360a50 50 0 1 1 70.720 0" });
  if (!wrap) drawn.prepend(shape("path.scale", { d: "M24.640 95.360a50 50 0 1 1 70.720 0" }), arc);
  const onLines = control.range ? setter : () => () => {};
  const isPotentiometer = control.part === "potentiometer";
  const turn = (unit.isSimulated && !isPotentiometer ? turner : onLines)(unit, drawn);
  const spins = { role: "spinbutton", "aria-valuemin": min, "aria-valuemax": max };
  const grip = draw(
    "div.turns",
    {
      tabindex: 0, title: control.range ? ways : null, ...spoken(unit),
      ...control.range ? spins : { role: "group" },
    }, drawn);
  const readout = windowOf(unit, grip);
  const pushes = control.buttons.length && unit.isSimulated
    ? draw(
      "button.cap.push", { type: "button", text: "Push", "aria-label": `Push ${control.label}` })
    : null;
  const down = pushes ? press(unit, pushes, 0) : () => {};
  const typed = control.range
    ? typing(unit, grip, () => shown && show(shown)) : { text: null };
  drag(grip, { pixels: pixelsOfADetent, step: turn });
  wheel(grip, turn);
  grip.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const end = { Home: min, End: max }[event.key];
    if (end !== undefined && control.range) wish(unit, end);
    else if (event.key in detents) turn(detents[event.key]);
    else return;
    event.preventDefault();
  });
  const [less, more] = nudges(turn);
  const element = draw(
    "div.part.encoder", {}, control.range ? readout : null, grip,
    draw("div.nudges", {}, less, more), pushes);
  let shown = null; // the last state
  function show(state) {
    const value = state.staged ?? state.value;
    const isNumber = typeof value === "number";
    const text = isNumber ? titleOf(control, value) : "Unknown";
    say(readout, typed.text ?? (isNumber ? text : "—"));
    put(readout, "data-typed", typed.text === null ? null : "");
    put(grip, "aria-valuenow", isNumber ? value : min);
    const words = state.staged === null ? text : `${text}, waits`;
    put(grip, "aria-valuetext", typed.text ? `${typed.text}, Enter sets it` : words);
  }
  return {
    element,
    look: "readout",
    update(state) {
      shown = state;
      down(state);
      busy(grip, state);
      if (!control.range) return;
      const value = state.staged ?? state.value;
      const isNumber = typeof value === "number";
      show(state);
      put(readout, "data-waits", state.staged !== null || null);
      arc.style.strokeDasharray = `${isNumber ? ((value - min) / (max - min)) * 100 : 0} 100`;
      const angle = angleOf(unit, state);
      if (angle !== null) drawn.style.setProperty("--turn", `${angle}deg`);
    },
  };
}
