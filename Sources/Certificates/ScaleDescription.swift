import Configuration
import Languages
import Linux
import Messages
import Weighing

/// The scale that a certificate is about, as printed in it.
package struct ScaleDescription: Sendable {
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
  package var fields: [(name: TextKey, value: Sentence)] {
    let device = configuration.device
    var fields: [(TextKey, Sentence)] = [
      (.testDevice, .verbatim("\(device.id), \(printable(device.name, limit: 128))"))
    ]
    if let pad {
      let place = path.map { ", \($0)" } ?? ""
      fields.append((.testPad, .verbatim("\(printable(pad.name, limit: 256)), \(Self.identity(of: pad))\(place)")))
      if !pad.unique.isEmpty { fields.append((.testSerial, .verbatim(printable(pad.unique, limit: 256)))) }
      fields.append((.testAxis, .verbatim(pad.range)))
    } else {
      fields.append((.testPad, Sentence(.testNotConnected)))
    }
    return fields + [
      (.testCalibration, calibration), (.testConfiguration, .verbatim(configuration.fingerprint)),
      (.testProgram, .verbatim("grampad \(Version.text)")),
    ]
  }

  private static func identity(of pad: CalibratedPad) -> String {
    [pad.id.bus, pad.id.vendor, pad.id.product, pad.id.version].map { HexadecimalText.fixed($0) }.joined(separator: ":")
  }

  private var calibration: Sentence {
    let points = configuration.calibration
    guard origin ?? (points.points.isEmpty ? nil : .user) == .user else {
      return origin.map { .verbatim($0.rawValue) } ?? Sentence(.testNotStated)
    }
    let (curve, count) = (points.curve.rawValue, points.points.count)
    guard let date = points.origin?.date else { return Sentence(.testUserCurve, count: count, ["curve": curve]) }
    return Sentence(.testUserCurveMade, count: count, ["curve": curve, "date": date])
  }
}
