public import Weighing

/// What is put on a simulated pad and taken off it, and when; times count from the start of the simulation.
///
/// ```swift
/// var script = LoadScript()
/// let cup = script.place(Grams(120), at: .seconds(1))
/// script.drip(2, into: cup, at: .seconds(3), for: .seconds(10))
/// script.remove(cup, at: .seconds(15))
/// ```
/// What happens to one thing is to be given in the order of time; a change that would begin before the last one of the
/// same thing has ended waits for it.
public struct LoadScript: Hashable, Sendable {
  /// One thing on the pad, of the script that placed it.
  public struct Thing: Hashable, Sendable {
    fileprivate let index: Int
  }

  /// The time after which the script repeats; `nil` for a script that ends. The pad has to be empty at that time.
  public let period: Interval?

  private(set) var contacts: [ScriptedContact] = []

  /// Makes an empty script.
  public init(repeatingEvery period: Interval? = nil) {
    self.period = period.map { max($0, .milliseconds(1)) }
  }

  /// The middle of the pad.
  public static let middle = Position(x: 0.5, y: 0.5)

  /// Puts a thing on the pad: a hand sets it down with `speed` metres a second and lets go within `hand`.
  ///
  /// 0.15 s and 2 cm a second are chosen: somebody who sets a cup down with care.
  @discardableResult
  public mutating func place(
    _ mass: Grams, at time: Interval, position: Position = LoadScript.middle, over hand: Interval = .milliseconds(150),
    speed: Double = 0.02
  ) -> Thing {
    var contact = ScriptedContact(isFinger: false, position: position, at: time.seconds)
    contact.change(at: time.seconds, over: hand.seconds, to: mass.value)
    contact.impulses.append(.init(time: time.seconds, strength: Self.impulse(of: mass, speed: speed)))
    contacts.append(contact)
    return Thing(index: contacts.count - 1)
  }

  /// Adds mass to a thing, or takes some off when it is negative.
  public mutating func add(_ mass: Grams, to thing: Thing, at time: Interval, over hand: Interval = .milliseconds(150))
  {
    let before = contacts[thing.index].changes.last?.to ?? 0
    contacts[thing.index].change(at: time.seconds, over: hand.seconds, to: before + mass.value)
  }

  /// Lifts a thing off the pad.
  public mutating func remove(_ thing: Thing, at time: Interval, over hand: Interval = .milliseconds(100)) {
    contacts[thing.index].change(at: time.seconds, over: hand.seconds, to: 0)
  }

  /// Lets `gramsPerSecond` drip into a thing.
  ///
  /// In drops of 0.05 g: a dropper gives about 20 drops of water a millilitre (European Pharmacopoeia 2.1.1).
  public mutating func drip(
    _ gramsPerSecond: Double, into thing: Thing, at time: Interval, for duration: Interval
  ) {
    let before = contacts[thing.index].changes.last?.to ?? 0
    contacts[thing.index].change(
      at: time.seconds, over: duration.seconds, to: before + gramsPerSecond * duration.seconds, shape: .drops(0.05))
  }

  /// Stirs in a thing: a force to and fro by up to `amplitude`, at `frequency` hertz.
  public mutating func stir(
    _ thing: Thing, at time: Interval, for duration: Interval, amplitude: Grams = Grams(8), frequency: Double = 2.5
  ) {
    contacts[thing.index].stirs.append(
      .init(
        start: time.seconds, end: time.seconds + max(duration.seconds, 0.001), amplitude: amplitude.value,
        frequency: frequency))
  }

  /// Knocks against the pad with the blow of `mass` at `speed` metres a second.
  public mutating func nudge(_ thing: Thing, at time: Interval, mass: Grams = Grams(20), speed: Double = 0.05) {
    contacts[thing.index].impulses.append(.init(time: time.seconds, strength: Self.impulse(of: mass, speed: speed)))
  }

  /// Presses with a finger: from nothing through the forces of `profile`, then off within the last one's time.
  ///
  /// - Parameters:
  ///   - profile: The time that each step takes and the force at its end. A last step to another force than 0 is
  ///     followed by lifting within 50 ms.
  ///   - slide: Where the finger goes meanwhile, with the times from its coming down.
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

  /// What lies on the pad at a time, fingers and shaking left out.
  public func truth(at time: Interval) -> Grams {
    let time = wrapped(time.seconds)
    return Grams(contacts.reduce(0) { $0 + ($1.isFinger ? 0 : $1.state(at: time).mass) })
  }

  /// Since when nothing has been done to the pad; `nil` while something is.
  public func restsSince(at time: Interval) -> Interval? {
    let now = wrapped(time.seconds)
    let last = contacts.reduce(0) { max($0, $1.lastChange(before: now)) }
    return last <= now ? .seconds(time.seconds - now + last) : nil
  }

  /// The time within the period.
  func wrapped(_ time: Double) -> Double {
    guard let period else { return time }
    return time - (time / period.seconds).rounded(.down) * period.seconds
  }

  /// Momentum as grams of force times seconds; 9.80665 m/s2 is the standard acceleration of free fall (CGPM 1901).
  private static func impulse(of mass: Grams, speed: Double) -> Double { mass.value * speed / 9.80665 }
}
