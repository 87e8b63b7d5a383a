import Recordings
import TestExtent
import Testing
import Weighing

/// Random courses of added force on a plain pad, each step made so that what has to come of it is known beforehand.
@Suite struct AddedForcePropertyTests {
  enum Step: CaseIterable {
    case press, twoPresses, short, weak, tooLong, gap, loadStays, lift, liftAfterPress, pressAndLoad, pressInTheMiddle
  }

  @Test(arguments: Extent.of(0..<10))
  func everyActionHasItsPress(_ batch: Int) {
    var commits = 0
    var tares = 0
    for index in 0..<60 {
      let seed = UInt64(batch * 1000 + index)
      var course = Course(seed: seed)
      for _ in 1...5 {
        let step = course.next()
        let effects = course.scale.take()
        #expect(effects.nets == course.nets, "seed \(seed), \(step) on \(course.base)")
        // After each press, the mean of the noisy load is computed again.
        let off = zip(effects.tares, course.tares).map { ($0 - $1).magnitude }
        #expect(effects.tares.count == course.tares.count && off.allSatisfy { $0 <= 1 }, "seed \(seed), \(step)")
        commits += effects.nets.count
        tares += effects.tares.count
      }
    }
    #expect(commits > 50 && tares > 5)
  }

  private struct Course {
    var scale = HandFedScale(pad: .plain)
    var random: SplitMix64
    var base = 0
    var nets: [Int] = []
    var tares: [Int] = []
    let noise: Double
    let period: Interval

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      noise = seed % 3 == 0 ? 1.5 : 0
      period = .milliseconds(Int(4 + random.next() % 13))
      put(among(100...500))
      _ = scale.take()
    }

    mutating func among(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Holds a load, as frames with noise or as one frame and silence.
    mutating func hold(_ counts: Int, _ milliseconds: Int) {
      if noise > 0 { return scale.hold(Double(counts), for: .milliseconds(milliseconds), noise: noise, every: period) }
      scale.frame(counts)
      scale.wait(.milliseconds(milliseconds))
    }

    mutating func put(_ counts: Int) {
      base = counts
      hold(counts, 1200)
    }

    mutating func press(_ milliseconds: Int, fraction: Double = 1, back: Int) {
      let full = min(346, 770 - base)
      let force = Int(Double(full) * fraction) + (fraction < 1 ? 0 : among(6...80))
      for step in 1...3 { hold(base + force * step / 4, among(4...12)) }
      hold(base + force, milliseconds)
      for step in (1...3).reversed() { hold(base + force * step / 4, among(4...12)) }
      hold(base, back)
    }

    mutating func next() -> Step {
      (nets, tares) = ([], [])
      for _ in 1...50 where !scale.reading.isStable { hold(base, 100) }
      let step = Step.allCases.randomElement(using: &random) ?? .press
      // The reading before the press is what has to be committed.
      let reading = scale.reading
      let net = reading.isStable ? [reading.net?.steps ?? 0] : []
      switch step {
      case .press:
        press(among(430...1900), back: 1200)
        nets = net
      case .twoPresses:
        press(among(430...1900), back: among(100...600))
        press(among(430...1900), back: 1200)
        tares = [Division.gram.steps(nearest: reading.highResolution ?? .zero)]
        scale.ask(.clearTare)
        hold(base, 1000)
      case .short: press(among(20...330), back: 1200)
      case .weak: press(among(20...200), fraction: 0.85, back: 1200)
      case .tooLong: press(among(2600...4000), back: 1500)
      case .gap:
        hold(base + min(346, 770 - base) + 20, 500)
        scale.frame(base + min(346, 770 - base) + 20, gap: true)
        hold(base, 1200)
      case .loadStays: put(min(base + among(4...200), 650))
      case .lift:
        scale.frame()
        scale.wait(.milliseconds(200))
        put(among(100...500))
      case .liftAfterPress:
        press(among(430...1900), back: among(70...500))
        scale.frame()
        nets = net
        put(among(100...500))
      case .pressAndLoad:
        press(among(430...1900), back: among(100...700))
        put(min(base + among(60...200), 650))
        // Without a second press, the load on the pad is another one.
        nets = scale.reading.isStable ? [scale.reading.net?.steps ?? 0] : []
      case .pressInTheMiddle:
        // Confirmed, but another load remains after the release: this counts as a load.
        hold(base + min(346, 770 - base) + 20, 600)
        put(base > 200 ? base - 60 : base + 60)
        hold(base, 2500)
      }
      return step
    }
  }
}
