// Lists behind one part: pop-ups, pull-downs, and choices on an encoder. The core says what is open
// and what has the focus; turning and pressing is all that happens here.

import { gesture } from "./ask.js";
import { busy, press, spoken } from "./kinds.js";
import { caption, draw, knob, put, say, symbol, warning } from "./draw.js";
import { drag, finger, wheel } from "./press.js";
import { nudges, turner } from "./turns.js";
import { store } from "./store.js";
import { titleOf } from "./words.js";

const long = { for: "700ms" };

// How a hand moves through the list of a part.
function navigator(unit, drawn) {
  const { control } = unit;
  const free = (act) => (...given) => unit.isFree() && act(...given);
  if (control.part === "encoder") {
    return {
      push: {},
      next: turner(unit, drawn),
      back: free(() => gesture(control, "hold", long)),
    };
  }
  if (control.part === "buttons") {
    const has = (word) => control.buttons.includes(word);
    return {
      push: { value: "select" },
      next: free(async (steps) => {
        const value = steps > 0 ? "down" : "up";
        for (let left = Math.abs(steps); left > 0; left -= 1) {
          await gesture(control, "click", { value });
        }
      }),
      back: free(() => has("back")
        ? gesture(control, "click", { value: "back" })
        : gesture(control, "hold", { value: "select", ...long })),
    };
  }
  // One button: a click goes on, from the last to the first; holding it chooses.
  return {
    push: {},
    isOneButton: true,
    next: free(async (steps, count) => {
      for (let left = ((steps % count) + count) % count; left > 0; left -= 1) {
        await gesture(control, "click");
      }
    }),
    back: () => {},
  };
}

// Resolves when the core has given an item the focus; soon, or not at all.
function focused(id, word) {
  return new Promise((resolve) => {
    const look = () => {
      if (store.state(id).focus !== word) return;
      done(true);
    };
    const timer = setTimeout(() => done(false), 2_000);
    function done(isThere) {
      clearTimeout(timer);
      store.removeEventListener("state", look);
      resolve(isThere);
    }
    store.addEventListener("state", look);
    look();
  });
}

// The parts around a list: a knob to turn and push, or a few buttons.
function handles(unit, hardware, drawn, downs) {
  const { control } = unit;
  if (control.part === "encoder") {
    const grip = draw("div.turns", { "aria-hidden": "true" }, drawn);
    drag(grip, {
      pixels: 14,
      step: hardware.next,
      end: (event, isMoved) => {
        const isPush = event.type === "pointerup" && !isMoved && control.buttons.length;
        if (isPush && unit.isFree()) gesture(control, "click", hardware.push);
      },
    });
    wheel(grip, (steps) => hardware.next(-steps));
    return [grip, draw("div.nudges", {}, ...nudges(hardware.next))];
  }
  if (control.part === "buttons") {
    const signs = { up: "up", down: "down", select: "check", back: "cross" };
    return [draw("div.nudges", {}, ...control.buttons.map((word, place) => {
      const element = draw(
        "button.cap.small",
        { type: "button", tabindex: -1, "aria-label": `${control.label}: ${word}` },
        symbol(signs[word]) ?? caption(word));
      downs.push(press(unit, element, place, { value: word }));
      return element;
    }))];
  }
  return [];
}

