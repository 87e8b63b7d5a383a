import Recordings
import Testing
import Weighing

/// What moves through a strip and is no press: straps, pulls and pushed objects.
@Suite struct FalsePressTests {
  private static func loaded(_ change: (inout ScaleSettings) -> Void = { _ in }) -> HandFedScale {
    var settings = ScaleSettings()
    change(&settings)
    var scale = HandFedScale(settings)
    scale.settle(200)
    _ = scale.take()
    return scale
  }

  @Test(arguments: [(0.76, true), (0.75, true), (0.749, false), (0.5, false), (0.0, false)])
  func aFingerThatLeavesTheZoneSideways(_ x: Double, _ fires: Bool) {
    var scale = Self.loaded()
    scale.show(.load(200), .finger(1))
    scale.show(.load(200), .finger(1, at: 0.5, x: x, fromX: 0.95))
    // Coming back does not make it a press again.
    scale.show(.load(200), .finger(1, at: 0.5))
    scale.lift(.load(200))
    #expect(scale.take().nets == (fires ? [100] : []))
  }

  @Test(arguments: [(16, false), (99, false), (100, true), (150, true)])
  func aFingerThatIsLiftedTooSoon(_ milliseconds: Int, _ fires: Bool) {
    var scale = Self.loaded()
    scale.show(.load(200), .finger(1))
    scale.frame([.load(200), .finger(1, at: 0.5)])
    scale.wait(.milliseconds(milliseconds))
    scale.show(.load(200))
    let effects = scale.take()
    #expect(effects.nets == (fires ? [100] : []))
    #expect(effects.states == [.selected, .confirmed, .idle] && effects.feedback.last == .ended)
  }

  @Test(arguments: [(10_000, 9_900, true), (10_000, 10_010, false), (3000, 2900, true), (3000, 3010, false)])
  func aFingerThatStaysTooLong(_ timeout: Int, _ milliseconds: Int, _ fires: Bool) {
    var scale = Self.loaded { $0.confirm.timeout = .milliseconds(timeout) }
    scale.show(.load(200), .finger(1))
    scale.frame([.load(200), .finger(1, at: 0.5)])
    scale.wait(.milliseconds(milliseconds - 8))
    scale.show(.load(200))
    #expect(scale.take().nets == (fires ? [100] : []))
  }

  /// It is over when its time is, not when the pad next says something.
  @Test func aTimeoutIsADeadline() throws {
    var scale = Self.loaded()
    let start = scale.now
    scale.frame([.load(200), .finger(1)])
    scale.wait(.seconds(20))
    let reports = scale.take().gestures
    #expect(try #require(reports.last).time == start + .seconds(10))
    #expect(reports.map(\.state) == [.selected, .idle])
  }

  /// A path through the strip in steps of 16 ms; whether it fires.
  private static func fires(
    _ force: Int, _ path: [(x: Double, y: Double)], then left: Int = 0, before: Int = 0
  ) -> Bool {
    var scale = loaded()
    let (x, y) = path[0]
    func show(_ point: (x: Double, y: Double), _ share: Double = 1) {
      scale.frame([
        .load(200), .finger(Double(force) * share / 173, at: point.y, x: point.x, from: y, fromX: x),
      ])
      scale.wait(.milliseconds(16))
    }
    for share in [0.3, 0.7] { show((x, y), share) }
    show((x, y))
    scale.wait(.milliseconds(before))
    for point in path.dropLast(2) { show(point) }
    if left > 0 {
      show(path[path.count - 1])
      scale.wait(.milliseconds(left))
    }
    // The force fades while it still moves, or where it was left.
    for (point, share) in zip(path.suffix(2), [0.7, 0.3]) { show(left > 0 ? path[path.count - 1] : point, share) }
    scale.frame([.load(200)])
    scale.wait(.seconds(4))
    let effects = scale.take()
    return !effects.drafts.isEmpty || !effects.tares.isEmpty
  }

