// What a touch of a part comes to: on a simulated panel the gesture of a hand, on real lines a
// request for the value that the part stands for.

import { ask, gesture } from "../core/ask.js";
import { finger } from "../core/press.js";
import { put } from "../core/draw.js";
import { titleOf } from "../core/words.js";

const isTwoValued = ({ domain, look }) => domain === "on-off" && look !== "lamp";

// Whether a part on real lines can be operated from here at all.
export const isRemote = (control) =>
  control.look !== "lamp" && !(control.look === "knob" && !control.range)
  && control.confirm?.remote !== false;

// What a press at `place` of a part asks for from outside.
export function wish(control, state, place = 0) {
  const { id: control_, values } = control;
  const value = state.staged ?? state.value;
  const request = (type, wanted) => ({ type, control: control_, value: wanted });
  if (isTwoValued(control)) return request("set", value === "on" ? "off" : "on");
  if (control.domain === "none") return { type: "fire", control: control_ };
  if (control.range) return request("set", "next");
  if (control.domain === "commands") return request("fire", values[place]);
  if (control.selection !== "multiple") return request("set", values[place]);
  const chosen = Array.isArray(value) ? value : [];
  const word = values[place];
  return request("set", values.filter((each) => chosen.includes(each) !== (each === word)));
}

// The same in words: "Turn On".
export function wishWords(control, state) {
  if (!isTwoValued(control)) return "";
  const title = titleOf(control, wish(control, state).value);
  return title === "On" || title === "Off" ? `Turn ${title}` : `Set to ${title}`;
}

// A finger on the button at `place` of a part; 0 where it is the only one.
export function press(unit, element, place, more = {}) {
  if (unit.isSimulated) return hold(unit, element, place, more);
  element.addEventListener("click", () => {
    if (unit.isFree()) ask(wish(unit.control, unit.state(), place));
  });
  return (state) => put(element, "data-down", state.pressed.includes(place) || null);
}

// The finger of a hand stays down on a contact until it is lifted. It waits until the part is
// `ready`, and does nothing where that fails. A finger that was lifted by then has clicked. A second
// one in that time is none: what it would answer is not drawn yet. Where holding confirms, a finger
// that slides off has let go, as with every button that people know.
export function hold(
  unit, element, place, more = {}, ready = async () => true, confirm = unit.control.confirm) {
  let touch = { phase: "lifted" };
  let isWaiting = false;
  finger(element, {
    slidesOff: confirm?.by === "hold",
    down: async () => {
      if (!unit.isFree() || isWaiting) return;
      element.dataset.held = "";
      const mine = { phase: "waits" };
      touch = mine;
      isWaiting = true;
      const isReady = await ready();
      isWaiting = false;
      if (!isReady) return;
      const isLifted = mine.phase === "lifted";
      if (!isLifted) mine.phase = "pressed";
      gesture(unit.control, isLifted ? "click" : "press", more);
    },
    up: () => {
      delete element.dataset.held;
      if (touch.phase === "pressed") gesture(unit.control, "release", more);
      touch.phase = "lifted";
    },
    click: async () => {
      if (unit.isFree() && await ready()) gesture(unit.control, "click", more);
    },
    kept: (isKept) => put(element, "data-kept", isKept || null),
  });
  return (state) => put(element, "data-down", state.pressed.includes(place) || null);
}

// Where a hand has a part, ahead of the core: until the core says the same, or the hand failed. A
// part on real lines stays where its own hand has it.
export function hand(unit, show) {
  const { control } = unit;
  let wanted = null;
  let told = null;
  return {
    get place() {
      return wanted ?? told;
    },
    async go(place, verb) {
      if (!unit.isSimulated) return void ask(wish(control, unit.state(), place));
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
  "aria-describedby": unit.describedBy,
});

export function busy(element, state) {
  put(element, "aria-busy", state.phase === "loading" ? "true" : null);
}
