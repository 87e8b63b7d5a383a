import Testing
import Weighing

/// The load that changes while a finger presses in a zone.
@Suite struct PressedLoadTests {
  struct Change: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The load at the lift, in counts; `nil` when it is gone.
    var later: Int?
    var nets: [Int] = []
    var rejections: [Rejection?] = []
  }

  /// A press applies to the load on the pad when the finger is lifted: the load before the press, or the stable load that
  /// has replaced it.
  @Test(
    arguments: [
      Change(testDescription: "unchanged", later: 200, nets: [100]),
      Change(testDescription: "a drop", later: 202, nets: [100]),
      Change(testDescription: "gone", later: nil, rejections: [.empty]),
      Change(testDescription: "less", later: 100, nets: [50]),
      Change(testDescription: "more", later: 400, nets: [200]),
      Change(testDescription: "too much", later: 900, rejections: [.overload]),
    ], [Interval.milliseconds(1000), .milliseconds(16)])
  func theLoadAtTheLiftCounts(_ change: Change, _ before: Interval) {
    for x in [0.95, 0.05] {
      var scale = HandFedScale()
      scale.settle(200)
      func show(_ contacts: Contact...) {
        scale.show(contacts: [change.later.map { .load($0) }].compactMap(\.self) + contacts)
      }
      scale.show(.load(200), .finger(1, x: x))
      scale.show(.load(200), .finger(1, at: 0.5, x: x))
      scale.wait(.seconds(1))
      show(.finger(1, at: 0.5, x: x))
      scale.wait(before)
      show()
      scale.wait(.seconds(1))
      let effects = scale.take()
      #expect(effects.nets == (x > 0.5 ? change.nets : []))
      #expect(effects.tares == (x > 0.5 ? [] : change.nets))
      #expect(effects.rejections == (x > 0.5 || !change.rejections.isEmpty ? change.rejections : [nil]))
    }
  }

  /// A load that changes in the very frame in which the finger is lifted is not known yet.
  @Test(arguments: [nil, 100, 400])
  func aLoadThatChangesWithTheLiftIsWeighedFirst(_ later: Int?) {
    var scale = HandFedScale()
    scale.settle(200)
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.wait(.milliseconds(100))
    scale.frame([later.map { .load($0) }].compactMap(\.self))
    #expect(scale.take().nets.isEmpty)
    scale.wait(.seconds(1))
    #expect(scale.take().nets == (later.map { [$0 / 2] } ?? []))
  }

  /// 2 g/s: the load of the touch is gone by 4 g at the lift.
  @Test func aPourDuringAPressIsNotTheLoadBeforeIt() throws {
    var scale = HandFedScale()
    scale.settle(112)
    _ = scale.take()
    for step in 0..<250 {
      let height = step < 100 ? 0.8 : 0.5
      scale.show(.load(112 + step * 4 / 125), .finger(1, at: height))
    }
    let lifted = scale.now
    scale.show(.load(120))
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.nets.count == 1 && effects.nets.allSatisfy { (59...60).contains($0) })
    #expect(try #require(effects.drafts.first).time >= lifted)
  }

  /// Where nothing has come to rest, it is the first load that does.
  @Test(arguments: [false, true])
  func theFirstStableSinceIsCommitted(_ duringPress: Bool) {
    var scale = HandFedScale()
    scale.show(.load(200))
    scale.show(.load(200), .finger(1))
    scale.show(.load(200), .finger(1, at: 0.5))
    if duringPress { scale.wait(.seconds(1)) }
    scale.wait(.milliseconds(100))
    scale.frame([.load(200)])
    #expect(scale.take().nets == (duringPress ? [100] : []))
    scale.wait(.seconds(1))
    #expect(scale.take().nets == (duringPress ? [] : [100]))
  }
}
