public import Weighing

/// A script of the loads on a simulated pad; times are relative to the start of the simulation.
///
/// ```swift
/// var script = LoadScript()
/// let cup = script.place(Grams(120), at: .seconds(1))
/// script.drip(2, into: cup, at: .seconds(3), for: .seconds(10))
/// script.remove(cup, at: .seconds(15))
/// ```
/// The changes of one object have to be in the order of time; a change that overlaps the previous one of the same
/// object is delayed until that has ended.
public struct LoadScript: Hashable, Sendable {
  /// An object on the pad, valid in the script that placed it.
  public struct Thing: Hashable, Sendable {
    fileprivate let index: Int
  }

  /// The period after which the script repeats; `nil` for a script that ends. The pad has to be empty at its end.
  public let period: Interval?

  private(set) var contacts: [ScriptedContact] = []

  /// Makes an empty script.
  public init(repeatingEvery period: Interval? = nil) { self.period = period.map { max($0, .milliseconds(1)) } }

  /// The middle of the pad.
  public static let middle = Position(x: 0.5, y: 0.5)

  /// The speed in metres per second of a cup that is put down carefully. Chosen: 2 cm per second.
  public static let careful = 0.02

  /// Places an object on the pad: a hand puts it down at `speed` metres per second and releases it within `hand`.
  ///
  /// Chosen: 0.15 s.
  @discardableResult
  public mutating func place(
    _ mass: Grams, at time: Interval, position: Position = LoadScript.middle, over hand: Interval = .milliseconds(150),
    speed: Double = LoadScript.careful
  ) -> Thing {
    var contact = ScriptedContact(isFinger: false, position: position, at: time.seconds)
    contact.change(at: time.seconds, over: hand.seconds, to: mass.value)
    contact.impulses.append(.init(time: time.seconds, strength: Self.impulse(of: mass, speed: speed)))
    contacts.append(contact)
    return Thing(index: contacts.count - 1)
  }

  /// Adds mass to an object, or removes some if it is negative.
  public mutating func add(_ mass: Grams, to thing: Thing, at time: Interval, over hand: Interval = .milliseconds(150))
  {
    let before = contacts[thing.index].changes.last?.to ?? 0
    contacts[thing.index].change(at: time.seconds, over: hand.seconds, to: before + mass.value)
  }

  /// Lifts an object off the pad.
  public mutating func remove(_ thing: Thing, at time: Interval, over hand: Interval = .milliseconds(100)) {
    contacts[thing.index].change(at: time.seconds, over: hand.seconds, to: 0)
  }

  /// Lets `gramsPerSecond` drip into an object.
  ///
  /// In drops of 0.05 g: a dropper gives about 20 drops of water per millilitre (European Pharmacopoeia 2.1.1).
  public mutating func drip(
    _ gramsPerSecond: Double, into thing: Thing, at time: Interval, for duration: Interval
  ) {
    let before = contacts[thing.index].changes.last?.to ?? 0
    contacts[thing.index].change(
      at: time.seconds, over: duration.seconds, to: before + gramsPerSecond * duration.seconds, shape: .drops(0.05))
  }

  /// Stirs in an object: an oscillating force of up to `amplitude` at `frequency` hertz.
  public mutating func stir(
    _ thing: Thing, at time: Interval, for duration: Interval, amplitude: Grams = Grams(8), frequency: Double = 2.5
  ) {
    contacts[thing.index].stirs.append(
      .init(
        start: time.seconds, end: time.seconds + max(duration.seconds, 0.001), amplitude: amplitude.value,
        frequency: frequency))
  }

  /// Knocks against the pad with the impulse of `mass` at `speed` metres per second.
  public mutating func nudge(_ thing: Thing, at time: Interval, mass: Grams = Grams(20), speed: Double = 0.05) {
    contacts[thing.index].impulses.append(.init(time: time.seconds, strength: Self.impulse(of: mass, speed: speed)))
  }

  /// Presses with a finger: from zero through the forces of `profile`.
  ///
  /// - Parameters:
  ///   - profile: The duration of each step and the force at its end. If the last force is not 0, the finger is lifted
  ///     within 50 ms.
  ///   - slide: The positions of the finger, with times from its touch-down.
  public mutating func press(
    at time: Interval, position: Position, profile: [(over: Interval, force: Grams)],
    slide: [(after: Interval, position: Position)] = []
  ) {
    var contact = ScriptedContact(isFinger: true, position: position, at: time.seconds)
    for step in profile {
      let start = contact.changes.last?.end ?? time.seconds
      contact.change(at: start, over: step.over.seconds, to: step.force.value)
    }
    if let last = contact.changes.last, last.to > 0 { contact.change(at: last.end, over: 0.05, to: 0) }
    for stop in slide { contact.path.append(.init(time: time.seconds + stop.after.seconds, position: stop.position)) }
    contacts.append(contact)
  }

  /// The load on the pad at a time, without fingers and shaking.
  public func truth(at time: Interval) -> Grams {
    let time = wrapped(time.seconds)
    return Grams(contacts.reduce(0) { $0 + ($1.isFinger ? 0 : $1.state(at: time).mass) })
  }

  /// The time within the period.
  func wrapped(_ time: Double) -> Double {
    guard let period else { return time }
    return time - (time / period.seconds).rounded(.down) * period.seconds
  }

  /// An impulse in grams of force times seconds; 9.80665 m/s2 is the standard acceleration of free fall (CGPM 1901).
  static func impulse(of mass: Grams, speed: Double = Self.careful) -> Double { mass.value * speed / 9.80665 }
}
