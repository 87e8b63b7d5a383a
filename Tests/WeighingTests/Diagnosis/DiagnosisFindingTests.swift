import Testing
import Weighing

/// What a diagnosis advises.
@Suite struct DiagnosisFindingTests {
  private func findings(
    _ series: DiagnosedSeries, _ change: (inout ScaleSettings) -> Void = { _ in }
  ) throws -> [DiagnosisFinding] {
    try series.diagnosis(change).findings
  }

  @Test func aGoodPadNeedsNothing() throws {
    #expect(try findings(DiagnosedSeries()) == [])
    #expect(try findings(DiagnosedSeries(rate: 10)) == [])
    #expect(try findings(DiagnosedSeries(rate: 125, noise: 2, dropsRepeats: true)) == [])
  }

  @Test(arguments: [(4.0, DiagnosisFinding.slow), (6, .slowForPresses), (8.5, .slowForPresses)])
  func tooFewSamples(_ rate: Double, _ finding: DiagnosisFinding) throws {
    #expect(try findings(DiagnosedSeries(rate: rate)) == [finding])
  }

  @Test func aConverterWithoutInputNeverChanges() throws {
    #expect(try findings(DiagnosedSeries(noise: 0)) == [.stuck])
  }

  @Test func aConverterThatDeliversNothing() throws {
    var series = DiagnosedSeries()
    series.value = { _ in nil }
    #expect(try findings(series) == [.noSamples])
  }

  @Test func anEvdevPadWithoutALoadIsSilent() throws {
    var series = DiagnosedSeries(dropsRepeats: true)
    series.value = { _ in nil }
    #expect(try findings(series) == [.noLoad])
  }

  @Test func anEvdevPadWithAQuietLoadIsSilentToo() throws {
    let diagnosis = try DiagnosedSeries(noise: 0, dropsRepeats: true).diagnosis()
    #expect(diagnosis.samples == 0)
    #expect(diagnosis.findings == [.silent])
    #expect(diagnosis.noise?.counts == 0 && diagnosis.rest.seconds > 9.9)
  }

  /// A touchpad that reports 255 for every touch.
  @Test func aPadThatReportsOnlyTouchHasNoForce() throws {
    var series = SampledSeries(start: Instant(nanoseconds: 0))
    series.add(Frame(time: series.start, followsGap: true))
    for index in 1...50 {
      let position = Position(x: Double(index) / 100, y: 0.5)
      let contact = Contact(serial: 1, position: position, origin: position, raw: RawForce(255), isAtMaximum: false)
      series.add(Frame(time: series.start + .milliseconds(8 * index), contacts: [contact]))
    }
    let diagnosis = try PadDiagnosis(
      series, of: .slots(countsPerGram: 0), settings: ScaleSettings(), until: series.start + .seconds(10))
    #expect(diagnosis.findings.first == .noForce)
    #expect(diagnosis.uniqueValues == 1)
  }

  /// Two contacts of 800 counts each: more than the axis in all.
  @Test func theRangeIsThatOfOneContact() throws {
    var series = SampledSeries(start: Instant(nanoseconds: 0))
    let place = Position(x: 0.5, y: 0.5)
    for index in 1...50 {
      let contacts = (1...2).map {
        Contact(serial: $0, position: place, origin: place, raw: RawForce(790 + index % 10), isAtMaximum: false)
      }
      series.add(Frame(time: series.start + .milliseconds(8 * index), contacts: index < 3 ? [] : contacts))
    }
    let diagnosis = try PadDiagnosis(
      series, of: .slots(), settings: ScaleSettings(), until: series.start + .seconds(1))
    #expect(diagnosis.range == 0...1598)
    #expect(diagnosis.rangeUsed == 0.799)
  }

  @Test func noiseAboveTheDivision() throws {
    let diagnosis = try DiagnosedSeries(noise: 260).diagnosis()
    #expect(diagnosis.findings == [.noisy])
    #expect(diagnosis.suitableDivision == Grams(5), "2.6 g")
    #expect(try findings(DiagnosedSeries(noise: 90)) == [])
  }

  @Test func oneCountIsMoreThanADivision() throws {
    let diagnosis = try DiagnosedSeries().diagnosis { $0.scale.division = Division(Grams(0.001)) ?? .gram }
    #expect(diagnosis.findings.contains(.coarse))
  }

  @Test func theLoadThatNeverRests() throws {
    var series = DiagnosedSeries()
    series.value = { 50_000 + ($0 * 1.3).rounded(.down).truncatingRemainder(dividingBy: 2) * 20_000 }
    #expect(try findings(series) == [.moving])
  }

  @Test func aDriftOfMoreThanADivisionAMinute() throws {
    var series = DiagnosedSeries()
    series.value = { 50_000 + 3 * $0 }
    let diagnosis = try series.diagnosis()
    #expect(diagnosis.findings == [.drifting])
    #expect(abs(60 * (diagnosis.drift?.mass.value ?? 0) - 1.8) < 0.1)
    series.value = { 50_000 + 1 * $0 }
    #expect(try findings(series) == [], "0.6 g a minute")
  }

  @Test func theAxisEndsBelowTheCapacity() throws {
    #expect(try findings(DiagnosedSeries()) { $0.scale.capacity = Grams(90_000) } == [.rangeTooSmall])
  }

  @Test func theCapacityTakesLittleOfTheAxis() throws {
    var series = DiagnosedSeries()
    series.maximum = 1 << 30
    #expect(try findings(series) == [.rangeHardlyUsed], "385 g of 10737 kg")
  }
}
