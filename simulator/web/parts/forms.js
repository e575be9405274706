// Forms: the frame around one, and the keys that press its buttons.

import { draw } from "../core/draw.js";
import { store } from "../core/store.js";

const keys = { primary: "Enter", done: "Enter", cancel: "Escape", close: "Escape" };

// The form that a button applies or cancels.
export const formOf = (id) =>
  store.snapshot.panel.controls.find((each) => each.apply === id || each.cancel === id);

// The key that presses a button, where no other button of its group has the same.
export function keyOf({ id, role }) {
  const form = formOf(id);
  if (form) return form.apply === id ? "Enter" : "Escape";
  return keys[role] ?? null;
}

// Puts what belongs to a form into one frame, in the group of the form: its members, what it says of
// them, its buttons. What is in another group stays there. Gives the frame of each form.
export function frameForms(controls, units) {
  const frames = new Map();
  for (const form of controls.filter(({ apply }) => apply !== null)) {
    const group = units.get(form.id).element.closest(".face");
    // A member under a parent brings its branch.
    const elements = [...form.members, form.id, form.apply, form.cancel]
      .map((id) => units.get(id)?.element)
      .filter((element) => element && group.contains(element))
      .map((element) => [...group.children].find((each) => each.contains(element)));
    const own = [...new Set(elements)];
    if (own.length < 2) continue;
    const frame = draw("div.form", { role: "group", "aria-labelledby": `c-${form.id}-label` });
    own[0].before(frame);
    frame.append(...own);
    frames.set(form, frame);
  }
  return frames;
}

// Return presses the primary button, Escape the one that cancels: of the form or the group that has
// the focus, else the only one of the panel. A part that takes the key itself keeps it.
export function mountKeys(panel) {
  const takers = "button, a, select, input, textarea, dialog, #bench, [role=listbox]";
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!Object.values(keys).includes(key) || event.defaultPrevented || event.repeat) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest(key === "Enter" ? takers : "dialog, #bench, select, input")) return;
    for (const scope of [target.closest(".form"), target.closest(".face"), panel]) {
      const found = [...(scope?.querySelectorAll(`[aria-keyshortcuts="${key}"]`) ?? [])]
        .filter((each) => each.checkVisibility());
      if (found.length > 1) return;
      if (found.length === 1) {
        event.preventDefault();
        return found[0].click();
      }
    }
  });
}
