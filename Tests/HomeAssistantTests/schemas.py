"""Holds MQTT device announcements against Home Assistant's own schemas: schemas.py FILE...

Runs with the Python that has `homeassistant`. A line for each fault; exit status 1 when there is one. A key that a
platform does not know is a fault, though Home Assistant only drops it.
"""

import asyncio
import importlib
import sys
import tempfile

from homeassistant.components.mqtt import discovery, schemas
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame
from homeassistant.util.json import json_loads_object

# The validator was replaced in the course of 2026.
Invalid = (getattr(schemas, "vol", None) or getattr(schemas, "probatio")).Invalid


def faults(text):
    """In the order in which Home Assistant takes a message apart."""
    announcement = discovery.MQTTDiscoveryPayload(json_loads_object(text))
    discovery._replace_all_abbreviations(announcement)
    try:
        schemas.DEVICE_DISCOVERY_SCHEMA(announcement)
    except Invalid as error:
        yield f"device: {error}"
        return
    for key, component in announcement["components"].items():
        platform = component.pop("platform")
        if not component:
            continue  # taken away
        options = discovery.MQTTDiscoveryPayload(component)
        options["device"], options["origin"] = announcement["device"], announcement["origin"]
        discovery._merge_common_device_options(options, announcement)
        try:
            taken = importlib.import_module("homeassistant.components.mqtt." + platform).DISCOVERY_SCHEMA(options)
        except Invalid as error:
            yield f"{key}: {error}"
            continue
        for name in set(options) - set(taken):
            yield f"{key}: {name} is dropped"


async def main(files):
    found = False
    hass = HomeAssistant(tempfile.mkdtemp())
    frame.async_setup(hass)
    for file in files:
        for fault in faults(open(file, encoding="utf-8").read()):
            found = True
            print(f"{file}: {fault}")
    await hass.async_stop(force=True)
    return found


sys.exit(asyncio.run(main(sys.argv[1:])))
