import Recordings
import Testing
import Weighing

/// A guided calibration of a fresh load cell: what the empty steps have measured is its zero, whatever lies on it afterwards.
@Suite struct CellCalibrationTests {
  /// Masses of which the first one is above or below a fifth of the capacity, and which reach most of the capacity.
  private static func masses(_ random: inout SplitMix64, isFirstLight: Bool) -> [Double] {
    let first = isFirstLight ? 20 + 70 * random.unit() : 110 + 60 * random.unit()
    let more = (0..<Int(1 + 3 * random.unit())).map { _ in 200 + 150 * random.unit() }
    let masses = [first] + more + [400 + 90 * random.unit()]
    return Set(masses.map { ($0 / 25).rounded() * 25 }.map { max($0, 25) }).sorted()
  }

  /// What lies on the plate when the calibration is put in force.
  enum Last: CaseIterable {
    case mass, nothing, another
  }

  /// Random cells, masses and loads.
  @Test(arguments: Last.allCases, [true, false])
  func theEmptyPlateIsZero(_ last: Last, isFirstLight: Bool) throws {
    for seed in UInt64(1)...20 {
      var random = SplitMix64(seed: seed)
      let masses = Self.masses(&random, isFirstLight: isFirstLight)
      var cell = CellCalibration(masses: masses, seed: seed)
      try cell.measureAll()
      switch last {
      case .mass: #expect(cell.load == masses[0])
      case .nothing: cell.put(0)
      case .another: cell.put(10 + 480 * random.unit())
      }
      let settings = try cell.calibrated()
      cell.apply(settings)
      cell.run(4)
      cell.showsTheTruth("applied, seed \(seed), masses \(masses)")
      for _ in 1...2 {
        cell.put(10 + 480 * random.unit())
        cell.showsTheTruth("another load, seed \(seed), masses \(masses)")
      }
      // Whatever lies there at the next start, also of an appliance that did not run during the calibration.
      for keepsState in [true, false] {
        cell.restart(settings, keepsState: keepsState)
        cell.showsTheTruth("restarted with state: \(keepsState), seed \(seed), masses \(masses)")
      }
      cell.put(0)
      cell.showsTheTruth("empty, seed \(seed), masses \(masses)")
    }
  }

  /// The settings of the image and the masses that the page suggests, on cells for 1 to 20 kg.
  @Test(arguments: [1540, 308, 77]) func aLightMassIsNoticedOnAnyCell(_ sensitivity: Double) throws {
    var cell = CellCalibration(
      masses: [20, 50, 100, 200], seed: 36, sensitivity: sensitivity, settings: ScaleSettings())
    try cell.measureAll()
    cell.apply(try cell.calibrated())
    cell.put(150)
    let error = (cell.reading.highResolution?.value ?? .infinity) - 150
    #expect(error.magnitude < 1)
  }

  /// What is on the plate already is not the next mass, even if it drifts.
  @Test func driftIsNotTheNextMass() throws {
    var cell = CellCalibration(masses: [20, 200], seed: 36, sensitivity: 1540, settings: ScaleSettings())
    try cell.measure(0)
    #expect(cell.session.procedure.index == 1)
    try cell.measure(0.3)
    #expect(cell.session.procedure.index == 1)
    try cell.measure(20)
    #expect(cell.session.procedure.index == 2)
  }

  /// A calibration that was made while the appliance did not run replaces the stored plate; an older one, or the same, does not.
  @Test(arguments: UInt64(1)...20) func aCalibrationOfAStoppedScaleCounts(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var cell = CellCalibration(masses: [50, 200, 400], seed: seed)
    try cell.measureAll()
    var settings = try cell.calibrated(on: "2026-11-27T18:00:00.000Z")
    cell.apply(settings)
    cell.put(0)
    let offset = (0.2 + random.unit()) * 30 * cell.countsPerGram
    for (date, isNewer) in [
      ("2026-11-27T18:00:00.000Z", false), ("2026-11-26T18:00:00.000Z", false), ("2026-11-28", true),
    ] {
      cell.put(400 * random.unit())
      let stored = try #require(cell.scale.plateCounts)
      settings.curveZero = CalibratedZero(counts: stored + offset, date: date)
      cell.restart(settings, keepsState: true)
      let plate = try #require(cell.scale.plateCounts)
      #expect((plate - stored - (isNewer ? offset : 0)).magnitude < 0.1 * cell.countsPerGram, "seed \(seed), \(date)")
    }
  }

