import Messages
import Weighing

/// The lines that a scale sends in MT-SICS, without their ends.
enum SICSAnswer {
  /// The command is not known.
  static let syntaxError = "ES"
  /// The line is too long or has bytes that are not printable ASCII.
  static let transmissionError = "ET"
  /// The command cannot be performed.
  static let logicalError = "EL"

  /// The answer to a query of the net: `S S      73.5 g`, `S D`, `S +`, `S -`, `S I`.
  ///
  /// - Parameter isStableOnly: Whether a load in motion is `S I`.
  static func weight(_ reading: Reading?, isStableOnly: Bool = false) -> String {
    guard let reading, reading.state != .offline else { return "S I" }
    if reading.isOverloaded { return "S +" }
    if reading.isUnderloaded { return "S -" }
    guard let net = reading.net else { return "S I" }
    if reading.isAtRest { return "S S \(mass(net))" }
    return isStableOnly ? "S I" : "S D \(mass(net))"
  }

  /// A mass, right-aligned in ten characters, with the unit.
  static func mass(_ mass: DisplayedMass) -> String {
    let digits = mass.description
    return String(repeating: " ", count: max(0, 10 - digits.utf8.count)) + digits + " g"
  }

  /// The answers to `I0`.
  static var commands: [String] {
    let list = SICSCommand.list
    return list.enumerated().map { index, entry in
      "I0 \(index == list.count - 1 ? "A" : "B") \(entry.level) \"\(entry.name)\""
    }
  }

  /// The answer to `I1`: levels 0 and 1, and the version of each level, as the reference of 2009 counts them.
  static let levels = "I1 A \"01\" \"2.30\" \"2.20\" \"\" \"\""
}

extension Reading {
  /// Whether the net is that of a load at rest. An empty pad is at rest, too.
  var isAtRest: Bool { isStable || state == .empty }
}

/// What a scale tells of itself.
package struct SICSIdentity: Hashable, Sendable {
  /// The serial number: the id of the appliance, in printable ASCII without spaces and quotation marks.
  let serialNumber: String
  /// The capacity with as many decimals as the division.
  let capacity: String

  /// Describes a scale.
  package init(id: String, capacity: Grams, division: Division) {
    let safe = id.unicodeScalars.map { $0.value > 32 && $0.value < 127 && $0 != "\"" ? Character($0) : "_" }
    serialNumber = String(safe.prefix(64))
    self.capacity = DecimalText.fixed(capacity.value, decimals: division.decimals)
  }

  /// The answer to `@` and `I4`.
  var serialAnswer: String { "I4 A \"\(serialNumber)\"" }
  /// The answer to `I2`.
  var balanceAnswer: String { "I2 A \"Grampad \(serialNumber) \(capacity) g\"" }
  /// The answer to `I3`.
  var versionAnswer: String { "I3 A \"\(Version.text)\"" }
}
