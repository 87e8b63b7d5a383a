"""Stores the weighings of all scales in PostgreSQL, with paho and psycopg.

    collector.py PORT DATABASE

Acknowledges a message after its batch is committed. It does not look for missing weighings.
"""

import json
import signal
import sys
import threading

import paho.mqtt.client as mqtt
import psycopg

port, url = int(sys.argv[1]), sys.argv[2]
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
FIELDS = (
    "id", "sequence", "time", "kind", "gross_g", "tare_g", "net_g", "uncertainty_g", "pieces", "label", "source",
    "calibration", "calibration_counter", "configuration_hash", "voids", "amends", "clock",
)
INSERT = (
    f"INSERT INTO weighing (device, {', '.join(FIELDS)}) VALUES (%s{', %s' * len(FIELDS)}) ON CONFLICT DO NOTHING"
)
BATCH = 1000
connection = psycopg.connect(url, application_name="baseline")
arrived = threading.Condition()
messages = []


def on_connect(client, *_):
    client.subscribe("grampad/+/weighing", qos=1)


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
    rows = []
    for message in batch:
        record = json.loads(message.payload)
        rows.append((message.topic.split("/")[1], *(record.get(name) for name in FIELDS)))
    with connection.transaction(), connection.cursor() as cursor:
        cursor.executemany(INSERT, rows)
    for message in batch:
        client.ack(message.mid, message.qos)
