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

// Puts what belongs to a form into one frame, in the group of the form: its members in their rows,
// then what it says of them, then its buttons. What is in another group stays there.
export function frameForms(groups, controls, units) {
  for (const form of controls.filter(({ kind }) => kind === "form")) {
    const own = units.get(form.id).element;
    const group = groups.find((each) => each.contains(own));
    // A member that stands under a parent brings its branch.
    const found = (ids) => controls.filter(({ id }) => ids.includes(id))
      .map(({ id, row }) => ({ row, element: units.get(id).element.closest(".row > *") }))
      .filter(({ element }) => element && group.contains(element));
    const members = found(form.members);
    const buttons = found([form.apply, form.cancel]);
    if (!members.length && !buttons.length) continue;
    const rows = [...new Set(members.map(({ row }) => row))].sort((one, other) => one - other);
    const first = [...members, { element: own }][0].element.closest(".row");
    const frame = draw(
      "div.form", { role: "group", "aria-labelledby": `c-${form.id}-label` });
    first.before(frame);
    const inRow = (these) =>
      draw("div.row", {}, ...new Set(these.map(({ element }) => element)));
    frame.append(
      ...rows.map((row) => inRow(members.filter((each) => each.row === row))),
      inRow([{ element: own.closest(".row > *") ?? own }]), inRow(buttons));
    for (const row of group.querySelectorAll(".row:empty")) row.remove();
  }
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
