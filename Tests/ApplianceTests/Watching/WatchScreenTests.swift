import Messages
import Testing

@testable import Appliance
@testable import Weighing

/// The picture that `watch` draws, for anything that a broker may deliver and for every size.
@Suite struct WatchScreenTests {
  private static let topics = Topics(prefix: "grampad", id: "kitchen")
  private static let begin = Instant(nanoseconds: 1_000_000_000_000)

  private func scale(_ messages: [(Topic, String)] = [], at time: Instant = begin) -> WatchedScale {
    var scale = WatchedScale(topics: Self.topics, heartbeat: .seconds(5))
    scale.connect(.up("mqtt://h:1883"), at: time)
    for (topic, text) in messages {
      scale.take(
        IncomingMessage(topic: Self.topics(topic), payload: Array(text.utf8), isRetained: false), at: time)
    }
    return scale
  }

  /// What a golden recording leads to, message by message.
  private static func recorded(_ name: String) throws -> [(Topic, String)] {
    let golden = try #require(try GoldenCase.all().first { $0.name == name })
    return try String(decoding: golden.replayed(), as: UTF8.self).split(separator: "\n").compactMap { line in
      let message = try JSONValue(Array(line.utf8), mostBytes: 1 << 16)
      guard let topic = message["topic"]?.text.flatMap(Topic.init), let payload = message["payload"] else { return nil }
      if let text = payload.text { return (topic, text) }
      var writer = JSONWriter()
      writer.value(payload)
      return (topic, String(decoding: writer.bytes, as: UTF8.self))
    }
  }

