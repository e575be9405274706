// The tray beside the plate: controls without a part. Nothing operates them at the panel, so that
// also a simulated panel is asked for their values.

import { ask } from "../core/ask.js";
import { draw, put, say } from "../core/draw.js";
import { remarks, titleOf } from "../core/words.js";
import { store } from "../core/store.js";

const entries = {
  // A slide: its value is where its knob is.
  "on-off": (entry) => {
    const element = draw("button.slide", {
      type: "button", role: "switch", ...entry.spoken,
      click: () => entry.set(entry.state().value === "on" ? "off" : "on"),
    }, draw("span", { "aria-hidden": "true" }));
    return {
      element,
      fields: [element],
      update: ({ value }) => put(element, "aria-checked", value === "on"),
    };
  },
  // A word for each option.
  options: (entry) => {
    const { id, values, titles } = entry.control;
    const fields = values.map((value, place) => draw("input", {
      type: "radio", name: `tray-${id}`, value, "aria-label": titles[place] ?? value,
      change: () => entry.set(value),
    }));
    const words = fields.map((field, place) =>
      draw("label", {}, field, draw("span", { text: titles[place] ?? values[place] })));
    return {
      element: draw("div.options", { role: "radiogroup", ...entry.spoken }, ...words),
      fields,
      update: ({ value }) => fields.forEach((field) => (field.checked = field.value === value)),
    };
  },
  // A number, typed or stepped.
  number: (entry) => {
    const { min, max, step } = entry.control.range;
    let isTyped = false;
    const element = draw("input", {
      type: "number", min, max, step, ...entry.spoken,
      input: () => (isTyped = true),
      blur: () => entry.update(),
      change: async () => {
        isTyped = false;
        if (element.value !== "") await entry.set(Number(element.value));
        entry.update();
      },
    });
    return {
      element,
      fields: [element],
      update({ value }) {
        if (!isTyped || document.activeElement !== element) element.value = value ?? "";
      },
    };
  },
};

class Entry {
  #said = null; // what went wrong at the last touch

  constructor(control) {
    const key = `c-${control.id}`;
    this.control = control;
    this.spoken = { "aria-labelledby": `${key}-label`, "aria-describedby": `${key}-notes` };
    this.part = entries[control.domain](this);
    this.value = draw("span.value", { "aria-hidden": "true" });
    this.notes = draw("span.notes", { id: `${key}-notes` });
    this.element = draw(
      "div.entry", { id: key, title: control.help },
      draw("span.label", { id: `${key}-label`, text: control.label }), this.part.element,
      this.value, this.notes);
    this.element.addEventListener("focusin", () => store.select(control.id));
    this.element.addEventListener("pointerdown", () => store.select(control.id));
  }

  state() {
    return store.state(this.control.id);
  }

  async set(value) {
    if (!this.isOff) await ask({ type: "set", control: this.control.id, value });
    this.update(); // also where it was refused
  }

  complain(words) {
    this.#said = words;
    this.update();
  }

  update() {
    const state = this.state();
    if (!state) return;
    const { control, part } = this;
    this.isOff = !store.connected || state.flags.includes("disabled");
    part.update(state);
    for (const field of part.fields) put(field, "disabled", this.isOff ? "" : null);
    put(part.element, "aria-busy", state.phase === "loading" ? "true" : null);
    say(this.value, control.domain === "on-off" ? titleOf(control, state.value) : "");
    const said = remarks(control, state);
    if (this.#said) said.unshift(["⊘", this.#said]);
    say(this.notes, said.map(([sign, words]) => `${sign} ${words}`).join("\n"));
  }
}

// The controls without a part by their ids, and the tray that has them; null where there are none.
export function trayOf(controls) {
  const all = new Map(controls.map((control) => [control.id, new Entry(control)]));
  if (!all.size) return { entries: all, element: null };
  const title = draw("h2", { id: "tray-title", text: "Without a Part" });
  const own = [...all.values()].map(({ element }) => element);
  return {
    entries: all,
    element: draw("section.tray", { "aria-labelledby": "tray-title" }, title, ...own),
  };
}
