"""The cases with a second appliance: updates, the shipped dashboard, and the automations of `config`."""

import json
import re
import socket

from appliance import ROOT, Appliance, Listener
from home_assistant import eventually
from stock import Stock

TOPIC = "homeassistant/device/kitchen/config"
# What a weighing of the second appliance is for, by the type of the quick action: its label.
LABELS = {"filament": "PLA black", "spool": f"WEB+SPOOLMAN:S-{Stock.SPOOL}", "flour": Stock.FLOUR, "unknown": "spool 404"}


class SecondAppliance:
    """Part of the story in `run`, which has the broker, Home Assistant and the first appliance."""

    def second(self, id, name):
        """Starts a second appliance, with the page for all machines; its discovery is the only thing that is looked at."""
        second = Appliance(self.port, id, name)
        actions = ", ".join(
            f"{{type: {type}, title: {type}, run: commit, user_info: {{label: '{label}'}}}}"
            for type, label in LABELS.items())
        second.configure(actions, dashboard='enabled: true, address: "0.0.0.0"', area="Larder")
        second.start()
        return second

    def remove(self, appliance, id):
        appliance.configure(discovery="false")
        eventually("no device", lambda: self.home.device(id) is None and not self.home.entities(id))
        appliance.end()

    def update_duplicates_nothing(self):
        """From the announcement of an earlier version to the one of this version."""
        first = set(self.home.entities())
        text = self.retained(TOPIC).replace("grampad-kitchen", "grampad-old").replace("grampad/kitchen/", "grampad/old/")
        former = json.loads(text)
        for key in ("serial_number", "hw_version", "suggested_area", "configuration_url"):
            former["device"].pop(key, None)
        former["device"]["name"] = "Old"
        del former["origin"]["support_url"]
        for component in former["components"].values():
            component.pop("default_entity_id", None)
        self.publish(TOPIC.replace("kitchen", "old"), json.dumps(former), "-r")
        eventually("the old entities", lambda: set(self.home.entities("old")) == first)
        ids = {key: entity["entity_id"] for key, entity in self.home.entities("old").items()}
        assert ids["weight"] == "sensor.old_weight", ids
        device = self.home.device("old")
        appliance = self.second("old", "Old")
        try:
            actions = {"action_" + name for name in LABELS}
            keys = first - {"action_beans"} | actions
            eventually("the new entities", lambda: set(self.home.entities("old")) == keys)
            eventually("a link", lambda: self.home.device("old")["configuration_url"])
            new = self.home.device("old")
            assert new["id"] == device["id"] and new["serial_number"] == "old", new
            found = {key: entity["entity_id"] for key, entity in self.home.entities("old").items()}
            kept = {key: id for key, id in found.items() if key not in actions}
            assert kept == {key: id for key, id in ids.items() if key != "action_beans"}, found
            assert {found[key] for key in actions} == {f"button.grampad_old_{key}" for key in actions}, found
            every = self.home.ask("config/entity_registry/list")
            assert {e["entity_id"] for e in every if e["device_id"] == new["id"]} == set(found.values())
        finally:
            self.remove(appliance, "old")

    def default_appliance_starts(self):
        """The device page has link, serial number, pad and area; the device has another name than the entity IDs."""
        self.other = self.second("grampad", "Scale on the bench")
        self.weighings = Listener(self.port, "grampad/grampad/weighing")
        self.results = Listener(self.port, "grampad/grampad/result")
        self.listeners = [self.weighings, self.results]
        device = eventually("a device", lambda: self.home.device("grampad"))
        link = f"http://{socket.gethostname().lower().split('.')[0]}"
        eventually("a link", lambda: str(self.home.device("grampad")["configuration_url"]).startswith(link))
        device = self.home.device("grampad")
        areas = {area["area_id"]: area["name"] for area in self.home.ask("config/area_registry/list")}
        assert device["configuration_url"].endswith(f":{self.other.dashboard}"), device
        assert device["serial_number"] == "grampad" and areas[device["area_id"]] == "Larder", device

        def listens():
            self.publish("grampad/grampad/command/timer", '{"do": "reset"}')
            return self.results.messages()

        eventually("a result", listens)
        pad = json.loads(self.subscribe("grampad/grampad/health"))["pad"]["name"]
        eventually("the pad", lambda: self.home.device("grampad")["hw_version"] == pad)

    def dashboard_works_unchanged(self):
        text = (ROOT / "config/home-assistant-dashboard.yaml").read_text()
        named = set(re.findall(r"(?:sensor|binary_sensor|button|event)\.grampad_[a-z_]+", text.replace("states.", "")))

        def missing():
            states = self.home.states()
            return {name for name in named if states.get(name, {}).get("state", "unavailable") == "unavailable"}

        assert len(named) > 15
        eventually("every entity of the dashboard", lambda: not missing())

    def weigh(self, type):
        """Presses a quick action of the second appliance until one is confirmed; returns the masses of its weighings."""
        def ours():
            return [weighing["net_g"] for weighing in self.weighings.messages() if weighing["label"] == LABELS[type]]

        def answers():
            return [result for result in self.results.messages() if result["source"] == "mqtt"]

        def weighed():
            if self.home.state("binary_sensor.grampad_stable")["state"] != "on":
                return False
            if float(self.home.state("sensor.grampad_weight")["state"]) <= 5:
                return False
            known = len(answers())
            self.home.press(f"button.grampad_action_{type}")
            return eventually("an answer", lambda: answers()[known:], 60)[0]["ok"]

        before = len(ours())
        eventually(f"a weighing of {type}", weighed, 90)
        return eventually("the weighing", lambda: ours()[before:])

    def notifications(self):
        return {n["notification_id"]: n["message"] for n in self.home.ask("persistent_notification/get")}

    def blueprint_keeps_what_remains(self):
        """Also that low stock is told once, in a notification, in a list, and by an action of the user."""
        flows = "/api/config/config_entries/flow"
        form = self.home.request("POST", flows, {"handler": "shopping_list"})
        self.home.request("POST", f"{flows}/{form['flow_id']}", {})
        items = "/api/shopping_list"
        inputs = {
            "weighing": "event.grampad_weighing", "label": LABELS["filament"], "empty_g": 2.5,
            "remaining": "input_number.filament", "low_g": 1000, "list": ["todo.shopping_list"],
            "low_actions": [{"action": "mqtt.publish", "data": {"topic": "stock/low", "payload": "{{ remaining_g }}"}}],
        }
        self.home.request("POST", "/api/services/input_number/set_value", {
            "entity_id": "input_number.filament", "value": 2000})
        self.home.request("POST", "/api/config/automation/config/filament", {
            "alias": "Filament", "use_blueprint": {"path": "grampad/home-assistant-remaining.yaml", "input": inputs}})
        eventually("the automation", lambda: self.home.state("automation.filament")["state"] == "on")
        low = Listener(self.port, "stock/low")
        try:
            left = self.weigh("filament")[-1] - 2.5
            eventually("what remains", lambda: float(self.home.state("input_number.filament")["state"]) == left)
            eventually("a notification", lambda: f"{left:g}" in self.notifications()[
                "grampad_remaining_input_number.filament"])
            eventually("an item", lambda: [i["name"] for i in self.home.request("GET", items)] == [LABELS["filament"]])
            eventually("an action", lambda: low.messages() == [left])
            left = self.weigh("filament")[-1] - 2.5
            eventually("what remains now", lambda: float(self.home.state("input_number.filament")["state"]) == left)
            eventually("the end", lambda: self.home.state("automation.filament")["attributes"]["current"] == 0)
            assert len(low.messages()) == 1 == len(self.home.request("GET", items)), "told once"
        finally:
            low.end()
        self.home.request("DELETE", "/api/config/automation/config/filament")

    def spoolman_gets_the_weight(self):
        net = self.weigh("spool")[-1]
        spool = self.stock.spools[Stock.SPOOL]
        eventually("the measurement", lambda: abs(spool["used_weight"] - (1000.5 - net)) < 1e-6)
        assert not self.stock.refused and "grampad_spoolman" not in self.notifications(), self.stock.refused
        self.weigh("unknown")
        eventually("the refusal", lambda: "Spool not found" in self.notifications()["grampad_spoolman"])
        self.stock.refused.clear()

    def grocy_gets_stock_and_portions(self):
        net = self.weigh("flour")[-1]
        eventually("the stock", lambda: self.stock.flour == net)
        for option in ("Off", "Consume"):
            self.stock.flour = 1000.0
            self.home.request("POST", "/api/services/input_select/select_option", {
                "entity_id": "input_select.grampad_grocy", "option": option})
            nets = self.weigh("flour")
            if option == "Consume":
                eventually("the portion", lambda: abs(self.stock.flour - (1000 - sum(nets))) < 1e-6)
        booked = [(path.rsplit("/", 1)[1], body) for _, path, body in self.stock.bookings if path.startswith("/grocy")]
        assert [booking for booking, _ in booked] == ["inventory"] + len(nets) * ["consume"], booked
        assert not self.stock.refused and "grampad_grocy" not in self.notifications(), self.stock.refused
        self.remove(self.other, "grampad")
