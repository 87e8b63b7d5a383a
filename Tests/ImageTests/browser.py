"""A phone's browser, headless Chromium, outside of the machine under test: driven through a pipe, as a person uses a page."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from machine import Failure

# The size of a phone, in CSS pixels.
PHONE = (390, 844)
# As root, in a container, without a GPU. The page under test is our own.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe"]


class Browser:
    """The program. Each page has storage of its own, as the browser of another person."""

    def __init__(self, hosts, languages="en-GB"):
        """`hosts` are addresses by name, each an address with a port: what the name server of the network says."""
        self.profile = tempfile.mkdtemp(prefix="browser-")
        rules = ",".join(f"MAP {name} {address}" for name, address in hosts.items())
        # The browser reads commands from descriptor 3 and writes answers to descriptor 4: JSON, each ended by a NUL.
        commands, answers = os.pipe(), os.pipe()
        theirs = [fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in (commands[0], answers[1])]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "chromium-headless-shell", *FLAGS, f"--lang={languages[:2]}",
             f"--accept-lang={languages}", f"--host-resolver-rules={rules}", f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=theirs, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for each in (commands[0], answers[1], *theirs):
            os.close(each)
        self.commands, self.answers = commands[1], answers[0]
        self.number = 0
        self.buffer = b""

    def call(self, method, session=None, limit=120, **parameters):
        """Calls a method of the DevTools protocol; returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        deadline = time.monotonic() + limit
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self, deadline):
        """The next message."""
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Failure("the browser does not answer")
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise Failure("the browser has ended")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def end(self):
        """Ends the program."""
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A page on a phone."""

    def __init__(self, browser, folder):
        """Screenshots are written to `folder`."""
        self.browser, self.folder = browser, folder
        context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Emulation.setDeviceMetricsOverride", width=PHONE[0], height=PHONE[1], deviceScaleFactor=2, mobile=True)

    def call(self, method, **parameters):
        """Calls a method of the page."""
        return self.browser.call(method, self.session, **parameters)

    def open(self, url):
        """Opens an address."""
        self.call("Page.navigate", url=url)

    def evaluate(self, expression):
        """The value of an expression of JavaScript, or what it promises."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failure(f"{expression}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def wait(self, what, expression, limit=60):
        """Waits until an expression is true; returns its value. While a page loads, what it names may not exist."""
        guarded = f"""(async () => {{
            for (const end = performance.now() + 1000; performance.now() < end; await new Promise(done => setTimeout(done, 20)))
                try {{ const value = await ({expression}); if (value) return value instanceof Node || value; }} catch {{ }}
        }})()"""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            try:
                value = self.evaluate(guarded)
            except Failure:
                # The page was replaced meanwhile.
                value = None
            if value:
                return value
        self.screenshot("failure")
        raise Failure(f"the page does not show {what} within {limit} s, but: {self.text()[-1500:]}")

    def text(self):
        """What can be read."""
        return self.evaluate("document.body.innerText")

    def see(self, text, limit=60):
        """Waits until a text can be read."""
        self.wait(f"“{text}”", f"document.body.innerText.includes({json.dumps(text)})", limit)

    def find(self, words):
        """The expression for the control with a text, a label or a selector that can be seen; of several, the one on top."""
        return f"""(() => {{
            const words = {json.dumps(words)}, named = (node) => (node.innerText || node.ariaLabel || '').trim() === words;
            const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
            const all = /^[#.\\[]/.test(words) ? [...top.querySelectorAll(words)]
                : [...top.querySelectorAll('button, a, summary, label')].filter(named);
            const node = all.find((each) => each.checkVisibility());
            return node?.matches('label') ? node.control ?? node : node;
        }})()"""

    def place(self, words, limit=60):
        """Where a finger finds what has this text, or is selected by it: something on top of it is a failure."""
        return self.wait(f"“{words}”", f"""(async () => {{
            const node = {self.find(words)};
            if (!node || node.disabled) return null;
            node.scrollIntoView({{ block: 'center' }});
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const box = node.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const hit = document.elementFromPoint(x, y);
            return hit && (node.contains(hit) || hit.contains(node)) ? [x, y] : null;
        }})()""", limit)

    def mouse(self, kind, where):
        """Moves, presses or releases a pointer."""
        self.call("Input.dispatchMouseEvent", type=kind, x=where[0], y=where[1], button="none" if kind == "mouseMoved" else "left",
                  clickCount=0 if kind == "mouseMoved" else 1)

    def click(self, words, limit=60):
        """Clicks something."""
        where = self.place(words, limit)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, where)

    def hold(self, words, what, expression, limit=60):
        """Keeps a button pressed until an expression is true."""
        where = self.place(words, limit)
        for kind in ("mouseMoved", "mousePressed"):
            self.mouse(kind, where)
        self.wait(what, expression, limit)
        self.mouse("mouseReleased", where)

    def type(self, words, text):
        """Replaces what is in a field, which is named by its label or a selector."""
        self.wait(f"“{words}”", self.find(words))
        self.evaluate(f"(node => {{ node.focus(); node.select?.(); }})({self.find(words)})")
        if text:
            self.call("Input.insertText", text=text)
        else:
            self.evaluate("document.execCommand('delete')")

    def choose(self, words, value):
        """Selects a value in a list."""
        self.evaluate(f"(node => {{ node.value = {json.dumps(value)}; node.dispatchEvent(new Event('change', {{ bubbles: true }})); }})"
                      f"({self.find(words)})")

    def screenshot(self, name):
        """Saves what is seen."""
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{name}.png").write_bytes(base64.b64decode(data))
