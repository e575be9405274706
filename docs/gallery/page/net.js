// In place of the connection to a panel: the core itself, in this page. Nothing leaves the page.

import { store } from "./store.js";
import { Core } from "./core.js";
import { Hands } from "./hands.js";
import { eventOf, rawOf, stateOf, wordOfRefusal } from "./told.js";

const { core, panel } = window.gallery;
const { snapshot, wires, image } = panel;
const controls = snapshot.panel.controls;
const fromPage = 1; // the origin `web`
const outcomes = { succeed: [0], fail: [5, 1], lose: [3] };
const touches = ["pressed", "moved", "stepped"];
const shortest = 4; // milliseconds of a timer
const batch = 33; // milliseconds between two batches of events

const bytesOf = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));

// How simulated actions end from now on: `takes` in milliseconds, `then` a word of `outcomes` or
// `hang`.
export const actions = { takes: 800, then: "succeed" };

class Panel {
  #core = new Core(bytesOf(core), bytesOf(image));
  #began = performance.now();
  #planned = []; // changes that are due later: { at, change }
  #attempts = new Map(); // what an attempt waits for, by its run
  #devices = new Map(); // the value that each device has taken
  #outputs = new Map();
  #requests = new Map();
  #lastRequest = 0;
  #events = [];
  #seq = 0;
  #timer = 0;
  #told = 0; // when events were told last
  #reasons = new Map();
  #working = new Set(); // controls whose action is under way
  #ends = new Map(); // how the last action of each control ended
  #now = 0;
  #hands; // what touches the contacts
  #shown = new Map(); // the last state of each control, as text

  constructor() {
    store.transmit = (message) => this.#transmit(message);
    const edge = (at, line, isActive) => this.#give(at, "edge", line, isActive, 0);
    const plan = (at, change) => this.#wait(at, change);
    this.#hands = new Hands(wires, snapshot.state, plan, edge);
    for (const [line, isActive] of this.#hands.levels) this.#give(0, "reading", line, isActive);
    this.#give(0, "start");
    this.#tellAll();
    this.#sleep();
  }

  // Nanoseconds since the panel began.
  get #clock() {
    return Math.round((performance.now() - this.#began) * 1e6);
  }

  #wait(at, change) {
    this.#planned.push({ at, change });
    this.#planned.sort((one, other) => one.at - other.at);
  }

  // Plays what is due, each at its own moment, and sleeps until the next.
  #turn() {
    const now = this.#clock;
    for (;;) {
      const next = this.#planned[0]?.at ?? Infinity;
      const due = this.#core.deadline ?? Infinity;
      if (Math.min(next, due) > now) break;
      if (due < next) this.#give(due, "tick");
      else this.#planned.shift().change(next);
    }
    this.#tellState();
    this.#sleep();
  }

  #sleep() {
    clearTimeout(this.#timer);
    const next = Math.min(this.#planned[0]?.at ?? Infinity, this.#core.deadline ?? Infinity);
    const told = this.#events.length ? this.#told + batch - performance.now() : Infinity;
    const wait = Math.min((next - this.#clock) / 1e6, told);
    if (wait === Infinity) return;
    this.#timer = setTimeout(() => this.#turn(), Math.max(wait, shortest));
  }

  #give(at, name, ...fields) {
    this.#now = Math.max(this.#now, at);
    for (const effect of this.#core.handle(this.#now, name, ...fields)) this.#perform(effect);
  }

  #perform(effect) {
    const { at, tag, whose, numbers: [first, second] } = effect;
    switch (tag) {
      case 1: // read a line
        return this.#wait(at, (now) =>
          this.#give(now, "reading", whose, this.#hands.levels.get(whose) ?? false));
      case 2: // a lamp: the page draws it by its pattern
        return;
      case 3: // drive an output
        this.#outputs.set(whose, first !== 0);
        return this.#wait(at, (now) => this.#give(now, "outputWritten", whose, first));
      case 4: // start an attempt
        return this.#start(at, effect.rest.whose, first, second, whose);
      case 6: // cancel an attempt
        return void this.#attempts.delete(first);
      case 7: // the answer to a request
        return this.#answer(first, second);
    }
    const event = eventOf(effect, controls[whose], wires.controls[whose], wires.lines);
    if (!event) return;
    this.#note(whose, at, event);
    this.#events.push({ seq: this.#seq += 1, ...event });
  }

  // Keeps how an action ended, until it has been seen.
  #note(whose, at, { event, phase, reason = null, origin }) {
    const end = this.#ends.get(whose);
    if (event !== "phase") {
      const isAsked = event === "changed" && ["panel", "web"].includes(origin);
      if (end && (isAsked || touches.includes(event))) end.seen = true;
      return;
    }
    this.#reasons.set(whose, reason);
    if (phase === "pending" || phase === "loading") return void this.#working.add(whose);
    if (!this.#working.delete(whose) || !controls[whose].hasAction) return;
    const result = phase === "failed" ? "failed" : "ok";
    this.#ends.set(whose, { result, reason, program: null, at, seen: false });
  }

  #start(at, control, run, value, action) {
    const { takes, then } = actions;
    const isQuery = wires.controls[control].query === action;
    this.#attempts.set(run, control);
    this.#wait(at, (now) => this.#give(now, "actionStarted", control, run));
    if (then === "hang") return;
    this.#wait(at + takes * 1e6, (now) => {
      if (!this.#attempts.delete(run)) return;
      if (isQuery && then === "succeed") {
        const known = this.#devices.get(control) ?? this.#core.look(control).desired;
        return this.#give(now, "answered", control, run, { value: known });
      }
      if (then === "succeed") this.#devices.set(control, value);
      this.#give(now, "actionFinished", control, run, ...outcomes[then]);
    });
  }

