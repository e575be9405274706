// The panel file beside the panel: its text with colours, its problems and what removes them. The
// engine is that of `detent check`; the browser asks for this file when the drawer is opened.

import { store } from "../core/store.js";
import { button, make, say, title } from "./tools.js";

const pause = 120; // milliseconds without a key before the text is checked
const restful = 600; // milliseconds before fixes are looked for, which takes longer

// What a line has, in the order in which it is looked for: a comment, a text, a key, a placeholder,
// a number and a word with a meaning.
const words = new RegExp([
  /(?<comment>(?<=^|\s)#.*$)/, /(?<text>"(?:[^"\\]|\\.)*"?|'[^']*'?)/,
  /(?<key>[\w.-]+(?=:(?:\s|$)))/, /(?<hole>\$?\{[\w:./-]+\})/,
  /(?<number>(?<![\w-])-?\d[\w.%]*)/, /(?<word>(?<![\w-])(?:on|off|true|false|none)(?![\w-]))/,
].map(({ source }) => source).join("|"), "g");

/** The parts of a line, `[from, to, what it is]`. */
function colours(line) {
  return [...line.matchAll(words)].map((found) => {
    const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    return [found.index, found.index + found[0].length, kind];
  });
}

/** A line as elements: cut wherever a colour or a mark begins or ends. */
function painted(line, marks) {
  const parts = colours(line);
  const ends = (list) => list.flatMap(([from, to]) => [from, to]);
  const cuts = [...new Set([0, line.length, ...ends(parts), ...ends(marks)])]
    .filter((place) => place >= 0 && place <= line.length).sort((one, other) => one - other);
  return cuts.slice(0, -1).map((from, place) => {
    const text = line.slice(from, cuts[place + 1]);
    const at = (list) => list.find((part) => part[0] <= from && from < part[1])?.[2];
    const [className, mark] = [at(parts), at(marks)];
    if (!className && !mark) return text;
    return make("span", { className: className ?? "", textContent: text,
      ...mark && { "data-mark": mark } });
  });
}

const phrase = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

const isForeign = "▲ Another program has changed the file. Load it; undo brings your text back.";
const isIn = (line, control) => control.line <= line && line < (control.end ?? Infinity);

// That of a simulator that has ended: after a reload of the page, the drawer is gone.
function forgetToken() {
  try {
    sessionStorage.removeItem("edit-token");
  } catch {
    // Storage is forbidden here, and nothing was kept.
  }
}

async function ask(method, body) {
  const headers = { "Detent-Edit": store.editToken };
  try {
    const answer = await store.fetch("api/v1/file",
      { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (answer.status === 403) forgetToken();
    return { ok: answer.ok, status: answer.status, ...(await answer.json()) };
  } catch {
    return { ok: false, title: "The panel does not answer", detail: "try again when it is back" };
  }
}

class FileDrawer {
  saved = ""; // the text of the file as it was read or saved
  revision = null;
  name = "";
  lines = []; // as they are painted
  problems = null; // of the text; null until it was checked
  controls = [];
  timers = [];
  asked = 0; // counts the texts that were sent
  isSaving = false;
  isPointing = false; // it is this drawer that selects

  constructor(element) {
    this.element = element;
    this.paper = make("pre", { "aria-hidden": "true" });
    this.area = make("textarea", { spellcheck: false, autocapitalize: "off", wrap: "off",
      "aria-label": "Panel file", "aria-describedby": "file-state" });
    this.state = make("span", { id: "file-state", className: "hint", role: "status" });
    this.saveButton = button("Save", () => this.save(), { disabled: true });
    this.loadButton = button("Load it", () => this.read(true), { hidden: true });
    this.list = make("ul", { className: "problems", "aria-label": "Problems of the file" });
    element.className = "tool";
    element.append(title("File"), make("div", { className: "bar" }, this.saveButton,
      button("Undo", () => this.edit("undo")), button("Redo", () => this.edit("redo")),
      this.loadButton, this.state),
    make("div", { className: "code" }, this.paper, this.area), this.list);
    this.#listen();
  }

  #listen() {
    const { area } = this;
    area.addEventListener("input", () => this.changed());
    area.addEventListener("scroll", () => this.follow());
    area.addEventListener("keydown", (event) => this.takeKey(event));
    document.addEventListener("selectionchange", () => this.point());
    // A part that is touched leads to its lines.
    store.addEventListener("select", ({ detail: id }) => {
      const control = this.isPointing ? null : this.controls.find((each) => each.id === id);
      if (!control || !this.element.clientHeight) return;
      this.tint(control);
      this.goTo(control);
    });
    store.addEventListener("snapshot", () => this.read(false));
    addEventListener("beforeunload", (event) =>
      area.value !== this.saved && event.preventDefault());
  }

  takeKey(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      this.save();
    } else if (event.key === "Enter" && !event.isComposing) {
      // The next line begins where this one does, and deeper after a colon.
      event.preventDefault();
      const line = this.area.value.slice(0, this.area.selectionStart).split("\n").at(-1);
      const deeper = /:\s*(#.*)?$/.test(line) ? "  " : "";
      this.edit("insertText", `\n${line.match(/^ */)[0]}${deeper}`);
    }
  }

  // A change as if it were typed, so that undo takes it back.
  edit(command, text) {
    this.area.focus();
    document.execCommand(command, false, text);
  }

  replace(from, to, text) {
    this.area.setSelectionRange(from, to);
    this.edit(text ? "insertText" : "delete", text);
  }

  // The file

  async read(isWanted) {
    const answer = await ask("GET");
    if (!answer.ok) return this.complain(answer);
    const isFirst = this.revision === null;
    const { area } = this;
    if (answer.revision === this.revision && !isWanted) return;
    if (!isFirst && area.value !== this.saved && !isWanted) {
      this.loadButton.hidden = false;
      return this.tell();
    }
    this.revision = answer.revision;
    this.name = answer.name;
    this.saved = answer.text;
    this.loadButton.hidden = true;
    if (isFirst) {
      area.value = this.saved;
      area.setSelectionRange(0, 0);
    } else if (area.value !== this.saved) {
      this.replace(0, area.value.length, this.saved);
    }
    this.changed();
  }

  async save() {
    if (this.saveButton.disabled || this.isSaving) return;
    const text = this.area.value;
    this.isSaving = true;
    const answer = await ask("PUT", { text, revision: this.revision });
    this.isSaving = false;
    if (answer.status === 412) this.loadButton.hidden = false;
    if (!this.loadButton.hidden) return this.tell();
    if (!answer.ok) return this.complain(answer);
    this.revision = answer.revision;
    this.saved = text;
    this.tell();
  }

  // What is said of it

  complain({ title: cause, detail }) {
    say(this.state, `✕ ${cause}: ${detail}`);
  }

  tell() {
    const isNew = this.area.value !== this.saved;
    this.saveButton.disabled = !isNew;
    if (!this.loadButton.hidden) return say(this.state, isForeign);
    const words = [isNew ? "● not saved" : `✓ ${this.name} is saved`];
    if (this.problems) {
      const errors = this.problems.filter(({ severity }) => severity === "error").length;
      const warnings = this.problems.length - errors;
      const counts = [errors && phrase(errors, "error"), warnings && phrase(warnings, "warning")];
      words.push(counts.filter(Boolean).join(", ") || "no problems");
    }
    say(this.state, words.join(" · "));
  }

  changed() {
    this.paint();
    this.tell();
    this.timers.forEach(clearTimeout);
    this.timers = [setTimeout(() => this.check(false), pause),
      setTimeout(() => this.check(true), restful)];
  }

  async check(withFixes) {
    const text = this.area.value;
    const mine = ++this.asked;
    const answer = await ask("POST", { text, fixes: withFixes });
    if (mine !== this.asked || text !== this.area.value) return; // a later text is on its way
    if (!answer.ok) return this.complain(answer);
    this.problems = answer.problems;
    this.controls = answer.controls;
    this.paint();
    this.tell();
    this.showProblems();
    this.point();
  }

  #marks(number, length) {
    return (this.problems ?? [])
      .filter(({ line, endLine }) => line <= number && number <= endLine)
      .map(({ line, endLine, character, endCharacter, severity }) => {
        const from = line === number ? character : 0;
        const to = endLine === number ? Math.max(endCharacter, from + 1) : length;
        // What is behind the end of a line is marked at its last sign.
        return [Math.max(0, Math.min(from, length - 1)), Math.min(to, length), severity];
      });
  }

  // Only lines that differ are made anew.
  paint() {
    const { paper, lines } = this;
    const texts = this.area.value.split("\n");
    texts.forEach((text, number) => {
      const marks = this.#marks(number, text.length);
      const key = JSON.stringify([text, marks]);
      if (lines[number] === key) return;
      lines[number] = key;
      const severity = marks.some((mark) => mark[2] === "error") ? "error" : marks[0]?.[2] ?? "";
      const row = make("span", { className: "line" }, ...painted(text, marks), "\n");
      if (severity) row.dataset.severity = severity;
      if (paper.children[number]) paper.children[number].replaceWith(row);
      else paper.append(row);
    });
    while (paper.children.length > texts.length) paper.lastChild.remove();
    lines.length = texts.length;
    this.follow();
  }

  follow() {
    this.paper.scrollTop = this.area.scrollTop;
    this.paper.scrollLeft = this.area.scrollLeft;
  }

  showProblems() {
    const { list } = this;
    const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    list.replaceChildren(...this.problems.map((problem) => {
      const { line, severity, text, help, fixes } = problem;
      const words = `${severity === "error" ? "✕" : "▲"} ${line + 1}: ${text}`;
      const where = button(words, () => {
        this.area.focus();
        this.goTo(problem);
      }, { className: "where" });
      const buttons = fixes.map((fix) =>
        button(fix.title, () => this.replace(...this.#ends(fix), fix.insert)));
      const hint = help && !fixes.length ? [make("span", { textContent: help })] : [];
      return make("li", { "data-mark": severity }, where, ...buttons, ...hint);
    }));
    list.querySelectorAll("button")[focused]?.focus();
  }

  // Places

  #ends({ line, character = 0, endLine = line, endCharacter = character }) {
    const lines = this.area.value.split("\n");
    const offset = (end, more) =>
      lines.slice(0, end).reduce((sum, text) => sum + text.length + 1, 0) + more;
    return [offset(line, character), offset(endLine, endCharacter)];
  }

  goTo(place) {
    const { area } = this;
    area.setSelectionRange(...this.#ends(place));
    const height = area.scrollHeight / Math.max(1, this.lines.length);
    const top = place.line * height;
    if (top < area.scrollTop || top > area.scrollTop + area.clientHeight - 2 * height) {
      area.scrollTop = top - area.clientHeight / 3;
    }
    this.follow();
  }

  // The lines of the control that is outlined on the panel.
  tint(control) {
    [...this.paper.children].forEach((row, line) =>
      row.toggleAttribute("data-here", Boolean(control) && isIn(line, control)));
  }

  // The control under the cursor is outlined on the panel.
  point() {
    const { area } = this;
    if (document.activeElement !== area) return;
    const line = area.value.slice(0, area.selectionStart).split("\n").length - 1;
    const here = this.controls.find((control) => isIn(line, control));
    this.tint(here);
    if (!here || !store.control(here.id)) return;
    this.isPointing = true;
    store.select(here.id);
    this.isPointing = false;
  }
}

export const mount = (element) => new FileDrawer(element);
