import Foundation
import Recordings
import Testing
import Weighing

@testable import Configuration

@Suite struct ConfigurationRoundTripTests {
  @Test func theDefaultFileSaysTheDefaults() throws {
    let text = try String(contentsOf: defaultFile, encoding: .utf8)
    #expect(try Configuration.parse(text) == Configuration())
  }

  @Test func theResolvedTextIsThatOfTheContract() {
    let text = Configuration().resolvedYAML()
    #expect(
      text.hasPrefix("device:\n  id: grampad\n  name: Grampad\npad:\n  device: auto\n  axis: auto\n  grab: true\n"))
    #expect(
      text.contains(
        "  zones: {tare: {x: [0, 0.15], y: [0, 1]}, commit: {x: [0.85, 1], y: [0, 1]}}\nscale:\n  capacity_g: 385\n"))
    #expect(text.contains("buttons: []\nactions: []\nmqtt:\n  broker: embedded\n  prefix: grampad\n  version: 5\n"))
    #expect(
      text.hasSuffix("dashboard:\n  enabled: true\n  address: 127.0.0.1\n  port: 8385\nmetrics:\n  enabled: true\n"))
  }

  @Test func theFingerprintIsStableAndTellsConfigurationsApart() throws {
    #expect(Configuration().fingerprint == "a64c6684a2c2ea2c")
    var other = Configuration()
    other.stability.time = .milliseconds(301)
    #expect(other.fingerprint != Configuration().fingerprint)
    #expect(
      try Configuration.parse("scale: {capacity_g: 385.0}\n# a comment").fingerprint == Configuration().fingerprint)
  }

  @Test(arguments: [
    "x", "yes", "No", "null", "~", "5", "0x5", "1e3", ".5", "3.1.1", "1:30", "a: b", "a #b", "#a", "&a", "*a", "!a",
    "%a",
    "@a", "`a", "-", "- a", "? a", "|", ">", "'", "\"", "\\", "a\\nb", "[a]", "{a}", "a, b", "  a  ", "ü", "日本", "😀",
    "\u{202e}abc", "a\u{2028}b", "true", ".inf", "0o7", "012", "1_000", "=", "<<", "a/b.c-d_e", "trailing:",
  ])
  func everyTextSurvivesTheRoundTrip(_ text: String) throws {
    var configuration = Configuration()
    configuration.device.name = text
    configuration.actions = [.init(type: "a", title: text, userInfo: [.init(name: text, value: .text(text))])]
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

  /// 20,000 mutations of the default file, most of them without its comments, where more of them hit something.
  @Test(arguments: UInt64(1)...20)
  func aMutatedFileIsReadOrRefusedInItsPlace(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let whole = try String(contentsOf: defaultFile, encoding: .utf8)
    let bare = whole.split(separator: "\n").filter { !$0.trimmingPrefix(while: { $0 == " " }).hasPrefix("#") }
      .joined(separator: "\n")
    for round in 0..<1000 {
      let text = mutated(Array((round % 20 == 0 ? whole : bare).utf8), using: &random)
      let lines = String(decoding: text, as: UTF8.self).split(
        omittingEmptySubsequences: false, whereSeparator: { $0.isNewline && $0 != "\u{b}" && $0 != "\u{c}" })
      let found = diagnostics(text)
      for diagnostic in found {
        #expect((1...lines.count).contains(diagnostic.position.line), "\(diagnostic)")
        let width = lines[min(max(diagnostic.position.line, 1), lines.count) - 1].unicodeScalars.count
        #expect((1...width + 1).contains(diagnostic.position.column), "\(diagnostic)")
        #expect(!diagnostic.message.isEmpty)
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
