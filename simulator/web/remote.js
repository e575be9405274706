// Beside a panel of real lines: its parts are only seen here, and what may be asked from outside
// is asked in plain controls below them.

import { ask } from "./ask.js";
import { draw, put } from "./draw.js";
import { spoken } from "./kinds.js";
import { titleOf } from "./words.js";

const switching = ["switch", "toggle-button", "checkbox", "checkbox-group"];

export function remote(unit) {
  const { control } = unit;
  const { id } = control;
  const isGuarded = control.confirm?.remote === false;
  if (["indicator", "form"].includes(control.kind) || isGuarded) return null;
  const send = (type, value) => unit.isFree() && ask({ type, control: id, value });
  const key = `${unit.labelID}-ask`;
  const button = (text, more) => draw("button.plain", {
    type: "button", text, id: key, "aria-labelledby": `${key} ${unit.labelID}`,
    "aria-describedby": unit.notesID, ...more,
  });

  if (switching.includes(control.kind)) {
    let value = null;
    const isSwitch = control.kind === "switch" || control.kind === "toggle-button";
    const element = button("Switch", {
      role: isSwitch ? "switch" : "checkbox",
      click: () => send("set", value === "on" ? "off" : "on"),
    });
    return {
      element,
      update(state) {
        value = state.staged ?? state.value;
        put(element, "aria-checked", value === "mixed" ? "mixed" : value === "on");
      },
    };
  }
  if (control.kind === "button") {
    return { element: button("Press", { click: () => send("fire") }), update() {} };
  }
  if (control.kind === "dial") return number(unit, send, button);
  if (control.selection === "multiple") {
    return several(unit, send, button);
  }
  return choice(unit, send, button);
}

function number(unit, send, button) {
  const { min, max, step } = unit.control.range;
  const input = draw("input", { type: "number", min, max, step, required: "", ...spoken(unit) });
  const form = draw("form.remote", {
    submit: (event) => {
      event.preventDefault();
      send("set", input.valueAsNumber);
    },
  }, input, button("Set", { type: "submit" }));
  return {
    element: form,
    update(state) {
      const value = state.staged ?? state.value;
      if (document.activeElement !== input && typeof value === "number") input.value = value;
    },
  };
}

function several(unit, send, button) {
  const { control } = unit;
  let chosen = [];
  const buttons = control.values.map((word) => button(titleOf(control, word), {
    id: null, "aria-labelledby": null,
    click: () => {
      const wanted = control.values.filter((each) => chosen.includes(each) !== (each === word));
      send("set", wanted);
    },
  }));
  return {
    element: draw("div.remote", { role: "group", "aria-labelledby": unit.labelID }, ...buttons),
    update(state) {
      chosen = state.staged ?? state.value;
      if (!Array.isArray(chosen)) chosen = [];
      control.values.forEach((word, place) =>
        put(buttons[place], "aria-pressed", chosen.includes(word)));
    },
  };
}

// One of several: chosen first, then asked for, so that nothing happens on the way through a list.
function choice(unit, send, button) {
  const { control } = unit;
  const fires = control.kind === "pull-down" || control.selection === "momentary";
  const parents = new Set((control.items ?? []).map((item) => item.parent));
  const leaves = control.values.filter((word, place) => !parents.has(word) && !parents.has(place));
  const select = draw(
    "select", spoken(unit),
    ...leaves.map((word) => draw("option", { value: word, text: titleOf(control, word) })));
  const element = draw(
    "div.remote", {}, select,
    button(fires ? "Run" : "Set", { click: () => send(fires ? "fire" : "set", select.value) }));
  return {
    element,
    update(state) {
      if (document.activeElement === select || fires) return;
      const value = state.staged ?? state.value;
      if (control.values.includes(value)) select.value = value;
    },
  };
}
