import Foundation
import Messages
import Testing
import Weighing

@testable import Configuration
@testable import GoldenCases

/// `config/grampad.schema.json` accepts and rejects the same configurations as the program, as far as a schema can.
@Suite struct ConfigurationSchemaTests {
  private let document: JSONValue
  private let schema: JSONSchema

  init() throws {
    document = try JSONValue(file: configurationFolder.appending(path: "grampad.schema.json"))
    schema = try JSONSchema(document)
  }

  private func schemaErrors(_ yaml: String) throws -> [String] {
    try schema.faults(of: #require(JSONValue(yaml: yaml), "no YAML: \(yaml)"))
  }

  @Test(arguments: ConfigurationValueTests.accepted.map(\.yaml))
  func acceptsValidConfigurations(_ yaml: String) throws {
    #expect(try schemaErrors(yaml).isEmpty)
  }

  @Test(arguments: ["", "{}", "~", "# nothing", "scale:\nbuttons:\nactions:\n", "calibration: {points: }"])
  func acceptsOmittedSections(_ yaml: String) throws {
    _ = try Configuration.parse(yaml)
    #expect(try schemaErrors(yaml).isEmpty)
  }

  @Test func acceptsEveryFileOfTheProject() throws {
    let text = try String(contentsOf: defaultFile, encoding: .utf8)
    #expect(try schemaErrors(text).isEmpty)
    #expect(text.contains("# yaml-language-server: $schema=grampad.schema.json\n"), "an editor finds the schema")
    #expect(try schemaErrors(Configuration().resolvedYAML()).isEmpty)
    for golden in try GoldenCase.all() {
      #expect(try schemaErrors(golden.configuration()).isEmpty, "\(golden.name)")
    }
  }

  /// What a schema cannot express: conditions on several values and on other files.
  private static let beyondSchemas: Set = [
    "scale: {capacity_g: 1, division_g: ▸2, minimum_g: 0}", "scale: {minimum_g: ▸400}", "scale: {capacity_g: ▸1.5}",
    "scale: {minimum_g: ▸385}", "confirm: {full_g: ▸386}", "confirm: {full_g: ▸173}\nscale: {capacity_g: 100}",
    "stability: {motion_g: ▸385}", "dashboard: {port: ▸1883}", "mqtt: {embedded_port: ▸8385}",
    "journal: {path: ▸token}\ndashboard: {token_file: token}",
    "mqtt: {broker: \"mqtt://h\", ca_file: ▸a}", "mqtt: {broker: \"mqtts://h\", renew_certificate: ▸true}",
    "pad: {zones: {tare: {x: ▸[0.2, 0.1]}}}",
    "pad:\n  zones:\n    tare: {x: [0, 0.2]}\n    ▸zero: {x: [0.1, 0.3]}", "pad: {zones: {▸comit: {x: [0, 0.2]}}}",
    "pad: {zones: {▸historry: {x: [0, 0.2]}}}", "pad: {zones: {history: {x: ▸[1, 0]}}}",
    "pad: {controls: {lamp: {x: [0.2, 0.4]}, ▸fan: {x: [0.3, 0.5]}}}", "pad: {controls: {lamp: ▸{x: [0, 1]}}}",
    "pad: {zones: {history: {x: [0, 0.2]}}, controls: {▸lamp: {x: [0.1, 0.5]}}}",
    "pad: {controls: {▸lamp: {x: [0.8, 1]}}}",
    "calibration: {points: [{raw: 9, grams: 0}, ▸{raw: 9, grams: 3}]}",
    "outputs: [{name: a, topic: é}, {name: b, topic: ▸é}]",
    "calibration: {points: [▸{raw: 9, grams: 5}, {raw: 1, grams: 5}]}",
    "buttons: [{key: KEY_ENTER, action: ▸comit}]",
    "buttons:\n- {key: KEY_A, action: tare}\n- {key: ▸KEY_A, action: zero}",
    "pad: {axis: [ABS_X, ▸ABS_MT_PRESSURE]}", "actions: [{type: a}, {type: ▸a}]",
    "mqtt: {broker: [\"mqtt://a\", ▸\"mqtt://a:1883\"]}",
    "actions: [{type: a, run: target, user_info: ▸{target_g: true}}]", "containers: [{name: jug, tare_g: ▸386}]",
    "containers: [{name: a, tare_g: 1}, {name: ▸a, tare_g: 2}]",
    "scanners: [{device: /dev/a}, {device: ▸/dev/a, layout: de}]", "codes: {40: {target_g: ▸386}}",
    "outputs: [{name: a, topic: a}, {name: ▸a, topic: b}]", "outputs: [{name: a, topic: t}, {name: b, topic: ▸t}]",
    "outputs: [{name: a, topic: a, off: ▸ON}]", "outputs: [{name: a, topic: a, on: ▸OFF}]",
    "outputs: [{name: a, topic: ▸grampad/x/command/tare}]", "outputs: [{name: a, topic: ▸grampad}]",
    "outputs: [{name: a, topic: ▸homeassistant/status}]", "outputs: [{name: a, topic: ▸enroll/kitchen/code}]",
    "home_assistant: {prefix: ha}\noutputs: [{name: a, topic: ▸homeassistant}]",
    "mqtt: {prefix: lab}\noutputs: [{name: a, topic: ▸lab/kitchen/event}]",
    "keyboard: {layout: us, format: ▸\"{net_g} €\"}", "keyboard: {format: ▸\"{net_g}\\r\\n\"}",
  ]

  @Test(arguments: ConfigurationDiagnosticTests.sections + ConfigurationDiagnosticTests.items)
  func rejectsInvalidConfigurations(_ test: ConfigurationDiagnosticTests.Case) throws {
    // .nan, an infinity or a number too large is not JSON: an editor rejects it before it applies the schema.
    guard let value = JSONValue(yaml: test.yaml.text) else { return }
    let isBeyond = Self.beyondSchemas.contains(test.yaml.testDescription)
    #expect(try schema.faults(of: value).isEmpty == isBeyond, "\(test)")
  }

  @Test(arguments: [
    "scael: {}", "scale: {capcity_g: 385}", "pad: {device: {vendr: 1, name: a}}", "[a]", "hello",
    "buttons: [{key: KEY_A, action: tare, actoin: zero}]", "actions: [{type: a, user-info: {}}]",
    "pad: {zones: {tare: {x: [0, 0.1], z: 1}}}", "mqtt: {broker: [\"mqtt://a\", \"mqtt://a\"]}",
    "dashboard: {address: 256.0.0.1}", "dashboard: {address: 1.2.3}", "mqtt: {broker: \"mqtt://u:p@h\"}",
  ])
  func rejectsUnknownKeys(_ yaml: String) throws {
    #expect(!diagnostics(yaml).isEmpty)
    #expect(try !schemaErrors(yaml).isEmpty)
  }
}
