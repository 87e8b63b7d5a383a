"""`/snapshot` as apps for the Half Decent Scale use it, with the Python WebSocket client `websockets`."""

import asyncio
import json
import statistics
import time
import urllib.request

from appliance import check, finish, running
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus


async def snapshots(socket, seconds):
    """The messages of so many seconds with the times of their arrival."""
    received = []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            received.append((time.monotonic(), json.loads(await asyncio.wait_for(socket.recv(), left))))
        except TimeoutError:
            break
    return received


async def use(appliance):
    """Everything a client may do."""
    url = f"ws://127.0.0.1:{appliance.page}/snapshot"
    async with connect(url) as socket:
        for rate, interval in [("10k", 0.1), ("2k", 0.5), ("5k", 0.2)]:
            await socket.send(f"rate {rate}")
            acknowledged = []
            end = time.monotonic() + 30
            while not acknowledged and time.monotonic() < end:
                acknowledged = [m for _, m in await snapshots(socket, 0.6) if m.get("type") == "rate"]
            check(f"snapshot: rate {rate} is acknowledged", [m["interval_ms"] for m in acknowledged] == [1000 * interval])
            received = await snapshots(socket, 12 * interval)
            gaps = [after[0] - before[0] for before, after in zip(received, received[1:])]
            middle = statistics.median(gaps)
            check(f"snapshot: rate {rate}", abs(middle - interval) < 0.25 * interval, f"{middle:.3f} s")
        messages = [message for _, message in received]
        check("snapshot: fields", all(set(m) == {"grams", "ms"} for m in messages), messages[:3])
        milliseconds = [m["ms"] for m in messages]
        check("snapshot: ms rises", milliseconds == sorted(set(milliseconds)), milliseconds)

        # The load of the simulated pad comes and goes: until it lies there and the tare makes it 0.
        await socket.send("rate 10k")
        end = time.monotonic() + 90
        tared = False
        while not tared and time.monotonic() < end:
            before = json.loads(await socket.recv())
            if before.get("grams", 0) < 20:
                continue
            await socket.send("tare")
            for _, after in await snapshots(socket, 2):
                tared = tared or abs(after.get("grams", 99)) < 2
        check("snapshot: tare", tared)
        with urllib.request.urlopen(f"http://127.0.0.1:{appliance.page}/metrics") as answer:
            metrics = answer.read().decode()
        check("snapshot: counts as a live view", "grampad_http_viewers 1\n" in metrics, metrics)

        await socket.send("dance")
        replies = []
        end = time.monotonic() + 30
        # A tare that is under way is answered first.
        while "unknown_command" not in replies and time.monotonic() < end:
            replies += [m["code"] for _, m in await snapshots(socket, 1) if m.get("type") == "error"]
        check("snapshot: unknown command", replies.count("unknown_command") == 1, replies)
        pong = await socket.ping()
        check("snapshot: answers a ping", await asyncio.wait_for(pong, 5) is not None)
    check("snapshot: closes properly", socket.close_code == 1000, socket.close_code)

    async with connect(url) as socket:
        try:
            await socket.send("x" * 1000)
            await snapshots(socket, 5)
        except ConnectionClosed:
            pass
        check("snapshot: refuses a long message", socket.close_code == 1009, socket.close_code)
    try:
        async with connect(url, origin="http://evil.example"):
            check("snapshot: refuses another origin", False, "connected")
    except InvalidStatus as error:
        check("snapshot: refuses another origin", error.response.status_code == 403, error)


async def with_token(appliance):
    """Where an action needs a token a client may read, and not tare."""
    async with connect(f"ws://127.0.0.1:{appliance.page}/snapshot") as socket:
        await socket.send("tare")
        replies = []
        end = time.monotonic() + 10
        while not replies and time.monotonic() < end:
            replies = [m for _, m in await snapshots(socket, 1) if m.get("type") == "error"]
        check("snapshot: no tare without the token", [r["code"] for r in replies] == ["token_missing"], replies)


def main():
    with running() as appliance:
        asyncio.run(use(appliance))
        begin = time.monotonic()
        code = appliance.end()
        check("snapshot: the appliance stops", code == 0 and time.monotonic() - begin < 5, code)
    with running(token="a-token-for-the-test-only") as appliance:
        asyncio.run(with_token(appliance))
    finish()


main()
