"""A headless Home Assistant under test control, and what the tests ask of it. Python's standard library only."""

import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
CONFIGURATION = """
homeassistant:
  {name: test, unit_system: metric, time_zone: UTC, currency: EUR, country: DE, latitude: 50, longitude: 8,
   packages: !include_dir_named packages}
http: {server_host: 127.0.0.1, server_port: %d}
api:
websocket_api:
config:
automation: !include automations.yaml
input_number: {filament: {min: 0, max: 2000}}
logger: {default: warning}
"""


class Refused(Exception):
    """Home Assistant answers with an error."""


def eventually(what, condition, limit=30):
    """Waits until `condition` gives something true, which it returns; what is not there, or no number, yet is false.

    Nothing tells when another program has come so far: the limit decides.
    """
    end = time.monotonic() + limit
    while True:
        why = ""
        try:
            if found := condition():
                return found
        except (OSError, Refused, KeyError, TypeError, ValueError) as error:
            why = f" ({type(error).__name__}: {error})"
        if time.monotonic() > end:
            raise AssertionError(f"not within {limit} s: {what}{why}")
        time.sleep(0.05)


RESERVED = []


def free_port():
    """A TCP port on loopback. It stays bound to a socket that does not listen, which leaves it to servers with SO_REUSEADDR."""
    reserved = socket.socket()
    reserved.bind(("127.0.0.1", 0))
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    RESERVED.append(reserved)
    return reserved.getsockname()[1]


