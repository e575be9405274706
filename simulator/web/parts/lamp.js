// Lamps: what they show as functions of time, and a shape for each condition, so that neither
// colour nor motion is needed to read them.

import { draw, put, shape } from "../core/draw.js";
import { store } from "../core/store.js";

const leastRest = 334; // milliseconds: three flashes take longer than a second
const dimmest = 0.35; // of a lamp that is lit, so that it is seen to be lit

const shapes = {
  off: "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z",
  unconfirmed: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z",
  on: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  mixed: "M12 4a8 8 0 0 1 0 16z",
  loading: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z",
  error: "M12 3l10 17H2zM12 9v6M12 17v1",
};

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// How the lamp moves, as the panel has said; null: not at all.
function shapeOf(state, isLit) {
  const told = store.snapshot.panel.patterns[state.pattern];
  if (state.pattern !== "fill") return told?.period ? told : null;
  const tenth = Math.min(Math.max(Math.round((state.progress ?? 50) / 10), 1), 10);
  return told[isLit ? "lit" : "dark"][tenth - 1];
}

// Whether the value beneath the pattern is a lit one: as the panel says, or of one lamp in a row.
function isLitAt(control, state, place) {
  if (place === null) return state.isLit;
  const value = state.staged ?? state.value;
  if (Array.isArray(value)) return value.includes(control.values[place]);
  return state.lit === place;
}

function conditionOf(state, isLit) {
  if (state.phase === "failed" || state.flags.includes("fault")) return "error";
  if (state.phase === "loading") return "loading";
  if (state.value === "mixed") return "mixed";
  // Lit, but no device has said so: a hollow lamp.
  if (isLit && state.phase === "idle" && state.flags.includes("unconfirmed")) return "unconfirmed";
  return isLit ? "on" : "off";
}

// The frames of a pattern: the veil lies over the lamp for each dip.
function frames({ period, dips, dip: length, distance }) {
  const steps = [];
  for (let dip = 0; dip < dips; dip += 1) {
    const begins = (dip * distance) / period;
    steps.push({ offset: begins, opacity: 1 });
    steps.push({ offset: Math.min(begins + length / period, 1), opacity: 0 });
  }
  if (steps.at(-1).offset < 1) steps.push({ offset: 1, opacity: 0 });
  return steps.map((step) => ({ ...step, easing: "step-end" }));
}

// A lamp of a control; of `place` in a row of lamps, or the only one.
export function lamp(control, place = null, name = `${control.label} lamp`) {
  const drawing = shape("path");
  const veil = draw("span.veil");
  const element = draw(
    "span.lamp", { role: "img" }, draw("span.lens"), veil,
    shape("svg", { viewBox: "0 0 24 24" }, drawing));
  let shown = null;
  let motion = null;
  let pause = 0;
  let ended = -Infinity;
  let last = null;

  function move(pattern) {
    if (pattern === shown) return;
    const isSameTempo = pattern?.period === shown?.period && motion !== null;
    shown = pattern;
    clearTimeout(pause);
    if (motion !== null) ended = performance.now();
    motion?.cancel();
    motion = null;
    if (pattern === null) return;
    const start = () => {
      motion = veil.animate(frames(pattern), { duration: pattern.period, iterations: Infinity });
      motion.startTime = 0; // all lamps keep the same time
    };
    // From one pattern to another as from dip to dip: never more than three flashes in a second.
    const wait = isSameTempo ? 0 : ended + leastRest - performance.now();
    if (wait > 0) pause = setTimeout(start, wait);
    else start();
  }

  function update(state) {
    last = state;
    const pattern = store.isLampTest ? "steady" : state.pattern;
    const isLit = store.isLampTest || isLitAt(control, state, place);
    const isConcerned = place === null || isLit;
    const isDark = pattern === "off" || (state.brightness === 0 && isLit && !store.isLampTest);
    const condition = store.isLampTest ? "on" : isConcerned ? conditionOf(state, isLit) : "off";
    const glows = isLit && isConcerned && !isDark;
    put(element, "data-lit", glows || null);
    put(element, "data-shape", condition);
    put(element, "data-pattern", isConcerned ? pattern : "off");
    put(element, "data-color", state.color);
    element.style.setProperty("--level", Math.max((state.brightness ?? 100) / 100, dimmest));
    put(drawing, "d", shapes[condition]);
    const seen = isConcerned ? store.snapshot.panel.patterns[pattern]?.text ?? pattern : "off";
    const color = control.lamp?.style === "single" || control.lamp?.style === "per-option";
    const tint = color || seen === "off" || !state.color ? "" : `, ${state.color}`;
    put(element, "aria-label", `${name}: ${seen}${tint}`);
    put(element, "title", `${name}: ${seen}${tint}`);
    const moves = isConcerned && !isDark && !calm.matches && !store.isLampTest;
    move(moves ? shapeOf(state, isLit) : null);
  }

  calm.addEventListener("change", () => last && update(last));
  return { element, update };
}
