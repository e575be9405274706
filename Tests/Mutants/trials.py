"""Runs the tests of a module with one mutant after the other."""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time

MEMORY_BYTES = 4 << 30
# A process of tests has no more of quick suites than that.
QUICK_SECONDS = 1.5
FAILED = re.compile(rb"recorded an issue|Fatal error|\xe2\x9c\x98")


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def end(process):
    """Ends the group of a process, with the programs that a test has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


class Tests:
    """The built tests, in the folder of the copy."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def command(self, *more):
        return [self.program, "--testing-library", "swift-testing", *more]

    def suites(self, module):
        """The suites of a module of tests; a test outside of one is its own."""
        said = subprocess.run(
            self.command("--list-tests"), capture_output=True, text=True, cwd=self.folder
        ).stdout
        names = {row.split("/")[0] for row in said.splitlines() if row.startswith(f"{module}.")}
        return sorted(names)

    def run(self, suites, seconds, mutant=0, reached=None):
        """Runs suites in a process; returns None if they pass, or what ended it."""
        names = "|".join(re.escape(name) for name in suites)
        environment = dict(
            os.environ, MUTANT=str(mutant), SWIFT_BACKTRACE="enable=no", LC_ALL="C.UTF-8")
        if reached:
            environment["MUTANT_REACHED"] = reached
        with tempfile.TemporaryDirectory(prefix="detent-mutant-") as folder:
            environment["TMPDIR"] = folder
            process = subprocess.Popen(
                self.command("--filter", f"^({names})(/|$)"),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                cwd=self.folder, env=environment, preexec_fn=limit, start_new_session=True)
            late = threading.Event()
            clock = threading.Timer(seconds, lambda: (late.set(), end(process)))
            clock.start()
            try:
                return self.verdict(process, late, suites)
            finally:
                clock.cancel()
                end(process)

    @staticmethod
    def verdict(process, late, suites):
        ran = False
        for row in process.stdout:
            # The first failure is enough.
            if FAILED.search(row):
                return "test"
            ran = ran or b"passed after" in row
        code = process.wait()
        if late.is_set():
            return "time"
        if code or not ran:
            return "crash"
        return None


class Coverage:
    """Which suites reach which mutants, and how long each suite takes."""

    def __init__(self, tests, module, lanes, memory, longest):
        """Runs each suite once, or takes what `memory` has of the same build."""
        self.seconds = {}
        self.reaching = {}
        self.broken = []
        build = os.stat(tests.program).st_mtime_ns
        kept = json.loads(memory.read_text()) if memory.exists() else {}
        if kept.get("build") == build:
            suites, self.broken = kept["suites"], kept["broken"]
        else:
            suites = self.measure(tests, module, lanes)
            kept = {"build": build, "suites": suites, "broken": self.broken}
            memory.write_text(json.dumps(kept))
        self.left_out = [name for name in suites if suites[name][0] > longest]
        for name, (seconds, numbers) in suites.items():
            if seconds > longest:
                continue
            self.seconds[name] = seconds
            for number in numbers:
                self.reaching.setdefault(number, []).append(name)

    def measure(self, tests, module, lanes):
        """The seconds of each suite, and the mutants that it reaches."""
        names = tests.suites(module)
        suites = {}
        lock = threading.Lock()

        def work():
            while True:
                with lock:
                    if not names:
                        return
                    name = names.pop()
                with tempfile.NamedTemporaryFile() as file:
                    start = time.monotonic()
                    verdict = tests.run([name], 300, reached=file.name)
                    seconds = time.monotonic() - start
                    data = pathlib.Path(file.name).read_bytes()
                with lock:
                    if verdict:
                        self.broken.append(name)
                    else:
                        reached = [number for number, byte in enumerate(data) if byte]
                        suites[name] = (seconds, reached)

        in_lanes(work, lanes)
        return suites

    def batches(self, number):
        """The suites that reach a mutant, quickest first: many quick ones share a process."""
        suites = sorted(self.reaching.get(number, []), key=self.seconds.get)
        batches, sum_of_seconds = [], 0
        for name in suites:
            if not batches or sum_of_seconds + self.seconds[name] > QUICK_SECONDS:
                batches.append([])
                sum_of_seconds = 0
            batches[-1].append(name)
            sum_of_seconds += self.seconds[name]
        return batches


def in_lanes(work, lanes):
    threads = [threading.Thread(target=work) for _ in range(lanes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def judge(tests, coverage, number):
    """`not reached`, `survived`, or how a mutant was killed: `test`, `crash` or `time`."""
    batches = coverage.batches(number)
    if not batches:
        return "not reached"
    for batch in batches:
        seconds = 10 + 5 * sum(coverage.seconds[name] for name in batch)
        verdict = tests.run(batch, seconds, mutant=number)
        if verdict:
            return verdict
    return "survived"
