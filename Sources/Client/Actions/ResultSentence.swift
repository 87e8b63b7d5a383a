import Languages
import Messages
import Weighing

/// The response to a command as a sentence for a terminal, in the language of the user.
package struct ResultSentence: Sendable {
  private let texts: Texts

  /// Makes sentences in a language.
  package init(_ texts: Texts = .english) { self.texts = texts }

  /// The sentence for a success: `Recorded weighing 12: 73 g (beans).`; `nil` if the payload is not a response.
  ///
  /// - Parameters:
  ///   - payload: The payload of `result`, JSON.
  ///   - parameters: Those of the command.
  ///   - display: How the configuration displays masses.
  package func done(
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
      let mass = unit.text(reading["tare_g"]?.number)
      return instruments.container.map { texts(.taredContainer, ["mass": mass, "container": $0]) }
        ?? texts(.tared, ["mass": mass])
    case .clearTare: return texts(.tareCleared)
    case .zero: return texts(.zeroed)
    case .timer:
      return instruments.timer.map { texts(.timerAt, ["seconds": DecimalText.trimmed($0, decimals: 1)]) }
        ?? texts(.timerReset)
    case .target: return instruments.target.map { target($0, unit) } ?? texts(.targetEnded)
    case .count: return instruments.count.map { count($0, unit) } ?? texts(.countingEnded)
    case .container: return container(parameters) ?? done(name)
    case .dose: return dose(parameters, instruments, unit)
    case .commit, .void, .relabel, nil: return done(name)
    }
  }

  /// The sentence for an action that succeeded, without more about it.
  package func done(_ action: String) -> String { texts(.actionDone, ["action": action]) }

  private func target(_ target: WatchedInstruments.Target, _ unit: TerminalUnit) -> String {
    let tolerance = target.tolerance.map { " ± \(unit.text(given: $0))" } ?? ""
    return texts(.targetSet, ["target": unit.text(given: target.mass) + tolerance])
  }

  private func count(_ count: WatchedInstruments.Count, _ unit: TerminalUnit) -> String {
    let mass = ["mass": unit.text(piece: count.pieceMass)]
    return count.pieces.map { texts(.countingPieces, count: $0, mass) } ?? texts(.counting, mass)
  }

  private func container(_ parameters: [QuickAction.Parameter]) -> String? {
    func value(_ name: String) -> QuickAction.Value? { parameters.first { $0.name == name }?.value }
    guard case .text(let name)? = value("name") else { return nil }
    return texts(value("remove") == .flag(true) ? .containerRemoved : .containerStored, ["name": name])
  }

  private func dose(
    _ parameters: [QuickAction.Parameter], _ instruments: WatchedInstruments, _ unit: TerminalUnit
  ) -> String {
    if parameters.contains(where: { $0.name == "forget" }) { return texts(.doseForgotten) }
    guard case .text(let output)? = parameters.first(where: { $0.name == "output" })?.value,
      let target = instruments.target
    else { return texts(.doseStopped) }
    return texts(.doseStarted, ["target": unit.text(given: target.mass), "output": output])
  }

  /// The sentence for a rejection: `tare rejected: unstable (the load did not come to rest)`.
  ///
  /// - Parameter detail: What the appliance says to do about it, or what is wrong with the payload.
  package func rejected(_ action: String, _ reason: String, detail: Sentence?) -> String {
    let sentence = detail.map { texts($0) } ?? texts.reason(reason)
    return texts(.rejected, ["action": action, "reason": sentence.map { "\(reason) (\($0))" } ?? reason])
  }

  private func recorded(_ weighing: JSONValue, _ unit: TerminalUnit) -> String {
    let mass = unit.text(weighing["net_g"]?.number)
    var values = [
      "number": weighing["sequence"]?.number.flatMap { Int(exactly: $0) }.map(String.init) ?? "–", "mass": mass,
      "label": weighing["label"]?.text.map { " (\($0))" } ?? "",
    ]
    switch weighing["kind"]?.text {
    case "relabel": return texts(.relabelled, values)
    case "void":
      values["mass"] = String(mass.drop { $0 == "-" })
      return texts(.voided, values)
    default: return texts(.recorded, values)
    }
  }
}
