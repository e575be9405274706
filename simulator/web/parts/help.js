// The text that introduces a control: a balloon beside it, in the top layer.

import { put } from "../core/draw.js";

const edge = 8; // pixels to the border of the window
const tail = 9; // pixels between a balloon and its control
const pause = 300; // milliseconds until a pointer that rests asks for help

// Above the control, where its remarks do not stand; below it where there is no room.
function place(balloon, control) {
  const at = control.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = balloon;
  const isAbove = at.top - tail - height >= edge;
  const middle = at.left + at.width / 2;
  const left = Math.min(Math.max(middle - width / 2, edge), innerWidth - edge - width);
  put(balloon, "data-side", isAbove ? "above" : "below");
  balloon.style.left = `${left}px`;
  balloon.style.top = `${isAbove ? at.top - tail - height : at.bottom + tail}px`;
  balloon.style.setProperty("--tail", `${middle - left}px`);
}

// Shows a balloon for as long as `shown` says; it follows its control.
function opener(balloon, control) {
  const follow = () => place(balloon, control);
  balloon.addEventListener("toggle", ({ newState }) => {
    const change = newState === "open" ? addEventListener : removeEventListener;
    for (const type of ["scroll", "resize"]) change(type, follow, true);
  });
  return (isShown) => {
    if (balloon.matches(":popover-open") === isShown) return;
    balloon.togglePopover(isShown);
    if (isShown) follow();
  };
}

// The balloon of a button that shows and hides it; a touch elsewhere and Escape hide it, too.
export function helpOfButton(balloon, button) {
  const show = opener(balloon, button);
  let wasOpen = false;
  put(balloon, "popover", "auto");
  put(button, "aria-expanded", false);
  balloon.addEventListener(
    "toggle", ({ newState }) => put(button, "aria-expanded", newState === "open"));
  // A pointer that goes down hides it, before the click comes.
  button.addEventListener("pointerdown", () => (wasOpen = balloon.matches(":popover-open")), true);
  button.addEventListener("click", ({ detail }) => {
    show(!(detail ? wasOpen : balloon.matches(":popover-open")));
  });
}

// The balloon of any other control: while it has the focus, or a pointer rests on it.
export function helpOfControl(balloon, control) {
  const show = opener(balloon, control);
  let timer = 0;
  const ask = (isShown, wait) => {
    clearTimeout(timer);
    timer = setTimeout(() => control.isConnected && show(isShown), wait);
  };
  put(balloon, "popover", "manual");
  const end = () => ask(control.contains(document.activeElement), 0);
  control.addEventListener("pointerenter", () => ask(true, pause));
  control.addEventListener("pointerleave", end);
  control.addEventListener("focusin", () => ask(true, 0));
  control.addEventListener("focusout", () => ask(control.matches(":hover"), 0));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && balloon.matches(":popover-open")) ask(false, 0);
  }, true);
}
