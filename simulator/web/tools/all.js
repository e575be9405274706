// The tools beside the front panel: one file that the browser asks for after the first picture.

import { mount as mountClock } from "./clock.js";
import { mount as mountInspector } from "./inspector.js";
import { mount as mountWaves } from "./waves.js";
import { mount as mountLog } from "./log.js";
import { mount as mountWiring } from "./wiring.js";
import { startTour } from "./tour.js";

const tools = {
  clock: mountClock, inspector: mountInspector, waves: mountWaves, log: mountLog,
  wiring: mountWiring, file: mountFile,
};

// The editor is asked for when its drawer is opened.
function mountFile(element) {
  const observer = new ResizeObserver(async () => {
    if (!element.clientHeight) return;
    observer.disconnect();
    const looks = document.createElement("link");
    looks.rel = "stylesheet";
    looks.href = "tools/file.css";
    document.head.append(looks);
    const { mount } = await import("./file.js");
    mount(element);
  });
  observer.observe(element);
}

export function mountTools(wantsTour) {
  for (const [name, mount] of Object.entries(tools)) mount(document.getElementById(name));
  if (wantsTour) startTour();
}
