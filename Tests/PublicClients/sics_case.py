"""MT-SICS with public clients: mettler_toledo_device and PyLabRobot on the pseudo-terminal, labmcp-mettler-toledo over TCP."""

import asyncio
import calendar
import contextlib
import json
import math
import multiprocessing
import os
import re
import socket
import subprocess
import sys
import time

import paho.mqtt.client as mqtt
from appliance import check, eventually, finish, free_port, running
from mettler_toledo_device import MettlerToledoDevice
from pylabrobot.scales.mettler_toledo_backend import MettlerToledoError, MettlerToledoWXS205SDUBackend


class Line:
    """A plain client over TCP."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=15)
        self.file = self.socket.makefile("rwb")

    def ask(self, command):
        """Sends a command; returns one line."""
        self.file.write(command.encode() + b"\r\n")
        self.file.flush()
        return self.read()

    def read(self):
        """Returns one line."""
        line = self.file.readline()
        return line.decode()[:-2] if line.endswith(b"\r\n") else f"no end of line: {line!r}"

    def close(self):
        """Closes the connection."""
        self.file.close()
        self.socket.close()


WEIGHT = re.compile(r"^S [SD] [ 0-9.-]{10} g$")


def until(condition, seconds=60):
    """`eventually` for the load of the simulated pad, which comes and goes."""
    return eventually(condition, seconds)


def plain(port):
    """The protocol itself."""
    line = Line(port)
    check("sics: @", line.ask("@") == 'I4 A "grampad"', line)
    check("sics: SI", until(lambda: WEIGHT.match(line.ask("SI"))))
    check("sics: S", until(lambda: re.match(r"^S S [ 0-9.-]{10} g$", line.ask("S"))))
    check("sics: ES", line.ask("NOPE") == "ES")
    check("sics: EL", line.ask("SI 1") == "EL")
    check("sics: ET", line.ask("S\x01") == "ET")
    first = line.ask("SIR")
    begin = time.monotonic()
    repeated = [line.read() for _ in range(20)]
    rate = 20 / (time.monotonic() - begin)
    check("sics: SIR", all(text.startswith("S ") for text in [first] + repeated), repeated)
    check("sics: SIR ten times a second", 8 < rate < 12, rate)
    line.ask("@")
    check("sics: TA presets a tare", line.ask("TA 12.4 g") == "TA A         12 g")
    check("sics: TA tells it", line.ask("TA") == "TA A         12 g")
    check("sics: TA above the capacity", line.ask("TA 386 g") == "TA L")
    check("sics: TAC clears it", line.ask("TAC") == "TAC A" and line.ask("TA") == "TA A          0 g")
    check("sics: TC", until(lambda: re.match(r"^TC [SD] [ 0-9]{10} g$", line.ask("TC 3000"))))
    begin = time.monotonic()
    check("sics: ZC", until(lambda: line.ask("ZC 20000") == "ZC S"))
    check("sics: ZC waits for rest", time.monotonic() - begin < 60)
    line.close()


def mettler(path):
    """mettler_toledo_device, over a serial port."""
    device = MettlerToledoDevice(port=path)
    check("sics: mettler_toledo_device serial number", device.get_serial_number() == "grampad")
    check("sics: mettler_toledo_device balance data", device.get_balance_data() == ["Grampad", "grampad", "385", "g"])
    check("sics: mettler_toledo_device level", device.get_mtsics_level()[0] == "01")
    check("sics: mettler_toledo_device version", len(device.get_software_version()) == 1)
    check("sics: mettler_toledo_device commands", len(device.get_commands()) > 0)

    def weight():
        try:
            return device.get_weight()
        except Exception:  # an overload of the simulated pad
            return None

    value = until(weight)
    check("sics: mettler_toledo_device weight", value and value[1] == "g" and value[2] in "SD", value)
    value = until(device.get_weight_stable)
    check("sics: mettler_toledo_device stable weight", value and value[1] == "g", value)
    check("sics: mettler_toledo_device zero", until(device.zero_stable))
    # No reset: this client does not read the answer, so that the next one on the line would.
    device.close()


async def robot(path):
    """PyLabRobot, over a serial port."""
    scale = MettlerToledoWXS205SDUBackend(port=path)
    await scale.setup()
    check("sics: PyLabRobot serial number", scale.serial_number == "grampad", scale.serial_number)

    async def retried(action):
        end = time.monotonic() + 60
        while True:
            try:
                return await action()
            except MettlerToledoError:
                # An overload of the simulated pad, or a load that moves.
                if time.monotonic() > end:
                    raise

    await retried(scale.clear_tare)
    check("sics: PyLabRobot weight", isinstance(await retried(scale.read_weight_value_immediately), float))
    check("sics: PyLabRobot stable weight", isinstance(await retried(scale.read_stable_weight), float))
    check("sics: PyLabRobot weight within 1 s", isinstance(await retried(lambda: scale.read_weight(1)), float))

    async def tare():
        end = time.monotonic() + 90
        while time.monotonic() < end:
            with contextlib.suppress(MettlerToledoError):
                if await scale.read_stable_weight() > 20:
                    await scale.tare_stable()
                    if await scale.request_tare_weight() > 20:
                        return True
        return False

    check("sics: PyLabRobot tare", await tare())
    await scale.clear_tare()
    check("sics: PyLabRobot clear tare", await scale.request_tare_weight() == 0)
    response = await retried(lambda: scale.tare(timeout=5))
    check("sics: PyLabRobot tare within 5 s", response[0] == "TC" and response[1] in "SD", response)
    check("sics: PyLabRobot tare of that time", await scale.request_tare_weight() == float(response[2]), response)
    response = await retried(lambda: scale.zero(timeout=5))
    check("sics: PyLabRobot zero within 5 s", response == ["ZC", "S"], response)
    await scale.set_display_text("Add sample")
    await scale.set_weight_display()
    await retried(scale.zero)
    await scale.stop()


def labmcp(port):
    """`labmcp-mettler-toledo --check`, over TCP."""
    program = os.path.join(os.path.dirname(sys.executable), "labmcp-mettler-toledo")
    run = subprocess.run(
        [program, "--address", f"tcp://127.0.0.1:{port}", "--check"], capture_output=True, text=True, timeout=60, check=False
    )
    check("sics: labmcp --check", run.returncode == 0, run.stdout + run.stderr)
    check("sics: labmcp serial number", '"grampad"' in run.stdout, run.stdout)


def memory(process):
    """Resident memory in KiB."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))


