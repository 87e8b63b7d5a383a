import Recordings
import Testing

@testable import Weighing

/// A pad of the list of known pads: what it weighs by, and the warnings about pads that measure no force or state a wrong range.
@Suite struct KnownPadTests {
  private static func settings(_ seed: KnownPad.Seed?, measures: PadMeasurement.Quantity = .force) -> ScaleSettings {
    var settings = ScaleSettings()
    settings.knownPads = [KnownPad(name: "slots", measures: measures, seed: seed, source: "a test")]
    return settings
  }

  /// A pad that is not in the list, whose driver states no resolution.
  private static let unlisted: PadDescription = {
    var pad = PadDescription.slots(countsPerGram: 0)
    pad.name = "another"
    return pad
  }()

  private static let proportional = KnownPad.Seed(.gramsPerCount(0.4), relativeUncertainty: 0.2, maximum: 1000)

  @Test(arguments: [
    (PadDescription.slots(countsPerGram: 0), Calibration.Origin.known), (.slots(), .kernel),
    (.slots(maximum: 255, countsPerGram: 0), .nominal), (unlisted, .nominal), (.single(), .kernel),
  ]) func whoseGramsApply(_ pad: PadDescription, _ origin: Calibration.Origin) {
    #expect(HandFedScale(Self.settings(Self.proportional), pad: pad).machine.calibration == origin)
  }

  @Test func theUsersPointsPrecedeTheList() throws {
    var settings = Self.settings(Self.proportional)
    settings.curve = try curve(.linear, [(0, 0), (250, 100)])
    #expect(HandFedScale(settings, pad: .slots(countsPerGram: 0)).machine.calibration == .user)
  }

  @Test func theUncertaintyOfTheModelEntersTheReading() throws {
    var scale = HandFedScale(Self.settings(Self.proportional), pad: .slots(countsPerGram: 0))
    for _ in 0..<200 {
      scale.frame(250)
      scale.wait(HandFedScale.period)
    }
    #expect(scale.reading.calibration == .known && scale.reading.printable == "100 g")
    let uncertainty = try #require(scale.reading.uncertainty)
    #expect(uncertainty.value >= 20 && uncertainty.value < 21, "20 % of 100 g")
  }

  @Test func pointsHaveTheirResidualToo() throws {
    let points = try curve(.monotone, [(0, 0), (100, 45), (300, 125), (600, 260), (1000, 400)])
    let axis = try PadDescription.slots(countsPerGram: 0).loadAxis(.automatic)
    let seed = KnownPad.Seed(.curve(points), relativeUncertainty: 0.1, maximum: 1000)
    let calibration = Calibration(curve: nil, axis: axis, seed: seed, capacity: Grams(385))
    #expect(calibration.origin == .known && calibration.mass(at: RawForce(600)).value.rounded() == 260)
    let expected = (26.0 * 26 + points.residual.value * points.residual.value).squareRoot()
    #expect((calibration.uncertainty(at: Grams(260)).value - expected).magnitude < 1e-9)
    #expect(calibration.commonUncertainty(at: Grams(260)) == .zero)
  }

  /// Only a pad that was selected automatically, and only if it measures the area of a contact.
  @Test(arguments: [
    (PadMeasurement.Quantity.area, true, [PadWarning?.some(.contactArea)]), (.area, false, []), (.force, true, []),
  ]) func aPadThatMeasuresNoForce(_ quantity: PadMeasurement.Quantity, _ warns: Bool, _ warnings: [PadWarning?]) {
    var settings = Self.settings(nil, measures: quantity)
    settings.warnsOfContactArea = warns
    var scale = HandFedScale(settings, pad: .slots(countsPerGram: 0))
    scale.frame(100)
    scale.wait(HandFedScale.period)
    #expect(scale.take().padWarnings == warnings)
  }

  /// A single frame may be a spike; the end of the axis itself is a load that is too heavy.
  @Test(arguments: [([1000, 1000, 1000], false), ([1001, 100, 100], false), ([1200, 1200, 100], true)])
  func aRangeThatIsTooSmall(_ counts: [Int], _ isExceeded: Bool) {
    var scale = HandFedScale()
    for raw in counts {
      scale.frame(raw)
      scale.wait(HandFedScale.period)
    }
    #expect(scale.take().padWarnings == (isExceeded ? [.rangeExceeded] : []))
    scale.handle(.padLost("unplugged"))
    scale.handle(.padFound(.slots()))
    scale.frame(100)
    #expect(scale.take().padWarnings == (isExceeded ? [nil] : []))
  }

  @Test func valuesBeyondTheRangeAreOverload() {
    var scale = HandFedScale()
    for _ in 0..<3 {
      scale.frame(1200)
      scale.wait(HandFedScale.period)
    }
    #expect(scale.reading.state == .overload)
  }
}
