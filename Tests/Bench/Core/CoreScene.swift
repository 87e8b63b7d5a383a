import Recordings
import Weighing

/// A sequence of contacts for which the cost of a frame is counted.
enum CoreScene: String, CaseIterable {
  /// No contact; a key of the pad causes the frames.
  case empty
  /// One load at rest under noise.
  case resting
  /// The same while target, counting and timer are in use, and containers and records wait for a load.
  case instruments
  /// A load that changes in each of 1000 frames per second, all of which are published (`live_max_hz: 1000`).
  case moving
  /// Ten contacts with changing positions and forces.
  case tenContacts = "ten_contacts"
  /// Presses of added force on a pad without positions.
  case addedForce = "added_force"
  /// Presses in a zone next to a load.
  case zonePress = "zone_press"
  /// Two loads under noise, with contacts published for every frame (`publish.contacts`).
  case contacts

  /// The name in the report.
  var title: String {
    switch self {
    case .empty: "an empty pad"
    case .resting: "one contact at rest under noise"
    case .instruments: "the same with target, counting and timer"
    case .moving: "a moving load, every frame published"
    case .tenContacts: "ten contacts moving"
    case .addedForce: "presses of added force"
    case .zonePress: "presses in a zone"
    case .contacts: "contacts published"
    }
  }

  /// The pad.
  var kind: FrameSequence.Kind { self == .addedForce ? .plate : .touchpad }

  /// Frames per second.
  private var rate: Int { self == .moving ? 1000 : 125 }

  /// Number of frames after which the scene repeats.
  private static let cycle = 200

  /// Number of frames until the load rests, all buffers are filled and every kind of frame has occurred.
  static let warmUp = 5 * cycle

  /// The settings of a pad that is calibrated at nine points.
  func settings() throws -> ScaleSettings {
    var settings = ScaleSettings()
    let points = (0...8).map { index in
      let grams = 50 * Double(index)
      return CalibrationPoint(
        raw: RawForce(Int(ForceCurve.divider(0.6).counts(at: grams / 420) * 1023)), mass: Grams(grams))
    }
    settings.curve = try CalibrationCurve(shape: .monotone, points: points)
    if self == .moving { settings.publish.liveMaximum = SampleRate(1000) }
    settings.publish.contacts = self == .contacts
    if self == .instruments {
      settings.recognisesContainers = true
      settings.scale.commitsAutomatically = true
      settings.timer.timesPours = true
    }
    return settings
  }

  /// The requests before the first frame.
  var requests: [ActionRequest] {
    guard self == .instruments else { return [] }
    return [
      ActionRequest(action: .timer, parameters: .timer(.start), source: .commandLine),
      ActionRequest(action: .target, parameters: .target(Target(mass: Grams(300))), source: .commandLine),
      ActionRequest(action: .count, parameters: .count(.mass(Grams(2), spread: 0.02)), source: .commandLine),
    ]
  }

  /// The frames of the warm-up and `frames` more.
  func sequence(frames: Int, at start: Instant) -> FrameSequence {
    var sequence = FrameSequence(kind, rate: rate, at: start)
    var random = SplitMix64(seed: 6)
    for frame in 0..<Self.warmUp + frames { sequence.append(contacts(frame, &random)) }
    return sequence
  }

  private func contacts(_ frame: Int, _ random: inout SplitMix64) -> [FrameContact?] {
    func noise() -> Double { 1.5 * random.gaussian() }
    func load(_ counts: Double, x: Double = 0.5, y: Double = 0.5, touch: Int = 0) -> FrameContact {
      FrameContact(touch: touch, position: Position(x: x, y: y), counts: Int32(max(counts.rounded(), 1)))
    }
    let step = frame % Self.cycle
    switch self {
    case .empty: return []
    case .resting, .instruments: return [load(300 + noise())]
    case .moving: return [load(200 + 7 * Double(min(step, Self.cycle - step)))]
    case .tenContacts:
      return (0..<10).map { index in
        let angle = Double((step + 20 * index) % Self.cycle) / Double(Self.cycle) - 0.5
        return load(40 + 20 * angle + noise(), x: 0.25 + 0.05 * Double(index) + 0.02 * angle, y: 0.5 + 0.4 * angle)
      }
    case .addedForce: return [load(300 + 400 * Self.press(step) + noise())]
    case .zonePress:
      let force = Self.press(step)
      let finger = load(500 * force + noise(), x: 0.93, y: 0.6, touch: frame / Self.cycle)
      return [load(300 + noise()), force > 0 ? finger : nil]
    case .contacts: return [load(150 + noise(), x: 0.4), load(200 + noise(), x: 0.6)]
    }
  }

  /// The force of a finger from 0 to 1: it presses until the gesture is selected and is lifted before the dwell time.
  private static func press(_ step: Int) -> Double {
    switch step {
    case 100..<125: Double(step - 99) / 25
    case 125..<150: 1
    case 150..<175: Double(175 - step) / 25
    default: 0
    }
  }
}
