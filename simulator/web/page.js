// Starts the page: the connection, its header, the front panel and the tools beside it.

import { store } from "./core/store.js";
import { connect } from "./core/net.js";
import { askEarly } from "./core/faces.js";
import { mount as mountFront } from "./core/front.js";
import { mountBench, recall, remember } from "./core/bench.js";

const { early } = globalThis;
const element = (id) => document.getElementById(id);
const longestRead = 10_000; // milliseconds
const modes = { simulated: "Simulated", hardware: "Hardware" };

function followTheme() {
  const choice = element("theme");
  const apply = () => {
    if (choice.value) document.documentElement.dataset.theme = choice.value;
    else delete document.documentElement.dataset.theme;
  };
  choice.value = recall("theme") ?? "";
  choice.addEventListener("change", () => remember("theme", choice.value));
  choice.addEventListener("change", apply);
  apply();
}

function followConnection() {
  let wasConnected = false;
  store.addEventListener("snapshot", ({ detail }) => {
    element("name").textContent = detail.panel.name;
    element("name").classList.add("hidden"); // it is on the plate
    document.title = `${detail.panel.name} · Detent`;
    const mode = modes[detail.mode];
    element("mode").textContent = detail.role === "view" ? `${mode}, view only` : mode;
    element("mode").hidden = false;
    document.body.dataset.mode = detail.mode;
  });
  store.addEventListener("connection", ({ detail: connected }) => {
    wasConnected ||= connected;
    element("connection").textContent = connected ? "Connected" : "Not connected";
    element("connection").dataset.connected = connected;
    element("banner").hidden = connected || !wasConnected;
  });
}

// A problem of no control is said on the bench, until the next one or until it has been read. That
// of a control is said beside it.
function followProblems() {
  const place = element("alerts");
  let timer = 0;
  store.addEventListener("problem", ({ detail }) => {
    if (detail.control) return;
    clearTimeout(timer);
    const title = document.createElement("strong");
    const text = document.createElement("span");
    title.textContent = detail.title;
    text.textContent = detail.detail ?? "";
    place.replaceChildren(title, text);
    timer = setTimeout(() => place.replaceChildren(), longestRead);
  });
  place.addEventListener("click", () => place.replaceChildren());
}

// `detent sim --tour` opens such an address. A reload shows no tour again.
const wantsTour = early.given.has("tour");

followTheme();
followConnection();
followProblems();
mountFront(element("panel"));
// What stands beside the front panel comes behind its first picture.
const nextFrame = () => new Promise(requestAnimationFrame);
store.addEventListener("drawn", () => nextFrame().then(nextFrame).then(mountTools), { once: true });
connect();
mountBench();
askEarly(element("panel")); // with the bar in its place, as the plate has less room above it

async function mountTools() {
  const looks = document.createElement("link");
  looks.rel = "stylesheet";
  looks.href = "tools/tools.css";
  const styled = new Promise((done) => (looks.onload = looks.onerror = done));
  document.head.append(looks);
  const [tools] = await Promise.all([import("./tools/all.js"), styled]);
  const isSimulated = store.snapshot.mode === "simulated";
  tools.mountTools(wantsTour && isSimulated);
  if (wantsTour) history.replaceState(null, "", location.pathname + location.search);
}
