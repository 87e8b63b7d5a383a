"""Prints what a bare Home Assistant with MQTT needs from PyPI, one requirement a line.

Read from the manifests of the installed `homeassistant`: the integrations that are always loaded, all entity
platforms, MQTT, and what these depend on.
"""

import importlib.util
import json
import pathlib
import re

package = pathlib.Path(importlib.util.find_spec("homeassistant").origin).parent
components = package / "components"
bootstrap = (package / "bootstrap.py").read_text()


def manifest(domain):
    file = components / domain / "manifest.json"
    return json.loads(file.read_text()) if file.exists() else None


always = re.search(r"DEFAULT_INTEGRATIONS = {(.*?)^}", bootstrap, re.S | re.M)[1]
waiting = {"mqtt", "hassio"} | set(re.findall(r'^\s+"(\w+)",', always, re.M))
for file in components.glob("*/manifest.json"):
    if json.loads(file.read_text()).get("integration_type") == "entity":
        waiting.add(file.parent.name)

seen, requirements = set(), set()
while waiting:
    domain = waiting.pop()
    if domain in seen or (found := manifest(domain)) is None:
        continue
    seen.add(domain)
    requirements |= set(found.get("requirements", []))
    waiting |= set(found.get("dependencies", []))
print("\n".join(sorted(requirements)))
