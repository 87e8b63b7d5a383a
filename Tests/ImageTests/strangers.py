"""A hostile network: what clients without a press of the scale can do before, during and after the set-up."""

import http.client
import json
import random
import socket
import threading
import time

from machine import Failure, expect
from newcomer import plug_in

JSON = {"Content-Type": "application/json"}
SECRETS = {"wifi": "Nest", "wifi_password": "correct horse battery", "broker_user": "scale", "broker_password": "hunter2hunter2"}
SESSION = "/api/calibration/session"
# Every path that changes something, with a body that would be valid; see HTTP.md.
CHANGES = [
    *(("POST", "/api/machine", {"do": verb}) for verb in ("scan", "update", "back", "restart", "reset", "finish")),
    ("POST", "/api/machine", {"do": "set", "set": {"ssh_key": "ssh-ed25519 AAAA stranger"}}),
    ("POST", "/api/settings", {"revision": "0", "set": {"device.name": "mine"}}),
    ("POST", "/api/settings", {"revision": "0", "undo": True}),
    *(("POST", SESSION, {"do": verb}) for verb in (
        "start", "take_over", "status", "measure", "stop", "keep", "repeat", "skip", "select", "correct", "fit", "apply", "undo", "verify",
        "self_test", "close")),
    *(("POST", f"/api/action/{name}", {}) for name in (
        "tare", "clear_tare", "zero", "commit", "void", "relabel", "timer", "target", "count", "container")),
    ("POST", "/api/pair/0", {"allow": True}),
    ("DELETE", "/api/clients/00000000", None),
]
# What only the owner or a paired client may read.
PRIVATE = ["/api/machine", "/api/settings", "/api/clients"]
PUBLIC = ["/", "/kiosk", "/api/trace", "/api/weighings", "/api/history", "/api/weighings.csv", "/api/totals", "/api/calibration", SESSION,
          "/metrics", "/healthz", "/manifest.webmanifest"]
