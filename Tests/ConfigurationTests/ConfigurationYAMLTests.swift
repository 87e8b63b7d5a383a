import Testing

@testable import Configuration

/// Errors of the file itself, each reported at `▸`; no input crashes the parser or takes long.
@Suite struct ConfigurationYAMLTests {
  @Test(arguments: [
    ("scale:\n  ▸capcity_g: 385", "capcity_g: unknown key in scale; did you mean capacity_g?"),
    (
      "scale:\n  ▸motion_g: 1",
      "motion_g: unknown key in scale; it belongs in stability; did you mean stability.motion_g?"
    ),
    ("▸scael: {}", "scael: unknown section; did you mean scale?"),
    ("▸capacity_g: 3", "capacity_g: unknown section; it belongs in scale; did you mean scale.capacity_g?"),
    ("mqtt: {▸password: hunter2}", "password: unknown key in mqtt; did you mean password_file?"),
    ("pad: {device: {▸vendr: 1, name: a}}", "vendr: unknown key in pad.device; did you mean vendor?"),
    ("pad: {zones: {tare: {x: [0, 0.1], ▸z: 1}}}", "z: unknown key in pad.zones.tare; did you mean x?"),
    ("buttons: [{key: KEY_A, action: tare, ▸actoin: zero}]", "actoin: unknown key in buttons[0]; did you mean action?"),
    ("actions: [{type: a, ▸user-info: {}}]", "user-info: unknown key in actions[0]; did you mean user_info?"),
    (
      "calibration: {points: [{raw: 0, grams: 0}, {▸row: 1, raw: 1, grams: 2}]}",
      "row: unknown key in calibration.points[1]; did you mean raw?"
    ),
    ("scale: {minimum_g: 1, ▸minimum_g: 2}", "scale.minimum_g: duplicate key, first given on line 1"),
    ("scale: {}\n▸\"scale\": {}", "scale: duplicate key, first given on line 1"),
    ("pad: {zones: {tare: {x: [0, 0.1]}, ▸tare: {x: [0.5, 0.6]}}}", "pad.zones.tare: duplicate key"),
    ("actions: [{type: a, user_info: {n: 1, ▸n: 2}}]", "actions[0].user_info.n: duplicate key"),
    ("▸hello", "expected a mapping of keys, found the string \"hello\""),
    ("▸- a", "expected a mapping of keys, found a list"),
    ("▸[a]: 1", "a key must be a string"),
    ("scale: ▸&s {capacity_g: 5}", "YAML anchors are not supported"),
    ("scale: ▸*s", "invalid YAML: found undefined alias"),
    ("scale: ▸!mine {}", "YAML tags (!mine) are not supported"),
    ("device: {id: a}\n▸---\ndevice: {id: b}", "the file must contain only one YAML document"),
    ("scale:\n▸\tcapacity_g: 3", "tabs cannot be used for indentation; use spaces"),
    ("device:\n  name: \"▸\u{1}\"", "YAML does not allow control characters"),
    ("device: {id: a\n▸", "invalid YAML: did not find expected ',' or '}'"),
    ("device: {name: \"\\u▸d800\"}", "invalid YAML: found invalid Unicode character escape code"),
  ])
  func reportsAnErrorAtItsPosition(_ marked: String, _ line: String) throws {
    let yaml = MarkedYAML(marked)
    let found = diagnostics(yaml.text)
    let place = "grampad.yaml:\(yaml.position.line):\(yaml.position.column): "
    #expect(found.count == 1 && found[0].description.hasPrefix(place + line), "\(found)")
  }

  @Test func reportsAllErrorsInOrder() {
    let found = diagnostics(
      """
      scale: {capacity_g: -1, capcity_g: 2, capacity_g: no}
      mqtt: {broker: x y, prefix: 5}
      foo: 1
      foo: 2
      """)
    let places = found.map { "\($0.position.line):\($0.position.column)" }
    #expect(places == ["1:21", "1:25", "1:39", "1:51", "2:16", "2:29", "3:1", "4:1"], "\(found)")
  }

  @Test func anErrorDoesNotHideOthers() {
    let found = diagnostics(
      """
      pad: {zones: {beans: {x: [0, 0.1]}, tara: {x: [0.1, 0.2]}}}
      calibration: {points: [{raw: 5, grams: 5}, {raw: x, grams: 6}, {raw: 5, grams: 7}]}
      actions: [{type: beans, title: 5}, {type: b}, {type: c}, {type: d, run: x}, {type: e}]
      """)
    let places = found.map { "\($0.position.line):\($0.position.column)" }
    #expect(places == ["1:37", "2:50", "2:64", "3:32", "3:73", "3:77"], "\(found)")
  }

  @Test(arguments: ["", "\n\n", "# nothing\n", "---\n", "---\n...\n", "~", "\u{FEFF}", "scale:\nbuttons:\n", "{}"])
  func anEmptyFileHasAllDefaults(_ yaml: String) throws {
    #expect(try Configuration.parse(yaml) == Configuration())
  }

  @Test func reportsBytesThatAreNotUTF8() {
    let found = diagnostics(Array("device:\n  name: K".utf8) + [0xfc] + Array("che".utf8))
    #expect(found.map(\.description) == ["grampad.yaml:2:10: not UTF-8"])
    #expect(diagnostics([0xff, 0xfe, 0x61, 0x00]).first?.message.description == "not UTF-8")
  }

  @Test func acceptsWindowsLineEnds() {
    #expect(diagnostics("device:\r\n  id: a/b\r\n").first?.position == SourcePosition(line: 2, column: 7))
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "[{a: "])
  func rejectsDeepNesting(_ opening: String) {
    for depth in [990 / opening.count, 100_000] {
      #expect(!diagnostics(String(repeating: opening, count: depth)).isEmpty)
    }
  }

  @Test func rejectsAliasesBeforeTheyExpand() {
    var levels = ["a: &a [x, x]"]
    for (from, to) in zip("abcdefghijklmnopqrstuvwxy", "bcdefghijklmnopqrstuvwxyz") {
      levels.append("\(to): &\(to) [*\(from), *\(from), *\(from), *\(from)]")
    }
    levels.append("? *z\n: 1")
    #expect(
      diagnostics(levels.joined(separator: "\n")).map(\.message.description) == [
        "YAML aliases are not supported; write the value out"
      ])
  }

  @Test func acceptsAsterisksInText() throws {
    let yaml = "# \(String(repeating: "*star ", count: 20))\ndevice: {name: \"*a *b *c\"}"
    #expect(try Configuration.parse(yaml).device.name == "*a *b *c")
  }

  @Test func rejectsALargeFile() {
    #expect(diagnostics(String(repeating: "#", count: 1 << 20)).isEmpty)
    #expect(
      diagnostics(String(repeating: "#", count: 1 << 20) + "#").first?.message.description
        == "file too large: 1048577 bytes, maximum 1048576")
  }

  @Test func limitsTheNumberOfErrors() {
    #expect(diagnostics((0..<5000).map { "k\($0): 1\n" }.joined()).count == 200)
    #expect(!diagnostics("device: {\(String(repeating: "id: x, ", count: 20_000))}").isEmpty)
  }
}
