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
    #expect(scale.reading.state == .overload)
    #expect(scale.reading.printable == "385+ g")
    scale.frame(300, 999)
    #expect(scale.reading.state != .overload)
    scale.frame(300, 1000)
    #expect(scale.reading.state == .overload, "any axis")
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
    settings.capacity = Grams(capacity)
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
