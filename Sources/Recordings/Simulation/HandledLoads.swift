public import Weighing

/// What a user has put on a simulated pad, as a whole: masses and a finger.
public struct HandledLoads: Hashable, Sendable {
  /// A mass on the pad, or a stack of them.
  public struct Load: Hashable, Sendable {
    /// Identifies it as long as it is on the pad.
    public var id: Int
    /// Its mass.
    public var mass: Grams
    /// Where it is.
    public var position: Position

    /// Makes a load.
    public init(id: Int, mass: Grams, position: Position) { (self.id, self.mass, self.position) = (id, mass, position) }
  }

  /// A finger that presses.
  public struct Finger: Hashable, Sendable {
    /// The force with which it presses.
    public var force: Grams
    /// Where it presses.
    public var position: Position

    /// Makes a finger.
    public init(force: Grams, position: Position) { (self.force, self.position) = (force, position) }
  }

  /// The loads, each with an id of its own.
  public var loads: [Load]
  /// The finger on the pad, if any.
  public var finger: Finger?
  /// Noise that is added to that of the pad, one standard deviation of a sample.
  public var noise: Grams

  /// Makes a state of the pad.
  public init(loads: [Load] = [], finger: Finger? = nil, noise: Grams = .zero) {
    (self.loads, self.finger, self.noise) = (loads, finger, noise)
  }
}

/// The loads that a user moves, with the changes in progress.
struct Hands: Sendable {
  /// The added noise.
  private(set) var noise = Grams.zero
  private var contacts: [Contact] = []
  private var nextIndex = 0

  /// One load or finger. A change of its force takes `duration` seconds.
  private struct Contact: Sendable {
    /// The id of the load; `nil` for a finger.
    var id: Int?
    /// Distinguishes a load from one with the same id that was there before.
    var index: Int
    var position: Position
    var from = 0.0
    var to = 0.0
    var begin = 0.0
    var duration = 0.0

    func force(at time: Double) -> Double {
      let part = duration > 0 ? min(max((time - begin) / duration, 0), 1) : 1
      return from + (to - from) * part * part * (3 - 2 * part)
    }

    func isMoving(at time: Double) -> Bool { time < begin + duration }

    mutating func change(to force: Double, over duration: Double, at time: Double) {
      guard force != to else { return }
      (from, to, begin, self.duration) = (self.force(at: time), force, time, duration)
    }
  }

  /// How long a hand takes to put down or lift a load, as in a script, and how soon the force of a finger follows.
  private static let hand = 0.15
  private static let finger = 0.05

  /// Changes everything that differs from the present state.
  mutating func change(to loads: HandledLoads, at time: Double) {
    noise = loads.noise
    for index in contacts.indices {
      let isLeft = contacts[index].id.map { id in !loads.loads.contains { $0.id == id } } ?? (loads.finger == nil)
      if isLeft { contacts[index].change(to: 0, over: contacts[index].id == nil ? Self.finger : Self.hand, at: time) }
    }
    for load in loads.loads { put(load.id, load.mass.value, load.position, over: Self.hand, at: time) }
    if let finger = loads.finger { put(nil, finger.force.value, finger.position, over: Self.finger, at: time) }
  }

  private mutating func put(_ id: Int?, _ force: Double, _ position: Position, over duration: Double, at time: Double) {
    // A contact that is being lifted stays what it is.
    if let known = contacts.firstIndex(where: { $0.id == id && $0.to > 0 }) {
      contacts[known].position = position
      contacts[known].change(to: force, over: duration, at: time)
    } else {
      nextIndex += 1
      var contact = Contact(id: id, index: nextIndex, position: position)
      contact.change(to: force, over: duration, at: time)
      contacts.append(contact)
    }
  }

  /// Applies the forces at a moment; returns whether they change.
  mutating func apply(to electronics: inout PadElectronics, at time: Double) -> Bool {
    var moves = false
    for contact in contacts {
      let isMoving = contact.isMoving(at: time)
      moves = moves || isMoving
      if contact.begin == time, contact.from == 0, contact.id != nil {
        electronics.applyImpulse(LoadScript.impulse(of: Grams(contact.to)))
      }
      electronics.apply(
        contact.force(at: time), of: contact.index, isFinger: contact.id == nil, at: contact.position)
    }
    contacts.removeAll { $0.to == 0 && !$0.isMoving(at: time) }
    return moves
  }
}
