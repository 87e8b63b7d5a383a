import Recordings
import Testing
import Weighing

/// A pad that is too noisy for a load to come to rest says so with the figures; a hand that moves the load is no noise.
@Suite struct NoisyPadTests {
  private func warnings(_ effects: [Effect]) -> [(warning: PadWarning?, time: Instant)] {
    effects.compactMap { if case .padWarning(let warning, let time) = $0 { (warning, time) } else { nil } }
  }

  private func reports(_ effects: [Effect]) -> [SamplingReport] {
    effects.compactMap { if case .sampling(let report, _) = $0 { report } else { nil } }
  }

  /// A load cell whose converter delivers `rate` samples a second; `noise` is a multiple of the motion limit.
  private func cell(rate: Double, noise: Double, correlation: Double = 0, seed: UInt64) throws -> LoadCell {
    var cell = try LoadCell(division: 0.1, motion: 0.2, seed: seed, deliversEverySample: true)
    let period = 1 / rate
    cell.period = .seconds(period * 0.95)...Interval.seconds(period * 1.05)
    cell.noise = 0.2 * noise
    cell.correlation = correlation
    return cell
  }

  /// From the start, and when a pad that was quiet has become noisy.
  @Test(arguments: [10.0, 40, 80], [false, true])
  func noiseThatLetsNothingRestIsAWarning(_ rate: Double, _ wasQuiet: Bool) throws {
    var (count, soon) = (0, 0)
    for seed in UInt64(1)...10 {
      // The more samples, the more noise is averaged away within 10 s.
      let noise = 8 * (rate / 10).squareRoot()
      var cell = try cell(rate: rate, noise: wasQuiet ? 0.1 : noise, correlation: 0.3, seed: seed)
      if wasQuiet {
        cell.rest(100, for: 20)
        #expect(cell.scale.reading.isStable)
        cell.noise = 0.2 * noise
        cell.rest(100, for: 2)
      }
      _ = cell.scale.take()
      let start = cell.scale.now
      let samples = cell.rest(100, for: wasQuiet ? 70 : 40)
      let effects = cell.scale.take()
      guard samples.stableShare == 0 else { continue }
      count += 1
      let found = warnings(effects)
      #expect(found.map(\.warning) == [.tooNoisy], "seed \(seed)")
      let after = found.first.map { ($0.time - start).seconds } ?? 0
      // Much more noise than before may be a hand. A tenth of the blocks of noise does not look like it.
      #expect(after > (wasQuiet ? 20 : 9.9) && after < (wasQuiet ? 70 : 33), "seed \(seed): \(after)")
      if after < (wasQuiet ? 35 : 14) { soon += 1 }
      let report = try #require(reports(effects).last)
      #expect((report.sampling.rate / rate - 1).magnitude < 0.1)
      #expect((report.sampling.noise.value / cell.noise - 1).magnitude < 0.5, "seed \(seed): \(report)")
      cell.noise = 0.005
      cell.rest(100, for: 30)
      #expect(cell.scale.reading.isStable && warnings(cell.scale.take()).last.map { $0.warning == nil } ?? false)
    }
    #expect(count >= 5 && soon * 3 >= count * 2)
  }

  /// `health` has the figures before that, too.
  @Test func theFiguresComeWithoutRest() throws {
    var cell = try cell(rate: 10, noise: 6, seed: 1)
    _ = cell.scale.take()
    cell.rest(100, for: 6)
    let report = try #require(reports(cell.scale.take()).first)
    #expect((report.sampling.rate - 10).magnitude < 1 && (report.sampling.noise.value - 1.2).magnitude < 0.6)
  }

  /// Stirring or pouring for half a minute on a quiet pad never raises the warning, nor does noise that the filter averages away.
  @Test(arguments: [10.0, 80], UInt64(1)...8)
  func movementIsNoNoise(_ rate: Double, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var cell = try cell(rate: rate, noise: 0.3, correlation: 0.3, seed: seed)
    cell.rest(100, for: 8)
    let stirs = (amplitude: 1 + 20 * random.unit(), frequency: 0.3 + 1.5 * random.unit())
    _ = cell.weigh(for: 30) { 150 + stirs.amplitude * sine($0 * stirs.frequency) }
    cell.rest(150, for: 5)
    let flow = 0.5 + 5 * random.unit()
    _ = cell.weigh(for: 30) { 150 + flow * $0 }
    cell.rest(300, for: 15)
    let found = warnings(cell.scale.take()).map(\.warning)
    #expect(!found.contains(.tooNoisy), "\(stirs), \(flow) g/s: \(found)")
  }

  /// The sine of a number of turns, by its parabola: Foundation is not needed for a hand.
  private func sine(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
  }
}
