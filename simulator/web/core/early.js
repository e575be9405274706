// What the panel is asked for before the page is read: its state, and the places of its parts. The
// panel answers while the browser reads the rest. This is no module, as those wait until the page
// is read; it needs no other file, and leaves `early` to them.
{
  const margin = 8; // pixels around the plate
  const leastWidth = 600; // pixels of a window whose header and bar are one row each
  const heightOfHeader = 32; // pixels, with the letters that a browser has by itself
  const heightOfBar = { fine: 44, coarse: 58 };

  // A connection to the panel; it says first who it is.
  const openSocket = (query = "") => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/events${query}`);
    socket.addEventListener("open", () => {
      if (token) socket.send(JSON.stringify({ type: "token", token }));
    });
    return socket;
  };

  // The first connection, and what is heard on it before somebody listens. It comes before storage
  // is read, for which a browser takes as long as for an answer.
  const socket = openSocket();
  const heard = [];
  socket.onmessage = (event) => heard.push(event);

  // What stands behind `#` of the address.
  const given = new URLSearchParams(location.hash.slice(1));

  // A token comes behind `#` of an address that was shown once. It is removed there, so that
  // it is neither seen nor passed on. A reload of this tab still needs it.
  const takeToken = (name, key) => {
    const own = given.get(name);
    // First, because storage may be forbidden.
    if (own) history.replaceState(null, "", location.pathname + location.search);
    try {
      if (own) sessionStorage.setItem(key, own);
      return own ?? sessionStorage.getItem(key);
    } catch {
      return own; // storage is forbidden here
    }
  };

  const token = takeToken("k", "token");

  // The room for a plate in so much of the window.
  const roomFor = (width, height) => [width - margin, Math.max(height - 2 * margin, 1)];

  const askFace = ([width, height]) => {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const answer = fetch(`/api/v1/face?width=${width}&height=${height}`, { headers });
    answer.catch(() => {}); // asked again
    return answer;
  };

  // The question for the first picture, for the room that a plate most likely has. Where it has
  // another one, it is asked for again.
  const askEarly = () => {
    if (innerWidth < leastWidth) return null;
    const bar = heightOfBar[matchMedia("(pointer: coarse)").matches ? "coarse" : "fine"];
    const size = roomFor(innerWidth, innerHeight - heightOfHeader - bar);
    return { size, answer: askFace(size) };
  };

  const face = askEarly();
  const editToken = takeToken("edit", "edit-token");
  globalThis.early = { given, token, editToken, openSocket, socket, heard, roomFor, askFace, face };

  // Before anything is painted.
  try {
    const theme = localStorage.getItem("theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is forbidden here.
  }
}
