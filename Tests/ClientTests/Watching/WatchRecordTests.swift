import Linux
import Messages
import Testing
import Weighing

@testable import Client

/// The records that `watch` shows: with their voids and labels, whatever has been received of them.
@Suite struct WatchRecordTests {
  private static let ids = (1...4).map { "018f0000-0000-7000-8000-00000000000\($0)" }

  /// When the first weighing was recorded, in local time to the minute.
  private static let moment = WeighingID(ids[0]).map { String(LocalMoment($0.time).text.prefix(16)) } ?? ""

  /// An event about the first weighing, which names its number.
  private static func event(_ type: String) -> String {
    #"{"type":"\#(type)","time":"2026-03-01T12:00:03.000Z","id":"\#(ids[0])","sequence":1,"tare_epoch":0}"#
  }

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
        (.weighing, record(2, "relabel", label: "rye", about: 1)), (.weighing, record(3, "void", net: -50, about: 1)),
        (.lastWeighing, ""),
      ],
      rows: [
        "weighed #3 voided the weighing of \(moment) (net 50 g)", "#2 relabelled the weighing of \(moment) as rye",
      ],
      lines: ["relabelled the weighing of \(moment) as rye", "voided the weighing of \(moment) (net 50 g)"],
      question: "Void the last weighing? Press v again to confirm"),
    Records(
      testDescription: "events about a weighing that was not received, each after its record",
      messages: [
        (.weighing, record(2, "relabel", label: "oats", about: 1)), (.event, event("relabelled")),
        (.weighing, record(3, "void", net: -50, about: 1)), (.event, event("voided")), (.lastWeighing, ""),
      ],
      rows: ["weighed #3 voided #1 (net 50 g)", "#2 relabelled #1 as oats"],
      lines: ["relabelled the weighing of \(moment) as oats", "voided #1 (net 50 g)"],
      question: "Void the last weighing? Press v again to confirm"),
    Records(
      testDescription: "all are voided",
      messages: [
        (.weighing, record(1, net: 0)), (.lastWeighing, record(1, net: 0)),
        (.weighing, record(2, "void", net: 0, about: 1)), (.lastWeighing, ""),
      ], rows: ["weighed #2 voided #1 (net 0 g)", "#1 0 g (voided)"],
      lines: ["weighing #1  0 g", "voided #1 (net 0 g)", "last weighing: none (all voided)"],
      question: "Weighing #1 is already voided"),
  ]

  @Test(arguments: records) func recordsAreShownWithTheirCurrentState(_ records: Records) {
    var scale = WatchedScale([])
    var lines = WatchChanges()
    _ = lines.lines(for: scale)
    var printed: [String] = []
    for (topic, text) in records.messages {
      scale.receive(topic, text)
      printed += lines.lines(for: scale).map { String($0.dropFirst(10)) }
    }
    #expect(printed == records.lines)
    // Without the time of day, which depends on the time zone.
    let shown = scale.picture().filter { $0.contains(#/weighed|  #[0-9]/#) }
      .map { $0.replacing(#/(#[0-9]+ +)[0-9:-]{8} /#) { $0.1 }.split(separator: " ").joined(separator: " ") }
    #expect(shown == records.rows)
    #expect(scale.voidQuestion == records.question)
  }

  /// The weighing that the broker retains is the last one, whatever has been received since; it is never scrolled away.
  @Test func theLastWeighingIsAlwaysShown() {
    var scale = WatchedScale([])
    let last = Self.record(1, net: 50, label: "rye")
    scale.receive(.lastWeighing, last, isRetained: true)
    var lines = WatchChanges()
    #expect(lines.lines(for: scale).contains { $0.hasSuffix("  last weighing #1  50 g  rye") })
    for sequence in 2...60 {
      let relabel = """
        {"id":"r\(sequence)","sequence":\(sequence),"kind":"relabel","time":"","net_g":0,"label":"l\(sequence)",\
        "amends":"\(Self.ids[0])"}
        """
      scale.receive(.weighing, relabel)
    }
    let row = scale.picture().last { $0.contains("#1 ") }
    #expect(row?.hasPrefix(" last ") == true && row?.hasSuffix("50 g  l60") == true, "\(scale.picture())")
    #expect(scale.picture().contains { $0.contains("#60") && $0.contains("relabelled #1 as l60") })
  }

  @Test func aVoidedWeighingIsMarked() throws {
    let scale = WatchedScale(try WatchedScale.recorded("commit-and-void"))
    let lines = scale.picture()
    #expect(lines.contains { $0.contains("#3") && $0.contains("voided #2 (net 100 g)") }, "\(lines)")
    #expect(lines.contains { $0.contains("#2") && $0.contains("100 g  (voided)") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix(" last ") && $0.contains("#1") }, "\(lines)")
  }
}
