public import Weighing

extension EvemuReader {
  /// Reads a whole file.
  ///
  /// - Parameter requiresDescription: Whether the file must describe its device, as nothing else does.
  /// - Throws: `EvemuError` for a malformed line, for a file without any item, and where the description is missed.
  public static func recording(
    from bytes: [UInt8], requiresDescription: Bool = false
  ) throws(EvemuError) -> Recording {
    var reader = EvemuReader()
    var events: [InputEvent] = []
    // evemu's lines of an event have 30 to 80 bytes.
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

  /// Reads the device from a file that describes one; events in it are checked and left out.
  ///
  /// - Throws: `EvemuError` for a malformed line, and where there is no description.
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
