import Testing
import Weighing

/// A changed configuration takes effect while a load is on the pad.
@Suite struct SettingsTests {
  struct Change: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var shown: String
    var change: @Sendable (inout ScaleSettings) -> Void

    init(_ name: String, _ shown: String = "100.5 g", change: @escaping @Sendable (inout ScaleSettings) -> Void) {
      testDescription = name
      self.shown = shown
      self.change = change
    }
  }

  @Test(arguments: [
    Change("capacity", "90+ g") { $0.scale.capacity = Grams(90) },
    Change("division", "100 g") { $0.scale.division = Division(Grams(5)) ?? .gram },
    Change("minimum") { $0.scale.minimum = Grams(20) },
    Change("tare on release") { $0.scale.tareOnRelease = .clear },
    Change("zero tracking") { $0.scale.tracksZero = false },
    Change("zones") { $0.zones = .none },
    Change("motion") { $0.stability.motion = Grams(3) },
    Change("time") { $0.stability.time = .milliseconds(700) },
    Change("settle time") { $0.confirm.settle = .seconds(9) },
    Change("live interval") { $0.publish.liveMaximum = SampleRate(1) },
    Change("heartbeat") { $0.publish.heartbeat = .seconds(1) },
    Change("contacts") { $0.publish.contacts = true },
    Change("nothing") { _ in },
  ])
  func theLoadGoesOn(_ change: Change) {
    var settings = ScaleSettings()
    settings.scale.division = Division(Grams(0.5)) ?? .gram
    var scale = HandFedScale(settings)
    scale.settle(300)
    scale.ask(.tare)
    scale.settle(501)
    _ = scale.take()
    let epoch = scale.reading.tareEpoch
    scale.change(change.change)
    scale.wait(.seconds(2))
    let expected = change.testDescription == "capacity" ? "90+ g" : change.shown
    #expect(scale.reading.printable == expected)
    #expect(scale.reading.tare.mass == Grams(150), "the tare survives")
    #expect(scale.reading.tareEpoch == epoch)
    #expect(scale.reading.state == (expected.contains("+") ? .overload : .stable))
    #expect(scale.take().events.contains(.reloaded))
  }

  @Test func newPointsAreACalibration() throws {
    var scale = HandFedScale()
    scale.settle(300)
    _ = scale.take()
    let halved = try curve(.linear, [(0, 0), (1000, 250)])
    scale.change { $0.curve = halved }
    var effects = scale.take()
    #expect(effects.events == [.calibrated, .reloaded])
    #expect(effects.settled.map(\.printable) == ["75 g"], "the settled load weighs something else now")
    #expect(scale.reading.calibration == .user)
    scale.change { $0.curve = nil }
    effects = scale.take()
    #expect(effects.events == [.calibrated, .reloaded])
    #expect(scale.reading.printable == "150 g" && scale.reading.calibration == .kernel)
  }

  @Test func aNominalScaleSpreadsANewCapacity() {
    var scale = HandFedScale(pad: .slots(countsPerGram: 0))
    scale.settle(500)
    #expect(scale.reading.highResolution == Grams(192.5))
    scale.change { $0.scale.capacity = Grams(1000) }
    #expect(scale.reading.highResolution == Grams(500))
  }

  @Test func anotherAxisIsAnotherPad() {
    var scale = HandFedScale()
    scale.settle(300)
    _ = scale.take()
    scale.change { $0.axis = .named(.multitouchPressure) }
    #expect(scale.reading.state == .empty)
    #expect(scale.take().events == [.padFound("slots"), .reloaded])
  }

  @Test func anAxisThatIsNotThereIsNoPad() {
    var scale = HandFedScale()
    scale.settle(300)
    _ = scale.take()
    scale.change { $0.axis = .named(.pressure) }
    #expect(scale.reading.state == .offline)
    let reason = UnsuitablePadError.noSuchAxis(.pressure, among: PadDescription.slots().axes.keys.sorted())
    #expect(scale.take().events == [.padLost(.unsuitable(reason)), .reloaded])
    #expect(scale.machine.isAtRest)
  }

  @Test func aPlateIsLearnedWhenTheSurfaceBecomesOne() {
    var scale = HandFedScale()
    scale.settle(100)
    scale.change { $0.surface = .platter }
    scale.settle(100)
    #expect(scale.reading.printable == "0 g")
    scale.settle(300)
    #expect(scale.reading.printable == "100 g")
    scale.change { $0.surface = .contacts }
    scale.settle(300)
    #expect(scale.reading.printable == "150 g")
  }
}
