// Every wire of the panel on the header of its board.

import { store } from "../core/store.js";
import { button, fileName, keep, make, say, title } from "./tools.js";

const noBoard = "The panel names no board: write `board: NAME` in the panel file";

export function mount(element) {
  const picture = make("img", { alt: "The header of the board with every wire", hidden: true });
  const reason = make("p", { className: "hint" });
  const save = button("Save SVG", () => keep(fileName("-wiring.svg"), [drawing]), { hidden: true });
  let drawing = "";
  let session = null; // whose wiring is shown
  element.className = "tool";
  element.append(title("Wiring"), make("div", { className: "bar" }, save, reason), picture);

  // A drawer that nobody opens asks for nothing.
  async function draw() {
    const asked = store.snapshot?.session;
    if (!asked || asked === session || !element.clientHeight) return;
    session = asked;
    drawing = "";
    say(reason, store.snapshot.panel.board ? "" : noBoard);
    if (store.snapshot.panel.board) {
      const answer = await store.fetch("api/v1/wiring").catch(() => null);
      if (answer?.ok) drawing = await answer.text();
      else session = null; // the next snapshot asks again
    }
    if (drawing) picture.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
    picture.hidden = save.hidden = !drawing;
  }

  store.addEventListener("snapshot", draw);
  new ResizeObserver(draw).observe(element);
}
