import Glibc
import Recordings
import Testing
import Weighing

@Suite struct SimulatedSensorTests {
  @Test func generatesThePublishedNumbers() {
    // The first outputs for this seed, from the reference implementation.
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test(arguments: [ForceCurve.linear, .power(0.6), .power(1.7), .divider(0.6), .divider(3)])
  func curveIsMonotoneAndInvertible(_ curve: ForceCurve) {
    var last = -1.0
    for force in stride(from: 0, through: 1, by: 1 / 256.0) {
      let counts = curve.counts(at: force)
      #expect(counts > last)
      #expect(abs(curve.force(at: counts) - force) < 1e-12)
      last = counts
    }
    #expect(abs(last - 1) < 1e-12)
    #expect(curve.counts(at: 0) == 0 && curve.counts(at: -1) == 0)
  }

  @Test(arguments: [PadPhysics.ideal, .typical, .poor])
  func knowsItsCalibrationPoints(_ physics: PadPhysics) {
    let points = physics.calibrationPoints(5, upTo: Grams(385))
    #expect(points.map(\.raw) == points.map(\.raw).sorted() && Set(points.map(\.raw)).count == 5)
    for point in points { #expect(abs(physics.counts(at: point.grams) - Double(point.raw.counts)) < 1e-9) }
    #expect(points[0].raw == .zero && points[0].grams == .zero && abs(points[4].grams.value - 385) < 1)
  }

  @Test(arguments: [0.5, 1.5, 4])
  func noiseIsAsAsked(_ counts: Double) throws {
    var physics = PadPhysics.ideal
    physics.noiseCounts = counts
    var loads = try SimulatedLoads(physics, .one(200))
    _ = loads.raw(at: 2)
    let values = (0..<20_000).map { _ in Double(loads.next()) }
    let mean = values.reduce(0, +) / 20_000
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    #expect(abs(mean - physics.counts(at: Grams(200))) < 4 * counts / 20_000.0.squareRoot())
    // Rounding adds a twelfth; five standard errors of a variance are 5 %.
    #expect(abs(variance / (counts * counts + 1 / 12.0) - 1) < 0.05)
  }

  /// 5 % a decade of time, within a tenth, and the way back when most of the load goes.
  @Test func creepsWithTheLogarithmOfTime() throws {
    var physics = SimulatedLoads.fine
    physics.creepPerDecade = 0.05
    var script = LoadScript()
    let thing = script.place(Grams(200), at: .seconds(1))
    script.add(Grams(-180), to: thing, at: .seconds(1001))
    var loads = try SimulatedLoads(physics, script)
    let grams = [1.3, 4, 31, 301].map { physics.force(at: Double(loads.raw(at: $0))).value }
    for (before, after) in zip(grams, grams.dropFirst()) { #expect(abs((after - before) / 200 - 0.05) < 0.008) }
    let falling = [1002, 1004, 1031].map { physics.force(at: Double(loads.raw(at: $0))).value }
    #expect(falling[0] > falling[1] && falling[1] > falling[2] && falling[2] > 20)
  }

  /// 10 % more on the way down at the same force, and never a reading that rises while the load falls.
  @Test func readsMoreWhileTheLoadFalls() throws {
    var physics = SimulatedLoads.fine
    physics.hysteresis = 0.1
    var script = LoadScript()
    let thing = script.place(Grams(10), at: .seconds(0))
    script.add(Grams(190), to: thing, at: .seconds(1), over: .seconds(5))
    script.add(Grams(200), to: thing, at: .seconds(10), over: .seconds(5))
    script.add(Grams(-300), to: thing, at: .seconds(20), over: .seconds(20))
    var loads = try SimulatedLoads(physics, script)
    let rising = loads.raw(at: 8)
    #expect(rising == Int(physics.counts(at: Grams(200)).rounded()))
    _ = loads.raw(at: 20)
    var last = Int.max
    while loads.pad.truth(at: loads.now) > Grams(200) {
      let raw = loads.next()
      #expect(raw <= last)
      last = raw
    }
    #expect(abs(Double(last) / Double(rising) - 1.0851) < 0.002, "1 - exp(-200/105) of the way to the branch")
  }

  /// The textbook's step response: it overshoots by exp(-pi z / sqrt(1 - z^2)) half a period after the step.
  @Test(arguments: [0.1, 0.35, 0.7, 1.0, 1.5])
  func overshootsAsItsDampingSays(_ damping: Double) throws {
    var physics = SimulatedLoads.fine
    physics.resonance = 10
    physics.damping = damping
    physics.rate = 1000
    var script = LoadScript()
    script.place(Grams(100), at: .seconds(1), over: .zero, speed: 0)
    var loads = try SimulatedLoads(physics, script)
    _ = loads.raw(at: 0.9)
    let swing = (0..<400).map { _ in physics.force(at: Double(loads.next())).value }
    let share = max(1 - damping * damping, 0).squareRoot()
    let overshoot = share > 0 ? 100 * exp(-Double.pi * damping / share) : 0
    #expect(abs((swing.max() ?? 0) - 100 - overshoot) < 0.5)
    #expect(abs(swing[399] - 100) < (damping < 0.2 ? 16 : 0.1))
    if overshoot > 1, let peak = swing.firstIndex(of: swing.max() ?? 0) {
      #expect(abs(Double(peak) - 98 - 50 / share) <= 1, "milliseconds, the step at the 98th")
    }
  }

  @Test func ringsAndComesToRest() throws {
    var physics = SimulatedLoads.fine
    physics.resonance = 10
    physics.damping = 0.1
    physics.rate = 1000
    var loads = try SimulatedLoads(physics, .one(100))
    _ = loads.raw(at: 1.2)
    var values: [Double] = []
    while loads.pad.restsSince == nil { values.append(physics.force(at: Double(loads.next())).value) }
    #expect((values.max() ?? 0) > 101 && (values.min() ?? 100) < 99)
    let rest = try #require(loads.pad.restsSince).nanoseconds
    // The blow of 12.8 g dies away with e to the -6.28 t: 0.5 g after half a second, later with the letting go.
    #expect((1_300_000_000...2_000_000_000).contains(rest))
    for _ in 0..<1000 { #expect(abs(physics.force(at: Double(loads.next())).value - 100) <= 0.51) }
    #expect(loads.pad.restsSince?.nanoseconds == rest)
  }

  @Test func clipsAtTheAxisMaximum() throws {
    var loads = try SimulatedLoads(.typical, .one(500))
    #expect(loads.raw(at: 3) == 1023)
    #expect(loads.frame.contacts.map(\.isAtMaximum) == [true])
    for _ in 0..<1000 { #expect(loads.next() <= 1023) }
  }
}

extension PadPhysics {
  /// A force-sensing resistor under a loose plate, at the limits of its data sheet.
  ///
  /// Creep 5 % a decade ("long term drift < 5 % log10(time)") and hysteresis 10 % ("+10 % average (RF+ - RF-)/RF+"):
  /// Interlink Electronics, "FSR 400 Series Data Sheet", device characteristics. Tekscan's FlexiForce A201 is between
  /// the two, with drift < 5 % a decade and hysteresis < 4.5 % (its data sheet, typical performance). Noise 4 counts,
  /// ringing at 9 Hz with a damping of 0.1, and k = 3: chosen, to be worse than any real pad should be.
  static let poor = {
    var physics = PadPhysics()
    physics.curve = .divider(3)
    physics.noiseCounts = 4
    physics.creepPerDecade = 0.05
    physics.hysteresis = 0.1
    physics.resonance = 9
    physics.damping = 0.1
    return physics
  }()
}
