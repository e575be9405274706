// All of one control: its state, its lines, and what can go wrong with them.

import { store } from "../core/store.js";
import { lanes } from "./lanes.js";
import { button, cells, field, make, options, perFrame, request, say, span, words }
  from "./tools.js";

const faultNames = { "": "no fault", "stuck-active": "stuck active",
  "stuck-inactive": "stuck inactive", cut: "cut" };
const mark = (lane) => ({ active: "● active", inactive: "○ inactive" })[lane?.last] ?? "–";

export function mount(element) {
  const choice = make("select", { onchange: () => store.select(choice.value) });
  const faults = make("div", { className: "faults" });
  const facts = make("dl", { className: "facts" });
  const place = make("div");
  element.className = "tool";
  element.append(make("h2", { textContent: "Inspector" }), field("Control", choice), faults, facts,
    place);

  let updates = []; // of the fields of the control that is shown
  const simulation = () => store.snapshot.simulation;
  const simulate = (more) => request({ type: "simulate", control: store.selected, ...more });
  const befall = (line, verb, more) => request({ type: "gesture", verb, line, ...more });
  const entry = (value, more) => make("input", { value, size: 5, ...more });
  const box = (title, ...children) =>
    make("fieldset", {}, make("legend", { textContent: title }), ...children);
  // A field follows the panel, but not while somebody is in it.
  const bind = (input, read) => {
    updates.push(() => {
      const value = String(read() ?? "");
      if (input !== document.activeElement && input.value !== value) input.value = value;
    });
    return input;
  };

  function build() {
    const control = store.control(store.selected);
    updates = [];
    place.replaceChildren();
    facts.replaceChildren();
    if (!control) return;
    choice.value = control.id;
    const isSimulated = store.snapshot.mode === "simulated";
    const contacts = control.lines.filter(({ use }) => use === "contact").map(({ name }) => name);
    if (control.lines.length) {
      const heads = ["Line", "Raw", "Debounced", ...(isSimulated ? ["Fault"] : [])];
      place.append(make("table", { role: "table" }, make("caption", { textContent: "Lines" }),
        tableRow(heads.map((textContent) =>
          make("th", { textContent, scope: "col", role: "columnheader",
            className: textContent === "Fault" ? "hidden" : "" }))),
        ...control.lines.map((line) => lineRow(line, isSimulated))));
    }
    if (isSimulated && contacts.length) place.append(bounceBox(control), glitchBox(contacts));
    if (simulation()?.realActions === false) {
      if (control.hasAction) place.append(actionBox(control));
      if (control.reports) place.append(reportBox(control));
    }
    for (const each of updates) each(); // a field that is still empty must not be sent
    update();
  }

  // The roles stay although the page sets rows as grids.
  const tableRow = (cells) => make("tr", { role: "row" }, ...cells);
  const cell = (...children) => make("td", { role: "cell" }, ...children);

  function lineRow({ name, use, part, debounce }, isSimulated) {
    const raw = cell();
    const contact = cell();
    updates.push(() => {
      say(raw, mark(lanes.get(`raw ${name}`)));
      say(contact, use === "contact" ? mark(lanes.get(`contact ${name}`)) : "");
    });
    const about = [use, part !== use && part, debounce].filter(Boolean).join(" · ");
    const line = tableRow([make("th", { scope: "row", role: "rowheader" }, name,
      make("small", { textContent: about })), raw, contact]);
    if (!isSimulated || use !== "contact") return line;
    const fault = make("select", { ariaLabel: `Fault of ${name}`, onchange: () => {
      const [verb, value] = (fault.value || "restore").split("-");
      befall(name, verb.replace("stuck", "stick"), value && { value });
    } }, ...options(Object.entries(faultNames)));
    line.append(cell(bind(fault, () => simulation().faults[name])));
    return line;
  }

  function bounceBox({ id }) {
    const closes = entry("3ms");
    const opens = entry("1ms");
    const atStart = () => {
      const { firstBounce: name } = simulation();
      return name ? `as at the start: ${name}` : "as at the start";
    };
    const custom = make("div", { className: "bar", hidden: true }, field("Closes", closes),
      field("Opens", opens),
      button("Apply", () => simulate({ bounce: { closes: closes.value, opens: opens.value } })));
    const profile = make("select", { onchange: () => {
      custom.hidden = profile.value !== "custom";
      if (custom.hidden) simulate({ bounce: profile.value || null });
    } }, ...options([["", atStart()], ...simulation().profiles, ["custom", "custom…"]]));
    let last; // what the panel said
    const read = () => {
      const bounce = simulation().bounce[id];
      const isOwn = bounce && !simulation().profiles.includes(bounce);
      if (bounce !== last) custom.hidden = !isOwn;
      last = bounce;
      return custom.hidden ? bounce : "custom";
    };
    return box("Bounce", field("Profile", bind(profile, read)), custom);
  }

  function glitchBox(contacts) {
    const line = make("select", {}, ...options(contacts));
    const width = entry("50us");
    return box("Glitch", field("Line", line), field("Width", width),
      button("Glitch", () => befall(line.value, "glitch", { for: width.value })));
  }

  function actionBox({ id, values, titles, range, answers, reports }) {
    // The plan that was sent last holds until the panel tells its own after the answer. Otherwise
    // a field that was just changed returns to the plan of before, and the next change sends that.
    let sent = null;
    let answered = null;
    const now = () => {
      if (answered && simulation() !== answered) sent = answered = null;
      return sent ?? simulation().actions[id] ?? {};
    };
    const onchange = async () => {
      const plan = { takes: takes.value, then: then.value,
        ...(then.value === "fail" && { code: code.valueAsNumber }),
        ...(answer.value && then.value === "succeed" && { answer: `${answer.value}\n` }) };
      sent = plan;
      answered = null;
      const isTaken = await simulate({ action: plan });
      if (sent !== plan) return;
      if (isTaken) answered = simulation();
      else sent = null;
    };
    const takes = bind(entry("", { onchange }), () => now().takes);
    const then = bind(make("select", { onchange }, ...options(["succeed", "fail", "hang", "lose"])),
      () => now().then);
    const code = bind(entry("", { type: "number", min: -1, max: 599, onchange,
      title: "An exit status up to 255, a status of HTTP from 256, or -1: not started" }),
      () => now().code ?? 1);
    const answer = bind(entry("", { onchange, size: 12,
      title: "What the device answers, in one line; empty: what fits" }),
      () => now().answer?.trimEnd());
    const ends = [button("Succeed now", () => simulate({ finish: true })),
      button("Fail now", () => simulate({ fail: code.valueAsNumber }))];
    updates.push(() => {
      const runs = ["pending", "loading"].includes(store.state(id)?.phase);
      for (const end of ends) {
        end.disabled = !runs;
        end.title = runs ? "" : "The action does not run now";
      }
    });
    const action = box("Action", field("Takes", takes), field("Then", then),
      field("Code", code), ...(answers ? [field("Answers", answer)] : []), ...ends);
    if (reports || (!range && !values.length)) return action;
    action.append(...deviceValue({ values, titles, range }, "device"));
    return action;
  }

  // The value of the device, and a button that gives it to it.
  function deviceValue({ values, titles, range }, member) {
    const device = range ? entry("", { type: "number", ...range, value: range.min })
      : make("select", {},
        ...options(values.map((value, place) => [value, titles?.[place] ?? value])));
    return [field("Device", device), button("Change device", () =>
      simulate({ [member]: range ? device.valueAsNumber : device.value }))];
  }

  // A device that reports by itself: right, wrong, too much, or not at all.
  function reportBox(control) {
    const text = entry("", { size: 12, title: "One line, as the device says it" });
    const say = (more) => simulate({ report: `${text.value}\n`, ...more });
    return box("Device", ...deviceValue(control, "feedback"), field("Says", text),
      button("Say", () => say()), button("Say 1000 times", () => say({ times: 1000 })),
      button("Fall silent", () => simulate({ report: "" })));
  }

  // From the lane of the action: how long it runs, or ran.
  function actionTime(control) {
    const lane = lanes.action(control);
    const runs = (index) => /pending|loading/.test(lane.word(index));
    let end = lane.count;
    while (end > 0 && !runs(end - 1)) end--;
    let start = end;
    while (start > 0 && runs(start - 1)) start--;
    if (start === end) return lane.last;
    return end === lane.count ? `running for ${span(Math.max(0, store.now() - lane.time(start)))}`
      : `${lane.word(end)} after ${span(lane.time(end) - lane.time(start))}`;
  }

  function describe(control, state) {
    const { confirm } = control;
    const told = (value) => value !== null && words(value, control);
    return [["Value", told(state.value)], ["Actual", told(state.actual)],
      ["Position", told(state.position)],
      ["Phase", state.reason ? `✕ ${state.phase}, ${state.reason}` : state.phase],
      ["Flags", words(state.flags, control)], ["Action", control.hasAction && actionTime(control)],
      ["Asked", simulation()?.asked?.[control.id]],
      ["Lamp", control.lamp && [state.pattern, state.color].filter(Boolean).join(", ")],
      ["Staged", state.staged], ["Outputs", state.outputs?.join(", ")],
      ["Confirmed by", confirm && [confirm.by ?? confirm, confirm.time].join(" ")],
      ["Enabled when", control.enabledWhen], ["Lost", `${state.lost} edges`],
    ].filter(([, text]) => text);
  }

  let timer = 0;
  const update = perFrame(() => {
    const control = store.control(store.selected);
    showFaults(Object.entries(simulation()?.faults ?? {}));
    if (!control) return;
    cells(facts, describe(control, store.state(control.id)));
    for (const each of updates) each();
    clearTimeout(timer);
    if (/pending|loading/.test(lanes.action(control).last)) timer = setTimeout(update, 200);
  });

  function showFaults(all) {
    const text = all.map(([line, fault]) => `${line} ${faultNames[fault]}`).join(", ");
    if (text === faults.title) return;
    faults.title = text;
    faults.replaceChildren(...(text ? [make("p", { textContent: `▲ ${text}` }),
      button("Fix all", () => all.forEach(([line]) => befall(line, "restore")))] : []));
  }

  let session = null;
  store.addEventListener("snapshot", ({ detail: { panel, ...snapshot } }) => {
    if (session === snapshot.session) return update();
    session = snapshot.session;
    choice.replaceChildren(...options(panel.controls.map(({ id, label }) => [id, label])));
    if (store.control(store.selected)) build();
    else store.select(panel.controls[0]?.id ?? null);
  });
  store.addEventListener("select", build);
  for (const name of ["state", "events", "waves", "simulation"]) {
    store.addEventListener(name, update);
  }
}
