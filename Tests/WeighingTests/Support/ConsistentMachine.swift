import Testing

@testable import Weighing

/// These replace the methods of `Weighing` in all tests of this target, in order to check the state after each input.
extension ScaleMachine {
  mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: time, into: &effects)
    checkConsistency()
    return effects
  }

  mutating func advance(to time: Instant) -> [Effect] {
    var effects: [Effect] = []
    advance(to: time, into: &effects)
    checkConsistency()
    return effects
  }

  private func checkConsistency() {
    if !isConsistent { Issue.record("the state of the scale is not consistent") }
  }
}
