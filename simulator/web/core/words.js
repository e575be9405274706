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

const simple = /^(not \()?(?:"([^"]+)"|([\w-]+)) (?:is|==) (?:"([^"]+)"|([\w-]+))\)?$/;

// What a part of a condition asks for: whether it holds, and what to do about it; null for one that
// no hand can fulfil by a single control.
function step(text) {
  const [, not, quoted, bare, word, plain] = text.match(simple) ?? [];
  const control = store.control(quoted ?? bare);
  const value = word ?? plain;
  if (!control?.values.includes(value) || control.look === "lamp") return null;
  const { actual, value: desired } = store.state(control.id);
  const isThere = (actual === "unknown" ? desired : actual ?? desired) === value;
  const other = { on: "off", off: "on" }[value];
  const wanted = not ? other : value;
  const title = titleOf(control, wanted ?? value);
  const words = title === "On" || title === "Off"
    ? `turn ${wanted ?? value} ${control.label}` : `set ${control.label} to ${title}`;
  return {
    holds: isThere !== Boolean(not),
    words: wanted ? words : `turn ${control.label} away from ${title}`,
  };
}

// What has to be done first for a condition of the panel file: "Turn on Main Power first". One that
// is not so simple is shown as it is, with labels in place of ids: "Only while A is on or B > 3".
function conditionInWords(text) {
  const steps = text.split(" and ").map(step);
  const missing = steps.filter((each) => each && !each.holds).map(({ words }) => words);
  if (!steps.includes(null) && missing.length) {
    const last = missing.pop();
    const words = missing.length ? `${missing.join(", ")} and ${last}` : last;
    return `${words.charAt(0).toUpperCase()}${words.slice(1)} first`;
  }
  const labelled = text.replace(
    /"[^"]*"|[\w-]+/g, (word) => store.control(word)?.label ?? word);
  return `Only while ${labelled}`;
}

const partNames = { lever: "Lever", selector: "Selector" };

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
      return store.snapshot.mode === "hardware" ? "Only at the panel" : null;
    case "chord": {
      const labels = confirm.with?.map((id) => store.control(id)?.label ?? id).join(" and ");
      return `${labels ?? "Several buttons"} together${time ? `, for ${time}` : ""}`;
    }
    default:
      return null;
  }
}

const withEllipsis = (words) => words.endsWith("…") ? words : `${words}…`;

function underWay(control, state) {
  if (control.kind === "button") return withEllipsis(control.activeLabel ?? "Working");
  if (state.value === "on" && control.titles[1] === "On") return "Turning on…";
  if (state.value === "off" && control.titles[0] === "Off") return "Turning off…";
  return state.value === null ? "Working…" : `Changing to ${titleOf(control, state.value)}…`;
}

function confirming(control, state) {
  const place = control.values.indexOf(state.focus);
  const by = (control.items?.[place]?.confirm ?? control.confirm)?.by;
  if (by === "press-twice" || by === "arm") return "Press again to confirm";
  return `Keep holding: ${state.progress} %`;
}

const refusals = {
  disabled: "Disabled",
  busy: "Busy: try again when it is done",
  unsupported: "It cannot be set",
  guarded: "Lift cover first",
  "out-of-range": "Out of its range",
  "needs-confirmation": "It needs a confirmation",
  "locked-out": "Pressed too soon after the last press",
};

// What a touch was refused for. Of several choices, one too few or too many was made.
export function refusal(reason, control) {
  const { bounds } = control ?? {};
  if (reason !== "out-of-range" || !bounds) return refusals[reason] ?? `Refused: ${reason}`;
  const chosen = store.state(control.id).value?.length ?? 0;
  return chosen > bounds.min ? `Choose at most ${bounds.max}` : `Choose at least ${bounds.min}`;
}

// A button with an active label says on its cap what is under way.
const isOnCap = (control) =>
  control.domain === "none" && control.activeLabel !== null && !control.symbol;

const couldNotStart = "could not start: ";
const notFound = "No such file or directory";

// Why an action failed, with the program that was to run.
function cause(reason, program) {
  if (!reason?.startsWith(couldNotStart)) return reason ?? "no reason given";
  const why = reason.slice(couldNotStart.length);
  const name = program ?? "a program";
  return why === notFound ? `${name} was not found` : `${name} could not start: ${why}`;
}

