// Starts the page: the connection, its header, the front panel and the tools beside it.

import { store } from "./store.js";
import { connect } from "./net.js";
import { mount as mountFront } from "./front.js";

const element = (id) => document.getElementById(id);
const modes = { simulated: "Simulated", hardware: "Hardware" };

function followTheme() {
  const choice = element("theme");
  const apply = () => {
    if (choice.value) document.documentElement.dataset.theme = choice.value;
    else delete document.documentElement.dataset.theme;
  };
  try {
    choice.value = localStorage.getItem("theme") ?? "";
    choice.addEventListener("change", () => localStorage.setItem("theme", choice.value));
  } catch {
    // Storage is forbidden here: the choice holds until the page is closed.
  }
  choice.addEventListener("change", apply);
  apply();
}

function followConnection() {
  let wasConnected = false;
  store.addEventListener("snapshot", ({ detail }) => {
    element("name").textContent = detail.panel.name;
    document.title = `${detail.panel.name} · Detent`;
    element("mode").textContent = modes[detail.mode];
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

// Each problem is said once, and stays until the next one or until it has been read.
function followProblems() {
  const place = element("alerts");
  let timer = 0;
  store.addEventListener("problem", ({ detail }) => {
    clearTimeout(timer);
    const title = document.createElement("strong");
    const text = document.createElement("span");
    title.textContent = detail.title;
    text.textContent = detail.detail ?? "";
    place.replaceChildren(title, text);
    timer = setTimeout(() => place.replaceChildren(), 10_000);
  });
  place.addEventListener("click", () => place.replaceChildren());
}

followTheme();
followConnection();
followProblems();
mountFront(element("panel"), store);
// What stands beside the front panel comes behind its first picture.
store.addEventListener(
  "snapshot", () => requestAnimationFrame(() => setTimeout(mountTools)), { once: true });
connect(store);

async function mountTools() {
  const looks = document.createElement("link");
  looks.rel = "stylesheet";
  looks.href = "tools.css";
  const styled = new Promise((done) => (looks.onload = looks.onerror = done));
  document.head.append(looks);
  const names = ["clock", "inspector", "waves", "log"];
  const tools = await Promise.all(names.map((name) => import(`./${name}.js`)));
  await styled;
  tools.forEach(({ mount }, place) => mount(element(names[place]), store));
}
