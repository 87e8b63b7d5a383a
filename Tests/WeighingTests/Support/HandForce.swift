import Recordings
import Weighing

/// The force of a finger that presses by feel: a mean, a slow variation of 1.5 to 6 % of it, and a tremor of 8 to 12 Hz.
struct HandForce {
  private let mean: Double
  private let variation: Double
  private let tremor: (amplitude: Double, step: Double)
  private var slow = 0.0
  private var phase = 0.0

  /// Makes a finger that varies at random, in grams, for frames of 8 ms.
  init(mean: Double, using random: inout SplitMix64) {
    self.mean = mean
    variation = mean * .random(in: 0.015...0.06, using: &random)
    tremor = (mean * 0.003, 2 * .pi * .random(in: 8...12, using: &random) * 0.008)
    slow = random.gaussian()
  }

  /// The force of the next frame.
  mutating func next(using random: inout SplitMix64) -> Double {
    // A first-order process with a time constant of 0.25 s.
    slow += -slow * 0.032 + 0.2530 * random.gaussian()
    phase += tremor.step
    let turn = phase.truncatingRemainder(dividingBy: 2 * .pi) / .pi - 1
    return mean + variation * slow + tremor.amplitude * (1 - 2 * turn.magnitude)
  }
}

/// Fingers and objects at 125 Hz on a pad with 1.5 counts of noise and two counts a gram.
struct ForceCourse {
  /// One frame: the force in grams, and where it is.
  struct Sample {
    var force: Double
    var height = 0.8
  }

  var samples: [Sample] = []

  /// A finger that presses in a strip, slides up and lets go, as people do.
  static func zonePress(using random: inout SplitMix64) -> ForceCourse {
    var course = ForceCourse()
    var hand = HandForce(mean: .random(in: 182...240, using: &random), using: &random)
    let up = Double.random(in: 0.28...0.5, using: &random)
    course.add(.random(in: 80...600, using: &random)) { hand.next(using: &random) * Self.eased($0) }
    course.add(.random(in: 80...2500, using: &random)) { _ in hand.next(using: &random) }
    course.add(.random(in: 80...600, using: &random), from: 0.8, to: 0.8 - up) { _ in hand.next(using: &random) }
    course.add(.random(in: 120...2500, using: &random), from: 0.8 - up, to: 0.8 - up) { _ in hand.next(using: &random) }
    course.add(.random(in: 30...120, using: &random), from: 0.8 - up, to: 0.8 - up) {
      hand.next(using: &random) * Self.eased(1 - $0)
    }
    return course
  }

  /// An object that is put down in a strip, pushed up and taken away, with a hand on it while it is pushed.
  static func pushedObject(using random: inout SplitMix64) -> (course: ForceCourse, mass: Double) {
    var course = ForceCourse()
    let mass = Double.random(in: 20...300, using: &random)
    let from = Double.random(in: 0.4...0.95, using: &random)
    let to = max(from - .random(in: 0.05...0.6, using: &random), 0.05)
    var hand = HandForce(mean: 100, using: &random)
    course.add(.random(in: 40...200, using: &random), from: from, to: from) { mass * Self.eased($0) }
    course.add(.random(in: 100...20_000, using: &random), from: from, to: from) { _ in mass }
    course.add(.random(in: 200...2000, using: &random), from: from, to: to) { _ in
      mass + (hand.next(using: &random) - 100) / 2
    }
    course.add(.random(in: 0...20_000, using: &random), from: to, to: to) { _ in mass }
    course.add(.random(in: 60...150, using: &random), from: to, to: to) { mass * Self.eased(1 - $0) }
    return (course, mass)
  }

  /// A finger that presses on the load.
  static func addedPress(using random: inout SplitMix64) -> ForceCourse {
    var course = ForceCourse()
    var hand = HandForce(mean: .random(in: 190...240, using: &random), using: &random)
    course.add(.random(in: 80...600, using: &random)) { hand.next(using: &random) * Self.eased($0) }
    course.add(.random(in: 500...2100, using: &random)) { _ in hand.next(using: &random) }
    course.add(.random(in: 30...120, using: &random)) { hand.next(using: &random) * Self.eased(1 - $0) }
    return course
  }

  /// An object that is put on the load and taken away.
  static func addedObject(using random: inout SplitMix64) -> ForceCourse {
    var course = ForceCourse()
    let mass = Double.random(in: 20...300, using: &random)
    course.add(.random(in: 40...200, using: &random)) { mass * Self.eased($0) }
    course.add(.random(in: 200...10_000, using: &random)) { _ in mass }
    course.add(.random(in: 60...150, using: &random)) { mass * Self.eased(1 - $0) }
    return course
  }

  private mutating func add(
    _ milliseconds: Int, from start: Double = 0.8, to end: Double = 0.8, _ force: (Double) -> Double
  ) {
    let frames = max(milliseconds / 8, 1)
    for frame in 0..<frames {
      let part = Double(frame) / Double(frames)
      samples.append(Sample(force: force(part), height: start + (end - start) * part))
    }
  }

  private static func eased(_ part: Double) -> Double { part * part * (3 - 2 * part) }

  /// Plays the force next to or on a load of 100 g, and returns whether it commits or tares.
  func fires(inZone: Bool, using random: inout SplitMix64) -> Bool {
    var scale = HandFedScale(pad: inZone ? .slots() : .plain)
    func counts(_ grams: Double) -> Int { Int((2 * grams + 1.5 * random.gaussian()).rounded()) }
    func show(_ sample: Sample?) {
      let grams = sample?.force ?? 0
      var contacts = [Contact.load(max(counts(100 + (inZone ? 0 : grams)), 1))]
      if inZone, let sample {
        let origin = samples[0].height
        contacts.append(
          .finger(Double(max(counts(grams), 1)) / 346, at: sample.height, from: origin))
      }
      scale.show(contacts: contacts)
    }
    for _ in 0..<150 { show(nil) }
    _ = scale.take()
    for sample in samples { show(sample) }
    for _ in 0..<250 { show(nil) }
    let effects = scale.take()
    return !effects.drafts.isEmpty || !effects.tares.isEmpty
  }
}
