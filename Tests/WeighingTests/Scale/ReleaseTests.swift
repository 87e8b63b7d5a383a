import Testing
import Weighing

/// When nothing presses any more, the reading resets at once.
@Suite struct ReleaseTests {
  @Test func itReadsZeroWithinTheFrame() {
    var scale = HandFedScale()
    scale.settle(200)
    scale.ask(.tare)
    _ = scale.take()
    let epoch = scale.reading.tareEpoch
    scale.wait(.seconds(1))
    scale.frame()
    let reading = scale.reading
    #expect(reading.state == .empty)
    #expect(reading.printable == "0 g")
    #expect(reading.gross.steps == 0 && reading.net?.steps == 0 && reading.highResolution == .zero)
    #expect(reading.tare.steps == 100, "kept")
    #expect(reading.tareEpoch == epoch)
    #expect(reading.raw == .zero && reading.force == 0 && reading.isInsideZero)
    #expect(scale.take().live.last == reading, "and is published in the same moment")
  }

  @Test func aKeptTareIsForTheNextLoad() {
    var scale = HandFedScale()
    scale.settle(200)
    scale.ask(.tare)
    scale.frame()
    scale.settle(300)
    #expect(scale.reading.printable == "50 g")
    #expect(scale.reading.gross.steps == 150)
    scale.settle(100)
    #expect(scale.reading.printable == "-50 g", "net may be negative")
    #expect(scale.reading.state == .stable)
  }

  @Test(arguments: [false, true])
  func theTareIsDroppedWhereThatIsConfigured(_ inAGap: Bool) {
    var settings = ScaleSettings()
    settings.scale.tareOnRelease = .clear
    var scale = HandFedScale(settings)
    scale.settle(200)
    scale.ask(.tare)
    #expect(scale.reading.tare.steps == 100)
    _ = scale.take()
    scale.frame(gap: inAGap)
    #expect(scale.reading.tare.steps == 0)
    #expect(scale.reading.tareEpoch == 2)
    #expect(scale.take().events == [.tareCleared])
    scale.frame()
    #expect(scale.take().events.isEmpty, "only once")
  }

  /// A contact that presses with nothing is no load.
  @Test func aTouchWithoutForceIsNothing() {
    var scale = HandFedScale()
    scale.settle(200)
    scale.frame(0)
    #expect(scale.reading.state == .empty)
  }

  @Test func theNextLoadSettlesAnew() {
    var scale = HandFedScale()
    scale.settle(200)
    #expect(scale.take().settled.map(\.printable) == ["100 g"])
    scale.frame()
    scale.frame(200)
    #expect(scale.reading.state == .settling)
    scale.wait(.milliseconds(290))
    #expect(scale.reading.state == .settling)
    scale.wait(.milliseconds(300))
    #expect(scale.take().settled.map(\.printable) == ["100 g"])
  }
}
