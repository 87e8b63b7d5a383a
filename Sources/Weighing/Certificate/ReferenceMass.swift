/// A mass that a scale is calibrated with, and what is known about it.
package struct ReferenceMass: Hashable, Sendable {
  /// What supports the value.
  package enum Evidence: Hashable, Sendable {
    /// A calibration certificate with the conventional mass, its expanded uncertainty and coverage factor.
    case certificate(number: String, expanded: Grams, coverage: Double)
    /// A weight within the maximum permissible error of its class, used with its nominal value; the certificate of the
    /// class, if there is one.
    case weightClass(WeightClass, certificate: String?)
    /// Nothing but a stated or assumed tolerance: nominal, not traceable.
    case nominal(tolerance: Grams)
  }

  /// Its name in the series: `100 g`, `10 x 2 EUR`.
  package var name: String
  /// Its nominal mass.
  package var nominal: Grams
  /// Its conventional mass.
  package var value: Grams
  /// What supports the value.
  package var evidence: Evidence
  /// The class of a weight with a certificate, if it has one.
  package var weightClass: WeightClass?

  /// Makes a mass; without `value`, the nominal mass is its value.
  package init(
    name: String, nominal: Grams, value: Grams? = nil, evidence: Evidence, weightClass: WeightClass? = nil
  ) {
    (self.name, self.nominal, self.value) = (name, nominal, value ?? nominal)
    self.evidence = evidence
    if case .weightClass(let own, _) = evidence { self.weightClass = own } else { self.weightClass = weightClass }
  }

  /// Whether its value can be traced to national standards.
  package var isTraceable: Bool {
    switch evidence {
    case .certificate: true
    case .weightClass(_, let certificate): certificate != nil
    case .nominal: false
    }
  }

  /// What supports the value, as text.
  package var evidenceText: String {
    func grams(_ mass: Grams) -> String { DecimalText.trimmed(mass.value, decimals: 6) + " g" }
    return switch evidence {
    case .certificate(let number, let expanded, let coverage):
      "certificate \(number), U = \(grams(expanded)) (k = \(DecimalText.trimmed(coverage, decimals: 2)))"
    case .weightClass(let own, let certificate?): "class \(own.rawValue), certificate \(certificate)"
    case .weightClass(let own, nil): "class \(own.rawValue), no certificate: nominal, not traceable"
    case .nominal(let tolerance): "tolerance \(grams(tolerance)): nominal, not traceable"
    }
  }

  private var permissibleError: Double { weightClass?.maximumPermissibleError(of: nominal)?.value ?? 0 }

  /// The standard uncertainty of its value: U/k of the certificate, otherwise that of a rectangular distribution within
  /// the tolerance (EURAMET cg-18, 7.1.2).
  package var valueUncertainty: Grams {
    switch evidence {
    case .certificate(_, let expanded, let coverage): Grams(expanded.value / coverage)
    case .weightClass: Grams(permissibleError / 3.squareRoot())
    case .nominal(let tolerance): Grams(tolerance.value / 3.squareRoot())
    }
  }

  /// The standard uncertainty from the drift since its calibration: a rectangular distribution within once its expanded
  /// uncertainty (EURAMET cg-18, 7.1.2, with k = 1). A tolerance includes the drift.
  package var driftUncertainty: Grams {
    guard case .certificate(_, let expanded, _) = evidence else { return .zero }
    return Grams(expanded.value / 3.squareRoot())
  }

  /// The standard uncertainty from air buoyancy without a measurement of the air density: a quarter of the maximum
  /// permissible error, and for a scale that was not adjusted directly before, a tenth of the density of air
  /// (EURAMET cg-18, 7.1.2).
  ///
  /// - Parameter isAdjusted: Whether the scale was adjusted directly before the measurement.
  package func buoyancyUncertainty(isAdjusted: Bool) -> Grams {
    let air = isAdjusted ? 0 : Self.airShare * nominal.value
    return Grams((air + permissibleError / 4) / 3.squareRoot())
  }

  /// A tenth of the density of air, 1.2 kg/m3, over the density of weights, 8000 kg/m3.
  static let airShare = 0.1 * 1.2 / 8000
}

/// One or several masses on the pad at once.
package struct TestLoad: Hashable, Sendable {
  /// The masses; none for the empty pad.
  package var masses: [ReferenceMass]

  /// Makes a load.
  package init(_ masses: [ReferenceMass]) { self.masses = masses }

  /// The names of the masses.
  package var name: String { masses.isEmpty ? "empty" : masses.map(\.name).joined(separator: " + ") }

  /// The sum of the nominal masses.
  package var nominal: Grams { masses.reduce(.zero) { $0 + $1.nominal } }

  /// The sum of the conventional masses.
  package var value: Grams { masses.reduce(.zero) { $0 + $1.value } }

  /// The sum of an uncertainty over the masses: those of masses used together are taken as correlated (EURAMET cg-18,
  /// 7.1.2).
  func sum(_ uncertainty: (ReferenceMass) -> Grams) -> Grams { masses.reduce(.zero) { $0 + uncertainty($1) } }
}