// Why the last action of a control failed, until the control is touched; else null.
export function failure({ phase, reason, outcome }) {
  const isOpen = outcome && outcome.result !== "ok" && !outcome.seen;
  if (phase === "failed") return cause(reason, outcome?.program);
  return isOpen ? cause(outcome.reason, outcome.program) : null;
}

// A moment on the panel's clock: of a simulated one as the bar shows it, else the time of day.
function moment(at) {
  if (store.snapshot.mode === "simulated") return `${(at / 1e9).toFixed(1)} s`;
  const then = new Date(Date.now() - (store.now() - at) / 1e6);
  return then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

const faultWords = {
  cut: "is cut", "stuck-active": "is stuck active", "stuck-inactive": "is stuck inactive",
};

// What was done to the lines of a control to see how the panel bears it.
const faultsOf = ({ lines }) => lines
  .map(({ name }) => [name, store.snapshot.simulation?.faults[name]])
  .filter(([, fault]) => fault)
  .map(([name, fault]) => `Simulated fault: ${name} ${faultWords[fault]}`);

// What differs from the value, with the value first: where the part stands, or the device.
function difference(control, state) {
  const { value, actual } = state;
  if (value === "mixed") return null;
  const stand = standing(control, state);
  if (control.values.includes(stand) && stand !== value) {
    const part = partNames[control.part].toLowerCase();
    return `${titleOf(control, value)} · ${part} at ${titleOf(control, stand)}`;
  }
  const isAmiss = state.flags.includes("mismatch") && state.phase === "idle";
  if (!isAmiss || actual === null || actual === "unknown" || actual === value) return null;
  return `${titleOf(control, value)} · device at ${titleOf(control, actual)}`;
}

// What a hand can do about a part that stands elsewhere.
function agreement(control, state) {
  const stand = standing(control, state);
  if (!control.values.includes(stand) || stand === state.value) return [];
  const verb = control.part === "lever" ? "Flip" : "Turn";
  return [["→", `${verb} it to ${titleOf(control, state.value)}, and both agree`]];
}

// A device that was never asked, or one whose answer is not known.
function unconfirmed({ outcome, phase }) {
  if (outcome) return "Not confirmed";
  return phase === "idle" ? "Device not asked yet" : null;
}

// What there is to say beside a control: triples of a glyph, words, and whether it is small; the
// most urgent first.
export function remarks(control, state) {
  const said = [];
  const has = (flag) => state.flags.includes(flag);
  const failed = failure(state);
  if (has("fault")) said.push(["▲", "Line fault"]);
  for (const words of faultsOf(control)) said.push(["▲", words]);
  if (state.phase === "failed") said.push(["▲", `Failed: ${failed}`]);
  if (state.phase === "loading" && !isOnCap(control)) said.push(["◌", underWay(control, state)]);
  if (state.progress > 0) said.push(["◔", confirming(control, state)]);
  if (state.staged !== null) said.push(["◇", `Not applied yet: ${titleOf(control, state.staged)}`]);
  if (control.apply !== null && state.value === "on") said.push(["◇", "Not applied yet"]);
  const differs = difference(control, state);
  if (differs) said.push(["≠", differs], ...agreement(control, state));
  if (waitsForClock(control, state)) said.push(["◷", "Waits for the clock"]);
  if (failed && state.phase !== "failed") {
    said.push(["▲", `Failed at ${moment(state.outcome.at)}: ${failed}`, true]);
  }
  if (has("stale")) said.push(["?", "Device is silent"]);
  const unsure = has("unconfirmed") && unconfirmed(state);
  if (unsure) said.push(["?", unsure]);
  if (has("disabled")) {
    const needs = control.enabledWhen;
    said.push(["–", needs ? conditionInWords(needs) : "Disabled"]);
  }
  const more = control.hold && `Held for ${spaced(control.hold)}, it does something else than a click`;
  const asked = contract(control) ?? more;
  if (!said.length && asked) said.push(["!", asked]);
  return said;
}

const policies = ["follow", "catch-up", undefined]; // the position is to be the value

// Whether the part shows its value by where it stands.
export const standsForValue = ({ part, mismatch }) =>
  part in partNames && policies.includes(mismatch);

// The value at which a lever or selector stands; null where that tells nothing of its value.
const standing = (control, state) => (standsForValue(control) ? state.position : null);

// A hand has moved the part while the clock stands: the panel hears of it later.
function waitsForClock(control, state) {
  const place = state.stands?.position ?? null;
  if (store.snapshot.clock?.running !== false || place === null) return false;
  return control.part in partNames && control.values[place] !== state.position;
}
