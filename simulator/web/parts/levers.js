// The parts that are thrown: levers of two and of three positions.
//
// Each maker takes a unit (the control, its label and remarks) and answers with its part:
// `{ element, update(state) }`. What a hand moves is shown at once where the hand has it; everything
// else waits for the core's word.

import { busy, hand, spoken } from "./act.js";
import { draw, lever, put } from "../core/draw.js";
import { drag, nearest, rove, stopAt } from "../core/press.js";

const pixelsOfAThrow = 14;

const isOn = (state) => (state.staged ?? state.value) === "on";

// A lever of two positions. One over others can be mixed, which is no state of a `switch` to a screen
// reader, but one of a `checkbox`.
export function twoWay(unit) {
  const { control } = unit;
  const isCheckbox = control.look === "checkbox";
  const role = isCheckbox || control.members.length ? "checkbox" : "switch";
  const drawn = lever(["I", "O"]);
  const element = draw(
    "button.part.throw",
    { type: "button", role, ...spoken(unit) }, drawn);
  const here = hand(unit, () => {
    drawn.style.setProperty("--throw", here.place === 1 ? 1 : here.place === 0 ? -1 : 0);
  });
  const flip = (place) => {
    const now = unit.isSimulated ? here.place : Number(isOn(unit.state()));
    if (place !== now && unit.isFree()) here.go(place, "flip");
  };
  let isDragged = false;
  drag(element, {
    pixels: pixelsOfAThrow,
    begin: () => (isDragged = false),
    step: (steps) => {
      isDragged = true;
      flip(steps > 0 ? 1 : 0);
    },
  });
  element.addEventListener("click", () => {
    const isUp = unit.isSimulated ? here.place === 1 : isOn(unit.state());
    if (!isDragged) flip(isUp ? 0 : 1);
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
      put(element, "aria-checked", state.value === "mixed" ? "mixed" : isOn(state));
      busy(element, state);
    },
  };
}

// A lever of three positions: a group of three, of which the highest stands first.
export function threeWay(unit) {
  const { control } = unit;
  const drawn = lever(["", ""]);
  const here = hand(unit, () => drawn.style.setProperty("--throw", (here.place ?? 1) - 1));
  const now = () => unit.isSimulated ? here.place : control.values.indexOf(unit.state().value);
  const go = (place) => {
    if (place >= 0 && place <= 2 && place !== now() && unit.isFree()) here.go(place, "flip");
  };
  const places = [2, 1, 0];
  const positions = places.map((place) =>
    draw(
      "button.position",
      {
        type: "button", role: "radio", "aria-label": control.titles[place],
        "aria-describedby": unit.notesID,
        click: (event) => go(places[nearest(event, positions, places.indexOf(place))]),
      },
      unit.lamps.length > 1 ? unit.lamps[place].element : null, control.titles[place]));
  const element = draw(
    "div.part.throw.three", { role: "radiogroup", ...spoken(unit) }, drawn,
    draw("div.positions", { role: "none" }, ...positions));
  rove(element, positions, { isVertical: true, moved: (row) => go(places[row]) });
  const throwIt = (steps) => go((now() ?? 1) + Math.sign(steps));
  drag(drawn, {
    pixels: pixelsOfAThrow,
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
