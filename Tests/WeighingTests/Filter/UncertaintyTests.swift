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
}
