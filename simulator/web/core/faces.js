// The groups of a panel as boxes, their rows in them, and how the boxes are packed.

import { draw } from "./draw.js";

const narrowest = 19 * 16; // of a column, in pixels
const mostColumns = 6;
const mostStretch = 160; // pixels

// Groups in the order of their first control, rows in theirs. Members of a checkbox group are
// indented under it where they share its group.
export function arrange(controls, units, panelName) {
  const groups = new Map();
  const isUnder = (control) => {
    const above = controls.find((each) => each.id === control.parent);
    return above && above.group === control.group;
  };
  const branch = (control) => {
    const { element } = units.get(control.id);
    const under = controls.filter((each) => each.parent === control.id && isUnder(each));
    if (!under.length) return element;
    return draw(
      "div.branch.wide", { role: "group", "aria-labelledby": `c-${control.id}-label` }, element,
      draw("div.under", {}, ...under.map(branch)));
  };
  for (const control of controls) {
    if (isUnder(control)) continue;
    if (!groups.has(control.group)) groups.set(control.group, new Map());
    const rows = groups.get(control.group);
    if (!rows.has(control.row)) rows.set(control.row, []);
    rows.get(control.row).push(branch(control));
  }
  return [...groups].map(([group, rows], place) => {
    const id = `face-${place}`;
    const sorted = [...rows].sort(([one], [other]) => one - other).map(([, cells]) => cells);
    return draw(
      "section.face", { "aria-labelledby": id },
      draw("h2", { id, text: group ?? panelName }),
      ...sorted.map((cells) => draw("div.row", {}, ...cells)));
  });
}

// Cuts a row of heights into so many columns that the highest one is as low as it can be; answers
// with the number of boxes in each.
function cut(heights, count) {
  const fill = (most) => {
    const columns = [0];
    let height = 0;
    for (const each of heights) {
      if (height > 0 && height + each > most) {
        columns.push(0);
        height = 0;
      }
      columns[columns.length - 1] += 1;
      height += each;
    }
    return columns;
  };
  let low = Math.max(...heights);
  let high = heights.reduce((sum, each) => sum + each, 0);
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (fill(middle).length <= count) high = middle;
    else low = middle;
  }
  return fill(fill(low).length <= count ? low : high);
}

// How the boxes stand in so many columns: how many in each, how high each column is, and how much of
// the face is left empty below them.
function trial(place, faces, count) {
  const columns = Array.from({ length: count }, () => draw("div.column"));
  columns[0].append(...faces);
  place.replaceChildren(...columns);
  const gap = parseFloat(getComputedStyle(columns[0]).rowGap) || 0;
  const heights = faces.map((face) => face.offsetHeight + gap);
  const counts = cut(heights, count);
  const sums = counts.map((each) =>
    heights.splice(0, each).reduce((sum, height) => sum + height, 0));
  const height = Math.max(...sums);
  const holes = sums.filter((sum) => !isLevel(sum, height)).map((sum) => height - sum);
  const cost = height * counts.length + holes.reduce((sum, hole) => sum + hole, 0);
  return { counts, sums, height, cost: cost / counts.length };
}

// The boxes of a column that is nearly as high as the highest end on the same line as that one.
const isLevel = (sum, height) => height - sum <= mostStretch;

// Packs the boxes into columns, in the order of the file, so that the face is as low as it can be.
// They move only when the width of the face changes: never under a hand.
export function pack(place, faces) {
  let width = 0;
  function layout() {
    if (!faces.length) return;
    width = place.clientWidth;
    const fit = Math.max(1, Math.min(mostColumns, faces.length, Math.floor(width / narrowest)));
    const trials = Array.from({ length: fit }, (_, index) => trial(place, faces, index + 1))
      .filter(({ counts }, index) => counts.length === index + 1);
    const best = trials.reduce((one, other) => (other.cost < one.cost ? other : one));
    const rest = [...faces];
    place.replaceChildren(...best.counts.map((count, index) => draw(
      "div.column", { "data-level": isLevel(best.sums[index], best.height) ? "" : null },
      ...rest.splice(0, count))));
  }
  new ResizeObserver(() => {
    if (Math.abs(place.clientWidth - width) >= 1) layout();
  }).observe(place);
  layout();
}
