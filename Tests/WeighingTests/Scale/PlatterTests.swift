import Testing
import Weighing

/// A plate that always touches the pad: learned, taken off, followed.
@Suite struct PlatterTests {
  private func scale(plate counts: Int? = 100, _ change: (inout ScaleSettings) -> Void = { _ in }) -> HandFedScale {
    var settings = ScaleSettings()
    settings.surface = .platter
    change(&settings)
    var scale = HandFedScale(settings)
    if let counts { scale.settle(counts) }
    return scale
  }

  @Test func theFirstLoadAtRestIsThePlate() {
    var scale = scale()
    #expect(scale.take().events.last == .zeroed(DisplayedMass(steps: 50, division: .gram)))
    #expect(scale.reading.state == .empty)
    #expect(scale.reading.printable == "0 g")
    #expect(scale.reading.tareEpoch == 1)
    scale.settle(300)
    #expect(scale.reading.printable == "100 g")
    #expect(scale.take().settled.map(\.printable) == ["100 g"])
  }

  @Test(arguments: [99, 100, 101])
  func backWithinTheBandIsReleased(_ counts: Int) {
    var scale = scale()
    scale.settle(300)
    scale.ask(.tare)
    scale.settle(counts)
    #expect(scale.reading.state == .empty)
    #expect(scale.reading.printable == "0 g")
    #expect(scale.reading.tare.steps == 100, "kept")
    scale.settle(320)
    #expect(scale.reading.printable == "10 g")
  }

  @Test func theTareGoesWithTheLoadWhereThatIsConfigured() {
    var scale = scale { $0.scale.tareOnRelease = .clear }
    scale.settle(300)
    scale.ask(.tare)
    scale.settle(100)
    #expect(scale.reading.tare.steps == 0)
    #expect(scale.take().events.filter { $0 == .tareCleared }.count == 1)
  }

  @Test func aPlateTakenAwayIsAnUnderload() {
    var scale = scale()
    scale.frame()
    scale.wait(.seconds(1))
    #expect(scale.reading.isUnderloaded)
    #expect(scale.reading.printable == "-50 g")
    scale.settle(100)
    #expect(scale.reading.state == .empty && !scale.reading.isUnderloaded)
  }

  /// More than a fifth of the capacity may be a plate with something on it.
  @Test func aHeavyPlateHasToBeZeroed() {
    var scale = scale(plate: 200)
    #expect(scale.reading.printable == "100 g")
    scale.ask(.zero)
    #expect(scale.reading.printable == "0 g")
    #expect(scale.reading.state == .empty)
    scale.settle(300)
    #expect(scale.reading.printable == "50 g")
  }

  /// 0.004 g/s, the warm-up of a load cell, for 15 minutes: seven times the band.
  @Test(arguments: [true, false])
  func theZeroFollowsSlowDrift(_ tracks: Bool) {
    var scale = scale { $0.scale.tracksZero = tracks }
    var wasEmpty = true
    for second in 1...900 {
      scale.hold(100 + 0.008 * Double(second), for: .seconds(1), noise: 0.7, every: .milliseconds(40))
      wasEmpty = wasEmpty && scale.reading.printable == "0 g"
    }
    #expect(wasEmpty == tracks)
    scale.settle(308)
    #expect(scale.reading.printable == (tracks ? "100 g" : "104 g"))
  }

  /// 20 g that arrive slowly on an empty plate are shown within a division at the end.
  @Test(arguments: [0.02, 0.03, 0.05, 0.1, 0.2, 0.4, 0.5], [(0.2, 40), (0.7, 40), (0.2, 100), (0.7, 100)])
  func massThatArrivesSlowlyIsNotDrift(_ rate: Double, _ pad: (noise: Double, period: Int)) {
    let (noise, period) = (pad.noise, Interval.milliseconds(pad.period))
    var scale = scale()
    scale.hold(100, for: .seconds(20), noise: noise, every: period)
    let begin = scale.now
    while (scale.now - begin).seconds < 20 / rate {
      let mass = rate * (scale.now - begin).seconds
      scale.hold(100 + 2 * mass, for: period, noise: noise, every: period)
    }
    scale.hold(140, for: .seconds(10), noise: noise, every: period)
    #expect(((scale.reading.highResolution?.value ?? 0) - 20).magnitude < 1, "\(scale.reading)")
    #expect(((scale.reading.net?.mass.value ?? 0) - 20).magnitude <= 1)
  }

  /// An empty load cell wanders by 0.35 g in ten minutes.
  @Test(arguments: [-0.35, 0.35], [40, 100])
  func aWanderingLoadCellStaysAtZero(_ wander: Double, _ period: Int) {
    var scale = scale()
    _ = scale.take()
    for step in 0..<600 {
      let phase = Double(step) / 600 * 2
      let drift = wander * (phase < 1 ? phase : 2 - phase)
      scale.hold(100 + 2 * drift, for: .seconds(1), noise: 0.7, every: .milliseconds(period))
    }
    #expect(Set(scale.take().live.map(\.printable)) == ["0 g"])
  }

  /// Zero tracking moves zero by 4 % of the capacity in all: 15.4 g.
  @Test func theSumOfZeroTrackingIsBounded() {
    var scale = scale()
    // The zero is not refined any more.
    scale.wait(.seconds(11))
    for minute in 1...100 {
      scale.hold(100 + 0.48 * Double(minute), for: .seconds(60), noise: 0.7, every: .milliseconds(40))
    }
    let reading = scale.reading
    #expect(((reading.highResolution?.value ?? 0) - (24 - 15.4)).magnitude < 0.6, "\(reading)")
    scale.ask(.zero)
    scale.wait(.seconds(3))
    let taken = scale.take().events.compactMap { if case .zeroed(let mass) = $0 { mass.steps } else { nil } }
    #expect(taken == [50, 9], "the plate, and what zero took off")
  }

  /// A load does not count as drift, however long it stays.
  @Test(arguments: [2, 3, 10])
  func theZeroDoesNotFollowALoad(_ counts: Int) {
    var scale = scale()
    scale.settle(100 + counts)
    scale.hold(100 + Double(counts), for: .seconds(30), noise: 0.5)
    scale.settle(300)
    #expect(scale.reading.printable == "100 g")
  }

  @Test func zonesMeanNothingUnderAPlate() {
    var scale = scale()
    let corner = Position(x: 0.05, y: 0.5)
    scale.frame([Contact(serial: 1, position: corner, origin: corner, raw: RawForce(300), isAtMaximum: false)])
    scale.wait(.seconds(1))
    #expect(scale.reading.printable == "100 g")
  }

  @Test func tareAndZeroOfAnEmptyPlate() {
    var scale = scale()
    scale.ask(.tare)
    scale.ask(.zero)
    #expect(scale.take().rejections == [.empty, nil])
  }

  /// Grams change with the points; the plate stays what it is.
  @Test func thePlateOutlivesACalibration() throws {
    var scale = scale()
    let halved = try curve(.linear, [(0, 0), (1000, 250)])
    scale.change { $0.curve = halved }
    scale.wait(.seconds(1))
    #expect(scale.reading.printable == "0 g")
    #expect(scale.reading.state == .empty)
    scale.settle(300)
    #expect(scale.reading.printable == "50 g")
  }
}