  #answer(request, said) {
    const resolve = this.#requests.get(request);
    this.#requests.delete(request);
    if (said === 0) return resolve?.({});
    const title = said === 255 ? "There is no such control" : `Refused: ${wordOfRefusal(said - 1)}`;
    resolve?.({ problem: { title } });
  }

  async #transmit(message) {
    const place = controls.findIndex(({ id }) => id === message.control);
    const answer = await this.#take(message, place);
    this.#turn();
    return answer;
  }

  #take(message, place) {
    const now = Math.max(this.#clock, this.#now);
    switch (message.type) {
      case "gesture": {
        if (place < 0) return { problem: { title: "The gallery has no faults of lines" } };
        const value = this.#places(place, message.value);
        const title = this.#hands.play(place, { ...message, value }, now);
        return title ? { problem: { title } } : {};
      }
      case "set": return this.#request(now, "intent", place, message.value);
      case "fire": return this.#request(now, "fire", place, message.value);
      case "resync":
        this.#give(now, "resync");
        return {};
      case "lamp-test":
        this.#give(now, "lampTest", message.on);
        return {};
      case "ping": case "trace": return {};
      default: return { problem: { title: "The gallery cannot do this" } };
    }
  }

  // A position or a button may be named by its word.
  #places(place, value) {
    if (typeof value !== "string") return value;
    const { buttons, values } = controls[place];
    if (["open", "shut"].includes(value)) return value;
    return Math.max(buttons.indexOf(value), values.indexOf(value));
  }

  #request(now, name, place, value) {
    const wire = wires.controls[place];
    if (wire.needsConfirmation) {
      return { problem: { title: "It has to be confirmed", detail: "operate the part itself" } };
    }
    const isEvent = name === "fire";
    const raw = value === undefined ? 1
      : isEvent ? controls[place].values.indexOf(value) : rawOf(value, controls[place], wire);
    if (raw === null) return { problem: { title: "There is no such value" } };
    const request = this.#lastRequest += 1;
    return new Promise((resolve) => {
      this.#requests.set(request, resolve);
      const confirmed = isEvent ? [false] : [];
      this.#give(now, name, place, { value: raw }, fromPage, ...confirmed, request);
    });
  }

  // What the page is told.

  #state(place) {
    const wire = wires.controls[place];
    const outputs = wire.outputs.filter((line) => this.#outputs.get(line));
    const dimmer = wires.dimmer === null ? 100 : this.#core.look(wires.dimmer).desired;
    return stateOf(this.#core.look(place), controls[place], wire, {
      reason: this.#reasons.get(place) ?? null, end: this.#ends.get(place) ?? null, stands: this.#hands.stands(place), dimmer,
      outputs: outputs.map((line) => wires.lines[line]),
    });
  }

  #states(onlyChanged) {
    const all = controls.map(({ id }, place) => [id, this.#state(place)]);
    const told = all.filter(([id, state]) => {
      const text = JSON.stringify(state);
      if (onlyChanged && this.#shown.get(id) === text) return false;
      this.#shown.set(id, text);
      return true;
    });
    return Object.fromEntries(told);
  }

  #tellAll() {
    const state = this.#states(false);
    const clock = { running: true, rate: 1 };
    store.receive({ ...snapshot, type: "snapshot", at: this.#now, seq: this.#seq, state, clock });
  }

  #tellState() {
    const state = this.#states(true);
    const at = this.#clock;
    if (Object.keys(state).length) store.receive({ type: "state", at, state });
    if (!this.#events.length || performance.now() < this.#told + batch) return;
    store.receive({ type: "events", events: this.#events });
    this.#events = [];
    this.#told = performance.now();
  }
}

export const connect = () => new Panel();
