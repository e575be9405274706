// The front panel: its groups as faces, their rows, and in them a unit for each control.

import { mountConfirm } from "./ask.js";
import { cap, cover, lampsOf, nothing, parent, row, threeWay, twoWay } from "./kinds.js";
import { dial, selector } from "./turns.js";
import { draw, put, say, sheen } from "./draw.js";
import { test } from "./lamp.js";
import { list } from "./menus.js";
import { refusal, remarks, titleOf } from "./words.js";

let remote; // On real lines alone, where parts are asked and not touched.
const choices = ["radio-group", "segmented"];
const twoValued = ["switch", "toggle-button", "checkbox", "checkbox-group", "indicator"];

function maker(control) {
  switch (control.kind) {
    case "three-way":
      return threeWay;
    case "dial":
      return dial;
    case "pop-up":
    case "pull-down":
      return list;
    case "form":
    case "indicator":
      return nothing;
  }
  if (choices.includes(control.kind)) {
    return { selector, encoder: list, buttons: row }[control.part] ?? row;
  }
  if (control.part === "lever") return twoWay;
  if (control.part === "none") return control.kind === "checkbox-group" ? parent : nothing;
  return cap;
}

// One control: its label, lamp, part, value and remarks.
function makeUnit(control, store) {
  const key = `c-${control.id}`;
  const isSimulated = store.snapshot.mode === "simulated";
  const unit = {
    control,
    isSimulated,
    labelID: `${key}-label`,
    notesID: `${key}-notes`,
    lamps: lampsOf(control),
    isConnected: () => store.connected,
    isFree: () => store.connected && !part.isShut,
  };
  let part = { element: null, update() {} };
  part = maker(control)(unit);
  if (control.cover && isSimulated && part.element) part = cover(unit, part);
  const outside = isSimulated ? null : remote(unit);
  if (!isSimulated && part.element) {
    part.element.inert = true;
    put(part.element, "aria-hidden", true);
  }

  const label = draw("span.label", { id: unit.labelID, text: control.label });
  const value = draw("span.value", { "aria-hidden": "true" });
  const notes = draw("span.notes", { id: unit.notesID });
  const look = part.look ?? "plain";
  const lights = unit.lamps.map((each) => each.element);
  const loose = lights.filter((light) => !part.element?.contains(light));
  const isBeside = ["lever", "small", "lamp"].includes(look);
  const element = draw(
    "div.unit", { id: key, "data-kind": control.kind, "data-look": look },
    draw(
      "div.words", {},
      ...loose, draw("div.says", {}, label, value, isBeside ? notes : null)),
    part.element, isBeside ? null : notes, outside && draw("div.remote", {}, outside.element));
  if (look === "wide") element.classList.add("wide");
  // A cap is written upon, and a menu's title stands in its window; a cover would hide either.
  const isWritten =
    look === "cap" ? !part.isShut : control.kind === "pull-down" && isSimulated;
  if (isWritten) label.classList.add("hidden");
  element.addEventListener("focusin", () => store.select(control.id));
  element.addEventListener("pointerdown", () => store.select(control.id));

  let refused = null;
  const disabled = element.querySelectorAll("button,input,select,[tabindex]");

  function update() {
    const state = store.state(control.id);
    if (!state) return;
    part.update(state);
    outside?.update(state);
    unit.lamps.forEach((each) => each.update(state));
    const isShown = part.look !== "readout" && control.kind !== "form";
    const shown = isShown ? titleOf(control, state.value) : "";
    const glyph = { on: "●", off: "○", mixed: "◐" }[state.value];
    say(value, twoValued.includes(control.kind) && glyph ? `${glyph} ${shown}` : shown);
    put(element, "data-waits", state.staged === null ? null : "");
    const off = state.flags.includes("disabled") || !store.connected || part.isShut;
    put(element, "data-disabled", off || null);
    for (const each of disabled) {
      const isLid = each.matches(".lid");
      put(each, "aria-disabled", (isLid ? !store.connected : off) ? "true" : null);
    }
    const said = remarks(control, state);
    if (refused) said.unshift(["⊘", refused]);
    if (part.isShut) said.push(["–", "Its cover is shut"]);
    const lines = said.map(([sign, words]) => `${sign} ${words}`);
    if (lines.join() === [...notes.children].map((each) => each.textContent).join()) return;
    notes.replaceChildren(...said.map(([sign, words]) => draw(
      "span.note", { "data-sign": sign },
      draw("span", { text: sign, "aria-hidden": "true" }), ` ${words}`)));
  }

  return {
    element,
    update,
    refuse(reason) {
      refused = reason;
      update();
    },
  };
}

