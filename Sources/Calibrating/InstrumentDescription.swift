import Configuration
import EventLoop
import Messages
import Weighing

/// The scale that a certificate is about, as printed in it.
package struct InstrumentDescription: Sendable {
  /// The configuration used for the test.
  package var configuration: Configuration
  private let pad: CalibratedPad?
  private let path: String?
  private let origin: Calibration.Origin?

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - pad: The pad; `nil` if it is not connected.
  ///   - path: Its path.
  ///   - origin: The origin of the calibration; `nil` if it is not known without the pad.
  package init(
    _ configuration: Configuration, pad: CalibratedPad?, path: String? = nil, origin: Calibration.Origin? = nil
  ) {
    (self.configuration, self.pad, self.path, self.origin) = (configuration, pad, path, origin)
  }

  /// Names and values, each on one line.
  package var fields: [(name: String, value: String)] {
    let device = configuration.device
    var fields = [("Device", "\(device.id), \(printable(device.name, limit: 128))")]
    if let pad {
      let place = path.map { ", \($0)" } ?? ""
      fields.append(("Pad", "\(printable(pad.name, limit: 256)), \(Self.identity(of: pad))\(place)"))
      if !pad.unique.isEmpty { fields.append(("Serial number", printable(pad.unique, limit: 256))) }
      fields.append(("Axis", pad.range))
    } else {
      fields.append(("Pad", "not connected"))
    }
    return fields + [
      ("Calibration", calibration), ("Configuration", configuration.fingerprint),
      ("Program", "grampad \(Version.text)"),
    ]
  }

  private static func identity(of pad: CalibratedPad) -> String {
    [pad.id.bus, pad.id.vendor, pad.id.product, pad.id.version].map { HexadecimalText.fixed($0) }.joined(separator: ":")
  }

  private var calibration: String {
    let points = configuration.calibration
    guard origin ?? (points.points.isEmpty ? nil : .user) == .user else { return origin?.rawValue ?? "not stated" }
    let date = points.origin?.date.map { ", made \($0)" } ?? ""
    return "user, \(points.curve.rawValue) through \(points.points.count) points\(date)"
  }
}
