import Recordings
import Testing
import Weighing

/// Added force that is not a press.
@Suite struct AddedForceLimitTests {
  /// Both presses apply to the load that remains afterwards.
  @Test(arguments: ScaleSettings.Surface.allCases)
  func twoPressesTareTheLoadThatRemains(_ surface: ScaleSettings.Surface) {
    var (scale, base) = AddedForceTests.loaded(surface)
    for change in [16, 16] {
      scale.frame(base + 346)
      scale.wait(.milliseconds(600))
      base += change / 2
      scale.frame(base)
      scale.wait(.milliseconds(200))
    }
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.tares == [108] && effects.drafts.isEmpty)
    #expect(scale.reading.printable == "0 g")
  }

  /// Kneading: force that comes and goes on a load that does not rest in between, or more than twice.
  @Test(arguments: [200, 320], [3, 4, 6])
  func kneadingFiresNothing(_ pause: Int, _ times: Int) {
    var (scale, base) = AddedForceTests.loaded()
    for _ in 1...times {
      scale.press(on: base, for: .milliseconds(500))
      scale.hold(Double(base), for: .milliseconds(pause), noise: 6)
    }
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.tares.isEmpty && effects.drafts.isEmpty)
  }

  /// Force that takes seconds to come is a pour.
  @Test func aSlowRiseIsNoPress() {
    var (scale, base) = AddedForceTests.loaded()
    for step in 1...50 {
      scale.frame(base + step * 7)
      scale.wait(.milliseconds(60))
    }
    scale.wait(.milliseconds(600))
    scale.frame(base)
    scale.wait(.seconds(3))
    #expect(scale.take().drafts.isEmpty)
  }

  /// An object that is placed on the load and taken away again cannot be told from a press by force alone, where it is as
  /// heavy as a press and stays as long. All others fire nothing. Confirming.md states the rate.
  @Test func objectsPlacedAndTakenAway() {
    var fired = 0
    for seed in UInt64(0)..<1000 {
      var random = SplitMix64(seed: seed)
      let mass = Int.random(in: 20...300, using: &random)
      let stay = Int.random(in: 200...10_000, using: &random)
      var (scale, base) = AddedForceTests.loaded()
      for step in 1...4 {
        scale.frame(base + 2 * mass * step / 4)
        scale.wait(.milliseconds(30))
      }
      scale.wait(.milliseconds(stay))
      for step in (0...3).reversed() {
        scale.frame(base + 2 * mass * step / 4)
        scale.wait(.milliseconds(25))
      }
      scale.wait(.seconds(4))
      let effects = scale.take()
      #expect(effects.tares.isEmpty)
      if !effects.drafts.isEmpty {
        fired += 1
        #expect(effects.nets == [100])
        #expect(mass >= 168 && (300...2000).contains(stay), "\(mass) g for \(stay) ms")
      }
      // What is as hard and as long as a press has to fire.
      if mass >= 180, (450...1900).contains(stay) { #expect(effects.nets == [100], "\(mass) g for \(stay) ms") }
    }
    #expect((60...95).contains(fired), "\(fired) of 1000")
  }

  /// A finger may press longer than an object of the same force may lie there.
  @Test func fingersFire() {
    for seed in UInt64(0)..<50 {
      var random = SplitMix64(seed: seed)
      let course = ForceCourse.addedPress(using: &random)
      #expect(course.fires(inZone: false, using: &random), "seed \(seed)")
    }
  }

  @Test(arguments: [(2100, 0, false), (2100, 10, true), (1900, 0, true), (2500, 10, false)])
  func aSteadyForceIsALoadSooner(_ milliseconds: Int, _ variation: Int, _ fires: Bool) {
    var (scale, base) = AddedForceTests.loaded()
    for step in 0..<milliseconds / 100 {
      scale.frame(base + 360 + (step % 2 == 0 ? variation : 0))
      scale.wait(.milliseconds(100))
    }
    scale.frame(base)
    scale.wait(.seconds(3))
    #expect(scale.take().nets == (fires ? [100] : []))
  }
}
