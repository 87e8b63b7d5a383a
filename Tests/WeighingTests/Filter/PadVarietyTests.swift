import Recordings
import Testing
import Weighing

/// Other pads than the one of the requirements: other rates, other converters, other mechanics, slow hands.
@Suite struct PadVarietyTests {
  struct Pad: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The most that the median delay may be, in seconds.
    var delay = 0.45
    /// The most that a settled display may be off, in grams.
    var tolerance = 1.0
    var physics = PadPhysics.required

    init(
      _ name: String, delay: Double = 0.45, tolerance: Double = 1, _ change: (inout PadPhysics) -> Void = { _ in }
    ) {
      testDescription = name
      self.delay = delay
      self.tolerance = tolerance
      change(&physics)
    }
  }

  static let pads = [
    Pad("60 Hz") { $0.rate = 60 },
    Pad("250 Hz") { $0.rate = 250 },
    Pad("1000 Hz") { $0.rate = 1000 },
    Pad("no noise") { $0.noiseCounts = 0 },
    Pad("half a count of noise") { $0.noiseCounts = 0.5 },
    Pad("8 bits", tolerance: 2) {
      $0.axisMaximum = 255
      $0.noiseCounts = 0.4
    },
    Pad("8 silent bits", tolerance: 2) {
      $0.axisMaximum = 255
      $0.noiseCounts = 0
    },
    Pad("16 bits") {
      $0.axisMaximum = 65_535
      $0.noiseCounts = 50
    },
    Pad("with ringing, creep and hysteresis", delay: 0.6) { $0 = .typical },
  ]

  @Test(arguments: pads)
  func loadsSettle(_ pad: Pad) throws {
    var all: [Weighed] = []
    for (index, mass) in [5, 17, 42, 73, 99, 133, 187, 240, 301, 355, 380].enumerated() {
      for seed in 0..<2 {
        all.append(
          try Weighed(
            Double(mass), physics: pad.physics, settings: try pad.physics.calibrated(),
            seed: UInt64(index * 10 + seed + 1)))
      }
    }
    let delays = all.map(\.delay)
    let worst = all.map(\.displayedError).max() ?? 99
    #expect(worst <= pad.tolerance)
    #expect(all.map(\.worstStable).max() ?? 99 <= 3)
    #expect(delays.median <= pad.delay, "median \(delays.median) s, 95 % \(delays.quantile(0.95)) s")
  }

  /// A hand that takes its time, at either end of which the load hardly moves.
  @Test(arguments: [600, 900, 1200, 1600])
  func aSlowHandIsNotTakenForRest(_ hand: Int) throws {
    var early: [Double] = []
    var all: [Weighed] = []
    for (index, mass) in stride(from: 10, through: 370, by: 15).enumerated() {
      for seed in 0..<2 {
        let weighed = try Weighed(
          Double(mass), physics: .required, settings: try PadPhysics.required.calibrated(),
          seed: UInt64(index * 10 + seed + 1), hand: .milliseconds(hand))
        all.append(weighed)
        if !(weighed.worstStable <= 3) { early.append(Double(mass)) }
      }
    }
    let delays = all.map(\.delay)
    #expect(early.isEmpty)
    #expect(all.map(\.displayedError).max() ?? 99 <= 1)
    #expect(delays.median <= 0.45)
  }

  /// Somebody stirs in the cup: nothing rests until the spoon is out.
  @Test(arguments: [1.5, 2.5, 4])
  func stirringIsNotRest(_ frequency: Double) throws {
    var wrong: [String] = []
    for seed in 1...4 {
      var script = LoadScript()
      let cup = script.place(Grams(150), at: .milliseconds(100), speed: 0)
      script.stir(cup, at: .seconds(1.5), for: .seconds(3), amplitude: Grams(8), frequency: frequency)
      var scale = try SimulatedScale(
        .required, script, settings: try PadPhysics.required.calibrated(), seed: UInt64(seed))
      var unstable = 0.0
      while scale.now - scale.pad.start < .seconds(6) {
        _ = scale.step()
        let reading = scale.machine.reading
        if reading.state == .settling, scale.now - scale.pad.start > .seconds(1.5) { unstable += 0.008 }
        let error = ((reading.highResolution?.value ?? 0) - 150).magnitude
        if reading.isStable, error > 3 { wrong.append("\((scale.now - scale.pad.start).seconds) s: \(error) g") }
      }
      if !scale.machine.reading.isStable || unstable < 1 { wrong.append("unstable for \(unstable) s") }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }
}
