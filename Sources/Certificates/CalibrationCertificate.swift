import Languages
import Linux
import Weighing

/// A calibration certificate after EURAMET cg-18 v4.0: its content in sections, from which the text and the HTML page are
/// written.
package struct CalibrationCertificate: Sendable {
  let results: CertificateResults
  let scale: ScaleDescription

  /// Makes a certificate of results.
  package init(_ results: CertificateResults, of scale: ScaleDescription) {
    (self.results, self.scale) = (results, scale)
  }

  static let title = "Calibration certificate"

  var measurements: CertificateMeasurements { results.measurements }

  /// What the certificate is, and what it is not.
  var statement: String {
    let trace =
      results.isTraceable
      ? "All reference masses have a certificate."
      : "Not all reference masses have a certificate: the results are nominal, not traceable to national standards."
    return """
      Evaluated after EURAMET Calibration Guide No. 18, version 4.0 (11/2015), by the owner of the scale. \(trace) This is not \
      a certificate of an accredited laboratory and not a verification by an authority.
      """
  }

  /// The sections in order.
  var sections: [CertificateSection] {
    [
      scaleSection, conditionsSection, massSection, errorSection, repeatabilitySection, eccentricitySection,
      stabilitySection, budgetSection, useSection, minimumWeightSection, seriesSection,
    ]
  }

  // MARK: Head

  private var scaleSection: CertificateSection {
    CertificateSection(
      title: "Scale",
      fields: scale.fields.map { [Texts.english($0.name), $0.value.description] } + [
        ["Capacity", grams(results.capacity)], ["Division", grams(results.division)],
        ["Resolution", "\(grams(measurements.resolution)) in this certificate"],
      ])
  }

  private var conditionsSection: CertificateSection {
    let temperatures = measurements.temperatures.map { "\(DecimalText.fixed($0, decimals: 1)) °C" }
    return CertificateSection(
      title: "Conditions",
      fields: [
        ["Date", measurements.date ?? "not stated"],
        ["Temperature", temperatures.joined(separator: ", ") + ", as entered by the operator"],
        ["Conditions", measurements.conditions.map { printable($0, limit: 400) } ?? "not stated"],
        [
          "Adjusted",
          measurements.isAdjusted ? "directly before the measurements" : "not directly before the measurements",
        ],
      ])
  }

  private var massSection: CertificateSection {
    CertificateSection(
      title: "Reference masses",
      tables: [
        table(
          ["Mass", "Value in g", "Evidence"],
          measurements.masses.map {
            [
              printable($0.name, limit: 64), DecimalText.trimmed($0.value.value, decimals: 6),
              printable($0.evidenceText, limit: 200),
            ]
          }, text: [0, 2])
      ], notes: ["Values are conventional masses (OIML D 28)."])
  }

  // MARK: Tests

  private var errorSection: CertificateSection {
    CertificateSection(
      title: "Errors of indication", drawing: CertificateDrawing(results).svg,
      tables: [
        table(
          ["Load", "Reference", "Up", "Down", "Error up", "Error down", "U", "k"],
          results.errors.map { error in
            [
              printable(error.load.name, limit: 40), DecimalText.trimmed(error.load.value.value, decimals: 6),
              indication(error.up), indication(error.down), signed(error.errorUp), signed(error.errorDown),
              uncertainty(error.budget.expanded), DecimalText.fixed(error.budget.coverage, decimals: 2),
            ]
          })
      ],
      notes: [
        """
        In grams. The error is the indication less the reference value. U is the expanded uncertainty for a coverage \
        probability of about 95 %.
        """
      ])
  }

  private var repeatabilitySection: CertificateSection {
    CertificateSection(
      title: "Repeatability",
      tables: [
        table(
          ["Load", "Indications", "Standard deviation in g"],
          zip(measurements.repeatability, results.tests.repeatability).map { series, result in
            [printable(series.load.name, limit: 40), String(series.indications.count), uncertainty(result.deviation)]
          })
      ])
  }

  private var eccentricitySection: CertificateSection {
    guard let eccentricity = measurements.eccentricity else { return CertificateSection(title: "Eccentricity") }
    return CertificateSection(
      title: "Eccentricity with \(printable(eccentricity.load.name, limit: 40))",
      tables: [
        table(
          ["Position", "x", "y", "Indication", "Difference"],
          eccentricity.placements.map { placement in
            [
              printable(placement.name, limit: 40),
              placement.position.map { DecimalText.fixed($0.x, decimals: 2) } ?? "-",
              placement.position.map { DecimalText.fixed($0.y, decimals: 2) } ?? "-", indication(placement.indication),
              signed(eccentricity.difference(of: placement)),
            ]
          })
      ],
      notes: [
        """
        Largest difference from the centre: \(uncertainty(eccentricity.largestDifference)) g. x and y are reported by the pad, \
        as fractions of its width and height.
        """
      ])
  }

  private var stabilitySection: CertificateSection {
    let hysteresis = results.errors.compactMap { error in error.hysteresis.map { (error.load, $0) } }
      .max { $0.1.magnitude < $1.1.magnitude }
    return CertificateSection(
      title: "Zero return, creep and hysteresis",
      fields: [
        [
          "Zero return",
          "\(uncertainty(results.zeroReturn)) g in \(measurements.zeros.count) indications of the empty pad",
        ],
        [
          "Creep",
          measurements.creep.map { creep in
            let seconds = DecimalText.fixed(creep.samples.last?.after.seconds ?? 0, decimals: 0)
            return "\(uncertainty(creep.change)) g in \(seconds) s under \(printable(creep.load.name, limit: 40))"
          } ?? "not measured",
        ],
        [
          "Hysteresis",
          hysteresis.map { "\(signed($0.1)) g at \(printable($0.0.name, limit: 60)), down less up" } ?? "not measured",
        ],
      ])
  }

  // MARK: Formats

  func table(_ head: [String], _ rows: [[String]], text: Set<Int> = [0]) -> CertificateSection.Table {
    .init(head: head, rows: rows, rightAligned: Set(head.indices).subtracting(text))
  }

  func grams(_ mass: Grams) -> String { "\(DecimalText.trimmed(mass.value, decimals: 6)) g" }

  /// An indication with the decimals of the resolution.
  func indication(_ mass: Grams?) -> String {
    mass.map { DecimalText.fixed($0.value, decimals: resolutionDecimals) } ?? "-"
  }

  /// An error with its sign.
  func signed(_ mass: Grams?) -> String {
    guard let mass else { return "-" }
    let digits = DecimalText.fixed(mass.value, decimals: max(resolutionDecimals, 2))
    return digits.hasPrefix("-") || !digits.contains(where: { ("1"..."9").contains($0) }) ? digits : "+" + digits
  }

  /// An uncertainty with two significant digits (EURAMET cg-18, 7.3).
  func uncertainty(_ mass: Grams) -> String { DecimalText.significant(mass.value, digits: 2) }

  private var resolutionDecimals: Int {
    let text = DecimalText.trimmed(measurements.resolution.value, decimals: 9)
    return text.split(separator: ".").dropFirst().first?.count ?? 0
  }
}
