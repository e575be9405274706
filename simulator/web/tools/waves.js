// The live waveforms of the control that is chosen, and of those that are pinned.

import { store } from "../core/store.js";
import { lanes } from "./lanes.js";
import { Strip } from "./strip.js";
import { button, cells, download, field, frequency, group, make, moment, options, perFrame,
  row, say, span, title } from "./tools.js";

const most = 16; // lanes
const rows = 50; // of the table
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

/** A debounce time with room above what it has to outlast, of those that people write. */
export function debounceFor(width) {
  for (let decade = 1e5; ; decade *= 10) {
    const time = [1, 1.5, 2, 3, 5, 7].find((factor) => factor * decade >= width * 1.5);
    if (time) return span(time * decade).replace(" ", "").replace("µ", "u");
  }
}

class Waves {
  pinned = new Set();
  session = null;
  follows = true;
  visible = false;
  dirty = true; // something came
  isAsked = true; // somebody did something
  drawn = 0; // when
  measured = 0;
  summarized = 0;
  shown = NaN; // `from` of what is on the canvas
  timer = 0;

  constructor(element) {
    this.element = element;
    this.build(element);
    this.strip = new Strip(this.canvas);
    for (const name of ["onKey", "onPointer", "onHover", "onWheel", "arrange", "resize"]) {
      this[name] = this[name].bind(this);
    }
    this.watchFrames();
    this.listen();
    this.follow(true);
    this.arrange();
  }

  build(element) {
    this.canvas = make("canvas", { role: "img", ariaLabel: "Waveforms" });
    this.stage = make("div", { className: "stage", tabIndex: 0, role: "application",
      "aria-label": "Waveforms", "aria-describedby": "waves-help" }, this.canvas);
    this.help = make("p", { className: "hint", id: "waves-help", textContent:
      "Drag or ← → to move; + − or wheel to zoom; ↑ ↓ lane; n p next and previous edge; "
      + "a b markers; Home start; End now" });
    this.body = make("tbody");
    this.table = make("table", { hidden: true },
      make("caption", { textContent: `The last ${rows} edges, newest first` }),
      make("thead", {}, row("th", ["Time", "Line", "Level", "Width"])), this.body);
    this.readout = make("p", { role: "status", className: "hidden" });
    this.verdict = make("p", { className: "verdict" });
    this.measures = make("dl", { className: "measures" });
    this.laneChoice = make("select", {
      onchange: () => this.choose(this.laneChoice.selectedIndex) });
    this.pin = button("Pin", () => {
      if (!this.pinned.delete(store.selected)) this.pinned.add(store.selected);
      this.arrange();
    });
    this.motion = button("", () => this.follow(!this.follows));
    this.tableChoice = button("Table", () => {
      this.table.hidden = !this.table.hidden;
      this.stage.hidden = this.help.hidden = !this.table.hidden;
      this.tableChoice.ariaPressed = !this.table.hidden;
      this.summarized = 0;
      this.asked();
    }, { ariaPressed: false });
    this.save = button("Save VCD", () => download("api/v1/trace", ".vcd"));
    const named = (text, name, act) => button(text, act, { ariaLabel: name });
    element.className = "tool";
    element.append(title("Waveforms"), make("div", { className: "bar" },
      this.motion, button("Last burst", () => this.showLast()),
      group("View", named("−", "Zoom out", () => this.zoom(2)),
        named("+", "Zoom in", () => this.zoom(0.5)),
        named("◀", "Earlier", () => this.pan(-0.25)),
        named("▶", "Later", () => this.pan(0.25))),
      field("Lane", this.laneChoice),
      group("Edge", named("|◀", "Previous edge", () => this.jump(-1)),
        named("▶|", "Next edge", () => this.jump(1))),
      group("Marker", named("A", "Set marker A", () => this.mark("A")),
        named("B", "Set marker B", () => this.mark("B"))),
      this.pin, this.tableChoice, this.save),
    this.verdict, this.stage, this.table, this.measures, this.readout, this.help);
  }

  get current() {
    return this.strip.lanes[this.strip.current];
  }

  isSeen(at) {
    const { from, width } = this.strip;
    return at !== null && at >= from && at <= from + width;
  }

