"""The clients of two public apps for the Half Decent Scale: what they send, what they need, and when a scale is lost to them.

Sources: github.com/decentespresso/decaid, `lib/src/models/device/impl/decent_scale/` and `lib/src/controllers/connection_manager.dart`;
github.com/Kulitorum/Decenza, `src/ble/scales/decentscalewifi.cpp` and `src/main.cpp`.
"""

import asyncio
import collections
import contextlib
import json
import time

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException


class App:
    """An app that connects until it is cancelled."""

    name = ""
    # The commands at the start of each connection, sent at once.
    handshake = []
    # Seconds until a scale must be recognised.
    recognition = 0
    # Seconds before each further attempt.
    delays = []

    def __init__(self, url):
        self.url = url
        self.socket = None
        self.recognised_after = None
        self.weights = collections.deque(maxlen=5000)
        self.frames = collections.deque(maxlen=5000)
        self.battery = None
        self.longest_gap = 0
        # The reasons why a recognised scale was lost, and why attempts failed.
        self.lost, self.failed = [], []
        self.changed = asyncio.Event()

    async def run(self):
        """Connects, and again after the delays of the app."""
        failures = 0
        while True:
            self.recognised_after = None
            reason = await self.attempt(time.monotonic())
            self.socket = None
            if self.recognised_after is None:
                self.failed.append(reason)
            else:
                self.lost.append(reason)
                failures = 0
            self.changed.set()
            await asyncio.sleep(self.delays[min(failures, len(self.delays) - 1)])
            failures += 1

    async def attempt(self, begin):
        """One connection; returns why it ended."""
        try:
            async with connect(self.url(), open_timeout=self.recognition) as socket, self.keeping_alive(socket):
                for command in self.handshake:
                    await socket.send(command)
                self.socket = socket
                recognised = last = None
                while True:
                    now = time.monotonic()
                    end = begin + self.recognition if recognised is None else self.stalled_at(recognised, last)
                    message = await asyncio.wait_for(socket.recv(), None if end is None else max(0, end - now))
                    now = time.monotonic()
                    frame = self.parse(message)
                    if frame is None:
                        continue
                    if last is not None:
                        self.longest_gap = max(self.longest_gap, now - last)
                    last = now
                    if recognised is None and self.confirms(frame):
                        recognised = now
                        self.recognised_after = now - begin
                    self.receive(frame, now)
                    self.changed.set()
                    if frame.get("type") == "power" and frame.get("event") == "power_off":
                        return "power_off"
        except TimeoutError:
            return "no frame in time"
        except (OSError, WebSocketException) as error:
            return f"socket closed: {error!r}"

    def receive(self, frame, now):
        """Keeps a frame."""
        if self.has_weight(frame):
            self.weights.append((now, frame["grams"]))
        if "type" in frame:
            self.frames.append(frame)
        self.battery = frame.get("battery_percent", self.battery)

    @staticmethod
    def parse(message):
        """The object of a message; everything else is ignored."""
        try:
            frame = json.loads(message)
        except ValueError:
            return None
        return frame if isinstance(frame, dict) else None

    @staticmethod
    def has_grams(frame):
        """Whether a frame has a number of grams."""
        return isinstance(frame.get("grams"), (int, float))

    def has_weight(self, frame):
        """Whether the app shows the mass of a frame."""
        return self.has_grams(frame)

    def confirms(self, frame):
        """Whether a frame shows that this is a Half Decent Scale."""
        return self.has_weight(frame) or frame.get("type") == "status"

    def stalled_at(self, recognised, last):
        """When the scale is lost without a further frame; `None` for never."""
        return None

    @contextlib.asynccontextmanager
    async def keeping_alive(self, socket):
        """Sends what the app sends regularly."""
        yield

    async def send(self, *commands):
        """Sends commands at once; what was received before is forgotten."""
        self.frames.clear()
        for command in commands:
            await self.socket.send(command)

    async def status(self, seconds, **fields):
        """Asks for the status until it has these fields; returns whether it has."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await self.send("status")
            if await self.until(lambda: self.received("status", **fields), 1):
                return True
        return False

    async def until(self, condition, seconds):
        """Waits for a condition on what was received; returns its last value."""
        end = time.monotonic() + seconds
        while True:
            self.changed.clear()
            value = condition()
            left = end - time.monotonic()
            if value or left <= 0:
                return value
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), left)

    def received(self, kind, **fields):
        """The first frame of a type with these fields since the last commands; else `None`."""
        for frame in self.frames:
            if frame["type"] == kind and all(frame.get(name) == value for name, value in fields.items()):
                return frame
        return None

    @property
    def grams(self):
        """The newest mass."""
        return self.weights[-1][1] if self.weights else None


class Decaid(App):
    """decaid: a watchdog ticks every 4 s, and the second tick without a frame between loses the scale."""

    name = "decaid"
    handshake = ["rate 10k", "events on", "status"]
    recognition = 4
    delays = [5, 10, 20, 40, 60]
    tick = 4

    def stalled_at(self, recognised, last):
        return recognised + self.tick * ((last - recognised) // self.tick + 2)


class Decenza(App):
    """Decenza: only a frame without a type is a mass. It asks for the status with every eighth of its ticks of 30 s."""

    name = "Decenza"
    handshake = ["rate 10k", "events on", "status", "display on"]
    recognition = 5
    delays = [5, 30, 60]
    keep_alive = 8 * 30

    def has_weight(self, frame):
        return not frame.get("type") and self.has_grams(frame)

    @contextlib.asynccontextmanager
    async def keeping_alive(self, socket):
        async def ask():
            while True:
                await asyncio.sleep(self.keep_alive)
                await socket.send("status")

        task = asyncio.create_task(ask())
        try:
            yield
        finally:
            task.cancel()
