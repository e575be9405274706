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

export function mount(element) {
  const canvas = make("canvas", { role: "img", ariaLabel: "Waveforms" });
  const stage = make("div", { className: "stage", tabIndex: 0, role: "application",
    "aria-label": "Waveforms", "aria-describedby": "waves-help" }, canvas);
  const help = make("p", { className: "hint", id: "waves-help", textContent:
    "Drag or ← → to move; + − or wheel to zoom; ↑ ↓ lane; n p next and previous edge; a b markers; "
    + "Home start; End now" });
  const body = make("tbody");
  const table = make("table", { hidden: true },
    make("caption", { textContent: `The last ${rows} edges, newest first` }),
    make("thead", {}, row("th", ["Time", "Line", "Level", "Width"])), body);
  const readout = make("p", { role: "status", className: "hidden" });
  const verdict = make("p", { className: "verdict" });
  const measures = make("dl", { className: "measures" });
  const laneChoice = make("select", { onchange: () => choose(laneChoice.selectedIndex) });
  const pin = button("Pin", () => {
    if (!pinned.delete(store.selected)) pinned.add(store.selected);
    arrange();
  });
  const motion = button("", () => follow(!follows));
  const tableChoice = button("Table", () => {
    table.hidden = !table.hidden;
    stage.hidden = help.hidden = !table.hidden;
    tableChoice.ariaPressed = !table.hidden;
    summarized = 0;
    asked();
  }, { ariaPressed: false });
  const save = button("Save VCD", () => download("api/v1/trace", ".vcd"));
  const named = (text, name, act) => button(text, act, { ariaLabel: name });
  element.className = "tool";
  element.append(title("Waveforms"), make("div", { className: "bar" },
    motion, button("Last burst", showLast),
    group("View", named("−", "Zoom out", () => zoom(2)), named("+", "Zoom in", () => zoom(0.5)),
      named("◀", "Earlier", () => pan(-0.25)), named("▶", "Later", () => pan(0.25))),
    field("Lane", laneChoice),
    group("Edge", named("|◀", "Previous edge", () => jump(-1)),
      named("▶|", "Next edge", () => jump(1))),
    group("Marker", named("A", "Set marker A", () => mark("A")),
      named("B", "Set marker B", () => mark("B"))),
    pin, tableChoice, save),
  stage, table, measures, verdict, readout, help);

  const strip = new Strip(canvas);
  const pinned = new Set();
  let session = null;
  let follows = true;
  let visible = false;
  let dirty = true; // something came
  let isAsked = true; // somebody did something
  let drawn = 0; // when
  let measured = 0;
  let summarized = 0;
  let shown = NaN; // `from` of what is on the canvas
  let timer = 0;

  const current = () => strip.lanes[strip.current];
  const isSeen = (at) => at !== null && at >= strip.from && at <= strip.from + strip.width;
  const middle = () => (follows ? strip.end : isSeen(strip.cursor) ? strip.cursor
    : strip.from + strip.width / 2);

  function follow(yes) {
    follows = yes;
    if (yes) strip.cursor = null;
    say(motion, yes ? "❚❚ Pause" : "▶ Follow");
    asked();
  }

  function arrange() {
    const own = store.control(store.selected);
    const others = store.snapshot?.panel.controls.filter((control) =>
      control !== own && pinned.has(control.id)) ?? [];
    const controls = own ? [own, ...others] : others;
    strip.lanes = controls.flatMap((control) => lanes.of(control)).slice(0, most);
    laneChoice.replaceChildren(...options(strip.lanes.map(({ name }) => name)));
    pin.disabled = !own;
    pin.ariaPressed = pinned.has(store.selected);
    lanes.trace(controls);
    choose(0);
    resize();
  }

  function resize() {
    if (stage.clientWidth) strip.resize(stage.clientWidth, devicePixelRatio);
    asked();
  }

  function choose(place) {
    strip.current = Math.max(0, Math.min(strip.lanes.length - 1, place));
    laneChoice.selectedIndex = strip.current;
    asked();
  }

  function zoom(factor, at = middle()) {
    strip.zoom(factor, at);
    asked();
  }

  function pan(share) {
    if (follows) follow(false);
    strip.from += share * strip.width;
    asked();
  }

  function look(at) {
    if (follows) follow(false);
    strip.cursor = at;
    if (!isSeen(at)) strip.from = at - strip.width / 2;
    asked();
  }

  function jump(direction) {
    const lane = current();
    if (!lane?.count) return;
    const at = strip.cursor ?? Infinity;
    const index = direction > 0 ? lane.until(at) : lane.until(at - 0.5) - 1;
    look(lane.time(Math.max(0, Math.min(lane.count - 1, index))));
  }

  function mark(name) {
    strip.markers[name] = strip.cursor ?? middle();
    asked();
  }

  // Frames the newest burst of the lane, and what came of it after debounce.
  function showLast() {
    const lane = [current(), ...strip.lanes].find((lane) => lane?.burstAt(Infinity));
    if (!lane) return say(readout, "No edge was seen yet: move the control first");
    const { from, to } = lane.burstAt(Infinity);
    choose(strip.lanes.indexOf(lane));
    const after = strip.lanes[strip.current + 1];
    const next = after?.weight > 1 ? after.until(from) : Infinity;
    const width = Math.max(next < after?.count ? after.time(next) : to, to) - from || 1e6;
    strip.zoom((width * 1.5) / strip.width, 0);
    strip.from = from - width / 4;
    look(from);
  }

  // What the lane says at the cursor, or now: its level, the pulse, the burst around it.
  function measure(isTold) {
    const lane = current();
    const { cursor, markers: { A, B } } = strip;
    const at = cursor ?? Infinity;
    const apart = A === null || B === null ? null : B - A;
    const index = lane ? lane.until(at) - 1 : -1;
    const level = index < 0 ? "" : lane.word(index);
    const pulse = index >= 0 && index + 1 < lane.count
      ? span(lane.time(index + 1) - lane.time(index)) : "";
    const burst = index < 0 ? null : lane.burstAt(at);
    const width = burst && count(burst.edges, "edge")
      + (burst.edges > 1 ? ` in ${span(burst.width)}` : "");
    strip.burst = burst?.edges > 1 ? burst : null;
    const when = (at) => (at === null ? "" : moment(at));
    cells(measures, [["Cursor", when(cursor)], ["Level", level], ["Pulse", pulse],
      ["Burst", width], ["A", when(A)], ["B", when(B)], ["Δt", apart === null ? "" : span(apart)],
      ["1/Δt", apart ? frequency(apart) : ""]]);
    say(verdict, burst ? judge(lane, burst) : "");
    if (!isTold || index < 0 || cursor === null) return;
    clearTimeout(timer);
    const text = [`${lane.name} at ${moment(at)}: ${level} ${pulse}`, burst && `burst of ${width}`,
      apart !== null && `B is ${span(apart)} after A`, verdict.textContent];
    timer = setTimeout(() => say(readout, text.filter(Boolean).join("; ")), 300);
  }

  // What a burst means for the debounce time of its line.
  function judge(lane, burst) {
    const contact = strip.lanes[strip.lanes.indexOf(lane) + 1];
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
    if (changes < 2 && shortest(set) > needed) return `${found}: covered by ${set}.`;
    return (changes > 1 ? `✕ ${changes} debounced changes in this burst. ` : "")
      + `${found}. Write debounce: ${debounceFor(needed)} or longer${set ? ` (now ${set})` : ""}.`
      + (all < 10 ? " Move it ten times to be surer." : "");
  }

  // The shortest time of a debounce as it is written, in nanoseconds; 0 where it has none.
  function shortest(words = "") {
    const units = { us: 1e3, ms: 1e6, s: 1e9 };
    const times = [...words.matchAll(/([\d.]+)(us|ms|s)/g)];
    return times.length ? Math.min(...times.map(([, number, unit]) => number * units[unit])) : 0;
  }

  function summarize() {
    const { from, width } = strip;
    const edges = strip.lanes.reduce((sum, lane) =>
      sum + lane.until(from + width) - lane.until(from), 0);
    canvas.ariaLabel = `Waveforms of ${count(strip.lanes.length, "lane")}, ${span(width)} up to `
      + `${moment(from + width, 3)}, ${count(edges, "edge")}`;
    if (table.hidden) return;
    const all = strip.lanes.flatMap((lane) => Array.from({ length: Math.min(rows, lane.count) },
      (_, place) => [lane, lane.count - 1 - place]));
    all.sort(([one, first], [other, second]) => other.time(second) - one.time(first));
    body.replaceChildren(...all.slice(0, rows).map(([lane, index]) => row("td", [
      moment(lane.time(index)), lane.name, lane.word(index) || "idle",
      index + 1 < lane.count ? span(lane.time(index + 1) - lane.time(index)) : "until now"])));
  }

  const frame = perFrame(() => {
    if (document.hidden) return;
    const time = performance.now();
    const moves = visible && follows && store.connected && store.snapshot?.clock?.running !== false;
    // A strip that does not follow stands still until somebody does something.
    if (isAsked || (follows && (!reduced.matches || time - drawn > 990))) {
      strip.end = Math.max(store.now(), lanes.until);
      if (follows) strip.from = strip.end - strip.width * 0.95;
      if (isAsked || time - measured > 250) {
        measure(isAsked);
        measured = time;
      }
      if (visible && !stage.hidden && (isAsked || dirty || strip.from - shown > strip.scale / 2)) {
        strip.draw();
        shown = strip.from;
      }
      dirty = isAsked = false;
      drawn = time;
    }
    const rest = summarized + 990 - time;
    if (rest <= 0) {
      summarize();
      summarized = time;
    }
    if (moves) setTimeout(frame, reduced.matches ? 1000 : 0);
    else if (rest > 0) setTimeout(frame, rest);
  });
  const arrived = () => {
    dirty = true;
    frame();
  };
  const asked = () => {
    isAsked = true;
    frame();
  };

  listen();
  follow(true);
  arrange();

  function listen() {
    const on = (name, take) => store.addEventListener(name, ({ detail }) => take(detail));
    on("snapshot", (snapshot) => {
      const isNew = session !== snapshot.session;
      session = snapshot.session;
      if (isNew) {
        strip.markers = { A: null, B: null };
        follow(true);
      }
      save.hidden = snapshot.mode !== "simulated";
      lanes.takeSnapshot(snapshot, isNew);
      arrange();
    });
    on("events", (events) => {
      lanes.takeEvents(events);
      arrived();
    });
    on("waves", (message) => {
      lanes.takeWaves(message);
      arrived();
    });
    on("select", arrange);
    on("clock", asked);
    on("connection", (connected) => {
      if (connected) lanes.resume();
      asked();
    });
    new ResizeObserver(resize).observe(stage);
    new IntersectionObserver(([entry]) => {
      visible = entry.isIntersecting;
      asked();
    }).observe(element);
    document.addEventListener("visibilitychange", asked);
    const restyle = () => {
      strip.restyle();
      asked();
    };
    for (const feature of ["prefers-color-scheme: dark", "forced-colors: active",
      "prefers-contrast: more", "prefers-reduced-motion: reduce"]) {
      matchMedia(`(${feature})`).addEventListener("change", restyle);
    }
    new MutationObserver(restyle).observe(document.documentElement, { attributes: true });
    stage.onkeydown = onKey;
    canvas.onpointerdown = onPointer;
    canvas.onpointermove = onHover;
    canvas.addEventListener("wheel", onWheel, { passive: false });
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
      ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1),
      ArrowUp: () => choose(strip.current - 1), ArrowDown: () => choose(strip.current + 1),
      n: () => jump(1), w: () => jump(1), p: () => jump(-1),
      a: () => mark("A"), b: () => mark("B"), End: () => follow(true),
      Home: () => look(Math.min(strip.end,
        ...strip.lanes.map((lane) => (lane.count ? lane.time(0) : Infinity)))),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  function onPointer(event) {
    if (event.button) return;
    stage.focus({ preventScroll: true });
    const { offsetX: start, pointerId } = event;
    const { from } = strip;
    const marker = ["A", "B"].find((name) => isSeen(strip.markers[name])
      && Math.abs(strip.place(strip.markers[name]) / devicePixelRatio - start) < 12);
    let moved = false;
    canvas.setPointerCapture(pointerId);
    canvas.onpointermove = ({ offsetX: x }) => {
      if (!moved && Math.abs(x - start) < 4) return;
      moved = true;
      if (marker) strip.markers[marker] = strip.moment(x);
      else {
        if (follows) follow(false);
        strip.from = from - (x - start) * devicePixelRatio * strip.scale;
      }
      asked();
    };
    canvas.onlostpointercapture = ({ offsetX, offsetY }) => {
      canvas.onpointermove = onHover;
      if (moved) return;
      choose(strip.laneAt(offsetY));
      look(strip.moment(offsetX));
    };
  }

  // While the strip stands still, the cursor follows a mouse.
  function onHover({ offsetX, offsetY, pointerType }) {
    const at = strip.moment(offsetX);
    if (follows || pointerType === "touch" || at < strip.from) return;
    strip.cursor = at;
    choose(strip.laneAt(offsetY));
  }

  // A wheel that only passes over the strip scrolls the page.
  function onWheel(event) {
    if (!event.ctrlKey && document.activeElement !== stage) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / 1000);
    else zoom(1.0015 ** event.deltaY, follows ? strip.end : strip.moment(event.offsetX));
  }
}
