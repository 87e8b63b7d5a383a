import Testing

@testable import Weighing

/// Load cells behind converters, from 5 to 2,000 samples a second: the pad says that it delivers each sample, or only
/// its frames show it, as those of a recording do.
@Suite struct ConverterTests {
  /// The largest rms of the settled reading 5 s after rest, as a fraction of the noise of a sample: 0.3 at 10 samples a
  /// second and 0.1 from 80 on are required.
  @Test(arguments: [(5.0, 0.45), (10, 0.3), (16, 0.25), (80, 0.1), (1000, 0.05), (2000, 0.05)], [true, false])
  func restIsQuiet(_ rate: (samples: Double, limit: Double), _ isConverter: Bool) throws {
    for kind in CellNoise.Kind.allCases {
      var squares: [Double] = []
      for seed in 1...(rate.samples > 500 ? 1 : 8) as ClosedRange<UInt64> {
        var scale = try CellScale(kind, rate: rate.samples, isConverter: isConverter, seed: seed)
        scale.hold(5, for: 5)
        scale.hold(105, for: 5)
        scale.hold(105, for: rate.samples > 500 ? 2 : 6) { squares.append(($0.level - 100) * ($0.level - 100)) }
      }
      let rms = (squares.reduce(0, +) / Double(squares.count)).squareRoot() / 0.05
      #expect(rms < rate.limit * (kind == .persistent ? 1.3 : 1), "\(kind): \(rms)")
    }
  }

  /// One wrong sample of any size, the end of the axis too.
  @Test(arguments: [5.0, 10, 20, 80], [true, false])
  func oneWrongSampleChangesNothing(_ rate: Double, _ isConverter: Bool) throws {
    let settled = try (1...20 as ClosedRange<UInt64>).map { seed in
      var scale = try CellScale(rate: rate, division: 0.1, isConverter: isConverter, seed: seed)
      scale.hold(5, for: 4)
      scale.hold(105, for: 5 + Double(seed) / 10)
      return scale
    }
    for size in [0.5, 3, -3, 30, 300, 1e6] {
      let changed = settled.count { settled in
        var scale = settled
        let before = scale.level
        var isWrong = false
        scale.sample(105, off: size)
        scale.hold(105, for: 3) {
          isWrong = isWrong || !(($0.level - before).magnitude < 0.1) || !$0.reading.isStable
        }
        return isWrong
      }
      #expect(changed <= 1, "\(size) g: \(changed) of 20")
    }
  }

  /// The converter stops for a while; its last value is not the load.
  @Test(arguments: [0.5, 2, 9], [10.0, 80])
  func aGapMovesNothing(_ gap: Double, _ rate: Double) throws {
    for isConverter in [true, false] {
      for seed in 1...10 as ClosedRange<UInt64> {
        var scale = try CellScale(rate: rate, isConverter: isConverter, seed: seed)
        scale.hold(5, for: 4)
        scale.hold(105, for: 5)
        var worst = 0.0
        for _ in 0..<3 {
          scale.wait(gap)
          worst = max(worst, (scale.level - 100).magnitude)
          scale.hold(105, for: 2) { worst = max(worst, ($0.level - 100).magnitude) }
        }
        #expect(worst < 0.1, "\(isConverter): \(worst) g")
      }
    }
  }

  /// A rate that changes, and samples that arrive twice.
  @Test(arguments: [(10.0, 80.0), (80, 10), (80, 5), (10, 320)], [true, false])
  func theRateMayChange(_ rates: (first: Double, second: Double), _ isConverter: Bool) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var scale = try CellScale(rate: rates.first, isConverter: isConverter, seed: seed)
      scale.hold(5, for: 4)
      scale.hold(105, for: 6)
      scale.rate = rates.second
      scale.hold(105, for: 10) { #expect(($0.level - 100).magnitude < 0.08) }
      let sampling = try #require(scale.machine.sampling)
      #expect((sampling.rate / rates.second - 1).magnitude < 0.1)
      #expect((sampling.noise.value / 0.05 - 1).magnitude < 0.4)
      #expect(sampling.deliversEverySample)
    }
  }

  @Test func theSilenceOfAConverterSaysNothing() {
    var filter = LoadFilter(fullScale: RawForce(1 << 23), deliversEverySample: true)
    var cell = CellNoise(.averaged, seed: 1)
    for sample in 0..<50 {
      filter.add(400_000 + 40 * cell.next(), at: Instant(nanoseconds: Int64(sample) * 100_000_000))
    }
    let late = Instant(nanoseconds: 65_000_000_000)
    let before = filter.estimate(at: Instant(nanoseconds: 4_900_000_000))
    #expect(filter.nextDeadline == nil)
    filter.advance(to: late)
    filter.catchUp(to: late)
    #expect(filter.estimate(at: late) == before)
    #expect(before?.deliversEverySample == true && before?.newest == Instant(nanoseconds: 4_900_000_000))
  }

  /// The noise of a converter shows that its samples all arrive; the pads of evdev repeat values.
  @Test(arguments: [
    (100, 40.0, true), (200, 40, true), (1000, 40, true), (2, 40, true), (8, 1.5, false), (8, 5, false),
    (100, 0.2, false),
  ])
  func theFramesShowWhetherEachSampleArrives(_ pad: (period: Int, noise: Double, isConverter: Bool)) {
    var filter = LoadFilter(fullScale: RawForce(pad.isConverter ? 1 << 23 : 1 << 12))
    var cell = CellNoise(.white, seed: 1)
    var last = -1.0
    var now = Instant(nanoseconds: 0)
    for _ in 0..<(pad.period < 50 ? 2000 : 40) {
      now = now + .milliseconds(pad.period)
      let value = (2000 + pad.noise * cell.next()).rounded()
      filter.advance(to: now)
      if value != last { filter.add(value, at: now) }
      last = value
    }
    #expect(filter.deliversEverySample == pad.isConverter)
    if pad.noise > 1 { #expect((filter.sampleDeviation / pad.noise - 1).magnitude < 0.35) }
  }

  /// Loads that are put on a pad without noise, one a second.
  @Test func loadsAtEqualDistancesAreNoSamples() {
    var filter = LoadFilter(fullScale: RawForce(1 << 16))
    for (second, load) in [5000.0, 20_000, 4990, 21_000, 30_000, 1000, 5000, 9000, 700, 40_000].enumerated() {
      let now = Instant(nanoseconds: Int64(second) * 1_000_000_000)
      filter.advance(to: now)
      filter.add(load, at: now)
      filter.advance(to: now + .milliseconds(300))
      #expect(!filter.deliversEverySample)
      #expect(((filter.estimate(at: now + .milliseconds(300))?.level ?? 0) - load).magnitude < 1)
    }
  }

  /// A pad that was noisy once and repeats its values now.
  @Test func aPadThatBecomesQuietRepeatsItsValues() {
    var filter = LoadFilter(fullScale: RawForce(65_535))
    var cell = CellNoise(.white, seed: 2)
    var now = Instant(nanoseconds: 0)
    func add(_ noise: Double, _ count: Int) {
      for _ in 0..<count {
        now = now + .milliseconds(8)
        filter.add((30_000 + noise * cell.next()).rounded(), at: now)
      }
    }
    add(50, 500)
    #expect(filter.deliversEverySample)
    add(0.5, 1000)
    #expect(!filter.deliversEverySample)
  }
}
