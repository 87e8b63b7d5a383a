"""The appliance under test, and what it publishes. Python's standard library only."""

import json
import signal
import subprocess
import urllib.request

from home_assistant import HERE, free_port

ROOT = HERE.parent.parent
INSTALLED = ROOT / ".build/home-assistant"
FOLDER = INSTALLED / "last"
BEANS = "{type: beans, title: Beans, icon: mdi:coffee, run: commit, user_info: {label: beans}}"
MILK = "{type: milk, title: Milk, run: commit}"


class Appliance:
    """`grampad run` with the simulated pad and its changing loads."""

    def __init__(self, broker, id="kitchen", name="Grampad"):
        self.broker, self.process = broker, None
        self.device = f"{{id: {id}, name: {name}}}"
        self.file = FOLDER / id / "scale.yaml"
        self.file.parent.mkdir()
        self.dashboard = free_port()

    def configure(
        self, actions=BEANS, discovery="true", pad="{device: simulated}", dashboard="enabled: false", area=None, more=""
    ):
        area = f", suggested_area: {area}" if area else ""
        # Points on the curve of the simulated pad.
        self.file.write_text(
            f"device: {self.device}\npad: {pad}\n"
            f"dashboard: {{{dashboard}, port: {self.dashboard}}}\n"
            f"mqtt: {{broker: mqtt://127.0.0.1:{self.broker}}}\npublish: {{heartbeat_ms: 1000}}\n"
            f"actions: [{actions}]\nhome_assistant: {{discovery: {discovery}{area}}}\nconfirm: {{settle_ms: 20000}}\n"
            "calibration: {points: [{raw: 0, grams: 0}, {raw: 330, grams: 96.33}, {raw: 588, grams: 192.34}, "
            "{raw: 968, grams: 385}]}\n" + more)

    def start(self):
        self.process = subprocess.Popen(
            [ROOT / ".build/release/grampad", "run", "--config", self.file], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.file.parent / "grampad.log", "a"))

    def settings(self, change=None):
        """Returns the settings of the page, after a change of them."""
        body = json.dumps(change | {"revision": self.settings()["revision"]}).encode() if change else None
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.dashboard}/api/settings", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def end(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(10)


class Listener:
    """Collects the messages on a topic."""

    def __init__(self, port, topic):
        self.file = FOLDER / topic.rsplit("/", 1)[1]
        self.process = subprocess.Popen(
            ["mosquitto_sub", "-p", str(port), "-t", topic], stdout=open(self.file, "w"), stderr=subprocess.DEVNULL)

    def messages(self):
        return [json.loads(line) for line in self.file.read_text().split("\n")[:-1]]

    def end(self):
        self.process.terminate()
        self.process.wait()
