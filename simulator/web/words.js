// What the page says about a control: its value, what is under way, what is wrong.

import { store } from "./store.js";

export function titleOf(control, value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((each) => titleOf(control, each)).join(", ") || "None";
  if (typeof value === "number") return value.toFixed(control.range?.decimals ?? 0);
  const place = control.values.indexOf(value);
  if (place >= 0 && control.titles[place]) return control.titles[place];
  return value.charAt(0).toUpperCase() + value.slice(1);
}

// "300ms" as people write it.
const spaced = (time) => time.replace(/(\d)([a-zµ])/g, "$1\u00a0$2");

// A condition of the panel file with labels in place of ids: "Output is off".
function conditionInWords(text) {
  return text.replace(/"[^"]*"|[\w-]+/g, (word) => store.control(word)?.label ?? word);
}

export const partNames = { lever: "Lever", selector: "Selector" };

// How something destructive wants to be confirmed.
export function contract(control) {
  const confirm = control.confirm;
  const time = confirm?.time ? spaced(confirm.time) : null;
  switch (confirm?.by) {
    case "hold":
      return `Hold for ${time}`;
    case "press-twice":
      return `Press twice within ${time}`;
    case "arm":
      return `Press to arm, press again within ${time}`;
    case "guard":
      return store.snapshot.mode === "hardware" ? "Only at the panel, under a cover" : null;
    case "chord": {
      const labels = confirm.with?.map((id) => store.control(id)?.label ?? id).join(" and ");
      return `${labels ?? "Several buttons"} together${time ? `, for ${time}` : ""}`;
    }
    default:
      return null;
  }
}

function underWay(control, state) {
  if (control.kind === "button") return `${control.activeLabel ?? "Working"}…`;
  if (state.value === "on" && control.titles[1] === "On") return "Turning on…";
  if (state.value === "off" && control.titles[0] === "Off") return "Turning off…";
  return state.value === null ? "Working…" : `Changing to ${titleOf(control, state.value)}…`;
}

function confirming(control, state) {
  const by = control.confirm?.by;
  if (by === "press-twice" || by === "arm") return "Armed: press again";
  return `Hold on: ${state.progress} %`;
}

const refusals = {
  disabled: "Refused: it is disabled",
  busy: "Refused: it is busy",
  "out-of-range": "Refused: no more, or no fewer, can be chosen",
  unsupported: "Refused: it cannot be set",
  guarded: "Refused: its cover is shut",
  "needs-confirmation": "Refused: it needs a confirmation",
  "locked-out": "Refused: it was pressed too soon after the last press",
};

export const refusal = (reason) => refusals[reason] ?? `Refused: ${reason}`;

// What there is to say beside a control: pairs of a glyph and words, the most urgent first.
export function remarks(control, state) {
  const said = [];
  const has = (flag) => state.flags.includes(flag);
  if (has("fault")) said.push(["▲", "A line cannot be used"]);
  if (state.phase === "failed") said.push(["▲", `Failed: ${state.reason ?? "no reason given"}`]);
  if (state.phase === "loading") said.push(["◌", underWay(control, state)]);
  if (state.progress > 0) said.push(["◔", confirming(control, state)]);
  if (state.staged !== null) said.push(["◇", `Waits: ${titleOf(control, state.staged)}`]);
  const stand = standing(control, state);
  if (control.values.includes(stand) && stand !== state.value) {
    said.push(["≠", `${partNames[control.part]} at ${titleOf(control, stand)}`]);
  }
  if (has("stale")) said.push(["?", "No word from its device"]);
  if (has("unconfirmed")) said.push(["?", "Not confirmed"]);
  if (has("disabled")) {
    const needs = control.enabledWhen;
    said.push(["–", needs ? `Needs: ${conditionInWords(needs)}, confirmed` : "Disabled"]);
  }
  if (!said.length && contract(control)) said.push(["!", contract(control)]);
  return said;
}

// The value at which a lever or selector stands; null where the part holds none.
export function standing(control, state) {
  if (!(control.part in partNames)) return null;
  const place = state.stands?.position;
  const isPaused = store.snapshot?.clock?.running === false;
  return isPaused && place !== null && place !== undefined ? control.values[place] : state.position;
}
