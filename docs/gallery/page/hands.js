// Hands that touch parts: which contacts a gesture closes, and when. Contacts do not bounce here.

const millisecond = 1e6; // nanoseconds
const shortestPress = 80 * millisecond;
const crossing = 2 * millisecond; // from one contact of a selector to the next
const detent = 50 * millisecond;

// Levels of A and B through a clockwise turn, as contacts: bit 0 is A, bit 1 is B.
const quarters = [0b00, 0b01, 0b11, 0b10];

class Part {
  position = null;
  isOpen = null;
  pressed = 0;
  freeAt = 0; // when the last planned move ends

  constructor(wires, stands) {
    this.wires = wires;
    this.isGuarded = typeof stands?.cover === "boolean";
    this.own = this.isGuarded ? wires.contacts.slice(0, -1) : wires.contacts;
    if (this.isGuarded) this.isOpen = stands.cover;
    if (["lever", "selector"].includes(wires.decoder)) this.position = stands?.position ?? 0;
    if (wires.decoder === "encoder") {
      // Bit 1 of the resting level is A.
      const rest = (wires.rest >> 1 & 1) | (wires.rest & 1) << 1;
      this.quarter = Math.max(quarters.indexOf(rest), 0);
    }
  }

  // The contacts that the position closes, a bit for each.
  get closed() {
    const { decoder, coding, none } = this.wires;
    const place = this.position;
    switch (decoder) {
      case "button": case "buttons": return this.pressed;
      case "encoder": return quarters[this.quarter] | this.pressed << 2;
      case "lever": return this.own.length < 2 ? place : place === 0 ? 2 : 1;
      case "selector":
        if (coding === "binary") return place;
        if (coding === "gray") return place ^ place >> 1;
        return place === none ? 0 : 1 << (place > none ? place - 1 : place);
      default: return 0;
    }
  }
}

export class Hands {
  #parts;
  #levels = new Map();
  #plan; // plans a change of the outside: `plan(at, change)`
  #edge; // tells an edge of a line: `edge(at, line, isActive)`

  constructor(wires, state, plan, edge) {
    this.#plan = plan;
    this.#edge = edge;
    this.#parts = wires.controls.map((each) => new Part(each, state[each.id]?.stands));
    for (const part of this.#parts) this.#apply(part, null);
  }

  // The level of every contact.
  get levels() {
    return this.#levels;
  }

  stands(control) {
    const { position, isOpen } = this.#parts[control];
    return { position, cover: isOpen };
  }

  // Plays a gesture from a moment on; returns what is wrong with it, or null.
  play(control, { verb, value, for: time }, now) {
    const part = this.#parts[control];
    const at = Math.max(now, part.freeAt);
    switch (verb) {
      case "press": return this.#press(part, value, true, at);
      case "release": return this.#press(part, value, false, at);
      case "click": return this.#click(part, value, shortestPress, at);
      case "hold": return this.#click(part, value, spanOf(time), at);
      case "flip": case "select": return this.#go(part, value, at);
      case "turn": return this.#turn(part, value, at);
      case "cover":
        return this.#move(part, at, () => (part.isOpen = value === "open"));
      default: return `the gallery has no gesture \`${verb}\``;
    }
  }

  #move(part, at, change) {
    this.#plan(at, (moment) => {
      change();
      this.#apply(part, moment);
    });
    part.freeAt = Math.max(part.freeAt, at);
    return null;
  }

  #press(part, value, isDown, at) {
    const bit = 1 << (Number.isInteger(value) ? value : 0);
    const turn = () => (part.pressed = isDown ? part.pressed | bit : part.pressed & ~bit);
    if (!isDown) return this.#move(part, Math.max(at, part.downUntil ?? 0), turn);
    part.downUntil = at + shortestPress;
    return this.#move(part, at, turn);
  }

  #click(part, value, time, at) {
    this.#press(part, value, true, at);
    part.downUntil = at + time;
    this.#press(part, value, false, at + time);
    return null;
  }

  // Through every position on the way; the contact of one opens before that of the next closes.
  #go(part, target, at) {
    const from = part.wanted ?? part.position;
    const step = Math.sign(target - from);
    part.wanted = target;
    let moment = at;
    for (let place = from; place !== target; place += step) {
      const next = place + step;
      this.#move(part, moment, () => (part.position = next));
      moment += crossing;
    }
    return null;
  }

  #turn(part, detents, at) {
    if (part.position !== null) {
      const last = part.wires.positions - 1;
      const target = (part.wanted ?? part.position) + detents;
      return this.#go(part, Math.min(Math.max(target, 0), last), at);
    }
    const { transitions } = part.wires;
    const step = Math.sign(detents);
    for (let quarter = 0; quarter < Math.abs(detents) * transitions; quarter += 1) {
      this.#move(part, at + quarter * detent / transitions,
        () => (part.quarter = (part.quarter + step + 4) % 4));
    }
    part.freeAt = at + Math.abs(detents) * detent;
    return null;
  }

  // Sets the lines of a part; tells their edges, those that open first. Null: they just are so.
  #apply(part, moment) {
    const wanted = part.own.map((line, place) => [line, (part.closed >> place & 1) !== 0]);
    if (part.isGuarded) wanted.push([part.wires.contacts.at(-1), !part.isOpen]);
    wanted.sort(([, one], [, other]) => one - other);
    for (const [line, isActive] of wanted) {
      if (this.#levels.get(line) === isActive) continue;
      this.#levels.set(line, isActive);
      if (moment !== null) this.#edge(moment, line, isActive);
    }
  }
}

function spanOf(text) {
  const [, number, unit] = /^([\d.]+)(ns|us|ms|s|min|h)$/.exec(text) ?? [null, "0", "s"];
  const units = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 6e10, h: 3.6e12 };
  return Number(number) * units[unit];
}
