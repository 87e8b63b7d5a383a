"""The Wi-Fi of a machine with emulated radios (mac80211_hwsim): its own is wlan0; a house, a phone and a stranger have the others."""

import json
import time

from machine import PATIENCE, Failure, expect

KERNEL = "modules_load=mac80211_hwsim mac80211_hwsim.radios=4"
HOUSE, PASSWORD = "Nest", "correct horse"
# What a stranger would like to be more than a name.
HOSTILE = "\"},{'\\$(reboot)`<b>Küche"


class Radios:
    """Who else has a radio, each in a network namespace of the guest."""

    def __init__(self, machine):
        self.machine = machine

    def do(self, command, limit=60):
        """Runs a command that has to succeed; returns its output."""
        return self.machine.shell(command, limit)

    def write(self, path, text):
        """Writes a small file in the guest."""
        octal = "".join(f"\\{byte:03o}" for byte in text.encode())
        self.do(f"printf '{octal}' >{path}")

    def supplicant(self, name, number, network):
        """Starts wpa_supplicant for a radio, after the one before has ended."""
        self.do(f"test -e /run/netns/{name} || {{ ip netns add {name} && "
                f"iw phy $(cat /sys/class/net/wlan{number}/phy80211/name) set netns name {name}; }}")
        self.do(f"test ! -e /run/{name}.pid || kill $(cat /run/{name}.pid); while test -e /run/{name}.pid; do sleep 0.1; done")
        lines = "\n".join(f"{key}={value}" for key, value in network.items())
        self.write(f"/run/{name}.conf", f"ctrl_interface=/run/{name}-wpa\nnetwork={{\n{lines}\n}}\n")
        self.do(f"ip netns exec {name} wpa_supplicant -B -P /run/{name}.pid -i wlan{number} -c /run/{name}.conf")

    def open_house(self):
        """The access point of the house, with DHCP."""
        self.supplicant("house", 1, {"ssid": f'"{HOUSE}"', "mode": 2, "frequency": 2412, "key_mgmt": "WPA-PSK", "proto": "RSN",
                                     "pairwise": "CCMP", "psk": f'"{PASSWORD}"'})
        self.do("ip netns exec house ip address add 192.168.77.1/24 dev wlan1 && ip netns exec house ip link set lo up")
        self.do("ip netns exec house dnsmasq --conf-file=/dev/null --user=root --port=0 --pid-file=/run/house-dhcp.pid "
                "--interface=wlan1 --bind-interfaces --dhcp-range=192.168.77.10,192.168.77.99 --dhcp-leasefile=/run/house-leases")

    def open_strangers(self):
        """An open access point with the name HOSTILE."""
        self.supplicant("stranger", 3, {"ssid": HOSTILE.encode().hex(), "mode": 2, "frequency": 2462, "key_mgmt": "NONE"})

    def join(self, network):
        """The phone joins a network and asks for an address."""
        self.supplicant("phone", 2, {"scan_ssid": 1} | network)
        self.write("/var/udhcpc", "#!/bin/sh\n[ $1 = bound ] || exit 0\nip address flush dev $interface\n"
                   "ip address add $ip/24 dev $interface\n[ -z $router ] || ip route replace default via ${router%% *}\n"
                   "mkdir -p /etc/netns/phone\necho nameserver ${dns%% *} >/etc/netns/phone/resolv.conf\n")
        # /run holds no programs.
        self.do("chmod +x /var/udhcpc; ip netns exec phone ip link set lo up")
        self.until("phone in the network", lambda: "wpa_state=COMPLETED" in self.phone("wpa_cli -p /run/phone-wpa status")[1])
        self.do("ip netns exec phone busybox udhcpc -i wlan2 -n -q -t 20 -s /var/udhcpc")
        return self.phone("ip -4 address show wlan2")[1]

    def phone(self, command, limit=60):
        """Runs a command on the phone; returns its status and output."""
        return self.machine.attempt(f"ip netns exec phone {command}", limit)

    def ask(self, host, content=None):
        """The phone asks the page for the state of the machine, or for something; returns the answer, or the error of the server."""
        data = f"--header 'Content-Type: application/json' --post-data '{json.dumps(content)}' " if content else ""
        status, output = self.phone(f"busybox wget -q -T 20 -O - {data}http://{host}/api/machine")
        return json.loads(output) if status == 0 else output

    def until(self, what, found, limit=PATIENCE):
        """Waits until `found()` is true."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            if answer := found():
                return answer
            # The guest has no other sign for who looks from outside.
            time.sleep(0.5)
        raise Failure(f"no {what} within {limit} s; " + self.machine.shell("journalctl --no-pager -n 40 -u 'grampad-*' -u 'wpa*'"))

    def state(self):
        """The state as root has written it."""
        return json.loads(self.do("cat /run/grampad-machine/state.json"))


def wifi(case):
    """A machine without an owner opens an access point, leads a phone to the set-up, and closes it once it has joined a network."""
    case.disk.add_to_command_line(KERNEL)
    case.set_up()
    radios = Radios(case.machine)
    radios.open_house()
    radios.open_strangers()
    own = "grampad-" + radios.do("head -c 4 /etc/machine-id").strip().upper()
    state = case.wait_for_state("access point", PATIENCE, lambda state: state["network"]["access_point"])
    expect(f"its name is {own}: {state}", state["network"]["access_point"] == own)

    # A phone without any knowledge.
    address = radios.join({"ssid": f'"{own}"', "key_mgmt": "NONE"})
    expect(f"the phone has an address: {address}", "inet 10.71.80." in address)
    for name in ("grampad.local", "www.example.org"):
        answer = radios.phone(f"busybox nslookup {name}")[1]
        expect(f"{name} is the scale: {answer}", "10.71.80.1" in answer.split("Name:")[-1])
    page = radios.phone("busybox wget -q -T 20 -O - http://grampad.local/")[1]
    expect(f"the phone has the page: {page[:300]}", "<html" in page and "Grampad" in page)
    probe = radios.phone("busybox wget -S -T 20 -O - http://connectivitycheck.gstatic.com/generate_204")[1]
    expect(f"the phone is led to the set-up: {probe[:500]}", "302" in probe and "http://10.71.80.1/#/setup" in probe)
    forwarding = radios.do("cat /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv6/conf/all/forwarding")
    expect(f"nothing is forwarded: {forwarding}", forwarding.split() == ["0", "0"])
    listening = radios.do("ss -Hlnu 'sport = :53 or sport = :67'; ss -Hlnt 'sport = :53'")
    expect(f"names and addresses are for the access point only: {listening}",
           all("127.0.0.5" in line or "10.71.80.1:53" in line or "%wlan0:" in line for line in listening.splitlines()))

    status, answer = case.ask("scan")
    found = {each["ssid"]: each for each in answer.get("wifi_networks", [])}
    expect(f"the house's network is found: {answer}", status == 200 and found.get(HOUSE, {}).get("secured") is True)
    expect(f"the hostile name is only a name: {answer}", found.get(HOSTILE, {}).get("secured") is False)
    expect("the access point is still open", radios.ask("10.71.80.1")["network"]["access_point"] == own)

    # Without a cable, and with a wrong password: the access point comes back.
    cable = radios.do("cd /sys/class/net; echo e*").strip()
    radios.do(f"ip link set {cable} down")
    answer = radios.ask("10.71.80.1", {"do": "finish"})
    expect(f"a set-up without a network does not end: {answer}", "422" in answer)

    def finish(password):
        answer = radios.ask("10.71.80.1", {"do": "set", "set": {"wifi": HOUSE, "wifi_password": password, "country": "DE"}})
        expect(f"the network is set: {answer}", isinstance(answer, dict) and answer["ok"] and answer["wifi"] == HOUSE)
        answer = radios.ask("10.71.80.1", {"do": "finish"})
        expect(f"the set-up ends: {answer}", isinstance(answer, dict) and answer["ok"])

    finish("wrong password")
    begun = time.monotonic()
    radios.until("closed access point", lambda: radios.state()["network"]["fault"] or "type managed" in radios.do("iw dev wlan0 info"))
    radios.until("fault", lambda: radios.state()["network"]["fault"])
    radios.join({"ssid": f'"{own}"', "key_mgmt": "NONE"})
    print(f"# wrong password: the phone is back in the access point after {time.monotonic() - begun:.0f} s", flush=True)
    state = radios.ask("10.71.80.1")
    said = radios.do("journalctl --no-pager --output=cat --unit='wpa_supplicant@*' | tail -n 40")
    expect(f"the page says why, not {state['network']['fault']}: {said}", state["network"]["fault"] == "password" and not state["is_set_up"])

    finish(PASSWORD)
    begun = time.monotonic()
    state = radios.until("owner", lambda: (state := radios.state())["is_set_up"] and state)
    print(f"# right password: joined after {time.monotonic() - begun:.0f} s", flush=True)
    expect(f"it has joined: {state}", state["network"]["wifi"] == HOUSE and not state["network"]["access_point"])
    expect("it has no access point", "type managed" in radios.do("iw dev wlan0 info"))
    expect("nor names for one", radios.machine.attempt("systemctl is-active grampad-access-point")[1].strip() == "inactive")

    # The house's network has strangers, too.
    radios.join({"ssid": f'"{HOUSE}"', "psk": f'"{PASSWORD}"'})
    machine = next(each for each in state["network"]["addresses"] if each.startswith("192.168.77."))
    for content in (None, {"do": "set", "set": {"name": "mine"}}, {"do": "scan"}, {"do": "finish"}, {"do": "reset"}):
        answer = radios.ask(machine, content)
        expect(f"a stranger is refused {content}: {answer}", "401" in answer or "403" in answer)

    # With its network gone, an owned machine waits for it and does not open an access point.
    case.machine.cut_power()
    case.start()
    radios.until("station", lambda: "wlan0" in radios.do("ps -e -o args | grep '[w]pa_supplicant' || true"))
    radios.do("ip link set wlan3 up")
    seen = radios.until("search", lambda: radios.machine.attempt("iw dev wlan3 scan")[0] == 0 and radios.do("iw dev wlan3 scan; true"))
    expect(f"no access point: {seen}", own not in seen and "type managed" in radios.do("iw dev wlan0 info"))
    radios.open_house()
    radios.until("network", lambda: radios.state()["network"]["wifi"] == HOUSE)
