"""Checks a panel at a real Home Assistant from end to end; `run` calls it.

Each check prints `ok NAME`, or `FAILED NAME: what was found`.
"""

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback

import parts
from bench import Bench


class Report:
    """Counts what passed and failed."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, is_right, found=""):
        if is_right:
            self.passed += 1
            print("ok", name, flush=True)
        else:
            self.failed += 1
            print(f"FAILED {name}: {found}", flush=True)
        return is_right


def run(bench, only, report):
    """All parts in their order; a part that cannot go on fails, and the next one begins."""
    with open(os.path.join(os.path.dirname(__file__), "panel.yaml"), encoding="utf-8") as file:
        panel = file.read().replace("mqtt://127.0.0.1:1883", "BROKER")
    bench.start_broker()
    bench.start_panel(panel)
    bench.start_assistant()
    print("Home Assistant", bench.assistant.get("/api/config")["version"], flush=True)
    for part in parts.ALL:
        if not re.search(only, part.__name__):
            continue
        began = time.monotonic()
        try:
            part(bench, panel, report.check)
        except (OSError, LookupError, TypeError, ValueError, StopIteration) as error:
            report.check(part.__name__, False, f"{error!r}")
            traceback.print_exc()
        print(f"   {part.__name__}: {time.monotonic() - began:.0f} s", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    for name in ["hass", "mosquitto", "detent"]:
        options.add_argument(name)
    options.add_argument("--only", default="", help="a pattern of names of parts")
    options.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    given = options.parse_args()
    folder = tempfile.mkdtemp(prefix="detent-homeassistant-")
    bench = Bench(folder, given.hass, given.mosquitto, given.detent)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    report = Report()
    try:
        run(bench, given.only, report)
    except (OSError, ValueError) as error:
        report.check("start", False, error)
    except KeyboardInterrupt:
        report.check("time", False, "it was ended from outside, or took too long")
    finally:
        bench.end_all()
        if given.keep:
            print("the logs are in", folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
