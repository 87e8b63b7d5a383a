import Configuration
import EventLoop
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
  /// The scale.
  package var instrument: InstrumentDescription

  /// A known mass and what the scale read, with the maximum permitted error; `nil` if none was weighed.
  package var verification: (mass: Grams, reading: Grams, tolerance: Grams)?

  /// Makes a certificate of a test under a configuration.
  package init(
    _ test: SelfTest, of mass: Grams, on instrument: InstrumentDescription, date: String, conditions: String?
  ) {
    self.test = test
    self.mass = mass
    self.instrument = instrument
    self.date = date
    self.conditions = conditions
  }

  /// The text, with a newline at the end.
  package var text: String {
    var text = "GRAMPAD SELF-TEST CERTIFICATE\n\n"
    text += field("Date", date)
    for (name, value) in instrument.fields { text += field(name, value) }
    text += field("Load", "\(numberText(mass.value)) g, applied \(test.loads.count) times")
    text += field("Creep", "observed for \(DecimalText.fixed(creepTime.seconds, decimals: 0)) s")
    if let (mass, reading, tolerance) = verification {
      let error = (reading - mass).value
      text += field(
        "Verification",
        """
        \(numberText(mass.value)) g read \(DecimalText.fixed(reading.value, decimals: 2)) g: error \
        \(error > 0 ? "+" : "")\(DecimalText.fixed(error, decimals: 2)) g, tolerance \(numberText(tolerance.value)) g, \
        \(error.magnitude <= tolerance.value ? "pass" : "FAIL")
        """)
    }
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
      Limits of accuracy class III for a division of \(numberText(instrument.configuration.scale.division.value)) g (OIML R 76-1:2006), where
      the creep test takes 30 minutes. This is a check by the owner, not a verification by an authority.

      """
  }

  private var creepTime: Interval { test.creep.last?.after ?? .zero }

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
