"""The scale found by Avahi's own browser and by the Python library `zeroconf`, in a network of its own: a real D-Bus and a real
avahi-daemon that is missing at first, restarted, and stopped."""

import os
import signal
import subprocess
import sys
import time
import urllib.request

ISOLATED = "GRAMPAD_TEST_ISOLATED"
if ISOLATED not in os.environ:
    # A user of one's own may make namespaces, in which port 5353 and the multicast groups are free.
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    command = ["unshare", *user, "--net", "--mount", "--pid", "--mount-proc", "--fork", "--kill-child", sys.executable, *sys.argv]
    sys.exit(subprocess.run(command, env=os.environ | {ISOLATED: "yes"}, check=False).returncode)

from appliance import check, eventually, finish, running  # noqa: E402
from zeroconf import ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf  # noqa: E402

BUS = """<busconfig><type>system</type><listen>unix:path=/run/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_type="signal"/><allow receive_type="method_call"/>
<allow receive_type="method_return"/><allow receive_type="error"/><allow own="*"/><allow user="*"/></policy></busconfig>"""
AVAHI = """[server]
host-name=scale
use-ipv6=no
allow-interfaces=wired
[publish]
publish-workstation=no
[wide-area]
enable-wide-area=no
"""
APP = "_decentscale._tcp.local."


class Found(ServiceListener):
    """What `zeroconf` has found: the port and the texts by name."""

    def __init__(self):
        self.services = {}

    def add_service(self, zc, type_, name):
        """A new service."""
        info = zc.get_service_info(type_, name)
        if info:
            texts = {key.decode(): (value or b"").decode() for key, value in info.properties.items()}
            self.services[name.removesuffix("." + type_)] = (info.port, texts)

    update_service = add_service

    def remove_service(self, zc, type_, name):
        """A service that is gone."""
        self.services.pop(name.removesuffix("." + type_), None)


def prepare():
    """An interface that can multicast, /run of our own, and the system bus, which does not run yet."""
    for command in [
        "mount -t tmpfs tmpfs /run", "mkdir /run/avahi-daemon", "ip link set lo up",
        "ip link add wired type veth peer name other", "ip link set other up", "ip link set wired multicast on up",
        "ip address add 192.0.2.1/24 dev wired", "ip route add default dev wired",
    ]:
        subprocess.run(command.split(), check=True)
    for path, text in [("/run/bus.conf", BUS), ("/run/avahi.conf", AVAHI)]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/run/bus"


def start_bus():
    """The system bus; it exists when this returns, since avahi-daemon does not wait for it."""
    bus = subprocess.Popen(
        ["dbus-daemon", "--config-file=/run/bus.conf", "--nofork", "--nopidfile"], stderr=subprocess.DEVNULL)
    check("discovery: there is a bus", eventually(lambda: os.path.exists("/run/bus")))
    return bus


def start_avahi():
    """avahi-daemon."""
    return subprocess.Popen(
        ["avahi-daemon", "--file=/run/avahi.conf", "--no-drop-root", "--no-rlimits", "--no-chroot"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})


def browsed(kind):
    """What Avahi's browser finds of a type: a list of fields for each."""
    lines = subprocess.run(
        ["avahi-browse", "--resolve", "--parsable", "--terminate", kind], capture_output=True, text=True, check=False).stdout
    return [line.split(";") for line in lines.splitlines() if line.startswith("=")]


def log(appliance):
    """The lines of the appliance about the network."""
    with open(os.path.join(appliance.folder, "log"), encoding="utf-8") as file:
        return [line for line in file if "the network" in line]


def rename(appliance, name):
    """Changes the configured name; the appliance reads the file when it is saved."""
    with open(appliance.configuration, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("device:")]
    with open(appliance.configuration, "w", encoding="utf-8") as file:
        file.writelines([*lines, f"device: {{name: {name}}}\n"])


def use(appliance, zeroconf, found):
    """From a machine without a bus to the end of the appliance."""
    port = appliance.page
    check("discovery: says once that it is not announced", eventually(lambda: len(log(appliance)) == 1), log(appliance))
    bus = start_bus()
    avahi = start_avahi()
    # The attempts have become rare by then: each waits twice as long as the one before.
    check("discovery: zeroconf finds the app", eventually(lambda: "Kitchen" in found.services, 90), found.services)
    texts = found.services.get("Kitchen", (0, {}))
    check("discovery: port and path", texts[0] == port and texts[1].get("path") == "/snapshot", texts)
    check("discovery: name and version", texts[1].get("name") == "Kitchen" and bool(texts[1].get("fw")), texts)
    web = browsed("_http._tcp")
    check("discovery: avahi-browse finds the page",
          [(f[3], f[6], f[7], f[8]) for f in web] == [("Kitchen", "scale.local", "192.0.2.1", str(port))], web)
    check("discovery: path of the page", all('"path=/"' in f[9] for f in web), web)

    rename(appliance, "Pantry")
    check("discovery: another name", eventually(lambda: list(found.services) == ["Pantry"]), found.services)

    taken = ServiceInfo(APP, f"Cellar.{APP}", port=1, addresses=[bytes([192, 0, 2, 9])], server="other.local.")
    zeroconf.register_service(taken)
    rename(appliance, "Cellar")
    check("discovery: a name that is taken", eventually(lambda: found.services.get("Cellar #2", (0,))[0] == port),
          found.services)
    check("discovery: leaves the other one alone", found.services.get("Cellar", (0,))[0] == 1, found.services)

    rename(appliance, "Attic")
    check("discovery: free again", eventually(lambda: "Attic" in found.services), found.services)
    avahi.terminate()
    avahi.wait()
    check("discovery: gone with the daemon", eventually(lambda: "Attic" not in found.services), found.services)
    avahi = start_avahi()
    check("discovery: back with the daemon", eventually(lambda: "Attic" in found.services), found.services)

    # Not announced, four names, not announced, announced.
    check("discovery: one line for each state", eventually(lambda: len(log(appliance)) == 7), log(appliance))
    avahi.send_signal(signal.SIGSTOP)
    rename(appliance, "Cupboard")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        check("discovery: serves while Avahi hangs", answer.status == 200)
    begin = time.monotonic()
    code = appliance.end()
    check("discovery: stops while Avahi hangs", code == 0 and time.monotonic() - begin < 5, code)
    avahi.send_signal(signal.SIGCONT)
    check("discovery: gone after the end", eventually(lambda: list(found.services) == ["Cellar"]), found.services)
    return bus, avahi


def main():
    prepare()
    zeroconf = Zeroconf(interfaces=["192.0.2.1"])
    found = Found()
    ServiceBrowser(zeroconf, APP, found)
    with running(address="0.0.0.0", more="device: {name: Kitchen}\n") as appliance:
        bus, avahi = use(appliance, zeroconf, found)
    with running(more="device: {name: Larder}\n"):
        # On loopback only; another service that is announced meanwhile shows that there was time to.
        other = subprocess.Popen(["avahi-publish", "--service", "Other", "_http._tcp", "9"], stderr=subprocess.DEVNULL)
        check("discovery: another service", eventually(lambda: "Other" in [f[3] for f in browsed("_http._tcp")]))
        names = [f[3] for f in browsed("_http._tcp")]
        check("discovery: nothing on loopback", names == ["Other"] and "Larder" not in found.services, names)
        other.terminate()
    zeroconf.close()
    for process in (avahi, bus):
        process.terminate()
    finish()


main()
