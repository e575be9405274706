"""Makes docs/day.md and its picture from the results of `day`."""

import collections
import datetime
import json
import os
import pathlib
import statistics
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "images" / "day.svg"
LEFT, WIDTH, LANE = 130, 960, 30  # of the picture, in pixels
BEGIN, END = 6, 30


def x(hour):
    return round(LEFT + (hour - BEGIN) * WIDTH / (END - BEGIN), 1)


def mark(hour, lane, color, title, width=1.5):
    return (f'<rect x="{x(hour)}" y="{lane * LANE + 6}" width="{width}" height="{LANE - 12}" '
            f'fill="{color}"><title>{title}</title></rect>')


def clock(hour):
    minutes = round(hour * 60)
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def picture(lines):
    """Lanes of what was done, of what went wrong, and of the memory."""
    lanes = ["at the panel", "at Home Assistant", "off by itself", "mishaps", "faults", "memory"]
    height = LANE * (len(lanes) + 3)
    parts = []
    for number, name in enumerate(lanes):
        parts.append(f'<text x="{LEFT - 10}" y="{number * LANE + 20}" text-anchor="end">{name}'
                     "</text>")
        parts.append(f'<path d="M{LEFT} {(number + 1) * LANE}h{WIDTH}" stroke="#8884"/>')
    floor = (len(lanes) + 2) * LANE
    for hour in range(BEGIN, END + 1, 2):
        parts.append(f'<path d="M{x(hour)} 0V{floor}" stroke="#8882"/>')
        parts.append(f'<text x="{x(hour)}" y="{floor + 20}" text-anchor="middle">'
                     f"{hour % 24}</text>")
    notes = [line for line in lines if line["kind"] == "note"]
    mishap = None
    for line in (line for line in lines if not is_noted(line, notes)):
        hour, kind = line["hour"], line["kind"]
        if kind == "switch":
            lane = 1 if line["at"] == "assistant" else 0
            parts.append(mark(hour, lane, "#2a7", f"{line['control']} {line['value']}"))
        elif kind == "auto-off":
            parts.append(mark(hour, 2, "#2a7", f"after {line['seconds']} s"))
        elif kind == "mishap":
            mishap = line
        elif kind == "agreed" and mishap and line["name"] == mishap["name"]:
            width = max(3, x(hour) - x(mishap["hour"]))
            parts.append(mark(mishap["hour"], 3, "#c80", mishap["name"], width))
            mishap = None
        elif kind == "fault":
            text = line["text"].replace("&", "&amp;").replace("<", "&lt;")
            parts.append(mark(hour, 4, "#c22", text, 3))
    memory = [(line["hour"], line["megabytes"]) for line in lines if line["kind"] == "memory"]
    if memory:
        most = max(value for _, value in memory)
        points = " ".join(
            f"{x(hour)},{round(floor - value / most * (3 * LANE - 8), 1)}"
            for hour, value in memory)
        parts.append(f'<polyline points="{points}" fill="none" stroke="#47c" stroke-width="1.5"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{5 * LANE + 40}" text-anchor="end">'
                     f"up to {most} MB</text>")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}" '
            'font-family="sans-serif" font-size="13" fill="#888">\n'
            "<title>A day of a panel: what was switched, what went wrong, and its memory</title>\n"
            + "\n".join(parts) + "\n</svg>\n")


def is_noted(line, notes):
    """Whether a fault is that of the script: a note, which is added by hand, says so."""
    return line["kind"] in ("fault", "late") and any(
        note["from"] <= line["hour"] <= note["to"] for note in notes)


def times(lines, name):
    found = sorted(line[name] for line in lines if line.get(name) is not None)
    if not found:
        return "none"
    return (f"{round(statistics.median(found))} ms in the median, "
            f"{found[-1]} ms at most, of {len(found)}")


