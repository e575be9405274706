// How a hand touches parts: fingers on buttons, turns of knobs, focus inside of a group.

import { store } from "./store.js";

const pressKeys = [" ", "Enter"];
const besideAFinger = 16; // pixels: the width of a fingertip that rolls

// A finger on a push button. It is down from `down` to `up`, whatever happens in between: a pointer
// that leaves, a lost focus, a hidden window. With Ctrl, Alt or the other mouse button it stays
// down until the next time, so that one hand can hold two. `click` is for whoever cannot hold.
// With `slidesOff`, a pointer that leaves is up.
export function finger(element, { down, up, click, kept = () => {}, slidesOff = false }) {
  const holders = new Set();

  function hold(holder) {
    if (holders.has(holder)) return;
    holders.add(holder);
    if (holders.size === 1) down();
  }

  function release(holder) {
    if (holders.delete(holder) && holders.size === 0) up();
  }

  function keep() {
    if (holders.has("kept")) release("kept");
    else hold("kept");
    kept(holders.has("kept"));
  }

  const letGo = () => {
    for (const holder of [...holders]) if (holder !== "kept") release(holder);
  };

  element.dataset.finger = "";
  element.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-finger]") !== element) return;
    if (event.button === 2 || event.ctrlKey || event.altKey) return keep();
    if (event.button !== 0) return;
    if (holders.has("kept")) return keep();
    element.setPointerCapture(event.pointerId);
    hold(`pointer ${event.pointerId}`);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
    element.addEventListener(type, (event) => release(`pointer ${event.pointerId}`));
  }
  if (slidesOff) {
    element.addEventListener("pointermove", (event) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const beside = Math.max(left - event.clientX, event.clientX - right);
      const above = Math.max(top - event.clientY, event.clientY - bottom);
      if (Math.max(beside, above) > besideAFinger) release(`pointer ${event.pointerId}`);
    });
  }
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("keydown", (event) => {
    if (!pressKeys.includes(event.key)) return;
    event.preventDefault();
    if (event.repeat) return;
    if (event.ctrlKey || event.altKey) keep();
    else if (holders.has("kept")) keep();
    else hold("key");
  });
  element.addEventListener("keyup", (event) => {
    if (!pressKeys.includes(event.key)) return;
    event.preventDefault();
    release("key");
  });
  // The panel has let go by itself of what a lost connection held.
  store.addEventListener("connection", () => {
    if (holders.has("kept")) keep();
    letGo();
  });
  element.addEventListener("blur", letGo);
  window.addEventListener("blur", letGo);
  // A click of no pointer, for keys make none here: somebody speaks, or has the screen read aloud.
  element.addEventListener("click", (event) => {
    if (event.detail === 0 && holders.size === 0) click();
  });
}

// What a drag has gone, up and to the right positive; `step` is called for each so many pixels. A
// finger that goes up or down scrolls the page.
export function drag(element, { pixels = 10, begin = () => {}, step, end = () => {} }) {
  let pointer = null;
  let last = 0;
  let rest = 0;
  let isMoved = false;
  const gone = ({ clientX, clientY, pointerType }) =>
    pointerType === "touch" ? clientX : clientX - clientY;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pointer !== null) return;
    pointer = event.pointerId;
    last = gone(event);
    rest = 0;
    isMoved = false;
    element.setPointerCapture(pointer);
    begin(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId !== pointer) return;
    const now = gone(event);
    rest += (now - last) / (event.shiftKey ? 4 * pixels : pixels);
    last = now;
    const whole = Math.trunc(rest);
    if (whole === 0) return;
    isMoved = true;
    rest -= whole;
    step(whole);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
    element.addEventListener(type, (event) => {
      if (event.pointerId !== pointer) return;
      pointer = null;
      end(event, isMoved);
    });
  }
}

// A page that scrolls under the pointer must not turn the knobs that pass below it.
let scrolled = -Infinity;
document.addEventListener(
  "wheel",
  (event) => {
    if (!event.target.closest?.("[data-wheel]")) scrolled = event.timeStamp;
  },
  { passive: true, capture: true });

export function wheel(element, step) {
  element.dataset.wheel = "";
  let rest = 0;
  element.addEventListener("wheel", (event) => {
    if (event.ctrlKey) return; // the browser's own zoom
    if (event.timeStamp - scrolled < 400) {
      scrolled = event.timeStamp;
      return;
    }
    event.preventDefault();
    const moved = -(event.deltaY || event.deltaX);
    rest += (event.deltaMode === 0 ? moved / 50 : moved) / (event.shiftKey ? 4 : 1);
    const notch = event.deltaMode === 0 && Math.abs(moved) >= 50 && !event.shiftKey;
    const whole = notch ? Math.sign(moved) : Math.trunc(rest);
    if (whole === 0) return;
    rest = notch ? 0 : rest - whole;
    step(whole);
  }, { passive: false });
}

// Of several positions, the one that a pointer is nearest to; `own` where no pointer came.
export function nearest(event, positions, own) {
  if (event.detail === 0) return own;
  const far = (each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const across = Math.max(Math.abs(event.clientX - left - width / 2) - width / 2, 0);
    return Math.hypot(across, event.clientY - top - height / 2);
  };
  const all = positions.map(far);
  return all.indexOf(Math.min(...all));
}

// One tab stop for a group: arrows, Home and End move; `moved` is told where to.
export function rove(group, members, { isVertical = false, moved = () => {} } = {}) {
  const next = isVertical ? ["ArrowDown", "ArrowRight"] : ["ArrowRight", "ArrowDown"];
  const before = isVertical ? ["ArrowUp", "ArrowLeft"] : ["ArrowLeft", "ArrowUp"];
  group.addEventListener("keydown", (event) => {
    const here = members.indexOf(event.target);
    if (here < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    let to = here;
    if (next.includes(event.key)) to = Math.min(here + 1, members.length - 1);
    else if (before.includes(event.key)) to = Math.max(here - 1, 0);
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = members.length - 1;
    else return;
    event.preventDefault();
    if (to === here) return;
    members[to].focus();
    moved(to);
  });
  group.addEventListener("focusin", (event) => {
    if (members.includes(event.target)) stopAt(members, members.indexOf(event.target));
  });
  stopAt(members, 0);
}

// The member that the tab key comes to.
export function stopAt(members, place) {
  members.forEach((member, index) => {
    const wanted = index === place ? 0 : -1;
    if (member.tabIndex !== wanted) member.tabIndex = wanted;
  });
}
