import Messages
import Weighing

/// A record as an appliance has published it.
package struct CollectedRecord: Hashable, Sendable {
  /// The device of the topic.
  package let device: String
  /// Its number in the journal of the device.
  package let sequence: Int
  /// Its identifier, which only the device has, unless something is wrong.
  let id: WeighingID
  /// When it was confirmed.
  var milliseconds: Int { id.milliseconds }
  /// What is stored, with numbers as they were written, so that no digit changes.
  let row: RowText

  /// Checks what decides on the order of records; the rest is checked by PostgreSQL.
  init(device: String, payload: [UInt8]) throws(CollectedMessageError) {
    func error(_ detail: String) -> CollectedMessageError { CollectedMessageError(device: device, detail: detail) }
    guard payload.count <= Self.maximumBytes else { throw error("larger than \(Self.maximumBytes) bytes") }
    guard let fields = try? JSONFields(payload, maximumBytes: Self.maximumBytes) else {
      throw error("not a JSON object")
    }
    guard case .string(let text)? = fields["id"], let id = WeighingID(text) else {
      throw error("id is not a UUID of version 7")
    }
    guard let sequence = fields.integer("sequence"), sequence >= 1, Health.sequences.contains(sequence) else {
      throw error("sequence is not a positive integer")
    }
    var row = RowText()
    row.append(device.utf8)
    for (name, form) in Self.columns {
      let value = fields[name]
      switch (form, value) {
      case (_, nil), (_, .null?): row.appendNull()
      case (.text, .string(let value)?):
        // A text of PostgreSQL cannot have the character U+0000.
        guard !value.contains(0) else { throw error("\(name) has the character U+0000") }
        row.append(value)
      case (.text, .other(let value)?): row.append(value)
      case (.mass, .other(let value)?) where Self.isMass(value): row.append(value)
      case (.mass, _): throw error("\(name) is not a mass")
      case (.count, _):
        guard let number = fields.integer(name) else { throw error("\(name) is not a whole number") }
        row.append("\(number)".utf8)
      case (.time, .string(let value)?) where Self.isTime(value): row.append(value)
      case (.time, _): throw error("\(name) is not a time of RFC 3339")
      }
    }
    (self.device, self.sequence, self.row, self.id) = (device, sequence, row, id)
  }

  /// The maximum size of a payload; that of an appliance has less than 1 KB.
  private static let maximumBytes = 16 * 1024

  /// What a field has to be. PostgreSQL accepts more, such as the masses `"NaN"` and `1e100000`, which spoil every sum, and
  /// the time `infinity`.
  private enum Form {
    case text, mass, count, time
  }

  /// The fields that are stored, in the order of the type `weighing_input` after the device.
  private static let columns: [(StaticString, Form)] = [
    ("id", .text), ("sequence", .count), ("time", .time), ("kind", .text), ("gross_g", .mass), ("tare_g", .mass),
    ("net_g", .mass), ("uncertainty_g", .mass), ("pieces", .count), ("label", .text), ("source", .text),
    ("calibration", .text), ("calibration_counter", .count), ("configuration_hash", .text), ("voids", .text),
    ("amends", .text), ("clock", .text),
  ]

  /// Whether a JSON value is a number of a magnitude that a scale can have.
  private static func isMass(_ value: ArraySlice<UInt8>) -> Bool {
    guard let first = value.first, first == UInt8(ascii: "-") || isDigit(first), value.count <= 64,
      let mass = Double(String(decoding: value, as: UTF8.self)), abs(mass) <= largestMass
    else { return false }
    // The database stores all digits of a mass, up to 16,383 after the point.
    guard let exponent = value.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return true }
    return value[exponent...].count(where: isDigit) <= 2
  }

  /// In grams: a thousand times the largest capacity.
  private static let largestMass = 1e9

  /// Whether a text has the form of a time: `2026-11-23T10:00:00`, any fraction, and `Z` or `+01:00`.
  private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
    let pattern = "0000-00-00T00:00:00".utf8
    guard text.count > pattern.count,
      zip(text, pattern).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 || isSeparator($0, for: $1) })
    else { return false }
    var rest = text.dropFirst(pattern.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return false }
      rest = rest[fraction.endIndex...]
    }
    if rest.count == 1 { return rest.first == UInt8(ascii: "Z") || rest.first == UInt8(ascii: "z") }
    let offset = Array(rest)
    return offset.count == 6 && (offset[0] == UInt8(ascii: "+") || offset[0] == UInt8(ascii: "-"))
      && offset[3] == UInt8(ascii: ":") && [1, 2, 4, 5].allSatisfy { isDigit(offset[$0]) }
  }

  /// RFC 3339 permits a lower-case `t`, or a space, between date and time.
  private static func isSeparator(_ character: UInt8, for pattern: UInt8) -> Bool {
    pattern == UInt8(ascii: "T") && (character == UInt8(ascii: "t") || character == UInt8(ascii: " "))
  }

  private static func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
  }
}
