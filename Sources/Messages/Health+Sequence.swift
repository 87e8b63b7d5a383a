extension Health {
  /// The sequences that a payload can state: JSON numbers are exact below 2^53.
  package static let sequences = 0..<1 << 53

  /// The `journal.sequence` of a health payload; `nil` without one, or if the payload has more than 64 KiB.
  package static func journalSequence(in payload: [UInt8]) -> Int? {
    (try? JSONFields(payload, maximumBytes: 1 << 17)).flatMap { journalSequence(in: $0) }
  }

  /// The `journal.sequence` in the fields of a health payload; `nil` without one.
  package static func journalSequence(in fields: JSONFields) -> Int? {
    guard let sequence = fields.object("journal")?.integer("sequence"), sequences.contains(sequence) else { return nil }
    return sequence
  }
}
