import Configuration
import EventLoop
import Messages
import Weighing

/// The certificate of a self-test as plain text.
package struct Certificate: Sendable {
  /// The results.
  package var test: SelfTest
  /// The time of the test, RFC 3339 in UTC.
  package var date: String
  /// The mass used for the test.
  package var mass: Grams
  /// Conditions stated by the operator.
  package var conditions: String?
  /// The pad.
  package var pad: CalibratedPad
  /// The path of the pad.
  package var path: String
  /// The origin of the calibration.
  package var origin: Calibration.Origin
  /// The configuration used for the test.
  package var configuration: Configuration

  /// Makes a certificate of a test under a configuration.
  package init(
    _ test: SelfTest, of mass: Grams, on pad: CalibratedPad, path: String, origin: Calibration.Origin,
    configuration: Configuration, date: String, conditions: String?
  ) {
    self.test = test
    self.mass = mass
    self.pad = pad
    self.path = path
    self.origin = origin
    self.configuration = configuration
    self.date = date
    self.conditions = conditions
  }

  /// The text, with a newline at the end.
  package var text: String {
    let device = configuration.device
    var text = "GRAMPAD SELF-TEST CERTIFICATE\n\n"
    text += field("Date", date)
    text += field("Device", "\(device.id), \(printable(device.name, limit: 128))")
    text += field("Pad", "\(printable(pad.name, limit: 256)), \(identity), \(path)")
    if !pad.unique.isEmpty { text += field("Serial number", printable(pad.unique, limit: 256)) }
    text += field("Axis", "\(pad.range)")
    text += field("Calibration", calibration)
    text += field("Configuration", configuration.fingerprint)
    text += field("Program", "grampad \(Version.text)")
    text += field("Load", "\(numberText(mass.value)) g, applied \(test.loads.count) times")
    text += field("Creep", "observed for \(DecimalText.fixed(creepTime.seconds, decimals: 0)) s")
    text += field("Conditions", conditions.map { printable($0, limit: 400) } ?? "not stated")
    text += "\nResults of the \(test.loads.count) weighings, in grams:\n  "
    text += test.loads.map { DecimalText.fixed($0.value, decimals: 2) }.joined(separator: "  ")
    text += "\n  standard deviation \(DecimalText.fixed(test.deviation.value, decimals: 3)) g\n\n"
    text += "                           FOUND      LIMIT\n"
    text += result("Repeatability (range)", test.repeatability, test.limits.repeatability, test.isRepeatable)
    text += result("Zero return", test.zeroReturn, test.limits.zeroReturn, test.returnsToZero)
    text += result("Creep", test.creepReach, test.limits.creep, test.keepsStill)
    text += "\nOverall: \(test.passes ? "PASS" : "FAIL")\n\n"
    return text + """
      Limits of accuracy class III for a division of \(numberText(configuration.scale.division.value)) g (OIML R 76-1:2006), where
      the creep test takes 30 minutes. This is a check by the owner, not a verification by an authority.

      """
  }

  private var creepTime: Interval { test.creep.last?.after ?? .zero }

  private var identity: String {
    [pad.id.bus, pad.id.vendor, pad.id.product, pad.id.version].map { HexadecimalText.fixed($0) }.joined(separator: ":")
  }

  private var calibration: String {
    let points = configuration.calibration
    guard origin == .user else { return origin.rawValue }
    let date = points.origin?.date.map { ", made \($0)" } ?? ""
    return "user, \(points.curve.rawValue) through \(points.points.count) points\(date)"
  }

  private func field(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(16 - name.count, 1)) + value + "\n"
  }

  private func result(_ name: String, _ found: Grams, _ limit: Grams, _ passes: Bool) -> String {
    func grams(_ mass: Grams) -> String {
      let digits = DecimalText.fixed(mass.value, decimals: 2)
      return String(repeating: " ", count: max(7 - digits.count, 0)) + digits + " g"
    }
    return field(name, "").dropLast() + String(repeating: " ", count: max(23 - max(name.count + 1, 16), 0))
      + grams(found) + "  " + grams(limit) + "  " + (passes ? "pass" : "FAIL") + "\n"
  }
}
