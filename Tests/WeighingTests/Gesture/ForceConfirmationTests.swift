import Testing

@testable import Weighing

/// Every transition of a press: each state, above and below the threshold, in and out of the confirm area, and lifting.
@Suite struct ForceConfirmationTests {
  private static let above = 0.98
  private static let below = 0.96

  /// A press in a state.
  private static func gesture(_ state: ForceConfirmation.State) -> ForceConfirmation {
    var gesture = ForceConfirmation()
    switch state {
    case .idle: break
    case .updating: gesture.press(intention: 0.5, isInConfirmArea: false, threshold: 0.97)
    case .selected: gesture.press(intention: 1, isInConfirmArea: false, threshold: 0.97)
    case .confirmed: gesture.press(intention: 1, isInConfirmArea: true, threshold: 0.97)
    }
    return gesture
  }

  struct Transition: CustomTestStringConvertible, Sendable {
    var from: ForceConfirmation.State
    var intention: Double
    var isInArea: Bool
    var to: ForceConfirmation.State
    var testDescription: String { "\(from), \(intention) \(isInArea ? "in" : "outside") the area: \(to)" }
  }

  @Test(arguments: [
    Transition(from: .idle, intention: below, isInArea: false, to: .updating),
    Transition(from: .idle, intention: below, isInArea: true, to: .updating),
    Transition(from: .idle, intention: above, isInArea: false, to: .selected),
    Transition(from: .idle, intention: above, isInArea: true, to: .confirmed),
    Transition(from: .updating, intention: below, isInArea: false, to: .updating),
    Transition(from: .updating, intention: below, isInArea: true, to: .updating),
    Transition(from: .updating, intention: above, isInArea: false, to: .selected),
    Transition(from: .updating, intention: above, isInArea: true, to: .confirmed),
    Transition(from: .selected, intention: below, isInArea: false, to: .updating),
    Transition(from: .selected, intention: below, isInArea: true, to: .selected),
    Transition(from: .selected, intention: above, isInArea: false, to: .selected),
    Transition(from: .selected, intention: above, isInArea: true, to: .confirmed),
    Transition(from: .confirmed, intention: below, isInArea: false, to: .updating),
    Transition(from: .confirmed, intention: below, isInArea: true, to: .confirmed),
    Transition(from: .confirmed, intention: above, isInArea: false, to: .selected),
    Transition(from: .confirmed, intention: above, isInArea: true, to: .confirmed),
  ])
  func pressing(_ transition: Transition) {
    var gesture = Self.gesture(transition.from)
    #expect(gesture.state == transition.from)
    gesture.press(intention: transition.intention, isInConfirmArea: transition.isInArea, threshold: 0.97)
    #expect(gesture.state == transition.to)
    #expect(gesture.intention == transition.intention)
  }

  @Test(arguments: ForceConfirmation.State.allCases)
  func lifting(_ state: ForceConfirmation.State) {
    var gesture = Self.gesture(state)
    let fires = gesture.lift()
    #expect(fires == (state == .confirmed))
    #expect(gesture == ForceConfirmation())
    let again = gesture.lift()
    #expect(!again)
  }

  /// Above means more than the threshold; where that is 1, a full press has to do.
  @Test(arguments: [
    (0.97, 0.97, false), (0.97.nextUp, 0.97, true), (1, 1, true), (1.0.nextDown, 1, false), (7, 1, true),
    (-3, 0.1, false),
  ])
  func theThreshold(_ intention: Double, _ threshold: Double, _ isAbove: Bool) {
    var gesture = ForceConfirmation()
    gesture.press(intention: intention, isInConfirmArea: false, threshold: threshold)
    #expect(gesture.state == (isAbove ? .selected : .updating))
    #expect((0...1).contains(gesture.intention))
  }
}