  private func picture(
    _ scale: WatchedScale, _ columns: Int = 80, _ rows: Int = 24, isUTF8: Bool = true, after time: Interval = .zero
  ) -> [String] {
    let style = TerminalStyle(isUTF8: isUTF8, hasColour: true)
    return WatchScreen.lines(scale, columns: columns, rows: rows, style, at: Self.begin + time)
      .map { $0.replacing(/\x{1b}\[[0-9;]*m/, with: "") }
  }

  @Test(arguments: ["commit-and-void", "press-confirmed", "overload-and-back", "tare-and-negative-net", "platter"])
  func everyMomentFitsIntoEverySize(_ name: String) throws {
    let messages = try Self.recorded(name)
    for (columns, rows) in [(200, 60), (80, 24), (69, 13), (49, 11), (39, 9), (20, 6), (7, 3), (1, 1), (0, 0)] {
      var scale = scale()
      for (topic, text) in messages {
        scale.take(
          IncomingMessage(topic: Self.topics(topic), payload: Array(text.utf8), isRetained: false), at: Self.begin)
        let lines = picture(scale, columns, rows)
        #expect(lines.count <= max(rows, 1))
        #expect(lines.allSatisfy { TerminalText.width($0) <= max(columns, 1) }, "\(columns)x\(rows): \(lines)")
        #expect(picture(scale, columns, rows, isUTF8: false).joined().utf8.allSatisfy { $0 < 0x80 && $0 >= 0x20 })
      }
    }
  }

  @Test func aPressIsShownInWordsAndAsABar() throws {
    var scale = scale(try Self.recorded("one-load"))
    for (state, words) in [("updating", "50 %"), ("selected", "SELECTED"), ("confirmed", "CONFIRM, let go")] {
      let press = #"{"time":"","action":"commit","state":"\#(state)","intention":0.5,"preview":null}"#
      scale.take(
        IncomingMessage(topic: Self.topics(.gesture), payload: Array(press.utf8), isRetained: false), at: Self.begin)
      let line = try #require(picture(scale).first { $0.contains("commit ") && $0.contains(words) })
      #expect(line.count { $0 == "█" } == line.count { $0 == "░" })
    }
  }

  @Test func whatIsOldIsSaidToBeOld() throws {
    var scale = scale([
      (.availability, "online"),
      (.live, #"{"printable":"73 g","state":"stable","gross_g":73,"tare_g":0,"net_g":73,"uncertainty_g":0.5}"#),
    ])
    func shows(_ text: String, after time: Interval) -> Bool { picture(scale, after: time).joined().contains(text) }
    #expect(shows("STABLE", after: .seconds(10)) && shows("± 0.50 g", after: .zero))
    #expect(shows("STALE", after: .seconds(12)) && !shows("STABLE", after: .seconds(12)))
    scale.take(
      IncomingMessage(topic: Self.topics(.availability), payload: Array("offline".utf8), isRetained: false),
      at: Self.begin)
    #expect(shows("OFFLINE", after: .zero))
    scale.connect(.down("gone"), at: Self.begin)
    #expect(shows("NO BROKER", after: .zero) && shows("gone", after: .zero))
  }

  @Test func aVoidedWeighingIsMarked() throws {
    let scale = scale(try Self.recorded("commit-and-void"))
    let lines = picture(scale)
    #expect(lines.contains { $0.contains("(void)") } && lines.contains { $0.contains("(voided)") })
  }

  /// Anything at all, on every topic.
  @Test(arguments: [
    "", "null", "[]", "{", "\u{1b}[2J", #"{"net_g":"x"}"#, #"{"printable":"\u001b[2J","state":"stable"}"#,
    #"{"printable":"9999999999999999999999999 g","state":"overload","net_g":1e300,"gross_g":1e300,"tare_g":-1e300}"#,
    #"{"id":"a","time":"never","sequence":1e18,"net_g":null,"label":"\u202e\n日本語日本語日本語日本語日本語日本語日本語"}"#,
    #"{"actions":[{"type":"x","title":"日\u0301本\u001b]0;x\u0007"},{"type":"a b"},3]}"#,
    #"{"action":"x","state":"selected","intention":1e300}"#, #"{"type":"","reason":"\u0000"}"#,
  ])
  func nothingFromElsewhereDoesHarm(_ text: String) {
    for topic in Topic.allCases {
      let scale = scale([(topic, text)])
      for (columns, rows) in [(80, 24), (30, 8), (3, 2)] {
        let lines = picture(scale, columns, rows)
        #expect(lines.allSatisfy { TerminalText.width($0) <= columns })
        #expect(!lines.joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
    }
  }

  @Test func theLastMinuteIsOneLine() {
    var minute = LastMinute()
    minute.append(.mass(0), at: Self.begin)
    minute.append(.mass(100), at: Self.begin + .seconds(20))
    minute.append(.overload, at: Self.begin + .seconds(40))
    minute.append(.nothing, at: Self.begin + .seconds(50))
    let columns = minute.columns(6, until: Self.begin + .seconds(60))
    #expect(columns == [.mass(0), .mass(100), .mass(100), .overload, .overload, .nothing])
    let line = LastMinute.line(columns, TerminalStyle(isUTF8: true, hasColour: false))
    #expect(line.text == "▁██!! " && line.range == 0...100)
    let later = minute.columns(6, until: Self.begin + .seconds(200))
    #expect(later == Array(repeating: .nothing, count: 6))
  }

  /// Every mass is whole at the usual sizes of a terminal, whatever the division and the capacity.
  @Test(arguments: [(80, 24), (100, 30), (200, 60)])
  func massesAreNeverCut(columns: Int, rows: Int) {
    let id = "018f0000-0000-7000-8000-000000000001"
    let scale = scale([
      (.availability, "online"),
      (
        .live,
        #"{"printable":"-13580.25 g","state":"stable","gross_g":1234.75,"tare_g":14815.05,"net_g":-13580.25}"#
      ),
      (
        .weighing,
        #"{"id":"\#(id)","sequence":1234567,"time":"2026-03-01T12:00:00.000Z","net_g":-13580.25,"voids":null}"#
      ),
    ])
    let lines = picture(scale, columns, rows).joined(separator: "\n")
    for mass in ["14815.05 g", "1234.75 g", "-13580.25 g"] { #expect(lines.contains(mass), "\(mass) in\n\(lines)") }
  }

  @Test func plainLinesSayWhatIsNewOnce() throws {
    var lines = WatchLines()
    let scale = scale(try Self.recorded("commit-and-void"))
    let news = lines.news(of: scale)
    #expect(
      news.contains { $0.hasSuffix("connected to mqtt://h:1883") } && news.contains { $0.contains("weighing 1  ") })
    #expect(lines.news(of: scale).isEmpty)
  }
}
