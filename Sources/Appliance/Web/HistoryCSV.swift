import Journal
import Messages
import Weighing

/// Weighings as comma-separated values (RFC 4180).
package enum HistoryCSV {
  private static let columns = [
    "sequence", "time", "net_g", "gross_g", "tare_g", "uncertainty_g", "label", "source", "calibration",
    "calibration_counter", "configuration_hash", "id", "voids", "voided_by",
  ]

  /// The names of the columns, with the end of the line.
  package static let header = columns.joined(separator: ",") + "\r\n"

  /// One weighing, with the end of the line.
  package static func line(_ entry: HistoryEntry) -> String {
    let record = entry.record
    let measurement = record.measurement
    let fields = [
      "\(record.sequence)", WallClock.recorded.text(record.time), "\(measurement.net)", "\(measurement.gross)",
      "\(measurement.tare)", measurement.uncertainty.map { DecimalText.fixed($0.value, decimals: 3) } ?? "",
      quoted(record.label ?? ""), record.source.rawValue, measurement.calibration.rawValue,
      "\(record.calibrationCounter)", record.configurationHash, "\(record.id)", record.voids?.description ?? "",
      entry.voidedBy?.description ?? "",
    ]
    return fields.joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
