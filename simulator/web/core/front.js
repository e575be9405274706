// The front panel: its controls in their groups, and what is said of them as they change.

import { Plate } from "./faces.js";
import { draw, put, say, sheen } from "./draw.js";
import { failure, refusal, titleOf } from "./words.js";
import { Unit } from "./unit.js";
import { Remarks } from "./notes.js";
import { mountKeys } from "../parts/forms.js";
import { mountConfirm } from "./ask.js";
import { store } from "./store.js";
import { trayOf } from "../parts/tray.js";

const slow = 2_000; // milliseconds after which somebody is told that it takes time
const touches = ["pressed", "moved", "changed", "stepped"];

class Front {
  #units = new Map();
  #drawn = "";
  #phases = new Map();
  #waits = new Map();
  #status = draw("p.hidden", { role: "status" });
  #failure = draw("p.hidden", { role: "alert" });

  constructor(element) {
    this.element = element;
  }

  show(snapshot) {
    const wanted = JSON.stringify([snapshot.mode, snapshot.panel]);
    if (wanted !== this.#drawn) this.#rebuild(snapshot);
    else this.refresh();
    this.#drawn = wanted;
    this.follow(this.#units.keys(), true);
  }

  #rebuild({ mode, panel }) {
    const controls = panel.controls.filter(({ tray }) => !tray);
    const units = new Map(controls.map((control) => [control.id, new Unit(control)]));
    const { entries, element } = trayOf(panel.controls.filter(({ tray }) => tray));
    this.#units = new Map([...units, ...entries]);
    this.plate?.end();
    this.plate = new Plate(this.element, { ...panel, controls }, units);
    const remarks = new Remarks(units, this.plate.element);
    this.plate.placed = () => remarks.ask();
    const beside = [element, this.#status, this.#failure, sheen()].filter(Boolean);
    this.element.replaceChildren(this.plate.element, ...beside);
    put(this.element, "data-mode", mode);
    this.refresh();
    this.plate.fit();
    this.select();
  }

  select() {
    for (const [id, unit] of this.#units) {
      put(unit.element, "data-selected", id === store.selected || null);
    }
  }

  refresh() {
    this.#units.forEach((unit) => unit.update());
  }

  update(ids) {
    // The button of a form shows whether there is something to apply, and what is disabled says
    // what is missing.
    const all = new Set(ids.flatMap((id) => [id, store.control(id)?.apply]));
    for (const { control } of this.#units.values()) if (control.enabledWhen) all.add(control.id);
    for (const id of all) this.#units.get(id)?.update();
    this.follow(ids);
  }

  follow(ids, isQuiet = false) {
    for (const id of ids) {
      const phase = store.state(id)?.phase;
      if (!isQuiet) this.#announce(id, phase, this.#phases.get(id));
      this.#phases.set(id, phase);
    }
  }

  // What is slow is said after two seconds, its end always; of the control that was touched. What
  // failed is said of each.
  #announce(id, phase, was) {
    if (phase === was || (id !== store.selected && phase !== "failed")) return;
    const control = store.control(id);
    const tell = (words) => say(this.#status, `${control.label}: ${words}`);
    clearTimeout(this.#waits.get(id));
    if (phase === "loading") {
      this.#waits.set(id, setTimeout(() => tell("still working"), slow));
    } else if (phase === "idle" && was === "loading") {
      tell(titleOf(control, store.state(id).value) || "done");
    } else if (phase === "failed" && control.hasAction) {
      // What only follows others, such as a group, would hide why one of them failed.
      say(this.#failure, `${control.label} failed: ${failure(store.state(id))}`);
    }
  }

  takeEvents(events) {
    for (const event of events) {
      const unit = this.#units.get(event.control);
      if (event.event === "refused") unit?.complain(refusal(event.reason, unit.control));
      else if (touches.includes(event.event)) unit?.complain(null);
    }
  }

  // What an answer refused is said at its control.
  takeProblem({ control, title, detail }) {
    if (!control) return;
    const words = detail ? `${title}: ${detail}` : title;
    this.#units.get(control)?.complain(words);
    say(this.#failure, `${store.control(control).label}: ${words}`);
  }
}

// A finger hovers over nothing: what it has touched last shows all of itself.
function followTouches() {
  let last = null;
  let isFirst = false; // of the taps on it
  document.addEventListener("pointerdown", ({ target, pointerType }) => {
    const unit = pointerType === "mouse" ? null : target.closest(".unit");
    if (unit === last) return;
    put(last ?? document.body, "data-touched", null);
    last = unit;
    isFirst = unit !== null;
    if (unit) put(unit, "data-touched", "");
  }, true);
  // The tap that shows the buttons beside a knob turns nothing.
  document.addEventListener("click", (event) => {
    if (isFirst && event.target.closest(".nudge")) event.stopPropagation();
    isFirst = false;
  }, true);
}

export function mount(element) {
  const front = new Front(element);
  let wasTest = false;
  followTouches();
  mountConfirm();
  mountKeys(element);
  const on = (name, take) => store.addEventListener(name, ({ detail }) => take(detail));
  on("snapshot", (snapshot) => front.show(snapshot));
  on("state", (ids) => {
    front.update(ids);
    if (store.isLampTest !== wasTest) front.refresh();
    wasTest = store.isLampTest;
  });
  on("events", (events) => front.takeEvents(events));
  on("problem", (problem) => front.takeProblem(problem));
  on("connection", () => front.refresh());
  on("clock", () => front.refresh());
  on("simulation", () => front.refresh());
  on("select", () => front.select());
}
