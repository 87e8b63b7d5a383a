import Recordings
import TestExtent
import Testing
import Weighing

/// Pads whose firmware takes a resting load for its own zero. The simulated pad has 1000 counts, two a gram.
@Suite struct RebaseliningTests {
  /// What the value does after touch-down, in counts, by the seconds since.
  struct Course: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var length = 20.0
    var noise = 1.0
    var counts: @Sendable (Double) -> Double

    static func exponential(
      _ counts: Double = 226, after delay: Double = 0, in seconds: Double, to end: Double = 2, length: Double = 20
    ) -> Course {
      Course(testDescription: "\(counts) counts in \(seconds) s after \(delay) s", length: length) { time in
        max(end, counts * exponential(-max(time - delay, 0) / seconds))
      }
    }

    static func linear(
      _ counts: Double = 226, after delay: Double = 1, rate: Double, to end: Double = 2, noise: Double = 1
    ) -> Course {
      Course(testDescription: "\(counts) counts at \(rate) to \(end)", length: delay + counts / rate + 5, noise: noise)
      {
        max(end, counts - rate * max($0 - delay, 0))
      }
    }

    private static func exponential(_ exponent: Double) -> Double {
      // (1 + x/1024)^1024.
      var result = max(1 + exponent / 1024, 0)
      for _ in 0..<10 { result *= result }
      return result
    }
  }

  /// One load after the other, each lifted at its end.
  private func run(_ courses: [Course], on scale: inout HandFedScale, seed: UInt64 = 7, gap: Double = 1) {
    var random = SplitMix64(seed: seed)
    for course in courses {
      put(course, on: &scale, &random)
      scale.frame([Contact]())
      scale.wait(.seconds(gap))
    }
  }

  /// evdev drops repeated values.
  private func put(_ course: Course, on scale: inout HandFedScale, _ random: inout SplitMix64) {
    var last: Int?
    var time = 0.0
    while time < course.length {
      let counts = max(Int((course.counts(time) + course.noise * random.gaussian()).rounded()), 1)
      if counts != last { scale.frame(counts) }
      last = counts
      scale.wait(HandFedScale.period)
      time += HandFedScale.period.seconds
    }
  }

  @Test(arguments: [
    Course.exponential(in: 0.7), .exponential(in: 2), .exponential(after: 3, in: 1.5), .exponential(in: 6, length: 40),
    .exponential(600, in: 2), .exponential(in: 2, to: 12), .linear(rate: 100), .linear(rate: 20),
    .linear(rate: 60, noise: 0), .linear(400, after: 4, rate: 60, to: 1),
  ])
  func twoLoadsThatDecayMakeThePadSuspect(_ course: Course) {
    var scale = HandFedScale()
    run([course], on: &scale)
    #expect(!scale.take().events.contains(.padSuspect(.rebaselining)), "one alone does not")
    var random = SplitMix64(seed: 8)
    put(course, on: &scale, &random)
    let effects = scale.take()
    #expect(effects.events == [.padSuspect(.rebaselining)])
    #expect(effects.padWarnings == [.padSuspect])
    #expect(scale.reading.state == .settling && !scale.reading.isStable)
    scale.ask(.commit)
    scale.wait(.seconds(3))
    #expect(scale.take().rejections == [.unstable])
    scale.frame([Contact]())
    scale.wait(.seconds(1))
    run([course, course], on: &scale)
    let more = scale.take()
    #expect(more.events.isEmpty && more.settled.isEmpty && more.live.allSatisfy { !$0.isStable }, "told once")
  }

  @Test func aLoadThatStaysMakesThePadTrusted() {
    var scale = HandFedScale()
    let decay = Course.exponential(in: 1)
    run([decay, decay], on: &scale)
    #expect(scale.take().events.contains(.padSuspect(.rebaselining)))
    scale.settle(226)
    #expect(!scale.reading.isStable)
    scale.wait(.seconds(20))
    #expect(scale.reading.printable == "113 g" && scale.reading.isStable)
    #expect(scale.take().padWarnings == [nil])
  }

  @Test func theSamePadStaysSuspectAndAnotherIsNot() {
    var scale = HandFedScale()
    let decay = Course.exponential(in: 1)
    run([decay, decay], on: &scale)
    _ = scale.take()
    scale.handle(.padLost("unplugged"))
    scale.handle(.padFound(.slots()))
    scale.settle(226)
    #expect(!scale.reading.isStable)
    #expect(!scale.take().events.contains(.padSuspect(.rebaselining)))
    scale.handle(.padFound(.single()))
    scale.settle(226)
    #expect(scale.reading.isStable)
    #expect(scale.take().padWarnings == [nil])
  }

  @Test func aGoodLoadBetweenTwoDecaysBreaksTheSuccession() {
    var scale = HandFedScale()
    let decay = Course.exponential(in: 1)
    let good = Course(testDescription: "good", length: 5) { _ in 226 }
    run([decay, good, decay, good, decay], on: &scale)
    #expect(!scale.take().events.contains(.padSuspect(.rebaselining)))
  }

  /// What people and force-sensing resistors do; each twice.
  @Test(arguments: [
    Course.linear(226, rate: 20, to: 30), .linear(226, rate: 40, to: 8), .linear(600, rate: 100, to: 14),
    Course(testDescription: "creep of 8 %", length: 60) { 226 * (1 - 0.08 * $0 / (5 + $0)) },
    Course(testDescription: "lifted at once to a coaster") { $0 < 3 ? 226 : 6 },
    Course(testDescription: "lifted in half a second to a coaster") { 6 + 220 * min(max(3.5 - $0, 0) / 0.5, 1) },
    Course(testDescription: "lifted in a second and a half to a coaster") {
      let share = min(max($0 - 3, 0) / 1.5, 1)
      return 226 - 218 * share * share * share * (10 - 15 * share + 6 * share * share)
    },
    Course(testDescription: "halved every second", noise: 0) { max(226 / Double(1 << Int(min($0, 20))), 2) },
    Course(testDescription: "ten pieces", noise: 0) { 2 + 224 * (1 - min(($0 / 1.5).rounded(.down) / 10, 1)) },
    Course(testDescription: "fourteen pieces") { 2 + 224 * (1 - min($0.rounded(.down) / 14, 1)) },
  ])
  func otherLoadsDoNot(_ course: Course) {
    var scale = HandFedScale()
    run([course, course, course], on: &scale)
    #expect(!scale.take().events.contains(.padSuspect(.rebaselining)))
  }

  /// 1,000 loads by seed: poured out of a container, taken off in parts, creeping; in runs of 20 on one scale.
  @Test(arguments: Extent.of(UInt64(1)..<51))
  func randomLoadsNeverMakeThePadSuspect(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func uniform(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + random.unit() * (range.upperBound - range.lowerBound)
    }
    var scale = HandFedScale()
    for index in 0..<20 {
      let full = uniform(100...700)
      let container = uniform(6...120)
      let pause = uniform(0.3...3)
      let course: Course
      switch random.next() % 3 {
      case 0: course = .linear(full + container, after: pause, rate: uniform(20...250), to: container)
      case 1:
        var parts: [(time: Double, level: Double)] = []
        var time = pause
        var level = full + container
        while level > container + 4 {
          level = max(container, level - uniform(0.05...0.7) * full)
          parts.append((time, level))
          time += uniform(0.4...2)
        }
        let steps = parts
        course = Course(testDescription: "parts", length: time + 2) { now in
          steps.last { $0.time <= now }?.level ?? full + container
        }
      default:
        let creep = uniform(-0.1...0.1)
        let slowness = uniform(0.5...10)
        course = Course(testDescription: "creep", length: 15) { full * (1 + creep * $0 / ($0 + slowness)) }
      }
      run([course], on: &scale, seed: seed &* 100 &+ UInt64(index))
    }
    let effects = scale.take()
    #expect(!effects.events.contains(.padSuspect(.rebaselining)) && effects.padWarnings.isEmpty)
  }
}
