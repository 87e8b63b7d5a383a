import Languages
import Linux

/// The devices as a table for a terminal of 80 columns, with what needs attention below.
package struct FleetTable {
  private let report: FleetReport
  private let texts: Texts

  /// Makes a table.
  ///
  /// - Parameter texts: The texts in the language of the user.
  package init(_ report: FleetReport, texts: Texts = .english) { (self.report, self.texts) = (report, texts) }

  private static let columns = 80
  private static let head: [TextKey] = [
    .fleetDevice, .fleetSeen, .fleetWeighings, .fleetMissing, .fleetLost, .fleetCalibrated, .fleetVersion,
  ]

  /// The lines.
  package var text: String {
    guard !report.devices.isEmpty else { return texts(.fleetNone) + "\n" }
    let rows = report.devices.map { device in
      [
        device.id.escapedForTerminal, device.lastSeenAge.map(Self.age) ?? "-", "\(device.weighings)",
        "\(device.missing)", "\(device.lost)", calibration(device), device.version?.escapedForTerminal ?? "-",
      ]
    }
    let table = TextTable.text(Self.fitting([Self.head.map { texts($0) }] + rows), rightAligned: [1, 2, 3, 4])
    let lines = report.devices.flatMap(notes)
    return table + (lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n") + "\n") + "\n" + sum + "\n"
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

  private func calibration(_ device: FleetReport.Device) -> String {
    switch device.calibration {
    case nil: "-"
    case "user"?: device.calibratedAge.map { Self.age($0) } ?? texts(.originUser)
    case "kernel"?: texts(.originKernel)
    case "known"?: texts(.originKnown)
    case "nominal"?: texts(.originNominal)
    case "simulated"?: texts(.originSimulated)
    case let other?: Self.cut(other.escapedForTerminal, 10)
    }
  }

  private func notes(of device: FleetReport.Device) -> [String] {
    let name = ["device": device.id.escapedForTerminal]
    var notes: [String] = []
    if device.conflicts > 0 { notes.append(texts(.fleetConflicts, count: device.conflicts, name)) }
    if device.idConflicts > 0 { notes.append(texts(.fleetIDConflicts, count: device.idConflicts, name)) }
    if device.clock == "unsynchronised" { notes.append(texts(.fleetClock, name)) }
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
    return texts(
      .fleetSummary,
      [
        "scales": texts(.fleetScales, count: report.devices.count),
        "weighings": texts(.listWeighings, count: sum(\.weighings)), "missing": "\(sum(\.missing))",
        "lost": "\(sum(\.lost))",
      ])
  }
}
