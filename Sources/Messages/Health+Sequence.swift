extension Health {
  /// The `journal.sequence` of a health payload; `nil` without one.
  public static func journalSequence(in payload: [UInt8]) -> Int? {
    guard let json = try? JSONValue(payload, maximumBytes: 1 << 16),
      case .number(let number)? = json["journal"]?["sequence"], number >= 0, number < 9e15
    else { return nil }
    return Int(exactly: number)
  }
}
