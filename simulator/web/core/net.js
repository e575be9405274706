// The one WebSocket to the panel. It reconnects, and each request gets an answer or a problem.

import { store } from "./store.js";

const answerWithin = 5_000;
const silence = 20_000;
const firstPause = 250;
const longestPause = 5_000;
const unauthorized = 1008; // the code of a close

const hash = location.hash.slice(1);

// A token comes behind `#` of an address that was shown once. It is removed there, so that nobody
// sees it or passes it on. A reload of this tab still needs it.
function takeToken(name, key) {
  const given = new URLSearchParams(hash).get(name);
  // First, because storage may be forbidden.
  if (given) history.replaceState(null, "", location.pathname + location.search);
  try {
    if (given) sessionStorage.setItem(key, given);
    return given ?? sessionStorage.getItem(key);
  } catch {
    return given; // storage is forbidden here
  }
}

class Connection {
  socket = null;
  pause = firstPause;
  retry = 0;
  watchdog = 0;
  lastID = 0;
  waiting = new Map();

  constructor() {
    store.token = takeToken("k", "token");
    store.editToken = takeToken("edit", "edit-token");
    store.transmit = (message) => this.transmit(message);
    document.addEventListener("visibilitychange", () => this.hurry());
    window.addEventListener("online", () => this.hurry());
    this.open();
  }

  settle(id, answer) {
    const request = this.waiting.get(id);
    if (!request) return;
    this.waiting.delete(id);
    clearTimeout(request.timer);
    request.resolve(answer);
  }

  open() {
    clearTimeout(this.retry);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const known = store.snapshot;
    const since = known ? `?since=${known.seq}&session=${known.session}` : "";
    const mine = new WebSocket(`${scheme}://${location.host}/api/v1/events${since}`);
    this.socket = mine;
    mine.onopen = () => {
      if (store.token) mine.send(JSON.stringify({ type: "token", token: store.token }));
      this.listen();
    };
    mine.onmessage = (event) => {
      if (this.socket !== mine) return;
      this.listen();
      const message = JSON.parse(event.data);
      if (message.type === "answer") return this.settle(message.id, message);
      store.receive(message);
      if (store.connected) this.pause = firstPause;
    };
    mine.onclose = (event) => {
      if (this.socket !== mine) return;
      if (event.code === unauthorized) {
        this.pause = longestPause;
        const detail = "open the whole address that the panel shows when it starts";
        store.tell("problem", { title: "The token is missing or wrong", detail });
      }
      this.lose();
    };
  }

  // A pulled cable ends no connection: after a silence, a ping finds out.
  listen() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.prove(), silence);
  }

  // The answer is a word of the panel: where the panel hangs, the server says so.
  async prove() {
    const mine = this.socket;
    const answer = await this.transmit({ type: "ping" });
    if (answer.problem?.status === 503 && this.socket === mine) this.lose();
  }

  lose() {
    const old = this.socket;
    this.socket = null;
    clearTimeout(this.watchdog);
    old?.close();
    store.setConnected(false);
    for (const id of [...this.waiting.keys()]) {
      const detail = "check the panel, then try again";
      this.settle(id, { problem: { title: "The connection was lost", detail } });
    }
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, longestPause);
  }

  hurry() {
    if (this.socket || document.visibilityState === "hidden") return;
    this.pause = firstPause;
    this.open();
  }

  transmit(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      const problem = { title: "Not connected", detail: "wait until the panel is back" };
      return Promise.resolve({ problem });
    }
    const id = ++this.lastID;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const detail = "check the panel, then try again";
        this.settle(id, { problem: { title: "The panel does not answer", detail } });
        this.lose();
      }, answerWithin);
      this.waiting.set(id, { resolve, timer });
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }
}

export const connect = () => new Connection();
