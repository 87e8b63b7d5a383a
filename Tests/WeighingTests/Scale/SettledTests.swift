import Recordings
import Testing
import Weighing

/// `stable`: once for each settled load, by the clock alone.
@Suite struct SettledTests {
  /// One frame and then nothing: a silent pad is a steady pad.
  @Test(arguments: [10, 146, 500, 760])
  func aSilentPadSettles(_ counts: Int) {
    var scale = HandFedScale()
    let down = scale.now
    scale.frame(counts)
    scale.wait(.seconds(5))
    let settled = scale.take().settled
    #expect(settled.count == 1)
    #expect(settled.first?.net?.steps == counts / 2)
    let after = settled.first.map { $0.time - down } ?? .zero
    #expect(after >= .milliseconds(300) && after <= .milliseconds(600), "\(after.seconds) s")
  }

  /// Loads from 5 to 380 g on the simulated pad without noise, which says nothing once they lie still.
  @Test func everySilentLoadSettlesAtItsWeight() throws {
    var physics = PadPhysics.required
    physics.noiseCounts = 0
    for mass in stride(from: 5, through: 380, by: 25) {
      let weighed = try Weighed(Double(mass), physics: physics, settings: try physics.calibrated(), seed: 1)
      #expect(weighed.delay <= 0.45)
      #expect(weighed.settledError <= 0.6)
      #expect(weighed.displayedError <= 1)
    }
  }

  @Test(arguments: [100, 300, 1000])
  func itTakesTheConfiguredTime(_ time: Int) {
    var settings = ScaleSettings()
    settings.stability.time = .milliseconds(time)
    var scale = HandFedScale(settings)
    let down = scale.now
    scale.hold(200, for: .seconds(3), noise: 0.3)
    let settled = scale.take().settled
    #expect(settled.count == 1)
    let after = (settled.first?.time ?? down) - down
    #expect(after >= .milliseconds(time) && after <= .milliseconds(time + 100), "\(after.seconds) s")
  }

  @Test func onceForEachLoad() {
    var scale = HandFedScale()
    scale.hold(200, for: .seconds(20))
    #expect(scale.take().settled.count == 1)
    scale.hold(300, for: .seconds(5))
    #expect(scale.take().settled.map(\.printable) == ["150 g"])
    scale.hold(200, for: .seconds(5))
    #expect(scale.take().settled.map(\.printable) == ["100 g"])
  }

  /// A knock does not make another load of it.
  @Test func notAgainAfterAKnock() {
    var scale = HandFedScale()
    scale.hold(200, for: .seconds(2))
    scale.hold(260, for: .milliseconds(100))
    scale.hold(200, for: .seconds(2))
    #expect(scale.take().settled.count == 1)
  }

  /// Less than the limit of motion is no motion: the reading follows and stays stable.
  @Test func aSmallChangeDoesNotShakeTheReading() {
    var scale = HandFedScale()
    scale.hold(200, for: .seconds(3), noise: 0.6)
    for counts in [201.2, 200, 201.2] {
      for _ in 0..<120 {
        scale.hold(counts, for: .milliseconds(8), noise: 0.6)
        #expect(scale.reading.state == .stable)
      }
      #expect(((scale.reading.highResolution?.value ?? 0) - counts / 2).magnitude < 0.25)
    }
    #expect(scale.take().settled.count == 1)
  }

  /// What only touches may be a hand: under the minimum, rest takes three times as long.
  @Test func aTouchUnderTheMinimumHasToRestLonger() {
    var scale = HandFedScale()
    let down = scale.now
    scale.frame(2)
    scale.wait(.seconds(3))
    let settled = scale.take().settled
    #expect(settled.map(\.printable) == ["1 g"])
    #expect((settled.first?.time ?? down) - down >= .milliseconds(900))
  }

  @Test func aSettledReadingSaysHowCertainItIs() throws {
    var scale = HandFedScale()
    scale.hold(200, for: .seconds(4))
    let uncertainty = try #require(scale.reading.uncertainty?.value)
    // 10 % for the driver's grams; the rest hardly counts.
    #expect((10.0...10.1).contains(uncertainty))
    scale.hold(600, for: .milliseconds(24))
    #expect(scale.reading.uncertainty == nil)
  }

  @Test func withACalibrationTheDivisionDecides() throws {
    var settings = ScaleSettings()
    settings.curve = try curve(.linear, [(0, 0), (500, 250), (800, 400), (1000, 500)])
    var scale = HandFedScale(settings)
    scale.hold(200, for: .seconds(4))
    // 1 g / sqrt(12).
    let uncertainty = try #require(scale.reading.uncertainty?.value)
    #expect((0.288...0.33).contains(uncertainty), "\(uncertainty)")
  }
}
