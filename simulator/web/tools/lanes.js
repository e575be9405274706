// Lanes of edges over time, what can be measured on them, and the lanes of this panel.

import { store } from "../core/store.js";
import { words } from "./tools.js";

/** No level is known from such an edge on. */
export const unknown = 0xffffffff;

const most = 65_536; // edges kept
const quiet = 20e6; // nanoseconds without an edge that end a burst

export class Lane {
  /** @param kind `bit` of levels 0 and 1, `bus` of words, `span` of an action's phases */
  constructor(name, kind, weight = 1) {
    Object.assign(this, { name, kind, weight });
    this.clear();
  }

  clear() {
    this.start = this.count = 0;
    /** How many bursts there were, how long the longest lasted, and how long it rested within one. */
    this.bursts = this.worst = this.rest = 0;
    this.burstFrom = null;
    this.resize(256);
  }

  resize(size) {
    const times = new Float64Array(size);
    const levels = new Uint32Array(size);
    const words = [];
    for (let index = 0; index < this.count; index++) {
      times[index] = this.time(index);
      levels[index] = this.level(index);
      words[index] = this.word(index);
    }
    Object.assign(this, { times, levels, words, mask: size - 1, start: 0 });
  }

  /** The moment of an edge, by its place from the oldest. */
  time(index) {
    return this.times[(this.start + index) & this.mask];
  }

  /** The level from an edge on; before the first nothing is known. */
  level(index) {
    return index < 0 ? unknown : this.levels[(this.start + index) & this.mask];
  }

  /** Adds a level, or a word; one that is no change adds nothing. */
  push(at, value) {
    const isWord = typeof value === "string";
    const level = isWord ? 1 : value;
    const { count } = this;
    if (level === this.level(count - 1) && (!isWord || value === this.last)) return;
    this.#measure(at, level);
    if (count > this.mask) {
      if (count < most) this.resize(2 * count);
      else {
        this.start = (this.start + 1) & this.mask;
        this.count--;
      }
    }
    const place = (this.start + this.count) & this.mask;
    this.times[place] = count ? Math.max(at, this.time(this.count - 1)) : at;
    this.levels[place] = level;
    if (isWord) this.words[place] = value;
    this.count++;
  }

  // Counts bursts as they come: to look for them again takes long where there are many edges.
  #measure(at, level) {
    const last = this.count - 1;
    if (level === unknown || this.level(last) === unknown) {
      this.burstFrom = null;
      return;
    }
    if (this.burstFrom === null || at - this.time(last) > quiet) {
      this.burstFrom = at;
      this.bursts++;
    } else this.rest = Math.max(this.rest, at - this.time(last));
    this.worst = Math.max(this.worst, at - this.burstFrom);
  }

  /** How many edges are at a moment or before it. */
  until(at) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first edge after `index` that is not before a moment which is near. */
  skip(index, at) {
    let step = 1;
    while (index + step < this.count && this.time(index + step) < at) step *= 2;
    let low = index + (step >> 1);
    let high = Math.min(index + step, this.count);
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < at) low = middle;
      else high = middle;
    }
    return high;
  }

  /** What there is from an edge on, in words. */
  word(index) {
    const level = this.level(index);
    if (level === unknown) return "unknown";
    if (this.kind === "bit") return level ? "active" : "inactive";
    return this.words[(this.start + index) & this.mask];
  }

  /** What there is now. */
  get last() {
    return this.word(this.count - 1);
  }

  /** The edges around one that follow each other without a rest. */
  burst(index) {
    const joined = (later) =>
      this.time(later) - this.time(later - 1) <= quiet && this.level(later - 1) !== unknown;
    let first = index;
    let last = index;
    while (this.level(first - 2) !== unknown && joined(first)) first--;
    while (last + 1 < this.count && this.level(last + 1) !== unknown && joined(last + 1)) last++;
    const from = this.time(first);
    const to = this.time(last);
    return { first, last, from, to, edges: last - first + 1, width: to - from };
  }

  /** The burst nearest to a moment; null on a lane without edges. */
  burstAt(at) {
    const next = this.until(at);
    let index = next - 1;
    if (index < 1 || (next < this.count && this.time(next) - at < at - this.time(index))) {
      index = next;
    }
    if (index >= this.count || this.level(index) === unknown) index = next - 1;
    // The level at the start, or after a gap, is no edge.
    return index < 1 || this.level(index - 1) === unknown ? null : this.burst(index);
  }
}

