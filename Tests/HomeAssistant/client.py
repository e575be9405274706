"""Speaks to a Home Assistant over HTTP and its WebSocket, with the standard library alone."""

import base64
import json
import os
import socket
import struct
import time
import urllib.error
import urllib.parse
import urllib.request

# Home Assistant names clients by the address of their page.
CLIENT = "http://127.0.0.1/"


def until(seconds, found, pause=0.2):
    """Calls `found` until it returns something true; returns its last result."""
    end = time.monotonic() + seconds
    while True:
        result = found()
        if result or time.monotonic() > end:
            return result
        time.sleep(pause)


class Refusal(OSError):
    """A server refuses; `strerror` has its answer."""


def request(url, body=None, token=None, method=None, form=False):
    """The JSON that a server answers; raises `Refusal`."""
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    headers = {"Content-Type": kind}
    if token:
        headers["Authorization"] = "Bearer " + token
    if body is not None:
        body = urllib.parse.urlencode(body) if form else json.dumps(body)
        body = body.encode()
    asked = urllib.request.Request(url, body, headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            text = answer.read()
    except urllib.error.HTTPError as refusal:
        raise Refusal(f"{url}: {refusal.code}", refusal.read().decode()) from None
    return json.loads(text) if text else None


class Socket:
    """A WebSocket with its commands and what was subscribed to."""

    def __init__(self, port, token):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /api/websocket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.bytes = self.socket.makefile("rb")
        while self.bytes.readline().strip():
            pass
        self.last = 0
        self.events = []
        self.receive()
        self.send({"type": "auth", "access_token": token})
        if self.receive()["type"] != "auth_ok":
            raise OSError("Home Assistant refuses the token")

    def send(self, message):
        data = json.dumps(message).encode()
        mask = os.urandom(4)
        size = struct.pack("!BH", 0xFE, len(data)) if len(data) > 125 else bytes([0x80 | len(data)])
        masked = bytes(byte ^ mask[place & 3] for place, byte in enumerate(data))
        self.socket.sendall(b"\x81" + size + mask + masked)

    def receive(self):
        """The next message; raises `TimeoutError` after the time of the socket."""
        text = b""
        while True:
            first, size = self.bytes.read(2)
            if size == 126:
                size = struct.unpack("!H", self.bytes.read(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.bytes.read(8))[0]
            part = self.bytes.read(size)
            if first & 0x0F in (0, 1):
                text += part
            if first & 0x80 and text:
                return json.loads(text)

    def command(self, **members):
        """The result of a command."""
        self.last += 1
        self.send({"id": self.last, **members})
        while True:
            message = self.receive()
            if message["type"] == "event":
                self.events.append(message)
            elif message.get("id") == self.last:
                if not message["success"]:
                    raise OSError(f"{members['type']}: {message['error']['message']}")
                return message.get("result")

    def subscribe(self, **members):
        """Begins a subscription; returns its number, by which `heard` finds its events."""
        self.command(**members)
        return self.last

    def heard(self, number):
        """The events of a subscription so far."""
        self.command(type="get_config")  # what was sent before comes before its answer
        return [event["event"] for event in self.events if event["id"] == number]


class Assistant:
    """A running Home Assistant, for its owner."""

    def __init__(self, port):
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.token = self.refresh_token = None

    def answers(self):
        """Whether it has started so far that it answers."""
        try:
            request(self.url + "/api/onboarding")
            return True
        except (OSError, ValueError):
            return False

    def sign_up(self):
        """Makes the first user, who is the owner, and a token."""
        word = base64.b64encode(os.urandom(12)).decode()
        user = {
            "client_id": CLIENT, "name": "Owner", "username": "owner", "password": word,
            "language": "en",
        }
        code = request(self.url + "/api/onboarding/users", user)["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": CLIENT}
        answer = request(self.url + "/auth/token", grant, form=True)
        self.token, self.refresh_token = answer["access_token"], answer["refresh_token"]

    def renew(self):
        """Gets another token; one is good for half an hour."""
        grant = {"grant_type": "refresh_token", "refresh_token": self.refresh_token,
                 "client_id": CLIENT}
        self.token = request(self.url + "/auth/token", grant, form=True)["access_token"]

    def get(self, path):
        return request(self.url + path, token=self.token)

    def post(self, path, body):
        return request(self.url + path, body, self.token)

    def call(self, service, **data):
        """Calls a service such as `switch.turn_on`."""
        domain, name = service.split(".")
        return self.post(f"/api/services/{domain}/{name}", data)

    def states(self):
        return {state["entity_id"]: state for state in self.get("/api/states")}

    def state(self, entity):
        """The state of one entity; nil without it."""
        return self.states().get(entity)

    def connect_broker(self, port):
        """Sets the integration `mqtt` up, by the form that users fill in."""
        flow = self.post("/api/config/config_entries/flow", {"handler": "mqtt"})
        form = {
            "broker": "127.0.0.1", "port": port,
            "other_settings": {"set_client_cert": False, "set_ca_cert": "off"},
        }
        answer = self.post(f"/api/config/config_entries/flow/{flow['flow_id']}", form)
        if answer["type"] != "create_entry":
            raise OSError(f"the integration mqtt is refused: {answer}")

    def socket(self):
        return Socket(self.port, self.token)
