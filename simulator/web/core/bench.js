// The bench under the panel: drawers that stay open, shut and as high as they were left.

import { draw, put } from "./draw.js";
import { store } from "./store.js";

const names = { inspector: "Inspector", waves: "Waveforms", log: "Log", wiring: "Wiring",
  file: "File" };
const all = { clock: "Clock", ...names };
const lowest = 120; // pixels
const panelAtLeast = 160;
const stepOfAKey = 24;

// What is kept in this browser; nothing where storage is forbidden.
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds until the page is closed.
  }
}

const element = (id) => document.getElementById(id);

function setHeight(height) {
  const highest = Math.max(lowest, innerHeight - panelAtLeast);
  const within = Math.round(Math.min(Math.max(height, lowest), highest));
  element("bench").style.setProperty("--drawer", `${within}px`);
  const grip = element("grip");
  put(grip, "aria-valuenow", within);
  put(grip, "aria-valuemin", lowest);
  put(grip, "aria-valuemax", highest);
  return within;
}

function mountGrip() {
  const grip = element("grip");
  const keep = (height) => remember("drawer", setHeight(height));
  const now = () => element("drawers").offsetHeight;
  grip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    grip.setPointerCapture(event.pointerId);
    const from = event.clientY + now();
    const move = (moved) => setHeight(from - moved.clientY);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", () => {
      grip.removeEventListener("pointermove", move);
      keep(now());
    }, { once: true });
  });
  grip.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!steps) return;
    event.preventDefault();
    keep(now() + steps * stepOfAKey);
  });
  setHeight(Number(recall("drawer")) || innerHeight * 0.42);
  window.addEventListener("resize", () => setHeight(Number(recall("drawer")) || now()));
}

// A control that is inspected is seen above the sheet, unless the focus has gone elsewhere by then.
function keepInView() {
  if (element("inspector").hidden) return;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const { activeElement: active, body } = document;
    if (active !== body && !active?.closest("#panel, #bench")) return;
    document.querySelector(".unit[data-selected]")?.scrollIntoView({ block: "nearest" });
  }));
}

export function mountBench() {
  // Only who has the token of the panel file has its drawer.
  const isThere = (name) => name in all && (name !== "file" || store.editToken !== null);
  const open = new Set((recall("drawers") ?? "").split(" ").filter(isThere));
  const tabs = new Map();
  function show() {
    for (const [name, tab] of tabs) {
      // The clock is on the bar; on a narrow screen its tab shows the rest of it.
      if (name === "clock") put(element("bench"), "data-clock", open.has(name) || null);
      else element(name).hidden = !open.has(name);
      put(tab, "aria-expanded", open.has(name));
    }
    keepInView();
    const isShut = !Object.keys(names).some((name) => open.has(name));
    element("drawers").hidden = element("grip").hidden = isShut;
  }
  for (const [name, text] of Object.entries(all)) {
    if (!isThere(name)) continue;
    const tab = draw("button.tab", {
      type: "button", text, "aria-controls": name,
      click: () => {
        if (!open.delete(name)) open.add(name);
        remember("drawers", [...open].join(" "));
        show();
        // Where drawers are below each other.
        const drawers = element("drawers");
        if (open.has(name) && name in names) {
          drawers.scrollTop += element(name).getBoundingClientRect().top
            - drawers.getBoundingClientRect().top;
        }
      },
    });
    tabs.set(name, tab);
    element("tabs").append(tab);
  }
  mountGrip();
  show();
  store.addEventListener("select", keepInView);
  new ResizeObserver(([{ target }]) => {
    const height = `${target.offsetHeight}px`;
    const { documentElement: root } = document;
    for (const each of [root, element("inspector")]) each.style.setProperty("--bench-height", height);
  }).observe(element("bench"));
}