# Requests that come from this machine only in their words.
DISGUISES = [{}, {"Host": "localhost"}, {"Host": "127.0.0.1:8385"}, {"Host": "localhost", "X-Forwarded-For": "127.0.0.1"},
             {"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}]
# A site that the user visits meanwhile: DNS rebinding, forms and scripts of another origin, with the status of the refusal.
SITES = [({"Host": "evil.example"}, 421), ({"Host": "grampad.local.evil.example"}, 421), ({"Origin": "http://evil.example"}, 403),
         ({"Origin": "null"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Content-Type": "text/plain"}, 415)]


def ask(case, method, path, body=None, headers=None, limit=90):
    """Sends a request; returns the status and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", case.machine.port, timeout=limit)
    try:
        headers = {"Host": "grampad.local"} | (JSON if method == "POST" else {}) | (headers or {})
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()


def expect_sites_refused(case):
    """What a page of another site makes the browser send."""
    for headers, status in SITES:
        for _, path, body in CHANGES[:1] + CHANGES[7:8] + CHANGES[9:10] + CHANGES[25:26]:
            answer = ask(case, "POST", path, body, headers)
            expect(f"{path} with {headers} is refused with {status}, not {answer}", answer[0] == status)


def expect_no_secrets(case, paths):
    """No answer has a password."""
    for path in paths:
        text = ask(case, "GET", path)[1]
        for key in ("wifi_password", "broker_password"):
            expect(f"{path} does not reveal {key}", SECRETS[key] not in text)


def expect_refused(case):
    """Nothing is changed, and nothing private is read, whatever a request claims to be."""
    count = 0
    for headers in DISGUISES:
        for method, path, body in CHANGES + [("GET", path, None) for path in PRIVATE]:
            status, text = ask(case, method, path, body, headers)
            expect(f"{method} {path} {body} with {headers} is refused, not answered with {status} {text}", status in (401, 403))
            count += 1
    print(f"# {count} requests of strangers were refused", flush=True)


def calibrate(case, headers=None):
    """Calibrates before the set-up is finished, which needs no press: a load cell without a calibration could not recognise one."""
    session = {}

    def order(verb, **more):
        status, text = ask(case, "POST", SESSION, {"do": verb, **session, **more}, headers)
        expect(f"the calibration does {verb}: {status} {text}", status == 200)
        return json.loads(text)

    state = order("start", masses_g=[20, 100, 200])
    session["session"] = state["session"]
    while state["step"] is not None:
        step = state["step"]
        case.cell.load(state["steps"][step]["mass_g"])
        order("measure")

        def measured():
            state = json.loads(ask(case, "GET", SESSION)[1])
            expect(f"the load is measured: {state['note']}", state["activity"] != "ready" or state["step"] != step)
            return state if state["step"] != step else None

        case.machine.started = time.monotonic()
        state = case.machine.wait("measurement", measured, 60)
    order("apply")
    order("close")


def weighs(case, grams, limit=60):
    """Puts a load on the scale, and waits for its reading."""
    case.cell.load(grams)
    case.machine.started = time.monotonic()

    def reads():
        reading = case.machine.event("live")
        return reading if reading and reading["stable"] and abs(reading["net_g"] - grams) <= 1 else None

    case.machine.wait(f"reading of {grams} g", reads, limit)
    return time.monotonic() - case.machine.started


def race(case):
    """Two strangers set the machine up at the same moment, with other names: one of them wins, and both see the same machine."""
    answers = []

    def finish(name):
        answers.append(ask(case, "POST", "/api/machine", {"do": "set", "set": {"name": name}})[0])
        answers.append(ask(case, "POST", "/api/machine", {"do": "finish"})[0])

    threads = [threading.Thread(target=finish, args=(name,)) for name in ("First", "Second")]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    print(f"# two set-ups at the same moment: {answers}", flush=True)
    expect(f"each request is performed or refused: {answers}", set(answers) <= {200, 401, 403, 503})
    if ask(case, "GET", "/api/machine")[0] == 200:
        # Each was busy with the other.
        expect("the set-up can be finished then", ask(case, "POST", "/api/machine", {"do": "finish"})[0] == 200)
    state = json.loads(case.machine.shell("cat /run/grampad-machine/state.json"))
    stored = case.machine.shell("cat /state/machine/answers")
    name = case.machine.event("hello")["name"]
    expect(f"the machine is set up under one name: {state}, {name}, {stored}",
           state["is_set_up"] and state["name"] == name and f"name = {name}\n" in stored and name in ("First", "Second", "Owner"))


def expect_no_right_without_press(case):
    """A request for the right to act ends without a press after a minute; strangers cannot allow it."""
    answer = []
    asking = threading.Thread(target=lambda: answer.append(ask(case, "POST", "/api/pair", {"name": "stranger"}, limit=120)))
    asking.start()
    with socket.create_connection(("127.0.0.1", case.machine.port), timeout=30) as stream:
        stream.sendall(b"GET /api/live HTTP/1.0\r\nHost: grampad.local\r\n\r\n")
        text = b""
        while b'"name":"stranger"' not in text:
            piece = stream.recv(4096)
            if not piece:
                raise Failure("the stream has ended")
            text += piece
    request = json.loads(text.split(b"event: pairing\ndata: ")[-1].split(b"\n")[0])
    for headers in DISGUISES:
        status, text = ask(case, "POST", f"/api/pair/{request['id']}", {"allow": True}, headers)
        expect(f"a stranger does not decide: {status} {text}", status in (401, 403))
    asking.join()
    expect(f"without a press, there is no right: {answer}", answer[0][0] == 403 and "pairing_timed_out" in answer[0][1])


def disturb(case, until):
    """Random, huge, slow and abandoned requests, until an event."""
    source = random.Random(36)
    slow = []
    while not until.is_set():
        try:
            connection = socket.create_connection(("127.0.0.1", case.machine.port), timeout=5)
            kind = source.randrange(4)
            if kind == 0:
                connection.sendall(source.randbytes(source.randrange(1, 20000)))
            elif kind == 1:
                connection.sendall(b"POST /api/machine HTTP/1.1\r\nHost: a.local\r\nContent-Length: 99999999\r\n\r\n")
                connection.sendall(bytes(100_000))
            elif kind == 2:
                connection.sendall(b"GET /api/live HTTP/1.1\r\nHost: a.local\r\n\r\n")
            else:
                connection.sendall(b"POST /api/machine HTTP/1.1\r\nHost: a.l")
            # Most are left open; the oldest is abandoned.
            slow.append(connection)
            if len(slow) > 100:
                slow.pop(0).close()
        except OSError:
            # Refused by the scale, which is what a flood may get.
            until.wait(0.05)
    for each in slow:
        each.close()


def strangers(case):
    """Before, during and after the set-up."""
    case.machine.start()
    plug_in(case)
    status, text = ask(case, "POST", "/api/machine", {"do": "set", "set": {"name": "Owner", **SECRETS}})
    expect(f"before the set-up is finished, it is open: {status} {text}", status == 200)
    expect_sites_refused(case)
    expect_no_secrets(case, PRIVATE[:1] + PUBLIC)
    calibrate(case)
    race(case)
    expect_refused(case)
    expect_sites_refused(case)
    expect_no_secrets(case, PRIVATE + PUBLIC)
    expect_no_right_without_press(case)
    expect("the scale weighs", weighs(case, 120))
    until = threading.Event()
    flood = [threading.Thread(target=disturb, args=(case, until)) for _ in range(2)]
    for each in flood:
        each.start()
    try:
        # The page itself may be full meanwhile: the scale is asked on the machine.
        time.sleep(20)
        case.cell.load(60)
        case.machine.started = time.monotonic()
        own = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/8385; printf \"GET /api/live HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n\" >&3; " \
              "timeout 2 cat <&3'; true"
        case.machine.wait("reading during the flood", lambda: '"printable":"60 g"' in case.machine.shell(own) or None, 60)
        print(f"# during the flood, a load is shown after {time.monotonic() - case.machine.started:.1f} s", flush=True)
    finally:
        until.set()
        for each in flood:
            each.join()
    print(f"# after the flood, a load is shown after {weighs(case, 30):.1f} s", flush=True)
