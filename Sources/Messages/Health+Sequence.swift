extension Health {
  /// The `journal.sequence` of a health payload; `nil` without one.
  public static func journalSequence(in payload: [UInt8]) -> Int? {
    guard let fields = try? JSONFields(payload, maximumBytes: 1 << 16),
      let sequence = fields.object("journal")?.integer("sequence"), (0..<9_000_000_000_000_000).contains(sequence)
    else { return nil }
    return sequence
  }
}
