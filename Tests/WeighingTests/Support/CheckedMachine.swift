import Testing

@testable import Weighing

/// These replace the methods of `Weighing` in all tests of this target, in order to check the invariants after each input.
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

  private func checkInvariants() {
    if let brokenInvariant { Issue.record("at \(now.nanoseconds): \(brokenInvariant)") }
  }
}
