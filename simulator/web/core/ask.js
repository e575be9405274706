// Sends what somebody does, says what was wrong with it, and asks before something destructive.

import { store } from "./store.js";

// A hand does something; true where it was done.
export async function gesture(control, verb, more = {}) {
  if (!store.connected) return false;
  const answer = await store.send({ type: "gesture", verb, control: control.id, ...more });
  return tell(answer, control.id);
}

// Asks from outside: `set` a value, or `fire`. `confirms` asks whether something destructive is meant.
export async function ask(message, confirms = isMeant) {
  if (!store.connected) return false;
  const answer = await store.send(message);
  const confirm = answer?.problem?.confirm;
  if (!confirm) return tell(answer, message.control);
  if (!(await confirms(message, answer.problem))) return false;
  return tell(await store.send({ ...message, confirm }), message.control);
}

function tell(answer, control) {
  if (answer?.problem) store.tell("problem", { ...answer.problem, control });
  return !answer?.problem;
}

function isMeant(message, problem) {
  const control = store.control(message.control);
  const dialog = document.getElementById("confirm");
  const what = message.value === undefined ? control.label : `${control.label}: ${message.value}`;
  document.getElementById("confirm-title").textContent = `${what}?`;
  document.getElementById("confirm-text").textContent =
    `${problem.title}. It starts at once. You cannot undo it here.`;
  document.getElementById("confirm-yes").textContent = String(message.value ?? control.label);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

// The dialog closes with what was chosen; Esc chooses nothing.
export function mountConfirm() {
  const dialog = document.getElementById("confirm");
  document.getElementById("confirm-no").addEventListener("click", () => dialog.close(""));
  document.getElementById("confirm-yes").addEventListener("click", () => dialog.close("yes"));
}
