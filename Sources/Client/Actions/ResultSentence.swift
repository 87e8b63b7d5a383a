import Messages
import Weighing

/// The response to a command as a sentence for a terminal.
package enum ResultSentence {
  /// The sentence for a success: `Recorded weighing 12: 73 g (beans).`; `nil` if the payload is not a response.
  ///
  /// - Parameters:
  ///   - payload: The payload of `result`, JSON.
  ///   - parameters: Those of the command.
  ///   - display: How the configuration displays masses.
  package static func done(
    _ payload: [UInt8], parameters: [QuickAction.Parameter] = [], display: DisplayUnit? = nil
  ) -> String? {
    guard let json = try? JSONValue(payload, maximumBytes: 1 << 16), let name = json["action"]?.text else { return nil }
    let reading = json["reading"] ?? .null
    let unit =
      reading["printable"]?.text.flatMap { TerminalUnit(printable: $0, configured: display) } ?? TerminalUnit()
    if let weighing = json["weighing"], case .object = weighing { return recorded(weighing, unit) }
    let instruments = WatchedInstruments(reading)
    switch Action(rawValue: name) {
    case .tare:
      return "Tared at \(unit.text(reading["tare_g"]?.number))\(instruments.container.map { " (\($0))" } ?? "")."
    case .clearTare: return "Tare cleared."
    case .zero: return "Zeroed."
    case .timer:
      return instruments.timer.map { "Timer at \(DecimalText.trimmed($0, decimals: 1)) s." } ?? "Timer reset."
    case .target: return instruments.target.map { target($0, unit) } ?? "Target ended."
    case .count: return instruments.count.map { count($0, unit) } ?? "Counting ended."
    case .container: return container(parameters)
    case .commit, .void, .relabel, nil: return "\(name): done."
    }
  }

  private static func target(_ target: WatchedInstruments.Target, _ unit: TerminalUnit) -> String {
    let tolerance = target.tolerance.map { " ± \(unit.text(given: $0))" } ?? ""
    return "Target set to \(unit.text(given: target.mass))\(tolerance)."
  }

  private static func count(_ count: WatchedInstruments.Count, _ unit: TerminalUnit) -> String {
    let pieces = count.pieces.map { $0 == 1 ? ": 1 piece" : ": \($0) pieces" } ?? ""
    return "Counting pieces of \(unit.text(piece: count.pieceMass))\(pieces)."
  }

  private static func container(_ parameters: [QuickAction.Parameter]) -> String {
    func value(_ name: String) -> QuickAction.Value? { parameters.first { $0.name == name }?.value }
    let name = if case .text(let name)? = value("name") { " " + name } else { "" }
    return value("remove") == .flag(true) ? "Removed container\(name)." : "Stored container\(name)."
  }

  /// The text for a rejection: `unstable (the load did not come to rest)`.
  ///
  /// - Parameter detail: What the appliance says to do about it, or what is wrong with the payload.
  package static func rejected(_ reason: String, detail: String?) -> String {
    (detail ?? reasons[reason]).map { "\(reason) (\($0))" } ?? reason
  }

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
