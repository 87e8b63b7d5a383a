import Glibc
import Weighing

/// An object or finger in a load script with all its changes; times in seconds, masses in grams.
struct ScriptedContact: Hashable, Sendable {
  /// The transition from one mass to the next.
  enum Shape: Hashable, Sendable {
    /// Smooth, without a jump in its rate, as by a hand.
    case eased
    /// In drops of this many grams.
    case drops(Double)
  }

  /// A change of the mass; its final value remains until the next change.
  struct Change: Hashable, Sendable {
    var start: Double
    var end: Double
    var from: Double
    var to: Double
    var shape: Shape
  }

  /// An oscillating force that does not change the mass.
  struct Stir: Hashable, Sendable {
    var start: Double
    var end: Double
    var amplitude: Double
    var frequency: Double
  }

  /// An impulse in grams of force times seconds.
  struct Impulse: Hashable, Sendable {
    var time: Double
    var strength: Double
  }

  /// The position at a time, with linear interpolation.
  struct Stop: Hashable, Sendable {
    var time: Double
    var position: Position
  }

  /// The state of a contact at a moment.
  struct State: Hashable, Sendable {
    /// The mass on the pad.
    var mass = 0.0
    /// The force.
    var applied = 0.0
    /// Whether mass or force is changing.
    var isMoving = false
  }

  var isFinger: Bool
  var changes: [Change] = []
  var stirs: [Stir] = []
  var impulses: [Impulse] = []
  var path: [Stop]

  init(isFinger: Bool, position: Position, at time: Double) {
    self.isFinger = isFinger
    path = [Stop(time: time, position: position)]
  }

  var start: Double { changes.first?.start ?? .infinity }

  /// When the contact ends; infinity if it is still on the pad at the end of the script.
  var end: Double {
    guard let last = changes.last else { return -.infinity }
    return last.to > 0 ? .infinity : last.end
  }

  /// Adds a change; it is delayed until the previous one has ended.
  mutating func change(at time: Double, over duration: Double, to mass: Double, shape: Shape = .eased) {
    let start = max(time, changes.last?.end ?? -.infinity)
    changes.append(
      Change(
        start: start, end: start + max(duration, 0), from: changes.last?.to ?? 0, to: max(mass, 0), shape: shape))
  }

  func state(at time: Double) -> State {
    var state = State()
    // Contacts have few changes; a drip is a single one.
    guard let change = changes.last(where: { $0.start <= time }) else { return state }
    if time >= change.end {
      state.mass = change.to
    } else {
      state.isMoving = true
      let part = (time - change.start) / (change.end - change.start)
      switch change.shape {
      case .eased: state.mass = change.from + (change.to - change.from) * part * part * (3 - 2 * part)
      case .drops(let drop):
        let fallen = (change.to - change.from) * part
        state.mass = change.from + (fallen / drop).rounded(.down) * drop
      }
    }
    state.applied = state.mass
    for stir in stirs where stir.start <= time && time < stir.end {
      state.isMoving = true
      let window = sin(.pi * (time - stir.start) / (stir.end - stir.start))
      state.applied += stir.amplitude * window * sin(2 * .pi * stir.frequency * (time - stir.start))
    }
    state.applied = max(state.applied, 0)
    return state
  }

  func position(at time: Double) -> Position {
    guard let next = path.firstIndex(where: { $0.time > time }) else { return path[path.count - 1].position }
    guard next > 0 else { return path[0].position }
    let (a, b) = (path[next - 1], path[next])
    let part = (time - a.time) / (b.time - a.time)
    return Position(
      x: a.position.x + (b.position.x - a.position.x) * part, y: a.position.y + (b.position.y - a.position.y) * part)
  }
}
