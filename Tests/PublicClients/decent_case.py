"""`/snapshot` as the apps decaid and Decenza use it, see `decent_apps`: with overloads, a pad that is unplugged and restarts.

GRAMPAD_DECENT_SECONDS: repeats these for so many seconds; 0 (default) for once.
"""

import asyncio
import contextlib
import json
import os
import re
import statistics
import subprocess
import tempfile
import time
import urllib.request

from appliance import check, eventually, finish
from decent_apps import Decaid, Decenza
from websockets.asyncio.client import connect

# Generous: they only end a test that hangs.
PATIENCE = 60
# The shortest time after which a scale may be lost to decaid.
STALL = 4
# Restarts during a long run, in seconds.
RESTARTS = 300
# The capacity of the demo's scale in grams.
CAPACITY = 385


class Demo:
    """`grampad demo`, whose pad is moved by requests."""

    def __init__(self, folder):
        self.folder = folder
        self.state = {"plugged": True, "loads": []}
        self.start()

    def start(self):
        """Starts it; the port may be another one, which apps learn by DNS-SD."""
        path = os.path.join(self.folder, "output")
        with open(path, "wb") as output:
            self.process = subprocess.Popen(
                [os.environ["GRAMPAD"], "demo", "--port", "0"], stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )

        def found():
            with open(path, encoding="utf-8", errors="replace") as file:
                return re.search(r"http://127\.0\.0\.1:(\d+)", file.read())

        match = eventually(found)
        if not match:
            raise RuntimeError("the demo does not start")
        self.port = int(match.group(1))
        self.post()

    def stop(self):
        """Stops it; returns its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=20)

    def url(self):
        """The address that apps connect to."""
        return f"ws://127.0.0.1:{self.port}/snapshot"

    def post(self):
        """Sends the state of the pad."""
        urllib.request.urlopen(
            urllib.request.Request(
                f"http://127.0.0.1:{self.port}/api/pad", json.dumps(self.state).encode(),
                {"Content-Type": "application/json"}
            ), timeout=10
        ).close()

    async def set(self, mass=None, plugged=True):
        """Puts a load on the pad, or none."""
        loads = [] if mass is None else [{"id": 1, "mass_g": mass, "x": 0.5, "y": 0.5}]
        self.state = {"plugged": plugged, "loads": loads}
        await asyncio.to_thread(self.post)

    async def hold(self):
        """Repeats the state, because the script resumes after a minute."""
        while True:
            await asyncio.sleep(15)
            # While it restarts no server accepts it.
            with contextlib.suppress(OSError):
                await asyncio.to_thread(self.post)


async def each(apps, what, condition, seconds=PATIENCE):
    """Checks that a condition becomes true for each app."""
    for app in apps:
        passed = await app.until(lambda app=app: condition(app), seconds)
        check(f"decent: {app.name}: {what}", passed, f"{app.grams} g, {list(app.frames)[-3:]}, lost: {app.lost}")


async def use(demo, apps):
    """Everything that a user of an app does."""
    await each(apps, "is recognised within 4 s", lambda app: app.recognised_after is not None and app.recognised_after < 4)
    await each(apps, "the rate is acknowledged", lambda app: app.received("rate", status="ok", interval_ms=100, hz=10))
    await each(apps, "the status is answered", lambda app: app.received("status", status="ok", events_enabled=True, rate_hz=10))
    await each(apps, "there is a battery", lambda app: app.battery == 100)
    for app in apps:
        app.weights.clear()
    await each(apps, "ten masses a second", lambda app: len(app.weights) > 30)
    for app in apps:
        times = [moment for moment, _ in app.weights]
        middle = statistics.median(after - before for before, after in zip(times, times[1:]))
        check(f"decent: {app.name}: the rate is 10 Hz", 0.08 < middle < 0.15, f"{middle:.3f} s")

    for app in apps:
        await demo.set()
        await each([app], "the scale is empty", lambda app: abs(app.grams) < 2)
        await app.send("tare", "status")
        await each([app], "a tare of the empty scale is accepted", lambda app: app.received("status", status="ok"))
        check(f"decent: {app.name}: without an error", not app.received("error"), list(app.frames))
        await demo.set(120)
        await each([app], "a load has its mass", lambda app: app.grams > 60)
        await app.send("tare")
        await each([app], "a tare makes it 0", lambda app: abs(app.grams) < 2)
        check(f"decent: {app.name}: without an error", not app.received("error"), list(app.frames))
        await demo.set()
        check(f"decent: {app.name}: the load is lifted", await app.status(PATIENCE, stable=False), list(app.frames)[-1:])
        await app.send("tare", "status")
        await each([app], "a tare of the empty scale clears the tare", lambda app: app.received("status", status="ok"))
        await demo.set(120)
        await each([app], "the load has its mass again", lambda app: app.grams > 60)

        await app.send("timer reset", "timer start")
        await each([app], "the timer starts", lambda app: app.received("timer", event="start"))
        check(f"decent: {app.name}: the timer runs", await app.status(PATIENCE, timer_running=True), list(app.frames)[-1:])
        await app.send("timer stop")
        await each([app], "the timer stops", lambda app: app.received("timer", event="stop"))
        await app.send("timer reset")
        await each([app], "the timer is reset", lambda app: app.received("timer", event="reset"))
        is_zero = await app.status(PATIENCE, timer_running=False, timer_seconds=0)
        check(f"decent: {app.name}: the timer is 0", is_zero, list(app.frames)[-1:])
        await app.send('{"command":"power","action":"off"}')
        await each([app], "it is not switched off", lambda app: app.received("error", code="refused"))
    await demo.set()


async def disturb(demo, apps):
    """An overload, and an unplugged pad: the masses go on."""
    lost = sum(len(app.lost) for app in apps)
    for what, state, expected in [
        ("an overload", {"mass": 450}, "overload"), ("no overload", {}, "ready"),
        ("an unplugged pad", {"plugged": False}, "offline"), ("a pad again", {}, "ready"),
    ]:
        for app in apps:
            app.frames.clear()
        await demo.set(**state)
        await each(apps, f"{what} is an event", lambda app: app.received("state", state=expected))
        for app in apps:
            app.weights.clear()
        await each(apps, f"{what}: the masses go on", lambda app: len(app.weights) > 10)
        if expected == "overload":
            await each(apps, "the mass is the capacity", lambda app: app.grams == CAPACITY)
    check("decent: neither loses the scale", sum(len(app.lost) for app in apps) == lost, [app.lost for app in apps])


async def restart(demo, apps):
    """The service restarts: the connections close, and the apps find the scale at their next attempt."""
    before = [len(app.lost) for app in apps]
    code = await asyncio.to_thread(demo.stop)
    check("decent: the service stops", code == 0, code)
    await asyncio.to_thread(demo.start)
    for app, count in zip(apps, before):
        await each([app], "notices the restart", lambda app: len(app.lost) > count)
        reasons = app.lost[count:]
        check(f"decent: {app.name}: only the connection ended", all(r.startswith("socket closed") for r in reasons), reasons)
    await each(apps, "is recognised again", lambda app: app.socket and app.recognised_after is not None, 2 * PATIENCE)
    for app in apps:
        check(f"decent: {app.name}: within 4 s", (app.recognised_after or PATIENCE) < 4, app.recognised_after)


# Commands that are sent at once, with the type and the result of each reply.
BURST = [
    ("rate 10k", "rate", "ok"), ("status", "status", "ok"), ('{"tare": true}', "status", "ok"),
    ("dance", "error", "unknown_command"), ('{"command": "timer", "action": "start"}', "status", "ok"),
    ("rate 3k", "rate", "invalid"), ('{"hz": 5}', "rate", "ok"), ("{ not valid json", "error", "unknown_command"),
    ("display off", "status", "ok"), ("low_power on", "status", "ok"), ("soft_sleep on", "status", "ok"),
    ("power off", "error", "refused"), ('{"timer": "reset"}', "status", "ok"),
]


async def burst(demo, host, commands):
    """Several commands at once have their replies in order."""
    async with connect(f"ws://{host}:{demo.port}/snapshot", host="127.0.0.1", port=demo.port) as socket:
        for command, _, _ in commands:
            await socket.send(command)
        replies = []
        end = time.monotonic() + PATIENCE
        while len(replies) < len(commands) and time.monotonic() < end:
            frame = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            if "type" in frame:
                replies.append((frame["type"], frame.get("code", frame.get("status"))))
    check(f"decent: a burst to {host} is answered in order", replies == [(kind, code) for _, kind, code in commands], replies)


async def run(demo):
    """All checks."""
    seconds = float(os.environ.get("GRAMPAD_DECENT_SECONDS", "0"))
    begin = last_restart = time.monotonic()
    apps = [Decaid(demo.url), Decenza(demo.url)]
    tasks = [asyncio.create_task(app.run()) for app in apps] + [asyncio.create_task(demo.hold())]
    try:
        await use(demo, apps)
        await disturb(demo, apps)
        await burst(demo, "127.0.0.1", BURST)
        # Under another name a client may read, but is not known to be on this machine.
        await burst(demo, "grampad.local", BURST[:2])
        await restart(demo, apps)
        while time.monotonic() - begin < seconds:
            await disturb(demo, apps)
            if time.monotonic() - last_restart > RESTARTS:
                last_restart = time.monotonic()
                await restart(demo, apps)
        for app in apps:
            gap = app.longest_gap
            check(f"decent: {app.name}: the longest time without a frame", gap < STALL, f"{gap:.1f} s")
    finally:
        # asyncio.wait_for can lose a cancellation that comes with its result.
        while pending := [task for task in tasks if not task.done()]:
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        demo = Demo(folder)
        try:
            asyncio.run(run(demo))
        finally:
            if demo.process.poll() is None:
                demo.stop()
    finish()


main()
