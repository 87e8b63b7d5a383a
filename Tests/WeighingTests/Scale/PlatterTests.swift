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
    #expect(scale.take().events.last == .zeroed)
    #expect(scale.reading.state == .empty)
    #expect(scale.reading.printable == "0 g")
    #expect(scale.reading.tareEpoch == 1)
    scale.settle(300)
    #expect(scale.reading.printable == "100 g")
    #expect(scale.take().settled.map(\.printable) == ["100 g"])
  }

  @Test(arguments: [96, 100, 104])
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
    var scale = scale { $0.tareOnRelease = .clear }
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

  /// 0.1 g a second for a minute is six times the band.
  @Test(arguments: [true, false])
  func theZeroFollowsSlowDrift(_ tracks: Bool) {
    var scale = scale { $0.tracksZero = tracks }
    for second in 1...60 { scale.hold(100 + 0.2 * Double(second), for: .seconds(1), noise: 0.7) }
    #expect((scale.reading.state == .empty) == tracks)
    scale.settle(312)
    #expect(scale.reading.printable == (tracks ? "100 g" : "106 g"))
  }

  /// What is put down is not drift, however long it lies there.
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
