import Testing
import Weighing

/// A finger in a zone of the pad, next to a load of 100 g.
@Suite struct ZonePressTests {
  struct Course: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The finger, frame by frame: its height and its force as a fraction of the full one.
    var path: [(height: Double, force: Double)]
    var states: [GestureReport.State]
    var fires = false
  }

  @Test(arguments: [
    Course(
      testDescription: "a full confirm", path: [(0.8, 0.3), (0.8, 1), (0.5, 1)],
      states: [.updating, .selected, .confirmed, .idle], fires: true),
    Course(
      testDescription: "hard from the start", path: [(0.8, 1), (0.55, 1)], states: [.selected, .confirmed, .idle],
      fires: true),
    Course(
      testDescription: "slid first, pressed then", path: [(0.8, 0.3), (0.5, 0.3), (0.5, 1)],
      states: [.updating, .confirmed, .idle], fires: true),
    Course(
      testDescription: "slid back", path: [(0.8, 1), (0.5, 1), (0.8, 1)],
      states: [.selected, .confirmed, .selected, .idle]),
    Course(
      testDescription: "slid back and up again", path: [(0.8, 1), (0.5, 1), (0.8, 1), (0.5, 1)],
      states: [.selected, .confirmed, .selected, .confirmed, .idle], fires: true),
    Course(testDescription: "lifted too early", path: [(0.8, 0.3), (0.8, 1)], states: [.updating, .selected, .idle]),
    Course(testDescription: "never hard", path: [(0.8, 0.3), (0.5, 0.9)], states: [.updating, .idle]),
    Course(
      testDescription: "force falls in the area", path: [(0.8, 1), (0.5, 1), (0.5, 0.5), (0.5, 0.01)],
      states: [.selected, .confirmed, .idle], fires: true),
    Course(
      testDescription: "force falls in the area, then slid back", path: [(0.8, 1), (0.5, 1), (0.5, 0.5), (0.8, 0.5)],
      states: [.selected, .confirmed, .updating, .idle]),
    Course(
      testDescription: "back in the area without force", path: [(0.8, 1), (0.5, 1), (0.8, 0.5), (0.5, 0.5)],
      states: [.selected, .confirmed, .updating, .idle]),
    Course(
      testDescription: "force falls as it enters the area", path: [(0.8, 1), (0.5, 0.9)],
      states: [.selected, .idle]),
    Course(testDescription: "slid down", path: [(0.8, 1), (1, 1)], states: [.selected, .idle]),
    Course(testDescription: "slid not far enough", path: [(0.8, 1), (0.56, 1)], states: [.selected, .idle]),
    Course(
      testDescription: "force falls outside", path: [(0.8, 1), (0.8, 0.9)], states: [.selected, .updating, .idle]),
    Course(
      testDescription: "the axis at its end counts as full", path: [(0.8, 3), (0.5, 3)],
      states: [.selected, .confirmed, .idle], fires: true),
  ])
  func oneFinger(_ course: Course) throws {
    var scale = HandFedScale()
    scale.settle(200)
    _ = scale.take()
    for (height, force) in course.path { scale.show(.load(200), .finger(force, at: height)) }
    let before = scale.take()
    #expect(before.drafts.isEmpty, "nothing is done before the finger is lifted")
    scale.lift(.load(200))
    scale.wait(.seconds(3))
    let after = scale.take()
    #expect((before + after).states == course.states)
    #expect((before + after).gestures.allSatisfy { $0.action == "commit" })
    #expect(after.nets == (course.fires ? [100] : []))
    #expect(after.drafts.allSatisfy { $0.request.source == .pad })
    #expect((before + after).settled.isEmpty, "the load has not changed")
    #expect(scale.reading.state == .stable)
  }

  @Test func aFullPressTareTakesTheLoad() {
    var scale = HandFedScale()
    scale.settle(200)
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height, x: 0.05)) }
    scale.lift(.load(200))
    #expect(scale.take().tares == [100])
  }

  @Test func itLightsUp() {
    var scale = HandFedScale()
    scale.settle(200)
    for (height, force) in [(0.8, 0.5), (0.8, 1), (0.5, 1)] { scale.show(.load(200), .finger(force, at: height)) }
    scale.show(.load(200))
    #expect(scale.take().feedback == [.selected, .confirmed, .ended])
  }

  /// From an intention of 0.25, a report contains the reading that would be committed. A changing intention is reported at
  /// the live interval.
  @Test func thePreviewIsWhatWouldBeCommitted() throws {
    var scale = HandFedScale()
    scale.settle(200)
    let settled = try #require(scale.take().settled.first)
    for step in 1...100 { scale.show(.load(200), .finger(Double(step) / 200)) }
    let reports = scale.take().gestures
    #expect((8...10).contains(reports.count))
    for report in reports {
      #expect(report.state == .updating)
      #expect((report.preview != nil) == (report.intention >= 0.25))
      #expect(report.preview.map { $0.reading?.net == settled.net } ?? true)
    }
  }

  /// The last intention of a silent finger is reported.
  @Test func theLastIntentionIsReported() {
    var scale = HandFedScale()
    scale.show(.finger(0.1))
    scale.show(.finger(0.6))
    scale.wait(.seconds(1))
    let reports = scale.take().gestures
    #expect(reports.count == 2 && (reports.last?.intention ?? 0) > 0.59)
  }

  struct Disturbance: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var cancels = true
    var happen: @Sendable (inout HandFedScale) -> Void
  }

  @Test(
    arguments: [
      Disturbance(testDescription: "a second finger in the same zone") {
        $0.show(.load(200), .finger(1, at: 0.5), .finger(0.2, at: 0.3, serial: 3, from: 0.3))
      },
      Disturbance(testDescription: "a second finger in another zone") {
        $0.show(.load(200), .finger(1, at: 0.5), .finger(0.2, x: 0.05, serial: 3))
      },
      Disturbance(testDescription: "a gap") { $0.show(.load(200), .finger(1, at: 0.5), gap: true) },
      Disturbance(testDescription: "a key") { $0.key(.pressed) },
      Disturbance(testDescription: "another threshold") { $0.change { $0.confirm.threshold = 0.9 } },
      Disturbance(testDescription: "a load finger", cancels: false) {
        $0.show(.load(200), .load(30, serial: 3), .finger(1, at: 0.5))
      },
    ], [[0.8], [0.8, 0.5]])
  func whileItPresses(_ disturbance: Disturbance, _ heights: [Double]) {
    var scale = HandFedScale()
    scale.settle(200)
    for height in heights { scale.show(.load(200), .finger(1, at: height)) }
    disturbance.happen(&scale)
    scale.key(.released)
    // The finger that stays is spent, whatever it does now.
    for height in [0.8, 0.5, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.lift(.load(200))
    scale.wait(.seconds(3))
    #expect(scale.take().nets == (disturbance.cancels ? [] : [100]))
    // The next one counts.
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height, serial: 5)) }
    scale.lift(.load(200))
    #expect(scale.take().nets == [100])
  }

  @Test func aLostPadCancels() {
    var scale = HandFedScale()
    scale.settle(200)
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.handle(.padLost("unplugged"))
    scale.handle(.padFound(.slots()))
    scale.show(.load(200))
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.nets.isEmpty && effects.rejections == [.padMissing])
    #expect(effects.states == [.selected, .confirmed, .idle] && effects.feedback.last == .ended)
  }

  /// One of two fingers is lifted: the other is no press yet.
  @Test func theOtherFingerIsSpentToo() {
    var scale = HandFedScale()
    scale.settle(200)
    scale.show(.load(200), .finger(1))
    scale.show(.load(200), .finger(1), .finger(1, serial: 3))
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height, serial: 3)) }
    scale.show(.load(200))
    #expect(scale.take().nets.isEmpty)
  }

  /// In one frame: the old finger fires, the new one begins.
  @Test func oneFingerRelievesAnother() {
    var scale = HandFedScale()
    scale.settle(200)
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.lift(.load(200), .finger(1, at: 0.8, serial: 3))
    #expect(scale.take().nets == [100])
    scale.show(.load(200), .finger(1, at: 0.5, serial: 3))
    scale.lift(.load(200))
    #expect(scale.take().nets == [100])
  }

  @Test func aQuickActionHasAZone() throws {
    var settings = ScaleSettings()
    settings.zones = Zones([.init(.action("beans"), .init(x: 0.85...1, y: 0...1))])
    settings.quickActions = [
      QuickAction(type: "beans", title: "Beans", userInfo: [.init(name: "label", value: .text("kidney"))])
    ]
    var scale = HandFedScale(settings)
    scale.settle(200)
    func press() {
      for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
      scale.lift(.load(200))
    }
    press()
    let draft = try #require(scale.take().drafts.first)
    #expect(draft.request.name == "beans" && draft.label == "kidney")
    scale.handle(.replaceActions([], ActionRequest(name: "actions", source: .mqtt)))
    press()
    #expect(scale.take().rejections == [nil, .unknownAction])
    scale.handle(.replaceActions(nil, ActionRequest(name: "actions", source: .mqtt)))
    press()
    #expect(scale.take().drafts.map(\.label) == ["kidney"])
  }

  @Test func theSettingsDecide() {
    var settings = ScaleSettings()
    settings.confirm.full = Grams(50)
    settings.confirm.threshold = 1
    settings.confirm.slide = 0.1
    var scale = HandFedScale(settings)
    scale.settle(200)
    for (force, fires) in [(99.0, false), (100, true)] {
      for height in [0.8, 0.7] { scale.show(.load(200), .finger(force / 346, at: height)) }
      scale.lift(.load(200))
      #expect(scale.take().nets == (fires ? [100] : []), "\(force)")
    }
  }

  @Test func withoutZonesTheWholePadWeighs() {
    var settings = ScaleSettings()
    settings.zones = .none
    var scale = HandFedScale(settings)
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.wait(.seconds(1))
    #expect(scale.take().gestures.isEmpty)
    #expect(scale.reading.printable == "273 g")
  }
}
