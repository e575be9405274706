"""A day of the panel `home-lights` with a broker, a Home Assistant, people and mishaps; `day` calls it.

Writes one JSON line for each thing that happened: `hour` is the hour of the day, from 6 to 30.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from bench import Bench, free_port
from client import Refusal, request, until
from day_devices import Plug, Retained, Shed, end_listening

ROOT = pathlib.Path(__file__).resolve().parents[2]
PANEL = ROOT / "panels" / "home-lights" / "panel.yaml"
BEGIN, END = 6, 30  # hours: from six in the morning to six in the morning
LIGHTS = ["kitchen", "dining", "living", "hall", "porch", "garden", "shed"]
# Switched so many times an hour of the day, from this hour on.
PACE = [(6, 12), (9, 5), (12, 8), (14, 4), (17, 16), (22, 10), (24, 2), (29, 6)]
SOON = 2  # seconds until the panel shows a value that it was given
SHOWN = 5  # seconds until Home Assistant shows it
AGREED = 60  # seconds until all agree again after a mishap
AUTO_OFF = 25  # seconds: five minutes, at 12 times the speed


class Day:
    def __init__(self, bench, results, seed, minutes):
        self.bench, self.results = bench, results
        self.random = random.Random(seed)
        self.seconds_an_hour = minutes * 60 / (END - BEGIN)
        self.plug = Plug(free_port(), self.random)
        self.state_folder = bench.path("state")
        self.faults = 0
        self.values = {}
        self.hall_since = None
        self.dali = bench.path("dali")
        self.text = self.panel_text()
        self.began = None

    def panel_text(self):
        """The panel's file, at the addresses and with the speed of this day."""
        text = PANEL.read_text()
        text = re.sub(r"mqtt:\n  url: .*\n  user: .*\n  password: .*\n",
                      'mqtt:\n  url: "BROKER"\n', text)
        text = text.replace("http://garden-plug.lan", f"http://127.0.0.1:{self.plug.port}")
        text = text.replace("auto-off: 5min", f"auto-off: {AUTO_OFF}s")
        program = self.bench.write("dali-level", f'#!/bin/sh\necho "$2" >{self.dali}\n')
        os.chmod(program, 0o755)
        return text.replace("run: [dali-level", f"run: [{program}")

    # What happened

    @property
    def hour(self):
        return BEGIN + (time.monotonic() - self.began) / self.seconds_an_hour

    def tell(self, kind, **more):
        line = {"hour": round(self.hour, 3), "kind": kind, **more}
        self.results.write(json.dumps(line) + "\n")
        self.results.flush()
        if kind != "memory":
            print(json.dumps(line), flush=True)

    def fault(self, text):
        self.faults += 1
        self.tell("fault", text=text)

    # The three places where a value is seen

    def at_panel(self, control):
        return self.bench.panel_state(control)

    def entity(self, control):
        return f"switch.detent_ground_floor_lights_{control}"

    def at_assistant(self, control):
        entity = self.entity(control)
        try:
            return self.bench.assistant.get(f"/api/states/{entity}")["state"]
        except (OSError, ValueError) as error:
            return f"none ({error})"

    def differences(self):
        """Where the panel, the broker, Home Assistant and the devices do not agree."""
        found = []
        try:
            states = self.bench.panel_state()
            assistant = self.bench.assistant.states()
        except (OSError, ValueError) as error:
            return [f"no answer: {error}"]
        for control in LIGHTS:
            state = states[control]
            value = state["value"]
            stored = self.retained.value(f"detent/ground-floor-lights/{control}/state")
            there = assistant.get(self.entity(control), {}).get("state")
            places = {"panel": value, "broker": stored, "assistant": there,
                      "device": state["actual"]}
            if control == "garden":
                places["plug"] = self.plug.value
            if control == "shed":
                places["plug"] = self.shed.value
            if len(set(places.values())) > 1 or state["phase"] != "idle":
                found.append(f"{control}: {places}, {state['phase']}")
        if os.path.exists(self.dali):
            said = pathlib.Path(self.dali).read_text().strip()
            if states["level"]["phase"] == "idle" and said != str(states["level"]["value"]):
                found.append(f"level: panel {states['level']['value']}, lamp {said}")
        return found

    def agree(self, seconds, why):
        """Waits until all agree; tells how long that took."""
        began = time.monotonic()
        found = self.differences
        last = None

        def right():
            nonlocal last
            last = found()
            return not last

        if until(seconds, right, pause=0.5):
            return round(time.monotonic() - began, 1)
        self.fault(f"{why}: after {seconds} s they differ: {last}")
        return None

    # People

    def switch(self, control, value, at_assistant):
        """Switches a light at the panel's page or at Home Assistant."""
        began = time.monotonic()
        where = "assistant" if at_assistant else "panel"
        try:
            if at_assistant:
                service = "turn_on" if value == "on" else "turn_off"
                self.bench.assistant.call(f"switch.{service}", entity_id=self.entity(control))
            else:
                self.bench.set_at_panel(control, value)
        except (OSError, ValueError) as error:
            self.fault(f"{control} {value} at the {where}: {error!r} {error.strerror or ''}")
            return
        took = None
        if until(SOON, lambda: self.at_panel(control)["value"] == value, pause=0.02):
            took = round((time.monotonic() - began) * 1000)
        else:
            self.fault(f"{control} {value} at the {where}: the panel does not show it")
        if control == "hall":
            self.hall_since = time.monotonic() if value == "on" else None
        slow = control in ("garden", "shed")
        if self.calm and until(SHOWN if slow else SOON,
                               lambda: self.at_assistant(control) == value, pause=0.02):
            shown = round((time.monotonic() - began) * 1000)
        else:
            shown = None
            if self.calm:
                self.fault(f"{control} {value}: Home Assistant does not show it")
        self.tell("switch", control=control, value=value, at=where, panel_ms=took,
                  assistant_ms=shown)

    def somebody(self):
        control = self.random.choice(LIGHTS + ["level", "all"])
        at_assistant = self.calm and self.random.random() < 0.5
        states = self.bench.panel_state()
        if control == "level":
            if states["living"]["value"] == "on":
                value = self.random.randrange(5, 101, 5)
                self.bench.set_at_panel("level", value)
                self.tell("switch", control="level", value=value, at="panel")
            return
        if control == "all":
            self.press_all(states)
            return
        if self.plug_is_away and control == "garden":
            return
        value = "off" if states[control]["value"] == "on" else "on"
        self.switch(control, value, at_assistant)

    def press_all(self, states):
        if self.plug_is_away:
            return
        value = "off" if states["all"]["value"] == "on" else "on"
        self.bench.set_at_panel("all", value)
        self.tell("switch", control="all", value=value, at="panel")
        if value == "off":
            self.hall_since = None
        elif states["hall"]["value"] == "off":
            self.hall_since = time.monotonic()
        members = LIGHTS[:-1]
        if not until(8, lambda: all(self.at_panel(member)["value"] == value
                                    for member in members)):
            self.fault(f"all {value}: not every light followed")

    def look_at_hall(self):
        """The light of the hall goes off by itself."""
        if self.hall_since is None:
            return
        since = time.monotonic() - self.hall_since
        is_on = self.at_panel("hall")["value"] == "on"
        if not is_on:
            if since < AUTO_OFF - 1:
                self.fault(f"the hall went off after {since:.1f} s, not {AUTO_OFF}")
            self.tell("auto-off", seconds=round(since, 1))  # or when it was seen
            self.hall_since = None
        elif since > AUTO_OFF + 3:
            self.fault(f"the hall is on for {since:.1f} s")
            self.hall_since = None

    # Mishaps. Each leaves the house as it was.

    def broker_restarts(self, seconds=20, kill=False):
        if kill:
            self.bench.running.pop("broker").kill()
        else:
            self.bench.end("broker")
        self.calm = False
        # The panel goes on without it.
        value = "off" if self.at_panel("kitchen")["value"] == "on" else "on"
        self.wait(2)
        self.switch("kitchen", value, False)
        self.wait(seconds)
        self.bench.start_broker()
        self.shed.report()  # as such plugs do when they are connected again
        self.calm = True

    def broker_is_killed(self):
        self.broker_restarts(60, kill=True)

    def good_reload(self):
        before = self.kept()
        self.is_longer = not self.is_longer
        text = self.text
        if self.is_longer:
            text = text.replace("label: Dining Table", "label: Table")
        log = self.bench.running["panel"].text
        taken = log().count("was reloaded")
        self.bench.reload_panel(text)
        if not until(5, lambda: log().count("was reloaded") > taken):
            self.fault("a good file was not taken")
        self.same(before, "a reload")

    def bad_reload(self):
        before = self.kept()
        log = self.bench.running["panel"].text
        refused = log().count("was not reloaded")
        self.bench.reload_panel(self.text.replace("kind: dial", "kind: dail"))
        if not until(5, lambda: log().count("was not reloaded") > refused):
            self.fault("a bad file was taken")
        elif "`dail` is not a value of `kind`" not in log():
            self.fault("the refusal does not name the place")
        self.same(before, "a refused reload")
        self.bench.write_panel("panel.yaml", self.text)

    def plug_goes_away(self):
        """A request to a plug that is not there fails, and the light is what it was."""
        self.plug_is_away = self.plug.is_away = True
        before = self.at_panel("garden")["value"]
        value = "off" if before == "on" else "on"
        self.bench.set_at_panel("garden", value)
        shown = until(3, lambda: self.at_panel("garden")["phase"] == "loading", pause=0.05)
        if not shown:
            self.fault("the garden does not say that it waits")
        failed = until(15, lambda: self.at_panel("garden")["phase"] == "failed", pause=0.1)
        state = self.at_panel("garden")
        if not failed or state["value"] != before:
            self.fault(f"the garden does not tell that its plug is away: {state}")
        self.wait(20)
        self.plug_is_away = self.plug.is_away = False
        self.switch("garden", value, False)

    def shed_is_pressed(self):
        """The plug's own button."""
        for _ in range(3):
            value = self.shed.press()
            if not until(SHOWN, lambda: self.at_panel("shed")["actual"] == value, pause=0.05):
                self.fault(f"the shed was turned {value} at its plug, and the panel does not know")
            self.wait(2)

    def kill_panel(self):
        """Kills all of its processes at once."""
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it ended with another one
        self.bench.end("panel")
        self.hall_since = None

    def power_cut(self):
        before = self.kept()
        self.calm = False
        self.kill_panel()
        self.wait(5)
        began = time.monotonic()
        self.start_panel()
        self.tell("start", seconds=round(time.monotonic() - began, 2))
        self.same(before, "a power cut")
        if self.at_panel("hall")["value"] == "on":
            self.hall_since = time.monotonic()
        self.calm = True

    def power_cut_at_once(self):
        """The power goes in the moment after a change: saved or not, but one of both."""
        self.wait(3)
        value = "off" if self.at_panel("porch")["value"] == "on" else "on"
        self.switch("porch", value, False)
        self.wait(1)
        self.power_cut()

    def disk_is_full(self):
        """Nothing can be saved; the panel goes on, and saves it all when there is room."""
        filler = os.path.join(self.state_folder, "filler")
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        for _ in range(12):
            control = self.random.choice(["kitchen", "dining", "living", "porch"])
            value = "off" if self.at_panel(control)["value"] == "on" else "on"
            self.switch(control, value, self.random.random() < 0.5)
            self.wait(5)
        os.remove(filler)
        self.wait(30)
        self.power_cut()

    def assistant_restarts(self):
        self.calm = False
        self.bench.end("assistant")
        self.bench.start_assistant()
        until(240, lambda: self.bench.assistant.get("/api/config")["state"] == "RUNNING")
        self.calm = True

    def everything_restarts(self):
        """The power of the whole house."""
        before = self.kept()
        self.calm = False
        self.kill_panel()
        self.bench.running.pop("broker").kill()
        self.bench.end("assistant")
        self.start_panel()
        self.same(before, "a power cut of the house")
        self.wait(10)
        self.bench.start_broker()
        self.shed.report()
        self.bench.start_assistant()
        until(240, lambda: self.bench.assistant.get("/api/config")["state"] == "RUNNING")
        if self.at_panel("hall")["value"] == "on":
            self.hall_since = time.monotonic()
        self.calm = True

    def evening(self):
        """A picture of the page."""
        for control in ("kitchen", "living", "porch"):
            self.switch(control, "on", False)
        picture = os.environ.get("DAY_PICTURE")
        if picture:
            url = f"http://127.0.0.1:{self.bench.panel_port}/"
            subprocess.run(picture.split() + [url], check=False, timeout=120)

    SCHEDULE = [
        (7.5, "broker restarts", broker_restarts), (9, "reload", good_reload),
        (10, "reload of a bad file", bad_reload), (11.5, "the plug is away", plug_goes_away),
        (12.5, "power cut", power_cut), (14, "Home Assistant restarts", assistant_restarts),
        (15.5, "full disk, then a power cut", disk_is_full),
        (17.5, "the shed's own button", shed_is_pressed),
        (18.5, "broker restarts", broker_restarts), (19.5, "reload", good_reload),
        (20.5, "power cut after a change", power_cut_at_once), (21.5, "evening", evening),
        (22.5, "broker is killed", broker_is_killed),
        (23.5, "reload of a bad file", bad_reload), (25, "the plug is away", plug_goes_away),
        (26, "full disk, then a power cut", disk_is_full),
        (27.5, "power cut of the house", everything_restarts), (29, "reload", good_reload),
    ]

    def kept(self):
        """The values that a start brings back, when nothing is under way."""
        self.agree(AGREED, "before a mishap")
        return {name: self.at_panel(name)["value"] for name in LIGHTS}

    def same(self, before, why):
        """The values are those from before; the light of the hall may have gone off meanwhile."""
        now = {name: self.at_panel(name)["value"] for name in LIGHTS}
        # The shed's value is what its plug reports, which may take a moment.
        until(SHOWN, lambda: self.at_panel("shed")["value"] == before["shed"])
        now["shed"] = self.at_panel("shed")["value"]
        wrong = {name: (before[name], now[name]) for name in LIGHTS
                 if before[name] != now[name] and (name, now[name]) != ("hall", "off")}
        if wrong:
            self.fault(f"{why} has changed values: {wrong}")

    # The programs

    def processes(self):
        """The panel's processes."""
        parents = {}
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(path.parent.name)] = int(fields[1])
        found = [self.bench.running["panel"].process.pid]
        for process in found:
            found += [child for child, parent in parents.items() if parent == process]
        return found

    def measure(self):
        memory, files, ticks = 0, 0, 0
        for process in self.processes():
            try:
                text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
                memory += int(re.search(r"^Pss: +(\d+)", text, re.M)[1])
                files += len(os.listdir(f"/proc/{process}/fd"))
                stat = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
                ticks += int(stat[11]) + int(stat[12])
            except OSError:
                continue
        self.tell("memory", megabytes=round(memory / 1024, 1), files=files,
                  seconds=ticks / os.sysconf("SC_CLK_TCK"))

    def start_panel(self):
        text = self.text
        if self.is_longer:
            text = text.replace("label: Dining Table", "label: Table")
        self.bench.start_panel(text, "--state-dir", self.state_folder)

    def wait(self, seconds):
        time.sleep(seconds)

    def start(self):
        os.makedirs(self.state_folder)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1M", "day", self.state_folder],
                       check=True)
        self.is_longer = self.plug_is_away = False
        self.calm = True
        self.bench.start_broker()
        self.shed = Shed(self.bench.broker_port, self.random)
        self.retained = Retained(self.bench.broker_port)
        self.start_panel()
        self.bench.start_assistant()
        self.began = time.monotonic()
        version = self.bench.assistant.get("/api/config")["version"]
        self.tell("begin", assistant=version, detent=subprocess.run(
            [self.bench.detent, "--version"], capture_output=True, text=True, check=True,
        ).stdout.strip(), seconds_an_hour=self.seconds_an_hour)
        self.agree(AGREED, "at the start")

    def live(self):
        left = list(self.SCHEDULE)
        measured = looked = acted = renewed = time.monotonic()
        while self.hour < END:
            now = time.monotonic()
            if left and self.hour >= left[0][0]:
                _, name, mishap = left.pop(0)
                self.tell("mishap", name=name)
                try:
                    mishap(self)
                except (OSError, LookupError, ValueError) as error:
                    self.fault(f"{name}: {error!r}")
                    self.calm = True
                took = self.agree(AGREED, name)
                self.tell("agreed", name=name, seconds=took)
                acted = time.monotonic()
            pace = [count for hour, count in PACE if hour <= self.hour][-1]
            if now - acted > self.pause:
                self.pause = self.random.expovariate(pace / self.seconds_an_hour)
                self.somebody()
                acted = time.monotonic()
            if now - measured > 60:
                self.measure()
                measured = now
            if now - renewed > 600:
                self.bench.assistant.renew()
                renewed = now
            if now - looked > 10 and now - acted > 4:
                if self.differences() and (found := self.differences()):
                    took = self.agree(SHOWN, "in between")
                    self.tell("late", found=found, seconds=took)
                else:
                    self.tell("agreed", name="in between", seconds=0)
                looked = time.monotonic()
            self.look_at_hall()
            time.sleep(0.25)

    pause = 0

    def end(self):
        warnings = [line for line in self.bench.running["assistant"].text().splitlines()
                    if re.search(r"(WARNING|ERROR).*(mqtt|detent)", line)]
        lines = self.bench.running["panel"].text().splitlines()
        self.tell("log", assistant=warnings[:50], panel=len(lines))
        code = self.bench.end("panel")
        if code != 0:
            self.fault(f"the panel ended with {code}")
        self.tell("end", faults=self.faults)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    for name in ["hass", "mosquitto", "detent", "results"]:
        options.add_argument(name)
    options.add_argument("--minutes", type=float, default=120)
    options.add_argument("--seed", type=int, default=None)
    given = options.parse_args()
    seed = given.seed if given.seed is not None else random.randrange(10**6)
    print("seed", seed, flush=True)
    folder = tempfile.mkdtemp(prefix="detent-day-")
    bench = Bench(folder, given.hass, given.mosquitto, given.detent)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with open(given.results, "w", encoding="utf-8") as results:
        day = Day(bench, results, seed, given.minutes)
        try:
            day.start()
            day.live()
            day.end()
        finally:
            end_listening()
            for name in bench.running:
                shutil.copy(bench.path(name + ".log"), given.results + f".{name}.log")
            bench.end_all()
            subprocess.run(["umount", day.state_folder], check=False)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{day.faults} faults")
    return 1 if day.faults else 0


if __name__ == "__main__":
    sys.exit(main())
