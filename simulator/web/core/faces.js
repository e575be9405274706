// The groups of a panel as boxes, their rows in them, and how the boxes are packed.

import { draw } from "./draw.js";

const narrowest = 19 * 16; // of a column, in pixels
const mostColumns = 6;

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

// Packs the boxes into columns, in the order of the file, so that the face is as low as it can be.
// They move only when the width of the face changes: never under a hand.
export function pack(place, faces) {
  let width = 0;
  const columns = () => faces.length && place.replaceChildren(...layout(place.clientWidth));
  const spread = (counts) => {
    const rest = [...faces];
    return counts.map((count) => draw("div.column", {}, ...rest.splice(0, count)));
  };
  function layout(room) {
    const fit = Math.max(1, Math.min(mostColumns, faces.length, Math.floor(room / narrowest)));
    let best = { height: Infinity, counts: [faces.length] };
    for (let count = 1; count <= fit; count += 1) {
      // All of them in columns of that width, to see how high they are there.
      const trial = Array.from({ length: count }, () => draw("div.column"));
      trial[0].append(...faces);
      place.replaceChildren(...trial);
      const gap = parseFloat(getComputedStyle(trial[0]).rowGap) || 0;
      const heights = faces.map((face) => face.offsetHeight + gap);
      const counts = cut(heights, count);
      const rest = [...heights];
      const height = Math.max(...counts.map((each) =>
        rest.splice(0, each).reduce((sum, one) => sum + one, 0)));
      if (counts.length === count && height < best.height) best = { height, counts };
    }
    return spread(best.counts);
  }
  new ResizeObserver(() => {
    if (Math.abs(place.clientWidth - width) < 1) return;
    width = place.clientWidth;
    columns();
  }).observe(place);
  width = place.clientWidth;
  columns();
}
