"""A load cell at the machine under test: a kernel module plays its converter, as in Tests/KernelTests."""

import pathlib
import random
import re
import subprocess

from machine import Failure

# A cell for 1 kg on an HX711, with a plate on it.
COUNTS_PER_GRAM = 1540
PLATE = 1_500_000
# A finger that confirms: its force in grams, and how many different forces it trembles with.
FINGER = 200
STEPS = 11


class LoadCell:
    """The cell. It is connected after each start, since the machine forgets everything but its state."""

    def __init__(self, images, disk, machine, root):
        """Builds the module for the kernel of the image, and writes it to the boot partition. `images` has the list of parts."""
        self.machine = machine
        parts = next(images.glob("*.spdx.json")).read_text()
        version = re.search(r"\"name\": \"linux-image-(\d[^\"]*)\"", parts)
        if not version:
            raise Failure("the list of parts has no kernel")
        tests = root / "Tests/KernelTests"

        def made_by(*words):
            return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

        kernel = made_by(tests / "kernel", root / ".build/kernel-tier", "trixie", version[1])
        module = next(pathlib.Path(made_by(tests / "drivers", kernel)).rglob("converter.ko"))
        stripped = disk.path.with_name("converter.ko")
        subprocess.run(["objcopy", "--strip-debug", module, stripped], check=True)
        disk.write_boot_file("converter.ko", stripped.read_bytes())

    @staticmethod
    def counts(grams):
        """What the converter reads with a load on the plate."""
        return PLATE + round(grams * COUNTS_PER_GRAM)

    def connect(self, grams=0):
        """Connects the converter, with a load on the plate."""
        self.machine.shell("mkdir -p /run/cell && mount -o ro /dev/disk/by-partlabel/grampad-boot /run/cell && "
                           "modprobe -a industrialio-triggered-buffer kfifo_buf && "
                           f"insmod /run/cell/converter.ko name=hx711 trigger=1 noise=40 value={self.counts(grams)} && umount /run/cell")

    def load(self, grams):
        """Replaces what lies on the plate."""
        self.machine.shell(f"echo {self.counts(grams)} >/sys/module/converter/parameters/value")

    def press(self, grams, watch):
        """Presses with a finger on top of a load until `watch` returns, like one who watches the ring, and lets go. The force of a finger
        trembles."""
        def play(forces, more):
            values = " ".join(str(self.counts(grams + force)) for force in forces)
            return f"for value in {values}; do {more}echo $value >/sys/module/converter/parameters/value; sleep 0.08; done"

        trembling = [FINGER * random.uniform(0.95, 1.08) for _ in range(STEPS)]
        self.machine.shell(f"touch /run/finger; {{ {play([FINGER * 0.4], '')}; while :; do "
                           f"{play(trembling, '[ -e /run/finger ] || break 2; ')}; done; {play([FINGER * 0.3, 0], '')}; }} >/dev/null 2>&1 &")
        watch()
        self.machine.shell("rm /run/finger; wait")
