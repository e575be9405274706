// Lists behind one part: pop-ups, pull-downs, and choices on an encoder. On a simulated panel the
// core says what is open and what has the focus; on real lines the list opens on the page alone.

import { busy, hold, press, spoken } from "./act.js";
import { caption, draw, knob, put, say, shape, symbol, warning } from "../core/draw.js";
import { contract, titleOf } from "../core/words.js";
import { HandMoves, RequestMoves } from "./moves.js";
import { drag, wheel } from "../core/press.js";
import { nudges } from "./turns.js";
import { Placing } from "./place.js";
import { Question } from "./question.js";

const pixelsOfADetent = 14;
// A list of commands hangs below its title; a choice is one of those above and below it.
const glyphs = { menu: "M5 9l7 7 7-7", choice: "M7 9.5l5-5 5 5M7 14.5l5 5 5-5" };
const secondPresses = ["press-twice", "arm"];

// The items of a list as a tree: what stands at which level.
export class Items {
  constructor(control) {
    this.control = control;
  }

  parent(place) {
    return this.control.items?.[place]?.parent ?? null;
  }

  isSubmenu(place) {
    return this.control.items?.some((item) => item.parent === place) ?? false;
  }

  // The places of the items beside the one at `place`, and of the top level for null.
  level(place) {
    const above = place === null ? null : this.parent(place);
    return this.under(above);
  }

  under(above) {
    return [...this.control.values.keys()].filter((each) => this.parent(each) === above);
  }

  place(word) {
    const place = this.control.values.indexOf(word);
    return place < 0 ? null : place;
  }

  // How an item wants to be confirmed; null where a choice is enough.
  confirm(place) {
    return this.control.items?.[place]?.confirm ?? null;
  }

  isDestructive(place) {
    return this.control.items?.[place]?.role === "destructive";
  }
}

class List {
  last = null;
  isSeen = false;

  constructor(unit) {
    const { control } = unit;
    this.unit = unit;
    this.control = control;
    this.items = new Items(control);
    this.isMenu = control.look === "menu";
    this.isAlwaysOpen = !this.isMenu && control.look !== "pop-up";
    this.listID = `${unit.labelID}-list`;
    this.knob = knob([], true);
    this.moves = new (unit.isSimulated ? HandMoves : RequestMoves)(unit, this.items, this.knob);
    this.moves.changed = () => this.last && this.update(this.last);
    this.moves.isMeant = (place) => this.ask(place);
    this.downs = [];
    this.drawFront();
    this.drawListing();
    const handles = this.drawHandles();
    this.element = draw(
      "div.part.encoder", {},
      draw("div.screen", {}, this.front, this.listing), ...handles);
    this.placing = new Placing(this.listing, this.front, handles);
    this.element.addEventListener("keydown", (event) => this.answer(event), true);
    for (const each of [this.front, this.listing]) {
      each.addEventListener("keydown", (event) => this.navigate(event));
    }
    document.addEventListener("pointerdown", (event) => {
      const isOutside = !event.target.closest(`[id="c-${CSS.escape(control.id)}"]`);
      if (!isOutside || !this.isOpen || this.isAlwaysOpen) return;
      this.answered(false);
      this.moves.close();
    });
  }

  // The list of a choice that a knob makes at once is seen while it has the focus.
  lookAt(isSeen) {
    this.isSeen = isSeen;
    if (this.last) this.update(this.last);
  }

  get isOpen() {
    return this.last !== null && this.moves.focus(this.last) !== null;
  }