export function list(unit) {
  const { control } = unit;
  const isMenu = control.kind === "pull-down";
  const isAlwaysOpen = !isMenu && control.kind !== "pop-up";
  const drawn = knob([], true);
  const hardware = navigator(unit, drawn);
  const listID = `${unit.labelID}-list`;
  const downs = [];
  let last = null;

  const text = draw("span.chosen");
  const front = draw(
    isMenu ? "button.readout.menu" : "div.readout",
    isMenu
      ? { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", ...spoken(unit) }
      : {
        role: "combobox", tabindex: 0, "aria-haspopup": "listbox", "aria-expanded": "false",
        "aria-controls": listID, ...spoken(unit),
      },
    isMenu ? unit.lamps[0]?.element : null, text, symbol("down"));
  downs.push(press(unit, front, Math.max(control.buttons.indexOf("select"), 0), hardware.push));

  const parentOf = (place) => control.items?.[place]?.parent ?? null;
  const isSub = (place) => parentOf(place) !== null;
  // The items of the menu that the focus is in.
  const level = () => {
    const focus = control.values.indexOf(last?.focus);
    const above = focus < 0 ? null : parentOf(focus);
    return control.values.map((word, place) => place).filter((place) => parentOf(place) === above);
  };
  const move = (steps) => hardware.next(steps, level().length);
  async function turnTo(place) {
    const places = level();
    const word = control.values[place];
    if (last.focus === word) return true;
    const from = control.values.indexOf(last.focus ?? last.value);
    move(places.indexOf(place) - places.indexOf(from));
    return focused(control.id, word);
  }

  const options = control.values.map((word, place) => {
    const item = control.items?.[place];
    const element = draw(
      "li.option",
      { role: isMenu ? "menuitem" : "option", id: `${listID}-${place}`, "data-role": item?.role },
      draw("span", { text: control.titles[place] ?? word }));
    if (control.symbols[place]) element.prepend(caption("", control.symbols[place]));
    if (item?.role === "destructive") element.append(warning());
    choose(element, place);
    return element;
  });

  // A press on an item turns to it and pushes, for as long as the finger stays.
  function choose(element, place) {
    let isDown = false;
    let isPushed = false;
    const push = (verb) => gesture(control, verb, hardware.push);
    finger(element, {
      down: async () => {
        if (!unit.isFree()) return;
        isDown = true;
        if (hardware.isOneButton || (control.part === "encoder" && !control.buttons.length)) {
          if (await turnTo(place) && hardware.isOneButton) gesture(control, "hold", long);
          return;
        }
        if (!(await turnTo(place))) return;
        if (!isDown) return void push("click");
        isPushed = true;
        push("press");
      },
      up: () => {
        isDown = false;
        if (isPushed) push("release");
        isPushed = false;
      },
      click: async () => unit.isFree() && (await turnTo(place)) && push("click"),
    });
  }

  const above = draw("li.above", { role: "presentation" });
  const listing = draw(
    "ul.listing",
    { role: isMenu ? "menu" : "listbox", id: listID, "aria-labelledby": unit.labelID },
    above, ...options);
  if (isMenu) put(listing, "tabindex", -1);
  if (isMenu) downs.push(press(unit, listing, -1, hardware.push));

  function navigate(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || last === null) return;
    const places = level();
    const here = Math.max(places.indexOf(control.values.indexOf(last.focus ?? last.value)), 0);
    const isOpen = last.focus !== null || isAlwaysOpen;
    const steps = {
      ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1,
      Home: -here, End: places.length - 1 - here,
    }[event.key];
    if (steps !== undefined) {
      if (isOpen && steps !== 0) move(steps);
      if (!isOpen && unit.isFree()) open(event.key);
    } else if (event.key === "Escape" && isOpen) {
      hardware.back();
    } else if (event.key.length === 1 && event.key !== " " && isOpen) {
      const after = [...places.slice(here + 1), ...places.slice(0, here + 1)];
      const wanted = after.find((place) =>
        titleOf(control, control.values[place]).toLowerCase().startsWith(event.key.toLowerCase()));
      if (wanted !== undefined) turnTo(wanted);
    } else {
      return;
    }
    event.preventDefault();
  }

  async function open(key) {
    const verb = hardware.isOneButton ? ["hold", long] : ["click", hardware.push];
    if (!(await gesture(control, ...verb)) || key !== "ArrowUp" || !isMenu) return;
    const places = level();
    if (await focused(control.id, control.values[places[0]])) move(places.length - 1);
  }

  front.addEventListener("keydown", navigate);
  listing.addEventListener("keydown", navigate);
  const element = draw(
    "div.part.encoder", {},
    draw("div.screen", {}, front, listing), ...handles(unit, hardware, drawn, downs));

  function showOptions(state, value) {
    const focus = control.values.indexOf(state.focus);
    const shown = focus < 0 ? null : parentOf(focus);
    say(above, shown === null ? "" : String(control.values[shown] ?? shown));
    above.hidden = shown === null;
    let group = null;
    options.forEach((option, place) => {
      option.hidden = parentOf(place) !== shown && (isMenu || isSub(place));
      put(option, "data-focus", place === focus || null);
      if (!isMenu) put(option, "aria-selected", control.values[place] === value);
      const mine = control.items?.[place]?.group ?? null;
      put(option, "data-first", (!option.hidden && group !== null && mine !== group) || null);
      if (!option.hidden) group = mine;
    });
    const active = focus < 0 ? null : options[focus].id;
    put(isMenu ? listing : front, "aria-activedescendant", active);
    if (active) options[focus].scrollIntoView?.({ block: "nearest" });
  }

  return {
    element,
    look: "readout",
    focus: [front, listing],
    update(state) {
      const wasOpen = last !== null && last.focus !== null;
      last = state;
      const isOpen = state.focus !== null;
      const hadFocus = front === document.activeElement || listing === document.activeElement;
      const value = state.staged ?? state.value;
      say(text, isMenu ? control.label : titleOf(control, isOpen ? state.focus : value));
      put(front, "aria-expanded", isOpen || isAlwaysOpen);
      put(element, "data-open", isOpen || null);
      listing.hidden = !isOpen && !isAlwaysOpen;
      showOptions(state, value);
      if (isMenu && isOpen && !wasOpen && hadFocus) listing.focus();
      if (isMenu && !isOpen && wasOpen && hadFocus) front.focus();
      for (const down of downs) down(state);
      busy(front, state);
    },
  };
}
