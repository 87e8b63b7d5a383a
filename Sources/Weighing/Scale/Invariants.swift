/// A state machine with invariants: what holds of its state after each input, beyond what its types say.
///
/// Debug builds stop when one is broken, and the tests check them after each input.
protocol Invariants {
  /// What holds, each with its statement.
  var invariants: KeyValuePairs<String, Bool> { get }
}

extension Invariants {
  /// The first invariant that does not hold; `nil` if all do.
  var brokenInvariant: String? { invariants.first { !$0.value }?.key }
}
