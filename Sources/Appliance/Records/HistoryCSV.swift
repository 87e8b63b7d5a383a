import Journal
import Messages
import Weighing

/// Records as comma-separated values (RFC 4180) for spreadsheets.
///
/// Every record is a row, including voids and relabels, and the sum of `net_g` is correct. `label` is the label as
/// recorded; `effective_label` includes relabels, and for a void it is that of the voided weighing, so that sums by
/// `effective_label` are correct too.
package enum HistoryCSV {
  private static let columns = [
    "sequence", "time", "net_g", "gross_g", "tare_g", "uncertainty_g", "label", "source", "calibration",
    "calibration_counter", "configuration_hash", "id", "voids", "voided_by", "kind", "amends", "pieces", "clock",
    "effective_label",
  ]

  /// The header line, with its line end.
  package static let header = columns.joined(separator: ",") + "\r\n"

  /// One record, with its line end.
  package static func line(_ entry: HistoryEntry) -> String {
    let record = entry.record
    let measurement = record.measurement
    let uncertainty: String? = measurement.uncertainty.map { DecimalText.fixed($0.value, decimals: 3) }
    let pieces: String? = measurement.pieces.map { "\($0)" }
    let fields: [String] = [
      "\(record.sequence)", WallClock.recorded.text(record.time), "\(measurement.net)", "\(measurement.gross)",
      "\(measurement.tare)", uncertainty ?? "", text(record.label), text(record.source.rawValue),
      text(measurement.calibration.rawValue), "\(record.calibrationCounter)", text(record.configurationHash),
      "\(record.id)", record.voids?.description ?? "", entry.voidedBy?.description ?? "", text(record.kind.rawValue),
      record.amends?.description ?? "", pieces ?? "", text(record.clock?.rawValue), text(entry.label),
    ]
    return fields.joined(separator: ",") + "\r\n"
  }

  /// A text as a field.
  ///
  /// A spreadsheet treats a text that starts with one of `= + - @`, a tab or a line break as a formula (OWASP, "CSV
  /// Injection"): such a text gets a leading apostrophe, which spreadsheets do not show. The check is on bytes: as a
  /// Swift character, a comma followed by a combining mark is not a comma.
  package static func text(_ text: String?) -> String {
    guard let text, let first = text.utf8.first else { return "" }
    let isFormula = "=+-@\t\r\n".utf8.contains(first)
    let field = isFormula ? "'" + text : text
    // Semicolon and tab are separators in spreadsheets of some locales.
    guard field.utf8.contains(where: { ",\"\r\n;\t".utf8.contains($0) }) else { return field }
    var quoted = [UInt8(ascii: "\"")]
    for byte in field.utf8 {
      if byte == UInt8(ascii: "\"") { quoted.append(byte) }
      quoted.append(byte)
    }
    quoted.append(UInt8(ascii: "\""))
    return String(decoding: quoted, as: UTF8.self)
  }
}
