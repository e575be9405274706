// Covers over parts, what has no part, and the lamps of a control.

import { gesture } from "../core/ask.js";
import { draw, put, say } from "../core/draw.js";
import { lamp } from "./lamp.js";

// A hinged cover over a part, which has to be opened first.
export function cover(unit, part) {
  let isOpen = false;
  const lid = draw("button.lid", {
    type: "button", "aria-expanded": "false", "aria-label": `Lift cover of ${unit.control.label}`,
    click: () => unit.isConnected() && turn(!isOpen),
  }, draw("span", { text: "Lift cover", "aria-hidden": "true" }));
  const element = draw("div.covered", {}, lid, part.element);

  function show(open) {
    isOpen = open;
    put(element, "data-open", open || null);
    put(lid, "aria-expanded", open);
    say(lid.firstChild, open ? "Close" : "Lift cover");
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
    get rests() {
      return part.rests;
    },
    update(state) {
      if (typeof state.stands?.cover === "boolean") show(state.stands.cover);
      part.update(state);
    },
  };
}

// On real lines the cover is looked at, and only a hand at the panel lifts it.
export const underCover = (part) =>
  Object.create(part, { element: { value: draw("div.covered", {}, part.element) } });

// What has no part: forms, lamps, buttons that are a chord of others.
export const nothing = () => ({ element: null, look: "lamp", update() {} });

export const lampsOf = (control) => {
  if (!control.lamp) return [];
  if (control.lamp.style !== "per-option") return [lamp(control)];
  return control.values.map((word, place) =>
    lamp(control, place, `${control.label} lamp, ${control.titles[place] ?? word}`));
};
