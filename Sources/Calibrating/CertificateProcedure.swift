import Languages
import Terminal
import Weighing

/// Measures what a certificate needs with the user: temperature, repeatability at two loads, eccentricity, errors up and
/// down, and creep. What has been measured already is skipped, and each result is saved at once, so that the procedure
/// can be continued.
///
/// Used by one thread.
package final class CertificateProcedure {
  private let session: MeasurementSession
  private let dialog: TerminalDialog
  private var texts: Texts { dialog.texts }
  private let capacity: Grams
  private let creepTime: Interval
  private let save: (CertificateMeasurements) throws -> Void
  private let loading: LoadingDialog
  private var measurements: CertificateMeasurements
  /// The last load, until the pad is empty again.
  private var last: LoadRest?

  /// Makes a procedure.
  ///
  /// - Parameters:
  ///   - measurements: The masses, and what has been measured already.
  ///   - creepTime: The duration of the creep test.
  ///   - save: Called after each result.
  package init(
    _ measurements: CertificateMeasurements, on session: MeasurementSession, creepTime: Interval,
    dialog: TerminalDialog = TerminalDialog(), save: @escaping (CertificateMeasurements) throws -> Void
  ) {
    (self.session, self.dialog, self.creepTime, self.save) = (session, dialog, creepTime, save)
    capacity = session.settings.scale.capacity
    loading = LoadingDialog(session, dialog: dialog)
    self.measurements = measurements
  }

  /// Performs what is missing.
  ///
  /// - Throws: `MeasurementError`, and errors of `save`.
  package func run() throws -> CertificateMeasurements {
    if measurements.masses.isEmpty { measurements.masses = try askForMasses() }
    let plan = try CertificatePlan(measurements.masses, capacity: capacity)
    if measurements.temperatures.isEmpty { try askForTemperature() }
    try measureRepeatability(plan.repeatability)
    try measureEccentricity(plan.eccentricity)
    try measureSteps(plan.steps)
    try measureCreep(plan.creep)
    if measurements.temperatures.count < 2 { try askForTemperature() }
    return measurements
  }

  // MARK: Questions

  private func askForMasses() throws(MeasurementError) -> [ReferenceMass] {
    dialog.say(texts(.certificateMasses))
    while true {
      let answer = dialog.ask("  " + texts(.certificateMassesAsk) + " ")
      guard let answer, answer != "q" else { throw .cancelled }
      if let masses = MassList.parse(answer), Set(masses).count >= 2 {
        return Set(masses).sorted().map { ReferenceMass(nominal: $0) }
      }
      dialog.say("  " + texts(.certificateMassesHint))
    }
  }

  private func askForTemperature() throws {
    while true {
      guard let answer = dialog.ask(texts(.certificateTemperature) + " "), answer != "q" else {
        throw MeasurementError.cancelled
      }
      let digits = answer.replacing(",", with: ".").filter { !"°Cc ".contains($0) }
      if let celsius = Double(digits), (-40...85).contains(celsius) {
        measurements.temperatures.append(celsius)
        return try save(measurements)
      }
      dialog.say("  " + texts(.certificateTemperatureHint))
    }
  }

  // MARK: Series

  private func measureRepeatability(_ loads: [TestLoad]) throws {
    for load in loads where !measurements.repeatability.contains(where: { $0.load == load }) {
      measurements.repeatability.append(.init(load: load))
    }
    for index in measurements.repeatability.indices {
      let load = measurements.repeatability[index].load
      let needed = CertificateMeasurements.leastIndications
      while measurements.repeatability[index].indications.count < needed {
        let number = measurements.repeatability[index].indications.count + 1
        dialog.say(texts(Sentence(.certificateRepeatability, ["load": load.name, "number": number, "count": needed])))
        let zero = try unload()
        let rest = try change(.certificatePutCentre, ["load": load.name], from: zero)
        measurements.repeatability[index].indications.append(indication(of: rest, above: zero))
        try save(measurements)
      }
    }
  }

  private func measureEccentricity(_ load: TestLoad) throws {
    var eccentricity = measurements.eccentricity ?? .init(load: load)
    for place in CertificatePlan.Place.all.dropFirst(eccentricity.placements.count) {
      let number = eccentricity.placements.count + 1
      dialog.say(
        texts(
          Sentence(.certificateEccentricity, ["number": number, "count": CertificatePlan.Place.all.count])))
      var zero = try unload()
      var rest = try change(place.instruction, ["load": eccentricity.load.name], from: zero)
      var attempts = 1
      // A pad that reports positions shows whether the load is where it should be.
      while let position = session.position, !place.contains(position), attempts < 3 {
        attempts += 1
        dialog.say(
          "  " + texts(.certificateAt, ["x": percent(position.x), "y": percent(position.y)]))
        zero = try unload()
        rest = try change(place.instruction, ["load": eccentricity.load.name], from: zero)
      }
      eccentricity.placements.append(
        .init(name: place.name, position: session.position.map(rounded), indication: indication(of: rest, above: zero)))
      measurements.eccentricity = eccentricity
      try save(measurements)
    }
  }

  /// Adds one mass after the other and takes them off again. A series that was interrupted begins again, because its
  /// hysteresis depends on all steps.
  private func measureSteps(_ loads: [TestLoad]) throws {
    guard measurements.steps.isEmpty || measurements.steps.contains(where: { $0.up == nil || $0.down == nil }) else {
      return
    }
    dialog.say(texts(.certificateErrors, ["count": "\(loads.count)"]))
    let zero = try unload()
    var steps = loads.map { CertificateMeasurements.Step(load: $0) }
    var before = zero
    for index in steps.indices {
      let added = steps[index].load.masses.last?.name ?? ""
      before = try change(
        .certificateAdd, ["mass": added, "total": total(steps[index].load)], from: before)
      steps[index].up = indication(of: before, above: zero)
    }
    if let top = steps.indices.last { steps[top].down = steps[top].up }
    for index in steps.indices.dropLast().reversed() {
      let removed = steps[index + 1].load.masses.last?.name ?? ""
      before = try change(
        .certificateTakeOff, ["mass": removed, "total": total(steps[index].load)], from: before)
      steps[index].down = indication(of: before, above: zero)
    }
    let end = try unload()
    measurements.steps =
      [.init(load: TestLoad([]), up: .zero, down: indication(of: end, above: zero))] + steps
    try save(measurements)
  }

  private func measureCreep(_ load: TestLoad) throws {
    guard measurements.creep == nil else { return }
    dialog.say(texts(.certificateCreep))
    let zero = try unload()
    let first = try change(.certificatePutCentre, ["load": load.name], from: zero)
    let samples = try loading.observe(first, for: creepTime) { [self] in indication(of: $0, above: zero) }
    _ = try unload()
    measurements.creep = .init(load: load, samples: samples)
    try save(measurements)
  }

  // MARK: Loads

  private func unload() throws(MeasurementError) -> LoadRest {
    let empty = try loading.unload(after: last)
    last = nil
    measurements.zeros.append(rounded(mass(empty)))
    return empty
  }

  private func change(
    _ instruction: TextKey, _ values: [String: String], from before: LoadRest
  ) throws(MeasurementError) -> LoadRest {
    let rest = try loading.change(texts(instruction, values), from: before)
    last = rest
    return rest
  }

  private func mass(_ rest: LoadRest) -> Grams { session.calibration?.mass(atCounts: rest.counts) ?? .zero }

  private func indication(of rest: LoadRest, above zero: LoadRest) -> Grams { rounded(mass(rest) - mass(zero)) }

  /// As the scale would indicate it with the resolution of the measurements, without digits of binary fractions.
  private func rounded(_ mass: Grams) -> Grams {
    let steps = (mass.value / measurements.resolution.value).rounded()
    return Grams(Double(DecimalText.trimmed(steps * measurements.resolution.value, decimals: 9)) ?? mass.value)
  }

  private func rounded(_ position: Position) -> Position {
    Position(x: (position.x * 100).rounded() / 100, y: (position.y * 100).rounded() / 100)
  }

  private func total(_ load: TestLoad) -> String { numberText(load.nominal.value) }

  private func percent(_ part: Double) -> String { DecimalText.fixed(part * 100, decimals: 0) }
}

extension ReferenceMass {
  /// A mass without any evidence.
  package init(nominal: Grams) {
    self.init(
      name: "\(numberText(nominal.value)) g", nominal: nominal,
      evidence: .nominal(tolerance: Grams(nominal.value * HouseholdMass.kitchenTolerance)))
  }
}