  get middle() {
    const { strip } = this;
    if (this.follows) return strip.end;
    return this.isSeen(strip.cursor) ? strip.cursor : strip.from + strip.width / 2;
  }

  follow(yes) {
    this.follows = yes;
    if (yes) this.strip.cursor = null;
    say(this.motion, yes ? "❚❚ Pause" : "▶ Follow");
    this.asked();
  }

  arrange() {
    const own = store.control(store.selected);
    const others = store.snapshot?.panel.controls.filter((control) =>
      control !== own && this.pinned.has(control.id)) ?? [];
    const controls = own ? [own, ...others] : others;
    this.strip.lanes = controls.flatMap((control) => lanes.of(control)).slice(0, most);
    this.laneChoice.replaceChildren(...options(this.strip.lanes.map(({ name }) => name)));
    this.pin.disabled = !own;
    this.pin.ariaPressed = this.pinned.has(store.selected);
    lanes.trace(controls);
    this.choose(0);
    this.resize();
  }

  resize() {
    if (this.stage.clientWidth) this.strip.resize(this.stage.clientWidth, devicePixelRatio);
    this.asked();
  }

  choose(place) {
    this.strip.current = Math.max(0, Math.min(this.strip.lanes.length - 1, place));
    this.laneChoice.selectedIndex = this.strip.current;
    this.asked();
  }

  zoom(factor, at = this.middle) {
    this.strip.zoom(factor, at);
    this.asked();
  }

  pan(share) {
    if (this.follows) this.follow(false);
    this.strip.from += share * this.strip.width;
    this.asked();
  }

  look(at) {
    if (this.follows) this.follow(false);
    this.strip.cursor = at;
    if (!this.isSeen(at)) this.strip.from = at - this.strip.width / 2;
    this.asked();
  }

  jump(direction) {
    const lane = this.current;
    if (!lane?.count) return;
    const at = this.strip.cursor ?? Infinity;
    const index = direction > 0 ? lane.until(at) : lane.until(at - 0.5) - 1;
    this.look(lane.time(Math.max(0, Math.min(lane.count - 1, index))));
  }

  mark(name) {
    this.strip.markers[name] = this.strip.cursor ?? this.middle;
    this.asked();
  }

  // Frames the newest burst of the lane, and what came of it after debounce.
  showLast() {
    const lane = [this.current, ...this.strip.lanes].find((lane) => lane?.burstAt(Infinity));
    if (!lane) return say(this.readout, "No edge was seen yet: move the control first");
    const { from, to } = lane.burstAt(Infinity);
    this.choose(this.strip.lanes.indexOf(lane));
    const after = this.strip.lanes[this.strip.current + 1];
    const next = after?.weight > 1 ? after.until(from) : Infinity;
    const width = Math.max(next < after?.count ? after.time(next) : to, to) - from || 1e6;
    this.strip.zoom((width * 1.5) / this.strip.width, 0);
    this.strip.from = from - width / 4;
    this.look(from);
  }

  // What the lane says at the cursor, or now: its level, the pulse, the burst around it.
  measure(isTold) {
    const lane = this.current;
    const { cursor, markers: { A, B } } = this.strip;
    const at = cursor ?? Infinity;
    const apart = A === null || B === null ? null : B - A;
    const index = lane ? lane.until(at) - 1 : -1;
    const level = index < 0 ? "" : lane.word(index);
    const pulse = index >= 0 && index + 1 < lane.count
      ? span(lane.time(index + 1) - lane.time(index)) : "";
    const burst = index < 0 ? null : lane.burstAt(at);
    const width = burst && count(burst.edges, "edge")
      + (burst.edges > 1 ? ` in ${span(burst.width)}` : "");
    this.strip.burst = burst?.edges > 1 ? burst : null;
    const when = (at) => (at === null ? "" : moment(at));
    cells(this.measures, [["Cursor", when(cursor)], ["Level", level], ["Pulse", pulse],
      ["Burst", width], ["A", when(A)], ["B", when(B)], ["Δt", apart === null ? "" : span(apart)],
      ["1/Δt", apart ? frequency(apart) : ""]]);
    say(this.verdict, burst ? this.judge(lane, burst) : "");
    if (!isTold || index < 0 || cursor === null) return;
    clearTimeout(this.timer);
    const text = [`${lane.name} at ${moment(at)}: ${level} ${pulse}`, burst && `burst of ${width}`,
      apart !== null && `B is ${span(apart)} after A`, this.verdict.textContent];
    this.timer = setTimeout(() => say(this.readout, text.filter(Boolean).join("; ")), 300);
  }

