import Testing
import Weighing

/// `uncertainty_g` is what it says: the load is within twice of it in at least 93 % of the settled readings, and the
/// uncertainty is at most half again as large as it has to be for that.
@Suite struct UncertaintyTests {
  @Test(arguments: CellNoise.Kind.allCases, [(11.0, 0.01), (50, 0.01), (11, 0.1), (50, 0.1)])
  func theLoadIsWithinTwiceTheUncertainty(_ kind: CellNoise.Kind, _ pad: (rate: Double, division: Double)) throws {
    for isConverter in [true, false] {
      var inside = 0
      var errors: [Double] = []
      var uncertainties: [Double] = []
      for seed in 1...6 as ClosedRange<UInt64> {
        var scale = try CellScale(
          kind, rate: pad.rate, division: pad.division, isConverter: isConverter, seed: seed)
        scale.hold(5, for: 4)
        for step in 1...4 {
          let load = Double(step) * 21 + Double(seed) * 0.137
          scale.hold(5 + load, for: 10) { scale in
            guard scale.reading.isStable, let uncertainty = scale.reading.uncertainty?.value else { return }
            let error = ((scale.reading.net?.mass.value ?? .infinity) - load).magnitude
            guard error < 1 else { return }
            if error <= 2 * uncertainty { inside += 1 }
            errors.append(error)
            uncertainties.append(uncertainty)
          }
        }
      }
      let share = Double(inside) / Double(errors.count)
      let needed = errors.quantile(0.95) / 2
      #expect(share >= 0.93, "\(share)")
      #expect(uncertainties.median <= 1.5 * needed, "\(uncertainties.median) of \(needed)")
    }
  }

  /// A wrong sample of any size is no noise and no wander of the load.
  @Test(arguments: [3.0, -30, 1e6]) func aWrongSampleLeavesTheUncertainty(_ size: Double) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var scale = try CellScale(seed: seed)
      scale.hold(5, for: 4)
      scale.hold(105, for: 20)
      let before = try #require(scale.reading.uncertainty).value
      scale.sample(105, off: size)
      scale.hold(105, for: 10)
      let after = try #require(scale.reading.uncertainty).value
      #expect(after < 1.5 * before, "\(after) after \(before)")
    }
  }

  /// Another cell on the same scale has its own noise.
  @Test func anotherPadStartsWithoutWhatWasLearned() throws {
    func uncertainty(after noise: Double) throws -> Double {
      var scale = try CellScale()
      scale.noise = noise
      scale.hold(5, for: 4)
      scale.hold(105, for: 30)
      scale.replug()
      scale.noise = 0.02
      scale.hold(105, for: 8)
      return try #require(scale.reading.uncertainty).value
    }
    #expect(try uncertainty(after: 0.15) < 1.5 * uncertainty(after: 0.02))
  }
}
