extension Weigher {
  /// Lets the label of a code wait for the next weighing, and reports the code; returns its meaning.
  mutating func scan(_ code: ScannedCode, at now: Instant, _ effects: inout [Effect]) -> CodeMeaning {
    let meaning = settings.scanning.meaning(of: code)
    if let label = meaning.label {
      instruments.hold(PendingLabel(text: label, expiry: now + settings.scanning.hold))
    }
    effects.append(event(.scanned(meaning), at: now))
    return meaning
  }

  /// Whether the load is recorded with the label of a code that has just been read: it is at rest, heavy enough and net of
  /// the container that the code names.
  mutating func isRecordDue(after meaning: CodeMeaning) -> Bool {
    guard settings.scanning.commits, meaning.label != nil, reading.isStable, !reading.isUnderloaded,
      frameAgreesWithReading, let net = reading.net, net.mass.magnitude >= settings.scale.minimum
    else { return false }
    return meaning.container == nil || meaning.container == reading.instruments?.container
  }
}

extension CodeMeaning {
  /// The requests of the code, which are those of a button: tare and target.
  var requests: [ActionRequest] {
    [container.map { (Action.tare, .tare(.container($0))) }, target.map { (.target, .target(Target(mass: $0))) }]
      .compactMap(\.self)
      .map { ActionRequest(action: $0, parameters: $1, source: .button) }
  }
}
