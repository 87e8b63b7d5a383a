"""What a machine writes to its card while nothing is weighed: nothing."""

import time

from loadcell import COUNTS_PER_GRAM, PLATE
from machine import PATIENCE, expect

CONFIGURATION = f"""device: {{id: grampad-rest, name: Rest}}
pad: {{device: {{iio: hx711}}}}
scale: {{capacity_g: 1000}}
calibration: {{points: [{{raw: {PLATE}, grams: 0}}, {{raw: {PLATE + 1000 * COUNTS_PER_GRAM}, grams: 1000}}]}}
journal: {{path: /var/lib/grampad/grampad.db}}
mqtt: {{broker: embedded}}
dashboard: {{address: "::"}}
"""
# The length of a measurement, in seconds: longer than the kernel keeps what was written in memory.
MINUTE = 60
# Bytes that may be written in one. A single block costs more: ext4 writes it to its journal first.
MOST = 8 << 10


def writes(case):
    """A machine with an empty load cell writes nothing for a minute. A start ends with writes, so one of three minutes has to be quiet."""
    case.disk.write_boot_file("grampad.yaml", CONFIGURATION)
    case.machine.start()
    case.machine.wait("page", lambda: case.machine.event("hello"), PATIENCE)
    # A service that the watchdog restarts on a busy computer writes.
    case.machine.shell("systemctl service-watchdogs no")
    case.cell.connect()
    case.machine.started = time.monotonic()
    case.machine.reading(PATIENCE)
    counter = "awk '{ print $7 * 512 }' /sys/block/vda/stat"
    for _ in range(3):
        before, after = map(int, case.machine.shell(f"sync; {counter}; sleep {MINUTE}; {counter}", 4 * MINUTE).split())
        print(f"# {after - before} bytes written in {MINUTE} s at rest", flush=True)
        if after - before <= MOST:
            return
    expect(f"at most {MOST} bytes are written in {MINUTE} s at rest", False)