def report(lines, when):
    first = lines[0]
    notes = [line for line in lines if line["kind"] == "note"]
    lines = [line for line in lines if not is_noted(line, notes)]
    by_kind = collections.defaultdict(list)
    for line in lines:
        by_kind[line["kind"]].append(line)
    switches, faults = by_kind["switch"], by_kind["fault"]
    calm = [line for line in by_kind["agreed"] if line["name"] == "in between"]
    memory = [line["megabytes"] for line in by_kind["memory"]]
    files = [line["files"] for line in by_kind["memory"]]
    minutes = first["seconds_an_hour"] * (END - BEGIN) / 60
    speed = round(24 * 60 / minutes)
    at = collections.Counter(line["at"] for line in switches)
    yield f"""# A day of a panel

`Tests/HomeAssistant/day` runs `home-lights` for {minutes:.0f} minutes with a broker and a real Home
Assistant ({first["assistant"]}). That is a day from six to six, at {speed} times its speed. People switch
lights at the panel's page and at Home Assistant, more in the evening than at night. The garden's
plug answers after 50 to 800 ms. At fixed hours something goes wrong.

The script looks every ten seconds whether all places have the same values: the panel, its
outputs, the broker, Home Assistant and the two plugs. It looks after each mishap, too, and waits
{60} seconds at most.

This run began on {when:%Y-%m-%d} at {when:%H:%M} UTC.

![What was switched, what went wrong, and the memory](images/day.svg)

At half past nine in the evening the page looked like this:

![The front panel in the evening](images/day-evening.png)

| what | result |
|---|---|
| lights switched | {len(switches)}: {at["panel"]} at the panel, {at["assistant"]} at Home Assistant |
| until the panel showed it | {times(switches, "panel_ms")} |
| until Home Assistant showed it | {times(switches, "assistant_ms")} |
| looks at all places in between | {len(calm)}, all alike |
| places that differed for a moment, and then did not | {len(by_kind["late"])} |
| times that the light of the hall went off by itself | {len(by_kind["auto-off"])} |
| faults | {len(faults)} |
"""
    if memory:
        yield (f"| memory of the panel's processes, MB | {memory[0]} after a minute, "
               f"{statistics.median(memory)} in the median, {max(memory)} at most, "
               f"{memory[-1]} at the end |\n"
               f"| open files of these processes | {files[0]} after a minute, {max(files)} at most, "
               f"{files[-1]} at the end |\n")
    yield """
| hour | mishap | all agreed after |
|---|---|---|
"""
    mishap = None
    for line in lines:
        if line["kind"] == "mishap":
            mishap = line
        elif line["kind"] == "agreed" and mishap and line["name"] == mishap["name"]:
            is_known = line["seconds"] is not None
            took = f"{line['seconds']} s" if is_known else "not judged: see below"
            if not is_known and not any(it["from"] <= line["hour"] <= it["to"] for it in notes):
                took = "no"
            yield f"| {clock(mishap['hour'])} | {mishap['name']} | {took} |\n"
            mishap = None
    yield """
A *power cut* kills all processes of the panel at once. Five seconds later it starts again, and must
have the values from before. A *full disk* is one of 1 MB that is filled; twelve lights are switched
meanwhile. Then there is room again, and the power cut follows: nothing is lost. A *bad file* must be
refused with its place, and change nothing. While *the plug is away*, the garden's lamp first says
that it waits, and then that it failed, with the value from before.

## What it does not show

- The contacts do not move: lines of `detent run` never change without a board. Contacts are
  compared by [two worlds](proof.md#random-users-in-two-worlds).
- A killed process loses what it did not hand to the kernel. It does not lose what the kernel did
  not write yet. The kernel's machine tests that: [State](state.md).
- One panel, one broker and one Home Assistant are on one machine, which did other work meanwhile.
"""
    for note in notes:
        text = f"From {clock(note['from'])} to {clock(note['to'])}: {note['text']}"
        yield textwrap.fill(text, 98, initial_indent="- ", subsequent_indent="  ") + "\n"
    if faults:
        yield "\n## Faults\n\n"
        for line in faults:
            yield f"- {clock(line['hour'])}: {line['text'][:300]}\n"


def main():
    results = pathlib.Path(sys.argv[1])
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    ended = datetime.datetime.fromtimestamp(os.path.getmtime(results), datetime.timezone.utc)
    seconds = (lines[-1]["hour"] - BEGIN) * lines[0]["seconds_an_hour"]
    when = ended - datetime.timedelta(seconds=seconds)
    PICTURE.write_text(picture(lines), encoding="utf-8")
    (ROOT / "docs" / "day.md").write_text("".join(report(lines, when)), encoding="utf-8")


if __name__ == "__main__":
    main()
