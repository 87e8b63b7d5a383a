import Languages
import Weighing

extension ValueRule<ReferenceMass> {
  /// A mass in a file of series: a weight with class or certificate, `{coins: 2 EUR, count: 10}`,
  /// `{water_ml: 250, temperature_c: 20, tolerance_ml: 2}` or any mass with a tolerance.
  static var referenceMass: Self {
    ValueRule(reading: { node, reporter in
      var fields = ReferenceMassFields()
      var item = SectionReader(
        item: node,
        Sentence(
          .acceptsMass,
          [
            "nominal": "{nominal_g: ...}", "coins": "{coins: ..., count: ...}",
            "water": "{water_ml: ..., temperature_c: ...}",
          ]), reporter)
      item.read("name", .text(maximumBytes: 64), into: &fields.name)
      item.read("nominal_g", .grams(above: 0, through: Grams.maximum.value), into: &fields.nominal)
      item.read("value_g", .grams(above: 0, through: Grams.maximum.value), into: &fields.value)
      item.read("class", .oneOf(WeightClass.self), into: &fields.weightClass)
      item.read("certificate", .text(maximumBytes: 128), into: &fields.certificate)
      item.read("uncertainty_g", .grams(above: 0, through: 1000), into: &fields.uncertainty)
      item.read("k", .number(1...14), into: &fields.coverage)
      item.read("tolerance_g", .grams(above: 0, through: 1000), into: &fields.tolerance)
      item.read("coins", .coin, into: &fields.coin)
      item.read("count", .integer(1...1000), into: &fields.count)
      item.read("water_ml", .number(above: 0, through: Grams.maximum.value), into: &fields.millilitres)
      item.read("temperature_c", .number(0...40), into: &fields.celsius)
      item.read("tolerance_ml", .number(above: 0, through: 1000), into: &fields.toleranceMillilitres)
      guard let mass = fields.mass(&item) else {
        _ = item.finish()
        return nil
      }
      return item.finish() ? mass : nil
    })
  }
}

extension ValueRule<HouseholdMass.Coin> {
  fileprivate static var coin: Self {
    let expected = Sentence.oneOf(HouseholdMass.coins.map(\.name))
    return ValueRule(reading: { node, reporter in
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      return HouseholdMass.coins.first { $0.name == name }
        ?? reporter.reportUnexpected(
          node, expected: expected, suggestion: closest(to: name, in: HouseholdMass.coins.map(\.name)))
    })
  }
}

/// The keys of a mass.
private struct ReferenceMassFields {
  var name: String?
  var nominal: Grams?
  var value: Grams?
  var weightClass: WeightClass?
  var certificate: String?
  var uncertainty: Grams?
  var coverage = 2.0
  var tolerance: Grams?
  var coin: HouseholdMass.Coin?
  var count = 1
  var millilitres: Double?
  var celsius: Double?
  var toleranceMillilitres: Double?

  /// The mass; `nil` with a report if the keys contradict each other.
  func mass(_ item: inout SectionReader) -> ReferenceMass? {
    if let coin { return coins(coin) }
    if let millilitres { return water(millilitres, &item) }
    guard let nominal else {
      if item.isValid("nominal_g") { item.report("nominal_g", .seriesMassMissing) }
      return nil
    }
    let name = name ?? "\(numberText(nominal.value)) g"
    if let uncertainty {
      guard let certificate else {
        item.report("uncertainty_g", .seriesNeedsCertificate)
        return nil
      }
      return ReferenceMass(
        name: name, nominal: nominal, value: value,
        evidence: .certificate(number: certificate, expanded: uncertainty, coverage: coverage), weightClass: weightClass
      )
    }
    if value != nil {
      item.report("value_g", .seriesNeedsEvidence)
      return nil
    }
    if let weightClass {
      guard weightClass.maximumPermissibleError(of: nominal) != nil else {
        item.report(
          "class", .seriesNoSuchWeight, ["class": weightClass.rawValue, "mass": numberText(nominal.value)])
        return nil
      }
      return ReferenceMass(
        name: name, nominal: nominal, evidence: .weightClass(weightClass, certificate: certificate))
    }
    if certificate != nil {
      item.report("certificate", .seriesNeedsClass)
      return nil
    }
    return ReferenceMass(
      name: name, nominal: nominal,
      evidence: .nominal(tolerance: tolerance ?? Grams(nominal.value * HouseholdMass.kitchenTolerance)))
  }

  private func coins(_ coin: HouseholdMass.Coin) -> ReferenceMass {
    let nominal = Grams(coin.mass.value * Double(count))
    return ReferenceMass(
      name: name ?? (count == 1 ? coin.name : "\(count) x \(coin.name)"), nominal: nominal,
      evidence: .nominal(tolerance: tolerance ?? Grams(nominal.value * HouseholdMass.coinTolerance)))
  }

  private func water(_ millilitres: Double, _ item: inout SectionReader) -> ReferenceMass? {
    guard let celsius else {
      if item.isValid("temperature_c") { item.report("temperature_c", .seriesWaterTemperature) }
      return nil
    }
    // To a milligram: no household measure is better.
    func rounded(_ mass: Grams) -> Grams { Grams((mass.value * 1000).rounded() / 1000) }
    let mass = rounded(HouseholdMass.water(millilitres: millilitres, celsius: celsius))
    let tolerance =
      tolerance
      ?? toleranceMillilitres.map { rounded(HouseholdMass.water(millilitres: $0, celsius: celsius)) }
      ?? rounded(Grams(mass.value * HouseholdMass.kitchenTolerance))
    return ReferenceMass(
      name: name ?? "\(numberText(millilitres)) ml of water", nominal: mass, evidence: .nominal(tolerance: tolerance))
  }
}
