import Recordings
import Weighing

/// What happens on the pad while the cost of a frame is counted.
enum CoreScene: String, CaseIterable {
  /// Nothing touches; a key of the pad makes the frames.
  case empty
  /// One load at rest under noise.
  case resting
  /// A load that changes with every frame, a thousand a second, each of which is published (`live_max_hz: 1000`).
  case moving
  /// Ten contacts that move and change their force.
  case tenContacts = "ten_contacts"
  /// Presses of added force on a pad without positions.
  case addedForce = "added_force"
  /// Presses in a zone beside a load.
  case zonePress = "zone_press"
  /// Two loads under noise, their contacts published with every frame (`publish.contacts`).
  case contacts

  /// One sentence for people.
  var title: String {
    switch self {
    case .empty: "an empty pad"
    case .resting: "one contact at rest under noise"
    case .moving: "a moving load, every frame published"
    case .tenContacts: "ten contacts moving"
    case .addedForce: "presses of added force"
    case .zonePress: "presses in a zone"
    case .contacts: "contacts published"
    }
  }

  /// The pad.
  var kind: PadTape.Kind { self == .addedForce ? .plate : .touchpad }

  /// Frames a second.
  private var rate: Int { self == .moving ? 1000 : 125 }

  /// After so many frames all begins anew.
  private static let cycle = 200

  /// So many frames bring the load to rest, fill every buffer and have every kind of frame seen.
  static let warmUp = 5 * cycle

  /// Those of a pad with a calibration at nine points, as a careful user has.
  func settings() throws -> ScaleSettings {
    var settings = ScaleSettings()
    let points = (0...8).map { index in
      let grams = 50 * Double(index)
      return CalibrationPoint(
        raw: RawForce(Int(ForceCurve.divider(0.6).counts(at: grams / 420) * 1023)), mass: Grams(grams))
    }
    settings.curve = try CalibrationCurve(shape: .monotone, points: points)
    if self == .moving { settings.liveInterval = .milliseconds(1) }
    settings.publishesContacts = self == .contacts
    return settings
  }

  /// So many frames of it after the warm-up.
  func tape(frames: Int, at start: Instant) -> PadTape {
    var tape = PadTape(kind, rate: rate, at: start)
    var random = SplitMix64(seed: 6)
    for frame in 0..<Self.warmUp + frames { tape.append(contacts(frame, &random)) }
    return tape
  }

  private func contacts(_ frame: Int, _ random: inout SplitMix64) -> [TapeContact?] {
    func noise() -> Double { 1.5 * random.gaussian() }
    func load(_ counts: Double, x: Double = 0.5, y: Double = 0.5, touch: Int = 0) -> TapeContact {
      TapeContact(touch: touch, position: Position(x: x, y: y), counts: Int32(max(counts.rounded(), 1)))
    }
    let place = frame % Self.cycle
    switch self {
    case .empty: return []
    case .resting: return [load(300 + noise())]
    case .moving: return [load(200 + 7 * Double(min(place, Self.cycle - place)))]
    case .tenContacts:
      return (0..<10).map { index in
        let angle = Double((place + 20 * index) % Self.cycle) / Double(Self.cycle) - 0.5
        return load(40 + 20 * angle + noise(), x: 0.25 + 0.05 * Double(index) + 0.02 * angle, y: 0.5 + 0.4 * angle)
      }
    case .addedForce: return [load(300 + 400 * Self.press(place) + noise())]
    case .zonePress:
      let force = Self.press(place)
      let finger = load(500 * force + noise(), x: 0.93, y: 0.6, touch: frame / Self.cycle)
      return [load(300 + noise()), force > 0 ? finger : nil]
    case .contacts: return [load(150 + noise(), x: 0.4), load(200 + noise(), x: 0.6)]
    }
  }

  /// A finger that presses until the gesture is selected, holds for less than the dwell time and is lifted, 0...1.
  private static func press(_ place: Int) -> Double {
    switch place {
    case 100..<125: Double(place - 99) / 25
    case 125..<150: 1
    case 150..<175: Double(175 - place) / 25
    default: 0
    }
  }
}
