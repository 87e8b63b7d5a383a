import Recordings
import Testing
import Weighing

/// A converter that delivers nothing is not at rest; a pad whose values repeat is.
@Suite struct SilenceTests {
  /// A noisy axis under a plate cannot repeat its value for 15 samples: 12.5 and 100 ms, 2 s and 15 periods.
  @Test(arguments: [(12, 2.0), (90, 2.0), (150, 2.25)], [false, true])
  func aNoisyConverterThatStopsIsNotStable(_ pad: (period: Int, limit: Double), _ deliversEverySample: Bool) throws {
    var cell = try LoadCell(deliversEverySample: deliversEverySample)
    cell.period = .milliseconds(pad.period)...Interval.milliseconds(pad.period)
    cell.rest(0, for: 5)
    cell.rest(100, for: 6)
    #expect(cell.scale.reading.isStable)
    _ = cell.scale.take()
    cell.scale.wait(.seconds(pad.limit - 0.4))
    #expect(cell.scale.reading.isStable && cell.scale.take().padWarnings.isEmpty)
    cell.scale.wait(.seconds(0.5))
    #expect(!cell.scale.reading.isStable && cell.scale.reading.state == .settling)
    #expect(cell.scale.reading.printable == "100 g", "the last reading remains")
    #expect(cell.scale.take().padWarnings == [.noSamples])
    cell.scale.wait(.seconds(600))
    #expect(!cell.scale.reading.isStable && cell.scale.take().settled.isEmpty)
    cell.scale.ask(.commit)
    cell.scale.wait(.seconds(5))
    #expect(cell.scale.take().rejections == [.unstable])
    cell.rest(100, for: 4)
    #expect(cell.scale.reading.isStable)
    #expect(cell.scale.take().padWarnings == [nil])
  }

  /// A converter that is known to deliver each sample is missed from the start, and under an empty plate too.
  @Test func aConverterIsMissedWithoutALoad() throws {
    var cell = try LoadCell(deliversEverySample: true)
    cell.scale.wait(.seconds(3))
    #expect(cell.scale.take().padWarnings == [.noSamples])
    cell.noise = 0.001
    cell.rest(0, for: 5)
    #expect(cell.scale.reading.state == .empty && cell.scale.take().padWarnings == [nil])
    cell.scale.wait(.seconds(3))
    #expect(cell.scale.take().padWarnings == [.noSamples])
  }

  /// evdev drops what repeats: on a quiet axis, and wherever a finger may lie.
  @Test(arguments: [(ScaleSettings.Surface.platter, 0.0), (.platter, 0.3), (.contacts, 0), (.contacts, 3)])
  func aSilentPadIsStable(_ surface: ScaleSettings.Surface, _ noise: Double) {
    var settings = ScaleSettings()
    settings.surface = surface
    var scale = HandFedScale(settings)
    scale.settle(100)
    for _ in 0..<4 {
      var last = 0
      let end = scale.now + .seconds(4)
      var random = SplitMix64(seed: 5)
      while scale.now < end {
        let counts = Int((300 + noise * random.gaussian()).rounded())
        if counts != last { scale.frame(counts) }
        last = counts
        scale.wait(.milliseconds(8))
      }
      scale.wait(.seconds(30))
      #expect(scale.reading.isStable)
    }
    #expect(scale.take().padWarnings.isEmpty)
  }

  /// A pour without noise changes every value, and then the load rests.
  @Test func thePourIsNotTakenForNoise() throws {
    var cell = try LoadCell()
    cell.noise = 0
    cell.send(46_000)
    cell.scale.wait(.seconds(3))
    _ = cell.weigh(for: 10) { 50 + 0.2 * $0 }
    _ = cell.weigh(for: 10) { 52 + 8 * $0 }
    cell.scale.wait(.seconds(60))
    #expect(cell.scale.reading.isStable && cell.scale.take().padWarnings.isEmpty)
  }
}