  drawFront() {
    const { unit, control, isMenu } = this;
    this.text = draw("span.chosen");
    const role = isMenu
      ? { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", ...spoken(unit) }
      : {
        role: "combobox", tabindex: 0, "aria-haspopup": "listbox", "aria-expanded": "false",
        "aria-controls": this.listID, ...spoken(unit),
      };
    this.front = draw(
      isMenu ? "button.readout.menu" : "div.readout", role,
      isMenu ? unit.lamps[0]?.element : null, this.text,
      shape(
        "svg.symbol.glyph", { viewBox: "0 0 24 24", "aria-hidden": "true" },
        shape("path", { d: isMenu ? glyphs.menu : glyphs.choice })));
    if (this.moves.holdsPush) {
      const arrived = () => this.moves.arrived();
      const place = Math.max(control.buttons.indexOf("select"), 0);
      this.downs.push(hold(unit, this.front, place, this.moves.push, arrived));
      return;
    }
    const toggle = () => {
      if (!unit.isFree()) return;
      if (this.isOpen) this.moves.close();
      else this.moves.open();
    };
    this.front.addEventListener("click", toggle);
    if (isMenu) return;
    this.front.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (this.isOpen) this.moves.choose(this.moves.place(this.last));
      else toggle();
    });
  }

  drawListing() {
    const { control, isMenu, listID } = this;
    this.options = control.values.map((word, place) => {
      const item = control.items?.[place];
      const option = draw(
        "li.option",
        { role: isMenu ? "menuitem" : "option", id: `${listID}-${place}`, "data-role": item?.role },
        draw("span", { text: control.titles[place] ?? word }));
      if (control.symbols[place]) option.append(caption("", control.symbols[place]));
      if (item?.confirm?.by === "hold") {
        option.append(draw("span.contract", { text: contract(item) }));
      }
      if (item?.role === "destructive") option.append(warning());
      if (this.items.isSubmenu(place)) {
        put(option, "aria-haspopup", "menu");
        option.append(draw("span.further", { text: "▸", "aria-hidden": "true" }));
      }
      this.takeFinger(option, place);
      return option;
    });
    this.above = draw("li.above", { role: "presentation" });
    this.above.addEventListener("click", () => this.moves.back());
    this.question = new Question(listID, () => this.cancel());
    this.listing = draw(
      "ul.listing",
      {
        role: isMenu ? "menu" : "listbox", id: listID, "aria-labelledby": this.unit.labelID,
        popover: "manual",
      },
      this.above, ...this.options, ...(isMenu ? this.question.rows : []));
    // The list of a choice is open for as long as its readout has the focus, which a mouse must not
    // take away before it has chosen.
    if (this.isAlwaysOpen) {
      this.listing.addEventListener("mousedown", (event) => event.preventDefault());
      for (const type of ["focus", "blur"]) {
        this.front.addEventListener(type, () => this.lookAt(type === "focus"));
      }
    }
    if (!isMenu) return;
    this.takeAnswer();
    put(this.listing, "tabindex", -1);
    // A finger between the items is on nothing.
    this.listing.addEventListener("pointerdown", (event) => {
      if (!event.target.closest(".option")) event.stopImmediatePropagation();
    }, true);
    if (this.moves.holdsKeys) {
      const arrived = () => this.moves.arrived();
      this.downs.push(hold(this.unit, this.listing, -1, this.moves.push, arrived));
      return;
    }
    this.listing.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat && this.isOpen) this.moves.choose(this.moves.place(this.last));
    });
  }

  // A press on an item turns to it and pushes, for as long as the finger stays.
  takeFinger(option, place) {
    const { unit, moves } = this;
    if (!moves.holdsPush) {
      option.dataset.finger = ""; // a press here is none on the button behind the list
      option.addEventListener("click", () => unit.isFree() && moves.choose(place));
      return;
    }
    const confirm = this.items.confirm(place);
    hold(unit, option, -1, moves.push, () => moves.turnTo(place), confirm);
  }

  // The second press of a hand, or the answer to the server's question.
  takeAnswer() {
    const { unit, moves, question } = this;
    if (unit.isSimulated) {
      hold(unit, question.yes, -1, moves.push);
      return;
    }
    question.yes.dataset.finger = "";
    question.yes.addEventListener("click", () => this.answered(true));
  }

  // Asks inside the menu whether an item is meant; resolves with the answer.
  ask(place) {
    this.answered(false);
    this.asked = { place, text: "It starts at once. You cannot undo it here." };
    this.moves.changed();
    return new Promise((resolve) => { this.asked.resolve = resolve; });
  }

  answered(isMeant) {
    const { asked } = this;
    this.asked = null;
    asked?.resolve(isMeant);
    if (asked && this.last) this.update(this.last);
  }

  cancel() {
    if (this.unit.isSimulated) this.moves.away();
    else this.answered(false);
  }

  // Keys while a question is open: they choose one of its two answers.
  answer(event) {
    if (!this.question.isShown || event.ctrlKey || event.altKey || event.metaKey) return;
    const isPush = event.key === "Enter" || event.key === " ";
    if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
      this.question.move();
      this.showQuestion();
    } else if (event.key === "Escape" || (isPush && this.question.active === this.question.no)) {
      if (!event.repeat) this.cancel();
    } else if (isPush && !this.unit.isSimulated) {
      if (!event.repeat) this.answered(true);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // What has to be confirmed by a second press now; null where nothing has.
  questioned(state) {
    if (this.asked) return this.asked;
    const place = this.items.place(this.moves.focus(state));
    if (place === null || !(state.progress > 0)) return null;
    const confirm = this.items.confirm(place);
    if (!secondPresses.includes(confirm?.by)) return null;
    return { place, text: "Press again to confirm." };
  }

  showQuestion(wanted = null) {
    const { question, listing } = this;
    if (wanted && !question.isShown) {
      const finger = this.options[wanted.place].getBoundingClientRect();
      for (const row of [this.above, ...this.options]) row.hidden = true;
      question.show(this.control.values[wanted.place], wanted.text, finger);
    } else if (wanted) {
      for (const row of [this.above, ...this.options]) row.hidden = true;
    }
    if (question.isShown) put(listing, "aria-activedescendant", question.active.id);
  }

  // The parts around a list: a knob to turn and push, or its buttons. On real lines they are only
  // looked at.
  drawHandles() {
    const { unit, control, moves } = this;
    const isLive = unit.isSimulated;
    const move = (steps) => moves.move(steps);
    if (control.part === "encoder") {
      const grip = draw("div.turns", { "aria-hidden": "true" }, this.knob);
      if (!isLive) return [grip];
      drag(grip, {
        pixels: pixelsOfADetent,
        step: move,
        end: (event, isMoved) => {
          const isPush = event.type === "pointerup" && !isMoved && control.buttons.length;
          if (isPush && unit.isFree()) moves.click();
        },
      });
      wheel(grip, (steps) => move(-steps));
      return [grip, draw("div.nudges", {}, ...nudges(move))];
    }
    if (control.part === "none") return [];
    const signs = { up: "up", down: "down", select: "check", back: "cross" };
    const words = control.part === "buttons" ? control.buttons : ["button"];
    return [draw("div.nudges", { "aria-hidden": isLive ? null : "true" }, ...words.map((word, place) => {
      const button = draw(
        "button.cap.small",
        { type: "button", tabindex: -1, "aria-label": `${control.label}: ${word}` },
        symbol(signs[word] ?? "open"));
      const more = words.length > 1 ? { value: word } : {};
      if (isLive) this.downs.push(press(unit, button, place, more));
      return button;
    }))];
  }

  navigate(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.last === null) return;
    const { moves, control, unit } = this;
    const place = moves.place(this.last);
    const places = this.items.level(place);
    const here = Math.max(places.indexOf(place), 0);
    const isOpen = this.isOpen || this.isAlwaysOpen;
    const steps = {
      ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1,
      Home: -here, End: places.length - 1 - here,
    }[event.key];
    if (steps !== undefined) {
      if (isOpen && steps !== 0) moves.move(steps);
      if (!isOpen && unit.isFree()) moves.open(event.key === "ArrowUp" && this.isMenu);
    } else if (event.key === "Escape" && (this.isOpen || this.isSeen)) {
      if (this.isOpen) moves.back();
      else this.lookAt(false);
    } else if (event.key.length === 1 && event.key !== " " && isOpen) {
      const after = [...places.slice(here + 1), ...places.slice(0, here + 1)];
      const wanted = after.find((each) => titleOf(control, control.values[each])
        .toLowerCase().startsWith(event.key.toLowerCase()));
      if (wanted !== undefined) moves.turnTo(wanted);
    } else {
      return;
    }
    event.preventDefault();
  }

  showOptions(focus, value) {
    const { control, items, isMenu, options } = this;
    const shown = focus === null ? null : items.parent(focus);
    say(this.above, shown === null ? "" : `◂ ${control.values[shown]}`);
    this.above.hidden = shown === null;
    let group = null;
    options.forEach((option, place) => {
      const above = items.parent(place);
      option.hidden = above !== shown && (isMenu || above !== null);
      put(option, "data-focus", place === focus || null);
      if (!isMenu) put(option, "aria-selected", control.values[place] === value);
      // What is destructive is apart, also where the file has no separator.
      const item = control.items?.[place] ?? {};
      const mine = `${item.group} ${item.role === "destructive"}`;
      put(option, "data-first", (!option.hidden && group !== null && mine !== group) || null);
      if (!option.hidden) group = mine;
    });
    const active = focus === null ? null : options[focus].id;
    put(isMenu ? this.listing : this.front, "aria-activedescendant", active);
  }

  // An open list lies over the page, and what has the focus is seen in it.
  showListing(isOpen, focus) {
    const { listing, placing, question } = this;
    listing.hidden = !isOpen;
    if (!isOpen) return placing.close();
    placing.open();
    question.settle();
    const active = question.isShown ? question.active : this.options[focus];
    active?.scrollIntoView({ block: "nearest" });
  }

  update(state) {
    const { front, listing, control, isMenu } = this;
    const wasOpen = !listing.hidden;
    this.moves.update(state);
    this.last = state;
    const word = this.moves.focus(state);
    const isOpen = word !== null;
    const hadFocus = front === document.activeElement || listing === document.activeElement;
    const value = state.staged ?? state.value;
    const title = isMenu ? control.label : titleOf(control, isOpen ? word : value);
    // A list that is open on the page alone has a focus that the panel does not know.
    const rows = word === state.focus ? state.display : null;
    say(this.text, rows?.join("\n") ?? title);
    put(this.text, "data-rows", rows?.length ?? null);
    const isShown = isOpen || this.isSeen;
    put(front, "aria-expanded", isShown);
    put(this.element, "data-open", isOpen || null);
    const place = this.items.place(word);
    const wanted = isOpen ? this.questioned(state) : null;
    if (!wanted) this.question.hide();
    if (!this.question.isShown) this.showOptions(place, value);
    this.showQuestion(wanted);
    this.showProgress(place, state);
    this.showListing(isShown, place);
    if (isMenu && isOpen && !wasOpen && hadFocus) listing.focus({ preventScroll: true });
    if (isMenu && !isOpen && wasOpen && hadFocus) front.focus();
    for (const down of this.downs) down(state);
    busy(front, state);
  }

  // How far the hold is that confirms an item.
  showProgress(focus, state) {
    this.options.forEach((option, place) => {
      const isHeld = place === focus && state.progress > 0;
      put(option, "data-held", isHeld || null);
      option.style.setProperty("--done", `${isHeld ? state.progress : 0}%`);
    });
  }
}

export function list(unit) {
  const made = new List(unit);
  made.listing.hidden = true;
  return { element: made.element, look: "readout", update: (state) => made.update(state) };
}
