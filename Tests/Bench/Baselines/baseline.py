"""The same as baseline.c, in Python with evdev and paho.

    baseline.py DEVICE PORT PREFIX
"""

import json
import signal
import socket
import sys
from datetime import datetime, timezone

import evdev
import paho.mqtt.client as mqtt
from evdev import ecodes

device, port, prefix = sys.argv[1], int(sys.argv[2]), sys.argv[3]
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
pad = evdev.InputDevice(device)
maximum = pad.absinfo(ecodes.ABS_MT_PRESSURE).max
if hasattr(mqtt, "CallbackAPIVersion"):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
else:
    client = mqtt.Client(protocol=mqtt.MQTTv5)
client.connect("127.0.0.1", port)
client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
client.loop_start()
raw = 0
for event in pad.read_loop():
    if event.type == ecodes.EV_ABS and event.code == ecodes.ABS_MT_PRESSURE:
        raw = event.value
    elif event.type == ecodes.EV_SYN and event.code == ecodes.SYN_REPORT:
        grams = raw * 385 / maximum
        display = f"{round(grams)} g"
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        reading = {
            "time": now, "state": "settling", "gross_g": round(grams), "tare_g": 0, "net_g": round(grams),
            "high_resolution_g": round(grams, 3), "uncertainty_g": None, "stable": False, "inside_zero": False,
            "overload": False, "underload": False, "printable": display, "raw": raw, "force": round(raw / maximum, 4),
            "calibration": "nominal", "tare_epoch": 0,
        }  # fmt: skip
        client.publish(f"{prefix}/live", json.dumps(reading, separators=(",", ":")))
        client.publish(f"{prefix}/display", display)
