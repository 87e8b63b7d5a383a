import EventLoop
import Terminal

/// The devices as a table for a terminal of 80 columns, with what needs attention below.
package struct FleetTable {
  private let report: FleetReport

  /// Makes a table.
  package init(_ report: FleetReport) { self.report = report }

  private static let columns = 80
  private static let head = ["device", "seen", "weighings", "missing", "lost", "calibrated", "version"]

  /// The lines.
  package var text: String {
    guard !report.devices.isEmpty else {
      return "No scales yet. A scale appears here once a collector has received a weighing or health from it.\n"
    }
    let rows = report.devices.map { device in
      [
        device.id.escapedForTerminal, device.lastSeenAge.map(Self.age) ?? "-", "\(device.weighings)",
        "\(device.missing)", "\(device.lost)", Self.calibration(device), device.version?.escapedForTerminal ?? "-",
      ]
    }
    let table = TextTable.text(Self.fitting([Self.head] + rows), rightAligned: [1, 2, 3, 4])
    let notes = report.devices.flatMap(Self.notes)
    return table + (notes.isEmpty ? "" : "\n" + notes.joined(separator: "\n") + "\n") + "\n" + sum + "\n"
  }

  /// Cuts the first and the last column, which are of any length, so that a line fits the terminal.
  private static func fitting(_ rows: [[String]]) -> [[String]] {
    func width(_ column: Int) -> Int { rows.reduce(0) { max($0, TextColumns.width($1[column])) } }
    let others = (1..<head.count - 1).reduce(0) { $0 + width($1) + 2 }
    let last = min(width(head.count - 1), 12)
    let first = max(columns - others - last - 2, 8)
    return rows.map { row in
      var row = row
      row[0] = cut(row[0], first)
      row[head.count - 1] = cut(row[head.count - 1], last)
      return row
    }
  }

  private static func cut(_ text: String, _ columns: Int) -> String {
    TextColumns.width(text) <= columns ? text : TextColumns.fit(text, columns - 1) + "…"
  }

  private static func calibration(_ device: FleetReport.Device) -> String {
    guard device.calibration == "user" else { return device.calibration.map { cut($0.escapedForTerminal, 10) } ?? "-" }
    return device.calibratedAge.map { age($0) } ?? "user"
  }

  private static func notes(of device: FleetReport.Device) -> [String] {
    var notes: [String] = []
    let name = device.id.escapedForTerminal
    if device.conflicts > 0 {
      let records = device.conflicts == 1 ? "1 number" : "\(device.conflicts) numbers"
      notes.append("\(name): two journals use this device.id (\(records) used twice; see sequence_conflict)")
    }
    if device.clock == "unsynchronised" { notes.append("\(name): the clock is not synchronised") }
    return notes
  }

  /// `45 s`, `12 min`, `5 h`, `30 d`; rounded down, and 0 for a time in the future.
  static func age(_ seconds: Int) -> String {
    switch max(seconds, 0) {
    case let seconds where seconds < 120: "\(seconds) s"
    case let seconds where seconds < 7200: "\(seconds / 60) min"
    case let seconds where seconds < 172_800: "\(seconds / 3600) h"
    case let seconds: "\(seconds / 86_400) d"
    }
  }

  private var sum: String {
    // A device may claim 9 x 10^15 records, and an `Int` holds the sum of 1,024 of those.
    func sum(_ value: (FleetReport.Device) -> Int) -> Int {
      report.devices.reduce(0) { sum, device in
        let (total, isTooLarge) = sum.addingReportingOverflow(value(device))
        return isTooLarge ? .max : total
      }
    }
    let count = report.devices.count == 1 ? "1 scale" : "\(report.devices.count) scales"
    return "\(count), \(sum(\.weighings)) weighings, \(sum(\.missing)) records missing, \(sum(\.lost)) lost"
  }
}
