import Testing
import Weighing

/// A finger in the zone `history`, next to a load of 100 g.
@Suite struct HistoryTests {
  /// A scale with 12 weighings; the zone reaches 10 of them.
  private static func scale(_ weighings: [RecordedWeighing] = .numbered(1...12), depth: Int = 10) -> HandFedScale {
    var settings = ScaleSettings.hands
    settings.history.depth = depth
    var scale = HandFedScale(settings)
    scale.handle(.history(weighings))
    scale.settle(200)
    _ = scale.take()
    return scale
  }

  struct Course: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The finger: its height, its force as a fraction of the full one, and for how long, in milliseconds.
    var path: [(height: Double, force: Double, time: Int)]
    var states: [GestureReport.State]
    var previews: [Int?]
    var recalls: [Int] = []
  }

  @Test(arguments: [
    Course(
      testDescription: "a peek", path: [(0.8, 0.1, 100), (0.8, 0.26, 300)], states: [.updating, .selected, .idle],
      previews: [nil, 12, nil]),
    Course(
      testDescription: "a pop", path: [(0.8, 0.26, 300), (0.5, 0.26, 50)],
      states: [.updating, .selected, .confirmed, .idle], previews: [nil, 12, nil], recalls: [12]),
    Course(
      testDescription: "a tap, hard", path: [(0.8, 1, 190)], states: [.updating, .idle], previews: [nil]),
    Course(
      testDescription: "a tap, hard and upwards", path: [(0.8, 1, 90), (0.3, 1, 90)], states: [.updating, .idle],
      previews: [nil]),
    Course(
      testDescription: "slid up before it is more than a tap", path: [(0.8, 0.5, 90), (0.3, 0.5, 200)],
      states: [.updating, .confirmed, .idle], previews: [nil, 8, nil], recalls: [8]),
    Course(
      testDescription: "soft, for long", path: [(0.8, 0.24, 1000), (0.4, 0.24, 500)], states: [.updating, .idle],
      previews: [nil]),
    Course(
      testDescription: "to the oldest", path: [(0.8, 0.3, 300), (0.8, 0.752, 100), (0.8, 1, 100)],
      states: [.updating, .selected, .idle], previews: [nil, 12, 3, nil]),
    Course(
      testDescription: "let go of without lifting", path: [(0.8, 0.4, 300), (0.8, 0.2, 100), (0.4, 0.2, 100)],
      states: [.updating, .selected, .updating, .idle], previews: [nil, 10, nil]),
    Course(
      testDescription: "popped once, whatever follows",
      path: [(0.8, 0.4, 300), (0.5, 0.4, 50), (0.8, 0.6, 50), (0.5, 0.6, 50), (0.5, 0, 50)],
      states: [.updating, .selected, .confirmed, .idle], previews: [nil, 10, nil], recalls: [10]),
    Course(
      testDescription: "slid not far enough", path: [(0.8, 0.4, 300), (0.56, 0.4, 50)],
      states: [.updating, .selected, .idle], previews: [nil, 10, nil]),
    Course(
      testDescription: "slid down", path: [(0.8, 0.4, 300), (1, 0.4, 50)], states: [.updating, .selected, .idle],
      previews: [nil, 10, nil]),
    Course(
      testDescription: "read for longer than a press may last", path: [(0.8, 0.4, 30_000), (0.5, 0.4, 50)],
      states: [.updating, .selected, .confirmed, .idle], previews: [nil, 10, nil], recalls: [10]),
  ])
  func oneFinger(_ course: Course) {
    var scale = Self.scale()
    for (height, force, time) in course.path {
      scale.frame([.load(200), .scrub(force, at: height)])
      scale.wait(.milliseconds(time))
    }
    scale.frame([.load(200)])
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.states == course.states)
    #expect(effects.previews == course.previews)
    #expect(effects.recalls == course.recalls)
    #expect(effects.gestures.allSatisfy { $0.action == "history" })
    #expect(effects.drafts.isEmpty && effects.results.isEmpty, "no preview and no recall is an action")
    #expect(effects.live.allSatisfy { $0.state == .stable && $0.gross.steps == 100 }, "the load is undisturbed")
  }

  /// 0.25 is the newest weighing, and each step of 0.5 / (depth - 1) goes back one.
  @Test(arguments: [(10, 12), (10, 10), (10, 4), (5, 12), (2, 12), (1, 12), (100, 120), (10, 0)])
  func risingForceGoesBack(_ depth: Int, _ count: Int) {
    var scale = Self.scale(count == 0 ? [] : .numbered(1...count), depth: depth)
    scale.show(.load(200), .scrub(0.1))
    scale.wait(.milliseconds(200))
    for force in stride(from: 0.1, through: 1, by: 0.0021) {
      scale.frame([.load(200), .scrub(force)])
      scale.wait(.milliseconds(100))
      guard let report = scale.take().gestures.last else { continue }
      // Of a fraction in whole counts.
      let intention = (force * 346).rounded() / 346
      let back = min(max(Int((intention - 0.25) / 0.5 * Double(depth - 1) + 1e-9), 0), min(depth, count) - 1)
      #expect(report.preview?.weighing?.sequence == (intention < 0.25 || count == 0 ? nil : count - back), "\(force)")
    }
  }

  /// The noise of a finger between two weighings does not make the preview flicker.
  @Test func thePreviewIsSteady() {
    var scale = Self.scale()
    scale.show(.load(200), .scrub(0.3))
    scale.wait(.milliseconds(300))
    for step in 0..<200 { scale.show(.load(200), .scrub(step % 2 == 0 ? 0.307 : 0.303)) }
    #expect(scale.take().previews == [nil, 12, 11])
  }

  struct Disturbance: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var disturb: @Sendable (inout HandFedScale) -> Void
  }

  private static let disturbances: [Disturbance] = [
    Disturbance(testDescription: "a second finger in the zone") {
      $0.show(.load(200), .scrub(0.4), .scrub(0.4, serial: 3))
    },
    Disturbance(testDescription: "a finger on a control") { $0.show(.load(200), .scrub(0.4), .fade(0.4, serial: 3)) },
    Disturbance(testDescription: "a gap") { $0.show(.load(200), .scrub(0.4), gap: true) },
    Disturbance(testDescription: "a finger that leaves sideways") { $0.show(.load(200), .scrub(0.4, x: 0.3)) },
    Disturbance(testDescription: "a key") { $0.key(.pressed) },
    Disturbance(testDescription: "the loss of the pad") { $0.handle(.padLost("gone")) },
    Disturbance(testDescription: "other zones") { $0.change { $0.zones = .standard } },
  ]

  @Test(arguments: disturbances)
  func aDisturbanceCancels(_ disturbance: Disturbance) {
    var scale = Self.scale()
    scale.show(.load(200), .scrub(0.4))
    scale.wait(.milliseconds(300))
    disturbance.disturb(&scale)
    for height in [0.6, 0.4] { scale.show(.load(200), .scrub(0.4, at: height)) }
    scale.show(.load(200))
    let effects = scale.take()
    #expect(Array(effects.states.prefix(3)) == [.updating, .selected, .idle])
    #expect(effects.recalls.isEmpty)
  }

  @Test func everyStepIsFelt() {
    var scale = Self.scale()
    for (height, force) in [(0.8, 0.26), (0.8, 0.36), (0.8, 0.76), (0.5, 0.76)] {
      scale.frame([.load(200), .scrub(force, at: height)])
      scale.wait(.milliseconds(250))
    }
    scale.show(.load(200))
    #expect(scale.take().feedback == [.selected, .selected, .selected, .confirmed, .ended])
  }

  /// A record that is made during a touch does not move the weighings under the finger.
  @Test func theWeighingsAreThoseOfTheTouchDown() {
    var scale = Self.scale()
    scale.show(.load(200), .scrub(0.26))
    scale.wait(.milliseconds(300))
    scale.handle(.history(.numbered(2...13)))
    scale.show(.load(200), .scrub(0.26, at: 0.5))
    scale.show(.load(200))
    #expect(scale.take().recalls == [12])
    scale.show(.load(200), .scrub(0.26, serial: 7))
    scale.wait(.milliseconds(300))
    #expect(scale.take().previews == [nil, 13])
  }

  // MARK: What a void refers to

  /// Recalls weighing 10.
  private static func recalled() -> HandFedScale {
    var scale = scale()
    scale.frame([.load(200), .scrub(0.4)])
    scale.wait(.milliseconds(300))
    scale.show(.load(200), .scrub(0.4, at: 0.5))
    scale.show(.load(200))
    _ = scale.take()
    return scale
  }

  private static func references(_ effects: [Effect]) -> [WeighingReference] {
    effects.drafts.compactMap { draft in
      switch draft.kind {
      case .void(let reference), .relabel(let reference): reference
      case .weighing: nil
      }
    }
  }

  @Test(arguments: ActionSource.allCases)
  func onlyThePadAndItsButtonsMeanTheRecalledWeighing(_ source: ActionSource) {
    let id = RecordedWeighing.numbered(10).id
    for action in [Action.void, .relabel] {
      for (seconds, isRecalled) in [(9.9, true), (10.1, false)] {
        var scale = Self.recalled()
        scale.wait(.seconds(seconds - 0.016))
        scale.handle(.request(ActionRequest(action: action, label: "rye", source: source)))
        let expected = isRecalled && (source == .pad || source == .button) ? WeighingReference.id(id) : .last
        #expect(Self.references(scale.take()) == [expected], "\(action) after \(seconds) s")
      }
    }
  }

  @Test func anIdIsKept() {
    var scale = Self.recalled()
    let other = WeighingReference.id(RecordedWeighing.numbered(3).id)
    scale.handle(.request(ActionRequest(action: .void, reference: other, source: .button)))
    #expect(Self.references(scale.take()) == [other])
  }

  /// A press that begins in time means what the user saw, even if it is confirmed later.
  @Test(arguments: [(8.0, true), (10.5, false)])
  func aPressInAZoneMeansWhatWasRecalledWhenItBegan(_ seconds: Double, _ isRecalled: Bool) {
    var scale = Self.recalled()
    scale.wait(.seconds(seconds))
    for height in [0.95, 0.95, 0.6] {
      scale.frame([.load(200), .finger(1, at: height, x: 0.5, serial: 9, from: 0.95)])
      scale.wait(.seconds(1.5))
    }
    scale.show(.load(200))
    let id = RecordedWeighing.numbered(10).id
    #expect(Self.references(scale.take()) == [isRecalled ? .id(id) : .last])
  }
}
