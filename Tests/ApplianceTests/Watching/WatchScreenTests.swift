import Foundation
import Messages
import Terminal
import Testing

@testable import Client
@testable import Weighing

/// The frame that `watch` draws, for any message and any size of the terminal.
@Suite struct WatchScreenTests {
  private static let topics = Topics(prefix: "grampad", id: "kitchen")
  private static let begin = Instant(nanoseconds: 1_000_000_000_000)

  private func scale(_ messages: [(Topic, String)] = [], at time: Instant = begin) -> WatchedScale {
    var scale = WatchedScale(topics: Self.topics, heartbeat: .seconds(5))
    scale.setConnection(.up("mqtt://h:1883"), at: time)
    for (topic, text) in messages {
      scale.update(
        with: IncomingMessage(topic: Self.topics(topic), payload: Array(text.utf8), isRetained: false), at: time)
    }
    return scale
  }

  /// The messages of a golden case.
  private static func recorded(_ name: String) throws -> [(Topic, String)] {
    try String(decoding: GoldenCase.named(name).replayed(), as: UTF8.self).split(separator: "\n").compactMap { line in
      let message = try JSONValue(Array(line.utf8), maximumBytes: 1 << 16)
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
  func everyFrameFitsIntoEverySize(_ name: String) throws {
    let messages = try Self.recorded(name)
    for (columns, rows) in [(200, 60), (80, 24), (69, 13), (49, 11), (39, 9), (20, 6), (7, 3), (1, 1), (0, 0)] {
      var scale = scale()
      for (topic, text) in messages {
        scale.update(
          with: IncomingMessage(topic: Self.topics(topic), payload: Array(text.utf8), isRetained: false), at: Self.begin
        )
        let lines = picture(scale, columns, rows)
        #expect(lines.count <= max(rows, 1))
        #expect(lines.allSatisfy { TextColumns.width($0) <= max(columns, 1) }, "\(columns)x\(rows): \(lines)")
        #expect(picture(scale, columns, rows, isUTF8: false).joined().utf8.allSatisfy { $0 < 0x80 && $0 >= 0x20 })
      }
    }
  }

  @Test func aPressIsShownAsTextAndAsABar() throws {
    var scale = scale(try Self.recorded("one-load"))
    for (state, words) in [("updating", "50 %"), ("selected", "SELECTED"), ("confirmed", "CONFIRM, let go")] {
      let press = #"{"time":"","action":"commit","state":"\#(state)","intention":0.5,"preview":null}"#
      scale.update(
        with: IncomingMessage(topic: Self.topics(.gesture), payload: Array(press.utf8), isRetained: false),
        at: Self.begin)
      let line = try #require(picture(scale).first { $0.contains("commit ") && $0.contains(words) })
      #expect(line.count { $0 == "█" } == line.count { $0 == "░" })
    }
  }

  /// The weighing under the finger, until the finger is lifted; then what was recalled.
  @Test func thePreviewedWeighingIsShown() throws {
    let messages = try Self.recorded("history-pop-and-void")
    var scale = scale()
    var shown: [String] = []
    for (topic, text) in messages {
      scale.update(
        with: IncomingMessage(topic: Self.topics(topic), payload: Array(text.utf8), isRetained: false), at: Self.begin)
      let lines = picture(scale)
      if let line = lines.first(where: { $0.contains("history ") }), let text = line.split(separator: "░ ").last {
        if shown.last != String(text) { shown.append(String(text)) }
      }
    }
    #expect(
      shown.filter { $0.contains("#") }.map { $0.trimmingCharacters(in: .whitespaces) } == [
        "#2: 150 g, slide up", "#1: 100 g, slide up", "#1: 100 g, recalled",
      ], "\(shown)")
    #expect(scale.press == nil)
  }

  @Test func aControlIsShownWhileItIsPressed() throws {
    var scale = scale(try Self.recorded("one-load"))
    func send(_ name: String, _ state: String, _ value: String = "0.5") -> String? {
      let text = #"{"time":"","state":"\#(state)","value":\#(value),"x":0.5,"y":0.5}"#
      scale.update(
        with: IncomingMessage(
          topic: Self.topics(.control) + "/" + name, payload: Array(text.utf8), isRetained: false), at: Self.begin)
      return picture(scale).first { $0.contains(name) }
    }
    #expect(try #require(send("lamp", "began")).contains("50 %"))
    #expect(try #require(send("lamp", "changed", "1e300")).contains("100 %"))
    #expect(send("lamp", "wrong") != nil && send("a b", "began") == nil)
    #expect(send("fan", "ended") == nil && scale.control != nil, "another one has ended")
    #expect(send("lamp", "cancelled") == nil)
    #expect(picture(scale).contains { $0.contains("press") })
  }

  @Test func anOldReadingIsMarkedAsStale() throws {
    var scale = scale([
      (.availability, "online"),
      (.live, #"{"printable":"73 g","state":"stable","gross_g":73,"tare_g":0,"net_g":73,"uncertainty_g":0.5}"#),
    ])
    func shows(_ text: String, after time: Interval) -> Bool { picture(scale, after: time).joined().contains(text) }
    #expect(shows("STABLE", after: .seconds(10)) && shows("± 0.50 g", after: .zero))
    #expect(shows("STALE", after: .seconds(12)) && !shows("STABLE", after: .seconds(12)))
    scale.update(
      with:
        IncomingMessage(topic: Self.topics(.availability), payload: Array("offline".utf8), isRetained: false),
      at: Self.begin)
    #expect(shows("OFFLINE", after: .zero))
    scale.setConnection(.down(.verbatim("gone")), at: Self.begin)
    #expect(shows("NO BROKER", after: .zero) && shows("gone", after: .zero))
  }

  @Test func aVoidedWeighingIsMarked() throws {
    let scale = scale(try Self.recorded("commit-and-void"))
    let lines = picture(scale)
    #expect(lines.contains { $0.contains("#3") && $0.contains("voided #2 (net 100 g)") }, "\(lines)")
    #expect(lines.contains { $0.contains("#2") && $0.contains("100 g  (voided)") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix(" last ") && $0.contains("#1") }, "\(lines)")
  }

  @Test(arguments: [
    (Topic.event, #"{"type":"journal_loss","from":-5,"to":1e300,"time":"2026-11-22T05:00:00.000Z"}"#),
    (.live, #"{"printable":"x","state":"stable","gross_g":1e308,"tare_g":0,"net_g":-1e300,"uncertainty_g":1e300}"#),
    (.gesture, #"{"time":"","action":"commit","state":"updating","intention":1e300,"preview":null}"#),
    (.weighing, #"{"id":"a","sequence":1e300,"time":"","net_g":-1e308}"#),
    (.health, #"{"outbox":{"waiting":1e300,"parked":-1e300}}"#),
  ])
  func anExtremeNumberIsDrawn(topic: Topic, payload: String) {
    let scale = scale([(.availability, "online"), (topic, payload), (topic, payload.replacing("1e30", with: "2e30"))])
    #expect(picture(scale).allSatisfy { TextColumns.width($0) <= 80 })
    var lines = WatchChanges()
    _ = lines.lines(for: scale)
  }

  private static let ids = (1...4).map { "018f0000-0000-7000-8000-00000000000\($0)" }

  /// A record as the appliance publishes it.
  private static func record(
    _ sequence: Int, _ kind: String = "weighing", net: Double = 0, label: String? = nil, about: Int? = nil
  ) -> String {
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    let id = about.map { ids[$0 - 1] }
    return """
      {"id":"\(ids[sequence - 1])","sequence":\(sequence),"kind":"\(kind)","time":"2026-03-01T12:00:0\(sequence).000Z",\
      "net_g":\(net),"label":\(quoted(label)),"historical":false,"voids":\(quoted(kind == "void" ? id : nil)),\
      "amends":\(quoted(kind == "relabel" ? id : nil))}
      """
  }

  /// The records received, the content of `weighing/last`, the rows of the screen, and the plain lines.
  struct Records: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var messages: [(Topic, String)]
    var rows: [String]
    var lines: [String]
    var question: String
  }

  static let records = [
    Records(
      testDescription: "nothing was weighed", messages: [], rows: ["weighed none yet"], lines: [],
      question: "Void the last weighing? Press v again to confirm"),
    Records(
      testDescription: "a void",
      messages: [
        (.weighing, record(1, net: 50, label: "rye")), (.lastWeighing, record(1, net: 50, label: "rye")),
        (.weighing, record(2, net: 73.5)), (.lastWeighing, record(2, net: 73.5)),
        (.weighing, record(3, "void", net: -73.5, about: 2)), (.lastWeighing, record(1, net: 50, label: "rye")),
      ],
      rows: ["weighed #3 voided #2 (net 73.5 g)", "#2 73.5 g (voided)", "last #1 50 g rye"],
      lines: [
        "weighing #1  50 g  rye", "weighing #2  73.5 g", "voided #2 (net 73.5 g)", "last weighing #1  50 g  rye",
      ], question: "Weighing #2 is already voided"),
    Records(
      testDescription: "relabels",
      messages: [
        (.weighing, record(1, net: 50, label: "rye")), (.weighing, record(2, "relabel", label: "oats", about: 1)),
        (.weighing, record(3, "relabel", about: 1)), (.lastWeighing, record(1, net: 50)),
      ],
      rows: ["weighed #3 removed the label of #1", "#2 relabelled #1 as oats", "last #1 50 g"],
      lines: ["weighing #1  50 g  rye", "relabelled #1 as oats", "removed the label of #1"],
      question: "Void weighing #1 (50 g)? Press v again to confirm"),
    Records(
      testDescription: "records about a weighing that was not received",
      messages: [
        (.weighing, record(2, "relabel", label: "oats", about: 1)), (.weighing, record(3, "void", net: -50, about: 1)),
        (.lastWeighing, ""),
      ],
      rows: ["weighed #3 voided an earlier weighing (net 50 g)", "#2 relabelled an earlier weighing as oats"],
      lines: ["relabelled an earlier weighing as oats", "voided an earlier weighing (net 50 g)"],
      question: "Void the last weighing? Press v again to confirm"),
    Records(
      testDescription: "all are voided",
      messages: [
        (.weighing, record(1, net: 0)), (.lastWeighing, record(1, net: 0)),
        (.weighing, record(2, "void", net: 0, about: 1)), (.lastWeighing, ""),
      ], rows: ["weighed #2 voided #1 (net 0 g)", "#1 0 g (voided)"],
      lines: ["weighing #1  0 g", "voided #1 (net 0 g)", "last weighing: none (all voided)"],
      question: "Weighing #1 is already voided"),
    Records(
      testDescription: "an earlier version without kind",
      messages: [
        (.weighing, #"{"id":"a","sequence":1,"time":"","net_g":7,"voids":null}"#),
        (.weighing, #"{"id":"b","sequence":2,"time":"","net_g":-7,"voids":"a"}"#),
      ], rows: ["weighed #2 voided #1 (net 7 g)", "#1 7 g (voided)"],
      lines: ["weighing #1  7 g", "voided #1 (net 7 g)", "last weighing: none (all voided)"],
      question: "Weighing #1 is already voided"),
  ]

  @Test(arguments: records) func recordsAreShownWithTheirCurrentState(_ records: Records) {
    var scale = scale()
    var lines = WatchChanges()
    _ = lines.lines(for: scale)
    var printed: [String] = []
    for (topic, text) in records.messages {
      scale.update(
        with: IncomingMessage(topic: Self.topics(topic), payload: Array(text.utf8), isRetained: false), at: Self.begin)
      printed += lines.lines(for: scale).map { String($0.dropFirst(10)) }
    }
    #expect(printed == records.lines)
    // Without the time of day, which depends on the time zone.
    let shown = picture(scale).filter { $0.contains(#/weighed|  #[0-9]/#) }
      .map { $0.replacing(#/[0-9:-]{8} /#, with: "").split(separator: " ").joined(separator: " ") }
    #expect(shown == records.rows)
    #expect(scale.voidQuestion == records.question)
  }

  /// The weighing that the broker retains is the last one, whatever has been received since; it is never scrolled away.
  @Test func theLastWeighingIsAlwaysShown() {
    var scale = scale()
    let last = Self.record(1, net: 50, label: "rye")
    scale.update(
      with:
        IncomingMessage(topic: Self.topics(.lastWeighing), payload: Array(last.utf8), isRetained: true), at: Self.begin)
    var lines = WatchChanges()
    #expect(lines.lines(for: scale).contains { $0.hasSuffix("  last weighing #1  50 g  rye") })
    for sequence in 2...60 {
      let relabel = """
        {"id":"r\(sequence)","sequence":\(sequence),"kind":"relabel","time":"","net_g":0,"label":"l\(sequence)",\
        "amends":"\(Self.ids[0])"}
        """
      scale.update(
        with: IncomingMessage(topic: Self.topics(.weighing), payload: Array(relabel.utf8), isRetained: false),
        at: Self.begin)
    }
    let row = picture(scale).last { $0.contains("#1 ") }
    #expect(row?.hasPrefix(" last ") == true && row?.hasSuffix("50 g  l60") == true, "\(picture(scale))")
    #expect(picture(scale).contains { $0.contains("#60") && $0.contains("relabelled #1 as l60") })
  }

  /// Arbitrary payloads on every topic.
  @Test(arguments: [
    "", "null", "[]", "{", "\u{1b}[2J", #"{"net_g":"x"}"#, #"{"printable":"\u001b[2J","state":"stable"}"#,
    #"{"printable":"9999999999999999999999999 g","state":"overload","net_g":1e300,"gross_g":1e300,"tare_g":-1e300}"#,
    #"{"id":"a","time":"never","sequence":1e18,"net_g":null,"label":"\u202e\n日本語日本語日本語日本語日本語日本語日本語"}"#,
    #"{"actions":[{"type":"x","title":"日\u0301本\u001b]0;x\u0007"},{"type":"a b"},3]}"#,
    #"{"action":"x","state":"selected","intention":1e300}"#, #"{"type":"","reason":"\u0000"}"#,
  ])
  func hostilePayloadsAreHarmless(_ text: String) {
    for topic in Topic.allCases {
      let scale = scale([(topic, text)])
      for (columns, rows) in [(80, 24), (30, 8), (3, 2)] {
        let lines = picture(scale, columns, rows)
        #expect(lines.allSatisfy { TextColumns.width($0) <= columns })
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
    let line = LastMinute.sparkline(columns, TerminalStyle(isUTF8: true, hasColour: false))
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

  @Test func plainLinesReportEachChangeOnce() throws {
    var lines = WatchChanges()
    let scale = scale(try Self.recorded("commit-and-void"))
    let news = lines.lines(for: scale)
    #expect(
      news.contains { $0.hasSuffix("connected to mqtt://h:1883") } && news.contains { $0.contains("weighing #1  ") })
    #expect(lines.lines(for: scale).isEmpty)
  }
}
