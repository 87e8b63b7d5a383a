import EvdevInput
import Languages
import Linux
import Weighing

/// An entry for the list of known pads (`config/pads.yaml`) about a device of a user, without serial number and connector.
struct KnownPadDraft {
  private let pad: PadDescription
  private let measurement: PadMeasurement

  /// Drafts an entry; `nil` for a device that reports no pressure.
  init?(_ entry: DeviceSurvey.Entry) {
    guard let pad = entry.description, pad.hasPressure else { return nil }
    self.init(pad, measurement: entry.measurement ?? .unknown)
  }

  /// Drafts an entry about a pad and what is known about it.
  init(_ pad: PadDescription, measurement: PadMeasurement) { (self.pad, self.measurement) = (pad, measurement) }

  /// The entry in YAML, with the facts that decide in comments.
  var text: String {
    func id(_ number: UInt16) -> String { "0x" + HexadecimalText.fixed(number) }
    let reason = measurement.reason.map { ": \($0)" } ?? ""
    let ranges = [AxisCode.multitouchPressure, .pressure, .touchMajor].compactMap { code in
      pad.axes[code].map {
        "#   \(code.name) \($0.minimum)...\($0.maximum), fuzz \($0.fuzz), resolution \($0.resolution)\n"
      }
    }
    let properties = pad.properties.sorted().map(String.init).joined(separator: " ")
    return """
      # bus \(id(pad.id.bus)), version \(id(pad.id.version)), properties \(properties.isEmpty ? "none" : properties)
      \(ranges.joined())# Grampad says: \(measurement.quantity.rawValue)\(reason)
      - match: {name: \(quoted(pad.name)), vendor: \(id(pad.id.vendor)), product: \(id(pad.id.product))}
        measures: \(measurement.quantity.rawValue)  # what a known weight shows: force, area or unknown
        source: \(quoted("report of a user"))

      """
  }

  /// A string in YAML: JSON's form is one of YAML's.
  private func quoted(_ text: String) -> String {
    let plain = printable(text, limit: 200).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(plain)\""
  }
}