  private static func path(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), over milliseconds: Int
  ) -> [(x: Double, y: Double)] {
    let steps = max(milliseconds / 16, 1)
    return (0...steps).map { step in
      let part = Double(step) / Double(steps)
      return (start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
    }
  }

  @Test func strapsFireNothing() {
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      let path = Self.path(
        from: (.random(in: 0.86...1, using: &random), .random(in: 0.5...0.95, using: &random)),
        to: (.random(in: 0...0.3, using: &random), .random(in: 0...0.3, using: &random)),
        over: .random(in: 100...4000, using: &random))
      #expect(!Self.fires(.random(in: 170...300, using: &random), path), "seed \(seed)")
    }
  }

  /// Upwards and off the pad, over the edge or anywhere while it moves.
  @Test func pullsFireNothing() {
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      let x = Double.random(in: 0.86...1, using: &random)
      let from = Double.random(in: 0.45...0.95, using: &random)
      let isOverEdge = Bool.random(using: &random)
      let to = isOverEdge ? Double.random(in: 0...0.02, using: &random) : .random(in: 0.03...0.4, using: &random)
      // What does not go over the edge moves at 0.8 of the height a second or faster, and is gone in a frame.
      let time = isOverEdge ? Int.random(in: 100...4000, using: &random) : Int((from - to) / 0.8 * 1000)
      let path = Self.path(from: (x, from), to: (x, to), over: time)
      #expect(!Self.fires(.random(in: 170...300, using: &random), path), "seed \(seed), \(from) to \(to) in \(time) ms")
    }
  }

  /// An object that is put down in the strip, pushed up and taken away keeps its force. Confirming.md states the rates.
  @Test func pushedObjects() {
    var fired = 0
    for seed in UInt64(0)..<1000 {
      var random = SplitMix64(seed: seed)
      let x = Double.random(in: 0.86...1, using: &random)
      let mass = Int.random(in: 20...300, using: &random)
      let from = Double.random(in: 0.4...0.95, using: &random)
      let to = max(from - .random(in: 0.05...0.6, using: &random), 0.05)
      let push = Int.random(in: 200...2000, using: &random)
      let (before, after) = (Int.random(in: 100...20_000, using: &random), Int.random(in: 0...20_000, using: &random))
      guard Self.fires(mass, Self.path(from: (x, from), to: (x, to), over: push), then: after, before: before) else {
        continue
      }
      fired += 1
      #expect(before + push + after < 1500, "seed \(seed)")
    }
    #expect(fired <= 1, "\(fired) of 1000")
  }

  /// Under noise, and with a hand on them while they are pushed.
  @Test func objectsPushedByAHand() {
    var fired = 0
    for seed in UInt64(0)..<1000 {
      var random = SplitMix64(seed: seed)
      let (course, mass) = ForceCourse.pushedObject(using: &random)
      // What is too light or stays too long never fires.
      guard mass > 150, course.samples.count < 1300 else { continue }
      fired += course.fires(inZone: true, using: &random) ? 1 : 0
    }
    #expect(fired <= 3, "\(fired) of 1000")
  }

  @Test func fingersFire() {
    for seed in UInt64(0)..<50 {
      var random = SplitMix64(seed: seed)
      let course = ForceCourse.zonePress(using: &random)
      #expect(course.fires(inZone: true, using: &random), "seed \(seed)")
    }
  }

  struct Lift: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var frames = 20
    var hold = 1600
    /// The force is higher by this number of counts in every other step of 200 ms.
    var variation = 0
    var force = 350
    var fires: Bool
  }

  /// What is pushed up over several frames and keeps its force for 1.5 s is an object.
  @Test(arguments: [
    Lift(testDescription: "an object", fires: false),
    Lift(testDescription: "a finger that varies", variation: 8, fires: true),
    Lift(testDescription: "a finger that jumps to the confirm area", frames: 2, fires: true),
    Lift(testDescription: "a short press", hold: 600, fires: true),
    Lift(testDescription: "a force that the axis cannot tell", force: 1000, fires: true),
  ])
  func whatIsLifted(_ lift: Lift) {
    var scale = Self.loaded()
    func show(_ height: Double, _ force: Int) {
      scale.show(.load(200), .finger(Double(force) / 346, at: height))
    }
    show(0.8, 100)
    for frame in 0...lift.frames { show(0.8 - 0.4 * Double(frame) / Double(lift.frames), lift.force) }
    for step in 0..<lift.hold / 200 {
      show(0.4, lift.force + (step % 2 == 0 ? lift.variation : 0))
      scale.wait(.milliseconds(192))
    }
    scale.lift(.load(200))
    #expect(scale.take().nets == (lift.fires ? [100] : []))
  }
}
