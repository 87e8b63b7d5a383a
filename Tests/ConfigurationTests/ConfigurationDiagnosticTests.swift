import Testing

@testable import Configuration

/// A wrong value for every key, with the position and the beginning of its diagnostic.
@Suite struct ConfigurationDiagnosticTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let key: String
    let yaml: MarkedYAML
    let message: String
    let suggestion: String?

    init(_ key: String, _ yaml: String, _ message: String, meant suggestion: String? = nil) {
      self.key = key
      self.yaml = MarkedYAML(yaml)
      self.message = message
      self.suggestion = suggestion
    }

    var testDescription: String { "\(key): \(yaml.testDescription)" }
  }

  @Test(arguments: ConfigurationDiagnosticTests.sections + ConfigurationDiagnosticTests.items)
  func reportsAWrongValueAtItsPosition(_ test: Case) throws {
    let found = diagnostics(test.yaml.text)
    let diagnostic = try #require(found.first { $0.position == test.yaml.position }, "\(found)")
    #expect(diagnostic.keyPath == test.key)
    #expect(diagnostic.message.description.hasPrefix(test.message), "\(diagnostic)")
    #expect(diagnostic.suggestion == test.suggestion)
    #expect(found.count == 1, "\(found)")
  }

  @Test func everyKeyHasAWrongValue() {
    let tested = Set(Self.sections.map(\.key))
    for key in Configuration.keys + Configuration.allKeys { #expect(tested.contains(key.name), "\(key.name)") }
  }

  static let sections: [Case] = [
    Case("device", "device: ▸grampad", "expected a mapping of keys, found the string \"grampad\""),
    Case("device.id", "device: {id: ▸a/b}", "must not contain /"),
    Case("device.id", "device: {id: ▸\"\"}", "must not be empty"),
    Case("device.id", "device: {id: ▸$x}", "must not begin with $"),
    Case("device.id", "device: {id: ▸a+}", "must not contain +"),
    Case("device.id", "device: {id: ▸\"a#\"}", "must not contain #"),
    Case("device.id", "device: {id: ▸\"a\\0\"}", "must not contain control characters"),
    Case("device.id", "device: {id: ▸17}", "expected a string, found the number 17", meant: "\"17\""),
    Case("device.id", "device: {id: ▸\(String(repeating: "k", count: 65))}", "too long: 65 bytes, maximum 64"),
    Case("device.name", "device:\n  name: ▸[a]", "expected a string, found a list"),
    Case("device.name", "device:\n  name:▸", "expected a string, found nothing"),
    Case("pad", "pad: ▸5", "expected a mapping of keys, found the number 5"),
    Case("pad.device", "pad:\n  device: ▸atuo", "expected auto, simulated, an absolute path", meant: "auto"),
    Case("pad.device", "pad: {device: ▸event3}", "expected auto", meant: "/dev/input/event3"),
    Case("pad.device", "pad: {device: ▸{}}", "no device specified"),
    Case("pad.device.iio", "pad: {device: {iio: ▸\"\"}}", "must not be empty"),
    Case("pad.invert", "pad: {invert: ▸5}", "expected true or false"),
    Case("pad.channel", "pad: {channel: ▸in_voltage0}", "expected a channel, such as voltage0"),
    Case("pad.rate_hz", "pad: {rate_hz: ▸0}", "expected a number from 1 to 100000"),
    Case("pad.gain", "pad: {gain: ▸0}", "expected a number greater than 0 and at most 1024"),
    Case("pad.axis", "pad: {axis: ▸ABS_PRESURE}", "expected auto or the name of an axis", meant: "ABS_PRESSURE"),
    Case("pad.axis", "pad: {axis: ▸[]}", "must name at least one axis", meant: "auto"),
    Case(
      "pad.axis", "pad: {axis: ▸7}",
      "expected auto or the name of an axis, ABS_..., or a list of names, found the number 7"),
    Case("pad.axis[1]", "pad: {axis: [ABS_X, ▸ABS_HAT0x]}", "expected the name of an axis", meant: "ABS_HAT0X"),
    Case("pad.axis[0]", "pad: {axis: [▸auto, ABS_X]}", "expected the name of an axis"),
    Case("pad.axis[1]", "pad:\n  axis:\n    - ABS_X\n    -▸\n", "expected the name of an axis, ABS_..., found nothing"),
    Case(
      "pad.axis[2]", "pad:\n  axis:\n    - ABS_HAT0X\n    - ABS_HAT1X\n    - ▸ABS_HAT0X\n",
      "ABS_HAT0X is repeated, first given on line 3", meant: "ABS_HAT0Y"),
    Case("pad.axis[1]", "pad: {axis: [ABS_MISC, ▸ABS_MISC]}", "ABS_MISC is repeated, first given on line 1"),
    Case(
      "pad.axis[1]", "pad: {axis: [ABS_X, ▸ABS_MT_PRESSURE]}",
      "ABS_MT_PRESSURE is an axis of contacts and cannot be added to other axes"),
    Case("pad.grab", "pad: {grab: ▸yes}", "expected true or false, found the string \"yes\"", meant: "true"),
    Case("pad.surface", "pad: {surface: ▸plater}", "expected contacts or platter", meant: "platter"),
    Case("pad.rotate", "pad: {rotate: ▸45}", "expected 0, 90, 180 or 270, found the number 45"),
    Case("pad.zones", "pad: {zones: ▸}", "expected a mapping {ACTION"),
    Case("pad.controls", "pad: {controls: ▸[lamp]}", "expected a mapping {NAME"),
    Case(
      "pad.controls",
      "pad: {controls: ▸{\((0..<9).map { "c\($0): {x: [0.\(3 + $0 / 3), 0.\(4 + $0 / 3)], y: [0.\(1 + $0 % 3), 0.\(2 + $0 % 3)]}" }.joined(separator: ", "))}}",
      "too many controls: 9, maximum 8"),
    Case("history", "history: ▸10", "expected a mapping of keys"),
    Case("history.depth", "history: {depth: ▸0}", "expected an integer from 1 to 100"),
    Case("history.depth", "history: {depth: ▸101}", "expected an integer from 1 to 100"),
    Case("scale", "scale: ▸[]", "expected a mapping of keys, found a list"),
    Case("scale.capacity_g", "scale:\n  capacity_g: ▸0", "expected a number greater than 0 and at most 1000000"),
    Case("scale.capacity_g", "scale:\n  capacity_g: ▸\"385\"", "expected a number", meant: "385"),
    Case("scale.capacity_g", "scale:\n  capacity_g: ▸385 g", "expected a number", meant: "385"),
    Case("scale.capacity_g", "scale:\n  capacity_g: ▸385,5", "expected a number", meant: "385.5"),
    Case("scale.capacity_g", "scale:\n  capacity_g: ▸0385", "expected a number", meant: "385"),
    Case(
      "scale.capacity_g", "scale:\n  capacity_g: ▸.nan",
      "expected a number greater than 0 and at most 1000000, found the number .nan"),
    Case("scale.capacity_g", "scale:\n  capacity_g: ▸1e999", "expected a number greater than 0"),
    Case(
      "scale.capacity_g", "scale:\n  capacity_g: ▸true",
      "expected a number greater than 0 and at most 1000000, found true"),
    Case("scale.division_g", "scale: {division_g: ▸3}", "expected 1, 2 or 5 times a power of ten", meant: "2"),
    Case("scale.division_g", "scale: {capacity_g: 1, division_g: ▸2, minimum_g: 0}", "division_g of 2 g exceeds"),
    Case("scale.minimum_g", "scale: {minimum_g: ▸-1}", "expected a number from 0 to 1000000"),
    Case("scale.minimum_g", "scale: {minimum_g: ▸400}", "minimum_g of 400 g is not below the capacity of 385 g"),
    Case("scale.minimum_g", "scale: {minimum_g: ▸385}", "minimum_g of 385 g is not below the capacity of 385 g"),
    Case("scale.capacity_g", "scale: {capacity_g: ▸1.5}", "minimum_g of 2 g is not below the capacity of 1.5 g"),
    Case("confirm.full_g", "confirm: {full_g: ▸386}", "a full press of 386 g exceeds the capacity of 385 g"),
    Case(
      "confirm.full_g", "confirm: {full_g: ▸173}\nscale: {capacity_g: 100}",
      "a full press of 173 g exceeds the capacity of 100 g"),
    Case("stability.motion_g", "stability: {motion_g: ▸385}", "must be below the capacity of 385 g"),
    Case("scale.tare_on_release", "scale: {tare_on_release: ▸kepp}", "expected keep or clear", meant: "keep"),
    Case("scale.auto_commit", "scale: {auto_commit: ▸1}", "expected true or false", meant: "true"),
    Case("containers_auto", "containers_auto: ▸1", "expected true or false", meant: "true"),
    Case("timer", "timer: ▸true", "expected a mapping of keys, found true"),
    Case("timer.auto", "timer: {auto: ▸1}", "expected true or false", meant: "true"),
    Case("timer.pause_s", "timer: {pause_s: ▸3601}", "expected an integer from 0 to 3600"),
    Case("target", "target: ▸18", "expected a mapping of keys, found the number 18"),
    Case("target.stop_ahead", "target: {stop_ahead: ▸yes}", "expected true or false", meant: "true"),
    Case("target.dead_time_ms", "target: {dead_time_ms: ▸10001}", "expected an integer from 0 to 10000"),
    Case("target.dead_time_ms", "target: {dead_time_ms: ▸0.3}", "expected an integer from 0 to 10000"),
    Case("outputs", "outputs: ▸{name: grinder, topic: a}", "expected a list, found a mapping"),
    Case("containers", "containers: ▸jug", "expected a list"),
    Case("scanners", "scanners: ▸{device: /dev/input/event3}", "expected a list, found a mapping"),
    Case("codes", "codes: ▸[beans]", "expected a mapping {CODE:"),
    Case("scan_hold_s", "scan_hold_s: ▸0", "expected an integer from 1 to 86400"),
    Case("scan_commit", "scan_commit: ▸1", "expected true or false", meant: "true"),
    Case("scale.unit", "scale: {unit: ▸ounce}", "expected g, kg, oz, lb, ct or gn"),
    Case("scale.zero_tracking", "scale: {zero_tracking: ▸1}", "expected true or false", meant: "true"),
    Case("calibration", "calibration: ▸linear", "expected a mapping of keys"),
    Case("calibration.curve", "calibration: {curve: ▸cubic}", "expected linear, monotone, polynomial or power"),
    Case("calibration.date", "calibration: {date: ▸\"\"}", "must not be empty"),
    Case("calibration.empty_raw", "calibration: {empty_raw: ▸-1}", "expected a number from 0 to 2147483647"),
    Case("calibration.file", "calibration: {file: ▸points/}", "must be a file, not a folder"),
    Case("calibration.pad", "calibration: {pad: ▸5}", "expected a mapping {name: ...,"),
    Case("calibration.points", "calibration: {points: ▸5}", "expected a list, found the number 5"),
    Case("stability", "stability: ▸1", "expected a mapping of keys"),
    Case("stability.motion_g", "stability: {motion_g: ▸0}", "expected a number greater than 0 and at most 1000"),
    Case("stability.time_ms", "stability: {time_ms: ▸0}", "expected an integer from 1 to 60000"),
    Case("stability.time_ms", "stability: {time_ms: ▸1.5}", "expected an integer from 1 to 60000"),
    Case("confirm", "confirm: ▸x", "expected a mapping of keys"),
    Case("confirm.full_g", "confirm: {full_g: ▸-173}", "expected a number greater than 0 and at most 1000000"),
    Case("confirm.threshold", "confirm: {threshold: ▸97}", "expected a number greater than 0 and at most 1"),
    Case("confirm.slide", "confirm: {slide: ▸0}", "expected a number greater than 0 and at most 1"),
    Case("confirm.dwell_ms", "confirm: {dwell_ms: ▸10001}", "expected an integer from 0 to 10000"),
    Case("confirm.double_ms", "confirm: {double_ms: ▸0}", "expected an integer from 1 to 10000"),
    Case("confirm.hold_ms", "confirm: {hold_ms: ▸2 s}", "expected an integer from 1 to 60000", meant: "2"),
    Case("confirm.timeout_ms", "confirm: {timeout_ms: ▸0}", "expected an integer from 100 to 600000"),
    Case("confirm.settle_ms", "confirm: {settle_ms: ▸-1}", "expected an integer from 0 to 60000"),
    Case("buttons", "buttons: ▸{}", "expected a list, found a mapping"),
    Case("actions", "actions: ▸beans", "expected a list"),
    Case("mqtt", "mqtt: ▸embedded", "expected a mapping of keys"),
    Case("mqtt.broker", "mqtt: {broker: ▸embeded}", "expected embedded or a URL", meant: "embedded"),
    Case("mqtt.broker", "mqtt: {broker: ▸[]}", "the list of brokers is empty", meant: "embedded"),
    Case("mqtt.broker", "mqtt: {broker: ▸1883}", "expected embedded, a URL"),
    Case("mqtt.prefix", "mqtt: {prefix: ▸a//b}", "must not begin or end with /"),
    Case("mqtt.prefix", "mqtt: {prefix: ▸/a}", "must not begin or end with /"),
    Case("mqtt.prefix", "mqtt: {prefix: ▸$SYS}", "must not begin with $"),
    Case("mqtt.username", "mqtt: {username: ▸1234}", "expected a string, found the number 1234", meant: "\"1234\""),
    Case("mqtt.password_file", "mqtt: {username: a, password_file: ▸[]}", "expected a path, found a list"),
    Case("mqtt.password_file", "mqtt: {password_file: ▸a}", "requires username"),
    Case("mqtt.ca_file", "mqtt: {broker: \"mqtts://h\", ca_file: ▸\"\"}", "must not be empty"),
    Case("mqtt.ca_file", "mqtt: {broker: \"mqtt://h\", ca_file: ▸a}", "has no effect because no broker uses TLS"),
    Case("mqtt.certificate_file", "mqtt: {broker: \"mqtts://h\", certificate_file: ▸a}", "requires key_file"),
    Case("mqtt.key_file", "mqtt: {broker: \"mqtts://h\", key_file: ▸a}", "requires certificate_file"),
    Case(
      "mqtt.renew_certificate", "mqtt: {broker: \"mqtts://h\", renew_certificate: ▸true}",
      "mqtt.certificate_file and mqtt.key_file must name the same file with both"),
    Case("mqtt.version", "mqtt: {version: ▸4}", "expected 5 or 3.1.1, found the number 4", meant: "3.1.1"),
    Case("mqtt.embedded_port", "mqtt: {embedded_port: ▸65536}", "expected an integer from 0 to 65535"),
    Case("publish", "publish: ▸true", "expected a mapping of keys, found true"),
    Case("publish.live_max_hz", "publish: {live_max_hz: ▸1e-300}", "expected a number from 0.001 to 10000"),
    Case("publish.heartbeat_ms", "publish: {heartbeat_ms: ▸99}", "expected an integer from 100 to 3600000"),
    Case("publish.contacts", "publish: {contacts: ▸off}", "expected true or false", meant: "false"),
    Case("home_assistant", "home_assistant: ▸no", "expected a mapping of keys"),
    Case("home_assistant.discovery", "home_assistant: {discovery: ▸ture}", "expected true or false", meant: "true"),
    Case("home_assistant.prefix", "home_assistant: {prefix: ▸a/+}", "must not contain +"),
    Case("home_assistant.suggested_area", "home_assistant: {suggested_area: ▸\" \"}", "must not be empty"),
    Case("journal", "journal: ▸x.db", "expected a mapping of keys"),
    Case("journal.path", "journal: {path: ▸/var/lib/}", "must be a file, not a folder"),
    Case("dashboard", "dashboard: ▸8385", "expected a mapping of keys"),
    Case("dashboard.enabled", "dashboard: {enabled: ▸\"true\"}", "expected true or false", meant: "true"),
    Case("dashboard.address", "dashboard: {address: ▸localhost}", "expected an IP address", meant: "127.0.0.1"),
    Case("dashboard.address", "dashboard: {address: ▸\"[::1]\"}", "expected an IP address", meant: "::1"),
    Case(
      "journal.path", "journal: {path: ▸token}\ndashboard: {token_file: token}",
      "is also the file of dashboard.token_file",
      meant: "grampad.db"),
    Case("dashboard.port", "dashboard: {port: ▸1883}", "1883 is also the port of mqtt.embedded_port"),
    Case("mqtt.embedded_port", "mqtt: {embedded_port: ▸8385}", "8385 is also the port of dashboard.port"),
    Case("dashboard.port", "dashboard: {port: ▸-1}", "expected an integer from 0 to 65535"),
    Case("dashboard.pairing", "dashboard: {pairing: ▸on}", "expected true or false", meant: "true"),
    Case("dashboard.hosts", "dashboard: {hosts: ▸5}", "expected a list"),
    Case(
      "dashboard.hosts[0]", "dashboard: {hosts: [▸\"http://a\"]}",
      "expected a host name without scheme and port, such as scale.example.org"),
    Case(
      "dashboard.hosts[1]", "dashboard: {hosts: [a, ▸\"a:80\"]}",
      "expected a host name without scheme and port, such as scale.example.org"),
    Case("dashboard.hosts[0]", "dashboard: {hosts: [▸5]}", "expected a host name"),
    Case("dashboard.url", "dashboard: {url: ▸5}", "expected a string", meant: "\"5\""),
    Case("dashboard.url", "dashboard: {url: ▸scale.local}", "expected a URL such as https://scale.example.org"),
    Case("dashboard.url", "dashboard: {url: ▸\"ftp://a\"}", "expected a URL such as"),
    Case("dashboard.url", "dashboard: {url: ▸\"https://\"}", "expected a URL such as"),
    Case("dashboard.url", "dashboard: {url: ▸\"https://a:b/c\"}", "expected a URL such as"),
    Case("dashboard.url", "dashboard: {url: ▸\"https://u:p@a/\"}", "expected a URL such as"),
    Case("dashboard.url", "dashboard: {url: ▸\"https://a/b c\"}", "expected a URL such as"),
    Case("dashboard.token_file", "dashboard: {token_file: ▸[]}", "expected a path, found a list"),
    Case("metrics", "metrics: ▸on", "expected a mapping of keys"),
    Case("metrics.enabled", "metrics: {enabled: ▸2}", "expected true or false, found the number 2"),
    Case("sics", "sics: ▸on", "expected a mapping of keys"),
    Case(
      "sics.listen", "sics: {listen: ▸localhost:8386}", "expected an IP address and a port, or a port",
      meant: "127.0.0.1:8386"),
    Case("sics.listen", "sics: {listen: ▸65536}", "expected an IP address and a port", meant: "127.0.0.1:8386"),
    Case("sics.pty", "sics: {pty: ▸[]}", "expected a path, found a list"),
    Case("keyboard", "keyboard: ▸on", "expected a mapping of keys"),
    Case("keyboard.enabled", "keyboard: {enabled: ▸yes}", "expected true or false", meant: "true"),
    Case("keyboard.layout", "keyboard: {layout: ▸dee}", "expected us, de or fr", meant: "de"),
    Case(
      "keyboard.format", "keyboard: {format: ▸{net_g}}", "expected a string", meant: "\"{net_g}\\n\", in double quotes"),
    Case(
      "keyboard.format", "keyboard: {format: ▸\"{netg}\\n\"}", "no field \"netg\"; the fields are net_g, gross_g",
      meant: "{net_g}"),
    Case("keyboard.format", "keyboard: {format: ▸\"\"}", "must not be empty"),
    Case("keyboard.format", "keyboard: {format: ▸\"{net_g\"}", "a field has no closing }"),
    Case("keyboard.format", "keyboard: {layout: us, format: ▸\"{net_g} €\"}", "the layout us has no key for \"€\""),
    Case(
      "keyboard.format", "keyboard: {format: ▸\"{net_g}\\r\\n\"}",
      "the layout us has no key for \"\\r\\n\"; use \\n for Enter"),
  ]

  private static let longCode = String(repeating: "4", count: 129)

  static let items: [Case] = [
    Case("pad.device.name", "pad: {device: {name: ▸5}}", "expected a string", meant: "\"5\""),
    Case("pad.device.vendor", "pad: {device: {vendor: ▸0x10000}}", "expected a number from 0 to 0xffff"),
    Case("pad.device.product", "pad: {device: {product: ▸xyz}}", "expected a number from 0 to 0xffff"),
    Case("pad.zones.tare", "pad: {zones: {tare: ▸left}}", "expected an area"),
    Case("pad.zones.tare", "pad: {zones: {tare: ▸{}}}", "covers the whole pad"),
    Case("pad.zones.tare.x", "pad: {zones: {tare: {x: ▸[0.2, 0.1]}}}", "expected [low, high]"),
    Case("pad.zones.tare.y", "pad: {zones: {tare: {y: ▸[0, 1.5]}}}", "expected [low, high]"),
    Case(
      "pad.zones.zero", "pad:\n  zones:\n    tare: {x: [0, 0.2]}\n    ▸zero: {x: [0.1, 0.3]}", "overlaps the zone tare"),
    Case("pad.zones.historry", "pad: {zones: {▸historry: {x: [0, 0.2]}}}", "unknown action"),
    Case("pad.zones.history.x", "pad: {zones: {history: {x: ▸[1, 0]}}}", "expected [low, high]"),
    Case(
      "pad.controls.a b", "pad: {controls: {▸a b: {x: [0.2, 0.3]}}}",
      "the name of a control must have 1 to 64 letters, digits, _ or -"),
    Case("pad.controls.a/b", "pad: {controls: {▸a/b: {x: [0.2, 0.3]}}}", "the name of a control must have 1 to 64"),
    Case("pad.controls.lamp", "pad: {controls: {lamp: ▸5}}", "expected an area"),
    Case("pad.controls.lamp", "pad: {controls: {lamp: ▸{x: [0, 1]}}}", "covers the whole pad"),
    Case(
      "pad.controls.fan", "pad: {controls: {lamp: {x: [0.2, 0.4]}, ▸fan: {x: [0.3, 0.5]}}}", "overlaps the zone lamp"),
    Case(
      "pad.controls.lamp", "pad: {zones: {history: {x: [0, 0.2]}}, controls: {▸lamp: {x: [0.1, 0.5]}}}",
      "overlaps the zone history"),
    Case(
      "pad.controls.lamp", "pad: {controls: {▸lamp: {x: [0.8, 1]}}}",
      "overlaps the zone commit, which is a default; set pad.zones to change it"),
    Case("pad.zones.comit", "pad: {zones: {▸comit: {x: [0, 0.2]}}}", "unknown action", meant: "commit"),
    Case("calibration.pad.maximum", "calibration: {pad: {maximum: ▸x}}", "expected"),
    Case("calibration.points[0]", "calibration: {points: [▸{raw: 0, grams: 0}]}", "at least two points are required"),
    Case("calibration.points[1]", "calibration:\n  points:\n  - {raw: 0, grams: 0}\n  - ▸5", "expected a point"),
    Case(
      "calibration.points", "calibration:\n  points:\n  - ▸[0, 0]\n  - [266.5, 100]\n  - [962, 385]",
      "write each point as {raw: 0, grams: 0}"),
    Case("calibration.points", "calibration: {points: [▸[a, b, c]]}", "write each point as {raw: ..., grams: ...}"),
    Case(
      "calibration.points[0].raw", "calibration: {points: [{raw: ▸-1, grams: 0}, {raw: 2, grams: 3}]}",
      "expected a number"),
    Case(
      "calibration.points[1].grams", "calibration: {points: [{raw: 1, grams: 0}, {raw: 2, grams: ▸.inf}]}", "expected a"
    ),
    Case("calibration.points[1].grams", "calibration: {points: [{raw: 1, grams: 0}, ▸{raw: 2}]}", "missing"),
    Case(
      "calibration.points[1]", "calibration: {points: [{raw: 9, grams: 0}, ▸{raw: 9, grams: 3}]}",
      "raw 9 is already given"),
    Case(
      "calibration.points[0]", "calibration: {points: [▸{raw: 9, grams: 5}, {raw: 1, grams: 5}]}",
      "5 g at raw 9 is not more"),
    Case("buttons[0]", "buttons: [▸KEY_ENTER]", "expected a button"),
    Case(
      "buttons[0].device", "buttons: [{device: ▸simulated, key: KEY_ENTER, action: commit}]",
      "expected auto, an absolute"),
    Case(
      "buttons[0].key", "buttons: [{key: ▸KEY_ENTRE, action: commit}]", "expected the name of a key", meant: "KEY_ENTER"
    ),
    Case("buttons[0].action", "buttons: [{key: KEY_ENTER, action: ▸comit}]", "unknown action", meant: "commit"),
    Case("buttons[0].action", "buttons: [▸{key: KEY_ENTER}]", "missing"),
    Case(
      "buttons[1].key", "buttons:\n- {key: KEY_A, action: tare}\n- {key: ▸KEY_A, action: zero}", "KEY_A of this device"),
    Case("actions[0].type", "actions: [{type: ▸tare}]", "tare is a built-in action"),
    Case("actions[0].type", "actions: [{type: ▸a b}]", "expected 1 to 64 letters"),
    Case("actions[1].type", "actions: [{type: a}, {type: ▸a}]", "a is already the type of another action"),
    Case("actions[0].title", "actions: [{type: a, title: ▸5}]", "expected a string", meant: "\"5\""),
    Case("actions[0].subtitle", "actions: [{type: a, subtitle: ▸{}}]", "expected a string"),
    Case("actions[0].icon", "actions: [{type: a, icon: ▸}]", "expected a string, found nothing"),
    Case("actions[0].run", "actions: [{type: a, run: ▸comit}]", "expected tare", meant: "commit"),
    Case(
      "actions[0].user_info", "actions: [{type: a, run: target, user_info: ▸{target_g: true}}]",
      "target_g: expected a number of grams above 0"),
    Case("containers[0].tare_g", "containers: [{name: jug, tare_g: ▸-1}]", "expected a number from 0"),
    Case("containers[0].tare_g", "containers: [{name: jug, tare_g: ▸386}]", "386 g exceeds the capacity of 385 g"),
    Case(
      "containers[1].name", "containers: [{name: a, tare_g: 1}, {name: ▸a, tare_g: 2}]",
      "a is already the name of another container"),
    Case("scanners[0].device", "scanners: [▸{layout: us}]", "missing"),
    Case("scanners[0].device", "scanners: [{device: ▸auto}]", "expected an absolute path, or a mapping {name: ...,"),
    Case("scanners[0].device.name", "scanners: [{device: {name: ▸5}}]", "expected a string", meant: "\"5\""),
    Case("scanners[0].layout", "scanners: [{device: /dev/a, layout: ▸\"\"}]", "must not be empty"),
    Case(
      "scanners[1].device", "scanners: [{device: /dev/a}, {device: ▸/dev/a, layout: de}]",
      "this device is already another scanner"),
    Case("codes.40", "codes: {40: ▸beans}", "expected a mapping {label:"),
    Case("codes.40", "codes: {40: ▸{}}", "no meaning specified"),
    Case(
      "codes.\(longCode)", "codes: {▸\(longCode): {label: a}}",
      "a code must have 1 to 128 characters, none of them a control character"),
    Case("codes.40.label", "codes: {40: {label: ▸5}}", "expected a string", meant: "\"5\""),
    Case("codes.40.container", "codes: {40: {container: ▸\"\"}}", "must not be empty"),
    Case("codes.40.target_g", "codes: {40: {target_g: ▸0}}", "expected a number greater than 0"),
    Case("codes.40.target_g", "codes: {40: {target_g: ▸386}}", "386 g exceeds the capacity of 385 g"),
    Case("codes.40.weight", "codes: {40: {label: a, ▸weight: 5}}", "unknown key"),
    Case("outputs[0]", "outputs: [▸grinder]", "expected an output {name: ..., topic: ...}"),
    Case("outputs[0].name", "outputs: [▸{topic: a}]", "missing"),
    Case("outputs[0].topic", "outputs: [▸{name: a}]", "missing"),
    Case("outputs[0].name", "outputs: [{name: ▸my plug, topic: a}]", "expected 1 to 64 letters", meant: "my_plug"),
    Case("outputs[0].name", "outputs: [{name: ▸5, topic: a}]", "expected 1 to 64 letters", meant: "\"5\""),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸\"\"}]", "must not be empty"),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸cmnd/+/POWER}]", "must not contain +"),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸\"a/#\"}]", "must not contain #"),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸$SYS/a}]", "must not begin with $"),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸\"a\\0\"}]", "must not contain control characters"),
    Case(
      "outputs[0].topic", "outputs: [{name: a, topic: ▸\(String(repeating: "k", count: 257))}]", "too long: 257 bytes"),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸grampad/x/command/tare}]", "must be outside grampad, "),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸grampad}]", "must be outside grampad, "),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸homeassistant/status}]", "must be outside homeassistant, "),
    Case(
      "outputs[0].topic", "home_assistant: {prefix: ha}\noutputs: [{name: a, topic: ▸homeassistant}]",
      "must be outside homeassistant, "),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸enroll/kitchen/code}]", "must be outside enroll, "),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸\" plug\"}]", "must not begin or end with a space"),
    Case("outputs[0].topic", "outputs: [{name: a, topic: ▸\"plug \"}]", "must not begin or end with a space"),
    Case(
      "outputs[0].topic", "mqtt: {prefix: lab}\noutputs: [{name: a, topic: ▸lab/kitchen/event}]",
      "must be outside lab, "),
    Case("outputs[0].on", "outputs: [{name: a, topic: a, on: ▸1}]", "expected a string", meant: "\"1\""),
    Case("outputs[0].off", "outputs: [{name: a, topic: a, off: ▸\"\"}]", "must not be empty"),
    Case("outputs[0].off", "outputs: [{name: a, topic: a, off: ▸ON}]", "on and off must differ"),
    Case("outputs[0].on", "outputs: [{name: a, topic: a, on: ▸OFF}]", "on and off must differ"),
    Case(
      "outputs[0].on", "outputs: [{name: a, topic: a, on: ▸\(String(repeating: "k", count: 257))}]",
      "too long: 257 bytes"),
    Case(
      "outputs[0].max_flow_g_s", "outputs: [{name: a, topic: a, max_flow_g_s: ▸0}]", "expected a number greater than 0"),
    Case("outputs[0].qos", "outputs: [{name: a, topic: a, ▸qos: 1}]", "unknown key"),
    Case(
      "outputs[1].name", "outputs: [{name: a, topic: a}, {name: ▸a, topic: b}]",
      "a is already the name of another output"),
    Case(
      "outputs[1].topic", "outputs: [{name: a, topic: t}, {name: b, topic: ▸t}]",
      "is already the topic of the output a"),
    Case(
      "outputs[1].topic", "outputs: [{name: a, topic: \u{e9}}, {name: b, topic: ▸e\u{301}}]",
      "is already the topic of the output a"),
    Case("actions[0].user_info", "actions: [{type: a, user_info: ▸beans}]", "expected a mapping of parameters"),
    Case(
      "actions[0].user_info.label", "actions: [{type: a, user_info: {label: ▸5}}]", "expected a string", meant: "\"5\""),
    Case("actions[0].user_info.n", "actions: [{type: a, user_info: {n: ▸[]}}]", "expected a string"),
    Case(
      "actions", "actions: [{type: a}, {type: b}, {type: c}, {type: d}, ▸{type: e}]", "too many entries: 5, maximum 4"),
    Case(
      "mqtt.broker[1]", "mqtt: {broker: [\"mqtt://a\", ▸\"mqtt://a:1883\"]}", "mqtt://a:1883 is already in the list"),
  ]
}
