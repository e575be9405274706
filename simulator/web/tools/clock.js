// The transport of a simulated panel, and what it records.

import { store } from "../core/store.js";
import { button, download, field, group, make, moment, options, request, say } from "./tools.js";

const rates = [0.1, 0.5, 1, 10, 100];

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

// How much was recorded: two files, which `detent test` plays again. A recording ends where it is
// full, and where the panel file has changed.
function tellSteps(record, { recorded: count = 0, recording } = {}) {
  const hasEnded = recording === false;
  const steps = `${count} ${count === 1 ? "step" : "steps"}`;
  say(record, `${hasEnded ? "■" : "●"} ${steps} · Save as test`);
  record.disabled = hasEnded && count === 0;
  record.title = (hasEnded ? "The recording has ended. Start over (|◀) to record again. " : "")
    + "Saves what was done as a scenario, and what came of it as a second file that the "
    + "scenario needs: put both beside the panel file. `detent test` plays them.";
}

// Whether to forget all that was done.
function question(restart) {
  const ask = make("dialog", { role: "alertdialog", "aria-label": "Start over?" },
    make("p", { textContent: "Start the panel over at 0? What was recorded so far is lost." }),
    make("div", { className: "choices" },
      button("Cancel", () => ask.close()),
      button("Start over", () => {
        ask.close();
        restart();
      }, { className: "destructive" })));
  return ask;
}

export function mount(element) {
  mountFaults();
  const tell = (message) => request({ type: "clock", ...message });
  const time = make("span", { className: "time", role: "timer", "aria-label": "Panel time" });
  const sign = (text, name, act) => button(text, act, { ariaLabel: name, title: name });
  const run = sign("▶", "Run", () => tell({ do: "run" }));
  const pause = sign("❚❚", "Pause", () => tell({ do: "pause" }));
  const steps = ["1ms", "10ms", "100ms"].map((by) => {
    const text = by.replace("ms", " ms");
    return sign(`+${text}`, `Step ${text}`, async () => {
      if (clock().running) await tell({ do: "pause" });
      tell({ do: "step", by });
    });
  });
  const rate = make("select", { onchange: () => tell({ do: "rate", rate: Number(rate.value) }) },
    ...options(rates.map((each) => [each, `${each}×`])));
  const ask = question(() => tell({ do: "restart" }));
  const record = button("● 0 steps", async () => {
    await download("api/v1/scenario", ".scenario.yaml");
    await download("api/v1/scenario?file=expected", ".scenario.expected");
  }, { className: "record" });
  element.className = "tool";
  element.append(make("div", { className: "bar" }, time,
    group("Clock", sign("|◀", "Start over…", () => ask.showModal()), run, pause, ...steps),
    field("Rate", rate), record), ask);

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
    const { running, rate: now } = clock();
    run.ariaPressed = running;
    pause.ariaPressed = !running;
    // A rate that was set elsewhere is one of the choices, too.
    if (!rates.includes(now)) {
      rates.push(now);
      rate.append(...options([[now, `${now}×`]]));
    }
    rate.value = now;
    tellSteps(record, snapshot.simulation);
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
