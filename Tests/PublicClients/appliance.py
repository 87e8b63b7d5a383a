"""A running appliance with a simulated pad, and the report of checks."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

failures = 0


def check(name, passed, detail=""):
    """Prints the result of a check."""
    global failures
    if not passed:
        failures += 1
    print(("ok " if passed else "not ok ") + name + ("" if passed else f": {detail}"), flush=True)


def finish():
    """Ends the program with the exit status of the checks."""
    sys.exit(1 if failures else 0)


RESERVED = []


def free_port():
    """A TCP port on loopback. It stays bound to a socket that does not listen, which leaves it to servers with SO_REUSEADDR."""
    reserved = socket.socket()
    reserved.bind(("127.0.0.1", 0))
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    RESERVED.append(reserved)
    return reserved.getsockname()[1]


def eventually(condition, seconds=30):
    """Asks until the condition is true; returns its last value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.02)


class Appliance:
    """`grampad run` with its own broker and page."""

    def __init__(self, folder, token=None, more="", address="127.0.0.1"):
        self.folder = folder
        self.broker = free_port()
        self.page = free_port()
        self.configuration = os.path.join(folder, "scale.yaml")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(
                "pad: {device: simulated, zones: {}}\n"
                f"mqtt: {{broker: embedded, embedded_port: {self.broker}}}\n"
                f"dashboard: {{address: {address}, port: {self.page}}}\n"
                "calibration: {points: [{raw: 0, grams: 0}, {raw: 330, grams: 96.33}, "
                "{raw: 588, grams: 192.34}, {raw: 968, grams: 385}]}\n" + more
            )
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [os.environ["GRAMPAD"], "run", "--config", self.configuration], stderr=log, stdout=log,
                env=os.environ | ({"GRAMPAD_DASHBOARD_TOKEN": token} if token else {})
            )
        if not eventually(self.answers):
            with open(os.path.join(folder, "log"), encoding="utf-8") as log:
                raise RuntimeError("the appliance does not start:\n" + log.read())

    def answers(self):
        """Whether the page answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.page}/api/state", timeout=1) as answer:
                return answer.status == 200
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def end(self):
        """Stops the appliance; returns its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=20)


@contextlib.contextmanager
def running(token=None, more="", address="127.0.0.1"):
    """An appliance for the duration of a block."""
    with tempfile.TemporaryDirectory() as folder:
        appliance = Appliance(folder, token, more, address)
        try:
            yield appliance
        finally:
            if appliance.process.poll() is None:
                appliance.end()
