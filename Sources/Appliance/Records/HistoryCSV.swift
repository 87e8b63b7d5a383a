import Journal
import Messages
import Weighing

/// Records as comma-separated values (RFC 4180), made to be opened in a spreadsheet.
///
/// Every record is a row, voids and relabels included, and the plain sum of `net_g` is right. `label` is the label as
/// recorded, `effective_label` the one as amended, of a void that of the weighing that it voids; so sums by
/// `effective_label` are right too.
package enum HistoryCSV {
  private static let columns = [
    "sequence", "time", "net_g", "gross_g", "tare_g", "uncertainty_g", "label", "source", "calibration",
    "calibration_counter", "configuration_hash", "id", "voids", "voided_by", "kind", "amends", "pieces", "clock",
    "effective_label",
  ]

  /// The names of the columns, with the end of the line.
  package static let header = columns.joined(separator: ",") + "\r\n"

  /// One record, with the end of the line.
  package static func line(_ entry: HistoryEntry) -> String {
    let record = entry.record
    let measurement = record.measurement
    let fields = [
      "\(record.sequence)", WallClock.recorded.text(record.time), "\(measurement.net)", "\(measurement.gross)",
      "\(measurement.tare)", measurement.uncertainty.map { DecimalText.fixed($0.value, decimals: 3) } ?? "",
      text(record.label), text(record.source.rawValue), text(measurement.calibration.rawValue),
      "\(record.calibrationCounter)", text(record.configurationHash), "\(record.id)",
      record.voids?.description ?? "", entry.voidedBy?.description ?? "", text(record.kind.rawValue),
      record.amends?.description ?? "", measurement.pieces.map { "\($0)" } ?? "", text(record.clock?.rawValue),
      text(entry.label),
    ]
    return fields.joined(separator: ",") + "\r\n"
  }

  /// A text as a field.
  ///
  /// A spreadsheet takes a text that begins with one of `= + - @`, a tab or a line break for a formula (OWASP, "CSV
  /// Injection"): such a text gets an apostrophe in front, which a spreadsheet does not show. What decides is bytes: as a
  /// character of Swift, a comma with a combining mark behind it is not a comma.
  private static func text(_ text: String?) -> String {
    guard let text, let first = text.utf8.first else { return "" }
    let isFormula = "=+-@\t\r\n".utf8.contains(first)
    let field = isFormula ? "'" + text : text
    // A semicolon and a tab separate in spreadsheets of some languages.
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
