public import Weighing

extension EvemuReader {
  /// Reads a whole file.
  ///
  /// - Parameter requiresDescription: Whether the file has to describe its device.
  /// - Throws: `EvemuError` for a malformed line, for an empty file, and for a missing description.
  public static func recording(
    from bytes: [UInt8], requiresDescription: Bool = false
  ) throws(EvemuError) -> Recording {
    var reader = EvemuReader()
    var events: [InputEvent] = []
    // The lines of events in evemu files have 30 to 80 bytes.
    events.reserveCapacity(bytes.count / 40)
    try reader.read(bytes.span) { events.append($0) }
    try reader.end { events.append($0) }
    if reader.description == nil {
      guard !events.isEmpty else {
        throw EvemuError(line: max(reader.line, 1), found: "an empty file", expected: "a device or events")
      }
      guard !requiresDescription else {
        throw EvemuError(
          line: 1, found: "events without a device", expected: "N:, I:, B: and A: lines, or a separate description")
      }
    }
    return Recording(description: reader.description, events: events)
  }

  /// Reads the description of a device from a file; its events are checked and ignored.
  ///
  /// - Throws: `EvemuError` for a malformed line and for a missing description.
  public static func description(from bytes: [UInt8]) throws(EvemuError) -> PadDescription {
    var reader = EvemuReader()
    try reader.read(bytes.span) { _ in }
    try reader.end { _ in }
    guard let description = reader.description else {
      throw EvemuError(line: max(reader.line, 1), found: "no device", expected: "N:, I:, B: and A: lines")
    }
    return description
  }
}
