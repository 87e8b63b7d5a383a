import Testing
import Weighing

/// A finger on a control, next to a load of 100 g.
@Suite struct ControlTests {
  private static func scale() -> HandFedScale {
    var scale = HandFedScale(.hands)
    scale.settle(200)
    _ = scale.take()
    return scale
  }

  @Test func aTouchIsPublishedFromBeginningToEnd() throws {
    var scale = Self.scale()
    scale.frame([.load(200), .fade(0.1, at: 0.1)])
    scale.wait(.milliseconds(500))
    scale.frame([.load(200), .fade(0.6, at: 0.3)])
    scale.wait(.milliseconds(500))
    scale.frame([.load(200)])
    scale.wait(.seconds(1))
    let reports = scale.take().controls
    #expect(reports.map(\.state) == [.began, .changed, .ended])
    #expect(reports.allSatisfy { $0.name == .lamp })
    for (report, (value, y)) in zip(reports, [(0.1, 0.25), (0.6, 0.75), (0.6, 0.75)]) {
      #expect((report.value - value).magnitude < 0.002)
      let position = try (#require(report.x), #require(report.y))
      #expect((position.0 - 0.5).magnitude < 1e-9 && (position.1 - y).magnitude < 1e-9)
    }
  }

  @Test func theWeightIsUndisturbed() {
    var scale = Self.scale()
    for force in stride(from: 0.02, through: 2, by: 0.02) { scale.show(.load(200), .fade(force)) }
    scale.show(.load(200))
    let effects = scale.take()
    #expect(effects.settled.isEmpty && effects.gestures.isEmpty)
    #expect(effects.live.allSatisfy { $0.state == .stable && $0.gross.steps == 100 })
    #expect(effects.controls.map(\.value).max() == 1)
  }

  /// At most one report in each live interval between the first and the last one; the last level is always reported.
  @Test(arguments: [10, 50, 100, 400]) func theRateIsLimited(_ milliseconds: Int) throws {
    var scale = Self.scale()
    scale.change { $0.publish.liveMaximum = SampleRate(1000 / Double(milliseconds)) }
    for step in 1...500 { scale.show(.load(200), .fade(Double(step) / 500)) }
    scale.wait(.seconds(1))
    let moving = scale.take().controls
    for (first, second) in zip(moving, moving.dropFirst()) {
      #expect(second.time - first.time >= .milliseconds(milliseconds))
    }
    #expect(moving.count >= 4000 / Int(milliseconds + 8))
    #expect(moving.last?.value == 1 && moving.map(\.state) == [.began] + moving.dropFirst().map { _ in .changed })
    scale.wait(.seconds(60))
    #expect(scale.take().controls.isEmpty, "a finger at rest is silent")
    scale.show(.load(200))
    #expect(scale.take().controls.map(\.state) == [.ended])
  }

  @Test func aFingerThatLeavesTheZoneStaysOnTheControl() throws {
    var scale = Self.scale()
    scale.frame([.load(200), .fade(0.5)])
    scale.wait(.milliseconds(200))
    scale.frame([.load(200), .fade(0.5, at: 0.9, x: 0.1)])
    scale.wait(.milliseconds(200))
    scale.frame([.load(200)])
    let reports = scale.take().controls
    #expect(reports.map(\.state) == [.began, .changed, .ended])
    #expect(reports.last?.x == 0 && reports.last?.y == 1)
  }

  struct Disturbance: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var disturb: @Sendable (inout HandFedScale) -> Void
  }

  private static let disturbances: [Disturbance] = [
    Disturbance(testDescription: "a second finger on it") { $0.show(.load(200), .fade(0.4), .fade(0.4, serial: 3)) },
    Disturbance(testDescription: "a finger on another control") {
      $0.show(.load(200), .fade(0.4), .finger(1, x: 0.9, serial: 3))
    },
    Disturbance(testDescription: "a gap") { $0.show(.load(200), .fade(0.4), gap: true) },
    Disturbance(testDescription: "a key") { $0.key(.pressed) },
    Disturbance(testDescription: "the loss of the pad") { $0.handle(.padLost("gone")) },
    Disturbance(testDescription: "another pad") { $0.handle(.padFound(.slots())) },
    Disturbance(testDescription: "other zones") { $0.change { $0.zones = .standard } },
    Disturbance(testDescription: "the end of the service") { $0.handle(.shutdown) },
  ]

  @Test(arguments: disturbances)
  func aDisturbanceCancels(_ disturbance: Disturbance) {
    var scale = Self.scale()
    scale.show(.load(200), .fade(0.4))
    disturbance.disturb(&scale)
    scale.show(.load(200), .fade(0.9))
    scale.show(.load(200))
    #expect(scale.take().controls.map(\.state) == [.began, .cancelled])
  }

  @Test func aSilentFingerIsCancelledByTheEndOfTheService() {
    var scale = Self.scale()
    scale.show(.load(200), .fade(0.4))
    scale.wait(.seconds(20))
    scale.handle(.shutdown)
    #expect(scale.take().controls.map(\.state) == [.began, .cancelled])
    scale.handle(.shutdown)
    #expect(scale.take().controls.isEmpty)
  }

  @Test func theEndOfTheForceIsFelt() {
    var scale = Self.scale()
    for force in [0.5, 1, 0.5] { scale.show(.load(200), .fade(force)) }
    scale.show(.load(200))
    #expect(scale.take().feedback == [.selected, .ended])
  }

  @Test(arguments: ["", "a b", "a/b", "a+", "ü", "a.b", String(repeating: "a", count: 65)])
  func aNameThatIsNotSafeIsRefused(_ text: String) {
    #expect(ControlName(text) == nil)
  }
}