/** The lanes of lines and controls, by names of their own. */
class Lanes extends Map {
  /** Up to where something is known. */
  until = 0;
  #waved = 0; // the same of lines
  #traced = [];

  #lane(key, name, kind, weight) {
    if (!this.has(key)) this.set(key, new Lane(name, kind, weight));
    return this.get(key);
  }

  raw = (line, use = "raw") => this.#lane(`raw ${line}`, `${line} ${use}`, "bit");
  contact = (line) => this.#lane(`contact ${line}`, `${line} debounced`, "bit", 2);
  value = (control) => this.#lane(`value ${control.id}`, `${control.label} value`, "bus");
  action = (control) => this.#lane(`action ${control.id}`, `${control.label} action`, "span");

  /** Those of a control, in the order in which a change goes through the panel. */
  of(control) {
    const lanes = [];
    const driven = [];
    for (const { name, use } of control.lines) {
      if (use === "contact") lanes.push(this.raw(name), this.contact(name));
      else driven.push(this.raw(name, use));
    }
    if (control.values.length || control.range) lanes.push(this.value(control));
    if (control.hasAction) lanes.push(this.action(control));
    return [...lanes, ...driven];
  }

  /** Takes what the panel says of itself; what was known of another session is forgotten. */
  takeSnapshot({ at, panel, state }, isNew) {
    for (const lane of this.values()) {
      if (isNew) lane.clear();
      else lane.push(lane.kind === "bit" ? this.#waved : this.until, unknown);
    }
    for (const control of panel.controls) {
      const { value, phase, reason } = state[control.id];
      this.value(control).push(at, words(value, control));
      this.#takePhase(control, at, phase, reason);
    }
    this.until = at;
    if (isNew) this.#waved = 0;
  }

  #takePhase(control, at, phase, reason) {
    const lane = this.action(control);
    const ends = /pending|loading/.test(lane.last);
    if (phase === "failed" || reason) lane.push(at, `✕ ${reason ?? phase}`);
    else if (phase !== "idle") lane.push(at, phase);
    else lane.push(at, ends ? "✓ ok" : "");
  }

  takeEvents(events) {
    for (const { at, control, event, value, phase, reason } of events) {
      const own = store.control(control);
      if (!own) continue;
      if (event === "changed") this.value(own).push(at, words(value, own));
      if (event === "phase") this.#takePhase(own, at, phase, reason);
      this.until = Math.max(this.until, at);
    }
  }

  takeWaves({ until, lines }) {
    for (const { name, gap, ...edges } of lines) {
      if (!this.#traced.includes(name)) continue;
      for (const key of ["raw", "contact"]) {
        const lane = this.get(`${key} ${name}`);
        if (gap) lane?.push(this.#waved, unknown);
        for (const [at, level] of edges[key]) lane?.push(at, level);
      }
    }
    this.#waved = until;
    this.until = Math.max(this.until, until);
  }

  /** Asks for the lines of some controls, and for as many contacts of the others as one may, so
   * that a first touch is known as well; what is left is not known from now on. */
  trace(controls) {
    const shown = controls.flatMap(({ lines }) => lines.map(({ name }) => name));
    const others = (store.snapshot?.panel.controls ?? []).flatMap(({ lines }) => lines)
      .filter(({ name, use }) => use === "contact" && !shown.includes(name))
      .map(({ name }) => name).slice(0, Math.max(0, 64 - shown.length));
    for (const name of others) {
      this.raw(name);
      this.contact(name);
    }
    const lines = [...shown, ...others].slice(0, 64);
    for (const name of this.#traced) {
      if (lines.includes(name)) continue;
      for (const key of ["raw", "contact"]) this.get(`${key} ${name}`)?.push(this.#waved, unknown);
    }
    this.#traced = lines;
    if (store.connected) store.send({ type: "trace", lines });
  }

  /** Asks again after a connection was lost: of the time between nothing is known. */
  resume() {
    for (const lane of this.values()) if (lane.kind === "bit") lane.push(this.#waved, unknown);
    if (this.#traced.length) store.send({ type: "trace", lines: this.#traced });
  }
}

export const lanes = new Lanes();
