// The clock of a simulated panel, and what was recorded of it.

import { store } from "../core/store.js";
import { button, download, group, make, moment, request, say } from "./tools.js";

// How many lines have a simulated fault; a press takes all of them away.
function mountFaults() {
  const chip = document.getElementById("faults");
  const all = () => Object.keys(store.snapshot?.simulation?.faults ?? {});
  chip.onclick = () => {
    for (const line of all()) request({ type: "gesture", verb: "restore", line });
  };
  const show = () => {
    const { length } = all();
    chip.hidden = length === 0;
    say(chip, `▲ ${length} ${length === 1 ? "fault" : "faults"} · Fix`);
    chip.title = `Fixes all simulated faults: ${all().join(", ")}`;
  };
  for (const name of ["snapshot", "simulation"]) store.addEventListener(name, show);
}

// How much was recorded.
function tellSteps(place, { recorded: count = 0, recording } = {}) {
  const end = recording === false ? "; full: start over" : "";
  place.toggleAttribute("data-full", end !== "");
  say(place, `${count} ${count === 1 ? "step" : "steps"}${end}`);
}

export function mount(element) {
  mountFaults();
  const tell = (message) => request({ type: "clock", ...message });
  const time = make("span", { className: "time", role: "timer", "aria-label": "Panel time" });
  const run = button("▶ Run", () => tell({ do: "run" }));
  const pause = button("❚❚ Pause", () => tell({ do: "pause" }));
  const steps = ["1ms", "10ms", "100ms"].map((by) => button(by.replace("ms", " ms"), async () => {
    if (clock().running) await tell({ do: "pause" });
    tell({ do: "step", by });
  }, { "aria-label": `Step ${by.replace("ms", " ms")}` }));
  const rates = [0.1, 0.5, 1, 10, 100].map((rate) =>
    button(`${rate}×`, () => tell({ do: "rate", rate }), { value: rate }));
  const recorded = make("span", { className: "hint" });
  const ask = make("dialog", { role: "alertdialog", "aria-label": "Start over?" },
    make("p", { textContent: "Start the panel over at 0? What was recorded so far is lost." }),
    make("div", { className: "choices" },
      button("Cancel", () => ask.close()),
      button("Start over", () => {
        ask.close();
        tell({ do: "restart" });
      }, { className: "destructive" })));
  const save = (path, ending) => () => download(`api/v1/scenario${path}`, ending);
  const titled = (name, ...children) =>
    group(name, make("span", { textContent: name }), ...children);
  element.className = "tool";
  element.append(make("div", { className: "bar" }, time, group("Clock", run, pause),
    titled("Step", ...steps), titled("Rate", ...rates),
    button("Start over…", () => ask.showModal()),
    titled("Save", button("Scenario", save("", ".scenario.yaml"), { ariaLabel: "Save scenario" }),
      button("Trace", save("?file=expected", ".scenario.expected"),
        { ariaLabel: "Save expected trace" }), recorded)), ask);

  const clock = () => store.snapshot?.clock ?? {};
  let visible = false;
  let waits = false;
  // At most ten times a second: the last digits of a running clock can be read by nobody.
  function tick() {
    if (waits || !visible || document.hidden) return;
    const { running } = clock();
    say(time, moment(store.now(), running ? 3 : 6));
    if (!running || !store.connected) return;
    waits = true;
    setTimeout(() => requestAnimationFrame(() => {
      waits = false;
      tick();
    }), 100);
  }
  function show() {
    const { snapshot } = store;
    element.hidden = snapshot?.mode !== "simulated";
    if (element.hidden) return;
    const { running, rate } = clock();
    run.ariaPressed = running;
    pause.ariaPressed = !running;
    for (const button of rates) button.ariaPressed = Number(button.value) === rate;
    tellSteps(recorded, snapshot.simulation);
    tick();
  }
  for (const name of ["snapshot", "clock", "simulation", "connection"]) {
    store.addEventListener(name, show);
  }
  document.addEventListener("visibilitychange", tick);
  new IntersectionObserver(([entry]) => {
    visible = entry.isIntersecting;
    tick();
  }).observe(element);
  show();
}
