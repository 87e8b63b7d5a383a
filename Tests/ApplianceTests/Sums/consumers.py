"""Sum what was weighed as other programs do, with the files of config/ as they are shipped.

    consumers.py FOLDER CONFIG

FOLDER has messages.jsonl, the payloads of the topic `weighing` as they arrive, some of them twice, history.csv and
history.json. Prints a JSON object with what each program comes to: `net_g`, and where it can tell them `count`, the number
of weighings that are not voided, and `labels`, the net by label.

Telegraf is not in Debian: its mapping is applied here as telegraf.conf describes it, the processor run by Python, of which
Starlark is a part. InfluxDB and Node.js are the real ones.
"""

import csv
import json
import os
import re
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from collections import defaultdict
from datetime import datetime
from pathlib import Path

folder, config = Path(sys.argv[1]), Path(sys.argv[2])
messages = [json.loads(line) for line in (folder / "messages.jsonl").read_text().splitlines()]


def from_csv():
    with open(folder / "history.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    labels = defaultdict(float)
    for row in rows:
        label = row["effective_label"]
        if float(row["net_g"]):
            labels[label[1:] if label.startswith("'") else label] += float(row["net_g"])
    assert not any(cell[:1] in set("=+-@\t\r\n") for row in rows for cell in (row["label"], row["effective_label"]))
    count = sum({"weighing": 1, "void": -1, "relabel": 0}[row["kind"]] for row in rows)
    return {
        "net_g": sum(float(row["net_g"]) for row in rows), "count": count,
        "labels": {label: net for label, net in labels.items() if abs(net) > 1e-6},
    }


def from_json():
    return {"net_g": sum(record["net_g"] for record in json.loads((folder / "history.json").read_text()))}


def from_mqtt():
    return {"net_g": sum({m["id"]: m["net_g"] for m in messages}.values())}


def from_node_red():
    """The function node, with a context that lives as long as the flow, and what it hands to the file."""
    flow = json.loads((config / "node-red-flow.json").read_text())
    code = next(node["func"] for node in flow if node["type"] == "function")
    program = """
        const [code, file] = process.argv.slice(1);
        const kept = new Map();
        const context = { get: (key) => kept.get(key), set: (key, value) => kept.set(key, value) };
        const run = new Function("msg", "context", "node", code);
        const lines = [];
        let total = 0;
        for (const line of require("fs").readFileSync(file, "utf8").trimEnd().split("\\n")) {
          const msg = run({ payload: JSON.parse(line) }, context, { status() {} });
          if (msg === null) continue;
          lines.push(msg.payload);
          total = msg.total_g;
        }
        console.log(JSON.stringify({ total, lines }));
        """
    ended = subprocess.run(
        ["node", "-e", program, code, str(folder / "messages.jsonl")], capture_output=True, text=True, check=True)
    result = json.loads(ended.stdout)
    rows = list(csv.reader(result["lines"], strict=True))
    assert abs(sum(float(row[3]) for row in rows) - result["total"]) < 1e-6, "the file and the total differ"
    return {"net_g": result["total"], "count": sum({"weighing": 1, "void": -1}.get(row[2], 0) for row in rows)}


class Metric:
    """What a processor of Telegraf is given."""

    def __init__(self, name, tags, fields, nanoseconds):
        self.name, self.tags, self.fields, self.time = name, tags, fields, nanoseconds


def telegraf():
    """The points that Telegraf writes, as InfluxDB's line protocol."""
    document = tomllib.loads((config / "telegraf.conf").read_text())
    source = next(
        table for table in document["inputs"]["mqtt_consumer"] if table["name_override"] == "grampad_weighing")
    assert source["data_format"] == "json" and source["json_time_key"] == "time"
    processors = []
    for table in document.get("processors", {}).get("starlark", []):
        if "grampad_weighing" in table["namepass"]:
            scope = {}
            exec(table["source"], scope)
            processors.append(scope["apply"])
    for message in messages:
        instant = datetime.strptime(message["time"], "%Y-%m-%dT%H:%M:%S.%f%z")
        milliseconds = int(round(instant.timestamp() * 1000))
        fields = {
            key: float(value) for key, value in message.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        }
        for key in source["json_string_fields"]:
            if message.get(key) is not None:
                fields[key] = message[key]
        tags = {"device": "kitchen"} | {key: message[key] for key in source["tag_keys"]}
        metric = Metric("grampad_weighing", tags, fields, milliseconds * 1_000_000)
        for apply in processors:
            metric = apply(metric)

        def value(thing):
            if isinstance(thing, (bool, float)):
                return str(thing).lower() if isinstance(thing, bool) else repr(thing)
            return '"' + thing.replace("\\", "\\\\").replace('"', '\\"') + '"'

        yield "{},{} {} {}".format(
            metric.name, ",".join(f"{k}={v}" for k, v in sorted(metric.tags.items())),
            ",".join(f"{k}={value(v)}" for k, v in metric.fields.items()), metric.time)


RESERVED = []


def free_port():
    """A TCP port on loopback. It stays bound to a socket that does not listen, which leaves it to servers with SO_REUSEADDR."""
    reserved = socket.socket()
    reserved.bind(("127.0.0.1", 0))
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    RESERVED.append(reserved)
    return reserved.getsockname()[1]


def from_grafana():
    """The board's own queries, put to a real InfluxDB that has what Telegraf writes."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    data = folder / "influxdb"
    environment = os.environ | {
        "INFLUXDB_META_DIR": str(data / "meta"), "INFLUXDB_DATA_DIR": str(data / "data"),
        "INFLUXDB_DATA_WAL_DIR": str(data / "wal"), "INFLUXDB_HTTP_BIND_ADDRESS": f"127.0.0.1:{port}",
        "INFLUXDB_BIND_ADDRESS": f"127.0.0.1:{free_port()}", "INFLUXDB_REPORTING_DISABLED": "true",
    }
    # Without a file of its own it would take the one of the package.
    (folder / "influxdb.conf").write_text("reporting-disabled = true\n")
    with open(folder / "influxdb.log", "w") as log:
        server = subprocess.Popen(
            ["influxd", "-config", str(folder / "influxdb.conf")], env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                urllib.request.urlopen(base + "/ping").close()
                break
            except (urllib.error.URLError, ConnectionError):
                assert server.poll() is None and time.monotonic() < deadline, (folder / "influxdb.log").read_text()
                time.sleep(0.05)

        def post(path, parameters, body=None):
            request = urllib.request.Request(f"{base}{path}?{urllib.parse.urlencode(parameters)}", data=body or b"")
            with urllib.request.urlopen(request) as answer:
                return answer.read()

        post("/query", {"q": "CREATE DATABASE grampad"})
        post("/write", {"db": "grampad", "precision": "ns"}, "\n".join(telegraf()).encode())
        board = json.loads((config / "grafana-dashboard.json").read_text())

        def ask(title):
            query = next(panel for panel in board["panels"] if panel["title"] == title)["targets"][0]["query"]
            query = query.replace("$device", "kitchen").replace("$timeFilter", "time >= 0 AND time < '2200-01-01T00:00:00Z'")
            result = json.loads(post("/query", {"db": "grampad", "q": query}))["results"][0]
            assert "error" not in result, (query, result)
            return result["series"][0]["values"][0][1] if "series" in result else 0

        return {"net_g": ask("Total weight"), "count": ask("Weighings")}
    finally:
        server.terminate()
        server.wait(10)


programs = {
    "csv": from_csv, "json": from_json, "mqtt": from_mqtt, "node_red": from_node_red, "grafana": from_grafana,
}
print(json.dumps({name: program() for name, program in programs.items()}))
