// The bench of the gallery: the log and the wiring of the page, and how simulated actions end.

import { actions } from "../core/net.js";
import { draw } from "../core/draw.js";
import { mount as mountLog } from "./log.js";
import { mount as mountWiring } from "./wiring.js";

const ways = {
  "succeed after 0.8 s": { takes: 800, then: "succeed" },
  "succeed after 3 s": { takes: 3_000, then: "succeed" },
  "fail after 0.8 s": { takes: 800, then: "fail" },
  "never end": { takes: 0, then: "hang" },
};

export function mountTools() {
  mountLog(document.getElementById("log"));
  mountWiring(document.getElementById("wiring"));
  const choice = draw("select", {
    id: "outcome", change: () => Object.assign(actions, ways[choice.value]),
  }, ...Object.keys(ways).map((text) => draw("option", { text, value: text })));
  document.getElementById("top").append(
    draw("label.theme", { for: "outcome", text: "Actions " }, choice));
}