  // What a burst means for the debounce time of its line.
  judge(lane, burst) {
    const contact = this.strip.lanes[this.strip.lanes.indexOf(lane) + 1];
    if (lane.weight > 1 || !(contact?.weight > 1)) return "";
    const { bursts: all, worst, rest } = lane;
    const changes = contact.until(burst.to + 20e6) - contact.until(burst.from - 1);
    const name = lane.name.replace(/ raw$/, "");
    const set = store.snapshot.panel.controls.flatMap(({ lines }) => lines)
      .find((line) => line.name === name)?.debounce;
    if (!worst) return `${name}: ${count(all, "clean change")}, no bounce.`;
    // A debounce that begins anew at each edge has to outlast the rests within a burst, and a fixed
    // one all of it.
    const needed = / fixed/.test(set) ? worst : rest;
    const found = `${name}: the longest of ${count(all, "burst")} lasts ${span(worst)}`
      + `, with rests up to ${span(rest)}`;
    if (changes < 2 && this.shortest(set) > needed) return `${found}: covered by ${set}.`;
    return (changes > 1 ? `✕ ${changes} debounced changes in this burst. ` : "")
      + `${found}. Write debounce: ${debounceFor(needed)} or longer${set ? ` (now ${set})` : ""}.`
      + (all < 10 ? " Move it ten times to be surer." : "");
  }

  // The shortest time of a debounce as it is written, in nanoseconds; 0 where it has none.
  shortest(words = "") {
    const units = { us: 1e3, ms: 1e6, s: 1e9 };
    const times = [...words.matchAll(/([\d.]+)(us|ms|s)/g)];
    return times.length ? Math.min(...times.map(([, number, unit]) => number * units[unit])) : 0;
  }

  summarize() {
    const { from, width } = this.strip;
    const edges = this.strip.lanes.reduce((sum, lane) =>
      sum + lane.until(from + width) - lane.until(from), 0);
    this.canvas.ariaLabel = `Waveforms of ${count(this.strip.lanes.length, "lane")}, `
      + `${span(width)} up to `
      + `${moment(from + width, 3)}, ${count(edges, "edge")}`;
    if (this.table.hidden) return;
    const all = this.strip.lanes.flatMap((lane) => Array.from(
      { length: Math.min(rows, lane.count) },
      (_, place) => [lane, lane.count - 1 - place]));
    all.sort(([one, first], [other, second]) => other.time(second) - one.time(first));
    this.body.replaceChildren(...all.slice(0, rows).map(([lane, index]) => row("td", [
      moment(lane.time(index)), lane.name, lane.word(index) || "idle",
      index + 1 < lane.count ? span(lane.time(index + 1) - lane.time(index)) : "until now"])));
  }

  watchFrames() {
    this.frame = perFrame(() => {
      if (document.hidden) return;
      const time = performance.now();
      const moves = this.visible && this.follows && store.connected
        && store.snapshot?.clock?.running !== false;
      // A strip that does not follow stands still until somebody does something.
      if (this.isAsked || (this.follows && (!reduced.matches || time - this.drawn > 990))) {
        this.strip.end = Math.max(store.now(), lanes.until);
        if (this.follows) this.strip.from = this.strip.end - this.strip.width * 0.95;
        if (this.isAsked || time - this.measured > 250) {
          this.measure(this.isAsked);
          this.measured = time;
        }
        const isNew = this.isAsked || this.dirty
          || this.strip.from - this.shown > this.strip.scale / 2;
        if (this.visible && !this.stage.hidden && isNew) {
          this.strip.draw();
          this.shown = this.strip.from;
        }
        this.dirty = this.isAsked = false;
        this.drawn = time;
      }
      const rest = this.summarized + 990 - time;
      if (rest <= 0) {
        this.summarize();
        this.summarized = time;
      }
      if (moves) setTimeout(this.frame, reduced.matches ? 1000 : 0);
      else if (rest > 0) setTimeout(this.frame, rest);
    });
    this.arrived = () => {
      this.dirty = true;
      this.frame();
    };
    this.asked = () => {
      this.isAsked = true;
      this.frame();
    };
  }

