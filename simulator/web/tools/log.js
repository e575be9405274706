// The events of the panel, the newest last; only rows in sight or near are on the page.

import { store } from "../core/store.js";
import { titleOf } from "../core/words.js";
import { button, complain, field, fileName, keep, make, moment, options, perFrame, say, title }
  from "./tools.js";

const most = 2_000; // rows kept
const around = 20; // rows on the page before and after those in sight, for who reads on
const bad = /^(refused|fault|lost|invalid)$/;

const failed = (event) => (bad.test(event.event) && event.reason !== "none")
  || event.phase === "failed" || (event.set === true && /fault|mismatch/.test(event.name));

const asker = ({ origin, by }) =>
  origin && origin !== "panel" ? ` (${by ? `${origin}, ${by}` : origin})` : "";
const reason = (event) => (event.reason ? `: ${event.reason}` : "");
const shape = (value) => ({ off: "○", mixed: "◐" })[value] ?? "●";
const phases = { idle: "·", failed: "▲" };

// What happened, as `detent sim` writes it in a terminal: a shape and words.
const phrases = {
  "changed": (event, value) => `${shape(event.value)} ${value}${asker(event)}`,
  "confirmed": (_, value) => `✓ ${value} confirmed`,
  "phase": (event) => `${phases[event.phase] ?? "◌"} ${event.phase}${reason(event)}`,
  "flag": ({ name, set }) => (set ? `! ${name}` : `  no longer ${name}`),
  "refused": (event) => `✗ refused: ${event.reason}${asker(event)}`,
  "moved": ({ position }) => `↕ position ${position}`,
  "stepped": ({ delta }) => `↻ stepped ${delta < 0 ? "" : "+"}${delta}`,
  "multi-clicked": ({ count }) => `· multi-clicked (${count})`,
  "chosen": (event, value) => `▸ ${value} chosen${asker(event)}`,
  "focused": (_, value) => `▹ ${value} focused`,
  "staged": (_, value) => `▹ staged: ${value}`,
  "progress": ({ percent }) => `◌ ${percent} %`,
  "indicator": ({ pattern }) => `  lamp: ${pattern}`,
  "output": ({ line, level }) => `  ${line} ${level}`,
  "lost": ({ count }) => `▲ lost ${count} edges so far`,
  "fault": (event) => (event.reason === "none" ? "  line is back" : `▲ ${event.reason} fault`),
};

function phrase(event) {
  const control = store.control(event.control);
  const { value } = event;
  const shown = value === undefined ? "" : control ? titleOf(control, value) : String(value);
  const known = phrases[event.event];
  return known ? known(event, shown) : `· ${event.event}${shown && `: ${shown}`}`;
}

// On a panel of real lines the time of day, else that of the simulated clock.
function when({ at }) {
  if (store.snapshot?.mode !== "hardware") return moment(at, 6);
  const then = new Date(Date.now() - (store.now() - at) / 1e6);
  return `${then.toTimeString().slice(0, 8)}.${String(then.getMilliseconds()).padStart(3, "0")}`;
}

const texts = (event) => [
  when(event), store.control(event.control)?.label ?? event.control ?? "", phrase(event)];

export function mount(element) {
  const control = make("select", { onchange: filter });
  const text = make("input", { type: "search", size: 12, oninput: filter });
  const spacer = make("div", { className: "spacer" });
  const view = make("div", { className: "rows", role: "log", "aria-live": "off", tabIndex: 0,
    "aria-label": "Events", onscroll: () => {
      isAtEnd = view.scrollTop + view.clientHeight > view.scrollHeight - 8;
      draw();
    } }, spacer);
  const pause = button("❚❚ Pause", () => {
    frozen = frozen ? null : all;
    say(pause, frozen ? "▶ Go on" : "❚❚ Pause");
    filter();
  });
  const count = make("span", { className: "hint" });
  const jsonLines = () => shown.map((event) => `${JSON.stringify(event)}\n`);
  element.className = "tool";
  element.append(title("Log"), make("div", { className: "bar" },
    field("Control", control), field("Find", text), pause,
    button("Copy", copy), button("Save JSONL", () => keep(fileName(".jsonl"), jsonLines())),
    count), view);

  let all = [];
  let shown = [];
  let fresh = [];
  let frozen = null; // what there was when it was paused
  let session = null;
  let isAtEnd = true; // and stays there
  const rows = [];

  const matches = (event) => (!control.value || event.control === control.value)
    && (!text.value || `${texts(event).join(" ")} ${event.control} ${event.event}`.toLowerCase()
      .includes(text.value.toLowerCase()));

  function filter() {
    shown = (frozen ?? all).filter(matches);
    isAtEnd = true;
    draw();
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(shown.map((event) => texts(event).join("\t")).join("\n"));
      say(count, `${shown.length} events copied`);
    } catch {
      complain("The clipboard is not allowed here", "use Save JSONL");
    }
  }

  const draw = perFrame(() => {
    if (fresh.length) {
      all = all.concat(fresh).slice(-most);
      if (!frozen) shown = shown.concat(fresh.filter(matches)).slice(-most);
      fresh = [];
    }
    if (!view.clientHeight) return;
    if (!rows.length) addRow();
    rows[0].hidden = false;
    const height = rows[0].offsetHeight;
    spacer.style.height = `${shown.length * height}px`;
    const bottom = Math.max(0, shown.length * height - view.clientHeight);
    const top = isAtEnd ? bottom : Math.min(view.scrollTop, bottom);
    const first = Math.max(0, Math.floor(top / height) - around);
    const inSight = Math.ceil(view.clientHeight / height) + 1;
    const visible = Math.min(shown.length - first, inSight + 2 * around);
    while (rows.length < visible) addRow();
    rows.forEach((row, place) => {
      row.hidden = place >= visible;
      if (row.hidden) return;
      const event = shown[first + place];
      row.style.transform = `translateY(${(first + place) * height}px)`;
      row.className = failed(event) ? "line bad" : "line";
      texts(event).forEach((text, cell) => say(row.children[cell], text));
    });
    if (view.scrollTop !== top) view.scrollTop = top;
    say(count, `${shown.length} of ${all.length} events`);
  });

  function addRow() {
    const cells = Array.from({ length: 3 }, () => make("span"));
    const line = make("div", { className: "line" }, ...cells);
    rows.push(line);
    view.append(line);
    return line;
  }

  function take(events) {
    fresh = fresh.concat(events).slice(-most);
    draw();
  }

  // What happened before this page was opened.
  async function start(snapshot) {
    session = snapshot.session;
    all = shown = fresh = [];
    frozen &&= all;
    control.replaceChildren(...options([["", "all"],
      ...snapshot.panel.controls.map(({ id, label }) => [id, label])]));
    const answer = await store.fetch("api/v1/history").then((got) => got.json()).catch(() => null);
    if (answer?.session !== session) return;
    const first = all.concat(fresh)[0]?.seq ?? snapshot.seq + 1;
    all = answer.events.filter(({ seq }) => seq < first).concat(all);
    filter();
  }

  store.addEventListener("snapshot", ({ detail }) => detail.session !== session && start(detail));
  store.addEventListener("events", ({ detail }) => take(detail));
  new ResizeObserver(draw).observe(view);
}
