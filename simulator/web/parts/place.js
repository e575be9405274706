// Where an open list is drawn: in the top layer, over everything else, beside its own readout.

const edge = 8; // pixels to the border of the window
const gap = 3; // pixels to the readout

// What a list must leave free: its readout and the knob or buttons that a hand needs now.
function around(elements) {
  const boxes = elements.map((each) => each.getBoundingClientRect()).filter((box) => box.width);
  if (!boxes.length) return null;
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    right: Math.max(...boxes.map((box) => box.right)),
    top: Math.min(...boxes.map((box) => box.top)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

// The sides in the order of preference: where a list goes on each, and how high it may be there.
function sides(size, at, handles, floor) {
  const { width, height } = size;
  const alongside = Math.max(edge, Math.min(at.top, floor - height));
  const across = Math.max(edge, Math.min(at.left, innerWidth - edge - width));
  const isBlocked = handles !== null && handles.top >= at.bottom - gap
    && handles.left < across + width && handles.right > across;
  const under = handles === null ? at.bottom : Math.max(handles.bottom, at.bottom);
  const beside = (left) => ({
    left, top: alongside,
    room: left >= edge && left + width <= innerWidth - edge ? floor - alongside : 0,
  });
  const above = at.top - gap - edge;
  return {
    below: {
      left: across, top: at.bottom + gap, room: isBlocked ? 0 : floor - at.bottom - gap,
    },
    right: beside(Math.max(at.right, handles?.right ?? 0) + gap),
    left: beside(Math.min(at.left, handles?.left ?? Infinity) - gap - width),
    above: { left: across, top: at.top - gap - Math.min(height, above), room: above },
    under: { left: across, top: under + gap, room: floor - under - gap },
  };
}

const covers = (list, box) => list.left < box.right && box.left < list.left + list.width
  && list.top < box.bottom && box.top < list.top + list.height;

// Follows the readout for as long as the list is open. A list keeps its side and its width then.
export class Placing {
  #side = null;
  #width = 0;

  constructor(list, readout, handles) {
    this.list = list;
    this.readout = readout;
    this.handles = handles;
    this.follow = () => this.#place();
    // The plate is laid out after the first state, and again for another window.
    this.watch = new ResizeObserver(() => {
      this.#side = "";
      this.#width = 0;
      this.#place();
    });
  }

  open() {
    if (this.#side !== null) return this.#place();
    this.list.showPopover();
    this.#width = 0;
    for (const type of ["scroll", "resize"]) addEventListener(type, this.follow, true);
    this.watch.observe(this.readout);
    this.#place();
  }

  close() {
    if (this.#side === null) return;
    this.#side = null;
    for (const type of ["scroll", "resize"]) removeEventListener(type, this.follow, true);
    this.watch.disconnect();
    this.list.hidePopover();
  }

  // The parts of other controls, which are best left free.
  #others() {
    const own = this.readout.closest(".unit");
    return [...document.querySelectorAll(".sheet .unit > .part")]
      .filter((each) => !own.contains(each)).map((each) => each.getBoundingClientRect());
  }

  #place() {
    const { style } = this.list;
    const at = this.readout.getBoundingClientRect();
    const scrolled = this.list.scrollTop;
    style.maxHeight = style.width = "";
    const wanted = Math.max(this.#width, at.width, this.list.offsetWidth);
    this.#width = Math.min(wanted, innerWidth - 2 * edge);
    style.width = `${this.#width}px`;
    const size = { width: this.#width, height: this.list.offsetHeight };
    const bench = document.getElementById("bench")?.getBoundingClientRect().top ?? innerHeight;
    const floor = Math.min(bench, innerHeight) - edge;
    const all = sides(size, at, around(this.handles), floor);
    const kept = all[this.#side];
    if (!kept || kept.room < size.height) {
      const names = Object.keys(all).filter((name) => all[name].room >= size.height);
      const parts = this.#others();
      const isFree = (name) => !parts.some((box) => covers({ ...all[name], ...size }, box));
      const most = (one, other) => (all[other].room > all[one].room ? other : one);
      this.#side = names.find(isFree) ?? names[0] ?? Object.keys(all).reduce(most);
    }
    const { left, top, room } = all[this.#side];
    style.left = `${left}px`;
    style.top = `${Math.max(top, edge)}px`;
    style.maxHeight = `${Math.max(room, 0)}px`;
    this.list.scrollTop = scrolled;
  }
}
