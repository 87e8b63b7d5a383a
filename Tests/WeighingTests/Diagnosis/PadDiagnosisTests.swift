import Testing
import Weighing

/// Every figure of a diagnosis against a series of which it is known.
@Suite struct PadDiagnosisTests {
  /// The least and the largest value over many series.
  private func spread(_ series: DiagnosedSeries, _ figure: (PadDiagnosis) -> Double?) throws -> (
    least: Double, mean: Double, most: Double
  ) {
    let figures = try (1...20).map { seed in try #require(figure(series.diagnosis(seed: UInt64(seed)))) }
    return (figures.min() ?? 0, figures.reduce(0, +) / 20, figures.max() ?? 0)
  }

  @Test(arguments: [10.0, 11, 80, 320, 1000], [0.0, 0.25])
  func theRateIsThatOfTheConverter(_ rate: Double, _ jitter: Double) throws {
    let found = try spread(DiagnosedSeries(rate: rate, jitter: jitter)) { $0.rate }
    #expect(found.least > rate * 0.98 && found.most < rate * 1.02, "\(found)")
    let diagnosis = try DiagnosedSeries(rate: rate, jitter: jitter).diagnosis()
    #expect(diagnosis.samples == Int(rate * 10))
    #expect(diagnosis.gaps.isEmpty && diagnosis.losses == 0)
    #expect(diagnosis.duration == .seconds(10))
  }

  /// evdev leaves out repeated values: at a noise of 0.5 counts more than half of the samples.
  @Test(arguments: [0.5, 1, 3, 10]) func theRateDoesNotDependOnRepeatedValues(_ noise: Double) throws {
    let found = try spread(DiagnosedSeries(rate: 125, noise: noise, dropsRepeats: true)) { $0.rate }
    #expect(found.least > 123 && found.most < 127, "\(found)")
  }

  @Test(arguments: [
    (rate: 10.0, noise: 4.0, correlation: 0.0), (80, 4, 0), (80, 200, 0), (500, 1, 0), (80, 4, 0.5), (11, 4, 0.5),
  ])
  func theNoiseIsThatOfASample(rate: Double, noise: Double, correlation: Double) throws {
    let series = DiagnosedSeries(rate: rate, noise: noise, correlation: correlation)
    let truth = (noise * noise + 1 / 12.0).squareRoot()
    let found = try spread(series) { $0.noise?.counts }
    #expect((found.mean / truth - 1).magnitude < 0.05, "\(found)")
    #expect(found.least > 0.7 * truth && found.most < 1.3 * truth, "\(found)")
    let diagnosis = try series.diagnosis()
    let amount = try #require(diagnosis.noise)
    #expect((amount.mass.value - amount.counts / 100).magnitude < 1e-9, "100 counts a gram")
    #expect(diagnosis.calibration == .kernel)
  }

  /// Values that evdev leaves out last until the next one, so that they count as often as they were measured.
  @Test(arguments: [0.6, 0.8, 2]) func repeatedValuesAreSamples(_ noise: Double) throws {
    let truth = (noise * noise + 1 / 12.0).squareRoot()
    let found = try spread(DiagnosedSeries(rate: 125, noise: noise, dropsRepeats: true)) { $0.noise?.counts }
    #expect((found.mean / truth - 1).magnitude < 0.05, "\(found) instead of \(truth)")
  }

  @Test(arguments: [0.0, 2, -15, 400])
  func theDriftIsThatOfTheLoad(_ countsPerSecond: Double) throws {
    var series = DiagnosedSeries(noise: 5)
    series.value = { 50_000 + countsPerSecond * $0 }
    for seed in UInt64(1)...20 {
      let diagnosis = try series.diagnosis(seed: seed)
      let drift = try #require(diagnosis.drift)
      let deviation = try #require(diagnosis.driftDeviation)
      #expect((drift.counts - countsPerSecond).magnitude < 4 * deviation.counts, "\(drift)")
      // By the formula for a line through 800 samples in 10 s.
      #expect((deviation.counts / (5 / (800.0 * 100 / 12).squareRoot()) - 1).magnitude < 0.25)
      #expect(try #require(diagnosis.noise).counts > 4.5 && diagnosis.noise?.counts ?? 0 < 5.5)
    }
  }

  /// A correlated noise must not pass for a drift.
  @Test func theDriftOfCorrelatedNoiseIsWithinItsUncertainty() throws {
    let series = DiagnosedSeries(rate: 11, correlation: 0.5)
    let misses = try (1...200).count { seed in
      let diagnosis = try series.diagnosis(seed: UInt64(seed))
      return abs(diagnosis.drift?.counts ?? 1e9) > 2 * (diagnosis.driftDeviation?.counts ?? 0)
    }
    #expect((2...24).contains(misses), "5 % of 200 are more than two deviations: \(misses)")
  }

  @Test func aChangeOfTheLoadIsNeitherNoiseNorDrift() throws {
    var series = DiagnosedSeries()
    series.value = { $0 < 3 ? 20_000 : $0 < 3.4 ? 20_000 + ($0 - 3) * 100_000 : 60_000 }
    for seed in UInt64(1)...20 {
      let diagnosis = try series.diagnosis(seed: seed)
      #expect(abs(diagnosis.noise?.counts ?? 0) < 3.5 && diagnosis.noise?.counts ?? 0 > 2.5)
      #expect(diagnosis.rest.seconds > 5.8 && diagnosis.rest.seconds < 6.7, "\(diagnosis.rest)")
      #expect(abs(diagnosis.drift?.counts ?? 99) < 1)
      #expect(diagnosis.spikes == 0, "the edges of a change are not single wrong samples")
      #expect(diagnosis.range?.upperBound ?? 0 > 60_000 && diagnosis.range?.lowerBound ?? 0 < 20_000)
    }
  }

  @Test(arguments: [(from: 2.0, to: 2.6), (4, 9), (8.2, 10)])
  func gapsAreMissingSamples(from: Double, to: Double) throws {
    var series = DiagnosedSeries(rate: 80)
    series.value = { $0 > from && $0 < to ? nil : 50_000 }
    let diagnosis = try series.diagnosis()
    #expect(diagnosis.gaps.count == 1)
    #expect(abs((diagnosis.gaps.first?.seconds ?? 0) - (to - from)) < 0.02)
    #expect(diagnosis.longestSilence == diagnosis.gaps.first)
    #expect(abs((diagnosis.rate ?? 0) - 80) < 1, "the rate is that between the gaps")
    #expect(diagnosis.findings == [.gaps])
    series.dropsRepeats = true
    #expect(try series.diagnosis().gaps.isEmpty, "a repeated value, on evdev")
  }

  @Test func lostEventsAreCounted() throws {
    let pad = DiagnosedSeries(dropsRepeats: true)
    var series = pad.series()
    let contact = Contact(serial: 1, position: nil, origin: nil, raw: RawForce(50_000), isAtMaximum: false)
    series.add(Frame(time: series.start + .seconds(10.2), contacts: [contact], followsGap: true))
    let end = series.start + .seconds(10.2)
    let diagnosis = try PadDiagnosis(series, of: pad.pad, settings: ScaleSettings(), until: end)
    #expect(diagnosis.losses == 1)
    #expect(diagnosis.findings.contains(.lostEvents))
    let converter = try PadDiagnosis(series, of: DiagnosedSeries().pad, settings: ScaleSettings(), until: end)
    #expect(converter.losses == 0)
    #expect(converter.findings.contains(.gaps), "a converter that stalled")
  }

  @Test func spikesAreCountedAndLeftOut() throws {
    var series = DiagnosedSeries()
    series.replaced = [100: 90_000, 300: 100, 301: 49_000, 640: 95_000]
    let diagnosis = try series.diagnosis()
    #expect(diagnosis.spikes == 4)
    #expect(abs((diagnosis.noise?.counts ?? 0) - 3) < 0.4)
    #expect(diagnosis.rest.seconds > 9.9)
    #expect(diagnosis.findings == [.spikes])
  }

  @Test func valuesAreCounted() throws {
    var series = DiagnosedSeries(noise: 0)
    series.value = { 50_000 + 16 * ($0 * 2).rounded() }
    let diagnosis = try series.diagnosis()
    #expect(diagnosis.uniqueValues == 21)
    #expect(diagnosis.smallestStep == 16)
    #expect(diagnosis.range == 50_000...50_320)
    #expect(abs((diagnosis.rangeUsed ?? 0) - 320 / 100_000.0) < 1e-12)
    #expect(diagnosis.findings.contains(.steps))
  }

  @Test func samplesAtTheEndAreCounted() throws {
    var series = DiagnosedSeries(noise: 0, maximum: 60_000)
    series.value = { $0 < 4 ? 50_000 + $0 : 61_000 }
    let diagnosis = try series.diagnosis()
    #expect(diagnosis.saturatedSamples == 480)
    #expect(diagnosis.findings.contains(.saturated))
  }
}
