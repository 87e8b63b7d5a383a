import Configuration
import Languages
import Linux
import Weighing

/// The certificate of a self-test as plain text.
package struct SelfTestCertificate: Sendable {
  /// The results.
  package var test: SelfTest
  /// The time of the test, RFC 3339 in UTC.
  package var date: String
  /// The mass used for the test.
  package var mass: Grams
  /// Conditions stated by the operator.
  package var conditions: String?
  /// The scale.
  package var scale: ScaleDescription

  /// A known mass and what the scale read, with the maximum permitted error; `nil` if none was weighed.
  package var verification: (mass: Grams, reading: Grams, tolerance: Grams)?

  /// Makes a certificate of a test under a configuration.
  package init(
    _ test: SelfTest, of mass: Grams, on scale: ScaleDescription, date: String, conditions: String?
  ) {
    (self.test, self.mass, self.scale, self.date, self.conditions) = (test, mass, scale, date, conditions)
  }

  /// The text, with a newline at the end.
  package func text(_ texts: Texts) -> String {
    let head = TextTable.text(fields.map { [texts($0.name), texts($0.value)] })
    let readings = test.loads.map { DecimalText.fixed($0.value, decimals: 2) }.joined(separator: "  ")
    let deviation = DecimalText.fixed(test.deviation.value, decimals: 3)
    return """
      \(texts(.testTitle))

      \(head)
      \(texts(.testResults, ["count": "\(test.loads.count)"]))
        \(readings)
        \(texts(.testDeviation, ["mass": deviation]))

      \(TextTable.text([["", texts(.testFound), texts(.testLimit), ""]] + results(texts), rightAligned: [1, 2]))
      \(texts(test.passes ? .testOverallPass : .testOverallFail))

      \(texts(.testNote, ["division": numberText(scale.configuration.scale.division.step.value)]))
      \(texts(.testOwner))

      """
  }

  private var fields: [(name: TextKey, value: Sentence)] {
    var fields: [(name: TextKey, value: Sentence)] = [(.testDate, .verbatim(date))]
    fields += scale.fields
    fields.append(
      (.testLoad, Sentence(.testLoadApplied, ["mass": numberText(mass.value), "times": test.loads.count])))
    let seconds = DecimalText.fixed((test.creep.last?.after ?? .zero).seconds, decimals: 0)
    fields.append((.testCreep, Sentence(.testCreepObserved, ["seconds": seconds])))
    if let (mass, reading, tolerance) = verification {
      let error = (reading - mass).value
      fields.append(
        (
          .testVerification,
          Sentence(
            .testVerified,
            [
              "mass": numberText(mass.value), "reading": DecimalText.fixed(reading.value, decimals: 2),
              "error": (error > 0 ? "+" : "") + DecimalText.fixed(error, decimals: 2),
              "tolerance": numberText(tolerance.value),
              "verdict": Sentence(error.magnitude <= tolerance.value ? .testPass : .testFail),
            ])
        ))
    }
    let stated = conditions.map { Sentence.verbatim(printable($0, limit: 400)) }
    return fields + [(.testConditions, stated ?? Sentence(.testNotStated))]
  }

  private func results(_ texts: Texts) -> [[String]] {
    func row(_ name: TextKey, _ found: Grams, _ limit: Grams, _ passes: Bool) -> [String] {
      [texts(name), grams(found), grams(limit), texts(passes ? .testPass : .testFail)]
    }
    return [
      row(.testRepeatability, test.repeatability, test.limits.repeatability, test.isRepeatable),
      row(.testZeroReturn, test.zeroReturn, test.limits.zeroReturn, test.returnsToZero),
      row(.testCreep, test.creepReach, test.limits.creep, test.keepsStill),
    ]
  }

  private func grams(_ mass: Grams) -> String { DecimalText.fixed(mass.value, decimals: 2) + " g" }
}
