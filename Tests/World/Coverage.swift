/// The states in which the steps of the delivery were taken, as the variables of Tests/DeliveryModel/delivery.pml that are not empty.
struct Coverage: Sendable, CustomStringConvertible {
  /// The state of a scale and of the collector's knowledge of it.
  struct State: OptionSet, Hashable, Sendable {
    let rawValue: UInt16
    // The scale.
    static let (running, session, outbox, parked) = (State(bit: 0), State(bit: 1), State(bit: 2), State(bit: 3))
    static let (inFlight, activeRange, published) = (State(bit: 4), State(bit: 5), State(bit: 6))
    // The collector.
    static let (subscribed, records, missingRanges) = (State(bit: 7), State(bit: 8), State(bit: 9))
    static let (lostRanges, requestDue) = (State(bit: 10), State(bit: 11))

    init(rawValue: UInt16) { self.rawValue = rawValue }
    private init(bit: Int) { rawValue = 1 << bit }

    /// Adds a part if it is there.
    mutating func set(_ part: State, _ isThere: Bool) { if isThere { insert(part) } }
  }

  private struct Transition: Hashable {
    var state: State
    var step: Step
  }

  private var transitions: Set<Transition> = []

  mutating func add(_ step: Step, in state: State) { transitions.insert(Transition(state: state, step: step)) }

  /// Adds what another life has reached; returns whether something of it is new.
  mutating func formUnion(_ other: Coverage) -> Bool {
    let count = transitions.count
    transitions.formUnion(other.transitions)
    return transitions.count > count
  }

  var description: String { "\(Set(transitions.map(\.state)).count) states, \(transitions.count) transitions" }
}
