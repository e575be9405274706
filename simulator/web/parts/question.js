// The confirmation of a destructive item, inside its menu. What confirms is never where the finger
// was that chose the item, so a second tap at the same place fires nothing.

import { draw, put, say, warning } from "../core/draw.js";

export class Question {
  #isOnYes = false;
  #finger = null;

  // `cancel` is called for a way out. Whoever made the question says what `yes` does.
  constructor(id, cancel) {
    const row = (name, word, role) => draw(
      "li.option", { role: "menuitem", id: `${id}-${name}`, "data-role": role },
      draw("span", { text: word }));
    this.title = draw("li.asked", { role: "presentation" });
    this.text = draw("li.asked.hint", { role: "presentation" });
    this.yes = row("yes", "", "destructive");
    this.words = this.yes.firstChild;
    this.yes.append(warning());
    this.no = row("no", "Cancel");
    this.no.dataset.finger = ""; // a press here is none on the button behind the list
    this.no.addEventListener("click", cancel);
    this.rows = [this.title, this.yes, this.text, this.no];
    this.hide();
  }

  get isShown() {
    return !this.title.hidden;
  }

  // The row that a key chooses.
  get active() {
    return this.#isOnYes ? this.yes : this.no;
  }

  // `finger` is the box of the item that was chosen.
  show(word, text, finger) {
    if (this.isShown) return;
    say(this.title, `${word}?`);
    say(this.words, word);
    say(this.text, text);
    for (const row of this.rows) row.hidden = false;
    this.#isOnYes = false;
    this.#mark();
    this.#finger = finger;
  }

  // Swaps the two answers where the one that confirms came to lie under the finger.
  settle() {
    const finger = this.#finger;
    if (!this.isShown || finger === null) return;
    const box = this.yes.getBoundingClientRect();
    const isUnder = box.top < finger.bottom && box.bottom > finger.top
      && box.left < finger.right && box.right > finger.left;
    if (!isUnder) return;
    const isFirst = this.yes.compareDocumentPosition(this.no) & Node.DOCUMENT_POSITION_FOLLOWING;
    const order = isFirst ? [this.no, this.text, this.yes] : [this.yes, this.text, this.no];
    this.title.after(...order);
  }

  hide() {
    for (const row of this.rows) row.hidden = true;
    this.#finger = null;
  }

  move() {
    this.#isOnYes = !this.#isOnYes;
    this.#mark();
  }

  #mark() {
    put(this.yes, "data-focus", this.#isOnYes || null);
    put(this.no, "data-focus", this.#isOnYes ? null : true);
  }
}
