import Foundation
import Linux
import Messages
import Terminal
import Testing

@testable import Client
@testable import Weighing

/// The frame that `watch` draws, for any message and any size of the terminal.
@Suite struct WatchScreenTests {
  @Test(arguments: ["commit-and-void", "press-confirmed", "overload-and-back", "tare-and-negative-net", "platter"])
  func everyFrameFitsIntoEverySize(_ name: String) throws {
    let messages = try WatchedScale.recorded(name)
    for (columns, rows) in [(200, 60), (80, 24), (69, 13), (49, 11), (39, 9), (20, 6), (7, 3), (1, 1), (0, 0)] {
      var scale = WatchedScale([])
      for (topic, text) in messages {
        scale.receive(topic, text)
        let lines = scale.picture(columns, rows)
        #expect(lines.count <= max(rows, 1))
        #expect(lines.allSatisfy { TextColumns.width($0) <= max(columns, 1) }, "\(columns)x\(rows): \(lines)")
        #expect(scale.picture(columns, rows, isUTF8: false).joined().utf8.allSatisfy { $0 < 0x80 && $0 >= 0x20 })
      }
    }
  }

  @Test func aPressIsShownAsTextAndAsABar() throws {
    var scale = WatchedScale(try WatchedScale.recorded("one-load"))
    for (state, words) in [("updating", "50 %"), ("selected", "SELECTED"), ("confirmed", "CONFIRM, let go")] {
      let press = #"{"time":"","action":"commit","state":"\#(state)","intention":0.5,"preview":null}"#
      scale.receive(.gesture, press)
      let line = try #require(scale.picture().first { $0.contains("commit ") && $0.contains(words) })
      #expect(line.count { $0 == "█" } == line.count { $0 == "░" })
    }
  }

  /// The weighing under the finger, until the finger is lifted; then what was recalled.
  @Test func thePreviewedWeighingIsShown() throws {
    let messages = try WatchedScale.recorded("history-pop-and-void")
    var scale = WatchedScale([])
    var shown: [String] = []
    for (topic, text) in messages {
      scale.receive(topic, text)
      let lines = scale.picture()
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
    var scale = WatchedScale(try WatchedScale.recorded("one-load"))
    func send(_ name: String, _ state: String, _ value: String = "0.5") -> String? {
      let text = #"{"time":"","state":"\#(state)","value":\#(value),"x":0.5,"y":0.5}"#
      scale.receive(.control, text, name: name)
      return scale.picture().first { $0.contains(name) }
    }
    #expect(try #require(send("lamp", "began")).contains("50 %"))
    #expect(try #require(send("lamp", "changed", "1e300")).contains("100 %"))
    #expect(send("lamp", "wrong") != nil && send("a b", "began") == nil)
    #expect(send("fan", "ended") == nil && scale.control != nil, "another one has ended")
    #expect(send("lamp", "cancelled") == nil)
    #expect(scale.picture().contains { $0.contains("press") })
  }

  @Test func anOldReadingIsMarkedAsStale() throws {
    var scale = WatchedScale([
      (.availability, "online"),
      (.live, #"{"printable":"73 g","state":"stable","gross_g":73,"tare_g":0,"net_g":73,"uncertainty_g":0.5}"#),
    ])
    func shows(_ text: String, after time: Interval) -> Bool { scale.picture(after: time).joined().contains(text) }
    #expect(shows("STABLE", after: .seconds(10)) && shows("± 0.50 g", after: .zero))
    #expect(shows("STALE", after: .seconds(12)) && !shows("STABLE", after: .seconds(12)))
    scale.receive(.availability, "offline")
    #expect(shows("OFFLINE", after: .zero))
    scale.setConnection(.down(.verbatim("gone")), at: WatchedScale.begin)
    #expect(shows("NO BROKER", after: .zero) && shows("gone", after: .zero))
  }

  @Test(arguments: [
    (Topic.event, #"{"type":"journal_loss","from":-5,"to":1e300,"time":"2026-11-22T05:00:00.000Z"}"#),
    (.live, #"{"printable":"x","state":"stable","gross_g":1e308,"tare_g":0,"net_g":-1e300,"uncertainty_g":1e300}"#),
    (.gesture, #"{"time":"","action":"commit","state":"updating","intention":1e300,"preview":null}"#),
    (.weighing, #"{"id":"a","sequence":1e300,"time":"","net_g":-1e308}"#),
    (.health, #"{"outbox":{"waiting":1e300,"parked":-1e300}}"#),
  ])
  func anExtremeNumberIsDrawn(topic: Topic, payload: String) {
    let scale = WatchedScale([
      (.availability, "online"), (topic, payload), (topic, payload.replacing("1e30", with: "2e30")),
    ])
    #expect(scale.picture().allSatisfy { TextColumns.width($0) <= 80 })
    var lines = WatchChanges()
    _ = lines.lines(for: scale)
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
      let scale = WatchedScale([(topic, text)])
      for (columns, rows) in [(80, 24), (30, 8), (3, 2)] {
        let lines = scale.picture(columns, rows)
        #expect(lines.allSatisfy { TextColumns.width($0) <= columns })
        #expect(!lines.joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
    }
  }

  @Test func theLastMinuteIsOneLine() {
    var minute = LastMinute()
    minute.append(.mass(0), at: WatchedScale.begin)
    minute.append(.mass(100), at: WatchedScale.begin + .seconds(20))
    minute.append(.overload, at: WatchedScale.begin + .seconds(40))
    minute.append(.nothing, at: WatchedScale.begin + .seconds(50))
    let columns = minute.columns(6, until: WatchedScale.begin + .seconds(60))
    #expect(columns == [.mass(0), .mass(100), .mass(100), .overload, .overload, .nothing])
    let line = LastMinute.sparkline(columns, TerminalStyle(isUTF8: true, hasColour: false))
    #expect(line.text == "▁██!! " && line.range == 0...100)
    let later = minute.columns(6, until: WatchedScale.begin + .seconds(200))
    #expect(later == Array(repeating: .nothing, count: 6))
  }

  /// Every mass is whole at the usual sizes of a terminal, whatever the division and the capacity.
  @Test(arguments: [(80, 24), (100, 30), (200, 60)])
  func massesAreNeverCut(columns: Int, rows: Int) {
    let id = "018f0000-0000-7000-8000-000000000001"
    let scale = WatchedScale([
      (.availability, "online"),
      (
        .live,
        #"{"printable":"-13580.25 g","state":"stable","gross_g":1234.75,"tare_g":14815.05,"net_g":-13580.25}"#
      ),
      (
        .weighing,
        #"{"id":"\#(id)","sequence":1234567,"time":"2026-03-01T12:00:00.000Z","kind":"weighing","net_g":-13580.25}"#
      ),
    ])
    let lines = scale.picture(columns, rows).joined(separator: "\n")
    for mass in ["14815.05 g", "1234.75 g", "-13580.25 g"] { #expect(lines.contains(mass), "\(mass) in\n\(lines)") }
  }

  @Test func plainLinesReportEachChangeOnce() throws {
    var lines = WatchChanges()
    let scale = WatchedScale(try WatchedScale.recorded("commit-and-void"))
    let news = lines.lines(for: scale)
    #expect(
      news.contains { $0.hasSuffix("connected to mqtt://h:1883") } && news.contains { $0.contains("weighing #1  ") })
    #expect(lines.lines(for: scale).isEmpty)
  }
}
