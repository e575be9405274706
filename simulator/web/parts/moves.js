// How one moves through a list: with the hand that turns and pushes the simulated part, or on real
// lines on the page alone, which asks for what was chosen.

import { ask, gesture } from "../core/ask.js";
import { store } from "../core/store.js";
import { turner } from "./turns.js";
import { wish } from "./act.js";

// Longer than the time at which a push counts as held.
const long = { for: "700ms" };
const longestWait = 10_000; // milliseconds for an item to get the focus

// Resolves when the core has given an item the focus; false where it does not come to that.
function focused(id, word) {
  return new Promise((resolve) => {
    const look = () => {
      if (store.state(id).focus === word) done(true);
    };
    const timer = setTimeout(() => done(false), longestWait);
    function done(isThere) {
      clearTimeout(timer);
      store.removeEventListener("state", look);
      resolve(isThere);
    }
    store.addEventListener("state", look);
    look();
  });
}

// The gestures that a kind of hardware has for a list; null where it has none.
function hardware(control, turn) {
  const click = (value) => [["click", { value }]];
  switch (control.part) {
    case "encoder": {
      const hasPush = control.buttons.length > 0;
      return {
        push: {},
        open: hasPush ? [["click", {}]] : null,
        choose: hasPush ? [["click", {}]] : null,
        back: hasPush ? [["hold", long]] : null,
        step: turn,
      };
    }
    case "buttons": {
      const send = (verb, more) => gesture(control, verb, more);
      return {
        push: { value: "select" },
        open: click("select"),
        choose: click("select"),
        back: control.buttons.includes("back") ? click("back") : null,
        step: (steps) => {
          const value = steps > 0 ? "down" : "up";
          for (let left = Math.abs(steps); left > 0; left -= 1) send("click", { value });
        },
      };
    }
    default:
      // One button: a click goes on, from the last item to the first; holding it chooses.
      return {
        push: {},
        open: control.look === "menu" ? [["hold", long]] : [["click", {}]],
        choose: [["hold", long]],
        back: null,
        step: (steps, count) => {
          for (let left = ((steps % count) + count) % count; left > 0; left -= 1) {
            gesture(control, "click");
          }
        },
      };
  }
}

// The place that so many steps lead to: one button goes round, all others are held at the ends.
function stepped(level, here, steps, goesRound) {
  const wanted = level.indexOf(here) + steps;
  const count = level.length;
  if (goesRound) return level[((wanted % count) + count) % count] ?? null;
  return level[Math.min(Math.max(wanted, 0), count - 1)] ?? null;
}

export class HandMoves {
  // The focus that this hand is on its way to; undefined while there is none.
  #ahead;
  #way = [];
  // The place that the moves so far lead to, so that the next one counts from there.
  #aim = null;
  // How often the list was closed: what waits for an item is given up then.
  #closings = 0;
  changed = () => {};

  constructor(unit, items, drawn) {
    this.unit = unit;
    this.items = items;
    this.control = unit.control;
    this.hardware = hardware(unit.control, turner(unit, drawn));
    this.opens = ["pop-up", "menu"].includes(unit.control.look);
    this.isOneButton = !["encoder", "buttons"].includes(unit.control.part);
    // Whether a finger on the readout is one on the push button.
    this.holdsPush = !this.isOneButton && this.hardware.open !== null;
    this.holdsKeys = this.hardware.choose !== null;
    this.push = this.hardware.push;
  }

