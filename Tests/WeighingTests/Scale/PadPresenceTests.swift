import Testing
import Weighing

/// Pads come, go, skip and are unfit.
@Suite struct PadPresenceTests {
  @Test func withoutAPadThereIsNoReading() {
    var scale = HandFedScale(pad: nil)
    #expect(scale.machine.nextDeadline == nil)
    scale.handle(.padLost("no pad that can weigh"))
    let effects = scale.take()
    #expect(effects.events.isEmpty, "none was there to lose")
    #expect(effects.live.map(\.state) == [.offline])
    #expect(scale.reading.printable == "-- g")
    #expect(scale.reading.net == nil && scale.reading.calibration == nil && !scale.reading.isInsideZero)
    scale.frame(300)
    #expect(scale.reading.state == .offline)
  }

  @Test func aPadComesAndGoes() {
    var scale = HandFedScale(pad: nil)
    scale.handle(.padFound(.slots()))
    #expect(scale.take().events == [.padFound("slots")])
    #expect(scale.reading.state == .empty && scale.reading.calibration == .kernel)
    scale.settle(300)
    scale.ask(.tare)
    _ = scale.take()
    scale.handle(.padLost("unplugged"))
    #expect(scale.take().events == [.padLost(.reported("unplugged"))])
    #expect(scale.reading.state == .offline)
    #expect(scale.reading.tare.steps == 150, "the tare survives")
    scale.handle(.padLost("still not there"))
    #expect(scale.take().events.isEmpty)
    scale.handle(.padFound(.slots()))
    #expect(scale.reading.state == .empty, "what lay there is not known")
    scale.settle(320)
    #expect(scale.reading.printable == "10 g")
  }

  @Test func anotherPadHasItsOwnGrams() {
    var scale = HandFedScale()
    scale.settle(300)
    scale.handle(.padFound(.slots(countsPerGram: 4)))
    #expect(scale.reading.state == .empty)
    scale.settle(300)
    #expect(scale.reading.printable == "75 g")
  }

  @Test func aPadThatCannotWeighIsNone() {
    var scale = HandFedScale()
    scale.settle(300)
    _ = scale.take()
    scale.handle(.padFound(PadDescription(name: "mouse")))
    #expect(scale.reading.state == .offline, "the old one is not there any more either")
    let events = scale.take().events
    #expect(events == [.padLost(.unsuitable(.noPressureAxis))])
    scale.frame(300)
    #expect(scale.reading.state == .offline)
  }

  @Test func aGapStartsTheLoadAnew() {
    var scale = HandFedScale()
    scale.settle(300)
    scale.ask(.tare)
    _ = scale.take()
    scale.frame(200, gap: true)
    #expect(scale.reading.state == .settling, "stable only after it has rested again")
    #expect(scale.reading.printable == "-50 g")
    scale.wait(.seconds(1))
    #expect(scale.take().settled.map(\.printable) == ["-50 g"])
  }

  @Test func aGapOnAnEmptyPadIsNothing() {
    var scale = HandFedScale()
    scale.frame(gap: true)
    #expect(scale.reading.state == .empty)
    #expect(scale.take().settled.isEmpty)
  }
}
