import Foundation
import Messages
import Recordings
import TestExtent
import Testing
import Weighing

@testable import Configuration

@Suite struct ConfigurationRoundTripTests {
  @Test func theDefaultFileContainsTheDefaults() throws {
    let text = try String(contentsOf: defaultFile, encoding: .utf8)
    #expect(try Configuration.parse(text) == Configuration())
  }

  @Test func theResolvedConfigurationKeepsItsForm() {
    let text = Configuration().resolvedYAML()
    #expect(
      text.hasPrefix("device:\n  id: grampad\n  name: Grampad\npad:\n  device: auto\n  axis: auto\n  grab: true\n"))
    #expect(
      text.contains(
        "  zones: {tare: {x: [0, 0.15], y: [0, 1]}, commit: {x: [0.85, 1], y: [0, 1]}}\n  controls: {}\n"))
    #expect(
      text.contains(
        "buttons: []\nactions: []\ntimer:\n  auto: false\n  pause_s: 60\ntarget:\n  stop_ahead: false\n  dead_time_ms: 300\noutputs: []\ncontainers: []\ncontainers_auto: false\nscanners: []\ncodes: {}\nscan_hold_s: 60\nscan_commit: false\nhistory:\n  depth: 10\n"
      ))
    #expect(
      text.hasSuffix("metrics:\n  enabled: true\nkeyboard:\n  enabled: false\n  layout: us\n  format: \"{net_g}\\n\"\n")
    )
  }

  @Test func theFingerprintIsStableAndDistinguishesConfigurations() throws {
    #expect(Configuration().fingerprint == "7f3811fce4eac495")
    var other = Configuration()
    other.stability.time = .milliseconds(301)
    #expect(other.fingerprint != Configuration().fingerprint)
    #expect(
      try Configuration.parse("scale: {capacity_g: 385.0}\n# a comment").fingerprint == Configuration().fingerprint)
  }

  /// The order and the form of every key are part of the fingerprint, which is published with each weighing.
  @Test func theFingerprintOfAConfigurationWithEveryKeyIsStable() throws {
    let yaml = """
      device: {id: a, name: "Scale 1"}
      pad: {device: {name: Touch Pad, vendor: 0x06cb, product: 0x1234}, axis: ABS_PRESSURE, grab: false, surface: platter, rotate: 90, zones: {beans: {y: [0, 0.5]}}}
      scale: {capacity_g: 500.5, division_g: 0.5, minimum_g: 0, tare_on_release: clear, zero_tracking: false}
      calibration: {curve: linear, points: [{raw: 266, grams: 100}, {raw: 0, grams: 0}], file: c.yaml}
      stability: {motion_g: 0.25, time_ms: 200}
      confirm: {full_g: 100, threshold: 0.9, slide: 0.5, dwell_ms: 1, double_ms: 2, hold_ms: 3, timeout_ms: 400, settle_ms: 5}
      buttons: [{device: {name: gpio-keys}, key: BTN_0, action: tare}, {key: KEY_ENTER, action: beans}]
      actions: [{type: beans, title: Beans, subtitle: For two, icon: "mdi:coffee", run: relabel, user_info: {label: beans, n: 2.5, hot: true}}]
      mqtt: {broker: ["mqtts://a.example", "mqtt://[::1]:1884"], prefix: a/b, username: u, version: 3.1.1, embedded_port: 0}
      publish: {live_max_hz: 0.5, heartbeat_ms: 100, contacts: true}
      home_assistant: {discovery: false, prefix: ha}
      journal: {path: /j.db}
      dashboard: {enabled: false, address: "::1", port: 0, hosts: [a.example, b]}
      metrics: {enabled: false}
      """
    let fingerprint = try Configuration.parse(yaml).fingerprint
    #expect(fingerprint == "ba473568adcd82ea")
  }

  @Test(arguments: [
    "x", "yes", "No", "null", "~", "5", "0x5", "1e3", ".5", "3.1.1", "1:30", "a: b", "a #b", "#a", "&a", "*a", "!a",
    "%a",
    "@a", "`a", "-", "- a", "? a", "|", ">", "'", "\"", "\\", "a\\nb", "[a]", "{a}", "a, b", "  a  ", "ü", "日本", "😀",
    "\u{202e}abc", "\u{FEFF}abc", "abc\u{FEFF}", "\u{FEFF}", "\u{FEFF}\u{FEFF}\"", "\u{200b}a\u{2060}", "a\u{2028}b",
    "true", ".inf", "0o7", "012", "1_000", "=", "<<", "a/b.c-d_e", "trailing:",
  ])
  func everyTextSurvivesTheRoundTrip(_ text: String) throws {
    var configuration = Configuration()
    configuration.device.name = text
    configuration.actions = [.init(type: "a", title: text, userInfo: [.init(name: text, value: .text(text))])]
    #expect(try Configuration.parse(configuration.resolvedYAML()) == configuration, "\(configuration.resolvedYAML())")
  }

  /// Characters without a glyph, at the edges too, are kept like all others.
  @Test(arguments: UInt64(1)...100)
  func invisibleCharactersSurviveTheRoundTrip(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scalars: [Unicode.Scalar] = [
      "\u{FEFF}", "\u{FEFF}", "\u{200B}", "\u{200D}", "\u{200E}", "\u{2060}", "\u{2066}", "\u{202E}", "\u{AD}",
      "\u{61C}",
      "\u{E007F}", "\"", "\\", "u", "\u{301}", " ",
    ]
    func name() -> String {
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in scalars.randomElement(using: &random) }))
    }
    var configuration = Configuration()
    configuration.device.name = "\u{FEFF}" + name()
    configuration.containers = try (0..<3).map { number in
      let name = try #require(ContainerName(name().unicodeScalars.prefix(6).map(String.init).joined() + "\(number)"))
      return Container(name: name, tare: Grams(5), isConfigured: true)
    }
    configuration.outputs = try (0..<3).map { number in
      let text = String(String.UnicodeScalarView(name().unicodeScalars.filter { !"+#".unicodeScalars.contains($0) }))
      return OutputSwitch(
        output: Output(name: try #require(OutputName("output-\(number)")), maximumFlow: 0.1),
        topic: "/a//\(text)\(number)", on: "{\"state\": \"\(text)ON\"}", off: "\(text)off")
    }
    #expect(try Configuration.parse(configuration.resolvedYAML()) == configuration, "\(configuration.resolvedYAML())")
  }

  /// An escaped U+FEFF only counts where a scalar starts, not after the quote that ends one or in a comment.
  @Test(arguments: [
    (#"device: {name: "\uFEFFa"}"#, "\u{FEFF}a"), (#"device: {name: "\U0000fEfFa"}"#, "\u{FEFF}a"),
    (#"device: {name: "a\uFEFF"}"#, "a\u{FEFF}"), ("device: {name: '\"\\ufeffa'} # \"\\ufeff", #""\ufeffa"#),
    (#"{"\u0064evice": {name: "\uFEFF\uFEFFa"}}"#, "\u{FEFF}\u{FEFF}a"),
  ])
  func anEscapedMarkIsKept(_ yaml: String, _ name: String) throws {
    #expect(try Configuration.parse(yaml).device.name.unicodeScalars.elementsEqual(name.unicodeScalars))
  }

  @Test(arguments: ["{net_g}\n", "{label}\t{net_g:,} g\n", "\n", "{{{id}}} \"'\\ \t#: -"])
  func everyFormatOfTheKeyboardSurvivesTheRoundTrip(_ text: String) throws {
    var configuration = Configuration()
    configuration.keyboard.isEnabled = true
    configuration.keyboard.layout = .fr
    configuration.keyboard.format = try KeyboardFormat(text)
    #expect(try Configuration.parse(configuration.resolvedYAML()) == configuration, "\(configuration.resolvedYAML())")
  }

  @Test(arguments: UInt64(1)...200)
  func numbersSurviveTheRoundTrip(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var configuration = Configuration()
    configuration.scale.capacity = Grams(.random(in: 10...100_000, using: &random))
    configuration.stability.motion = Grams(pow(10, .random(in: -12...3, using: &random)))
    configuration.confirm.slide = .random(in: 1e-9...1, using: &random)
    configuration.publish.heartbeat = .milliseconds(.random(in: 100...3_600_000, using: &random))
    #expect(try Configuration.parse(configuration.resolvedYAML()) == configuration)
  }

  /// Up to 20,000 mutations of the defaults, most of them without comments, so that more of them hit a key or a value.
  @Test(arguments: Extent.of(UInt64(1)..<21))
  func aMutatedFileIsAcceptedOrReportedAtAValidPosition(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let whole = try String(contentsOf: defaultFile, encoding: .utf8)
    let bare = Configuration().resolvedYAML()
    for round in 0..<1000 {
      let text = mutated(Array((round % 20 == 0 ? whole : bare).utf8), using: &random)
      let lines = String(decoding: text, as: UTF8.self).split(
        omittingEmptySubsequences: false, whereSeparator: { $0.isNewline && $0 != "\u{b}" && $0 != "\u{c}" })
      let found = diagnostics(text)
      for diagnostic in found {
        #expect((1...lines.count).contains(diagnostic.position.line), "\(diagnostic)")
        let width = lines[min(max(diagnostic.position.line, 1), lines.count) - 1].unicodeScalars.count
        #expect((1...width + 1).contains(diagnostic.position.column), "\(diagnostic)")
        #expect(!diagnostic.message.description.isEmpty)
      }
      if found.isEmpty {
        let read = try Configuration.parse(bytes: text, file: "x")
        #expect(try Configuration.parse(read.resolvedYAML()) == read)
      }
    }
  }

  private func mutated(_ text: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    let pieces = [
      ":", "- ", "{", "}", "[", "]", "\"", "'", "\n", "  ", "\t", "#", "&a ", "*a", "!t ", "0", "-1", ".nan", "1e999",
      "~",
      "---\n", "\u{0}", "ü", "😀", "\u{2028}", "scale:", "capacity_g", ", ", "|", "? ", "%", "\r\n",
    ]
    var text = text
    for _ in 0...Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 0..<max(text.count, 1), using: &random)
      switch Int.random(in: 0...5, using: &random) {
      case 0: if !text.isEmpty { text[place] = .random(in: 0...255, using: &random) }
      case 1: text.removeSubrange(place..<min(place + .random(in: 1...9, using: &random), text.count))
      case 2: text.removeSubrange(place...)
      case 3:
        let end = min(place + .random(in: 1...200, using: &random), text.count)
        text.insert(contentsOf: text[place..<end], at: .random(in: 0...text.count, using: &random))
      default:
        let piece = pieces.randomElement(using: &random) ?? ""
        text.insert(contentsOf: Array(piece.utf8), at: min(place, text.count))
      }
    }
    return text
  }
}
