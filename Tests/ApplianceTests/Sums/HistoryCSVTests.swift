import Journal
import Testing
import Weighing

@testable import Appliance

/// Texts in a table: they stay in their column, and no spreadsheet takes one for a formula.
@Suite struct HistoryCSVTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var label: String
    var field: String
    var testDescription: String { label.debugDescription }
  }

  @Test(arguments: [
    Case(label: "rye", field: "rye"), Case(label: "Zoë", field: "Zoë"), Case(label: "a b", field: "a b"),
    Case(label: "a,b", field: "\"a,b\""), Case(label: "a\"b", field: "\"a\"\"b\""),
    // A comma or a quote with a combining mark behind it is another character, but the same byte.
    Case(label: "a,\u{301}b", field: "\"a,\u{301}b\""), Case(label: "\"\u{308}", field: "\"\"\"\u{308}\""),
    Case(label: "a\r\nb", field: "\"a\r\nb\""), Case(label: "a;b", field: "\"a;b\""),
    Case(label: "=1+1", field: "'=1+1"), Case(label: "+1", field: "'+1"), Case(label: "-1", field: "'-1"),
    Case(label: "@A1", field: "'@A1"), Case(label: "\t=1", field: "\"'\t=1\""), Case(label: "\r=1", field: "\"'\r=1\""),
    Case(label: "=\u{301}1", field: "'=\u{301}1"), Case(label: "=A1,\"x\"", field: "\"'=A1,\"\"x\"\"\""),
    Case(label: "1=1", field: "1=1"), Case(label: "'=1", field: "'=1"),
  ])
  func aLabelIsOneField(_ expected: Case) {
    let net = DisplayedMass(steps: -735, division: .gram)
    let record = RecordedWeighing(
      id: WeighingID(time: Instant(nanoseconds: 0), randomness: (0, 0)), sequence: 7, time: Instant(nanoseconds: 0),
      measurement: Weighing.Measurement(
        gross: net, tare: DisplayedMass(steps: 0, division: .gram), net: net, uncertainty: Grams(0.25), pieces: -3,
        calibration: .user),
      label: expected.label, source: .mqtt, calibrationCounter: 1, configurationHash: "abc", voids: nil,
      clock: .synchronised)
    let line = HistoryCSV.line(HistoryEntry(record: record, label: nil))
    // A number stays one, whatever its sign.
    #expect(
      Array(line.utf8)
        == Array(
          ("7,1970-01-01T00:00:00.000Z,-735,-735,0,0.250,\(expected.field),mqtt,user,1,abc,"
            + "00000000-0000-7000-8000-000000000000,,,weighing,,-3,synchronised,\r\n").utf8))
  }
}
