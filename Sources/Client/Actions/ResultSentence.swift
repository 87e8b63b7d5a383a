import Messages
import Weighing

/// The response to a command as a sentence for a terminal.
package enum ResultSentence {
  /// The sentence for a success: `Recorded weighing 12: 73 g (beans).`; `nil` if the payload is not a response.
  ///
  /// - Parameter payload: The payload of `result`, JSON.
  package static func done(_ payload: [UInt8]) -> String? {
    guard let json = try? JSONValue(payload, maximumBytes: 1 << 16), let name = json["action"]?.text else { return nil }
    let reading = json["reading"]
    let unit = reading?["printable"]?.text.flatMap { TerminalUnit(printable: $0) } ?? TerminalUnit()
    if let weighing = json["weighing"], case .object = weighing { return recorded(weighing, unit) }
    let tare = unit.text(reading?["tare_g"]?.number)
    return switch name {
    case Action.tare.rawValue: "Tared at \(tare)."
    case Action.clearTare.rawValue: "Tare cleared."
    case Action.zero.rawValue: "Zeroed."
    case Action.timer.rawValue:
      json["reading"]?["timer_s"]?.number.map { "Timer at \(DecimalText.trimmed($0, decimals: 1)) s." }
        ?? "Timer reset."
    default: "\(name): done."
    }
  }

  /// The text for a rejection: `unstable (the load did not come to rest)`.
  package static func rejected(_ reason: String) -> String { reasons[reason].map { "\(reason) (\($0))" } ?? reason }

  private static func recorded(_ weighing: JSONValue, _ unit: TerminalUnit) -> String {
    let sequence = weighing["sequence"]?.number.flatMap { Int(exactly: $0) }.map { " \($0)" } ?? ""
    let label = weighing["label"]?.text.map { " (\($0))" } ?? ""
    let mass = unit.text(weighing["net_g"]?.number)
    switch weighing["kind"]?.text {
    case "relabel": return "Relabelled the weighing\(label), record\(sequence)."
    case "void": return "Voided the weighing of \(mass.drop { $0 == "-" })\(label), record\(sequence)."
    default: return "Recorded weighing\(sequence): \(mass)\(label)."
    }
  }

  /// The text of every reason: those of `Rejection` and those of `CommandError`.
  private static let reasons = [
    "unstable": "the load did not come to rest",
    "overload": "the load exceeds the capacity",
    "empty": "nothing is on the pad",
    "below_minimum": "the net weight is below the minimum",
    "pad_missing": "the pad is not connected",
    "no_tare": "no tare is set",
    "nothing_to_void": "there is no weighing to void, or it is already voided",
    "unknown_container": "there is no container with this name",
    "unknown_weighing": "there is no weighing with this id",
    "journal_unavailable": "the journal cannot be written; see the health topic for the reason",
    "unknown_action": "the appliance has no such action",
    "bad_payload": "the payload of the command is invalid",
    "retained": "retained commands are ignored",
    "expired": "the command arrived too late",
    "busy": "too many commands are waiting; try again",
  ]
}