// Groups in the order of their first control, rows in theirs; members of a checkbox group stand
// indented under it where they share its group.
function arrange(controls, units, panelName) {
  const faces = new Map();
  const isUnder = (control) => {
    const above = controls.find((each) => each.id === control.parent);
    return above && above.group === control.group;
  };
  for (const control of controls) {
    if (isUnder(control)) continue;
    if (!faces.has(control.group)) faces.set(control.group, new Map());
    const rows = faces.get(control.group);
    if (!rows.has(control.row)) rows.set(control.row, []);
    rows.get(control.row).push(branch(control));
  }

  function branch(control) {
    const { element } = units.get(control.id);
    const under = controls.filter((each) => each.parent === control.id && isUnder(each));
    if (!under.length) return element;
    return draw(
      "div.branch.wide", { role: "group", "aria-labelledby": `c-${control.id}-label` }, element,
      draw("div.under", {}, ...under.map(branch)));
  }

  return [...faces].map(([group, rows], place) => {
    const id = `face-${place}`;
    const sorted = [...rows].sort(([one], [other]) => one - other).map(([, cells]) => cells);
    const weight = (cells) =>
      cells.reduce((sum, each) => sum + (each.matches(".wide") ? 3 : 2), 0);
    const face = draw(
      "section.face", { "aria-labelledby": id },
      draw("h2", { id, text: group ?? panelName }),
      ...sorted.map((cells) => draw("div.row", {}, ...cells)));
    face.style.setProperty("--tracks", Math.min(Math.max(...sorted.map(weight)), 12));
    return face;
  });
}

export function mount(element, store) {
  let units = new Map();
  let drawn = "";
  const status = draw("p.hidden", { role: "status" });
  const waits = new Map();
  mountConfirm();

  function rebuild({ mode, panel }) {
    units = new Map();
    for (const control of panel.controls) units.set(control.id, makeUnit(control, store));
    element.replaceChildren(
      draw("div.faces", {}, ...arrange(panel.controls, units, panel.name)), status, sheen());
    put(element, "data-mode", mode);
    select();
  }

  function select() {
    for (const [id, unit] of units) {
      put(unit.element, "data-selected", id === store.selected || null);
    }
  }

  const refresh = () => units.forEach((unit) => unit.update());

  function lookForTest() {
    const state = store.state(store.snapshot?.panel.lampTest);
    test.isOn = state?.value === "on" || (state?.value === null && state.pressed.length > 0);
  }

  // What is slow is said after two seconds, its end always; of the control that somebody touched.
  function announce(id, phase, was) {
    if (phase === was || (id !== store.selected && phase !== "failed")) return;
    const control = store.control(id);
    const tell = (words) => say(status, `${control.label}: ${words}`);
    clearTimeout(waits.get(id));
    if (phase === "loading") {
      waits.set(id, setTimeout(() => tell("takes its time"), 2_000));
    } else if (phase === "idle" && was === "loading") {
      tell(titleOf(control, store.state(id).value) || "done");
    } else if (phase === "failed" && control.hasAction) {
      // What only follows others, such as a group, would hide why one of them failed.
      const detail = store.state(id).reason ?? "no reason given";
      store.tell("problem", { title: `${control.label} failed`, detail });
    }
  }

  const phases = new Map();
  function follow(ids, isQuiet = false) {
    for (const id of ids) {
      const phase = store.state(id)?.phase;
      if (!isQuiet) announce(id, phase, phases.get(id));
      phases.set(id, phase);
    }
  }

  store.addEventListener("snapshot", async ({ detail }) => {
    if (detail.mode !== "simulated") ({ remote } = await import("./remote.js"));
    const wanted = JSON.stringify([detail.mode, detail.panel]);
    if (wanted !== drawn) rebuild(detail);
    drawn = wanted;
    lookForTest();
    refresh();
    follow(units.keys(), true);
  });
  store.addEventListener("state", ({ detail }) => {
    const wasTest = test.isOn;
    lookForTest();
    if (test.isOn === wasTest) for (const id of detail) units.get(id)?.update();
    else refresh();
    follow(detail);
  });
  store.addEventListener("events", ({ detail }) => {
    for (const event of detail) {
      const unit = units.get(event.control);
      if (event.event === "refused") unit?.refuse(refusal(event.reason));
      else if (["pressed", "moved", "changed", "stepped"].includes(event.event)) unit?.refuse(null);
    }
  });
  store.addEventListener("connection", refresh);
  store.addEventListener("clock", refresh);
  store.addEventListener("select", select);
}
