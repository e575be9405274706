// What the page knows of the panel, and how it asks for more. The connection fills it.

const nanoseconds = 1e6; // in a millisecond
const longestDelay = 250; // milliseconds that a message may be late

class Store extends EventTarget {
  snapshot = null;
  connected = false;
  selected = null;
  // The connection puts its own in place of these.
  transmit = async () => ({ problem: { title: "Not connected", detail: "wait for the panel" } });
  token = null;
  editToken = null;

  #controls = new Map();
  #states = new Map();
  #base = { at: 0, when: 0 };

  // Who comes later than a snapshot hears the last one, once it has come to rest.
  addEventListener(type, listener, options) {
    super.addEventListener(type, listener, options);
    if (type !== "snapshot" || !this.snapshot) return;
    queueMicrotask(() => listener(new CustomEvent(type, { detail: this.snapshot })));
  }

  control(id) {
    return this.#controls.get(id);
  }

  state(id) {
    return this.#states.get(id);
  }

  select(id) {
    if (id === this.selected) return;
    this.selected = id;
    this.tell("select", id);
  }

  // Whether all lamps are lit to see that they can be.
  get isLampTest() {
    const state = this.state(this.snapshot?.panel.lampTest);
    return state?.value === "on" || (state?.value === null && state.pressed.length > 0);
  }

  // The panel's clock in nanoseconds, as far as it can be known here.
  now() {
    const clock = this.snapshot?.clock ?? { running: true, rate: 1 };
    if (!clock.running || !this.connected) return this.#base.at;
    return this.#base.at + (performance.now() - this.#base.when) * nanoseconds * clock.rate;
  }

  // Answers with the answer, which has a `problem` where nothing was done; it never rejects.
  send(message) {
    return this.transmit(message);
  }

  // As the browser's own fetch, with the token where one is needed.
  fetch(path, options = {}) {
    const headers = { ...options.headers };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    return fetch(path, { ...options, headers });
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  setConnected(connected) {
    if (connected === this.connected) return;
    this.#base = { at: this.now(), when: performance.now() };
    this.connected = connected;
    this.tell("connection", connected);
  }

  // Takes a message of the panel.
  receive(message) {
    switch (message.type) {
      case "snapshot":
        this.#takeSnapshot(message);
        break;
      case "state":
        this.#synchronize(message.at, !this.connected);
        for (const [id, state] of Object.entries(message.state)) this.#states.set(id, state);
        if (this.snapshot) Object.assign(this.snapshot.state, message.state);
        this.setConnected(true); // whoever comes back is told all states, and no snapshot
        this.tell("state", Object.keys(message.state));
        break;
      case "events":
        if (message.events.length) {
          const last = message.events.at(-1);
          this.#synchronize(last.at);
          if (this.snapshot) this.snapshot.seq = last.seq;
        }
        this.tell("events", message.events);
        break;
      case "waves":
        this.#synchronize(message.until);
        this.tell("waves", message);
        break;
      case "clock":
        this.#synchronize(message.at, true);
        if (this.snapshot) {
          this.snapshot.clock = { running: message.running, rate: message.rate };
        }
        this.tell("clock", message);
        break;
      case "reload":
        if (message.result === "refused") {
          const lines = message.text.split("\n");
          const detail = lines.find((line) => line.includes("error:")) ?? lines[0];
          this.tell("problem", { title: "The changed panel file is not used", detail });
        }
        break;
      case "simulation":
        if (this.snapshot) this.snapshot.simulation = message;
        this.tell("simulation", message);
    }
  }

  #takeSnapshot(message) {
    this.#controls = new Map(message.panel.controls.map((control) => [control.id, control]));
    this.#states = new Map(Object.entries(message.state));
    this.snapshot = message;
    this.#synchronize(message.at, true);
    if (this.selected !== null && !this.#controls.has(this.selected)) this.select(null);
    this.setConnected(true);
    this.tell("snapshot", message);
  }

  // A message is never early: what is later than the estimate corrects it, and what is much
  // earlier as well.
  #synchronize(at, surely = false) {
    const ahead = this.now() - at;
    const bound = longestDelay * nanoseconds * (this.snapshot?.clock?.rate ?? 1);
    if (surely || ahead < 0 || ahead > bound) this.#base = { at, when: performance.now() };
  }
}

export const store = new Store();