  /// Without a measurement of the empty plate, it is where the curve reads zero.
  @Test func aPlateThatWasNotMeasuredIsTheZeroOfTheCurve() throws {
    var cell = CellCalibration(masses: [50, 100, 200, 400], seed: 1)
    try cell.measureAll { $0.mass == .zero }
    cell.apply(try cell.calibrated())
    cell.run(4)
    let found = try #require(cell.scale.plateCounts)
    #expect((found - cell.empty).magnitude < 0.5 * cell.countsPerGram)
    #expect((cell.reading.gross.mass.value - 50).magnitude < 0.5)
  }

  /// Undone, the scale returns to what it was; an older calibration says nothing about the plate of today.
  @Test func undoingKeepsTheZero() throws {
    var cell = CellCalibration(masses: [50, 200, 400], seed: 2)
    try cell.measureAll()
    let settings = try cell.calibrated()
    cell.apply(settings)
    cell.put(0)
    let plate = try #require(cell.scale.plateCounts)
    var older = settings
    older.curveZero = CalibratedZero(counts: plate - 5 * cell.countsPerGram, date: "2026-10-01T00:00:00.000Z")
    cell.apply(older)
    cell.run(2)
    cell.showsTheTruth("the older one")
    var bare = settings
    (bare.curve, bare.curveZero) = (nil, nil)
    cell.apply(bare)
    cell.run(2)
    #expect(cell.reading.state == .offline)
    cell.put(123.4)
    cell.apply(settings)
    cell.run(4)
    cell.showsTheTruth("applied again")
  }

  /// Points that were typed say nothing about the plate: the first load at rest is zero.
  @Test func typedPointsLearnThePlate() throws {
    var cell = CellCalibration(masses: [50, 200, 400], seed: 3)
    try cell.measureAll()
    var settings = try cell.calibrated()
    settings.curveZero = nil
    cell.put(20)
    cell.apply(settings)
    cell.run(4)
    #expect(cell.reading.printable == "0.0 g")
  }

  /// A bare pad rests at nothing, whatever its calibration says.
  @Test func aBarePadHasNoPlate() throws {
    var bench = try CalibrationBench()
    bench.measureAll()
    var settings = bench.scale.settings
    settings.curve = try #require(bench.session.applicable(acceptingDoubt: false)).choice.curve
    settings.curveZero = CalibratedZero(counts: 100, date: nil)
    var scale = bench.scale
    let effects = scale.handle(.settings(settings), at: bench.now)
    #expect(scale.plateCounts == nil && !effects.events.contains { if case .zeroed = $0 { true } else { false } })
  }

  // MARK: Before

  /// A converter without points shows no grams, whatever lies on it, and says why.
  @Test(arguments: UInt64(1)...10) func aFreshCellShowsNoGrams(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var cell = CellCalibration(masses: [50, 200, 400], seed: seed)
    for _ in 1...6 { cell.put(500 * random.unit(), for: 1 + 5 * random.unit()) }
    for action in [Action.tare, .zero, .commit] { cell.ask(action) }
    cell.run(4)
    let readings = cell.effects.live + cell.effects.readings
    #expect(!readings.isEmpty)
    for reading in readings + [cell.reading] {
      #expect(reading.state == .offline && reading.net == nil && reading.highResolution == nil && reading.flow == nil)
      #expect(reading.printable == "-- g" && !reading.isStable && reading.uncertainty == nil)
    }
    #expect(cell.reading.calibration == .nominal && cell.reading.force > 0.4 && cell.reading.raw > .zero)
    let warnings = cell.effects.compactMap { if case .padWarning(let warning, _) = $0 { warning } else { nil } }
    #expect(warnings == [.notCalibrated])
    #expect(cell.effects.results.map(\.rejection) == [.padMissing, .padMissing, .padMissing])
    #expect(cell.effects.results.allSatisfy { $0.detail == .loadCellNotCalibrated })
    #expect(cell.scale.plateCounts == nil && cell.scale.isAtRest)
    #expect(!cell.effects.contains { if case .sampling = $0 { true } else { false } }, "its noise is in grams")
  }

  /// The driver's unit is a calibration; pads that read nothing when empty keep the nominal one.
  @Test func whatElseHasNoPointsWeighs() throws {
    for (resolution, isConverter) in [(10, true), (10, false), (0, false)] {
      var scale = HandFedScale(
        pad: PadDescription(
          name: "pad", axes: [.pressure: AxisRange(minimum: 0, maximum: 4000, resolution: Int32(resolution))],
          keys: [.touch], deliversEverySample: isConverter))
      scale.hold(500, for: .seconds(2))
      #expect(scale.reading.net != nil, "\(resolution), \(isConverter)")
    }
  }
}
