// What the tools on the bench share: elements, words for times, files to keep.

import { store } from "../core/store.js";

/** An element; names with a dash, and `role`, are attributes, others properties. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

export const button = (text, onclick, more) =>
  make("button", { type: "button", textContent: text, onclick, ...more });

export const options = (choices) =>
  choices.map((choice) => {
    const [value, text = value] = [choice].flat();
    return make("option", { value, textContent: text });
  });

/** A row of a table. */
export const row = (cell, texts) =>
  make("tr", {}, ...texts.map((textContent) =>
    make(cell, { textContent, ...(cell === "th" && { scope: "col" }) })));

/** Fills a list of names and what they are. */
export function cells(list, pairs) {
  while (list.children.length > pairs.length) list.lastChild.remove();
  pairs.forEach(([name, text], place) => {
    if (!list.children[place]) list.append(make("div", {}, make("dt"), make("dd")));
    say(list.children[place].firstChild, name);
    say(list.children[place].lastChild, String(text || "–"));
  });
}

/** Things that belong together, with a name. */
export const group = (name, ...children) =>
  make("span", { role: "group", className: "join", "aria-label": name }, ...children);

let fields = 0;

/** A field with its name before it. */
export function field(name, input) {
  input.id = `field-${++fields}`;
  const label = make("label", { htmlFor: input.id, textContent: name });
  return make("span", { className: "field" }, label, input);
}

/** A text that only touches the page where it differs. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Runs `draw` once in the next frame, however often it is asked for. */
export function perFrame(draw) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      draw();
    });
  };
}

/** A drawer's name. */
export const title = (textContent) => make("h2", { textContent });

const units = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

/** A length of time with three digits that count. */
export function span(nanoseconds) {
  const size = Math.abs(nanoseconds);
  const [unit, name] = units.find(([least]) => size >= least * 0.9995) ?? units[3];
  const number = nanoseconds / unit;
  if (!size) return "0 s";
  const whole = Math.abs(number) >= 999.5 || unit === 1;
  return `${whole ? Math.round(number) : Number(number.toPrecision(3))} ${name}`;
}

/** How often something is that takes so long. */
export function frequency(nanoseconds) {
  const hertz = 1e9 / Math.abs(nanoseconds);
  const [unit, name] = units.find(([least]) => hertz * 1e3 >= least) ?? units[3];
  const names = { s: "MHz", ms: "kHz", µs: "Hz", ns: "mHz" };
  return `${Number(((hertz * 1e3) / unit).toPrecision(4))} ${names[name]}`;
}

/** A moment in seconds; three decimals, or nine in groups. */
export function moment(nanoseconds, decimals = 9) {
  const [whole, rest] = (Math.round(nanoseconds) / 1e9).toFixed(decimals).split(".");
  return `${whole}${rest ? `.${rest.match(/\d{1,3}/g).join("\u202f")}` : ""} s`;
}

/** A value as text. */
export function words(value, { range }) {
  if (Array.isArray(value)) return value.join(", ") || "none";
  return typeof value === "number" && range ? value.toFixed(range.decimals) : String(value ?? "–");
}

/** Says a problem where all problems are said. */
export const complain = (title, detail) => store.tell("problem", { title, detail });

/** Sends, and says what was refused; false then. */
export async function request(message) {
  const answer = await store.send(message);
  if (answer?.problem) store.tell("problem", answer.problem);
  return !answer?.problem;
}

/** Gives the browser a file to keep. */
export function keep(name, parts) {
  const link = make("a", { href: URL.createObjectURL(new Blob(parts)), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Keeps what the panel answers, under the panel's name. */
export async function download(path, ending) {
  try {
    const answer = await store.fetch(path);
    if (!answer.ok) {
      const title = `The panel answers ${answer.status}`;
      return store.tell("problem", await answer.json().catch(() => ({ title })));
    }
    keep(fileName(ending), [await answer.blob()]);
  } catch {
    complain("Nothing was saved", "the panel does not answer; try again when it is back");
  }
}

export const fileName = (ending) =>
  (store.snapshot?.panel.name ?? "panel").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-") + ending;
