// The one WebSocket to the panel. It reconnects, and each request gets an answer or a problem.

import { store } from "./store.js";

const { editToken, heard, openSocket, socket: first, token } = globalThis.early;
const answerWithin = 5_000;
const silence = 20_000;
const firstPause = 250;
const longestPause = 5_000;
const unauthorized = 1008; // the code of a close

class Connection {
  socket = null;
  pause = firstPause;
  retry = 0;
  watchdog = 0;
  lastID = 0;
  waiting = new Map();

  constructor() {
    store.token = token;
    store.editToken = editToken;
    store.transmit = (message) => this.transmit(message);
    document.addEventListener("visibilitychange", () => this.hurry());
    window.addEventListener("online", () => this.hurry());
    this.adopt();
  }

  // Takes the connection that was opened before the page was read, where it still holds.
  adopt() {
    if (first.readyState > WebSocket.OPEN) return this.open();
    this.follow(first);
    if (first.readyState === WebSocket.OPEN) this.listen();
    // As messages come: not before the page listens.
    queueMicrotask(() => heard.splice(0).forEach((event) => first.onmessage?.(event)));
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
    const known = store.snapshot;
    const since = known ? `?since=${known.seq}&session=${known.session}` : "";
    this.follow(openSocket(since));
  }

  follow(mine) {
    this.socket = mine;
    mine.onopen = () => this.listen();
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
