import Weighing

/// What follows from the scale's decision on a command.
enum SICSOutcome: Hashable, Sendable {
  /// Send this line.
  case answer(String)
  /// Clear the tare first: the scale tares loads only, and a balance takes an empty pan as a tare of zero.
  case clearTare

  /// - Parameter result: `nil` if the scale did not decide in time.
  init(_ command: SICSCommand, _ result: ActionResult?, _ identity: SICSIdentity) {
    switch command {
    case .reset: self = .answer(identity.serialAnswer)
    case .zero(let immediately):
      self = Self.answer(
        to: immediately ? "ZI" : "Z", result, success: { _ in immediately ? "S" : "A" })
    case .zeroWithin: self = Self.answer(to: "ZC", result, success: { _ in "S" })
    case .tare(let immediately): self = Self.tare(immediately ? "TI" : "T", result)
    case .tareWithin: self = Self.tare("TC", result)
    case .presetTare:
      // Above the capacity.
      self =
        result?.rejection == .badPayload
        ? .answer("TA L") : Self.answer(to: "TA", result, success: { "A \(SICSAnswer.mass($0.tare))" })
    case .clearTare:
      // The tare of a scale without one is zero, as asked.
      if result?.rejection == .noTare {
        self = .answer("TAC A")
      } else {
        self = Self.answer(to: "TAC", result, success: { _ in "A" })
      }
    case .commands, .levels, .balance, .version, .serialNumber, .stable, .stableWithin, .immediate, .repeated,
      .onChange, .tareValue, .displayText, .displayWeight, .keyMode, .unit:
      // Not decided by the scale.
      self = .answer(SICSAnswer.logicalError)
    }
  }

  private static func tare(_ name: String, _ result: ActionResult?) -> Self {
    guard let result else { return .answer("\(name) I") }
    // A load in motion is a tare that was given.
    let stability = result.request.parameters == .none ? "S" : "D"
    let success: (Reading) -> String = { "\(stability) \(SICSAnswer.mass($0.tare))" }
    // The answer to the order that cleared the tare.
    if result.request.name == Action.clearTare.rawValue, result.rejection == .noTare {
      return .answer("\(name) \(success(result.reading))")
    }
    guard result.rejection == .empty else { return answer(to: name, result, success: success) }
    if result.reading.isUnderloaded { return .answer("\(name) -") }
    return result.reading.tare.steps == 0 ? .answer("\(name) \(success(result.reading))") : .clearTare
  }

  private static func answer(to name: String, _ result: ActionResult?, success: (Reading) -> String) -> Self {
    guard let result else { return .answer("\(name) I") }
    guard let rejection = result.rejection else { return .answer("\(name) \(success(result.reading))") }
    return .answer("\(name) \(rejection == .overload ? "+" : "I")")
  }
}
