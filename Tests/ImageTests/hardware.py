"""A reset button and a watchdog. The button is a device of the guest's kernel (uinput), which perl in the guest makes and presses."""

import time

from machine import PATIENCE, expect

# The watchdog of a PC.
WATCHDOG = ["-device", "i6300esb", "-action", "watchdog=reset"]

# Makes a device with one key, KEY_RESTART (0x198), and writes what it reads: 1 is a press, 0 a release. See linux/uinput.h: UI_SET_EVBIT,
# UI_SET_KEYBIT and UI_DEV_CREATE.
BUTTON = r"""
open(D, "+>", "/dev/uinput"); ioctl(D, 0x40045564, 1); ioctl(D, 0x40045565, 0x198);
syswrite(D, pack("a80 S4 L x1024", "button", 25, 1, 1, 1, 0)); ioctl(D, 0x5501, 0);
while (<STDIN>) { syswrite(D, pack("qqSSl qqSSl", 0, 0, 1, 0x198, $_, (0) x 5)); }
"""


class Button:
    """A button that is connected to a machine."""

    def __init__(self, machine):
        self.machine = machine
        self.do("modprobe uinput; mkfifo /run/button")
        self.do(f"perl -e '{' '.join(BUTTON.split())}' <>/run/button >/dev/null &")
        self.do("until systemctl --quiet is-active grampad-button; do sleep 1; done")
        # Before, it waits until a button that is held from the start on is released.
        self.do("until ps -C dd; do sleep 1; done")

    def is_unused(self):
        """Whether the machine waits for the button, and is not about to be reset."""
        return self.do("systemctl --quiet is-active grampad-button && ! test -e /state/machine/reset") == 0

    def do(self, command):
        """Runs a command in the guest; returns its status."""
        return self.machine.attempt(command, PATIENCE)[0]

    def hold(self, seconds):
        """Presses the button for a time, and lets go."""
        self.do(f"echo 1 >/run/button; sleep {seconds}; echo 0 >/run/button")


def hardware(case):
    """A button resets a machine when it is held, not when it is pressed; the watchdog restarts a machine whose kernel has stopped."""
    machine = case.machine
    machine.devices = WATCHDOG
    case.set_up()
    button = Button(machine)
    button.hold(2)
    # Longer than for a reset, if the release were not seen.
    button.do("sleep 12")
    expect("a short press has no effect", button.is_unused())
    button.do("echo 1 >/run/button")
    case.wait_for_state("reset", 900, lambda state: state["name"] == "Grampad")

    machine.forget_shell()
    machine.shell("until systemctl show --property WatchdogDevice | grep /dev; do sleep 1; done", PATIENCE)
    starts = machine.log().count("BdsDxe: starting")
    # Otherwise the kernel would restart by itself.
    machine.shell("echo 0 >/proc/sys/kernel/panic; (sleep 1; echo c >/proc/sysrq-trigger) >/dev/null 2>&1 &")
    machine.started = begun = time.monotonic()
    machine.wait("restart", lambda: machine.log().count("BdsDxe: starting") > starts or None, PATIENCE)
    print(f"# watchdog: {time.monotonic() - begun:.0f} s until a machine that hangs is restarted", flush=True)
