// The tour of a simulated panel: a caption at the part that moves next, and a card at the end.

import { gesture } from "../core/ask.js";
import { put } from "../core/draw.js";
import { store } from "../core/store.js";
import { button, make, say } from "./tools.js";

const edge = 8; // pixels to the border of the window
const gap = 10; // pixels to the part
const most = 9; // controls
const betweenDetents = 300; // milliseconds: slower than what a knob accelerates
const confirmBy = { "press-twice": "It asks for a second press.", "arm": "It asks for a second press." };

const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const units = { us: 1e-3, ms: 1, s: 1e3, min: 6e4 };
const inMilliseconds = (text) => {
  const [, number, unit] = text.match(/^([\d.]+)(\w+)$/) ?? [];
  return Number(number ?? 0) * (units[unit] ?? 1);
};

async function turn(control) {
  for (let detent = 0; detent < 3; detent += 1) {
    await gesture(control, "turn", { value: 1 });
    await after(betweenDetents);
  }
}

// What a hand does with a control, and the words for it; null where the tour leaves it alone.
function stepOf(control) {
  const { label, part, titles, values, confirm, look } = control;
  const act = (verb, more) => () => gesture(control, verb, more);
  const last = values.length - 1;
  if (["menu", "pop-up"].includes(look) || control.enabledWhen) return null;
  if (part === "lever") {
    return [`Flip ${label}. Its contact bounces; its value does not.`, act("flip", { value: last })];
  }
  if (part === "selector") {
    return [`Turn ${label} to ${titles[last] ?? values[last]}.`, act("select", { value: last })];
  }
  if (part === "potentiometer") {
    const { max } = control.range;
    return [`Turn ${label} to ${max}.`, act("select", { value: String(max) })];
  }
  if (part === "encoder" && control.range) {
    return [`Turn ${label} by three detents: three steps.`, () => turn(control)];
  }
  if (part === "buttons" && control.buttons.length) {
    const word = control.buttons.at(-1);
    return [`Press ${word} of ${label}.`, act("click", { value: word })];
  }
  if (part === "encoder" || part === "none") return null;
  if (confirm?.by === "hold") {
    const time = `${inMilliseconds(confirm.time) + 300}ms`;
    return [`Hold ${label}: it acts after ${confirm.time}, not before.`, act("hold", { for: time })];
  }
  return [`Press ${label}. ${confirmBy[confirm?.by] ?? ""}`.trim(), act("click", {})];
}

// One lever again, with a device that is slow, and with one that fails.
function outcomesOf(lever) {
  const flip = (value, action) => async () => {
    await store.send({ type: "simulate", control: lever.id, action });
    await gesture(lever, "flip", { value });
  };
  return [
    [lever, `Flip ${lever.label} back. Its device takes a second now: the panel says so.`,
      flip(0, { takes: "1s", then: "succeed" })],
    [lever, `Flip ${lever.label} once more. Its device fails: the panel says why, until the next touch.`,
      flip(1, { takes: "400ms", then: "fail", code: 1 })],
  ];
}

function stepsOf({ controls }) {
  const steps = controls.map((control) => [control, stepOf(control)])
    .filter(([, step]) => step).slice(0, most)
    .flatMap(([control, step]) => [
      ...control.cover ? [[control, `Lift the cover of ${control.label}.`,
        () => gesture(control, "cover", { value: "open" })]] : [],
      [control, ...step],
    ]);
  const lever = controls.find(({ part, hasAction, look, enabledWhen }) =>
    part === "lever" && hasAction && look !== "three-way" && !enabledWhen);
  return lever ? [...steps, ...outcomesOf(lever)] : steps;
}

// Beside the control: below it, or above where there is no room.
function place(card, unit) {
  unit.scrollIntoView({ block: "center" });
  const at = unit.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const bench = document.getElementById("bench").getBoundingClientRect().top;
  const isBelow = at.bottom + gap + height < bench;
  const left = at.left + at.width / 2 - width / 2;
  card.style.left = `${Math.min(Math.max(left, edge), innerWidth - edge - width)}px`;
  card.style.top = `${Math.max(isBelow ? at.bottom + gap : at.top - gap - height, edge)}px`;
}

export function startTour() {
  const steps = stepsOf(store.snapshot.panel);
  const text = make("p", { id: "tour-text" });
  const count = make("span", { className: "hint" });
  const next = button("Next", go, { className: "next" });
  const end = button("End tour", close);
  const card = make("div", { className: "tool tour", role: "dialog", "aria-label": "Tour",
    "aria-describedby": "tour-text" }, text, make("div", { className: "bar" }, next, end, count));
  let here = 0;
  let shown = null;

  function show() {
    const [control, words] = steps[here];
    put(shown ?? card, "data-touched", null);
    shown = document.getElementById(`c-${control.id}`);
    put(shown, "data-touched", "");
    say(text, words);
    say(count, `${here + 1} of ${steps.length}`);
    place(card, shown);
    next.focus();
  }

  async function go() {
    next.disabled = true;
    await steps[here][2]();
    next.disabled = false;
    here += 1;
    if (here < steps.length) show();
    else finish();
  }

  function finish() {
    put(shown, "data-touched", null);
    say(text, "That is the panel.");
    text.after(make("ul", {},
      make("li", { textContent: "Try it: flip, press and turn. A knob also takes the wheel and digits." }),
      make("li", { textContent: "See its file: it is the one behind `detent sim`. Save a change, and the page follows." }),
      make("li", { textContent: "Make your own: detent new panel.yaml" })));
    next.hidden = true;
    count.hidden = true;
    say(end, "Close");
    card.style.left = `${(innerWidth - card.offsetWidth) / 2}px`;
    card.style.top = `${(innerHeight - card.offsetHeight) / 3}px`;
    end.focus();
  }

  function close() {
    put(shown, "data-touched", null);
    card.remove();
  }

  card.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  addEventListener("resize", () => card.isConnected && here < steps.length && place(card, shown));
  if (!steps.length) return;
  document.body.append(card);
  show();
}
