// Makes elements and draws the parts: everything on the page comes from here, never from markup.

const names = { text: "textContent" };

// An element: `draw("button.cap", { type: "button" }, child, …)`; functions listen.
export function draw(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag || "div");
  return fill(element, classes, attributes, children);
}

// The same for SVG.
export function shape(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return fill(element, classes, attributes, children);
}

function fill(element, classes, attributes, children) {
  if (classes.length) element.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name in names) element[names[name]] = value;
    else put(element, name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Sets an attribute, where it differs: screen readers say each change. Null takes it away.
export function put(element, name, value) {
  if (value === null || value === undefined) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The letters that the engraved face has; simulator/letters.md lists them.
const engraved = /^[\x20-\x7e\xa0-\xff\u202f–—‘’“”…Ω]*$/;

// Words with another letter are all in the face of the system.
export function markLetters(element, words) {
  put(element, "data-letters", engraved.test(words) ? null : "system");
}

// Symbols of 24 by 24, drawn in strokes.
const symbols = {
  pump: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 12l5-5M12 12l-6 3M12 12l2 7",
  flame: "M12 3c1 4 6 6 6 11a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 4 4 1-2 1-5 0-8",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3m0 14v3M2 12h3m14 0h3M5 5l2 2m10 10l2 2",
  fish: "M3 12c4-6 10-6 14 0-4 6-10 6-14 0M17 12l4-4v8zM7.5 11.5v.5",
  drop: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11",
  target: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 1v6m0 10v6M1 12h6m10 0h6",
  microphone: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3M6 11a6 6 0 0 0 12 0m-6 6v4",
  power: "M12 3v8M7 6a8 8 0 1 0 10 0",
  play: "M8 5v14l11-7z",
  stop: "M6 6h12v12H6z",
  pause: "M8 5v14M16 5v14",
  record: "M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  open: "M6 9l6 6 6-6",
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  check: "M5 13l4 4L19 7",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v6M12 7v1",
  cross: "M6 6l12 12M18 6L6 18",
  lock: "M6 11h12v9H6zM9 11V7a3 3 0 0 1 6 0v4",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4",
  fan: "M12 12c-2-4 0-8 2-8s2 5-2 8c4-2 8 0 8 2s-5 2-8-2c2 4 0 8-2 8s-2-5 2-8c-4 2-8 0-8-2s5-2 8 2",
  light: "M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0l-1 2H9z",
  camera: "M3 7h4l2-3h6l2 3h4v12H3zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
  snow: "M12 2v20M3.3 7l17.4 10M20.7 7L3.3 17",
  heart: "M12 20C4 14 3 11 3 8a4 4 0 0 1 9-2 4 4 0 0 1 9 2c0 3-1 6-9 12",
};

// A symbol of the panel file; null for words that have no drawing, which are written instead.
export function symbol(word) {
  const path = symbols[word];
  if (!path) return null;
  return shape(
    "svg.symbol", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: path }));
}

// The words of a cap, or the symbol in their place.
export function caption(title, word) {
  const drawn = word ? symbol(word) : null;
  return draw("span.caption", drawn ? {} : { text: word && word.length < 3 ? word : title }, drawn);
}

export const warning = () => draw("span.warning", { text: "!", "aria-hidden": "true" });

// A line around a cap that grows with a confirmation.
export function ring() {
  return shape(
    "svg.ring", { "aria-hidden": "true" },
    shape("rect", { pathLength: 100, x: 2, y: 2, rx: 10 }));
}

// A bat lever in its plate; the stick follows `--throw`, from -1 (down) to 1 (up).
export function lever(words) {
  return draw(
    "span.plate", { "aria-hidden": "true" },
    draw("span.mark.high", { text: words[0] }),
    draw("span.slot", {}, draw("span.nut"), draw("span.bat")),
    draw("span.mark.low", { text: words[1] }));
}

const center = 60;

function at(angle, radius) {
  const turn = (angle * Math.PI) / 180;
  return [center + radius * Math.sin(turn), center - radius * Math.cos(turn)];
}

// One path for all of them: each element costs a browser as much as the next.
function spokes(angles, from, to) {
  const end = (angle, radius) => at(angle, radius).map((each) => each.toFixed(3)).join(" ");
  return angles.map((angle) => `M${end(angle, from)}L${end(angle, to)}`).join("");
}

const grip = spokes(Array.from({ length: 36 }, (_, place) => place * 10), 39, 42);

// A knob with its pointer, and ticks around it; `--turn` is the pointer's angle in degrees.
export function knob(angles, isEndless = false) {
  return shape(
    "svg.knob", { viewBox: "0 0 120 120", "aria-hidden": "true" },
    angles.length ? shape("path.tick", { d: spokes(angles, 48, 55) }) : null,
    shape("circle.shade", { cx: center, cy: center + 2, r: 43 }),
    shape("circle.skirt", { cx: center, cy: center, r: 42 }),
    shape(
      "g.rotor", {}, shape("path.grip", { d: grip }),
      shape("circle.top", { cx: center, cy: center, r: 34 }),
      isEndless
        ? shape("circle.dimple", { cx: center, cy: 36, r: 5 })
        : shape("path.pointer", { d: "M57.5 19h5v24h-5z" })),
    shape("circle.sheen", { cx: center, cy: center, r: 34 }));
}

// The light on every knob, which does not turn with it; once in a page.
export function sheen() {
  return shape(
    "svg.hidden", { "aria-hidden": "true" },
    shape(
      "linearGradient", { id: "sheen", x1: 0.2, y1: 0, x2: 0.8, y2: 1 },
      shape("stop", { offset: 0, "stop-color": "#fff", "stop-opacity": 0.34 }),
      shape("stop", { offset: 0.5, "stop-color": "#fff", "stop-opacity": 0 }),
      shape("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0.35 })));
}