  listen() {
    const on = (name, take) => store.addEventListener(name, ({ detail }) => take(detail));
    on("snapshot", (snapshot) => {
      const isNew = this.session !== snapshot.session;
      this.session = snapshot.session;
      if (isNew) {
        this.strip.markers = { A: null, B: null };
        this.follow(true);
      }
      this.save.hidden = snapshot.mode !== "simulated";
      lanes.takeSnapshot(snapshot, isNew);
      this.arrange();
    });
    on("events", (events) => {
      lanes.takeEvents(events);
      this.arrived();
    });
    on("waves", (message) => {
      lanes.takeWaves(message);
      this.arrived();
    });
    on("select", this.arrange);
    on("clock", this.asked);
    on("connection", (connected) => {
      if (connected) lanes.resume();
      this.asked();
    });
    new ResizeObserver(this.resize).observe(this.stage);
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      this.asked();
    }).observe(this.element);
    document.addEventListener("visibilitychange", this.asked);
    const restyle = () => {
      this.strip.restyle();
      this.asked();
    };
    for (const feature of ["prefers-color-scheme: dark", "forced-colors: active",
      "prefers-contrast: more", "prefers-reduced-motion: reduce"]) {
      matchMedia(`(${feature})`).addEventListener("change", restyle);
    }
    new MutationObserver(restyle).observe(document.documentElement, { attributes: true });
    this.stage.onkeydown = this.onKey;
    this.canvas.onpointerdown = this.onPointer;
    this.canvas.onpointermove = this.onHover;
    this.canvas.addEventListener("wheel", this.onWheel, { passive: false });
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2),
      ArrowLeft: () => this.pan(-0.1), ArrowRight: () => this.pan(0.1),
      ArrowUp: () => this.choose(this.strip.current - 1),
      ArrowDown: () => this.choose(this.strip.current + 1),
      n: () => this.jump(1), w: () => this.jump(1), p: () => this.jump(-1),
      a: () => this.mark("A"), b: () => this.mark("B"), End: () => this.follow(true),
      Home: () => this.look(Math.min(this.strip.end,
        ...this.strip.lanes.map((lane) => (lane.count ? lane.time(0) : Infinity)))),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  onPointer(event) {
    if (event.button) return;
    this.stage.focus({ preventScroll: true });
    const { offsetX: start, pointerId } = event;
    const { from } = this.strip;
    const marker = ["A", "B"].find((name) => this.isSeen(this.strip.markers[name])
      && Math.abs(this.strip.place(this.strip.markers[name]) / devicePixelRatio - start) < 12);
    let moved = false;
    this.canvas.setPointerCapture(pointerId);
    this.canvas.onpointermove = ({ offsetX: x }) => {
      if (!moved && Math.abs(x - start) < 4) return;
      moved = true;
      if (marker) this.strip.markers[marker] = this.strip.moment(x);
      else {
        if (this.follows) this.follow(false);
        this.strip.from = from - (x - start) * devicePixelRatio * this.strip.scale;
      }
      this.asked();
    };
    this.canvas.onlostpointercapture = ({ offsetX, offsetY }) => {
      this.canvas.onpointermove = this.onHover;
      if (moved) return;
      this.choose(this.strip.laneAt(offsetY));
      this.look(this.strip.moment(offsetX));
    };
  }

  // While the strip stands still, the cursor follows a mouse.
  onHover({ offsetX, offsetY, pointerType }) {
    const at = this.strip.moment(offsetX);
    if (this.follows || pointerType === "touch" || at < this.strip.from) return;
    this.strip.cursor = at;
    this.choose(this.strip.laneAt(offsetY));
  }

  // A wheel that only passes over the strip scrolls the page.
  onWheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.stage) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan(event.deltaX / 1000);
    else {
      const at = this.follows ? this.strip.end : this.strip.moment(event.offsetX);
      this.zoom(1.0015 ** event.deltaY, at);
    }
  }
}

export const mount = (element) => new Waves(element);
