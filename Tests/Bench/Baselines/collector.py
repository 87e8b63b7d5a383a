"""Stores the weighings of all scales in PostgreSQL, with paho and psycopg.

    collector.py PORT DATABASE [state]

Acknowledges a message after its batch is committed. With `state` it also stores the health of each device, the number of
its weighings, the highest sequence and when it was last seen. It does not look for missing weighings.
"""

import json
import signal
import sys
import threading

import paho.mqtt.client as mqtt
import psycopg

port, url = int(sys.argv[1]), sys.argv[2]
keeps_state = sys.argv[3:] == ["state"]
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
FIELDS = (
    "id", "sequence", "time", "kind", "gross_g", "tare_g", "net_g", "uncertainty_g", "pieces", "label", "source",
    "calibration", "calibration_counter", "configuration_hash", "voids", "amends", "clock",
)
INSERT = (
    f"INSERT INTO weighing (device, {', '.join(FIELDS)}) VALUES (%s{', %s' * len(FIELDS)}) ON CONFLICT DO NOTHING"
)
STATE = """
    INSERT INTO device (id, last_seen, weighings, highest_sequence) VALUES (%s, now(), %s, %s)
    ON CONFLICT (id) DO UPDATE SET last_seen = excluded.last_seen, weighings = device.weighings + excluded.weighings,
      highest_sequence = greatest(device.highest_sequence, excluded.highest_sequence)
"""
HEALTH = """
    INSERT INTO device (id, last_seen, health, version, clock, calibration) VALUES (%s, now(), %s, %s, %s, %s)
    ON CONFLICT (id) DO UPDATE SET last_seen = excluded.last_seen, health = excluded.health, version = excluded.version,
      clock = excluded.clock, calibration = excluded.calibration
"""
BATCH = 5000
connection = psycopg.connect(url, application_name="baseline")
arrived = threading.Condition()
messages = []


def on_connect(client, *_):
    client.subscribe("grampad/+/weighing", qos=1)
    if keeps_state:
        client.subscribe("grampad/+/health", qos=1)


def on_message(client, _, message):
    with arrived:
        messages.append(message)
        arrived.notify()


if hasattr(mqtt, "CallbackAPIVersion"):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, "baseline", protocol=mqtt.MQTTv5, manual_ack=True)
else:
    client = mqtt.Client("baseline", protocol=mqtt.MQTTv5, manual_ack=True)
client.on_connect = on_connect
client.on_message = on_message
client.connect("127.0.0.1", port)
client.loop_start()
while True:
    with arrived:
        while not messages:
            arrived.wait()
        batch, messages = messages[:BATCH], messages[BATCH:]
    rows, state, health = [], {}, {}
    for message in batch:
        record = json.loads(message.payload)
        device, topic = message.topic.split("/")[1:]
        if topic == "health":
            health[device] = message.payload.decode(), record["version"], record["clock"], record["calibration"]
            continue
        rows.append((device, *(record.get(name) for name in FIELDS)))
        count, top = state.get(device, (0, 0))
        state[device] = count + 1, max(top, record["sequence"])
    with connection.transaction(), connection.cursor() as cursor:
        if rows:
            cursor.executemany(INSERT, rows)
        if keeps_state and state:
            cursor.executemany(STATE, [(device, *values) for device, values in state.items()])
        if health:
            cursor.executemany(HEALTH, [(device, *values) for device, values in health.items()])
    for message in batch:
        client.ack(message.mid, message.qos)