class HomeAssistant:
    def __init__(self, root, folder, stock):
        """`root`: where it is installed; `folder`: for what the test looks at later; `stock`: see stock.py."""
        self.root, self.folder, self.port, self.token, self.process = root, folder, free_port(), None, None
        # A path that is the same in the root and, below it, outside.
        self.configuration = "/root/" + folder.name
        inside = root / self.configuration.lstrip("/")
        shutil.rmtree(inside, ignore_errors=True)
        inside.mkdir(parents=True)
        (inside / "configuration.yaml").write_text(CONFIGURATION % self.port)
        (inside / "automations.yaml").write_text("[]\n")
        blueprints = inside / "blueprints/automation/grampad"
        blueprints.mkdir(parents=True)
        files = HERE.parent.parent / "config"
        for name in ("dimmer", "remaining"):
            shutil.copy(files / f"home-assistant-{name}.yaml", blueprints)
        # As a user does: only the address is another one.
        (inside / "packages").mkdir()
        for name, address in (("spoolman", "http://spoolman.local:7912"), ("grocy", "http://grocy.local")):
            text = (files / f"home-assistant-{name}.yaml").read_text()
            if text.count(address) != 1:
                raise AssertionError(f"{name}: {address}")
            (inside / f"packages/grampad_{name}.yaml").write_text(text.replace(address, f"{stock.address}/{name}"))
        (inside / "secrets.yaml").write_text(f"grocy_api_key: {stock.KEY}\n")
        self.log = inside / "home-assistant.log"
        self.all_logs = ""

    def start(self):
        self.process = subprocess.Popen(
            [HERE / "inside", self.root, "/opt/home-assistant/bin/hass", "-c", self.configuration, "--skip-pip",
             "--ignore-os-check", "--log-no-color"],
            stdin=subprocess.DEVNULL, stdout=open(self.folder / "hass", "a"), stderr=subprocess.STDOUT)
        self.token = None
        eventually("Home Assistant answers", lambda: self.alive() and self.request("GET", "/manifest.json"), 120)
        self.log_in()

    def alive(self):
        if self.process.poll() is not None:
            raise AssertionError("Home Assistant has ended: " + (self.folder / "hass").read_text()[-2000:])
        return True

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.log.exists():
            self.all_logs += self.log.read_text()
            (self.folder / "home-assistant.log").write_text(self.all_logs)
            self.log.unlink()

    # REST

    def request(self, method, path, body=None, form=None):
        headers, data = {}, None
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        address = f"http://127.0.0.1:{self.port}{path}"
        try:
            with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method), timeout=30) as f:
                answer = f.read()
        except urllib.error.HTTPError as error:
            raise Refused(f"{method} {path}: {error.code} {error.read()[:300]!r}") from None
        try:
            return json.loads(answer)
        except ValueError:
            return answer.decode()

    def log_in(self):
        """The first time as a new owner, later by the token that was kept."""
        client, kept = f"http://127.0.0.1:{self.port}/", self.folder / "token"
        if kept.exists():
            form = {"grant_type": "refresh_token", "refresh_token": kept.read_text()}
        else:
            user = {"client_id": client, "name": "t", "username": "t", "password": "t", "language": "en"}
            code = eventually("onboarding", lambda: self.request("POST", "/api/onboarding/users", user))["auth_code"]
            form = {"grant_type": "authorization_code", "code": code}
        answer = self.request("POST", "/auth/token", form={**form, "client_id": client})
        if not kept.exists():
            kept.write_text(answer["refresh_token"])
        self.token = answer["access_token"]

    def add_mqtt(self, port):
        """What the user does in the settings: the MQTT integration with this broker."""
        flows = "/api/config/config_entries/flow"
        form = self.request("POST", flows, {"handler": "mqtt", "show_advanced_options": False})
        while form["type"] in ("menu", "form"):
            answer = {"next_step_id": "broker"} if form["type"] == "menu" else {"broker": "127.0.0.1", "port": port}
            if any(field["name"] == "other_settings" for field in form.get("data_schema") or []):
                answer["other_settings"] = {"set_client_cert": False, "set_ca_cert": "off"}
            form = self.request("POST", f"{flows}/{form['flow_id']}", answer)
            if form.get("errors"):
                raise AssertionError(form)
        if form["type"] != "create_entry":
            raise AssertionError(form)

    def mqtt_entries(self):
        return self.request("GET", "/api/config/config_entries/entry?domain=mqtt")

    def wait_until_it_runs(self):
        def runs():
            entries = self.mqtt_entries()
            running = self.request("GET", "/api/config")["state"] == "RUNNING"
            return running and entries and all(entry["state"] == "loaded" for entry in entries)

        eventually("Home Assistant runs with MQTT", runs, 120)

    def state(self, entity):
        return self.request("GET", "/api/states/" + entity)

    def states(self):
        return {state["entity_id"]: state for state in self.request("GET", "/api/states")}

    def press(self, button):
        self.request("POST", "/api/services/button/press", {"entity_id": button})

    # WebSocket: one command and its answer

    def ask(self, kind, **fields):
        with socket.create_connection(("127.0.0.1", self.port), 30) as s:
            stream = s.makefile("rb")
            key = base64.b64encode(os.urandom(16)).decode()
            s.sendall(
                f"GET /api/websocket HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
            while stream.readline() not in (b"\r\n", b""):
                pass

            def receive():
                text = b""
                while True:
                    first, second = stream.read(2)
                    length = second & 127
                    if length == 126:
                        length = struct.unpack(">H", stream.read(2))[0]
                    elif length == 127:
                        length = struct.unpack(">Q", stream.read(8))[0]
                    data = stream.read(length)
                    if first & 15 in (0, 1, 2):
                        text += data
                        if first & 128:
                            return json.loads(text)

            def send(message):
                data, mask = json.dumps(message).encode(), os.urandom(4)
                size = len(data)
                head = bytes([128 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
                s.sendall(b"\x81" + head + mask + bytes(x ^ mask[i & 3] for i, x in enumerate(data)))

            receive()
            send({"type": "auth", "access_token": self.token})
            if receive()["type"] != "auth_ok":
                raise Refused("not logged in")
            send({"id": 1, "type": kind, **fields})
            while (answer := receive()).get("id") != 1 or answer["type"] != "result":
                pass
        if not answer["success"]:
            raise Refused(answer["error"])
        return answer["result"]

    def device(self, appliance="kitchen"):
        """The appliance's device, or None."""
        identifier = ["mqtt", "grampad-" + appliance]
        return next((d for d in self.ask("config/device_registry/list") if identifier in d["identifiers"]), None)

    def entities(self, appliance="kitchen"):
        """The appliance's entities by the key that the appliance gave them."""
        prefix = f"grampad-{appliance}-"
        every = self.ask("config/entity_registry/list")
        return {e["unique_id"][len(prefix):]: e for e in every if str(e["unique_id"]).startswith(prefix)}