  update(state) {
    const place = this.items.place(state.focus);
    if (place === this.#aim || state.focus === null) this.#aim = null;
    if (this.#ahead === undefined) return;
    const isThere = state.focus === this.#ahead;
    if (isThere || !this.#way.includes(state.focus)) this.#ahead = undefined;
  }

  focus(state) {
    return this.#ahead === undefined ? state.focus : this.#ahead;
  }

  place(state) {
    return this.#aim ?? this.items.place(this.focus(state) ?? state.value);
  }

  // A push of the knob.
  async click() {
    return (await this.arrived()) && gesture(this.control, "click", this.push);
  }

  // Resolves when the moves so far were played; false where the focus did not get there.
  async arrived() {
    return this.#aim === null || this.#focused(this.#aim);
  }

  async #focused(place) {
    const closings = this.#closings;
    const isThere = await focused(this.control.id, this.control.values[place]);
    return isThere && closings === this.#closings;
  }

  move(steps) {
    if (!this.unit.isFree()) return;
    const state = this.unit.state();
    const here = this.place(state);
    const level = this.items.level(here);
    // A turn of a shut list leads nowhere.
    const isShut = this.opens && state.focus === null;
    this.#aim = isShut ? null : stepped(level, here, steps, this.isOneButton);
    this.hardware.step(steps, level.length);
  }

  async turnTo(place) {
    const here = this.place(this.unit.state());
    if (here !== place) {
      const level = this.items.level(here);
      this.move(level.indexOf(place) - level.indexOf(here));
    }
    return this.#focused(place);
  }

  async choose(place) {
    if (await this.turnTo(place)) await this.#play(this.hardware.choose);
  }

  async open(atEnd = false) {
    if (!(await this.#play(this.hardware.open)) || !atEnd) return;
    const places = this.items.under(null);
    if (await this.#focused(places[0])) this.move(places.length - 1);
  }

  // To a neighbour, which gives up what is being confirmed.
  async away() {
    const here = this.place(this.unit.state());
    const level = this.items.level(here);
    this.move(level.indexOf(here) > 0 || this.isOneButton ? -1 : 1);
  }

  // One level up. From the first, and where the part has no way back, it closes.
  back() {
    const above = this.items.parent(this.items.place(this.focus(this.unit.state())));
    if (above === null || this.hardware.back === null) return this.close();
    return this.#goUp(this.control.values[above]);
  }

  // What is hidden here is closed in the panel, too: the next press would choose unseen.
  async close() {
    this.#closings += 1;
    this.#ahead = undefined;
    this.#aim = null;
    if (this.unit.isFree()) await ask({ type: "close", control: this.control.id });
  }

  async #goUp(target) {
    this.#way = [this.unit.state().focus];
    this.#ahead = target;
    this.#aim = null;
    this.changed();
    if ((await this.#stepOff()) && (await this.#play(this.hardware.back))) return;
    this.#ahead = undefined;
    this.changed();
  }

  // A held push of a knob on an item that is confirmed by its press would confirm it. So the hand
  // turns to another item first; false where there is none.
  async #stepOff() {
    const here = this.items.place(this.unit.state().focus);
    if (this.control.part !== "encoder" || this.items.confirm(here) === null) return true;
    const level = this.items.level(here);
    const isSafe = (place) => this.items.confirm(place) === null;
    const [safe] = level.filter(isSafe)
      .sort((one, other) => Math.abs(one - here) - Math.abs(other - here));
    if (safe === undefined) return false;
    this.#way.push(this.control.values[safe]);
    for (const place of level) this.#way.push(this.control.values[place]);
    this.hardware.step(level.indexOf(safe) - level.indexOf(here), level.length);
    return this.#focused(safe);
  }

  async #play(gestures) {
    if (gestures === null || !this.unit.isFree()) return false;
    for (const [verb, more] of gestures) {
      if (!(await gesture(this.control, verb, more))) return false;
    }
    return true;
  }
}

export class RequestMoves {
  #focus = null;
  holdsPush = false;
  holdsKeys = false;
  push = {};
  changed = () => {};

  constructor(unit, items) {
    this.unit = unit;
    this.items = items;
    this.control = unit.control;
  }

  update() {}

  focus() {
    return this.#focus === null ? null : this.control.values[this.#focus];
  }

  place(state) {
    return this.#focus ?? this.items.place(state.value);
  }

  #show(place) {
    this.#focus = place;
    this.changed();
  }

  move(steps) {
    const here = this.place(this.unit.state());
    const level = this.items.level(here);
    this.#show(stepped(level, here, steps, false));
  }

  async turnTo(place) {
    this.#show(place);
    return true;
  }

  async choose(place) {
    if (this.items.isSubmenu(place)) return this.#show(this.items.under(place)[0]);
    const request = wish(this.control, this.unit.state(), place);
    const above = this.items.parent(place);
    if (this.items.confirm(place) === null) {
      this.#show(above);
      return void ask(request);
    }
    this.#show(place);
    const isDone = await ask(request, () => this.isMeant(place));
    if (isDone && this.#focus === place) this.#show(above);
  }

  async open(atEnd = false) {
    const places = this.items.under(null);
    const chosen = this.items.place(this.unit.state().value);
    this.#show(atEnd ? places.at(-1) : chosen ?? places[0]);
  }

  async back() {
    this.#show(this.#focus === null ? null : this.items.parent(this.#focus));
  }

  async close() {
    this.#show(null);
  }
}
