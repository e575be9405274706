"""The devices around the panel on its day: a plug at HTTP, one at MQTT, and an ear at the broker."""

import http.server
import json
import subprocess
import threading
import time


class Plug:
    """The plug of the garden: slow, and sometimes not there."""

    def __init__(self, port, choices):
        self.port, self.value, self.is_away = port, "off", False
        plug = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                if plug.is_away:
                    time.sleep(4)  # longer than the panel waits
                    return
                time.sleep(choices.uniform(0.05, 0.8))
                for value in ("on", "off"):
                    if self.path.endswith("/turn_" + value):
                        plug.value = value
                body = json.dumps({"id": "switch-plug", "value": plug.value == "on"}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer

            def log_message(self, format, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()


ears = {}


def end_listening():
    """Ends what listens at the broker."""
    for topic, process in list(ears.items()):
        ears[topic] = None
        process.terminate()


def listen(port, topic, hear):
    """Calls `hear(topic, text)` for each message; comes back by itself when the broker does."""

    def run():
        while ears.get(topic, True):
            with subprocess.Popen(
                ["mosquitto_sub", "-p", str(port), "-t", topic, "-F", "%t %p"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            ) as process:
                ears[topic] = process
                for line in process.stdout:
                    name, _, text = line.rstrip("\n").partition(" ")
                    hear(name, text)
            time.sleep(0.5 if ears[topic] else 0)

    threading.Thread(target=run, daemon=True).start()


class Shed:
    """The plug of the shed, which speaks MQTT; its own button is often used."""

    def __init__(self, port, choices):
        self.port, self.value = port, "off"
        self.choices = choices
        listen(port, "cmnd/shed/POWER", self.take)
        self.report()

    def take(self, _, text):
        time.sleep(self.choices.uniform(0.05, 0.3))
        self.value = text.lower()
        self.report()

    def press(self):
        self.value = "off" if self.value == "on" else "on"
        self.report()
        return self.value

    def report(self):
        subprocess.run(
            ["mosquitto_pub", "-p", str(self.port), "-t", "stat/shed/POWER", "-r", "-m",
             self.value.upper()], check=False, stderr=subprocess.DEVNULL)


class Retained:
    """The last message of every topic of Detent."""

    def __init__(self, port):
        self.last = {}
        listen(port, "detent/#", self.last.__setitem__)

    def value(self, topic):
        try:
            return json.loads(self.last.get(topic, "{}")).get("value")
        except ValueError:
            return None