class Readings:
    """The live readings over MQTT: how late they are, from their time to their arrival."""

    def __init__(self, port):
        self.late = []
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.on_message = self.on_message
        self.client.connect("127.0.0.1", port)
        self.client.subscribe("grampad/grampad/live")
        self.client.loop_start()

    def on_message(self, _client, _data, message):
        """Notes how late a reading is."""
        now = time.time()
        text = json.loads(message.payload)["time"]
        stamp = time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")
        self.late.append(now - calendar.timegm(stamp) - float(text[19:-1]))

    def during(self, seconds):
        """The delays within a number of seconds."""
        self.late.clear()
        time.sleep(seconds)
        return sorted(self.late)


def most(late):
    """A delay that 19 of 20 readings do not exceed."""
    return late[math.ceil(len(late) * 0.95) - 1]


PIECES = [b"\x00\xff{]garbage\r\n" * 20, b"S", b"", b"SI\r\n" * 50]


def flood(port, connected, ending):
    """100 clients that send garbage, half lines, nothing or many queries, and read nothing or little."""
    sockets = []
    for number in range(100):
        client = socket.create_connection(("127.0.0.1", port), timeout=5)
        client.setblocking(False)
        sockets.append((number % 4, client))
    connected.set()
    while not ending.wait(0.02):
        for kind, client in sockets:
            with contextlib.suppress(OSError):
                if PIECES[kind]:
                    client.send(PIECES[kind])
            if kind == 0:
                with contextlib.suppress(OSError):
                    client.recv(65536)


def hostile(appliance, port):
    """Readings, memory and another client during a flood."""
    readings = Readings(appliance.broker)
    quiet = readings.during(10)
    connected, ending = multiprocessing.Event(), multiprocessing.Event()
    # A process of its own, so that it does not delay the arrival of the readings here.
    clients = multiprocessing.Process(target=flood, args=(port, connected, ending))
    clients.start()
    connected.wait(30)
    readings.during(5)
    before = memory(appliance.process.pid)
    late = readings.during(20)
    after = memory(appliance.process.pid)
    print(
        f"# readings at most {quiet[-1] * 1000:.1f} ms late without and {late[-1] * 1000:.1f} ms with 100 hostile clients,"
        f" 19 of 20 at most {most(quiet) * 1000:.1f} and {most(late) * 1000:.1f} ms"
        f" ({len(quiet)} and {len(late)} readings); memory {before} and {after} KiB"
    )
    # The machine, with other tests on it, delays a reading now and then, with and without hostile clients.
    check("sics: 19 of 20 readings with 100 hostile clients at most 10 ms later", most(late) < most(quiet) + 0.010, late[-5:])
    check("sics: no growth with 100 hostile clients", after < before + 1024, f"{before} and {after} KiB")
    begin = time.monotonic()
    line = Line(port)
    answer = line.ask("I4")
    seconds = time.monotonic() - begin
    print(f"# another client is answered after {seconds * 1000:.0f} ms")
    check("sics: another client is served", answer == 'I4 A "grampad"' and seconds < 1, (answer, seconds))
    line.close()
    ending.set()
    clients.join(20)
    check("sics: the hostile clients end", clients.exitcode == 0, clients.exitcode)


def main():
    port = free_port()
    with running(more=f"sics: {{listen: '127.0.0.1:{port}', pty: balance}}\n") as appliance:
        path = os.path.join(appliance.folder, "balance")
        check("sics: the pseudo-terminal exists", eventually(lambda: os.path.exists(path)))
        plain(port)
        labmcp(port)
        mettler(path)
        asyncio.run(robot(path))
        hostile(appliance, port)
        begin = time.monotonic()
        code = appliance.end()
        check("sics: the appliance stops", code == 0 and time.monotonic() - begin < 5, code)
        check("sics: the link is gone", not os.path.lexists(path))
    finish()


main()
