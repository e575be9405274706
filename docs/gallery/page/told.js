// What the core says in numbers, in the words of the HTTP interface (docs/http.md).

import { unknown } from "./core.js";

const phases = ["idle", "pending", "loading", "failed"];
const patterns = [
  "off", "steady", "blink", "wink", "double-wink", "triple-wink", "slow-wink", "flash-burst",
  "breathe", "fill",
];
const colors = [null, "red", "green", "amber", "blue", "magenta", "cyan", "white"];
const origins = ["panel", "web", "api", "mqtt", "control", "startup", "device"];
const refusals = [
  "disabled", "busy", "out-of-range", "unsupported", "guarded", "needs-confirmation",
  "locked-out",
];
// In the order in which they are written; with their bits.
const flags = [
  ["disabled", 1], ["mixed", 2], ["mismatch", 4], ["stale", 8], ["unconfirmed", 16], ["fault", 32],
];
const steady = 1;
const loading = 2; // a phase, and a condition of lamps
const failedTag = 16; // numbers of reasons from here on are exit codes

export const wordOfRefusal = (number) => refusals[number] ?? "unsupported";

function reason(number) {
  if (number === 0) return null;
  if (number >= failedTag && number < 272) return `exit ${number - failedTag}`;
  return { 1: "timed out", 2: "cancelled", 3: "lost", 14: "step failed" }[number]
    ?? "failed";
}

// A value as the interface writes it.
export function valueOf(raw, { values, range }, { kind }) {
  if (kind === "none") return null;
  if (raw === unknown) return "unknown";
  if (kind === "several") return values.filter((_, place) => raw >> place & 1);
  if (kind === "number") return Number((raw / 10 ** range.decimals).toFixed(range.decimals));
  return values[raw] ?? (raw === 2 ? "mixed" : "unknown");
}

// The other way round; null where there is no such value.
export function rawOf(value, { values, range }, { kind }) {
  if (kind === "number") return Math.round(Number(value) * 10 ** range.decimals);
  if (kind !== "several") {
    const place = values.indexOf(value);
    return place < 0 ? null : place;
  }
  const words = Array.isArray(value) ? value : [value];
  return words.reduce((bits, word) => bits | 1 << values.indexOf(word), 0);
}

const item = (raw, { values }) => (raw === unknown ? null : values[raw] ?? raw);

// The state of a control: the members that docs/http.md lists.
export function stateOf(it, control, wires, more) {
  const names = (raw) => valueOf(raw, control, wires);
  const hasPosition = ["lever", "selector"].includes(wires.decoder);
  return {
    value: names(it.desired), actual: names(it.actual),
    position: hasPosition ? names(it.position) : null,
    phase: phases[it.phase], reason: it.phase === 3 ? more.reason : null, outcome: more.end,
    flags: flags.filter(([, bit]) => it.flags & bit).map(([word]) => word),
    pressed: pressed(it, control, wires),
    pattern: patterns[it.pattern], color: color(it, wires), lit: lit(it, control, wires),
    isLit: it.isLit, brightness: Math.floor(wires.brightness * more.dimmer / 100),
    staged: it.staged === unknown ? null : names(it.staged), focus: item(it.focus, control),
    progress: it.progress * 10, outputs: more.outputs, lost: it.lost, display: null,
    stands: more.stands,
  };
}

function pressed({ closed }, { buttons }, { decoder }) {
  if (decoder === "button") return closed & 1 ? [0] : [];
  if (decoder === "encoder") return closed & 4 ? [0] : [];
  if (decoder !== "buttons") return [];
  return buttons.map((_, place) => place).filter((place) => closed >> place & 1);
}

// The colour of the condition that the shown pattern belongs to.
function color(it, wires) {
  if (!wires.colors) return null;
  const failed = it.phase === 3;
  const value = it.pattern === 0 ? 10 : 9;
  const likely = it.flags & 32 ? 0 : failed ? 1 : it.phase === loading ? 2
    : it.progress ? 3 : it.flags & 4 ? 4 : it.flags & 8 ? 5 : value;
  const conditions = [likely, loading, ...wires.colors.keys()];
  const shown = conditions.find((place) => wires.colors[place][0] === it.pattern) ?? likely;
  return colors[wires.colors[shown][1]];
}

function lit(it, control, { kind }) {
  if (control.lamp?.style !== "per-option" || it.pattern === 0) return null;
  if (it.focus !== unknown) return it.focus;
  if (kind === "none" && control.values.length) {
    return it.lamps ? 31 - Math.clz32(it.lamps & -it.lamps) : null;
  }
  if (kind !== "one") return null;
  const shown = it.staged === unknown ? it.desired : it.staged;
  return shown === unknown ? null : shown;
}

// An effect that reports something, as an event of the log; null for one that does not.
export function eventOf({ at, tag, numbers: [first, second] }, control, wires, lines) {
  const value = () => valueOf(first, control, wires);
  const by = () => ({ origin: origins[second] });
  const choice = () => control.values[first] ?? first + 1;
  const button = () => control.buttons[first] ?? first + 1;
  const told = {
    16: () => ({ event: "pressed" }),
    17: () => ({ event: "released" }),
    18: () => ({ event: "clicked" }),
    19: () => ({ event: "double-clicked" }),
    20: () => ({ event: "multi-clicked", count: first }),
    21: () => ({ event: "held" }),
    22: () => ({ event: "repeated" }),
    23: () => ({ event: "stepped", delta: first }),
    24: () => ({ event: "moved", position: value() }),
    25: () => ({ event: "invalid" }),
    26: () => ({ event: "changed", value: value(), ...by() }),
    27: () => ({ event: "confirmed", value: value() }),
    28: () => ({ event: "phase", phase: phases[first], ...said(second) }),
    29: () => ({
      event: "flag", name: flags.find(([, bit]) => bit === first)?.[0], set: second === 1,
    }),
    30: () => ({ event: "refused", reason: wordOfRefusal(first), ...by() }),
    31: () => ({ event: "armed" }),
    32: () => ({ event: "progress", percent: first }),
    33: () => ({ event: "indicator", pattern: patterns[first] }),
    34: () => ({
      event: "output", level: second === steady ? "active" : "inactive", line: lines[first],
    }),
    35: () => ({ event: "lost", count: first }),
    36: () => ({ event: "fault", reason: first === 0 ? "line" : "none" }),
    37: () => ({ event: "pressed", value: button() }),
    38: () => ({ event: "released", value: button() }),
    39: () => ({ event: "opened" }),
    40: () => ({ event: "closed" }),
    41: () => ({ event: "focused", value: choice() }),
    42: () => ({ event: "chosen", value: choice(), ...by() }),
    43: () => ({ event: "staged", value: first === unknown ? "none" : value() }),
  }[tag];
  return told ? { at, control: control.id, ...told() } : null;
}

const said = (number) => {
  const text = reason(number);
  return text ? { reason: text } : {};
};
