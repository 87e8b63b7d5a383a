extension Health {
  /// The sequences that a payload can state: JSON numbers are exact below 2^53.
  package static let sequences = 0..<1 << 53

  /// The `journal.sequence` of a health payload; `nil` without one.
  ///
  /// - Parameter maximumBytes: The maximum length; a longer payload has none.
  package static func journalSequence(in payload: [UInt8], maximumBytes: Int = 1 << 16) -> Int? {
    guard let fields = try? JSONFields(payload, maximumBytes: maximumBytes),
      let sequence = fields.object("journal")?.integer("sequence"), sequences.contains(sequence)
    else { return nil }
    return sequence
  }
}
