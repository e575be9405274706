"""The three programs of the check: a broker, a Home Assistant and a panel, on free ports."""

import json
import os
import socket
import subprocess

from client import Assistant, Refusal, request, until


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Program:
    """A running program with its log; a group of its own."""

    def __init__(self, arguments, log):
        self.log = log
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True,
            )

    def text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def is_running(self):
        return self.process.poll() is None

    def end(self, seconds=60):
        """Ends it in order, or by force after this time; returns its code."""
        if self.is_running():
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.process.returncode

    def kill(self):
        if self.is_running():
            self.process.kill()
        self.process.wait()


class Bench:
    """All programs, in a folder."""

    def __init__(self, folder, hass, mosquitto, detent):
        self.folder = folder
        self.hass, self.mosquitto, self.detent = hass, mosquitto, detent
        self.broker_port, self.panel_port = free_port(), free_port()
        self.assistant = Assistant(free_port())
        self.running = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def start(self, name, arguments):
        self.running[name] = Program(arguments, self.path(name + ".log"))
        return self.running[name]

    def end(self, name, seconds=60):
        """Ends a program if it runs."""
        program = self.running.pop(name, None)
        return program.end(seconds) if program else None

    def end_all(self):
        for name in ["panel", "fleet", "assistant", "broker"]:
            self.end(name, 20)

    # The broker

    def start_broker(self):
        settings = self.write(
            "broker.conf",
            f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\npersistence false\n",
        )
        log = self.path("broker.log")
        before = 0
        if os.path.exists(log):  # that of a broker before
            with open(log, encoding="utf-8") as file:
                before = file.read().count(" running")
        broker = self.start("broker", [self.mosquitto, "-c", settings])
        until(30, lambda: broker.text().count(" running") > before or not broker.is_running())
        if not broker.is_running():
            raise OSError("mosquitto does not start:\n" + broker.text())

    # The panel

    def start_panel(self, text, *options):
        """Runs a panel; BROKER in its text becomes the address of the broker."""
        file = self.write_panel("panel.yaml", text)
        panel = self.start(
            "panel",
            [self.detent, "run", file, "--backend", "sim", "--listen",
             f"127.0.0.1:{self.panel_port}", *options],
        )
        until(60, lambda: self.panel_answers() or not panel.is_running())
        if not self.panel_answers():
            raise OSError("the panel does not start:\n" + panel.text())

    def write_panel(self, name, text):
        address = f"mqtt://127.0.0.1:{self.broker_port}"
        return self.write(name, text.replace("BROKER", address))

    def reload_panel(self, text):
        """Changes the file of the running panel."""
        self.write_panel("panel.yaml", text)
        request(f"http://127.0.0.1:{self.panel_port}/api/v1/reload", {}, method="POST")

    def panel_answers(self):
        try:
            return bool(self.panel_state())
        except (OSError, ValueError):
            return False

    def panel_state(self, control=None):
        """The states of the controls, or of one."""
        state = request(f"http://127.0.0.1:{self.panel_port}/api/v1/panel")["state"]
        return state[control] if control else state

    def set_at_panel(self, control, value):
        """Changes a control at the page of the panel, also one that needs a confirmation."""
        url = f"http://127.0.0.1:{self.panel_port}/api/v1/controls/{control}"
        try:
            request(url, {"value": value}, method="PUT")
        except Refusal as refusal:
            answer = json.loads(refusal.strerror)
            if "confirm" not in answer:
                raise
            request(url, {"value": value, "confirm": answer["confirm"]}, method="PUT")

    # Home Assistant

    def start_assistant(self):
        """Starts it; sets it up at its first start."""
        folder = self.path("config")
        if not os.path.exists(folder):
            os.makedirs(folder + "/.storage")
            self.write("config/configuration.yaml", CONFIGURATION)
            self.write("config/.storage/http", json.dumps(self.addresses()))
        assistant = self.start("assistant", [self.hass, folder])
        until(240, lambda: self.assistant.answers() or not assistant.is_running(), pause=0.5)
        if not self.assistant.answers():
            raise OSError("Home Assistant does not start:\n" + assistant.text()[-2000:])
        if not self.assistant.token:
            self.assistant.sign_up()
            self.assistant.connect_broker(self.broker_port)

    def addresses(self):
        """Where it serves. In the configuration this would be a trial that it takes back."""
        data = {
            "server_host": ["127.0.0.1"], "server_port": self.assistant.port,
            "cors_allowed_origins": [], "login_attempts_threshold": -1, "ip_ban_enabled": False,
            "ssl_profile": "intermediate_v6", "use_x_frame_options": True,
            "created_at": "2026-01-01T00:00:00+00:00", "error": None, "error_message": None,
        }
        data = {"stable": data, "pending": None, "yaml_migration_done": True}
        return {"version": 3, "minor_version": 1, "key": "http", "data": data}


CONFIGURATION = """\
homeassistant: {name: Bench, unit_system: metric, time_zone: UTC, country: DE, currency: EUR}
api:
auth:
config:
onboarding:
websocket_api:
logger: {default: warning}
"""
