import Foundation
import Testing

@testable import Messages
@testable import Weighing

/// Compares the discovery payload with what Home Assistant's MQTT integration accepts.
@Suite struct HomeAssistantDeviceTests {
  private typealias Component = [String: Any]

  private static let beans = QuickAction(type: "beans-2", title: "Beans", icon: "mdi:coffee")

  private func device(_ quickActions: [QuickAction] = [], former: Set<String> = []) -> HomeAssistantDevice {
    HomeAssistantDevice(
      topics: Sample.topics, name: "Küche", version: "1.2.3", decimals: 1, quickActions: quickActions,
      formerActions: former)
  }

  private func components(_ device: HomeAssistantDevice) throws -> [String: Component] {
    try #require(device.announcement(on: "t").object()["components"] as? [String: Component])
  }

  @Test func oneRetainedMessageDescribesTheDevice() throws {
    let message = device().announcement(on: "homeassistant/device/kitchen/config")
    #expect(message.topic == "homeassistant/device/kitchen/config")
    #expect(message.delivery == .retained)
    let json = try message.object()
    #expect(Set(json.keys) == ["device", "origin", "availability", "qos", "components"])
    let device = try #require(json["device"] as? [String: Any])
    #expect(device["identifiers"] as? [String] == ["grampad-kitchen"])
    #expect(device["name"] as? String == "Küche")
    #expect(device["sw_version"] as? String == "1.2.3")
    #expect(device["serial_number"] as? String == "kitchen")
    #expect(Set(["configuration_url", "hw_version", "suggested_area"]).isDisjoint(with: device.keys), "not known")
    #expect(
      (json["origin"] as? [String: String]) == [
        "name": "Grampad", "sw_version": "1.2.3", "support_url": Version.homepage,
      ])
    #expect(json["availability"] as? [[String: String]] == [["topic": "grampad/kitchen/availability"]])
  }

  @Test func theDevicePageHasALinkAPadAndAnArea() throws {
    var scale = device()
    (scale.page, scale.hardware, scale.area) = ("http://scale.local:8385", "hx711", "Küche")
    let device = try #require(scale.announcement(on: "t").object()["device"] as? [String: Any])
    #expect(device["configuration_url"] as? String == "http://scale.local:8385")
    #expect(device["hw_version"] as? String == "hx711" && device["suggested_area"] as? String == "Küche")
  }

  /// The default identity has the entity IDs of the dashboard, whatever the device is called; others have their own.
  @Test(arguments: [
    ("grampad", "grampad", "grampad"), ("grampad", "kitchen", "grampad_kitchen"), ("grampad", "A-1", "grampad_a_1"),
    ("grampad", "Grampad", "grampad_grampad"), ("lab", "kitchen", "grampad_lab_kitchen_9915007b"),
    ("grampad", "a.b", "grampad_a_b_108bf50c"),
    (String(repeating: "é", count: 128), "a", "grampad_a_503a222d"),
  ])
  func entityIDsHaveTheIdentity(_ prefix: String, _ id: String, _ begin: String) throws {
    var device = device([Self.beans, QuickAction(type: "tare_2", title: "Tare")])
    device.topics = Topics(prefix: prefix, id: id)
    device.controls = ["tare", "Fan-2"].compactMap(ControlName.init)
    let components = try components(device)
    let ids = try components.mapValues { try #require($0["default_entity_id"] as? String) }
    #expect(Set(ids.values).count == ids.count, "no two entities have the same")
    for (key, component) in components {
      let domain = try #require(component["platform"] as? String)
      let id = try #require(ids[key])
      #expect(id.hasPrefix("\(domain).\(begin)_") && id.wholeMatch(of: /[a-z_]+\.[a-z0-9_]+/) != nil, "\(id)")
      #expect(!id.contains("__") && !id.hasSuffix("_"), "\(id)")
    }
    #expect(ids["weight"] == "sensor.\(begin)_weight" && ids["press_clear_tare"] == "button.\(begin)_clear_tare")
    #expect(ids["action_beans-2"] == "button.\(begin)_action_beans_2" && ids["tare"] == "sensor.\(begin)_tare")
    #expect(ids["control_tare"] == "sensor.\(begin)_control_tare" && ids["control_Fan-2"]?.hasSuffix("_fan_2") == true)
  }

  /// The options of Home Assistant's MQTT platforms that are used; any other would be dropped without a word.
  private static let options: [String: Set<String>] = [
    "sensor": [
      "state_topic", "value_template", "device_class", "unit_of_measurement", "state_class", "options",
      "suggested_display_precision", "json_attributes_topic", "json_attributes_template",
    ],
    "binary_sensor": [
      "state_topic", "value_template", "device_class", "json_attributes_topic", "json_attributes_template",
    ],
    "button": ["command_topic", "payload_press"],
    "number": [
      "command_topic", "command_template", "state_topic", "value_template", "min", "max", "step", "mode",
      "unit_of_measurement", "device_class", "json_attributes_topic", "json_attributes_template",
    ],
    "select": ["command_topic", "command_template", "state_topic", "value_template", "options"],
    "event": ["state_topic", "value_template", "event_types"],
  ]
  private static let common: Set<String> = [
    "platform", "unique_id", "default_entity_id", "name", "icon", "entity_category", "enabled_by_default",
    "availability",
    "availability_mode",
  ]

  @Test func everyEntityIsWellFormed() throws {
    let components = try components(device([Self.beans]))
    for (key, component) in components {
      let platform = try #require(component["platform"] as? String, "\(key)")
      let allowed = try #require(Self.options[platform], "\(key)").union(Self.common)
      #expect(allowed.isSuperset(of: component.keys), "\(key)")
      #expect(component["unique_id"] as? String == "grampad-kitchen-\(key)")
      #expect((component["name"] as? String)?.isEmpty == false)
      let topic = try #require((component["state_topic"] ?? component["command_topic"]) as? String)
      let below = try #require(Sample.topics.below(topic), "\(topic)")
      #expect(Topic(rawValue: below) != nil || below.hasPrefix("command/"), "\(topic)")
      if component["device_class"] as? String == "weight" {
        #expect(component["unit_of_measurement"] as? String == "g")
      }
    }
    #expect(
      Set(components.keys) == [
        "weight", "gross", "tare", "uncertainty", "flow", "timer", "timer_start", "timer_stop", "timer_reset", "state",
        "stable",
        "overload", "problem", "last_weighing", "weighing",
        "event",
        "press_tare", "press_clear_tare", "press_zero", "press_commit", "press_void", "action_beans-2", "calibration",
        "broker", "version", "pad", "outbox", "raw", "target", "target_check", "target_remaining", "sample_pieces",
        "pieces", "target_tolerance", "piece_mass", "preset_tare", "tare_container", "end_target", "end_count",
      ])
    #expect(components["weight"]?["suggested_display_precision"] as? Int == 1)
  }

  /// Home Assistant's recorder stores each change of an enabled entity and of its attributes.
  @Test func noEntityThatAlwaysChangesIsEnabled() throws {
    let components = try components(device([Self.beans]))
    let disabled = components.filter { $0.value["enabled_by_default"] as? Bool == false }
    #expect(
      Set(disabled.keys) == ["gross", "uncertainty", "flow", "timer", "target_remaining", "outbox", "raw"])
    let attributes = try components.filter { disabled[$0.key] == nil }.compactMap {
      try ($0.value["json_attributes_template"]).map { try #require($0 as? String) }
    }
    #expect(attributes.count > 3)
    for field in ["net_g", "gross_g", "high_resolution_g", "printable", "raw", "time"] {
      #expect(!attributes.contains { $0.contains("value_json.\(field)") }, "\(field)")
    }
  }

  /// A sensor that was announced is removed when the timer no longer follows pours.
  @Test(arguments: [(true, false), (true, true), (false, true), (false, false)])
  func theNumberOfPoursIsASensorWhileTheTimerFollowsThem(_ isOn: Bool, _ wasOn: Bool) throws {
    var device = device()
    (device.timesPours, device.hadPours) = (isOn, wasOn)
    let sensor = try components(device)["pours"]
    if isOn {
      #expect(sensor?["platform"] as? String == "sensor" && sensor?["enabled_by_default"] as? Bool == false)
      #expect(sensor?["state_topic"] as? String == "grampad/kitchen/reading")
      #expect(sensor?["value_template"] as? String == "{{ value_json.pours | default(none) }}")
      #expect(Self.common.union(Self.options["sensor"] ?? []).isSuperset(of: sensor?.keys.map(\.self) ?? []))
    } else {
      #expect(sensor as? [String: String] == (wasOn ? ["platform": "sensor"] : nil))
    }
    #expect(HomeAssistantDevice.hasPours(in: device.announcement(on: "t").payload) == (isOn || wasOn))
  }

  /// Also that a control that no longer exists is removed, by a component with a platform and nothing else.
  @Test func everyControlHasASensor() throws {
    var device = device()
    device.controls = ["lamp", "Fan-2"].compactMap(ControlName.init)
    device.formerControls = Set(["lamp", "old"].compactMap(ControlName.init))
    let components = try components(device)
    for name in ["lamp", "Fan-2"] {
      let sensor = try #require(components["control_" + name])
      #expect(sensor["platform"] as? String == "sensor" && sensor["name"] as? String == name)
      #expect(sensor["unique_id"] as? String == "grampad-kitchen-control_" + name)
      #expect(sensor["state_topic"] as? String == "grampad/kitchen/control/" + name)
      #expect(sensor["unit_of_measurement"] as? String == "%")
      let allowed = try #require(Self.options["sensor"]).union(Self.common)
      #expect(allowed.isSuperset(of: sensor.keys))
    }
    #expect(components["control_old"] as? [String: String] == ["platform": "sensor"])
    let announcement = device.announcement(on: "t").payload
    #expect(Set(HomeAssistantDevice.controls(in: announcement).map(\.description)) == ["lamp", "Fan-2", "old"])
    #expect(HomeAssistantDevice.actions(in: announcement) == [])
  }

  @Test func everyKindOfEventIsAnnounced() throws {
    let kinds: [ScaleEvent.Kind] = [
      .tared(DisplayedMass(steps: 1, division: .gram)), .tareCleared, .zeroed(DisplayedMass(steps: 1, division: .gram)),
      .rejected("tare", .empty, .nothingOnPad),
      .voided(Sample.record.id), .relabelled(Sample.record.id, nil), .recalled(Sample.record), .overload,
      .scanned(CodeMeaning(code: Sample.code)),
      .padLost(.unsuitable(.pen)),
      .padFound(""),
      .calibrated, .reloaded,
      .journalLoss(from: 1, to: 2), .journalRecovered(Sample.record.id, sequence: 7), .padSuspect(.noSignal),
      .targetReached(TargetProgress(mass: Grams(18), tolerance: Grams(1), remaining: Grams(0), check: .ok)),
      .timerStarted(.zero), .timerStopped(.seconds(28)), .pairing(Sample.phone, .requested),
      .pairing(Sample.phone, .granted), .pairing(Sample.phone, .refused(.timedOut)),
      .targetStop(TargetStop(target: Grams(18), net: Grams(17), predicted: Grams(18), flow: 2, label: "")),
      .doseStarted(RunningDose(dose: Sample.dose, label: "")),
      .dosed(FinishedDose(dose: Sample.dose, label: "", reason: .reached, result: Grams(18), learning: .learned)),
    ]
    let event = try #require(try components(device())["event"])
    #expect(Set(event["event_types"] as? [String] ?? []) == Set(kinds.map(\.name)))
  }

  @Test(arguments: [
    ("mdi:coffee", true), ("coffee", false), ("mdi:", false), (":coffee", false), ("a:b:c", false), ("", false),
  ])
  func onlyAnIconThatIsOneIsPassedOn(_ icon: String, _ isTaken: Bool) throws {
    let action = QuickAction(type: "beans", title: "", icon: icon)
    let button = try #require(try components(device([action]))["action_beans"])
    #expect((button["icon"] as? String == icon) == isTaken)
    #expect(button["name"] as? String == "beans", "the type stands in for an empty title")
    #expect(button["command_topic"] as? String == "grampad/kitchen/command/beans")
  }

  /// The select has the containers as options, whatever they are called, and is always the same entity.
  @Test(arguments: [
    ([], ["No container"]), (["jug", "a \"b\" {{ c }}"], ["No container", "jug", "a \"b\" {{ c }}"]),
    (["No container", "jug"], ["No container", "jug"]),
  ])
  func theContainersAreOptions(_ names: [String], _ options: [String]) throws {
    var device = device()
    device.containers = names
    let components = try components(device)
    let select = try #require(components["tare_container"])
    #expect(select["platform"] as? String == "select" && select["options"] as? [String] == options)
    #expect(select["unique_id"] as? String == "grampad-kitchen-tare_container")
    #expect(try components.count == self.components(self.device()).count)
  }

  /// What a button sends is a command that the appliance takes.
  @Test func everyButtonSendsACommand() throws {
    for (key, component) in try components(device([Self.beans])) where component["platform"] as? String == "button" {
      let topic = try #require(component["command_topic"] as? String)
      let payload = try #require(component["payload_press"] as? String)
      let message = IncomingMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)
      let command = try #require(Command(message, topics: Sample.topics), "\(key)")
      #expect(throws: Never.self, "\(key)") { try command.order.get() }
    }
  }

  @Test func aDoseHasAButtonWhileThereIsAnOutput() throws {
    var device = device()
    #expect(try components(device)["stop_dose"] == nil)
    device.doseButton.set(isPresent: false)
    #expect(try components(device)["stop_dose"] == nil)
    device.doseButton.set(isPresent: true)
    #expect(HomeAssistantDevice.hasDoseButton(in: device.announcement(on: "t").payload))
    let button = try #require(try components(device)["stop_dose"])
    #expect(button["command_topic"] as? String == "grampad/kitchen/command/dose")
    #expect(button["payload_press"] as? String == "{}")
    device.doseButton.set(isPresent: false)
    #expect(try components(device)["stop_dose"] as? [String: String] == ["platform": "button"])
    #expect(!HomeAssistantDevice.hasDoseButton(in: device.announcement(on: "t").payload))
  }

  @Test func buttonsOfThePastAreTakenAway() throws {
    let components = try components(device([Self.beans], former: ["milk", "beans-2"]))
    #expect(components["action_milk"] as? [String: String] == ["platform": "button"])
    #expect(components["action_beans-2"]?.count ?? 0 > 1, "in force again")
  }

  @Test func anAnnouncementTellsItsButtons() {
    let announcement = device([Self.beans], former: ["milk"]).announcement(on: "t").payload
    #expect(HomeAssistantDevice.actions(in: announcement) == ["beans-2", "milk"])
    for strange in ["", "{}", "[1]", #"{"components":{"action_a b":{}, "action_":1}}"#, #"{"components":3}"#] {
      #expect(HomeAssistantDevice.actions(in: Array(strange.utf8)).isEmpty)
    }
  }

  @Test func theRemovalIsEmptyAndRetained() {
    let removal = HomeAssistantDevice.removal(from: "t")
    #expect(removal.payload.isEmpty && removal.delivery == .retained && removal.topic == "t")
  }

  /// With all that a configuration may make long.
  @Test func theLongestAnnouncementCanBeReadAgain() {
    let quote = String(repeating: "\u{1}", count: QuickAction.maximumTextBytes)
    let types = (0..<4).map { String(repeating: "\($0)", count: QuickAction.maximumNameBytes) }
    let former = Set((0..<64).map { "\($0)" + String(repeating: "x", count: 62) })
    var device = device(types.map { QuickAction(type: $0, title: quote) }, former: former)
    device.containers = (0..<128).map { "\($0)" + String(repeating: "\"", count: ContainerName.maximumBytes - 3) }
    (device.page, device.hardware, device.area) = (String(repeating: "a", count: 1024), quote, quote)
    device.topics = Topics(prefix: String(repeating: "\"", count: 256), id: String(repeating: "\"", count: 64))
    let payload = device.announcement(on: "t").payload
    #expect(HomeAssistantDevice.actions(in: payload) == former.union(types), "\(payload.count) bytes")
  }
}
