import Testing
import Weighing

/// At or past the capacity, or at the end of an axis, the scale says only that.
@Suite struct OverloadTests {
  @Test func gramByGramUpToTheCapacity() {
    for grams in stride(from: 380, through: 390, by: 1) {
      var scale = HandFedScale()
      scale.settle(grams * 2)
      let reading = scale.reading
      if grams < 385 {
        #expect(reading.printable == "\(grams) g")
        #expect(reading.state == .stable)
        #expect(reading.net?.mass == Grams(Double(grams)))
      } else {
        #expect(reading.printable == "385+ g")
        #expect(reading.state == .overload && reading.isOverloaded)
        #expect(reading.net == nil && reading.highResolution == nil && reading.uncertainty == nil)
        #expect(reading.gross.mass == Grams(385))
        #expect(!reading.isStable && !reading.isInsideZero)
        #expect(scale.take().events.contains(.overload))
      }
    }
  }

  /// The gross is what counts, rounded to the division.
  @Test(arguments: [(768, false), (769, true), (770, true)])
  func theRoundedGrossCounts(_ counts: Int, _ overload: Bool) {
    var scale = HandFedScale()
    scale.settle(counts)
    #expect(scale.reading.isOverloaded == overload, "\(Double(counts) / 2) g")
  }

  @Test func aTareDoesNotMoveTheCapacity() {
    var scale = HandFedScale()
    scale.settle(400)
    scale.ask(.tare)
    scale.settle(760)
    #expect(scale.reading.printable == "180 g")
    scale.settle(772)
    #expect(scale.reading.printable == "385+ g")
  }

  /// The axis ends at 50 g by its own resolution.
  @Test func theEndOfAnAxisIsOverloadAtOnce() {
    var scale = HandFedScale(pad: .slots(countsPerGram: 20))
    scale.settle(500)
    #expect(scale.reading.printable == "25 g")
    scale.frame(1000)
    scale.frame(1000)
    #expect(scale.reading.state == .overload)
    #expect(scale.reading.printable == "385+ g")
    scale.frame(300, 999)
    #expect(scale.reading.state != .overload)
    scale.frame(300, 1000)
    #expect(scale.reading.state == .overload, "any axis")
  }

  struct Spike: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var counts: Int
    var countsPerGram: Int32 = 2
    var surface = ScaleSettings.Surface.contacts
  }

  static let spikes = [
    Spike(testDescription: "end of the axis", counts: 1000),
    Spike(testDescription: "capacity", counts: 800),
    Spike(testDescription: "end of an axis below the capacity", counts: 1000, countsPerGram: 20),
    Spike(testDescription: "empty plate", counts: 1000, surface: .platter),
  ]

  private func resting(_ spike: Spike) -> HandFedScale {
    var settings = ScaleSettings()
    settings.surface = spike.surface
    var scale = HandFedScale(settings, pad: .slots(countsPerGram: spike.countsPerGram))
    scale.hold(100, for: .seconds(2), noise: 0.5)
    _ = scale.take()
    return scale
  }

  /// One frame in overload while a load rests.
  @Test(arguments: spikes)
  func aSingleFrameIsASpike(_ spike: Spike) {
    var scale = resting(spike)
    let before = scale.reading
    scale.frame(spike.counts)
    #expect(scale.reading.net == before.net && scale.reading.state == before.state && scale.reading.raw == before.raw)
    scale.wait(.milliseconds(8))
    scale.hold(100, for: .seconds(2), noise: 0.5)
    let effects = scale.take()
    #expect(effects.events.isEmpty && effects.settled.isEmpty)
    #expect(effects.live.allSatisfy { $0.state == before.state && $0.net == before.net })
  }

  @Test(arguments: spikes)
  func aSecondFrameIsOverload(_ spike: Spike) {
    var scale = resting(spike)
    scale.frame(spike.counts)
    scale.wait(.milliseconds(8))
    #expect(!scale.reading.isOverloaded)
    scale.frame(spike.counts - 1)
    scale.frame(spike.counts)
    #expect(scale.reading.isOverloaded && scale.take().events == [.overload])
  }

  /// evdev drops a value that repeats: silence counts after 50 ms.
  @Test(arguments: spikes)
  func silenceIsOverload(_ spike: Spike) {
    var scale = resting(spike)
    scale.frame(spike.counts)
    scale.wait(.milliseconds(49))
    #expect(!scale.reading.isOverloaded && scale.take().events.isEmpty)
    scale.wait(.milliseconds(1))
    #expect(scale.reading.isOverloaded && scale.take().events == [.overload])
    scale.wait(.seconds(3))
    #expect(scale.reading.isOverloaded)
  }

  @Test func overloadWithoutALoadAtRestIsImmediate() {
    var scale = HandFedScale()
    scale.frame(1000)
    #expect(scale.reading.isOverloaded)
  }

  @Test func itIsSaidOnceAndEndsWithTheLoad() {
    var scale = HandFedScale()
    scale.settle(900)
    scale.hold(900, for: .seconds(1))
    #expect(scale.take().events.filter { $0 == .overload }.count == 1)
    scale.settle(200)
    #expect(scale.reading.printable == "100 g")
    #expect(scale.reading.state == .stable)
    scale.settle(900)
    #expect(scale.take().events == [.overload])
    scale.frame()
    #expect(scale.reading.printable == "0 g")
  }

  @Test(arguments: [(385.0, "385+ g"), (99.5, "99.5+ g"), (5000, "5000+ g"), (0.125, "0.125+ g")])
  func theCapacityIsShownAsItIsConfigured(_ capacity: Double, _ text: String) {
    var settings = ScaleSettings()
    settings.scale.capacity = Grams(capacity)
    var scale = HandFedScale(settings)
    scale.frame(1000)
    #expect(scale.reading.printable == text)
  }

  /// Half a gram under the capacity with a gram of noise: the digits may not know, but they do not flicker.
  @Test func theEdgeOfTheCapacityDoesNotFlicker() {
    var scale = HandFedScale()
    scale.hold(769, for: .seconds(2), noise: 2)
    _ = scale.take()
    scale.hold(769, for: .seconds(20), noise: 2)
    let events = scale.take().events.filter { $0 == .overload }
    #expect(events.count <= 1, "\(events.count) overloads")
  }
}
