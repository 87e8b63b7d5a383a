import Testing

@testable import Weighing

/// These replace the methods of `Weighing` in the tests of this target, in order to check the invariants after each input. What calls the
/// methods with `into` checks them by itself.
extension ScaleMachine {
  mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: time, into: &effects)
    checkInvariants()
    return effects
  }

  mutating func advance(to time: Instant) -> [Effect] {
    var effects: [Effect] = []
    advance(to: time, into: &effects)
    checkInvariants()
    return effects
  }

  func checkInvariants() {
    if let brokenInvariant { Issue.record("at \(now.nanoseconds): \(brokenInvariant)") }
  }
}
