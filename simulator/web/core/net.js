// The one WebSocket to the panel. It reconnects, and each request gets an answer or a problem.

import { store } from "./store.js";

const answerWithin = 5_000;
const silence = 20_000;
const firstPause = 250;
const longestPause = 5_000;
const unauthorized = 1008; // the code of a close

// The token stands behind `#` of the address that was shown once; it must not stay there to be
// seen and passed on. A reload of this tab still needs it.
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("k");
  try {
    if (given) sessionStorage.setItem("token", given);
    if (given) history.replaceState(null, "", location.pathname + location.search);
    return given ?? sessionStorage.getItem("token");
  } catch {
    return given; // storage is forbidden here
  }
}

export function connect() {
  let socket = null;
  let pause = firstPause;
  let retry = 0;
  let watchdog = 0;
  let lastID = 0;
  const waiting = new Map();
  store.token = takeToken();

  function settle(id, answer) {
    const request = waiting.get(id);
    if (!request) return;
    waiting.delete(id);
    clearTimeout(request.timer);
    request.resolve(answer);
  }

  function open() {
    clearTimeout(retry);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const known = store.snapshot;
    const since = known ? `?since=${known.seq}&session=${known.session}` : "";
    const mine = new WebSocket(`${scheme}://${location.host}/api/v1/events${since}`);
    socket = mine;
    mine.onopen = () => {
      if (store.token) mine.send(JSON.stringify({ type: "token", token: store.token }));
      listen();
    };
    mine.onmessage = (event) => {
      if (socket !== mine) return;
      listen();
      const message = JSON.parse(event.data);
      if (message.type === "answer") return settle(message.id, message);
      store.receive(message);
      if (store.connected) pause = firstPause;
    };
    mine.onclose = (event) => {
      if (socket !== mine) return;
      if (event.code === unauthorized) {
        pause = longestPause;
        const detail = "open the whole address that the panel has shown at its start";
        store.tell("problem", { title: "The token is missing or wrong", detail });
      }
      lose();
    };
  }

  // A cable that was pulled ends no connection: after a silence the panel is asked for a word.
  function listen() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => transmit({ type: "ping" }), silence);
  }

  function lose() {
    const old = socket;
    socket = null;
    clearTimeout(watchdog);
    old?.close();
    store.setConnected(false);
    for (const id of [...waiting.keys()]) {
      settle(id, { problem: { title: "The connection was lost", detail: "look, then try again" } });
    }
    clearTimeout(retry);
    retry = setTimeout(open, pause * (0.75 + Math.random() / 2));
    pause = Math.min(2 * pause, longestPause);
  }

  function hurry() {
    if (socket || document.visibilityState === "hidden") return;
    pause = firstPause;
    open();
  }

  function transmit(message) {
    if (socket?.readyState !== WebSocket.OPEN) {
      const problem = { title: "Not connected", detail: "wait until the panel is back" };
      return Promise.resolve({ problem });
    }
    const id = ++lastID;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        settle(id, { problem: { title: "The panel does not answer", detail: "look, try again" } });
        lose();
      }, answerWithin);
      waiting.set(id, { resolve, timer });
      socket.send(JSON.stringify({ ...message, id }));
    });
  }

  store.transmit = transmit;
  document.addEventListener("visibilitychange", hurry);
  window.addEventListener("online", hurry);
  open();
}
